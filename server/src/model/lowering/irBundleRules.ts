/**
 * What LLVM's IR verifier demands of the operand bundles of a call (Verifier.cpp: visitCallBase, LLVM 22), in the words of llc-22. Those of assumptions
 * are in `irIntrinsicRules.ts`, tokens of convergence in `irConvergenceRules.ts`.
 */
import { ValueKind, type CallInfo, type Value } from '../../ir/module.js';
import { TypeKind } from '../../ir/types.js';
import { isFuncletPad } from './irExceptionRules.js';
import { isSetup } from './irPreallocatedRules.js';

const isConstantI32 = (v: Value): boolean =>
  v.kind === ValueKind.ConstantInt && v.type.kind === TypeKind.Integer && v.type.n === 32;
const isI64 = ({ type }: Value): boolean => type.kind === TypeKind.Integer && type.n === 64;

interface BundleRule {
  /** the bundle's name in LLVM's complaint that there are several */
  readonly shown: string;
  /** What is wrong with the operands, '' = nothing. */
  readonly problem?: (operands: readonly Value[], call: CallInfo, doesNotReturn: boolean) => string;
}

export const ATTACHED_CALL = 'clang.arc.attachedcall';
const ATTACHABLE = ['retain', 'claim', 'unsafeClaim'].map((word) => `objc_${word}AutoreleasedReturnValue`);

const RULES: ReadonlyMap<string, BundleRule> = new Map([
  ['deopt', { shown: 'deopt' }],
  ['gc-transition', { shown: 'gc-transition' }],
  ['gc-live', { shown: 'gc-live' }],
  [
    'funclet',
    {
      shown: 'funclet',
      problem: (operands) => {
        if (operands.length !== 1) return 'Expected exactly one funclet bundle operand';
        return isFuncletPad(operands[0]) ? '' : 'Funclet bundle operands should correspond to a FuncletPadInst';
      },
    },
  ],
  [
    'cfguardtarget',
    {
      shown: 'CFGuardTarget',
      problem: ({ length }) => (length === 1 ? '' : 'Expected exactly one cfguardtarget bundle operand'),
    },
  ],
  ['ptrauth', { shown: 'ptrauth', problem: signingProblem }],
  [
    'kcfi',
    {
      shown: 'kcfi',
      problem: (operands) => {
        if (operands.length !== 1) return 'Expected exactly one kcfi bundle operand';
        return isConstantI32(operands[0]) ? '' : 'Kcfi bundle operand must be an i32 constant';
      },
    },
  ],
  [
    'preallocated',
    {
      shown: 'preallocated',
      problem: (operands) => {
        if (operands.length !== 1) return 'Expected exactly one preallocated bundle operand';
        return isSetup(operands[0]) ? '' : '"preallocated" argument must be a token from llvm.call.preallocated.setup';
      },
    },
  ],
  [ATTACHED_CALL, { shown: `"${ATTACHED_CALL}"`, problem: attachedProblem }],
]);

/** Objective-C's calls of what takes the result over (verifyAttachedCallBundle). */
function attachedProblem(operands: readonly Value[], { fnType }: CallInfo, doesNotReturn: boolean): string {
  const [result] = fnType.elements;
  if (!result!.isPointer && !(doesNotReturn && result!.kind === TypeKind.Void))
    return `a call with operand bundle "${ATTACHED_CALL}" must call a function returning a pointer or a non-returning function that has a void return type`;
  const [attached] = operands;
  if (operands.length !== 1 || attached!.kind !== ValueKind.Function)
    return `operand bundle "${ATTACHED_CALL}" requires one function as an argument`;
  const name = (attached!.name ?? '').replace(/^llvm\.objc\./, 'objc_');
  return ATTACHABLE.includes(name) ? '' : 'invalid function argument';
}

/** Key and discriminator of a signed pointer. */
function signingProblem(operands: readonly Value[]): string {
  const [key, discriminator] = operands;
  if (operands.length !== 2) return 'Expected exactly two ptrauth bundle operands';
  if (!isConstantI32(key)) return 'Ptrauth bundle key operand must be an i32 constant';
  return isI64(discriminator) ? '' : 'Ptrauth bundle discriminator operand must be an i64';
}

/** What is wrong with the bundles of a call, '' = nothing. `isDirect`: it names the function that it calls. */
export function bundleProblem(call: CallInfo, isDirect: boolean, doesNotReturn: boolean): string {
  const { bundles } = call;
  const seen = new Set<string>();
  for (const { tag, operands } of bundles) {
    const rule = RULES.get(tag);
    if (rule === undefined) continue;
    if (seen.has(tag)) return `Multiple ${rule.shown} operand bundles`;
    seen.add(tag);
    const problem = rule.problem?.(operands, call, doesNotReturn) ?? '';
    if (problem !== '') return problem;
  }
  return isDirect && seen.has('ptrauth') ? 'Direct call cannot have a ptrauth bundle' : '';
}
