/** Allocates a function and keeps what became of its registers; the decisions, too, when asked for. */
import { allocatedUse, type AllocatedUse } from '../../../analysis/allocatedUse.js';
import type { AllocatedStack } from '../../../analysis/frame/stackFrame.js';
import { OperandKind, type InstrId, type MachineFunction } from '../../../model/machineFunction.js';
import { isVirtualReg } from '../../../model/register.js';
import type { PassCall } from '../../machinePass.js';
import type { PhysReg } from '../../../target/api.js';
import { Interference } from '../matrix.js';
import {
  allocationPasses,
  passesAfterScheduler,
  passesOnSlots,
  runAllocation,
  type AllocResult,
  type FunctionFacts,
} from '../runAllocation.js';
import type { RunFilter } from '../runFilter.js';
import { stackAccess } from '../../../analysis/frame/spillCode.js';
import type { AllocState, RegAllocOptions } from '../state.js';
import type { AllocationWatch, SplitKind, WatchedRun } from '../watch.js';
import {
  STAGE_NAMES,
  type CandidateTrace,
  type InsertedInstr,
  type InsertedKind,
  type LifePart,
  type LifeSpan,
  type PickTrace,
  type RunTrace,
  type StepTrace,
} from './allocationTrace.js';

/** Instructions of the function that were there before, and those that are now, by kind. */
export interface AllocationCounts {
  readonly saves: number;
  readonly reloads: number;
  /** copies in the result, those of the source that are left included */
  readonly copies: number;
  readonly copiesBefore: number;
  readonly rematerialized: number;
}

export interface AllocatedFunction {
  /** instructions of the source keep their numbers */
  readonly fn: MachineFunction;
  /** from which the frame is made: slots are shared, and saves of what a slot holds already are gone */
  readonly framed: MachineFunction;
  /** for the passes that go on with `framed` */
  readonly kept: AllocResult['kept'];
  /** number of instructions, and of virtual registers, of the source */
  readonly nInstrs: number;
  readonly nVRegs: number;
  /** what llc says, which goes on then and fails in the end */
  readonly errors: readonly string[];
  readonly use: AllocatedUse;
  readonly counts: AllocationCounts;
  /** by register of the source, in the order of the text */
  readonly parts: readonly LifePart[];
  readonly inserted: readonly InsertedInstr[];
  /** empty unless asked for */
  readonly runs: readonly RunTrace[];
}

export interface CollectOptions {
  /** decisions are kept, too */
  readonly withDecisions: boolean;
  /** called now and then; may throw Cancelled */
  readonly checkpoint: () => void;
}

/** Candidates of a pick that are kept. */
const MAX_CANDIDATES = 24;

/**
 * The function after the passes from the first allocation run to the last rewriter, from the scheduler on when `facts.scheduled` is given: `fn` is then edited
 * in place, from `facts.earlier` on where that is given: then instructions and registers of the source are those that the allocator begins with. Throws NotModelled and what `checkpoint` throws.
 */
