/** `-run-pass=si-fix-sgpr-copies` (SIFixSGPRCopies, LLVM 22). */
import { PassError, type MachinePass } from '../machinePass.js';
import { fixSgprCopies } from './fixSgprCopies.js';
import { Unmodelled } from './registerFacts.js';

export const fixSgprCopiesPass: MachinePass = {
  name: 'si-fix-sgpr-copies',
  pipelineName: 'si-fix-sgpr-copies',
  title: 'SI Fix SGPR copies',
  intervals: 'drops',
  run(fn) {
    try {
      return fixSgprCopies(fn.clone());
    } catch (error) {
      if (!(error instanceof Unmodelled)) throw error;
      throw new PassError(`llc: error: amdgpu-mir does not model ${error.message} in function '${fn.header.name}'.`);
    }
  },
};
