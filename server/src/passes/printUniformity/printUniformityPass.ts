/** `-run-pass=print-machine-uniformity`: which values differ between lanes, on stderr (MachineUniformityInfoPrinterPass, LLVM 22). */
import { isSingleLaneExecution } from '../../model/functionLimits.js';
import { InstrPrinter } from '../../model/printer/index.js';
import type { MachinePass } from '../machinePass.js';
import { UNIFORMITY } from '../uniformityAnalysis.js';
import { printUniformity } from './printUniformity.js';

/** @llvm MachineUniformityAnalysis.cpp MachineUniformityInfoPrinterPass */
export const printUniformityPass: MachinePass = {
  name: 'print-machine-uniformity',
  pipelineName: 'print<machine-uniformity>',
  className: 'MachineUniformityAnalysis',
  title: null,
  requires: [],
  preserves: 'all',
  isRequired: true,
  isForR600: true,
  run(state, { isPipeline }) {
    const { fn, context } = state;
    const printer = new InstrPrinter(fn, { standalone: true, debugNames: context.debugNames });
    // Only the new pass manager asks whether lanes can differ at all (docs/llvm/uniformity.md, section 5).
    const canDiverge = !isPipeline || !isSingleLaneExecution(fn.subtarget, fn.header.irFunction);
    context.stderr(printUniformity(canDiverge ? state.get(UNIFORMITY) : null, fn, printer));
  },
};
