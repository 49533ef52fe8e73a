/**
 * Facts of LLVM's intrinsics: names, signatures, attributes, mangled names (llvm/IR/Intrinsics.cpp, LLVM 22). The table
 * holds the generic and the AMDGPU intrinsics; those of other targets are not known by name. Another release says
 * by `IntrinsicFacts` what is different in it.
 */
import { lazy } from '../util/lazy.js';
import { ownString } from '../util/ownString.js';
import type { AttributeSet } from './attributes.js';
import { ATTRIBUTES, INTRINSICS, SIGNATURES } from './generated/intrinsicTable.js';
import { IRModule, LLVM22_IR, type IntrinsicFacts } from './module.js';
import { AttrBuilder, TypeParser } from './typeParser.js';
import { TypeContext, TypeKind, type IRType } from './types.js';

/** One intrinsic: what its line in the table says. */
interface Entry {
  /** without `llvm.` */
  readonly name: string;
  readonly signature: string;
  readonly attributes: string;
}

// The lists begin with a line break; an empty line may be an entry.
const listOf = (text: string): readonly string[] => text.slice(1, -1).split('\n');
const signatureTexts = lazy(() => listOf(SIGNATURES()));
const attributeTexts = lazy(() => listOf(ATTRIBUTES()));

const SAME = '=';
const UNCHANGED = [SAME, SAME] as const;
const MAX_KNOWN = 4096;

/** The intrinsics of a release. */
class Intrinsics {
  /** Answers; emptied before they become large. */
  private readonly known = new Map<string, Entry | null>();
  /** Signature and attributes of what is other than in the table, null if it is gone. */
  private readonly changes: () => ReadonlyMap<string, readonly [string, string] | null>;
  /** Lines in the order of their names; new ones have no numbers. */
  readonly table: () => string;

  constructor(facts: IntrinsicFacts) {
    this.changes = lazy(() => changesOf(facts.changes()));
    this.table = lazy(() => (this.changes().size === 0 ? INTRINSICS() : changedTable(this.changes())));
  }

  /** The intrinsic that a function name belongs to, null if there is none. */
  lookup(name: string): Entry | null {
    if (!name.startsWith('llvm.')) return null;
    const { known } = this;
    let entry = known.get(name);
    if (entry === undefined) {
      if (known.size >= MAX_KNOWN) known.clear();
      entry = this.search(name.slice(5));
      known.set(ownString(name), entry);
    }
    return entry;
  }

  /** LLVM narrows its table, which is sorted, dot by dot and looks at the lowest entry that is left. */
  private search(rest: string): Entry | null {
    const table = this.table();
    let last = -1;
    for (let end = rest.indexOf('.'); ; end = rest.indexOf('.', end + 1)) {
      const lineBreak = table.indexOf('\n' + (end < 0 ? rest : rest.slice(0, end)), Math.max(last, 0));
      if (lineBreak < 0) break;
      last = lineBreak;
      if (end < 0) break;
    }
    if (last < 0) return null;
    const entry = this.entryAt(last);
    if (rest === entry.name) return entry;
    if (!rest.startsWith(entry.name) || rest[entry.name.length] !== '.') return null;
    return entry.signature.startsWith('*') ? entry : null;
  }

  private entryAt(lineBreak: number): Entry {
    const table = this.table();
    const line = table.slice(lineBreak + 1, table.indexOf('\n', lineBreak + 1));
    const [name, ...numbers] = line.split(';') as [string, string, string];
    const [signature, attributes] = this.changes().get(name) ?? UNCHANGED;
    return {
      name,
      signature: signature === SAME ? signatureTexts()[Number(numbers[0])] : signature,
      attributes: attributes === SAME ? attributeTexts()[Number(numbers[1])] : attributes,
    };
  }
}

const changesOf = (text: string): Map<string, readonly [string, string] | null> =>
  new Map(
    (text === '' ? [] : listOf(text)).map((line): [string, readonly [string, string] | null] => {
      const [name, signature, attributes] = line.split(';') as [string, string?, string?];
      return [name, signature === undefined || attributes === undefined ? null : [signature, attributes]];
    }),
  );

function changedTable(changes: ReadonlyMap<string, unknown>): string {
  const lines = new Map(listOf(INTRINSICS()).map((line) => [line.slice(0, line.indexOf(';')), line]));
  for (const [name, change] of changes) {
    if (change === null) lines.delete(name);
    else if (!lines.has(name)) lines.set(name, name + ';');
  }
  return `\n${[...lines.keys()]
    .sort()
    .map((name) => lines.get(name)!)
    .join('\n')}\n`;
}

/** By the facts of each release, of which there are as many as releases. */
const made = new Map<IntrinsicFacts, Intrinsics>();

