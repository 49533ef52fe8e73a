/**
 * Time per phase on small, typical and huge inputs, in one warm process, beside what llc-22 takes for the same file in the same
 * run; and the whole program as a process beside llc as a process. Run by `npm run bench` (run.mjs).
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeLiveIntervals } from '../../server/src/analysis/liveIntervals.js';
import { printRegisterPressure } from '../../server/src/analysis/printRegisterPressure.js';
import { PressureSummary } from '../../server/src/analysis/summary.js';
import { verifyFunction } from '../../server/src/analysis/verifier/index.js';
import { targetOfFile } from '../../server/src/features/targetOfFile.js';
import { LoweringCache, lowerFile } from '../../server/src/model/lowering/lowerFile.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { InstrPrinter } from '../../server/src/model/printer/index.js';
import { parseMirFile } from '../../server/src/syntax/index.js';
import { SourceText } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';

export interface Input {
  readonly name: string;
  readonly text: string;
}

/** Milliseconds by phase; medians. */
export interface PhaseTimes {
  readonly name: string;
  readonly instructions: number;
  readonly bytes: number;
  readonly parse: number;
  readonly model: number;
  readonly verify: number;
  readonly liveness: number;
  readonly pressure: number;
  /** text to printed report, everything above and the printing */
  readonly total: number;
  /** llc beyond its start-up (an empty file), -1 without llc */
  readonly llc: number;
  /** whole processes: ours and llc's, -1 where there is none */
  readonly process: number;
  readonly llcProcess: number;
  /** heap of the parsed and lowered file, its analyses included */
  readonly heapBytes: number;
}

const SETTING = { triple: 'amdgcn-amd-amdhsa', cpu: '', features: '' };
/** Enough for a steady median; small inputs get more rounds, big ones fewer. */
const BUDGET_MS = 1500;

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

interface Round {
  parse: number;
  model: number;
  verify: number;
  liveness: number;
  pressure: number;
  total: number;
}

function functionsOf(text: string): MachineFunction[] {
  const { triple, cpu, features } = targetOfFile(text, SETTING);
  const file = parseMirFile(new SourceText(text), new Interner());
  return lowerFile(file, { triple, cpu, features }).functions.flatMap((f) => f.fn ?? []);
}

/** One run over the whole file. A new interner and a new cache, so that nothing is kept from the run before. */
function measure(text: string): Round {
  const { triple, cpu, features } = targetOfFile(text, SETTING);
  const t0 = performance.now();
  const file = parseMirFile(new SourceText(text), new Interner());
  const t1 = performance.now();
  const { functions } = lowerFile(file, { triple, cpu, features }, new LoweringCache());
  const fns = functions.flatMap((f) => f.fn ?? []);
  const t2 = performance.now();
  for (const fn of fns) if (verifyFunction(fn).length > 0) throw new Error('the input of a benchmark does not verify');
  const t3 = performance.now();
  for (const fn of fns) {
    // The report is made on a copy of the function; one printer serves it.
    let printer: InstrPrinter | null = null;
    printRegisterPressure(fn, {
      printInstr: (f, i) => (printer ??= new InstrPrinter(f, { standalone: true })).printInstr(i),
    });
  }
  const t4 = performance.now();
  for (const fn of fns) computeLiveIntervals(fn);
  const t5 = performance.now();
  for (const fn of fns) void new PressureSummary(fn).occupancy;
  const t6 = performance.now();
  const liveness = t5 - t4;
  return {
    parse: t1 - t0,
    model: t2 - t1,
    verify: t3 - t2,
    liveness,
    // A summary computes the intervals too.
    pressure: Math.max(0, t6 - t5 - liveness),
    total: t4 - t0,
  };
}

function repeat<T>(budgetMs: number, atLeast: number, step: () => T): T[] {
  const results: T[] = [];
  const end = performance.now() + budgetMs;
  while (results.length < atLeast || (performance.now() < end && results.length < 400)) results.push(step());
  return results;
}

/** Without the machine's own NODE_OPTIONS and extra certificates: Node parses those (35 ms for a usual bundle) in every process. */
const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...plainEnvironment } = process.env;

function processMs(command: string, args: readonly string[]): number {
  const t0 = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'ignore', env: plainEnvironment });
  return status === 0 ? performance.now() - t0 : -1;
}

function heapOf(text: string): number {
  const { gc } = globalThis as { gc?: () => void };
  if (!gc) return -1;
  const used = (): number => {
    gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  let kept: PressureSummary[] = functionsOf(text).map((fn) => new PressureSummary(fn));
  const withThem = used();
  kept = [];
  return withThem - used() + kept.length;
}

/** @param program dist/server/amdgpu-mir.js */
export function benchmark(input: Input, folder: string, program: string): PhaseTimes {
  const path = join(folder, `${input.name}.mir`);
  writeFileSync(path, input.text);
  const { triple, cpu, features } = targetOfFile(input.text, SETTING);
  const target = [`-mtriple=${triple}`, ...(cpu ? [`-mcpu=${cpu}`] : []), ...(features ? [`-mattr=${features}`] : [])];
  const pass = ['-run-pass=amdgpu-print-rp', '-filetype=null', '-o', '/dev/null'];
  const empty = join(folder, 'empty.mir');
  writeFileSync(empty, '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n');

  for (let i = 0; i < 3; i++) measure(input.text);
  const rounds = repeat(BUDGET_MS, 5, () => measure(input.text));
  const of = (key: keyof Round): number => median(rounds.map((r) => r[key]));
  // By turns, so that a busy moment of the machine meets both.
  const runs = repeat(BUDGET_MS, 5, () => ({
    ours: processMs(process.execPath, [program, 'llc', ...target, ...pass, path]),
    llc: processMs('llc-22', [...target, ...pass, path]),
    start: processMs('llc-22', [...target, ...pass, empty]),
  }));
  const hasLlc = runs.every((r) => r.llc >= 0);
  return {
    name: input.name,
    instructions: functionsOf(input.text).reduce((n, fn) => n + fn.nInstrs, 0),
    bytes: input.text.length,
    parse: of('parse'),
    model: of('model'),
    verify: of('verify'),
    liveness: of('liveness'),
    pressure: of('pressure'),
    total: of('total'),
    llc: hasLlc ? Math.max(0.1, median(runs.map((r) => r.llc)) - median(runs.map((r) => r.start))) : -1,
    process: median(runs.map((r) => r.ours)),
    llcProcess: hasLlc ? median(runs.map((r) => r.llc)) : -1,
    heapBytes: heapOf(input.text),
  };
}
