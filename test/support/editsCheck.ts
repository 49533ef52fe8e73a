/**
 * A file that is edited: after each edit the updated tree with everything derived from it can be compared with what a fresh parse of the
 * same text gives. Used by the property test in CI and by the long runs of `test/bench/fuzz.mjs`.
 */
import { printRange, type LiveIntervals } from '../../server/src/analysis/liveIntervals.js';
import { PressureSummary } from '../../server/src/analysis/summary.js';
import { irVerifierOptions, verifierDiagnostics, verifyFunction } from '../../server/src/analysis/verifier/index.js';
import { FunctionResults } from '../../server/src/host/functionResults.js';
import { LoweringCache, lowerFile, type ModelFile } from '../../server/src/model/lowering/lowerFile.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { printFunctionDocument } from '../../server/src/model/printer/index.js';
import { dumpTree, parseMirFile, updateMirFile, type MirFile } from '../../server/src/syntax/index.js';
import { DocumentKind } from '../../server/src/syntax/tree.js';
import type { Diagnostic } from '../../server/src/text/diagnostic.js';
import { SourceText, type TextEdit } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';

export interface Target {
  readonly triple: string;
  readonly cpu: string;
  readonly features: string;
}

/** What hangs on one lowered function. */
interface FunctionFacts {
  readonly verifier: readonly Diagnostic[];
  readonly summary: PressureSummary | null;
}

export interface EditCounts {
  edits: number;
  comparisons: number;
  /** functions compared in all comparisons, and how many of them had a pressure summary */
  functions: number;
  summaries: number;
  /** functions that an edit elsewhere left alone and that were the same object after it */
  kept: number;
}

/** A difference between updated and fresh; the message says where. */
class EditMismatch extends Error {}

function check(isEqual: boolean, what: string): void {
  if (!isEqual) throw new EditMismatch(what);
}

/** Shared by all files of a run, as one server has it. */
export class EditSession {
  readonly counts: EditCounts = { edits: 0, comparisons: 0, functions: 0, summaries: 0, kept: 0 };
  interner = new Interner();
  cache = new LoweringCache();
  fresh = new LoweringCache();
  /** verifies and analyses as the server does: taking over what it knows of unchanged blocks */
  results = new FunctionResults(false);

  open(text: string, target: Target): EditedFile {
    return new EditedFile(this, text, target);
  }

  /** Forgets what grows with the texts seen: an editor is restarted now and then. */
  restart(): void {
    this.interner = new Interner();
    this.cache = new LoweringCache();
    this.fresh = new LoweringCache();
    this.results = new FunctionResults(false);
  }
}

export class EditedFile {
  private file: MirFile;
  private model: ModelFile;
  private readonly session: EditSession;
  private readonly target: Target;

  constructor(session: EditSession, text: string, target: Target) {
    this.session = session;
    this.target = target;
    this.file = parseMirFile(new SourceText(text), session.interner);
    this.model = lowerFile(this.file, target, session.cache);
  }

  get text(): string {
    return this.file.text.text;
  }

  /** Applies changes, each to the text that the one before left, and checks that other functions kept their identity. */
  edit(edits: readonly TextEdit[]): void {
    const { session, file: oldFile, model: oldModel } = this;
    let text = oldFile.text;
    for (const e of edits) text = text.apply(e);
    this.file = updateMirFile(oldFile, text, edits);
    this.model = lowerFile(this.file, this.target, session.cache);
    session.counts.edits++;
    this.checkIdentity(oldFile, oldModel);
  }

  /**
   * Functions before and after the one function that changed: the same documents, and the same lowered functions. Only when documents
   * correspond one to one, the change is of a function, and its name is the same (names of others decide what `@name` means).
   */
  private checkIdentity(oldFile: MirFile, oldModel: ModelFile): void {
    const a = oldFile.documents;
    const b = this.file.documents;
    if (a.length !== b.length) return;
    const oldText = oldFile.text.text;
    const text = this.file.text.text;
    const textOf = (f: MirFile, t: string, i: number): string => t.slice(f.docStarts[i], f.docStarts[i + 1]);
    const changed = a.map((_, i) => i).filter((i) => textOf(oldFile, oldText, i) !== textOf(this.file, text, i));
    if (changed.length !== 1) return;
    const [c] = changed;
    // Where a document begins without a marker is up to the one before: they are read again together.
    const isMarked = (f: MirFile, t: string): boolean =>
      f.documents.every((_, i) => i === 0 || /^---[ \t\r\n]/.test(t.slice(f.docStarts[i], f.docStarts[i] + 4)));
    if (!isMarked(oldFile, oldText) || !isMarked(this.file, text)) return;
    for (let i = 0; i < a.length; i++) {
      // A document that follows the change is looked at again when its marker could have changed.
      if (i === c || i === c + 1 || i === c - 1) continue;
      check(a[i] === b[i], `document ${i} was made anew when ${c} changed`);
    }
    if (a[c].kind !== DocumentKind.Function || b[c].kind !== DocumentKind.Function) return;
    // A change at the marker also reads the document before it again; when that is the IR, all functions depend on it.
    if (a.some((doc, i) => doc.kind === DocumentKind.IR && doc !== b[i])) return;
    const { functions } = this.model;
    if (functions.length !== oldModel.functions.length) return;
    const changedName = functions.findIndex((f) => f.document === b[c]);
    if (changedName < 0 || functions[changedName].name !== oldModel.functions[changedName].name) return;
    functions.forEach((f, i) => {
      if (f.document === b[c] || f.document !== oldModel.functions[i].document) return;
      check(f === oldModel.functions[i], `function ${i} was lowered anew when ${changedName} changed`);
      this.session.counts.kept++;
    });
  }

