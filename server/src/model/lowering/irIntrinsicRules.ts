/**
 * What LLVM's IR verifier demands of single intrinsics besides their signature (Verifier.cpp: visitIntrinsicCall, visitVPIntrinsic,
 * visitConstrainedFPIntrinsic, LLVM 22), in the words of llc-22. Not checked: garbage collection's statepoints, coroutines, exception handling,
 * and intrinsics of other targets.
 */
import type { AttributeSet } from '../../ir/attributes.js';
import { attributeOrder } from '../../ir/attributes.js';
import { indexBits } from '../../ir/dataLayout.js';
import { intrinsicBaseName, intrinsicSignature, mangledIntrinsicName } from '../../ir/intrinsics.js';
import {
  Argument,
  Constant,
  GlobalAlias,
  GlobalVariable,
  GlobalValue,
  callingConvName,
  IRFunction,
  Instruction,
  MDNode,
  MDString,
  MetadataAsValue,
  Opcode,
  ValueKind,
  type CallInfo,
  type IRModule,
  type OperandBundle,
  type Value,
} from '../../ir/module.js';
import { TypeKind, type IRType } from '../../ir/types.js';
import { isSetup, PREALLOCATED_ARG, setupProblem } from './irPreallocatedRules.js';

/** What stands below a message: the call, or a value. */
export type Shown = 'call' | Value;

/** Takes a complaint and what LLVM prints below it. */
type Complain = (message: string, ...shown: readonly Shown[]) => void;

const isInt = (t: IRType): boolean => t.scalar.kind === TypeKind.Integer;
const isFP = (t: IRType): boolean => t.scalar.isFloatingPoint;
const isPtr = (t: IRType): boolean => t.scalar.isPointer;
const isLaneMask = (t: IRType): boolean => t.scalar.kind === TypeKind.Integer && t.scalar.n === 1;
const isPowerOf2 = (n: bigint): boolean => n > 0n && (n & (n - 1n)) === 0n;
const areAsLong = (a: IRType, b: IRType): boolean => a.n === b.n && a.kind === b.kind;

const FP_BITS: Partial<Record<TypeKind, number>> = {
  [TypeKind.Half]: 16,
  [TypeKind.BFloat]: 16,
  [TypeKind.Float]: 32,
  [TypeKind.Double]: 64,
  [TypeKind.X86FP80]: 80,
  [TypeKind.FP128]: 128,
  [TypeKind.PPCFP128]: 128,
};

/**
 * Pointers have none.
 * @llvm Type.cpp Type::getScalarSizeInBits
 */
const scalarBits = ({ scalar }: IRType): number =>
  scalar.kind === TypeKind.Integer ? scalar.n : (FP_BITS[scalar.kind] ?? 0);

/** A call of an intrinsic whose signature is right. */
class IntrinsicCall {
  readonly args: readonly Value[];

  constructor(
    readonly i: Instruction,
    readonly call: CallInfo,
    readonly callee: IRFunction,
    readonly caller: IRFunction,
    readonly complain: Complain,
  ) {
    this.args = i.operands.slice(0, i.operands.length - 1);
  }

  get type(): IRType {
    return this.i.type;
  }

  argType(k: number): IRType {
    return this.args[k]!.type;
  }

  /** Complains unless the condition holds, which it returns. */
  check(holds: boolean, message: string, ...shown: readonly Shown[]): boolean {
    if (!holds) this.complain(message, ...shown);
    return holds;
  }

  /** An integer argument as an unsigned number, null for another value. */
  integer(k: number): bigint | null {
    const value = this.args[k];
    if (!(value instanceof Constant) || value.kind !== ValueKind.ConstantInt) return null;
    return BigInt.asUintN(value.type.n, value.value);
  }

  signed(k: number): bigint | null {
    const n = this.integer(k);
    return n === null ? null : BigInt.asIntN(this.argType(k).n, n);
  }

  /** The string that a metadata argument is, null for another. */
  word(k: number): string | null {
    const value = this.args[k];
    return value instanceof MetadataAsValue && value.metadata instanceof MDString ? value.metadata.value : null;
  }

  /** Of an argument, at the call or at the declaration. */
  hasAttribute(k: number, word: string): boolean {
    const has = (a: AttributeSet | null | undefined): boolean => a?.has(word) === true;
    return has(this.call.paramAttrs[k]) || has(this.callee.args[k]?.attributes);
  }
}

type Rule = (c: IntrinsicCall) => void;

const ruleOf = new Map<string, Rule>();

function rule(names: string, run: Rule): void {
  for (const name of names.split(' ')) ruleOf.set(name, run);
}

