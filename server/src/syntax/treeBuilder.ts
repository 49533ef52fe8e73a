/** Writes packed trees (see tree.ts) in prefix order: open, children, close. */
import { ownString } from '../util/ownString.js';
import { STRIDE, SyntaxKind, Tree, type Node } from './tree.js';

const INITIAL_FIELDS = 4096;

export class TreeBuilder {
  /** fields written so far = position of the next record */
  size = 0;
  private data = new Int32Array(INITIAL_FIELDS);
  private messages: string[] = [];

  /** Starts over. The buffer is kept. */
  reset(): void {
    this.size = 0;
    if (this.messages.length > 0) this.messages = [];
  }

  /** Begins a node; its end and subtree bound are set by `close`. */
  open(kind: SyntaxKind, start: number): Node {
    const n = this.size;
    if (n + STRIDE > this.data.length) this.grow();
    const d = this.data;
    d[n] = kind;
    d[n + 1] = start;
    d[n + 2] = start;
    d[n + 3] = n + STRIDE;
    d[n + 4] = 0;
    d[n + 5] = 0;
    this.size = n + STRIDE;
    return n;
  }

  /** `end`: where the last token of it ended; before its start when it has none. */
  close(n: Node, end: number): void {
    this.data[n + 2] = Math.max(end, this.data[n + 1]);
    this.data[n + 3] = this.size;
  }

  leaf(kind: SyntaxKind, start: number, end: number, value = 0, aux = 0, flags = 0): Node {
    const n = this.size;
    if (n + STRIDE > this.data.length) this.grow();
    const d = this.data;
    d[n] = kind | (flags << 8);
    d[n + 1] = start;
    d[n + 2] = end;
    d[n + 3] = n + STRIDE;
    d[n + 4] = value;
    d[n + 5] = aux;
    this.size = n + STRIDE;
    return n;
  }

  /**
   * Writes the YAML records [from, to) again for text that is the same but for one integer scalar, the record `number`, whose value there
   * is `value`. Offsets up to that scalar's start move by `before`, those after it by `after`.
   */
  repeatYaml(from: Node, to: Node, number: Node, value: number, before: number, after: number): void {
    while (this.size + to - from > this.data.length) this.grow();
    const d = this.data;
    const pivot = d[number + 1];
    let n = this.size;
    const distance = n - from;
    for (let o = from; o < to; o += STRIDE, n += STRIDE) {
      const head = d[o];
      const kind = head & 0xff;
      const start = d[o + 1];
      const end = d[o + 2];
      const aux = d[o + 5];
      d[n] = head;
      d[n + 1] = start + (start <= pivot ? before : after);
      d[n + 2] = end + (end <= pivot ? before : after);
      d[n + 3] = d[o + 3] + distance;
      d[n + 4] = d[o + 4];
      const isCollection = kind === SyntaxKind.YamlMapping || kind === SyntaxKind.YamlSequence;
      d[n + 5] = isCollection ? aux + (aux <= pivot ? before : after) : aux;
    }
    d[number + distance + 5] = value;
    this.size = n;
  }

  setValue(n: Node, value: number): void {
    this.data[n + 4] = value;
  }

  setKind(n: Node, kind: SyntaxKind): void {
    this.data[n] = (this.data[n] & ~0xff) | kind;
  }

  /** Forgets everything written from position `size` on. */
  rewind(size: number): void {
    this.size = size;
  }

  setAux(n: Node, aux: number): void {
    this.data[n + 5] = aux;
  }

  addFlags(n: Node, flags: number): void {
    this.data[n] |= flags << 8;
  }

  flags(n: Node): number {
    return this.data[n] >>> 8;
  }

  kindOf(n: Node): SyntaxKind {
    return this.data[n] & 0xff;
  }

  startOf(n: Node): number {
    return this.data[n + 1];
  }

  endOf(n: Node): number {
    return this.data[n + 2];
  }

  valueOf(n: Node): number {
    return this.data[n + 4];
  }

  auxOf(n: Node): number {
    return this.data[n + 5];
  }

  /** Index of a message for Error nodes. */
  message(text: string): number {
    return this.messages.push(ownString(text)) - 1;
  }

  /** An exactly sized copy of what was written. */
  build(): Tree {
    return new Tree(this.data.slice(0, this.size), this.size, this.messages);
  }

  private grow(): void {
    const larger = new Int32Array(this.data.length * 2);
    larger.set(this.data);
    this.data = larger;
  }
}
