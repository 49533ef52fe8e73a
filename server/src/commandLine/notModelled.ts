/**
 * Options of llc that change what runs here (reading, printing, verifying, the machine scheduler, the pressure printer) and that nothing
 * here models. Every other option is either implemented by what reads its value, or belongs to a pass that does not run here.
 */
import { withDashes, type Occurrence } from './commandLine.js';

/** `NAME;VALUES;WHY`: values, split by `|`, with which the option changes nothing. */
const NOT_MODELLED = `
misched-limit;256;limits how far the scheduler looks ahead
misched-cyclicpath;true;changes the heuristics of the scheduler
misched-regpressure;true;changes the heuristics of the scheduler
misched-resource-cutoff;10;changes the heuristics of the scheduler
misched-dump-schedule-trace;false;prints a trace
misched-postra;false;schedules with another scheduler
force-fast-cluster;false;changes which memory operations are clustered
fast-cluster-threshold;1000;changes which memory operations are clustered
schedmodel;true;changes latencies and resources
scheditins;true;changes latencies and resources
sched-high-latency-cycles;10;changes latencies
sched-model-force-enable-intervals;false;changes latencies and resources
dag-maps-huge-region;1000;changes dependences in large regions
dag-maps-reduction-size;0;changes dependences in large regions
amdgpu-use-aa-in-codegen;true;changes dependences between memory operations
use-tbaa-in-sched-mi;true;changes dependences between memory operations
amdgpu-mfma-padding-ratio;0;pads sequences of matrix instructions when scheduling
amdgpu-mfma-vgpr-form;false;changes register classes of matrix instructions
amdgpu-print-max-reg-pressure-regusage-before-scheduler;false;prints pressures
amdgpu-print-max-reg-pressure-regusage-after-scheduler;false;prints pressures
`;

/** Says that and why amdgpu-mir cannot do as llc with this option, null where it can. */
export function whyNotModelled({ name, value }: Occurrence): string | null {
  const at = NOT_MODELLED.indexOf(`\n${name};`);
  if (at < 0) return null;
  const [, harmless = '', why = ''] = NOT_MODELLED.slice(at + 1, NOT_MODELLED.indexOf('\n', at + 1)).split(';');
  return harmless.split('|').includes(String(value))
    ? null
    : `amdgpu-mir does not model the option '${withDashes(name)}': it ${why}`;
}
