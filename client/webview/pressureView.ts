/** The page of the pressure view: draws what the extension sends, tells it what was clicked. */
import type { PressureProfile, ProfileMoment } from '../../server/src/features/pressure/profileData.js';
import {
  layOut,
  layOutMoments,
  MOMENT_HEIGHT,
  pointAt,
  pointOfLine,
  xOf,
  type Chart,
  type MomentRow,
} from './chartModel.js';
import { content, element, headline, html, listen, post, problem, status, svg, table, title } from './page.js';

/** Room for the names of the limits beside the rows. */
const MARGIN_RIGHT = 92;
const MIN_WIDTH = 160;

const targets = element<HTMLSelectElement>('target');
const chartBox = element<HTMLDivElement>('chart');
const momentsBox = element<HTMLElement>('moments');
const momentRows = element<HTMLDivElement>('moment-rows');

let profile: PressureProfile | null = null;
let chart: Chart | null = null;
/** the point that is marked: under the cursor of the file, or chosen with the keys */
let selected = -1;
let cursorLine = -1;

// -- drawing -------------------------------------------------------------------------------------------------------

function show(next: PressureProfile): void {
  profile = next;
  content.hidden = false;
  title.textContent = next.function;
  const note = next.allocatedNote === '' ? '' : `  |  not allocated: ${next.allocatedNote}`;
  headline.textContent = `${next.headline === '' ? '' : `${next.headline}  |  `}${next.target}, LLVM ${next.llvm}${note}`;
  problem.textContent =
    next.problem === '' || next.lines.length === 0
      ? next.problem
      : `${next.problem}; the numbers are those from before`;
  content.classList.toggle('stale', next.problem !== '');
  targets.replaceChildren(
    ...next.targets.map((label, k) => {
      const option = html('option', label);
      option.value = String(k);
      option.selected = k === next.activeTarget;
      return option;
    }),
  );
  targets.disabled = next.targets.length < 2;
  if (next.activeTarget < 0) {
    const own = html('option', next.target);
    own.selected = true;
    targets.prepend(own);
  }
  fillTable(next);
  draw();
}

function draw(): void {
  if (!profile) return;
  const width = Math.max(MIN_WIDTH, chartBox.clientWidth - MARGIN_RIGHT);
  chart = layOut(profile, width);
  const { rows, regions, blocks, height } = chart;
  const picture = svg('svg', { width: width + MARGIN_RIGHT, height, 'aria-hidden': 'true', focusable: 'false' });
  for (const band of regions)
    picture.append(
      svg('rect', { class: `region${band.isOdd ? ' odd' : ''}`, x: band.x, y: 0, width: band.width, height }),
    );
  for (const row of rows) {
    const group = svg('g', { class: `bank ${classOf(row.series.name)}` });
    group.append(svg('path', { class: 'area', d: row.area }), svg('path', { class: 'line', d: row.line }));
    if (row.reach !== '') group.append(svg('path', { class: 'reach', d: row.reach }));
    for (const limit of row.limits) {
      group.append(svg('line', { class: 'limit', x1: 0, x2: width, y1: limit.y, y2: limit.y }));
      if (limit.label !== '')
        group.append(svg('text', { class: 'limit-label', x: width + 5, y: limit.y + 4 }, limit.label));
    }
    const { peak, values, name } = row.series;
    group.append(svg('line', { class: 'axis', x1: 0, x2: width, y1: row.top + row.height, y2: row.top + row.height }));
    const allocated = profile.allocated.find((f) => f.name === name);
    const most = peak < 0 ? name : `${name}, live peak ${values[peak]}`;
    // The name of the file stands before both.
    const words = allocated === undefined ? most : `${most}; allocated${allocated.text.slice(name.length)}`;
    group.append(svg('text', { class: 'name', x: 4, y: row.top + 11 }, words));
    picture.append(group);
  }
  for (const block of blocks) {
    picture.append(svg('line', { class: 'block', x1: block.x, x2: block.x, y1: 0, y2: height }));
    picture.append(svg('text', { class: 'block-label', x: block.x + 3, y: 12 }, block.label));
  }
  for (const band of regions) picture.append(svg('text', { class: 'block-label', x: band.x + 3, y: 27 }, band.label));
  picture.append(svg('line', { id: 'mark', class: 'mark', y1: 0, y2: height }));
  chartBox.replaceChildren(picture);
  drawMoments(width);
  for (const label of picture.querySelectorAll<SVGTextElement>('text.name')) fit(label, width + MARGIN_RIGHT - 8);
  followCursor();
}

