/** livedebugvars and livedebugvalues (server/src/passes/regalloc/debug, server/src/passes/liveDebugValues) beside llc. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../../support/llc.js';
import { needsLlc24, runLlc24 } from '../../support/llc24.js';
import type { AllocationCase } from '../../support/randomAllocation.js';
import { randomDebugPlaces } from '../../support/randomDebugPlaces.js';
import { randomDebugValues } from '../../support/randomDebugValues.js';
import { runLlcOnText } from '../../support/schedule.js';
import { runsOr, seedOr } from '../../support/switches.js';

const N = runsOr(40);
const FIRST = seedOr(1);

/** The functions of a file, without the module. */
const functionsOf = (text: string): string => text.slice(Math.max(0, text.indexOf('\nname:')));
const count = (text: string): number => text.match(/^ {4}DBG_VALUE/gm)?.length ?? 0;

interface Compared {
  /** cases in which llc-22 printed more debug values than there were, and fewer */
  readonly grown: number;
  readonly shrunk: number;
  readonly refused: number;
}

/** Each case as llc-22 prints it. */
function compare(n: number, caseOf: (seed: number) => AllocationCase): Compared {
  let [grown, shrunk, refused] = [0, 0, 0];
  for (let seed = FIRST; seed < FIRST + n; seed++) {
    const { args, text } = caseOf(seed);
    const expected = runLlc([...args, '-x', 'mir', '-o', '-'], text);
    if (expected.status !== 0) continue;
    const ours = runLlcOnText([...args, '-o', '-'], text);
    if (ours.stderr.includes('does not model')) {
      refused++;
      continue;
    }
    assert.equal(functionsOf(ours.stdout), functionsOf(expected.stdout), `seed ${seed}: ${args.join(' ')}`);
    if (count(expected.stdout) > count(text)) grown++;
    if (count(expected.stdout) < count(text)) shrunk++;
  }
  return { grown, shrunk, refused };
}

describe('livedebugvalues', () => {
  it(`is llc-22's in ${N} random functions of physical registers`, function () {
    needsLlc(this);
    this.timeout(N * 1000 + 60_000);
    const { grown, refused } = compare(N, randomDebugPlaces);
    assert.ok(grown > N / 3 && refused < N / 10, `${grown} of ${N} got debug values, ${refused} were refused`);
  });

  it(`is LLVM 24's in ${N} of them`, function () {
    needsLlc24(this);
    this.timeout(N * 1000 + 60_000);
    const jobs = Array.from({ length: N }, (_, k) => randomDebugPlaces(FIRST + 1000 + k));
    let nCompared = 0;
    for (const [k, { status, stdout }] of runLlc24(jobs).entries()) {
      const { args, text } = jobs[k]!;
      const ours = runLlcOnText(['--model=llvm-24', ...args, '-o', '-'], text);
      if (status !== 0 || ours.stderr.includes('does not model')) continue;
      nCompared++;
      assert.equal(functionsOf(ours.stdout), functionsOf(stdout), `seed ${FIRST + 1000 + k}: ${args.join(' ')}`);
    }
    assert.ok(nCompared > N / 2, `${nCompared} of ${N} were compared`);
  });

  it('refuses references to instructions by name', () => {
    const { args, text } = randomDebugPlaces(1);
    for (const [options, input] of [
      [args, text.replace('name: f', 'name: f\ndebugInstrRef: true')],
      [[...args, '-force-instr-ref-livedebugvalues'], text],
    ] as const) {
      const { status, stderr } = runLlcOnText([...options, '-o', '-'], input);
      const said = stderr.trim();
      assert.equal(
        said,
        "llc: error: amdgpu-mir does not model debug values by references to instructions in function 'f'.",
      );
      assert.equal(status, 1);
    }
  });
});

describe('livedebugvars', () => {
  /** The allocator's cases through other passes. */
  const through =
    (passes: string) =>
    (seed: number): AllocationCase => {
      const { args, text } = randomDebugValues(seed);
      return { args: [...args.filter((a) => !a.startsWith('-st')), `-run-pass=${passes}`], text };
    };

  it('takes debug values out of the code', function () {
    needsLlc(this);
    const { shrunk } = compare(N / 2, through('livedebugvars'));
    assert.ok(shrunk > N / 4, `${shrunk} of ${N / 2} lost debug values`);
  });

  for (const passes of [
    'livedebugvars,virtregrewriter',
    'livedebugvars,greedy,virtregrewriter',
    'livedebugvars,machine-cse,greedy',
  ])
    it(`is llc-22's before others: ${passes}`, function () {
      needsLlc(this);
      this.timeout(60_000);
      compare(N / 4, through(passes));
    });
});

/** What was loaded before a loop is waited for before it, whatever debug values in the loop say of what it loads itself. */
const LOADED_BEFORE = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr2_vgpr3, $sgpr0_sgpr1
    $vgpr1 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 0, 0, implicit $exec

  bb.1:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $vgpr1, $vgpr2_vgpr3
    $vgpr4 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 4, 0, implicit $exec
    DBG_VALUE $vgpr4, $noreg
    $vgpr0 = V_ADD_U32_e32 $vgpr0, $vgpr1, implicit $exec
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    S_ENDPGM 0
...
`;

describe('si-insert-waitcnts with debug values', () => {
  it('does not take them for readers', function () {
    needsLlc(this);
    const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=si-insert-waitcnts', '-o', '-'];
    const expected = runLlc([...args, '-x', 'mir'], LOADED_BEFORE).stdout;
    assert.match(expected, /S_WAITCNT 3952\n\s+bb\.1:/);
    assert.equal(runLlcOnText(args, LOADED_BEFORE).stdout, expected);
  });
});
