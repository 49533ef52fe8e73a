/**
 * The embedded LLVM IR module as data, and the questions that reading MIR asks of it: functions by name, `%ir.x` and
 * `%ir-block.x` references, globals, metadata nodes, attributes. `parseIR` builds it, `printModule` writes it.
 *
 * Function bodies are parsed when first needed (`IRFunction.blocks`), because most analyses want only attributes.
 */
import { callingConvNames } from './names.js';
import type { AttributeSet } from './attributes.js';
import { TypeKind, type IRType, type TypeContext } from './types.js';

export const enum ValueKind {
  Argument = 0,
  BasicBlock,
  Instruction,
  Function,
  GlobalVariable,
  GlobalAlias,
  GlobalIFunc,
  /** value = the bits, zero-extended */
  ConstantInt,
  /** value = the bits in the type's own format */
  ConstantFP,
  /** `null` */
  ConstantNull,
  /** `zeroinitializer` of an aggregate, vector or target type */
  ConstantZero,
  Undef,
  Poison,
  /** `none` of type token */
  ConstantNone,
  /** struct, array or fixed vector by elements (`operands`); of a scalable vector: one element, the splat */
  ConstantAggregate,
  /** constant expression; `opcode`, `flags`, `auxType` as of the instruction */
  ConstantExpr,
  /** operands = [function]; `block` */
  BlockAddress,
  DSOLocalEquivalent,
  NoCFI,
  /** operands = [pointer, key, discriminator, address discriminator, deactivation symbol]: as many as are given */
  PtrAuth,
  InlineAsm,
  MetadataAsValue,
  /** stands for a local value until it is defined; never in a finished body */
  Placeholder,
}

/** Instruction opcodes; INSTRUCTION_NAMES has the words. */
export const enum Opcode {
  FNeg = 0,
  Add,
  FAdd,
  Sub,
  FSub,
  Mul,
  FMul,
  UDiv,
  SDiv,
  FDiv,
  URem,
  SRem,
  FRem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  Xor,
  Trunc,
  ZExt,
  SExt,
  FPTrunc,
  FPExt,
  UIToFP,
  SIToFP,
  FPToUI,
  FPToSI,
  PtrToInt,
  PtrToAddr,
  IntToPtr,
  BitCast,
  AddrSpaceCast,
  ICmp,
  FCmp,
  Phi,
  Select,
  Freeze,
  Alloca,
  Load,
  Store,
  CmpXchg,
  AtomicRMW,
  Fence,
  GetElementPtr,
  ExtractElement,
  InsertElement,
  ShuffleVector,
  ExtractValue,
  InsertValue,
  Call,
  VAArg,
  LandingPad,
  CatchPad,
  CleanupPad,
  Ret,
  Br,
  Switch,
  IndirectBr,
  Invoke,
  CallBr,
  Resume,
  CatchSwitch,
  CatchRet,
  CleanupRet,
  Unreachable,
}

/** Flags of instructions and constant expressions. */
export const enum InstFlag {
  NUW = 1 << 0,
  NSW = 1 << 1,
  Exact = 1 << 2,
  Disjoint = 1 << 3,
  NNeg = 1 << 4,
  SameSign = 1 << 5,
  InBounds = 1 << 6,
  NUSW = 1 << 7,
  Volatile = 1 << 8,
  Atomic = 1 << 9,
  Weak = 1 << 10,
  InAlloca = 1 << 11,
  SwiftError = 1 << 12,
  Cleanup = 1 << 13,
  Tail = 1 << 14,
  MustTail = 1 << 15,
  NoTail = 1 << 16,
  Reassoc = 1 << 17,
  NNan = 1 << 18,
  NInf = 1 << 19,
  NSZ = 1 << 20,
  ARcp = 1 << 21,
  Contract = 1 << 22,
  AFn = 1 << 23,
  /** all seven fast-math flags */
  Fast = 0x7f << 17,
}

// Values are made by the ten thousands. Their fields are declared and set in the constructor, in one order: class field
// initialisers took 7 % of the reading time of large modules.

