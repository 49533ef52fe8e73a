/**
 * Puts every kept question to llc-22 again (`npm run answers [-- NAME...]`, a NAME being part of a path below test/golden) and writes what it answers.
 * Exits with 1 where no file has such a name, with 2 where llc-22 is missing or another one.
 */
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ANSWER_FOLDERS, ANSWERS, answerFiles, answerOfLlc, GOLDEN, readAnswers, writeAnswers } from './answers.js';
import { LLC, llcVersion, MODELLED_LLC } from './llc.js';
import { makeSmallTexts } from './smallTexts/golden.js';
import { makeVerdicts } from './verdictGolden.js';

function answersAnew(file: string): void {
  const kept = readAnswers(file);
  const anew = kept.map(({ args, input }) => ({ args, input, ...answerOfLlc({ args, input }) }));
  const changed = anew.flatMap((a, k) => (isDeepStrictEqual(a, kept[k]) ? [] : [k]));
  if (changed.length > 0) writeAnswers(file, anew);
  const said = changed.length === 0 ? 'as before' : `${changed.length} changed: ${changed.slice(0, 10).join(' ')}`;
  console.log(`${relative(GOLDEN, join(ANSWERS, file))}: ${kept.length} asked, ${said}`);
}

async function main(names: readonly string[]): Promise<number> {
  if (llcVersion() !== MODELLED_LLC) {
    console.error(`${LLC} ${MODELLED_LLC} is not installed`);
    return 2;
  }
  const isAsked = (path: string): boolean => names.length === 0 || names.some((name) => path.includes(name));
  const files = ANSWER_FOLDERS.flatMap((folder) => answerFiles(`../${folder}`)).filter((file) =>
    isAsked(relative(GOLDEN, join(ANSWERS, file))),
  );
  files.forEach(answersAnew);
  if (isAsked('verdicts.json')) await makeVerdicts([]);
  if (isAsked('smallTexts')) await makeSmallTexts([]);
  return files.length === 0 && !isAsked('verdicts.json') && !isAsked('smallTexts') ? 1 : 0;
}

void main(process.argv.slice(2)).then((status) => (process.exitCode = status));
