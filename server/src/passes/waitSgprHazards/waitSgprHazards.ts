/**
 * `amdgpu-wait-sgpr-hazards`: waits before what reads an SGPR that was written after a VALU instruction read it, on gfx12. In LLVM 24 it also
 * moves the waits of post-RA-hazard-rec for masks on gfx11 down to where they are needed (AMDGPUWaitSGPRHazards; docs/llvm/hazards.md, 5).
 */
import type { OptionValue } from '../../commandLine/optionSpec.js';
import { immOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { BundleInserter } from '../../model/edit/bundleInserter.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isEntryFunctionCC } from '../../model/functionLimits.js';
import { Generation, McFlag, type PhysReg } from '../../target/api.js';
import { hasOpcodeFlag, isFLATGlobal } from '../../target/opcodes.js';
import { DepCtr } from '../hazards/depCtr.js';
import { HazardInstrs } from '../hazards/hazardInstrs.js';
import { allInstrs, beforeNoDebug } from '../instrOrder.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { RegisterFacts } from '../registerFacts.js';
import type { Remarks, ScalarWaitRemark } from '../remarks.js';
import { HazardState, Writer } from './hazardState.js';
import { visitUntilStable } from '../../util/untilStable.js';

type Options = ReadonlyMap<string, OptionValue>;

/** @llvm AMDGPUWaitSGPRHazards.cpp AMDGPUWaitSGPRHazardsLegacy */
export const waitSgprHazardsPass: MachinePass = {
  name: 'amdgpu-wait-sgpr-hazards',
  pipelineName: 'amdgpu-wait-sgpr-hazards',
  className: 'AMDGPUWaitSGPRHazardsPass',
  title: 'AMDGPU Insert waits for SGPR read hazards',
  requires: [],
  preserves: [CFG],
  run(state) {
    const { generation, wavefrontSize, release } = state.fn.subtarget;
    if (generation === Generation.GFX11) {
      if (wavefrontSize === 64 && !release.rules.mergesMaskWaits) new WaitSinking(state.editor()).run();
    } else if (generation === Generation.GFX12 && !state.fn.subtarget.hasFeature('gfx1250-insts'))
      new WaitSgprHazards(state.editor(), state.context.options, state.remarks).run();
  },
};

/** SGPRs that are numbered, those of operands among them. */
class ScalarRegs {
  private readonly facts: RegisterFacts;
  private readonly known = new Map<PhysReg, { readonly first: number; readonly n: number } | null>();
  private readonly vcc: ReadonlySet<PhysReg>;

  constructor(private readonly fn: MachineFunction) {
    this.facts = new RegisterFacts(fn);
    this.vcc = new Set(['vcc', 'vcc_lo', 'vcc_hi'].map((name) => fn.tables.regByName(name)));
  }

  isVCC = (reg: PhysReg): boolean => this.vcc.has(reg);

  /** Number of the first and how many there are; null = no SGPR that waits are about. */
  rangeOf(reg: PhysReg): { readonly first: number; readonly n: number } | null {
    let range = this.known.get(reg);
    if (range === undefined) this.known.set(reg, (range = this.compute(reg)));
    return range;
  }

  /** @llvm AMDGPUWaitSGPRHazards.cpp AMDGPUWaitSGPRHazards::sgprNumber */
  private compute(reg: PhysReg): { readonly first: number; readonly n: number } | null {
    const { tables } = this.fn;
    const rc = reg > 0 ? this.facts.baseClassOf(reg) : -1;
    if (rc < 0 || !tables.isSGPRClass(rc)) return null;
    if (/^(?:m0|exec|exec_lo|exec_hi|sgpr_null|sgpr_null64|scc)$/.test(tables.regName(reg))) return null;
    const first = tables.regEncoding(reg) & 0x3ff;
    return first > 127 ? null : { first, n: Math.floor(tables.regClassBits[rc] / 32) };
  }
}

/** DS_NOPs in a row after which the VALU has read what it was to read, by the size of the wave. */
const NOPS = { 32: 4, 64: 8 } as const;
/** Tracked pairs from which on a wait for memory is used to forget them. */
const CULL_THRESHOLD = 8;

interface Wait {
  saSdst: boolean;
  vaSdst: boolean;
  vaVcc: boolean;
}

/** @llvm AMDGPUWaitSGPRHazards.cpp AMDGPUWaitSGPRHazards */
class WaitSgprHazards {
  private readonly fn: MachineFunction;
  private readonly instrs: HazardInstrs;
  private readonly regs: ScalarRegs;
  private readonly depCtr: DepCtr;
  private readonly builder: InstrBuilder;
  private readonly inserter: BundleInserter;
  private readonly nNops: number;
  private readonly cullsAtCalls: boolean;
  private readonly cullsAtWaits: boolean;
  private readonly cullThreshold: number;
  private readonly ins: HazardState[];
  private readonly outs: HazardState[];
  /** the last write of each SGPR in the block, by number, and why the instruction that is looked at waits; for reasons */
  private readonly writers = new Map<number, { readonly by: InstrId; readonly order: number }>();
  private writes = 0;
  private needs: ScalarWaitRemark['needs'][number][] = [];
  private readonly remarkAt = new Map<InstrId, ScalarWaitRemark>();

  constructor(
    private readonly editor: FunctionEditor,
    options: Options,
    private readonly remarks: Remarks | null,
  ) {
    const { fn } = editor;
    this.fn = fn;
    this.instrs = new HazardInstrs(editor);
    this.regs = new ScalarRegs(fn);
    this.depCtr = new DepCtr(fn.subtarget);
    this.builder = new InstrBuilder(editor);
    this.inserter = new BundleInserter(this.builder);
    this.nNops = fn.subtarget.wavefrontSize === 64 ? NOPS[64] : NOPS[32];
    const { attributes } = fn.header.irFunction;
    const isOn = (name: string): boolean => {
      const given = options.get(name);
      return given === undefined ? attributes.has(name) : given === true;
    };
    this.cullsAtCalls = isOn('amdgpu-sgpr-hazard-boundary-cull');
    this.cullsAtWaits = isOn('amdgpu-sgpr-hazard-mem-wait-cull');
    const name = 'amdgpu-sgpr-hazard-mem-wait-cull-threshold';
    const threshold = options.get(name) ?? attributes.get(name) ?? CULL_THRESHOLD;
    if (!/^(?:0|[1-9]\d*)$/.test(String(threshold))) throw new NotModelled(`"${name}" that is no decimal number`);
    this.cullThreshold = Number(threshold);
    this.ins = fn.blocks.map(() => new HazardState());
    this.outs = fn.blocks.map(() => new HazardState());
  }

  /**
   * States of blocks until none changes, then waits by them.
   * @llvm AMDGPUWaitSGPRHazards.cpp AMDGPUWaitSGPRHazards::run
   */
  run(): void {
    const { fn, ins, outs } = this;
    if (!isEntryFunctionCC(fn.header.irFunction.callingConv) && !this.cullsAtCalls) ins[0].trackAll();
    visitUntilStable(fn.blocks.length, (b) => {
      const out = this.inBlock(b, false);
      if (out.equals(outs[b])) return [];
      outs[b] = out;
      return fn.blocks[b].successors.filter((s) => {
        const hasOneWay = fn.blocks[s].predecessors.length === 1 && s !== 0;
        if (!hasOneWay) return ins[s].merge(out);
        if (ins[s].equals(out)) return false;
        ins[s].assign(out);
        return true;
      });
    });
    for (let b = 0; b < fn.blocks.length; b++) this.inBlock(b, true);
    for (const remark of this.remarkAt.values()) this.remarks?.add(remark);
  }

  /** @llvm AMDGPUWaitSGPRHazards.cpp AMDGPUWaitSGPRHazards::runOnMachineBasicBlock */
  private inBlock(b: BlockId, emits: boolean): HazardState {
    const { instrs, fn } = this;
    const state = new HazardState(this.ins[b]);
    this.writers.clear();
    let nops = 0;
    for (const old of allInstrs(this.editor, b)) {
      const i = this.inserter.idNow(old);
      if (instrs.isMeta(i)) continue;
      const name = instrs.name(i);
      if (name === 'DS_NOP') {
        if (++nops >= this.nNops) state.trackNone();
        continue;
      }
      nops = 0;
      const isFlat = instrs.isFLAT(i);
      if (isFlat && !isFLATGlobal(fn.tables, fn.opcode[i])) state.isFlatActive = true;
      if ((instrs.isVMEM(i) && !isFlat) || instrs.isSMRD(i)) {
        state.vccWriters = 0;
        state.settle(Writer.Salu);
        state.settle(Writer.Valu);
        continue;
      }
      if (name === 'S_WAITCNT_DEPCTR') {
        this.note(state, fn.imm(fn.opBegin[i]));
        continue;
      }
      if (this.cullsAt(i, state)) {
        if (name === 'S_WAIT_LOADCNT' && state.isFlatActive) state.isFlatActive = false;
        else {
          state.trackNone();
          if (emits) this.cull(i);
          continue;
        }
      }
      if (instrs.isVALU(i) || instrs.isSALU(i)) this.inInstr(i, state, emits);
    }
    return state;
  }

  /** A wait that stands there. */
  private note(state: HazardState, immediate: number): void {
    this.settle(state, {
      vaVcc: this.depCtr.isZero('vaVcc', immediate),
      saSdst: this.depCtr.isZero('saSdst', immediate),
      vaSdst: this.depCtr.isZero('vaSdst', immediate),
    });
  }

  private settle(state: HazardState, { vaVcc, saSdst, vaSdst }: Wait): void {
    if (vaVcc) state.vccWriters &= ~Writer.Valu;
    if (saSdst) {
      state.settle(Writer.Salu);
      state.vccWriters &= ~Writer.Salu;
    }
    if (vaSdst) state.settle(Writer.Valu);
  }

  private cullsAt(i: InstrId, state: HazardState): boolean {
    const { fn } = this;
    if (!this.cullsAtWaits || !/^S_WAIT_(?:LOAD|SAMPLE|BVH)CNT$/.test(this.instrs.name(i))) return false;
    return fn.imm(fn.opBegin[i]) === 0 && state.nTracked >= this.cullThreshold;
  }

  /** @llvm AMDGPUWaitSGPRHazards.cpp AMDGPUWaitSGPRHazards::insertHazardCull */
  private cull(i: InstrId): void {
    const opcode = this.fn.tables.opcodeByName('DS_NOP');
    for (let n = 0; n < this.nNops; n++) {
      const made = this.inserter.insert(this.inserter.idNow(i), 'before', opcode, []);
      this.remarks?.add({ kind: 'scalarCull', at: made, before: i });
    }
  }

  /** Of the first member of a bundle without header, LLVM asks for any of them. */
  private isAny(i: InstrId, flag: McFlag): boolean {
    const { tables, opcode, bundle } = this.fn;
    if ((bundle[i] & BundleFlag.BundledPred) !== 0) return hasOpcodeFlag(tables, opcode[i], flag);
    for (let m = i; ; m++) {
      if (hasOpcodeFlag(tables, opcode[m], flag)) return true;
      if ((bundle[m] & BundleFlag.BundledSucc) === 0) return false;
    }
  }

  private inInstr(i: InstrId, state: HazardState, emits: boolean): void {
    const { instrs, fn, regs } = this;
    const { tables } = fn;
    const opcode = fn.opcode[i];
    const by = instrs.isSALU(i) ? Writer.Salu : Writer.Valu;
    const isVALU = instrs.isVALU(i);
    const wait: Wait = { saSdst: false, vaSdst: false, vaVcc: false };
    this.needs = [];
    const namesVCC = [...tables.implicitUses(opcode), ...tables.implicitDefs(opcode)].some(regs.isVCC);
    const isLookedAt = (o: OperandId): boolean =>
      (fn.opFlags[o] & OpFlag.Implicit) === 0 || (namesVCC && regs.isVCC(fn.opVal[o]));
    const isCall = this.isAny(i, McFlag.Call);
    const leaves = isCall || this.isAny(i, McFlag.Return) || this.isAny(i, McFlag.IndirectBranch);
    if (leaves && !/^S_ENDPGM(?:_SAVED)?$/.test(instrs.name(i))) {
      wait.vaVcc = (state.vccWriters & Writer.Valu) !== 0;
      wait.saSdst = state.isAnyWritten(Writer.Salu) || (state.vccWriters & Writer.Salu) !== 0;
      wait.vaSdst = state.isAnyWritten(Writer.Valu);
      if (this.cullsAtCalls && state.nTracked > 0) {
        state.trackNone();
        if (emits) this.cull(i);
      }
    } else this.eachReg(i, false, isLookedAt, (reg, first, n) => this.read(state, wait, reg, first, n, by, isVALU));
    if (wait.saSdst || wait.vaSdst || wait.vaVcc) {
      this.settle(state, wait);
      if (emits) this.emit(this.inserter.idNow(i), wait, leaves);
    }
    if (isCall && !this.cullsAtCalls) state.trackAll();
    this.eachReg(this.inserter.idNow(i), true, isLookedAt, (reg, first, n) => {
      for (let k = 0; k < n; k++) this.writers.set(first + k, { by: i, order: this.writes++ });
      if (!state.isTracked((first >> 1) & 63)) return;
      if (regs.isVCC(reg)) state.vccWriters = by;
      else state.write(by, first, n);
    });
  }

  /** SGPRs that an instruction reads, or writes, each once. */
  private eachReg(
    i: InstrId,
    isDef: boolean,
    isLookedAt: (o: OperandId) => boolean,
    visit: (reg: PhysReg, first: number, n: number) => void,
  ): void {
    const { fn, instrs } = this;
    const seen = new Set<PhysReg>();
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (instrs.isDef(o) !== isDef || !isLookedAt(o) || seen.has(reg)) continue;
      seen.add(reg);
      const range = this.regs.rangeOf(reg);
      if (range !== null) visit(reg, range.first, range.n);
    }
  }

  private read(
    state: HazardState,
    wait: Wait,
    reg: PhysReg,
    first: number,
    n: number,
    by: Writer,
    isVALU: boolean,
  ): void {
    const pair = (first >> 1) & 63;
    if (!state.isTracked(pair)) {
      if (isVALU) state.track(pair);
      return;
    }
    const isVCC = this.regs.isVCC(reg);
    // What the SALU reads, it waits for.
    if (by === Writer.Salu) {
      if (!isVCC) state.settle(Writer.Valu);
      else if ((state.vccWriters & Writer.Valu) !== 0) state.vccWriters = 0;
    }
    const awaits = (unit: 'SALU' | 'VALU'): void => {
      if (this.remarks !== null) this.needs.push({ reg, by: this.lastWriter(first, n), unit });
    };
    if (state.isWritten(Writer.Salu, first, n)) {
      wait.saSdst = true;
      awaits('SALU');
    }
    if (isVALU && state.isWritten(Writer.Valu, first, n)) {
      wait.vaSdst = true;
      awaits('VALU');
    }
    if (!isVCC) return;
    if ((state.vccWriters & Writer.Salu) !== 0) {
      wait.saSdst = true;
      awaits('SALU');
    }
    if ((state.vccWriters & Writer.Valu) !== 0) {
      wait.vaVcc = true;
      awaits('VALU');
    }
  }

  /** The last instruction of the block before the one that is looked at that writes one of the SGPRs, -1 = none does. */
  private lastWriter(first: number, n: number): InstrId {
    let last = { by: -1, order: -1 };
    for (let k = 0; k < n; k++) {
      const writer = this.writers.get(first + k);
      if (writer !== undefined && writer.order > last.order) last = writer;
    }
    return last.by;
  }

  private explain(at: InstrId, before: InstrId, leaves: boolean): void {
    if (this.remarks === null) return;
    const needs = [...(this.remarkAt.get(at)?.needs ?? []), ...this.needs];
    this.remarkAt.set(at, { kind: 'scalarWait', at, before, needs, leaves });
  }

  private emit(i: InstrId, { vaVcc, saSdst, vaSdst }: Wait, leaves: boolean): void {
    const { fn, depCtr, instrs } = this;
    let immediate = depCtr.nothing;
    if (vaVcc) immediate &= depCtr.zero('vaVcc');
    if (saSdst) immediate &= depCtr.zero('saSdst');
    if (vaSdst) immediate &= depCtr.zero('vaSdst');
    const before = beforeNoDebug(this.editor, i);
    if (before >= 0 && instrs.name(before) === 'S_WAITCNT_DEPCTR') {
      const o = fn.opBegin[before];
      fn.opVal[o] = depCtr.both(immediate, fn.imm(o));
      fn.opExt[o] = 0;
      this.explain(before, i, leaves);
      return;
    }
    const made = this.inserter.insert(i, 'before', fn.tables.opcodeByName('S_WAITCNT_DEPCTR'), [immOperand(immediate)]);
    this.explain(made, i, leaves);
    this.moveAddresses(made);
  }

  /**
   * What a bundle computes relative to S_GETPC_B64 is four bytes further.
   * @llvm AMDGPUWaitSGPRHazards.cpp AMDGPUWaitSGPRHazards::updateGetPCBundle
   */
  private moveAddresses(made: InstrId): void {
    const { fn, instrs } = this;
    if (fn.bundle[made] === 0) return;
    let first = this.inserter.firstOf(made);
    if (instrs.isBundle(first)) first++;
    if (instrs.name(first) !== 'S_GETPC_B64') return;
    for (let m = made; (fn.bundle[m] & BundleFlag.BundledSucc) !== 0;) {
      m++;
      for (let o = fn.opBegin[m]; o < fn.opBegin[m + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.GlobalAddress) continue;
        const payload = fn.payload(o, OperandKind.GlobalAddress);
        fn.opVal[o] = fn.addPayload({ ...payload, offset: payload.offset + 4n });
        this.remarks?.add({ kind: 'movedAddress', at: m, by: made });
      }
    }
  }
}

