/** Which instructions and registers of two versions of a function are the same, so that what became of them can be compared. */
import { OperandKind, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { isVirtualReg, type VRegId } from '../model/register.js';

/** A function and the text of its instructions. */
export interface AlignedSide {
  readonly fn: MachineFunction;
  readonly textOf: (i: InstrId) => string;
}

export interface FunctionAlignment {
  /** by instruction of the first, that of the second; -1 = it has none */
  readonly instrs: Int32Array;
  /** by instruction of the second */
  readonly back: Int32Array;
  /** by register of the first: what the second defines, or else reads, at the same place; -1 = nothing */
  readonly vregs: Int32Array;
  /** instructions of either that the other does not have */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** instructions of both whose memory operands or flags differ */
  readonly changed: number;
}

/** Edits beyond which the exact way would take too long. */
const MAX_EDITS = 1000;
/** Share of the instructions that are alike without the names of registers which have to be alike with them, or names mean nothing. */
const SAME_NAMES = 0.9;

/** O(instructions x edits), edits at most MAX_EDITS */
export function alignFunctions(first: AlignedSide, second: AlignedSide): FunctionAlignment {
  const [a, b] = [linesOf(first), linesOf(second)];
  let pairs = alignLines(a.named, b.named);
  if (pairs.length < Math.min(a.named.length, b.named.length)) {
    const loose = alignLines(a.loose, b.loose);
    if (pairs.length < SAME_NAMES * loose.length) pairs = loose;
  }
  const instrs = new Int32Array(first.fn.nInstrs).fill(-1);
  const back = new Int32Array(second.fn.nInstrs).fill(-1);
  let changed = 0;
  let nInstrs = 0;
  for (const [k, l] of pairs) {
    const [i, j] = [a.instrs[k]!, b.instrs[l]!];
    // The head of a block.
    if (i < 0 || j < 0) continue;
    instrs[i] = j;
    back[j] = i;
    nInstrs++;
    if (withoutNames(first.textOf(i)) !== withoutNames(second.textOf(j))) changed++;
  }
  const count = ({ instrs: own }: Lines): number => own.reduce((n, i) => n + (i < 0 ? 0 : 1), 0);
  return {
    ...{ instrs, back, changed },
    vregs: alignRegisters(first.fn, second.fn, instrs),
    onlyFirst: count(a) - nInstrs,
    onlySecond: count(b) - nInstrs,
  };
}

interface Lines {
  readonly named: readonly string[];
  readonly loose: readonly string[];
  /** -1: the head of a block */
  readonly instrs: readonly InstrId[];
}

const COMMENT = /\s+;.*$/;
const MEMORY = / :: .*$/;
const FLAGS = /\b(?:killed|dead|renamable) /g;
/** A register, in contrast to blocks, slots and values of the embedded module. */
const REGISTER = /%(?!(?:bb|stack|fixed-stack|ir|ir-block|const|jump-table|subreg)\.)[-\w.$]+/g;
const DEBUG = /, debug-(?:location|instr-number) [^,]*/g;

/** Without what does not decide which instruction it is. */
const plain = (text: string): string =>
  text.split('\n', 1)[0]!.replace(COMMENT, '').replace(MEMORY, '').replace(DEBUG, '').replace(FLAGS, '').trim();

const withoutNames = (text: string): string =>
  text.split('\n', 1)[0]!.replace(COMMENT, '').replace(DEBUG, '').replace(REGISTER, '%').trim();

function linesOf({ fn, textOf }: AlignedSide): Lines {
  const named: string[] = [];
  const loose: string[] = [];
  const instrs: InstrId[] = [];
  const add = (line: string, i: InstrId): void => {
    named.push(line);
    loose.push(line.replace(REGISTER, '%'));
    instrs.push(i);
  };
  for (let b = 0; b < fn.blocks.length; b++) {
    add('(block)', -1);
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) add(plain(textOf(fn.order[p]!)), fn.order[p]!);
  }
  return { named, loose, instrs };
}

/** Pairs of places with equal lines, ascending in both. */
function alignLines(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) pairs.push([from, from++]);
  let [endA, endB] = [a.length, b.length];
  const tail: [number, number][] = [];
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) tail.push([--endA, --endB]);
  const words = new Map<string, number>();
  const idOf = (line: string): number => {
    const known = words.get(line) ?? words.size;
    words.set(line, known);
    return known;
  };
  const ids = (list: readonly string[], end: number): Int32Array => Int32Array.from(list.slice(from, end), idOf);
  const [x, y] = [ids(a, endA), ids(b, endB)];
  const middle = shortestEdit(x, y) ?? uniqueLines(x, y);
  return [...pairs, ...middle.map(([k, l]): [number, number] => [from + k, from + l]), ...tail.reverse()];
}

