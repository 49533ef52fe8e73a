/**
 * What LLVM's IR verifier demands of blocks and instructions (Verifier.cpp: visitBasicBlock, visitPHINode, visitCallBase, verifyMustTailCall,
 * visitInstruction, LLVM 22), in the words of llc-22: predecessors, PHIs, dominance, calls with their attributes and immediates; what intrinsics ask
 * of their calls is in `irIntrinsicRules.ts`, attachments are in `irMetadataRules.ts`, exceptions in
 * `irExceptionRules.ts`.
 */
import type { AttributeSet } from '../../ir/attributes.js';
import { typeSizeBits } from '../../ir/dataLayout.js';
import {
  callingConvName,
  InstFlag,
  Instruction,
  Opcode,
  ValueKind,
  IRFunction,
  type IRModule,
  type CallInfo,
} from '../../ir/module.js';
import { BasicBlock, Constant, type Value } from '../../ir/module.js';
import { printAttributeText, printInstruction, printIRType, printTypedValue } from '../../ir/printer.js';
import { TypeKind } from '../../ir/types.js';
import { checkAttributeList } from './irAttributeRules.js';
import { asmProblem, callBrProblem } from './irAsmRules.js';
import { ATTACHED_CALL, bundleProblem } from './irBundleRules.js';
import { IrConvergence } from './irConvergenceRules.js';
import { verifyIntrinsicCall } from './irIntrinsicRules.js';
import type { AttachmentRules } from './irMetadataRules.js';
import { BlockOrder } from './irDominators.js';
import { IrExceptions } from './irExceptionRules.js';
import { calleeName, PREALLOCATED_ARG } from './irPreallocatedRules.js';

/** Takes a complaint, the offset of what it is about, and the values that LLVM prints below it. */
export type ComplainAt = (message: string, offset: number, ...values: readonly string[]) => void;

/** LLVMContext's address space of allocas in AMDGPU's data layout. */
const PRIVATE_ADDRESS = 5;

/** Stands for an instruction: LLVM numbers what it shows, so that it is printed for a message only. */
const SHOWN_LATER = '\0';

/** The rule that LLVM knows only once the module has its triple. */
export const ALLOCA_RULE = 'alloca on amdgpu must be in addrspace(5)';

const NOT_CALLABLE = new Set(
  (
    'amdgpu_kernel amdgpu_cs amdgpu_es amdgpu_gs amdgpu_hs amdgpu_ls amdgpu_ps amdgpu_vs amdgpu_cs_chain ' +
    'amdgpu_cs_chain_preserve amdgpu_gfx_whole_wave spir_kernel'
  ).split(' '),
);

const isPhi = (i: Instruction): boolean => i.opcode === Opcode.Phi;
const isIntrinsic = (v: Value): v is IRFunction => v.kind === ValueKind.Function && (v as IRFunction).isIntrinsic;

/** All operands: arguments, what bundles have, what is called. */
function usedBy({ call, operands }: Instruction): readonly Value[] {
  if (call === null || call.bundles.length === 0) return operands;
  return [...operands.slice(0, -1), ...call.bundles.flatMap((b) => b.operands), operands[operands.length - 1]];
}

/** Uses of intrinsics but to call them by their own type, the last of each. */
export function addressTaken(module: IRModule): ReadonlyMap<IRFunction, Instruction> {
  const res = new Map<IRFunction, Instruction>();
  for (const fn of module.functions)
    for (const block of fn.blocks)
      for (const i of block.instructions) {
        const operands = usedBy(i);
        const last = operands.length - 1;
        for (const [k, v] of operands.entries())
          if (isIntrinsic(v) && (k !== last || i.call?.fnType !== v.fnType) && !attachedTo(i).has(v)) res.set(v, i);
      }
  return res;
}

/** `attachments` is one for the whole module. */
export function verifyBody(fn: IRFunction, module: IRModule, attachments: AttachmentRules, complain: ComplainAt): void {
  new BodyRules(fn, module, attachments, complain).run();
}

class BodyRules {
  private readonly order: BlockOrder;
  private readonly convergence: IrConvergence;
  private readonly exceptions: IrExceptions;
  /** order in which things were first mentioned: LLVM sorts them by address */
  private readonly mention = new Map<Value, number>();