export class Value {
  declare readonly kind: ValueKind;
  declare type: IRType;
  /** unescaped; null when unnamed (or without result) */
  declare name: string | null;
  constructor(kind: ValueKind, type: IRType, name: string | null) {
    this.kind = kind;
    this.type = type;
    this.name = name;
  }
}

export class Argument extends Value {
  attributes: AttributeSet | null = null;
  constructor(
    type: IRType,
    name: string | null,
    readonly parent: IRFunction,
    readonly index: number,
  ) {
    super(ValueKind.Argument, type, name);
  }
}

export class BasicBlock extends Value {
  /** filled in text order */
  readonly instructions: Instruction[] = [];
  /** offset of the label (or of the first instruction) in the document, -1 while only referenced */
  offset = -1;
  /** slot in the function, -1 for named blocks */
  slot = -1;
  constructor(
    type: IRType,
    name: string | null,
    readonly parent: IRFunction,
  ) {
    super(ValueKind.BasicBlock, type, name);
  }
}

/** An attachment `!kind !N`. */
export interface MDAttachment {
  /** e.g. `dbg`, `tbaa`, `amdgpu.noclobber` */
  readonly kind: string;
  readonly node: Metadata;
}

export interface OperandBundle {
  readonly tag: string;
  readonly operands: readonly Value[];
}

export interface CallInfo {
  readonly fnType: IRType;
  readonly callingConv: number;
  readonly addressSpace: number;
  retAttrs: AttributeSet | null;
  /** per argument, null = none; may be shorter than the argument list */
  paramAttrs: readonly (AttributeSet | null)[];
  fnAttrs: AttributeSet | null;
  readonly bundles: readonly OperandBundle[];
}

export interface AtomicInfo {
  /** '' = system */
  readonly syncScope: string;
  /** '' = not atomic */
  readonly ordering: string;
  readonly failureOrdering: string;
  /** atomicrmw operation */
  readonly operation: string;
}

export class Instruction extends Value {
  declare readonly opcode: Opcode;
  /**
   * Call-like: arguments, then the callee. Switch: condition, then case values. Phi: incoming values.
   * Store: value, pointer. Others as in the text.
   */
  declare operands: Value[];
  declare flags: number;
  declare parent: BasicBlock;
  /** offset of the instruction (its name, else its opcode) in the document */
  declare readonly offset: number;
  /** calls, invokes and callbrs */
  declare call: CallInfo | null;
  /** atomic accesses and fences */
  declare atomic: AtomicInfo | null;
  /** literal indices of extractvalue and insertvalue, mask of shufflevector (-1 = poison), clause kinds of landingpad */
  declare indices: readonly number[] | null;
  /** phi: incoming blocks parallel to operands; terminators: successors (br: true, false; switch: default, cases) */
  declare blocks: readonly BasicBlock[] | null;
  declare attachments: MDAttachment[] | null;
  /** debug records that stand before it */
  declare debugRecords: DebugRecord[] | null;
  /** source element type of GEP, allocated type; null for others */
  declare auxType: IRType | null;
  /** predicate text of icmp/fcmp */
  declare predicate: string;
  /** bytes; 0 = not given (load, store, alloca, atomics have it always after reading) */
  declare align: number;
  /** slot in the function, -1 for named and void ones */
  declare slot: number;

  constructor(
    opcode: Opcode,
    type: IRType,
    name: string | null,
    operands: Value[],
    flags: number,
    parent: BasicBlock,
    offset: number,
  ) {
    super(ValueKind.Instruction, type, name);
    this.opcode = opcode;
    this.operands = operands;
    this.flags = flags;
    this.parent = parent;
    this.offset = offset;
    this.call = null;
    this.atomic = null;
    this.indices = null;
    this.blocks = null;
    this.attachments = null;
    this.debugRecords = null;
    this.auxType = null;
    this.predicate = '';
    this.align = 0;
    this.slot = -1;
  }
}

