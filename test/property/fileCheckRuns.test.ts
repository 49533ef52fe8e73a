/**
 * Random check files on random inputs: what FileCheck 22 says, and its exit code. `AMDGPU_MIR_RUNS=10000` is the long version, AMDGPU_MIR_SEED
 * replays a run.
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
import { randomFileCheck } from '../support/randomFileCheck.js';
import { runsOr, seedOr } from '../support/switches.js';

const RUNS = runsOr(150);
const SEED = seedOr(1);

describe('FileCheck, at random', function () {
  this.timeout(0);
  const folder = mkdtempSync(join(tmpdir(), 'filecheck-runs-'));
  after(() => rmSync(folder, { recursive: true }));

  it(`${RUNS} runs like FileCheck 22's`, function () {
    needsFileCheck(this);
    let compared = 0;
    for (let n = 0; n < RUNS; n++) {
      const { args: options, check, input, opts } = randomFileCheck(new Random(SEED * 1_000_003 + n));
      writeFileSync(join(folder, 'c.txt'), check, 'latin1');
      writeFileSync(join(folder, 'i.txt'), input, 'latin1');
      const args = [...options, 'c.txt', '--input-file=i.txt'];
      const real = spawnSync(FILECHECK, args, {
        cwd: folder,
        encoding: 'latin1',
        env: { ...process.env, FILECHECK_OPTS: opts },
        timeout: LIMIT_MS,
      });
      // It crashes on some of them.
      if (real.status === null) continue;
      const io = fileCheckIO(check, input);
      const exit = runFileCheckCommand(args, io, opts);
      const what = `run ${n} of seed ${SEED}: ${JSON.stringify([args, opts, check, input])}`;
      assert.equal(io.stderrBytes(), real.stderr.replaceAll(FILECHECK, 'FileCheck'), what);
      assert.equal(exit, real.status, what);
      compared++;
    }
    assert.ok(compared > RUNS / 2);
  });
});
