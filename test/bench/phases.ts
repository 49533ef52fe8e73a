/**
 * Processor time and memory of each phase of one file in one warm process: lexing and parsing, lowering, the machine verifier, live
 * intervals, pressure, the report of amdgpu-print-rp, printing MIR, scheduling. Run by `npm run bench` (run.mjs), which sets the numbers
 * beside those of llc-22.
 */
import { computeLiveIntervals } from '../../server/src/analysis/liveIntervals.js';
import { printRegisterPressure } from '../../server/src/passes/printRp/printRegisterPressure.js';
import { PressureSummary } from '../../server/src/analysis/summary.js';
import { irVerifierOptions, verifyFunction } from '../../server/src/analysis/verifier/index.js';
import { targetOfFile, type FileTarget } from '../../server/src/program/targetOfFile.js';
import { TestFile } from '../../server/src/program/testFile/testFile.js';
import { LoweringCache, lowerFile, type ModelFile } from '../../server/src/model/lowering/lowerFile.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { InstrPrinter, printFunctionDocument } from '../../server/src/model/printer/index.js';
import { moduleFactsOf } from '../../server/src/passes/scheduler/moduleFacts.js';
import {
  DEFAULT_SCHEDULE_OPTIONS,
  scheduleFunction,
  SchedulerProcessState,
} from '../../server/src/passes/scheduler/scheduleFunction.js';
import { parseMirFile } from '../../server/src/syntax/index.js';
import { SourceText } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';

export const PHASES = ['parse', 'lower', 'verify', 'live', 'pressure', 'report', 'print', 'schedule'] as const;
export type Phase = (typeof PHASES)[number];

export interface PhaseTimes extends Record<Phase, number> {
  readonly instructions: number;
  /** text to the report of amdgpu-print-rp: what `llc -run-pass=amdgpu-print-rp` does after its start-up */
  readonly total: number;
}

export interface Memory {
  /** bytes that the parsed and lowered file holds, and what its analyses hold */
  readonly modelBytes: number;
  readonly analysisBytes: number;
}

const SETTING = { triple: 'amdgcn-amd-amdhsa', cpu: '', features: '' };

/** Milliseconds that all threads of this process have computed. The clock would count other processes too. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function load(text: string, target: FileTarget): ModelFile {
  return lowerFile(parseMirFile(new SourceText(text), new Interner()), target, new LoweringCache());
}

const functionsOf = (model: ModelFile): MachineFunction[] => model.functions.flatMap((f) => f.fn ?? []);

type Times = Record<Phase | 'total', number>;

const timesOf = (value: number): Times =>
  Object.fromEntries([...PHASES, 'total'].map((name) => [name, value])) as Times;

/** Milliseconds of one run over the whole file. A new interner and a new cache, so that nothing is kept from the run before. */
function measure(text: string, target: FileTarget): Times {
  const times = timesOf(0);
  let last = cpuMs();
  const done = (phase: Phase, isOfTotal: boolean): void => {
    const now = cpuMs();
    if (isOfTotal) times.total += now - last;
    times[phase] = now - last;
    last = cpuMs();
  };
  const file = parseMirFile(new SourceText(text), new Interner());
  done('parse', true);
  const model = lowerFile(file, target, new LoweringCache());
  const fns = functionsOf(model);
  done('lower', true);
  for (const fn of fns) {
    if (verifyFunction(fn, irVerifierOptions(model.ir, fn)).length > 0) throw new Error('the input does not verify');
  }
  done('verify', true);
  for (const fn of fns) {
    // The report is made on a copy of the function; one printer serves it.
    let printer: InstrPrinter | null = null;
    printRegisterPressure(fn, {
      printInstr: (f, i) => (printer ??= new InstrPrinter(f, { standalone: true })).printInstr(i),
    });
  }
  done('report', true);
  for (const fn of fns) computeLiveIntervals(fn);
  done('live', false);
  for (const fn of fns) void new PressureSummary(fn).occupancy;
  done('pressure', false);
  for (const fn of fns) printFunctionDocument(fn);
  done('print', false);
  const state = new SchedulerProcessState();
  const facts = moduleFactsOf(text, model.ir);
  for (const fn of fns) scheduleFunction(fn, DEFAULT_SCHEDULE_OPTIONS, state, facts);
  done('schedule', false);
  return times;
}

