/** Passes that llc does not know and lists that it prints instead of running, in its words; with llc-22 here, it is asked, too. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLlcToStrings } from '../../../server/src/cli/llc.js';
import { LIMIT_MS, LLC, needsLlc } from '../../support/llc.js';

const TEXT = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
const BAD_FUNCTION = TEXT.replace('S_ENDPGM', 'S_FOO');
const BAD_MODULE = `--- |\n  define void @f() { bad }\n...\n${TEXT}`;

const REFUSED: readonly (readonly [args: string, words: string])[] = [
  ['-run-pass=foo', 'llc: error: run-pass foo is not registered.'],
  ['-run-pass=none,foo', 'llc: error: run-pass foo is not registered.'],
  ['-passes=foo', "unknown pass name 'foo'"],
  ['-passes=foo(bar)', "unknown pipeline name 'foo'"],
  ['-passes=,', "unknown pass name ''"],
  ['-passes=function', "unknown module pass 'function'"],
  ['-passes=machine-function', "unknown function pass 'machine-function'"],
  ['-passes=machine-function()', "unknown machine pass ''"],
  ['-passes=machine-scheduler,foo', "unknown machine pass 'foo'"],
  ['-passes=machine-function(machine-scheduler),foo', "unknown function pass 'foo'"],
  ['-passes=function(machine-scheduler)', "unknown function pass 'machine-scheduler'"],
  ['-passes=module(foo(bar))', "invalid use of 'foo' pass as module pipeline"],
  ['-passes=cgscc(foo)', "unknown cgscc pass 'foo'"],
  ['-passes=loop(foo)', "unknown loop pass 'foo'"],
  ['-passes=machine-scheduler(foo)', 'invalid pipeline'],
  ['-passes=machine-function(machine-scheduler', "invalid pipeline 'machine-function(machine-scheduler'"],
  ['-passes=machine-scheduler)', "invalid pipeline 'machine-scheduler)'"],
  ['-passes=function(a)b', "invalid pipeline 'function(a)b'"],
  ['-passes=greedy<foo>', "invalid regallocgreedy register filter 'foo'"],
  ['-passes=machine-scheduler,greedy<vgpr;sgpr>', "invalid regallocgreedy register filter 'vgpr;sgpr'"],
  ['-passes=virt-reg-rewriter<foo>', "invalid VirtRegRewriter pass parameter 'foo'"],
  [
    '-passes=virt-reg-rewriter<no-clear-vregs;no-clear-vregs>',
    "invalid VirtRegRewriter pass parameter 'clear-vregs;no-clear-vregs'",
  ],
  ['-passes=virtregrewriter', "unknown pass name 'virtregrewriter'"],
  ['-passes=greedysgpr', "unknown pass name 'greedysgpr'"],
  ['-passes=greedy<sgpr', "unknown pass name 'greedy<sgpr'"],
  ['-stop-after=f', 'LLVM ERROR: "f" pass is not registered.'],
  ['-stop-after=greedy,x', 'LLVM ERROR: invalid pass instance specifier greedy,x'],
  ['-stop-after=greedy,1,2', 'LLVM ERROR: invalid pass instance specifier greedy,1,2'],
  ['-stop-after=y -stop-before=x', 'LLVM ERROR: "x" pass is not registered.'],
  ['-start-after=y -start-before=x', 'LLVM ERROR: "x" pass is not registered.'],
  ['-stop-before=y -start-after=x', 'LLVM ERROR: "x" pass is not registered.'],
  ['-start-after=greedy -start-before=greedy', 'LLVM ERROR: start-before and start-after specified!'],
  ['-run-pass=none -stop-after=greedy -stop-before=greedy', 'LLVM ERROR: stop-before and stop-after specified!'],
  ['-run-pass=none -stop-after=greedy', 'llc: error: run-pass cannot be used with stop-after.'],
  [
    '-run-pass=none -stop-before=virtregrewriter -start-after=greedy',
    'llc: error: run-pass cannot be used with start-after and stop-before.',
  ],
  [
    '-start-before=amdgpu-nsa-reassign -stop-after=virtregrewriter,2 -amdgpu-reassign-regs=0',
    'LLVM ERROR: Cannot stop compilation after pass that is not run',
  ],
];

/** Lists go to standard error, and nothing is read. */
const LISTS = [
  '-mcpu=help',
  '-mattr=help',
  '-mattr=+help -run-pass=none',
  '-mattr=+xnack,help -run-pass=none',
  '-mattr=+cpuhelp,+nonsense -run-pass=none',
  '-mcpu=help -mattr=help -run-pass=none',
];

describe('passes and lists of llc', () => {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-passes-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  after(() => rmSync(folder, { recursive: true, force: true }));
  const good = file('good.mir', TEXT);
  const args = (words: string, path: string): string[] => ['-mtriple=amdgcn', ...words.split(' '), path, '-o', '-'];
  const llc = (words: string, path: string): { exit: number | null; out: string; err: string } => {
    const run = spawnSync(LLC, args(words, path), { input: '', encoding: 'utf8', timeout: LIMIT_MS });
    return { exit: run.status, out: run.stdout, err: run.stderr.replaceAll('llc-22', 'llc') };
  };

  for (const [words, expected] of REFUSED)
    it(words, () => {
      const refused = { exit: 1, out: '', err: `${expected}\n` };
      assert.deepEqual(runLlcToStrings(args(words, good)), refused);
      // The functions are read later.
      assert.deepEqual(runLlcToStrings(args(words, file('function.mir', BAD_FUNCTION))), refused);
    });

  it('come after errors in the module', () => {
    const run = runLlcToStrings(args('-run-pass=foo', file('module.mir', BAD_MODULE)));
    assert.match(run.err, /^error: .*module\.mir:2:22: expected instruction opcode\n/);
  });

  it('a pass that only llc has is named as that', () => {
    const run = runLlcToStrings(args('-run-pass=regbankselect', good));
    assert.deepEqual([run.exit, run.err], [1, "llc: error: amdgpu-mir does not model the pass 'regbankselect'\n"]);
  });

  it('a cut at a pass that llc leaves out goes on to the end of its pipeline', function () {
    needsLlc(this);
    for (const words of [
      '-start-before=machine-scheduler -stop-after=si-form-memory-clauses -O1',
      '-start-before=greedy -stop-before=amdgpu-nsa-reassign -amdgpu-reassign-regs=0',
    ])
      assert.deepEqual(runLlcToStrings(args(words, good)), llc(words, good));
  });

  it('are in the words of llc-22', function () {
    needsLlc(this);
    for (const [words, expected] of REFUSED)
      assert.deepEqual(llc(words, good), { exit: 1, out: '', err: `${expected}\n` });
  });

  for (const words of LISTS)
    it(words, function () {
      needsLlc(this);
      assert.deepEqual(runLlcToStrings(args(words, good)), llc(words, good));
    });
});