/**
 * Waits for masks, which stand behind their writes, go down to the first read of what was written, and two of them become one.
 * @llvm AMDGPUWaitSGPRHazards.cpp AMDGPUWaitSGPRHazards::runWaitMerging
 */
class WaitSinking {
  private readonly fn: MachineFunction;
  private readonly instrs: HazardInstrs;
  private readonly regs: ScalarRegs;
  private readonly depCtr: DepCtr;
  private readonly vcc: readonly number[];

  constructor(private readonly editor: FunctionEditor) {
    const { fn } = editor;
    this.fn = fn;
    this.instrs = new HazardInstrs(editor);
    this.regs = new ScalarRegs(fn);
    this.depCtr = new DepCtr(fn.subtarget);
    this.vcc = ['vcc_lo', 'vcc_hi'].map((name) => this.regs.rangeOf(fn.tables.regByName(name))!.first);
  }

  run(): void {
    for (let b = 0; b < this.fn.blocks.length; b++) this.inBlock(b);
  }

  private inBlock(b: BlockId): void {
    const { fn, instrs, depCtr, editor } = this;
    const { list } = editor;
    /** what the wait waits for */
    const written = new Set<number>();
    const bySALU = new Set<number>();
    const byVALU = new Set<number>();
    let last: InstrId = -1;
    const place = (at: InstrId): void => {
      editor.move(last, at, b);
      last = -1;
    };
    for (let next = list.first(b); next >= 0;) {
      const i = next;
      next = list.after(i);
      if (instrs.isMeta(i)) continue;
      const isWait = instrs.name(i) === 'S_WAITCNT_DEPCTR';
      if (isWait && depCtr.waitsForMasksOnly(fn.imm(fn.opBegin[i]))) {
        const o = fn.opBegin[i];
        if (last >= 0) {
          fn.opVal[o] = depCtr.both(fn.imm(fn.opBegin[last]), fn.imm(o));
          fn.opExt[o] = 0;
          editor.erase(last);
        } else written.clear();
        this.commit(fn.imm(o), written, bySALU, byVALU);
        last = i;
        continue;
      }
      if (last >= 0 && [McFlag.Call, McFlag.Return, McFlag.Branch].some((flag) => this.hasAny(i, flag))) place(i);
      const isSALU = instrs.isSALU(i);
      if (!isSALU && !instrs.isVALU(i)) continue;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        const range = this.regs.rangeOf(fn.opVal[o]);
        if (range === null) continue;
        const all = Array.from({ length: range.n }, (_, k) => range.first + k);
        if (instrs.isDef(o)) for (const reg of all) (isSALU ? bySALU : byVALU).add(reg);
        else if (last >= 0 && all.some((reg) => written.has(reg))) place(i);
      }
    }
  }

  private hasAny(i: InstrId, flag: McFlag): boolean {
    const { tables, opcode, bundle } = this.fn;
    for (let m = i; ; m++) {
      if (hasOpcodeFlag(tables, opcode[m], flag)) return true;
      if ((bundle[m] & BundleFlag.BundledSucc) === 0) return false;
    }
  }

  private commit(immediate: number, written: Set<number>, bySALU: Set<number>, byVALU: Set<number>): void {
    const { depCtr, vcc } = this;
    if (depCtr.isZero('saSdst', immediate)) for (const reg of bySALU) written.add(reg);
    const hadVCC = vcc.filter((reg) => written.has(reg));
    if (depCtr.isZero('vaSdst', immediate)) for (const reg of byVALU) if (!vcc.includes(reg)) written.add(reg);
    if (depCtr.isZero('vaVcc', immediate)) for (const reg of vcc) if (byVALU.has(reg)) written.add(reg);
    for (const reg of hadVCC) written.add(reg);
    bySALU.clear();
    byVALU.clear();
  }
}
