/** Registers that are free for a moment, and slots for those that have to be made so (RegisterScavenging.cpp, LLVM 22; docs/llvm/frame-lowering.md, 6). */
import { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import { insertSpill } from '../../analysis/frame/spillCode.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { InstrFlag, OpFlag, OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import type { PhysReg, RegClassId } from '../../target/api.js';
import { NotModelled } from '../machinePass.js';
import type { Frame } from './frame.js';

/** Instructions that are looked at for a register that nothing uses the longest. */
const LOOK_BACK = 25;

/** A slot for a register that is needed otherwise. */
interface EmergencySlot {
  readonly slot: number;
  /** what is in it; 0 = nothing */
  reg: PhysReg;
  /** before this instruction it is free again; -1 = none */
  end: InstrId;
}

/** Takes the address of a slot out of an instruction. */
export type Eliminate = (i: InstrId, opIdx: number, scavenger: Scavenger) => void;

/** @llvm RegisterScavenging.h RegScavenger */
export class Scavenger {
  live: LiveRegUnits;
  /** what is live is known before this */
  private at: ListPos = -1;
  private readonly emergency: EmergencySlot[] = [];

  constructor(
    private readonly frame: Frame,
    private readonly eliminate: Eliminate,
  ) {
    this.live = new LiveRegUnits(frame.fn);
  }

  get slots(): readonly number[] {
    return this.emergency.map((e) => e.slot);
  }

  /** @llvm RegisterScavenging.h RegScavenger::addScavengingFrameIndex */
  addSlot(slot: number): void {
    this.emergency.push({ slot, reg: 0, end: -1 });
  }

  /** @llvm RegisterScavenging.cpp RegScavenger::enterBasicBlockEnd */
  enterEnd(b: BlockId): void {
    this.live = new LiveRegUnits(this.frame.fn);
    for (const e of this.emergency) [e.reg, e.end] = [0, -1];
    this.frame.addLiveOuts(this.live, b);
    this.at = ~b;
  }

  /**
   * Goes back to what is live before `at`.
   * @llvm RegisterScavenging.cpp RegScavenger::backward
   */
  backward(at: ListPos): void {
    const { list } = this.frame.editor;
    while (this.at !== at) {
      const i = (this.at = list.before(this.at));
      this.live.stepBackward(i);
      for (const e of this.emergency) if (e.end === i) [e.reg, e.end] = [0, -1];
    }
  }

  /** @llvm RegisterScavenging.cpp RegScavenger::isRegUsed */
  isUsed(reg: PhysReg): boolean {
    return this.frame.isReserved(reg) || !this.live.available(reg);
  }

  /** @llvm RegisterScavenging.h RegScavenger::setRegUsed */
  setUsed(reg: PhysReg): void {
    this.live.addReg(reg);
  }

  /**
   * A slot is in use for a register that somebody saves on his own, up to `end`.
   * @llvm RegisterScavenging.h RegScavenger::assignRegToScavengingIndex
   */
  assign(slot: number, reg: PhysReg, end: InstrId = -1): void {
    const known = this.emergency.find((e) => e.slot === slot);
    if (known === undefined) throw new NotModelled('a register is saved in a slot that is not kept for that');
    known.reg = reg;
    known.end = end;
  }

  /**
   * A register of the class that holds nothing from `to` to here, if need be one that is saved around; 0 = none.
   * @llvm RegisterScavenging.cpp RegScavenger::scavengeRegisterBackwards
   */
  find(rc: RegClassId, to: InstrId, maySpill = true): PhysReg {
    const { frame } = this;
    const order = frame.fn.subtarget.rawAllocationOrder(rc);
    const { reg, at } = this.survivor(to, order);
    if (reg > 0 && at < 0) return reg;
    if (!maySpill) return 0;
    if (reg === 0) throw new NotModelled('a register is needed where all are in use: llc-22 crashes here');
    const slot = this.spill(reg, rc, at);
    slot.end = frame.editor.list.before(at);
    this.live.removeReg(reg);
    return reg;
  }

  /**
   * The register, and before which instruction it is to be saved; -1 = it is free.
   * @llvm RegisterScavenging.cpp findSurvivorBackwards
   */
  private survivor(to: InstrId, order: Uint16Array): { readonly reg: PhysReg; readonly at: ListPos } {
    const { frame, live } = this;
    const { fn } = frame;
    const { list } = frame.editor;
    const used = new LiveRegUnits(fn);
    const from = list.before(this.at);
    const isSetup = (i: InstrId): boolean => (fn.instrFlags[i] & InstrFlag.FrameSetup) !== 0;
    let [reg, left, hasFound] = [0, LOOK_BACK, false];
    for (let i = from; i >= 0; i = list.before(i)) {
      used.accumulate(i);
      if (i === to) {
        for (const r of order)
          if (!frame.isReserved(r) && used.available(r) && live.available(r)) return { reg: r, at: -1 };
        hasFound = true;
      }
      if (!hasFound) continue;
      if (!isSetup(from) && isSetup(i)) break;
      if (reg === 0 || !used.available(reg)) {
        const next = order.find((r) => !frame.isReserved(r) && used.available(r)) ?? 0;
        if (next === 0) break;
        reg = next;
      }
      if (--left === 0) break;
    }
    return { reg, at: to };
  }

  /** @llvm RegisterScavenging.cpp RegScavenger::spill */
  private spill(reg: PhysReg, rc: RegClassId, before: ListPos): EmergencySlot {
    const { frame } = this;
    const { tables } = frame;
    const [size, align] = [tables.regClassSpillSize(rc), tables.regClassSpillAlign(rc)];
    let best: EmergencySlot | null = null;
    let least = Infinity;
    for (const e of this.emergency) {
      if (e.reg !== 0) continue;
      const waste = frame.sizeOf(e.slot) - size + (frame.alignOf(e.slot) - align);
      if (frame.sizeOf(e.slot) < size || frame.alignOf(e.slot) < align || waste >= least) continue;
      [best, least] = [e, waste];
    }
    if (best === null) throw new NotModelled('no slot is left for a register that is needed: llc-22 ends here');
    best.reg = reg;
    this.move(before, reg, OpFlag.Kill, best.slot, rc, true);
    this.move(this.at, reg, 0, best.slot, rc, false);
    return best;
  }

  private move(at: ListPos, reg: PhysReg, flags: number, slot: number, rc: RegClassId, isSave: boolean): void {
    const { frame } = this;
    const { fn } = frame;
    const i = insertSpill(frame, at, reg, flags, slot, rc, isSave);
    frame.locate(i, frame.locationAt(at));
    for (let k = 0; k < fn.numOperands(i); k++)
      if (fn.opKind[fn.opBegin[i] + k] === OperandKind.FrameIndex) {
        this.eliminate(i, k, this);
        return;
      }
  }
}
