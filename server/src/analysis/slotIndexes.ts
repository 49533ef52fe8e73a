/**
 * Slot indexes: a total order of the places in a function at which registers become live or dead.
 * Follows SlotIndexes (LLVM 22): every block and every instruction that is neither a debug instruction, a pseudo probe
 * nor inside a bundle gets an index, 16 apart; each index has four slots.
 *
 * A slot is a plain integer: index + Slot. LLVM prints it as the index and one letter (`16r`).
 */
import { BundleFlag, type BlockId, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import type { Id } from '../util/id.js';
import { OpcodeTrait, opcodeTraits } from './opcodeTraits.js';

/** An index of ours plus a `Slot`. */
export type SlotIndex = Id<'slotIndex'>;

export const enum Slot {
  /** just before the instruction; also the start of a block */
  Block = 0,
  EarlyClobber = 1,
  /** ordinary uses end and ordinary defs begin here */
  Register = 2,
  /** end of a def that is never read */
  Dead = 3,
}

/** Distance of two neighbouring indexes. */
export const INSTR_DIST = 16;

/** @llvm SlotIndexes.cpp SlotIndexes */
export class SlotIndexes {
  /** base slot per instruction; members of a bundle have their header's; -1 = none (debug instruction) */
  readonly instrIndex: Int32Array;
  /** Int32Array(nBlocks + 1): start slot of each block; the last entry is the end of the function */
  readonly blockStart: Int32Array;
  /** instruction that owns index `16 * i`, -1 for the start of a block */
  readonly instrAt: Int32Array;
  /** block that index `16 * i` belongs to */
  readonly blockAt: Int32Array;

  constructor(readonly fn: MachineFunction) {
    const nBlocks = fn.blocks.length;
    this.instrIndex = new Int32Array(fn.nInstrs).fill(-1);
    this.blockStart = new Int32Array(nBlocks + 1);
    this.instrAt = new Int32Array(fn.nInstrs + nBlocks + 1).fill(-1);
    this.blockAt = new Int32Array(fn.nInstrs + nBlocks + 1);
    const traits = opcodeTraits(fn.tables);
    const { instrIndex, instrAt, blockAt } = this;
    const { order, opcode, bundle } = fn;
    let index = 0;
    for (let b = 0; b < nBlocks; b++) {
      this.blockStart[b] = index;
      blockAt[index >> 4] = b;
      index += INSTR_DIST;
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = order[p];
        if ((bundle[i] & BundleFlag.BundledPred) !== 0) {
          // A member shares its header's index. Without a header (broken input) it shares that of the instruction before.
          instrIndex[i] = p > fn.blockBegin[b] ? instrIndex[order[p - 1]] : this.blockStart[b];
          continue;
        }
        if ((traits[opcode[i]] & OpcodeTrait.NoSlotIndex) !== 0) continue;
        instrIndex[i] = index;
        instrAt[index >> 4] = i;
        blockAt[index >> 4] = b;
        index += INSTR_DIST;
      }
    }
    this.blockStart[nBlocks] = index;
  }

  /** First slot of block b. */
  startOf(b: BlockId): SlotIndex {
    return this.blockStart[b];
  }

  /** Slot at which the block after b begins (exclusive end of b). */
  endOf(b: BlockId): SlotIndex {
    return this.blockStart[b + 1];
  }

  /** The last slot inside block b: everything live there is live-out. */
  lastSlotOf(b: BlockId): SlotIndex {
    return this.blockStart[b + 1] - INSTR_DIST + Slot.Dead;
  }

  /** Block that contains a slot (not the end of the function). */
  blockOf(slot: SlotIndex): BlockId {
    return this.blockAt[slot >> 4];
  }

  /** Instruction whose index contains the slot, -1 at the start of a block. */
  instrOf(slot: SlotIndex): InstrId {
    return this.instrAt[slot >> 4];
  }
}

/** Base slot of the index that `slot` belongs to. */
export const baseSlot = (slot: SlotIndex): SlotIndex => slot & ~3;

/**
 * LLVM's text of a slot, e.g. `16r`.
 * @llvm SlotIndexes.cpp SlotIndex::print
 */
export function printSlot(slot: SlotIndex): string {
  return `${slot & ~3}${'Berd'[slot & 3]}`;
}
