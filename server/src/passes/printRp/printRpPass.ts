/** `-run-pass=amdgpu-print-rp`: the register pressure report of each function on stderr (GCNRegPressurePrinter, LLVM 22). */
import { printRegisterPressure } from './printRegisterPressure.js';
import { InstrPrinter } from '../../model/printer/index.js';
import type { MachinePass } from '../machinePass.js';

export const printRegisterPressurePass: MachinePass = {
  name: 'amdgpu-print-rp',
  pipelineName: null,
  title: '',
  intervals: 'computes',
  run(fn, context, hasIntervals) {
    const downward = context.options.get('amdgpu-print-rp-downward') === true;
    let printer: InstrPrinter | null = null;
    // The pass owns the function: what live intervals change in it (dead definitions, split registers) is its result.
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
    return fn;
  },
};