/** Checks a call whose function type is that of the intrinsic's declaration. */
export function verifyIntrinsicCall(
  i: Instruction,
  call: CallInfo,
  callee: IRFunction,
  caller: IRFunction,
  module: IRModule,
  complain: Complain,
): void {
  const c = new IntrinsicCall(i, call, callee, caller, complain);
  if (!c.check(callee.isDeclaration, 'Intrinsic functions should never be defined!', callee)) return;
  const name = callee.name ?? '';
  const { intrinsics } = module.dialect;
  const signature = intrinsicSignature(name, callee.fnType, module.types, intrinsics);
  const base = intrinsicBaseName(name, intrinsics);
  if (signature === null || base === null) return;
  if (typeof signature === 'string') {
    const word =
      signature === 'return'
        ? 'Intrinsic has incorrect return type!'
        : signature === 'argument'
          ? 'Intrinsic has incorrect argument type!'
          : callee.fnType.flag
            ? 'Intrinsic was not defined with variable arguments!'
            : 'Callsite was not defined with variable arguments!';
    complain(word, callee);
    return;
  }
  const expected = signature.length === 0 ? base : mangledIntrinsicName(base, signature);
  const mangled = 'Intrinsic name not mangled correctly for type arguments! Should be: ';
  if (!c.check(expected === name, `${mangled}${expected}`, callee)) return;
  const plain = base.slice('llvm.'.length);
  const own = ruleOf.get(plain);
  if (own !== undefined) own(c);
  else if (plain.startsWith('vp.')) checkVectorPredicated(c, plain);
  else if (plain.startsWith('experimental.constrained.')) checkConstrained(c, plain.slice(CONSTRAINED));
}

// -- preallocated arguments ---------------------------------------------------------------------------------------

rule('call.preallocated.setup', (c) => {
  const problem = setupProblem(c.i, c.caller);
  if (problem !== null) c.complain(problem.message, ...problem.shown);
});
rule('call.preallocated.arg call.preallocated.teardown', (c) => {
  const name = c.callee.name ?? '';
  if (!c.check(isSetup(c.args[0]), `${name} token argument must be a llvm.call.preallocated.setup`)) return;
  const isMarked = c.call.fnAttrs?.has('preallocated') === true;
  if (name === PREALLOCATED_ARG) c.check(isMarked, `${name} must be called with a "preallocated" call site attribute`);
});

// -- assumptions --------------------------------------------------------------------------------------------------

const INTEGER_ATTRIBUTES = new Set(
  'align allockind allocsize captures dereferenceable dereferenceable_or_null memory nofpclass alignstack uwtable vscale_range'.split(
    ' ',
  ),
);
const PARAMETER_ATTRIBUTES = new Set(
  (
    'allocalign allocptr dead_on_return dead_on_unwind immarg inreg nest noalias noext nofree noundef nonnull readnone readonly returned ' +
    'signext swiftasync swifterror swiftself writable writeonly zeroext byref byval elementtype inalloca preallocated sret range initializes'
  ).split(' '),
);

rule('assume', (c) => {
  // What is ignored ends the list.
  for (const bundle of c.call.bundles) if (!checkAssumption(c, bundle) || bundle.tag === 'ignore') return;
});

/** Whether one bundle of an assumption is right. */
function checkAssumption(c: IntrinsicCall, { tag, operands }: OperandBundle): boolean {
  const n = operands.length;
  const check = (holds: boolean, message: string): boolean => c.check(holds, message, 'call');
  const isPointerAt = (k: number): boolean => operands[k]?.type.isPointer === true;
  const isIntegerAt = (k: number): boolean => operands[k]?.type.kind === TypeKind.Integer;
  const isAttribute = attributeOrder().includes(tag);
  switch (tag) {
    case 'separate_storage':
      return (
        check(n === 2, 'separate_storage assumptions should have 2 arguments') &&
        check(isPointerAt(0) && isPointerAt(1), 'arguments to separate_storage assumptions should be pointers')
      );
    case 'align':
      return (
        check(n === 2 || n === 3, 'alignment assumptions should have 2 or 3 arguments') &&
        check(isPointerAt(0), 'first argument should be a pointer') &&
        check(isIntegerAt(1), 'second argument should be an integer') &&
        check(n === 2 || isIntegerAt(2), 'third argument should be an integer if present')
      );
    case 'dereferenceable':
      return (
        check(n === 2, 'dereferenceable assumptions should have 2 arguments') &&
        check(isPointerAt(0), 'first argument should be a pointer') &&
        check(isIntegerAt(1), 'second argument should be an integer')
      );
  }
  if (!check(tag === 'ignore' || isAttribute, 'tags must be valid attribute names')) return false;
  if (!check(n <= 2, 'too many arguments')) return false;
  if (!isAttribute) return true;
  if (INTEGER_ATTRIBUTES.has(tag)) {
    if (!check(n === 2, 'this attribute should have 2 arguments')) return false;
    const isConstant = operands[1]!.kind === ValueKind.ConstantInt;
    return check(isConstant, 'the second argument should be a constant integral value');
  }
  if (PARAMETER_ATTRIBUTES.has(tag)) return check(n === 1, 'this attribute should have one argument');
  return check(n === 0, 'this attribute has no argument');
}

// -- arithmetic ---------------------------------------------------------------------------------------------------

rule('ucmp scmp', (c) => {
  const [source, result] = [c.argType(0), c.type];
  if (!c.check(scalarBits(result) >= 2, 'result type must be at least 2 bits wide', 'call')) return;
  const message = 'ucmp/scmp argument and result types must both be either vector or scalar types';
  if (!c.check(source.isVector === result.isVector, message, 'call') || !result.isVector) return;
  c.check(areAsLong(source, result), 'return type and arguments must have the same number of elements', 'call');
});

const ALL_FP_CLASSES = 0x3ffn;

rule('is.fpclass', (c) => {
  c.check(((c.integer(1) ?? 0n) & ~ALL_FP_CLASSES) === 0n, 'unsupported bits for llvm.is.fpclass test mask');
});

