/**
 * A MIR file as llc has it after parsing: machine functions in the module's order, and the module with what llc adds to it
 * (dummy functions, `target-cpu`, empty machine functions for bodies that no document describes).
 */
import { irVerifierOptions, type VerifierOptions } from '../analysis/verifier/index.js';
import { hasTarget, isAMDGPUTriple, subArchError, withArchitecture } from './targetTriple.js';
import { AttributeErrors } from '../model/attributeErrors.js';
import type { AmdgpuFunctionInfo } from '../model/header.js';
import { irFunctionFacts, type IRFunction, type IRModule } from '../ir/module.js';
import { LEFT_DEBUG_INFO, parseIR, UPGRADE_FAULT } from '../ir/parser.js';
import { printIRDocument, type CodegenFlags } from '../ir/printer.js';
import { LoweringCache, lowerFile } from '../model/lowering/lowerFile.js';
import type { LoweredFunction, ModelFile } from '../model/lowering/lowerFile.js';
import { constructedFunctionInfo } from '../model/lowering/functionInfo.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { MetadataNames, quoteSymbolName } from '../model/printer/index.js';
import type { DebugNames } from '../model/printer/index.js';
import { DocumentKind, type MirDocument, type MirFile } from '../syntax/index.js';
import { DEFAULT_RELEASE, type ReleaseName, type Subtarget } from '../target/index.js';
import { DiagnosticOrigin, moveDiagnostic, scalarPlace, Severity } from '../text/diagnostic.js';
import type { Diagnostic } from '../text/diagnostic.js';
import type { SourceText } from '../text/sourceText.js';
import { ALLOCA_RULE } from '../model/lowering/irBodyRules.js';
import { IR_VERIFIER } from '../model/lowering/irVerifier.js';
import { parseInput, type LastParsed } from './lastParsed.js';
import { printDiagnostic, type PlaceInScalar } from './diagnosticText.js';

export const EXIT_ERROR = 1;
/** what a shell sees of a process that ended by SIGABRT */
export const EXIT_ABORTED = 134;

export interface ProgramOptions {
  /** '' = the module's own */
  readonly triple: string;
  readonly march: string;
  readonly cpu: string;
  readonly features: string;
  readonly release?: ReleaseName | undefined;
  /** `cpu` goes before `target-cpu`, which it does not in llc */
  readonly isChosen?: boolean;
  readonly flags: CodegenFlags;
  /** the file, where somebody has parsed it */
  readonly parsed?: LastParsed | undefined;
}

export interface LoadedFunction {
  readonly name: string;
  /** offset of its document, to add to places in `fn.source` */
  readonly start: number;
  readonly end: number;
  /** null when it has errors */
  readonly fn: MachineFunction | null;
  /** null when llc gives up before it asks for one: errors in the YAML */
  readonly subtarget: Subtarget | null;
  /** `occupancy` of machineFunctionInfo is given */
  readonly hasOwnOccupancy: boolean;
  /** errors in llc's order */
  readonly diagnostics: readonly Diagnostic[];
  /** what LLVM says of attributes that it cannot read; null = nothing */
  readonly attributeErrors: AttributeErrors | null;
}

export interface FatalError {
  readonly stderr: string;
  /** llc gives up before it makes a target machine, which may have complaints of its own */
  readonly isBeforeMachine: boolean;
  readonly exitCode: number;
}

export interface Program {
  readonly text: SourceText;
  readonly path: string;
  /** functions in the order of their documents, as llc reads them; it goes on without what stands after `unread` */
  readonly functions: Iterable<LoadedFunction>;
  /** of those, '' for one without */
  readonly names: readonly string[];
  /** lines that llc prints when it has read the IR */
  readonly warnings: readonly string[];
  /** an error in the text after the functions that keeps llc from success only */
  readonly unread: readonly Diagnostic[];
  /** `error: ...` with line and caret, as llc prints it: the first of these with those that come with it */
  print(diagnostics: readonly Diagnostic[]): string;
  /** that of the run; '' = none is named */
  readonly triple: string;
  /** an error that ends the run before any function is read */
  readonly fatal: FatalError | null;
  readonly debugNames: DebugNames;
  /** All machine functions in the order in which passes see them; valid once `functions` has been walked without errors. */
  inModuleOrder(): MachineFunction[];
  /** Nobody asks for the function any more: its memory goes. */
  release(fn: MachineFunction): void;
  /** llc makes the function when the passes come to it: the file has only its IR. */
  isWithoutDocument(fn: MachineFunction): boolean;
  /** the IR document */
  printModule(): string;
  verifierOptions(fn: MachineFunction): VerifierOptions;
  /** text of the file */
  readonly source: string;
  /** the embedded module, null without */
  readonly ir: IRModule | null;
}

