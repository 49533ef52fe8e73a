/**
 * Everything in a function's document that has a name: registers, blocks, stack objects, constants, globals, IR values,
 * metadata, with all the places where it occurs. Definition, references, highlight, rename and semantic tokens read it.
 *
 * Made from the syntax tree alone, so that it holds while a function is broken. Columns of integers in text order; offsets
 * count from the start of the document, so that an index lives as long as its MirDocument.
 */
import {
  NameFlag,
  NO_NODE,
  RegFlag,
  RegKind,
  STRIDE,
  SyntaxKind,
  YamlFlag,
  type Chunk,
  type MirDocument,
  type Node,
  type Tree,
} from '../../syntax/tree.js';
import { yamlText } from '../../syntax/yamlParser.js';
import type { Interner } from '../../util/interner.js';
import { EntityKind, EntityTable, entityCode } from './entities.js';

export { EntityKind } from './entities.js';

/** What an occurrence does. */
export const enum Role {
  /** a place that introduces the name apart from code: an entry of the header, a block label, a global's definition */
  Declaration = 1,
  Def = 2,
  Use = 4,
  Kill = 8,
  Dead = 16,
  Undef = 32,
  Implicit = 64,
  /** in a `liveins:` line or the header's live-ins */
  LiveIn = 128,
  Debug = 256,
  /** in the YAML header */
  Header = 512,
  /** names a part of the register only */
  SubReg = 1024,
}

/** Occurrences in text order, as columns. */
export class Occurrences {
  n = 0;
  /** the name with its sigil, without sub-register, class and flags */
  start: Int32Array;
  end: Int32Array;
  entity: Int32Array;
  /** Role bits */
  role: Uint16Array;

  constructor(expected: number) {
    this.start = new Int32Array(expected);
    this.end = new Int32Array(expected);
    this.entity = new Int32Array(expected);
    this.role = new Uint16Array(expected);
  }

  add(start: number, end: number, entity: number, role: number): void {
    if (this.n === this.start.length) {
      const length = Math.max(16, this.n * 2);
      this.start = wider(this.start, new Int32Array(length));
      this.end = wider(this.end, new Int32Array(length));
      this.entity = wider(this.entity, new Int32Array(length));
      this.role = wider(this.role, new Uint16Array(length));
    }
    const i = this.n++;
    this.start[i] = start;
    this.end[i] = end;
    this.entity[i] = entity;
    this.role[i] = role;
  }

  append({ n, start, end, entity, role }: Occurrences): void {
    for (let i = 0; i < n; i++) this.add(start[i]!, end[i]!, entity[i]!, role[i]!);
  }

  /** Names of a chunk that begins at `base`. There must be room. */
  appendChunk({ n, start, end, local, role }: ChunkNames, entities: Int32Array, base: number): void {
    const at = this.n;
    for (let i = 0; i < n; i++) {
      this.start[at + i] = start[i]! + base;
      this.end[at + i] = end[i]! + base;
      this.entity[at + i] = entities[local[i]!]!;
    }
    this.role.set(role, at);
    this.n = at + n;
  }
}

/** What stands in the header of a document, before the body and after it; the same for versions that differ in the body. */
interface HeaderNames {
  readonly table: EntityTable;
  readonly front: Occurrences;
  readonly back: Occurrences;
  readonly bodyStart: number;
  /** entities of the chunks that the last versions had */
  readonly chunks: WeakMap<ChunkNames, Int32Array>;
}

export class SymbolIndex {
  /** occurrences before and after the body */
  readonly front: Occurrences;
  readonly back: Occurrences;
  /** entities of this version and of others; they may not occur here */
  readonly table: EntityTable;
  private joined: Occurrences | null = null;
  /** occurrences of entity e are list[listBegin[e]] .. list[listBegin[e + 1] - 1] */
  private listBegin: Int32Array | null = null;
  private list = new Int32Array(0);

