/**
 * A MIR file as llc has it after parsing: machine functions in the module's order, and the module with what llc adds to it
 * (dummy functions, `target-cpu`, empty machine functions for bodies that no document describes).
 */
import { irVerifierOptions, type VerifierOptions } from '../../analysis/verifier/index.js';
import { isAMDGPUTriple } from '../../features/targetOfFile.js';
import type { IRFunction, IRModule } from '../../model/ir/module.js';
import { parseIR } from '../../model/ir/parser.js';
import { printIRDocument, type CodegenFlags } from '../../model/ir/printer.js';
import { LoweringCache, lowerFile } from '../../model/lowering/lowerFile.js';
import type { ModelFile } from '../../model/lowering/lowerFile.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import { MetadataNames, quoteSymbolName } from '../../model/printer/index.js';
import type { DebugNames } from '../../model/printer/index.js';
import { parseMirFile, type MirDocument } from '../../syntax/index.js';
import type { Subtarget } from '../../target/index.js';
import { DiagnosticOrigin, Severity } from '../../text/diagnostic.js';
import type { Diagnostic } from '../../text/diagnostic.js';
import { SourceText } from '../../text/sourceText.js';
import { Interner } from '../../util/interner.js';
import { printDiagnostic } from './diagnosticText.js';

export interface ProgramOptions {
  /** '' = the module's own */
  readonly triple: string;
  readonly march: string;
  readonly cpu: string;
  readonly features: string;
  readonly flags: CodegenFlags;
}

export interface LoadedFunction {
  readonly name: string;
  /** offset of its document, to add to places in `fn.source` */
  readonly start: number;
  /** null when it has errors */
  readonly fn: MachineFunction | null;
  /** null when llc gives up before it asks for one: errors in the YAML */
  readonly subtarget: Subtarget | null;
  /** errors in llc's order */
  readonly diagnostics: readonly Diagnostic[];
}

export interface FatalError {
  readonly stderr: string;
  /** llc gives up before it makes a target machine, which may have complaints of its own */
  readonly isBeforeMachine: boolean;
}

export interface Program {
  readonly text: SourceText;
  readonly path: string;
  /** functions in the order of their documents, as llc reads them */
  readonly functions: Iterable<LoadedFunction>;
  /** an error that ends the run before any function is read */
  readonly fatal: FatalError | null;
  readonly debugNames: DebugNames;
  /** All machine functions in the order in which passes see them; valid once `functions` has been walked without errors. */
  inModuleOrder(): MachineFunction[];
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
  private readonly model: ModelFile;
  /** functions of the model that llc reads */
  private readonly nRead: number;

  constructor(
    readonly source: string,
    readonly path: string,
    private readonly options: ProgramOptions,
  ) {
    this.text = new SourceText(source);
    this.model = this.lower(this.text);
    this.nRead = this.countRead();
    this.fatal = this.findFatal();
    this.debugNames = new MetadataNames(this.model.ir);
  }

  private lower(text: SourceText): ModelFile {
    const { cpu, features } = this.options;
    return lowerFile(parseMirFile(text, new Interner()), { triple: this.triple(), cpu, features }, this.cache);
  }

  get ir(): IRModule | null {
    return this.model.ir;
  }

  /** -march alone leaves the module's triple alone and picks the target: AMDGPU without an OS. */
  private triple(): string {
    return this.options.triple;
  }

  private findFatal(): FatalError | null {
    const { documents } = this.model.file;
    if (documents[0] !== undefined && isWithoutRoot(documents[0]))
      return this.driverError(documents[0].diagnostics, true);
    const { march } = this.options;
    if (march !== '' && march !== 'amdgcn') return fatalError(`llc: error: invalid target '${march}'.\n`);
    const triple = this.options.triple || (this.model.ir?.triple ?? '');
    if (march === '' && triple !== '' && !isAMDGPUTriple(triple))
      return fatalError(`llc: error: unable to get target for '${triple}', see --version and --triple.\n`);
    const { irDiagnostics } = this.model;
    return irDiagnostics.some(isError) ? this.driverError(irDiagnostics, false) : null;
  }

  /** An error without which there is no module: llc's driver adds a diagnostic of its own, without a text. */
  private driverError(diagnostics: readonly Diagnostic[], isBeforeMachine: boolean): FatalError {
    const error = diagnostics.find(isError);
    const text = error === undefined ? '' : printDiagnostic(error, this.text, this.path);
    return { stderr: `${text}llc: error: llc: error: \n\n^\n`, isBeforeMachine };
  }

  /** llc reads nothing behind a directive that it does not know, without a word. */
  private countRead(): number {
    const { file, functions } = this.model;
    const last = file.documents.findIndex((doc) => doc.diagnostics.some((d) => d.code === 'yaml-directive'));
    if (last < 0) return functions.length;
    const unread = new Set(file.documents.slice(isWithoutRoot(file.documents[last]!) ? last : last + 1));
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
        const isYamlError = diagnostics[0]?.origin === DiagnosticOrigin.Yaml;
        const subtarget = isYamlError ? null : (fn?.subtarget ?? null);
        yield { name, start, fn: diagnostics.length === 0 ? fn : null, subtarget, diagnostics };
      }
    })();
  }

  inModuleOrder(): MachineFunction[] {
    const { ir } = this.model;
    const read = this.model.functions.slice(0, this.nRead);
    if (ir === null) return read.flatMap((f) => f.fn ?? []);
    const byName = new Map<string, MachineFunction>();
    for (const f of read) if (f.fn !== null) byName.set(f.name, f.fn);
    const names = ir.functions.filter(hasMachineCode).map((f) => f.name ?? '');
    const missing = names.filter((name) => name !== '' && !byName.has(name));
    if (missing.length !== 0) for (const [name, fn] of this.emptyFunctions(missing)) byName.set(name, fn);
    return names.map((name) => byName.get(name)).filter((fn) => fn !== undefined);
  }

  /** llc makes an empty machine function of a body that no document describes: as if there were one with a name only. */
  private emptyFunctions(names: readonly string[]): Map<string, MachineFunction> {
    const documents = names.map((name) => `\n---\nname: '${name.replaceAll("'", "''")}'\n...\n`).join('');
    const model = this.lower(new SourceText(this.source + documents));
    const result = new Map<string, MachineFunction>();
    for (const f of model.functions.slice(-names.length)) if (f.fn !== null) result.set(f.name, f.fn);
    return result;
  }

  printModule(): string {
    const { triple, cpu, features, flags } = this.options;
    const module = this.model.ir ?? this.dummyModule();
    return printIRDocument(module, { moduleId: this.path, triple, cpu, features, flags });
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

const fatalError = (stderr: string): FatalError => ({ stderr, isBeforeMachine: false });

/** Whether something kept the reader from a document's root. */
const isWithoutRoot = (doc: MirDocument): boolean => doc.yaml.size === 0 && doc.diagnostics.length > 0;

/** Functions that llc generates code for: bodies of this module. */
function hasMachineCode(f: IRFunction): boolean {
  return !f.isDeclaration && f.linkage !== 'available_externally';
}
