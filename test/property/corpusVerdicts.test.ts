/**
 * RUN lines of the corpus in the editor: where the engine runs one, it passes or fails as with llc-22 and FileCheck-22 under a shell, at the same
 * CHECK lines. `AMDGPU_MIR_ALL=1` takes the whole corpus, AMDGPU_MIR_SHOW=N prints N of what is not run, AMDGPU_MIR_ONLY names a test.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTest } from '../../server/src/features/checks/runTest.js';
import type { RunVerdict } from '../../server/src/features/snapshot/verdict.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { corpusTests, type InputText } from '../support/damageInputs.js';
import { FILECHECK, needsFileCheck } from '../support/fileCheck.js';
import { LIMIT_MS, LLC, needsLlc } from '../support/llc.js';
import { skip } from '../support/skip.js';
import { ALL, ONLY, SHOW } from '../support/switches.js';

/** of a usual run: every so many files, and none that takes long */
const EVERY = 40;
const MAX_LENGTH = 20_000;

const which = (name: string): string =>
  spawnSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8', timeout: LIMIT_MS }).stdout.trim();

interface Verdict {
  /** null when nothing is known: it took too long, or llc-22 does not know the target */
  readonly exit: number | null;
  /** 0-based, of the directives that are in error */
  readonly lines: readonly number[];
}

describe('verdicts on the corpus', function () {
  this.timeout(0);
  const folder = mkdtempSync(join(tmpdir(), 'corpus-verdicts-'));
  const bin = join(folder, 'bin');
  after(() => rmSync(folder, { recursive: true }));

  /** RUN lines as written, continued ones as one; by a reading of their own, apart from litScript.ts. */
  function runLinesIn(text: string): Map<number, string> {
    const runs = new Map<number, string>();
    let open = -1;
    for (const [k, line] of text.split('\n').entries()) {
      const run = /\bRUN:(.*)$/.exec(line)?.[1]?.trim();
      if (run === undefined) continue;
      const at = open < 0 ? k : open;
      runs.set(at, `${(runs.get(at) ?? '').replace(/\\$/, '')} ${run}`);
      open = run.endsWith('\\') ? at : -1;
    }
    return runs;
  }

  /** Of all RUN lines, in order, with the real programs. */
  function realVerdicts(text: string): Map<number, Verdict> {
    const work = join(folder, 'work');
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work);
    const file = join(work, 'test.mir');
    writeFileSync(file, text);
    const verdicts = new Map<number, Verdict>();
    for (const [line, run] of runLinesIn(text)) {
      const words = run
        .replaceAll('%s', file)
        .replaceAll('%S', work)
        .replace(/%t\b/g, join(work, 'tmp'))
        .replaceAll('%T', work);
      const env = { PATH: `${bin}:/usr/bin:/bin` };
      const options = { cwd: work, env, encoding: 'utf8', timeout: LIMIT_MS, maxBuffer: 1 << 28 } as const;
      const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', words], options);
      const told = [...stderr.matchAll(/^(.*?):(\d+):\d+: error: /gm)].filter(([, path]) => path === file);
      // Triples of LLVM main, which our llc reads.
      const isUnknown = /unable to get target for 'amdgpu/.test(stderr);
      verdicts.set(line, { exit: isUnknown ? null : status, lines: told.map(([, , at]) => Number(at) - 1) });
    }
    return verdicts;
  }

  /** What is wrong with ours, '' when nothing is. */
  function difference(ours: RunVerdict, real: Verdict | undefined): string {
    if (real === undefined) return 'no such RUN line';
    if (real.exit === null) return '';
    const wanted = real.exit === 0 ? 'passed' : 'failed';
    if (ours.verdict !== wanted) return `${ours.verdict} (${ours.detail}), is ${wanted}`;
    const lines = [...new Set(ours.findings.map((f) => f.line))].sort((a, b) => a - b).join();
    const wantedLines = [...new Set(real.lines)].sort((a, b) => a - b).join();
    return lines === wantedLines ? '' : `fails in lines ${lines || '-'}, FileCheck-22's are ${wantedLines || '-'}`;
  }

  it(ALL ? 'all tests' : `every ${EVERY}th test`, function () {
    needsLlc(this);
    needsFileCheck(this);
    const tests: InputText[] = corpusTests(join(__dirname, '..', '..'));
    if (tests.length === 0) skip(this, '../shared/corpus is not there');
    mkdirSync(bin);
    symlinkSync(which(LLC), join(bin, 'llc'));
    symlinkSync(which(FILECHECK), join(bin, 'FileCheck'));
    for (const name of ['not', 'split-file', 'count']) symlinkSync(which(`${name}-22`), join(bin, name));
    const chosen = ONLY
      ? tests.filter(({ name }) => name.includes(ONLY!))
      : tests.filter(({ text }, k) => ALL || (k % EVERY === 0 && text.length < MAX_LENGTH));
    const count = { passed: 0, failed: 0, unsupported: 0 };
    const whys: string[] = [];
    const differences: string[] = [];
    for (const { name, text } of chosen) {
      const { runs, problem } = runTest(text, new Map(), NEVER_CANCELLED, 'llvm-22');
      if (problem !== '') whys.push(`${name}: ${problem}`);
      for (const run of runs) count[run.verdict]++;
      for (const { line, detail } of runs.filter((r) => r.verdict === 'unsupported'))
        whys.push(`${name}:${line + 1}: ${detail}`);
      if (runs.every((run) => run.verdict === 'unsupported')) continue;
      const real = realVerdicts(text);
      for (const run of runs.filter((r) => r.verdict !== 'unsupported')) {
        const what = difference(run, real.get(run.line));
        if (what !== '') differences.push(`${name}:${run.line + 1}: ${what}`);
      }
    }
    if (SHOW > 0) {
      console.log(`      ${chosen.length} tests, RUN lines: ${JSON.stringify(count)}, ${differences.length} differ`);
      for (const why of whys.slice(0, SHOW)) console.log(`      not run: ${why}`);
    }
    assert.deepEqual(differences, []);
    assert.ok(ONLY !== undefined || count.passed + count.failed > 0);
  });
});
