/**
 * The way back from rematerialization: a definition, with equal ones elsewhere, moved to one place that dominates them all.
 *
 * The place is the end of the nearest block around the loops of the definitions that dominates all of them and where the operands
 * have the same values. A VALU instruction writes only the lanes that exec has at its place, so it may go up only where exec is at
 * least that of the present place: where nothing changes exec in between, or where exec still is that of the function's entry, which no
 * later one exceeds.
 */
import type { DominatorTree } from '../../../../analysis/dominators.js';
import type { LiveIntervals } from '../../../../analysis/liveIntervals.js';
import type { LoopInfo } from '../../../../analysis/loops.js';
import { Slot, type SlotIndex } from '../../../../analysis/slotIndexes.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../../../model/machineFunction.js';
import { McFlag } from '../../../../target/api.js';
import type { RematCandidates } from './candidates.js';
import type { VRegId } from '../../../../model/register.js';

export interface Hoist {
  /** definitions that become one, one that stays first, the others in text order; all are equal but for their registers */
  readonly defs: readonly InstrId[];
  /** their registers, in the same order */
  readonly vregs: readonly number[];
  readonly block: BlockId;
  /** the new definition stands before this instruction; -1 = at the end of the block */
  readonly before: InstrId;
  /** an instruction of the block, next to which the new definition stands */
  readonly beside: InstrId;
}

/** Opcodes that leave exec within what it was at the entry, given masks that came from exec. */
const NARROWS =
  /^(?:S_AND_SAVEEXEC_B(?:32|64)|S_(?:AND|ANDN2|OR|XOR)_B(?:32|64)(?:_term)?|S_MOV_B(?:32|64)(?:_term)?|COPY|SI_(?:IF|ELSE|LOOP|END_CF|IF_BREAK))$/;

export class Hoisting {
  private readonly execDefs: readonly InstrId[];
  private readonly exec: number;
  /** no instruction makes exec wider than at the entry */
  private readonly staysWithinEntry: boolean;

  constructor(
    private readonly fn: MachineFunction,
    private readonly lis: LiveIntervals,
    private readonly dom: DominatorTree,
    private readonly loops: LoopInfo,
    private readonly candidates: RematCandidates,
  ) {
    this.exec = fn.tables.regByName('exec');
    const defs: InstrId[] = [];
    for (let i = 0; i < fn.nInstrs; i++) if (this.definesExec(i)) defs.push(i);
    this.execDefs = defs;
    this.staysWithinEntry = defs.every((i) => this.narrows(i));
  }

  /** How the definition of a register can go back; null when it cannot, or stands in one place with nothing to win. */
  of(vreg: VRegId): Hoist | null {
    const { candidates } = this;
    const def = candidates.defOf(vreg);
    if (def < 0 || !candidates.isRematerializable(vreg)) return null;
    const equal = this.equalTo(def);
    const merged = this.hoistOf([def, ...equal].sort((a, b) => candidates.position[a] - candidates.position[b]));
    if (merged && merged.defs.length > 1) return merged;
    // alone only out of the region of all its users, where rematerialization would have put it
    const region = candidates.regionOf[def];
    if (!candidates.usersOf(vreg).every((u) => candidates.regionOf[u] === region)) return null;
    return this.hoistOf([def]);
  }

  private hoistOf(defs: readonly InstrId[]): Hoist | null {
    const { fn, dom, loops } = this;
    const blocks = defs.map((d) => fn.instrBlock[d]);
    if (blocks.some((b) => !dom.isReachable(b))) return null;
    let block = blocks[0];
    for (const b of blocks) while (block >= 0 && !dom.dominates(block, b)) block = dom.idom[block];
    // the common block itself holds one of them: the first of it stays where it is
    const stays = defs.find((d) => fn.instrBlock[d] === block);
    if (stays !== undefined && defs.length > 1) {
      const inOrder = [stays, ...defs.filter((d) => d !== stays)];
      const place = { defs: inOrder, block, before: stays, beside: stays };
      return this.isLegal(inOrder, block, stays) ? this.withRegisters(place) : null;
    }
    if (stays !== undefined) block = dom.idom[block];
    const depth = Math.min(...blocks.map((b) => loops.depthOf(b)));
    while (block >= 0 && depth > 0 && loops.depthOf(block) >= depth) block = dom.idom[block];
    if (block < 0 || fn.blockBegin[block] === fn.blockEnd[block]) return null;
    const before = this.firstTerminator(block);
    const beside = before < 0 ? fn.order[fn.blockEnd[block] - 1] : before;
    if ((fn.bundle[beside] & BundleFlag.BundledPred) !== 0) return null;
    return this.isLegal(defs, block, before) ? this.withRegisters({ defs, block, before, beside }) : null;
  }

  private withRegisters(h: Omit<Hoist, 'vregs'>): Hoist {
    return { ...h, vregs: h.defs.map((d) => ~this.fn.opVal[this.fn.opBegin[d]]) };
  }

