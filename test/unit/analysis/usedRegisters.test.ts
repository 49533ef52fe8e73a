/** What is said of registers without class: how many of each bank live at once, against a count at every instruction. */
import assert from 'node:assert/strict';
import { PressureSummary } from '../../../server/src/analysis/summary.js';
import { lowerMir, mirFunction } from '../../support/mir.js';
import { randomSource } from '../../support/random.js';

const TYPES: readonly (readonly [type: string, bits: number])[] = [
  ['s1', 1],
  ['s16', 16],
  ['s32', 32],
  ['s33', 33],
  ['s64', 64],
  ['p0', 64],
  ['p3', 32],
  ['<2 x s16>', 32],
  ['<4 x s32>', 128],
];
const BANKS = ['sgpr', 'vgpr', 'vcc', 'agpr'];

interface Value {
  readonly bank: string;
  readonly type: string;
  readonly registers: number;
  readonly def: number;
  lastUse: number;
}

/** One instruction a line: each defines a register, and reads some of those before it. */
function straightLine(seed: number, wave: 32 | 64): { text: string; values: Value[] } {
  const below = randomSource(seed);
  const values: Value[] = [];
  const lines: string[] = [];
  for (let k = 0; k < 3 + below(20); k++) {
    const bank = BANKS[below(BANKS.length)]!;
    const [type, bits] = TYPES[bank === 'vcc' ? 0 : below(TYPES.length)]!;
    const reads = new Set(Array.from({ length: below(4) }, () => below(Math.max(1, k))));
    if (k === 0) reads.clear();
    for (const r of reads) values[r]!.lastUse = k;
    const registers = bank === 'vcc' ? wave / 32 : Math.ceil(bits / 32);
    values.push({ bank, type, registers, def: k, lastUse: -1 });
    const used = [...reads].map((r) => `implicit %${r}`).join(', ');
    lines.push(`    %${k}:${bank}(${type}) = G_IMPLICIT_DEF ${used}`);
  }
  return { text: mirFunction('f', `\n  bb.0:\n${lines.join('\n')}\n    S_ENDPGM 0\n`), values };
}

/** Those that live after the definition of instruction `k`, which lives there even if nobody reads it. */
const liveBehind = (values: readonly Value[], k: number): Value[] =>
  values.filter((v) => v.def === k || (v.def < k && v.lastUse > k));

describe('registers without class', () => {
  for (const [cpu, wave] of [
    ['gfx90a', 64],
    ['gfx1100', 32],
  ] as const)
    it(`are as many of each bank as live at once, with their types: waves of ${wave}`, () => {
      for (let seed = 1; seed <= 60; seed++) {
        const { text, values } = straightLine(seed, wave);
        const used = new PressureSummary(lowerMir(text, { cpu })[0]!).usedRegisters;
        assert.equal(used.kind, 'generic');
        if (used.kind !== 'generic') return;
        const banks = new Set(values.map((v) => v.bank));
        assert.deepEqual(new Set(used.banks.map((b) => b.bank)), banks);
        for (const { bank, registers, isChosen, types } of used.banks) {
          const own = values.filter((v) => v.bank === bank);
          const sums = values.map((_, k) => liveBehind(own, k).reduce((sum, v) => sum + v.registers, 0));
          const most = Math.max(...sums);
          assert.equal(registers, most, text);
          assert.equal(isChosen, false);
          const counts = new Map<string, number>();
          for (const v of liveBehind(own, sums.indexOf(most))) counts.set(v.type, (counts.get(v.type) ?? 0) + 1);
          assert.deepEqual(new Map(types), counts, text);
          const order = types.map(([, count]) => count);
          assert.deepEqual(
            order,
            [...order].sort((a, b) => b - a),
          );
        }
      }
    });

  it('are told from functions with classes, allocated ones, and those without registers or instructions', () => {
    const kindOf = (body: string): unknown => {
      const used = new PressureSummary(lowerMir(mirFunction('f', `\n  bb.0:\n${body}`))[0]!).usedRegisters;
      return used.kind === 'virtual' ? [used.kind, used.generic] : used.kind;
    };
    const generic = '    %0:vgpr(s32) = G_IMPLICIT_DEF\n';
    const classed = '    %1:vgpr_32 = IMPLICIT_DEF\n    S_NOP 0, implicit %1\n';
    assert.equal(kindOf(''), 'empty');
    assert.equal(kindOf('    S_ENDPGM 0\n'), 'none');
    assert.equal(kindOf('    $vgpr0 = IMPLICIT_DEF\n'), 'allocated');
    assert.equal(kindOf('    $sgpr0 = IMPLICIT_DEF\n'), 'allocated');
    assert.equal(kindOf('    $agpr0 = IMPLICIT_DEF\n'), 'none', 'gfx900 has no accumulators');
    assert.equal(kindOf(generic), 'generic');
    assert.deepEqual(kindOf(classed), ['virtual', 0]);
    assert.deepEqual(kindOf(generic + classed), ['virtual', 1]);
    assert.deepEqual(kindOf(`${generic}${classed}    %2:sgpr(s64) = G_IMPLICIT_DEF\n`), ['virtual', 2]);
  });
});