/** Reads a file. Cheap until its functions are walked. Never throws for bad input. */
export function loadProgram(source: string, path: string, options: ProgramOptions): Program {
  return new LoadedProgram(source, path, options);
}

class LoadedProgram implements Program {
  readonly text: SourceText;
  readonly fatal: FatalError | null;
  readonly debugNames: DebugNames;
  private readonly cache = new LoweringCache();
  private readonly withoutDocument = new Set<MachineFunction>();
  /** of the functions that have been given away in the module's order */
  private readonly lowered = new Map<MachineFunction, LoweredFunction>();
  private readonly model: ModelFile;
  unread: readonly Diagnostic[];
  /** functions of the model that llc reads */
  private readonly nRead: number;

  constructor(
    readonly source: string,
    readonly path: string,
    private readonly options: ProgramOptions,
  ) {
    const file = options.parsed?.of(source) ?? parseInput(source);
    this.text = file.text;
    this.model = this.lower(file);
    this.unread = [];
    this.nRead = this.countRead();
    this.fatal = this.findFatal();
    this.debugNames = new MetadataNames(this.model.ir);
  }

  private lower(file: MirFile): ModelFile {
    const { cpu, features, flags, release = DEFAULT_RELEASE, isChosen = false } = this.options;
    return lowerFile(
      file,
      {
        triple: withArchitecture(this.options.triple, this.options.march),
        cpu,
        features,
        release,
        isChosen,
        givesDecoded: true,
        addedAttributes: flags.attributes,
      },
      this.cache,
    );
  }

  get names(): readonly string[] {
    return this.model.functions.slice(0, this.nRead).map(({ name }) => name);
  }

  get warnings(): readonly string[] {
    const list = this.model.irDiagnostics.filter((d) => d.code === 'ir-debug-info' && d.severity === Severity.Warning);
    return list.map((d) => `${d.llcValue ?? ''}warning: ${d.message}${this.path}`);
  }

  get ir(): IRModule | null {
    return this.model.ir;
  }

  get triple(): string {
    const { triple, march } = this.options;
    return withArchitecture(triple || (this.model.ir?.triple ?? ''), march);
  }

  private findFatal(): FatalError | null {
    const { documents } = this.model.file;
    if (documents[0] !== undefined && isWithoutRoot(documents[0]))
      return this.driverError(documents[0].diagnostics, true);
    const { march } = this.options;
    if (march !== '' && !isAMDGPUTriple(march)) return fatalError(`llc: error: invalid target '${march}'.\n`);
    const triple = this.options.triple || (this.model.ir?.triple ?? '');
    const { cpu, release = DEFAULT_RELEASE } = this.options;
    const unknown = subArchError(this.triple, cpu, release);
    if (unknown !== null) return fatalError(`LLVM ERROR: ${unknown}\n`);
    if (march === '' && triple !== '' && !hasTarget(triple, cpu, release))
      return fatalError(`llc: error: unable to get target for '${triple}', see --version and --triple.\n`);
    const { irDiagnostics } = this.model;
    const fault = irDiagnostics.find((d) => d.code === UPGRADE_FAULT);
    if (fault !== undefined) return fatalError(`LLVM ERROR: ${fault.message}\n`);
    const left = irDiagnostics.filter((d) => d.code === LEFT_DEBUG_INFO);
    const rules = irDiagnostics.filter((d) => d.code === IR_VERIFIER);
    const faults = [...rules, ...left];
    if (faults.length > 0) {
      const textOf = (list: readonly Diagnostic[]): string =>
        list.map((d) => `${d.message}\n${d.llcValue ?? ''}`).join('');
      // With debug info of its version LLVM verifies the module as it reads it, and does not survive a fault. -mtriple is not in it then.
      const isTarget = isAMDGPUTriple(this.model.ir?.triple ?? '');
      const early = this.model.ir?.hasCurrentDebugInfo === true ? rules : [];
      const reported = early.filter((d) => isTarget || d.message !== ALLOCA_RULE);
      if (reported.length > 0) {
        const dropped = irDiagnostics.map((d) => (d.code === 'ir-debug-info' ? (d.llcValue ?? '') : '')).join('');
        const stderr = `${textOf(reported)}${dropped}LLVM ERROR: Broken module found, compilation aborted!\n`;
        return { ...fatalError(stderr), exitCode: EXIT_ABORTED };
      }
      return fatalError(`${textOf(faults)}llc: error: '${this.path}': input module cannot be verified\n`);
    }
    if (!irDiagnostics.some(isError)) return null;
    const { stderr } = this.driverError(irDiagnostics, false);
    return fatalError(this.takeUnreadBehindIR() + stderr);
  }

