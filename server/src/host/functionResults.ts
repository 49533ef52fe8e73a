/**
 * What is derived from single functions, kept as long as the function lives: lowering keeps a LoweredFunction by identity while
 * its text, the embedded IR and the target are the same, and everything here hangs on that object.
 */
import { PressureSummary } from '../analysis/summary.js';
import { irVerifierOptions, verifierDiagnostics, verifyFunction } from '../analysis/verifier/index.js';
import { LoweringCache, lowerFile, type LoweredFunction, type ModelFile } from '../model/lowering/lowerFile.js';
import { scanIRSymbols, type IRSymbols } from '../features/irSymbols.js';
import { indexSymbols, type ChunkNamesCache, type SymbolIndex } from '../features/symbolIndex.js';
import { analyseRemat, type RematAnalysis } from '../scheduling/remat/advice/analysis.js';
import type { MirDocument, MirFile } from '../syntax/tree.js';
import type { Diagnostic } from '../text/diagnostic.js';
import type { TargetOptions } from '../features/targetOfFile.js';
import { ScheduleResults } from './scheduleResults.js';

export class FunctionResults {
  private readonly lowering = new LoweringCache();
  private readonly verified = new WeakMap<LoweredFunction, readonly Diagnostic[]>();
  private readonly summaries = new WeakMap<LoweredFunction, PressureSummary | null>();
  private readonly remats = new WeakMap<LoweredFunction, RematAnalysis>();
  private readonly indexes = new WeakMap<MirDocument, SymbolIndex>();
  private readonly chunkNames: ChunkNamesCache = new WeakMap();
  private readonly irNames = new WeakMap<MirDocument, IRSymbols>();
  /** functions verified since the start, for the status display and for tests of what an edit recomputes */
  computed = 0;
  readonly schedules: ScheduleResults;

  /** @param isPatient large functions are scheduled too */
  constructor(isPatient: boolean) {
    this.schedules = new ScheduleResults(isPatient);
  }

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
