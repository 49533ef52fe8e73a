/**
 * Convergence control tokens (docs/llvm/verifier.md, 6.7): who makes them, who takes them, and that regions of them are nested and enter cycles in one place.
 * Each message is LLVM's (MachineConvergenceVerifier, LLVM 22); reports are about the function, with the instructions after.
 */
import {
  OperandKind,
  OpFlag,
  type BlockId,
  type InstrId,
  type MachineBasicBlock,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { ConvergenceRules, TokenRole as Role, type TokenNote } from '../../model/convergenceRules.js';
import { DominatorTree } from '../dominators.js';
import { printCycle } from '../uniformity/cycleText.js';
import { PlanKind } from './opcodePlan.js';
import { blockText, regText, type ReportLine } from './reports.js';
import type { VerifierContext } from './verifierContext.js';

const NOCONVERGENT = 1 << 15;
const ASM_IS_CONVERGENT = 32;

const SEVERAL = -2;

/**
 * O(opcodes) for functions without tokens.
 * @llvm GenericConvergenceVerifierImpl.h GenericConvergenceVerifier::verify
 */
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

class ConvergenceChecks extends ConvergenceRules<InstrId> {
  protected readonly flow: readonly MachineBasicBlock[];
  private readonly defs: Int32Array;
  private dominators: DominatorTree | null = null;

  constructor(
    private readonly ctx: VerifierContext,
    private readonly roles: ReadonlyMap<number, Role>,
  ) {
    super();
    this.flow = ctx.fn.blocks;
    this.defs = this.uniqueDefs();
  }

  run(): void {
    const { fn } = this.ctx;
    for (let b = 0; b < this.ctx.nBlocks; b++) {
      let hasConvergent = false;
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) hasConvergent = this.checkInstr(b, p, hasConvergent);
    }
    this.checkRegions();
  }

  /** The instruction that defines a virtual register, -1 for none, SEVERAL. */
  private uniqueDefs(): Int32Array {
    const { fn } = this.ctx;
    const defs = new Int32Array(fn.vregs.n).fill(-1);
    for (const i of fn.layout())
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if ((fn.opFlags[o] & OpFlag.Def) === 0 || !isVirtualReg(fn.opVal[o])) continue;
        const v = virtRegIndex(fn.opVal[o]);
        if (defs[v] !== i) defs[v] = defs[v] === -1 ? i : SEVERAL;
      }
    return defs;
  }

  /** Machine code does not say that a function is convergent. */
  protected wrongForEntry(): string {
    return '';
  }

  protected roleOf(i: InstrId): Role {
    return this.roles.get(this.ctx.fn.opcode[i]) ?? Role.None;
  }

  protected blockOf(i: InstrId): BlockId {
    return this.ctx.fn.instrBlock[i];
  }

  protected instrsOf(b: BlockId): Iterable<InstrId> {
    const { fn } = this.ctx;
    return fn.order.subarray(fn.blockBegin[b], fn.blockEnd[b]);
  }

  protected dominates(a: BlockId, b: BlockId): boolean {
    return (this.dominators ??= new DominatorTree(this.flow)).dominates(a, b);
  }

  protected report(message: string, at: InstrId, notes: readonly TokenNote<InstrId>[]): void {
    const { fn, out } = this.ctx;
    const linesOf = (note: TokenNote<InstrId>): ReportLine[] => {
      if ('instr' in note) return this.lines(note.instr);
      return 'block' in note ? [blockText(note.block)] : [printCycle(fn, this.cycles, note.cycle)];
    };
    out.onFunctionAt(at, message, notes.flatMap(linesOf));
  }

  /** An instruction ends its line, and the report puts an empty one after it. */
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

  /**
   * Looks for the one token that the instruction takes.
   * @llvm MachineConvergenceVerifier.cpp GenericConvergenceVerifier::findAndCheckConvergenceTokenUsed
   */
  private findToken(i: InstrId, isConvergent: boolean): void {
    const { fn } = this.ctx;
    let token = -1;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if ((fn.opFlags[o] & OpFlag.Def) !== 0 || !isVirtualReg(reg)) continue;
      const def = this.defs[virtRegIndex(reg)];
      if (def < 0 || this.roleOf(def) === Role.None) continue;
      if (!isConvergent || token >= 0) {
        this.ctx.out.onFunctionAt(
          i,
          isConvergent
            ? 'An operation can use at most one convergence control token.'
            : 'Convergence control tokens can only be used by convergent operations.',
          [{ before: `${regText(fn, reg)}: `, instr: def }, '', ...this.lines(i)],
        );
        return;
      }
      token = def;
    }
    if (token >= 0) this.tokens.set(i, token);
  }

  /**
   * Whether a convergent operation stands in the block up to here.
   * @llvm GenericConvergenceVerifierImpl.h GenericConvergenceVerifier::visit
   */
  private checkInstr(b: BlockId, p: number, hasConvergent: boolean): boolean {
    const { fn } = this.ctx;
    const i = fn.order[p];
    const isConvergent = this.isConvergent(p, fn.blockEnd[b]);
    this.findToken(i, isConvergent);
    return this.checkPlace(i, isConvergent, hasConvergent);
  }

  protected checkProduced(i: InstrId): void {
    const { fn } = this.ctx;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Implicit)) !== (OpFlag.Def | OpFlag.Implicit)) continue;
      this.report('Convergence control tokens are defined explicitly.', i, [{ instr: i }]);
      return;
    }
    const o = fn.opBegin[i];
    if (fn.opKind[o] === OperandKind.Register && !this.isOnlyDef(i, fn.opVal[o]))
      this.report('Convergence control tokens must have unique definitions.', i, [{ instr: i }]);
  }

  private isOnlyDef(i: InstrId, reg: Reg): boolean {
    if (isVirtualReg(reg)) return this.defs[virtRegIndex(reg)] === i;
    const { fn } = this.ctx;
    for (const j of fn.layout())
      for (let o = fn.firstReg(j); j !== i && o >= 0; o = fn.nextReg(j, o))
        if (fn.opVal[o] === reg && (fn.opFlags[o] & OpFlag.Def) !== 0) return false;
    return true;
  }
}
