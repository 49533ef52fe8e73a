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

/** The file of registers that matters most, as the function stands at one of llc's moments, in the order of that moment. */
export interface ProfileMoment {
  /** `as written`, `as scheduled`, `scheduled`, `as llc ends` */
  readonly name: string;
  /** 0-based line of each point in the file; -1: of an instruction that is not in it */
  readonly lines: readonly number[];
  /** by point: live values; once registers are allocated those in use */
  readonly values: readonly number[];
  /** first point at which the most is reached, -1 = none */
  readonly peak: number;
  readonly blocks: readonly ProfileMomentBlock[];
  /** `67 at line 121, bb.1:10, in a loop` */
  readonly most: string;
  /** who holds them there: `accumulators 64, loads in flight 12`; empty where registers are allocated */
  readonly held: string;
}

export interface ProfileMomentBlock {
  /** `bb.2` */
  readonly name: string;
  /** points [from, to) */
  readonly from: number;
  readonly to: number;
  readonly loopDepth: number;
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
  /** of the first of `series`; those moments that are known, in their order */
  readonly moments: readonly ProfileMoment[];
  readonly blocks: readonly ProfileBlock[];
  readonly regions: readonly ProfileRegion[];
  /** `occupancy 7 of 8, limited by VGPR; next wave: -3 VGPR` */
  readonly headline: string;
  /** why the numbers are of an earlier version, or absent; empty = they are those of the present text */
  readonly problem: string;
  /** block by block, for a bug report */
  readonly text: string;
}
