/** Constraints of inline assembly: what their text says and whether a call of a type can have them (LLVM 22: InlineAsm.cpp). */
import { TypeKind, type IRType } from './types.js';

export const enum AsmOperand {
  Input,
  Output,
  Clobber,
  Label,
}

export interface AsmConstraint {
  readonly type: AsmOperand;
  /** of memory that a pointer leads to */
  readonly isIndirect: boolean;
}

const PREFIXES: Readonly<Record<string, AsmOperand>> = {
  '~': AsmOperand.Clobber,
  '=': AsmOperand.Output,
  '!': AsmOperand.Label,
};

/** Whether the operand comes as an argument of the call. */
export const isArgument = ({ type, isIndirect }: AsmConstraint): boolean =>
  type === AsmOperand.Input || (type === AsmOperand.Output && isIndirect);

/** One for each operand in the order of the text; null where LLVM cannot read them. */
export function readConstraints(text: string): readonly AsmConstraint[] | null {
  const found: AsmConstraint[] = [];
  const matched = new Set<number>();
  for (const part of text === '' ? [] : text.split(',')) {
    const constraint = readConstraint(part, found, matched);
    if (constraint === null) return null;
    found.push(constraint);
  }
  return found;
}

/** `matched` has the outputs that inputs before are tied to. */
function readConstraint(part: string, before: readonly AsmConstraint[], matched: Set<number>): AsmConstraint | null {
  const [, prefix, star, modifiers, codes] = /^([~=!]?)(\*?)([&%]*)(.*)$/su.exec(part)!;
  const type = PREFIXES[prefix] ?? AsmOperand.Input;
  if (codes === '' || /^[#*]/.test(codes) || (type === AsmOperand.Clobber && part[1] !== '{')) return null;
  const [earlyClobbers, swaps] = ['&', '%'].map((m) => modifiers.split(m).length - 1);
  if (earlyClobbers > (type === AsmOperand.Output ? 1 : 0)) return null;
  if (swaps > (type === AsmOperand.Clobber ? 0 : 1)) return null;
  for (const [code, digits] of codes.matchAll(/\{[^}]*\}?|(\d+)|./gsu)) {
    if (code.startsWith('{') && !code.endsWith('}')) return null;
    if (digits === undefined) continue;
    const output = Number(digits);
    if (before[output]?.type !== AsmOperand.Output || type !== AsmOperand.Input || matched.has(output)) return null;
    matched.add(output);
  }
  return { type, isIndirect: star !== '' };
}

/**
 * What is wrong with the constraints of an asm call of that type, or null.
 * @llvm InlineAsm.cpp InlineAsm::verify
 */
export function constraintProblem(fnType: IRType, text: string): string | null {
  if (fnType.flag) return 'inline asm cannot be variadic';
  const constraints = readConstraints(text);
  if (constraints === null) return 'failed to parse constraints';
  let outputs = 0;
  let inputs = 0;
  let indirect = 0;
  let clobbers = 0;
  let labels = 0;
  for (const { type, isIndirect } of constraints) {
    if (type === AsmOperand.Clobber) clobbers++;
    else if (type === AsmOperand.Label) {
      if (clobbers > 0) return 'label constraint occurs after clobber constraint';
      labels++;
    } else if (type === AsmOperand.Output) {
      if (inputs - indirect !== 0 || clobbers !== 0 || labels !== 0)
        return 'output constraint occurs after input, clobber or label constraint';
      if (!isIndirect) outputs++;
      else {
        indirect++;
        inputs++;
      }
    } else {
      if (clobbers > 0) return 'input constraint occurs after clobber constraint';
      inputs++;
    }
  }
  const result = fnType.elements[0];
  if (outputs === 0 && result.kind !== TypeKind.Void) return 'inline asm without outputs must return void';
  if (outputs === 1 && result.kind === TypeKind.Struct) return 'inline asm with one output cannot return struct';
  if (outputs > 1 && (result.kind !== TypeKind.Struct || result.elements.length !== outputs))
    return 'number of output constraints does not match number of return struct elements';
  return fnType.elements.length - 1 === inputs
    ? null
    : 'number of input constraints does not match number of parameters';
}
