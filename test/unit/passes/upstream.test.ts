/**
 * LLVM's own scheduler tests of main (`../shared/corpus/upstream`) with `--model=llvm-main-2026-01`, through FileCheck: all pass, or the reason
 * why not stands here. A reason that no longer holds fails, too.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTest } from '../../../server/src/features/checks/runTest.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { runLlcFiles } from '../../support/schedule.js';
import { needsShared, skip } from '../../support/skip.js';

const UPSTREAM = join(__dirname, '..', '..', '..', '..', 'shared', 'corpus', 'upstream');

const NEEDS_ASSERTS = 'checks -debug-only output, which only a build of llc with assertions has';
const NEW_SYNTAX = 'instructions or register names that LLVM 22 does not know';
const OTHER_SCHEDULER =
  'picks of a scheduler newer than 22.1.8 (the triple amdgpuN.NN is of mid 2026); only the rematerialization stage is that of main';

const REASONS: Readonly<Record<string, string>> = {
  'coexec-sched-effective-stall.mir': NEW_SYNTAX,
  'dbg-value-ends-sched-region.mir':
    'rematerialization of an LLVM before 22: IMPLICIT_DEF stays where it is, V_MOV_B32 goes instead',
  'debug-value-scheduler-crash.mir':
    'rematerialization of an LLVM before 22: moves all ten candidates where one is enough',
  'debug-value-scheduler-liveins.mir': NEEDS_ASSERTS,
  'debug-value-scheduler.mir': NEEDS_ASSERTS,
  'high-RP-reschedule.mir': NEEDS_ASSERTS,
  'llvm.amdgcn.iglp.opt.single.2c.mir': OTHER_SCHEDULER,
  'machine-scheduler-sink-trivial-remats-debug.mir': NEEDS_ASSERTS,
  'sched-group-barrier-pre-RA.mir': 'the verifier of LLVM 22 rejects the input',
  'sched_mfma_rewrite_cost.mir':
    'older than the scores: candidates go in program order, as in 22.1.8, with which the CHECK lines hold; the matrix instructions are as expected',
  'sched_mfma_rewrite_diff_types.mir': OTHER_SCHEDULER,
  'schedule-barrier.mir': OTHER_SCHEDULER,
  'schedule-ilp-liveness-tracking.mir': 'an option that LLVM 22 does not have any more',
  'schedule-ilp.mir': NEW_SYNTAX,
  'schedule-pending-queue.mir': NEEDS_ASSERTS,
  'schedule-physregdeps.mir': NEEDS_ASSERTS,
  'schedule-regpressure.mir': NEEDS_ASSERTS,
  'scheduler-handle-move-bundle.mir': NEW_SYNTAX,
};

interface Entry {
  readonly file: string;
  readonly runs: readonly { readonly run: string }[];
}

/**
 * RUN lines that fail in LLVM 24 (the wheel of triton 3.9.0) as in main of 2026-10-25 (Debian's llc-24), at the same CHECK line or error: what they expect is
 * older. Those of the scores are of early 2026, whose model passes them.
 */
const OLDER_THAN_24: ReadonlySet<string> = new Set([
  'dbg-value-ends-sched-region.mir',
  'debug-value-scheduler-crash.mir',
  'machine-scheduler-rematerialization-scoring.mir',
  'sched-group-barrier-pre-RA.mir',
  'sched_mfma_rewrite_cost.mir',
  'sched_mfma_rewrite_diff_types.mir',
  'schedule-barrier.mir',
]);

/** Of a test that is older than main's names of tuples by their size. */
const OLDER_NAME = /\$[sva]gpr\d+_[sva]gpr\d/;

function passes(file: string, run: string): boolean {
  const [llc, check] = run.split('|').map((part) => part.replace('2>&1', '').trim().split(/\s+/));
  const path = join(UPSTREAM, file);
  const args = llc.slice(1).map((a) => (a === '%s' ? path : a));
  const { status, stdout, stderr } = runLlcFiles(['--model=llvm-main-2026-01', ...args]);
  if (status !== 0) return false;
  const input = run.includes('2>&1') ? stderr + stdout : stdout;
  const checked = spawnSync('FileCheck-22', [...check.slice(1).map((a) => (a === '%s' ? path : a))], { input });
  return checked.status === 0;
}

describe("LLVM's tests of the scheduler on main", () => {
  before(function () {
    needsShared(this, UPSTREAM);
    if (spawnSync('FileCheck-22', ['--version']).status !== 0) skip(this, 'FileCheck-22 is not installed');
  });

  const manifest = join(UPSTREAM, 'manifest.json');
  const entries = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as Entry[]) : [];
  for (const { file, runs } of entries) {
    const own = runs.map((r) => r.run).filter((r) => /^llc .*-(?:run-pass|passes)[= ]machine-scheduler/.test(r));
    if (own.length === 0) continue;
    const reason = REASONS[file];
    it(reason === undefined ? file : `${file}: ${reason}`, () => {
      const failed = own.filter((run) => !passes(file, run));
      if (reason === undefined) assert.deepEqual(failed, []);
      else assert.equal(failed.length, own.length, 'passes now');
    });
  }

  for (const model of ['auto', 'llvm-main'] as const)
    it(`${model}: a RUN line fails where LLVM 24 and main fail, else it passes or is unsupported, with the reason`, () => {
      for (const { file } of entries) {
        const text = readFileSync(join(UPSTREAM, file), 'utf8');
        if (model === 'llvm-main' && OLDER_NAME.test(text)) continue;
        const { runs } = runTest(text, new Map(), NEVER_CANCELLED, model);
        const verdicts = runs.map((r) => r.verdict);
        if (OLDER_THAN_24.has(file)) assert.ok(!verdicts.includes('passed'), `${file} passes now`);
        else assert.ok(!verdicts.includes('failed'), `${file}: ${runs.map((r) => r.detail).join('; ')}`);
        for (const { verdict, detail } of runs) assert.ok(verdict !== 'unsupported' || detail !== '', file);
      }
    });
});
