/**
 * `branch-folder`: equal ends of blocks become one, branches go where they end up, what nobody reaches goes (BranchFolding, LLVM 22; docs/llvm/block-layout.md, 1).
 */
import { computeBlockFrequencies } from '../../analysis/blockFrequency.js';
import { isBehindPhis } from '../../analysis/blockPrologue.js';
import {
  removeSuccessor,
  replaceSuccessor,
  shareProbabilities,
  transferSuccessors,
} from '../../model/edit/blockEdges.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OperandKind, type BlockId } from '../../model/machineFunction.js';
import { sameInstr } from '../../model/sameOperand.js';
import { McFlag } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { Branches, Condition } from '../blockEnds.js';
import { LOOPS } from '../controlFlowAnalyses.js';
import type { FunctionState } from '../functionState.js';
import { firstTerminator, isDebugInstr } from '../instrOrder.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { FoldedFunction } from './foldedFunction.js';
import { HoistedCode } from './hoistedCode.js';
import { MIN_TAIL, TailMerging } from './tailMerging.js';

/** @llvm BranchFolding.cpp BranchFolderLegacy */
export const branchFolderPass: MachinePass = {
  name: 'branch-folder',
  pipelineName: null,
  title: 'Control Flow Optimizer',
  requires: [LOOPS],
  preserves: [],
  run(state) {
    if (!state.fn.isOptNone) foldBranches(state);
  },
};

function foldBranches(state: FunctionState): void {
  const { fn } = state;
  const { options } = state.context;
  const folded = new FoldedFunction(state.editor(), state.context.debugNames);
  const merging = new TailMerging(folded, {
    frequencies: computeBlockFrequencies(fn.blocks, state.get(LOOPS)),
    minTail: Number(options.get('tail-merge-size') ?? MIN_TAIL),
    options,
  });
  new BranchFolder(folded, merging, new HoistedCode(folded)).run();
  folded.editor.layOut([...folded.layout.order()]);
  for (const block of fn.blocks) shareProbabilities(block);
}

/** @llvm BranchFolding.h BranchFolder */
export class BranchFolder {
  /** Without `hoisting` the blocks have been placed, and branches stay as they are where no ends have been merged. */
  constructor(
    private readonly folded: FoldedFunction,
    private readonly merging: TailMerging,
    private readonly hoisting: HoistedCode | null,
  ) {}

  /**
   * Returns whether something has changed.
   * @llvm BranchFolding.cpp BranchFolder::OptimizeFunction
   */
  run(): boolean {
    const { merging, hoisting } = this;
    const { fn } = this.folded;
    const refused = fn.blocks.find((b) => b.isLandingPad || b.isEHScopeEntry || b.isInlineAsmBrIndirectTarget);
    if (refused !== undefined) throw new NotModelled('blocks that exceptions or inline assembly go to');
    if (fn.header.jumpTable !== null) throw new NotModelled('jump tables');
    for (let hasEver = false; ; hasEver = true) {
      let hasChanged = merging.run();
      if ((hoisting !== null || hasChanged) && this.optimizeBranches()) hasChanged = true;
      if (hoisting?.run() === true) hasChanged = true;
      if (!hasChanged) return hasEver;
    }
  }

  /** @llvm BranchFolding.cpp BranchFolder::OptimizeBranches */
  private optimizeBranches(): boolean {
    const { layout, fn } = this.folded;
    let hasChanged = false;
    layout.renumber();
    for (let b = layout.after(layout.first); b >= 0;) {
      const next = layout.after(b);
      if (this.optimizeBlock(b)) hasChanged = true;
      const block = fn.blocks[b];
      if (block.predecessors.length === 0 && !block.isMachineBlockAddressTaken) {
        for (const s of [...block.successors].reverse()) removeSuccessor(fn, b, s);
        layout.remove(b);
        hasChanged = true;
      }
      b = next;
    }
    return hasChanged;
  }

