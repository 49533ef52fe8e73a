/** Prefixes that the FileCheck commands of a test look for. */
import type { TextRange } from '../../text/diagnostic.js';
import { isProgram, type TestCommand, type TestFile, type TestRun, type Word } from './testFile.js';

/** What FileCheck looks for where no prefix is named. */
export const DEFAULT_PREFIX = 'CHECK';

export interface CheckPrefix {
  readonly name: string;
  /** where it is written, the list that it stands in, and the words of that option; null = nowhere in one piece */
  readonly place: TextRange | null;
  readonly list: TextRange | null;
  readonly option: TextRange | null;
}

export const fileChecksOf = (test: TestFile): TestCommand[] =>
  test.commands.filter(({ program }) => isProgram(program.text, 'FileCheck'));

/** Those that a command of FileCheck names. */
export const namedPrefixes = ({ run, words }: TestCommand): CheckPrefix[] =>
  words.flatMap((word, i) => {
    const match = /^--?check-prefix(?:es)?(?:=([^]*))?$/.exec(word.text);
    const value = match?.[1] === undefined ? words[i + 1] : word;
    if (match === null || value === undefined) return [];
    return prefixesIn(run, match[1] ?? value.text, word, value);
  });

/** Those that it looks for. */
export function askedPrefixes(command: TestCommand): string[] {
  const named = namedPrefixes(command).map(({ name }) => name);
  return named.length > 0 ? named : [DEFAULT_PREFIX];
}

/** Those of all commands, each once. */
export const checkPrefixes = (test: TestFile): string[] => [...new Set(fileChecksOf(test).flatMap(askedPrefixes))];

/** `list` is the end of `value`, which may have quotes around it. */
function prefixesIn({ text }: TestRun, list: string, option: Word, value: Word): CheckPrefix[] {
  const inWord = text.text.slice(value.at.start, value.at.end).lastIndexOf(list);
  const originOf = (start: number, end: number): TextRange | null =>
    inWord < 0 ? null : text.placeOf(start, end).origin;
  const start = value.at.start + inWord;
  const ofList = originOf(start, start + list.length);
  const ofOption = originOf(option.at.start, value.at.end);
  const found: CheckPrefix[] = [];
  let at = start;
  for (const name of list.split(',')) {
    if (name !== '') found.push({ name, place: originOf(at, at + name.length), list: ofList, option: ofOption });
    at += name.length + 1;
  }
  return found;
}