const ROUNDING = ['round.tonearest', 'round.downward', 'round.upward', 'round.towardzero', 'round.tonearestaway'];
const EXCEPTIONS = ['fpexcept.ignore', 'fpexcept.maytrap', 'fpexcept.strict'];

rule('fptrunc.round', (c) => {
  const word = c.word(1);
  if (word === null) {
    const m = c.args[1] instanceof MetadataAsValue ? c.args[1] : null;
    const message = 'invalid value for llvm.fptrunc.round metadata operand (the operand should be a string)';
    c.complain(message, ...(m === null ? [] : [m]));
    return;
  }
  c.check(ROUNDING.includes(word), 'unsupported rounding mode argument', 'call');
});

rule('smul.fix smul.fix.sat sdiv.fix sdiv.fix.sat umul.fix umul.fix.sat udiv.fix udiv.fix.sat', (c) => {
  const of = '[us][mul|div]_fix[_sat]';
  if (!c.check(isInt(c.argType(0)), `first operand of ${of} must be an int type or vector of ints`)) return;
  if (!c.check(isInt(c.argType(1)), `second operand of ${of} must be an int type or vector of ints`)) return;
  const [scale, bits] = [c.integer(2) ?? 0n, BigInt(scalarBits(c.argType(0)))];
  const isSigned = c.callee.name?.startsWith('llvm.s') === true;
  if (isSigned) c.check(scale < bits, 'the scale of s[mul|div]_fix[_sat] must be less than the width of the operands');
  else
    c.check(scale <= bits, 'the scale of u[mul|div]_fix[_sat] must be less than or equal to the width of the operands');
});

rule('lrint llrint lround llround', (c) => {
  const [value, result] = [c.argType(0), c.type];
  const of = (words: string): string => `${c.callee.name ?? ''}: ${words}`;
  const kinds =
    'argument must be floating-point or vector of floating-points, and result must be integer or vector of integers';
  if (!c.check(isFP(value) && isInt(result), of(kinds), 'call')) return;
  if (!c.check(value.isVector === result.isVector, of('argument and result disagree on vector use'), 'call')) return;
  if (value.isVector) c.check(areAsLong(value, result), of('argument must be same length as result'), 'call');
});

rule('bswap', (c) => {
  c.check(scalarBits(c.type) % 16 === 0, 'bswap must be an even number of bytes', 'call');
});

// -- memory -------------------------------------------------------------------------------------------------------

rule('memcpy.element.unordered.atomic memmove.element.unordered.atomic memset.element.unordered.atomic', (c) => {
  const size = c.integer(3) ?? 0n;
  const message = 'element size of the element-wise atomic memory intrinsic must be a power of 2';
  if (!c.check(isPowerOf2(size), message, 'call')) return;
  const isAligned = (k: number): boolean => {
    const align = c.call.paramAttrs[k]?.get('align')?.numbers?.[0];
    return align !== undefined && size <= align;
  };
  if (!c.check(isAligned(0), 'incorrect alignment of the destination argument', 'call')) return;
  if (c.callee.name?.startsWith('llvm.memset') !== true)
    c.check(isAligned(1), 'incorrect alignment of the source argument', 'call');
});

rule('invariant.start', (c) => {
  const size = c.signed(0);
  c.check(size !== null && size >= -1n, 'invariant_start parameter must be -1, 0 or a positive number', 'call');
});

rule('prefetch', (c) => {
  const below = (k: number, limit: bigint, words: string): boolean =>
    c.check(
      (c.integer(k) ?? 0n) < limit,
      `${words.split(':')[0]!} argument to llvm.prefetch must be ${words.split(':')[1]!}`,
      'call',
    );
  if (below(1, 2n, 'rw:0-1') && below(2, 4n, 'locality:0-3')) below(3, 2n, 'cache type:0-1');
});

/** What a pointer is a cast of. */
function stripped(v: Value | undefined): Value | null {
  let at = v ?? null;
  while (at instanceof Instruction || (at instanceof Constant && at.kind === ValueKind.ConstantExpr)) {
    const { opcode, operands }: Instruction | Constant = at;
    if (opcode !== Opcode.BitCast && opcode !== Opcode.AddrSpaceCast) break;
    at = operands[0] ?? null;
  }
  return at;
}
const isAlloca = (v: Value | null): v is Instruction => v instanceof Instruction && v.opcode === Opcode.Alloca;

rule('init.trampoline', (c) => {
  const message = 'llvm.init_trampoline parameter #2 must resolve to a function.';
  c.check(stripped(c.args[1]) instanceof IRFunction, message, 'call');
});

rule('stackprotector', (c) => {
  c.check(isAlloca(stripped(c.args[1])), 'llvm.stackprotector parameter #2 must resolve to an alloca.', 'call');
});

rule('gcroot gcwrite gcread', (c) => {
  if (c.callee.name === 'llvm.gcroot') {
    const slot = stripped(c.args[0]);
    if (!c.check(isAlloca(slot), 'llvm.gcroot parameter #1 must be an alloca.', 'call')) return;
    const isConstant = c.args[1] instanceof Constant || c.args[1] instanceof GlobalValue;
    if (!c.check(isConstant, 'llvm.gcroot parameter #2 must be a constant.', 'call')) return;
  }
  c.check(c.caller.gc !== '', 'Enclosing function does not use GC.', 'call');
});

