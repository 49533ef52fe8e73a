/**
 * What LLVM's IR verifier demands of metadata that tells of profiles, calls and memory models (Verifier.cpp: visitProfMetadata,
 * visitMemProfMetadata, visitCalleeTypeMetadata, visitMMRAMetadata and their neighbours; verifyFunctionMetadata, LLVM 22), in the words of llc-22.
 */
import { Constant, MDNode, MDString, Opcode, ValueAsMetadata, ValueKind } from '../../ir/module.js';
import type { Instruction, IRFunction, IRModule, Metadata } from '../../ir/module.js';
import { printMetadata, printTypedValue } from '../../ir/printer.js';
import { TypeKind } from '../../ir/types.js';

type Complain = (message: string, ...values: readonly string[]) => void;

/** Ends the checks of one node. */
class Stop {}

function integerOf(m: Metadata | null | undefined): Constant | null {
  const value = m instanceof ValueAsMetadata ? m.value : null;
  return value instanceof Constant && value.kind === ValueKind.ConstantInt ? value : null;
}

const isTuple = (m: Metadata | null | undefined): m is MDNode => m instanceof MDNode && m.className === '';
const isText = (m: Metadata | null | undefined): m is MDString => m instanceof MDString;

const MAY_HAVE_MODEL: ReadonlySet<Opcode> = new Set([
  Opcode.Load,
  Opcode.Store,
  Opcode.CmpXchg,
  Opcode.AtomicRMW,
  Opcode.Fence,
  Opcode.Call,
  Opcode.Invoke,
  Opcode.CallBr,
]);

const CAPTURED = ['address_is_null', 'address', 'read_provenance', 'provenance'];

/** InstrProfValueKind: calls, sizes of memory operations, tables of virtual functions. */
const LAST_PROFILE_KIND = 2n;

/** How many weights `!prof` has at an instruction; 0 where none may be. */
function branchesOf(i: Instruction): number {
  switch (i.opcode) {
    case Opcode.Br:
    case Opcode.Switch:
    case Opcode.IndirectBr:
    case Opcode.CallBr:
      return i.blocks?.length ?? 0;
    case Opcode.Call:
      return 1;
    case Opcode.Select:
      return 2;
    default:
      return 0;
  }
}

/** Rules of one kind of attachment, with what they need of the instruction. */
export class AnnotationRules {
  constructor(private readonly module: IRModule) {}

  /** `text` is the instruction as LLVM prints it; kinds without rules here are passed over. */
  check(kind: string, i: Instruction, node: MDNode, text: () => string, complain: Complain): void {
    this.run(complain, (need) => {
      switch (kind) {
        case 'prof':
          return this.profile(i, node, need, complain);
        case 'memprof':
          need(i.call !== null, '!memprof metadata should only exist on calls', text);
          return this.memoryProfile(node, need, complain);
        case 'callsite':
          need(i.call !== null, '!callsite metadata should only exist on calls', text);
          return this.callStack(node, need);
        case 'callee_type':
          need(i.call !== null, '!callee_type metadata should only exist on calls', text);
          return this.calleeTypes(node, need);
        case 'mmra':
          return this.memoryModel(i, node, text, need);
        case 'annotation':
          return this.annotation(node, need);
        case 'captures':
          return this.captures(i, node, text, need);
        case 'alloc_token':
          need(i.call !== null, '!alloc_token should only exist on calls', text);
          need(node.operands.length === 2, '!alloc_token must have 2 operands', node);
          need(isText(node.operands[0]), 'expected string', node);
          return need(integerOf(node.operands[1]) !== null, 'expected integer constant', node);
        case 'llvm.access.group':
          return this.accessGroup(node, need);
        case 'nofree':
          need(i.type.kind === TypeKind.Pointer, 'nofree applies only to pointer types', text);
          need(i.opcode === Opcode.IntToPtr, 'nofree applies only to inttoptr instruction', text);
          return need(node.operands.length === 0, 'nofree metadata must be empty', text);
      }
    });
  }

  /** Attachments of a function: first each by itself, then how many there are. */
  checkFunction(fn: IRFunction, complain: Complain): void {
    const list = (fn.attachments ?? []).filter((a) => a.node instanceof MDNode);
    this.run(complain, (need) => {
      for (const { kind, node } of list)
        if (kind === 'prof') this.entryCount(node as MDNode, need);
        else if (kind === 'kcfi_type') this.functionType(node as MDNode, need);
    });
    const shown = (): string => printTypedValue(fn);
    this.run(complain, (need) => {
      const isFirst = new Set<string>();
      for (const { kind, node } of list) {
        if (kind !== 'prof' && kind !== 'kcfi_type') continue;
        if (fn.isDeclaration) need(kind !== 'prof', 'function declaration may not have a !prof attachment', shown);
        else need(!isFirst.has(kind), `function must have a single !${kind} attachment`, shown, node as MDNode);
        isFirst.add(kind);
      }
    });
  }

