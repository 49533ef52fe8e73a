/**
 * Processors and features of `-mcpu` and `-mattr` (follows MCSubtargetInfo's getFeatures and
 * GCNSubtarget::initializeSubtargetDependencies, LLVM 22).
 */
import { listAt, type IntLists } from './packed.js';
import type { TableTexts } from './tableTexts.js';
import type { TripleInfo } from './triple.js';

interface FeatureTable {
  names: readonly string[];
  numbers: ReadonlyMap<string, number>;
  implies: IntLists;
}

interface CpuTable {
  names: readonly string[];
  implies: IntLists;
  /** entry 0: no processor */
  schedModel: Int32Array;
  encodings64: Int32Array;
  encodings32: Int32Array;
}

/** Features and processors of a release, each read when first asked for. */
export class ProcessorTables {
  private featureTable: FeatureTable | undefined;
  private cpuTable: CpuTable | undefined;

  constructor(private readonly texts: TableTexts) {}

  get features(): FeatureTable {
    if (this.featureTable === undefined) {
      const r = this.texts.reader('FEATURES');
      const names = r.strings();
      this.featureTable = { names, numbers: new Map(names.map((n, i) => [n, i])), implies: r.lists() };
    }
    return this.featureTable;
  }

  /** Descriptions of the features, in their order. */
  featureTexts(): readonly string[] {
    return this.texts.reader('FEATURE_TEXTS').string().split('~');
  }

  get cpus(): CpuTable {
    if (this.cpuTable === undefined) {
      const r = this.texts.reader('CPUS');
      this.cpuTable = {
        names: r.strings(),
        implies: r.lists(),
        schedModel: r.ints(),
        encodings64: r.ints(),
        encodings32: r.ints(),
      };
    }
    return this.cpuTable;
  }
}

/** Facts that depend on the processor's name alone; `cpu` '' or unknown: those of no processor. */
export interface CpuFacts {
  /** -1 if unknown */
  readonly number: number;
  readonly schedModel: number;
  readonly encodings: readonly [wave64: number, wave32: number];
}

export function cpuFacts(processors: ProcessorTables, cpu: string): CpuFacts {
  const table = processors.cpus;
  const number = cpu === '' ? -1 : table.names.indexOf(cpu);
  return {
    number,
    schedModel: table.schedModel[number + 1]!,
    encodings: [table.encodings64[number + 1]!, table.encodings32[number + 1]!],
  };
}

/** Major number of the instruction set by the generation that is on. */
function majorOf(on: FeatureSet, otherwise: number): number {
  for (const [name, major] of GENERATION_MAJORS) if (on.has(name)) return major;
  return otherwise;
}

/** Features that set the generation, newest first, with the major number of the instruction set. */
const GENERATION_MAJORS: readonly (readonly [string, number])[] = [
  ['gfx13', 13],
  ['gfx12', 12],
  ['gfx11', 11],
  ['gfx10', 10],
  ['gfx9', 9],
  ['volcanic-islands', 8],
  ['sea-islands', 7],
  ['southern-islands', 6],
];

/** A set of features with LLVM's rules of implication. */
export class FeatureSet {
  private readonly bits: Uint8Array;
  private readonly features: FeatureTable;

  constructor(private readonly processors: ProcessorTables) {
    this.features = processors.features;
    this.bits = new Uint8Array(this.features.names.length);
  }

  has(name: string): boolean {
    const number = this.features.numbers.get(name);
    return number !== undefined && this.bits[number] === 1;
  }

  /** Names of the features that are on. */
  names(): string[] {
    return this.features.names.filter((_, i) => this.bits[i] === 1);
  }

  /** Switches on what a processor has; false if there is no such processor. */
  addCpu(cpu: string): boolean {
    const { names, implies } = this.processors.cpus;
    const number = names.indexOf(cpu);
    if (number < 0) return false;
    for (const f of listAt(implies, number)) this.enable(f);
    return true;
  }

  /** `+name` or `-name`; false if there is no such feature. A text without sign switches off, as in LLVM. */
  apply(flag: string): boolean {
    const signed = flag.startsWith('+') || flag.startsWith('-');
    const number = this.features.numbers.get(signed ? flag.slice(1) : flag);
    if (number === undefined) return false;
    if (flag.startsWith('+')) this.enable(number);
    else this.disable(number);
    return true;
  }

  toggle(name: string): void {
    const number = this.features.numbers.get(name);
    if (number !== undefined) this.bits[number] = this.bits[number] === 1 ? 0 : 1;
  }

