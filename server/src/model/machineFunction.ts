/**
 * A machine function as struct-of-arrays: the one data structure that the printer, the verifier, the analyses and
 * the scheduler share. Lowering from syntax fills it, analyses read it, the scheduler works on a clone.
 *
 * Integers are ids (spec: style.md P1, N3): an instruction is its index in the columns and keeps it for life, also when
 * the scheduler moves it; a block is its index in `blocks`; a virtual register is its index in LLVM's numbering.
 * Layout order is kept apart from ids in `order`.
 */
import { type Reg, type VRegId, NO_REG } from './register.js';
import { invariant } from '../util/invariant.js';
import type { Id } from '../util/id.js';
import type { TextRange } from '../text/diagnostic.js';
import type { Subtarget, TargetTables, SubRegIdx, RegClassId, PhysReg } from '../target/api.js';
import type { MachineFunctionHeader } from './header.js';
import type { MemOperand } from './memOperand.js';
import type { LLT } from './llt.js';
export type InstrId = Id<'instr'>;
export type BlockId = Id<'block'>;
/** Position in `order`. */
export type Place = Id<'place'>;
/** Index of an operand in the operand columns (not within its instruction). */
export type OperandId = Id<'operand'>;

/** MachineOperand::MachineOperandType. The comment says what `opVal` and `opExt` hold. */
export const enum OperandKind {
  /** opVal = Reg, opSub = sub-register index */
  Register = 0,
  /** opVal = low, opExt = high 32 bits of the signed 64-bit value */
  Immediate = 1,
  /** all from here to GlobalAddress and below, unless noted: opVal = index into `payloads` */
  CImmediate = 2,
  FPImmediate = 3,
  /** opVal = BlockId */
  MBB = 4,
  /** opVal = frame index: >= 0 index into header.stack, < 0 `~index` into header.fixedStack */
  FrameIndex = 5,
  ConstantPoolIndex = 6,
  TargetIndex = 7,
  JumpTableIndex = 8,
  ExternalSymbol = 9,
  GlobalAddress = 10,
  BlockAddress = 11,
  /** payload RegMaskPayload */
  RegisterMask = 12,
  RegisterLiveOut = 13,
  Metadata = 14,
  MCSymbol = 15,
  CFIIndex = 16,
  IntrinsicID = 17,
  Predicate = 18,
  ShuffleMask = 19,
  /** opVal = instruction number, opExt = operand number */
  DbgInstrRef = 20,
  /** opVal = low, opExt = high half */
  LaneMask = 21,
}

/** Operand flags (`opFlags`). */
export const enum OpFlag {
  Def = 1,
  Implicit = 2,
  Kill = 4,
  Dead = 8,
  Undef = 16,
  EarlyClobber = 32,
  Internal = 64,
  Renamable = 128,
  Debug = 256,
  /** a tie that the text spells (`tied-def N`), as opposed to one the opcode prescribes */
  ExplicitTie = 512,
}

/** Bits of `instrFlags`, those that passes ask for; bit n = word n of INSTR_FLAG_WORDS of the syntax tree. */
export const enum InstrFlag {
  FrameSetup = 1 << 0,
  FrameDestroy = 1 << 1,
  NoSignedZeros = 1 << 4,
  NoFPExcept = 1 << 12,
  NoConvergent = 1 << 15,
  Disjoint = 1 << 17,
  /** of a copy that splits a live range; LLVM 22 has it in memory alone, its files do not name it */
  LRSplit = 1 << 21,
}

export const enum BundleFlag {
  /** a member: glued to the instruction before it in layout */
  BundledPred = 1,
  /** header or member that is followed by a member */
  BundledSucc = 2,
}

