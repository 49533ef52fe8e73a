/** Debug labels of regions that are put back into their old order: the text is that of llc-22. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsLlc, runLlc } from '../../../support/llc.js';
import { runLlcOnText } from '../../../support/schedule.js';

const FILE = join(__dirname, '..', '..', '..', 'fixtures', 'scheduleLabels', 'reverted.mir');

describe('labels of a region that is put back', () => {
  it('stay at its end', function () {
    needsLlc(this);
    const text = readFileSync(FILE, 'utf8');
    const args = [...text.matchAll(/ (-[am]\S+)/g)].map((m) => m[1]!).slice(0, 3);
    const pass = ['-run-pass=machine-scheduler', '-o', '-'];
    const llc = runLlc(['-x', 'mir', ...args, ...pass], text);
    assert.equal(llc.status, 0, llc.stderr);
    assert.equal(runLlcOnText([...args, ...pass], text).stdout, llc.stdout);
  });
});