  /** Until no rule applies any more. */
  private optimizeBlock(b: BlockId): boolean {
    let hasChanged = false;
    for (;;) {
      const step = this.stepOf(b);
      if (step !== Step.None) hasChanged = true;
      if (step !== Step.Again) return hasChanged;
    }
  }

  private setBranches(b: BlockId, target: BlockId, other: BlockId, condition: Condition | null): void {
    const { ends, names } = this.folded;
    const location = ends.branchLocation(b, names);
    ends.remove(b);
    ends.insert(b, target, other, condition, location());
  }

  /** @llvm BranchFolding.cpp BranchFolder::OptimizeBlock */
  private stepOf(b: BlockId): Step {
    const { folded } = this;
    const { layout } = folded;
    const fallThrough = layout.after(b);
    const own = folded.read(b);
    if (folded.isEmpty(b) && !folded.fn.isAddressTaken(b)) return this.leaveOut(b, fallThrough);
    const prev = layout.before(b);
    const prior = folded.read(prev);
    if (prior !== null) {
      const step = this.simplifyPrior(b, prev, prior, fallThrough);
      if (step !== Step.None) return step;
    }
    let hasChanged = false;
    if (own !== null) {
      const { target, otherTarget, condition } = own;
      if (otherTarget === b && target !== b && condition !== null) {
        this.setBranches(b, otherTarget, target, folded.ends.reversed(condition));
        return Step.Again;
      }
      if (this.isBranchAlone(b, own)) {
        const forwarded = this.forwardBranch(b, prev, target, prior);
        if (forwarded.isGone) return Step.Done;
        hasChanged = forwarded.hasChanged;
      }
    }
    const step = folded.canFallThrough(prev) ? Step.None : this.move(b, prev, fallThrough, own);
    return step === Step.None && hasChanged ? Step.Done : step;
  }

  // -- blocks without instructions ---------------------------------------------------------------------------------------------

  /** All that go to a block without instructions go to the next one instead. */
  private leaveOut(b: BlockId, fallThrough: BlockId): Step {
    const { folded } = this;
    const { fn } = folded;
    this.salvageDebugInstrs(b);
    const block = fn.blocks[b];
    if (block.predecessors.length === 0 || fallThrough < 0 || !block.successors.includes(fallThrough)) return Step.None;
    for (let p = block.predecessors.at(-1); p !== undefined; p = block.predecessors.at(-1))
      this.replaceTarget(p, b, fallThrough);
    return Step.Done;
  }

  /** Debug instructions go where they hold as well: to a successor without other predecessors, to a predecessor without other successors. */
  private salvageDebugInstrs(b: BlockId): void {
    const { fn, editor } = this.folded;
    const { list } = editor;
    const copyTo = (at: ListPos, to: BlockId): void => {
      for (let i = list.first(b); i >= 0; i = list.after(i)) if (isDebugInstr(fn, i)) editor.insertCopy(at, to, i);
    };
    for (const s of fn.blocks[b].successors)
      if (fn.blocks[s].predecessors.length === 1) copyTo(this.behindLabels(s), s);
    for (const p of fn.blocks[b].predecessors)
      if (fn.blocks[p].successors.length === 1) copyTo(firstTerminator(editor, p), p);
  }

  private behindLabels(b: BlockId): ListPos {
    const { fn, editor } = this.folded;
    const phis = opcodeSet(fn.tables, 'phi');
    let at = editor.list.first(b);
    while (at >= 0 && (phis.has(fn.opcode[at]) || isBehindPhis(fn, at))) at = editor.list.after(at);
    return at;
  }

