/**
 * From the syntax tree of a file to machine functions: the entry point of lowering. One function document is one
 * LoweredFunction, lowered when first asked for and independent of the others; a document that an edit left alone keeps its
 * LoweredFunction by identity.
 *
 * All offsets of a LoweredFunction (diagnostics, FunctionSource) are relative to the start of its YAML document, because the
 * document may move; ModelFile tells where it stands now and gives the diagnostics of the whole file in absolute offsets.
 */
import { DiagnosticOrigin, moveDiagnostic, scalarPlace, Severity, type Diagnostic } from '../../text/diagnostic.js';
import type { Interner } from '../../util/interner.js';
import { ownString } from '../../util/ownString.js';
import { RecentMap } from '../../util/recent.js';
import {
  createSubtarget,
  DEFAULT_RELEASE,
  releaseOf,
  type ReleaseName,
  type Subtarget,
  type TargetTables,
} from '../../target/index.js';
import { isTritonGraph } from '../../syntax/index.js';
import { decodedScalar, fileWithBody, type DecodedScalar } from '../../syntax/decodedBody.js';
import { DocumentKind, NO_NODE, SyntaxKind, type Chunk, type MirDocument, type MirFile } from '../../syntax/tree.js';
import { yamlText } from '../../syntax/yamlParser.js';
import {
  irFunctionFacts,
  type IRFunction,
  type IRDialect,
  type IRFunctionFacts,
  type IRModule,
} from '../../ir/module.js';
import { parseIR, type IRParseResult } from '../../ir/parser.js';
import type { CodegenAttribute } from '../../ir/printer.js';
import type { MachineFunction } from '../machineFunction.js';
import { lowerChunk } from './chunkLowering.js';
import { ChunkScratch, specialOpcodes, type SpecialOpcodes } from './chunkScratch.js';
import type { FunctionContext } from './context.js';
import { verifyIR } from './irVerifier.js';
import { lowerHeader, type HeaderModel } from './header.js';
import { lowerFunction } from './lowerFunction.js';
import { FunctionMetadata, MetadataTexts } from './metadataText.js';
import { NameTables } from './names.js';
import { usesNamesBySize } from '../namesBySize.js';
import type { PackedChunk } from './packedChunk.js';

export interface LowerOptions {
  /** triple of `-mtriple`; '' = the module's own, else `amdgcn--` */
  readonly triple: string;
  /** `-mcpu`; '' = generic. A function's own `target-cpu` wins. */
  readonly cpu: string;
  /** `-mattr`, comma separated; appended to a function's own `target-features` */
  readonly features: string;
  /** whose tables and rules; without it those of LLVM 22 */
  readonly release?: ReleaseName | undefined;
  /** what TRITON_DUMP_MIR appends is no document; llc refuses it */
  readonly readsDumps?: boolean;
  /** `cpu` goes before `target-cpu`, and then the features that come with that do not count */
  readonly isChosen?: boolean;
  /** functions whose body LLVM decodes (`body: >`) are given, too, though their places are none of the file's */
  readonly givesDecoded?: boolean;
  /** registers are printed as `sgpr4_64`; that is for lowering to find out (namesBySize.ts) */
  readonly namesBySize?: boolean;
  /** what llc's code generation options add to the attributes of functions */
  readonly addedAttributes?: readonly CodegenAttribute[];
}

/** One function document. */
export interface LoweredFunction {
  readonly document: MirDocument;
  /** the value of `name:`; '' when there is none, and for a function without a name, which llc allows */
  readonly name: string;
  /** where it stands, relative to the document; empty when there is none */
  readonly nameRange: { readonly start: number; readonly end: number };
  /** it has a name, if perhaps an empty one */
  readonly hasName: boolean;
  /** null when the document is no mapping with a name. Lines with errors are left out of it. */
  readonly fn: MachineFunction | null;
  /** its target by options, module and attributes, for which nothing is lowered; null where `fn` is */
  readonly subtarget: Subtarget | null;
  /** the embedded module before it; null without an IR document */
  readonly module: IRModule | null;
  /** relative to the document, in the order in which llc would meet them; YAML errors come first */
  readonly diagnostics: readonly Diagnostic[];
  /** no errors: `fn` is what llc would have */
  readonly isComplete: boolean;
  /** Forgets `fn` and the diagnostics: for those who read a file once. */
  release(): void;
}

