/**
 * `si-lower-control-flow`: branches that lanes take differently become masks in EXEC and branches around what no lane runs (SILowerControlFlow, LLVM 22;
 * docs/llvm/lowering-control-flow.md, 3).
 */
import { removeSuccessor, replaceSuccessor } from '../../model/edit/blockEdges.js';
import { operandOf, regOperand, type FunctionEditor, type NewOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { CallingConv } from '../../model/functionLimits.js';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG, type Reg } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { isVALU } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { BlockEnds, retargetBranches } from '../blockEnds.js';
import { DOMINATORS, POST_DOMINATORS } from '../controlFlowAnalyses.js';
import type { FunctionState } from '../functionState.js';
import { firstTerminator, isDebugInstr } from '../instrOrder.js';
import { InstrQueries } from '../instrQueries.js';
import { laneMaskOps, type LaneMaskOps } from '../laneMaskOps.js';
import type { LiveVariables } from '../leaveSSA/liveVariables.js';
import { LIVE_VARIABLES } from '../leaveSSA/liveVariablesPass.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { LIVE_INTERVALS } from '../passContext.js';
import { RegisterFacts } from '../registerFacts.js';
import { splitBlockAfter } from '../splitBlock.js';
import { readsExec } from './readsExec.js';

/** @llvm SILowerControlFlow.cpp SILowerControlFlowLegacy */
export const lowerControlFlowPass: MachinePass = {
  name: 'si-lower-control-flow',
  pipelineName: 'si-lower-control-flow',
  className: 'SILowerControlFlowPass',
  title: 'SI Lower control flow pseudo instructions',
  requires: [],
  preserves: [DOMINATORS, POST_DOMINATORS, LIVE_INTERVALS, LIVE_VARIABLES],
  run(state, use) {
    if (state.has(LIVE_INTERVALS)) throw new NotModelled('live intervals that are kept while control flow is lowered');
    // It asks for live variables without having told the legacy pass manager, which lets them go where no later pass wants them.
    const live = use.isPipeline || use.wants(LIVE_VARIABLES) ? state.known(LIVE_VARIABLES) : null;
    new ControlFlowLowering(state, live).run();
  },
};

const IMPLICIT_DEF = OpFlag.Implicit | OpFlag.Def;

/** @llvm SILowerControlFlow.cpp SILowerControlFlow */
class ControlFlowLowering {
  private readonly editor: FunctionEditor;
  private readonly fn: MachineFunction;
  private readonly builder: InstrBuilder;
  private readonly ops: LaneMaskOps;
  private readonly queries: InstrQueries;
  private readonly facts: RegisterFacts;
  private readonly ends: BlockEnds;
  private readonly copy: number;
  private readonly endCf: number;
  private readonly branchIfNone: number;
  private readonly branchIfAny: number;
  private readonly scc: Reg;
  /** blocks that may end lanes */
  private readonly killBlocks = new Set<BlockId>();
  /** what gives lanes back at the end of a branch, in the order in which it was made */
  private readonly ended = new Set<InstrId>();
  /** copies of EXEC before a branch */
  private readonly saved = new Set<Reg>();
  private nBlocks: number;
  private hasTakenBlocks = false;

  constructor(
    private readonly state: FunctionState,
    private readonly live: LiveVariables | null,
  ) {
    this.editor = state.editor();
    this.fn = this.editor.fn;
    this.builder = new InstrBuilder(this.editor);
    this.ops = laneMaskOps(this.fn);
    this.queries = new InstrQueries(this.fn);
    this.facts = new RegisterFacts(this.fn);
    this.ends = new BlockEnds(this.editor, (b) => this.editor.blockAfter(b));
    const { tables } = this.fn;
    this.copy = tables.opcodeByName('COPY');
    this.endCf = tables.opcodeByName('SI_END_CF');
    this.branchIfNone = tables.opcodeByName('S_CBRANCH_EXECZ');
    this.branchIfAny = tables.opcodeByName('S_CBRANCH_EXECNZ');
    this.scc = tables.regByName('scc');
    this.nBlocks = this.fn.blocks.length;
  }

