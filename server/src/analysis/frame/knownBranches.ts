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
    const isJump = (i: InstrId): boolean =>
      opcodeSet(tables, 'branch').has(opcode[i]) || opcodeSet(tables, 'conditionalBranch').has(opcode[i]);
    const before = fn.blocks[b].predecessors;
    if (!rest.every(isJump) || before.length === 0 || !before.every((p) => this.knows(p, condition))) return [];
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
