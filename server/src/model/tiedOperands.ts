/** Whether a function counts as rewritten to two addresses. */
import { BundleFlag, OpFlag, OperandKind, type MachineFunction } from './machineFunction.js';
import { NO_REG } from './register.js';

/** LLVM's property TiedOpsRewritten as a MIR file gets it: there are ties, and each is between one register and itself. Members of bundles and reads of no register do not count. O(operands) */
export function areTiedOperandsRewritten(fn: MachineFunction): boolean {
  let hasTies = false;
  for (let i = 0; i < fn.nInstrs; i++) {
    if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) continue;
    const begin = fn.opBegin[i];
    for (let o = begin; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] === NO_REG) continue;
      if (fn.opTied[o] < 0 || fn.opFlags[o] & OpFlag.Def) continue;
      hasTies = true;
      if (fn.opVal[begin + fn.opTied[o]] !== fn.opVal[o]) return false;
    }
  }
  return hasTies;
}
