/**
 * One value with several definitions in SSA form again, as LLVM 24 does it: PHIs in the iterated dominance frontier of the definitions, where they are live
 * (MachineIDFSSAUpdater, IDFCalculatorBase). Who asks says where before.
 */
import type { DominatorTree } from '../analysis/dominators.js';
import type { InstrBuilder } from '../model/edit/instrBuilder.js';
import type { BlockId } from '../model/machineFunction.js';
import { NO_REG, type Reg } from '../model/register.js';
import { firstNonPhi } from './instrOrder.js';
import { ValuePlacer } from './valuePlacer.js';

/** @llvm MachineIDFSSAUpdater.cpp MachineIDFSSAUpdater */
export class FrontierUpdater extends ValuePlacer {
  /** by block, the value where it begins */
  private readonly arriving = new Map<BlockId, Reg>();
  private readonly level: Int32Array;
  /** in the dominator tree, in its order */
  private readonly children: readonly (readonly BlockId[])[];

  constructor(
    builder: InstrBuilder,
    private readonly dominators: DominatorTree,
  ) {
    super(builder);
    const { blocks } = builder.fn;
    this.level = new Int32Array(blocks.length);
    const children: BlockId[][] = blocks.map(() => []);
    for (const b of dominators.dfsOrder) {
      const above: BlockId = dominators.idom[b];
      if (above < 0) continue;
      this.level[b] = this.level[above] + 1;
      children[above].push(b);
    }
    this.children = children;
  }

  /** @llvm MachineIDFSSAUpdater.cpp MachineIDFSSAUpdater::calculate */
  override settle(asked: readonly BlockId[]): void {
    this.arriving.clear();
    const places = this.frontier(this.liveIn(asked));
    for (const b of places) this.arriving.set(b, this.builder.newVReg(this.rc));
    // The values of all are known before the first is looked for.
    for (const b of places) {
      const { predecessors } = this.fn.blocks[b];
      this.buildPhi(
        b,
        this.arriving.get(b)!,
        predecessors,
        predecessors.map((p) => this.values.get(p) ?? this.inMiddleOf(p)),
      );
    }
  }

  /** Blocks between the definitions and those that are asked for. */
  private liveIn(asked: readonly BlockId[]): ReadonlySet<BlockId> {
    const live = new Set<BlockId>();
    const open = [...asked];
    for (let b = open.pop(); b !== undefined; b = open.pop()) {
      if (live.has(b)) continue;
      live.add(b);
      for (const p of this.fn.blocks[b].predecessors) if (!this.values.has(p)) open.push(p);
    }
    return live;
  }

  /**
   * The live blocks of the iterated dominance frontier, found from the deepest definition upwards.
   * @llvm GenericIteratedDominanceFrontier.h IDFCalculatorBase::calculate
   */
  private frontier(live: ReadonlySet<BlockId>): BlockId[] {
    const { dominators, level, values } = this;
    const isBefore = (a: BlockId, b: BlockId): boolean =>
      level[a] > level[b] || (level[a] === level[b] && dominators.treeIn[a] > dominators.treeIn[b]);
    const roots = [...values.keys()].filter((b) => dominators.isReachable(b));
    const found: BlockId[] = [];
    const seen = new Set<BlockId>();
    const walked = new Set(roots);
    while (roots.length > 0) {
      let first = 0;
      for (let k = 1; k < roots.length; k++) if (isBefore(roots[k], roots[first])) first = k;
      const [root] = roots.splice(first, 1);
      const stack = [root];
      for (let b = stack.pop(); b !== undefined; b = stack.pop()) {
        for (const s of this.fn.blocks[b].successors) {
          if (level[s] > level[root] || seen.has(s)) continue;
          seen.add(s);
          if (!live.has(s)) continue;
          found.push(s);
          if (!values.has(s)) roots.push(s);
        }
        for (const child of this.children[b]) {
          if (walked.has(child)) continue;
          walked.add(child);
          stack.push(child);
        }
      }
    }
    return found;
  }

  /** @llvm MachineIDFSSAUpdater.cpp MachineIDFSSAUpdater::computeValue */
  override inMiddleOf(b: BlockId): Reg {
    const { arriving, dominators, values } = this;
    const known = arriving.get(b);
    if (known !== undefined) return known;
    const path = [b];
    let value = NO_REG;
    let top = b;
    for (let at = b; value === NO_REG && this.fn.blocks[at].predecessors.length > 0;) {
      at = dominators.idom[at];
      if (at < 0) break;
      value = values.get(at) ?? arriving.get(at) ?? NO_REG;
      if (value !== NO_REG) break;
      top = at;
      path.push(at);
    }
    if (value === NO_REG) value = this.undefinedAt(firstNonPhi(this.editor, top));
    for (const p of path) arriving.set(p, value);
    return value;
  }
}
