/** Blocks that are put between two of which the first has other successors and the second other predecessors. */
import { opcodeTraits, OpcodeTrait } from '../analysis/opcodeTraits.js';
import type { FunctionEditor } from '../model/edit/functionEditor.js';
import type { BlockId, MachineFunction } from '../model/machineFunction.js';
import { retargetBranches, type BlockEnds } from './blockEnds.js';

/** @llvm MachineBasicBlock.cpp MachineBasicBlock::canSplitCriticalEdge */
export function canSplitEdge(fn: MachineFunction, blockEnds: BlockEnds, from: BlockId, to: BlockId): boolean {
  if (fn.blocks[to].isLandingPad || fn.blocks[to].isInlineAsmBrIndirectTarget) return false;
  const ends = blockEnds.read(from);
  return ends !== null && (ends.target < 0 || ends.target !== ends.otherTarget);
}

/**
 * A block between two that can be split. What is known of lives is the caller's to change. Returns the block.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::SplitCriticalEdge
 */
export function splitCriticalEdge(editor: FunctionEditor, ends: BlockEnds, from: BlockId, to: BlockId): BlockId {
  const { fn } = editor;
  const traits = opcodeTraits(fn.tables);
  const next = editor.blockAfter(from);
  const location = ends.locationOf(from);
  const made = editor.insertBlock(from);
  fn.blocks[made].callFrameSize = fn.blocks[to].callFrameSize;
  retargetBranches(editor, from, to, made);
  const source = fn.blocks[from];
  source.successors = source.successors.map((s) => (s === to ? made : s));
  fn.blocks[made].predecessors = [from];
  const target = fn.blocks[to];
  target.predecessors = target.predecessors.filter((p) => p !== from);
  ends.update(from, next === to ? made : next);
  fn.blocks[made].successors = [to];
  fn.blocks[made].probabilities = [0x80000000];
  target.predecessors.push(made);
  if (editor.blockAfter(made) !== to) ends.insert(made, to, -1, null, location);
  for (let phi = editor.list.first(to); phi >= 0 && (traits[fn.opcode[phi]] & OpcodeTrait.Phi) !== 0;) {
    for (let o = fn.opBegin[phi] + 2; o < fn.opBegin[phi + 1]; o += 2) if (fn.opVal[o] === from) fn.opVal[o] = made;
    phi = editor.list.after(phi);
  }
  fn.blocks[made].liveIns = target.liveIns.map((l) => ({ ...l }));
  return made;
}
