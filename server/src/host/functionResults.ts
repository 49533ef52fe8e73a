/**
 * What is derived from single functions, kept as long as the function lives: lowering keeps a LoweredFunction by identity while
 * its text, the embedded IR and the target are the same, and everything here hangs on that object.
 */
import { DEFAULT_RELEASE, type Subtarget } from '../target/index.js';
import { PressureSummary } from '../analysis/summary.js';
import { LaneValues } from '../analysis/uniformity/laneValues.js';
import { unchangedBlocks } from '../analysis/unchangedBlocks.js';
import {
  irVerifierOptions,
  verifierDiagnostics,
  verifyVersion,
  type CleanVersion,
} from '../analysis/verifier/index.js';
import { LoweringCache, lowerFile, type LoweredFunction, type ModelFile } from '../model/lowering/lowerFile.js';
import { scanIRSymbols, type IRSymbols } from '../features/symbols/irSymbols.js';
import { SymbolCache, indexSymbols, mayHaveName, type SymbolIndex } from '../features/symbols/symbolIndex.js';
import { RematAnalysis } from '../passes/scheduler/remat/advice/analysis.js';
import { Memory } from '../features/snapshot/memory.js';
import type { MirDocument, MirFile } from '../syntax/tree.js';
import type { MachineFunction } from '../model/machineFunction.js';
import type { Diagnostic } from '../text/diagnostic.js';
import type { TargetOptions } from '../program/targetOfFile.js';
import { fingerprint } from '../util/fingerprint.js';
import { RecentMap } from '../util/recent.js';
import { AllocationResults } from './allocationResults.js';
import { ScheduleResults } from './scheduleResults.js';

/** Only what is being edited matters, and each entry keeps an old version's analyses alive. */
const MAX_EARLIER = 4;

/** The last version of a function without errors, and the last summary: the next version takes over what holds for unchanged blocks. */
interface EarlierVersion {
  readonly clean: CleanVersion;
  /** of `clean.fn`, or of a version before that; null = nobody has asked yet */
  summary: PressureSummary | null;
  /** the same */
  lanes: LaneValues | null;
}

/** Which blocks of `now` are as they were in `before`; the last comparison, since verifier and pressure want the same one. */
interface Comparison {
  readonly before: WeakRef<MachineFunction>;
  readonly unchanged: Uint8Array | null;
}

/** Only places in the text differ, as after an edit of a comment. */
const isUnchanged = (unchanged: Uint8Array): boolean => !unchanged.includes(0);

/** Targets besides the present one whose results are kept. */
const MAX_OTHER_TARGETS = 16;

export class FunctionResults {
  private readonly lowering = new LoweringCache();
  private readonly verified = new WeakMap<LoweredFunction, readonly Diagnostic[]>();
  private readonly summaries = new WeakMap<LoweredFunction, PressureSummary | null>();
  private readonly lanesOf = new WeakMap<LoweredFunction, LaneValues>();
  private readonly remats = new WeakMap<LoweredFunction, RematAnalysis>();
  private readonly indexes = new WeakMap<MirDocument, SymbolIndex>();
  private readonly earlier = new RecentMap<EarlierVersion>(MAX_EARLIER);
  /** by the later version. A link from each version to the one before would keep all of them. */
  private readonly comparisons = new WeakMap<MachineFunction, Comparison>();
  private readonly symbolCache = new SymbolCache();
  private readonly irNames = new WeakMap<MirDocument, IRSymbols>();
  private readonly irFingerprints = new WeakMap<MirDocument, string>();
  private readonly memories = new WeakMap<LoweredFunction | Subtarget, Memory>();
  /** functions verified since the start, for the status display and for tests of what an edit recomputes */
  computed = 0;
  readonly schedules: ScheduleResults;
  /** of functions as they stand, or in the scheduler's order */
  readonly allocations: AllocationResults;
  /** of functions from before the scheduler, at the end of all passes to there */
  readonly fromEarlier: AllocationResults;
  /** results of the same documents for other targets, those used last at the end */
  private readonly others = new Map<string, FunctionResults>();

  /** The parameters are those of `AllocationResults`. */
  constructor(
    private readonly isPatient: boolean,
    private readonly quickMs?: number,
    private readonly backgroundMs?: number,
  ) {
    this.schedules = new ScheduleResults(isPatient, quickMs);
    this.allocations = new AllocationResults(isPatient, quickMs, backgroundMs);
    this.fromEarlier = new AllocationResults(isPatient, quickMs, backgroundMs);
  }

  /** Results for another target, apart from these: a document keeps what is known of one target only. */
  ofTarget(key: string): FunctionResults {
    const found = this.others.get(key) ?? new FunctionResults(this.isPatient, this.quickMs, this.backgroundMs);
    this.others.delete(key);
    this.others.set(key, found);
    const [oldest] = this.others.keys();
    if (MAX_OTHER_TARGETS < this.others.size && oldest !== undefined) this.others.delete(oldest);
    return found;
  }

  /** Forgets what is kept of functions whose name no file has any more: versions of files that were closed, or in which it was another one. */
  keepOnly(isName: (name: string) => boolean): void {
    this.lowering.keepOnly(isName);
    this.earlier.keepOnly(isName);
    this.allocations.keepOnly(isName);
    this.fromEarlier.keepOnly(isName);
    for (const other of this.others.values()) other.keepOnly(isName);
  }

  /** Cheap: functions are lowered when asked for. */
  model(
    file: MirFile,
    { triple, cpu, features, release = DEFAULT_RELEASE, isChosen = false }: TargetOptions,
  ): ModelFile {
    return lowerFile(file, { triple, cpu, features, release, isChosen, readsDumps: true }, this.lowering);
  }

