/**
 * Random options on functions of the corpus: stdout, stderr and exit code equal llc-22's. `AMDGPU_MIR_RUNS=1000` is the long version,
 * AMDGPU_MIR_SEED replays a run.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLlcToStrings } from '../../server/src/cli/llc.js';
import { corpusInputs, Random } from '../support/damageInputs.js';
import { LLC, needsLlc } from '../support/llc.js';
import { randomOptions } from '../support/randomOptions.js';
import { needsShared, SHARED } from '../support/skip.js';
import { withoutAddresses } from '../support/verify.js';
import { runsOr, seedOr } from '../support/switches.js';

const ROOT = join(__dirname, '../..');
const RUNS = runsOr(25);
const SEED = seedOr(1);
const MAX_LENGTH = 40_000;
const PASSES = ['none', 'machine-scheduler', 'machine-scheduler', 'amdgpu-print-rp'];

describe('options of llc, at random', function () {
  this.timeout(0);
  const folder = mkdtempSync(join(tmpdir(), 'option-runs-'));
  after(() => rmSync(folder, { recursive: true }));

  it(`${RUNS} runs like llc-22's`, function () {
    needsLlc(this);
    // At a PHI the trackers of LLVM 22 read after their table; the answer of a machine without the target is no question of options.
    const inputs = corpusInputs(ROOT, MAX_LENGTH).filter(
      (i) =>
        !i.name.startsWith('upstream/') && !i.text.includes(' = PHI ') && i.args.some((a) => a.includes('mtriple')),
    );
    needsShared(this, join(SHARED, 'corpus'));
    const file = join(folder, 'input.mir');
    let compared = 0;
    for (let n = 0; n < RUNS; n++) {
      const random = new Random(SEED * 1_000_003 + n);
      const input = random.pick(inputs);
      writeFileSync(file, input.text);
      const args = [...input.args, `-run-pass=${random.pick(PASSES)}`, file, '-o', '-', ...randomOptions(random)];
      const llc = spawnSync(LLC, args, { input: '', encoding: 'utf8', maxBuffer: 1 << 28, timeout: 60_000 });
      // llc itself crashed, or its verifier ended it with a report of the crash handler.
      if (llc.signal !== null) continue;
      const ours = runLlcToStrings(args);
      const what = `run ${n} of seed ${SEED}: ${input.name} ${args.join(' ')}`;
      assert.equal(withoutAddresses(ours.err), withoutAddresses(llc.stderr.replaceAll('llc-22', 'llc')), what);
      assert.equal(ours.exit, llc.status, what);
      assert.equal(withoutAddresses(ours.out), withoutAddresses(llc.stdout), what);
      compared++;
    }
    assert.ok(compared > RUNS / 2);
  });
});
