#!/usr/bin/env node
/**
 * `npm run mutate -- --sample N --seed S --folder F`: how many of N mutants of a folder the tests notice.
 *
 *   --folder F     one of server/src's folders, or several with commas (default: all that are mutated)
 *   --sample N     mutants of each folder (default 100), drawn by the seed from all of it
 *   --seed S       default: a new one, which is printed
 *   --at F:L,...   instead: all mutants of these lines, the file named by its end (`analysis/liveAt.ts:93`)
 *   --jobs J       processes (default 1)
 *   --json FILE    everything about each mutant
 *   --tests R      asks only test files whose path matches R
 *   --verbose      says of each mutant which test noticed it
 *   --property     asks the tests of `test/property`, too, which take long; not those that draw a new seed every time
 *   --budget B     seconds of processor time of tests that one mutant is worth (default 90); the tests that promise least are left out
 *   --minutes M    begins no mutant after so many minutes: the beginning of a sample is a sample
 *   --again FILE   instead: the mutants that survived in FILE, which --json wrote, as far as their places still exist
 *
 * A test is asked when the mutant makes a difference in it, at least where it stands (`differences.mjs`); when that is while modules load, all tests
 * of such files are asked.
 * Tests run in the process, in files that need no built program: see CONTRIBUTING.md. Those against the oracle run where AMDGPU_MIR_ORACLE names it.
 *
 * What a test covers is collected once. After a change of sources that of other sources stands; of a changed one, a test that covered any of
 * it counts as covering all of it. Tests of new fixtures are not asked, but for new answers of llc-22. `--fresh` collects anew what is not exact.
 */
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FOLDERS, LOOK, OUT, ROOT, RUN, build, filesUnder, hashOf } from './build.mjs';

/** Test files whose programs under test are other processes, or that read sources instead of running them: they see no mutant. */
const ELSEWHERE = [
  'test/unit/layering.test.ts',
  'test/unit/grammar.test.ts',
  'test/unit/cli/process.test.ts',
  'test/lsp/killed.test.ts',
  'test/lsp/longSchedule.test.ts',
];
/** A mutant that takes more processor time than this many times what the tests of one file need, and these seconds, loops. */
const CPU_RATIO = 5;
const CPU_SECONDS = 5;
/** No processor time used for so long: it waits for what will not come. */
const IDLE_SECONDS = 40;
const MUTANTS_PER_PROCESS = 60;
/** So much of a test file is asked first. */
const SHORT_MS = 2000;
/** What a test costs beside its own time. */
const TEST_MS = 20;
/** So much of the budget goes to tests that have noticed mutants of the same folder. */
const LUCKY_SHARE = 0.6;
/** Files of `test/property` with inputs of their own in every run: what they notice today they may not notice tomorrow. */
const DRAWS_ANEW = /seedOr\(Date\.now|fc\.(?:assert|check)\(/;

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', default: FOLDERS.join(',') },
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    at: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    json: { type: 'string' },
    tests: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    property: { type: 'boolean', default: false },
    budget: { type: 'string', default: '90' },
    again: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    minutes: { type: 'string', default: 'Infinity' },
  },
});

