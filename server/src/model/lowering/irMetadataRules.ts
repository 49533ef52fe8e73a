/**
 * What LLVM's IR verifier demands of metadata (Verifier.cpp: visitModuleFlags, visitRangeMetadata, visitAliasScopeMetadata and the attachments in
 * visitInstruction, LLVM 22). The words were taken from llc-22, case by case. `!tbaa` is in `irTbaaRules.ts`, what tells of profiles and calls in
 * `irAnnotationRules.ts`, debug info in `../../ir/debugInfoVerifier.ts`.
 */
import {
  Constant,
  Instruction,
  MDNode,
  MDString,
  MetadataAsValue,
  Opcode,
  ValueAsMetadata,
  ValueKind,
} from '../../ir/module.js';
import type { GlobalVariable, IRFunction, IRModule, MDAttachment, Metadata } from '../../ir/module.js';
import { printMetadata, printTypedValue } from '../../ir/printer.js';
import { TypeKind, type IRType } from '../../ir/types.js';
import { AnnotationRules } from './irAnnotationRules.js';
import { TbaaRules } from './irTbaaRules.js';

/** Takes a complaint and the values that LLVM prints below it. */
type Complain = (message: string, ...values: readonly string[]) => void;

/** The integer that a node's operand is, if it is one. */
function integerOf(m: Metadata | null | undefined): Constant | null {
  const value = m instanceof ValueAsMetadata ? m.value : null;
  return value instanceof Constant && value.kind === ValueKind.ConstantInt ? value : null;
}

const isPowerOf2 = (n: bigint): boolean => n > 0n && (n & (n - 1n)) === 0n;

const ACCESSES: ReadonlySet<Opcode> = new Set([
  Opcode.Load,
  Opcode.Store,
  Opcode.AtomicRMW,
  Opcode.CmpXchg,
  Opcode.Call,
]);

/** Kinds that LLVM looks at after `!align`, in its order. */
const LATER_KINDS = ['prof', 'memprof', 'callsite', 'callee_type', 'mmra', 'annotation', 'captures', 'alloc_token'];

/** Rules of the metadata at one instruction, in the order in which LLVM looks at the kinds; one for a module. */
export class AttachmentRules {
  private readonly annotations: AnnotationRules;
  private readonly tbaa: TbaaRules;
  private readonly seen = new Set<MDNode>();

  constructor(private readonly module: IRModule) {
    this.annotations = new AnnotationRules(module);
    this.tbaa = new TbaaRules(module);
  }

  /** Attachments of a function that are no debug info. */
  checkFunction(fn: IRFunction, complain: Complain): void {
    this.annotations.checkFunction(fn, complain);
  }

  /** `text` is the instruction as LLVM prints it. */
  check(i: Instruction, text: () => string, complain: Complain): void {
    const list = i.attachments;
    if (list === null) return;
    const nodeOf = (kind: string): MDNode | null => {
      const node = list.find((a) => a.kind === kind)?.node;
      return node instanceof MDNode ? node : null;
    };
    const failed = (message: string | null): boolean => {
      if (message !== null) complain(message, text());
      return message !== null;
    };
    const mathNode = nodeOf('fpmath');
    if (mathNode !== null && failed(accuracyProblem(i, mathNode))) return;
    const range = nodeOf('range');
    if (range !== null) {
      if (i.opcode !== Opcode.Load && i.call === null)
        return complain('Ranges are only for loads, calls and invokes!', text());
      this.checkRange(RangeOf.Value, i.type.scalar, range, text, complain);
    }
    const notIn = nodeOf('noalias.addrspace');
    if (notIn !== null) {
      if (!ACCESSES.has(i.opcode)) return complain('noalias.addrspace are only for memory operations!', text());
      this.checkRange(RangeOf.Spaces, i.type.scalar, notIn, text, complain);
    }
    if (nodeOf('invariant.group') !== null && i.opcode !== Opcode.Load && i.opcode !== Opcode.Store)
      return complain('invariant.group metadata is only for loads and stores', text());
    const nonnull = nodeOf('nonnull');
    if (nonnull !== null && failed(nonnullProblem(i, nonnull))) return;
    for (const kind of ['dereferenceable', 'dereferenceable_or_null']) {
      const node = nodeOf(kind);
      if (node !== null) failed(dereferenceableProblem(i, node));
    }
    const annotated = (kind: string): void => {
      const node = nodeOf(kind);
      if (node !== null) this.annotations.check(kind, i, node, text, complain);
    };
    annotated('nofree');
    const tag = nodeOf('tbaa');
    if (tag !== null) this.tbaa.check(i, tag, text, complain);
    for (const kind of ['noalias', 'alias.scope']) {
      const node = nodeOf(kind);
      if (node !== null) this.checkScopes(node, complain);
    }
    annotated('llvm.access.group');
    const align = nodeOf('align');
    if (align !== null && failed(alignProblem(i, align))) return;
    for (const kind of LATER_KINDS) annotated(kind);
    for (const { node } of list) if (node instanceof MDNode) this.checkNode(node, complain);
  }