  constructor(
    private readonly fn: IRFunction,
    private readonly module: IRModule,
    private readonly attachments: AttachmentRules,
    private readonly complain: ComplainAt,
  ) {
    this.order = new BlockOrder(fn.blocks);
    this.exceptions = new IrExceptions(fn, this.order);
    const texts = {
      instruction: (i: Instruction) => this.text(i),
      value: (v: Value) => this.typed(v),
    };
    this.convergence = new IrConvergence(fn, this.order, texts, (i, ...complaint) => void this.about(i, ...complaint));
  }

  run(): void {
    const { fn } = this;
    if (fn.blocks.length === 0) return;
    const entry = fn.blocks[0] as BasicBlock;
    if (this.order.predecessors(entry).length > 0)
      this.complain('Entry block to function must not have predecessors!', fn.bodyStart, this.typed(entry));
    const scopes: Instruction[] = [];
    for (const block of fn.blocks) {
      this.checkPhisOf(block);
      const above = new Set<Value>();
      block.instructions.forEach((i, k) => {
        if (this.checkOwnRules(i, block.instructions[k - 1] ?? null)) this.checkInstruction(i, above);
        if (i.call !== null && (i.flags & InstFlag.MustTail) !== 0) this.checkMustTail(i, i.call, block, k);
        above.add(i);
        if (calleeName(i) === 'llvm.experimental.noalias.scope.decl') scopes.push(i);
      });
    }
    this.convergence.finish();
    for (const i of scopes)
      this.attachments.checkScopeDeclaration(
        i,
        () => this.text(i),
        (message, ...values) => this.about(i, message, ...values),
      );
  }

  /** A value as LLVM prints it below a complaint: an instruction whole. */
  private typed(v: Value): string {
    return v instanceof Instruction ? this.text(v) : printTypedValue(v, this.fn, this.module);
  }

  private text(i: Instruction): string {
    return printInstruction(i, this.fn, this.module);
  }

  private about(i: Instruction, message: string, ...values: readonly string[]): false {
    this.complain(message, i.offset, ...values);
    return false;
  }

  // -- PHIs ------------------------------------------------------------------------------------------------------

  private checkPhisOf(block: BasicBlock): void {
    const first = block.instructions[0];
    if (first === undefined || !isPhi(first)) return;
    const preds = this.sorted(this.order.predecessors(block), (b) => [b]);
    for (const phi of block.instructions) {
      if (!isPhi(phi)) return;
      const incoming = phi.operands.map((value, k) => ({ value, block: (phi.blocks ?? [])[k] as BasicBlock }));
      if (incoming.length !== preds.length) {
        this.about(
          phi,
          'PHINode should have one entry for each predecessor of its parent basic block!',
          this.text(phi),
        );
        return;
      }
      const pairs = this.sorted(incoming, (x) => [x.block, x.value]);
      for (const [k, pair] of pairs.entries()) {
        const before = pairs[k - 1];
        if (before?.block === pair.block && before.value !== pair.value) {
          this.about(
            phi,
            'PHI node has multiple entries for the same basic block with different incoming values!',
            this.text(phi),
            this.typed(pair.block),
            this.typed(pair.value),
            this.typed(before.value),
          );
          return;
        }
        if (pair.block !== preds[k]) {
          const pred = this.typed(preds[k] as BasicBlock);
          this.about(phi, 'PHI node entries do not match predecessors!', this.text(phi), this.typed(pair.block), pred);
          return;
        }
      }
    }
  }

  /** In the order of first mention, which mostly is that of LLVM's addresses. */
  private sorted<T>(list: readonly T[], keys: (x: T) => readonly Value[]): T[] {
    if (this.mention.size === 0) this.readMentions();
    const place = (v: Value): number => this.mention.get(v) ?? 0;
    return [...list].sort((a, b) => {
      const [x, y] = [keys(a), keys(b)];
      const k = x.findIndex((v, n) => v !== y[n]);
      return k < 0 ? 0 : place(x[k] as Value) - place(y[k] as Value);
    });
  }

  private readMentions(): void {
    const add = (v: Value): void => void (this.mention.has(v) || this.mention.set(v, this.mention.size));
    for (const block of this.fn.blocks) {
      add(block);
      for (const i of block.instructions) {
        for (const v of i.operands) add(v);
        for (const b of i.blocks ?? []) add(b);
        add(i);
      }
    }
  }

  // -- instructions ----------------------------------------------------------------------------------------------

