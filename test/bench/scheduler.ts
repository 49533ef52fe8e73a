/**
 * Times of the machine scheduler alone, for scheduler.mjs: one warm process, the function parsed and lowered before the clock
 * starts. Live intervals, the clone of the function and all stages are inside, as everything that llc's pass does is inside its own time,
 * and its live intervals besides.
 */
import { targetOfFile } from '../../server/src/program/targetOfFile.js';
import { TestFile } from '../../server/src/program/testFile/testFile.js';
import { lowerFile } from '../../server/src/model/lowering/lowerFile.js';
import { parseMirFile } from '../../server/src/syntax/index.js';
import { SourceText } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';
import { moduleFactsOf } from '../../server/src/passes/scheduler/moduleFacts.js';
import {
  DEFAULT_SCHEDULE_OPTIONS,
  scheduleFunction,
  SchedulerProcessState,
} from '../../server/src/passes/scheduler/scheduleFunction.js';
import { traceSchedule } from '../../server/src/passes/scheduler/trace/collector.js';

export interface SchedulerTimes {
  readonly instructions: number;
  readonly regions: number;
  /** milliseconds of CPU of the process, warm: the least of the rounds */
  readonly cpu: number;
  /** mean of the rounds after the first quarter, in which V8 still compiles; with the garbage collection that they need */
  readonly mean: number;
  /** the same with a trace of stages and regions, and with every pick */
  readonly traced: number;
}

const ROUNDS_MS = 2000;
const MAX_ROUNDS = 40;
/** V8 compiles until the sixth or so, of the largest functions too. */
const MIN_ROUNDS = 8;

function cpuOf(run: () => void): { least: number; mean: number } {
  const times: number[] = [];
  const start = performance.now();
  while (times.length < MIN_ROUNDS || (times.length < MAX_ROUNDS && performance.now() - start < ROUNDS_MS)) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  const warm = times.slice(Math.floor(times.length / 4));
  return { least: Math.min(...times), mean: warm.reduce((sum, t) => sum + t, 0) / warm.length };
}

/** `text` names its target in a RUN line. */
export function schedulerTimes(text: string): SchedulerTimes {
  const { triple, cpu, features } = targetOfFile(new TestFile(text), {
    triple: 'amdgcn-amd-amdhsa',
    cpu: '',
    features: '',
  });
  const model = lowerFile(parseMirFile(new SourceText(text), new Interner()), { triple, cpu, features });
  const fns = model.functions.flatMap((f) => f.fn ?? []);
  const facts = moduleFactsOf(text, model.ir);
  let regions = 0;
  const withPicks = { picksOf: () => true };
  const traced = cpuOf(() => {
    regions = 0;
    const state = new SchedulerProcessState();
    for (const fn of fns)
      regions += traceSchedule(fn, DEFAULT_SCHEDULE_OPTIONS, state, facts, withPicks).trace.regions.length;
  });
  const { least, mean } = cpuOf(() => {
    const state = new SchedulerProcessState();
    for (const fn of fns) scheduleFunction(fn, DEFAULT_SCHEDULE_OPTIONS, state, facts);
  });
  const instructions = fns.reduce((n, fn) => n + fn.nInstrs, 0);
  return { instructions, regions, cpu: least, mean, traced: traced.least };
}
