/** Mentions of registers in a region, in any order of its instructions, against a walk over all of them. */
import assert from 'node:assert/strict';
import { OpFlag } from '../../../../../server/src/model/machineFunction.js';
import { SchedContext } from '../../../../../server/src/passes/scheduler/context.js';
import { RegionMentions } from '../../../../../server/src/passes/scheduler/remat/regionMentions.js';
import { formRegions } from '../../../../../server/src/passes/scheduler/regions.js';
import { resolveSchedClass } from '../../../../../server/src/passes/scheduler/schedClass.js';
import { lowerMir, mirFunction } from '../../../../support/mir.js';
import { randomSource } from '../../../../support/random.js';

const LINES = [
  'undef %0.sub0:vreg_128 = V_MOV_B32_e32 1, implicit $exec',
  '%0.sub1:vreg_128 = V_MOV_B32_e32 1, implicit $exec',
  'S_NOP 0, implicit %0.sub0, implicit %0.sub1',
  'DBG_VALUE %0, $noreg',
  '%0.sub2:vreg_128 = V_ADD_U32_e32 1, %0.sub1, implicit $exec',
  '%1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec',
  '%0.sub3:vreg_128 = V_MOV_B32_e32 1, implicit $exec',
  'S_NOP 1, implicit %1, implicit %0',
  '%0.sub0:vreg_128 = V_MOV_B32_e32 2, implicit $exec',
  '%1:vgpr_32 = V_ADD_U32_e32 %1, %0.sub0, implicit $exec',
  'S_NOP 2',
];

describe('where a register is mentioned in a region', () => {
  for (const moves of [0, 3, 20])
    it(`after ${moves} moves`, () => {
      const body = [
        'S_NOP 7, implicit-def %2:vgpr_32',
        'S_SETPRIO 1',
        ...LINES,
        'S_SETPRIO 2',
        'S_NOP 6, implicit %0',
        'S_ENDPGM 0',
      ];
      const [fn] = lowerMir(mirFunction('f', `  bb.0:\n${body.map((l) => `    ${l}\n`).join('')}`), { cpu: 'gfx908' });
      const ctx = new SchedContext(fn!, resolveSchedClass);
      const formed = formRegions(ctx.fn, ctx.list, ctx.roles).find((r) => r.nInstrs === LINES.length - 1);
      assert.ok(formed);
      const region = { ...ctx.makeRegion(formed) };
      const all = new RegionMentions(ctx.fn, ctx.list, ctx.roles, ctx.lis.indexes);
      const rnd = randomSource(moves + 1);
      for (let move = 0; move <= moves; move++) {
        if (move > 0) {
          const order = ctx.instrsOf(region);
          const [what, to] = [1 + rnd(order.length - 1), 1 + rnd(order.length - 1)];
          ctx.list.moveBefore(order[to]!, order[what]!);
        }
        const order = ctx.instrsOf(region);
        const mentions = (i: number, reg: number, onlyDefs: boolean): boolean => {
          if (ctx.roles.isDebug(i)) return false;
          for (let o = ctx.fn.opBegin[i]!; o < ctx.fn.opBegin[i + 1]!; o++)
            if (ctx.fn.opVal[o] === reg && (!onlyDefs || (ctx.fn.opFlags[o]! & OpFlag.Def) !== 0)) return true;
          return false;
        };
        for (const reg of [~0, ~1, ~2]) {
          const defs = order.filter((i) => mentions(i, reg, true));
          const inText = [...defs].sort((a, b) => ctx.lis.indexes.instrIndex[a]! - ctx.lis.indexes.instrIndex[b]!);
          [...order, region.end].forEach((at, p) => {
            const before = order.slice(0, p).filter((i) => defs.includes(i)).length;
            assert.equal(all.valueAbove(region, reg, at), before === 0 ? -1 : inText[before - 1]);
            assert.deepEqual([...all.from(region, reg, at)], order.slice(p).filter((i) => mentions(i, reg, false))); // prettier-ignore
          });
        }
      }
    });
});
