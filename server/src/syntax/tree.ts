/**
 * The packed syntax tree of a MIR file and the types around it: what the parser makes and the layers above read.
 *
 * File -> documents -> (header tree, body). A function document holds one `Tree` for its YAML and a `Body`: the block
 * scalar of `body:` cut at line ends into immutable `Chunk`s, each with a `Tree` of its own. Offsets in a document's YAML
 * tree count from the start of the document, offsets in a chunk's tree from the start of the chunk, so that an edit elsewhere
 * leaves both untouched (style.md, Lezer). Absolute offsets: `docStart + node offset`, `chunkStart(...) + node offset`.
 *
 * The tree follows the text, not LLVM's data structures: children stand in source order, and an Error node stands where
 * LLVM's parser would have stopped. A reader that walks an instruction from left to right and stops at its first own
 * complaint or at the first Error node reports what llc reports.
 */
import type { Id } from '../util/id.js';
import type { Interner } from '../util/interner.js';
import type { SourceText } from '../text/sourceText.js';
import type { Diagnostic } from '../text/diagnostic.js';

/** A node is the position of its record in `Tree.data` (a multiple of STRIDE); -1 = no node. */
export type Node = Id<'node'>;
export const NO_NODE: Node = -1;

/** Int32 fields of a record. */
export const STRIDE = 6;
/** bits 0..7 SyntaxKind, bits 8..31 flags (meaning depends on the kind) */
const F_KIND = 0;
const F_START = 1;
const F_END = 2;
/** position of the record after the whole subtree */
const F_NEXT = 3;
const F_VALUE = 4;
const F_AUX = 5;

/**
 * Node kinds. The comment gives: what it is; `value`, `aux`, `flags` where used; children in order (`?` optional, `*` any number).
 * "id" is an interner id; names are interned without sigil (`$ % @ & !`), decoded where the text quotes them.
 * `name id` in aux is -1 when the text has no name. Numbers of blocks, stack objects, registers, metadata ... are uint32 patterns
 * (`value >>> 0`); larger ones are Errors, as in LLVM. An Error node ends all nodes that are open: it is their last child or the
 * last child of their last child, and what should have followed it is missing; only further Errors, BundleOpen, BundleClose and
 * Comment nodes follow in its line.
 */
