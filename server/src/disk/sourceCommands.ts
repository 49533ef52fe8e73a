/**
 * How sources become MIR: LLVM IR, bitcode, OpenCL and HIP by the user's clang or llc, up to a pass. clang runs on each source with the words of its
 * compile_commands.json, where it has one. Nothing runs here: the command line and the server start programs in ways of their own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { wordsOf } from '../commandLine/words.js';
import { InputError } from '../program/commandIO.js';
import { modelOfVersion } from '../program/modelOfFile.js';
import { resolveProgram } from './userPrograms.js';

/** Plain data: goes to threads. */
export interface SourceTools {
  /** empty = looked for */
  readonly clang: string;
  readonly llc: string;
  /** words for either, after ours */
  readonly args: readonly string[];
  readonly stopBefore: string;
  /** empty = looked for beside the source and above */
  readonly compileCommands: string;
  readonly triple: string;
  readonly cpu: string;
  readonly features: string;
}

type SourceKind = 'ir' | 'cl' | 'hip';

const KINDS: Readonly<Record<string, SourceKind>> = {
  ...{ '.ll': 'ir', '.bc': 'ir', '.cl': 'cl', '.clcpp': 'cl', '.hip': 'hip', '.cu': 'hip' },
};

/** Whether a file becomes MIR by a tool. */
export const isSource = (path: string): boolean => extname(path).toLowerCase() in KINDS;

/** The version of LLVM that a program says it is of; '' = none. */
export type VersionOf = (program: string) => string;

export interface SourceCommand {
  readonly program: string;
  readonly words: readonly string[];
}

/** What a tool has come to. */
export interface SourceRun {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface MadeMir {
  readonly text: string;
  /** which tool made it, up to which pass */
  readonly told: string;
}

/** clang cannot compile for the GPU without. */
export class NoProcessor extends InputError {}

const MAX_TOLD_LINES = 8;
const DEFAULT_TRIPLE = 'amdgcn-amd-amdhsa';
/** Where ROCm puts its own. */
const ROCM = '/opt/rocm/llvm/bin';
const MAJORS = [24, 23, 22, 21, 20];
const CLANGS = ['amdclang', 'clang'];
const LLCS = ['llc'];

/** Milliseconds and bytes that a tool may take. */
export const SOURCE_LIMITS = { ms: 120_000, bytes: 1 << 29 };

/** The version in what a tool writes for `--version`. */
export const versionIn = (text: string): string => /(?:LLVM|clang) version (\S+)/.exec(text)?.[1] ?? '';

/** Programs whose versions decide which one is taken for a source. */
export function toolsToAsk(path: string, { clang, llc }: Pick<SourceTools, 'clang' | 'llc'>): string[] {
  const names = [...(isIR(path) && llc === '' ? LLCS : []), ...(clang === '' ? CLANGS : [])];
  return [...new Set(thereOf(names).map(resolveProgram))];
}

const isIR = (path: string): boolean => KINDS[extname(path).toLowerCase()] === 'ir';

/** Throws InputError: no tool, no processor, a database that cannot be read. */
export const sourceCommand = (path: string, tools: SourceTools, versionOf: VersionOf): SourceCommand =>
  new CommandMaker(tools, versionOf).command(path);

/** Throws InputError, with what the tool says of the source. `version`: of the program. */
export function mirOfRun(program: string, version: string, run: SourceRun, { stopBefore }: SourceTools): MadeMir {
  const what = `${program}${version === '' ? '' : ` (LLVM ${version})`}`;
  const told = run.stderr.trim().split('\n');
  if (run.exit !== 0)
    throw new InputError(`${what} ends with ${run.exit}: ${told.slice(0, MAX_TOLD_LINES).join('\n')}`);
  if (!/^---/m.test(run.stdout))
    throw new InputError(`${what} wrote no MIR: is there a pass ${stopBefore} where it was to stop?`);
  // So that the stage of its functions is known.
  const banner = `# *** IR Dump Before ${stopBefore} (${stopBefore}) ***, written by ${what}\n`;
  return { text: banner + run.stdout, told: `MIR by ${what}, before ${stopBefore}` };
}

class CommandMaker {
  constructor(
    private readonly tools: SourceTools,
    private readonly versionOf: VersionOf,
  ) {}

