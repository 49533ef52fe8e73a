/**
 * What value tracking asks of a whole function: uses, dominance, what is sure to run, and what `llvm.assume` says of which value
 * (llvm/IR/Dominators.cpp, llvm/Analysis/AssumptionCache.cpp, isValidAssumeForContext of llvm/Analysis/ValueTracking.cpp, LLVM 22).
 */
import { memoryFromText } from '../attributeValues.js';
import {
  Argument,
  GlobalValue,
  Instruction,
  InstFlag,
  IRFunction,
  Opcode,
  ValueKind,
  type BasicBlock,
  type OperandBundle,
  type Value,
} from '../module.js';
import {
  callHas,
  comparisonOf,
  intConstant,
  intrinsicOf,
  isBinary,
  logicalOperands,
  notOperand,
  opcodeOf,
  operandsOf,
} from './patterns.js';

interface Use {
  readonly user: Instruction;
  /** of the operand; after the operands for one of a bundle */
  readonly index: number;
}

/** An assumption that says something of a value. */
interface Assumption {
  readonly assume: Instruction;
  /** null: its condition */
  readonly bundle: OperandBundle | null;
}

/** Instructions looked at between an assumption and a point before it. */
const MAX_SCAN = 15;

export function successorsOf(b: BasicBlock): readonly BasicBlock[] {
  const last = b.instructions[b.instructions.length - 1];
  return last === undefined || last.opcode < Opcode.Ret ? [] : (last.blocks ?? []);
}

export function terminatorOf(b: BasicBlock): Instruction | null {
  return b.instructions[b.instructions.length - 1] ?? null;
}

/** One object per function, dropped when the IR changes; tables are made when first asked for. */
export class FunctionFacts {
  private uses: Map<Value, Use[]> | null = null;
  private tree: DominatorTree | null = null;
  private places: Map<Instruction, number> | null = null;
  private assumptions: Map<Value, Assumption[]> | null = null;

  constructor(readonly fn: IRFunction) {}

  /** Uses of an argument or instruction in text order. */
  usesOf(v: Value): readonly Use[] {
    if (this.uses === null) {
      this.uses = new Map();
      for (const b of this.fn.blocks) {
        for (const user of b.instructions) {
          for (let index = 0; index < user.operands.length; index++) this.addUse(user.operands[index], user, index);
          if (user.call !== null) {
            for (const bundle of user.call.bundles)
              for (const o of bundle.operands) this.addUse(o, user, user.operands.length);
          }
        }
      }
    }
    return this.uses.get(v) ?? [];
  }

  private addUse(v: Value, user: Instruction, index: number): void {
    if (v.kind !== ValueKind.Instruction && v.kind !== ValueKind.Argument) return;
    const list = this.uses!.get(v);
    if (list === undefined) this.uses!.set(v, [{ user, index }]);
    else list.push({ user, index });
  }

  // -- order and dominance --------------------------------------------------------------------------------------------

  private placeOf(i: Instruction): number {
    if (this.places === null) {
      this.places = new Map();
      for (const b of this.fn.blocks)
        for (let k = 0; k < b.instructions.length; k++) this.places.set(b.instructions[k], k);
    }
    return this.places.get(i)!;
  }

  /** Of two instructions of one block. */
  comesBefore(a: Instruction, b: Instruction): boolean {
    return this.placeOf(a) < this.placeOf(b);
  }

  get dominators(): DominatorTree {
    return (this.tree ??= new DominatorTree(this.fn.blocks));
  }

  dominates(a: Instruction, b: Instruction): boolean {
    const tree = this.dominators;
    if (!tree.isReachable(b.parent)) return true;
    if (!tree.isReachable(a.parent) || a === b) return false;
    return a.parent === b.parent ? this.comesBefore(a, b) : tree.dominates(a.parent, b.parent);
  }

  // -- assumptions ----------------------------------------------------------------------------------------------------

  /** All assumptions that say something of a value, in text order. */
  assumptionsFor(v: Value): readonly Assumption[] {
    if (this.assumptions === null) {
      this.assumptions = new Map();
      for (const b of this.fn.blocks) {
        for (const i of b.instructions)
          if (i.opcode === Opcode.Call && intrinsicOf(i) === 'assume') this.addAssumption(i);
      }
    }
    return this.assumptions.get(v) ?? [];
  }

  get hasAssumptions(): boolean {
    this.assumptionsFor(this.fn);
    return this.assumptions!.size > 0;
  }

