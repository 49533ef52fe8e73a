/**
 * The open documents with everything derived from them. An edit makes a new version; readers get an immutable Snapshot of the
 * present one. Results hang on syntax documents by identity (functionResults.ts), so that an edit recomputes what it touched.
 */
import type { Diagnostic as LspDiagnostic, Range } from 'vscode-languageserver-types';
import { onTargets } from '../features/fixes/finding.js';
import {
  copyVerdicts,
  isLateToJudge,
  judgeCopiesOf,
  judgedCopies,
  takeVerdicts,
  type VerdictsByFunction,
} from '../features/diagnostics/copyFindings.js';
import { toLspDiagnostics } from '../features/diagnostics/diagnostics.js';
import { MANY_INSTRS } from '../program/scheduleSetting.js';
import { DEFAULT_SETTINGS, type Settings } from '../program/settings.js';
import { DocumentVerdict, type LineEdit } from '../features/snapshot/documentVerdict.js';
import { llcOutput, runTest } from '../features/checks/runTest.js';
import { updatedChecks, type UpdatedChecks } from '../features/checks/updateActions.js';
import type { TestVerdict } from '../features/snapshot/verdict.js';
import { Memory } from '../features/snapshot/memory.js';
import type { FunctionView, Snapshot } from '../features/snapshot/snapshot.js';
import type { CopyVerdict } from '../passes/fixSgprCopies/fixSgprCopies.js';
import {
  chosenTarget,
  TargetOrigin,
  targetOfFile,
  type FileTarget,
  type TargetOptions,
} from '../program/targetOfFile.js';
import { TestFile } from '../program/testFile/testFile.js';
import { modelWithTarget, SignMemory, type ModelOfFile } from '../program/modelOfFile.js';
import type { ReleaseName } from '../target/index.js';
import { parseMirFile, updateMirFile } from '../syntax/index.js';
import { DocumentKind, type MirFile } from '../syntax/tree.js';
import { SourceText, type TextEdit } from '../text/sourceText.js';
import type { CancellationToken, ProgressToken } from '../util/cancellation.js';
import { fingerprint } from '../util/fingerprint.js';
import { Interner } from '../util/interner.js';
import { FunctionResults } from './functionResults.js';
import { LlcOutcomes } from './llcMemory.js';
import { LastGood } from './lastGood.js';
import { DocumentSnapshot } from './documentSnapshot.js';
import { PastFindings } from './pastFindings.js';

/** One change of a document: a range in the text before it, or the whole text. */
export interface DocumentChange {
  readonly range?: Range;
  readonly text: string;
}

interface OpenDocument {
  readonly uri: string;
  version: number;
  file: MirFile;
  /** what the user chose; null = the file's own */
  override: TargetOptions | number | null;
  /** null = to be determined */
  target: DocumentTarget | null;
  test: TestFile | null;
  snapshot: DocumentSnapshot | null;
  lastGood: LastGood;
  /** names of the functions of the last version that was asked about */
  names: ReadonlyMap<string, number>;
  memory: Memory;
  verdict: DocumentVerdict | null;
  past: PastFindings;
}

/** What a document is for. */
interface DocumentTarget {
  readonly target: FileTarget;
  readonly model: ModelOfFile;
}

/** Characters of names that no open file has any more, after which the names are collected anew. */
const MAX_OLD_NAMES = 1 << 22;
/** What a name takes besides its characters. */
const NAME_OVERHEAD = 16;

/** Copies that took as long to judge are not judged again when an edit brings their function back. */
const LONG_MS = 5;

export class AnalysisHost {
  private interner = new Interner();
  private readonly signs = new SignMemory();
  /** size of the names after they were collected last */
  private nameSize = 0;
  private results: FunctionResults;
  private readonly documents = new Map<string, OpenDocument>();
  private settings: Settings = DEFAULT_SETTINGS;
  private readonly llcOutcomes = new LlcOutcomes();

  /**
   * @param isPatient requests may take long: large functions are scheduled too
   * @param quickMs what "long" is, see `ScheduleResults`
   * @param backgroundMs and in the background, see `AllocationResults`
   */
  constructor(
    readonly isPatient = false,
    private readonly quickMs?: number,
    private readonly backgroundMs?: number,
  ) {
    this.results = new FunctionResults(isPatient, quickMs, backgroundMs);
  }

  /** New settings; results that do not depend on them stay. */
  configure(settings: Settings): void {
    this.settings = settings;
    for (const document of this.documents.values()) {
      retarget(document);
      document.lastGood = new LastGood();
      // RUN lines may come to something else with another llc.
      document.past = new PastFindings();
    }
  }

  uris(): Iterable<string> {
    return this.documents.keys();
  }

