/**
 * What the machine scheduler computes on its way: graphs with latencies, depths and heights, limits, pressure, comparisons, picks, flags of the result; by
 * the real llc 22.1.8 and the oracle (`../shared/oracle`). With AMDGPU_MIR_UPDATE and AMDGPU_MIR_ORACLE they are asked again.
 */
import assert from 'node:assert/strict';
import { askLlvm, factFiles, readFacts, schedulerFacts, writeFacts } from '../../../support/schedulerFacts.js';
import { ORACLE, UPDATE } from '../../../support/switches.js';

for (const file of factFiles()) {
  if (UPDATE && ORACLE !== undefined) {
    const oracle = ORACLE;
    writeFacts(
      file,
      readFacts(file).flatMap(({ text }) => {
        const facts = askLlvm(oracle, text);
        return facts === null ? [] : [{ text, facts }];
      }),
    );
  }
  describe(`what the scheduler computes: ${file.replace('.br', '')}`, () => {
    readFacts(file).forEach(({ text, facts }, k) =>
      it(`${k}: ${text.slice(0, text.indexOf('\n'))}`, () => {
        const [ours, wanted] = [schedulerFacts(text), facts.split('\n')];
        // The first difference tells; those after it follow.
        const at = wanted.findIndex((line, n) => line !== ours[n]);
        assert.ok(at < 0, `line ${at}: ${ours.slice(Math.max(0, at - 2), at + 1).join('\n')}\nLLVM: ${wanted[at]}`);
        assert.equal(ours.length, wanted.length);
      }),
    );
  });
}
