/** Physical registers whose value never changes in a function. */
import type { ReservedRegs } from '../../analysis/reservedRegs.js';
import { OpFlag, OperandKind, type MachineFunction } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import { SparseColumn } from '../../util/sparseColumn.js';

export class ConstantRegs {
  /** answers by register: 0 = not yet known, 1 = no, 2 = yes */
  private readonly constantRegs: SparseColumn;
  private readonly allocatableRegs: SparseColumn;
  private definedUnits: Uint8Array | null = null;

  constructor(
    private readonly fn: MachineFunction,
    private readonly reserved: ReservedRegs,
  ) {
    this.constantRegs = new SparseColumn(fn.tables.nRegs, 0);
    this.allocatableRegs = new SparseColumn(fn.tables.nRegs, 0);
  }

  /**
   * MRI::isAllocatable
   * @llvm MachineRegisterInfo.h MachineRegisterInfo::isAllocatable
   */
  isAllocatableReg(reg: Reg): boolean {
    const known = this.allocatableRegs.get(reg);
    if (known !== 0) return known === 2;
    const answer = this.reserved.isAllocatable(reg);
    this.allocatableRegs.set(reg, answer ? 2 : 1);
    return answer;
  }

  /**
   * Constant by the target, or never defined in the function (on any alias) while no alias
   * is allocatable.
   * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::isConstantPhysReg
   */
  isConstantPhysReg(reg: Reg): boolean {
    const known = this.constantRegs.get(reg);
    if (known !== 0) return known === 2;
    const answer = this.computeIsConstant(reg);
    this.constantRegs.set(reg, answer ? 2 : 1);
    return answer;
  }

  private computeIsConstant(reg: Reg): boolean {
    const { tables, opKind, opFlags, opVal } = this.fn;
    if (tables.isConstantPhysReg(reg)) return true;
    const { unitBegin, unitEnd, unitList } = tables;
    if (this.definedUnits === null) {
      this.definedUnits = new Uint8Array(tables.nRegUnits);
      for (let o = 0; o < this.fn.nOperands; o++) {
        if (opKind[o] !== OperandKind.Register || opVal[o] <= 0 || (opFlags[o] & OpFlag.Def) === 0) continue;
        for (let u = unitBegin[opVal[o]]; u < unitEnd[opVal[o]]; u++) this.definedUnits[unitList[u]] = 1;
      }
    }
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) if (this.definedUnits[unitList[u]] !== 0) return false;
    // the aliases of a register are those that share a unit: an allocatable one makes it variable
    if (this.isAllocatableReg(reg)) return false;
    for (const sub of tables.subRegs(reg)) if (this.isAllocatableReg(sub)) return false;
    for (const sup of tables.superRegs(reg)) if (this.isAllocatableReg(sup)) return false;
    return true;
  }
}
