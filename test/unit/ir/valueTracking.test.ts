/**
 * What LLVM knows of integers, seen through what does not overlap: an address by each form of value (test/support/valueForms.ts) and by random computations
 * (test/support/randomValues.ts). The files *.want hold the pairs of `opt-22 -aa-pipeline=basic-aa -passes=aa-eval -print-all-alias-modref-info`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AliasAnalysis, AliasResult } from '../../../server/src/ir/analysis/alias.js';
import { storeBytes } from '../../../server/src/ir/dataLayout.js';
import { Opcode, type IRFunction, type Value } from '../../../server/src/ir/module.js';
import { parseIR } from '../../../server/src/ir/parser.js';
import { LLVM22_RULES } from '../../../server/src/target/rules.js';
import { randomValues } from '../../support/randomValues.js';
import { skip } from '../../support/skip.js';
import { runsOr, seedOr, UPDATE } from '../../support/switches.js';
import { valueFormNames, valueForms } from '../../support/valueForms.js';

const FOLDER = join(__dirname, '../../fixtures/ir');
const FUNCTIONS = 60;
// 27: a negative scale whose product may wrap.
const KEPT_SEEDS = [1, 2, 3, 27];

interface Access {
  readonly value: Value;
  readonly size: number;
}

function stores(fn: IRFunction): Access[] {
  const seen = new Set<string>();
  const res: Access[] = [];
  for (const b of fn.blocks) {
    for (const i of b.instructions) {
      if (i.opcode !== Opcode.Store) continue;
      const size = storeBytes(i.operands[0].type);
      const key = `${i.operands[1].name!} ${size}`;
      if (seen.has(key)) continue;
      seen.add(key);
      res.push({ value: i.operands[1], size });
    }
  }
  return res;
}

const pairOf = (fn: string, a: string, b: string): string => `${fn}: ${[a, b].sort().join(' ')}`;

/** Pairs with the address by a value (`q`) that do not overlap, as `FUNCTION: A B`. */
function ownAnswers(text: string): string[] {
  const { module, diagnostics } = parseIR(text);
  assert.deepEqual(diagnostics, []);
  const lines: string[] = [];
  for (const fn of module.functions) {
    if (fn.isDeclaration) continue;
    const analysis = new AliasAnalysis(fn, LLVM22_RULES);
    const list = stores(fn);
    list.forEach((later, k) => {
      for (const earlier of list.slice(0, k)) {
        const [a, b] = [later.value.name!, earlier.value.name!];
        if (!a.startsWith('q') && !b.startsWith('q')) continue;
        if (analysis.alias(later.value, later.size, earlier.value, earlier.size) !== AliasResult.No) continue;
        lines.push(pairOf(fn.name!, a, b));
      }
    });
  }
  return [...new Set(lines)].sort();
}

function answersOfLLVM(text: string): string[] | null {
  const args = ['-aa-pipeline=basic-aa', '-passes=aa-eval', '-print-all-alias-modref-info', '-disable-output', '-'];
  const run = spawnSync('opt-22', args, { input: text, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 60_000 });
  if (run.status !== 0) return null;
  const lines: string[] = [];
  let fn = '';
  for (const line of run.stderr.split('\n')) {
    fn = /^Function: (\S+):/.exec(line)?.[1] ?? fn;
    const m = /^\s+NoAlias:\s+\S.*?\* %(\S+), .*\* %(\S+)$/.exec(line);
    if (m !== null && (m[1].startsWith('q') || m[2].startsWith('q'))) lines.push(pairOf(fn, m[1], m[2]));
  }
  return [...new Set(lines)].sort();
}

describe('embedded IR: values', () => {
  const texts: [string, string][] = [
    ['valueForms', valueForms()],
    ...KEPT_SEEDS.map((s) => [`values${s}`, randomValues(s, FUNCTIONS)] as [string, string]),
  ];
  for (const [name, text] of texts) {
    const file = join(FOLDER, `${name}.want`);
    if (UPDATE) writeFileSync(file, `${answersOfLLVM(text)!.join('\n')}\n`);
    const wanted = readFileSync(file, 'utf8').trim().split('\n');

    it(`knows as much as LLVM: ${name}`, () => {
      assert.deepEqual(ownAnswers(text), wanted);
    });

    it(`has answers of opt-22 that still hold: ${name}`, function () {
      const lines = answersOfLLVM(text);
      if (lines === null) skip(this, 'opt-22 is not installed');
      assert.deepEqual(lines, wanted);
    });
  }

  it('has forms of which most tell something', () => {
    const lines = readFileSync(join(FOLDER, 'valueForms.want'), 'utf8').split('\n');
    const telling = new Set(lines.map((line) => line.split(':')[0]));
    assert.ok(telling.size * 10 > valueFormNames.length * 6, `${telling.size} of ${valueFormNames.length}`);
  });

  it('knows as much as LLVM of fresh computations', function () {
    const first = seedOr(1 + Math.floor(Math.random() * 8000));
    for (let seed = first; seed < first + runsOr(4); seed++) {
      const text = randomValues(seed, FUNCTIONS);
      const wanted = answersOfLLVM(text);
      if (wanted === null) skip(this, 'opt-22 is not installed');
      assert.deepEqual(ownAnswers(text), wanted, `seed ${seed}`);
    }
  });
});
