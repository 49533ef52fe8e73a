#!/usr/bin/env node
// Each pass from instruction selection to llc's end beside llc-22's own time for it (`-time-passes`) on the same text in one run: functions of 1,000 to 10,000
// instructions, 10,000 in each file, so that a time that grows with the function only shows as a longer one. Milliseconds, the least of some runs.
// Ours has the analyses that a pass asks for, llc counts them apart: the sum of all is like beside like. `--cpu=gfx90a` takes one processor, `--check` exits 1 over budget.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { selectedFunctions } from './generate.mjs';
import { exponent, llcPasses } from './passTimes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const BUDGET = { warm: 3, exponent: 0.25 };
const SIZES = [1000, 2500, 5000, 10_000];
const TOTAL = 10_000;
const LLC_RUNS = 5;
/** -time-passes counts tenths of a millisecond: less than this says nothing. */
const LEAST_MS = 1;
const only = process.argv.find((word) => word.startsWith('--cpu='))?.slice('--cpu='.length);
const CPUS = [
  { cpu: 'gfx90a', wave32: false },
  { cpu: 'gfx1100', wave32: true },
].filter(({ cpu }) => only === undefined || cpu === only);

const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-bench-'));
const bundle = join(folder, 'passes.cjs');
await build({
  entryPoints: [join(here, 'passes.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
});
const { timesOfPasses } = createRequire(import.meta.url)(bundle);

/** The least of some runs for each pass of llc; null without llc. */
function timesOfLlc(file, args) {
  const samples = new Map();
  for (let n = 0; n < LLC_RUNS; n++) {
    const passes = llcPasses([...args, file]);
    if (passes === null) return null;
    for (const [name, time] of passes) samples.set(name, [...(samples.get(name) ?? []), time]);
  }
  return new Map([...samples].map(([name, times]) => [name, Math.min(...times)]));
}

let over = false;
const ms = (t) => (t === undefined ? '-' : t.toFixed(1)).padStart(8);

for (const { cpu, wave32 } of CPUS) {
  const args = [
    '-mtriple=amdgcn-amd-amdhsa',
    `-mcpu=${cpu}`,
    '-start-before=early-tailduplication',
    '-stop-after=amdgpu-preload-kern-arg-prolog',
  ];
  const rows = SIZES.map((size) => {
    const text = selectedFunctions(size, Math.round(TOTAL / size), wave32);
    const file = join(folder, 'input.mir');
    writeFileSync(file, text);
    const ours = timesOfPasses(text, args);
    return { size, ours: ours.passes, llc: timesOfLlc(file, args), instructions: ours.instructions };
  });
  const llcThere = rows.every(({ llc }) => llc !== null);
  console.log(
    `\n${cpu}: ${rows.map(({ size, instructions }) => `${instructions} instructions in functions of ${size}`).join('; ')}`,
  );
  console.log('milliseconds: ours, llc, ratio for each size; growth: exponents of time by size, ours and llc\n');
  console.log(`${'pass'.padEnd(46)}${SIZES.map((size) => String(size).padStart(24)).join('')}      growth`);
  const show = (name, own, theirs, budget) => {
    const ratios = own.map((t, k) => (theirs[k] >= LEAST_MS ? t / theirs[k] : null));
    const columns = own.map(
      (t, k) => `${ms(t)}${ms(theirs[k])}${(ratios[k] === null ? '' : ratios[k].toFixed(2)).padStart(8)}`,
    );
    const growths = theirs.every((t) => t >= LEAST_MS)
      ? [own, theirs].map((times) => exponent(SIZES.map((size, k) => [size, Math.max(times[k], 0.01)])))
      : null;
    const isOver = ratios.some((r) => r > budget) || (growths !== null && growths[0] - growths[1] > BUDGET.exponent);
    if (isOver) over = true;
    console.log(
      `${name.slice(0, 45).padEnd(46)}${columns.join('')}${growths === null ? '' : growths.map((x) => x.toFixed(2).padStart(6)).join('')}${isOver ? '  over' : ''}`,
    );
  };
  const sum = (map) => [...map.values()].reduce((all, t) => all + t, 0);
  const names = [...rows.at(-1).ours.keys()].sort((a, b) => rows.at(-1).ours.get(b) - rows.at(-1).ours.get(a));
  for (const name of names)
    show(
      name,
      rows.map(({ ours }) => ours.get(name) ?? 0),
      rows.map(({ llc }) => llc?.get(name) ?? 0),
      BUDGET.warm,
    );
  show(
    'all',
    rows.map(({ ours }) => sum(ours)),
    rows.map(({ llc }) => (llc === null ? 0 : sum(llc))),
    BUDGET.warm,
  );
  if (!llcThere) console.log('no comparison: llc is not installed');
}
rmSync(folder, { recursive: true, force: true });
if (over) console.log('\nover budget: see Done when in the issue (a busy machine is over budget too)');
process.exit(over && process.argv.includes('--check') ? 1 : 0);
