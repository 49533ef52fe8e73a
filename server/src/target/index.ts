/** The target layer's public face. */
export * from './api.js';
export * from './releases.js';
export { createSubtarget } from './subtarget.js';
export {
  listCpus,
  listFeatures,
  LLVM22,
  releaseOf,
  releaseWith,
  releaseWithOption,
  releaseWithout,
} from './release.js';
export { parseTriple } from './triple.js';
export * from './opcodes.js';
export { lacksOpcode } from './lackedOpcodes.js';
