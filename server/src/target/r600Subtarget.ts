/**
 * A processor of R600 with its features (R600Subtarget, LLVM 22). What the contract says of waves, budgets and scheduling is AMDGCN's: here nobody
 * asks for it (`tables.isAMDGCN` decides), and the answers are those of nothing.
 */
import type { LlvmRelease } from './release.js';
import type { R600Tables } from './r600Tables.js';
import { parseTriple } from './triple.js';
import type { Generation, Opcode, PhysReg, RegClassId, SchedModel, Subtarget, TargetTables } from './api.js';

/** R600TargetMachine's processor when none is named */
const DEFAULT_CPU = 'r600';
/** the generation of none of AMDGCN's: below them all */
const NO_GENERATION = 0 as Generation;

/** Features that are on, by number. */
class FeatureSwitches {
  private readonly on = new Set<number>();
  constructor(private readonly tables: R600Tables) {}

  addCpu(cpu: string): boolean {
    const features = this.tables.cpuFeatures[this.tables.cpuNames.indexOf(cpu)];
    features?.forEach((f) => this.enable(f));
    return features !== undefined;
  }

  /** `+name` or `-name`; false if there is no such feature. A text without sign switches off, as in LLVM. */
  apply(flag: string): boolean {
    const number = this.tables.featureNames.indexOf(flag.replace(/^[+-]/, ''));
    if (number < 0) return false;
    if (flag.startsWith('+')) this.enable(number);
    else this.disable(number);
    return true;
  }

  names(): string[] {
    return this.tables.featureNames.filter((_, i) => this.on.has(i));
  }

  /** With everything that it implies. */
  private enable(number: number): void {
    this.on.add(number);
    for (const f of this.tables.featureImplies[number] ?? []) this.enable(f);
  }

  /** With everything that implies it. */
  private disable(number: number): void {
    this.on.delete(number);
    this.tables.featureImplies.forEach((implied, f) => {
      if (implied.includes(number)) this.disable(f);
    });
  }
}

export class R600Subtarget implements Subtarget {
  readonly tables: TargetTables;
  readonly triple: string;
  readonly cpu: string;
  readonly problems: readonly string[];
  readonly isAmdHsaOS: boolean;
  readonly isMesa3DOS: boolean;
  readonly isAmdPalOS: boolean;
  readonly generation = NO_GENERATION;
  readonly wavefrontSize = 64;
  readonly isaWavefrontSize = 64;
  readonly hasGFX90AInsts = false;
  readonly hasMAIInsts = false;
  readonly needsAlignedVGPRs = false;
  readonly xnackEnabled = false;
  readonly keepsOtherHalf = false;
  readonly maxWavesPerEU = 1;
  readonly eusPerCU = 1;
  readonly ldsSizeBytes = 0;
  readonly addressableLdsBytes = 0;
  readonly totalNumSGPRs = 0;
  readonly addressableNumSGPRs = 0;
  readonly sgprAllocGranule = 1;
  readonly totalNumVGPRs = 0;
  readonly addressableNumArchVGPRs = 0;
  private readonly features: readonly string[];

  constructor(
    readonly release: LlvmRelease,
    triple: string,
    cpu: string | null,
    featureString: string,
  ) {
    this.tables = release.r600Tables;
    const os = parseTriple(triple);
    const name = cpu === null ? '' : cpu || DEFAULT_CPU;
    this.triple = triple;
    this.cpu = name;
    this.isAmdHsaOS = os.isAmdHsaOS;
    this.isMesa3DOS = os.isMesa3DOS;
    this.isAmdPalOS = os.isAmdPalOS;
    const problems: string[] = [];
    const on = new FeatureSwitches(release.r600Tables);
    if (!on.addCpu(name) && name !== 'help')
      problems.push(`'${name}' is not a recognized processor for this target (ignoring processor)`);
    on.apply('+promote-alloca');
    for (const flag of featureString.split(','))
      if (flag !== '' && !on.apply(flag) && flag !== '+help' && flag !== '+cpuhelp')
        problems.push(`'${flag}' is not a recognized feature for this target (ignoring feature)`);
    this.features = on.names();
    this.problems = problems;
  }

  hasFeature(name: string): boolean {
    return this.features.includes(name);
  }
  featureNames(): string[] {
    return [...this.features];
  }
  opInfoRegClass(opc: Opcode, opIdx: number): RegClassId {
    const t = this.tables;
    return opIdx < 0 || opIdx >= t.opcodeNumOperands(opc) ? -1 : t.opInfoRegClass[t.opInfoBegin(opc) + opIdx]!;
  }
  rawAllocationOrder(rc: RegClassId): Uint16Array {
    return this.tables.classRegs(rc);
  }
  calleeSavedRegs(): readonly PhysReg[] {
    return [];
  }
  callPreservedMask(): number {
    return -1;
  }
  mcOpcode(opc: Opcode): Opcode {
    return opc;
  }

  // -- AMDGCN's ---------------------------------------------------------------------------------------------------

  get schedModel(): SchedModel {
    return this.release.schedModels.get(0);
  }
  addressableNumVGPRs(): number {
    return 0;
  }
  vgprAllocGranule(): number {
    return 1;
  }
  occupancyWithNumSGPRs(): number {
    return 1;
  }
  occupancyWithNumVGPRs(): number {
    return 1;
  }
  maxNumSGPRs(): number {
    return 0;
  }
  minNumSGPRs(): number {
    return 0;
  }
  maxNumVGPRs(): number {
    return 0;
  }
  minNumVGPRs(): number {
    return 0;
  }
  maxWorkGroupsPerCU(): number {
    return 1;
  }
  occupancyWithWorkGroupSizes(): readonly [number, number] {
    return [1, 1];
  }
}
