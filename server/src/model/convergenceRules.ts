/**
 * What IR and machine code have in common of the rules for convergence control tokens (LLVM 22: GenericConvergenceVerifier; docs/llvm/verifier.md, 6.7):
 * where the intrinsics stand that make them, and that regions of them are nested and enter cycles in one place.
 */
import { CycleInfo } from '../util/cycles.js';
import { reversePostOrder, type FlowBlock } from '../util/reversePostOrder.js';

export const enum TokenRole {
  None,
  Entry,
  Anchor,
  Loop,
}

/** How the convergent operations seen so far say which lanes run them together. */
const enum Style {
  Unknown,
  Controlled,
  Uncontrolled,
}

/** What stands below a message. */
export type TokenNote<I> = { readonly instr: I } | { readonly block: number } | { readonly cycle: number };

/** `I` is what names an instruction. Blocks are numbers in layout order, the first is the entry. */
export abstract class ConvergenceRules<I> {
  /** the token that an instruction takes, as the instruction that makes it */
  protected readonly tokens = new Map<I, I>();
  private style = Style.Unknown;
  private found: CycleInfo | null = null;

  protected abstract readonly flow: readonly FlowBlock[];
  protected abstract roleOf(i: I): TokenRole;
  protected abstract blockOf(i: I): number;
  protected abstract instrsOf(b: number): Iterable<I>;
  /** Whether every path to block `b` goes through `a`; `b` is reached. */
  protected abstract dominates(a: number, b: number): boolean;
  /** What is wrong with the token that the instruction makes. */
  protected abstract checkProduced(i: I): void;
  /** What is wrong with the function as a place for an entry intrinsic; '' = nothing. */
  protected abstract wrongForEntry(): string;
  protected abstract report(message: string, at: I, notes: readonly TokenNote<I>[]): void;

  protected get cycles(): CycleInfo {
    return (this.found ??= new CycleInfo(this.flow));
  }

  /**
   * The rules for an instruction by itself, once `tokens` has what it takes. `hasConvergent` is what the call for the one before in the block
   * returned, false for the first.
   */
  protected checkPlace(i: I, isConvergent: boolean, hasConvergent: boolean): boolean {
    const role = this.roleOf(i);
    const hasToken = this.tokens.has(i);
    const wrong = this.wrongPlace(i, role, hasToken, hasConvergent);
    if (wrong !== '') {
      this.report(wrong, i, [{ instr: i }]);
      return hasConvergent;
    }
    if (role !== TokenRole.None) this.checkProduced(i);
    if (role === TokenRole.None && !hasToken && !isConvergent) return hasConvergent;
    const style = role !== TokenRole.None || hasToken ? Style.Controlled : Style.Uncontrolled;
    if (this.style !== Style.Unknown && this.style !== style)
      this.report('Cannot mix controlled and uncontrolled convergence in the same function.', i, [{ instr: i }]);
    else this.style = style;
    return hasConvergent || isConvergent;
  }

  /** What is wrong with an intrinsic where it stands; '' = nothing. */
  private wrongPlace(i: I, role: TokenRole, hasToken: boolean, hasConvergent: boolean): string {
    if (role === TokenRole.Loop) {
      if (!hasToken) return 'Loop intrinsic must have a convergencectrl token operand.';
      return hasConvergent
        ? 'Loop intrinsic cannot be preceded by a convergent operation in the same basic block.'
        : '';
    }
    if (role === TokenRole.Entry) {
      const wrong = this.wrongForEntry();
      if (wrong !== '') return wrong;
      if (this.blockOf(i) !== 0) return 'Entry intrinsic can occur only in the entry block.';
      if (hasConvergent) return 'Entry intrinsic cannot be preceded by a convergent operation in the same basic block.';
    }
    if (role !== TokenRole.None && hasToken)
      return 'Entry or anchor intrinsic cannot have a convergencectrl token operand.';
    return '';
  }

  /** The rules for the whole function, after those for each instruction. */
  protected checkRegions(): void {
    if (this.style !== Style.Controlled) return;
    const hearts = new Map<number, I>();
    // Tokens that are open at the start of a block, the outermost first, are those of all predecessors seen before it.
    const openAt = new Map<number, I[]>();
    for (const b of reversePostOrder(this.flow)) {
      const open = openAt.get(b) ?? [];
      for (const i of this.instrsOf(b)) {
        const token = this.tokens.get(i);
        if (token !== undefined) {
          const isIn = this.checkNesting(token, i, open);
          if (isIn) this.checkCycle(token, i, hearts);
        }
        if (this.roleOf(i) !== TokenRole.None) open.push(i);
      }
      for (const s of this.flow[b].successors) {
        const known = openAt.get(s);
        if (known) keepOnly(known, (t) => open.includes(t));
        else {
          const first = open.findIndex((t) => !this.dominates(this.blockOf(t), s));
          openAt.set(s, first < 0 ? [...open] : open.slice(0, first));
        }
      }
    }
  }

  /** A use closes all regions inside that of its token. */
  private checkNesting(token: I, user: I, open: I[]): boolean {
    const both = [{ instr: token }, { instr: user }];
    if (!this.dominates(this.blockOf(token), this.blockOf(user))) {
      this.report('Convergence control token must dominate all its uses.', user, both);
      return false;
    }
    const at = open.lastIndexOf(token);
    if (at < 0) {
      this.report('Convergence region is not well-nested.', user, both);
      return false;
    }
    open.length = at + 1;
    return true;
  }

  /** A token from outside of a cycle comes in by a loop intrinsic alone, one for the outermost such cycle, in its header. */
  private checkCycle(token: I, user: I, hearts: Map<number, I>): void {
    const { cycles } = this;
    const [from, block] = [this.blockOf(token), this.blockOf(user)];
    let c = cycles.cycleOf[block];
    if (c < 0 || from === block || cycles.contains(c, from)) return;
    if (this.roleOf(user) !== TokenRole.Loop) {
      this.report(
        "Convergence token used by an instruction other than llvm.experimental.convergence.loop in a cycle that does not contain the token's definition.",
        user,
        [{ instr: user }, { cycle: c }],
      );
      return;
    }
    for (let up = cycles.parent[c]; up >= 0 && !cycles.contains(up, from); up = cycles.parent[up]) c = up;
    if (!cycles.isReducible(c) || cycles.header(c) !== block) {
      const notes = [{ instr: user }, { block }, { cycle: c }];
      this.report('Cycle heart must dominate all blocks in the cycle.', user, notes);
      return;
    }
    const heart = hearts.get(c);
    if (heart === undefined) hearts.set(c, user);
    else {
      this.report(
        "Two static convergence token uses in a cycle that does not contain either token's definition.",
        user,
        [{ instr: user }, { instr: heart }, { cycle: c }],
      );
    }
  }
}

/** In place, in the order that libstdc++'s partition leaves: one that goes is replaced by the last one that stays. */
function keepOnly<T>(list: T[], stays: (i: T) => boolean): void {
  let first = 0;
  for (let last = list.length; ; first++) {
    while (first < last && stays(list[first])) first++;
    do last--;
    while (first < last && !stays(list[last]));
    if (first >= last) break;
    list[first] = list[last];
  }
  list.length = first;
}
