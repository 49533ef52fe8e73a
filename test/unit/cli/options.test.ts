import assert from 'node:assert/strict';
import { UsageError, parseLlcOptions } from '../../../server/src/program/llcOptions.js';

const parse = (line: string) => parseLlcOptions(line.split(' '));

describe('llc options', () => {
  it('takes values after = or as the next word, with one dash or two', () => {
    const o = parse('-mtriple amdgcn --mcpu=gfx900 -run-pass=none -o - a.mir');
    assert.equal(o.triple, 'amdgcn');
    assert.equal(o.cpu, 'gfx900');
    assert.deepEqual(o.runPasses, ['none']);
    assert.equal(o.output, '-');
    assert.equal(o.input, 'a.mir');
  });

  it('reads - as the input and defaults to it', () => {
    assert.equal(parse('-run-pass=none -').input, '-');
    assert.equal(parse('-run-pass=none').input, '-');
  });

  it('gathers lists and lets the last of other options win', () => {
    const o = parse('-run-pass=none -run-pass a,b -o x -o y -mattr=+A,-b -mattr=c f.mir');
    assert.deepEqual(o.runPasses, ['none', 'a', 'b']);
    assert.equal(o.output, 'y');
    assert.equal(o.features, '+a,-b,+c');
  });

  it('reads flags with and without a value', () => {
    assert.equal(parse('-verify-machineinstrs f').verify, true);
    assert.equal(parse('-verify-machineinstrs=0 f').verify, false);
    assert.equal(parse('-simplify-mir=false f').simplify, false);
    assert.equal(parse('--amdgpu-print-rp-downward f').values.get('amdgpu-print-rp-downward'), true);
  });

  it('leaves triples of sub-architectures as they are', () => {
    const o = parse('-mtriple=amdgpu9.0a-amd-amdhsa f');
    assert.deepEqual([o.triple, o.cpu], ['amdgpu9.0a-amd-amdhsa', '']);
    assert.deepEqual(parse('-mtriple=amdgpu9.08 -mcpu=gfx942 f').cpu, 'gfx942');
  });

  const errors: [string, RegExp][] = [
    ['-foo a.mir', /^llc: Unknown command line argument '-foo'\./],
    ['-run-pass=none a.mir b.mir', /^llc: Too many positional arguments specified!$/m],
    [
      '-verify-machineinstrs=2 a',
      /^llc: for the --verify-machineinstrs option: '2' is invalid value for boolean argument! Try 0 or 1$/,
    ],
    ['-o', /^llc: for the -o option: requires a value!$/],
    ['-filetype=foo a', /^llc: for the --filetype option: Cannot find option named 'foo'!$/],
    ['-O4 a', /^llc: error: invalid optimization level\.$/],
  ];
  for (const [line, message] of errors) {
    it(`rejects ${line}`, () =>
      assert.throws(
        () => parse(line),
        (e: unknown) => e instanceof UsageError && message.test(e.message),
      ));
  }
});