export const enum SyntaxKind {
  None = 0,

  // ---- YAML (header tree) -------------------------------------------------------------------------------------
  /** value = number of pairs. aux = see YamlNull. Flags YamlFlag. Children: YamlPair* */
  YamlMapping = 1,
  /** Children: key (any YAML node), value (any YAML node; YamlNull with an empty range when absent) */
  YamlPair = 2,
  /** value = number of items. aux = see YamlNull. Flags YamlFlag. Children: item* */
  YamlSequence = 3,
  /**
   * Plain or quoted scalar, without trailing blanks. value = id of the decoded text, or -1 when longer than MAX_INTERNED_SCALAR or with
   * YamlFlag.Integer; aux = the number then. Flags YamlFlag. `yamlText` (yamlParser.ts) gives the decoded text in all cases.
   */
  YamlScalar = 4,
  /**
   * Value of `|` or `>`. aux = start of the first content line. Range from the indicator to the end of the content, except for the
   * `body` of a function document and the IR of an IR document: there to the end of the indicator's line, so that an edit in the content
   * leaves the tree as it is.
   */
  YamlBlockScalar = 5,
  /** An absent value. aux = offset in the document that LLVM names in errors about this node (of the next token), where it is not `start` */
  YamlNull = 6,
  /** `*name`. aux as in YamlNull */
  YamlAlias = 7,
  /** what the YAML parser could not make sense of. value = index in `Tree.messages`, or -1 when the message is elsewhere */
  YamlError = 8,

  // ---- lines of the body (top-level nodes of a chunk) -----------------------------------------------------------
  /**
   * `bb.N[.name] [(attributes)]:`. value = N, aux = name id. Children: (AttributeXxx | IRBlock)* Error*.
   * Range without what follows the colon. Flag LabelFlag.NoColon when `:` is missing (after an Error).
   */
  BlockLabel = 20,
  /** `successors: ...`. Children: Successor* Error? */
  Successors = 21,
  /** `liveins: ...`. Children: LiveIn* Error? */
  LiveIns = 22,
  /**
   * One instruction. value = id of the opcode name, -1 if there is none. Flags: bit n = word n of INSTR_FLAG_WORDS.
   * aux = position of the Opcode child, relative to this record (in Int32 fields), or 0 if there is none.
   * Children: RegisterOperand* (the defs before `=`) Opcode? (operands) (trailers) MemOperand* BundleOpen? Error*
   */
  Instruction = 23,
  /** `}` of a bundle, also a stray one. Top level; child of the Instruction in text skipped after an Error */
  BundleClose = 24,
  /** `; ...` up to the line end; top level, after what stands before it on the line */
  Comment = 25,
  /**
   * What LLVM's parser rejects. value = index in `Tree.messages`. Range = offending token, empty at a line end.
   * aux = offset llc reports minus start, or ERROR_ON_NEXT_LINE. Flags ErrorFlag. Last child of the node that was being parsed, or
   * (further errors of the line) a child of the Instruction or label.
   */
  Error = 26,

  // ---- attributes of a block label ------------------------------------------------------------------------------
  /** `machine-block-address-taken` */
  AttributeMachineBlockAddressTaken = 30,
  /** `ir-block-address-taken %ir-block.x`. Children: IRBlock */
  AttributeIRBlockAddressTaken = 31,
  AttributeLandingPad = 32,
  AttributeInlineAsmBrIndirectTarget = 33,
  AttributeEHFuncletEntry = 34,
  AttributeEHScopeEntry = 35,
  /** `align N`. Children: Integer */
  AttributeAlign = 36,
  /** `bbsections X`. Children: Integer | Name */
  AttributeBBSections = 37,
  /** `bb_id N [M]`. Children: Integer Integer? */
  AttributeBBId = 38,
  /** `call-frame-size N`. Children: Integer */
  AttributeCallFrameSize = 39,
  /** `%ir-block.x` itself is an attribute: IRBlock */

  // ---- successors and live-ins ----------------------------------------------------------------------------------
  /** `%bb.N[.name][(W)]`. value = N, aux = name id. Children: Integer? */
  Successor = 45,
  /** `$reg[:mask]`. value = id of the register name. Children: Integer? */
  LiveIn = 46,

  // ---- operands (children of Instruction) -----------------------------------------------------------------------
  /** opcode name; value = id. Range of the word (instruction flags stand before it). Not an operand. */
  Opcode = 50,
  /**
   * Register with everything that belongs to it. Flags RegFlag (flag words, RegKind, LeadingDef). value = id of the name
   * (RegKind.Physical, NamedVirtual) or the number (RegKind.Virtual); 0 for RegKind.None (`_`).
   * aux = start of the register token minus node start (> 0 when flag words precede).
   * Children: SubRegIndex? ClassOrBank? (LowLevelType | TiedDef)?
   */
  RegisterOperand = 51,
  /** immediate; the fields of Integer. Fits 64 bits (LLVM rejects others: Error). */
  Immediate = 52,
  /** `i32 5`, `i1 true`. Children: Name (type word) (Integer | Name) */
  TypedImmediate = 53,
  /** `float 1.0`. value = FPType, Children: FPLiteral */
  FPImmediate = 54,
  /** `%bb.N[.name]`. value = N, aux = name id */
  BlockRef = 55,
  /** `%stack.N[.name]`; also a memory pointer. value = N, aux = name id */
  StackObject = 56,
  /** `%fixed-stack.N`; also a memory pointer. value = N */
  FixedStackObject = 57,
  /** `%const.N`. value = N. Children: Offset? */
  ConstantPoolItem = 58,
  /** `%jump-table.N`. value = N */
  JumpTableIndex = 59,
  /** `@name`, `@5`. value = id, or the number with NameFlag.Numbered. Children: Offset? (only as operand of an instruction) */
  Global = 60,
  /** `&name`. value = id. Children: Offset? (only as operand of an instruction) */
  ExternalSymbol = 61,
  /** `<mcsymbol x>`. value = id */
  MCSymbol = 62,
  /** `blockaddress(@f, %ir-block.x)`. Children: Global IRBlock Offset? */
  BlockAddress = 63,
  /** `target-index(name)`. Children: Name Offset? */
  TargetIndex = 64,
  /** `%subreg.name`. value = id */
  SubRegIndexOperand = 65,
  /** `!5`. value = number */
  Metadata = 66,
  /** `!DIExpression(...)`. Children: (Name | Integer)* */
  DIExpression = 67,
  /** `!DILocation(...)`. Children: DILocationField* */
  DILocation = 68,
  /** `intrinsic(@name)`. Children: Global */
  Intrinsic = 69,
  /** `intpred(x)` (flag 1) or `floatpred(x)`. value = id of the word (known to be a valid predicate) */
  Predicate = 70,
  /** `shufflemask(...)`. Children: (Integer | Undef)* */
  ShuffleMask = 71,
  /** `lanemask(N)`. Children: Integer */
  LaneMask = 72,
  /** a lone word as operand: name of a register mask, unless it is wrong. value = id */
  NameOperand = 73,
  /** `CustomRegMask($a,$b)`. Children: RegisterName* */
  CustomRegMask = 74,
  /** `liveout($a, $b)`. Children: RegisterName* */
  LiveOut = 75,
  /** `dbg-instr-ref(a, b)`. Children: Integer Integer */
  DbgInstrRef = 76,
  /** operand of CFI_INSTRUCTION. value = index in CFI_WORDS. Children: (RegisterName | Integer)* */
  CFIOperand = 77,
  /** `sideeffect attdialect`, `regdef:VGPR_32`, `reguse tiedto:$0` of INLINEASM (LLVM 24) */
  InlineAsmWords = 78,
  /** `.name`: target mnemonic of an immediate; range from the dot to the end of the word */
  TargetMnemonic = 79,
  /** `target-flags(a, b)`. Not an operand: stands before the operand it belongs to. Children: Name+ */
  TargetFlags = 80,

  // ---- parts of operands ------------------------------------------------------------------------------------------
  /** `.sub0` after a register; range without the dot. value = id */
  SubRegIndex = 90,
  /** `:vgpr_32`, `:_`; range without the colon. value = id (of `_` too) */
  ClassOrBank = 91,
  /** `s32`, `<2 x p1>`. Flags LLTFlag. value = bits of the scalar or address space of the pointer; aux = number of elements (1 when scalar) */
  LowLevelType = 92,
  /** `tied-def N`; range without parentheses. Children: Integer */
  TiedDef = 93,
  /**
   * value = low, aux = high 32 bits of the two's complement value. Flags IntFlag. Where LLVM wants an unsigned number (everywhere but
   * in Immediate, TypedImmediate, ShuffleMask and CFI offsets) this is the number that LLVM reads from a negative literal (-1 is 1, -3 is
   * 5; IntFlag.Negative stays set), and it is known to fit 32 bits (64 bits for lane masks, alignments, memory sizes).
   */
  Integer = 94,
  /** ` + N`, ` - N`; value/aux as Integer with the sign applied. Fits int64. */
  Offset = 95,
  /** any word. value = id */
  Name = 96,
  FPLiteral = 97,
  /** `undef` in a shuffle mask */
  Undef = 98,
  /** `%ir-block.x`. value = id, or the number with NameFlag.Numbered */
  IRBlock = 99,
  /** `$reg` where only a physical register may stand. value = id */
  RegisterName = 100,
  /** `name: value`. value = id of the field name. Children: Integer | Metadata | DILocation | Name */
  DILocationField = 101,
  /** `"text"`. value = id of the decoded text */
  String = 102,

  // ---- trailers (children of Instruction, in this order in the text) ----------------------------------------------
  /** Children: MCSymbol */
  PreInstrSymbol = 110,
  /** Children: MCSymbol */
  PostInstrSymbol = 111,
  /** Children: Metadata */
  HeapAllocMarker = 112,
  /** Children: Metadata */
  PCSections = 113,
  /** Children: Integer */
  CFIType = 114,
  /** Children: Global */
  DeactivationSymbol = 115,
  /** Children: Integer */
  DebugInstrNumber = 116,
  /** `mmra !0` (LLVM 24). Children: Metadata */
  MMRA = 117,
  /** Children: Metadata | DILocation */
  DebugLocation = 118,
  /** `{` at the end of the instruction (also in text skipped after an Error) */
  BundleOpen = 119,

  // ---- memory operands --------------------------------------------------------------------------------------------
  /**
   * `(load (s32) from %ir.p, align 8)`. Flags MemOperandFlag.
   * Children: String* (target flags, in place) SyncScope? AtomicOrdering{0,2} (LowLevelType | Integer (bytes) | UnknownSize)
   *           (pointer Offset?)? (MemXxx)* Error?
   * pointer = IRValue | IRConstant | Global | UnknownAddress | StackPointer | GOT | JumpTable | ConstantPool |
   *           StackObject | FixedStackObject | CallEntry | CustomPointer. Their Offset is the next sibling, not a child.
   */
  MemOperand = 120,
  /** `syncscope("x")`. value = id of the decoded scope */
  SyncScope = 121,
  /** value = id of the word (known to be a valid ordering) */
  AtomicOrdering = 122,
  UnknownSize = 123,
  /** `%ir.x`. value = id, or the number with NameFlag.Numbered */
  IRValue = 124,
  /** `` `ptr poison` ``; value = id of the text between the back quotes (escapes decoded) */
  IRConstant = 125,
  UnknownAddress = 126,
  StackPointer = 127,
  GOT = 128,
  JumpTable = 129,
  ConstantPool = 130,
  /** `call-entry @f` / `call-entry &f`. Children: Global | ExternalSymbol */
  CallEntry = 131,
  /** `custom "x"`. value = id of the decoded text */
  CustomPointer = 132,
  /** `align N`. Children: Integer */
  MemAlign = 133,
  /** Children: Integer */
  MemBaseAlign = 134,
  /** Children: Integer */
  MemAddrSpace = 135,
  /** Children: Metadata (all five) */
  MemTBAA = 136,
  MemAliasScope = 137,
  MemNoAlias = 138,
  MemRange = 139,
  MemNoAliasAddrSpace = 140,
}

