/** Registers that a run allocates. */
export type RunFilter = 'sgpr' | 'wwm' | 'vgpr' | 'all';
