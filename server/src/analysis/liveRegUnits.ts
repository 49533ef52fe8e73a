/**
 * Register units that are live at a place of a block, walked from its end to its beginning.
 * Follows LiveRegUnits (LLVM 22): `addLiveOuts`, `stepBackward`, `available`. Without saved registers in the frame (before prologepilog)
 * there are no pristine registers.
 */
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../model/machineFunction.js';
import { isPreserved, preservedRegs } from '../model/regMask.js';
import type { PhysReg, TargetTables } from '../target/api.js';

const NONE: ReadonlySet<OperandId> = new Set();
const NOT_READ = OpFlag.Def | OpFlag.Undef | OpFlag.Internal;

/** @llvm LiveRegUnits.cpp LiveRegUnits */
export class LiveRegUnits {
  /** one bit per register unit */
  readonly words: Uint32Array;
  private readonly tables: TargetTables;

  constructor(private readonly fn: MachineFunction) {
    this.tables = fn.tables;
    this.words = new Uint32Array((fn.tables.nRegUnits + 31) >>> 5);
  }

  clear(): void {
    this.words.fill(0);
  }

  addAll({ words }: LiveRegUnits): void {
    for (let w = 0; w < words.length; w++) this.words[w] |= words[w];
  }

  /** @llvm LiveRegUnits.h LiveRegUnits::addReg */
  addReg(reg: PhysReg): void {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) this.words[unitList[u] >>> 5] |= 1 << (unitList[u] & 31);
  }

  /**
   * The units of `reg` that hold one of the lanes.
   * @llvm LiveRegUnits.h LiveRegUnits::addRegMasked
   */
  addRegMasked(reg: PhysReg, laneLo: number, laneHi: number): void {
    const { unitBegin, unitEnd, unitList, unitLaneLo, unitLaneHi } = this.tables;
    let lane = this.tables.unitLaneBegin(reg);
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++, lane++)
      if ((unitLaneLo[lane] & laneLo) !== 0 || (unitLaneHi[lane] & laneHi) !== 0)
        this.words[unitList[u] >>> 5] |= 1 << (unitList[u] & 31);
  }

  /** Those units of a register that another set has. */
  addShared(reg: PhysReg, { words }: LiveRegUnits): void {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++)
      this.words[unitList[u] >>> 5] |= words[unitList[u] >>> 5] & (1 << (unitList[u] & 31));
  }

  /** @llvm LiveRegUnits.h LiveRegUnits::removeReg */
  removeReg(reg: PhysReg): void {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) this.words[unitList[u] >>> 5] &= ~(1 << (unitList[u] & 31));
  }

  /**
   * Whether no unit of the register is live.
   * @llvm LiveRegUnits.h LiveRegUnits::available
   */
  available(reg: PhysReg): boolean {
    const { unitBegin, unitEnd, unitList } = this.tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++)
      if ((this.words[unitList[u] >>> 5] & (1 << (unitList[u] & 31))) !== 0) return false;
    return true;
  }

  /**
   * What the successors of a block take; what is in the set stays.
   * @llvm LiveRegUnits.cpp LiveRegUnits::addLiveOuts
   */
  addLiveOuts(b: BlockId): void {
    const { blocks } = this.fn;
    for (const s of blocks[b].successors)
      for (const { reg, laneLo, laneHi } of blocks[s].liveIns) this.addRegMasked(reg, laneLo, laneHi);
  }

  /**
   * From after an instruction to before it; of a bundle the header speaks. `skipped`: operands that count for nothing. O(operands)
   * @llvm LiveRegUnits.cpp LiveRegUnits::stepBackward
   */
  stepBackward(i: InstrId, skipped: ReadonlySet<OperandId> = NONE): void {
    const { fn } = this;
    const end = fn.opBegin[i + 1];
    for (let o = fn.opBegin[i]; o < end; o++) {
      if (skipped.has(o)) continue;
      else if (fn.opKind[o] === OperandKind.RegisterMask) this.keepOnly(o);
      else if (this.isPhysical(o) && (fn.opFlags[o] & OpFlag.Def) !== 0) this.removeReg(fn.opVal[o]);
    }
    for (let o = fn.opBegin[i]; o < end; o++)
      if (!skipped.has(o) && this.isPhysical(o) && (fn.opFlags[o] & NOT_READ) === 0) this.addReg(fn.opVal[o]);
  }

  /**
   * All that an instruction defines, reads, or that a call of it does not preserve. O(operands)
   * @llvm LiveRegUnits.cpp LiveRegUnits::accumulate
   */
  accumulate(i: InstrId): void {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask) this.addClobbered(o);
      else if (this.isPhysical(o) && (fn.opFlags[o] & NOT_READ & ~OpFlag.Def) === 0) this.addReg(fn.opVal[o]);
    }
  }

  /**
   * What an instruction and the members of its bundle define, or their calls do not preserve, goes to `modified`, what they name otherwise to `used`. O(operands)
   * @llvm LiveRegUnits.h LiveRegUnits::accumulateUsedDefed
   */
  static accumulateUsedDefed(i: InstrId, modified: LiveRegUnits, used: LiveRegUnits): void {
    const { fn, tables } = used;
    for (let m = i; ; m++) {
      for (let o = fn.opBegin[m]; o < fn.opBegin[m + 1]; o++) {
        if (fn.opKind[o] === OperandKind.RegisterMask) modified.addClobbered(o);
        else if (!used.isPhysical(o)) continue;
        else if ((fn.opFlags[o] & OpFlag.Def) === 0) used.addReg(fn.opVal[o]);
        else if (!tables.isConstantPhysReg(fn.opVal[o])) modified.addReg(fn.opVal[o]);
      }
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return;
    }
  }

  private addClobbered(o: OperandId): void {
    const { tables, words } = this;
    const bits = preservedRegs(this.fn, o);
    for (let unit = 0; unit < tables.nRegUnits; unit++)
      if (tables.regUnitRoots(unit).some((r) => !isPreserved(bits, r))) words[unit >>> 5] |= 1 << (unit & 31);
  }

  private isPhysical(o: OperandId): boolean {
    return this.fn.opKind[o] === OperandKind.Register && this.fn.opVal[o] > 0;
  }

  /**
   * A unit stays when the mask keeps each of its roots.
   * @llvm LiveRegUnits.cpp LiveRegUnits::removeRegsNotPreserved
   */
  keepOnly(o: OperandId): void {
    const { tables, words } = this;
    const bits = preservedRegs(this.fn, o);
    for (let w = 0; w < words.length; w++) {
      for (let left = words[w]; left !== 0; left &= left - 1) {
        const bit = 31 - Math.clz32(left & -left);
        const unit = w * 32 + bit;
        const isKept = tables.regUnitRoots(unit).every((r) => isPreserved(bits, r));
        if (!isKept) words[w] &= ~(1 << bit);
      }
    }
  }
}
