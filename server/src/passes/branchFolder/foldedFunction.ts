/** A function whose blocks are merged and moved: what the steps of branch-folder share (docs/llvm/block-layout.md, 1). */
import { LivePhysRegs } from '../../analysis/livePhysRegs.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import type { DebugNames } from '../../model/printer/index.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { BlockId, BlockLiveIn, InstrId, MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg } from '../../model/register.js';
import { McFlag, type PhysReg } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { BlockEnds, type Branches } from '../blockEnds.js';
import { isDebugInstr, isDebugOrProbe } from '../instrOrder.js';
import { InstrQueries } from '../instrQueries.js';
import { BlockLayout } from '../blockLayout.js';

export class FoldedFunction {
  readonly fn: MachineFunction;
  readonly layout: BlockLayout;
  readonly ends: BlockEnds;
  readonly queries: InstrQueries;
  readonly builder: InstrBuilder;
  readonly reserved: ReservedRegs;
  /** callee-saved registers that a return gives back */
  private readonly restored: readonly PhysReg[];

  constructor(
    readonly editor: FunctionEditor,
    readonly names: DebugNames,
    layout: BlockLayout | null = null,
  ) {
    const { fn } = editor;
    this.fn = fn;
    this.layout = layout ?? new BlockLayout(editor.blockOrder());
    this.ends = new BlockEnds(editor, this.layout.after);
    this.queries = new InstrQueries(fn);
    this.builder = new InstrBuilder(editor);
    this.reserved = new ReservedRegs(fn);
    const saved = [...fn.header.stack, ...fn.header.fixedStack].filter((o) => o.calleeSavedRegister !== null);
    this.restored = saved.filter((o) => o.calleeSavedRestored).map((o) => o.calleeSavedRegister!);
  }

  get tracksLiveness(): boolean {
    return this.fn.header.tracksRegLiveness;
  }

  // -- instructions ------------------------------------------------------------------------------------------------------

  /**
   * Debug instructions and frame information are none.
   * @llvm BranchFolding.cpp countsAsInstruction
   */
  counts(i: InstrId): boolean {
    return !isDebugInstr(this.fn, i) && this.queries.name(i) !== 'CFI_INSTRUCTION';
  }

  /** The first instruction from `i` on that is not for debuggers alone, or for profilers unless `keepsProbes`. */
  skipDebug(i: ListPos, keepsProbes = false): ListPos {
    const { list } = this.editor;
    let at = i;
    while (at >= 0 && (keepsProbes ? isDebugInstr(this.fn, at) : isDebugOrProbe(this.fn, at))) at = list.after(at);
    return at;
  }

  firstReal(b: BlockId): ListPos {
    return this.skipDebug(this.editor.list.first(b));
  }

  lastReal(b: BlockId, keepsProbes = false): ListPos {
    const { list } = this.editor;
    let at = list.before(~b);
    while (at >= 0 && (keepsProbes ? isDebugInstr(this.fn, at) : isDebugOrProbe(this.fn, at))) at = list.before(at);
    return at;
  }

  isEmpty(b: BlockId): boolean {
    return this.firstReal(b) < 0;
  }

  isBundledOr(i: InstrId, flag: McFlag): boolean {
    return this.queries.anyHas(i, flag);
  }

  isInlineAsm(i: InstrId): boolean {
    return opcodeSet(this.fn.tables, 'inlineAsm').has(this.fn.opcode[i]);
  }

  // -- ends of blocks ------------------------------------------------------------------------------------------------------

  read(b: BlockId): Branches | null {
    return this.ends.read(b);
  }

  canFallThrough(b: BlockId): boolean {
    return this.ends.fallThrough(b) >= 0;
  }

  // -- registers that live ------------------------------------------------------------------------------------------------

  /** What lives where a block ends. */
  liveOuts(b: BlockId): LivePhysRegs {
    const live = new LivePhysRegs(this.fn);
    live.addLiveOuts(b);
    const last = this.editor.list.before(~b);
    if (last >= 0 && this.isBundledOr(last, McFlag.Return)) for (const reg of this.restored) live.addReg(reg);
    return live;
  }

  /**
   * What lives where a block begins.
   * @llvm LivePhysRegs.cpp computeLiveIns
   */
  liveAtBegin(b: BlockId): LivePhysRegs {
    const { list } = this.editor;
    const live = this.liveOuts(b);
    for (let at = list.before(~b); at >= 0; at = list.before(at)) live.stepBackward(at);
    return live;
  }

  setLiveIns(b: BlockId, live: LivePhysRegs): void {
    this.fn.blocks[b].liveIns = live.liveIns(this.reserved).map(wholeReg);
  }

  /**
   * Live-ins of blocks, computed until they stay as they are.
   * @llvm LivePhysRegs.h fullyRecomputeLiveIns
   */
  recomputeLiveIns(blocks: readonly BlockId[]): void {
    for (let isStable = false; !isStable;) {
      isStable = true;
      for (const b of blocks) {
        const before = JSON.stringify(this.fn.blocks[b].liveIns);
        const regs = this.liveAtBegin(b).liveIns(this.reserved);
        this.fn.blocks[b].liveIns = regs.sort((x, y) => x - y).map(wholeReg);
        if (JSON.stringify(this.fn.blocks[b].liveIns) !== before) isStable = false;
      }
    }
  }

  /** All registers that overlap one, itself too. */
  aliasesOf(reg: number): Iterable<number> {
    if (!isPhysicalReg(reg)) return [reg];
    const { tables } = this.fn;
    const all = new Set<number>([reg, ...tables.superRegs(reg)]);
    for (const part of tables.subRegs(reg)) {
      all.add(part);
      for (const whole of tables.superRegs(part)) all.add(whole);
    }
    return all;
  }
}

const wholeReg = (reg: PhysReg): BlockLiveIn => ({ reg, laneLo: -1, laneHi: -1 });
