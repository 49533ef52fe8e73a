/**
 * Checks at the end of a function: PHIs against the CFG, values that flow between blocks, live-ins against predecessors,
 * debug instruction numbers (docs/llvm/verifier.md, 4.8, 5, 6.3 to 6.6).
 *
 * Follows MachineVerifier::checkPHIOps, calcRegsPassed, calcRegsRequired and visitMachineFunctionAfter (LLVM 22) in their
 * answers, not in their method: LLVM keeps a set of registers per block, here each register that crosses a block is walked
 * on its own, from where it is needed back to where it comes from. The cost is its live range in blocks.
 */
import { OperandKind, OpFlag } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtReg, virtRegIndex, type VRegId } from '../../model/register.js';
import type { BlockId, InstrId } from '../../model/machineFunction.js';
import { DenseMapOrder } from '../../util/denseMapOrder.js';
import { reachableBlocks } from './controlFlow.js';
import type { InstructionWalk } from './instructions.js';
import type { IntervalChecks } from './liveIntervals.js';
import { blockText } from './reports.js';
import type { VerifierContext } from './verifierContext.js';

/** Sets of registers by block, grouped by register: the blocks of v are blocks[begin[v]] .. blocks[begin[v + 1] - 1]. */
interface ByRegister {
  readonly begin: Int32Array;
  readonly blocks: Int32Array;
}

/** A PHI in `block` reads v, which comes from `from`. */
interface PhiRead {
  readonly block: BlockId;
  readonly from: BlockId;
  readonly v: VRegId;
}

/** `sets`: the registers of each block. */
function groupByRegister(sets: readonly ArrayLike<number>[], nVRegs: number): ByRegister {
  // One place further than in the end: filling in moves each begin to that of the next register.
  const begin = new Int32Array(nVRegs + 2);
  let n = 0;
  for (const regs of sets) {
    for (let k = 0; k < regs.length; k++) begin[regs[k] + 2]++;
    n += regs.length;
  }
  for (let v = 0; v < nVRegs; v++) begin[v + 2] += begin[v + 1];
  const blocks = new Int32Array(n);
  for (let b = 0; b < sets.length; b++) {
    const regs = sets[b];
    for (let k = 0; k < regs.length; k++) blocks[begin[regs[k] + 1]++] = b;
  }
  return { begin, blocks };
}

const UNEXPECTED_ON_PHI = OpFlag.Implicit | OpFlag.Internal | OpFlag.EarlyClobber | OpFlag.Debug;

export class CrossBlockChecks {
  private readonly liveOut: ByRegister;
  private readonly killed: ByRegister;
  private readonly reachable: Uint8Array;
  /** position of a block in reverse post order, -1 = not reachable */
  private readonly rpo: Int32Array;
  private readonly hasPhis: boolean;

  // marks of one query, valid where they equal its number
  private query = 0;
  private readonly inLiveOut: Int32Array;
  private readonly inKilled: Int32Array;
  private readonly visited: Int32Array;
  /** holds a block at most once */
  private readonly stack: Int32Array;

  constructor(
    private readonly ctx: VerifierContext,
    private readonly walk: InstructionWalk,
    private readonly intervals: IntervalChecks | null = null,
  ) {
    const n = ctx.nBlocks;
    const nv = ctx.fn.vregs.n;
    this.liveOut = groupByRegister(walk.liveOut.ofBlock, nv);
    this.killed = groupByRegister(walk.killedHere.ofBlock, nv);
    this.reachable = reachableBlocks(ctx);
    this.hasPhis = !ctx.fn.header.noPhis;
    this.rpo = this.hasPhis ? this.reversePostOrder() : new Int32Array(0);
    this.inLiveOut = new Int32Array(n);
    this.inKilled = new Int32Array(n);
    this.visited = new Int32Array(n);
    this.stack = new Int32Array(n);
  }

  /** @llvm MachineVerifier.cpp MachineVerifier::visitMachineFunctionAfter */
  run(): void {
    if (this.hasPhis) this.checkPhis();
    this.checkRequired();
    this.intervals?.run();
    if (this.ctx.fn.header.tracksRegLiveness) this.checkLiveIns();
    if (this.ctx.options.hasSubprogram) this.checkDebugNumbers();
  }