  /** A node and those that it refers to, each once for a module (visitMDNode); debug info has rules of its own. O(nodes) */
  checkNode(node: MDNode, complain: Complain): void {
    const todo = [node];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (this.seen.has(next) || next.className !== '') continue;
      this.seen.add(next);
      for (const m of next.operands) if (m instanceof MDNode) todo.push(m);
      this.checkTripCount(next, complain);
    }
  }

  /** How often a loop was estimated to run. */
  private checkTripCount(node: MDNode, complain: Complain): void {
    const { operands } = node;
    const [name, count] = operands;
    if (!(name instanceof MDString) || name.value !== 'llvm.loop.estimated_trip_count') return;
    const n = integerOf(count);
    const shown = printMetadata(node, this.module);
    if (operands.length !== 2) complain('Expected two operands', shown);
    else if (n === null || n.type.n > 32)
      complain('Expected second operand to be an integer constant of type i32 or smaller', shown);
  }

  /** verifyNoAliasScopeDecl for one call */
  checkScopeDeclaration(i: Instruction, text: () => string, complain: Complain): void {
    const [operand] = i.operands;
    const list = operand instanceof MetadataAsValue ? operand.metadata : null;
    if (!(list instanceof MDNode)) complain('!id.scope.list must point to an MDNode', text());
    else if (list.operands.length !== 1) complain('!id.scope.list must point to a list with a single scope', text());
    else this.checkScopes(list, complain);
  }

  private print(m: Metadata): string {
    return printMetadata(m, this.module);
  }

  /** `!absolute_symbol`: where the linker may put a global; `pointer` is an integer as wide as its address. */
  checkSymbolRange(
    list: readonly MDAttachment[] | null,
    pointer: IRType,
    text: () => string,
    complain: Complain,
  ): void {
    const node = list?.find(({ kind }) => kind === 'absolute_symbol')?.node;
    if (node instanceof MDNode) this.checkRange(RangeOf.Symbol, pointer, node, text, complain);
  }

  /** verifyRangeLikeMetadata; `type` is that of the bounds, but for address spaces */
  private checkRange(of: RangeOf, type: IRType, node: MDNode, text: () => string, complain: Complain): void {
    const isSpaces = of === RangeOf.Spaces;
    const { operands } = node;
    const ofNode = (message: string): void => complain(message, this.print(node));
    if (operands.length % 2 !== 0) return ofNode('Unfinished range!');
    if (operands.length === 0) return ofNode('It should have at least one range!');
    const ranges: (readonly [low: bigint, high: bigint])[] = [];
    for (let k = 0; k < operands.length; k += 2) {
      const [low, high] = [integerOf(operands[k]), integerOf(operands[k + 1])];
      if (low === null) return complain('The lower limit must be an integer!');
      if (high === null) return complain('The upper limit must be an integer!');
      if (high.type !== low.type) return complain('Range pair types must match!', text());
      if (isSpaces && (high.type.kind !== TypeKind.Integer || high.type.n !== 32))
        return complain('noalias.addrspace type must be i32!', text());
      if (!isSpaces && high.type !== type) return complain('Range types must match instruction type!', text());
      const bits = low.type.n;
      const [a, b] = [BigInt.asUintN(bits, low.value), BigInt.asUintN(bits, high.value)];
      // Of a symbol all places are one range.
      const isFull = of === RangeOf.Symbol && a === BigInt.asUintN(bits, -1n);
      if (a === b && !isFull) return complain('The upper and lower limits cannot be the same value', text());
      const before = ranges.at(-1);
      if (before !== undefined) {
        if (areOverlapping(before, [a, b])) return ofNode('Intervals are overlapping');
        if (BigInt.asIntN(bits, a) <= BigInt.asIntN(bits, before[0])) return ofNode('Intervals are not in order');
        if (areContiguous(before, [a, b])) return ofNode('Intervals are contiguous');
      }
      ranges.push([a, b]);
    }
    const [first, last] = [ranges[0], ranges.at(-1)];
    if (ranges.length <= 2 || first === undefined || last === undefined) return;
    if (areOverlapping(first, last)) return ofNode('Intervals are overlapping');
    if (areContiguous(first, last)) ofNode('Intervals are contiguous');
  }

  checkScopes(list: MDNode, complain: Complain): void {
    for (const scope of list.operands) {
      if (!(scope instanceof MDNode)) return complain('scope list must consist of MDNodes', this.print(list));
      this.checkScope(scope, complain);
    }
  }

  private checkScope(scope: MDNode, complain: Complain): void {
    const [first, domain, name] = scope.operands;
    const n = scope.operands.length;
    const ofScope = (message: string): void => complain(message, this.print(scope));
    if (n < 2 || n > 3) return ofScope('scope must have two or three operands');
    if (first !== scope && !(first instanceof MDString))
      return ofScope('first scope operand must be self-referential or string');
    if (n === 3 && !(name instanceof MDString)) return ofScope('third scope operand must be string (if used)');
    if (!(domain instanceof MDNode)) return ofScope('second scope operand must be MDNode');
    const ofDomain = (message: string): void => complain(message, this.print(domain));
    const [self, domainName] = domain.operands;
    if (domain.operands.length < 1 || domain.operands.length > 2)
      return ofDomain('domain must have one or two operands');
    if (self !== domain && !(self instanceof MDString))
      return ofDomain('first domain operand must be self-referential or string');
    if (domain.operands.length === 2 && !(domainName instanceof MDString))
      ofDomain('second domain operand must be string (if used)');
  }
}

