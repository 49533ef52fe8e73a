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

/** Layers from the entry down, edges as smooth paths through the points that the layout gives them. */
export function layOutFlow({ blocks, edges }: ControlFlow): FlowLayout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 36, marginx: MARGIN, marginy: MARGIN });
  const texts = blocks.map((b) => [
    b.name,
    [b.frequency || 'not reached', ...(b.depth > 0 ? [`depth ${b.depth}`] : [])].join(', '),
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
      { width: probability.length * LETTER, height: probability === '' ? 0 : LINE_HEIGHT, labelpos: 'c' },
      String(k),
    ),
  );
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const boxes = texts.map((lines, k) => {
    const node = graph.node(String(k));
    return { x: node.x - node.width / 2, y: node.y - node.height / 2, width: node.width, height: node.height, lines };
  });
  const paths = edges.map(({ from, to, probability }, k): EdgePath => {
    const edge = graph.edge(String(from), String(to), String(k));
    const label = probability !== '' && edge.x !== undefined && edge.y !== undefined ? { x: edge.x, y: edge.y } : null;
    return { d: smooth(edge.points), label };
  });
  return { width, height, boxes, paths };
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
