/**
 * Random functions after register allocation, for what prologepilog makes of them: objects of the stack, registers that callers rely on, whole-wave
 * registers, copies of EXEC, frame pointers, calls with their arguments, spills that may go to accumulators, inputs of entry functions.
 */
import { randomSource } from './random.js';

export interface FrameCase {
  readonly args: readonly string[];
  readonly target: { readonly triple: string; readonly cpu: string; readonly features: string };
  readonly text: string;
}

const CONVENTIONS = [
  '',
  '',
  '',
  'fastcc',
  'amdgpu_gfx',
  'amdgpu_kernel',
  'amdgpu_kernel',
  'amdgpu_cs',
  'amdgpu_ps',
  'amdgpu_cs_chain',
] as const;
const ENTRIES: readonly string[] = ['amdgpu_kernel', 'amdgpu_cs', 'amdgpu_ps'];

interface Processor {
  readonly name: string;
  readonly features?: readonly string[];
  readonly sgprs: number;
  readonly hasAgprs?: boolean;
  readonly isWave32?: boolean;
}

const PROCESSORS: readonly Processor[] = [
  { name: 'gfx704', sgprs: 96 },
  { name: 'gfx802', sgprs: 88 },
  { name: 'gfx803', sgprs: 96 },
  { name: 'gfx900', sgprs: 100 },
  { name: 'gfx900', features: ['+enable-flat-scratch'], sgprs: 100 },
  { name: 'gfx900', features: ['-xnack'], sgprs: 100 },
  { name: 'gfx908', sgprs: 100, hasAgprs: true },
  { name: 'gfx90a', sgprs: 100, hasAgprs: true },
  { name: 'gfx942', sgprs: 100, hasAgprs: true },
  { name: 'gfx1010', features: ['+enable-flat-scratch'], sgprs: 106, isWave32: true },
  { name: 'gfx1030', sgprs: 106, isWave32: true },
  { name: 'gfx1030', features: ['+wavefrontsize64'], sgprs: 106 },
  { name: 'gfx1100', sgprs: 106, isWave32: true },
  { name: 'gfx1200', sgprs: 106, isWave32: true },
  { name: 'gfx1200', features: ['+block-vgpr-csr'], sgprs: 106, isWave32: true },
  { name: 'gfx1200', features: ['-enable-flat-scratch'], sgprs: 106, isWave32: true },
];

const sgprs = (first: number, n: number): string =>
  `$${Array.from({ length: n }, (_, k) => `sgpr${first + k}`).join('_')}`;

