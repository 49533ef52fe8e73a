#!/usr/bin/env node
// Long runs of random edits and random damage over the corpus (or the project's own files without it):
//   node test/bench/fuzz.mjs edits|damage|verdicts|extremes [--count N] [--seed N] [--seconds N] [--only N]
// `verdicts` compares damaged files with llc-22. Bundles fuzz.ts first, so that the code runs as it is shipped. `--only` replays one round of the seed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-fuzz-'));
try {
  const outfile = join(folder, 'fuzz.cjs');
  const entry = join(root, 'test/bench/fuzz.ts');
  esbuild.buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    define: { AMDGPU_MIR_VERSION: '"fuzz"', AMDGPU_MIR_BUILD: '"fuzz"' },
    logLevel: 'warning',
  });
  const run = spawnSync(process.execPath, [outfile, root, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
