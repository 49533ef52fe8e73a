/**
 * What lit (LLVM 22) runs of a test: RUN lines as pipelines, and whether they are to be run at all. Pure: nothing is executed here. lit itself
 * was asked what it does (test/unit/cli/litTests.test.ts).
 */
import { SearchLimit } from '../../filecheck/posixRegex.js';
import { conditionHolds } from './conditions.js';
import { addRow, directiveRows, isOpen, OF_CONDITIONS, OF_SCRIPT, textOf, type Directive } from './directives.js';
import { LitLimits, LitSyntaxError, Unsupported } from './limits.js';
import { readPipelines, type LitStep } from './shell.js';
import { linesOf, substitute, Substitutions, type LitPlaces } from './substitutions.js';

/** A RUN line. */
export interface LitRun {
  /** of its first line, from 1 */
  readonly line: number;
  /** with its substitutions made; '' when nothing is left */
  readonly text: string;
  readonly steps: readonly LitStep[];
}

export interface LitScript {
  readonly runs: readonly LitRun[];
  /** XFAIL holds */
  readonly isExpectedToFail: boolean;
  /** why it is not run here; null when it is */
  readonly unsupported: string | null;
  /** why it cannot be run; null when it can */
  readonly unresolved: string | null;
}

/** What conditions of a test (REQUIRES and others) may ask for: llc without assertions, for AMDGPU. */
export const LIT_FEATURES: ReadonlySet<string> = new Set([
  'amdgpu-registered-target',
  'default_triple',
  'system-linux',
]);

/** Reads a test; `features` are those that its conditions may ask for. Never throws. */
export function readLitScript(text: string, places: LitPlaces, features: ReadonlySet<string>): LitScript {
  const base = { runs: [], isExpectedToFail: false, unsupported: null, unresolved: null };
  try {
    const limits = new LitLimits();
    const { script, conditions } = readDirectives(text, limits);
    const holds = (condition: string): boolean => condition === '*' || conditionHolds(condition, features, limits);
    const missing = conditions['REQUIRES:'].filter((c) => !holds(c));
    if (missing.length > 0) return { ...base, unsupported: `Missing required feature(s): ${missing.join(', ')}` };
    if (conditions['UNSUPPORTED:'].some(holds)) return { ...base, unsupported: 'Unsupported configuration' };
    const substitutions = new Substitutions(places, limits);
    const runs: LitRun[] = [];
    for (const directive of script) {
      if (directive.keyword !== 'RUN:') substitutions.adjust(directive);
      else runs.push(readRun(directive, substitutions, features, limits));
    }
    return { ...base, runs, isExpectedToFail: conditions['XFAIL:'].some(holds) };
  } catch (error) {
    if (error instanceof Unsupported || error instanceof SearchLimit) return { ...base, unsupported: error.message };
    if (!(error instanceof LitSyntaxError)) throw error;
    return { ...base, unresolved: error.message };
  }
}

function readRun(
  directive: Directive,
  substitutions: Substitutions,
  features: ReadonlySet<string>,
  limits: LitLimits,
): LitRun {
  const line = directive.rows[0]!.line + 1;
  const made = substitute(textOf(directive), substitutions, features, limits).text;
  if (made === '') return { line, text: '', steps: [] };
  try {
    return { line, text: made, steps: readPipelines(made) };
  } catch (error) {
    if (!(error instanceof LitSyntaxError)) throw error;
    throw new LitSyntaxError(`shell parser error on RUN: at line ${line}: ${made}`);
  }
}

type ConditionKeyword = 'XFAIL:' | 'REQUIRES:' | 'UNSUPPORTED:';

/** Throws LitSyntaxError. */
function readDirectives(
  text: string,
  limits: LitLimits,
): {
  script: Directive[];
  conditions: Record<ConditionKeyword, string[]>;
} {
  const script: Directive[] = [];
  const conditions: Record<ConditionKeyword, string[]> = { 'XFAIL:': [], 'REQUIRES:': [], 'UNSUPPORTED:': [] };
  let nRetries = 0;
  for (const row of directiveRows(text, [...OF_SCRIPT, ...OF_CONDITIONS])) {
    const { keyword, line, rest } = row;
    try {
      if (keyword === 'RUN:' || keyword.endsWith('DEFINE:')) addRow(script, row);
      else if (keyword === 'ALLOW_RETRIES:') {
        // What fails here fails again.
        checkRetries(rest.text);
        nRetries++;
      } else addConditions(conditions[keyword as ConditionKeyword], rest.text, limits);
    } catch (error) {
      if (!(error instanceof LitSyntaxError)) throw error;
      throw new LitSyntaxError(`${error.message}\nin ${keyword} directive on test line ${line + 1}`);
    }
  }
  if (!script.some(({ keyword }) => keyword === 'RUN:')) throw new LitSyntaxError("Test has no 'RUN:' line");
  for (const directive of script)
    if (isOpen(directive))
      throw new LitSyntaxError(
        `Test has unterminated '${directive.keyword}' directive (with '\\') ${linesOf(directive)}`,
      );
  for (const [keyword, list] of Object.entries(conditions))
    if (list.at(-1)?.endsWith('\\') === true)
      throw new LitSyntaxError(`Test has unterminated '${keyword}' lines (with '\\')`);
  if (nRetries > 1) throw new LitSyntaxError('Test has more than one ALLOW_RETRIES lines');
  return { script, conditions };
}

/** Throws LitSyntaxError. */
function checkRetries(text: string): void {
  if (!/^\s*[+-]?\d+\s*$/.test(text))
    throw new LitSyntaxError(`INTEGER parser requires the input to be an integer (got ${text})`);
}

/** Throws LitSyntaxError for a condition that cannot be read. */
function addConditions(list: string[], text: string, limits: LitLimits): void {
  const given = text
    .split(',')
    .map((c) => c.trim())
    .filter((c) => c !== '');
  const open = list.at(-1);
  let first = list.length;
  if (open?.endsWith('\\') === true && given.length > 0) list[--first] = open.slice(0, -1) + given.shift()!;
  for (const condition of given) list.push(condition);
  for (const condition of list.slice(first))
    if (condition !== '*' && !condition.endsWith('\\')) conditionHolds(condition, new Set(), limits);
}
