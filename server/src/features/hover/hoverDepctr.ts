/** Hover on S_WAITCNT_DEPCTR: what each of its fields waits for, and the instruction before it in the block that is meant. */
import { OperandKind, OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg } from '../../model/register.js';
import { depctrWaits } from '../../model/waitMnemonics.js';
import type { DepCtrField } from '../../model/waitFields.js';
import { isDS, isFLAT, isImage, isMTBUF, isMUBUF, isSALU, isVALU } from '../../target/index.js';
import { oneLine } from '../../text/visible.js';
import { rich, type Markdown } from '../words/markdown.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

const WORDS: Readonly<Record<DepCtrField, string>> = {
  vaVdst: 'VALU writes of VGPRs',
  vaSdst: 'VALU writes of SGPRs',
  vaSsrc: 'VALU reads of SGPRs',
  holdCnt: 'held instructions',
  vmVsrc: 'reads of VGPRs by memory instructions',
  vaVcc: 'VALU writes of VCC',
  saSdst: 'SALU writes of SGPRs',
};

/** A line for each field that waits, none for what is no such wait. O(instructions before it in the block) */
export function depctrLines(snapshot: Snapshot, view: FunctionView, i: InstrId): Markdown[] {
  const { fn } = view;
  const source = fn?.source;
  if (!fn || !source || !fn.tables.isAMDGCN || fn.opKind[fn.opBegin[i]!] !== OperandKind.Immediate) return [];
  const waits = depctrWaits(fn.subtarget, fn.opcode[i]!, fn.imm(fn.opBegin[i]!));
  return (waits ?? []).map(({ field, left }) => {
    const of = nthBefore(fn, i, field, left);
    const more = left === 0 ? '' : left === 1 ? ', but for the youngest' : `, but for the ${left} youngest`;
    if (of < 0) return rich`**waits for** ${WORDS[field]}${more}: none before it in the block`;
    const line = snapshot.text.lineAt(view.start + source.instrRange(of).start) + 1;
    return rich`**waits for** ${WORDS[field]}${more}: ${oneLine(fn.tables.opcodeName(fn.opcode[of]!))} of line ${line}`;
  });
}

/** The youngest instruction of the kind before `i` in its block with `n` of them after it; -1 = there is none. */
function nthBefore(fn: MachineFunction, i: InstrId, field: DepCtrField, n: number): InstrId {
  const b = fn.instrBlock[i]!;
  let left = n;
  let isAfter = true;
  for (let p = fn.blockEnd[b]! - 1; p >= fn.blockBegin[b]!; p--) {
    const at = fn.order[p]!;
    if (isAfter) {
      isAfter = at !== i;
      continue;
    }
    if (isOfField(fn, at, field) && left-- === 0) return at;
  }
  return -1;
}

function isOfField(fn: MachineFunction, i: InstrId, field: DepCtrField): boolean {
  const { tables } = fn;
  const opc = fn.opcode[i]!;
  switch (field) {
    case 'vaVdst':
      return isVALU(tables, opc) && touches(fn, i, true, /^(?:vgpr|agpr)/);
    case 'vaSdst':
      return isVALU(tables, opc) && touches(fn, i, true, /^(?:sgpr|ttmp)/);
    case 'vaSsrc':
      return isVALU(tables, opc) && touches(fn, i, false, /^(?:sgpr|ttmp|vcc)/);
    case 'vaVcc':
      return isVALU(tables, opc) && touches(fn, i, true, /^vcc/);
    case 'saSdst':
      return isSALU(tables, opc) && touches(fn, i, true, /^(?:sgpr|vcc|ttmp|m0|scc|exec)/);
    case 'vmVsrc':
      return [isMUBUF, isMTBUF, isImage, isFLAT, isDS].some((is) => is(tables, opc));
    case 'holdCnt':
      return false;
  }
}

function touches(fn: MachineFunction, i: InstrId, isDef: boolean, names: RegExp): boolean {
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    const reg = fn.opVal[o]!;
    if (isPhysicalReg(reg) && ((fn.opFlags[o]! & OpFlag.Def) !== 0) === isDef && names.test(fn.tables.regName(reg)))
      return true;
  }
  return false;
}
