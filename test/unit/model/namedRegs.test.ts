/** Registers that a function names, by the units that they share: the same, and in the same order, as all registers over the unit give. */
import assert from 'node:assert/strict';
import { NamedRegs } from '../../../server/src/model/edit/namedRegs.js';
import { LLVM22 } from '../../../server/src/target/index.js';

const tables = LLVM22.tables;

describe('registers that are named', () => {
  it('are those over a unit, in the order of its root and what contains that', () => {
    // Spread over all kinds, and all that VCC and the first registers are part of; the last first.
    const named = Array.from({ length: tables.nRegs }, (_, r) => r).filter(
      (r) => r > 0 && (r % 61 === 0 || /^(?:vcc|exec|sgpr0|vgpr1|agpr2|ttmp3)(?:_|$)/.test(tables.regName(r))),
    );
    const regs = new NamedRegs(tables);
    const isNamed = new Set<number>();
    let nLonger = 0;
    const half = named.length >> 1;
    for (const part of [named.slice(half), named.slice(0, half)]) {
      for (const reg of [...part].reverse()) {
        regs.add(reg);
        isNamed.add(reg);
      }
      regs.add(named.at(-1)!);
      for (let unit = 0; unit < tables.nRegUnits; unit += 7) {
        const over = tables.regUnitRoots(unit).flatMap((root) => [root, ...tables.superRegs(root)]);
        const wanted = over.filter((r) => isNamed.has(r));
        if (wanted.length > 2) nLonger++;
        assert.deepEqual(regs.over(unit), wanted, tables.regUnitName(unit));
      }
    }
    assert.ok(nLonger > 100);
  });
});
