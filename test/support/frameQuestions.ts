/**
 * Files of small functions before register allocation, over the product of what decides whether a frame has a frame pointer, a base pointer, another alignment:
 * attributes, calling conventions, calls, objects of variable size, alignments from 1 to 256.
 */
import { randomSource } from './random.js';

export interface QuestionFile {
  readonly args: readonly string[];
  readonly target: { readonly triple: string; readonly cpu: string; readonly features: string };
  readonly text: string;
  /** what each function is, in the order of the file */
  readonly names: readonly string[];
  /** a file with function `k` alone */
  readonly single: (k: number) => string;
}

const TARGETS = [
  ['amdgcn-amd-amdhsa', 'gfx700', ''],
  ['amdgcn-mesa-mesa3d', 'gfx803', ''],
  ['amdgcn-amd-amdhsa', 'gfx900', ''],
  ['amdgcn-amd-amdpal', 'gfx906', '+enable-flat-scratch'],
  ['amdgcn-amd-amdhsa', 'gfx908', ''],
  ['amdgcn--', 'gfx90a', ''],
  ['amdgcn-amd-amdhsa', 'gfx942', ''],
  ['amdgcn-amd-amdpal', 'gfx1030', ''],
  ['amdgcn-amd-amdhsa', 'gfx1030', '+wavefrontsize64'],
  ['amdgcn-amd-amdpal', 'gfx1100', ''],
  ['amdgcn-amd-amdhsa', 'gfx1200', ''],
  ['amdgcn-amd-amdhsa', 'gfx1250', ''],
] as const;

const CONVENTIONS = [
  '',
  '',
  '',
  'fastcc',
  'amdgpu_gfx',
  'amdgpu_kernel',
  'amdgpu_cs',
  'amdgpu_ps',
  'amdgpu_cs_chain',
  'amdgpu_cs_chain_preserve',
] as const;
const ENTRIES: readonly string[] = ['amdgpu_kernel', 'amdgpu_cs', 'amdgpu_ps'];
const ALIGNMENTS = [1, 4, 4, 4, 8, 16, 32, 64, 128, 256] as const;

