/**
 * `si-mode-register`: S_SETREG before instructions that need another rounding mode than the one that is set (SIModeRegister, LLVM 22;
 * docs/llvm/late-passes.md, 5).
 */
import { immOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import type { BlockId, InstrId, MachineFunction } from '../../model/machineFunction.js';
import { usesFPDPRounding } from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { InstrQueries } from '../instrQueries.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { EMPTY, ModeStatus, NEAREST, TO_ZERO } from './modeStatus.js';

/** @llvm SIModeRegister.cpp SIModeRegisterLegacy */
export const modeRegisterPass: MachinePass = {
  name: 'si-mode-register',
  pipelineName: 'si-mode-register',
  className: 'SIModeRegisterPass',
  title: 'Insert required mode register values',
  requires: [],
  preserves: [CFG],
  run: (state) => new ModeRegister(state.editor()).run(),
};

const ROUNDED_CONVERSION = new OpcodePattern(/^FPTRUNC_/);
const INTERPOLATION = new OpcodePattern(/^V_INTERP_(?:P1LL|P1LV|P2)_F16$/);
const SETREG = new OpcodePattern(/^S_SETREG_(?:IMM32_)?B32(?:_mode)?$/);
const SETREG_IMM = new OpcodePattern(/^S_SETREG_IMM32_B32(?:_mode)?$/);
/** Fields of the immediate that names bits of a hardware register. */
const ID_MASK = 0x3f;
const ID_MODE = 1;
const OFFSET_SHIFT = 6;
const OFFSET_MASK = 0x1f;
const WIDTH_SHIFT = 11;
const WIDTH_MASK = 0x1f;
/** Visits of a block after which LLVM would not come to an end. */
const MAX_VISITS = 1000;

const bitsOf = (width: number): number => (width >= 32 ? -1 : (1 << width) - 1);

class BlockModes {
  /** what the block needs at `first` */
  require = EMPTY;
  /** what it changes */
  change = EMPTY;
  exit = EMPTY;
  hasExit = false;
  /** what the blocks before have in common */
  before = EMPTY;
  /** the first instruction that needs a mode, -1 = none, or the block has set one before */
  first: InstrId = -1;
}

/** @llvm SIModeRegister.cpp SIModeRegister */
class ModeRegister {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly builder: InstrBuilder;
  private readonly blocks: BlockModes[];

  constructor(private readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.queries = new InstrQueries(editor.fn);
    this.builder = new InstrBuilder(editor);
    this.blocks = editor.fn.blocks.map(() => new BlockModes());
  }

  /** @llvm SIModeRegister.cpp SIModeRegister::run */
  run(): void {
    const { fn, blocks } = this;
    for (let b = 0; b < fn.blocks.length; b++) this.inBlock(b);
    const work = [...fn.blocks.keys()];
    for (let k = 0; k < work.length; k++) {
      if (k > MAX_VISITS * fn.blocks.length)
        throw new NotModelled('blocks that the entry does not reach, which llc visits for ever');
      this.meet(work[k], work);
    }
    for (const [b, { before, require, first }] of blocks.entries())
      if (!before.hasAll(require)) this.insert(first >= 0 ? first : this.editor.list.first(b), before.delta(require));
  }

  /** @llvm SIModeRegister.cpp SIModeRegister::getInstructionMode */
  private modeOf(i: InstrId): ModeStatus {
    const { fn } = this;
    const { tables, opcode } = fn;
    if (ROUNDED_CONVERSION.has(tables, opcode[i])) throw new NotModelled('FPTRUNC_ROUND');
    if (!usesFPDPRounding(tables, opcode[i])) return EMPTY;
    return INTERPOLATION.has(tables, opcode[i]) ? TO_ZERO : NEAREST;
  }

  /**
   * What a block needs and leaves, and the changes within it.
   * @llvm SIModeRegister.cpp SIModeRegister::processBlockPhase1
   */
  private inBlock(b: BlockId): void {
    const { fn, queries } = this;
    const { list } = this.editor;
    const modes = this.blocks[b];
    /** where the mode has to change, and what was set before */
    let at: InstrId = -1;
    let set = EMPTY;
    let isPending = true;
    for (let i = list.first(b); i >= 0; i = list.after(i)) {
      const needed = this.modeOf(i);
      if (SETREG.has(fn.tables, fn.opcode[i])) {
        const where = queries.imm(i, 'simm16');
        if ((where & ID_MASK) !== ID_MODE) continue;
        const offset = (where >> OFFSET_SHIFT) & OFFSET_MASK;
        const mask = bitsOf(((where >> WIDTH_SHIFT) & WIDTH_MASK) + 1) << offset;
        if (at >= 0) {
          this.insert(at, set.delta(modes.change));
          at = -1;
        }
        if (SETREG_IMM.has(fn.tables, fn.opcode[i])) {
          isPending = false;
          modes.change = modes.change.merge(new ModeStatus(mask, queries.imm(i, 'imm') << offset));
        } else modes.change = modes.change.without(mask);
      } else if (!modes.change.hasAll(needed)) {
        if (at < 0) {
          at = i;
          set = modes.change;
        } else if (!set.delta(modes.change).isCombinable(needed)) {
          if (isPending) {
            modes.first = at;
            modes.require = modes.change;
            isPending = false;
          } else {
            this.insert(at, set.delta(modes.change));
            set = modes.change;
          }
          at = i;
        }
        modes.change = modes.change.merge(needed);
      }
    }
    if (isPending) {
      modes.first = at;
      modes.require = modes.change;
    } else if (at >= 0) this.insert(at, set.delta(modes.change));
    modes.exit = modes.change;
  }

  /**
   * What the blocks before leave, once they are known to; asks for another visit otherwise.
   * @llvm SIModeRegister.cpp SIModeRegister::processBlockPhase2
   */
  private meet(b: BlockId, work: BlockId[]): void {
    const { fn, blocks } = this;
    const modes = blocks[b];
    const { predecessors } = fn.blocks[b];
    let isKnown = false;
    let comesAgain = false;
    if (predecessors.length === 0 || (predecessors.length === 1 && predecessors[0] === b)) {
      modes.before = NEAREST;
      isKnown = true;
    } else
      predecessors.forEach((p, k) => {
        const other = blocks[p];
        if (other.hasExit) {
          // LLVM asks whether this block had an exit before, not whether a predecessor had.
          const meets = k > 0 && modes.hasExit;
          modes.before = meets ? modes.before.intersect(other.exit) : other.exit;
          isKnown = true;
        } else if (p !== b) comesAgain = true;
      });
    const exit = modes.before.merge(modes.change);
    if (!exit.equals(modes.exit)) {
      modes.exit = exit;
      work.push(...fn.blocks[b].successors);
    }
    modes.hasExit = isKnown;
    if (comesAgain) work.push(b);
  }

  /**
   * An instruction for each row of bits.
   * @llvm SIModeRegister.cpp SIModeRegister::insertSetreg
   */
  private insert(before: InstrId, { mask, mode }: ModeStatus): void {
    const opcode = this.fn.tables.opcodeByName('S_SETREG_IMM32_B32');
    for (let left = mask; left !== 0;) {
      const offset = 31 - Math.clz32(left & -left);
      const width = 31 - Math.clz32(~(left >>> offset) & -~(left >>> offset));
      const value = (mode >>> offset) & bitsOf(width);
      const where = ((width - 1) << WIDTH_SHIFT) | (offset << OFFSET_SHIFT) | ID_MODE;
      this.builder.build(before, NO_LOCATION, opcode, [immOperand(value), immOperand(where)]);
      left &= ~(bitsOf(width) << offset);
    }
  }
}
