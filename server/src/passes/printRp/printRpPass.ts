/** `-run-pass=amdgpu-print-rp`: the register pressure report of each function on stderr (GCNRegPressurePrinter, LLVM 22). */
import { printRegisterPressure } from './printRegisterPressure.js';
import { InstrPrinter } from '../../model/printer/index.js';
import type { KnownIntervals } from '../../analysis/verifier/index.js';
import type { FunctionState } from '../functionState.js';
import { analysedCopy } from '../longPasses.js';
import type { MachinePass } from '../machinePass.js';
import { LIVE_INTERVALS } from '../passContext.js';

/** @llvm GCNRegPressure.cpp GCNRegPressurePrinter */
export const printRegisterPressurePass: MachinePass = {
  name: 'amdgpu-print-rp',
  pipelineName: null,
  title: '',
  requires: [LIVE_INTERVALS],
  preserves: 'all',
  isAnalysis: true,
  run(state, { isWatched }) {
    const { context } = state;
    if (isWatched && !state.has(LIVE_INTERVALS)) provideIntervals(state);
    const hasIntervals = state.has(LIVE_INTERVALS);
    // What live intervals change in the function (dead definitions, split registers) is the result of the pass.
    const fn = hasIntervals ? state.fn : state.columns();
    const downward = context.options.get('amdgpu-print-rp-downward') === true;
    let printer: InstrPrinter | null = null;
    const text = printRegisterPressure(fn, {
      downward,
      inPlace: true,
      hasIntervals,
      printInstr: (f, i) => {
        printer ??= new InstrPrinter(f, { standalone: true, debugNames: context.debugNames });
        return printer.printInstr(i);
      },
    });
    context.stderr(text);
  },
};

/**
 * The verifier shows intervals that were computed before definitions were marked dead and lanes undefined: computed again of what that leaves, they have
 * other values and fewer sub-ranges.
 */
function provideIntervals(state: FunctionState): void {
  const { fn, known } = analysedCopy(state.fn);
  state.replace(fn, known.intervals.editor);
  state.provide<KnownIntervals | null>(LIVE_INTERVALS, known);
}
