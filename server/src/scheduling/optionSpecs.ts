/** The options of llc that the machine scheduler looks at, apart from their meaning: every llc run must know their names. */
import type { OptionSpec } from '../util/llcOption.js';
import { SCHEDULER_MODELS } from './schedulerModel.js';

export const REWRITE_MFMA = 'amdgpu-disable-rewrite-mfma-form-sched-stage';

export const SCHEDULE_OPTION_SPECS: readonly OptionSpec[] = [
  // ours, not one of llc's
  { name: 'model', kind: 'string', values: SCHEDULER_MODELS },
  { name: 'misched', kind: 'string' },
  { name: 'enable-misched', kind: 'flag' },
  { name: 'misched-dcpl', kind: 'flag' },
  { name: 'misched-cluster', kind: 'flag' },
  { name: 'misched-fusion', kind: 'flag' },
  { name: 'misched-prera-direction', kind: 'string', values: ['topdown', 'bottomup', 'bidirectional'] },
  { name: 'enable-aa-sched-mi', kind: 'flag' },
  { name: 'verify-misched', kind: 'flag' },
  { name: 'amdgpu-sched-strategy', kind: 'string' },
  { name: 'amdgpu-use-amdgpu-trackers', kind: 'flag' },
  { name: 'amdgpu-disable-unclustered-high-rp-reschedule', kind: 'flag' },
  { name: 'amdgpu-disable-clustered-low-occupancy-reschedule', kind: 'flag' },
  // of LLVM main
  { name: REWRITE_MFMA, kind: 'flag' },
  { name: 'amdgpu-schedule-relaxed-occupancy', kind: 'flag' },
  { name: 'amdgpu-schedule-metric-bias', kind: 'int' },
  { name: 'amdgpu-scheduler-pending-queue-limit', kind: 'int' },
  { name: 'amdgpu-barrier-signal-wait-latency', kind: 'int' },
  { name: 'amdgpu-igrouplp-exact-solver', kind: 'flag' },
  { name: 'amdgpu-igrouplp-exact-solver-cutoff', kind: 'int' },
  { name: 'amdgpu-igrouplp-exact-solver-max-branches', kind: 'int' },
  { name: 'amdgpu-igrouplp-exact-solver-cost-heur', kind: 'flag' },
];
