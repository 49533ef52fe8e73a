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
import { pointerAddressSpace, ValueKind, type Value } from '../../ir/module.js';
import { scalarLLT, sizeInBits, type LLT } from '../llt.js';
import { MemFlag, type MemOperand, type MemPointer } from '../memOperand.js';
import {
  resolveFixedStackObject,
  resolveGlobal,
  resolveStackObject,
  isMetadataDefined,
  undefinedGlobal,
} from './references.js';
import { parsePointerConstant } from './constants.js';
import { DUMMY_ENTRY_BLOCK, type FunctionContext } from './context.js';

/** Address spaces of AMDGPU (llvm/Support/AMDGPUAddrSpace.h). */
const CONSTANT_ADDRESS = 4;
const PRIVATE_ADDRESS = 5;

const TARGET_MMO_FLAGS: readonly (readonly [string, MemFlag])[] = [
  ['amdgpu-noclobber', MemFlag.NoClobber],
  ['amdgpu-last-use', MemFlag.LastUse],
  ['amdgpu-cooperative', MemFlag.Cooperative],
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
  const words = tree.flags(n);
  const { names } = context;
  let flags = 0;
  if (words & MemOperandFlag.Load) flags |= MemFlag.Load;
  if (words & MemOperandFlag.Store) flags |= MemFlag.Store;
  if (words & MemOperandFlag.Volatile) flags |= MemFlag.Volatile;
  if (words & MemOperandFlag.NonTemporal) flags |= MemFlag.NonTemporal;
  if (words & MemOperandFlag.Dereferenceable) flags |= MemFlag.Dereferenceable;
  if (words & MemOperandFlag.Invariant) flags |= MemFlag.Invariant;
  let type: LLT | null = null;
  let pointer: MemPointer = { kind: 'none' };
  let offset = 0;
  let baseAlign = 1;
  let addressSpace = 0;
  let syncScope = '';
  let ordering = '';
  let failureOrdering = '';
  let tbaa: string | null = null;
  let aliasScope: string | null = null;
  let noAlias: string | null = null;
  let range: string | null = null;
  let rangeBits = 0;
  let noAliasAddrSpace: string | null = null;
  const slice = (c: Node): string => text.slice(chunkStart + tree.start(c), chunkStart + tree.end(c));
  const complaint = (c: Node, code: string, message: string): MemComplaint => ({
    start: tree.start(c),
    end: tree.end(c),
    code,
    message,
  });

  const end = tree.next(n);
  for (let c = n + STRIDE; c < end; c = tree.next(c)) {
    const kind = tree.kind(c);
    switch (kind) {
      case SyntaxKind.String: {
        const word = names.text(tree.value(c));
        const flag = TARGET_MMO_FLAGS.find((f) => f[0] === word);
        if (flag === undefined) {
          return complaint(c, 'undefined-mmo-flag', `use of undefined target MMO flag '${word}'`);
        }
        if ((flags & flag[1]) !== 0) return complaint(c, 'duplicate-flag', `duplicate '${word}' memory operand flag`);
        flags |= flag[1];
        break;
      }
      case SyntaxKind.SyncScope:
        syncScope = names.text(tree.value(c));
        break;
      case SyntaxKind.AtomicOrdering:
        if (ordering === '') ordering = names.text(tree.value(c));
        else failureOrdering = names.text(tree.value(c));
        break;
      case SyntaxKind.LowLevelType:
        type = names.lowLevelType(tree.flags(c), tree.value(c), tree.aux(c));
        baseAlign = naturalAlignment(type);
        break;
      case SyntaxKind.Integer: {
        const bytes = (tree.flags(c) & IntFlag.Big) !== 0 ? Number(slice(c)) : tree.intNumber(c);
        type = scalarLLT(bytes * 8);
        baseAlign = naturalAlignment(type);
        break;
      }
      case SyntaxKind.UnknownSize:
        break;
      case SyntaxKind.IRValue:
      case SyntaxKind.IRConstant:
      case SyntaxKind.Global: {
        const r = irPointer(tree, c, kind, context);
        if ('message' in r) return { ...complaint(c, r.code, r.message), llcOffset: tree.start(c) + r.at };
        pointer = r.pointer;
        addressSpace = r.addressSpace;
        break;
      }
      case SyntaxKind.UnknownAddress:
        break;
      case SyntaxKind.StackPointer:
        pointer = { kind: 'stack' };
        addressSpace = PRIVATE_ADDRESS;
        break;
      case SyntaxKind.GOT:
        pointer = { kind: 'got' };
        addressSpace = CONSTANT_ADDRESS;
        break;
      case SyntaxKind.JumpTable:
        pointer = { kind: 'jumpTable' };
        addressSpace = CONSTANT_ADDRESS;
        break;
      case SyntaxKind.ConstantPool:
        pointer = { kind: 'constantPool' };
        addressSpace = CONSTANT_ADDRESS;
        break;
      case SyntaxKind.StackObject:
      case SyntaxKind.FixedStackObject: {
        const nameId = tree.aux(c);
        const index =
          kind === SyntaxKind.StackObject
            ? resolveStackObject(context, tree.value(c) >>> 0, nameId < 0 ? null : names.text(nameId))
            : resolveFixedStackObject(context, tree.value(c) >>> 0);
        if (typeof index === 'string') return complaint(c, 'undefined-stack-object', index);
        pointer = { kind: 'frameIndex', index };
        addressSpace = PRIVATE_ADDRESS;
        break;
      }
      case SyntaxKind.CallEntry: {
        const target = tree.firstChild(c);
        if (target === NO_NODE) break;
        addressSpace = CONSTANT_ADDRESS;
        if (tree.kind(target) === SyntaxKind.ExternalSymbol) {
          pointer = { kind: 'callEntry', name: names.text(tree.value(target)), isExternal: true };
          break;
        }
        const name = resolveGlobal(context, tree, target);
        if (name === null) return complaint(target, 'undefined-global', undefinedGlobal(context, tree, target));
        pointer = { kind: 'callEntry', name, isExternal: false };
        break;
      }
      case SyntaxKind.CustomPointer:
        // The formatter takes any word for the only one that there is.
        pointer = { kind: 'custom', name: CUSTOM_SOURCE };
        break;
      case SyntaxKind.Offset:
        offset = tree.intNumber(c);
        break;
      case SyntaxKind.MemAlign:
        if (!tree.hasChildren(c) || tree.childOfKind(c, SyntaxKind.Error) !== NO_NODE) return null;
        baseAlign = firstInteger(tree, c);
        if (offset % baseAlign !== 0) {
          const message = 'specified alignment is more aligned than offset';
          return { ...complaint(c, 'bad-alignment', message), llcOffset: nextToken(text, chunkStart, tree.end(c)) };
        }
        break;
      case SyntaxKind.MemBaseAlign:
        baseAlign = firstInteger(tree, c);
        break;
      case SyntaxKind.MemAddrSpace:
        addressSpace = firstInteger(tree, c);
        break;
      case SyntaxKind.MemTBAA:
      case SyntaxKind.MemAliasScope:
      case SyntaxKind.MemNoAlias:
      case SyntaxKind.MemRange:
      case SyntaxKind.MemNoAliasAddrSpace: {
        const node = tree.childOfKind(c, SyntaxKind.Metadata);
        if (node === NO_NODE) break;
        const number = tree.value(node) >>> 0;
        if (!isMetadataDefined(context, number)) {
          return complaint(node, 'undefined-metadata', `use of undefined metadata '!${number}'`);
        }
        const ref = kind === SyntaxKind.MemRange ? context.metadata.text(number) : context.metadata.aliasText(number);
        if (kind === SyntaxKind.MemTBAA) tbaa = ref;
        else if (kind === SyntaxKind.MemAliasScope) aliasScope = ref;
        else if (kind === SyntaxKind.MemNoAlias) noAlias = ref;
        else if (kind === SyntaxKind.MemRange) {
          range = ref;
          rangeBits = context.metadata.rangeBits(number);
        } else noAliasAddrSpace = ref;
        break;
      }
      case SyntaxKind.Error:
        return null;
      default:
        break;
    }
  }
  return {
    flags,
    type,
    pointer,
    offset,
    baseAlign,
    addressSpace,
    syncScope,
    ordering,
    failureOrdering,
    tbaa,
    aliasScope,
    noAlias,
    range,
    rangeBits,
    noAliasAddrSpace,
  };
}

