/**
 * Every file of ../shared/repros through amdgpu-mir and llc-22: inputs that were once answered otherwise. Those of `exact` through the reader with the
 * machine verifier, the pressure printer and the scheduler, those of `robust` through the reader, those of `robust2` and `hostile` through the reader and
 * the scheduler, those of `exact2` as its README runs them; exit code, standard output and standard error. `undef_lanes_first_def_gfx602` is not there:
 * llc-22 answers otherwise when its memory is laid out otherwise. AMDGPU_MIR_ALL takes the largest and more strategies, too.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allocatedNumbers } from '../support/allocatedNumbers.js';
import { compareVerdicts, llcVerdict, ourVerdict } from '../support/damageVerdict.js';
import { LIMIT_MS, needsLlc } from '../support/llc.js';
import { runLlcJob } from '../support/llcJobs.js';
import { needsShared, SHARED, skip } from '../support/skip.js';
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

/** Allocated files whose numbers llc-22's assembly has. */
const NUMBERS: readonly (readonly [file: string, triple: string, cpu: string])[] = [
  ['chain_preserve_scratch.mir', 'amdgcn-amd-amdpal', 'gfx1150'],
  ['occ_cv_anisodiff_gfx602.sched_100.mir.xz', 'amdgcn-mesa-mesa3d', 'gfx602'],
  ['occ_r1010_func_gfx810.gsched_58.mir.xz', 'amdgcn--', 'gfx810'],
  ['occ_r3093_func_gfx906.sched_23.mir.xz', 'amdgcn-amd-amdhsa', 'gfx906'],
];

/** Null: a packed file, and no xz here. */
function textOfRepro(folder: string, file: string): string | null {
  const path = join(REPROS, folder, file);
  if (!file.endsWith('.xz')) return readFileSync(path, 'latin1');
  const run = spawnSync('xz', ['-dc', path], { encoding: 'latin1', maxBuffer: 1 << 28, timeout: LIMIT_MS });
  return run.status === 0 ? run.stdout : null;
}

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

  for (const folder of ['robust2', 'hostile'])
    it(`${folder}: as llc-22`, function () {
      needsLlc(this);
      needsShared(this, REPROS);
      let compared = 0;
      for (const file of readdirSync(join(REPROS, folder)).filter((f) => /\.mir(\.xz)?$/.test(f))) {
        const text = textOfRepro(folder, file);
        if (text === null) continue;
        for (const pass of ['-run-pass=none', SCHEDULE]) {
          const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx942', pass];
          const { differs, llc, ours } = runLlcJob({ name: file, text, args });
          assert.notEqual(differs, 'crash');
          assert.deepEqual(ours, llc, `${file} ${pass}`);
          compared++;
        }
      }
      assert.ok(compared > 15, `${compared} runs compared`);
    });

  for (const end of ['greedy,2', 'virtregrewriter,2'])
    it(`exact2: sched_then_alloc_gfx950_stress4 to ${end} as llc-22`, function () {
      needsLlc(this);
      needsShared(this, REPROS);
      const text = textOfRepro('exact2', 'sched_then_alloc_gfx950_stress4.mir.xz');
      if (text === null) return skip(this, 'xz is not installed');
      const range = ['-start-before=machine-scheduler', `-stop-after=${end}`];
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx950', '-stress-regalloc=4', ...range];
      const { llc, ours } = runLlcJob({ name: end, text, args });
      assert.equal(llc.status, 0, llc.stderr);
      assert.deepEqual(ours, llc);
    });

  for (const [file, triple, cpu] of NUMBERS)
    it(`exact2: numbers of ${file} as llc-22`, function () {
      needsLlc(this);
      needsShared(this, REPROS);
      const text = textOfRepro('exact2', file);
      if (text === null) return skip(this, 'xz is not installed');
      const numbers = allocatedNumbers(text, triple, cpu);
      assert.ok(numbers !== null && numbers.length > 0);
      for (const { name, ours, llc } of numbers) assert.equal(ours, llc, name);
    });
});
