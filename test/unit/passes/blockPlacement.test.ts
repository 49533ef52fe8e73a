/** block-placement, as llc-22: loops of many sizes that are aligned and fetched ahead, copies, and what is refused. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { runLlcOnText } from '../../support/schedule.js';

const PASS = ['-mtriple=amdgcn', '-run-pass=block-placement', '-simplify-mir'];

/** A loop of `n` instructions, 8 bytes each and 4 for the branch, in another one. */
const loops = (n: number, attribute = ''): string => `--- |
  define void @f${n}() ${attribute} { ret void }
...
---
name: f${n}
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $scc
  bb.1:
    successors: %bb.2
    liveins: $vgpr0, $scc
    S_NOP 0
  bb.2:
    successors: %bb.2(0x7c000000), %bb.3(0x04000000)
    liveins: $vgpr0, $scc
${'    $vgpr0 = V_ADD_U32_e64 $vgpr0, $vgpr0, 0, implicit $exec\n'.repeat(n)}    S_CBRANCH_SCC0 %bb.2, implicit $scc
  bb.3:
    successors: %bb.1(0x7c000000), %bb.4(0x04000000)
    liveins: $vgpr0, $scc
    $vgpr0 = V_MOV_B32_e32 77777, implicit $exec
    S_CBRANCH_VCCNZ %bb.1, implicit undef $vcc
  bb.4:
    liveins: $vgpr0
    S_ENDPGM 0, implicit $vgpr0
...
`;

describe('block-placement', () => {
  for (const [cpu, more] of [
    ['gfx900', ''],
    ['gfx1030', ''],
    ['gfx1010', ''],
    ['gfx1100', ''],
    ['gfx1200', ''],
    ['gfx1030', '-amdgpu-disable-loop-alignment'],
  ] as const)
    it(`loops of one to four lines of the cache on ${cpu} ${more}`, function () {
      needsLlc(this);
      this.timeout(120_000);
      let [aligned, fetched] = [0, 0];
      for (let n = 5; n < 27; n++) {
        const args = [...PASS, `-mcpu=${cpu}`, ...(more === '' ? [] : [more])];
        const { differs, llc } = runLlcJob({ name: `${n}`, text: loops(n), args });
        assert.equal(differs, null, `${n} instructions`);
        if (llc.stdout.includes('align 64')) aligned++;
        if (llc.stdout.includes('S_INST_PREFETCH')) fetched++;
      }
      const hasLines = /gfx1030|gfx1100/.test(cpu) && more === '';
      assert.deepEqual([aligned > 0, fetched > 0], [hasLines, hasLines]);
    });

  for (const attribute of ['optsize', 'minsize', 'noinline optnone'])
    it(`of a function that is ${attribute}`, function () {
      needsLlc(this);
      const args = [...PASS, '-mcpu=gfx1030'];
      assert.equal(runLlcJob({ name: attribute, text: loops(12, attribute), args }).differs, null);
    });

  it('in a pipeline, where llc wants a summary of the profile', function () {
    needsLlc(this);
    const args = ['-mtriple=amdgcn', '-passes=block-placement'];
    const { differs, ours } = runLlcJob({ name: 'pipeline', text: loops(5), args });
    assert.equal(differs, null);
    assert.match(ours.stderr, /requires ProfileSummaryAnalysis/);
  });

  for (const [option, text, why] of [
    ['-align-all-blocks=4', loops(5), '-align-all-blocks'],
    ['-force-precise-rotation-cost', loops(5), '-force-precise-rotation-cost'],
    ['-mcpu=gfx900', `${loops(5)}# "function_entry_count"\n`, 'functions with a profile'],
    ['-mcpu=gfx900', `${loops(5)}# "llvm.loop.align"\n`, 'loops with llvm.loop.align'],
    [
      '-mcpu=gfx900',
      loops(5).replace('  bb.4:', '  bb.4 (inlineasm-br-indirect-target):'),
      'blocks that exceptions or inline assembly go to',
    ],
  ] as const)
    it(`refuses ${why}`, () => {
      const { stderr, status } = runLlcOnText([...PASS, option, '-o', '-'], text);
      assert.ok(stderr.includes(`does not model ${why} in function 'f5'`), stderr);
      assert.notEqual(status, 0);
    });
});