  constructor(
    header: HeaderNames,
    /** by chunk of the body: its names, the entity of each of its `codes`, and its start */
    readonly chunkNames: readonly ChunkNames[],
    readonly chunkEntities: readonly Int32Array[],
    private readonly chunkStarts: readonly number[],
  ) {
    this.front = header.front;
    this.back = header.back;
    this.table = header.table;
  }

  /** All occurrences of the document, joined when first asked for: O(n) */
  private get all(): Occurrences {
    if (this.joined !== null) return this.joined;
    const { front, back, chunkNames } = this;
    const all = new Occurrences(chunkNames.reduce((n, chunk) => n + chunk.n, front.n + back.n));
    all.append(front);
    for (let c = 0; c < chunkNames.length; c++)
      all.appendChunk(chunkNames[c]!, this.chunkEntities[c]!, this.chunkStarts[c]!);
    all.append(back);
    return (this.joined = all);
  }

  get n(): number {
    return this.all.n;
  }

  get start(): Int32Array {
    return this.all.start;
  }

  get end(): Int32Array {
    return this.all.end;
  }

  get entity(): Int32Array {
    return this.all.entity;
  }

  /** Role bits */
  get role(): Uint16Array {
    return this.all.role;
  }

  /** by entity */
  get kinds(): readonly EntityKind[] {
    return this.table.kinds;
  }

  get nEntities(): number {
    return this.table.n;
  }

  /** Name or number as text, without sigil and prefix. */
  nameOf(entity: number): string {
    return this.table.nameOf(entity);
  }

  isNamed(entity: number): boolean {
    return this.table.isNamed(entity);
  }

  /** Entity by kind and name; -1 if the document does not have it. Numbers are given as text. */
  find(kind: EntityKind, name: string): number {
    const entity = this.table.find(kind, name);
    return entity >= 0 && this.occurrences(entity).length > 0 ? entity : -1;
  }

  /** The occurrence whose text holds `offset` (its end counts too), or -1. O(log n) */
  at(offset: number): number {
    const i = this.lastFrom(offset);
    if (i >= 0 && offset <= this.end[i]!) return i;
    return -1;
  }

  /** The last occurrence that begins at or before `offset`, or -1. */
  lastFrom(offset: number): number {
    const { n, start } = this.all;
    let lo = -1;
    let hi = n - 1;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (start[mid]! <= offset) lo = mid;
      else hi = mid - 1;
    }
    return lo;
  }

  /** Occurrences of an entity in text order. The lists are made on first use, O(n). */
  occurrences(entity: number): Int32Array {
    if (this.listBegin === null) this.makeLists();
    // Entities that later versions brought have no list here.
    const begin = this.listBegin![entity] ?? this.list.length;
    return this.list.subarray(begin, this.listBegin![entity + 1] ?? this.list.length);
  }

  private makeLists(): void {
    const { n, entity } = this.all;
    const begin = new Int32Array(this.nEntities + 2);
    for (let i = 0; i < n; i++) begin[entity[i]! + 2]!++;
    for (let e = 2; e < begin.length; e++) begin[e]! += begin[e - 1]!;
    this.list = new Int32Array(n);
    for (let i = 0; i < n; i++) this.list[begin[entity[i]! + 1]!++] = i;
    this.listBegin = begin;
  }
}

/** What outlives a version of a document. Owned by the host; entries live as long as their chunk or header. */
export class SymbolCache {
  readonly chunks = new WeakMap<Chunk, ChunkNames>();
  readonly headers = new WeakMap<Tree, HeaderNames>();
}

