/**
 * si-lower-sgpr-spills: callee-saved SGPRs are saved, and spilled SGPRs go into lanes of vector registers (docs/llvm/allocation-pipeline.md, 2).
 */
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import { forgetDebugValues } from '../../analysis/frame/debugValues.js';
import { savedScalars } from '../../analysis/frame/calleeSaves.js';
import type { NewOperand } from '../../model/edit/functionEditor.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import { InstrFlag, OpFlag, OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg, type Reg } from '../../model/register.js';
import { CycleInfo } from '../../util/cycles.js';
import { McFlag, type PhysReg, type ReleaseRules } from '../../target/api.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { createSaveSlot, insertSpill } from '../../analysis/frame/spillCode.js';
import { findUnusedRegister, isPhysRegModified, isPhysRegUsed } from '../../analysis/frame/usedRegisters.js';
import type { AllocState } from './state.js';
import { allocationPass } from './allocationPass.js';
import { firstTerminator, locationAt } from '../instrOrder.js';

const SGPR_SAVE = new OpcodePattern(/^SI_SPILL_S\d+(?:_CFI)?_SAVE$/);
const CFI_SAVE = new OpcodePattern(/_CFI_SAVE$/);
/** bits of a lane */
const LANE_BITS = 32;
const SGPR_RESTORE = new OpcodePattern(/^SI_SPILL_S\d+_RESTORE$/);

/** Where one dword of a spilled register goes. */
interface Lane {
  readonly reg: Reg;
  readonly lane: number;
}

/** @llvm SILowerSGPRSpills.cpp SILowerSGPRSpills::run */
function lowerSGPRSpills(state: AllocState): void {
  new Lowering(state).run();
}

/** @llvm SILowerSGPRSpills.cpp SILowerSGPRSpills */
class Lowering {
  private readonly lanes = new Map<number, readonly Lane[] | null>();
  private readonly laneRegs: number[] = [];
  private readonly physLaneRegs: PhysReg[] = [];
  private virtualDwords = 0;
  /** where each lane register is made */
  private readonly points = new Map<number, InstrId>();
  private readonly saveSlots = new Set<number>();
  private cycles: CycleInfo | null = null;

  private readonly returnAddress: PhysReg;
  private readonly rules: ReleaseRules;

  constructor(private readonly state: AllocState) {
    this.returnAddress = state.tables.regByName('sgpr30_sgpr31');
    this.rules = state.fn.subtarget.release.rules;
  }

  run(): void {
    const { state } = this;
    const { frame, info, stack, options } = state;
    const isNaked = state.header.irFunction.enumAttributes.has('naked');
    const saved = isNaked ? [] : savedScalars(state.fn, (reg) => isPhysRegModified(state, reg));
    if (saved.length > 0) this.saveAndRestore(saved);
    if (!isNaked) frame.isCalleeSavedInfoValid = true;
    const hasObjects = stack.some((o) => o.isDead !== true) || state.header.fixedStack.length > 0 || stack.length > 0;
    if (!hasObjects && saved.length === 0) return;
    if (options.spillsSGPRsToVGPRs && (saved.length > 0 || info.hasSpilledSGPRs)) this.lowerAll();
    if (this.laneRegs.length > 0) {
      const name = state.fn.subtarget.wavefrontSize === 32 ? 'sreg_32_xm0_xexec' : 'sreg_64_xexec';
      const unused = findUnusedRegister(state, state.tables.regClassByName(name));
      const { tables } = state;
      if (
        unused > 0 &&
        info.sgprForEXECCopy > 0 &&
        tables.regEncoding(unused) < tables.regEncoding(info.sgprForEXECCopy)
      )
        info.sgprForEXECCopy = unused;
    } else info.sgprForEXECCopy = 0;
  }

  // -- callee-saved registers --------------------------------------------------------------------------------------

