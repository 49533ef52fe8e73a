/**
 * Fits the points of completion's facts (`server/src/features/completion/points.ts`): `node --import tsx test/bench/completionPoints.ts [PLACES]` takes so
 * many operands of each source from families of texts that are not held out, asks how much each fact counts for each of the best items there, and lets
 * gradient descent (Adam) look for points that put what the author wrote before the others: the loss is the logarithm of its smooth rank. A fifth of
 * the places judges. Printed are the points that change, with how many places ask for the fact; they are rounded and written into the list by hand, and
 * `test/property/completion.test.ts` judges them on the texts held out.
 */
import { provideCompletion, proposalAt } from '../../server/src/features/completion/completion.js';
import { POINTS } from '../../server/src/features/completion/points.js';
import { LEAVES, REJECTED } from '../../server/src/features/completion/trial.js';
import { essence } from '../support/completed.js';
import { instructionPlace, isHeldOut, openText, rateTexts, URI, type RateText } from '../support/completionRate.js';
import { random } from '../support/corpusCase.js';

const PLACES = Number(process.argv[2] ?? 350);
/** Best items of a list that are looked at. */
const BEST = 50;
/** How many points make a difference in rank. */
const TEMPERATURE = 6;
/** What it costs to move far from the points of now. */
const STIFFNESS = 0.0005;
const STEPS = 300;

interface Sample {
  /** of each item, the one that is wanted first */
  readonly scores: readonly number[];
  /** by fact: what a point of it adds to each */
  readonly facts: readonly (readonly [fact: number, counts: readonly number[]])[];
}

const points = POINTS as Record<string, number>;
const names = Object.keys(points);
const values = new Map(Object.entries(points));
let asked: Set<string> | null = null;
for (const name of names)
  Object.defineProperty(points, name, {
    get: () => {
      asked?.add(name);
      return values.get(name);
    },
  });

/** What completion makes of the text without the word, null where it does not list the word. */
function sampleOf({ input, args }: RateText, rnd: () => number): Sample | null {
  const place = instructionPlace(openText(input, args), rnd);
  if (place === null || place.kind === 'opcode') return null;
  const snapshot = openText(input.slice(0, place.start) + input.slice(place.end), args);
  const wanted = essence(input.slice(place.start, place.end));
  const scored = (): Map<string, number> => {
    const best = new Map<string, number>();
    for (const { label, score } of proposalAt(snapshot, place.start)?.items ?? [])
      best.set(label, Math.max(score, best.get(label) ?? -Infinity));
    return best;
  };
  asked = new Set();
  const base = scored();
  const facts = [...asked];
  asked = null;
  const position = snapshot.text.positionAt(place.start);
  const { items } = provideCompletion(snapshot, { textDocument: { uri: URI }, position });
  const isBad = (detail = ''): boolean => detail.includes(REJECTED) || detail.includes(LEAVES);
  const bad = new Set(items.filter((i) => isBad(i.labelDetails?.detail)).map((i) => i.label));
  const own = [...base.keys()].find((label) => label === wanted || essence(label) === wanted);
  if (own === undefined || bad.has(own)) return null;
  const others = [...base].filter(([label]) => label !== own && !bad.has(label)).sort((a, b) => b[1] - a[1]);
  const labels = [own, ...others.slice(0, BEST).map(([label]) => label)];
  const found: [number, number[]][] = [];
  for (const fact of facts) {
    const now = values.get(fact)!;
    const step = Math.max(1, Math.abs(now) / 20);
    values.set(fact, now + step);
    const after = scored();
    values.set(fact, now);
    const counts = labels.map((label) => ((after.get(label) ?? base.get(label)!) - base.get(label)!) / step);
    if (counts.some((n) => Math.abs(n - counts[0]!) > 1e-9)) found.push([names.indexOf(fact), counts]);
  }
  return { scores: labels.map((label) => base.get(label)!), facts: found };
}

function scoresWith({ scores, facts }: Sample, moved: Float64Array): number[] {
  const own = [...scores];
  for (const [fact, counts] of facts) if (moved[fact] !== 0) counts.forEach((n, k) => (own[k]! += moved[fact]! * n));
  return own;
}

function share(samples: readonly Sample[], moved: Float64Array, most: number): string {
  const n = samples.filter((s) => {
    const [own = 0, ...others] = scoresWith(s, moved);
    return others.filter((score) => score >= own).length < most;
  }).length;
  return `${((100 * n) / samples.length).toFixed(1)} %`;
}

/** The gradient of the loss. */
function gradient(samples: readonly Sample[], moved: Float64Array): Float64Array {
  const slope = new Float64Array(names.length);
  for (const sample of samples) {
    const [own = 0, ...others] = scoresWith(sample, moved);
    const above = others.map((score) => 1 / (1 + Math.exp((own - score) / TEMPERATURE)));
    const rank = above.reduce((a, b) => a + b, 0);
    const weights = above.map((p) => (p * (1 - p)) / TEMPERATURE / (4 + rank) / samples.length);
    for (const [fact, counts] of sample.facts)
      weights.forEach((w, k) => (slope[fact]! += w * (counts[k + 1]! - counts[0]!)));
  }
  names.forEach((name, k) => {
    const width = Math.max(8, Math.abs(values.get(name)!) / 2);
    slope[k]! += (2 * STIFFNESS * moved[k]!) / width ** 2;
  });
  return slope;
}

function fitted(samples: readonly Sample[]): Float64Array {
  const moved = new Float64Array(names.length);
  const mean = new Float64Array(names.length);
  const square = new Float64Array(names.length);
  for (let step = 1; step <= STEPS; step++) {
    const slope = gradient(samples, moved);
    const rate = 1.05 - step / STEPS;
    slope.forEach((g, k) => {
      mean[k] = 0.9 * mean[k]! + 0.1 * g;
      square[k] = 0.999 * square[k]! + 0.001 * g * g;
      moved[k]! -= (rate * (mean[k]! / (1 - 0.9 ** step))) / (Math.sqrt(square[k]! / (1 - 0.999 ** step)) + 1e-6);
    });
  }
  return moved;
}

const texts = rateTexts(90).filter((t) => !isHeldOut(t.family));
const rnd = random(11);
const samples: Sample[] = [];
for (const source of new Set(texts.map((t) => t.source))) {
  const list = texts.filter((t) => t.source === source);
  for (let k = 0; k < PLACES; k++) {
    const sample = sampleOf(list[Math.floor(rnd() * list.length)]!, rnd);
    if (sample !== null) samples.push(sample);
  }
}
const judges = samples.filter((_, k) => k % 5 === 0);
const learners = samples.filter((_, k) => k % 5 !== 0);
const none = new Float64Array(names.length);
const part = fitted(learners);
for (const most of [3, 10])
  console.log(`first ${most}: ${share(judges, none, most)}, fitted to the others ${share(judges, part, most)}`);
const moved = fitted(samples);
names
  .map((name, k) => ({ name, by: moved[k]!, n: samples.filter((s) => s.facts.some(([fact]) => fact === k)).length }))
  .filter(({ by }) => Math.abs(by) > 0.5)
  .sort((a, b) => Math.abs(b.by) - Math.abs(a.by))
  .forEach(({ name, by, n }) => {
    const now = values.get(name)!;
    console.log(`${name.padEnd(26)} ${now} -> ${(now + by).toFixed(1)}  (${n} places)`);
  });