/** Index of a function document that stands at `docStart` in `text`. O(document), chunks and headers that `cache` knows are cheap. */
export function indexSymbols(
  doc: MirDocument,
  text: string,
  docStart: number,
  interner: Interner,
  cache: SymbolCache,
): SymbolIndex {
  const { body } = doc;
  const chunks = body?.chunks ?? [];
  const starts = chunks.map((_, c) => body!.start + body!.chunkStarts[c]!);
  const names = chunks.map((chunk, c) => cachedNames(chunk, text, docStart + starts[c]!, cache));
  const header = headerNames(doc, text, docStart, interner, names, cache);
  const { table } = header;
  const entities = names.map((chunk) => {
    let known = header.chunks.get(chunk);
    if (known === undefined) {
      known = Int32Array.from(chunk.codes, (code) => table.of(code));
      header.chunks.set(chunk, known);
    }
    return known;
  });
  return new SymbolIndex(header, names, entities, starts);
}

/** Names that were deleted stay in the table until it holds so many more than the document can have. */
const MAX_UNUSED = 4096;

function headerNames(
  { yaml, body }: MirDocument,
  text: string,
  docStart: number,
  interner: Interner,
  chunks: readonly ChunkNames[],
  cache: SymbolCache,
): HeaderNames {
  const bodyStart = body === null ? Infinity : body.start;
  const known = cache.headers.get(yaml);
  // What stands after the body moves with it.
  if (known?.bodyStart === bodyStart && known.back.n === 0) {
    const { table, front } = known;
    const most = chunks.reduce((n, { codes }) => n + codes.length, front.n);
    if (table.n <= 2 * most + MAX_UNUSED) return known;
  }
  const table = new EntityTable(interner);
  const columns = (from: number, to: number): Occurrences => {
    const found = new Occurrences(0);
    new HeaderWalk(found, table, yaml, text, docStart, interner).walk(from, to);
    return found;
  };
  const front = columns(0, bodyStart);
  const back = body === null ? new Occurrences(0) : columns(bodyStart, Infinity);
  const header: HeaderNames = { table, front, back, bodyStart, chunks: new WeakMap() };
  cache.headers.set(yaml, header);
  return header;
}

function cachedNames(chunk: Chunk, text: string, textBase: number, { chunks }: SymbolCache): ChunkNames {
  let names = chunks.get(chunk);
  if (names === undefined) {
    names = namesOfChunk(chunk, text, textBase);
    chunks.set(chunk, names);
  }
  return names;
}

/** Could the index have an occurrence at `offset` (its end counts too)? Answers yes outside of the body. O(chunk + log chunks) */
export function mayHaveName(
  { body }: MirDocument,
  text: string,
  docStart: number,
  offset: number,
  cache: SymbolCache,
): boolean {
  if (body === null || offset < body.start || body.start + body.length <= offset) return true;
  const at = offset - body.start;
  let lo = 0;
  let hi = body.chunks.length - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (body.chunkStarts[mid]! <= at) lo = mid;
    else hi = mid - 1;
  }
  const chunk = body.chunks[lo];
  // At the seam the name may be the last one of the chunk before.
  if (chunk === undefined || at === body.chunkStarts[lo]) return true;
  const base = body.start + body.chunkStarts[lo]!;
  const { n, start, end } = cachedNames(chunk, text, docStart + base, cache);
  for (let i = 0; i < n; i++) if (start[i]! <= offset - base && offset - base <= end[i]!) return true;
  return false;
}

// -- header ------------------------------------------------------------------------------------------------------

/** Keys whose items `- { id: N }` introduce something. */
const ID_KINDS: Readonly<Record<string, EntityKind>> = {
  registers: EntityKind.VReg,
  stack: EntityKind.Stack,
  fixedStack: EntityKind.FixedStack,
  constants: EntityKind.Constant,
  jumpTable: EntityKind.JumpTable,
};

const REFERENCE =
  /^(?:\$([\w.-]+)|%(bb|stack|fixed-stack|const|jump-table)\.(\d+)(?:\.[^\s]*)?|%(\d+)|%([A-Za-z_][\w-]*)|!(\d+))$/;

