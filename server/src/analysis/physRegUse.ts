/** Which physical registers the operands of a function name, all at once. */
import type { FunctionEditor } from '../model/edit/functionEditor.js';
import { OperandKind, type MachineFunction, type OperandId } from '../model/machineFunction.js';
import { maskClobbers } from '../model/regMask.js';
import type { PhysReg } from '../target/api.js';

export class PhysRegUse {
  private readonly units = new Set<number>();
  private readonly masks: OperandId[] = [];
  private readonly fn: MachineFunction;

  /** As the function is now. O(operands) */
  constructor(editor: FunctionEditor) {
    const { fn } = editor;
    const { unitBegin, unitEnd, unitList } = fn.tables;
    this.fn = fn;
    for (let o = 0; o < fn.nOperands; o++) {
      if (editor.instrOf(o) < 0) continue;
      const reg = fn.opVal[o];
      if (fn.opKind[o] === OperandKind.RegisterMask) this.masks.push(o);
      else if (fn.opKind[o] === OperandKind.Register && reg > 0 && !editor.isDebug(o))
        for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) this.units.add(unitList[u]);
    }
  }

  /**
   * An operand outside debug instructions names part of the register, or a call overwrites it.
   * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::isPhysRegUsed
   */
  isUsed(reg: PhysReg): boolean {
    const { unitBegin, unitEnd, unitList } = this.fn.tables;
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) if (this.units.has(unitList[u])) return true;
    return this.masks.some((o) => maskClobbers(this.fn, o, reg));
  }
}
