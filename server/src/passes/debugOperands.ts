/** Operands of a debug value that say where its variable is. */
import type { FunctionEditor, NewOperand } from '../model/edit/functionEditor.js';
import { OperandKind, type InstrId, type MachineFunction, type OperandId } from '../model/machineFunction.js';
import { NO_REG, type Reg } from '../model/register.js';
import { NotModelled } from './machinePass.js';

export const isDebugList = (fn: MachineFunction, value: InstrId): boolean =>
  fn.tables.opcodeName(fn.opcode[value]) === 'DBG_VALUE_LIST';

/** Those that are the register, NO_REG: any. */
export function debugOperands(fn: MachineFunction, value: InstrId, reg: Reg): OperandId[] {
  const begin = fn.opBegin[value];
  const [from, to] = isDebugList(fn, value) ? [begin + 2, fn.opBegin[value + 1]] : [begin, begin + 1];
  const found: OperandId[] = [];
  for (let o = from; o < to; o++)
    if (fn.opKind[o] === OperandKind.Register && (reg === NO_REG || fn.opVal[o] === reg)) found.push(o);
  return found;
}

/** They name what another operand names. */
export function renameOperands(editor: FunctionEditor, operands: readonly OperandId[], source: OperandId): void {
  const { fn } = editor;
  for (const o of operands) {
    editor.setReg(o, fn.opVal[source]);
    fn.opSub[o] = fn.opSub[source];
  }
}

/**
 * Nothing is known of the variable from here on.
 * @llvm MachineInstr.h MachineInstr::setDebugValueUndef
 */
export function loseDebugValue(editor: FunctionEditor, value: InstrId): void {
  for (const o of debugOperands(editor.fn, value, NO_REG)) {
    editor.setReg(o, NO_REG);
    editor.fn.opSub[o] = 0;
  }
}

/** Equal for operands that name one node. */
export function metadataKey(fn: MachineFunction, o: OperandId): string {
  if (fn.opKind[o] !== OperandKind.Metadata) throw new NotModelled('debug values without a variable');
  const { text, node } = fn.payload(o, OperandKind.Metadata);
  return text.startsWith('<') ? `${text}${node}` : text;
}

/** Equal for operands that name one place or one value. */
export function operandKey(fn: MachineFunction, { kind, val, ext = 0, sub = 0, targetFlags = 0 }: NewOperand): string {
  if (kind === OperandKind.Register) return `r${val}:${sub}`;
  const payload = PLAIN_KINDS.has(kind)
    ? ''
    : JSON.stringify(fn.payloads[val], (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v));
  return `${kind} ${payload === '' ? val : payload} ${ext} ${targetFlags}`;
}

/** Operands whose value is no index of a payload. */
const PLAIN_KINDS: ReadonlySet<OperandKind> = new Set([OperandKind.Immediate, OperandKind.FrameIndex, OperandKind.MBB]);