const REFERENCE_KINDS: Readonly<Record<string, EntityKind>> = {
  bb: EntityKind.Block,
  stack: EntityKind.Stack,
  'fixed-stack': EntityKind.FixedStack,
  const: EntityKind.Constant,
  'jump-table': EntityKind.JumpTable,
};

class HeaderWalk {
  constructor(
    private readonly found: Occurrences,
    private readonly table: EntityTable,
    private readonly tree: Tree,
    private readonly text: string,
    private readonly docStart: number,
    private readonly interner: Interner,
  ) {}

  /** Top-level pairs that begin in [from, to). */
  walk(from: number, to: number): void {
    const { tree } = this;
    if (tree.size === 0 || tree.kind(0) !== SyntaxKind.YamlMapping) return;
    for (let p = tree.firstChild(0); p !== NO_NODE; p = tree.nextSibling(p, 0)) {
      if (tree.start(p) < from || to <= tree.start(p)) continue;
      const k = tree.firstChild(p);
      const v = k === NO_NODE ? NO_NODE : tree.nextSibling(k, p);
      if (v === NO_NODE) continue;
      const key = this.textOf(k);
      if (key === 'name' && tree.kind(v) === SyntaxKind.YamlScalar)
        this.scalar(v, EntityKind.Global, this.textOf(v), true, Role.Declaration | Role.Def | Role.Header);
      else this.values(v, ID_KINDS[key] ?? null, key === 'liveins' ? Role.LiveIn : 0);
    }
  }

  private textOf(n: Node): string {
    return yamlText(this.tree, n, this.text, this.docStart, this.interner);
  }

  private values(n: Node, idKind: EntityKind | null, role: number): void {
    const { tree } = this;
    switch (tree.kind(n)) {
      case SyntaxKind.YamlScalar:
        this.reference(n, Role.Use | role);
        return;
      case SyntaxKind.YamlSequence:
        for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) this.values(c, idKind, role);
        return;
      case SyntaxKind.YamlMapping:
        for (let p = tree.firstChild(n); p !== NO_NODE; p = tree.nextSibling(p, n)) {
          const k = tree.firstChild(p);
          const v = k === NO_NODE ? NO_NODE : tree.nextSibling(k, p);
          if (v === NO_NODE) continue;
          const key = this.textOf(k);
          if (idKind !== null && key === 'id') {
            const id = this.textOf(v);
            if (/^\d{1,9}$/.test(id)) this.scalar(v, idKind, id, false, Role.Declaration);
          } else {
            this.values(v, idKind, role);
          }
        }
    }
  }

  private reference(n: Node, role: number): void {
    const word = this.textOf(n);
    const first = word.charCodeAt(0);
    if (first !== 0x24 && first !== 0x25 && first !== 0x21) return;
    const match = REFERENCE.exec(word);
    if (!match) return;
    const [, phys, prefix, number, vreg, named, metadata] = match;
    if (phys !== undefined) this.scalar(n, EntityKind.PhysReg, phys, true, role);
    else if (prefix !== undefined) this.scalar(n, REFERENCE_KINDS[prefix]!, number!, false, role);
    else if (vreg !== undefined) this.scalar(n, EntityKind.VReg, vreg, false, role);
    else if (named !== undefined) this.scalar(n, EntityKind.VReg, named, true, role);
    else this.scalar(n, EntityKind.Metadata, metadata!, false, role);
  }

  private scalar(n: Node, kind: EntityKind, name: string, isNamed: boolean, role: number): void {
    const { tree, table } = this;
    const isQuoted = (tree.flags(n) & (YamlFlag.SingleQuoted | YamlFlag.DoubleQuoted)) !== 0 ? 1 : 0;
    const value = isNamed ? this.interner.internString(name) : Number(name);
    const start = tree.start(n) + isQuoted;
    const end = tree.end(n) - isQuoted;
    if (start < end) this.found.add(start, end, table.of(entityCode(kind, value, isNamed)), role | Role.Header);
  }
}