function intrinsicsOf(facts: IntrinsicFacts): Intrinsics {
  let found = made.get(facts);
  if (found === undefined) made.set(facts, (found = new Intrinsics(facts)));
  return found;
}

const lookup = (name: string, facts: IntrinsicFacts): Entry | null => intrinsicsOf(facts).lookup(name);

/** Other targets' prefixes: their intrinsics are valid in LLVM but not listed here. */
const OTHER_TARGETS: ReadonlySet<string> = new Set(
  'aarch64 arm bpf dx hexagon loongarch mips nvvm ppc riscv s390 spv ve wasm x86 xcore'.split(' '),
);

/** Name without type suffixes (`llvm.memcpy` for `llvm.memcpy.p0.p1.i64`), null if LLVM knows no such intrinsic. */
export function intrinsicBaseName(name: string, facts = LLVM22_IR.intrinsics): string | null {
  const entry = lookup(name, facts);
  return entry === null ? null : 'llvm.' + entry.name;
}

/** Names of all intrinsics without `llvm.`, sorted; overloaded ones without their types. O(intrinsics) */
export const intrinsicNames = (facts = LLVM22_IR.intrinsics): string[] =>
  intrinsicsOf(facts)
    .table()
    .trim()
    .split('\n')
    .map((line) => line.slice(0, line.indexOf(';')));

/** Whether the name is one for an intrinsic of another target than AMDGPU. */
export const isOfOtherTarget = (name: string): boolean =>
  name.startsWith('llvm.') && OTHER_TARGETS.has(name.slice(5).split('.', 1)[0]);

/** Whether the name is reserved for intrinsics but belongs to none. */
export function isUnknownIntrinsic(name: string, facts = LLVM22_IR.intrinsics): boolean {
  if (!name.startsWith('llvm.') || isOfOtherTarget(name)) return false;
  return lookup(name, facts) === null;
}

export interface IntrinsicAttributes {
  readonly fn: AttributeSet | null;
  readonly ret: AttributeSet | null;
  readonly params: readonly (AttributeSet | null)[];
}

/** LLVM's own attributes of an intrinsic with that function type, null if the name is none. */
export function intrinsicAttributes(
  name: string,
  fnType: IRType,
  types: TypeContext,
  facts = LLVM22_IR.intrinsics,
): IntrinsicAttributes | null {
  const entry = lookup(name, facts);
  if (entry === null) return null;
  const [fn, ret, ...params] = entry.attributes.split('|');
  const parse = (text: string | undefined, at: IRType): AttributeSet | null => {
    if (text === undefined || text === '') return null;
    // Ranges are listed for i32 and have the type of the value that they stand at.
    const own = at.scalar.kind === TypeKind.Integer ? text.replace('range(i32 ', `range(i${at.scalar.n} `) : text;
    const parser = new TypeParser(new IRModule(types), own, 0, own.length);
    parser.lx.next();
    return parser.parseParamAttrsAnywhere();
  };
  const parseFn = (text: string): AttributeSet | null => {
    const parser = new TypeParser(new IRModule(types), text, 0, text.length);
    parser.lx.next();
    const b = new AttrBuilder();
    parser.parseFnAttrs(b, []);
    return b.finish();
  };
  return {
    fn: parseFn(fn),
    ret: parse(ret, fnType.elements[0]),
    params: params.map((p, k) => parse(p, fnType.elements[k + 1])),
  };
}

export interface IntrinsicEffects {
  readonly accessesMemory: boolean;
  readonly isConvergent: boolean;
}

/** What LLVM's attributes say an intrinsic does, null if the name is none. */
export function intrinsicEffects(name: string, facts = LLVM22_IR.intrinsics): IntrinsicEffects | null {
  const entry = lookup(name, facts);
  if (entry === null) return null;
  const words = entry.attributes.split('|', 1)[0];
  return { accessesMemory: !words.includes('memory(none)'), isConvergent: /\bconvergent\b/.test(words) };
}

// -- signatures -----------------------------------------------------------------------------------------------------

/** Kinds of an overloaded argument (Intrinsics.td). */
const enum ArgKind {
  Any = 0,
  AnyInteger = 1,
  AnyFloat = 2,
  AnyVector = 3,
  AnyPointer = 4,
  MatchType = 7,
  /** LLVM 24: this plus what its elements may be, plus four times its shape (server/tools/extract24/intrinsics.py) */
  FirstShaped = 8,
}

const enum Shape {
  Any = 0,
  Vector = 1,
  Scalar = 2,
}

/** Whether the elements of a type may be: any, integers, floating-point numbers, pointers. */
const FITS_ELEMENT: readonly ((element: IRType) => boolean)[] = [
  () => true,
  (t) => t.kind === TypeKind.Integer,
  (t) => t.isFloatingPoint,
  (t) => t.isPointer,
];

