/**
 * Which instructions may be computed again elsewhere, and whether their operands are there.
 *
 * Follows SIInstrInfo::isReMaterializableImpl, isIgnorableUse and LiveRangeEdit's allUsesAvailableAt as docs/llvm/remat.md, 0.2 and 0.3 describe
 * them.
 */
import { resultDependsOnExec } from '../../constantRegs.js';
import { OpFlag, OperandKind, type InstrId, type OperandId } from '../../../model/machineFunction.js';
import { Slot, type SlotIndex } from '../../../analysis/slotIndexes.js';
import type { Reg, VRegId } from '../../../model/register.js';
import { MemFlag } from '../../../model/memOperand.js';
import { McFlag } from '../../../target/api.js';
import type { SchedContext } from '../context.js';
import type { SchedRegion } from '../regions.js';
import type { ListPos } from '../../../model/edit/instrList.js';

const SALU = 1 << 0;
const VALU = 1 << 1;
const VOP1 = 1 << 7;
const VOP2 = 1 << 8;
const VOP3 = 1 << 10;
const SDWA = 1 << 14;
const SMRD = 1 << 19;

/** Why a definition cannot be rematerialized; null when it can. Words for the user, not LLVM's. */
export type RematObstacle =
  | 'not rematerializable'
  | 'implicit definition'
  | 'extra implicit operands'
  | 'may raise FP exceptions'
  | 'reads a physical register';

/** @llvm GCNSchedStrategy.cpp PreRARematStage::isReMaterializable */
export function rematObstacle(ctx: SchedContext, i: InstrId): RematObstacle | null {
  const { fn } = ctx;
  const opc = fn.opcode[i];
  const isImplicitDef = ctx.opcodeName(i) === 'IMPLICIT_DEF' && fn.numOperands(i) === 1;
  if (!isImplicitDef) {
    if (!ctx.hasOpcodeFlag(opc, McFlag.Rematerializable)) return 'not rematerializable';
    const byTarget = targetObstacle(ctx, i);
    if (byTarget !== null && !genericallyRematerializable(ctx, i)) return byTarget;
  }
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if (fn.opVal[o] <= 0 || (fn.opFlags[o] & OpFlag.Def) !== 0) continue;
    if (ctx.isConstantPhysReg(fn.opVal[o])) continue;
    if ((fn.opFlags[o] & OpFlag.Implicit) === 0 || fn.tables.regName(fn.opVal[o]).replace(/_lo$/, '') !== 'exec')
      return 'reads a physical register';
    if ((fn.tables.opcodeTSLo(opc) & VALU) === 0 || resultDependsOnExec(ctx.editor, i))
      return 'reads a physical register';
  }
  return null;
}

/** @llvm SIInstrInfo.cpp SIInstrInfo::isReMaterializableImpl */
function targetObstacle(ctx: SchedContext, i: InstrId): RematObstacle | null {
  const { fn } = ctx;
  const { tables } = fn;
  const opc = fn.opcode[i];
  const ts = tables.opcodeTSLo(opc);
  const isAlu = (ts & (VOP1 | VOP2 | VOP3 | SDWA | SALU)) !== 0;
  const isInvariantLoad = (ts & SMRD) !== 0 && hasOnlyInvariantLoads(ctx, i);
  if (!isAlu && !isInvariantLoad) return 'not rematerializable';
  if (tables.implicitDefs(opc).length > 0) return 'implicit definition';
  let nImplicit = 0;
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
    if (fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Implicit) !== 0) nImplicit++;
  }
  if (nImplicit !== tables.implicitUses(opc).length) return 'extra implicit operands';
  // bit 12 of the instruction flags: nofpexcept
  if (ctx.hasOpcodeFlag(opc, McFlag.MayRaiseFPException) && (fn.instrFlags[i] & (1 << 12)) === 0)
    return 'may raise FP exceptions';
  return null;
}

