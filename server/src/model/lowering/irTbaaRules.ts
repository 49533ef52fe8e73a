/**
 * What LLVM's IR verifier demands of `!tbaa` (Verifier.cpp: TBAAVerifier, LLVM 22), in the words of llc-22. Type descriptors are of two formats:
 * the old one begins with the type's name, the new one with its parent type.
 */
import { Constant, Opcode, ValueAsMetadata, ValueKind, MDNode, MDString } from '../../ir/module.js';
import type { Instruction, IRModule, Metadata } from '../../ir/module.js';
import { printMetadata } from '../../ir/printer.js';

type Complain = (message: string, ...values: readonly string[]) => void;

/** What a base type was found to be: the width of its offsets (0 of a scalar type, NO_BITS without any), null of one that is broken. */
type OffsetBits = number | null;

const NO_BITS = 0xffffffff;

/** Types nest less deeply. */
const MAX_DEPTH = 16;

const MAY_HAVE_TAG: ReadonlySet<Opcode> = new Set([
  Opcode.Load,
  Opcode.Store,
  Opcode.Call,
  Opcode.VAArg,
  Opcode.AtomicRMW,
  Opcode.CmpXchg,
]);

interface Offset {
  readonly bits: number;
  /** unsigned */
  readonly value: bigint;
}

function offsetOf(m: Metadata | null | undefined): Offset | null {
  const value = m instanceof ValueAsMetadata ? m.value : null;
  if (!(value instanceof Constant) || value.kind !== ValueKind.ConstantInt) return null;
  return { bits: value.type.n, value: BigInt.asUintN(value.type.n, value.value) };
}

const asNode = (m: Metadata | null | undefined): MDNode | null => (m instanceof MDNode ? m : null);
const isRoot = ({ operands }: MDNode): boolean => operands.length < 2;
const isOfNewFormat = (type: MDNode | null): boolean =>
  type !== null && type.operands.length >= 3 && type.operands[0] instanceof MDNode;

/** Fields of a type descriptor: where they begin, and how many operands each has. */
const layoutOf = (isNew: boolean): readonly [first: number, perField: number] => (isNew ? [3, 3] : [1, 2]);

/** Whether LLVM has one object for both: a scalar type may be written twice. */
function isSame(a: MDNode, b: MDNode): boolean {
  for (let [x, y, depth]: [MDNode, MDNode, number] = [a, b, 0]; x !== y; depth++) {
    const [[name, parent, offset], [otherName, otherParent, otherOffset]] = [x.operands, y.operands];
    const isName = name instanceof MDString && otherName instanceof MDString && name.value === otherName.value;
    if (!isName || x.isDistinct || y.isDistinct || depth > MAX_DEPTH) return false;
    if (x.operands.length > 3 || x.operands.length !== y.operands.length) return false;
    if (offsetOf(offset)?.value !== offsetOf(otherOffset)?.value) return false;
    if (!(parent instanceof MDNode) || !(otherParent instanceof MDNode)) return x.operands.length === 1;
    [x, y] = [parent, otherParent];
  }
  return true;
}

/** One for a module: of each type descriptor LLVM complains once. */
export class TbaaRules {
  private readonly bases = new Map<MDNode, OffsetBits>();
  private readonly scalars = new Map<MDNode, boolean>();

  constructor(private readonly module: IRModule) {}

  /** `text` is the instruction as LLVM prints it. */
  check(i: Instruction, tag: MDNode, text: () => string, complain: Complain): void {
    const { operands } = tag;
    const failed = (message: string, ...more: readonly string[]): void =>
      complain(message, text(), this.print(tag), ...more);
    if (operands.length === 0) return failed('TBAA metadata cannot have 0 operands');
    if (!MAY_HAVE_TAG.has(i.opcode)) return complain('This instruction shall not have a TBAA access tag!', text());
    if (operands.length < 3 || !(operands[0] instanceof MDNode))
      return complain('Old-style TBAA is no longer allowed, use struct-path TBAA instead', text());
    const [base, access] = [asNode(operands[0]), asNode(operands[1])];
    const isNew = isOfNewFormat(access);
    if (isNew ? operands.length !== 4 && operands.length !== 5 : operands.length >= 5)
      return failed(
        isNew
          ? 'Access tag metadata must have either 4 or 5 operands'
          : 'Struct tag metadata must have either 3 or 4 operands',
      );
    if (isNew && offsetOf(operands[3]) === null) return failed('Access size field must be a constant');
    if (operands.length === (isNew ? 5 : 4)) {
      const flag = offsetOf(operands[operands.length - 1]);
      if (flag === null) return failed('Immutability tag on struct tag metadata must be a constant');
      if (flag.value > 1n) return failed('Immutability part of the struct tag metadata must be either 0 or 1');
    }
    if (base === null || access === null)
      return failed(
        'Malformed struct tag metadata: base and access-type should be non-null and point to Metadata nodes',
        ...[base, access].flatMap((n) => (n === null ? [] : [this.print(n)])),
      );
    if (!isNew && !this.isScalar(access))
      return failed('Access type node must be a valid scalar type', this.print(access));
    const offset = offsetOf(operands[2]);
    if (offset === null) return failed('Offset must be constant integer');
    this.walk(base, access, offset, isNew, failed, text, complain);
  }