  private print(m: Metadata): string {
    return printMetadata(m, this.module);
  }

  /** Ends at the first fault. */
  private run(complain: Complain, body: (need: Need) => void): void {
    const text = (v: Exclude<Shown, null | undefined>): string => (typeof v === 'function' ? v() : this.print(v));
    try {
      body((isWell, message, ...shown) => {
        if (isWell) return;
        complain(message, ...shown.flatMap((v) => (v === null || v === undefined ? [] : [text(v)])));
        throw new Stop();
      });
    } catch (e) {
      if (!(e instanceof Stop)) throw e;
    }
  }

  private profile(i: Instruction, node: MDNode, need: Need, complain: Complain): void {
    const { operands } = node;
    const [name, second] = operands;
    need(operands.length > 0, '!prof annotations should have at least 1 operand', node);
    need(name !== null, 'first operand should not be null', node);
    if (!isText(name)) return need(false, 'expected string with name of the !prof annotation', node);
    const isInvoke = i.opcode === Opcode.Invoke;
    if (name.value === 'unknown') {
      const message = "'unknown' !prof should only appear on instructions on which 'branch_weights' would";
      need(isInvoke || branchesOf(i) > 0, message, node);
      return this.unknownProfile(node, need);
    }
    need(operands.length > 1, '!prof annotations should have no less than 2 operands', node);
    if (name.value === 'branch_weights') {
      const first = isText(second) && operands.length > 2 ? 2 : 1;
      const n = operands.length - first;
      if (isInvoke) need(n === 1 || n === 2, 'Wrong number of InvokeInst branch_weights operands', node);
      else {
        const expected = branchesOf(i);
        if (expected === 0) complain('!prof branch_weights are not allowed for this instruction', this.print(node));
        need(n === expected, 'Wrong number of operands', node);
      }
      for (const weight of operands.slice(first)) {
        need(weight !== null, 'second operand should not be null', node);
        need(integerOf(weight) !== null, '!prof brunch_weights operand is not a const int');
      }
    } else if (name.value === 'VP') {
      need(operands.length >= 5, 'invalid value profiling metadata', node);
      const kind = integerOf(second)?.value;
      if (kind === undefined) return need(false, 'VP !prof missing kind argument', node);
      need(kind >= 0n && kind <= LAST_PROFILE_KIND, 'Invalid VP !prof kind', node);
      need(operands.length % 2 === 1, "VP !prof should have an even number of arguments after 'VP'", node);
      if (kind < LAST_PROFILE_KIND) {
        const message = 'VP !prof indirect call or memop size expected to be applied to CallBase instructions only';
        need(i.call !== null, message, node);
      }
    } else need(false, 'expected either branch_weights or VP profile name', node);
  }

  private unknownProfile(node: MDNode, need: Need): void {
    const [, pass] = node.operands;
    need(node.operands.length === 2, "'unknown' !prof should have a single additional operand", node);
    if (!isText(pass)) return need(false, "'unknown' !prof should have an additional operand of type string");
    need(pass.value !== '', "the 'unknown' !prof operand should not be an empty string");
  }

  private memoryProfile(node: MDNode, need: Need, complain: Complain): void {
    const none = '!memprof annotations should have at least 1 metadata operand (MemInfoBlock)';
    need(node.operands.length > 0, none, node);
    for (const block of node.operands) {
      if (!(block instanceof MDNode)) continue;
      const [stack, kind, ...pairs] = block.operands;
      const name = '!memprof MemInfoBlock';
      need(block.operands.length >= 2, `Each ${name} should have at least 2 operands`, block);
      need(stack !== null, `${name} first operand should not be null`, block);
      need(stack instanceof MDNode, `${name} first operand should be an MDNode`, block);
      this.run(complain, (inner) => this.callStack(stack as MDNode, inner));
      need(isText(kind), `${name} second operand should be an MDString`, block);
      for (const pair of pairs) {
        const all = `Not all ${name} operands 2 to N are MDNode`;
        if (!(pair instanceof MDNode)) return need(false, all, block);
        need(pair.operands.length === 2, `${all} with 2 operands`, block);
        const isOfIntegers = pair.operands.every((m) => integerOf(m) !== null);
        need(isOfIntegers, `${all} with ConstantInt operands`, block);
      }
    }
  }

