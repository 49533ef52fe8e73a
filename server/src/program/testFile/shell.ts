/** The shell that lit (LLVM 22) has of its own, as far as reading goes: words, pipes, redirections. No variables, no groups, no subshells. */

import type { TextRange } from '../../text/diagnostic.js';
import { LitSyntaxError } from './limits.js';

/** Where a stream goes. The same object for both streams is one file that both write. */
export interface LitTarget {
  readonly file: string;
  readonly appends: boolean;
}

export interface LitCommand {
  readonly words: readonly string[];
  /** of the words, in the line that was read, with their quotes */
  readonly places: readonly TextRange[];
  /** a file; null = what the pipe gives */
  readonly stdin: string | null;
  /** null = the pipe */
  readonly stdout: LitTarget | null;
  /** `pipe` = where standard output went before its own redirections; null = what a terminal would show */
  readonly stderr: LitTarget | 'pipe' | null;
  /** why the shell does not run it; '' when it does */
  readonly problem: string;
}

/** A pipeline, and on what came of the ones before it depends whether it runs. */
export interface LitStep {
  readonly after: '' | ';' | '&&' | '||' | '&';
  readonly commands: readonly LitCommand[];
}

/** A line as far as it can be read. */
export interface ShellLine {
  readonly steps: readonly LitStep[];
  /** why lit does not read it, in its words; '' when it does */
  readonly problem: string;
  /** the first quote that nothing closes, -1 = none */
  readonly openQuote: number;
}

type Token = ({ readonly word: string } | { readonly operator: string; readonly from: string }) & TextRange;
type Operator = Extract<Token, { operator: string }>;

const OPERATOR = /\|\||\||&&|&>|&|;|>&|>>|>|<&|<>|<<|</y;
/** what ends a command */
const ENDS: ReadonlySet<string> = new Set(['|', '||', '&', '&&', ';']);

/** Reads a RUN line. Throws LitSyntaxError. */
export function readPipelines(text: string): readonly LitStep[] {
  const { steps, problem } = readShellLine(text);
  if (problem !== '') throw new LitSyntaxError(problem);
  return steps;
}

/** Reads a RUN line that may be unfinished: commands without words are left out. */
export function readShellLine(text: string): ShellLine {
  const { tokens, openQuote } = tokensOf(text);
  let problem = '';
  let at = 0;
  const command = (): LitCommand | null => {
    const words: string[] = [];
    const places: TextRange[] = [];
    const redirections: [operator: Operator, file: string][] = [];
    for (; at < tokens.length; at++) {
      const token = tokens[at]!;
      if ('word' in token) {
        words.push(token.word);
        places.push({ start: token.start, end: token.end });
      } else if (words.length === 0 || ENDS.has(token.operator)) break;
      else {
        const file = tokens[at + 1];
        if (file === undefined || !('word' in file)) problem ||= `syntax error near token '${token.operator}'`;
        else {
          redirections.push([token, file.word]);
          at++;
        }
      }
    }
    if (words.length === 0) {
      problem ||= 'empty command!';
      return null;
    }
    return { words, places, ...redirected(redirections) };
  };
  const steps: LitStep[] = [];
  let after: LitStep['after'] = '';
  for (;;) {
    const commands = [command()];
    while (isOperator(tokens[at], '|')) {
      at++;
      commands.push(command());
    }
    steps.push({ after, commands: commands.filter((c) => c !== null) });
    const next = tokens[at++];
    if (next === undefined) return { steps, problem, openQuote };
    after = (next as { readonly operator: LitStep['after'] }).operator;
  }
}

const isOperator = (token: Token | undefined, operator: string): boolean =>
  token !== undefined && 'operator' in token && token.operator === operator;

/** The redirections of a command, one after the other. */
function redirected(
  redirections: readonly (readonly [Operator, string])[],
): Pick<LitCommand, 'stdin' | 'stdout' | 'stderr' | 'problem'> {
  let stdin: string | null = null;
  let stdout: LitTarget | null = null;
  let stderr: LitCommand['stderr'] = null;
  let problem = '';
  for (const [{ operator, from }, file] of redirections) {
    const target = { file, appends: operator === '>>' };
    const what = `${from}${operator}`;
    if (what === '<') stdin = file;
    else if (what === '>' || what === '>>') stdout = target;
    else if (what === '2>' || what === '2>>') stderr = target;
    else if (what === '&>' || what === '>&') stdout = stderr = target;
    else if (what === '2>&' && file === '1') stderr = stdout ?? 'pipe';
    else if (what !== '2>&' || file !== '2') {
      const number = from === '' ? '' : ` ${from}`;
      problem ||= `Unsupported redirect: (('${operator}',${number}), '${file}')`;
    }
  }
  return { stdin, stdout, stderr, problem };
}

function tokensOf(text: string): { tokens: Token[]; openQuote: number } {
  const tokens: Token[] = [];
  let openQuote = -1;
  let at = 0;
  const operatorAt = (): string => {
    OPERATOR.lastIndex = at;
    return OPERATOR.exec(text)?.[0] ?? '';
  };
  while (at < text.length) {
    if (/\s/.test(text[at]!)) {
      at++;
      continue;
    }
    const start = at;
    let operator = operatorAt();
    if (operator !== '') {
      at += operator.length;
      tokens.push({ operator, from: '', start, end: at });
      continue;
    }
    let word = '';
    while (at < text.length && !/[\s|&;<>]/.test(text[at]!)) {
      const c = text[at++]!;
      if (c === "'" || c === '"') word += quoted(c);
      else word += c === '\\' ? (text[at++] ?? '') : c;
    }
    operator = operatorAt();
    // `2>` is one token, wherever the digits come from.
    if (/^\d+$/.test(word) && /^[<>]/.test(operator)) {
      at += operator.length;
      tokens.push({ operator, from: word, start, end: at });
    } else tokens.push({ word, start, end: Math.min(at, text.length) });
  }
  return { tokens, openQuote };

  /** What stands up to the next such quote; between double ones a backslash takes away the meaning of those and of itself. */
  function quoted(quote: string): string {
    const start = at - 1;
    let inside = '';
    while (at < text.length) {
      const c = text[at++]!;
      if (c === quote) return inside;
      if (c !== '\\' || quote === "'") inside += c;
      else {
        const next = text[at++] ?? '';
        inside += next === '"' || next === '\\' || next === '$' ? next : `\\${next}`;
      }
    }
    if (openQuote < 0) openQuote = start;
    return inside;
  }
}
