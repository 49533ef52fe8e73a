/**
 * What LLVM's IR verifier demands of the operand bundles of a call (Verifier.cpp: visitCallBase, LLVM 22), in the words of llc-22. Those of assumptions
 * are in `irIntrinsicRules.ts`, tokens of convergence in `irConvergenceRules.ts`. Not checked: what Objective-C attaches.
 */
import { ValueKind, type CallInfo, type Value } from '../../ir/module.js';
import { TypeKind } from '../../ir/types.js';

const isConstantI32 = (v: Value): boolean =>
  v.kind === ValueKind.ConstantInt && v.type.kind === TypeKind.Integer && v.type.n === 32;
const isI64 = ({ type }: Value): boolean => type.kind === TypeKind.Integer && type.n === 64;

interface BundleRule {
  /** the bundle's name in LLVM's complaint that there are several */
  readonly shown: string;
  /** What is wrong with the operands, '' = nothing. */
  readonly problem?: (operands: readonly Value[]) => string;
}

const RULES: ReadonlyMap<string, BundleRule> = new Map([
  ['deopt', { shown: 'deopt' }],
  ['gc-transition', { shown: 'gc-transition' }],
  ['gc-live', { shown: 'gc-live' }],
  [
    'funclet',
    {
      shown: 'funclet',
      // There are no funclets on AMDGPU, and none are modelled.
      problem: ({ length }) =>
        length === 1
          ? 'Funclet bundle operands should correspond to a FuncletPadInst'
          : 'Expected exactly one funclet bundle operand',
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
]);

/** Key and discriminator of a signed pointer. */
function signingProblem(operands: readonly Value[]): string {
  const [key, discriminator] = operands;
  if (operands.length !== 2) return 'Expected exactly two ptrauth bundle operands';
  if (!isConstantI32(key)) return 'Ptrauth bundle key operand must be an i32 constant';
  return isI64(discriminator) ? '' : 'Ptrauth bundle discriminator operand must be an i64';
}

/** What is wrong with the bundles of a call, '' = nothing. `isDirect`: it names the function that it calls. */
export function bundleProblem({ bundles }: CallInfo, isDirect: boolean): string {
  const seen = new Set<string>();
  for (const { tag, operands } of bundles) {
    const rule = RULES.get(tag);
    if (rule === undefined) continue;
    if (seen.has(tag)) return `Multiple ${rule.shown} operand bundles`;
    seen.add(tag);
    const problem = rule.problem?.(operands) ?? '';
    if (problem !== '') return problem;
  }
  return isDirect && seen.has('ptrauth') ? 'Direct call cannot have a ptrauth bundle' : '';
}