  private addAssumption(assume: Instruction): void {
    const add = (v: Value, bundle: OperandBundle | null): void => {
      if (!(v instanceof Argument || v instanceof Instruction || v instanceof GlobalValue)) return;
      const list = this.assumptions!.get(v);
      if (list === undefined) this.assumptions!.set(v, [{ assume, bundle }]);
      else if (!list.some((known) => known.assume === assume && known.bundle === bundle)) list.push({ assume, bundle });
    };
    for (const bundle of assume.call!.bundles)
      if (bundle.operands.length > 0 && bundle.tag !== 'ignore' && bundle.tag !== 'separate_storage')
        add(bundle.operands[0], bundle);
    for (const v of affectedBy(assume.operands[0])) add(v, null);
  }

  /** Whether an assumption, or what else is undefined behaviour if it does not hold, may be used at `at`. */
  holdsAt(assume: Instruction, at: Instruction, allowEphemeral = false): boolean {
    if (assume.parent !== at.parent) return this.dominates(assume, at);
    if (this.comesBefore(assume, at)) return true;
    if (!allowEphemeral && assume === at) return false;
    const { instructions } = assume.parent;
    let left = MAX_SCAN;
    for (let k = this.placeOf(at); k < this.placeOf(assume); k++)
      if (--left === 0 || !transfersExecution(instructions[k])) return false;
    return allowEphemeral || !this.isEphemeral(assume, at);
  }

  /** Whether `v` exists only for the assumption's sake. */
  private isEphemeral(assume: Instruction, v: Instruction): boolean {
    if (assume.operands.includes(v)) return true;
    const ephemeral = new Set<Instruction>();
    const visited = new Set<Instruction>();
    const work = [assume];
    for (let i = work.pop(); i !== undefined; i = work.pop()) {
      if (visited.has(i)) continue;
      visited.add(i);
      if (!this.usesOf(i).every((u) => ephemeral.has(u.user))) continue;
      if (i === v) return true;
      if (i !== assume && (hasSideEffects(i) || i.opcode >= Opcode.Ret)) continue;
      ephemeral.add(i);
      for (const o of i.operands) if (o instanceof Instruction) work.push(o);
    }
    return false;
  }
}

/** Values of which a condition says something. */
function affectedBy(condition: Value): ReadonlySet<Value> {
  const res = new Set<Value>();
  const add = (v: Value): void => {
    res.add(v);
    const op = opcodeOf(v);
    if (op === Opcode.PtrToInt || op === Opcode.PtrToAddr || op === Opcode.Trunc) res.add(operandsOf(v)[0]);
  };
  add(condition);
  const negated = notOperand(condition);
  if (negated !== null) add(negated);
  if (logicalOperands(condition) !== null) return res;
  const cmp = comparisonOf(condition);
  if (cmp === null) return res;
  add(cmp.a);
  add(cmp.b);
  if (intConstant(cmp.b) === null) return res;
  const op = opcodeOf(cmp.a);
  const inner = operandsOf(cmp.a);
  const isConstantBy = inner.length === 2 && intConstant(inner[1]) !== null;
  if (cmp.predicate === 'eq' || cmp.predicate === 'ne') {
    if (op === Opcode.Shl || op === Opcode.LShr || op === Opcode.AShr) {
      if (isConstantBy) add(inner[0]);
    } else if (op === Opcode.And || op === Opcode.Or || op === Opcode.Sub) inner.slice(0, 2).forEach(add);
  } else {
    if (isBinary(cmp.a, Opcode.Add) || (op === Opcode.Or && hasFlag(cmp.a, InstFlag.Disjoint)))
      if (isConstantBy) add(inner[0]);
    if (cmp.predicate.startsWith('u')) {
      if (op === Opcode.And || op === Opcode.Or || (op === Opcode.Add && hasFlag(cmp.a, InstFlag.NUW)))
        inner.slice(0, 2).forEach(add);
      if (op === Opcode.Sub && hasFlag(cmp.a, InstFlag.NUW)) add(inner[0]);
    }
  }
  if (intrinsicOf(cmp.a) === 'ctpop') add(inner[0]);
  return res;
}

const hasFlag = (v: Value, flag: InstFlag): boolean => ((v as Instruction).flags & flag) !== 0;

// -- what runs --------------------------------------------------------------------------------------------------------

/** Whether the next instruction, or a successor, runs when this one does. */
export function transfersExecution(i: Instruction): boolean {
  switch (i.opcode) {
    case Opcode.Ret:
    case Opcode.Unreachable:
    case Opcode.Resume:
    case Opcode.CatchSwitch:
    case Opcode.CleanupRet:
    case Opcode.CatchPad:
      return false;
    case Opcode.Store:
      return (i.flags & InstFlag.Volatile) === 0;
    case Opcode.Call:
    case Opcode.Invoke:
    case Opcode.CallBr:
      return callHas(i, 'nounwind') && callHas(i, 'willreturn');
    default:
      return true;
  }
}

