/** Saves of scalar registers in a prologue, and reloads in an epilogue (PrologEpilogSGPRSpillBuilder, LLVM 22; docs/llvm/frame-lowering.md, 8). */
import { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import { immOperand } from '../../model/edit/functionEditor.js';
import { NO_LOCATION } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { InstrFlag, OpFlag, type BlockId, type InstrId } from '../../model/machineFunction.js';
import type { PhysReg } from '../../target/api.js';
import { NotModelled } from '../machinePass.js';
import { def, use, type Frame, type ScalarSave } from './frame.js';
import { laneWrite } from './scalarSpills.js';
import { buildSpill, slotAccess } from './spillMemory.js';

const isNothing = (live: LiveRegUnits): boolean => live.words.every((w) => w === 0);

/** A place in a prologue or epilogue, with what is live there. */
export class FrameCode {
  readonly live: LiveRegUnits;

  constructor(
    readonly frame: Frame,
    readonly block: BlockId,
    /** what is inserted goes before it */
    public at: ListPos,
    private readonly isProlog: boolean,
    /** whose debug location the code has */
    readonly like: InstrId = NO_LOCATION,
  ) {
    this.live = new LiveRegUnits(frame.fn);
  }

  /**
   * What is live here, unless something is known to be.
   * @llvm SIFrameLowering.cpp initLiveUnits
   */
  initLive(): void {
    const { frame, live, block, at } = this;
    if (!isNothing(live)) return;
    if (this.isProlog) frame.addLiveIns(live, block);
    else {
      frame.addLiveOuts(live, block);
      if (at >= 0) live.stepBackward(at);
    }
  }

  get isLiveKnown(): boolean {
    return !isNothing(this.live);
  }

  emit(name: string, ...operands: Parameters<Frame['emit']>[3][number][]): InstrId {
    return this.frame.emit(this.at, this.like, name, operands);
  }

  mark(i: InstrId): InstrId {
    this.frame.flag(i, this.isProlog ? InstrFlag.FrameSetup : InstrFlag.FrameDestroy);
    return i;
  }

  findScratch(regClass: string): PhysReg {
    const { frame, live } = this;
    const reg = frame.findScratch(live, frame.classNamed(regClass));
    if (reg === 0) throw new NotModelled('no register is free in a prologue or epilogue: llc-22 ends here');
    return reg;
  }

  /** @llvm SIFrameLowering.cpp buildPrologSpill */
  store(reg: PhysReg, slot: number, base: PhysReg, offset = 0): void {
    const { frame, live, block } = this;
    live.addReg(reg);
    const isKill = !frame.fn.blocks[block].liveIns.some((l) => l.reg === reg);
    this.access(reg, slot, base, offset, true, isKill);
    if (isKill) live.removeReg(reg);
  }

  /** @llvm SIFrameLowering.cpp buildEpilogRestore */
  load(reg: PhysReg, slot: number, base: PhysReg, offset = 0): void {
    this.access(reg, slot, base, offset, false, false);
  }

  private access(reg: PhysReg, slot: number, base: PhysReg, offset: number, isSave: boolean, isKill: boolean): void {
    const { frame, live, at, like } = this;
    const memory = slotAccess(frame, slot, isSave, frame.sizeOf(slot));
    buildSpill(frame, { at, like, isSave, slot, reg, isKill, frameReg: base, offset, memory, free: live });
  }

  /** `reg`: what is saved, which may be a copy of `of`, the register that the save is of. */
  save(reg: PhysReg, save: ScalarSave, base: PhysReg, of = reg): void {
    const { frame } = this;
    const { moves } = frame;
    if (save.kind === 'copy') {
      this.mark(this.emit('COPY', def(save.to), use(reg)));
      moves.copied(this.at, this.like, of, save.to);
      return;
    }
    const parts = frame.dwordsOf(reg);
    if (save.kind === 'lanes') {
      const lanes = frame.lanesOf.get(save.slot) ?? [];
      parts.forEach((part, k) => this.emit('SI_SPILL_S32_TO_VGPR', ...laneWrite(lanes[k].reg, part, lanes[k].lane)));
      moves.inLanes(this.at, this.like, of, lanes);
      return;
    }
    this.initLive();
    const tmp = this.findScratch('vgpr_32');
    parts.forEach((part, k) => {
      this.emit('V_MOV_B32_e32', def(tmp), use(part));
      this.store(tmp, save.slot, base, 4 * k);
      moves.inMemory(this.at, this.like, of, save.slot, 4 * k);
    });
  }

  restore(reg: PhysReg, save: ScalarSave, base: PhysReg): void {
    const { frame } = this;
    if (save.kind === 'copy') {
      this.mark(this.emit('COPY', def(reg), use(save.to)));
      return;
    }
    const parts = frame.dwordsOf(reg);
    if (save.kind === 'lanes') {
      const lanes = frame.lanesOf.get(save.slot) ?? [];
      parts.forEach((part, k) =>
        this.emit('SI_RESTORE_S32_FROM_VGPR', def(part), use(lanes[k].reg), immOperand(lanes[k].lane)),
      );
      return;
    }
    this.initLive();
    const tmp = this.findScratch('vgpr_32');
    parts.forEach((part, k) => {
      this.load(tmp, save.slot, base, 4 * k);
      this.emit('V_READFIRSTLANE_B32', def(part), use(tmp, OpFlag.Kill));
    });
  }
}
