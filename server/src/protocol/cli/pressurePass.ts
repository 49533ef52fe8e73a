/** `-run-pass=amdgpu-print-rp`: the register pressure report of each function on stderr (GCNRegPressurePrinter, LLVM 22). */
import { computeLiveIntervals } from '../../analysis/liveIntervals.js';
import { printRegisterPressure } from '../../analysis/printRegisterPressure.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import { InstrPrinter } from '../../model/printer/index.js';
import type { MachinePass } from './passes.js';

export const printRegisterPressurePass: MachinePass = {
  name: 'amdgpu-print-rp',
  pipelineName: null,
  options: [{ name: 'amdgpu-print-rp-downward', kind: 'flag' }],
  run(fn, context) {
    const downward = context.options.get('amdgpu-print-rp-downward') === true;
    let printer: InstrPrinter | null = null;
    let printedFn: MachineFunction | null = null;
    const text = printRegisterPressure(fn, {
      downward,
      printInstr: (f, i) => {
        if (printer === null || printedFn !== f) {
          printer = new InstrPrinter(f, { standalone: true, debugNames: context.debugNames });
          printedFn = f;
        }
        return printer.printInstr(i);
      },
    });
    context.stderr(text);
    // Computing live intervals marks dead definitions, and that shows when the function is printed afterwards.
    if (context.needsResult) computeLiveIntervals(fn, { edit: true });
    return fn;
  },
};
