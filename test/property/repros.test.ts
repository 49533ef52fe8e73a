/**
 * Every file of ../shared/repros through amdgpu-mir and llc-22: inputs that were once answered otherwise. Those of `exact` through the reader with the
 * machine verifier, the pressure printer and the scheduler, those of `robust` through the reader; exit code, standard output and standard error.
 * AMDGPU_MIR_ALL takes the largest and more strategies, too.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareVerdicts, llcVerdict, ourVerdict } from '../support/damageVerdict.js';
import { needsLlc } from '../support/llc.js';
import { needsShared, SHARED } from '../support/skip.js';
import { ALL } from '../support/switches.js';

const REPROS = join(SHARED, 'repros');
const LARGE = 200_000;

const ITERATIVE = ['-run-pass=machine-scheduler', '-misched=gcn-iterative-ilp'];
const RUNS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  exact: [
    ['-run-pass=none', '-verify-machineinstrs'],
    ['-run-pass=machine-scheduler'],
    ...(ALL ? [['-run-pass=amdgpu-print-rp'], ITERATIVE, [...ITERATIVE, '-misched-prera-direction=topdown']] : []),
  ],
  robust: [['-run-pass=none']],
};

/** The processors that the name of a file tells, and its wave size. */
function targetsOf(name: string): string[][] {
  const family = /gfx\d+(?:generic)?/.exec(name)?.[0] ?? '';
  const cpu =
    family === 'gfx11'
      ? 'gfx1100'
      : family.replace('generic', '-generic') || (name.startsWith('06') ? 'gfx942' : 'gfx90a');
  const wave = name.includes('_w64') ? ['-mattr=+wavefrontsize64'] : [];
  return [['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, ...wave]];
}

describe('files of ../shared/repros', function () {
  this.timeout(0);

  for (const kind of Object.keys(RUNS)) {
    it(`${kind}: as llc-22`, async function () {
      needsLlc(this);
      needsShared(this, REPROS);
      const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-repros-'));
      const different: string[] = [];
      let compared = 0;
      try {
        for (const name of readdirSync(join(REPROS, kind)).filter((f) => f.endsWith('.mir'))) {
          const bytes = readFileSync(join(REPROS, kind, name));
          if (bytes.length > LARGE && !ALL) continue;
          for (const target of targetsOf(name)) {
            for (const run of RUNS[kind] ?? []) {
              // At PHIs the scheduler of llc-22 reads memory that is not its own: two runs of it may differ.
              if (run[0] !== '-run-pass=none' && bytes.includes(' = PHI ')) continue;
              const args = [...target, ...run, '-o', '-'];
              const difference = compareVerdicts(
                await llcVerdict(folder, name, bytes, args),
                ourVerdict(name, bytes, args),
              );
              compared++;
              if (difference !== 'none') different.push(`${name} ${args.join(' ')}: ${difference}`);
            }
          }
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      assert.deepEqual(different, []);
      assert.ok(compared > 30, `${compared} runs compared`);
    });
  }
});
