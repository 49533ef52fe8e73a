import assert from 'node:assert/strict';
import type { MachineFunctionHeader } from '../../../server/src/model/header.js';
import { MachineFunction, OpFlag, OperandKind } from '../../../server/src/model/machineFunction.js';
import { virtReg } from '../../../server/src/model/register.js';
import { MemFlag } from '../../../server/src/model/memOperand.js';
import type { MemOperand } from '../../../server/src/model/memOperand.js';
import { Format } from '../../../server/src/model/llt.js';
import { InstrPrinter, printDelayAlu, printMemOperand } from '../../../server/src/model/printer/index.js';
import type { Subtarget } from '../../../server/src/target/api.js';
import { LLVM22 } from '../../../server/src/target/index.js';

// The expected texts are what llc-22 22.1.8 printed for the same instruction: in the MIR (-run-pass=none) and in the
// listing that precedes verifier errors.
const t = LLVM22.tables;
const header = {
  name: 'f',
  stack: [{ name: 'x' }, { name: '' }],
  fixedStack: [{}, {}],
} as unknown as MachineFunctionHeader;

function newFunction(classes: readonly string[]): MachineFunction {
  const fn = new MachineFunction(header, { tables: t, release: LLVM22 } as unknown as Subtarget);
  classes.forEach((name, n) => {
    fn.vregs.add(n, null);
    fn.vregs.regClass[n] = t.regClassByName(name);
  });
  fn.blockBegin = Int32Array.of(0);
  fn.blockEnd = Int32Array.of(0);
  return fn;
}

function begin(fn: MachineFunction, opcode: string): void {
  fn.addInstr(t.opcodeByName(opcode), 0);
}
const v = (fn: MachineFunction, n: number, flags = 0, sub = ''): number =>
  fn.addOperand(OperandKind.Register, flags, virtReg(n), 0, sub === '' ? 0 : t.subRegIndexByName(sub));
const p = (fn: MachineFunction, name: string, flags = 0): number =>
  fn.addOperand(OperandKind.Register, flags, t.regByName(name));
const imm = (fn: MachineFunction, value: bigint): number =>
  fn.addOperand(OperandKind.Immediate, 0, Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));

function check(fn: MachineFunction, mir: string, standalone: string): void {
  fn.setIdentityLayout();
  fn.blockEnd = Int32Array.of(fn.nInstrs);
  const last = fn.nInstrs - 1;
  assert.equal(new InstrPrinter(fn).printInstr(last), mir);
  assert.equal(new InstrPrinter(fn, { standalone: true }).printInstr(last), standalone);
}

