import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runLlcToStrings } from '../../../server/src/cli/llc.js';
import { golden, normalise, runRealLlc } from '../../support/golden.js';
import { needsLlc } from '../../support/llc.js';

// Every fixture is printed by `llc -run-pass=none` with and without -simplify-mir; the goldens are llc-22's output.
const root = join(__dirname, '../../..');
const fixtures = join(root, 'test/fixtures/printer');

describe('a file printed back', () => {
  for (const file of readdirSync(fixtures)) {
    const path = join(fixtures, file);
    const options = /^# llc: (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1]?.split(' ') ?? [];
    for (const simplify of [false, true]) {
      const args = [...options, '-run-pass=none', ...(simplify ? ['-simplify-mir'] : []), '-o', '-', path];
      const name = file.replace(/\.mir$/, simplify ? '.simplified.mir' : '.mir');
      const expected = golden(join(root, 'test/golden/printer', name), () => normalise(runRealLlc(args).out));

      it(name, () => {
        const got = runLlcToStrings(args);
        assert.equal(got.err, '');
        assert.equal(got.exit, 0);
        assert.equal(normalise(got.out), expected);
      });

      it(`${name} is what llc-22 prints`, function () {
        needsLlc(this);
        assert.equal(normalise(runRealLlc(args).out), expected);
      });
    }
  }
});