/** xorshift32; the same sample for the same seed and sources. */
function randomFrom(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function sampleOf(mutants, folder, count, seed) {
  const pool = mutants.filter((m) => m.file.startsWith(`server/src/${folder}/`));
  const random = randomFrom(Number(seed));
  for (let i = 0; i < Math.min(count, pool.length); i++) {
    const k = i + random(pool.length - i);
    [pool[i], pool[k]] = [pool[k], pool[i]];
  }
  return pool.slice(0, count);
}

class WorkerDied extends Error {}

/** A mutant that loops does not notice that its master is gone. */
const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** A child process that runs one thing at a time. */
class Runner {
  child = null;
  runs = 0;

  constructor(folder) {
    this.folder = folder;
  }

  async start() {
    this.child = fork(join(dirname(fileURLToPath(import.meta.url)), 'worker.cjs'), [this.folder], {
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--max-old-space-size=2500', `--stack-size=${this.folder === LOOK ? 1400 : 900}`],
      env: { ...process.env, AMDGPU_MIR_SEED: '1', AMDGPU_MIR_MUTANT: '-1' },
    });
    children.add(this.child);
    this.runs = 0;
    await new Promise((ready) => this.child.once('message', ready));
  }

  stop() {
    this.child?.kill('SIGKILL');
    children.delete(this.child);
    this.child = null;
  }

  /** Seconds of processor time of the child; its own and that of children that have ended. */
  cpu() {
    try {
      const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
      return fields.slice(11, 15).reduce((sum, f) => sum + Number(f), 0) / 100;
    } catch {
      return 0;
    }
  }

  /**
   * Throws `WorkerDied` with the reason when the child crashes, loops or waits for ever. `onBegin` hears which part has begun and answers how
   * many seconds of processor time it may take; `cpuLimit` holds for what goes before.
   */
  async ask(message, cpuLimit, onBegin = () => cpuLimit) {
    if (this.child === null || this.runs >= MUTANTS_PER_PROCESS) {
      this.stop();
      await this.start();
    }
    this.runs++;
    const { child } = this;
    let first = this.cpu();
    let last = first;
    let limit = cpuLimit;
    let quiet = 0;
    let watch;
    try {
      return await new Promise((done, fail) => {
        child.on('message', (answer) => {
          if (answer.begin !== undefined)
            [first, limit] = [this.cpu(), onBegin(answer.begin, answer.isReplay === true)];
          else if (answer.error !== undefined) fail(new WorkerDied(answer.error));
          else done(answer.done);
        });
        child.once('exit', (code, signal) => fail(new WorkerDied(`ended: ${code ?? signal}`)));
        child.send(message);
        watch = setInterval(() => {
          const now = this.cpu();
          quiet = now - last < 0.02 ? quiet + 1 : 0;
          last = now;
          if (now - first > limit) fail(new WorkerDied('loops'));
          else if (quiet > IDLE_SECONDS) fail(new WorkerDied('waits'));
        }, 1000);
      });
    } catch (error) {
      this.stop();
      throw error;
    } finally {
      clearInterval(watch);
      child.removeAllListeners('message');
      child.removeAllListeners('exit');
    }
  }
}

/** Where the mutants of each source stand in a set of bits: what is kept with coverage to read it after a change of sources. */
function layoutOf(mutants) {
  const layout = new Map();
  for (const { file, id } of mutants) {
    const place = layout.get(file);
    if (place === undefined)
      layout.set(file, { first: id, count: 1, hash: hashOf(readFileSync(join(ROOT, file), 'utf8')) });
    else place.count++;
  }
  return layout;
}

/** The set of bits `from` of one layout in another. */
function moved(from, old, layout, count) {
  const bits = new Uint8Array((count + 7) >> 3);
  for (const [file, { first, count: n, hash }] of layout) {
    const was = old[file];
    if (was === undefined) continue;
    const isSame = was.hash === hash;
    let any = false;
    for (let k = 0; k < was.count; k++) {
      if (!has(from, was.first + k)) continue;
      any = true;
      if (!isSame) break;
      bits[(first + k) >> 3] |= 1 << ((first + k) & 7);
    }
    if (any && !isSame) for (let id = first; id < first + n; id++) bits[id >> 3] |= 1 << (id & 7);
  }
  return bits;
}

/** Tests that come and go without a change of their file: kept answers, and what is asked of the oracle. */
function comesAndGoes(source) {
  const folder = source.includes('answerFiles')
    ? (/answerFiles\('\.\.\/(\w+)'\)/.exec(source)?.[1] ?? 'answers')
    : source.includes('factFiles')
      ? 'schedulerFacts'
      : null;
  if (folder === null) return source.includes('ORACLE') ? [process.env.AMDGPU_MIR_ORACLE !== undefined] : [];
  return filesUnder(`test/golden/${folder}`, () => true).map((f) => [f, statSync(join(ROOT, f)).size]);
}

/** Coverage of every test file: what has not changed since comes from the cache. */
async function coverage(mutants) {
  const layout = layoutOf(mutants);
  const layoutHash = hashOf([...layout]);
  const data = hashOf(
    ['test/fixtures', 'test/golden'].map((d) =>
      filesUnder(d, () => true).map((f) => [f, statSync(join(ROOT, f)).size]),
    ),
    filesUnder('test/support', () => true).map((f) => readFileSync(join(ROOT, f), 'utf8')),
  );
  const kept = join(OUT, 'coverage');
  mkdirSync(join(kept, 'layouts'), { recursive: true });
  writeFileSync(join(kept, 'layouts', `${layoutHash}.json`), JSON.stringify(Object.fromEntries(layout)));
  const layouts = new Map();
  const layoutNamed = (hash) => {
    if (!layouts.has(hash)) layouts.set(hash, JSON.parse(readFileSync(join(kept, 'layouts', `${hash}.json`), 'utf8')));
    return layouts.get(hash);
  };
  const folders = options.property ? ['unit', 'lsp', 'property'] : ['unit', 'lsp'];
  const files = folders.flatMap((d) => filesUnder(`test/${d}`, (f) => f.endsWith('.test.ts')));
  const asked = files.filter((file) => {
    if (ELSEWHERE.includes(file) || !new RegExp(options.tests).test(file)) return false;
    return !file.startsWith('test/property') || !DRAWS_ANEW.test(readFileSync(join(ROOT, file), 'utf8'));
  });
  const placeOf = (file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return join(kept, `${hashOf('4', file, source, ...comesAndGoes(source))}.json`);
  };
  const known = (file) => {
    const place = placeOf(file);
    return existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : null;
  };
  const isExact = (result) => result.layout === layoutHash && result.data === data;
  const missing = asked.filter((file) => {
    if (!options.fresh) return !existsSync(placeOf(file));
    const result = known(file);
    return result === null || !isExact(result);
  });
  await collect(missing, { layout: layoutHash, data }, placeOf);
  const all = asked.flatMap((file) => {
    const result = known(file);
    if (result === null) return [];
    return {
      file,
      isExact: isExact(result),
      ...result,
      load: bitsOf(result.load, result.layout),
      reached: bitsOf(result.reached, result.layout),
      tests: result.tests.map((t) => ({ ...t, covered: bitsOf(t.covered, result.layout) })),
    };
  });
  const inexact = all.filter((result) => !result.isExact).length;
  if (inexact > 0)
    console.log(`coverage of ${inexact} test files is from before the last change of sources or fixtures (--fresh)`);
  return all;

  function bitsOf(text, hash) {
    const bits = new Uint8Array(Buffer.from(text, 'base64'));
    return hash === layoutHash ? bits : moved(bits, layoutNamed(hash), layout, mutants.length);
  }
}

/** Runs test files where mutants are looked at, several at a time, and keeps what they cover. */
async function collect(files, about, placeOf) {
  if (files.length === 0) return;
  await build(LOOK);
  let next = 0;
  const lookers = Array.from({ length: Number(options.jobs) }, async () => {
    const runner = new Runner(LOOK);
    while (next < files.length) {
      const file = files[next++];
      try {
        const result = { ...about, ...(await runner.ask({ cover: file.replace(/\.ts$/, '.js') }, 3600)) };
        for (const line of result.failed) console.log(`left out, fails without a mutant: ${line}`);
        writeFileSync(placeOf(file), JSON.stringify(result));
        const ms = result.tests.reduce((sum, t) => sum + t.ms, 0);
        if (options.verbose) console.log(`covered ${file}: ${result.tests.length} tests, ${(ms / 1000).toFixed(1)} s`);
      } catch (error) {
        console.log(`left out: ${file}: ${error.message}`);
      }
    }
    runner.stop();
  });
  await Promise.all(lookers);
}

/** Short sets end before the last mutant. */
const has = (bits, id) => id >> 3 < bits.length && (bits[id >> 3] & (1 << (id & 7))) !== 0;

const namesOf = (path) =>
  path
    .replace(/(\.test)?\.[cm]?[jt]s$/, '')
    .split('/')
    .slice(2);

/** How likely a test is about a source: folders and names that they share. */
function nearness(source, test) {
  const names = namesOf(test);
  return 2 * namesOf(source).filter((name) => names.includes(name)).length;
}

/**
 * Test files with those of their tests in which a mutant makes a difference, short ones first, up to the budget: first the tests that noticed
 * others of the same source or folder, then the files that promise most for their time. Tests of one file notice much the same, so that the long
 * ones of a file are asked as if they were another.
 */
function testsFor({ id, file }, covered) {
  const budget = Number(options.budget) * 1000;
  const wanted = covered.map(({ file: testFile, load, tests }) => ({
    file: testFile.replace(/\.ts$/, '.js'),
    tests: (has(load, id) ? [...tests] : tests.filter((t) => has(t.covered, id))).sort((a, b) => a.ms - b.ms),
  }));
  const lucky = luckyParts(file, wanted, LUCKY_SHARE * budget);
  const isAsked = new Set(lucky.flatMap(({ tests }) => tests));
  const others = [];
  for (const { file: test, tests } of wanted) {
    let sum = 0;
    const parts = [[], []];
    for (const t of tests) if (!isAsked.has(t)) parts[(sum += t.ms) < SHORT_MS ? 0 : 1].push(t);
    parts.forEach((part, i) => {
      if (part.length > 0)
        others.push({ file: test, key: `${test} ${i}`, tests: part, ms: part.reduce((ms, t) => ms + t.ms, 20) });
    });
  }
  const rank = ({ file: test, key, ms }) =>
    (Math.sqrt(ms) * (luck.tries(file, key) + 2)) / (luck.kills(file, key) + 1 + nearness(file, test));
  others.sort((a, b) => rank(a) - rank(b));
  let left = budget;
  let leftOut = 0;
  const files = [];
  for (const { tests, ...part } of [...lucky, ...others]) {
    const taken = tests.filter((t) => t.ms <= left && (left -= t.ms) >= 0);
    leftOut += tests.length - taken.length;
    if (taken.length > 0) files.push({ ...part, tests: taken.map((t) => t.test) });
  }
  return { files, leftOut };
}

/** The tests that noticed most others of a source for their time, by test file; the file with the best one comes first. */
function luckyParts(source, wanted, budget) {
  const candidates = [];
  for (const { file, tests } of wanted)
    for (const test of tests) {
      const worth = luck.ofTest(source, `${file}: ${test.test}`) / (test.ms + TEST_MS);
      if (worth > 0) candidates.push({ file, test, worth });
    }
  const parts = new Map();
  let left = budget;
  for (const { file, test } of candidates.sort((a, b) => b.worth - a.worth)) {
    if (test.ms > left) continue;
    left -= test.ms;
    const part = parts.get(file) ?? { file, key: `${file} lucky`, tests: [], ms: 20 };
    parts.set(file, part);
    part.tests.push(test);
    part.ms += test.ms;
  }
  return [...parts.values()];
}

const mutants = await build();
const runners = Array.from({ length: Number(options.jobs) }, () => new Runner(RUN));
const covered = await coverage(mutants);
/**
 * Of each part of a test file: mutants of a source, and of its folder, that it was asked about and that it noticed; kept from run to run. What it did
 * for the same source weighs more.
 */
class Luck {
  file = join(OUT, 'luck.json');
  kept = existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8')) : {};
  counts = this.kept.counts ?? {};
  tests = this.kept.tests ?? {};

  count(what, source, part) {
    for (const place of [source, dirname(source)]) {
      const counts = (this.counts[place] ??= {});
      const row = (counts[part] ??= { tries: 0, kills: 0 });
      row[what]++;
    }
  }

  tries = (source, part) => this.sum('tries', source, part);
  kills = (source, part) => this.sum('kills', source, part);

  sum(what, source, part) {
    const of = (place) => this.counts[place]?.[part]?.[what] ?? 0;
    return of(dirname(source)) + 3 * of(source);
  }

  /** Mutants that one test noticed. */
  ofTest(source, test) {
    const of = (place) => this.tests[place]?.[test] ?? 0;
    return of(dirname(source)) + 5 * of(source);
  }

  countTest(source, test) {
    for (const place of [source, dirname(source)]) {
      const row = (this.tests[place] ??= {});
      row[test] = (row[test] ?? 0) + 1;
    }
  }

  save() {
    writeFileSync(this.file, JSON.stringify({ counts: this.counts, tests: this.tests }));
  }
}
const luck = new Luck();

const unfitTests = new Set();

/** A test that fails without others of its file before it tells nothing of a mutant. */
function tellUnfit(test) {
  if (!unfitTests.has(test)) console.log(`fails without a mutant when it is asked alone: ${test}`);
  unfitTests.add(test);
}

async function judge(mutant, runner) {
  const { files, leftOut } = testsFor(mutant, covered);
  if (files.length === 0) {
    const isReached = covered.some(({ reached }) => has(reached, mutant.id));
    return {
      ...mutant,
      status: isReached ? 'survived' : 'not covered',
      makesNoDifference: isReached && leftOut === 0,
      leftOut,
      ms: 0,
    };
  }
  const begun = Date.now();
  const limitOf = ({ ms }) => CPU_SECONDS + (CPU_RATIO * ms) / 1000;
  for (let rest = files; rest.length > 0;) {
    let at = rest[0];
    try {
      const { failure, unfit } = await runner.ask({ mutant: mutant.id, files: rest }, CPU_SECONDS, (key, isReplay) => {
        at = rest.find((f) => f.key === key);
        if (!isReplay) luck.count('tries', mutant.file, key);
        return limitOf(at);
      });
      for (const { file, test, why } of unfit) tellUnfit(`${file}: ${test}: ${why}`);
      if (failure === null) break;
      luck.count('kills', mutant.file, at.key);
      luck.countTest(mutant.file, `${failure.file}: ${failure.test}`);
      return { ...mutant, status: 'killed', killer: failure, ms: Date.now() - begun };
    } catch (error) {
      if (!(error instanceof WorkerDied)) throw error;
      if (await endsWithoutMutant(at, limitOf(at), runner)) {
        luck.count('kills', mutant.file, at.key);
        return { ...mutant, status: 'timed out', killer: { file: at.key, why: error.message }, ms: Date.now() - begun };
      }
      tellUnfit(`${at.key}: takes longer than within its file`);
      rest = rest.slice(rest.indexOf(at) + 1);
    }
  }
  return { ...mutant, status: 'survived', leftOut, ms: Date.now() - begun };
}

async function endsWithoutMutant(part, limit, runner) {
  try {
    await runner.ask({ mutant: -1, files: [part] }, limit, () => limit);
    return true;
  } catch (error) {
    if (!(error instanceof WorkerDied)) throw error;
    return false;
  }
}

const oneLine = (text) => (text.length > 90 ? `${text.slice(0, 87)}...` : text).replace(/\s+/g, ' ');

function tell({ status, file, line, column, operator, original, replacement, ms, killer, leftOut, makesNoDifference }) {
  const place = `${file}:${line}:${column} ${operator}: ${oneLine(original)} -> ${oneLine(replacement)}`;
  const unasked =
    leftOut > 0 ? ` (${leftOut} tests beyond the budget)` : makesNoDifference ? ' (in no test a difference)' : '';
  if (status === 'survived' || status === 'not covered') console.log(`  ${status}: ${place}${unasked}`);
  else if (options.verbose) console.log(`  ${status} in ${ms} ms by ${killer.file}: ${place}`);
}

const begun = Date.now();
const isOver = () => Date.now() - begun > Number(options.minutes) * 60_000;

async function judgeAll(name, sample) {
  const results = [];
  let next = 0;
  await Promise.all(
    runners.map(async (runner) => {
      while (next < sample.length && !isOver()) {
        const mutant = sample[next++];
        const result = await judge(mutant, runner);
        results.push(result);
        tell(result);
        save([...everything, ...results]);
      }
    }),
  );
  const withStatus = (status) => results.filter((r) => r.status === status).length;
  const noticed = withStatus('killed') + withStatus('timed out');
  console.log(
    `${name}: ${((100 * noticed) / Math.max(results.length, 1)).toFixed(1)} % of ${results.length} noticed ` +
      `(${withStatus('killed')} by a failure, ${withStatus('timed out')} by never ending; ${withStatus('survived')} survived, ${withStatus('not covered')} not covered)`,
  );
  return results;
}

/** The mutants of an earlier run that no test noticed, in the sources as they are: those of the same text nearest to the line. */
function survivorsOf(file) {
  const wanted = JSON.parse(readFileSync(file, 'utf8')).filter(
    (m) => m.status === 'survived' || m.status === 'not covered',
  );
  const found = wanted.map((w) => {
    const like = mutants.filter((m) => ['file', 'column', 'original', 'replacement'].every((key) => m[key] === w[key]));
    return like.sort((a, b) => Math.abs(a.line - w.line) - Math.abs(b.line - w.line))[0];
  });
  const gone = found.filter((m) => m === undefined).length;
  if (gone > 0) console.log(`${gone} places are gone`);
  return found.filter((m) => m !== undefined);
}

function save(results) {
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(results, null, 1));
}

const everything = [];
if (options.again !== undefined)
  everything.push(...(await judgeAll(`survivors of ${options.again}`, survivorsOf(options.again))));
else if (options.at !== undefined) {
  const places = options.at.split(',').map((p) => p.split(':'));
  const sample = mutants.filter((m) => places.some(([f, l]) => m.file.endsWith(f) && m.line === Number(l)));
  everything.push(...(await judgeAll(options.at, sample)));
} else {
  console.log(`seed ${options.seed}, ${mutants.length} mutants in all`);
  for (const folder of options.folder.split(','))
    everything.push(...(await judgeAll(folder, sampleOf(mutants, folder, Number(options.sample), options.seed))));
}
save(everything);
luck.save();
for (const runner of runners) runner.stop();
