/** Edges by their two ends, for graphs in which lists of edges are too long to be walked for each new one. */
/** Columns of the graph, which grow. */
interface Ends {
  readonly edgePred: Int32Array;
  readonly edgeSucc: Int32Array;
}

const NONE = -1;
/** Odd, with bits all over. */
const [FACTOR_PRED, FACTOR_SUCC] = [0x9e3779b1, 0x85ebca6b];

/** A hash table with linear probing: of each pair the edge added last, the others on a list. */
export class EdgePairs {
  private slots: Int32Array;
  private nPairs = 0;
  private nextSame: Int32Array;

  /** Without edges; `nEdges` are expected. */
  constructor(
    private readonly ends: Ends,
    nEdges: number,
  ) {
    let size = 1024;
    while (size < nEdges * 4) size *= 2;
    this.slots = new Int32Array(size).fill(NONE);
    this.nextSame = new Int32Array(size >> 1).fill(NONE);
  }

  /** The edge between the two that was added last, NONE if there is none. */
  find(pred: number, succ: number): number {
    return this.slots[this.slotOf(pred, succ)];
  }

  /** The one between the same two that was added before. */
  next(e: number): number {
    return this.nextSame[e];
  }

  /** A new edge, whose ends are known. */
  add(e: number): void {
    if (e >= this.nextSame.length) {
      const longer = new Int32Array(this.nextSame.length * 2).fill(NONE);
      longer.set(this.nextSame);
      this.nextSame = longer;
    }
    const at = this.slotOf(this.ends.edgePred[e], this.ends.edgeSucc[e]);
    const before = this.slots[at];
    this.nextSame[e] = before;
    this.slots[at] = e;
    if (before === NONE && ++this.nPairs * 2 > this.slots.length) this.grow();
  }

  /** The slot of a pair, or the free one where it would stand. */
  private slotOf(pred: number, succ: number): number {
    const { edgePred, edgeSucc } = this.ends;
    const { slots } = this;
    const mask = slots.length - 1;
    let at = Math.imul(pred, FACTOR_PRED) ^ Math.imul(succ, FACTOR_SUCC);
    at = (at ^ (at >>> 15)) & mask;
    for (let e = slots[at]; e !== NONE && (edgePred[e] !== pred || edgeSucc[e] !== succ); e = slots[at])
      at = (at + 1) & mask;
    return at;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 4).fill(NONE);
    for (const e of old) if (e !== NONE) this.slots[this.slotOf(this.ends.edgePred[e], this.ends.edgeSucc[e])] = e;
  }
}
