/** The pressure by which LLVM's generic scheduler compares candidates: what a reader of its picks is told. */
import assert from 'node:assert/strict';
import { Direction } from '../../../../../server/src/passes/scheduler/strategy/gcnSchedStrategy.js';
import { entryFunctionFile } from '../../../../support/mir.js';
import { traceText } from '../../../../support/schedule.js';

describe('pressure of the generic scheduler', () => {
  it('of a critical set counts what is beyond the greatest so far', () => {
    // more values than there are registers in the first order; from either side one after another would do
    const all = Array.from({ length: 120 }, (_, k) => k);
    const text = entryFunctionFile('-mtriple=amdgcn -mcpu=gfx900', [
      ...all.map((k) => `    %${k}:sreg_32 = S_MOV_B32 ${k}`),
      ...all.map((k) => `    S_NOP 0, implicit %${k}`),
      '    S_ENDPGM 0',
    ]);
    for (const direction of [Direction.TopDown, Direction.BottomUp]) {
      const [{ trace }] = traceText(text, { misched: 'converge', direction });
      const picks = trace.stages.flatMap((s) => s.runs.flatMap((r) => r.details?.picks ?? []));
      const contests = picks
        .map((p) => (direction === Direction.TopDown ? p.top : p.bottom)?.runnerUp)
        .filter((c) => c?.rule === 'RegCritical');
      // one value lives: a second one would be one more than ever
      assert.equal(contests.length, 119);
      for (const c of contests)
        assert.deepEqual([c?.winnerValue, c?.loserValue, c?.winnerSet, c?.loserSet], [0, 1, null, 'SReg_32']);
    }
  });
});
