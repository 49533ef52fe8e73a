/** The passes of a function, what it is after each of them, and why: *After Pass* and *Explain This Pass*. */
import type { Position } from 'vscode-languageserver-types';
import type { InstrId, MachineFunction } from '../../model/machineFunction.js';
import { MetadataNames, printFunctionDocument } from '../../model/printer/index.js';
import {
  overviewOf,
  passTrailOf,
  placeOf,
  runToPass,
  stepName,
  trailOfPass,
  type PassRun,
  type PassTrail,
} from '../../program/passTrail.js';
import { stageText } from '../../program/stage.js';
import { whyUncounted } from '../../program/targetOfFile.js';
import { Severity } from '../../text/diagnostic.js';
import { oneLine } from '../../text/visible.js';
import type { ProgressToken } from '../../util/cancellation.js';
import { patiently, viewAt } from '../levers/keptSweep.js';
import { llvmText, targetText, type Elsewhere, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import { countsText, placeText, reportOf, reportText, type PassReport } from './passReport.js';

export interface PassList {
  readonly function: string;
  /** e.g. `gfx90a wave64, LLVM 22.1.8` */
  readonly target: string;
  /** what names them: `-run-pass=...`, `the pipeline after virtregrewriter,2`; with `(guess)` where nobody says how far llc has come */
  readonly by: string;
  readonly passes: readonly {
    /** `NAME`, or `NAME,1` where it runs several times */
    readonly name: string;
    /** null: it does not run */
    readonly isChanged: boolean | null;
  }[];
  /** why there are none, or why the last ones do not run; else empty */
  readonly problem: string;
}

interface PassParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
  /** as `PassList` names it */
  readonly pass: string;
}

/** Why something of a line of a text was done. */
interface LineReason {
  /** 0-based */
  readonly line: number;
  readonly text: string;
}

export interface AfterPass {
  readonly function: string;
  readonly target: string;
  /** documents of the function; null where the pass does not run */
  readonly texts: { readonly before: string; readonly after: string } | null;
  readonly reasons: { readonly before: readonly LineReason[]; readonly after: readonly LineReason[] };
  /** what it did, in a line, or why it does not run */
  readonly summary: string;
}

const targetOf = (snapshot: Snapshot, view: FunctionView | null): string =>
  `${targetText(snapshot, view)}, ${llvmText(snapshot)}`;

/** Why no pass runs over a function, '' where one does. */
function whyNoPass({ target }: Snapshot, view: FunctionView | null): string {
  if (whyUncounted(target) !== '') return whyUncounted(target);
  if (view === null) return 'no function here';
  const error = view.diagnostics.find((d) => d.severity === Severity.Error);
  if (error !== undefined) return oneLine(error.message);
  return view.fn === null ? 'this function has no body' : '';
}

function trailAt(snapshot: Snapshot, view: FunctionView): PassTrail | string {
  const { stage } = view;
  return stage === null ? 'it is not known how far llc has come' : passTrailOf(snapshot.target, stage);
}

/** `amdgpuMir/passList` */
export function providePassList(
  snapshot: Snapshot,
  { position }: Pick<PassParams, 'position'>,
  token: ProgressToken,
): PassList | Elsewhere | null {
  const view = viewAt(snapshot, position.line);
  const answer = (passes: PassList['passes'], by: string, problem: string): PassList => ({
    function: view?.name ?? '',
    target: targetOf(snapshot, view),
    by,
    passes,
    problem: oneLine(problem),
  });
  const why = whyNoPass(snapshot, view);
  const fn = view?.fn ?? null;
  if (why !== '' || view === null || fn === null) return answer([], '', why);
  const trail = trailAt(snapshot, view);
  if (typeof trail === 'string') return answer([], '', trail);
  return patiently(snapshot, token, (checkpoint) => {
    const { isChanged, stop } = overviewOf(subjectOf(snapshot, view, fn), trail, checkpoint, (n) =>
      token.report?.(`${n} of ${trail.steps.length} passes`),
    );
    const by = trail.isGuess && view.stage !== null ? `${trail.by}: ${stageText(view.stage)}` : trail.by;
    const passes = trail.steps.map((step, k) => ({ name: stepName(step), isChanged: isChanged[k] ?? null }));
    return answer(passes, by, stop === null ? '' : `${stepName(stop.step)} does not run: ${stop.why}`);
  });
}

