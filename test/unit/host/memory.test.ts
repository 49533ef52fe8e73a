/** Memory of a session: closed files and old versions are freed, whatever was typed into which name. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ALL } from '../../support/switches.js';
import { LARGE, RUNS, type MemoryResult } from '../../support/memoryRuns.js';

const SCRIPT = join(__dirname, '..', '..', 'support', 'memoryRuns.ts');
const STEPS = 50;
/** Those in which names, texts of targets and files change; all of them with AMDGPU_MIR_ALL. */
const SAMPLE = new Set([
  'closed files, functions',
  'closed files, attributes',
  'typed function',
  'typed register',
  'typed IR features',
  'typed triple',
  'typed processor',
  'typed long name',
  'typed everywhere',
]);
const CHOSEN = RUNS.filter((run) => ALL || SAMPLE.has(run));

describe('memory of a session', () => {
  const results = new Map<string, MemoryResult>();
  before(function () {
    this.timeout(900_000);
    const args = ['--expose-gc', '--require', 'tsx/cjs', SCRIPT, String(STEPS), ...CHOSEN];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    for (const line of stdout.trim().split('\n')) {
      const result = JSON.parse(line) as MemoryResult;
      results.set(result.run, result);
    }
  });

  for (const run of CHOSEN)
    it(`${run}: back within a tenth`, () => {
      const { before, after } = results.get(run)!;
      // One text of a version that is kept for each step would be more than what is allowed, twice.
      assert.ok(before / 10 < (STEPS * LARGE) / 2, `${before} bytes are too many to see anything`);
      assert.ok(after < before * 1.1, `${run}: ${before} bytes before, ${after} after`);
    });
});
