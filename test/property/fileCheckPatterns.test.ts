/**
 * Random patterns on random lines: where FileCheck 22 finds them, many of them in one run. Each pair is a section between labels of its own, so
 * that a pattern that is not found ends nothing but its section. `AMDGPU_MIR_RUNS=50000` is the long version, AMDGPU_MIR_SEED replays a run.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFileCheckCommand } from '../../server/src/cli/filecheck.js';
import { Random } from '../support/damageInputs.js';
import { FILECHECK, fileCheckIO, needsFileCheck } from '../support/fileCheck.js';
import { LIMIT_MS } from '../support/llc.js';
import { randomPattern } from '../support/randomPattern.js';
import { SHOW, runsOr, seedOr } from '../support/switches.js';

const PAIRS = runsOr(500);
const SEED = seedOr(1);
const PER_RUN = 250;
/** told of the label before a pattern that could be read */
const IS_READ = 'CHECK-LABEL: expected string found in input';
const OPTIONS = ['-v', '--dump-input=never', 'c.txt', '--input-file=i.txt'];

interface Pair {
  readonly pattern: string;
  readonly line: string;
}

const checkOf = (pairs: readonly Pair[]): string =>
  pairs.map(({ pattern }, k) => `CHECK-LABEL: L${k};\nCHECK: ${pattern}\n`).join('');
const inputOf = (pairs: readonly Pair[]): string => pairs.map(({ line }, k) => `L${k};\n${line}\n`).join('');

function ours(pairs: readonly Pair[]): { exit: number; told: string } {
  const io = fileCheckIO(checkOf(pairs), inputOf(pairs));
  return { exit: runFileCheckCommand(OPTIONS, io), told: io.stderrBytes() };
}

describe('patterns of FileCheck, at random', function () {
  this.timeout(0);
  const folder = mkdtempSync(join(tmpdir(), 'filecheck-patterns-'));
  after(() => rmSync(folder, { recursive: true }));

  const failures: string[] = [];

  /** How many were compared: none where the real one crashes. Pairs that differ are found one by one, and left out. */
  function compare(pairs: readonly Pair[]): number {
    writeFileSync(join(folder, 'c.txt'), checkOf(pairs), 'latin1');
    writeFileSync(join(folder, 'i.txt'), inputOf(pairs), 'latin1');
    const limits = { timeout: LIMIT_MS, maxBuffer: 1 << 26 };
    const real = spawnSync(FILECHECK, OPTIONS, { cwd: folder, encoding: 'latin1', ...limits });
    if (real.status === null) return 0;
    const { exit, told } = ours(pairs);
    if (told === real.stderr && exit === real.status) return pairs.length;
    if (pairs.length === 1) {
      failures.push(`${JSON.stringify(pairs[0])}\nours ${exit}: ${told}\nreal ${real.status}: ${real.stderr}`);
      return 1;
    }
    const half = pairs.length >> 1;
    return compare(pairs.slice(0, half)) + compare(pairs.slice(half));
  }

  it('a back-reference that is right nowhere, at the end of the text', function () {
    needsFileCheck(this);
    const pairs = [
      {
        pattern: String.raw`{{\*[0-9]*([.*]{0,}|ba*)|(a+%*|[^a][%$]ba|%)?(\2|-[]a]* {2,3})+}}`,
        line: '<ca%- -11->%Aa',
      },
      { pattern: String.raw`{{(x)|a(\2)}}`, line: 'a' },
      { pattern: String.raw`{{(x*)|(\2b)}}{{$}}`, line: 'a' },
    ];
    for (const pair of pairs) assert.equal(compare([pair]), 1);
    assert.deepEqual(failures, []);
  });

  it('anchors that a count copies: the engine passes as many at a place as are written', function () {
    needsFileCheck(this);
    const pairs = [
      { pattern: '{{${2}|.ba*[[:upper:][:digit:]]?}}{{$}}', line: '<baa>.c' },
      { pattern: '{{(${2,3})}}', line: '<2A>c' },
      { pattern: '{{%|([]a](1..).)?${2,3}$}}', line: '<1a1> A.' },
      { pattern: `{{(\$){2}|${'a'.repeat(70)}}}`, line: 'a' },
      { pattern: `{{$\{2}|${'a'.repeat(70)}}}`, line: 'a' },
    ];
    for (const pair of pairs) assert.equal(compare([pair]), 1);
    assert.deepEqual(failures, []);
  });

  it('back-references after loops in loops: each way is tried once', function () {
    needsFileCheck(this);
    const pattern = String.raw`<[[V:([^a]+(.+)*\**|[.*]|[^a-b1]ab*(baab[a-]*))*]]{{[ab]?|(.{0,}|({2,3}[^]a]([0-9] +[^a]?|c|1[^]a])|b{0}[[:upper:][:digit:]]\*)*|c)(bac)}}[[V]]`;
    assert.equal(compare([{ pattern, line: '< aa. %A%> a%A2' }]), 1);
    assert.deepEqual(failures, []);
  });

  it(`${PAIRS} pairs`, function () {
    needsFileCheck(this);
    const random = new Random(SEED);
    let compared = 0;
    let slowestMs = 0;
    let slowest = '';
    while (compared < PAIRS) {
      const pairs: Pair[] = [];
      while (pairs.length < PER_RUN) {
        const pair = randomPattern(random);
        const began = process.cpuUsage();
        const isUsable = ours([pair]).told.includes(IS_READ);
        const ms = process.cpuUsage(began).user / 1000;
        if (ms > slowestMs) [slowestMs, slowest] = [ms, JSON.stringify(pair)];
        // One that cannot be read ends a run.
        if (isUsable) pairs.push(pair);
        else if (random.below(20) === 0) compared += compare([pair]);
      }
      compared += compare(pairs);
    }
    if (SHOW > 0)
      console.log(
        `      ${compared} pairs, ${failures.length} differ; slowest of ours ${slowestMs.toFixed(1)} ms: ${slowest}`,
      );
    assert.deepEqual(failures, []);
  });
});