describe('instruction printer', () => {
  it('shows classes of definitions only, in MIR', () => {
    const fn = newFunction(['vgpr_32', 'vgpr_32', 'vreg_64']);
    begin(fn, 'COPY');
    v(fn, 0, OpFlag.Def);
    p(fn, 'vgpr0');
    begin(fn, 'COPY');
    v(fn, 1, OpFlag.Def);
    p(fn, 'vgpr1');
    begin(fn, 'REG_SEQUENCE');
    v(fn, 2, OpFlag.Def);
    v(fn, 0);
    imm(fn, BigInt(t.subRegIndexByName('sub0')));
    v(fn, 1);
    imm(fn, BigInt(t.subRegIndexByName('sub1')));
    check(
      fn,
      '%2:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %1, %subreg.sub1',
      '%2:vreg_64 = REG_SEQUENCE %0:vgpr_32, %subreg.sub0, %1:vgpr_32, %subreg.sub1',
    );
  });

  it('shows the class of a register without definition', () => {
    const fn = newFunction(['vgpr_32', 'vreg_64']);
    begin(fn, 'COPY');
    v(fn, 0, OpFlag.Def);
    v(fn, 1, OpFlag.Undef, 'sub0');
    check(fn, '%0:vgpr_32 = COPY undef %1.sub0:vreg_64', '%0:vgpr_32 = COPY undef %1.sub0:vreg_64');
  });

  it('spells ties that the opcode prescribes only in the stand-alone form', () => {
    const fn = newFunction(['vgpr_32', 'vgpr_32', 'vgpr_32', 'vreg_64']);
    for (const n of [0, 1]) {
      begin(fn, 'IMPLICIT_DEF');
      v(fn, n, OpFlag.Def);
    }
    begin(fn, 'V_MAC_F32_e32');
    v(fn, 3, OpFlag.Def | OpFlag.Undef, 'sub0');
    v(fn, 0);
    v(fn, 1);
    v(fn, 3, OpFlag.Undef, 'sub0');
    p(fn, 'mode', OpFlag.Implicit);
    p(fn, 'exec', OpFlag.Implicit);
    fn.tieOperands(2, 0, 3);
    fn.instrFlags[2] = 1 << 12;
    check(
      fn,
      'undef %3.sub0:vreg_64 = nofpexcept V_MAC_F32_e32 %0, %1, undef %3.sub0, implicit $mode, implicit $exec',
      'undef %3.sub0:vreg_64 = nofpexcept V_MAC_F32_e32 %0:vgpr_32, %1:vgpr_32, undef %3.sub0:vreg_64(tied-def 0), implicit $mode, implicit $exec',
    );
    assert.equal(new InstrPrinter(fn, { standalone: true }).printOperand(2, 0), 'undef %3.sub0:vreg_64');
    assert.equal(new InstrPrinter(fn, { standalone: true }).printOperand(2, 3), 'undef %3.sub0:vreg_64(tied-def 0)');
  });

  it('describes the flag words of inline assembly', () => {
    const fn = newFunction(['vgpr_32', 'vgpr_32']);
    begin(fn, 'IMPLICIT_DEF');
    v(fn, 0, OpFlag.Def);
    begin(fn, 'INLINEASM');
    fn.addOperand(
      OperandKind.ExternalSymbol,
      0,
      fn.addPayload({ kind: OperandKind.ExternalSymbol, symbol: 'foo $0', offset: 0n }),
    );
    imm(fn, 1n);
    imm(fn, 1245194n);
    v(fn, 1, OpFlag.Def);
    imm(fn, 2147483657n);
    v(fn, 0);
    imm(fn, 12n);
    p(fn, 'vgpr5', OpFlag.Implicit | OpFlag.Def | OpFlag.EarlyClobber);
    fn.tieOperands(1, 3, 5);
    check(
      fn,
      'INLINEASM &"foo $0", 1 /* sideeffect attdialect */, 1245194 /* regdef:VGPR_32 */, def %1, 2147483657 /* reguse tiedto:$0 */, %0(tied-def 3), 12 /* clobber */, implicit-def early-clobber $vgpr5',
      'INLINEASM &"foo $0" [sideeffect] [attdialect], $0:[regdef:VGPR_32], def %1:vgpr_32, $1:[reguse tiedto:$0], %0:vgpr_32(tied-def 3), $2:[clobber], implicit-def early-clobber $vgpr5',
    );
  });

  it('writes the words of the extra bits of inline assembly', () => {
    for (const [bits, mir, standalone] of [
      [
        63n,
        ' /* sideeffect mayload maystore isconvergent alignstack */',
        '[sideeffect] [mayload] [maystore] [isconvergent] [alignstack] [inteldialect]',
      ],
      [64n, ' /* unwind attdialect */', '[unwind] [attdialect]'],
      [4n, '', '[inteldialect]'],
      [2n, ' /* alignstack attdialect */', '[alignstack] [attdialect]'],
    ] as const) {
      const fn = newFunction([]);
      begin(fn, 'INLINEASM');
      fn.addOperand(
        OperandKind.ExternalSymbol,
        0,
        fn.addPayload({ kind: OperandKind.ExternalSymbol, symbol: '', offset: 0n }),
      );
      imm(fn, bits);
      check(fn, `INLINEASM &"", ${bits}${mir}`, `INLINEASM &"" ${standalone}`);
    }
  });

  it('prints immediates with all 64 bits', () => {
    const fn = newFunction([]);
    begin(fn, 'KILL');
    imm(fn, -1n);
    imm(fn, 4294967295n);
    imm(fn, -9223372036854775808n);
    check(fn, 'KILL -1, 4294967295, -9223372036854775808', 'KILL -1, 4294967295, -9223372036854775808');
  });

  it('prints rare operands', () => {
    const fn = newFunction([]);
    begin(fn, 'KILL');
    const add = (payload: Parameters<MachineFunction['addPayload']>[0]): number =>
      fn.addOperand(payload.kind, 0, fn.addPayload(payload));
    add({ kind: OperandKind.IntrinsicID, name: 'llvm.amdgcn.readfirstlane' });
    add({ kind: OperandKind.Predicate, isInt: true, name: 'eq' });
    add({ kind: OperandKind.Predicate, isInt: false, name: 'oeq' });
    add({ kind: OperandKind.ShuffleMask, mask: [1, -1, 2] });
    fn.addOperand(OperandKind.LaneMask, 0, 3, 0);
    fn.addOperand(OperandKind.DbgInstrRef, 0, 1, 0);
    add({ kind: OperandKind.CImmediate, bits: 1, value: 1n });
    add({ kind: OperandKind.CImmediate, bits: 1, value: 0n });
    add({ kind: OperandKind.CImmediate, bits: 128, value: -5n });
    const text =
      'KILL intrinsic(@llvm.amdgcn.readfirstlane), intpred(eq), floatpred(oeq), shufflemask(1, undef, 2), lanemask(0x0000000000000003), dbg-instr-ref(1, 0), i1 true, i1 false, i128 -5';
    check(fn, text, text);
  });

  it('prints symbols with target flags and offsets', () => {
    const fn = newFunction(['vgpr_32']);
    begin(fn, 'V_MOV_B32_e32');
    v(fn, 0, OpFlag.Def);
    const o = fn.addOperand(
      OperandKind.GlobalAddress,
      0,
      fn.addPayload({ kind: OperandKind.GlobalAddress, name: 'g', offset: -8n }),
    );
    fn.opTargetFlags[o] = 7;
    p(fn, 'exec', OpFlag.Implicit);
    const text = '%0:vgpr_32 = V_MOV_B32_e32 target-flags(amdgpu-rel64) @g - 8, implicit $exec';
    check(fn, text, text);
  });

  it('prints trailers after the operands, with commas', () => {
    const fn = newFunction([]);
    begin(fn, 'S_NOP');
    imm(fn, 0n);
    fn.extras.set(0, { preInstrSymbol: 'y', postInstrSymbol: 'x', debugInstrNumber: 7 });
    const text = 'S_NOP 0, pre-instr-symbol <mcsymbol y>, post-instr-symbol <mcsymbol x>, debug-instr-number 7';
    check(fn, text, text);
  });

  // What llc-22 -mcpu=gfx1100 printed for `S_DELAY_ALU N`.
  const delays: [number, string][] = [
    [0, '.id0_NONE'],
    [5, '.id0_TRANS32_DEP_1'],
    [8, '.id0_SALU_CYCLE_0'],
    [15, '.id0_SALU_CYCLE_7'],
    [16, '.id0_NONE_skip_NEXT_id1_NONE'],
    [144, '.id0_NONE_skip_NEXT_id1_VALU_DEP_1'],
    [1425, '.id0_VALU_DEP_1_skip_NEXT_id1_SALU_CYCLE_3'],
    [1920, '.id0_NONE_skip_SAME_id1_SALU_CYCLE_7'],
    [2048, '.id0_NONE'],
    [-1, '.id0_SALU_CYCLE_7_skip_SKIP_6_id1_SALU_CYCLE_7'],
  ];
  for (const [value, text] of delays) it(`S_DELAY_ALU ${value}`, () => assert.equal(printDelayAlu(value), text));
});

