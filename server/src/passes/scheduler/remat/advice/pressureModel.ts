/**
 * Pressure of a function with any set of its candidates rematerialized, without editing it.
 *
 * A rematerialization changes the live range of its register only: operands of the definition are live at each copy, and so at
 * all places where the definition kept them alive. What remains of the range, and the ranges of the copies, are known from the users, so the numbers are those that
 * the upward tracker would count on the edited function (test/unit/passes/scheduler/remat/advice/pressureModel.test.ts compares). What lives through a block
 * without instructions lives after the last instruction before it, too. One evaluation costs O(places between the first and the
 * last that change).
 */
import { coveredRegs, newPressure, NO_KIND, type Pressure } from '../../../../analysis/gcnPressure.js';
import { INSTR_DIST, Slot } from '../../../../analysis/slotIndexes.js';
import { reportOccupancy, type PressureSummary } from '../../../../analysis/summary.js';
import { OpFlag, type InstrId, type BlockId, type Place } from '../../../../model/machineFunction.js';
import { RegKind } from '../../../../target/api.js';
import type { RematCandidate, RematCandidates, UseGroup } from './candidates.js';
import type { RegionChange, RematEffect } from './effect.js';
import type { VRegId } from '../../../../model/register.js';

const N_KINDS = 4;

/** A run of places [from, to] at which `registers` registers are no longer live; a negative number of them comes to live there. */
interface Freed {
  readonly from: number;
  readonly to: number;
  readonly registers: number;
}

interface LanePart {
  /** start and end slots by twos, ascending, disjoint */
  readonly segments: readonly number[];
  readonly lo: number;
  readonly hi: number;
  /** 32-bit registers of the lanes */
  readonly registers: number;
}

/** A copy before the instruction at a place. */
interface CopyAt {
  readonly place: Place;
  /** registers of it that live before that instruction, and that it defines besides */
  readonly live: number;
  readonly dead: number;
}

/** What one choice changes. Places are slots divided by INSTR_DIST. */
export interface RematDelta {
  /** of several copies before one instruction those of earlier definitions come first */
  readonly def: InstrId;
  readonly kind: RegKind;
  /** of the copy */
  readonly registers: number;
  /** just before and just after the instructions */
  readonly before: readonly Freed[];
  readonly after: readonly Freed[];
  readonly copies: readonly CopyAt[];
}

export class RematPressureModel {
  /** by RegKind and place: pressure before the instruction with its early clobbers, after it with its dead defs */
  private readonly before: readonly Int32Array[];
  private readonly after: readonly Int32Array[];
  private readonly earlyClobber: readonly Int32Array[];
  /** greatest of both; prefix and suffix maxima of it */
  private readonly upTo: readonly Int32Array[];
  private readonly from: readonly Int32Array[];
  private readonly nPlaces: number;
  /** region of each place, -1 = none */
  private readonly regionAt: Int32Array;
  private readonly placesOutside: number[] = [];
  private readonly regionFrom: Int32Array;
  private readonly regionTo: Int32Array;
  private readonly regionPeaks: readonly (readonly number[])[];
  private readonly beforeDiff: readonly Int32Array[];
  private readonly afterDiff: readonly Int32Array[];

