/** The control flow of a function, as data and as the table of text. Pressure is that of amdgpu-print-rp, frequencies those of the probabilities. */
import assert from 'node:assert/strict';
import { provideControlFlow } from '../../../../server/src/features/controlFlow/controlFlow.js';
import type { ControlFlow } from '../../../../server/src/features/controlFlow/controlFlowData.js';
import { openText } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr0
    %2:agpr_32 = IMPLICIT_DEF

  bb.1:
    successors: %bb.1(0x60000000), %bb.2(0x20000000)

    %3:vreg_128 = IMPLICIT_DEF
    S_NOP 0, implicit %2, implicit %0, implicit %3
    S_CMP_EQ_U32 %1, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit $scc

  bb.2:
    successors: %bb.3, %bb.4

    %5:sreg_64_xexec = V_CMP_EQ_U32_e64 %0, 0, implicit $exec
    %6:sreg_64 = SI_IF %5, %bb.4, implicit-def dead $exec, implicit-def dead $scc, implicit $exec

  bb.3:
    successors: %bb.4

    S_NOP 0

  bb.4:
    SI_END_CF %6, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_ENDPGM 0

  bb.5:
    S_ENDPGM 0
...
`;

function flowOf(text: string, line = 6): ControlFlow {
  const flow = provideControlFlow(openText(text).snapshot, { position: { line, character: 1 } });
  assert.ok(flow);
  return flow;
}

describe('control flow of a function', () => {
  const flow = flowOf(TEXT);

  it('is a table', () => {
    assert.deepEqual(flow.text.split('\n'), [
      'f, gfx90a wave64: 6 blocks, 1 loop, 1 divergent branch',
      '  bb.0: line 6, 3 instructions, runs 1x, VGPR 1, SGPR 1, AGPR 1; to bb.1',
      '  bb.1: line 14, 4 instructions, runs 4x (estimate), VGPR 5, SGPR 1, AGPR 1, loop header, loop depth 1, live peak; to bb.1 75% (back), bb.2 25%',
      '  bb.2: line 22, 2 instructions, runs 1x, VGPR 1, SGPR 2, divergent branch; to bb.3 50%, bb.4 50%',
      '  bb.3: line 28, 1 instruction, runs 0.5x (estimate), VGPR 0, SGPR 2; to bb.4',
      '  bb.4: line 33, 2 instructions, runs 1x, VGPR 0, SGPR 2, lanes meet',
      '  bb.5: line 37, 1 instruction, VGPR 0, SGPR 0, not reached',
      '',
    ]);
    assert.equal(flow.headline, '6 blocks, 1 loop, 1 divergent branch');
    assert.equal(flow.problem, '');
  });

  it('has heat as a share of the most vector registers, AGPRs of the unified file among them', () => {
    // 5 VGPRs take 8 of the file before an AGPR, 1 takes 4.
    assert.deepEqual(
      flow.blocks.map((b) => b.heat),
      [5 / 9, 1, 1 / 9, 0, 0, 0],
    );
    assert.deepEqual(
      flow.blocks.map((b) => b.isPeak),
      [false, true, false, false, false, false],
    );
    const scalar = flowOf(
      '---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    %0:sreg_32 = S_MOV_B32 0\n\n  bb.1:\n    S_NOP 0, implicit %0\n    S_ENDPGM 0\n...\n',
      1,
    );
    assert.deepEqual(
      scalar.blocks.map((b) => [b.heat, b.isPeak]),
      scalar.blocks.map(() => [0, false]),
    );
    assert.equal(scalar.blocks[0]!.pressure, 'VGPR 0, SGPR 1');
  });

  it('has edges with what is known of them', () => {
    assert.deepEqual(
      flow.edges.map((e) => [e.from, e.to, e.probability, e.isBack]),
      [
        [0, 1, '', false],
        [1, 1, '75%', true],
        [1, 2, '25%', false],
        [2, 3, '50%', false],
        [2, 4, '50%', false],
        [3, 4, '', false],
      ],
    );
  });

  it('has lines up to the next label', () => {
    assert.deepEqual(
      flow.blocks.map((b) => [b.line, b.lastLine]),
      [
        [5, 12],
        [13, 20],
        [21, 26],
        [27, 31],
        [32, 35],
        [36, 37],
      ],
    );
  });

  it('says what is not known', () => {
    const broken = flowOf(TEXT.replace('COPY $vgpr0', 'COPY %9'));
    assert.equal(broken.problem, 'the function has errors: no pressure is known');
    assert.deepEqual(
      broken.blocks.map((b) => [b.pressure, b.heat, b.isPeak]),
      broken.blocks.map(() => ['', -1, false]),
    );
    assert.match(broken.text, /\n {2}bb\.0: line 6, 3 instructions, runs 1x; to bb\.1\n/);
    const foreign = flowOf('# RUN: llc -mtriple=x86_64-- %s\n---\nname: f\nbody: |\n  bb.0:\n    RET64\n...\n', 2);
    assert.deepEqual([foreign.blocks, foreign.edges, foreign.headline], [[], [], '']);
    assert.match(foreign.problem, /x86/);
    const empty = flowOf('# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\n...\n', 2);
    assert.equal(empty.problem, 'no blocks that could be read');
    assert.equal(empty.text, 'no blocks that could be read\n');
  });

  it('counts', () => {
    const of = (body: string): string => flowOf(`---\nname: f\nbody: |\n${body}...\n`, 1).headline;
    assert.equal(of('  bb.0:\n    S_ENDPGM 0\n'), '1 block, no loop, no divergent branch');
    const nested = (more: string): string =>
      '  bb.0:\n    S_NOP 0\n\n  bb.1:\n    S_NOP 0\n\n  bb.2:\n    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n\n' +
      `  bb.3:\n    S_CBRANCH_SCC1 %bb.${more}, implicit undef $scc\n\n  bb.4:\n    S_ENDPGM 0\n`;
    assert.equal(of(nested('1')), '5 blocks, 2 loops, depth 2, no divergent branch');
    assert.equal(of(nested('3')), '5 blocks, 2 loops, no divergent branch');
    const parted = (n: number, v: number): string =>
      `  bb.${n}:\n    successors: %bb.${n + 1}, %bb.${n + 2}\n\n    %${v + 1}:sreg_64 = V_CMP_EQ_U32_e64 %0, 0, implicit $exec\n` +
      `    %${v}:sreg_64 = SI_IF %${v + 1}, %bb.${n + 2}, implicit-def dead $exec, implicit-def dead $scc, implicit $exec\n\n` +
      `  bb.${n + 1}:\n    successors: %bb.${n + 2}\n\n    S_NOP 0\n\n`;
    const lanes = `  bb.0:\n    successors: %bb.1\n    liveins: $vgpr0\n\n    %0:vgpr_32 = COPY $vgpr0\n\n${parted(1, 10)}${parted(3, 20)}  bb.5:\n    S_ENDPGM 0\n`;
    assert.equal(of(lanes), '6 blocks, no loop, 2 divergent branches');
  });
});
