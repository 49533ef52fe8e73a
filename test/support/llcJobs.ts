/**
 * Random runs of llc: a function of the corpus, for its own or another processor, with function attributes written inline, in an attribute
 * group or both, valid and not, through one of the passes. `runLlcJob` answers whether amdgpu-mir and llc-22 print and end alike.
 * A caller may add options of its own (`LlcJobChoices.options`) and choose attributes.
 */
import { corpusInputs, Random, type InputText } from './damageInputs.js';
import { runLlc, type LlcRun } from './llc.js';
import { runLlcOnText } from './schedule.js';
import { withoutAddresses } from './verify.js';

export interface LlcJob {
  /** what tells it apart: input, processor, attributes */
  readonly name: string;
  readonly text: string;
  /** everything but the input file */
  readonly args: readonly string[];
}

export interface LlcJobChoices {
  /** further options for a job; drawn last, so that a job without them is the same job otherwise */
  readonly options?: (random: Random, job: LlcJob) => readonly string[];
  /** the input of a job instead of one of the list */
  readonly input?: (random: Random) => InputText;
  /** only inputs whose name contains this */
  readonly filter?: string;
  /** every job has one of these attributes at its functions, besides others: to look for the neighbours of a difference */
  readonly attributes?: readonly string[];
}

const PROCESSORS: readonly (readonly string[])[] = [
  ['gfx600', 'tahiti', 'gfx700', 'hawaii', 'kaveri', 'gfx801', 'tonga', 'fiji', 'gfx803', 'gfx810'],
  ['gfx900', 'gfx902', 'gfx904', 'gfx906', 'gfx909', 'gfx9-generic'],
  ['gfx908', 'gfx90a', 'gfx942', 'gfx950', 'gfx9-4-generic'],
  ['gfx1010', 'gfx1012', 'gfx1013', 'gfx1030', 'gfx1035', 'gfx10-1-generic', 'gfx10-3-generic'],
  ['gfx1100', 'gfx1102', 'gfx1103', 'gfx1150', 'gfx1151', 'gfx11-generic'],
  ['gfx1200', 'gfx1201', 'gfx12-generic', 'gfx1250'],
];
const ALL_PROCESSORS = PROCESSORS.flat();

const NUMBERS = ['0', '1', '4', '16', '32', '64', '0x20', '-1', 'x', '', '1x', ' 8'];
const PAIRS = [
  '1,1',
  '2,4',
  '1,256',
  '64,64',
  '128,512',
  '1,1024',
  '4',
  '0,0',
  '8,2',
  '3, 5',
  '2,x',
  'x',
  '',
  ',2',
  '1,2,3',
];

/** String attributes with the values that they are given. */
const STRING_ATTRIBUTES: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['amdgpu-flat-work-group-size', PAIRS],
  ['amdgpu-waves-per-eu', PAIRS],
  ['amdgpu-agpr-alloc', [...PAIRS, ...NUMBERS]],
  ['amdgpu-num-vgpr', NUMBERS],
  ['amdgpu-num-sgpr', NUMBERS],
  ['amdgpu-dynamic-vgpr-block-size', ['16', '32', '16', '32', ...NUMBERS]],
  ['amdgpu-lds-size', PAIRS],
  ['amdgpu-max-memory-cluster-dwords', NUMBERS],
  [
    'amdgpu-sched-strategy',
    ['max-ilp', 'max-memory-clause', 'max-occupancy', 'iterative-ilp', 'iterative-minreg', 'iterative-maxocc', 'x', ''],
  ],
  [
    'target-features',
    [
      '+wavefrontsize32',
      '+wavefrontsize64',
      '+cumode',
      '-xnack',
      '+xnack',
      '+sramecc',
      '+nonsense',
      '-flat-for-global',
      '',
    ],
  ],
  ['target-cpu', ['gfx90a', 'gfx1100', 'gfx900', 'nonsense', '']],
  ['amdgpu-no-flat-scratch-init', ['']],
  ['amdgpu-max-num-workgroups', ['1,2,3', '1,2', 'x', '']],
  ['amdgpu-cluster-dims', ['1,2,3', '0,0,0', '1,x,2', '']],
  ['amdgpu-memory-bound', ['true', 'false', 'x']],
  ['amdgpu-wave-limiter', ['true', 'false', 'x']],
  ['amdgpu-ieee', ['true', 'false', 'x']],
  ['uniform-work-group-size', ['true', 'false']],
  ['amdgpu-no-agpr', ['']],
  ['amdgpu-unknown-attribute', ['1', '']],
];

