/** Instructions of a block one by one: members of bundles, too, which the lists of an editor leave out. */
import { OpcodeTrait, opcodeTraits } from '../analysis/opcodeTraits.js';
import type { FunctionEditor } from '../model/edit/functionEditor.js';
import { NO_LOCATION } from '../model/edit/instrBuilder.js';
import type { ListPos } from '../model/edit/instrList.js';
import { BundleFlag, type BlockId, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { McFlag } from '../target/api.js';
import { hasOpcodeFlag } from '../target/opcodes.js';
import { opcodeSet } from '../target/opcodeSets.js';

/** In their order, with headers of bundles. O(instructions) */
export function allInstrs(editor: FunctionEditor, b: BlockId): InstrId[] {
  const { fn, list } = editor;
  const all: InstrId[] = [];
  for (let i = list.first(b); i >= 0; i = list.after(i)) {
    let m = i;
    for (all.push(m); (fn.bundle[m] & BundleFlag.BundledSucc) !== 0;) all.push(++m);
  }
  return all;
}

/** @llvm MachineInstr.h MachineInstr::isDebugInstr */
export const isDebugInstr = (fn: MachineFunction, i: InstrId): boolean =>
  (opcodeTraits(fn.tables)[fn.opcode[i]] & OpcodeTrait.Debug) !== 0;

/** @llvm MachineInstr.h MachineInstr::isDebugOrPseudoInstr */
export const isDebugOrProbe = (fn: MachineFunction, i: InstrId): boolean =>
  (opcodeTraits(fn.tables)[fn.opcode[i]] & (OpcodeTrait.Debug | OpcodeTrait.PseudoProbe)) !== 0;

/**
 * The first of the terminators at the end of a block, between which debug instructions may stand; its end without one.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::getFirstTerminator
 */
export function firstTerminator({ fn, list }: FunctionEditor, b: BlockId): ListPos {
  let first: ListPos = ~b;
  for (let i = list.before(~b); i >= 0; i = list.before(i)) {
    if (hasOpcodeFlag(fn.tables, fn.opcode[i], McFlag.Terminator)) first = i;
    else if (!isDebugInstr(fn, i)) break;
  }
  return first;
}

/** @llvm MachineBasicBlock.cpp MachineBasicBlock::getFirstNonPHI */
export function firstNonPhi({ fn, list }: FunctionEditor, b: BlockId): ListPos {
  const traits = opcodeTraits(fn.tables);
  let i = list.first(b);
  while (i >= 0 && (traits[fn.opcode[i]] & OpcodeTrait.Phi) !== 0) i = list.after(i);
  return i;
}

/** The instruction before one, header or member; negative at the begin of the block. */
export function before({ fn, list }: FunctionEditor, i: InstrId): InstrId {
  if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) return i - 1;
  let at = list.before(i);
  while (at >= 0 && (fn.bundle[at] & BundleFlag.BundledSucc) !== 0) at++;
  return at;
}

/**
 * The same without those that are for debuggers or profilers alone.
 * @llvm MachineBasicBlock.h prev_nodbg
 */
export function beforeNoDebug(editor: FunctionEditor, i: InstrId): InstrId {
  let at = before(editor, i);
  while (at >= 0 && isDebugOrProbe(editor.fn, at)) at = before(editor, at);
  return at;
}

/**
 * The next instruction from a place on that is no debug instruction: what is put there is of its line; NO_LOCATION at the end of the block.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::findDebugLoc
 */
export function locationAt({ fn, list }: FunctionEditor, at: ListPos): InstrId {
  let i = at;
  while (i >= 0 && isDebugInstr(fn, i)) i = list.after(i);
  return i < 0 ? NO_LOCATION : i;
}

/** @llvm SIInstrInfo.cpp SIInstrInfo::hasDivergentBranch */
export function endsDivergent(editor: FunctionEditor, b: BlockId): boolean {
  const { fn, list } = editor;
  const divergent = opcodeSet(fn.tables, 'divergentBranch');
  for (let i = firstTerminator(editor, b); i >= 0; i = list.after(i)) if (divergent.has(fn.opcode[i])) return true;
  return false;
}
