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
 *   --property     asks the tests of `test/property`, too, which take long
 *
 * A test is asked when it covers the mutant; mutants that are covered while modules load are asked of all tests of such files.
 * Tests run in the process, in files that need no built program: see CONTRIBUTING.md.
 */
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FOLDERS, OUT, ROOT, RUN, build, filesUnder, hashOf } from './build.mjs';

/** Test files whose programs under test are other processes, or that read sources instead of running them: they see no mutant. */
const ELSEWHERE = [
  'test/unit/layering.test.ts',
  'test/unit/grammar.test.ts',
  'test/unit/cli/process.test.ts',
  'test/unit/target/oracle.test.ts',
  'test/lsp/killed.test.ts',
  'test/lsp/longSchedule.test.ts',
  'test/lsp/workspaceSymbols.test.ts',
];
/** A mutant that takes more processor time than this many times what its tests need, and these seconds, loops. */
const CPU_RATIO = 6;
const CPU_SECONDS = 20;
/** No processor time used for so long: it waits for what will not come. */
const IDLE_SECONDS = 40;
const MUTANTS_PER_PROCESS = 60;

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

/** A child process that runs one thing at a time. */
class Runner {
  child = null;
  runs = 0;

  async start() {
    this.child = fork(join(dirname(fileURLToPath(import.meta.url)), 'worker.cjs'), [RUN], {
      cwd: RUN,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--max-old-space-size=2500', '--stack-size=900'],
      env: { ...process.env, AMDGPU_MIR_SEED: '1', AMDGPU_MIR_MUTANT: '-1' },
    });
    this.runs = 0;
    await new Promise((ready) => this.child.once('message', ready));
  }