  /** What cannot begin a token right after the IR: LLVM finds it before it reads the IR. */
  private takeUnreadBehindIR(): string {
    const { documents, docStarts } = this.model.file;
    const ir = documents.findIndex((doc) => doc.kind === DocumentKind.IR);
    const next = docStarts[ir + 1] ?? 0;
    const isNext = this.unread[0] !== undefined && documents[ir + 1] !== undefined && isWithoutRoot(documents[ir + 1]!);
    const between = this.source.slice((docStarts[ir] ?? 0) + (documents[ir]?.irEnd ?? 0), next);
    if (!isNext || /^\.\.\.[ \t\r\n]/m.test(between)) return '';
    if (NOT_OF_SCANNER.test(this.unread[0]?.message ?? '')) return '';
    const text = this.print(this.unread);
    this.unread = [];
    return text;
  }

  /** An error without which there is no module: llc's driver adds a diagnostic of its own, without a text. */
  private driverError(diagnostics: readonly Diagnostic[], isBeforeMachine: boolean): FatalError {
    return {
      stderr: `${this.print(diagnostics.filter(isError))}llc: error: llc: error: \n\n^\n`,
      isBeforeMachine,
      exitCode: EXIT_ERROR,
    };
  }

  print(diagnostics: readonly Diagnostic[]): string {
    const [first, ...others] = diagnostics;
    if (first === undefined) return '';
    let text = printDiagnostic(first, this.text, this.path, (offset) => this.placeInScalar(offset));
    for (const d of others) {
      if (d.isFollowUp !== true) break;
      text += printDiagnostic(d, this.text, this.path);
    }
    return text;
  }

  /** The place in the text of the body or IR that it stands in. */
  private placeInScalar(offset: number): PlaceInScalar | null {
    const { documents, docStarts } = this.model.file;
    let doc = documents.length - 1;
    // Where one document begins, a scalar of the one before may end.
    while (doc > 0 && (docStarts[doc] ?? 0) >= offset) doc--;
    const document = documents[doc];
    const base = docStarts[doc] ?? 0;
    if (document === undefined) return null;
    const { body, irStart, irEnd, indent } = document;
    const isIR = body === null;
    const start = base + (isIR ? irStart : body.start);
    const end = base + (isIR ? irEnd : body.start + body.length);
    if (start === end || offset < start || offset > end) return null;
    const { text, source } = this;
    if (indent === 0) return { start, ...scalarPlace(source.slice(start, end), offset - start) };
    const first = text.lineAt(start);
    // Breaks at the end are one; the end itself is a place in the line after it.
    const blankLines = new RegExp(`(?:(?:\\r\\n|\\r|\\n) {0,${indent}})+$`);
    const textEnd = start + source.slice(start, end).replace(blankLines, '').length;
    const isEnd =
      offset > textEnd ? offset === end || text.lineAt(offset) > text.lineAt(textEnd) : offset === end && isIR;
    if (isEnd) return { start, line: text.lineAt(textEnd) - first + 1, column: 0, contents: '' };
    const line = text.lineAt(offset);
    const lineEnd = Math.min(text.lineEnd(line), end);
    const lineStart = Math.min(text.lineStart(line) + indent, lineEnd);
    const column = Math.max(0, offset - lineStart);
    return { start, line: line - first, column, contents: text.slice(lineStart, lineEnd) };
  }

  /**
   * llc reads nothing after what it cannot begin a document with: it stops there as if that were the end, with a message or, after a directive
   * that it does not know, without.
   */
  private countRead(): number {
    const { file, functions } = this.model;
    const { documents, docStarts } = file;
    const isLast = (doc: MirDocument): boolean =>
      isWithoutRoot(doc) || doc.diagnostics.some((d) => SILENT_FAILURES.has(d.code));
    const last = documents.findIndex(isLast);
    if (last < 0) return functions.length;
    const doc = documents[last];
    const isUnread = doc !== undefined && isWithoutRoot(doc);
    if (isUnread) this.unread = doc.diagnostics.filter(isError).map((d) => moveDiagnostic(d, docStarts[last] ?? 0));
    const unread = new Set(documents.slice(isUnread ? last : last + 1));
    return functions.filter((f) => !unread.has(f.document)).length;
  }

  get functions(): Iterable<LoadedFunction> {
    const { model, nRead } = this;
    return (function* () {
      for (let i = 0; i < nRead; i++) {
        const diagnostics = model.functionDiagnostics(i).filter(isError);
        const fn = model.functions[i]?.fn ?? null;
        const name = model.functions[i]?.name ?? '';
        const start = model.functionStarts[i] ?? 0;
        const end = start + (model.functions[i]?.document.length ?? 0);
        const isYamlError = diagnostics[0]?.origin === DiagnosticOrigin.Yaml;
        const subtarget = isYamlError ? null : (fn?.subtarget ?? null);
        const irFunction = model.ir?.functionByName(name) ?? null;
        const attributeErrors = irFunction === null ? null : AttributeErrors.of(irFunctionFacts(irFunction));
        const hasOwnOccupancy = fn?.header.machineFunctionInfo.hasOwnOccupancy ?? false;
        const readable = diagnostics.length === 0 ? fn : null;
        yield { name, start, end, fn: readable, subtarget, hasOwnOccupancy, diagnostics, attributeErrors };
      }
    })();
  }

