/** Where a block changes which lanes run: EXEC narrowed, set again, and the regions in which all lanes of the wave run. */
import { isPhysicalReg, isVirtualReg, virtRegIndex } from '../../model/register.js';
import type { LaneValues } from './laneValues.js';
import type { Uniformity } from './uniformity.js';
import { OperandKind, OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';

export const enum ExecChange {
  /** fewer lanes, or others of those that ran before */
  Narrowed,
  /** lanes come back */
  Restored,
  WholeWaveBegins,
  WholeWaveEnds,
}

/** Control flow before it is lowered to writes of EXEC, and whole-wave marks. */
const BY_NAME: Readonly<Record<string, ExecChange>> = {
  SI_IF: ExecChange.Narrowed,
  SI_ELSE: ExecChange.Narrowed,
  SI_LOOP: ExecChange.Narrowed,
  SI_WATERFALL_LOOP: ExecChange.Narrowed,
  SI_END_CF: ExecChange.Restored,
  ENTER_STRICT_WWM: ExecChange.WholeWaveBegins,
  ENTER_STRICT_WQM: ExecChange.WholeWaveBegins,
  EXIT_STRICT_WWM: ExecChange.WholeWaveEnds,
  EXIT_STRICT_WQM: ExecChange.WholeWaveEnds,
};

/**
 * In the order of the text. An S_MOV of EXEC from -1 begins a whole wave, from a register restores, unless that was computed by taking lanes away (as
 * control flow is after it was lowered). O(operands of the block)
 */
export function execChanges({ fn, uniformity }: LaneValues, b: BlockId): (readonly [InstrId, ExecChange])[] {
  const { tables } = fn;
  const exec = tables.regByName('exec');
  const found: (readonly [InstrId, ExecChange])[] = [];
  for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
    const i = fn.order[p];
    const name = tables.opcodeName(fn.opcode[i]);
    const known = changeByName(name);
    if (known !== undefined) found.push([i, known]);
    else if (writesExec(fn, i, exec)) found.push([i, changeOf(fn, i, name, uniformity)]);
  }
  return found;
}

/** Whether `execChanges` names the instruction: known without the function's uniformity. O(operands) */
export function changesExec(fn: MachineFunction, i: InstrId): boolean {
  return (
    changeByName(fn.tables.opcodeName(fn.opcode[i])) !== undefined || writesExec(fn, i, fn.tables.regByName('exec'))
  );
}

const changeByName = (name: string): ExecChange | undefined =>
  Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;

function writesExec(fn: MachineFunction, i: InstrId, exec: number): boolean {
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
    if ((fn.opFlags[o] & OpFlag.Def) !== 0 && isPhysicalReg(fn.opVal[o]) && fn.tables.regsOverlap(fn.opVal[o], exec))
      return true;
  return false;
}

/** Logic that leaves no more lanes than its first operand has. */
const TAKES_AWAY = /^S_AND(?:N2)?_B/;

function changeOf(fn: MachineFunction, i: InstrId, name: string, uniformity: Uniformity): ExecChange {
  const source = fn.opBegin[i] + 1;
  const isAll = fn.opKind[source] === OperandKind.Immediate && fn.opVal[source] === -1;
  if (/^S_OR_SAVEEXEC|^S_MOV_B(?:32|64)/.test(name) && isAll) return ExecChange.WholeWaveBegins;
  if (!/^(?:S_MOV|S_OR_|COPY)/.test(name)) return ExecChange.Narrowed;
  const isCopied = !name.startsWith('S_OR_') && fn.opKind[source] === OperandKind.Register;
  const def = isCopied && isVirtualReg(fn.opVal[source]) ? uniformity.uniqueDef(virtRegIndex(fn.opVal[source])) : -1;
  return def >= 0 && TAKES_AWAY.test(fn.tables.opcodeName(fn.opcode[def])) ? ExecChange.Narrowed : ExecChange.Restored;
}