function hasOnlyInvariantLoads(ctx: SchedContext, i: InstrId): boolean {
  const both = MemFlag.Load | MemFlag.Invariant;
  const mem = ctx.fn.memOperands[i] ?? [];
  return mem.length > 0 && mem.every((m) => (m.flags & both) === both);
}

/**
 * The rule of all targets.
 * @llvm TargetInstrInfo.cpp TargetInstrInfo::isReMaterializableImpl
 */
function genericallyRematerializable(ctx: SchedContext, i: InstrId): boolean {
  const { fn } = ctx;
  const opc = fn.opcode[i];
  const first = fn.opBegin[i];
  if (fn.numOperands(i) === 0 || fn.opKind[first] !== OperandKind.Register || (fn.opFlags[first] & OpFlag.Def) === 0)
    return false;
  const reg = fn.opVal[first];
  if (fn.opSub[first] !== 0 && (fn.opFlags[first] & OpFlag.Undef) === 0) return false;
  for (const flag of [McFlag.MayStore, McFlag.NotDuplicable, McFlag.UnmodeledSideEffects])
    if (ctx.hasOpcodeFlag(opc, flag)) return false;
  if (ctx.hasOpcodeFlag(opc, McFlag.MayRaiseFPException) && (fn.instrFlags[i] & (1 << 12)) === 0) return false;
  if (ctx.hasOpcodeFlag(opc, McFlag.MayLoad) && !isDereferenceableInvariantLoad(ctx, i)) return false;
  for (let o = first; o < fn.opBegin[i + 1]; o++) {
    if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] === 0) continue;
    const isDef = (fn.opFlags[o] & OpFlag.Def) !== 0;
    if (fn.opVal[o] > 0) {
      if (isDef || !ctx.isConstantPhysReg(fn.opVal[o])) return false;
    } else if (isDef && fn.opVal[o] !== reg) return false;
  }
  return true;
}

/** @llvm MachineInstr.cpp MachineInstr::isDereferenceableInvariantLoad */
function isDereferenceableInvariantLoad(ctx: SchedContext, i: InstrId): boolean {
  const both = MemFlag.Invariant | MemFlag.Dereferenceable;
  const mem = ctx.fn.memOperands[i] ?? [];
  return mem.length > 0 && mem.every((m) => (m.flags & (both | MemFlag.Store)) === both);
}

/** Lanes of a virtual register. */
interface Lanes {
  readonly lo: number;
  readonly hi: number;
}

function lanesOf({ fn, facts }: SchedContext, o: OperandId): Lanes {
  const sub = fn.opSub[o];
  const v = ~fn.opVal[o];
  return sub === 0
    ? { lo: facts.fullLo[v], hi: facts.fullHi[v] }
    : { lo: fn.tables.subRegLaneLo[sub], hi: fn.tables.subRegLaneHi[sub] };
}

/** The operand reads a virtual register. */
function readsVReg({ fn }: SchedContext, o: OperandId): boolean {
  return fn.opVal[o] < 0 && (fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef | OpFlag.Internal)) === 0;
}

function mentionedLanes(ctx: SchedContext, i: InstrId, reg: Reg, isOne: (o: OperandId) => boolean): Lanes {
  const { fn } = ctx;
  let lo = 0;
  let hi = 0;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if (fn.opVal[o] !== reg || !isOne(o)) continue;
    const lanes = lanesOf(ctx, o);
    lo |= lanes.lo;
    hi |= lanes.hi;
  }
  return { lo, hi };
}

/** Number of the value in the interval's main range; -1 = there is none. */
function valueIn({ lis }: SchedContext, reg: Reg, slot: SlotIndex): number {
  const range = lis.mainRange[~reg];
  const s = range < 0 ? -1 : lis.segmentAt(range, slot);
  return s < 0 ? -1 : lis.segValue[s];
}

