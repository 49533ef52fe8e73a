/** Physical registers that live behind an instruction, for the live-ins of a block that begins there (LivePhysRegs, addLiveIns). */
import { OperandKind, type InstrId } from '../../model/machineFunction.js';
import type { PhysReg } from '../../target/api.js';
import type { AllocState } from '../regalloc/state.js';

/** A set whose last member takes the place of one that goes, as in LLVM's SparseSet: its order is that of the live-ins. */
class LiveRegs {
  readonly order: PhysReg[] = [];
  private readonly place = new Map<PhysReg, number>();

  has(reg: PhysReg): boolean {
    return this.place.has(reg);
  }

  add(reg: PhysReg): void {
    if (!this.place.has(reg)) this.place.set(reg, this.order.push(reg) - 1);
  }

  delete(reg: PhysReg): void {
    const at = this.place.get(reg);
    const last = this.order.at(-1);
    if (at === undefined || last === undefined) return;
    this.order[at] = last;
    this.place.set(last, at);
    this.order.pop();
    this.place.delete(reg);
  }
}

/** The registers that are not reserved, without those that are parts of others. O(size of the rest of the block) */
export function liveBehind(state: AllocState, i: InstrId): PhysReg[] {
  const { fn, tables, editor, reserved } = state;
  const { list } = editor;
  const block = fn.instrBlock[i];
  const live = new LiveRegs();
  const add = (reg: PhysReg): void => {
    live.add(reg);
    for (const part of tables.subRegs(reg)) live.add(part);
  };
  /** by number, itself last */
  const remove = (reg: PhysReg): void => {
    const gone = live.order.filter((r) => r !== reg && tables.regsOverlap(r, reg)).sort((a, b) => a - b);
    for (const r of [...gone, reg]) live.delete(r);
  };
  for (const s of fn.blocks[block].successors) {
    for (const { reg, laneLo, laneHi } of fn.blocks[s].liveIns) {
      if ((laneLo & laneHi) === -1) add(reg);
      else
        for (const part of tables.subRegs(reg)) {
          const sub = tables.getSubRegIndex(reg, part);
          if ((tables.subRegLaneLo[sub] & laneLo) !== 0 || (tables.subRegLaneHi[sub] & laneHi) !== 0) add(part);
        }
    }
  }
  for (let at = list.before(~block); at !== i; at = list.before(at)) {
    const range = (take: (o: number) => void): void => {
      for (let o = fn.opBegin[at]; o < fn.opBegin[at + 1]; o++) {
        if (fn.opKind[o] === OperandKind.RegisterMask) take(o);
        else if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] > 0 && !editor.isDebug(o)) take(o);
      }
    };
    range((o) => {
      if (fn.opKind[o] === OperandKind.RegisterMask) {
        const kept = state.maskBits(o);
        for (let k = 0; k < live.order.length;) {
          const reg = live.order[k];
          if ((kept[reg >>> 5] & (1 << (reg & 31))) === 0) live.delete(reg);
          else k++;
        }
      } else if (editor.isDef(o)) remove(fn.opVal[o]);
    });
    range((o) => {
      if (fn.opKind[o] === OperandKind.Register && editor.reads(o)) add(fn.opVal[o]);
    });
  }
  const free = live.order.filter((reg) => !reserved.isReserved(reg));
  return free.filter((reg) => !tables.superRegs(reg).some((s) => live.has(s) && !reserved.isReserved(s)));
}
