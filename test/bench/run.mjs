#!/usr/bin/env node
// `npm run bench`: phases on small, typical and huge inputs beside llc-22, growth, memory, then keystroke to hover and diagnostics.
// The last run is kept in bench-results/ (not committed) and the next one says how it compares. `--check` exits 1 over budget.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { bigFunction } from './generate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '..', '..');
const results = join(root, 'bench-results');
const program = join(root, 'dist', 'server', 'amdgpu-mir.js');
/** As a process on typical files; warm on large functions; growth from 10,000 to 40,000 instructions. */
const BUDGET = { process: 1.0, warm: 3.0, growth: 1.25 };

if (globalThis.gc === undefined) {
  // Memory is only worth a number after a collection.
  const again = spawnSync(process.execPath, ['--expose-gc', ...process.argv.slice(1)], { stdio: 'inherit' });
  process.exit(again.status ?? 1);
}

const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-bench-'));
const bundle = join(folder, 'phases.cjs');
await build({
  entryPoints: [join(here, 'phases.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
});
const { benchmark } = createRequire(import.meta.url)(bundle);

const example = (name) => ({ name, text: readFileSync(join(root, 'examples', `${name}.mir`), 'utf8') });
const inputs = [
  example('saxpy'),
  example('block_sum'),
  example('gemm_tile'),
  { name: 'generated_10000', text: bigFunction(10_000) },
  { name: 'generated_40000', text: bigFunction(40_000) },
];
const corpus = join(root, '..', 'shared', 'corpus', 'large');
if (existsSync(corpus)) {
  for (const { name, args } of JSON.parse(readFileSync(join(corpus, 'manifest.json'), 'utf8'))) {
    const packed = JSON.parse(brotliDecompressSync(readFileSync(join(corpus, `${name}.json.br`))).toString());
    const input = packed.input ?? packed.cases?.[0]?.input;
    if (input) inputs.push({ name, text: `# RUN: llc ${args.join(' ')} %s\n${input}` });
  }
} else {
  console.log('skipped: the large functions of the corpus are not here');
}

const last = existsSync(join(results, 'last.json')) ? JSON.parse(readFileSync(join(results, 'last.json'), 'utf8')) : {};
const ms = (n) => (n < 0 ? '-' : n.toFixed(n < 10 ? 2 : 0)).padStart(8);
const ratio = (a, b) => (b <= 0 ? '-' : `${(a / b).toFixed(2)} x`).padStart(8);
console.log(
  'milliseconds, medians; "llc" is llc-22 beyond its start-up on the same file; "process" is from the shell, start-up included\n',
);
console.log(
  `${'input'.padEnd(38)}  instrs   parse   model  verify    live  pressure   total     llc  ratio  | process     llc   ratio  | heap MB | before`,
);
const rows = {};
let over = false;
for (const input of inputs) {
  const r = benchmark(input, folder, program);
  rows[r.name] = r;
  const before = last[r.name]?.total;
  console.log(
    `${r.name.slice(0, 38).padEnd(38)}${String(r.instructions).padStart(8)}${ms(r.parse)}${ms(r.model)}${ms(r.verify)}${ms(r.liveness)}${ms(r.pressure)}  ${ms(r.total)}${ms(r.llc)}${ratio(r.total, r.llc)} |${ms(r.process)}${ms(r.llcProcess)}${ratio(r.process, r.llcProcess)} | ${(r.heapBytes / 1e6).toFixed(1).padStart(6)}  | ${before ? ratio(r.total, before).trim() : '-'}`,
  );
  if (r.instructions < 2000 && r.llcProcess > 0 && BUDGET.process < r.process / r.llcProcess) over = true;
  if (2000 <= r.instructions && r.llc > 0 && BUDGET.warm < r.total / r.llc) over = true;
}
const growth = rows.generated_40000.total / 4 / rows.generated_10000.total;
console.log(`\ngrowth: four times the instructions cost ${(growth * 4).toFixed(2)} times as much`);
if (BUDGET.growth < growth) over = true;
mkdirSync(results, { recursive: true });
writeFileSync(join(results, 'last.json'), JSON.stringify(rows, null, 1));
rmSync(folder, { recursive: true, force: true });

console.log();
const keys = spawnSync(process.execPath, [join(here, 'keystroke.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
if (keys.status !== 0) over = true;
if (over) console.log('\nover budget: see Done when in the issue (a busy machine is over budget too)');
process.exit(over && process.argv.includes('--check') ? 1 : 0);