export type OperandPayload =
  | { readonly kind: OperandKind.CImmediate; readonly bits: number; readonly value: bigint }
  /** `text` as MIR prints it, e.g. `float 1.000000e+00` */
  | { readonly kind: OperandKind.FPImmediate; readonly type: string; readonly text: string; readonly bits: bigint }
  | { readonly kind: OperandKind.ConstantPoolIndex; readonly index: number; readonly offset: bigint }
  | { readonly kind: OperandKind.TargetIndex; readonly name: string; readonly offset: bigint }
  | { readonly kind: OperandKind.JumpTableIndex; readonly index: number }
  | { readonly kind: OperandKind.ExternalSymbol; readonly symbol: string; readonly offset: bigint }
  /** `name` without `@`, unescaped; a number as text for unnamed globals */
  | { readonly kind: OperandKind.GlobalAddress; readonly name: string; readonly offset: bigint }
  | { readonly kind: OperandKind.BlockAddress; readonly fn: string; readonly block: string; readonly offset: bigint }
  /** `mask` = index of a named mask of the target, or -1 and `regs` lists the preserved registers in ascending order */
  | { readonly kind: OperandKind.RegisterMask; readonly mask: number; readonly regs: readonly number[] }
  | { readonly kind: OperandKind.RegisterLiveOut; readonly regs: readonly number[] }
  /** `text` as it is printed back */
  | { readonly kind: OperandKind.Metadata; readonly text: string; readonly node: number }
  | { readonly kind: OperandKind.MCSymbol; readonly symbol: string }
  | { readonly kind: OperandKind.CFIIndex; readonly text: string }
  | { readonly kind: OperandKind.IntrinsicID; readonly name: string }
  | { readonly kind: OperandKind.Predicate; readonly isInt: boolean; readonly name: string }
  /** -1 = undef */
  | { readonly kind: OperandKind.ShuffleMask; readonly mask: readonly number[] };

/** Rare trailers of an instruction (docs/llvm/mir-format.md, 6.5). */
export interface InstrExtra {
  preInstrSymbol?: string;
  postInstrSymbol?: string;
  /** metadata texts as printed */
  heapAllocMarker?: string;
  pcSections?: string;
  /** memory model relaxation annotations */
  mmra?: string;
  cfiType?: number;
  deactivationSymbol?: string;
  debugInstrNumber?: number;
  /** as printed after `debug-location ` */
  debugLocation?: string;
}

export interface BlockLiveIn {
  reg: Reg;
  laneLo: number;
  laneHi: number;
}

export interface MachineBasicBlock {
  /** number as written in the source (`bb.N`); the printer uses the layout index */
  readonly sourceNumber: number;
  /** IR block name printed after the number, or null */
  irName: string | null;
  /** text for the attribute `%ir-block.N` of an unnamed IR block, or null */
  irBlockRef: string | null;
  successors: BlockId[];
  /** numerators over 0x80000000, normalised; parallel to `successors` */
  probabilities: number[];
  /** whether the source had a `successors:` line (else they were guessed) */
  explicitSuccessors: boolean;
  predecessors: BlockId[];
  liveIns: BlockLiveIn[];
  isMachineBlockAddressTaken: boolean;
  irBlockAddressTaken: string | null;
  isLandingPad: boolean;
  isInlineAsmBrIndirectTarget: boolean;
  isEHFuncletEntry: boolean;
  isEHScopeEntry: boolean;
  alignment: number;
  /** null, a number as text, `Cold` or `Exception` */
  sectionId: string | null;
  callFrameSize: number;
}

/**
 * Where things stand in the text, computed on demand. Offsets are UTF-16 units from the start of the function's YAML document,
 * which may move within the file while the function stays the same: add ModelFile.functionStarts[i].
 */
export interface FunctionSource {
  /** the whole YAML document */
  readonly document: TextRange;
  /** the value of `name:` */
  readonly name: TextRange;
  /** the whole line(s) of an instruction without indentation and line break */
  instrRange(i: InstrId): TextRange;
  opcodeRange(i: InstrId): TextRange;
  /** operand with its flags; `opIdx` within the instruction */
  operandRange(i: InstrId, opIdx: number): TextRange;
  memOperandRange(i: InstrId, memIdx: number): TextRange;
  /** from the label to the next label */
  blockRange(b: BlockId): TextRange;
  blockLabelRange(b: BlockId): TextRange;
  successorsRange(b: BlockId): TextRange | null;
  liveInRange(b: BlockId, idx: number): TextRange;
  /** entry in `registers:` if there is one */
  vregDeclRange(vreg: VRegId): TextRange | null;
  /** value of a header key, dotted path such as `machineFunctionInfo.occupancy`; null if absent */
  headerRange(path: string): TextRange | null;
}

// Small enough for V8 to keep the typed arrays on its own heap: most functions replace them at once.
const INITIAL_INSTRS = 8;
const INITIAL_OPERANDS = 16;

/** Virtual registers of a function, by LLVM's index. */
export class VRegTable {
  n = 0;
  /** class id; -1 = none (generic or unknown) */
  regClass = new Int16Array(16).fill(-1);
  /** register bank of a generic vreg; -1 = none */
  bank = new Int8Array(16).fill(-1);
  /** number as spelled (`%7`), -1 for a named one */
  sourceNumber = new Int32Array(16).fill(-1);
  name: (string | null)[] = [];
  type: (LLT | null)[] = [];
  /** preferred-register, NO_REG if none */
  hint: Reg[] = [];
  /** `assigned-phys`: what an allocation has given registers before the code names it; those without are absent */
  readonly assigned = new Map<VRegId, PhysReg>();
  /** `split-from`: the registers that an allocation has split others from; those that were not are absent */
  readonly splitFrom = new Map<VRegId, VRegId>();
  /** flags words, e.g. WWM_REG */
  flags: (readonly string[] | null)[] = [];

