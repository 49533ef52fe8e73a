/** RUN lines (programs, options of llc and FileCheck, their values) and CHECK lines (directives, variables). */
import { CompletionItemKind } from 'vscode-languageserver-types';
import { OptionParser, ValueExpected, type OptionSpec, type OptionTable } from '../../commandLine/optionSpec.js';
import { listCpus, listFeatures } from '../../target/index.js';
import { pipelinePasses } from '../../passes/passes.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { checkLineIn, wordCounts } from '../../program/testFile/checkLines.js';
import { checkPrefixes } from '../../program/testFile/checkPrefixes.js';
import { isProgram, TestFile, type TestCommand, type TestRun, type Word } from '../../program/testFile/testFile.js';
import type { Candidate } from './candidate.js';

/** A list and the word that it is for, which begins at `wordStart` of the text. */
export interface TestLineItems {
  readonly items: readonly Candidate[];
  readonly wordStart: number;
}

const COMMENT = /^\s*(?:[;#]+|\/\/)\s*/;
const DIRECTIVES: readonly (readonly [string, string])[] = [
  ['', 'somewhere after the last match'],
  ['-NEXT', 'on the line after the last match'],
  ['-LABEL', 'begins a section that the lines around it cannot leave'],
  ['-NOT', 'must not come before the next match'],
  ['-SAME', 'on the line of the last match'],
  ['-DAG', 'in any order among its neighbours'],
  ['-EMPTY', 'the line after the last match is empty'],
  ['-COUNT-1', 'so many times'],
];

/** Stands for what is still to be written: a word is complete without it. */
const CURSOR = '\ue000';

/** Null where the line is no comment, or its words are nobody's. */
export function testLineItems(snapshot: Snapshot, lineStart: number, cursor: number): TestLineItems | null {
  const text = snapshot.text.text;
  const before = text.slice(lineStart, cursor);
  const line = snapshot.text.lineAt(lineStart);
  const run = runAt(text.slice(0, cursor));
  if (run?.lastLine === line) return runItems(snapshot, run.commands.at(-1) ?? null, cursor);
  const comment = COMMENT.exec(before);
  if (!comment) return null;
  const rest = before.slice(comment[0].length);
  const wordStart = cursor - rest.length;
  if (/^[\w-]*$/.test(rest)) {
    const isContinued = line > 0 && snapshot.test.goesOnAfter(line - 1);
    const items = directives(snapshot, text, lineStart).map((c) =>
      isContinued && c.label === 'RUN:' ? { ...c, score: 100 } : c,
    );
    return { items, wordStart };
  }
  const variable = /\[\[(#?)([\w@$]*)$/.exec(rest);
  if (variable) return { items: variables(text, variable[1] !== ''), wordStart: cursor - variable[2]!.length };
  return null;
}

/** The last run of a text that breaks off in it, with the quote closed that is open. */
function runAt(text: string): TestRun | undefined {
  const run = new TestFile(text + CURSOR).runs.at(-1);
  if (run === undefined || run.openQuote < 0) return run;
  return new TestFile(text + CURSOR + text[run.openQuote]!).runs.at(-1);
}

function directives(snapshot: Snapshot, text: string, lineStart: number): Candidate[] {
  const prefixes = checkPrefixes(snapshot.test);
  const above = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, Math.max(0, lineStart - 1));
  const items: Candidate[] = [];
  const previous = checkLineIn(above);
  prefixes.forEach((prefix, p) => {
    DIRECTIVES.forEach(([suffix, meaning], k) => {
      const isNext = previous?.prefix === prefix && suffix === (previous.suffix === '-DAG' ? '-DAG' : '-NEXT');
      items.push({
        label: `${prefix}${suffix}:`,
        insert: suffix === '-EMPTY' ? `${prefix}${suffix}:` : `${prefix}${suffix}: `,
        ...(suffix === '-COUNT-1' ? { snippet: `${prefix}-COUNT-\${1:2}: $0` } : {}),
        kind: CompletionItemKind.Keyword,
        score: (isNext ? 50 : 0) - k - 10 * p + (previous?.prefix === prefix ? 100 : 0),
        detail: ` ${meaning}`,
      });
    });
  });
  if (snapshot.text.lineAt(lineStart) < 60)
    items.push({
      label: 'RUN:',
      insert: 'RUN: ',
      snippet:
        'RUN: llc -mtriple=${1:amdgcn-amd-amdhsa} -mcpu=${2:gfx942} -run-pass=${3:none} -o - %s | FileCheck %s$0',
      kind: CompletionItemKind.Keyword,
      score: prefixes.length === 0 ? 40 : -40,
      detail: ' a command of the test',
    });
  return items;
}

/** FileCheck's variables that some line defines. */
function variables(text: string, isNumeric: boolean): Candidate[] {
  const names = new Map<string, number>();
  for (const match of text.matchAll(isNumeric ? /\[\[#(?:%[^,\]]*,)?\s*([A-Za-z_]\w*):/g : /\[\[([A-Za-z_$@]\w*):/g))
    names.set(match[1]!, (names.get(match[1]!) ?? 0) + 1);
  if (isNumeric) names.set('@LINE', 0);
  return [...names].map(([label, n]) => ({
    label,
    kind: CompletionItemKind.Variable,
    score: n,
    insert: label,
    detail: ' FileCheck variable',
  }));
}

// -- RUN lines -----------------------------------------------------------------------------------------------------

const TRIPLES = ['amdgcn-amd-amdhsa', 'amdgcn', 'amdgcn-amd-amdpal', 'amdgcn-mesa-mesa3d', 'amdgcn--'];

const FILECHECK: readonly (readonly [string, string])[] = [
  ['-check-prefix=', 'the prefix of its lines'],
  ['-check-prefixes=', 'several prefixes'],
  ['-implicit-check-not=', 'must not come anywhere'],
  ['-match-full-lines', 'patterns match whole lines'],
  ['-strict-whitespace', 'blanks count'],
  ['-enable-var-scope', 'variables end at labels'],
  ['-allow-empty', 'the input may be empty'],
  ['-allow-unused-prefixes', 'a prefix may have no lines'],
  ['-dump-input=', 'shows the input'],
  ['-input-file=', 'where the input comes from'],
  ['-D', 'defines a variable'],
];

/** Options that tests have most. */
const USUAL = [
  'mtriple',
  'mcpu',
  'mattr',
  'run-pass',
  'o',
  'verify-machineinstrs',
  'start-before',
  'stop-after',
  'start-after',
  'stop-before',
  'passes',
  'filetype',
  'O',
  'x',
  'simplify-mir',
  'misched',
  'global-isel',
];

const MAX_PIPELINE = 1000;

/** `command`: the one that ends at the cursor; null = only words before a command. */
function runItems(snapshot: Snapshot, command: TestCommand | null, cursor: number): TestLineItems {
  const isAtCursor = ({ text }: Word): boolean => text.endsWith(CURSOR);
  const last = command === null ? undefined : [command.program, ...command.words].at(-1);
  const at = (length: number): number => cursor - length;
  if (command === null || last === undefined || !isAtCursor(last)) {
    // A pipeline without its quotes: the shell takes the bracket for a redirection.
    const pipeline = /\s--?passes=(\S*)$/.exec(snapshot.text.slice(Math.max(0, cursor - MAX_PIPELINE), cursor));
    if (pipeline !== null && command !== null && isProgram(command.program.text, 'llc'))
      return optionValues(snapshot, 'passes', pipeline[1]!, cursor);
    return { items: [file()], wordStart: at(/\S*$/.exec(snapshot.text.slice(0, cursor))![0].length) };
  }
  const word = snapshot.text.slice(last.start, cursor);
  if (last === command.program) return { items: programs(), wordStart: at(word.length) };
  const { program } = command;
  const words = command.words.slice(0, -1).map(({ text }) => text);
  if (isProgram(program.text, 'FileCheck')) {
    const prefix = /^(--?check-prefix(?:es)?=)(.*,)?([^,]*)$/.exec(word);
    if (prefix) return { items: prefixesInUse(snapshot), wordStart: at(prefix[3]!.length) };
    const items = FILECHECK.map(([label, meaning], k) => option(label, meaning, -k));
    return { items: [...items, file()], wordStart: at(word.length) };
  }
  if (!isProgram(program.text, 'llc')) return { items: [file()], wordStart: at(word.length) };
  const valued = /^--?([\w-]+)=(.*)$/.exec(word);
  const loose = /^--?([\w-]+)$/.exec(words.at(-1) ?? '');
  if (valued) return optionValues(snapshot, valued[1]!, valued[2]!, cursor);
  if (loose && !word.startsWith('-') && optionsOf(snapshot).find(loose[1]!)?.expects === ValueExpected.Required)
    return optionValues(snapshot, loose[1]!, word, cursor);
  return { items: [...options(snapshot, word, words), file()], wordStart: at(word.length) };
}

const option = (label: string, detail: string, score: number, goesOn = label.endsWith('=')): Candidate => ({
  label,
  kind: CompletionItemKind.Property,
  score,
  detail: detail === '' ? '' : ` ${detail}`,
  goesOn,
});

const file = (): Candidate => ({ label: '%s', kind: CompletionItemKind.File, score: 5, detail: ' this file' });

const programs = (): Candidate[] => [
  {
    label: 'llc',
    kind: CompletionItemKind.Function,
    score: 3,
    insert: 'llc ',
    snippet: 'llc -mtriple=${1:amdgcn-amd-amdhsa} -mcpu=${2:gfx942} -run-pass=${3:none} -o - %s$0',
  },
  { label: 'FileCheck', kind: CompletionItemKind.Function, score: 2, insert: 'FileCheck %s' },
  { label: 'not', kind: CompletionItemKind.Keyword, score: 1, insert: 'not ', detail: ' the command has to fail' },
  { label: 'opt', kind: CompletionItemKind.Function, score: 0, insert: 'opt ' },
];

const optionsOf = (snapshot: Snapshot): OptionTable => snapshot.subtarget.release.options;

function options(snapshot: Snapshot, word: string, words: readonly string[]): Candidate[] {
  const dashes = word.startsWith('--') ? '--' : '-';
  const given = new Set(words.map((w) => /^--?([\w-]+)/.exec(w)?.[1] ?? ''));
  return optionsOf(snapshot)
    .all()
    .filter((o) => !o.isSecret && (o.isList || !given.has(o.name)))
    .map((o) => {
      const usual = USUAL.indexOf(o.name);
      const takesValue = o.expects === ValueExpected.Required;
      const label = `${dashes}${o.name}${takesValue && !o.isPrefix && o.name !== 'o' ? '=' : ''}`;
      const score =
        usual >= 0
          ? 100 - usual
          : /^(?:amdgpu|misched|gcn)/.test(o.name)
            ? 20
            : /^(?:aarch64|arm|x86|riscv|hexagon|ppc|mips|nvptx|wasm|bpf|spirv|loongarch|systemz|sparc|lanai|avr|msp430|xcore|ve|polly|hwasan|asan|msan|dfsan)/.test(
                  o.name,
                )
              ? -20
              : 0;
      return option(label, kindOf(o), score);
    });
}

function kindOf({ parser, values }: OptionSpec): string {
  switch (parser) {
    case OptionParser.Bool:
      return 'true or false';
    case OptionParser.Int:
    case OptionParser.UInt:
    case OptionParser.Long:
    case OptionParser.ULong:
      return 'a number';
    case OptionParser.Enum:
      return values.filter((v) => v !== '').join(', ');
    case OptionParser.Alias:
      return `as -${values[0] ?? ''}`;
    default:
      return '';
  }
}

function optionValues(snapshot: Snapshot, name: string, typed: string, cursor: number): TestLineItems {
  const value = (label: string, detail = '', score = 0): Candidate => ({
    label,
    kind: CompletionItemKind.Value,
    score,
    detail: detail === '' ? '' : ` ${detail}`,
  });
  const part = /[^,]*$/.exec(typed)![0];
  const own = snapshot.target.commands;
  switch (name) {
    case 'mcpu':
    case 'cpu': {
      const used = new Set(own.map((c) => c.cpu));
      const items = inGenerations(listCpus(snapshot.target.triple, snapshot.subtarget.release)).map(
        (cpu, k, { length }) => ({
          ...value(cpu, '', used.has(cpu) ? 2 : -k / length),
          about: { what: 'processor', name: cpu } as const,
        }),
      );
      return { items, wordStart: cursor - typed.length };
    }
    case 'mtriple':
    case 'march': {
      const used = own.map((c) => c.triple).filter((t) => t !== '');
      return {
        items: [...new Set([...used, ...TRIPLES])].map((t, k) => value(t, '', -k)),
        wordStart: cursor - typed.length,
      };
    }
    case 'mattr': {
      const sign = part.startsWith('-') ? '-' : '+';
      const items = listFeatures(snapshot.target.triple, snapshot.subtarget.release).map((f) =>
        value(`${sign}${f.name}`, f.description),
      );
      return { items, wordStart: cursor - part.length };
    }
    case 'run-pass':
    case 'start-before':
    case 'start-after':
    case 'stop-before':
    case 'stop-after': {
      const usual = [
        'none',
        'machine-scheduler',
        'amdgpu-print-rp',
        'greedy',
        'si-fold-operands',
        'instruction-select',
        'legalizer',
        'regbankselect',
        'amdgpu-regbankselect',
      ];
      // What runs no pass can neither begin nor end a pipeline.
      const all = snapshot.subtarget.release.passes.all();
      const passes = name === 'run-pass' ? ['none', ...all] : all;
      const items = passes.map((p) =>
        value(p, '', usual.includes(p) ? 10 - usual.indexOf(p) : /^(?:si|gcn|amdgpu)-/.test(p) ? 0 : -1),
      );
      return { items, wordStart: cursor - (name === 'run-pass' ? part : typed).length };
    }
    case 'passes':
      return {
        items: pipelinePasses().map((p) => value(p)),
        wordStart: cursor - /[^,'"(<]*$/.exec(typed)![0].length,
      };
    default: {
      const spec = optionsOf(snapshot).find(name);
      const values = spec?.parser === OptionParser.Bool ? ['true', 'false'] : (spec?.values ?? []);
      return { items: values.filter((v) => v !== '').map((v, k) => value(v, '', -k)), wordStart: cursor - part.length };
    }
  }
}

/** Processors from the oldest to the newest, the generic one of each family at its head; after them those with names. */
function inGenerations(cpus: readonly string[]): string[] {
  const keyOf = (cpu: string): number[] => {
    const [, family, series, own] = /^gfx(\d+)(?:-(\d+))?(-generic)?$/.exec(cpu) ?? [];
    // `gfx10-3-generic`: 10, 3; `gfx1030`: 10, 3, 0; the last two digits are hexadecimal.
    if (family !== undefined && own !== undefined)
      return [Number(family), series === undefined ? -1 : Number(series), -1];
    const [, major, minor, step] = /^gfx(\d+)([0-9a-f])([0-9a-f])$/.exec(cpu) ?? [];
    return major === undefined ? [Infinity, 0, 0] : [Number(major), parseInt(minor!, 16), parseInt(step!, 16)];
  };
  const keys = new Map(cpus.map((cpu) => [cpu, keyOf(cpu)]));
  return [...cpus].sort((a, b) => {
    const [p, q] = [keys.get(a)!, keys.get(b)!];
    const k = p.findIndex((x, n) => x !== q[n]);
    return k < 0 ? (a < b ? -1 : 1) : p[k]! - q[k]!;
  });
}

/** Prefixes that CHECK lines have, and those that other commands name. */
function prefixesInUse(snapshot: Snapshot): Candidate[] {
  const text = snapshot.text.text;
  const named = new Set(checkPrefixes(snapshot.test));
  const counts = wordCounts(text);
  for (const name of named) if (!counts.has(name)) counts.set(name, 0);
  counts.set('CHECK', counts.get('CHECK') ?? 0);
  return [...counts].map(([label, n]) => ({
    label,
    kind: CompletionItemKind.Value,
    score: n > 0 ? 5 + Math.log2(n) + (named.has(label) ? 0 : 5) : 0,
    detail: n > 0 ? ` ${n} lines` : '',
  }));
}