  /** The rules of its kind; false ends the checks of the instruction. */
  private checkOwnRules(i: Instruction, before: Instruction | null): boolean {
    if (isPhi(i) && before !== null && !isPhi(before))
      return this.about(i, 'PHI nodes not grouped at top of basic block!', this.text(i), this.typed(i.parent));
    if (isPhi(i) && i.type.kind === TypeKind.Token) return this.about(i, 'PHI nodes cannot have token type!');
    if (i.opcode === Opcode.Alloca && (i.flags & InstFlag.SwiftError) !== 0) {
      if (i.auxType?.kind !== TypeKind.Pointer)
        return this.about(i, 'swifterror alloca must have pointer type', this.text(i));
      const count = i.operands[0] ?? null;
      if (!isInteger(count) || count.value !== 1n)
        return this.about(i, 'swifterror alloca must not be array allocation', this.text(i));
    }
    if (i.opcode === Opcode.Alloca && i.type.n !== PRIVATE_ADDRESS) return this.about(i, ALLOCA_RULE, this.text(i));
    if (i.atomic !== null && i.opcode !== Opcode.Fence) return this.checkAtomic(i);
    if (i.call === null) return this.checkException(i);
    if (i.opcode === Opcode.CallBr) return this.checkCallBr(i);
    const isRight = this.checkCallee(i, i.call);
    return i.opcode === Opcode.Invoke ? this.checkException(i) && isRight : isRight;
  }

  private checkException(i: Instruction): boolean {
    const { exceptions } = this;
    const problem = exceptions.check(i);
    for (const found of [exceptions.takePending(), problem])
      if (found !== null) this.about(i, found.message, ...found.shown.map((v) => this.typed(v)));
    return problem === null;
  }

  private checkCallee(i: Instruction, call: CallInfo): boolean {
    const callee = i.operands[i.operands.length - 1];
    if (callee !== undefined && isIntrinsic(callee) && callee.fnType !== call.fnType)
      return this.about(i, 'Intrinsic called with incompatible signature', this.text(i));
    if (NOT_CALLABLE.has(callingConvName(call.callingConv)))
      return this.about(i, 'calling convention does not permit calls', this.text(i));
    return this.checkCall(i, call);
  }

  /** What an atomic instruction may access; LLVM prints its type before it. */
  private checkAtomic(i: Instruction): boolean {
    const isLoadOrStore = i.opcode === Opcode.Load || i.opcode === Opcode.Store;
    const type = i.opcode === Opcode.Load ? i.type : (i.operands[isLoadOrStore ? 0 : 1] as Value).type;
    const below = (): string => ` ${printIRType(type, this.module)}${this.text(i)}`;
    const word = i.opcode === Opcode.Load ? 'load' : 'store';
    const { scalar } = type;
    if (i.opcode === Opcode.CmpXchg && type.kind !== TypeKind.Integer && type.kind !== TypeKind.Pointer)
      return this.about(i, 'cmpxchg operand must have integer or pointer type', below());
    const isScalarOrVector =
      scalar.kind === TypeKind.Integer || scalar.kind === TypeKind.Pointer || scalar.isFloatingPoint;
    if (isLoadOrStore && !isScalarOrVector)
      return this.about(
        i,
        `atomic ${word} operand must have integer, pointer, floating point, or vector type!`,
        below(),
      );
    const bits = typeSizeBits(type);
    if (bits < 8) this.about(i, "atomic memory access' size must be byte-sized", below());
    else if ((bits & (bits - 1)) !== 0)
      this.about(i, "atomic memory access' operand must have a power-of-two size", below());
    return true;
  }

