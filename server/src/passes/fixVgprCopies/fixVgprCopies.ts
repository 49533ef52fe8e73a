/** `si-fix-vgpr-copies`: copies to vector registers say that they read EXEC (SIFixVGPRCopies, LLVM 22; docs/llvm/small-passes.md, 6). */
import { operandOf, regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { OpFlag, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import type { MachinePass } from '../machinePass.js';

/** @llvm SIFixVGPRCopies.cpp SIFixVGPRCopiesLegacy */
export const fixVgprCopiesPass: MachinePass = {
  name: 'si-fix-vgpr-copies',
  pipelineName: 'si-fix-vgpr-copies',
  className: 'SIFixVGPRCopiesPass',
  title: 'SI Fix VGPR copies',
  requires: [],
  preserves: 'all',
  run: (state) => fixVgprCopies(state.editor()),
};

/** @llvm SIFixVGPRCopies.cpp SIFixVGPRCopies::run */
function fixVgprCopies(editor: FunctionEditor): void {
  const { fn, list } = editor;
  const { tables } = fn;
  const copy = tables.opcodeByName('COPY');
  const exec = regOperand(tables.regByName('exec'), OpFlag.Implicit);
  const isVector = (reg: Reg): boolean => {
    const rc = isVirtualReg(reg) ? fn.vregs.regClass[~reg] : tables.getMinimalPhysRegClass(reg);
    return rc >= 0 && !tables.isSGPRClass(rc);
  };
  const readsExec = (i: InstrId): boolean => {
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (!editor.isDef(o) && fn.opVal[o] === exec.val) return true;
    return false;
  };
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let i = list.first(b); i >= 0;) {
      const next = list.after(i);
      if (fn.opcode[i] === copy && isVector(fn.opVal[fn.opBegin[i]]) && !readsExec(i)) {
        const operands = Array.from({ length: fn.numOperands(i) }, (_, k) => operandOf(fn, fn.opBegin[i] + k));
        editor.replace(i, copy, [...operands, exec]);
      }
      i = next;
    }
  }
}
