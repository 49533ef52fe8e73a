/** How llc's register allocator comes to its result: what each register got, and every decision. */
import { printAllocationTrace, partText, type AllocationLabels } from '../../passes/regalloc/trace/traceText.js';
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { ProgressToken } from '../../util/cancellation.js';
import { oneLine } from '../../text/visible.js';
import { ELSEWHERE, type Elsewhere, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import {
  allocatedViewAt,
  allocationTarget,
  expectedOccupancy,
  notAllocated,
  type AllocationParams,
} from './allocation.js';
import { answerLines } from './allocationAnswer.js';
import { allocatedText } from './allocationWords.js';
import { wasteText } from './wasteText.js';
import { nameOf } from '../words/registerNames.js';

export function allocationLabels(fn: MachineFunction, lineOf: (start: number) => number): AllocationLabels {
  return {
    line: (i) => (i < 0 || fn.source === null || i >= fn.nInstrs ? 0 : lineOf(fn.source.instrRange(i).start)),
    vreg: (v) => nameOf(fn, v),
  };
}

/** `where each register is`: a line per register of the source with its parts in order. */
export function placesOfRegisters(
  allocated: AllocatedFunction,
  fn: MachineFunction,
  labels: AllocationLabels,
  vreg: number | null,
): string[] {
  const byVReg = new Map<number, string[]>();
  for (const part of allocated.parts) {
    if (part.vreg < 0 || part.vreg >= fn.vregs.n || (vreg !== null && part.vreg !== vreg)) continue;
    const own = byVReg.get(part.vreg) ?? [];
    byVReg.set(part.vreg, own);
    own.push(partText(part, allocated.fn, (i) => labels.line(i)));
  }
  return [...byVReg].sort((a, b) => a[0] - b[0]).map(([v, texts]) => `${nameOf(fn, v)}: ${texts.join('; then ')}`);
}

const labelsOf = (snapshot: Snapshot, view: FunctionView, fn: MachineFunction): AllocationLabels =>
  allocationLabels(fn, (start) => snapshot.text.lineAt(view.start + start) + 1);

/** `amdgpuMir/explainAllocation`: text with 1-based line numbers. */
export function provideAllocationExplanation(
  snapshot: Snapshot,
  { position }: AllocationParams,
  token: ProgressToken,
): string | Elsewhere | null {
  const view = allocatedViewAt(snapshot, position);
  if (view === null) return `${notAllocated(snapshot, null)}\n`;
  const state = view.allocate(token, true);
  if (state.kind === 'cancelled') return null;
  if (state.kind === 'large') return ELSEWHERE;
  const { fn } = view;
  if (state.kind === 'none' || fn === null)
    return `${notAllocated(snapshot, view, state.kind === 'none' ? state.why : '')}\n`;
  const { allocated } = state;
  const labels = labelsOf(snapshot, view, fn);
  const head = `@${oneLine(view.name)}  ${allocationTarget(snapshot, view)}`;
  const places = placesOfRegisters(allocated, fn, labels, null);
  const summary = allocatedText(allocated, expectedOccupancy(view));
  const trace = printAllocationTrace(allocated, { vreg: null, labels });
  const answer = answerLines(allocated, labels);
  return `${head}\n${answer.map((line) => `${line}\n`).join('')}${summary}\n${wasteText(allocated)}\nwhere each register is\n${places.map((p) => `  ${p}\n`).join('')}\n${trace}`;
}
