/** The blocks of a function as a list, with LLVM's numbers, while a pass moves them about. */
import type { BlockId } from '../model/machineFunction.js';

/** No block */
const NONE: BlockId = -1;

/** Numbers of blocks, and how many were given out. */
export interface BlockNumbers {
  readonly nNumbers: number;
  numberOf(b: BlockId): number;
}

export class BlockLayout implements BlockNumbers {
  private readonly next: BlockId[] = [];
  private readonly prev: BlockId[] = [];
  private readonly numbers: number[] = [];
  nNumbers = 0;
  first: BlockId = NONE;
  last: BlockId = NONE;

  /** `numbers`: those that the blocks have, and how many were given out; without, they are those of the order */
  constructor(order: Iterable<BlockId>, numbers: BlockNumbers | null = null) {
    for (const b of order) this.insertAfter(b, this.last);
    this.renumber();
    if (numbers === null) return;
    for (const b of this.order()) this.numbers[b] = numbers.numberOf(b);
    this.nNumbers = numbers.nNumbers;
  }

  /** -1 behind the last one */
  after = (b: BlockId): BlockId => this.next[b];
  /** -1 before the first one */
  before = (b: BlockId): BlockId => this.prev[b];

  numberOf(b: BlockId): number {
    return this.numbers[b];
  }

  /** A block that is in no list, with the next number; `at` -1: as the first one. */
  insertAfter(b: BlockId, at: BlockId): void {
    this.numbers[b] = this.nNumbers++;
    this.link(b, at);
  }

  private link(b: BlockId, at: BlockId): void {
    const behind = at === NONE ? this.first : this.next[at];
    this.prev[b] = at;
    this.next[b] = behind;
    if (at === NONE) this.first = b;
    else this.next[at] = b;
    if (behind === NONE) this.last = b;
    else this.prev[behind] = b;
  }

  remove(b: BlockId): void {
    const [at, behind] = [this.prev[b], this.next[b]];
    if (at === NONE) this.first = behind;
    else this.next[at] = behind;
    if (behind === NONE) this.last = at;
    else this.prev[behind] = at;
  }

  moveAfter(b: BlockId, at: BlockId): void {
    if (b === at) return;
    this.remove(b);
    this.link(b, at);
  }

  moveBefore(b: BlockId, at: BlockId): void {
    this.moveAfter(b, this.prev[at]);
  }

  /** @llvm MachineFunction.cpp MachineFunction::RenumberBlocks */
  renumber(): void {
    let n = 0;
    for (const b of this.order()) this.numbers[b] = n++;
    this.nNumbers = n;
  }

  *order(): IterableIterator<BlockId> {
    for (let b = this.first; b !== NONE; b = this.next[b]) yield b;
  }
}