  /** O(places + defs). */
  constructor(
    private readonly summary: PressureSummary,
    candidates: RematCandidates,
  ) {
    const { fn, lis, up } = summary;
    const { instrAt, blockStart } = lis.indexes;
    this.nPlaces = blockStart[fn.blocks.length] / INSTR_DIST;
    const columns = (): Int32Array[] => Array.from({ length: N_KINDS }, () => new Int32Array(this.nPlaces + 1));
    this.before = columns();
    this.after = columns();
    this.earlyClobber = columns();
    this.upTo = columns();
    this.from = columns();
    this.beforeDiff = columns();
    this.afterDiff = columns();
    this.regionAt = new Int32Array(this.nPlaces).fill(-1);
    const nRegions = candidates.regions.length;
    this.regionFrom = new Int32Array(nRegions).fill(this.nPlaces);
    this.regionTo = new Int32Array(nRegions).fill(-1);
    for (let place = 0; place < this.nPlaces; place++) {
      const i = instrAt[place];
      if (i < 0) continue;
      for (let k = 0; k < N_KINDS; k++) {
        this.before[k][place] = up.before[k][i];
        this.after[k][place] = up.after[k][i];
      }
      this.addDefs(i, place);
      const region = candidates.regionOf[i];
      this.regionAt[place] = region;
      if (region < 0) {
        this.placesOutside.push(place);
        continue;
      }
      this.regionFrom[region] = Math.min(this.regionFrom[region], place);
      this.regionTo[region] = Math.max(this.regionTo[region], place);
    }
    for (let k = 0; k < N_KINDS; k++) {
      const { [k]: upTo } = this.upTo;
      const { [k]: from } = this.from;
      for (let p = 0; p < this.nPlaces; p++)
        upTo[p] = Math.max(p === 0 ? 0 : upTo[p - 1], this.before[k][p], this.after[k][p]);
      for (let p = this.nPlaces - 1; p >= 0; p--) from[p] = Math.max(from[p + 1], this.before[k][p], this.after[k][p]);
    }
    this.regionPeaks = candidates.regions.map((_, r) => this.peaks(this.regionFrom[r], this.regionTo[r], r));
  }

