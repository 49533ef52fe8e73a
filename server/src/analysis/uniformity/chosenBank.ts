/**
 * Which bank and class GlobalISel would give a register that has none yet: by divergence (AMDGPURegBankSelect, SIRegisterInfo::getRegClassForSizeOnBank; docs/llvm/uniformity.md, section 7), before operands of the
 * selected instruction narrow the class.
 */
import { sizeInBits } from '../../model/llt.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { RegClassId } from '../../target/index.js';
import type { LaneValues } from './laneValues.js';

export type ChosenBank = 'sgpr' | 'vgpr' | 'vcc';

/** Null for a register that has a bank or a class, or no type. A uniform value goes into SGPRs, a divergent bit into a mask of lanes, the rest into VGPRs. */
export function chosenBank({ fn, uniformity }: LaneValues, v: number): ChosenBank | null {
  const { vregs } = fn;
  const type = vregs.type[v];
  if (vregs.regClass[v] >= 0 || vregs.bank[v] >= 0 || type === null) return null;
  if (uniformity.isDivergent[v] === 0) return 'sgpr';
  return type.kind === 'scalar' && type.bits === 1 ? 'vcc' : 'vgpr';
}

/** -1 where there is no class of that width. `bank`: as MIR spells it */
export function classOnBank({ vregs, tables, subtarget }: MachineFunction, v: number, bank: string): RegClassId {
  const type = vregs.type[v];
  if (type === null) return -1;
  const bits = bank === 'vcc' ? subtarget.wavefrontSize : Math.max(32, sizeInBits(type));
  const aligned = subtarget.needsAlignedVGPRs && bits > 32 ? '_align2' : '';
  switch (bank) {
    case 'vgpr':
      return tables.regClassByName(bits === 32 ? 'vgpr_32' : `vreg_${bits}${aligned}`);
    case 'agpr':
      return tables.regClassByName(bits === 32 ? 'agpr_32' : `areg_${bits}${aligned}`);
    default:
      return tables.regClassByName(bits <= 64 ? `sreg_${bits}` : `sgpr_${bits}`);
  }
}
