/** The page of the control flow view: draws what the extension sends, tells it what was clicked. */
import type { ControlFlow, FlowBlock } from '../../server/src/features/controlFlow/controlFlowData.js';
import { layOutFlow, MAX_BLOCKS } from './flowLayout.js';
import { content, element, headline, html, listen, post, problem, status, svg, table, title } from './page.js';

const LINE_HEIGHT = 15;
const PADDING = 8;

const graphBox = element<HTMLDivElement>('graph');

let flow: ControlFlow | null = null;
let cursorLine = -1;
/** the boxes, by block */
let nodes: SVGGElement[] = [];
/** the block that has the focus, or would get it */
let current = 0;
let scale = 1;

// -- drawing -------------------------------------------------------------------------------------------------------

function show(next: ControlFlow): void {
  flow = next;
  content.hidden = false;
  title.textContent = next.function;
  headline.textContent = `${next.headline === '' ? '' : `${next.headline}  |  `}${next.target}, LLVM ${next.llvm}`;
  const isTooLarge = next.blocks.length > MAX_BLOCKS;
  problem.textContent = isTooLarge
    ? `${next.blocks.length} blocks are too many for a picture: see the table`
    : next.problem;
  current = Math.min(current, Math.max(0, next.blocks.length - 1));
  fillTable(next);
  if (isTooLarge) {
    nodes = [];
    graphBox.replaceChildren();
  } else draw(next);
  followCursor();
}

function draw(next: ControlFlow): void {
  const { width, height, boxes, paths } = layOutFlow(next);
  const picture = svg('svg', {
    width: width * scale,
    height: height * scale,
    viewBox: `0 0 ${width} ${height}`,
    role: 'group',
  });
  picture.setAttribute('aria-label', `Control flow of ${next.function}`);
  const marker = svg('marker', {
    id: 'arrow',
    viewBox: '0 0 8 8',
    refX: 7,
    refY: 4,
    markerWidth: 7,
    markerHeight: 7,
    orient: 'auto',
  });
  marker.append(svg('path', { class: 'tip', d: 'M 0 0 L 8 4 L 0 8 z' }));
  const defs = svg('defs', {});
  defs.append(marker);
  picture.append(defs);
  paths.forEach(({ d, label }, k) => {
    const { from, isBack, probability } = next.edges[k]!;
    const isDivergent = next.blocks[from]!.isDivergent;
    const kind = `edge${isBack ? ' back' : ''}${isDivergent ? ' divergent' : ''}`;
    picture.append(svg('path', { class: kind, d, 'marker-end': 'url(#arrow)', 'aria-hidden': 'true' }));
    if (label)
      picture.append(
        svg('text', { class: 'probability', x: label.x, y: label.y + 4, 'aria-hidden': 'true' }, probability),
      );
  });
  nodes = boxes.map(({ x, y, width: w, height: h, lines }, k) => {
    const block = next.blocks[k]!;
    const group = svg('g', { class: classOf(block), role: 'button', tabindex: k === current ? 0 : -1 });
    group.setAttribute('aria-label', `${block.name}, ${describe(k)}`);
    group.append(svg('rect', { class: 'box', x, y, width: w, height: h, rx: 3 }));
    // The heat is a bar as long as the share, so that it is there without colours, too.
    if (block.heat >= 0)
      group.append(
        svg('rect', {
          class: 'heat',
          x,
          y: y + h - 4,
          width: Math.max(1, w * block.heat),
          height: 4,
          opacity: 0.35 + 0.65 * block.heat,
        }),
      );
    lines.forEach((line, n) =>
      group.append(
        svg(
          'text',
          { class: n === 0 ? 'name' : 'fact', x: x + PADDING, y: y + PADDING + LINE_HEIGHT * (n + 0.75) },
          line,
        ),
      ),
    );
    group.addEventListener('click', () => {
      focus(k);
      goTo(k);
    });
    group.addEventListener('focus', () => {
      current = k;
      status.textContent = `${block.name}: ${describe(k)}`;
    });
    picture.append(group);
    return group;
  });
  graphBox.replaceChildren(picture);
}

const classOf = ({ isLoopHeader, depth, isPeak, isDivergent, isJoin, frequency }: FlowBlock): string =>
  [
    'block',
    ...(depth > 0 ? [`depth${Math.min(3, depth)}`] : []),
    ...(isLoopHeader ? ['header'] : []),
    ...(isPeak ? ['peak'] : []),
    ...(isDivergent ? ['divergent'] : []),
    ...(isJoin ? ['join'] : []),
    ...(frequency === '' ? ['dead'] : []),
  ].join(' ');

/** `lines 12 to 20, 7 instructions, runs 31x per call (estimate from branch probabilities), loop depth 1, VGPR 67; goes to bb.2 75%` */
function describe(k: number): string {
  const { blocks, edges } = flow!;
  const b = blocks[k]!;
  const to = edges
    .filter((e) => e.from === k)
    .map((e) => `${blocks[e.to]!.name}${e.probability && ` ${e.probability}`}${e.isBack ? ', around the loop' : ''}`);
  const facts = [
    `lines ${b.line + 1} to ${b.lastLine + 1}`,
    `${b.instructions} instruction${b.instructions === 1 ? '' : 's'}`,
    b.frequency === ''
      ? 'not reached'
      : `runs ${b.frequency} per call${b.frequency === '1x' ? '' : ' (estimate from branch probabilities)'}`,
    ...(b.depth > 0 ? [`${b.isLoopHeader ? 'header of a loop, ' : ''}loop depth ${b.depth}`] : []),
    ...(b.pressure === '' ? [] : [`${b.pressure}${b.isPeak ? ' (the live peak)' : ''}`]),
    ...(b.isDivergent ? ['divergent branch'] : []),
    ...(b.isJoin ? ['lanes meet'] : []),
  ];
  return `${facts.join(', ')}; ${to.length > 0 ? `goes to ${to.join(', ')}` : 'goes nowhere'}`;
}