export interface DebugRecord {
  /** `value`, `declare`, `assign`, `label`, `declare_value` */
  readonly kind: string;
  /** null: of a call whose operand is no node */
  readonly operands: readonly (Metadata | null)[];
  readonly offset: number;
}

export class Constant extends Value {
  constructor(
    kind: ValueKind,
    type: IRType,
    readonly value: bigint,
    readonly operands: readonly Value[],
    readonly opcode: number,
    readonly flags: number,
    /** source element type of a GEP expression */
    readonly auxType: IRType | null,
    /** inrange(lo, hi) of a GEP expression, mask of shufflevector */
    readonly ints: readonly bigint[] | null = null,
  ) {
    super(kind, type, null);
  }
  /** target of a block address */
  block: BasicBlock | null = null;
}

export class InlineAsm extends Value {
  constructor(
    type: IRType,
    readonly fnType: IRType,
    readonly text: string,
    readonly constraints: string,
    readonly hasSideEffects: boolean,
    readonly isAlignStack: boolean,
    readonly isIntel: boolean,
    readonly canUnwind: boolean,
  ) {
    super(ValueKind.InlineAsm, type, null);
  }
}

export class MetadataAsValue extends Value {
  constructor(
    type: IRType,
    private written: Metadata,
  ) {
    super(ValueKind.MetadataAsValue, type, null);
  }

  /**
   * A node that holds one constant alone is that constant, one that holds nothing but `null` is empty.
   * @llvm Metadata.cpp canonicalizeMetadataForValue
   */
  get metadata(): Metadata {
    const { written } = this;
    if (!(written instanceof MDNode) || written.operands.length !== 1) return written;
    const [operand] = written.operands;
    if (operand === null) return (this.written = new MDNode(-1, false, '', [], null));
    return operand instanceof ValueAsMetadata ? operand : written;
  }
}

// -- metadata ------------------------------------------------------------------------------------------------------

export type Metadata = MDNode | MDString | ValueAsMetadata;

export class MDString {
  constructor(readonly value: string) {}
}

export class ValueAsMetadata {
  constructor(readonly value: Value) {}
}

/** Value of a field of a specialised node: metadata (null for `null`), number, boolean, or words joined by ` | `. */
export type DIFieldValue = Metadata | null | bigint | boolean | string;

export class MDNode {
  /** number in the text, -1 for a node written in place or made by an upgrade */
  constructor(
    public number: number,
    public isDistinct: boolean,
    /** '' for a tuple, else e.g. `DILocation` */
    public className: string,
    /** tuple: the elements; specialised nodes: operands in LLVM's order; DIExpression: none */
    public operands: (Metadata | null)[],
    /** fields of a specialised node as written, by name; null for tuples */
    public fields: Map<string, DIFieldValue> | null,
    /** arguments of DIExpression (words and numbers) and DIArgList (metadata) */
    public elements: readonly (string | bigint | Metadata)[] | null = null,
  ) {}
}

export interface NamedMetadata {
  readonly name: string;
  readonly operands: MDNode[];
}

// -- globals -------------------------------------------------------------------------------------------------------

export abstract class GlobalValue extends Value {
  /** number of an unnamed global as written; -1 for named ones */
  number = -1;
  /** '' = external */
  linkage = '';
  /** '' or `dso_local` / `dso_preemptable` as written */
  preemption = '';
  /** '' | hidden | protected */
  visibility = '';
  dllStorage = '';
  /** '' | unnamed_addr | local_unnamed_addr */
  unnamedAddr = '';
  section = '';
  partition = '';
  /** comdat name, null = none */
  comdat: string | null = null;
  /** offset of the name in the document */
  offset = -1;
  attachments: MDAttachment[] | null = null;
  get addressSpace(): number {
    return this.type.n;
  }
}

export class GlobalVariable extends GlobalValue {
  threadLocal = '';
  isExternallyInitialized = false;
  isConstant = false;
  initializer: Value | null = null;
  /** bytes; 0 = not given */
  align = 0;
  codeModel = '';
  sanitizers: readonly string[] = [];
  attributes: AttributeSet | null = null;
  constructor(
    type: IRType,
    name: string | null,
    public valueType: IRType,
  ) {
    super(ValueKind.GlobalVariable, type, name);
  }
}

