/** `dead-mi-elimination`: instructions whose results nobody reads go (DeadMachineInstructionElim, LLVM 22; docs/llvm/small-passes.md, 1). */
import { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import { reversePostOrder } from '../../util/reversePostOrder.js';
import { wouldBeTriviallyDead } from '../../analysis/safeToMove.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg } from '../../model/register.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';

/** @llvm DeadMachineInstructionElim.cpp DeadMachineInstructionElim */
export const deadMiEliminationPass: MachinePass = {
  name: 'dead-mi-elimination',
  pipelineName: 'dead-mi-elimination',
  className: 'DeadMachineInstructionElimPass',
  title: 'Remove dead machine instructions',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (!state.fn.isOptNone) eliminateDeadInstructions(state.editor());
  },
};

/**
 * O(rounds x size): a round more for each loop whose values only feed one another's dead readers.
 * @llvm DeadMachineInstructionElim.cpp DeadMachineInstructionElimImpl::eliminateDeadMI
 */
function eliminateDeadInstructions(editor: FunctionEditor): void {
  const { fn } = editor;
  const reserved = new ReservedRegs(fn);
  const blocks = reversePostOrder(fn.blocks).reverse();
  const live = new LiveRegUnits(fn);
  const inlineAsm = opcodeSet(fn.tables, 'inlineAsm');
  const lifetime = opcodeSet(fn.tables, 'lifetimeMarker');

  const isDefRead = (i: InstrId, o: number): boolean => {
    const reg = fn.opVal[o];
    if (!isVirtualReg(reg)) return !live.available(reg) || reserved.isReserved(reg);
    if ((fn.opFlags[o] & OpFlag.Dead) !== 0) return false;
    for (let u = editor.firstOperand(reg); u >= 0; u = editor.nextOperand(u))
      if (!editor.isDef(u) && !editor.isDebug(u) && editor.instrOf(u) !== i) return true;
    return false;
  };
  const isDead = (i: InstrId): boolean => {
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      const isDef = fn.opKind[o] === OperandKind.Register && fn.opVal[o] !== 0 && editor.isDef(o);
      if (isDef && isDefRead(i, o)) return false;
    }
    const opc = fn.opcode[i];
    return !inlineAsm.has(opc) && (lifetime.has(opc) || wouldBeTriviallyDead(fn, i));
  };

  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    live.clear();
    for (const b of blocks) {
      // What lived in the blocks before stays in the set: LLVM does not empty it, either.
      live.addLiveOuts(b);
      for (let i = editor.list.before(~b); i >= 0;) {
        const before = editor.list.before(i);
        if (isDead(i)) {
          editor.erase(i);
          hasChanged = true;
        } else live.stepBackward(i);
        i = before;
      }
    }
  }
}
