/** llvm::cl's rules: command lines whose errors llc-22 words, and what is taken of a right one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readCommandLine } from '../../../server/src/commandLine/commandLine.js';
import { LLC, needsLlc } from '../../support/llc.js';

/** Command lines with at least one error, split at spaces. */
const WRONG = [
  '-foo',
  '--foo=3',
  '-=',
  '--=3',
  '-foo1 -tail=x=y',
  '-tail-dup-sise=3',
  '-jump-table-densitx=5 -minimum-jump-table-entries=-1',
  '-misched-limit=x -foo -tail-dup-sise=3 --verify-machineinstrs=4 a b c',
  '-verify-machineinstrs 0 a.mir',
  '-out',
  '-Wo',
  '-WW=3',
  '-o=x -xq',
  '-Ix',
  '-I',
  '-W=2',
  '-p',
  '-O',
  '-O= -O',
  '-pgo-warn-mismatchx',
  '-gpsizex',
  '-gpsize=',
  '-help=1',
  '-version=0',
  '-regbankselect-fast=2',
  '--regbankselect',
  '-aarch64-stack-hazard-size=x',
  '-amdgpu-mfma-padding-ratio=101 -amdgpu-mfma-padding-ratio=-1',
  '-cold-new-hint-value=256 -cold-new-hint-value=x',
  '-pass-remarks-hotness-threshold=x',
  '-pass-remarks-hotness-threshold=',
  '-global-isel=2',
  '-misched=x -misched=',
  '-misched-prera-direction=up',
  '-denormal-fp-math=nonsense',
  '-filetype=foo',
  '-print-changed=foo',
  '-enable-machine-outliner=foo',
  '-pgo-analysis-map=none,foo,bar',
  '-mattr',
  '-polly-position',
  '-enable-aa-sched-mi false a',
  '-- -foo -bar',
  'a - b',
  ...['', 'x', '-1', '+1', '0x', '0x1g', '08', '0b2', '0b', '0o8', '4294967296', '1.5'].map(
    (v) => `-tail-dup-size=${v}`,
  ),
  ...['', '-', '-0x', '2147483648', '-2147483649', '0x80000000', '--1'].map((v) => `-inline-threshold=${v}`),
  ...['', '-1', '18446744073709551616', '0x10000000000000000'].map((v) => `-rng-seed=${v}`),
  ...['9223372036854775808', '-9223372036854775809', 'x'].map((v) => `-mem-intrinsic-expand-size=${v}`),
  ...['x', '1e', '1.2.3', '0x', '1,5', 'in', 'nan('].map((v) => `-cold-branch-ratio=${v}`),
];

/** Command lines that llvm::cl takes, so that only what follows them is wrong. */
const RIGHT = [
  '-O22',
  '-O=2',
  '-gpsize5 -gpsize 6 -gpsize=7',
  '-W',
  '--W=0',
  '-misched-limit=3 --misched-limit 4',
  '-tail-dup-size 0x10 -tail-dup-size=010 -tail-dup-size=0b11 -tail-dup-size=0o17 -tail-dup-size=00',
  '-inline-threshold=-2147483648 -inline-threshold -0x10',
  '-rng-seed=18446744073709551615',
  '-mem-intrinsic-expand-size=-9223372036854775808',
  ...['', '1', '-1.5', '.5', '5.', '1e5', '+1E-5', '0x1p3', '0X.8', 'inf', '-INFINITY', 'nan', 'nan(1)'].map(
    (v) => `-cold-branch-ratio=${v}`,
  ),
  '-global-isel -global-isel= -global-isel=1 -global-isel=FALSE',
  '-enable-machine-outliner -enable-machine-outliner=never',
  '-print-changed= -print-changed=quiet',
  '-pgo-analysis-map=none,bb-freq',
  '-amdgpu-mfma-padding-ratio=0x64',
  '-cold-new-hint-value=255',
  '-pass-remarks-hotness-threshold=auto',
  '-regbankselect-greedy',
  '-mattr= -mattr=+a,-b -mattr -foo',
];

