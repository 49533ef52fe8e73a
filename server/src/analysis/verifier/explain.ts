/** Where in a function to point for reports that name only a register. */
import { OperandKind, OpFlag } from '../../model/machineFunction.js';
import { virtReg, type VRegId } from '../../model/register.js';
import type { BlockId, InstrId, MachineFunction, OperandId } from '../../model/machineFunction.js';

export interface Place {
  readonly instr: InstrId;
  /** index within the instruction */
  readonly operand: number;
}

/** Searches for the exact use stop after this many registers: each may look at the whole function. */
const MAX_PATH_SEARCHES = 50;

/** Places of virtual registers, indexed at the first question. Operands of one function, so a table of operand ids suffices. */
export class Places {
  /** by register, -1 = none */
  private defs: Int32Array | null = null;
  private uses: Int32Array | null = null;
  /** instruction of an operand */
  private owner: Int32Array | null = null;
  /** last kill of each register, by block */
  private readonly kills = new Map<BlockId, ReadonlyMap<number, Place>>();
  private nSearches = 0;

  constructor(private readonly fn: MachineFunction) {}

  /** first definition in text order */
  firstDef(v: VRegId): Place | null {
    this.index();
    return this.place(this.defs![v]);
  }

  /** last kill of a virtual register in a block */
  kill(block: BlockId, v: VRegId): Place | null {
    let kills = this.kills.get(block);
    if (!kills) {
      const { fn } = this;
      const found = new Map<number, Place>();
      for (let p = fn.blockBegin[block]; p < fn.blockEnd[block]; p++) {
        const i = fn.order[p];
        for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
          if (fn.opVal[o] < 0 && (fn.opFlags[o] & OpFlag.Kill) !== 0)
            found.set(~fn.opVal[o], { instr: i, operand: o - fn.opBegin[i] });
      }
      kills = found;
      this.kills.set(block, kills);
    }
    return kills.get(v) ?? null;
  }

  /**
   * A read of a register that some path from the entry reaches without a definition; the nearest to the entry, or just the
   * first read in the text when many registers are asked for. Null if nothing reads it.
   */
  undominatedUse(v: VRegId): Place | null {
    if (this.nSearches++ < MAX_PATH_SEARCHES) return reachableUse(this.fn, v);
    this.index();
    return this.place(this.uses![v]);
  }

  private place(o: OperandId): Place | null {
    if (o < 0) return null;
    const instr = this.owner![o];
    return { instr, operand: o - this.fn.opBegin[instr] };
  }

  private index(): void {
    if (this.defs !== null) return;
    const { fn } = this;
    const defs = new Int32Array(fn.vregs.n).fill(-1);
    const uses = new Int32Array(fn.vregs.n).fill(-1);
    const owner = new Int32Array(fn.nOperands);
    for (let i = fn.nInstrs - 1; i >= 0; i--)
      for (let o = fn.opBegin[i + 1] - 1; o >= fn.opBegin[i]; o--) {
        owner[o] = i;
        if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] >= 0) continue;
        const v = ~fn.opVal[o];
        if ((fn.opFlags[o] & OpFlag.Def) !== 0) defs[v] = o;
        else if ((fn.opFlags[o] & (OpFlag.Undef | OpFlag.Debug)) === 0) uses[v] = o;
      }
    this.defs = defs;
    this.uses = uses;
    this.owner = owner;
  }
}

function reachableUse(fn: MachineFunction, v: VRegId): Place | null {
  const reg = virtReg(v);
  const seen = new Uint8Array(fn.blocks.length);
  const queue: BlockId[] = fn.blocks.length > 0 ? [0] : [];
  if (queue.length > 0) seen[0] = 1;
  let fallback: Place | null = null;
  for (let head = 0; head < queue.length; head++) {
    const b = queue[head];
    let isDefined = false;
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b] && !isDefined; p++) {
      const i = fn.order[p];
      const begin = fn.opBegin[i];
      for (let o = begin; o < fn.opBegin[i + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] !== reg) continue;
        const flags = fn.opFlags[o];
        // What a dead definition writes nobody reads, in its own block neither.
        if ((flags & OpFlag.Def) !== 0) isDefined = (flags & OpFlag.Dead) === 0;
        else if ((flags & (OpFlag.Undef | OpFlag.Debug)) === 0) {
          const use = { instr: i, operand: o - begin };
          // A PHI reads at the end of the block before, and the entry block has none before it.
          const isPhiInput = o + 1 < fn.opBegin[i + 1] && fn.opKind[o + 1] === OperandKind.MBB;
          if (!isPhiInput && b !== 0) return use;
          fallback ??= use;
        }
      }
    }
    if (isDefined) continue;
    for (const s of fn.blocks[b].successors) {
      if (seen[s] === 1) continue;
      seen[s] = 1;
      queue.push(s);
    }
  }
  return fallback;
}
