/**
 * Small texts with what LLVM 24 answers: test/golden/llvm24.br, made by its llc (../shared/oracle24) and never from our own output.
 * `AMDGPU_MIR_UPDATE=1` asks it again; with AMDGPU_MIR_KEEP=FILE.json the texts in that file (name, args, input) are added.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { needsLlc24, runLlc24 } from '../../support/llc24.js';
import { answerOf } from '../../support/llc24Jobs.js';
import { runLlcOnText } from '../../support/schedule.js';
import { KEEP, UPDATE } from '../../support/switches.js';

const FILE = join(__dirname, '..', '..', 'golden', 'llvm24.br');

interface KeptAnswer {
  readonly name: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly answer: string;
}

const kept = (): KeptAnswer[] =>
  existsSync(FILE) ? (JSON.parse(brotliDecompressSync(readFileSync(FILE)).toString()) as KeptAnswer[]) : [];

const asked = (questions: readonly Omit<KeptAnswer, 'answer'>[]): KeptAnswer[] => {
  const jobs = questions.map(({ args, input }) => ({ args, text: input }));
  return runLlc24(jobs).map((run, k) => ({ ...questions[k], answer: answerOf(jobs[k], run) }));
};

describe('LLVM 24: small texts', () => {
  it('are answered as its llc answered', function () {
    this.timeout(0);
    if (UPDATE) {
      needsLlc24(this);
      const more = KEEP === undefined ? [] : (JSON.parse(readFileSync(KEEP, 'utf8')) as Omit<KeptAnswer, 'answer'>[]);
      const all = [...kept(), ...more];
      const last = new Map(all.map((q) => [`${q.name}\n${q.args.join(' ')}`, q]));
      writeFileSync(FILE, brotliCompressSync(JSON.stringify(asked([...last.values()]))));
    }
    const answers = kept();
    assert.ok(answers.length > 100, String(answers.length));
    for (const { name, args, input, answer } of answers) {
      const ours = runLlcOnText(['--model=llvm-24', ...args, '-o', '-'], input);
      assert.equal(answerOf({ args, text: input }, ours), answer, name);
    }
  });

  it('are answered as its llc answers (a sample)', function () {
    this.timeout(0);
    needsLlc24(this);
    const sample = kept().filter((_, k) => k % 7 === 0);
    const again = asked(sample);
    for (const [k, { name, answer }] of sample.entries()) assert.equal(again[k].answer, answer, name);
  });
});
