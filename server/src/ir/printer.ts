/**
 * Prints the IR module as llc writes it into MIR files (llvm/IR/AsmWriter.cpp, LLVM 22): values, attribute groups and
 * metadata renumbered, types and comdats in order of first reach, defaults spelled out.
 */
import { AttributeSet, NO_ATTRIBUTES } from './attributes.js';
import { expressionText } from './debugExpression.js';
import { bitsToDouble, bitsToFloat, doubleToBits, isNullValue, signedValue } from './constants.js';
import { AMDGPU_DATA_LAYOUT, R600_DATA_LAYOUT } from './dataLayout.js';
import { FieldKind, FieldPrint, NODE_SCHEMAS } from './debugInfo.js';
import { isUnknownIntrinsic } from './intrinsics.js';
import { MetadataSlots } from './metadataSlots.js';
import {
  BasicBlock,
  callingConvName,
  Constant,
  escapeIRString,
  GlobalAlias,
  GlobalValue,
  GlobalVariable,
  InlineAsm,
  InstFlag,
  Instruction,
  IRFunction,
  IRModule,
  MDNode,
  MDString,
  MetadataAsValue,
  Opcode,
  printIRName,
  Value,
  ValueAsMetadata,
  ValueKind,
  type AtomicInfo,
  type DebugRecord,
  type DIFieldValue,
  type MDAttachment,
  type Metadata,
} from './module.js';
import { FLOAT_NAMES, floatText } from './floatText.js';
import { instructionNames } from './names.js';
import { normalizeTriple } from './triple.js';
import { structBody, typeText } from './typeText.js';
import { TypeKind, type IRType } from './types.js';

/** What llc's command line adds to a module. */
export interface PrintModuleOptions {
  /** input path as given, for the `; ModuleID` line and a missing source_filename */
  readonly moduleId: string;
  /** `-mtriple` as given; '' keeps the module's own triple */
  readonly triple?: string;
  /** `-march`, which goes before the triple's architecture */
  readonly march?: string;
  /** `-mcpu`; '' = none */
  readonly cpu?: string;
  /** `-mattr` as LLVM joins it (`+xnack,-cumode`); '' = none */
  readonly features?: string;
  readonly flags?: CodegenFlags;
}

/** What llc's code generation options put into the module (codegen::setFunctionAttributes). */
export interface CodegenFlags {
  readonly attributes: readonly CodegenAttribute[];
  /** `-trap-func`: the function that calls of llvm.trap and llvm.debugtrap are for, null if not given */
  readonly trapFunction: string | null;
}

export interface CodegenAttribute {
  readonly key: string;
  readonly value: string;
  /** a function's own value stays otherwise */
  readonly replaces: boolean;
}

/** Column at which the comment with the predecessors of a block starts. */
const PREDS_COLUMN = 50;

/** The module as `.ll` text, without indentation. Reads all bodies that are still pending. O(text). */
export function printModule(module: IRModule, options: PrintModuleOptions): string {
  return new ModulePrinter(module, options).print();
}

/** The IR document of a MIR file: `--- |`, the module indented by two, `...`. */
export function printIRDocument(module: IRModule, options: PrintModuleOptions): string {
  const text = printModule(module, options);
  return '--- |\n  ' + text.slice(0, -1).replaceAll('\n', '\n  ') + '\n...\n';
}

/** A constant or global with its type, as MIR writes it between back quotes; local values by name or slot. */
export function printTypedValue(v: Value, fn: IRFunction | null = null, module: IRModule | null = null): string {
  // Nodes have their numbers from the module.
  if (v.kind === ValueKind.MetadataAsValue && module !== null) return messagePrinter(module).typed(v);
  const p = new ValuePrinter(
    module === null ? null : new TypeNames(module),
    module?.dialect.rules.decimalFloats === true,
  );
  p.fn = fn;
  return p.typed(v);
}

/** LLVM's messages about a module share the numbers of attribute sets: who is shown later gets later ones. */
const messagePrinters = new WeakMap<IRModule, ModulePrinter>();

function messagePrinter(module: IRModule): ModulePrinter {
  let printer = messagePrinters.get(module);
  if (printer === undefined) messagePrinters.set(module, (printer = new ModulePrinter(module, { moduleId: '' })));
  return printer;
}

/** What is told from now on is about the module as it is now: each run of the verifier numbers anew. */
export function forgetMessages(module: IRModule): void {
  messagePrinters.delete(module);
}

/** An instruction as LLVM's messages show it, with its indentation. */
export function printInstruction(i: Instruction, fn: IRFunction, module: IRModule): string {
  // Numbers the values without names.
  void fn.slotValues;
  return messagePrinter(module).instructionOf(i, fn);
}

/** Operands of a debug record with its location. */
const N_RECORD_OPERANDS: Readonly<Record<string, number>> = {
  value: 4,
  declare: 4,
  declare_value: 4,
  assign: 7,
  label: 2,
};

/** A debug record as LLVM's messages show it: `(null)` stands for a location that is not there. */
export function printDebugRecord(r: DebugRecord, fn: IRFunction, module: IRModule): string {
  void fn.slotValues;
  return messagePrinter(module).debugRecordOf(r, fn);
}

/** Metadata as LLVM's messages show it: a node with its number and what it holds. */
export function printMetadata(m: Metadata | null, module: IRModule): string {
  return messagePrinter(module).metadataLine(m);
}

/** An attribute of a set as LLVM's messages name it. */
export function printAttributeText(attributes: AttributeSet, word: string): string {
  const value = attributes.get(word);
  return value === null
    ? word
    : new AttributeSet(new Map([[word, value]]), new Map()).printWords((t) => printIRType(t));
}

/** A type; unnamed identified types need the module. */
export function printIRType(t: IRType, module: IRModule | null = null): string {
  return new ValuePrinter(
    module === null ? null : new TypeNames(module),
    module?.dialect.rules.decimalFloats === true,
  ).type(t);
}

// -- attributes that llc adds ---------------------------------------------------------------------------------------------