/** Just before `at`. Once the region is indexed O(log mentions). */
function valueAt(ctx: SchedContext, reg: Reg, at: ListPos, region: SchedRegion): number {
  const def = ctx.regionMentions.valueAbove(region, reg, at);
  return valueIn(ctx, reg, def < 0 ? region.beginSlot : ctx.lis.indexes.instrIndex[def] + Slot.Register);
}

/** Those that live just before `at`. Once the region is indexed: what it takes to meet every lane after `at`. */
function lanesAt(ctx: SchedContext, reg: Reg, at: ListPos, region: SchedRegion): Lanes {
  const { fn, lis, regionMentions, facts } = ctx;
  const v = ~reg;
  // a lane lives when it is read before it is defined, or when nobody here mentions it and it lives at the region's end
  let lo = 0;
  let hi = 0;
  let openLo = facts.fullLo[v];
  let openHi = facts.fullHi[v];
  for (const p of regionMentions.from(region, reg, at)) {
    const defs = mentionedLanes(ctx, p, reg, (o) => (fn.opFlags[o] & OpFlag.Def) !== 0);
    const reads = mentionedLanes(ctx, p, reg, (o) => readsVReg(ctx, o));
    lo |= reads.lo & openLo;
    hi |= reads.hi & openHi;
    openLo &= ~(reads.lo | defs.lo);
    openHi &= ~(reads.hi | defs.hi);
    if ((openLo | openHi) === 0) return { lo, hi };
  }
  lo |= lis.liveLanes(v, region.endSlot) & openLo;
  hi |= lis.lanesHi & openHi;
  return { lo, hi };
}

/** What of the lanes some sub-range of the register has. */
function inSubRanges({ lis }: SchedContext, reg: Reg, { lo, hi }: Lanes): Lanes {
  let [ownLo, ownHi] = [0, 0];
  for (let r = lis.subRange[~reg]; r >= 0; r = lis.nextSubRange[r]) {
    ownLo |= lis.laneLo[r];
    ownHi |= lis.laneHi[r];
  }
  return { lo: lo & ownLo, hi: hi & ownHi };
}

/**
 * A virtual register that `def` reads and that has not the same value, live, just before `use`; -1 = all are available there. Both
 * with their regions; a boundary instruction comes with the region that it ends, null = there is none: it and what lives there stay
 * where they are. Of registers that `needsAll` names every lane must be there, of others those that `def` reads.
 * @llvm CalcSpillWeights.cpp VirtRegAuxInfo::allUsesAvailableAt
 */
export function operandNotAvailable(
  ctx: SchedContext,
  def: InstrId,
  defRegion: SchedRegion,
  use: InstrId,
  useRegion: SchedRegion | null,
  needsAll: (vreg: VRegId) => boolean = () => false,
): number {
  const { fn, lis } = ctx;
  const useSlot = lis.indexes.instrIndex[use];
  for (let o = fn.firstReg(def); o >= 0; o = fn.nextReg(def, o)) {
    if (!readsVReg(ctx, o)) continue;
    const reg = fn.opVal[o];
    const there = useRegion === null ? valueIn(ctx, reg, useSlot) : valueAt(ctx, reg, use, useRegion);
    if (there !== valueAt(ctx, reg, def, defRegion)) return ~reg;
    const live = useRegion === null ? liveLanes(ctx, reg, useSlot) : lanesAt(ctx, reg, use, useRegion);
    if ((live.lo | live.hi) === 0) return ~reg;
    // lanes that no sub-range has were never written
    const all = { lo: ctx.facts.fullLo[~reg], hi: ctx.facts.fullHi[~reg] };
    const read = inSubRanges(ctx, reg, needsAll(~reg) ? all : lanesOf(ctx, o));
    if ((read.lo & ~live.lo) !== 0 || (read.hi & ~live.hi) !== 0) return ~reg;
  }
  return -1;
}

function liveLanes({ lis }: SchedContext, reg: Reg, slot: SlotIndex): Lanes {
  const lo = lis.liveLanes(~reg, slot);
  return { lo, hi: lis.lanesHi };
}
