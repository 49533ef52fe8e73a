/** Waits before a loop for what was loaded before it, so that the loop need not wait in each iteration (SIInsertWaitcnts, LLVM 22; docs/llvm/waits.md, 3). */
import type { LoopInfo } from '../../analysis/loops.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { BlockId, MachineFunction, OperandId } from '../../model/machineFunction.js';
import { isDS } from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import type { WaitBrackets } from './brackets.js';
import type { CountedInstrs } from './countedInstrs.js';
import { loopPreheader } from '../loopEntry.js';
import { Counter, type Counters } from './counters.js';

const BARRIER = new OpcodePattern(/^S_BARRIER$/);

/** Which loads are awaited at the end of a block. */
export interface Flushes {
  readonly vmem: boolean;
  readonly lds: boolean;
}
export const NO_FLUSHES: Flushes = { vmem: false, lds: false };

export class LoopFlushes {
  private readonly fn: MachineFunction;
  /** by block, as first asked */
  private readonly flushes = new Map<BlockId, Flushes>();

  constructor(
    private readonly editor: FunctionEditor,
    private readonly instrs: CountedInstrs,
    private readonly loops: LoopInfo,
    private readonly counters: Counters,
  ) {
    this.fn = editor.fn;
  }

  /** @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::isPreheaderToFlush */
  at(b: BlockId, brackets: WaitBrackets): Flushes {
    const known = this.flushes.get(b);
    if (known !== undefined) return known;
    this.flushes.set(b, NO_FLUSHES);
    const { successors } = this.fn.blocks[b];
    if (successors.length !== 1) return NO_FLUSHES;
    const loop = this.loops.loopOf[successors[0]];
    if (loop < 0 || this.preheaderOf(loop) !== b) return NO_FLUSHES;
    const flushes = this.flushesBefore(loop, brackets);
    this.flushes.set(b, flushes);
    return flushes;
  }

  private isInLoop(b: BlockId, loop: number): boolean {
    for (let l = this.loops.loopOf[b]; l >= 0; l = this.loops.loops[l].parent) if (l === loop) return true;
    return false;
  }

  private preheaderOf(loop: number): BlockId {
    return loopPreheader(this.fn, this.loops.loops[loop].header, (b) => this.isInLoop(b, loop));
  }

  /**
   * Waiting once before a loop that reads what was loaded before it, if it does not read what it loads itself. What it loads from LDS it may
   * read in the next iteration.
   * @llvm SIInsertWaitcnts.cpp SIInsertWaitcnts::getPreheaderFlushFlags
   */
  private flushesBefore(loop: number, brackets: WaitBrackets): Flushes {
    const { fn, counters } = this;
    let [loads, stores, storesToLDS] = [false, false, false];
    let [usesLoaded, usesLoadedFromLDS] = [false, false];
    let [canVMEM, canLDS] = [true, counters.isExtended];
    const [used, loaded, loadedFromLDS] = [new Set<number>(), new Set<number>(), new Set<number>()];
    for (let b = 0; b < fn.blocks.length; b++) {
      if (!this.isInLoop(b, loop)) continue;
      let storesHere = false;
      for (let i = this.editor.list.first(b); i >= 0; i = this.editor.list.after(i)) {
        const isLoad = this.instrs.accessesVMEM(i) && this.instrs.mayLoad(i);
        const isLDS = this.instrs.is(isDS, i);
        loads ||= isLoad;
        stores ||= this.instrs.accessesVMEM(i) && this.instrs.mayStore(i);
        // A barrier waits for stores.
        if (isLDS && this.instrs.mayStore(i)) storesHere = true;
        else if (this.instrs.matches(BARRIER, i)) storesHere = false;
        for (const slot of this.vectorSlotsOf(this.instrs.usesOf(i))) {
          if (loaded.has(slot)) canVMEM = false;
          if (loadedFromLDS.has(slot)) canLDS = false;
          used.add(slot);
          const isPending = [Counter.Load, Counter.Sample, Counter.Bvh].some((c) => brackets.isPending(slot, c));
          if (isPending) usesLoaded = true;
          else if (brackets.isPending(slot, Counter.Ds)) usesLoadedFromLDS = true;
        }
        if (!isLoad && !isLDS) continue;
        for (const slot of this.vectorSlotsOf(this.instrs.defsOf(i)))
          if (isLoad) {
            if (used.has(slot)) canVMEM = false;
            loaded.add(slot);
          } else if (this.instrs.mayLoad(i) && !this.instrs.mayStore(i)) loadedFromLDS.add(slot);
      }
      storesToLDS ||= storesHere;
    }
    const pays = loads ? fn.subtarget.hasFeature('vmem-write-vgpr-in-order') : stores && !counters.hasStoreCounter;
    return { vmem: canVMEM && usesLoaded && pays, lds: canLDS && usesLoadedFromLDS && !storesToLDS };
  }

  private *vectorSlotsOf(operands: Iterable<OperandId>): IterableIterator<number> {
    for (const o of operands) {
      if (this.editor.isDebug(o) || !this.instrs.isVector(this.fn.opVal[o])) continue;
      const [begin, end] = this.instrs.slotsOf(this.fn.opVal[o]);
      for (let slot = Math.max(begin, 0); slot < end; slot++) yield slot;
    }
  }
}
