/**
 * Pressure and occupancy in words and bars: the same in hovers, lenses and hints. Numbers come from the analysis; this only
 * puts them beside what they are measured against.
 */
import type { RegisterExcess } from '../../analysis/excessRegisters.js';
import type { UsedRegisters } from '../../analysis/usedRegisters.js';
import { Bank, OccupancyLimiter, PressureSummary, mostSGPRsFor, type OccupancyReport } from '../../analysis/summary.js';
import type { InstrId, MachineFunction } from '../../model/machineFunction.js';
import { layoutOf } from '../snapshot/locate.js';
import { subtargetText } from '../snapshot/snapshot.js';
import { useText } from './allocatedUseText.js';
import { plural } from './numbers.js';

export const BANKS: readonly (readonly [Bank, string])[] = [
  [Bank.VGPR, 'VGPR'],
  [Bank.SGPR, 'SGPR'],
  [Bank.AGPR, 'AGPR'],
];

/** `bb.2:14`: block by its number in the text, and how many instructions stand before it in the block. */
export function placeOf(fn: MachineFunction, i: InstrId): string {
  const b = fn.instrBlock[i]!;
  for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++)
    if (fn.order[p] === i) return `bb.${fn.blocks[b]!.sourceNumber}:${p - fn.blockBegin[b]!}`;
  return `bb.${fn.blocks[b]!.sourceNumber}`;
}

/** The same in O(1), once the summary has its mentions. */
export function placeIn({ fn, mentions }: PressureSummary, i: InstrId): string {
  const b = fn.instrBlock[i]!;
  return `bb.${fn.blocks[b]!.sourceNumber}:${mentions.position[i]! - fn.blockBegin[b]!}`;
}

/** The one thing that holds the occupancy, in a word; empty at the most that the processor can do. */
export function limiterText({ limiters }: OccupancyReport): string {
  switch (limiters[0]) {
    case OccupancyLimiter.SGPRs:
      return 'SGPR';
    case OccupancyLimiter.VGPRs:
      return 'VGPR';
    case OccupancyLimiter.WorkGroupSize:
      return 'workgroup size';
    case OccupancyLimiter.LDS:
      return 'LDS';
    case OccupancyLimiter.FunctionInfo:
      return 'occupancy in machineFunctionInfo';
    default:
      return '';
  }
}

/**
 * What a function works with where its pressure means nothing: `generic registers: banks sgpr 12 x 32 bit (estimate)`,
 * `allocated: VGPR 52 (52 of 64), SGPR 30: occupancy 4`. Empty where the pressure counts.
 */
export function usedRegistersText(use: UsedRegisters): string {
  switch (use.kind) {
    case 'virtual':
      return '';
    case 'generic': {
      const banks = use.banks.filter((b) => b.bank !== '').map((b) => `${b.bank} ${b.registers} x 32 bit`);
      const others = use.banks.filter((b) => b.bank === '').map((b) => `${b.registers} x 32 bit without bank`);
      const parts = [...(banks.length > 0 ? [`banks ${banks.join(', ')}`] : []), ...others];
      const how = use.banks.some((b) => b.isChosen && b.bank !== '') ? 'estimate, banks by divergence' : 'estimate';
      return `generic registers: ${parts.join(', ')} (${how})`;
    }
    case 'allocated':
      return `allocated: ${useText(use.limits, use.use)}`;
    case 'none':
      return 'no registers';
    case 'empty':
      return 'no code';
  }
}

/** What lives where a bank of generic registers has most, a row for each: `vgpr 12 x 32 bit: 4 s32, 2 p1, 1 <4 x s32>`; empty where the pressure counts. */
export function bankTypeRows(use: UsedRegisters): string[] {
  if (use.kind !== 'generic') return [];
  return use.banks.map(({ bank, registers, types }) => {
    const parts = types.map(([type, count]) => `${count} ${type === '' ? 'without type' : type}`);
    return `${bank === '' ? 'without bank' : bank} ${registers} x 32 bit: ${parts.join(', ')}`;
  });
}

type Excess = Pick<RegisterExcess, 'bank' | 'count' | 'most'>;

/** `44 VGPR too many (300 live of 256)`; empty where everything fits. */
export const tooManyText = (excess: readonly Excess[]): string =>
  excess.map(({ bank, count, most }) => `${count - most} ${bank} too many (${count} live of ${most})`).join(', ');

/** The same with what comes of it: `will spill: 44 VGPR too many (300 live of 256)`. */
export function excessText(excess: readonly (Excess & { readonly mayUseAGPRs?: boolean })[]): string {
  if (excess.length === 0) return '';
  const fate = excess.every((e) => e.mayUseAGPRs === true) ? 'will spill or use AGPRs' : 'will spill';
  return `${fate}: ${tooManyText(excess)}`;
}

/** `-3 VGPR`, `-3 VGPR, -2 SGPR`; empty when no number of registers brings a wave more. */
export function nextWaveText({ vgprStepUp, sgprStepUp }: OccupancyReport): string {
  const parts: string[] = [];
  if (vgprStepUp) parts.push(`-${vgprStepUp.registers} VGPR`);
  if (sgprStepUp) parts.push(`-${sgprStepUp.registers} SGPR`);
  return parts.join(', ');
}

