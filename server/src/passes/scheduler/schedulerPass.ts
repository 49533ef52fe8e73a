/** `-run-pass=machine-scheduler`: the GCN machine scheduler with llc's options. */
import type { MachinePass } from '../machinePass.js';
import { runScheduler } from './schedulerRun.js';

export const machineSchedulerPass: MachinePass = {
  name: 'machine-scheduler',
  pipelineName: 'machine-scheduler',
  title: 'Machine Instruction Scheduler',
  intervals: 'computes',
  run: (fn, context, hasIntervals) => runScheduler(fn, context, { hasIntervals }),
};
