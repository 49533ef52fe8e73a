/** Which physical registers the code of a function uses, and the first that it does not. */
import type { PhysReg, RegClassId } from '../../target/api.js';
import { maskClobbers } from '../../model/regMask.js';
import type { FrameContext } from './frameContext.js';

/**
 * An operand outside debug instructions names the register or an alias, or (`withCalls`) a call overwrites it.
 * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::isPhysRegUsed
 */
export function isPhysRegUsed(state: FrameContext, reg: PhysReg, withCalls = true): boolean {
  return isMentioned(state, reg, false) || (withCalls && isClobberedByCall(state, reg));
}

/**
 * Something defines the register or an alias, or a call overwrites it.
 * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::isPhysRegModified
 */
export function isPhysRegModified(state: FrameContext, reg: PhysReg): boolean {
  return isMentioned(state, reg, true) || isClobberedByCall(state, reg);
}

function isMentioned(state: FrameContext, reg: PhysReg, onlyDefs: boolean): boolean {
  const { editor, tables } = state;
  const { unitBegin, unitEnd, unitList } = tables;
  for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
    for (const alias of editor.regsOver(unitList[k])) {
      for (let o = editor.firstOperand(alias); o >= 0; o = editor.nextOperand(o)) {
        if (editor.isDef(o)) return true;
        // Definitions come first.
        if (onlyDefs) break;
        if (!editor.isDebug(o)) return true;
      }
    }
  }
  return false;
}

function isClobberedByCall(state: FrameContext, reg: PhysReg): boolean {
  for (const o of state.maskOperands()) if (maskClobbers(state.fn, o, reg)) return true;
  return false;
}

/**
 * The first register of a class that may be allocated and nobody uses; `highest`: the last one, VCC left out, which is of such a class in LLVM 24 (llvm/llvm-project#173870). 0 = none.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::findUnusedRegister
 */
export function findUnusedRegister(state: FrameContext, rc: RegClassId, highest = false): PhysReg {
  const order = state.fn.subtarget.rawAllocationOrder(rc);
  const vcc = highest ? state.tables.regByName('vcc') : 0;
  for (let k = 0; k < order.length; k++) {
    const reg = order[highest ? order.length - 1 - k : k];
    if (reg !== vcc && state.reserved.isAllocatable(reg) && !isPhysRegUsed(state, reg)) return reg;
  }
  return 0;
}
