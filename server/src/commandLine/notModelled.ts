/**
 * Options of llc that change schedules or pressures and that nothing here models; those that change what a run of llc reads and prints
 * besides are in program/notModelled.ts. Every other option is either implemented by what reads its value, or belongs to a pass that does
 * not run here.
 */
import { withDashes, type Occurrence } from './commandLine.js';

/** `NAME;VALUES;WHY`: an expression for values with which the option changes nothing. */
const CHANGES_NUMBERS = String.raw`
misched;(?!(?:si|r600|hexagon|ppc-prera|ppc-postra)$).*;schedules with the SI scheduler or with that of another target, in which llc-22 crashes on some functions
misched-limit;(?!0$).*;keeps llc-22 from ending
dag-maps-huge-region;(?![01]$).*;makes llc-22 read outside of a list
dag-maps-reduction-size;(?!0$).*;makes llc-22 read outside of a list
enable-subreg-liveness;true;changes live intervals
basic-aa-recphi;true;changes dependences between memory operations
basic-aa-separate-storage;true;changes dependences between memory operations
capture-tracking-max-uses-to-explore;100;changes dependences between memory operations
dom-tree-reachability-max-bbs-to-explore;32;changes dependences between memory operations
object-size-offset-visitor-max-visit-instructions;100;changes dependences between memory operations
amdhsa-code-object-version;6;changes the arguments of kernels
amdgpu-stress-vgpr;0;leaves fewer registers
amdgpu-stress-sgpr;0;leaves fewer registers
amdgpu-stress-agpr;0;leaves fewer registers
amdgpu-vgpr-threshold-percent;0;changes limits of the scheduler
regalloc-csr-cost-scale;80;changes costs of registers
sched-model-reservation-station-scale-factor;1;changes the scheduling model
twoaddr-analyze-revcopy-tied;true;changes which operands are commuted
mcpu;(?!native$).*;means the processor of this machine
`;

/** Says that and why amdgpu-mir cannot do as llc with this option, if it is one of `table` with a value that matters; else null. */
export function reasonIn(table: string, { name, value }: Occurrence): string | null {
  const at = table.indexOf(`\n${name};`);
  if (at < 0) return null;
  const [, harmless = '', why = ''] = table.slice(at + 1, table.indexOf('\n', at + 1)).split(';');
  if (new RegExp(`^(?:${harmless})$`).test(String(value))) return null;
  return `amdgpu-mir does not model the option '${withDashes(name)}': it ${why}`;
}

/** The same for those options that change schedules or pressures. */
export const whyNumbersDiffer = (given: Occurrence): string | null => reasonIn(CHANGES_NUMBERS, given);
