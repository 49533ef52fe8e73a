/** Machine memory operands: MIParser::parseMachineMemoryOperand, LLVM 22, and the alignment model of docs/llvm/mir-format.md, 6.6. */
import {
  IntFlag,
  MemOperandFlag,
  NameFlag,
  NO_NODE,
  STRIDE,
  SyntaxKind,
  type Node,
  type Tree,
} from '../../syntax/tree.js';
import { ownString } from '../../util/ownString.js';
import { pointerAddressSpace, ValueKind, type Value } from '../../ir/module.js';
import { scalarLLT, sizeInBits, type LLT } from '../llt.js';
import { MemFlag, NO_BITS_ALIGN, type MemOperand, type MemPointer } from '../memOperand.js';
import {
  resolveFixedStackObject,
  resolveGlobal,
  resolveStackObject,
  isMetadataDefined,
  undefinedGlobal,
} from './references.js';
import { complaintOf22 } from './lowLevelTypes.js';
import { parsePointerConstant } from './constants.js';
import { DUMMY_ENTRY_BLOCK, type FunctionContext } from './context.js';

/** Address spaces of AMDGPU (llvm/Support/AMDGPUAddrSpace.h). */
const CONSTANT_ADDRESS = 4;
const PRIVATE_ADDRESS = 5;

const TARGET_MMO_FLAGS: readonly (readonly [string, MemFlag])[] = [
  ['amdgpu-noclobber', MemFlag.NoClobber],
  ['amdgpu-last-use', MemFlag.LastUse],
  ['amdgpu-cooperative', MemFlag.Cooperative],
  ['amdgpu-thread-private', MemFlag.ThreadPrivate],
];

/** What AMDGPU's formatter makes of every name after `custom` (AMDGPUMIRFormatter::parseCustomPseudoSourceValue). */
const CUSTOM_SOURCE = 'GWSResource';

export interface MemComplaint {
  readonly start: number;
  readonly end: number;
  readonly code: string;
  readonly message: string;
  readonly llcOffset?: number;
}

/** The operand, a complaint, or null when the tree holds a syntax error that comes first. */
export function lowerMemOperand(
  tree: Tree,
  n: Node,
  text: string,
  chunkStart: number,
  context: FunctionContext,
): MemOperand | MemComplaint | null {
  return new MemOperandReader(tree, text, chunkStart, context).read(n);
}

type Draft = { -readonly [K in keyof MemOperand]: MemOperand[K] };

/** A part was read, or the syntax error in it is reported elsewhere, or this is wrong with it. */
type PartResult = 'read' | 'broken' | MemComplaint;

/** Reads one memory operand, part by part. */
class MemOperandReader {
  private readonly m: Draft = {
    flags: 0,
    type: null,
    pointer: { kind: 'none' },
    offset: 0,
    baseAlign: 1,
    addressSpace: 0,
    syncScope: '',
    ordering: '',
    failureOrdering: '',
    tbaa: null,
    aliasScope: null,
    noAlias: null,
    range: null,
    rangeBits: 0,
    noAliasAddrSpace: null,
  };

  constructor(
    private readonly tree: Tree,
    private readonly text: string,
    private readonly chunkStart: number,
    private readonly context: FunctionContext,
  ) {}

  read(n: Node): MemOperand | MemComplaint | null {
    const { tree } = this;
    this.m.flags = flagsOf(tree.flags(n));
    const end = tree.next(n);
    for (let c = n + STRIDE; c < end; c = tree.next(c)) {
      const result = this.part(c, tree.kind(c));
      if (result === 'broken') return null;
      if (result !== 'read') return result;
    }
    return this.m;
  }

