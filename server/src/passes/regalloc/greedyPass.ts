/** `greedy` (RAGreedy) and `virtregrewriter` (VirtRegRewriter, LLVM 22): registers are assigned, and put into the code. */
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { allocationPass, KEEPS_ALLOCATION, KEEPS_STATE, LIVE_STACKS } from './allocationPass.js';
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
  takesDebugValues: true,
  work(state, { parameters }, { context }) {
    context.onLimits?.(state.fn, 'reservedRegs');
    new GreedyRun(state, FILTERS.get(parameters) ?? 'all').run();
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
  preserves: ({ parameters }) => (parameters === NO_CLEAR ? KEEPS_ALLOCATION : [...KEEPS_STATE, CFG, LIVE_STACKS]),
  checkParameters: (given) =>
    /^(?:no-)?clear-vregs$|^$/.test(given)
      ? null
      : `invalid VirtRegRewriter pass parameter '${given.replace(/^no-/, '')}'`,
  takesDebugValues: true,
  work(state, { parameters }) {
    rewriteRegisters(state, parameters !== NO_CLEAR);
    state.map.matrix = null;
  },
});
