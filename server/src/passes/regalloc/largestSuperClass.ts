/** The class that a register may be widened to. */
import type { RegClassId, Subtarget } from '../../target/api.js';

/** Of other sizes there are classes for both files, too, but LLVM's switch does not name them. */
const WIDENED_BITS = new Set([32, 64, 96, 128, 160, 192, 256, 512, 1024]);

/**
 * The class of both vector files for a class of one of them where the processor has accumulators, else the class itself.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::getLargestLegalSuperClass
 */
export function largestSuperClass({ hasMAIInsts, tables }: Subtarget, rc: RegClassId): RegClassId {
  if (!hasMAIInsts) return rc;
  const name = tables.regClassName(rc);
  const [, bits, aligned = ''] =
    /^(?:VGPR|AGPR)_(32)$/.exec(name) ?? /^(?:VReg|AReg)_(\d\d+)(_Align2)?$/.exec(name) ?? [];
  if (!WIDENED_BITS.has(Number(bits))) return rc;
  return tables.regClassByName(`av_${bits}${aligned.toLowerCase()}`);
}