/** aux of an Error that LLVM reports at the first token of the next line. */
export const ERROR_ON_NEXT_LINE = -0x80000000;

/** YAML scalars longer than this are not interned. */
export const MAX_INTERNED_SCALAR = 64;

export const enum YamlFlag {
  Flow = 1,
  SingleQuoted = 2,
  DoubleQuoted = 4,
  /** a quoted scalar whose decoded text differs from the text between the quotes; a plain one that spans lines */
  Escaped = 8,
  /** `&anchor` or `!tag` before the node */
  HasProperties = 16,
  /** plain scalar of 1 to 9 decimal digits; not interned */
  Integer = 32,
  /** LLVM's scalar goes on after `end`, over the blanks there */
  TrailingBlanks = 64,
  /** a block scalar without lines of its own */
  NoContent = 128,
}

export const enum LabelFlag {
  NoColon = 1,
}

export const enum ErrorFlag {
  /**
   * Found while LLVM scans the block definitions of the whole body (lexical errors, labels): reported before any error of
   * a liveins or successors line or an instruction, wherever they stand.
   */
  DefinitionScan = 1,
  /** No error when no token follows in the body (`!DIExpression()` at the end of the last line). With ERROR_ON_NEXT_LINE only. */
  UnlessLastLine = 2,
  /** ERROR_ON_NEXT_LINE means the next line with a token, not a line end. */
  BehindBlankLines = 4,
}

