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
} from '../syntax/tree.js';
import { yamlText } from '../syntax/yamlParser.js';
import type { Interner } from '../util/interner.js';

export const enum EntityKind {
  VReg = 0,
  PhysReg = 1,
  Block = 2,
  Stack = 3,
  FixedStack = 4,
  Constant = 5,
  JumpTable = 6,
  /** IR global or machine function, by name */
  Global = 7,
  /** IR value or IR block of the function's IR; they share one set of names */
  IRLocal = 8,
  Metadata = 9,
  /** `&name` */
  External = 10,
  MCSymbol = 11,
  /** `#0`, in the IR only */
  AttributeGroup = 12,
}

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

/** One number per entity; distinct for distinct (kind, named or numbered, value). */
const codeOf = (kind: EntityKind, value: number, isNamed: boolean): number =>
  ((value >>> 0) * 2 + (isNamed ? 1 : 0)) * 16 + kind;

export class SymbolIndex {
  n = 0;
  /** by occurrence, ascending; the name with its sigil, without sub-register, class and flags */
  start = new Int32Array(64);
  end = new Int32Array(64);
  entity = new Int32Array(64);
  /** Role bits */
  role = new Uint16Array(64);
  /** by chunk of the body: its names, and the entity of each of its `codes` */
  readonly chunkNames: ChunkNames[] = [];
  readonly chunkEntities: Int32Array[] = [];
  /** by entity: EntityKind, and what `nameOf` needs */
  readonly kinds: EntityKind[] = [];
  private readonly codes: number[] = [];
  private readonly byCode = new Map<number, number>();
  /** occurrences of entity e are list[listBegin[e]] .. list[listBegin[e + 1] - 1] */
  private listBegin: Int32Array | null = null;
  private list = new Int32Array(0);

  constructor(private readonly interner: Interner) {}

  get nEntities(): number {
    return this.kinds.length;
  }

  /** Name or number as text, without sigil and prefix. */
  nameOf(entity: number): string {
    const rest = Math.floor(this.codes[entity]! / 16);
    const value = Math.floor(rest / 2);
    return rest % 2 === 1 ? this.interner.text(value) : String(value);
  }

  isNamed(entity: number): boolean {
    return Math.floor(this.codes[entity]! / 16) % 2 === 1;
  }

  /** The number of a numbered entity, or the interner id of its name. */
  valueOf(entity: number): number {
    return Math.floor(this.codes[entity]! / 32);
  }

  /** Entity by kind and number; -1 if the document does not have it. */
  findNumber(kind: EntityKind, value: number): number {
    return this.byCode.get(codeOf(kind, value, false)) ?? -1;
  }

  /** Entity by kind and name; -1 if the document does not have it. Numbers are given as text. */
  find(kind: EntityKind, name: string): number {
    if (/^\d+$/.test(name)) {
      const numbered = this.byCode.get(codeOf(kind, Number(name), false));
      if (numbered !== undefined) return numbered;
    }
    const id = this.interner.find(name);
    return id < 0 ? -1 : (this.byCode.get(codeOf(kind, id, true)) ?? -1);
  }

  /** The occurrence whose text holds `offset` (its end counts too), or -1. O(log n) */
  at(offset: number): number {
    const i = this.lastFrom(offset);
    if (i >= 0 && offset <= this.end[i]!) return i;
    return -1;
  }