  /** With everything that it implies. */
  private enable(number: number): void {
    this.bits[number] = 1;
    for (const f of listAt(this.features.implies, number)) this.enable(f);
  }

  /** With everything that implies it. */
  private disable(number: number): void {
    this.bits[number] = 0;
    const { implies } = this.features;
    for (let f = 0; f + 1 < implies.begin.length; f++) if (listAt(implies, f).includes(number)) this.disable(f);
  }
}

/** Setting of a target-ID feature. */
export const enum TargetIdSetting {
  Unsupported,
  Any,
  Off,
  On,
}

export interface ResolvedFeatures {
  readonly set: FeatureSet;
  /** first part of the processor's ISA version (9 for gfx90a), 0 without a processor; from its generation, since aliases have none */
  readonly isaMajor: number;
  /** major number of the generation after all flags: 6 (southern islands) to 13 */
  readonly generationMajor: number;
  readonly xnack: TargetIdSetting;
  readonly sramecc: TargetIdSetting;
  readonly problems: readonly string[];
}

/**
 * By the feature of the generation, which goes off with any that it implies (`-flat-address-space`), although `gfx10-insts`
 * stays.
 * @llvm AMDGPUBaseInfo.cpp AMDGPU::isGFX10Plus
 */
export function isGFX10OrLater(set: FeatureSet): boolean {
  return ['gfx10', 'gfx11', 'gfx12', 'gfx13'].some((name) => set.has(name));
}

/** Features of a processor with flags on an operating system, as GCNSubtarget computes them. */
export function resolveFeatures(
  processors: ProcessorTables,
  triple: TripleInfo,
  cpu: string,
  featureString: string,
  warnsOfTargetID = true,
): ResolvedFeatures {
  const problems: string[] = [];
  const set = new FeatureSet(processors);
  const isKnown = set.addCpu(cpu);
  // `help` asks for a list.
  if (!isKnown && cpu !== 'help')
    problems.push(`'${cpu}' is not a recognized processor for this target (ignoring processor)`);
  const isaMajor = isKnown ? majorOf(set, cpu === 'generic-hsa' ? 7 : 6) : 0;
  const flags = ['+promote-alloca', '+load-store-opt', '+enable-ds128'];
  if (triple.isAmdHsaOS) flags.push('+flat-for-global', '+unaligned-access-mode', '+trap-handler');
  flags.push('+enable-prt-strict-null');
  const own = featureString.split(',').filter((f) => f !== '');
  // Naming one wave size switches the others off before.
  const lower = featureString.toLowerCase();
  if (lower.includes('+wavefrontsize'))
    for (const size of ['16', '32', '64'])
      if (!lower.includes(`wavefrontsize${size}`)) flags.push(`-wavefrontsize${size}`);
  for (const flag of flags) set.apply(flag);
  for (const flag of own)
    if (!set.apply(flag) && flag !== '+help' && flag !== '+cpuhelp')
      problems.push(`'${flag}' is not a recognized feature for this target (ignoring feature)`);

  const generationMajor = majorOf(set, triple.isAmdHsaOS ? 7 : 6);
  if (!set.has('wavefrontsize32') && !set.has('wavefrontsize64') && isGFX10OrLater(set)) set.toggle('wavefrontsize32');
  if (!featureString.includes('flat-for-global')) {
    const hasAddr64 = generationMajor < 8;
    if (!hasAddr64 && !set.has('flat-for-global')) set.toggle('flat-for-global');
    const hasFlat = generationMajor >= 7;
    if (!hasFlat && set.has('flat-for-global')) set.toggle('flat-for-global');
  }

  const setting = (name: string): TargetIdSetting => {
    const supported = set.has(`${name}-support`);
    let res = supported ? TargetIdSetting.Any : TargetIdSetting.Unsupported;
    let asked: boolean | undefined;
    for (const flag of own) {
      if (flag === `+${name}`) asked = true;
      else if (flag === `-${name}`) asked = false;
    }
    if (asked === undefined) return res;
    if (supported) res = asked ? TargetIdSetting.On : TargetIdSetting.Off;
    else if (warnsOfTargetID)
      problems.push(
        `warning: ${name} '${asked ? 'On' : 'Off'}' was requested for a processor that does not support it!`,
      );
    return res;
  };
  const xnack = setting('xnack');
  const sramecc = setting('sramecc');
  return { set, isaMajor, generationMajor, xnack, sramecc, problems };
}
