/**
 * Frame pointer, base pointer and alignment of the stack decide which registers callers' values are saved for: functions over the product of all that
 * these questions go by, after register allocation, against llc-22 (a digest of each function's text is kept).
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { regAllocOptions } from '../../../server/src/passes/regalloc/regAllocOptions.js';
import { allocateAsItStands } from '../../../server/src/program/allocation.js';
import { frameQuestions, type QuestionFile } from '../../support/frameQuestions.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';
import { runLlcOnText } from '../../support/schedule.js';
import { UPDATE } from '../../support/switches.js';

const GOLDEN = join(__dirname, '..', '..', 'golden', 'frameQuestions.json');
const NUMBERS = join(__dirname, '..', '..', 'golden', 'frameQuestionNumbers.json');
const FILES = 12;
const FUNCTIONS = 60;

const argsOf = ({ args }: QuestionFile): string[] => [
  ...args,
  '-start-before=greedy,0',
  '-stop-after=virtregrewriter,2',
  '-o',
  '-',
];
const functionsOf = (text: string): string[] => text.split(/^---\s*$/m).slice(1);
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

const keptAnswers = (): readonly (readonly string[])[] =>
  JSON.parse(readFileSync(GOLDEN, 'utf8')) as readonly (readonly string[])[];

function llcAnswers(file: QuestionFile): string[] {
  const { status, stdout, stderr } = runLlc(['-x', 'mir', ...argsOf(file)], file.text);
  assert.equal(status, 0, stderr);
  return functionsOf(stdout);
}

/** VGPRs, SGPRs, bytes of scratch of the function itself, and what of all registers counts where it is a number; null: llc-22 fails. */
type Numbers = readonly (number | null)[] | null;

function llcNumbers(file: QuestionFile, k: number): Numbers {
  const { status, stdout } = runLlc(['-x', 'mir', ...file.args, '-start-before=greedy,0', '-o', '-'], file.single(k));
  if (status !== 0) return null;
  // `.set f.private_seg_size, 16+max(g.private_seg_size)`: the function's own number comes first.
  const symbol = (name: string): number =>
    Number(/\d+/.exec(new RegExp(`^\\s*\\.set f${k}\\.${name}, (.*)$`, 'm').exec(stdout)?.[1] ?? '')?.[0] ?? NaN);
  const comment = (name: string): number | null => {
    const value = new RegExp(`^; ${name}: (\\d+)$`, 'm').exec(stdout)?.[1];
    return value === undefined ? null : Number(value);
  };
  const all = comment('TotalNumVgprs') ?? comment('NumVgprs');
  return [...['num_vgpr', 'numbered_sgpr', 'private_seg_size'].map(symbol), all, comment('TotalNumSgprs')];
}

describe('frame pointers', () => {
  if (UPDATE) {
    const rows = Array.from({ length: FILES }, (_, seed) =>
      JSON.stringify(llcAnswers(frameQuestions(seed, FUNCTIONS)).map(digest)),
    );
    writeFileSync(GOLDEN, `[\n${rows.join(',\n')}\n]\n`);
    const numbers = Array.from({ length: FILES }, (_, seed) => {
      const file = frameQuestions(seed, FUNCTIONS);
      return JSON.stringify(file.names.map((_name, k) => llcNumbers(file, k)));
    });
    writeFileSync(NUMBERS, `[\n${numbers.join(',\n')}\n]\n`);
  }
  const keptNumbers = JSON.parse(readFileSync(NUMBERS, 'utf8')) as readonly (readonly Numbers[])[];
  const kept = keptAnswers();

  for (let seed = 0; seed < FILES; seed++) {
    const file = frameQuestions(seed, FUNCTIONS);

    it(`decide what is saved as in llc-22: ${file.args.join(' ')}`, () => {
      const { status, stdout, stderr } = runLlcOnText(argsOf(file), file.text);
      assert.deepEqual([status, stderr], [0, '']);
      const have = functionsOf(stdout);
      assert.equal(have.length, FUNCTIONS);
      have.forEach((text, k) => assert.equal(digest(text), kept[seed][k], `${file.names[k]}\n${text}`));
    });

    it(`have the frames and registers of llc-22: ${file.args.join(' ')}`, () => {
      // In one process the lanes are known that saved SGPRs take.
      const setting = {
        options: regAllocOptions(new Map()),
        isBeforeScheduler: false,
        isAfterScheduler: false,
        key: '',
        given: new Map<string, never>(),
      };
      lowerMir(file.text, file.target).forEach((fn, k) => {
        const wanted = keptNumbers[seed][k];
        // Nobody lays out what a naked function that calls others needs for their arguments.
        const isNaked = file.names[k].includes('naked') && file.names[k].includes('hasCalls');
        if (wanted === null || isNaked) return;
        const allocated = allocateAsItStands(fn, null, setting, { withDecisions: false, checkpoint: () => undefined });
        if (typeof allocated === 'string') assert.fail(allocated);
        const { use } = allocated;
        const numbers = [use.framedVGPR, use.framedSGPR, use.scratchBytes, use.totalVGPR, use.totalSGPR];
        const known = numbers.map((n, m) => (wanted[m] === null ? null : n));
        assert.deepEqual(known, wanted, `${k}: ${file.names[k]}\n${file.single(k)}`);
      });
    });
  }

  it('are still those of llc-22', function () {
    needsLlc(this);
    for (let seed = 0; seed < FILES; seed += 5) {
      const file = frameQuestions(seed, FUNCTIONS);
      assert.deepEqual(llcAnswers(file).map(digest), kept[seed]);
      for (let k = seed; k < FUNCTIONS; k += 20) assert.deepEqual(llcNumbers(file, k), keptNumbers[seed][k]);
    }
  });

  it('differ between the attributes', () => {
    assert.ok(new Set(kept.flat()).size > (FILES * FUNCTIONS) / 2);
  });
});
