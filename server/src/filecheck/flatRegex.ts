/**
 * Regular expressions that are a row of texts and repeated characters, without branches: nearly all that check files have. Such a row is
 * matched by the set of places that it can have reached after each of its items, and searched by the longest text in it.
 */
import { Kind, NEWLINE, type Node } from './regexSyntax.js';

const enum ItemKind {
  Text,
  /** characters of a set, between `least` and `most` of them */
  Repeat,
  LineStart,
  LineEnd,
}

type Item =
  | { readonly kind: ItemKind.Text; readonly text: string }
  | {
      readonly kind: ItemKind.Repeat;
      readonly set: Uint8Array;
      readonly least: number;
      readonly most: number;
      /** every character but the line break */
      readonly isLine: boolean;
    }
  | { readonly kind: ItemKind.LineStart | ItemKind.LineEnd };

/** Items [first, end) are what a group holds. */
interface GroupSpan {
  readonly group: number;
  readonly first: number;
  readonly end: number;
}

const MAX_DEPTH = 60;

/** Puts a row together from its parts. What `add` and `closeGroup` refuse is none. */
export class RowBuilder {
  private readonly items: Item[] = [];
  private readonly groups: GroupSpan[] = [];
  /** groups that are open, and their first items */
  private readonly open: { readonly group: number; readonly first: number }[] = [];
  private text = '';

  /** Appends a text that is matched as it stands. */
  addText(text: string): void {
    this.text += text;
  }

  /** Appends a node; false where it is no row, or nests too deep to be worth it. */
  add(node: Node, depth = 0): boolean {
    if (depth > MAX_DEPTH) return false;
    switch (node.kind) {
      case Kind.Chars: {
        const code = soleMember(node.set);
        if (code >= 0) this.text += String.fromCharCode(code);
        else this.repeat(node.set, 1, 1);
        return true;
      }
      case Kind.Text:
        this.text += node.text;
        return true;
      case Kind.Sequence:
        return node.items.every((item) => this.add(item, depth + 1));
      case Kind.Group:
        this.openGroup(node.group);
        return this.add(node.item, depth + 1) && this.closeGroup();
      case Kind.Choice: {
        const set = unionOf(node.branches);
        if (set !== null) this.repeat(set, 1, 1);
        return set !== null;
      }
      case Kind.Plus:
        return node.item.kind === Kind.Chars && this.repeat(node.item.set, 1, Infinity);
      case Kind.Optional: {
        const { item } = node;
        if (item.kind === Kind.Chars) return this.repeat(item.set, 0, 1);
        return item.kind === Kind.Plus && item.item.kind === Kind.Chars && this.repeat(item.item.set, 0, Infinity);
      }
      case Kind.LineStart:
      case Kind.LineEnd:
        this.flush();
        this.items.push({ kind: node.kind === Kind.LineStart ? ItemKind.LineStart : ItemKind.LineEnd });
        return true;
      default:
        return false;
    }
  }

  openGroup(group: number): void {
    // Where nobody asks for the group, the text around it goes on in it.
    if (group > 0) this.flush();
    this.open.push({ group, first: this.items.length });
  }

  /**
   * Ends the last group that was opened. It takes as much as it can before its items do: with one item of no fixed length that is the same as
   * each item taking what it can; with more it is not.
   */
  closeGroup(): boolean {
    const { group, first } = this.open.pop()!;
    if (group > 0) this.flush();
    const end = this.items.length;
    let nFlexible = 0;
    for (let k = first; k < end; k++) if (isFlexible(this.items[k]!)) nFlexible++;
    if (group > 0) this.groups.push({ group, first, end });
    return nFlexible <= 1;
  }

  /** Null without items. */
  finish(nGroups: number): FlatRegex | null {
    this.flush();
    return this.items.length === 0 ? null : new FlatRegex(this.items, this.groups, nGroups);
  }

  private repeat(set: Uint8Array, least: number, most: number): boolean {
    this.flush();
    const isLine = set[NEWLINE] === 0 && set.indexOf(0) === NEWLINE && set.lastIndexOf(0) === NEWLINE;
    this.items.push({ kind: ItemKind.Repeat, set, least, most, isLine });
    return true;
  }

  /** Ends the text that characters have been gathered to. */
  private flush(): void {
    if (this.text !== '') this.items.push({ kind: ItemKind.Text, text: this.text });
    this.text = '';
  }
}