  /** Defs that are not read, and early clobbers, count at the instruction only. */
  private addDefs(i: InstrId, place: Place): void {
    const { fn, lis, facts } = this.summary;
    const slot = place * INSTR_DIST + Slot.Dead;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] >= 0 || (fn.opFlags[o] & OpFlag.Def) === 0) continue;
      const v = ~fn.opVal[o];
      const kind = facts.kind[v];
      if (kind === NO_KIND) continue;
      const lo = fn.opSub[o] === 0 ? facts.fullLo[v] : fn.tables.subRegLaneLo[fn.opSub[o]];
      const hi = fn.opSub[o] === 0 ? facts.fullHi[v] : fn.tables.subRegLaneHi[fn.opSub[o]];
      const all = coveredRegs(lo, hi);
      const liveLo = lis.liveLanes(v, slot);
      const liveHi = lis.lanesHi;
      // what the def itself keeps alive after the instruction is in `after` already
      const live = coveredRegs(liveLo, liveHi) - coveredRegs(liveLo & ~lo, liveHi & ~hi);
      this.after[kind][place] += all - live;
      if ((fn.opFlags[o] & OpFlag.EarlyClobber) === 0) continue;
      this.earlyClobber[kind][place] += all;
      this.before[kind][place] += all;
    }
  }

  /** Greatest pressure by Bank over the places of a region in [from, to]. */
  private peaks(from: number, to: number, region: number): number[] {
    const res = [0, 0, 0];
    for (let p = from; p <= to; p++) if (this.regionAt[p] === region) raise(res, this.at(p));
    return res;
  }

  private at(p: number): [number, number, number, number] {
    const { before: b, after: a } = this;
    return [
      Math.max(b[0][p], a[0][p]),
      Math.max(b[1][p], a[1][p]),
      Math.max(b[2][p], a[2][p]),
      Math.max(b[3][p], a[3][p]),
    ];
  }

  // -- one choice -----------------------------------------------------------------------------------------------------------

  /** What computing a candidate again for `groups` (some or all of its own) changes. */
  deltaOf(candidate: RematCandidate, groups: readonly UseGroup[] = candidate.groups): RematDelta {
    const { fn, facts } = this.summary;
    const { vreg } = candidate;
    const kept = [...candidate.kept, ...candidate.groups.filter((g) => !groups.includes(g))];
    const before: Freed[] = [];
    const after: Freed[] = [];
    const copied = groups.map(() => 0);
    const defPlace = this.placeOf(candidate.def);
    // a definition that stays still defines what is no longer read
    const isGone = kept.length === 0;
    const free = (from: number, to: number, registers: number): void => {
      addRun(before, Math.ceil(from / INSTR_DIST), Math.ceil(to / INSTR_DIST) - 1, registers);
      const first = Math.ceil((from - Slot.Dead) / INSTR_DIST);
      const last = Math.ceil((to - Slot.Dead) / INSTR_DIST) - 1;
      const isSplit = !isGone && first <= defPlace && defPlace <= last;
      if (isSplit) addRun(after, first, defPlace - 1, registers);
      addRun(after, isSplit ? defPlace + 1 : first, last, registers);
    };
    for (const { segments, lo, hi, registers } of this.partsOf(vreg)) {
      const stays = isGone ? [] : this.keptSegments(candidate, kept, lo, hi);
      for (const [from, to] of difference(segments, stays)) free(from, to, registers);
      groups.forEach((g, k) => {
        const last = this.lastReader(g, vreg, lo, hi);
        if (last < 0) return;
        copied[k] += registers;
        free(this.placeOf(g.before) * INSTR_DIST - 1, last * INSTR_DIST + Slot.Register, -registers);
      });
    }
    const defined = this.definedRegisters(candidate);
    // with the definition go those of its lanes that nobody reads
    if (isGone) {
      addRun(after, defPlace, defPlace, defined - this.liveBehind(vreg, defPlace));
      const isEarly = (fn.opFlags[fn.opBegin[candidate.def]] & OpFlag.EarlyClobber) !== 0;
      if (isEarly) addRun(before, defPlace, defPlace, defined);
    }
    const copies = groups.map((g, k): CopyAt => ({
      place: this.placeOf(g.before),
      live: copied[k],
      dead: defined - copied[k],
    }));
    return { def: candidate.def, kind: facts.kind[vreg], registers: defined, before, after, copies };
  }

  /**
   * The register lives through all reads of the group anyway, for users in `kept`: a copy for the group would only add to the pressure.
   */
  isDominated(candidate: RematCandidate, group: UseGroup, kept: readonly UseGroup[]): boolean {
    const { vreg } = candidate;
    return this.partsOf(vreg).every(({ lo, hi }) => {
      const last = this.lastReader(group, vreg, lo, hi);
      if (last < 0) return true;
      const slot = last * INSTR_DIST + Slot.Dead;
      const segs = this.keptSegments(candidate, kept, lo, hi);
      for (let k = 0; k < segs.length; k += 2) if (segs[k] <= slot && slot < segs[k + 1]) return true;
      return false;
    });
  }

  /** A copy for the group may add to the pressure somewhere: it defines lanes that the group does not read, or the old range lives on beside it. */
  adds(candidate: RematCandidate, group: UseGroup, kept: readonly UseGroup[]): boolean {
    const { vreg } = candidate;
    let read = 0;
    for (const { lo, hi, registers } of this.partsOf(vreg)) {
      if (this.lastReader(group, vreg, lo, hi) < 0) continue;
      read += registers;
      if (kept.length === 0) continue;
      const slot = this.placeOf(group.before) * INSTR_DIST;
      const segs = this.keptSegments(candidate, kept, lo, hi);
      for (let k = 0; k < segs.length; k += 2) if (segs[k] <= slot && slot < segs[k + 1]) return true;
    }
    return read < this.definedRegisters(candidate);
  }

  private placeOf(i: InstrId): number {
    return this.summary.lis.indexes.instrIndex[i] / INSTR_DIST;
  }

  private liveBehind(vreg: VRegId, place: Place): number {
    const { lis } = this.summary;
    const lo = lis.liveLanes(vreg, place * INSTR_DIST + Slot.Dead);
    return coveredRegs(lo, lis.lanesHi);
  }

  private definedRegisters({ def, vreg }: RematCandidate): number {
    const { fn, facts } = this.summary;
    const sub = fn.opSub[fn.opBegin[def]];
    if (sub === 0) return coveredRegs(facts.fullLo[vreg], facts.fullHi[vreg]);
    return coveredRegs(fn.tables.subRegLaneLo[sub], fn.tables.subRegLaneHi[sub]);
  }

  /** The register in parts whose lanes live and die together, and share no 32-bit register with another part. */
  private partsOf(vreg: VRegId): LanePart[] {
    const { lis, facts } = this.summary;
    const main = lis.mainRange[vreg];
    if (main < 0) return [];
    const lo = facts.fullLo[vreg];
    const hi = facts.fullHi[vreg];
    if (lis.subRange[vreg] < 0) return [{ segments: this.segmentsOf(main), lo, hi, registers: coveredRegs(lo, hi) }];
    const parts: LanePart[] = [];
    let all = 0;
    for (let r = lis.subRange[vreg]; r >= 0; r = lis.nextSubRange[r]) {
      const [pLo, pHi] = [lis.laneLo[r], lis.laneHi[r]];
      const registers = coveredRegs(pLo, pHi);
      all += registers;
      parts.push({ segments: this.segmentsOf(r), lo: pLo, hi: pHi, registers });
    }
    const union = parts.reduce((u, p) => [u[0] | p.lo, u[1] | p.hi], [0, 0]);
    if (all === coveredRegs(union[0], union[1])) return parts;
    // halves of a register live on their own: what counts is each register with both of its lanes
    const result: LanePart[] = [];
    for (let k = 0; k < 32; k++) {
      const [pairLo, pairHi] = k < 16 ? [(3 << (2 * k)) >>> 0, 0] : [0, (3 << (2 * k - 32)) >>> 0];
      const own = parts.filter((p) => ((p.lo & pairLo) | (p.hi & pairHi)) !== 0);
      if (own.length > 0)
        result.push({ segments: sortedUnion(own.flatMap((p) => p.segments)), lo: pairLo, hi: pairHi, registers: 1 });
    }
    return result;
  }

  /** Start and end slots by twos. */
  private segmentsOf(range: number): number[] {
    const { lis } = this.summary;
    const first = lis.segBegin[range];
    const res: number[] = [];
    for (let s = first; s < first + lis.segCount[range]; s++) res.push(lis.segStart[s], lis.segEnd[s]);
    return res;
  }

  /** Whether instruction i reads some of the lanes. */
  private reads(i: InstrId, vreg: VRegId, lo: number, hi: number): boolean {
    const { fn, facts } = this.summary;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== ~vreg) continue;
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
      const sub = fn.opSub[o];
      const rLo = sub === 0 ? facts.fullLo[vreg] : fn.tables.subRegLaneLo[sub];
      const rHi = sub === 0 ? facts.fullHi[vreg] : fn.tables.subRegLaneHi[sub];
      if (((rLo & lo) | (rHi & hi)) !== 0) return true;
    }
    return false;
  }

  /** Place of the last user of a group that reads the lanes, -1 = none does. */
  private lastReader({ users }: UseGroup, vreg: VRegId, lo: number, hi: number): number {
    let last = -1;
    for (const u of users) if (this.reads(u, vreg, lo, hi)) last = Math.max(last, this.placeOf(u));
    return last;
  }

  /** Where the definition stays live for the users in `kept`: ascending disjoint segments by twos. */
  private keptSegments({ vreg, def }: RematCandidate, kept: readonly UseGroup[], lo: number, hi: number): number[] {
    const { fn, lis } = this.summary;
    const out: number[] = [];
    const { indexes } = lis;
    const defBlock = fn.instrBlock[def];
    const defSlot = indexes.instrIndex[def] + Slot.Register;
    const liveOut = new Set<number>();
    const work: number[] = [];
    const reach = (b: BlockId): void => {
      if (liveOut.has(b)) return;
      liveOut.add(b);
      work.push(b);
    };
    /** live in block b up to `end`, from the definition or from the block's start */
    const liveUpTo = (b: BlockId, end: number): void => {
      if (b === defBlock && defSlot < end) out.push(defSlot, end);
      else {
        out.push(indexes.startOf(b), end);
        for (const p of fn.blocks[b].predecessors) reach(p);
      }
    };
    for (const { users } of kept) {
      for (const u of users) {
        if (!this.reads(u, vreg, lo, hi)) continue;
        const isPhi = fn.tables.opcodeName(fn.opcode[u]).endsWith('PHI');
        const end = indexes.instrIndex[u] + Slot.Register;
        if (!isPhi) liveUpTo(fn.instrBlock[u], end);
        else {
          // where lanes are not tracked, the tracker counts what a PHI reads up to the block's start, though it lives in the predecessors only
          if (lis.subRange[vreg] < 0) out.push(indexes.startOf(fn.instrBlock[u]), end);
          for (const b of phiBlocks(fn, u, ~vreg)) reach(b);
        }
      }
    }
    for (let b = work.pop(); b !== undefined; b = work.pop()) liveUpTo(b, indexes.endOf(b));
    return sortedUnion(out);
  }

  // -- search ---------------------------------------------------------------------------------------------------------------

  /** A copy of the pressure that a search changes step by step. */
  startSearch(deltas: readonly RematDelta[]): RematSearchState {
    return new RematSearchState(this.before, this.after, this.earlyClobber, this.nPlaces, deltas);
  }

  // -- a set of choices -----------------------------------------------------------------------------------------------------

  /** The effect of several choices together, each of another register. */
  evaluate(deltas: readonly RematDelta[]): RematEffect {
    const { summary, beforeDiff, afterDiff } = this;
    let first = this.nPlaces;
    let last = -1;
    const apply = (sign: number): void => {
      for (const d of deltas) {
        for (const [runs, diff] of [
          [d.before, beforeDiff[d.kind]],
          [d.after, afterDiff[d.kind]],
        ] as const) {
          for (const { from, to, registers } of runs) {
            diff[from] += sign * registers;
            diff[to + 1] -= sign * registers;
            first = Math.min(first, from);
            last = Math.max(last, to);
          }
        }
      }
    };
    apply(1);
    const wide = atWideCopies(deltas);
    for (const place of wide.keys()) {
      first = Math.min(first, place);
      last = Math.max(last, place);
    }
    // whole regions, so that their greatest pressure is known
    if (first <= last) {
      if (this.regionAt[first] >= 0) first = Math.min(first, this.regionFrom[this.regionAt[first]]);
      if (this.regionAt[last] >= 0) last = Math.max(last, this.regionTo[this.regionAt[last]]);
    }
    const max = newPressure();
    for (let k = 0; k < N_KINDS; k++) {
      // At place 0 the first block begins: nothing changes there.
      max[k] = Math.max(this.upTo[k][first - 1], this.from[k][last + 1]);
    }
    const regions: RegionChange[] = [];
    let region = -1;
    let peaks = [0, 0, 0];
    // what no region holds: boundary instructions after others
    const outside = [0, 0, 0];
    for (const p of this.placesOutside) if (p < first || last < p) raise(outside, this.at(p));
    const close = (): void => {
      if (region < 0) {
        for (let bank = 0; bank < 3; bank++) outside[bank] = Math.max(outside[bank], peaks[bank]);
        return;
      }
      const before = this.regionPeaks[region];
      if (peaks.some((n, bank) => n !== before[bank])) regions.push({ region, before, after: peaks });
    };
    const sum = [0, 0, 0, 0, 0, 0, 0, 0];
    const now = [0, 0, 0, 0];
    for (let p = first; p <= last; p++) {
      for (let k = 0; k < N_KINDS; k++) {
        sum[k] += beforeDiff[k][p];
        sum[N_KINDS + k] += afterDiff[k][p];
        now[k] = Math.max(this.before[k][p] - sum[k], this.after[k][p] - sum[N_KINDS + k]);
        max[k] = Math.max(max[k], now[k]);
      }
      const r = this.regionAt[p];
      if (r !== region) {
        close();
        region = r;
        peaks = [0, 0, 0];
      }
      raise(peaks, now);
      for (const row of wide.get(p) ?? []) {
        for (let k = 0; k < N_KINDS; k++) {
          now[k] = this.before[k][p] - this.earlyClobber[k][p] - sum[k] + row[k];
          max[k] = Math.max(max[k], now[k]);
        }
        raise(peaks, now);
      }
    }
    close();
    apply(-1);
    regions.sort((a, b) => a.region - b.region);
    return {
      occupancyBefore: summary.occupancy.occupancy,
      occupancyAfter: reportOccupancy(max, summary.limits).occupancy,
      before: summary.peaks.map((p) => p.value),
      after: this.peaksAfter(regions, outside),
      regions,
    };
  }

  /** Peaks of the function by Bank with those of some regions changed; `outside`: those of no region. */
  private peaksAfter(regions: readonly RegionChange[], outside: readonly number[]): number[] {
    const changed = new Map(regions.map((r) => [r.region, r.after]));
    const res = [...outside];
    this.regionPeaks.forEach((own, r) => {
      const peaks = changed.get(r) ?? own;
      for (let bank = 0; bank < 3; bank++) res[bank] = Math.max(res[bank], peaks[bank]);
    });
    return res;
  }
}