  command(path: string): SourceCommand {
    const kind = KINDS[extname(path).toLowerCase()];
    if (kind === undefined) throw new InputError(`${basename(path)} is no source that clang or llc makes MIR of here`);
    return kind === 'ir' ? this.commandOfIR(path) : this.commandOfSource(path, kind);
  }

  private commandOfIR(path: string): SourceCommand {
    const { tools } = this;
    const given = tools.llc !== '' ? tools.llc : tools.clang === '' ? this.findTool(LLCS) : null;
    if (given === null) {
      const clang = this.clang(path);
      const target = ['-target', tools.triple || DEFAULT_TRIPLE, ...this.cpuWords()];
      return this.withStop(clang, [...target, '-x', 'ir', '-O3'], path);
    }
    const program = resolveProgram(given);
    const named = (option: string, value: string): string[] => (value === '' ? [] : [`-${option}=${value}`]);
    const words = [
      ...named('mtriple', tools.triple || (namesTriple(path) ? '' : DEFAULT_TRIPLE)),
      ...named('mcpu', tools.cpu),
      ...named('mattr', tools.features),
      ...[`-stop-before=${tools.stopBefore}`, ...tools.args, '-o', '-', path],
    ];
    return { program, words };
  }

  private commandOfSource(path: string, kind: 'cl' | 'hip'): SourceCommand {
    const { tools } = this;
    const known = compileCommand(path, tools.compileCommands);
    if (known !== null) return this.commandOfDatabase(path, kind, known);
    if (tools.cpu === '')
      throw new NoProcessor(
        'clang has to know the processor: --mcpu=gfx942, or a compile_commands.json beside the file that names it',
      );
    const target = ['-target', tools.triple || DEFAULT_TRIPLE, ...this.cpuWords()];
    const own =
      kind === 'cl'
        ? ['-x', 'cl', '-cl-std=CL2.0', '-Xclang', '-finclude-default-header', ...target, '-nogpulib', '-O3']
        : ['-x', 'hip', ...this.archWords(), '--cuda-device-only', '-O3'];
    return this.withStop(this.clang(path), own, path);
  }

  /** The words of the build, without those that say what is written where. */
  private commandOfDatabase(path: string, kind: 'cl' | 'hip', { words, folder }: BuildCommand): SourceCommand {
    const { tools } = this;
    const [compiler = '', ...rest] = words;
    const kept: string[] = [];
    for (let k = 0; k < rest.length; k++) {
      const word = rest[k]!;
      if (/^-(?:o|MF|MT|MQ)$/.test(word)) k++;
      else if (/^(?:-c|-S|-E|-emit-llvm|-M[DMGP]*|-o.+|--cuda-device-only|-save-temps.*|--)$/.test(word)) continue;
      // What a build loads into its compiler is not run here.
      else if (/^-f(?:pass-)?plugin/.test(word)) continue;
      else if (word === '-Xclang' && /^-(?:load|add-plugin|plugin)$/.test(rest[k + 1] ?? '')) k += 3;
      else if (resolve(folder, word) === resolve(path)) continue;
      else if (tools.cpu !== '' && /^--offload-arch=/.test(word)) continue;
      else kept.push(word);
    }
    const arch = kind === 'hip' && tools.cpu !== '' ? this.archWords() : [];
    const first = kept.find((word) => word.startsWith('--offload-arch='));
    const isOther = (word: string): boolean => word.startsWith('--offload-arch=') && word !== first;
    const device = kind === 'hip' ? ['--cuda-device-only'] : this.cpuWords();
    const program = tools.clang !== '' || !isClang(compiler, folder) ? this.clang(path) : resolve(folder, compiler);
    const own = [...kept.filter((word) => !isOther(word)), ...arch, ...device, '-working-directory', folder];
    return this.withStop(program, own, path);
  }

  private cpuWords(): string[] {
    const { cpu, features } = this.tools;
    return [...(cpu === '' ? [] : [`-mcpu=${cpu}`]), ...featureWords(listOf(features))];
  }

