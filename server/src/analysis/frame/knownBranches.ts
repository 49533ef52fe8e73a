/**
 * Branches on VCC whose way each block before them knows: block placement puts a copy of the branch at the end of each of those blocks, where
 * si-pre-emit-peephole finds the constant and makes it a jump (SIPreEmitPeephole.cpp: optimizeVccBranch, LLVM 22), so that nothing names VCC any more.
 */
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { operandOf } from '../../model/edit/functionEditor.js';
import { sameOperand } from '../../model/sameOperand.js';
import type { PhysReg } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { OpcodeTrait, opcodeTraits } from '../opcodeTraits.js';

/** Operands that name VCC at such branches. O(operands) */
export function knownBranchOperands(fn: MachineFunction): readonly OperandId[] {
  if (fn.isOptNone) return [];
  const branches = new KnownBranches(fn);
  return fn.blocks.flatMap((_, b) => branches.operandsOf(b));
}

class KnownBranches {
  private readonly exec: PhysReg;
  private readonly vcc: PhysReg;
  private readonly traits: Uint8Array;

  constructor(private readonly fn: MachineFunction) {
    const { tables, subtarget } = fn;
    const isWide = subtarget.wavefrontSize === 64;
    this.exec = tables.regByName(isWide ? 'exec' : 'exec_lo');
    this.vcc = tables.regByName(isWide ? 'vcc' : 'vcc_lo');
    this.traits = opcodeTraits(tables);
  }

  operandsOf(b: BlockId): OperandId[] {
    const { fn } = this;
    const [mask, ...rest] = this.instrsOf(b);
    if (mask === undefined || rest.length === 0) return [];
    const { tables, opcode } = fn;
    if (!opcodeSet(tables, 'laneMaskOfBranch').has(opcode[mask]) || this.operand(mask, 0) !== this.vcc) return [];
    const [x, y] = [this.operand(mask, 1), this.operand(mask, 2)];
    const condition = x === this.exec ? y : 0;
    if (condition <= 0) return [];
    const before = fn.blocks[b].predecessors;
    if (!rest.every((i) => this.isJump(i)) || before.length === 0 || !before.every((p) => this.knows(p, condition)))
      return [];
    if (this.mergesTails(b, condition)) return [];
    return [mask, ...rest].flatMap((i) => this.mentionsOfVCC(i));
  }

  /** Whether a block goes on to one other only, and has itself set the condition for all lanes or none. */
  private knows(b: BlockId, condition: PhysReg): boolean {
    const { fn } = this;
    if (fn.blocks[b].successors.length !== 1) return false;
    for (const i of this.instrsOf(b).reverse()) {
      if (!this.defines(i, condition)) continue;
      const value = fn.opBegin[i] + 1;
      if (!opcodeSet(fn.tables, 'scalarMove').has(fn.opcode[i]) || fn.opKind[value] !== OperandKind.Immediate)
        return false;
      return this.operand(i, 0) === condition && (fn.opVal[value] === 0 || fn.opVal[value] === -1);
    }
    return false;
  }

  /**
   * Whether two of the blocks before end alike after they have set the condition: branch-folder moves that end to the branch, which is then too long
   * to be copied. One instruction is enough where one of the two falls through, or will once the branch has moved up; else it takes two.
   */
  private mergesTails(b: BlockId, condition: PhysReg): boolean {
    const { predecessors } = this.fn.blocks[b];
    const fallsThrough = (p: BlockId): boolean => p === b - 1;
    const tails = predecessors.map((p) => this.instrsOf(p).filter((i) => !this.isJump(i)));
    return tails.some((one, k) =>
      tails.slice(0, k).some((other, m) => {
        const length = this.commonTail(one, other);
        if (one.slice(one.length - length).some((i) => this.defines(i, condition))) return false;
        const isNear = [predecessors[k], predecessors[m]].some(fallsThrough) || !predecessors.some(fallsThrough);
        return length >= (isNear ? 1 : 2);
      }),
    );
  }

  private commonTail(a: readonly InstrId[], b: readonly InstrId[]): number {
    const most = Math.min(a.length, b.length);
    for (let n = 0; n < most; n++) if (!this.areAlike(a[a.length - 1 - n], b[b.length - 1 - n])) return n;
    return most;
  }

  /** MachineInstr::isIdenticalTo, of what is no inline assembly. */
  private areAlike(a: InstrId, b: InstrId): boolean {
    const { fn } = this;
    const n = fn.numOperands(a);
    if (fn.opcode[a] !== fn.opcode[b] || n !== fn.numOperands(b)) return false;
    if (opcodeSet(fn.tables, 'inlineAsm').has(fn.opcode[a])) return false;
    for (let k = 0; k < n; k++) {
      const [x, y] = [operandOf(fn, fn.opBegin[a] + k), operandOf(fn, fn.opBegin[b] + k)];
      if (!sameOperand(fn, x, y)) return false;
    }
    return true;
  }

  private isJump(i: InstrId): boolean {
    const { tables, opcode } = this.fn;
    return opcodeSet(tables, 'branch').has(opcode[i]) || opcodeSet(tables, 'conditionalBranch').has(opcode[i]);
  }

  private defines(i: InstrId, reg: PhysReg): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if ((fn.opFlags[o] & OpFlag.Def) !== 0 && fn.opVal[o] > 0 && fn.tables.regsOverlap(fn.opVal[o], reg)) return true;
    return false;
  }

  private mentionsOfVCC(i: InstrId): OperandId[] {
    const { fn } = this;
    const res: OperandId[] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] === this.vcc) res.push(o);
    return res;
  }

  private operand(i: InstrId, k: number): number {
    const o = this.fn.opBegin[i] + k;
    return o < this.fn.opBegin[i + 1] && this.fn.opKind[o] === OperandKind.Register ? this.fn.opVal[o] : 0;
  }

  private instrsOf(b: BlockId): InstrId[] {
    const { fn } = this;
    const res: InstrId[] = [];
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++)
      if ((this.traits[fn.opcode[fn.order[p]]] & OpcodeTrait.Debug) === 0) res.push(fn.order[p]);
    return res;
  }
}
