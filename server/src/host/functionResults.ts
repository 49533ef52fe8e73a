/**
 * What is derived from single functions, kept as long as the function lives: lowering keeps a LoweredFunction by identity while
 * its text, the embedded IR and the target are the same, and everything here hangs on that object.
 */
import { PressureSummary } from '../analysis/summary.js';
import { irVerifierOptions, verifierDiagnostics, verifyFunction } from '../analysis/verifier/index.js';
import { LoweringCache, lowerFile, type LoweredFunction, type ModelFile } from '../model/lowering/lowerFile.js';
import { scanIRSymbols, type IRSymbols } from '../features/irSymbols.js';
import { indexSymbols, type ChunkNamesCache, type SymbolIndex } from '../features/symbolIndex.js';
import { moduleFactsOf } from '../scheduling/moduleFacts.js';
import { DEFAULT_SCHEDULE_OPTIONS, SchedulerProcessState } from '../scheduling/scheduleFunction.js';
import { analyseRemat, type RematAnalysis } from '../scheduling/remat/advice/analysis.js';
import { traceSchedule, type TracedSchedule } from '../scheduling/trace/collector.js';
import type { MirDocument, MirFile } from '../syntax/tree.js';
import type { Diagnostic } from '../text/diagnostic.js';
import type { TargetOptions } from '../features/targetOfFile.js';

/** Functions with more instructions are not scheduled for a hover, and their picks are collected only when asked for. */
const PICKS_LIMIT = 2000;

export class FunctionResults {
  private readonly lowering = new LoweringCache();
  private readonly verified = new WeakMap<LoweredFunction, readonly Diagnostic[]>();
  private readonly summaries = new WeakMap<LoweredFunction, PressureSummary | null>();
  private readonly schedules = new WeakMap<LoweredFunction, TracedSchedule | null>();
  private readonly remats = new WeakMap<LoweredFunction, RematAnalysis>();
  private readonly indexes = new WeakMap<MirDocument, SymbolIndex>();
  private readonly chunkNames: ChunkNamesCache = new WeakMap();
  private readonly irNames = new WeakMap<MirDocument, IRSymbols>();
  /** functions verified since the start, for the status display and for tests of what an edit recomputes */
  computed = 0;

  /** Cheap: functions are lowered when asked for. */
  model(file: MirFile, { triple, cpu, features }: TargetOptions): ModelFile {
    return lowerFile(file, { triple, cpu, features }, this.lowering);
  }

  /** Findings of the machine verifier, relative to the document; none for a function that the parser rejects. */
  verifier(lowered: LoweredFunction): readonly Diagnostic[] {
    let result = this.verified.get(lowered);
    if (!result) {
      this.computed++;
      const { fn } = lowered;
      result =
        fn && lowered.isComplete
          ? verifierDiagnostics(fn, verifyFunction(fn, irVerifierOptions(lowered.module, fn)))
          : [];
      this.verified.set(lowered, result);
    }
    return result;
  }

  /** Null when llc would not get as far as computing the pressure. */
  summary(lowered: LoweredFunction): PressureSummary | null {
    let result = this.summaries.get(lowered);
    if (result === undefined) {
      const { fn } = lowered;
      result = fn && lowered.isComplete && this.verifier(lowered).length === 0 ? new PressureSummary(fn) : null;
      this.summaries.set(lowered, result);
    }
    return result;
  }

  /**
   * The machine scheduler's result with llc's default options and its trace, with picks unless the function is large; null when
   * there is no summary. `source` is the text of the file.
   */
  schedule(lowered: LoweredFunction, source: string): TracedSchedule | null {
    let result = this.schedules.get(lowered);
    if (result === undefined) {
      const isLarge = (lowered.fn?.nInstrs ?? 0) > PICKS_LIMIT;
      result = this.traceSchedule(lowered, source, isLarge ? null : () => true);
      this.schedules.set(lowered, result);
    }
    return result;
  }

  /** The schedule if it is known or quickly made; what a hover may wait for. */
  quickSchedule(lowered: LoweredFunction, source: string): TracedSchedule | null {
    const isLarge = (lowered.fn?.nInstrs ?? 0) > PICKS_LIMIT;
    return isLarge ? (this.schedules.get(lowered) ?? null) : this.schedule(lowered, source);
  }

  /** The same with every pick of one region, or of all; not kept. */
  scheduleWithPicks(lowered: LoweredFunction, source: string, region: number | null): TracedSchedule | null {
    return this.traceSchedule(lowered, source, (r) => region === null || r === region);
  }

  private traceSchedule(
    lowered: LoweredFunction,
    source: string,
    picksOf: ((region: number) => boolean) | null,
  ): TracedSchedule | null {
    const { fn } = lowered;
    if (fn === null || this.summary(lowered) === null) return null;
    const facts = moduleFactsOf(source, lowered.module);
    return traceSchedule(fn, DEFAULT_SCHEDULE_OPTIONS, new SchedulerProcessState(), facts, { picksOf });
  }

  /** Null when there is no summary. */
  remat(lowered: LoweredFunction): RematAnalysis | null {
    let result = this.remats.get(lowered);
    if (!result) {
      const summary = this.summary(lowered);
      if (!summary) return null;
      result = analyseRemat(summary);
      this.remats.set(lowered, result);
    }
    return result;
  }

  /** Names in a function's document, which stands at `start`. */
  symbols(file: MirFile, document: MirDocument, start: number): SymbolIndex {
    let result = this.indexes.get(document);
    if (!result) {
      result = indexSymbols(document, file.text.text, start, file.interner, this.chunkNames);
      this.indexes.set(document, result);
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