  inModuleOrder(): MachineFunction[] {
    const { ir } = this.model;
    const read = this.model.functions.slice(0, this.nRead);
    for (const f of read) if (f.fn !== null) this.lowered.set(f.fn, f);
    if (ir === null) return [...this.lowered.keys()];
    const byName = new Map<string, MachineFunction>();
    for (const f of read) if (f.fn !== null) byName.set(f.name, f.fn);
    const names = ir.functions.filter(hasMachineCode).map((f) => f.name ?? '');
    const missing = names.filter((name) => name !== '' && !byName.has(name));
    if (missing.length !== 0) for (const [name, fn] of this.emptyFunctions(missing)) byName.set(name, fn);
    return names.map((name) => byName.get(name)).filter((fn) => fn !== undefined);
  }

  /**
   * llc makes an empty machine function of a body that no document describes: as if there were one with a name only, but with the
   * properties of a new function, which reading a document would have replaced.
   */
  private emptyFunctions(names: readonly string[]): Map<string, MachineFunction> {
    const documents = names.map((name) => `\n---\nname: '${name.replaceAll("'", "''")}'\n...\n`).join('');
    // After the IR, whatever else the file has: llc may not have been able to read that.
    const { documents: all, docStarts } = this.model.file;
    const ir = all.findIndex((doc) => doc.kind === DocumentKind.IR);
    const source = this.source.slice(0, (docStarts[ir] ?? 0) + (all[ir]?.irEnd ?? 0));
    const model = this.lower(parseInput(`${source}\n...${documents}`));
    const result = new Map<string, MachineFunction>();
    for (const { name, fn } of model.functions.slice(-names.length)) {
      if (fn === null) continue;
      const machineFunctionInfo = this.constructedInfo(fn);
      fn.header = {
        ...fn.header,
        alignment: fn.subtarget.release.rules.minFunctionAlign,
        tracksRegLiveness: true,
        noPhis: false,
        isSSA: true,
        noVRegs: false,
        machineFunctionInfo,
      };
      this.withoutDocument.add(fn);
      result.set(name, fn);
    }
    return result;
  }

  private constructedInfo(fn: MachineFunction): AmdgpuFunctionInfo {
    const { machineFunctionInfo, irFunction, name } = fn.header;
    const types = this.ir?.functionByName(name)?.args.map((a) => a.attributes?.get('byref')?.type ?? a.type) ?? [];
    return constructedFunctionInfo(machineFunctionInfo, fn.subtarget, irFunction, types);
  }

  release(fn: MachineFunction): void {
    this.lowered.get(fn)?.release();
    this.lowered.delete(fn);
    this.withoutDocument.delete(fn);
  }

  isWithoutDocument(fn: MachineFunction): boolean {
    return this.withoutDocument.has(fn);
  }

  printModule(): string {
    const { triple, march, cpu, features, flags } = this.options;
    const module = this.model.ir ?? this.dummyModule();
    return printIRDocument(module, { moduleId: this.path, triple, march, cpu, features, flags });
  }

  private dummyModule(): IRModule {
    let unnamed = 0;
    const text = this.model.functions.slice(0, this.nRead).map(({ name }) => {
      const symbol = name === '' ? String(unnamed++) : quoteSymbolName(name);
      return `define void @${symbol}() {\nentry:\n  unreachable\n}\n`;
    });
    return parseIR(text.join('\n')).module;
  }

  verifierOptions(fn: MachineFunction): VerifierOptions {
    return irVerifierOptions(this.model.ir, fn);
  }
}

const isError = (d: Diagnostic): boolean => d.severity === Severity.Error;

const fatalError = (stderr: string): FatalError => ({ stderr, isBeforeMachine: false, exitCode: EXIT_ERROR });

/** Codes of what ends the file for llc without a word. */
const SILENT_FAILURES = new Set(['yaml-directive', 'yaml-tag']);

/** Whether something kept the reader from a document's root. */
/** Complaints of YAML's parser about tokens that its scanner takes: it comes to them later. */
const NOT_OF_SCANNER = /^(?:Unexpected token$|Already encountered )/;

const isWithoutRoot = (doc: MirDocument): boolean => doc.yaml.size === 0 && doc.diagnostics.length > 0;

/** Functions that llc generates code for: bodies of this module. */
function hasMachineCode(f: IRFunction): boolean {
  return !f.isDeclaration && f.linkage !== 'available_externally';
}
