/** Hover on a block: what lives in and out, how often it runs, its loop, where it goes. */
import { computeBlockFrequencies } from '../../analysis/blockFrequency.js';
import { DominatorTree } from '../../analysis/dominators.js';
import { LoopInfo } from '../../analysis/loops.js';
import type { PressureSummary } from '../../analysis/summary.js';
import type { BlockId, MachineFunction } from '../../model/machineFunction.js';
import { RegKind } from '../../target/index.js';
import { code, joined, rich, type Markdown } from '../words/markdown.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { laneBlockLines } from '../uniformity/laneText.js';
import { plural, ratioText } from '../words/numbers.js';

const MAX_REGISTERS = 16;
/** Denominator of `probabilities`. */
const PROBABILITY_ONE = 0x80000000;

/** Lines about the block `bb.<number>` of a function; null when the function could not be read or has no such block. */
export function blockLines(snapshot: Snapshot, view: FunctionView, number: number): Markdown[] | null {
  const { fn, summary } = view;
  if (!fn) return null;
  const b = fn.blocks.findIndex((block) => block.sourceNumber === number);
  if (b < 0) return null;
  const block = fn.blocks[b]!;
  const name = `bb.${number}${block.irName ? `.${block.irName}` : ''}`;
  const lines = [
    rich`**${code(name)}**: ${plural(fn.blockEnd[b]! - fn.blockBegin[b]!, 'instruction')}, ${frequencyText(fn, b)}`,
  ];
  if (summary) {
    lines.push(rich`live-in ${borderText(summary, b, 'in')}`, rich`live-out ${borderText(summary, b, 'out')}`);
  }
  const physical = block.liveIns.slice(0, MAX_REGISTERS).map((l) => code(`$${fn.tables.regName(l.reg)}`));
  if (physical.length > 0)
    lines.push(
      rich`liveins: ${joined(physical, ', ')}${MAX_REGISTERS < block.liveIns.length ? `, ${block.liveIns.length - MAX_REGISTERS} more` : ''}`,
    );
  lines.push(rich`${successorsText(fn, b)}`, ...laneBlockLines(snapshot, view, b));
  return lines;
}

function frequencyText(fn: MachineFunction, b: BlockId): string {
  const loops = new LoopInfo(fn.blocks, new DominatorTree(fn.blocks));
  const frequencies = computeBlockFrequencies(fn.blocks, loops);
  const loop = loops.loopOf[b]!;
  const depth = loop < 0 ? 0 : loops.loops[loop]!.depth;
  const isHeader = 0 <= loop && loops.loops[loop]!.header === b;
  const inLoop = depth === 0 ? 'in no loop' : `${isHeader ? 'header of a loop' : 'in a loop'} of depth ${depth}`;
  const entry = frequencies[0] ?? 0n;
  const own = frequencies[b] ?? 0n;
  if (own === 0n || entry === 0n) return `not reached from the entry, ${inLoop}`;
  return `${runsText(Number(own) / Number(entry))}, ${inLoop}`;
}

/** `runs 1x per call`, else the probabilities of branches decide, and nobody has measured those: `runs 31x per call (estimate)` */
const runsText = (ratio: number): string => `runs ${ratioText(ratio)} per call${ratio === 1 ? '' : ' (estimate)'}`;

/** `VGPR 41, SGPR 12: %1, %5, ...` */
function borderText(summary: PressureSummary, b: BlockId, side: 'in' | 'out'): Markdown {
  const { fn, borders } = summary;
  const p = summary.borderPressure(b, side);
  const counts = [`VGPR ${p[RegKind.VGPR]! + p[RegKind.AVGPR]!}`, `SGPR ${p[RegKind.SGPR]!}`];
  if (p[RegKind.AGPR]! > 0) counts.push(`AGPR ${p[RegKind.AGPR]!}`);
  const sets = side === 'in' ? borders.liveIn : borders.liveOut;
  const first = sets.begin[b]!;
  const last = sets.begin[b + 1]!;
  const names: string[] = [];
  for (let k = first; k < Math.min(last, first + MAX_REGISTERS); k++) {
    const v = sets.vreg[k]!;
    names.push(`%${fn.vregs.name[v] ?? fn.vregs.sourceNumber[v]! >>> 0}`);
  }
  const more = first + MAX_REGISTERS < last ? `, ${last - first - MAX_REGISTERS} more` : '';
  return names.length > 0 ? rich`${counts.join(', ')}: ${code(names.join(', '))}${more}` : rich`${counts.join(', ')}`;
}

function successorsText(fn: MachineFunction, b: BlockId): string {
  const { successors, probabilities, predecessors, explicitSuccessors } = fn.blocks[b]!;
  const label = (s: BlockId): string => `bb.${fn.blocks[s]!.sourceNumber}`;
  const to = successors.map((s, k) => {
    const probability = probabilities[k];
    if (successors.length < 2 || probability === undefined) return label(s);
    return `${label(s)} ${Number(((100 * (probability >>> 0)) / PROBABILITY_ONE).toFixed(1))}%`;
  });
  const from = predecessors.map(label);
  const next = to.length > 0 ? `goes to ${to.join(', ')}${explicitSuccessors ? '' : ' (not spelled)'}` : 'goes nowhere';
  return from.length > 0 ? `${next}; comes from ${from.slice(0, MAX_REGISTERS).join(', ')}` : next;
}
