/**
 * What LLVM 24 schedules otherwise than 22: test/fixtures/llvm24/sched has the functions that its llc (../shared/oracle24) made of fences.mir, coexec.mir and of
 * random functions for the rematerialization stage, groups and the edges of memory, by their seeds.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomIglp } from '../../../support/randomIglp.js';
import { MEMORY_ARGS, randomMemory } from '../../../support/randomMemory.js';
import { randomRemat } from '../../../support/randomRemat.js';
import { runLlcOnText } from '../../../support/schedule.js';

const FOLDER = join(__dirname, '..', '..', '..', 'fixtures', 'llvm24', 'sched');
const RUN = ['-mtriple=amdgcn-amd-amdhsa', '-run-pass=machine-scheduler', '-o', '-'];
const fixture = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const functionsOf = (text: string): string => text.slice(text.search(/^---$/m));

/** The random functions name their processor; with LLVM 22 they come out otherwise. */
const SEEDS = [4, 5, 32, 37, 52, 66];
/** Of these llc's registers are known, too (`.alloc.out`): what was computed again is followed by lanes, which live-ins of blocks show; 36 has debug values in an order that is put back. */
const ALLOCATED = [4, 5, 32, 36];
const ALLOCATION = [
  '-mtriple=amdgcn-amd-amdhsa',
  '-start-before=machine-scheduler',
  '-stop-after=virtregrewriter,2',
  ...['-o', '-'],
];

describe("LLVM 24's schedules", () => {
  const schedule = (model: string, cpu: string, text: string): string => {
    const run = runLlcOnText([`--model=${model}`, `-mcpu=${cpu}`, ...RUN], text);
    assert.equal(run.stderr, '');
    return functionsOf(run.stdout);
  };

  for (const seed of SEEDS)
    it(`rematerialization and live-ins, seed ${seed}`, () => {
      const text = randomRemat(seed);
      const cpu = /-mcpu=(\w+)/.exec(text)![1]!;
      assert.equal(schedule('llvm-24', cpu, text), fixture(`remat${seed}.out`));
    });

  for (const seed of ALLOCATED)
    it(`what rematerialization leaves to the allocator, seed ${seed}`, () => {
      const text = randomRemat(seed);
      const cpu = /-mcpu=(\w+)/.exec(text)![1]!;
      const args = ['--model=llvm-24', `-mcpu=${cpu}`, ...ALLOCATION];
      const { stdout, stderr } = runLlcOnText(args, text);
      assert.equal(stderr, '');
      assert.equal(functionsOf(stdout), fixture(`remat${seed}.alloc.out`));
    });

  it('fences: as far from a load as that takes; a work group waits for nothing before GFX10', () => {
    const text = fixture('fences.mir');
    const bodyOf = (document: string): string => document.slice(document.search(/^body:/m));
    const at = (model: string, cpu: string): string => bodyOf(schedule(model, cpu, text));
    assert.equal(at('llvm-24', 'gfx942'), bodyOf(fixture('fences.gfx942.out')));
    assert.equal(at('llvm-24', 'gfx1100'), bodyOf(fixture('fences.gfx1100.out')));
    assert.equal(at('llvm-22', 'gfx942'), bodyOf(fixture('fences.gfx1100.out')));
  });

  it('memory: alias scopes keep accesses apart, and every so many accesses become a chain', () => {
    const bodyOf = (model: string, seed: number, ...options: readonly string[]): string => {
      const args = [`--model=${model}`, ...MEMORY_ARGS, '-run-pass=machine-scheduler', ...options, '-o', '-'];
      const { stdout, stderr } = runLlcOnText(args, randomMemory(seed, 40));
      assert.equal(stderr, '');
      return stdout.slice(stdout.search(/^body:/m));
    };
    for (const seed of [3, 15]) {
      const expected = fixture(`memory${seed}.out`);
      assert.equal(bodyOf('llvm-24', seed), expected);
      assert.notEqual(bodyOf('llvm-24', seed, '-enable-scoped-noalias=0'), expected);
      assert.notEqual(bodyOf('llvm-22', seed), expected);
    }
    const chains = fixture('memory45.huge6.out');
    assert.equal(bodyOf('llvm-24', 45, '-dag-maps-huge-region=6'), chains);
    assert.notEqual(bodyOf('llvm-22', 45, '-dag-maps-huge-region=6'), chains);
  });

  it('groups: what is assigned before does not count for costs in the same pipeline', () => {
    const { input, args } = randomIglp(5);
    const bodyOf = (model: string): string => {
      const { stdout, stderr } = runLlcOnText(
        [`--model=${model}`, ...args, '-run-pass=machine-scheduler', '-o', '-'],
        input,
      );
      assert.equal(stderr, '');
      return stdout.slice(stdout.search(/^body:/m));
    };
    const expected = fixture('iglp5.out');
    assert.equal(bodyOf('llvm-24'), expected);
    assert.notEqual(bodyOf('llvm-22'), expected);
  });

  it('dependences: halves of registers, and moves past debug instructions', () => {
    const bodiesOf = (text: string): string[] => text.match(/^body:[^]*?^\.\.\.$/gm) ?? [];
    const at = (model: string, ...options: readonly string[]) =>
      runLlcOnText(
        [`--model=${model}`, '-mcpu=gfx1100', '-mattr=+wavefrontsize64', ...RUN, ...options],
        fixture('dependences.mir'),
      );
    const ilp = '-amdgpu-sched-strategy=iterative-ilp';
    for (const [name, options] of [
      ['dependences.out', []],
      ['dependences.ilp.out', [ilp]],
    ] as const) {
      const expected = bodiesOf(fixture(name));
      assert.deepEqual(bodiesOf(at('llvm-24', ...options).stdout), expected);
      const before = bodiesOf(at('llvm-22', ...options).stdout);
      assert.notEqual(before[0], expected[0]);
      assert.equal(before[1] === expected[1], options.length === 0, 'debug');
    }
  });

  it('the strategy coexec: units that work side by side', () => {
    const bodyOf = (document: string): string => document.slice(document.search(/^body:/m));
    const text = fixture('coexec.mir');
    const expected = fixture('coexec.gfx1250.out');
    assert.equal(bodyOf(schedule('llvm-24', 'gfx1250', text)), expected);
    assert.notEqual(bodyOf(schedule('llvm-24', 'gfx1250', text.replace('coexec', ''))), expected);
  });
});
