/** Operands and instructions that are the same wherever they stand. */
import { operandOf, type NewOperand } from './edit/functionEditor.js';
import { OperandKind, OpFlag, type InstrId, type MachineFunction } from './machineFunction.js';
import { opcodeSet } from '../target/opcodeSets.js';

/**
 * Whether two operands name the same thing: flags do not count, but for `def`.
 * @llvm MachineOperand.cpp MachineOperand::isIdenticalTo
 */
export function sameOperand(fn: MachineFunction, a: NewOperand, b: NewOperand): boolean {
  if (a.kind !== b.kind || (a.targetFlags ?? 0) !== (b.targetFlags ?? 0)) return false;
  switch (a.kind) {
    case OperandKind.Register:
      return a.val === b.val && (a.sub ?? 0) === (b.sub ?? 0) && (((a.flags ?? 0) ^ (b.flags ?? 0)) & OpFlag.Def) === 0;
    case OperandKind.Immediate:
    case OperandKind.MBB:
    case OperandKind.FrameIndex:
    case OperandKind.DbgInstrRef:
    case OperandKind.LaneMask:
      return a.val === b.val && (a.ext ?? 0) === (b.ext ?? 0);
    default:
      return a.val === b.val || payloadText(fn, a.val) === payloadText(fn, b.val);
  }
}

/** Payloads are small, and compared only where two operands are nearly the same. */
const payloadText = (fn: MachineFunction, at: number): string =>
  JSON.stringify(fn.payloads[at], (_, v: unknown) => (typeof v === 'bigint' ? `${v}n` : v));

/**
 * Whether two instructions have the same opcode and operands. Debug instructions have to be of one line, too.
 * @llvm MachineInstr.cpp MachineInstr::isIdenticalTo
 */
export function sameMember(fn: MachineFunction, a: InstrId, b: InstrId): boolean {
  const n = fn.numOperands(a);
  if (fn.opcode[a] !== fn.opcode[b] || n !== fn.numOperands(b)) return false;
  for (let k = 0; k < n; k++)
    if (!sameOperand(fn, operandOf(fn, fn.opBegin[a] + k), operandOf(fn, fn.opBegin[b] + k))) return false;
  const [first, second] = [fn.extras.get(a), fn.extras.get(b)];
  if (first === undefined && second === undefined) return true;
  if (first?.preInstrSymbol !== second?.preInstrSymbol || first?.postInstrSymbol !== second?.postInstrSymbol)
    return false;
  return !opcodeSet(fn.tables, 'debugInstr').has(fn.opcode[a]) || first?.debugLocation === second?.debugLocation;
}
