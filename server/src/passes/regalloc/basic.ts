/**
 * `regallocbasic` (RABasic of LLVM 22; docs/llvm/allocation-greedy.md, 8): the heaviest register first, and whatever is lighter than it is spilled.
 */
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
  /** a heap as std::push_heap and std::pop_heap of libstdc++ keep it: their order of registers of one weight shows */
  private readonly heap: number[] = [];

  /** @llvm RegAllocBasic.cpp RABasic::runOnMachineFunction */
  run(): void {
    this.weights.computeAll();
    for (const v of this.unassigned()) this.push(v);
    this.allocateQueue();
    this.finish();
  }

  private isLighter(a: number, b: number): boolean {
    const { lis } = this.state;
    return lis.interval(a).weight < lis.interval(b).weight;
  }

  protected push(v: number): void {
    this.heap.push(v);
    this.rise(this.heap.length - 1, v);
  }

  private rise(from: number, v: number): void {
    const { heap } = this;
    let at = from;
    for (let above = (at - 1) >> 1; at > 0 && this.isLighter(heap[above], v); above = (at - 1) >> 1) {
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = v;
  }

  /** The gap at the top sinks to the end, past the heavier of two each time, and the last one rises from there. */
  protected pop(): number {
    const { heap } = this;
    const first = heap[0] ?? -1;
    const last = heap.pop();
    const n = heap.length;
    if (last === undefined || n === 0) return first;
    let at = 0;
    for (let right = 2; right <= n; right = 2 * at + 2) {
      const heavier = right === n || this.isLighter(heap[right], heap[right - 1]) ? right - 1 : right;
      heap[at] = heap[heavier];
      at = heavier;
    }
    this.rise(at, last);
    return first;
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
