/** Where the values of virtual registers are: in which physical register, or in which slot of the stack. */
import type { LiveRange } from '../../analysis/edit/liveRange.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG, type Reg, type VRegId } from '../../model/register.js';
import type { PhysReg, RegClassId } from '../../target/api.js';
import { Analysis } from '../passContext.js';
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

  /** What became of registers that the code still names, for who prints them. O(operands) */
  stillIn(fn: MachineFunction): (v: VRegId) => { readonly phys: PhysReg; readonly splitFrom: VRegId } | null {
    const named = new Set<VRegId>();
    for (const i of fn.layout())
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] < 0) named.add(~fn.opVal[o]);
    return (v) => ({ phys: named.has(v) ? this.physOf(v) : 0, splitFrom: this.original[v] ?? -1 });
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

/** Registers of a run that no rewriter has put into the code; at first those that the file says are assigned. */
export const VIRT_REG_MAP = new Analysis<VirtRegMap>('virtual register map', ({ fn }) => {
  const map = new VirtRegMap();
  const { assigned, splitFrom, n } = fn.vregs;
  if (assigned.size + splitFrom.size > 0) {
    map.init(n);
    for (const [v, reg] of assigned) map.phys[v] = reg;
    for (const [v, from] of splitFrom) map.original[v] = from;
  }
  return map;
});