/** `5 VGPR, 80 SGPR`: what may be added at the present occupancy; empty when nothing can lower it. */
export function roomText({ vgprStepDown, sgprStepDown }: OccupancyReport): string {
  const parts: string[] = [];
  if (vgprStepDown) parts.push(`${vgprStepDown.registers} VGPR`);
  if (sgprStepDown) parts.push(`${sgprStepDown.registers} SGPR`);
  return parts.join(', ');
}

export interface RegisterUse {
  /** what counts against the limit: both files together where they are one */
  readonly count: number;
  /** most registers for `waves` */
  readonly limit: number;
  readonly waves: number;
  /** most registers for one step more, null when there is none */
  readonly next: { readonly limit: number; readonly waves: number } | null;
}

/** VGPRs at an instruction against the limits of the waves that they allow. */
export function vgprUse(summary: PressureSummary, i: InstrId): RegisterUse {
  const { limits, up } = summary;
  const st = limits.subtarget;
  const dyn = limits.dynamicVGPRBlockSize;
  const vgpr = PressureSummary.count(up.at, Bank.VGPR, i);
  const agpr = PressureSummary.count(up.at, Bank.AGPR, i);
  const count = vgprsOfFile(summary, vgpr, agpr);
  const waves = Math.max(1, st.occupancyWithNumVGPRs(count, dyn));
  const next = waves < st.maxWavesPerEU ? st.maxNumVGPRs(waves + 1, dyn) : -1;
  return {
    count,
    limit: st.maxNumVGPRs(waves, dyn),
    waves,
    next: next > 0 && next < count ? { limit: next, waves: st.occupancyWithNumVGPRs(next, dyn) } : null,
  };
}

/** The same for SGPRs; null where no number of them costs a wave, as from gfx10 on. */
export function sgprUse({ limits, up }: PressureSummary, i: InstrId): RegisterUse | null {
  const st = limits.subtarget;
  const count = PressureSummary.count(up.at, Bank.SGPR, i);
  const waves = Math.min(st.maxWavesPerEU, Math.max(1, st.occupancyWithNumSGPRs(count)));
  if (st.occupancyWithNumSGPRs(st.addressableNumSGPRs) === st.occupancyWithNumSGPRs(0)) return null;
  const next = waves < st.maxWavesPerEU ? mostSGPRsFor(waves + 1, limits) : -1;
  return {
    count,
    limit: mostSGPRsFor(waves, limits),
    waves,
    next: next > 0 && next < count ? { limit: next, waves: st.occupancyWithNumSGPRs(next) } : null,
  };
}

/** ` of 72 for 7 waves (64 for 8: 3 too many)` */
export function limitText({ count, limit, waves, next }: RegisterUse): string {
  const tooMany = next ? ` (${next.limit} for ${next.waves}: ${count - next.limit} too many)` : '';
  return ` of ${limit} for ${plural(waves, 'wave')}${tooMany}`;
}

/** Where the registers that limit the occupancy are at their most: `VGPR in region 4 (bb.2)`, without the region where it is not known. */
export function limiterPlace(summary: PressureSummary, regionOf: (i: InstrId) => number): string {
  const { fn, occupancy } = summary;
  const limiter = limiterText(occupancy);
  const isVector = occupancy.limiters[0] === OccupancyLimiter.VGPRs;
  if (!isVector && occupancy.limiters[0] !== OccupancyLimiter.SGPRs) return limiter;
  let most = 0;
  let at = -1;
  for (const i of layoutOf(fn)) {
    const sgprs = PressureSummary.count(summary.up.at, Bank.SGPR, i);
    const n = isVector ? vectorCount(summary, i) : sgprs;
    if (n <= most) continue;
    most = n;
    at = i;
  }
  if (at < 0) return limiter;
  const block = `bb.${fn.blocks[fn.instrBlock[at]!]!.sourceNumber}`;
  const region = regionOf(at);
  return `${limiter} in ${region < 0 ? block : `region ${region} (${block})`}`;
}

/** Registers at an instruction that count against the limits of the vector file. */
export const vectorCount = (summary: PressureSummary, i: InstrId): number =>
  vgprsOfFile(
    summary,
    PressureSummary.count(summary.up.at, Bank.VGPR, i),
    PressureSummary.count(summary.up.at, Bank.AGPR, i),
  );

/** Registers of the vector file: the larger of both files, or their sum with the AGPRs aligned where they share one. */
function vgprsOfFile({ limits }: PressureSummary, vgpr: number, agpr: number): number {
  if (!limits.subtarget.hasGFX90AInsts) return Math.max(vgpr, agpr);
  return agpr === 0 ? vgpr : ((vgpr + 3) & ~3) + agpr;
}

/** `gfx90a wave64, LLVM 22.1.8 (amdgpu-print-rp)` */
export const sourceText = (summary: PressureSummary): string =>
  `${subtargetText(summary.limits.subtarget)}, LLVM ${summary.limits.subtarget.release.version} (amdgpu-print-rp)`;