export interface ModelFile {
  readonly file: MirFile;
  /** the embedded module; null without an IR document */
  readonly ir: IRModule | null;
  readonly functions: readonly LoweredFunction[];
  /** index of the first function of each name */
  readonly firstByName: ReadonlyMap<string, number>;
  /** start of the document of functions[i] in the file */
  readonly functionStarts: readonly number[];
  /** diagnostics of the IR document, absolute; a syntax error in it stops llc before any function */
  readonly irDiagnostics: readonly Diagnostic[];
  /**
   * All diagnostics of the file in absolute offsets, in the order in which llc would meet them: llc reports the first error.
   * Lowers every function.
   */
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics of functions[i] in absolute offsets, with those that depend on other documents (redefinition, no IR function). */
  functionDiagnostics(i: number): readonly Diagnostic[];
}

/** What survives from one lowering to the next. Owned by the caller; one per host or process. */
export class LoweringCache {
  readonly chunks = new WeakMap<Chunk, PackedChunk>();
  readonly namesBySize = new WeakMap<Chunk, boolean>();
  readonly functions = new WeakMap<MirDocument, LazyFunction>();
  readonly modules = new WeakMap<MirDocument, IRParseResult>();
  /** by name of the function; its document must be lowered again and again for that to pay, as one that is edited is */
  readonly headers = new RecentMap<CachedHeader>(MAX_HEADERS);
  private readonly metadata = new WeakMap<IRModule, MetadataTexts>();
  private readonly irFindings = new WeakMap<IRParseResult, readonly Diagnostic[]>();
  readonly scratch = new ChunkScratch();
  private readonly nameTables = new WeakMap<Interner, NameTables>();
  private specials: SpecialOpcodes | null = null;
  /** of the other target, of which a process that reads both has files, too */
  private other: LoweringCache | null = null;
  private tables: TargetTables | null = null;

  /** This cache, or one that it keeps for another set of tables: opcodes and registers are numbers of a set. */
  ofTables(tables: TargetTables): LoweringCache {
    this.tables ??= tables;
    return this.tables === tables ? this : (this.other ??= new LoweringCache()).ofTables(tables);
  }

  /** Forgets what is kept of functions whose name no file has any more. */
  keepOnly(isName: (name: string) => boolean): void {
    this.headers.keepOnly(isName);
    this.other?.keepOnly(isName);
  }

  names(interner: Interner, subtarget: Subtarget): NameTables {
    let n = this.nameTables.get(interner);
    if (n === undefined) {
      n = new NameTables(interner, subtarget.tables);
      this.nameTables.set(interner, n);
    }
    return n;
  }

  /** Errors and warnings of the reader, and of the module when it could be read; relative to the IR document. */
  irDiagnostics(result: IRParseResult): readonly Diagnostic[] {
    let res = this.irFindings.get(result);
    if (res === undefined) {
      const isRead = result.diagnostics.every((d) => d.severity !== Severity.Error);
      res = isRead ? [...verifyIR(result.module), ...result.diagnostics] : result.diagnostics;
      this.irFindings.set(result, res);
    }
    return res;
  }

  metadataTexts(module: IRModule): MetadataTexts {
    let texts = this.metadata.get(module);
    if (texts === undefined) {
      texts = new MetadataTexts(module);
      this.metadata.set(module, texts);
    }
    return texts;
  }

