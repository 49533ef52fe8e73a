/** FunctionSource over the syntax tree: places are looked up when asked for, nothing is stored per instruction. */
import type { TextRange } from '../../text/diagnostic.js';
import { NO_NODE, SyntaxKind, type Body, type MirDocument, type Node } from '../../syntax/tree.js';
import type { BlockId, FunctionSource, InstrId } from '../machineFunction.js';
import type { HeaderModel } from './header.js';
import type { NameTables } from './names.js';
import type { PackedChunk } from './packedChunk.js';
import type { VRegId } from '../register.js';

/** Where a block's parts stand. */
export interface BlockPlace {
  readonly chunk: number;
  readonly label: Node;
  successors: Node;
  successorsChunk: number;
  readonly liveIns: { readonly chunk: number; readonly node: Node }[];
}

export class LoweredSource implements FunctionSource {
  constructor(
    private readonly doc: MirDocument,
    private readonly header: HeaderModel,
    private readonly body: Body | null,
    private readonly chunks: readonly PackedChunk[],
    private readonly firstInstr: Int32Array,
    private readonly places: readonly BlockPlace[],
    private readonly names: NameTables,
  ) {}

  get document(): TextRange {
    return { start: 0, end: this.doc.length };
  }

  get name(): TextRange {
    return this.header.nameRange;
  }

  private base(chunk: number): number {
    return this.body === null ? 0 : this.body.start + this.body.chunkStarts[chunk];
  }

  private range(chunk: number, n: Node): TextRange {
    const { tree } = this.chunks[chunk].chunk;
    const base = this.base(chunk);
    return { start: base + tree.start(n), end: base + tree.end(n) };
  }

  private chunkOf(i: InstrId): number {
    let lo = 0;
    let hi = this.chunks.length - 1;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (this.firstInstr[mid] <= i) lo = mid;
      else hi = mid - 1;
    }
    return lo;
  }

  /** Empty range at the name for instructions that the text does not have (made later). */
  private get nowhere(): TextRange {
    const { start } = this.header.nameRange;
    return { start, end: start };
  }

  instrRange(i: InstrId): TextRange {
    const c = this.chunkOf(i);
    const p = this.chunks[c];
    const k = i - (this.firstInstr[c] ?? 0);
    if (p === undefined || k >= p.nInstrs) return this.nowhere;
    return this.range(c, p.instrNode[k]);
  }

  opcodeRange(i: InstrId): TextRange {
    const c = this.chunkOf(i);
    const p = this.chunks[c];
    const k = i - (this.firstInstr[c] ?? 0);
    if (p === undefined || k >= p.nInstrs) return this.nowhere;
    const opcode = p.chunk.tree.childOfKind(p.instrNode[k], SyntaxKind.Opcode);
    return this.range(c, opcode === NO_NODE ? p.instrNode[k] : opcode);
  }

  operandRange(i: InstrId, opIdx: number): TextRange {
    const c = this.chunkOf(i);
    const p = this.chunks[c];
    const k = i - (this.firstInstr[c] ?? 0);
    if (p === undefined || k >= p.nInstrs) return this.nowhere;
    const o = p.opBegin[k] + opIdx;
    if (opIdx < 0 || o >= p.opBegin[k + 1]) return this.range(c, p.instrNode[k]);
    return this.range(c, p.opNode[o]);
  }

  memOperandRange(i: InstrId, memIdx: number): TextRange {
    const c = this.chunkOf(i);
    const p = this.chunks[c];
    const k = i - (this.firstInstr[c] ?? 0);
    if (p === undefined || k >= p.nInstrs) return this.nowhere;
    const { tree } = p.chunk;
    const n = p.instrNode[k];
    let left = memIdx;
    for (let m = tree.firstChild(n); m !== NO_NODE; m = tree.nextSibling(m, n)) {
      if (tree.kind(m) === SyntaxKind.MemOperand && left-- === 0) return this.range(c, m);
    }
    return this.range(c, n);
  }

  blockRange(b: BlockId): TextRange {
    const { start } = this.blockLabelRange(b);
    if (b + 1 < this.places.length) return { start, end: this.blockLabelRange(b + 1).start };
    return { start, end: this.body === null ? start : this.body.start + this.body.length };
  }

  blockLabelRange(b: BlockId): TextRange {
    const place = this.places[b];
    return place === undefined ? this.nowhere : this.range(place.chunk, place.label);
  }

  successorsRange(b: BlockId): TextRange | null {
    const place = this.places[b];
    return place === undefined || place.successors === NO_NODE
      ? null
      : this.range(place.successorsChunk, place.successors);
  }

  liveInRange(b: BlockId, idx: number): TextRange {
    const l = this.places[b]?.liveIns[idx];
    return l === undefined ? this.blockLabelRange(b) : this.range(l.chunk, l.node);
  }

  vregDeclRange(vreg: VRegId): TextRange | null {
    return this.header.vregs[vreg]?.range ?? null;
  }

  headerRange(path: string): TextRange | null {
    const { yaml } = this.doc;
    if (yaml.size === 0) return null;
    let node: Node = 0;
    for (const key of path.split('.')) {
      let found: Node = NO_NODE;
      if (yaml.kind(node) !== SyntaxKind.YamlMapping) return null;
      for (let p = yaml.firstChild(node); p !== NO_NODE; p = yaml.nextSibling(p, node)) {
        const k = yaml.firstChild(p);
        if (k === NO_NODE || yaml.kind(k) !== SyntaxKind.YamlScalar) continue;
        if (yaml.value(k) < 0 || this.names.text(yaml.value(k)) !== key) continue;
        found = yaml.nextSibling(k, p);
        break;
      }
      if (found === NO_NODE) return null;
      node = found;
    }
    return { start: yaml.start(node), end: yaml.end(node) };
  }
}
