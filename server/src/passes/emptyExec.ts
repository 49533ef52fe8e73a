/** What instructions do while no lane is enabled. */
import { BundleFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { McFlag } from '../target/api.js';
import { hasOpcodeFlag, isEXP, isSMRD } from '../target/opcodes.js';
import { opcodeSet, OpcodePattern } from '../target/opcodeSets.js';

const WAIT = new OpcodePattern(
  /^S_WAITCNT(?:_(?:VS|VM|EXP|LGKM)CNT)?(?:_soft)?$|^S_WAIT_(?:LOAD|STORE|SAMPLE|BVH|EXP|DS|KM|ASYNC|TENSOR|LOADCNT_DS|STORECNT_DS)CNT(?:_soft)?$|^S_WAIT_IDLE$/,
);

/**
 * Whether an instruction waits for a counter of memory accesses.
 * @llvm SIInstrInfo.h SIInstrInfo::isWaitcnt
 */
export const isWaitForCounter = ({ tables, opcode }: MachineFunction, i: InstrId): boolean =>
  WAIT.has(tables, opcode[i]);

/**
 * Whether an instruction does harm where EXEC is 0: it acts without lanes, too.
 * @llvm SIInstrInfo.cpp SIInstrInfo::hasUnwantedEffectsWhenEXECEmpty
 */
export function harmsWithoutLanes(fn: MachineFunction, i: InstrId): boolean {
  const { tables } = fn;
  const opc = fn.opcode[i];
  if (hasOpcodeFlag(tables, opc, McFlag.MayStore) && isSMRD(tables, opc)) return true;
  if (isEXP(tables, opc) || hasInBundle(fn, i, McFlag.Return) || hasInBundle(fn, i, McFlag.Call)) return true;
  if (opcodeSet(tables, 'inlineAsm').has(opc) || changesMode(fn, i)) return true;
  return opcodeSet(tables, 'unwantedWithoutLanes').has(opc);
}

/**
 * Whether an instruction sets MODE.
 * @llvm SIInstrInfo.cpp SIInstrInfo::modifiesModeRegister
 */
export const changesMode = ({ tables, opcode }: MachineFunction, i: InstrId): boolean =>
  tables.implicitDefs(opcode[i]).includes(tables.regByName('mode'));

/** Whether an instruction has a flag, or a member of the bundle that it is the header of. */
function hasInBundle(fn: MachineFunction, i: InstrId, flag: McFlag): boolean {
  const { bundle, tables, opcode } = fn;
  if (hasOpcodeFlag(tables, opcode[i], flag)) return true;
  if ((bundle[i] & BundleFlag.BundledPred) !== 0) return false;
  for (let m = i; (bundle[m] & BundleFlag.BundledSucc) !== 0;)
    if (hasOpcodeFlag(tables, opcode[++m], flag)) return true;
  return false;
}
