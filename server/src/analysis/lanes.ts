/** Lanes of registers and of their parts as LLVM numbers them (LaneBitmask), all 64 of them in one number. */
import type { RegClassId, SubRegIdx, TargetTables } from '../target/api.js';

export const ALL_LANES = (1n << 64n) - 1n;

/** Lanes as LLVM numbers them (LaneBitmask): a bit for 16 bits of a register. */
export class Lanes {
  private readonly masks = new Map<SubRegIdx, { readonly mask: bigint; readonly shift: bigint }>();

  constructor(private readonly tables: TargetTables) {}

  private of(idx: SubRegIdx): { readonly mask: bigint; readonly shift: bigint } {
    let known = this.masks.get(idx);
    if (known === undefined) {
      const { subRegLaneLo, subRegLaneHi } = this.tables;
      const mask = (BigInt(subRegLaneHi[idx] >>> 0) << 32n) | BigInt(subRegLaneLo[idx] >>> 0);
      let shift = 0n;
      while (((mask >> shift) & 1n) === 0n) shift++;
      known = { mask, shift };
      this.masks.set(idx, known);
    }
    return known;
  }

  /** Lanes of a part; of the whole all. */
  mask(idx: SubRegIdx): bigint {
    return idx === 0 ? ALL_LANES : this.of(idx).mask;
  }

  /** Lanes of a part as lanes of the whole. */
  outward(idx: SubRegIdx, lanes: bigint): bigint {
    return idx === 0 ? lanes : (lanes << this.of(idx).shift) & ALL_LANES;
  }

  /** Lanes of the whole as lanes of a part. */
  inward(idx: SubRegIdx, lanes: bigint): bigint {
    if (idx === 0) return lanes;
    const { mask, shift } = this.of(idx);
    return (lanes & mask) >> shift;
  }
}

/** The two halves of a set of lanes as one number. */
export const joinedLanes = (lo: number, hi: number): bigint => (BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0);

/** The lanes of the registers of a class. */
export const lanesOfClass = ({ regClassLaneLo, regClassLaneHi }: TargetTables, rc: RegClassId): bigint =>
  joinedLanes(regClassLaneLo[rc], regClassLaneHi[rc]);
