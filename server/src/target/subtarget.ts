/**
 * One processor with features: what GCNSubtarget, AMDGPUSubtarget and AMDGPU::IsaInfo answer in LLVM 22.
 *
 * The formulas are those of the project's occupancy specification, sections 1 to 3; the unit test compares them with
 * LLVM's functions for all processors.
 */
import {
  cpuFacts,
  isGFX10OrLater,
  resolveFeatures,
  TargetIdSetting,
  type CpuFacts,
  type FeatureSet,
} from './features.js';
import { R600Subtarget } from './r600Subtarget.js';
import { LLVM22, releaseOf, type LlvmRelease } from './release.js';
import { parseTriple } from './triple.js';
import { ownString } from '../util/ownString.js';
import { RecentMap } from '../util/recent.js';
import type { Opcode, PhysReg, RegClassId, Release, SchedModel, Subtarget, TargetTables } from './api.js';
import { Generation, OpInfoFlag } from './api.js';

/** Most groups that can wait at barriers in one CU (in one WGP: twice as many). */
const MAX_BARRIERS_PER_CU = 16;
/** SGPRs that the trap handler takes from each wave. */
const TRAP_HANDLER_SGPRS = 16;
/** Blocks that a wave can have in dynamic VGPR mode. */
const MAX_DYNAMIC_VGPR_BLOCKS = 8;

const GENERATIONS: readonly Generation[] = [
  Generation.SOUTHERN_ISLANDS,
  Generation.SEA_ISLANDS,
  Generation.VOLCANIC_ISLANDS,
  Generation.GFX9,
  Generation.GFX10,
  Generation.GFX11,
  Generation.GFX12,
  Generation.GFX13,
];

const LDS_SIZES = [32768, 65536, 163840, 327680];

const cdiv = (a: number, b: number): number => Math.floor((a + b - 1) / b);
const down = (a: number, b: number): number => a - (a % b);
const up = (a: number, b: number): number => cdiv(a, b) * b;
const clamp = (v: number, lo: number, hi: number): number => Math.min(Math.max(v, lo), hi);

class GCNSubtarget implements Subtarget {
  readonly tables: TargetTables;
  readonly triple: string;
  readonly cpu: string;
  readonly problems: readonly string[];
  readonly isAmdHsaOS: boolean;
  readonly isMesa3DOS: boolean;
  readonly isAmdPalOS: boolean;
  readonly generation: Generation;
  readonly wavefrontSize: 32 | 64;
  readonly isaWavefrontSize: 32 | 64;
  readonly hasGFX90AInsts: boolean;
  readonly hasMAIInsts: boolean;
  readonly needsAlignedVGPRs: boolean;
  readonly xnackEnabled: boolean;
  readonly keepsOtherHalf: boolean;
  readonly maxWavesPerEU: number;
  readonly eusPerCU: number;
  readonly ldsSizeBytes: number;
  readonly addressableLdsBytes: number;
  readonly totalNumSGPRs: number;
  readonly addressableNumSGPRs: number;
  readonly sgprAllocGranule: number;
  readonly totalNumVGPRs: number;
  readonly addressableNumArchVGPRs: number;
  private readonly features: FeatureSet;
  private readonly facts: CpuFacts;
  private readonly isaMajor: number;
  private readonly staticVGPRGranule: number;
  private readonly isWGPMode: boolean;
  private readonly modeTable: Int32Array;
  private model: SchedModel | undefined;