rule('va_start', (c) => {
  c.check(c.caller.fnType.flag, 'va_start called in a non-varargs function');
});

rule('threadlocal.address', (c) => {
  const [value] = c.args;
  const message = 'llvm.threadlocal.address first argument must be a GlobalValue';
  if (!c.check(value instanceof GlobalValue, message)) return;
  const isLocal = (value instanceof GlobalVariable || value instanceof GlobalAlias) && value.threadLocal !== '';
  c.check(isLocal, 'llvm.threadlocal.address operand isThreadLocal() must be true');
});

rule('ptrmask', (c) => {
  const [pointer, mask] = [c.argType(0), c.argType(1)];
  const of = 'llvm.ptrmask intrinsic';
  if (!c.check(isPtr(pointer), `${of} first argument must be pointer or vector of pointers`, 'call')) return;
  const shapes = `${of} arguments must be both scalars or both vectors`;
  if (!c.check(pointer.isVector === mask.isVector, shapes, 'call')) return;
  const lengths = `${of} arguments must have the same number of elements`;
  if (pointer.isVector && !c.check(areAsLong(pointer, mask), lengths, 'call')) return;
  const widths = `${of} second argument bitwidth must match pointer index type size of first argument`;
  c.check(indexBits(pointer.scalar.n) === scalarBits(mask), widths, 'call');
});

const PRIVATE_POINTER_BITS = 32;

rule('get.dynamic.area.offset', (c) => {
  const message = 'get_dynamic_area_offset result type must be scalar integer matching alloca address space width';
  c.check(c.type.kind === TypeKind.Integer && c.type.n === PRIVATE_POINTER_BITS, message, 'call');
});

const GLOBAL_ADDRESS = 1;

rule('thread.pointer', (c) => {
  const message = 'llvm.thread.pointer intrinsic return type must be for the globals address space';
  c.check(c.type.n === GLOBAL_ADDRESS, message, 'call');
});

rule('reloc.none', (c) => {
  c.check(c.word(0) !== null, 'llvm.reloc.none argument must be a metadata string', 'call');
});

rule('lifetime.start lifetime.end', (c) => {
  const value = c.args[0] ?? null;
  const message = 'llvm.lifetime.start/end can only be used on alloca or poison';
  c.check(isAlloca(value) || value?.kind === ValueKind.Poison, message, 'call');
});

rule('preserve.array.access.index preserve.struct.access.index', (c) => {
  const message = 'Intrinsic requires elementtype attribute on first argument.';
  c.check(c.hasAttribute(0, 'elementtype'), message, 'call');
});

rule('callbr.landingpad', (c) => {
  const source = c.args[0];
  const isBranch = source instanceof Instruction && source.opcode === Opcode.CallBr;
  c.check(isBranch, 'intrinstic requires callbr operand', 'call');
});

rule('eh.exceptioncode eh.exceptionpointer', (c) => {
  const source = c.args[0];
  const isPad = source instanceof Instruction && source.opcode === Opcode.CatchPad;
  c.check(isPad, 'eh.exceptionpointer argument must be a catchpad', 'call');
});

// -- guards -------------------------------------------------------------------------------------------------------

const deoptBundles = (c: IntrinsicCall): number => c.call.bundles.filter(({ tag }) => tag === 'deopt').length;

rule('experimental.guard', (c) => {
  c.check(deoptBundles(c) === 1, 'experimental_guard must have exactly one "deopt" operand bundle');
});

rule('experimental.deoptimize', (c) => {
  if (!c.check(deoptBundles(c) === 1, 'experimental_deoptimize must have exactly one "deopt" operand bundle')) return;
  const result = c.caller.fnType.elements[0];
  if (!c.check(c.type === result, 'experimental_deoptimize return type must match caller return type')) return;
  const { instructions } = c.i.parent;
  const next = instructions[instructions.indexOf(c.i) + 1];
  const message = 'calls to experimental_deoptimize must be followed by a return';
  if (!c.check(next?.opcode === Opcode.Ret, message)) return;
  if (c.type.kind !== TypeKind.Void)
    c.check(next?.operands[0] === c.i, `${message} of the value computed by experimental_deoptimize`);
});

// -- vectors ------------------------------------------------------------------------------------------------------

rule('get.active.lane.mask', (c) => {
  if (c.check(c.type.isVector, 'get_active_lane_mask: must return a vector', 'call'))
    c.check(isLaneMask(c.type), 'get_active_lane_mask: element type is not i1', 'call');
});

rule('experimental.get.vector.length', (c) => {
  c.check((c.signed(1) ?? 1n) > 0n, 'get_vector_length: VF must be positive', 'call');
});

rule('masked.load', (c) => {
  if (!c.check(c.type.isVector, 'masked_load: must return a vector', 'call')) return;
  const mask = c.argType(1);
  if (!c.check(mask.isVector, 'masked_load: mask must be vector', 'call')) return;
  if (!c.check(c.argType(2) === c.type, 'masked_load: pass through and return type must match', 'call')) return;
  c.check(areAsLong(mask, c.type), 'masked_load: vector mask must be same length as return', 'call');
});

rule('masked.store', (c) => {
  const [value, mask] = [c.argType(0), c.argType(2)];
  if (c.check(mask.isVector, 'masked_store: mask must be vector', 'call'))
    c.check(areAsLong(mask, value), 'masked_store: vector mask must be same length as value', 'call');
});

