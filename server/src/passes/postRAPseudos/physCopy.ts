/** A copy between physical registers as the instructions that do it (SIInstrInfo::copyPhysReg, LLVM 22; docs/llvm/small-passes.md, 7). */
import { immOperand, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import type { InstrBuilder } from '../../model/edit/instrBuilder.js';
import { OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { PhysReg, RegClassId, SubRegIdx } from '../../target/api.js';
import { NotModelled } from '../machinePass.js';
import type { RegisterFacts } from '../registerFacts.js';
import type { ReservedRegs } from '../../analysis/reservedRegs.js';
import { AccumulatorCopies, type ImplicitSupers } from './accumulatorCopies.js';

/** op_sel of V_PK_MOV_B32's sources for a move of 64 bits: the low half of the first, the high half of the second */
export const OP_SEL_1 = 8;
const OP_SEL_BOTH = 12;
/** SDWA's selections */
const WORD_0 = 4;
const WORD_1 = 5;
const UNUSED_PRESERVE = 2;

const def = (reg: PhysReg): NewOperand => regOperand(reg, OpFlag.Def);
const killed = (reg: PhysReg, isKill: boolean, flags = 0): NewOperand =>
  regOperand(reg, flags | (isKill ? OpFlag.Kill : 0));

/** Operands of V_PK_MOV_B32 for a plain move. */
export const packedMove = (to: PhysReg, from: PhysReg): NewOperand[] => [
  def(to),
  immOperand(OP_SEL_1),
  regOperand(from),
  immOperand(OP_SEL_BOTH),
  regOperand(from),
  ...Array.from({ length: 5 }, () => immOperand(0)),
];

export class PhysCopies {
  private readonly fn: MachineFunction;
  private readonly accumulators: AccumulatorCopies;
  private readonly scc: PhysReg;
  private readonly hasMovB64: boolean;

  constructor(
    private readonly builder: InstrBuilder,
    private readonly facts: RegisterFacts,
    reserved: () => ReservedRegs,
  ) {
    this.fn = builder.fn;
    this.scc = this.fn.tables.regByName('scc');
    this.hasMovB64 = hasMovB64(this.fn);
    this.accumulators = new AccumulatorCopies(builder, reserved);
  }

  /**
   * Copies `from` to `to` before `at`; the last of the instructions ends before it. O(size of the registers)
   * @llvm SIInstrInfo.cpp SIInstrInfo::copyPhysReg
   */
  copy(at: InstrId, to: PhysReg, from: PhysReg, isKill: boolean): void {
    const { tables } = this.fn;
    const [toClass, fromClass] = [this.facts.baseClassOf(to), this.facts.baseClassOf(from)];
    const [toBits, fromBits] = [toClass, fromClass].map((rc) => (rc < 0 ? 0 : tables.regClassBits[rc]));
    if ((toBits === 16) !== (fromBits === 16) && to !== this.scc && from !== this.scc) {
      const low = (reg: PhysReg): PhysReg => tables.getSubReg(reg, tables.subRegIndexByName('lo16'));
      const [lowTo, lowFrom] = toBits === 32 ? [low(to), from] : [to, low(from)];
      if (lowTo === lowFrom) this.emit(at, 'BUNDLE', []);
      else this.copy(at, lowTo, lowFrom, isKill);
      return;
    }
    if (to === this.scc) {
      this.emit(at, fromBits === 64 ? 'S_CMP_LG_U64' : 'S_CMP_LG_U32', [killed(from, isKill), immOperand(0)]);
      return;
    }
    if (toBits === 16) {
      this.copyHalf(at, to, from, isKill);
      return;
    }
    const isScalarTo = tables.isSGPRClass(toClass);
    if (isScalarTo && toBits <= 64) {
      const bits = toBits === 64 ? 'B64' : 'B32';
      if (from === this.scc) this.emit(at, `S_CSELECT_${bits}`, [def(to), immOperand(1), immOperand(0)]);
      else this.emit(at, `S_MOV_${bits}`, [def(to), killed(this.scalar(from, fromClass), isKill)]);
      return;
    }
    if (toBits === 32) {
      this.copyVector(at, to, from, isKill);
      return;
    }
    // The order in which nothing is overwritten before it is read.
    const isForward = hardwareIndex(this.fn, to) <= hardwareIndex(this.fn, from);
    const overlaps = tables.regsOverlap(to, from);
    if (isScalarTo) {
      this.copyScalars(at, to, this.scalar(from, fromClass), isKill && !overlaps, isForward);
      return;
    }
    if (toBits === 64 && this.isAligned(toClass) && this.movesWhole(toClass, fromClass)) {
      if (this.hasMovB64) this.emit(at, 'V_MOV_B64_e32', [def(to), killed(from, isKill)]);
      else this.emit(at, 'V_PK_MOV_B32', packedMove(to, from), [killed(from, isKill, OpFlag.Implicit)]);
      return;
    }
    this.copyParts(at, to, from, isKill && !overlaps, isForward, this.vectorOpcode(toClass, fromClass));
  }

  private emit(at: InstrId, name: string, operands: readonly NewOperand[], more: readonly NewOperand[] = []): InstrId {
    return this.builder.build(at, at, this.fn.tables.opcodeByName(name), operands, more);
  }

  /** @llvm SIInstrInfo.cpp reportIllegalCopy */
  private scalar(from: PhysReg, rc: RegClassId): PhysReg {
    if (!this.fn.tables.isSGPRClass(rc)) throw new NotModelled('a copy of a vector register to a scalar one');
    return from;
  }

  private isAGPRClass(rc: RegClassId): boolean {
    const { tables } = this.fn;
    return tables.hasAGPRs(rc) && !tables.hasVGPRs(rc);
  }

  private copyVector(at: InstrId, to: PhysReg, from: PhysReg, isKill: boolean): void {
    const { facts } = this;
    const opcode = this.vectorOpcode(facts.baseClassOf(to), facts.baseClassOf(from));
    if (opcode === null) this.accumulators.copy(at, to, from, isKill, this.fn.tables.regsOverlap(to, from), null);
    else this.emit(at, opcode, [def(to), killed(from, isKill)]);
  }

  /** The move of 32 bits between two kinds of registers; null: it takes two. */
  private vectorOpcode(to: RegClassId, from: RegClassId): string | null {
    const { tables, subtarget: st } = this.fn;
    const isFromAGPR = this.isAGPRClass(from);
    if (!this.isAGPRClass(to)) return isFromAGPR ? 'V_ACCVGPR_READ_B32_e64' : 'V_MOV_B32_e32';
    if (isFromAGPR) return st.hasGFX90AInsts ? 'V_ACCVGPR_MOV_B32' : null;
    return tables.hasVGPRs(from) || st.hasGFX90AInsts ? 'V_ACCVGPR_WRITE_B32_e64' : null;
  }

  /** @llvm SIRegisterInfo.cpp SIRegisterInfo::isProperlyAlignedRC */
  private isAligned(rc: RegClassId): boolean {
    const { tables, subtarget: st } = this.fn;
    return !st.needsAlignedVGPRs || tables.regClassName(rc).endsWith('Align2');
  }

  /** Whether one instruction moves 64 bits. */
  private movesWhole(to: RegClassId, from: RegClassId): boolean {
    const { tables, subtarget: st } = this.fn;
    if (!tables.hasVGPRs(to) || (from !== to && !tables.isSGPRClass(from))) return false;
    return this.hasMovB64 || st.hasGFX90AInsts;
  }

  private copyHalf(at: InstrId, to: PhysReg, from: PhysReg, isKill: boolean): void {
    const { tables, subtarget: st } = this.fn;
    const whole = (reg: PhysReg): PhysReg => tables.superRegs(reg).find((r) => this.isWord(r))!;
    const [wideTo, wideFrom] = [whole(to), whole(from)];
    const isScalar = (reg: PhysReg): boolean => tables.isSGPRClass(this.facts.baseClassOf(reg));
    const isAGPR = (reg: PhysReg): boolean => this.isAGPRClass(this.facts.baseClassOf(reg));
    const [toHigh, fromHigh] = [to, from].map((reg) => tables.regName(reg).endsWith('_hi16'));
    if (isScalar(to)) {
      this.emit(at, 'S_MOV_B32', [
        def(wideTo),
        killed(this.scalar(wideFrom, this.facts.baseClassOf(wideFrom)), isKill),
      ]);
      return;
    }
    if (isAGPR(to) || isAGPR(from)) {
      if (toHigh || fromHigh) throw new NotModelled('a copy of the high half of an AGPR');
      this.copyVector(at, wideTo, wideFrom, isKill);
      return;
    }
    if (st.hasFeature('real-true16')) {
      const source = isScalar(from) ? wideFrom : from;
      const near = tables.regClassByName('vgpr_16_lo128');
      const isNear = (reg: PhysReg): boolean => tables.classContains(near, reg);
      if (isNear(to) && (isScalar(from) || isNear(from)))
        this.emit(at, 'V_MOV_B16_t16_e32', [def(to), regOperand(source)]);
      else this.emit(at, 'V_MOV_B16_t16_e64', [def(to), immOperand(0), regOperand(source), immOperand(0)]);
      return;
    }
    if (isScalar(from) && !st.hasFeature('sdwa-scalar')) {
      if (toHigh || fromHigh) throw new NotModelled('a copy of the high half of a register');
      this.emit(at, 'V_MOV_B32_e32', [def(wideTo), killed(wideFrom, isKill)]);
      return;
    }
    const made = this.emit(at, 'V_MOV_B32_sdwa', [
      def(wideTo),
      immOperand(0),
      regOperand(wideFrom),
      immOperand(0),
      immOperand(toHigh ? WORD_1 : WORD_0),
      immOperand(UNUSED_PRESERVE),
      immOperand(fromHigh ? WORD_1 : WORD_0),
      regOperand(wideTo, OpFlag.Implicit | OpFlag.Undef),
    ]);
    this.fn.tieOperands(made, 0, this.fn.numOperands(made) - 1);
  }

  private isWord(reg: PhysReg): boolean {
    const rc = this.facts.baseClassOf(reg);
    return rc >= 0 && this.fn.tables.regClassBits[rc] === 32;
  }

  /**
   * Pairs of even scalar registers go together.
   * @llvm SIInstrInfo.cpp expandSGPRCopy
   */
  private copyScalars(at: InstrId, to: PhysReg, from: PhysReg, isKill: boolean, isForward: boolean): void {
    const { tables } = this.fn;
    const n = tables.regClassBits[this.facts.baseClassOf(to)] / 32;
    const part = (reg: PhysReg, k: number, isPair: boolean): PhysReg => tables.getSubReg(reg, this.part(k, isPair));
    const isEven = (reg: PhysReg): boolean => (reg - tables.regByName('sgpr0')) % 2 === 0;
    const moves: { name: string; to: PhysReg; from: PhysReg }[] = [];
    for (let k = 0; k < n; k++) {
      const isPair = k + 1 < n && isEven(part(to, k, false)) && isEven(part(from, k, false));
      moves.push({
        name: isPair ? 'S_MOV_B64' : 'S_MOV_B32',
        to: part(to, k, isPair),
        from: part(from, k, isPair),
      });
      if (isPair) k++;
    }
    if (!isForward) moves.reverse();
    moves.forEach((move, k) => {
      const isLast = k + 1 === moves.length;
      const more = k === 0 ? definedWhole(this.fn, to) : [];
      const source = killed(from, isLast && isKill, OpFlag.Implicit);
      this.emit(at, move.name, [def(move.to), regOperand(move.from)], [source, ...more]);
    });
  }

  private part(k: number, isPair: boolean): SubRegIdx {
    return this.fn.tables.subRegIndexByName(isPair ? `sub${k}_sub${k + 1}` : `sub${k}`);
  }

  private copyParts(
    at: InstrId,
    to: PhysReg,
    from: PhysReg,
    isKill: boolean,
    isForward: boolean,
    opcode: string | null,
  ): void {
    const { tables } = this.fn;
    const [toClass, fromClass] = [this.facts.baseClassOf(to), this.facts.baseClassOf(from)];
    const bits = tables.regClassBits[toClass];
    const inPairs =
      opcode === 'V_MOV_B32_e32' && bits % 64 === 0 && this.isAligned(toClass) && this.movesWhole(toClass, fromClass);
    const parts: SubRegIdx[] = [];
    for (let k = 0; k < bits / 32; k += inPairs ? 2 : 1) parts.push(this.part(k, inPairs));
    if (!isForward) parts.reverse();
    const overlaps = tables.regsOverlap(to, from);
    parts.forEach((idx, k) => {
      const [toPart, fromPart] = [tables.getSubReg(to, idx), tables.getSubReg(from, idx)];
      const isLast = k + 1 === parts.length && isKill;
      if (opcode === null) {
        const supers: ImplicitSupers = {
          to: k === 0 && this.fn.subtarget.release.rules.copiesDefineWhole ? to : null,
          from,
        };
        this.accumulators.copy(at, toPart, fromPart, isLast, overlaps, supers);
        return;
      }
      const whole = k === 0 ? definedWhole(this.fn, to) : [];
      const source = killed(from, isLast, OpFlag.Implicit);
      if (!inPairs) this.emit(at, opcode, [def(toPart), regOperand(fromPart)], [...whole, source]);
      else if (this.hasMovB64) this.emit(at, 'V_MOV_B64_e32', [def(toPart), regOperand(fromPart)], [...whole, source]);
      else this.emit(at, 'V_PK_MOV_B32', packedMove(toPart, fromPart), [source, ...whole]);
    });
  }
}

/** What the move of a part adds for the register that it is of. */
export const definedWhole = (fn: MachineFunction, to: PhysReg): NewOperand[] =>
  fn.subtarget.release.rules.copiesDefineWhole ? [regOperand(to, OpFlag.Def | OpFlag.Implicit)] : [];

/** @llvm GCNSubtarget.h GCNSubtarget::hasMovB64 */
export const hasMovB64 = ({ subtarget: st }: MachineFunction): boolean =>
  st.hasFeature('gfx940-insts') || st.hasFeature('gfx1250-insts');

/**
 * Number of a register within its file.
 * @llvm SIRegisterInfo.h SIRegisterInfo::getHWRegIndex
 */
const hardwareIndex = ({ tables }: MachineFunction, reg: PhysReg): number => tables.regEncoding(reg) & 0x3ff;