  constructor(
    readonly release: LlvmRelease,
    triple: string,
    cpu: string | null,
    featureString: string,
  ) {
    this.tables = release.tables;
    const os = parseTriple(triple);
    // What GCNTargetMachine takes when no processor is named.
    const name =
      cpu === null ? '' : cpu !== '' ? cpu : os.cpu !== '' ? os.cpu : os.isAmdHsaOS ? 'generic-hsa' : 'generic';
    const resolved = resolveFeatures(release.processors, os, name, featureString, release.rules.warnsOfTargetID);
    const on = resolved.set;
    this.triple = triple;
    this.cpu = name;
    this.problems = resolved.problems;
    this.isAmdHsaOS = os.isAmdHsaOS;
    this.isMesa3DOS = os.isMesa3DOS;
    this.isAmdPalOS = os.isAmdPalOS;
    this.features = on;
    this.generation = GENERATIONS[resolved.generationMajor - 6]!;
    // With both features (the function's attribute and -mattr add up) the subtarget takes the larger size, IsaInfo the smaller.
    this.isaWavefrontSize = on.has('wavefrontsize32') ? 32 : 64;
    this.wavefrontSize = on.has('wavefrontsize64') ? 64 : this.isaWavefrontSize;
    this.hasGFX90AInsts = on.has('gfx90a-insts');
    this.hasMAIInsts = on.has('mai-insts');
    this.needsAlignedVGPRs = on.has('vgpr-align2');
    const isOn = (setting: TargetIdSetting): boolean =>
      setting === TargetIdSetting.On || setting === TargetIdSetting.Any;
    this.xnackEnabled = isOn(resolved.xnack);
    this.keepsOtherHalf = resolved.isaMajor >= 9 && !isOn(resolved.sramecc);
    this.facts = cpuFacts(release.processors, name);
    this.isaMajor = resolved.isaMajor;

    const isGFX10Plus = isGFX10OrLater(on);
    const isGFX1250 = on.has('gfx1250-insts');
    const isWave32 = this.isaWavefrontSize === 32;
    this.isWGPMode = isGFX10Plus && !on.has('cumode');
    this.maxWavesPerEU = this.hasGFX90AInsts ? 8 : !isGFX10Plus ? 10 : on.has('gfx10-3-insts') ? 16 : 20;
    this.eusPerCU = isGFX10Plus && on.has('cumode') && !isGFX1250 ? 2 : 4;
    this.addressableLdsBytes = 32768;
    for (const size of LDS_SIZES) if (on.has(`addressablelocalmemorysize${size}`)) this.addressableLdsBytes = size;
    this.ldsSizeBytes = this.addressableLdsBytes * (this.isWGPMode ? 2 : 1);

    // LLVM asks the processor's ISA version here, not the features.
    const major = this.isaMajor;
    this.totalNumSGPRs = major >= 8 ? 800 : 512;
    this.addressableNumSGPRs = on.has('sgpr-init-bug') ? 96 : major >= 10 ? 106 : major >= 8 ? 102 : 104;
    this.sgprAllocGranule = major >= 10 ? this.addressableNumSGPRs : major >= 8 ? 16 : 8;

    // The second is LLVM 24's name.
    const has1_5xVGPRs = on.has('allocate1_5xvgprs') || on.has('1536-physical-vgprs');
    const has1024 = on.has('1024-addressable-vgprs');
    if (this.hasGFX90AInsts) {
      this.totalNumVGPRs = 512;
      this.staticVGPRGranule = 8;
    } else {
      const scale = isWave32 ? 2 : 1;
      this.totalNumVGPRs = !isGFX10Plus ? 256 : (has1_5xVGPRs ? 768 : 512) * scale;
      this.staticVGPRGranule = (has1_5xVGPRs ? 12 : on.has('gfx10-3-insts') ? 8 : 4) * scale;
    }
    this.addressableNumArchVGPRs = has1024 ? (isWave32 ? 1024 : 512) : 256;
    const mode = this.hasGFX90AInsts ? 2 : isGFX1250 && !on.has('gfx13-insts') ? 1 : 0;
    this.modeTable = release.modes.of(mode, this.wavefrontSize === 32);
  }

  hasFeature(name: string): boolean {
    return this.features.has(name);
  }
  featureNames(): string[] {
    return this.features.names();
  }

  // -- registers and waves ----------------------------------------------------------------------------------------

  addressableNumVGPRs(dynamicVGPRBlockSize: number): number {
    if (this.hasGFX90AInsts) return 512;
    if (dynamicVGPRBlockSize !== 0) return MAX_DYNAMIC_VGPR_BLOCKS * this.vgprAllocGranule(dynamicVGPRBlockSize);
    return this.addressableNumArchVGPRs;
  }
  vgprAllocGranule(dynamicVGPRBlockSize: number): number {
    if (this.hasGFX90AInsts || dynamicVGPRBlockSize === 0) return this.staticVGPRGranule;
    return dynamicVGPRBlockSize;
  }

  occupancyWithNumSGPRs(nSGPRs: number): number {
    if (this.generation >= Generation.GFX10) return this.maxWavesPerEU;
    if (this.release.rules.dividesSGPRs) {
      const trap = this.features.has('trap-handler') ? TRAP_HANDLER_SGPRS : 0;
      const taken = Math.max(1, up(nSGPRs, this.sgprAllocGranule) + trap);
      return Math.min(this.maxWavesPerEU, Math.floor(this.totalNumSGPRs / taken));
    }
    if (this.generation >= Generation.VOLCANIC_ISLANDS)
      return nSGPRs <= 80 ? 10 : nSGPRs <= 88 ? 9 : nSGPRs <= 100 ? 8 : 7;
    if (nSGPRs <= 48) return 10;
    if (nSGPRs <= 56) return 9;
    if (nSGPRs <= 64) return 8;
    if (nSGPRs <= 72) return 7;
    return nSGPRs <= 80 ? 6 : 5;
  }

