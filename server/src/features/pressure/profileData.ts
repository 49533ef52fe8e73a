/** What `amdgpuMir/pressureProfile` answers; the page of the pressure view reads it, too. */

/** Registers of one bank, or of the whole vector file, along the function. */
export interface ProfileSeries {
  /** `VGPR`, `SGPR`, `AGPR`, `VGPR + AGPR` */
  readonly name: string;
  /** by point */
  readonly values: readonly number[];
  /** first point at which the most is reached, -1 = none is ever live */
  readonly peak: number;
  /** most registers for a number of waves per EU, ascending in waves; empty where the bank cannot cost a wave */
  readonly limits: readonly { readonly waves: number; readonly registers: number }[];
}

export interface ProfileBlock {
  /** `bb.2` */
  readonly name: string;
  /** points [from, to) */
  readonly from: number;
  readonly to: number;
  /** 0-based line of the label */
  readonly line: number;
}

export interface ProfileRegion {
  /** number, as the scheduler counts */
  readonly region: number;
  /** points [from, to) */
  readonly from: number;
  readonly to: number;
}

/** A register file once registers are allocated. */
export interface AllocatedFile {
  /** `VGPR`, `SGPR`, `AGPR` */
  readonly name: string;
  /** by point: registers in use, the highest of them plus one, and most free ones side by side below it */
  readonly used: readonly number[];
  readonly reach: readonly number[];
  readonly widestGap: readonly number[];
  /** 32-bit registers of the widest one in the code */
  readonly widestTuple: number;
  /** in words */
  readonly text: string;
}

export interface PressureProfile {
  readonly function: string;
  readonly version: number;
  /** `gfx90a wave64` */
  readonly target: string;
  readonly llvm: string;
  /** targets of the RUN lines, and which is active (-1 = none of them) */
  readonly targets: readonly string[];
  readonly activeTarget: number;
  /** 0-based line of each point; points are the instructions in layout order, bundles as one */
  readonly lines: readonly number[];
  readonly series: readonly ProfileSeries[];
  /** what llc's allocator makes of it; empty where that is not known, `allocatedNote` says why */
  readonly allocated: readonly AllocatedFile[];
  readonly allocatedNote: string;
  readonly blocks: readonly ProfileBlock[];
  readonly regions: readonly ProfileRegion[];
  /** `occupancy 7 of 8, limited by VGPR; next wave: -3 VGPR` */
  readonly headline: string;
  /** why the numbers are of an earlier version, or absent; empty = they are those of the present text */
  readonly problem: string;
  /** block by block, for a bug report */
  readonly text: string;
}
