/**
 * `amdgpu-mark-last-scratch-load`: the last load from a spill slot says that it is the last, so that gfx12 need not keep the line (AMDGPUMarkLastScratchLoad, LLVM 22;
 * docs/llvm/allocation-spilling.md, 8).
 */
import type { LiveRange } from '../../analysis/edit/liveRange.js';
import { stackAccess } from '../../analysis/frame/spillCode.js';
import { Slot } from '../../analysis/slotIndexes.js';
import type { InstrId } from '../../model/machineFunction.js';
import { MemFlag } from '../../model/memOperand.js';
import { Generation } from '../../target/api.js';
import { allocationPass } from './allocationPass.js';
import type { AllocState } from './state.js';

/** @llvm AMDGPUMarkLastScratchLoad.cpp AMDGPUMarkLastScratchLoad::run */
function markLastLoads(state: AllocState): void {
  const { fn } = state;
  if (fn.subtarget.generation < Generation.GFX12) return;
  for (const [slot, { range }] of state.liveStacks)
    for (let s = 0; s < range.start.length; s++) {
      const i = lastLoad(state, range, s, slot);
      const memory = i < 0 ? undefined : fn.memOperands[i];
      if (memory === undefined || memory === null || memory.length === 0) continue;
      const [first, ...rest] = memory;
      fn.memOperands[i] = [{ ...first, flags: first.flags | MemFlag.LastUse }, ...rest];
    }
}

/** From the end of a segment back to its begin, or that of the block; -1 = no load. */
function lastLoad(state: AllocState, range: LiveRange, segment: number, slot: number): InstrId {
  const { slots, editor } = state;
  const { list } = editor;
  const end = range.end[segment];
  // The slot lives on at the end of the block.
  if ((end & 3) === Slot.Block) return -1;
  let at = slots.instrOf(end);
  // Where it was erased, from the one after it.
  if (at < 0) at = slots.instrOf(slots.nextInstr(end));
  const stop = slots.instrOf(range.start[segment]);
  for (let i = at; i >= 0 && i !== stop; i = list.before(i)) {
    const access = stackAccess(state, i);
    if (access !== null && !access.isSave && access.slot === slot) return i;
  }
  return -1;
}

/** @llvm AMDGPUMarkLastScratchLoad.cpp AMDGPUMarkLastScratchLoadLegacy */
export const markLastScratchLoadPass = allocationPass({
  name: 'amdgpu-mark-last-scratch-load',
  pipelineName: 'amdgpu-mark-last-scratch-load',
  className: 'AMDGPUMarkLastScratchLoadPass',
  title: 'AMDGPU Mark Last Scratch Load',
  work: markLastLoads,
});
