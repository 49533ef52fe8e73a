/**
 * Registers within one block each (RegAllocFast, LLVM 22; docs/llvm/fast-allocation.md).
 *
 * A block is walked from its end to its begin, so that a value is first met where it is read last: there it gets a register, which its definition
 * gives back. What may live beyond the block has a slot on the stack: it is saved after each definition and loaded at the begin of blocks that read it.
 */
import type { FrameContext } from '../../../analysis/frame/frameContext.js';
import { createSlotForClass, insertSpill, stackAccess } from '../../../analysis/frame/spillCode.js';
import { isBasicBlockPrologue } from '../../../analysis/blockPrologue.js';
import type { ReservedRegs } from '../../../analysis/reservedRegs.js';
import type { FunctionEditor } from '../../../model/edit/functionEditor.js';
import { regOperand } from '../../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../../model/edit/instrBuilder.js';
import type { ListPos } from '../../../model/edit/instrList.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../../model/machineFunction.js';
import { maskClobbers } from '../../../model/regMask.js';
import { isPhysicalReg, isVirtualReg, NO_REG, virtReg, type Reg, type VRegId } from '../../../model/register.js';
import { McFlag, type PhysReg, type RegClassId, type TargetTables } from '../../../target/api.js';
import { hasOpcodeFlag } from '../../../target/opcodes.js';
import { opcodeSet } from '../../../target/opcodeSets.js';
import { locationAt } from '../../instrOrder.js';
import { NotModelled } from '../../machinePass.js';
import { addRegisterDead, addRegisterDefined, addRegisterKilled } from '../../registerMarks.js';
import type { SourcePlaces } from '../debug/contract.js';
import { RegisterClassInfo } from '../registerClassInfo.js';
import { isInRun, isWWM, type RunFilter } from '../runFilter.js';
import type { KeptRegisters } from '../state.js';
import { FastDebugValues } from './fastDebugValues.js';

export interface FastOptions {
  readonly filter: RunFilter;
  /** -amdgpu-spill-sgpr-to-vgpr */
  readonly spillsSGPRsToVGPRs: boolean;
  /** -stress-regalloc; 0 = off */
  readonly most: number;
  readonly kept: KeptRegisters;
  readonly sourcePlaces: SourcePlaces | null;
  /** an error with which llc goes on */
  readonly error: (message: string) => void;
}

/**
 * A value of a virtual register that is met in the block.
 * @llvm RegAllocFast.cpp LiveReg
 */
export interface LiveValue {
  readonly v: VRegId;
  /** NO_REG: it is in no register now */
  reg: PhysReg;
  /** something after the present place reads it, other than by loading it */
  isRead: boolean;
  isLiveOut: boolean;
  isReloaded: boolean;
  /** there was no register for it */
  hasFailed: boolean;
}

/** What is in a register unit; from `FIRST_VREG` on: virtual register `state - FIRST_VREG`. */
const enum Unit {
  Free,
  /** a physical register of the code */
  Taken,
  /** of a live-in, when the block is done */
  LiveIn,
  FirstVReg,
}

const CLEAN = 50;
const DIRTY = 100;
const HINT_BONUS = 20;
const IMPOSSIBLE = 0xffffffff;

/** So many operands are looked at before a register is taken to live in other blocks, too. */
const MANY_OPERANDS = 8;
const MANY_DEFS = 3;
const LONG_CHAIN = 3;

/** @llvm RegAllocFast.cpp RegAllocFastImpl */
export class FastAllocator implements FrameContext {
  readonly fn: MachineFunction;
  readonly tables: TargetTables;
  readonly builder: InstrBuilder;
  private readonly classes: RegisterClassInfo;
  private readonly debug: FastDebugValues;
  private readonly copyOpcode: number;
  private readonly bundleOpcode: number;
  private readonly implicitDef: number;
  /** by register unit, with what is in it */
  private readonly units: Int32Array;
  /** by register unit: the instruction that names it last, as `generation`, plus 1 unless it only reads it as a physical register */
  private readonly usedIn: Int32Array;
  private generation = 0;
  /** by virtual register, -1 = none yet */
  private readonly slots: number[];
  private readonly crossesBlocks: Uint8Array;
  /** in the order in which they were met */
  private live = new Map<VRegId, LiveValue>();
  private coalesced: InstrId[] = [];
  private masks: OperandId[] = [];
  private block: BlockId = 0;
  /** The instruction at which the walk is: it has another id when operands were added. */
  private instr: InstrId = -1;
  /** by instruction of the block, in its order; null = nobody has asked */
  private places: Map<InstrId, number> | null = null;
  private ofBundle = new Map<VRegId, LiveValue>();
  /** Operands name virtual registers of this run that got nothing. */
  leavesSome = false;

