/**
 * Latencies of instructions and of operand pairs from the subtarget's scheduling model.
 *
 * Follows TargetSchedModel::computeInstrLatency / computeOperandLatency / computeOutputLatency, GCNSubtarget's
 * adjustSchedDependency and SIInstrInfo::getInstrLatency as docs/llvm/schedule-dag.md, 7 describes them.
 */
import { type MachineFunction, type InstrId, OpFlag, OperandKind, BundleFlag } from '../../../model/machineFunction.js';
import type { Reg } from '../../../model/register.js';
import { McFlag, type SchedClassDesc, type SchedModel, type TargetTables } from '../../../target/api.js';
import { isLDSDMA } from '../../../target/opcodes.js';
import { opcodeSet } from '../../../target/opcodeSets.js';
import { OpcodeClass, opcodeClass, opcodeClasses } from '../schedClass.js';
import { mayLoad } from './memoryFlags.js';

/** What LLVM takes for a negative (invalid) latency. */
const INVALID_LATENCY_CYCLES = 1000;
const MODEL_DEFAULT_DEF_LATENCY_CYCLES = 1;

/** Resolved scheduling class of an instruction; 0 = no valid class. Variants (COPY, some moves) are resolved by operands. */
export type SchedClassResolver = (fn: MachineFunction, i: InstrId) => number;

/** @llvm TargetSchedule.cpp TargetSchedModel */
export class LatencyModel {
  private readonly tables: TargetTables;
  private readonly model: SchedModel;
  private readonly transient: ReadonlySet<number>;
  private readonly classes: Uint16Array;
  private readonly opcodes: { copy: number; bundle: number; implicitDef: number; kill: number; vccLo: Reg };
  /** what transfers to LDS count on, where the release says more of them */
  private readonly transferCounters: ReadonlySet<Reg>;

  constructor(
    private readonly fn: MachineFunction,
    private readonly resolve: SchedClassResolver,
    /**
     * false with `-schedmodel=0`: what the scheduler asks gets the default latencies. The target's own questions, about bundles and about
     * VCC in wave32, are still answered from the model.
     */
    readonly isEnabled = true,
  ) {
    this.tables = fn.tables;
    this.model = fn.subtarget.schedModel;
    this.classes = opcodeClasses(fn.tables, this.model);
    const t = fn.tables;
    this.transient = opcodeSet(t, 'transient');
    this.opcodes = {
      copy: t.opcodeByName('COPY'),
      bundle: t.opcodeByName('BUNDLE'),
      implicitDef: t.opcodeByName('IMPLICIT_DEF'),
      kill: t.opcodeByName('KILL'),
      vccLo: t.regByName('vcc_lo'),
    };
    const counters = fn.subtarget.release.rules.transfersFollowAtOnce ? ['asynccnt', 'tensorcnt'] : [];
    this.transferCounters = new Set(counters.map((name) => t.regByName(name)));
  }

  schedClassOf(i: InstrId): number {
    return this.isEnabled ? this.classOf(i) : 0;
  }

  /** The class, or null when the instruction has none. */
  classDesc(i: InstrId): SchedClassDesc | null {
    return this.isEnabled ? this.modelClass(i) : null;
  }

  private classOf(i: InstrId): number {
    const opc = this.fn.opcode[i];
    let known = this.classes[opc];
    if (known === OpcodeClass.Unknown) known = this.classes[opc] = opcodeClass(this.tables, this.model, opc);
    return known === OpcodeClass.ByOperands ? this.resolve(this.fn, i) : known - OpcodeClass.FirstClass;
  }

  private modelClass(i: InstrId): SchedClassDesc | null {
    const c = this.classOf(i);
    return c === 0 ? null : this.model.schedClass(c);
  }

  /** Transient instructions vanish before the hardware sees them. */
  isTransient(i: InstrId): boolean {
    const opc = this.fn.opcode[i];
    if ((this.tables.opcodeFlagsLo(opc) & (1 << McFlag.Meta)) !== 0) return true;
    return this.transient.has(opc);
  }

