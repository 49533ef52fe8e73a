/** The places along a function at which the pressure of a bank is a peak that stands out. */
import { Bank, PressureSummary } from './summary.js';
import type { InstrId } from '../model/machineFunction.js';

export interface PressurePeak {
  /** the first instruction at which the value is reached */
  readonly instr: InstrId;
  readonly value: number;
}

/** A peak stands out when the pressure falls, and has risen, by this share of the highest, and by two registers at least. */
const SHARE = 8;
const MIN_DROP = 2;

/**
 * Peaks in layout order; the highest is always among them, none where the bank is not used. One pass: a peak counts once the pressure has
 * fallen far enough below it, the next one is looked for once it has risen as far above the valley. O(instructions)
 */
export function pressurePeaks(summary: PressureSummary, bank: Bank): PressurePeak[] {
  const { fn, up, peaks } = summary;
  const highest = peaks[bank]!.value;
  if (highest === 0) return [];
  const drop = Math.max(MIN_DROP, Math.ceil(highest / SHARE));
  const found: PressurePeak[] = [];
  let top: PressurePeak = { instr: -1, value: 0 };
  let valley = 0;
  let isRising = true;
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
      const i = fn.order[p];
      const value = PressureSummary.count(up.at, bank, i);
      if (isRising) {
        if (top.value < value) top = { instr: i, value };
        else if (value <= top.value - drop) {
          found.push(top);
          isRising = false;
          valley = value;
        }
      } else if (value < valley) valley = value;
      else if (valley + drop <= value) {
        isRising = true;
        top = { instr: i, value };
      }
    }
  }
  if (isRising && top.instr >= 0) found.push(top);
  return found;
}
