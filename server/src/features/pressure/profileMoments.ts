/** One file of registers along a function as it is written, as it is scheduled and as its registers are allocated. */
import { DominatorTree } from '../../analysis/dominators.js';
import { LoopInfo } from '../../analysis/loops.js';
import { Bank, PressureSummary } from '../../analysis/summary.js';
import { BundleFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { heldAt, type BankName } from '../../program/heldRegisters.js';
import type { ProgressToken } from '../../util/cancellation.js';
import { layoutOf } from '../snapshot/locate.js';
import { MemoryKey } from '../snapshot/memory.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { vectorCount } from '../words/pressureText.js';
import { allocatedFiles } from './allocatedFiles.js';
import type { ProfileMoment, ProfileMomentBlock } from './profileData.js';

/** Banks that a series adds up. */
const BANKS_OF: Readonly<Record<string, readonly BankName[]>> = {
  'VGPR + AGPR': ['VGPR', 'AGPR'],
  VGPR: ['VGPR'],
  AGPR: ['AGPR'],
  SGPR: ['SGPR'],
};

const BANK = { VGPR: Bank.VGPR, AGPR: Bank.AGPR, SGPR: Bank.SGPR } as const;

const SCHEDULED = new MemoryKey<{ readonly of: MachineFunction; readonly summary: PressureSummary }>(
  'pressure of its schedule',
);

/** As far as they are known, or quickly made. `series`: a name that profiles have. */
export function momentsOf(
  snapshot: Snapshot,
  view: FunctionView,
  summary: PressureSummary,
  series: string,
  token: ProgressToken,
): ProfileMoment[] {
  const banks = BANKS_OF[series] ?? [];
  const lineOf = lineIn(snapshot, view);
  const written = view.stage?.stage === 'scheduled' ? 'as scheduled' : 'as written';
  const moments = [live(written, summary, banks, lineOf)];
  const { isBeforeScheduler } = view.allocationSetting;
  const schedule = isBeforeScheduler ? view.schedule(token) : null;
  if (schedule?.kind === 'ready') {
    const { fn } = schedule.schedule;
    const known = view.memory.known(SCHEDULED);
    const after = known?.of === fn ? known : view.memory.keep(SCHEDULED, { of: fn, summary: new PressureSummary(fn) });
    moments.push(live('scheduled', after.summary, banks, lineOf));
  }
  const state = view.allocate(token);
  if (state.kind === 'ready' && state.allocated.errors.length === 0)
    moments.push(allocated(state.allocated.fn, banks, lineOf));
  return moments;
}

/** From 1; 0: the file does not have it. */
function lineIn({ text }: Snapshot, { fn, start }: FunctionView): (i: InstrId) => number {
  const { source, nInstrs = 0 } = fn ?? {};
  return (i) => (!source || i < 0 || i >= nInstrs ? 0 : text.lineAt(start + source.instrRange(i).start) + 1);
}

const pointsOf = (fn: MachineFunction): InstrId[] =>
  [...layoutOf(fn)].filter((i) => (fn.bundle[i]! & BundleFlag.BundledPred) === 0);

function live(
  name: string,
  summary: PressureSummary,
  banks: readonly BankName[],
  lineOf: (i: InstrId) => number,
): ProfileMoment {
  const points = pointsOf(summary.fn);
  const values = points.map((i) =>
    banks.length > 1 ? vectorCount(summary, i) : PressureSummary.count(summary.up.at, BANK[banks[0]!], i),
  );
  const moment = momentOf(name, summary.fn, points, values, lineOf);
  if (moment.peak < 0) return moment;
  const weights = new Map<string, number>();
  for (const bank of banks)
    for (const { kind, weight } of heldAt(summary, points[moment.peak]!, bank, lineOf).groups)
      weights.set(kind, (weights.get(kind) ?? 0) + weight);
  const held = [...weights].sort((a, b) => b[1] - a[1]).map(([kind, weight]) => `${kind} ${weight}`);
  return { ...moment, held: held.join(', ') };
}

function allocated(fn: MachineFunction, banks: readonly string[], lineOf: (i: InstrId) => number): ProfileMoment {
  const points = pointsOf(fn);
  const files = allocatedFiles(fn, points);
  const usedOf = (bank: string, k: number): number => files.find(({ name }) => name === bank)?.used[k] ?? 0;
  // AGPRs begin at a multiple of four behind the VGPRs.
  const values = points.map((_, k) =>
    banks.length > 1 ? ((usedOf('VGPR', k) + 3) & ~3) + usedOf('AGPR', k) : usedOf(banks[0]!, k),
  );
  return momentOf('as llc ends', fn, points, values, lineOf);
}

function momentOf(
  name: string,
  fn: MachineFunction,
  points: readonly InstrId[],
  values: readonly number[],
  lineOf: (i: InstrId) => number,
): ProfileMoment {
  const lines = points.map((i) => lineOf(i) - 1);
  const blocks = blocksOf(fn, points);
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  const peak = most === 0 ? -1 : values.indexOf(most);
  const block = blocks.find(({ from, to }) => from <= peak && peak < to);
  const line = peak < 0 || lines[peak]! < 0 ? '' : `line ${lines[peak]! + 1}, `;
  const loop = block === undefined || block.loopDepth === 0 ? '' : ', in a loop';
  const place = block === undefined ? '' : ` at ${line}${block.name}:${peak - block.from}${loop}`;
  return { name, lines, values, peak, blocks, most: `${most}${place}`, held: '' };
}

function blocksOf(fn: MachineFunction, points: readonly InstrId[]): ProfileMomentBlock[] {
  const { loops, loopOf } = new LoopInfo(fn.blocks, new DominatorTree(fn.blocks));
  let at = 0;
  return fn.blocks.map(({ sourceNumber }, b) => {
    const from = at;
    while (at < points.length && fn.instrBlock[points[at]!] === b) at++;
    return { name: `bb.${sourceNumber}`, from, to: at, loopDepth: loopOf[b]! < 0 ? 0 : loops[loopOf[b]!]!.depth };
  });
}
