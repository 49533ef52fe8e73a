/** Sets of registers in words: runs of each file, then the others, the first eight by name. */
import assert from 'node:assert/strict';
import { registersText } from '../../../../server/src/features/allocation/callCrossings.js';
import { BitSet } from '../../../../server/src/util/bitset.js';
import { lowerMir } from '../../../support/mir.js';

const fn = lowerMir('---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n', { triple: 'amdgcn', cpu: 'gfx90a' })[0]!;

/** The words for all units of some registers without those of others. */
function words(names: string, without = ''): string {
  const { tables } = fn;
  const units = new BitSet(tables.nRegUnits);
  const eachUnit = (list: string, visit: (u: number) => void): void => {
    for (const name of list.split(' ').filter((n) => n !== '')) {
      const reg = tables.regByName(name);
      assert.ok(reg > 0, name);
      for (let u = tables.unitBegin[reg]!; u < tables.unitEnd[reg]!; u++) visit(tables.unitList[u]!);
    }
  };
  eachUnit(names, (u) => units.add(u));
  eachUnit(without, (u) => units.delete(u));
  return registersText(fn, units);
}

const CASES: readonly (readonly [names: string, without: string, expected: string])[] = [
  ['', '', ''],
  ['vgpr0', '', '$vgpr0'],
  ['vgpr0_vgpr1', '', '$vgpr0-$vgpr1'],
  ['vgpr0 vgpr2', '', '$vgpr0, $vgpr2'],
  ['vgpr254 vgpr255 agpr0', '', '$vgpr254-$vgpr255, $agpr0'],
  ['sgpr4 agpr1 vgpr9', '', '$vgpr9, $agpr1, $sgpr4'],
  ['sgpr4_sgpr5_sgpr6_sgpr7', 'sgpr6', '$sgpr4-$sgpr5, $sgpr7'],
  // Halves are no registers of 32 bits.
  ['vgpr3 vgpr4', 'vgpr4_hi16', '$vgpr3'],
  ['vgpr3_lo16', '', ''],
  ['vcc', '', '$vcc_lo, $vcc_hi'],
  ['vcc_hi scc m0', '', '$vcc_hi, $scc, $m0'],
  ['sgpr105 vcc_lo', '', '$sgpr105, $vcc_lo'],
  [
    'vgpr0 vgpr2 vgpr4 vgpr6 vgpr8 vgpr10 vgpr12 vgpr14',
    '',
    '$vgpr0, $vgpr2, $vgpr4, $vgpr6, $vgpr8, $vgpr10, $vgpr12, $vgpr14',
  ],
  [
    'vgpr0 vgpr2 vgpr4 vgpr6 vgpr8 vgpr10 vgpr12 sgpr14 m0',
    '',
    '$vgpr0, $vgpr2, $vgpr4, $vgpr6, $vgpr8, $vgpr10, $vgpr12, $sgpr14 and 1 more',
  ],
  [
    'vgpr0 vgpr2 vgpr4 vgpr6 vgpr8 vgpr10 vgpr12 vgpr14 sgpr0 sgpr1 scc vcc',
    '',
    '$vgpr0, $vgpr2, $vgpr4, $vgpr6, $vgpr8, $vgpr10, $vgpr12, $vgpr14 and 5 more',
  ],
];

describe('sets of registers in words', () => {
  for (const [names, without, expected] of CASES)
    it(`${names}${without && ` without ${without}`}`, () => assert.equal(words(names, without), expected));
});
