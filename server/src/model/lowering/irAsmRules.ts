/**
 * What LLVM's IR verifier demands of calls of inline assembly and of `callbr` (Verifier.cpp: verifyInlineAsmCall, visitCallBrInst, LLVM 22), in the
 * words of llc-22.
 */
import { AsmOperand, isArgument, readConstraints } from '../../ir/asmConstraints.js';
import { intrinsicBaseName } from '../../ir/intrinsics.js';
import { InlineAsm, IRFunction, Opcode, type Instruction } from '../../ir/module.js';
import { TypeKind } from '../../ir/types.js';

/** What is wrong with the operands of inline assembly, '' = nothing. */
export function asmProblem(i: Instruction): string {
  const callee = i.operands[i.operands.length - 1];
  if (!(callee instanceof InlineAsm)) return '';
  let arg = 0;
  let labels = 0;
  for (const constraint of readConstraints(callee.constraints) ?? []) {
    if (constraint.type === AsmOperand.Label) labels++;
    if (!isArgument(constraint)) continue;
    const hasElement = i.call?.paramAttrs[arg]?.has('elementtype') === true;
    if (!constraint.isIndirect) {
      if (hasElement) return 'Elementtype attribute can only be applied for indirect constraints';
    } else if (i.operands[arg]?.type.kind !== TypeKind.Pointer)
      return 'Operand for indirect constraint must have pointer type';
    else if (!hasElement) return 'Operand for indirect constraint must have elementtype attribute';
    arg++;
  }
  if (i.opcode !== Opcode.CallBr) return labels === 0 ? '' : 'Label constraints can only be used with callbr';
  return labels === otherTargets(i).length ? '' : 'Number of label constraints does not match number of callbr dests';
}

/** The blocks that a `callbr` may go to besides the first. */
const otherTargets = ({ blocks }: Instruction): readonly { readonly instructions: readonly Instruction[] }[] =>
  (blocks ?? []).slice(1);

/** What is wrong with what a `callbr` calls, '' = nothing; the call itself is not shown below. */
export function callBrProblem(i: Instruction): string {
  const callee = i.operands[i.operands.length - 1];
  if (callee instanceof InlineAsm) return callee.canUnwind ? 'Unwinding from Callbr is not allowed' : '';
  if (!(callee instanceof IRFunction) || callee.fnType !== i.call?.fnType)
    return 'Callbr: indirect function / invalid signature';
  if (i.call.bundles.length > 0) return "Callbr for intrinsics currently doesn't support operand bundles";
  if (callee.name === null || intrinsicBaseName(callee.name) !== 'llvm.amdgcn.kill')
    return 'Callbr currently only supports asm-goto and selected intrinsics';
  const targets = otherTargets(i);
  if (targets.length !== 1) return 'Callbr amdgcn_kill only supports one indirect dest';
  const first = targets[0].instructions[0];
  const called = first?.call ? first.operands[first.operands.length - 1]?.name : null;
  const isUnreachable = first?.opcode === Opcode.Unreachable || called === 'llvm.amdgcn.unreachable';
  return isUnreachable ? '' : 'Callbr amdgcn_kill indirect dest needs to be unreachable';
}