/** Function attributes after llc has put `-mcpu`, `-mattr` and its code generation options in. */
function effectiveFnAttrs(attrs: AttributeSet | null, options: PrintModuleOptions): AttributeSet | null {
  const { cpu = '', features = '', flags } = options;
  const more = new Map<string, string>();
  if (cpu !== '' && (attrs === null || !attrs.strings.has('target-cpu'))) more.set('target-cpu', cpu);
  if (features !== '') {
    const old = attrs?.strings.get('target-features') ?? '';
    more.set('target-features', old === '' ? features : `${old},${features}`);
  }
  for (const { key, value, replaces } of flags?.attributes ?? []) {
    if (replaces || attrs === null || !attrs.has(key)) more.set(key, value);
  }
  if (more.size === 0) return attrs;
  if (attrs === null) return new AttributeSet(new Map(), more);
  return attrs.withStrings(more);
}

// -- types ------------------------------------------------------------------------------------------------------------------

/** Identified types that the module reaches, in LLVM's order (TypeFinder). */
class TypeNames {
  readonly numbered: IRType[] = [];
  readonly named: IRType[] = [];
  readonly numbers = new Map<IRType, number>();
  private readonly seenTypes = new Set<IRType>();
  private readonly seenConstants = new Set<Value>();
  private readonly seenNodes = new Set<MDNode>();
  private readonly seenAttrs = new Set<AttributeSet>();

  constructor(module: IRModule) {
    // Without identified types nothing needs to be found.
    if (module.namedTypes.length === 0) return;
    for (const g of module.globals) {
      this.addType(g.valueType);
      if (g.initializer !== null) this.addValue(g.initializer);
      this.addAttachments(g.attachments);
    }
    for (const a of [...module.aliases, ...module.ifuncs]) {
      this.addType(a.valueType);
      if (a.target !== null) this.addValue(a.target);
    }
    for (const f of module.functions) this.addFunction(f);
    for (const n of module.namedMetadata) for (const op of n.operands) this.addNode(op);
  }

  private addFunction(f: IRFunction): void {
    this.addType(f.fnType);
    this.addAttrs(f.retAttrs);
    for (const a of f.args) this.addAttrs(a.attributes);
    for (const v of [f.prefix, f.prologue, f.personality]) if (v !== null) this.addValue(v);
    for (const b of f.blocks) {
      for (const i of b.instructions) {
        this.addType(i.type);
        for (const o of i.operands) if (o.kind !== ValueKind.Instruction) this.addValue(o);
        if (i.auxType !== null) this.addType(i.auxType);
        if (i.call !== null) {
          this.addType(i.call.fnType);
          this.addAttrs(i.call.retAttrs);
          for (const a of i.call.paramAttrs) this.addAttrs(a);
        }
        this.addAttachments(i.attachments);
      }
    }
  }

  private addAttrs(set: AttributeSet | null): void {
    if (set === null || this.seenAttrs.has(set)) return;
    this.seenAttrs.add(set);
    for (const v of set.values.values()) if (v.type !== null) this.addType(v.type);
  }

  private addAttachments(list: readonly MDAttachment[] | null): void {
    if (list === null) return;
    for (const a of list) if (a.node instanceof MDNode) this.addNode(a.node);
  }

  private addNode(first: MDNode): void {
    const stack = [first];
    for (let n = stack.pop(); n !== undefined; n = stack.pop()) {
      if (this.seenNodes.has(n)) continue;
      this.seenNodes.add(n);
      for (const op of n.operands) {
        if (op instanceof MDNode) stack.push(op);
        else if (op instanceof ValueAsMetadata) this.addValue(op.value);
      }
    }
  }

  private addType(first: IRType): void {
    const stack = [first];
    for (let t = stack.pop(); t !== undefined; t = stack.pop()) {
      if (this.seenTypes.has(t)) continue;
      this.seenTypes.add(t);
      if (t.isIdentified) {
        if (t.name !== null) this.named.push(t);
        else {
          this.numbers.set(t, this.numbered.length);
          this.numbered.push(t);
        }
      }
      for (let i = t.elements.length - 1; i >= 0; i--)
        if (!this.seenTypes.has(t.elements[i])) stack.push(t.elements[i]);
    }
  }

  private addValue(v: Value): void {
    if (v instanceof MetadataAsValue) {
      if (v.metadata instanceof MDNode) this.addNode(v.metadata);
      else if (v.metadata instanceof ValueAsMetadata) this.addValue(v.metadata.value);
      return;
    }
    if (!(v instanceof Constant) || this.seenConstants.has(v)) return;
    this.seenConstants.add(v);
    this.addType(v.type);
    if (v.auxType !== null) this.addType(v.auxType);
    for (const o of v.operands) this.addValue(o);
  }
}

// -- values -----------------------------------------------------------------------------------------------------------------

const FMF_WORDS: readonly (readonly [number, string])[] = [
  [InstFlag.Reassoc, ' reassoc'],
  [InstFlag.NNan, ' nnan'],
  [InstFlag.NInf, ' ninf'],
  [InstFlag.NSZ, ' nsz'],
  [InstFlag.ARcp, ' arcp'],
  [InstFlag.Contract, ' contract'],
  [InstFlag.AFn, ' afn'],
];

function flagWords(opcode: number, flags: number): string {
  if (flags === 0) return '';
  let s = '';
  if ((flags & InstFlag.Fast) !== 0) {
    if ((flags & InstFlag.Fast) === InstFlag.Fast) s += ' fast';
    else for (const [bit, word] of FMF_WORDS) if ((flags & bit) !== 0) s += word;
  }
  if (opcode === Opcode.GetElementPtr) {
    if ((flags & InstFlag.InBounds) !== 0) s += ' inbounds';
    else if ((flags & InstFlag.NUSW) !== 0) s += ' nusw';
    if ((flags & InstFlag.NUW) !== 0) s += ' nuw';
    return s;
  }
  if ((flags & InstFlag.NUW) !== 0) s += ' nuw';
  if ((flags & InstFlag.NSW) !== 0) s += ' nsw';
  if ((flags & InstFlag.Exact) !== 0) s += ' exact';
  if ((flags & InstFlag.Disjoint) !== 0) s += ' disjoint';
  if ((flags & InstFlag.NNeg) !== 0) s += ' nneg';
  if ((flags & InstFlag.SameSign) !== 0) s += ' samesign';
  return s;
}

class ValuePrinter {
  fn: IRFunction | null = null;
  slots: MetadataSlots | null = null;
  private readonly typeTexts = new Map<IRType, string>();

