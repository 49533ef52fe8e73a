/** Slots whose lives do not overlap share their place (StackSlotColoring of LLVM 22; docs/llvm/allocation-spilling.md, 6). */
import type { LiveRange } from '../../analysis/edit/liveRange.js';
import { OpFlag, OperandKind } from '../../model/machineFunction.js';
import type { StackObject } from '../../model/header.js';
import { stackAccess } from '../../analysis/frame/spillCode.js';
import type { AllocState } from './state.js';
import { CFG } from '../passContext.js';
import { allocationPass, DEBUG_VARIABLES, KEEPS_STATE } from './allocationPass.js';

const f32 = Math.fround;

/** @llvm StackSlotColoring.cpp StackSlotColoring::run */
function colorStackSlots(state: AllocState): void {
  const found = chooseColors(state);
  if (found === null) return;
  state.stack.splice(0, state.stack.length, ...found.stack);
  if (!found.hasMoved) return;
  rename(state, found.colorOf);
  if (state.options.dropsDeadStores) for (let b = 0; b < state.fn.blocks.length; b++) removeDeadStores(state, b);
}

interface Colors {
  readonly stack: readonly StackObject[];
  readonly colorOf: ReadonlyMap<number, number>;
  readonly hasMoved: boolean;
}

/**
 * @llvm StackSlotColoring.cpp StackSlotColoring::ColorSlots
 * @llvm StackSlotColoring.cpp StackSlotColoring::ColorSlot
 * @llvm StackSlotColoring.cpp StackSlotColoring::InitializeSlots
 */
function chooseColors(state: AllocState): Colors | null {
  const { liveStacks, options } = state;
  if (!options.ssc || state.fn.isOptNone || liveStacks.size === 0 || state.header.exposesReturnsTwice) return null;
  const weights = slotWeights(state);
  const order = [...liveStacks.keys()]
    .filter((s) => state.stack[s].isDead !== true)
    .sort((a, b) => a - b)
    .sort((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0));
  const colorOf = new Map<number, number>();
  const objects = new Map<number, StackObject>();
  const users = new Map<number, LiveRange[]>();
  const free = new Map<string, number[]>();
  for (const s of [...order].sort((a, b) => a - b)) {
    const id = state.stack[s].stackId;
    const list = free.get(id);
    if (list === undefined) free.set(id, [s]);
    else list.push(s);
  }
  const taken = new Map<string, number[]>();
  for (const s of order) {
    const own = state.stack[s];
    const { range } = liveStacks.get(s)!;
    const used = taken.get(own.stackId) ?? [];
    taken.set(own.stackId, used);
    let color = options.sharesSlots
      ? [...used].sort((a, b) => a - b).find((c) => users.get(c)!.every((u) => !u.overlaps(range)))
      : undefined;
    if (color === undefined) {
      color = free.get(own.stackId)!.shift()!;
      used.push(color);
      users.set(color, []);
      objects.set(color, { ...state.stack[color], size: own.size, alignment: own.alignment });
    } else {
      const object = objects.get(color)!;
      objects.set(color, {
        ...object,
        size: object.size > own.size ? object.size : own.size,
        alignment: Math.max(object.alignment, own.alignment),
      });
    }
    users.get(color)!.push(range);
    colorOf.set(s, color);
  }
  const stack = [...state.stack];
  for (const [c, object] of objects) stack[c] = object;
  const hasMoved = [...colorOf].some(([s, c]) => s !== c);
  if (hasMoved)
    for (const [id, list] of free)
      for (const s of list) if (stack[s].stackId === id) stack[s] = { ...stack[s], isDead: true };
  return { stack, colorOf, hasMoved };
}

/** @llvm StackSlotColoring.cpp StackSlotColoring::ScanForSpillSlotRefs */
function slotWeights(state: AllocState): Map<number, number> {
  const { fn, editor } = state;
  const weights = new Map<number, number>();
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      if (state.isDebugInstr(i)) continue;
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.FrameIndex || !state.liveStacks.has(fn.opVal[o])) continue;
        weights.set(fn.opVal[o], f32((weights.get(fn.opVal[o]) ?? 0) + state.spillWeightOf(1, b)));
      }
    }
  }
  return weights;
}

/** @llvm StackSlotColoring.cpp StackSlotColoring::RewriteInstruction */
function rename(state: AllocState, colorOf: ReadonlyMap<number, number>): void {
  const { fn, editor } = state;
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
        if (fn.opKind[o] === OperandKind.FrameIndex) fn.opVal[o] = colorOf.get(fn.opVal[o]) ?? fn.opVal[o];
      const memory = fn.memOperands[i];
      if (memory?.some((m) => m.pointer.kind === 'frameIndex') !== true) continue;
      fn.memOperands[i] = memory.map((m) =>
        m.pointer.kind === 'frameIndex'
          ? { ...m, pointer: { kind: 'frameIndex', index: colorOf.get(m.pointer.index) ?? m.pointer.index } }
          : m,
      );
    }
  }
}

/**
 * A value that is loaded and saved to the same place again.
 * @llvm StackSlotColoring.cpp StackSlotColoring::RemoveDeadStores
 */
function removeDeadStores(state: AllocState, b: number): void {
  const { fn, editor, lis } = state;
  const { list } = editor;
  for (let i = list.first(b); i >= 0;) {
    let next = list.after(i);
    const load = stackAccess(state, i);
    if (load !== null && !load.isSave) {
      while (next >= 0 && state.isDebugInstr(next)) next = list.after(next);
      const save = next < 0 ? null : stackAccess(state, next);
      if (save !== null && save.isSave && save.reg === load.reg && save.slot === load.slot) {
        const behind = list.after(next);
        const isKill = (fn.opFlags[fn.opBegin[next]] & OpFlag.Kill) !== 0;
        lis.erase(next);
        if (isKill) lis.erase(i);
        next = behind;
      }
    }
    i = next;
  }
}

/** @llvm StackSlotColoring.cpp StackSlotColoringLegacy */
export const stackSlotColoringPass = allocationPass({
  name: 'stack-slot-coloring',
  pipelineName: 'stack-slot-coloring',
  className: 'StackSlotColoringPass',
  title: 'Stack Slot Coloring',
  isWithoutIntervals: 'slot indexes',
  preserves: [...KEEPS_STATE, CFG, DEBUG_VARIABLES],
  work: colorStackSlots,
});