  special(names: NameTables): SpecialOpcodes {
    this.specials ??= specialOpcodes((name) => names.tables.opcodeByName(name));
    return this.specials;
  }
}

interface CachedHeader {
  readonly text: string;
  readonly subtarget: Subtarget;
  readonly module: IRModule | null;
  readonly header: HeaderModel;
  readonly context: FunctionContext;
  readonly dummies: DummyFunctions;
  /** virtual registers of the last function with this header, 0 = there was none */
  nVRegs: number;
}

/**
 * Without IR, llc makes up an empty function for each document, so that `@name` depends on the documents before. Remembers what was
 * asked, to tell whether the answers still hold in a later version of the file.
 */
class DummyFunctions {
  private readonly asked = new Map<string, boolean>();

  /** `source`: whom to ask, a version of the file; null while nothing is lowered, since what is lowered would keep that version. */
  constructor(public source: ((name: string) => boolean) | null) {}

  has(name: string): boolean {
    const answer = this.source!(name);
    this.asked.set(ownString(name), answer);
    return answer;
  }

  answersAs(source: (name: string) => boolean): boolean {
    for (const [name, answer] of this.asked) if (source(name) !== answer) return false;
    return true;
  }
}

/** Headers that are kept. Only what is being edited matters, and each keeps a module and the columns of a header. */
const MAX_HEADERS = 8;

/** Facts of a function without IR. */
const NO_FACTS = irFunctionFacts(null);

/** Lowers a file; functions are lowered when asked for. Never throws for bad input. */
export function lowerFile(file: MirFile, options: LowerOptions, cache: LoweringCache = new LoweringCache()): ModelFile {
  return new LoweredFile(file, options, cache);
}

const usesBySize = (file: MirFile, tables: TargetTables, cache: LoweringCache): boolean =>
  usesNamesBySize(file, tables, cache.ofTables(tables).namesBySize);

class LoweredFile implements ModelFile {
  readonly ir: IRModule | null;
  readonly functions: readonly LazyFunction[];
  readonly functionStarts: readonly number[];
  readonly irDiagnostics: readonly Diagnostic[];
  readonly firstByName = new Map<string, number>();
  private all: readonly Diagnostic[] | null = null;

  constructor(
    readonly file: MirFile,
    given: LowerOptions,
    cache: LoweringCache,
  ) {
    const { documents, docStarts } = file;
    const { text } = file.text;
    let irResult: IRParseResult | null = null;
    let irStart = 0;
    let mayBeIR = true;
    const release = releaseOf(given.release ?? DEFAULT_RELEASE);
    const { rules } = release;
    const dialect: IRDialect = release;
    const options = rules.readsNamesBySize
      ? { ...given, namesBySize: rules.printsNamesBySize || usesBySize(file, release.tables, cache) }
      : given;
    const functions: LazyFunction[] = [];
    const functionStarts: number[] = [];
    documents.forEach((doc, d) => {
      if (doc.kind === DocumentKind.IR && mayBeIR) {
        irResult = cache.modules.get(doc) ?? null;
        if (irResult !== null && irResult.module.dialect !== dialect) irResult = null;
        irStart = docStarts[d];
        if (irResult === null) {
          const decoded = decodedScalar(file, d);
          irResult =
            decoded === null
              ? parseIR(ownString(text, docStarts[d], docStarts[d + 1]), {
                  start: doc.irStart,
                  end: doc.irEnd,
                  dialect,
                })
              : parseDecodedIR(decoded, dialect);
          cache.modules.set(doc, irResult);
        }
      } else if (
        doc.kind !== DocumentKind.Empty &&
        !(options.readsDumps === true && isTritonGraph(text, docStarts[d]))
      ) {
        const module = irResult === null ? null : (irResult as IRParseResult).module;
        const i = functions.length;
        const isDummyFunction = (name: string): boolean => (this.firstByName.get(name) ?? Infinity) <= i;
        const make = (): LazyFunction => new LazyFunction(doc, file, d, options, module, cache, isDummyFunction);
        let fn = cache.functions.get(doc);
        if (fn === undefined || fn.module !== module || !sameOptions(fn.options, options)) fn = make();
        if (fn.name !== '' && !this.firstByName.has(fn.name)) this.firstByName.set(fn.name, i);
        if (!fn.holdsAmong(isDummyFunction)) fn = make();
        cache.functions.set(doc, fn);
        functions.push(fn);
        functionStarts.push(docStarts[d]);
      }
      // A block scalar further down is a function without keys for llc.
      if (doc.kind !== DocumentKind.Empty) mayBeIR = false;
    });
    const result = irResult as IRParseResult | null;
    this.ir = result === null ? null : result.module;
    this.irDiagnostics = result === null ? [] : cache.irDiagnostics(result).map((x) => moveDiagnostic(x, irStart));
    this.functions = functions;
    this.functionStarts = functionStarts;
  }