  add(sourceNumber: number, name: string | null): VRegId {
    const i = this.n++;
    if (i === this.regClass.length) {
      this.regClass = grow(this.regClass, new Int16Array(i * 2).fill(-1));
      this.bank = grow(this.bank, new Int8Array(i * 2).fill(-1));
      this.sourceNumber = grow(this.sourceNumber, new Int32Array(i * 2).fill(-1));
    }
    this.regClass[i] = -1;
    this.bank[i] = -1;
    this.sourceNumber[i] = sourceNumber;
    this.name[i] = name;
    this.type[i] = null;
    this.hint[i] = NO_REG;
    this.flags[i] = null;
    return i;
  }

  /** A new unnamed register like another one (MachineRegisterInfo::cloneVirtualRegister: class, bank, type and flags, no hint). */
  addLike(v: VRegId): VRegId {
    const i = this.add(-1, null);
    this.regClass[i] = this.regClass[v];
    this.bank[i] = this.bank[v];
    this.type[i] = this.type[v];
    this.flags[i] = this.flags[v];
    return i;
  }

  /** Makes room for `n` registers in all. The lists are longer than `n` then, until `truncate`. */
  reserve(n: number): void {
    const more = n - this.name.length;
    if (more <= 0) return;
    if (n > this.regClass.length) {
      this.regClass = grow(this.regClass, new Int16Array(n).fill(-1));
      this.bank = grow(this.bank, new Int8Array(n).fill(-1));
      this.sourceNumber = grow(this.sourceNumber, new Int32Array(n).fill(-1));
    }
    const none = new Array<null>(more).fill(null);
    this.name = this.name.concat(none);
    this.type = this.type.concat(none);
    this.hint = this.hint.concat(new Array<Reg>(more).fill(NO_REG));
    this.flags = this.flags.concat(none);
  }

  /** Takes back the registers from index `n` on; nothing may mention them. */
  truncate(n: number): void {
    this.n = n;
    this.name.length = this.type.length = this.hint.length = this.flags.length = n;
  }

  /** Makes this table a copy of `other`, by block copies. */
  copyFrom(other: VRegTable): void {
    this.n = other.n;
    this.regClass = other.regClass.slice();
    this.bank = other.bank.slice();
    this.sourceNumber = other.sourceNumber.slice();
    this.name = other.name.slice();
    this.type = other.type.slice();
    this.hint = other.hint.slice();
    this.flags = other.flags.slice();
    this.assigned.clear();
    this.splitFrom.clear();
    for (const [v, reg] of other.assigned) this.assigned.set(v, reg);
    for (const [v, from] of other.splitFrom) this.splitFrom.set(v, from);
  }
}

