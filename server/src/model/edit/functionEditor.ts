/**
 * A machine function while it is edited: instructions on lists, so that inserting, erasing and moving are O(1), and for each register the
 * operands that mention it.
 *
 * The lists of operands are in the order in which LLVM keeps them (MachineRegisterInfo::addRegOperandToUseList, LLVM 22): a def goes to the
 * front, a use to the end, in the order in which the operands came into being, wherever their instructions stand. Some passes let that
 * order decide.
 *
 * An instruction keeps its operands' number: one with more or fewer is another instruction in its place (`replace`). Ids are not used
 * again. `finish` writes the layout back into the function.
 */
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineBasicBlock,
  type MachineFunction,
  type OperandId,
} from '../machineFunction.js';
import { isVirtualReg, NO_REG, virtRegIndex, type Reg, type VRegId } from '../register.js';
import type { PhysReg, RegClassId, RegUnit } from '../../target/api.js';
import { SparseColumn } from '../../util/sparseColumn.js';
import { InstrList, type ListPos } from './instrList.js';
import { NamedRegs } from './namedRegs.js';

/** No operand, no instruction. */
const NONE = -1;

export interface NewOperand {
  readonly kind: OperandKind;
  /** OpFlag bits */
  readonly flags?: number;
  readonly val: number;
  readonly ext?: number;
  readonly sub?: number;
  readonly targetFlags?: number;
}

export const regOperand = (reg: Reg, flags = 0, sub = 0): NewOperand => ({
  kind: OperandKind.Register,
  flags,
  val: reg,
  sub,
});

/** `value`: a signed integer that is exact as a number. */
export const immOperand = (value: number): NewOperand => ({
  kind: OperandKind.Immediate,
  val: value | 0,
  ext: Math.floor(value / 0x100000000) | 0,
});

/** An operand of the function as one for another instruction. */
export function operandOf(fn: MachineFunction, o: OperandId): NewOperand {
  return {
    kind: fn.opKind[o],
    flags: fn.opFlags[o],
    val: fn.opVal[o],
    ext: fn.opExt[o],
    sub: fn.opSub[o],
    targetFlags: fn.opTargetFlags[o],
  };
}

/** Denominator of probabilities */
const ONE = 0x80000000;

const emptyBlock = (number: number): MachineBasicBlock => ({
  sourceNumber: number,
  irName: null,
  irBlockRef: null,
  successors: [],
  probabilities: [],
  explicitSuccessors: true,
  predecessors: [],
  liveIns: [],
  isMachineBlockAddressTaken: false,
  irBlockAddressTaken: null,
  isLandingPad: false,
  isInlineAsmBrIndirectTarget: false,
  isEHFuncletEntry: false,
  isEHScopeEntry: false,
  alignment: 0,
  sectionId: null,
  callFrameSize: 0,
});

function grown(a: Int32Array, atLeast: number): Int32Array {
  const b = new Int32Array(Math.max(atLeast, a.length * 2)).fill(NONE, a.length);
  b.set(a);
  return b;
}

export class FunctionEditor {
  readonly list: InstrList;
  /** told of an instruction that has another id, since its bundle was made or changed; null = nobody asks */
  onMoved: ((from: InstrId, to: InstrId) => void) | null = null;
  /** ids of the blocks in their order, null where that is the order of the ids */
  private layout: BlockId[] | null = null;
  /** instruction of an operand; -1 = erased */
  private opInstr: Int32Array;
  /** neighbours of an operand among those of its register; the first one's `prevOp` is the last, as in LLVM */
  private nextOp: Int32Array;
  private prevOp: Int32Array;
  /** first operand of each virtual register, by index, and of each physical one */
  private headOfVReg: Int32Array;
  private readonly headOfPhys: SparseColumn;
  private readonly namedRegs: NamedRegs;

