/**
 * Files of extreme shapes, small here: each ends with the right verdict and, when it is an error, a message at the place. How the time
 * grows with their size, and the full sizes (100 MB, 100,000 functions), is `node test/bench/fuzz.mjs extremes`.
 */
import assert from 'node:assert/strict';
import { EXTREMES } from '../support/damageExtremes.js';
import { cpuMs, runCommand } from '../support/damageCheck.js';

const SCALE = 0.004;
/** For the least interesting numbers of instructions, so that a file is not just empty. */
const MIN_SIZE = 150;
const LIMIT_MS = 5000;
const COMMANDS = ['amdgpu-print-rp', 'machine-scheduler', 'check'];

describe('files of extreme shapes', function () {
  this.timeout(120_000);

  for (const { name, size, message, text } of EXTREMES) {
    it(name, () => {
      const n = name === 'document markers' ? size / 20 : Math.min(size, Math.max(MIN_SIZE, Math.floor(size * SCALE)));
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
