/** `amdgpu-mir explain --pass=NAME`: what a pass does to the functions of a file, instruction by instruction, and why. */
import { reportOf, reportText, type PassReport } from '../features/passes/passReport.js';
import { subtargetText } from '../features/snapshot/snapshot.js';
import type { CommandIO } from '../program/commandIO.js';
import { UsageError } from '../program/llcOptions.js';
import {
  passTrailOf,
  placeOf,
  runToPass,
  stepName,
  trailOfPass,
  type PassRun,
  type PassTrail,
} from '../program/passTrail.js';
import { stageEvidence, stageOf } from '../program/stage.js';
import { oneLine } from '../text/visible.js';
import {
  fileSaysNote,
  fileToExplain,
  firstError,
  printJson,
  programToExplain,
  type ExplainSettings,
} from './explainParts.js';
import type { ExplainedPass } from './explainTypes.js';
import type { Problem } from './report.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;

/** Throws InputError and UsageError. */
export function explainPass(settings: ExplainSettings, name: string, io: CommandIO): number {
  const { source, target } = fileToExplain(settings, io);
  const program = programToExplain(settings, source, target);
  const problems: Problem[] = [];
  const refuse = (functionName: string, message: string): void => {
    problems.push({ function: functionName, message });
    io.stderr(message.endsWith('\n') ? message : `@${functionName}: ${message}\n`);
  };
  if (program.fatal !== null) refuse('', program.fatal.stderr);
  const evidence = stageEvidence(settings.parsed.of(source), target, settings.stage);
  const texts: string[] = [];
  const reports: ExplainedPass[] = [];
  const names: string[] = [];
  for (const loaded of program.fatal === null ? program.functions : []) {
    names.push(loaded.name);
    if (settings.functionName !== null && loaded.name !== settings.functionName) continue;
    const { fn } = loaded;
    const error = firstError(loaded, program);
    if (fn === null || error !== null) {
      refuse(loaded.name, error ?? '');
      continue;
    }
    const stage = stageOf(fn, evidence, loaded.start);
    const [trail, place] = trailTo(name, passTrailOf(target, stage, settings.llc.values));
    const lineOf = (i: number): number =>
      fn.source === null || i < 0 || i >= fn.nInstrs
        ? 0
        : program.text.lineAt(loaded.start + fn.source.instrRange(i).start) + 1;
    const run = runToPass({ fn, ir: program.ir, source }, trail, place, () => io.checkpoint?.());
    if ('why' in run) {
      refuse(loaded.name, `${stepName(run.step)} does not run: ${run.why}`);
      continue;
    }
    const report = reportOf(run, lineOf, program.debugNames);
    if (settings.json) reports.push(toJson(loaded.name, run, report, trail, place));
    else {
      const head = `@${oneLine(loaded.name)}  ${subtargetText(fn.subtarget)}${fileSaysNote(target, fn)}, LLVM ${fn.subtarget.release.version}`;
      texts.push(`${[head, ...reportText(run, report, trail, place)].join('\n')}\n`);
    }
  }
  if (settings.functionName !== null && problems.length === 0 && !names.includes(settings.functionName))
    throw new UsageError(`no function @${settings.functionName}; there is ${names.join(', ') || 'none'}`);
  if (settings.json) printJson(settings, reports, problems, io);
  else io.stdout(texts.join('\n'));
  return problems.length === 0 ? EXIT_OK : EXIT_ERRORS;
}

/**
 * The passes up to the one asked for: those that the function goes through, or it alone where it is none of them, and where nothing says where the function
 * stands: whoever names a pass for a file without RUN line means the file as it is.
 */
function trailTo(name: string, trail: PassTrail | string): readonly [PassTrail, number] {
  const place = typeof trail === 'string' || trail.isGuess ? -1 : placeOf(trail, name);
  if (typeof trail !== 'string' && place >= 0) return [trail, place];
  const alone = trailOfPass(name, typeof trail === 'string' ? new Map() : trail.options);
  if (typeof alone === 'string') throw new UsageError(`--pass: ${alone}`);
  return [alone, 0];
}

const toJson = (
  name: string,
  { step }: PassRun,
  report: PassReport,
  trail: PassTrail,
  place: number,
): ExplainedPass => ({
  function: name,
  pass: stepName(step),
  after: trail.steps.slice(0, place).map(stepName),
  by: trail.by === '' ? null : trail.by,
  ...report.counts,
  instrs: report.instrs.map(({ line, block, change, text, before, reasons }) => ({
    line: line === 0 ? null : line,
    block,
    change,
    text,
    before,
    reasons,
  })),
});