  stop() {
    this.child?.kill('SIGKILL');
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

  /** Throws `WorkerDied` with the reason when the child crashes, loops or waits for ever. */
  async ask(message, cpuLimit, onBegin = () => {}) {
    if (this.child === null || this.runs >= MUTANTS_PER_PROCESS) {
      this.stop();
      await this.start();
    }
    this.runs++;
    const { child } = this;
    const first = this.cpu();
    let last = first;
    let quiet = 0;
    let watch;
    try {
      return await new Promise((done, fail) => {
        child.on('message', (answer) => {
          if (answer.begin !== undefined) onBegin(answer.begin);
          else if (answer.error !== undefined) fail(new WorkerDied(answer.error));
          else done(answer.done);
        });
        child.once('exit', (code, signal) => fail(new WorkerDied(`ended: ${code ?? signal}`)));
        child.send(message);
        watch = setInterval(() => {
          const now = this.cpu();
          quiet = now - last < 0.02 ? quiet + 1 : 0;
          last = now;
          if (now - first > cpuLimit) fail(new WorkerDied('loops'));
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

/** A test file with the test files and data that it imports or may read, as one hash. */
function testHash(file) {
  const seen = new Map();
  (function visit(path) {
    if (seen.has(path) || !existsSync(join(ROOT, path))) return;
    const text = readFileSync(join(ROOT, path), 'utf8');
    seen.set(path, text);
    for (const [, to] of text.matchAll(/from '(\.[^']*)\.js'/g)) {
      const target = normalize(join(dirname(path), `${to}.ts`));
      if (target.startsWith('test')) visit(target);
    }
  })(file);
  return hashOf([...seen]);
}

/** Coverage of every test file: what has not changed since comes from the cache. */
async function coverage(mutants, runner) {
  const sources = hashOf(
    filesUnder('server', (f) => f.endsWith('.ts')).map((f) => readFileSync(join(ROOT, f), 'utf8')),
    filesUnder('test/fixtures', () => true).map((f) => [f, statSync(join(ROOT, f)).size]),
    filesUnder('test/golden', () => true).map((f) => [f, statSync(join(ROOT, f)).size]),
  );
  const folders = options.property ? ['unit', 'lsp', 'property'] : ['unit', 'lsp'];
  const files = folders.flatMap((d) => filesUnder(`test/${d}`, (f) => f.endsWith('.test.ts')));
  const all = [];
  for (const file of files) {
    if (ELSEWHERE.includes(file) || !new RegExp(options.tests).test(file)) continue;
    const cached = join(OUT, 'coverage', `${hashOf('1', sources, file, testHash(file))}.json`);
    let result;
    if (existsSync(cached)) result = JSON.parse(readFileSync(cached, 'utf8'));
    else {
      try {
        result = await runner.ask({ cover: file.replace(/\.ts$/, '.js') }, 3600);
      } catch (error) {
        console.log(`left out: ${file}: ${error.message}`);
        continue;
      }
      for (const line of result.failed) console.log(`left out, fails without a mutant: ${line}`);
      mkdirSync(dirname(cached), { recursive: true });
      writeFileSync(cached, JSON.stringify(result));
      if (process.stdout.isTTY) console.log(`covered ${file}: ${result.tests.length} tests`);
    }
    all.push({
      file,
      ...result,
      load: bitsOf(result.load),
      tests: result.tests.map((t) => ({ ...t, covered: bitsOf(t.covered) })),
    });
  }
  return all;

  function bitsOf(ids) {
    const bits = new Uint8Array((mutants.length + 7) >> 3);
    for (const id of ids) bits[id >> 3] |= 1 << (id & 7);
    return bits;
  }
}

const has = (bits, id) => (bits[id >> 3] & (1 << (id & 7))) !== 0;

/** For each file the tests that cover a mutant; first those that promise most for their time. */
function testsFor(id, covered) {
  const wanted = [];
  for (const { file, load, tests } of covered) {
    const whole = has(load, id);
    const own = whole ? tests : tests.filter((t) => has(t.covered, id));
    if (own.length === 0) continue;
    const ms = own.reduce((sum, t) => sum + t.ms, 20);
    wanted.push({ file: file.replace(/\.ts$/, '.js'), tests: own.map((t) => t.test), ms });
  }
  const rank = ({ file, ms }) => (Math.sqrt(ms) * ((tries.get(file) ?? 0) + 2)) / ((kills.get(file) ?? 0) + 1);
  return wanted.sort((a, b) => rank(a) - rank(b));
}

const mutants = await build();
const runners = Array.from({ length: Number(options.jobs) }, () => new Runner());
const covered = await coverage(mutants, runners[0]);
/** Of each test file: mutants that it was asked about, and that it noticed. */
const tries = new Map();
const kills = new Map();
const count = (map, file) => map.set(file, (map.get(file) ?? 0) + 1);

async function judge(mutant, runner) {
  const files = testsFor(mutant.id, covered);
  if (files.length === 0) return { ...mutant, status: 'not covered', ms: 0 };
  const expected = files.reduce((sum, f) => sum + f.ms, 0) / 1000;
  const begun = Date.now();
  let at = '';
  try {
    const message = { mutant: mutant.id, files };
    const killer = await runner.ask(message, CPU_SECONDS + CPU_RATIO * expected, (file) => {
      at = file;
      count(tries, file);
    });
    if (killer === null) return { ...mutant, status: 'survived', ms: Date.now() - begun };
    count(kills, killer.file);
    return { ...mutant, status: 'killed', killer, ms: Date.now() - begun };
  } catch (error) {
    if (!(error instanceof WorkerDied)) throw error;
    count(kills, at);
    return { ...mutant, status: 'timed out', killer: { file: at, why: error.message }, ms: Date.now() - begun };
  }
}

const oneLine = (text) => (text.length > 90 ? `${text.slice(0, 87)}...` : text).replace(/\s+/g, ' ');

function tell({ status, file, line, column, operator, original, replacement, ms, killer }) {
  const place = `${file}:${line}:${column} ${operator}: ${oneLine(original)} -> ${oneLine(replacement)}`;
  if (status === 'survived' || status === 'not covered') console.log(`  ${status}: ${place}`);
  else if (options.verbose) console.log(`  ${status} in ${ms} ms by ${killer.file}: ${place}`);
}

async function judgeAll(name, sample) {
  const results = [];
  let next = 0;
  await Promise.all(
    runners.map(async (runner) => {
      while (next < sample.length) {
        const i = next++;
        results[i] = await judge(sample[i], runner);
        tell(results[i]);
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

const everything = [];
if (options.at !== undefined) {
  const places = options.at.split(',').map((p) => p.split(':'));
  const sample = mutants.filter((m) => places.some(([f, l]) => m.file.endsWith(f) && m.line === Number(l)));
  everything.push(...(await judgeAll(options.at, sample)));
} else {
  console.log(`seed ${options.seed}, ${mutants.length} mutants in all`);
  for (const folder of options.folder.split(','))
    everything.push(...(await judgeAll(folder, sampleOf(mutants, folder, Number(options.sample), options.seed))));
}
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(everything, null, 1));
for (const runner of runners) runner.stop();
