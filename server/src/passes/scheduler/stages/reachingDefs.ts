/** Definitions of virtual registers that reach an instruction, in the present order of a function. */
import { OpFlag, type InstrId, type BlockId } from '../../../model/machineFunction.js';
import type { SchedContext } from '../context.js';
import type { VRegId } from '../../../model/register.js';

export class ReachingDefs {
  /** place of each instruction in its block */
  private readonly place = new Map<InstrId, number>();
  /** definitions of a register by block, in order */
  private readonly defs = new Map<number, Map<number, InstrId[]>>();
  private readonly users = new Map<number, InstrId[]>();

  constructor(private readonly ctx: SchedContext) {
    const { fn, list, roles } = ctx;
    for (let b = 0; b < fn.blocks.length; b++) {
      let n = 0;
      for (let i = list.first(b); i >= 0; i = list.after(i)) {
        this.place.set(i, n++);
        if (roles.isDebug(i)) continue;
        for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
          if (fn.opVal[o] >= 0) continue;
          const v = ~fn.opVal[o];
          if ((fn.opFlags[o] & OpFlag.Def) !== 0) this.addDef(v, b, i);
          else if ((fn.opFlags[o] & OpFlag.Undef) === 0) {
            const list = this.users.get(v) ?? [];
            this.users.set(v, list);
            if (list[list.length - 1] !== i) list.push(i);
          }
        }
      }
    }
  }

  private addDef(v: VRegId, b: BlockId, i: InstrId): void {
    const byBlock = this.defs.get(v) ?? new Map<number, InstrId[]>();
    this.defs.set(v, byBlock);
    byBlock.set(b, [...(byBlock.get(b) ?? []), i]);
  }

  /** Both in one block. */
  isBefore(a: InstrId, b: InstrId): boolean {
    return (this.place.get(a) ?? 0) < (this.place.get(b) ?? 0);
  }

  /**
   * The last definition on each path to `use`; a definition of a part counts. As in LLVM, no path comes around a loop of several blocks to a def after `use`.
   * @llvm GCNSchedStrategy.cpp RewriteMFMAFormStage::findReachingDefs
   */
  reaching(use: InstrId, vreg: VRegId): InstrId[] {
    const byBlock = this.defs.get(vreg);
    if (byBlock === undefined) return [];
    const { blocks } = this.ctx.fn;
    const b = this.ctx.fn.instrBlock[use];
    const own = (byBlock.get(b) ?? []).filter((d) => this.isBefore(d, use));
    const last = own[own.length - 1];
    if (last !== undefined) return [last];
    const out = new Set<InstrId>();
    const visited = new Set(blocks[b].predecessors);
    const work = [...visited];
    visited.add(b);
    for (let p = work.pop(); p !== undefined; p = work.pop()) {
      const defs = byBlock.get(p);
      if (defs !== undefined) {
        out.add(defs[defs.length - 1]);
        continue;
      }
      for (const q of blocks[p].predecessors) {
        if (visited.has(q)) continue;
        visited.add(q);
        work.push(q);
      }
    }
    return [...out];
  }

  /** @llvm GCNSchedStrategy.cpp RewriteMFMAFormStage::findReachingUses */
  usersReachedBy(def: InstrId, vreg: VRegId): InstrId[] {
    return (this.users.get(vreg) ?? []).filter((u) => this.reaching(u, vreg).includes(def));
  }
}