  private print(m: Metadata): string {
    return printMetadata(m, this.module);
  }

  /** From the base type along the fields that hold the offset to the access type. */
  private walk(
    base: MDNode,
    access: MDNode,
    offset: Offset,
    isNew: boolean,
    failed: Complain,
    text: () => string,
    complain: Complain,
  ): void {
    const path = new Set<MDNode>();
    const { bits } = offset;
    let at = offset.value;
    let isSeen = false;
    for (let node: MDNode | null = base; node !== null && !isRoot(node);) {
      if (path.has(node)) return failed('Cycle detected in struct path');
      path.add(node);
      const width = this.baseBits(node, isNew, text, complain);
      if (width === null) return;
      const isAccess = isSame(node, access);
      isSeen ||= isAccess;
      if ((isAccess || this.isScalar(node)) && at !== 0n)
        return failed('Offset not zero at the point of scalar access', String(BigInt.asIntN(bits, at)));
      if (width !== bits && !(width === 0 && at === 0n) && !(isNew && width === NO_BITS))
        return failed('Access bit-width not the same as description bit-width', String(width), String(bits));
      if (isNew && isSeen) break;
      const field = this.fieldAt(node, at, isNew);
      if (field === null) {
        const shown = String(BigInt.asIntN(bits, at));
        complain('Could not find TBAA parent in struct type node', text(), this.print(node), shown);
        break;
      }
      [node, at] = [field.node, BigInt.asUintN(bits, at - field.offset)];
    }
    if (!isSeen) failed('Did not see access type in access path!');
  }

  /** The last field that begins at or before an offset; null if all begin after it. */
  private fieldAt({ operands }: MDNode, at: bigint, isNew: boolean): { node: MDNode | null; offset: bigint } | null {
    if (operands.length === 2) return { node: asNode(operands[1]), offset: 0n };
    const [first, perField] = layoutOf(isNew);
    let last: { node: MDNode | null; offset: bigint } | null = null;
    for (let k = first; k < operands.length; k += perField) {
      const offset = offsetOf(operands[k + 1])?.value ?? 0n;
      if (offset > at) return last;
      last = { node: asNode(operands[k]), offset };
    }
    return last;
  }

  private baseBits(node: MDNode, isNew: boolean, text: () => string, complain: Complain): OffsetBits {
    const known = this.bases.get(node);
    if (known !== undefined) return known;
    const res = this.checkBase(node, isNew, text, complain);
    this.bases.set(node, res);
    return res;
  }

  private checkBase(node: MDNode, isNew: boolean, text: () => string, complain: Complain): OffsetBits {
    const { operands } = node;
    const n = operands.length;
    if (n === 2) return this.isScalar(node) ? 0 : null;
    const broken = (message: string, ...above: readonly string[]): null => {
      complain(message, ...above, this.print(node));
      return null;
    };
    if (isNew && n % 3 !== 0)
      return broken('Access tag nodes must have the number of operands that is a multiple of 3!');
    if (!isNew && n % 2 !== 1) return broken('Struct tag nodes must have an odd number of operands!');
    if (isNew && offsetOf(operands[1]) === null) return broken('Type size nodes must be constants!', text());
    if (!isNew && !(operands[0] instanceof MDString))
      return broken('Struct tag nodes have a string as their first operand');
    const [first, perField] = layoutOf(isNew);
    let bits = NO_BITS;
    let before = 0n;
    let isBroken = false;
    for (let k = first; k < n; k += perField) {
      const problem = (message: string): void => {
        broken(message, text());
        isBroken = true;
      };
      const offset = offsetOf(operands[k + 1]);
      if (!(operands[k] instanceof MDNode)) problem('Incorrect field entry in struct type node!');
      else if (offset === null) problem('Offset entries must be constants!');
      else {
        if (bits === NO_BITS) bits = offset.bits;
        if (offset.bits !== bits) problem('Bitwidth between the offsets and struct type entries must match');
        else {
          if (offset.value < before) problem('Offsets must be increasing!');
          before = offset.value;
          if (isNew && offsetOf(operands[k + 2]) === null) problem('Member size entries must be constants!');
        }
      }
    }
    return isBroken ? null : bits;
  }

  /** A name with a parent that is scalar or the root, and offset 0 if any. */
  private isScalar(type: MDNode): boolean {
    const known = this.scalars.get(type);
    if (known !== undefined) return known;
    const seen = new Set<MDNode>();
    let res = false;
    for (let node = type; ;) {
      const { operands } = node;
      if ((operands.length !== 2 && operands.length !== 3) || !(operands[0] instanceof MDString)) break;
      if (operands.length === 3 && offsetOf(operands[2])?.value !== 0n) break;
      const parent = asNode(operands[1]);
      if (parent === null || seen.has(parent)) break;
      seen.add(parent);
      res = isRoot(parent);
      if (res) break;
      node = parent;
    }
    this.scalars.set(type, res);
    return res;
  }
}