/** Alias or ifunc. */
export class GlobalAlias extends GlobalValue {
  threadLocal = '';
  target: Value | null = null;
  constructor(
    kind: ValueKind.GlobalAlias | ValueKind.GlobalIFunc,
    type: IRType,
    name: string | null,
    public valueType: IRType,
  ) {
    super(kind, type, name);
  }
}

export class IRFunction extends GlobalValue {
  /** LLVM's number, 0 = C */
  callingConv = 0;
  retAttrs: AttributeSet | null = null;
  fnAttrs: AttributeSet | null = null;
  args: Argument[] = [];
  align = 0;
  gc = '';
  prefix: Value | null = null;
  prologue: Value | null = null;
  personality: Value | null = null;
  isDeclaration = true;
  /** document offsets of `{` and after `}`; -1 for declarations */
  bodyStart = -1;
  bodyEnd = -1;
  /** parses the body on first need; null when done or when there is none */
  loadBody: (() => void) | null = null;
  private readonly blockList: BasicBlock[] = [];
  private slots: Value[] | null = null;
  private names: Map<string, Value> | null = null;

  constructor(
    type: IRType,
    name: string | null,
    public fnType: IRType,
  ) {
    super(ValueKind.Function, type, name);
  }

  /** Blocks in text order; parses the body if that has not happened. After a syntax error: what stood before it. */
  get blocks(): BasicBlock[] {
    if (this.loadBody !== null) {
      const load = this.loadBody;
      this.loadBody = null;
      load();
    }
    return this.blockList;
  }

  get returnType(): IRType {
    return this.fnType.elements[0];
  }

  get isIntrinsic(): boolean {
    return this.name !== null && this.name.startsWith('llvm.');
  }

  /**
   * Unnamed values by slot (arguments, blocks, instructions with a result), numbered without gaps in text order.
   * Sets `slot` of blocks and instructions.
   */
  get slotValues(): readonly Value[] {
    if (this.slots === null) {
      const slots: Value[] = [];
      const blocks = this.blocks;
      for (const a of this.args) if (a.name === null) slots.push(a);
      for (const b of blocks) {
        if (b.name === null) {
          b.slot = slots.length;
          slots.push(b);
        }
        for (const i of b.instructions) {
          if (i.name !== null || i.type.kind === TypeKind.Void) continue;
          i.slot = slots.length;
          slots.push(i);
        }
      }
      this.slots = slots;
    }
    return this.slots;
  }

  /** Named arguments, blocks and instructions. */
  get valueNames(): ReadonlyMap<string, Value> {
    if (this.names === null) {
      const names = new Map<string, Value>();
      for (const a of this.args) if (a.name !== null) names.set(a.name, a);
      for (const b of this.blocks) {
        if (b.name !== null) names.set(b.name, b);
        for (const i of b.instructions) if (i.name !== null) names.set(i.name, i);
      }
      this.names = names;
    }
    return this.names;
  }

  /** `%ir.NAME`: an argument, block or instruction; null if there is none. */
  valueByName(name: string): Value | null {
    return this.valueNames.get(name) ?? null;
  }

  /** `%ir.N`, by the renumbered slot. */
  valueBySlot(slot: number): Value | null {
    return this.slotValues[slot] ?? null;
  }

  /** `%ir-block.NAME` or the name of a MIR label. */
  blockByName(name: string): BasicBlock | null {
    const v = this.valueByName(name);
    return v instanceof BasicBlock ? v : null;
  }

  /** `%ir-block.N` */
  blockBySlot(slot: number): BasicBlock | null {
    const v = this.valueBySlot(slot);
    return v instanceof BasicBlock ? v : null;
  }

  /** The slot of an unnamed argument, block or instruction of this function; -1 for named ones. */
  slotOf(v: Value): number {
    if (v.name !== null) return -1;
    const slots = this.slotValues;
    if (v instanceof BasicBlock || v instanceof Instruction) return v.slot;
    return slots.indexOf(v);
  }

