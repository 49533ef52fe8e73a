/** A lever as an edit of the file: the text of a rematerialization and its like, an option of the RUN line, an attribute of the function. */
import type { Position, TextEdit as LspTextEdit } from 'vscode-languageserver-types';
import { withOwnAttributes } from '../../program/irAttributes.js';
import { AS_IN_FILE, Sweep, type SweepRow, type SweepSetting } from '../../program/sweep.js';
import { isForAMDGPU, llcCommand, targetOfFile } from '../../program/targetOfFile.js';
import type { TestCommand } from '../../program/testFile/testFile.js';
import { TestFile } from '../../program/testFile/testFile.js';
import type { LeverChange } from '../../program/why.js';
import { optionProblem } from '../../program/settingWords.js';
import { changeText } from '../../program/whyReportText.js';
import { DocumentKind } from '../../syntax/tree.js';
import type { TextEdit } from '../../text/sourceText.js';
import { oneLine } from '../../text/visible.js';
import type { ProgressToken } from '../../util/cancellation.js';
import { eol } from '../fixes/fix.js';
import { occupancyEdit } from '../schedule/occupancyEdit.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import type { Elsewhere, FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { patiently, sweepOf, viewAt, whyNothing } from './keptSweep.js';
import { edited, sameChange, textLevers } from './textLevers.js';

export interface AppliedLever {
  /** `rematerialize %12`, `-amdgpu-sched-strategy=max-ilp` */
  readonly title: string;
  /** null: it cannot be an edit, and `problem` says why */
  readonly edits: readonly LspTextEdit[] | null;
  readonly problem: string;
}

/** `amdgpuMir/applyLever`: edits with which the function ends as the lever's row said, or none. */
export function provideAppliedLever(
  snapshot: Snapshot,
  { position, change }: { position: Position; change?: LeverChange },
  token: ProgressToken,
): AppliedLever | Elsewhere | null {
  if (change === undefined) return null;
  const view = viewAt(snapshot, position.line);
  const title = changeText(change);
  const refused = (problem: string): AppliedLever => ({ title, edits: null, problem });
  const nothing = whyNothing(snapshot, view);
  if (view === null || nothing !== '') return refused(nothing);
  return patiently(snapshot, token, (checkpoint) => {
    const applied = (edits: readonly TextEdit[]): AppliedLever => ({
      title,
      edits: toLspEdits(snapshot, edits),
      problem: '',
    });
    if (change.kind !== 'setting') {
      const lever = textLevers(snapshot, view, token).find((own) => sameChange(own.change, change));
      return lever === undefined ? refused('the text has changed: ask again') : applied(lever.edits);
    }
    const { options } = change.setting;
    const problem = optionProblem(options, snapshot.model.release);
    if (problem !== '' || options.some((word) => /[\r\n]/.test(word)))
      return refused(problem === '' ? 'an option stands in one line' : oneLine(problem));
    const edits = settingEdits(snapshot, view, change.setting);
    if (typeof edits === 'string') return refused(edits);
    const promised = sweepOf(snapshot).row(change.setting, checkpoint, view.name);
    if (promised === null || promised.outcome === null) return refused(oneLine(numbersOf(promised)));
    const text = edited(snapshot.text.text, edits);
    const found = sweepOfEdited(snapshot, text).row(AS_IN_FILE, checkpoint, view.name);
    return numbersOf(promised) === numbersOf(found)
      ? applied(edits)
      : refused(`the edited file would not end with the numbers of the row: ${oneLine(numbersOf(found))}`);
  });
}

/** What a row says of the code, without its setting. */
function numbersOf(row: SweepRow | null): string {
  if (row === null) return 'no function of the name';
  if (row.outcome === null) return row.failed;
  const { outcome, spills, bankCopies, instructions, modelLength } = row;
  return JSON.stringify({ outcome, spills, bankCopies, instructions, modelLength });
}

/** For the target that the edited RUN lines name. */
function sweepOfEdited({ target, model, settings }: Snapshot, text: string): Sweep {
  const run = target.commandIdx < 0 ? undefined : target.commandIdx;
  const own = targetOfFile(new TestFile(text), target, run, model.release);
  return new Sweep(text, { ...own, isChosen: target.isChosen === true }, model.model, settings.stage);
}

/** A text: why there are none. */
function settingEdits(
  snapshot: Snapshot,
  view: FunctionView,
  { options, attributes }: SweepSetting,
): TextEdit[] | string {
  const ofOptions = options.length === 0 ? [] : optionEdits(snapshot, view, options);
  if (typeof ofOptions === 'string') return ofOptions;
  const ofAttributes = Object.keys(attributes).length === 0 ? [] : attributeEdits(snapshot, view, attributes);
  if (typeof ofAttributes === 'string') return ofAttributes;
  return [...ofOptions, ...ofAttributes].sort((a, b) => a.start - b.start);
}

// -- options --------------------------------------------------------------------------------------------------------

/** `amdgpu-sched-strategy` of `--amdgpu-sched-strategy=max-ilp` */
const optionName = (word: string): string => /^--?([^=]+)/.exec(word)?.[1] ?? '';

