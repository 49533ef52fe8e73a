/**
 * Wait states around matrix instructions (MAI): what they read and write is in use for as many cycles as they have passes (GCNHazardRecognizer::checkMAI*,
 * LLVM 22; docs/llvm/hazards.md, 3). All numbers are wait states; `passes` is the latency of the model.
 */
import type { InstrId } from '../../model/machineFunction.js';
import type { PhysReg } from '../../target/api.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { NEVER, type HazardInstrs } from './hazardInstrs.js';

const DGEMM_4X4 = new OpcodePattern(/^V_MFMA_F64_4X4X4F64(?:_vgprcd)?_e64$/);
const DGEMM_16X16 = new OpcodePattern(/^V_MFMA_F64_16X16X4F64(?:_mac)?(?:_vgprcd)?_e64$/);
const FMA_F64 = new OpcodePattern(/^V_(?:FMA_F64_e64|FMAC_F64_(?:e32|e64|dpp))$/);
const READ = 'V_ACCVGPR_READ_B32_e64';
const WRITE = 'V_ACCVGPR_WRITE_B32_e64';

/** By passes: 2 (4x4), 8 (16x16), 16 (32x32) of the matrix cores before gfx940. */
const bySize = (passes: number, small: number, middle: number, large: number): number =>
  passes === 2 ? small : passes === 8 ? middle : large;

export class MatrixRules {
  private readonly isGfx90a: boolean;
  private readonly isGfx940: boolean;
  /** one wait state more on gfx950, after all but the shortest */
  private readonly extra: 0 | 1;

  constructor(
    private readonly instrs: HazardInstrs,
    private readonly paddingPercent: number,
  ) {
    const { subtarget: st } = instrs.fn;
    this.isGfx90a = st.hasGFX90AInsts;
    this.isGfx940 = st.hasFeature('gfx940-insts');
    this.extra = st.hasFeature('gfx950-insts') ? 1 : 0;
  }

