/** The passes that help names. */
import { LONG_PASS_NAMES } from '../passes/longPassNames.js';
import { passNames } from '../passes/passes.js';

/** Names for -run-pass, also where the program is one without the long passes. */
export const passList = (): string[] => [...new Set([...passNames(), ...LONG_PASS_NAMES])];
