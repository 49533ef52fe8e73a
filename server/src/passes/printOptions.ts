/** `-print-before=PASS`, `-print-after=PASS` and those for all passes (docs/llvm/allocation-pipeline.md, 7). */
import type { OptionValue } from '../commandLine/optionSpec.js';
import { PassError } from './machinePass.js';

/** What is printed around the passes of a run. */
export interface PrintOptions {
  /** by the name of the pass for the pass manager that runs it */
  isPrintedBefore(pass: string): boolean;
  isPrintedAfter(pass: string): boolean;
  /** Whether a function is among those that -filter-print-funcs names. */
  isShown(functionName: string): boolean;
}

/** Null when nothing is printed. Throws PassError for what is not modelled. */
export function readPrintOptions(options: ReadonlyMap<string, OptionValue>, isPipeline: boolean): PrintOptions | null {
  const list = (name: string): string[] => {
    const given = options.get(name);
    return (Array.isArray(given) ? given : [given ?? '']).map(String).filter((word) => word !== '');
  };
  const isFor = (option: string): ((pass: string) => boolean) | null => {
    if (options.get(`${option}-all`) === true) return () => true;
    const names = new Set(list(option));
    return names.size === 0 ? null : (pass) => names.has(pass);
  };
  const [before, after] = [isFor('print-before'), isFor('print-after')];
  if (before === null && after === null) return null;
  if (isPipeline && options.get('print-module-scope') === true)
    throw new PassError("llc: error: amdgpu-mir does not model '-print-module-scope' with -passes.");
  const shown = list('filter-print-funcs');
  const never = (): boolean => false;
  return {
    isPrintedBefore: before ?? never,
    isPrintedAfter: after ?? never,
    isShown: (name) => shown.length === 0 || shown.includes('*') || shown.includes(name),
  };
}
