/** `-run-pass=si-fix-sgpr-copies` (SIFixSGPRCopies, LLVM 22). */
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { fixSgprCopies } from './fixSgprCopies.js';

/** @llvm SIFixSGPRCopies.cpp SIFixSGPRCopiesLegacy */
export const fixSgprCopiesPass: MachinePass = {
  name: 'si-fix-sgpr-copies',
  pipelineName: 'si-fix-sgpr-copies',
  className: 'SIFixSGPRCopiesPass',
  title: 'SI Fix SGPR copies',
  requires: [],
  preserves: [CFG],
  run: (state) => {
    state.replace(fixSgprCopies(state.columns()));
    if (state.fn.subtarget.release.rules.fixedCopiesMayBePhis) state.header.noPhis = false;
  },
};
