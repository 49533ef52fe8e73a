/** The page of the log view: a chart over the passes, left to right, and a table. */
import type { LogGraph, LogPoint } from '../../server/src/features/machineLog/logGraphData.js';
import { content, element, headline, html, listen, post, problem, status, svg, table, title } from './page.js';

const STEP = 14;
const MARGIN = { left: 46, right: 54, top: 12, bottom: 24 };
const HEIGHT = 220;
const BANKS = ['vgpr', 'sgpr', 'agpr'] as const;
type Series = (typeof BANKS)[number] | 'instructions';
const NAMES: Readonly<Record<Series, string>> = {
  ...{ vgpr: 'VGPR', sgpr: 'SGPR', agpr: 'AGPR', instructions: 'instructions' },
};

const chart = element<HTMLDivElement>('chart');
let shown: LogGraph | null = null;
let current = 0;

function show(next: LogGraph): void {
  shown = next;
  content.hidden = next.points.length === 0;
  problem.textContent = next.problem;
  title.textContent = next.function;
  headline.textContent = next.headline;
  current = Math.min(current, Math.max(0, next.points.length - 1));
  draw(next);
  fillTable(next);
  tell();
}

const middle = (k: number): number => MARGIN.left + (k + 0.5) * STEP;

function draw({ points }: LogGraph): void {
  const width = MARGIN.left + points.length * STEP + MARGIN.right;
  const bottom = HEIGHT - MARGIN.bottom;
  const picture = svg('svg', { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true' });
  points.forEach(({ isChanged }, k) => {
    if (!isChanged)
      picture.append(
        svg('rect', {
          class: 'same',
          x: MARGIN.left + k * STEP,
          y: MARGIN.top,
          width: STEP,
          height: bottom - MARGIN.top,
        }),
      );
  });
  const most = (series: readonly Series[]): number =>
    Math.max(1, ...series.flatMap((name) => points.map((p) => p[name] ?? 0)));
  const [registers, instructions] = [most(BANKS), most(['instructions'])];
  const right = MARGIN.left + points.length * STEP;
  for (const [x, top, anchor] of [
    [MARGIN.left, registers, 'end'],
    [right, instructions, 'start'],
  ] as const) {
    picture.append(svg('line', { class: 'axis', x1: x, x2: x, y1: MARGIN.top, y2: bottom }));
    const at = x + (anchor === 'end' ? -5 : 5);
    picture.append(svg('text', { x: at, y: MARGIN.top + 8, 'text-anchor': anchor }, String(top)));
    picture.append(svg('text', { x: at, y: bottom, 'text-anchor': anchor }, '0'));
  }
  picture.append(svg('line', { class: 'axis', x1: MARGIN.left, x2: right, y1: bottom, y2: bottom }));
  let left = MARGIN.left;
  for (const name of [...BANKS, 'instructions'] as const) {
    const top = name === 'instructions' ? instructions : registers;
    if (name === 'agpr' && points.every(({ agpr }) => (agpr ?? 0) === 0)) continue;
    const y = (value: number): number => bottom - ((bottom - MARGIN.top) * value) / top;
    picture.append(svg('path', { class: `line ${name}`, d: pathOf(points, name, y) }));
    points.forEach((p, k) => {
      const value = p[name];
      if (value !== null && p.isChanged)
        picture.append(svg('circle', { class: `dot ${name}`, cx: middle(k), cy: y(value), r: 2 }));
    });
    picture.append(svg('line', { class: `line ${name}`, x1: left, x2: left + 18, y1: HEIGHT - 6, y2: HEIGHT - 6 }));
    picture.append(svg('text', { class: 'name', x: left + 22, y: HEIGHT - 2 }, NAMES[name]));
    left += 40 + 8 * NAMES[name].length;
  }
  picture.append(svg('rect', { class: 'cursor', id: 'here', y: MARGIN.top, width: STEP, height: bottom - MARGIN.top }));
  chart.replaceChildren(picture);
}

/** Steps; a gap where a number is missing. */
function pathOf(points: readonly LogPoint[], name: Series, y: (value: number) => number): string {
  let path = '';
  let isOpen = false;
  points.forEach((p, k) => {
    const value = p[name];
    if (value !== null) path += `${isOpen ? 'L' : 'M'} ${middle(k)} ${y(value)} `;
    isOpen = value !== null;
  });
  return path;
}

function fillTable({ points }: LogGraph): void {
  const head = html('tr');
  for (const name of ['pass', 'instructions', 'VGPR', 'SGPR', 'AGPR', 'waves']) {
    const cell = html('th', name);
    cell.scope = 'col';
    head.append(cell);
  }
  const thead = html('thead');
  const tbody = html('tbody');
  thead.append(head);
  for (const p of points) {
    const row = html('tr');
    if (!p.isChanged) row.className = 'same';
    const first = html('th');
    first.scope = 'row';
    const button = html('button', p.pass);
    button.addEventListener('click', () => post({ kind: 'goTo', line: p.line }));
    first.append(button);
    row.append(first);
    for (const value of [p.instructions, p.vgpr, p.sgpr, p.agpr, p.waves])
      row.append(html('td', value === null ? '-' : String(value)));
    tbody.append(row);
  }
  table.replaceChildren(html('caption', 'Passes'), thead, tbody);
}

/** What is known of the pass under the mark. */
function tell(): void {
  const p = shown?.points[current];
  if (!p) return;
  const number = (name: string, value: number | null): string[] => (value === null ? [] : [`${name} ${value}`]);
  const parts = [
    `${p.instructions} instructions`,
    ...number('VGPR', p.vgpr),
    ...number('SGPR', p.sgpr),
    ...(p.agpr === 0 ? [] : number('AGPR', p.agpr)),
    ...number('waves', p.waves),
    ...(p.isAllocated ? ['allocated'] : []),
    ...(p.errors > 0 ? [`${p.errors} errors`] : []),
    ...(p.isChanged ? [] : ['unchanged']),
  ];
  status.textContent = `${p.pass}: ${parts.join(', ')}`;
  element<SVGRectElement>('here').setAttribute('x', String(MARGIN.left + current * STEP));
  chart.setAttribute('aria-valuemax', String((shown?.points.length ?? 1) - 1));
  chart.setAttribute('aria-valuenow', String(current));
  chart.setAttribute('aria-valuetext', status.textContent);
}

function pointAt({ clientX }: MouseEvent): number {
  const k = Math.floor((clientX - chart.getBoundingClientRect().left - MARGIN.left) / STEP);
  return Math.max(0, Math.min((shown?.points.length ?? 1) - 1, k));
}

chart.addEventListener('mousemove', (event) => {
  current = pointAt(event);
  tell();
});
const open = (): void => {
  const p = shown?.points[current];
  if (p) post({ kind: 'goTo', line: p.line });
};
chart.addEventListener('click', (event) => {
  current = pointAt(event);
  tell();
  open();
});
chart.addEventListener('keydown', (event) => {
  const points = shown?.points ?? [];
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (event.key === 'Enter') open();
  else if (event.key === 'Home') current = 0;
  else if (event.key === 'End') current = Math.max(0, points.length - 1);
  else if (step === 0) return;
  else {
    let next = current + step;
    while (points[next] !== undefined && !points[next]!.isChanged) next += step;
    if (points[next] !== undefined) current = next;
  }
  event.preventDefault();
  tell();
});

listen<LogGraph>({
  show,
  cursor: (line) => {
    const k = shown?.points.findIndex((p) => p.line <= line && line <= p.lastLine) ?? -1;
    if (k < 0) return;
    current = k;
    tell();
  },
  clear: () => {
    shown = null;
  },
});