  /** `--offload-arch=gfx90a:xnack-`, and features that no name of a processor has */
  private archWords(): string[] {
    const { cpu, features } = this.tools;
    const isOfName = (feature: string): boolean => /^[+-](?:xnack|sramecc)$/.test(feature);
    const all = listOf(features);
    const name = all.filter(isOfName).map((feature) => `:${feature.slice(1)}${feature[0]!}`);
    return [`--offload-arch=${cpu}${name.join('')}`, ...featureWords(all.filter((feature) => !isOfName(feature)))];
  }

  private withStop(program: string, own: readonly string[], path: string): SourceCommand {
    const { stopBefore, args } = this.tools;
    const stop = ['-S', '-mllvm', `-stop-before=${stopBefore}`, ...args, '-o', '-', resolve(path)];
    return { program, words: [...own, ...stop] };
  }

  private clang(path: string): string {
    const given = this.tools.clang || this.findTool(CLANGS);
    if (given !== null) return resolveProgram(given);
    throw new InputError(missing(path, 'clang', CLANGS));
  }

  /** The first whose LLVM is modelled, else the first that is there; null = none. */
  private findTool(names: readonly string[]): string | null {
    const there = thereOf(names);
    return there.find((name) => modelOfVersion(this.versionOf(resolveProgram(name))) !== null) ?? there[0] ?? null;
  }
}

const listOf = (features: string): string[] => features.split(',').filter((feature) => feature !== '');
const featureWords = (features: readonly string[]): string[] =>
  features.flatMap((feature) => ['-Xclang', '-target-feature', '-Xclang', feature]);

const thereOf = (names: readonly string[]): string[] =>
  candidates(names).filter((name) => isAbsolute(resolveProgram(name)) && existsSync(resolveProgram(name)));

const candidates = (names: readonly string[]): string[] => {
  const numbered = names.flatMap((name) => MAJORS.map((major) => `${name}-${major}`));
  return [...names, ...numbered, ...names.map((name) => join(ROCM, name))];
};

function missing(path: string, tool: string, names: readonly string[]): string {
  const looked = `${names.join(', ')}, ${names.at(-1)!}-${MAJORS.at(-1)!} to -${MAJORS[0]!} on PATH, and in ${ROCM}`;
  return `${basename(path)} needs ${tool}, which was not found (looked for ${looked}). Name it with --${tool}=PATH, or in an editor with the setting amdgpu-mir.tools.${tool}`;
}

function namesTriple(path: string): boolean {
  return extname(path) !== '.ll' || /^target triple = "(?!unknown)/m.test(readFileSync(path, 'utf8'));
}

// -- compile_commands.json ------------------------------------------------------------------------------------------------

interface BuildCommand {
  readonly words: readonly string[];
  readonly folder: string;
}

const DATABASE = 'compile_commands.json';

/** How the build compiles a source; null = nobody says. Throws InputError for a database that is named and does not. */
function compileCommand(path: string, named: string): BuildCommand | null {
  const database = named !== '' ? named : databaseAbove(path);
  if (database === null) return null;
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(database, 'utf8'));
  } catch (error) {
    throw new InputError(`${database}: ${error instanceof Error ? error.message : String(error)}`);
  }
  for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
    const { file, directory, command, arguments: list } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    const folder = typeof directory === 'string' ? resolve(dirname(database), directory) : dirname(resolve(database));
    if (typeof file !== 'string' || resolve(folder, file) !== resolve(path)) continue;
    if (Array.isArray(list)) return { words: list.map(String), folder };
    if (typeof command === 'string') return { words: wordsOf(command), folder };
  }
  if (named !== '') throw new InputError(`${named} has no command for ${path}`);
  return null;
}

function databaseAbove(path: string): string | null {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    for (const place of [join(folder, DATABASE), join(folder, 'build', DATABASE)]) if (existsSync(place)) return place;
    if (dirname(folder) === folder) return null;
  }
}

/** A compiler of the build is run only if it is a clang that is there. */
const isClang = (compiler: string, folder: string): boolean =>
  /^(?:amdclang|clang)(?:\+\+)?(?:-\d+)?(?:\.exe)?$/.test(basename(compiler)) &&
  /[\\/]/.test(compiler) &&
  existsSync(resolve(folder, compiler));
