/** The chart of the pressure view as geometry: rows, steps, limit lines, bands. Knows neither DOM nor editor. */
import type {
  AllocatedFile,
  PressureProfile,
  ProfileMoment,
  ProfileSeries,
} from '../../server/src/features/pressure/profileData.js';

export interface LimitLine {
  readonly y: number;
  readonly registers: number;
  /** `64: 8 waves`; empty where it would cover the label of the line before */
  readonly label: string;
}

/** One bank. */
export interface Row {
  readonly series: ProfileSeries;
  readonly top: number;
  readonly height: number;
  /** registers at the top of the steps */
  readonly max: number;
  /** SVG path of the steps, and of the area below them */
  readonly line: string;
  readonly area: string;
  readonly limits: readonly LimitLine[];
  /** steps of the highest allocated register, empty where that is not known */
  readonly reach: string;
}

export interface Band {
  readonly x: number;
  readonly width: number;
  readonly label: string;
  readonly isOdd: boolean;
}

export interface Chart {
  readonly width: number;
  readonly height: number;
  /** number of points */
  readonly n: number;
  readonly rows: readonly Row[];
  readonly regions: readonly Band[];
  readonly blocks: readonly Band[];
}

const ROW_HEIGHT = 110;
const FIRST_ROW_HEIGHT = 190;
const ROW_GAP = 14;
/** Room for the names of the blocks and regions above the rows. */
const TOP = 36;
/** Labels nearer to each other than this cannot be read. */
const LABEL_DISTANCE = 12;
/** Pixels of a letter, and of the room around a label. */
const LETTER = 7;
const HEADROOM = 1.02;
/** Room for the name of a row above its steps. */
const NAME_HEIGHT = 16;

/** O(points). @param width pixels of the drawing area */
export function layOut(profile: PressureProfile, width: number): Chart {
  const n = profile.lines.length;
  let top = TOP;
  const rows = profile.series.map((series, k): Row => {
    const height = k === 0 ? FIRST_ROW_HEIGHT : ROW_HEIGHT;
    const row = rowOf(series, profile.allocated.find((f) => f.name === series.name) ?? null, top, height, width);
    top += height + ROW_GAP;
    return row;
  });
  const bandOf = (from: number, to: number, name: string, k: number): Band => {
    const x = xOf(from, n, width);
    const room = xOf(to, n, width) - x;
    return { x, width: room, label: name.length * LETTER < room ? name : '', isOdd: k % 2 === 1 };
  };
  return {
    width,
    height: top,
    n,
    rows,
    regions: profile.regions.map((r, k) => bandOf(r.from, r.to, `region ${r.region}`, k)),
    blocks: profile.blocks.map((b, k) => bandOf(b.from, b.to, b.name, k)),
  };
}

/** One moment of the function below the others; all have one scale. */
export interface MomentRow {
  readonly moment: ProfileMoment;
  readonly line: string;
  readonly area: string;
  /** blocks in loops, those side by side as one */
  readonly loops: readonly Band[];
  /** y of the limits within the row */
  readonly limits: readonly number[];
  /** where the most is, -1 = nowhere */
  readonly peak: { readonly x: number; readonly y: number };
}

export const MOMENT_HEIGHT = 48;

