/**
 * Everything that the schedulers of one function share: the function being rearranged, its regions, live intervals of the
 * original order, facts about instructions and registers.
 */
import { calleeSaved } from '../../analysis/frame/calleeSaves.js';
import type { SchedRegion } from './regions.js';
import { computeFunctionLimits, type FunctionLimits } from '../../analysis/functionLimits.js';
import { VRegPressureFacts } from '../../analysis/gcnPressure.js';
import { computeLiveIntervals, type LiveIntervals, type RegisterRanges } from '../../analysis/liveIntervals.js';
import { Slot, type SlotIndex } from '../../analysis/slotIndexes.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import { OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { virtReg, type Reg, type VRegId } from '../../model/register.js';
import type { AmdgpuFunctionInfo } from '../../model/header.js';
import type { Opcode, RegClassId, RegUnit } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { LimitQuery } from '../../model/attributeErrors.js';
import { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { InstrList, ListPos } from '../../model/edit/instrList.js';
import { ConstantRegs } from './constantRegs.js';
import { LatencyModel } from './dag/latency.js';
import { InstrRoles, type FormedRegion } from './regions.js';
import { RegionMentions } from './remat/regionMentions.js';
import type { RegionEnds } from './pressure/regionLiveness.js';
import { N_PRESSURE_SETS, pressureSetLimits } from './pressure/setLimits.js';
import { SREG_32_SET } from './strategy/candidate.js';

/** The limits of pressure sets that RegisterClassInfo has computed, some of them for a function before; 0 = not yet, or computed to be 0. */
export class SetLimitsState {
  readonly known = new Uint32Array(N_PRESSURE_SETS);
  private key = '';

  enter(fn: MachineFunction, reserved: ReservedRegs): void {
    const { triple, cpu } = fn.subtarget;
    const key = [triple, cpu, fn.subtarget.featureNames().join(), calleeSaved(fn).join(), reserved.key].join(';');
    if (key !== this.key) this.known.fill(0);
    this.key = key;
  }
}

/** What llc's options change for the whole function. */
export interface ContextOptions {
  /** `-schedmodel` */
  readonly schedModel?: boolean;
  /** `-stress-regalloc`: registers that a class has at most; 0 = no limit */
  readonly stressRegAlloc?: number;
  /** told each time that LLVM would compute one of the function's limits again */
  readonly onLimits?: ((query: LimitQuery) => void) | undefined;
  /** of the function as it is; made when it is not given */
  readonly editor?: FunctionEditor | undefined;
  /** Live intervals were computed before the scheduler: what that changes is done. */
  readonly hasIntervals?: boolean | undefined;
  /** units whose ranges were computed with them; absent: those of the registers that live into the function */
  readonly knownUnits?: ReadonlySet<RegUnit> | null | undefined;
}

/** Is told what rematerialization does besides inserting and erasing instructions. */
export interface RematFollower {
  /** other instructions read the register now; `byLanes`: LLVM follows its lanes apart from then on */
  readersChange(v: VRegId, byLanes: boolean): void;
  /** a definition that stays on the list is none for a while */
  disabled(def: InstrId): void;
  enabled(def: InstrId): void;
}

export class SchedContext {
  readonly fn: MachineFunction;
  readonly editor: FunctionEditor;
  /** that of `editor` */
  readonly list: InstrList;
  readonly roles: InstrRoles;
  /** of the original order, but for registers whose definition went elsewhere: those have what reaches the ends of regions */
  readonly lis: LiveIntervals;
  readonly limits: FunctionLimits;
  /** who keeps live intervals through rematerialization; null = nobody */
  rematFollower: RematFollower | null = null;
  /** registers of copies: GCN's own trackers do not know them where a region ends, even if its boundary reads them */
  readonly copiedRegs = new Set<VRegId>();
  private ownSetLimits: Uint32Array | null = null;
  readonly reserved: ReservedRegs;
  readonly latency: LatencyModel;
  readonly facts: VRegPressureFacts;
  readonly regionMentions: RegionMentions;
  /** units whose live range LLVM would have computed by now */
  readonly unitRanges = new Set<number>();
  /** those of them that a pass before has computed: their kill flags are what it left */
  private readonly unitsBefore: ReadonlySet<number> = new Set();
  /** those of them that the last move computed */
  readonly freshUnits = new Set<number>();
  private readonly constants: ConstantRegs;
  private readonly groupOpcodes: ReadonlySet<number>;
  private readonly isReservedUnit: (unit: RegUnit) => boolean;

  /** `fn` is a clone that the scheduler may edit; live intervals are computed with LLVM's edits. */
  constructor(
    fn: MachineFunction,
    resolveSchedClass: (fn: MachineFunction, i: InstrId) => number,
    private readonly options: ContextOptions = {},
    private readonly setLimits = new SetLimitsState(),
  ) {
    this.fn = fn;
    const mfi = fn.header.machineFunctionInfo;
    fn.header = { ...fn.header, machineFunctionInfo: { ...mfi } };
    this.lis = computeLiveIntervals(fn, { edit: options.hasIntervals !== true });
    this.editor = options.editor ?? new FunctionEditor(fn);
    this.list = this.editor.list;
    this.roles = new InstrRoles(fn);
    this.regionMentions = new RegionMentions(fn, this.list, this.roles, this.lis.indexes);
    this.limits = computeFunctionLimits(fn);
    if (this.mfi.occupancy === 0) this.mfi.occupancy = this.limits.occupancyCeiling;
    this.reserved = new ReservedRegs(fn);
    if (options.onLimits) setLimits.enter(fn, this.reserved);
    this.latency = new LatencyModel(fn, resolveSchedClass, options.schedModel !== false);
    this.facts = new VRegPressureFacts(fn);
    this.constants = new ConstantRegs(fn, this.reserved);
    this.groupOpcodes = opcodeSet(fn.tables, 'regionHasIGLP');
    const { unitBegin, unitEnd, unitList } = fn.tables;
    this.isReservedUnit = (unit) => this.reserved.isReservedUnit(unit);
    if (options.knownUnits) {
      for (const unit of options.knownUnits) this.unitRanges.add(unit);
    } else if (fn.blocks.length > 0) {
      for (const live of fn.blocks[0].liveIns) {
        for (let u = unitBegin[live.reg]; u < unitEnd[live.reg]; u++) this.unitRanges.add(unitList[u]);
      }
    }
    if (options.hasIntervals === true) this.unitsBefore = new Set(this.unitRanges);
  }

  /** A pass before the scheduler has computed live intervals, which stay. */
  get hasIntervals(): boolean {
    return this.options.hasIntervals === true;
  }

  /** LLVM computes a limit of the function. */
  asks(query: LimitQuery): void {
    this.options.onLimits?.(query);
  }

  /**
   * When a region begins, the limits of all pressure sets are asked for.
   * @llvm MachineScheduler.cpp ScheduleDAGMILive::initRegPressure
   */
  askForSetLimits(): void {
    for (let set = 0; set < N_PRESSURE_SETS; set++) this.askForSetLimit(set);
  }

  /**
   * Computed where it is not known, or known to be 0.
   * @llvm RegisterClassInfo.h RegisterClassInfo::getRegPressureSetLimit
   */
  askForSetLimit(set: number): void {
    if (!this.options.onLimits || this.setLimits.known[set] !== 0) return;
    this.asks('occupancyRange');
    this.asks(set === SREG_32_SET ? 'maxNumSGPRs' : 'maxNumVGPRs');
    this.ownSetLimits ??= pressureSetLimits(this);
    this.setLimits.known[set] = this.ownSetLimits[set];
  }

  /** Each instruction that is placed asks for the limits of the sets whose pressure it changes, and one of them is 0. After `askForSetLimits`. */
  get asksForEachChange(): boolean {
    return this.options.onLimits !== undefined && this.setLimits.known.includes(0);
  }

  get mfi(): AmdgpuFunctionInfo {
    return this.fn.header.machineFunctionInfo;
  }

  /** @llvm RegisterClassInfo.h RegisterClassInfo::getNumAllocatableRegs */
  numAllocatableRegs(regClass: RegClassId): number {
    const n = this.reserved.numAllocatableRegs(regClass);
    const limit = this.options.stressRegAlloc ?? 0;
    return limit === 0 ? n : Math.min(n, limit);
  }

  isAllocatableReg(reg: Reg): boolean {
    return this.constants.isAllocatableReg(reg);
  }

  /** The region holds instructions for IGroupLP: SCHED_GROUP_BARRIER or IGLP_OPT. */
  hasInstrGroups(region: { readonly begin: ListPos; readonly end: ListPos }): boolean {
    for (let p = region.begin; p !== region.end && p >= 0; p = this.list.after(p))
      if (this.groupOpcodes.has(this.fn.opcode[p])) return true;
    return false;
  }

  /** Instructions that read a virtual register, members of bundles among them, debug instructions not. O(its operands) */
  usersOf(vreg: VRegId): InstrId[] {
    const { editor } = this;
    const users = new Set<InstrId>();
    for (let o = editor.firstOperand(virtReg(vreg)); o >= 0; o = editor.nextOperand(o)) {
      const i = editor.instrOf(o);
      if (!editor.isDef(o) && !this.roles.isDebug(i)) users.add(i);
    }
    return [...users];
  }

  /** A new register like another one, without definitions and live nowhere at the ends of regions. */
  cloneVReg(like: number): number {
    const v = this.editor.cloneVReg(like);
    this.lis.resizeVRegs();
    this.facts.grow(v);
    return v;
  }

  /** Takes back the registers made last, from index `n` on, which no operand names. */
  dropVRegs(n: number): void {
    this.fn.vregs.truncate(n);
    this.lis.resizeVRegs();
  }

  /**
   * What a register has of the ranges of `like`, live out of `defRegion`, when its definition stands inside of `region` and its last user
   * is the boundary of that; null = it does not live to the end of any region.
   */
  rangesInside(region: SchedRegion | null, like: number, defRegion: SchedRegion): RegisterRanges {
    if (region === null) return this.lis.noRanges(like);
    return this.lis.rangesWithin(
      region.beginSlot + Slot.Register,
      region.endSlot + Slot.Register,
      like,
      defRegion.endSlot,
    );
  }

  isConstantPhysReg(reg: Reg): boolean {
    return this.constants.isConstantPhysReg(reg);
  }

  get maxClusterDWords(): number {
    return this.mfi.maxMemoryClusterDWords;
  }

  hasOneDef(vreg: VRegId): boolean {
    return this.editor.hasOneDef(virtReg(vreg));
  }

  opcodeName(i: InstrId): string {
    return this.fn.tables.opcodeName(this.fn.opcode[i]);
  }

  hasOpcodeFlag(opc: Opcode, flag: number): boolean {
    return hasOpcodeFlag(this.fn.tables, opc, flag);
  }

  /**
   * An instruction is about to get another place: LLVM then drops its kill flags and computes the ranges of the register units
   * that it touches (LiveIntervals::handleMove with flag update).
   * @llvm LiveIntervals.cpp LiveIntervals::handleMove
   */
  noteMoved(i: InstrId): void {
    const { fn, unitRanges, freshUnits } = this;
    freshUnits.clear();
    const { unitBegin, unitEnd, unitList } = fn.tables;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      const reg = fn.opVal[o];
      if (fn.opKind[o] !== OperandKind.Register) continue;
      if ((fn.opFlags[o] & OpFlag.Def) === 0) {
        // A use that reads nothing keeps its flags, and its register is not looked at.
        if ((fn.opFlags[o] & (OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
        fn.opFlags[o] &= ~OpFlag.Kill;
      }
      if (reg <= 0) continue;
      for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) {
        const unit = unitList[u];
        if (unitRanges.has(unit) || this.isReservedUnit(unit)) continue;
        unitRanges.add(unit);
        freshUnits.add(unit);
      }
    }
  }

  /**
   * The same for a move upward, before `to`. A dead def of a part that comes to stand between another def and a def or use of its
   * register is live from then on, as those read the other lanes: LLVM then drops the dead flags of all defs of the instruction
   * (HMEditor::handleMoveUp). Nothing puts them back, and a move downward leaves them alone.
   */
  noteMovedUp(i: InstrId, to: ListPos): void {
    this.noteMoved(i);
    const { fn } = this;
    const deadDef = OpFlag.Def | OpFlag.Dead;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      const reg = fn.opVal[o];
      if (reg >= 0 || fn.opSub[o] === 0 || fn.opKind[o] !== OperandKind.Register) continue;
      if ((fn.opFlags[o] & deadDef) !== deadDef || this.editor.hasOneDef(reg) || !this.isMentionedBetween(reg, to, i))
        continue;
      if (!this.isLiveInFrontOf(reg, to, i)) continue;
      for (let d = fn.opBegin[i]; d < fn.opBegin[i + 1]; d++)
        if (fn.opKind[d] === OperandKind.Register) fn.opFlags[d] &= ~OpFlag.Dead;
      return;
    }
  }

  /** An instruction after `from` that goes before it is not moved for the live intervals: what it passes has no slots. */
  passesDebugInstrsAlone(from: ListPos, i: InstrId): boolean {
    if (!this.fn.subtarget.release.rules.revertsAroundDebugInstrs) return false;
    let passed = from;
    while (passed !== i && this.roles.isDebug(passed)) passed = this.list.after(passed);
    return passed === i;
  }

  /** A value of the register reaches the place before `to`, in the block of `i`. */
  private isLiveInFrontOf(reg: Reg, to: ListPos, i: InstrId): boolean {
    const { fn, lis } = this;
    for (let p = this.list.before(to); p >= 0; p = this.list.before(p)) {
      for (let o = fn.opBegin[p]; o < fn.opBegin[p + 1]; o++) {
        if (fn.opVal[o] !== reg || fn.opKind[o] !== OperandKind.Register) continue;
        if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Dead)) === OpFlag.Def) return true;
      }
    }
    const range = lis.mainRange[~reg];
    return range >= 0 && lis.segmentAt(range, lis.indexes.startOf(fn.instrBlock[i])) >= 0;
  }

  private isMentionedBetween(reg: Reg, from: ListPos, to: ListPos): boolean {
    const { fn } = this;
    for (let p = from; p !== to && p >= 0; p = this.list.after(p)) {
      for (let o = fn.opBegin[p]; o < fn.opBegin[p + 1]; o++) {
        if (fn.opVal[o] !== reg || fn.opKind[o] !== OperandKind.Register || this.roles.isDebug(p)) continue;
        const readsNothing = (fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef)) === OpFlag.Undef;
        if (!readsNothing) return true;
      }
    }
    return false;
  }

  /** Computing the range of a unit drops the kill flags of all uses of registers that contain it, unless it is reserved. */
  clearKillsOfKnownUnits(): void {
    const { fn, unitRanges, unitsBefore } = this;
    const { unitBegin, unitEnd, unitList } = fn.tables;
    for (let o = 0; o < fn.nOperands; o++) {
      if ((fn.opFlags[o] & OpFlag.Kill) === 0 || fn.opKind[o] !== OperandKind.Register) continue;
      const reg = fn.opVal[o];
      if (reg <= 0) continue;
      for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) {
        if (!unitRanges.has(unitList[u]) || unitsBefore.has(unitList[u]) || this.isReservedUnit(unitList[u])) continue;
        fn.opFlags[o] &= ~OpFlag.Kill;
        break;
      }
    }
  }

  makeRegion(r: FormedRegion): SchedRegion {
    const { indexes } = this.lis;
    let first = r.begin;
    while (first >= 0 && this.roles.isDebug(first)) first = this.list.after(first);
    const blockEnd = indexes.lastSlotOf(r.block);
    const boundary = r.end >= 0 ? indexes.instrIndex[r.end] : -1;
    return {
      ...r,
      beginSlot: indexes.instrIndex[first],
      endSlot: boundary >= 0 ? boundary : blockEnd,
      afterBoundarySlot: boundary >= 0 ? boundary + Slot.Dead : blockEnd,
    };
  }

  isUnitLiveAt(unit: RegUnit, slot: SlotIndex): boolean {
    return this.lis.isLiveAt(this.lis.regUnitRange(unit, this.isReservedUnit), slot);
  }

  regionEnds(region: SchedRegion): RegionEnds {
    return new ContextRegionEnds(this, region);
  }

  /** Instructions of a region in their present order, debug instructions included. */
  instrsOf(region: { readonly begin: ListPos; readonly end: ListPos }): InstrId[] {
    const out: InstrId[] = [];
    for (let p = region.begin; p !== region.end && p >= 0; p = this.list.after(p)) out.push(p);
    return out;
  }
}

class ContextRegionEnds implements RegionEnds {
  private readonly lis: LiveIntervals;

  constructor(
    private readonly ctx: SchedContext,
    private readonly region: SchedRegion,
  ) {
    this.lis = ctx.lis;
  }

  get lanesHi(): number {
    return this.lis.lanesHi;
  }

  liveAtBegin(vreg: VRegId): number {
    return this.lis.liveLanes(vreg, this.region.beginSlot);
  }

  liveAtEnd(vreg: VRegId): number {
    return this.lis.liveLanes(vreg, this.region.endSlot);
  }

  liveAfterBoundary(vreg: VRegId): number {
    return this.lis.liveLanes(vreg, this.region.afterBoundarySlot);
  }

  unitLiveAtBegin(unit: RegUnit): boolean {
    return this.ctx.isUnitLiveAt(unit, this.region.beginSlot);
  }

  unitLiveAtEnd(unit: RegUnit): boolean {
    return this.ctx.isUnitLiveAt(unit, this.region.endSlot);
  }

  isAllocatableReg(reg: Reg): boolean {
    return this.ctx.isAllocatableReg(reg);
  }
}
