/**
 * Random functions for what other generators seldom reach: registers that attributes reserve, blocks that are entered otherwise than by a
 * branch, calls with lists of registers, callee-saved registers, many synchronization ids, carry chains in physical registers, regions so
 * large that clustering takes its fast way. The same seed gives the same text.
 */
import type { Question } from './answers.js';
import { Random } from './damageInputs.js';

const PROCESSORS = [
  'gfx600',
  'gfx704',
  'gfx803',
  'gfx810',
  'gfx900',
  'gfx906',
  'gfx90a',
  'gfx942',
  'gfx950',
  'gfx1010',
  'gfx1030',
  'gfx1100',
  'gfx1200',
  'gfx1250',
];
const CONVENTIONS = ['amdgpu_kernel ', 'amdgpu_kernel ', '', 'amdgpu_gfx ', 'amdgpu_ps ', 'amdgpu_cs '];

const file = (body: readonly string[], header: readonly string[] = [], ir: readonly string[] = []): string =>
  [
    ...(ir.length > 0 ? ['--- |', ...ir, '...'] : []),
    '---',
    'name: f',
    'tracksRegLiveness: true',
    ...header,
    'body: |',
    ...body,
    '...',
    '',
  ].join('\n');

const args = (cpu: string, features = ''): string[] => [
  '-mtriple=amdgcn-amd-amdhsa',
  `-mcpu=${cpu}`,
  ...(features === '' ? [] : [`-mattr=${features}`]),
];

/** Undefined registers are read: the verifier finds those that nothing reserves. */
function reserved(random: Random): Question {
  const cpu = random.pick(PROCESSORS);
  const number = (): number =>
    random.pick([0, 1, 3, 8, 16, 17, 24, 32, 40, 48, 64, 80, 96, 100, 102, 104, 106, 128, 200, 256, 512, 900]);
  const waves = (): string =>
    random.pick([
      '1',
      '2',
      '4',
      '5',
      '8',
      '10',
      '16',
      '20',
      '0',
      '3,2',
      '1,4',
      '2,9',
      '5,5',
      '8,16',
      '9,99',
      '4,',
      'x',
    ]);
  const group = (): string =>
    random.pick(['1,64', '1,256', '64,1024', '1024,1024', '32,32', '256,128', '1,2048', '0,64', '128']);
  const attributes = [
    `"amdgpu-num-sgpr"="${number()}"`,
    `"amdgpu-num-vgpr"="${number()}"`,
    `"amdgpu-waves-per-eu"="${waves()}"`,
    `"amdgpu-flat-work-group-size"="${group()}"`,
    `"amdgpu-lds-size"="${number() * 256}"`,
    `"amdgpu-agpr-alloc"="${random.pick(['0', '4', '8,16', '300'])}"`,
    `"amdgpu-dynamic-vgpr-block-size"="${random.pick(['16', '32', '0', '7'])}"`,
    `"target-features"="${random.pick(['-flat-address-space', '+architected-flat-scratch', '+xnack', '-xnack', '+wavefrontsize64', '+trap-handler', '-architected-flat-scratch', '+cumode', '+sramecc'])}"`,
  ].filter(() => random.chance(40));
  const ir = [
    `  define ${random.pick(CONVENTIONS)}void @f() #0 {`,
    '    unreachable',
    '  }',
    `  attributes #0 = { ${attributes.join(' ')} }`,
  ];
  const probes = Array.from({ length: 5 }, () => {
    const uses = Array.from({ length: 12 }, () => {
      const k = random.below(4);
      const [bank, limit] = k < 2 ? ['sgpr', 106] : k === 2 ? ['vgpr', 256] : ['agpr', 256];
      return `implicit $${bank}${random.chance(50) ? (bank === 'sgpr' ? 84 + random.below(22) : random.below(limit)) : random.below(limit)}`;
    });
    return `    S_NOP 0, ${uses.join(', ')}`;
  });
  const header = random.chance(40)
    ? [
        'machineFunctionInfo:',
        `  isEntryFunction: ${random.pick(['true', 'false'])}`,
        `  numKernargPreloadSGPRs: ${random.below(20)}`,
        `  ldsSize: ${number() * 64}`,
      ]
    : [];
  const known = [
    '    liveins: $vgpr0, $sgpr0',
    '',
    '    %0:vgpr_32 = COPY $vgpr0',
    '    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec',
  ];
  const pass = random.pick(['none', 'none', 'machine-scheduler', 'amdgpu-print-rp']);
  const body = ['  bb.0:', ...known, ...(pass === 'none' ? probes : []), '    S_ENDPGM 0, implicit %1'];
  return { input: file(body, header, ir), args: [...args(cpu), `-run-pass=${pass}`] };
}

