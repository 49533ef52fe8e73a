/**
 * Which bank and class GlobalISel would give a register that has none yet: by divergence (AMDGPURegBankSelect, SIRegisterInfo::getRegClassForSizeOnBank; docs/llvm/uniformity.md, section 7), and
 * what operands of the instructions that will be selected leave of the class.
 */
import { sizeInBits } from '../../model/llt.js';
import { OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
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

/** Masks of lanes among the operands of generic instructions, as carries, and of the intrinsics of control flow. */
const MASK_RESULTS = /^G_(?:[US](?:ADD|SUB)[OE]|AMDGPU_MAD_[IU]64_[IU]32)$/;
const MASK_READERS = /^G_(?:SELECT|[US](?:ADD|SUB)E)$/;
const CONTROL_FLOW = /^(?:llvm\.)?amdgcn\.(?:if|else|loop|if\.break|end\.cf)\b/;

/**
 * The class on a bank as far as operands of what will be selected narrow it: results of scalar loads and of 64-bit pointer sums, masks that V_CNDMASK_B32, carries and
 * control flow take. -1 where there is no class of that width.
 */
export function chosenClass({ fn, uniformity }: LaneValues, v: number, bank: string): RegClassId {
  const { tables, subtarget } = fn;
  const rc = classOnBank(fn, v, bank);
  if (rc < 0 || bank === 'vgpr' || bank === 'agpr') return rc;
  const operandClass = (opcode: string, operand: string): RegClassId => {
    const opc = tables.opcodeByName(opcode);
    return subtarget.opInfoRegClass(opc, tables.getNamedOperandIdx(opc, operand));
  };
  const nameOf = (i: InstrId): string => tables.opcodeName(fn.opcode[i]);
  const bits = tables.regClassBits[rc];
  const def = uniformity.uniqueDef(v);
  const name = def < 0 ? '' : nameOf(def);
  const isMask =
    bits === subtarget.wavefrontSize &&
    ((bank === 'vcc' && MASK_RESULTS.test(name)) ||
      [...uniformity.usersOf(v)].some((i) => readsMask(fn, i, bank, nameOf(i))));
  let wanted: RegClassId = -1;
  if (isMask) wanted = operandClass('V_CNDMASK_B32_e64', 'src2');
  else if (/^G_(?:LOAD|[SZ]EXTLOAD)$/.test(name) && bits <= 64)
    wanted = operandClass(bits === 32 ? 'S_LOAD_DWORD_IMM' : 'S_LOAD_DWORDX2_IMM', 'sdst');
  else if (name === 'G_PTR_ADD' && bits === 64) wanted = tables.regClassByName('sreg_64_xexec');
  const common = wanted < 0 ? -1 : tables.getCommonSubClass(rc, wanted);
  return common < 0 ? rc : common;
}

function readsMask(fn: MachineFunction, i: InstrId, bank: string, name: string): boolean {
  if (bank === 'vcc' && MASK_READERS.test(name)) return true;
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
    if (fn.opKind[o] === OperandKind.IntrinsicID && CONTROL_FLOW.test(fn.payload(o, OperandKind.IntrinsicID).name))
      return true;
  return false;
}

/** -1 where there is no class of that width. `bank`: as MIR spells it */
function classOnBank({ vregs, tables, subtarget }: MachineFunction, v: number, bank: string): RegClassId {
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
