/**
 * Liveness inside one region, in a form that survives reordering.
 *
 * LLVM keeps live intervals up to date while it moves instructions and asks them at every step. Inside a region that is not
 * needed: dependences keep every read behind the def that it reads, in any order. So each lane of each register gets its
 * values numbered once, and "is this the last reader?" becomes a counter of readers that are left. Liveness at the two ends of
 * the region comes from the live intervals and does not change while the region is reordered.
 *
 * Registers here are dense indexes `k` over those that the region mentions: virtual registers and units of physical ones.
 * Lanes that every operand treats alike form one part; a register without sub-register operands has one part.
 */
import { BundleFlag, OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';

/** What lives at the two ends of the region. Lanes: low half returned, high half in `lanesHi`. */
export interface RegionEnds {
  lanesHi: number;
  liveAtBegin(vreg: number): number;
  /** just before the boundary instruction, or at the end of the block */
  liveAtEnd(vreg: number): number;
  /** just after the boundary instruction; as liveAtEnd when there is none */
  liveAfterBoundary(vreg: number): number;
  unitLiveAtBegin(unit: number): boolean;
  unitLiveAtEnd(unit: number): boolean;
  /** MachineRegisterInfo::isAllocatable */
  isAllocatableReg(reg: number): boolean;
}

const NO_VALUE = -1;

class IntVec {
  data = new Int32Array(256);
  n = 0;

  push(v: number): number {
    if (this.n === this.data.length) {
      const d = new Int32Array(this.n * 2);
      d.set(this.data);
      this.data = d;
    }
    this.data[this.n] = v;
    return this.n++;
  }
}

const FULL = 0xffffffff;

export class RegionLiveness {
  /** number of nodes */
  readonly nNodes: number;
  // -- registers, by k ------------------------------------------------------------------------------------------------
  /** virtual register, or -1 */
  readonly regVReg = new IntVec();
  /** register unit, or -1 */
  readonly regUnit = new IntVec();
  /** parts of k are partBegin[k] .. partBegin[k + 1] */
  readonly partBegin = new IntVec();
  // -- parts ------------------------------------------------------------------------------------------------------------
  readonly partLo = new IntVec();
  readonly partHi = new IntVec();
  readonly partReg = new IntVec();
  /** values of a part are valueBegin[part] .. valueBegin[part + 1], in order */
  private valueLists: number[][] = [];
  // -- values -----------------------------------------------------------------------------------------------------------
  /** node that defines it, -1 = live into the region */
  readonly valueDef = new IntVec();
  readonly valueReaders = new IntVec();
  readonly valueLiveOut = new IntVec();
  /** nodes that read it, ascending */
  readonly readersOf: number[][] = [];
  // -- operands of a node, one row per register that it mentions: rowBegin[n] .. rowBegin[n + 1] ---------------------------
  readonly rowBegin: Int32Array;
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
  /** defs likewise */
  readonly defBegin = new IntVec();
  readonly defPart = new IntVec();
  readonly defValue = new IntVec();
  /** by part: value at the region's begin and end */
  partBeginValue: Int32Array = new Int32Array(0);

  private readonly kOfVReg: Int32Array;
  private readonly kOfUnit = new Map<number, number>();
  private masks: [number, number][][] = [];

  /**
   * `scratch` is an Int32Array(nVRegs) filled with -1, borrowed for the construction and until `release`.
   */
  constructor(
    private readonly fn: MachineFunction,
    private readonly nodes: ArrayLike<InstrId>,
    private readonly boundary: InstrId,
    private readonly ends: RegionEnds,
    scratch: Int32Array,
  ) {
    this.nNodes = nodes.length;
    this.rowBegin = new Int32Array(nodes.length + 2);
    this.kOfVReg = scratch;
    this.collectRegisters();
    this.makeParts();
    this.number();
    this.walkBack();
  }

  get nRegs(): number {
    return this.regVReg.n;
  }

  get nParts(): number {
    return this.partLo.n;
  }

  /** Dense index of a virtual register or -1. */
  indexOfVReg(v: number): number {
    return this.kOfVReg[v];
  }

  /** Gives the scratch array back in its clean state. */
  release(): void {
    for (let k = 0; k < this.regVReg.n; k++) if (this.regVReg.data[k] >= 0) this.kOfVReg[this.regVReg.data[k]] = -1;
  }

  // -- registers and lanes ------------------------------------------------------------------------------------------------

  private indexFor(vreg: number): number {
    let k = this.kOfVReg[vreg];
    if (k < 0) {
      k = this.regVReg.push(vreg);
      this.regUnit.push(-1);
      this.kOfVReg[vreg] = k;
      this.masks.push([]);
    }
    return k;
  }

  private indexForUnit(unit: number): number {
    let k = this.kOfUnit.get(unit);
    if (k === undefined) {
      k = this.regVReg.push(-1);
      this.regUnit.push(unit);
      this.kOfUnit.set(unit, k);
      this.masks.push([]);
    }
    return k;
  }

  private fullLo(vreg: number): number {
    const rc = this.fn.vregs.regClass[vreg];
    return rc < 0 ? FULL : this.fn.tables.regClassLaneLo[rc];
  }

  private fullHi(vreg: number): number {
    const rc = this.fn.vregs.regClass[vreg];
    return rc < 0 ? FULL : this.fn.tables.regClassLaneHi[rc];
  }

  private noteMask(k: number, lo: number, hi: number): void {
    const list = this.masks[k];
    for (const m of list) if (m[0] === lo && m[1] === hi) return;
    list.push([lo, hi]);
  }

  private forEachOperand(i: InstrId, visit: (o: number) => void): void {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] !== 0) visit(o);
    for (let m = i; (fn.bundle[m] & BundleFlag.BundledSucc) !== 0;) {
      m++;
      for (let o = fn.opBegin[m]; o < fn.opBegin[m + 1]; o++)
        if (fn.opKind[o] === OperandKind.Register && fn.opVal[o] !== 0) visit(o);
    }
  }

  private collectRegisters(): void {
    const { fn } = this;
    const { tables } = fn;
    const visit = (o: number): void => {
      const reg = fn.opVal[o];
      if (reg < 0) {
        const k = this.indexFor(~reg);
        const sub = fn.opSub[o];
        if (sub !== 0) this.noteMask(k, tables.subRegLaneLo[sub], tables.subRegLaneHi[sub]);
      } else if (this.ends.isAllocatableReg(reg)) {
        for (let u = tables.unitBegin[reg]; u < tables.unitBegin[reg + 1]; u++) this.indexForUnit(tables.unitList[u]);
      }
    };
    for (let n = 0; n < this.nodes.length; n++) this.forEachOperand(this.nodes[n], visit);
    if (this.boundary >= 0) this.forEachOperand(this.boundary, visit);
  }

  private makeParts(): void {
    const { ends } = this;
    for (let k = 0; k < this.nRegs; k++) {
      this.partBegin.push(this.partLo.n);
      const v = this.regVReg.data[k];
      if (v < 0) {
        this.addPart(k, 1, 0);
        continue;
      }
      const fullLo = this.fullLo(v);
      const fullHi = this.fullHi(v);
      let parts: [number, number][] = [[fullLo, fullHi]];
      if (this.masks[k].length > 0) {
        const refine = (lo: number, hi: number): void => {
          const next: [number, number][] = [];
          for (const [a, b] of parts) {
            const inLo = (a & lo) >>> 0;
            const inHi = (b & hi) >>> 0;
            const outLo = (a & ~lo) >>> 0;
            const outHi = (b & ~hi) >>> 0;
            if ((inLo | inHi) !== 0) next.push([inLo, inHi]);
            if ((outLo | outHi) !== 0) next.push([outLo, outHi]);
          }
          parts = next;
        };
        for (const [lo, hi] of this.masks[k]) refine(lo, hi);
        const beginLo = ends.liveAtBegin(v);
        refine(beginLo, ends.lanesHi);
        const endLo = ends.liveAtEnd(v);
        refine(endLo, ends.lanesHi);
      }
      for (const [lo, hi] of parts) this.addPart(k, lo, hi);
    }
    this.partBegin.push(this.partLo.n);
  }

  private addPart(k: number, lo: number, hi: number): void {
    this.partLo.push(lo);
    this.partHi.push(hi);
    this.partReg.push(k);
  }

  // -- values -------------------------------------------------------------------------------------------------------------

  private newValue(part: number, def: number): number {
    const v = this.valueDef.push(def);
    this.valueReaders.push(0);
    this.valueLiveOut.push(0);
    this.readersOf.push([]);
    this.valueLists[part].push(v);
    return v;
  }

  valuesOf(part: number): readonly number[] {
    return this.valueLists[part];
  }

  private number(): void {
    const { ends } = this;
    const nParts = this.nParts;
    const current = new Int32Array(nParts).fill(NO_VALUE);
    this.valueLists = Array.from({ length: nParts }, () => []);
    for (let k = 0; k < this.nRegs; k++) {
      const v = this.regVReg.data[k];
      let lo = 0;
      let hi = 0;
      if (v >= 0) {
        lo = ends.liveAtBegin(v);
        hi = ends.lanesHi;
      } else lo = ends.unitLiveAtBegin(this.regUnit.data[k]) ? 1 : 0;
      for (let p = this.partBegin.data[k]; p < this.partBegin.data[k + 1]; p++) {
        if ((this.partLo.data[p] & lo) !== 0 || (this.partHi.data[p] & hi) !== 0) current[p] = this.newValue(p, -1);
      }
    }
    this.partBeginValue = current.slice();
    const rowOf = new Int32Array(this.nRegs).fill(-1);
    for (let n = 0; n < this.nNodes; n++) {
      this.rowBegin[n] = this.rowReg.n;
      this.makeRows(n, this.nodes[n], current, rowOf);
    }
    this.rowBegin[this.nNodes] = this.rowReg.n;
    if (this.boundary >= 0) this.makeRows(this.nNodes, this.boundary, current.slice(), rowOf, true);
    this.rowBegin[this.nNodes + 1] = this.rowReg.n;
    this.readBegin.push(this.readPart.n);
    this.defBegin.push(this.defPart.n);
    for (let k = 0; k < this.nRegs; k++) {
      const v = this.regVReg.data[k];
      let lo = 0;
      let hi = 0;
      if (v >= 0) {
        lo = ends.liveAtEnd(v);
        hi = ends.lanesHi;
      } else lo = ends.unitLiveAtEnd(this.regUnit.data[k]) ? 1 : 0;
      for (let p = this.partBegin.data[k]; p < this.partBegin.data[k + 1]; p++) {
        if (current[p] !== NO_VALUE && ((this.partLo.data[p] & lo) !== 0 || (this.partHi.data[p] & hi) !== 0))
          this.valueLiveOut.data[current[p]] = 1;
      }
    }
  }

  private makeRows(n: number, instr: InstrId, current: Int32Array, rowOf: Int32Array, isBoundary = false): void {
    const { fn } = this;
    const { tables } = fn;
    const first = this.rowReg.n;
    const rowFor = (k: number): number => {
      let r = rowOf[k];
      if (r < first) {
        r = this.rowReg.push(k);
        for (const col of [
          this.rowUseLo,
          this.rowUseHi,
          this.rowDefLo,
          this.rowDefHi,
          this.rowAllDefLo,
          this.rowAllDefHi,
          this.rowReads,
        ])
          col.push(0);
        for (const col of [this.rowBeforeLo, this.rowBeforeHi, this.rowAfterLo, this.rowAfterHi]) col.push(0);
        rowOf[k] = r;
      }
      return r;
    };
    let undefSubDefs: number[] | null = null;
    this.forEachOperand(instr, (o) => {
      const reg = fn.opVal[o];
      const f = fn.opFlags[o];
      const isDef = (f & OpFlag.Def) !== 0;
      if (!isDef && (f & (OpFlag.Undef | OpFlag.Internal)) !== 0) return;
      const add = (k: number, lo: number, hi: number): void => {
        const r = rowFor(k);
        if (isDef) {
          this.rowAllDefLo.data[r] |= lo;
          this.rowAllDefHi.data[r] |= hi;
          if ((f & OpFlag.Dead) === 0) {
            this.rowDefLo.data[r] |= lo;
            this.rowDefHi.data[r] |= hi;
          }
        } else {
          this.rowReads.data[r] = 1;
          this.rowUseLo.data[r] |= lo;
          this.rowUseHi.data[r] |= hi;
        }
      };
      if (reg < 0) {
        const v = ~reg;
        const sub = fn.opSub[o];
        const lo = sub === 0 ? this.fullLo(v) : tables.subRegLaneLo[sub];
        const hi = sub === 0 ? this.fullHi(v) : tables.subRegLaneHi[sub];
        add(this.kOfVReg[v], lo, hi);
        if (isDef && sub !== 0 && (f & OpFlag.Undef) !== 0) (undefSubDefs ??= []).push(this.kOfVReg[v]);
      } else if (this.ends.isAllocatableReg(reg)) {
        for (let u = tables.unitBegin[reg]; u < tables.unitBegin[reg + 1]; u++)
          add(this.kOfUnit.get(tables.unitList[u])!, 1, 0);
      }
    });
    for (let r = first; r < this.rowReg.n; r++) this.linkReads(n, r, current, isBoundary);
    // defs come after all reads of the instruction
    for (const k of undefSubDefs ?? []) {
      for (let p = this.partBegin.data[k]; p < this.partBegin.data[k + 1]; p++) current[p] = NO_VALUE;
    }
    for (let r = first; r < this.rowReg.n; r++) {
      this.defBegin.push(this.defPart.n);
      const k = this.rowReg.data[r];
      const lo = this.rowAllDefLo.data[r];
      const hi = this.rowAllDefHi.data[r];
      if ((lo | hi) === 0) continue;
      for (let p = this.partBegin.data[k]; p < this.partBegin.data[k + 1]; p++) {
        if ((this.partLo.data[p] & lo) === 0 && (this.partHi.data[p] & hi) === 0) continue;
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
    if ((lo | hi) === 0) return;
    const k = this.rowReg.data[r];
    let okLo = 0;
    let okHi = 0;
    for (let p = this.partBegin.data[k]; p < this.partBegin.data[k + 1]; p++) {
      const pLo = this.partLo.data[p];
      const pHi = this.partHi.data[p];
      if (((pLo & lo) === 0 && (pHi & hi) === 0) || current[p] === NO_VALUE) continue;
      okLo |= pLo;
      okHi |= pHi;
      this.readPart.push(p);
      this.readValue.push(current[p]);
      // the boundary's reads are part of what lives at the end
      if (!isBoundary) {
        this.valueReaders.data[current[p]]++;
        this.readersOf[current[p]].push(n);
      }
    }
    this.rowUseLo.data[r] = okLo;
    this.rowUseHi.data[r] = okHi;
  }

  /** Lanes live before and after each mention, in the order of construction. */
  private walkBack(): void {
    const liveLo = new Int32Array(this.nRegs);
    const liveHi = new Int32Array(this.nRegs);
    for (let p = 0; p < this.nParts; p++) {
      const list = this.valueLists[p];
      if (list.length === 0 || this.valueLiveOut.data[list[list.length - 1]] === 0) continue;
      const k = this.partReg.data[p];
      liveLo[k] |= this.partLo.data[p];
      liveHi[k] |= this.partHi.data[p];
    }
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
}