  private firstTerminator(b: BlockId): InstrId {
    const { fn } = this;
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++)
      if (((fn.tables.opcodeFlagsLo(fn.opcode[fn.order[p]]) >>> McFlag.Terminator) & 1) !== 0) return fn.order[p];
    return -1;
  }

  /** `before` -1 = the end of the block. */
  private isLegal(defs: readonly InstrId[], block: BlockId, before: InstrId): boolean {
    const { fn, lis } = this;
    const slot = before < 0 ? lis.indexes.lastSlotOf(block) : lis.indexes.instrIndex[before] + Slot.EarlyClobber;
    return defs.every(
      (d) =>
        d === before ||
        (this.operandsAt(d, slot) && (!this.readsExec(d) || this.isExecWideEnough(d, block, before, fn))),
    );
  }

  private operandsAt(def: InstrId, slot: SlotIndex): boolean {
    const { fn, lis } = this;
    const at = lis.indexes.instrIndex[def] + Slot.EarlyClobber;
    for (let o = fn.firstReg(def); o >= 0; o = fn.nextReg(def, o)) {
      if (fn.opVal[o] >= 0) continue;
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
      const v = ~fn.opVal[o];
      const range = lis.mainRange[v];
      if (range < 0) return false;
      const here = lis.segmentAt(range, at);
      const there = lis.segmentAt(range, slot);
      // the place dominates the definition: with one value at both no lane changed in between, and those that live here live there
      if (here < 0 || there < 0 || lis.segValue[here] !== lis.segValue[there]) return false;
    }
    return true;
  }

  private isExecWideEnough(def: InstrId, block: BlockId, before: InstrId, fn: MachineFunction): boolean {
    const { candidates } = this;
    const placePos = before < 0 ? fn.blockEnd[block] : candidates.position[before];
    if (this.staysWithinEntry && !this.execDefs.some((i) => this.canPrecede(i, block, placePos))) return true;
    const between = this.blocksBetween(block, fn.instrBlock[def]);
    return !this.execDefs.some((i) => {
      const b = fn.instrBlock[i];
      const p = candidates.position[i];
      if (between.has(b)) return true;
      if (b === block && b === fn.instrBlock[def]) return placePos <= p && p < candidates.position[def];
      return (b === block && placePos <= p) || (b === fn.instrBlock[def] && p < candidates.position[def]);
    });
  }

  /** Some path leads from the instruction to position `pos` of the block. */
  private canPrecede(i: InstrId, block: BlockId, pos: number): boolean {
    const { fn, candidates } = this;
    const b = fn.instrBlock[i];
    if (b === block && candidates.position[i] < pos) return true;
    const seen = new Set<number>();
    const work = [...fn.blocks[block].predecessors];
    for (let p = work.pop(); p !== undefined; p = work.pop()) {
      if (seen.has(p)) continue;
      if (p === b) return true;
      seen.add(p);
      work.push(...fn.blocks[p].predecessors);
    }
    return false;
  }

  /** Blocks on the way from the end of `from` to the start of `to`; `to` itself when a loop leads back to it. */
  private blocksBetween(from: BlockId, to: BlockId): Set<number> {
    const { fn } = this;
    const seen = new Set<number>();
    if (from === to) return seen;
    const work = [...fn.blocks[to].predecessors];
    for (let b = work.pop(); b !== undefined; b = work.pop()) {
      if (b === from || seen.has(b)) continue;
      seen.add(b);
      work.push(...fn.blocks[b].predecessors);
    }
    return seen;
  }

  /** Other rematerializable definitions that differ in the register only. */
  private equalTo(def: InstrId): InstrId[] {
    const { fn, candidates } = this;
    const result: InstrId[] = [];
    for (let v = 0; v < fn.vregs.n; v++) {
      if (!candidates.isRematerializable(v)) continue;
      const i = candidates.defOf(v);
      if (i !== def && this.areEqual(i, def)) result.push(i);
    }
    return result;
  }

  /** Of two rematerializable definitions, which begin with the register that they are for. */
  private areEqual(a: InstrId, b: InstrId): boolean {
    const { fn } = this;
    const n = fn.numOperands(a);
    if (fn.opcode[a] !== fn.opcode[b] || n !== fn.numOperands(b) || fn.instrFlags[a] !== fn.instrFlags[b]) return false;
    if (fn.memOperands[a] !== null || fn.memOperands[b] !== null) return false;
    const [p, q] = [fn.opBegin[a], fn.opBegin[b]];
    if (fn.vregs.regClass[~fn.opVal[p]] !== fn.vregs.regClass[~fn.opVal[q]] || fn.opSub[p] !== fn.opSub[q])
      return false;
    for (let k = 1; k < n; k++) if (!this.areEqualOperands(p + k, q + k)) return false;
    return true;
  }

  private areEqualOperands(p: OperandId, q: OperandId): boolean {
    const { opKind, opFlags, opVal, opExt, opSub, opTargetFlags } = this.fn;
    if ((opFlags[p] & OpFlag.Undef) !== (opFlags[q] & OpFlag.Undef)) return false;
    if (opKind[p] !== opKind[q] || opVal[p] !== opVal[q] || opExt[p] !== opExt[q]) return false;
    return opSub[p] === opSub[q] && opTargetFlags[p] === opTargetFlags[q];
  }

  private readsExec(i: InstrId): boolean {
    return this.mentionsExec(i, 0);
  }

  private definesExec(i: InstrId): boolean {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) if (fn.opKind[o] === OperandKind.RegisterMask) return true;
    return this.mentionsExec(i, OpFlag.Def);
  }

  private mentionsExec(i: InstrId, role: OpFlag.Def | 0): boolean {
    const { fn, exec } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] <= 0 || (fn.opFlags[o] & OpFlag.Def) !== role) continue;
      if (fn.tables.regsOverlap(fn.opVal[o], exec)) return true;
    }
    return false;
  }

  /** A change of exec that keeps within the lanes of the entry; an immediate does not. */
  private narrows(i: InstrId): boolean {
    const { fn } = this;
    if (!NARROWS.test(fn.tables.opcodeName(fn.opcode[i]))) return false;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) if (fn.opKind[o] === OperandKind.Immediate) return false;
    return true;
  }
}
