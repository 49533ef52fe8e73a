/**
 * Liveness inside one region, in a form that survives reordering.
 *
 * LLVM keeps live intervals up to date while it moves instructions and asks them at every step. Inside a region that is not
 * needed: dependences keep every read after the def that it reads, in any order. So each lane of each register gets its
 * values numbered once, and "is this the last reader?" becomes a counter of readers that are left. Liveness at the two ends of
 * the region comes from the live intervals and does not change while the region is reordered.
 *
 * Registers here are dense indexes `k` over those that the region mentions: virtual registers and units of physical ones.
 * Lanes that every operand treats alike form one part; a register without sub-register operands has one part.
 */
import { BundleFlag, OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../../model/machineFunction.js';
import type { VRegId } from '../../../model/register.js';
import type { RegUnit } from '../../../target/api.js';
import { withRoom } from '../../../util/columns.js';

/** What lives at the two ends of the region. Lanes: low half returned, high half in `lanesHi`. */
export interface RegionEnds {
  /** second half of the latest answer */
  readonly lanesHi: number;
  liveAtBegin(vreg: VRegId): number;
  /** just before the boundary instruction, or at the end of the block */
  liveAtEnd(vreg: VRegId): number;
  /** just after the boundary instruction; as liveAtEnd when there is none */
  liveAfterBoundary(vreg: VRegId): number;
  unitLiveAtBegin(unit: RegUnit): boolean;
  unitLiveAtEnd(unit: RegUnit): boolean;
  /** @llvm MachineRegisterInfo.h MachineRegisterInfo::isAllocatable */
  isAllocatableReg(reg: number): boolean;
}

const NO_VALUE = -1;
const NONE = -1;

/** A column that grows. Its array may be longer than `n`, and is another one after a growth. */
export class IntVec {
  data = new Int32Array(64);
  n = 0;

  push(v: number): number {
    if (this.n === this.data.length) this.reserve(this.n + 1);
    this.data[this.n] = v;
    return this.n++;
  }

  /** Room for `size` elements in all. */
  reserve(size: number): void {
    if (size <= this.data.length) return;
    const d = new Int32Array(Math.max(size, this.data.length * 2));
    d.set(this.data.subarray(0, this.n));
    this.data = d;
  }
}

const FULL = -1;

/** `rowReads` of a register that only debug values in a bundle mention. */
export const READS_FOR_DEBUG = 2;

/** Bits of `rowOwn`. */
export const enum Own {
  Mentions = 1,
  Reads = 2,
  /** a definition that is not dead */
  Defines = 4,
}

function ownMention(flags: number): number {
  if ((flags & OpFlag.Def) !== 0) return (flags & OpFlag.Dead) === 0 ? Own.Mentions | Own.Defines : Own.Mentions;
  return (flags & OpFlag.Debug) === 0 ? Own.Mentions | Own.Reads : Own.Mentions;
}

/**
 * One object serves all regions of a function: `reset` numbers another region and forgets the one before. Most regions are small,
 * so new columns for each would cost more than what is done with them.
 */
export class RegionLiveness {
  /** number of nodes */
  nNodes = 0;
  // -- registers, by k ------------------------------------------------------------------------------------------------
  /** virtual register, or -1 */
  readonly regVReg = new IntVec();
  /** register unit, or -1 */
  readonly regUnit = new IntVec();
  /** parts of k are partBegin[k] .. partBegin[k + 1] */
  readonly partBegin = new IntVec();
  /** lanes live at the ends of the region */
  readonly regBeginLo = new IntVec();
  readonly regBeginHi = new IntVec();
  readonly regEndLo = new IntVec();
  readonly regEndHi = new IntVec();
  // -- parts ------------------------------------------------------------------------------------------------------------
  readonly partLo = new IntVec();
  readonly partHi = new IntVec();
  readonly partReg = new IntVec();
  /** value at the region's begin, -1 = none */
  readonly partBeginValue = new IntVec();
  /** last value in the order of construction, -1 = none; the others by prevValue */
  readonly partLastValue = new IntVec();
  // -- values -----------------------------------------------------------------------------------------------------------
  /** node that defines it, -1 = live into the region */
  readonly valueDef = new IntVec();
  readonly valueReaders = new IntVec();
  readonly valueLiveOut = new IntVec();
  /** value of the same part before it, -1 = none */
  readonly prevValue = new IntVec();
  /** its last read, the others by prevRead: in descending order of the nodes; -1 = none */
  readonly valueLastRead = new IntVec();
  // -- operands of a node, one row per register that it mentions: rowBegin[n] .. rowBegin[n + 1] ---------------------------
  rowBegin: Int32Array = new Int32Array(64);
  readonly rowReg = new IntVec();
  /** lanes that are read and have a value */
  readonly rowUseLo = new IntVec();
  readonly rowUseHi = new IntVec();
  /** lanes of defs not flagged dead */
  readonly rowDefLo = new IntVec();
  readonly rowDefHi = new IntVec();
  /** lanes of all defs */
  readonly rowAllDefLo = new IntVec();
  readonly rowAllDefHi = new IntVec();
  /** those of them (units: one lane) that no tracker counts: definitions of tuples that are partly reserved */
  readonly rowUncountedDef = new IntVec();
  /** the same without members of a bundle: what GCN's own trackers see of it */
  readonly rowOwnDefLo = new IntVec();
  readonly rowOwnDefHi = new IntVec();
  /** how the instruction itself, not only a member of its bundle, mentions the register: `Own` bits */
  readonly rowOwn = new IntVec();
  /** whether some operand reads the register at all */
  readonly rowReads = new IntVec();
  /** lanes live before and after, in the order of construction */
  readonly rowBeforeLo = new IntVec();
  readonly rowBeforeHi = new IntVec();
  readonly rowAfterLo = new IntVec();
  readonly rowAfterHi = new IntVec();
  /** reads: rows' (part, value) pairs: readBegin[row] .. readBegin[row + 1] */
  readonly readBegin = new IntVec();
  readonly readPart = new IntVec();
  readonly readValue = new IntVec();
  readonly readNode = new IntVec();
  /** read of the same value before it, -1 = none */
  readonly prevRead = new IntVec();
  /** defs likewise */
  readonly defBegin = new IntVec();
  readonly defPart = new IntVec();
  readonly defValue = new IntVec();

  private readonly all: readonly IntVec[];
  private readonly rowColumns: readonly IntVec[];
  /** k by virtual register and by unit, -1 outside of a region's registers */
  private kOfVReg: Int32Array;
  private readonly kOfUnit: Int32Array;
  /** lane masks of sub-register operands by k: maskFirst[k], then maskNext */
  private readonly maskFirst = new IntVec();
  private readonly maskNext = new IntVec();
  private readonly maskLo = new IntVec();
  private readonly maskHi = new IntVec();
  private rowOf = new Int32Array(64);
  private current = new Int32Array(64);
  /** scratch for walks over the region: lanes by register, numbers by part and by value; large enough after `reset` */
  liveLo = new Int32Array(64);
  liveHi = new Int32Array(64);
  partScratch = new Int32Array(64);
  valueScratch = new Int32Array(64);
  private readonly undefSubDefs: number[] = [];
  private nodes: ArrayLike<InstrId> = [];

  constructor(private fn: MachineFunction) {
    this.kOfVReg = new Int32Array(fn.vregs.n).fill(NONE);
    this.kOfUnit = new Int32Array(fn.tables.nRegUnits).fill(NONE);
    this.all = Object.values(this).filter((c) => c instanceof IntVec);
    this.rowColumns = [
      this.rowReg,
      this.rowUseLo,
      this.rowUseHi,
      this.rowDefLo,
      this.rowDefHi,
      this.rowAllDefLo,
      this.rowUncountedDef,
      this.rowAllDefHi,
      this.rowOwnDefLo,
      this.rowOwnDefHi,
      this.rowOwn,
      this.rowReads,
      this.rowBeforeLo,
      this.rowBeforeHi,
      this.rowAfterLo,
      this.rowAfterHi,
      this.readBegin,
      this.defBegin,
    ];
  }

  /** Goes on with another function of the same target. */
  serve(fn: MachineFunction): void {
    this.fn = fn;
  }

  /** Numbers the values of a region. `nodes` is borrowed until the next reset; `boundary` -1 = none. */
  reset(nodes: ArrayLike<InstrId>, boundary: InstrId, ends: RegionEnds): void {
    // the entries of the region before
    for (let k = 0; k < this.regVReg.n; k++) {
      const v = this.regVReg.data[k];
      if (v >= 0) this.kOfVReg[v] = NONE;
      else this.kOfUnit[this.regUnit.data[k]] = NONE;
    }
    for (let c = 0; c < this.all.length; c++) this.all[c].n = 0;
    this.nodes = nodes;
    this.nNodes = nodes.length;
    if (this.kOfVReg.length < this.fn.vregs.n) this.kOfVReg = new Int32Array(this.fn.vregs.n * 2).fill(NONE);
    this.rowBegin = withRoom(this.rowBegin, nodes.length + 2);
    this.collectRegisters(boundary, ends);
    this.makeParts(ends);
    this.number(boundary, ends);
    this.walkBack();
    this.partScratch = withRoom(this.partScratch, this.nParts);
    this.valueScratch = withRoom(this.valueScratch, this.valueDef.n);
  }

  get nRegs(): number {
    return this.regVReg.n;
  }

  get nParts(): number {
    return this.partLo.n;
  }

  /** The last value of a part lives out of the region. */
  isPartLiveOut(part: number): boolean {
    const v = this.partLastValue.data[part];
    return v >= 0 && this.valueLiveOut.data[v] !== 0;
  }

  // -- registers and lanes ------------------------------------------------------------------------------------------------

  private addReg(vreg: VRegId, unit: RegUnit): number {
    const k = this.regVReg.push(vreg);
    this.regUnit.push(unit);
    this.maskFirst.push(NONE);
    return k;
  }

  private fullLo(vreg: VRegId): number {
    const rc = this.fn.vregs.regClass[vreg];
    return rc < 0 ? FULL : this.fn.tables.regClassLaneLo[rc] | 0;
  }

  private fullHi(vreg: VRegId): number {
    const rc = this.fn.vregs.regClass[vreg];
    return rc < 0 ? FULL : this.fn.tables.regClassLaneHi[rc] | 0;
  }

  private noteMask(k: number, lo: number, hi: number): void {
    for (let m = this.maskFirst.data[k]; m !== NONE; m = this.maskNext.data[m])
      if (this.maskLo.data[m] === lo && this.maskHi.data[m] === hi) return;
    this.maskLo.push(lo);
    this.maskHi.push(hi);
    this.maskFirst.data[k] = this.maskNext.push(this.maskFirst.data[k]);
  }

  private collectRegisters(boundary: InstrId, ends: RegionEnds): void {
    let nOperands = 0;
    for (let n = 0; n < this.nodes.length; n++) nOperands += this.collectFrom(this.nodes[n], ends);
    if (boundary >= 0) nOperands += this.collectFrom(boundary, ends);
    // one row per operand at most, for units of physical registers one each
    for (let c = 0; c < this.rowColumns.length; c++) this.rowColumns[c].reserve(nOperands + 1);
  }

  /** Returns the number of rows that the instruction may need. */
  private collectFrom(i: InstrId, ends: RegionEnds): number {
    const { fn, kOfVReg, kOfUnit } = this;
    const { tables } = fn;
    let rows = 0;
    for (let m = i; ; m++) {
      for (let o = fn.opBegin[m]; o < fn.opBegin[m + 1]; o++) {
        const reg = fn.opVal[o];
        if (fn.opKind[o] !== OperandKind.Register || reg === 0) continue;
        if (reg < 0) {
          const v = ~reg;
          if (kOfVReg[v] < 0) kOfVReg[v] = this.addReg(v, NONE);
          const sub = fn.opSub[o];
          if (sub !== 0) this.noteMask(kOfVReg[v], tables.subRegLaneLo[sub] | 0, tables.subRegLaneHi[sub] | 0);
          rows++;
        } else {
          const isCounted = ends.isAllocatableReg(reg);
          for (let u = tables.unitBegin[reg]; u < tables.unitEnd[reg]; u++) {
            const unit = tables.unitList[u];
            if (isCounted && kOfUnit[unit] < 0) kOfUnit[unit] = this.addReg(NONE, unit);
            rows++;
          }
        }
      }
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return rows;
    }
  }

  private makeParts(ends: RegionEnds): void {
    for (let k = 0; k < this.nRegs; k++) {
      this.partBegin.push(this.partLo.n);
      const v = this.regVReg.data[k];
      if (v < 0) {
        const unit = this.regUnit.data[k];
        this.addPart(k, 1, 0);
        this.regBeginLo.push(ends.unitLiveAtBegin(unit) ? 1 : 0);
        this.regBeginHi.push(0);
        this.regEndLo.push(ends.unitLiveAtEnd(unit) ? 1 : 0);
        this.regEndHi.push(0);
        continue;
      }
      this.addPart(k, this.fullLo(v), this.fullHi(v));
      const beginLo = ends.liveAtBegin(v);
      const beginHi = ends.lanesHi;
      const endLo = ends.liveAtEnd(v);
      const endHi = ends.lanesHi;
      this.regBeginLo.push(beginLo);
      this.regBeginHi.push(beginHi);
      this.regEndLo.push(endLo);
      this.regEndHi.push(endHi);
      for (let m = this.maskFirst.data[k]; m !== NONE; m = this.maskNext.data[m])
        this.refine(k, this.maskLo.data[m], this.maskHi.data[m]);
      this.refine(k, beginLo, beginHi);
      this.refine(k, endLo, endHi);
    }
    this.partBegin.push(this.partLo.n);
  }

  private addPart(k: number, lo: number, hi: number): void {
    this.partLo.push(lo);
    this.partHi.push(hi);
    this.partReg.push(k);
    this.partLastValue.push(NO_VALUE);
  }

  /** Splits the parts of k, the last register so far, at a lane mask. */
  private refine(k: number, lo: number, hi: number): void {
    const end = this.partLo.n;
    for (let p = this.partBegin.data[k]; p < end; p++) {
      const a = this.partLo.data[p];
      const b = this.partHi.data[p];
      if (((a & lo) | (b & hi)) === 0 || ((a & ~lo) | (b & ~hi)) === 0) continue;
      this.partLo.data[p] = a & lo;
      this.partHi.data[p] = b & hi;
      this.addPart(k, a & ~lo, b & ~hi);
    }
  }

  // -- values -------------------------------------------------------------------------------------------------------------

  private newValue(part: number, def: number): number {
    const v = this.valueDef.push(def);
    this.valueReaders.push(0);
    this.valueLiveOut.push(0);
    this.valueLastRead.push(NONE);
    this.prevValue.push(this.partLastValue.data[part]);
    this.partLastValue.data[part] = v;
    return v;
  }

  private number(boundary: InstrId, ends: RegionEnds): void {
    const { nParts, nRegs } = this;
    this.current = withRoom(this.current, nParts);
    this.rowOf = withRoom(this.rowOf, nRegs);
    const { current } = this;
    this.rowOf.fill(NONE, 0, nRegs);
    for (let k = 0; k < nRegs; k++) {
      const lo = this.regBeginLo.data[k];
      const hi = this.regBeginHi.data[k];
      for (let p = this.partBegin.data[k]; p < this.partBegin.data[k + 1]; p++) {
        const isLive = ((this.partLo.data[p] & lo) | (this.partHi.data[p] & hi)) !== 0;
        current[p] = isLive ? this.newValue(p, -1) : NO_VALUE;
        this.partBeginValue.push(current[p]);
      }
    }
    for (let n = 0; n < this.nNodes; n++) {
      this.rowBegin[n] = this.rowReg.n;
      this.makeRows(n, this.nodes[n], current, false, ends);
    }
    this.rowBegin[this.nNodes] = this.rowReg.n;
    for (let k = 0; k < nRegs; k++) {
      const lo = this.regEndLo.data[k];
      const hi = this.regEndHi.data[k];
      for (let p = this.partBegin.data[k]; p < this.partBegin.data[k + 1]; p++) {
        if (current[p] !== NO_VALUE && ((this.partLo.data[p] & lo) | (this.partHi.data[p] & hi)) !== 0)
          this.valueLiveOut.data[current[p]] = 1;
      }
    }
    // its defs end what is current, so that it comes last
    if (boundary >= 0) this.makeRows(this.nNodes, boundary, current, true, ends);
    this.rowBegin[this.nNodes + 1] = this.rowReg.n;
    this.readBegin.push(this.readPart.n);
    this.defBegin.push(this.defPart.n);
  }

  /** The row of register k for the instruction whose rows begin at `first`. */
  private rowFor(k: number, first: number): number {
    const known = this.rowOf[k];
    if (known >= first) return known;
    const r = this.rowReg.n++;
    this.rowReg.data[r] = k;
    this.rowUseLo.data[r] = this.rowUseHi.data[r] = 0;
    this.rowDefLo.data[r] = this.rowDefHi.data[r] = 0;
    this.rowAllDefLo.data[r] = this.rowAllDefHi.data[r] = this.rowUncountedDef.data[r] = 0;
    this.rowOwnDefLo.data[r] = this.rowOwnDefHi.data[r] = 0;
    this.rowOwn.data[r] = 0;
    this.rowReads.data[r] = 0;
    this.rowBeforeLo.data[r] = this.rowBeforeHi.data[r] = 0;
    this.rowAfterLo.data[r] = this.rowAfterHi.data[r] = 0;
    this.rowOf[k] = r;
    return r;
  }

  /** Dense index of a virtual register, NONE if the region does not mention it. */
  indexOfVReg(v: number): number {
    return this.kOfVReg[v];
  }

  private mention(k: number, first: number, flags: number, lo: number, hi: number, isMember: boolean): void {
    const r = this.rowFor(k, first);
    if (!isMember) {
      this.rowOwn.data[r] |= ownMention(flags);
      if ((flags & OpFlag.Def) !== 0) {
        this.rowOwnDefLo.data[r] |= lo;
        this.rowOwnDefHi.data[r] |= hi;
      }
    }
    if ((flags & OpFlag.Def) === 0) {
      // A debug value in a bundle is one of its operands, but nothing lives up to it.
      if ((flags & OpFlag.Debug) !== 0) {
        if (this.rowReads.data[r] === 0) this.rowReads.data[r] = READS_FOR_DEBUG;
        return;
      }
      this.rowReads.data[r] = 1;
      this.rowUseLo.data[r] |= lo;
      this.rowUseHi.data[r] |= hi;
      return;
    }
    this.rowAllDefLo.data[r] |= lo;
    this.rowAllDefHi.data[r] |= hi;
    if ((flags & OpFlag.Dead) !== 0) return;
    this.rowDefLo.data[r] |= lo;
    this.rowDefHi.data[r] |= hi;
  }

  /**
   * A unit of a tuple that is partly reserved: LLVM's trackers pass over the operand, but its live range begins and ends values of the unit, which
   * other operands count.
   */
  private mentionUncounted(k: number, first: number, flags: number): void {
    const r = this.rowFor(k, first);
    if ((flags & OpFlag.Def) !== 0) this.rowAllDefLo.data[r] = this.rowUncountedDef.data[r] = 1;
    else if ((flags & OpFlag.Debug) === 0) this.rowUseLo.data[r] = 1;
  }

  private makeRows(n: number, instr: InstrId, current: Int32Array, isBoundary: boolean, ends: RegionEnds): void {
    const { fn, undefSubDefs } = this;
    const { tables } = fn;
    const first = this.rowReg.n;
    let nUndefSubDefs = 0;
    for (let m = instr; ; m++) {
      for (let o = fn.opBegin[m]; o < fn.opBegin[m + 1]; o++) {
        const reg = fn.opVal[o];
        if (fn.opKind[o] !== OperandKind.Register) continue;
        const f = fn.opFlags[o];
        const isDef = (f & OpFlag.Def) !== 0;
        if (!isDef && (f & (OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
        if (reg < 0) {
          const v = ~reg;
          const sub = fn.opSub[o];
          const lo = sub === 0 ? this.fullLo(v) : tables.subRegLaneLo[sub];
          const hi = sub === 0 ? this.fullHi(v) : tables.subRegLaneHi[sub];
          this.mention(this.kOfVReg[v], first, f, lo, hi, m !== instr);
          if (isDef && sub !== 0 && (f & OpFlag.Undef) !== 0) undefSubDefs[nUndefSubDefs++] = this.kOfVReg[v];
        } else {
          const isCounted = ends.isAllocatableReg(reg);
          for (let u = tables.unitBegin[reg]; u < tables.unitEnd[reg]; u++) {
            const k = this.kOfUnit[tables.unitList[u]];
            if (isCounted) this.mention(k, first, f, 1, 0, m !== instr);
            else if (k >= 0) this.mentionUncounted(k, first, f);
          }
        }
      }
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) break;
    }
    for (let r = first; r < this.rowReg.n; r++) this.linkReads(n, r, current, isBoundary);
    // defs come after all reads of the instruction
    for (let d = 0; d < nUndefSubDefs; d++) {
      const k = undefSubDefs[d];
      for (let p = this.partBegin.data[k]; p < this.partBegin.data[k + 1]; p++) current[p] = NO_VALUE;
    }
    for (let r = first; r < this.rowReg.n; r++) {
      this.defBegin.push(this.defPart.n);
      const k = this.rowReg.data[r];
      const lo = this.rowAllDefLo.data[r];
      const hi = this.rowAllDefHi.data[r];
      for (let p = this.partBegin.data[k]; p < this.partBegin.data[k + 1]; p++) {
        if (((this.partLo.data[p] & lo) | (this.partHi.data[p] & hi)) === 0) continue;
        current[p] = isBoundary ? NO_VALUE : this.newValue(p, n);
        this.defPart.push(p);
        this.defValue.push(current[p]);
      }
    }
  }

  private linkReads(n: number, r: number, current: Int32Array, isBoundary: boolean): void {
    this.readBegin.push(this.readPart.n);
    const lo = this.rowUseLo.data[r];
    const hi = this.rowUseHi.data[r];
    const k = this.rowReg.data[r];
    let okLo = 0;
    let okHi = 0;
    for (let p = this.partBegin.data[k]; p < this.partBegin.data[k + 1]; p++) {
      const pLo = this.partLo.data[p];
      const pHi = this.partHi.data[p];
      const v = current[p];
      if (((pLo & lo) | (pHi & hi)) === 0 || v === NO_VALUE) continue;
      okLo |= pLo;
      okHi |= pHi;
      this.readPart.push(p);
      const e = this.readValue.push(v);
      this.readNode.push(n);
      // the boundary's reads are part of what lives at the end
      if (isBoundary) this.prevRead.push(NONE);
      else {
        this.prevRead.push(this.valueLastRead.data[v]);
        this.valueLastRead.data[v] = e;
        this.valueReaders.data[v]++;
      }
    }
    this.rowUseLo.data[r] = okLo;
    this.rowUseHi.data[r] = okHi;
  }

  /** Lanes live before and after each mention, in the order of construction. */
  private walkBack(): void {
    const { nRegs } = this;
    this.liveLo = withRoom(this.liveLo, nRegs);
    this.liveHi = withRoom(this.liveHi, nRegs);
    const { liveLo, liveHi } = this;
    this.liveOuts(liveLo, liveHi);
    for (let n = this.nNodes - 1; n >= 0; n--) {
      for (let r = this.rowBegin[n]; r < this.rowBegin[n + 1]; r++) {
        const k = this.rowReg.data[r];
        this.rowAfterLo.data[r] = liveLo[k];
        this.rowAfterHi.data[r] = liveHi[k];
        liveLo[k] = (liveLo[k] & ~this.rowAllDefLo.data[r]) | this.rowUseLo.data[r];
        liveHi[k] = (liveHi[k] & ~this.rowAllDefHi.data[r]) | this.rowUseHi.data[r];
        this.rowBeforeLo.data[r] = liveLo[k];
        this.rowBeforeHi.data[r] = liveHi[k];
      }
    }
  }

  /** Writes the lanes that live out of the region, by register. The arrays hold nRegs elements at least. */
  liveOuts(lo: Int32Array, hi: Int32Array): void {
    lo.fill(0, 0, this.nRegs);
    hi.fill(0, 0, this.nRegs);
    for (let p = 0; p < this.nParts; p++) {
      if (!this.isPartLiveOut(p)) continue;
      const k = this.partReg.data[p];
      lo[k] |= this.partLo.data[p];
      hi[k] |= this.partHi.data[p];
    }
  }
}
