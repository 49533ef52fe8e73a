/** branch-relaxation, as llc-22: branches that do not reach, with few bits for distances, and those that do. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { branchyFunctions } from '../../support/branchyFunctions.js';
import { Random } from '../../support/damageInputs.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { RANDOM_CPUS } from '../../support/randomInstrs.js';
import { runLlcOnText } from '../../support/schedule.js';
import { runsOr, seedOr } from '../../support/switches.js';

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

  for (const [k, [cpu, features]] of RANDOM_CPUS.entries())
    it(`random functions on ${cpu} ${features}`, function () {
      needsLlc(this);
      const n = runsOr(2);
      this.timeout(n * 5000 + 60_000);
      const random = new Random(seedOr(1) * 7919 + k);
      const functions = branchyFunctions(random, n, [cpu, features]);
      const bits = 4 + random.below(5);
      const args = ['-mtriple=amdgcn', `-mcpu=${cpu}`, `-mattr=${features}`, `-amdgpu-s-branch-bits=${bits}`];
      const run = [...args, '-run-pass=branch-relaxation', '-simplify-mir'];
      // llc dies of some that are refused, and never ends with others.
      const taken = functions.filter(
        (text) => !runLlcOnText([...run, '-o', '-'], text).stderr.includes('does not model'),
      );
      const { differs } = runLlcJob({ name: cpu, text: taken.join(''), args: run });
      assert.equal(differs, null);
    });

  // Without '.space' in it, a line of assembly may be the longest instruction.
  for (const asm of [
    '.space 40',
    '.space  -4',
    '.space 4;c',
    '.space 4 + 4',
    '.space',
    '.space\\0A 44',
    ';x\\0A .space 32\\0Ax',
  ])
    it(`a branch over ${asm}`, function () {
      needsLlc(this);
      const block = (n: number, to: number, code: string): string =>
        `  bb.${n}:\n    successors: %bb.${n + 1}, %bb.${to}\n    ${code}\n    S_CBRANCH_SCC0 %bb.${to}, implicit $scc\n`;
      const body = Array.from({ length: 8 }, (_, b) =>
        block(b, b + 2, `INLINEASM &"${asm}", 1\n${'    S_NOP 0\n'.repeat(b)}`),
      );
      const text = `---\nname: f\nbody: |\n${body.join('')}  bb.8:\n    S_ENDPGM 0\n  bb.9:\n    S_ENDPGM 0\n...\n`;
      const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=branch-relaxation', '-amdgpu-s-branch-bits=5'];
      assert.equal(runLlcJob({ name: asm, text, args }).differs, null);
    });
});
