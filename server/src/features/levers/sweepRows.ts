/** A sweep for the editor: which settings, then a row for each that is asked for; and the function as llc ends with it under one of them. */
import type { Position } from 'vscode-languageserver-types';
import { printFunctionDocument } from '../../model/printer/index.js';
import {
  AS_IN_FILE,
  attributeProblem,
  settingText,
  usualSettings,
  type SweepRow,
  type SweepSetting,
} from '../../program/sweep.js';
import { optionProblem, readVaried } from '../../program/settingWords.js';
import type { LeverChange } from '../../program/why.js';
import { oneLine } from '../../text/visible.js';
import type { ProgressToken } from '../../util/cancellation.js';
import { llvmText, targetText, type Elsewhere, type Snapshot } from '../snapshot/snapshot.js';
import { patiently, sweepOf, viewAt, whyNothing } from './keptSweep.js';
import { sameChange, textLevers } from './textLevers.js';

export interface SweepSettings {
  readonly function: string;
  /** `gfx90a wave64`, and `LLVM 22.1.8` */
  readonly target: string;
  readonly llvm: string;
  /** 0-based, of the function */
  readonly firstLine: number;
  readonly lastLine: number;
  /** the file as it is first */
  readonly settings: readonly (SweepSetting & { readonly label: string })[];
  /** why there is nothing to sweep, or what is wrong with the words; else empty */
  readonly problem: string;
}

/** `amdgpuMir/sweepSettings`; `vary`: as `--vary` of `amdgpu-mir sweep`, none: what makes sense for the target */
export function provideSweepSettings(
  snapshot: Snapshot,
  {
    position,
    vary = [],
    isProduct,
  }: { position: Position; vary?: readonly string[] | undefined; isProduct?: boolean | undefined },
): SweepSettings {
  const view = viewAt(snapshot, position.line);
  const { release } = snapshot.model;
  const settings =
    vary.length > 0 ? readVaried(vary, isProduct === true) : usualOf(snapshot, (view?.module ?? null) !== null);
  const list = typeof settings === 'string' ? [] : settings;
  const problem =
    whyNothing(snapshot, view) ||
    (typeof settings === 'string' ? settings : '') ||
    (list.map(({ options }) => optionProblem(options, release)).find((text) => text !== '') ?? '') ||
    attributesProblem(view, list);
  return {
    function: view?.name ?? '',
    ...linesOf(snapshot, view),
    target: targetText(snapshot, view),
    llvm: llvmText(snapshot),
    settings: problem === '' ? [AS_IN_FILE, ...list].map((own) => ({ ...own, label: settingText(own) })) : [],
    problem: oneLine(problem),
  };
}

function linesOf({ text }: Snapshot, view: ReturnType<typeof viewAt>): { firstLine: number; lastLine: number } {
  if (view === null) return { firstLine: 0, lastLine: 0 };
  return { firstLine: text.lineAt(view.start), lastLine: text.lineAt(Math.max(view.start, view.end - 1)) };
}

const usualOf = ({ target, model }: Snapshot, hasModule: boolean): SweepSetting[] =>
  usualSettings(target, model.release, hasModule);

function attributesProblem(view: ReturnType<typeof viewAt>, settings: readonly SweepSetting[]): string {
  const wanted = settings.filter(({ attributes }) => Object.keys(attributes).length > 0);
  if (wanted.length === 0 || !view?.fn) return '';
  if (view.module === null) return 'the file has no embedded module, whose functions could have other attributes';
  const { fn } = view;
  return wanted.map(({ attributes }) => attributeProblem(fn, attributes)).find((text) => text !== '') ?? '';
}

/** `amdgpuMir/sweepRow` */
export function provideSweepRow(
  snapshot: Snapshot,
  { position, setting }: { position: Position; setting?: SweepSetting },
  token: ProgressToken,
): SweepRow | Elsewhere | null {
  if (setting === undefined) return null;
  const view = viewAt(snapshot, position.line);
  const nothing = whyNothing(snapshot, view);
  const failed = (why: string): SweepRow => ({ ...setting, function: view?.name ?? '', outcome: null, failed: why });
  if (view === null || nothing !== '') return failed(nothing);
  const problem = optionProblem(setting.options, snapshot.model.release) || attributesProblem(view, [setting]);
  if (problem !== '') return failed(problem);
  return patiently(snapshot, token, (checkpoint) => {
    return sweepOf(snapshot).row(setting, checkpoint, view.name) ?? failed('it cannot be read');
  });
}

export interface EndedText {
  readonly function: string;
  /** null where it has no end, and `problem` says why */
  readonly text: string | null;
  readonly problem: string;
}

/** `amdgpuMir/endedText`: the function at `position` when its registers are allocated, with a lever or as the file is. */
export function provideEndedText(
  snapshot: Snapshot,
  { position, change }: { position: Position; change?: LeverChange | undefined },
  token: ProgressToken,
): EndedText | Elsewhere | null {
  const view = viewAt(snapshot, position.line);
  const nothing = whyNothing(snapshot, view);
  if (view === null || nothing !== '') return { function: '', text: null, problem: nothing };
  return patiently(snapshot, token, (checkpoint) => {
    const { name } = view;
    let sweep = sweepOf(snapshot);
    let setting = AS_IN_FILE;
    if (change?.kind === 'setting') ({ setting } = change);
    else if (change !== undefined) {
      const lever = textLevers(snapshot, view, token).find((own) => sameChange(own.change, change));
      if (lever === undefined) return { function: name, text: null, problem: 'the text has changed: ask again' };
      sweep = sweep.of(lever.text);
    }
    const [end] = sweep.ends(setting, checkpoint, name);
    if (end?.ended) return { function: name, text: printFunctionDocument(end.ended, { simplify: true }), problem: '' };
    return { function: name, text: null, problem: oneLine(end?.row.failed ?? 'it cannot be read') };
  });
}
