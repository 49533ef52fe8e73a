/** Where the objects of a frame lie (PrologEpilogInserter.cpp, LLVM 22; docs/llvm/frame-lowering.md, 3). */
import { isStackRealigned } from '../../analysis/frame/framePointers.js';
import { STACK_ALIGN_BYTES } from '../../model/functionLimits.js';
import type { StackObject } from '../../model/header.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { roundUp } from '../../util/roundUp.js';
import type { Frame } from './frame.js';
import type { Scavenger } from './scavenger.js';

/**
 * Marks of calls go; what calls take of the stack in memory is known then.
 * @llvm PrologEpilogInserter.cpp PEIImpl::calculateCallFrameInfo
 * @llvm SIFrameLowering.cpp SIFrameLowering::eliminateCallFramePseudoInstr
 */
export function removeCallFrames(frame: Frame): void {
  const { fn, editor, tables, info } = frame;
  const marks = opcodeSet(tables, 'callFrame');
  const begin = tables.opcodeByName('ADJCALLSTACKUP');
  const isReserved = !frame.hasFP;
  let most = 0;
  for (let b = 0; b < fn.blocks.length; b++)
    for (let i = editor.list.first(b); i >= 0;) {
      const next = editor.list.after(i);
      if (marks.has(fn.opcode[i])) {
        const bytes = fn.imm(fn.opBegin[i]);
        most = Math.max(most, bytes);
        if (bytes !== 0 && !isReserved) {
          const by = roundUp(bytes, STACK_ALIGN_BYTES) * frame.scale * (fn.opcode[i] === begin ? 1 : -1);
          const sp = info.stackPtrOffsetReg;
          frame.dropSCC(
            frame.emit(i, i, 'S_ADD_I32', [
              { kind: 0, flags: 1, val: sp },
              { kind: 0, val: sp },
              { kind: 1, val: by | 0, ext: by < 0 ? -1 : 0 },
            ]),
          );
        }
        editor.erase(i);
      }
      i = next;
    }
  frame.frame.maxCallFrameSize = most;
}

/**
 * Whether the end of the frame is out of reach: emergency slots come first then.
 * @llvm SIFrameLowering.cpp SIFrameLowering::allocateScavengingFrameIndexesNearIncomingSP
 */
export function isFrameFar(frame: Frame): boolean {
  return !frame.fits(estimatedSize(frame) - 1);
}

/** @llvm MachineFrameInfo.cpp MachineFrameInfo::estimateStackSize */
function estimatedSize(frame: Frame): number {
  const { fixedStack, stack } = frame;
  let [end, maxAlign] = [0, Math.max(1, frame.frame.maxAlignment)];
  for (const o of fixedStack) if (o.stackId === 'default') end = Math.max(end, -Number(o.offset));
  for (const o of stack) {
    if (o.isDead === true || o.stackId !== 'default') continue;
    const align = Math.max(1, o.alignment);
    end = roundUp(end + Number(o.size), align);
    maxAlign = Math.max(maxAlign, align);
  }
  if (frame.frame.adjustsStack && !frame.hasFP) end += frame.frame.maxCallFrameSize;
  return roundUp(end, Math.max(stackAlign(frame), maxAlign));
}

/** What the size of the frame is a multiple of, objects aside. */
function stackAlign(frame: Frame): number {
  const isWhole =
    frame.frame.adjustsStack ||
    frame.stack.some((o) => o.type === 'variable-sized' && o.isDead !== true) ||
    (isStackRealigned(frame.fn.header) && frame.stack.length > 0);
  return isWhole ? STACK_ALIGN_BYTES : 1;
}

/**
 * `saveSlots`: those of callee-saved registers, which come first, from the last one down.
 * @llvm PrologEpilogInserter.cpp PEIImpl::calculateFrameObjectOffsets
 */
export function placeObjects(
  frame: Frame,
  saveSlots: { readonly first: number; readonly last: number } | null,
  scavenger: Scavenger | null,
): void {
  const { stack, fixedStack } = frame;
  const info = frame.frame;
  let maxAlign = Math.max(1, info.maxAlignment);
  let end = 0;
  for (const o of fixedStack) if (o.stackId === 'default') end = Math.max(end, Number(o.offset) + Number(o.size));
  const put = (slot: number): void => {
    const align = frame.alignOf(slot);
    maxAlign = Math.max(maxAlign, align);
    end = roundUp(end, align);
    if (slot < 0) return;
    frame.change(slot, { offset: BigInt(end) });
    end += Number(stack[slot].size);
  };
  const isPlaced = (slot: number): boolean => stack[slot].stackId === 'default' && stack[slot].isDead !== true;
  if (saveSlots !== null)
    for (let slot = saveSlots.last; slot >= saveSlots.first; slot--) if (isPlaced(slot)) put(slot);
  const isFar = isFrameFar(frame);
  const emergency = scavenger?.slots ?? [];
  if (isFar) emergency.forEach(put);
  const isLocal = ({ localOffset }: StackObject): boolean => info.usesLocalBlock === true && localOffset !== null;
  if (info.usesLocalBlock === true) {
    const align = Math.max(1, ...stack.filter(isLocal).map((o) => o.alignment));
    maxAlign = Math.max(maxAlign, align);
    end = roundUp(end, align);
    for (let slot = 0; slot < stack.length; slot++) {
      const { localOffset } = stack[slot];
      if (localOffset !== null) frame.change(slot, { offset: BigInt(end) + localOffset });
    }
    end += info.localFrameSize;
  }
  const [, protector] = /^%stack\.(\d+)/.exec(info.stackProtector) ?? [];
  const guard = protector === undefined ? -1 : Number(protector);
  if (guard >= 0 && isPlaced(guard) && !isLocal(stack[guard])) put(guard);
  for (let slot = 0; slot < stack.length; slot++) {
    if (saveSlots !== null && slot >= saveSlots.first && slot <= saveSlots.last) continue;
    if (!emergency.includes(slot) && slot !== guard && isPlaced(slot) && !isLocal(stack[slot])) put(slot);
  }
  if (!isFar) emergency.forEach(put);
  if (info.adjustsStack && !frame.hasFP) end += info.maxCallFrameSize;
  info.stackSize = BigInt(roundUp(end, Math.max(stackAlign(frame), maxAlign)));
}
