/** The machine verifier as a pass of its own: it says what it finds, and llc ends then. */
import type { MachinePass } from '../machinePass.js';
import { LIVE_INTERVALS } from '../passContext.js';
import { verifyState } from '../verifyState.js';

/** @llvm MachineVerifier.cpp MachineVerifierLegacyPass */
export const machineVerifierPass: MachinePass = {
  name: 'machineverifier',
  pipelineName: 'verify',
  title: 'Verify generated machine code',
  requires: [],
  preserves: 'all',
  run(state) {
    const { verify } = state.context;
    if (verify !== undefined) verifyState(state, state.known(LIVE_INTERVALS), verify, '');
  },
};
