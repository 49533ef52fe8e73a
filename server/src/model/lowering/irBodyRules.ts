/**
 * What LLVM's IR verifier demands of blocks and instructions (Verifier.cpp: visitBasicBlock, visitPHINode, visitCallBase, visitInstruction,
 * visitRangeMetadata, LLVM 22), in the words of llc-22: predecessors, PHIs, dominance, calls, `!range`. Not checked: what intrinsics ask of their
 * operands, TBAA and other metadata, exception handling.
 */
import { callingConvName, Instruction, Opcode, ValueKind, type IRFunction, type IRModule } from '../../ir/module.js';
import { BasicBlock, Constant, MDNode, ValueAsMetadata, type Value } from '../../ir/module.js';
import { printInstruction, printTypedValue } from '../../ir/printer.js';
import { BlockOrder } from './irDominators.js';

/** Takes a complaint, the offset of what it is about, and the values that LLVM prints below it. */
export type ComplainAt = (message: string, offset: number, ...values: readonly string[]) => void;

/** LLVMContext's address space of allocas in AMDGPU's data layout. */
const PRIVATE_ADDRESS = 5;

/** The rule that LLVM knows only once the module has its triple. */
export const ALLOCA_RULE = 'alloca on amdgpu must be in addrspace(5)';

const NOT_CALLABLE = new Set(
  (
    'amdgpu_kernel amdgpu_cs amdgpu_es amdgpu_gs amdgpu_hs amdgpu_ls amdgpu_ps amdgpu_vs amdgpu_cs_chain ' +
    'amdgpu_cs_chain_preserve amdgpu_gfx_whole_wave spir_kernel'
  ).split(' '),
);

const isPhi = (i: Instruction): boolean => i.opcode === Opcode.Phi;
const isCall = (i: Instruction): boolean => i.call !== null;

export function verifyBody(fn: IRFunction, module: IRModule, complain: ComplainAt): void {
  new BodyRules(fn, module, complain).run();
}

class BodyRules {
  private readonly order: BlockOrder;
  /** order in which things were first mentioned: LLVM sorts them by address */
  private readonly mention = new Map<Value, number>();

  constructor(
    private readonly fn: IRFunction,
    private readonly module: IRModule,
    private readonly complain: ComplainAt,
  ) {
    this.order = new BlockOrder(fn.blocks);
  }

  run(): void {
    const { fn } = this;
    if (fn.blocks.length === 0) return;
    const entry = fn.blocks[0] as BasicBlock;
    if (this.order.predecessors(entry).length > 0)
      this.complain('Entry block to function must not have predecessors!', fn.bodyStart, this.typed(entry));
    for (const block of fn.blocks) {
      this.checkPhisOf(block);
      const above = new Set<Value>();
      block.instructions.forEach((i, k) => {
        if (this.checkOwnRules(i, block.instructions[k - 1] ?? null)) this.checkInstruction(i, above);
        above.add(i);
      });
    }
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
    if (i.opcode === Opcode.Alloca && i.type.n !== PRIVATE_ADDRESS) return this.about(i, ALLOCA_RULE, this.text(i));
    if (i.call === null) return true;
    if (NOT_CALLABLE.has(callingConvName(i.call.callingConv)))
      return this.about(i, 'calling convention does not permit calls', this.text(i));
    if (i.call.fnAttrs?.has('speculatable') === true && !this.isSpeculatable(i))
      return this.about(i, 'speculatable attribute may not apply to call sites', this.text(i));
    return true;
  }

  /** Whether what is called says so of itself. */
  private isSpeculatable(i: Instruction): boolean {
    const callee = i.operands[i.operands.length - 1] as Value;
    return callee.kind === ValueKind.Function && (callee as IRFunction).fnAttrs?.has('speculatable') === true;
  }

  /** visitInstruction; `above`: what stands in front of it in its block. */
  private checkInstruction(i: Instruction, above: ReadonlySet<Value>): void {
    const isReached = this.order.isReached(i.parent);
    if (!isPhi(i) && isReached && i.operands.includes(i)) {
      this.about(i, 'Only PHI nodes may reference their own value!', this.text(i));
      return;
    }
    for (const [k, v] of i.operands.entries()) {
      if (!(v instanceof Instruction) || (!isPhi(i) && above.has(v))) continue;
      const at = isPhi(i) ? ((i.blocks ?? [])[k] as BasicBlock) : i.parent;
      if (!this.dominates(v, at, i))
        this.about(i, 'Instruction does not dominate all uses!', this.text(v), this.text(i));
    }
    this.checkRange(i);
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

  /** visitRangeMetadata */
  private checkRange(i: Instruction): void {
    const node = i.attachments?.find((a) => a.kind === 'range')?.node;
    if (!(node instanceof MDNode)) return;
    if (i.opcode !== Opcode.Load && !isCall(i)) {
      this.about(i, 'Ranges are only for loads, calls and invokes!', this.text(i));
      return;
    }
    const numbers = node.operands.map((o) => (o instanceof ValueAsMetadata ? o.value : null));
    if (numbers.length === 0 || numbers.length % 2 !== 0) return;
    for (let k = 0; k < numbers.length; k += 2) {
      const [low, high] = [numbers[k] ?? null, numbers[k + 1] ?? null];
      if (!isInteger(low) || !isInteger(high)) return;
      if (high.type !== low.type) {
        this.about(i, 'Range pair types must match!', this.text(i));
        return;
      }
      if (high.type !== i.type.scalar) {
        this.about(i, 'Range types must match instruction type!', this.text(i));
        return;
      }
      if (low === high) {
        this.about(i, 'The upper and lower limits cannot be the same value', this.text(i));
        return;
      }
    }
  }
}

const isInteger = (v: Value | null): v is Constant => v instanceof Constant && v.kind === ValueKind.ConstantInt;
