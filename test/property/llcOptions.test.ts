/**
 * Every option of llc against llc-22: verdict, stderr and output, on one file with `-run-pass=none` and `-run-pass=machine-scheduler`.
 * Options go together, a hundred in a run; where a run differs, the option is searched. A seeded sample runs alone, since one option may
 * hide another: LLC_OPTIONS=all runs each.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { whyNotModelled } from '../../server/src/program/notModelled.js';
import { readCommandLine } from '../../server/src/commandLine/commandLine.js';
import type { OptionSpec } from '../../server/src/commandLine/optionSpec.js';
import { allOptions } from '../../server/src/commandLine/optionTable.js';
import { runLlcToStrings } from '../../server/src/cli/llc.js';
import { LLC, needsLlc } from '../support/llc.js';
import { actsAtOnce, badValue, goodValues, isFrame, word } from '../support/optionCases.js';
import { randomSource } from '../support/random.js';
import { ALL, seedOr } from '../support/switches.js';

const FILE = join(__dirname, '../../server/tools/start/calls.mir');
const PASSES = ['none', 'machine-scheduler'];
const AT_ONCE = 120;
const ALONE = 40;
const SEED = seedOr(1);

interface Answer {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

const frame = (pass: string): string[] => [
  '-mtriple=amdgcn-amd-amdhsa',
  '-mcpu=gfx90a',
  `-run-pass=${pass}`,
  FILE,
  '-o',
  '-',
];

function llc(args: readonly string[]): Answer {
  const run = spawnSync(LLC, args, { input: '', encoding: 'utf8', maxBuffer: 1 << 28, timeout: 60_000 });
  return { exit: run.status, out: run.stdout, err: run.stderr.replaceAll('llc-22', 'llc') };
}

const isEqual = (args: readonly string[]): boolean => {
  const theirs = llc(args);
  const ours = runLlcToStrings(args);
  return ours.exit === theirs.exit && ours.out === theirs.out && ours.err === theirs.err;
};

/** Words with which our answer is not llc's: one each of the smallest groups that show it. */
function culprits(words: readonly string[], pass: string): string[] {
  if (words.length === 0 || isEqual([...frame(pass), ...words])) return [];
  if (words.length === 1) return [...words];
  const half = words.length >> 1;
  const found = [...culprits(words.slice(0, half), pass), ...culprits(words.slice(half), pass)];
  return found.length > 0 ? found : [words.join(' ')];
}

const isModelled = (option: string): boolean =>
  readCommandLine([option]).occurrences.every((given) => whyNotModelled(given) === null);

function groups<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = randomSource(seed);
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const k = random(i + 1);
    [result[i], result[k]] = [result[k]!, result[i]!];
  }
  return result;
}

const options = (): OptionSpec[] => allOptions().filter((o) => !isFrame(o));

/** Both read only the command line. */
function compareErrors(words: readonly string[]): void {
  const all = [...words, '-no-such-option', '-no-such-option'];
  const ours = readCommandLine(all)
    .errors.map((e) => e.text)
    .join('');
  assert.equal(ours, llc(all).err);
}

describe('options of llc', function () {
  this.timeout(0);
  before(function () {
    needsLlc(this);
  });

  it('have llc words for a wrong value', () => {
    const wrong = options().filter((o) => !actsAtOnce(o) && badValue(o) !== undefined);
    assert.ok(wrong.length > 2500);
    for (const group of groups(wrong, AT_ONCE)) compareErrors(group.map((o) => word(o, badValue(o))));
  });

  it('take the next word as their value, or none', () => {
    const known = options().filter((o) => !actsAtOnce(o));
    for (const group of groups(shuffled(known, SEED), AT_ONCE)) compareErrors(group.map((o) => word(o, undefined)));
  });

  for (const pass of PASSES) {
    it(`change the answer of -run-pass=${pass} as they do llc's, or not at all`, () => {
      const random = randomSource(SEED);
      const words = options()
        .filter((o) => !actsAtOnce(o))
        .flatMap((o) => {
          const values = goodValues(o)
            .map((value) => word(o, value))
            .filter(isModelled);
          return values.length === 0 ? [] : [values[random(values.length)]!];
        });
      const found = groups(words, AT_ONCE).flatMap((group) => culprits(group, pass));
      assert.deepEqual(found, []);
    });
  }

  it('alone', () => {
    const chosen = ALL ? options() : shuffled(options(), SEED).slice(0, ALONE);
    const found: string[] = [];
    for (const option of chosen) {
      for (const value of ALL ? goodValues(option) : goodValues(option).slice(0, 1)) {
        const args = [...frame('machine-scheduler'), word(option, value)];
        if (isModelled(word(option, value))) {
          if (!isEqual(args)) found.push(word(option, value));
          continue;
        }
        const ours = runLlcToStrings(args);
        assert.equal(ours.exit, 1, word(option, value));
        assert.match(
          ours.err,
          /^llc: error: amdgpu-mir does not model the option '--?[\w-]+': it .*\n$/,
          word(option, value),
        );
        assert.equal(ours.out, '');
      }
    }
    assert.deepEqual(found, []);
  });
});
