/** `machinelicm`: after allocation, values that are the same in each round of a loop are made in front of it (MachineLICM, LLVM 22; docs/llvm/improving-ssa.md, 3). */
import { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import type { LoopInfo } from '../../analysis/loops.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { MemFlag } from '../../model/memOperand.js';
import { isPreserved, preservedRegs } from '../../model/regMask.js';
import { isVirtualReg, NO_REG, type Reg } from '../../model/register.js';
import { McFlag } from '../../target/index.js';
import { isMUBUF } from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { reversePostOrder } from '../../util/reversePostOrder.js';
import { DOMINATORS, LOOPS } from '../controlFlowAnalyses.js';
import { allInstrs, firstTerminator } from '../instrOrder.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { ALIAS_ANALYSIS } from '../passContext.js';
import { loopCandidates, type LoopCandidates } from './loopCandidates.js';

/** @llvm MachineLICM.cpp MachineLICM */
export const machineLICMPass: MachinePass = {
  name: 'machinelicm',
  pipelineName: 'machinelicm',
  className: 'MachineLICMPass',
  title: 'Machine Loop Invariant Code Motion',
  requires: [DOMINATORS, LOOPS, ALIAS_ANALYSIS],
  preserves: [LOOPS],
  run(state) {
    if (state.fn.isOptNone) return;
    new PostRAInvariants(loopCandidates(state)).run();
  },
};

const RELOAD = new OpcodePattern(/^SI_SPILL_(?:WWM_)?\w+_RESTORE$/);

interface Candidate {
  readonly i: InstrId;
  readonly def: Reg;
  /** the spill slot that it reads, -1 = none */
  readonly slot: number;
}

/** Of a loop, by units of registers. */
interface Found {
  readonly defined: LiveRegUnits;
  /** defined more than once, or by calls */
  readonly clobbered: LiveRegUnits;
  readonly storedSlots: Set<number>;
  readonly candidates: Candidate[];
}

class PostRAInvariants {
  private readonly fn: MachineFunction;
  private readonly editor: FunctionEditor;
  private readonly loops: LoopInfo;
  private readonly order: readonly BlockId[];
  /** by the registers that a call preserves */
  private readonly lost = new Map<Uint32Array, LiveRegUnits>();

  constructor(private readonly candidates: LoopCandidates) {
    this.editor = candidates.editor;
    this.loops = candidates.loops;
    this.fn = candidates.editor.fn;
    this.order = reversePostOrder(this.fn.blocks);
  }

  run(): void {
    for (const loop of this.candidates.outermost()) this.runOnLoop(loop);
  }

  /** @llvm MachineLICM.cpp MachineLICMImpl::HoistRegionPostRA */
  private runOnLoop(loop: number): void {
    const { fn, editor } = this;
    const preheader = this.candidates.preheaderOf(loop);
    if (preheader < 0) return;
    const blocks = this.order.filter((b) => this.loops.contains(loop, b));
    const found: Found = {
      defined: new LiveRegUnits(fn),
      clobbered: new LiveRegUnits(fn),
      storedSlots: new Set(),
      candidates: [],
    };
    for (const b of blocks) {
      if (this.candidates.isOfLandingPad(b)) continue;
      for (const { reg } of fn.blocks[b].liveIns) found.defined.addReg(reg);
      this.candidates.enterBlock();
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) this.look(i, b, loop, found);
    }
    const end = firstTerminator(editor, preheader);
    const ofEnd = new LiveRegUnits(fn);
    if (end >= 0)
      for (let o = fn.firstReg(end); o >= 0; o = fn.nextReg(end, o))
        if (fn.opVal[o] !== NO_REG) ofEnd.addReg(fn.opVal[o]);
    for (const { i, def, slot } of found.candidates) {
      if (slot >= 0 && found.storedSlots.has(slot)) continue;
      if (!found.clobbered.available(def) || !ofEnd.available(def) || !this.readsInvariants(i, found)) continue;
      if (fn.bundle[i] !== 0) throw new NotModelled('a bundle that a loop may do without');
      this.candidates.moveTo(preheader, i);
      this.keepAlive(def, blocks);
    }
  }

  /**
   * Notes what an instruction defines and stores, and whether it may go.
   * @llvm MachineLICM.cpp MachineLICMImpl::ProcessMI
   */
  private look(i: InstrId, block: BlockId, loop: number, found: Found): void {
    const { fn, editor } = this;
    const { defined, clobbered } = found;
    let isRuledOut = false;
    let readsOthers = false;
    let def: Reg = NO_REG;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      const reg = fn.opVal[o];
      if (fn.opKind[o] === OperandKind.FrameIndex) {
        if (this.isSpillSlot(reg) && this.storesTo(i, reg)) found.storedSlots.add(reg);
        readsOthers = true;
      } else if (fn.opKind[o] === OperandKind.RegisterMask) clobbered.addAll(this.lostAt(o));
      if (fn.opKind[o] !== OperandKind.Register || reg === NO_REG) continue;
      if (isVirtualReg(reg)) throw new NotModelled('virtual registers in machinelicm');
      if (!editor.isDef(o)) readsOthers ||= !defined.available(reg) || !clobbered.available(reg);
      else if ((fn.opFlags[o] & OpFlag.Implicit) !== 0) {
        clobbered.addReg(reg);
        if ((fn.opFlags[o] & OpFlag.Dead) === 0) isRuledOut = true;
      } else {
        if (def !== NO_REG) isRuledOut = true;
        else def = reg;
        if (!defined.available(reg) || !clobbered.available(reg)) isRuledOut = true;
        clobbered.addShared(reg, defined);
        defined.addReg(reg);
      }
    }
    if (def === NO_REG || isRuledOut) return;
    const slot = this.reloadedSlot(i);
    const isInvariant = !readsOthers && this.candidates.isCandidate(i, block, loop);
    if (isInvariant || slot >= 0) found.candidates.push({ i, def, slot: isInvariant ? -1 : slot });
  }

  /**
   * Units of the registers that a call does not keep: of wide ones, too, so that few are left.
   * @llvm MachineLICM.cpp applyBitsNotInRegMaskToRegUnitsMask
   */
  private lostAt(o: OperandId): LiveRegUnits {
    const { fn, lost } = this;
    const bits = preservedRegs(fn, o);
    let units = lost.get(bits);
    if (units === undefined) {
      lost.set(bits, (units = new LiveRegUnits(fn)));
      for (let reg = 1; reg < fn.tables.nRegs; reg++) if (!isPreserved(bits, reg)) units.addReg(reg);
    }
    return units;
  }

  private isSpillSlot(slot: number): boolean {
    return slot >= 0 && this.fn.header.stack[slot].type === 'spill-slot';
  }

  /** @llvm MachineLICM.cpp InstructionStoresToFI */
  private storesTo(i: InstrId, slot: number): boolean {
    const { fn } = this;
    if (!this.candidates.has(i, McFlag.MayStore)) return false;
    const mem = fn.memOperands[i] ?? [];
    const isTo = ({ flags, pointer }: (typeof mem)[number]): boolean =>
      (flags & MemFlag.Store) !== 0 && pointer.kind === 'frameIndex' && pointer.index === slot;
    return mem.length === 0 || mem.some(isTo);
  }

  /**
   * The spill slot that an instruction loads, -1 = it does not.
   * @llvm SIInstrInfo.cpp SIInstrInfo::isLoadFromStackSlot
   */
  private reloadedSlot(i: InstrId): number {
    const { fn } = this;
    const { tables } = fn;
    const opcode = fn.opcode[i];
    const isReload = RELOAD.has(tables, opcode) || (isMUBUF(tables, opcode) && this.candidates.has(i, McFlag.MayLoad));
    if (!isReload) return -1;
    const k = Math.max(tables.getNamedOperandIdx(opcode, 'vaddr'), tables.getNamedOperandIdx(opcode, 'addr'));
    const o = fn.opBegin[i] + k;
    if (k < 0 || fn.opKind[o] !== OperandKind.FrameIndex || !this.isSpillSlot(fn.opVal[o])) return -1;
    return fn.opVal[o];
  }

  private readsInvariants(i: InstrId, { defined, clobbered }: Found): boolean {
    const { fn, editor } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (editor.isDef(o) || reg === NO_REG) continue;
      if (!defined.available(reg) || !clobbered.available(reg)) return false;
    }
    return true;
  }

  /**
   * The register lives in the whole loop from now on.
   * @llvm MachineLICM.cpp MachineLICMImpl::AddToLiveIns
   */
  private keepAlive(reg: Reg, blocks: readonly BlockId[]): void {
    const { fn, editor } = this;
    for (const b of blocks) {
      const { liveIns } = fn.blocks[b];
      if (!liveIns.some((l) => l.reg === reg)) liveIns.push({ reg, laneLo: -1, laneHi: -1 });
      for (const i of allInstrs(editor, b))
        for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
          if (!editor.isDef(o) && fn.opVal[o] !== NO_REG && fn.tables.regsOverlap(reg, fn.opVal[o]))
            fn.opFlags[o] &= ~OpFlag.Kill;
    }
  }
}
