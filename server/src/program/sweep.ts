/**
 * What llc ends with under other options and other attributes of the functions, one setting at a time. An attribute counts for what the file recorded from it,
 * too: the occupancy and the registers that instruction selection reserved (docs/allocation.md, "A sweep").
 */
import { PressureSummary } from '../analysis/summary.js';
import { irVerifierOptions, verifierDiagnostics, verifyFunction } from '../analysis/verifier/index.js';
import { readCommandLine } from '../commandLine/commandLine.js';
import { computeFunctionLimits, type FunctionLimits } from '../model/functionLimits.js';
import { LoweringCache, lowerFile } from '../model/lowering/lowerFile.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { isSchedulerOn } from '../passes/scheduler/llcOptions.js';
import { moduleFactsOf } from '../passes/scheduler/moduleFacts.js';
import { whyNotModelledFor } from '../passes/scheduler/scheduleFunction.js';
import { releaseOfModel, type SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { DocumentKind, parseMirFile } from '../syntax/index.js';
import { Severity, type Diagnostic } from '../text/diagnostic.js';
import { SourceText } from '../text/sourceText.js';
import { Interner } from '../util/interner.js';
import { allocationSettingOf, SCHEDULER_OFF } from './allocation.js';
import { countCode, type CodeCounts } from './codeCounts.js';
import { withAttributes } from './irAttributes.js';
import { FileOutcomes, type Outcome } from './outcome.js';
import { scheduleSettingOf } from './scheduleSetting.js';
import type { FileTarget, RunCommand } from './targetOfFile.js';

/** Of llc's options and of the functions' attributes; both empty: the file as it is. */
export interface SweepSetting {
  /** as on llc's command line, `-amdgpu-sched-strategy=max-ilp` */
  readonly options: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
}

/** One function under one setting. Without an outcome `failed` says why, and the counts are absent. */
export type SweepRow = SweepSetting & { readonly function: string } & (
    | ({ readonly outcome: Outcome; readonly failed: '' } & CodeCounts)
    | { readonly outcome: null; readonly failed: string }
  );

/** A row for each function of the file, in its order. `target`: with the RUN line whose options count. Throws what `checkpoint` throws. */
export function sweepRows(
  source: string,
  target: FileTarget,
  modelName: SchedulerModel,
  setting: SweepSetting,
  checkpoint: () => void,
): SweepRow[] {
  const { options, attributes } = setting;
  const changed = new Map(Object.entries(attributes));
  const lowered = functionsOf(changedSource(source, changed), target, modelName);
  if (changed.size > 0) {
    const { functions: before } = functionsOf(source, target, modelName);
    for (const [n, { fn }] of lowered.functions.entries()) {
      const old = before[n]?.fn;
      if (fn !== null && old) renewRecorded(fn, computeFunctionLimits(old));
    }
  }
  const asked = withOptions(target, options);
  const allocation = allocationSettingOf(asked);
  const isOn = isSchedulerOn(readCommandLine(argsOf(asked)).values);
  const schedule = isOn && !allocation.isAfterScheduler ? scheduleSettingOf(asked, modelName).options : null;
  const before =
    schedule === null || typeof schedule === 'string'
      ? null
      : { options: schedule, facts: moduleFactsOf(lowered.text, lowered.ir) };
  const outcomes = new FileOutcomes(
    lowered.ir,
    allocation,
    allocation.isAfterScheduler || isOn ? before : SCHEDULER_OFF,
  );
  const problems = new Map<string, string>();
  for (const { name, fn, error } of lowered.functions) {
    checkpoint();
    const why =
      fn === null || error !== ''
        ? error
        : typeof schedule === 'string'
          ? schedule
          : before === null
            ? ''
            : (whyNotModelledFor(fn, before.options) ?? '');
    if (fn === null || why !== '') outcomes.addFailed();
    const failed = fn === null || why !== '' ? why : outcomes.add(fn, new PressureSummary(fn).usedRegisters);
    if (failed !== '') problems.set(name, failed);
  }
  const ends = outcomes.result();
  return lowered.functions.map(({ name }): SweepRow => {
    const end = ends.get(name);
    const row = { function: name, options, attributes };
    if (end === undefined) return { ...row, outcome: null, failed: problems.get(name) ?? CALLS_FAILED };
    return { ...row, outcome: end.outcome, failed: '', ...countCode(end.fn) };
  });
}

const CALLS_FAILED = 'it calls others, and not every function of the file could be allocated';

interface SweptFunction {
  readonly name: string;
  readonly fn: MachineFunction | null;
  /** its first error, '' without one */
  readonly error: string;
}

function functionsOf(
  text: string,
  { triple, cpu, features, isChosen = false }: FileTarget,
  model: SchedulerModel,
): { readonly text: string; readonly ir: ReturnType<typeof lowerFile>['ir']; readonly functions: SweptFunction[] } {
  const file = parseMirFile(new SourceText(text), new Interner());
  const options = { triple, cpu, features, isChosen, release: releaseOfModel(model), readsDumps: true };
  const lowered = lowerFile(file, options, new LoweringCache());
  const ofFile = firstError(lowered.irDiagnostics);
  const functions = lowered.functions.map(({ fn }, n): SweptFunction => {
    const own = ofFile || firstError(lowered.functionDiagnostics(n));
    if (fn === null) return { name: `function ${n}`, fn, error: own || 'it cannot be read' };
    const error = own || firstError(verifierDiagnostics(fn, verifyFunction(fn, irVerifierOptions(lowered.ir, fn))));
    return { name: fn.header.name, fn, error };
  });
  return { text, ir: lowered.ir, functions };
}

const firstError = (list: readonly Diagnostic[]): string =>
  list.find((d) => d.severity === Severity.Error)?.message ?? '';

/** The file with other attributes in its embedded module; a file without one has none to change. */
function changedSource(source: string, attributes: ReadonlyMap<string, string>): string {
  if (attributes.size === 0) return source;
  const file = parseMirFile(new SourceText(source), new Interner());
  const n = file.documents.findIndex(({ kind }) => kind === DocumentKind.IR);
  if (n < 0) return source;
  const { irStart, irEnd } = file.documents[n]!;
  const at = file.docStarts[n]!;
  const ir = withAttributes(source.slice(at + irStart, at + irEnd), attributes);
  return source.slice(0, at + irStart) + ir + source.slice(at + irEnd);
}

/** Whether the file has an embedded module, whose attributes can be changed. */
export const hasEmbeddedModule = (source: string): boolean =>
  parseMirFile(new SourceText(source), new Interner()).documents.some(({ kind }) => kind === DocumentKind.IR);

const argsOf = ({ commands, commandIdx }: FileTarget): readonly string[] => commands[commandIdx]?.args ?? [];

/** The words come after those of the RUN line, so that they win. */
function withOptions(target: FileTarget, words: readonly string[]): FileTarget {
  if (words.length === 0) return target;
  const { triple, cpu, features } = target;
  const none: RunCommand = { triple, cpu, features, firstLine: -1, lastLine: -1, args: [], isNegated: false };
  const command = target.commands[target.commandIdx] ?? none;
  return { ...target, commands: [{ ...command, args: [...command.args, ...words] }], commandIdx: 0 };
}

/**
 * What instruction selection recorded from the attributes before, as it would have with the new ones: the occupancy, and those registers that were the last
 * of the old budget.
 * @llvm SIISelLowering.cpp SITargetLowering::finalizeLowering
 */
function renewRecorded(fn: MachineFunction, old: FunctionLimits): void {
  const info = fn.header.machineFunctionInfo;
  const limits = computeFunctionLimits(fn);
  info.occupancy = Math.min(limits.occupancyRange[1], limits.wavesPerEU[1]);
  const before = lastRegisters(fn, old);
  const after = lastRegisters(fn, limits);
  if (info.scratchRSrcReg === before.scratchRSrc) info.scratchRSrcReg = after.scratchRSrc;
  if (info.vgprForAGPRCopy === before.vgpr) info.vgprForAGPRCopy = after.vgpr;
  if (info.sgprForEXECCopy === before.exec) info.sgprForEXECCopy = after.exec;
}

interface LastRegisters {
  readonly scratchRSrc: number;
  readonly vgpr: number;
  readonly exec: number;
}

/** The last registers of a budget; the scratch descriptor and EXEC's copy may be the same. */
function lastRegisters({ tables, subtarget }: MachineFunction, limits: FunctionLimits): LastRegisters {
  const { maxNumSGPRs, maxNumVGPRs } = limits;
  const base = (maxNumSGPRs & ~3) - 4;
  const pair = (maxNumSGPRs & ~1) - 2;
  return {
    scratchRSrc: tables.regByName(`sgpr${base}_sgpr${base + 1}_sgpr${base + 2}_sgpr${base + 3}`),
    vgpr: tables.regByName(`vgpr${maxNumVGPRs - 1}`),
    exec: tables.regByName(subtarget.wavefrontSize === 32 ? `sgpr${maxNumSGPRs - 1}` : `sgpr${pair}_sgpr${pair + 1}`),
  };
}