/** The function before and after, one above the other. */
function drawMoments(width: number): void {
  const { moments, series } = profile!;
  // What stands above says it of the only one.
  momentsBox.hidden = moments.length < 2;
  if (momentsBox.hidden) return;
  element('moments-title').textContent = `${series[0]!.name} before and after`;
  momentRows.replaceChildren(...layOutMoments(profile!, width).map((row) => momentOf(row, series[0]!.name, width)));
}

function momentOf({ moment, line, area, loops, limits, peak }: MomentRow, bank: string, width: number): HTMLElement {
  const figure = html('figure');
  const caption = html('figcaption', `${moment.name}: `);
  const at = moment.lines[moment.peak] ?? -1;
  if (at < 0) caption.append(moment.most);
  else {
    const jump = html('button', moment.most);
    jump.title = moment.held;
    jump.addEventListener('click', () => post({ kind: 'goTo', line: at }));
    caption.append(jump);
  }
  if (moment.held !== '') {
    const held = html('span', `  ${moment.held}`);
    held.className = 'held';
    caption.append(held);
  }
  const picture = svg('svg', {
    ...{ width, height: MOMENT_HEIGHT, class: `moment bank ${classOf(bank)}` },
    ...{ 'aria-hidden': 'true', focusable: 'false' },
  });
  for (const loop of loops) {
    const band = svg('rect', { class: 'loop', x: loop.x, y: 0, width: loop.width, height: MOMENT_HEIGHT });
    band.append(svg('title', {}, loop.label));
    picture.append(band);
  }
  picture.append(svg('path', { class: 'area', d: area }), svg('path', { class: 'line', d: line }));
  for (const y of limits) picture.append(svg('line', { class: 'limit', x1: 0, x2: width, y1: y, y2: y }));
  picture.append(svg('line', { class: 'axis', x1: 0, x2: width, y1: MOMENT_HEIGHT, y2: MOMENT_HEIGHT }));
  if (moment.peak >= 0) {
    const dot = svg('circle', { class: 'peak', cx: peak.x, cy: peak.y, r: 4 });
    dot.append(svg('title', {}, [moment.most, ...(moment.held === '' ? [] : [moment.held])].join('; ')));
    picture.append(dot);
  }
  const n = moment.values.length;
  const pointOf = (event: MouseEvent): number =>
    Math.max(0, Math.min(n - 1, Math.floor(((event.clientX - picture.getBoundingClientRect().left) / width) * n)));
  picture.addEventListener('mousemove', (event) => (status.textContent = describeMoment(moment, bank, pointOf(event))));
  picture.addEventListener('mouseleave', () => select(selected));
  picture.addEventListener('click', (event) => {
    const to = moment.lines[pointOf(event)] ?? -1;
    if (to >= 0) post({ kind: 'goTo', line: to });
  });
  figure.append(caption, picture);
  return figure;
}

/** `scheduled, line 106, bb.1:3, in a loop: VGPR 19` */
function describeMoment(
  { name, lines, values, blocks, peak, held }: ProfileMoment,
  bank: string,
  point: number,
): string {
  const block = blocks.find((b) => b.from <= point && point < b.to);
  const line = lines[point] ?? -1;
  const place = [
    name,
    ...(line < 0 ? [] : [`line ${line + 1}`]),
    ...(block ? [`${block.name}:${point - block.from}`] : []),
    ...((block?.loopDepth ?? 0) > 0 ? ['in a loop'] : []),
  ];
  const who = point === peak && held !== '' ? ` (${held})` : '';
  return `${place.join(', ')}: ${bank} ${values[point] ?? 0}${who}`;
}

/** Words for which there is no room end earlier, with a mark; the pointer shows them all. */
function fit(label: SVGTextElement, room: number): void {
  const words = label.textContent;
  let parts = words.split('; ');
  while (parts.length > 1 && label.getComputedTextLength() > room) {
    parts = parts.slice(0, -1);
    label.textContent = `${parts.join('; ')}…`;
  }
  label.append(svg('title', {}, words));
}

const classOf = (name: string): string => (name.includes('+') ? 'both' : name.toLowerCase());

