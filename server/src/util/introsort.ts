/**
 * The unstable introspective sort that LLVM's build uses (GNU libstdc++'s std::sort), reproduced because ties between
 * regions make its exact sequence of moves visible (docs/llvm/iterative-schedulers.md, 8). Its heaps serve a ready queue as well.
 */

const SMALL = 16;

/** Sorts `a` in place by the strict test `before`. */
export function introsort<T>(a: T[], before: (x: T, y: T) => boolean): void {
  const n = a.length;
  partitionPhase(a, before, 0, n, 2 * (31 - Math.clz32(n)));
  for (let k = 1; k < n; k++) sink(a, before, k);
}

/**
 * Moves the element at k down to its place among those before it. The first SMALL are asked first whether they go to the front: how often
 * `before` is asked is visible, too (each question may print that an attribute cannot be read).
 */
function sink<T>(a: T[], before: (x: T, y: T) => boolean, k: number): void {
  const v = a[k];
  let j = k;
  if (k < SMALL && before(v, a[0])) {
    a.copyWithin(1, 0, k);
    j = 0;
  } else {
    while (j > 0 && before(v, a[j - 1])) {
      a[j] = a[j - 1];
      j--;
    }
  }
  a[j] = v;
}

function swap<T>(a: T[], i: number, j: number): void {
  const v = a[i];
  a[i] = a[j];
  a[j] = v;
}

function partitionPhase<T>(a: T[], before: (x: T, y: T) => boolean, f: number, end: number, allowance: number): void {
  let l = end;
  let d = allowance;
  while (l - f > SMALL) {
    if (d === 0) {
      heapSort(a, before, f, l);
      return;
    }
    d--;
    swap(a, f, medianOf3(a, before, f + 1, f + ((l - f) >> 1), l - 1));
    const cut = partition(a, before, f, l);
    partitionPhase(a, before, cut, l, d);
    l = cut;
  }
}

function medianOf3<T>(a: T[], before: (x: T, y: T) => boolean, x: number, y: number, z: number): number {
  if (before(a[x], a[y])) return before(a[y], a[z]) ? y : before(a[x], a[z]) ? z : x;
  return before(a[x], a[z]) ? x : before(a[y], a[z]) ? z : y;
}

function partition<T>(a: T[], before: (x: T, y: T) => boolean, f: number, l: number): number {
  let i = f + 1;
  let j = l;
  for (;;) {
    while (before(a[i], a[f])) i++;
    j--;
    while (before(a[f], a[j])) j--;
    if (i >= j) return i;
    swap(a, i, j);
    i++;
  }
}

function heapSort<T>(a: T[], before: (x: T, y: T) => boolean, f: number, l: number): void {
  const n = l - f;
  for (let parent = (n - 2) >> 1; parent >= 0; parent--) fillHole(a, before, f, parent, n, a[f + parent]);
  for (let last = n - 1; last > 0; last--) {
    const v = a[f + last];
    a[f + last] = a[f];
    fillHole(a, before, f, 0, last, v);
  }
}

/** std::make_heap: the element that no other comes after goes to the front. */
export function makeHeap<T>(a: T[], before: (x: T, y: T) => boolean): void {
  for (let parent = (a.length - 2) >> 1; parent >= 0; parent--) fillHole(a, before, 0, parent, a.length, a[parent]);
}

/** Adds to a heap (std::push_heap). */
export function pushHeap<T>(a: T[], before: (x: T, y: T) => boolean, value: T): void {
  a.push(value);
  climb(a, before, 0, a.length - 1, 0, value);
}

/** Takes the front of a heap, which is not empty (std::pop_heap). */
export function popHeap<T>(a: T[], before: (x: T, y: T) => boolean): T {
  const front = a[0];
  const last = a.pop() as T;
  if (a.length > 0) fillHole(a, before, 0, 0, a.length, last);
  return front;
}

/** Descends from `hole` along the later children, then lets `value` climb back. */
function fillHole<T>(a: T[], before: (x: T, y: T) => boolean, f: number, hole: number, n: number, value: T): void {
  let h = hole;
  let child = 2 * h + 2;
  while (child < n) {
    if (before(a[f + child], a[f + child - 1])) child--;
    a[f + h] = a[f + child];
    h = child;
    child = 2 * h + 2;
  }
  if (child === n) {
    a[f + h] = a[f + n - 1];
    h = n - 1;
  }
  climb(a, before, f, h, hole, value);
}

/** Puts `value` at `hole` or above, down to `top`. */
function climb<T>(a: T[], before: (x: T, y: T) => boolean, f: number, hole: number, top: number, value: T): void {
  let h = hole;
  while (h > top) {
    const parent = (h - 1) >> 1;
    if (!before(a[f + parent], value)) break;
    a[f + h] = a[f + parent];
    h = parent;
  }
  a[f + h] = value;
}
