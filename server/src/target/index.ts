/** The target layer's public face. */
export * from './api.js';
export { ARCH_VGPR_ALLOC_GRANULE, createSubtarget } from './subtarget.js';
export { listCpus, listFeatures } from './features.js';
export { targetTables } from './tables.js';
export { parseTriple, type TripleInfo } from './triple.js';
export * from './opcodes.js';
