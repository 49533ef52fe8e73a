/** Random options for a run of llc: those that put attributes on functions, those of the scheduler, those of other passes, wrong ones. */
import { readCommandLine } from '../../server/src/commandLine/commandLine.js';
import { whyNotModelled } from '../../server/src/program/notModelled.js';
import { allOptions } from '../../server/src/commandLine/optionTable.js';
import type { Random } from './damageInputs.js';
import { actsAtOnce, badValue, goodValues, isFrame, word } from './optionCases.js';

/** They name the passes to run. */
const CUTS = /^(?:start|stop)-(?:before|after)$/;

const MODES = ['ieee', 'preserve-sign', 'positive-zero', 'dynamic'];

/** Options that change the answer, with their values. */
const CHANGING: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['denormal-fp-math', MODES],
  ['denormal-fp-math-f32', MODES],
  ['frame-pointer', ['all', 'non-leaf', 'non-leaf-no-reserve', 'reserved', 'none']],
  ['enable-no-infs-fp-math', ['true', 'false']],
  ['enable-no-nans-fp-math', ['true', '0']],
  ['enable-no-signed-zeros-fp-math', ['1', 'false']],
  ['disable-tail-calls', ['true', 'false']],
  ['stackrealign', ['true', 'false']],
  ['trap-func', ['abort', '']],
  ['simplify-mir', ['true', 'false']],
  ['verify-machineinstrs', ['true', 'false']],
  ['mattr', ['-xnack', '+cumode', '']],
  ['enable-misched', ['true', 'false']],
  ['misched-cluster', ['true', 'false']],
  ['misched-fusion', ['true', 'false']],
  ['misched-prera-direction', ['topdown', 'bottomup', 'bidirectional']],
  ['enable-aa-sched-mi', ['true', 'false']],
  ['amdgpu-schedule-metric-bias', ['0', '10', '1000']],
  ['amdgpu-schedule-relaxed-occupancy', ['true', 'false']],
  ['amdgpu-disable-unclustered-high-rp-reschedule', ['true', 'false']],
  ['amdgpu-disable-clustered-low-occupancy-reschedule', ['true', 'false']],
  ['amdgpu-scheduler-pending-queue-limit', ['0', '1', '16']],
  ['O', ['0', '1', '2', '3']],
];

/** One to six words, of which llc and amdgpu-mir make the same. */
export function randomOptions(random: Random): string[] {
  const options = allOptions().filter((o) => !isFrame(o) && !actsAtOnce(o) && !CUTS.test(o.name));
  const words: string[] = [];
  for (let n = 1 + random.below(6); n > 0; n--) {
    const kind = random.below(100);
    const option = random.pick(options);
    if (kind < 55) {
      const [name, values] = random.pick(CHANGING);
      const value = random.pick(values);
      const dashes = random.chance(50) ? '-' : '--';
      // A flag takes no value from the next word.
      if (name === 'O') words.push(`-O${value}`);
      else if (random.chance(20) && !/^(?:true|false|0|1)$/.test(value)) words.push(`${dashes}${name}`, value);
      else words.push(value === 'true' && random.chance(50) ? `${dashes}${name}` : `${dashes}${name}=${value}`);
    } else if (kind < 95) {
      words.push(word(option, random.pick(goodValues(option))));
    } else if (kind < 98) {
      words.push(word(option, badValue(option)));
    } else {
      // A word that begins with h asks for help, of which each program has its own.
      if (!option.name.startsWith('h', 1)) words.push(`-${option.name.slice(1)}${random.below(9)}`);
    }
  }
  const { occurrences, errors } = readCommandLine(words);
  return errors.length === 0 && occurrences.some((given) => whyNotModelled(given) !== null)
    ? randomOptions(random)
    : words;
}
