/** Registers that the verifier follows from block to block since nothing else says whether they are live. */
import assert from 'node:assert/strict';
import { lonelyRegs } from '../../../server/src/analysis/verifier/verifierContext.js';
import { LLVM22 } from '../../../server/src/target/index.js';
import type { TargetTables } from '../../../server/src/target/api.js';

describe('registers without aliases that are neither allocatable nor reserved', () => {
  /** By the definition, over all registers. */
  const byDefinition = (t: TargetTables, reserved: ReadonlySet<number>): number[] => {
    const isAlone = (r: number): boolean =>
      t.unitEnd[r]! - t.unitBegin[r]! === 1 && t.regUnitRoots(t.unitList[t.unitBegin[r]!]!).join() === String(r);
    const found: number[] = [];
    for (let r = 1; r < t.nRegs; r++)
      if (isAlone(r) && t.superRegs(r).length === 0 && !t.isInAllocatableClass(r) && !reserved.has(r)) found.push(r);
    return found;
  };

  it('is $scc of AMDGCN', () => {
    const t = LLVM22.tables;
    assert.deepEqual(
      lonelyRegs(t).map((r) => t.regName(r)),
      ['scc'],
    );
    assert.equal(lonelyRegs(t), lonelyRegs(t));
  });

  it('are those of R600 that its tables leave', () => {
    const t = LLVM22.r600Tables;
    const expected = byDefinition(t, new Set(t.reserved));
    assert.ok(expected.length > 3);
    assert.deepEqual([...lonelyRegs(t)], expected);
  });
});
