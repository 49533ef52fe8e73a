/**
 * `regallocbasic` (RABasic of LLVM 22; docs/llvm/allocation-greedy.md, 8): the heaviest register first, and whatever is lighter than it is spilled.
 */
import { popHeap, pushHeap } from '../../util/introsort.js';
import { Interference } from './matrix.js';
import type { MachinePass } from '../machinePass.js';
import type { PhysReg } from '../../target/api.js';
import { allocationPass } from './allocationPass.js';
import { AllocationRun, FAIL, NONE } from './allocationRun.js';

/** @llvm RegAllocBasic.cpp RABasic */
export const basicPass: MachinePass = allocationPass({
  name: 'regallocbasic',
  pipelineName: null,
  title: 'Basic Register Allocator',
  properties: { cleared: ['isSSA'] },
  takesDebugValues: true,
  work(state, _use, { context }) {
    context.onLimits?.(state.fn, 'reservedRegs');
    new BasicRun(state, 'all', { favorsSize: true }).run();
  },
});

class BasicRun extends AllocationRun {
  /** a heap as std::push_heap and std::pop_heap of libstdc++ keep it: their order of registers of one weight shows in LLVM 22 */
  private readonly heap: number[] = [];

  /** @llvm RegAllocBasic.cpp RABasic::runOnMachineFunction */
  run(): void {
    this.weights.computeAll();
    for (const v of this.unassigned()) this.push(v);
    this.allocateQueue();
    this.finish();
  }

  private readonly isLighter = (a: number, b: number): boolean => {
    const [x, y] = [this.weightOf(a), this.weightOf(b)];
    return x < y || (x === y && this.prefersGreater && a < b);
  };

  private readonly prefersGreater = this.state.fn.subtarget.release.rules.basicTakesGreatestOfEqual;

  protected push(v: number): void {
    pushHeap(this.heap, this.isLighter, v);
  }

  protected pop(): number {
    return this.heap.length === 0 ? -1 : popHeap(this.heap, this.isLighter);
  }

  /** @llvm RegAllocBasic.cpp RABasic::selectOrSplit */
  protected choose(v: number, made: number[]): number {
    const taken: PhysReg[] = [];
    for (const reg of this.candidates(v).list) {
      const found = this.matrix.check(v, reg);
      if (found === Interference.Free) return reg;
      if (found === Interference.Virtual) taken.push(reg);
    }
    for (const reg of taken) if (this.spillOthers(v, reg, made)) return reg;
    if (this.weightOf(v) === Infinity) return FAIL;
    this.spiller.spill(v, made);
    return NONE;
  }

  private weightOf(v: number): number {
    return this.state.lis.interval(v).weight;
  }

  /**
   * Spills what is in the way in a register; false: something heavier is, or what cannot be.
   * @llvm RegAllocBasic.cpp RABasic::spillInterferences
   */
  private spillOthers(v: number, reg: PhysReg, made: number[]): boolean {
    const { tables, map } = this.state;
    const { unitBegin, unitEnd, unitList } = tables;
    const others: number[] = [];
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++)
      for (const x of [...this.matrix.interfering(v, unitList[k])].reverse()) {
        const weight = this.weightOf(x);
        if (weight === Infinity || weight > this.weightOf(v)) return false;
        others.push(x);
      }
    for (const x of others) {
      if (map.physOf(x) === 0) continue;
      this.matrix.unassign(x);
      this.spiller.spill(x, made);
    }
    return true;
  }
}
