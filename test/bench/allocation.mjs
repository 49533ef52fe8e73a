#!/usr/bin/env node
// Register allocation of generated functions, as the lens above a function needs it. Milliseconds of processor time, in a new process for each size.
// `--check` exits 1 when 1,000 instructions take over 150 ms once warm: with the pause of 150 ms the lens is there 300 ms after the last key.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { bigFunction } from './generate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const BUDGET = { instructions: 1000, ms: 150 };
const SIZES = [1000, 2000, 10_000];
/** how far back an operand reaches: so many values live at once, some of which are spilled */
const REACH = 100;

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
let over = false;
console.log('register allocation, milliseconds of processor time\n');
console.log('  instrs   saves     cold     warm  explained');
for (const n of SIZES) {
  const input = join(folder, 'input.mir');
  writeFileSync(input, bigFunction(n, REACH));
  const script = `const { allocationTimes } = require(${JSON.stringify(bundle)});
    console.log(JSON.stringify(allocationTimes(require('fs').readFileSync(${JSON.stringify(input)}, 'utf8'))));`;
  const run = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  const t = JSON.parse(run.stdout);
  const cell = (value, width) => String(value).padStart(width);
  const times = [t.cold, t.warm, t.explained].map((ms) => cell(ms.toFixed(0), 9)).join('');
  console.log(`${cell(t.instructions, 8)}${cell(t.saves, 8)}${times}`);
  if (n === BUDGET.instructions && BUDGET.ms < t.warm) over = true;
}
rmSync(folder, { recursive: true, force: true });
if (over) console.log(`over budget: ${BUDGET.ms} ms for ${BUDGET.instructions} instructions`);
process.exit(over && process.argv.includes('--check') ? 1 : 0);