  constructor(
    private readonly typeNames: TypeNames | null,
    private readonly decimalFloats: boolean,
  ) {}

  readonly type = (t: IRType): string => {
    if (t.kind === TypeKind.Integer) return 'i' + t.n;
    let s = this.typeTexts.get(t);
    if (s === undefined) this.typeTexts.set(t, (s = typeText(t, this.type, this.identifiedType)));
    return s;
  };

  private readonly identifiedType = (t: IRType): string =>
    '%' + (t.name !== null ? printIRName(t.name) : String(this.typeNames?.numbers.get(t) ?? t.number));

  typed(v: Value): string {
    return this.type(v.type) + ' ' + this.value(v);
  }

  /** The value without its type. */
  value(v: Value): string {
    switch (v.kind) {
      case ValueKind.Instruction:
      case ValueKind.BasicBlock: {
        if (v.name !== null) return '%' + printIRName(v.name);
        const slot = (v as Instruction | BasicBlock).slot;
        return slot < 0 ? '<badref>' : '%' + slot;
      }
      case ValueKind.Argument:
        if (v.name !== null) return '%' + printIRName(v.name);
        return '%' + (this.fn === null ? '<badref>' : String(this.fn.slotOf(v)));
      case ValueKind.Function:
      case ValueKind.GlobalVariable:
      case ValueKind.GlobalAlias:
      case ValueKind.GlobalIFunc:
        return '@' + (v.name === null ? String((v as GlobalValue).number) : printIRName(v.name));
      case ValueKind.InlineAsm: {
        const a = v as InlineAsm;
        let s = 'asm ';
        if (a.hasSideEffects) s += 'sideeffect ';
        if (a.isAlignStack) s += 'alignstack ';
        if (a.isIntel) s += 'inteldialect ';
        if (a.canUnwind) s += 'unwind ';
        return `${s}"${escapeIRString(a.text)}", "${escapeIRString(a.constraints)}"`;
      }
      case ValueKind.MetadataAsValue:
        return this.metadata((v as MetadataAsValue).metadata);
      case ValueKind.Placeholder:
        return '<badref>';
      default:
        return this.constant(v as Constant);
    }
  }

  private constant(c: Constant): string {
    switch (c.kind) {
      case ValueKind.ConstantInt:
        if (c.type.n === 1) return c.value === 0n ? 'false' : 'true';
        return String(signedValue(c));
      case ValueKind.ConstantFP:
        return printFP(c, this.decimalFloats);
      case ValueKind.ConstantNull:
        return 'null';
      case ValueKind.ConstantZero:
        return 'zeroinitializer';
      case ValueKind.Undef:
        return 'undef';
      case ValueKind.Poison:
        return 'poison';
      case ValueKind.ConstantNone:
        return 'none';
      case ValueKind.ConstantAggregate:
        return this.aggregate(c);
      case ValueKind.BlockAddress: {
        const fn = c.operands[0];
        if (c.block !== null && fn instanceof IRFunction) void fn.slotValues;
        return `blockaddress(${this.value(fn)}, ${c.block === null ? '<badref>' : this.value(c.block)})`;
      }
      case ValueKind.DSOLocalEquivalent:
        return 'dso_local_equivalent ' + this.value(c.operands[0]);
      case ValueKind.NoCFI:
        return 'no_cfi ' + this.value(c.operands[0]);
      case ValueKind.PtrAuth:
        return `ptrauth (${withoutTrailingNulls(c.operands, 2)
          .map((o) => this.typed(o))
          .join(', ')})`;
      default:
        return this.constantExpr(c);
    }
  }

  private aggregate(c: Constant): string {
    const t = c.type;
    const list = c.operands;
    if (t.isVector) {
      const first = list[0];
      const isScalar = first.kind === ValueKind.ConstantInt || first.kind === ValueKind.ConstantFP;
      if (isScalar && list.every((e) => e === first)) return `splat (${this.typed(first)})`;
      if (t.kind === TypeKind.ScalableVector) return `splat (${this.typed(first)})`;
      return `<${list.map((e) => this.typed(e)).join(', ')}>`;
    }
    if (t.kind === TypeKind.Array) {
      if (
        t.elements[0].kind === TypeKind.Integer &&
        t.elements[0].n === 8 &&
        list.every((e) => e.kind === ValueKind.ConstantInt)
      ) {
        let s = '';
        for (const e of list) s += String.fromCharCode(Number((e as Constant).value));
        return `c"${escapeIRString(s)}"`;
      }
      return `[${list.map((e) => this.typed(e)).join(', ')}]`;
    }
    const inner = `{ ${list.map((e) => this.typed(e)).join(', ')} }`;
    return t.flag ? `<${inner}>` : inner;
  }

  private constantExpr(c: Constant): string {
    let s = instructionNames()[c.opcode] + flagWords(c.opcode, c.flags);
    if (c.opcode === Opcode.GetElementPtr && c.ints !== null) s += ` inrange(${c.ints[0]}, ${c.ints[1]})`;
    s += ' (';
    if (c.opcode === Opcode.GetElementPtr) s += this.type(c.auxType!) + ', ';
    s += c.operands.map((o) => this.typed(o)).join(', ');
    if (isCastOpcode(c.opcode)) s += ' to ' + this.type(c.type);
    if (c.opcode === Opcode.ShuffleVector) s += this.shuffleMask(c.ints!.map(Number), c.type);
    return s + ')';
  }

  shuffleMask(mask: readonly number[], type: IRType): string {
    let s = `, <${type.kind === TypeKind.ScalableVector ? 'vscale x ' : ''}${mask.length} x i32> `;
    if (mask.every((m) => m === 0)) return s + 'zeroinitializer';
    if (mask.every((m) => m < 0)) return s + 'poison';
    s += '<';
    for (let i = 0; i < mask.length; i++) s += (i > 0 ? ', i32 ' : 'i32 ') + (mask[i] < 0 ? 'poison' : String(mask[i]));
    return s + '>';
  }

  // -- metadata -----------------------------------------------------------------------------------------------------