  functionDiagnostics(i: number): readonly Diagnostic[] {
    const f = this.functions[i];
    const start = this.functionStarts[i];
    const res = f.diagnostics.map((d) => moveDiagnostic(d, start));
    const isUndefined = this.ir !== null && f.hasName && (f.name === '' || this.ir.functionByName(f.name) === null);
    const first = isUndefined || f.name === '' ? i : (this.firstByName.get(f.name) ?? i);
    if (isUndefined || first !== i) {
      const range = f.nameRange;
      // llc says this right after the YAML has been read.
      let at = 0;
      while (at < res.length && res[at].origin === DiagnosticOrigin.Yaml) at++;
      const message = isUndefined
        ? `function '${f.name}' isn't defined in the provided LLVM IR`
        : `redefinition of machine function '${f.name}'`;
      res.splice(at, 0, {
        start: start + range.start,
        end: start + range.end,
        severity: Severity.Error,
        origin: DiagnosticOrigin.Function,
        code: 'bad-function-name',
        message,
        ...(first === i ? {} : { related: [this.nameOf(first)] }),
      });
    }
    return res;
  }

  private nameOf(i: number): NonNullable<Diagnostic['related']>[number] {
    const { start, end } = this.functions[i].nameRange;
    const base = this.functionStarts[i];
    return { start: base + start, end: base + end, message: 'first defined here' };
  }

  get diagnostics(): readonly Diagnostic[] {
    if (this.all === null) {
      const all = [...this.irDiagnostics];
      for (let i = 0; i < this.functions.length; i++) for (const d of this.functionDiagnostics(i)) all.push(d);
      this.all = all;
    }
    return this.all;
  }
}

function sameOptions(a: LowerOptions, b: LowerOptions): boolean {
  const flags = ({ isChosen = false, namesBySize = false }: LowerOptions): number =>
    (isChosen ? 1 : 0) + (namesBySize ? 2 : 0);
  return (
    a.triple === b.triple &&
    a.cpu === b.cpu &&
    a.features === b.features &&
    a.release === b.release &&
    flags(a) === flags(b)
  );
}

/** A diagnostic in the decoded text that begins at `from`, at the scalar of the document. */
function atScalar(d: Diagnostic, { text, start, end }: DecodedScalar, from: number): Diagnostic {
  const { llcOffset, ...rest } = d;
  const offset = (llcOffset ?? d.start) - from;
  if (offset < 0) return d;
  return { ...rest, start, end, llcOffset: start, llcInScalar: scalarPlace(text, offset) };
}

function parseDecodedIR(decoded: DecodedScalar, dialect: IRDialect): IRParseResult {
  const result = parseIR(decoded.text, { dialect });
  const place = (list: readonly Diagnostic[]): Diagnostic[] => list.map((d) => atScalar(d, decoded, 0));
  return { module: result.module, diagnostics: place(result.diagnostics), loadAll: () => place(result.loadAll()) };
}