  /** visitCallBase from the attributes on, and what all intrinsics have in common. */
  private checkCall(i: Instruction, call: CallInfo): boolean {
    const target = i.operands[i.operands.length - 1] as Value;
    const callee = target.kind === ValueKind.Function ? (target as IRFunction) : null;
    if (call.fnAttrs?.has('speculatable') === true && callee?.fnAttrs?.has('speculatable') !== true)
      return this.about(i, 'speculatable attribute may not apply to call sites', this.text(i));
    if ([call.retAttrs, call.fnAttrs, ...call.paramAttrs].some((a) => a !== null && !a.isEmpty))
      checkAttributeList(
        call,
        {
          fnType: call.fnType,
          value: SHOWN_LATER,
          isIntrinsic: callee?.isIntrinsic === true,
          isInlineAsm: target.kind === ValueKind.InlineAsm,
          hasGlobalUnnamedAddr: true,
          module: this.module,
        },
        (message, ...values) => this.about(i, message, ...values.map((v) => (v === SHOWN_LATER ? this.text(i) : v))),
      );
    if (call.fnAttrs?.has('preallocated') === true && callee?.name !== PREALLOCATED_ARG)
      return this.about(i, `preallocated as a call site attribute can only be on ${PREALLOCATED_ARG}`);
    for (const [k, value] of i.operands.slice(0, -1).entries()) {
      const [here, there] = [call.paramAttrs[k] ?? null, callee?.args[k]?.attributes ?? null];
      if (!this.checkImmediate(i, value, here, there)) return false;
      if (here?.has('preallocated') === true || there?.has('preallocated') === true) {
        const isMustTail = (i.flags & InstFlag.MustTail) !== 0;
        if (call.bundles.some(({ tag }) => tag === 'preallocated') === isMustTail)
          return this.about(i, PREALLOCATED_WAYS, this.typed(value), this.text(i));
      }
    }
    if (callee?.isIntrinsic !== true) {
      if (call.fnType.elements.some((t, k) => k > 0 && t.kind === TypeKind.Token))
        return this.about(i, "Function has token parameter but isn't an intrinsic", this.text(i));
      if (callee === null && call.fnType.elements[0].kind === TypeKind.Token)
        return this.about(i, 'Return type cannot be token for indirect call!');
    } else
      verifyIntrinsicCall(i, call, callee, this.fn, this.module, (message, ...shown) =>
        this.about(i, message, ...shown.map((v) => (v === 'call' ? this.text(i) : this.typed(v)))),
      );
    const problem = bundleProblem(call, callee !== null, hasFnAttribute(i, 'noreturn'));
    if (problem !== '') return this.about(i, problem, this.text(i));
    this.checkAsm(i);
    this.convergence.checkCall(i, call);
    return true;
  }

  private checkAsm(i: Instruction): void {
    const problem = asmProblem(i);
    if (problem !== '') this.about(i, problem, this.text(i));
  }

  private checkCallBr(i: Instruction): boolean {
    const problem = callBrProblem(i);
    if (problem !== '') return this.about(i, problem);
    this.checkAsm(i);
    return true;
  }

  /** verifyMustTailCall, for calling conventions without rules of their own; the call is instruction `k` of its block */
  private checkMustTail(i: Instruction, call: CallInfo, block: BasicBlock, k: number): false {
    const mismatched = (what: string, ...values: readonly string[]): false =>
      this.about(i, `cannot guarantee tail call due to mismatched ${what}`, this.text(i), ...values);
    const [caller, callee] = [this.fn.fnType, call.fnType];
    const target = i.operands[i.operands.length - 1];
    if (target.kind === ValueKind.InlineAsm)
      return this.about(i, 'cannot use musttail call with inline asm', this.text(i));
    if (caller.flag !== callee.flag) return mismatched('varargs');
    if (caller.elements[0] !== callee.elements[0]) return mismatched('return types');
    if (this.fn.callingConv !== call.callingConv) return mismatched('calling conv');
    let result = i;
    let next = block.instructions[k + 1];
    if (next?.opcode === Opcode.BitCast) {
      if (next.operands[0] !== i)
        return this.about(i, 'bitcast following musttail call must use the call', this.text(next));
      result = next;
      next = block.instructions[k + 2];
    }
    if (next?.opcode !== Opcode.Ret)
      return this.about(i, 'musttail call must precede a ret with an optional bitcast', this.text(i));
    const returned = next.operands[0];
    if (returned !== undefined && returned !== result && !isUndefined(returned))
      return this.about(next, 'musttail call result must be returned', this.text(next));
    if (!callee.flag && !isIntrinsic(target)) {
      if (caller.elements.length !== callee.elements.length) return mismatched('parameter counts');
      if (caller.elements.some((t, n) => t !== callee.elements[n])) return mismatched('parameter types');
    }
    for (const [n, arg] of this.fn.args.entries())
      if (callingText(arg.attributes) !== callingText(call.paramAttrs[n] ?? null))
        return mismatched('ABI impacting function attributes', this.typed(i.operands[n] as Value));
    return false;
  }

