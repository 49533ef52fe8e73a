/** Instructions by what they compute: the same opcode and operands, the virtual registers that they define aside. */
import { OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { computeSame, isVirtualDef } from '../sameInstr.js';

/** Kinds of operands whose value says what they are; those of others are looked at where two are compared. */
const BY_VALUE =
  (1 << OperandKind.Register) |
  (1 << OperandKind.Immediate) |
  (1 << OperandKind.MBB) |
  (1 << OperandKind.FrameIndex) |
  (1 << OperandKind.DbgInstrRef);

/** @llvm MachineInstr.cpp MachineInstrExpressionTrait::getHashValue */
function hashOf(fn: MachineFunction, i: InstrId): number {
  let hash = fn.opcode[i] ^ (fn.numOperands(i) << 16);
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
    if (isVirtualDef(fn, o)) continue;
    const kind = fn.opKind[o];
    const value = ((BY_VALUE >> kind) & 1) !== 0 ? fn.opVal[o] : 0;
    const sub = kind === OperandKind.Register ? fn.opSub[o] : 0;
    hash = Math.imul(hash ^ value ^ (sub << 8) ^ (kind << 20), 0x01000193);
  }
  return hash;
}

export interface ExpressionEntry<T> {
  readonly instr: InstrId;
  readonly hash: number;
  value: T;
}

/** The last instruction of several that compute the same is found. An instruction is found as it was when it was put in. */
export class ExpressionMap<T> {
  private readonly byHash = new Map<number, ExpressionEntry<T>[]>();
  /** entries in the order in which they came */
  private readonly log: ExpressionEntry<T>[] = [];

  constructor(private readonly fn: MachineFunction) {}

  get size(): number {
    return this.log.length;
  }

  find(i: InstrId): ExpressionEntry<T> | null {
    const found = this.byHash.get(hashOf(this.fn, i));
    for (let k = (found?.length ?? 0) - 1; k >= 0; k--) if (computeSame(this.fn, found![k].instr, i)) return found![k];
    return null;
  }

  add(instr: InstrId, value: T): void {
    const entry = { instr, hash: hashOf(this.fn, instr), value };
    const found = this.byHash.get(entry.hash);
    if (found === undefined) this.byHash.set(entry.hash, [entry]);
    else found.push(entry);
    this.log.push(entry);
  }

  /** Takes the entries out again that came after there were `size`. */
  cutTo(size: number): void {
    while (this.log.length > size) this.byHash.get(this.log.pop()!.hash)!.pop();
  }
}