// -- body --------------------------------------------------------------------------------------------------------

/**
 * The names in one chunk of a body, and its words that have a token type of their own. Free of absolute positions, so that it is
 * made once per chunk and an edit costs the chunks that it touched.
 */
export interface ChunkNames {
  readonly n: number;
  /** by occurrence, relative to the chunk */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** index in `codes` */
  readonly local: Int32Array;
  readonly role: Uint16Array;
  /** the chunk's entities */
  readonly codes: readonly number[];
  /** opcodes, classes and sub-registers in text order: start and end by twos, and their SyntaxKind */
  readonly words: Int32Array;
  readonly wordKinds: Uint8Array;
}

/** Scratch columns that grow; the result is cut to size. */
class ChunkScan {
  n = 0;
  start = new Int32Array(512);
  end = new Int32Array(512);
  local = new Int32Array(512);
  role = new Uint16Array(512);
  readonly codes: number[] = [];
  private readonly byCode = new Map<number, number>();

  add(kind: EntityKind, value: number, isNamed: boolean, start: number, end: number, role: number): void {
    if (end <= start) return;
    const code = entityCode(kind, value, isNamed);
    let local = this.byCode.get(code);
    if (local === undefined) {
      local = this.codes.length;
      this.codes.push(code);
      this.byCode.set(code, local);
    }
    const i = this.n++;
    if (i === this.start.length) {
      this.start = wider(this.start, new Int32Array(i * 2));
      this.end = wider(this.end, new Int32Array(i * 2));
      this.local = wider(this.local, new Int32Array(i * 2));
      this.role = wider(this.role, new Uint16Array(i * 2));
    }
    this.start[i] = start;
    this.end[i] = end;
    this.local[i] = local;
    this.role[i] = role;
  }
}

function wider<T extends Int32Array | Uint16Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Names of a chunk that stands at `textBase` of `text`. O(chunk) */
function namesOfChunk({ tree }: Chunk, text: string, textBase: number): ChunkNames {
  const scan = new ChunkScan();
  const words: number[] = [];
  const wordKinds: number[] = [];
  const { size } = tree;
  for (let n = 0; n < size; n += STRIDE) {
    const start = tree.start(n);
    const kind = tree.kind(n);
    switch (kind) {
      case SyntaxKind.Opcode:
      case SyntaxKind.ClassOrBank:
      case SyntaxKind.SubRegIndex:
      case SyntaxKind.SubRegIndexOperand:
        words.push(start, tree.end(n));
        wordKinds.push(kind);
        break;
      case SyntaxKind.RegisterOperand: {
        const regKind = tree.regKind(n);
        if (regKind === RegKind.None) break;
        const at = start + tree.aux(n);
        const end = registerEnd(text, textBase + at) - textBase;
        scan.add(
          regKind === RegKind.Physical ? EntityKind.PhysReg : EntityKind.VReg,
          tree.value(n),
          regKind !== RegKind.Virtual,
          at,
          end,
          roleOf(tree.flags(n)) | (text.charCodeAt(textBase + end) === 0x2e ? Role.SubReg : 0),
        );
        break;
      }
      case SyntaxKind.LiveIn:
        addName(EntityKind.PhysReg, n, true, Role.LiveIn | Role.Def);
        break;
      case SyntaxKind.RegisterName:
        addName(EntityKind.PhysReg, n, true, Role.Use);
        break;
      case SyntaxKind.BlockLabel:
        addName(EntityKind.Block, n, false, Role.Declaration);
        break;
      case SyntaxKind.Successor:
      case SyntaxKind.BlockRef:
        addName(EntityKind.Block, n, false, Role.Use);
        break;
      case SyntaxKind.StackObject:
        addName(EntityKind.Stack, n, false, Role.Use);
        break;
      case SyntaxKind.FixedStackObject:
        addName(EntityKind.FixedStack, n, false, Role.Use);
        break;
      case SyntaxKind.ConstantPoolItem:
        addName(EntityKind.Constant, n, false, Role.Use);
        break;
      case SyntaxKind.JumpTableIndex:
        addName(EntityKind.JumpTable, n, false, Role.Use);
        break;
      case SyntaxKind.Global:
        addName(EntityKind.Global, n, (tree.flags(n) & NameFlag.Numbered) === 0, Role.Use);
        break;
      case SyntaxKind.ExternalSymbol:
        addName(EntityKind.External, n, true, Role.Use);
        break;
      case SyntaxKind.MCSymbol:
        scan.add(EntityKind.MCSymbol, tree.value(n), true, start, tree.end(n), Role.Use);
        break;
      case SyntaxKind.IRValue:
        addName(EntityKind.IRLocal, n, (tree.flags(n) & NameFlag.Numbered) === 0, Role.Use);
        break;
      case SyntaxKind.IRBlock:
        // A block of another function (`blockaddress`) belongs to that one.
        if (n < 2 * STRIDE || tree.kind(n - 2 * STRIDE) !== SyntaxKind.BlockAddress)
          addName(EntityKind.IRLocal, n, (tree.flags(n) & NameFlag.Numbered) === 0, Role.Use);
        break;
      case SyntaxKind.Metadata:
        addName(EntityKind.Metadata, n, false, Role.Use);
        break;
    }
  }
  return {
    n: scan.n,
    start: scan.start.slice(0, scan.n),
    end: scan.end.slice(0, scan.n),
    local: scan.local.slice(0, scan.n),
    role: scan.role.slice(0, scan.n),
    codes: scan.codes,
    words: Int32Array.from(words),
    wordKinds: Uint8Array.from(wordKinds),
  };

  function addName(kind: EntityKind, n: Node, isNamed: boolean, role: number): void {
    const start = tree.start(n);
    scan.add(kind, tree.value(n), isNamed, start, nameEnd(text, textBase + start) - textBase, role);
  }
}

