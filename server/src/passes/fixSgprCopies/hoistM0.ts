/**
 * Writes of one constant to M0: one that the other dominates goes, two without order become one in a common dominator, and each goes up in its block as
 * far as nothing hinders it (hoistAndMergeSGPRInits, LLVM 22; docs/llvm/sgpr-copies.md, section 6).
 */
import { DominatorTree } from '../../analysis/dominators.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OperandKind, OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { McFlag } from '../../target/index.js';
import { InstrRoles } from '../scheduler/regions.js';

/** Instructions that a write may go up past. */
const MAX_STEPS = 50;

class M0Hoister {
  private readonly fn: MachineFunction;
  private readonly m0: number;
  private readonly tree: DominatorTree;
  /** writes by constant, ascending as unsigned numbers; the first of the text first */
  private readonly inits = new Map<number, InstrId[]>();
  private readonly clobbers: InstrId[] = [];
  private changed = false;

  constructor(private readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.m0 = editor.fn.tables.regByName('m0');
    this.tree = new DominatorTree(editor.fn.blocks);
  }

  run(): void {
    this.collect();
    if (this.inits.size === 0) return;
    const merged = new Set<InstrId>();
    for (const [value, defs] of this.inits) this.merge(value, defs, merged);
    for (const [value, defs] of this.inits) {
      for (const i of defs) if (merged.has(i)) this.editor.erase(i);
      this.inits.set(
        value,
        defs.filter((i) => !merged.has(i)),
      );
    }
    const roles = new InstrRoles(this.fn);
    for (const defs of this.inits.values()) for (const i of defs) this.moveUp(i, roles);
    if (this.changed) for (const o of this.editor.operandsOf(this.m0)) this.fn.opFlags[o] &= ~OpFlag.Kill;
  }

  private collect(): void {
    const { editor, m0 } = this;
    const found = new Map<number, InstrId[]>();
    let last = -1;
    for (const o of editor.operandsOf(m0)) {
      if (!editor.isDef(o)) break;
      const i = editor.instrOf(o);
      if (i === last) continue;
      last = i;
      const value = this.constantOf(i);
      if (value === null) {
        this.clobbers.push(i);
        continue;
      }
      const list = found.get(value);
      if (list) list.unshift(i);
      else found.set(value, [i]);
    }
    for (const value of [...found.keys()].sort((a, b) => a - b)) this.inits.set(value, found.get(value)!);
  }

