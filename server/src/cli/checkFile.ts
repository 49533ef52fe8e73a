/** One file of `amdgpu-mir check`: reading, verifying, pressure. Runs on the main thread or in a worker. */
import { irVerifierOptions, verifierDiagnostics, verifyFunction } from '../analysis/verifier/index.js';
import { Bank, OccupancyLimiter, PressureSummary } from '../analysis/summary.js';
import type { OccupancyReport, OccupancyStep, Peak } from '../analysis/summary.js';
import { numVGPRs } from '../analysis/gcnPressure.js';
import { usedRegistersText } from '../features/words/pressureText.js';
import { CALLS_FAILED, FileOutcomes } from '../program/outcome.js';
import { SourceLines } from '../program/sourceLines.js';
import { stageEvidence } from '../program/stage.js';
import { allocationSettingOf } from '../program/allocation.js';
import { MANY_INSTRS, scheduleSettingOf } from '../program/scheduleSetting.js';
import { checkScalarize } from './checkScalarize.js';
import { suggestRemat, type RematSuggestions } from '../features/remat/suggestions.js';
import { RematAnalysis } from '../passes/scheduler/remat/advice/analysis.js';
import { moduleFactsOf } from '../passes/scheduler/moduleFacts.js';
import { whyNotModelledFor } from '../passes/scheduler/scheduleFunction.js';
import type { TracedSchedule } from '../passes/scheduler/trace/collector.js';
import { NEVER_CANCELLED } from '../util/cancellation.js';
import {
  chosenTarget,
  fileSays,
  foreignText,
  isSameTarget,
  UNCOUNTED_R600,
  targetOfFile,
  TargetOrigin,
  type FileTarget,
  type TargetOptions,
} from '../program/targetOfFile.js';
import { isUnmodelled } from '../program/targetTriple.js';
import { TestFile } from '../program/testFile/testFile.js';
import { releaseOfModel, type SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { mixedText, modelOfFile, signText, type ReleaseSign } from '../program/modelOfFile.js';
import { NEWEST_RELEASE, releaseOf, type ReleaseName } from '../target/index.js';
import { LoweringCache, lowerFile } from '../model/lowering/lowerFile.js';
import { OpFlag, OperandKind } from '../model/machineFunction.js';
import { MetadataNames } from '../model/printer/index.js';
import { isPhysicalReg } from '../model/register.js';
import type { MachineFunction } from '../model/machineFunction.js';
import type { Reg } from '../model/register.js';
import { parseMirFile, type MirFile } from '../syntax/index.js';
import { DiagnosticOrigin, Severity } from '../text/diagnostic.js';
import type { Diagnostic } from '../text/diagnostic.js';
import { SourceText } from '../text/sourceText.js';
import { lazy } from '../util/lazy.js';
import { Interner } from '../util/interner.js';
import { allDiagnostics } from './checkTypes.js';
import type {
  CheckDiagnostic,
  CheckFile,
  CheckFunction,
  CheckJob,
  CheckNextWave,
  CheckOptions,
  CheckPeak,
  CheckPressure,
  CheckTarget,
} from './checkTypes.js';
import { checkFindings } from './checkFindings.js';
import { checkAllocation } from './checkAllocation.js';
import { SourceIO } from './sourceFiles.js';
import { DEFAULT_SETTINGS } from '../program/settings.js';
import { FileScheduler } from './checkSchedule.js';
import { InputError } from '../program/commandIO.js';
import type { CommandIO } from '../program/commandIO.js';
import { splitTriple } from '../program/llcOptions.js';

const SEVERITIES: Record<Severity, CheckDiagnostic['severity']> = {
  [Severity.Error]: 'error',
  [Severity.Warning]: 'warning',
  [Severity.Information]: 'information',
  [Severity.Hint]: 'hint',
};

const LIMITERS: Record<OccupancyLimiter, string> = {
  [OccupancyLimiter.Hardware]: '',
  [OccupancyLimiter.SGPRs]: 'SGPR',
  [OccupancyLimiter.VGPRs]: 'VGPR',
  [OccupancyLimiter.WorkGroupSize]: 'workgroup size',
  [OccupancyLimiter.LDS]: 'LDS',
  [OccupancyLimiter.FunctionInfo]: 'machineFunctionInfo occupancy',
};

/** Codes of findings that say that there is no answer. */
export const UNREADABLE = 'unreadable';
export const INTERNAL_ERROR = 'internal-error';

/** Never throws: a file that cannot be read, and a bug of ours, are findings. */
export function checkFile(job: CheckJob, io: CommandIO): CheckFile {
  try {
    const { tools, maxBytes } = job.options;
    const sources = tools === null ? null : new SourceIO(io, tools);
    const checked = checkText((sources ?? io).read(job.file, maxBytes), job);
    return { ...checked, madeBy: sources?.told.get(job.file) ?? '' };
  } catch (error) {
    const message = error instanceof InputError ? error.message : `internal error: ${String(error)}`;
    return failedFile(job.file, error instanceof InputError ? UNREADABLE : INTERNAL_ERROR, message);
  }
}

/** A file that was not checked, with the cause as its only finding. */
export function failedFile(file: string, code: string, message: string): CheckFile {
  const nowhere = { line: 0, column: 0, endLine: 0, endColumn: 0 };
  const diagnostics = [{ severity: 'error' as const, code, message, ...nowhere }];
  return { ...skippedFile(file, ''), diagnostics };
}

/** A file that was left out. */
export const skippedFile = (file: string, skipped: string, target: TargetOptions = NO_TARGET): CheckFile => ({
  file,
  target,
  llvm: '',
  decidedBy: '',
  madeBy: '',
  skipped,
  functions: [],
  diagnostics: [],
  otherTargets: [],
  excerpts: {},
});

const NO_TARGET: TargetOptions = { triple: '', cpu: '', features: '' };

function checkText(source: string, job: CheckJob): CheckFile {
  const text = new SourceText(source);
  const file = parseMirFile(text, new Interner());
  const test = new TestFile(source);
  const targetFor = (release: ReleaseName): FileTarget =>
    chosenTarget(targetOfFile(test, DEFAULT_SETTINGS.target, undefined, release), job.options.target);
  const own = targetFor(NEWEST_RELEASE);
  const models = job.options.models.map((choice) => modelOfFile(file, own, choice));
  const asked = models
    .filter(({ model }, k) => models.findIndex((m) => m.model === model) === k)
    .flatMap(({ model, release }) => {
      const found = targetFor(release);
      const targets = found.foreign === '' || isUnmodelled(found) ? askedTargets(found, job.options) : [];
      return targets.map((target) => ({ target, model }));
    });
  if (asked.length === 0) {
    const { foreign, cpu, features, release } = targetFor(models[0]!.release);
    return skippedFile(job.file, foreignText(foreign, release), { triple: foreign, cpu, features });
  }
  const [first, ...others] = asked.map(({ target, model }) => checkTarget(text, file, target, model, job));
  const sign = models.length === 1 ? models[0]!.sign : null;
  const against = models.length === 1 ? models[0]!.against : null;
  const mixed = sign === null || against === null ? [] : [mixedFinding(sign, against)];
  const found: CheckFile = {
    ...{
      file: job.file,
      skipped: '',
      excerpts: {},
      madeBy: '',
      decidedBy: sign === null ? '' : signText(sign),
      ...first!,
    },
    ...{ diagnostics: [...mixed, ...first!.diagnostics], otherTargets: others },
    ...(job.options.findings ? { findings: checkFindings(source, asked[0]!, job.options.functionName) } : {}),
  };
  return { ...found, excerpts: excerptsOf(found, text) };
}

/** Of the function that was added last; `outcomes`: null where nobody asks. */
function finalOf(outcomes: FileOutcomes | null, failed: string): Pick<CheckFunction, 'final' | 'noFinal'> {
  if (outcomes === null) return { final: null, noFinal: '' };
  const found = failed === '' ? outcomes.final() : failed;
  return typeof found === 'string' ? { final: null, noFinal: found } : { final: found, noFinal: '' };
}

/** Longer lines are not shown beside a finding. */
const MAX_EXCERPT = 160;

/** The lines that its findings begin in. */
function excerptsOf(file: CheckFile, text: SourceText): Record<number, string> {
  const all = [...allDiagnostics(file).map(({ diagnostic }) => diagnostic), ...(file.findings ?? [])];
  const lines = new Set(all.map(({ line }) => line).filter((line) => line > 0));
  const shown = [...lines].flatMap((line): [number, string][] => {
    const [start, end] = [text.lineStart(line - 1), text.lineEnd(line - 1)];
    return end - start > MAX_EXCERPT ? [] : [[line, text.text.slice(start, end)]];
  });
  return Object.fromEntries(shown);
}

/** That lines of a file are for two releases. */
function mixedFinding(sign: ReleaseSign, against: ReleaseSign): CheckDiagnostic {
  const line = against.line + 1;
  return {
    severity: 'warning',
    code: 'mixed-releases',
    message: mixedText(sign, against),
    ...{ line, column: line === 0 ? 0 : 1, endLine: line, endColumn: line === 0 ? 0 : 1 },
  };
}

/** The file's own target first, each once; none where they are not modelled. With the place of the RUN line whose options count. */
function askedTargets(found: FileTarget, { targets, allTargets, target: chosen }: CheckOptions): FileTarget[] {
  const asked: FileTarget[] = [];
  const add = (target: FileTarget): void => {
    if (isUnmodelled(target)) return;
    const { triple, cpu } = splitTriple(target.triple, target.release);
    const own = { ...target, triple, cpu: target.cpu || cpu };
    const isKnown = asked.some((a) => isSameTarget(a, own));
    if (!isKnown) asked.push(own);
  };
  if (targets.length === 0 || allTargets) {
    add(found);
    // A processor that was chosen is for all of them.
    const byRunLine = found.origin === TargetOrigin.RunLine && chosen.cpu === '' ? found.commands : [];
    byRunLine.forEach(({ triple, cpu, features, isNegated }, commandIdx) => {
      // What has to fail is no target to check for, and a substitution of lit is none.
      if (isNegated || [triple, cpu, features].some((value) => value.includes('%'))) return;
      const own = { ...found, triple: triple || found.triple, cpu, features, commandIdx };
      add(chosenTarget(own, { triple: chosen.triple, cpu: '', features: chosen.features }));
    });
  }
  for (const target of targets) add(chosenTarget(found, target));
  return asked;
}

function checkTarget(
  text: SourceText,
  file: MirFile,
  asked: FileTarget,
  modelName: SchedulerModel,
  job: CheckJob,
): CheckTarget {
  const source = text.text;
  const { triple, cpu, features, isChosen = false } = asked;
  const target = { triple, cpu, features };
  const release = releaseOfModel(modelName);
  const model = lowerFile(file, { ...target, isChosen, release, readsDumps: true }, new LoweringCache());
  const diagnostics: Diagnostic[] = [...model.irDiagnostics];
  const functions: CheckFunction[] = [];
  const problems = new Set<string>();
  const debugNames = new MetadataNames(model.ir);
  const linesOf = new Map<string, SourceLines>();
  const { sourceLines, schedule, remat, scalarize, allocate, asWritten, stage: chosenStage } = job.options;
  const { functionName, region } = job.options;
  const facts = lazy(() => moduleFactsOf(source, model.ir));
  const allocation = allocate ? allocationSettingOf(asked) : null;
  const setting =
    schedule || remat || allocation?.isBeforeScheduler === true ? scheduleSettingOf(asked, modelName).options : null;
  if (typeof setting === 'string') problems.add(`not scheduled: ${setting}`);
  const scheduler =
    setting === null || typeof setting === 'string' ? null : new FileScheduler(source, model.ir, setting);
  const before = setting === null || typeof setting === 'string' ? null : { options: setting, facts: facts() };
  const outcomes = asWritten
    ? null
    : new FileOutcomes(asked, modelName, facts, model.ir, stageEvidence(file, asked, chosenStage));
  model.functions.forEach((lowered, n) => {
    const isAsked = functionName === null || lowered.name === functionName;
    const own = [...model.functionDiagnostics(n)];
    const { fn } = lowered;
    // A file may have 100,000 of them.
    lowered.release();
    const start = model.functionStarts[n] ?? 0;
    if (fn !== null && !hasErrors(own)) {
      const reports = verifyFunction(fn, irVerifierOptions(model.ir, fn));
      for (const d of verifierDiagnostics(fn, reports)) own.push({ ...d, start: d.start + start, end: d.end + start });
    }
    if (isAsked) for (const d of own) diagnostics.push(d);
    if (fn === null) {
      outcomes?.addFailed();
      return;
    }
    const { subtarget } = fn;
    if (isAsked) for (const problem of subtarget.problems) problems.add(problem);
    const lineOf = (i: number): number => {
      const range = i < 0 ? undefined : fn.source?.instrRange(i);
      return range === undefined ? 0 : text.lineAt(start + range.start) + 1;
    };
    const isGood = !hasErrors(own);
    const isCounted = isGood && fn.tables.isAMDGCN;
    if (!fn.tables.isAMDGCN && (schedule || remat || scalarize || allocate)) problems.add(UNCOUNTED_R600);
    const summary = isCounted ? new PressureSummary(fn) : null;
    const hasPressure = summary?.usedRegisters.kind === 'virtual';
    if (!isAsked) {
      // What llc ends with of a function depends on those that it calls.
      if (summary === null) outcomes?.addFailed();
      else outcomes?.add(fn, summary.usedRegisters, start);
      return;
    }
    // Only what is small enough is scheduled for suggestions alone.
    const why = !isCounted || setting === null || typeof setting === 'string' ? null : whyNotModelledFor(fn, setting);
    if (why !== null) problems.add(`${fn.header.name} is not scheduled: ${why}`);
    const canSchedule = isCounted && why === null;
    const isTraced = canSchedule && (schedule || (remat && fn.nInstrs <= MANY_INSTRS));
    const traced = isTraced && scheduler !== null ? scheduler.trace(fn) : null;
    if (sourceLines && summary !== null && hasPressure) {
      const own = new SourceLines(debugNames);
      own.addPressure(summary);
      linesOf.set(fn.header.name, own);
    }
    if (summary === null) outcomes?.addFailed();
    const end = summary === null || outcomes === null ? null : outcomes.add(fn, summary.usedRegisters, start);
    // What leads to the outcome is the same unless the stage is a guess that the RUN line knows nothing of.
    const isSameWay = end !== null && allocation?.isBeforeScheduler === (end.stage.stage === 'before-scheduling');
    const allocated =
      allocation !== null && summary?.usedRegisters.kind === 'virtual'
        ? checkAllocation(fn, model.ir, allocation, canSchedule ? before : null, isSameWay ? end.allocated : null)
        : null;
    if (typeof allocated === 'string') problems.add(`${fn.header.name} is not allocated: ${allocated}`);
    functions.push({
      ...namedFunction(fn, asked, text, start),
      pressure: summary !== null && hasPressure ? summarize(summary, text, start) : null,
      registers: summary !== null ? usedRegistersText(summary.usedRegisters) : isGood ? 'R600, not counted' : '',
      schedule: !schedule || traced === null || scheduler === null ? null : scheduler.report(traced, lineOf, region),
      allocation: allocated === null || typeof allocated === 'string' ? null : allocated,
      stage: end && { name: end.stage.stage, by: end.stage.by, scheduledOccupancy: end.scheduled },
      outcome: null,
      bounds: null,
      noOutcome: end?.failed ?? '',
      ...finalOf(job.options.final && end !== null ? outcomes : null, end?.failed ?? ''),
      scalarization: scalarize && summary !== null && hasPressure ? checkScalarize(summary, lineOf) : null,
      sourceLines: null,
      rematerialization: remat && summary !== null && hasPressure ? checkRemat(summary, traced, lineOf) : null,
    });
  });
  const printed = diagnostics.map((d) => printable(d, text));
  const all = [...[...problems].map(targetProblem), ...printed];
  const ends = outcomes?.result() ?? null;
  const withOutcome = (fn: CheckFunction): CheckFunction => {
    const ended = ends?.get(fn.name);
    const { outcome = null, bounds = null } = ended ?? {};
    const lines = linesOf.get(fn.name);
    if (ended !== undefined) lines?.addSpills(ended.fn);
    const isCaller = outcome === null && fn.stage !== null && fn.noOutcome === '';
    return {
      ...{ ...fn, outcome, bounds, noOutcome: isCaller ? CALLS_FAILED : fn.noOutcome },
      sourceLines: lines?.sorted() ?? null,
    };
  };
  return {
    target,
    llvm: releaseOf(release).version,
    functions: functions.map(withOutcome),
    diagnostics: all,
  };
}

/** `start`: of its document. */
const namedFunction = (
  fn: MachineFunction,
  asked: FileTarget,
  text: SourceText,
  start: number,
): Pick<CheckFunction, 'name' | 'line' | 'cpu' | 'wavefrontSize' | 'fileSays' | 'instructions' | 'blocks'> => ({
  name: fn.header.name,
  line: text.lineAt(start + (fn.source?.name.start ?? 0)) + 1,
  cpu: fn.subtarget.cpu,
  wavefrontSize: fn.subtarget.wavefrontSize,
  fileSays: fileSays(asked, fn.header.irFunction.attributes.get('target-cpu')),
  instructions: fn.nInstrs,
  blocks: fn.blocks.length,
});

/** What llc says about the processor and its features: a warning about the whole file. */
function targetProblem(message: string): CheckDiagnostic {
  return { severity: 'warning', code: 'target', message, line: 0, column: 0, endLine: 0, endColumn: 0 };
}

const hasErrors = (list: readonly Diagnostic[]): boolean => list.some((d) => d.severity === Severity.Error);

function printable(d: Diagnostic, text: SourceText): CheckDiagnostic {
  const start = text.positionAt(d.start);
  const end = text.positionAt(d.end);
  const isPlaced = d.origin !== DiagnosticOrigin.Function || d.end > d.start;
  return {
    severity: SEVERITIES[d.severity],
    code: d.code,
    message: d.message,
    line: isPlaced ? start.line + 1 : 0,
    column: isPlaced ? start.character + 1 : 0,
    endLine: isPlaced ? end.line + 1 : 0,
    endColumn: isPlaced ? end.character + 1 : 0,
  };
}

/** What rematerialization could do; `traced` null = the schedule is not known. */
function checkRemat(
  summary: PressureSummary,
  traced: TracedSchedule | null,
  lineOf: (instr: number) => number,
): RematSuggestions | null {
  const subject = { fn: summary.fn, summary, remat: new RematAnalysis(summary), quickSchedule: traced };
  return suggestRemat(subject, lineOf, NEVER_CANCELLED);
}

function summarize(summary: PressureSummary, text: SourceText, docStart: number): CheckPressure {
  const { fn, limits, occupancy, peaks } = summary;
  const { subtarget } = fn;
  const peak = (bank: Bank): CheckPeak => placePeak(peaks[bank] as Peak, fn, text, docStart);
  const vgpr = peak(Bank.VGPR);
  const sgpr = peak(Bank.SGPR);
  const agpr = peak(Bank.AGPR);
  const isUnified = subtarget.hasGFX90AInsts;
  const unifiedPeak = numVGPRs(summary.max, isUnified);
  const [first, last] = liveCounts(summary);
  return {
    occupancy: occupancy.occupancy,
    maxOccupancy: subtarget.maxWavesPerEU,
    limitedBy: LIMITERS[occupancy.limiters[0] ?? OccupancyLimiter.Hardware],
    sgpr,
    vgpr,
    agpr,
    sgprLimit:
      sgpr.value + (occupancy.sgprStepDown?.registers ?? Math.max(0, subtarget.addressableNumSGPRs - sgpr.value)),
    vgprLimit: unifiedPeak + (occupancy.vgprStepDown?.registers ?? Math.max(0, limits.maxNumVGPRs - unifiedPeak)),
    unifiedFile: isUnified ? subtarget.totalNumVGPRs : 0,
    unifiedPeak,
    excess: summary.excess.map(({ bank, count, most, mayUseAGPRs }) => ({
      bank,
      count,
      most,
      ...(mayUseAGPRs ? { mayUseAGPRs } : {}),
    })),
    nextWave: nextWaves(occupancy, sgpr.value, unifiedPeak),
    ldsBytes: limits.ldsBytes,
    workGroupSizes: limits.flatWorkGroupSizes,
    ldsOccupancy: limits.occupancyRange[1],
    liveIns: first,
    liveOuts: last,
  };
}

function nextWaves(report: OccupancyReport, sgprs: number, vgprs: number): CheckNextWave[] {
  const next: CheckNextWave[] = [];
  const add = (bank: 'SGPR' | 'VGPR', step: OccupancyStep | null, value: number): void => {
    if (step === null) return;
    next.push({ bank, excess: step.registers, waves: step.occupancy, limit: value - step.registers });
  };
  add('VGPR', report.vgprStepUp, vgprs);
  add('SGPR', report.sgprStepUp, sgprs);
  return next;
}

function placePeak(peak: Peak, fn: MachineFunction, text: SourceText, docStart: number): CheckPeak {
  const { value, instr } = peak;
  if (instr < 0) return { value, line: 0, block: -1, instr: -1 };
  const block = fn.instrBlock[instr] as number;
  let position = fn.blockBegin[block] as number;
  const begin = position;
  while (fn.order[position] !== instr) position++;
  const start = fn.source?.instrRange(instr).start;
  const line = start === undefined ? 0 : text.lineAt(docStart + start) + 1;
  // named as in the text
  return { value, line, block: fn.blocks[block]?.sourceNumber ?? block, instr: position - begin };
}

/**
 * Registers of 32 bits that come into the function (live-ins of its first block) and that it hands back (what the
 * instructions that leave it read; the most of all exits).
 */
function liveCounts(summary: PressureSummary): [number, number] {
  const { fn } = summary;
  const entry = fn.blocks[0];
  if (entry === undefined) return [0, 0];
  let liveIn = 0;
  for (const l of entry.liveIns) liveIn += registersOf(fn, l.reg);
  let liveOut = 0;
  fn.blocks.forEach((block, b) => {
    const last = (fn.blockEnd[b] as number) - 1;
    if (block.successors.length !== 0 || last < (fn.blockBegin[b] as number)) return;
    liveOut = Math.max(liveOut, usedRegisters(fn, fn.order[last] as number));
  });
  return [liveIn, liveOut];
}

/** Physical registers that instruction i reads, in 32-bit registers; special ones such as $exec do not count. */
function usedRegisters(fn: MachineFunction, i: number): number {
  let n = 0;
  for (let o = fn.opBegin[i] as number; o < (fn.opBegin[i + 1] as number); o++) {
    const isUse = fn.opKind[o] === OperandKind.Register && ((fn.opFlags[o] as number) & OpFlag.Def) === 0;
    if (isUse && isPhysicalReg(fn.opVal[o] as number)) n += registersOf(fn, fn.opVal[o] as number);
  }
  return n;
}

function registersOf(fn: MachineFunction, reg: Reg): number {
  const t = fn.tables;
  if (!t.isInAllocatableClass(reg)) return 0;
  const rc = t.getMinimalPhysRegClass(reg);
  return rc < 0 ? 0 : Math.ceil((t.regClassBits[rc] as number) / 32);
}
