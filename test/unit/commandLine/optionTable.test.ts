import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLC_OPTIONS } from '../../../server/src/commandLine/generated/llcOptions.js';
import { nearestOption } from '../../../server/src/commandLine/nearestOption.js';
import { OptionParser, ValueExpected } from '../../../server/src/commandLine/optionSpec.js';
import {
  allOptions,
  findOption,
  LLC24_TABLE,
  LLC_TABLE,
  onlyTableOf,
  optionSources,
} from '../../../server/src/commandLine/optionTable.js';
import { readCommandLine } from '../../../server/src/commandLine/commandLine.js';
import { LLC, needsLlc } from '../../support/llc.js';

const TABLE = join(__dirname, '../../../server/src/commandLine/optionTable.ts');

describe('table of options', () => {
  it('has the options that llc --help-hidden lists, and the values of each', function () {
    needsLlc(this);
    const help = spawnSync(LLC, ['--help-hidden'], { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout;
    let values: string[] = [];
    let nOptions = 0;
    for (const line of help.split('\n')) {
      const name = /^ {2}--?([\w-]+)/.exec(line)?.[1];
      const value = /^ {4}=(\S+)/.exec(line)?.[1];
      if (name !== undefined) {
        const spec = findOption(name);
        assert.ok(spec, line);
        values = spec.parser === OptionParser.Enum ? [...spec.values] : [];
        nOptions++;
      } else if (value !== undefined && values.length > 0) {
        assert.ok(values.includes(value === '<empty>' ? '' : value), line);
      }
    }
    assert.ok(nOptions > 2700, String(nOptions));
  });

  it('finds each option, and nothing else', () => {
    for (const spec of allOptions()) assert.equal(findOption(spec.name)?.name, spec.name);
    for (const name of ['', 'bo', ';', 'misched;', 'o;sr', '638', 'model']) assert.equal(findOption(name), null, name);
  });

  it('of LLVM 24 differs where its llc does', () => {
    const errors24 = (...words: string[]): string =>
      readCommandLine(words, [], 'llc', LLC24_TABLE).errors.map((e) => e.text).join(''); // prettier-ignore
    const errors22 = (...words: string[]): string =>
      readCommandLine(words)
        .errors.map((e) => e.text)
        .join('');
    for (const word of ['-amdgpu-next-use-analysis-count-phis', '-regalloc-csr-cost-scale=90', '-enable-mergeicmps']) {
      assert.equal(errors24(word), '', word);
      assert.match(errors22(word), /^llc: Unknown command line argument/, word);
    }
    for (const word of ['-amdgpu-sgpr-hazard-wait', '-dag-maps-reduction-size=4', '-gc-empty-basic-blocks']) {
      assert.equal(errors22(word), '', word);
      assert.match(errors24(word), /^llc: Unknown command line argument/, word);
    }
    assert.equal(errors24('-amdgpu-stress-vgpr', 'x'), "llc: for the --amdgpu-stress-vgpr option: 'x' value invalid for uint argument!\n"); // prettier-ignore
    assert.equal(errors24('-regalloc=pbqp'), "llc: for the --regalloc option: Cannot find option named 'pbqp'!\n");
    assert.equal(errors22('-regalloc=pbqp'), '');
    assert.match(errors24('-amdgpu-stress-vgprr=3'), /\nllc: Did you mean '--amdgpu-stress-vgpr=3'\?\n$/);
    assert.equal(onlyTableOf('aa-trace', ''), LLC24_TABLE);
    assert.equal(onlyTableOf('misched', 'ilpmax'), null);
    assert.equal(onlyTableOf('amdgpu-sched-strategy', 'coexec'), LLC24_TABLE);
    assert.equal(onlyTableOf('regalloc', 'pbqp'), LLC_TABLE);
    assert.equal(onlyTableOf('regalloc', 'greedy'), null);
    const names = LLC24_TABLE.all().map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.length > 2900 && names.length < 3072, 'more would have another number of buckets');
    for (const spec of LLC24_TABLE.all()) assert.equal(LLC24_TABLE.find(spec.name)?.name, spec.name);
  });

  it('agrees with the short table of common options', () => {
    const short = /COMMON_OPTIONS = `\n([^`]*)`/.exec(readFileSync(TABLE, 'utf8'))![1]!;
    for (const line of short.trim().split('\n')) {
      const withoutSource = (text: string): string => text.replace(/;\d*;/, ';;');
      const long = LLC_OPTIONS()
        .split('\n')
        .find((l) => l.startsWith(line.slice(0, line.indexOf(';') + 1)));
      assert.equal(withoutSource(long ?? ''), line);
    }
  });

  it('knows kinds, aliases and the source file of an option', () => {
    const misched = findOption('misched')!;
    assert.equal(misched.parser, OptionParser.Enum);
    assert.ok(misched.values.includes('gcn-iterative-ilp'));
    assert.equal(findOption('global-isel')!.expects, ValueExpected.Optional);
    assert.equal(findOption('help')!.expects, ValueExpected.Disallowed);
    assert.deepEqual(findOption('W')!.values, ['no-warn']);
    assert.ok(findOption('pgo-analysis-map')!.splitsAtCommas && findOption('mattr')!.isList);
    const sources = optionSources();
    assert.equal(sources.get('misched'), 'CodeGen/MachineScheduler');
    assert.equal(sources.get('tail-dup-size'), 'CodeGen/TailDuplicator');
    assert.equal(sources.get('denormal-fp-math'), 'CodeGen/CommandFlags');
    assert.equal(sources.get('O'), 'llc');
  });

  it('proposes the nearest name, the first of several, and no secret one', () => {
    assert.equal(nearestOption('tail-dup-sise=3', allOptions()), 'tail-dup-size=3');
    assert.equal(nearestOption('', allOptions()), null);
    const secret = allOptions().find((o) => o.isSecret)!;
    assert.notEqual(nearestOption(secret.name, allOptions()), secret.name);
  });
});