export function allocateFunction(
  fn: MachineFunction,
  options: RegAllocOptions,
  facts: FunctionFacts,
  { withDecisions, checkpoint }: CollectOptions,
): AllocatedFunction {
  let collector: Collector | null = null;
  const { earlier } = facts;
  const all = earlier?.passes ?? (facts.scheduled === undefined ? allocationPasses() : passesAfterScheduler());
  const isRun = ({ pass }: PassCall): boolean => !options.leftOut.includes(pass.name);
  let [nInstrs, nVRegs, copiesBefore] = [fn.nInstrs, fn.vregs.n, countCopies(fn)];
  const watchFor = (state: AllocState): AllocationWatch => {
    // What passes before have made is what the allocator begins with.
    if (earlier !== undefined)
      [nInstrs, nVRegs, copiesBefore] = [state.fn.nInstrs, state.fn.vregs.n, countCopies(state.fn)];
    collector = new Collector(state, nVRegs, withDecisions, checkpoint);
    return collector;
  };
  const setting = { options, watchFor };
  const result = runAllocation(fn, all.filter(isRun), setting, facts, passesOnSlots().filter(isRun), checkpoint);
  const { parts, inserted, runs, frame } = collector! as Collector;
  const stack = frame && { ...frame, objects: result.followed.header.stack };
  const isThere = new Uint8Array(result.fn.nInstrs);
  for (let b = 0; b < result.fn.blocks.length; b++)
    for (let p = result.fn.blockBegin[b]; p < result.fn.blockEnd[b]; p++) isThere[result.fn.order[p]] = 1;
  // Saves and reloads of SGPRs have become lanes; identical copies are gone.
  const left = inserted.filter((n) => n.run === 'sgpr' || isThere[n.instr] === 1 || n.kind === 'save');
  const shown = left.filter((n) => (n.kind !== 'copy' && n.kind !== 'rematerialized') || isThere[n.instr] === 1);
  const count = (kind: InsertedKind): number => shown.reduce((n, x) => n + (x.kind === kind ? 1 : 0), 0);
  return {
    fn: result.fn,
    framed: result.followed,
    kept: result.kept,
    nInstrs,
    nVRegs,
    // Where the source is, the editor shows itself.
    errors: result.errors.map((e) => e.replace(/^\S*:\d+:\d+: /, '')),
    use: allocatedUse(result.followed, undefined, stack),
    counts: {
      saves: count('save'),
      reloads: count('reload'),
      copies: countCopies(result.fn),
      copiesBefore,
      rematerialized: count('rematerialized'),
    },
    parts: [...parts].sort(byPlace),
    inserted: shown,
    runs,
  };
}

/** By register, then in the order of the text; what lives between inserted instructions alone stands last. */
function byPlace(a: LifePart, b: LifePart): number {
  const from = (part: LifePart): number => part.spans[0]?.from ?? Infinity;
  return a.vreg - b.vreg || (from(a) < from(b) ? -1 : from(a) > from(b) ? 1 : 0);
}

function countCopies(fn: MachineFunction): number {
  const copy = fn.tables.opcodeByName('COPY');
  let n = 0;
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) if (fn.opcode[fn.order[p]] === copy) n++;
  return n;
}

const VERDICTS = {
  [Interference.Virtual]: 'taken',
  [Interference.Fixed]: 'fixed',
  [Interference.Mask]: 'call',
} as const;

class Collector implements AllocationWatch {
  readonly parts: LifePart[] = [];
  readonly inserted: InsertedInstr[] = [];
  readonly runs: RunTrace[] = [];
  /** what the frame depends on besides the code, after the last rewriter */
  frame: Omit<AllocatedStack, 'objects'> | null = null;
  private readonly nSource: number;
  private run: WatchedRun | null = null;
  /** of the present run */
  private firstNew = 0;
  private slotOwner = new Map<number, number>();
  private picks: PickTrace[] = [];
  private moved: { vreg: number; from: PhysReg; to: PhysReg }[] = [];
  private steps: StepTrace[] = [];
  private present: Pick<PickTrace, 'stage' | 'regClass' | 'weight' | 'candidates' | 'nTried'> | null = null;

  constructor(
    private readonly state: AllocState,
    /** number of virtual registers of the source */
    private readonly nVRegs: number,
    private readonly withDecisions: boolean,
    readonly checkpoint: () => void,
  ) {
    this.nSource = state.fn.nInstrs;
  }

  passEnds(pass: string, parameters: string): void {
    this.checkpoint();
    if (pass !== 'virtregrewriter' || parameters !== '') return;
    const { options, kept } = this.state;
    const { physLanes } = kept;
    const { spillsSGPRsToVGPRs, spillsVGPRsToAGPRs } = options;
    this.frame = { physLanes, spillsSGPRsToVGPRs, spillsVGPRsToAGPRs };
  }

  runBegins(_filter: RunFilter, run: WatchedRun): void {
    this.run = run;
    this.firstNew = this.state.fn.nInstrs;
    this.slotOwner = new Map();
    this.picks = [];
    this.moved = [];
  }