  /** Compares everything with a fresh parse. Throws EditMismatch. */
  compare(): void {
    const { session, target } = this;
    const { counts } = session;
    const source = this.text;
    session.fresh.headers.keepOnly(() => false);
    const freshFile = parseMirFile(new SourceText(source), session.interner);
    check(dumpTree(this.file) === dumpTree(freshFile), 'tree');
    checkLines(this.file.text, freshFile.text);
    const model = lowerFile(freshFile, target, session.fresh);
    counts.comparisons++;
    check(this.model.functions.length === model.functions.length, 'number of functions');
    check(equal(this.model.functionStarts, model.functionStarts), 'starts of functions');
    check(equal(this.model.diagnostics, model.diagnostics), 'diagnostics');
    model.functions.forEach((f, i) => {
      const own = this.model.functions[i];
      const where = `function ${i} '${f.name}'`;
      counts.functions++;
      check(own.name === f.name && equal(own.nameRange, f.nameRange), `${where}: name`);
      check(own.isComplete === f.isComplete, `${where}: complete`);
      check((own.fn === null) === (f.fn === null), `${where}: presence`);
      if (own.fn === null || f.fn === null) return;
      compareFunctions(own.fn, f.fn, where);
      if (!f.isComplete) return;
      const { results } = session;
      const facts: FunctionFacts = { verifier: results.verifier(own), summary: results.summary(own) };
      const freshFacts = factsOf(f.fn, model);
      check(equal(facts.verifier, freshFacts.verifier), `${where}: verifier`);
      check((facts.summary === null) === (freshFacts.summary === null), `${where}: presence of the summary`);
      if (facts.summary === null || freshFacts.summary === null) return;
      // llc prints nothing that its verifier rejects.
      check(printFunctionDocument(own.fn) === printFunctionDocument(f.fn), `${where}: printed text`);
      counts.summaries++;
      compareSummaries(facts.summary, freshFacts.summary, where);
    });
  }
}

function checkLines(a: SourceText, b: SourceText): void {
  check(a.lineCount === b.lineCount, 'number of lines');
  for (let i = 0; i < a.lineCount; i++) check(a.lineStart(i) === b.lineStart(i), `start of line ${i}`);
}

function factsOf(fn: MachineFunction, model: ModelFile): FunctionFacts {
  const verifier = verifierDiagnostics(fn, verifyFunction(fn, irVerifierOptions(model.ir, fn)));
  return { verifier, summary: verifier.length === 0 ? new PressureSummary(fn) : null };
}

type Numbers = ArrayLike<number>;

function sameNumbers(a: Numbers, b: Numbers, n: number): boolean {
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return false;
  return true;
}

