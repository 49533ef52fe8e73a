/**
 * amdgpu-rewrite-agpr-copy-mfma gives matrix instructions AGPRs where their operands are copied from or to such (AMDGPURewriteAGPRCopyMFMA of LLVM 22).
 * What it does is not modelled; this finds out whether it would look at anything.
 */
import { OpFlag } from '../../model/machineFunction.js';
import { isVirtualReg, virtReg } from '../../model/register.js';
import type { LiveRegMatrix } from './matrix.js';
import { NotModelled, type AllocState } from './state.js';

/** Throws NotModelled when a copy from or to an AGPR leads to a matrix instruction that could use AGPRs itself. */
export function refuseAGPRCopies(state: AllocState, matrix: LiveRegMatrix): void {
  const { fn, tables, editor, opcodes } = state;
  if (!fn.subtarget.hasGFX90AInsts || !matrix.isUsed(tables.regByName('agpr0'))) return;
  const isRewritable = (o: number): boolean => tables.mapOpcode('MFMASrcCVDstAGPR', fn.opcode[editor.instrOf(o)]) >= 0;
  for (let v = 0; v < fn.vregs.n; v++) {
    const reg = state.physOf(v);
    if (reg === 0 || !tables.hasAGPRs(tables.getMinimalPhysRegClass(reg))) continue;
    for (const o of editor.operandsOf(virtReg(v))) {
      const i = editor.instrOf(o);
      if (editor.isDebug(o) || fn.opcode[i] !== opcodes.copy) continue;
      const first = fn.opBegin[i];
      const isDef = o === first;
      const other = fn.opVal[isDef ? first + 1 : first];
      if (!isVirtualReg(other)) continue;
      for (const p of editor.operandsOf(other)) {
        const isWanted = isDef
          ? editor.isDef(p)
          : !editor.isDef(p) && (fn.opFlags[p] & (OpFlag.Debug | OpFlag.Undef)) === 0;
        if (isWanted && isRewritable(p)) throw new NotModelled('copies of AGPRs to matrix instructions');
      }
    }
  }
}
