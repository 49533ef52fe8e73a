/**
 * Whether a value is surely no poison, or no undef (isGuaranteedNotToBePoison and isGuaranteedNotToBeUndef of
 * llvm/Analysis/ValueTracking.cpp, LLVM 22).
 */
import {
  Argument,
  Constant,
  Instruction,
  InstFlag,
  Opcode,
  ValueKind,
  type BasicBlock,
  type Value,
} from '../module.js';
import { TypeKind } from '../types.js';
import { successorsOf, terminatorOf, transfersExecution, type FunctionFacts } from './functionFacts.js';
import {
  argumentHas,
  callHas,
  hasFlags,
  intConstant,
  intrinsicOf,
  opcodeOf,
  operandsOf,
  returnHas,
} from './patterns.js';

type Defect = 'poison' | 'undef';

const MAX_DEPTH = 6;
/** Instructions looked at after a definition for one that needs it defined. */
const MAX_SCAN = 32;

/** Flags that make an instruction poison; of floating point those of NaN and infinity. */
const POISON_FLAGS =
  InstFlag.NUW | InstFlag.NSW | InstFlag.Exact | InstFlag.Disjoint | InstFlag.NNeg | InstFlag.SameSign | InstFlag.InBounds |
  InstFlag.NUSW | InstFlag.NNan | InstFlag.NInf; // prettier-ignore

const DEFINED_WORDS = ['noundef', 'dereferenceable', 'dereferenceable_or_null'];

/** Whether `v` is surely without that defect at `at` (null: anywhere). */
export function isSurelyNot(
  defect: Defect,
  v: Value,
  at: Instruction | null,
  facts: FunctionFacts,
  depth: number,
): boolean {
  if (depth >= MAX_DEPTH || v.kind === ValueKind.MetadataAsValue) return false;
  if (v instanceof Argument && DEFINED_WORDS.some((word) => v.attributes?.has(word) === true)) return true;
  if (v.kind === ValueKind.Poison) return defect === 'undef';
  // What is undefined counts for neither of the two as poison, and for undef as itself.
  if (v.kind === ValueKind.Undef) return defect === 'poison';
  const constant = ofConstant(defect, v);
  if (constant !== null) return constant;
  if (isObject(stripped(v))) return true;
  if (opcodeOf(v) >= 0 && ofOperation(defect, v, at, facts, depth)) return true;
  if (
    v instanceof Instruction &&
    v.opcode === Opcode.Load &&
    v.attachments?.some((a) => DEFINED_WORDS.includes(a.kind)) === true
  )
    return true;
  if (isNeededDefined(defect, v, facts)) return true;
  return at !== null && isTestedBefore(defect, v, at, facts);
}

/** Null where a constant does not decide it. */
function ofConstant(defect: Defect, v: Value): boolean | null {
  switch (v.kind) {
    case ValueKind.ConstantInt:
    case ValueKind.ConstantFP:
    case ValueKind.ConstantNull:
    case ValueKind.GlobalVariable:
    case ValueKind.Function:
      return true;
    case ValueKind.ConstantZero:
      return v.type.isVector ? true : null;
    case ValueKind.ConstantAggregate: {
      if (!v.type.isVector) return null;
      const bad = defect === 'undef' ? ValueKind.Undef : ValueKind.Poison;
      return (v as Constant).operands.every((o) => o.kind !== bad && o.kind !== ValueKind.ConstantExpr);
    }
    default:
      return null;
  }
}

const isObject = (v: Value): boolean =>
  (v instanceof Instruction && v.opcode === Opcode.Alloca) ||
  v.kind === ValueKind.GlobalVariable ||
  v.kind === ValueKind.Function ||
  v.kind === ValueKind.ConstantNull;

/** Without casts and addresses at offset 0. */
function stripped(v: Value): Value {
  for (;;) {
    const op = opcodeOf(v);
    const operands = operandsOf(v);
    if (op === Opcode.BitCast && operands[0].type.isPointer) v = operands[0];
    else if (op === Opcode.GetElementPtr && operands.slice(1).every((o) => intConstant(o) === 0n)) v = operands[0];
    else return v;
  }
}

function ofOperation(defect: Defect, v: Value, at: Instruction | null, facts: FunctionFacts, depth: number): boolean {
  const op = opcodeOf(v);
  if (op === Opcode.Freeze) return true;
  const isCall = v instanceof Instruction && v.call !== null;
  if (isCall && DEFINED_WORDS.some((word) => returnHas(v, word))) return true;
  if (creates(defect, v)) return false;
  const isFine = (o: Value, where: Instruction | null): boolean => isSurelyNot(defect, o, where, facts, depth + 1);
  if (v instanceof Instruction && op === Opcode.Phi)
    return v.operands.every((o, k) => o === v || isFine(o, terminatorOf(v.blocks![k])));
  const splat = op === Opcode.ShuffleVector ? splattedValue(v) : null;
  if (splat !== null) return isFine(splat, at);
  return operandsOf(v).every((o) => isFine(o, at));
}

