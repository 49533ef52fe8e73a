/** Operands and instructions that are the same wherever they stand. */
import { operandOf, type NewOperand } from './edit/functionEditor.js';
import { BundleFlag, OperandKind, OpFlag, type InstrId, type MachineFunction } from './machineFunction.js';
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

/** What is compared besides opcode and operands. */
export const enum InstrCheck {
  Plain,
  /** kill and dead flags, too (MachineInstr::CheckKillDead) */
  KillDead,
}

/**
 * Whether two instructions, with the members of their bundles, have the same opcode and operands. Debug instructions have to be of one line, too.
 * @llvm MachineInstr.cpp MachineInstr::isIdenticalTo
 */
export function sameInstr(fn: MachineFunction, a: InstrId, b: InstrId, check = InstrCheck.Plain): boolean {
  for (let [m, n] = [a, b]; ; m++, n++) {
    if (!sameMember(fn, m, n, check)) return false;
    const hasMore = (fn.bundle[m] & BundleFlag.BundledSucc) !== 0;
    if (hasMore !== ((fn.bundle[n] & BundleFlag.BundledSucc) !== 0)) return false;
    if (!hasMore) return true;
  }
}

/** The same without the members of a bundle. */
export function sameMember(fn: MachineFunction, a: InstrId, b: InstrId, check = InstrCheck.Plain): boolean {
  const n = fn.numOperands(a);
  if (fn.opcode[a] !== fn.opcode[b] || n !== fn.numOperands(b)) return false;
  for (let k = 0; k < n; k++) {
    const [p, q] = [fn.opBegin[a] + k, fn.opBegin[b] + k];
    if (!sameOperand(fn, operandOf(fn, p), operandOf(fn, q))) return false;
    if (check === InstrCheck.KillDead && ((fn.opFlags[p] ^ fn.opFlags[q]) & (OpFlag.Kill | OpFlag.Dead)) !== 0)
      return false;
  }
  const [first, second] = [fn.extras.get(a), fn.extras.get(b)];
  if (first === undefined && second === undefined) return true;
  if (first?.preInstrSymbol !== second?.preInstrSymbol || first?.postInstrSymbol !== second?.postInstrSymbol)
    return false;
  return !opcodeSet(fn.tables, 'debugInstr').has(fn.opcode[a]) || first?.debugLocation === second?.debugLocation;
}
