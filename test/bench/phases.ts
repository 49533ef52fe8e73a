/**
 * Processor time and memory of each phase of one file in one warm process: lexing and parsing, lowering, the machine verifier, live
 * intervals, pressure, the report of amdgpu-print-rp, printing MIR, scheduling. Run by `npm run bench` (run.mjs), which sets the numbers
 * beside those of llc-22.
 */
import { computeLiveIntervals } from '../../server/src/analysis/liveIntervals.js';
import { printRegisterPressure } from '../../server/src/analysis/printRegisterPressure.js';
import { PressureSummary } from '../../server/src/analysis/summary.js';
import { irVerifierOptions, verifyFunction } from '../../server/src/analysis/verifier/index.js';
import { targetOfFile, type FileTarget } from '../../server/src/features/targetOfFile.js';
import { LoweringCache, lowerFile, type ModelFile } from '../../server/src/model/lowering/lowerFile.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { InstrPrinter, printFunctionDocument } from '../../server/src/model/printer/index.js';
import { moduleFactsOf } from '../../server/src/scheduling/moduleFacts.js';
import {
  DEFAULT_SCHEDULE_OPTIONS,
  scheduleFunction,
  SchedulerProcessState,
} from '../../server/src/scheduling/scheduleFunction.js';
import { parseMirFile } from '../../server/src/syntax/index.js';
import { SourceText } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';

export const PHASES = ['parse', 'lower', 'verify', 'live', 'pressure', 'report', 'print', 'schedule'] as const;
export type Phase = (typeof PHASES)[number];

export interface PhaseTimes extends Record<Phase, number> {
  readonly instructions: number;
  /** text to the report of amdgpu-print-rp: what `llc -run-pass=amdgpu-print-rp` does after its start-up */
  readonly total: number;
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

/** One run over the whole file. A new interner and a new cache, so that nothing is kept from the run before. */
function measure(text: string, target: FileTarget, times: Record<Phase, number>): number {
  let last = cpuMs();
  let total = 0;
  const done = (phase: Phase, isOfTotal: boolean): void => {
    const now = cpuMs();
    if (isOfTotal) total += now - last;
    times[phase] = Math.min(times[phase], now - last);
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
  return total;
}

/** What stays when garbage is gone; needs `node --expose-gc`. */
function heldBytes(): number {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function memoryOf(text: string, target: FileTarget, copies: number): [model: number, analysis: number] {
  const kept: unknown[] = [];
  const start = heldBytes();
  const models = Array.from({ length: copies }, () => load(text, target));
  for (const model of models) for (const f of model.functions) kept.push(f.fn);
  const lowered = heldBytes();
  for (const model of models) for (const fn of functionsOf(model)) kept.push(new PressureSummary(fn));
  const analysed = heldBytes();
  // Nothing above may be collected before the last look.
  kept.push(models);
  return [(lowered - start) / copies, (analysed - lowered) / copies];
}

/**
 * The least time of each phase over some rounds: at most `budgetMs` by the clock, at least three. "pressure" is what a summary takes beyond
 * the live intervals. The text names its target in a RUN line.
 */
export function measurePhases(text: string, budgetMs: number): PhaseTimes {
  const target = targetOfFile(text, SETTING);
  const times = Object.fromEntries(PHASES.map((p) => [p, Infinity])) as Record<Phase, number>;
  let total = Infinity;
  const end = performance.now() + budgetMs;
  for (let round = 0; round < 3 || (round < 400 && performance.now() < end); round++) {
    total = Math.min(total, measure(text, target, times));
  }
  times.pressure = Math.max(0, times.pressure - times.live);
  const instructions = functionsOf(load(text, target)).reduce((n, fn) => n + fn.nInstrs, 0);
  // One small file is lost in what the heap does by itself.
  const [modelBytes, analysisBytes] = memoryOf(text, target, Math.max(1, Math.ceil(10_000 / (instructions + 1))));
  return { ...times, total, instructions, modelBytes, analysisBytes };
}

/** Options of llc for the target that a text names. */
export function llcTarget(text: string): string[] {
  const { triple, cpu, features } = targetOfFile(text, SETTING);
  return [`-mtriple=${triple}`, ...(cpu ? [`-mcpu=${cpu}`] : []), ...(features ? [`-mattr=${features}`] : [])];
}