const WRONG_ARGUMENT = 'Intrinsic has incorrect argument type!';
const reductions = (words: string): string =>
  words
    .split(' ')
    .map((word) => `vector.reduce.${word}`)
    .join(' ');

rule(reductions('and or xor add mul smax smin umax umin'), (c) => {
  c.check(isInt(c.argType(0)) && c.argType(0).isVector, WRONG_ARGUMENT);
});
rule(reductions('fmax fmin'), (c) => {
  c.check(isFP(c.argType(0)) && c.argType(0).isVector, WRONG_ARGUMENT);
});
rule(reductions('fadd fmul'), (c) => {
  c.check(isFP(c.argType(1)) && c.argType(1).isVector, WRONG_ARGUMENT);
});

/** Operands of a matrix operation: the vectors beside the result, the stride, rows and columns. */
interface MatrixShape {
  readonly result: IRType;
  readonly first: IRType | null;
  readonly second: IRType | null;
  readonly stride: bigint | null;
  readonly rows: bigint;
  readonly columns: bigint;
}

function checkMatrix(c: IntrinsicCall, s: MatrixShape): void {
  const element = s.result.scalar;
  const isNumber = element.kind === TypeKind.Integer || element.isFloatingPoint;
  if (!c.check(isNumber, 'Result type must be an integer or floating-point type!', c.callee)) return;
  const of = (word: string): string => `Vector element type mismatch of the result and ${word} operand vector!`;
  if (s.first !== null && !c.check(s.first.scalar === element, of('first'), c.callee)) return;
  if (s.second !== null && !c.check(s.second.scalar === element, of('second'), c.callee)) return;
  const fits = BigInt(s.result.n) === s.rows * s.columns;
  if (!c.check(fits, 'Result of a matrix operation does not fit in the returned vector!')) return;
  if (s.stride !== null)
    c.check(s.stride >= s.rows, 'Stride must be greater or equal than the number of rows!', c.callee);
}

rule('matrix.multiply', (c) => {
  const [rows, inner, columns] = [2, 3, 4].map((k) => c.integer(k) ?? 0n) as [bigint, bigint, bigint];
  const [first, second] = [c.argType(0), c.argType(1)];
  const of = (word: string): string => `${word} argument of a matrix operation does not match specified shape!`;
  if (!c.check(BigInt(first.n) === rows * inner, of('First'))) return;
  if (!c.check(BigInt(second.n) === inner * columns, of('Second'))) return;
  checkMatrix(c, { result: c.type, first, second, stride: null, rows, columns });
});
rule('matrix.transpose', (c) => {
  const [rows, columns] = [c.integer(1) ?? 0n, c.integer(2) ?? 0n];
  checkMatrix(c, { result: c.type, first: c.argType(0), second: null, stride: null, rows, columns });
});
rule('matrix.column.major.load', (c) => {
  const [rows, columns] = [c.integer(3) ?? 0n, c.integer(4) ?? 0n];
  checkMatrix(c, { result: c.type, first: null, second: null, stride: c.integer(1), rows, columns });
});
rule('matrix.column.major.store', (c) => {
  const [rows, columns] = [c.integer(4) ?? 0n, c.integer(5) ?? 0n];
  const result = c.argType(0);
  checkMatrix(c, { result, first: result, second: null, stride: c.integer(2), rows, columns });
});

const SPLICE_RANGE =
  'The splice index exceeds the range [-VL, VL-1] where VL is the known minimum number of elements in the vector. For scalable vectors ' +
  'the minimum number of elements is determined from vscale_range.';

function checkSplice(c: IntrinsicCall): void {
  const index = c.signed(2) ?? 0n;
  const n = BigInt(c.type.n);
  c.check(index >= -n && index < n, SPLICE_RANGE, 'call');
}
rule('experimental.vp.splice', checkSplice);

rule('stepvector', (c) => {
  const message = 'stepvector only supported for vectors of integers with a bitwidth of at least 8.';
  c.check(c.type.isVector && isInt(c.type) && scalarBits(c.type) >= 8, message, 'call');
});

rule('experimental.vector.match', (c) => {
  const [first, second, mask] = [c.argType(0), c.argType(1), c.argType(2)];
  if (!c.check(first.isVector && second.isVector && mask.isVector, 'Operands must be vectors.', 'call')) return;
  const isFixed = second.kind === TypeKind.FixedVector;
  if (!c.check(isFixed, 'Second operand must be a fixed length vector.', 'call')) return;
  if (!c.check(isInt(first), 'First operand must be a vector of integers.', 'call')) return;
  const sameElement = 'First two operands must have the same element type.';
  if (!c.check(first.scalar === second.scalar, sameElement, 'call')) return;
  const sameLength = 'First operand and mask must have the same number of elements.';
  if (!c.check(areAsLong(first, mask), sameLength, 'call')) return;
  if (!c.check(isLaneMask(mask), "Mask must be a vector of i1's.", 'call')) return;
  c.check(c.type === mask, 'Return type must match the mask type.', 'call');
});

