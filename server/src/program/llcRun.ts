/**
 * A run of llc: reads a MIR file, verifies it, runs passes and writes what llc 22.1.8 writes to stdout, stderr and the output
 * file, with llc's exit codes. For the command line, and for whoever wants to know what a RUN line gives.
 *
 * Deviations, all supersets: standard input is read as MIR without `-x mir`, and so is a file of any name.
 */
import { printVerifierReports, verifyFunction, type KnownIntervals } from '../analysis/verifier/index.js';
import { AttributeErrors } from '../model/attributeErrors.js';
import { printFunctionDocument } from '../model/printer/index.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { InputError, OutputError } from './commandIO.js';
import type { CommandIO, OutputFile } from './commandIO.js';
import type { LlcOptions } from './llcOptions.js';
import { cutPasses, isCut } from '../passes/cuts.js';
import { FunctionState } from '../passes/functionState.js';
import { passesByName, passesOfPipeline, type PassSelection } from '../passes/passes.js';
import { NotModelled, PassError, type PassCall } from '../passes/machinePass.js';
import type { PassContext } from '../passes/passContext.js';
import { readPrintOptions } from '../passes/printOptions.js';
import { VIRT_REG_MAP } from '../passes/regalloc/virtRegMap.js';
import { passForAMDGCN, preparePasses, runPasses, type RunOptions } from '../passes/passManager.js';
import type { LastParsed } from './lastParsed.js';
import { EXIT_ABORTED, EXIT_ERROR, loadProgram } from './mirProgram.js';
import { surroundingsOf, withoutComments, type FunctionOutcome, type KnownFunctions } from './knownFunctions.js';
import type { LoadedFunction, Program } from './mirProgram.js';
import { hasTarget, isAMDGPUTriple, withArchitecture } from './targetTriple.js';
import { subArchProblems, subtargetProblems, targetMachineProblems } from './targetProblems.js';
import { releaseOf, type Subtarget } from '../target/index.js';

const PROGRAM = 'llc';
const NULL_DEVICE = '/dev/null';

/** Ends a run early with a message and an exit code. */
export class Stop extends Error {
  constructor(
    readonly exitCode: number,
    readonly text: string,
    /** what has been written to standard output by then */
    readonly written = '',
  ) {
    super(text);
  }
}

/** Only the target machine, whose making prints the help. */
function printTargetHelp({ triple, march, cpu, features, release }: LlcOptions, io: CommandIO): void {
  if (march !== '' && !isAMDGPUTriple(march))
    throw new Stop(EXIT_ERROR, `${PROGRAM}: error: invalid target '${march}'.\n`);
  const isKnown = releaseOf(release).rules.hasSubArchTriples ? isAMDGPUTriple(triple) : hasTarget(triple, cpu, release);
  if (march === '' && !isKnown) {
    const text = `unable to get target for '${triple || 'unknown'}', see --version and --triple.`;
    throw new Stop(EXIT_ERROR, `${PROGRAM}: error: ${text}\n`);
  }
  printLines(targetMachineProblems(withArchitecture(triple, march), cpu, features, releaseOf(release)), io);
}

/**
 * Throws Stop, PassError and StreamError; else the run has ended with 0. `knownIn`: what runs with these options made of functions, by what
 * is around these. `parsed`: may have the input.
 */
