/**
 * `amdgpu-insert-delay-alu`: S_DELAY_ALU before what reads a result that the ALU does not have yet, so that another wave runs meanwhile
 * (AMDGPUInsertDelayAlu, LLVM 22; docs/llvm/late-passes.md, 3).
 */
import { immOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import { BundleFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { Generation, type PhysReg } from '../../target/api.js';
import { waitsForVectorResults } from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { HazardInstrs } from '../hazards/hazardInstrs.js';
import { DepCtr } from '../hazards/depCtr.js';
import { allInstrs } from '../instrOrder.js';
import type { MachinePass } from '../machinePass.js';
import type { DelayNeed, DelayRemark, Remarks } from '../remarks.js';
import { CFG } from '../passContext.js';
import { LatencyModel } from '../scheduler/dag/latency.js';
import { resolveSchedClass } from '../scheduler/schedClass.js';
import { Delay, DelayKind, DelayState, MAX_TRANS, MAX_VALU } from './delayState.js';
import { visitUntilStable } from '../../util/untilStable.js';

/** @llvm AMDGPUInsertDelayAlu.cpp AMDGPUInsertDelayAluLegacy */
export const insertDelayAluPass: MachinePass = {
  name: 'amdgpu-insert-delay-alu',
  pipelineName: 'amdgpu-insert-delay-alu',
  className: 'AMDGPUInsertDelayAluPass',
  title: 'AMDGPU Insert Delay ALU',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (!state.fn.isOptNone && state.fn.subtarget.generation >= Generation.GFX11)
      new DelayAlu(state.editor(), state.remarks).run();
  },
};

const RETURNS_MESSAGE = new OpcodePattern(/^S_SENDMSG_RTN_B(?:32|64)$/);
const WRITE_LANE = new OpcodePattern(/^V_WRITELANE_B32$/);
const TO_EPILOG = new OpcodePattern(/^SI_RETURN_TO_EPILOG$/);
const DOUBLE = new OpcodePattern(/_F64/);
const CHANGES_MSB = new OpcodePattern(/^S_SET_VGPR_MSB$/);

/** Fields of the immediate: what is waited for, how many instructions are skipped, and what else is waited for there. */
const FIRST = 0xf;
const SKIP_SHIFT = 4;
const MAX_SKIP = 5;
const SECOND = 0x780;
const SECOND_SHIFT = 7;
/** what is waited for, by its number: VALU from 1, transcendental from 5, cycles of the SALU from 9 */
const TRANS_BASE = 4;
const SALU_BASE = 8;

/** @llvm AMDGPUInsertDelayAlu.cpp AMDGPUInsertDelayAlu */
class DelayAlu {
  private readonly fn: MachineFunction;
  private readonly instrs: HazardInstrs;
  private readonly depCtr: DepCtr;
  private readonly latencies: LatencyModel;
  private readonly builder: InstrBuilder;
  private readonly outs: DelayState[];
  private readonly scalar: number;
  private readonly tellsDoubles: boolean;
  /** the last S_DELAY_ALU of the block that has room for something to wait for, -1 = none */
  private last: InstrId = -1;
  /** who wrote each register unit last in the block, and what the instruction that is looked at reads too early; for reasons */
  private readonly producers = new Map<number, InstrId>();
  private read: { readonly found: Delay; readonly reg: PhysReg; readonly by: InstrId }[] = [];
  private readonly remarkAt = new Map<InstrId, DelayRemark>();

  constructor(
    private readonly editor: FunctionEditor,
    private readonly remarks: Remarks | null,
  ) {
    const { fn } = editor;
    this.fn = fn;
    this.instrs = new HazardInstrs(editor);
    this.depCtr = new DepCtr(fn.subtarget);
    this.latencies = new LatencyModel(fn, resolveSchedClass);
    this.builder = new InstrBuilder(editor);
    this.outs = fn.blocks.map(() => new DelayState());
    this.tellsDoubles = fn.subtarget.release.rules.delaysTellDoubles;
    this.scalar = fn.tables.regClassByName('sreg_32');
  }

  /** @llvm AMDGPUInsertDelayAlu.cpp AMDGPUInsertDelayAlu::run */
  run(): void {
    const { fn, outs } = this;
    visitUntilStable(fn.blocks.length, (b) => {
      const out = this.inBlock(b, false);
      if (out.equals(outs[b])) return [];
      outs[b] = out;
      return fn.blocks[b].successors;
    });
    for (let b = 0; b < fn.blocks.length; b++) this.inBlock(b, true);
    for (const remark of this.remarkAt.values()) this.remarks?.add(remark);
  }

  /** @llvm AMDGPUInsertDelayAlu.cpp AMDGPUInsertDelayAlu::runOnMachineBasicBlock */
  private inBlock(b: BlockId, emits: boolean): DelayState {
    const { fn, instrs } = this;
    const { tables } = fn;
    const state = new DelayState();
    for (const p of fn.blocks[b].predecessors) state.merge(this.outs[p]);
    this.last = -1;
    this.producers.clear();
    // To LLVM unit 0 is none, though it is one.
    let scalarOfVALU = 0;
    for (const i of allInstrs(this.editor, b)) {
      if (instrs.isBundle(i) || instrs.isMeta(i) || TO_EPILOG.has(tables, fn.opcode[i])) continue;
      const kind = this.kindOf(i);
      if (this.waitsForScalars(i)) {
        const delay = state.get(scalarOfVALU);
        if (delay !== undefined) {
          state.settle(delay.valuNum);
          scalarOfVALU = 0;
        }
      }
      const defs = kind === DelayKind.Other ? [] : instrs.explicitDefs(i);
      if (this.waitsForVALU(i)) state.clear();
      else if (kind !== DelayKind.Other) {
        const delay = this.delayOf(i, state);
        if (instrs.isVALU(i)) {
          const scalar = defs.find((o) => this.isScalar(fn.opVal[o]));
          if (scalar !== undefined) scalarOfVALU = tables.unitList[tables.unitBegin[fn.opVal[scalar]]];
        }
        if (emits && (fn.bundle[i] & BundleFlag.BundledPred) === 0) this.emit(i, delay);
      }
      for (const o of defs) {
        const latency = this.latencies.operandLatency(i, o - fn.opBegin[i], -1, 0);
        const reg = fn.opVal[o];
        for (let u = tables.unitBegin[reg]; u < tables.unitEnd[reg]; u++) {
          state.set(tables.unitList[u], Delay.of(kind, latency));
          if (this.remarks !== null) this.producers.set(tables.unitList[u], i);
        }
      }
      state.advance(kind, instrs.waitStates(i));
    }
    return state;
  }

  /** @llvm AMDGPUInsertDelayAlu.cpp AMDGPUInsertDelayAlu::getDelayType */
  private kindOf(i: InstrId): DelayKind {
    const { instrs, fn } = this;
    const isDouble = this.tellsDoubles && DOUBLE.has(fn.tables, fn.opcode[i]);
    if (instrs.isTRANS(i) && !isDouble) return DelayKind.Trans;
    if (fn.subtarget.hasFeature('gfx1250-insts') && instrs.isXDLWMMA(i)) return DelayKind.Trans;
    if (instrs.isVALU(i)) return DelayKind.Valu;
    return instrs.isSALU(i) ? DelayKind.Salu : DelayKind.Other;
  }

  /** @llvm AMDGPUInsertDelayAlu.cpp AMDGPUInsertDelayAlu::instructionWaitsForVALU */
  private waitsForVALU(i: InstrId): boolean {
    const { fn, instrs } = this;
    if (waitsForVectorResults(fn.tables, fn.opcode[i]) || RETURNS_MESSAGE.has(fn.tables, fn.opcode[i])) return true;
    return instrs.name(i) === 'S_WAITCNT_DEPCTR' && this.depCtr.isZero('vaVdst', fn.imm(fn.opBegin[i]));
  }

  /** @llvm AMDGPUInsertDelayAlu.cpp AMDGPUInsertDelayAlu::instructionWaitsForSGPRWrites */
  private waitsForScalars(i: InstrId): boolean {
    const { instrs, fn } = this;
    if (instrs.isSMRD(i)) return true;
    return instrs.isSALU(i) && fn.firstReg(i) >= 0;
  }

  /** What its explicit operands wait for, which nobody waits for after it. */
  private delayOf(i: InstrId, state: DelayState): Delay {
    const { fn, instrs } = this;
    const { tables } = fn;
    const delay = new Delay();
    this.read = [];
    for (const o of instrs.explicitUses(i)) {
      if (WRITE_LANE.has(tables, fn.opcode[i]) && fn.opTied[o] >= 0) continue;
      const reg = fn.opVal[o];
      for (let u = tables.unitBegin[reg]; u < tables.unitEnd[reg]; u++) {
        const unit = tables.unitList[u];
        const found = state.get(unit);
        if (found === undefined) continue;
        delay.merge(found);
        if (this.remarks !== null) this.read.push({ found: found.copy(), reg, by: this.producers.get(unit) ?? -1 });
        state.delete(unit);
      }
    }
    return delay;
  }

  /** @llvm AMDGPUBaseInfo.cpp AMDGPU::isSGPR */
  private isScalar(reg: PhysReg): boolean {
    const { tables } = this.fn;
    const first = tables.getSubReg(reg, tables.subRegIndexByName('sub0'));
    return tables.classContains(this.scalar, first > 0 ? first : reg) || reg === tables.regByName('scc');
  }

  /** @llvm AMDGPUInsertDelayAlu.cpp AMDGPUInsertDelayAlu::emitDelayAlu */
  private emit(i: InstrId, delay: Delay): void {
    const { fn } = this;
    let immediate = delay.transNum < MAX_TRANS ? TRANS_BASE + delay.transNum : 0;
    const add = (code: number): void => {
      immediate |= (immediate & FIRST) !== 0 ? code << SECOND_SHIFT : code;
    };
    const needs: DelayNeed[] = [];
    const explain = (unit: DelayNeed['unit'], n: number, isIt: (found: Delay) => boolean): void => {
      const producer = this.read.find(({ found }) => isIt(found));
      if (producer !== undefined) needs.push({ unit, n, reg: producer.reg, by: producer.by });
    };
    if (immediate !== 0) explain('TRANS', delay.transNum, ({ transNum }) => transNum === delay.transNum);
    if (delay.valuNum < MAX_VALU && delay.valuNum <= delay.transNumValu) {
      add(delay.valuNum);
      explain('VALU', delay.valuNum, ({ valuNum }) => valuNum === delay.valuNum);
    }
    if (delay.saluCycles > 0 && (immediate & SECOND) === 0) {
      add(SALU_BASE + delay.saluCycles);
      explain('SALU', delay.saluCycles, ({ saluCycles }) => saluCycles === delay.saluCycles);
    }
    if (immediate === 0) return;
    const isFull = (immediate & SECOND) !== 0;
    if (!isFull && this.last >= 0) {
      const skipped = this.distance(this.last, i);
      if (skipped <= MAX_SKIP) {
        fn.opVal[fn.opBegin[this.last]] |= (immediate << SECOND_SHIFT) | (skipped << SKIP_SHIFT);
        this.explain(this.last, i, needs, skipped);
        this.last = -1;
        return;
      }
    }
    const opcode = fn.tables.opcodeByName('S_DELAY_ALU');
    const made = this.builder.build(i, NO_LOCATION, opcode, [immOperand(immediate)]);
    this.explain(made, i, needs, 0);
    this.last = isFull ? -1 : made;
  }

  private explain(at: InstrId, before: InstrId, needs: readonly DelayNeed[], skipped: number): void {
    if (this.remarks === null) return;
    const waiters = [...(this.remarkAt.get(at)?.waiters ?? []), { before, needs, skipped }];
    this.remarkAt.set(at, { kind: 'delay', at, waiters });
  }

  /** Instructions between two of a block that make code; more than can be skipped where that is not known. */
  private distance(from: InstrId, to: InstrId): number {
    const { fn, instrs } = this;
    const { list } = this.editor;
    let n = 0;
    for (let i = list.after(from); i !== to && n <= MAX_SKIP; i = list.after(i))
      for (let m = i; ; m++) {
        if (this.tellsDoubles && CHANGES_MSB.has(fn.tables, fn.opcode[m])) return MAX_SKIP + 1;
        if (!instrs.isBundle(m) && !instrs.isMeta(m)) n++;
        if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) break;
      }
    return n;
  }
}
