/** Edges between blocks, kept on both sides: successors with their probabilities, predecessors in LLVM's order (MachineBasicBlock, LLVM 22). */
import type { BlockId, MachineBasicBlock, MachineFunction } from '../machineFunction.js';
import { PROBABILITY_ONE, UNKNOWN_PROBABILITY } from '../probability.js';

/** Takes a block out of the predecessors of another one. */
export function removePredecessor(fn: MachineFunction, block: BlockId, from: BlockId): void {
  const { predecessors } = fn.blocks[block];
  const at = predecessors.indexOf(from);
  if (at >= 0) predecessors.splice(at, 1);
}

/**
 * Takes an edge out; the probabilities of the others stay as they are.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::removeSuccessor
 */
export function removeSuccessor(fn: MachineFunction, from: BlockId, to: BlockId): void {
  const block = fn.blocks[from];
  const at = block.successors.indexOf(to);
  if (at < 0) return;
  block.successors = block.successors.filter((_, k) => k !== at);
  block.probabilities = block.probabilities.filter((_, k) => k !== at);
  removePredecessor(fn, to, from);
}

/**
 * An edge more, with a probability that is not known.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::addSuccessor
 */
export function addSuccessor(fn: MachineFunction, from: BlockId, to: BlockId, probability = UNKNOWN_PROBABILITY): void {
  const block = fn.blocks[from];
  block.successors = [...block.successors, to];
  block.probabilities = [...block.probabilities, probability];
  fn.blocks[to].predecessors = [...fn.blocks[to].predecessors, from];
}

/**
 * The probability of an edge; edges of which none is known share what the others leave.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::getSuccProbability
 */
export function successorProbability({ probabilities }: MachineBasicBlock, at: number): number {
  if (probabilities[at] !== UNKNOWN_PROBABILITY) return probabilities[at];
  const known = probabilities.filter((p) => p !== UNKNOWN_PROBABILITY);
  const left = Math.max(0, PROBABILITY_ONE - known.reduce((sum, p) => sum + p, 0));
  return Math.floor(left / (probabilities.length - known.length));
}

/**
 * An edge leads to another block; where there is one to it already, the two become one.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::replaceSuccessor
 */
export function replaceSuccessor(fn: MachineFunction, from: BlockId, old: BlockId, to: BlockId): void {
  const block = fn.blocks[from];
  const known = block.successors.indexOf(to);
  if (known < 0) {
    removePredecessor(fn, old, from);
    block.successors = block.successors.map((s) => (s === old ? to : s));
    fn.blocks[to].predecessors = [...fn.blocks[to].predecessors, from];
    return;
  }
  const probability = block.probabilities[block.successors.indexOf(old)];
  if (block.probabilities[known] !== UNKNOWN_PROBABILITY)
    block.probabilities = block.probabilities.map((p, k) => (k === known ? p + probability : p));
  removeSuccessor(fn, from, old);
}