/** Control flow as it should not be. */
function blocks(random: Random): Question {
  const n = 3 + random.below(5);
  const block = (): string => `%bb.${random.below(n)}`;
  const body: string[] = [];
  for (let b = 0; b < n; b++) {
    const attributes = [
      'landing-pad',
      'inlineasm-br-indirect-target',
      'machine-block-address-taken',
      'ehfunclet-entry',
      'align 16',
      'bb_id 3',
    ].filter(() => random.chance(10));
    body.push(`  bb.${b}${attributes.length > 0 ? ` (${attributes.join(', ')})` : ''}:`);
    const successors = [...new Set(Array.from({ length: random.below(4) }, block))];
    if (successors.length > 0)
      body.push(
        `    successors: ${successors.map((s) => s + (random.chance(20) ? `(0x${(1 + random.below(0x7fffffff)).toString(16)})` : '')).join(', ')}`,
      );
    if (random.chance(40))
      body.push(
        `    liveins: $vgpr${random.below(3)}, $sgpr4_sgpr5${random.chance(20) ? ', $vgpr7_vgpr8:0x0000000000000003' : ''}`,
      );
    body.push('');
    if (b === 0) body.push('    %0:vgpr_32 = COPY $vgpr0', '    %1:vgpr_32 = COPY $vgpr0');
    for (let k = random.below(4); k > 0; k--) {
      body.push(
        random.pick([
          `    $vgpr${random.below(3)} = V_MOV_B32_e32 $vgpr${random.below(3)}, implicit $exec`,
          `    S_NOP 0, implicit ${random.pick(['$vgpr40', '$vgpr41', '$sgpr33', '$sgpr34', '$sgpr4', '$vgpr7'])}`,
          `    %${2 + random.below(4)}:vgpr_32 = PHI ${random.pick(['$vgpr0', '%0'])}, ${block()}, %1, ${block()}`,
          `    $sgpr30_sgpr31 = SI_CALL undef $sgpr4_sgpr5, 0, CustomRegMask(${random.pick(['$vgpr0', '$vgpr0,$vgpr1', '$sgpr4,$sgpr5,$vgpr40'])})`,
          `    dead $sgpr30_sgpr31 = SI_CALL undef $sgpr4_sgpr5, 0, csr_amdgpu`,
          `    INLINEASM_BR &"", 0, 13, ${block()}`,
          `    %${2 + random.below(4)}:vgpr_32 = COPY $vgpr${random.below(3)}`,
          `    DBG_VALUE $vgpr0, $noreg`,
        ]),
      );
    }
    for (let k = random.below(3); k > 0; k--) {
      body.push(
        random.pick([
          `    S_BRANCH ${block()}`,
          `    S_CBRANCH_SCC1 ${block()}, implicit undef $scc`,
          `    S_CBRANCH_VCCNZ ${block()}, implicit undef $vcc`,
          `    S_ENDPGM 0`,
          `    SI_RETURN`,
          `    S_NOP 0`,
          `    S_SETPC_B64 undef $sgpr30_sgpr31`,
        ]),
      );
    }
  }
  const saved = random.chance(40)
    ? [
        'stack:',
        `  - { id: 0, size: 4, alignment: 4, callee-saved-register: '${random.pick(['$vgpr40', '$sgpr33', '$sgpr30_sgpr31'])}' }`,
      ]
    : [];
  const fixed = random.chance(20)
    ? ['fixedStack:', "  - { id: 0, size: 4, alignment: 4, callee-saved-register: '$vgpr41' }"]
    : [];
  const frame = random.chance(40) ? ['frameInfo:', '  hasCalls: true', '  isCalleeSavedInfoValid: true'] : [];
  const isSSA = random.chance(50) ? ['isSSA: false'] : [];
  return {
    input: file(body, [...isSSA, ...frame, ...fixed, ...saved]),
    args: [...args(random.pick(['gfx900', 'gfx1030'])), '-run-pass=none'],
  };
}

/** Pipelines of many ids, whose order is that of a hash table. */
function groups(random: Random): Question {
  const body = [
    '  bb.0:',
    '    liveins: $vgpr0, $vgpr1',
    '',
    '    %0:vgpr_32 = COPY $vgpr0',
    '    %1:vgpr_32 = COPY $vgpr1',
  ];
  let next = 2;
  const nIds = random.pick([3, 20, 47, 48, 49, 60, 100]);
  const step = 1 + random.below(50);
  const value = (): string => `%${Math.max(0, next - 1 - random.below(6))}`;
  for (let k = 0; k < 24; k++) {
    const [a, b] = [value(), value()];
    if (random.chance(30))
      body.push(
        `    %${next++}:vgpr_32 = DS_READ_B32_gfx9 ${a}, ${k * 4}, 0, implicit $exec :: (load (s32), addrspace 3)`,
      );
    else if (random.chance(20))
      body.push(`    DS_WRITE_B32_gfx9 %0, ${a}, ${512 + k * 4}, 0, implicit $exec :: (store (s32), addrspace 3)`);
    else
      body.push(
        `    %${next++}:vgpr_32 = ${random.pick(['V_ADD_U32_e32', 'V_XOR_B32_e32', 'V_MUL_LO_U32_e64'])} ${a}, ${b}, implicit $exec`,
      );
  }
  for (let k = 0; k < nIds; k++)
    body.push(
      `    SCHED_GROUP_BARRIER ${random.pick([1, 2, 8, 128, 256, 512, 6])}, ${1 + random.below(3)}, ${k * step}`,
    );
  body.push(`    S_ENDPGM 0, implicit ${value()}, implicit ${value()}`);
  return {
    input: file(body),
    args: [...args(random.pick(['gfx90a', 'gfx942', 'gfx900'])), '-run-pass=machine-scheduler'],
  };
}