/** What assistive technology and people who like numbers read instead of the picture. */
function fillTable({ series, blocks, allocated }: PressureProfile): void {
  const head = html('tr');
  for (const name of [
    'block',
    'line',
    'instructions',
    ...series.map((s) => `most ${s.name}`),
    ...allocated.map((f) => `allocated ${f.name}`),
  ]) {
    const cell = html('th', name);
    cell.scope = 'col';
    head.append(cell);
  }
  const rows = blocks.map(({ name, line, from, to }) => {
    const row = html('tr');
    const first = html('th');
    first.scope = 'row';
    const jump = html('button', name);
    jump.addEventListener('click', () => post({ kind: 'goTo', line }));
    first.append(jump);
    row.append(first, html('td', String(line + 1)), html('td', String(to - from)));
    for (const s of series)
      row.append(html('td', String(s.values.slice(from, to).reduce((a, b) => Math.max(a, b), 0))));
    for (const f of allocated)
      row.append(html('td', String(f.reach.slice(from, to).reduce((a, b) => Math.max(a, b), 0))));
    return row;
  });
  const caption = html('caption', 'Most registers live at once, block by block');
  const thead = html('thead');
  const tbody = html('tbody');
  thead.append(head);
  tbody.append(...rows);
  table.replaceChildren(caption, thead, tbody);
}

// -- selection -----------------------------------------------------------------------------------------------------

function followCursor(): void {
  select(profile ? pointOfLine(profile, cursorLine) : -1);
}

function select(point: number): void {
  selected = point;
  const mark = document.getElementById('mark');
  if (!profile || !chart || !mark) return;
  mark.classList.toggle('hidden', point < 0);
  chartBox.setAttribute('aria-valuemax', String(Math.max(0, chart.n - 1)));
  chartBox.setAttribute('aria-valuenow', String(Math.max(0, point)));
  const text = point < 0 ? 'the cursor is outside of the function' : describe(point);
  chartBox.setAttribute('aria-valuetext', text);
  status.textContent = text;
  if (point < 0) return;
  const x = String(xOf(point + 0.5, chart.n, chart.width));
  mark.setAttribute('x1', x);
  mark.setAttribute('x2', x);
}

/** `line 124, bb.1, region 4: VGPR 67, SGPR 22` */
function describe(point: number): string {
  const { lines, series, blocks, regions, allocated } = profile!;
  const block = blocks.find((b) => b.from <= point && point < b.to);
  const region = regions.find((r) => r.from <= point && point < r.to);
  const numbers = series
    .map((s) => {
      const file = allocated.find((f) => f.name === s.name);
      if (file === undefined) return `${s.name} ${s.values[point]}`;
      const [used, reach, gap] = [file.used[point]!, file.reach[point]!, file.widestGap[point]!];
      const holes = used === reach ? '' : `, ${reach - used} free below, ${gap} side by side`;
      return `${s.name} ${s.values[point]} (allocated ${used} up to ${reach}${holes})`;
    })
    .join(', ');
  const place = [
    `line ${lines[point]! + 1}`,
    ...(block ? [block.name] : []),
    ...(region ? [`region ${region.region}`] : []),
  ];
  return `${place.join(', ')}: ${numbers}`;
}

function goTo(point: number): void {
  const line = profile?.lines[point];
  if (line !== undefined) post({ kind: 'goTo', line });
}

const eventPoint = (event: MouseEvent): number =>
  chart ? pointAt(event.clientX - chartBox.getBoundingClientRect().left, chart) : -1;

chartBox.addEventListener('click', (event) => {
  select(eventPoint(event));
  goTo(selected);
});
chartBox.addEventListener('mousemove', (event) => {
  const point = eventPoint(event);
  if (0 <= point) status.textContent = describe(point);
});
chartBox.addEventListener('mouseleave', () => select(selected));

/** Where a key leads from a point; null for keys that do nothing here. */
function moved(key: string, from: number): number | null {
  const { blocks, series } = profile!;
  const last = chart!.n - 1;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return from - 1;
    case 'ArrowRight':
    case 'ArrowUp':
      return from + 1;
    case 'PageUp':
      return blocks.filter((b) => b.from < from).at(-1)?.from ?? 0;
    case 'PageDown':
      return blocks.find((b) => from < b.from)?.from ?? last;
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'p':
      return series[0]?.peak ?? from;
    default:
      return null;
  }
}

chartBox.addEventListener('keydown', (event) => {
  if (!profile || !chart || chart.n === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Enter' || event.key === ' ') goTo(selected);
  else {
    const to = moved(event.key, Math.max(0, selected));
    if (to === null) return;
    select(Math.max(0, Math.min(chart.n - 1, to)));
  }
  event.preventDefault();
});
targets.addEventListener('change', () => {
  if (targets.value !== '') post({ kind: 'target', index: Number(targets.value) });
});

new ResizeObserver(() => draw()).observe(chartBox);
listen<PressureProfile>({
  show,
  cursor: (line) => {
    cursorLine = line;
    followCursor();
  },
  clear: () => {
    profile = null;
    chart = null;
  },
});
