/**
 * How long a function takes by the scheduling model: the length of each region as LLVM's own metric counts it (stages/scheduleMetrics.ts), of code before or
 * after allocation, weighted by the block's frequency. No memory, no waits and no other waves are in it: a number to compare two orders of one function.
 */
import { computeBlockFrequencies } from '../../analysis/blockFrequency.js';
import { DominatorTree } from '../../analysis/dominators.js';
import { LoopInfo } from '../../analysis/loops.js';
import { BundleFlag, OpFlag, OperandKind, type BlockId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg } from '../../model/register.js';
import { LatencyModel } from './dag/latency.js';
import { InstrRoles } from './regions.js';
import { resolveSchedClass } from './schedClass.js';

/** Cycles of one instruction each, for one run of the entry block. O(operands) */
export function modelLength(fn: MachineFunction): number {
  if (fn.blocks.length === 0) return 0;
  const walk = new RegionWalk(fn);
  const frequencies = computeBlockFrequencies(fn.blocks, new LoopInfo(fn.blocks, new DominatorTree(fn.blocks)));
  const entry = Number(frequencies[0]);
  let sum = 0;
  for (let b = 0; b < fn.blocks.length; b++) sum += (walk.lengthOf(b) * Number(frequencies[b])) / entry;
  return Math.round(sum);
}

/** Cycles of the instructions between two boundaries, from a place of the layout to another, one run of them. O(operands) */
export class RegionLengths {
  private readonly walk: RegionWalk;

  constructor(fn: MachineFunction) {
    this.walk = new RegionWalk(fn);
  }

  lengthOf(from: number, to: number): number {
    return this.walk.cyclesOf(from, to);
  }
}

class RegionWalk {
  private readonly latency: LatencyModel;
  private readonly roles: InstrRoles;
  /** by register unit, then by virtual register: the cycle in which what defines it is done, and the region in which that is true */
  private readonly ready: Int32Array;
  private readonly readyIn: Int32Array;
  private region = 0;

  constructor(private readonly fn: MachineFunction) {
    this.latency = new LatencyModel(fn, resolveSchedClass);
    this.roles = new InstrRoles(fn);
    this.ready = new Int32Array(fn.tables.nRegUnits + fn.vregs.n);
    this.readyIn = new Int32Array(fn.tables.nRegUnits + fn.vregs.n);
  }

  /** A boundary takes a cycle and ends a region. */
  lengthOf(b: BlockId): number {
    const { fn } = this;
    return this.cyclesOf(fn.blockBegin[b]!, fn.blockEnd[b]!);
  }

  /** Of places in the layout of one block. */
  cyclesOf(from: number, to: number): number {
    const { fn, roles } = this;
    let cycle = 0;
    this.region++;
    for (let p = from; p < to; p++) {
      const i = fn.order[p]!;
      // The header of a bundle stands for what is in it.
      if ((fn.bundle[i]! & BundleFlag.BundledPred) !== 0 || roles.isDebug(i)) continue;
      if (roles.isBoundary(i)) {
        cycle++;
        this.region++;
        continue;
      }
      const at = this.whenReady(i, cycle);
      this.noteDefs(i, at + this.latency.instrLatency(i));
      cycle = at + 1;
    }
    return cycle;
  }

  private whenReady(i: number, cycle: number): number {
    const { fn, ready, readyIn, region } = this;
    const { unitBegin, unitEnd, unitList, nRegUnits } = fn.tables;
    let at = cycle;
    const see = (k: number): void => {
      if (readyIn[k] === region && ready[k]! > at) at = ready[k]!;
    };
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
      if (fn.opKind[o] !== OperandKind.Register) continue;
      if ((fn.opFlags[o]! & (OpFlag.Undef | OpFlag.Def)) !== 0) continue;
      const reg = fn.opVal[o]!;
      if (!isPhysicalReg(reg)) {
        if (reg < 0) see(nRegUnits + ~reg);
      } else for (let u = unitBegin[reg]!; u < unitEnd[reg]!; u++) see(unitList[u]!);
    }
    return at;
  }

  private noteDefs(i: number, done: number): void {
    const { fn, ready, readyIn, region } = this;
    const { unitBegin, unitEnd, unitList, nRegUnits } = fn.tables;
    const note = (k: number): void => {
      ready[k] = done;
      readyIn[k] = region;
    };
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
      if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o]! & OpFlag.Def) === 0) continue;
      const reg = fn.opVal[o]!;
      if (!isPhysicalReg(reg)) {
        if (reg < 0) note(nRegUnits + ~reg);
      } else for (let u = unitBegin[reg]!; u < unitEnd[reg]!; u++) note(unitList[u]!);
    }
  }
}
