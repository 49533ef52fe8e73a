/** Loops and frequencies of blocks, in the forms in which allocation asks for them. */
import { computeBlockFrequencies } from '../../analysis/blockFrequency.js';
import type { LoopInfo } from '../../analysis/loops.js';
import type { MachineBasicBlock } from '../../model/machineFunction.js';
import { FrequencyTable } from './frequency.js';

/** Of the blocks as they are. */
export class BlockFrequencies {
  /** by block, 64 bits */
  readonly freq: readonly bigint[];
  /** the same as numbers */
  readonly table: FrequencyTable;
  readonly entry: bigint;
  /** beside that of the entry, as the spill weights take them */
  readonly relative: Float64Array;

  constructor(
    blocks: readonly MachineBasicBlock[],
    readonly loops: LoopInfo,
  ) {
    this.freq = computeBlockFrequencies(blocks, loops);
    this.table = new FrequencyTable(this.freq);
    this.entry = this.freq[0] ?? 1n;
    this.relative = Float64Array.from(this.freq, (f) => Number(f) / Number(this.entry));
  }
}