  /** The constant (32 bits, unsigned) of an instruction that does nothing but write it to M0; null for any other. */
  private constantOf(i: InstrId): number | null {
    const { fn, m0 } = this;
    let value: number | null = null;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] === OperandKind.Register) {
        if (fn.opVal[o] !== m0 || (fn.opFlags[o] & OpFlag.Def) === 0) return null;
      } else if (fn.opKind[o] !== OperandKind.Immediate || value !== null) return null;
      else value = fn.opVal[o] >>> 0;
    }
    return value;
  }

  /** Whether instruction or block end `a` comes before `b` on every way to it. */
  private dominates(a: number, b: number): boolean {
    const blockA = this.blockOf(a);
    const blockB = this.blockOf(b);
    if (blockA !== blockB) return this.tree.dominates(blockA, blockB);
    for (let i = a; i >= 0; i = this.editor.list.after(i)) if (i === b) return true;
    return a === b || b < 0;
  }

  private blockOf(p: number): BlockId {
    return p < 0 ? ~p : this.fn.instrBlock[p];
  }

  /** @llvm SIFixSGPRCopies.cpp isReachable */
  private isReachable(from: number, to: number, cutOff: BlockId): boolean {
    if (this.dominates(from, to)) return true;
    const target = this.blockOf(from);
    const start = this.blockOf(to);
    if (start === cutOff) return false;
    const seen = new Set<BlockId>();
    const worklist = [...this.fn.blocks[start].predecessors];
    for (let b = worklist.pop(); b !== undefined; b = worklist.pop()) {
      if (seen.has(b)) continue;
      seen.add(b);
      if (b === cutOff) continue;
      if (b === target) return true;
      worklist.push(...this.fn.blocks[b].predecessors);
    }
    return false;
  }

  /** Whether another write may come between `to` and `from`, which `to` dominates. */
  private interferes(value: number, from: number, to: number): boolean {
    const fromBlock = this.blockOf(from);
    const toBlock = this.blockOf(to);
    const hinders = (clobber: InstrId): boolean => {
      const mayFrom = this.isReachable(clobber, from, toBlock);
      const mayTo = this.isReachable(clobber, to, toBlock);
      if (!mayFrom && !mayTo) return false;
      if (mayFrom !== mayTo) return true;
      const clobberBlock = this.fn.instrBlock[clobber];
      return !(
        (fromBlock === toBlock && this.dominates(clobber, from) && this.dominates(clobber, to)) ||
        (clobberBlock !== toBlock && this.tree.dominates(clobberBlock, toBlock))
      );
    };
    if (this.clobbers.some(hinders)) return true;
    for (const [other, defs] of this.inits) if (other !== value && defs.some(hinders)) return true;
    return false;
  }

  /** LLVM steps over the write after one that it gave up in favour of a later one. */
  private merge(value: number, defs: readonly InstrId[], merged: Set<InstrId>): void {
    const { editor } = this;
    for (let x = 0; x < defs.length; x++) {
      const one = defs[x];
      for (let y = x + 1; y < defs.length; y++) {
        const two = defs[y];
        if (this.dominates(one, two)) {
          if (this.interferes(value, two, one)) continue;
          merged.add(two);
          this.changed = true;
        } else if (this.dominates(two, one)) {
          if (this.interferes(value, one, two)) continue;
          merged.add(one);
          this.changed = true;
          x++;
          break;
        } else {
          const block = this.commonDominator(this.fn.instrBlock[one], this.fn.instrBlock[two]);
          if (block < 0) continue;
          const at = this.firstNonPrologue(block);
          if (this.interferes(value, one, at) || this.interferes(value, two, at)) continue;
          editor.move(two, at, block);
          merged.add(one);
          this.changed = true;
          x++;
          break;
        }
      }
    }
  }

  private commonDominator(a: BlockId, b: BlockId): BlockId {
    if (!this.tree.isReachable(a) || !this.tree.isReachable(b)) return -1;
    return this.tree.nearestCommon(a, b);
  }

  private isPrologue(i: InstrId): boolean {
    const { fn } = this;
    const { tables } = fn;
    const name = tables.opcodeName(fn.opcode[i]);
    if (/^SI_(?:WWM_)?(?:SPILL|S\d+_SPILL)/.test(name)) return true;
    const isTerminator = (tables.opcodeFlagsLo(fn.opcode[i]) & (1 << McFlag.Terminator)) !== 0;
    return !isTerminator && name !== 'COPY' && this.touches(i, tables.regByName('exec'), true);
  }

  private touches(i: InstrId, reg: number, isDef: boolean): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] <= 0) continue;
      if (((fn.opFlags[o] & OpFlag.Def) !== 0) === isDef && fn.tables.regsOverlap(fn.opVal[o], reg)) return true;
    }
    return false;
  }

  /** @llvm SIFixSGPRCopies.cpp getFirstNonPrologue */
  private firstNonPrologue(b: BlockId): number {
    const { editor, fn } = this;
    const phi = fn.tables.opcodeByName('PHI');
    let i = editor.list.first(b);
    while (i >= 0 && (fn.opcode[i] === phi || this.isPrologue(i))) i = editor.list.after(i);
    return i;
  }

  /** Up to after the nearest instruction that reads or writes M0 or bounds a scheduling region. */
  private moveUp(i: InstrId, roles: InstrRoles): void {
    const { editor, fn, m0 } = this;
    const block = fn.instrBlock[i];
    const bound = this.firstNonPrologue(block);
    // The bound itself counts unless what is before it is no prologue: then it may be passed.
    const stop = bound >= 0 && this.isPrologue(bound) ? bound : bound < 0 ? bound : editor.list.before(bound);
    let r = editor.list.before(i);
    for (let n = 0; r !== stop && r >= 0 && n < MAX_STEPS; r = editor.list.before(r), n++)
      if (this.touches(r, m0, false) || this.touches(r, m0, true) || roles.isBoundary(r)) break;
    const at = editor.list.after(r);
    if (at !== i) editor.move(i, at, block);
  }
}

/** @llvm SIFixSGPRCopies.cpp hoistAndMergeSGPRInits */
export function hoistM0(editor: FunctionEditor): void {
  new M0Hoister(editor).run();
}
