/** branch-relaxation, as llc-22: branches that do not reach, with few bits for distances, and those that do. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';

const filler = Array.from({ length: 12 }, () => '    $vgpr0 = V_ADD_U32_e64 $vgpr0, 77777, 0, implicit $exec').join(
  '\n',
);

const TEXT = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.3
    liveins: $vgpr0, $scc
    S_CBRANCH_SCC1 %bb.3, implicit $scc
  bb.1:
    successors: %bb.2, %bb.1
    liveins: $vgpr0, $scc
${filler.replaceAll('$vgpr0, 77777', '$vgpr0, $vgpr0')}
    S_CBRANCH_SCC0 %bb.1, implicit $scc
  bb.2:
    successors: %bb.3
    liveins: $vgpr0, $scc
    $vgpr0 = V_MOV_B32_e32 77777, implicit $exec
    $sgpr4 = S_MOV_B32 77777
    INLINEASM &"s_nop 0\\0As_nop 1 ; twice", 1
  bb.3:
    liveins: $vgpr0
    S_ENDPGM 0, implicit $vgpr0
...
`;

describe('branch-relaxation', () => {
  for (const [cpu, bits] of [
    ['gfx900', 5],
    ['gfx900', 6],
    ['gfx1010', 6],
    ['gfx1100', 6],
    ['gfx900', 16],
  ] as const)
    it(`on ${cpu} with ${bits} bits`, function () {
      needsLlc(this);
      const args = ['-mtriple=amdgcn', `-mcpu=${cpu}`, '-run-pass=branch-relaxation', `-amdgpu-s-branch-bits=${bits}`];
      const { differs, llc } = runLlcJob({ name: cpu, text: TEXT, args: [...args, '-simplify-mir'] });
      assert.equal(differs, null);
      assert.equal(llc.stdout.includes('S_GETPC_B64'), bits < 16);
    });
});
