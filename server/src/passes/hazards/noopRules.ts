/**
 * Wait states that an instruction has to be away from those before it, because the processor does not wait by itself (GCNHazardRecognizer, LLVM 22;
 * docs/llvm/hazards.md, 2). Numbers are wait states: cycles that S_NOP fills.
 */
import type { InstrId, OperandId } from '../../model/machineFunction.js';
import { Generation, type PhysReg, type Subtarget } from '../../target/api.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import type { HazardInstrs } from './hazardInstrs.js';
import type { HazardRule } from './hazardRule.js';
import { MatrixRules } from './matrixRules.js';

const SETREG = new OpcodePattern(/^S_SETREG_(?:IMM32_)?B32(?:_mode)?$/);
const GETREG = new OpcodePattern(/^S_GETREG_B32(?:_const)?$/);
const MOVREL = new OpcodePattern(/^S_MOVREL[SD]_B(?:32|64)$/);
/** Conversions that write one byte of their result, by op_sel */
const BYTE_RESULT = new OpcodePattern(/^V_CVT_(?:SCALEF32_)?SR_(?:FP8|BF8)_/);
/** Conversions to FP4, which always do */
const FP4_RESULT = new OpcodePattern(/^V_CVT_SCALEF32_(?:SR_)?PK_FP4_/);
/** what ends the wait of S_DENORM_MODE */
const WAIT = new OpcodePattern(/^S_WAIT(?:CNT(?:_VSCNT|_VMCNT|_EXPCNT|_LGKMCNT)?|_IDLE)$/);
/** number of TRAPSTS among the hardware registers */
const TRAPSTS = 3;
const HARDWARE_REGISTER = 0x3f;
const SDWA_DWORD = 6;
/** DST_OP_SEL and OP_SEL_0 of SISrcMods */
const DST_OP_SEL = 8;
const OP_SEL_0 = 4;
/** operands of INLINEASM before those of its constraints */
const ASM_OPERANDS = 2;

export class NoopRules {
  private readonly st: Subtarget;
  private readonly matrix: MatrixRules;
  private readonly isGfx940: boolean;
  private readonly isGfx950: boolean;
  private readonly has12DWordStoreHazard: boolean;

  /** `paddingPercent`: how much of the latency of a matrix instruction is filled before the next one. */
  constructor(
    private readonly instrs: HazardInstrs,
    paddingPercent: number,
  ) {
    const { subtarget: st } = instrs.fn;
    this.st = st;
    this.matrix = new MatrixRules(instrs, paddingPercent);
    this.isGfx940 = st.hasFeature('gfx940-insts');
    this.isGfx950 = st.hasFeature('gfx950-insts');
    this.has12DWordStoreHazard = st.generation !== Generation.SOUTHERN_ISLANDS;
  }

