/** Occupancy and live peaks of one function on several targets as a table of plain text. */
import { BANKS } from '../words/pressureText.js';

export interface TargetNumbers {
  /** what asks for it: `gfx90a +xnack` */
  readonly label: string;
  /** what the function really has: `gfx90a wave64`; its attributes go before the options of llc */
  readonly target: string;
  /** waves per EU, and the most that the processor can do; -1 when the pressure is not known */
  readonly occupancy: number;
  readonly most: number;
  /** `VGPR`, `LDS`, ...; empty at the most */
  readonly limiter: string;
  /** registers to free for the next wave: `-3 VGPR` */
  readonly nextWave: string;
  /** most registers live at once, by bank, the place where, and its line from 1 (0 = not known); banks that are not used are left out */
  readonly peaks: readonly {
    readonly bank: string;
    readonly value: number;
    readonly place: string;
    readonly line: number;
  }[];
  /** why there are no numbers, empty if there are */
  readonly problem: string;
}

/** Lines of aligned columns, the first with their titles. Rows without numbers say why after their target. */
export function targetTable(rows: readonly TargetNumbers[]): string[] {
  const banks = BANKS.map(([, bank]) => bank).filter((bank) => rows.some((r) => r.peaks.some((p) => p.bank === bank)));
  const head = ['target', 'occupancy', ...banks.map((bank) => `live peak ${bank}`), 'limited by', 'next wave'];
  const cells = rows.map((r) => [targetRowName(r), ...(r.occupancy < 0 ? [r.problem] : numbersOf(r, banks))]);
  const widths = head.map((title, c) =>
    Math.max(
      title.length,
      ...cells.map((row) => (row.length === head.length ? row[c]!.length : c === 0 ? row[0]!.length : 0)),
    ),
  );
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, c) => (c < row.length - 1 ? cell.padEnd(widths[c]!) : cell))
      .join('  ')
      .trimEnd();
  return [head, ...cells].map(lineOf);
}

/** The same in lines of at most `width` columns where that can be, as a terminal would wrap the rows of a table. */
export function targetRows(rows: readonly TargetNumbers[], width: number): string[] {
  const table = targetTable(rows);
  if (table.every((line) => line.length <= width)) return table;
  const nameWidth = Math.max(...rows.map((r) => targetRowName(r).length));
  return rows.flatMap((r) => {
    const name = targetRowName(r).padEnd(nameWidth);
    if (r.occupancy < 0) return [`${name}  ${r.problem}`];
    const limiter = r.limiter === '' ? '' : `, limited by ${r.limiter}`;
    const lines = [`${name}  occupancy ${r.occupancy} of ${r.most}${limiter}`];
    if (r.nextWave !== '') lines.push(`  next wave ${r.nextWave}`);
    if (r.peaks.length > 0) lines.push(`  live peaks ${r.peaks.map((p) => `${p.bank} ${peakText(p)}`).join(', ')}`);
    return lines;
  });
}

/** `67 at line 121` */
const peakText = ({ value, place, line }: TargetNumbers['peaks'][number]): string =>
  line === 0 ? `${value} at ${place}` : `${value} at line ${line}`;

/** What was asked for, where the target's own name does not say it. */
export const targetRowName = ({ label, target }: Pick<TargetNumbers, 'label' | 'target'>): string => {
  const rest = label.split(' ').slice(1).join(' ');
  return rest === '' ? target : `${target} ${rest}`;
};

const numbersOf = (r: TargetNumbers, banks: readonly string[]): string[] => [
  `${r.occupancy} of ${r.most}`,
  ...banks.map((bank) => {
    const peak = r.peaks.find((p) => p.bank === bank);
    return peak ? peakText(peak) : '-';
  }),
  r.limiter || '-',
  r.nextWave || '-',
];
