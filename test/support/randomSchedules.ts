/** Small functions for the machine scheduler: one of our generators, a processor, a strategy and other options of it. */
import type { Question } from './answers.js';
import { Random } from './damageInputs.js';
import { randomIglp } from './randomIglp.js';
import { MEMORY_ARGS, randomMemory } from './randomMemory.js';
import { MFMA_ARGS, randomMfma } from './randomMfma.js';
import { randomPressure } from './randomPressure.js';
import { randomRegions } from './randomRegions.js';
import { randomRemat } from './randomRemat.js';
import { highPressure, RANDOM_ARGS, randomSchedule } from './randomSchedule.js';
import { randomTiny } from './randomTiny.js';

const OPTIONS = [
  '-amdgpu-sched-strategy=max-ilp',
  '-amdgpu-sched-strategy=max-memory-clause',
  '-amdgpu-sched-strategy=iterative-ilp',
  '-amdgpu-sched-strategy=iterative-minreg',
  '-amdgpu-sched-strategy=iterative-maxocc',
  '-misched=gcn-iterative-max-occupancy-experimental',
  '-misched=converge',
  '-misched=converge',
  '-misched=ilpmax',
  '-misched=ilpmin',
  '-amdgpu-use-amdgpu-trackers',
  '-amdgpu-disable-unclustered-high-rp-reschedule',
  '-amdgpu-disable-clustered-low-occupancy-reschedule',
  '-amdgpu-schedule-relaxed-occupancy',
  '-amdgpu-schedule-metric-bias=0',
  '-amdgpu-scheduler-pending-queue-limit=0',
  '-misched-cluster=0',
  '-misched-prera-direction=topdown',
  '-misched-prera-direction=bottomup',
  '-misched-prera-direction=bidirectional',
  '-misched-dcpl',
  '-misched-regpressure=0',
  '-enable-aa-sched-mi',
  '-dag-maps-huge-region=10',
  '-schedmodel=0',
];
const LIMITS = ['"amdgpu-waves-per-eu"="1,10"', '"amdgpu-num-vgpr"="24"', '"amdgpu-waves-per-eu"="8,10"'];
const PROCESSORS = 'gfx90a gfx942 gfx950 gfx908 gfx900 gfx1030 gfx1100 gfx1201 gfx1250 gfx704'.split(' ');

export function randomSchedules(seed: number): Question {
  const random = new Random(seed);
  const cpu = (args: readonly string[]): string[] =>
    args.map((a) => (a.startsWith('-mcpu=') ? `-mcpu=${random.pick(PROCESSORS)}` : a));
  const scheduled = (input: string, args: readonly string[]): Question => {
    const some = Array.from({ length: random.below(3) }, () => random.pick(OPTIONS));
    return { input, args: [...new Set([...args, '-run-pass=machine-scheduler', ...some])] };
  };
  const sometimes = (n: number): number => (random.chance(30) ? n : 0);
  switch (random.below(10)) {
    case 0:
      return randomRegions(seed);
    case 1:
      return randomTiny(seed);
    case 2:
      return randomIglp(seed);
    case 3:
    case 4: {
      const shape = { inlineAsm: sometimes(10), debugValues: sometimes(10), groupBarriers: sometimes(8) };
      const limit = random.chance(50) ? { attributes: random.pick(LIMITS) } : {};
      return scheduled(randomPressure(seed, { size: 8 + random.below(60), ...shape, ...limit }), cpu(MEMORY_ARGS));
    }
    case 5:
      return scheduled(randomSchedule(seed, { size: 6 + random.below(25), blocks: 1 + random.below(3) }), RANDOM_ARGS);
    case 6: {
      const input = randomRemat(seed);
      return scheduled(input, [/-mtriple=\S+/.exec(input)![0], /-mcpu=\S+/.exec(input)![0]]);
    }
    case 7:
      return scheduled(randomMfma(seed), MFMA_ARGS);
    case 8:
      return scheduled(randomMemory(seed, 10 + random.below(20)), cpu(MEMORY_ARGS));
    default:
      return scheduled(highPressure(seed), cpu(MEMORY_ARGS));
  }
}
