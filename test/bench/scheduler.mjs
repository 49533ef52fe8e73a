#!/usr/bin/env node
// The machine scheduler beside llc-22's own pass in one run: on the large functions of the corpus (when ../shared is there), and on
// generated functions of 1,000 to 20,000 instructions in one region, with the exponent of growth of both. Times are of the processor,
// not of the clock (`llc -time-passes` user and system time; process.cpuUsage here), so that a busy machine matters less.
// `--check` exits 1 over budget.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { exponent, llcPasses } from './passTimes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '..', '..');
/** Warm, against the pass's own time on large functions; difference of the exponents of growth. */
const BUDGET = { warm: 2.5, exponent: 0.15 };
const SIZES = [1000, 2000, 5000, 10_000, 20_000];
const LLC_RUNS = 3;

/** One block of arithmetic with loads and stores of their own addresses: one region of about n instructions. */
function oneRegion(n) {
  const lines = [
    '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a %s',
    '---',
    'name:            region',
    'tracksRegLiveness: true',
    'body:             |',
    '  bb.0:',
    '    liveins: $vgpr0_vgpr1, $vgpr2',
    '',
    '    %0:vreg_64_align2 = COPY $vgpr0_vgpr1',
    '    %1:vgpr_32 = COPY $vgpr2',
  ];
  let seed = 7;
  const random = (k) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % k;
  };
  let vreg = 2;
  const value = () => `%${Math.max(1, vreg - 1 - random(24))}`;
  for (let k = 0; k < n; k++) {
    const offset = (k % 1000) * 4;
    switch (random(16)) {
      case 0:
        lines.push(
          `    %${vreg++}:vgpr_32 = GLOBAL_LOAD_DWORD %0, ${offset}, 0, implicit $exec :: (load (s32), addrspace 1)`,
        );
        break;
      case 1:
        lines.push(`    GLOBAL_STORE_DWORD %0, ${value()}, ${offset}, 0, implicit $exec :: (store (s32), addrspace 1)`);
        break;
      case 2:
        lines.push(`    %${vreg++}:vgpr_32 = V_MUL_LO_U32_e64 ${value()}, ${value()}, implicit $exec`);
        break;
      default:
        lines.push(`    %${vreg++}:vgpr_32 = V_ADD_U32_e32 ${value()}, ${value()}, implicit $exec`);
    }
  }
  lines.push(`    $vgpr0 = COPY %${vreg - 1}`, '    S_ENDPGM 0, implicit $vgpr0', '...', '');
  return lines.join('\n');
}

/** Milliseconds that llc's pass takes, the least and the mean of some runs; -1 without llc. */
function llcPass(file, args) {
  const times = [];
  for (let k = 0; k < LLC_RUNS; k++) {
    const time = llcPasses([...args, '-run-pass=machine-scheduler', file])?.get('Machine Instruction Scheduler');
    if (time !== undefined) times.push(time);
  }
  if (times.length === 0) return { least: -1, mean: -1 };
  return { least: Math.min(...times), mean: times.reduce((sum, t) => sum + t, 0) / times.length };
}

const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-bench-'));
const bundle = join(folder, 'scheduler.cjs');
await build({
  entryPoints: [join(here, 'scheduler.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
});
const { schedulerTimes } = createRequire(import.meta.url)(bundle);

const ms = (t) => (t < 0 ? '-' : t.toFixed(t < 10 ? 2 : 0)).padStart(9);
const ratio = (a, b) => (b <= 0 ? '-' : `${(a / b).toFixed(2)} x`).padStart(9);
let over = false;

function row(name, text, args) {
  const file = join(folder, 'input.mir');
  writeFileSync(file, text);
  const ours = schedulerTimes(text);
  const llc = llcPass(file, args);
  console.log(
    `${name.slice(0, 40).padEnd(40)}${String(ours.instructions).padStart(8)}${String(ours.regions).padStart(9)}${ms(ours.cpu)}${ms(llc.least)}${ratio(ours.cpu, llc.least)}${ms(ours.traced)}`,
  );
  return { ours, llc };
}

console.log(
  'machine scheduler, milliseconds of processor time, warm; "llc" is the time of its pass; "traced" with every pick\n',
);
console.log(`${'input'.padEnd(40)}  instrs  regions     ours      llc    ratio   traced`);
const corpus = join(root, '..', 'shared', 'corpus', 'large');
if (existsSync(corpus)) {
  for (const { name, args } of JSON.parse(readFileSync(join(corpus, 'manifest.json'), 'utf8'))) {
    const { input } = JSON.parse(brotliDecompressSync(readFileSync(join(corpus, `${name}.json.br`))).toString());
    const { ours, llc } = row(name, `# RUN: llc ${args.join(' ')} %s\n${input}`, args);
    if (llc.least > 0 && BUDGET.warm < ours.cpu / llc.least) over = true;
  }
} else console.log('skipped: the large functions of the corpus are not here');

const points = [];
for (const n of SIZES) {
  const { ours, llc } = row(`one region, ${n} generated`, oneRegion(n), ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a']);
  points.push({ n, ours, llc });
}
const growth = (of) => exponent(points.map((p) => [p.n, of(p)]));
const own = growth((p) => p.ours.mean);
console.log(`\ngrowth from ${SIZES[0]} to ${SIZES[SIZES.length - 1]} instructions, of the means (of the least)`);
console.log(`ours: time ~ n^${own.toFixed(2)} (${growth((p) => p.ours.cpu).toFixed(2)})`);
if (points.every((p) => 0 < p.llc.least)) {
  const theirs = growth((p) => p.llc.mean);
  console.log(`llc:  time ~ n^${theirs.toFixed(2)} (${growth((p) => p.llc.least).toFixed(2)})`);
  console.log(`difference ${(own - theirs).toFixed(2)}, at most ${BUDGET.exponent}`);
  if (BUDGET.exponent < own - theirs) over = true;
} else console.log('no comparison: llc is not installed');
rmSync(folder, { recursive: true, force: true });
if (over) console.log('over budget: see Done when in the issue');
process.exit(over && process.argv.includes('--check') ? 1 : 0);
