/** Classes of instructions that the groups of SCHED_GROUP_BARRIER speak of (docs/llvm/iglp.md). */
import type { InstrId, MachineFunction } from '../../../../model/machineFunction.js';
import { McFlag } from '../../../../target/api.js';
import { isMFMA } from '../../../../target/opcodes.js';
import { encodingOf, Encoding } from '../encoding.js';
import { GroupMask } from './schedGroup.js';

const VALU_BIT = 1 << 1;

const SALU_BIT = 1 << 0;

const TRANS_BIT = 1 << 16;

// high half of TSFlags

const WMMA_HI = 1 << (59 - 32);

const SWMMAC_HI = 1 << (63 - 32);

export const enum InstrClass {
  Meta = 1,
  VALU = 2,
  SALU = 4,
  TRANS = 8,
  MFMA = 16,
  VMEM = 32,
  DS = 64,
  Load = 128,
  Store = 256,
}

export function classify(fn: MachineFunction, i: InstrId): number {
  const t = fn.tables;
  const opc = fn.opcode[i];
  const flags = t.opcodeFlagsLo(opc);
  const lo = t.opcodeTSLo(opc);
  const hi = t.opcodeTSHi(opc);
  let c = 0;
  if ((flags & (1 << McFlag.Meta)) !== 0) c |= InstrClass.Meta;
  if ((lo & VALU_BIT) !== 0) c |= InstrClass.VALU;
  if ((lo & SALU_BIT) !== 0) c |= InstrClass.SALU;
  if ((lo & TRANS_BIT) !== 0) c |= InstrClass.TRANS;
  if ((hi & (WMMA_HI | SWMMAC_HI)) !== 0) c |= InstrClass.MFMA;
  else if (isMFMA(t, opc)) c |= InstrClass.MFMA;
  const enc = encodingOf(t, opc);
  if (enc === Encoding.MUBUF || enc === Encoding.Image || enc === Encoding.FLAT) c |= InstrClass.VMEM;
  else if (enc === Encoding.DS) c |= InstrClass.DS;
  if ((flags & (1 << McFlag.MayLoad)) !== 0) c |= InstrClass.Load;
  if ((flags & (1 << McFlag.MayStore)) !== 0) c |= InstrClass.Store;
  return c;
}

/**
 * The first class of the mask that the instruction belongs to decides.
 * @llvm AMDGPUIGroupLP.cpp SchedGroup::canAddMI
 */
export function classFits(mask: number, c: number): boolean {
  if ((c & InstrClass.Meta) !== 0) return false;
  const isMemory = (c & (InstrClass.Load | InstrClass.Store)) !== 0;
  const { VALU, MFMA, SALU, TRANS, VMEM, DS, Load, Store } = {
    VALU: (c & InstrClass.VALU) !== 0,
    MFMA: (c & InstrClass.MFMA) !== 0,
    SALU: (c & InstrClass.SALU) !== 0,
    TRANS: (c & InstrClass.TRANS) !== 0,
    VMEM: (c & InstrClass.VMEM) !== 0,
    DS: (c & InstrClass.DS) !== 0,
    Load: (c & InstrClass.Load) !== 0,
    Store: (c & InstrClass.Store) !== 0,
  };
  if ((mask & GroupMask.ALU) !== 0 && (VALU || MFMA || SALU || TRANS)) return !isMemory;
  if ((mask & GroupMask.VALU) !== 0 && VALU && !MFMA && !TRANS) return !isMemory;
  if ((mask & GroupMask.SALU) !== 0 && SALU) return !isMemory;
  if ((mask & GroupMask.MFMA) !== 0 && MFMA) return true;
  if ((mask & GroupMask.VMEM) !== 0 && VMEM) return true;
  if ((mask & GroupMask.VMEM_READ) !== 0 && Load && VMEM) return true;
  if ((mask & GroupMask.VMEM_WRITE) !== 0 && Store && VMEM) return true;
  if ((mask & GroupMask.DS) !== 0 && DS) return true;
  if ((mask & GroupMask.DS_READ) !== 0 && Load && DS) return true;
  if ((mask & GroupMask.DS_WRITE) !== 0 && Store && DS) return true;
  return (mask & GroupMask.TRANS) !== 0 && TRANS;
}

/**
 * What may not cross a SCHED_BARRIER with this mask.
 * @llvm AMDGPUIGroupLP.cpp IGroupLPDAGMutation::invertSchedBarrierMask
 */
export function pinnedClasses(mask: number): number {
  const alu = GroupMask.VALU | GroupMask.SALU | GroupMask.MFMA | GroupMask.TRANS;
  const vmem = GroupMask.VMEM_READ | GroupMask.VMEM_WRITE;
  const ds = GroupMask.DS_READ | GroupMask.DS_WRITE;
  let x = ~mask;
  const narrow = (whole: number, parts: number): void => {
    if ((x & whole) === 0) x &= ~parts;
    else if ((x & parts) !== parts) x &= ~whole;
  };
  narrow(GroupMask.ALU, alu);
  narrow(GroupMask.VMEM, vmem);
  narrow(GroupMask.DS, ds);
  return x;
}