/** O(points). @param width pixels of the drawing area */
export function layOutMoments({ moments, series }: PressureProfile, width: number): MomentRow[] {
  const most = moments.flatMap(({ values }) => values).reduce((a, b) => Math.max(a, b), 1);
  const y = (value: number): number => round(MOMENT_HEIGHT - (value / (most * HEADROOM)) * MOMENT_HEIGHT);
  const limits = (series[0]?.limits ?? [])
    .filter(({ registers }) => registers <= most)
    .map(({ registers }) => y(registers));
  return moments.map((moment): MomentRow => {
    const { values, peak, blocks } = moment;
    const n = values.length;
    const line = steps(values, width, y);
    const loops: Band[] = [];
    for (const [k, { from, to, loopDepth, name }] of blocks.entries()) {
      if (loopDepth === 0 || from === to) continue;
      const [x, end] = [xOf(from, n, width), xOf(to, n, width)];
      const last = loops.at(-1);
      const isNext = last !== undefined && (blocks[k - 1]?.loopDepth ?? 0) > 0;
      if (isNext) loops[loops.length - 1] = { ...last, width: end - last.x };
      else loops.push({ x, width: end - x, label: `loop ${name}`, isOdd: false });
    }
    const at = peak < 0 ? { x: -1, y: -1 } : { x: xOf(peak + 0.5, n, width), y: y(values[peak]!) };
    return { moment, line, area: line === '' ? '' : `${line}V${MOMENT_HEIGHT}H0Z`, loops, limits, peak: at };
  });
}

/** Left edge of a point. */
export const xOf = (point: number, n: number, width: number): number => (n === 0 ? 0 : (point / n) * width);

/** The point at a pixel, within the function. */
export const pointAt = (x: number, { n, width }: Chart): number =>
  Math.max(0, Math.min(n - 1, Math.floor((x / width) * n)));

/** The last point whose line is at or above a line of the file; -1 where the function begins below it or ended above. */
export function pointOfLine({ lines }: PressureProfile, line: number): number {
  if (lines.length === 0 || line < lines[0]! || lines[lines.length - 1]! < line) return -1;
  let lo = 0;
  let hi = lines.length - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (lines[mid]! <= line) lo = mid;
    else hi = mid - 1;
  }
  return lo;
}

function rowOf(
  series: ProfileSeries,
  allocated: AllocatedFile | null,
  top: number,
  height: number,
  width: number,
): Row {
  const { values, limits } = series;
  const reach = allocated?.reach ?? [];
  const most = [...values, ...reach].reduce((a, b) => Math.max(a, b), 1);
  // The next limit above the peak is in sight: it says how much room is left.
  const above = limits.filter((l) => most <= l.registers).reduce((a, l) => Math.min(a, l.registers), Infinity);
  const max = Math.max(most, Number.isFinite(above) && above <= most * 2 ? above : most) * HEADROOM;
  const y = (value: number): number => round(top + height - (value / max) * (height - NAME_HEIGHT));
  const line = steps(values, width, y);
  const bottom = top + height;
  let lastLabel = -Infinity;
  const lines = limits
    .filter((l) => l.registers <= max)
    .map((l): LimitLine => {
      const at = y(l.registers);
      const hasRoom = LABEL_DISTANCE <= Math.abs(at - lastLabel);
      if (hasRoom) lastLabel = at;
      const label = hasRoom ? `${l.registers}: ${l.waves} ${l.waves === 1 ? 'wave' : 'waves'}` : '';
      return { y: at, registers: l.registers, label };
    });
  return { series, top, height, max, line, area: `${line}V${bottom}H0Z`, limits: lines, reach: steps(reach, width, y) };
}

const round = (n: number): number => Math.round(n * 10) / 10;

/** A step per point; where points are narrower than pixels, from the least to the most of each pixel. */
function steps(values: readonly number[], width: number, y: (value: number) => number): string {
  const n = values.length;
  let path = '';
  const columns = Math.max(1, Math.floor(width));
  if (n <= columns) {
    values.forEach((value, k) => {
      path += `${k === 0 ? 'M0 ' : 'V'}${y(value)}H${round(xOf(k + 1, n, width))}`;
    });
    return path;
  }
  for (let c = 0; c < columns; c++) {
    const from = Math.floor((c * n) / columns);
    const to = Math.max(from + 1, Math.floor(((c + 1) * n) / columns));
    let least = Infinity;
    let most = 0;
    for (let k = from; k < to; k++) {
      least = Math.min(least, values[k]!);
      most = Math.max(most, values[k]!);
    }
    path += `${c === 0 ? 'M0 ' : 'V'}${y(least)}V${y(most)}H${c + 1}`;
  }
  return path;
}