export function randomFrame(seed: number): FrameCase {
  const below = randomSource(seed);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const is = (n: number): boolean => below(n) === 0;
  const cpu = oneOf(PROCESSORS);
  const convention = oneOf(CONVENTIONS);
  const isEntry = ENTRIES.includes(convention);
  const isChain = convention.startsWith('amdgpu_cs_chain');
  const hasCalls = is(3) && !isChain;
  const alignment = oneOf([4, 4, 4, 4, 8, 16, 32, 64]);

  const stack: string[] = [];
  const spills: number[] = [];
  for (let n = oneOf([0, 0, 1, 2, 4]); n > 0; n--) {
    const id = stack.length;
    const isSpill = is(2);
    const size = is(12) ? oneOf([2032, 4080, 5000]) : isSpill ? oneOf([4, 4, 8]) : oneOf([1, 2, 4, 8, 12, 20]);
    const own = is(3) ? alignment : 4;
    if (isSpill && size === 4) spills.push(id);
    const kind = isSpill ? 'type: spill-slot, ' : is(20) ? 'type: variable-sized, ' : '';
    stack.push(`  - { id: ${id}, ${kind}${kind.includes('variable') ? '' : `size: ${size}, `}alignment: ${own} }`);
  }
  const fixed =
    is(4) && !isEntry ? [`  - { id: 0, offset: ${oneOf([0, 4, 16])}, size: ${oneOf([4, 8, 16])}, alignment: 4 }`] : [];

  const vgprs = new Set<number>(isEntry || is(3) ? [] : [40 + below(20)]);
  while (is(2)) vgprs.add(is(3) ? below(256) : oneOf([40, 41, 42, 56, 57, 72, 88, 104]));
  const usesAll = is(6);
  const sgprsUsed = new Set<number>();
  if (usesAll) for (let s = 4; s < cpu.sgprs - 8; s++) sgprsUsed.add(s);
  while (is(2)) sgprsUsed.add(4 + below(30));
  for (const pointer of [30, 31, 32, 33]) sgprsUsed.delete(pointer);
  const waves = new Set<number>();
  if (!isEntry && is(3)) for (let n = 1 + below(3); n > 0; n--) waves.add(oneOf([63, 62, 61, 8, 41, 255]));
  const wave = [...waves];
  const execCopy = !isEntry && is(8) ? (cpu.isWave32 === true ? '$sgpr105' : sgprs(cpu.sgprs - 6, 2)) : '';

  const body: string[] = [];
  for (const id of spills)
    body.push(
      `SI_SPILL_V32_SAVE undef $vgpr${below(4)}, %stack.${id}, $sgpr32, 0, implicit $exec :: (store (s32) into %stack.${id}, addrspace 5)`,
    );
  if (cpu.hasAgprs === true && is(5) && spills.length > 0)
    body.push(
      `SI_SPILL_A32_SAVE undef $agpr${below(4)}, %stack.${spills[0]}, $sgpr32, 0, implicit $exec :: (store (s32) into %stack.${spills[0]}, addrspace 5)`,
    );
  for (const n of vgprs) body.push(`S_NOP 0, implicit-def $vgpr${n}`);
  if (cpu.hasAgprs === true && is(4)) body.push(`S_NOP 0, implicit-def $agpr${below(40)}`);
  for (const n of sgprsUsed) body.push(`S_NOP 0, implicit-def $sgpr${n}`);
  for (let id = 0; id < stack.length; id++)
    if (stack[id]!.includes('alignment') && !spills.includes(id) && !stack[id]!.includes('variable') && is(2))
      body.push(`$vgpr1 = V_MOV_B32_e32 %stack.${id}, implicit $exec`, 'S_NOP 0, implicit $vgpr1');
  if (is(5)) body.push('S_NOP 0, implicit-def $vcc');
  if (is(6))
    body.push(
      'FLAT_STORE_DWORD undef $vgpr0_vgpr1, undef $vgpr2, 0, 0, implicit $exec, implicit $flat_scr :: (store (s32))',
    );
  for (const id of spills)
    body.push(
      `$vgpr1 = SI_SPILL_V32_RESTORE %stack.${id}, $sgpr32, 0, implicit $exec :: (load (s32) from %stack.${id}, addrspace 5)`,
      'S_NOP 0, implicit $vgpr1',
    );
  if (wave.length > 0 && is(2)) body.push(`$vgpr${wave[0]} = SI_SPILL_S32_TO_VGPR $sgpr0, 0, $vgpr${wave[0]}`);
  const nCalls = hasCalls ? 1 + below(2) : 0;
  for (let n = 0; n < nCalls; n++) {
    const bytes = oneOf([0, 0, 4, 20, 64]);
    body.push(`ADJCALLSTACKUP 0, ${bytes}, implicit-def dead $scc, implicit-def $sgpr32, implicit $sgpr32`);
    const mask = oneOf(['csr_amdgpu', 'csr_amdgpu', 'csr_amdgpu_si_gfx', 'csr_amdgpu_noregs']);
    body.push(`dead $sgpr30_sgpr31 = SI_CALL undef $sgpr4_sgpr5, 0, ${mask}, implicit undef $vgpr${below(60)}`);
    body.push(`ADJCALLSTACKDOWN ${bytes}, 0, implicit-def dead $scc, implicit-def $sgpr32, implicit $sgpr32`);
  }
  const returned = !isEntry && !isChain && is(3) ? ', implicit undef $vgpr41' : '';
  body.push(isEntry || isChain ? 'S_ENDPGM 0' : `SI_RETURN implicit undef $vgpr0${returned}`);

  const attributes = ['nounwind'];
  if (is(6)) attributes.push('"frame-pointer"="all"');
  if (is(12)) attributes.push('noreturn');
  if (is(5)) attributes.push('"no-realign-stack"');
  if (is(12)) attributes.push('alignstack=32');
  const frame = [`  maxAlignment: ${alignment}`];
  if (hasCalls) frame.push('  hasCalls: true', '  adjustsStack: true');
  if (is(15)) frame.push('  hasStackMap: true');
  if (is(15)) frame.push('  hasPatchPoint: true');
  if (is(12)) frame.push('  isFrameAddressTaken: true');
  if (isChain && is(2)) frame.push('  hasTailCall: true');
  const info = [`  isEntryFunction: ${isEntry}`];
  if (is(2)) info.push('  hasSpilledVGPRs: true');
  if (hasCalls || is(2)) info.push("  stackPtrOffsetReg: '$sgpr32'");
  if (is(2) || !isEntry) info.push("  frameOffsetReg: '$sgpr33'");
  const reserved = is(3) ? cpu.sgprs - 8 - (cpu.sgprs % 4) : 0;
  info.push(
    `  scratchRSrcReg: '${isEntry ? sgprs(reserved > 0 ? reserved : Math.floor(cpu.sgprs / 4) * 4 - 4, 4) : sgprs(0, 4)}'`,
  );
  if (wave.length > 0) info.push(`  wwmReservedRegs: [ ${wave.map((n) => `'$vgpr${n}'`).join(', ')} ]`);
  if (execCopy !== '') info.push(`  sgprForEXECCopy: '${execCopy}'`);
  if (isEntry) {
    info.push('  argumentInfo:', "    privateSegmentBuffer: { reg: '$sgpr0_sgpr1_sgpr2_sgpr3' }");
    if (is(2)) info.push("    flatScratchInit: { reg: '$sgpr6_sgpr7' }");
    if (is(2)) info.push("    workGroupIDX: { reg: '$sgpr8' }", "    privateSegmentWaveByteOffset: { reg: '$sgpr9' }");
  }
  const lines = [
    '--- |',
    `  define ${convention} void @f() #0 { ret void }`,
    `  attributes #0 = { ${attributes.join(' ')} }`,
    '...',
    '---',
    'name: f',
    'tracksRegLiveness: true',
    'frameInfo:',
    ...frame,
    ...(fixed.length > 0 ? ['fixedStack:', ...fixed] : []),
    ...(stack.length > 0 ? ['stack:', ...stack] : []),
    'machineFunctionInfo:',
    ...info,
    'body: |',
    '  bb.0:',
    `    liveins: $sgpr0_sgpr1_sgpr2_sgpr3, $sgpr30_sgpr31, $sgpr32${isEntry ? ', $sgpr6_sgpr7, $sgpr9' : wave.map((n) => `, $vgpr${n}`).join('')}`,
    '',
    ...body.map((l) => `    ${l}`),
    '...',
    '',
  ];
  const triple =
    isEntry && convention !== 'amdgpu_kernel'
      ? 'amdgcn-amd-amdpal'
      : oneOf(['amdgcn-amd-amdhsa', 'amdgcn-mesa-mesa3d']);
  const features = (cpu.features ?? []).join();
  const args = [`-mtriple=${triple}`, `-mcpu=${cpu.name}`, ...(features === '' ? [] : [`-mattr=${features}`])];
  return { args, target: { triple, cpu: cpu.name, features }, text: lines.join('\n') };
}

