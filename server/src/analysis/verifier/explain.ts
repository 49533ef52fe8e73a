/** Where in the text to point for reports that name only a register. */
import { OperandKind, OpFlag, virtReg } from '../../model/machineFunction.js';
import type { BlockId, InstrId, MachineFunction } from '../../model/machineFunction.js';

/**
 * The first read of virtual register `v` that a path from the entry reaches without a definition, in order of distance
 * from the entry; null if there is none. For `Virtual register defs don't dominate all uses.`
 */
export function reachableFromUse(fn: MachineFunction, v: number): { instr: InstrId; operand: number } | null {
  const reg = virtReg(v);
  const seen = new Uint8Array(fn.blocks.length);
  const queue: BlockId[] = fn.blocks.length > 0 ? [0] : [];
  if (queue.length > 0) seen[0] = 1;
  let fallback: { instr: InstrId; operand: number } | null = null;
  for (let head = 0; head < queue.length; head++) {
    const b = queue[head];
    let isDefined = false;
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b] && !isDefined; p++) {
      const i = fn.order[p];
      const begin = fn.opBegin[i];
      let defines = false;
      for (let o = begin; o < fn.opBegin[i + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] !== reg) continue;
        const flags = fn.opFlags[o];
        if ((flags & OpFlag.Def) !== 0) defines = true;
        else if ((flags & (OpFlag.Undef | OpFlag.Debug)) === 0) {
          const use = { instr: i, operand: o - begin };
          const isPhiInput = o + 1 < fn.opBegin[i + 1] && fn.opKind[o + 1] === OperandKind.MBB;
          if (!isPhiInput && b !== 0) return use;
          fallback ??= use;
        }
      }
      isDefined = defines;
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