  open(uri: string, version: number, text: string): void {
    const override = this.documents.get(uri)?.override ?? null;
    const file = parseMirFile(new SourceText(text), this.interner);
    this.documents.set(uri, {
      uri,
      version,
      file,
      override,
      target: null,
      test: null,
      snapshot: null,
      lastGood: new LastGood(),
      names: new Map(),
      memory: new Memory(),
      verdict: null,
      past: new PastFindings(),
    });
  }

  /** Applies changes in order, each to the text that the one before made. Ranges outside of the text are clamped. */
  change(uri: string, version: number, changes: readonly DocumentChange[]): void {
    const document = this.documents.get(uri);
    if (!document) return;
    for (const { range, text } of changes) {
      const old = document.file;
      const edit = range ? editOf(old.text, range, text) : differenceOf(old.text, text);
      if (edit === null) continue;
      document.verdict = document.verdict?.edited(lineEditOf(old.text, edit)) ?? null;
      document.file = updateMirFile(old, old.text.apply(edit), [edit]);
    }
    const past = document.past.testOf(document.file.text.text);
    if (past !== null) document.verdict = DocumentVerdict.of(past);
    const { snapshot } = document;
    if (snapshot)
      document.lastGood.keepChanged(snapshot.functions, snapshot.text.text, document.file.documents, this.results);
    document.version = version;
    retarget(document);
    this.collectNames();
  }

  close(uri: string): void {
    this.documents.delete(uri);
    this.collectNames();
    this.forgetOld();
  }

  /** Lets go of results of functions that no open file has. */
  private forgetOld(): void {
    const documents = [...this.documents.values()];
    this.results.keepOnly((name) => documents.some(({ names }) => names.has(name)));
  }

  /**
   * Ids of names are never given again. When many are of names that are no more, the files are parsed with new ones; everything is computed
   * anew then, which is seldom.
   */
  private collectNames(): void {
    const size = (): number => this.interner.characters + NAME_OVERHEAD * this.interner.size;
    if (this.documents.size > 0 && size() <= 2 * this.nameSize + MAX_OLD_NAMES) return;
    const { computed } = this.results;
    this.interner = new Interner();
    this.results = new FunctionResults(this.isPatient, this.quickMs, this.backgroundMs);
    this.results.computed = computed;
    for (const document of this.documents.values()) {
      document.file = parseMirFile(document.file.text, this.interner);
      document.lastGood = new LastGood();
      document.memory = new Memory();
      document.snapshot = null;
    }
    this.nameSize = size();
  }

  /** Which target a document uses: the index of a RUN command, a target, or null for the file's own. */
  selectTarget(uri: string, target: TargetOptions | number | null): void {
    const document = this.documents.get(uri);
    if (!document) return;
    document.override = target;
    retarget(document);
    document.lastGood = new LastGood();
  }

  /** What has been found out late, where this host could not take the time; of another version it is not taken. */
  takeLate(uri: string, version: number, found: LateFinding): void {
    if (found.kind === 'verdict') this.setVerdict(uri, version, found.verdict);
    else this.setCopies(uri, version, found.target, found.verdicts);
  }

  /** What the RUN lines of a version came to; of a version that is not the present one it is not taken. */
  setVerdict(uri: string, version: number, verdict: TestVerdict | null): void {
    const document = this.documents.get(uri);
    if (document?.version !== version) return;
    document.verdict = verdict && DocumentVerdict.of(verdict);
    if (verdict) document.past.keepTest(document.file.text.text, verdict);
    document.snapshot = null;
  }

  /** Runs the RUN lines of a text. Throws Cancelled. */
  runTest(text: string, token: ProgressToken): TestVerdict {
    return runTest(text, this.llcOutcomes, token, this.settings.model);
  }

  /** CHECK lines of an autogenerated test made anew. Throws Cancelled. */
  updateChecks(text: string, token: ProgressToken): UpdatedChecks {
    return updatedChecks(text, (args) => llcOutput(args, text, token, this.llcOutcomes, this.settings.model));
  }

  /** The present version, or null when the document is not open. */
  snapshot(uri: string): Snapshot | null {
    const document = this.documents.get(uri);
    return document ? this.snapshotOf(document) : null;
  }

