/**
 * The registers that make up the pressure of an instruction: those that live across it, what it reads, what it defines, as the upward
 * tracker counts them (GCNUpwardRPTracker; docs/llvm/register-pressure.md, 2). Their weights add up to the numbers of `PressureSummary.up.at`.
 *
 * That number is the largest of three moments: before the instruction (with its early clobbers), at it (what lives across and all its
 * defs), and after it. Each kind of register has its own, so the moment is chosen per kind.
 */
import { BundleFlag, OpFlag, type InstrId } from '../model/machineFunction.js';
import { NO_KIND, coveredRegs, type VRegPressureFacts } from './gcnPressure.js';
import { GCNUpwardRPTracker } from './gcnTrackers.js';
import type { LiveRegSet } from './liveSets.js';
import type { PressureSummary } from './summary.js';
import type { VRegId } from '../model/register.js';

export interface LiveRegister {
  readonly vreg: VRegId;
  /** RegKind */
  readonly kind: number;
  /** 32-bit registers that count */
  readonly weight: number;
  /** lanes that live, or are defined here */
  readonly lo: number;
  readonly hi: number;
}

const N_KINDS = 4;

/** Live registers by kind for the instruction i (a bundle by its header), in no particular order. O(block and registers) */
export function liveAt(summary: PressureSummary, i: InstrId): LiveRegister[] {
  const { fn, facts } = summary;
  let header = i;
  while ((fn.bundle[header] & BundleFlag.BundledPred) !== 0) header--;
  const b = fn.instrBlock[header];
  const tracker = new GCNUpwardRPTracker(summary.lis, facts);
  tracker.resetToSet(summary.borders.liveOut, b);
  for (let p = fn.blockEnd[b] - 1; p >= fn.blockBegin[b] && fn.order[p] !== header; p--)
    if ((fn.bundle[fn.order[p]] & BundleFlag.BundledPred) === 0) tracker.recede(fn.order[p]);
  const after = new Moment(facts);
  after.addSet(tracker.live);
  const at = new Moment(facts);
  const clobbers = new Moment(facts);
  let hasDef = false;
  if (summary.lis.indexes.instrIndex[header] >= 0) {
    const through = new Map<number, { lo: number; hi: number }>();
    for (let k = 0; k < tracker.live.size; k++) {
      const v = tracker.live.regs[k];
      through.set(v, { lo: tracker.live.lo[v], hi: tracker.live.hi[v] });
    }
    for (let o = fn.opBegin[header]; o < fn.opBegin[header + 1]; o++) {
      const v = ~fn.opVal[o];
      if ((fn.opFlags[o] & OpFlag.Def) === 0 || v < 0) continue;
      hasDef = true;
      const sub = fn.opSub[o];
      const lo = sub === 0 ? facts.fullLo[v] : fn.tables.subRegLaneLo[sub];
      const hi = sub === 0 ? facts.fullHi[v] : fn.tables.subRegLaneHi[sub];
      at.add(v, lo, hi);
      if ((fn.opFlags[o] & OpFlag.EarlyClobber) !== 0) clobbers.add(v, lo, hi);
      const left = through.get(v);
      if (left) through.set(v, { lo: left.lo & ~lo, hi: left.hi & ~hi });
    }
    for (const [v, { lo, hi }] of through) at.add(v, lo, hi);
    tracker.recede(header);
  }
  const before = new Moment(facts);
  before.addSet(tracker.live);
  before.addAll(clobbers);
  const moments = hasDef ? [at, before, after] : [before, after];
  const result: LiveRegister[] = [];
  for (let kind = 0; kind < N_KINDS; kind++) {
    const best = moments.reduce((x, y) => (x.totals[kind] < y.totals[kind] ? y : x));
    result.push(...best.registers.filter((r) => r.kind === kind));
  }
  return result;
}

/** Registers that live at one moment. A register may stand there twice: lanes that go through and lanes that are defined. */
class Moment {
  readonly registers: LiveRegister[] = [];
  /** 32-bit registers by RegKind */
  readonly totals = [0, 0, 0, 0];

  constructor(private readonly facts: VRegPressureFacts) {}

  add(vreg: VRegId, lo: number, hi: number): void {
    const kind = this.facts.kind[vreg];
    const covered = coveredRegs(lo, hi);
    if (kind === NO_KIND || covered === 0) return;
    const weight = this.facts.is32[vreg] !== 0 ? 1 : covered;
    this.totals[kind] += weight;
    this.registers.push({ vreg, kind, weight, lo: lo >>> 0, hi: hi >>> 0 });
  }

  addSet(live: LiveRegSet): void {
    for (let k = 0; k < live.size; k++) this.add(live.regs[k], live.lo[live.regs[k]], live.hi[live.regs[k]]);
  }

  addAll(other: Moment): void {
    for (const r of other.registers) this.add(r.vreg, r.lo, r.hi);
  }
}
