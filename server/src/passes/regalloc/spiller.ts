/**
 * Puts a value on the stack: saves after its definitions, loads before its uses, or makes it anew there
 * (InlineSpiller of LLVM 22; docs/llvm/allocation-spilling.md, 3). Registers are walked in the order of their operands' lists, which decides the
 * numbers of the new ones.
 */
import { LiveRange, type LiveInterval } from '../../analysis/edit/liveRange.js';
import { NO_SLOT, SlotList } from '../../analysis/edit/slotList.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { scalarLLT } from '../../model/llt.js';
import type { ListPos } from '../../model/edit/instrList.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, type Reg } from '../../model/register.js';
import { McFlag, type RegClassId } from '../../target/api.js';
import { LiveRangeEdit } from './liveRangeEdit.js';
import type { SpillingRun } from './allocator.js';
import { SpillHoister } from './hoistSpills.js';
import { isRematerializable, usesAvailableAt } from './remat.js';
import { createSlotForClass, insertSpill, stackAccess } from '../../analysis/frame/spillCode.js';
import { SplitAnalysis } from './splitAnalysis.js';
import { blockOfLocal, isFullCopy } from './spillWeights.js';
import type { AllocState } from './state.js';
import type { SlotInterval } from './virtRegMap.js';
import { allocatableClass } from '../registerFacts.js';

/** Operands of one register in an instruction or bundle. */
interface Operands {
  readonly ops: readonly OperandId[];
  readonly reads: boolean;
  readonly writes: boolean;
}

/** @llvm InlineSpiller.cpp InlineSpiller */
export class Spiller {
  private readonly state: AllocState;
  private readonly hoister: SpillHoister;
  private readonly analysis: SplitAnalysis;
  private edit!: LiveRangeEdit;
  private original = -1;
  private slot = -1;
  private stack!: SlotInterval;
  private toSpill: number[] = [];
  /** those of them all of whose values were made anew instead */
  private rematted: number[] = [];
  private snippetCopies = new Set<InstrId>();
  private usedValues = new Set<string>();
  private dead: InstrId[] = [];

  constructor(private readonly run: SpillingRun) {
    this.state = run.state;
    this.hoister = new SpillHoister(run.state);
    this.analysis = new SplitAnalysis(run.state);
  }

  /** @llvm InlineSpiller.cpp InlineSpiller::spill */
  spill(v: number, made: number[]): void {
    const { state, run } = this;
    this.edit = new LiveRangeEdit(state, v, made, run, run.deadRemats);
    this.original = state.map.originalOf(v);
    this.slot = state.map.slotOf(this.original);
    this.dead = [];
    this.collect(v);
    this.rematerializeAll();
    if (this.toSpill.length > 0) this.spillAll(v);
    this.edit.computeClassesAndHints(run.weights);
    for (const r of [...this.toSpill, ...this.rematted]) state.debugValues?.split(r, this.edit.regs());
  }

  /**
   * What is done when all registers have their place.
   * @llvm InlineSpiller.cpp InlineSpiller::postOptimization
   */
  finish(): void {
    this.hoister.hoistAll();
    for (const i of this.run.deadRemats) this.state.lis.erase(i);
    this.run.deadRemats.clear();
  }

  // -- what is spilled together ------------------------------------------------------------------------------------

  /** @llvm InlineSpiller.cpp InlineSpiller::isSibling */
  private isSibling(reg: Reg): boolean {
    return isVirtualReg(reg) && this.state.map.originalOf(~reg) === this.original;
  }

  /** The other side of a copy from or to a register, 0 = it is none. */
  private copyOf(i: InstrId, v: number): Reg {
    const { fn } = this.state;
    if (!this.state.isCopy(i) || fn.bundle[i] !== 0) return 0;
    const o = fn.opBegin[i];
    if (fn.opSub[o] !== fn.opSub[o + 1]) return 0;
    if (fn.opVal[o] === virtReg(v)) return fn.opVal[o + 1];
    return fn.opVal[o + 1] === virtReg(v) ? fn.opVal[o] : 0;
  }

