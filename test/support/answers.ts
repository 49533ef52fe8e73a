/**
 * Answers of llc-22 kept with their questions: `test/golden/answers/NAME.br`, made by `test/mutate/collect.mjs` and never from
 * our own output. Each is a whole run: options and text in; exit code, standard output and standard error out.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { BufferedIO } from '../../server/src/cli/bufferedIO.js';
import { runLlc } from '../../server/src/cli/llc.js';
import { normalise } from './golden.js';
import { runLlc as runRealLlc } from './llc.js';

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

export const ANSWERS = join(__dirname, '..', 'golden', 'answers');

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

export const answerFiles = (): string[] =>
  readdirSync(ANSWERS)
    .filter((f) => f.endsWith('.br'))
    .sort();

export function readAnswers(file: string): AnsweredQuestion[] {
  return JSON.parse(brotliDecompressSync(readFileSync(join(ANSWERS, file))).toString('utf8')) as AnsweredQuestion[];
}

export function writeAnswers(file: string, answers: readonly AnsweredQuestion[]): void {
  const text = Buffer.from(JSON.stringify(answers));
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  writeFileSync(join(ANSWERS, file), brotliCompressSync(text, { params }));
}