  picked(v: number): void {
    this.steps = [];
    const { run, state } = this;
    if (!this.withDecisions || run === null) return;
    const { list, nHints } = run.candidates(v);
    const candidates: CandidateTrace[] = [];
    let nTried = 0;
    // The allocator asks the same questions next, in the same order: that they are asked changes nothing.
    for (let k = 0; k < list.length; k++) {
      const reg = list[k];
      const met = run.matrix.check(v, reg) as Interference;
      nTried++;
      if (candidates.length < MAX_CANDIDATES) {
        const verdict = met === Interference.Free ? 'free' : VERDICTS[met];
        candidates.push({ reg, isHint: k < nHints, verdict, owners: verdict === 'taken' ? this.owners(v, reg) : [] });
      }
      if (met === Interference.Free) break;
    }
    const { vregs, tables } = state.fn;
    this.present = {
      stage: STAGE_NAMES[run.stageOf(v)] ?? 'new',
      regClass: tables.regClassMirName(vregs.regClass[v]),
      weight: finite(state.lis.interval(v).weight),
      candidates,
      nTried,
    };
  }

  private owners(v: number, reg: PhysReg): number[] {
    const { unitBegin, unitEnd, unitList } = this.state.tables;
    const found = new Set<number>();
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++)
      for (const x of this.run?.matrix.interfering(v, unitList[k]) ?? []) found.add(x);
    return [...found];
  }

  settled(v: number, reg: PhysReg, made: readonly number[]): void {
    const { present, steps } = this;
    if (!this.withDecisions || present === null) return;
    const has = (kind: StepTrace['kind']): boolean => steps.some((s) => s.kind === kind);
    const outcome =
      reg !== 0
        ? 'assigned'
        : has('split')
          ? 'split'
          : has('spill') || has('rematerialize')
            ? 'spilled'
            : made.includes(v)
              ? 'put off'
              : 'gone';
    this.picks.push({ vreg: v, ...present, steps, outcome, reg, made: [...made] });
    this.present = null;
  }

  failed(v: number): void {
    const last = this.picks.at(-1);
    if (last?.vreg === v) this.picks[this.picks.length - 1] = { ...last, outcome: 'failed' };
  }

  evicts(v: number, reg: PhysReg, victims: readonly number[], isHint: boolean): void {
    void v;
    if (!this.withDecisions) return;
    const list = [...new Set(victims)].filter((x) => this.state.map.physOf(x) !== 0);
    const weighed = list.map((x) => ({ vreg: x, weight: finite(this.state.lis.interval(x).weight) }));
    this.steps.push({ kind: 'evict', reg, isHint, victims: weighed });
  }

  recolors(v: number, reg: PhysReg, owners: Iterable<number>): void {
    if (this.withDecisions) this.steps.push({ kind: 'recolor', vreg: v, reg, owners: [...owners] });
  }

  splits(_v: number, how: SplitKind, reg: PhysReg, cost: bigint | null): void {
    const entry = Number(this.state.blocks.entry);
    if (this.withDecisions)
      this.steps.push({ kind: 'split', how, reg, cost: cost === null ? null : Number(cost) / entry });
  }

  spills(_v: number, slot: number, together: readonly number[]): void {
    const owner = together[0] === undefined ? -1 : this.sourceOf(together[0]);
    this.slotOwner.set(slot, owner);
    if (this.withDecisions) this.steps.push({ kind: 'spill', slot, together: [...together] });
  }

  rematerializes(_v: number, made: number, def: InstrId, use: InstrId): void {
    if (this.withDecisions) this.steps.push({ kind: 'rematerialize', def, use, made });
  }

  moves(v: number, from: PhysReg, to: PhysReg): void {
    if (this.withDecisions) this.moved.push({ vreg: v, from, to });
  }

  runEnds(filter: RunFilter): void {
    const { state } = this;
    const places = new SourcePlaces(state, this.nSource);
    for (let v = 0; v < state.fn.vregs.n; v++) {
      const reg = state.map.physOf(v);
      if (reg === 0 || !state.isIn(filter, v)) continue;
      const interval = state.lis.interval(v);
      if (interval.isEmpty) continue;
      this.parts.push({ vreg: this.sourceOf(v), part: v, reg, slot: -1, run: filter, spans: places.spansOf(interval) });
    }
    for (const [slot, owner] of this.slotOwner) {
      const range = state.liveStacks.get(slot)?.range;
      if (range) this.parts.push({ vreg: owner, part: -1, reg: 0, slot, run: filter, spans: places.spansOf(range) });
    }
    this.collectInserted(filter);
    if (!this.withDecisions) return;
    const parents = new Map<number, number>();
    for (let v = 0; v < state.fn.vregs.n; v++) {
      const source = this.sourceOf(v);
      const from = source >= 0 ? source : state.map.originalOf(v);
      if (from !== v) parents.set(v, from);
    }
    const csrCost = Number(this.run?.csrCost ?? 0n) / Number(state.blocks.entry);
    this.runs.push({ run: filter, csrCost, picks: this.picks, moves: this.moved, parents });
  }

  /** The register of the source that a register was split from or fell off, -1 = none. */
  private sourceOf(v: number): number {
    const { state } = this;
    let from = state.map.originalOf(v);
    while (from >= this.nVRegs) {
      const whole = state.lis.fellOff.get(from);
      if (whole === undefined) return -1;
      from = state.map.originalOf(whole);
    }
    return from;
  }

  private collectInserted(run: RunFilter): void {
    const { state } = this;
    const { fn, editor } = state;
    for (let b = 0; b < fn.blocks.length; b++) {
      let after = -1;
      const waiting: Omit<InsertedInstr, 'before'>[] = [];
      const settle = (before: InstrId): void => {
        for (const n of waiting) this.inserted.push({ ...n, before });
        waiting.length = 0;
      };
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
        if (i < this.nSource) {
          settle(i);
          after = i;
        } else if (i >= this.firstNew) {
          const { kind, vreg } = this.insertedAs(i);
          waiting.push({ instr: i, kind, run, vreg, block: b, after });
        }
      }
      settle(-1);
    }
  }

  private insertedAs(i: InstrId): { readonly kind: InsertedKind; readonly vreg: number } {
    const { state } = this;
    const { fn } = state;
    const access = stackAccess(state, i);
    const first = fn.opBegin[i];
    const reg = access?.reg ?? (fn.opKind[first] === OperandKind.Register ? fn.opVal[first] : 0);
    const from = isVirtualReg(reg) ? this.sourceOf(~reg) : -1;
    const owner = access !== null && from < 0 ? (this.slotOwner.get(access.slot) ?? -1) : from;
    const kind = access !== null ? (access.isSave ? 'save' : 'reload') : state.isCopy(i) ? 'copy' : 'rematerialized';
    return { kind, vreg: owner };
  }
}