export function runLlcOptions(
  options: LlcOptions,
  io: CommandIO,
  knownIn: ((surroundings: string) => KnownFunctions) | null = null,
  parsed?: LastParsed,
): void {
  if (options.isTargetHelp) {
    printTargetHelp(options, io);
    return;
  }
  const { passes, problem, refusal } = selectOrRefuse(options);
  const program = loadProgram(readText(options.input, io), moduleName(options.input), {
    triple: options.triple,
    release: options.release,
    march: options.march,
    cpu: options.cpu,
    features: options.features,
    flags: options.flags,
    parsed,
  });

  io.checkpoint?.();
  const notModelled = program.ir?.notModelled ?? null;
  if (notModelled !== null) throw new Stop(EXIT_ERROR, `${PROGRAM}: error: amdgpu-mir does not model ${notModelled}\n`);

  // llc reads the first document's YAML before it makes the target machine, and that before it reads IR and functions.
  const machineProblems = targetMachineProblems(
    program.triple,
    options.cpu,
    options.features,
    releaseOf(options.release),
  );
  let isMachineMade = false;
  const makeMachine = (): void => {
    if (!isMachineMade) printLines(machineProblems, io);
    isMachineMade = true;
  };
  if (program.fatal?.exitCode !== EXIT_ABORTED) printLines(program.warnings, io);
  if (program.fatal !== null) {
    if (!program.fatal.isBeforeMachine) makeMachine();
    throw new Stop(program.fatal.exitCode, program.fatal.stderr);
  }
  if (problem !== null) {
    makeMachine();
    throw new Stop(EXIT_ERROR, `${problem}\n`);
  }
  const result = new Result(outputPath(options), io);
  const makeReady = (): void => {
    makeMachine();
    result.open();
  };
  const complaints = new AttributeComplaints(io);
  try {
    const text = runFunctions(program, passes, refusal, options, io, result.isWanted, makeReady, complaints, knownIn);
    // What is read after the functions fails late, and so do passes that go on: standard output has been written then, a file is removed.
    const isLost = program.unread.length > 0 || complaints.hasFailed;
    if (!isLost || result.isStandardOutput) result.write(text);
    if (isLost) throw new Stop(EXIT_ERROR, '');
  } catch (error) {
    if (error instanceof Stop && error.written !== '' && result.isStandardOutput) result.write(error.written);
    result.discard();
    throw error;
  }
}

/** Runs the passes; the text of the result, '' when it is not wanted. `makeReady` is called when llc makes its target machine and its output. */
function runFunctions(
  program: Program,
  passes: readonly PassCall[],
  refusal: PassError | null,
  options: LlcOptions,
  io: CommandIO,
  needsResult: boolean,
  makeReady: () => void,
  complaints: AttributeComplaints,
  knownIn: ((surroundings: string) => KnownFunctions) | null,
): string {
  const met = new Set<Subtarget>();
  const memory = knownIn === null ? null : new FunctionMemory(program, knownIn);
  for (const loaded of program.functions) {
    const text = program.print(loaded.diagnostics);
    if (loaded.subtarget === null) io.stderr(text);
    makeReady();
    const { attributeErrors } = loaded;
    if (loaded.subtarget !== null) {
      if (!met.has(loaded.subtarget)) complaints.print(subArchProblems(loaded.subtarget));
      printLines(subtargetProblems(loaded.subtarget, met), io);
      complaints.print(attributeErrors?.ofConstruction(loaded.subtarget));
    }
    const { behindBody } = loaded.diagnostics[0] ?? {};
    if (behindBody !== undefined && loaded.subtarget !== null) {
      const isCutShort = behindBody === 'functionInfo';
      complaints.print(attributeErrors?.ofDocument(loaded.subtarget, loaded.hasOwnOccupancy, isCutShort));
    }
    if (text !== '') throw new Stop(EXIT_ERROR, loaded.subtarget === null ? '' : text);
    if (loaded.fn !== null) {
      const { subtarget, header } = loaded.fn;
      complaints.print(attributeErrors?.ofDocument(subtarget, header.machineFunctionInfo.hasOwnOccupancy));
      if (!memory?.knows(loaded, loaded.fn)) verify(loaded.fn, program);
    }
    io.checkpoint?.();
  }
  io.stderr(program.print(program.unread));
  makeReady();
  const functions = program.inModuleOrder();
  refuseForR600(functions, passes);
  if (refusal !== null) throw refusal;
  const isPipeline = options.passPipeline !== null;
  const printed = readPrintOptions(options.values, isPipeline);
  const hasComplaints = functions.some((fn) => complaints.of(fn) !== null);
  let told = '';
  const context: PassContext = {
    options: options.values,
    debugNames: program.debugNames,
    source: program.source,
    ir: program.ir,
    ownsIR: true,
    stderr: (text) => {
      told += text;
      io.stderr(text);
    },
    error: (message) => complaints.fail(message),
    verify: (fn, known, banner) => verify(fn, program, known, banner),
    ...(io.checkpoint ? { checkpoint: io.checkpoint } : {}),
    ...(hasComplaints
      ? { onLimits: (fn, query) => complaints.print(complaints.of(fn)?.ofQuery(fn.subtarget, query)) }
      : {}),
  };
  let isPrepared = false;
  const texts: string[] = [];
  // A file may have so many functions that their memory has to go as their texts come.
  functions.reverse();
  for (let fn = functions.pop(); fn !== undefined; fn = functions.pop()) {
    const known = hasComplaints ? undefined : memory?.of(fn);
    if (known) {
      io.stderr(known.told);
      texts.push(known.text);
      continue;
    }
    if (program.isWithoutDocument(fn)) {
      if (!met.has(fn.subtarget)) complaints.print(subArchProblems(fn.subtarget));
      printLines(subtargetProblems(fn.subtarget, met), io);
      complaints.print(complaints.of(fn)?.ofConstruction(fn.subtarget));
    }
    told = '';
    if (!isPrepared) preparePasses(passes, context);
    isPrepared = true;
    const verifyPass: RunOptions['verify'] = (f, known, banner) => {
      const said = complaintsOf(f, program, known, banner);
      // What a pipeline prints stands before its last function.
      const written = isPipeline && needsResult ? program.printModule() + texts.join('') : '';
      if (said !== '') throw new Stop(EXIT_ABORTED, said, written);
    };
    const state = new FunctionState(fn, context, true);
    runOn(state, passes, {
      isPipeline,
      isCut: isCut(options.values),
      // A pipeline ends with the verifier whatever is asked for.
      verify: options.verify || isPipeline ? verifyPass : null,
      printed,
    });
    const map = needsResult && fn.subtarget.release.rules.hasAssignedPhys ? state.known(VIRT_REG_MAP) : null;
    const assigned = map?.stillIn(state.fn);
    const text = needsResult ? printFunctionDocument(state.fn, { simplify: options.simplify, assigned }) : '';
    // Asked for a character, V8 makes one piece of a text that was put together; the pieces took six times its room.
    text.charCodeAt(0);
    texts.push(text);
    if (!hasComplaints && !complaints.hasFailed) memory?.keep(fn, { told, text });
    program.release(fn);
  }
  return needsResult ? program.printModule() + texts.join('') : '';
}

