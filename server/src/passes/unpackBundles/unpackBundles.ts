/** `unpack-mi-bundles`: headers of bundles go, their members stand by themselves (UnpackMachineBundles, LLVM 22; docs/llvm/small-passes.md, 4). */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { BundleFlag, OpFlag, type InstrId } from '../../model/machineFunction.js';
import type { MachinePass } from '../machinePass.js';

/** @llvm MachineInstrBundle.cpp UnpackMachineBundles */
export const unpackBundlesPass: MachinePass = {
  name: 'unpack-mi-bundles',
  pipelineName: null,
  title: 'Unpack machine instruction bundles',
  requires: [],
  preserves: [],
  run: (state) => unpackBundles(state.editor()),
};

/** @llvm MachineInstrBundle.cpp UnpackMachineBundles::runOnMachineFunction */
function unpackBundles(editor: FunctionEditor): void {
  const { fn, list } = editor;
  const header = fn.tables.opcodeByName('BUNDLE');
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let i = list.first(b); i >= 0;) {
      const next = list.after(i);
      if (fn.opcode[i] === header) unpack(editor, i);
      i = next;
    }
  }
}

function unpack(editor: FunctionEditor, header: InstrId): void {
  const { fn } = editor;
  for (let m = header; (fn.bundle[m] & BundleFlag.BundledSucc) !== 0;) {
    m++;
    for (let o = fn.firstReg(m); o >= 0; o = fn.nextReg(m, o)) fn.opFlags[o] &= ~OpFlag.Internal;
  }
  editor.unbundle(header);
  editor.erase(header);
}
