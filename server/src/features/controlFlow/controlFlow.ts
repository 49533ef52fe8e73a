/**
 * The control flow of a function as data for a picture (`amdgpuMir/controlFlow`): blocks with frequency, loop depth, pressure and divergence, edges with
 * probabilities, and the same as a table of text.
 */
import type { Position } from 'vscode-languageserver-types';
import { computeBlockFrequencies } from '../../analysis/blockFrequency.js';
import { DominatorTree } from '../../analysis/dominators.js';
import { LoopInfo } from '../../analysis/loops.js';
import { Bank, PressureSummary } from '../../analysis/summary.js';
import type { BlockId, MachineFunction } from '../../model/machineFunction.js';
import { oneLine } from '../../text/visible.js';
import { vectorCount } from '../words/pressureText.js';
import { targetText, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import { foreignText } from '../../program/targetOfFile.js';
import type { ControlFlow, FlowBlock, FlowEdge } from './controlFlowData.js';
import { ratioText, plural } from '../words/numbers.js';

/** Denominator of probabilities. */
const PROBABILITY_ONE = 0x80000000;

/** Null where no function is. O(instructions) */
export function provideControlFlow(
  snapshot: Snapshot,
  { position }: { readonly position: Position },
): ControlFlow | null {
  const view = snapshot.functionAt(snapshot.text.offsetAt(position)) ?? snapshot.functions[0];
  if (!view) return null;
  const { fn } = view;
  const head = { function: view.name, target: targetText(snapshot, view), llvm: snapshot.subtarget.release.version };
  if (!fn?.source || fn.blocks.length === 0) {
    const { foreign } = snapshot.target;
    const problem = foreign === '' ? 'no blocks that could be read' : foreignText(foreign, snapshot.model.release);
    return { ...head, blocks: [], edges: [], headline: '', problem, text: `${problem}\n` };
  }
  const dominators = new DominatorTree(fn.blocks);
  const loops = new LoopInfo(fn.blocks, dominators);
  const blocks = blocksOf(snapshot, view, fn, loops);
  const edges = edgesOf(fn, dominators);
  const headline = headlineOf(blocks, loops);
  const problem = view.summary ? '' : 'the function has errors: no pressure is known';
  return {
    ...head,
    blocks,
    edges,
    headline,
    problem,
    text: tableText(`${oneLine(view.name)}, ${head.target}: ${headline}`, blocks, edges),
  };
}

function blocksOf(snapshot: Snapshot, view: FunctionView, fn: MachineFunction, loops: LoopInfo): FlowBlock[] {
  const { text } = snapshot;
  const { summary, lanes } = view;
  const frequencies = computeBlockFrequencies(fn.blocks, loops);
  const entry = Number(frequencies[0] ?? 0n);
  const joins = new Set<BlockId>();
  const parts = new Set<BlockId>();
  for (const [b, found] of lanes?.uniformity.joinsOfBranch ?? []) {
    if (fn.blocks[b]!.successors.length > 1) parts.add(b);
    for (const join of found.joins) joins.add(join);
  }
  const isVirtual = summary?.usedRegisters.kind === 'virtual';
  const most = fn.blocks.map((_, b) => (isVirtual ? mostOf(summary!, b) : null));
  const peak = Math.max(0, ...most.map((m) => m?.vectors ?? 0));
  const lineOf = (at: number): number => text.lineAt(Math.min(text.length, view.start + at));
  return fn.blocks.map((block, b) => {
    const line = lineOf(fn.source!.blockLabelRange(b).start);
    const isLast = b + 1 === fn.blocks.length;
    const behind = isLast
      ? lineOf(fn.source!.blockRange(b).end - 1) + 1
      : lineOf(fn.source!.blockLabelRange(b + 1).start);
    const loop = loops.loopOf[b]!;
    const own = Number(frequencies[b] ?? 0n);
    const m = most[b] ?? null;
    return {
      name: oneLine(`bb.${block.sourceNumber}${block.irName === null ? '' : `.${block.irName}`}`),
      line,
      lastLine: Math.max(line, behind - 1),
      instructions: fn.blockEnd[b]! - fn.blockBegin[b]!,
      frequency: own === 0 || entry === 0 ? '' : ratioText(own / entry),
      depth: loop < 0 ? 0 : loops.loops[loop]!.depth,
      isLoopHeader: loop >= 0 && loops.loops[loop]!.header === b,
      pressure: m?.text ?? '',
      heat: m === null ? -1 : peak === 0 ? 0 : m.vectors / peak,
      isPeak: m !== null && peak > 0 && m.vectors === peak,
      isDivergent: parts.has(b),
      isJoin: joins.has(b),
    };
  });
}

/** Most registers of the block's instructions. */
function mostOf(summary: PressureSummary, b: BlockId): { readonly text: string; readonly vectors: number } {
  const { fn } = summary;
  let vectors = 0;
  const banks = [
    { name: 'VGPR', bank: Bank.VGPR, most: 0 },
    { name: 'SGPR', bank: Bank.SGPR, most: 0 },
    { name: 'AGPR', bank: Bank.AGPR, most: 0 },
  ];
  for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
    const i = fn.order[p]!;
    vectors = Math.max(vectors, vectorCount(summary, i));
    for (const each of banks) each.most = Math.max(each.most, PressureSummary.count(summary.up.at, each.bank, i));
  }
  const shown = banks.filter(({ bank, most }) => bank !== Bank.AGPR || most > 0);
  return { vectors, text: shown.map(({ name, most }) => `${name} ${most}`).join(', ') };
}