/** Greatest pressure by RegKind, the first place of each (-1 = none), and whether it is the one before the instruction. */
export interface PlacedPressure {
  readonly max: Pressure;
  readonly place: Int32Array;
  readonly isInFront: readonly boolean[];
}

export class RematSearchState {
  private readonly before: readonly Int32Array[];
  private readonly after: readonly Int32Array[];
  private readonly taken: RematDelta[] = [];

  constructor(
    before: readonly Int32Array[],
    after: readonly Int32Array[],
    private readonly earlyClobber: readonly Int32Array[],
    readonly nPlaces: number,
    private readonly deltas: readonly RematDelta[],
  ) {
    this.before = before.map((c) => c.slice());
    this.after = after.map((c) => c.slice());
  }

  /** Takes an option (1) or gives it back (-1). */
  apply(option: number, sign: 1 | -1): void {
    const d = this.deltas[option];
    change(this.before[d.kind], d.before, sign);
    change(this.after[d.kind], d.after, sign);
    if (sign > 0) this.taken.push(d);
    else this.taken.splice(this.taken.lastIndexOf(d), 1);
  }

  measure(): PlacedPressure {
    const max = newPressure();
    const place = new Int32Array(N_KINDS).fill(-1);
    const isInFront = [false, false, false, false];
    for (let k = 0; k < N_KINDS; k++) {
      const { [k]: before } = this.before;
      const { [k]: after } = this.after;
      let best = 0;
      let at = -1;
      for (let p = 0; p < this.nPlaces; p++) {
        const n = Math.max(before[p], after[p]);
        if (n > best) {
          best = n;
          at = p;
        }
      }
      max[k] = best;
      place[k] = at;
      isInFront[k] = at >= 0 && before[at] >= after[at];
    }
    for (const [p, rows] of atWideCopies(this.taken)) {
      for (const row of rows) {
        for (let k = 0; k < N_KINDS; k++) {
          const n = this.before[k][p] - this.earlyClobber[k][p] + row[k];
          if (n <= max[k]) continue;
          max[k] = n;
          place[k] = p;
          isInFront[k] = true;
        }
      }
    }
    return { max, place, isInFront };
  }