function fitsShaped(t: IRType, kind: number): boolean {
  const shape = kind >> 2;
  return (shape === Shape.Any || (shape === Shape.Vector) === t.isVector) && FITS_ELEMENT[kind & 3](t.scalar);
}

class SignatureMatcher {
  private pos = 0;
  readonly overloads: IRType[] = [];
  /** types whose descriptors name an overloaded type that comes later, with the place of the descriptor */
  private readonly deferred: [type: IRType, pos: number, part: number][] = [];
  private part = 0;
  private isLate = false;

  constructor(
    private readonly tokens: readonly string[],
    private readonly types: TypeContext,
  ) {}

  get isDone(): boolean {
    return this.pos >= this.tokens.length;
  }

  get isVarArg(): boolean {
    return this.tokens[this.pos] === '.';
  }

  /** Matches the result (part 0) or a parameter. */
  matchPart(t: IRType, part: number): boolean {
    this.part = part;
    return this.match(t);
  }

  /** The first part of those that had to wait which does not fit; -1 = all do. */
  firstLateMismatch(): number {
    this.isLate = true;
    const { pos } = this;
    for (const [t, at, part] of this.deferred) {
      this.pos = at;
      if (!this.match(t)) return part;
    }
    this.pos = pos;
    return -1;
  }

  /** Whether the type may fit the descriptor that was read last, of which nothing is known yet. */
  private later(t: IRType): boolean {
    if (this.isLate) return false;
    this.deferred.push([t, this.pos - 1, this.part]);
    return true;
  }

  private numbers(text: string): [number, number] {
    const [a, b] = text.slice(1).split(':');
    return [Number(a), b === undefined ? 0 : Number(b)];
  }

  /** Whether a type fits the next descriptor; overloaded types are collected on the way. */
  match(t: IRType): boolean {
    const token = this.tokens[this.pos++];
    if (token === undefined) return false;
    const [n, m] = this.numbers(token);
    switch (token[0]) {
      case 'v':
        return t.kind === TypeKind.Void;
      case 't':
        return t.kind === TypeKind.Token;
      case 'm':
        return t.kind === TypeKind.Metadata;
      case 'h':
        return t.kind === TypeKind.Half;
      case 'b':
        return t.kind === TypeKind.BFloat;
      case 'f':
        return t.kind === TypeKind.Float;
      case 'd':
        return t.kind === TypeKind.Double;
      case 'q':
        return t.kind === TypeKind.FP128;
      case 'i':
        return t.kind === TypeKind.Integer && t.n === n;
      case 'V':
      case 's': {
        const kind = token[0] === 'V' ? TypeKind.FixedVector : TypeKind.ScalableVector;
        return t.kind === kind && t.n === n && this.match(t.elements[0]);
      }
      case 'p':
        return t.kind === TypeKind.Pointer && t.n === n;
      case 'S':
        if (t.kind !== TypeKind.Struct || t.isIdentified || t.flag || t.elements.length !== n) return false;
        return t.elements.every((e) => this.match(e));
      case 'A':
        return this.matchArgument(t, n, m);
      case 'E':
        return n >= this.overloads.length ? this.later(t) : t === scaled(this.types, this.overloads[n], 2);
      case 'T':
        return n >= this.overloads.length ? this.later(t) : t === scaled(this.types, this.overloads[n], 0.5);
      case 'W': {
        const reference = this.overloads[n];
        if (reference === undefined) {
          const may = this.later(t);
          this.pos++;
          return may;
        }
        if (reference.isVector !== t.isVector) return false;
        if (reference.isVector && (reference.n !== t.n || reference.kind !== t.kind)) return false;
        return this.match(t.scalar);
      }
      case 'e': {
        const reference = this.overloads[n];
        return reference === undefined ? this.later(t) : reference.isVector && reference.elements[0] === t;
      }
      case 'P': {
        const reference = this.overloads[m];
        if (!this.isLate) this.overloads.push(t);
        if (reference === undefined) return this.later(t);
        return t.isVector && reference.isVector && t.n === reference.n && t.scalar.isPointer;
      }
      case 'N': {
        const reference = this.overloads[m];
        if (reference === undefined) return this.later(t);
        return t.isVector && t.elements[0] === reference.elements[0] && t.n * n === reference.n;
      }
      case '2':
      case '4': {
        const reference = this.overloads[n];
        if (reference === undefined) return this.later(t);
        const factor = token[0] === '2' ? 2 : 4;
        return t.isVector && t.n === reference.n * factor && t.elements[0].n * factor === reference.elements[0].n;
      }
      case 'I': {
        const reference = this.overloads[n];
        if (reference === undefined) return this.later(t);
        return t.isVector && reference.isVector && t.n === reference.n;
      }
      default:
        return false;
    }
  }

