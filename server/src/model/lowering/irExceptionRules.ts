/**
 * What LLVM's IR verifier demands of invokes, landing pads, resumes, and of pads of funclets (Verifier.cpp: visitInvokeInst, visitLandingPadInst,
 * visitEHPadPredecessors and those beside them, LLVM 22), in the words of llc-22. Not checked: where the instructions within a pad unwind to.
 */
import {
  Constant,
  InstFlag,
  Instruction,
  Opcode,
  ValueKind,
  type BasicBlock,
  type IRFunction,
  type Value,
} from '../../ir/module.js';
import { TypeKind, type IRType } from '../../ir/types.js';
import type { BlockOrder } from './irDominators.js';

/** A complaint and what LLVM prints below it: blocks and values by their types. */
export interface ExceptionProblem {
  readonly message: string;
  readonly shown: readonly Value[];
}

const problem = (message: string, ...shown: readonly Value[]): ExceptionProblem => ({ message, shown });

const isOpcode = (v: Value | undefined, opcode: Opcode): v is Instruction =>
  v instanceof Instruction && v.opcode === opcode;
export const isFuncletPad = (v: Value | undefined): boolean =>
  isOpcode(v, Opcode.CatchPad) || isOpcode(v, Opcode.CleanupPad);
const isNone = (v: Value): boolean => v.type.kind === TypeKind.Token && !(v instanceof Instruction);

const WORDS: ReadonlyMap<Opcode, string> = new Map([
  [Opcode.LandingPad, 'LandingPadInst'],
  [Opcode.CatchPad, 'CatchPadInst'],
  [Opcode.CleanupPad, 'CleanupPadInst'],
  [Opcode.CatchSwitch, 'CatchSwitchInst'],
  [Opcode.Resume, 'ResumeInst'],
]);

const firstOf = (block: BasicBlock): Instruction | undefined => block.instructions.find((i) => i.opcode !== Opcode.Phi);

const isPad = (i: Instruction | undefined): boolean =>
  i?.opcode === Opcode.LandingPad || i?.opcode === Opcode.CatchSwitch || isFuncletPad(i);

const handlersOf = ({ blocks, indices }: Instruction): readonly BasicBlock[] =>
  (indices === null ? blocks : blocks?.slice(0, -1)) ?? [];
const unwindOf = ({ blocks, indices }: Instruction): BasicBlock | null =>
  indices === null ? null : (blocks?.at(-1) ?? null);

/** The pad that one lies in; a catch pad lies in what its switch lies in. */
function parentOf(pad: Value): Value | null {
  if (!(pad instanceof Instruction)) return null;
  const parent = pad.operands[0];
  if (pad.opcode === Opcode.CatchPad) return isOpcode(parent, Opcode.CatchSwitch) ? (parent.operands[0] ?? null) : null;
  return parent ?? null;
}

export class IrExceptions {
  /** of the landing pads and resumes so far */
  private landed: IRType | null = null;

  constructor(
    private readonly fn: IRFunction,
    private readonly order: BlockOrder,
  ) {}

  /** What is wrong with an instruction of those kinds, null = nothing. LLVM looks no further then. */
  check(i: Instruction): ExceptionProblem | null {
    switch (i.opcode) {
      case Opcode.Invoke:
        return isPad(firstOf(i.blocks![1]!))
          ? null
          : problem('The unwind destination does not have an exception handling instruction!', i);
      case Opcode.LandingPad:
        return this.checkLandingPad(i);
      case Opcode.Resume:
        return this.withoutPersonality(i) ?? this.otherType(i, i.operands[0]!.type, 'resume');
      case Opcode.CatchPad:
        return this.checkCatchPad(i);
      case Opcode.CleanupPad:
        return this.checkCleanupPad(i);
      case Opcode.CatchSwitch:
        return this.checkCatchSwitch(i);
      case Opcode.CatchRet:
        return isOpcode(i.operands[0], Opcode.CatchPad)
          ? null
          : problem('CatchReturnInst needs to be provided a CatchPad', i, i.operands[0]!);
      case Opcode.CleanupRet:
        return this.checkCleanupRet(i);
      default:
        return null;
    }
  }

  private withoutPersonality(i: Instruction): ExceptionProblem | null {
    return this.fn.personality === null
      ? problem(`${WORDS.get(i.opcode)} needs to be in a function with a personality.`, i)
      : null;
  }

  private notFirst(i: Instruction): ExceptionProblem | null {
    return firstOf(i.parent) === i
      ? null
      : problem(`${WORDS.get(i.opcode)} not the first non-PHI instruction in the block.`, i);
  }

  private otherType(i: Instruction, type: IRType, word: string): ExceptionProblem | null {
    const expected = (this.landed ??= type);
    return expected === type
      ? null
      : problem(`The ${word} instruction should have a consistent result type inside a function.`, i);
  }

  private checkLandingPad(i: Instruction): ExceptionProblem | null {
    if (i.operands.length === 0 && (i.flags & InstFlag.Cleanup) === 0)
      return problem('LandingPadInst needs at least one clause or to be a cleanup.', i);
    this.pending = this.wrongPredecessor(i);
    const own = this.otherType(i, i.type, 'landingpad') ?? this.withoutPersonality(i) ?? this.notFirst(i);
    if (own !== null) return own;
    for (const [k, clause] of i.operands.entries()) {
      if (i.indices?.[k] === 0) {
        if (!clause.type.isPointer) return problem('Catch operand does not have pointer type!', i);
      } else if (!(clause instanceof Constant) || isUndefined(clause))
        return problem('Filter operand is not an array of constants!', i);
    }
    return null;
  }

