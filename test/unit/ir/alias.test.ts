/**
 * Alias queries against LLVM: alias.want and ranges.want hold one line `FUNCTION: A B` for each pair of accessed pointers of alias.ll and
 * ranges.ll that does not overlap, as
 * `opt-22 -aa-pipeline=basic-aa -passes=aa-eval -print-all-alias-modref-info -disable-output alias.ll` says.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AliasAnalysis,
  AliasResult,
  SIZE_AROUND,
  underlyingObjectsForCodeGen,
} from '../../../server/src/ir/analysis/alias.js';
import { storeBytes } from '../../../server/src/ir/dataLayout.js';
import { Opcode, type IRFunction, type Value } from '../../../server/src/ir/module.js';
import { parseIR } from '../../../server/src/ir/parser.js';
import { printTypedValue } from '../../../server/src/ir/printer.js';
import { LLVM22_RULES } from '../../../server/src/target/rules.js';
import { skip } from '../../support/skip.js';
import { UPDATE } from '../../support/switches.js';

const FOLDER = join(__dirname, '../../fixtures/ir');

const nameOf = (v: Value): string => printTypedValue(v).replace(/^.* /, '');

function accesses(fn: IRFunction): { value: Value; size: number }[] {
  const seen = new Set<string>();
  const res: { value: Value; size: number }[] = [];
  for (const b of fn.blocks) {
    for (const i of b.instructions) {
      const isLoad = i.opcode === Opcode.Load;
      if (!isLoad && i.opcode !== Opcode.Store) continue;
      const value = i.operands[isLoad ? 0 : 1]!;
      const size = storeBytes(isLoad ? i.type : i.operands[0]!.type);
      const key = `${nameOf(value)} ${size}`;
      if (seen.has(key)) continue;
      seen.add(key);
      res.push({ value, size });
    }
  }
  return res;
}

/** Lines `FUNCTION: A B` of the pairs without overlap; the names of a pair in order. */
function ownAnswers(fixture: string): string[] {
  const { module, diagnostics } = parseIR(readFileSync(fixture, 'utf8'));
  assert.deepEqual(diagnostics, []);
  const lines: string[] = [];
  for (const fn of module.functions) {
    if (fn.isDeclaration) continue;
    const aa = new AliasAnalysis(fn, LLVM22_RULES);
    const list = accesses(fn);
    // LLVM asks (later, earlier), which matters for a few asymmetric rules.
    list.forEach((later, k) => {
      for (const earlier of list.slice(0, k)) {
        if (aa.alias(later.value, later.size, earlier.value, earlier.size) !== AliasResult.No) continue;
        const pair = [nameOf(later.value), nameOf(earlier.value)].sort();
        lines.push(`${fn.name}: ${pair.join(' ')}`);
      }
    });
  }
  return lines.sort();
}

function answersOfLLVM(fixture: string): string[] | null {
  const args = ['-aa-pipeline=basic-aa', '-passes=aa-eval', '-print-all-alias-modref-info', '-disable-output', fixture];
  const run = spawnSync('opt-22', args, { encoding: 'utf8' });
  if (run.status !== 0) return null;
  const lines: string[] = [];
  let fn = '';
  for (const line of run.stderr.split('\n')) {
    fn = /^Function: (\S+):/.exec(line)?.[1] ?? fn;
    const m = /^\s+NoAlias:\s+\S.*?\* (\S+), .*\* (\S+)$/.exec(line);
    if (m !== null) lines.push(`${fn}: ${[m[1]!, m[2]!].sort().join(' ')}`);
  }
  return lines.sort();
}

describe('embedded IR: alias queries', () => {
  for (const [name, what] of [
    ['alias', 'pointers of all kinds'],
    ['ranges', 'intervals of indices'],
  ] as const) {
    const fixture = join(FOLDER, `${name}.ll`);
    const file = join(FOLDER, `${name}.want`);
    // Constant offsets among themselves tell nothing of intervals.
    const isKept = (line: string): boolean => name === 'alias' || line.includes('%q');
    if (UPDATE) writeFileSync(file, `${answersOfLLVM(fixture)!.filter(isKept).join('\n')}\n`);
    const wanted = readFileSync(file, 'utf8').trim().split('\n');

    it(`answers as LLVM: ${what}`, () => {
      assert.deepEqual(ownAnswers(fixture).filter(isKept), wanted);
    });

    it(`has answers of opt-22 that still hold: ${what}`, function () {
      const lines = answersOfLLVM(fixture);
      if (lines === null) skip(this, 'opt-22 is not installed');
      assert.deepEqual(lines.filter(isKept), wanted);
    });
  }

  const { module } = parseIR(`
@g = global i32 0
define void @f(ptr noalias %p, ptr %q, i1 %c) {
  %s = select i1 %c, ptr %p, ptr @g
  %i = ptrtoint ptr %p to i64
  %j = add i64 %i, 16
  %r = inttoptr i64 %j to ptr
  %t = select i1 %c, ptr %p, ptr %q
  ret void
}
define void @h(ptr %p) null_pointer_is_valid { ret void }
define void @k(ptr %p) { ret void }
`);
  const fn = module.functionByName('f')!;

  it('finds the objects of a pointer for the graph', () => {
    const objects = (name: string): string[] | null =>
      underlyingObjectsForCodeGen(fn.valueByName(name)!)?.map(nameOf).sort() ?? null;
    assert.deepEqual(objects('s'), ['%p', '@g']);
    assert.deepEqual(objects('r'), ['%p']);
    assert.equal(objects('q'), null);
    assert.equal(objects('t'), null);
  });

  it('separates unknown sizes by objects only', () => {
    const aa = new AliasAnalysis(fn, LLVM22_RULES);
    assert.equal(aa.alias(fn.args[0]!, SIZE_AROUND, fn.args[1]!, SIZE_AROUND), AliasResult.No);
    assert.equal(aa.alias(fn.args[0]!, SIZE_AROUND, fn.args[0]!, 4), AliasResult.Must);
    assert.equal(aa.alias(fn.args[1]!, 0, fn.args[1]!, 4), AliasResult.No);
  });
});