  private part(c: Node, kind: SyntaxKind): PartResult {
    const { tree, m } = this;
    const { names } = this.context;
    switch (kind) {
      case SyntaxKind.String:
        return this.targetFlag(c);
      case SyntaxKind.SyncScope:
        m.syncScope = names.text(tree.value(c));
        return 'read';
      case SyntaxKind.AtomicOrdering:
        if (m.ordering === '') m.ordering = names.text(tree.value(c));
        else m.failureOrdering = names.text(tree.value(c));
        return 'read';
      case SyntaxKind.LowLevelType: {
        const { hasFloatLLTs } = this.context.subtarget.release.rules;
        const wrong = hasFloatLLTs ? null : complaintOf22(tree, c, this.slice(c), false);
        if (wrong !== null) return { ...this.complaint(c, 'syntax', wrong.message), llcOffset: wrong.llcOffset };
        return this.typed(names.lowLevelType(tree.flags(c), tree.value(c), tree.aux(c)));
      }
      case SyntaxKind.Integer: {
        const bytes = (tree.flags(c) & IntFlag.Big) !== 0 ? Number(this.slice(c)) : tree.intNumber(c);
        return this.typed(scalarLLT(bytes * 8));
      }
      case SyntaxKind.IRValue:
      case SyntaxKind.IRConstant:
      case SyntaxKind.Global: {
        const r = irPointer(tree, c, kind, this.slice(c), this.context);
        if ('message' in r) return { ...this.complaint(c, r.code, r.message), llcOffset: tree.start(c) + r.at };
        return this.points(r.pointer, r.addressSpace);
      }
      case SyntaxKind.StackPointer:
        return this.points({ kind: 'stack' }, PRIVATE_ADDRESS);
      case SyntaxKind.GOT:
        return this.points({ kind: 'got' }, CONSTANT_ADDRESS);
      case SyntaxKind.JumpTable:
        return this.points({ kind: 'jumpTable' }, CONSTANT_ADDRESS);
      case SyntaxKind.ConstantPool:
        return this.points({ kind: 'constantPool' }, CONSTANT_ADDRESS);
      case SyntaxKind.StackObject:
      case SyntaxKind.FixedStackObject:
        return this.stackObject(c, kind);
      case SyntaxKind.CallEntry:
        return this.callEntry(c);
      case SyntaxKind.CustomPointer:
        // The formatter takes any word for the only one that there is.
        return this.points({ kind: 'custom', name: CUSTOM_SOURCE }, m.addressSpace);
      case SyntaxKind.Offset:
        m.offset = tree.intNumber(c);
        if (!Number.isSafeInteger(m.offset)) m.wideOffset = tree.intBigInt(c);
        return 'read';
      case SyntaxKind.MemAlign:
        return this.alignment(c);
      case SyntaxKind.MemBaseAlign:
        m.baseAlign = firstInteger(tree, c);
        return 'read';
      case SyntaxKind.MemAddrSpace:
        m.addressSpace = firstInteger(tree, c);
        return 'read';
      case SyntaxKind.MemTBAA:
      case SyntaxKind.MemAliasScope:
      case SyntaxKind.MemNoAlias:
      case SyntaxKind.MemRange:
      case SyntaxKind.MemNoAliasAddrSpace:
        return this.metadata(c, kind);
      case SyntaxKind.Error:
        return 'broken';
      default:
        // an unknown size or address says nothing
        return 'read';
    }
  }

  private targetFlag(c: Node): PartResult {
    const { m } = this;
    const word = this.context.names.text(this.tree.value(c));
    const flag = this.context.tables.isAMDGCN ? TARGET_MMO_FLAGS.find((f) => f[0] === word) : undefined;
    const { rules } = this.context.subtarget.release;
    if (flag === undefined || (flag[1] === MemFlag.ThreadPrivate && !rules.marksThreadPrivate))
      return this.complaint(c, 'undefined-mmo-flag', `use of undefined target MMO flag '${word}'`);
    if ((m.flags & flag[1]) !== 0)
      return this.complaint(c, 'duplicate-flag', `duplicate '${word}' memory operand flag`);
    m.flags |= flag[1];
    return 'read';
  }

  private typed(type: LLT): 'read' {
    this.m.type = type;
    this.m.baseAlign = naturalAlignment(type);
    return 'read';
  }

  private points(pointer: MemPointer, addressSpace: number): 'read' {
    this.m.pointer = pointer;
    this.m.addressSpace = addressSpace;
    return 'read';
  }

  private stackObject(c: Node, kind: SyntaxKind.StackObject | SyntaxKind.FixedStackObject): PartResult {
    const { tree, context } = this;
    const nameId = tree.aux(c);
    const index =
      kind === SyntaxKind.StackObject
        ? resolveStackObject(context, tree.value(c) >>> 0, nameId < 0 ? null : context.names.text(nameId))
        : resolveFixedStackObject(context, tree.value(c) >>> 0);
    if (typeof index === 'string') return this.complaint(c, 'undefined-stack-object', index);
    return this.points({ kind: 'frameIndex', index }, PRIVATE_ADDRESS);
  }

  private callEntry(c: Node): PartResult {
    const { tree, context } = this;
    const target = tree.firstChild(c);
    if (target === NO_NODE || tree.kind(target) === SyntaxKind.Error) return 'broken';
    if (tree.kind(target) === SyntaxKind.ExternalSymbol) {
      const name = context.names.text(tree.value(target));
      return this.points({ kind: 'callEntry', name, isExternal: true }, CONSTANT_ADDRESS);
    }
    const name = resolveGlobal(context, tree, target);
    if (name === null)
      return this.complaint(target, 'undefined-global', undefinedGlobal(tree, target, this.slice(target)));
    return this.points({ kind: 'callEntry', name, isExternal: false }, CONSTANT_ADDRESS);
  }

  private alignment(c: Node): PartResult {
    const { tree, m } = this;
    if (!tree.hasChildren(c) || tree.childOfKind(c, SyntaxKind.Error) !== NO_NODE) return 'broken';
    m.baseAlign = firstInteger(tree, c);
    if (m.offset % m.baseAlign === 0) return 'read';
    const complaint = this.complaint(c, 'bad-alignment', 'specified alignment is more aligned than offset');
    return { ...complaint, llcOffset: nextToken(this.text, this.chunkStart, tree.end(c)) };
  }

