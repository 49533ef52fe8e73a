/**
 * `amdgpu-mir check --baseline`: whether functions end worse than in an earlier report, or with `--allocate` are allocated worse. A function is the one of the same name, for the
 * same processor, in the same file, however either report spells that: relative, absolute, through a link, or `-`.
 */
import { realpathSync } from 'node:fs';
import { basename, isAbsolute, normalize, resolve, sep } from 'node:path';
import type { CheckBaseline, CheckDiagnostic, CheckFile, CheckFunction, CheckTarget } from './checkTypes.js';

/** What is compared: what llc ends with, or what the allocator makes of functions as they stand. */
export interface Gate {
  readonly isAllocated: boolean;
  /** by column, how much worse it may become; of outcomes alone */
  readonly tolerance: ReadonlyMap<string, number>;
}

/** Numbers by column; null: llc says nothing of it. */
type Numbers = Readonly<Record<string, unknown>>;

/** A function of the earlier report. */
interface Before {
  readonly file: string;
  readonly name: string;
  readonly key: string;
  readonly numbers: Numbers;
  /** a function was compared with it */
  isMet: boolean;
}

const STDIN = '-';

/** Names a function within a file. */
const keyOf = ({ cpu, wavefrontSize, name }: Pick<CheckFunction, 'cpu' | 'wavefrontSize' | 'name'>): string =>
  JSON.stringify([cpu || null, wavefrontSize, name]);

/** The functions of an earlier `check --json` and what has become of them. */
export class Baseline {
  private readonly byFile = new Map<string, Map<string, Before>>();
  /** the baseline's file for a file that is checked */
  private fileFor: ReadonlyMap<string, string> = new Map();
  private compared = 0;
  private readonly fresh: string[] = [];

  private constructor(private readonly gate: Gate) {}

  /** A message when the text is no such report. */
  static read(text: string, gate: Gate): Baseline | string {
    let report: unknown;
    try {
      report = JSON.parse(text);
    } catch {
      return 'not valid JSON';
    }
    const { files } = (report ?? {}) as { readonly files?: unknown };
    if (!Array.isArray(files)) return 'not a report of check --json';
    const baseline = new Baseline(gate);
    for (const file of files as readonly (Partial<CheckFile> | null)[])
      for (const target of [file, ...(file?.otherTargets ?? [])] as readonly (Partial<CheckTarget> | null)[])
        for (const fn of target?.functions ?? []) {
          const numbers = numbersOf(fn, gate);
          if (numbers) baseline.add(file?.file ?? '', fn, numbers);
        }
    if (baseline.byFile.size > 0) return baseline;
    return gate.isAllocated
      ? 'it has no function that was allocated (check --allocate --json makes it)'
      : 'it has no function of which is known what llc ends with (check --json makes it)';
  }

  private add(file: string, fn: CheckFunction, numbers: Numbers): void {
    const functions = this.byFile.get(file) ?? new Map<string, Before>();
    this.byFile.set(file, functions);
    const key = keyOf(fn);
    functions.set(key, { file, name: fn.name, key, numbers, isMet: false });
  }

  /** To be told, before the first comparison, of all files that are going to be checked. */
  expect(files: readonly string[]): void {
    this.fileFor = pairFiles(files, [...this.byFile.keys()]);
  }

  /** What is worse: waves, spills, scratch, as errors; and, as information, functions that the baseline does not have. */
  compare({ file, functions, otherTargets }: CheckFile): CheckDiagnostic[] {
    const found: CheckDiagnostic[] = [];
    for (const fn of [functions, ...otherTargets.map((t) => t.functions)].flat()) {
      const before = this.find(file, fn);
      if (before === null) {
        if (numbersOf(fn, this.gate) === null) continue;
        this.fresh.push(`${nameOf(fn)} (${file})`);
        found.push(finding('information', 'not-in-baseline', `${nameOf(fn)} is not in the baseline`, fn.line));
        continue;
      }
      before.isMet = true;
      this.compared++;
      const worse = worseOf(before.numbers, numbersOf(fn, this.gate), this.gate);
      if (worse.length === 0) continue;
      const message = `${nameOf(fn)} is worse than in the baseline: ${worse.join(', ')}`;
      found.push(finding('error', this.gate.isAllocated ? 'allocation-worse' : 'outcome-worse', message, fn.line));
    }
    return found;
  }

  /** To be asked when every file has been compared. */
  result(): CheckBaseline {
    const gone = [...this.byFile.values()].flatMap((functions) => [...functions.values()].filter((f) => !f.isMet));
    return { compared: this.compared, fresh: this.fresh, gone: gone.map((f) => `${nameOf(f)} (${f.file})`) };
  }