  /**
   * @llvm SILowerSGPRSpills.cpp SILowerSGPRSpills::spillCalleeSavedRegs
   * @llvm SILowerSGPRSpills.cpp insertCSRSaves
   * @llvm SILowerSGPRSpills.cpp insertCSRRestores
   */
  private saveAndRestore(saved: readonly PhysReg[]): void {
    const { state } = this;
    const { fn, editor, tables, header, slots } = state;
    const classOf = saved.map((reg) => tables.getMinimalPhysRegClass(reg));
    const slotOf = classOf.map((rc) => createSaveSlot(state, rc));
    const { savesSGPRsWithCFI } = this.rules;
    for (const s of slotOf) this.saveSlots.add(s);
    const { savePoint, restorePoint } = header.frameInfo;
    const saveBlocks = savePoint.length > 0 ? savePoint.map((p) => p.block) : [0];
    const restoreBlocks: BlockId[] = [];
    if (restorePoint.length > 0) restoreBlocks.push(...restorePoint.map((p) => p.block));
    else
      fn.blocks.forEach((_, b) => {
        const last = editor.list.before(~b);
        if (last >= 0 && state.has(last, McFlag.Return)) restoreBlocks.push(b);
      });
    for (const b of saveBlocks) {
      const at = editor.list.first(b);
      const suffix = savesSGPRsWithCFI ? '_CFI' : '';
      const saves = saved.map((reg, k) => {
        const isLiveIn = fn.blocks[b].liveIns.some((l) => tables.regsOverlap(l.reg, reg));
        const i = insertSpill(state, at, reg, isLiveIn ? 0 : OpFlag.Kill, slotOf[k], classOf[k], true, { suffix });
        this.locate(i, at);
        return i;
      });
      // Where the frame lowering saves them they get their slots afterwards, from the last to the first (SlotIndexes::repairIndexesInRange).
      for (const i of savesSGPRsWithCFI ? saves.reverse() : saves) slots.insert(i, b);
      for (const reg of saved)
        if (!fn.blocks[b].liveIns.some((l) => l.reg === reg))
          fn.blocks[b].liveIns.push({ reg, laneLo: -1, laneHi: -1 });
      fn.blocks[b].liveIns.sort((x, y) => x.reg - y.reg);
    }
    for (const b of restoreBlocks) {
      const at = firstTerminator(this.state.editor, b);
      for (let k = saved.length - 1; k >= 0; k--) {
        const i = insertSpill(state, at, saved[k], 0, slotOf[k], classOf[k], false);
        this.locate(i, at);
        slots.insert(i, b);
      }
    }
    for (const reg of saved) state.units.forgetReg(reg);
  }

  /** What is put before an instruction has its debug location; those of debug values do not count. */
  private locate(i: InstrId, at: number): void {
    const from = locationAt(this.state.editor, at);
    const location = from < 0 ? undefined : this.state.fn.extras.get(from)?.debugLocation;
    if (location !== undefined) this.state.fn.extras.set(i, { debugLocation: location });
  }

  // -- lanes -------------------------------------------------------------------------------------------------------