const END = '-no-such-option-of-llc';

/** The errors of llc, in our name. */
function errorsOfLlc(words: readonly string[]): string {
  const run = spawnSync(LLC, words, { input: '', encoding: 'utf8', timeout: 60_000 });
  assert.equal(run.status, 1, run.stderr);
  return run.stderr.replaceAll('llc-22', 'llc');
}

const errorsOf = (words: readonly string[]): string =>
  readCommandLine(words)
    .errors.map((e) => e.text)
    .join('');

const valueOf = (line: string, name: string): unknown => readCommandLine(line.split(' ')).values.get(name);

describe('command line', () => {
  it('has llc words for what is wrong', function () {
    needsLlc(this);
    this.timeout(0);
    for (const line of WRONG) {
      const words = line.split(' ');
      assert.equal(errorsOf(words), errorsOfLlc(words), line);
      assert.notEqual(errorsOf(words), '', line);
    }
  });

  it('takes what llc takes', function () {
    needsLlc(this);
    this.timeout(0);
    for (const line of RIGHT) {
      const words = [...line.split(' '), END];
      assert.equal(errorsOf(words), errorsOfLlc(words), line);
      assert.deepEqual(errorsOf(line.split(' ')), '', line);
    }
  });

  it('gives values their type', () => {
    assert.equal(valueOf('-tail-dup-size=0x10', 'tail-dup-size'), 16);
    assert.equal(valueOf('-tail-dup-size 010', 'tail-dup-size'), 8);
    assert.equal(valueOf('-inline-threshold=-0b11', 'inline-threshold'), -3);
    assert.equal(valueOf('-cold-branch-ratio=-0x1.8p1', 'cold-branch-ratio'), -3);
    assert.equal(valueOf('-cold-branch-ratio=-inf', 'cold-branch-ratio'), -Infinity);
    assert.equal(valueOf('-cold-branch-ratio=1e-2', 'cold-branch-ratio'), 0.01);
    assert.equal(valueOf('-O22', 'O'), '2');
    assert.equal(valueOf('-global-isel', 'global-isel'), true);
    assert.equal(valueOf('-global-isel=0', 'global-isel'), false);
    assert.equal(valueOf('-misched si', 'misched'), 'si');
    assert.deepEqual(valueOf('-mattr=+a,-b -mattr c', 'mattr'), ['+a', '-b', 'c']);
    assert.deepEqual(valueOf('-M a,b -M=c', 'M'), ['a,b', 'c']);
  });

  it('knows the option after an alias, the last value and every occurrence', () => {
    const { values, occurrences } = readCommandLine([
      '-p=a',
      'x.mir',
      '-W',
      '-run-pass=b',
      '-run-pass',
      'c',
      '--passes=d',
    ]);
    assert.equal(values.get('passes'), 'd');
    assert.equal(values.get('no-warn'), true);
    assert.deepEqual(
      occurrences.map((o) => [o.name, o.wordIdx, o.value]),
      [
        ['passes', 0, 'a'],
        ['no-warn', 2, true],
        ['run-pass', 3, 'b'],
        ['run-pass', 4, 'c'],
        ['passes', 6, 'd'],
      ],
    );
  });

  it('stops where llc prints its help or version', () => {
    assert.equal(readCommandLine(['-foo', '-h', '-bar']).asksFor, 'help');
    assert.equal(readCommandLine(['-foo', '--help-list-hidden', '-bar']).errors.length, 1);
    assert.equal(readCommandLine(['--version']).asksFor, 'version');
    assert.equal(readCommandLine(['--', '--version']).asksFor, null);
  });

  it('says which word is wrong and what to write instead', () => {
    const { errors } = readCommandLine(['a', '-tail-dup-sise=3', '-misched-limit', 'x', '-O']);
    assert.deepEqual(
      errors.map((e) => [e.wordIdx, e.suggestion]),
      [
        [1, '--tail-dup-size=3'],
        [3, null],
        [4, null],
      ],
    );
  });
});
