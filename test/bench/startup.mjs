#!/usr/bin/env node
// What each mechanism of start-up saves: `node test/bench/startup.mjs [NODE...]`, with the binaries of other versions of Node. For each of them
// and two commands on a typical file: processor time of the process as it is built, and of the same without one mechanism, the median of
// some runs in turns. The files of compiled code and tables are made anew by each Node, as its build would make them.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const RUNS = 15;
const FILE = 'examples/gemm_tile.mir';
const PARTS = ['dist/server', 'examples', 'server/tools/start', 'server/tools/makeStartFiles.cjs'];
const RELEASES = ['llvm-22', 'llvm-24'];
const START_FILES = [...RELEASES.map((name) => `tables-${name}`), 'llc', 'long', 'check', 'cli'];

const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-startup-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const [, list] = /V8_AT_START = \[([^\]]*)\]/.exec(readFileSync(join(root, 'server/src/cli/engines.ts'), 'utf8'));
const flags = [...list.matchAll(/'([^']+)'/g)].map(([, flag]) => flag);

/** A copy of what is built, with start files of `node` under `given`, after `change`. */
function copy(node, name, given, change = () => undefined) {
  const to = join(folder, name);
  for (const part of PARTS) cpSync(join(root, part), join(to, part), { recursive: true });
  const server = join(to, 'dist/server');
  change(server);
  // With tables that are there already none would be decoded, and so none recorded.
  for (const release of RELEASES) rmSync(join(server, `tables-${release}.bin`), { force: true });
  for (const what of START_FILES) {
    const tool = join(to, 'server/tools/makeStartFiles.cjs');
    const run = spawnSync(node, ['--no-rehash-snapshot', tool, to, what, ...given], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    if (run.status !== 0) throw new Error(`${name}: ${what}: ${run.stderr}`);
  }
  return server;
}

/** Milliseconds of the processor, of one process. */
function timed(command, more) {
  const script = 'TIMEFORMAT="%3U %3S"; { time "$@" >/dev/null 2>/dev/null; } 2>&1; ';
  const environment = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compile-cache'), ...more };
  delete environment.NODE_EXTRA_CA_CERTS;
  delete environment.NODE_OPTIONS;
  const run = spawnSync('bash', ['-c', script, 'bash', ...command], { encoding: 'utf8', env: environment });
  if (run.status !== 0) throw new Error(`${command.join(' ')}: exit ${run.status}`);
  const [user, system] = run.stdout.trim().split(/\s+/).map(Number);
  return (user + system) * 1000;
}

const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const without = (pattern) => (server) => {
  for (const file of pattern) rmSync(join(server, file), { force: true });
};

for (const node of [process.execPath, ...process.argv.slice(2)]) {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  const asBuilt = copy(node, `${version}-built`, flags);
  const codes = ['llc.cache', 'long.cache', 'check.cache', 'cli.cache'];
  const packed = copy(node, `${version}-code`, flags);
  // Name, folder, arguments of Node, what goes, environment.
  const variants = [
    ['as built', asBuilt, []],
    ["Node's compile cache", packed, [], without(codes)],
    ['no compiled code', packed, [], without(codes), { NODE_DISABLE_COMPILE_CACHE: '1' }],
    [
      'no tables-*.bin',
      copy(node, `${version}-tables`, flags),
      [],
      without(RELEASES.map((name) => `tables-${name}.bin`)),
    ],
    [
      'the scheduler in its bundle',
      copy(node, `${version}-bundle`, flags),
      [],
      (server) => {
        for (const end of ['js', 'cache']) cpSync(join(server, `cli.${end}`), join(server, `llc.${end}`));
      },
    ],
    ['flags as arguments', asBuilt, flags],
    [
      'no flags',
      copy(node, `${version}-flags`, [], (server) => {
        const file = join(server, 'amdgpu-mir.js');
        const text = readFileSync(file, 'latin1');
        writeFileSync(file, text.replace(/\["--no-opt"[^\]]*\]/, '[]'), 'latin1');
      }),
      [],
    ],
  ];
  for (const [, server, , remove] of variants) remove?.(server);
  for (const [what, args] of [
    ['check', ['check', join(root, FILE)]],
    [
      'llc',
      [
        'llc',
        '-mtriple=amdgcn-amd-amdhsa',
        '-mcpu=gfx90a',
        '-run-pass=amdgpu-print-rp',
        '-o',
        '/dev/null',
        join(root, FILE),
      ],
    ],
  ]) {
    const times = variants.map(() => []);
    for (let n = 0; n < RUNS; n++)
      variants.forEach(([, server, given, , more], k) =>
        times[k].push(timed([node, ...given, join(server, 'amdgpu-mir.js'), ...args], more)),
      );
    const base = middle(times[0]);
    console.log(`Node ${version}, ${what} of ${FILE}`);
    variants.forEach(([name], k) => {
      const ms = middle(times[k]);
      const saved = k === 0 ? '' : `   saves ${((1 - base / ms) * 100).toFixed(0).padStart(3)} %`;
      console.log(`  ${name.padEnd(26)} ${ms.toFixed(1).padStart(7)} ms${saved}`);
    });
  }
}