describe('memory operand printer', () => {
  const scalar = (bits: number) =>
    ({ kind: 'scalar', format: Format.Any, bits, addressSpace: -1, numElements: 1, scalable: false }) as const;
  const base: MemOperand = {
    flags: MemFlag.Load,
    type: scalar(32),
    pointer: { kind: 'none' },
    offset: 0,
    baseAlign: 4,
    addressSpace: 0,
    syncScope: '',
    ordering: '',
    failureOrdering: '',
    tbaa: null,
    aliasScope: null,
    noAlias: null,
    range: null,
    noAliasAddrSpace: null,
  };
  const cases: [Partial<MemOperand>, string][] = [
    [{}, '(load (s32))'],
    [{ pointer: { kind: 'custom', name: 'GWSResource' } }, '(load (s32) from custom "GWSResource")'],
    [
      {
        flags: MemFlag.Load | MemFlag.Store,
        type: null,
        syncScope: 'agent',
        ordering: 'acq_rel',
        failureOrdering: 'monotonic',
        offset: 4,
        baseAlign: 8,
      },
      '(load store syncscope("agent") acq_rel monotonic unknown-size on unknown-address + 4, align 4, basealign 8)',
    ],
    [
      {
        flags:
          MemFlag.Load |
          MemFlag.NoClobber |
          MemFlag.Volatile |
          MemFlag.NonTemporal |
          MemFlag.LastUse |
          MemFlag.Dereferenceable |
          MemFlag.Invariant,
        type: { kind: 'vector', format: Format.Any, bits: 32, addressSpace: -1, numElements: 2, scalable: false },
        pointer: { kind: 'frameIndex', index: -2 },
        offset: -4,
        baseAlign: 8,
        addressSpace: 5,
      },
      '(volatile non-temporal dereferenceable invariant "amdgpu-noclobber" "amdgpu-last-use" load (<2 x s32>) from %fixed-stack.0 - 4, align 4, basealign 8, addrspace 5)',
    ],
    [
      {
        flags: MemFlag.Store,
        type: scalar(8),
        baseAlign: 1,
        pointer: { kind: 'callEntry', name: 'foo" bar', isExternal: true },
        addressSpace: 4,
      },
      '(store (s8) into call-entry &"foo\\22 bar", addrspace 4)',
    ],
    [
      {
        flags: MemFlag.Store,
        type: scalar(8),
        baseAlign: 1,
        pointer: { kind: 'irConstant', text: 'ptr addrspace(1) null' },
        addressSpace: 1,
      },
      '(store (s8) into `ptr addrspace(1) null`, addrspace 1)',
    ],
    [
      { flags: MemFlag.Store, type: scalar(8), baseAlign: 1, pointer: { kind: 'global', name: 'g' }, offset: 3 },
      '(store (s8) into @g + 3)',
    ],
    [{ pointer: { kind: 'frameIndex', index: 0 }, addressSpace: 5 }, '(load (s32) from %stack.0.x, addrspace 5)'],
    [
      { pointer: { kind: 'irValue', name: 'p' }, addressSpace: 1, flags: MemFlag.Load | MemFlag.Volatile },
      '(volatile load (s32) from %ir.p, addrspace 1)',
    ],
  ];
  for (const [change, text] of cases)
    it(text, () => assert.equal(printMemOperand({ ...base, ...change }, header), text));
});