  /** An operand of a call with the attributes that the call and what it calls give it. */
  private checkImmediate(i: Instruction, value: Value, here: AttributeSet | null, there: AttributeSet | null): boolean {
    const isDeclared = there?.has('immarg') === true;
    if (here?.has('immarg') !== true && !isDeclared) return true;
    if (!isDeclared) return this.about(i, 'immarg may not apply only to call sites', this.typed(value), this.text(i));
    if (value.kind !== ValueKind.ConstantInt && value.kind !== ValueKind.ConstantFP)
      return this.about(i, 'immarg operand has non-immediate parameter', this.typed(value), this.text(i));
    const range = here?.get('range') ?? there.get('range');
    const [low, high] = range?.numbers ?? [];
    if (low === undefined || high === undefined || !isInteger(value)) return true;
    const bits = value.type.n;
    const [n, from, to] = [value.value, low, high].map((x) => BigInt.asUintN(bits, x)) as [bigint, bigint, bigint];
    if (from <= to ? n >= from && n < to : n >= from || n < to) return true;
    const signed = (x: bigint): string => String(BigInt.asIntN(bits, x));
    return this.about(i, `immarg value ${signed(n)} out of range [${signed(from)}, ${signed(to)})`, this.text(i));
  }

  /** visitInstruction; `above`: what stands before it in its block. */
  private checkInstruction(i: Instruction, above: ReadonlySet<Value>): void {
    const isReached = this.order.isReached(i.parent);
    const operands = usedBy(i);
    if (!isPhi(i) && isReached && operands.includes(i)) {
      this.about(i, 'Only PHI nodes may reference their own value!', this.text(i));
      return;
    }
    // No text has such, but calls that once had a result.
    if (i.name !== null && i.type.kind === TypeKind.Void) {
      this.about(i, 'Instruction has a name, but provides a void value!', this.text(i));
      return;
    }
    const last = operands.length - 1;
    for (const [k, v] of operands.entries()) {
      if (isIntrinsic(v) && (k !== last || i.call === null) && !attachedTo(i).has(v)) {
        this.about(i, 'Cannot take the address of an intrinsic!', this.text(i));
        return;
      }
      if (!(v instanceof Instruction) || (!isPhi(i) && above.has(v))) continue;
      const at = isPhi(i) ? ((i.blocks ?? [])[k] as BasicBlock) : i.parent;
      if (!this.dominates(v, at, i))
        this.about(i, 'Instruction does not dominate all uses!', this.text(v), this.text(i));
    }
    this.attachments.check(
      i,
      () => this.text(i),
      (message, ...values) => this.about(i, message, ...values),
    );
  }

  private dominates(def: Instruction, at: BasicBlock, user: Instruction): boolean {
    const { order } = this;
    if (!order.isReached(at)) return true;
    if (!order.isReached(def.parent)) return false;
    // Results of these live on the edge to their normal destination, which is left to LLVM.
    if (def.opcode === Opcode.Invoke || def.opcode === Opcode.CallBr) return true;
    if (def.parent !== at) return order.dominates(def.parent, at);
    // Those that stand in front were found before; a PHI reads at the end of the block.
    return isPhi(user);
  }
}

const PREALLOCATED_WAYS =
  'preallocated operand either requires a preallocated bundle or the call to be musttail (but not both)';

/** Of a call, or of the function that it names. */
function hasFnAttribute({ call, operands }: Instruction, word: string): boolean {
  if (call?.fnAttrs?.has(word) === true) return true;
  const target = operands[operands.length - 1];
  return target instanceof IRFunction && target.fnAttrs?.has(word) === true;
}

/** Operands of a call that are attached to it as Objective-C's, by which intrinsics may be mentioned. */
function attachedTo(i: Instruction): ReadonlySet<Value> {
  return new Set(i.call?.bundles.flatMap(({ tag, operands }) => (tag === ATTACHED_CALL ? operands : [])));
}

const CALLING_ATTRIBUTES =
  'sret byval inalloca inreg alignstack swiftself swiftasync swifterror preallocated byref'.split(' ');

/** The attributes that say how an argument is passed. */
function callingText(attributes: AttributeSet | null): string {
  if (attributes === null) return '';
  const words = CALLING_ATTRIBUTES.filter((word) => attributes.has(word));
  if (attributes.has('align') && (attributes.has('byval') || attributes.has('byref'))) words.push('align');
  return words.map((word) => printAttributeText(attributes, word)).join(' ');
}

const isUndefined = (v: Value): boolean => v.kind === ValueKind.Undef || v.kind === ValueKind.Poison;
const isInteger = (v: Value | null): v is Constant => v instanceof Constant && v.kind === ValueKind.ConstantInt;
