/** `amdgpuMir/whyDivergent`: why the register under the cursor, or the branch of its block, differs between lanes, as plain text with 1-based lines. */
import type { Position } from 'vscode-languageserver-types';
import { OperandKind, OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex } from '../../model/register.js';
import { oneLine } from '../../text/visible.js';
import { instrAt, instrOnLine } from '../snapshot/locate.js';
import { noPressure } from '../pressure/whyText.js';
import { llvmText, ELSEWHERE, targetText, type Elsewhere, type Snapshot } from '../snapshot/snapshot.js';
import { branchReport, functionReport, registerReport } from './divergenceReport.js';
import { placeOfLanes } from './laneText.js';

/**
 * About the register under the cursor; else about all of the instruction; of a branch, and where no instruction stands, about the branch, and about the function.
 * Ends in a line break. O(registers on the way back * size of the function), at most eight of them for each report, so that a large function
 * has a worker of its own.
 */
export function provideWhyDivergent(
  snapshot: Snapshot,
  { position }: { readonly position: Position },
): string | Elsewhere {
  const view = snapshot.functionAt(snapshot.text.offsetAt(position));
  const i = view ? instrOnLine(snapshot, view, position) : -1;
  const at = view && placeOfLanes(snapshot, view);
  if (!view?.lanes || !at?.fn.source) return noPressure(snapshot, view, i);
  if (view.isLarge) return ELSEWHERE;
  const { fn } = at;
  const { lanes } = view;
  const head = `@${oneLine(view.name)}, ${targetText(snapshot, view)}, ${llvmText(snapshot)}`;
  const offset = snapshot.text.offsetAt(position) - view.start;
  const under = instrAt(fn, offset) === i ? registerAt(fn, i, offset) : null;
  const asked = under === null ? registersOf(fn, i) : [under];
  const reports = asked.map(({ v, isDef }) => registerReport(at, lanes, v, isDef ? -1 : i));
  if (under === null && i >= 0 && lanes.uniformity.isTerminator(i))
    reports.unshift(branchReport(at, lanes, fn.instrBlock[i]!));
  if (reports.every((report) => report.length === 0)) reports.push(functionReport(at, lanes));
  return `${[[head], ...reports.filter((r) => r.length > 0)].map((rows) => rows.join('\n')).join('\n\n')}\n`;
}

interface Operand {
  readonly v: number;
  readonly isDef: boolean;
}

function registerAt(fn: MachineFunction, i: InstrId, offset: number): Operand | null {
  for (let o = fn.opBegin[i] ?? 0; i >= 0 && o < fn.opBegin[i + 1]!; o++) {
    if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o]!)) continue;
    const { start, end } = fn.source!.operandRange(i, o - fn.opBegin[i]!);
    if (start <= offset && offset <= end) return operand(fn, o);
  }
  return null;
}

/** Registers that the instruction writes, or, if there are none, that it reads; each once. */
function registersOf(fn: MachineFunction, i: InstrId): Operand[] {
  const all = new Map<number, Operand>();
  for (let o = fn.opBegin[i] ?? 0; i >= 0 && o < fn.opBegin[i + 1]!; o++)
    if (fn.opKind[o] === OperandKind.Register && isVirtualReg(fn.opVal[o]!)) {
      const found = operand(fn, o);
      if (!all.has(found.v)) all.set(found.v, found);
    }
  const defs = [...all.values()].filter((found) => found.isDef);
  return defs.length > 0 ? defs : [...all.values()];
}

const operand = (fn: MachineFunction, o: number): Operand => ({
  v: virtRegIndex(fn.opVal[o]!),
  isDef: (fn.opFlags[o]! & OpFlag.Def) !== 0,
});