  /** What the blocks before a pad do wrong, for which LLVM goes on with the pad; to be taken after `check`. */
  private pending: ExceptionProblem | null = null;

  takePending(): ExceptionProblem | null {
    const { pending } = this;
    this.pending = null;
    return pending;
  }

  private checkCatchPad(i: Instruction): ExceptionProblem | null {
    const own = this.withoutPersonality(i);
    if (own !== null) return own;
    const parent = i.operands[0]!;
    if (!isOpcode(parent, Opcode.CatchSwitch))
      return problem('CatchPadInst needs to be directly nested in a CatchSwitchInst.', parent);
    const place = this.notFirst(i);
    if (place === null) this.pending = this.wrongPredecessor(i);
    return place;
  }

  private checkCleanupPad(i: Instruction): ExceptionProblem | null {
    const own = this.withoutPersonality(i) ?? this.notFirst(i);
    if (own !== null) return own;
    const parent = i.operands[0]!;
    if (!isNone(parent) && !isFuncletPad(parent)) return problem('CleanupPadInst has an invalid parent.', i);
    this.pending = this.wrongPredecessor(i);
    return null;
  }

  private checkCatchSwitch(i: Instruction): ExceptionProblem | null {
    const own = this.withoutPersonality(i) ?? this.notFirst(i);
    if (own !== null) return own;
    const parent = i.operands[0]!;
    if (!isNone(parent) && !isFuncletPad(parent)) return problem('CatchSwitchInst has an invalid parent.', parent);
    const unwind = unwindOf(i);
    if (unwind !== null && !isFuncletDestination(unwind))
      return problem('CatchSwitchInst must unwind to an EH block which is not a landingpad.', i);
    for (const handler of handlersOf(i))
      if (!isOpcode(firstOf(handler), Opcode.CatchPad))
        return problem('CatchSwitchInst handlers must be catchpads', i, handler);
    this.pending = this.wrongPredecessor(i);
    return null;
  }

  private checkCleanupRet(i: Instruction): ExceptionProblem | null {
    const pad = i.operands[0]!;
    if (!isOpcode(pad, Opcode.CleanupPad))
      return problem('CleanupReturnInst needs to be provided a CleanupPad', i, pad);
    const to = i.blocks?.[0];
    return to === undefined || isFuncletDestination(to)
      ? null
      : problem('CleanupReturnInst must unwind to an EH block which is not a landingpad.', i);
  }

  // -- how a pad is reached --------------------------------------------------------------------------------------

  private wrongPredecessor(pad: Instruction): ExceptionProblem | null {
    const block = pad.parent;
    if (block === this.fn.blocks[0]) return problem('EH pad cannot be in entry block.', pad);
    const before = this.order.predecessors(block);
    if (pad.opcode === Opcode.LandingPad)
      return before.every((b) => unwindsTo(b, block))
        ? null
        : problem('Block containing LandingPadInst must be jumped to only by the unwind edge of an invoke.', pad);
    if (pad.opcode === Opcode.CatchPad) {
      const from = pad.operands[0] as Instruction;
      if (before.some((b) => b !== from.parent))
        return problem('Block containg CatchPadInst must be jumped to only by its catchswitch.', pad);
      return unwindOf(from) === block ? problem('Catchswitch cannot unwind to one of its catchpads', from, pad) : null;
    }
    for (const b of before) {
      const wrong = wrongEdge(b, pad);
      if (wrong !== null) return wrong;
    }
    return null;
  }
}

const isUndefined = ({ kind }: Value): boolean => kind === ValueKind.Undef || kind === ValueKind.Poison;

function isFuncletDestination(block: BasicBlock): boolean {
  const first = firstOf(block);
  return isPad(first) && first?.opcode !== Opcode.LandingPad;
}

function unwindsTo(from: BasicBlock, to: BasicBlock): boolean {
  const last = from.instructions.at(-1);
  return last?.opcode === Opcode.Invoke && last.blocks?.[1] === to && last.blocks[0] !== to;
}

/** The edge from a block may leave any number of pads, and enters one. */
function wrongEdge(from: BasicBlock, to: Instruction): ExceptionProblem | null {
  const last = from.instructions.at(-1)!;
  const parent = parentOf(to);
  let pad: Value | null;
  if (last.opcode === Opcode.Invoke) {
    if (!unwindsTo(from, to.parent)) return problem('EH pad must be jumped to via an unwind edge', to, last);
    pad = last.call?.bundles.find(({ tag }) => tag === 'funclet')?.operands[0] ?? null;
  } else if (last.opcode === Opcode.CleanupRet) {
    pad = last.operands[0]!;
    if (pad === parent) return problem('A cleanupret must exit its cleanup', last);
  } else if (last.opcode === Opcode.CatchSwitch) pad = last;
  else return problem('EH pad must be jumped to via an unwind edge', to, last);
  const seen = new Set<Value>();
  const isParent = (p: Value | null): boolean =>
    p === parent || ((p === null || isNone(p)) && (parent === null || isNone(parent)));
  for (; ; pad = parentOf(pad!)) {
    if (pad === to) return problem('EH pad cannot handle exceptions raised within it', to, last);
    if (isParent(pad)) return null;
    if (pad === null || isNone(pad)) return problem('A single unwind edge may only enter one EH pad', last);
    if (seen.has(pad)) return problem('EH pad jumps through a cycle of pads', pad);
    seen.add(pad);
    if (!isFuncletPad(pad) && !isOpcode(pad, Opcode.CatchSwitch))
      return problem('Parent pad must be catchpad/cleanuppad/catchswitch', last);
  }
}
