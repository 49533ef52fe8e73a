/** `amdgpu-mir explain --allocation`: what the register allocator makes of the functions of a file from where they stand, and each of its decisions. */
import { allocationLabels, placesOfRegisters } from '../features/allocation/explainAllocation.js';
import { answerLines } from '../features/allocation/allocationAnswer.js';
import { allocatedText } from '../features/allocation/allocationWords.js';
import { costNumbers, costsText } from '../features/allocation/compareCosts.js';
import { wasteText } from '../features/allocation/wasteText.js';
import type { MachineFunction } from '../model/machineFunction.js';
import type { AllocatedFunction } from '../passes/regalloc/trace/collector.js';
import { printAllocationTrace, RegisterNames } from '../passes/regalloc/trace/traceText.js';
import { isSchedulerOn, schedulerSetting } from '../passes/scheduler/llcOptions.js';
import { moduleFactsOf } from '../passes/scheduler/moduleFacts.js';
import { readCommandLine } from '../commandLine/commandLine.js';
import { ANY_LLC_TABLE } from '../commandLine/optionTable.js';
import { allocateAsItStands, allocationSettingOf, SCHEDULER_OFF } from '../program/allocation.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { compareCosts, readAskedCosts, type CostRow } from '../program/costComparison.js';
import { UsageError } from '../program/llcOptions.js';
import type { LoadedFunction, Program } from '../program/mirProgram.js';
import { stageEvidence, stageOf, stageText, type FunctionStage } from '../program/stage.js';
import type { FileTarget } from '../program/targetOfFile.js';
import {
  fileSaysNote,
  fileToExplain,
  firstError,
  printJson,
  programToExplain,
  registerOf,
  type ExplainSettings,
} from './explainParts.js';
import type { ExplainedAllocation, ExplainedCosts, ExplainedStep } from './explainTypes.js';
import type { Problem } from './report.js';
import { nameOf } from '../features/words/registerNames.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;

interface Explained {
  /** with `--costs` */
  readonly rows: readonly CostRow[];
  readonly original: MachineFunction;
  readonly loaded: LoadedFunction;
  readonly allocated: AllocatedFunction;
  readonly stage: FunctionStage;
  /** index of `--register`, null = all */
  readonly vreg: number | null;
}