  private reversePostOrder(): Int32Array {
    const { fn, nBlocks } = this.ctx;
    const rpo = new Int32Array(nBlocks).fill(-1);
    if (nBlocks === 0) return rpo;
    const seen = new Uint8Array(nBlocks);
    const next = new Int32Array(nBlocks);
    const path: BlockId[] = [0];
    const post: BlockId[] = [];
    seen[0] = 1;
    while (path.length > 0) {
      const b = path[path.length - 1];
      const succs = fn.blocks[b].successors;
      if (next[b] < succs.length) {
        const s = succs[next[b]++];
        if (seen[s] === 0) {
          seen[s] = 1;
          path.push(s);
        }
        continue;
      }
      post.push(b);
      path.pop();
    }
    for (let k = 0; k < post.length; k++) rpo[post[k]] = post.length - 1 - k;
    return rpo;
  }

  /** Starts a query about register v: marks the blocks where it is live-out or killed. */
  private markRegister(v: VRegId): number {
    const q = ++this.query;
    for (let k = this.liveOut.begin[v]; k < this.liveOut.begin[v + 1]; k++) this.inLiveOut[this.liveOut.blocks[k]] = q;
    for (let k = this.killed.begin[v]; k < this.killed.begin[v + 1]; k++) this.inKilled[this.killed.blocks[k]] = q;
    return q;
  }

  // -- 6.3 -----------------------------------------------------------------------------------------------------------

  /**
   * Is v live at the end of block b, defined there or passed through? Passing follows LLVM's single pass in reverse post
   * order: around a back edge only what the predecessor itself has at its end counts.
   * @llvm MachineVerifier.cpp MachineVerifier::calcRegsPassed
   */
  private isLiveOut(b: BlockId, v: VRegId): boolean {
    const { predBegin, predList } = this.ctx;
    const q = this.markRegister(v);
    if (this.inLiveOut[b] === q) return true;
    if (this.inKilled[b] === q) return false;
    const { stack, visited } = this;
    let top = 0;
    stack[top++] = b;
    visited[b] = q;
    while (top > 0) {
      const x = stack[--top];
      for (let p = predBegin[x]; p < predBegin[x + 1]; p++) {
        const pred = predList[p];
        if (this.rpo[pred] < 0) continue;
        if (this.inLiveOut[pred] === q) return true;
        if (this.rpo[pred] >= this.rpo[x] || visited[pred] === q || this.inKilled[pred] === q) continue;
        visited[pred] = q;
        stack[top++] = pred;
      }
    }
    return false;
  }

  // -- 5 -------------------------------------------------------------------------------------------------------------

