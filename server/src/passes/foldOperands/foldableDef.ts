/** Values that si-fold-operands puts in the place of a register (docs/llvm/folding.md, 3). */
import type { NewOperand } from '../../model/edit/functionEditor.js';
import { OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { RegClassId, TargetTables } from '../../target/index.js';
import type { InstrForms } from '../instrForms.js';

/** @llvm SIFoldOperands.cpp FoldableDef */
export interface FoldableDef {
  readonly op: NewOperand;
  /** class of the register that has the value */
  readonly rc: RegClassId;
  /** instruction and operand that the value stands in; null: it stands in none as it is */
  readonly source: { readonly instr: InstrId; readonly k: number } | null;
  /** part of the value that is read */
  readonly sub: number;
}

/** @llvm SIFoldOperands.cpp FoldCandidate */
export interface FoldCandidate {
  readonly user: InstrId;
  readonly k: number;
  readonly def: FoldableDef;
  readonly isCommuted: boolean;
  /** form of 32 bits that has room for the value; -1: it stays as it is */
  readonly short: number;
}

export const isRegDef = ({ op }: FoldableDef): boolean => op.kind === OperandKind.Register;
export const isImmDef = ({ op }: FoldableDef): boolean => op.kind === OperandKind.Immediate;
export const isFrameDef = ({ op }: FoldableDef): boolean => op.kind === OperandKind.FrameIndex;
/** something that is the same all over the function */
export const isConstantDef = ({ op }: FoldableDef): boolean => isConstant(op);

export const isConstant = ({ kind }: NewOperand): boolean =>
  kind === OperandKind.Immediate || kind === OperandKind.FrameIndex || kind === OperandKind.GlobalAddress;

/** The same value seen through one more part. */
export const partOf = (tables: TargetTables, def: FoldableDef, sub: number): FoldableDef => ({
  ...def,
  sub: sub === 0 ? def.sub : def.sub === 0 ? sub : tables.composeSubRegIndices(def.sub, sub),
});

/** A signed number of 64 bits. */
export interface Value64 {
  readonly lo: number;
  readonly hi: number;
}

export const valueOf = ({ val, ext = 0 }: NewOperand): Value64 => ({ lo: val, hi: ext });

export const immOf = ({ lo, hi }: Value64): NewOperand => ({ kind: OperandKind.Immediate, val: lo, ext: hi });

const word = (lo: number): Value64 => ({ lo, hi: lo >> 31 });
const half = (bits: number): Value64 => word((bits << 16) >> 16);

/**
 * Part `sub` of a constant; null: no constant that this knows.
 * @llvm SIInstrInfo.cpp SIInstrInfo::extractSubregFromImm
 */
export function partOfConstant(tables: TargetTables, value: Value64, sub: number): Value64 | null {
  switch (sub === 0 ? '' : tables.subRegIndexName(sub)) {
    case '':
      return value;
    case 'sub0':
      return word(value.lo);
    case 'sub1':
      return word(value.hi);
    case 'lo16':
      return half(value.lo);
    case 'hi16':
      return half(value.lo >> 16);
    case 'sub1_lo16':
      return half(value.hi);
    case 'sub1_hi16':
      return half(value.hi >> 16);
    default:
      return null;
  }
}

/** The constant that is read; null: it is none, or none of the parts that have a value of their own. */
export const constantOf = (fn: MachineFunction, def: FoldableDef): Value64 | null =>
  isImmDef(def) ? partOfConstant(fn.tables, valueOf(def.op), def.sub) : null;

/**
 * Whether the value may stand at operand `k`.
 * @llvm SIFoldOperands.cpp FoldableDef::isOperandLegal
 */
export function fitsAt({ fn, legality }: InstrForms, def: FoldableDef, i: InstrId, k: number): boolean {
  if (isImmDef(def)) {
    const value = constantOf(fn, def);
    return value !== null && legality.isOperandLegal(i, k, immOf(value));
  }
  return def.sub === 0 && legality.isOperandLegal(i, k, def.op);
}