  private lowerAll(): void {
    const { state } = this;
    const { fn, editor, tables } = state;
    const lowered = new Set<number>();
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let i = editor.list.first(b); i >= 0;) {
        const next = editor.list.after(i);
        const isSave = SGPR_SAVE.has(tables, fn.opcode[i]);
        if (isSave || SGPR_RESTORE.has(tables, fn.opcode[i])) {
          const o = fn.opBegin[i];
          const slot = fn.opVal[o + 1];
          if (isSave && (fn.opFlags[o] & OpFlag.Undef) !== 0) state.lis.erase(i);
          else {
            const lanes = this.lanesOf(slot);
            if (lanes !== null) {
              this.lower(i, b, lanes, isSave);
              lowered.add(slot);
            }
          }
        }
        i = next;
      }
    }
    for (const v of this.laneRegs) this.define(v);
    if (this.laneRegs.length > 0) this.choosePool();
    for (const slot of lowered) state.stack[slot] = { ...state.stack[slot], isDead: true };
    for (let b = 0; b < fn.blocks.length; b++) forgetDebugValues(editor, b, lowered);
  }

  /**
   * The lanes of a slot, chosen when it is first met; null = it stays in memory.
   * @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::allocateSGPRSpillToVGPRLane
   */
  private lanesOf(slot: number): readonly Lane[] | null {
    const known = this.lanes.get(slot);
    if (known !== undefined) return known;
    const { state } = this;
    const wave = state.fn.subtarget.wavefrontSize;
    const n = Number(state.stack[slot].size) / 4;
    let found: Lane[] | null = [];
    if (n > wave) found = null;
    for (let k = 0; found !== null && k < n; k++) {
      const lane = this.saveSlots.has(slot) ? this.nextPhysLane(wave) : this.nextVirtualLane(wave);
      if (lane === null) found = null;
      else found.push(lane);
    }
    this.lanes.set(slot, found);
    return found;
  }

  /** @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::allocateVirtualVGPRForSGPRSpills */
  private nextVirtualLane(wave: number): Lane {
    const { state } = this;
    const lane = this.virtualDwords++ % wave;
    if (lane === 0) {
      const v = state.fn.vregs.add(-1, null);
      state.fn.vregs.regClass[v] = state.tables.regClassByName('vgpr_32');
      this.laneRegs.push(v);
    }
    return { reg: virtReg(this.laneRegs[this.laneRegs.length - 1]), lane };
  }

  /** @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::allocatePhysicalVGPRForSGPRSpills */
  private nextPhysLane(wave: number): Lane | null {
    const { state } = this;
    const lane = state.kept.physLanes % wave;
    if (lane === 0) {
      const reg = findUnusedRegister(state, state.tables.regClassByName('vgpr_32'), true);
      if (reg === 0) return null;
      const { info, fn } = state;
      info.spillPhysVGPRs = [...info.spillPhysVGPRs, reg];
      if (!info.wwmReservedRegs.includes(reg)) info.wwmReservedRegs = [...info.wwmReservedRegs, reg];
      this.physLaneRegs.push(reg);
      for (const block of fn.blocks) {
        block.liveIns.push({ reg, laneLo: -1, laneHi: -1 });
        block.liveIns.sort((a, b) => a.reg - b.reg);
      }
    }
    state.kept.physLanes++;
    return { reg: this.physLaneRegs[this.physLaneRegs.length - 1], lane };
  }

  /**
   * @llvm SIRegisterInfo.cpp SIRegisterInfo::spillSGPR
   * @llvm SIRegisterInfo.cpp SIRegisterInfo::restoreSGPR
   * @llvm SIRegisterInfo.cpp SIRegisterInfo::eliminateSGPRToVGPRSpillFrameIndex
   */
  private lower(i: InstrId, b: BlockId, all: readonly Lane[], isSave: boolean): void {
    const { state } = this;
    const { fn, tables, slots, editor } = state;
    const o = fn.opBegin[i];
    const whole = fn.opVal[o];
    // A register may be narrower than the slot that it shares.
    const lanes = all.slice(0, Math.max(1, tables.regClassBits[tables.getMinimalPhysRegClass(whole)] / 32));
    const isKill = (fn.opFlags[o] & OpFlag.Kill) !== 0;
    const parts =
      lanes.length === 1 ? [whole] : lanes.map((_, k) => tables.getSubReg(whole, tables.subRegIndexByName(`sub${k}`)));
    const write = tables.opcodeByName('SI_SPILL_S32_TO_VGPR');
    const read = tables.opcodeByName('SI_RESTORE_S32_FROM_VGPR');
    const location = fn.extras.get(i);
    const made: InstrId[] = [];
    lanes.forEach(({ reg, lane }, k) => {
      const isLast = k === lanes.length - 1;
      const immediate: NewOperand = { kind: OperandKind.Immediate, val: lane };
      const operands: NewOperand[] = [];
      if (isSave) {
        operands.push({ kind: OperandKind.Register, flags: OpFlag.Def, val: reg });
        operands.push(
          { kind: OperandKind.Register, flags: isKill && isLast ? OpFlag.Kill : 0, val: parts[k] },
          immediate,
        );
        operands.push({ kind: OperandKind.Register, val: reg });
        if (lanes.length > 1 && k === 0)
          operands.push({ kind: OperandKind.Register, flags: OpFlag.Implicit | OpFlag.Def, val: whole });
        if (lanes.length > 1 && (k === 0 || isLast))
          operands.push({
            kind: OperandKind.Register,
            flags: OpFlag.Implicit | (isKill && isLast ? OpFlag.Kill : 0),
            val: whole,
          });
      } else {
        operands.push({ kind: OperandKind.Register, flags: OpFlag.Def, val: parts[k] });
        operands.push({ kind: OperandKind.Register, val: reg }, immediate);
        if (lanes.length > 1 && k === 0)
          operands.push({ kind: OperandKind.Register, flags: OpFlag.Implicit | OpFlag.Def, val: whole });
      }
      const m = state.builder.build(i, NO_LOCATION, isSave ? write : read, operands);
      if (isSave) fn.tieOperands(m, 0, 3);
      if (location !== undefined) fn.extras.set(m, location);
      made.push(m);
      if (isSave && isLast && CFI_SAVE.has(tables, fn.opcode[i])) made.push(this.frameInformation(i, whole, lanes));
    });
    // All lane registers of a slot have to be there where the first of its dwords is moved, also those that a narrower register leaves alone.
    for (const reg of new Set(all.map((l) => l.reg))) if (isVirtualReg(reg)) this.notePoint(~reg, made[0], b);
    // Saves are replaced by their first part, reloads by their last.
    const heir = isSave ? made[0] : made[made.length - 1];
    slots.replace(i, heir);
    editor.erase(i);
    for (const m of made) if (m !== heir) slots.insert(m, b);
    for (let k = 0; k < parts.length; k++) state.units.forgetReg(parts[k]);
  }

  /**
   * Tells unwinders in which lanes a register is (SIFrameLowering::buildCFIForSGPRToVGPRSpill); the return address is the program counter to them. Lane registers
   * have numbers by the waves of the run's machine, which those of the function do not know when they are longer or shorter.
   */
  private frameInformation(at: InstrId, reg: PhysReg, lanes: readonly Lane[]): InstrId {
    const { fn, builder, tables } = this.state;
    const isKnown = fn.header.machineWaveSize === fn.subtarget.wavefrontSize;
    const places = lanes.flatMap((l) => [isKnown ? `$${tables.regName(l.reg)}` : '<badreg>', l.lane, LANE_BITS]);
    const name = tables.regName(reg === this.returnAddress ? tables.regByName('pc_reg') : reg);
    const text = `llvm_vector_registers $${name}, ${places.join(', ')}`;
    const payload = fn.addPayload({ kind: OperandKind.CFIIndex, text });
    const i = builder.build(at, at, tables.opcodeByName('CFI_INSTRUCTION'), [
      { kind: OperandKind.CFIIndex, val: payload },
    ]);
    fn.instrFlags[i] |= InstrFlag.FrameSetup;
    return i;
  }

  /**
   * The definition of a lane register has to come before all of its uses.
   * @llvm SILowerSGPRSpills.cpp SILowerSGPRSpills::updateLaneVGPRDomInstr
   */
  private notePoint(v: number, i: InstrId, b: BlockId): void {
    const { state } = this;
    const { fn, slots, lis } = state;
    const at = this.points.get(v);
    if (at === undefined) {
      this.points.set(v, i);
      return;
    }
    const own = at < 0 ? ~at : fn.instrBlock[at];
    if (own === b) {
      if (at < 0 || this.isBefore(i, at, b)) this.points.set(v, i);
      return;
    }
    const { dominators } = lis;
    let d = own;
    while (d >= 0 && !dominators.dominates(d, b)) d = dominators.idom[d];
    if (d < 0 || d === own) return;
    this.points.set(v, d === b ? i : firstTerminator(this.state.editor, d));
    void slots;
  }

  private isBefore(i: InstrId, j: InstrId, b: BlockId): boolean {
    const { list } = this.state.editor;
    for (let p = list.first(b); p >= 0; p = list.after(p)) {
      if (p === i) return true;
      if (p === j) return false;
    }
    return false;
  }

  /** The end of a block that dominates the outermost cycle around a place, or that place. */
  private outsideCycles(at: number): number {
    const { fn, lis } = this.state;
    const cycles = (this.cycles ??= new CycleInfo(fn.blocks));
    let c = cycles.cycleOf[at < 0 ? ~at : fn.instrBlock[at]];
    if (c < 0) return at;
    while (cycles.parent[c] >= 0) c = cycles.parent[c];
    const { dominators } = lis;
    const [header, ...others] = cycles.entries[c];
    if (others.length === 0) return firstTerminator(this.state.editor, dominators.idom[header]);
    let d = header;
    for (const entry of others) while (!dominators.dominates(d, entry)) d = dominators.idom[d];
    return firstTerminator(this.state.editor, d);
  }

  private define(v: number): void {
    const { state } = this;
    const { fn, lis, opcodes } = state;
    const point = this.points.get(v);
    if (point === undefined) return;
    const at = this.rules.definesLanesOutsideCycles ? this.outsideCycles(point) : point;
    const def = [{ kind: OperandKind.Register, flags: OpFlag.Def, val: virtReg(v) }];
    this.locate(lis.insert(at, opcodes.implicitDef, def), at);
    fn.vregs.flags[v] = [...(fn.vregs.flags[v] ?? []), 'WWM_REG'];
    lis.recompute(v);
  }

  /**
   * Whole-wave values may live in a few registers at the top only; all others are kept for lanes.
   * @llvm SILowerSGPRSpills.cpp SILowerSGPRSpills::determineRegsForWWMAllocation
   */
  private choosePool(): void {
    const { state } = this;
    const { tables, options } = state;
    // This pass asks for the set of now, not for the one that the run before has frozen.
    const reserved = new ReservedRegs(state.fn);
    const wanted = Math.min(this.laneRegs.length, options.numVGPRsForWWM);
    const all = tables.numberedRegs('vgpr');
    const [budget] = reserved.limits.maxNumVectorRegs;
    const pool = new Set<PhysReg>();
    for (let k = Math.min(budget, all.length) - 1; k >= 0 && pool.size < wanted; k--) {
      const reg = all[k];
      if (!reserved.isReserved(reg) && !isPhysRegUsed(state, reg, false)) pool.add(reg);
    }
    if (pool.size < wanted) {
      state.error('cannot find enough VGPRs for wwm-regalloc');
      // LLVM goes on with those that it has found and this one, whoever uses it.
      pool.add(all[0]);
    }
    state.kept.perLaneMask = [];
    for (let k = 0; k < Math.min(256, all.length); k++) if (!pool.has(all[k])) state.kept.perLaneMask.push(all[k]);
  }
}

/** @llvm SILowerSGPRSpills.cpp SILowerSGPRSpillsLegacy */
export const lowerSGPRSpillsPass = allocationPass({
  name: 'si-lower-sgpr-spills',
  pipelineName: 'si-lower-sgpr-spills',
  className: 'SILowerSGPRSpillsPass',
  title: 'SI lower SGPR spill instructions',
  isWithoutIntervals: 'nothing',
  // It may make registers for lanes.
  properties: { cleared: ['isSSA', 'noVRegs'] },
  work(state) {
    lowerSGPRSpills(state);
    state.liveStacks.clear();
  },
});
