/**
 * Answers of llc-22 kept with their questions: `test/golden/answers/NAME.br` and other folders beside it, collected by `test/mutate/collect.mjs`,
 * asked again by `npm run answers`, and never from our own output. Each is a whole run: options and text in; exit code, standard output and
 * standard error out. A file says which llc gave them.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { BufferedIO } from '../../server/src/cli/bufferedIO.js';
import { runLlc } from '../../server/src/cli/llc.js';
import { normalise } from './golden.js';
import { llcVersion, needsLlc, runLlc as runRealLlc } from './llc.js';

export interface Answer {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface Question {
  /** options of llc without those of input and output */
  readonly args: readonly string[];
  readonly input: string;
}

export interface AnsweredQuestion extends Question, Answer {}

interface AnswerFile {
  readonly madeBy: string;
  /** what asks again */
  readonly command: string;
  readonly answers: readonly AnsweredQuestion[];
}

export const GOLDEN = join(__dirname, '..', 'golden');
export const ANSWERS = join(GOLDEN, 'answers');
/** Folders of test/golden with such files. */
export const ANSWER_FOLDERS = [
  'answers',
  'schedules',
  'uniformity',
  'uniformityAnswers',
  'verifier',
  'verifierAnswers',
];

class TextIO extends BufferedIO {
  constructor(private readonly input: string) {
    super();
  }

  override read(): string {
    return this.input;
  }
}

const comparable = (exit: number, out: string, err: string): Answer => ({
  exit,
  out: normalise(out),
  err: normalise(err).replaceAll('llc-22', 'llc').replaceAll('<stdin>', '-'),
});

export function answerOfOurs({ args, input }: Question): Answer {
  const io = new TextIO(input);
  const exit = runLlc([...args, '-o', '-', '-'], io);
  return comparable(exit, io.out(), io.err());
}

/** A run that ends by a signal counts as exit 134, as in a shell. */
export function answerOfLlc({ args, input }: Question): Answer {
  const run = runRealLlc([...args, '-disable-symbolication', '-o', '-', '-x', 'mir'], input);
  return comparable(run.status ?? 134, run.stdout, run.stderr);
}

export const answerFiles = (folder = '.'): string[] =>
  readdirSync(join(ANSWERS, folder))
    .filter((f) => f.endsWith('.br'))
    .sort()
    .map((f) => join(folder, f));

const readFile = (file: string): AnswerFile =>
  JSON.parse(brotliDecompressSync(readFileSync(join(ANSWERS, file))).toString('utf8')) as AnswerFile;

/** Answers of a file, named from `test/golden/answers`. */
export const readAnswers = (file: string): readonly AnsweredQuestion[] => readFile(file).answers;

/** Who gave the answers of a file, and what has them given again. */
export const makerOf = (file: string): string => `${readFile(file).madeBy}: ${readFile(file).command}`;

export function writeAnswers(file: string, answers: readonly AnsweredQuestion[]): void {
  const command = `npm run answers -- ${relative(GOLDEN, join(ANSWERS, file))}`;
  const content: AnswerFile = { madeBy: `llc-22 ${llcVersion()}`, command, answers };
  const text = Buffer.from(JSON.stringify(content));
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  writeFileSync(join(ANSWERS, file), brotliCompressSync(text, { params }));
}

/** Tests that we answer the questions of a file as llc-22 did; with llc-22 here, one of `askAgain` is asked again. */
export function describeAnswers(
  title: string,
  file: string,
  askAgain: number,
  check: (answer: Answer) => void = () => undefined,
): void {
  describe(title, () => {
    const answers = readAnswers(file);
    answers.forEach(({ args, input, ...wanted }, i) => {
      it(`${i}: ${args.join(' ')}`, () => {
        check(wanted);
        assert.deepEqual(answerOfOurs({ args, input }), wanted);
      });
    });

    it('are still what llc-22 says', function () {
      needsLlc(this);
      answers.forEach(({ args, input, ...wanted }, i) => {
        if (i % askAgain === 0) assert.deepEqual(answerOfLlc({ args, input }), wanted);
      });
    });
  });
}
