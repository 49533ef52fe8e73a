/** Where the bits of a lane mask come from: the instructions that compare values of lanes, after copies, PHIs and logic on masks. */
import { OpFlag, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex } from '../../model/register.js';
import { LaneValue, type LaneValues } from './laneValues.js';

export interface MaskOrigin {
  /** from the mask back: each instruction writes a mask that the one before reads, the last one reads a divergent register */
  readonly instrs: readonly InstrId[];
  readonly divergent: number;
}

/** The nearest one; null if nothing divergent goes into the mask. O(instructions that compute the mask) */
export function maskOrigin(lanes: LaneValues, mask: number): MaskOrigin | null {
  const { fn, uniformity } = lanes;
  const queue: { readonly instr: InstrId; readonly from: number }[] = [];
  const seen = new Set<number>();
  const add = (v: number, from: number): void => {
    const instr = uniformity.lastDefOf(v);
    if (instr < 0 || seen.has(v)) return;
    seen.add(v);
    queue.push({ instr, from });
  };
  add(mask, -1);
  for (let k = 0; k < queue.length; k++) {
    const { instr } = queue[k];
    for (let o = fn.firstReg(instr); o >= 0; o = fn.nextReg(instr, o)) {
      if (!isVirtualReg(fn.opVal[o]) || (fn.opFlags[o] & OpFlag.Def) !== 0) continue;
      const v = virtRegIndex(fn.opVal[o]);
      if (lanes.atUse(v, fn.instrBlock[instr]) === LaneValue.LaneMask) add(v, k);
      else if (uniformity.isDivergent[v] === 1) {
        const instrs: InstrId[] = [];
        for (let at = k; at >= 0; at = queue[at].from) instrs.push(queue[at].instr);
        return { instrs: instrs.reverse(), divergent: v };
      }
    }
  }
  return null;
}

/** The first lane mask that an instruction reads, -1 if it reads none. */
export function maskReadBy(lanes: LaneValues, i: InstrId): number {
  const { fn } = lanes;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
    if (isVirtualReg(fn.opVal[o]) && (fn.opFlags[o] & OpFlag.Def) === 0)
      if (lanes.atDef(virtRegIndex(fn.opVal[o])) === LaneValue.LaneMask) return virtRegIndex(fn.opVal[o]);
  return -1;
}