/** What assistive technology and people who like numbers read instead of the picture. */
function fillTable({ blocks, edges }: ControlFlow): void {
  const head = html('tr');
  for (const name of [
    'block',
    'line',
    'instructions',
    'runs per call (estimate)',
    'loop depth',
    'pressure',
    'lanes',
    'goes to',
  ]) {
    const cell = html('th', name);
    cell.scope = 'col';
    head.append(cell);
  }
  const rows = blocks.map((b, k) => {
    const row = html('tr');
    const first = html('th');
    first.scope = 'row';
    const jump = html('button', b.name);
    jump.addEventListener('click', () => goTo(k));
    first.append(jump);
    const lanes = [...(b.isDivergent ? ['part'] : []), ...(b.isJoin ? ['meet'] : [])].join(', ');
    const to = edges
      .filter((e) => e.from === k)
      .map((e) => `${blocks[e.to]!.name}${e.probability && ` ${e.probability}`}`);
    const cells = [
      String(b.line + 1),
      String(b.instructions),
      b.frequency || 'not reached',
      String(b.depth),
      b.pressure,
      lanes,
      to.join(', '),
    ];
    row.append(first, ...cells.map((c) => html('td', c)));
    return row;
  });
  const thead = html('thead');
  const tbody = html('tbody');
  thead.append(head);
  tbody.append(...rows);
  table.replaceChildren(html('caption', 'Blocks in the order of the text'), thead, tbody);
}

// -- selection -----------------------------------------------------------------------------------------------------

/** Marks the block of the cursor and brings it into sight, unless the focus is in the picture. */
function followCursor(): void {
  const here = flow?.blocks.findIndex((b) => b.line <= cursorLine && cursorLine <= b.lastLine) ?? -1;
  nodes.forEach((node, k) => {
    node.classList.toggle('here', k === here);
    if (k === here) node.setAttribute('aria-current', 'location');
    else node.removeAttribute('aria-current');
  });
  if (here < 0 || !flow) {
    status.textContent = flow ? 'the cursor is outside of the blocks' : '';
    return;
  }
  if (!graphBox.contains(document.activeElement)) setCurrent(here);
  status.textContent = `${flow.blocks[here]!.name}: ${describe(here)}`;
  if (nodes[here] && !graphBox.contains(document.activeElement))
    nodes[here].scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function setCurrent(k: number): void {
  nodes[current]?.setAttribute('tabindex', '-1');
  current = k;
  nodes[k]?.setAttribute('tabindex', '0');
}

function focus(k: number): void {
  setCurrent(k);
  nodes[k]?.focus();
}

function goTo(k: number): void {
  const line = flow?.blocks[k]?.line;
  if (line !== undefined) post({ kind: 'goTo', line });
}

/** Where a key leads from a block; null for keys that do nothing here. */
function moved(key: string): number | null {
  const { blocks, edges } = flow!;
  switch (key) {
    case 'ArrowDown':
      return (
        edges.find((e) => e.from === current && !e.isBack)?.to ?? edges.find((e) => e.from === current)?.to ?? current
      );
    case 'ArrowUp':
      return edges.find((e) => e.to === current && !e.isBack)?.from ?? current;
    case 'ArrowRight':
      return Math.min(blocks.length - 1, current + 1);
    case 'ArrowLeft':
      return Math.max(0, current - 1);
    case 'Home':
      return 0;
    case 'End':
      return blocks.length - 1;
    case 'p':
      return Math.max(
        0,
        blocks.findIndex((b) => b.isPeak),
      );
    default:
      return null;
  }
}

graphBox.addEventListener('keydown', (event) => {
  if (!flow || nodes.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Enter' || event.key === ' ') goTo(current);
  else if (event.key === '+' || event.key === '-') zoom(event.key === '+' ? 1.25 : 0.8);
  else {
    const to = moved(event.key);
    if (to === null) return;
    focus(to);
  }
  event.preventDefault();
});

const MIN_SCALE = 0.25;
const MAX_SCALE = 2;

function zoom(by: number): void {
  scale = Math.max(MIN_SCALE, Math.min(MAX_SCALE, scale * by));
  if (flow && nodes.length > 0) {
    const hadFocus = graphBox.contains(document.activeElement);
    draw(flow);
    followCursor();
    if (hadFocus) focus(current);
  }
}

element<HTMLButtonElement>('closer').addEventListener('click', () => zoom(1.25));
element<HTMLButtonElement>('farther').addEventListener('click', () => zoom(0.8));

listen<ControlFlow>({
  show,
  cursor: (line) => {
    cursorLine = line;
    followCursor();
  },
  clear: () => {
    flow = null;
    nodes = [];
  },
});
