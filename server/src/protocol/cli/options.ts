/**
 * Command line of `amdgpu-mir llc`: llc's own options, parsed by the rules of llvm::cl (LLVM 22.1.8). One or two dashes,
 * `-opt=value` or `-opt value`, flags that may have a value, `-` as a file name, `--` before positional arguments.
 *
 * An option that is not in the tables is an error, never ignored. Passes bring their own options (see passes.ts).
 */
import { optionValue, UsageError, type OptionSpec, type OptionValue } from '../../util/llcOption.js';

export { UsageError, type OptionSpec, type OptionValue };

/** Values by option name; an option that was not given is absent. */
export interface ParsedArguments {
  readonly values: ReadonlyMap<string, OptionValue>;
  readonly positional: readonly string[];
}

/** What llc itself understands before any pass runs. */
const DRIVER_OPTIONS: readonly OptionSpec[] = [
  { name: 'mtriple', kind: 'string' },
  { name: 'march', kind: 'string' },
  { name: 'mcpu', kind: 'string' },
  { name: 'mattr', kind: 'list' },
  { name: 'o', kind: 'string' },
  { name: 'x', kind: 'string' },
  { name: 'run-pass', kind: 'list' },
  { name: 'passes', kind: 'string' },
  { name: 'filetype', kind: 'string', values: ['asm', 'obj', 'null'] },
  { name: 'verify-machineinstrs', kind: 'flag' },
  { name: 'simplify-mir', kind: 'flag' },
  { name: 'O', kind: 'prefix' },
  // function attributes that codegen options set
  { name: 'denormal-fp-math', kind: 'string' },
  { name: 'denormal-fp-math-f32', kind: 'string' },
];

/**
 * Options of llc that steer passes which do not run here: accepted, since neither reading, printing, verifying nor the
 * supported passes look at them (checked with llc-22: same output with and without).
 */
const OPTIONS_OF_OTHER_PASSES: readonly OptionSpec[] = [
  { name: 'global-isel', kind: 'flag' },
  { name: 'global-isel-abort', kind: 'int' },
  { name: 'fp-contract', kind: 'string', values: ['fast', 'on', 'off'] },
  { name: 'enable-ipra', kind: 'flag' },
  { name: 'early-live-intervals', kind: 'flag' },
  { name: 'verify-coalescing', kind: 'flag' },
  { name: 'verify-regalloc', kind: 'flag' },
  { name: 'simplifycfg-require-and-preserve-domtree', kind: 'flag' },
  { name: 'combiner-tokenfactor-inline-limit', kind: 'int' },
  { name: 'machine-sink-split-probability-threshold', kind: 'int' },
  { name: 'structurizecfg-skip-uniform-regions', kind: 'flag' },
  { name: 'disable-promote-alloca-to-vector', kind: 'flag' },
  { name: 'amdgpu-atomic-optimizer-strategy', kind: 'string' },
  { name: 'amdgpu-s-branch-bits', kind: 'int' },
  { name: 'amdgpu-long-branch-factor', kind: 'string' },
  { name: 'amdgpu-scalarize-global-loads', kind: 'flag' },
  { name: 'amdgpu-enable-delay-alu', kind: 'flag' },
  { name: 'amdgpu-enable-vopd', kind: 'flag' },
  { name: 'amdgpu-dpp-combine', kind: 'flag' },
  { name: 'amdgpu-codegenprepare-disable-idiv-expansion', kind: 'flag' },
  { name: 'amdgpu-codegenprepare-expand-div64', kind: 'flag' },
  { name: 'amdgpu-bypass-slow-div', kind: 'flag' },
  { name: 'amdgpu-vgpr-index-mode', kind: 'flag' },
  { name: 'amdgpu-lower-module-lds-strategy', kind: 'string' },
  { name: 'amdgpu-spill-sgpr-to-vgpr', kind: 'flag' },
  { name: 'amdgpu-load-store-vectorizer', kind: 'flag' },
  { name: 'amdgpu-enable-lower-module-lds', kind: 'flag' },
  { name: 'amdgpu-early-ifcvt', kind: 'flag' },
  { name: 'amdgpu-opt-vgpr-liverange', kind: 'flag' },
  { name: 'amdgpu-enable-rewrite-partial-reg-uses', kind: 'flag' },
  { name: 'amdgpu-assume-external-call-stack-size', kind: 'int' },
];

const PROGRAM = 'llc';

