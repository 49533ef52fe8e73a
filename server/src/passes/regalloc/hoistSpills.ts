/**
 * Saves of one value, at the end of a run: of several in a row the first is enough, and one at a dominator may be cheaper than many
 * (HoistSpillHelper of LLVM 22; docs/llvm/allocation-spilling.md, 5).
 */
import { LiveRange, type LiveInterval } from '../../analysis/edit/liveRange.js';
import { SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { Slot } from '../../analysis/slotIndexes.js';
import { type BlockId, type InstrId } from '../../model/machineFunction.js';
import { virtReg } from '../../model/register.js';
import { addSaturating } from './frequency.js';
import { LiveRangeEdit, type VRegEvents } from './liveRangeEdit.js';
import { insertSpill } from '../../analysis/frame/spillCode.js';
import { SplitAnalysis } from './splitAnalysis.js';
import type { AllocState } from './state.js';

/** Hoisting to one block has to be so much cheaper than several saves: 9/10 over 2^31. */
const MARGIN = 1932735283n;

interface Family {
  readonly slot: number;
  readonly value: number;
  readonly saves: Set<InstrId>;
}

interface SlotOrigin {
  readonly range: LiveRange;
  readonly vreg: number;
}

/** @llvm InlineSpiller.cpp HoistSpillHelper */
export class SpillHoister implements VRegEvents {
  private readonly families = new Map<string, Family>();
  private readonly origins = new Map<number, SlotOrigin>();

  constructor(private readonly state: AllocState) {}

  private familyOf(i: InstrId, slot: number): Family | null {
    const origin = this.origins.get(slot);
    if (origin === undefined) return null;
    const at = SlotList.at(this.state.slots.ofInstr(i), Slot.Register);
    const value = origin.range.valueAt(at);
    const key = `${slot} ${value}`;
    let family = this.families.get(key);
    if (family === undefined) this.families.set(key, (family = { slot, value, saves: new Set() }));
    return family;
  }

  /** @llvm InlineSpiller.cpp HoistSpillHelper::addToMergeableSpills */
  add(i: InstrId, slot: number, original: number): void {
    if (!this.origins.has(slot)) {
      const range = new LiveRange(this.state.slots);
      range.assign(this.state.lis.interval(original));
      this.origins.set(slot, { range, vreg: original });
    }
    this.familyOf(i, slot)!.saves.add(i);
  }

  /** @llvm InlineSpiller.cpp HoistSpillHelper::rmFromMergeableSpills */
  remove(i: InstrId, slot: number): void {
    this.familyOf(i, slot)?.saves.delete(i);
  }

  // -- events of dead code -----------------------------------------------------------------------------------------

  mayErase(): boolean {
    return true;
  }

  willShrink(): void {
    // no matrix is kept any more
  }

  /** @llvm InlineSpiller.cpp HoistSpillHelper::LRE_DidCloneVirtReg */
  cloned(made: number, from: number): void {
    const { state } = this;
    if (state.map.physOf(from) !== 0) state.map.phys[made] = state.map.physOf(from);
    else if (state.map.slotOf(from) >= 0) state.map.stackSlot[made] = state.map.slotOf(from);
  }

  // -- hoisting ----------------------------------------------------------------------------------------------------

  /** @llvm InlineSpiller.cpp HoistSpillHelper::hoistAllSpills */
  hoistAll(): void {
    const { state } = this;
    const { fn, editor } = state;
    if (this.families.size === 0) return;
    const analysis = new SplitAnalysis(state);
    const siblings = new Map<number, number[]>();
    for (let v = 0; v < fn.vregs.n; v++) {
      const origin = state.map.originalOf(v);
      if (origin === v) continue;
      const first = editor.firstOperand(virtReg(v));
      if (first < 0 || !editor.isDef(first)) continue;
      const list = siblings.get(origin);
      if (list === undefined) siblings.set(origin, [v]);
      else list.push(v);
    }
    const edit = new LiveRangeEdit(state, -1, [], this, null);
    for (const family of this.families.values()) {
      if (family.saves.size === 0) continue;
      const { range, vreg } = this.origins.get(family.slot)!;
      if (family.value < 0) continue;
      analysis.askFor(range);
      const { removed, inserted } = this.plan(family, range, siblings.get(vreg) ?? [], analysis);
      if (removed.length === 0 && inserted.size === 0) continue;
      const stack = state.liveStacks.get(family.slot)!.range;
      for (let s = 0; s < range.size; s++)
        if (range.value[s] === family.value) stack.addSegment(range.start[s], range.end[s], 0);
      for (const [b, v] of inserted) {
        const i = insertSpill(state, analysis.lastSplitPos(b), virtReg(v), 0, family.slot, fn.vregs.regClass[v], true);
        let next = editor.list.after(i);
        while (next >= 0 && state.isDebugInstr(next)) next = editor.list.after(next);
        const location = next < 0 ? undefined : fn.extras.get(next)?.debugLocation;
        if (location !== undefined) fn.extras.set(i, { debugLocation: location });
        state.slots.insert(i, b);
      }
      for (const i of removed) fn.opcode[i] = state.opcodes.kill;
      edit.eliminateDeadDefs([...removed], []);
    }
  }

  /**
   * @llvm InlineSpiller.cpp HoistSpillHelper::runHoistSpills
   * @llvm InlineSpiller.cpp HoistSpillHelper::getVisitOrders
   * @llvm InlineSpiller.cpp HoistSpillHelper::rmRedundantSpills
   */
  private plan(
    { saves }: Family,
    range: LiveRange,
    siblings: readonly number[],
    analysis: SplitAnalysis,
  ): { removed: InstrId[]; inserted: Map<BlockId, number> } {
    const { state } = this;
    const { fn, slots, lis } = state;
    const { freq } = state.blocks;
    const { dominators: dom } = lis;
    const removed: InstrId[] = [];
    const saveIn = new Map<BlockId, InstrId>();
    const value = range.valueAt(SlotList.at(slots.ofInstr([...saves][0]), Slot.Register));
    const def = range.valueDef[value];
    for (const i of saves) {
      const b = fn.instrBlock[i];
      const other = saveIn.get(b);
      if (other === undefined) saveIn.set(b, i);
      else if (slots.isBefore(slots.ofInstr(i), slots.ofInstr(other))) {
        removed.push(other);
        saveIn.set(b, i);
      } else removed.push(i);
    }
    const root = slots.blockOf(def);
    const stop = dom.idom[root];
    /** blocks with a save: -1 = there from the start, else the register that is saved there now */
    const kept = new Map<BlockId, number>();
    const work = new Set<BlockId>();
    for (const i of [...saves].filter((s) => !removed.includes(s))) {
      const block = fn.instrBlock[i];
      const path: BlockId[] = [];
      let isRedundant = false;
      for (let b = block; b !== stop && b >= 0; b = dom.idom[b]) {
        if (b !== block && saveIn.has(b)) {
          isRedundant = true;
          break;
        }
        if (work.has(b)) break;
        path.push(b);
      }
      if (isRedundant) {
        removed.push(i);
        continue;
      }
      kept.set(block, -1);
      for (const b of path) work.add(b);
    }
    interface Subtree {
      blocks: Set<BlockId>;
      cost: bigint;
    }
    const subtree = new Map<BlockId, Subtree>();
    const children = new Map<BlockId, BlockId[]>();
    for (const b of work) {
      const above = dom.idom[b];
      const list = children.get(above);
      if (list === undefined) children.set(above, [b]);
      else list.push(b);
    }
    for (const b of [...work].sort((x, y) => dom.treeIn[y] - dom.treeIn[x])) {
      if (kept.get(b) === -1) {
        subtree.set(b, { blocks: new Set([b]), cost: freq[b] });
        continue;
      }
      const own: Subtree = { blocks: new Set(), cost: 0n };
      for (const child of children.get(b) ?? []) {
        const below = subtree.get(child);
        if (below === undefined) continue;
        own.cost = addSaturating(own.cost, below.cost);
        for (const x of below.blocks) own.blocks.add(x);
        subtree.delete(child);
      }
      subtree.set(b, own);
      if (own.blocks.size === 0) continue;
      const point = analysis.lastSplitPoint(b);
      if (slots.isBefore(point, def)) continue;
      const source = siblings.find((s) => isWhollyLive(lis.interval(s), point));
      if (source === undefined) continue;
      const limit = own.blocks.size > 1 ? (freq[b] * MARGIN) >> 31n : freq[b];
      if (own.cost <= limit) continue;
      for (const x of own.blocks) {
        if (kept.get(x) === -1) removed.push(saveIn.get(x)!);
        kept.delete(x);
      }
      kept.set(b, source);
      own.blocks = new Set([b]);
      own.cost = freq[b];
    }
    const inserted = new Map<BlockId, number>();
    for (const [b, v] of kept) if (v >= 0) inserted.set(b, v);
    return { removed, inserted };
  }
}

/** Alive with all of its lanes that ever are: else a save would store what others have there. */
function isWhollyLive(interval: LiveInterval, at: SlotRef): boolean {
  return interval.isLiveAt(at) && interval.subRanges.every((sub) => sub.isLiveAt(at));
}
