/** Random questions for llc: functions of all our generators, texts that llc made from random IR, both with small changes. */
import { spawnSync } from 'node:child_process';
import type { Question } from './answers.js';
import { damage, type DamageKind } from './damage.js';
import { Random, ownInputs } from './damageInputs.js';
import { LLC } from './llc.js';
import { randomFunction } from './randomFunction.js';
import { randomIr } from './randomIr.js';
import { MEMORY_ARGS, randomMemory } from './randomMemory.js';
import { MFMA_ARGS, randomMfma } from './randomMfma.js';
import { moduleText } from './randomModule.js';
import { randomOpcodes } from './randomOpcodes.js';
import { randomRemat } from './randomRemat.js';
import { RANDOM_ARGS, highPressure, randomSchedule } from './randomSchedule.js';

const SCHEDULER_OPTIONS = [
  '-amdgpu-sched-strategy=max-ilp',
  '-amdgpu-sched-strategy=max-memory-clause',
  '-amdgpu-sched-strategy=iterative-ilp',
  '-amdgpu-sched-strategy=iterative-minreg',
  '-amdgpu-sched-strategy=iterative-maxocc',
  '-misched=gcn-max-ilp',
  '-misched=gcn-max-occupancy',
  '-misched=gcn-iterative-max-occupancy-experimental',
  '-amdgpu-use-amdgpu-trackers',
  '-amdgpu-disable-unclustered-high-rp-reschedule',
  '-amdgpu-disable-clustered-low-occupancy-reschedule',
  '-amdgpu-schedule-relaxed-occupancy',
  '-amdgpu-schedule-metric-bias=100',
  '-amdgpu-schedule-metric-bias=0',
  '-amdgpu-scheduler-pending-queue-limit=0',
  '-misched-cluster=0',
  '-misched-fusion=0',
  '-misched-prera-direction=topdown',
  '-misched-prera-direction=bottomup',
  '-misched-dcpl',
  '-enable-aa-sched-mi',
  '-amdgpu-igrouplp-exact-solver',
  '-misched=converge',
  '-misched=ilpmax',
  '-misched=ilpmin',
  '-misched-cyclicpath=0',
  '-misched-regpressure=0',
  '-misched-limit=2',
  '-schedmodel=0',
  '-dag-maps-huge-region=10',
  '-dag-maps-huge-region=24',
];

const PROCESSORS = ['gfx90a', 'gfx942', 'gfx950', 'gfx908', 'gfx900', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx704'];

/** Small changes that often leave a text readable. */
const GENTLE: readonly DamageKind[] = [
  'swap tokens', 'swap tokens', 'replace token', 'replace token', 'delete token', 'repeat token', 'delete lines', 'swap lines',
  'duplicate lines', 'swap lines',
]; // prettier-ignore

const OPERAND =
  /(?:(?:implicit-def|implicit|killed|dead|undef|early-clobber|renamable|nofpexcept|nuw|nsw) )*(?:[%$][\w.]+(?::\w+)?|-?\d+)/g;
const FLAGS = [
  'implicit ',
  'implicit-def ',
  'killed ',
  'dead ',
  'undef ',
  'early-clobber ',
  'internal ',
  'renamable ',
  '',
];
const CLASSES = [
  'vgpr_32',
  'sreg_32',
  'sreg_64',
  'vreg_64',
  'vreg_128',
  'sgpr_128',
  'agpr_32',
  'av_64',
  'vreg_64_align2',
  'sreg_64_xexec',
  '_',
  'vgpr',
];
const HEADER = /^(\w+): +(true|false|\d+)$/gm;

/** One of an operand's neighbours of its own line or another takes its place, or its flags, class or sub-register change. */
function changeOperand(text: string, random: Random): string {
  const body = Math.max(0, text.indexOf('body:'));
  const from = body + random.below(text.length - body);
  OPERAND.lastIndex = from;
  const a = OPERAND.exec(text);
  if (a === null) return text;
  const put = (by: string): string => text.slice(0, a.index) + by + text.slice(a.index + a[0].length);
  switch (random.below(6)) {
    case 0:
      return put(random.pick(FLAGS) + a[0].replace(/^.* /, ''));
    case 1:
      return put(
        /:\w+$/.test(a[0]) ? a[0].replace(/:\w+$/, `:${random.pick(CLASSES)}`) : `${a[0]}:${random.pick(CLASSES)}`,
      );
    case 2:
      return put(
        /\.sub\w+/.test(a[0])
          ? a[0].replace(/\.sub\w+/, random.pick(['', '.sub0', '.sub1', '.sub2_sub3', '.lo16']))
          : `${a[0]}.sub${random.below(3)}`,
      );
    case 3:
      return put(
        random.pick([
          '$noreg',
          '$exec',
          '$vcc',
          '$scc',
          '$m0',
          '$sgpr4',
          '$vgpr7',
          '$sgpr4_sgpr5',
          '%bb.0',
          '%bb.1',
          '-1',
          '4294967296',
          '1',
          '100',
          '%stack.0',
          'undef %0',
        ]),
      );
    default: {
      OPERAND.lastIndex = body + random.below(text.length - body);
      const b = OPERAND.exec(text);
      return b === null ? text : put(b[0]);
    }
  }
}

function changeHeader(text: string, random: Random): string {
  const keys = [...text.matchAll(HEADER)];
  if (keys.length === 0) return text;
  const key = random.pick(keys);
  const value = /\d/.test(key[2])
    ? random.pick(['0', '1', '7', '-1', '4096', '99999999999'])
    : key[2] === 'true'
      ? 'false'
      : 'true';
  return text.slice(0, key.index) + `${key[1]}: ${value}` + text.slice(key.index + key[0].length);
}

/** The text with one to three small changes, most of them to operands; `donor` is another text. */
export function changed(text: string, donor: string, random: Random): string {
  for (let n = random.chance(70) ? 1 : 1 + random.below(3); n > 0; n--) {
    const k = random.below(10);
    text =
      k < 6
        ? changeOperand(text, random)
        : k === 6
          ? changeHeader(text, random)
          : damage(text, random.pick(GENTLE), donor, random);
  }
  return text;
}

/** MIR from random IR by llc-22, and the options of its target. */
export function fromIr(seed: number): Question | null {
  const { text, args } = randomIr(seed);
  const run = spawnSync(LLC, [...args, '-stop-before=machine-scheduler', '-o', '-', '-'], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 60_000,
  });
  return run.status === 0 ? { input: run.stdout, args: args.filter((a) => !a.startsWith('-O')) } : null;
}

