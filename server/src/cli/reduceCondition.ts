/** What `amdgpu-mir reduce --keep` asks of a file: conditions as they are written, and whether they hold. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bank } from '../analysis/summary.js';
import { errorsOf } from '../features/fixes/finding.js';
import type { Snapshot } from '../features/snapshot/snapshot.js';
import type { DocumentSnapshot } from '../host/documentSnapshot.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { isModelChoice, type ModelChoice, type SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { firstDifference, functionTexts } from '../program/functionTexts.js';
import { AS_IN_FILE, Sweep, type SweepRow } from '../program/sweep.js';
import type { FileTarget, TargetOptions } from '../program/targetOfFile.js';
import { Severity } from '../text/diagnostic.js';
import { BufferedIO } from './bufferedIO.js';
import type { CommandOptions } from './commandOptions.js';
import { snapshotOfFile } from './fileSnapshot.js';
import { autoModelOf } from './fileSubject.js';
import { runLlc } from './llc.js';
import { runUserProgram, type ProgramLimits } from './userProgram.js';

/** null in `differs`: the llc of the user. */
export type Condition =
  | { readonly kind: 'number'; readonly what: string; readonly relation: string; readonly value: number }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'fails' }
  | { readonly kind: 'differs'; readonly sides: readonly [ModelChoice | null, ModelChoice | null] }
  | { readonly kind: 'run'; readonly command: string };

const CONDITION_FORMS =
  "'spills>0' (or waves, vgpr, agpr, sgpr, vgprSpills, sgprSpills, scratch, lds, instructions, pressure(vgpr|sgpr|agpr), with < <= > >= = !=), 'message TEXT', 'fails', 'differs from --llc', 'MODEL differs from MODEL', 'run COMMAND'";

/** What every condition is asked about. */
export interface Question {
  readonly conditions: readonly Condition[];
  readonly target: FileTarget;
  readonly model: SchedulerModel;
  /** numbers of this function alone; null: of any */
  readonly functionName: string | null;
  /** for llc, ours and the user's, without files */
  readonly words: readonly string[];
  /** '' = none is given */
  readonly llc: string;
  readonly mustVerify: boolean;
  /** whether the input has chosen the stack pointer of its functions: llc's verifier rejects a spill that it makes of `$sp_reg` */
  readonly mustChooseStackPointer: boolean;
  /** the options of the command line with which `auto` has to take `model` for the result, too; null: it may be taken for any release's */
  readonly keepsModelWith: TargetOptions | null;
  /** how the sides of `differs` have to differ, as those of the file do: a crash of one of them is no text that differs; null = anyhow */
  readonly difference: Difference | null;
  /** for files that commands read */
  readonly folder: string;
  readonly limits: ProgramLimits;
}

/** What tells two runs of llc apart. */
export type Difference = 'exit code' | 'message' | 'text';

const BANKS: Readonly<Record<string, Bank>> = { vgpr: Bank.VGPR, sgpr: Bank.SGPR, agpr: Bank.AGPR };

type Counted = Extract<SweepRow, { readonly failed: '' }>;

const NUMBERS: Readonly<Record<string, (row: Counted) => number | null>> = {
  waves: ({ outcome }) => outcome.waves,
  vgpr: ({ outcome }) => outcome.totalVgpr ?? outcome.vgpr,
  agpr: ({ outcome }) => outcome.agpr,
  sgpr: ({ outcome }) => outcome.sgpr,
  scratch: ({ outcome }) => outcome.scratchBytes,
  lds: ({ outcome }) => outcome.ldsBytes,
  spills: ({ spills }) => spills.vgprSaves + spills.vgprRestores + spills.sgprSaves + spills.sgprRestores,
  vgprSpills: ({ spills }) => spills.vgprSaves + spills.vgprRestores,
  sgprSpills: ({ spills }) => spills.sgprSaves + spills.sgprRestores,
  instructions: ({ instructions }) => instructions,
};

const RELATIONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

/** Those of --keep; a message when one is none. */
export function conditionsOf({ values }: CommandOptions): Condition[] | string {
  const conditions: Condition[] = [];
  for (const text of values.get('keep') ?? []) {
    const condition = readCondition(text);
    if (typeof condition === 'string') return condition;
    conditions.push(condition);
  }
  return conditions;
}

