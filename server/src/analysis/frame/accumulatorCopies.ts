/**
 * Whether a function of gfx908 needs the VGPR that is kept for copies between AGPRs (SIInstrInfo's indirectCopyToAGPR, LLVM 22.1.8): what goes to an AGPR from
 * an SGPR, another AGPR or memory goes by way of a VGPR. A copy of an AGPR takes the value that was written to it where that still is; of three
 * neighbours only the first uses the VGPR that is kept, the others take ones that are free at that place.
 */
import { OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPreserved, preservedRegs } from '../../model/regMask.js';
import { isPhysicalReg } from '../../model/register.js';
import type { PhysReg } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';

/** What an AGPR was written with: a VGPR, or a constant. */
type Written = PhysReg | 'constant';

/** A dword on its way to a register. */
interface Move {
  readonly to: PhysReg;
  readonly from: Written;
}

/** `lanesOf`: the registers that hold a slot, a dword each from the lowest; empty where it is in memory. */
export function needsVGPRForAGPRs(fn: MachineFunction, lanesOf: (slot: number) => readonly PhysReg[]): boolean {
  return new AccumulatorCopies(fn, lanesOf).areThere();
}

class AccumulatorCopies {
  private readonly agprs: Uint16Array;
  /** place of each AGPR in `agprs` */
  private readonly places: ReadonlyMap<PhysReg, number>;
  private readonly spills: ReadonlySet<number>;
  private readonly copy: number;
  private readonly writes: number;
  private readonly constants: number;
  /** AGPRs of the block that were written with what is still there */
  private readonly written = new Map<PhysReg, Written>();

  constructor(
    private readonly fn: MachineFunction,
    private readonly lanesOf: (slot: number) => readonly PhysReg[],
  ) {
    const { tables } = fn;
    this.agprs = tables.numberedRegs('agpr');
    this.places = new Map(Array.from(this.agprs, (reg, k) => [reg, k]));
    this.spills = opcodeSet(tables, 'vectorSpill');
    this.copy = tables.opcodeByName('COPY');
    this.writes = tables.opcodeByName('V_ACCVGPR_WRITE_B32_e64');
    this.constants = tables.opcodeByName('AV_MOV_B32_IMM_PSEUDO');
  }