  /** @llvm SILowerControlFlow.cpp SILowerControlFlow::run */
  run(): void {
    const { fn, editor } = this;
    const { list } = editor;
    this.findKills();
    for (let b = 0, n = this.nBlocks; b < n; b++)
      for (let i = list.first(b); i >= 0;) {
        // What follows an end of control flow may be in a block of its own by then.
        const next = list.after(i);
        if (i >= 0) this.lower(i);
        i = next;
      }
    const { options } = this.state.context;
    if (options.get('amdgpu-remove-redundant-endcf') !== false && String(options.get('O')) !== '0')
      this.dropInnerEnds();
    if (fn.blocks.length !== this.nBlocks || this.hasTakenBlocks) this.blocksHaveChanged();
  }

  private blocksHaveChanged(): void {
    const { editor, live, state } = this;
    const idOf = this.hasTakenBlocks ? editor.dropTakenBlocks() : editor.renumberBlocks();
    if (idOf !== null) live?.renumberBlocks(idOf);
    for (const analysis of [DOMINATORS, POST_DOMINATORS])
      if (state.has(analysis)) {
        state.forget(analysis);
        state.noteComputed(analysis);
      }
  }

  private findKills(): void {
    const { fn, editor, killBlocks } = this;
    const { list } = editor;
    const kills = opcodeSet(fn.tables, 'killTerminator');
    const demote = fn.tables.opcodeByName('SI_DEMOTE_I1');
    const isPixelShader = fn.header.irFunction.callingConv === CallingConv.AMDGPU_PS;
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let i = firstTerminator(editor, b); i >= 0; i = list.after(i))
        if (kills.has(fn.opcode[i])) killBlocks.add(b);
      if (isPixelShader)
        for (let i = list.first(b); i >= 0; i = list.after(i)) if (fn.opcode[i] === demote) killBlocks.add(b);
    }
  }

  /** @llvm SILowerControlFlow.cpp SILowerControlFlow::process */
  private lower(i: InstrId): void {
    const { fn } = this;
    const { list } = this.editor;
    const name = this.queries.name(i);
    if (!/^SI_(?:IF|ELSE|IF_BREAK|LOOP|WATERFALL_LOOP|END_CF)$/.test(name)) return;
    const b = fn.instrBlock[i];
    const before = list.before(i);
    if (name === 'SI_IF') this.lowerIf(i);
    else if (name === 'SI_ELSE') this.lowerElse(i, b);
    else if (name === 'SI_IF_BREAK') this.lowerIfBreak(i);
    else if (name === 'SI_LOOP') this.lowerLoop(i);
    else if (name === 'SI_END_CF') this.lowerEnd(i, b);
    else fn.opcode[i] = this.branchIfAny;
    const { and, or } = this.ops;
    for (let at = before < 0 ? list.first(b) : before, next: ListPos; at >= 0; at = next) {
      next = list.after(at);
      if (fn.opcode[at] === and || fn.opcode[at] === or) this.combine(at);
    }
  }

  // -- pseudo instructions ----------------------------------------------------------------------------------------------

  private operand(i: InstrId, k: number): NewOperand {
    return operandOf(this.fn, this.fn.opBegin[i] + k);
  }

  private reg(i: InstrId, k: number): Reg {
    return this.fn.opVal[this.fn.opBegin[i] + k];
  }

  private newMask(): Reg {
    return this.builder.newVReg(this.ops.maskClass);
  }

  private get exec(): NewOperand {
    return regOperand(this.ops.exec);
  }

  private setsExec(): NewOperand {
    return regOperand(this.ops.exec, OpFlag.Def);
  }

  private setsScc(isDead: boolean): NewOperand {
    return regOperand(this.scc, IMPLICIT_DEF | (isDead ? OpFlag.Dead : 0));
  }

  /**
   * Where another branch stands: before the one that is always taken.
   * @llvm SILowerControlFlow.cpp SILowerControlFlow::skipToUncondBrOrEnd
   */
  private placeOfBranch(i: InstrId): ListPos {
    const { fn, editor } = this;
    let at: ListPos = i;
    while (at >= 0 && !this.isUnconditionalBranch(at)) at = editor.list.after(at);
    return at < 0 ? ~fn.instrBlock[i] : at;
  }

  private isUnconditionalBranch(i: InstrId): boolean {
    const { queries } = this;
    return queries.has(i, McFlag.Branch) && queries.has(i, McFlag.Barrier) && !queries.has(i, McFlag.IndirectBranch);
  }

  /** @llvm SILowerControlFlow.cpp SILowerControlFlow::emitIf */
  private lowerIf(i: InstrId): void {
    const { fn, editor, builder, ops, live } = this;
    const mask = this.reg(i, 0);
    const isSimple = this.isSimpleIf(i);
    const copy = isSimple ? mask : this.newMask();
    const alsoSets = regOperand(ops.exec, IMPLICIT_DEF);
    builder.build(i, i, this.copy, [regOperand(copy, OpFlag.Def), this.exec, alsoSets]);
    this.saved.add(copy);
    const taken = this.newMask();
    const and = builder.build(i, i, ops.and, [
      regOperand(taken, OpFlag.Def),
      regOperand(copy),
      this.operand(i, 1),
      this.setsScc(true),
    ]);
    live?.replaceKill(this.reg(i, 1), i, and);
    if (!isSimple) {
      const isDead = (fn.opFlags[fn.opBegin[i] + 4] & OpFlag.Dead) !== 0;
      builder.build(i, i, ops.xor, [
        regOperand(mask, OpFlag.Def),
        regOperand(taken),
        regOperand(copy),
        this.setsScc(isDead),
      ]);
    }
    const set = builder.build(i, i, ops.movTerm, [this.setsExec(), regOperand(taken, OpFlag.Kill)]);
    live?.info(taken).kills.push(set);
    builder.build(this.placeOfBranch(i), i, this.branchIfNone, [this.operand(i, 2)]);
    editor.erase(i);
  }

  /**
   * Only one SI_END_CF reads the mask, and no lane may end before it: then it is all that EXEC was.
   * @llvm SILowerControlFlow.cpp isSimpleIf
   */
  private isSimpleIf(i: InstrId): boolean {
    const { fn, editor } = this;
    const mask = this.reg(i, 0);
    if (!isVirtualReg(mask) || !editor.hasOneUser(mask)) return false;
    const reader = editor.instrOf(editor.usesOf(mask)[0]);
    return fn.opcode[reader] === this.endCf && !this.mayEndLanes(fn.instrBlock[i], fn.instrBlock[reader]);
  }

  /** @llvm SILowerControlFlow.cpp SILowerControlFlow::hasKill */
  private mayEndLanes(from: BlockId, to: BlockId): boolean {
    const { fn, killBlocks } = this;
    if (killBlocks.size === 0) return false;
    const seen = new Set([to]);
    const open = [...fn.blocks[from].successors];
    for (let b = open.pop(); b !== undefined; b = open.pop()) {
      if (seen.has(b)) continue;
      seen.add(b);
      if (killBlocks.has(b)) return true;
      open.push(...fn.blocks[b].successors);
    }
    return false;
  }

  /** @llvm SILowerControlFlow.cpp SILowerControlFlow::emitElse */
  private lowerElse(i: InstrId, b: BlockId): void {
    const { editor, builder, ops, live } = this;
    const [mask, source] = [this.reg(i, 0), this.operand(i, 1)];
    const saved = this.newMask();
    const first = builder.build(editor.list.first(b), i, ops.orSaveExec, [regOperand(saved, OpFlag.Def), source]);
    live?.replaceKill(this.reg(i, 1), i, first);
    builder.build(i, i, ops.and, [regOperand(mask, OpFlag.Def), this.exec, regOperand(saved)]);
    builder.build(i, i, ops.xorTerm, [this.setsExec(), this.exec, regOperand(mask)]);
    builder.build(this.placeOfBranch(i), i, this.branchIfNone, [this.operand(i, 2)]);
    editor.erase(i);
  }

  /**
   * The lanes that have left the loop, and those that leave it now: without EXEC where a vector instruction of the block makes them.
   * @llvm SILowerControlFlow.cpp SILowerControlFlow::emitIfBreak
   */
  private lowerIfBreak(i: InstrId): void {
    const { fn, editor, builder, ops, live } = this;
    const condition = this.operand(i, 1);
    const isReg = condition.kind === OperandKind.Register;
    const def = isReg && editor.hasOneDef(condition.val) ? editor.defOf(condition.val) : -1;
    const isMasked = def >= 0 && fn.instrBlock[def] === fn.instrBlock[i] && isVALU(fn.tables, fn.opcode[def]);
    let leaving = condition;
    let reader = -1;
    if (!isMasked) {
      const masked = this.newMask();
      reader = builder.build(i, i, ops.and, [regOperand(masked, OpFlag.Def), this.exec, condition]);
      leaving = regOperand(masked);
    }
    const or = builder.build(i, i, ops.or, [regOperand(this.reg(i, 0), OpFlag.Def), leaving, this.operand(i, 2)]);
    if (isReg && isVirtualReg(condition.val)) live?.replaceKill(condition.val, i, isMasked ? or : reader);
    if (isVirtualReg(this.reg(i, 2))) live?.replaceKill(this.reg(i, 2), i, or);
    editor.erase(i);
  }

  /** @llvm SILowerControlFlow.cpp SILowerControlFlow::emitLoop */
  private lowerLoop(i: InstrId): void {
    const { editor, builder, ops, live } = this;
    const left = builder.build(i, i, ops.andn2Term, [this.setsExec(), this.exec, this.operand(i, 0)]);
    live?.replaceKill(this.reg(i, 0), i, left);
    builder.build(this.placeOfBranch(i), i, this.branchIfAny, [this.operand(i, 1)]);
    editor.erase(i);
  }

  /**
   * Lanes come back at the start of the block, or, where the block defines the mask, at the end of its part before the pseudo instruction.
   * @llvm SILowerControlFlow.cpp SILowerControlFlow::emitEndCf
   */
  private lowerEnd(i: InstrId, b: BlockId): void {
    const { editor, builder, ops, live } = this;
    const { list } = editor;
    const mask = this.reg(i, 0);
    let isDefinedHere = false;
    for (let at = list.first(b); at !== i && !isDefinedHere; at = list.after(at))
      isDefinedHere = this.defines(at, mask);
    const behind = isDefinedHere && list.after(i) >= 0 ? splitBlockAfter(editor, i) : b;
    const [place, opcode] = isDefinedHere ? [i, ops.orTerm] : [list.first(b), ops.or];
    const made = builder.build(place, i, opcode, [this.setsExec(), this.exec, this.operand(i, 0)]);
    live?.replaceKill(mask, i, made);
    if (behind !== b) live?.blockIsSplit(b, behind);
    this.ended.add(made);
    editor.erase(i);
  }

  private defines(i: InstrId, reg: Reg): boolean {
    const { fn, editor, queries } = this;
    if (!isVirtualReg(reg)) return queries.modifies(i, reg);
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] === reg && editor.isDef(o)) return true;
    return false;
  }

  // -- masks of masks ----------------------------------------------------------------------------------------------------

  /**
   * `x op (x op y)`, with EXEC or copies of it, is `x op y`.
   * @llvm SILowerControlFlow.cpp SILowerControlFlow::combineMasks
   */
  private combine(i: InstrId): void {
    const { fn, editor } = this;
    const sources = this.sourcesOf(i, 1);
    const replaced = sources.length === 1 ? 2 : 1;
    sources.push(...this.sourcesOf(i, 2));
    if (sources.length !== 3) return;
    const isSame = (a: OperandId, b: OperandId): boolean =>
      fn.opKind[a] === fn.opKind[b] &&
      fn.opVal[a] === fn.opVal[b] &&
      (fn.opKind[a] === OperandKind.Immediate ? fn.opExt[a] === fn.opExt[b] : fn.opSub[a] === fn.opSub[b]);
    const [first, second, third] = sources;
    let other: OperandId;
    if (isSame(first, second)) other = third;
    else if (isSame(first, third) || isSame(second, third)) other = second;
    else return;
    const taken = operandOf(fn, other);
    const o = fn.opBegin[i];
    const gone = fn.opVal[o + replaced];
    // The other source stays, in front of the new one.
    if (replaced === 1) editor.setOperand(o + 1, operandOf(fn, o + 2));
    editor.setOperand(o + 2, taken);
    if (editor.firstOperand(gone) < 0 || this.isRead(gone)) return;
    const def = editor.defOf(gone);
    if (def >= 0) editor.erase(def);
  }

  /** Debug instructions count. */
  private isRead(reg: Reg): boolean {
    for (const o of this.editor.operandsOf(reg)) if (!this.editor.isDef(o)) return true;
    return false;
  }

  /**
   * What an operand of a mask's computation is: itself, or the sources of the same operation or copy in the block, while EXEC stays.
   * @llvm SILowerControlFlow.cpp SILowerControlFlow::findMaskOperands
   */
  private sourcesOf(i: InstrId, k: number): OperandId[] {
    const { fn, editor, ops } = this;
    const { list } = editor;
    const o = fn.opBegin[i] + k;
    const reg = fn.opVal[o];
    if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(reg)) return [o];
    const def = editor.hasOneDef(reg) ? editor.defOf(reg) : -1;
    if (def < 0 || fn.instrBlock[def] !== fn.instrBlock[i]) return [];
    const isCopy = (at: InstrId): boolean => fn.opcode[at] === this.copy;
    const isFullCopy = isCopy(def) && fn.opSub[fn.opBegin[def]] === 0 && fn.opSub[fn.opBegin[def] + 1] === 0;
    if (!isFullCopy && fn.opcode[def] !== fn.opcode[i]) return [];
    for (let at: ListPos = def; at !== i && at >= 0; at = list.after(at))
      if (this.queries.modifies(at, this.wholeExec) && !(isCopy(at) && this.reg(at, 0) !== ops.exec)) return [];
    const sources: OperandId[] = [];
    for (let s = fn.opBegin[def]; s < fn.opBegin[def + 1]; s++) {
      if (fn.opKind[s] !== OperandKind.Register || (fn.opFlags[s] & IMPLICIT_DEF) !== 0) continue;
      if (isVirtualReg(fn.opVal[s]) || fn.opVal[s] === ops.exec) sources.push(s);
    }
    return sources;
  }

  private get wholeExec(): Reg {
    return this.fn.tables.regByName('exec');
  }

  // -- ends of branches in branches ----------------------------------------------------------------------------------------

  /**
   * Lanes need not come back where the next instruction that reads EXEC brings back all that a branch around has saved.
   * @llvm SILowerControlFlow.cpp SILowerControlFlow::optimizeEndCf
   */
  private dropInnerEnds(): void {
    const { fn, editor, live } = this;
    for (const i of [...this.ended].reverse()) {
      const next = this.nextThatReadsExec(i);
      if (next < 0 || !this.ended.has(next)) continue;
      const outer = this.reg(next, 2);
      if (!isVirtualReg(outer) || !editor.hasOneDef(outer) || !this.saved.has(outer)) continue;
      const mask = this.reg(i, 2);
      const b = fn.instrBlock[i];
      this.ended.delete(i);
      editor.erase(i);
      if (live !== null && isVirtualReg(mask) && mask !== NO_REG) live.recompute(mask);
      this.removeIfEmpty(b);
    }
  }

  /**
   * In the block, or in what follows with one way alone; -1 = none.
   * @llvm SILowerControlFlow.cpp SILowerControlFlow::skipIgnoreExecInstsTrivialSucc
   */
  private nextThatReadsExec(i: InstrId): InstrId {
    const { fn, editor } = this;
    const { list } = editor;
    const seen = new Set<BlockId>();
    let at = list.after(i);
    for (let b = fn.instrBlock[i]; !seen.has(b);) {
      seen.add(b);
      while (at >= 0 && !readsExec(this.queries, this.facts, at)) at = list.after(at);
      if (at >= 0) return at;
      if (fn.blocks[b].successors.length !== 1) return -1;
      [b] = fn.blocks[b].successors;
      at = list.first(b);
    }
    return -1;
  }

  /**
   * A block without instructions but a branch goes: what comes to it goes on to its successor.
   * @llvm SILowerControlFlow.cpp SILowerControlFlow::removeMBBifRedundant
   */
  private removeIfEmpty(b: BlockId): void {
    const { fn, editor, ends } = this;
    const { list } = editor;
    for (let i = list.first(b); i >= 0; i = list.after(i))
      if (!isDebugInstr(fn, i) && !this.isUnconditionalBranch(i)) return;
    const { successors } = fn.blocks[b];
    if (successors.length !== 1) throw new NotModelled('an empty block with more than one successor');
    const [to] = successors;
    let above: BlockId = -1;
    while (fn.blocks[b].predecessors.length > 0) {
      const [p] = fn.blocks[b].predecessors;
      if (ends.fallThrough(p, false) === b) above = p;
      retargetBranches(editor, p, b, to);
      replaceSuccessor(fn, p, b, to);
    }
    removeSuccessor(fn, b, to);
    editor.takeOutBlocks(b);
    this.hasTakenBlocks = true;
    if (above >= 0 && editor.blockAfter(above) !== to) ends.insert(above, to, -1, null, ends.locationOf(above));
  }
}
