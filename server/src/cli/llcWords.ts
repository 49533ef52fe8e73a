/** Words for an llc that reads a file of the user, its own and ours. */
import { DEFAULT_SETTINGS } from '../program/settings.js';
import { targetOfFile, type TargetOptions } from '../program/targetOfFile.js';
import { TestFile } from '../program/testFile/testFile.js';

const PASSES = /^--?(?:run-pass|passes|p|start-\w+|stop-\w+)\b/;

/** The words with the target, that of the file as a rule, where they name none, and a pass where they name none. */
export function targetWords(
  source: string,
  words: readonly string[],
  pass: string,
  target: TargetOptions = targetOfFile(new TestFile(source), DEFAULT_SETTINGS.target),
): string[] {
  const has = (name: RegExp): boolean => words.some((word) => name.test(word));
  const given = (option: string, value: string): string[] => (value === '' ? [] : [`${option}=${value}`]);
  return [
    ...(has(/^--?(?:mtriple|march)\b/) ? [] : given('-mtriple', target.triple)),
    ...(has(/^--?mcpu\b/) ? [] : given('-mcpu', target.cpu)),
    ...(has(/^--?mattr\b/) ? [] : given('-mattr', target.features)),
    ...words,
    ...(has(PASSES) ? [] : [pass]),
  ];
}

/** Reads standard input, writes MIR to standard output. */
export const FROM_STDIN_TO_STDOUT = ['-x', 'mir', '-o', '-', '-'];

/** Words of a RUN line's llc without its files; none where it runs no pass by name, so that it would write assembly. */
export function wordsOfRun(args: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let k = 0; k < args.length; k++) {
    const word = args[k]!;
    if (/^--?o$/.test(word) || /^--?x$/.test(word)) k++;
    else if (word !== '-' && !/^--?(?:o|x|filetype)=/.test(word) && !/^%[a-z]/i.test(word)) words.push(word);
  }
  return words.some((word) => PASSES.test(word)) ? words : [];
}
