/** The text of a function's body without some of its instructions, blocks and edges; what then reads nothing is `undef`, so that the rest stays as it was. */
import { nameOf, typeText } from '../words/registerNames.js';
import {
  BundleFlag,
  OperandKind,
  OpFlag,
  type BlockId,
  type FunctionSource,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import type { TextRange } from '../../text/diagnostic.js';
import type { SourceText, TextEdit } from '../../text/sourceText.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { apart } from './parts.js';
import { DefinitionFlow, MAX_LIVE_INS, type BodyShape, type UndefinedReads } from './undefinedReads.js';

/** One that can still lose parts. */
interface Shape extends BodyShape {
  readonly successors: (readonly BlockId[] | null)[];
}

const NOTHING: ReadonlyMap<number, number> = new Map();
const INDENT = '    ';

/** One version of a function, for many shapes of it. */
export class BodyEditor {
  readonly fn: MachineFunction;
  private readonly source: FunctionSource;
  private readonly text: SourceText;
  private readonly start: number;
  private readonly flow: DefinitionFlow;
  /** what reads nothing as the function stands */
  private readonly before: UndefinedReads;
  /** by operand: the text has the register's class there */
  private readonly hasClass: Uint8Array;
  private readonly phis: ReadonlySet<number>;

  private constructor(snapshot: Snapshot, view: FunctionView, fn: MachineFunction, source: FunctionSource) {
    this.fn = fn;
    this.source = source;
    this.text = snapshot.text;
    this.start = view.start;
    this.phis = opcodeSet(fn.tables, 'phi');
    this.flow = new DefinitionFlow(fn);
    this.before = this.flow.undefinedReads(this.whole());
    this.hasClass = new Uint8Array(fn.nOperands);
    for (let i = 0; i < fn.nInstrs; i++)
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if (isVirtualReg(fn.opVal[o]!)) this.hasClass[o] = this.operandText(i, o).includes(':') ? 1 : 0;
  }

  /** null: the function cannot be read. O(operands) */
  static of(snapshot: Snapshot, view: FunctionView): BodyEditor | null {
    const { fn } = view;
    return fn?.source && fn.blocks.length > 0 ? new BodyEditor(snapshot, view, fn, fn.source) : null;
  }

  /** A shape that has all. */
  whole(): Shape {
    const { fn } = this;
    return {
      goneInstrs: new Uint8Array(fn.nInstrs),
      goneBlocks: new Uint8Array(fn.blocks.length),
      successors: fn.blocks.map(() => null),
    };
  }

  /** Instructions and bundles in the order of the text: the first and the last of each. */
  units(): { readonly members: readonly InstrId[]; readonly block: BlockId }[] {
    const { fn } = this;
    const units: { members: InstrId[]; block: BlockId }[] = [];
    for (let b = 0; b < fn.blocks.length; b++)
      for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
        const i = fn.order[p]!;
        if ((fn.bundle[i]! & BundleFlag.BundledPred) !== 0) units.at(-1)!.members.push(i);
        else units.push({ members: [i], block: b });
      }
    return units;
  }

  isPhi(i: InstrId): boolean {
    return this.phis.has(this.fn.opcode[i]!);
  }

  operandAt(i: InstrId, o: OperandId): TextRange {
    const { start, end } = this.source.operandRange(i, o - this.fn.opBegin[i]!);
    return { start: this.start + start, end: this.start + end };
  }

  instrAt(i: InstrId): TextRange {
    const { start, end } = this.source.instrRange(i);
    return { start: this.start + start, end: this.start + end };
  }

  opcodeAt(i: InstrId): TextRange {
    const { start, end } = this.source.opcodeRange(i);
    return { start: this.start + start, end: this.start + end };
  }

  operandText(i: InstrId, o: OperandId): string {
    const { start, end } = this.operandAt(i, o);
    return this.text.slice(start, end);
  }

  /** Whole lines of a unit, with the brace that ends a bundle. */
  linesOf(members: readonly InstrId[]): TextRange {
    const { text } = this;
    const first = text.lineAt(this.instrAt(members[0]!).start);
    let last = text.lineAt(Math.max(0, this.instrAt(members.at(-1)!).end - 1));
    if (members.length > 1 || this.text.slice(0, this.instrAt(members[0]!).end).endsWith('{'))
      while (last + 1 < text.lineCount && !/^\s*\}/.test(this.line(last))) last++;
    return { start: text.lineStart(first), end: text.lineStart(last + 1) };
  }

  private line(n: number): string {
    return this.text.slice(this.text.lineStart(n), this.text.lineEnd(n));
  }

  blockNumber(b: BlockId): number {
    return this.fn.blocks[b]!.sourceNumber;
  }

  blockAt(b: BlockId): TextRange {
    const { start, end } = this.source.blockRange(b);
    return { start: this.start + start, end: this.start + end };
  }

  /** The lines between the label of a block and its first instruction. */
  headerLines(b: BlockId): TextRange {
    const { fn, text } = this;
    const label = this.source.blockLabelRange(b);
    const start = text.lineStart(text.lineAt(this.start + label.end) + 1);
    if (fn.blockBegin[b]! < fn.blockEnd[b]!)
      return {
        start,
        end: Math.max(start, text.lineStart(text.lineAt(this.instrAt(fn.order[fn.blockBegin[b]!]!).start))),
      };
    const { end } = this.blockAt(b);
    const to = text.lineStart(text.lineAt(end));
    return { start, end: Math.max(start, to) };
  }

  /** `successors:` and `liveins:` as lines; of the live-ins those that are not `lost`. */
  headerText(b: BlockId, successors: readonly BlockId[], lost: (index: number) => boolean): string {
    const { fn, text } = this;
    const block = fn.blocks[b]!;
    const names = block.liveIns.flatMap((_, k) => {
      const { start, end } = this.source.liveInRange(b, k);
      return lost(k) ? [] : [text.slice(this.start + start, this.start + end)];
    });
    let lines = '';
    if (successors.length > 0)
      lines += `${INDENT}successors: ${successors.map((s) => `%bb.${this.blockNumber(s)}`).join(', ')}\n`;
    if (names.length > 0) lines += `${INDENT}liveins: ${names.join(', ')}\n`;
    return lines;
  }

  /** Whether it leads to another block. */
  isBranch(i: InstrId): boolean {
    const { fn } = this;
    if (this.isPhi(i) || !hasOpcodeFlag(fn.tables, fn.opcode[i]!, McFlag.Terminator)) return false;
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) if (fn.opKind[o] === OperandKind.MBB) return true;
    return false;
  }

  /**
   * The edits that leave `shape`, which is completed: who led to a block that is gone leads to what comes after it, and what nobody leads to any more is gone.
   * `instead`: virtual registers that are read for others.
   */
  edits(shape: Shape, instead: ReadonlyMap<number, number> = NOTHING): readonly TextEdit[] {
    const { fn } = this;
    const edits: TextEdit[] = [];
    const after = this.complete(shape);
    const appended = new Map<BlockId, string>();
    for (let b = 0; b < fn.blocks.length; b++)
      if (!shape.goneBlocks[b] && shape.successors[b]) this.rewriteBranches(b, shape, after, appended, edits);
    this.dropEmptyPhis(shape);
    const reads = this.flow.undefinedReads(shape);
    for (let b = 0; b < fn.blocks.length; b++) {
      if (shape.goneBlocks[b]) {
        const { start, end } = this.blockAt(b);
        edits.push({ start: this.text.lineStart(this.text.lineAt(start)), end: this.endOfBlock(end), text: '' });
        continue;
      }
      this.editHeader(b, shape, reads, edits);
      const more = appended.get(b);
      if (more !== undefined) {
        const at = this.endOfInstrs(b);
        edits.push({ start: at, end: at, text: more });
      }
    }
    for (const { members, block } of this.units()) {
      if (shape.goneBlocks[block]) continue;
      if (shape.goneInstrs[members[0]!]) edits.push({ ...this.linesOf(members), text: '' });
      else for (const i of members) this.editOperands(i, shape, reads, instead, edits);
    }
    this.writeClasses(shape, edits);
    return ordered(edits);
  }

  /** By gone block: the first block that is left on the way from it; null = there is none. */
  private complete(shape: Shape): Map<BlockId, BlockId | null> {
    const { fn } = this;
    const { goneBlocks, successors } = shape;
    const after = new Map<BlockId, BlockId | null>();
    for (let b = 0; b < fn.blocks.length; b++) {
      if (!goneBlocks[b]) continue;
      const seen = new Set([b]);
      const way = [b];
      let found: BlockId | null = null;
      for (let at = way.pop(); at !== undefined && found === null; at = way.pop())
        for (const s of fn.blocks[at]!.successors) {
          if (!goneBlocks[s]) found ??= s;
          else if (!seen.has(s)) way.push(s);
          seen.add(s);
        }
      after.set(b, found);
    }
    fn.blocks.forEach((block, b) => {
      if (goneBlocks[b] || !block.successors.some((s) => goneBlocks[s])) return;
      const left = (successors[b] ?? block.successors).flatMap((s) => (goneBlocks[s] ? (after.get(s) ?? []) : [s]));
      successors[b] = [...new Set(left)];
    });
    const wasThere = this.reachable(this.whole());
    const isThere = this.reachable(shape);
    for (let b = 0; b < fn.blocks.length; b++) if (wasThere[b] && !isThere[b]) goneBlocks[b] = 1;
    return after;
  }

  private reachable({ goneBlocks, successors }: BodyShape): Uint8Array {
    const found = new Uint8Array(this.fn.blocks.length);
    const queue = [0];
    found[0] = 1;
    for (let b = queue.pop(); b !== undefined; b = queue.pop())
      for (const s of successors[b] ?? this.fn.blocks[b]!.successors)
        if (!goneBlocks[s] && !found[s]) {
          found[s] = 1;
          queue.push(s);
        }
    return found;
  }

  /** Branches of a block whose successors are others. `appended` takes the line that it ends with. */
  private rewriteBranches(
    b: BlockId,
    shape: Shape,
    after: ReadonlyMap<BlockId, BlockId | null>,
    appended: Map<BlockId, string>,
    edits: TextEdit[],
  ): void {
    const { fn } = this;
    const left = shape.successors[b]!;
    let next = b + 1;
    while (next < fn.blocks.length && shape.goneBlocks[next]) next++;
    const jump = (to: BlockId | undefined): void => {
      if (to === undefined) appended.set(b, `${INDENT}S_ENDPGM 0\n`);
      else if (to !== next) appended.set(b, `${INDENT}S_BRANCH %bb.${this.blockNumber(to)}\n`);
    };
    const targets = new Set<BlockId>();
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      if (!this.isBranch(i)) continue;
      if (left.length < 2) shape.goneInstrs[i] = 1;
      for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
        if (fn.opKind[o] !== OperandKind.MBB) continue;
        const to = fn.opVal[o]!;
        targets.add(to);
        const other = shape.goneBlocks[to] ? after.get(to) : to;
        if (left.length < 2 || other === to) continue;
        if (other === null || other === undefined) shape.goneInstrs[i] = 1;
        else edits.push({ ...this.operandAt(i, o), text: `%bb.${this.blockNumber(other)}` });
      }
    }
    if (left.length < 2) return jump(left[0]);
    const through = fn.blocks[b]!.successors.find((s) => !targets.has(s));
    if (through === undefined) return;
    const to = shape.goneBlocks[through] ? after.get(through) : through;
    if (to !== null) jump(to);
  }

  private endOfBlock(end: number): number {
    const line = this.text.lineAt(end);
    return this.text.lineStart(line) === end || end >= this.text.length ? end : this.text.lineStart(line);
  }

  /** Where a line after the last instruction begins. */
  private endOfInstrs(b: BlockId): number {
    const { fn } = this;
    if (fn.blockBegin[b] === fn.blockEnd[b]) return this.headerLines(b).end;
    let first = fn.blockEnd[b]! - 1;
    while (first > fn.blockBegin[b]! && (fn.bundle[fn.order[first]!]! & BundleFlag.BundledPred) !== 0) first--;
    return this.linesOf([...fn.order.subarray(first, fn.blockEnd[b])]).end;
  }

  /** A PHI that no edge leads to any more is gone. */
  private dropEmptyPhis(shape: BodyShape): void {
    const { fn } = this;
    for (let i = 0; i < fn.nInstrs; i++) {
      if (shape.goneInstrs[i] || !this.isPhi(i)) continue;
      if (this.phiPairs(i).length > 0 && this.phiPairs(i).every((o) => !this.hasEdge(shape, i, o)))
        shape.goneInstrs[i] = 1;
    }
  }

  /** The registers of a PHI's pairs. */
  private phiPairs(i: InstrId): OperandId[] {
    const pairs: OperandId[] = [];
    for (let o = this.fn.opBegin[i]! + 1; o + 1 < this.fn.opBegin[i + 1]!; o += 2) pairs.push(o);
    return pairs;
  }

  private hasEdge({ goneBlocks, successors }: BodyShape, i: InstrId, pair: OperandId): boolean {
    const { fn } = this;
    const from = fn.opVal[pair + 1]!;
    if (fn.opKind[pair + 1] !== OperandKind.MBB) return true;
    return !goneBlocks[from] && (successors[from] ?? fn.blocks[from]!.successors).includes(fn.instrBlock[i]!);
  }

  private editHeader(b: BlockId, shape: BodyShape, reads: UndefinedReads, edits: TextEdit[]): void {
    const block = this.fn.blocks[b]!;
    const isLost = (k: number): boolean => {
      const key = b * MAX_LIVE_INS + k;
      return reads.liveIns.has(key) && !this.before.liveIns.has(key);
    };
    const left = shape.successors[b] ?? block.successors;
    const hasOthers = left.length !== block.successors.length || left.some((s, k) => s !== block.successors[k]);
    if (!hasOthers && !block.liveIns.some((_, k) => isLost(k))) return;
    const isSaid = this.source.successorsRange(b) !== null;
    edits.push({ ...this.headerLines(b), text: this.headerText(b, isSaid || hasOthers ? left : [], isLost) });
  }

  private isNew(reads: UndefinedReads, o: OperandId): boolean {
    return reads.operands.has(o) && !this.before.operands.has(o);
  }

  private editOperands(
    i: InstrId,
    shape: BodyShape,
    reads: UndefinedReads,
    instead: ReadonlyMap<number, number>,
    edits: TextEdit[],
  ): void {
    const { fn } = this;
    const pairs = this.isPhi(i) ? this.phiPairs(i) : [];
    if (pairs.some((o) => !this.hasEdge(shape, i, o))) {
      const texts = pairs
        .filter((o) => this.hasEdge(shape, i, o))
        .map((o) => `${this.isNew(reads, o) ? 'undef ' : ''}${this.operandText(i, o)}, ${this.operandText(i, o + 1)}`);
      const { start } = this.operandAt(i, pairs[0]!);
      edits.push({ start, end: this.operandAt(i, pairs.at(-1)! + 1).end, text: texts.join(', ') });
      return;
    }
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      let other = isVirtualReg(fn.opVal[o]!) ? instead.get(virtRegIndex(fn.opVal[o]!)) : undefined;
      if (other !== undefined) {
        for (let next = instead.get(other); next !== undefined; next = instead.get(other)) other = next;
        const { start, end } = this.operandAt(i, o);
        const name = /%[\w$-]+/.exec(this.text.slice(start, end));
        if (name === null) continue;
        const at = start + name.index;
        edits.push({ start: at, end: at + name[0].length, text: nameOf(fn, other) });
        continue;
      }
      if (!this.isNew(reads, o)) continue;
      const { start } = this.operandAt(i, o);
      edits.push({ start, end: start, text: 'undef ' });
    }
  }

  /** Classes that only what is gone had, where the register first stands now. */
  private writeClasses(shape: BodyShape, edits: TextEdit[]): void {
    const { fn, hasClass } = this;
    const wanted = new Set<number>();
    const isGone = (i: InstrId): boolean => shape.goneInstrs[i] !== 0 || shape.goneBlocks[fn.instrBlock[i]!] !== 0;
    for (let i = 0; i < fn.nInstrs; i++)
      if (isGone(i))
        for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
          if (hasClass[o]) wanted.add(virtRegIndex(fn.opVal[o]!));
    if (wanted.size === 0) return;
    const first = new Map<number, { readonly i: InstrId; readonly o: OperandId }>();
    for (let p = 0, i = 0; p < fn.nInstrs; p++) {
      i = fn.order[p]!;
      if (isGone(i)) continue;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        const reg = fn.opVal[o]!;
        if (!isVirtualReg(reg) || !wanted.has(virtRegIndex(reg))) continue;
        if (hasClass[o]) wanted.delete(virtRegIndex(reg));
        else if (!first.has(virtRegIndex(reg))) first.set(virtRegIndex(reg), { i, o });
      }
    }
    for (const v of wanted) {
      const place = first.get(v);
      if (place === undefined || this.source.vregDeclRange(v) !== null) continue;
      const { vregs } = fn;
      const own = typeText(fn, { regClass: vregs.regClass[v]!, bank: vregs.bank[v]!, type: vregs.type[v]! });
      if (own === '') continue;
      const { start, end } = this.operandAt(place.i, place.o);
      const name = /%[\w.$-]+/.exec(this.text.slice(start, end));
      if (name === null) continue;
      const at = start + name.index + name[0].length;
      edits.push({ start: at, end: at, text: `:${own}` });
    }
  }

  /** Whether the operand reads a register, and the text says nothing else of it. */
  readsRegister(o: OperandId): boolean {
    return (
      this.fn.opKind[o] === OperandKind.Register &&
      (this.fn.opFlags[o]! & (OpFlag.Def | OpFlag.Undef | OpFlag.Debug)) === 0
    );
  }
}

/** Insertions at one place stay in their order; what lies within a larger edit goes with it. */
function ordered(edits: readonly TextEdit[]): TextEdit[] {
  const kept = apart(edits.filter((e) => e.end > e.start));
  const inserted = edits.filter((e) => e.end === e.start).sort((a, b) => a.start - b.start);
  let k = 0;
  const outside = inserted.filter(({ start }) => {
    while (k < kept.length && kept[k]!.end <= start) k++;
    return k === kept.length || start <= kept[k]!.start;
  });
  return [...kept, ...outside].sort((a, b) => a.start - b.start || a.end - b.end);
}
