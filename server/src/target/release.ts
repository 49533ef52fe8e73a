/** The releases of LLVM: one object per release and process, filled as it is used (`Release` in api.ts says what others see of it). */
import { ProcessorTables } from './features.js';
import { LackedOpcodes } from './lackedOpcodes.js';
import { R600Tables } from './r600Tables.js';
import { LLVM22_RULES, LLVM24_RULES, LLVM_MAIN_RULES, ROCM10_RULES } from './rules.js';
import { SchedModels } from './schedModel.js';
import { EncodingTables, ConventionTables, ModeTables } from './subtargetTables.js';
import { makeTables } from './tables.js';
import { LLVM22_TEXTS, LLVM24_TEXTS, ROCM10_TEXTS, type TableTexts } from './tableTexts.js';
import { parseTriple } from './triple.js';
import { UniformityTables } from './uniformity.js';
import { lazy } from '../util/lazy.js';
import { DEFAULT_RELEASE, RELEASE_NAMES, versionOf, type ReleaseName } from './releases.js';
import { LLC24_TABLE, LLC_TABLE, onlyTableOf } from '../commandLine/optionTable.js';
import type { OptionTable } from '../commandLine/optionSpec.js';
import { LLC24_PASSES, LLC_PASSES, type PassNames } from '../commandLine/runPasses.js';
import type { IntrinsicFacts, Opcode, Release, ReleaseRules, TargetTables } from './api.js';

const words = (text: string): ReadonlySet<string> => new Set(text.match(/\S+/g));

export class LlvmRelease implements Release {
  readonly version: string;
  readonly processors: ProcessorTables;
  readonly schedModels: SchedModels;
  readonly uniformity: UniformityTables;
  readonly intrinsics: IntrinsicFacts;
  private readonly lacked: LackedOpcodes;
  readonly modes: ModeTables;
  readonly encodings: EncodingTables;
  readonly conventions: ConventionTables;
  private readonly amdgcn: () => TargetTables;
  private readonly r600: () => R600Tables;
  /** what no other release has, where that can be said without its tables */
  readonly onlyOpcodes: () => ReadonlySet<string>;
  readonly onlyRegisters: () => ReadonlySet<string>;

  constructor(
    readonly name: ReleaseName,
    readonly rules: ReleaseRules,
    readonly options: OptionTable,
    readonly passes: PassNames,
    texts: TableTexts,
  ) {
    this.version = versionOf(name);
    this.intrinsics = { changes: () => texts.text('INTRINSIC_CHANGES') };
    this.onlyOpcodes = lazy(() => words(texts.text('ONLY_OPCODES')));
    this.onlyRegisters = lazy(() => words(texts.text('ONLY_REGISTERS')));
    this.processors = new ProcessorTables(texts);
    this.schedModels = new SchedModels(texts);
    this.uniformity = new UniformityTables(texts);
    this.lacked = new LackedOpcodes(texts);
    this.modes = new ModeTables(texts);
    this.encodings = new EncodingTables(texts);
    this.conventions = new ConventionTables(texts);
    this.amdgcn = lazy(() => makeTables(texts, rules.readsNamesBySize));
    this.r600 = lazy(() => new R600Tables(texts));
  }

  get tables(): TargetTables {
    return this.amdgcn();
  }
  get r600Tables(): R600Tables {
    return this.r600();
  }
  lacks(cpu: string, lanes: number, opc: Opcode): boolean {
    return this.lacked.has(cpu, lanes, opc);
  }
}

export const LLVM22 = new LlvmRelease('llvm-22', LLVM22_RULES, LLC_TABLE, LLC_PASSES, LLVM22_TEXTS);
const made: Readonly<Record<ReleaseName, () => LlvmRelease>> = {
  'llvm-22': () => LLVM22,
  'llvm-24': lazy(() => new LlvmRelease('llvm-24', LLVM24_RULES, LLC24_TABLE, LLC24_PASSES, LLVM24_TEXTS)),
  // ROCm's own list of options was not read: LLVM 24's is the nearest. Its tests call passes as 22 does.
  'rocm-10': lazy(() => new LlvmRelease('rocm-10', ROCM10_RULES, LLC24_TABLE, LLC_PASSES, ROCM10_TEXTS)),
  // Main's tables are not at hand; what its tests say beyond 24's are rules.
  'llvm-main': lazy(() => new LlvmRelease('llvm-main', LLVM_MAIN_RULES, LLC24_TABLE, LLC24_PASSES, LLVM24_TEXTS)),
};

/** The tables of others than LLVM 22 are read when they are first asked for. */
export const releaseOf = (name: ReleaseName = DEFAULT_RELEASE): LlvmRelease => made[name]();

/** The release that a rule speaks for where not all have it, the first of several; null: none, or all. */
export function releaseWith(rule: keyof ReleaseRules): ReleaseName | null {
  const having = RELEASE_NAMES.filter((name) => Boolean(releaseOf(name).rules[rule]));
  return having.length < RELEASE_NAMES.length ? (having[0] ?? null) : null;
}

/** The release that alone lacks the rule, and so takes what the others refuse. */
export function releaseWithout(rule: keyof ReleaseRules): ReleaseName | null {
  const [lacking = null, ...others] = RELEASE_NAMES.filter((name) => !releaseOf(name).rules[rule]);
  return others.length === 0 ? lacking : null;
}

/** The release that alone has an option, or a value of one; null where all have it, or none. */
export function releaseWithOption(name: string, value: string): ReleaseName | null {
  const table = onlyTableOf(name, value);
  if (table === null) return null;
  return RELEASE_NAMES.find((release) => releaseOf(release).options === table) ?? null;
}

/** Names for `-mcpu`, as `llc -mcpu=help` lists them; of R600 for its triples. */
export function listCpus(triple = '', release: Release = LLVM22): readonly string[] {
  const { name } = release;
  return parseTriple(triple).isR600 ? releaseOf(name).r600Tables.cpuNames : releaseOf(name).processors.cpus.names;
}

/** Names and descriptions for `-mattr`, as `llc -mattr=help` lists them; of R600 for its triples. */
export function listFeatures(
  triple = '',
  release: Release = LLVM22,
): readonly { readonly name: string; readonly description: string }[] {
  if (parseTriple(triple).isR600) {
    const { featureNames, featureTexts } = releaseOf(release.name).r600Tables;
    return featureNames.map((name, i) => ({ name, description: featureTexts[i]! }));
  }
  const { processors } = releaseOf(release.name);
  const texts = processors.featureTexts();
  return processors.features.names.map((name, i) => ({ name, description: texts[i]! }));
}
