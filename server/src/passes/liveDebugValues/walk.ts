/** The instructions of a block one by one, members of bundles behind their headers. */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { BundleFlag, type BlockId, type InstrId } from '../../model/machineFunction.js';

export function headOf({ fn }: FunctionEditor, i: InstrId): InstrId {
  let head = i;
  while ((fn.bundle[head] & BundleFlag.BundledPred) !== 0) head--;
  return head;
}

/** The one after it in the block, members of bundles included; -1 = it is the last. */
export function nextInstr(editor: FunctionEditor, i: InstrId): InstrId {
  if ((editor.fn.bundle[i] & BundleFlag.BundledSucc) !== 0) return i + 1;
  return editor.list.after(headOf(editor, i));
}

export function instrsOf(editor: FunctionEditor, b: BlockId): InstrId[] {
  const found: InstrId[] = [];
  for (let i: number = editor.list.first(b); i >= 0; i = nextInstr(editor, i)) found.push(i);
  return found;
}
