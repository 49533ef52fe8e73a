/** `stack-coloring`: stack objects that are never in use at the same time become one (StackColoring.cpp, LLVM 22; docs/llvm/frame-lowering.md, 11). */
import type { OptionValue } from '../../commandLine/optionSpec.js';
import type { StackObject } from '../../model/header.js';
import type { MachinePass } from '../machinePass.js';
import { SLOT_INDEXES, type AnalysedFunction } from '../passContext.js';
import { remapSlots } from './remapSlots.js';
import { isLiveAt, joinRanges, SlotLifetimes } from './slotLifetimes.js';

/** Bytes of a stack for which it is not worth the while */
const SMALL_STACK = 16;

/** @llvm StackColoring.cpp StackColoringLegacy */
export const stackColoringPass: MachinePass = {
  name: 'stack-coloring',
  pipelineName: 'stack-coloring',
  className: 'StackColoringPass',
  title: 'Merge disjoint stack slots',
  requires: [SLOT_INDEXES],
  preserves: [],
  run(state) {
    const { stack } = state.fn.header;
    const { isOptNone, subtarget } = state.fn;
    if (stack.length === 0 || (isOptNone && !subtarget.release.rules.dropsMarkersOfOptNone)) return;
    const editor = state.editor();
    const { options } = state.context;
    const isOn = (value: OptionValue | undefined, byDefault: boolean): boolean =>
      value === undefined ? byDefault : value === true;
    const lifetimes = new SlotLifetimes(editor, stack.length, {
      startsOnFirstUse: isOn(options.get('stackcoloring-lifetime-start-on-first-use'), true),
      protectsEscaped: options.get('protect-from-escaped-allocas') === true,
    });
    const { markers } = lifetimes;
    const bytes = stack.reduce((sum, { size, isDead }) => sum + (isDead === true ? -1n : size), 0n);
    const isWorthIt = markers.length > 1 && bytes >= SMALL_STACK && options.get('no-stack-coloring') !== true;
    if (isWorthIt && !isOptNone) mergeSlots(state, lifetimes);
    for (const i of markers) editor.erase(i);
  },
};

/** @llvm StackColoring.cpp StackColoring::run */
function mergeSlots(state: AnalysedFunction, lifetimes: SlotLifetimes): void {
  const { stack } = state.fn.header;
  lifetimes.compute();
  const { ranges, starts } = lifetimes;
  const order = stack
    .map((_, slot) => slot)
    .filter((slot) => ranges[slot].length > 0)
    .sort((a, b) => Number(stack[b].size - stack[a].size));
  const mergedInto = new Map<number, number>();
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const [k, first] of order.entries()) {
      if (mergedInto.has(first)) continue;
      for (const second of order.slice(k + 1)) {
        if (mergedInto.has(second) || stack[first].stackId !== stack[second].stackId) continue;
        if (isLiveAt(ranges[first], starts[second]) || isLiveAt(ranges[second], starts[first])) continue;
        hasChanged = true;
        ranges[first] = joinRanges(ranges[first], ranges[second]);
        starts[first] = [...starts[first], ...starts[second]].sort((a, b) => a - b);
        mergedInto.set(second, first);
        const alignment = Math.max(stack[first].alignment, stack[second].alignment);
        stack[first] = { ...stack[first], alignment };
        stack[second] = { ...stack[second], isDead: true } satisfies StackObject;
      }
    }
  }
  if (mergedInto.size === 0) return;
  for (const [from, to] of mergedInto) {
    let last = to;
    for (let next = mergedInto.get(last); next !== undefined; next = mergedInto.get(last)) last = next;
    mergedInto.set(from, last);
  }
  remapSlots(state, mergedInto, lifetimes);
}
