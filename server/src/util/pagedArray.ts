/** A list of a known, large range of indices of which few are used: room for 256 neighbours is made when the first of them is set. */
export class PagedArray<T> {
  private readonly pages: (T | undefined)[][] = [];

  get(i: number): T | undefined {
    return this.pages[i >> 8]?.[i & 255];
  }

  set(i: number, value: T): T {
    const page = i >> 8;
    while (this.pages.length <= page) this.pages.push([]);
    let entries = this.pages[page]!;
    if (entries.length === 0) this.pages[page] = entries = new Array<T | undefined>(256);
    entries[i & 255] = value;
    return value;
  }
}