/** A function of one of the generators. */
export function generated(random: Random, seed: number): Question {
  const cpu = (args: readonly string[]): string[] =>
    args.map((a) => (a.startsWith('-mcpu=') && random.chance(50) ? `-mcpu=${random.pick(PROCESSORS)}` : a));
  switch (random.below(6)) {
    case 0:
      return {
        input: randomSchedule(seed, { size: 8 + random.below(30), blocks: 1 + random.below(4) }),
        args: RANDOM_ARGS,
      };
    case 1:
      return { input: randomMemory(seed, 30), args: cpu(MEMORY_ARGS) };
    case 2:
      return { input: randomMfma(seed), args: MFMA_ARGS };
    case 3: {
      const input = randomRemat(seed);
      return { input, args: [/-mtriple=\S+/.exec(input)![0], /-mcpu=\S+/.exec(input)![0]] };
    }
    case 4:
      return { input: highPressure(seed), args: cpu(['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900']) };
    default:
      return {
        input: randomFunction(seed, 'f', { undefinedPaths: random.chance(50), maxBlocks: 9 }) ?? randomMemory(seed, 9),
        args: RANDOM_ARGS,
      };
  }
}

const own = ownInputs(process.cwd()).filter((i) => i.text.length < 20_000);

const GFX900 = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900'];

/** Questions about one random text; the same seed gives the same ones. */
export function questionsOf(seed: number): Question[] {
  const random = new Random(seed * 7919 + 13);
  const questions: Question[] = [];
  const donor = random.pick(own).text;
  const kind = random.below(20);
  const isRead = kind >= 13;
  const base =
    kind < 6
      ? fromIr(seed)
      : kind < 10
        ? generated(random, seed)
        : kind < 13
          ? random.pick(own.map((i) => ({ input: i.text, args: i.args })))
          : kind < 17
            ? randomOpcodes(seed)
            : { input: moduleText(seed), args: GFX900 };
  if (base === null) return [];
  const ask = (input: string, ...more: string[]): void => void questions.push({ input, args: [...base.args, ...more] });
  const option = (): string[] =>
    Array.from({ length: random.chance(75) ? 1 : 2 }, () => random.pick(SCHEDULER_OPTIONS));
  ask(base.input, '-run-pass=none', ...(random.chance(40) ? ['-simplify-mir'] : []));
  if (!isRead) {
    ask(base.input, '-run-pass=machine-scheduler');
    for (let k = 0; k < 3; k++) ask(base.input, '-run-pass=machine-scheduler', ...new Set(option()));
    ask(base.input, '-run-pass=amdgpu-print-rp', ...(random.chance(30) ? ['-amdgpu-print-rp-downward'] : []));
  }
  for (let k = 0; k < (isRead ? 4 : 8); k++)
    ask(
      changed(base.input, donor, random),
      isRead || random.chance(80) ? '-run-pass=none' : '-run-pass=machine-scheduler',
    );
  return questions;
}