  /** Calls `body` with each instruction, or bundle, of a register; the next one is fixed before. */
  private forEachBundle(v: number, body: (head: InstrId) => void): void {
    const { editor } = this.state;
    for (let o = editor.firstOperand(virtReg(v)); o >= 0;) {
      const head = this.state.headOf(o);
      let next = editor.nextOperand(o);
      while (next >= 0 && this.state.headOf(next) === head) next = editor.nextOperand(next);
      body(head);
      o = next;
    }
  }

  /** @llvm InlineSpiller.cpp InlineSpiller::collectRegsToSpill */
  private collect(v: number): void {
    this.toSpill = [v];
    this.rematted = [];
    this.snippetCopies = new Set();
    if (this.original === v) return;
    this.forEachBundle(v, (i) => {
      const other = this.copyOf(i, v);
      if (!this.isSibling(other) || !this.isSnippet(~other, v)) return;
      this.snippetCopies.add(i);
      if (!this.toSpill.includes(~other)) this.toSpill.push(~other);
    });
  }

  /**
   * A short range with one instruction besides copies from and to the register.
   * @llvm InlineSpiller.cpp InlineSpiller::isSnippet
   */
  private isSnippet(s: number, v: number): boolean {
    const { state } = this;
    const interval = state.lis.interval(s);
    if (interval.isEmpty || blockOfLocal(state, interval) < 0 || interval.nValues > 2) return false;
    let use: InstrId = -1;
    let isOne = true;
    this.forEachBundle(s, (i) => {
      if (state.isDebugInstr(i) || this.copyOf(i, v) !== 0) return;
      const access = stackAccess(state, i);
      if (access !== null && access.reg === virtReg(s) && access.slot === this.slot) return;
      if (use >= 0 && use !== i) isOne = false;
      use = i;
    });
    return isOne;
  }

  private operandsIn(head: InstrId, v: number): Operands {
    const { fn, editor } = this.state;
    const ops: OperandId[] = [];
    let reads = false;
    let writes = false;
    for (let m = head; ; m++) {
      for (let o = fn.firstReg(m); o >= 0; o = fn.nextReg(m, o)) {
        if (fn.opVal[o] !== virtReg(v)) continue;
        ops.push(o);
        if (editor.reads(o)) reads = true;
        if (editor.isDef(o)) writes = true;
      }
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return { ops, reads, writes };
    }
  }

  // -- making values anew ------------------------------------------------------------------------------------------

  /** @llvm InlineSpiller.cpp InlineSpiller::reMaterializeAll */
  private rematerializeAll(): void {
    const { state, edit } = this;
    const { lis, slots, editor } = state;
    this.usedValues = new Set();
    let any = false;
    for (const r of this.toSpill)
      this.forEachBundle(r, (i) => {
        if (!state.isDebugInstr(i) && this.rematerializeFor(r, i)) any = true;
      });
    if (!any) return;
    for (const r of this.toSpill) {
      const interval = lis.interval(r);
      for (let value = 0; value < interval.nValues; value++) {
        if (interval.isUnused(value) || interval.isPhi(value) || this.usedValues.has(`${r} ${value}`)) continue;
        const i = slots.instrOf(interval.valueDef[value]);
        this.markDead(i, r);
        if (!lis.areAllDefsDead(i)) continue;
        this.dead.push(i);
        this.markBundledCopies(i, r);
      }
    }
    if (this.dead.length === 0) return;
    edit.eliminateDeadDefs(this.dead, this.toSpill);
    this.toSpill = this.toSpill.filter((r) => {
      if (!editor.isUnused(virtReg(r))) return true;
      edit.eraseVirtReg(r);
      this.rematted.push(r);
      return false;
    });
  }

