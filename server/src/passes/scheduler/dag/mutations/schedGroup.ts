/** A group of instructions that SCHED_GROUP_BARRIER and IGLP_OPT form (SchedGroup of AMDGPUIGroupLP, LLVM 22.1.8; docs/llvm/iglp.md). */
import type { SUnitId } from '../graph.js';

export const enum GroupMask {
  ALU = 0x1,
  VALU = 0x2,
  SALU = 0x4,
  MFMA = 0x8,
  VMEM = 0x10,
  VMEM_READ = 0x20,
  VMEM_WRITE = 0x40,
  DS = 0x80,
  DS_READ = 0x100,
  DS_WRITE = 0x200,
  TRANS = 0x400,
}

export const enum IglpPhase {
  Initial = 0,
  PreRAReentry = 1,
  PostRA = 2,
}

/** A condition of a group; may remember nodes from one call to the next. */
export type GroupRule = (node: SUnitId, group: SchedGroup) => boolean;

/** @llvm AMDGPUIGroupLP.cpp SchedGroup */
export class SchedGroup {
  readonly members: SUnitId[] = [];

  constructor(
    readonly mask: number,
    public capacity: number,
    readonly sync: number,
    readonly id: number,
    readonly rules: readonly GroupRule[],
  ) {}

  /** @llvm AMDGPUIGroupLP.cpp SchedGroup::isFull */
  get isFull(): boolean {
    return this.members.length >= this.capacity;
  }
}