  /** The alloca of that name (`stack: name:`), or null. */
  allocaByName(name: string): Instruction | null {
    const v = this.valueByName(name);
    return v instanceof Instruction && v.opcode === Opcode.Alloca ? v : null;
  }

  hasFnAttr(key: string): boolean {
    return this.fnAttrs !== null && this.fnAttrs.has(key);
  }

  /** Value of a string attribute, or null. */
  fnAttr(key: string): string | null {
    return this.fnAttrs === null ? null : this.fnAttrs.string(key);
  }

  /** Drops derived tables after a change of the body (upgrades, renaming). */
  invalidate(): void {
    this.slots = null;
    this.names = null;
  }
}

export interface Comdat {
  readonly name: string;
  /** any, exactmatch, largest, nodeduplicate, samesize */
  selection: string;
}

/** What releases of LLVM write and read differently. */
export interface IRDialect {
  readonly intrinsics: IntrinsicFacts;
  readonly rules: IRRules;
}

/** What the intrinsics of a release are, beside the table of LLVM 22 (intrinsics.ts). */
export interface IntrinsicFacts {
  /** Lines `name;signature;attributes`, a name alone where there is no such intrinsic any more; empty: all are the same. */
  changes(): string;
}

export interface IRRules {
  /** floating-point constants as LLVM 24 has them (floatText.ts) */
  readonly decimalFloats: boolean;
  /** uitofp and sitofp take fast-math flags */
  readonly fastMathOnIntegerCasts: boolean;
  /** debug info: what belongs to a function stands in its retainedNodes, none of it in lists of the compile unit */
  readonly localEntities: boolean;
  /** a DISubprogram must have a type */
  readonly typedSubprograms: boolean;
  /** `denormal_fpenv(...)` is an attribute */
  readonly hasDenormalEnvironment: boolean;
  /** `memory(target_mem: ...)` stands for target_mem0 and target_mem1 */
  readonly hasTargetMemory: boolean;
  /** calls of matrix products lose modifiers of A and B, which are zero */
  readonly dropsMatrixModifiers: boolean;
  /** `llvm.convert.from.fp16` and `llvm.convert.to.fp16` become casts */
  readonly castsHalves: boolean;
}

export const LLVM22_IR: IRDialect = {
  intrinsics: { changes: () => '' },
  rules: {
    decimalFloats: false,
    fastMathOnIntegerCasts: false,
    localEntities: false,
    typedSubprograms: false,
    hasDenormalEnvironment: false,
    hasTargetMemory: false,
    dropsMatrixModifiers: false,
    castsHalves: false,
  },
};

export class IRModule {
  /** how it is written and read */
  dialect: IRDialect = LLVM22_IR;
  sourceFileName: string | null = null;
  dataLayout: string | null = null;
  triple: string | null = null;
  readonly moduleAsm: string[] = [];
  readonly comdats = new Map<string, Comdat>();
  readonly globals: GlobalVariable[] = [];
  readonly aliases: GlobalAlias[] = [];
  readonly ifuncs: GlobalAlias[] = [];
  readonly functions: IRFunction[] = [];
  readonly namedMetadata: NamedMetadata[] = [];
  /** nodes by the number in the text */
  readonly numberedMetadata = new Map<number, MDNode>();
  /** identified types in text order */
  readonly namedTypes: IRType[] = [];
  /** attribute groups by number, as written */
  readonly attributeGroups = new Map<number, AttributeSet>();
  /** names of custom metadata kinds in the order of first mention */
  readonly customMDKinds: string[] = [];
  /** whether the text has debug locations, records or compile units */
  hasDebugInfo = false;
  /** whether a flag says that the debug info is of this LLVM's version */
  hasCurrentDebugInfo = false;
  /** what LLVM makes of the text and is not modelled, in words; null: nothing */
  notModelled: string | null = null;
  /** named globals of all kinds */
  readonly symbols = new Map<string, GlobalValue>();
  /** unnamed globals by the number in the text */
  readonly numberedGlobals: GlobalValue[] = [];

