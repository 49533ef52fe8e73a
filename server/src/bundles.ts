/** The bundles of the command line, for the programs that start them: launch.ts and executable.ts. */
import { CHECK_WORKER } from './cli/workerCommands.js';
import { LONG_PASS_NAMES } from './passes/longPassNames.js';

/** What a bundle gives to its program and to the build. */
export type Bundle = typeof import('./main.js') &
  typeof import('./llc.js') &
  typeof import('./check.js') &
  typeof import('./filecheck.js');

export type BundleName = 'llc' | 'check' | 'filecheck' | 'cli';

/** Parameters of a CommonJS module, which a bundle is a function of. */
export type BundleFunction = (
  exports: object,
  require: NodeJS.Require,
  module: object,
  filename: string,
  dirname: string,
) => void;

/** llc.js holds an `llc` run without the scheduler and the allocator, check.js `check` and `explain`, filecheck.js `filecheck`, cli.js the rest: what is not there need not be loaded. */
export function bundleFor(args: readonly string[]): BundleName {
  switch (args[0]) {
    case 'llc':
      return isLongRun(args) ? 'cli' : 'llc';
    case 'check':
    case CHECK_WORKER:
    case 'explain':
      return 'check';
    case 'filecheck':
      return 'filecheck';
    default:
      return 'cli';
  }
}

function isLongRun(args: readonly string[]): boolean {
  const names = (word: string): boolean => args.some((a) => a.includes(word));
  // Who reads a response file would have to read it twice.
  if (LONG_PASS_NAMES.some(names) || args.some((a) => /^--?st(?:art|op)-|^@/.test(a))) return true;
  // The verifier after the printer, and who prints around passes, look at live intervals.
  return (names('verify-machineinstrs') && names('amdgpu-print-rp')) || names('print-before') || names('print-after');
}
