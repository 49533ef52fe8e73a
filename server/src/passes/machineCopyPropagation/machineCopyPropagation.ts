/** `machine-cp`: copies of physical registers whose readers can do without them (docs/llvm/small-passes.md, 5). */
import { withCopiesPropagated } from '../../analysis/frame/copyPropagation.js';
import { reservedOf } from '../frozenRegisters.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';

/** @llvm MachineCopyPropagation.cpp MachineCopyPropagationLegacy */
export const machineCopyPropagationPass: MachinePass = {
  name: 'machine-cp',
  pipelineName: 'machine-cp',
  className: 'MachineCopyPropagationPass',
  title: 'Machine Copy Propagation Pass',
  requires: [],
  preserves: [CFG],
  run(state) {
    const { fn } = state;
    const changed = withCopiesPropagated(fn, null, reservedOf(state));
    if (changed !== fn) state.replace(changed);
  },
};