  /** @llvm InlineSpiller.cpp InlineSpiller::markValueUsed */
  private markUsed(r: number, value: number): void {
    const { state } = this;
    const { lis, slots, fn } = state;
    const work: [number, number][] = [[r, value]];
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      const [x, n] = next;
      const key = `${x} ${n}`;
      if (n < 0 || this.usedValues.has(key)) continue;
      this.usedValues.add(key);
      const interval = lis.interval(x);
      if (interval.isPhi(n)) {
        for (const p of fn.blocks[slots.blockOf(interval.valueDef[n])].predecessors) {
          const before = interval.valueBefore(slots.endOf(p));
          if (before >= 0) work.push([x, before]);
        }
        continue;
      }
      const i = slots.instrOf(interval.valueDef[n]);
      if (i < 0 || !this.snippetCopies.has(i)) continue;
      const source = ~fn.opVal[fn.opBegin[i] + 1];
      const from = lis.interval(source).valueAt(SlotList.at(interval.valueDef[n], Slot.EarlyClobber));
      work.push([source, from]);
    }
  }

  /** @llvm InlineSpiller.cpp InlineSpiller::reMaterializeFor */
  private rematerializeFor(r: number, head: InstrId): boolean {
    const { state, edit } = this;
    const { lis, slots, fn, tables, editor } = state;
    const { ops, reads } = this.operandsIn(head, r);
    if (!reads) return false;
    const base = slots.ofInstr(head);
    const use = SlotList.at(base, Slot.EarlyClobber);
    const value = lis.interval(r).valueAt(base);
    if (value < 0) {
      for (const o of ops) if (!editor.isDef(o)) fn.opFlags[o] |= OpFlag.Undef;
      return true;
    }
    if (this.snippetCopies.has(head)) return false;
    const original = lis.interval(this.original);
    const from = original.valueAt(use);
    let def = from < 0 ? -1 : slots.instrOf(original.valueDef[from]);
    if (def < 0 && fn.subtarget.release.rules.tracesCopies) def = this.definitionBehindCopies(r, value);
    const isTied = ops.some((o) => (editor.isDef(o) ? editor.reads(o) : fn.opTied[o] >= 0));
    if (def < 0 || isTied || !isRematerializable(state, def) || !usesAvailableAt(state, def, use)) {
      this.markUsed(r, value);
      return false;
    }
    const v = edit.create(this.original);
    const narrow = tables.getCommonSubClass(fn.vregs.regClass[v], fn.vregs.regClass[r]);
    if (narrow >= 0) fn.vregs.regClass[v] = narrow;
    state.watch?.rematerializes(r, v, def, head);
    const shrunk = this.shrunkLoad(def, head, v);
    const i = edit.rematerialize(def, head, fn.instrBlock[head], v, -1, false);
    if (shrunk !== null) {
      fn.opcode[i] = shrunk.opcode;
      const first = fn.opBegin[i];
      fn.opSub[first] = 0;
      const o = first + tables.getNamedOperandIdx(shrunk.opcode, 'offset');
      const offset = fn.immBigInt(o) + BigInt(shrunk.offset);
      fn.opVal[o] = Number(BigInt.asIntN(32, offset));
      fn.opExt[o] = Number(offset >> 32n);
      fn.memOperands[i] = (fn.memOperands[def] ?? []).map((m) => ({ ...m, type: scalarLLT(shrunk.bits) }));
    }
    this.copyLocation(i, head);
    for (const o of ops) {
      if (editor.isDef(o) || fn.opVal[o] !== virtReg(r)) continue;
      editor.setReg(o, virtReg(v));
      fn.opFlags[o] |= OpFlag.Kill;
    }
    return true;
  }

  /** What a value was copied from in the end, if that may be computed again; -1 where not. It stands in for a definition that is gone. */
  private definitionBehindCopies(r: number, value: number): InstrId | -1 {
    const { state } = this;
    const { lis, slots, fn } = state;
    let interval = lis.interval(r);
    for (let v = value; ;) {
      const def = slots.instrOf(interval.valueDef[v]);
      if (def < 0) return -1;
      const source = isFullCopy(state, def) ? fn.opVal[fn.opBegin[def] + 1] : 0;
      if (!isVirtualReg(source)) return isRematerializable(state, def) ? def : -1;
      const before = lis.interval(~source).valueBefore(interval.valueDef[v]);
      if (before < 0) return -1;
      interval = lis.interval(~source);
      v = before;
    }
  }

  /** A wide scalar load of which the instruction reads one part: only that is loaded. Changes the operand. */
  private shrunkLoad(def: InstrId, use: InstrId, v: number): { opcode: number; offset: number; bits: number } | null {
    const { state } = this;
    const { fn, tables, editor } = state;
    const name = tables.opcodeName(fn.opcode[def]);
    if ((name !== 'S_LOAD_DWORDX16_IMM' && name !== 'S_LOAD_DWORDX8_IMM') || fn.bundle[use] !== 0) return null;
    const reg = fn.opVal[fn.opBegin[def]];
    let found: OperandId = -1;
    for (let o = fn.firstReg(use); o >= 0; o = fn.nextReg(use, o)) {
      if (fn.opVal[o] !== reg || editor.isDef(o)) continue;
      if (found >= 0) return null;
      found = o;
    }
    if (found < 0 || fn.opSub[found] === 0) return null;
    const bits = tables.subRegSize[fn.opSub[found]];
    if (bits !== 256 && bits !== 128) return null;
    const offset = tables.subRegOffset[fn.opSub[found]] / 8;
    const opcode = tables.opcodeByName(bits === 256 ? 'S_LOAD_DWORDX8_IMM' : 'S_LOAD_DWORDX4_IMM');
    fn.vregs.regClass[v] = allocatableClass(state.tables, fn.subtarget.opInfoRegClass(opcode, 0));
    editor.setReg(found, virtReg(v));
    fn.opSub[found] = 0;
    return { opcode, offset, bits };
  }

  private copyLocation(to: InstrId, from: InstrId): void {
    const { extras } = this.state.fn;
    const debugLocation = from < 0 ? undefined : extras.get(from)?.debugLocation;
    const { debugLocation: old, ...rest } = extras.get(to) ?? {};
    void old;
    if (debugLocation !== undefined) extras.set(to, { ...rest, debugLocation });
    else if (Object.keys(rest).length > 0) extras.set(to, rest);
    else extras.delete(to);
  }

  private markDead(i: InstrId, r: number): void {
    const { fn, lis } = this.state;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) if (lis.isDefOf(o, r)) fn.opFlags[o] |= OpFlag.Dead;
  }

  /** The other copies of a bundle are as dead as its first, where all of them write the same register: nobody saves what they copy. */
  private markBundledCopies(first: InstrId, r: number): void {
    const { fn, opcodes } = this.state;
    if (fn.bundle[first] !== BundleFlag.BundledSucc) return;
    const copies: InstrId[] = [];
    for (let i = first + 1; (fn.bundle[i] & BundleFlag.BundledPred) !== 0; i++) {
      if (fn.opcode[i] !== opcodes.copy || fn.opVal[fn.opBegin[i]] !== virtReg(r)) return;
      copies.push(i);
      if ((fn.bundle[i] & BundleFlag.BundledSucc) === 0) break;
    }
    for (const i of copies) this.markDead(i, r);
  }

  // -- spilling ----------------------------------------------------------------------------------------------------

  /** @llvm InlineSpiller.cpp InlineSpiller::spillAll */
  private spillAll(v: number): void {
    const { state, edit } = this;
    const { lis, fn, editor } = state;
    if (this.slot < 0) {
      const rc = fn.vregs.regClass[this.original];
      this.slot = createSlotForClass(state, rc);
      state.map.stackSlot[this.original] = this.slot;
      const range = new LiveRange(state.slots);
      range.newValue(state.slots.startOf(0));
      state.liveStacks.set(this.slot, { range, regClass: rc });
    }
    this.stack = state.liveStacks.get(this.slot)!;
    if (this.original !== v) state.map.stackSlot[v] = this.slot;
    state.watch?.spills(v, this.slot, this.toSpill);
    for (const r of this.toSpill) this.addToStack(lis.interval(r));
    for (const r of this.toSpill) {
      this.spillAroundUses(r);
      if (state.map.slotOf(r) < 0) state.map.stackSlot[r] = this.slot;
    }
    if (this.dead.length > 0) edit.eliminateDeadDefs(this.dead, this.toSpill);
    for (const r of this.toSpill) {
      for (let o = editor.firstOperand(virtReg(r)); o >= 0; o = editor.firstOperand(virtReg(r)))
        lis.erase(editor.instrOf(o));
    }
    for (const r of this.toSpill) edit.eraseVirtReg(r);
  }

  private addToStack(range: LiveRange, value = -1): void {
    for (let s = 0; s < range.size; s++)
      if (value < 0 || range.value[s] === value) this.stack.range.addSegment(range.start[s], range.end[s], 0);
  }

  /** @llvm InlineSpiller.cpp InlineSpiller::spillAroundUses */
  private spillAroundUses(r: number): void {
    const { state, edit } = this;
    const { lis, slots, fn, editor } = state;
    const interval = lis.interval(r);
    this.forEachBundle(r, (i) => {
      if (state.isDebugInstr(i) || this.snippetCopies.has(i)) return;
      if (this.coalesceAccess(i, r)) return;
      const { ops, reads, writes } = this.operandsIn(i, r);
      let at = SlotList.at(slots.ofInstr(i), Slot.Register);
      const early = interval.valueAt(SlotList.at(at, Slot.EarlyClobber));
      if (early >= 0 && SlotList.isSameInstr(interval.valueDef[early], at)) at = interval.valueDef[early];
      const other = this.copyOf(i, r);
      if (other !== 0 && this.isSibling(other)) {
        if (this.toSpill.includes(~other)) {
          this.snippetCopies.add(i);
          return;
        }
        if (writes) {
          if (this.hoistInsideBlock(i)) {
            fn.opFlags[fn.opBegin[i]] |= OpFlag.Dead;
            this.dead.push(i);
            return;
          }
        } else this.eliminateRedundant(~other, lis.interval(~other).valueAt(at));
      }
      if (this.fold(i, r, ops)) return;
      const v = edit.create(r);
      if (reads) this.insertReload(v, i);
      let hasLiveDef = false;
      for (const o of ops) {
        editor.setReg(o, virtReg(v));
        if (!editor.isDef(o)) {
          if (fn.opTied[o] < 0) fn.opFlags[o] |= OpFlag.Kill;
        } else if ((fn.opFlags[o] & OpFlag.Dead) === 0) hasLiveDef = true;
      }
      if (writes && hasLiveDef) this.insertSave(v, i);
    });
  }

  /** @llvm InlineSpiller.cpp InlineSpiller::coalesceStackAccess */
  private coalesceAccess(i: InstrId, r: number): boolean {
    const access = stackAccess(this.state, i);
    if (access === null || access.reg !== virtReg(r) || access.slot !== this.slot) return false;
    if (access.isSave) this.hoister.remove(i, this.slot);
    this.state.lis.erase(i);
    return true;
  }

  /** @llvm InlineSpiller.cpp InlineSpiller::insertReload */
  private insertReload(v: number, at: InstrId): void {
    const { state } = this;
    const { fn, slots } = state;
    const b = fn.instrBlock[at];
    const i = insertSpill(state, at, virtReg(v), 0, this.slot, fn.vregs.regClass[v], false);
    this.copyLocation(i, at);
    slots.insert(i, b);
  }

  /** @llvm InlineSpiller.cpp InlineSpiller::insertSpill */
  private insertSave(v: number, head: InstrId): void {
    const { state } = this;
    const { fn, slots, editor, opcodes } = state;
    const b = fn.instrBlock[head];
    const behind = editor.list.after(head);
    const first = fn.opBegin[head];
    const isUndef = fn.opcode[head] === opcodes.implicitDef && fn.opSub[first] === 0;
    if (isUndef) {
      const i = state.builder.build(behind, head, opcodes.kill, [
        { kind: OperandKind.Register, flags: OpFlag.Kill, val: virtReg(v) },
      ]);
      slots.insert(i, b);
      return;
    }
    const i = this.save(behind, b, virtReg(v), OpFlag.Kill, fn.vregs.regClass[v]);
    this.hoister.add(i, this.slot, this.original);
  }

  /** A save before `at`, with a slot and the location of what follows. */
  private save(at: ListPos, b: BlockId, reg: Reg, flags: number, rc: RegClassId): InstrId {
    const { state } = this;
    const i = insertSpill(state, at, reg, flags, this.slot, rc, true);
    let next = at;
    while (next >= 0 && state.isDebugInstr(next)) next = state.editor.list.after(next);
    this.copyLocation(i, next);
    state.slots.insert(i, b);
    return i;
  }

  // -- copies into and out of memory -------------------------------------------------------------------------------

  /** @llvm InlineSpiller.cpp InlineSpiller::foldMemoryOperand */
  private fold(i: InstrId, r: number, all: readonly OperandId[]): boolean {
    const { state } = this;
    const { fn, editor, tables, opcodes } = state;
    if (fn.bundle[i] !== 0) return false;
    const ops: OperandId[] = [];
    for (const o of all) {
      const isUse = !editor.isDef(o);
      if (isUse && !editor.reads(o) && fn.opTied[o] < 0) continue;
      if ((fn.opFlags[o] & OpFlag.Implicit) !== 0) continue;
      if (fn.opSub[o] !== 0) return false;
      if (!isUse || fn.opTied[o] < 0) ops.push(o);
    }
    if (ops.length === 0) return false;
    this.keepFromSpecialRegs(i);
    if (ops.length !== 1 || !state.isCopy(i) || (fn.opcode[i] === opcodes.copy && fn.numOperands(i) !== 2))
      return false;
    const o = ops[0];
    const first = fn.opBegin[i];
    if (o - first > 1) return false;
    const other = o === first ? first + 1 : first;
    if (fn.opSub[o] !== 0 || fn.opSub[other] !== 0) return false;
    const rc = fn.vregs.regClass[r];
    const reg = fn.opVal[other];
    if (reg === 0) return false;
    if (isVirtualReg(reg) ? !tables.hasSubClassEq(rc, fn.vregs.regClass[~reg]) : !tables.classContains(rc, reg))
      return false;
    const isSave = o === first;
    const flags = isSave ? fn.opFlags[other] : 0;
    // Of a copy of nothing there is nothing to save.
    const made =
      (flags & OpFlag.Undef) !== 0
        ? state.builder.build(i, i, opcodes.kill, [{ kind: OperandKind.Register, flags, val: reg }])
        : insertSpill(state, i, reg, flags & OpFlag.Kill, this.slot, rc, isSave);
    this.copyLocation(made, i);
    state.slots.replace(i, made);
    editor.erase(i);
    if (isSave) this.hoister.add(made, this.slot, this.original);
    return true;
  }

  /**
   * A virtual SGPR that is copied to or from a physical one stays out of M0 and EXEC, or it could not be saved.
   * @llvm SIInstrInfo.cpp SIInstrInfo::foldMemoryOperandImpl
   */
  private keepFromSpecialRegs(i: InstrId): void {
    const { state } = this;
    const { fn, tables } = state;
    if (!isFullCopy(state, i)) return;
    const first = fn.opBegin[i];
    const [d, s] = [fn.opVal[first], fn.opVal[first + 1]];
    const v = isVirtualReg(d) && s > 0 ? ~d : isVirtualReg(s) && d > 0 ? ~s : -1;
    if (v < 0) return;
    const rc = fn.vregs.regClass[v];
    for (const [wide, narrow] of [
      ['sreg_32', 'sreg_32_xm0_xexec'],
      ['sreg_64', 'sreg_64_xexec'],
    ]) {
      if (!tables.hasSubClassEq(tables.regClassByName(wide), rc)) continue;
      const common = tables.getCommonSubClass(rc, tables.regClassByName(narrow));
      if (common >= 0) fn.vregs.regClass[v] = common;
      return;
    }
  }

  // -- siblings ----------------------------------------------------------------------------------------------------

  /**
   * Saves the source of a copy where it is defined, in the same block.
   * @llvm InlineSpiller.cpp InlineSpiller::hoistSpillInsideBB
   */
  private hoistInsideBlock(i: InstrId): boolean {
    const { state } = this;
    const { fn, lis, slots, editor } = state;
    const at = slots.ofInstr(i);
    const source = ~fn.opVal[fn.opBegin[i] + 1];
    const from = lis.interval(source);
    const value = from.valueAt(at);
    if (value < 0) return false;
    const def = from.valueDef[value];
    const b = slots.blockOf(def);
    if (b !== fn.instrBlock[i] || !from.query(at).isKill) return false;
    const original = lis.interval(this.original);
    const there = original.valueAt(at);
    if (there >= 0) this.addToStack(original, there);
    this.eliminateRedundant(source, value);
    const pos = from.isPhi(value) ? this.afterLabels(b, source) : editor.list.after(slots.instrOf(def));
    const made = this.save(pos, b, virtReg(source), 0, fn.vregs.regClass[source]);
    this.hoister.add(made, this.slot, this.original);
    return true;
  }

  private afterLabels(b: BlockId, v: number): ListPos {
    const pos = this.analysis.skipPrologue(b, v);
    return pos >= 0 ? pos : ~b;
  }

  /**
   * A value is in the slot: saves of it, also by way of copies, are not needed.
   * @llvm InlineSpiller.cpp InlineSpiller::eliminateRedundantSpills
   */
  private eliminateRedundant(v: number, value: number): void {
    const { state } = this;
    const { lis, slots, fn, editor, opcodes } = state;
    const work: [number, number][] = [[v, value]];
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      const [x, n] = next;
      if (this.toSpill.includes(x) || n < 0) continue;
      const interval: LiveInterval = lis.interval(x);
      this.addToStack(interval, n);
      const nextUse = (from: number): number => {
        let p = from;
        while (p >= 0 && (editor.isDef(p) || editor.isDebug(p))) p = editor.nextOperand(p);
        return p;
      };
      for (let o = nextUse(editor.firstOperand(virtReg(x))); o >= 0;) {
        const head = state.headOf(o);
        do o = nextUse(editor.nextOperand(o));
        while (o >= 0 && state.headOf(o) === head);
        if (!state.has(head, McFlag.MayStore) && !state.isCopy(head)) continue;
        const at = slots.ofInstr(head);
        if (at === NO_SLOT || interval.valueAt(at) !== n) continue;
        const other = this.copyOf(head, x);
        if (other !== 0) {
          if (this.isSibling(other)) work.push([~other, lis.interval(~other).valueAt(SlotList.at(at, Slot.Register))]);
          continue;
        }
        const access = stackAccess(state, head);
        if (access === null || !access.isSave || access.reg !== virtReg(x) || access.slot !== this.slot) continue;
        fn.opcode[head] = opcodes.kill;
        this.dead.push(head);
        this.hoister.remove(head, this.slot);
      }
    }
  }
}
