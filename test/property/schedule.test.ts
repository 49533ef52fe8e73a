/**
 * What holds for every schedule: a permutation of its region that respects every strong edge of its graph; a revert brings the order
 * before back; the pressure that the stages track is that of live intervals made anew; twice the same input gives twice the same
 * result, and the input is left alone.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { printFunctionDocument } from '../../server/src/model/printer/index.js';
import { isWeakDep, NONE } from '../../server/src/passes/scheduler/dag/graph.js';
import {
  DEFAULT_SCHEDULE_OPTIONS,
  scheduleFunction,
  SchedulerProcessState,
  type ScheduleOptions,
} from '../../server/src/passes/scheduler/scheduleFunction.js';
import { traceSchedule } from '../../server/src/passes/scheduler/trace/collector.js';
import type {
  GCNScheduleDAGMILive,
  StageObserver,
} from '../../server/src/passes/scheduler/stages/gcnScheduleDAGMILive.js';
import type { RegionEvent } from '../../server/src/passes/scheduler/stages/stageEvents.js';
import { highPressure, randomSchedule } from '../support/randomSchedule.js';
import { lowerWithRunLine } from '../support/schedule.js';
import { seedOr } from '../support/switches.js';

const input = fc.record({
  seed: fc.nat(1_000_000),
  size: fc.integer({ min: 1, max: 40 }),
  blocks: fc.integer({ min: 1, max: 4 }),
  pressure: fc.boolean(),
  strategy: fc.constantFrom('', 'max-ilp', 'max-memory-clause'),
  misched: fc.constantFrom('', 'converge', 'ilpmax', 'ilpmin'),
});
type Input = typeof input extends fc.Arbitrary<infer T> ? T : never;

const textOf = (i: Input): string => (i.pressure ? highPressure(i.seed) : randomSchedule(i.seed, i));
const optionsOf = (i: Input): ScheduleOptions => ({ ...DEFAULT_SCHEDULE_OPTIONS, schedStrategy: i.strategy });
const RUNS = { numRuns: 60 };

/** Checks every region of every stage as it is done. */
class Watch implements StageObserver {
  nRegions = 0;
  nReverted = 0;
  scheduler: GCNScheduleDAGMILive | null = null;
  private orderBefore: readonly number[] = [];

  begin(s: GCNScheduleDAGMILive): void {
    this.scheduler = s;
  }

  picks(_kind: number, region: number): null {
    const s = this.scheduler!;
    this.orderBefore = s.ctx.instrsOf(s.regions[region]);
    return null;
  }

  region(e: RegionEvent): void {
    this.nRegions++;
    const n = e.nodes.length;
    const place = new Int32Array(n).fill(-1);
    e.scheduled.forEach((node, k) => {
      assert.equal(place[node], -1, 'a node stands twice');
      place[node] = k;
    });
    assert.equal(e.scheduled.length, n);
    const { graph } = e;
    for (let node = 0; node < n; node++) {
      for (let edge = graph.firstPred[node]; edge !== NONE; edge = graph.nextPred[edge]) {
        if (isWeakDep(graph.edgeKind[edge])) continue;
        assert.ok(place[graph.edgePred[edge]] < place[node], `edge ${graph.edgePred[edge]} -> ${node} is broken`);
      }
    }
    if (e.reverted === null) return;
    this.nReverted++;
    assert.deepEqual([...e.order], [...this.orderBefore], `reverted (${e.reverted}), but not to the order before`);
  }
}

describe('schedules', () => {
  it('are permutations that respect the strong edges; reverts restore the order', () => {
    let reverted = 0;
    let regions = 0;
    fc.assert(
      fc.property(input, (i) => {
        const { fns, facts } = lowerWithRunLine(textOf(i));
        const watch = new Watch();
        for (const fn of fns) scheduleFunction(fn, optionsOf(i), new SchedulerProcessState(), facts, watch);
        regions += watch.nRegions;
        reverted += watch.nReverted;
      }),
      // A hundred others have no revert in them now and then.
      { ...RUNS, numRuns: 120, seed: seedOr(1) },
    );
    assert.ok(regions > 100, 'too few regions to mean anything');
    assert.ok(reverted > 0, 'no revert was seen');
  });

  it('have the pressure that live intervals of the new order give', () => {
    fc.assert(
      fc.property(input, (i) => {
        const { fns, facts } = lowerWithRunLine(textOf(i));
        for (const fn of fns) {
          const first = new Watch();
          const { fn: scheduled } = scheduleFunction(fn, optionsOf(i), new SchedulerProcessState(), facts, first);
          const tracked = first.scheduler?.regions.map((r) => Array.from(r.pressure));
          let anew: number[][] | undefined;
          const again = {
            begin: (s: GCNScheduleDAGMILive) => void (anew = s.regions.map((r) => Array.from(r.pressure))),
          };
          scheduleFunction(scheduled, optionsOf(i), new SchedulerProcessState(), facts, again);
          assert.deepEqual(tracked, anew);
        }
      }),
      RUNS,
    );
  });

  it('are deterministic, leave the input alone, and are the same with a trace', () => {
    fc.assert(
      fc.property(input, (i) => {
        const { fns, facts } = lowerWithRunLine(textOf(i));
        const options = { ...optionsOf(i), misched: i.misched };
        for (const fn of fns) {
          const before = printFunctionDocument(fn, { simplify: false });
          const run = (): string =>
            printFunctionDocument(scheduleFunction(fn, options, new SchedulerProcessState(), facts).fn, {
              simplify: false,
            });
          const once = run();
          assert.equal(run(), once);
          const traced = traceSchedule(fn, options, new SchedulerProcessState(), facts, { picksOf: () => true });
          assert.equal(printFunctionDocument(traced.fn, { simplify: false }), once);
          assert.equal(printFunctionDocument(fn, { simplify: false }), before);
          // the orders of the trace are those of the function
          const end = traced.fn.blockEnd[traced.fn.blocks.length - 1];
          const layout = Array.from(traced.fn.order.subarray(0, end));
          for (const r of traced.trace.regions) {
            const own = new Set(r.newOrder);
            assert.deepEqual(
              layout.filter((x) => own.has(x)),
              [...r.newOrder],
            );
          }
        }
      }),
      { ...RUNS, numRuns: 30 },
    );
  });
});
