#!/usr/bin/env node
// Suggestions of rematerialization for generated functions of up to 40,000 instructions in regions of 250, a sixth of them constants:
// candidates, their effects, the search for the smallest sets. Milliseconds of processor time, in a new process for each size.
// `--check` exits 1 when a function of 10,000 instructions takes over a second the first time.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { bigFunction } from './generate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const BUDGET = { instructions: 10_000, ms: 1000 };
const SIZES = [1000, 10_000, 40_000];
const CONSTANT_EVERY = 6;
const REACH = 1000;

function withConstants(n) {
  let k = 0;
  return bigFunction(n, REACH).replace(/V_ADD_U32_e32 %\d+, %\d+/g, (add) =>
    k++ % CONSTANT_EVERY === 0 ? `V_MOV_B32_e32 ${k}` : add,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-bench-'));
const bundle = join(folder, 'remat.cjs');
buildSync({
  entryPoints: [join(here, 'remat.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
});
let over = false;
console.log('suggestions of rematerialization, milliseconds of processor time\n');
console.log('  instrs  candidates  suggestions     cold     warm');
for (const n of SIZES) {
  const input = join(folder, 'input.mir');
  writeFileSync(input, withConstants(n));
  const script = `const { rematTimes } = require(${JSON.stringify(bundle)});
    console.log(JSON.stringify(rematTimes(require('fs').readFileSync(${JSON.stringify(input)}, 'utf8'))));`;
  const run = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  const t = JSON.parse(run.stdout);
  const cell = (value, width) => String(value).padStart(width);
  console.log(
    `${cell(t.instructions, 8)}${cell(t.candidates, 12)}${cell(t.suggestions, 13)}${cell(t.cold.toFixed(0), 9)}${cell(t.warm.toFixed(0), 9)}`,
  );
  if (n === BUDGET.instructions && BUDGET.ms < t.cold) over = true;
}
rmSync(folder, { recursive: true, force: true });
if (over) console.log(`over budget: ${BUDGET.ms} ms for ${BUDGET.instructions} instructions`);
process.exit(over && process.argv.includes('--check') ? 1 : 0);