function compareFunctions(a: MachineFunction, b: MachineFunction, where: string): void {
  const same = (x: Numbers, y: Numbers, n: number, what: string): void =>
    check(sameNumbers(x, y, n), `${where}: ${what}`);
  check(a.subtarget.cpu === b.subtarget.cpu, `${where}: subtarget`);
  check(a.nInstrs === b.nInstrs && a.nOperands === b.nOperands, `${where}: counts`);
  const { nInstrs: n, nOperands: m } = a;
  same(a.opcode, b.opcode, n, 'opcodes');
  same(a.opBegin, b.opBegin, n + 1, 'operand counts');
  same(a.instrFlags, b.instrFlags, n, 'instruction flags');
  same(a.bundle, b.bundle, n, 'bundles');
  same(a.instrBlock, b.instrBlock, n, 'blocks of instructions');
  same(a.opKind, b.opKind, m, 'operand kinds');
  same(a.opFlags, b.opFlags, m, 'operand flags');
  same(a.opVal, b.opVal, m, 'operand values');
  same(a.opExt, b.opExt, m, 'operand high halves');
  same(a.opSub, b.opSub, m, 'sub-registers');
  same(a.opTied, b.opTied, m, 'ties');
  same(a.opTargetFlags, b.opTargetFlags, m, 'target flags');
  const nb = a.blocks.length;
  check(nb === b.blocks.length, `${where}: number of blocks`);
  same(a.blockBegin, b.blockBegin, nb, 'block begins');
  same(a.blockEnd, b.blockEnd, nb, 'block ends');
  same(a.order, b.order, nb === 0 ? 0 : a.blockEnd[nb - 1], 'layout');
  check(equal(a.blocks, b.blocks), `${where}: blocks`);
  const v = a.vregs;
  const w = b.vregs;
  check(v.n === w.n, `${where}: number of virtual registers`);
  same(v.regClass, w.regClass, v.n, 'register classes');
  same(v.bank, w.bank, v.n, 'register banks');
  same(v.sourceNumber, w.sourceNumber, v.n, 'register numbers');
  check(
    equal(v.name, w.name) && equal(v.type, w.type) && equal(v.hint, w.hint) && equal(v.flags, w.flags),
    `${where}: registers`,
  );
  check(equal(a.extras, b.extras), `${where}: extras`);
  check((a.source === null) === (b.source === null), `${where}: source`);
  if (a.source === null || b.source === null) return;
  check(equal(a.source.document, b.source.document), `${where}: range`);
  const step = Math.max(1, n >> 6);
  for (let i = 0; i < n; i += step) {
    check(equal(a.source.instrRange(i), b.source.instrRange(i)), `${where}: range of instruction ${i}`);
    check(equal(a.source.opcodeRange(i), b.source.opcodeRange(i)), `${where}: range of opcode ${i}`);
    const ops = Math.min(a.numOperands(i), 3);
    for (let o = 0; o < ops; o++) {
      check(equal(a.source.operandRange(i, o), b.source.operandRange(i, o)), `${where}: range of operand ${i}.${o}`);
    }
  }
  for (let i = 0; i < nb; i++)
    check(equal(a.source.blockRange(i), b.source.blockRange(i)), `${where}: range of block ${i}`);
}

function compareSummaries(a: PressureSummary, b: PressureSummary, where: string): void {
  const columns = (x: readonly Numbers[], y: readonly Numbers[], what: string): void =>
    x.forEach((c, k) =>
      check(c.length === y[k].length && sameNumbers(c, y[k], c.length), `${where}: pressure ${what}`),
    );
  columns(a.up.before, b.up.before, 'before');
  columns(a.up.at, b.up.at, 'at');
  columns(a.up.after, b.up.after, 'after');
  columns([a.max], [b.max], 'maximum');
  columns(a.down.at, b.down.at, 'downward');
  const ranges = ({ lis }: PressureSummary): string[] =>
    Array.from({ length: lis.nVRegs }, (_, v) => printInterval(lis, v));
  check(equal(ranges(a), ranges(b)), `${where}: live intervals`);
  check(equal(a.borders.liveIn, b.borders.liveIn), `${where}: live-ins`);
  check(equal(a.borders.liveOut, b.borders.liveOut), `${where}: live-outs`);
  check(equal(a.peaks, b.peaks), `${where}: peaks`);
  check(equal(a.occupancy, b.occupancy), `${where}: occupancy`);
}

function printInterval(lis: LiveIntervals, v: number): string {
  const parts = lis.mainRange[v] < 0 ? [] : [printRange(lis, lis.mainRange[v])];
  for (let r = lis.subRange[v]; r >= 0; r = lis.nextSubRange[r])
    parts.push(`${lis.laneHi[r]}:${lis.laneLo[r]} ${printRange(lis, r)}`);
  return parts.join(' L ');
}

/** Equality of plain data; typed arrays, maps and bigints included. */
function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return Number.isNaN(a) && Number.isNaN(b);
  if (a instanceof Map) {
    if (!(b instanceof Map) || a.size !== b.size) return false;
    for (const [k, v] of a) if (!b.has(k) || !equal(v, b.get(k))) return false;
    return true;
  }
  if (Array.isArray(a) || ArrayBuffer.isView(a)) {
    const [x, y] = [a as unknown as unknown[], b as unknown as unknown[]];
    if (x.length !== y.length) return false;
    for (let i = 0; i < x.length; i++) if (!equal(x[i], y[i])) return false;
    return true;
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const k of keys) if (!equal((a as Record<string, unknown>)[k], (b as Record<string, unknown>)[k])) return false;
  return true;
}
