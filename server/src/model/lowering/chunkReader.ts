/** Base of chunk lowering: a chunk's tree and text, its complaints, names, and the columns that operands are added to. */
import {
  ErrorFlag,
  ERROR_ON_NEXT_LINE,
  NameFlag,
  NO_NODE,
  STRIDE,
  SyntaxKind,
  type Chunk,
  type Node,
  type Tree,
} from '../../syntax/tree.js';
import type { Facts } from '../../text/diagnostic.js';
import { ownString } from '../../util/ownString.js';
import { OperandKind, type OperandPayload } from '../machineFunction.js';
import { IRFunction } from '../../ir/module.js';
import type { ChunkScratch, SpecialOpcodes } from './chunkScratch.js';
import { DUMMY_ENTRY_BLOCK, type FunctionContext } from './context.js';
import { Phase } from './diagnostics.js';
import { errorOf24 } from './lowLevelTypes.js';
import {
  LineKind,
  type BlockReference,
  type BodyLine,
  type ChunkDiagnostic,
  type ConditionOperand,
} from './packedChunk.js';

const LONGEST_TYPE = 80;

/** A complaint that ends the instruction; thrown nowhere, answered by the functions that read operands. */
export interface Complaint {
  readonly start: number;
  readonly end: number;
  readonly code: string;
  readonly message: string;
  readonly facts?: Facts;
  readonly llcOffset?: number;
  readonly order?: number;
}

export class ChunkReader {
  protected readonly tree: Tree;
  protected readonly diagnostics: ChunkDiagnostic[] = [];
  protected readonly lines: BodyLine[] = [];
  protected readonly payloads: OperandPayload[] = [];
  protected readonly payloadOperands: number[] = [];
  protected readonly conditionOperands: ConditionOperand[] = [];
  protected readonly blockReferences: BlockReference[] = [];
  protected nInstrs = 0;
  protected nOperands = 0;
  /** of the instruction being read */
  protected opcode = -1;
  protected begin = 0;
  protected pendingTargetFlags = 0;
  /** in Chunk.errors */
  protected errorIdx = 0;

  constructor(
    protected readonly chunk: Chunk,
    protected readonly text: string,
    protected readonly chunkStart: number,
    protected readonly context: FunctionContext,
    protected readonly special: SpecialOpcodes,
    protected readonly s: ChunkScratch,
    protected readonly bodyEnd: number,
  ) {
    this.tree = chunk.tree;
    s.ensure(chunk.nInstrs + 1, chunk.tree.size / STRIDE + 1);
    s.generation++;
  }

  // -- complaints --------------------------------------------------------------------------------------------------

  /** The text of a node, which may stay with the chunk in later versions of the file. */
  protected slice(n: Node): string {
    return ownString(this.text, this.chunkStart + this.tree.start(n), this.chunkStart + this.tree.end(n));
  }

  protected complaint(n: Node, code: string, message: string): Complaint {
    return { start: this.tree.start(n), end: this.tree.end(n), code, message };
  }

  protected report(c: Complaint, phase = Phase.Body): void {
    this.diagnostics.push({
      phase,
      order: c.order ?? c.start,
      start: c.start,
      end: c.end,
      code: c.code,
      message: ownString(c.message),
      facts: c.facts ?? null,
      llcOffset: c.llcOffset ?? c.start,
    });
  }

  /** First Error node in [n, end) that counts; `end` when there is none. Called with ascending n. */
  protected firstErrorWithin(n: Node, end: Node): Node {
    const { errors } = this.chunk;
    if (errors.length === 0) return end;
    while (this.errorIdx < errors.length && errors[this.errorIdx] < n) this.errorIdx++;
    for (let e = this.errorIdx; e < errors.length && errors[e] < end; e++) {
      if (!this.isIgnoredError(errors[e])) return errors[e];
    }
    return end;
  }

  /** An error that llc would have reported at the next token, when there is none. */
  protected isIgnoredError(n: Node): boolean {
    if ((this.tree.flags(n) & ErrorFlag.UnlessLastLine) === 0) return false;
    const { text } = this;
    let p = this.chunkStart + this.tree.end(n);
    while (p < this.bodyEnd && text.charCodeAt(p) !== 10 && text.charCodeAt(p) !== 13) p++;
    for (; p < this.bodyEnd; p++) {
      const c = text.charCodeAt(p);
      if (c === 59) while (p + 1 < this.bodyEnd && text.charCodeAt(p + 1) !== 10 && text.charCodeAt(p + 1) !== 13) p++;
      else if (c !== 32 && c !== 9 && c !== 10 && c !== 13) return false;
    }
    return true;
  }

  /** Lexical errors and misplaced labels in [n, end) after the one that has been reported. */
  protected reportScanErrors(n: Node, end: Node, reported: Node): void {
    const { errors } = this.chunk;
    for (let e = this.errorIdx; e < errors.length && errors[e] < end; e++) {
      if (errors[e] <= n || errors[e] === reported) continue;
      if ((this.tree.flags(errors[e]) & ErrorFlag.DefinitionScan) !== 0) this.syntaxError(errors[e]);
    }
  }

