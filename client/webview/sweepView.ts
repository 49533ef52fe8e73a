/** The page of the sweep view: a table that is filled while it is computed. */
import { content, element, headline, html, listen, post, problem, status, table, title } from './page.js';
import {
  bestValues,
  cellsOf,
  COLUMNS,
  isFinished,
  nextOrder,
  orderOf,
  type Order,
  type SweepTable,
  type SweepTableRow,
} from './sweepModel.js';

const form = element<HTMLFormElement>('form');
const vary = element<HTMLInputElement>('vary');
const product = element<HTMLInputElement>('product');
const cancel = element<HTMLButtonElement>('cancel');
const progress = element<HTMLProgressElement>('progress');

let shown: SweepTable | null = null;
let order: Order | null = null;

function show(next: SweepTable): void {
  if (shown?.function !== next.function) vary.value = next.vary;
  shown = next;
  content.hidden = false;
  content.classList.toggle('stale', next.isStale);
  title.textContent = next.function;
  headline.textContent = `${next.target}, ${next.llvm}`;
  problem.textContent = next.problem;
  cancel.disabled = !next.isRunning;
  const { done } = next;
  progress.max = Math.max(1, next.rows.length);
  progress.value = done;
  progress.hidden = !next.isRunning;
  status.textContent = next.isRunning
    ? `${done} of ${next.rows.length} settings`
    : next.isStale
      ? 'The text has changed: these are the numbers from before. Sweep asks again.'
      : done < next.rows.length
        ? `cancelled: ${next.rows.length - done} of ${next.rows.length} settings are not computed`
        : '';
  fill(next);
}

function fill({ rows }: SweepTable): void {
  // What the table is made anew of must not take the keys away from who works with it.
  const focused = (document.activeElement as HTMLElement | null)?.dataset.key;
  const head = html('tr');
  head.append(headCell('setting', 'options of llc and attributes of the functions', -1));
  for (const [k, own] of COLUMNS.entries()) head.append(headCell(own.name, own.title, k));
  const best = bestValues(rows);
  const thead = html('thead');
  const tbody = html('tbody');
  thead.append(head);
  tbody.append(...orderOf(rows, order).map((k) => rowOf(rows[k]!, k, best)));
  table.replaceChildren(html('caption', 'What llc ends with'), thead, tbody);
  if (focused !== undefined) table.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus();
}

function headCell(name: string, words: string, column: number): HTMLTableCellElement {
  const cell = html('th');
  cell.scope = 'col';
  const isSorted = order?.column === column;
  cell.setAttribute('aria-sort', !isSorted ? 'none' : order!.isDescending ? 'descending' : 'ascending');
  const arrow = !isSorted ? '' : order!.isDescending ? ' ↓' : ' ↑';
  const button = html('button', name + arrow);
  button.title = `${words}; sorts`;
  button.dataset.key = `column ${column}`;
  button.addEventListener('click', () => {
    order = nextOrder(order, column);
    if (shown) fill(shown);
  });
  cell.append(button);
  return cell;
}

function rowOf(own: SweepTableRow, k: number, best: readonly (number | null)[]): HTMLTableRowElement {
  const row = html('tr');
  if (k === 0) row.className = 'present';
  const first = html('th');
  first.scope = 'row';
  if (k === 0) first.append(own.label);
  else first.append(action(own.label, 'compare', k, isFinished(own.row)));
  if (k > 0 && isFinished(own.row)) first.append(' ', action('apply', 'apply', k, true));
  row.append(first);
  if (!isFinished(own.row)) {
    const cell = html('td', own.row === null ? '…' : own.row.failed);
    cell.colSpan = COLUMNS.length;
    cell.className = 'failed';
    row.append(cell);
    return row;
  }
  for (const [c, { text, value }] of cellsOf(own).entries()) {
    const cell = html('td', text);
    if (value !== null && value === best[c]) cell.className = 'best';
    row.append(cell);
  }
  return row;
}

function action(text: string, name: 'compare' | 'apply', row: number, isEnabled: boolean): HTMLButtonElement {
  const button = html('button', text);
  button.dataset.key = `${name} ${row}`;
  button.disabled = !isEnabled;
  button.className = name;
  const label = shown?.rows[row]?.label ?? '';
  button.title = name === 'compare' ? 'Compare what llc ends with' : `Make ${label} an edit of the file`;
  if (name === 'apply') button.setAttribute('aria-label', `apply ${label}`);
  button.addEventListener('click', () => post({ kind: 'act', name, value: String(row) }));
  return button;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  post({ kind: 'act', name: product.checked ? 'product' : 'sweep', value: vary.value });
});
cancel.addEventListener('click', () => post({ kind: 'act', name: 'cancel', value: '' }));

listen<SweepTable>({
  show,
  cursor: () => undefined,
  clear: () => {
    shown = null;
  },
});