  /** A reference: `!N`, a string, a value with its type, or a node that is always written in place. */
  metadata(m: Metadata | null): string {
    if (m === null) return 'null';
    if (m instanceof MDString) return `!"${escapeIRString(m.value)}"`;
    if (m instanceof ValueAsMetadata) return this.typed(m.value);
    if (m.className === 'DIExpression' || m.className === 'DIArgList') return this.nodeBody(m);
    const slot = this.slots === null ? -1 : this.slots.slotOf(m);
    // LLVM prints where the node lies in its memory.
    return slot < 0 ? '<0x0>' : '!' + slot;
  }

  /** What stands after `!N = [distinct] `. */
  nodeBody(n: MDNode): string {
    if (n.className === '') return `!{${n.operands.map((o) => this.metadata(o)).join(', ')}}`;
    if (n.className === 'DIExpression') return expressionText(n);
    if (n.className === 'DIArgList')
      return `!DIArgList(${n.elements!.map((e) => this.metadata(e as Metadata)).join(', ')})`;
    const schema = NODE_SCHEMAS.get(n.className)!;
    const parts: string[] = [];
    for (const f of schema.fields) {
      const v = n.fields!.get(f.name);
      // A virtual function's slot is written although it is 0.
      const isSlot = f.name === 'virtualIndex' && isVirtualSubprogram(n);
      const text = this.fieldText(v, f.kind, isSlot ? FieldPrint.Always : f.print, f.skipWord);
      if (text !== null) parts.push(`${f.name}: ${text}`);
    }
    return `!${n.className}(${parts.join(', ')})`;
  }

  private fieldText(v: DIFieldValue | undefined, kind: FieldKind, print: FieldPrint, skipWord: string): string | null {
    if (print === FieldPrint.UnlessTrue) return v === false ? 'false' : null;
    if (v === undefined || v === null) {
      if (print !== FieldPrint.Always) return null;
      if (kind === FieldKind.Int) return '0';
      if (kind === FieldKind.Bool) return 'false';
      if (kind === FieldKind.String) return '""';
      return kind === FieldKind.Words ? skipWord || '0' : 'null';
    }
    if (typeof v === 'bigint') return v === 0n && print === FieldPrint.NonDefault ? null : String(v);
    if (typeof v === 'boolean') return !v && print === FieldPrint.NonDefault ? null : String(v);
    if (typeof v === 'string') {
      // No flags at all print as 0 where the field is always written.
      if (v === '') return print === FieldPrint.Always ? '0' : null;
      return v === skipWord && print !== FieldPrint.Always ? null : v;
    }
    if (v instanceof MDString) return `"${escapeIRString(v.value)}"`;
    if (kind === FieldKind.Nodes && v instanceof MDNode)
      return `{${v.operands.map((o) => this.metadata(o)).join(', ')}}`;
    return this.metadata(v);
  }
}

function isVirtualSubprogram(n: MDNode): boolean {
  const flags = n.fields!.get('spFlags');
  return typeof flags === 'string' && /DISPFlag(Pure)?Virtual/.test(flags);
}

function isCastOpcode(opcode: number): boolean {
  return opcode >= Opcode.Trunc && opcode <= Opcode.AddrSpaceCast;
}

/** Floating-point constant as LLVM prints it: decimal when six digits read back exactly, else hexadecimal. */
export function printFP(c: Constant, isDecimal = false): string {
  const t = c.type;
  if (isDecimal) return floatText(FLOAT_NAMES[t.kind]!, c.value);
  const hex = (bits: bigint, digits: number): string => bits.toString(16).toUpperCase().padStart(digits, '0');
  switch (t.kind) {
    case TypeKind.Half:
      return '0xH' + hex(c.value, 4);
    case TypeKind.BFloat:
      return '0xR' + hex(c.value, 4);
    case TypeKind.X86FP80:
      return '0xK' + hex(c.value, 20);
    case TypeKind.FP128:
      return '0xL' + hex(c.value & 0xffffffffffffffffn, 16) + hex(c.value >> 64n, 16);
    case TypeKind.PPCFP128:
      return '0xM' + hex(c.value & 0xffffffffffffffffn, 16) + hex(c.value >> 64n, 16);
    case TypeKind.Float: {
      const x = bitsToFloat(c.value);
      const text = decimalText(x);
      if (text !== null) return text;
      // NaN payloads are moved by hand: conversion through a JavaScript number may quieten them.
      if (Number.isNaN(x)) {
        const sign = c.value >> 31n;
        return '0x' + hex((sign << 63n) | 0x7ff0000000000000n | ((c.value & 0x7fffffn) << 29n), 1);
      }
      return '0x' + hex(doubleToBits(x), 1);
    }
    default: {
      const text = decimalText(bitsToDouble(c.value));
      return text ?? '0x' + hex(c.value, 1);
    }
  }
}

/** Significant digits that LLVM prints. */
const FP_DIGITS = 6;

/** Decimal text if it reads back exactly, else null. */
function decimalText(x: number): string | null {
  if (!Number.isFinite(x)) return null;
  if (x === 0) return Object.is(x, -0) ? '-0.000000e+00' : '0.000000e+00';
  const text = x.toExponential(FP_DIGITS - 1);
  // LLVM cuts digits off before it rounds, so it can miss a number whose correctly rounded text is exact.
  if (Number(text) !== x || !cutDigitsRoundTo(x, text)) return null;
  // Six digits after the point, the exponent has at least two.
  return text.replace(/e([+-])(\d+)$/, (_, sign: string, digits: string) => `0e${sign}${digits.padStart(2, '0')}`);
}

/** Whether the digits of APFloat::toString, which drops decimal places of the exact value first, are those of `text`. */
function cutDigitsRoundTo(x: number, text: string): boolean {
  const bits = doubleToBits(Math.abs(x));
  const biased = Number(bits >> 52n);
  let significand = bits & 0xfffffffffffffn;
  let exponent = biased === 0 ? -1074 : biased - 1075;
  if (biased !== 0) significand |= 1n << 52n;
  while ((significand & 1n) === 0n) {
    significand >>= 1n;
    exponent++;
  }
  // The value is an integer times a power of ten; only its leading digits matter.
  significand = exponent >= 0 ? significand << BigInt(exponent) : significand * 5n ** BigInt(-exponent);
  const nBits = significand.toString(2).length;
  // 196/59 is LLVM's overestimate of log2(10).
  const required = Math.floor((FP_DIGITS * 196 + 58) / 59);
  if (nBits > required) {
    const tens = Math.floor(((nBits - required) * 59) / 196);
    if (tens > 0) significand /= 10n ** BigInt(tens);
  }
  let digits = significand.toString();
  if (digits.length > FP_DIGITS) {
    const isUp = digits.charCodeAt(FP_DIGITS) >= 53;
    digits = String(Number(digits.slice(0, FP_DIGITS)) + (isUp ? 1 : 0));
  }
  const strip = (d: string): string => d.replace(/0+$/, '');
  return strip(digits) === strip(text.slice(0, text.indexOf('e')).replace(/[-.]/g, ''));
}