  /**
   * Branches of a block and its edge go to another one.
   * @llvm MachineBasicBlock.cpp MachineBasicBlock::ReplaceUsesOfBlockWith
   */
  private replaceTarget(b: BlockId, old: BlockId, to: BlockId): void {
    const { fn, editor, queries } = this.folded;
    for (let i = editor.list.before(~b); i >= 0 && queries.has(i, McFlag.Terminator); i = editor.list.before(i))
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
        if (fn.opKind[o] === OperandKind.MBB && fn.opVal[o] === old) fn.opVal[o] = to;
    replaceSuccessor(fn, b, old, to);
  }

  // -- the block before -------------------------------------------------------------------------------------------------------

  /** Simpler branches of the block before, or a block that joins it, or goes to the end. */
  private simplifyPrior(b: BlockId, prev: BlockId, prior: Branches, fallThrough: BlockId): Step {
    const { folded } = this;
    const { fn, layout, ends } = folded;
    const { target, otherTarget, condition } = prior;
    if (target >= 0 && target === otherTarget) {
      if (target === b) ends.remove(prev);
      else this.setBranches(prev, target, -1, null);
      return Step.Again;
    }
    const block = fn.blocks[b];
    const { successors } = fn.blocks[prev];
    const fallsInto = target < 0 && successors.length === 1 && successors[0] === b;
    if (fallsInto && block.predecessors.length === 1 && !folded.fn.isAddressTaken(b)) {
      this.join(prev, b);
      return Step.Done;
    }
    if (target === b && otherTarget < 0) {
      ends.remove(prev);
      return Step.Again;
    }
    if (otherTarget === b) {
      this.setBranches(prev, target, -1, condition);
      return Step.Again;
    }
    if (target === b && condition !== null) {
      this.setBranches(prev, otherTarget, -1, ends.reversed(condition));
      return Step.Again;
    }
    const skipsIt = condition !== null && otherTarget < 0 && target === fallThrough;
    if (block.successors.length > 0 || !skipsIt || fallThrough < 0 || folded.canFallThrough(b)) return Step.None;
    if (fallThrough === layout.last && !this.isBetterBehind(target, b)) return Step.None;
    this.setBranches(prev, b, -1, ends.reversed(condition));
    layout.moveAfter(b, layout.last);
    return Step.Done;
  }

  /** The block before takes in a block that nobody else goes to. */
  private join(prev: BlockId, b: BlockId): void {
    const { fn, editor } = this.folded;
    const { list } = editor;
    let last = list.before(~prev);
    for (let i = list.first(b); last >= 0 && list.before(last) >= 0 && i >= 0;) {
      if (!isDebugInstr(fn, last) || !isDebugInstr(fn, i) || !sameInstr(fn, i, last)) break;
      const next = list.after(i);
      editor.erase(i);
      i = next;
      last = list.before(last);
    }
    for (let i = list.first(b); i >= 0; i = list.first(b)) editor.move(i, ~prev, prev);
    removeSuccessor(fn, prev, b);
    transferSuccessors(fn, b, prev);
  }

  /**
   * Whether it is clearly better to fall through to one block than to another.
   * @llvm BranchFolding.cpp IsBetterFallthrough
   */
  private isBetterBehind(a: BlockId, b: BlockId): boolean {
    const { folded } = this;
    const { blocks } = folded.fn;
    const [lastOfA, lastOfB] = [folded.lastReal(a), folded.lastReal(b)];
    if (lastOfA < 0 || lastOfB < 0) return false;
    if (blocks[a].successors.includes(b)) return true;
    if (blocks[b].successors.includes(a)) return false;
    return folded.isBundledOr(lastOfB, McFlag.Call) && !folded.isBundledOr(lastOfA, McFlag.Call);
  }

  // -- blocks that only branch ---------------------------------------------------------------------------------------------------

  private isBranchAlone(b: BlockId, { target, otherTarget, condition }: Branches): boolean {
    const { folded } = this;
    if (target < 0 || condition !== null || otherTarget >= 0 || target === b || folded.fn.isAddressTaken(b))
      return false;
    return folded.queries.has(folded.firstReal(b), McFlag.Branch);
  }

