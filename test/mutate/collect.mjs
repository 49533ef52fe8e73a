#!/usr/bin/env node
/**
 * Collects answers of llc-22 for `test/unit/answers.test.ts`: random questions of `test/support/questions.ts`, of which those are kept in
 * which a mutant makes a difference (`differences.mjs`) that made none in the ones before, or that notice a mutant which the tests did not.
 *
 *   node test/mutate/collect.mjs NAME [--seed S] [--count N] [--also P] [--aimed | --generic | --iglp | --regions | --schedules | --tiny | --texts FOLDER] [--survivors FILE]
 *
 * writes `test/golden/answers/NAME.br`, P percent of the others included; `--aimed` and `--generic`: questions of
 * `test/support/randomAimed.ts`, `randomGeneric.ts`; the others likewise. N texts are drawn from seed S on. `--texts`: instead the `.mir` files of a folder, each with
 * lines `# RUN: llc OPTIONS`; NAME.br keeps what it holds (`../verifier/NAME`: for `test/unit/verifier/operands.test.ts`, `../schedules/NAME`: for `test/unit/passes/scheduler/schedules.test.ts`). FILE is what `run.mjs --json` wrote. Questions that we answer otherwise than llc-22 are not
 * kept but listed in `out/mutate/unequal-NAME.json`: they are bugs. With `--facts` beside `--texts` it keeps in `test/golden/schedulerFacts/NAME.br` what
 * the oracle (AMDGPU_MIR_ORACLE) says of the way of the scheduler, too, for `test/unit/passes/scheduler/facts.test.ts`.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import vm from 'node:vm';
import { LOOK, OUT, RUN, build } from './build.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    survivors: { type: 'string' },
    aimed: { type: 'boolean', default: false },
    generic: { type: 'boolean', default: false },
    iglp: { type: 'boolean', default: false },
    regions: { type: 'boolean', default: false },
    schedules: { type: 'boolean', default: false },
    tiny: { type: 'boolean', default: false },
    texts: { type: 'string' },
    facts: { type: 'boolean', default: false },
    also: { type: 'string', default: '0' },
  },
});
const [name] = positionals;
const LOOPS_MS = 10_000;
for (const key of ['texts', 'survivors']) if (options[key] !== undefined) options[key] = resolve(options[key]);

const mutants = await build();
await build(LOOK);
process.chdir(RUN);
const require = createRequire(join(RUN, 'test', 'x.js'));
const $mut = (globalThis.$mut = { on: -1, covered: new Uint8Array(1 << 18) });
const { ANSWERS, answerOfOurs, answerOfLlc, answerFiles, readAnswers, writeAnswers } = require('./support/answers.js');
const looking = createRequire(join(LOOK, 'test', 'x.js'))('./support/answers.js');
const { questionsOf } = require('./support/questions.js');
const { randomAimed } = require('./support/randomAimed.js');
const { randomGeneric } = require('./support/randomGeneric.js');
const { randomIglp } = require('./support/randomIglp.js');
const { randomRegions } = require('./support/randomRegions.js');
const { randomSchedules } = require('./support/randomSchedules.js');
const { randomTiny } = require('./support/randomTiny.js');
const one = options.aimed
  ? randomAimed
  : options.generic
    ? randomGeneric
    : options.iglp
      ? randomIglp
      : options.regions
        ? randomRegions
        : options.schedules
          ? randomSchedules
          : options.tiny
            ? randomTiny
            : null;
/** A text with a question for each of its RUN lines. */
function questionsIn(file) {
  const input = readFileSync(file, 'utf8');
  return [...input.matchAll(/^# RUN: llc (.*)$/gm)].map(([, words]) => ({ args: words.split(' '), input }));
}
const texts =
  options.texts === undefined
    ? null
    : readdirSync(options.texts)
        .filter((f) => f.endsWith('.mir'))
        .sort()
        .map((f) => join(options.texts, f));
if (options.facts) {
  collectFacts();
  process.exit(0);
}
const ask = texts !== null ? (k) => questionsIn(texts[k]) : one === null ? questionsOf : (seed) => [one(seed)];

const interruptible = new vm.Script('globalThis.$ask()');
function answerFrom(answering, question) {
  globalThis.$ask = () => answering(question);
  try {
    return JSON.stringify(interruptible.runInThisContext({ timeout: LOOPS_MS }));
  } catch (error) {
    return `threw ${String(error?.message).slice(0, 100)}`;
  }
}

/** Our answer with a mutant on; an exception or a loop is an answer, too. */
function ours(question, mutant = -1) {
  $mut.on = mutant;
  const answer = answerFrom(answerOfOurs, question);
  $mut.on = -1;
  return answer;
}

const DIFFERS = 3;
/** Mutants that make a difference somewhere on the way to an answer. */
function differing(question) {
  $mut.covered.fill(0);
  answerFrom(looking.answerOfOurs, question);
  const ids = [];
  for (let id = 0; id < mutants.length; id++) if ($mut.covered[id] === DIFFERS) ids.push(id);
  return ids;
}

/** Mutants that made a difference in what is kept. */
const seen = new Uint8Array(mutants.length);
const note = (ids) => ids.forEach((id) => (seen[id] = 1));

const kept = [];
if (texts !== null && existsSync(join(ANSWERS, `${name}.br`))) kept.push(...readAnswers(`${name}.br`));
// What is looked for is a new difference, or else a survivor.
if (options.survivors === undefined && existsSync(join(RUN, 'test', 'golden', 'answers'))) {
  for (const file of answerFiles()) {
    if (file === `${name}.br`) continue;
    for (const { args, input } of readAnswers(file)) note(differing({ args, input }));
  }
}
const isWanted = new Set();
if (options.survivors !== undefined) {
  const survivors = JSON.parse(readFileSync(options.survivors, 'utf8')).filter(
    (m) => m.status === 'survived' || m.status === 'not covered',
  );
  const place = (m) => [m.file, m.line, m.column, m.original, m.replacement].join();
  const ids = new Map(mutants.map((m) => [place(m), m.id]));
  for (const m of survivors) if (ids.has(place(m))) isWanted.add(ids.get(place(m)));
}
const unequal = [];
let asked = 0;
const first = texts === null ? Number(options.seed) : 0;
const end = texts === null ? first + Number(options.count) : texts.length;
for (let seed = first; seed < end; seed++) {
  for (const question of ask(seed)) {
    asked++;
    const different = differing(question);
    const fresh = options.survivors === undefined ? different.filter((id) => seen[id] === 0).length : 0;
    const answer = ours(question);
    const noticed = different.filter((id) => isWanted.has(id) && ours(question, id) !== answer);
    const isLucky = (asked * 37) % 100 < Number(options.also);
    if (texts !== null)
      console.log(
        `${texts[seed]}: notices ${noticed.map((id) => `${mutants[id].file.split('/').at(-1)}:${mutants[id].line}`).join(' ')}`,
      );
    if (fresh === 0 && noticed.length === 0 && !isLucky) continue;
    const real = answerOfLlc(question);
    // A crash of llc is no answer.
    if (real.exit === 134 && !real.err.includes(' machine code errors.')) continue;
    if (JSON.stringify(real) !== answer) {
      unequal.push({ seed, ...question, real, answer });
      continue;
    }
    kept.push({ ...question, ...real });
    for (const id of noticed) isWanted.delete(id);
    note(different);
  }
  if ((seed - first) % 10 === 9) {
    console.log(
      `seed ${seed}: ${asked} asked, ${kept.length} kept, ${unequal.length} unequal, ${isWanted.size} mutants left`,
    );
    save();
  }
}
save();
for (const id of isWanted) console.log(`left: ${mutants[id].file}:${mutants[id].line} ${mutants[id].operator}`);

function save() {
  mkdirSync(OUT, { recursive: true });
  if (unequal.length > 0) writeFileSync(join(OUT, `unequal-${basename(name)}.json`), JSON.stringify(unequal, null, 1));
  if (kept.length > 0) writeAnswers(`${name}.br`, kept);
}

function collectFacts() {
  const { askLlvm, factFiles, readFacts, schedulerFacts, writeFacts } = require('./support/schedulerFacts.js');
  const file = `${name}.br`;
  const known = factFiles().includes(file) ? readFacts(file) : [];
  for (const path of texts) {
    const text = readFileSync(path, 'utf8');
    const facts = askLlvm(process.env.AMDGPU_MIR_ORACLE, text);
    if (facts === null) console.log(`${path}: refused`);
    else if (facts !== schedulerFacts(text).join('\n')) console.log(`${path}: unequal`);
    else known.push({ text, facts });
  }
  writeFacts(file, known);
}