/** What a list of ranges is about: values, address spaces that an access is not in, the place of a symbol. */
const enum RangeOf {
  Value,
  Spaces,
  Symbol,
}

type Range = readonly [low: bigint, high: bigint];

/** Bounds are unsigned; a range may wrap round, and no range is empty or full. */
function areOverlapping([a, b]: Range, [c, d]: Range): boolean {
  const isIn = (x: bigint, low: bigint, high: bigint): boolean =>
    low < high ? x >= low && x < high : x >= low || x < high;
  return isIn(c, a, b) || isIn(a, c, d);
}

const areContiguous = ([a, b]: Range, [c, d]: Range): boolean => b === c || d === a;

/** The bits of the float; those of negative ones are larger. */
const INFINITE_FLOAT = 0x7f800000n;

function accuracyProblem(i: Instruction, { operands }: MDNode): string | null {
  if (!i.type.scalar.isFloatingPoint) return 'fpmath requires a floating point result!';
  if (operands.length !== 1) return 'fpmath takes one operand!';
  const value = operands[0] instanceof ValueAsMetadata ? operands[0].value : null;
  if (!(value instanceof Constant) || value.kind !== ValueKind.ConstantFP) return 'invalid fpmath accuracy!';
  if (value.type.kind !== TypeKind.Float) return 'fpmath accuracy must have float type';
  return value.value > 0n && value.value < INFINITE_FLOAT ? null : 'fpmath accuracy not a positive number!';
}