const finite = (weight: number): number | null => (Number.isFinite(weight) ? weight : null);

/** Instructions of the source in layout order, with their slots. */
class SourcePlaces {
  private readonly instrs: InstrId[] = [];
  private readonly numbers: number[] = [];

  constructor(
    private readonly state: AllocState,
    nSource: number,
  ) {
    const { fn, editor, slots } = state;
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
        const slot = i < nSource ? slots.ofInstr(i) : -1;
        if (slot < 0) continue;
        this.instrs.push(i);
        this.numbers.push(slots.number(slot));
      }
  }

  /** Touching spans are one. */
  spansOf(range: {
    readonly start: readonly number[];
    readonly end: readonly number[];
    readonly size: number;
  }): LifeSpan[] {
    const { slots } = this.state;
    const spans: LifeSpan[] = [];
    let first = 0;
    let last = -1;
    const settle = (): void => {
      if (last >= first) spans.push({ from: this.instrs[first], to: this.instrs[last] });
    };
    for (let s = 0; s < range.size; s++) {
      const from = this.firstAt(slots.number(range.start[s] & ~3));
      const to = this.firstAt(slots.number(range.end[s])) - 1;
      if (to < from) continue;
      if (from > last + 1 || last < first) {
        settle();
        first = from;
        last = to;
      } else last = Math.max(last, to);
    }
    settle();
    return spans;
  }

  /** Index of the first instruction whose number is not below. */
  private firstAt(number: number): number {
    let lo = 0;
    let hi = this.numbers.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (this.numbers[mid] < number) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }
}