  /** All that go to a block with a branch alone go where that goes. */
  private forwardBranch(b: BlockId, prev: BlockId, target: BlockId, prior: Branches | null): Forwarded {
    const { folded } = this;
    const { fn, editor, ends } = folded;
    const location = ends.branchLocation(b, folded.names);
    ends.remove(b);
    const { list } = editor;
    if (folded.isEmpty(b)) for (let i = list.first(b); i >= 0; i = list.first(b)) editor.erase(i);
    let hasChanged = false;
    if (list.first(b) < 0) {
      const isSuccessor = fn.blocks[prev].successors.includes(b);
      const fallsInto = folded.canFallThrough(prev);
      if (!fallsInto || prior !== null || !isSuccessor) {
        if (fallsInto && isSuccessor && prior !== null && prior.target !== b && prior.otherTarget !== b)
          if (prior.target < 0) this.setBranches(prev, b, -1, prior.condition);
          else this.setBranches(prev, prior.target, b, prior.condition);
        const redirected = this.redirect(b, target);
        hasChanged = redirected.hasChanged;
        if (hasChanged && !redirected.goesToItself) return { hasChanged, isGone: true };
      }
    }
    ends.insert(b, target, -1, null, location());
    return { hasChanged, isGone: false };
  }

  private redirect(b: BlockId, target: BlockId): { readonly hasChanged: boolean; readonly goesToItself: boolean } {
    const { folded } = this;
    const { fn } = folded;
    let hasChanged = false;
    let goesToItself = false;
    for (let k = 0; k < fn.blocks[b].predecessors.length;) {
      const p = fn.blocks[b].predecessors[k];
      if (p === b) {
        k++;
        goesToItself = true;
        continue;
      }
      hasChanged = true;
      this.replaceTarget(p, b, target);
      const ends = folded.read(p);
      if (ends !== null && ends.target >= 0 && ends.target === ends.otherTarget)
        this.setBranches(p, ends.target, -1, null);
    }
    return { hasChanged, goesToItself };
  }

  // -- blocks that go elsewhere ---------------------------------------------------------------------------------------------------

  /** A block that nobody falls into moves to where somebody does, or where it falls into what follows. */
  private move(b: BlockId, prev: BlockId, fallThrough: BlockId, own: Branches | null): Step {
    const { folded } = this;
    const { fn, layout, ends } = folded;
    const fallsOn = folded.canFallThrough(b);
    const isTwoWay = own !== null && own.target >= 0 && own.otherTarget >= 0;
    for (const p of fn.blocks[b].predecessors) {
      if (p === b || folded.canFallThrough(p)) continue;
      const branches = folded.read(p);
      if (branches === null || (branches.target !== b && branches.otherTarget !== b)) continue;
      if (fallsOn && (isTwoWay || layout.numberOf(b) < layout.numberOf(p))) continue;
      if (fallsOn) ends.insert(b, layout.after(b), -1, null);
      layout.moveAfter(b, p);
      return Step.Again;
    }
    if (fallsOn) return Step.None;
    if (own !== null)
      for (const s of [own.otherTarget, own.target]) {
        if (s < 0 || s === b) continue;
        const before = layout.before(s);
        if (before === b || (before >= 0 && folded.canFallThrough(before))) continue;
        if (before < 0) throw new NotModelled('a branch to the entry');
        layout.moveBefore(b, s);
        return Step.Again;
      }
    if (fallThrough < 0 || folded.read(prev) === null || !fn.blocks[prev].successors.includes(fallThrough))
      return Step.None;
    layout.moveAfter(b, layout.last);
    return Step.Done;
  }
}

/** What a rule did with a block. */
const enum Step {
  None,
  /** another look at it */
  Again,
  /** something changed, and no other rule is tried */
  Done,
}

interface Forwarded {
  readonly hasChanged: boolean;
  /** nobody goes to the block any more */
  readonly isGone: boolean;
}