const WORD_ATTRIBUTES = [
  'optnone noinline',
  'minsize',
  'optsize',
  'nounwind',
  'norecurse',
  'convergent',
  'willreturn',
  'noinline',
  'memory(none)',
];

const FEATURES = [
  '+wavefrontsize64',
  '+wavefrontsize32',
  '-xnack',
  '+xnack',
  '+cumode',
  '-cumode',
  '+sramecc',
  '-flat-for-global',
  '+real-true16',
  '+max-hard-clause-length-32',
];

const NO_PASS = ['-run-pass=none', '-verify-machineinstrs'];
const PASSES: readonly (readonly string[])[] = [
  ['-run-pass=machine-scheduler'],
  ['-run-pass=machine-scheduler'],
  ['-run-pass=machine-scheduler'],
  ['-run-pass=machine-scheduler', '-verify-machineinstrs'],
  NO_PASS,
  ['-run-pass=amdgpu-print-rp'],
  ['-run-pass=amdgpu-print-rp', '-amdgpu-print-rp-downward'],
];

const STRATEGIES = [
  '-misched=gcn-max-occupancy',
  '-misched=gcn-max-ilp',
  '-misched=gcn-max-memory-clause',
  '-misched=gcn-iterative-ilp',
  '-misched=gcn-iterative-minreg',
  '-misched=gcn-iterative-max-occupancy-experimental',
  '-amdgpu-use-amdgpu-trackers',
  '-misched-prera-direction=topdown',
  '-misched-prera-direction=bottomup',
];

/** Files of the corpus, without tests of LLVM main, whose triples and passes LLVM 22 does not have. */
export function llcJobInputs(root: string, { filter = '' }: LlcJobChoices = {}): InputText[] {
  return corpusInputs(root, 200_000).filter((i) => !i.name.startsWith('upstream/') && i.name.includes(filter));
}

function attribute(random: Random): string {
  if (random.chance(20)) return random.pick(WORD_ATTRIBUTES);
  const [name, values] = random.pick(STRING_ATTRIBUTES);
  const value = random.pick(values);
  return value === '' && random.chance(50) ? `"${name}"` : `"${name}"="${value}"`;
}