/** What is known of the functions of a run; those without a document run each time. */
class FunctionMemory {
  private readonly documents = new Map<MachineFunction, string>();
  private known: KnownFunctions | null | undefined;

  constructor(
    private readonly program: Program,
    private readonly knownIn: (surroundings: string) => KnownFunctions,
  ) {}

  /** Whether the function was run, and so accepted by the verifier. */
  knows({ start, end }: LoadedFunction, fn: MachineFunction): boolean {
    const { source, names } = this.program;
    if (this.known === undefined) {
      const surroundings = surroundingsOf(source, start, names);
      this.known = surroundings === null ? null : this.knownIn(surroundings);
    }
    // How a document that begins within a line is read depends on its column.
    if (this.known === null || (start > 0 && source[start - 1] !== '\n')) return false;
    this.documents.set(fn, source.slice(start, end));
    return this.of(fn) !== undefined;
  }

  of(fn: MachineFunction): FunctionOutcome | undefined {
    const document = this.documents.get(fn);
    if (document === undefined) return undefined;
    return this.known?.get(withoutComments(document)) ?? this.known?.get(document);
  }

  /** What was told may show comments. */
  keep(fn: MachineFunction, outcome: FunctionOutcome): void {
    const document = this.documents.get(fn);
    if (document !== undefined) this.known?.set(outcome.told === '' ? withoutComments(document) : document, outcome);
  }
}

/** Runs the passes on a function. Throws PassError. */
function runOn(state: FunctionState, passes: readonly PassCall[], options: RunOptions): void {
  try {
    runPasses(state, passes, options);
  } catch (error) {
    if (!(error instanceof NotModelled)) throw error;
    const { name } = state.header;
    throw new PassError(`${PROGRAM}: error: amdgpu-mir does not model ${error.message} in function '${name}'.`);
  }
}

/** The one place where what counts waves, schedules or allocates is kept from R600. */
function refuseForR600(functions: readonly MachineFunction[], passes: readonly PassCall[]): void {
  const pass = passForAMDGCN(passes);
  if (pass === null || functions.every((fn) => fn.tables.isAMDGCN)) return;
  throw new Stop(EXIT_ERROR, `${PROGRAM}: error: amdgpu-mir models the pass '${pass.name}' for AMDGCN only\n`);
}

