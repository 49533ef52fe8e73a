/** Blocks and cycles as LLVM writes them outside MIR files. */
import type { BlockId, MachineFunction } from '../../model/machineFunction.js';
import type { CycleInfo } from '../../util/cycles.js';

/** `bb.N` with the name of the IR block */
export function printBlock(fn: MachineFunction, b: BlockId): string {
  const { irName, irBlockRef } = fn.blocks[b];
  return `bb.${b}${irName !== null ? `.${irName}` : irBlockRef !== null ? ` (${irBlockRef})` : ''}`;
}

/**
 * `depth=D: entries(bb.1) bb.2`
 * @llvm GenericCycleInfo.h GenericCycle::print
 */
export function printCycle(fn: MachineFunction, cycles: CycleInfo, c: number): string {
  const entries = cycles.entries[c];
  const others = cycles.blocks[c].filter((b) => !entries.includes(b)).map((b) => ` ${printBlock(fn, b)}`);
  return `depth=${cycles.depth[c]}: entries(${entries.map((b) => printBlock(fn, b)).join(' ')})${others.join('')}`;
}