interface Result {
  readonly fn: MachineFunction | null;
  readonly diagnostics: readonly Diagnostic[];
}

class LazyFunction implements LoweredFunction {
  readonly name: string;
  readonly nameRange: { readonly start: number; readonly end: number };
  dummies: DummyFunctions;
  private result: Result | null = null;
  /** the document that is lowered */
  read: MirDocument;
  /** dropped once lowered, so that old texts are not kept alive */
  private pending: { readonly file: MirFile; readonly doc: number; readonly cache: LoweringCache } | null;

  constructor(
    readonly document: MirDocument,
    file: MirFile,
    doc: number,
    readonly options: LowerOptions,
    readonly module: IRModule | null,
    cache: LoweringCache,
    isDummyFunction: (name: string) => boolean,
  ) {
    this.dummies = new DummyFunctions(isDummyFunction);
    this.pending = { file, doc, cache };
    this.read = document;
    const found = findName(document, file, file.docStarts[doc]);
    this.name = ownString(found.name);
    this.nameRange = found.range;
  }

  get hasName(): boolean {
    return this.nameRange.start < this.nameRange.end;
  }

  get fn(): MachineFunction | null {
    return this.lower().fn;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.lower().diagnostics;
  }

  get subtarget(): Subtarget | null {
    return this.result === null ? targetOf(this).subtarget : (this.result.fn?.subtarget ?? null);
  }

  /** Whether it is right in a version of the file with these functions. While it is not lowered, it is: it will ask that version. */
  holdsAmong(isDummyFunction: (name: string) => boolean): boolean {
    if (this.result !== null) return this.dummies.answersAs(isDummyFunction);
    this.dummies.source = isDummyFunction;
    return true;
  }

  get isComplete(): boolean {
    return this.fn !== null && this.diagnostics.every((d) => d.severity !== Severity.Error);
  }

  release(): void {
    this.result = { fn: null, diagnostics: [] };
    this.pending = null;
  }

  private lower(): Result {
    if (this.result === null) {
      const { file, doc, cache } = this.pending!;
      const decoded = decodedScalar(file, doc);
      this.result =
        decoded === null
          ? lowerDocument(this, file, file.docStarts[doc], cache)
          : this.lowerDecoded(file, doc, decoded, cache);
      this.pending = null;
    }
    return this.result;
  }

  private lowerDecoded(file: MirFile, doc: number, decoded: DecodedScalar, cache: LoweringCache): Result {
    const rewritten = fileWithBody(file, doc, decoded.text);
    this.read = rewritten.documents[0];
    const result = lowerDocument(this, rewritten, 0, cache);
    const from = this.document.length + 1;
    const diagnostics = result.diagnostics.map((x) => (x.start < from ? x : atScalar(x, decoded, from)));
    if (this.options.givesDecoded === true) return { fn: result.fn, diagnostics };
    const code = 'decoded-body';
    const message =
      'the text of this body is not what LLVM reads (it is folded or quoted): it is checked, but not shown';
    const { start, end } = decoded;
    const severity = Severity.Information;
    diagnostics.push({ start, end, severity, origin: DiagnosticOrigin.Ours, code, message });
    return { fn: null, diagnostics };
  }
}

/** Value of the key `name`, without reading anything else. */
function findName(
  doc: MirDocument,
  file: MirFile,
  docStart: number,
): { readonly name: string; readonly range: { readonly start: number; readonly end: number } } {
  const { yaml } = doc;
  if (yaml.size > 0 && yaml.kind(0) === SyntaxKind.YamlMapping) {
    for (let p = yaml.firstChild(0); p !== NO_NODE; p = yaml.nextSibling(p, 0)) {
      if (yaml.kind(p) !== SyntaxKind.YamlPair) continue;
      const key = yaml.firstChild(p);
      if (key === NO_NODE || yaml.kind(key) !== SyntaxKind.YamlScalar || yaml.value(key) < 0) continue;
      if (file.interner.text(yaml.value(key)) !== 'name') continue;
      const value = yaml.nextSibling(key, p);
      const kind = value === NO_NODE ? SyntaxKind.YamlNull : yaml.kind(value);
      if (kind !== SyntaxKind.YamlScalar && kind !== SyntaxKind.YamlBlockScalar) break;
      const range = { start: yaml.start(value), end: yaml.end(value) };
      return { name: yamlText(yaml, value, file.text.text, docStart, file.interner), range };
    }
  }
  return { name: '', range: { start: 0, end: 0 } };
}

