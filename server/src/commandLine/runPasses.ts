/** The passes that llc's -run-pass, -start-before and their like know. */
import { RUN_PASSES } from './generated/llcOptions.js';

/** As `none` does nothing, it is no registered pass; only -run-pass takes it. */
const NO_PASS = 'none';

export const isRunPass = (name: string): boolean =>
  name === NO_PASS || (/^[\w-]+$/.test(name) && RUN_PASSES().includes(`\n${name}\n`));

export const allRunPasses = (): string[] => RUN_PASSES().trim().split('\n');