  areThere(): boolean {
    const { fn } = this;
    for (let b = 0; b < fn.blocks.length; b++) {
      this.written.clear();
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) if (this.needsOne(fn.order[p])) return true;
    }
    return false;
  }

  /** Whether an instruction needs the VGPR; notes what it writes. */
  private needsOne(i: InstrId): boolean {
    const { fn, written, places } = this;
    if (this.isSaveOrReload(i)) return this.moveSlot(i);
    const moves = fn.opcode[i] === this.copy || this.writesAGPR(i) ? this.movesOf(i) : [];
    const after = moves.some((m) => this.isAGPR(m.to)) ? this.follow(moves, this.overlaps(i)) : [];
    if (after === null) return true;
    this.forgetDefs(i);
    for (const { to, from } of after) if (places.has(to)) written.set(to, from);
    return false;
  }

  private isAGPR(reg: PhysReg): boolean {
    return this.places.has(reg);
  }

  private isSaveOrReload(i: InstrId): boolean {
    return this.spills.has(this.fn.opcode[i]);
  }

  private writesAGPR(i: InstrId): boolean {
    const { fn } = this;
    if (fn.opcode[i] !== this.writes && fn.opcode[i] !== this.constants) return false;
    return this.isAGPR(fn.opVal[fn.opBegin[i]]);
  }

  private dwordsOf(reg: PhysReg): PhysReg[] {
    const { tables } = this.fn;
    const n = tables.regClassBits[tables.getMinimalPhysRegClass(reg)] / 32;
    if (n <= 1) return [reg];
    return Array.from({ length: n }, (_, k) => tables.getSubReg(reg, tables.subRegIndexByName(`sub${k}`)));
  }

  /** What a copy, a write or a constant moves, dword by dword. */
  private movesOf(i: InstrId): Move[] {
    const { fn } = this;
    const o = fn.opBegin[i];
    const target = fn.opVal[o];
    if (!isPhysicalReg(target)) return [];
    if (fn.opKind[o + 1] !== OperandKind.Register) return [{ to: target, from: 'constant' }];
    const source = fn.opVal[o + 1];
    if (!isPhysicalReg(source)) return [];
    const parts = this.dwordsOf(source);
    return this.dwordsOf(target).map((to, k) => ({ to, from: parts[k] ?? source }));
  }

  private overlaps(i: InstrId): boolean {
    const { fn } = this;
    const o = fn.opBegin[i];
    return fn.opKind[o + 1] === OperandKind.Register && fn.tables.regsOverlap(fn.opVal[o], fn.opVal[o + 1]);
  }

  /** What the AGPRs are written with in the end; null: one needs the VGPR. */
  private follow(moves: readonly Move[], overlaps: boolean): Move[] | null {
    const result: Move[] = [];
    for (const { to, from } of moves) {
      const place = this.places.get(to);
      if (place === undefined) continue;
      const value = from === 'constant' || this.isVGPR(from) ? from : overlaps ? undefined : this.written.get(from);
      if (value !== undefined) result.push({ to, from: value });
      else if (place % 3 === 0) return null;
    }
    return result;
  }

  private isVGPR(reg: PhysReg): boolean {
    return this.fn.tables.regName(reg).startsWith('vgpr');
  }

  /** A save or reload: to and from the registers that the slot has, else memory. */
  private moveSlot(i: InstrId): boolean {
    const { fn, written } = this;
    const o = fn.opBegin[i];
    const data = fn.opVal[o];
    if (!isPhysicalReg(data) || fn.opKind[o + 1] !== OperandKind.FrameIndex) return false;
    // A save of what has no value goes.
    if ((fn.opFlags[o] & OpFlag.Undef) !== 0) return false;
    const isReload = (fn.opFlags[o] & OpFlag.Def) !== 0;
    const parts = this.dwordsOf(data);
    const lanes = this.lanesOf(fn.opVal[o + 1]);
    if (lanes.length === 0) {
      if (this.isAGPR(parts[0])) return true;
      if (isReload) this.forget(data);
      return false;
    }
    const moves = parts.flatMap((part, k): Move[] =>
      k >= lanes.length ? [] : [isReload ? { to: part, from: lanes[k] } : { to: lanes[k], from: part }],
    );
    const after = this.follow(moves, false);
    if (after === null) return true;
    for (const { to } of moves) this.forget(to);
    // The first dword of several defines the register as a whole, the value that it was written with, too.
    for (const { to, from } of after) if (isReload || moves.length === 1 || to !== moves[0].to) written.set(to, from);
    return false;
  }

  private forgetDefs(i: InstrId): void {
    const { fn, written } = this;
    if (written.size === 0) return;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.RegisterMask) {
        const bits = preservedRegs(fn, o);
        const isKept = (reg: Written): boolean => reg === 'constant' || isPreserved(bits, reg);
        for (const [to, from] of written) if (!isKept(to) || !isKept(from)) written.delete(to);
      } else if (
        fn.opKind[o] === OperandKind.Register &&
        (fn.opFlags[o] & OpFlag.Def) !== 0 &&
        isPhysicalReg(fn.opVal[o])
      )
        this.forget(fn.opVal[o]);
    }
  }

  /** What was written to the register, or from it, no longer stands. */
  private forget(reg: PhysReg): void {
    const { written } = this;
    const { tables } = this.fn;
    for (const [to, from] of written)
      if (tables.regsOverlap(to, reg) || (from !== 'constant' && tables.regsOverlap(from, reg))) written.delete(to);
  }
}
