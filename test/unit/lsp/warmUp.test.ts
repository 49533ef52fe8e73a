/** What the worker warms up with: functions that llc accepts, which spill where that may take its time, in steps that end when they should. */
import assert from 'node:assert/strict';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { WarmUp, warmUpTexts } from '../../../server/src/lsp/common/warmUp.js';
import { needsLlc, runLlc } from '../../support/llc.js';

describe('the warm-up', () => {
  it('has functions that llc-22 accepts', function () {
    needsLlc(this);
    for (const text of [...warmUpTexts(true), ...warmUpTexts(false)]) {
      const cpu = /-mcpu=\S+/.exec(text)![0];
      const { status, stderr } = runLlc(
        ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', cpu, '-run-pass=none', '-o', '/dev/null'],
        text,
      );
      assert.equal(status, 0, stderr.slice(0, 2000));
    }
  });

  it('has more values than registers where a message can end it, of both kinds, so that some are spilled', () => {
    const host = new AnalysisHost(false, Infinity, Infinity);
    const excess = warmUpTexts(true).map((text, k) => {
      host.open(`${k}`, 1, text);
      return host.snapshot(`${k}`)!.functions[0]!.summary!.excess.map(({ bank }) => bank);
    });
    assert.deepEqual(excess, [['VGPR', 'SGPR'], ['VGPR']]);
  });

  it('begins a part anew that a message has ended', () => {
    const warmUp = new WarmUp(true);
    const parts: boolean[] = [];
    for (let k = 0; k < 4; k++) parts.push(warmUp.step({ isCancelled: () => true }));
    // One function is looked at in any case.
    assert.deepEqual(parts, [false, false, false, false]);
    assert.equal(warmUp.isDone, false);
  });

  it('is done after some rounds, whoever waits, where no message is seen', () => {
    const warmUp = new WarmUp(false);
    let n = 0;
    for (; !warmUp.isDone; n++) assert.equal(warmUp.step({ isCancelled: () => true }), true);
    assert.ok(n > 3 && n <= 36, `${n}`);
  });
});