  /** @llvm TargetSchedule.cpp TargetSchedModel::getNumMicroOps */
  microOps(i: InstrId): number {
    const c = this.classDesc(i);
    if (c !== null) return c.numMicroOps;
    return this.isTransient(i) ? 0 : 1;
  }

  /** @llvm TargetInstrInfo.cpp TargetInstrInfo::defaultDefLatency */
  private defaultDefLatency(i: InstrId): number {
    if (this.isTransient(i)) return 0;
    if (mayLoad(this.fn, i)) return this.model.loadLatency;
    return MODEL_DEFAULT_DEF_LATENCY_CYCLES;
  }

  /**
   * Cycles; a bundle takes its slowest member and one cycle for each further member.
   * @llvm SIInstrInfo.cpp SIInstrInfo::getInstrLatency
   */
  instrLatency(i: InstrId): number {
    return this.isEnabled || this.fn.opcode[i] === this.opcodes.bundle
      ? this.modelLatency(i)
      : this.defaultDefLatency(i);
  }

  /**
   * The same, whether the scheduler uses the model or not.
   * @llvm TargetSchedule.cpp TargetSchedModel::computeInstrLatency
   */
  modelLatency(i: InstrId): number {
    if (this.fn.opcode[i] === this.opcodes.bundle) {
      let max = 0;
      let count = 0;
      for (const m of this.members(i)) {
        count++;
        const l = this.modelLatency(m);
        if (l > max) max = l;
      }
      return max + count - 1;
    }
    const c = this.modelClass(i);
    if (c === null) return this.defaultDefLatency(i);
    let latency = 0;
    for (const cycles of c.writeLatencyCycles) {
      const l = cycles < 0 ? INVALID_LATENCY_CYCLES : cycles;
      if (l > latency) latency = l;
    }
    return latency;
  }

  /** Members of a bundle whose header is `i`, in order; layout positions need not be known since members keep their ids in a row. */
  private *members(i: InstrId): Generator<InstrId> {
    const { bundle } = this.fn;
    for (let m = i; (bundle[m] & BundleFlag.BundledSucc) !== 0;) yield ++m;
  }

  /** @llvm TargetSchedule.cpp findDefIdx */
  private findDefIdx(i: InstrId, opIdx: number): number {
    const { opBegin, opKind, opFlags } = this.fn;
    let idx = 0;
    for (let o = opBegin[i]; o < opBegin[i] + opIdx; o++) {
      if (opKind[o] === OperandKind.Register && (opFlags[o] & OpFlag.Def) !== 0) idx++;
    }
    return idx;
  }

  /** @llvm TargetSchedule.cpp findUseIdx */
  private findUseIdx(i: InstrId, opIdx: number): number {
    const { opBegin, opKind, opFlags, opVal } = this.fn;
    let idx = 0;
    for (let o = opBegin[i]; o < opBegin[i] + opIdx; o++) {
      if (opKind[o] !== OperandKind.Register || opVal[o] === 0) continue;
      const f = opFlags[o];
      const isDef = (f & OpFlag.Def) !== 0;
      // a sub-register def reads, but it is a def: the count is over operands that read and are no defs
      if (!isDef && (f & (OpFlag.Undef | OpFlag.Internal)) === 0) idx++;
    }
    return idx;
  }

  /**
   * Latency from operand `defOp` of `def` to operand `useOp` of `use` (`use` -1: unknown user).
   * @llvm TargetSchedule.cpp TargetSchedModel::computeOperandLatency
   */
  operandLatency(def: InstrId, defOp: number, use: InstrId, useOp: number): number {
    return this.isEnabled ? this.modelOperandLatency(def, defOp, use, useOp) : this.defaultDefLatency(def);
  }