function hasSideEffects(i: Instruction): boolean {
  switch (i.opcode) {
    case Opcode.Store:
    case Opcode.Fence:
    case Opcode.CmpXchg:
    case Opcode.AtomicRMW:
    case Opcode.VAArg:
      return true;
    case Opcode.Load:
      return (
        (i.flags & InstFlag.Volatile) !== 0 ||
        (i.atomic !== null && i.atomic.ordering !== 'unordered' && i.atomic.ordering !== '')
      );
    case Opcode.Call:
    case Opcode.Invoke:
    case Opcode.CallBr:
      return mayWrite(i) || !callHas(i, 'nounwind') || !callHas(i, 'willreturn');
    default:
      return false;
  }
}

function mayWrite(call: Instruction): boolean {
  const callee = call.operands[call.operands.length - 1];
  for (const set of [call.call!.fnAttrs, callee instanceof IRFunction ? callee.fnAttrs : null]) {
    const text = set?.get('memory')?.text;
    // Every second bit says that a location may be written.
    if (text !== undefined && (memoryFromText(text) & 0xaaaa) === 0) return false;
  }
  return true;
}

// -- dominators -------------------------------------------------------------------------------------------------------

/** Dominators of the blocks that can be reached, by iteration in reverse post-order. */
class DominatorTree {
  private readonly order = new Map<BasicBlock, number>();
  private readonly blocks: BasicBlock[] = [];
  private readonly parents: number[] = [];
  private readonly depths: number[] = [];
  private readonly predecessors = new Map<BasicBlock, BasicBlock[]>();

  constructor(blocks: readonly BasicBlock[]) {
    for (const b of blocks) {
      for (const s of successorsOf(b)) {
        const list = this.predecessors.get(s);
        if (list === undefined) this.predecessors.set(s, [b]);
        else list.push(b);
      }
    }
    if (blocks.length === 0) return;
    const post = postOrder(blocks[0]);
    for (let k = post.length - 1; k >= 0; k--) {
      this.order.set(post[k], this.blocks.length);
      this.blocks.push(post[k]);
    }
    this.parents = this.blocks.map((_, k) => (k === 0 ? 0 : -1));
    for (let changed = true; changed;) {
      changed = false;
      for (let k = 1; k < this.blocks.length; k++) {
        let parent = -1;
        for (const p of this.predecessorsOf(this.blocks[k])) {
          const n = this.order.get(p);
          if (n === undefined || this.parents[n] < 0) continue;
          parent = parent < 0 ? n : this.meet(n, parent);
        }
        if (parent !== this.parents[k]) {
          this.parents[k] = parent;
          changed = true;
        }
      }
    }
    this.depths = [0];
    for (let k = 1; k < this.blocks.length; k++) this.depths.push(this.depths[this.parents[k]] + 1);
  }

  private meet(a: number, b: number): number {
    while (a !== b) {
      while (a > b) a = this.parents[a];
      while (b > a) b = this.parents[b];
    }
    return a;
  }

  /** One entry per edge. */
  predecessorsOf(b: BasicBlock): readonly BasicBlock[] {
    return this.predecessors.get(b) ?? [];
  }

  /** The block that all ways into this one come from by one edge; null if there are several edges. */
  singlePredecessor(b: BasicBlock): BasicBlock | null {
    const list = this.predecessorsOf(b);
    return list.length === 1 ? list[0] : null;
  }

  isReachable(b: BasicBlock): boolean {
    return this.order.has(b);
  }

  /** Of a reachable block other than the entry. */
  parentOf(b: BasicBlock): BasicBlock | null {
    const k = this.order.get(b);
    return k === undefined || k === 0 ? null : this.blocks[this.parents[k]];
  }

  dominates(a: BasicBlock, b: BasicBlock): boolean {
    if (a === b) return true;
    let k = this.order.get(b);
    if (k === undefined) return true;
    const n = this.order.get(a);
    if (n === undefined) return false;
    while (this.depths[k] > this.depths[n]) k = this.parents[k];
    return k === n;
  }

  /** Whether every way to `b` goes over the edge. */
  edgeDominates(from: BasicBlock, to: BasicBlock, b: BasicBlock): boolean {
    if (!this.dominates(to, b)) return false;
    let isFound = false;
    for (const p of this.predecessorsOf(to)) {
      if (p === from) {
        if (isFound) return false;
        isFound = true;
      } else if (!this.dominates(to, p)) return false;
    }
    return true;
  }
}

function postOrder(entry: BasicBlock): BasicBlock[] {
  const seen = new Set([entry]);
  const res: BasicBlock[] = [];
  const stack: { block: BasicBlock; next: number }[] = [{ block: entry, next: 0 }];
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    const successors = successorsOf(top.block);
    if (top.next < successors.length) {
      const s = successors[top.next++];
      if (!seen.has(s)) {
        seen.add(s);
        stack.push({ block: s, next: 0 });
      }
      continue;
    }
    res.push(top.block);
    stack.pop();
  }
  return res;
}
