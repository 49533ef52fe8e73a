/** regallocbasic on random functions, as llc-22; what it does is in docs/llvm/allocation-greedy.md, 8. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { randomAllocation } from '../../support/randomAllocation.js';

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

describe('regallocbasic, as llc-22', () => {
  for (const args of RUNS)
    it(args.join(' '), function () {
      needsLlc(this);
      this.timeout(60_000);
      for (let seed = 1; seed <= 8; seed++) {
        const { text, args: target } = randomAllocation(seed);
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
