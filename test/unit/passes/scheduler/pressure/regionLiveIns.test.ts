/** The registers that live into a region and their pressure: what is taken out and put back, against a plain map. */
import assert from 'node:assert/strict';
import { incPressure, newPressure, VRegPressureFacts } from '../../../../../server/src/analysis/gcnPressure.js';
import { LiveRegSet } from '../../../../../server/src/analysis/liveSets.js';
import { RegionLiveIns } from '../../../../../server/src/passes/scheduler/pressure/regionLiveIns.js';
import { Random } from '../../../../support/damageInputs.js';
import { lowerMir, mirFunction } from '../../../../support/mir.js';

type Lanes = readonly [lo: number, hi: number];

const CLASSES = ['vgpr_32', 'vreg_64', 'sreg_32', 'agpr_32', 'vreg_1024', 'sgpr_128', 'vreg_128', 'vgpr_32'];

describe('registers that live into a region', () => {
  const defs = CLASSES.map((rc, v) => `    %${v}:${rc} = IMPLICIT_DEF`).join('\n');
  const [fn] = lowerMir(mirFunction('f', `  bb.0:\n${defs}\n    S_ENDPGM 0`), { cpu: 'gfx90a' });
  const facts = new VRegPressureFacts(fn!);

  function check(set: RegionLiveIns, wanted: ReadonlyMap<number, Lanes>): void {
    assert.equal(set.size, wanted.size);
    const pressure = newPressure();
    for (const [v, [lo, hi]] of wanted) {
      const k = set.indexOf(v);
      assert.deepEqual([set.regs[k], set.lo[k], set.hi[k]], [v, lo >>> 0, hi >>> 0]);
      incPressure(pressure, facts, v, 0, 0, lo, hi);
    }
    for (let v = 0; v < CLASSES.length; v++) if (!wanted.has(v)) assert.equal(set.indexOf(v), -1);
    assert.deepEqual([...set.pressure], [...pressure]);
  }

  function filled(wanted: ReadonlyMap<number, Lanes>): RegionLiveIns {
    const live = new LiveRegSet(CLASSES.length);
    const pressure = newPressure();
    for (const [v, [lo, hi]] of wanted) {
      live.set(v, lo, hi);
      incPressure(pressure, facts, v, 0, 0, lo, hi);
    }
    return RegionLiveIns.of(live, pressure);
  }

  it('come and go in any order', () => {
    const random = new Random(7);
    for (let run = 0; run < 60; run++) {
      const wanted = new Map<number, Lanes>();
      for (let v = 0; v < CLASSES.length; v++)
        if (random.chance(70))
          wanted.set(
            v,
            random.chance(30) && facts.fullHi[v] !== 0 ? [0, facts.fullHi[v]!] : [facts.fullLo[v]!, facts.fullHi[v]!],
          );
      const set = filled(wanted);
      check(set, wanted);
      const removed = new Map<number, Lanes>();
      for (let step = 0; step < 12; step++) {
        const v = random.below(CLASSES.length);
        const lanes = wanted.get(v);
        const old = removed.get(v);
        if (lanes !== undefined) {
          set.remove(v, facts);
          wanted.delete(v);
          removed.set(v, lanes);
        } else if (old !== undefined) {
          const [lo, hi] = random.chance(50) ? old : [facts.fullLo[v]!, 0];
          set.add(v, lo, hi, facts);
          wanted.set(v, [lo, hi]);
          removed.delete(v);
        } else set.remove(v, facts);
        check(set, wanted);
      }
      for (const [v] of wanted) {
        // again, with other lanes
        set.add(v, facts.fullLo[v]!, facts.fullHi[v]!, facts);
        wanted.set(v, [facts.fullLo[v]!, facts.fullHi[v]!]);
        check(set, wanted);
      }
      set.recount(facts);
      check(set, wanted);
      const rest = new Map([...wanted].filter(([v]) => v % 3 !== 0));
      const places: number[] = [];
      const n = set.removeAll(facts, (v, place) => {
        assert.equal(set.regs[place], v);
        places.push(place);
        return v % 3 === 0;
      });
      assert.deepEqual(places, [...places.keys()]);
      assert.equal(n, wanted.size - rest.size);
      check(set, rest);
      set.putBack(n, facts);
      check(set, wanted);
    }
  });

  it('may be none', () => {
    const set = RegionLiveIns.empty();
    check(set, new Map());
    set.remove(0, facts);
    assert.equal(
      set.removeAll(facts, () => true),
      0,
    );
    set.putBack(0, facts);
    check(set, new Map());
    set.markStale(3, 1, 2);
    set.markStale(4, 5, 6);
    assert.deepEqual(
      [...set.stale!],
      [
        [3, { lo: 1, hi: 2 }],
        [4, { lo: 5, hi: 6 }],
      ],
    );
  });
});