/** Flags of RegisterOperand. Bits 0..9 are the flag words as written. */
export const enum RegFlag {
  Implicit = 1,
  ImplicitDef = 2,
  Def = 4,
  Dead = 8,
  Killed = 16,
  Undef = 32,
  Internal = 64,
  EarlyClobber = 128,
  DebugUse = 256,
  Renamable = 512,
  /** stands before `=` */
  LeadingDef = 1024,
  KindShift = 12,
  KindMask = 7 << 12,
}

export const enum RegKind {
  /** `_` */
  None = 0,
  /** `$name`, also `$noreg` */
  Physical = 1,
  /** `%5` */
  Virtual = 2,
  /** `%name` */
  NamedVirtual = 3,
}

export const enum NameFlag {
  /** a number stands in place of a name */
  Numbered = 1,
}

export const enum IntFlag {
  Negative = 1,
  /** written `0x...` */
  Hex = 2,
  /** >= 2^63: value/aux hold the unsigned 64-bit pattern */
  Unsigned64 = 4,
  /** does not fit 64 bits: value/aux are 0, the text tells it */
  Big = 8,
}

export const enum LLTFlag {
  Pointer = 1,
  Vector = 2,
  Scalable = 4,
  /** `i32`, `f32`, `bf16` of LLVM 24 */
  Integer = 8,
  Float = 16,
  BFloat = 32,
}

