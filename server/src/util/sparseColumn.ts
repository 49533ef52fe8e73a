const PAGE_BITS = 6;
const PAGE = 1 << PAGE_BITS;
const ZEROS = new Int32Array(PAGE);
const NONES = new Int32Array(PAGE).fill(-1);

/**
 * Numbers by index, nearly all of them `none`: pages are made when something on them is set. For what a small function knows of some of
 * 10,000 and more registers, where a whole column takes longer to make than all else that is done with it.
 */
export class SparseColumn {
  private readonly pages: Int32Array[];
  private readonly empty: Int32Array;

  constructor(size: number, none: 0 | -1) {
    this.empty = none === 0 ? ZEROS : NONES;
    this.pages = new Array<Int32Array>((size + PAGE - 1) >> PAGE_BITS).fill(this.empty);
  }

  get(k: number): number {
    return this.pages[k >> PAGE_BITS][k & (PAGE - 1)];
  }

  set(k: number, value: number): void {
    const p = k >> PAGE_BITS;
    let page = this.pages[p];
    if (page === this.empty) page = this.pages[p] = this.empty.slice();
    page[k & (PAGE - 1)] = value;
  }
}
