/** The blocks of the embedded IR that machine blocks are made of. */
import { successorsOf } from '../ir/analysis/functionFacts.js';
import type { BasicBlock, IRFunction } from '../ir/module.js';
import type { MachineBasicBlock } from '../model/machineFunction.js';

/**
 * Null where there is none.
 * @llvm MachineBasicBlock.h MachineBasicBlock::getBasicBlock
 */
export function irBlockOf(irFunction: IRFunction | null, block: MachineBasicBlock): BasicBlock | null {
  if (irFunction === null) return null;
  if (block.irName !== null) return irFunction.blockByName(block.irName);
  const [, slot] = /^%ir-block\.(\d+)$/.exec(block.irBlockRef ?? '') ?? [];
  return slot === undefined ? null : irFunction.blockBySlot(Number(slot));
}

/** So many blocks are looked at. */
const EXPLORED = 32;

/**
 * Whether control may come from one block to another; a walk that is too long says that it may.
 * @llvm CFG.cpp isPotentiallyReachable
 */
export function isPotentiallyReachable(from: BasicBlock, to: BasicBlock): boolean {
  const work = [from];
  const seen = new Set<BasicBlock>();
  for (let b = work.pop(); b !== undefined; b = work.pop()) {
    if (seen.has(b)) continue;
    seen.add(b);
    if (b === to || seen.size === EXPLORED) return true;
    work.push(...successorsOf(b));
  }
  return false;
}
