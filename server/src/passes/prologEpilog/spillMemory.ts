/** Saves of vector registers to scratch memory, to registers of the other file, and back (SIRegisterInfo::buildSpillLoadStore, LLVM 22; docs/llvm/frame-lowering.md, 5). */
import type { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import { immOperand, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { scalarLLT } from '../../model/llt.js';
import { OpFlag, type InstrId } from '../../model/machineFunction.js';
import { PLAIN_ACCESS, MemFlag, type MemOperand } from '../../model/memOperand.js';
import type { PhysReg } from '../../target/api.js';
import { NotModelled } from '../machinePass.js';
import { def, implicitDef, implicitUse, use, type Frame } from './frame.js';
import type { Scavenger } from './scavenger.js';

/** Address space of scratch memory. */
const PRIVATE = 5;
/** Bytes that a scratch instruction moves at most. */
const MOST_BYTES = 16;
/** CPol::TH_LU */
const LAST_USE = 3;

export interface Spill {
  readonly at: ListPos;
  /** whose debug location the instructions have */
  readonly like: InstrId;
  readonly isSave: boolean;
  /** frame information says where the register is */
  readonly isNoted?: boolean;
  /** of 16 bits; of VGPRs that M0 says */
  readonly kind?: 'short' | 'block' | undefined;
  readonly slot: number;
  readonly reg: PhysReg;
  readonly isKill: boolean;
  readonly frameReg: PhysReg;
  /** bytes within the slot */
  readonly offset: number;
  readonly memory: MemOperand;
  /** of both that knows what is free */
  readonly free: Scavenger | LiveRegUnits;
}

/** An access to a slot. */
export function slotAccess(frame: Frame, slot: number, isSave: boolean, bytes: number): MemOperand {
  return {
    flags: isSave ? MemFlag.Store : MemFlag.Load,
    type: scalarLLT(bytes * 8),
    pointer: { kind: 'frameIndex', index: slot },
    offset: 0,
    baseAlign: frame.alignOf(slot),
    addressSpace: PRIVATE,
    ...PLAIN_ACCESS,
  };
}

/** Largest power of two that divides both. */
function commonAlignment(align: number, offset: number): number {
  let common = align;
  while (offset % common !== 0) common /= 2;
  return common;
}

const isScavenger = (free: Scavenger | LiveRegUnits): free is Scavenger => 'find' in free;

/** @llvm SIRegisterInfo.cpp SIRegisterInfo::buildSpillLoadStore */
export function buildSpill(frame: Frame, spill: Spill): void {
  new SpillCode(frame, spill).build();
}

const SIZES: Readonly<Record<number, string>> = { 4: 'DWORD', 8: 'DWORDX2', 12: 'DWORDX3', 16: 'DWORDX4' };

class SpillCode {
  private readonly isFlat: boolean;
  /** AGPRs of gfx908 go by way of a VGPR */
  private readonly isAccumulator: boolean;
  /** bytes of the register, and of each instruction but the last */
  private readonly width: number;
  private readonly element: number;
  /** in front of the register: `SADDR`, `''` for an address in a VGPR, `ST` without one */
  private mode: 'SADDR' | 'SV' | 'ST' = 'SADDR';
  private address: PhysReg;
  private isScavenged = false;
  private offset: number;
  private readonly whole: number;
  private offsetVGPR: PhysReg = 0;
  private copyVGPR: PhysReg = 0;
  private usesVGPR = false;

  constructor(
    private readonly frame: Frame,
    private readonly spill: Spill,
  ) {
    const { reg, slot, offset, frameReg } = spill;
    this.isFlat = frame.usesFlatScratch;
    this.isAccumulator = !frame.st.hasGFX90AInsts && frame.isAGPR(reg);
    this.width = frame.bitsOf(reg) / 8;
    this.element = this.isFlat && !this.isAccumulator ? Math.min(this.width, MOST_BYTES) : 4;
    if (spill.kind === 'short') this.element = 2;
    if (spill.kind === 'block') this.element = this.width;
    this.offset = this.whole = offset + frame.offsetOf(slot);
    this.address = frameReg;
  }

  build(): void {
    const { frame, width, element } = this;
    const whole = Math.floor(width / element);
    const rest = width - whole * element;
    const last = this.whole + whole * element + rest - element;
    const needsAddress = this.isFlat && this.address === 0 && !frame.hasScratchWithoutAddress;
    if (!frame.fits(last) || needsAddress) this.computeAddress();
    if (this.isFlat && this.address === 0) this.mode = this.usesVGPR ? 'SV' : 'ST';
    const n = whole + (rest > 0 ? 1 : 0);
    for (let k = 0; k < n; k++) this.move(k, n, k === whole ? rest : element);
  }

  private emit(name: string, operands: readonly NewOperand[], more: readonly NewOperand[] = []): InstrId {
    return this.frame.emit(this.spill.at, this.spill.like, name, operands, more);
  }

  private isFree(reg: PhysReg): boolean {
    const { free } = this.spill;
    return isScavenger(free) ? !free.isUsed(reg) : free.available(reg);
  }

  private findFree(regClass: string, maySpill: boolean): PhysReg {
    const { frame, spill } = this;
    const rc = frame.classNamed(regClass);
    if (isScavenger(spill.free)) return spill.free.find(rc, spill.at, maySpill);
    const { free } = spill;
    return frame.tables.classRegs(rc).find((reg) => free.available(reg) && !frame.isReserved(reg)) ?? 0;
  }

  /** The offset is out of reach, or there is no register for it to be added to. */
  private computeAddress(): void {
    const { frame, spill } = this;
    const base = spill.frameReg;
    let scalar = this.findFree('sgpr_32', false);
    const mayWriteSCC = this.isFree(frame.named('scc'));
    if (base !== 0 && !mayWriteSCC) scalar = 0;
    this.address = scalar;
    if (scalar === 0) {
      this.usesVGPR = true;
      this.offsetVGPR = this.findFree('vgpr_32', true);
      if (this.offsetVGPR === 0)
        throw new NotModelled('no VGPR is free for the address of a slot: llc-22 crashes here');
    } else this.isScavenged = true;
    if (!this.isFlat && !this.usesVGPR) this.offset *= frame.st.wavefrontSize;
    if (this.usesVGPR) this.setOffsetVGPR(this.offset);
    else if (base === 0) this.emit('S_MOV_B32', [def(scalar), immOperand(this.offset)]);
    else frame.dropSCC(this.emit('S_ADD_I32', [def(scalar), use(base), immOperand(this.offset)]));
    this.offset = 0;
  }

  private setOffsetVGPR(offset: number): void {
    const { frame, offsetVGPR: to } = this;
    const base = this.spill.frameReg;
    if (!this.isFlat || base === 0) {
      this.emit('V_MOV_B32_e32', [def(to), immOperand(offset)]);
      return;
    }
    const add = frame.tables.opcodeByName('V_ADD_U32_e64');
    if (frame.facts.constantBusLimit(add) >= 2) {
      this.emit('V_ADD_U32_e64', [def(to), use(base), immOperand(offset), immOperand(0)]);
      return;
    }
    this.emit('V_MOV_B32_e32', [def(to), use(base)]);
    this.emit('V_ADD_U32_e32', [def(to), immOperand(offset), use(to)]);
  }

  /** Part `k` of `n`, of so many bytes. */
  private move(k: number, n: number, bytes: number): void {
    const { frame, spill } = this;
    const { reg, isSave, isKill } = spill;
    const at = k * this.element;
    if (this.usesVGPR && this.offsetVGPR === this.copyVGPR) this.setOffsetVGPR(this.whole);
    const [isFirst, isLast] = [k === 0, k + 1 === n];
    const direction = isSave ? 0 : OpFlag.Def;
    const flags = direction | (isLast && isKill ? OpFlag.Kill : 0);
    const state = { needsDef: n > 1 && isSave && isFirst, needsWhole: n > 1, left: bytes };
    this.moveToOtherFile(at, bytes, n, isFirst, isLast, flags, state);
    if (state.left === 0) return;
    let part = n === 1 ? reg : frame.dwords(reg, at / 4, bytes / 4);
    if (state.left !== bytes) part = frame.dwords(reg, at / 4, state.left / 4);
    const final = part;
    const note = (): void => {
      if (spill.isNoted !== true) return;
      const parts = frame.dwordsOf(final);
      parts.forEach((own, d) => {
        const mask = frame.blockMasks.get(final);
        // LLVM counts the registers of a block here, not their bytes.
        const place = this.whole + (mask === undefined ? at + 4 * d : d);
        if (mask === undefined || ((mask >>> d) & 1) !== 0) frame.moves.lanesInMemory(spill.at, spill.like, own, place);
        else frame.moves.untouched(spill.at, spill.like, own);
      });
    };
    // The last part of a reload does not define all of the register.
    const namesWhole = (isFirst || (isLast && isSave)) && state.needsWhole;
    if (this.isAccumulator) {
      this.copyVGPR ||= frame.info.vgprForAGPRCopy;
      if (isSave)
        this.emit(
          'V_ACCVGPR_READ_B32_e64',
          [def(this.copyVGPR), use(part, isKill ? OpFlag.Kill : 0)],
          [...(state.needsDef ? [implicitDef(reg)] : []), ...(namesWhole ? [implicitUse(reg)] : [])],
        );
      part = this.copyVGPR;
    }
    const more: NewOperand[] = [];
    if (!this.isAccumulator && state.needsDef) more.push(implicitDef(reg));
    const wholeOperand = regOperand(reg, OpFlag.Implicit | flags);
    if (spill.kind === 'short' && !isSave && !frame.st.keepsOtherHalf) {
      // The load writes all of a register: it is another one, of which the half is moved.
      const tmp = this.findFree('vgpr_32', true);
      this.access(tmp, at, state.left, isLast, more);
      this.emit('V_MOV_B16_t16_e64', [
        def(final),
        immOperand(0),
        use(frame.part(tmp, 'lo16'), OpFlag.Kill),
        immOperand(0),
      ]);
    } else if (isSave || !this.isAccumulator) {
      if (namesWhole) more.push(wholeOperand);
      // What a copy has brought before stays.
      if (namesWhole && !isSave && state.left !== bytes) more.push(implicitUse(reg));
      this.access(part, at, state.left, isLast, more);
    } else {
      this.access(part, at, state.left, isLast, more);
      this.emit(
        'V_ACCVGPR_WRITE_B32_e64',
        [def(final), use(this.copyVGPR, OpFlag.Kill)],
        namesWhole ? [wholeOperand] : [],
      );
    }
    note();
  }

  /** The dwords of a part that lie in registers of the other file, from the last one down. */
  private moveToOtherFile(
    at: number,
    bytes: number,
    n: number,
    isFirst: boolean,
    isLast: boolean,
    flags: number,
    state: { needsDef: boolean; needsWhole: boolean; left: number },
  ): void {
    const { frame, spill } = this;
    const { reg, isSave, isKill } = spill;
    const lanes = frame.otherFile.get(spill.slot)?.lanes ?? [];
    const [lastLane, firstLane] = [(at + bytes) / 4 - 1, at / 4];
    const isPart = n > 1 || bytes > 4;
    for (let lane = lastLane; lane >= firstLane; lane--) {
      const other = lanes[lane] ?? 0;
      if (other === 0) return;
      const own = isPart ? frame.dwords(reg, lane) : reg;
      const more: NewOperand[] = [];
      if (state.needsDef || (isPart && isSave && lane === lastLane && isFirst)) {
        more.push(implicitDef(reg));
        state.needsDef = false;
      }
      if ((isPart || state.needsWhole) && (isFirst || isLast)) {
        state.needsWhole = true;
        let own = flags;
        if (!isLast || lane !== firstLane) own &= ~OpFlag.Kill;
        if (!isFirst || lane !== lastLane) own &= ~OpFlag.Def;
        more.push(regOperand(reg, OpFlag.Implicit | own));
      }
      const [to, from] = isSave ? [other, own] : [own, other];
      const isVGPR = frame.isVGPR(other);
      const name =
        isVGPR === frame.isVGPR(own)
          ? 'COPY'
          : isSave !== isVGPR
            ? 'V_ACCVGPR_WRITE_B32_e64'
            : 'V_ACCVGPR_READ_B32_e64';
      this.emit(name, [def(to), use(from, isKill ? OpFlag.Kill : 0)], more);
      if (spill.isNoted === true) frame.moves.lanesInRegister(spill.at, spill.like, own, other);
      state.left -= 4;
    }
  }

  private opcodeName(bytes: number): string {
    const word = this.spill.isSave ? 'STORE' : 'LOAD';
    if (!this.isFlat) return `BUFFER_${word}_DWORD_${this.usesVGPR ? 'OFFEN' : 'OFFSET'}`;
    const mode = { SADDR: '_SADDR', SV: '', ST: '_ST' }[this.mode];
    if (this.spill.kind === 'block') return `SCRATCH_${word}_BLOCK${mode}`;
    if (this.spill.kind === 'short') {
      if (this.spill.isSave || this.frame.st.keepsOtherHalf)
        return `SCRATCH_${word}_SHORT${this.spill.isSave ? '' : '_D16'}${mode}_t16`;
      return `SCRATCH_LOAD_USHORT${mode}`;
    }
    return `SCRATCH_${word}_${SIZES[bytes]}${mode}`;
  }

  private access(data: PhysReg, at: number, bytes: number, isLast: boolean, more: NewOperand[]): void {
    const { frame, spill } = this;
    const { isSave, isKill, memory, slot } = spill;
    const kill = isKill ? OpFlag.Kill : 0;
    const operands: NewOperand[] = [regOperand(data, (isSave ? 0 : OpFlag.Def) | kill)];
    if (this.usesVGPR) operands.push(use(this.offsetVGPR, isLast && !this.isAccumulator ? OpFlag.Kill : 0));
    if (!this.isFlat) operands.push(use(frame.info.scratchRSrcReg));
    if (this.address !== 0) operands.push(use(this.address, isLast && this.isScavenged ? OpFlag.Kill : 0));
    else if (!this.isFlat) operands.push(this.usesVGPR && spill.frameReg !== 0 ? use(spill.frameReg) : immOperand(0));
    operands.push(immOperand(this.offset + at));
    operands.push(immOperand((memory.flags & MemFlag.LastUse) !== 0 ? LAST_USE : 0));
    if (!this.isFlat) operands.push(immOperand(0));
    const isTied = !isSave && this.isReturned(data);
    if (!isSave && spill.kind === 'block') more.push(...frame.keptInBlock(spill.reg));
    const i = this.emit(this.opcodeName(bytes), operands, isTied ? [...more, implicitUse(data)] : more);
    if (isTied) frame.fn.tieOperands(i, 0, frame.fn.numOperands(i) - 1);
    frame.fn.memOperands[i] = [
      {
        ...slotAccess(frame, slot, isSave, bytes),
        flags: memory.flags | (frame.st.release.rules.marksThreadPrivate ? MemFlag.ThreadPrivate : 0),
        pointer: memory.pointer,
        offset: memory.offset + at,
        baseAlign: commonAlignment(frame.alignOf(slot), at),
        addressSpace: memory.addressSpace,
      },
    ];
  }

  /** The register is reloaded in front of a return that names it: other passes have to see that it is written on. */
  private isReturned(reg: PhysReg): boolean {
    const { frame, spill } = this;
    const { fn } = frame;
    if (spill.at < 0 || !frame.isReturn(spill.at)) return false;
    for (let o = fn.firstReg(spill.at); o >= 0; o = fn.nextReg(spill.at, o))
      if (fn.opVal[o] > 0 && !frame.editor.isDef(o) && frame.tables.regsOverlap(fn.opVal[o], reg)) return true;
    return false;
  }
}
