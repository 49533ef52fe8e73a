/** The numbers of a trace, computed once more from others that it has: occupancies, stalls, what stages hand on, orders made of picks. */
import assert from 'node:assert/strict';
import { N_PRESSURE, newPressure, pressureOccupancy } from '../../../../../server/src/analysis/gcnPressure.js';
import type { MachineFunction } from '../../../../../server/src/model/machineFunction.js';
import {
  DEFAULT_SCHEDULE_OPTIONS,
  SchedulerProcessState,
  type ScheduleOptions,
} from '../../../../../server/src/passes/scheduler/scheduleFunction.js';
import { traceSchedule } from '../../../../../server/src/passes/scheduler/trace/collector.js';
import { modelLength } from '../../../../../server/src/passes/scheduler/modelLength.js';
import type { PressureTrace } from '../../../../../server/src/passes/scheduler/trace/pressureTrace.js';
import type {
  PickTrace,
  RegionRunDetails,
  ScheduleTrace,
  StageTrace,
  ZoneChoice,
} from '../../../../../server/src/passes/scheduler/trace/scheduleTrace.js';
import { RegKind } from '../../../../../server/src/target/api.js';
import { randomRegions } from '../../../../support/randomRegions.js';
import { highPressure, randomSchedule } from '../../../../support/randomSchedule.js';
import { lowerWithRunLine } from '../../../../support/schedule.js';

const TEXTS = [
  ['blocks', randomSchedule(5, { size: 12, blocks: 3 })],
  ['many registers', highPressure(5)],
  ['more registers', highPressure(17)],
  ['regions', ((q) => `# RUN: llc ${q.args.slice(0, 2).join(' ')} -run-pass=machine-scheduler %s\n${q.input}`)(randomRegions(13))],
] as const; // prettier-ignore

const SETTINGS: readonly Partial<ScheduleOptions>[] = [
  {},
  { misched: 'gcn-max-ilp' },
  { misched: 'gcn-max-memory-clause' },
  { misched: 'converge' },
  { misched: 'ilpmax' },
  { schedStrategy: 'iterative-ilp' },
  { schedStrategy: 'iterative-minreg' },
  { schedStrategy: 'iterative-maxocc' },
];

function occupancyOf(fn: MachineFunction, p: PressureTrace): number {
  const pressure = newPressure();
  pressure[RegKind.SGPR] = p.sgpr;
  pressure[RegKind.VGPR] = p.vgpr;
  pressure[RegKind.AGPR] = p.agpr;
  pressure[RegKind.AVGPR] = p.avgpr;
  assert.equal(N_PRESSURE, 8);
  return pressureOccupancy(pressure, fn.subtarget, 0);
}

function checkRun(fn: MachineFunction, d: RegionRunDetails): void {
  const n = d.oldOrder.length;
  assert.deepEqual(
    [d.occupancyBefore, d.occupancyAfter],
    [occupancyOf(fn, d.before), occupancyOf(fn, d.after)],
    'occupancy of its pressure',
  );
  assert.deepEqual(
    [d.stallsBefore, d.stallsAfter],
    [d.lengthBefore - n, d.lengthAfter - n],
    'a cycle each, and stalls',
  );
  if (d.newOrder.every((i, k) => i === d.oldOrder[k])) assert.equal(d.lengthAfter, d.lengthBefore);
  if (d.excessRP || d.highPressureSeen) assert.ok(d.highRP);
  if (d.reverted !== null && d.limits !== null) assert.ok(d.checked);
  if (d.limits !== null) {
    const { limits: l } = d;
    const vgprs = (p: PressureTrace): number =>
      fn.subtarget.hasGFX90AInsts ? (p.agpr === 0 ? 0 : Math.ceil((p.vgpr + p.avgpr) / 4) * 4 + p.agpr) || p.vgpr + p.avgpr : Math.max(p.vgpr + p.avgpr, p.agpr); // prettier-ignore
    assert.equal(d.checked, d.after.sgpr > l.sgprCritical || vgprs(d.after) > l.vgprCritical, 'checked where critical');
    assert.ok(l.sgprCritical <= l.sgprExcess && l.vgprCritical <= l.vgprExcess);
  }
}

/** Picks from the top in their order, then those from the bottom backwards. */
function checkPicks(d: RegionRunDetails): void {
  const side = (which: PickTrace['side']): number[] => d.picks.filter((p) => p.side === which).map((p) => p.instr);
  assert.deepEqual([...side('top'), ...side('bottom').reverse()], d.newOrder);
  const known = new Map<string, ZoneChoice>();
  const gone = new Set<number>();
  d.picks.forEach((p, k) => {
    for (const which of ['top', 'bottom'] as const) {
      const zone = p[which];
      if (zone === null) continue;
      const before = known.get(which);
      const isAlone = p.reason === 'Only1';
      assert.ok(!isAlone);
      if (zone.cached) {
        // the same as before, which nobody has taken since
        if (before === undefined) assert.ok(d.picks.slice(0, k).some((x) => x.reason === 'Only1'));
        else assert.deepEqual([zone.best, zone.runnerUp], [before.best, before.runnerUp]);
      }
      assert.ok(!gone.has(zone.best), 'nobody is chosen twice');
      assert.ok(zone.available + zone.pending <= d.picks.length - k);
      known.set(which, zone);
    }
    if (p.top !== null && p.bottom !== null && p.top.best !== p.bottom.best) assert.ok(p.between !== null);
    gone.add(p.instr);
  });
  const first = d.picks.find((p) => p.reason !== 'Only1');
  for (const zone of [first?.top, first?.bottom]) if (zone) assert.equal(zone.cached, false);
}

