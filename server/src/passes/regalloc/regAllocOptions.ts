/** llc's options of register allocation, and those with which other passes allocate than these. */
import type { OptionValue } from '../../commandLine/optionSpec.js';
import { passesLeftOut } from '../codegenPipeline.js';
import { PassError } from '../machinePass.js';
import { DEFAULT_OPTIONS, SplitMode, type RegAllocOptions } from './state.js';

const OTHER_ALLOCATOR = 'the greedy register allocator is the only one here';
const NO_OPTIMIZATION = 'without optimization llc runs the fast register allocator';

/** Options with which the pipeline has other passes than those modelled: all values but the harmless ones, and why. */
const REFUSED: readonly (readonly [name: string, why: string, ...harmless: string[]])[] = [
  ['sgpr-regalloc', OTHER_ALLOCATOR, 'default', 'greedy'],
  ['wwm-regalloc', OTHER_ALLOCATOR, 'default', 'greedy'],
  ['vgpr-regalloc', OTHER_ALLOCATOR, 'default', 'greedy'],
  ['optimize-regalloc', NO_OPTIMIZATION, 'true', 'unset', ''],
  ['O', NO_OPTIMIZATION, '1', '2', '3', ''],
];

/** Throws PassError for what would run other passes. */
export function refuseOtherAllocators(options: ReadonlyMap<string, OptionValue>): void {
  for (const [name, why, ...harmless] of REFUSED) {
    const given = options.get(name);
    if (given !== undefined && !harmless.includes(String(given)))
      throw new PassError(
        `llc: error: amdgpu-mir does not model '-${name}=${String(given)}' in register allocation: ${why}.`,
      );
  }
}

const SPLIT_MODES: Readonly<Record<string, SplitMode>> = {
  default: SplitMode.Partition,
  size: SplitMode.Size,
  speed: SplitMode.Speed,
};

export function regAllocOptions(options: ReadonlyMap<string, OptionValue>): RegAllocOptions {
  const number = (name: string, byDefault: number): number => {
    const given = options.get(name);
    return given === undefined ? byDefault : Number(given);
  };
  const d = DEFAULT_OPTIONS;
  return {
    stress: number('stress-regalloc', d.stress),
    csrFirstTimeCost: options.has('regalloc-csr-first-time-cost') ? number('regalloc-csr-first-time-cost', 0) : null,
    evictionCutoff: number('regalloc-eviction-max-interference-cutoff', d.evictionCutoff),
    recolorDepth: number('lcr-max-depth', d.recolorDepth),
    recolorInterference: number('lcr-max-interf', d.recolorInterference),
    isExhaustive: options.get('exhaustive-register-search') === true,
    hintSplitThreshold: number('split-threshold-for-reg-with-hint', d.hintSplitThreshold),
    growBudget: number('grow-region-complexity-budget', d.growBudget),
    hugeSize: number('huge-size-for-split', d.hugeSize),
    spillsSGPRsToVGPRs: options.get('amdgpu-spill-sgpr-to-vgpr') !== false,
    spillsVGPRsToAGPRs: options.get('amdgpu-spill-vgpr-to-agpr') !== false,
    numVGPRsForWWM: number('amdgpu-num-vgprs-for-wwm-alloc', d.numVGPRsForWWM),
    branchFactor: number('amdgpu-long-branch-factor', d.branchFactor),
    branchBits: number('amdgpu-s-branch-bits', d.branchBits),
    sharesSlots: options.get('no-stack-slot-sharing') !== true,
    ssc: options.get('disable-ssc') !== true,
    // llc counts what went in a statistic that a release does not keep: it stays 0.
    dropsDeadStores: number('ssc-dce-limit', -1) === -1 || number('ssc-dce-limit', -1) > 0,
    splitMode: SPLIT_MODES[String(options.get('split-spill-mode') ?? '')] ?? d.splitMode,
    knowsLoopIVs: options.get('enable-split-loopiv-heuristic') !== false,
    classTrumpsGlobal: options.get('greedy-regclass-priority-trumps-globalness') === true,
    reversesLocals: options.get('greedy-reverse-local-assignment') === true,
    goesByNumber: options.get('regalloc-enable-priority-advisor') === 'dummy',
    maxClause: number('amdgpu-max-memory-clause', d.maxClause),
    leftOut: passesLeftOut(options),
    preallocatesLanes: options.get('amdgpu-prealloc-sgpr-spill-vgprs') === true,
    costs: d.costs,
  };
}
