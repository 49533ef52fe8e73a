/** `-run-pass=machine-scheduler`: the GCN machine scheduler with llc's options. */
import { isSchedulerOn, SCHEDULE_OPTION_SPECS, scheduleOptions } from '../../scheduling/llcOptions.js';
import { scheduleFunction, SchedulerProcessState } from '../../scheduling/scheduleFunction.js';
import type { MachinePass, PassContext } from './passes.js';

/** What the scheduler carries from one function of a run to the next. */
const states = new WeakMap<PassContext, SchedulerProcessState>();

export const machineSchedulerPass: MachinePass = {
  name: 'machine-scheduler',
  pipelineName: 'machine-scheduler',
  options: SCHEDULE_OPTION_SPECS,
  run(fn, context) {
    if (!isSchedulerOn(context.options)) return fn;
    let state = states.get(context);
    if (state === undefined) {
      state = new SchedulerProcessState();
      states.set(context, state);
    }
    const { checkpoint } = context;
    const options = { ...scheduleOptions(context.options), ...(checkpoint ? { checkpoint } : {}) };
    const printsPaths = context.options.get('misched-dcpl') === true;
    return scheduleFunction(
      fn,
      printsPaths
        ? {
            ...options,
            onRegion: (b) => context.stderr(`${fn.header.name}:%bb. ${b} ${fn.blocks[b]?.irName ?? ''} \n`),
            onCriticalPath: (n) => context.stderr(`Critical Path(GS-RR ): ${n} \n`),
          }
        : options,
      state,
      context.module,
    ).fn;
  },
};