/** Throws InputError and UsageError. */
export function explainAllocation(settings: ExplainSettings, io: CommandIO): number {
  const { llc } = settings;
  const { source, target } = fileToExplain(settings, io);
  const setting = allocationSettingOf(target, llc.values);
  if (typeof setting.options === 'string') throw new UsageError(setting.options);
  const program = programToExplain(settings, source, target);
  if (program.fatal !== null) {
    if (settings.json) printJson(settings, [], [{ function: '', message: program.fatal.stderr }], io);
    io.stderr(program.fatal.stderr);
    return EXIT_ERRORS;
  }
  const words = target.commands[target.commandIdx]?.args ?? [];
  const { values } = readCommandLine(words, [], 'llc', ANY_LLC_TABLE);
  const isOn = isSchedulerOn(new Map([...values, ...llc.values]));
  const schedule = isOn ? schedulerSetting(words, llc.values) : SCHEDULER_OFF;
  const evidence = stageEvidence(settings.parsed.of(source), target, settings.stage);
  const asked = settings.costs === null ? [] : readAskedCosts(settings.costs, (path) => readList(path, io));
  if (typeof asked === 'string') throw new UsageError(`--costs: ${asked}`);
  const facts = moduleFactsOf(source, program.ir);
  const problems: Problem[] = [];
  const explained: Explained[] = [];
  const names: string[] = [];
  for (const loaded of program.functions) {
    names.push(loaded.name);
    if (settings.functionName !== null && loaded.name !== settings.functionName) continue;
    const error = firstError(loaded, program);
    const refuse = (message: string): void => {
      problems.push({ function: loaded.name, message });
      io.stderr(message.endsWith('\n') ? message : `@${loaded.name} is not allocated: ${message}\n`);
    };
    if (loaded.fn === null || error !== null) {
      refuse(error ?? '');
      continue;
    }
    const vreg = settings.register === null ? null : registerOf(loaded.fn, settings.register);
    if (vreg === -1) throw new UsageError(`@${loaded.name} has no register ${settings.register ?? ''}`);
    const stage = stageOf(loaded.fn, evidence, loaded.start);
    const isBefore = stage.stage === 'before-scheduling';
    if (isBefore && typeof schedule === 'string' && schedule !== SCHEDULER_OFF) throw new UsageError(schedule);
    const scheduler = typeof schedule === 'string' ? SCHEDULER_OFF : { options: schedule, facts };
    const before = isBefore ? scheduler : null;
    const checkpoint = (): void => io.checkpoint?.();
    const collect = { withDecisions: settings.costs === null, checkpoint };
    const allocated = allocateAsItStands(loaded.fn, program.ir, setting, collect, before);
    if (typeof allocated === 'string') {
      refuse(allocated);
      continue;
    }
    const others = compareCosts({ fn: loaded.fn, ir: program.ir }, asked.slice(1), setting, before, checkpoint);
    const rows = settings.costs === null ? [] : [{ costs: 'llc', allocated }, ...others];
    for (const { allocated: why, costs } of rows)
      if (typeof why === 'string') throw new UsageError(`--costs=${costs}: ${why}`);
    explained.push({ original: loaded.fn, loaded, allocated, stage, vreg, rows });
  }
  if (settings.functionName !== null && !names.includes(settings.functionName))
    throw new UsageError(`no function @${settings.functionName}; there is ${names.join(', ') || 'none'}`);
  if (settings.json) {
    const functions = explained.map((e) => toJson(e, program));
    printJson(settings, functions, problems, io);
  } else explained.forEach((e, n) => io.stdout(`${n === 0 ? '' : '\n'}${toText(e, program, target, io.columns)}`));
  return problems.length === 0 ? EXIT_OK : EXIT_ERRORS;
}

function readList(path: string, io: CommandIO): string {
  try {
    return io.read(path);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new UsageError(`--costs=${path}: ${error.message}`);
  }
}

const labels = ({ original, loaded }: Explained, program: Program): ReturnType<typeof allocationLabels> =>
  allocationLabels(original, (start) => program.text.lineAt(loaded.start + start) + 1);

function toText(e: Explained, program: Program, target: FileTarget, columns?: number): string {
  const { original, allocated, stage, vreg, rows } = e;
  const { subtarget } = original;
  const cpu = subtarget.cpu === '' ? 'generic' : subtarget.cpu;
  const own = labels(e, program);
  const head = [
    `@${original.header.name}  ${cpu} wave${subtarget.wavefrontSize}${fileSaysNote(target, original)}, LLVM ${subtarget.release.version}`,
    `stage: ${stageText(stage)}${stage.stage === 'before-scheduling' ? ', so it is scheduled first' : ''}`,
    ...(rows.length > 0 ? [] : answerLines(allocated, own)),
    `${allocatedText(allocated, null)}\n${wasteText(allocated)}`,
  ];
  if (rows.length > 0) return [...head, costsText(rows, columns)].join('\n');
  const places = placesOfRegisters(allocated, original, own, vreg);
  return [
    ...head,
    'where each register is',
    ...places.map((p) => `  ${p}`),
    '',
    printAllocationTrace(allocated, { vreg, labels: own }),
  ].join('\n');
}

function costsJson({ header, subtarget }: MachineFunction, rows: readonly CostRow[]): ExplainedCosts {
  return {
    function: header.name,
    cpu: subtarget.cpu,
    wavefrontSize: subtarget.wavefrontSize,
    costs: rows.map(({ costs, allocated }) =>
      typeof allocated === 'string'
        ? { costs, errors: [allocated] }
        : { costs, errors: allocated.errors, ...costNumbers(allocated) },
    ),
  };
}

