#!/usr/bin/env node
// Register allocation from `greedy,0` to `virtregrewriter,2`, as the lens above a function needs it, beside llc-22 on the same text: generated functions of one
// straight way and of loops in which values are split and spilled, and those of the corpus (when ../shared is there) with about 1,000 instructions. Milliseconds
// of processor time, each input in a new process. The budget is about the three runs of the allocator ("its runs", "llc runs"). "llc" is the sum of them and
// all passes between; "all of llc" has live intervals, slot indexes, the matrix and what else they ask for, which is inside of "warm", too. The exponents of growth are those of the generated functions.
// `--check` exits 1 over budget. How long an editor waits for the lens: lens.mjs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { bigFunction, loopFunction } from './generate.mjs';
import { exponent, llcPasses } from './passTimes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** Warm, against the three runs of llc; difference of the exponents of growth. */
const BUDGET = { warm: 2, exponent: 0.15 };
const isQuick = process.argv.includes('--quick');
const SIZES = isQuick ? [1000, 5000] : [1000, 2000, 5000, 10_000, 20_000];
const LLC_RUNS = isQuick ? 1 : 3;
const REACH = 100;
/** of which not all have room: they are split around the loops, and spilled */
const PAIRS = 124;
/** instructions of the functions of the corpus */
const [LEAST, MOST] = [950, 1120];
const CUT = ['-start-before=greedy,0', '-stop-after=virtregrewriter,2'];
/** What llc does besides: reading, printing, and what the passes ask for. */
const BESIDES =
  /Printing|Layout Analysis|Remark|Free MachineFunction|Module Information|Lazy|Assumption|Target|Profile|Dominator|Natural Loop|Frequency|Probability|Slot index|Live Interval|Live Register Matrix|Virtual Register Map|Live Stack|Bundle Machine|Spill Code Placement|Debug Variable|Advisor/;

const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-bench-'));
const bundle = join(folder, 'allocation.cjs');
buildSync({
  entryPoints: [join(here, 'allocation.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
});
const input = join(folder, 'input.mir');

/** The least and the mean of llc's times; null without llc. */
function llcTimes(args) {
  const runs = Array.from({ length: LLC_RUNS }, () => llcPasses([...args, ...CUT, input]));
  if (runs.includes(null)) return null;
  const sums = runs.map((passes) => {
    let [own, all, runs] = [0, 0, 0];
    for (const [name, time] of passes) {
      if (name.startsWith('Greedy Register Allocator')) runs += time;
      if (!/Printing|Free MachineFunction/.test(name)) all += time;
      if (!BESIDES.test(name)) own += time;
    }
    return { own, all, runs };
  });
  const least = (of) => Math.min(...sums.map(of));
  const mean = sums.reduce((sum, s) => sum + s.own, 0) / sums.length;
  return { own: least((s) => s.own), all: least((s) => s.all), runs: least((s) => s.runs), mean };
}

const cell = (value, width) => String(value).padStart(width);
const ms = (t) => cell(t === undefined ? '-' : t.toFixed(t < 10 ? 1 : 0), 10);
const ratio = (a, b) => cell(b === undefined || b <= 0 ? '-' : `${(a / b).toFixed(1)} x`, 10);
let over = false;

function row(name, text, args) {
  writeFileSync(input, `# RUN: llc ${args.join(' ')} ${CUT.join(' ')} %s\n${text}`);
  const script = `const { allocationTimes } = require(${JSON.stringify(bundle)});
    console.log(JSON.stringify(allocationTimes(require('fs').readFileSync(${JSON.stringify(input)}, 'utf8'))));`;
  const run = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  if (run.status !== 0) {
    console.log(`${name.padEnd(40)}  ${run.stderr.split('\n').find((line) => line.startsWith('Error')) ?? 'failed'}`);
    return null;
  }
  const ours = JSON.parse(run.stdout);
  const llc = llcTimes(args);
  const numbers = [cell(ours.instructions, 8), cell(ours.saves, 7), cell(ours.copies, 8)].join('');
  const times = [ours.cold, ours.warm, ours.runs, ours.explained, llc?.own, llc?.all, llc?.runs].map(ms).join('');
  console.log(
    `${name.slice(0, 40).padEnd(40)}${numbers}${times}${ratio(ours.runs, llc?.runs)}${ratio(ours.warm, llc?.own)}${ratio(ours.warm, llc?.all)}`,
  );
  if (llc !== null && BUDGET.warm < ours.runs / llc.runs) over = true;
  return { ours, llc };
}

console.log('register allocation, milliseconds of processor time\n');
const titles = [
  'cold',
  'warm',
  'its runs',
  'explained',
  'llc',
  'all of llc',
  'llc runs',
  'of runs',
  'to llc',
  'to all',
];
const times = titles.map((title) => cell(title, 10));
console.log(`${''.padEnd(40)}  instrs  saves  splits${times.join('')}`);
const corpus = resolve(process.env.AMDGPU_MIR_CORPUS ?? join(here, '..', '..', '..', 'shared', 'corpus'));
if (existsSync(corpus)) {
  const sizes = new Map(
    JSON.parse(readFileSync(join(corpus, 'sched', 'manifest.json'), 'utf8')).map((c) => [
      c.name,
      c.functions[0].instrs,
    ]),
  );
  const cases = JSON.parse(readFileSync(join(corpus, 'alloc', 'manifest.json'), 'utf8')).filter(
    ({ name, functions }) => functions === 1 && LEAST <= sizes.get(name) && sizes.get(name) <= MOST,
  );
  for (const { name, args, shard } of isQuick ? cases.slice(0, 2) : cases) {
    const { cases: texts } = JSON.parse(brotliDecompressSync(readFileSync(join(corpus, 'alloc', shard))).toString());
    row(name, texts.find((c) => c.name === name).input, args);
  }
} else console.log('skipped: the corpus is not here');

const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a'];
const withoutRun = (text) => text.replace(/^# RUN.*\n/, '');
for (const [name, made] of [
  ['straight', (n) => bigFunction(n, REACH)],
  ['loops', (n) => loopFunction(n, PAIRS)],
]) {
  const points = SIZES.map((n) => row(`${name}, ${n} generated`, withoutRun(made(n)), ARGS)).filter((p) => p !== null);
  const growth = (of) => exponent(points.map((p) => [p.ours.instructions, of(p)]));
  const own = growth((p) => p.ours.mean);
  if (points.some((p) => p.llc === null)) {
    console.log(`${name}: ours grows as n^${own.toFixed(2)}; no comparison: llc is not installed`);
    continue;
  }
  const theirs = growth((p) => p.llc.mean);
  const isOver = BUDGET.exponent < own - theirs;
  console.log(`${name}: ours grows as n^${own.toFixed(2)}, llc as n^${theirs.toFixed(2)}${isOver ? '   OVER' : ''}`);
  if (isOver) over = true;
}
rmSync(folder, { recursive: true, force: true });
if (over) console.log(`over budget: warm ${BUDGET.warm} x llc, exponents ${BUDGET.exponent} apart`);
process.exit(over && process.argv.includes('--check') ? 1 : 0);