  /** The last occurrence that begins at or before `offset`, or -1. */
  lastFrom(offset: number): number {
    let lo = -1;
    let hi = this.n - 1;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (this.start[mid]! <= offset) lo = mid;
      else hi = mid - 1;
    }
    return lo;
  }

  /** Occurrences of an entity in text order. The lists are made on first use, O(n). */
  occurrences(entity: number): Int32Array {
    if (this.listBegin === null) this.makeLists();
    return this.list.subarray(this.listBegin![entity], this.listBegin![entity + 1]);
  }

  private makeLists(): void {
    const begin = new Int32Array(this.nEntities + 2);
    for (let i = 0; i < this.n; i++) begin[this.entity[i]! + 2]!++;
    for (let e = 2; e < begin.length; e++) begin[e]! += begin[e - 1]!;
    this.list = new Int32Array(this.n);
    for (let i = 0; i < this.n; i++) this.list[begin[this.entity[i]! + 1]!++] = i;
    this.listBegin = begin;
  }

  add(kind: EntityKind, value: number, isNamed: boolean, start: number, end: number, role: number): void {
    if (end <= start) return;
    this.reserve(1);
    const i = this.n++;
    this.start[i] = start;
    this.end[i] = end;
    this.entity[i] = this.entityOf(codeOf(kind, value, isNamed));
    this.role[i] = role;
  }

  /** Appends the names of a chunk that begins at `base`. */
  addChunk(names: ChunkNames, base: number): void {
    const { n } = names;
    const { codes } = names;
    const entities = new Int32Array(codes.length);
    for (let k = 0; k < codes.length; k++) entities[k] = this.entityOf(codes[k]!);
    this.chunkEntities.push(entities);
    this.chunkNames.push(names);
    this.reserve(n);
    const at = this.n;
    const { start, end, entity } = this;
    for (let i = 0; i < n; i++) {
      start[at + i] = names.start[i]! + base;
      end[at + i] = names.end[i]! + base;
      entity[at + i] = entities[names.local[i]!]!;
    }
    this.role.set(names.role, at);
    this.n = at + n;
  }

  private entityOf(code: number): number {
    let entity = this.byCode.get(code);
    if (entity === undefined) {
      entity = this.kinds.length;
      this.kinds.push((code % 16) as EntityKind);
      this.codes.push(code);
      this.byCode.set(code, entity);
    }
    return entity;
  }

  /** Makes room for more occurrences. */
  reserve(more: number): void {
    const need = this.n + more;
    if (need <= this.start.length) return;
    const length = Math.max(need, this.start.length * 2);
    this.start = wider(this.start, new Int32Array(length));
    this.end = wider(this.end, new Int32Array(length));
    this.entity = wider(this.entity, new Int32Array(length));
    this.role = wider(this.role, new Uint16Array(length));
  }
}

/** Index of a function document that stands at `docStart` in `text`. O(document), chunks that `cache` knows are cheap. */
export function indexSymbols(
  doc: MirDocument,
  text: string,
  docStart: number,
  interner: Interner,
  cache: ChunkNamesCache,
): SymbolIndex {
  const index = new SymbolIndex(interner);
  const { body } = doc;
  const header = new HeaderWalk(index, doc.yaml, text, docStart, interner);
  // Text order: keys before the body, the body, keys behind it.
  const bodyStart = body === null ? Infinity : body.start;
  header.walk(0, bodyStart);
  if (body === null) return index;
  const baseOf = (c: number): number => body.start + body.chunkStarts[c]!;
  const names = body.chunks.map((chunk, c) => cachedNames(chunk, text, docStart + baseOf(c), cache));
  index.reserve(names.reduce((n, chunk) => n + chunk.n, 0));
  names.forEach((chunk, c) => index.addChunk(chunk, baseOf(c)));
  header.walk(bodyStart, Infinity);
  return index;
}

function cachedNames(chunk: Chunk, text: string, textBase: number, cache: ChunkNamesCache): ChunkNames {
  let names = cache.get(chunk);
  if (names === undefined) {
    names = namesOfChunk(chunk, text, textBase);
    cache.set(chunk, names);
  }
  return names;
}

/** Could the index have an occurrence at `offset` (its end counts too)? Answers yes outside of the body. O(chunk + log chunks) */
export function mayHaveName(
  { body }: MirDocument,
  text: string,
  docStart: number,
  offset: number,
  cache: ChunkNamesCache,
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
    private readonly index: SymbolIndex,
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
    const { tree, index } = this;
    const isQuoted = (tree.flags(n) & (YamlFlag.SingleQuoted | YamlFlag.DoubleQuoted)) !== 0 ? 1 : 0;
    const value = isNamed ? this.interner.internString(name) : Number(name);
    index.add(kind, value, isNamed, tree.start(n) + isQuoted, tree.end(n) - isQuoted, role | Role.Header);
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

/** Owned by the host; entries live as long as their chunk. */
export type ChunkNamesCache = WeakMap<Chunk, ChunkNames>;

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
    const code = codeOf(kind, value, isNamed);
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
export function namesOfChunk({ tree }: Chunk, text: string, textBase: number): ChunkNames {
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
