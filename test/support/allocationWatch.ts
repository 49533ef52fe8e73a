/** A watch of register allocation that sees nothing, for tests that want one of its calls. */
import type { AllocationWatch } from '../../server/src/passes/regalloc/watch.js';

const noop = (): void => undefined;

export const NO_WATCH: AllocationWatch = {
  checkpoint: noop,
  passEnds: noop,
  runBegins: noop,
  picked: noop,
  settled: noop,
  failed: noop,
  evicts: noop,
  recolors: noop,
  splits: noop,
  spills: noop,
  rematerializes: noop,
  moves: noop,
  runEnds: noop,
};