// -- module -----------------------------------------------------------------------------------------------------------------

class ModulePrinter extends ValuePrinter {
  /** functions of which an instruction was asked for by itself */
  private readonly shown = new Set<IRFunction>();
  private out = '';
  private readonly groups = new Map<string, number>();
  private readonly groupOf = new Map<AttributeSet, number>();
  private readonly mdSlots: MetadataSlots;
  private readonly fnAttrs = new Map<IRFunction, AttributeSet | null>();
  private readonly names: TypeNames;

  constructor(
    private readonly module: IRModule,
    private readonly options: PrintModuleOptions,
  ) {
    const names = new TypeNames(module);
    super(names, module.dialect.rules.decimalFloats);
    this.names = names;
    this.mdSlots = new MetadataSlots(module);
    this.slots = this.mdSlots;
  }

  print(): string {
    const { module, options } = this;
    this.numberGlobals();
    this.numberGroups();
    this.out += `; ModuleID = '${options.moduleId}'\n`;
    this.out += `source_filename = "${escapeIRString(module.sourceFileName ?? options.moduleId)}"\n`;
    const triple = normalizeTriple(options.triple ?? '') || (module.triple ?? '');
    const isR600 = options.march === 'r600' || (!options.march && triple.startsWith('r600'));
    this.out += `target datalayout = "${isR600 ? R600_DATA_LAYOUT : AMDGPU_DATA_LAYOUT}"\n`;
    if (triple !== '') this.out += `target triple = "${triple}"\n`;
    if (module.moduleAsm.length > 0) {
      this.out += '\n';
      for (const line of module.moduleAsm) this.out += `module asm "${escapeIRString(line)}"\n`;
    }
    this.printTypes();
    this.printComdats();
    this.printGlobals();
    for (const f of module.functions) this.printFunction(f);
    if (this.groups.size > 0) {
      this.out += '\n';
      for (const [text, n] of this.groups) this.out += `attributes #${n} = { ${text} }\n`;
    }
    if (module.namedMetadata.length > 0) {
      this.out += '\n';
      for (const n of module.namedMetadata) {
        this.out += `!${escapeMetadataName(n.name)} = !{${n.operands.map((o) => this.metadata(o)).join(', ')}}\n`;
      }
    }
    if (this.mdSlots.nodes.length > 0) {
      this.out += '\n';
      this.mdSlots.nodes.forEach((n, i) => {
        this.out += `!${i} = ${n.isDistinct ? 'distinct ' : ''}${this.nodeBody(n)}\n`;
      });
    }
    return this.out;
  }

  /** Unnamed globals are numbered anew: variables, aliases, ifuncs, functions. */
  private numberGlobals(): void {
    const { module } = this;
    let n = 0;
    for (const list of [module.globals, module.aliases, module.ifuncs, module.functions]) {
      for (const g of list) if (g.name === null) g.number = n++;
    }
  }

  private group(attrs: AttributeSet): number {
    let n = this.groupOf.get(attrs);
    if (n !== undefined) return n;
    const text = attrs.printGroup(this.type);
    n = this.groups.get(text);
    if (n === undefined) this.groups.set(text, (n = this.groups.size));
    this.groupOf.set(attrs, n);
    return n;
  }

  private printTypes(): void {
    const { numbered, named } = this.names;
    if (numbered.length === 0 && named.length === 0) return;
    this.out += '\n';
    for (const t of [...numbered, ...named]) {
      this.out += `${this.type(t)} = type ${t.isOpaque ? 'opaque' : structBody(t, this.type)}\n`;
    }
  }

  private printComdats(): void {
    const used = new Set<string>();
    const { module } = this;
    // Order of first use: functions before variables.
    for (const f of module.functions) if (f.comdat !== null) used.add(f.comdat);
    for (const g of module.globals) if (g.comdat !== null) used.add(g.comdat);
    if (used.size === 0) return;
    const lines: string[] = [];
    for (const name of used) {
      lines.push(`$${printIRName(name)} = comdat ${module.comdats.get(name)?.selection ?? 'any'}\n`);
    }
    this.out += '\n' + lines.join('\n');
  }

  private globalLead(g: GlobalValue): string {
    let s = g.linkage === '' ? '' : g.linkage + ' ';
    const isLocal = g.linkage === 'private' || g.linkage === 'internal';
    const isImplicit = isLocal || (g.visibility !== '' && g.linkage !== 'extern_weak');
    if (g.preemption === 'dso_local' && !isImplicit) s += 'dso_local ';
    if (g.visibility !== '') s += g.visibility + ' ';
    if (g.dllStorage !== '') s += g.dllStorage + ' ';
    return s;
  }

  private comdatText(g: GlobalValue): string {
    if (g.comdat === null) return '';
    const lead = g instanceof GlobalVariable ? ',' : '';
    return g.comdat === g.name ? `${lead} comdat` : `${lead} comdat($${printIRName(g.comdat)})`;
  }

  private attachmentsText(list: readonly MDAttachment[] | null, separator: string): string {
    if (list === null) return '';
    let s = '';
    for (const a of this.mdSlots.sorted(list))
      s += `${separator}!${escapeMetadataName(a.kind)} ${this.metadata(a.node)}`;
    return s;
  }

  private printGlobals(): void {
    const { module } = this;
    if (module.globals.length > 0) this.out += '\n';
    for (const g of module.globals) this.out += this.globalText(g) + '\n';
    if (module.aliases.length > 0) this.out += '\n';
    for (const a of module.aliases) this.out += this.aliasText(a, 'alias') + '\n';
    if (module.ifuncs.length > 0) this.out += '\n';
    for (const a of module.ifuncs) this.out += this.aliasText(a, 'ifunc') + '\n';
  }

