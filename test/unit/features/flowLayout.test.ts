/** Where the page of the control flow view puts blocks and edges: what holds for any graph. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { layOutFlow, type FlowLayout } from '../../../client/webview/flowLayout.js';
import type { ControlFlow, FlowBlock, FlowEdge } from '../../../server/src/features/controlFlow/controlFlowData.js';

const blockNamed = (name: string): FlowBlock => ({
  name,
  line: 0,
  lastLine: 0,
  instructions: 1,
  frequency: '1x',
  depth: 0,
  isLoopHeader: false,
  pressure: 'VGPR 1, SGPR 1',
  heat: 1,
  isPeak: false,
  isDivergent: false,
  isJoin: false,
});

function flowOf(blocks: number, edges: readonly Pick<FlowEdge, 'from' | 'to' | 'probability'>[]): ControlFlow {
  const names = Array.from({ length: blocks }, (_, k) => blockNamed(`bb.${k}`));
  const all = edges.map((e) => ({ ...e, isBack: e.to <= e.from }));
  return { function: 'f', target: '', llvm: '', blocks: names, edges: all, headline: '', problem: '', text: '' };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const pointsOf = (d: string): Point[] =>
  [...d.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map((m) => ({ x: Number(m[1]), y: Number(m[2]) }));

/** Points along a path of `M`, `Q`, `C` and `L`. */
function alongOf(d: string): Point[] {
  const found: Point[] = [];
  let here: Point = { x: 0, y: 0 };
  for (const [, kind, numbers] of d.matchAll(/([MQCL]) ([-\d. ]+)/g)) {
    const handles = kind === 'M' ? pointsOf(numbers!) : [here, ...pointsOf(numbers!)];
    for (let t = 0; t <= 1; t += 0.05) {
      // de Casteljau
      let row = handles;
      while (row.length > 1)
        row = row.slice(1).map((q, k) => ({ x: row[k]!.x * (1 - t) + q.x * t, y: row[k]!.y * (1 - t) + q.y * t }));
      found.push(row[0]!);
    }
    here = handles.at(-1)!;
    found.push(here);
  }
  return found;
}

function assertWhole({ width, height, boxes, paths }: FlowLayout, edges: ControlFlow['edges']): void {
  const off = 0.1;
  const touches = (p: Point, k: number): boolean => {
    const { x, y, width: w, height: h } = boxes[k]!;
    const isInside = x - off <= p.x && p.x <= x + w + off && y - off <= p.y && p.y <= y + h + off;
    const isDeep = x + off < p.x && p.x < x + w - off && y + off < p.y && p.y < y + h - off;
    return isInside && !isDeep;
  };
  paths.forEach(({ d, label }, k) => {
    const { from, to } = edges[k]!;
    const along = alongOf(d);
    for (const p of along)
      assert.ok(
        0 <= p.x && p.x <= width && 0 <= p.y && p.y <= height,
        `edge ${from} to ${to} leaves the picture: ${d}`,
      );
    assert.ok(touches(along[0]!, from), `edge ${from} to ${to} begins off its block: ${d}`);
    assert.ok(touches(along.at(-1)!, to), `edge ${from} to ${to} ends off its block: ${d}`);
    if (label) {
      const half = edges[k]!.probability.length * 3.5;
      assert.ok(0 <= label.x - half && label.x + half <= width && 0 <= label.y && label.y <= height);
    }
  });
}

describe('layout of the control flow', () => {
  it('a loop of one block leaves it on the right and comes back to it above, clear of the box, with its label beside it', () => {
    const { edges, ...flow } = flowOf(3, [
      { from: 0, to: 1, probability: '' },
      { from: 1, to: 1, probability: '96.9%' },
      { from: 1, to: 2, probability: '3.1%' },
    ]);
    const layout = layOutFlow({ ...flow, edges });
    assertWhole(layout, edges);
    const box = layout.boxes[1]!;
    const { d, label } = layout.paths[1]!;
    const points = alongOf(d);
    const [first, last] = [points[0]!, points.at(-1)!];
    assert.ok(first.x === last.x && first.x === Number((box.x + box.width).toFixed(1)));
    // Into the upper half, so that it reads as "from the end to the beginning".
    assert.ok(box.y < last.y && last.y < box.y + box.height / 2 && box.y + box.height / 2 < first.y);
    const reach = Math.max(...points.map((p) => p.x)) - first.x;
    assert.ok(20 <= reach && first.x + reach < label!.x - 10, `${reach}, label at ${label!.x}`);
    // The arrow comes from the right.
    assert.ok(points.at(-3)!.x > last.x);
  });

  it('every edge is whole and inside of the picture, whatever the graph', () => {
    const graph = fc.integer({ min: 1, max: 9 }).chain((blocks) =>
      fc.tuple(
        fc.constant(blocks),
        fc.uniqueArray(
          fc.record({
            from: fc.nat(blocks - 1),
            to: fc.nat(blocks - 1),
            probability: fc.constantFrom('', '50%', '96.9%'),
          }),
          { maxLength: 16, selector: ({ from, to }) => `${from} ${to}` },
        ),
      ),
    );
    fc.assert(
      fc.property(graph, ([blocks, edges]) => {
        const flow = flowOf(blocks, edges);
        assertWhole(layOutFlow(flow), flow.edges);
      }),
      { numRuns: 60 },
    );
  });
});