/** The scalar that a shuffle spreads over all lanes. */
export function splattedValue(v: Value): Value | null {
  if (!(v instanceof Instruction) || v.opcode !== Opcode.ShuffleVector) return null;
  if (v.indices?.every((k) => k === 0 || k === -1) !== true) return null;
  const insert = v.operands[0];
  if (opcodeOf(insert) !== Opcode.InsertElement) return null;
  const [, element, index] = operandsOf(insert);
  return intConstant(index) === 0n ? element : null;
}

/** Whether an operation can give the defect with operands that are without it. */
function creates(defect: Defect, v: Value): boolean {
  const isPoison = defect === 'poison';
  if (isPoison && hasPoisonAnnotations(v)) return true;
  const op = opcodeOf(v);
  const operands = operandsOf(v);
  switch (op) {
    case Opcode.Shl:
    case Opcode.LShr:
    case Opcode.AShr:
      return isPoison && !isAmountInRange(operands[1]);
    case Opcode.FPToSI:
    case Opcode.FPToUI:
    case Opcode.AddrSpaceCast:
      return true;
    case Opcode.Call:
    case Opcode.CallBr:
    case Opcode.Invoke: {
      const call = v as Instruction;
      const name = intrinsicOf(call);
      if ((name === 'ctlz' || name === 'cttz' || name === 'abs') && intConstant(operands[1]) === 0n) return false;
      if ((name === 'sshl.sat' || name === 'ushl.sat') && (!isPoison || isAmountInRange(operands[1]))) return false;
      return !returnHas(call, 'noundef') && !callHas(call, 'nocreateundeforpoison');
    }
    case Opcode.InsertElement:
    case Opcode.ExtractElement: {
      const index = intConstant(operands[op === Opcode.InsertElement ? 2 : 1]);
      return isPoison && (index === null || index >= BigInt(operands[0].type.n));
    }
    case Opcode.ShuffleVector:
      return isPoison && v instanceof Instruction && v.indices?.includes(-1) === true;
    case Opcode.FNeg:
    case Opcode.Phi:
    case Opcode.Select:
    case Opcode.ExtractValue:
    case Opcode.InsertValue:
    case Opcode.Freeze:
    case Opcode.ICmp:
    case Opcode.FCmp:
    case Opcode.GetElementPtr:
      return false;
    default:
      return op < Opcode.Add || op > Opcode.BitCast;
  }
}

function hasPoisonAnnotations(v: Value): boolean {
  if (opcodeOf(v) < 0) return false;
  if (hasAnyFlag(v)) return true;
  if (!(v instanceof Instruction)) return false;
  if (v.attachments?.some((a) => a.kind === 'range' || a.kind === 'nonnull' || a.kind === 'align') === true)
    return true;
  return v.call !== null && ['range', 'align', 'nonnull', 'nofpclass'].some((word) => returnHas(v, word));
}

function hasAnyFlag(v: Value): boolean {
  for (let flag = 1; flag <= POISON_FLAGS; flag <<= 1)
    if ((flag & POISON_FLAGS) !== 0 && hasFlags(v, flag)) return true;
  return false;
}

/** A constant amount of a shift that is below the width in each lane. */
function isAmountInRange(v: Value): boolean {
  const width = BigInt(v.type.scalar.n);
  const isFine = (o: Value): boolean => {
    const c = intConstant(o);
    return c !== null && c < width;
  };
  if (!v.type.isVector) return isFine(v);
  if (v.kind === ValueKind.ConstantZero) return true;
  return v.kind === ValueKind.ConstantAggregate && (v as Constant).operands.every(isFine);
}