  /** Findings of the machine verifier, relative to the document; none for a function that the parser rejects. */
  verifier(lowered: LoweredFunction): readonly Diagnostic[] {
    let result = this.verified.get(lowered);
    if (!result) {
      this.computed++;
      const { fn } = lowered;
      result = fn && lowered.isComplete ? this.verify(lowered, fn) : [];
      this.verified.set(lowered, result);
    }
    return result;
  }

  private verify(lowered: LoweredFunction, fn: MachineFunction): readonly Diagnostic[] {
    const before = this.earlier.get(lowered.name)?.clean ?? null;
    const unchanged = before && this.unchanged(before.fn, fn);
    if (before && unchanged && isUnchanged(unchanged)) {
      this.keepVersion(lowered.name, { fn, walk: before.walk });
      return [];
    }
    const options = irVerifierOptions(lowered.module, fn);
    const { reports, clean } = verifyVersion(fn, options, before && unchanged ? { before, unchanged } : null);
    if (clean) this.keepVersion(lowered.name, clean);
    return verifierDiagnostics(fn, reports);
  }

  private keepVersion(name: string, clean: CleanVersion): void {
    const { summary = null, lanes = null } = this.earlier.get(name) ?? {};
    this.earlier.set(name, { clean, summary, lanes });
  }

  private unchanged(before: MachineFunction, now: MachineFunction): Uint8Array | null {
    const known = this.comparisons.get(now);
    if (known?.before.deref() === before) return known.unchanged;
    const unchanged = unchangedBlocks(before, now);
    this.comparisons.set(now, { before: new WeakRef(before), unchanged });
    return unchanged;
  }

  /** Has it been found out that llc accepts the function? Computes nothing. */
  isKnownGood(lowered: LoweredFunction): boolean {
    return this.verified.get(lowered)?.length === 0 && lowered.isComplete && lowered.fn !== null;
  }

  /** Null when llc would not get as far as computing the pressure. */
  summary(lowered: LoweredFunction): PressureSummary | null {
    let result = this.summaries.get(lowered);
    if (result === undefined) {
      const { fn } = lowered;
      result = fn && lowered.isComplete && this.verifier(lowered).length === 0 ? this.summarize(lowered, fn) : null;
      this.summaries.set(lowered, result);
    }
    return result;
  }

  private summarize(lowered: LoweredFunction, fn: MachineFunction): PressureSummary {
    const entry = this.earlier.get(lowered.name);
    const before = entry?.summary ?? null;
    const unchanged = before && this.unchanged(before.fn, fn);
    const earlier = before && unchanged && { before, unchanged: isUnchanged(unchanged) ? null : unchanged };
    const summary = new PressureSummary(fn, earlier);
    if (entry) entry.summary = summary;
    return summary;
  }

  /** What registers are to the lanes of a wave; null without a function. Holds what it can of one that llc rejects. */
  lanes(lowered: LoweredFunction): LaneValues | null {
    const { fn } = lowered;
    if (!fn) return null;
    let result = this.lanesOf.get(lowered);
    if (!result) {
      const entry = this.earlier.get(lowered.name);
      const before = entry?.lanes ?? null;
      const unchanged = before && this.unchanged(before.fn, fn);
      result = new LaneValues(fn, unchanged && isUnchanged(unchanged) ? before : null);
      if (entry) entry.lanes = result;
      this.lanesOf.set(lowered, result);
    }
    return result;
  }

  /** Null when there is no summary. */
  remat(lowered: LoweredFunction): RematAnalysis | null {
    let result = this.remats.get(lowered);
    if (!result) {
      const summary = this.summary(lowered);
      if (!summary) return null;
      result = new RematAnalysis(summary);
      this.remats.set(lowered, result);
    }
    return result;
  }

  /**
   * May a name stand at `offset` of a function's document, which stands at `start`? Costs the chunk that the offset lies in;
   * the whole index does not.
   */
  mayHaveName(file: MirFile, document: MirDocument, start: number, offset: number): boolean {
    return this.indexes.has(document) || mayHaveName(document, file.text.text, start, offset, this.symbolCache);
  }

  /** Names in a function's document, which stands at `start`. */
  symbols(file: MirFile, document: MirDocument, start: number): SymbolIndex {
    let result = this.indexes.get(document);
    if (!result) {
      result = indexSymbols(document, file.text.text, start, file.interner, this.symbolCache);
      this.indexes.set(document, result);
    }
    return result;
  }

  /** See `FunctionView.memory` and `Snapshot.memoryOf`. */
  memory(of: LoweredFunction | Subtarget): Memory {
    let result = this.memories.get(of);
    if (!result) this.memories.set(of, (result = new Memory()));
    return result;
  }

  /** Of the text of the IR document, which stands at `start`. */
  irFingerprint(file: MirFile, document: MirDocument, start: number): string {
    let result = this.irFingerprints.get(document);
    if (result === undefined) {
      result = fingerprint(file.text.text, start, start + document.length);
      this.irFingerprints.set(document, result);
    }
    return result;
  }

  /** Names in the IR document, which stands at `start`; offsets relative to it. */
  irSymbols(file: MirFile, document: MirDocument, start: number): IRSymbols {
    let result = this.irNames.get(document);
    if (!result) {
      const text = file.text.slice(start, start + document.length);
      result = scanIRSymbols(text, document.irStart, document.irEnd);
      this.irNames.set(document, result);
    }
    return result;
  }
}
