/** Settings of tests. */
import { DEFAULT_SETTINGS, type Settings } from '../../server/src/program/settings.js';

/** As 22.1.8 answers, whose llc is there to confirm it; `auto` would take the newest release for a file that says nothing. */
export const SETTINGS_OF_22: Settings = { ...DEFAULT_SETTINGS, model: 'llvm-22' };
