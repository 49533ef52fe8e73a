/** What rematerializations do to the pressure of regions and to the occupancy of the function. */
import { Bank } from '../../../../analysis/summary.js';

export const BANKS = [Bank.SGPR, Bank.VGPR, Bank.AGPR] as const;

/** Greatest pressure of a region before and after, by Bank, in 32-bit registers. */
export interface RegionChange {
  readonly region: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export interface RematEffect {
  /** waves per EU */
  readonly occupancyBefore: number;
  readonly occupancyAfter: number;
  /** greatest pressure of the function, by Bank */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** regions whose greatest pressure changes, ascending */
  readonly regions: readonly RegionChange[];
}

/** More waves, or less pressure somewhere and no more of it anywhere. */
export function isGain(effect: RematEffect): boolean {
  const { occupancyBefore, occupancyAfter, regions } = effect;
  if (occupancyBefore !== occupancyAfter) return occupancyBefore < occupancyAfter;
  let isLess = false;
  for (const r of regions) {
    for (const bank of BANKS) {
      if (r.after[bank] > r.before[bank]) return false;
      if (r.after[bank] < r.before[bank]) isLess = true;
    }
  }
  return isLess;
}