/** Attributes that LLVM cannot read: it says so, goes on, and llc ends with an error. */
class AttributeComplaints {
  hasFailed = false;
  private readonly errors = new Map<string, AttributeErrors | null>();

  constructor(private readonly io: CommandIO) {}

  /** An error of a pass that goes on. */
  fail(message: string): void {
    this.hasFailed = true;
    this.io.stderr(`error: ${message}\n`);
  }

  print(lines: readonly string[] = []): void {
    this.hasFailed ||= lines.length > 0;
    printLines(lines, this.io);
  }

  of({ header }: MachineFunction): AttributeErrors | null {
    let errors = this.errors.get(header.name);
    if (errors === undefined) this.errors.set(header.name, (errors = AttributeErrors.of(header.irFunction)));
    return errors;
  }
}

function printLines(lines: readonly string[], io: CommandIO): void {
  for (const line of lines) io.stderr(`${line}\n`);
}

/** Passes that are not modelled are told where llc would run them: what it says of the file comes first. */
function selectOrRefuse(options: LlcOptions): PassSelection & { readonly refusal: PassError | null } {
  try {
    return { ...selectPasses(options), refusal: null };
  } catch (error) {
    if (!(error instanceof PassError)) throw error;
    return { passes: [], problem: null, refusal: error };
  }
}

function selectPasses(options: LlcOptions): PassSelection {
  if (options.passPipeline !== null) return passesOfPipeline(options.passPipeline);
  const { passes } = releaseOf(options.release);
  const runPasses = options.runPasses.map(passes.ownName);
  if (isCut(options.values)) return cutPasses(options.values, runPasses, passes);
  if (runPasses.length === 0) {
    const text = 'amdgpu-mir generates no code: name the passes to run with -run-pass or -passes.';
    throw new Stop(EXIT_ERROR, `${PROGRAM}: error: ${text}\n`);
  }
  return passesByName(runPasses);
}

function readText(input: string, io: CommandIO): string {
  try {
    return io.read(input);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const text = `${PROGRAM}: error: ${PROGRAM}: ${moduleName(input)}: error: Could not open input file: ${error.message}\n`;
    throw new Stop(EXIT_ERROR, text);
  }
}

const moduleName = (input: string): string => (input === '-' ? '<stdin>' : input);

/** Throws Stop when the machine verifier finds fault: llc ends by SIGABRT then. */
function verify(
  fn: MachineFunction,
  program: Program,
  known: KnownIntervals | null = null,
  banner: string | null = null,
): void {
  const said = complaintsOf(fn, program, known, banner);
  if (said !== '') throw new Stop(EXIT_ABORTED, said);
}

/** What the machine verifier says; '' = nothing. */
function complaintsOf(
  fn: MachineFunction,
  program: Program,
  intervals: KnownIntervals | null,
  banner: string | null,
): string {
  const known = intervals ?? undefined;
  const reports = verifyFunction(fn, { ...program.verifierOptions(fn), known });
  const { debugNames } = program;
  return printVerifierReports(fn, reports, { debugNames, known, banner });
}

/** Where the result goes: -o, else the input's name with another ending, `-` for standard output. */
function outputPath(options: LlcOptions): string {
  if (options.output !== null && options.output !== '') return options.output;
  if (options.input === '-' || options.fileType === 'null') return '-';
  const stem = options.input.replace(/\.(?:bc|ll|mir)$/, '');
  return `${stem}${options.fileType === 'obj' ? '.o' : '.s'}`;
}

/** Where the result goes: opened when llc opens it, removed when the run fails. */
class Result {
  private file: OutputFile | null = null;

  constructor(
    private readonly path: string,
    private readonly io: CommandIO,
  ) {}

  get isWanted(): boolean {
    return this.path !== NULL_DEVICE;
  }

  get isStandardOutput(): boolean {
    return this.path === '-';
  }

  /** Throws Stop when it cannot be opened. */
  open(): void {
    if (!this.isWanted || this.path === '-' || this.file) return;
    try {
      this.file = this.io.openFile(this.path);
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      throw new Stop(EXIT_ERROR, `${PROGRAM}: error: ${error.message}\n`);
    }
  }

  /** Once. Throws StreamError. */
  write(text: string): void {
    const { file } = this;
    this.file = null;
    if (file) file.write(text);
    else if (this.isWanted) this.io.stdout(text);
  }

  discard(): void {
    this.file?.discard();
  }
}