  /** Takes `fn` over: nobody else may edit it until `finish`. `moreBlocks`: how many may come to it. O(size) */
  constructor(
    readonly fn: MachineFunction,
    moreBlocks = 0,
  ) {
    this.list = new InstrList(fn, moreBlocks);
    this.opInstr = new Int32Array(fn.opKind.length).fill(NONE);
    this.nextOp = new Int32Array(fn.opKind.length).fill(NONE);
    this.prevOp = new Int32Array(fn.opKind.length).fill(NONE);
    this.headOfVReg = new Int32Array(Math.max(16, fn.vregs.n)).fill(NONE);
    this.headOfPhys = new SparseColumn(fn.tables.nRegs, NONE);
    this.namedRegs = new NamedRegs(fn.tables);
    // in the order in which they came into being, which is not the layout's when the scheduler has moved them
    const stands = new Uint8Array(fn.nInstrs);
    for (let b = 0; b < fn.blocks.length; b++)
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) stands[fn.order[p]] = 1;
    for (let i = 0; i < fn.nInstrs; i++) if (stands[i] === 1) this.enter(i);
  }

  // -- queries ---------------------------------------------------------------------------------------------------

  /** The operands of a register in LLVM's order. Do not edit the function's operands while walking. */
  *operandsOf(reg: Reg): IterableIterator<OperandId> {
    for (let o = this.firstOperand(reg); o >= 0; o = this.nextOp[o]) yield o;
  }

  firstOperand(reg: Reg): OperandId {
    if (!isVirtualReg(reg)) return this.headOfPhys.get(reg);
    return ~reg < this.headOfVReg.length ? this.headOfVReg[~reg] : NONE;
  }

  /** Physical registers with a unit that have operands, or had some: the root, the 32-bit register around it, the others by their numbers. */
  regsOver(unit: RegUnit): readonly PhysReg[] {
    return this.namedRegs.over(unit);
  }

  /** The operand of the same register that follows, -1 at the end. */
  nextOperand(o: OperandId): OperandId {
    return this.nextOp[o];
  }

  instrOf(o: OperandId): InstrId {
    return this.opInstr[o];
  }

  isDef(o: OperandId): boolean {
    return (this.fn.opFlags[o] & OpFlag.Def) !== 0;
  }

  isDebug(o: OperandId): boolean {
    return (this.fn.opFlags[o] & OpFlag.Debug) !== 0;
  }

  /**
   * Whether the operand reads its register: a def of a part without `undef` reads the other parts.
   * @llvm MachineOperand.h MachineOperand::readsReg
   */
  reads(o: OperandId): boolean {
    const flags = this.fn.opFlags[o];
    if ((flags & (OpFlag.Undef | OpFlag.Internal)) !== 0) return false;
    return (flags & OpFlag.Def) === 0 || this.fn.opSub[o] !== 0;
  }

  /**
   * Whether an instruction reads a virtual register: a definition of a part does, unless all of it is defined, too.
   * @llvm MachineInstr.cpp MachineInstr::readsWritesVirtualRegister
   */
  readsVirtual(i: InstrId, reg: Reg): boolean {
    const { fn } = this;
    let [definesPart, definesAll] = [false, false];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== reg) continue;
      const isUndef = (fn.opFlags[o] & OpFlag.Undef) !== 0;
      if (!this.isDef(o)) {
        if (!isUndef) return true;
      } else if (fn.opSub[o] !== 0 && !isUndef) definesPart = true;
      else definesAll = true;
    }
    return definesPart && !definesAll;
  }

  /**
   * Whether no operand outside debug instructions mentions the register.
   * @llvm MachineRegisterInfo.h MachineRegisterInfo::reg_nodbg_empty
   */
  isUnused(reg: Reg): boolean {
    for (let o = this.firstOperand(reg); o >= 0; o = this.nextOp[o]) if (!this.isDebug(o)) return false;
    return true;
  }

  /**
   * Whether the register is read by nobody but debug instructions.
   * @llvm MachineRegisterInfo.h MachineRegisterInfo::use_nodbg_empty
   */
  isUnread(reg: Reg): boolean {
    for (let o = this.firstOperand(reg); o >= 0; o = this.nextOp[o])
      if (!this.isDef(o) && !this.isDebug(o)) return false;
    return true;
  }

  /**
   * The only operand that reads the register, debug instructions aside; -1: there is none, or there are more.
   * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::hasOneNonDBGUse
   */
  onlyUse(reg: Reg): OperandId {
    let found = NONE;
    for (let o = this.firstOperand(reg); o >= 0; o = this.nextOp[o]) {
      if (this.isDef(o) || this.isDebug(o)) continue;
      if (found >= 0) return NONE;
      found = o;
    }
    return found;
  }

  /**
   * Whether one instruction reads the register, perhaps more than once, debug instructions aside.
   * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::hasOneNonDBGUser
   */
  hasOneUser(reg: Reg): boolean {
    const uses = this.usesOf(reg);
    return uses.length > 0 && uses.every((o) => this.opInstr[o] === this.opInstr[uses[0]]);
  }

  /**
   * The operands that read the register, in LLVM's order, without those of debug instructions.
   * @llvm MachineRegisterInfo.h MachineRegisterInfo::use_nodbg_operands
   */
  usesOf(reg: Reg): OperandId[] {
    const uses: OperandId[] = [];
    for (let o = this.firstOperand(reg); o >= 0; o = this.nextOp[o])
      if (!this.isDef(o) && !this.isDebug(o)) uses.push(o);
    return uses;
  }

  /** @llvm MachineRegisterInfo.h MachineRegisterInfo::hasOneDef */
  hasOneDef(reg: Reg): boolean {
    const first = this.firstOperand(reg);
    if (first < 0 || !this.isDef(first)) return false;
    const next = this.nextOp[first];
    return next < 0 || !this.isDef(next);
  }

  /**
   * The instruction that defines a virtual register of SSA form, -1 = there is none.
   * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::getVRegDef
   */
  defOf(reg: Reg): InstrId {
    if (!isVirtualReg(reg)) return -1;
    const o = this.firstOperand(reg);
    return o >= 0 && this.isDef(o) ? this.instrOf(o) : -1;
  }

  /** @llvm MachineRegisterInfo.cpp MachineRegisterInfo::clearKillFlags */
  clearKillFlags(reg: Reg): void {
    for (let o = this.firstOperand(reg); o >= 0; o = this.nextOp[o]) this.fn.opFlags[o] &= ~OpFlag.Kill;
  }

  /**
   * Gives a virtual register the class that it has in common with another one; false where there is none.
   * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::constrainRegClass
   */
  constrainClass(reg: Reg, rc: RegClassId): boolean {
    const { regClass } = this.fn.vregs;
    const v = virtRegIndex(reg);
    if (regClass[v] === rc) return true;
    const common = this.fn.tables.getCommonSubClass(regClass[v], rc);
    if (common < 0) return false;
    regClass[v] = common;
    return true;
  }

  /**
   * The same for generic registers, too: their type and bank. Takes over what the first register has not.
   * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::constrainRegAttrs
   */
  constrainAttributes(reg: Reg, other: Reg): boolean {
    const { vregs } = this.fn;
    const [v, w] = [virtRegIndex(reg), virtRegIndex(other)];
    const [type, wanted] = [vregs.type[v], vregs.type[w]];
    if (type !== null && wanted !== null && JSON.stringify(type) !== JSON.stringify(wanted)) return false;
    const isNone = (x: VRegId): boolean => vregs.regClass[x] < 0 && vregs.bank[x] < 0;
    if (!isNone(w)) {
      if (isNone(v)) [vregs.regClass[v], vregs.bank[v]] = [vregs.regClass[w], vregs.bank[w]];
      else if (vregs.regClass[v] >= 0 !== vregs.regClass[w] >= 0 || vregs.bank[v] !== vregs.bank[w]) return false;
      else if (vregs.regClass[v] >= 0 && !this.constrainClass(reg, vregs.regClass[w])) return false;
    }
    vregs.type[v] ??= wanted;
    return true;
  }

  /**
   * Debug values of the first register that `i` defines name another one.
   * @llvm MachineInstr.cpp MachineInstr::changeDebugValuesDefReg
   */
  changeDebugValues(i: InstrId, to: Reg): void {
    const { fn } = this;
    const first = fn.opBegin[i];
    if (fn.opKind[first] !== OperandKind.Register) return;
    for (let o = this.firstOperand(fn.opVal[first]); o >= 0;) {
      const next = this.nextOp[o];
      if (!this.isDef(o) && this.isDebug(o)) this.setReg(o, to);
      o = next;
    }
  }

  // -- instructions ----------------------------------------------------------------------------------------------

  /** A new instruction before `at` in block `block`. Memory operands, flags and ties are the caller's to add. O(operands) */
  insert(at: ListPos, block: BlockId, opcode: number, operands: readonly NewOperand[]): InstrId {
    const { fn } = this;
    const i = fn.addInstr(opcode, block);
    for (const { kind, flags = 0, val, ext = 0, sub = 0, targetFlags = 0 } of operands)
      fn.addOperand(kind, flags, val, ext, sub, targetFlags);
    this.enter(i);
    this.list.insertBefore(at, i);
    return i;
  }

  /** A copy of an instruction, ties, flags, memory operands and all, before `at`. Not for headers of bundles. O(operands) */
  insertCopy(at: ListPos, block: BlockId, like: InstrId): InstrId {
    const i = cloneInstr(this.fn, like, block);
    this.enter(i);
    this.list.insertBefore(at, i);
    return i;
  }

  /**
   * Several new instructions of one opcode before `at` as a bundle without header: the first stands for it. O(operands)
   */
  insertBundle(at: ListPos, block: BlockId, opcode: number, members: readonly (readonly NewOperand[])[]): InstrId {
    const { fn } = this;
    let first = NONE;
    members.forEach((operands, k) => {
      const i = fn.addInstr(opcode, block);
      for (const { kind, flags = 0, val, ext = 0, sub = 0, targetFlags = 0 } of operands)
        fn.addOperand(kind, flags, val, ext, sub, targetFlags);
      fn.bundle[i] = (k > 0 ? BundleFlag.BundledPred : 0) | (k + 1 < members.length ? BundleFlag.BundledSucc : 0);
      if (k === 0) first = i;
    });
    this.list.insertBefore(at, first);
    for (let k = 0; k < members.length; k++) this.enter(first + k);
    return first;
  }

  /**
   * Instructions from `first` up to `end`, each by itself, become members of a bundle with these operands in its header, which is returned. Under
   * other ids: members follow their header. O(size of the members)
   */
  bundleUp(first: InstrId, end: ListPos, header: readonly NewOperand[]): InstrId {
    const { fn, list } = this;
    const block = fn.instrBlock[first];
    const members: InstrId[] = [];
    for (let i = first; i !== end; i = list.after(i)) members.push(i);
    const head = fn.addInstr(fn.tables.opcodeByName('BUNDLE'), block);
    for (const { kind, flags = 0, val, ext = 0, sub = 0, targetFlags = 0 } of header)
      fn.addOperand(kind, flags, val, ext, sub, targetFlags);
    fn.bundle[head] = BundleFlag.BundledSucc;
    members.forEach((old, k) => {
      const i = cloneInstr(fn, old, block);
      this.onMoved?.(old, i);
      fn.bundle[i] = BundleFlag.BundledPred | (k + 1 < members.length ? BundleFlag.BundledSucc : 0);
    });
    for (const old of members) this.erase(old);
    list.insertBefore(end, head);
    for (let i = head; i <= head + members.length; i++) this.enter(i);
    return head;
  }

  /**
   * A new instruction within a bundle, before or after one of its members (not its first, `before`). All of the bundle gets other ids; returns the member's.
   * O(size of the bundle)
   */
  insertInBundle(
    member: InstrId,
    where: 'before' | 'after',
    opcode: number,
    operands: readonly NewOperand[],
    debugLocation?: string,
  ): InstrId {
    const { fn, list } = this;
    const { bundle } = fn;
    const block = fn.instrBlock[member];
    let first = member;
    while ((bundle[first] & BundleFlag.BundledPred) !== 0) first--;
    let last = member;
    while ((bundle[last] & BundleFlag.BundledSucc) !== 0) last++;
    const begin = fn.nInstrs;
    let moved = NONE;
    const insert = (): void => {
      const made = fn.addInstr(opcode, block);
      for (const { kind, flags = 0, val, ext = 0, sub = 0, targetFlags = 0 } of operands)
        fn.addOperand(kind, flags, val, ext, sub, targetFlags);
      if (debugLocation !== undefined) fn.extras.set(made, { debugLocation });
    };
    for (let i = first; i <= last; i++) {
      if (i === member && where === 'before') insert();
      const copy = cloneInstr(fn, i, block);
      this.onMoved?.(i, copy);
      if (i === member) moved = copy;
      if (i === member && where === 'after') insert();
    }
    const end = fn.nInstrs - 1;
    for (let i = begin; i <= end; i++)
      fn.bundle[i] = (i > begin ? BundleFlag.BundledPred : 0) | (i < end ? BundleFlag.BundledSucc : 0);
    list.insertBefore(first, begin);
    this.erase(first);
    for (let i = begin; i <= end; i++) this.enter(i);
    return moved;
  }

  /** The members of a bundle become instructions of their own, in their order. */
  unbundle(first: InstrId): void {
    const { bundle } = this.fn;
    if (bundle[first] === 0) return;
    this.list.tearBundle(first);
    for (let m = first; ; m++) {
      const hasMore = (bundle[m] & BundleFlag.BundledSucc) !== 0;
      bundle[m] = 0;
      if (!hasMore) return;
    }
  }

  /** Takes an instruction out; with a header go the members of its bundle. O(operands) */
  erase(i: InstrId): void {
    for (let m = i; ; m++) {
      this.leave(m);
      if ((this.fn.bundle[m] & BundleFlag.BundledSucc) === 0) break;
    }
    this.list.remove(i);
  }

  /**
   * Takes instructions out each by itself, members and headers of bundles, too; a bundle that loses some has other ids. O(size of the bundles)
   * @llvm MachineInstr.cpp MachineInstr::eraseFromBundle
   */
  eraseFromBundles(gone: ReadonlySet<InstrId>): void {
    const { fn, list } = this;
    const heads = new Set<InstrId>();
    for (let i of gone) {
      while ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) i--;
      heads.add(i);
    }
    for (const head of heads) {
      const block = fn.instrBlock[head];
      const begin = fn.nInstrs;
      let hasMore = true;
      for (let m = head; hasMore; m++) {
        hasMore = (fn.bundle[m] & BundleFlag.BundledSucc) !== 0;
        if (gone.has(m)) continue;
        const copy = cloneInstr(fn, m, block);
        this.onMoved?.(m, copy);
      }
      const end = fn.nInstrs;
      for (let i = begin; i < end; i++)
        fn.bundle[i] = (i > begin ? BundleFlag.BundledPred : 0) | (i + 1 < end ? BundleFlag.BundledSucc : 0);
      if (end > begin) list.insertBefore(head, begin);
      this.erase(head);
      for (let i = begin; i < end; i++) this.enter(i);
    }
  }

  /** Moves an instruction before `at`, with the members of its bundle; `block` is the one it goes to. */
  move(i: InstrId, at: ListPos, block: BlockId): void {
    this.list.moveBefore(at, i);
    for (let m = i; ; m++) {
      this.fn.instrBlock[m] = block;
      if ((this.fn.bundle[m] & BundleFlag.BundledSucc) === 0) return;
    }
  }

  /**
   * Takes an instruction out of its block and puts it in again before `at`, where it does not stand: unlike one that moves, it
   * enters its operands anew. Of a bundle the header alone.
   */
  reinsert(i: InstrId, at: ListPos): void {
    this.list.observer?.leaving?.(i);
    this.leave(i);
    this.enter(i);
    this.list.moveBefore(at, i);
  }

  /** The same where that is no move to live intervals. */
  slip(i: InstrId, at: ListPos): void {
    this.leave(i);
    this.enter(i);
    this.list.slipBefore(at, i);
  }

  /** Another instruction in the place of `i`, which is erased; memory operands, flags and trailers go over. */
  replace(i: InstrId, opcode: number, operands: readonly NewOperand[]): InstrId {
    const { fn } = this;
    const made = this.insert(i, fn.instrBlock[i], opcode, operands);
    fn.instrFlags[made] = fn.instrFlags[i];
    fn.memOperands[made] = fn.memOperands[i];
    const extra = fn.extras.get(i);
    if (extra !== undefined) fn.extras.set(made, extra);
    this.erase(i);
    return made;
  }

  /**
   * An instruction like `i`, in its place, without some operands (indices): the others keep their places on the lists of their registers. O(operands of the instruction)
   * @llvm MachineInstr.cpp MachineInstr::removeOperand
   */
  withoutOperands(i: InstrId, dropped: ReadonlySet<number>): InstrId {
    const kept: number[] = [];
    for (let k = 0, n = this.fn.numOperands(i); k < n; k++) if (!dropped.has(k)) kept.push(k);
    return this.reshape(i, kept);
  }

  /**
   * An instruction like `i`, in its place, with other operands: those of `i` by their indices keep their places on the lists of their registers, their flags and
   * the ties among them; new ones enter. O(operands of the instruction)
   */
  reshape(i: InstrId, operands: readonly (number | NewOperand)[]): InstrId {
    const { fn } = this;
    const made = fn.addInstr(fn.opcode[i], fn.instrBlock[i]);
    fn.instrFlags[made] = fn.instrFlags[i];
    fn.bundle[made] = fn.bundle[i];
    fn.memOperands[made] = fn.memOperands[i];
    const extra = fn.extras.get(i);
    if (extra !== undefined) fn.extras.set(made, extra);
    const begin = fn.opBegin[i];
    for (const k of operands) {
      if (typeof k !== 'number') {
        fn.addOperand(k.kind, k.flags ?? 0, k.val, k.ext, k.sub, k.targetFlags);
        continue;
      }
      const o = begin + k;
      const to = fn.addOperand(fn.opKind[o], fn.opFlags[o], fn.opVal[o], fn.opExt[o], fn.opSub[o], fn.opTargetFlags[o]);
      fn.opTied[to] = operands.indexOf(fn.opTied[o]);
    }
    this.makeRoom();
    const kept = new Set(operands);
    for (let o = begin; o < fn.opBegin[i + 1]; o++)
      if (!kept.has(o - begin)) {
        this.unlink(o);
        this.opInstr[o] = NONE;
      }
    operands.forEach((k, at) => {
      const to = fn.opBegin[made] + at;
      this.opInstr[to] = made;
      if (typeof k !== 'number') {
        this.link(to);
        return;
      }
      this.opInstr[begin + k] = NONE;
      this.relink(begin + k, to);
    });
    this.list.insertBefore(i, made);
    this.list.remove(i);
    return made;
  }

  /**
   * An instruction like `i`, in its place, with one operand more at its end, which is linked last: the others keep their places on the lists of their
   * registers. Not for members of bundles. O(operands of the instruction)
   * @llvm MachineInstr.cpp MachineInstr::addOperand
   */
  withOperand(i: InstrId, more: NewOperand): InstrId {
    const { fn } = this;
    const made = cloneInstr(fn, i, fn.instrBlock[i]);
    fn.bundle[made] = fn.bundle[i];
    this.makeRoom();
    const shift = fn.opBegin[made] - fn.opBegin[i];
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      this.opInstr[o + shift] = made;
      this.opInstr[o] = NONE;
      this.relink(o, o + shift);
    }
    const { kind, flags = 0, val, ext = 0, sub = 0, targetFlags = 0 } = more;
    const o = fn.addOperand(kind, flags, val, ext, sub, targetFlags);
    this.makeRoom();
    this.opInstr[o] = made;
    this.link(o);
    this.list.insertBefore(i, made);
    this.list.remove(i);
    return made;
  }

  // -- blocks ------------------------------------------------------------------------------------------------------

  /**
   * Splits a block: from `begin` up to `end` its instructions go into a loop of two blocks, an empty header and the body, what follows goes into a block
   * after it with all successors. New blocks have the next numbers and follow the old one in the layout.
   */
  splitAround(block: BlockId, begin: InstrId, end: ListPos): { header: BlockId; body: BlockId; remainder: BlockId } {
    const { fn, list } = this;
    const layout = this.layoutToChange();
    const [header, body, remainder] = [0, 1, 2].map(() => this.newBlock());
    layout.splice(layout.indexOf(block) + 1, 0, header, body, remainder);
    const moveAll = (from: ListPos, to: ListPos, into: BlockId): void => {
      for (let i = from; i !== to;) {
        const next = list.after(i);
        this.move(i, ~into, into);
        i = next;
      }
    };
    moveAll(end, ~block, remainder);
    moveAll(begin, ~block, body);
    const old = fn.blocks[block];
    const behind = fn.blocks[remainder];
    behind.successors = old.successors;
    behind.probabilities = old.probabilities;
    for (const s of behind.successors) this.renamePredecessor(s, block, remainder);
    const link = (from: BlockId, to: BlockId[]): void => {
      fn.blocks[from].successors = to;
      fn.blocks[from].probabilities = to.map(() => ONE / to.length);
      for (const s of to) fn.blocks[s].predecessors.push(from);
    };
    link(block, [header]);
    link(header, [body]);
    link(body, [header, remainder]);
    return { header, body, remainder };
  }

  /**
   * Splits a block after an instruction: what follows goes into a block with the next number, after `previous` in the layout (the old one if
   * nothing is said), which has all successors. Its live-ins are the caller's to add.
   * @llvm MachineBasicBlock.cpp MachineBasicBlock::splitAt
   */
  splitBehind(i: InstrId, previous = this.fn.instrBlock[i]): BlockId {
    const { fn, list } = this;
    const block = fn.instrBlock[i];
    const old = fn.blocks[block];
    const layout = this.layoutToChange();
    const behind = this.newBlock();
    const made = fn.blocks[behind];
    made.irName = old.irName;
    made.irBlockRef = old.irBlockRef;
    layout.splice(layout.indexOf(previous) + 1, 0, behind);
    for (let next = list.after(i); next >= 0; next = list.after(i)) this.move(next, ~behind, behind);
    made.successors = old.successors;
    made.probabilities = old.probabilities;
    for (const s of made.successors) {
      this.renamePredecessor(s, block, behind);
      // The new block comes last among those before it.
      const { predecessors } = fn.blocks[s];
      fn.blocks[s].predecessors = [...predecessors.filter((p) => p !== behind), behind];
    }
    old.successors = [behind];
    old.probabilities = [ONE];
    made.predecessors = [block];
    return behind;
  }

  /** An empty block without edges, with the next number, after `block` in the layout; -1: before all others. */
  insertBlock(block: BlockId): BlockId {
    const layout = this.layoutToChange();
    const made = this.newBlock();
    layout.splice(layout.indexOf(block) + 1, 0, made);
    return made;
  }

  /** An empty block with the next number. */
  private newBlock(): BlockId {
    const { fn } = this;
    const id = this.list.addBlock();
    const number = fn.nBlockNumbers > 0 ? fn.nBlockNumbers++ : id;
    fn.blocks.push(emptyBlock(number));
    // Else the id is the number.
    if (number !== id) {
      const numbers = Int32Array.from({ length: id + 1 }, (_, b) => fn.numberOf(b));
      numbers[id] = number;
      fn.blockNumbers = numbers;
    }
    return id;
  }

  /** Takes blocks with their instructions out of the layout; what names them is mended by the caller, before. `dropTakenBlocks` ends that. O(blocks) */
  takeOutBlocks(...blocks: readonly BlockId[]): void {
    const { list } = this;
    for (const b of blocks) for (let i = list.first(b); i >= 0; i = list.first(b)) this.erase(i);
    const gone = new Set(blocks);
    this.layout = this.layoutToChange().filter((b) => !gone.has(b));
  }

  /**
   * Blocks that were taken out are gone, the others keep their numbers; returns the new id of each old one, -1 of those that are gone. O(size of the function)
   * @llvm MachineFunction.cpp MachineFunction::removeFromMBBNumbering
   */
  dropTakenBlocks(): Int32Array | null {
    const { fn } = this;
    const nLeft = this.layout?.length ?? fn.blocks.length;
    if (fn.nBlockNumbers === 0) fn.nBlockNumbers = fn.blocks.length;
    const idOf = this.renumberBlocks();
    fn.blocks.length = nLeft;
    return idOf;
  }

  /** The same at the end of the layout. */
  appendBlock(): BlockId {
    const layout = this.layoutToChange();
    const made = this.newBlock();
    layout.push(made);
    return made;
  }

  /** The block after one in the layout, -1 after the last one. O(blocks) where some were put in between */
  blockAfter(block: BlockId): BlockId {
    const { layout } = this;
    const at = layout === null ? block : layout.indexOf(block);
    if (layout !== null) return layout[at + 1] ?? NONE;
    return at + 1 < this.fn.blocks.length ? at + 1 : NONE;
  }

  /** The blocks in the order of the layout. */
  blockOrder(): Iterable<BlockId> {
    return this.layout ?? this.fn.blocks.keys();
  }

  private layoutToChange(): BlockId[] {
    return (this.layout ??= this.fn.blocks.map((_, b) => b));
  }

  /**
   * Gives the blocks ids in the order of the layout again where some were put in between; their numbers, which the header has, stay (`MachineFunction.blockNumbers`).
   * Returns the new id of each old one, null when nothing changes. O(size of the function)
   * @llvm MachineFunction.cpp MachineFunction::RenumberBlocks
   */
  renumberBlocks(): Int32Array | null {
    const { fn, layout } = this;
    if (layout === null) return null;
    this.layout = null;
    // Blocks that were taken out have no id.
    const idOf = new Int32Array(fn.blocks.length).fill(NONE);
    layout.forEach((old, id) => (idOf[old] = id));
    const renamed = (b: BlockId): BlockId => idOf[b] ?? b;
    // New blocks have the next numbers, and these as their ids.
    const numbers = Int32Array.from(layout, (old) => fn.blockNumbers?.[old] ?? old);
    fn.blockNumbers = numbers;
    const blocks = layout.map((old) => ({
      ...fn.blocks[old],
      successors: fn.blocks[old].successors.map(renamed),
      predecessors: fn.blocks[old].predecessors.map(renamed),
    }));
    for (const [b, block] of blocks.entries()) fn.blocks[b] = block;
    for (let o = 0; o < fn.nOperands; o++) if (fn.opKind[o] === OperandKind.MBB) fn.opVal[o] = renamed(fn.opVal[o]);
    for (let i = 0; i < fn.nInstrs; i++) fn.instrBlock[i] = renamed(fn.instrBlock[i]);
    this.list.renumberBlocks(idOf);
    return idOf;
  }

  /**
   * Takes blocks with their instructions out; the others have the numbers of their places in the layout. Edges and
   * PHIs that name them are the caller's to mend, before. O(size of the function)
   * @llvm MachineFunction.cpp MachineFunction::RenumberBlocks
   */
  removeBlocks(dead: readonly BlockId[]): void {
    const gone = new Set(dead);
    this.layOut([...this.blockOrder()].filter((b) => !gone.has(b)));
  }

  /** Gives the function these blocks in this order, with the numbers of their places, or with `numbers`, of which `nNumbers` were given out; the others go with their instructions. See `removeBlocks`. */
  layOut(
    order: readonly BlockId[],
    numbers: { readonly nNumbers: number; numberOf(b: BlockId): number } | null = null,
  ): void {
    const { fn, list } = this;
    const stays = new Set(order);
    const n = fn.blocks.length;
    for (let b = 0; b < n; b++) if (!stays.has(b)) for (let i = list.first(b); i >= 0; i = list.first(b)) this.erase(i);
    this.layout = [...order];
    fn.blockNumbers = numbers === null ? null : Int32Array.from({ length: n }, (_, b) => numbers.numberOf(b));
    this.renumberBlocks();
    if (numbers === null) fn.blockNumbers = null;
    fn.nBlockNumbers = numbers?.nNumbers ?? 0;
    fn.blocks.length = order.length;
  }

  private renamePredecessor(block: BlockId, from: BlockId, to: BlockId): void {
    const { fn, list } = this;
    fn.blocks[block].predecessors = fn.blocks[block].predecessors.map((p) => (p === from ? to : p));
    const phi = fn.tables.opcodeByName('PHI');
    for (let i = list.first(block); i >= 0 && fn.opcode[i] === phi; i = list.after(i))
      for (let o = fn.opBegin[i] + 2; o < fn.opBegin[i + 1]; o += 2) if (fn.opVal[o] === from) fn.opVal[o] = to;
  }

  // -- operands --------------------------------------------------------------------------------------------------

  /** Names another register in an operand. */
  setReg(o: OperandId, reg: Reg): void {
    if (this.fn.opVal[o] === reg) return;
    this.unlink(o);
    this.fn.opVal[o] = reg;
    this.link(o);
  }

  /** Puts another operand in the place of one; ties are the caller's. */
  setOperand(o: OperandId, { kind, flags = 0, val, ext = 0, sub = 0, targetFlags = 0 }: NewOperand): void {
    const { fn } = this;
    this.unlink(o);
    fn.opKind[o] = kind;
    fn.opFlags[o] = flags;
    fn.opVal[o] = val;
    fn.opExt[o] = ext;
    fn.opSub[o] = sub;
    fn.opTargetFlags[o] = targetFlags;
    this.link(o);
  }

  /** Names another register wherever an instruction names one; sub-registers and flags stay. */
  renameIn(i: InstrId, from: Reg, to: Reg): void {
    const { opBegin, opKind, opVal } = this.fn;
    for (let o = opBegin[i]; o < opBegin[i + 1]; o++)
      if (opKind[o] === OperandKind.Register && opVal[o] === from) this.setReg(o, to);
  }

  /**
   * Replaces a register everywhere, debug instructions included.
   * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::replaceRegWith
   */
  replaceReg(from: Reg, to: Reg): void {
    for (let o = this.firstOperand(from); o >= 0;) {
      const next = this.nextOp[o];
      this.setReg(o, to);
      o = next;
    }
  }

  // -- registers and the end -------------------------------------------------------------------------------------

  /**
   * A new virtual register like another one.
   * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::cloneVirtualRegister
   */
  cloneVReg(like: number): number {
    return this.fn.vregs.addLike(like);
  }

  /** Writes the layout back. The editor may go on. O(instructions) */
  finish(): MachineFunction {
    this.renumberBlocks();
    this.list.writeBack();
    return this.fn;
  }

  // -- lists -----------------------------------------------------------------------------------------------------

  /** Puts the register operands of a new instruction on their lists. */
  private enter(i: InstrId): void {
    const { fn } = this;
    this.makeRoom();
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      this.opInstr[o] = i;
      this.link(o);
    }
  }

  private makeRoom(): void {
    const { nOperands } = this.fn;
    if (this.opInstr.length >= nOperands) return;
    this.opInstr = grown(this.opInstr, nOperands);
    this.nextOp = grown(this.nextOp, nOperands);
    this.prevOp = grown(this.prevOp, nOperands);
  }

  private leave(i: InstrId): void {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      this.unlink(o);
      this.opInstr[o] = NONE;
    }
  }

  private setHead(reg: Reg, o: OperandId): void {
    if (!isVirtualReg(reg)) {
      this.headOfPhys.set(reg, o);
      return;
    }
    if (~reg >= this.headOfVReg.length) this.headOfVReg = grown(this.headOfVReg, ~reg + 1);
    this.headOfVReg[~reg] = o;
  }

  private link(o: OperandId): void {
    const { fn, nextOp, prevOp } = this;
    const reg = fn.opVal[o];
    if (fn.opKind[o] !== OperandKind.Register || reg === NO_REG) return;
    const head = this.firstOperand(reg);
    if (head < 0) {
      if (!isVirtualReg(reg)) this.namedRegs.add(reg);
      prevOp[o] = o;
      nextOp[o] = NONE;
      this.setHead(reg, o);
      return;
    }
    const last = prevOp[head];
    prevOp[head] = o;
    prevOp[o] = last;
    if (this.isDef(o)) {
      nextOp[o] = head;
      this.setHead(reg, o);
    } else {
      nextOp[last] = o;
      nextOp[o] = NONE;
    }
  }

  /** Puts operand `to`, which is of the same register, in the place of `o`. */
  private relink(o: OperandId, to: OperandId): void {
    const { fn, nextOp, prevOp } = this;
    const reg = fn.opVal[o];
    if (fn.opKind[o] !== OperandKind.Register || reg === NO_REG) return;
    const head = this.firstOperand(reg);
    const next = nextOp[o];
    const prev = prevOp[o];
    nextOp[to] = next;
    prevOp[to] = prev === o ? to : prev;
    if (o === head) this.setHead(reg, to);
    else nextOp[prev] = to;
    if (next >= 0) prevOp[next] = to;
    else if (o !== head) prevOp[head] = to;
    nextOp[o] = prevOp[o] = NONE;
  }

  private unlink(o: OperandId): void {
    const { fn, nextOp, prevOp } = this;
    const reg = fn.opVal[o];
    if (fn.opKind[o] !== OperandKind.Register || reg === NO_REG) return;
    const head = this.firstOperand(reg);
    const next = nextOp[o];
    const prev = prevOp[o];
    if (o === head) this.setHead(reg, next);
    else nextOp[prev] = next;
    // The last operand is told by the first one.
    if (next >= 0) prevOp[next] = prev;
    else if (o !== head) prevOp[head] = prev;
    nextOp[o] = prevOp[o] = NONE;
  }
}

/** A copy of an instruction under a new id, in no list: operands, ties, flags, memory operands, trailers. O(operands) */
function cloneInstr(fn: MachineFunction, i: InstrId, block: BlockId): InstrId {
  const c = fn.addInstr(fn.opcode[i], block);
  fn.instrFlags[c] = fn.instrFlags[i];
  for (let o = fn.opBegin[i], end = fn.opBegin[i + 1]; o < end; o++) {
    const at = fn.addOperand(fn.opKind[o], fn.opFlags[o], fn.opVal[o], fn.opExt[o], fn.opSub[o], fn.opTargetFlags[o]);
    fn.opTied[at] = fn.opTied[o];
  }
  fn.memOperands[c] = fn.memOperands[i];
  const extra = fn.extras.get(i);
  if (extra !== undefined) fn.extras.set(c, extra);
  return c;
}