/**
 * The greedy algorithm of Myers, "An O(ND) difference algorithm and its variations" (1986): the furthest place on each diagonal after d edits. Null beyond
 * MAX_EDITS.
 */
function shortestEdit(x: Int32Array, y: Int32Array): [number, number][] | null {
  const [n, m] = [x.length, y.length];
  const most = Math.min(n + m, MAX_EDITS);
  const furthest = new Int32Array(2 * most + 3);
  const mid = most + 1;
  const kept: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    kept.push(furthest.slice(mid - d - 1, mid + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const isDown = k === -d || (k !== d && furthest[mid + k - 1]! < furthest[mid + k + 1]!);
      let at = isDown ? furthest[mid + k + 1]! : furthest[mid + k - 1]! + 1;
      while (at < n && at - k < m && x[at] === y[at - k]) at++;
      furthest[mid + k] = at;
      if (at >= n && at - k >= m) return pathOf(kept, n, m);
    }
  }
  return null;
}

/** `kept[d]` has the diagonals -d-1 to d+1 before step d. */
function pathOf(kept: readonly Int32Array[], n: number, m: number): [number, number][] {
  const pairs: [number, number][] = [];
  let [at, to] = [n, m];
  for (let d = kept.length - 1; d >= 0; d--) {
    const before = (k: number): number => kept[d]![k + d + 1]!;
    const k = at - to;
    const isDown = k === -d || (k !== d && before(k - 1) < before(k + 1));
    const from = d === 0 ? 0 : isDown ? before(k + 1) : before(k - 1) + 1;
    while (at > from && at - k > 0) {
      at--;
      pairs.push([at, at - k]);
    }
    if (d === 0) break;
    if (!isDown) at--;
    to = at - (isDown ? k + 1 : k - 1);
  }
  return pairs.reverse();
}

/** Lines that both have once, in the order of both. O(n log n) */
function uniqueLines(x: Int32Array, y: Int32Array): [number, number][] {
  const places = (list: Int32Array): Map<number, number> => {
    const found = new Map<number, number>();
    for (const [k, line] of list.entries()) found.set(line, found.has(line) ? -1 : k);
    return found;
  };
  const there = places(y);
  const pairs = [...places(x)].flatMap(([line, k]): [number, number][] => {
    const l = there.get(line) ?? -1;
    return k < 0 || l < 0 ? [] : [[k, l]];
  });
  const inOrder = longestIncreasing(pairs.map(([, l]) => l));
  return inOrder.map((k) => pairs[k]!);
}

/** Indexes of a longest increasing subsequence. O(n log n) */
export function longestIncreasing(list: readonly number[]): number[] {
  /** by length less one: the index at which a sequence of that length ends lowest */
  const ends: number[] = [];
  const before = new Int32Array(list.length).fill(-1);
  for (let k = 0; k < list.length; k++) {
    let [lo, hi] = [0, ends.length];
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (list[ends[mid]!]! < list[k]!) lo = mid + 1;
      else hi = mid;
    }
    before[k] = lo === 0 ? -1 : ends[lo - 1]!;
    ends[lo] = k;
  }
  const found: number[] = [];
  for (let k = ends.at(-1) ?? -1; k >= 0; k = before[k]!) found.push(k);
  return found.reverse();
}

function alignRegisters(a: MachineFunction, b: MachineFunction, instrs: Int32Array): Int32Array {
  const vregs = new Int32Array(a.vregs.n).fill(-1);
  for (let i = 0; i < a.nInstrs; i++) {
    const j = instrs[i]!;
    if (j < 0) continue;
    const n = Math.min(a.opBegin[i + 1]! - a.opBegin[i]!, b.opBegin[j + 1]! - b.opBegin[j]!);
    for (let k = 0; k < n; k++) {
      const [o, p] = [a.opBegin[i]! + k, b.opBegin[j]! + k];
      if (!isVirtual(a, o) || !isVirtual(b, p)) continue;
      const v: VRegId = ~a.opVal[o]!;
      if (vregs[v]! < 0) vregs[v] = ~b.opVal[p]!;
    }
  }
  return vregs;
}

const isVirtual = (fn: MachineFunction, o: number): boolean =>
  fn.opKind[o] === OperandKind.Register && isVirtualReg(fn.opVal[o]!);