/** Size in bytes rounded up to a power of two. */
function naturalAlignment(type: LLT): number {
  const bytes = Math.ceil(sizeInBits(type) / 8);
  return bytes <= 1 ? 1 : 2 ** Math.ceil(Math.log2(bytes));
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

function irPointer(tree: Tree, c: Node, kind: SyntaxKind, context: FunctionContext): PointerResult {
  const { module, irFunction, names } = context;
  const isNumber = (tree.flags(c) & NameFlag.Numbered) !== 0;
  if (kind === SyntaxKind.Global) {
    const name = resolveGlobal(context, tree, c);
    if (name === null) return { code: 'undefined-global', message: undefinedGlobal(context, tree, c), at: 0 };
    const value = module === null ? null : isNumber ? module.globalByNumber(Number(name)) : module.globalByName(name);
    return { pointer: { kind: 'global', name }, addressSpace: value?.addressSpace ?? 0 };
  }
  if (kind === SyntaxKind.IRConstant) {
    const r = parsePointerConstant(names.text(tree.value(c)), module);
    if ('error' in r) return { code: 'bad-constant', message: r.error.message, at: r.error.at };
    if (r.value === null) return NOT_A_POINTER;
    return { pointer: { kind: 'irConstant', text: r.value.text }, addressSpace: r.value.addressSpace };
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