/** The trace with registers by name and instructions by line. */
function toJson(e: Explained, program: Program): ExplainedAllocation | ExplainedCosts {
  const { original, allocated, stage, vreg, rows } = e;
  const { subtarget } = original;
  if (rows.length > 0) return costsJson(original, rows);
  const own = labels(e, program);
  const names = new RegisterNames(allocated, allocated.fn, own);
  const isAsked = (v: number): boolean => vreg === null || names.originOf(v) === vreg;
  const phys = (reg: number): string | null => (reg === 0 ? null : names.phys(reg));
  return {
    function: original.header.name,
    cpu: subtarget.cpu,
    wavefrontSize: subtarget.wavefrontSize,
    stage: { name: stage.stage, by: stage.by },
    errors: allocated.errors,
    use: {
      ...allocated.use,
      savedVGPRs: allocated.use.savedVGPRs.map(phys),
      savedSGPRs: allocated.use.savedSGPRs.map(phys),
    },
    counts: allocated.counts,
    parts: allocated.parts
      .filter((p) => p.vreg >= 0 && p.vreg < original.vregs.n && (vreg === null || p.vreg === vreg))
      .map((p) => ({
        register: nameOf(original, p.vreg),
        part: p.part < 0 ? null : names.of(p.part),
        run: p.run,
        physical: phys(p.reg),
        slot: p.slot < 0 ? null : p.slot,
        lines: p.spans.map(({ from, to }) => [own.line(from) || null, own.line(to) || null]),
      })),
    inserted: allocated.inserted
      .filter((n) => vreg === null || n.vreg === vreg)
      .map((n) => ({
        kind: n.kind,
        run: n.run,
        register: n.vreg < 0 || n.vreg >= original.vregs.n ? null : nameOf(original, n.vreg),
        block: n.block,
        afterLine: own.line(n.after),
        beforeLine: own.line(n.before),
      })),
    runs: allocated.runs.map((run) => ({
      run: run.run,
      csrCost: run.csrCost,
      picks: run.picks
        .filter((p) => isAsked(p.vreg))
        .map((p) => ({
          register: names.of(p.vreg),
          stage: p.stage,
          class: p.regClass,
          weight: p.weight,
          outcome: p.outcome,
          physical: phys(p.reg),
          made: p.made.map((v) => names.of(v)),
          tried: p.nTried,
          candidates: p.candidates.map((c) => ({ ...c, reg: phys(c.reg), owners: c.owners.map((v) => names.of(v)) })),
          steps: p.steps.map((s) => stepJson(s, names, own)),
        })),
      moves: run.moves
        .filter((m) => isAsked(m.vreg))
        .map((m) => ({ register: names.of(m.vreg), from: phys(m.from), to: phys(m.to) })),
    })),
  };
}

function stepJson(
  step: AllocatedFunction['runs'][number]['picks'][number]['steps'][number],
  names: RegisterNames,
  own: ReturnType<typeof allocationLabels>,
): ExplainedStep {
  switch (step.kind) {
    case 'evict':
      return {
        ...step,
        reg: names.phys(step.reg),
        victims: step.victims.map((x) => ({ register: names.of(x.vreg), weight: x.weight })),
      };
    case 'recolor':
      return {
        kind: step.kind,
        register: names.of(step.vreg),
        reg: names.phys(step.reg),
        owners: step.owners.map((v) => names.of(v)),
      };
    case 'split':
      return { ...step, reg: step.reg === 0 ? null : names.phys(step.reg) };
    case 'spill':
      return { ...step, together: step.together.map((v) => names.of(v)) };
    default:
      return { kind: step.kind, defLine: own.line(step.def), useLine: own.line(step.use), made: names.of(step.made) };
  }
}