/** `fn`: null in a file without IR, where llc adds the attributes to the function that it makes up. */
function factsOf(fn: IRFunction | null, { addedAttributes = [] }: LowerOptions): IRFunctionFacts {
  const facts = fn === null ? NO_FACTS : irFunctionFacts(fn);
  if (addedAttributes.length === 0) return facts;
  const attributes = new Map(facts.attributes);
  for (const { key, value, replaces } of addedAttributes)
    if (replaces || (!attributes.has(key) && !facts.enumAttributes.has(key))) attributes.set(key, value);
  return { ...facts, attributes };
}

interface FunctionTarget {
  readonly irFunction: IRFunction | null;
  readonly facts: IRFunctionFacts;
  readonly subtarget: Subtarget;
}

function targetOf({ options, module, name }: LazyFunction): FunctionTarget {
  const irFunction: IRFunction | null = module?.functionByName(name) ?? null;
  const facts = factsOf(irFunction, options);
  const triple = options.triple !== '' ? options.triple : (module?.triple ?? 'amdgcn--');
  const named = facts.attributes.get('target-cpu');
  const isOther = options.isChosen === true && options.cpu !== '' && named !== undefined && named !== options.cpu;
  const cpu = isOther ? options.cpu : named === '' ? null : (named ?? options.cpu);
  const own = isOther ? '' : (facts.attributes.get('target-features') ?? '');
  const features = own === '' ? options.features : options.features === '' ? own : `${own},${options.features}`;
  return {
    irFunction,
    facts,
    subtarget: createSubtarget(triple, cpu, features, releaseOf(options.release ?? DEFAULT_RELEASE)),
  };
}

/** Asked where it shows: by the target machine LLVM numbers vector registers for unwinders. */
function machineWaveSize({ options, module }: LazyFunction, { release, wavefrontSize }: Subtarget): 32 | 64 {
  if (!release.rules.savesSGPRsWithCFI) return wavefrontSize;
  const triple = options.triple !== '' ? options.triple : (module?.triple ?? 'amdgcn--');
  return createSubtarget(triple, options.cpu, options.features, release).wavefrontSize;
}

function lowerDocument(f: LazyFunction, file: MirFile, docStart: number, files: LoweringCache): Result {
  const { read: document } = f;
  const { text } = file.text;
  const { irFunction, facts, subtarget } = targetOf(f);
  const cache = files.ofTables(subtarget.tables);
  const names = cache.names(file.interner, subtarget);
  const special = cache.special(names);

  const { body } = document;
  if (document.yaml.size === 0) return { fn: null, diagnostics: document.diagnostics };
  let cached = headerOf(f, file, docStart, cache, subtarget, names, irFunction, true);
  const packAll = (): PackedChunk[] => {
    const chunks: PackedChunk[] = [];
    if (body === null) return chunks;
    const { context } = cached;
    const bodyStart = docStart + body.start;
    for (let c = 0; c < body.chunks.length; c++) {
      const chunk = body.chunks[c];
      let packed = cache.chunks.get(chunk);
      if (packed === undefined || packed.context !== context) {
        const start = bodyStart + body.chunkStarts[c];
        packed = lowerChunk(chunk, text, start, context, special, cache.scratch, bodyStart + body.length);
        cache.chunks.set(chunk, packed);
      }
      chunks.push(packed);
    }
    return chunks;
  };
  const isReused = cached.context.metadata.nNodes > 0;
  let chunks = packAll();
  if (isReused) {
    // Nodes that only the function reaches are numbered in the order of its memory operands, all of them.
    cached = headerOf(f, file, docStart, cache, subtarget, names, irFunction, false);
    chunks = packAll();
  }
  const { header, context } = cached;
  const expectedVRegs = cached.nVRegs;
  const input = { document, header, context, facts, body, chunks, special, fileText: text, docStart, expectedVRegs };
  const out = lowerFunction(input);
  out.fn.header.namesBySize = f.options.namesBySize === true;
  out.fn.header.machineWaveSize = machineWaveSize(f, subtarget);
  cached.nVRegs = out.fn.vregs.n;
  const diagnostics = [...document.diagnostics, ...out.sink.sorted()];
  f.dummies.source = null;
  return { fn: f.hasName ? out.fn : null, diagnostics };
}