  private modelOperandLatency(def: InstrId, defOp: number, use: InstrId, useOp: number): number {
    const c = this.modelClass(def);
    if (c !== null) {
      const defIdx = this.findDefIdx(def, defOp);
      if (defIdx < c.writeLatencyCycles.length) {
        const cycles = c.writeLatencyCycles[defIdx];
        const latency = cycles < 0 ? INVALID_LATENCY_CYCLES : cycles;
        if (use < 0) return latency;
        const useClass = this.modelClass(use);
        if (useClass === null || useClass.readAdvance.length === 0) return latency;
        // no advance of AMDGPU's models is positive
        return latency - readAdvanceCycles(useClass, this.findUseIdx(use, useOp), c.writeIds[defIdx]);
      }
    }
    return this.defaultDefLatency(def);
  }

  /**
   * Latency of a Data edge after AMDGPU's adjustment.
   * @llvm GCNSubtarget.cpp GCNSubtarget::adjustSchedDependency
   */
  adjustDataLatency(def: InstrId, defOp: number, use: InstrId, useOp: number, reg: Reg, latency: number): number {
    if (reg === 0 || use < 0) return latency;
    if (this.transferCounters.has(reg) && !this.waitsForTransfer(def, use)) return 1;
    const { bundle } = this.opcodes;
    if (this.fn.opcode[def] === bundle) {
      let lat = 0;
      for (const m of this.members(def)) {
        if (this.modifies(m, reg)) lat = this.modelLatency(m);
        else if (lat > 0 && this.takesCycle(m)) lat--;
      }
      return lat;
    }
    if (this.fn.opcode[use] === bundle) {
      let lat = this.modelLatency(def);
      for (const m of this.members(use)) {
        if (lat === 0 || this.reads(m, reg)) break;
        if (this.takesCycle(m)) lat--;
      }
      return lat;
    }
    if (latency === 0 && reg === this.opcodes.vccLo) return this.modelOperandLatency(def, defOp, use, useOp);
    return latency;
  }

  private waitsForTransfer(def: InstrId, use: InstrId): boolean {
    const { fn, tables } = this;
    return isLDSDMA(tables, fn.opcode[def]) && opcodeSet(tables, 'waitsForTransfers').has(fn.opcode[use]);
  }

  /** A member of a bundle brings those after it a cycle nearer. */
  private takesCycle(i: InstrId): boolean {
    const { rules } = this.fn.subtarget.release;
    return !rules.skipsMetaInBundles || (this.tables.opcodeFlagsLo(this.fn.opcode[i]) & (1 << McFlag.Meta)) === 0;
  }

  private overlaps(a: Reg, b: Reg): boolean {
    return a === b || (a > 0 && b > 0 && this.tables.regsOverlap(a, b));
  }

  private modifies(i: InstrId, reg: Reg): boolean {
    const { opBegin, opKind, opFlags, opVal } = this.fn;
    for (let o = opBegin[i]; o < opBegin[i + 1]; o++) {
      if (opKind[o] === OperandKind.Register && (opFlags[o] & OpFlag.Def) !== 0 && this.overlaps(opVal[o], reg))
        return true;
    }
    return false;
  }

  private reads(i: InstrId, reg: Reg): boolean {
    const { opBegin, opKind, opFlags, opVal, opSub } = this.fn;
    for (let o = opBegin[i]; o < opBegin[i + 1]; o++) {
      if (opKind[o] !== OperandKind.Register || !this.overlaps(opVal[o], reg)) continue;
      const f = opFlags[o];
      if ((f & (OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
      if ((f & OpFlag.Def) === 0 || opSub[o] !== 0) return true;
    }
    return false;
  }
}

/** @llvm MCSubtargetInfo.h MCSubtargetInfo::getReadAdvanceCycles */
function readAdvanceCycles(c: SchedClassDesc, useIdx: number, writeId: number): number {
  for (const [use, write, cycles] of c.readAdvance) {
    if (use === useIdx && (write === 0 || write === writeId)) return cycles;
  }
  return 0;
}
