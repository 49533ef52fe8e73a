/** The bundles of the command line, for the programs that start them: launch.ts and executable.ts. */
import { CHECK_WORKER, REDUCE_WORKER, SWEEP_WORKER } from './cli/workerCommands.js';

/** What a bundle gives to its program and to the build. */
export type Bundle = typeof import('./main.js') &
  typeof import('./llc.js') &
  typeof import('./check.js') &
  typeof import('./filecheck.js');

/** long.js: the passes that llc.js loads when it comes to one (passes/longPassesElsewhere.ts). */
export type BundleName = 'llc' | 'long' | 'check' | 'filecheck' | 'cli';

/** The `module` of a bundle, besides which it knows nothing of where it lies. */
export interface BundleModule {
  readonly exports: object;
  /** of a file that the build made */
  readText(file: string): string;
  /** What another bundle exports, which gets `shared`. */
  load(name: 'long', shared: unknown): object;
  /** from who loaded it */
  readonly shared: unknown;
}

/** Parameters of a CommonJS module, which a bundle is a function of. */
export type BundleFunction = (
  exports: object,
  require: NodeJS.Require,
  module: BundleModule,
  filename: string,
  dirname: string,
) => void;

/** llc.js holds an `llc` run, check.js `check`, `fmt`, `explain`, `sweep`, `diff`, `why`, `log`, `reduce`, `simplify` and `report`, filecheck.js `filecheck`, cli.js the rest: what is not there need not be loaded. */
export function bundleFor(command: string | undefined): Exclude<BundleName, 'long'> {
  switch (command) {
    case 'llc':
    case 'filecheck':
      return command;
    case 'check':
    case 'fmt':
    case CHECK_WORKER:
    case 'explain':
    case 'sweep':
    case 'diff':
    case 'why':
    case 'log':
    case 'reduce':
    case 'simplify':
    case 'report':
    case SWEEP_WORKER:
    case REDUCE_WORKER:
      return 'check';
    default:
      return 'cli';
  }
}
