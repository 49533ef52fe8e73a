/** `greedy` (RAGreedy) and `virtregrewriter` (VirtRegRewriter, LLVM 22): registers are assigned, and put into the code. */
import { PassError, type MachinePass } from '../machinePass.js';
import { CFG, LIVE_INTERVALS } from '../passContext.js';
import { allocationPass, KEEPS_ALLOCATION } from './allocationPass.js';
import { takeDebugValues } from './debug/variables.js';
import { GreedyRun } from './greedy.js';
import { rewriteRegisters } from './rewriter.js';
import type { RunFilter } from './runFilter.js';

const FILTERS: ReadonlyMap<string, RunFilter> = new Map([
  ['', 'all'],
  ['all', 'all'],
  ['sgpr', 'sgpr'],
  ['wwm', 'wwm'],
  ['vgpr', 'vgpr'],
]);

/** Models of advisors that this llc is built without: it says so once, allocates by its own rules, and ends with an error. */
const ADVISORS: readonly (readonly [option: string, message: string])[] = [
  ['regalloc-enable-advisor', 'Requested regalloc eviction advisor analysis could not be created. Using default'],
  ['regalloc-enable-priority-advisor', 'Requested regalloc priority advisor analysis could be created. Using default'],
];

/** @llvm RegAllocGreedy.cpp RAGreedyLegacy */
export const greedyPass: MachinePass = allocationPass({
  name: 'greedy',
  pipelineName: 'greedy',
  className: 'RAGreedyPass',
  title: 'Greedy Register Allocator',
  isRequired: true,
  properties: { cleared: ['isSSA'] },
  checkParameters: (filter) => (FILTERS.has(filter) ? null : `invalid regallocgreedy register filter '${filter}'`),
  prepare({ options, error }) {
    for (const [name, message] of ADVISORS)
      if (/^(?:release|development)$/.test(String(options.get(name)))) error(message);
  },
  prepareState: (state, { context }) => takeDebugValues(state, context.ir),
  work(state, { parameters }, { context }) {
    context.onLimits?.(state.fn, 'reservedRegs');
    state.matrix = new GreedyRun(state, FILTERS.get(parameters) ?? 'all', state.matrix).run();
    state.kept.isAssigned = true;
  },
});

const NO_CLEAR = 'no-clear-vregs';

/** @llvm VirtRegMap.cpp VirtRegRewriterLegacy */
export const rewriterPass: MachinePass = allocationPass({
  name: 'virtregrewriter',
  pipelineName: 'virt-reg-rewriter',
  className: 'VirtRegRewriterPass',
  title: 'Virtual Register Rewriter',
  isRequired: true,
  // After a rewriter that clears the virtual registers nothing is left of the allocation.
  preserves: ({ parameters }) => (parameters === NO_CLEAR ? KEEPS_ALLOCATION : [LIVE_INTERVALS, CFG]),
  checkParameters: (given) =>
    /^(?:no-)?clear-vregs$|^$/.test(given)
      ? null
      : `invalid VirtRegRewriter pass parameter '${given.replace(/^no-/, '')}'`,
  prepareState: (state, { context }) => takeDebugValues(state, context.ir),
  work(state, { parameters }) {
    // A rewriter with nothing allocated leaves the code as it is; one whose allocation stands before other passes would have to have that.
    if (state.matrix === null && state.kept.isAssigned)
      throw new PassError("llc: error: amdgpu-mir does not model other passes between 'greedy' and 'virtregrewriter'.");
    rewriteRegisters(state, parameters !== NO_CLEAR);
    state.matrix = null;
    state.kept.isAssigned = false;
  },
});
