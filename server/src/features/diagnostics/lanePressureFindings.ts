/**
 * Lane masks and waterfall loops that cost a wave, for those who ask for findings about pressure: without the registers that they hold where a bank has most of
 * them, the function would reach the next wave count. In the order of the file.
 */
import { DominatorTree } from '../../analysis/dominators.js';
import { liveAt } from '../../analysis/liveAt.js';
import { LoopInfo } from '../../analysis/loops.js';
import { Bank, type OccupancyStep, type PressureSummary } from '../../analysis/summary.js';
import { LaneValue } from '../../analysis/uniformity/laneValues.js';
import { OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { VRegId } from '../../model/register.js';
import { RegKind } from '../../target/api.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import type { FunctionView } from '../snapshot/snapshot.js';
import { plural } from '../words/numbers.js';
import { namesText } from '../words/registerNames.js';

const READ_FIRST_LANE = new OpcodePattern(/^V_READFIRSTLANE_B32$/);
const SAVE_EXEC = new OpcodePattern(/^S_AND_SAVEEXEC_B(?:32|64)(?:_term)?$/);
/** The loops that si-legalize-operands makes have a block or two. */
const MAX_BLOCKS = 3;
const MAX_RELATED = 6;

/** Offsets absolute. O(operands) */
export function lanePressureFindings(view: FunctionView): Diagnostic[] {
  const { summary, fn } = view;
  if (summary === null || !fn?.source || summary.usedRegisters.kind !== 'virtual') return [];
  return [...maskFindings(view, summary), ...waterfallFindings(view, summary)];
}

function maskFindings(view: FunctionView, summary: PressureSummary): Diagnostic[] {
  const { fn, occupancy, peaks } = summary;
  const { lanes } = view;
  const { value, instr } = peaks[Bank.SGPR]!;
  const step = occupancy.sgprStepUp;
  if (lanes === null || step === null || instr < 0) return [];
  const masks = liveAt(summary, instr)
    .filter(({ vreg, kind }) => kind === (RegKind.SGPR as number) && lanes.atDef(vreg) === LaneValue.LaneMask)
    .sort((a, b) => a.vreg - b.vreg);
  const held = masks.reduce((n, { weight }) => n + weight, 0);
  if (held < step.registers) return [];
  const names = namesText(
    fn,
    masks.map(({ vreg }) => vreg),
  );
  const message =
    `lane masks cost a wave: ${names} hold ${held} of the ${value} SGPRs that live here, ${needText(step)}; ` +
    'a comparison made again where its mask is used, or a divergent region that ends before this, frees them';
  const related = masks.slice(0, MAX_RELATED).flatMap(({ vreg }) => {
    const def = definitionOf(fn, vreg);
    return def < 0 ? [] : [{ ...rangeOf(view, def), message: 'a mask is made here' }];
  });
  return [finding(view, instr, 'mask-pressure', message, related)];
}

const needText = ({ occupancy, registers }: OccupancyStep): string =>
  `and ${plural(occupancy, 'wave')} need${occupancy === 1 ? 's' : ''} ${registers} fewer (as written)`;

/** A loop that takes lanes with the same operands at a time, around the place with most VGPRs. */
function waterfallFindings(view: FunctionView, summary: PressureSummary): Diagnostic[] {
  const { fn, occupancy, peaks } = summary;
  const { value, instr } = peaks[Bank.VGPR]!;
  const step = occupancy.vgprStepUp;
  if (step === null || instr < 0) return [];
  const { loops, loopOf } = new LoopInfo(fn.blocks, new DominatorTree(fn.blocks));
  const loop = loopOf[fn.instrBlock[instr]!]!;
  if (loop < 0) return [];
  const blocks = fn.blocks.flatMap((_, b): BlockId[] => (loopOf[b] === loop ? [b] : []));
  if (blocks.length > MAX_BLOCKS) return [];
  const reads: InstrId[] = [];
  let savesExec = false;
  for (const b of blocks)
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      savesExec ||= SAVE_EXEC.has(fn.tables, fn.opcode[i]!);
      if (READ_FIRST_LANE.has(fn.tables, fn.opcode[i]!)) reads.push(i);
    }
  if (reads.length === 0 || !savesExec) return [];
  const operands = new Set(reads.flatMap((i) => vectorReads(fn, i)));
  const weights = new Map(liveAt(summary, instr).map(({ vreg, weight }) => [vreg, weight]));
  const held = [...operands].reduce((n, v) => n + (weights.get(v) ?? 0), 0);
  if (held < step.registers) return [];
  const header = fn.blocks[loops[loop]!.header]!.sourceNumber;
  const message =
    `the waterfall loop at bb.${header} costs a wave: what it makes uniform (${namesText(fn, [...operands])}) holds ${held} of the ${value} VGPRs that live at its peak, ` +
    `${needText(step)}; an operand that is uniform needs no loop and no VGPRs ("Why Does This Differ Between Lanes?" says why it is not)`;
  return [
    finding(view, reads[0]!, 'waterfall-pressure', message, [{ ...rangeOf(view, instr), message: 'the peak is here' }]),
  ];
}

function vectorReads(fn: MachineFunction, i: InstrId): VRegId[] {
  const found: VRegId[] = [];
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
    if (fn.opVal[o]! < 0 && (fn.opFlags[o]! & (OpFlag.Def | OpFlag.Undef)) === 0) found.push(~fn.opVal[o]!);
  return found;
}

function definitionOf(fn: MachineFunction, v: VRegId): InstrId {
  for (let i = 0; i < fn.nInstrs; i++)
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] === ~v && (fn.opFlags[o]! & OpFlag.Def) !== 0) return i;
  return -1;
}

function rangeOf({ fn, start: base }: FunctionView, i: InstrId): { start: number; end: number } {
  const { start, end } = fn!.source!.instrRange(i);
  return { start: base + start, end: base + end };
}

function finding(
  view: FunctionView,
  i: InstrId,
  code: string,
  message: string,
  related: NonNullable<Diagnostic['related']>,
): Diagnostic {
  const origin = DiagnosticOrigin.Ours;
  return { ...rangeOf(view, i), severity: Severity.Information, origin, code, message, related };
}
