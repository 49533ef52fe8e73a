/** Each option of llc is implemented, refused, or known to change nothing, for a reason. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../../../server/src/commandLine/commandLine.js';
import { whyNumbersDiffer } from '../../../server/src/commandLine/notModelled.js';
import { ANY_LLC_TABLE, optionSources } from '../../../server/src/commandLine/optionTable.js';
import { whyNotModelled } from '../../../server/src/program/notModelled.js';
import { HARMLESS, IMPLEMENTED, RUNNING_SOURCES } from '../../support/reviewedOptions.js';

const TEXT = ['commandLine', 'program']
  .map((folder) => readFileSync(join(__dirname, '../../../server/src', folder, 'notModelled.ts'), 'utf8'))
  .join('\n');
const refused = [...TEXT.matchAll(/^([\w-]+);[^;\n]*;[^;\n]+$/gm)].map((m) => m[1]!);
const harmless = HARMLESS.trim()
  .split('\n')
  .map((line) => line.split(' | '))
  .map(([source = '', why = '', names = '']) => ({ source, why, names: names.split(' ') }));

describe('groups of options', () => {
  it('name options that llc has, each once', () => {
    const all = [...refused, ...IMPLEMENTED, ...harmless.flatMap((h) => h.names)];
    assert.deepEqual(
      all.filter((name) => ANY_LLC_TABLE.find(name) === null),
      [],
    );
    // Of some options only some values are modelled: those stand in both.
    const twice = refused.filter((name) => IMPLEMENTED.includes(name));
    for (const name of twice) assert.match(TEXT, new RegExp(`^${name};[^;]+;`, 'm'));
    const without = all.filter((name) => !twice.includes(name));
    assert.equal(new Set(without).size, without.length);
  });

  it('hold every option of a source file that runs here', () => {
    const known = new Set([...refused, ...IMPLEMENTED, ...harmless.flatMap((h) => h.names)]);
    const open = [...optionSources()].filter(([name, source]) => RUNNING_SOURCES.test(source) && !known.has(name));
    assert.deepEqual(open, []);
  });

  it('say for options of which source file they have a reason', () => {
    const sources = optionSources();
    for (const { source, why, names } of harmless) {
      assert.ok(why.length > 5, source);
      for (const name of names) assert.equal(sources.get(name), source, name);
    }
  });

  it('refuse with a reason, but not the value that is llc’s own', () => {
    const whyOf = (word: string): string | null => whyNotModelled(readCommandLine([word]).occurrences[0]!);
    assert.equal(whyOf('-mir-debug-loc=1'), null);
    assert.equal(
      whyOf('-mir-debug-loc=false'),
      "amdgpu-mir does not model the option '--mir-debug-loc': it changes how functions are printed",
    );
    assert.equal(whyOf('-capture-tracking-max-uses-to-explore=100'), null);
    assert.notEqual(whyOf('-capture-tracking-max-uses-to-explore=10'), null);
    assert.equal(whyOf('-mcpu=gfx90a'), null);
    assert.notEqual(whyOf('-mcpu=native'), null);
    assert.equal(whyOf('-opt-bisect-limit=-1'), null);
    assert.notEqual(whyOf('-opt-bisect-limit=3'), null);
    assert.notEqual(whyOf('-load-pass-plugin='), null);
    assert.equal(whyNumbersDiffer(readCommandLine(['-print-after-all']).occurrences[0]!), null);
  });
});
