/**
 * `amdgpu-mir explain FILE --function F [--region N] [--json]`: the decision trace of the machine scheduler, or with `--allocation` of the
 * register allocator (explainAllocation.ts), with `--pass=NAME` of another pass (explainPass.ts), with `--divergence` what differs between lanes (explainDivergence.ts), with llc's target and options. A file's first RUN line gives those that are not named here, as in `check`.
 */
import type { MachineFunction } from '../model/machineFunction.js';
import { InstrPrinter, sourceNames } from '../model/printer/index.js';
import { schedulerSetting } from '../passes/scheduler/llcOptions.js';
import { moduleFactsOf } from '../passes/scheduler/moduleFacts.js';
import { SchedulerProcessState, scheduleFunction, whyNotModelledFor } from '../passes/scheduler/scheduleFunction.js';
import { AUTO_MODEL, modelNote, type SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { traceSchedule, type TracedSchedule } from '../passes/scheduler/trace/collector.js';
import { printScheduleTrace, type InstrLabels } from '../passes/scheduler/trace/traceText.js';
import { explainAllocation } from './explainAllocation.js';
import { explainDivergence } from './explainDivergence.js';
import { explainPass } from './explainPass.js';
import {
  fileSaysNote,
  fileToExplain,
  firstError,
  printJson,
  programToExplain,
  type ExplainSettings,
} from './explainParts.js';
import { valueOf } from './commandOptions.js';
import type { ExplainedSchedule } from './explainTypes.js';
import type { Problem } from './report.js';
import { EXIT_USAGE, runCommand, type Invocation } from './commandRun.js';
import { targetInLlcWords } from './targetArgument.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { InformationRequest, parseLlcOptions, UsageError } from '../program/llcOptions.js';
import { LastParsed } from '../program/lastParsed.js';
import { modelOfRun } from '../program/modelOfFile.js';
import { ReadOnce } from '../program/readOnce.js';
import type { LoadedFunction, Program } from '../program/mirProgram.js';
import { isStage, STAGES } from '../program/stageNames.js';
import type { FileTarget } from '../program/targetOfFile.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;

type Format = 'text' | 'json';

/** Runs the command; its exit code. Never throws for bad input. */
export const runExplain = (args: readonly string[], io: CommandIO): number =>
  runCommand<Format>('explain', args, io, explainFile);

function explainFile(call: Invocation<Format>, io: CommandIO): number {
  const once = new ReadOnce(io);
  const settings = parseSettings(call, once);
  if (typeof settings === 'string') return call.refuse(settings);
  try {
    if (settings.pass !== null) return explainPass(settings, settings.pass, once);
    if (settings.divergence) return explainDivergence(settings, once);
    return settings.allocation ? explainAllocation(settings, once) : explain(settings, once);
  } catch (error) {
    if (!(error instanceof InputError) && !(error instanceof UsageError)) throw error;
    const isInput = error instanceof InputError;
    if (isInput && settings.json) printJson(settings, [], [{ function: '', message: error.message }], io);
    io.stderr(`amdgpu-mir explain: ${isInput ? `${settings.llc.input}: ` : ''}${error.message}\n`);
    return EXIT_USAGE;
  }
}

/** A message when the arguments are wrong. */
function parseSettings(call: Invocation<Format>, io: ReadOnce): ExplainSettings | string {
  const { flags, rest, inputs } = call;
  const functionName = valueOf(call, 'function') ?? null;
  const region = valueOf(call, 'region') === undefined ? null : Number(valueOf(call, 'region') || NaN);
  if (region !== null && (!Number.isInteger(region) || region < 0))
    return '--region must be the number of a region, counted from 0';
  const json = call.format === 'json';
  const allocation = flags.has('allocation');
  const divergence = flags.has('divergence');
  const register = valueOf(call, 'register') ?? null;
  const costs = valueOf(call, 'costs') ?? null;
  const stage = valueOf(call, 'stage') ?? null;
  if (stage !== null && !isStage(stage)) return `--stage must be one of ${STAGES.join(', ')}`;
  const pass = valueOf(call, 'pass') ?? null;
  if (stage !== null && !allocation && pass === null) return '--stage needs --allocation or --pass';
  if (pass !== null && (allocation || divergence)) return '--pass cannot be used with --allocation or --divergence';
  if (pass !== null && region !== null) return '--region cannot be used with --pass';
  const target = targetInLlcWords(call);
  // llc's parser knows it, too: what may be given depends on it.
  const model = valueOf(call, 'model');
  if (typeof target === 'string') return target;
  if (register !== null && !allocation && !divergence) return '--register needs --allocation or --divergence';
  if (costs !== null && !allocation) return '--costs needs --allocation';
  if (costs !== null && register !== null) return '--costs covers all registers and cannot be combined with --register';
  if (allocation && divergence) return 'choose one of --allocation and --divergence';
  if (region !== null && divergence) return '--region is about the scheduler and cannot be combined with --divergence';
  if (region !== null && allocation) return '--region is about the scheduler and cannot be combined with --allocation';
  try {
    const parsed = new LastParsed();
    const modelOf = (input: string, words: readonly string[]): SchedulerModel =>
      modelOfRun(io.readIfThere(input), words, '', parsed);
    const llc = parseLlcOptions([...(model === undefined ? [] : [`--model=${model}`]), ...target, ...rest], {
      byDefault: AUTO_MODEL,
      modelOf,
    });
    if (inputs.length === 0) return 'no file';
    return { functionName, region, allocation, divergence, register, costs, stage, pass, json, llc, parsed };
  } catch (error) {
    if (error instanceof InformationRequest) return "see 'amdgpu-mir help'";
    if (error instanceof UsageError) return error.message.replace(/^llc: /, '');
    throw error;
  }
}

interface Explained {
  readonly original: MachineFunction;
  readonly loaded: LoadedFunction;
  readonly traced: TracedSchedule;
}

function explain(settings: ExplainSettings, io: CommandIO): number {
  const { llc } = settings;
  const { source, target } = fileToExplain(settings, io);
  const options = schedulerSetting(target.commands[target.commandIdx]?.args ?? [], llc.values);
  if (typeof options === 'string') throw new UsageError(options);
  const program = programToExplain(settings, source, target);
  const problems: Problem[] = [];
  if (program.fatal !== null) {
    if (settings.json) printJson(settings, [], [{ function: '', message: program.fatal.stderr }], io);
    io.stderr(program.fatal.stderr);
    return EXIT_ERRORS;
  }
  const explained: Explained[] = [];
  const names: string[] = [];
  const process = new SchedulerProcessState();
  const moduleFacts = moduleFactsOf(source, program.ir);
  let exit = EXIT_OK;
  for (const loaded of program.functions) {
    const { fn } = loaded;
    const isWanted = settings.functionName === null || loaded.name === settings.functionName;
    names.push(loaded.name);
    const error = firstError(loaded, program);
    if (fn === null || error !== null) {
      if (!isWanted) continue;
      problems.push({ function: loaded.name, message: error ?? '' });
      io.stderr(`${error ?? ''}@${loaded.name} has no schedule: it has errors\n`);
      exit = EXIT_ERRORS;
      continue;
    }
    const why = whyNotModelledFor(fn, options);
    if (isWanted && why !== null) throw new UsageError(why);
    if (isWanted) {
      const wantsPicks = (r: number): boolean => settings.region === null || r === settings.region;
      const traced = traceSchedule(fn, options, process, moduleFacts, { picksOf: wantsPicks });
      if (settings.region !== null && traced.trace.regions[settings.region] === undefined) {
        const n = traced.trace.regions.length;
        io.stderr(`amdgpu-mir explain: @${loaded.name} has ${n === 0 ? 'no regions' : `regions 0 to ${n - 1}`}\n`);
        return EXIT_USAGE;
      }
      explained.push({ original: fn, loaded, traced });
    }
    // IGLP_OPT strategies keep state from function to function
    else scheduleFunction(fn, options, process, moduleFacts);
  }
  if (settings.functionName !== null && !names.includes(settings.functionName)) {
    io.stderr(`amdgpu-mir explain: no function @${settings.functionName}; there is ${names.join(', ') || 'none'}\n`);
    return EXIT_USAGE;
  }
  if (settings.json) {
    const functions = explained.map((e) => toJson(e, program, settings.region));
    printJson(settings, functions, problems, io);
  } else explained.forEach((e, n) => io.stdout(`${n === 0 ? '' : '\n'}${toText(e, program, settings, target)}`));
  return exit;
}

/** Texts from the function before scheduling, so that kill flags stand as the user wrote them; copies from the one after. */
function labelsOf({ original, loaded, traced }: Explained, program: Program): InstrLabels {
  const options = { debugNames: program.debugNames, vregName: sourceNames(original) };
  const before = new InstrPrinter(original, options);
  const after = new InstrPrinter(traced.fn, options);
  return {
    text: (i) => (i < original.nInstrs ? before : after).printInstr(i),
    line(i) {
      const range = i < original.nInstrs && i >= 0 ? original.source?.instrRange(i) : undefined;
      return range === undefined ? 0 : program.text.lineAt(loaded.start + range.start) + 1;
    },
  };
}

function toText(e: Explained, program: Program, settings: ExplainSettings, target: FileTarget): string {
  const { subtarget } = e.original;
  const cpu = subtarget.cpu === '' ? 'generic' : subtarget.cpu;
  const head = `@${e.original.header.name}  ${cpu} wave${subtarget.wavefrontSize}${fileSaysNote(target, e.original)}, LLVM ${subtarget.release.version}${modelNote(e.traced.trace.model)}`;
  return `${head}\n${printScheduleTrace(e.traced.trace, { region: settings.region, labels: labelsOf(e, program) })}`;
}

/** The trace, with the text and line of every instruction that it names. */
function toJson(e: Explained, program: Program, region: number | null): ExplainedSchedule {
  const labels = labelsOf(e, program);
  const { trace } = e.traced;
  const { subtarget } = e.original;
  const isShown = (r: { readonly region: number }): boolean => region === null || r.region === region;
  const regions = trace.regions.filter(isShown);
  const named = new Set<number>();
  for (const r of regions) for (const i of [...r.oldOrder, ...r.newOrder, r.boundary]) if (i >= 0) named.add(i);
  for (const m of trace.rematerialized) for (const i of [m.def, m.use, m.clone]) named.add(i);
  for (const c of [...(trace.remat?.candidates ?? []), ...(trace.remat?.rejected ?? [])])
    for (const i of [c.def, ...c.uses.map((u) => u.instr)]) named.add(i);
  return {
    cpu: subtarget.cpu,
    wavefrontSize: subtarget.wavefrontSize,
    ...trace,
    regions,
    stages: trace.stages.map((s) => ({ ...s, runs: s.runs.filter(isShown) })),
    instrs: [...named].sort((a, b) => a - b).map((i) => ({ instr: i, line: labels.line(i), text: labels.text(i) })),
  };
}