  /**
   * Wait states before `i`. `issued`: what was issued before it, the last one first, null for an empty cycle.
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::PreEmitNoopsCommon
   */
  before(i: InstrId, issued: readonly (InstrId | null)[]): number {
    const { instrs, st } = this;
    const { fn } = instrs;
    const { tables } = fn;
    const opcode = fn.opcode[i];
    const generation = st.generation;
    instrs.reason.begin();
    if (instrs.isBundle(i)) return 0;
    if (instrs.isSMRD(i)) return Math.max(0, this.ofScalarLoad(i, issued));
    let states = Math.max(0, this.afterScatteredAddress(i), this.afterFloatAtomic(i));
    const need = (n: number): void => {
      states = Math.max(states, n);
    };
    if (st.hasFeature('no-data-dep-hazard')) return states;
    const isVALU = instrs.isVALU(i);
    if (instrs.isVMEM(i)) need(this.ofMemory(i, issued));
    if (isVALU) need(this.ofVALU(i));
    if (instrs.isDPP(i)) need(this.ofDPP(i));
    const name = instrs.name(i);
    if (name === 'V_DIV_FMAS_F32_e64' || name === 'V_DIV_FMAS_F64_e64')
      need(instrs.because('divFmasVCC', 4 - instrs.sinceDef(i, tables.regByName('vcc'), 4, instrs.isVALU)));
    if (name === 'V_READLANE_B32' || name === 'V_WRITELANE_B32') need(this.ofLaneAccess(i));
    if (isVALU || instrs.waitsForVALU(i)) need(this.matrix.ofReaderOrWriter(i));
    if (instrs.isInlineAsm(i)) return Math.max(states, this.ofInlineAsm(i));
    if (GETREG.has(tables, opcode))
      return Math.max(states, this.sinceSetReg('setregGetreg', i, 2, this.hardwareRegister(i)));
    if (SETREG.has(tables, opcode)) {
      const limit = generation <= Generation.SEA_ISLANDS ? 1 : 2;
      return Math.max(states, this.sinceSetReg('setregSetreg', i, limit, this.hardwareRegister(i)));
    }
    if (name === 'S_RFE_B64')
      return Math.max(
        states,
        generation < Generation.VOLCANIC_ISLANDS ? 0 : this.sinceSetReg('rfeTrapsts', i, 1, TRAPSTS),
      );
    if (this.readsM0(i)) {
      const since = instrs.sinceDef(i, tables.regByName('m0'), 1, instrs.isSALU);
      return Math.max(states, instrs.because('readsM0', 1 - since));
    }
    if (instrs.isMAI(i)) return Math.max(states, this.matrix.ofMatrix(i));
    if (instrs.isMemory(i)) return Math.max(states, this.matrix.ofMemory(i));
    if (this.isGfx950 && instrs.isPermlane(i)) return Math.max(states, this.ofPermlane(i));
    return states;
  }

  /**
   * Whether it has to be held back, as a scheduler asks: one that reads M0 may wait for moves out of AGPRs, too.
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::getHazardType
   */
  isHazard(i: InstrId, issued: readonly (InstrId | null)[]): boolean {
    if (this.before(i, issued) > 0) return true;
    const { instrs } = this;
    return instrs.isMemory(i) && !this.st.hasFeature('no-data-dep-hazard') && this.matrix.ofMemory(i) > 0;
  }

  // -- soft clauses ----------------------------------------------------------------------------------------------------