  constructor(
    readonly editor: FunctionEditor,
    readonly reserved: ReservedRegs,
    readonly options: FastOptions,
  ) {
    const fn = (this.fn = editor.fn);
    this.tables = fn.tables;
    this.builder = new InstrBuilder(editor);
    this.classes = new RegisterClassInfo(fn.subtarget, reserved, options.most);
    this.copyOpcode = fn.tables.opcodeByName('COPY');
    this.bundleOpcode = fn.tables.opcodeByName('BUNDLE');
    this.implicitDef = fn.tables.opcodeByName('IMPLICIT_DEF');
    this.units = new Int32Array(fn.tables.nRegUnits);
    this.usedIn = new Int32Array(fn.tables.nRegUnits);
    this.slots = new Array<number>(fn.vregs.n).fill(-1);
    this.crossesBlocks = new Uint8Array(fn.vregs.n);
    this.debug = new FastDebugValues(this);
  }

  isWWM(v: VRegId): boolean {
    return isWWM(this.fn, v);
  }

  maskOperands(): readonly OperandId[] {
    const { fn } = this;
    const found: OperandId[] = [];
    for (let o = 0; o < fn.nOperands; o++) if (fn.opKind[o] === OperandKind.RegisterMask) found.push(o);
    return found;
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::runOnMachineFunction */
  run(): void {
    const { fn, editor } = this;
    for (let o = 0; o < fn.nOperands; o++) {
      if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o]) || editor.instrOf(o) < 0) continue;
      if (fn.vregs.regClass[~fn.opVal[o]] < 0)
        throw new NotModelled('registers without a class, at which llc crashes,');
      if (fn.opcode[editor.instrOf(o)] === fn.tables.opcodeByName('INLINEASM_BR'))
        throw new NotModelled('asm that branches');
    }
    for (const b of editor.blockOrder()) this.allocateBlock(b);
    for (let v = 0; v < fn.vregs.n; v++) this.leavesSome ||= editor.firstOperand(virtReg(v)) >= 0;
  }

  isOurs(reg: Reg): boolean {
    return isVirtualReg(reg) && isInRun(this.fn, this.options.filter, ~reg);
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::allocateBasicBlock */
  private allocateBlock(b: BlockId): void {
    const { fn, editor } = this;
    this.block = b;
    this.places = null;
    this.units.fill(Unit.Free);
    for (const s of fn.blocks[b].successors) for (const { reg } of fn.blocks[s].liveIns) this.setUnits(reg, Unit.Taken);
    this.coalesced = [];
    const debugValues = opcodeSet(fn.tables, 'debugValue');
    for (let i = editor.list.before(~b); i >= 0; i = editor.list.before(this.instr)) {
      this.instr = i;
      if (debugValues.has(fn.opcode[i])) {
        this.debug.handle(i);
        continue;
      }
      this.allocateInstr();
      if (fn.opcode[this.instr] === this.bundleOpcode) this.rewriteMembers();
    }
    this.reloadAtBegin(b);
    for (const i of this.coalesced) editor.erase(i);
    this.debug.endOfBlock();
  }

  // -- units -------------------------------------------------------------------------------------------------------

  private setUnits(reg: PhysReg, to: number): void {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) this.units[unitList[k]] = to;
  }

  private firstUnit(reg: PhysReg): number {
    return this.units[this.tables.unitList[this.tables.unitBegin[reg]]];
  }

  private isFree(reg: PhysReg): boolean {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) if (this.units[unitList[k]] !== Unit.Free) return false;
    return true;
  }

  private mark(reg: PhysReg, as: number): void {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) this.usedIn[unitList[k]] = as;
  }

  private isMasked(reg: PhysReg): boolean {
    return this.masks.some((o) => maskClobbers(this.fn, o, reg));
  }

  /**
   * The instruction names a part of it. `countsReads`: also where it only reads it as a physical register, and where its mask overwrites it.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::isRegUsedInInstr
   */
  private isUsedInInstr(reg: PhysReg, countsReads: boolean): boolean {
    if (countsReads && this.isMasked(reg)) return true;
    const { unitBegin, unitEnd, unitList } = this.tables;
    const from = countsReads ? this.generation : this.generation + 1;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) if (this.usedIn[unitList[k]] >= from) return true;
    return false;
  }

  /** The value in a unit whose state says that there is one. */
  private valueIn(state: number): LiveValue {
    return this.live.get(state - Unit.FirstVReg)!;
  }

  /**
   * Nothing is in the register afterwards: values in it are loaded again after the instruction. True where something was.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::displacePhysReg
   */
  private displace(reg: PhysReg): boolean {
    const { unitBegin, unitEnd, unitList } = this.tables;
    let wasTaken = false;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const state = this.units[unitList[k]];
      if (state === Unit.Free) continue;
      wasTaken = true;
      if (state === Unit.Taken) {
        this.units[unitList[k]] = Unit.Free;
        continue;
      }
      const value = this.valueIn(state);
      this.reload(this.editor.list.after(this.instr), value.v, value.reg);
      this.setUnits(value.reg, Unit.Free);
      value.reg = NO_REG;
      value.isReloaded = true;
    }
    return wasTaken;
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::freePhysReg */
  private free(reg: PhysReg): void {
    const state = this.firstUnit(reg);
    if (state === Unit.Free) return;
    if (state < Unit.FirstVReg) {
      this.setUnits(reg, Unit.Free);
      return;
    }
    const value = this.valueIn(state);
    this.setUnits(value.reg, Unit.Free);
    value.reg = NO_REG;
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::calcSpillCost */
  private costOf(reg: PhysReg): number {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const state = this.units[unitList[k]];
      if (state === Unit.Free) continue;
      if (state < Unit.FirstVReg) return IMPOSSIBLE;
      const value = this.valueIn(state);
      return this.slots[value.v] >= 0 || value.isLiveOut ? CLEAN : DIRTY;
    }
    return 0;
  }

  // -- the stack ---------------------------------------------------------------------------------------------------

  /** The value of a register as far as the walk has come, null where nothing below reads or writes it. */
  valueNow(v: VRegId): LiveValue | null {
    return this.live.get(v) ?? null;
  }

  /** Its slot, -1 = it has none. */
  slotOf(v: VRegId): number {
    return this.slots[v];
  }

  private slotFor(v: VRegId): number {
    if (this.slots[v] < 0) this.slots[v] = createSlotForClass(this, this.fn.vregs.regClass[v]);
    return this.slots[v];
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::spill */
  private spill(at: ListPos, value: LiveValue, isKill: boolean): void {
    const { v, reg, isLiveOut } = value;
    const slot = this.slotFor(v);
    this.access(at, v, reg, isKill ? OpFlag.Kill : 0, true);
    this.debug.spilled(v, slot, at, isLiveOut ? this.block : null);
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::reload */
  private reload(at: ListPos, v: VRegId, reg: PhysReg): void {
    this.slotFor(v);
    this.access(at, v, reg, 0, false);
  }

  private access(at: ListPos, v: VRegId, reg: PhysReg, flags: number, isSave: boolean): void {
    const like = locationAt(this.editor, at);
    const rc = this.fn.vregs.regClass[v];
    insertSpill(this, at, reg, flags, this.slots[v], rc, isSave, { of: virtReg(v), like });
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::reloadAtBegin */
  private reloadAtBegin(b: BlockId): void {
    const { fn, editor } = this;
    if (this.live.size === 0) return;
    for (const { reg } of fn.blocks[b].liveIns) this.setUnits(reg, Unit.LiveIn);
    const named = new Set<Reg>();
    const behind = this.beginOf(b, named);
    for (const { v, reg, hasFailed } of this.live.values()) {
      if (reg === NO_REG || hasFailed || this.firstUnit(reg) === Unit.LiveIn) continue;
      this.reload(named.has(reg) ? editor.list.first(b) : behind, v, reg);
    }
    this.live = new Map();
  }

  /**
   * Where a block's own instructions begin, after what restores EXEC and the like, whose registers come into `named`.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::getMBBBeginInsertionPoint
   */
  private beginOf(b: BlockId, named: Set<Reg>): ListPos {
    const { fn, editor } = this;
    const labels = opcodeSet(fn.tables, 'label');
    let i = editor.list.first(b);
    for (; i >= 0; i = editor.list.after(i)) {
      if (labels.has(fn.opcode[i])) continue;
      if (!isBasicBlockPrologue(fn, i, -1) && !this.isSaveOfAsm(b, i)) break;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) named.add(fn.opVal[o]);
    }
    return i;
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::mayBeSpillFromInlineAsmBr */
  private isSaveOfAsm(b: BlockId, i: InstrId): boolean {
    const { fn } = this;
    if (!fn.blocks[b].isInlineAsmBrIndirectTarget) return false;
    if (stackAccess(this, i)?.isSave !== true) return false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (reg !== NO_REG && fn.blocks[b].liveIns.some((l) => l.reg === reg)) return true;
    }
    return false;
  }

  // -- other blocks ------------------------------------------------------------------------------------------------

  /** Whether `a` stands before `b`, both of this block. */
  private standsBefore(a: InstrId, b: InstrId): boolean {
    return this.placeOf(a) < this.placeOf(b);
  }

  private placeOf(i: InstrId): number {
    const { editor, fn } = this;
    if (this.places === null) {
      this.places = new Map();
      for (let k = editor.list.first(this.block); k >= 0; k = editor.list.after(k))
        this.places.set(k, this.places.size);
    }
    let head = i;
    while ((fn.bundle[head] & BundleFlag.BundledPred) !== 0) head--;
    return this.places.get(head) ?? 0;
  }

  /** Instructions that define or read a register; one with several operands in a row once. */
  private *instrsOf(v: VRegId, isDef: boolean): IterableIterator<InstrId> {
    const { editor } = this;
    let last = -1;
    for (const o of editor.operandsOf(virtReg(v))) {
      if (editor.isDef(o) !== isDef || (!isDef && editor.isDebug(o))) continue;
      const i = editor.instrOf(o);
      if (i !== last) yield i;
      last = i;
    }
  }

  private crosses(v: VRegId): void {
    this.crossesBlocks[v] = 1;
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::mayLiveOut */
  private mayLiveOut(v: VRegId): boolean {
    const { fn, block } = this;
    const { successors } = fn.blocks[block];
    if (this.crossesBlocks[v] === 1) return successors.length > 0;
    let loopDef = -1;
    if (successors.includes(block)) {
      for (const i of this.instrsOf(v, true)) {
        if (fn.instrBlock[i] !== block) {
          this.crosses(v);
          return true;
        }
        if (loopDef < 0 || this.standsBefore(i, loopDef)) loopDef = i;
      }
      if (loopDef < 0) {
        this.crosses(v);
        return true;
      }
    }
    let n = 0;
    for (const i of this.instrsOf(v, false)) {
      if (fn.instrBlock[i] !== block || ++n >= MANY_OPERANDS) {
        this.crosses(v);
        return successors.length > 0;
      }
      if (loopDef >= 0 && (loopDef === i || !this.standsBefore(loopDef, i))) {
        this.crosses(v);
        return true;
      }
    }
    return false;
  }

  /**
   * Notes where a value may come from another block, before its operands are rewritten.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::mayLiveIn
   */
  private noteLiveIn(v: VRegId): void {
    if (this.crossesBlocks[v] === 1) return;
    let n = 0;
    for (const i of this.instrsOf(v, true))
      if (this.fn.instrBlock[i] !== this.block || ++n >= MANY_OPERANDS) {
        this.crosses(v);
        return;
      }
  }

  // -- choice ------------------------------------------------------------------------------------------------------

  private assign(value: LiveValue, reg: PhysReg): void {
    value.reg = reg;
    this.setUnits(reg, Unit.FirstVReg + value.v);
    this.debug.assigned(this.instr, value.v, reg);
  }

  private isFullCopy(i: InstrId): boolean {
    const { fn } = this;
    const o = fn.opBegin[i];
    return fn.opcode[i] === this.copyOpcode && fn.opSub[o] === 0 && fn.opSub[o + 1] === 0;
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::traceCopyChain */
  private chainEnd(from: Reg): PhysReg {
    const { fn, editor } = this;
    let reg = from;
    for (let n = 0; n <= LONG_CHAIN; n++) {
      if (isPhysicalReg(reg)) return reg;
      if (!isVirtualReg(reg) || !editor.hasOneDef(reg)) return NO_REG;
      const def = editor.defOf(reg);
      if (!this.isFullCopy(def)) return NO_REG;
      reg = fn.opVal[fn.opBegin[def] + 1];
    }
    return NO_REG;
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::traceCopies */
  private copiedFrom(v: VRegId): PhysReg {
    const { fn } = this;
    let n = 0;
    for (const i of this.instrsOf(v, true)) {
      if (this.isFullCopy(i)) {
        const reg = this.chainEnd(fn.opVal[fn.opBegin[i] + 1]);
        if (reg !== NO_REG) return reg;
      }
      if (++n >= MANY_DEFS) break;
    }
    return NO_REG;
  }

  /**
   * Gives a value a register: what it is copied to or from, one that is free, or the one whose values are moved to the stack most cheaply.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::allocVirtReg
   */
  private allocate(value: LiveValue, hint: Reg, countsReads: boolean): void {
    const rc = this.fn.vregs.regClass[value.v];
    const usable = (reg: Reg): boolean =>
      isPhysicalReg(reg) &&
      this.reserved.isAllocatable(reg) &&
      this.tables.classContains(rc, reg) &&
      !this.isUsedInInstr(reg, countsReads);
    const hints: PhysReg[] = [];
    for (const of of [(): Reg => hint, (): Reg => this.copiedFrom(value.v)]) {
      const reg = of();
      if (!usable(reg)) continue;
      if (this.isFree(reg)) {
        this.assign(value, reg);
        return;
      }
      hints.push(reg);
    }
    let best = NO_REG;
    let least = IMPOSSIBLE;
    for (const reg of this.classes.order(rc)) {
      if (this.isUsedInInstr(reg, countsReads)) continue;
      let cost = this.costOf(reg);
      if (cost === 0) {
        this.assign(value, reg);
        return;
      }
      if (hints.includes(reg)) cost -= HINT_BONUS;
      if (cost < least) {
        best = reg;
        least = cost;
      }
    }
    if (best === NO_REG) {
      value.reg = this.failed(value, rc);
      value.hasFailed = true;
      return;
    }
    this.displace(best);
    this.assign(value, best);
  }

  /**
   * What a value is said to be in where there is no register for it: llc complains, once per function, and goes on.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::getErrorAssignment
   */
  private failed({ hasFailed }: LiveValue, rc: RegClassId): PhysReg {
    const { fn, options, tables } = this;
    const { kept } = options;
    const isFirst = !kept.hasFailed;
    kept.hasFailed = true;
    const order = this.classes.order(rc);
    const complain = (what: string): void => {
      options.error(`${this.sourcePlace()}: ${what} in function '${fn.header.name}'`);
    };
    if (order.length === 0) {
      if (isFirst) complain('no registers from class available to allocate');
      const all = tables.classRegs(rc);
      if (all.length === 0) throw new NotModelled('registers of a class without any, at which llc crashes,');
      return all[0];
    }
    if (!hasFailed && isFirst) {
      if (opcodeSet(tables, 'inlineAsm').has(fn.opcode[this.instr]))
        options.error('inline assembly requires more registers than available');
      else complain('ran out of registers during register allocation');
    }
    return order[0];
  }

  private sourcePlace(): string {
    const { sourcePlaces } = this.options;
    const location = this.fn.extras.get(this.instr)?.debugLocation;
    if (sourcePlaces === null) return '<unknown>:0:0';
    return location === undefined ? sourcePlaces.functionPlace : sourcePlaces.sourcePlace(location);
  }

  // -- operands ----------------------------------------------------------------------------------------------------

  private operand(k: number): OperandId {
    return this.fn.opBegin[this.instr] + k;
  }

  private isTiedToValue(o: OperandId): boolean {
    const { fn } = this;
    if (fn.opTied[o] < 0) return false;
    return (fn.opFlags[fn.opBegin[this.editor.instrOf(o)] + fn.opTied[o]] & OpFlag.Undef) === 0;
  }

  /** The present instruction has another id, since operands came to it or went. */
  private became(i: InstrId): boolean {
    if (i !== this.instr) {
      const place = this.places?.get(this.instr);
      if (place !== undefined) this.places?.set(i, place);
      this.instr = i;
    }
    return true;
  }

  private hidesRenamable(o: OperandId): boolean {
    const { fn, editor } = this;
    const flag = editor.isDef(o) ? McFlag.ExtraDefRegAllocReq : McFlag.ExtraSrcRegAllocReq;
    return hasOpcodeFlag(fn.tables, fn.opcode[editor.instrOf(o)], flag);
  }

  /** Says whether an operand may be renamed, as far as it shows. */
  setRenamable(o: OperandId, isRenamable: boolean): void {
    const { fn } = this;
    if (isRenamable && !this.hidesRenamable(o)) fn.opFlags[o] |= OpFlag.Renamable;
    else fn.opFlags[o] &= ~OpFlag.Renamable;
  }

  /**
   * Names the register of a value in an operand. The part stays beside a definition until its register is given back. True where the operands of the present
   * instruction may stand elsewhere now.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::setPhysReg
   */
  setReg(o: OperandId, { reg, hasFailed }: Pick<LiveValue, 'reg' | 'hasFailed'>): boolean {
    const { fn, editor } = this;
    const isDef = editor.isDef(o);
    if (hasFailed && !isDef) fn.opFlags[o] |= OpFlag.Undef;
    const sub = fn.opSub[o];
    editor.setReg(o, sub === 0 ? reg : this.tables.getSubReg(reg, sub));
    this.setRenamable(o, !hasFailed);
    if (sub === 0) return false;
    if (!isDef) fn.opSub[o] = 0;
    const flags = fn.opFlags[o];
    if ((flags & OpFlag.Kill) !== 0) {
      this.refuseHeader();
      return this.became(addRegisterKilled(editor, this.instr, reg, true).instr);
    }
    if (!isDef || (flags & OpFlag.Undef) === 0) return false;
    this.refuseHeader();
    if ((flags & OpFlag.Dead) !== 0) return this.became(addRegisterDead(editor, this.instr, reg, true).instr);
    return this.became(addRegisterDefined(editor, this.instr, reg));
  }

  /** Members follow their header by their ids. */
  private refuseHeader(): void {
    if (this.fn.bundle[this.instr] !== 0) throw new NotModelled('parts of registers in a bundle');
  }

  private valueOf(v: VRegId): { readonly value: LiveValue; readonly isNew: boolean } {
    let value = this.live.get(v);
    const isNew = value === undefined;
    if (value === undefined) {
      value = { v, reg: NO_REG, isRead: false, isLiveOut: false, isReloaded: false, hasFailed: false };
      this.live.set(v, value);
    }
    return { value, isNew };
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::defineLiveThroughVirtReg */
  private defineThrough(k: number): boolean {
    const { fn, builder, editor } = this;
    const v = ~fn.opVal[this.operand(k)];
    const value = this.live.get(v);
    if (value !== undefined) {
      const old = value.reg;
      if (old !== NO_REG && this.isUsedInInstr(old, true)) {
        this.free(old);
        value.reg = NO_REG;
        this.allocate(value, NO_REG, true);
        builder.build(editor.list.after(this.instr), this.instr, this.copyOpcode, [
          regOperand(old, OpFlag.Def),
          regOperand(value.reg, OpFlag.Kill),
        ]);
      }
      const o = this.operand(k);
      if (fn.opSub[o] !== 0 && (fn.opFlags[o] & OpFlag.Undef) === 0) value.isRead = true;
    }
    return this.define(k, true);
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::defineVirtReg */
  private define(k: number, countsReads: boolean): boolean {
    const { fn } = this;
    const o = this.operand(k);
    const v = ~fn.opVal[o];
    const { value, isNew } = this.valueOf(v);
    if (isNew && (fn.opFlags[o] & OpFlag.Dead) === 0) {
      if (this.mayLiveOut(v)) value.isLiveOut = true;
      else fn.opFlags[o] |= OpFlag.Dead;
    }
    if (value.reg === NO_REG) this.allocate(value, NO_REG, countsReads);
    if (value.isReloaded || value.isLiveOut) {
      if (fn.opcode[this.instr] !== this.implicitDef) {
        this.spill(this.editor.list.after(this.instr), value, !value.isRead);
        value.isRead = false;
      }
      value.isLiveOut = value.isReloaded = false;
    }
    if (fn.opcode[this.instr] === this.bundleOpcode) this.ofBundle.set(v, { ...value });
    this.mark(value.reg, this.generation + 1);
    return this.setReg(o, value);
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::useVirtReg */
  private use(k: number): boolean {
    const { fn } = this;
    const o = this.operand(k);
    const v = ~fn.opVal[o];
    const { value, isNew } = this.valueOf(v);
    if (isNew && (fn.opFlags[o] & OpFlag.Kill) === 0) {
      if (this.mayLiveOut(v)) value.isLiveOut = true;
      else fn.opFlags[o] |= OpFlag.Kill;
    }
    if (value.reg === NO_REG) {
      const first = this.operand(0);
      const isCopy = fn.opcode[this.instr] === this.copyOpcode && fn.opSub[first + 1] === 0;
      this.allocate(value, isCopy && isPhysicalReg(fn.opVal[first]) ? fn.opVal[first] : NO_REG, false);
    }
    value.isRead = true;
    if (fn.opcode[this.instr] === this.bundleOpcode) this.ofBundle.set(v, { ...value });
    this.mark(value.reg, this.generation + 1);
    return this.setReg(o, value);
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::allocVirtRegUndef */
  private useUndefined(o: OperandId): void {
    const { fn, editor, tables } = this;
    const v = ~fn.opVal[o];
    const value = this.live.get(v);
    let reg = value?.reg ?? NO_REG;
    let isRenamable = true;
    if (reg === NO_REG) {
      const rc = fn.vregs.regClass[v];
      const order = this.classes.order(rc);
      if (order.length === 0) {
        if (value === undefined) throw new NotModelled('an undefined operand of a class without registers');
        reg = this.failed(value, rc);
        value.hasFailed = true;
        isRenamable = false;
      } else reg = order[0];
    }
    const sub = fn.opSub[o];
    fn.opSub[o] = 0;
    editor.setReg(o, sub === 0 ? reg : tables.getSubReg(reg, sub));
    this.setRenamable(o, isRenamable);
  }

  // -- an instruction ----------------------------------------------------------------------------------------------

  /** Goes on with `step` for the operands by their indices, again from the first one whenever it says that they have moved. */
  private forOperands(step: (k: number) => boolean): void {
    for (let again = true; again;) {
      again = false;
      for (let k = 0; k < this.fn.numOperands(this.instr) && !again; k++)
        if (this.fn.opKind[this.operand(k)] === OperandKind.Register) again = step(k);
    }
  }

  /** @llvm RegAllocFast.cpp RegAllocFastImpl::allocateInstruction */
  private allocateInstr(): void {
    const { fn, editor, reserved } = this;
    this.generation += 2;
    this.masks = [];
    this.ofBundle = new Map();
    let readsPhysical = false;
    let definesVirtual = false;
    let defines = false;
    let hasEarlyClobber = false;
    let hasLiveThrough = false;
    for (let k = 0; k < fn.numOperands(this.instr); k++) {
      const o = this.operand(k);
      if (fn.opKind[o] === OperandKind.RegisterMask) this.masks.push(o);
      if (fn.opKind[o] !== OperandKind.Register) continue;
      const reg = fn.opVal[o];
      const flags = fn.opFlags[o];
      const isEarly = (flags & OpFlag.EarlyClobber) !== 0;
      if (isVirtualReg(reg)) {
        if (!this.isOurs(reg) || !editor.isDef(o)) continue;
        defines = definesVirtual = true;
        hasEarlyClobber ||= isEarly;
        hasLiveThrough ||= isEarly || this.isLiveThrough(o);
      } else if (reg !== NO_REG && !reserved.isReserved(reg)) {
        if (editor.isDef(o)) {
          defines = true;
          const wasTaken = this.displace(reg);
          this.setUnits(reg, Unit.Taken);
          hasEarlyClobber ||= isEarly;
          if (!wasTaken) fn.opFlags[o] |= OpFlag.Dead;
        }
        readsPhysical ||= editor.reads(o);
      }
    }
    if (defines) {
      if (definesVirtual) this.defineAll(hasLiveThrough);
      this.freeDefinitions();
    }
    if (this.masks.length > 0)
      for (const { reg } of this.live.values()) if (reg !== NO_REG && this.isMasked(reg)) this.displace(reg);
    if (readsPhysical) this.usePhysical();
    let hasUndefined = false;
    this.forOperands((k) => {
      const o = this.operand(k);
      const reg = fn.opVal[o];
      if (editor.isDef(o) || !this.isOurs(reg)) return false;
      if ((fn.opFlags[o] & OpFlag.Undef) !== 0) {
        hasUndefined = true;
        return false;
      }
      this.noteLiveIn(~reg);
      return this.use(k);
    });
    if (hasUndefined)
      for (let o = fn.firstReg(this.instr); o >= 0; o = fn.nextReg(this.instr, o))
        if (!editor.isDef(o) && this.isOurs(fn.opVal[o])) this.useUndefined(o);
    if (hasEarlyClobber) this.freeEarlyClobbers();
    this.noteIdentity();
  }

  private isLiveThrough(o: OperandId): boolean {
    const { fn } = this;
    return this.isTiedToValue(o) || (fn.opSub[o] !== 0 && (fn.opFlags[o] & OpFlag.Undef) === 0);
  }

  private defineAll(hasLiveThrough: boolean): void {
    const { fn, editor } = this;
    if (!hasLiveThrough) {
      this.forOperands((k) => {
        const o = this.operand(k);
        return editor.isDef(o) && this.isOurs(fn.opVal[o]) && this.define(k, false);
      });
      return;
    }
    for (let again = true; again;) {
      again = false;
      for (const k of this.sortedDefinitions()) {
        const o = this.operand(k);
        const isThrough = (fn.opFlags[o] & OpFlag.EarlyClobber) !== 0 || this.isLiveThrough(o);
        again = isThrough ? this.defineThrough(k) : this.define(k, false);
        if (again) break;
      }
    }
  }

  /**
   * Definitions by their indices: those of classes that the instruction could use up first, then those that live beside what it reads. Notes what it reads.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::findAndSortDefOperandIndexes
   */
  private sortedDefinitions(): number[] {
    const { fn, editor } = this;
    const found: number[] = [];
    for (let k = 0; k < fn.numOperands(this.instr); k++) {
      const o = this.operand(k);
      if (fn.opKind[o] !== OperandKind.Register) continue;
      const reg = fn.opVal[o];
      if (editor.reads(o) && isPhysicalReg(reg)) this.mark(reg, this.generation);
      if (editor.isDef(o) && this.isOurs(reg)) found.push(k);
    }
    if (found.length <= 1) return found;
    const classOf = (k: number): RegClassId => fn.vregs.regClass[~fn.opVal[this.operand(k)]];
    const isSmall = new Map(
      [...new Set(found.map(classOf))].map((rc) => [rc, this.classes.order(rc).length < this.numDefinitions(rc)]),
    );
    const rank = (k: number): number => {
      const o = this.operand(k);
      const flags = fn.opFlags[o];
      const isThrough =
        (flags & OpFlag.EarlyClobber) !== 0 || fn.opTied[o] >= 0 || (fn.opSub[o] === 0 && (flags & OpFlag.Undef) === 0);
      return (isSmall.get(classOf(k)) === true ? 0 : 2) + (isThrough ? 0 : 1);
    };
    return found.sort((a, b) => rank(a) - rank(b) || a - b);
  }

  /**
   * Definitions of the present instruction that may take a register of the class.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::addRegClassDefCounts
   */
  private numDefinitions(rc: RegClassId): number {
    const { fn, editor, tables } = this;
    let n = 0;
    for (let o = fn.firstReg(this.instr); o >= 0; o = fn.nextReg(this.instr, o)) {
      const reg = fn.opVal[o];
      if (!editor.isDef(o) || reg === NO_REG) continue;
      if (isVirtualReg(reg)) {
        if (this.isOurs(reg) && tables.hasSubClassEq(fn.vregs.regClass[~reg], rc)) n++;
      } else if (tables.classRegs(rc).some((other) => tables.regsOverlap(reg, other))) n++;
    }
    return n;
  }

  private definitionsBackwards(): OperandId[] {
    const { fn, editor } = this;
    const found: OperandId[] = [];
    for (let o = fn.firstReg(this.instr); o >= 0; o = fn.nextReg(this.instr, o)) if (editor.isDef(o)) found.unshift(o);
    return found;
  }

  /** What the instruction writes is free above it. Implicit definitions of whole registers stand last, and come first here. */
  private freeDefinitions(): void {
    const { fn } = this;
    for (const o of this.definitionsBackwards()) {
      const reg = fn.opVal[o];
      if (isPhysicalReg(reg) && fn.opSub[o] !== 0) {
        fn.opSub[o] = 0;
        continue;
      }
      if (this.isTiedToValue(o) || (fn.opFlags[o] & OpFlag.EarlyClobber) !== 0) continue;
      if (!isPhysicalReg(reg) || this.reserved.isReserved(reg)) continue;
      this.free(reg);
      this.mark(reg, 0);
    }
  }

  private usePhysical(): void {
    const { fn, editor } = this;
    for (let o = fn.firstReg(this.instr); o >= 0; o = fn.nextReg(this.instr, o)) {
      const reg = fn.opVal[o];
      if (!editor.reads(o) || !isPhysicalReg(reg) || this.reserved.isReserved(reg)) continue;
      const wasTaken = this.displace(reg);
      this.setUnits(reg, Unit.Taken);
      this.mark(reg, this.generation + 1);
      if (!wasTaken) fn.opFlags[o] |= OpFlag.Kill;
    }
  }

  private freeEarlyClobbers(): void {
    const { fn } = this;
    for (const o of this.definitionsBackwards()) {
      const reg = fn.opVal[o];
      if ((fn.opFlags[o] & OpFlag.EarlyClobber) === 0 || !isPhysicalReg(reg) || this.readsPart(reg)) continue;
      this.free(reg);
    }
  }

  private readsPart(reg: PhysReg): boolean {
    const { fn, editor, tables } = this;
    for (let o = fn.firstReg(this.instr); o >= 0; o = fn.nextReg(this.instr, o))
      if (!editor.isDef(o) && editor.reads(o) && isPhysicalReg(fn.opVal[o]) && tables.regsOverlap(fn.opVal[o], reg))
        return true;
    return false;
  }

  /** Copies that copy nothing go when the block is done. */
  private noteIdentity(): void {
    const { fn } = this;
    if (fn.opcode[this.instr] !== this.copyOpcode || fn.numOperands(this.instr) !== 2) return;
    const o = this.operand(0);
    const isDead = fn.subtarget.release.rules.dropsDeadCopies && (fn.opFlags[o] & OpFlag.Dead) !== 0;
    if (fn.opVal[o] === fn.opVal[o + 1] || isDead) this.coalesced.push(this.instr);
  }

  /**
   * Members of a bundle name what its header names.
   * @llvm RegAllocFast.cpp RegAllocFastImpl::handleBundle
   */
  private rewriteMembers(): void {
    const { fn } = this;
    for (let m = this.instr; (fn.bundle[m] & BundleFlag.BundledSucc) !== 0;) {
      m++;
      for (let o = fn.firstReg(m); o >= 0; o = fn.nextReg(m, o)) {
        if (!this.isOurs(fn.opVal[o])) continue;
        const value = this.ofBundle.get(~fn.opVal[o]);
        if (value === undefined)
          throw new NotModelled('a register in a bundle that its header does not name, at which llc crashes,');
        this.setReg(o, value);
      }
    }
  }
}