/** The same frames with what stands in few functions: masks for EXEC, slots of SGPRs, lists of saved registers, inputs, objects at the ends of what an offset reaches. */
export function rareFrame(seed: number): FrameCase {
  const frame = randomFrame(seed);
  const below = randomSource(seed + 77);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const is = (n: number): boolean => below(n) === 0;
  const { cpu, features } = frame.target;
  const isWave32 = /^gfx1/.test(cpu) && !features.includes('wavefrontsize64');
  const begin = frame.text.indexOf('    liveins:');
  const [liveIns, ...rest] = frame.text.slice(begin).split('\n');
  const body = rest.filter((line) => line !== '' && line !== '...');
  const last = body.pop()!;
  let head = frame.text.slice(0, begin);
  const isEntry = head.includes('isEntryFunction: true');
  const isChain = head.includes('amdgpu_cs_chain');
  const add = (key: string, ...lines: string[]): void => {
    const at = head.indexOf(`\n${key}:\n`);
    if (at < 0) head = head.replace('\nmachineFunctionInfo:', `\n${key}:\n${lines.join('\n')}\nmachineFunctionInfo:`);
    else {
      const end = at + /^\n\w+:\n(?: {2}- .*\n)*/.exec(head.slice(at))![0].length;
      head = `${head.slice(0, end)}${lines.join('\n')}\n${head.slice(end)}`;
    }
  };
  const lane = (n: number): string => sgprs(n, isWave32 ? 1 : 2);
  const bits = isWave32 ? 'B32' : 'B64';
  const exec = isWave32 ? '$exec_lo' : '$exec';
  const put = (...lines: string[]): void => {
    body.splice(below(body.length + 1), 0, ...lines.map((l) => `    ${l}`));
  };
  let nObjects = (/\nstack:\n((?: {2}- .*\n)*)/.exec(head)?.[1] ?? '').split('\n').length - 1;
  const object = (words: string): number => {
    add('stack', `  - { id: ${nObjects}, ${words} }`);
    return nObjects++;
  };

  for (let n = is(3) && !isChain ? 1 + below(3) : 0; n > 0; n--) {
    object(`type: spill-slot, size: 4, alignment: 4, stack-id: sgpr-spill`);
  }
  if (is(4))
    object(`size: ${oneOf([2032, 2040, 2044, 2048, 4080, 4088, 4092, 4096, 8000])}, alignment: ${oneOf([4, 4, 16])}`);
  if (is(6)) {
    const id = object(`type: spill-slot, size: 8, alignment: 4`);
    const [v, wide] = oneOf([
      ['V', '$vgpr0_vgpr1'],
      ['V', '$vgpr2_vgpr3'],
    ] as const);
    put(
      `S_NOP 0, implicit-def ${wide}`,
      `SI_SPILL_${v}64_SAVE killed ${wide}, %stack.${id}, $sgpr32, 0, implicit $exec :: (store (s64) into %stack.${id}, align 4, addrspace 5)`,
    );
  }
  if (is(6)) {
    const id = object(`type: spill-slot, size: 4, alignment: 4`);
    put(
      `S_NOP 0, implicit-def $vgpr40`,
      `SI_SPILL_WWM_V32_SAVE $vgpr40, %stack.${id}, $sgpr32, 0, implicit $exec :: (store (s32) into %stack.${id}, addrspace 5)`,
    );
  }
  if (is(5)) put(`DBG_PHI $vgpr${oneOf([40, 120, 200])}, 1`);
  if (is(5)) put(`S_NOP 0, implicit-def $flat_scr`);
  if (is(6)) put(`S_NOP 0, implicit-def $flat_scr_lo`, `S_NOP 0, implicit $flat_scr_lo`);
  const exact = /sgprForEXECCopy: '(\$\w+)'/.exec(head)?.[1];
  if (exact !== undefined && is(2)) put(`S_NOP 0, implicit-def ${exact}`);
  if (is(2) && head.includes('fixedStack:')) put(`$vgpr${below(3)} = V_MOV_B32_e32 %fixed-stack.0, implicit $exec`);
  if (is(8)) put(`S_NOP 0, implicit undef $sgpr32`);
  if (is(8)) put(`S_NOP 0, implicit-def $sgpr32`);
  if (is(5)) put(`S_NOP 0, implicit-def $${oneOf(['sgpr84_sgpr85', 'sgpr70', 'sgpr64_sgpr65_sgpr66_sgpr67'])}`);
  if (head.includes('hasCalls') && is(3)) {
    for (let k = 0; k < body.length; k++)
      if (is(2))
        body[k] = body[k].replace(
          /csr_amdgpu\w*/,
          oneOf([
            'CustomRegMask($vgpr40,$sgpr40,$sgpr41)',
            'CustomRegMask($vgpr0,$vgpr63,$agpr0,$sgpr50)',
            'csr_amdgpu_si_gfx',
          ]),
        );
  }
  if (!isEntry && !isChain && is(3)) {
    const names = [
      '$vgpr40',
      '$vgpr41',
      '$vgpr56',
      '$sgpr34',
      '$sgpr40',
      '$vgpr3',
      '$vgpr57',
      '$vgpr72',
      '$vgpr73',
    ].filter(() => is(2));
    head = head.replace(
      '\nframeInfo:',
      `\ncalleeSavedRegisters: [ ${names.map((r) => `'${r}'`).join(', ')} ]\nframeInfo:`,
    );
  }
  if (isEntry && is(3))
    head = head.replace(
      '\nframeInfo:',
      `\nliveins:\n  - { reg: '${oneOf(['$sgpr6_sgpr7', '$sgpr8', '$vgpr0'])}' }\nframeInfo:`,
    );
  if (is(4)) head = head.replace('attributes #0 = {', 'attributes #0 = { "amdgpu-no-flat-scratch-init"');
  if (isEntry && is(3))
    head = head.replace(
      '\nmachineFunctionInfo:\n',
      `\nmachineFunctionInfo:\n  numWaveDispatchSGPRs: ${below(40)}\n  numWaveDispatchVGPRs: ${below(30)}\n`,
    );
  if (isEntry && is(5) && head.includes('argumentInfo:'))
    head = head.replace('  argumentInfo:\n', `  argumentInfo:\n    implicitBufferPtr: { reg: '$sgpr50_sgpr51' }\n`);
  if (isChain && is(2)) head = head.replace('amdgpu_cs_chain ', 'amdgpu_cs_chain_preserve ');
  const slot = nObjects > 0 && is(6) ? `%stack.${below(nObjects)}` : '';
  if (slot !== '' && !new RegExp(`id: ${slot.slice(7)}, (?:type: var|.*sgpr-spill)`).test(head))
    head = head.replace('\nmachineFunctionInfo:\n', `\nmachineFunctionInfo:\n  scavengeFI: '${slot}'\n`);

  const tail: string[] = [];
  if (is(3)) {
    const mask = 70 + 2 * below(3);
    const op = `S_${oneOf(['AND', 'OR', 'XOR', 'ANDN2', 'ORN2', 'NAND', 'NOR', 'XNOR'])}_${bits}`;
    const made = oneOf([
      `${lane(mask)} = ${op} ${exec}, killed ${lane(40)}, implicit-def dead $scc`,
      `${lane(mask)} = ${op} killed ${lane(40)}, ${exec}, implicit-def dead $scc`,
      `${lane(mask)} = S_MOV_${bits} 5`,
      `${lane(mask)} = ${op} killed ${lane(40)}, 1, implicit-def dead $scc`,
      `${lane(mask)} = ${op} ${lane(44)}, killed ${lane(40)}, implicit-def dead $scc`,
      `${lane(mask)} = ${op} undef ${lane(mask)}, ${exec}, implicit-def dead $scc`,
    ]);
    body.push(`    ${lane(40)} = S_MOV_${bits} 1`);
    if (is(4)) body.push(`    ${lane(mask)} = S_MOV_${bits} 1`);
    body.push(is(2) ? `    ${lane(44)} = COPY ${exec}` : `    ${lane(44)} = S_MOV_${bits} 7`);
    if (is(8)) body.push(`    S_NOP 0, implicit-def $sgpr${mask}`);
    body.push(`    ${made}`);
    if (is(4))
      body.push(
        oneOf([
          `    S_NOP 0, implicit ${lane(mask)}`,
          `    S_NOP 0, implicit-def $vgpr9`,
          `    S_NOP 0, implicit undef ${lane(40)}`,
        ]),
      );
    body.push(`    ${exec} = S_MOV_${bits}_term ${is(5) ? '' : 'killed '}${lane(mask)}`);
    body.push(
      '    S_CBRANCH_EXECZ %bb.2, implicit $exec',
      '',
      '  bb.1:',
      `    liveins: ${lane(44)}`,
      '',
      '    S_NOP 0',
      '',
      '  bb.2:',
    );
    body.splice(body.indexOf('  bb.1:') - 1, 0);
    tail.push(`    liveins: ${lane(44)}`, '', `    S_NOP 0, implicit ${lane(44)}`);
  }
  const withSuccessors = tail.length > 0 ? ['    successors: %bb.1, %bb.2', liveIns] : [liveIns];
  return { ...frame, text: [head + withSuccessors.join('\n'), '', ...body, ...tail, last, '...', ''].join('\n') };
}