/** `n` functions for one target. */
export function frameQuestions(seed: number, n: number): QuestionFile {
  const below = randomSource(seed);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const is = (k: number): boolean => below(k) === 0;
  const [triple, cpu, features] = TARGETS[seed % TARGETS.length]!;
  const isPAL = triple.endsWith('pal');
  const hasPointer = !/^gfx1[12]|gfx942/.test(cpu) && !features.includes('flat-scratch');
  const ir: string[] = [];
  const bodies: string[] = [];
  const names: string[] = [];
  for (let f = 0; f < n; f++) {
    const all = oneOf(CONVENTIONS);
    const convention = isPAL || all === '' || !/_cs|_ps|gfx/.test(all) ? all : 'fastcc';
    const isEntry = ENTRIES.includes(convention);
    const isChain = convention.includes('chain');
    const attributes: string[] = [];
    const align = oneOf(['', '', '"stackrealign"', 'alignstack', 'alignstack']);
    if (align === 'alignstack') attributes.push(`alignstack(${oneOf([4, 8, 16, 32, 64, 256])})`);
    else if (align !== '') attributes.push(align);
    if (is(3)) attributes.push('"no-realign-stack"');
    const pointer = oneOf(['', '', 'none', 'reserved', 'non-leaf', 'all']);
    if (pointer !== '') attributes.push(`"frame-pointer"="${pointer}"`);
    if (is(8)) attributes.push('noreturn');
    if (is(12)) attributes.push('naked');
    const most = oneOf(ALIGNMENTS);
    const calls = is(3) ? (isChain || is(3) ? 'hasTailCall' : 'hasCalls') : '';
    const frame = [`  maxAlignment:    ${most}`];
    if (calls !== '') frame.push(`  ${calls}: true`);
    if (calls === 'hasCalls') frame.push('  adjustsStack: true');
    if (is(9)) frame.push(`  ${oneOf(['isFrameAddressTaken', 'hasStackMap', 'hasPatchPoint'])}: true`);
    const stack: string[] = [];
    const body: string[] = [];
    const spills: number[] = [];
    for (let k = oneOf([0, 0, 1, 1, 2]); k > 0; k--) {
      const id = stack.length;
      const own = is(2) ? most : 4;
      if (is(6)) stack.push(`  - { id: ${id}, type: variable-sized, alignment: ${own} }`);
      else {
        const isSpill = is(3);
        if (isSpill) spills.push(id);
        stack.push(
          `  - { id: ${id}, ${isSpill ? 'type: spill-slot, size: 4' : `size: ${oneOf([4, 20, 64])}`}, alignment: ${own} }`,
        );
        if (!isSpill && is(2))
          body.push(`%${id}:vgpr_32 = V_MOV_B32_e32 %stack.${id}, implicit $exec`, `S_NOP 0, implicit %${id}`);
      }
    }
    const fixed = is(5) && !isEntry ? [`  - { id: 0, offset: ${oneOf([0, 4, 16])}, size: 4, alignment: 4 }`] : [];
    for (const reg of ['sgpr33', 'sgpr34', 'sgpr35', 'sgpr30', 'vgpr40'])
      if (is(3)) body.push(`S_NOP 0, implicit-def $${reg}`);
    // More SGPRs than there are, of which some fall into lanes.
    if (is(6)) {
      body.push('%8:sreg_32 = S_MOV_B32 0');
      body.push(
        `S_NOP 0${Array.from({ length: 70 }, (_, s) => `, implicit-def $sgpr${s + 36}`).join('')}`.slice(0, 100000),
      );
      body.push(`S_NOP 0${Array.from({ length: 29 }, (_, s) => `, implicit-def $sgpr${s}`).join('')}`);
      body.push('S_NOP 0, implicit %8');
    }
    for (const id of spills) body.push(`SI_SPILL_V32_SAVE undef $vgpr1, %stack.${id}, $sgpr32, 0, implicit $exec`);
    if (calls === 'hasCalls') {
      const bytes = oneOf([0, 0, 16]);
      body.push(
        `ADJCALLSTACKUP 0, ${bytes}, implicit-def dead $scc, implicit-def $sgpr32, implicit $sgpr32`,
        'dead $sgpr30_sgpr31 = SI_CALL undef $sgpr4_sgpr5, 0, csr_amdgpu',
        `ADJCALLSTACKDOWN ${bytes}, 0, implicit-def dead $scc, implicit-def $sgpr32, implicit $sgpr32`,
      );
    }
    body.push(isEntry || isChain || is(10) ? 'S_ENDPGM 0' : 'SI_RETURN');
    const info = [`  isEntryFunction: ${isEntry}`];
    if (!isEntry || calls !== '' || is(2)) info.push("  stackPtrOffsetReg: '$sgpr32'");
    info.push("  frameOffsetReg:  '$sgpr33'");
    if (hasPointer)
      info.push(`  scratchRSrcReg:  '${isEntry ? '$sgpr96_sgpr97_sgpr98_sgpr99' : '$sgpr0_sgpr1_sgpr2_sgpr3'}'`);
    if (is(6)) info.push('  hasSpilledSGPRs: true');
    ir.push(`  define ${convention} void @f${f}() ${attributes.join(' ')} { ret void }`);
    names.push(`${convention} ${attributes.join(' ')} ${most} ${frame.slice(1).join(' ')} ${stack.join(' ')}`);
    bodies.push(
      [
        '---',
        `name: f${f}`,
        'tracksRegLiveness: true',
        'frameInfo:',
        ...frame,
        ...(fixed.length > 0 ? ['fixedStack:', ...fixed] : []),
        ...(stack.length > 0 ? ['stack:', ...stack] : []),
        'machineFunctionInfo:',
        ...info,
        'body: |',
        '  bb.0:',
        `    liveins: $sgpr0_sgpr1_sgpr2_sgpr3, $sgpr30_sgpr31, $sgpr32`,
        '',
        ...body.map((l) => `    ${l}`),
        '...',
        '',
      ].join('\n'),
    );
  }
  const args = [`-mtriple=${triple}`, `-mcpu=${cpu}`, ...(features === '' ? [] : [`-mattr=${features}`])];
  const file = (irs: readonly string[], docs: readonly string[]): string =>
    ['--- |', ...irs, '...', ...docs].join('\n');
  return {
    args,
    target: { triple, cpu, features },
    text: file(ir, bodies),
    names,
    single: (k) => file([ir[k]], [bodies[k]]),
  };
}