/** Operands of which an instruction needs that they are no poison (`undef`: nothing undefined at all). */
function isNeeded(defect: Defect, i: Instruction, isSought: (o: Value) => boolean): boolean {
  const { operands } = i;
  switch (i.opcode) {
    case Opcode.Store:
      return isSought(operands[1]);
    case Opcode.Load:
    case Opcode.CmpXchg:
    case Opcode.AtomicRMW:
    case Opcode.Switch:
      return isSought(operands[0]);
    case Opcode.Br:
      return operands.length > 0 && isSought(operands[0]);
    case Opcode.Ret:
      return operands.length > 0 && i.parent.parent.retAttrs?.has('noundef') === true && isSought(operands[0]);
    case Opcode.Call:
    case Opcode.Invoke: {
      const n = operands.length - 1;
      if (operands[n].kind !== ValueKind.Function && operands[n].kind !== ValueKind.InlineAsm && isSought(operands[n]))
        return true;
      for (let k = 0; k < n; k++)
        if (isSought(operands[k]) && DEFINED_WORDS.some((word) => argumentHas(i, k, word))) return true;
      return false;
    }
    case Opcode.UDiv:
    case Opcode.SDiv:
    case Opcode.URem:
    case Opcode.SRem:
      return defect === 'poison' && isSought(operands[1]);
    default:
      return false;
  }
}

/** Intrinsics without operands that poison does not pass. */
const PASSES_POISON = new Set(
  (
    'sadd.with.overflow ssub.with.overflow smul.with.overflow uadd.with.overflow usub.with.overflow umul.with.overflow ctpop ctlz cttz ' +
    'abs smax smin umax umin scmp is.fpclass ptrmask ucmp bitreverse bswap sadd.sat ssub.sat sshl.sat uadd.sat usub.sat ushl.sat ' +
    'smul.fix smul.fix.sat umul.fix umul.fix.sat pow powi sin sinh cos cosh sincos sincospi tan tanh asin acos atan atan2 canonicalize ' +
    'sqrt exp exp2 exp10 log log2 log10 modf floor ceil trunc rint nearbyint round roundeven lrint llrint fshl fshr'
  ).split(' '),
);

/** Whether poison in operand `index` makes the result poison. */
function passesPoison(i: Instruction, index: number): boolean {
  switch (i.opcode) {
    case Opcode.Select:
      return index === 0;
    case Opcode.Call:
      return PASSES_POISON.has(intrinsicOf(i));
    case Opcode.ICmp:
    case Opcode.FCmp:
    case Opcode.GetElementPtr:
      return true;
    default:
      return i.opcode <= Opcode.AddrSpaceCast;
  }
}

/** Whether the program is undefined if `v` has the defect: something that surely runs after it needs it defined. */
function isNeededDefined(defect: Defect, v: Value, facts: FunctionFacts): boolean {
  let block: BasicBlock;
  let first: number;
  if (v instanceof Instruction) {
    block = v.parent;
    first = block.instructions.indexOf(v) + 1;
  } else if (v instanceof Argument && facts.fn.blocks.length > 0) {
    block = facts.fn.blocks[0];
    first = 0;
  } else return false;
  const poisoned = new Set<Value>([v]);
  const visited = new Set([block]);
  let left = MAX_SCAN;
  for (;;) {
    for (let k = first; k < block.instructions.length; k++) {
      const i = block.instructions[k];
      if (--left === 0) return false;
      if (isNeeded(defect, i, (o) => poisoned.has(o))) return true;
      if (!transfersExecution(i)) return false;
      // Undef does not spread as poison does.
      if (defect === 'undef') continue;
      if (i.operands.some((o, n) => poisoned.has(o) && passesPoison(i, n))) poisoned.add(i);
      else if (i.opcode === Opcode.Select && poisoned.has(i.operands[1]) && poisoned.has(i.operands[2]))
        poisoned.add(i);
    }
    const successors = successorsOf(block);
    if (defect === 'undef' || successors.length !== 1 || visited.has(successors[0])) return false;
    [block] = successors;
    visited.add(block);
    first = block.instructions.findIndex((i) => i.opcode !== Opcode.Phi);
  }
}

/** Whether a branch on the value, or one that is poison with it, comes before `at`. */
function isTestedBefore(defect: Defect, v: Value, at: Instruction, facts: FunctionFacts): boolean {
  const tree = facts.dominators;
  if (!tree.isReachable(at.parent)) return false;
  if (defect === 'poison' || v.type.kind === TypeKind.Integer) {
    for (let b = tree.parentOf(at.parent); b !== null; b = tree.parentOf(b)) {
      const last = terminatorOf(b);
      if (last === null || (last.opcode !== Opcode.Br && last.opcode !== Opcode.Switch) || last.operands.length === 0)
        continue;
      const [condition] = last.operands;
      if (condition === v) return true;
      if (
        defect === 'poison' &&
        condition instanceof Instruction &&
        condition.operands.some((o, k) => o === v && passesPoison(condition, k))
      )
        return true;
    }
  }
  return facts
    .assumptionsFor(v)
    .some(({ assume, bundle }) => bundle?.tag === 'noundef' && bundle.operands[0] === v && facts.holdsAt(assume, at));
}
