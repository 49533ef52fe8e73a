/**
 * Registers that are read where nothing has written them on some way from the entry, for a function of which parts are left out. What was there before is no business
 * of a reduction: who compares asks for the function as it stands, too.
 */
import { preservedUnits } from '../../analysis/callClobbers.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import {
  OperandKind,
  OpFlag,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG, virtRegIndex } from '../../model/register.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { BitSet } from '../../util/bitset.js';

/** A function with parts left out. */
export interface BodyShape {
  /** by instruction; of a bundle all or none */
  readonly goneInstrs: Uint8Array;
  readonly goneBlocks: Uint8Array;
  /** by block: those that are left; null = all */
  readonly successors: readonly (readonly BlockId[] | null)[];
}

export interface UndefinedReads {
  readonly operands: ReadonlySet<OperandId>;
  /** `block * MAX_LIVE_INS + index`: live-ins that some predecessor does not have */
  readonly liveIns: ReadonlySet<number>;
}

export const MAX_LIVE_INS = 1 << 16;

/** What is known of a function for many shapes of it. */
export class DefinitionFlow {
  private readonly reserved: ReservedRegs;
  private readonly nVRegs: number;
  private readonly phis: ReadonlySet<number>;

  constructor(readonly fn: MachineFunction) {
    this.phis = opcodeSet(fn.tables, 'phi');
    this.reserved = new ReservedRegs(fn);
    this.nVRegs = fn.vregs.n;
  }

  /** O((operands + blocks x registers / 32) x depth of loops) */
  undefinedReads(shape: BodyShape): UndefinedReads {
    const { fn } = this;
    const preds = this.predecessors(shape);
    const outs: (BitSet | null)[] = fn.blocks.map(() => null);
    const found = { operands: new Set<OperandId>(), liveIns: new Set<number>() };
    let isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (let b = 0; b < fn.blocks.length; b++) {
        if (shape.goneBlocks[b]) continue;
        const set = this.atEntry(b, preds[b]!, outs, null);
        this.walk(b, set, shape, null);
        const before = outs[b];
        if (before && before.words.every((word, k) => word === set.words[k])) continue;
        outs[b] = set;
        isChanged = true;
      }
    }
    for (let b = 0; b < fn.blocks.length; b++) {
      if (shape.goneBlocks[b]) continue;
      const set = this.atEntry(b, preds[b]!, outs, found.liveIns);
      this.walk(b, set, shape, found.operands, outs);
    }
    return found;
  }

  private predecessors(shape: BodyShape): BlockId[][] {
    const preds: BlockId[][] = this.fn.blocks.map(() => []);
    this.fn.blocks.forEach((block, b) => {
      if (shape.goneBlocks[b]) return;
      for (const s of shape.successors[b] ?? block.successors) if (!shape.goneBlocks[s]) preds[s]!.push(b);
    });
    return preds;
  }

  /** What every way to the block has written; all where none is known to come. `lost` takes live-ins that are not among it. */
  private atEntry(
    b: BlockId,
    preds: readonly BlockId[],
    outs: readonly (BitSet | null)[],
    lost: Set<number> | null,
  ): BitSet {
    const { fn, nVRegs } = this;
    const size = nVRegs + fn.tables.nRegUnits;
    const set = new BitSet(size);
    if (b !== 0) {
      set.addRange(0, size);
      for (const p of preds) {
        const out = outs[p];
        if (out) for (let k = 0; k < set.words.length; k++) set.words[k]! &= out.words[k]!;
      }
    }
    const own = new BitSet(size);
    fn.blocks[b]!.liveIns.forEach(({ reg }, k) => {
      const isThere = b === 0 || this.hasAny(set, reg);
      if (isThere) this.eachUnit(reg, (u) => own.add(nVRegs + u));
      else lost?.add(b * MAX_LIVE_INS + k);
    });
    for (let u = 0; u < fn.tables.nRegUnits; u++) if (!own.has(nVRegs + u)) set.delete(nVRegs + u);
    for (let k = 0; k < set.words.length; k++) set.words[k]! |= own.words[k]!;
    return set;
  }

  /** `reads` takes the operands that read what is not in `set`, which then has what the block writes, too. */
  private walk(
    b: BlockId,
    set: BitSet,
    { goneInstrs, goneBlocks, successors }: BodyShape,
    reads: Set<OperandId> | null,
    outs: readonly (BitSet | null)[] = [],
  ): void {
    const { fn, nVRegs } = this;
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      if (goneInstrs[i]) continue;
      if (reads !== null) {
        if (this.phis.has(fn.opcode[i]!)) {
          const isLeft = (from: BlockId): boolean =>
            !goneBlocks[from] && (successors[from] ?? fn.blocks[from]!.successors).includes(b);
          this.readPhi(i, reads, (from, v) => !isLeft(from) || (outs[from]?.has(v) ?? true));
        } else this.readInstr(i, set, reads);
      }
      for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
        if (fn.opKind[o] === OperandKind.RegisterMask) {
          const kept = preservedUnits(fn, o);
          for (let u = 0; u < fn.tables.nRegUnits; u++) if (!kept.has(u)) set.delete(nVRegs + u);
        }
      }
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        const reg = fn.opVal[o]!;
        if ((fn.opFlags[o]! & OpFlag.Def) === 0 || reg === NO_REG) continue;
        if (isVirtualReg(reg)) set.add(virtRegIndex(reg));
        else this.eachUnit(reg, (u) => set.add(nVRegs + u));
      }
    }
  }

  private readInstr(i: InstrId, set: BitSet, reads: Set<OperandId>): void {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o]!;
      const flags = fn.opFlags[o]!;
      if (reg === NO_REG || (flags & (OpFlag.Undef | OpFlag.Debug | OpFlag.Internal)) !== 0) continue;
      const isDef = (flags & OpFlag.Def) !== 0;
      // A write of a part reads the rest.
      if (isDef && (!isVirtualReg(reg) || fn.opSub[o] === 0)) continue;
      const isThere = isVirtualReg(reg) ? set.has(virtRegIndex(reg)) : this.isDefined(set, reg);
      if (!isThere) reads.add(o);
    }
  }

  private readPhi(i: InstrId, reads: Set<OperandId>, isThere: (from: BlockId, v: number) => boolean): void {
    const { fn } = this;
    for (let o = fn.opBegin[i]! + 1; o + 1 < fn.opBegin[i + 1]!; o += 2) {
      if (fn.opKind[o] !== OperandKind.Register || fn.opKind[o + 1] !== OperandKind.MBB) continue;
      const reg = fn.opVal[o]!;
      if (!isVirtualReg(reg) || (fn.opFlags[o]! & OpFlag.Undef) !== 0) continue;
      if (!isThere(fn.opVal[o + 1]!, virtRegIndex(reg))) reads.add(o);
    }
  }

  private isDefined(set: BitSet, reg: number): boolean {
    const { fn, reserved } = this;
    return !fn.header.tracksRegLiveness || reserved.isReserved(reg) || this.hasAny(set, reg);
  }

  private hasAny(set: BitSet, reg: number): boolean {
    const { unitBegin, unitEnd, unitList } = this.fn.tables;
    for (let k = unitBegin[reg]!; k < unitEnd[reg]!; k++) if (set.has(this.nVRegs + unitList[k]!)) return true;
    return unitBegin[reg] === unitEnd[reg];
  }

  private eachUnit(reg: number, visit: (unit: number) => void): void {
    const { unitBegin, unitEnd, unitList } = this.fn.tables;
    for (let k = unitBegin[reg]!; k < unitEnd[reg]!; k++) visit(unitList[k]!);
  }
}
