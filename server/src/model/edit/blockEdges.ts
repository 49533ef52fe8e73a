/** Edges between blocks, kept on both sides: successors with their probabilities, predecessors in LLVM's order (MachineBasicBlock, LLVM 22). */
import type { BlockId, MachineBasicBlock, MachineFunction } from '../machineFunction.js';
import { normalizeProbabilities, probabilityAt, PROBABILITY_ONE, UNKNOWN_PROBABILITY } from '../probability.js';

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
 * An edge goes to another block; where there is one to it already, their probabilities add up.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::replaceSuccessor
 */
export function replaceSuccessor(fn: MachineFunction, from: BlockId, old: BlockId, to: BlockId): void {
  const block = fn.blocks[from];
  const at = block.successors.indexOf(old);
  if (old === to || at < 0) return;
  const other = block.successors.indexOf(to);
  if (other < 0) {
    block.successors = block.successors.map((s, k) => (k === at ? to : s));
    removePredecessor(fn, old, from);
    fn.blocks[to].predecessors = [...fn.blocks[to].predecessors, from];
    return;
  }
  if (block.probabilities[other] !== UNKNOWN_PROBABILITY) {
    const sum = Math.min(PROBABILITY_ONE, block.probabilities[other] + block.probabilities[at]);
    block.probabilities = block.probabilities.map((p, k) => (k === other ? sum : p));
  }
  removeSuccessor(fn, from, old);
}

/**
 * The edges of a block become those of another one, behind its own.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::transferSuccessors
 */
export function transferSuccessors(fn: MachineFunction, from: BlockId, to: BlockId): void {
  const { successors, probabilities } = fn.blocks[from];
  for (const [k, s] of successors.entries()) {
    addSuccessor(fn, to, s, probabilities[k]);
    removeSuccessor(fn, from, s);
  }
}

/** Edges of which no probability is known get one. */
export function shareProbabilities(block: MachineBasicBlock): void {
  block.probabilities = block.probabilities.map((_, k) => probabilityAt(block.probabilities, k));
}

/**
 * The probabilities of a block's edges add up to one again.
 * @llvm MachineBasicBlock.h MachineBasicBlock::normalizeSuccProbs
 */
export function normalizeSuccessors(fn: MachineFunction, b: BlockId): void {
  const block = fn.blocks[b];
  block.probabilities = [...block.probabilities];
  normalizeProbabilities(block.probabilities);
}
