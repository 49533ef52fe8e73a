/**
 * Random functions for the rematerialization stage, accepted by the machine verifier: values defined in the first block and used in
 * later ones, in a chain, a diamond or a loop; most can be rematerialized, others not for one reason or another (several users,
 * operand not available, implicit defs); VGPRs, SGPRs, AGPRs, tuples and parts of tuples; users that are terminators or end a region;
 * debug instructions. Their number lies around a step of the occupancy. The same seed gives the same text.
 */

import { randomSource } from './random.js';

/** VGPRs around which the occupancy of each processor changes. */
const STEPS: Readonly<Record<string, readonly number[]>> = {
  gfx900: [24, 28, 32, 40],
  gfx908: [24, 28, 32, 40],
  gfx90a: [64, 72, 80],
  gfx942: [64, 72],
};

/** A function named f with a RUN line; the same RUN line has the pass. */
export function randomRemat(seed: number): string {
  const below = randomSource(seed + 7);
  const cpus = Object.keys(STEPS);
  const cpu = cpus[below(cpus.length)];
  const steps = STEPS[cpu];
  const hasAGPRs = cpu !== 'gfx900';
  const isUnified = cpu === 'gfx90a' || cpu === 'gfx942';
  // register of live values that everything may read: used at the very end
  const base = ['%0', '%1', '%2'];
  let next = 4;
  const defs: string[] = [];
  /** what a use of the value looks like, and its width */
  const values: { readonly use: string; readonly width: number; readonly rc: string }[] = [];
  const define = (rc: string, text: string, width: number, sub = ''): void => {
    const reg = `%${next++}`;
    defs.push(sub === '' ? `    ${reg}:${rc} = ${text}` : `    undef ${reg}.${sub}:${rc} = ${text}`);
    values.push({ use: sub === '' ? reg : `${reg}.${sub}`, width, rc });
  };
  const scalar = below(5) === 0;
  const accumulator = hasAGPRs && below(3) === 0;
  const target = steps[below(steps.length)] + below(4) - 1;
  // of 16 values so many cannot move
  const fixedShare = [0, 4, 8, 12, 15][below(5)];
  let width = 3;
  while (width < target) {
    const k = values.length;
    const kind = below(24);
    if (below(16) < fixedShare) define('vgpr_32', `V_MOV_B32_e32 ${k}, implicit $exec, implicit-def $m0`, 1);
    else if (kind < 7) define('vgpr_32', `V_MOV_B32_e32 ${k}, implicit $exec`, 1);
    else if (kind < 12) define('vgpr_32', `nofpexcept V_CVT_I32_F64_e32 ${k}, implicit $exec, implicit $mode`, 1);
    else if (kind < 14) define('vgpr_32', `V_ADD_U32_e32 ${k}, ${base[below(base.length)]}, implicit $exec`, 1);
    else if (kind < 15 && k > 0 && values[k - 1].rc === 'vgpr_32')
      define('vgpr_32', `V_NOT_B32_e32 ${values[k - 1].use}, implicit $exec`, 1);
    else if (kind < 17) define('vreg_64_align2', `V_MOV_B64_PSEUDO ${k}, implicit $exec`, 2);
    else if (kind < 19) define('vreg_64_align2', `V_MOV_B32_e32 ${k}, implicit $exec`, 1, `sub${below(2)}`);
    else if (kind < 21 && accumulator)
      define('agpr_32', `V_ACCVGPR_WRITE_B32_e64 ${k % 60}, implicit $exec`, isUnified ? 1 : 0);
    else if (kind < 22) define('vgpr_32', 'IMPLICIT_DEF', 1);
    else define('sgpr_32', `S_MOV_B32 ${k}`, 0);
    width += values[values.length - 1].width;
  }
  const nScalar = scalar ? 60 + below(45) : 0;
  for (let k = 0; k < nScalar; k++) define('sgpr_32', `S_MOV_B32 ${k}`, 0);
  if (isUnified && accumulator && below(2) === 0)
    for (let k = 0; k < 6; k++) define('agpr_32', `V_ACCVGPR_WRITE_B32_e64 ${k}, implicit $exec`, 1);

  // blocks 1 .. n; block n is the last one
  const nBlocks = 1 + below(5);
  const loopFrom = below(2) === 0 && nBlocks > 1 ? 1 + below(nBlocks) : 0;
  const loopTo = loopFrom === 0 ? 0 : 1 + below(loopFrom);
  const uses: string[][] = Array.from({ length: nBlocks + 2 }, () => []);
  for (const v of values) {
    const n = below(12) === 0 ? 2 : 1;
    for (let k = 0; k < n; k++) uses[1 + below(nBlocks)].push(v.use);
  }
  const lines = [
    `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=machine-scheduler %s`,
    '--- |',
    `  define amdgpu_kernel void @f() #0 { ret void }`,
    `  attributes #0 = { "amdgpu-waves-per-eu"="${below(4) === 0 ? (isUnified ? '8,8' : '10,10') : '1'}" "amdgpu-flat-work-group-size"="1,64" }`,
    '...',
    '---',
    'name: f',
    'tracksRegLiveness: true',
    'machineFunctionInfo:',
    '  isEntryFunction: true',
    'body: |',
    '  bb.0:',
    '    successors: %bb.1',
    '    liveins: $vgpr0, $vgpr1, $vgpr2, $sgpr0_sgpr1',
    '',
    '    %0:vgpr_32 = COPY $vgpr0',
    '    %1:vgpr_32 = COPY $vgpr1',
    '    %2:vgpr_32 = COPY $vgpr2',
    '    %3:sgpr_32 = COPY $sgpr0',
  ];
  for (const d of defs) {
    lines.push(d);
    if (below(40) === 0) lines.push('    DBG_VALUE');
    if (below(30) === 0) lines.push(`    DBG_VALUE ${values[below(values.length)].use}, $noreg`);
    if (below(60) === 0) lines.push('    SCHED_BARRIER 0');
  }
  for (let b = 1; b <= nBlocks; b++) {
    const successors = b === nBlocks ? [] : [b + 1];
    if (b === loopFrom) successors.push(loopTo);
    lines.push('', `  bb.${b}:`);
    const all = [...new Set(successors)];
    if (all.length > 0) lines.push(`    successors: ${all.map((s) => `%bb.${s}`).join(', ')}`, '');
    if (below(6) === 0) lines.push(`    DBG_VALUE ${values[below(values.length)].use}, $noreg`);
    const list = uses[b];
    while (list.length > 0) {
      const some = list.splice(0, 1 + below(5));
      const end = below(14) === 0 ? 'SCHED_BARRIER 0' : 'S_NOP 0';
      lines.push(`    ${end}${some.map((u) => `, implicit ${u}`).join('')}`);
      if (below(9) === 0) lines.push(`    %${next++}:vgpr_32 = V_XOR_B32_e32 %0, %1, implicit $exec`);
      if (below(30) === 0) lines.push('    DBG_VALUE');
    }
    if (b === loopFrom) lines.push('    S_CMP_LG_U32 %3, 0, implicit-def $scc');
    if (b === nBlocks) {
      if (b !== loopFrom) lines.push('    S_NOP 0, implicit %0, implicit %1, implicit %2');
      if (b === loopFrom) lines.push(`    S_CBRANCH_SCC0 %bb.${loopTo}, implicit $scc`);
      else lines.push('    S_ENDPGM 0');
    } else if (b === loopFrom) lines.push(`    S_CBRANCH_SCC0 %bb.${loopTo}, implicit $scc`);
    if (b === nBlocks && b === loopFrom) lines.push(`    S_BRANCH %bb.${nBlocks + 1}`);
  }
  if (loopFrom === nBlocks && loopFrom > 0) {
    const at = lines.lastIndexOf(`  bb.${nBlocks}:`);
    lines[at + 1] = `    successors: %bb.${loopTo}, %bb.${nBlocks + 1}`;
    lines.push('', `  bb.${nBlocks + 1}:`, '    S_NOP 0, implicit %0, implicit %1, implicit %2', '    S_ENDPGM 0');
  }
  lines.push('...', '');
  return lines.join('\n');
}