  protected syntaxError(n: Node): void {
    const { tree } = this;
    const start = tree.start(n);
    const aux = tree.aux(n);
    const phase = (tree.flags(n) & ErrorFlag.DefinitionScan) !== 0 ? Phase.DefinitionScan : Phase.Body;
    const llcOffset = aux === ERROR_ON_NEXT_LINE ? this.nextLineToken(start) : start + aux;
    let message = tree.message(n);
    let offset = 0;
    if (this.context.subtarget.release.rules.hasFloatLLTs) {
      const at = this.chunkStart + llcOffset;
      ({ message, offset } = errorOf24(message, this.text.slice(at, at + LONGEST_TYPE)));
    }
    this.report({ start, end: tree.end(n), code: 'syntax', message, llcOffset: llcOffset + offset }, phase);
  }

  /** First token of the line after the one that holds `from`; both relative to the chunk. */
  protected nextLineToken(from: number): number {
    const { text } = this;
    let p = this.chunkStart + from;
    while (p < text.length && text.charCodeAt(p) !== 10 && text.charCodeAt(p) !== 13) p++;
    if (text.charCodeAt(p) === 13 && text.charCodeAt(p + 1) === 10) p++;
    p++;
    while (text.charCodeAt(p) === 32 || text.charCodeAt(p) === 9) p++;
    return p - this.chunkStart;
  }

  /** Start of the next token at or after `from` on the same line: a comment counts as blank. */
  protected nextToken(from: number): number {
    const { text } = this;
    let p = this.chunkStart + from;
    for (;;) {
      const c = text.charCodeAt(p);
      if (c === 32 || c === 9) p++;
      else if (c === 59) {
        while (p < text.length && text.charCodeAt(p) !== 10 && text.charCodeAt(p) !== 13) p++;
        return p - this.chunkStart;
      } else return p - this.chunkStart;
    }
  }

  /** The first error within a label or list, and what the definition scan finds besides; braces in skipped text count. */
  protected reportErrors(n: Node): void {
    const { tree } = this;
    const end = tree.next(n);
    const first = this.firstErrorWithin(n, end);
    if (first >= end) return;
    this.syntaxError(first);
    this.reportScanErrors(n, end, first);
    this.braceLines(n);
  }

  /** Braces among the children of a line that has an error. */
  protected braceLines(n: Node): void {
    const { tree } = this;
    const end = tree.next(n);
    for (let c = n + STRIDE; c < end; c = tree.next(c)) {
      const kind = tree.kind(c);
      if (kind === SyntaxKind.BundleOpen) this.line(LineKind.BundleOpen, c, null);
      else if (kind === SyntaxKind.BundleClose) this.line(LineKind.BundleClose, c, null);
    }
  }

  protected line(kind: LineKind, node: Node, info: BodyLine['info']): void {
    this.lines.push({ kind, node, instrsBefore: this.nInstrs, info });
  }

  // -- names and columns -------------------------------------------------------------------------------------------

  protected nameText(n: Node): string {
    return this.context.names.text(this.tree.value(n));
  }

  protected firstInteger(n: Node): number {
    const c = this.tree.childOfKind(n, SyntaxKind.Integer);
    return c === NO_NODE ? 0 : this.tree.intNumber(c);
  }

  /** IR block of a `%ir-block.x` node; complains in the definition scan when there is none. */
  protected irBlock(n: Node): { name: string | null; number: number } | null {
    const found = this.findIRBlock(n, this.context.irFunction);
    if (found !== null) return found;
    this.report(this.complaint(n, 'undefined-ir-block', this.undefinedIRBlock(n)), Phase.DefinitionScan);
    return null;
  }

  protected undefinedIRBlock(n: Node): string {
    const isNumber = (this.tree.flags(n) & NameFlag.Numbered) !== 0;
    return `use of undefined IR block '${isNumber ? `%ir-block.${this.tree.value(n) >>> 0}` : this.slice(n)}'`;
  }

  protected findIRBlock(n: Node, fn: IRFunction | null): { name: string | null; number: number } | null {
    const { tree } = this;
    if ((tree.flags(n) & NameFlag.Numbered) !== 0) {
      const number = tree.value(n);
      const block = fn?.blockBySlot(number) ?? null;
      return block === null ? null : { name: null, number };
    }
    const name = this.nameText(n);
    if (this.context.module === null) return name === DUMMY_ENTRY_BLOCK ? { name, number: -1 } : null;
    return (fn?.blockByName(name) ?? null) === null ? null : { name, number: -1 };
  }

  protected add(n: Node, kind: OperandKind, flags: number, val: number, ext = 0, sub = 0): void {
    const { s } = this;
    const o = this.nOperands++;
    s.kind[o] = kind;
    s.flags[o] = flags;
    s.val[o] = val;
    s.ext[o] = ext;
    s.sub[o] = sub;
    s.tied[o] = -1;
    s.targetFlags[o] = this.pendingTargetFlags;
    s.node[o] = n;
    s.tie[o] = -1;
    this.pendingTargetFlags = 0;
  }

  protected addPayload(n: Node, payload: OperandPayload): null {
    this.payloadOperands.push(this.nOperands);
    this.add(n, payload.kind, 0, this.payloads.length);
    this.payloads.push(payload);
    return null;
  }
}