  /**
   * All diagnostics of the present version, or null when cancelled; at least one function is computed before the token is
   * asked, so that repeated calls come to an end. `within` ends work in the midst of a function, too, which is begun anew then.
   */
  diagnostics(uri: string, token: CancellationToken, within = token): LspDiagnostic[] | null {
    const document = this.documents.get(uri);
    if (!document) return [];
    const snapshot = this.snapshotOf(document);
    if (snapshot.target.foreign !== '') return [];
    const { pressureDiagnostics, rematDiagnostics, copyDiagnostics } = this.settings;
    for (const target of onTargets(snapshot)) {
      const { functions, results } = target.snapshot as DocumentSnapshot;
      const { computed } = results;
      for (const fn of functions) {
        results.verifier(fn.lowered);
        // The view knows whether there is anything to count.
        if (target.snapshot === snapshot && (pressureDiagnostics || rematDiagnostics)) void fn.summary;
        if (results.computed !== computed && token.isCancelled()) return null;
        if (target.snapshot === snapshot && copyDiagnostics && !this.judge(document.past, fn, snapshot, within))
          return null;
      }
    }
    const good = snapshot.functions.filter(({ lowered }) => this.results.isKnownGood(lowered));
    document.lastGood.forget(
      good.map(({ name }) => name),
      good.length === snapshot.functions.length,
    );
    return toLspDiagnostics(snapshot);
  }

  /** False when cancelled. */
  private judge(past: PastFindings, view: FunctionView, snapshot: Snapshot, token: CancellationToken): boolean {
    const { fn } = view;
    if (fn === null || judgedCopies(view) !== null) return true;
    const key = (): string => copiesKey(view, snapshot, this.results);
    const known = past.copiesOf(key);
    if (known !== null) {
      takeVerdicts(view, known);
      return true;
    }
    const begun = Date.now();
    if (!judgeCopiesOf(view, snapshot, token)) return false;
    const found = judgedCopies(view);
    if (found !== null && LONG_MS <= Date.now() - begun) past.keepCopies(key(), found);
    return true;
  }

  /** Functions of a document whose copies take longer to judge than this host may: indexes, and the target for which that holds. */
  lateCopies(uri: string): LateCopies {
    const snapshot = this.snapshot(uri);
    if (!snapshot || !this.settings.copyDiagnostics) return { target: '', functions: [] };
    const functions = [...snapshot.functions.keys()].filter((k) => {
      const view = snapshot.functions[k]!;
      return view.fn !== null && isLateToJudge(view);
    });
    return { target: targetKey(snapshot), functions };
  }

  /** What is late elsewhere; null when cancelled, or when the document has another target here. */
  judgeCopies(uri: string, { target, functions }: LateCopies, token: CancellationToken): VerdictsByFunction | null {
    const snapshot = this.snapshot(uri);
    if (!snapshot || targetKey(snapshot) !== target) return null;
    const all: (readonly [number, readonly CopyVerdict[]])[] = [];
    for (const k of functions) {
      const view = snapshot.functions[k];
      if (!view?.fn) continue;
      const found = copyVerdicts(view, snapshot, token);
      if (found === null) return null;
      all.push([k, found]);
    }
    return all;
  }

  /** Verdicts that were late; those of another version or target are not taken. */
  setCopies(uri: string, version: number, target: string, verdicts: VerdictsByFunction): void {
    const document = this.documents.get(uri);
    const snapshot = this.snapshot(uri);
    if (!document || snapshot?.version !== version || targetKey(snapshot) !== target) return;
    for (const [k, found] of verdicts) {
      const view = snapshot.functions[k];
      if (!view?.fn) continue;
      takeVerdicts(view, found);
      document.past.keepCopies(copiesKey(view, snapshot, this.results), found);
    }
  }

  /**
   * Allocates registers of a function of a document for which that is not known, unless it takes too long: what has more to say then. Null when
   * there was none. The first one that is not large goes before those that are. Functions of more than `most` instructions are left out.
   */
  allocateNext(uri: string, token: CancellationToken, most: number): 'lens' | 'hints' | 'gave way' | null {
    const document = this.documents.get(uri);
    if (!document || !this.settings.allocationLens || !this.settings.codeLens) return null;
    const snapshot = this.snapshotOf(document);
    if (snapshot.target.foreign !== '') return null;
    const isWaiting = (fn: (typeof snapshot.functions)[number]): boolean =>
      fn.summary?.usedRegisters.kind === 'virtual' &&
      fn.knownEnd === null &&
      !fn.isLargeToAllocate &&
      (fn.fn?.nInstrs ?? 0) <= most;
    const { functions } = snapshot;
    const next =
      functions.find((fn) => (fn.fn?.nInstrs ?? 0) <= MANY_INSTRS && isWaiting(fn)) ?? functions.find(isWaiting);
    if (next === undefined) return null;
    const state = next.endInBackground(token);
    if (state.kind === 'cancelled') return 'gave way';
    return state.kind === 'ready' && next.knownAllocation !== null && state.allocated.inserted.length > 0
      ? 'hints'
      : 'lens';
  }

