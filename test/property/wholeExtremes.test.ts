/**
 * Files of extreme shapes, small here: each ends with the right verdict and, when it is an error, a message at the place. How the time
 * grows with their size, and the full sizes (100 MB, 100,000 functions), is `node test/bench/fuzz.mjs extremes`.
 */
import assert from 'node:assert/strict';
import { EXTREMES } from '../support/damageExtremes.js';
import { cpuMs, firstMessage, runCommand } from '../support/damageCheck.js';
import { needsLlc, runLlc } from '../support/llc.js';

const SCALE = 0.004;
/** For the least interesting numbers of instructions, so that a file is not just empty. */
const MIN_SIZE = 150;
const LIMIT_MS = 8_000;
const COMMANDS = ['amdgpu-print-rp', 'machine-scheduler', 'check'];

describe('files of extreme shapes', () => {
  it('says what llc-22 says', function () {
    needsLlc(this);
    for (const { name, size, text } of EXTREMES) {
      const source = text(Math.min(size, MIN_SIZE));
      const ours = runCommand(source, 'none');
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', '-run-pass=none', '-x=mir', '-o', '/dev/null'];
      const { status, stderr } = runLlc(args, source);
      assert.equal(ours.exit === 0, status === 0, name);
      const inFile = (line: string): string => line.replace(/extreme\.mir|<stdin>/, 'FILE');
      assert.equal(inFile(firstMessage(ours.err)), inFile(firstMessage(stderr)), name);
    }
  });

  for (const { name, size, testSize, message, text } of EXTREMES) {
    it(name, () => {
      const n = testSize ?? Math.min(size, Math.max(MIN_SIZE, Math.floor(size * SCALE)));
      const source = text(n);
      for (const command of COMMANDS) {
        const start = cpuMs();
        const { exit, err } = runCommand(source, command);
        assert.ok(cpuMs() - start < LIMIT_MS, `${command}: more than ${LIMIT_MS} ms`);
        assert.equal(exit !== 0, message !== null, `${command}: exit ${exit}: ${err.slice(0, 200)}`);
        if (message !== null) assert.match(err, message, command);
      }
    });
  }
});