  constructor(readonly types: TypeContext) {}

  /** A function of that name, declared or defined. */
  functionByName(name: string): IRFunction | null {
    const g = this.symbols.get(name);
    return g instanceof IRFunction ? g : null;
  }

  /** `@name`: variable, function, alias or ifunc. */
  globalByName(name: string): GlobalValue | null {
    return this.symbols.get(name) ?? null;
  }

  /** `@N`, by the number in the text. */
  globalByNumber(n: number): GlobalValue | null {
    return this.numberedGlobals[n] ?? null;
  }

  /** `!N` in a MIR body, by the number in the text. */
  metadataByNumber(n: number): MDNode | null {
    return this.numberedMetadata.get(n) ?? null;
  }
}

/** Address space of a pointer value (or of the pointers of a vector), -1 if it is none. */
export function pointerAddressSpace(v: Value): number {
  const t = v.type.scalar;
  return t.kind === TypeKind.Pointer ? t.n : -1;
}

/** Facts of the IR function that codegen asks for; defaults for a function without IR. */
export interface IRFunctionFacts {
  /** LLVM's calling convention number, 0 = C */
  readonly callingConv: number;
  /** string attributes of the function, e.g. `amdgpu-waves-per-eu` -> `4,4` */
  readonly attributes: ReadonlyMap<string, string>;
  /** enum attributes such as `nounwind` */
  readonly enumAttributes: ReadonlySet<string>;
  /** `denormal_fpenv(...)`: what stands between the parentheses, '' without */
  readonly denormalEnvironment: string;
  /** `alignstack(N)`, bytes; 0 = not given */
  readonly stackAlignment: number;
  /** metadata `reqd_work_group_size` of three numbers */
  readonly hasReqdWorkGroupSize: boolean;
  /** its numbers, NaN for what is none; null without */
  readonly reqdWorkGroupSize: readonly number[] | null;
  readonly isDummy: boolean;
}

/** What code generation asks of an IR function. `null` = no IR: C convention, no attributes. */
export function irFunctionFacts(fn: IRFunction | null): IRFunctionFacts {
  if (fn === null) {
    const attributes = new Map<string, string>();
    const hasReqdWorkGroupSize = false;
    return {
      callingConv: 0,
      attributes,
      enumAttributes: new Set(),
      denormalEnvironment: '',
      stackAlignment: 0,
      hasReqdWorkGroupSize,
      reqdWorkGroupSize: null,
      isDummy: true,
    };
  }
  const reqdNode = fn.attachments?.find((a) => a.kind === 'reqd_work_group_size')?.node;
  const reqdSize = reqdNode instanceof MDNode && reqdNode.operands.length === 3 ? reqdNode.operands : null;
  return {
    callingConv: fn.callingConv,
    attributes: fn.fnAttrs === null ? new Map<string, string>() : fn.fnAttrs.strings,
    enumAttributes: new Set(fn.fnAttrs === null ? [] : fn.fnAttrs.values.keys()),
    denormalEnvironment: fn.fnAttrs?.get('denormal_fpenv')?.text ?? '',
    stackAlignment: Number(fn.fnAttrs?.get('alignstack')?.text ?? 0),
    hasReqdWorkGroupSize: reqdSize !== null,
    reqdWorkGroupSize: reqdSize?.map(numberOf) ?? null,
    isDummy: false,
  };
}

/** NaN for metadata that is no integer */
function numberOf(m: Metadata | null): number {
  if (!(m instanceof ValueAsMetadata) || m.value.kind !== ValueKind.ConstantInt) return NaN;
  return Number((m.value as Constant).value);
}

/** `amdgpu_kernel` and the like; `cc1010` for a number without a name; '' for the C convention. */
export function callingConvName(cc: number): string {
  if (cc === 0) return '';
  return callingConvNames().get(cc) ?? `cc${cc}`;
}

export { escapeIRString, printIRName } from './escape.js';