  occupancyWithNumVGPRs(nVGPRs: number, dynamicVGPRBlockSize: number): number {
    const granule = this.vgprAllocGranule(dynamicVGPRBlockSize);
    if (nVGPRs < granule) return this.maxWavesPerEU;
    // Less than no registers are close to 2^32 of them, and rounding up begins anew after that, as in llc (where what comes to zero ends the process).
    const rounded = up(nVGPRs, granule) >>> 0;
    return Math.min(Math.max(Math.floor(this.totalNumVGPRs / rounded), 1), this.maxWavesPerEU);
  }

  maxNumSGPRs(wavesPerEU: number, addressable: boolean): number {
    const major = this.isaMajor;
    if (major >= 10) return addressable ? this.addressableNumSGPRs : 108;
    const limit = major >= 8 && !addressable ? 112 : this.addressableNumSGPRs;
    return Math.min(down(this.sgprsOfWave(wavesPerEU), this.sgprAllocGranule), limit);
  }
  minNumSGPRs(wavesPerEU: number): number {
    if (this.isaMajor >= 10 || wavesPerEU >= this.maxWavesPerEU) return 0;
    const n = down(this.sgprsOfWave(wavesPerEU + 1), this.sgprAllocGranule) + 1;
    return Math.min(n, this.addressableNumSGPRs);
  }
  private sgprsOfWave(wavesPerEU: number): number {
    const n = Math.floor(this.totalNumSGPRs / wavesPerEU);
    return this.features.has('trap-handler') ? n - Math.min(n, TRAP_HANDLER_SGPRS) : n;
  }

  maxNumVGPRs(wavesPerEU: number, dynamicVGPRBlockSize: number): number {
    const takesAll = dynamicVGPRBlockSize !== 0 && this.release.rules.blocksAreUnlimited;
    if (takesAll) return this.addressableNumVGPRs(dynamicVGPRBlockSize);
    const granule = this.vgprAllocGranule(dynamicVGPRBlockSize);
    const n = down(Math.floor(this.totalNumVGPRs / wavesPerEU), granule);
    return Math.min(n, this.addressableNumVGPRs(dynamicVGPRBlockSize));
  }
  minNumVGPRs(wavesPerEU: number, dynamicVGPRBlockSize: number): number {
    const maxWaves = this.maxWavesPerEU;
    if (wavesPerEU >= maxWaves) return 0;
    const total = this.totalNumVGPRs;
    const addressable = this.addressableNumVGPRs(dynamicVGPRBlockSize);
    const granule = this.vgprAllocGranule(dynamicVGPRBlockSize);
    const most = down(Math.floor(total / wavesPerEU), granule);
    if (most === down(Math.floor(total / maxWaves), granule)) return 0;
    const fewestWaves = this.occupancyWithNumVGPRs(addressable, dynamicVGPRBlockSize);
    if (wavesPerEU < fewestWaves) return this.minNumVGPRs(fewestWaves, dynamicVGPRBlockSize);
    const next = down(Math.floor(total / (wavesPerEU + 1)), granule);
    return Math.min(1 + Math.min(most - granule, next), addressable);
  }

  // -- work groups --------------------------------------------------------------------------------------------------

  /** @llvm AMDGPUBaseInfo.cpp AMDGPU::getLdsDwGranularity */
  private get ldsGranuleBytes(): number {
    switch (this.addressableLdsBytes) {
      case 65536:
        return 512;
      case 163840:
        return 1280;
      case 327680:
        return 2048;
      default:
        return 256;
    }
  }

  maxWorkGroupsPerCU(flatWorkGroupSize: number): number {
    const slots = this.maxWavesPerEU * this.eusPerCU;
    const waves = cdiv(flatWorkGroupSize, this.isaWavefrontSize);
    if (waves === 1) return slots;
    return Math.min(Math.floor(slots / waves), this.isWGPMode ? 2 * MAX_BARRIERS_PER_CU : MAX_BARRIERS_PER_CU);
  }

