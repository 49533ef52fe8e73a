/** What an allocation says of registers and scratch memory, against the resource symbols of llc-22's assembly, on random functions. */
import assert from 'node:assert/strict';
import { allocatedUse } from '../../server/src/analysis/allocatedUse.js';
import { allocateFunction } from '../../server/src/passes/regalloc/trace/collector.js';
import { DEFAULT_OPTIONS } from '../../server/src/passes/regalloc/state.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { lowerMir } from '../support/mir.js';
import { randomAllocation } from '../support/randomAllocation.js';
import { runsOr, seedOr, SHOW } from '../support/switches.js';

const FIRST = seedOr(1);
const COUNT = runsOr(8);

/** `.set f.private_seg_size, 16+max(g.private_seg_size)`: the function's own number comes first. */
function symbol(assembly: string, name: string): number {
  const value = new RegExp(`^\\s*\\.set \\w+\\.${name}, (.*)$`, 'm').exec(assembly)?.[1] ?? '';
  return Number(/\d+/.exec(value)?.[0] ?? NaN);
}

describe('registers and scratch of allocated functions', () => {
  it(`are those of llc-22's assembly in ${COUNT} functions from seed ${FIRST}`, function () {
    needsLlc(this);
    this.timeout(0);
    let nFrames = 0;
    let nCompared = 0;
    const wrong: string[] = [];
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const { args: all, text } = randomAllocation(seed, 1, seed % 2 === 0 ? 3 : 0);
      const args = all.filter((a) => /^-m(?:triple|cpu|attr)=/.test(a));
      const given = (key: string): string =>
        args
          .filter((a) => a.startsWith(`-${key}=`))
          .map((a) => a.slice(key.length + 2))
          .join();
      const target = { triple: given('mtriple'), cpu: given('mcpu'), features: given('mattr') };
      const whole = runLlc(['-x', 'mir', ...args, '-start-before=greedy,0', '-o', '-'], text);
      if (whole.status !== 0) continue;
      const [fn] = lowerMir(text, target);
      const { use } = allocateFunction(
        fn!,
        DEFAULT_OPTIONS,
        { ir: null },
        { withDecisions: false, checkpoint: () => undefined },
      );
      // The same, from the text.
      const stop = ['-start-before=greedy,0', '-stop-after=virtregrewriter,2', '-o', '-'];
      const { stdout: allocated } = runLlc(['-x', 'mir', ...args, ...stop], text);
      const behind = runLlc(['-x', 'mir', ...args, '-start-after=virtregrewriter,2', '-o', '-'], allocated);
      const read = allocatedUse(lowerMir(allocated, target)[0]!);
      for (const [found, assembly] of [
        [use, whole.stdout],
        [read, behind.stdout],
      ] as const) {
        const bytes = symbol(assembly, 'private_seg_size');
        const expected = [bytes, symbol(assembly, 'num_vgpr'), symbol(assembly, 'numbered_sgpr')];
        const own = [found.scratchBytes, found.framedVGPR, found.framedSGPR];
        // llc does not take every text of its own that stands after allocation.
        if (Number.isNaN(bytes)) continue;
        if (own.join() !== expected.join()) wrong.push(`seed ${seed}: llc ${expected.join()}, here ${own.join()}`);
        nCompared++;
        if (bytes > 0) nFrames++;
      }
    }
    if (SHOW) console.log(`      ${wrong.join('; ')}`);
    // Where SGPRs are saved in memory for want of lanes, one process knows of slots that are not modelled.
    assert.ok(wrong.length <= Math.ceil(nCompared / 20), `bytes of scratch, VGPRs, SGPRs: ${wrong.join('; ')}`);
    assert.ok(nFrames > 0 && nCompared > COUNT, `${nFrames} frames of ${nCompared}`);
  });
});