  statistics(): {
    documents: { uri: string; version: number; functions: number }[];
    computedFunctions: number;
  } {
    const documents = [...this.documents.values()];
    return {
      documents: documents.map((d) => ({
        uri: d.uri,
        version: d.version,
        functions: this.snapshotOf(d).functions.length,
      })),
      computedFunctions: this.results.computed,
    };
  }

  /** The target, for the LLVM that the file or the setting says. */
  private targetOf(document: OpenDocument, test: TestFile): DocumentTarget {
    const targetFor = (release: ReleaseName): FileTarget => this.targetFor(document, test, release);
    return modelWithTarget(document.file, targetFor, this.settings.model, this.signs);
  }

  private targetFor({ override }: OpenDocument, test: TestFile, release: ReleaseName): FileTarget {
    const { target, targetOverridesRunLines } = this.settings;
    if (override !== null || !targetOverridesRunLines)
      return targetOfFile(test, target, override ?? undefined, release);
    // The setting is about processors: it makes no file of another target one of ours.
    const { foreign } = chosenTarget(targetOfFile(test, target, undefined, release), target);
    return { ...targetOfFile(test, target, target, release), origin: TargetOrigin.Setting, foreign };
  }

  private snapshotOf(document: OpenDocument): DocumentSnapshot {
    if (document.snapshot) return document.snapshot;
    const test = (document.test ??= new TestFile(document.file.text.text));
    const { target, model } = (document.target ??= this.targetOf(document, test));
    const { uri, version, file, lastGood, memory, verdict } = document;
    const { settings, results } = this;
    const parts = { uri, version, file, test, target, model, settings, results, lastGood, memory, verdict };
    document.snapshot = new DocumentSnapshot(parts);
    document.names = document.snapshot.functionNames;
    document.lastGood.keepOnly((name) => document.names.has(name));
    this.forgetOld();
    return document.snapshot;
  }
}

/** Work of which another host may do what takes long. */
export interface LateCopies {
  readonly target: string;
  readonly functions: readonly number[];
}

/** What RUN lines came to, and what became of copies that were late, for a target. */
export type LateFinding =
  | { readonly kind: 'verdict'; readonly verdict: TestVerdict }
  | { readonly kind: 'copies'; readonly target: string; readonly verdicts: VerdictsByFunction };

const targetKey = ({ target: { triple, cpu, features, isChosen = false }, model }: Snapshot): string =>
  `${triple} ${cpu} ${features} ${model.model}${isChosen ? ' chosen' : ''}`;

/** All that the verdicts on a function's copies depend on. O(text of the function), and once that of the IR */
function copiesKey(view: FunctionView, snapshot: Snapshot, results: FunctionResults): string {
  const { file, text } = snapshot;
  const ofIR = file.documents.flatMap((document, d) =>
    document.kind === DocumentKind.IR ? [results.irFingerprint(file, document, file.docStarts[d]!)] : [],
  );
  return [targetKey(snapshot), ...ofIR, fingerprint(text.text, view.start, view.end)].join(' ');
}

function retarget(document: OpenDocument): void {
  document.target = null;
  document.test = null;
  document.snapshot = null;
}

/** The lines that an edit touches, and how many it makes of them. */
function lineEditOf(text: SourceText, { start, end, text: newText }: TextEdit): LineEdit {
  const [first, last] = [text.lineAt(start), text.lineAt(end)];
  // Whole lines that come or go leave the one after them as it is.
  const isWhole = text.lineStart(first) === start && text.lineStart(last) === end;
  const before = isWhole ? 1 : 0;
  return { start: first - before, end: last - before, nLines: newText.split(/\r\n|\r|\n/).length };
}

/** An edit in offsets; whatever the client sends, it is within the text and not reversed. */
function editOf(text: SourceText, range: Range, newText: string): TextEdit {
  const a = text.offsetAt(cleanPosition(range.start));
  const b = text.offsetAt(cleanPosition(range.end));
  return { start: Math.min(a, b), end: Math.max(a, b), text: newText };
}

/** What a client changed that sends whole texts, null: nothing. What the edit leaves alone keeps its results. */
function differenceOf({ text: old }: SourceText, text: string): TextEdit | null {
  if (old === text) return null;
  const most = Math.min(old.length, text.length);
  let start = 0;
  while (start < most && old.charCodeAt(start) === text.charCodeAt(start)) start++;
  let end = old.length;
  let newEnd = text.length;
  while (end > start && newEnd > start && old.charCodeAt(end - 1) === text.charCodeAt(newEnd - 1)) {
    end--;
    newEnd--;
  }
  return { start, end, text: text.slice(start, newEnd) };
}

function cleanPosition({ line, character }: Range['start']): Range['start'] {
  const whole = (n: number): number => (n > 0 ? Math.min(Math.floor(n), 0x7fffffff) : 0);
  return { line: whole(line), character: whole(character) };
}
