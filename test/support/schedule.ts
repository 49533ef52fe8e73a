/** The machine scheduler for tests: traces of fixtures, and whole runs of both programs on one text. */
import { readFileSync } from 'node:fs';
import { BufferedIO } from '../../server/src/cli/bufferedIO.js';
import { runLlc as runOurs } from '../../server/src/cli/llc.js';
import { targetOfFile } from '../../server/src/program/targetOfFile.js';
import { TestFile } from '../../server/src/program/testFile/testFile.js';
import { lowerFile } from '../../server/src/model/lowering/lowerFile.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { moduleFactsOf } from '../../server/src/passes/scheduler/moduleFacts.js';
import {
  DEFAULT_SCHEDULE_OPTIONS,
  SchedulerProcessState,
  type ModuleFacts,
  type ScheduleOptions,
} from '../../server/src/passes/scheduler/scheduleFunction.js';
import { traceSchedule, type TracedSchedule } from '../../server/src/passes/scheduler/trace/collector.js';
import { parseMirFile } from '../../server/src/syntax/index.js';
import { SourceText } from '../../server/src/text/sourceText.js';
import { Interner } from '../../server/src/util/interner.js';
import { runLlc, type LlcRun } from './llc.js';

export interface LoweredText {
  readonly fns: readonly MachineFunction[];
  readonly facts: ModuleFacts;
}

/** Functions of a text that names its target in a RUN line; throws when it has an error. */
export function lowerWithRunLine(text: string): LoweredText {
  const { triple, cpu, features } = targetOfFile(new TestFile(text), {
    triple: 'amdgcn-amd-amdhsa',
    cpu: '',
    features: '',
  });
  const model = lowerFile(parseMirFile(new SourceText(text), new Interner()), { triple, cpu, features });
  if (model.diagnostics.length > 0) throw new Error(`fixture: ${model.diagnostics[0].message}`);
  return { fns: model.functions.flatMap((f) => f.fn ?? []), facts: moduleFactsOf(text, model.ir) };
}

/** Traces of all functions of a text, picks included. */
export function traceText(text: string, options: Partial<ScheduleOptions> = {}): TracedSchedule[] {
  const { fns, facts } = lowerWithRunLine(text);
  const state = new SchedulerProcessState();
  const all = { ...DEFAULT_SCHEDULE_OPTIONS, ...options };
  return fns.map((fn) => traceSchedule(fn, all, state, facts, { picksOf: () => true }));
}

class TextIO extends BufferedIO {
  constructor(private readonly input: string) {
    super();
  }

  override read(path: string): string {
    return path === '-' ? this.input : readFileSync(path, 'utf8');
  }
}

/** What amdgpu-mir's llc prints for a whole command line, with input files. */
export function runLlcFiles(args: readonly string[]): LlcRun {
  const io = new TextIO('');
  const status = runOurs(args, io);
  return { status, stdout: io.out(), stderr: io.err() };
}

/** What amdgpu-mir's llc prints for options and a text on standard input. */
export function runLlcOnText(args: readonly string[], text: string): LlcRun {
  const io = new TextIO(text);
  const status = runOurs([...args, '-'], io);
  return { status, stdout: io.out(), stderr: io.err() };
}

const PASS = ['-run-pass=machine-scheduler', '-o', '-'];

/** What amdgpu-mir prints after the pass. */
export function scheduleWithOurs(text: string, args: readonly string[]): LlcRun {
  return runLlcOnText([...args, ...PASS], text);
}

/** What llc-22 prints after the pass. */
export function scheduleWithLlc(text: string, args: readonly string[]): LlcRun {
  return runLlc([...args, ...PASS, '-x', 'mir'], text);
}
