/**
 * Tests that want memory, time or files which they must not get: each comes to an end, within limits, and writes nowhere else.
 * AMDGPU_MIR_SEED replays, AMDGPU_MIR_RUNS is how many of each kind, AMDGPU_MIR_ONLY one kind.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../server/src/cli/bufferedIO.js';
import { runFileCheckCommand } from '../../server/src/cli/filecheck.js';
import { runTest } from '../../server/src/cli/runTest.js';
import { runUpdateChecks } from '../../server/src/cli/updateChecks.js';
import { runTest as runInEditor } from '../../server/src/features/checks/runTest.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { NODE_COMMAND } from '../support/builtCommand.js';
import { HOSTILE_KINDS, hostileTest } from '../support/hostileTests.js';
import { ONLY, runsOr, seedOr } from '../support/switches.js';

const SEED = seedOr(Date.now() % 1_000_000);
const RUNS = runsOr(3);
/** of processor time, on a machine that needs `USUAL_MS` for `slowness` */
const MAX_MS = 2000;
const USUAL_MS = 60;
const MAX_BYTES = 300 << 20;
const MAX_HEAP = '--max-old-space-size=160';
/** What is wrong with a program, not with a test. */
const OURS = /Maximum call stack|Invalid string length|internal error|out of memory|Cannot read prop|is not a function/;

/** How many times longer this machine takes than a usual one, at this moment: processors that are shared are slower, too. */
function slowness(): number {
  const before = process.cpuUsage();
  const table = new Int32Array(1 << 16);
  for (let k = 0, x = 1; k < 20_000_000; k++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    table[x & 0xffff]! += x;
  }
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1000 / USUAL_MS);
}

/** `ms` of processor time are within the limits. */
function isQuick(what: string, ms: number): void {
  if (ms >= MAX_MS) assert.ok(ms < MAX_MS * slowness(), `${what} takes ${ms.toFixed(0)} ms`);
}

describe(`hostile tests, seed ${SEED}`, function () {
  this.timeout(60_000 + 30_000 * RUNS);
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  const outside = join(folder, 'outside');
  const inside = join(folder, 'tests');
  const pipe = join(folder, 'pipe');
  before(() => {
    for (const path of [outside, inside]) mkdirSync(path);
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const nothingElse = (what: string, names: readonly string[]): void => {
    assert.deepEqual(readdirSync(outside), [], what);
    assert.deepEqual(readdirSync(inside).sort(), [...names].sort(), what);
  };
  /** Runs it within the limits of time; on a machine that is busy the processor's time counts. */
  const limited = <T>(what: string, work: () => T): T => {
    const before = process.cpuUsage();
    const result = work();
    const { user, system } = process.cpuUsage(before);
    isQuick(what, (user + system) / 1000);
    return result;
  };

  for (const kind of HOSTILE_KINDS) {
    if (ONLY !== undefined && ONLY !== kind) continue;
    it(`${kind}: end in test, update-checks, filecheck and the editor`, async () => {
      for (let k = 0; k < RUNS; k++) {
        const { text } = hostileTest(kind, SEED + 7919 * k, { outside, pipe });
        const what = `${kind}, seed ${SEED + 7919 * k}`;
        const path = join(inside, 'a.mir');
        writeFileSync(path, text);
        const io = new BufferedIO(() => 'S_NOP 0\n');
        const job = {
          path,
          folder: join(folder, 't'),
          options: { llc: null, fileCheck: null, writesAnywhere: false, model: 'auto' as const },
        };
        const { output } = limited(`test: ${what}`, () => runTest(job, io));
        assert.doesNotMatch(output, OURS, what);
        const verdict = limited(`editor: ${what}`, () => runInEditor(text, new Map(), NEVER_CANCELLED));
        for (const { detail } of verdict.runs) assert.doesNotMatch(detail, OURS, what);
        limited(`filecheck: ${what}`, () => runFileCheckCommand([path], io));
        assert.doesNotMatch(io.err(), OURS, what);
        const other = new BufferedIO();
        const before = process.cpuUsage();
        assert.ok((await runUpdateChecks(['--force', path], other)) <= 2, what);
        isQuick(`update-checks: ${what}`, process.cpuUsage(before).user / 1000);
        assert.doesNotMatch(other.err() + other.out(), OURS, what);
        nothingElse(what, ['a.mir']);
        rmSync(join(folder, 't'), { recursive: true, force: true });
      }
    });
  }

  it('end in one process, with little memory', function () {
    NODE_COMMAND.skipUnlessBuilt.call(this);
    rmSync(join(inside, 'a.mir'), { force: true });
    const names: string[] = [];
    for (const kind of HOSTILE_KINDS)
      for (let k = 0; k < Math.min(RUNS, 20); k++) {
        const name = `${kind}${k}.mir`;
        names.push(name);
        writeFileSync(join(inside, name), hostileTest(kind, SEED + 104_729 * k, { outside, pipe }).text);
      }
    const hook = join(folder, 'hook.cjs');
    const used = join(folder, 'used');
    writeFileSync(
      hook,
      `if (require('node:worker_threads').isMainThread) process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(used)}, String(process.resourceUsage().maxRSS)));`,
    );
    const [node, program] = NODE_COMMAND.command;
    for (const args of [['test', '-v', '-j1'], ['check'], ['update-checks', '--force']]) {
      // What is needed, not when V8 collects: with room it leaves garbage of many tests lying about.
      const { stdout, stderr, status } = spawnSync(node, [MAX_HEAP, '--require', hook, program!, ...args, inside], {
        encoding: 'utf8',
        maxBuffer: 1 << 30,
        timeout: 600_000,
      });
      assert.ok(status !== null && status <= 2, `${args[0]!}: ${String(status)} ${stderr.slice(0, 300)}`);
      assert.doesNotMatch(stdout + stderr, OURS);
      const bytes = Number(readFileSync(used, 'utf8')) * 1024;
      assert.ok(bytes < MAX_BYTES, `${args[0]!} takes ${bytes >> 20} MB`);
      nothingElse(args[0]!, names);
    }
  });
});