  private find(file: string, fn: CheckFunction): Before | null {
    const key = keyOf(fn);
    const own = this.fileFor.get(file);
    if (own !== undefined) return this.byFile.get(own)!.get(key) ?? null;
    // Standard input has no name: there the function's own has to do.
    if (file !== STDIN) return this.byFile.get(STDIN)?.get(key) ?? null;
    const taken = new Set(this.fileFor.values());
    const found = [...this.byFile].flatMap(([other, functions]) =>
      taken.has(other) ? [] : (functions.get(key) ?? []),
    );
    return found.length === 1 ? found[0]! : null;
  }
}

const nameOf = ({ name }: { readonly name: string }): string => name || '(no name)';

const finding = (severity: 'error' | 'information', code: string, message: string, line: number): CheckDiagnostic => ({
  severity,
  code,
  message,
  line,
  column: 1,
  endLine: line,
  endColumn: 1,
});

/** Of an older report, or of one that somebody wrote, a number may be missing. */
const numbersOf = (fn: CheckFunction, { isAllocated }: Gate): Numbers | null =>
  ((isAllocated ? fn.allocation : fn.outcome) ?? null) as Numbers | null;

/** Key, words, and whether more is worse (1) or less (-1). */
type Column = readonly [key: string, words: string, sign: 1 | -1];

const ALLOCATED: readonly Column[] = [
  ['occupancy', 'occupancy', -1],
  ['spilled', 'registers spilled', 1],
  ['saves', 'saves', 1],
  ['reloads', 'reloads', 1],
  ['scratchBytes', 'bytes of scratch', 1],
];

/** What a kernel pays for. */
const ENDED: readonly Column[] = [
  ['waves', 'waves', -1],
  ['vgprSpills', 'VGPRs spilled', 1],
  ['sgprSpills', 'SGPRs spilled', 1],
  ['scratchBytes', 'bytes of scratch', 1],
];

/** Compared where a tolerance is given: as long as the waves stay, more of them cost nothing. */
const ON_REQUEST: readonly Column[] = [
  ['vgpr', 'VGPRs', 1],
  ['agpr', 'AGPRs', 1],
  ['totalVgpr', 'VGPRs and AGPRs', 1],
  ['sgpr', 'SGPRs', 1],
  ['ldsBytes', 'bytes of LDS', 1],
];

/** Names that a tolerance may have. */
export const TOLERANCE_COLUMNS: readonly string[] = [...ENDED, ...ON_REQUEST].map(([key]) => key);

function worseOf(before: Numbers, now: Numbers | null, { isAllocated, tolerance }: Gate): string[] {
  if (now === null) return [isAllocated ? 'not allocated any more' : 'what llc ends with is not known any more'];
  const columns = isAllocated ? ALLOCATED : [...ENDED, ...ON_REQUEST.filter(([key]) => tolerance.has(key))];
  return columns.flatMap(([key, words, sign]) => {
    const [from, to] = [before[key], now[key]];
    if (typeof from !== 'number' || typeof to !== 'number') return [];
    return (to - from) * sign > (tolerance.get(key) ?? 0) ? [`${words} ${from} -> ${to}`] : [];
  });
}

/**
 * The file of the baseline for each of `files` that has one. Paths that lead to the same file go first; of the others one that is relative may
 * have been written down in another folder, and is the file that ends in all of it, if there is but one.
 */
function pairFiles(files: readonly string[], baseline: readonly string[]): Map<string, string> {
  const pairs = new Map<string, string>();
  const names = new Set(baseline);
  const byPlace = new Map(baseline.map((file) => [placeOf(file), file]));
  for (const file of files) {
    const same = names.has(file) ? file : byPlace.get(placeOf(file));
    if (same !== undefined) pairs.set(file, same);
  }
  const taken = new Set(pairs.values());
  const open = groupByName(baseline.filter((file) => !taken.has(file)));
  const wanted = new Map<string, string[]>();
  for (const file of files) {
    if (pairs.has(file)) continue;
    const others = (open.get(basename(file)) ?? []).filter((other) => endsIn(file, other));
    if (others.length === 1) wanted.set(others[0]!, [...(wanted.get(others[0]!) ?? []), file]);
  }
  for (const [other, by] of wanted) if (by.length === 1) pairs.set(by[0]!, other);
  return pairs;
}

function groupByName(files: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const group = groups.get(basename(file));
    if (group === undefined) groups.set(basename(file), [file]);
    else group.push(file);
  }
  return groups;
}

/** Absolute and without links; what does not exist here has none. */
function placeOf(file: string): string {
  if (file === STDIN) return STDIN;
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

/** Is one of the paths, a relative one, the end of the other, as `sub/a.mir` of `/x/sub/a.mir`? */
function endsIn(a: string, b: string): boolean {
  const [short, long] = [normalize(a), normalize(b)].sort((x, y) => x.length - y.length) as [string, string];
  return !isAbsolute(short) && long.endsWith(`${sep}${short}`);
}