rule('vector.insert', (c) => {
  const [whole, part, index] = [c.argType(0), c.argType(1), Number(BigInt.asUintN(32, c.integer(2) ?? 0n))];
  const element = 'vector_insert parameters must have the same element type.';
  if (!c.check(whole.scalar === part.scalar, element, 'call')) return;
  const multiple = "vector_insert index must be a constant multiple of the subvector's known minimum vector length.";
  if (!c.check(index % part.n === 0, multiple) || whole.kind !== part.kind) return;
  const message = 'subvector operand of vector_insert would overrun the vector being inserted into.';
  c.check(index < whole.n && index + part.n <= whole.n, message);
});

rule('vector.extract', (c) => {
  const [whole, part, index] = [c.argType(0), c.type, Number(BigInt.asUintN(32, c.integer(1) ?? 0n))];
  const element = 'vector_extract result must have the same element type as the input vector.';
  if (!c.check(whole.scalar === part.scalar, element, 'call')) return;
  const multiple = "vector_extract index must be a constant multiple of the result type's known minimum vector length.";
  if (!c.check(index % part.n === 0, multiple) || whole.kind !== part.kind) return;
  c.check(index < whole.n && index + part.n <= whole.n, 'vector_extract would overrun.');
});

rule('vector.splice.left vector.splice.right', (c) => {
  const isLeft = c.callee.name!.startsWith('llvm.vector.splice.left');
  const distance = Number(c.integer(2) ?? 0n);
  const range = isLeft ? '[0, VL-1]' : '[0, VL]';
  const message =
    `The splice index exceeds the range ${range} where VL is the known minimum number of elements in the vector. For scalable vectors ` +
    'the minimum number of elements is determined from vscale_range.';
  c.check(isLeft ? distance < c.type.n : distance <= c.type.n, message, 'call');
});

rule('vector.partial.reduce.add vector.partial.reduce.fadd', (c) => {
  const message =
    'Invalid vector widths for partial reduction. The width of the input vector must be a positive integer multiple of the width of the ' +
    'accumulator vector.';
  c.check(c.argType(1).n % c.argType(0).n === 0, message);
});

/** Two kinds of element, result first, and how wide it is beside the argument. */
interface CastRule {
  readonly names: string;
  readonly kinds: string;
  readonly fits: (result: IRType, value: IRType) => boolean;
  readonly order?: 'larger' | 'smaller';
}

const castRules = new Map<string, CastRule>();
for (const r of [
  { of: 'trunc', names: 'trunc', kinds: 'II', order: 'larger' },
  { of: 'zext sext', names: 'zext or llvm.vp.sext', kinds: 'II', order: 'smaller' },
  { of: 'fptoui fptosi', names: 'fptoui, llvm.vp.fptosi, llvm.vp.lrint or llvm.vp.llrint', kinds: 'IF' },
  { of: 'uitofp sitofp', names: 'uitofp or llvm.vp.sitofp', kinds: 'FI' },
  { of: 'fptrunc', names: 'fptrunc', kinds: 'FF', order: 'larger' },
  { of: 'fpext', names: 'fpext', kinds: 'FF', order: 'smaller' },
  { of: 'ptrtoint', names: 'ptrtoint', kinds: 'IP' },
  { of: 'inttoptr', names: 'inttoptr', kinds: 'PI' },
] as const) {
  const test = { I: isInt, F: isFP, P: isPtr };
  const word = { I: 'integer', F: 'floating-point', P: 'pointer' };
  const [to, from] = [r.kinds[0] as 'I' | 'F' | 'P', r.kinds[1] as 'I' | 'F' | 'P'];
  const kinds =
    to === from
      ? `first argument and result element type must be ${word[to]}`
      : `first argument element type must be ${word[from]} and result element type must be ${word[to]}`;
  const fits = (result: IRType, value: IRType): boolean => test[to](result) && test[from](value);
  for (const name of r.of.split(' '))
    castRules.set(name, { names: r.names, kinds, fits, ...('order' in r ? { order: r.order } : {}) });
}

const FP_PREDICATES = 'oeq ogt oge olt ole one ord uno ueq ugt uge ult ule une'.split(' ');
const INT_PREDICATES = 'eq ne ugt uge ult ule sgt sge slt sle'.split(' ');

/** visitVPIntrinsic; `plain`: with `vp.` */
function checkVectorPredicated(c: IntrinsicCall, plain: string): void {
  const word = plain.slice('vp.'.length);
  const asCast = castRules.get(word);
  if (asCast !== undefined) {
    const [result, value] = [c.type, c.argType(0)];
    const lengths = 'VP cast intrinsic first argument and result vector lengths must be equal';
    if (!c.check(areAsLong(result, value), lengths, 'call')) return;
    // One of LLVM's messages lacks a blank.
    const of = `llvm.vp.${asCast.names}${asCast.names.includes('lrint') ? '' : ' '}intrinsic`;
    if (!c.check(asCast.fits(result, value), `${of} ${asCast.kinds}`, 'call')) return;
    const [a, b] = [scalarBits(value), scalarBits(result)];
    if (asCast.order !== undefined)
      c.check(
        asCast.order === 'larger' ? a > b : a < b,
        `${of} the bit size of first argument must be ${asCast.order} than the bit size of the return type`,
        'call',
      );
    return;
  }
  if (word === 'fcmp')
    c.check(FP_PREDICATES.includes(c.word(2) ?? ''), 'invalid predicate for VP FP comparison intrinsic', 'call');
  else if (word === 'icmp')
    c.check(INT_PREDICATES.includes(c.word(2) ?? ''), 'invalid predicate for VP integer comparison intrinsic', 'call');
  else if (word === 'is.fpclass')
    c.check(((c.integer(1) ?? 0n) & ~ALL_FP_CLASSES) === 0n, 'unsupported bits for llvm.vp.is.fpclass test mask');
}

