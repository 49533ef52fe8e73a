/**
 * Every file of ../shared/repros through amdgpu-mir and llc-22: inputs that were once answered otherwise. Those of `exact` through the reader with the
 * machine verifier, the pressure printer and the scheduler, those of `robust` through the reader, those of `exact2` as its README runs them; exit code,
 * standard output and standard error. `undef_lanes_first_def_gfx602` is not there: llc-22 answers otherwise when its memory is laid out otherwise.
 * AMDGPU_MIR_ALL takes the largest and more strategies, too.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareVerdicts, llcVerdict, ourVerdict } from '../support/damageVerdict.js';
import { needsLlc } from '../support/llc.js';
import { runLlcJob } from '../support/llcJobs.js';
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

const ALLOCATION = '-start-before=greedy,0 -stop-after=virtregrewriter,2';
const SCHEDULE = '-run-pass=machine-scheduler';
const READ = '-mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none';
/** Of those that are not packed; null: the RUN line of the file. */
const EXACT2: Readonly<Record<string, string | null>> = {
  wwm_prealloc_after_sgpr_spill: `-mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -stress-regalloc=4 ${ALLOCATION}`,
  'stackrealign-frame-pointer': null,
  aa_known_bits_smax_one_side_nonneg: `-mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a ${SCHEDULE}`,
  aa_known_bits_bswap: `-mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a ${SCHEDULE}`,
  aa_known_bits_fshl: `-mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a ${SCHEDULE}`,
  aa_known_bits_umul_with_overflow: `-mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a ${SCHEDULE}`,
  unclustered_profit_gfx602: `-mtriple=amdgcn-mesa-mesa3d -mcpu=gfx602 ${SCHEDULE}`,
  optnone_stack_slots: `-mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -stress-regalloc=4 ${ALLOCATION}`,
  ran_out_twice: `-mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -stress-regalloc=2 ${ALLOCATION}`,
  'greedy-verify-subrange': null,
  'true16-copy': '-mtriple=amdgcn-amd-amdhsa -mcpu=gfx1100 -run-pass=si-fix-sgpr-copies',
  dbg_label_print_rp: '-mtriple=amdgcn -mcpu=gfx900 -run-pass=amdgpu-print-rp',
  first_terminator_location: '-mtriple=amdgcn -mcpu=gfx900 -run-pass=none -verify-machineinstrs',
  'intrinsic-vararg-message': READ,
  'invalid-diexpression-text': READ,
  'ir-error-before-yaml': READ,
  'waitcnt-mnemonic': READ,
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

  for (const [name, args] of Object.entries(EXACT2))
    it(`exact2: ${name} as llc-22`, function () {
      needsLlc(this);
      needsShared(this, REPROS);
      const text = readFileSync(join(REPROS, 'exact2', `${name}.mir`), 'utf8');
      const words = args ?? /^# RUN: llc (.*?) -o - %s/m.exec(text)?.[1];
      assert.ok(words !== undefined);
      const { differs, llc, ours } = runLlcJob({ name, text, args: words.split(' ') });
      assert.notEqual(differs, 'crash');
      assert.deepEqual(ours, llc);
    });
});
