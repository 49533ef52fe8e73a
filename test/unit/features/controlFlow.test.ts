/** The control flow view: what the server says of a function, and where its page puts it. */
import assert from 'node:assert/strict';
import { layOutFlow } from '../../../client/webview/flowLayout.js';
import { provideControlFlow } from '../../../server/src/features/controlFlow/controlFlow.js';
import { atCursor } from '../../support/cursor.js';

const LOOP = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none -o - %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0.entry:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr4

  bb.1:
    successors: %bb.1(0x7c000000), %bb.2(0x04000000)

    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    %3:sreg_64 = V_CMP_NE_U32_e64 0, %2, implicit $exec
    %4:sreg_64 = SI_IF %3, %bb.2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.1

  bb.2:
    S_ENDPGM 0, implicit %1

  bb.3:
    S_ENDPGM 0
...
`;

const flowAt = (marked: string): NonNullable<ReturnType<typeof provideControlFlow>> => {
  const { snapshot, position } = atCursor(marked);
  return provideControlFlow(snapshot, { position })!;
};

describe('control flow', () => {
  const flow = flowAt(LOOP.replace('name:', 'name:$0'));

  it('has blocks with frequency, loops, pressure and lanes', () => {
    assert.deepEqual(
      flow.blocks.map((b) => [
        b.name,
        b.line + 1,
        b.lastLine + 1,
        b.instructions,
        b.frequency,
        b.depth,
        b.isLoopHeader,
      ]),
      [
        ['bb.0.entry', 6, 12, 2, '1x', 0, false],
        ['bb.1', 13, 20, 4, '32x', 1, true],
        ['bb.2', 21, 23, 1, '1x', 0, false],
        ['bb.3', 24, 25, 1, '', 0, false],
      ],
    );
    assert.equal(flow.problem, '');
    const [entry, loop, exit] = flow.blocks;
    assert.match(loop!.pressure, /^VGPR 2, SGPR \d$/);
    assert.ok(loop!.isPeak && loop!.heat === 1 && entry!.heat === 0.5 && exit!.heat === 0);
    assert.deepEqual([loop!.isDivergent, entry!.isDivergent], [true, false]);
  });

  it('has edges with probabilities, those around loops apart', () => {
    assert.deepEqual(flow.edges, [
      { from: 0, to: 1, probability: '', isBack: false },
      { from: 1, to: 1, probability: '96.9%', isBack: true },
      { from: 1, to: 2, probability: '3.1%', isBack: false },
    ]);
    assert.equal(flow.headline, '4 blocks, 1 loop, 1 divergent branch');
    assert.match(
      flow.text,
      /bb\.1: line 13, 4 instructions, runs 32x \(estimate\), VGPR 2, SGPR \d, loop header, .*; to bb\.1 96\.9% \(back\), bb\.2 3\.1%\n/,
    );
  });

  it('says what is missing', () => {
    const broken = flowAt(LOOP.replace('%0, %0, implicit', '%0, %77, implicit').replace('name:', 'name:$0'));
    assert.equal(broken.problem, 'the function has errors: no pressure is known');
    assert.equal(broken.blocks.length, 4);
    assert.equal(flowAt('---\nname: g$0\n...\n').problem, 'no blocks that could be read');
    const { snapshot, position } = atCursor('$0');
    assert.equal(provideControlFlow(snapshot, { position }), null);
  });

  it('is laid out from the entry down, without boxes on each other', () => {
    const { boxes, paths, width, height } = layOutFlow(flow);
    assert.ok(boxes[0]!.y + boxes[0]!.height < boxes[1]!.y && boxes[1]!.y + boxes[1]!.height < boxes[2]!.y);
    boxes.forEach((a, k) => {
      assert.ok(0 <= a.x && a.x + a.width <= width && 0 <= a.y && a.y + a.height <= height);
      for (const b of boxes.slice(k + 1))
        assert.ok(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y);
    });
    assert.ok(paths.every((p) => /^M [\d.]+ [\d.]+(?: [QCL] |$)/.test(p.d)) && paths[1]!.label !== null);
  });
});
