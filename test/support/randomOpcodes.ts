/**
 * Random instructions for the machine verifier: operands that mostly are what the opcode's description asks for, and now and then are not.
 * One block of instructions of any opcode, generic ones included; the same seed gives the same text.
 */
import { McFlag, OpInfoFlag, createSubtarget, LLVM22 } from '../../server/src/target/index.js';
import { OperandType } from '../../server/src/target/opcodes.js';
import { Random } from './damageInputs.js';

const PROCESSORS = [
  'gfx600',
  'gfx803',
  'gfx900',
  'gfx908',
  'gfx90a',
  'gfx942',
  'gfx1030',
  'gfx1100',
  'gfx1200',
  'gfx1250',
];
const IMMEDIATES = [
  0,
  0,
  0,
  1,
  1,
  -1,
  2,
  3,
  7,
  15,
  16,
  63,
  64,
  65,
  -16,
  -17,
  255,
  256,
  4095,
  4096,
  65535,
  1 << 20,
  0x3f800000,
  4294967295,
  1065353216,
];
const LLTS = [
  's1',
  's8',
  's16',
  's32',
  's32',
  's64',
  's64',
  's96',
  's128',
  'p0',
  'p1',
  'p3',
  'p5',
  '<2 x s16>',
  '<2 x s32>',
  '<4 x s32>',
  '<3 x s32>',
  '<2 x s64>',
  '<2 x p1>',
  '<4 x s16>',
  '<4 x s8>',
];
const MEMORY = [
  '(load (s32))',
  '(load (s32), addrspace 1)',
  '(store (s32), addrspace 1)',
  '(load (s64), align 4)',
  '(load store (s32))',
  '(load monotonic (s32))',
  '(volatile load (<2 x s32>))',
  '(store (s8))',
  '(load store seq_cst acquire (s32))',
];

/** Operands that generic opcodes spell otherwise than as registers and plain numbers. */
const GENERIC_EXTRA: Readonly<Record<string, (random: Random) => string>> = {
  G_CONSTANT: (r) => `${r.pick(['i32', 'i64', 'i1', 'i16'])} ${r.below(2)}`,
  G_FCONSTANT: (r) => `${r.pick(['float', 'double', 'half'])} 1.0`,
  G_ICMP: (r) => `intpred(${r.pick(['eq', 'ne', 'slt', 'uge'])})`,
  G_FCMP: (r) => `floatpred(${r.pick(['oeq', 'une', 'olt', 'true'])})`,
  G_FRAME_INDEX: () => '%stack.0',
  G_BRJT: () => '%jump-table.0',
  G_SHUFFLE_VECTOR: (r) => `shufflemask(${r.pick(['0, 1', '0, 1, 2, 3', '0', 'undef, 1', '3, 2', '9, 1'])})`,
  G_INTRINSIC: (r) =>
    `intrinsic(@llvm.amdgcn.${r.pick(['workitem.id.x', 'rcp', 's.barrier', 'groupstaticsize', 'class'])})`,
  G_ASSERT_ALIGN: (r) => String(r.pick([1, 4, 3, 0])),
};

export interface RandomText {
  readonly input: string;
  readonly args: readonly string[];
}