/** Parses llc's arguments. `passOptions` are the options that registered passes add. Throws UsageError. */
export function parseArguments(args: readonly string[], passOptions: readonly OptionSpec[]): ParsedArguments {
  const specs = new Map<string, OptionSpec>();
  for (const list of [DRIVER_OPTIONS, OPTIONS_OF_OTHER_PASSES, passOptions]) {
    for (const spec of list) specs.set(spec.name, spec);
  }
  const values = new Map<string, OptionValue>();
  const positional: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') {
      positional.push(...args.slice(i + 1));
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      positional.push(arg);
      continue;
    }
    const start = arg.startsWith('--') ? 2 : 1;
    const equals = arg.indexOf('=', start);
    const name = arg.slice(start, equals < 0 ? arg.length : equals);
    let spec = specs.get(name);
    let value = equals < 0 ? undefined : arg.slice(equals + 1);
    if (spec?.kind === 'prefix') spec = undefined;
    if (spec === undefined && /^O[0-9a-z]+$/.test(name) && value === undefined) {
      spec = specs.get('O');
      value = name.slice(1);
    }
    if (spec === undefined) {
      throw new UsageError(
        `${PROGRAM}: Unknown command line argument '${arg}'.  It is not among the options of llc that amdgpu-mir supports.`,
      );
    }
    if (spec.kind !== 'flag' && value === undefined && i + 1 < args.length) value = args[++i];
    values.set(spec.name, optionValue(spec, value, values.get(spec.name)));
  }
  return { values, positional };
}

export type FileType = 'asm' | 'obj' | 'null';

/** The options of one run, checked and put in order. */
export interface LlcOptions {
  readonly input: string;
  /** null = not given */
  readonly output: string | null;
  /** as given, '' if not */
  readonly triple: string;
  readonly march: string;
  readonly cpu: string;
  /** joined by commas, each with its sign, lower case */
  readonly features: string;
  /** legacy pass names in order */
  readonly runPasses: readonly string[];
  /** text of -passes, null if not given */
  readonly passPipeline: string | null;
  readonly fileType: FileType;
  readonly verify: boolean;
  readonly simplify: boolean;
  /** string attributes that codegen options add to functions which lack them */
  readonly functionAttributes: readonly (readonly [string, string])[];
  /** every option that was given, for the passes */
  readonly values: ReadonlyMap<string, OptionValue>;
}

/** Sub-architecture triples of LLVM main (`amdgpu9.0a-amd-amdhsa`) as architecture and processor of LLVM 22. */
export function splitTriple(triple: string): { readonly triple: string; readonly cpu: string } {
  if (!triple.startsWith('amdgpu')) return { triple, cpu: '' };
  const match = /^amdgpu(?:([0-9]{1,2})\.([0-9a-f])([0-9a-f]))?(?=-|$)/.exec(triple);
  if (match === null) return { triple, cpu: '' };
  const rest = triple.slice(match[0].length);
  const cpu = match[1] === undefined ? '' : `gfx${match[1]}${match[2]}${match[3]}`;
  return { triple: `amdgcn${rest}`, cpu };
}

/** Parses and checks the arguments of `amdgpu-mir llc`. Throws UsageError. */
export function parseLlcOptions(args: readonly string[], passOptions: readonly OptionSpec[]): LlcOptions {
  const { values, positional } = parseArguments(args, passOptions);
  if (positional.length > 1) {
    throw new UsageError(
      `${PROGRAM}: Too many positional arguments specified!\nCan specify at most 1 positional arguments: See: ${PROGRAM} --help`,
    );
  }
  const string = (name: string): string => (values.get(name) as string | undefined) ?? '';
  const list = (name: string): readonly string[] => (values.get(name) as readonly string[] | undefined) ?? [];
  const level = values.get('O') as string | undefined;
  if (level !== undefined && !/^[0-3]$/.test(level))
    throw new UsageError(`${PROGRAM}: error: invalid optimization level.`);
  const language = values.get('x') as string | undefined;
  if (language !== undefined && language !== 'mir')
    throw new UsageError(`${PROGRAM}: error: input language must be 'mir': amdgpu-mir reads no LLVM IR files.`);
  const { triple, cpu } = splitTriple(string('mtriple'));
  const functionAttributes: [string, string][] = [];
  for (const name of ['denormal-fp-math', 'denormal-fp-math-f32']) {
    const mode = values.get(name) as string | undefined;
    if (mode !== undefined) functionAttributes.push([name, `${mode},${mode}`]);
  }
  return {
    input: positional[0] ?? '-',
    output: (values.get('o') as string | undefined) ?? null,
    triple,
    march: string('march'),
    cpu: string('mcpu') || cpu,
    features: list('mattr')
      .filter((f) => f !== '')
      .map(normalizeFeature)
      .join(','),
    runPasses: list('run-pass'),
    passPipeline: (values.get('passes') as string | undefined) ?? null,
    fileType: (values.get('filetype') as FileType | undefined) ?? 'asm',
    verify: values.get('verify-machineinstrs') === true,
    simplify: values.get('simplify-mir') === true,
    functionAttributes,
    values,
  };
}

function normalizeFeature(feature: string): string {
  const f = feature.toLowerCase();
  return f.startsWith('+') || f.startsWith('-') ? f : `+${f}`;
}
