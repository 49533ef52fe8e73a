/** Loops over the values of a vector register, one value at a time (docs/llvm/selected-code.md, 2). */
import { addSuccessor, removeSuccessor } from '../../model/edit/blockEdges.js';
import { regOperand, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import type { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OpFlag, OperandKind, type BlockId, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { virtRegIndex, type Reg } from '../../model/register.js';
import type { LaneMaskOps } from '../laneMaskOps.js';

/** The three blocks that one becomes. */
interface LaneLoop {
  readonly entry: BlockId;
  /** its successors are itself and the remainder */
  readonly loop: BlockId;
  /** what followed the instruction, with the successors of the old block */
  readonly remainder: BlockId;
}

/**
 * Splits the block after an instruction, and puts a loop between, empty yet. O(size of the block)
 * @llvm SIISelLowering.cpp splitBlockForLoop
 */
export function splitForLoop(editor: FunctionEditor, i: InstrId): LaneLoop {
  const { fn } = editor;
  const entry = fn.instrBlock[i];
  const loop = editor.insertBlock(entry);
  const remainder = editor.splitBehind(i, loop);
  fn.blocks[remainder].irName = null;
  fn.blocks[remainder].irBlockRef = null;
  removeSuccessor(fn, entry, remainder);
  addSuccessor(fn, entry, loop);
  addSuccessor(fn, loop, loop);
  addSuccessor(fn, loop, remainder);
  return { entry, loop, remainder };
}

/** A value that goes around the loop: what it begins with, what an iteration leaves, and what names it at the loop's start. */
interface Carried {
  readonly first: Reg;
  readonly next: Reg;
  readonly phi: Reg;
}

/**
 * A loop over the values of `index` in place of `i`: in each iteration EXEC has the lanes with one of them. `body` emits what an iteration does at the end of
 * the loop's block, with the value in a scalar register. EXEC is what it was afterwards.
 * @llvm SIISelLowering.cpp loadM0FromVGPR
 */
export function emitLaneLoop(
  b: InstrBuilder,
  ops: LaneMaskOps,
  i: InstrId,
  index: OperandId,
  { first, next, phi }: Carried,
  body: (end: ListPos, value: Reg) => void,
): void {
  const { fn, editor } = b;
  const { tables } = fn;
  const { exec, maskClass, waveMaskClass } = ops;
  const emit = (at: ListPos, opcode: number, ...operands: NewOperand[]): InstrId => b.build(at, i, opcode, operands);
  const named = (name: string): number => tables.opcodeByName(name);
  const def = (reg: Reg): NewOperand => regOperand(reg, OpFlag.Def);
  const saved = b.newVReg(waveMaskClass);
  const none = b.newVReg(waveMaskClass);
  emit(i, named('IMPLICIT_DEF'), def(none));
  emit(i, ops.mov, def(saved), regOperand(exec));

  const { entry, loop, remainder } = splitForLoop(editor, i);
  const landing = editor.insertBlock(loop);
  removeSuccessor(fn, loop, remainder);
  addSuccessor(fn, landing, remainder);
  addSuccessor(fn, loop, landing);

  const end = ~loop;
  const block = (val: BlockId): NewOperand => ({ kind: OperandKind.MBB, val });
  const join = (to: Reg, before: Reg, around: Reg): InstrId =>
    emit(end, named('PHI'), def(to), regOperand(before), block(entry), regOperand(around), block(loop));
  const maskPhi = b.newVReg(maskClass);
  const left = b.newVReg(maskClass);
  join(phi, first, next);
  join(maskPhi, none, left);
  const value = b.newVReg(tables.regClassByName('sreg_32_xm0'));
  const same = b.newVReg(maskClass);
  const lanes = fn.opVal[index];
  fn.vregs.hint[virtRegIndex(left)] = same;
  emit(end, named('V_READFIRSTLANE_B32'), def(value), regOperand(lanes, fn.opFlags[index] & OpFlag.Undef));
  emit(end, named('V_CMP_EQ_U32_e64'), def(same), regOperand(value), regOperand(lanes));
  emit(end, ops.andSaveExec, def(left), regOperand(same, OpFlag.Kill));
  body(end, value);
  emit(end, ops.xorTerm, def(exec), regOperand(exec), regOperand(left));
  emit(end, named('S_CBRANCH_EXECNZ'), block(loop));
  emit(~landing, ops.mov, def(exec), regOperand(saved));
}
