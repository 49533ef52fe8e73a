/** Registers that live at once beyond what the function may use: the allocator has to spill them, as long as the order stays. */
import type { InstrId, MachineFunction } from '../model/machineFunction.js';
import type { FunctionLimits } from './functionLimits.js';
import { newPressure, numSGPRs, numVGPRs, type Pressure } from './gcnPressure.js';
import type { PressureColumns } from './pressureColumns.js';

const N_KINDS = 4;

export interface RegisterExcess {
  readonly bank: 'VGPR' | 'SGPR';
  /** most 32-bit registers that live at once; in a unified file VGPRs and AGPRs together */
  readonly count: number;
  /** what the function may use: addressable, within its waves and attributes */
  readonly most: number;
  /** what does not fit may lie in AGPRs, which are a file of their own */
  readonly mayUseAGPRs: boolean;
  /** where; counted before or after it */
  readonly instr: InstrId;
}

/** A function whose live registers are counted (a part of PressureSummary). */
interface CountedFunction {
  readonly fn: MachineFunction;
  readonly limits: FunctionLimits;
  readonly up: PressureColumns;
  readonly max: Pressure;
}

/**
 * The first place with the most of each bank, where that is too much. Counted between instructions: what an instruction reads last may
 * share a register with what it writes. O(instructions), less where the whole function stays below.
 */
export function excessRegisters(counted: CountedFunction): RegisterExcess[] {
  const { fn, up, limits, max } = counted;
  const { hasGFX90AInsts: isUnified, hasMAIInsts } = limits.subtarget;
  const banks = [
    { bank: 'VGPR', most: limits.maxNumVGPRs, of: (p: Pressure) => numVGPRs(p, isUnified) },
    { bank: 'SGPR', most: limits.maxNumSGPRs, of: numSGPRs },
  ] as const;
  const over = banks.filter(({ most, of }) => most < of(max)).map((b) => ({ ...b, count: b.most, instr: -1 }));
  if (over.length === 0) return [];
  const here = newPressure();
  for (let b = 0; b < fn.blocks.length; b++)
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      for (const columns of [up.before, up.after]) {
        for (let k = 0; k < N_KINDS; k++) here[k] = columns[k]![i]!;
        for (const w of over) {
          const count = w.of(here);
          if (count <= w.count) continue;
          w.count = count;
          w.instr = i;
        }
      }
    }
  return over
    .filter((w) => w.instr >= 0)
    .map(({ bank, count, most, instr }) => {
      const mayUseAGPRs = bank === 'VGPR' && hasMAIInsts && !isUnified;
      return { bank, count, most, mayUseAGPRs, instr };
    });
}
