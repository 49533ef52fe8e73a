/** Writes packed trees (see tree.ts) in prefix order: open, children, close. */
import { STRIDE, Tree, type Node, type SyntaxKind } from './tree.js';

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

  close(n: Node, end: number): void {
    this.data[n + 2] = end;
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
    return this.messages.push(text) - 1;
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
