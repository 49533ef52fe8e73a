/** What an opcode counts up until it is done, where LLVM's tables have no flag for it (SIInsertWaitcnts, LLVM 22; docs/llvm/waits.md). */
import { McFlag, type Opcode, type TargetTables } from './api.js';
import { hasOpcodeFlag, isImage, isVSAMPLE } from './opcodes.js';
import { OpcodePattern } from './opcodeSets.js';

/** Messages, which come back in the counter of scalar loads. */
export const MESSAGE = new OpcodePattern(/^S_SENDMSG(?:HALT|_RTN_B32|_RTN_B64)?$/);
export const LIKE_SCALAR_LOAD = new OpcodePattern(
  /^S_(?:MEMTIME|MEMREALTIME|BARRIER_SIGNAL_ISFIRST_(?:M0|IMM)|BARRIER_LEAVE|GET_BARRIER_STATE_(?:M0|IMM))$/,
);
/** GDS by the opcode itself, not by its operand `gds`. */
export const ALWAYS_GDS = new OpcodePattern(/^DS_(?:ORDERED_COUNT|ADD_GS_REG_RTN|SUB_GS_REG_RTN|GWS_\w+)$/);
const BVH = new OpcodePattern(/^IMAGE_BVH/);
const SAMPLER = new OpcodePattern(/^IMAGE_(?:SAMPLE|GATHER4|GET_LOD|MSAA)/);

const DRAIN = new OpcodePattern(
  /^S_(?:SETREG_\w+|GETREG_B32|SENDMSG\w*|TRAP|BARRIER_WAIT|BARRIER_SIGNAL_(?:ISFIRST_)?(?:IMM|M0)|CODE_END)$/,
);

/**
 * What the hardware does not begin before all addresses are translated (gfx12.5): besides those named what goes on elsewhere.
 * @llvm SIInstrInfo.cpp SIInstrInfo::isXcntDrain
 */
export function drainsTranslations(tables: TargetTables, opcode: Opcode): boolean {
  if (DRAIN.has(tables, opcode)) return true;
  return [McFlag.Branch, McFlag.Call, McFlag.Return].some((flag) => hasOpcodeFlag(tables, opcode, flag));
}

/** Kinds of vector memory accesses that do not come back in order among each other, as bits. */
export const enum VmemType {
  NoSampler = 1,
  Sampler = 2,
  BVH = 4,
}

/** @llvm SIInsertWaitcnts.cpp getVmemType */
export function vmemTypeOf(tables: TargetTables, opcode: Opcode): VmemType {
  if (!isImage(tables, opcode)) return VmemType.NoSampler;
  if (BVH.has(tables, opcode)) return VmemType.BVH;
  return SAMPLER.has(tables, opcode) || isVSAMPLE(tables, opcode) ? VmemType.Sampler : VmemType.NoSampler;
}
