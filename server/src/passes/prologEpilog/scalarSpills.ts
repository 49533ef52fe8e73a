/**
 * Scalar registers that are saved to scratch memory by way of lanes of a VGPR, or to lanes that are kept for them (SGPRSpillBuilder, LLVM 22;
 * docs/llvm/frame-lowering.md, 7).
 */
import { immOperand, operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { OpFlag, type InstrId } from '../../model/machineFunction.js';
import type { PhysReg } from '../../target/api.js';
import { def, implicitDef, implicitUse, use, type Frame } from './frame.js';
import type { Scavenger } from './scavenger.js';
import { buildSpill, slotAccess } from './spillMemory.js';

/**
 * A save or reload of a scalar register, which goes.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::spillSGPR
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::restoreSGPR
 */
export function moveScalar(frame: Frame, i: InstrId, slot: number, isSave: boolean, scavenger: Scavenger): void {
  new ScalarSpill(frame, i, slot, scavenger).move(isSave);
  frame.editor.erase(i);
}

class ScalarSpill {
  private readonly reg: PhysReg;
  private readonly isKill: boolean;
  private readonly parts: readonly PhysReg[];
  /** the VGPR whose lanes the register goes through, and the slot that it is itself saved in meanwhile */
  private vgpr: PhysReg = 0;
  private vgprSlot = 0;
  private isVGPRLive = false;
  private savedExec: PhysReg = 0;

  constructor(
    private readonly frame: Frame,
    private readonly i: InstrId,
    private readonly slot: number,
    private readonly scavenger: Scavenger,
  ) {
    const { fn } = frame;
    const { val, flags = 0 } = operandOf(fn, fn.opBegin[i]);
    this.reg = val;
    this.isKill = (flags & OpFlag.Kill) !== 0;
    this.parts = frame.dwordsOf(val);
  }

  move(isSave: boolean): void {
    this.prepare();
    const { wavefrontSize } = this.frame.st;
    const nVGPRs = Math.ceil(this.parts.length / wavefrontSize);
    for (let v = 0; v < nVGPRs; v++) {
      const end = Math.min((v + 1) * wavefrontSize, this.parts.length);
      if (!isSave) this.moveVGPR(v, true);
      for (let k = v * wavefrontSize; k < end; k++)
        if (isSave) this.writeLane(k, k % wavefrontSize, k === v * wavefrontSize);
        else this.readLane(k, k + 1 === end);
      if (isSave) this.moveVGPR(v, false);
    }
    this.restore();
  }

  private writeLane(k: number, lane: number, isFirst: boolean): void {
    const { reg, parts, isKill, vgpr } = this;
    const isOnly = parts.length === 1;
    const more = isOnly ? [] : [implicitUse(reg, isKill && k + 1 === parts.length ? OpFlag.Kill : 0)];
    this.emit(
      'SI_SPILL_S32_TO_VGPR',
      [
        def(vgpr),
        use(parts[k], isOnly && isKill ? OpFlag.Kill : 0),
        immOperand(lane),
        use(vgpr, isFirst ? OpFlag.Undef : 0),
      ],
      more,
    );
  }

  private readLane(k: number, isLast: boolean): void {
    const { reg, parts, vgpr } = this;
    this.emit(
      'SI_RESTORE_S32_FROM_VGPR',
      [def(parts[k]), use(vgpr, isLast ? OpFlag.Kill : 0), immOperand(k)],
      parts.length > 1 && k === 0 ? [implicitDef(reg)] : [],
    );
  }

  private emit(name: string, operands: readonly NewOperand[], more: readonly NewOperand[] = []): InstrId {
    return this.frame.emit(this.i, this.i, name, operands, more);
  }

  /** @llvm SIRegisterInfo.cpp SGPRSpillBuilder::prepare */
  private prepare(): void {
    const { frame, scavenger, i } = this;
    const { wavefrontSize } = frame.st;
    this.vgpr = scavenger.find(frame.classNamed('vgpr_32'), i, false);
    this.vgprSlot = frame.scavengeSlot();
    this.isVGPRLive = this.vgpr === 0;
    this.vgpr ||= frame.named('vgpr0');
    if (this.isVGPRLive) scavenger.assign(this.vgprSlot, this.vgpr);
    scavenger.setUsed(this.vgpr);
    scavenger.setUsed(this.reg);
    this.savedExec = scavenger.find(frame.classNamed(wavefrontSize === 32 ? 'sgpr_32' : 'sgpr_64'), i, false);
    const defined = this.isVGPRLive ? [] : [implicitDef(this.vgpr)];
    if (this.savedExec > 0) {
      scavenger.setUsed(this.savedExec);
      const n = Math.min(this.parts.length, wavefrontSize);
      this.emit(this.mov, [def(this.savedExec), use(frame.exec)]);
      this.emit(this.mov, [def(frame.exec), this.mask(n)], defined);
      this.moveVGPRTo(this.vgprSlot, 0, false);
      return;
    }
    this.checkSCC();
    if (this.isVGPRLive) this.moveVGPRTo(this.vgprSlot, 0, false, false);
    this.flip(defined);
    this.moveVGPRTo(this.vgprSlot, 0, false);
  }

  /** EXEC for the lanes 0 to n - 1. */
  private mask(n: number): NewOperand {
    const bits = (1n << BigInt(n)) - 1n;
    return immOperand(Number(n < 53 ? bits : BigInt.asIntN(64, bits)));
  }

  private get mov(): string {
    return `S_MOV_${this.frame.waveBits}`;
  }

  /** EXEC has the lanes that it had not. */
  private flip(more: readonly NewOperand[] = []): void {
    const { frame } = this;
    frame.dropSCC(this.emit(`S_NOT_${frame.waveBits}`, [def(frame.exec), use(frame.exec)], more));
  }

  private checkSCC(): void {
    const { frame, scavenger, i } = this;
    if (scavenger.isUsed(frame.named('scc'))) frame.options.unsupported(i, 'unhandled SGPR spill to memory');
  }

  /** @llvm SIRegisterInfo.cpp SGPRSpillBuilder::restore */
  private restore(): void {
    const { frame, scavenger, i } = this;
    const killed = this.isVGPRLive ? [] : [implicitUse(this.vgpr, OpFlag.Kill)];
    this.moveVGPRTo(this.vgprSlot, 0, true, false);
    if (this.savedExec > 0) this.emit(this.mov, [def(frame.exec), use(this.savedExec, OpFlag.Kill)], killed);
    else {
      this.flip(killed);
      if (this.isVGPRLive) this.moveVGPRTo(this.vgprSlot, 0, true);
    }
    if (this.isVGPRLive) scavenger.assign(this.vgprSlot, this.vgpr, frame.editor.list.before(i));
  }

  /** @llvm SIRegisterInfo.cpp SGPRSpillBuilder::readWriteTmpVGPR */
  private moveVGPR(offset: number, isLoad: boolean): void {
    if (this.savedExec > 0) {
      this.moveVGPRTo(this.slot, offset, isLoad);
      return;
    }
    this.checkSCC();
    this.moveVGPRTo(this.slot, offset, isLoad, false);
    this.flip();
    this.moveVGPRTo(this.slot, offset, isLoad);
    this.flip();
  }

  /** @llvm SIRegisterInfo.cpp SIRegisterInfo::buildVGPRSpillLoadStore */
  private moveVGPRTo(slot: number, offset: number, isLoad: boolean, isKill = true): void {
    const { frame, i, vgpr, scavenger } = this;
    buildSpill(frame, {
      at: i,
      like: i,
      isSave: !isLoad,
      slot,
      reg: vgpr,
      isKill: !isLoad && isKill,
      frameReg: frame.frameRegister(slot),
      offset: offset * 4,
      memory: slotAccess(frame, slot, !isLoad, 4),
      free: scavenger,
    });
  }
}

/** Sets or keeps a register of the caller in lanes. */
export const laneWrite = (vgpr: PhysReg, part: PhysReg, lane: number): readonly NewOperand[] => [
  def(vgpr),
  regOperand(part),
  immOperand(lane),
  regOperand(vgpr, OpFlag.Undef),
];
