/** What the stage that gives matrix instructions AGPR destinations decided by, as plain data. */
export interface MfmaRewriteReport {
  /** matrix instructions in VGPR form, by id */
  readonly candidates: readonly number[];
  /** regions above the addressable VGPRs, with the registers that would spill */
  readonly regions: readonly { readonly region: number; readonly spillsBefore: number; readonly spillsAfter: number }[];
  /** copies between VGPRs and AGPRs that the rewriting needs */
  readonly copies: number;
  /** weighted by block frequency relative to the entry; below 0 = fewer spills */
  readonly spillCost: number;
  readonly copyCost: number;
  readonly rewritten: boolean;
}
