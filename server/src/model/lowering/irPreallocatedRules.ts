/** What LLVM's IR verifier demands of the calls that make preallocated arguments (Verifier.cpp: visitIntrinsicCall, LLVM 22), in the words of llc-22. */
import { Constant, Instruction, ValueKind, type IRFunction, type Value } from '../../ir/module.js';

const PREALLOCATED_SETUP = 'llvm.call.preallocated.setup';
export const PREALLOCATED_ARG = 'llvm.call.preallocated.arg';
const PREALLOCATED_TEARDOWN = 'llvm.call.preallocated.teardown';

export const calleeName = ({ call, operands }: Instruction): string | null =>
  call === null ? null : (operands[operands.length - 1]?.name ?? null);

export const isSetup = (v: Value | undefined): boolean =>
  v instanceof Instruction && calleeName(v) === PREALLOCATED_SETUP;

/** A complaint and the calls that LLVM prints below it. */
export interface PreallocatedProblem {
  readonly message: string;
  readonly shown: readonly Instruction[];
}

const problem = (message: string, ...shown: readonly Instruction[]): PreallocatedProblem => ({ message, shown });
const constantOf = (v: Value | undefined): bigint | null =>
  v instanceof Constant && v.kind === ValueKind.ConstantInt ? BigInt.asIntN(32, v.value) : null;

/** Operands of a call that are passed so, by the call or by what is called. */
function preallocatedOperands({ call, operands }: Instruction): number {
  const target = operands[operands.length - 1] as IRFunction | undefined;
  const args = target?.kind === ValueKind.Function ? target.args : [];
  const isSo = (k: number): boolean =>
    call?.paramAttrs[k]?.has('preallocated') === true || args[k]?.attributes?.has('preallocated') === true;
  return operands.slice(0, -1).filter((_, k) => isSo(k)).length;
}

/** What is wrong with a setup, by its uses in the function: LLVM lists the last use first. O(instructions) */
export function setupProblem(setup: Instruction, caller: IRFunction): PreallocatedProblem | null {
  const wanted = constantOf(setup.operands[0]);
  if (wanted === null) return problem(`${PREALLOCATED_SETUP} argument must be a constant`);
  let call: Instruction | null = null;
  const uses = caller.blocks.flatMap(({ instructions }) =>
    instructions.flatMap((i) =>
      [...i.operands, ...(i.call?.bundles.flatMap((b) => b.operands) ?? [])].filter((v) => v === setup).map(() => i),
    ),
  );
  for (const use of uses.reverse()) {
    const name = calleeName(use);
    if (use.call === null) return problem(`Uses of ${PREALLOCATED_SETUP} must be calls`);
    if (name === PREALLOCATED_TEARDOWN) continue;
    if (name === PREALLOCATED_ARG) {
      const index = constantOf(use.operands[1]);
      if (index === null) return problem('llvm.call.preallocated.alloc arg index must be a constant');
      if (index < 0n || index >= wanted)
        return problem(
          `llvm.call.preallocated.alloc arg index must be between 0 and corresponding ${PREALLOCATED_SETUP}'s argument count`,
        );
      continue;
    }
    if (call !== null) return problem(`Can have at most one call corresponding to a ${PREALLOCATED_SETUP}`);
    call = use;
    const passed = preallocatedOperands(use);
    if (passed === 0) return problem('cannot use preallocated intrinsics on a call without preallocated arguments');
    if (wanted !== BigInt(passed))
      return problem(
        `${PREALLOCATED_SETUP} arg size must be equal to number of preallocated arguments at call site`,
        setup,
        use,
      );
    const bundles = use.call.bundles.filter(({ tag }) => tag === 'preallocated');
    if (bundles.length > 1) return null;
    if (bundles.length === 0)
      return problem(`Use of ${PREALLOCATED_SETUP} outside intrinsics must be in "preallocated" operand bundle`);
    if (bundles[0]!.operands[0] !== setup)
      return problem(`preallocated bundle must have token from corresponding ${PREALLOCATED_SETUP}`);
  }
  return null;
}