function roleOf(flags: number): number {
  let role = (flags & (RegFlag.Def | RegFlag.LeadingDef | RegFlag.ImplicitDef)) !== 0 ? Role.Def : Role.Use;
  if ((flags & (RegFlag.Implicit | RegFlag.ImplicitDef)) !== 0) role |= Role.Implicit;
  if ((flags & RegFlag.Killed) !== 0) role |= Role.Kill;
  if ((flags & RegFlag.Dead) !== 0) role |= Role.Dead;
  if ((flags & RegFlag.Undef) !== 0) role |= Role.Undef;
  if ((flags & RegFlag.DebugUse) !== 0) role |= Role.Debug;
  return role;
}

/** Letters, digits, `_`, `-`, `$`: what a register's name is made of. */
function isRegisterChar(c: number): boolean {
  return (
    (c >= 0x61 && c <= 0x7a) ||
    (c >= 0x30 && c <= 0x39) ||
    c === 0x5f ||
    (c >= 0x41 && c <= 0x5a) ||
    c === 0x2d ||
    c === 0x24
  );
}

/** End of the register name whose sigil stands at `p`. */
function registerEnd(text: string, p: number): number {
  p++;
  if (text.charCodeAt(p) === 0x22) return quoteEnd(text, p);
  while (isRegisterChar(text.charCodeAt(p))) p++;
  return p;
}

/** End of a name that begins at `p`, sigil included; parts of it may stand in quotes. */
function nameEnd(text: string, p: number): number {
  p++;
  for (;;) {
    const c = text.charCodeAt(p);
    if (c === 0x22) return quoteEnd(text, p);
    if (!isRegisterChar(c) && c !== 0x2e) return p;
    p++;
  }
}

function quoteEnd(text: string, p: number): number {
  const end = text.indexOf('"', p + 1);
  return end < 0 ? p : end + 1;
}
