/** Places of blocks and paths of edges in the control flow view. Knows neither DOM nor editor. */
import { Graph, layout } from '@dagrejs/dagre';
import type { ControlFlow } from '../../server/src/features/controlFlow/controlFlowData.js';

export interface BlockBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
}

export interface EdgePath {
  /** of an SVG path */
  readonly d: string;
  readonly label: { readonly x: number; readonly y: number } | null;
}

export interface FlowLayout {
  readonly width: number;
  readonly height: number;
  /** by block */
  readonly boxes: readonly BlockBox[];
  /** by edge */
  readonly paths: readonly EdgePath[];
}

/** Larger functions are a table only: nobody reads such a picture, and the layout takes seconds. */
export const MAX_BLOCKS = 300;

const LETTER = 7;
const LINE_HEIGHT = 15;
const PADDING = 8;
const MIN_WIDTH = 90;
const MARGIN = 12;
/** How far the arrow of a loop of one block reaches to the right of its box. */
const LOOP_REACH = 26;
/** Between such an arrow and its label. */
const LOOP_GAP = 4;

/** Layers from the entry down, edges as smooth paths through the points that the layout gives them. */
export function layOutFlow({ blocks, edges }: ControlFlow): FlowLayout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 36, marginx: MARGIN, marginy: MARGIN });
  const texts = blocks.map((b) => [
    b.name,
    [timesText(b.frequency), ...(b.depth > 0 ? [`depth ${b.depth}`] : [])].join(', '),
    ...(b.pressure === '' ? [] : [b.pressure]),
    ...(b.isDivergent || b.isJoin
      ? [[...(b.isDivergent ? ['divergent branch'] : []), ...(b.isJoin ? ['lanes meet'] : [])].join(', ')]
      : []),
  ]);
  texts.forEach((lines, k) =>
    graph.setNode(String(k), {
      width: Math.max(MIN_WIDTH, ...lines.map((l) => l.length * LETTER)) + 2 * PADDING,
      height: lines.length * LINE_HEIGHT + 2 * PADDING,
    }),
  );
  edges.forEach(({ from, to, probability }, k) =>
    graph.setEdge(
      String(from),
      String(to),
      {
        width: probability.length * LETTER + (from === to ? LOOP_REACH + LOOP_GAP : 0),
        height: probability === '' ? 0 : LINE_HEIGHT,
        labelpos: 'c',
      },
      String(k),
    ),
  );
  layout(graph);
  const ways = edges.map(({ from, to }, k) =>
    from === to ? [] : graph.edge(String(from), String(to), String(k)).points,
  );
  // The layout leaves room for blocks and labels; edges may pass on the outside of both.
  const outer = ways.flat();
  const [left, top] = [minOf(outer, 'x'), minOf(outer, 'y')].map((least) => Math.max(0, MARGIN - least)) as [
    number,
    number,
  ];
  const boxes = texts.map((lines, k) => {
    const { x, y, width, height } = graph.node(String(k));
    return { x: left + x - width / 2, y: top + y - height / 2, width, height, lines };
  });
  const paths = edges.map(({ from, to, probability }, k): EdgePath => {
    if (from === to) return loopOf(boxes[from]!, probability);
    const { x, y } = graph.edge(String(from), String(to), String(k));
    const label = probability !== '' && x !== undefined && y !== undefined ? { x: left + x, y: top + y } : null;
    return { d: smooth(ways[k]!.map((p) => ({ x: left + p.x, y: top + p.y }))), label };
  });
  const { width = 0, height = 0 } = graph.graph();
  const [right, bottom] = [-minOf(outer, 'x', -1), -minOf(outer, 'y', -1)];
  return {
    width: left + Math.max(width, right + MARGIN),
    height: top + Math.max(height, bottom + MARGIN),
    boxes,
    paths,
  };
}

/** A share of probabilities, unless it is the whole: `32x (estimate)`. */
const timesText = (frequency: string): string =>
  frequency === '' ? 'not reached' : frequency === '1x' ? frequency : `${frequency} (estimate)`;

/** The least of one coordinate, or with `sign` -1 the negative of the most; infinite without points. */
const minOf = (points: readonly { readonly x: number; readonly y: number }[], of: 'x' | 'y', sign = 1): number =>
  points.reduce((least, p) => Math.min(least, sign * p[of]), Infinity);

/** Around to the right of the box: out of its lower half, back into its upper half. The layout keeps the room as wide as the edge is said to be. */
function loopOf({ x, y, width, height }: BlockBox, probability: string): EdgePath {
  const right = x + width;
  const [top, bottom] = [y + height * 0.25, y + height * 0.75];
  // A Bézier curve reaches three quarters of the way to its handles.
  const handle = right + LOOP_REACH / 0.75;
  const at = (px: number, py: number): string => `${px.toFixed(1)} ${py.toFixed(1)}`;
  const d = `M ${at(right, bottom)} C ${at(handle, bottom)} ${at(handle, top)} ${at(right, top)}`;
  const labelX = right + LOOP_REACH + LOOP_GAP + (probability.length * LETTER) / 2;
  return { d, label: probability === '' ? null : { x: labelX, y: y + height / 2 } };
}

/** Through the middles between points, with the points as handles; straight at both ends. */
function smooth(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const at = (p: { x: number; y: number }): string => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`;
  let d = `M ${at(first)}`;
  rest.forEach((p, k) => {
    const next = rest[k + 1];
    d += next ? ` Q ${at(p)} ${at({ x: (p.x + next.x) / 2, y: (p.y + next.y) / 2 })}` : ` L ${at(p)}`;
  });
  return d;
}
