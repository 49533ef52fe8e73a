/** Debug values in slots of the stack. */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OperandKind, type BlockId } from '../../model/machineFunction.js';
import { opcodeSet } from '../../target/opcodeSets.js';

/**
 * Debug values of a block in slots that are no more lie nowhere: of a list the first location is looked at.
 * @llvm SISpillUtils.cpp clearDebugInfoForSpillFIs
 */
export function forgetDebugValues(editor: FunctionEditor, b: BlockId, slots: ReadonlySet<number>): void {
  const { fn } = editor;
  const values = opcodeSet(fn.tables, 'debugValue');
  const list = fn.tables.opcodeByName('DBG_VALUE_LIST');
  for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
    if (!values.has(fn.opcode[i])) continue;
    const o = fn.opBegin[i] + (fn.opcode[i] === list ? 2 : 0);
    if (fn.opKind[o] === OperandKind.FrameIndex && slots.has(fn.opVal[o]))
      editor.setOperand(o, { kind: OperandKind.Register, val: 0 });
  }
}
