/**
 * No report counts less than none: what `check`, `explain` and the editor say of files of the corpus. A usual run takes a few that the clock chooses
 * (AMDGPU_MIR_SEED replays), `AMDGPU_MIR_RUNS=N` more, `AMDGPU_MIR_ALL=1` all, and AMDGPU_MIR_ONLY those with a word in their name.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BufferedIO } from '../../server/src/cli/bufferedIO.js';
import { runCheck } from '../../server/src/cli/check.js';
import { runExplain } from '../../server/src/cli/explain.js';
import { FEATURES } from '../../server/src/lsp/common/featureTable.js';
import { COUNT, negatives } from '../support/counts.js';
import { corpusInputs, Random, type InputText } from '../support/damageInputs.js';
import { ALL, ONLY, runsOr, seedOr } from '../support/switches.js';
import { answering } from '../support/wholeAnswers.js';

const ROOT = resolve(__dirname, '..', '..');
const SEED = seedOr(Date.now() % 1_000_000);
/** of a usual run */
const FILES = runsOr(3);
const MAX_LENGTH = 8_000;
/** Without an end it would be scheduled for hours; `test/fixtures/schedule/endless.mir` is for tests that stop it. */
const ENDLESS = /endless/;
/** Reports in words and lenses; of rematerialization gains are told, which have signs. */
const METHODS = Object.keys(FEATURES).filter((m) =>
  /codeLens|inlayHint|pressureProfile|pressureReport|whyPressure|\/why$|compareTargets|controlFlow|details|explain|whyDivergent/i.test(
    m,
  ),
);

/** Strings anywhere in an answer. */
const stringsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsOf)
      : [];

describe(`no negative number in reports, seed ${SEED}`, function () {
  this.timeout(0);
  const all = corpusInputs(ROOT, ALL || ONLY ? Infinity : MAX_LENGTH).filter(
    ({ name }) => !ENDLESS.test(name) && (ONLY === undefined || name.includes(ONLY)),
  );
  const folder = mkdtempSync(join(tmpdir(), 'no-negative-'));
  after(() => rmSync(folder, { recursive: true }));
  const next = new Random(SEED);
  const chosen = ALL || ONLY ? all : all.length === 0 ? [] : Array.from({ length: FILES }, () => next.pick(all));

  /** A file that names its target. */
  const textOf = ({ text, args }: InputText): string =>
    /\bRUN:/.test(text) ? text : `# RUN: llc ${args.join(' ')} -o - %s\n${text}`;

  for (const input of chosen)
    it(input.name, async () => {
      const file = join(folder, 'a.mir');
      const text = textOf(input);
      writeFileSync(file, text);
      const json = new BufferedIO();
      await runCheck(['--json', '--allocate', '--schedule', file], json);
      assert.deepEqual(negatives(JSON.parse(json.out())), []);
      const plain = new BufferedIO();
      await runCheck(['--color=never', '--allocate', '--schedule', file], plain);
      assert.doesNotMatch(plain.out(), COUNT);
      for (const what of [[], ['--allocation']]) {
        const io = new BufferedIO();
        runExplain([...what, file], io);
        assert.doesNotMatch(io.out(), COUNT, what.join(' '));
      }
      const { ask, lines } = answering(text);
      const line = lines.findIndex((l) => /^\s+(?:%|\$|[A-Z])\S* ?/.test(l) && /[A-Z]_/.test(l));
      for (const method of METHODS)
        for (const said of stringsOf(ask(method, { line: Math.max(line, 0), character: 4 })))
          assert.doesNotMatch(said, COUNT, method);
    });
});