/** A message when it is no condition. */
export function readCondition(text: string): Condition | string {
  const number = /^\s*([a-zA-Z]+(?:\([a-z]+\))?)\s*(<=|>=|!=|==|<|>|=)\s*(\d+(?:\.\d+)?)\s*$/.exec(text);
  if (number !== null) {
    const [, what = '', relation = '', value = ''] = number;
    const bank = /^pressure\(([a-z]+)\)$/.exec(what)?.[1];
    if (bank === undefined ? !Object.hasOwn(NUMBERS, what) : !Object.hasOwn(BANKS, bank))
      return `no number is called '${what}'; known are ${[...Object.keys(NUMBERS), 'pressure(vgpr|sgpr|agpr)'].join(', ')}`;
    return { kind: 'number', what, relation: relation === '==' ? '=' : relation, value: Number(value) };
  }
  const [, word = '', rest = ''] = /^\s*(\S+)\s*([^]*?)\s*$/.exec(text) ?? [];
  if (word === 'message' && rest !== '') return { kind: 'message', text: rest.replace(/^(["'])([^]*)\1$/, '$2') };
  if (word === 'fails' && rest === '') return { kind: 'fails' };
  if (word === 'run' && rest !== '') return { kind: 'run', command: rest };
  const differs = /^\s*(?:(\S+)\s+)?differs(?:\s+from\s+(\S+))?\s*$/.exec(text);
  if (differs !== null) {
    const [, first, second = '--llc'] = differs;
    const [a, b] = [sideOf(first ?? 'auto'), sideOf(second)];
    if (a === undefined || b === undefined) return `'${(a === undefined ? first : second) ?? ''}' is no model of LLVM`;
    return { kind: 'differs', sides: [a, b] };
  }
  return `'${text}' is no condition: ${CONDITION_FORMS}`;
}

const sideOf = (text: string): ModelChoice | null | undefined =>
  text === '--llc' || text === 'llc' ? null : isModelChoice(text) ? text : undefined;

/** Whether it asks the user's llc. */
export const asksLlc = (condition: Condition): boolean =>
  condition.kind === 'differs' && condition.sides.includes(null);

/** '' when all hold, else why not. Throws only for bugs of ours. */
export function whyNot(source: string, question: Question): string {
  const { conditions, mustVerify, keepsModelWith, target, model } = question;
  let made: DocumentSnapshot | null = null;
  const snapshot = (): DocumentSnapshot => (made ??= snapshotOfFile(source, target, model));
  if (keepsModelWith !== null) {
    const taken = autoModelOf(snapshot(), keepsModelWith);
    if (taken !== model) return `it is read as a file of ${taken}`;
  }
  if (mustVerify) {
    const problem = problemOf(snapshot());
    if (problem !== '') return problem;
  }
  for (const condition of conditions) {
    const why = whyNotOne(condition, source, question, snapshot);
    if (why !== '') return why;
  }
  return '';
}

/** Whether `stackPtrOffsetReg` is a register, and no longer the `$sp_reg` that stands for it. */
export const hasChosenStackPointer = ({ header, subtarget }: MachineFunction): boolean =>
  header.machineFunctionInfo.stackPtrOffsetReg !== subtarget.tables.regByName('sp_reg');

/** The first error of the file, '' without one. */
export function problemOf(snapshot: Snapshot): string {
  const ofFile = snapshot.fileDiagnostics.find(({ severity }) => severity === Severity.Error);
  if (ofFile !== undefined) return ofFile.message;
  if (snapshot.functions.length === 0) return 'there is no function';
  for (const view of snapshot.functions) {
    if (view.fn === null) return view.diagnostics[0]?.message ?? 'a function cannot be read';
    const [error] = errorsOf(view);
    if (error !== undefined) return error.message;
  }
  return '';
}

function whyNotOne(condition: Condition, source: string, question: Question, snapshot: () => Snapshot): string {
  switch (condition.kind) {
    case 'number':
      return whyNotNumber(condition, source, question, snapshot);
    case 'message': {
      const told = question.llc === '' ? ourRun(source, question, question.model).err : theirRun(source, question).err;
      if (told.includes(condition.text)) return '';
      return told.trim() === '' ? 'llc says nothing' : `llc says: ${mainLine(told)}`;
    }
    case 'fails': {
      const { exit, err } = question.llc === '' ? ourRun(source, question, question.model) : theirRun(source, question);
      return exit !== 0 && !isRefusal(err) ? '' : exit === 0 ? 'llc does not fail' : firstLine(err);
    }
    case 'differs': {
      const found = compareSides(condition, source, question);
      if (!('difference' in found)) return found.same;
      const { difference } = question;
      return difference === null || found.difference === difference ? '' : `another ${found.difference}`;
    }
    case 'run': {
      const file = join(question.folder, 'reduced.mir');
      writeFileSync(file, source);
      const { command, limits } = { ...condition, ...question };
      const words = command.includes('%s') ? command.replaceAll('%s', file) : `${command} ${file}`;
      const { exit, problem } = runUserProgram('/bin/sh', ['-c', words], '', limits);
      return exit === 0 && problem === '' ? '' : problem || `the command ends with ${exit}`;
    }
  }
}

function whyNotNumber(
  { what, relation, value }: Extract<Condition, { readonly kind: 'number' }>,
  source: string,
  { target, model, functionName, mustChooseStackPointer }: Question,
  snapshot: () => Snapshot,
): string {
  const bank = BANKS[/^pressure\(([a-z]+)\)$/.exec(what)?.[1] ?? ''];
  const isWanted = (name: string): boolean => functionName === null || name === functionName;
  const found: string[] = [];
  const holds = (name: string, number: number | null, failed = ''): boolean => {
    if (number !== null && RELATIONS[relation]!(number, value)) return true;
    found.push(`${name}: ${number === null ? failed || `no ${what}` : `${what} is ${number}`}`);
    return false;
  };
  if (bank !== undefined) {
    const views = snapshot().functions.filter(({ name }) => isWanted(name));
    if (views.some(({ name, summary }) => holds(name, summary?.peaks[bank]?.value ?? null, 'it has no pressure')))
      return '';
  } else {
    const rows = new Sweep(source, target, model)
      .rows(AS_IN_FILE, () => undefined)
      .filter((row) => isWanted(row.function));
    for (const row of rows) {
      if (mustChooseStackPointer && row.outcome !== null && NUMBERS.spills!(row)! > 0) {
        const fn = snapshot().functions.find(({ name }) => name === row.function)?.fn;
        if (fn && !hasChosenStackPointer(fn)) {
          found.push(`${row.function}: its spills would be of $sp_reg`);
          continue;
        }
      }
      if (holds(row.function, row.outcome === null ? null : NUMBERS[what]!(row), row.failed)) return '';
    }
  }
  return found.length === 0 ? 'there is no such function' : found.slice(0, 3).join('; ');
}

interface LlcAnswer {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

function ourRun(source: string, { words }: Question, model: ModelChoice): LlcAnswer {
  const io = new BufferedIO(() => source);
  const exit = runLlc([...words], io, model, source);
  return { exit, out: io.out(), err: io.err() };
}

function theirRun(source: string, { llc, words, limits }: Question): LlcAnswer {
  const { exit, stdout, stderr, problem } = runUserProgram(llc, words, source, limits);
  return { exit, out: stdout.toString('utf8'), err: stderr.toString('utf8') || problem };
}

/** The MIR that the llc of the question writes, ours where none is named; null: why it writes none. */
export function mirAt(source: string, question: Question): { readonly text: string | null; readonly problem: string } {
  const run = question.llc === '' ? ourRun(source, question, question.model) : theirRun(source, question);
  return run.exit === 0 ? { text: run.out, problem: '' } : { text: null, problem: mainLine(run.err) };
}

/** What we do not model differs from nothing. */
export const isRefusal = (err: string): boolean => err.includes('amdgpu-mir');

type Compared = { readonly same: string } | { readonly difference: Difference };

function compareSides(
  { sides }: Extract<Condition, { readonly kind: 'differs' }>,
  source: string,
  question: Question,
): Compared {
  const [a, b] = sides.map((side) =>
    side === null ? theirRun(source, question) : ourRun(source, question, side === 'auto' ? question.model : side),
  ) as [LlcAnswer, LlcAnswer];
  const refused = [a, b].find(({ err, exit }) => exit !== 0 && isRefusal(err));
  if (refused !== undefined) return { same: firstLine(refused.err) };
  if (a.exit !== b.exit) return { difference: 'exit code' };
  if (a.exit !== 0)
    return firstLine(a.err) === firstLine(b.err) ? { same: 'both fail alike' } : { difference: 'message' };
  const [ours, theirs] = [functionTexts(a.out), functionTexts(b.out)];
  // Each release writes keys of its own above every body, also of an empty function.
  const compared = (text: string): string => (sides.includes(null) ? text : text.slice(text.indexOf('\nbody:') + 1));
  for (const [name, text] of ours)
    if (firstDifference(compared(text), compared(theirs.get(name) ?? '')) !== null) return { difference: 'text' };
  return { same: 'both answer alike' };
}

/** How the sides of the first condition that compares some differ; null: there is none, or they do not. */
export function differenceIn(source: string, question: Question): Difference | null {
  for (const condition of question.conditions) {
    if (condition.kind !== 'differs') continue;
    const found = compareSides(condition, source, question);
    return 'difference' in found ? found.difference : null;
  }
  return null;
}

/** What went wrong, where the verifier writes the function before it. */
const mainLine = (text: string): string =>
  /^(?:\*\*\* Bad machine code|.*\berror:).*$/m.exec(text)?.[0] ?? firstLine(text);

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';