  private callStack(node: MDNode, need: Need): void {
    need(node.operands.length > 0, 'call stack metadata should have at least 1 operand', node);
    for (const place of node.operands)
      need(integerOf(place) !== null, 'call stack metadata operand should be constant integer', place);
  }

  private calleeTypes(node: MDNode, need: Need): void {
    for (const type of node.operands) {
      if (!(type instanceof MDNode))
        return need(false, 'The callee_type metadata must be a list of type metadata nodes', type);
      const [offset, name] = type.operands;
      const count = 'Well-formed generalized type metadata must contain exactly two operands';
      need(type.operands.length === 2, count, type);
      const isZero = integerOf(offset)?.value === 0n;
      need(isZero, 'The first operand of type metadata for functions must be zero', type);
      const isGeneralized = isText(name) && name.value.endsWith('.generalized');
      need(isGeneralized, 'Only generalized type metadata can be part of the callee_type metadata list', type);
    }
  }

  private memoryModel(i: Instruction, node: MDNode, text: () => string, need: Need): void {
    const isTag = (m: Metadata | null): boolean => isTuple(m) && m.operands.length === 2 && m.operands.every(isText);
    need(MAY_HAVE_MODEL.has(i.opcode), '!mmra metadata attached to unexpected instruction kind', text, node);
    if (isTag(node)) return;
    need(isTuple(node), '!mmra expected to be a metadata tuple', text, node);
    for (const tag of node.operands) need(isTag(tag), '!mmra metadata tuple operand is not an MMRA tag', text, tag);
  }

  private annotation(node: MDNode, need: Need): void {
    need(isTuple(node), 'annotation must be a tuple');
    need(node.operands.length > 0, 'annotation must have at least one operand');
    for (const m of node.operands)
      need(isText(m) || (isTuple(m) && m.operands.every(isText)), 'operands must be a string or a tuple of strings');
  }

  private captures(i: Instruction, node: MDNode, text: () => string, need: Need): void {
    need(i.opcode === Opcode.Store, '!captures metadata can only be applied to store instructions', text);
    const isPointer = i.operands[0]?.type.kind === TypeKind.Pointer;
    need(isPointer, '!captures metadata can only be applied to store with value operand of pointer type', text);
    need(node.operands.length > 0, '!captures metadata cannot be empty', text);
    for (const m of node.operands) {
      if (!isText(m)) return need(false, '!captures metadata must be a list of strings', text);
      need(CAPTURED.includes(m.value), 'invalid entry in !captures metadata', text, m);
    }
  }

  private accessGroup(node: MDNode, need: Need): void {
    const isGroup = (m: MDNode): boolean => m.operands.length === 0 && m.isDistinct;
    if (isGroup(node)) return;
    for (const m of node.operands) {
      if (!(m instanceof MDNode)) return need(false, 'Access scope list must consist of MDNodes', node);
      need(isGroup(m), 'Access scope list contains invalid access scope', node);
    }
  }

  private entryCount(node: MDNode, need: Need): void {
    const [name, count] = node.operands;
    need(node.operands.length > 1, '!prof annotations should have no less than 2 operands', node);
    if (isText(name) && name.value === 'unknown') return this.unknownProfile(node, need);
    need(name !== null, 'first operand should not be null', node);
    if (!isText(name)) return need(false, 'expected string with name of the !prof annotation', node);
    const names = ['function_entry_count', 'synthetic_function_entry_count'];
    const message = "first operand should be 'function_entry_count' or 'synthetic_function_entry_count'";
    need(names.includes(name.value), message, node);
    need(count !== null, 'second operand should not be null', node);
    const isConstant = count instanceof ValueAsMetadata;
    need(isConstant, 'expected integer argument to function_entry_count', node);
  }

  private functionType(node: MDNode, need: Need): void {
    const [type] = node.operands;
    need(node.operands.length === 1, '!kcfi_type must have exactly one operand', node);
    need(type !== null, '!kcfi_type operand must not be null', node);
    need(type instanceof ValueAsMetadata, 'expected a constant operand for !kcfi_type', node);
    need(integerOf(type) !== null, 'expected a constant integer operand for !kcfi_type', node);
    need(integerOf(type)?.type.n === 32, 'expected a 32-bit integer constant operand for !kcfi_type', node);
  }
}

/** What LLVM prints below a complaint: nodes, and texts that are made for it only. */
type Shown = Metadata | null | undefined | (() => string);
type Need = (isWell: boolean, message: string, ...shown: readonly Shown[]) => void;