const CONSTRAINED = 'experimental.constrained.'.length;
const DISAGREE = 'Intrinsic first argument and result disagree on vector use';
const LENGTHS = 'Intrinsic first argument and result vector lengths must be equal';

/** visitConstrainedFPIntrinsic; `word`: without `experimental.constrained.` */
function checkConstrained(c: IntrinsicCall, word: string): void {
  const isCompare = word === 'fcmp' || word === 'fcmps';
  if (!checkConstrainedTypes(c, word)) return;
  if (isCompare) {
    const message = 'invalid predicate for constrained FP comparison intrinsic';
    if (!c.check(FP_PREDICATES.includes(c.word(2) ?? ''), message, 'call')) return;
  }
  const last = c.args.length - 1;
  const isHandled = EXCEPTIONS.includes(c.word(last) ?? '');
  if (!c.check(isHandled, 'invalid exception behavior argument', 'call')) return;
  if (isCompare || c.argType(last - 1).kind !== TypeKind.Metadata) return;
  const rounding = c.word(last - 1) ?? '';
  const isRounding = rounding === 'round.dynamic' || ROUNDING.includes(rounding);
  c.check(isRounding, 'invalid rounding mode argument', 'call');
}

function checkConstrainedTypes(c: IntrinsicCall, word: string): boolean {
  const [value, result] = [c.args[0]?.type ?? c.type, c.type];
  const areShaped = (): boolean => c.check(value.isVector === result.isVector, DISAGREE, 'call');
  const areLong = (): boolean => c.check(!value.isVector || areAsLong(value, result), LENGTHS, 'call');
  switch (word) {
    case 'lrint':
    case 'llrint':
    case 'lround':
    case 'llround':
      return c.check(!value.isVector && !result.isVector, 'Intrinsic does not support vectors', 'call');
    case 'fptosi':
    case 'fptoui':
      if (!c.check(isFP(value), 'Intrinsic first argument must be floating point', 'call') || !areShaped())
        return false;
      return c.check(isInt(result), 'Intrinsic result must be an integer', 'call') && areLong();
    case 'sitofp':
    case 'uitofp':
      if (!c.check(isInt(value), 'Intrinsic first argument must be integer', 'call') || !areShaped()) return false;
      return c.check(isFP(result), 'Intrinsic result must be a floating point', 'call') && areLong();
    case 'fptrunc':
    case 'fpext': {
      if (!c.check(isFP(value), 'Intrinsic first argument must be FP or FP vector', 'call')) return false;
      if (!c.check(isFP(result), 'Intrinsic result must be FP or FP vector', 'call')) return false;
      if (!areShaped() || !areLong()) return false;
      const [a, b] = [scalarBits(value), scalarBits(result)];
      const of = "Intrinsic first argument's type must be";
      return word === 'fptrunc'
        ? c.check(a > b, `${of} larger than result type`, 'call')
        : c.check(a < b, `${of} smaller than result type`, 'call');
    }
    default:
      return true;
  }
}

// -- AMDGPU -------------------------------------------------------------------------------------------------------

const CHAINS = ['amdgpu_cs_chain', 'amdgpu_cs_chain_preserve'];

const isCalledFrom = (c: IntrinsicCall, conventions: readonly string[]): boolean =>
  conventions.includes(callingConvName(c.caller.callingConv));

rule('amdgcn.cs.chain', (c) => {
  const isCaller = isCalledFrom(c, ['amdgpu_cs', ...CHAINS]);
  c.check(isCaller, 'Intrinsic cannot be called from functions with this calling convention', 'call');
  if (!c.check(c.hasAttribute(2, 'inreg'), 'SGPR arguments must have the `inreg` attribute', 'call')) return;
  if (!c.check(!c.hasAttribute(3, 'inreg'), 'VGPR arguments must not have the `inreg` attribute', 'call')) return;
  const { instructions } = c.i.parent;
  const next = instructions[instructions.indexOf(c.i) + 1];
  const target = next?.call === null ? undefined : next?.operands.at(-1)?.name;
  const isEnd = next?.opcode === Opcode.Unreachable || target === 'llvm.amdgcn.unreachable';
  c.check(isEnd, 'llvm.amdgcn.cs.chain must be followed by unreachable', 'call');
});

rule('amdgcn.init.exec.from.input', (c) => {
  const [value] = c.args;
  const isScalar = value instanceof Argument && value.attributes?.has('inreg') === true;
  const message = 'only inreg arguments to the parent function are valid as inputs to this intrinsic';
  c.check(isScalar, message, 'call');
});

rule('amdgcn.set.inactive.chain.arg', (c) => {
  const callers =
    'Intrinsic can only be used from functions with the amdgpu_cs_chain or amdgpu_cs_chain_preserve calling conventions';
  c.check(isCalledFrom(c, CHAINS), callers, 'call');
  const of = 'Value for inactive lanes must';
  if (!c.check(!c.hasAttribute(1, 'inreg'), `${of} not have the \`inreg\` attribute`, 'call')) return;
  const value = c.args[1];
  if (!c.check(value instanceof Argument, `${of} be a function argument`, 'call')) return;
  const isScalar = value instanceof Argument && value.attributes?.has('inreg') === true;
  c.check(!isScalar, `${of} be a VGPR function argument`, 'call');
});