function nonnullProblem(i: Instruction, { operands }: MDNode): string | null {
  if (i.type.kind !== TypeKind.Pointer) return 'nonnull applies only to pointer types';
  if (i.opcode !== Opcode.Load) return 'nonnull applies only to load instructions, use attributes for calls or invokes';
  return operands.length === 0 ? null : 'nonnull metadata must be empty';
}

function dereferenceableProblem(i: Instruction, { operands }: MDNode): string | null {
  const both = 'dereferenceable, dereferenceable_or_null';
  if (i.type.kind !== TypeKind.Pointer) return `${both} apply only to pointer types`;
  if (i.opcode !== Opcode.Load && i.opcode !== Opcode.IntToPtr)
    return `${both} apply only to load and inttoptr instructions, use attributes for calls or invokes`;
  if (operands.length !== 1) return `${both} take one operand!`;
  return integerOf(operands[0])?.type.n === 64 ? null : `${both} metadata value must be an i64!`;
}

/** The largest alignment that LLVM can say. */
const MAX_ALIGN = 1n << 32n;

function alignProblem(i: Instruction, { operands }: MDNode): string | null {
  if (i.type.kind !== TypeKind.Pointer) return 'align applies only to pointer types';
  if (i.opcode !== Opcode.Load) return 'align applies only to load instructions, use attributes for calls or invokes';
  if (operands.length !== 1) return 'align takes one operand!';
  const n = integerOf(operands[0]);
  if (n?.type.n !== 64) return 'align metadata value must be an i64!';
  const bytes = BigInt.asUintN(64, n.value);
  if (!isPowerOf2(bytes)) return 'align metadata value must be a power of 2!';
  return bytes <= MAX_ALIGN ? null : 'alignment is larger that implementation defined limit';
}

// -- module flags ---------------------------------------------------------------------------------------------------

/** Module::ModFlagBehavior */
const enum Behavior {
  Require = 3,
  Override = 4,
  Append = 5,
  AppendUnique = 6,
  Max = 7,
  Min = 8,
}

/** visitModuleFlags */
/** Lists of strings, of which each node has one: `llvm.ident`, `llvm.commandline`. */
export function verifyTextLists(module: IRModule, complain: Complain): void {
  for (const name of ['llvm.ident', 'llvm.commandline'])
    for (const node of module.namedMetadata.find((n) => n.name === name)?.operands ?? []) {
      const [text] = node.operands;
      if (node.operands.length !== 1)
        complain(`incorrect number of operands in ${name} metadata`, printMetadata(node, module));
      else if (!(text instanceof MDString))
        complain(
          `invalid value for ${name} metadata entry operand(the operand should be a string)`,
          ...(text ? [printMetadata(text, module)] : []),
        );
      else continue;
      break;
    }
}

/** The thing that a global value is kept for (visitGlobalValue). */
export function verifyAssociated(value: GlobalVariable | IRFunction, module: IRModule, complain: Complain): void {
  const node = value.attachments?.find((a) => a.kind === 'associated')?.node;
  if (!(node instanceof MDNode)) return;
  const problem = associatedProblem(value, node);
  if (problem !== '') complain(problem, printTypedValue(value), printMetadata(node, module));
}

function associatedProblem(value: GlobalVariable | IRFunction, node: MDNode): string {
  const [operand] = node.operands;
  if (node.operands.length !== 1) return 'associated metadata must have one operand';
  if (operand === null) return 'associated metadata must have a global value';
  if (!(operand instanceof ValueAsMetadata)) return 'associated metadata must be ValueAsMetadata';
  let other = operand.value;
  if (other.type.kind !== TypeKind.Pointer) return 'associated value must be pointer typed';
  while (other instanceof Constant && other.kind === ValueKind.ConstantExpr && other.operands.length === 1)
    other = other.operands[0];
  return other === value ? 'global values should not associate to themselves' : '';
}