/** A definition's line: what stands before its attributes, and the rest. */
const DEFINITION =
  /^( *define [^\n]*\))((?: (?:local_unnamed_addr|unnamed_addr|#\d+|addrspace\(\d+\)|"[^"\n]*"(?:="[^"\n]*")?|[a-z_]+(?:\([^\n()]*\))?))*)([^\n{]*\{)/gm;

/** The text with the attributes at each definition: written inline, or in the groups that the definitions name. */
function withAttributes(text: string, inline: readonly string[], grouped: readonly string[]): string {
  let result = text;
  if (inline.length > 0)
    result = result.replace(DEFINITION, (_, head: string, own: string, tail: string) => {
      const unnamed = /^ (?:local_)?unnamed_addr/.exec(own)?.[0] ?? '';
      return `${head}${unnamed} ${inline.join(' ')}${own.slice(unnamed.length)}${tail}`;
    });
  if (grouped.length > 0) {
    const groups = new Set([...text.matchAll(DEFINITION)].flatMap((m) => m[2].match(/#\d+/g) ?? []));
    result = result.replace(/^( *attributes (#\d+) = \{)/gm, (whole, head: string, group: string) =>
      groups.has(group) ? `${head} ${grouped.join(' ')}` : whole,
    );
  }
  return result;
}

/** A module for a text without one: its functions with a calling convention and the attributes. */
function withModule(text: string, random: Random, inline: readonly string[], grouped: readonly string[]): string {
  const names = [...text.matchAll(/^name: +(?:'([^']*)'|(\S+))/gm)].map((m) => m[1] ?? m[2]);
  const convention = random.pick(['', 'amdgpu_kernel ', 'amdgpu_kernel ', 'amdgpu_ps ', 'amdgpu_cs ', 'amdgpu_gfx ']);
  const functions = names.map(
    (name) => `  define ${convention}void @"${name}"() ${inline.join(' ')} #0 { ret void }\n`,
  );
  const group = `  attributes #0 = { nounwind ${grouped.join(' ')} }\n`;
  return `--- |\n${functions.join('')}${group}...\n${/^---/.test(text) ? '' : '---\n'}${text}`;
}

/** Job n of a seed. */
export function llcJob(inputs: readonly InputText[], seed: number, n: number, choices: LlcJobChoices = {}): LlcJob {
  const random = new Random(seed * 1_000_003 + n);
  const input = choices.input?.(random) ?? random.pick(inputs);
  const own = /^-mcpu=(.*)$/.exec(input.args.find((a) => a.startsWith('-mcpu=')) ?? '')?.[1] ?? '';
  const family = PROCESSORS.find((f) => f.includes(own));
  const kind = random.below(10);
  const cpu =
    kind < 4 && own !== '' ? own : kind < 8 && family !== undefined ? random.pick(family) : random.pick(ALL_PROCESSORS);
  const triple = input.args.find((a) => a.startsWith('-mtriple=')) ?? '-mtriple=amdgcn-amd-amdhsa';
  const features = random.chance(25)
    ? [`-mattr=${random.pick(FEATURES)}`]
    : input.args.filter((a) => a.startsWith('-mattr='));
  const attributes = (): string[] => Array.from({ length: random.below(3) }, () => attribute(random));
  const [inline, grouped] = [attributes(), attributes()];
  if (choices.attributes !== undefined) inline.push(random.pick(choices.attributes));
  const hasModule = /^--- \|/m.test(input.text);
  const text =
    inline.length + grouped.length === 0
      ? input.text
      : hasModule
        ? withAttributes(input.text, inline, grouped)
        : withModule(input.text, random, inline, grouped);
  const pass = random.pick(PASSES);
  const strategy = pass[0].endsWith('machine-scheduler') && random.chance(40) ? [random.pick(STRATEGIES)] : [];
  const args = [triple, `-mcpu=${cpu}`, ...features, ...pass, ...strategy];
  const job = {
    name: `${input.name} ${args.join(' ')} inline ${inline.join(' ')} group ${grouped.join(' ')}`,
    text,
    args,
  };
  const more = choices.options?.(random, job) ?? [];
  return { ...job, name: [job.name, ...more].join(' '), args: [...args, ...more] };
}

/** The job with what other editors make of a file: line ends, none at the end, a mark in front; and with less text in the answer. */
export function widened(job: LlcJob, random: Random): LlcJob {
  const what: string[] = [];
  let { text } = job;
  const args = [...job.args];
  const kind = random.below(10);
  if (kind < 4) {
    text = text.replaceAll(/\r?\n/g, '\r\n');
    what.push('CRLF');
  } else if (kind === 4) {
    text = text.replace(/\r?\n$/, '');
    what.push('no line end');
  } else if (kind === 5) {
    text = `\ufeff${text}`;
    what.push('mark');
  }
  if (random.chance(30)) args.push('-simplify-mir');
  return { name: `${what.join(' ')} of ${job.name}`, text, args };
}

export interface LlcOutcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const ABORTED = 134;

/** Without what a crash handler adds, without addresses, and with one name for the program. */
function comparable({ status, stdout, stderr }: LlcOutcome, isAborted: boolean): LlcOutcome {
  const end = stderr.search(/^PLEASE submit a bug report/m);
  return {
    status: isAborted ? ABORTED : status,
    stdout: withoutAddresses(stdout),
    stderr: withoutAddresses(end < 0 ? stderr : stderr.slice(0, end)).replaceAll(/(?:\/[^\s:']*\/)?\bllc-22\b/g, 'llc'),
  };
}

export interface JobResult {
  readonly ours: LlcOutcome;
  readonly llc: LlcOutcome;
  /** the first member that differs; null = equal; `crash`: llc-22 itself crashed or took too long, which nothing can equal */
  readonly differs: 'status' | 'stdout' | 'stderr' | 'crash' | null;
}

/** What llc-22 answers, and whether it ended itself; `env`: variables for it. */
function runLlcAlone(job: LlcJob, env: Readonly<Record<string, string>> = {}): [LlcRun, boolean, LlcOutcome] {
  const run = runLlc([...job.args, '-o', '-', '-x', 'mir'], job.text, env);
  const isAborted = run.signal === 'SIGABRT' || run.status === ABORTED;
  return [run, isAborted, comparable(run, isAborted)];
}

export function runLlcJob(job: LlcJob): JobResult {
  const args = [...job.args, '-o', '-'];
  const [run, isAborted, llc] = runLlcAlone(job);
  const ours = comparable(runLlcOnText(args, job.text), false);
  const isCrash =
    (run.signal !== null && (!isAborted || !llc.stderr.includes('LLVM ERROR: '))) ||
    llc.stderr.includes('LLVM ERROR: out of memory');
  const members = ['status', 'stdout', 'stderr'] as const;
  return { ours, llc, differs: isCrash ? 'crash' : (members.find((m) => ours[m] !== llc[m]) ?? null) };
}

/** The same program with blocks of memory at other places (glibc's switches). */
const MEMORY_LAYOUTS: readonly Readonly<Record<string, string>>[] = [
  { GLIBC_TUNABLES: 'glibc.malloc.tcache_count=0' },
  { GLIBC_TUNABLES: 'glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0' },
  { MALLOC_MMAP_THRESHOLD_: '1000' },
  { MALLOC_ARENA_MAX: '1', MALLOC_TOP_PAD_: '100000' },
  { GLIBC_TUNABLES: 'glibc.malloc.perturb=85' },
  // As it was: where blocks lie differs from run to run.
  {},
  {},
];

/**
 * llc-22 looks at memory that is not its own: its answer is not the same with every layout. It does so at PHIs, where its trackers look up registers
 * that are not live and go on with what lies after their table, and where the flags of an inline assembly are a register: part of an address.
 */
function llcDependsOnMemory(job: LlcJob, llc: LlcOutcome): boolean {
  return MEMORY_LAYOUTS.some((env) => {
    const [, , other] = runLlcAlone(job, env);
    return (['status', 'stdout', 'stderr'] as const).some((m) => other[m] !== llc[m]);
  });
}

/** What a PHI reads, made again in its own block: its value no longer comes along the edges, and llc's live intervals are of a function that is none. */
const MADE_FOR_PHI = /^ {4}(?:dead )?(%\d+):\S+ = (?!PHI).*\n(?: {4}.*\n)* {4}%\d+:\S+ = PHI (?:.* )?\1,/m;

/** Differences that nobody can mend or that are open: why, or null for any other. Only causes that show in the run itself. */
export function knownDifference(job: LlcJob, { llc }: JobResult): string | null {
  if (llcDependsOnMemory(job, llc)) return 'what llc-22 itself answers otherwise when its memory is laid out otherwise';
  if (MADE_FOR_PHI.test(llc.stdout))
    return 'what llc-22 rematerializes for a PHI, before which the scheduler does not run';
  return null;
}
