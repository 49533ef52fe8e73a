/**
 * `finalize-isel`: what selection leaves to be decided of a function, and its pseudo instructions, which become instructions (FinalizeISel, SITargetLowering,
 * LLVM 22; docs/llvm/selected-code.md).
 */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OperandKind, type InstrId } from '../../model/machineFunction.js';
import { McFlag } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { MachinePass } from '../machinePass.js';
import { finalizeFunction } from './finalizeFunction.js';
import { SelectedPseudos } from './selectedPseudos.js';

/** @llvm FinalizeISel.cpp FinalizeISel */
export const finalizeISelPass: MachinePass = {
  name: 'finalize-isel',
  pipelineName: 'finalize-isel',
  className: 'FinalizeISelPass',
  title: 'Finalize ISel and expand pseudo-instructions',
  isRequired: true,
  requires: [],
  preserves: [],
  run(state) {
    const editor = state.editor();
    const { options } = state.context;
    finalizeFunction(editor, String(options.get('O')) === '0');
    expandPseudos(editor, options.get('amdgpu-vgpr-index-mode') === true);
  },
};

function expandPseudos(editor: FunctionEditor, prefersIndexMode: boolean): void {
  const { fn, list } = editor;
  const { tables } = fn;
  const pseudos = new SelectedPseudos(editor, prefersIndexMode);
  const frames = opcodeSet(tables, 'callFrame');
  for (let b = 0, n = fn.blocks.length; b < n; b++)
    for (let i = list.first(b); i >= 0;) {
      // What follows a kill is in a block of its own by then.
      const next = list.after(i);
      if (frames.has(fn.opcode[i]) || alignsStack(editor, i)) fn.header.frameInfo.adjustsStack = true;
      if (hasOpcodeFlag(tables, fn.opcode[i], McFlag.UsesCustomInserter)) pseudos.expand(i);
      i = next;
    }
  editor.renumberBlocks();
}

/** Bit of the flags of inline assembly. */
const ALIGNS_STACK = 2;

/** @llvm MachineInstr.cpp MachineInstr::isStackAligningInlineAsm */
function alignsStack({ fn }: FunctionEditor, i: InstrId): boolean {
  if (!opcodeSet(fn.tables, 'inlineAsm').has(fn.opcode[i])) return false;
  const o = fn.opBegin[i] + 1;
  return fn.opKind[o] === OperandKind.Immediate && (fn.opVal[o] & ALIGNS_STACK) !== 0;
}