/** The words in the active RUN line, in place of those for the same options; a RUN line of its own in a file without any. */
function optionEdits(snapshot: Snapshot, view: FunctionView, options: readonly string[]): TextEdit[] | string {
  const { target, test } = snapshot;
  if (target.commands.length === 0) return [{ start: 0, end: 0, text: newRunLine(snapshot, view, options) }];
  if (target.commandIdx < 0) return 'the target was chosen by hand: choose the one of a RUN line';
  const command = commandsForUs(test)[target.commandIdx];
  const origin = command?.program.origin ?? null;
  if (command === undefined || origin === null)
    return 'the RUN line has no llc of its own that could be given an option';
  const names = new Set(options.map(optionName));
  const edits: TextEdit[] = [{ start: origin.end, end: origin.end, text: ` ${options.map(shellWord).join(' ')}` }];
  for (const word of command.words) {
    if (!word.text.startsWith('-') || !names.has(optionName(word.text))) continue;
    if (word.origin === null || !word.text.includes('=')) return `the RUN line has ${word.text}: change it there`;
    const { start, end } = word.origin;
    edits.push({ start: snapshot.text.text[start - 1] === ' ' ? start - 1 : start, end, text: '' });
  }
  return edits.sort((a, b) => a.start - b.start);
}

const commandsForUs = (test: TestFile): TestCommand[] =>
  test.commands.filter((command) => {
    const own = llcCommand(command);
    return own !== null && isForAMDGPU(own);
  });

const shellWord = (word: string): string => (/^[-\w=.,:/+]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** For the target that counts now, from where the function stands. */
function newRunLine(snapshot: Snapshot, { stage }: FunctionView, options: readonly string[]): string {
  const { name, instance } = stage?.ahead ?? { name: 'machine-scheduler', instance: 0 };
  const { triple, cpu, features } = snapshot.target;
  const words = [
    'llc',
    `-mtriple=${triple}`,
    ...(cpu === '' ? [] : [`-mcpu=${cpu}`]),
    ...(features === '' ? [] : [`-mattr=${features}`]),
    stage?.stage === 'scheduled'
      ? '-start-after=machine-scheduler'
      : `-start-before=${name}${instance === 0 ? '' : `,${instance}`}`,
    ...options,
  ];
  return `# RUN: ${words.map(shellWord).join(' ')} -o - %s${eol(snapshot)}`;
}

// -- attributes -----------------------------------------------------------------------------------------------------

/** In the embedded IR, and what the function recorded from the attributes before. */
function attributeEdits(
  snapshot: Snapshot,
  view: FunctionView,
  attributes: Readonly<Record<string, string>>,
): TextEdit[] | string {
  const { file, text } = snapshot;
  const d = file.documents.findIndex(({ kind }) => kind === DocumentKind.IR);
  const document = file.documents[d];
  if (document === undefined) return 'the file has no embedded module, whose functions could have other attributes';
  const start = file.docStarts[d]! + document.irStart;
  const before = text.text.slice(start, file.docStarts[d]! + document.irEnd);
  const after = withOwnAttributes(before, new Map(Object.entries(attributes)), view.name);
  return [...lineEdits(before, after, start), ...recordedEdits(snapshot, view, attributes)];
}

/** Of lines that are as many as before. */
function lineEdits(before: string, after: string, start: number): TextEdit[] {
  const [was, is] = [before.split('\n'), after.split('\n')];
  const edits: TextEdit[] = [];
  let at = start;
  for (const [k, line] of was.entries()) {
    if (line !== is[k]) edits.push({ start: at, end: at + line.length, text: is[k]! });
    at += line.length + 1;
  }
  return edits;
}

const RECORDED = ['scratchRSrcReg', 'vgprForAGPRCopy', 'sgprForEXECCopy'] as const;

function recordedEdits(
  snapshot: Snapshot,
  view: FunctionView,
  attributes: Readonly<Record<string, string>>,
): TextEdit[] {
  const { fn } = view;
  const changed = sweepOf(snapshot).recorded(attributes, view.name);
  if (fn === null || changed === null) return [];
  const source = snapshot.text.text;
  const ofOccupancy = fn.header.machineFunctionInfo.hasOwnOccupancy ? occupancyEdit(view, changed, source) : null;
  const edits: TextEdit[] =
    ofOccupancy === null ? [] : [{ start: ofOccupancy.start, end: ofOccupancy.end, text: ofOccupancy.newText }];
  const header = source.slice(view.start, view.start + (view.body?.start ?? 0));
  for (const key of RECORDED) {
    const reg = changed.header.machineFunctionInfo[key];
    if (reg === fn.header.machineFunctionInfo[key]) continue;
    const found = new RegExp(`^([ \\t]+${key}:[ \\t]*)(['"]?)\\$\\w+\\2`, 'm').exec(header);
    if (found === null) continue;
    const at = view.start + found.index + found[1]!.length;
    const end = view.start + found.index + found[0].length;
    edits.push({ start: at, end, text: `'$${changed.tables.regName(reg).toLowerCase()}'` });
  }
  return edits;
}