  private metadata(c: Node, kind: SyntaxKind): PartResult {
    const { tree, m, context } = this;
    const node = tree.childOfKind(c, SyntaxKind.Metadata);
    if (node === NO_NODE) return 'read';
    const number = tree.value(node) >>> 0;
    if (!isMetadataDefined(context, number))
      return this.complaint(node, 'undefined-metadata', `use of undefined metadata '!${number}'`);
    if (kind === SyntaxKind.MemRange) {
      m.range = context.metadata.text(number);
      m.rangeBits = context.metadata.rangeBits(number);
      return 'read';
    }
    // Neither makes a node one of the machine function's.
    if (kind === SyntaxKind.MemNoAliasAddrSpace) {
      m.noAliasAddrSpace = context.metadata.text(number);
      return 'read';
    }
    const ref = context.metadata.aliasText(number);
    if (kind === SyntaxKind.MemTBAA) m.tbaa = ref;
    else {
      const { inside, outside } = m.scopes ?? { inside: null, outside: null };
      const named = context.metadata.nodeOf(number);
      const isScope = kind === SyntaxKind.MemAliasScope;
      if (isScope) m.aliasScope = ref;
      else m.noAlias = ref;
      m.scopes = isScope ? { inside: named, outside } : { inside, outside: named };
    }
    return 'read';
  }

  private slice(c: Node): string {
    return ownString(this.text, this.chunkStart + this.tree.start(c), this.chunkStart + this.tree.end(c));
  }

  private complaint(c: Node, code: string, message: string): MemComplaint {
    return { start: this.tree.start(c), end: this.tree.end(c), code, message };
  }
}

function flagsOf(words: number): number {
  let flags = 0;
  if (words & MemOperandFlag.Load) flags |= MemFlag.Load;
  if (words & MemOperandFlag.Store) flags |= MemFlag.Store;
  if (words & MemOperandFlag.Volatile) flags |= MemFlag.Volatile;
  if (words & MemOperandFlag.NonTemporal) flags |= MemFlag.NonTemporal;
  if (words & MemOperandFlag.Dereferenceable) flags |= MemFlag.Dereferenceable;
  if (words & MemOperandFlag.Invariant) flags |= MemFlag.Invariant;
  return flags;
}

/** Size in bytes rounded up to a power of two. */
function naturalAlignment(type: LLT): number {
  const bytes = Math.ceil(sizeInBits(type) / 8);
  if (bytes === 0) return NO_BITS_ALIGN;
  return bytes === 1 ? 1 : 2 ** Math.ceil(Math.log2(bytes));
}

function firstInteger(tree: Tree, n: Node): number {
  const c = tree.childOfKind(n, SyntaxKind.Integer);
  return c === NO_NODE ? 1 : tree.intNumber(c);
}

function nextToken(text: string, chunkStart: number, from: number): number {
  let p = chunkStart + from;
  while (text.charCodeAt(p) === 32 || text.charCodeAt(p) === 9) p++;
  return p - chunkStart;
}

type PointerResult =
  | { readonly pointer: MemPointer; readonly addressSpace: number }
  | { readonly code: string; readonly message: string; readonly at: number };

const NOT_A_POINTER = { code: 'not-a-pointer', message: 'expected a pointer IR value', at: 0 };

function irPointer(tree: Tree, c: Node, kind: SyntaxKind, spelled: string, context: FunctionContext): PointerResult {
  const { module, irFunction, names } = context;
  const isNumber = (tree.flags(c) & NameFlag.Numbered) !== 0;
  if (kind === SyntaxKind.Global) {
    const name = resolveGlobal(context, tree, c);
    if (name === null) return { code: 'undefined-global', message: undefinedGlobal(tree, c, spelled), at: 0 };
    const value = module === null ? null : isNumber ? module.globalByNumber(Number(name)) : module.globalByName(name);
    return { pointer: { kind: 'global', name }, addressSpace: value?.addressSpace ?? 0 };
  }
  if (kind === SyntaxKind.IRConstant) {
    const r = parsePointerConstant(names.text(tree.value(c)), module);
    if ('error' in r) return { code: 'bad-constant', message: r.error.message, at: r.error.at };
    if (r.value === null) return NOT_A_POINTER;
    const { text, addressSpace, global } = r.value;
    return { pointer: global === null ? { kind: 'irConstant', text } : { kind: 'global', name: global }, addressSpace };
  }
  const text = isNumber ? String(tree.value(c) >>> 0) : names.text(tree.value(c));
  let value: Value | null = null;
  if (irFunction !== null) {
    value = isNumber ? irFunction.valueBySlot(tree.value(c) >>> 0) : irFunction.valueByName(text);
  }
  const isDummyEntry = module === null && text === DUMMY_ENTRY_BLOCK;
  if (isDummyEntry || value?.kind === ValueKind.BasicBlock) return NOT_A_POINTER;
  if (value === null) return { code: 'undefined-ir-value', message: `use of undefined IR value '%ir.${text}'`, at: 0 };
  const addressSpace = pointerAddressSpace(value);
  return addressSpace < 0 ? NOT_A_POINTER : { pointer: { kind: 'irValue', name: text }, addressSpace };
}
