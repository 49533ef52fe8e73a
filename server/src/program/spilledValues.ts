/** Registers that llc keeps in memory for a part of their life: where they are defined, and what that costs where. */
import { DominatorTree } from '../analysis/dominators.js';
import { LoopInfo } from '../analysis/loops.js';
import { OpFlag, type BlockId, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import type { VRegId } from '../model/register.js';
import type { AllocatedFunction } from '../passes/regalloc/trace/collector.js';

export interface SpilledValue {
  readonly vreg: VRegId;
  /** its first definition, -1 = it lives into the function */
  readonly definition: InstrId;
  /** SGPRs go to lanes of a VGPR as long as there are some */
  readonly isScalar: boolean;
  /** of 32 bits */
  readonly registers: number;
  readonly saves: number;
  readonly reloads: number;
  readonly inLoops: number;
  /** how many loops stand around the innermost save or reload */
  readonly loopDepth: number;
  /** instruction of the function behind each reload, -1 = none in its block */
  readonly reloadsBefore: readonly InstrId[];
}

/** `fn`: the function whose registers were allocated. In the order of the registers. O(instructions + parts) */
export function spilledValues(fn: MachineFunction, { parts, inserted, nVRegs }: AllocatedFunction): SpilledValue[] {
  const found = new Map<VRegId, { saves: number; reloads: number; inLoops: number; depth: number; at: InstrId[] }>();
  for (const { vreg, reg } of parts)
    if (reg === 0 && 0 <= vreg && vreg < Math.min(nVRegs, fn.vregs.n) && !found.has(vreg))
      found.set(vreg, { saves: 0, reloads: 0, inLoops: 0, depth: 0, at: [] });
  if (found.size === 0) return [];
  const depthOf = loopDepths(fn);
  for (const { kind, vreg, block, before } of inserted) {
    const own = found.get(vreg);
    if (own === undefined || (kind !== 'save' && kind !== 'reload')) continue;
    if (kind === 'save') own.saves++;
    else {
      own.reloads++;
      own.at.push(before);
    }
    const depth = depthOf(block);
    if (depth > 0) own.inLoops++;
    own.depth = Math.max(own.depth, depth);
  }
  const definitions = firstDefinitions(fn);
  return [...found]
    .sort((a, b) => a[0] - b[0])
    .map(([vreg, { saves, reloads, inLoops, depth, at }]) => {
      const rc = fn.vregs.regClass[vreg]!;
      return {
        ...{ vreg, definition: definitions[vreg]!, saves, reloads, inLoops, loopDepth: depth, reloadsBefore: at },
        isScalar: rc >= 0 && fn.tables.isSGPRClass(rc),
        registers: rc < 0 ? 1 : Math.max(1, Math.ceil(fn.tables.regClassBits[rc]! / 32)),
      };
    });
}

/** Loops around each block; the allocator makes no blocks. */
export function loopDepths(fn: MachineFunction): (b: BlockId) => number {
  const { loops, loopOf } = new LoopInfo(fn.blocks, new DominatorTree(fn.blocks));
  return (b) => {
    const loop = loopOf[b] ?? -1;
    return loop < 0 ? 0 : loops[loop]!.depth;
  };
}

/** In layout order, by register; -1 = none. O(operands) */
function firstDefinitions(fn: MachineFunction): Int32Array {
  const found = new Int32Array(fn.vregs.n).fill(-1);
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        const v = ~fn.opVal[o]!;
        if (v >= 0 && found[v]! < 0 && (fn.opFlags[o]! & OpFlag.Def) !== 0) found[v] = i;
      }
    }
  return found;
}
