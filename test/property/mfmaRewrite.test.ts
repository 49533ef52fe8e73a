/**
 * Properties of the stage that rewrites matrix instructions: the result is accepted by the verifier and by llc-22, its pressure is the
 * one that the stages track, and nothing changes where it decides against it.
 */
import assert from 'node:assert/strict';
import { verifyFunction } from '../../server/src/analysis/verifier/index.js';
import { printFunctionDocument } from '../../server/src/model/printer/index.js';
import {
  DEFAULT_SCHEDULE_OPTIONS,
  scheduleFunction,
  SchedulerProcessState,
  type ScheduleOptions,
} from '../../server/src/passes/scheduler/scheduleFunction.js';
import type {
  GCNScheduleDAGMILive,
  StageObserver,
} from '../../server/src/passes/scheduler/stages/gcnScheduleDAGMILive.js';
import { llcVersion, runLlc } from '../support/llc.js';
import { MFMA_ARGS, randomMfma } from '../support/randomMfma.js';
import { lowerWithRunLine, scheduleWithOurs } from '../support/schedule.js';

const OFF: ScheduleOptions = { ...DEFAULT_SCHEDULE_OPTIONS, model: 'llvm-main-2026-01' };
const ON: ScheduleOptions = { ...OFF, rewriteMfmaForm: true };

class Watch implements StageObserver {
  scheduler: GCNScheduleDAGMILive | null = null;
  rewritten = false;
  atBegin: string[] = [];

  begin(s: GCNScheduleDAGMILive): void {
    this.scheduler = s;
    this.atBegin = this.pressures();
  }

  replaced(s: GCNScheduleDAGMILive): void {
    this.scheduler = s;
    this.rewritten = true;
  }

  pressures(): string[] {
    return this.scheduler?.regions.map((r) => Array.from(r.pressure).join(' ')) ?? [];
  }
}

describe('rewriting of matrix instructions', () => {
  it('holds on random functions', function () {
    this.timeout(0);
    let rewritten = 0;
    for (let seed = 0; seed < 14; seed++) {
      const text = randomMfma(seed);
      const { fns, facts } = lowerWithRunLine(text);
      for (const original of fns) {
        const run = (options: ScheduleOptions, watch: Watch): ReturnType<typeof scheduleFunction> =>
          scheduleFunction(original, options, new SchedulerProcessState(), facts, watch);
        const watch = new Watch();
        const { fn } = run(ON, watch);
        assert.deepEqual(
          verifyFunction(fn, {}).map((r) => r.message),
          [],
          `seed ${seed}`,
        );
        const again = new Watch();
        scheduleFunction(fn, OFF, new SchedulerProcessState(), facts, again);
        assert.deepEqual(watch.pressures(), again.atBegin, `seed ${seed}`);
        const print = (f: typeof fn): string => printFunctionDocument(f, { simplify: false });
        if (!watch.rewritten) assert.equal(print(fn), print(run(OFF, new Watch()).fn), `seed ${seed}`);
        else rewritten++;
      }
      if (llcVersion() === null) continue;
      const args = [...MFMA_ARGS, '--model=llvm-main-2026-01', '-amdgpu-disable-rewrite-mfma-form-sched-stage=0'];
      const { stdout } = scheduleWithOurs(text, args);
      const llc = runLlc([...MFMA_ARGS, '-run-pass=none', '-x=mir', '-o', '-'], stdout);
      assert.equal(llc.stderr, '', `seed ${seed}`);
    }
    assert.ok(rewritten > 1);
  });
});
