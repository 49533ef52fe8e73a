/**
 * Hazards that take more than S_NOP: waits for counters, instructions in between, another register (GCNHazardRecognizer::fixHazards, LLVM 22;
 * docs/llvm/hazards.md, 4).
 */
import { PhysRegUse } from '../../analysis/physRegUse.js';
import { immOperand, operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { BundleInserter } from '../../model/edit/bundleInserter.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { CallingConv } from '../../model/functionLimits.js';
import { Generation, type PhysReg, type Subtarget } from '../../target/api.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { lazy } from '../../util/lazy.js';
import { NEVER, type HazardInstrs } from './hazardInstrs.js';
import { DepCtr } from './depCtr.js';
import type { HazardRule } from './hazardRule.js';
import type { Remarks } from '../remarks.js';

const NOP = new OpcodePattern(/^V_NOP_(?:e32|e64|sdwa)$/);
/** Scalar instructions that SMEM's readers do not wait for, however many there are */
const NO_BARRIER = new OpcodePattern(/^S_(?:SETVSKIP|VERSION|WAITCNT_(?:VSCNT|VMCNT|EXPCNT))$/);
const VCC_MASK = new OpcodePattern(
  /^V_(?:(?:ADDC|SUBB|SUBBREV)_U32_(?:e32|dpp)|CNDMASK_B16_(?:t16|fake16)_(?:e32|dpp)|CNDMASK_B32_(?:e32|dpp)|DIV_FMAS_F(?:32|64)_e64)$/,
);
const SGPR_MASK = new OpcodePattern(
  /^V_(?:(?:ADDC|SUBB|SUBBREV)_U32|CNDMASK_B16_(?:t16|fake16)|CNDMASK_B32)_e64(?:_dpp)?$/,
);
const SHIFT_64 = new OpcodePattern(/^V_(?:LSHLREV_B64|LSHRREV_B64|ASHRREV_I64)_e64$/);
const SETREG = new OpcodePattern(/^S_SETREG_(?:IMM32_)?B32(?:_mode)?$/);
const GETREG = new OpcodePattern(/^S_GETREG_B32(?:_const)?$/);
const HARDWARE_REGISTER = 0x3f;
/** numbers of hardware registers */
const ID_MODE = 1;
const WAITS_FOR_IDLE = [2, 4, 17, 18];
const FLAT_SCR_LO = 20;
const FLAT_SCR_HI = 21;
/** priorities of S_SETPRIO around exports */
const NORMAL_PRIORITY = 2;
const MAX_PRIORITY = 3;
const AFTER_EXPORT = 0;
/** VALU instructions between WMMA and what reads its result, and VALU instructions that touch its registers, by the latency of the first */
const WMMA_DISTANCE: Readonly<Record<number, readonly [toMatrix: number, toOther: number]>> = { 8: [5, 4], 16: [9, 8] };
const SPARSE_DISTANCE: Readonly<Record<number, readonly [toMatrix: number, toOther: number]>> = {
  8: [3, 2],
  16: [5, 4],
};

interface HazardReason {
  readonly rule: HazardRule;
  readonly by: InstrId;
  readonly between: number;
}

type Emitted = readonly [opcode: string, operands: readonly NewOperand[]];

const NEVER_EXPORT: ReadonlySet<number> = new Set([
  CallingConv.AMDGPU_CS,
  CallingConv.AMDGPU_CS_Chain,
  CallingConv.AMDGPU_CS_ChainPreserve,
  CallingConv.AMDGPU_KERNEL,
]);
/** The caller has set the priority. */
const ONLY_CALLED: ReadonlySet<number> = new Set([CallingConv.AMDGPU_Gfx, CallingConv.AMDGPU_Gfx_WholeWave]);

export class HazardFixes {
  /** the instruction that is looked at; a bundle has other ids after an insertion */
  current: InstrId = -1;
  /** the rule that is looked at */
  private rule: HazardRule = 'exportPriority';
  private readonly fn: MachineFunction;
  private readonly st: Subtarget;
  private readonly builder: InstrBuilder;
  private readonly inserter: BundleInserter;
  private readonly counters: DepCtr;
  private readonly isWave64: boolean;
  private readonly use = lazy(() => new PhysRegUse(this.instrs.editor));
  private readonly hasLDSAndMemory = lazy(() => this.findLDSAndMemory());

  /** `runOn`: what has been put before the current instruction is looked at itself. */
  constructor(
    private readonly instrs: HazardInstrs,
    private readonly runOn: (i: InstrId) => void,
    private readonly remarks: Remarks | null,
  ) {
    this.fn = instrs.fn;
    this.st = instrs.fn.subtarget;
    this.builder = new InstrBuilder(instrs.editor);
    this.inserter = new BundleInserter(this.builder);
    this.counters = new DepCtr(this.st);
    this.isWave64 = this.st.wavefrontSize === 64;
  }

  /**
   * Mends what `current` would do too early. O(instructions on the ways back)
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixHazards
   */
  fix(): void {
    const { st } = this;
    const isGFX11 = st.generation === Generation.GFX11;
    this.scalarWriteAfterMemory();
    this.permlaneAfterCompare();
    this.vectorWriteAfterScalarLoad();
    this.compareToExec();
    this.betweenLDSAndMemory();
    if (st.generation >= Generation.GFX11) {
      this.directAfterVALU();
      this.directAfterMemory();
    }
    if (isGFX11) this.partialForwarding();
    if (st.hasFeature('valu-trans-use-hazard')) this.useOfTranscendental();
    this.besideTranscendental();
    this.matrixAfterMatrix();
    this.besideMatrix();
    const isGfx940 = st.hasFeature('gfx940-insts');
    if (st.hasGFX90AInsts && (!isGfx940 || st.release.rules.shiftsAvoidLastOfBlock)) this.shiftByLastOfBlock();
    if (isGFX11) this.maskWrite();
    if (st.hasFeature('required-export-priority')) this.exportPriority();
    if (st.hasFeature('gfx1250-insts')) this.ofGfx1250();
  }

  // -- inserting -----------------------------------------------------------------------------------------------------------

  private before(name: string, operands: readonly NewOperand[]): InstrId {
    return this.insert('before', name, operands);
  }

  /** Returns the new instruction. */
  private insert(where: 'before' | 'after', name: string, operands: readonly NewOperand[]): InstrId {
    const made = this.put(where, name, operands);
    this.explain(made, where === 'before' ? this.current : -1);
    return made;
  }

  private put(where: 'before' | 'after', name: string, operands: readonly NewOperand[]): InstrId {
    const made = this.inserter.insert(this.current, where, this.fn.tables.opcodeByName(name), operands);
    this.current = this.inserter.idNow(this.current);
    return made;
  }

  /** `at` is there, or is as it is, for the rule that is looked at. */
  private explain(at: InstrId, before: InstrId): void {
    if (this.remarks === null) return;
    const { rule, instrs } = this;
    this.remarks.add({ kind: 'hazard', at, rule, before, by: instrs.lastFound, states: 0, between: 0 });
  }

  /** Why the rules ask for wait states before the current instruction; null = nobody asks for that. */
  noopReason(): HazardReason | null {
    if (this.remarks === null) return null;
    const { rule, by, between } = this.instrs.reason;
    return rule === null ? null : { rule, by, between };
  }

  /** What an instruction is called after insertions into its bundle. */
  idNow(i: InstrId): InstrId {
    return this.inserter.idNow(i);
  }

  /**
   * S_NOPs for some wait states before the current instruction; in bundles LLVM does not use what newer processors can. `why`: null = an option, where
   * somebody asks.
   */
  insertNops(states: number, why: HazardReason | null): void {
    const isMember = (this.fn.bundle[this.current] & BundleFlag.BundledPred) !== 0;
    const { generation } = this.st;
    const bits = generation >= Generation.GFX12 ? 7 : generation >= Generation.VOLCANIC_ISLANDS ? 4 : 3;
    const most = isMember ? 8 : 1 << bits;
    for (let left = states; left > 0; left -= most) {
      const made = this.put('before', 'S_NOP', [immOperand(Math.min(left, most) - 1)]);
      const { rule, by, between } = why ?? { rule: 'snopPadding' as const, by: -1, between: 0 };
      this.remarks?.add({ kind: 'hazard', at: made, rule, before: this.current, by, states, between });
    }
  }

  private waitDepCtr(field: Parameters<DepCtr['zero']>[0], where: 'before' | 'after' = 'before'): InstrId {
    return this.insert(where, 'S_WAITCNT_DEPCTR', [immOperand(this.counters.zero(field))]);
  }

  private isDepCtr(i: InstrId, field: Parameters<DepCtr['zero']>[0]): boolean {
    const { instrs, fn } = this;
    return instrs.name(i) === 'S_WAITCNT_DEPCTR' && this.counters.isZero(field, fn.imm(fn.opBegin[i]));
  }

  private reg(name: string): PhysReg {
    return this.fn.tables.regByName(name);
  }

  private isZeroWait(i: InstrId): boolean {
    return this.instrs.name(i) === 'S_WAITCNT' && this.fn.imm(this.fn.opBegin[i]) === 0;
  }

  // -- gfx10 ---------------------------------------------------------------------------------------------------------------

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixVMEMtoScalarWriteHazards */
  private scalarWriteAfterMemory(): void {
    this.rule = 'vmemToScalarWrite';
    const { instrs, st, fn, current } = this;
    if (!st.hasFeature('vmem-to-scalar-write-hazard')) return;
    if (!instrs.isSALU(current) && !instrs.isSMRD(current)) return;
    const defs = instrs.explicitDefs(current).map((o) => fn.opVal[o]);
    if (defs.length === 0) return;
    const isHazard = (i: InstrId): boolean => instrs.isMemory(i) && defs.some((reg) => instrs.reads(i, reg));
    const ends = (i: InstrId): boolean => instrs.isVALU(i) || this.isZeroWait(i) || this.isDepCtr(i, 'vmVsrc');
    if (instrs.since(current, isHazard, ends) !== NEVER) this.waitDepCtr('vmVsrc');
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixVcmpxPermlaneHazards */
  private permlaneAfterCompare(): void {
    this.rule = 'vcmpxPermlane';
    const { instrs, st, fn, current } = this;
    if (!st.hasFeature('vcmpx-permlane-hazard') || !instrs.isPermlane(current)) return;
    const ends = (i: InstrId): boolean => instrs.isVALU(i) && !NOP.has(fn.tables, fn.opcode[i]);
    if (instrs.since(current, (i) => instrs.isCompareToExec(i), ends) === NEVER) return;
    // A V_NOP would be dropped by the sequencer.
    const source = instrs.named(current, 'src0');
    const isUndef = (fn.opFlags[source] & OpFlag.Undef) !== 0;
    this.before('V_MOV_B32_e32', [
      regOperand(fn.opVal[source], OpFlag.Def | (isUndef ? OpFlag.Dead : 0)),
      regOperand(fn.opVal[source], isUndef ? OpFlag.Undef : OpFlag.Kill),
    ]);
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixSMEMtoVectorWriteHazards */
  private vectorWriteAfterScalarLoad(): void {
    this.rule = 'smemToVectorWrite';
    const { instrs, st, current } = this;
    if (!st.hasFeature('smem-to-vector-write-hazard') || !instrs.isVALU(current)) return;
    const written = this.scalarResult(current);
    if (written === 0) return;
    const isHazard = (i: InstrId): boolean => instrs.isSMRD(i) && instrs.reads(i, written);
    if (instrs.since(current, isHazard, (i) => this.endsScalarLoads(i)) === NEVER) return;
    this.before('S_MOV_B32', [regOperand(this.reg('sgpr_null'), OpFlag.Def), immOperand(0)]);
  }

  private scalarResult(i: InstrId): PhysReg {
    const { instrs, fn } = this;
    const name = instrs.name(i);
    const isLaneRead = name === 'V_READLANE_B32' || name === 'V_READFIRSTLANE_B32';
    const named = instrs.namedReg(i, isLaneRead ? 'vdst' : 'sdst');
    if (named > 0) return named;
    const o = instrs.regOperands(i).find((k) => instrs.isImplicit(k) && instrs.isDef(k) && instrs.isSGPR(fn.opVal[k]));
    return o === undefined ? 0 : fn.opVal[o];
  }

  private endsScalarLoads(i: InstrId): boolean {
    const { instrs, fn } = this;
    if (!instrs.isSALU(i) || NO_BARRIER.has(fn.tables, fn.opcode[i])) return false;
    const o = fn.opBegin[i];
    const name = instrs.name(i);
    if (name === 'S_WAITCNT_LGKMCNT') return fn.opVal[o] === this.reg('sgpr_null') && fn.imm(o + 1) === 0;
    // lgkmcnt of gfx10
    if (name === 'S_WAITCNT') return ((fn.imm(o) >> 8) & 0x3f) === 0;
    return !instrs.isSOPP(i);
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixVcmpxExecWARHazard */
  private compareToExec(): void {
    this.rule = 'vcmpxExecWAR';
    const { instrs, st, fn, current } = this;
    const exec = this.reg('exec');
    if (!st.hasFeature('vcmpx-exec-war-hazard') || !instrs.isVALU(current) || !instrs.modifies(current, exec)) return;
    const ends = (i: InstrId): boolean => {
      if (!instrs.isVALU(i)) return this.isDepCtr(i, 'saSdst');
      if (instrs.named(i, 'sdst') >= 0) return true;
      return instrs.regOperands(i).some((o) => instrs.isImplicit(o) && instrs.isDef(o) && instrs.isSGPR(fn.opVal[o]));
    };
    if (instrs.since(current, (i) => !instrs.isVALU(i) && instrs.reads(i, exec), ends) !== NEVER)
      this.waitDepCtr('saSdst');
  }

  /** 1 = LDS, 2 = memory of vectors, 0 = neither. */
  private accessKind(i: InstrId): 0 | 1 | 2 {
    const { instrs } = this;
    if (instrs.isDS(i) || instrs.isLDSDMA(i)) return 1;
    return instrs.isVMEM(i) ? 2 : 0;
  }

  private findLDSAndMemory(): boolean {
    const { fn, instrs } = this;
    if (!this.st.hasFeature('lds-branch-vmem-war-hazard')) return false;
    let kinds = 0;
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i = instrs.editor.list.first(b); i >= 0; i = instrs.editor.list.after(i)) kinds |= this.accessKind(i);
    return kinds === 3;
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixLdsBranchVmemWARHazard */
  private betweenLDSAndMemory(): void {
    this.rule = 'ldsBranchVmemWAR';
    const { instrs, fn, current } = this;
    if (!this.hasLDSAndMemory()) return;
    const kind = this.accessKind(current);
    if (kind === 0) return;
    const isWait = (i: InstrId): boolean => {
      const o = fn.opBegin[i];
      return instrs.name(i) === 'S_WAITCNT_VSCNT' && fn.opVal[o] === this.reg('sgpr_null') && fn.imm(o + 1) === 0;
    };
    const other = 3 - kind;
    const isHazard = (branch: InstrId): boolean =>
      instrs.isBranch(branch) &&
      instrs.since(
        branch,
        (i) => this.accessKind(i) === other,
        (i) => this.accessKind(i) === kind || isWait(i),
      ) !== NEVER;
    if (instrs.since(current, isHazard, (i) => this.accessKind(i) !== 0 || isWait(i)) === NEVER) return;
    this.before('S_WAITCNT_VSCNT', [regOperand(this.reg('sgpr_null'), OpFlag.Undef), immOperand(0)]);
  }

  // -- gfx11: LDS as an operand, results that are forwarded -----------------------------------------------------------------

  private setImm(i: InstrId, name: string, value: number): void {
    const o = this.instrs.named(i, name);
    if (o < 0) return;
    this.fn.opVal[o] = value;
    this.fn.opExt[o] = 0;
  }

  /**
   * The wait is part of the instruction.
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixLdsDirectVALUHazard
   */
  private directAfterVALU(): void {
    this.rule = 'ldsDirectVALU';
    const { instrs, current } = this;
    if (!instrs.isLDSDIR(current)) return;
    const most = 15;
    const result = instrs.namedReg(current, 'vdst');
    let hasTranscendental = false;
    const isHazard = (i: InstrId): boolean => {
      if (!instrs.isVALU(i)) return false;
      hasTranscendental ||= instrs.isTRANS(i);
      return instrs.reads(i, result) || instrs.modifies(i, result);
    };
    const ends = (i: InstrId, states: number): boolean => states >= most || instrs.waitsForVALU(i);
    const since = instrs.since(current, isHazard, ends, (i) => (instrs.isVALU(i) ? 1 : 0));
    // These may run beside others, so that the counter says nothing.
    this.setImm(current, 'waitvdst', hasTranscendental ? 0 : Math.min(since, most));
    if (since === NEVER) this.rule = 'ldsDirectFree';
    this.explain(current, -1);
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixLdsDirectVMEMHazard */
  private directAfterMemory(): void {
    this.rule = 'ldsDirectVMEM';
    const { instrs, current, st } = this;
    if (!instrs.isLDSDIR(current)) return;
    const result = instrs.namedReg(current, 'vdst');
    const waitsItself = st.generation >= Generation.GFX12;
    const isHazard = (i: InstrId): boolean =>
      instrs.isMemory(i) && (instrs.reads(i, result) || instrs.modifies(i, result));
    const ends = (i: InstrId): boolean =>
      instrs.isVALU(i) ||
      instrs.isEXP(i) ||
      this.isZeroWait(i) ||
      this.isDepCtr(i, 'vmVsrc') ||
      (waitsItself && instrs.isLDSDIR(i) && instrs.imm(i, 'waitvsrc') === 0);
    if (instrs.since(current, isHazard, ends) === NEVER) return;
    if (waitsItself) {
      this.setImm(current, 'waitvsrc', 0);
      this.explain(current, -1);
    } else this.waitDepCtr('vmVsrc');
  }

  private vectorSources(i: InstrId): PhysReg[] {
    const { instrs, fn } = this;
    const regs = instrs.explicitUses(i).map((o) => fn.opVal[o]);
    return [...new Set(regs.filter((reg) => instrs.isVGPR(reg)))];
  }

  private endsForwarding(i: InstrId): boolean {
    return this.instrs.waitsForVALU(i) || this.isDepCtr(i, 'vaVdst');
  }

  /**
   * Two sources, one written before and one after a change of EXEC, close together.
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixVALUPartialForwardingHazard
   */
  private partialForwarding(): void {
    this.rule = 'partialForwarding';
    const { instrs, current } = this;
    if (!this.isWave64 || !instrs.isVALU(current)) return;
    const sources = this.vectorSources(current);
    if (sources.length <= 1) return;
    const exec = this.reg('exec');
    interface State {
      /** VALU instructions since each definition; -1 = none yet */
      readonly defs: readonly number[];
      /** likewise of the change of EXEC */
      readonly exec: number;
      readonly count: number;
    }
    const noneYet = -1;
    const looked = { defs: [] as number[], exec: noneYet };
    const look = (state: State, i: InstrId): 'found' | 'expired' | null => {
      looked.defs = [...state.defs];
      looked.exec = state.exec;
      if (state.count > 8 || this.endsForwarding(i)) return 'expired';
      let hasChanged = false;
      if (instrs.isVALU(i)) {
        for (const [k, reg] of sources.entries())
          if (looked.defs[k] < 0 && instrs.modifies(i, reg)) {
            looked.defs[k] = state.count;
            hasChanged = true;
          }
      } else if (instrs.isSALU(i) && looked.exec < 0 && looked.defs.some((n) => n >= 0) && instrs.modifies(i, exec)) {
        looked.exec = state.count;
        hasChanged = true;
      }
      const known = looked.defs.filter((n) => n >= 0);
      if (state.count > 4 && known.length === 0) return 'expired';
      if (!hasChanged || looked.exec < 0) return null;
      const [earlier, later] = [known.filter((n) => n >= looked.exec), known.filter((n) => n < looked.exec)];
      if (later.length === 0) return null;
      const after = Math.min(...later);
      const upToExec = looked.exec - after - 1;
      if (after > 4 || upToExec > 2) return 'expired';
      if (earlier.length === 0) return null;
      const beforeExec = Math.min(...earlier) - looked.exec;
      return beforeExec > 2 || beforeExec + upToExec > 2 ? 'expired' : 'found';
    };
    const pass = (state: State, i: InstrId): State => ({
      defs: looked.defs,
      exec: looked.exec,
      count: state.count + (instrs.isVALU(i) ? 1 : 0),
    });
    const initial: State = { defs: sources.map(() => noneYet), exec: noneYet, count: 0 };
    const keyOf = ({ defs, exec: e, count }: State): string => `${defs.join()} ${e} ${count}`;
    if (instrs.finds(current, initial, { look, pass, keyOf })) this.waitDepCtr('vaVdst');
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixVALUTransUseHazard */
  private useOfTranscendental(): void {
    this.rule = 'valuTransUse';
    const { instrs, current } = this;
    if (!instrs.isVALU(current)) return;
    const sources = this.vectorSources(current);
    type State = readonly [valu: number, trans: number];
    const look = ([valu, trans]: State, i: InstrId): 'found' | 'expired' | null => {
      if (valu > 5 || trans > 1 || this.endsForwarding(i)) return 'expired';
      return instrs.isTRANS(i) && sources.some((reg) => instrs.modifies(i, reg)) ? 'found' : null;
    };
    const pass = ([valu, trans]: State, i: InstrId): State => [
      valu + (instrs.isVALU(i) ? 1 : 0),
      trans + (instrs.isTRANS(i) ? 1 : 0),
    ];
    if (instrs.finds<State>(current, [0, 0], { look, pass, keyOf: String })) this.waitDepCtr('vaVdst');
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixVALUMaskWriteHazard */
  private maskWrite(): void {
    this.rule = 'valuMaskWrite';
    const { instrs, fn, current } = this;
    if (!this.isWave64) return;
    const isVALU = instrs.isVALU(current);
    if (!isVALU && !instrs.isSALU(current)) return;
    const written = instrs.regOperands(current).find((o) => instrs.isDef(o) && this.isMask(o));
    if (written === undefined) return;
    const reg = fn.opVal[written];
    const halves = ['sub0', 'sub1']
      .map((name) => fn.tables.getSubReg(reg, fn.tables.subRegIndexByName(name)))
      .filter((half) => half > 0);
    type State = readonly PhysReg[];
    const look = (left: State, i: InstrId): 'found' | 'expired' | null => {
      if (left.length === 0) return 'expired';
      if (VCC_MASK.has(fn.tables, fn.opcode[i])) return this.isVCC(reg) ? 'found' : null;
      if (!SGPR_MASK.has(fn.tables, fn.opcode[i])) return null;
      return instrs.overlaps(instrs.namedReg(i, 'src2'), reg) ? 'found' : null;
    };
    const readsMask = (i: InstrId): boolean => instrs.regOperands(i).some((o) => !instrs.isDef(o) && this.isMask(o));
    let isRead = readsMask(current);
    /** waits since a mask was read last, the last one first */
    const waits: InstrId[] = [];
    // What is written before has its own wait.
    const pass = (left: State, i: InstrId): State => {
      if (this.isMaskWait(i)) {
        if (!isRead && fn.instrBlock[i] === fn.instrBlock[current] && fn.bundle[i] === 0) waits.push(i);
        return left;
      }
      isRead ||= readsMask(i);
      const defs = instrs.regOperands(i).filter((o) => instrs.isDef(o) && this.isMask(o));
      return left.filter((half) => !defs.some((o) => instrs.overlaps(fn.opVal[o], half)));
    };
    if (!instrs.finds<State>(current, halves.length > 0 ? halves : [reg], { look, pass, keyOf: String })) return;
    const made = this.waitDepCtr(isVALU ? (this.isVCC(reg) ? 'vaVcc' : 'vaSdst') : 'saSdst', 'after');
    if (this.st.release.rules.mergesMaskWaits)
      for (const wait of waits) {
        fn.opVal[fn.opBegin[made]] &= fn.opVal[fn.opBegin[wait]];
        instrs.editor.erase(wait);
      }
    this.moveGlobals(made);
  }

  private isVCC(reg: PhysReg): boolean {
    return /^vcc(?:_lo|_hi)?$/.test(this.fn.tables.regName(reg));
  }

  /** S_WAITCNT_DEPCTR for what writes masks alone. */
  private isMaskWait(i: InstrId): boolean {
    const { fn, instrs } = this;
    return instrs.name(i) === 'S_WAITCNT_DEPCTR' && this.counters.waitsForMasksOnly(fn.imm(fn.opBegin[i]));
  }

  private isMask(o: OperandId): boolean {
    const { instrs, fn } = this;
    const reg = fn.opVal[o];
    if (/^(?:exec(?:_lo|_hi)?|m0|sgpr_null(?:64)?|scc)$/.test(fn.tables.regName(reg))) return false;
    return this.isVCC(reg) || (!instrs.isImplicit(o) && instrs.isSGPR(reg));
  }

  /**
   * In a bundle with S_GETPC_B64, what follows is four bytes further on.
   * @llvm GCNHazardRecognizer.cpp updateGetPCBundle
   */
  private moveGlobals(made: InstrId): void {
    const { fn, instrs } = this;
    if (fn.bundle[made] === 0) return;
    let first = this.inserter.firstOf(made);
    if (instrs.isBundle(first)) first++;
    if (instrs.name(first) !== 'S_GETPC_B64') return;
    for (let i = made + 1; (fn.bundle[i - 1] & BundleFlag.BundledSucc) !== 0; i++)
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
        const payload = fn.opKind[o] === OperandKind.GlobalAddress ? fn.payloads[fn.opVal[o]] : undefined;
        if (payload?.kind !== OperandKind.GlobalAddress) continue;
        fn.opVal[o] = fn.addPayload({ ...payload, offset: payload.offset + 4n });
        this.remarks?.add({ kind: 'movedAddress', at: i, by: made });
      }
  }

  // -- matrices --------------------------------------------------------------------------------------------------------------

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixWMMAHazards */
  private matrixAfterMatrix(): void {
    this.rule = 'wmma';
    const { instrs, current } = this;
    if (!instrs.isWMMA(current)) return;
    const takesIndex = this.st.generation >= Generation.GFX12 && instrs.isSWMMAC(current);
    const sources = ['src0', 'src1', ...(takesIndex ? ['src2'] : [])].map((name) => instrs.namedReg(current, name));
    const isHazard = (i: InstrId): boolean =>
      instrs.isWMMA(i) && sources.some((reg) => instrs.overlaps(instrs.namedReg(i, 'vdst'), reg));
    if (instrs.since(current, isHazard, instrs.isVALU) !== NEVER) this.before('V_NOP_e32', []);
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixWMMACoexecutionHazards */
  private besideMatrix(): void {
    this.rule = 'wmmaCoexecution';
    const { instrs, current, st } = this;
    if (!st.hasFeature('gfx1250-insts')) return;
    const isMatrix = instrs.isXDLWMMA(current);
    if (!isMatrix && (!instrs.isVALU(current) || instrs.isWMMA(current) || instrs.isLDSDMA(current))) return;
    let needed = 0;
    const isHazard = (i: InstrId): boolean => {
      if (!instrs.isXDLWMMA(i)) return false;
      const distances = instrs.isSWMMAC(i) ? SPARSE_DISTANCE : WMMA_DISTANCE;
      needed = distances[instrs.latency(i)]?.[isMatrix ? 0 : 1] ?? 0;
      return isMatrix ? this.isReadByMatrix(i) : this.isTouched(i);
    };
    const between = instrs.within(current, isMatrix ? 9 : 8, isHazard, (i) => (instrs.isVALU(i) ? 1 : 0));
    if (between === NEVER) return;
    for (let n = needed - between; n > 0; n--) this.before('V_NOP_e32', []);
  }

  /** The current matrix instruction reads the result of `i`. */
  private isReadByMatrix(i: InstrId): boolean {
    const { instrs, current } = this;
    const result = instrs.namedReg(i, 'vdst');
    const names = ['src0', 'src1', ...(instrs.isSWMMAC(current) ? ['src2'] : [])];
    return names.some((name) => instrs.overlaps(result, instrs.namedReg(current, name)));
  }

  /** The current instruction reads the result of `i`, or writes one of its registers. */
  private isTouched(i: InstrId): boolean {
    const { instrs, fn, current } = this;
    if (instrs.readsExplicitly(current, instrs.namedReg(i, 'vdst'))) return true;
    const names = ['vdst', 'src0', 'src1', ...(instrs.isSWMMAC(i) ? ['src2'] : [])];
    const regs = names.map((name) => instrs.namedReg(i, name));
    return instrs.explicitDefs(current).some((o) => regs.some((reg) => instrs.overlaps(fn.opVal[o], reg)));
  }

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixVALUTransCoexecutionHazards */
  private besideTranscendental(): void {
    this.rule = 'valuTransCoexecution';
    const { instrs, fn, current, st } = this;
    if (!st.hasFeature('gfx1250-insts') || !instrs.isVALU(current) || instrs.isTRANS(current)) return;
    const written = instrs.namedReg(current, 'vdst');
    const isHazard = (i: InstrId): boolean =>
      instrs.isTRANS(i) &&
      (instrs.readsExplicitly(current, instrs.namedReg(i, 'vdst')) ||
        instrs.explicitUses(i).some((o) => instrs.overlaps(fn.opVal[o], written)));
    if (instrs.since(current, isHazard, instrs.isVALU) !== NEVER) this.before('V_NOP_e32', []);
  }

  // -- gfx90a: shifts of 64 bits ---------------------------------------------------------------------------------------------

  /**
   * The amount of a shift is in the last register of an allocation granule.
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixShift64HighRegBug
   */
  private shiftByLastOfBlock(): void {
    this.rule = 'shift64HighReg';
    const { instrs, fn } = this;
    instrs.lastFound = -1;
    const { tables } = fn;
    const shift = this.current;
    if (!SHIFT_64.has(tables, fn.opcode[shift])) return;
    const amount = instrs.named(shift, 'src0');
    const value = instrs.named(shift, 'src1');
    if (!instrs.isReg(amount)) return;
    const reg = fn.opVal[amount];
    const number = reg - this.reg('vgpr0');
    if (!instrs.isVGPR(reg) || (number & 7) !== 7 || (number !== 255 && this.use().isUsed(reg + 1))) return;
    const to = fn.opVal[fn.opBegin[shift]];
    if (!instrs.isReg(value) || fn.opVal[value] !== to) {
      const low = this.part(to, 'sub0');
      this.lookAtOwn(this.before('V_MOV_B32_e32', [regOperand(low, OpFlag.Def), operandOf(fn, amount)]));
      this.explain(this.current, -1);
      const o = instrs.named(this.current, 'src0');
      this.rename(o, low);
      fn.opFlags[o] |= OpFlag.Kill;
      return;
    }
    const overlaps = instrs.modifies(shift, reg);
    const rc = tables.regClassByName(overlaps ? 'vreg_64_align2' : 'vgpr_32');
    const free = [...tables.classRegs(rc)].find((r) => !instrs.modifies(shift, r) && !instrs.reads(shift, r))!;
    // What was free may still be waited for.
    this.before('S_WAITCNT', [immOperand(0)]);
    const pairs: (readonly [PhysReg, PhysReg])[] = overlaps
      ? [
          [this.part(free, 'sub0'), reg - 1],
          [this.part(free, 'sub1'), reg],
        ]
      : [[free, reg]];
    const def = (r: PhysReg): NewOperand => regOperand(r, OpFlag.Def);
    for (const [other, own] of pairs)
      this.lookAtOwn(
        this.before('V_SWAP_B32', [
          def(other),
          def(own),
          regOperand(own, OpFlag.Undef),
          regOperand(other, OpFlag.Undef),
        ]),
      );
    for (const [other, own] of [...pairs].reverse())
      this.insert('after', 'V_SWAP_B32', [def(own), def(other), regOperand(other), regOperand(own)]);
    this.explain(this.current, -1);
    const changed = instrs.named(this.current, 'src0');
    this.rename(changed, overlaps ? this.part(free, 'sub1') : free);
    fn.opFlags[changed] = (fn.opFlags[changed] & ~OpFlag.Kill) | OpFlag.Undef;
    if (!overlaps) return;
    const source = instrs.named(this.current, 'src1');
    this.rename(fn.opBegin[this.current], free);
    this.rename(source, free);
    fn.opFlags[source] = (fn.opFlags[source] & ~OpFlag.Kill) | OpFlag.Undef;
  }

  /** What was put before a shift may have hazards of its own. */
  private lookAtOwn(made: InstrId): void {
    this.runOn(made);
    this.rule = 'shift64HighReg';
    this.instrs.lastFound = -1;
  }

  private rename(o: OperandId, reg: PhysReg): void {
    this.builder.editor.setReg(o, reg);
    this.fn.opFlags[o] &= ~OpFlag.Renamable;
  }

  private part(reg: PhysReg, name: string): PhysReg {
    return this.fn.tables.getSubReg(reg, this.fn.tables.subRegIndexByName(name));
  }

  // -- gfx11.5: exports --------------------------------------------------------------------------------------------------------

  /** @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixRequiredExportPriority */
  private exportPriority(): void {
    this.rule = 'exportPriority';
    const { instrs, fn, current, builder } = this;
    instrs.lastFound = -1;
    const { list } = builder.editor;
    const convention = fn.header.irFunction.callingConv;
    if (NEVER_EXPORT.has(convention)) return;
    const name = instrs.name(current);
    if (/^(?:S_ENDPGM|S_ENDPGM_SAVED|S_ENDPGM_ORDERED_PS_DONE|SI_RETURN_TO_EPILOG)$/.test(name)) {
      if (fn.header.frameInfo.hasCalls) this.raiseAtEntry();
      return;
    }
    if (name === 'S_SETPRIO') {
      const o = fn.opBegin[current];
      const priority = fn.imm(o);
      const isMember = (fn.bundle[current] & BundleFlag.BundledPred) !== 0;
      const before = isMember ? current - 1 : instrs.before(current);
      const isOurs = priority === AFTER_EXPORT && before >= 0 && instrs.isEXP(before);
      if (!isOurs && priority < NORMAL_PRIORITY) {
        fn.opVal[o] = Math.min(priority + NORMAL_PRIORITY, MAX_PRIORITY);
        this.explain(current, -1);
      }
      return;
    }
    if (!instrs.isEXP(current)) return;
    if (!ONLY_CALLED.has(convention)) this.raiseAtEntry();
    const isWithin = (fn.bundle[current] & BundleFlag.BundledSucc) !== 0;
    const next = isWithin ? current + 1 : list.after(this.inserter.firstOf(current));
    let isEnd = false;
    if (next >= 0) {
      if (instrs.isEXP(next)) return;
      if (instrs.name(next) === 'S_SETPRIO' && fn.imm(fn.opBegin[next]) === AFTER_EXPORT) return;
      isEnd = instrs.name(next) === 'S_ENDPGM';
    }
    const nop: Emitted = ['S_NOP', [immOperand(0)]];
    const all: Emitted[] = [['S_SETPRIO', [immOperand(AFTER_EXPORT)]], nop, nop];
    if (!isEnd) {
      all.splice(1, 0, ['S_WAITCNT_EXPCNT', [regOperand(this.reg('sgpr_null')), immOperand(0)]]);
      all.push(['S_SETPRIO', [immOperand(NORMAL_PRIORITY)]]);
    }
    for (const [opcode, operands] of all.reverse()) this.insert('after', opcode, operands);
  }

  private raiseAtEntry(): void {
    const { fn, instrs, builder } = this;
    const first = builder.editor.list.first(0);
    if (first >= 0 && instrs.name(first) === 'S_SETPRIO' && fn.imm(fn.opBegin[first]) >= NORMAL_PRIORITY) return;
    const raise = fn.tables.opcodeByName('S_SETPRIO');
    this.explain(builder.build(first >= 0 ? first : ~0, -1, raise, [immOperand(NORMAL_PRIORITY)]), -1);
  }

  // -- gfx1250 -------------------------------------------------------------------------------------------------------------------

  private ofGfx1250(): void {
    const { instrs, fn } = this;
    const { tables } = fn;
    const isGet = GETREG.has(tables, fn.opcode[this.current]);
    const isSet = SETREG.has(tables, fn.opcode[this.current]);
    const register = isGet || isSet ? instrs.imm(this.current, 'simm16') & HARDWARE_REGISTER : -1;
    instrs.lastFound = -1;
    this.rule = 'getregIdle';
    if (isGet && WAITS_FOR_IDLE.includes(register)) this.before('S_WAITCNT_DEPCTR', [immOperand(0)]);
    this.rule = 'asyncBarrier';
    if (instrs.name(this.current) === 'DS_ATOMIC_ASYNC_BARRIER_ARRIVE_B64') {
      this.waitDepCtr('vmVsrc');
      this.waitDepCtr('vmVsrc', 'after');
    }
    this.rule = 'scratchBaseForwarding';
    this.scratchBase(isGet ? register : -1);
    this.rule = 'setregMode';
    if (
      isSet &&
      fn.opKind[fn.opBegin[this.current] + 1] === OperandKind.Immediate &&
      fn.imm(fn.opBegin[this.current] + 1) === ID_MODE
    ) {
      this.before('V_NOP_e32', []);
      this.before('V_NOP_e32', []);
    }
  }

  /**
   * The base of scratch memory is read soon after SGPR 102 or 103 was written.
   * @llvm GCNHazardRecognizer.cpp GCNHazardRecognizer::fixScratchBaseForwardingHazard
   */
  private scratchBase(register: number): void {
    const { instrs, fn, current } = this;
    const writes = (i: InstrId): number =>
      (instrs.isSALU(i) || instrs.isVALU(i)) &&
      instrs.regOperands(i).some((o) => instrs.isDef(o) && instrs.isSGPR(fn.opVal[o]))
        ? 1
        : 0;
    const ends = (i: InstrId, n: number): boolean =>
      n >= 10 || (this.isDepCtr(i, 'saSdst') && this.isDepCtr(i, 'vaSdst'));
    const isHazard = (half: 'lo' | 'hi', number: number, id: number): boolean => {
      const reads = instrs.reads(current, this.reg(`src_flat_scratch_base_${half}`)) || register === id;
      const reg = this.reg(`sgpr${number}`);
      return reads && instrs.since(current, (i) => instrs.modifies(i, reg), ends, writes) < 10;
    };
    if (isHazard('lo', 102, FLAT_SCR_LO) || isHazard('hi', 103, FLAT_SCR_HI))
      this.before('S_WAITCNT_DEPCTR', [immOperand(this.counters.zeroBoth('saSdst', 'vaSdst'))]);
  }
}