  /**
   * Loads in a row may be issued again where a page was missing (XNACK): none of them may write what another one reads.
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkSoftClauseHazards
   */
  private inSoftClause(i: InstrId, issued: readonly (InstrId | null)[]): number {
    const { instrs, st } = this;
    if (!st.xnackEnabled) return 0;
    const isOfClause = instrs.isSMRD(i) ? instrs.isSMRD : instrs.isVMEM;
    const [defs, uses] = [new Set<number>(), new Set<number>()];
    const add = (k: InstrId): void => {
      const { unitBegin, unitEnd, unitList } = instrs.fn.tables;
      for (const o of instrs.regOperands(k)) {
        const reg = instrs.fn.opVal[o];
        for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) (instrs.isDef(o) ? defs : uses).add(unitList[u]);
      }
    };
    for (const k of issued) {
      if (k === null || !isOfClause(k)) break;
      add(k);
    }
    if (defs.size === 0) return 0;
    const isSplit = instrs.mayStore(i) || (add(i), [...defs].some((u) => uses.has(u)));
    if (!isSplit) return 0;
    instrs.reason.take('softClause', 1, issued[0] ?? -1, 0);
    return 1;
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkSMRDHazards */
  private ofScalarLoad(i: InstrId, issued: readonly (InstrId | null)[]): number {
    const { instrs, st } = this;
    let states = this.inSoftClause(i, issued);
    if (st.generation !== Generation.SOUTHERN_ISLANDS) return states;
    const isBuffer = instrs.name(i).startsWith('S_BUFFER_');
    for (const o of instrs.uses(i)) {
      const reg = instrs.fn.opVal[o];
      states = Math.max(states, instrs.because('scalarLoadOfVALU', 4 - instrs.sinceDef(i, reg, 4, instrs.isVALU)));
      // What LLVM found out about descriptors that S_MOV writes.
      if (isBuffer)
        states = Math.max(states, instrs.because('scalarBufferOfSALU', 4 - instrs.sinceDef(i, reg, 4, instrs.isSALU)));
    }
    return states;
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkVMEMHazards */
  private ofMemory(i: InstrId, issued: readonly (InstrId | null)[]): number {
    const { instrs, st } = this;
    if (st.generation < Generation.VOLCANIC_ISLANDS) return 0;
    let states = this.inSoftClause(i, issued);
    for (const o of instrs.uses(i)) {
      const reg = instrs.fn.opVal[o];
      if (instrs.isVector(reg)) continue;
      states = Math.max(states, instrs.because('memoryOfVALUScalar', 5 - instrs.sinceDef(i, reg, 5, instrs.isVALU)));
    }
    return states;
  }

  // -- the vector unit -------------------------------------------------------------------------------------------------

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkDPPHazards */
  private ofDPP(i: InstrId): number {
    const { instrs } = this;
    const exec = instrs.fn.tables.regByName('exec');
    let states = instrs.because('dppExec', 5 - instrs.sinceDef(i, exec, 5, instrs.isVALU));
    for (const o of instrs.uses(i)) {
      const reg = instrs.fn.opVal[o];
      if (!instrs.isVGPR(reg)) continue;
      states = Math.max(states, instrs.because('dppVector', 2 - instrs.sinceDef(i, reg, 2, () => true)));
    }
    return states;
  }

  /**
   * The lane is chosen by an SGPR.
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkRWLaneHazards
   */
  private ofLaneAccess(i: InstrId): number {
    const { instrs } = this;
    const lane = instrs.namedReg(i, 'src1');
    if (!instrs.isSGPR(lane)) return 0;
    return instrs.because('laneSelect', 4 - instrs.sinceDef(i, lane, 4, instrs.isVALU));
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkPermlaneHazards */
  private ofPermlane(i: InstrId): number {
    const { instrs } = this;
    let states = instrs.because('permlaneExec', 4 - instrs.within(i, 4, (k) => instrs.isCompareToExec(k)));
    for (const o of instrs.explicitUses(i)) {
      const reg = instrs.fn.opVal[o];
      if (!instrs.isVGPR(reg)) continue;
      states = Math.max(states, instrs.because('permlaneVector', 2 - instrs.sinceDef(i, reg, 2, instrs.isVALU)));
    }
    return states;
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkVALUHazards */
  private ofVALU(i: InstrId): number {
    const { instrs } = this;
    let states = 0;
    const need = (n: number): void => {
      states = Math.max(states, n);
    };
    if (this.isGfx940) {
      // The processor forwards no results of transcendental instructions to others.
      if (!instrs.isTRANS(i)) {
        const isHazard = (k: InstrId): boolean =>
          instrs.isTRANS(k) && instrs.readsExplicitly(i, instrs.namedReg(k, 'vdst'));
        need(instrs.because('transResult', 1 - instrs.within(i, 1, isHazard)));
      }
      const isPartial = (k: InstrId): boolean => this.isForwarded(k, (reg) => this.mentions(i, reg));
      need(instrs.because('partialResult', 1 - instrs.within(i, 1, isPartial)));
      this.needForScalars(i, need);
    }
    if (this.has12DWordStoreHazard) for (const o of instrs.explicitDefs(i)) need(this.afterWideStore(i, o));
    return states;
  }

  /** VALU instructions write scalars too late for those after them. */
  private needForScalars(i: InstrId, need: (n: number) => void): void {
    const { instrs } = this;
    const { tables } = instrs.fn;
    const since = (rule: HazardRule, reg: PhysReg, limit: number): void => {
      const states = limit - instrs.within(i, limit, (k) => instrs.isVALU(k) && instrs.modifies(k, reg));
      need(instrs.because(rule, states));
    };
    for (const o of instrs.explicitUses(i))
      if (instrs.isSGPR(instrs.fn.opVal[o])) since('valuScalar', instrs.fn.opVal[o], 2);
    const vcc = tables.regByName('vcc');
    if (instrs.reads(i, vcc)) since('valuVCC', vcc, 2);
    const name = instrs.name(i);
    const reads = name === 'V_READLANE_B32' || name === 'V_READFIRSTLANE_B32';
    if (reads) since('readlaneSource', instrs.namedReg(i, 'src0'), 1);
    if (reads || name === 'V_WRITELANE_B32') since('laneExec', tables.regByName('exec'), 4);
  }

  private mentions(i: InstrId, reg: PhysReg): boolean {
    const { instrs } = this;
    return instrs.regOperands(i).some((o) => instrs.overlaps(instrs.fn.opVal[o], reg));
  }

  /** Whether an instruction puts its result into part of a register, which others would take before it is there; of assembly that is supposed. */
  private isForwarded(k: InstrId, isTaken: (reg: PhysReg) => boolean): boolean {
    const { instrs } = this;
    const reg = this.partialResult(k);
    if (reg > 0) return isTaken(reg);
    if (!instrs.isInlineAsm(k)) return false;
    return instrs.regOperands(k).some((o) => instrs.isDef(o) && isTaken(instrs.fn.opVal[o]));
  }

  /** @llvm GCNHazardRecognizer.cpp getDstSelForwardingOperand */
  private partialResult(k: InstrId): PhysReg {
    const { instrs } = this;
    const { fn } = instrs;
    const opcode = fn.opcode[k];
    if (!instrs.isVALU(k)) return 0;
    const result = instrs.namedReg(k, 'vdst');
    if (instrs.isSDWA(k) && instrs.named(k, 'dst_sel') >= 0 && instrs.imm(k, 'dst_sel') !== SDWA_DWORD) return result;
    if (instrs.named(k, 'op_sel') >= 0) {
      if ((instrs.imm(k, 'src0_modifiers') & DST_OP_SEL) !== 0) return result;
      if (BYTE_RESULT.has(fn.tables, opcode) && (instrs.imm(k, 'src2_modifiers') & OP_SEL_0) !== 0) return result;
    }
    return FP4_RESULT.has(fn.tables, opcode) ? result : 0;
  }

  /** The data of a store of more than 64 bits is overwritten while it is read. */
  private afterWideStore(i: InstrId, def: OperandId): number {
    const { instrs } = this;
    const reg = instrs.fn.opVal[def];
    if (!instrs.isVector(reg)) return 0;
    const since = (states: number, isHazard: (k: InstrId) => boolean): number => {
      const isWide = (k: InstrId): boolean => isHazard(k) && instrs.overlaps(this.wideStoreData(k), reg);
      return instrs.because('wideStore', states - instrs.within(i, states, isWide));
    };
    const isPlain = (k: InstrId): boolean => !this.hasScalarOffset(k);
    if (!this.isGfx940) return since(1, isPlain);
    const { spacesStoresByOffset } = this.st.release.rules;
    return Math.max(since(2, isPlain), spacesStoresByOffset ? since(1, () => true) : 0);
  }

  private hasScalarOffset(k: InstrId): boolean {
    const { instrs } = this;
    const offset = instrs.named(k, 'soffset');
    return instrs.isBUF(k) && offset >= 0 && instrs.isReg(offset);
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::createsVALUHazard */
  private wideStoreData(k: InstrId): PhysReg {
    const { instrs } = this;
    const { fn } = instrs;
    if (!instrs.mayStore(k) || !(instrs.isBUF(k) || instrs.isFLAT(k))) return 0;
    const at = fn.tables.getNamedOperandIdx(fn.opcode[k], 'vdata');
    if (at < 0) return 0;
    const rc = this.st.opInfoRegClass(fn.opcode[k], at);
    return rc < 0 || fn.tables.regClassBits[rc] <= 64 ? 0 : fn.opVal[fn.opBegin[k] + at];
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkInlineAsmHazards */
  private ofInlineAsm(i: InstrId): number {
    const { instrs } = this;
    const { fn } = instrs;
    let states = 0;
    if (this.has12DWordStoreHazard)
      for (let o = fn.opBegin[i] + ASM_OPERANDS; o < fn.opBegin[i + 1]; o++)
        if (instrs.isReg(o) && instrs.isDef(o)) states = Math.max(states, this.afterWideStore(i, o));
    if (!this.isGfx940) return states;
    const takes = (reg: PhysReg): boolean => instrs.modifies(i, reg) || instrs.reads(i, reg);
    const since = instrs.within(i, 1, (k) => this.isForwarded(k, takes));
    return Math.max(states, instrs.because('partialResult', 1 - since));
  }

  // -- registers of the hardware ---------------------------------------------------------------------------------------

  private hardwareRegister(i: InstrId): number {
    return this.instrs.imm(i, 'simm16') & HARDWARE_REGISTER;
  }

  private sinceSetReg(rule: HazardRule, i: InstrId, limit: number, register: number): number {
    const { instrs } = this;
    const { tables, opcode } = instrs.fn;
    const isHazard = (k: InstrId): boolean => SETREG.has(tables, opcode[k]) && this.hardwareRegister(k) === register;
    return instrs.because(rule, limit - instrs.within(i, limit, isHazard));
  }

  private readsM0(i: InstrId): boolean {
    const { instrs, st } = this;
    const { tables, opcode } = instrs.fn;
    const { generation } = st;
    const isGFX9 = generation === Generation.GFX9;
    if (isGFX9) {
      const name = instrs.name(i);
      if (instrs.isVINTRP(i) || MOVREL.has(tables, opcode[i]) || /^DS_(?:WRITE|READ)_ADDTID_B32$/.test(name))
        return true;
      if (instrs.isLDSDMA(i) || instrs.reads(i, tables.regByName('lds_direct'))) return true;
    }
    return (isGFX9 || generation === Generation.VOLCANIC_ISLANDS) && instrs.isMessageOrGDS(i);
  }

  // -- gfx10 -------------------------------------------------------------------------------------------------------------

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkNSAtoVMEMHazard */
  private afterScatteredAddress(i: InstrId): number {
    const { instrs, st } = this;
    if (!st.hasFeature('nsa-to-vmem-bug') || !instrs.isBUF(i) || (instrs.imm(i, 'offset') & 6) === 0) return 0;
    return instrs.because('scatteredAddress', 1 - instrs.within(i, 1, (k) => this.isLongScatteredImage(k)));
  }

  /** An image instruction of the first encoding with scattered addresses, of 16 bytes or more. */
  private isLongScatteredImage(k: InstrId): boolean {
    const { instrs } = this;
    if (!instrs.isImage(k) || !instrs.name(k).endsWith('_nsa_gfx10')) return false;
    const words = instrs.named(k, 'srsrc') - instrs.named(k, 'vaddr0');
    return 8 + 4 * ((words + 2) >> 2) >= 16;
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkFPAtomicToDenormModeHazard */
  private afterFloatAtomic(i: InstrId): number {
    const { instrs, st } = this;
    const { tables, opcode } = instrs.fn;
    if (st.generation !== Generation.GFX10 || instrs.name(i) !== 'S_DENORM_MODE') return 0;
    const ends = (k: InstrId, states: number): boolean =>
      states >= 3 || instrs.isVALU(k) || WAIT.has(tables, opcode[k]);
    const since = instrs.since(i, (k) => instrs.isVMEM(k) && instrs.isFPAtomic(k), ends);
    return instrs.because('floatAtomicDenorm', 3 - since);
  }
}