function grow<T extends { set(a: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

export class MachineFunction {
  /** all header keys apart from `registers:` and `body:` */
  header: MachineFunctionHeader;
  readonly subtarget: Subtarget;
  readonly tables: TargetTables;
  readonly vregs = new VRegTable();
  readonly blocks: MachineBasicBlock[] = [];

  // -- instructions, by InstrId --------------------------------------------------------------------------------
  nInstrs = 0;
  opcode = new Uint16Array(INITIAL_INSTRS);
  /** operands of i are opBegin[i] .. opBegin[i + 1]; length nInstrs + 1 is valid */
  opBegin = new Int32Array(INITIAL_INSTRS + 1);
  /** MachineInstr::MIFlag bits, see INSTR_FLAG_WORDS of the syntax tree */
  instrFlags = new Uint32Array(INITIAL_INSTRS);
  /** BundleFlag */
  bundle = new Uint8Array(INITIAL_INSTRS);
  /** block of an instruction */
  instrBlock = new Int32Array(INITIAL_INSTRS);
  /** null = no memory operands; arrays are shared, never mutated */
  memOperands: (readonly MemOperand[] | null)[] = [];
  readonly extras = new Map<InstrId, InstrExtra>();

  // -- operands, by OperandId ----------------------------------------------------------------------------------
  nOperands = 0;
  opKind = new Uint8Array(INITIAL_OPERANDS);
  opFlags = new Uint16Array(INITIAL_OPERANDS);
  opVal = new Int32Array(INITIAL_OPERANDS);
  opExt = new Int32Array(INITIAL_OPERANDS);
  opSub = new Uint16Array(INITIAL_OPERANDS);
  /** index within the instruction of the operand it is tied to, or -1; both ends are set */
  opTied = new Int16Array(INITIAL_OPERANDS);
  /** AMDGPU target flag word index + 1 (`target-flags(...)`), 0 = none */
  opTargetFlags = new Uint8Array(INITIAL_OPERANDS);
  payloads: OperandPayload[] = [];

  // -- layout ----------------------------------------------------------------------------------------------------
  /** instruction ids in layout order; the first `blockEnd[last]` entries are valid */
  order = new Int32Array(INITIAL_INSTRS);
  /** positions in `order`: block b is order[blockBegin[b]] .. order[blockEnd[b] - 1] */
  blockBegin: Int32Array = new Int32Array(0);
  blockEnd: Int32Array = new Int32Array(0);
  /** LLVM's numbers of the blocks, by id, where a pass has put some in between, which have the last numbers, or taken some out; null = the ids are the numbers */
  blockNumbers: Int32Array | null = null;
  /** how many numbers there have been, where blocks were taken out and the others kept theirs; 0 = as many as blocks */
  nBlockNumbers = 0;

  source: FunctionSource | null = null;
  /** the same object for versions of a function whose header, IR and target are the same; null when that is not known */
  shell: object | null = null;

  constructor(header: MachineFunctionHeader, subtarget: Subtarget) {
    this.header = header;
    this.subtarget = subtarget;
    this.tables = subtarget.tables;
  }

  /** Appends an instruction without operands to the columns (not to the layout) and returns its id. */
  addInstr(opcode: number, block: BlockId): InstrId {
    const i = this.nInstrs++;
    if (i === this.opcode.length) {
      const n = i * 2;
      this.opcode = grow(this.opcode, new Uint16Array(n));
      this.opBegin = grow(this.opBegin, new Int32Array(n + 1));
      this.instrFlags = grow(this.instrFlags, new Uint32Array(n));
      this.bundle = grow(this.bundle, new Uint8Array(n));
      this.instrBlock = grow(this.instrBlock, new Int32Array(n));
    }
    this.opcode[i] = opcode;
    this.instrFlags[i] = 0;
    this.bundle[i] = 0;
    this.instrBlock[i] = block;
    this.memOperands[i] = null;
    this.opBegin[i] = this.nOperands;
    this.opBegin[i + 1] = this.nOperands;
    return i;
  }

  /** Appends an operand to the instruction made last. */
  addOperand(kind: OperandKind, flags: number, val: number, ext = 0, sub: SubRegIdx = 0, targetFlags = 0): OperandId {
    const o = this.nOperands++;
    if (o === this.opKind.length) {
      const n = o * 2;
      this.opKind = grow(this.opKind, new Uint8Array(n));
      this.opFlags = grow(this.opFlags, new Uint16Array(n));
      this.opVal = grow(this.opVal, new Int32Array(n));
      this.opExt = grow(this.opExt, new Int32Array(n));
      this.opSub = grow(this.opSub, new Uint16Array(n));
      this.opTied = grow(this.opTied, new Int16Array(n));
      this.opTargetFlags = grow(this.opTargetFlags, new Uint8Array(n));
    }
    this.opKind[o] = kind;
    this.opFlags[o] = flags;
    this.opVal[o] = val;
    this.opExt[o] = ext;
    this.opSub[o] = sub;
    this.opTied[o] = -1;
    this.opTargetFlags[o] = targetFlags;
    this.opBegin[this.nInstrs] = this.nOperands;
    return o;
  }

  addPayload(p: OperandPayload): number {
    return this.payloads.push(p) - 1;
  }

  numOperands(i: InstrId): number {
    return this.opBegin[i + 1] - this.opBegin[i];
  }

  /** The first register operand of an instruction, -1 = none: `for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))`. */
  firstReg(i: InstrId): OperandId {
    return this.regFrom(i, this.opBegin[i]);
  }

  /** The register operand of `i` after `o`, -1 = none. */
  nextReg(i: InstrId, o: OperandId): OperandId {
    return this.regFrom(i, o + 1);
  }

  private regFrom(i: InstrId, from: OperandId): OperandId {
    const { opKind } = this;
    for (let o = from, end = this.opBegin[i + 1]; o < end; o++) if (opKind[o] === OperandKind.Register) return o;
    return -1;
  }

  /**
   * Ties the registers that the opcode ties.
   * @llvm MachineInstr.cpp MachineInstr::addOperand
   */
  tieByOpcode(i: InstrId): void {
    const { tables } = this;
    const opc = this.opcode[i];
    const info = tables.opInfoBegin(opc);
    for (let k = 0, n = tables.opcodeNumOperands(opc); k < n; k++) {
      const to = tables.opInfoTiedTo[info + k];
      if (to >= 0 && this.opKind[this.opBegin[i] + k] === OperandKind.Register) this.tieOperands(i, to, k);
    }
  }

  /** Ties operands `a` and `b` (indices within instruction i) to each other. */
  tieOperands(i: InstrId, a: number, b: number): void {
    const base = this.opBegin[i];
    this.opTied[base + a] = b;
    this.opTied[base + b] = a;
  }

  /** Immediate as a double; exact below 2^53. Use immBigInt where all 64 bits matter. */
  imm(o: OperandId): number {
    return this.opExt[o] * 4294967296 + (this.opVal[o] >>> 0);
  }

  immBigInt(o: OperandId): bigint {
    return (BigInt(this.opExt[o]) << 32n) | BigInt(this.opVal[o] >>> 0);
  }

  /**
   * A copy that can be edited (operands, flags, layout, registers, block lists) without touching this function. Payloads,
   * memory operands and extras are immutable and shared; ids stay the same. O(size), plain array copies.
   */
  clone(): MachineFunction {
    const c = new MachineFunction(this.header, this.subtarget);
    c.vregs.copyFrom(this.vregs);
    for (const b of this.blocks) {
      c.blocks.push({
        ...b,
        successors: [...b.successors],
        probabilities: [...b.probabilities],
        predecessors: [...b.predecessors],
        liveIns: b.liveIns.map((l) => ({ ...l })),
      });
    }
    c.nInstrs = this.nInstrs;
    c.opcode = this.opcode.slice();
    c.opBegin = this.opBegin.slice();
    c.instrFlags = this.instrFlags.slice();
    c.bundle = this.bundle.slice();
    c.instrBlock = this.instrBlock.slice();
    for (const m of this.memOperands) c.memOperands.push(m);
    for (const [i, e] of this.extras) c.extras.set(i, e);
    c.nOperands = this.nOperands;
    c.opKind = this.opKind.slice();
    c.opFlags = this.opFlags.slice();
    c.opVal = this.opVal.slice();
    c.opExt = this.opExt.slice();
    c.opSub = this.opSub.slice();
    c.opTied = this.opTied.slice();
    c.opTargetFlags = this.opTargetFlags.slice();
    for (const p of this.payloads) c.payloads.push(p);
    c.order = this.order.slice();
    c.blockBegin = this.blockBegin.slice();
    c.blockEnd = this.blockEnd.slice();
    c.blockNumbers = this.blockNumbers;
    c.nBlockNumbers = this.nBlockNumbers;
    c.source = this.source;
    return c;
  }

  /** Instruction ids in layout order, those alone that are in a block. */
  layout(): Int32Array {
    const n = this.blocks.length;
    return this.order.subarray(0, n === 0 ? 0 : this.blockEnd[n - 1]);
  }

  /** Sets the layout to id order; `blockBegin` must be set so that block b holds ids blockBegin[b] .. blockEnd[b]-1. */
  setIdentityLayout(): void {
    if (this.order.length < this.nInstrs) this.order = new Int32Array(this.nInstrs);
    for (let i = 0; i < this.nInstrs; i++) this.order[i] = i;
  }

  /**
   * Passes that only improve code leave the function as it is.
   * @llvm Pass.h Pass::skipFunction
   */
  get isOptNone(): boolean {
    return this.header.irFunction.enumAttributes.has('optnone');
  }

  /**
   * Small code is asked for.
   * @llvm Function.h Function::hasOptSize
   */
  get isForSize(): boolean {
    const { enumAttributes } = this.header.irFunction;
    return enumAttributes.has('optsize') || enumAttributes.has('minsize');
  }

  /** Somebody may come to a block by its address. */
  isAddressTaken(b: BlockId): boolean {
    const block = this.blocks[b];
    return block.isMachineBlockAddressTaken || block.irBlockAddressTaken !== null;
  }

  /** LLVM's number of a block, which texts have: ids are in the order of the layout. */
  numberOf(b: BlockId): number {
    return this.blockNumbers?.[b] ?? b;
  }

  regClassOf(vreg: VRegId): RegClassId {
    return this.vregs.regClass[vreg];
  }

  payload<K extends OperandPayload['kind']>(o: OperandId, kind: K): Extract<OperandPayload, { kind: K }> {
    const p = this.payloads[this.opVal[o]];
    invariant(p !== undefined && p.kind === kind, 'operand payload of another kind');
    return p as Extract<OperandPayload, { kind: K }>;
  }
}