  private matchArgument(t: IRType, n: number, kind: ArgKind): boolean {
    if (n < this.overloads.length) return t === this.overloads[n];
    // A match-type descriptor may stand before the type it refers to.
    if (kind === ArgKind.MatchType || n > this.overloads.length) return this.later(t);
    this.overloads.push(t);
    switch (kind) {
      case ArgKind.AnyInteger:
        return t.scalar.kind === TypeKind.Integer;
      case ArgKind.AnyFloat:
        return t.scalar.isFloatingPoint;
      case ArgKind.AnyVector:
        return t.isVector;
      case ArgKind.AnyPointer:
        return t.kind === TypeKind.Pointer;
      default:
        return kind < ArgKind.FirstShaped || fitsShaped(t, kind - ArgKind.FirstShaped);
    }
  }
}

/** The type with elements of `factor` times the width, as extended and truncated arguments have. */
function scaled(types: TypeContext, t: IRType, factor: number): IRType | null {
  if (t.isVector) {
    const element = scaled(types, t.elements[0], factor);
    return element === null ? null : types.vector(element, t.n, t.kind === TypeKind.ScalableVector);
  }
  if (t.kind === TypeKind.Integer) return types.int(t.n * factor);
  const ladder = [types.half, types.float, types.double, types.fp128];
  const i = ladder.indexOf(t) + (factor > 1 ? 1 : -1);
  return i < 0 || i >= ladder.length ? null : ladder[i];
}

/** Where a function type differs from what the intrinsic of its name has; `variadic`: only the intrinsic's, or only the function's, takes any number. */
export type SignatureProblem = 'return' | 'argument' | 'variadic';

/** Types of the overloaded parts of a signature, or where the function type does not fit; null if the name is no intrinsic's. */
export function intrinsicSignature(
  name: string,
  fnType: IRType,
  types: TypeContext,
  facts = LLVM22_IR.intrinsics,
): readonly IRType[] | SignatureProblem | null {
  const entry = lookup(name, facts);
  if (entry === null) return null;
  const text = entry.signature.replace('*', '');
  const m = new SignatureMatcher(text.split(' '), types);
  const problemAt = (part: number): SignatureProblem => (part === 0 ? 'return' : 'argument');
  for (const [part, t] of fnType.elements.entries()) if (!m.matchPart(t, part)) return problemAt(part);
  const late = m.firstLateMismatch();
  if (late >= 0) return problemAt(late);
  return fnType.flag !== m.isVarArg || (!m.isDone && !m.isVarArg) ? 'variadic' : m.overloads;
}

/** Types of the overloaded parts of a signature, null if the function type does not fit the intrinsic of that name. */
export function matchIntrinsic(
  name: string,
  fnType: IRType,
  types: TypeContext,
  facts = LLVM22_IR.intrinsics,
): readonly IRType[] | null {
  const signature = intrinsicSignature(name, fnType, types, facts);
  return typeof signature === 'string' ? null : signature;
}

/** Name with the suffixes of its types, e.g. `llvm.memcpy.p0.p1.i64`. */
export function mangledIntrinsicName(baseName: string, overloads: readonly IRType[]): string {
  return baseName + overloads.map((t) => '.' + mangle(t)).join('');
}

function mangle(t: IRType): string {
  switch (t.kind) {
    case TypeKind.Pointer:
      return 'p' + t.n;
    case TypeKind.Array:
      return `a${t.n}${mangle(t.elements[0])}`;
    case TypeKind.Struct: {
      if (t.isIdentified) return `s_${t.name ?? ''}s`;
      return `sl_${t.elements.map(mangle).join('')}s`;
    }
    case TypeKind.Function:
      return `f_${t.elements.map(mangle).join('')}${t.flag ? 'vararg' : ''}f`;
    case TypeKind.FixedVector:
      return `v${t.n}${mangle(t.elements[0])}`;
    case TypeKind.ScalableVector:
      return `nxv${t.n}${mangle(t.elements[0])}`;
    case TypeKind.TargetExt:
      return `t${t.name ?? ''}${t.elements.map((e) => '_' + mangle(e)).join('')}${t.ints.map((n) => '_' + n).join('')}t`;
    case TypeKind.Void:
      return 'isVoid';
    case TypeKind.Metadata:
      return 'Metadata';
    case TypeKind.Half:
      return 'f16';
    case TypeKind.BFloat:
      return 'bf16';
    case TypeKind.Float:
      return 'f32';
    case TypeKind.Double:
      return 'f64';
    case TypeKind.X86FP80:
      return 'f80';
    case TypeKind.FP128:
      return 'f128';
    case TypeKind.PPCFP128:
      return 'ppcf128';
    case TypeKind.Integer:
      return 'i' + t.n;
    default:
      return 'token';
  }
}