  private extraFor(passes: number): number {
    return passes === 2 ? 0 : this.extra;
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkMAIHazards */
  ofMatrix(i: InstrId): number {
    if (this.isGfx90a && !this.instrs.isMFMA(i)) return 0;
    return Math.max(this.isGfx90a ? this.ofMatrix90a(i) : this.ofMatrix908(i), this.padding(i));
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkMFMAPadding */
  private padding(i: InstrId): number {
    const { instrs } = this;
    if (this.paddingPercent === 0 || !instrs.isMFMA(i) || instrs.fn.header.machineFunctionInfo.occupancy < 2) return 0;
    let cycles = 0;
    const isNeighbour = (k: InstrId): boolean => {
      if (!instrs.isMFMA(k)) return false;
      cycles = instrs.pipelineCycles(k);
      return true;
    };
    const since = instrs.within(i, 16, isNeighbour);
    return instrs.because('mfmaPadding', Math.trunc((cycles * this.paddingPercent) / 100) - since);
  }

  // -- gfx908 ------------------------------------------------------------------------------------------------------------

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkMAIHazards908 */
  private ofMatrix908(i: InstrId): number {
    const { instrs } = this;
    const { fn } = instrs;
    const name = instrs.name(i);
    let states = 0;
    const need = (n: number): void => {
      states = Math.max(states, n);
    };
    const isVALU = (k: InstrId): boolean => instrs.isVALU(k) || instrs.isInlineAsm(k);
    if (name !== READ) {
      need(instrs.because('mfmaExec', 4 - instrs.sinceDef(i, fn.tables.regByName('exec'), 4, isVALU)));
      if (states < 4)
        for (const o of instrs.explicitUses(i)) {
          if (!instrs.isVGPR(fn.opVal[o])) continue;
          need(instrs.because('mfmaVector', 2 - instrs.sinceDef(i, fn.opVal[o], 2, isVALU)));
          if (states === 2) break;
        }
    }
    const accumulator = instrs.named(i, 'src2');
    for (const o of instrs.regOperands(i)) {
      const reg = fn.opVal[o];
      if (instrs.isImplicit(o) || !instrs.isAGPR(reg) || (instrs.isDef(o) && name !== WRITE)) continue;
      need(this.afterOverlapping(i, reg, o === accumulator, name));
      if (states === 18) return states;
      const isWrite = (k: InstrId): boolean =>
        instrs.name(k) === WRITE && instrs.overlaps(reg, fn.opVal[fn.opBegin[k]]);
      need(instrs.because('accWrite', (o === accumulator ? 1 : 3) - instrs.sinceDef(i, reg, 18, isWrite)));
      if (states === 18) return states;
    }
    if (name === WRITE) need(this.afterAccumulatorRead(i, fn.opVal[fn.opBegin[i]]));
    return states;
  }

  /** A result that is not the same register, but overlaps. The slowest of all that were looked at decides. */
  private afterOverlapping(i: InstrId, reg: PhysReg, isAccumulator: boolean, name: string): number {
    const { instrs } = this;
    const { fn } = instrs;
    let passes = 0;
    const isOverlapping = (k: InstrId): boolean => {
      if (!instrs.isMFMA(k) || fn.opVal[fn.opBegin[k]] === reg) return false;
      passes = Math.max(passes, instrs.latency(k));
      return instrs.overlaps(fn.opVal[fn.opBegin[k]], reg);
    };
    const since = instrs.sinceDef(i, reg, 18, isOverlapping);
    if (isAccumulator) return instrs.because('mfmaAccumulator', 2 - since);
    if (name === READ) return instrs.because('accRead', bySize(passes, 4, 10, 18) - since);
    return instrs.because('mfmaFactor', (name === WRITE ? bySize(passes, 1, 7, 15) : 4) - since);
  }

  private afterAccumulatorRead(i: InstrId, written: PhysReg): number {
    const { instrs } = this;
    let passes = 0;
    const reads = (k: InstrId): boolean => {
      if (!instrs.isMFMA(k)) return false;
      passes = Math.max(passes, instrs.latency(k));
      return instrs.overlaps(instrs.namedReg(k, 'src2'), written);
    };
    const since = instrs.within(i, 13, reads);
    return instrs.because('matrixSource', bySize(passes, 0, 5, 13) - since);
  }

  /**
   * Memory instructions after moves out of AGPRs, on gfx908.
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkMAILdStHazards
   */
  ofMemory(i: InstrId): number {
    const { instrs } = this;
    const { fn } = instrs;
    if (!fn.subtarget.hasMAIInsts || this.isGfx90a) return 0;
    let states = 0;
    for (const o of instrs.explicitUses(i)) {
      const reg = fn.opVal[o];
      if (!instrs.isVGPR(reg)) continue;
      const since = instrs.sinceDef(i, reg, 2, (k) => instrs.name(k) === READ);
      states = Math.max(states, instrs.because('accMove', 2 - since));
      if (states === 2) return states;
      // LLVM asks once more from where it stands, not from the move that it has found.
      const isAfterVALU = (k: InstrId): boolean =>
        (instrs.name(k) === READ || instrs.name(k) === WRITE) &&
        instrs.sinceDef(i, reg, 2, (other) => instrs.isVALU(other) && !instrs.isMAI(other)) !== NEVER;
      states = Math.max(states, instrs.because('accMove', 1 - instrs.within(i, 2, isAfterVALU)));
    }
    return states;
  }

  // -- gfx90a and later ----------------------------------------------------------------------------------------------------

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkMAIHazards90A */
  private ofMatrix90a(i: InstrId): number {
    const { instrs } = this;
    const { fn } = instrs;
    const isLegacy = (k: InstrId): boolean => instrs.isVALU(k) && !instrs.isMFMA(k);
    const sinceExec = instrs.sinceDef(i, fn.tables.regByName('exec'), 4, isLegacy);
    let states = Math.max(0, instrs.because('mfmaExec', 4 - sinceExec));
    const accumulator = instrs.named(i, 'src2');
    const most = 19 + this.extra;
    for (const o of instrs.explicitUses(i)) {
      const reg = fn.opVal[o];
      const sinceVector = instrs.sinceDef(i, reg, most, (k) => isLegacy(k) && !instrs.isDOT(k));
      states = Math.max(states, instrs.because('mfmaVector', 2 - sinceVector));
      let writer = -1;
      const isWriter = (k: InstrId): boolean => {
        if (!instrs.isMFMA(k)) return false;
        writer = k;
        return instrs.overlaps(fn.opVal[fn.opBegin[k]], reg);
      };
      const since = instrs.sinceDef(i, reg, most, isWriter);
      if (since === NEVER) continue;
      const needed =
        o === accumulator ? this.asAccumulator(i, writer, fn.opVal[fn.opBegin[writer]] === reg) : this.asFactor(writer);
      if (states >= needed) continue;
      states = Math.max(states, instrs.because(o === accumulator ? 'mfmaAccumulator' : 'mfmaFactor', needed - since));
      if (states === most) break;
    }
    return states;
  }

  /** Wait states before a result is added to. `isWhole`: it is the same register. */
  private asAccumulator(reader: InstrId, writer: InstrId, isWhole: boolean): number {
    const { instrs } = this;
    const { tables, opcode } = instrs.fn;
    const [readsDouble, writesDouble] = [instrs.isDGEMM(reader), instrs.isDGEMM(writer)];
    if (!readsDouble && !this.isGfx940 && writesDouble) return 0;
    const isSmallDouble = (k: InstrId): boolean => DGEMM_4X4.has(tables, opcode[k]);
    const passes = instrs.latency(writer);
    if (isWhole) {
      if (isSmallDouble(reader) && isSmallDouble(writer)) return 4;
      return this.isGfx940 && passes === 2 ? 2 : 0;
    }
    if (DGEMM_16X16.has(tables, opcode[writer])) return instrs.isXDL(reader) ? 0 : this.extra === 1 ? 17 : 9;
    if (isSmallDouble(writer)) return instrs.isXDL(reader) ? 0 : 4;
    if (this.isGfx940) {
      if (instrs.isXDL(reader) && !instrs.isXDL(writer)) return 0;
      if (!instrs.isXDL(writer)) return passes;
      return passes + 1 + (instrs.isXDL(reader) ? this.extra : this.extraFor(passes));
    }
    return readsDouble ? bySize(passes, 3, 9, 17) : bySize(passes, 2, 8, 16);
  }

  /** Wait states before a result is multiplied. */
  private asFactor(writer: InstrId): number {
    const { instrs } = this;
    const { tables, opcode } = instrs.fn;
    if (DGEMM_16X16.has(tables, opcode[writer])) return this.extra === 1 ? 19 : 11;
    if (DGEMM_4X4.has(tables, opcode[writer])) return 6;
    const passes = instrs.latency(writer);
    return this.isGfx940 ? this.afterPasses(writer, passes) : bySize(passes, 5, 11, 19);
  }

  /** gfx940: until the result can be read, or written again. */
  private afterPasses(writer: InstrId, passes: number): number {
    return this.instrs.isXDL(writer) ? passes + 3 + this.extraFor(passes) : passes + 2;
  }

  /**
   * What reads or writes registers of matrix and dot instructions, from gfx90a on.
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::checkMAIVALUHazards
   */
  ofReaderOrWriter(i: InstrId): number {
    const { instrs } = this;
    const { tables, opcode } = instrs.fn;
    if (!this.isGfx90a || instrs.isMFMA(i)) return 0;
    let states = this.ofReads(i);
    if (FMA_F64.has(tables, opcode[i]) && states < 2)
      states = Math.max(states, instrs.because('doubleFma', 2 - instrs.within(i, 2, instrs.isDGEMM)));
    return Math.max(states, this.ofWrites(i, states));
  }

  private ofReads(i: InstrId): number {
    const { instrs } = this;
    const { fn } = instrs;
    const isMemory = instrs.isMemory(i);
    const isMemoryOrExport = isMemory || instrs.isEXP(i);
    const accumulator = instrs.named(i, 'src2');
    const most = 19 + this.extra;
    let states = 0;
    for (const o of instrs.explicitUses(i)) {
      const reg = fn.opVal[o];
      const dot = this.lastWriter(i, reg, most, instrs.isDOT);
      if (dot !== null) {
        const isSame = fn.opcode[dot.instr] === fn.opcode[i];
        states = Math.max(states, instrs.because('dotResult', (isSame && o === accumulator ? 0 : 3) - dot.since));
      }
      if (isMemory && !this.isGfx940 && instrs.isVector(reg)) states = Math.max(states, this.acrossDouble(i, reg));
      const matrix = this.lastWriter(i, reg, most, instrs.isMFMA);
      if (matrix === null) continue;
      const needed = this.untilRead(matrix.instr, isMemoryOrExport);
      states = Math.max(states, instrs.because('matrixResult', needed - matrix.since));
      if (states === most) break;
    }
    return states;
  }

  /** gfx90a does not keep a load from what a VALU instruction wrote when a product of doubles stands between. */
  private acrossDouble(i: InstrId, reg: PhysReg): number {
    const { instrs } = this;
    if (!instrs.hasAny(instrs.isDGEMM)) return 0;
    let hasDouble = false;
    const isHazard = (k: InstrId): boolean => {
      hasDouble ||= instrs.isDGEMM(k);
      return instrs.isVALU(k) && hasDouble;
    };
    return instrs.because('acrossDouble', 2 - instrs.sinceDef(i, reg, 2, isHazard));
  }

  private untilRead(writer: InstrId, isMemoryOrExport: boolean): number {
    const { instrs } = this;
    const passes = instrs.latency(writer);
    if (instrs.isDGEMM(writer)) {
      if (isMemoryOrExport) return passes === 4 ? 9 : 18;
      return passes === 4 ? 6 : this.extra === 1 ? 19 : 11;
    }
    return this.isGfx940 ? this.afterPasses(writer, passes) : bySize(passes, 5, 11, 19);
  }

  /** `states`: what reads need already. */
  private ofWrites(i: InstrId, states: number): number {
    const { instrs } = this;
    const { fn } = instrs;
    const most = 19 + this.extra;
    let all = states;
    for (const o of instrs.explicitDefs(i)) {
      const reg = fn.opVal[o];
      const dot = this.lastWriter(i, reg, most, instrs.isDOT);
      if (dot !== null && fn.opcode[dot.instr] !== fn.opcode[i])
        all = Math.max(all, instrs.because('dotResult', 3 - dot.since));
      const matrix = this.lastWriter(i, reg, most, instrs.isMFMA);
      if (matrix !== null) {
        all = Math.max(all, instrs.because('matrixOverwrite', this.untilWritten(matrix.instr) - matrix.since));
        if (all === most) break;
      }
      all = Math.max(all, this.whileRead(i, reg));
    }
    return all;
  }

  private untilWritten(writer: InstrId): number {
    const { instrs } = this;
    const passes = instrs.latency(writer);
    if (instrs.isDGEMM(writer)) return passes === 4 ? 6 : 11;
    return this.isGfx940 ? this.afterPasses(writer, passes) : bySize(passes, 5, 11, 19);
  }

  /** The register is the accumulator of a product that still reads it. */
  private whileRead(i: InstrId, reg: PhysReg): number {
    const { instrs } = this;
    if (!instrs.hasAny(instrs.isMFMA)) return 0;
    let reader = -1;
    const reads = (k: InstrId): boolean => {
      if (!instrs.isMFMA(k) || instrs.isDGEMM(k) || !instrs.reads(k, reg)) return false;
      if ((this.isGfx940 && !instrs.isXDL(k)) || !instrs.overlaps(instrs.namedReg(k, 'src2'), reg)) return false;
      reader = k;
      return true;
    };
    const since = instrs.within(i, 15, reads);
    if (reader < 0) return 0;
    const passes = instrs.latency(reader);
    return instrs.because('matrixSource', (passes === 4 ? 3 : bySize(passes, 1, 7, 15)) - since);
  }

  /** The last instruction found that writes the register, with the fewest wait states to one; null = none. */
  private lastWriter(
    i: InstrId,
    reg: PhysReg,
    limit: number,
    isOfKind: (k: InstrId) => boolean,
  ): { readonly instr: InstrId; readonly since: number } | null {
    const { instrs } = this;
    const { fn } = instrs;
    if (!instrs.hasAny(isOfKind)) return null;
    let writer = -1;
    const isWriter = (k: InstrId): boolean => {
      if (!isOfKind(k) || !instrs.overlaps(fn.opVal[fn.opBegin[k]], reg)) return false;
      writer = k;
      return true;
    };
    const since = instrs.sinceDef(i, reg, limit, isWriter);
    return writer < 0 ? null : { instr: writer, since };
  }
}
