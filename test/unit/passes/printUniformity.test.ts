/**
 * `-run-pass=print-machine-uniformity` against llc-22: files of test/golden/uniformity with llc's answers beside them, random functions with golden
 * answers, and what must hold without any answer.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CycleInfo } from '../../../server/src/util/cycles.js';
import { CauseKind, computeUniformity } from '../../../server/src/analysis/uniformity/uniformity.js';
import { answerOfLlc, answerOfOurs, readAnswers } from '../../support/answers.js';
import { golden } from '../../support/golden.js';
import { lowerMir, mirFunction } from '../../support/mir.js';
import { randomUniformityFunction } from '../../support/randomUniformity.js';

const FOLDER = join(__dirname, '..', '..', 'golden', 'uniformity');
const PASS = '-run-pass=print-machine-uniformity';

/** Options of a file's RUN line without those of input and output. */
function argsOf(text: string): string[] {
  const run = /^# RUN: llc (.*) %s -o \/dev\/null$/m.exec(text)?.[1];
  assert.ok(run !== undefined, 'the file has a RUN line');
  return run.split(' ').map((arg) => arg.replaceAll('"', ''));
}

function compare(name: string, args: readonly string[], input: string): void {
  const question = { args, input };
  const expected = golden(join(FOLDER, `${name}.txt`), () => answerOfLlc(question).err);
  assert.ok(expected.includes('MachineUniformityInfo for function'), 'llc printed a report');
  const ours = answerOfOurs(question);
  assert.equal(ours.exit, 0);
  assert.equal(ours.err, expected);
}

describe('print-machine-uniformity', () => {
  for (const file of readdirSync(FOLDER).filter((f) => f.endsWith('.mir'))) {
    it(`prints what llc prints: ${file}`, () => {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      compare(file.replace(/\.mir$/, ''), argsOf(text), text);
    });
  }

  const random = (selected: boolean, wave32: boolean): string =>
    Array.from({ length: 24 }, (_, k) =>
      randomUniformityFunction(`f${k}`, { seed: 77_000 + k, blocks: 3 + (k % 9), selected, wave32 }),
    ).join('');

  it('prints what llc prints: random generic functions', () => {
    compare('randomGeneric', ['-mtriple=amdgcn', '-mcpu=gfx90a', PASS], random(false, false));
  });

  for (const [file, what] of [
    ['varied.br', 'functions of every kind'],
    ['tangled.br', 'small functions with edges everywhere'],
  ] as const)
    readAnswers(join('..', 'uniformity', file)).forEach(({ args, input, ...wanted }, k) => {
      it(`prints what llc prints: ${what}, ${k}`, () => {
        assert.deepEqual(answerOfOurs({ args, input }), wanted);
      });
    });

  it('prints what llc prints: random selected functions, wave32', () => {
    compare('randomSelected', ['-mtriple=amdgcn', '-mcpu=gfx1200', PASS], random(true, true));
  });
});

describe('uniformity', () => {
  const [fn] = lowerMir(
    mirFunction(
      'f',
      `
  bb.0:
    liveins: $vgpr0, $sgpr0
    %0:_(s32) = COPY $vgpr0
    %1:_(s32) = COPY $sgpr0
    %2:_(s1) = G_ICMP intpred(eq), %0(s32), %1
    G_BRCOND %2(s1), %bb.2

  bb.1:

  bb.2:
    %3:_(s32) = G_PHI %1(s32), %bb.0, %0(s32), %bb.1
    %4:_(s32) = G_ADD %3, %1
    S_ENDPGM 0, implicit %4
`,
    ),
  );

  it('gives each divergent value a chain of reasons that ends at a source', () => {
    const u = computeUniformity(fn!);
    assert.deepEqual([...u.isDivergent], [1, 0, 1, 1, 1]);
    assert.equal(u.cause[0], CauseKind.Source);
    assert.deepEqual([u.cause[2], u.causeData[2]], [CauseKind.Operand, 0]);
    assert.deepEqual([u.cause[4], u.causeData[4]], [CauseKind.Operand, 3]);
    assert.equal(u.branchCause[0], CauseKind.Operand);
    assert.deepEqual(u.joinsOfBranch.get(0)?.joins, [2]);
  });

  it('finds nothing in a function without blocks', () => {
    const cycles = new CycleInfo([]);
    assert.equal(cycles.nCycles, 0);
  });
});