  private globalText(g: GlobalVariable): string {
    let s = this.value(g) + ' = ';
    if (g.initializer === null && g.linkage === '') s += 'external ';
    s += this.globalLead(g);
    if (g.threadLocal !== '') s += g.threadLocal + ' ';
    if (g.unnamedAddr !== '') s += g.unnamedAddr + ' ';
    if (g.addressSpace !== 0) s += `addrspace(${g.addressSpace}) `;
    if (g.isExternallyInitialized) s += 'externally_initialized ';
    s += g.isConstant ? 'constant ' : 'global ';
    s += this.type(g.valueType);
    if (g.initializer !== null) s += ' ' + this.value(g.initializer);
    if (g.section !== '') s += `, section "${escapeIRString(g.section)}"`;
    if (g.partition !== '') s += `, partition "${escapeIRString(g.partition)}"`;
    if (g.codeModel !== '') s += `, code_model "${g.codeModel}"`;
    for (const w of g.sanitizers) s += ', ' + w;
    s += this.comdatText(g);
    if (g.align !== 0) s += `, align ${g.align}`;
    s += this.attachmentsText(g.attachments, ', ');
    if (g.attributes !== null && !g.attributes.isEmpty) s += ` #${this.group(g.attributes)}`;
    return s;
  }

  private aliasText(a: GlobalAlias, word: string): string {
    let s = this.value(a) + ' = ' + this.globalLead(a);
    if (a.threadLocal !== '') s += a.threadLocal + ' ';
    if (a.unnamedAddr !== '') s += a.unnamedAddr + ' ';
    s += `${word} ${this.type(a.valueType)}, `;
    s += a.target!.kind === ValueKind.ConstantExpr ? this.value(a.target!) : this.typed(a.target!);
    if (a.partition !== '') s += `, partition "${escapeIRString(a.partition)}"`;
    return s + this.attachmentsText(a.attachments, ', ');
  }

  // -- functions ----------------------------------------------------------------------------------------------------

  private printFunction(f: IRFunction): void {
    this.fn = f;
    const attrs = this.fnAttrs.get(f)!;
    void f.slotValues;
    let s = '\n';
    if (attrs !== null) {
      const words = attrs.printWords(this.type);
      if (words !== '') s += `; Function Attrs: ${words}\n`;
    }
    if (f.name !== null && isUnknownIntrinsic(f.name, this.module.dialect.intrinsics)) s += '; Unknown intrinsic\n';
    s += f.isDeclaration ? 'declare' + this.attachmentsText(f.attachments, ' ') + ' ' : 'define ';
    s += this.globalLead(f);
    const cc = callingConvName(f.callingConv);
    if (cc !== '') s += cc + ' ';
    if (f.retAttrs !== null) s += f.retAttrs.printParam(this.type) + ' ';
    s += `${this.type(f.returnType)} ${this.value(f)}(`;
    f.args.forEach((a, i) => {
      if (i > 0) s += ', ';
      s += this.type(a.type);
      if (a.attributes !== null && !a.attributes.isEmpty) s += ' ' + a.attributes.printParam(this.type);
      if (!f.isDeclaration) s += ' ' + this.value(a);
    });
    if (f.fnType.flag) s += f.args.length > 0 ? ', ...' : '...';
    s += ')';
    if (f.unnamedAddr !== '') s += ' ' + f.unnamedAddr;
    if (f.addressSpace !== 0) s += ` addrspace(${f.addressSpace})`;
    if (attrs !== null && !attrs.isEmpty) s += ` #${this.group(attrs)}`;
    if (f.section !== '') s += ` section "${escapeIRString(f.section)}"`;
    if (f.partition !== '') s += ` partition "${escapeIRString(f.partition)}"`;
    s += this.comdatText(f);
    if (f.align !== 0) s += ` align ${f.align}`;
    if (f.gc !== '') s += ` gc "${f.gc}"`;
    if (f.prefix !== null) s += ' prefix ' + this.typed(f.prefix);
    if (f.prologue !== null) s += ' prologue ' + this.typed(f.prologue);
    if (f.personality !== null) s += ' personality ' + this.typed(f.personality);
    this.out += s;
    if (f.isDeclaration) {
      this.out += '\n';
      return;
    }
    this.out += this.attachmentsText(f.attachments, ' ') + ' {';
    this.printBlocks(f);
    this.out += '}\n';
  }

  private printBlocks(f: IRFunction): void {
    const blocks = f.blocks;
    const preds = predecessors(blocks);
    blocks.forEach((b, i) => {
      let label = '';
      if (b.name !== null) label = printIRName(b.name) + ':';
      else if (i > 0) label = b.slot + ':';
      if (label !== '') this.out += '\n' + label;
      if (i > 0) {
        const list = preds.get(b);
        const comment =
          list === undefined ? '; No predecessors!' : `; preds = ${list.map((p) => this.value(p)).join(', ')}`;
        this.out += ' '.repeat(Math.max(1, PREDS_COLUMN - label.length)) + comment;
      }
      this.out += '\n';
      for (const inst of b.instructions) {
        if (inst.debugRecords !== null) for (const r of inst.debugRecords) this.out += this.debugRecord(r);
        this.out += this.instruction(inst) + '\n';
      }
    });
  }

  private debugRecord(r: DebugRecord): string {
    return `    #dbg_${r.kind}(${r.operands.map((o) => this.metadata(o)).join(', ')})\n`;
  }

  debugRecordOf(r: DebugRecord, fn: IRFunction): string {
    this.fn = fn;
    const operands = r.operands.map((o) => (o === null ? '(null)' : this.metadata(o)));
    if (operands.length < N_RECORD_OPERANDS[r.kind]!) operands.push('(null)');
    return `#dbg_${r.kind}(${operands.join(', ')})`;
  }

  metadataLine(m: Metadata | null): string {
    if (!(m instanceof MDNode) || m.className === 'DIExpression') return this.metadata(m);
    return `${this.metadata(m)} = ${m.isDistinct ? 'distinct ' : ''}${this.nodeBody(m)}`;
  }

