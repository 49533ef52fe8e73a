/**
 * Frame pointer, base pointer and alignment of the stack decide which registers callers' values are saved for: functions over the product of all that
 * these questions go by, after register allocation, against llc-22 (a digest of each function's text is kept).
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { frameQuestions, type QuestionFile } from '../../support/frameQuestions.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';
import { UPDATE } from '../../support/switches.js';

const GOLDEN = join(__dirname, '..', '..', 'golden', 'frameQuestions.json');
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

describe('frame pointers', () => {
  if (UPDATE) {
    const rows = Array.from({ length: FILES }, (_, seed) =>
      JSON.stringify(llcAnswers(frameQuestions(seed, FUNCTIONS)).map(digest)),
    );
    writeFileSync(GOLDEN, `[\n${rows.join(',\n')}\n]\n`);
  }
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
  }

  it('are still those of llc-22', function () {
    needsLlc(this);
    for (let seed = 0; seed < FILES; seed += 5)
      assert.deepEqual(llcAnswers(frameQuestions(seed, FUNCTIONS)).map(digest), kept[seed]);
  });

  it('differ between the attributes', () => {
    assert.ok(new Set(kept.flat()).size > (FILES * FUNCTIONS) / 2);
  });
});
