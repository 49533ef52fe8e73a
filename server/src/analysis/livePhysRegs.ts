/**
 * Physical registers that are live at a place of a block, walked from its end to its beginning, in the order that LLVM's set has them in. Where units are enough: liveRegUnits.ts.
 * Follows LivePhysRegs (LLVM 22): `addLiveOuts`, `stepBackward`, and `addLiveIns` of a block.
 */
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
} from '../model/machineFunction.js';
import { isPreserved, preservedRegs } from '../model/regMask.js';
import type { PhysReg } from '../target/api.js';
import type { ReservedRegs } from './reservedRegs.js';

/** @llvm LivePhysRegs.cpp LivePhysRegs */
export class LivePhysRegs {
  /** The last member takes the place of one that goes, as in SparseSet. */
  private readonly order: PhysReg[] = [];
  private readonly place = new Map<PhysReg, number>();

  constructor(private readonly fn: MachineFunction) {}

  /**
   * With its parts.
   * @llvm LivePhysRegs.h LivePhysRegs::addReg
   */
  addReg(reg: PhysReg): void {
    this.add(reg);
    for (const part of this.fn.tables.subRegs(reg)) this.add(part);
  }

  /**
   * With all that overlap it, by number, itself last.
   * @llvm LivePhysRegs.h LivePhysRegs::removeReg
   */
  removeReg(reg: PhysReg): void {
    const { tables } = this.fn;
    const gone = this.order.filter((r) => r !== reg && tables.regsOverlap(r, reg)).sort((a, b) => a - b);
    for (const r of [...gone, reg]) this.delete(r);
  }

  /**
   * What the successors of a block take.
   * @llvm LivePhysRegs.cpp LivePhysRegs::addLiveOuts
   */
  addLiveOuts(b: BlockId): void {
    const { blocks, tables } = this.fn;
    for (const s of blocks[b].successors)
      for (const { reg, laneLo, laneHi } of blocks[s].liveIns) {
        if ((laneLo & laneHi) === -1) this.addReg(reg);
        else
          for (const part of tables.subRegs(reg)) {
            const sub = tables.getSubRegIndex(reg, part);
            if ((tables.subRegLaneLo[sub] & laneLo) !== 0 || (tables.subRegLaneHi[sub] & laneHi) !== 0)
              this.addReg(part);
          }
      }
  }

  /**
   * From after an instruction, or the bundle that it heads, to before it. O(operands, and registers that live where it overwrites some)
   * @llvm LivePhysRegs.cpp LivePhysRegs::stepBackward
   */
  stepBackward(i: InstrId): void {
    const { fn } = this;
    const isPhysical = (o: number): boolean =>
      fn.opKind[o] === OperandKind.Register && fn.opVal[o] > 0 && (fn.opFlags[o] & OpFlag.Debug) === 0;
    let last = i;
    while ((fn.bundle[last] & BundleFlag.BundledSucc) !== 0) last++;
    const end = fn.opBegin[last + 1];
    for (let o = fn.opBegin[i]; o < end; o++)
      if (fn.opKind[o] === OperandKind.RegisterMask) this.keepOnly(o);
      else if (isPhysical(o) && (fn.opFlags[o] & OpFlag.Def) !== 0) this.removeReg(fn.opVal[o]);
    for (let o = fn.opBegin[i]; o < end; o++)
      if (isPhysical(o) && (fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef | OpFlag.Internal)) === 0)
        this.addReg(fn.opVal[o]);
  }

  /**
   * What a block that begins here takes: the registers that are not reserved, without those that are parts of others.
   * @llvm LivePhysRegs.cpp addLiveIns
   */
  liveIns(reserved: ReservedRegs): PhysReg[] {
    const { tables } = this.fn;
    const free = this.order.filter((reg) => !reserved.isReserved(reg));
    return free.filter((reg) => !tables.superRegs(reg).some((s) => this.place.has(s) && !reserved.isReserved(s)));
  }

  /** The members in LLVM's order. */
  all(): readonly PhysReg[] {
    return this.order;
  }

  has(reg: PhysReg): boolean {
    return this.place.has(reg);
  }

  /**
   * Whether a register that is not reserved may be written: nothing that overlaps it lives.
   * @llvm LivePhysRegs.cpp LivePhysRegs::available
   */
  isAvailable(reg: PhysReg, reserved: ReservedRegs): boolean {
    return !reserved.isReserved(reg) && !this.order.some((r) => this.fn.tables.regsOverlap(r, reg));
  }

  private add(reg: PhysReg): void {
    if (!this.place.has(reg)) this.place.set(reg, this.order.push(reg) - 1);
  }

  private delete(reg: PhysReg): void {
    const at = this.place.get(reg);
    const last = this.order.at(-1);
    if (at === undefined || last === undefined) return;
    this.order[at] = last;
    this.place.set(last, at);
    this.order.pop();
    this.place.delete(reg);
  }

  /** @llvm LivePhysRegs.cpp LivePhysRegs::removeRegsInMask */
  private keepOnly(o: number): void {
    const bits = preservedRegs(this.fn, o);
    for (let k = 0; k < this.order.length;)
      if (isPreserved(bits, this.order[k])) k++;
      else this.delete(this.order[k]);
  }
}