  /** Registers of a kind that an option takes from the greatest pressure. */
  frees(option: number, kind: RegKind, { place, isInFront }: PlacedPressure): number {
    const d = this.deltas[option];
    if (d.kind !== kind || place[kind] < 0) return 0;
    return freedAt(isInFront[kind] ? d.before : d.after, place[kind]);
  }

  /** The pressure if all these options freed what they can and none added anything. */
  lowestWith(options: readonly number[]): PlacedPressure {
    const state = new RematSearchState(this.before, this.after, this.earlyClobber, this.nPlaces, this.deltas);
    for (const k of options) {
      const d = this.deltas[k];
      change(
        state.before[d.kind],
        d.before.filter((r) => r.registers > 0),
        1,
      );
      change(
        state.after[d.kind],
        d.after.filter((r) => r.registers > 0),
        1,
      );
    }
    return state.measure();
  }
}

function change(column: Int32Array, runs: readonly Freed[], sign: number): void {
  for (const { from, to, registers } of runs) for (let p = from; p <= to; p++) column[p] -= sign * registers;
}

function freedAt(runs: readonly Freed[], place: Place): number {
  let n = 0;
  for (const r of runs) if (r.from <= place && place <= r.to) n += r.registers;
  return n;
}

/**
 * By place: for each copy before that instruction that defines more than lives there, by RegKind by how much the pressure at the copy
 * exceeds that directly before the instruction. The registers of the copies after it do not count at a copy.
 */