/** The only character of a set, -1 where it has more. */
function soleMember(set: Uint8Array): number {
  const code = set.indexOf(1);
  return code >= 0 && set.lastIndexOf(1) === code ? code : -1;
}

/** Branches of one character each as one set. */
function unionOf(branches: readonly Node[]): Uint8Array | null {
  const all = new Uint8Array(256);
  for (const branch of branches) {
    if (branch.kind !== Kind.Chars) return null;
    for (let code = 0; code < 256; code++) all[code] |= branch.set[code]!;
  }
  return all;
}

/** The row that `root` is, null where it has branches or repeats more than single characters. */
export function flatten(root: Node, nGroups: number): FlatRegex | null {
  const row = new RowBuilder();
  return row.add(root) ? row.finish(nGroups) : null;
}

const isFlexible = (item: Item): boolean => item.kind === ItemKind.Repeat && item.least !== item.most;

/** Whether an item that is repeated takes all that it can in every match: what follows it begins with none of its characters. */
function takesAll(item: Item, next: Item | undefined): boolean {
  if (item.kind !== ItemKind.Repeat || !isFlexible(item) || next === undefined) return true;
  switch (next.kind) {
    case ItemKind.Text:
      return item.set[next.text.charCodeAt(0)] !== 1;
    case ItemKind.LineEnd:
      return item.set[NEWLINE] !== 1;
    default:
      return false;
  }
}

const NONE = -1;
const BYTES_OF_ITEM = 100;

export class FlatRegex {
  /** the longest text of the row, which a match must have; '' without */
  private readonly needed: string;
  /** whether a match may have a line break before it */
  private readonly crossesLines: boolean;
  private readonly firstText: string;
  private readonly firstSet: Uint8Array | null;
  /** where each item begins in the match, and the end, if there is only one way to match; else null */
  private readonly onlyBounds: Int32Array | null;
  /** places looked at by `longest` */
  private work = 0;

  constructor(
    private readonly items: readonly Item[],
    private readonly groups: readonly GroupSpan[],
    private readonly nGroups: number,
  ) {
    let needed = '';
    let crosses = false;
    let crossesBefore = false;
    let isSure = true;
    for (let k = 0; k < items.length; k++) {
      const item = items[k]!;
      if (item.kind === ItemKind.Text && item.text.length > needed.length) {
        needed = item.text;
        crossesBefore = crosses;
      }
      crosses ||= hasLineBreak(item);
      isSure &&= takesAll(item, items[k + 1]);
    }
    this.needed = needed;
    this.crossesLines = crossesBefore;
    this.onlyBounds = isSure ? new Int32Array(items.length + 1) : null;
    const first = items[0];
    this.firstText = first?.kind === ItemKind.Text ? first.text : '';
    this.firstSet = first?.kind === ItemKind.Repeat && first.least > 0 ? first.set : null;
  }

  /** about as many as it takes */
  get bytes(): number {
    return BYTES_OF_ITEM * this.items.length;
  }

  /** As PosixRegex.match; after `patience` steps `search` is asked for the match at or after a place. */
  match(
    text: string,
    begin: number,
    end: number,
    patience: number,
    search: (from: number) => readonly [start: number, stop: number] | null,
  ): Int32Array | null {
    const { needed, firstText, firstSet } = this;
    let neededAt = NONE;
    this.work = 0;
    for (let start = begin; start <= end; start++) {
      if (needed !== '' && neededAt < start) {
        neededAt = text.indexOf(needed, start);
        if (neededAt < 0 || neededAt + needed.length > end) return null;
        // lastIndexOf takes a negative place for 0.
        if (!this.crossesLines && neededAt > 0) start = Math.max(start, text.lastIndexOf('\n', neededAt - 1) + 1);
      }
      if (firstText !== '') {
        start = text.indexOf(firstText, start);
        if (start < 0 || start + firstText.length > end) return null;
      } else if (firstSet !== null) {
        while (start < end && firstSet[text.charCodeAt(start)] !== 1) start++;
        if (start === end) return null;
      }
      // Beyond the text that is needed the next one decides where to begin.
      if (needed !== '' && neededAt < start) {
        start--;
        continue;
      }
      const stop = this.longest(text, start, begin, end);
      if (stop >= 0) return this.dissect(text, start, stop, begin, end);
      if (this.work > patience) {
        const span = search(start + 1);
        if (span === null) return null;
        if (this.onlyBounds !== null) this.only(this.onlyBounds, text, span[0], begin, end);
        return this.dissect(text, ...span, begin, end);
      }
    }
    return null;
  }