  /** Sets of attributes get their numbers in the order of globals, functions, calls. */
  private numberGroups(): void {
    const { module, options } = this;
    for (const g of module.globals) if (g.attributes !== null) this.group(g.attributes);
    for (const f of module.functions) {
      const attrs = effectiveFnAttrs(f.fnAttrs, options);
      this.fnAttrs.set(f, attrs);
      if (attrs !== null && !attrs.isEmpty) this.group(attrs);
    }
  }

  instructionOf(i: Instruction, fn: IRFunction): string {
    this.fn = fn;
    if (this.shown.size === 0) this.numberGroups();
    if (!this.shown.has(fn)) {
      this.shown.add(fn);
      for (const block of fn.blocks)
        for (const { call } of block.instructions) if (call?.fnAttrs?.isEmpty === false) this.group(call.fnAttrs);
    }
    return this.instruction(i);
  }

  private instruction(i: Instruction): string {
    const op = i.opcode;
    let s = '  ';
    if (i.name !== null) s += `%${printIRName(i.name)} = `;
    else if (i.type.kind !== TypeKind.Void) s += `%${i.slot} = `;
    if (op === Opcode.Call && (i.flags & (InstFlag.Tail | InstFlag.MustTail | InstFlag.NoTail)) !== 0) {
      s += (i.flags & InstFlag.Tail) !== 0 ? 'tail ' : (i.flags & InstFlag.MustTail) !== 0 ? 'musttail ' : 'notail ';
    }
    s += instructionNames()[op];
    if (i.flags !== 0) {
      if ((i.flags & InstFlag.Atomic) !== 0 && (op === Opcode.Load || op === Opcode.Store)) s += ' atomic';
      if ((i.flags & InstFlag.Weak) !== 0) s += ' weak';
      if ((i.flags & InstFlag.Volatile) !== 0) s += ' volatile';
      s += flagWords(op, i.flags);
    }
    s += this.operandsText(i);
    if (i.atomic !== null && (op === Opcode.Load || op === Opcode.Store)) s += this.atomicText(i.atomic);
    if (i.align !== 0) s += ', align ' + i.align;
    if (op === Opcode.Alloca && i.type.n !== 0) s += `, addrspace(${i.type.n})`;
    if (i.attachments !== null) s += this.attachmentsText(i.attachments, ', ');
    return s;
  }

  /** What follows the words of an instruction, up to its alignment. */
  private operandsText(i: Instruction): string {
    const op = i.opcode;
    let s = '';
    const ops = i.operands;
    switch (op) {
      case Opcode.ICmp:
      case Opcode.FCmp:
        s += ` ${i.predicate} ${this.typed(ops[0])}, ${this.value(ops[1])}`;
        break;
      case Opcode.Phi: {
        s += ' ' + this.type(i.type);
        const blocks = i.blocks!;
        for (let k = 0; k < ops.length; k++) {
          s += `${k > 0 ? ', [ ' : ' [ '}${this.value(ops[k])}, ${this.value(blocks[k])} ]`;
        }
        if (ops.length === 0) s += ' ';
        break;
      }
      case Opcode.Select:
      case Opcode.Store:
      case Opcode.InsertElement:
      case Opcode.ExtractElement:
      case Opcode.Resume:
        s += ' ' + this.typedList(ops);
        break;
      case Opcode.ShuffleVector:
        s += ' ' + this.typedList(ops) + this.shuffleMask(i.indices!, i.type);
        break;
      case Opcode.CmpXchg:
        s += ' ' + this.typedList(ops) + this.atomicText(i.atomic!) + ' ' + i.atomic!.failureOrdering;
        break;
      case Opcode.AtomicRMW:
        s += ` ${i.atomic!.operation} ${this.typedList(ops)}${this.atomicText(i.atomic!)}`;
        break;
      case Opcode.Fence:
        s += this.atomicText(i.atomic!);
        break;
      case Opcode.Load:
        s += ` ${this.type(i.type)}, ${this.typed(ops[0])}`;
        break;
      case Opcode.GetElementPtr: {
        s += ` ${this.type(i.auxType!)}, `;
        // Types after the first are only left out when all agree.
        if (ops.length > 1 && ops.every((o) => o.type === ops[0].type)) {
          s += this.type(ops[0].type) + ' ' + ops.map((o) => this.value(o)).join(', ');
        } else s += this.typedList(ops);
        break;
      }
      case Opcode.Alloca:
        if ((i.flags & InstFlag.InAlloca) !== 0) s += ' inalloca';
        if ((i.flags & InstFlag.SwiftError) !== 0) s += ' swifterror';
        s += ' ' + this.type(i.auxType!);
        if (!isOneI32(ops[0])) s += ', ' + this.typed(ops[0]);
        break;
      case Opcode.ExtractValue:
        s += ' ' + this.typed(ops[0]);
        for (const n of i.indices!) s += ', ' + n;
        break;
      case Opcode.InsertValue:
        s += ' ' + this.typedList(ops);
        for (const n of i.indices!) s += ', ' + n;
        break;
      case Opcode.Call:
      case Opcode.Invoke:
      case Opcode.CallBr:
        s += this.callText(i);
        break;
      case Opcode.Ret:
        s += ops.length === 0 ? ' void' : ' ' + this.typed(ops[0]);
        break;
      case Opcode.Br:
        if (ops.length > 0) s += ` ${this.typed(ops[0])},`;
        s += ' ' + i.blocks!.map((b) => 'label ' + this.value(b)).join(', ');
        break;
      case Opcode.Switch: {
        s += ` ${this.typed(ops[0])}, label ${this.value(i.blocks![0])} [`;
        for (let k = 1; k < ops.length; k++) s += `\n    ${this.typed(ops[k])}, label ${this.value(i.blocks![k])}`;
        s += '\n  ]';
        break;
      }
      case Opcode.IndirectBr:
        s += ` ${this.typed(ops[0])}, [${i.blocks!.map((b) => 'label ' + this.value(b)).join(', ')}]`;
        break;
      case Opcode.LandingPad:
        s += this.landingPadText(i);
        break;
      case Opcode.CatchPad:
      case Opcode.CleanupPad:
        s += ` within ${this.value(ops[0])} [${this.typedList(ops.slice(1))}]`;
        break;
      case Opcode.CatchSwitch: {
        const hasUnwind = i.indices !== null;
        const blocks = i.blocks!;
        const handlers = hasUnwind ? blocks.slice(0, -1) : blocks;
        s += ` within ${this.value(ops[0])} [${handlers.map((b) => 'label ' + this.value(b)).join(', ')}] unwind `;
        s += hasUnwind ? 'label ' + this.value(blocks[blocks.length - 1]) : 'to caller';
        break;
      }
      case Opcode.CatchRet:
        s += ` from ${this.value(ops[0])} to label ${this.value(i.blocks![0])}`;
        break;
      case Opcode.CleanupRet:
        s += ` from ${this.value(ops[0])} unwind ${i.blocks === null ? 'to caller' : 'label ' + this.value(i.blocks[0])}`;
        break;
      case Opcode.VAArg:
        s += ` ${this.typed(ops[0])}, ${this.type(i.type)}`;
        break;
      case Opcode.Unreachable:
        break;
      default:
        if (isCastOpcode(op)) s += ` ${this.typed(ops[0])} to ${this.type(i.type)}`;
        else {
          s += ' ' + this.typed(ops[0]);
          for (let k = 1; k < ops.length; k++) s += ', ' + this.value(ops[k]);
        }
    }
    return s;
  }