function checkStages(trace: ScheduleTrace, isList: boolean): void {
  const { stages } = trace;
  assert.ok(stages.length > 0);
  assert.deepEqual(
    [stages[0]!.occupancyBefore, stages.at(-1)!.occupancyAfter],
    [trace.occupancyBefore, trace.occupancyAfter],
  );
  stages.forEach((s: StageTrace, k) => {
    assert.equal(s.ran, s.why === null);
    if (!s.ran) assert.deepEqual(s.runs, []);
    else if (isList)
      assert.deepEqual(
        [...new Set(s.runs.map((r) => r.region))].sort((a, b) => a - b),
        trace.regions.map((r) => r.region),
      );
    for (const r of s.runs) assert.equal(r.skipped === null, r.details !== null);
    const next = stages[k + 1];
    if (next === undefined) return;
    assert.deepEqual([next.occupancyBefore, next.minOccupancyBefore], [s.occupancyAfter, s.minOccupancyAfter]);
  });
}

function checkRegions(original: MachineFunction, trace: ScheduleTrace): void {
  trace.regions.forEach((r, k) => {
    assert.equal(r.region, k);
    assert.deepEqual([original.instrBlock[r.first], original.instrBlock[r.last]], [r.block, r.block]);
    const order = [...original.order.subarray(original.blockBegin[r.block], original.blockEnd[r.block])];
    const isDebug = (i: number): boolean => original.tables.opcodeName(original.opcode[i]!).startsWith('DBG_');
    const inBundle = (i: number): boolean => original.bundle[i] !== 0;
    if (r.boundary < 0) assert.ok(order.slice(order.indexOf(r.last) + 1).every((i) => isDebug(i) || inBundle(i)));
    else assert.ok(order.slice(order.indexOf(r.last) + 1, order.indexOf(r.boundary)).every((i) => isDebug(i) || inBundle(i))); // prettier-ignore
    assert.ok(r.pressureBefore !== null && r.pressureAfter !== null);
    assert.equal(r.occupancyBefore, occupancyOf(original, r.pressureBefore));
    assert.equal(r.occupancyAfter, occupancyOf(original, r.pressureAfter));
    const runs = trace.stages.flatMap((s) => s.runs).filter((x) => x.region === k && x.details !== null);
    if (runs.length > 0) assert.deepEqual(runs[0]!.details!.before, r.pressureBefore);
  });
}

describe('the numbers of a trace', () => {
  it('has regions as long as the code counted by itself', () => {
    for (const seed of [3, 5, 17]) {
      const { fns, facts } = lowerWithRunLine(highPressure(seed));
      for (const original of fns) {
        const { fn, trace } = traceSchedule(original, DEFAULT_SCHEDULE_OPTIONS, new SchedulerProcessState(), facts, {
          picksOf: null,
        });
        assert.ok(trace.regions.some((r) => r.lengthAfter > r.nInstrs));
        const outside = fn.order.length - trace.regions.reduce((n, r) => n + r.nInstrs, 0);
        assert.equal(
          modelLength(fn),
          trace.regions.reduce((n, r) => n + r.lengthAfter, outside),
        );
      }
    }
  });

  for (const settings of SETTINGS)
    for (const [name, text] of TEXTS)
      it(`${JSON.stringify(settings)}: ${name}`, () => {
        const { fns, facts } = lowerWithRunLine(text);
        const options = { ...DEFAULT_SCHEDULE_OPTIONS, ...settings };
        for (const fn of fns) {
          const asked: [number, number][] = [];
          const told: string[] = [];
          const run = (wanted: ((region: number) => boolean) | null): ScheduleTrace =>
            traceSchedule(fn, options, new SchedulerProcessState(), facts, {
              picksOf:
                wanted &&
                ((region, n) => {
                  asked.push([region, n]);
                  return wanted(region);
                }),
              onProgress: (place) => told.push(place),
            }).trace;
          const trace = run((region) => region % 2 === 0);
          if (trace.notScheduled !== null) continue;
          assert.equal(trace.function, fn.header.name);
          assert.equal(trace.model, 'llvm-22');
          checkStages(trace, settings.schedStrategy === undefined);
          checkRegions(fn, trace);
          for (const [region, n] of asked) assert.equal(n, trace.regions[region]!.nInstrs);
          const made = trace.stages.flatMap((s) =>
            s.runs.flatMap((r) =>
              r.details === null ? [] : [{ stage: s.stage, region: r.region, details: r.details }],
            ),
          );
          for (const { region, details } of made) {
            checkRun(fn, details);
            if (region % 2 === 1) assert.deepEqual(details.picks, []);
            else if (details.picks.length > 0) checkPicks(details);
          }
          // told before each run, in its order; the iterative schedulers make runs without picks, too
          const places = made.map((m) => `${m.stage}, region ${m.region + 1} of ${trace.regions.length}`);
          if (settings.schedStrategy === undefined) assert.deepEqual(told, places);
          else assert.ok(told.every((t) => places.includes(t)));
          const without = run(null);
          assert.ok(
            without.stages.every((s) => s.runs.every((r) => r.details === null || r.details.picks.length === 0)),
          );
          assert.deepEqual(
            without.regions.map((r) => r.newOrder),
            trace.regions.map((r) => r.newOrder),
          );
        }
      });
});
