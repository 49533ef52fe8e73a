/**
 * `si-opt-vgpr-liverange`: a vector register that one side of a divergent branch reads last need not live through the other side, nor one that a waterfall
 * loop reads through its rounds: a PHI with an undefined value says so (SIOptimizeVGPRLiveRange, LLVM 22; docs/llvm/lowering-control-flow.md, 2).
 */
import type { DominatorTree } from '../../analysis/dominators.js';
import type { LoopInfo } from '../../analysis/loops.js';
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import { regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { DOMINATORS, LOOPS } from '../controlFlowAnalyses.js';
import type { FunctionState } from '../functionState.js';
import { allInstrs, firstNonPhi, firstTerminator, isDebugInstr } from '../instrOrder.js';
import type { LiveVariables } from '../leaveSSA/liveVariables.js';
import { LIVE_VARIABLES, requireLiveVariables } from '../leaveSSA/liveVariablesPass.js';
import { addRegisterKilled } from '../registerMarks.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG, LIVE_INTERVALS } from '../passContext.js';
import { RegisterFacts } from '../registerFacts.js';

/** @llvm SIOptimizeVGPRLiveRange.cpp SIOptimizeVGPRLiveRangeLegacy */
export const optVGPRLiveRangePass: MachinePass = {
  name: 'si-opt-vgpr-liverange',
  pipelineName: 'si-opt-vgpr-liverange',
  className: 'SIOptimizeVGPRLiveRangePass',
  title: 'SI Optimize VGPR LiveRange',
  requires: [LIVE_VARIABLES, DOMINATORS, LOOPS],
  preserves: [LIVE_VARIABLES, CFG],
  run(state, use) {
    if (state.has(LIVE_INTERVALS))
      throw new NotModelled('live intervals that are kept while live ranges are shortened');
    requireLiveVariables(state, use.isPipeline);
    state.header.noPhis = false;
    if (!state.fn.isOptNone) new LiveRanges(state).run();
  },
};

/** A divergent branch: its block, the one that turns to the other side, the one after both. */
interface Branch {
  readonly start: BlockId;
  readonly turn: BlockId;
  readonly end: BlockId;
  /** blocks of the other side */
  readonly others: ReadonlySet<BlockId>;
}

/** So many registers are kept in the order in which they were found; more go by their numbers (SmallSet). */
const KEPT_IN_ORDER = 8;

/** @llvm SIOptimizeVGPRLiveRange.cpp SIOptimizeVGPRLiveRange */
class LiveRanges {
  private readonly editor: FunctionEditor;
  private readonly fn: MachineFunction;
  private readonly builder: InstrBuilder;
  private readonly facts: RegisterFacts;
  private readonly live: LiveVariables;
  private readonly dominators: DominatorTree;
  private readonly loops: LoopInfo;
  private readonly traits: Uint8Array;
  private readonly phi: number;

  constructor(state: FunctionState) {
    this.dominators = state.get(DOMINATORS);
    this.loops = state.get(LOOPS);
    this.live = state.get(LIVE_VARIABLES);
    this.editor = state.editor();
    this.fn = this.editor.fn;
    this.builder = new InstrBuilder(this.editor);
    this.facts = new RegisterFacts(this.fn);
    this.traits = opcodeTraits(this.fn.tables);
    this.phi = this.fn.tables.opcodeByName('PHI');
  }

  /** @llvm SIOptimizeVGPRLiveRange.cpp SIOptimizeVGPRLiveRange::run */
  run(): void {
    const { fn, editor } = this;
    const { tables } = fn;
    const [branch, loop] = ['SI_IF', 'SI_WATERFALL_LOOP'].map((name) => tables.opcodeByName(name));
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i = firstTerminator(editor, b); i >= 0; i = editor.list.after(i))
        if (fn.opcode[i] === branch) this.shortenInBranch(b, fn.opVal[fn.opBegin[i] + 2]);
        else if (fn.opcode[i] === loop) this.shortenInLoop(fn.opVal[fn.opBegin[i]], b);
  }

  private isPhi(i: InstrId): boolean {
    return (this.traits[this.fn.opcode[i]] & OpcodeTrait.Phi) !== 0;
  }

  /** A class of both VGPRs and AGPRs is none of vectors for LLVM here. */
  private isVector(reg: Reg): boolean {
    return isVirtualReg(reg) && (this.facts.isVGPR(reg) || this.facts.isAGPR(reg));
  }

  /** Operands of an instruction that read a vector register. */
  private *vectorReads(i: InstrId): IterableIterator<Reg> {
    const { fn, editor } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (!editor.isDef(o) && editor.reads(o) && this.isVector(fn.opVal[o])) yield fn.opVal[o];
  }

  /** The PHI that says that `reg` comes from some predecessors of a block, and nothing from the others. */
  private buildPhi(b: BlockId, to: Reg, reg: Reg, undefinedReg: Reg, comesFrom: (p: BlockId) => boolean): void {
    const sources = this.fn.blocks[b].predecessors.flatMap((p) => [
      comesFrom(p) ? regOperand(reg) : regOperand(undefinedReg, OpFlag.Undef),
      { kind: OperandKind.MBB, val: p },
    ]);
    this.builder.build(firstNonPhi(this.editor, b), NO_LOCATION, this.phi, [regOperand(to, OpFlag.Def), ...sources]);
  }

  private newRegs(reg: Reg): readonly [Reg, Reg] {
    const rc = this.fn.vregs.regClass[virtRegIndex(reg)];
    return [this.builder.newVReg(rc), this.builder.newVReg(rc)];
  }

  // -- branches --------------------------------------------------------------------------------------------------------

  private shortenInBranch(start: BlockId, turn: BlockId): void {
    const { dominators } = this;
    const end = this.endOfElse(turn);
    if (end < 0 || !dominators.dominates(start, turn) || !dominators.dominates(turn, end)) return;
    const branch: Branch = { start, turn, end, others: this.otherSide(turn, end) };
    for (const reg of this.candidates(branch)) this.shorten(reg, branch);
  }

  /** @llvm SIOptimizeVGPRLiveRange.cpp SIOptimizeVGPRLiveRange::getElseTarget */
  private endOfElse(b: BlockId): BlockId {
    const { fn, editor } = this;
    const turn = fn.tables.opcodeByName('SI_ELSE');
    for (let i = firstTerminator(editor, b); i >= 0; i = editor.list.after(i))
      if (fn.opcode[i] === turn) return fn.opVal[fn.opBegin[i] + 2];
    return -1;
  }

  /** @llvm SIOptimizeVGPRLiveRange.cpp SIOptimizeVGPRLiveRange::collectElseRegionBlocks */
  private otherSide(turn: BlockId, end: BlockId): ReadonlySet<BlockId> {
    const found = new Set<BlockId>();
    const addBefore = (b: BlockId): void => {
      for (const p of this.fn.blocks[b].predecessors) if (p !== turn) found.add(p);
    };
    addBefore(end);
    // A set goes on over what is added to it.
    for (const b of found) addBefore(b);
    return found;
  }

  /**
   * Registers whose last reader is on the other side, and that do not live through the first one for another reason.
   * @llvm SIOptimizeVGPRLiveRange.cpp SIOptimizeVGPRLiveRange::collectCandidateRegisters
   */
  private candidates(branch: Branch): Reg[] {
    const { fn, editor, live, loops } = this;
    const { start, turn, end, others } = branch;
    const found = new Set<Reg>();
    const consider = (reg: Reg): void => {
      const home = live.blockOfDef(reg);
      const isThere = home === start || live.info(reg).alive.has(start);
      if (isThere && loops.loopOf[home] === loops.loopOf[start] && !live.isLiveIn(reg, end)) found.add(reg);
    };
    for (const b of others)
      for (const i of allInstrs(editor, b))
        if (!isDebugInstr(fn, i)) for (const reg of this.vectorReads(i)) consider(reg);
    for (let i = editor.list.first(end); i >= 0 && this.isPhi(i); i = editor.list.after(i))
      for (let o = fn.opBegin[i] + 1; o + 1 < fn.opBegin[i + 1]; o += 2)
        if (fn.opVal[o + 1] !== turn && editor.reads(o) && this.isVector(fn.opVal[o])) consider(fn.opVal[o]);
    const inOrder = [...found];
    if (inOrder.length > KEPT_IN_ORDER) inOrder.sort((a, b) => virtRegIndex(a) - virtRegIndex(b));
    return inOrder.filter((reg) => !this.livesThroughFirstSide(reg, branch));
  }

  private livesThroughFirstSide(reg: Reg, { start, turn, end }: Branch): boolean {
    const { fn, editor } = this;
    return editor.usesOf(reg).some((o) => {
      if (!editor.reads(o)) return false;
      const reader = editor.instrOf(o);
      const b = fn.instrBlock[reader];
      if (b !== turn && b !== end) return false;
      if (!this.isPhi(reader)) return true;
      const from = fn.opVal[o + 1];
      return b === turn ? from !== start : from === turn;
    });
  }

  /** @llvm SIOptimizeVGPRLiveRange.cpp SIOptimizeVGPRLiveRange::optimizeLiveRange */
  private shorten(reg: Reg, branch: Branch): void {
    const { fn, live } = this;
    const { start, turn, end, others } = branch;
    const [made, nothing] = this.newRegs(reg);
    this.buildPhi(turn, made, reg, nothing, (p) => p === start);
    this.renameReads(reg, made, (reader) => {
      const b = fn.instrBlock[reader];
      return b === end ? this.isPhi(reader) : others.has(b);
    });
    const old = live.info(reg);
    old.alive.delete(turn);
    const now = live.info(made);
    for (const b of others) if (old.alive.delete(b)) now.alive.add(b);
    const isOther = (i: InstrId): boolean => others.has(fn.instrBlock[i]);
    now.kills.push(...old.kills.filter(isOther));
    old.kills = old.kills.filter((i) => !isOther(i));
    this.liveOnFirstSide(reg, branch);
  }

  private renameReads(reg: Reg, to: Reg, isMeant: (reader: InstrId) => boolean): void {
    const { editor } = this;
    const reads: OperandId[] = [];
    for (const o of editor.operandsOf(reg)) if (!editor.isDef(o) && isMeant(editor.instrOf(o))) reads.push(o);
    for (const o of reads) editor.setReg(o, to);
  }

  /**
   * Where the register lives on the first side, anew.
   * @llvm SIOptimizeVGPRLiveRange.cpp SIOptimizeVGPRLiveRange::updateLiveRangeInThenRegion
   */
  private liveOnFirstSide(reg: Reg, { start, turn }: Branch): void {
    const { fn, editor, live } = this;
    const blocks = new Set<BlockId>();
    const open = [start];
    for (let b = open.pop(); b !== undefined; b = open.pop())
      for (const s of fn.blocks[b].successors)
        if (s !== turn && !blocks.has(s)) {
          blocks.add(s);
          open.push(s);
        }
    const info = live.info(reg);
    for (const b of blocks) info.alive.delete(b);
    const readers = new Map<BlockId, Set<InstrId>>();
    const leaving = new Set<BlockId>();
    for (const o of editor.usesOf(reg)) {
      const reader = editor.instrOf(o);
      const b = fn.instrBlock[reader];
      if (!editor.reads(o) || !blocks.has(b)) continue;
      if (this.isPhi(reader)) leaving.add(fn.opVal[o + 1]);
      else readers.set(b, (readers.get(b) ?? new Set<InstrId>()).add(reader));
    }
    for (const b of blocks) {
      const here = readers.get(b) ?? new Set<InstrId>();
      if (here.size === 1) for (const i of here) live.read(reg, b, i);
      else if (here.size > 1) for (const i of allInstrs(editor, b)) if (here.has(i)) live.read(reg, b, i);
      if (leaving.has(b)) live.liveThrough(info, live.blockOfDef(reg), b);
    }
    for (const i of info.kills) if (blocks.has(fn.instrBlock[i])) addRegisterKilled(editor, i, reg, false);
  }

  // -- waterfall loops -----------------------------------------------------------------------------------------------------

  private shortenInLoop(header: BlockId, last: BlockId): void {
    const { fn, editor, live } = this;
    const blocks: BlockId[] = [];
    const instrs: InstrId[] = [];
    for (let b = header; ;) {
      blocks.push(b);
      instrs.push(...allInstrs(editor, b).filter((i) => !isDebugInstr(fn, i)));
      if (b === last) break;
      const { predecessors, successors } = fn.blocks[b];
      if (predecessors.length !== (b === header ? 2 : 1) || successors.length !== 1) return;
      [b] = successors;
    }
    const inside = new Set(blocks);
    const found = new Set<Reg>();
    const after = fn.blocks[last].successors.filter((s) => !inside.has(s));
    for (const i of instrs)
      for (const reg of this.vectorReads(i))
        if (!inside.has(live.blockOfDef(reg)) && !after.some((s) => live.isLiveIn(reg, s))) found.add(reg);
    for (const reg of found) this.shortenAround(reg, header, blocks, instrs);
  }

  /** @llvm SIOptimizeVGPRLiveRange.cpp SIOptimizeVGPRLiveRange::optimizeWaterfallLiveRange */
  private shortenAround(reg: Reg, header: BlockId, blocks: readonly BlockId[], instrs: readonly InstrId[]): void {
    const { fn, editor, live } = this;
    const [made, nothing] = this.newRegs(reg);
    this.renameReads(reg, made, (reader) => blocks.includes(fn.instrBlock[reader]));
    this.buildPhi(header, made, reg, nothing, (p) => !blocks.includes(p));
    const now = live.info(made);
    const old = live.info(reg);
    let killBlock: BlockId = -1;
    for (const i of [...instrs].reverse()) {
      if (![...this.vectorReads(i)].includes(made)) continue;
      addRegisterKilled(editor, i, made, false);
      now.kills.push(i);
      killBlock = fn.instrBlock[i];
      break;
    }
    let isBehind = false;
    for (const b of blocks) {
      old.alive.delete(b);
      isBehind ||= b === killBlock;
      if (isBehind) now.alive.delete(b);
      else if (b !== header) now.alive.add(b);
    }
  }
}