/** `pressure` is measured with the live intervals inside. */
const withoutIntervals = (times: Times): Times => ({ ...times, pressure: Math.max(0, times.pressure - times.live) });

/** What stays when garbage is gone; needs `node --expose-gc`. */
function heldBytes(): number {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Measured before any times: the collections that it asks for throw optimized code away. */
export function measureMemory(text: string): Memory {
  const target = targetOfFile(new TestFile(text), SETTING);
  const instructions = functionsOf(load(text, target)).reduce((n, fn) => n + fn.nInstrs, 0);
  // One small file is lost in what the heap does by itself.
  const copies = Math.max(1, Math.ceil(10_000 / (instructions + 1)));
  const kept: unknown[] = [];
  // What is made once for all files is no part of it.
  for (const fn of functionsOf(load(text, target))) void new PressureSummary(fn).occupancy;
  const start = heldBytes();
  const models = Array.from({ length: copies }, () => load(text, target));
  for (const model of models) for (const f of model.functions) kept.push(f.fn);
  const lowered = heldBytes();
  for (const model of models) for (const fn of functionsOf(model)) kept.push(new PressureSummary(fn));
  const analysed = heldBytes();
  // Nothing above may be collected before the last look.
  kept.push(models);
  return { modelBytes: (lowered - start) / copies, analysisBytes: (analysed - lowered) / copies };
}

/**
 * The least time of each phase over some rounds: at most `budgetMs` by the clock, at least three. "pressure" is what a summary takes beyond
 * the live intervals. The text names its target in a RUN line.
 */
export function measurePhases(text: string, budgetMs: number): PhaseTimes {
  const target = targetOfFile(new TestFile(text), SETTING);
  const times = timesOf(Infinity);
  const end = performance.now() + budgetMs;
  for (let round = 0; round < 3 || (round < 400 && performance.now() < end); round++) {
    const run = measure(text, target);
    for (const name of [...PHASES, 'total'] as const) times[name] = Math.min(times[name], run[name]);
  }
  const instructions = functionsOf(load(text, target)).reduce((n, fn) => n + fn.nInstrs, 0);
  return { ...withoutIntervals(times), instructions };
}

/** A text and how often it is run in each round. */
export interface GrowthInput {
  readonly text: string;
  readonly runs: number;
}

/**
 * Mean milliseconds of a run of each text: all the garbage that a run makes is paid for in it, by a small file as by a large one, which the
 * least of many runs would hide where most runs need no collection. The texts take turns in each round, so that a busy moment meets all;
 * with as many runs as make their instructions equal, the collector has the same to do. One round before that is not counted. V8 collects
 * when it wants: a collection asked for would throw optimized code away, and all would be compiled anew.
 */
export function measureGrowth(inputs: readonly GrowthInput[], rounds: number): Times[] {
  const sums = inputs.map(() => timesOf(0));
  for (let round = -1; round < rounds; round++) {
    inputs.forEach(({ text, runs }, k) => {
      const target = targetOfFile(new TestFile(text), SETTING);
      for (let n = 0; n < runs; n++) {
        const run = measure(text, target);
        if (round >= 0) for (const name of [...PHASES, 'total'] as const) sums[k][name] += run[name];
      }
    });
  }
  return inputs.map(({ runs }, k) => {
    const mean = timesOf(0);
    for (const name of [...PHASES, 'total'] as const) mean[name] = sums[k][name] / (runs * rounds);
    return withoutIntervals(mean);
  });
}

/** Options of llc for the target that a text names. */
export function llcTarget(text: string): string[] {
  const { triple, cpu, features } = targetOfFile(new TestFile(text), SETTING);
  return [`-mtriple=${triple}`, ...(cpu ? [`-mcpu=${cpu}`] : []), ...(features ? [`-mattr=${features}`] : [])];
}