function atWideCopies(deltas: readonly RematDelta[]): Map<Place, number[][]> {
  const rows = new Map<Place, number[][]>();
  if (!deltas.some((d) => d.copies.some((c) => c.dead > 0))) return rows;
  const behind = new Map<Place, number[]>();
  for (const { kind, copies } of [...deltas].sort((a, b) => b.def - a.def)) {
    for (const { place, live, dead } of copies) {
      let later = behind.get(place);
      if (later === undefined) behind.set(place, (later = [0, 0, 0, 0]));
      if (dead > 0) {
        const row = later.map((n) => -n);
        row[kind] += dead;
        const known = rows.get(place);
        if (known === undefined) rows.set(place, [row]);
        else known.push(row);
      }
      later[kind] += live;
    }
  }
  return rows;
}

/** Raises peaks by Bank to a pressure by RegKind. */
function raise(peaks: number[], at: readonly number[]): void {
  peaks[0] = Math.max(peaks[0], at[0]);
  peaks[1] = Math.max(peaks[1], at[1] + at[3]);
  peaks[2] = Math.max(peaks[2], at[2]);
}

function addRun(runs: Freed[], from: number, to: number, registers: number): void {
  if (from <= to) runs.push({ from, to, registers });
}

/** Predecessor blocks for which a PHI reads the register. */
function phiBlocks(fn: PressureSummary['fn'], phi: InstrId, reg: number): number[] {
  const blocks: number[] = [];
  for (let o = fn.opBegin[phi] + 1; o + 1 < fn.opBegin[phi + 1]; o += 2)
    if (fn.opVal[o] === reg) blocks.push(fn.opVal[o + 1]);
  return blocks;
}

/** Segments by twos, in any order and overlapping, as disjoint ascending ones. */
function sortedUnion(segs: readonly number[]): number[] {
  const pairs: [number, number][] = [];
  for (let k = 0; k < segs.length; k += 2) pairs.push([segs[k], segs[k + 1]]);
  pairs.sort((a, b) => a[0] - b[0]);
  const res: number[] = [];
  for (const [from, to] of pairs) {
    if (res.length > 0 && from <= res[res.length - 1]) res[res.length - 1] = Math.max(res[res.length - 1], to);
    else res.push(from, to);
  }
  return res;
}

/** What `a` has and `b` has not; both ascending segments by twos. */
function difference(a: readonly number[], b: readonly number[]): [number, number][] {
  const res: [number, number][] = [];
  let k = 0;
  for (let s = 0; s < a.length; s += 2) {
    let from = a[s];
    const to = a[s + 1];
    while (k < b.length && b[k + 1] <= from) k += 2;
    for (let j = k; j < b.length && b[j] < to; j += 2) {
      if (from < b[j]) res.push([from, b[j]]);
      from = b[j + 1];
    }
    if (from < to) res.push([from, to]);
  }
  return res;
}