  occupancyWithWorkGroupSizes(ldsBytes: number, minSize: number, maxSize: number): readonly [number, number] {
    const granule = this.release.rules.roundsGroupMemory ? this.ldsGranuleBytes : 1;
    const groupsByLds = Math.floor(this.ldsSizeBytes / Math.max(cdiv(ldsBytes, granule) * granule, 1));
    if (groupsByLds === 0) return [1, 1];
    const wave = this.wavefrontSize;
    const smallWaves = cdiv(minSize, wave);
    const manyGroups = Math.min(this.maxWorkGroupsPerCU(minSize), groupsByLds);
    const bigWaves = cdiv(maxSize, wave);
    const fewGroups = Math.min(this.maxWorkGroupsPerCU(maxSize), groupsByLds);
    let hi = smallWaves * manyGroups;
    let lo = bigWaves * fewGroups;
    if (lo >= hi) {
      const swap = lo;
      lo = hi;
      hi = swap;
    } else {
      const slots = this.maxWavesPerEU * this.eusPerCU;
      // A slightly smaller largest group can take fewer slots with as many groups.
      const threshold = cdiv(slots, fewGroups + 1) * fewGroups;
      if (lo > threshold) {
        const excess = Math.floor((lo - threshold) / fewGroups);
        lo -= fewGroups * Math.min(excess, bigWaves - smallWaves);
      }
      // A slightly larger smallest group can fill the slots that are left.
      const left = Math.floor((slots - hi) / manyGroups);
      if (left > 0) hi += manyGroups * Math.min(left, Math.floor((maxSize - 1) / wave) + 1 - smallWaves);
    }
    return [
      clamp(Math.floor(lo / this.eusPerCU), 1, this.maxWavesPerEU),
      clamp(cdiv(hi, this.eusPerCU), 1, this.maxWavesPerEU),
    ];
  }

  // -- tables by subtarget --------------------------------------------------------------------------------------------

  opInfoRegClass(opc: Opcode, opIdx: number): RegClassId {
    const t = this.tables;
    if (opIdx < 0 || opIdx >= t.opcodeNumOperands(opc)) return -1;
    const at = t.opInfoBegin(opc) + opIdx;
    const rc = t.opInfoRegClass[at]!;
    return (t.opInfoFlags[at]! & OpInfoFlag.LookupRegClassByHwMode) !== 0 ? this.modeTable[rc]! : rc;
  }

  get schedModel(): SchedModel {
    return (this.model ??= this.release.schedModels.get(this.facts.schedModel));
  }
  /** The members in their order on all processors (the generator checks it). */
  rawAllocationOrder(rc: RegClassId): Uint16Array {
    return this.tables.classRegs(rc);
  }
  calleeSavedRegs(callingConv: number): readonly PhysReg[] {
    return this.release.conventions.of(this.hasGFX90AInsts).get(callingConv)?.saved ?? [];
  }
  callPreservedMask(callingConv: number): number {
    return this.release.conventions.of(this.hasGFX90AInsts).get(callingConv)?.mask ?? -1;
  }
  mcOpcode(opc: Opcode): Opcode {
    if (opc < 0 || opc >= this.tables.nOpcodes) return -1;
    return this.release.encodings.encoded(this.facts.encodings[this.wavefrontSize === 32 ? 1 : 0], opc);
  }
}

/**
 * Subtargets by their key; they are immutable, so sharing one shows nothing. Who types into a triple or features makes a new one with each character, so
 * that those are kept that somebody has, or that were asked for last.
 */
const known = new Map<string, WeakRef<Subtarget>>();
const recent = new RecentMap<Subtarget>(12);
/** Number of keys from which those of subtargets that are gone are looked for. */
const MANY_KEYS = 128;
let sweepFrom = MANY_KEYS;
let newestKey = '';
let newest: Subtarget | null = null;

/**
 * The subtarget of a triple, processor and feature string (`+xnack,-cumode`) in a release; cached by these. A triple without a
 * processor means what LLVM takes then (`generic`, `generic-hsa`, or that of a sub-architecture triple). Unknown names
 * are ignored, as LLVM does, and listed in `problems`. A `cpu` of null is the processor with the empty name, which only the attribute of a
 * function can mean: LLVM knows none of that name.
 */
export function createSubtarget(
  triple: string,
  cpu: string | null,
  featureString: string,
  release: Release = LLVM22,
): Subtarget {
  const asked = `${release.name}\n${triple}\n${cpu ?? '\n'}\n${featureString}`;
  if (newest !== null && newestKey === asked) return newest;
  // Strings of their own: a piece of a text keeps it in memory, and the key is made of pieces.
  const key = ownString(asked);
  let res = known.get(key)?.deref();
  if (res === undefined) {
    const [ownTriple, ownCpu] = [ownString(triple), cpu === null ? null : ownString(cpu)];
    res = parseTriple(ownTriple).isR600
      ? new R600Subtarget(releaseOf(release.name), ownTriple, ownCpu, ownString(featureString))
      : new GCNSubtarget(releaseOf(release.name), ownTriple, ownCpu, ownString(featureString));
    known.set(key, new WeakRef(res));
    if (sweepFrom < known.size) {
      for (const [other, ref] of known) if (ref.deref() === undefined) known.delete(other);
      sweepFrom = Math.max(MANY_KEYS, 2 * known.size);
    }
  }
  recent.set(key, res);
  [newestKey, newest] = [key, res];
  return res;
}