function edgesOf(fn: MachineFunction, dominators: DominatorTree): FlowEdge[] {
  return fn.blocks.flatMap(({ successors, probabilities }, from) =>
    successors.map((to, k) => ({
      from,
      to,
      probability:
        successors.length < 2 || probabilities[k] === undefined
          ? ''
          : `${Number(((100 * (probabilities[k]! >>> 0)) / PROBABILITY_ONE).toFixed(1))}%`,
      isBack: dominators.treeIn[from] !== -1 && dominators.dominates(to, from),
    })),
  );
}

function headlineOf(blocks: readonly FlowBlock[], { loops }: LoopInfo): string {
  const depth = Math.max(0, ...blocks.map((b) => b.depth));
  const divergent = blocks.filter((b) => b.isDivergent).length;
  return [
    plural(blocks.length, 'block'),
    loops.length === 0 ? 'no loop' : `${plural(loops.length, 'loop')}${depth > 1 ? `, depth ${depth}` : ''}`,
    divergent === 0
      ? 'no divergent branch'
      : divergent === 1
        ? '1 divergent branch'
        : `${divergent} divergent branches`,
  ].join(', ');
}

/** What is said of a block besides its numbers. */
const marksOf = ({ isLoopHeader, depth, isDivergent, isJoin, isPeak, frequency }: FlowBlock): string[] => [
  ...(frequency === '' ? ['not reached'] : []),
  ...(isLoopHeader ? ['loop header'] : []),
  ...(depth > 0 ? [`loop depth ${depth}`] : []),
  ...(isPeak ? ['live peak'] : []),
  ...(isDivergent ? ['divergent branch'] : []),
  ...(isJoin ? ['lanes meet'] : []),
];

const runsText = (frequency: string): string =>
  frequency === '' ? '' : `runs ${frequency}${frequency === '1x' ? '' : ' (estimate)'}`;

function tableText(title: string, blocks: readonly FlowBlock[], edges: readonly FlowEdge[]): string {
  const from: FlowEdge[][] = blocks.map(() => []);
  for (const edge of edges) from[edge.from]!.push(edge);
  const rows = blocks.map((block, b) => {
    const to = from[b]!.map(
      (e) => `${blocks[e.to]!.name}${e.probability && ` ${e.probability}`}${e.isBack ? ' (back)' : ''}`,
    );
    const { name, line, instructions, frequency, pressure } = block;
    const facts = [
      `line ${line + 1}`,
      plural(instructions, 'instruction'),
      runsText(frequency),
      pressure,
      ...marksOf(block),
    ];
    return `  ${name}: ${facts.filter((f) => f !== '').join(', ')}${to.length > 0 ? `; to ${to.join(', ')}` : ''}`;
  });
  return `${[title, ...rows].join('\n')}\n`;
}
