/** The releases of LLVM: one object per release and process, filled as it is used (`Release` in api.ts says what others see of it). */
import { ProcessorTables } from './features.js';
import { LackedOpcodes } from './lackedOpcodes.js';
import { R600Tables } from './r600Tables.js';
import { LLVM22_RULES, LLVM24_RULES, ROCM10_RULES } from './rules.js';
import { SchedModels } from './schedModel.js';
import { EncodingTables, ConventionTables, ModeTables } from './subtargetTables.js';
import { makeTables } from './tables.js';
import { LLVM22_TEXTS, LLVM24_TEXTS, ROCM10_TEXTS, type TableTexts } from './tableTexts.js';
import { parseTriple } from './triple.js';
import { UniformityTables } from './uniformity.js';
import { lazy } from '../util/lazy.js';
import { DEFAULT_RELEASE, versionOf, type ReleaseName } from './releases.js';
import type { Opcode, Release, ReleaseRules, TargetTables } from './api.js';

const words = (text: string): ReadonlySet<string> => new Set(text.match(/\S+/g));

export class LlvmRelease implements Release {
  readonly version: string;
  readonly processors: ProcessorTables;
  readonly schedModels: SchedModels;
  readonly uniformity: UniformityTables;
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
    texts: TableTexts,
  ) {
    this.version = versionOf(name);
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

export const LLVM22 = new LlvmRelease('llvm-22', LLVM22_RULES, LLVM22_TEXTS);
const made: Readonly<Record<ReleaseName, () => LlvmRelease>> = {
  'llvm-22': () => LLVM22,
  'llvm-24': lazy(() => new LlvmRelease('llvm-24', LLVM24_RULES, LLVM24_TEXTS)),
  'rocm-10': lazy(() => new LlvmRelease('rocm-10', ROCM10_RULES, ROCM10_TEXTS)),
};

/** The tables of others than LLVM 22 are read when they are first asked for. */
export const releaseOf = (name: ReleaseName = DEFAULT_RELEASE): LlvmRelease => made[name]();

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
