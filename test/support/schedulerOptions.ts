/** Values of llc's options that steer the scheduler, and files of random functions to try them on. */
import { randomSource } from './random.js';
import { MEMORY_ARGS, randomMemory } from './randomMemory.js';
import { highPressure, RANDOM_ARGS, randomSchedule } from './randomSchedule.js';

/** Option words by the option, each with values that do something; `-verify-misched` ends llc on some of LLVM's own slips. */
export const SCHEDULER_OPTIONS: readonly (readonly string[])[] = [
  ['-misched=converge', '-misched=ilpmax', '-misched=ilpmin', '-misched=gcn-max-ilp', '-misched=gcn-max-memory-clause'],
  ['-misched-regpressure=0', '-misched-regpressure'],
  ['-misched-cyclicpath=0'],
  ['-misched-limit=1', '-misched-limit=3', '-misched-limit=12', '-misched-limit=100000'],
  ['-misched-prera-direction=topdown', '-misched-prera-direction=bottomup', '-misched-prera-direction=bidirectional'],
  ['-misched-cluster=0', '-misched-fusion=0', '-force-fast-cluster', '-fast-cluster-threshold=0'],
  ['-misched-dcpl'],
  ['-sched-model-force-enable-intervals'],
  ['-misched-resource-cutoff=0', '-misched-resource-cutoff=1', '-misched-resource-cutoff=3'],
  ['-schedmodel=0'],
  ['-dag-maps-huge-region=2', '-dag-maps-huge-region=5', '-dag-maps-huge-region=12'],
  ['-dag-maps-reduction-size=1', '-dag-maps-reduction-size=2'],
  ['-enable-aa-sched-mi=0', '-amdgpu-use-aa-in-codegen=0', '-disable-basic-aa'],
  ['-stress-regalloc=3', '-stress-regalloc=24', '-stress-regalloc=60'],
  ['-amdgpu-scheduler-pending-queue-limit=0', '-amdgpu-scheduler-pending-queue-limit=4'],
  ['-amdgpu-use-amdgpu-trackers'],
  ['-amdgpu-schedule-relaxed-occupancy', '-amdgpu-schedule-metric-bias=0', '-amdgpu-schedule-metric-bias=100'],
];

/** Two to five options, each at most once. */
export function randomOptions(seed: number): string[] {
  const below = randomSource(seed + 77);
  const chosen = new Map<number, string>();
  for (let n = 2 + below(4); n > 0; n--) {
    const at = below(SCHEDULER_OPTIONS.length);
    const values = SCHEDULER_OPTIONS[at];
    chosen.set(at, values[below(values.length)]);
  }
  return [...chosen.values()];
}

export interface RandomFile {
  readonly text: string;
  /** its target, as options of llc */
  readonly args: readonly string[];
}

/**
 * A file of `n` functions of all sorts of instructions or of high pressure, or of one that loads and stores through pointers of all sorts.
 * The same seed gives the same text.
 */
export function randomFile(seed: number, n: number): RandomFile {
  if (seed % 4 === 3) return { text: randomMemory(seed, 40), args: MEMORY_ARGS };
  const isHigh = seed % 3 === 2;
  let text = '';
  for (let k = 0; k < n; k++) {
    const s = seed * 1000 + k;
    const one = isHigh
      ? highPressure(s)
      : randomSchedule(s, { size: k % 4 === 3 ? 80 : 6 + (s % 36), blocks: 1 + (s % 4) });
    text += one.replace(/^#.*\n/gm, '').replace(/^name: f$/m, `name: f${k}`);
  }
  return { text, args: isHigh ? ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900'] : RANDOM_ARGS };
}