  /** End of the longest match that begins at `start`, -1 = none. */
  private longest(text: string, start: number, begin: number, end: number): number {
    if (this.onlyBounds !== null) return this.only(this.onlyBounds, text, start, begin, end);
    let places = [start];
    for (let k = 0; k < this.items.length; k++) {
      const next: number[] = [];
      /** places above this one are not yet in `next` */
      let last = NONE;
      for (const place of places) {
        const item = this.items[k]!;
        if (item.kind !== ItemKind.Repeat) {
          const to = step(item, text, place, begin, end);
          if (to >= 0) next.push(to);
          continue;
        }
        const furthest = extent(item, text, place, end);
        for (let to = Math.max(place + item.least, last + 1); to <= furthest; to++) next.push(to);
        last = Math.max(last, furthest);
      }
      this.work += next.length;
      if (next.length === 0) return NONE;
      places = next;
    }
    return places[places.length - 1]!;
  }

  /** The same where each item takes all that it can; notes where. */
  private only(bounds: Int32Array, text: string, start: number, begin: number, end: number): number {
    const { items } = this;
    let at = start;
    for (let k = 0; k < items.length; k++) {
      const item = items[k]!;
      bounds[k] = at;
      let to: number;
      if (item.kind === ItemKind.Repeat) {
        to = extent(item, text, at, end);
        this.work += to - at + 1;
        if (to < at + item.least) return NONE;
      } else {
        to = step(item, text, at, begin, end);
        this.work++;
        if (to < 0) return NONE;
      }
      at = to;
    }
    bounds[items.length] = at;
    return at;
  }

  /** The groups of the match [start, stop): each item takes what the items after it leave. */
  private dissect(text: string, start: number, stop: number, begin: number, end: number): Int32Array {
    const found = new Int32Array(2 + 2 * this.nGroups).fill(NONE);
    found[0] = start;
    found[1] = stop;
    if (this.groups.length === 0) return found;
    const bounds = this.onlyBounds ?? this.bounds(text, start, stop, begin, end);
    for (const { group, first, end: last } of this.groups) {
      found[2 * group] = bounds[first]!;
      found[2 * group + 1] = bounds[last]!;
    }
    return found;
  }

  /** Where each item begins, and the end. */
  private bounds(text: string, start: number, stop: number, begin: number, end: number): Int32Array {
    const { items } = this;
    const bounds = new Int32Array(items.length + 1);
    /** ways that were tried in vain: item and place */
    const failed = new Set<number>();
    const width = stop - start + 1;
    const fits = (k: number, at: number): boolean => {
      bounds[k] = at;
      if (k === items.length) return at === stop;
      const key = k * width + at - start;
      if (failed.has(key)) return false;
      const item = items[k]!;
      if (item.kind !== ItemKind.Repeat) {
        const to = step(item, text, at, begin, end);
        if (to >= 0 && to <= stop && fits(k + 1, to)) return true;
      } else {
        for (let to = extent(item, text, at, stop); to >= at + item.least; to--) if (fits(k + 1, to)) return true;
      }
      failed.add(key);
      return false;
    };
    fits(0, start);
    return bounds;
  }
}

const hasLineBreak = (item: Item): boolean =>
  item.kind === ItemKind.Text ? item.text.includes('\n') : item.kind === ItemKind.Repeat && item.set[NEWLINE] === 1;

/** After an item of fixed length at `at`, -1 where it does not match. */
function step(
  item: Exclude<Item, { kind: ItemKind.Repeat }>,
  text: string,
  at: number,
  begin: number,
  end: number,
): number {
  switch (item.kind) {
    case ItemKind.Text:
      return at + item.text.length <= end && text.startsWith(item.text, at) ? at + item.text.length : NONE;
    case ItemKind.LineStart:
      return at === begin || text.charCodeAt(at - 1) === NEWLINE ? at : NONE;
    case ItemKind.LineEnd:
      return at === end || text.charCodeAt(at) === NEWLINE ? at : NONE;
  }
}

/** The furthest place to which a repeated set can go from `at`, at most `end`. */
function extent(item: Extract<Item, { kind: ItemKind.Repeat }>, text: string, at: number, end: number): number {
  const limit = Math.min(end, at + item.most);
  if (item.isLine) {
    const eol = text.indexOf('\n', at);
    return eol < 0 ? limit : Math.min(limit, eol);
  }
  const { set } = item;
  let to = at;
  while (to < limit && set[text.charCodeAt(to)] === 1) to++;
  return to;
}
