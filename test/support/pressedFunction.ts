/** Functions full of values, some of which can be computed again where they are used. */

const HEAD = `# RUN: llc -mtriple=amdgcn -mcpu=gfx908 -run-pass=machine-scheduler %s
---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
`;

/**
 * `values` VGPRs that are defined in bb.0, one a line from line 9 on, and read in bb.1 one by one; the last `again` can be computed again,
 * the others write a register besides. `pad` lines that do nothing stand before the readers.
 */
export function pressedFunction(values: number, again: number, pad = 0): string {
  const all = [...Array(values).keys()];
  const defs = all.map(
    (k) => `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec${k < values - again ? ', implicit-def $m0' : ''}\n`,
  );
  const reads = all.map((k) => `    S_NOP 0, implicit %${k}\n`);
  return `${HEAD}  bb.0:\n${defs.join('')}    S_BRANCH %bb.1\n\n  bb.1:\n${'    S_NOP 7\n'.repeat(pad)}${reads.join('')}    S_ENDPGM 0\n...\n`;
}

/** Instructions of such a function. */
export const sizeOfPressed = (values: number, pad = 0): number => 2 * values + 2 + pad;
