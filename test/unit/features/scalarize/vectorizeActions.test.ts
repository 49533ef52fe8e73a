/** Moves to the VALU where SGPRs spill: at which lines, with which titles, and the text after them. */
import assert from 'node:assert/strict';
import { CodeActionTriggerKind } from 'vscode-languageserver-types';
import { vectorizeActions } from '../../../../server/src/features/scalarize/vectorizeActions.js';
import { applied } from '../../../support/editing.js';
import { openText, URI } from '../../../support/cursor.js';

const SCALARS = Array.from(
  { length: 16 },
  (_, k) => `    %${k + 2}:sreg_32 = S_ADD_I32 %1, ${k}, implicit-def dead $scc\n`,
);
const READERS = Array.from(
  { length: 16 },
  (_, k) =>
    `    %${k + 30}:vgpr_32 = V_XOR_B32_e64 %${k + 2}, %0, implicit $exec\n    DS_WRITE_B32_gfx9 %0, %${k + 30}, 0, 0, implicit $exec\n`,
);
const TEXT = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 %s
--- |
  define void @many() "amdgpu-num-sgpr"="16" { ret void }
...
---
name: many
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr8

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr8
    S_BARRIER
${SCALARS.join('')}${READERS.join('')}    S_ENDPGM 0
...
`;

/** Titles, and lines of the edited text that are new. */
function offered(line: number, triggerKind?: CodeActionTriggerKind, text = TEXT): string[] {
  const { snapshot } = openText(text);
  const start = { line: line - 1, character: 6 };
  const context = { diagnostics: [], ...(triggerKind === undefined ? {} : { triggerKind }) };
  const found = vectorizeActions(snapshot, snapshot.functions[0]!, { start, end: start }, context);
  const before = text.split('\n');
  return found.flatMap((a) => {
    assert.equal(a.kind, 'quickfix');
    const after = applied(snapshot, a.edit!.changes![URI]!).split('\n');
    return [a.title, ...after.filter((l) => !before.includes(l)).map((l) => l.trim())];
  });
}

describe('moves to the VALU', () => {
  it('of the scalar that a line writes', () => {
    assert.deepEqual(offered(15), [
      'Move %2 to the VALU: SGPRs too many 4 to 3, occupancy stays 10',
      // In a register of its own, as the pass has it, and its reader reads that.
      '%46:vgpr_32 = V_ADD_U32_e64 %1, 0, 0, implicit $exec',
      '%30:vgpr_32 = V_XOR_B32_e64 %46, %0, implicit $exec',
    ]);
    assert.deepEqual(offered(16), [
      'Move %3 to the VALU: SGPRs too many 4 to 3, VGPR +1, occupancy stays 10',
      '%46:vgpr_32 = V_ADD_U32_e64 %1, 1, 0, implicit $exec',
      '%31:vgpr_32 = V_XOR_B32_e64 %46, %0, implicit $exec',
    ]);
    assert.deepEqual(offered(16, CodeActionTriggerKind.Automatic), offered(16));
  });

  it('of as many as are too many, at the name', () => {
    const moved = [
      'Move %2, %3, %4, %5 to the VALU: SGPRs too many 4 to 0, VGPR +3, occupancy stays 10',
      ...[0, 1, 2, 3].map((k) => `%${k + 46}:vgpr_32 = V_ADD_U32_e64 %1, ${k}, 0, implicit $exec`),
      ...[0, 1, 2, 3].map((k) => `%${k + 30}:vgpr_32 = V_XOR_B32_e64 %${k + 46}, %0, implicit $exec`),
    ];
    assert.deepEqual(offered(6), moved);
  });

  it('not of what is no such definition', () => {
    // Copies from and to registers, an instruction without operands before a definition, readers, the end.
    for (const line of [1, 5, 7, 9, 10, 12, 13, 14, 31, 32, 63]) assert.deepEqual(offered(line), [], String(line));
  });

  it('not where SGPRs suffice', () => {
    for (const line of [6, 15]) {
      assert.deepEqual(offered(line, undefined, TEXT.replace('"16"', '"20"')), []);
      assert.deepEqual(offered(line, undefined, TEXT.replace(' "amdgpu-num-sgpr"="16"', '')), []);
    }
  });

  it('unasked of functions that are not large', () => {
    const { Automatic, Invoked } = CodeActionTriggerKind;
    // 52 instructions without those that do nothing
    const padded = (n: number): string =>
      TEXT.replace('    S_ENDPGM 0', `${'    S_NOP 7\n'.repeat(n - 52)}    S_ENDPGM 0`);
    const titles = (n: number, trigger: CodeActionTriggerKind): (string | undefined)[] =>
      [15, 6].map((line) => offered(line, trigger, padded(n))[0]?.split(' to ')[0]);
    assert.deepEqual(titles(1000, Automatic), ['Move %2', 'Move %2, %3, %4, %5']);
    assert.deepEqual(titles(1001, Automatic), [undefined, undefined]);
    assert.deepEqual(titles(1001, Invoked), ['Move %2', 'Move %2, %3, %4, %5']);
  });

  it('none of a function with errors', () => {
    for (const line of [6, 15])
      assert.deepEqual(offered(line, undefined, TEXT.replace('S_ENDPGM 0', 'S_ENDPGM 0, implicit %99:vgpr_32')), []);
  });
});
