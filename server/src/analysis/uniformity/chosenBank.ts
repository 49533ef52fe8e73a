/**
 * Which bank and class GlobalISel would give a register that has none yet: by divergence (AMDGPURegBankSelect, SIRegisterInfo::getRegClassForSizeOnBank; docs/llvm/uniformity.md, section 7), and
 * what operands of the instructions that will be selected leave of the class. Beside it the class of SelectionDAG.
 */
import { sizeInBits } from '../../model/llt.js';
import { OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex } from '../../model/register.js';
import { RegKind, type RegClassId } from '../../target/index.js';
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

/**
 * The class that SelectionDAG would give a value that lives across blocks (LLVM 22: FunctionLoweringInfo::CreateRegs, SITargetLowering::getRegClassFor): a scalar one for what is uniform and for
 * what has to be, a vector one for the rest, `vreg_1` for a divergent bit. -1 for a register with a class, and where it would take several registers or promote the type.
 */
export function selectionDAGClass(lanes: LaneValues, v: number): RegClassId {
  const { fn } = lanes;
  const { vregs, tables, subtarget } = fn;
  const type = vregs.type[v];
  if (vregs.regClass[v] >= 0 || type === null) return -1;
  const bits = sizeInBits(type);
  const isBit = type.kind === 'scalar' && bits === 1;
  if (!isBit && bits !== 16 && bits !== 32 && (bits !== 64 || (type.kind !== 'scalar' && type.kind !== 'pointer')))
    return -1;
  if (!differsForSelectionDAG(lanes, v)) {
    const width = isBit ? subtarget.wavefrontSize : Math.max(32, bits);
    return tables.regClassByName(`sreg_${width}`);
  }
  if (isBit) return tables.regClassByName('vreg_1');
  if (bits === 16 && subtarget.hasFeature('real-true16')) return tables.regClassByName('vgpr_16');
  const aligned = bits === 64 && subtarget.needsAlignedVGPRs ? '_align2' : '';
  const name = bits === 64 ? '64' : '32';
  if (subtarget.hasGFX90AInsts) return tables.regClassByName(`av_${name}${aligned}`);
  return tables.regClassByName(bits === 64 ? `vreg_64${aligned}` : 'vgpr_32');
}

/** Divergent, or from inline assembly that writes a vector register; unless it has to be uniform. */
function differsForSelectionDAG(lanes: LaneValues, v: number): boolean {
  if (lanes.uniformity.isDivergent[v] === 0 && !isVectorOfInlineAsm(lanes, v)) return false;
  return !requiresUniformRegister(lanes, v);
}

function isVectorOfInlineAsm({ fn, uniformity }: LaneValues, v: number): boolean {
  const { tables, vregs } = fn;
  const def = uniformity.uniqueDef(v);
  const source = def < 0 || tables.opcodeName(fn.opcode[def]) !== 'COPY' ? 0 : fn.opVal[fn.opBegin[def] + 1];
  if (!isVirtualReg(source)) return false;
  const made = uniformity.uniqueDef(virtRegIndex(source));
  const rc = vregs.regClass[virtRegIndex(source)];
  return (
    made >= 0 &&
    tables.opcodeName(fn.opcode[made]) === 'INLINEASM' &&
    rc >= 0 &&
    tables.regClassKind[rc] !== RegKind.SGPR
  );
}

/** Names of intrinsics of control flow, with the place among their operands at which they read a mask that has to be in scalar registers. */
const UNIFORM_OPERANDS: ReadonlyMap<string, number> = new Map([
  ['amdgcn.if.break', 1],
  ['amdgcn.loop', 0],
  ['amdgcn.end.cf', 0],
]);

/**
 * Whether control flow reads a value of a mask's width, itself or through what is computed from it: that has to be in scalar registers though LLVM finds it
 * divergent, as after a loop that lanes leave at different times. What inline assembly writes to scalar registers has a class in MIR and is uniform.
 * @llvm SIISelLowering.cpp SITargetLowering::requiresUniformRegister
 */
export function requiresUniformRegister({ fn, uniformity }: LaneValues, v: number): boolean {
  const { vregs, subtarget } = fn;
  const worklist = [v];
  const seen = new Set(worklist);
  for (let x = worklist.pop(); x !== undefined; x = worklist.pop()) {
    const type = vregs.type[x];
    if (type?.kind !== 'scalar' || type.bits !== subtarget.wavefrontSize) continue;
    for (const i of uniformity.usersOf(x)) {
      const at = intrinsicAt(fn, i);
      if (at >= 0) {
        const place = UNIFORM_OPERANDS.get(
          fn.payload(at, OperandKind.IntrinsicID).name.replace(/^llvm\.|\.i(?:32|64)$/g, ''),
        );
        if (place !== undefined && fn.opVal[at + 1 + place] === ~x) return true;
        continue;
      }
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if ((fn.opFlags[o] & OpFlag.Def) === 0 || !isVirtualReg(fn.opVal[o])) continue;
        const made = virtRegIndex(fn.opVal[o]);
        if (seen.has(made)) continue;
        seen.add(made);
        worklist.push(made);
      }
    }
  }
  return false;
}

/** The operand that names the intrinsic, -1 if there is none. */
function intrinsicAt(fn: MachineFunction, i: InstrId): number {
  for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) if (fn.opKind[o] === OperandKind.IntrinsicID) return o;
  return -1;
}

function readsMask(fn: MachineFunction, i: InstrId, bank: string, name: string): boolean {
  if (bank === 'vcc' && MASK_READERS.test(name)) return true;
  const at = intrinsicAt(fn, i);
  return at >= 0 && CONTROL_FLOW.test(fn.payload(at, OperandKind.IntrinsicID).name);
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