/** Carry chains in physical registers among other instructions. */
function carries(random: Random): Question {
  const is32 = random.chance(40);
  const carry = (): string =>
    random.pick(is32 ? ['$vcc_lo', '$sgpr4', '$sgpr5', '%9'] : ['$vcc', '$sgpr4_sgpr5', '$sgpr6_sgpr7', '%9']);
  const body = [
    '  bb.0:',
    '    liveins: $vgpr0, $vgpr1',
    '',
    '    %0:vgpr_32 = COPY $vgpr0',
    '    %1:vgpr_32 = COPY $vgpr1',
    `    %9:${is32 ? 'sreg_32_xm0_xexec' : 'sreg_64_xexec'} = IMPLICIT_DEF`,
  ];
  let next = 10;
  // Without the carries that are `dead`: what llc makes of one that is read nevertheless depends on its memory.
  const sums: number[] = [];
  const value = (): string =>
    sums.length === 0 || random.chance(30)
      ? `%${random.below(2)}`
      : `%${sums[sums.length - 1 - random.below(Math.min(sums.length, 5))]!}`;
  const sum = (): number => {
    sums.push(next);
    return next++;
  };
  let last = '';
  for (let k = 6 + random.below(20); k > 0; k--) {
    const [a, b] = [value(), value()];
    const to = carry();
    if (random.chance(35)) {
      last = to;
      body.push(
        `    %${sum()}:vgpr_32, ${to === '%9' ? `dead %${next++}:${is32 ? 'sreg_32_xm0_xexec' : 'sreg_64_xexec'}` : to} = V_ADD_CO_U32_e64 ${a}, ${b}, 0, implicit $exec`,
      );
    } else if (last !== '' && random.chance(70)) {
      const from = random.chance(80) ? last : carry();
      body.push(
        `    %${sum()}:vgpr_32, dead %${next++}:${is32 ? 'sreg_32_xm0_xexec' : 'sreg_64_xexec'} = V_ADDC_U32_e64 ${a}, ${b}, ${from.startsWith('%') ? from : `undef ${from}`}, 0, implicit $exec`,
      );
    } else if (random.chance(30) && last !== '') {
      const from = last.startsWith('%') ? last : `undef ${last}`;
      body.push(`    %${sum()}:vgpr_32 = V_CNDMASK_B32_e64 0, ${a}, 0, ${b}, ${from}, implicit $exec`);
    } else
      body.push(
        `    %${sum()}:vgpr_32 = ${random.pick(['V_MUL_LO_U32_e64', 'V_XOR_B32_e32'])} ${a}, ${b}, implicit $exec`,
      );
  }
  body.push(`    S_ENDPGM 0, implicit ${value()}`);
  const text = file(body);
  return { input: text, args: [...args(is32 ? 'gfx1030' : 'gfx900'), '-run-pass=machine-scheduler'] };
}

/** A thousand loads and stores in one region. */
function crowd(random: Random): Question {
  const body = [
    '  bb.0:',
    '    liveins: $vgpr0, $vgpr1',
    '',
    '    %0:vgpr_32 = COPY $vgpr0',
    '    %1:vgpr_32 = COPY $vgpr1',
  ];
  let next = 2;
  for (let k = 0; k < 1040; k++) {
    const at = random.below(400) * 4;
    if (random.chance(60) || next === 2)
      body.push(
        `    %${next++}:vgpr_32 = DS_READ_B32_gfx9 %${random.below(2)}, ${at}, 0, implicit $exec :: (load (s32), addrspace 3)`,
      );
    else
      body.push(
        `    DS_WRITE_B32_gfx9 %${random.below(2)}, %${next - 1 - random.below(Math.min(4, next - 2))}, ${at}, 0, implicit $exec :: (store (s32), addrspace 3)`,
      );
  }
  body.push('    S_ENDPGM 0');
  return { input: file(body), args: [...args('gfx900'), '-run-pass=machine-scheduler'] };
}

/** Calls whose lists of registers and saved registers matter to the verifier are in `blocks`. */
export function randomAimed(seed: number): Question {
  const random = new Random(seed);
  const k = random.below(100);
  return k < 40
    ? reserved(random)
    : k < 65
      ? blocks(random)
      : k < 80
        ? groups(random)
        : k < 99
          ? carries(random)
          : crowd(random);
}