/** The lowered header, from the cache when its text is the same and nothing else that it depends on has changed. */
function headerOf(
  f: LazyFunction,
  file: MirFile,
  docStart: number,
  cache: LoweringCache,
  subtarget: Subtarget,
  names: NameTables,
  irFunction: IRFunction | null,
  mayReuse: boolean,
): CachedHeader {
  const { read: document, module } = f;
  const { body } = document;
  const { text } = file.text;
  // Keys after the body move with it: then the body's length is part of the text.
  let headerText = text.slice(docStart, docStart + (body === null ? document.length : body.start));
  if (body !== null) {
    const tail = text.slice(docStart + body.start + body.length, docStart + document.length);
    // A body within a line (`body: S_ENDPGM 0`) belongs to the line that errors of the header mark.
    const isWithinLine = !/[\r\n]$/.test(headerText);
    // `...` ends a document only at the start of a line and with a blank or line break after it.
    if (isWithinLine || !/^[\r\n]*(?:\.\.\.[ \t\r\n]+)?$/.test(tail)) headerText += `\0${body.length}\0${tail}`;
  }
  const cached = cache.headers.get(f.name);
  // How broken YAML is read depends on what follows the document (an open quote), and a document that begins within a line on its column.
  const isLineStart = docStart === 0 || /[\r\n]/.test(text[docStart - 1]);
  const isSound = document.diagnostics.length === 0 && isLineStart;
  if (
    mayReuse &&
    isSound &&
    cached !== undefined &&
    cached.subtarget === subtarget &&
    cached.module === module &&
    cached.context.names === names &&
    cached.text === headerText &&
    cached.dummies.answersAs(f.dummies.source!)
  ) {
    cached.dummies.source = f.dummies.source;
    f.dummies = cached.dummies;
    return cached;
  }
  const { dummies } = f;
  const target = { subtarget, tables: subtarget.tables, names };
  const texts = module === null ? null : cache.metadataTexts(module);
  const printMetadata = (number: number): string => texts?.ofNumber(number) ?? `!${number}`;
  const header = lowerHeader(document, text, docStart, file.interner, target, module, () => irFunction, printMetadata);
  const context: FunctionContext = {
    ...target,
    functionName: f.name,
    module,
    irFunction,
    stackIds: header.stackIds,
    stackNames: header.stack.map((o) => o.name),
    fixedStackIds: header.fixedStackIds,
    constantIds: header.constantIds,
    jumpTableIds: header.jumpTableIds,
    isDummyFunction: (name) => dummies.has(name),
    machineMetadata: header.machineMetadata,
    metadata: new FunctionMetadata(texts, header.machineMetadata),
  };
  const fresh: CachedHeader = { text: ownString(headerText), subtarget, module, header, context, dummies, nVRegs: 0 };
  if (!isSound) return fresh;
  cache.headers.set(f.name, fresh);
  return fresh;
}