const subjectOf = (snapshot: Snapshot, view: FunctionView, fn: MachineFunction): Parameters<typeof runToPass>[0] => ({
  fn,
  ir: view.module,
  source: snapshot.text.text,
});

interface Explained {
  readonly view: FunctionView;
  readonly run: PassRun;
  readonly report: PassReport;
  readonly trail: PassTrail;
  readonly place: number;
}

/** The pass of the list of that name, or it alone where it is none of them; a text: why it does not run. */
function explained(snapshot: Snapshot, { position, pass }: PassParams, checkpoint: () => void): Explained | string {
  const view = viewAt(snapshot, position.line);
  const why = whyNoPass(snapshot, view);
  const fn = view?.fn ?? null;
  if (why !== '' || view === null || fn === null) return why;
  let trail = trailAt(snapshot, view);
  let place = typeof trail === 'string' ? -1 : placeOf(trail, pass);
  if (typeof trail === 'string' || place < 0) {
    trail = trailOfPass(pass, typeof trail === 'string' ? new Map() : trail.options);
    place = 0;
  }
  if (typeof trail === 'string') return trail;
  const run = runToPass(subjectOf(snapshot, view, fn), trail, place, checkpoint);
  if ('why' in run) return `${stepName(run.step)} does not run: ${run.why}`;
  const { source, nInstrs } = fn;
  const lineOf = (i: InstrId): number =>
    source === null || i < 0 || i >= nInstrs ? 0 : snapshot.text.lineAt(view.start + source.instrRange(i).start) + 1;
  return { view, run, report: reportOf(run, lineOf, new MetadataNames(view.module)), trail, place };
}

/** `amdgpuMir/explainPass`: text with 1-based line numbers. */
export function providePassExplanation(
  snapshot: Snapshot,
  params: PassParams,
  token: ProgressToken,
): string | Elsewhere | null {
  return patiently(snapshot, token, (checkpoint) => {
    const found = explained(snapshot, params, checkpoint);
    if (typeof found === 'string') return `${oneLine(found)}\n`;
    const { view, run, report, trail, place } = found;
    const head = `@${oneLine(view.name)}  ${targetOf(snapshot, view)}`;
    return `${[head, ...reportText(run, report, trail, place)].join('\n')}\n`;
  });
}

/** `amdgpuMir/afterPass` */
export function provideAfterPass(
  snapshot: Snapshot,
  params: PassParams,
  token: ProgressToken,
): AfterPass | Elsewhere | null {
  return patiently(snapshot, token, (checkpoint) => {
    const found = explained(snapshot, params, checkpoint);
    const view = viewAt(snapshot, params.position.line);
    const answer = { function: view?.name ?? '', target: targetOf(snapshot, view) };
    if (typeof found === 'string')
      return { ...answer, texts: null, reasons: { before: [], after: [] }, summary: oneLine(found) };
    const { run, report, trail, place } = found;
    const texts = { before: documentOf(run.before), after: documentOf(run.after) };
    const before = linesOf(run.before, texts.before);
    const after = linesOf(run.after, texts.after);
    const reasons = { before: [] as LineReason[], after: [] as LineReason[] };
    for (const { change, instr, reasons: why } of report.instrs)
      for (const { text } of why) {
        const isGone = change === 'erased';
        const line = (isGone ? before : after).get(instr);
        if (line !== undefined) (isGone ? reasons.before : reasons.after).push({ line, text: text.join('\n') });
      }
    return { ...answer, texts, reasons, summary: `${placeText(trail, place)}: ${countsText(report.counts)}` };
  });
}

const documentOf = (fn: MachineFunction): string => printFunctionDocument(fn, { simplify: true });

/** The line of each instruction in the document of its function, from 0 on. */
function linesOf(fn: MachineFunction, printed: string): Map<InstrId, number> {
  const lines = printed.split('\n');
  const found = new Map<InstrId, number>();
  const body = lines.findIndex((line) => line.startsWith('body:'));
  let block = -1;
  let at = 0;
  for (let k = body + 1; k < lines.length; k++) {
    const line = lines[k]!;
    if (/^ {2}bb\.\d/.test(line)) at = fn.blockBegin[++block] ?? 0;
    else if (block >= 0 && /^ {4,}\S/.test(line) && !/^ {4}(?:successors:|liveins:|\})/.test(line))
      found.set(fn.order[at++] ?? -1, k);
  }
  return found;
}