export function randomOpcodes(seed: number): RandomText {
  const random = new Random(seed);
  const cpu = random.pick(PROCESSORS);
  const st = createSubtarget('amdgcn-amd-amdhsa', cpu, '');
  const t = LLVM22.tables;
  const isGeneric = random.chance(35);
  const opcodes: number[] = [];
  const theme = random.below(t.nOpcodes);
  while (opcodes.length < 6 + random.below(14)) {
    const opc = random.chance(40) ? (theme + random.below(60)) % t.nOpcodes : random.below(t.nOpcodes);
    if (isGeneric) {
      const generic = 40 + random.below(300);
      if (t.opcodeName(generic).startsWith('G_')) opcodes.push(generic);
    } else if (random.chance(15) || st.mcOpcode(opc) >= 0 || opc < 40) opcodes.push(opc);
  }
  const lines: string[] = [];
  let next = 0;
  const known = new Map<string, string[]>();
  const fresh = (type: string): string => {
    const reg = `%${next++}`;
    known.set(type, [...(known.get(type) ?? []), reg]);
    return `${reg}:${type}`;
  };
  const value = (type: string): string => {
    const list = known.get(type);
    if (list !== undefined && random.chance(85)) return random.pick(list);
    const def = fresh(type);
    lines.push(`    ${def} = ${type.startsWith('_') ? 'G_IMPLICIT_DEF' : 'IMPLICIT_DEF'}`);
    return def.split(':')[0];
  };
  for (const opc of opcodes) lines.push(instruction(opc));
  const text = [
    '---',
    'name: f',
    ...(random.chance(85) ? ['tracksRegLiveness: true'] : []),
    ...(isGeneric && random.chance(30) ? ['legalized: true'] : []),
    ...(isGeneric && random.chance(15) ? ['regBankSelected: true'] : []),
    ...(random.chance(15) ? ['isSSA: false'] : []),
    'stack:',
    '  - { id: 0, size: 16, alignment: 4 }',
    'jumpTable:',
    '  kind: block-address',
    '  entries:',
    "    - { id: 0, blocks: [ '%bb.1' ] }",
    'body: |',
    '  bb.0:',
    '    successors: %bb.1',
    `    liveins: $vgpr0, $vgpr1_vgpr2, $sgpr0, $sgpr4_sgpr5${random.chance(50) ? ', $vcc, $m0, $mode, $scc' : ''}`,
    '',
    ...lines,
    '',
    '  bb.1:',
    '    S_ENDPGM 0',
    '...',
    '',
  ];
  return { input: text.join('\n'), args: ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`] };

  function instruction(opc: number): string {
    const name = t.opcodeName(opc);
    const n = t.opcodeNumOperands(opc);
    const nDefs = t.opcodeNumDefs(opc);
    const begin = t.opInfoBegin(opc);
    const types = Array.from({ length: 6 }, () => random.pick(LLTS));
    const defs: string[] = [];
    const uses: string[] = [];
    const odd = random.chance(25) ? random.below(Math.max(n, 1)) : -1;
    for (let k = 0; k < n; k++) {
      if (k >= nDefs && random.chance(2)) continue;
      (k < nDefs ? defs : uses).push(operand(opc, name, begin, k, k < nDefs, k === odd, types, defs));
    }
    if (random.chance(2)) uses.push(random.pick(['0', '$vgpr0', '%bb.1', 'undef %0:vgpr_32']));
    if (random.chance(96)) {
      for (const r of t.implicitDefs(opc))
        uses.push(`implicit-def ${random.chance(30) ? 'dead ' : ''}$${t.regName(r)}`);
      for (const r of t.implicitUses(opc)) uses.push(`implicit ${random.chance(6) ? 'undef ' : ''}$${t.regName(r)}`);
    }
    if (random.chance(4))
      uses.push(random.pick(['implicit $sgpr0', 'implicit-def $vgpr9', 'implicit killed $vgpr0', 'implicit $vcc']));
    const touches = (t.opcodeFlagsLo(opc) & ((1 << McFlag.MayLoad) | (1 << McFlag.MayStore))) !== 0;
    const memory = (touches && random.chance(70)) || random.chance(2) ? ` :: ${random.pick(MEMORY)}` : '';
    const flags = random.chance(4)
      ? `${random.pick(['nnan', 'nofpexcept', 'frame-setup', 'contract', 'nuw', 'exact'])} `
      : '';
    return `    ${defs.length > 0 ? `${defs.join(', ')} = ` : ''}${flags}${name} ${uses.join(', ')}${memory}`.trimEnd();
  }

  function operand(
    opc: number,
    name: string,
    begin: number,
    k: number,
    isDef: boolean,
    isOdd: boolean,
    types: readonly string[],
    defs: readonly string[],
  ): string {
    const type = t.opInfoType[begin + k];
    if (type >= OperandType.FirstGeneric && type <= OperandType.LastGeneric) {
      const llt = isOdd ? random.pick(LLTS) : types[type - OperandType.FirstGeneric];
      const kind = `${random.chance(5) ? random.pick(['sgpr', 'vgpr']) : '_'}(${llt})`;
      return isDef ? fresh(kind) : value(kind);
    }
    const extra = GENERIC_EXTRA[name.replace(/_(W_SIDE_EFFECTS|CONVERGENT.*)$/, '')];
    if (extra !== undefined && name.startsWith('G_')) return extra(random);
    const tied = t.opInfoTiedTo[begin + k];
    if (!isDef && tied >= 0 && tied < defs.length && !isOdd) return value(defs[tied].split(':')[1] ?? 'vgpr_32');
    const rc = st.opInfoRegClass(opc, k);
    if (rc >= 0) {
      const takesImm = type >= OperandType.RegImmInt32;
      if (!isDef && takesImm && random.chance(isOdd ? 60 : 25)) return String(random.pick(IMMEDIATES));
      return register(isOdd ? wrongClass(rc) : rc, isDef);
    }
    if (isOdd)
      return random.pick([
        '$vgpr0',
        '$noreg',
        '%stack.0',
        '%bb.1',
        'target-flags(amdgpu-gotprel) 0',
        '-1',
        '9999999',
        '@f',
      ]);
    if ((t.opInfoFlags[begin + k] & OpInfoFlag.BranchTarget) !== 0 || type === OperandType.PCRel) return '%bb.1';
    if (isDef) return fresh('vgpr_32');
    return String(random.pick(random.chance(70) ? [0, 0, 1, -1, 15] : IMMEDIATES));
  }

  function wrongClass(rc: number): number {
    const other = random.below(t.nRegClasses);
    return t.isAllocatableClass(other) ? other : rc;
  }

  function register(rc: number, isDef: boolean): string {
    if (!t.isAllocatableClass(rc) || random.chance(6)) {
      const regs = t.classRegs(rc);
      return regs.length === 0 ? '$noreg' : `$${t.regName(regs[random.below(Math.min(regs.length, 12))])}`;
    }
    const type = t.regClassMirName(rc);
    if (isDef) return random.chance(4) ? `early-clobber ${fresh(type)}` : fresh(type);
    const reg = value(type);
    return random.chance(4)
      ? `killed ${reg}`
      : random.chance(4)
        ? `${reg}.sub${random.below(3)}`
        : random.chance(3)
          ? `undef ${reg}`
          : reg;
  }
}
