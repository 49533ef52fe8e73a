/**
 * `branch-relaxation`: branches that do not reach their blocks go by way of others, or by an address that is computed
 * (BranchRelaxation, LLVM 22; docs/llvm/block-layout.md, 3).
 */
import type { DebugNames } from '../../model/printer/index.js';
import { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import { addSuccessor, replaceSuccessor, shareProbabilities } from '../../model/edit/blockEdges.js';
import { immOperand, regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type BlockLiveIn,
  type InstrId,
  type MachineFunction,
} from '../../model/machineFunction.js';
import { TARGET_FLAG_WORDS } from '../../model/printer/instrPrinter.js';
import { Generation, McFlag, type PhysReg } from '../../target/api.js';
import { BlockEnds } from '../blockEnds.js';
import { FoldedFunction } from '../branchFolder/foldedFunction.js';
import { DepCtr } from '../hazards/depCtr.js';
import { firstTerminator } from '../instrOrder.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { InstrSizes } from './instrSize.js';

/** @llvm BranchRelaxation.cpp BranchRelaxationLegacy */
export const branchRelaxationPass: MachinePass = {
  name: 'branch-relaxation',
  pipelineName: 'branch-relaxation',
  className: 'BranchRelaxationPass',
  title: 'Branch relaxation pass',
  isRequired: true,
  requires: [],
  preserves: [],
  run(state) {
    const bits = state.context.options.get('amdgpu-s-branch-bits');
    new BranchRelaxation(state.editor(), Number(bits ?? BRANCH_BITS), state.context.debugNames).run();
  },
};

const BRANCH_BITS = 16;
const WORD = 4;
/** For each block; where branches reach nothing at all, llc makes them for ever. */
const MOST_NEW_BLOCKS = 20;
/** Target flag of the parts of a distance (SIInstrInfo::MO_FAR_BRANCH_OFFSET), beyond those that files name */
const FAR_BRANCH_OFFSET = TARGET_FLAG_WORDS.length + 1;

type Operands = Parameters<InstrBuilder['build']>[3];

/** @llvm BranchRelaxation.cpp BranchRelaxation */
class BranchRelaxation {
  private readonly fn: MachineFunction;
  private readonly folded: FoldedFunction;
  private readonly ends: BlockEnds;
  private readonly builder: InstrBuilder;
  private readonly sizes: InstrSizes;
  private readonly size: number[] = [];
  private readonly offset: number[] = [];
  private readonly done = new Set<string>();

  constructor(
    private readonly editor: FunctionEditor,
    private readonly bits: number,
    names: DebugNames,
  ) {
    const { fn } = editor;
    this.fn = fn;
    editor.renumberBlocks();
    fn.blockNumbers = null;
    fn.nBlockNumbers = 0;
    this.folded = new FoldedFunction(editor, names);
    this.ends = new BlockEnds(editor, (b) => editor.blockAfter(b));
    this.builder = new InstrBuilder(editor);
    this.sizes = new InstrSizes(fn);
  }

  /** @llvm BranchRelaxation.cpp BranchRelaxation::run */
  run(): void {
    const { fn, editor } = this;
    if (fn.blocks.some((b) => b.sectionId !== null)) throw new NotModelled('sections of blocks');
    for (let b = 0; b < fn.blocks.length; b++) {
      this.size[b] = this.sizeOf(b);
      this.offset[b] = 0;
    }
    this.placeFrom(0);
    let hasChanged = false;
    for (let most = fn.blocks.length * MOST_NEW_BLOCKS; this.relaxAll(); hasChanged = true)
      if (fn.blocks.length > most) throw new NotModelled('blocks without end, for branches that do not reach');
    if (!hasChanged) return;
    for (const b of editor.blockOrder()) shareProbabilities(fn.blocks[b]);
    editor.dropTakenBlocks();
  }

  private sizeOf(b: BlockId): number {
    const { list } = this.editor;
    let size = 0;
    for (let i = list.first(b); i >= 0; i = list.after(i)) size += this.sizes.of(i);
    return size;
  }

  /**
   * Where blocks behind one begin, up to `end` and without it; -1: all.
   * @llvm BranchRelaxation.cpp BranchRelaxation::adjustBlockOffsets
   */
  private placeFrom(start: BlockId, end: BlockId = -1): void {
    const { fn, editor } = this;
    const own = Math.max(1, fn.header.alignment);
    for (let [p, b] = [start, editor.blockAfter(start)]; b >= 0 && b !== end; [p, b] = [b, editor.blockAfter(b)]) {
      const behind = this.offset[p] + this.size[p];
      const alignment = Math.max(1, fn.blocks[b].alignment);
      const aligned = Math.ceil(behind / alignment) * alignment;
      this.offset[b] = alignment <= own ? aligned : aligned + alignment - own;
    }
  }

  private offsetOf(i: InstrId): number {
    const { list } = this.editor;
    const b = this.fn.instrBlock[i];
    let offset = this.offset[b];
    for (let m = list.first(b); m !== i; m = list.after(m)) offset += this.sizes.of(m);
    return offset;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::isBranchOffsetInRange */
  private reaches(i: InstrId, b: BlockId): boolean {
    const words = Math.trunc((this.offset[b] - this.offsetOf(i)) / WORD) - 1;
    return words >= -(2 ** (this.bits - 1)) && words < 2 ** (this.bits - 1);
  }

  /** @llvm BranchRelaxation.cpp BranchRelaxation::relaxBranchInstructions */
  private relaxAll(): boolean {
    const { fn, editor, folded } = this;
    const { queries } = folded;
    const { list } = editor;
    let hasChanged = false;
    for (let b = 0; b >= 0; b = editor.blockAfter(b)) {
      const last = folded.lastReal(b);
      if (last < 0) continue;
      if (this.isUnconditional(last)) {
        const to = fn.opVal[fn.opBegin[last]];
        if (!this.reaches(last, to) && !this.done.has(`${b} ${to}`)) {
          this.relaxUnconditional(last, b, to);
          hasChanged = true;
        }
      }
      for (let i = firstTerminator(editor, b); i >= 0;) {
        const next = list.after(i);
        const isConditional = queries.has(i, McFlag.Branch) && !queries.has(i, McFlag.Barrier);
        if (!isConditional || queries.has(i, McFlag.IndirectBranch) || this.reaches(i, fn.opVal[fn.opBegin[i]])) {
          i = next;
          continue;
        }
        this.relaxConditional(i, b);
        hasChanged = true;
        i = firstTerminator(editor, b);
      }
    }
    if (hasChanged) this.placeFrom(0);
    return hasChanged;
  }

  private isUnconditional(i: InstrId): boolean {
    const { queries } = this.folded;
    const isBranch = queries.has(i, McFlag.Branch) && queries.has(i, McFlag.Barrier);
    return isBranch && !queries.has(i, McFlag.IndirectBranch) && this.fn.opKind[this.fn.opBegin[i]] === OperandKind.MBB;
  }

  private newBlockBehind(b: BlockId, named: BlockId): BlockId {
    const { fn, editor } = this;
    const made = editor.insertBlock(b);
    const { irName, irBlockRef } = fn.blocks[named];
    Object.assign(fn.blocks[made], { irName, irBlockRef });
    this.size[made] = this.offset[made] = 0;
    return made;
  }

  /**
   * The opposite condition jumps over a branch to the block.
   * @llvm BranchRelaxation.cpp BranchRelaxation::fixupConditionalBranch
   */
  private relaxConditional(i: InstrId, b: BlockId): void {
    const { fn, editor, ends, folded, sizes } = this;
    const location = fn.extras.get(i)?.debugLocation;
    const branches = ends.read(b);
    if (branches === null || branches.condition === null)
      throw new NotModelled('several conditional branches that do not reach');
    const { target, otherTarget, condition } = branches;
    const opposite = ends.reversed(condition);
    const replace = (to: BlockId, other: BlockId): void => {
      ends.remove(b);
      ends.insert(b, to, other, opposite, location);
      this.size[b] += sizes.branch * (otherTarget < 0 ? 1 : 0);
    };
    if (otherTarget >= 0 && this.reaches(i, otherTarget)) {
      replace(otherTarget, target);
      return;
    }
    if (target === otherTarget) {
      ends.remove(b);
      ends.insert(b, target, -1, null, location);
      this.size[b] -= sizes.branch;
      return;
    }
    if (otherTarget >= 0) {
      const made = this.newBlockBehind(b, b);
      ends.insert(made, otherTarget, -1, null, location);
      this.size[made] += sizes.branch;
      replaceSuccessor(fn, b, otherTarget, made);
      addSuccessor(fn, made, otherTarget);
      this.placeFrom(b, editor.blockAfter(made));
      if (folded.tracksLiveness) folded.setLiveIns(made, folded.liveAtBegin(made));
    }
    replace(editor.blockAfter(b), target);
  }

  /**
   * A branch becomes a jump to an address that is computed, in a block of its own.
   * @llvm BranchRelaxation.cpp BranchRelaxation::fixupUnconditionalBranch
   */
  private relaxUnconditional(i: InstrId, b: BlockId, to: BlockId): void {
    const { fn, editor } = this;
    this.size[b] -= this.sizes.of(i);
    if (!fn.blocks[b].successors.includes(to))
      throw new NotModelled('a branch to what is no successor: llc-22 crashes here,');
    const block = this.newBlockBehind(b, b);
    fn.blocks[block].liveIns = this.liveOutsOf(b);
    addSuccessor(fn, block, to);
    replaceSuccessor(fn, b, to, block);
    const location = fn.extras.get(i)?.debugLocation;
    editor.erase(i);
    // LLVM makes a block that restores registers, which takes a number.
    editor.takeOutBlocks(editor.insertBlock([...editor.blockOrder()].at(-1)!));
    this.jumpFrom(block, location);
    this.size[block] = this.sizeOf(block);
    this.placeFrom(b, editor.blockAfter(block));
    this.done.add(`${block} ${to}`);
  }

  private liveOutsOf(b: BlockId): BlockLiveIn[] {
    const { blocks } = this.fn;
    const lanes = new Map<PhysReg, BlockLiveIn>();
    for (const s of blocks[b].successors)
      for (const { reg, laneLo, laneHi } of blocks[s].liveIns) {
        const known = lanes.get(reg);
        lanes.set(reg, { reg, laneLo: laneLo | (known?.laneLo ?? 0), laneHi: laneHi | (known?.laneHi ?? 0) });
      }
    return [...lanes.values()].sort((x, y) => x.reg - y.reg);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::insertIndirectBranch */
  private jumpFrom(b: BlockId, location: string | undefined): void {
    const { fn, builder } = this;
    const { tables, subtarget } = fn;
    const build = (name: string, operands: Operands): InstrId => {
      const made = builder.build(~b, -1, tables.opcodeByName(name), operands);
      if (location !== undefined) fn.extras.set(made, { debugLocation: location });
      return made;
    };
    const distance = (): Operands[number] => {
      const val = fn.addPayload({ kind: OperandKind.MCSymbol, symbol: '' });
      return { kind: OperandKind.MCSymbol, val, targetFlags: FAR_BRANCH_OFFSET };
    };
    const labelAfter = (i: InstrId): void => {
      fn.extras.set(i, { ...fn.extras.get(i), postInstrSymbol: '' });
    };
    const feature = subtarget.release.rules.addsToPCSinceGFX1250 ? 'gfx1250-insts' : 'add-pc64-inst';
    if (subtarget.hasFeature(feature)) {
      labelAfter(build('S_ADD_PC_I64', [distance()]));
      return;
    }
    const pair = this.freePair(b);
    const half = (name: string): PhysReg => tables.getSubReg(pair, tables.subRegIndexByName(name));
    const is11 = subtarget.generation === Generation.GFX11 && subtarget.wavefrontSize === 64;
    const waits = is11 || subtarget.generation === Generation.GFX12;
    const wait = (): void => {
      if (waits) build('S_WAITCNT_DEPCTR', [immOperand(new DepCtr(subtarget).zero('saSdst'))]);
    };
    labelAfter(build('S_GETPC_B64', [regOperand(pair, OpFlag.Def)]));
    wait();
    for (const [name, sub] of [
      ['S_ADD_U32', 'sub0'],
      ['S_ADDC_U32', 'sub1'],
    ] as const)
      build(name, [regOperand(half(sub), OpFlag.Def), regOperand(half(sub)), distance()]);
    wait();
    build('S_SETPC_B64', [regOperand(pair)]);
  }

  /** A pair of registers for the address: that which is kept for it, or the first that is free. */
  private freePair(b: BlockId): PhysReg {
    const { fn, folded } = this;
    const kept = fn.header.machineFunctionInfo.longBranchReservedReg;
    if (kept > 0) return kept;
    const live = new LiveRegUnits(fn);
    live.addLiveOuts(b);
    const found = fn.subtarget
      .rawAllocationOrder(fn.tables.regClassByName('sreg_64'))
      .find((reg) => !folded.reserved.isReserved(reg) && live.available(reg));
    if (found === undefined) throw new NotModelled('registers that are saved for a branch that does not reach');
    return found;
  }
}
