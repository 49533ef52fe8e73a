/**
 * `si-late-branch-lowering`: early ends of a program branch to a block that ends it, returns to an epilog to an empty block at the end, chain calls set EXEC
 * and become tail calls (SILateBranchLowering, LLVM 22; docs/llvm/late-passes.md, 4).
 */
import { addSuccessor, shareProbabilities } from '../../model/edit/blockEdges.js';
import {
  immOperand,
  operandOf,
  regOperand,
  type FunctionEditor,
  type NewOperand,
} from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import { CallingConv, integerAttribute } from '../../model/functionLimits.js';
import { OpFlag, OperandKind, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { UNKNOWN_PROBABILITY } from '../../model/probability.js';
import { Generation, McFlag } from '../../target/api.js';
import { InstrQueries } from '../instrQueries.js';
import type { MachinePass } from '../machinePass.js';
import { splitBlockAfter } from '../splitBlock.js';

/** @llvm SILateBranchLowering.cpp SILateBranchLoweringLegacy */
export const lateBranchLoweringPass: MachinePass = {
  name: 'si-late-branch-lowering',
  pipelineName: 'si-late-branch-lowering',
  className: 'SILateBranchLoweringPass',
  title: 'SI Final Branch Preparation',
  isRequired: true,
  requires: [],
  preserves: [],
  run: (state) => new LateBranches(state.editor()).run(),
};

/** Targets of exports */
const MRT0 = 0;
const MRTZ = 8;
const NULL_TARGET = 9;

/** @llvm SILateBranchLowering.cpp SILateBranchLowering */
class LateBranches {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly builder: InstrBuilder;
  private readonly mov: string;
  private readonly exec: number;
  /** blocks with new edges */
  private readonly changed = new Set<BlockId>();

  constructor(private readonly editor: FunctionEditor) {
    const { fn } = editor;
    this.fn = fn;
    this.queries = new InstrQueries(fn);
    this.builder = new InstrBuilder(editor);
    const isWave32 = fn.subtarget.wavefrontSize === 32;
    this.mov = `S_MOV_B${isWave32 ? 32 : 64}`;
    this.exec = fn.tables.regByName(isWave32 ? 'exec_lo' : 'exec');
  }

  /** @llvm SILateBranchLowering.cpp SILateBranchLowering::run */
  run(): void {
    const { fn, editor, queries } = this;
    const { list } = editor;
    const ends: InstrId[] = [];
    const returns: InstrId[] = [];
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i = list.first(b); i >= 0;) {
        const next = list.after(i);
        const name = queries.name(i);
        if (name === 'S_BRANCH') {
          if (fn.opVal[fn.opBegin[i]] === b + 1) editor.erase(i);
        } else if (name.startsWith('SI_CS_CHAIN_TC_W')) this.expandChainCall(i);
        else if (name === 'SI_EARLY_TERMINATE_SCC0') ends.push(i);
        else if (name === 'SI_RETURN_TO_EPILOG') returns.push(i);
        i = next;
      }
    if (ends.length > 0) this.lowerEnds(ends);
    if (returns.length > 0) this.lowerReturns(returns);
    for (const b of this.changed) shareProbabilities(fn.blocks[b]);
  }

  private get lastBlock(): BlockId {
    return [...this.editor.blockOrder()].at(-1) ?? 0;
  }

  // -- early ends ------------------------------------------------------------------------------------------------------------

  private lowerEnds(ends: readonly InstrId[]): void {
    const { fn, editor } = this;
    const exit = editor.insertBlock(this.lastBlock);
    this.build(~exit, NO_LOCATION, this.mov, [regOperand(this.exec, OpFlag.Def), immOperand(0)]);
    this.endProgram(exit);
    // Geometry shaders go on.
    const isGeometry = fn.header.irFunction.callingConv === CallingConv.AMDGPU_GS;
    for (const i of ends) {
      if (!isGeometry) this.branchTo(exit, i);
      editor.erase(i);
    }
  }

  /** @llvm SILateBranchLowering.cpp SILateBranchLowering::earlyTerm */
  private branchTo(exit: BlockId, i: InstrId): void {
    const { fn, editor, queries } = this;
    const { list } = editor;
    const block = fn.instrBlock[i];
    const branch = this.build(i, i, 'S_CBRANCH_SCC0', [{ kind: OperandKind.MBB, val: exit }]);
    const next = list.after(i);
    if (next >= 0 && !queries.has(next, McFlag.Terminator)) {
      splitBlockAfter(editor, branch);
      fn.blocks[block].probabilities = [UNKNOWN_PROBABILITY];
    }
    this.addSuccessor(block, exit);
  }

  /** A pixel shader exports nothing where the hardware waits for an export. */
  private endProgram(block: BlockId): void {
    const { fn } = this;
    const { subtarget } = fn;
    const facts = fn.header.irFunction;
    const isPixel = facts.callingConv === CallingConv.AMDGPU_PS;
    const hasColor = integerAttribute(facts, 'amdgpu-color-export', isPixel ? 1 : 0) !== 0;
    const hasDepth = integerAttribute(facts, 'amdgpu-depth-export', 0) !== 0;
    if (isPixel && (hasColor || hasDepth || subtarget.generation < Generation.GFX10)) {
      const target = subtarget.generation < Generation.GFX11 ? NULL_TARGET : hasColor ? MRT0 : MRTZ;
      const undef = regOperand(fn.tables.regByName('vgpr0'), OpFlag.Undef);
      const flags = [1, 0, 0].map(immOperand);
      this.build(~block, NO_LOCATION, 'EXP_DONE', [immOperand(target), undef, undef, undef, undef, ...flags]);
    }
    this.build(~block, NO_LOCATION, 'S_ENDPGM', [immOperand(0)]);
  }

  // -- returns to an epilog --------------------------------------------------------------------------------------------------

  private lowerReturns(returns: readonly InstrId[]): void {
    const { fn, editor } = this;
    const { list } = editor;
    const last = this.lastBlock;
    let end = returns.length > 1 ? editor.insertBlock(last) : -1;
    for (const i of returns) {
      const block = fn.instrBlock[i];
      if (end < 0 && block === last && list.after(i) < 0) continue;
      if (end < 0) end = editor.insertBlock(last);
      this.addSuccessor(block, end);
      this.build(i, i, 'S_BRANCH', [{ kind: OperandKind.MBB, val: end }]);
      editor.erase(i);
    }
  }

  // -- chain calls -----------------------------------------------------------------------------------------------------------

  /** @llvm SILateBranchLowering.cpp SILateBranchLowering::expandChainCall */
  private expandChainCall(i: InstrId): void {
    const { fn, queries, editor } = this;
    const { tables } = fn;
    const exec = regOperand(this.exec, OpFlag.Def);
    const operand = (name: string): NewOperand => {
      const { flags, ...plain } = operandOf(fn, queries.named(i, name));
      return queries.isReg(queries.named(i, name)) ? plain : { ...plain, flags: flags ?? 0 };
    };
    if (queries.name(i).endsWith('_DVGPR')) {
      this.build(i, i, 'S_ALLOC_VGPR', [operand('numvgprs')]);
      const callee = regOperand(queries.namedReg(i, 'src0'), OpFlag.Def);
      this.build(i, i, 'S_CSELECT_B64', [callee, operand('src0'), operand('fbcallee')]);
      const select = this.mov.replace('MOV', 'CSELECT');
      this.build(i, i, select, [exec, operand('exec'), operand('fbexec')]);
    } else this.build(i, i, this.mov, [exec, operand('exec')]);
    const first = tables.getNamedOperandIdx(fn.opcode[i], 'exec');
    const end = tables.opcodeNumOperands(fn.opcode[i]);
    const made = editor.withoutOperands(i, new Set(Array.from({ length: end - first }, (_, k) => first + k)));
    fn.opcode[made] = tables.opcodeByName('SI_TCRETURN_CHAIN');
  }

  // -- blocks ----------------------------------------------------------------------------------------------------------------

  private build(at: number, like: InstrId, name: string, operands: readonly NewOperand[]): InstrId {
    return this.builder.build(at, like, this.fn.tables.opcodeByName(name), operands);
  }

  private addSuccessor(from: BlockId, to: BlockId): void {
    this.changed.add(from);
    addSuccessor(this.fn, from, to);
  }
}