  /** @llvm MachineVerifier.cpp MachineVerifier::checkPHIOps */
  private checkPhis(): void {
    const { fn, plans, nBlocks } = this.ctx;
    const named = new Int32Array(nBlocks).fill(-1);
    for (let b = 0; b < nBlocks; b++)
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        if (!plans.get(fn.opcode[i]).isPhi) break;
        this.checkPhi(b, i, named);
      }
  }

  private hasUnexpectedFlag(o: number): boolean {
    const { fn } = this.ctx;
    return fn.opTied[o] >= 0 || (fn.opFlags[o] & UNEXPECTED_ON_PHI) !== 0;
  }

  /**
   * `named[pred] === i` marks the predecessors that a valid pair of instruction i names
   * @llvm MachineVerifier.cpp MachineVerifier::checkPHIOps
   */
  private checkPhi(b: BlockId, i: InstrId, named: Int32Array): void {
    const { fn, out, predBegin, predList } = this.ctx;
    const base = fn.opBegin[i];
    const n = fn.numOperands(i);
    if (n === 0 || fn.opKind[base] !== OperandKind.Register || (fn.opFlags[base] & OpFlag.Def) === 0) {
      out.onOperand(i, 0, 'Expected first PHI operand to be a register def');
      return;
    }
    if (this.hasUnexpectedFlag(base)) out.onOperand(i, 0, 'Unexpected flag on PHI operand');
    if (!isVirtualReg(fn.opVal[base])) out.onOperand(i, 0, 'Expected first PHI operand to be a virtual register');
    for (let j = 1; j + 1 < n; j += 2) {
      const value = base + j;
      if (fn.opKind[value] !== OperandKind.Register) {
        out.onOperand(i, j, 'Expected PHI operand to be a register');
        continue;
      }
      if (this.hasUnexpectedFlag(value)) out.onOperand(i, j, 'Unexpected flag on PHI operand');
      if (fn.opKind[value + 1] !== OperandKind.MBB) {
        out.onOperand(i, j + 1, 'Expected PHI operand to be a basic block');
        continue;
      }
      const pred = fn.opVal[value + 1];
      if (!this.ctx.hasSuccessor(pred, b)) {
        out.onOperand(i, j + 1, 'PHI input is not a predecessor block');
        continue;
      }
      named[pred] = i;
      if (this.reachable[pred] === 0 || (fn.opFlags[value] & OpFlag.Undef) !== 0) continue;
      const reg = fn.opVal[value];
      const isLiveOut = isVirtualReg(reg)
        ? this.isLiveOut(pred, virtRegIndex(reg))
        : isPhysicalReg(reg) && this.walk.isPhiRegLiveOut(pred, reg);
      if (!isLiveOut) out.onOperand(i, j, 'PHI operand is not live-out from predecessor');
    }
    if (this.reachable[b] === 0) return;
    for (let p = predBegin[b]; p < predBegin[b + 1]; p++) {
      if (named[predList[p]] === i) continue;
      out.onInstr(
        i,
        'Missing PHI operand',
        [`${blockText(predList[p])} is a predecessor according to the CFG.`],
        predList[p],
      );
    }
  }

  // -- 6.4, 6.5 ------------------------------------------------------------------------------------------------------

  private checkRequired(): void {
    const { fn, out } = this.ctx;
    const nv = fn.vregs.n;
    const needed = groupByRegister(this.walk.needIn.ofBlock, nv);
    const reads = this.hasPhis ? this.phiReads() : [];
    const read = this.hasPhis ? groupByRegister(this.byOrigin(reads), nv) : null;
    const killedNeeded: { block: BlockId; v: VRegId }[] = [];
    const undominated: number[] = [];
    for (let v = 0; v < nv; v++) {
      const isRead = read !== null && read.begin[v] < read.begin[v + 1];
      if (needed.begin[v] === needed.begin[v + 1] && !isRead) continue;
      const q = this.requiredBlocks(v, needed, read);
      for (let k = this.killed.begin[v]; k < this.killed.begin[v + 1]; k++)
        if (this.visited[this.killed.blocks[k]] === q) killedNeeded.push({ block: this.killed.blocks[k], v });
      if (this.visited[0] === q) undominated.push(v);
    }
    if (killedNeeded.length + undominated.length > 1) {
      const order = this.requiredOrder(new Set([0, ...killedNeeded.map(({ block }) => block)]), reads);
      const place = (block: BlockId, v: VRegId): number => order.get(block)?.get(v) ?? 0;
      killedNeeded.sort((a, b) => a.block - b.block || place(a.block, a.v) - place(b.block, b.v));
      undominated.sort((a, b) => place(0, a) - place(0, b));
    }
    for (const { block, v } of killedNeeded)
      out.onBlock(
        block,
        'Virtual register killed in block, but needed live out.',
        [`Virtual register %${v} is used after the block.`],
        virtReg(v),
      );
    for (const v of undominated)
      out.onFunction("Virtual register defs don't dominate all uses.", [`- v. register: %${v}`], virtReg(v));
  }

  /**
   * Places of the registers in vregsRequired of some blocks as LLVM walks it, which is the order of its messages: a hash table, filled in the order in which the blocks
   * push registers to their predecessors (exact up to eight blocks that wait at a time; the order of more is that of their addresses).
   */
  private requiredOrder(blocks: ReadonlySet<BlockId>, reads: readonly PhiRead[]): Map<BlockId, Map<number, number>> {
    const { nBlocks, predBegin, predList } = this.ctx;
    const liveOut = Array.from({ length: nBlocks }, () => new Set<number>());
    for (let v = 0; v < this.ctx.fn.vregs.n; v++)
      for (let k = this.liveOut.begin[v]; k < this.liveOut.begin[v + 1]; k++) liveOut[this.liveOut.blocks[k]]?.add(v);
    const required = Array.from({ length: nBlocks }, () => new DenseMapOrder());
    const waiting: BlockId[] = [];
    const isWaiting = new Uint8Array(nBlocks);
    const require = (block: BlockId, list: readonly number[]): void => {
      let isChanged = false;
      for (const v of list)
        if (liveOut[block]?.has(v) !== true && required[block]?.insert(v) === true) isChanged = true;
      if (!isChanged || isWaiting[block] === 1) return;
      isWaiting[block] = 1;
      waiting.push(block);
    };
    let nextRead = 0;
    for (let b = 0; b < nBlocks; b++) {
      const liveIn = new DenseMapOrder();
      for (const v of this.walk.needIn.ofBlock[b]) liveIn.insert(v);
      for (let p = predBegin[b]; p < predBegin[b + 1]; p++) require(predList[p], liveIn.keys());
      for (; reads[nextRead]?.block === b; nextRead++) require(reads[nextRead].from, [reads[nextRead].v]);
    }
    while (waiting.length > 0) {
      const block = waiting[0];
      const last = waiting.pop() as BlockId;
      if (waiting.length > 0) waiting[0] = last;
      isWaiting[block] = 0;
      const list = required[block]?.keys() ?? [];
      for (let p = predBegin[block]; p < predBegin[block + 1]; p++) require(predList[p], list);
    }
    return new Map([...blocks].map((b) => [b, new Map((required[b]?.keys() ?? []).map((v, i) => [v, i]))]));
  }

  /** The registers that PHIs read, at the block that the value comes from. */
  private byOrigin(reads: readonly PhiRead[]): number[][] {
    const lists = Array.from({ length: this.ctx.nBlocks }, (): number[] => []);
    for (const { from, v } of reads) lists[from].push(v);
    return lists;
  }

  /**
   * `visited[b] === result`: v must come into block b from outside or pass through it
   * @llvm MachineVerifier.cpp MachineVerifier::calcRegsRequired
   */
  private requiredBlocks(v: VRegId, needed: ByRegister, read: ByRegister | null): number {
    const { predBegin, predList } = this.ctx;
    const { visited, inLiveOut, stack } = this;
    const q = this.markRegister(v);
    let top = 0;
    for (let k = read?.begin[v] ?? 0, end = read?.begin[v + 1] ?? 0; k < end; k++) {
      const b = read!.blocks[k];
      if (visited[b] === q || inLiveOut[b] === q) continue;
      visited[b] = q;
      stack[top++] = b;
    }
    let k = needed.begin[v];
    const end = needed.begin[v + 1];
    for (;;) {
      let b: BlockId;
      if (top > 0) b = stack[--top];
      else if (k < end) b = needed.blocks[k++];
      else return q;
      for (let p = predBegin[b]; p < predBegin[b + 1]; p++) {
        const pred = predList[p];
        if (visited[pred] === q || inLiveOut[pred] === q) continue;
        visited[pred] = q;
        stack[top++] = pred;
      }
    }
  }

  /** what PHIs read, block by block */
  private phiReads(): PhiRead[] {
    const { fn, plans, nBlocks } = this.ctx;
    const reads: PhiRead[] = [];
    for (let b = 0; b < nBlocks; b++)
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        if (!plans.get(fn.opcode[i]).isPhi) break;
        const end = fn.opBegin[i + 1];
        for (let o = fn.opBegin[i] + 1; o + 1 < end; o += 2) {
          if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o])) continue;
          if ((fn.opFlags[o] & (OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
          if ((fn.opFlags[o] & OpFlag.Def) !== 0 && fn.opSub[o] === 0) continue;
          if (fn.opKind[o + 1] !== OperandKind.MBB) continue;
          reads.push({ block: b, from: fn.opVal[o + 1], v: virtRegIndex(fn.opVal[o]) });
        }
      }
    return reads;
  }

  // -- 6.6 -----------------------------------------------------------------------------------------------------------

  private checkLiveIns(): void {
    const { fn, tables, out, predBegin, predList } = this.ctx;
    const { lonely, lonelyLiveOut } = this.walk;
    for (let b = 0; b < this.ctx.nBlocks; b++)
      for (const { reg } of fn.blocks[b].liveIns) {
        const at = lonely.indexOf(reg);
        if (at < 0) continue;
        for (let p = predBegin[b]; p < predBegin[b + 1]; p++) {
          const pred = predList[p];
          if (lonelyLiveOut[pred * lonely.length + at] === 1) continue;
          out.onBlock(
            b,
            'Live in register not found to be live out from predecessor.',
            [`${tables.regEnumName(reg)} not found to be live out from ${blockText(pred)}`],
            reg,
            pred,
          );
        }
      }
  }

  // -- 4.8 -----------------------------------------------------------------------------------------------------------

  /** @llvm MachineVerifier.cpp MachineVerifier::visitMachineFunctionAfter */
  private checkDebugNumbers(): void {
    const { fn, out } = this.ctx;
    if (fn.extras.size === 0) return;
    const seen = new Set<number>();
    const end = fn.blocks.length > 0 ? fn.blockEnd[fn.blocks.length - 1] : 0;
    for (let p = 0; p < end; p++) {
      const i = fn.order[p];
      const number = fn.extras.get(i)?.debugInstrNumber;
      if (!number) continue;
      if (seen.has(number)) out.onInstr(i, 'Instruction has a duplicated value tracking number');
      seen.add(number);
    }
  }
}
