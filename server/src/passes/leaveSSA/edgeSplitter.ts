/** Edges that PHI elimination splits, so that a copy at the end of one runs on this way alone (docs/llvm/leaving-ssa.md, 2). */
import type { LoopInfo } from '../../analysis/loops.js';
import { OpcodeTrait, opcodeTraits } from '../../analysis/opcodeTraits.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtReg, type Reg, type VRegId } from '../../model/register.js';
import { LOOPS } from '../controlFlowAnalyses.js';
import type { FunctionState } from '../functionState.js';
import { BlockEnds } from '../blockEnds.js';
import type { LiveVariables } from './liveVariables.js';
import { addRegisterKilled } from '../registerMarks.js';
import { canSplitEdge, splitCriticalEdge } from '../criticalEdges.js';
import { firstTerminator } from '../instrOrder.js';

export class EdgeSplitter {
  private readonly editor: FunctionEditor;
  private readonly fn: MachineFunction;
  private readonly traits: Uint8Array;
  private readonly ends: BlockEnds;
  private readonly loops: LoopInfo | null;
  private readonly liveIns: readonly ReadonlySet<VRegId>[];

  constructor(
    private readonly state: FunctionState,
    private readonly live: LiveVariables,
  ) {
    this.loops = state.has(LOOPS) ? state.get(LOOPS) : null;
    this.editor = state.editor();
    this.fn = this.editor.fn;
    this.traits = opcodeTraits(this.fn.tables);
    this.ends = new BlockEnds(this.editor, (b) => this.editor.blockAfter(b));
    this.liveIns = live.liveIns();
  }

  private isOn(option: string): boolean {
    return this.state.context.options.get(option) === true;
  }

  /** Whether some edge was split: new blocks have ids after all others then. */
  split(): boolean {
    if (this.isOn('disable-phi-elim-edge-splitting')) return false;
    const n = this.fn.blocks.length;
    for (let b = 0; b < n; b++) if (!this.fn.blocks[b].isLandingPad) this.splitInto(b);
    return this.fn.blocks.length > n;
  }

  private isPhi(i: InstrId): boolean {
    return (this.traits[this.fn.opcode[i]] & OpcodeTrait.Phi) !== 0;
  }

  /** @llvm PHIElimination.cpp PHIEliminationImpl::SplitPHIEdges */
  private splitInto(b: BlockId): void {
    const { fn, editor } = this;
    for (let phi = editor.list.first(b); phi >= 0 && this.isPhi(phi); phi = editor.list.after(phi))
      for (let o = fn.opBegin[phi] + 1; o + 1 < fn.opBegin[phi + 1]; o += 2)
        if (this.isToSplit(fn.opVal[o], fn.opVal[o + 1], b)) this.splitEdge(fn.opVal[o + 1], b);
  }

  private isToSplit(reg: Reg, from: BlockId, b: BlockId): boolean {
    const { fn, live, loops } = this;
    if (fn.blocks[from].successors.length === 1) return false;
    const splitsAll = this.isOn('phi-elim-split-all-critical-edges');
    // A new block goes on to one block only, so that it is never asked about.
    const loop = loops?.loopOf[b] ?? -1;
    const loopOfSource = loops?.loopOf[from] ?? -1;
    const isWayBack = from === b || (loop >= 0 && loops!.loops[loop].header === b && loopOfSource === loop);
    if (isWayBack && !splitsAll) return false;
    const isLiveOut = live.isLiveOut(reg, from);
    if (!isLiveOut && !this.isOn('no-phi-elim-live-out-early-exit')) return false;
    if (splitsAll || (isLiveOut && !live.isLiveIn(reg, b))) return true;
    return loop !== loopOfSource && loopOfSource >= 0 && !this.isInside(loop, loopOfSource);
  }

  private isInside(loop: number, outer: number): boolean {
    let l = loop;
    while (l >= 0 && l !== outer) l = this.loops!.loops[l].parent;
    return l === outer;
  }

  private splitEdge(from: BlockId, to: BlockId): void {
    const { fn, editor, ends } = this;
    if (!canSplitEdge(fn, ends, from, to)) return;
    const killed = this.takeKillsOfTerminators(from);
    const made = splitCriticalEdge(editor, ends, from, to);
    this.followLives(from, made, to, killed);
  }

  private takeKillsOfTerminators(b: BlockId): Reg[] {
    const { fn, editor, live } = this;
    const killed: Reg[] = [];
    for (let i = firstTerminator(editor, b); i >= 0; i = editor.list.after(i))
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        const reg = fn.opVal[o];
        if (reg === 0 || (fn.opFlags[o] & (OpFlag.Def | OpFlag.Kill | OpFlag.Undef)) !== OpFlag.Kill) continue;
        if (!isPhysicalReg(reg) && !live.info(reg).removeKill(i)) continue;
        killed.push(reg);
        fn.opFlags[o] &= ~OpFlag.Kill;
      }
    return killed;
  }

  private followLives(from: BlockId, made: BlockId, to: BlockId, killed: Reg[]): void {
    const { fn, editor, live } = this;
    for (let reg = killed.pop(); reg !== undefined; reg = killed.pop())
      for (let i = editor.list.before(~from); i >= 0; i = editor.list.before(i)) {
        if (!addRegisterKilled(editor, i, reg, false).isMarked) continue;
        if (isVirtualReg(reg)) live.info(reg).kills.push(i);
        break;
      }
    for (const v of this.liveIns[to]) live.info(virtReg(v)).alive.add(made);
    for (let phi = editor.list.first(to); phi >= 0 && this.isPhi(phi); phi = editor.list.after(phi))
      for (let o = fn.opBegin[phi] + 1; o + 1 < fn.opBegin[phi + 1]; o += 2)
        if (fn.opVal[o + 1] === made && editor.reads(o)) live.info(fn.opVal[o]).alive.add(made);
  }
}