rule('amdgcn.call.whole.wave', (c) => {
  const [f] = c.args;
  c.check(f instanceof IRFunction, 'Indirect whole wave calls are not allowed', 'call');
  if (!(f instanceof IRFunction)) return;
  const isWhole = callingConvName(f.callingConv) === 'amdgpu_gfx_whole_wave';
  if (!c.check(isWhole, 'Callee must have the amdgpu_gfx_whole_wave calling convention', 'call')) return;
  if (!c.check(!f.fnType.flag, 'Variadic whole wave calls are not allowed', 'call')) return;
  const counts = 'Call argument count must match callee argument count';
  if (!c.check(c.args.length === f.args.length, counts, 'call')) return;
  const mask = f.args[0]?.type;
  const hasMask = mask?.kind === TypeKind.Integer && mask.n === 1;
  if (!c.check(hasMask, 'Callee must have i1 as its first argument', 'call')) return;
  for (const [k, arg] of f.args.entries()) {
    if (k === 0) continue;
    if (!c.check(c.argType(k) === arg.type, 'Argument types must match', 'call')) return;
    const areAlike = c.hasAttribute(k, 'inreg') === (arg.attributes?.has('inreg') === true);
    if (!c.check(areAlike, 'Argument inreg attributes must match', 'call')) return;
  }
});

/** global, constant, 32-bit constant, generic, barriers */
const FLAT_OR_GLOBAL = new Set([0, 1, 4, 6]);

rule('amdgcn.s.prefetch.data', (c) => {
  const message = 'llvm.amdgcn.s.prefetch.data only supports global or constant memory';
  c.check(FLAT_OR_GLOBAL.has(c.argType(0).n), message);
});

/** Two matrices whose formats say how many registers each has: where they and their formats stand, and the registers of each format. */
interface ScaledMatrices {
  readonly values: readonly [number, number];
  readonly formats: readonly [number, number];
  readonly bad: readonly [string, string];
  readonly sizes: readonly number[];
  readonly words: string;
  /** what LLVM shows below the complaint about the second one */
  readonly shown: number;
}

function checkFormats(c: IntrinsicCall, m: ScaledMatrices): void {
  const format = (k: 0 | 1): bigint => c.integer(m.formats[k]) ?? 0n;
  for (const k of [0, 1] as const) if (!c.check(format(k) <= 4n, m.bad[k], 'call', c.args[m.formats[k]]!)) return;
  const allowed = new Set(m.sizes);
  for (const k of [0, 1] as const) {
    const value = c.args[m.values[k]]!;
    const { type } = value;
    const isOf32 = type.kind === TypeKind.FixedVector && type.scalar.kind === TypeKind.Integer && type.scalar.n === 32;
    const message = `operand ${m.values[k]} must be ${m.words} element i32 vector`;
    if (!c.check(isOf32 && allowed.has(type.n), message, 'call', value)) return;
  }
  for (const k of [0, 1] as const) {
    const value = c.args[m.values[k]]!;
    const fits = value.type.n >= (m.sizes[Number(format(k))] ?? 0);
    const below = c.args[k === 0 ? m.formats[0] : m.shown]!;
    if (!c.check(fits, 'invalid vector type for format', 'call', value, below)) return;
  }
}

rule('amdgcn.mfma.scale.f32.16x16x128.f8f6f4 amdgcn.mfma.scale.f32.32x32x64.f8f6f4', (c) => {
  checkFormats(c, {
    values: [0, 1],
    formats: [3, 4],
    bad: ['invalid value for cbsz format', 'invalid value for blgp format'],
    sizes: [8, 8, 6, 6, 4],
    words: '4, 6 or 8',
    shown: 5,
  });
});

rule(
  'amdgcn.wmma.f32.16x16x128.f8f6f4 amdgcn.wmma.scale.f32.16x16x128.f8f6f4 amdgcn.wmma.scale16.f32.16x16x128.f8f6f4',
  (c) => {
    const bad = 'invalid value for matrix format';
    checkFormats(c, {
      values: [1, 3],
      formats: [0, 2],
      bad: [bad, bad],
      sizes: [16, 16, 12, 12, 8],
      words: '8, 12 or 16',
      shown: 2,
    });
  },
);

rule(
  ['load', 'store']
    .flatMap((word) => ['32x4B', '16x8B', '8x16B'].map((shape) => `amdgcn.cooperative.atomic.${word}.${shape}`))
    .join(' '),
  (c) => {
    const space = c.argType(0).n;
    const message = 'cooperative atomic intrinsics require a generic or global pointer';
    if (!c.check(space <= 1, message, 'call', c.args[0]!)) return;
    const last = c.args.at(-1);
    const node = last instanceof MetadataAsValue ? last.metadata : null;
    const isNamed = node instanceof MDNode && node.operands.length === 1 && node.operands[0] instanceof MDString;
    const scope = 'cooperative atomic intrinsics require that the last argument is a metadata string';
    c.check(isNamed, scope, 'call', ...(last === undefined ? [] : [last]));
  },
);