export function verifyModuleFlags(module: IRModule, complain: Complain): void {
  const flags = module.namedMetadata.find((n) => n.name === 'llvm.module.flags')?.operands ?? [];
  const seen = new Map<string, MDNode>();
  const required: MDNode[] = [];
  const print = (m: Metadata | null | undefined): string => printMetadata(m ?? null, module);
  const check = (flag: MDNode): void => {
    const [behaviorNode, id, value] = flag.operands;
    if (flag.operands.length !== 3) return complain('incorrect number of operands in module flag', print(flag));
    const behavior = Number(integerOf(behaviorNode)?.value ?? -1n);
    if (integerOf(behaviorNode) === null)
      return complain(
        'invalid behavior operand in module flag (expected constant integer)',
        ...(behaviorNode ? [print(behaviorNode)] : []),
      );
    if (behavior < 1 || behavior > 8)
      return complain('invalid behavior operand in module flag (unexpected constant)', print(behaviorNode));
    if (!(id instanceof MDString))
      return complain('invalid ID operand in module flag (expected metadata string)', print(id));
    if (behavior === Behavior.Min || behavior === Behavior.Max) {
      const n = integerOf(value);
      const isNegative = n !== null && BigInt.asIntN(n.type.n, n.value) < 0n;
      if (behavior === Behavior.Min && (n === null || isNegative))
        return complain("invalid value for 'min' module flag (expected constant non-negative integer)", print(value));
      if (behavior === Behavior.Max && n === null)
        return complain("invalid value for 'max' module flag (expected constant integer)", print(value));
    }
    if (behavior === Behavior.Require) {
      if (!(value instanceof MDNode) || value.operands.length !== 2)
        return complain("invalid value for 'require' module flag (expected metadata pair)", print(value));
      if (!(value.operands[0] instanceof MDString))
        return complain(
          "invalid value for 'require' module flag (first value operand should be a string)",
          print(value.operands[0]),
        );
      required.push(value);
    } else {
      if ((behavior === Behavior.Append || behavior === Behavior.AppendUnique) && !(value instanceof MDNode))
        return complain("invalid value for 'append'-type module flag (expected a metadata node)", print(value));
      if (seen.has(id.value))
        return complain("module flag identifiers must be unique (or of 'require' type)", print(id));
      seen.set(id.value, flag);
    }
    if (id.value === 'wchar_size' && integerOf(value) === null)
      return complain('wchar_size metadata requires constant integer argument');
    if (id.value === 'Linker Options') {
      if (module.namedMetadata.every((n) => n.name !== 'llvm.linker.options'))
        return complain("'Linker Options' named metadata no longer supported");
    }
    if (id.value === 'CG Profile' && value instanceof MDNode)
      for (const edge of value.operands)
        if (!(edge instanceof MDNode) || edge.operands.length !== 3)
          return complain('expected a MDNode triple', ...(edge ? [print(edge)] : []));
  };
  for (const flag of flags) if (flag instanceof MDNode) check(flag);
  for (const need of required) {
    const [name, value] = need.operands;
    const flag = name instanceof MDString ? seen.get(name.value) : undefined;
    if (flag === undefined) complain('invalid requirement on flag, flag is not present in module', print(name));
    else if (!isEqual(flag.operands[2] ?? null, value ?? null))
      complain('invalid requirement on flag, flag does not have the required value', print(name));
  }
}

/** Whether LLVM has one object for both. */
function isEqual(a: Metadata | null, b: Metadata | null): boolean {
  if (a === b) return true;
  if (a instanceof MDString && b instanceof MDString) return a.value === b.value;
  const [x, y] = [integerOf(a), integerOf(b)];
  return x !== null && y !== null && x.type === y.type && x.value === y.value;
}