  private landingPadText(i: Instruction): string {
    const isCleanup = (i.flags & InstFlag.Cleanup) !== 0;
    let s = ' ' + this.type(i.type);
    if (isCleanup || i.operands.length > 0) s += '\n';
    if (isCleanup) s += '          cleanup';
    i.operands.forEach((o, k) => {
      if (k > 0 || isCleanup) s += '\n';
      s += `          ${i.indices![k] === 1 ? 'filter' : 'catch'} ${this.typed(o)}`;
    });
    return s;
  }

  private typedList(list: readonly Value[]): string {
    let s = '';
    for (let k = 0; k < list.length; k++) s += (k > 0 ? ', ' : '') + this.typed(list[k]);
    return s;
  }

  private atomicText(a: AtomicInfo): string {
    return (a.syncScope === '' ? ' ' : ` syncscope("${escapeIRString(a.syncScope)}") `) + a.ordering;
  }

  private callAttributes(i: Instruction, callee: Value): AttributeSet | null {
    const { fnAttrs } = i.call!;
    const trap = this.options.flags?.trapFunction ?? null;
    const isTrap = callee instanceof IRFunction && (callee.name === 'llvm.trap' || callee.name === 'llvm.debugtrap');
    if (trap === null || i.opcode !== Opcode.Call || !isTrap) return fnAttrs;
    return (fnAttrs ?? NO_ATTRIBUTES).withStrings(new Map([['trap-func-name', trap]]));
  }

  private callText(i: Instruction): string {
    const call = i.call!;
    const ops = i.operands;
    const n = ops.length - 1;
    const callee = ops[n];
    let s = '';
    const cc = callingConvName(call.callingConv);
    if (cc !== '') s += ' ' + cc;
    if (call.retAttrs !== null) s += ' ' + call.retAttrs.printParam(this.type);
    if (call.addressSpace !== 0) s += ` addrspace(${call.addressSpace})`;
    s += ` ${this.type(call.fnType.flag ? call.fnType : call.fnType.elements[0])} ${this.value(callee)}(`;
    for (let k = 0; k < n; k++) {
      if (k > 0) s += ', ';
      s += this.type(ops[k].type);
      const attrs = k < call.paramAttrs.length ? call.paramAttrs[k] : null;
      if (attrs !== null && !attrs.isEmpty) s += ' ' + attrs.printParam(this.type);
      s += ' ' + this.value(ops[k]);
    }
    if ((i.flags & InstFlag.MustTail) !== 0 && this.fn!.fnType.flag) s += n > 0 ? ', ...' : '...';
    s += ')';
    const fnAttrs = this.callAttributes(i, callee);
    if (fnAttrs !== null && !fnAttrs.isEmpty) s += ` #${this.group(fnAttrs)}`;
    if (call.bundles.length > 0) {
      const parts = call.bundles.map((b) => `"${escapeIRString(b.tag)}"(${this.typedList(b.operands)})`);
      s += ` [ ${parts.join(', ')} ]`;
    }
    if (i.opcode === Opcode.Invoke) {
      s += `\n          to label ${this.value(i.blocks![0])} unwind label ${this.value(i.blocks![1])}`;
    } else if (i.opcode === Opcode.CallBr) {
      const [first, ...rest] = i.blocks!;
      s += `\n          to label ${this.value(first)} [${rest.map((b) => 'label ' + this.value(b)).join(', ')}]`;
    }
    return s;
  }
}

function isOneI32(v: Value): boolean {
  return v.kind === ValueKind.ConstantInt && v.type.n === 32 && (v as Constant).value === 1n && !isNullValue(v);
}

function escapeMetadataName(name: string): string {
  let s = '';
  for (let i = 0; i < name.length; i++) {
    const c = name.charCodeAt(i);
    const isPlain =
      (c >= 97 && c <= 122) ||
      (c >= 65 && c <= 90) ||
      c === 45 ||
      c === 36 ||
      c === 46 ||
      c === 95 ||
      (i > 0 && c >= 48 && c <= 57);
    s += isPlain ? name[i] : '\\' + (c >> 4).toString(16).toUpperCase() + (c & 15).toString(16).toUpperCase();
  }
  return s;
}

/** Branching blocks by target, in LLVM's order: uses of a block from the last to the first, one entry per edge. */
function predecessors(blocks: readonly BasicBlock[]): Map<BasicBlock, BasicBlock[]> {
  const preds = new Map<BasicBlock, BasicBlock[]>();
  for (let k = blocks.length - 1; k >= 0; k--) {
    const list = blocks[k].instructions;
    const last = list.length > 0 ? list[list.length - 1] : null;
    if (last === null || last.blocks === null || last.opcode < Opcode.Ret) continue;
    for (const target of last.blocks) {
      const entry = preds.get(target);
      if (entry === undefined) preds.set(target, [blocks[k]]);
      else entry.push(blocks[k]);
    }
  }
  return preds;
}

/** Null operands at the end are left out, but the first `least`. */
function withoutTrailingNulls(operands: readonly Value[], least: number): readonly Value[] {
  let n = operands.length;
  while (n > least && isNullValue(operands[n - 1]!)) n--;
  return operands.slice(0, n);
}
