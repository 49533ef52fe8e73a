/** Where the values of virtual registers are: in which physical register, or in which slot of the stack. */
import type { LiveRange } from '../../analysis/edit/liveRange.js';
import { isVirtualReg, NO_REG, type Reg } from '../../model/register.js';
import type { PhysReg, RegClassId } from '../../target/api.js';
import type { LiveRegMatrix } from './matrix.js';

/** Of a run, until a rewriter has put it into the code or a pass has ended it. */
export class VirtRegMap {
  /** by virtual register: the one that it was split from, -1 = none, and what it got */
  original: number[] = [];
  phys: PhysReg[] = [];
  stackSlot: number[] = [];
  /** where those in registers live, null when nothing is assigned */
  matrix: LiveRegMatrix | null = null;

  /**
   * A map without entries for so many registers.
   * @llvm VirtRegMap.cpp VirtRegMap::init
   */
  init(n: number): void {
    // Dense from the start: of a list that is written to far past its end V8 makes a dictionary.
    this.original = new Array<number>(n).fill(-1);
    this.phys = new Array<PhysReg>(n).fill(NO_REG);
    this.stackSlot = new Array<number>(n).fill(-1);
    this.matrix = null;
  }

  /** @llvm VirtRegMap.h VirtRegMap::getPhys */
  physOf(v: number): PhysReg {
    return this.phys[v] ?? 0;
  }

  /**
   * Whether this run has split it from another register.
   * @llvm VirtRegMap.h VirtRegMap::getPreSplitReg
   */
  isSplitOff(v: number): boolean {
    return v < this.original.length && this.original[v] >= 0;
  }

  /** @llvm VirtRegMap.h VirtRegMap::getOriginal */
  originalOf(v: number): number {
    return this.isSplitOff(v) ? this.original[v] : v;
  }

  /** @llvm VirtRegMap.h VirtRegMap::getStackSlot */
  slotOf(v: number): number {
    return this.stackSlot[v] ?? -1;
  }

  /** A physical register, or the one that a virtual register has. */
  assigned(reg: Reg): PhysReg {
    return isVirtualReg(reg) ? this.physOf(~reg) : reg;
  }
}

/** The life of a stack slot. */
export interface SlotInterval {
  readonly range: LiveRange;
  regClass: RegClassId;
}

/**
 * By frame index.
 * @llvm LiveStacks.h LiveStacks
 */
export type LiveStacks = Map<number, SlotInterval>;
