/**
 * Convergence control tokens (docs/llvm/verifier.md, 6.7): who makes them, who takes them, and that regions of them are nested and enter cycles in one place.
 * Each message is LLVM's (MachineConvergenceVerifier, LLVM 22); reports are about the function, with the instructions behind.
 */
import { OperandKind, OpFlag, type BlockId, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { DominatorTree } from '../dominators.js';
import { reversePostOrder } from '../reversePostOrder.js';
import { CycleInfo } from '../uniformity/cycles.js';
import { printCycle } from '../uniformity/cycleText.js';
import { PlanKind } from './opcodePlan.js';
import { blockText, regText, type ReportLine } from './reports.js';
import type { VerifierContext } from './verifierContext.js';

const NOCONVERGENT = 1 << 15;
const ASM_IS_CONVERGENT = 32;

const enum Role {
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

const SEVERAL = -2;

/** O(opcodes) for functions without tokens. */
export function checkConvergence(ctx: VerifierContext): void {
  const { fn, tables } = ctx;
  const roles = new Map<number, Role>([
    [tables.opcodeByName('CONVERGENCECTRL_ENTRY'), Role.Entry],
    [tables.opcodeByName('CONVERGENCECTRL_ANCHOR'), Role.Anchor],
    [tables.opcodeByName('CONVERGENCECTRL_LOOP'), Role.Loop],
  ]);
  const [entry, anchor, loop] = [...roles.keys()];
  for (let i = 0; i < fn.nInstrs; i++) {
    const opcode = fn.opcode[i];
    if (opcode === entry || opcode === anchor || opcode === loop) return new ConvergenceChecks(ctx, roles).run();
  }
}

class ConvergenceChecks {
  /** the token that an instruction takes, as the instruction that makes it */
  private readonly tokens = new Map<InstrId, InstrId>();
  private readonly defs: Int32Array;
  private style = Style.Unknown;

  constructor(
    private readonly ctx: VerifierContext,
    private readonly roles: ReadonlyMap<number, Role>,
  ) {
    this.defs = this.uniqueDefs();
  }

  run(): void {
    const { fn } = this.ctx;
    for (let b = 0; b < this.ctx.nBlocks; b++) {
      let hasConvergent = false;
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) hasConvergent = this.checkInstr(b, p, hasConvergent);
    }
    if (this.style === Style.Controlled) this.checkRegions();
  }

  /** The instruction that defines a virtual register, -1 for none, SEVERAL. */
  private uniqueDefs(): Int32Array {
    const { fn } = this.ctx;
    const defs = new Int32Array(fn.vregs.n).fill(-1);
    for (const i of fn.order.subarray(0, fn.blockEnd[fn.blocks.length - 1]))
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if ((fn.opFlags[o] & OpFlag.Def) === 0 || !isVirtualReg(fn.opVal[o])) continue;
        const v = virtRegIndex(fn.opVal[o]);
        if (defs[v] !== i) defs[v] = defs[v] === -1 ? i : SEVERAL;
      }
    return defs;
  }

  private roleOf(i: InstrId): Role {
    return this.roles.get(this.ctx.fn.opcode[i]) ?? Role.None;
  }

  private report(message: string, at: InstrId, lines: readonly ReportLine[]): void {
    this.ctx.out.onFunctionAt(at, message, lines);
  }

  /** An instruction ends its line, and the report puts an empty one behind it. */
  private lines(i: InstrId): ReportLine[] {
    return [{ before: '', instr: i }, ''];
  }

  /** AnyInBundle: of a bundle's head that of all its members counts. */
  private isConvergent(p: number, end: number): boolean {
    const { fn, plans } = this.ctx;
    const i = fn.order[p];
    const plan = plans.get(fn.opcode[i]);
    if (plan.kind === PlanKind.InlineAsm) {
      const o = fn.opBegin[i] + 1;
      if (o < fn.opBegin[i + 1] && fn.opKind[o] === OperandKind.Immediate && (fn.opVal[o] & ASM_IS_CONVERGENT) !== 0)
        return true;
    }
    if ((fn.instrFlags[i] & NOCONVERGENT) !== 0) return false;
    if (plan.flag(McFlag.Convergent)) return true;
    if (fn.bundle[i] !== 2 || plan.name !== 'BUNDLE') return false;
    for (let q = p + 1; q < end && (fn.bundle[fn.order[q]] & 1) !== 0; q++)
      if (plans.get(fn.opcode[fn.order[q]]).flag(McFlag.Convergent)) return true;
    return false;
  }

  /** The one token that the instruction takes; -1 for none, or where that is wrong. */
  private tokenOf(i: InstrId, isConvergent: boolean): InstrId {
    const { fn } = this.ctx;
    let token = -1;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if ((fn.opFlags[o] & OpFlag.Def) !== 0 || !isVirtualReg(reg)) continue;
      const def = this.defs[virtRegIndex(reg)];
      if (def < 0 || this.roleOf(def) === Role.None) continue;
      if (!isConvergent || token >= 0) {
        this.report(
          isConvergent
            ? 'An operation can use at most one convergence control token.'
            : 'Convergence control tokens can only be used by convergent operations.',
          i,
          [{ before: `${regText(fn, reg)}: `, instr: def }, '', ...this.lines(i)],
        );
        return -1;
      }
      token = def;
    }
    if (token >= 0) this.tokens.set(i, token);
    return token;
  }

  /** Whether a convergent operation stands in the block up to here. */
  private checkInstr(b: BlockId, p: number, hasConvergent: boolean): boolean {
    const { fn } = this.ctx;
    const i = fn.order[p];
    const role = this.roleOf(i);
    const isConvergent = this.isConvergent(p, fn.blockEnd[b]);
    const token = this.tokenOf(i, isConvergent);
    const wrong = wrongRole(role, b, token >= 0, hasConvergent);
    if (wrong !== '') {
      this.report(wrong, i, this.lines(i));
      return hasConvergent;
    }
    if (role !== Role.None) this.checkProduced(i);
    if (role === Role.None && token < 0 && !isConvergent) return hasConvergent;
    const style = role !== Role.None || token >= 0 ? Style.Controlled : Style.Uncontrolled;
    if (this.style !== Style.Unknown && this.style !== style)
      this.report('Cannot mix controlled and uncontrolled convergence in the same function.', i, this.lines(i));
    else this.style = style;
    return hasConvergent || isConvergent;
  }

  private checkProduced(i: InstrId): void {
    const { fn } = this.ctx;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Implicit)) !== (OpFlag.Def | OpFlag.Implicit)) continue;
      this.report('Convergence control tokens are defined explicitly.', i, this.lines(i));
      return;
    }
    const o = fn.opBegin[i];
    if (fn.opKind[o] === OperandKind.Register && !this.isOnlyDef(i, fn.opVal[o]))
      this.report('Convergence control tokens must have unique definitions.', i, this.lines(i));
  }

  private isOnlyDef(i: InstrId, reg: Reg): boolean {
    if (isVirtualReg(reg)) return this.defs[virtRegIndex(reg)] === i;
    const { fn } = this.ctx;
    for (const j of fn.order.subarray(0, fn.blockEnd[fn.blocks.length - 1]))
      for (let o = fn.firstReg(j); j !== i && o >= 0; o = fn.nextReg(j, o))
        if (fn.opVal[o] === reg && (fn.opFlags[o] & OpFlag.Def) !== 0) return false;
    return true;
  }

  // -- regions ---------------------------------------------------------------------------------------------------------

  /** Tokens that are open at the start of a block, the outermost first, are those of all predecessors seen before it. */
  private checkRegions(): void {
    const { fn } = this.ctx;
    const dominators = new DominatorTree(fn.blocks);
    const cycles = new CycleInfo(fn.blocks);
    const hearts = new Map<number, InstrId>();
    const openAt = new Map<BlockId, InstrId[]>();
    for (const b of reversePostOrder(fn.blocks)) {
      const open = openAt.get(b) ?? [];
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        const token = this.tokens.get(i);
        if (token !== undefined) {
          const isIn = this.checkNesting(token, i, open, dominators);
          if (isIn) this.checkCycle(token, i, cycles, hearts);
        }
        if (this.roleOf(i) !== Role.None) open.push(i);
      }
      for (const s of fn.blocks[b].successors) {
        const known = openAt.get(s);
        if (known) keepOnly(known, (t) => open.includes(t));
        else {
          const first = open.findIndex((t) => !dominators.dominates(fn.instrBlock[t], s));
          openAt.set(s, first < 0 ? [...open] : open.slice(0, first));
        }
      }
    }
  }

  /** A use closes all regions inside that of its token. */
  private checkNesting(token: InstrId, user: InstrId, open: InstrId[], dominators: DominatorTree): boolean {
    const { instrBlock } = this.ctx.fn;
    const both = [...this.lines(token), ...this.lines(user)];
    if (!dominators.dominates(instrBlock[token], instrBlock[user])) {
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
  private checkCycle(token: InstrId, user: InstrId, cycles: CycleInfo, hearts: Map<number, InstrId>): void {
    const { fn } = this.ctx;
    const [from, block] = [fn.instrBlock[token], fn.instrBlock[user]];
    let c = cycles.cycleOf[block];
    if (c < 0 || from === block || cycles.contains(c, from)) return;
    if (this.roleOf(user) !== Role.Loop) {
      this.report(
        "Convergence token used by an instruction other than llvm.experimental.convergence.loop in a cycle that does not contain the token's definition.",
        user,
        [...this.lines(user), printCycle(fn, cycles, c)],
      );
      return;
    }
    for (let up = cycles.parent[c]; up >= 0 && !cycles.contains(up, from); up = cycles.parent[up]) c = up;
    if (!cycles.isReducible(c) || cycles.header(c) !== block) {
      const lines = [...this.lines(user), blockText(block), printCycle(fn, cycles, c)];
      this.report('Cycle heart must dominate all blocks in the cycle.', user, lines);
      return;
    }
    const heart = hearts.get(c);
    if (heart === undefined) hearts.set(c, user);
    else {
      this.report(
        "Two static convergence token uses in a cycle that does not contain either token's definition.",
        user,
        [...this.lines(user), ...this.lines(heart), printCycle(fn, cycles, c)],
      );
    }
  }
}

/** What is wrong with an intrinsic where it stands; '' = nothing. */
function wrongRole(role: Role, b: BlockId, hasToken: boolean, hasConvergent: boolean): string {
  if (role === Role.Loop) {
    if (!hasToken) return 'Loop intrinsic must have a convergencectrl token operand.';
    return hasConvergent ? 'Loop intrinsic cannot be preceded by a convergent operation in the same basic block.' : '';
  }
  if (role === Role.Entry) {
    if (b !== 0) return 'Entry intrinsic can occur only in the entry block.';
    if (hasConvergent) return 'Entry intrinsic cannot be preceded by a convergent operation in the same basic block.';
  }
  if (role !== Role.None && hasToken) return 'Entry or anchor intrinsic cannot have a convergencectrl token operand.';
  return '';
}

/** In place, in the order that libstdc++'s partition leaves: one that goes is replaced by the last one that stays. */
function keepOnly(list: InstrId[], stays: (i: InstrId) => boolean): void {
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
