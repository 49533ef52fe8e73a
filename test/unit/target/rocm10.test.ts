/**
 * LLVM 23 of ROCm 10: its tables, and what its llc (server/tools/llcOfLibrary) makes of random functions for the rematerialization stage, by their seeds, and of
 * a function that saves a register. 24 makes something else of each.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSubtarget, listCpus, releaseOf } from '../../../server/src/target/index.js';
import { randomRemat } from '../../support/randomRemat.js';
import { runLlcOnText } from '../../support/schedule.js';

const FOLDER = join(__dirname, '..', '..', 'fixtures', 'rocm10');
const ALLOCATION = ['-stop-after=virtregrewriter,2', '-o', '-'];
const fixture = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const functionsOf = (text: string): string => text.slice(text.search(/^---$/m));

function run(model: string, text: string, ...args: string[]): string {
  const cpu = /-mcpu=(\w+)/.exec(text)?.[1] ?? 'gfx900';
  const { stdout, stderr } = runLlcOnText(
    [`--model=${model}`, '-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, ...args],
    text,
  );
  assert.equal(stderr, '');
  return functionsOf(stdout);
}

describe('LLVM 23 of ROCm 10', () => {
  it('has its own tables', () => {
    const ROCM10 = releaseOf('rocm-10');
    assert.equal(ROCM10.version, '23.0.0git');
    assert.deepEqual([ROCM10.tables.nOpcodes, releaseOf('llvm-24').tables.nOpcodes > 55691], [55691, true]);
    assert.ok(listCpus('', ROCM10).includes('gfx1310'));
    assert.deepEqual(createSubtarget('amdgcn-amd-amdhsa', 'gfx1310', '', ROCM10).problems, []);
  });

  it('computes values again where 24 does not', () => {
    const text = randomRemat(12);
    const args = ['-run-pass=machine-scheduler', '-o', '-'];
    assert.equal(run('rocm-10', text, ...args), fixture('remat12.out'));
    assert.notEqual(run('llvm-24', text, ...args), fixture('remat12.out'));
  });

  it('marks no copies that split live ranges', () => {
    for (const seed of [12, 16]) {
      const args = ['-start-before=machine-scheduler', ...ALLOCATION];
      assert.equal(run('rocm-10', randomRemat(seed), ...args), fixture(`remat${seed}.alloc.out`));
    }
  });

  it('saves scalar registers in slots of the stack until they are lanes', () => {
    const args = ['-start-before=greedy,0', ...ALLOCATION];
    assert.equal(run('rocm-10', fixture('saves.mir'), ...args), fixture('saves.out'));
    assert.notEqual(run('llvm-24', fixture('saves.mir'), ...args), fixture('saves.out'));
  });
});
