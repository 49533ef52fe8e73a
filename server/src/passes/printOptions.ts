/** `-print-before=PASS` and `-print-after=PASS` (docs/llvm/allocation-pipeline.md, 7). */
import type { OptionValue } from '../commandLine/optionSpec.js';
import { PassError } from './machinePass.js';

/** Names for -run-pass of the passes around which functions are printed. */
export interface PrintOptions {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
  /** Whether a function is among those that -filter-print-funcs names. */
  isShown(functionName: string): boolean;
}

/** Passes that run here beside those that a run names, without being any of ours: llc prints around them, too. */
const UNNAMED = ['slotindexes', 'machineverifier', 'stack-frame-layout'];

/** Null when nothing is printed. Throws PassError for what is not modelled. */
export function readPrintOptions(options: ReadonlyMap<string, OptionValue>, isPipeline: boolean): PrintOptions | null {
  const list = (name: string): string[] => {
    const given = options.get(name);
    return (Array.isArray(given) ? given : [given ?? '']).map(String).filter((word) => word !== '');
  };
  const names = (option: string): ReadonlySet<string> => {
    const given = list(option);
    const unnamed = given.find((name) => UNNAMED.includes(name));
    const why = isPipeline ? 'with -passes' : unnamed !== undefined ? 'for that pass' : null;
    if (given.length > 0 && why !== null)
      throw new PassError(`llc: error: amdgpu-mir does not model '-${option}=${given.join(',')}' ${why}.`);
    return new Set(given);
  };
  const [before, after] = [names('print-before'), names('print-after')];
  if (before.size === 0 && after.size === 0) return null;
  const shown = list('filter-print-funcs');
  return { before, after, isShown: (name) => shown.length === 0 || shown.includes('*') || shown.includes(name) };
}