export const enum MemOperandFlag {
  Volatile = 1,
  NonTemporal = 2,
  Dereferenceable = 4,
  Invariant = 8,
  Load = 16,
  Store = 32,
}

export const enum FPType {
  Half = 0,
  BFloat = 1,
  Float = 2,
  Double = 3,
  X86FP80 = 4,
  FP128 = 5,
  PPCFP128 = 6,
}

/** Words of instruction flags; bit n of an Instruction's flags = word n. `nomerge` is printed by LLVM but not parsed. */
export const INSTR_FLAG_WORDS: readonly string[] = [
  'frame-setup',
  'frame-destroy',
  'nnan',
  'ninf',
  'nsz',
  'arcp',
  'contract',
  'afn',
  'reassoc',
  'nuw',
  'nsw',
  'exact',
  'nofpexcept',
  'nomerge',
  'unpredictable',
  'noconvergent',
  'nneg',
  'disjoint',
  'nusw',
  'samesign',
  'inbounds',
  'lr-split',
];

/** Words that open a CFI operand; `value` of CFIOperand indexes this list. */
export const CFI_WORDS: readonly string[] = [
  'same_value',
  'offset',
  'rel_offset',
  'def_cfa_register',
  'def_cfa_offset',
  'adjust_cfa_offset',
  'escape',
  'def_cfa',
  'llvm_def_aspace_cfa',
  'remember_state',
  'restore',
  'restore_state',
  'undefined',
  'register',
  'window_save',
  'negate_ra_sign_state',
  'negate_ra_sign_state_with_pc',
];

/**
 * A packed tree: records of STRIDE Int32 in prefix order. Immutable after the parse. The accessors are the cursor: a node is a
 * number, nothing is allocated while walking. Top-level nodes: `for (n = 0; n < tree.size; n = tree.next(n))`;
 * children: `for (c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n))`, or with bounds known
 * `for (c = n + STRIDE; c < tree.next(n); c = tree.next(c))`.
 */
export class Tree {
  /** @param data exactly sized or larger; `size` fields of it are valid */
  constructor(
    readonly data: Int32Array,
    readonly size: number,
    /** messages of the Error and YamlError nodes */
    readonly messages: readonly string[],
  ) {}

  kind(n: Node): SyntaxKind {
    return this.data[n + F_KIND] & 0xff;
  }

  flags(n: Node): number {
    return this.data[n + F_KIND] >>> 8;
  }

  /** relative to the start of the document (header tree) or of the chunk (body tree) */
  start(n: Node): number {
    return this.data[n + F_START];
  }

  end(n: Node): number {
    return this.data[n + F_END];
  }

  value(n: Node): number {
    return this.data[n + F_VALUE];
  }

  aux(n: Node): number {
    return this.data[n + F_AUX];
  }

  /** position after the subtree of n: its next sibling, if n is not the last child of its parent */
  next(n: Node): Node {
    return this.data[n + F_NEXT];
  }

  hasChildren(n: Node): boolean {
    return this.data[n + F_NEXT] !== n + STRIDE;
  }

  firstChild(n: Node): Node {
    return this.data[n + F_NEXT] !== n + STRIDE ? n + STRIDE : NO_NODE;
  }

  /** the sibling after `child` under `parent`, or NO_NODE */
  nextSibling(child: Node, parent: Node): Node {
    const next = this.data[child + F_NEXT];
    return next < this.data[parent + F_NEXT] ? next : NO_NODE;
  }

  /** first child of that kind, or NO_NODE. O(children) */
  childOfKind(n: Node, kind: SyntaxKind): Node {
    const end = this.data[n + F_NEXT];
    for (let c = n + STRIDE; c < end; c = this.data[c + F_NEXT]) if ((this.data[c] & 0xff) === kind) return c;
    return NO_NODE;
  }

