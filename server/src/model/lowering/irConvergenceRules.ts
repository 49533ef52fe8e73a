/**
 * Convergence control tokens of an IR function (LLVM 22: GenericConvergenceVerifier, ConvergenceVerifier.cpp; docs/llvm/verifier.md, 6.7): the token that
 * a call takes is the operand of its bundle `convergencectrl`.
 */
import { Instruction, IRFunction, type BasicBlock, type CallInfo, type Value } from '../../ir/module.js';
import { TypeKind } from '../../ir/types.js';
import type { FlowBlock } from '../../util/reversePostOrder.js';
import { ConvergenceRules, TokenRole, type TokenNote } from '../convergenceRules.js';
import type { BlockOrder } from './irDominators.js';

const BUNDLE = 'convergencectrl';
const ROLES: ReadonlyMap<string | null, TokenRole> = new Map([
  ['llvm.experimental.convergence.entry', TokenRole.Entry],
  ['llvm.experimental.convergence.anchor', TokenRole.Anchor],
  ['llvm.experimental.convergence.loop', TokenRole.Loop],
]);

/** How LLVM writes what stands below a message. */
export interface TokenTexts {
  instruction(i: Instruction): string;
  value(v: Value): string;
}

export class IrConvergence extends ConvergenceRules<Instruction> {
  private graph: readonly FlowBlock[] | null = null;
  private readonly numbers = new Map<BasicBlock, number>();
  private block: BasicBlock | null = null;
  private hasConvergent = false;

  constructor(
    private readonly fn: IRFunction,
    private readonly order: BlockOrder,
    private readonly texts: TokenTexts,
    private readonly complain: (i: Instruction, message: string, ...values: readonly string[]) => void,
  ) {
    super();
    fn.blocks.forEach((b, k) => this.numbers.set(b, k));
  }

  /** For each call in the order of the text. */
  checkCall(i: Instruction, call: CallInfo): void {
    if (i.parent !== this.block) this.hasConvergent = false;
    this.block = i.parent;
    this.findToken(i, call);
    this.hasConvergent = this.checkPlace(i, isConvergent(i, call), this.hasConvergent);
  }

  /** After all calls. */
  finish(): void {
    this.checkRegions();
  }

  private findToken(i: Instruction, call: CallInfo): void {
    const bundles = call.bundles.filter((b) => b.tag === BUNDLE);
    const text = this.texts.instruction;
    const [bundle] = bundles;
    if (bundle === undefined) return;
    if (bundles.length > 1)
      return this.complain(i, "The 'convergencectrl' bundle can occur at most once on a call", text(i));
    const [token] = bundle.operands;
    if (bundle.operands.length !== 1 || token?.type.kind !== TypeKind.Token)
      return this.complain(i, "The 'convergencectrl' bundle requires exactly one token use.", text(i));
    if (token instanceof Instruction && this.roleOf(token) !== TokenRole.None) this.tokens.set(i, token);
    else
      this.complain(
        i,
        'Convergence control tokens can only be produced by calls to the convergence control intrinsics.',
        this.texts.value(token),
        text(i),
      );
  }

  protected wrongForEntry(): string {
    return this.fn.fnAttrs?.has('convergent') === true
      ? ''
      : 'Entry intrinsic can occur only in a convergent function.';
  }

  protected get flow(): readonly FlowBlock[] {
    return (this.graph ??= this.makeGraph());
  }

  /** LLVM finds predecessors in the list of a block's uses, in which the newest comes first. */
  private makeGraph(): readonly FlowBlock[] {
    const { fn, numbers } = this;
    const successors = fn.blocks.map((b) => (b.instructions.at(-1)?.blocks ?? []).map((s) => numbers.get(s)!));
    const predecessors = fn.blocks.map((): number[] => []);
    for (let b = successors.length - 1; b >= 0; b--) for (const s of successors[b]) predecessors[s].push(b);
    return successors.map((s, b) => ({ successors: s, predecessors: predecessors[b] }));
  }

  protected roleOf({ call, operands }: Instruction): TokenRole {
    const name = call === null ? null : operands[operands.length - 1].name;
    return ROLES.get(name) ?? TokenRole.None;
  }

  protected blockOf(i: Instruction): number {
    return this.numbers.get(i.parent)!;
  }

  protected instrsOf(b: number): Iterable<Instruction> {
    return this.fn.blocks[b].instructions;
  }

  protected dominates(a: number, b: number): boolean {
    const [above, below] = [this.fn.blocks[a], this.fn.blocks[b]];
    return this.order.isReached(above) && this.order.dominates(above, below);
  }

  protected checkProduced(): void {
    // A call has one result, which is what its type says.
  }

  protected report(message: string, at: Instruction, notes: readonly TokenNote<Instruction>[]): void {
    const textOf = (note: TokenNote<Instruction>): string => {
      if ('instr' in note) return this.texts.instruction(note.instr);
      return 'block' in note ? this.texts.value(this.fn.blocks[note.block]) : this.cycleText(note.cycle);
    };
    this.complain(at, message, ...notes.map(textOf));
  }

  private cycleText(c: number): string {
    const { cycles, fn } = this;
    // Without what marks a local name, and numbers where there is no name.
    const text = (b: number): string => {
      const { name, slot } = fn.blocks[b];
      return name ?? String(slot);
    };
    const entries = cycles.entries[c];
    const others = cycles.blocks[c].filter((b) => !entries.includes(b)).map((b) => ` ${text(b)}`);
    return `depth=${cycles.depth[c]}: entries(${entries.map(text).join(' ')})${others.join('')}`;
  }
}

/** By the call, or by what it calls. */
function isConvergent({ operands }: Instruction, { fnAttrs }: CallInfo): boolean {
  const callee = operands[operands.length - 1];
  const declared = callee instanceof IRFunction ? callee.fnAttrs : null;
  return fnAttrs?.has('convergent') === true || declared?.has('convergent') === true;
}
