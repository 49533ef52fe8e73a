/**
 * Two versions of a file, or one under two settings, beside each other: what llc ends with of each function, and where that comes from: regions, values that live
 * longer, spills. Data; the words are those of outcomeDiffText.ts.
 */
import { Bank, PressureSummary } from '../analysis/summary.js';
import { OpFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import type { VRegId } from '../model/register.js';
import type { SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { alignFunctions, type AlignedSide, type FunctionAlignment } from './functionAlignment.js';
import { OrderFacts, type OrderRegion } from './orderFacts.js';
import { longestIncreasing } from '../text/alignLines.js';
import type { Stage } from './stageNames.js';
import { spilledValues, type SpilledValue } from './spilledValues.js';
import { Sweep, type SweepRow, type SweepSetting, type SweptEnd } from './sweep.js';
import type { FileTarget } from './targetOfFile.js';

export interface DiffSide {
  readonly source: string;
  readonly target: FileTarget;
  readonly model: SchedulerModel;
  readonly setting: SweepSetting;
  /** that somebody chose; null = the file says it */
  readonly stage?: Stage | null;
}

/** Waves at the three moments; null: there is no such moment, or it is not known. */
export interface DiffWaves {
  readonly written: number | null;
  readonly scheduled: number | null;
  readonly end: number | null;
  /** that the processor can do */
  readonly most: number | null;
}

/** 32-bit registers that live at once where a bank has most; AV registers count as VGPRs. */
export interface LivePeaks {
  readonly vgpr: number;
  readonly agpr: number;
  readonly sgpr: number;
}

/** One function on one side. */
export interface DiffEnd {
  readonly waves: DiffWaves;
  /** in the order of the file, and in that in which registers are allocated; null where there is none, or where it is the other one */
  readonly live: { readonly written: LivePeaks | null; readonly scheduled: LivePeaks | null };
  readonly row: SweepRow;
}

export interface RegionNumbers {
  readonly region: number;
  /** `bb.2` */
  readonly block: string;
  /** of its instructions in the file, from 1; 0: the file has none of them */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly loopDepth: number;
  readonly instructions: number;
  readonly vgpr: number;
  readonly agpr: number;
  readonly sgpr: number;
  readonly length: number;
}

/** null: the other side has no such region. */
export interface RegionDiff {
  readonly before: RegionNumbers | null;
  readonly after: RegionNumbers | null;
  /** instructions of both that stand in another order */
  readonly moved: number;
  /** instructions that one of them has alone */
  readonly added: number;
  readonly removed: number;
}

export interface ValueDiff {
  /** as the second side calls it */
  readonly register: string;
  /** where the first side has another name */
  readonly nameBefore: string;
  /** 32-bit registers */
  readonly weight: number;
  /** line of its first definition, 0 = none */
  readonly line: number;
  /** instructions over which it lives */
  readonly before: number;
  readonly after: number;
  /** it lives where the function has most registers */
  readonly wasAtPeak: boolean;
  readonly isAtPeak: boolean;
}

export interface SpillNumbers {
  readonly register: string;
  /** of its first definition, 0 = none */
  readonly line: number;
  readonly registers: number;
  readonly saves: number;
  readonly reloads: number;
  readonly inLoops: number;
  readonly loopDepth: number;
}

/** null: it is not spilled there. */
export interface SpillDiff {
  readonly before: SpillNumbers | null;
  readonly after: SpillNumbers | null;
}

export interface FunctionDiff {
  readonly function: string;
  /** where the first side has another name: the only function of either file */
  readonly nameBefore: string;
  readonly isSame: boolean;
  readonly before: DiffEnd;
  readonly after: DiffEnd;
  /** instructions of the text that the other has not, or with other flags and memory operands */
  readonly text: { readonly added: number; readonly removed: number; readonly changed: number };
  /** those that differ, most by what changed first; none where a side has no outcome */
  readonly regions: readonly RegionDiff[];
  /** those that live longer, most first */
  readonly longer: readonly ValueDiff[];
  readonly nShorter: number;
  readonly spills: readonly SpillDiff[];
}

export interface OutcomeDiff {
  readonly functions: readonly FunctionDiff[];
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

/** `only`: that function alone. Throws what `checkpoint` throws. */
export function diffOutcomes(
  before: DiffSide,
  after: DiffSide,
  only: string | null,
  checkpoint: () => void,
): OutcomeDiff {
  const [a, b] = [new ComputedSide(before, only, checkpoint), new ComputedSide(after, only, checkpoint)];
  const pairs = pairsOf(a.names, b.names);
  const paired = new Set(pairs.flat());
  return {
    functions: pairs.map(([x, y]) => {
      checkpoint();
      return diffFunction(a, a.end(x), b, b.end(y));
    }),
    onlyBefore: a.names.filter((name) => !paired.has(name)),
    onlyAfter: b.names.filter((name) => !paired.has(name)),
  };
}

/** By name; the only functions of both belong together whatever they are called. */
function pairsOf(a: readonly string[], b: readonly string[]): [string, string][] {
  if (a.length === 1 && b.length === 1) return [[a[0]!, b[0]!]];
  const names = new Set(b);
  return a.filter((name) => names.has(name)).map((name) => [name, name]);
}

class ComputedSide {
  readonly names: readonly string[];
  private readonly sweep: Sweep;
  private readonly ends: ReadonlyMap<string, SweptEnd>;

  constructor({ source, target, model, setting, stage = null }: DiffSide, only: string | null, checkpoint: () => void) {
    this.sweep = new Sweep(source, target, model, stage);
    const ends = this.sweep.ends(setting, checkpoint, only ?? undefined, { keepsOrder: true });
    this.ends = new Map(ends.map((end) => [end.row.function, end]));
    this.names = [...this.ends.keys()];
  }

  end(name: string): SweptEnd {
    return this.ends.get(name)!;
  }

  lineOf({ row }: SweptEnd, i: InstrId): number {
    return i < 0 ? 0 : this.sweep.lineOf(row.function, i);
  }

  aligned({ row }: SweptEnd, fn: MachineFunction): AlignedSide {
    return { fn, textOf: (i) => this.sweep.instrText(row.function, i) };
  }
}

function diffFunction(a: ComputedSide, first: SweptEnd, b: ComputedSide, second: SweptEnd): FunctionDiff {
  const [factsA, factsB] = [first, second].map(({ own }) => (own?.order ? new OrderFacts(own.order) : null));
  const [before, after] = [endOf(first, factsA!), endOf(second, factsB!)];
  const names = { function: second.row.function, nameBefore: first.row.function };
  const nothing = { regions: [], longer: [], nShorter: 0, spills: [] };
  if (first.fn === null || second.fn === null) {
    const text = { added: 0, removed: 0, changed: 0 };
    // Of what cannot be read nobody knows whether it is the same.
    return { ...names, isSame: false, before, after, text, ...nothing };
  }
  const alignment = alignFunctions(a.aligned(first, first.fn), b.aligned(second, second.fn));
  const text = { added: alignment.onlySecond, removed: alignment.onlyFirst, changed: alignment.changed };
  const where = placesOf([a, first, factsA!], [b, second, factsB!], alignment) ?? nothing;
  const isSame =
    Object.values(text).every((n) => n === 0) &&
    where.regions.length === 0 &&
    where.spills.length === 0 &&
    isEqual(numbersOf(before), numbersOf(after));
  return { ...names, isSame, before, after, text, ...where };
}

/** What is compared of an end, without the names of function and setting. */
function numbersOf({ waves, live, row }: DiffEnd): object {
  const { function: name, options, attributes, ...numbers } = row;
  void [name, options, attributes];
  return { waves, live, numbers };
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function endOf({ row, fn, own, bounds }: SweptEnd, order: OrderFacts | null): DiffEnd {
  const summary = fn === null || !fn.tables.isAMDGCN ? null : new PressureSummary(fn);
  const isVirtual = summary?.usedRegisters.kind === 'virtual';
  const isScheduled = own?.stage.stage === 'scheduled';
  const written = summary !== null && isVirtual ? summary.occupancy.occupancy : null;
  return {
    waves: {
      written: isScheduled ? null : written,
      scheduled: isScheduled ? written : (own?.scheduled ?? null),
      end: row.outcome?.waves ?? null,
      most: bounds?.most ?? fn?.subtarget.maxWavesPerEU ?? null,
    },
    live: {
      written: summary !== null && isVirtual && !isScheduled ? peaksOf(summary) : null,
      scheduled: order === null ? (isScheduled && summary !== null ? peaksOf(summary) : null) : peaksOf(order.summary),
    },
    row,
  };
}

const peaksOf = ({ peaks }: PressureSummary): LivePeaks => ({
  vgpr: peaks[Bank.VGPR]!.value,
  agpr: peaks[Bank.AGPR]!.value,
  sgpr: peaks[Bank.SGPR]!.value,
});

type Placed = readonly [side: ComputedSide, end: SweptEnd, facts: OrderFacts | null];

/** Null where one of them has no order, since it is allocated, or cannot be. */
function placesOf(
  [a, first, factsA]: Placed,
  [b, second, factsB]: Placed,
  alignment: FunctionAlignment,
): Pick<FunctionDiff, 'regions' | 'longer' | 'nShorter' | 'spills'> | null {
  const [allocatedA, allocatedB] = [first.own?.allocated ?? null, second.own?.allocated ?? null];
  if (factsA === null || factsB === null || allocatedA === null || allocatedB === null) return null;
  const [orderA, orderB] = [factsA.fn, factsB.fn];
  const regionOf = (side: ComputedSide, end: SweptEnd, fn: MachineFunction, r: OrderRegion): RegionNumbers => {
    const lines = r.instrs.map((i) => side.lineOf(end, i)).filter((line) => line > 0);
    const { instrs, block, ...numbers } = r;
    return {
      ...numbers,
      block: `bb.${fn.blocks[block]!.sourceNumber}`,
      firstLine: lines.length === 0 ? 0 : lines.reduce((x, y) => Math.min(x, y)),
      lastLine: lines.length === 0 ? 0 : lines.reduce((x, y) => Math.max(x, y)),
      instructions: instrs.length,
    };
  };
  const regions = matchRegions(factsA.regions(), factsB.regions(), alignment, [orderA, orderB]).map(
    ({ before, after, ...rest }): RegionDiff => ({
      before: before && regionOf(a, first, orderA, before),
      after: after && regionOf(b, second, orderB, after),
      ...rest,
    }),
  );
  const spillOf = (side: ComputedSide, end: SweptEnd, value: SpilledValue): SpillNumbers => {
    const { vreg, definition, registers, saves, reloads, inLoops, loopDepth } = value;
    const line = side.lineOf(end, definition);
    return { register: registerName(end.fn!, vreg), line, registers, saves, reloads, inLoops, loopDepth };
  };
  const [spilledA, spilledB] = [spilledValues(orderA, allocatedA), spilledValues(orderB, allocatedB)];
  const spills = matchSpills(spilledA, spilledB, alignment.vregs, second.fn!.vregs.n).flatMap(([x, y]): SpillDiff[] => {
    const [before, after] = [x && spillOf(a, first, x), y && spillOf(b, second, y)];
    const withoutPlace = (s: SpillNumbers | null): unknown => s && { ...s, register: '', line: 0 };
    return isEqual(withoutPlace(before), withoutPlace(after)) ? [] : [{ before, after }];
  });
  return { regions: regions.filter(isChanged), spills, ...lives(factsA, factsB, b, [first, second], alignment.vregs) };
}

// -- regions --------------------------------------------------------------------------------------------------------

interface MatchedRegion {
  readonly before: OrderRegion | null;
  readonly after: OrderRegion | null;
  readonly moved: number;
  readonly added: number;
  readonly removed: number;
}

const isChanged = ({ before, after, moved, added, removed }: RegionDiff): boolean =>
  before === null ||
  after === null ||
  moved + added + removed > 0 ||
  (['vgpr', 'agpr', 'sgpr', 'length'] as const).some((key) => before[key] !== after[key]);

/** Each region of the second with that of the first which has most of its instructions and is not taken. O(instructions) */
function matchRegions(
  a: readonly OrderRegion[],
  b: readonly OrderRegion[],
  { instrs, back }: FunctionAlignment,
  [fnA, fnB]: readonly [MachineFunction, MachineFunction],
): MatchedRegion[] {
  const inA = new Map(a.flatMap(({ instrs: own }, r) => own.map((i): [InstrId, number] => [i, r])));
  const best = (own: readonly InstrId[]): number => {
    const votes = new Map<number, number>();
    for (const i of own) {
      const r = inA.get(back[i] ?? -1);
      if (r !== undefined) votes.set(r, (votes.get(r) ?? 0) + 1);
    }
    return [...votes].reduce((most, vote) => (vote[1] > most[1] ? vote : most), [-1, 0])[0];
  };
  // What the scheduler has made has no place in the text: it is paired by its opcode, in order.
  const made = (fn: MachineFunction, own: readonly InstrId[], nSource: number): string[] => {
    const counts = new Map<string, number>();
    return own.map((i) => {
      if (i < nSource) return '';
      const name = fn.tables.opcodeName(fn.opcode[i]!);
      const n = (counts.get(name) ?? 0) + 1;
      counts.set(name, n);
      return `${name} ${n}`;
    });
  };
  const taken = new Set<number>();
  const matched = b.map((after): MatchedRegion => {
    const voted = best(after.instrs);
    const isAllMade = voted < 0 && after.instrs.every((i) => i >= back.length);
    const r = isAllMade ? a.findIndex(({ region, block }) => region === after.region && block === after.block) : voted;
    const before = r < 0 || taken.has(r) ? null : a[r]!;
    if (before === null) return { before, after, moved: 0, added: after.instrs.length, removed: 0 };
    taken.add(r);
    const place = new Map(after.instrs.map((i, k) => [i, k]));
    const madeAfter = new Map(made(fnB, after.instrs, back.length).map((key, k) => [key, k]));
    const madeBefore = made(fnA, before.instrs, instrs.length);
    const places = before.instrs.flatMap(
      (i, k) => (i < instrs.length ? place.get(instrs[i]!) : madeAfter.get(madeBefore[k]!)) ?? [],
    );
    return {
      ...{ before, after },
      moved: places.length - longestIncreasing(places).length,
      added: after.instrs.length - places.length,
      removed: before.instrs.length - places.length,
    };
  });
  const left = a.flatMap((before, r): MatchedRegion[] =>
    taken.has(r) ? [] : [{ before, after: null, moved: 0, added: 0, removed: before.instrs.length }],
  );
  return [...matched, ...left];
}

// -- values ---------------------------------------------------------------------------------------------------------

/** Names are those of the file; what only the scheduler has made has none. */
function registerName({ vregs }: MachineFunction, v: VRegId): string {
  if (v >= vregs.n) return 'a copy that the scheduler made';
  return `%${vregs.name[v] ?? String((vregs.sourceNumber[v] ?? 0) >>> 0)}`;
}

function lives(
  a: OrderFacts,
  b: OrderFacts,
  side: ComputedSide,
  [first, second]: readonly [SweptEnd, SweptEnd],
  vregs: Int32Array,
): Pick<FunctionDiff, 'longer' | 'nShorter'> {
  const [peakA, peakB] = [a.liveAtPeaks(), b.liveAtPeaks()];
  const longer: ValueDiff[] = [];
  let nShorter = 0;
  const definition = firstDefinition(second.fn!);
  for (const [v, w] of vregs.entries()) {
    if (w < 0) continue;
    const [before, after] = [a.lifeOf(v), b.lifeOf(w)];
    if (after < before) nShorter++;
    if (after <= before) continue;
    const rc = second.fn!.vregs.regClass[w]!;
    longer.push({
      register: registerName(second.fn!, w),
      nameBefore: registerName(first.fn!, v),
      weight: rc < 0 ? 1 : Math.max(1, Math.ceil(second.fn!.tables.regClassBits[rc]! / 32)),
      line: side.lineOf(second, definition(w)),
      ...{ before, after, wasAtPeak: peakA.has(v), isAtPeak: peakB.has(w) },
    });
  }
  // What came to the peak says most.
  const gain = (d: ValueDiff): number => (d.after - d.before) * d.weight;
  const rank = (d: ValueDiff): number => Number(d.isAtPeak && !d.wasAtPeak) * 2 + Number(d.isAtPeak);
  return { longer: longer.sort((x, y) => rank(y) - rank(x) || gain(y) - gain(x)), nShorter };
}

function firstDefinition(fn: MachineFunction): (v: VRegId) => InstrId {
  const found = new Int32Array(fn.vregs.n).fill(-1);
  for (let i = fn.nInstrs - 1; i >= 0; i--)
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o]! < 0 && (fn.opFlags[o]! & OpFlag.Def) !== 0) found[~fn.opVal[o]!] = i;
  return (v) => found[v]!;
}

// -- spills ---------------------------------------------------------------------------------------------------------

/** Those of both that are one value, then those of the first, then those of the second alone. */
function matchSpills(
  a: readonly SpilledValue[],
  b: readonly SpilledValue[],
  vregs: Int32Array,
  nSecond: number,
): (readonly [SpilledValue | null, SpilledValue | null])[] {
  const byVReg = new Map(b.map((value) => [value.vreg, value]));
  const pairs: [SpilledValue, SpilledValue][] = [];
  const onlyA: [SpilledValue, null][] = [];
  // What the scheduler has made belongs to what it has made there, in order.
  const made = b.filter(({ vreg }) => vreg >= nSecond);
  for (const value of a) {
    const other = value.vreg < vregs.length ? byVReg.get(vregs[value.vreg]!) : made.shift();
    if (other === undefined) onlyA.push([value, null]);
    else {
      byVReg.delete(other.vreg);
      pairs.push([value, other]);
    }
  }
  return [...[...byVReg.values()].map((value) => [null, value] as const), ...pairs, ...onlyA];
}
