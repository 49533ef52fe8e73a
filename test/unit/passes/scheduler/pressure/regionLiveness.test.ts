/** Liveness numbered once per region against the live intervals, which are tested against llc-22 themselves. */
import assert from 'node:assert/strict';
import { Slot } from '../../../../../server/src/analysis/slotIndexes.js';
import { SchedContext } from '../../../../../server/src/passes/scheduler/context.js';
import { RegionLiveness } from '../../../../../server/src/passes/scheduler/pressure/regionLiveness.js';
import { formRegions } from '../../../../../server/src/passes/scheduler/regions.js';
import { resolveSchedClass } from '../../../../../server/src/passes/scheduler/schedClass.js';
import { highPressure, randomSchedule } from '../../../../support/randomSchedule.js';
import { lowerWithRunLine } from '../../../../support/schedule.js';

function check(text: string): number {
  let rows = 0;
  for (const original of lowerWithRunLine(text).fns) {
    const ctx = new SchedContext(original.clone(), resolveSchedClass);
    const { fn, lis } = ctx;
    const live = new RegionLiveness(fn);
    for (const formed of formRegions(fn, ctx.list, ctx.roles)) {
      const region = ctx.makeRegion(formed);
      const nodes = ctx.instrsOf(region).filter((i) => !ctx.roles.isDebug(i));
      live.reset(nodes, region.end >= 0 ? region.end : -1, ctx.regionEnds(region));
      assert.equal(live.nNodes, formed.nInstrs);
      for (let n = 0; n < nodes.length; n++) {
        const index = lis.indexes.instrIndex[nodes[n]];
        for (let r = live.rowBegin[n]; r < live.rowBegin[n + 1]; r++) {
          const v = live.regVReg.data[live.rowReg.data[r]];
          if (v < 0) continue;
          rows++;
          const beforeLo = lis.liveLanes(v, index) | 0;
          const beforeHi = lis.lanesHi | 0;
          const afterLo = lis.liveLanes(v, index + Slot.Dead) | 0;
          const afterHi = lis.lanesHi | 0;
          const where = `register ${v} at instruction ${nodes[n]}`;
          assert.deepEqual(
            [live.rowBeforeLo.data[r], live.rowBeforeHi.data[r]],
            [beforeLo, beforeHi],
            `before: ${where}`,
          );
          assert.deepEqual([live.rowAfterLo.data[r], live.rowAfterHi.data[r]], [afterLo, afterHi], `after: ${where}`);
        }
      }
    }
  }
  return rows;
}

describe('RegionLiveness has the lanes of the live intervals before and after each mention of a register', () => {
  for (let seed = 0; seed < 40; seed++)
    it(`seed ${seed}`, () => assert.ok(check(randomSchedule(seed, { size: 5 + seed, blocks: 1 + (seed % 4) })) > 5));
  for (let seed = 0; seed < 10; seed++)
    it(`under high pressure, seed ${seed}`, () => assert.ok(check(highPressure(seed)) > 50));
});
