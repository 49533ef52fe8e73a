/** What becomes of the two registers of a copy when they are one (CoalescerPair, LLVM 22; docs/llvm/coalescing.md, 2). */
import { NO_REG, isPhysicalReg, isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import type { InstrId, MachineFunction } from '../../model/machineFunction.js';
import type { RegClassId, SubRegIdx } from '../../target/api.js';
import { commonSuperClass, composed } from '../registerParts.js';

/** Source and destination of an instruction that copies, with their parts. */
export interface Move {
  readonly source: Reg;
  readonly destination: Reg;
  readonly sourcePart: SubRegIdx;
  readonly part: SubRegIdx;
}

/**
 * null = the instruction is no copy
 * @llvm RegisterCoalescer.cpp isMoveInstr
 */
export function moveOf(fn: MachineFunction, i: InstrId): Move | null {
  const { tables, opVal, opSub } = fn;
  const begin = fn.opBegin[i];
  const move = (o: number, part: SubRegIdx): Move => ({
    source: opVal[o],
    destination: opVal[begin],
    sourcePart: opSub[o],
    part,
  });
  switch (fn.opcode[i]) {
    case tables.opcodeByName('COPY'):
      return move(begin + 1, opSub[begin]);
    case tables.opcodeByName('SUBREG_TO_REG'):
      return move(begin + 2, composed(tables, opSub[begin], opVal[begin + 3]));
    default:
      return null;
  }
}

/** @llvm RegisterCoalescer.h CoalescerPair */
export class CoalescerPair {
  /** always virtual; its lanes become part `sourceIdx` of the joined register */
  source: Reg = NO_REG;
  /** virtual or physical */
  destination: Reg = NO_REG;
  sourceIdx: SubRegIdx = 0;
  destinationIdx: SubRegIdx = 0;
  /** the copy names a part */
  isPartial = false;
  isCrossClass = false;
  /** `source` is the copy's destination */
  isFlipped = false;
  /** of the joined register, -1 for a physical one */
  rc: RegClassId = -1;

  private constructor(private readonly fn: MachineFunction) {}

  /**
   * null = the two can never be one
   * @llvm RegisterCoalescer.cpp CoalescerPair::setRegisters
   */
  static of(fn: MachineFunction, i: InstrId): CoalescerPair | null {
    const move = moveOf(fn, i);
    if (move === null) return null;
    const pair = new CoalescerPair(fn);
    pair.isPartial = move.sourcePart !== 0 || move.part !== 0;
    if (isPhysicalReg(move.source)) {
      if (isPhysicalReg(move.destination)) return null;
      pair.isFlipped = true;
      return pair.setPhysical(move.destination, move.part, move.source, move.sourcePart) ? pair : null;
    }
    if (isPhysicalReg(move.destination))
      return pair.setPhysical(move.source, move.sourcePart, move.destination, move.part) ? pair : null;
    return pair.setVirtual(move) ? pair : null;
  }

  get isPhysical(): boolean {
    return isPhysicalReg(this.destination);
  }

  private setPhysical(source: Reg, sourcePart: SubRegIdx, physical: Reg, part: SubRegIdx): boolean {
    const { tables } = this.fn;
    const rc = this.fn.vregs.regClass[virtRegIndex(source)];
    let reg = part === 0 ? physical : tables.getSubReg(physical, part);
    if (reg === 0) return false;
    if (sourcePart !== 0) {
      reg = tables.getMatchingSuperReg(reg, sourcePart, rc);
      if (reg === 0) return false;
    } else if (!tables.classContains(rc, reg)) return false;
    this.source = source;
    this.destination = reg;
    return true;
  }

  private setVirtual({ source, destination, sourcePart, part }: Move): boolean {
    const { tables, vregs } = this.fn;
    const sourceRC = vregs.regClass[virtRegIndex(source)];
    const destinationRC = vregs.regClass[virtRegIndex(destination)];
    this.source = source;
    this.destination = destination;
    if (sourcePart !== 0 && part !== 0) {
      if (source === destination && sourcePart !== part) return false;
      const common = commonSuperClass(tables, sourceRC, sourcePart, destinationRC, part);
      if (common === null) return false;
      this.rc = common.rc;
      this.sourceIdx = common.a;
      this.destinationIdx = common.b;
    } else if (part !== 0) {
      this.sourceIdx = part;
      this.rc = tables.getMatchingSuperRegClass(destinationRC, sourceRC, part);
    } else if (sourcePart !== 0) {
      this.destinationIdx = sourcePart;
      this.rc = tables.getMatchingSuperRegClass(sourceRC, destinationRC, sourcePart);
    } else this.rc = tables.getCommonSubClass(destinationRC, sourceRC);
    if (this.rc < 0) return false;
    if (this.destinationIdx !== 0 && this.sourceIdx === 0) this.flip();
    this.isCrossClass = this.rc !== destinationRC || this.rc !== sourceRC;
    return true;
  }

  /** @llvm RegisterCoalescer.cpp CoalescerPair::flip */
  flip(): void {
    if (this.isPhysical) return;
    [this.source, this.destination] = [this.destination, this.source];
    [this.sourceIdx, this.destinationIdx] = [this.destinationIdx, this.sourceIdx];
    this.isFlipped = !this.isFlipped;
  }

  /**
   * Whether an instruction copies from one to the other so that it would copy a register to itself.
   * @llvm RegisterCoalescer.cpp CoalescerPair::isCoalescable
   */
  isCoalescable(i: InstrId): boolean {
    const { fn } = this;
    const { tables } = fn;
    const move = i < 0 ? null : moveOf(fn, i);
    if (move === null) return false;
    let { source, destination, sourcePart, part } = move;
    if (destination === this.source) {
      [source, destination] = [destination, source];
      [sourcePart, part] = [part, sourcePart];
    } else if (source !== this.source) return false;
    if (this.isPhysical) {
      if (isVirtualReg(destination)) return false;
      const whole = part === 0 ? destination : tables.getSubReg(destination, part);
      return whole === (sourcePart === 0 ? this.destination : tables.getSubReg(this.destination, sourcePart));
    }
    if (destination !== this.destination) return false;
    return composed(tables, this.sourceIdx, sourcePart) === composed(tables, this.destinationIdx, part);
  }
}
