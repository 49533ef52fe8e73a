/** regallocbasic on random functions, as llc-22; what it does is in docs/llvm/allocation-greedy.md, 8. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { needsLlc24, runLlc24 } from '../../support/llc24.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { randomAllocation } from '../../support/randomAllocation.js';
import { runLlcOnText } from '../../support/schedule.js';

const RUNS = [
  ['-run-pass=regallocbasic'],
  ['-run-pass=regallocbasic', '-stress-regalloc=6'],
  ['-run-pass=regallocbasic,virtregrewriter', '-stress-regalloc=4'],
  ['-run-pass=regallocbasic,virtregrewriter,stack-slot-coloring', '-verify-machineinstrs'],
];

/** Copies to registers whose blocks are not entered equally often. */
const hinted = (attributes: string): string => `--- |
  define void @f() ${attributes} { ret void }
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr2
    %0:vgpr_32 = COPY $vgpr2
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    successors: %bb.2
    $vgpr0 = COPY %0
    S_NOP 0, implicit $vgpr0
  bb.2:
    S_ENDPGM 0
...
`;

/** Without the passes that the generator asks for. */
const targetOf = (args: readonly string[]): string[] => args.filter((arg) => /^-m(?:triple|cpu|attr)/.test(arg));

it('regallocbasic takes the greatest register of one weight, as LLVM 24', function () {
  needsLlc24(this);
  this.timeout(120_000);
  const jobs = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((seed) => {
    const { text, args: asked } = randomAllocation(seed);
    const args = targetOf(asked);
    return RUNS.slice(0, 3).map((more) => ({
      text: text.replace(/^noSignedZerosFPMath.*\n/gm, ''),
      args: [...args, ...more],
    }));
  });
  let nCompared = 0;
  for (const [k, { status, stdout }] of runLlc24(jobs).entries()) {
    const { text, args } = jobs[k]!;
    if (status !== 0) continue;
    nCompared++;
    const documents = (out: string): string => out.slice(out.indexOf('\n---\n'));
    const ours = runLlcOnText(['--model=llvm-24', ...args, '-o', '-'], text);
    assert.equal(documents(ours.stdout), documents(stdout), args.join(' '));
  }
  assert.ok(nCompared > jobs.length / 2, `${nCompared} of ${jobs.length}`);
});

describe('regallocbasic, as llc-22', () => {
  for (const args of RUNS)
    it(args.join(' '), function () {
      needsLlc(this);
      this.timeout(60_000);
      for (let seed = 1; seed <= 8; seed++) {
        const { text, args: asked } = randomAllocation(seed);
        const target = targetOf(asked);
        const { differs } = runLlcJob({ name: `${seed}`, text, args: [...target, ...args] });
        assert.equal(differs, null, `seed ${seed}`);
      }
    });
  for (const attributes of ['nounwind', 'optsize', 'minsize'])
    for (const pass of ['regallocbasic', 'greedy'])
      it(`hints of ${pass} in a function that is ${attributes}`, function () {
        needsLlc(this);
        const args = ['-mtriple=amdgcn', '-mcpu=gfx900', `-run-pass=${pass}`];
        const { differs, llc } = runLlcJob({ name: attributes, text: hinted(attributes), args });
        assert.equal(differs, null);
        const isFirst = pass === 'regallocbasic' && attributes !== 'nounwind';
        assert.match(llc.stdout, isFirst ? /preferred-register: '\$vgpr0'/ : /preferred-register: '\$vgpr2'/);
      });
});