  /** message of an Error or YamlError node */
  message(n: Node): string {
    const i = this.data[n + F_VALUE];
    return i < 0 ? '' : this.messages[i];
  }

  /** RegKind of a RegisterOperand */
  regKind(n: Node): RegKind {
    return (this.data[n + F_KIND] >>> (8 + RegFlag.KindShift)) & 7;
  }

  /** value of Integer, Immediate, Offset as a double; exact below 2^53. 0 when IntFlag.Big. */
  intNumber(n: Node): number {
    const high = this.data[n + F_AUX];
    const unsigned = ((this.data[n + F_KIND] >>> 8) & IntFlag.Unsigned64) !== 0;
    return (unsigned ? high >>> 0 : high) * 4294967296 + (this.data[n + F_VALUE] >>> 0);
  }

  /** the same, exact. 0n when IntFlag.Big: then read the text. */
  intBigInt(n: Node): bigint {
    const high = this.data[n + F_AUX];
    const unsigned = ((this.data[n + F_KIND] >>> 8) & IntFlag.Unsigned64) !== 0;
    return (BigInt(unsigned ? high >>> 0 : high) << 32n) | BigInt(this.data[n + F_VALUE] >>> 0);
  }
}

/** A run of whole lines of a body. Immutable and free of absolute positions: edits re-use it by identity. */
export interface Chunk {
  /** UTF-16 units, line breaks included; 0 only in an empty body */
  readonly length: number;
  /** number of lines; the last one may lack its line break only at the end of the text */
  readonly lines: number;
  readonly tree: Tree;
  /** top-level BlockLabel nodes, ascending */
  readonly labels: Int32Array;
  /** BundleOpen and BundleClose nodes, ascending (also those in text skipped after an error) */
  readonly braces: Int32Array;
  /** Error nodes, ascending */
  readonly errors: Int32Array;
  /** number of Instruction nodes */
  readonly nInstrs: number;
  /** whether there are Successors or LiveIns nodes */
  readonly hasAttributeLines: boolean;
  /** whether there is an operand comment that does not end in the body: an edit after the chunk may end it */
  readonly hasOpenComment: boolean;
}

/** The block scalar of `body:`. */
export interface Body {
  /** start of the first line of the content, relative to the document */
  readonly start: number;
  readonly length: number;
  readonly chunks: readonly Chunk[];
  /** chunkStarts[i] = start of chunk i relative to `start`; length chunks.length + 1 */
  readonly chunkStarts: Int32Array;
  /** lines before chunk i, counted from the first line of the content; length chunks.length + 1 */
  readonly chunkLines: Int32Array;
}

export const enum DocumentKind {
  /** a block scalar: LLVM IR when it is the first document, else llc says `not a mapping` */
  IR = 0,
  /** a machine function: a mapping */
  Function = 1,
  /** nothing but blanks and comments */
  Empty = 2,
  /** anything else; llc rejects it, with a diagnostic from the parser or from the layer above */
  Other = 3,
}

/** One YAML document. Immutable, positions relative to its own start; kept by identity while its text is unchanged. */
export interface MirDocument {
  readonly kind: DocumentKind;
  /** UTF-16 units, from its `---` line (or the text start, leading comments included) to the next document's start */
  readonly length: number;
  /** YAML nodes; the first record is the root. Empty (size 0) for an empty document. */
  readonly yaml: Tree;
  /** the value of `body:` when it is a block scalar (or another scalar in one line without escapes) */
  readonly body: Body | null;
  /** kind IR: range of the IR text (whole lines, with their indentation), relative to the document */
  readonly irStart: number;
  readonly irEnd: number;
  /** columns of indentation of the IR block scalar (kind IR) or of the body */
  readonly indent: number;
  /** YAML errors, offsets relative to the document, in the order LLVM meets them: llc prints the first and stops */
  readonly diagnostics: readonly Diagnostic[];
  /** UTF-16 units after its end on which it depends: at least four, for the marker of the next document; more after some errors */
  readonly overrun: number;
}

export interface MirFile {
  readonly text: SourceText;
  readonly interner: Interner;
  readonly documents: readonly MirDocument[];
  /** absolute start of document i; length documents.length + 1 */
  readonly docStarts: Int32Array;
}
