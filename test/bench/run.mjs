#!/usr/bin/env node
// `npm run bench [-- --quick] [-- --check]`: phases on small, typical and huge inputs beside llc-22 on the same files in the same run; whole
// processes; growth; memory; keystroke to hover and diagnostics. Times are of the processor (all threads), the least of some runs, so that
// a busy machine matters less; growth is that of means, which have all the garbage collection in them. The run is kept in bench-results/
// (not committed) and the next one says how it compares.
// `--check` exits 1 over budget; `--only=phases|cold|keystrokes|editor|scheduler|remat|allocation|lens` runs one part;
// `cold` is the whole processes of `phases` alone, `cold:WORD` those of the inputs with WORD in their name.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { EXECUTABLE } from '../../server/tools/makeExecutable.mjs';
import { benchInputs, GROWTH } from './inputs.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '..', '..');
const results = join(root, 'bench-results');
const program = join(root, 'dist', 'server', 'amdgpu-mir.js');
/**
 * The command line as users start it: the one executable, where it is built, and the program for Node with its flags as its first line
 * names them; the `env` that the line begins with is not ours (1 to 1.5 ms).
 */
const PROGRAMS = [
  { name: 'executable', command: [join(root, EXECUTABLE)] },
  {
    name: 'by Node',
    command: [
      process.execPath,
      ...firstLine(program)
        .split(' ')
        .filter((word) => word.startsWith('--')),
      program,
    ],
  },
].filter(({ command }) => existsSync(command.at(-1)));
const LLC = process.env.AMDGPU_MIR_LLC ?? 'llc-22';
/**
 * Typical files as a process, of the first of PROGRAMS; large functions warm; the exponent of growth, where 1 is linear and the rest is
 * noise.
 */
const BUDGET = { process: 1.0, schedulerProcess: 1.5, warm: 3.0, exponent: 1.15 };
const has = (flag) => process.argv.includes(flag);
const isQuick = has('--quick');
const part = process.argv.find((a) => a.startsWith('--only='))?.slice('--only='.length) ?? '';
const RUNS = isQuick ? 3 : 7;
/** Runs of a size in each round of measuring growth, so that all sizes compute as many instructions. */
const growthRuns = GROWTH.map(({ text, size }) => ({ text, runs: Math.round(GROWTH.at(-1).size / size) }));
const GROWTH_ROUNDS = isQuick ? 2 : 4;

function firstLine(file) {
  return readFileSync(file, 'latin1').split('\n', 1)[0];
}

if (globalThis.gc === undefined) {
  // Memory is only worth a number after a collection.
  const again = spawnSync(process.execPath, ['--expose-gc', ...process.argv.slice(1)], { stdio: 'inherit' });
  process.exit(again.status ?? 1);
}

const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let over = false;

/** Without the machine's own NODE_OPTIONS and extra certificates: Node parses those (35 ms for a usual bundle) in every process. */
const environment = { ...process.env };
delete environment.NODE_EXTRA_CA_CERTS;
delete environment.NODE_OPTIONS;

/** { cpu, wall } of one process in milliseconds, as the shell measures it; null when it fails. */
function timed(command) {
  const script = 'TIMEFORMAT="%3U %3S %3R"; { time "$@" >/dev/null 2>/dev/null; } 2>&1; ';
  const run = spawnSync('bash', ['-c', script, 'bash', ...command], { encoding: 'utf8', env: environment });
  const [user, system, wall] = (run.stdout ?? '').trim().split(/\s+/).map(Number);
  return run.status === 0 && wall >= 0 ? { cpu: (user + system) * 1000, wall: wall * 1000 } : null;
}

/**
 * The least times of several runs of some commands, which take turns, so that a busy moment meets all of them; with the single runs, for
 * `beside`. null for a command that failed.
 */
function leastOf(commands, runs) {
  const all = commands.map(() => []);
  for (let n = 0; n < runs; n++) commands.forEach((command, i) => all[i].push(timed(command)));
  const least = (times, key) => Math.min(...times.map((t) => t[key]));
  return all.map((times) =>
    times.includes(null) ? null : { cpu: least(times, 'cpu'), wall: least(times, 'wall'), runs: times },
  );
}

const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** The middle one of the ratios of runs that followed each other: a machine that is slow for a while is so for both. */
const beside = (ours, llc, key) => middle(ours.runs.map((t, n) => t[key] / llc.runs[n][key]));

/** Milliseconds of llc's passes by name (user and system), the least of some runs. The pressure printer has no name. */
function passTimes(args, runs) {
  const least = new Map();
  for (let n = 0; n < runs; n++) {
    const run = spawnSync(LLC, [...args, '-time-passes', '-o', '/dev/null'], { encoding: 'utf8', maxBuffer: 1 << 29 });
    for (const line of (run.stderr ?? '').slice(-6000).split('\n')) {
      const m = /^ {2,3}\d+\.\d{4} \([^)]*\) .* (\d+\.\d{4}) \([^)]*\) +\d+\.\d{4} \([^)]*\) *(.*)$/.exec(line);
      if (m === null) continue;
      const ms = Number(m[1]) * 1000;
      least.set(m[2].trim(), Math.min(ms, least.get(m[2].trim()) ?? Infinity));
    }
  }
  return (name) => least.get(name) ?? -1;
}

/** Slope of log(time) over log(size). */
function exponent(points) {
  const mean = (a) => a.reduce((s, v) => s + v, 0) / a.length;
  const xs = points.map(([n]) => Math.log(n));
  const ys = points.map(([, t]) => Math.log(Math.max(t, 0.01)));
  const [mx, my] = [mean(xs), mean(ys)];
  return xs.reduce((s, x, k) => s + (x - mx) * (ys[k] - my), 0) / xs.reduce((s, x) => s + (x - mx) ** 2, 0);
}

const ms = (n) => (n === undefined || n < 0 ? '-' : n.toFixed(n < 10 ? 2 : 0)).padStart(9);
const ratio = (a, b) => (!(a >= 0 && b > 0) ? '-' : `${(a / b).toFixed(2)} x`).padStart(9);
const label = (name) => name.slice(0, 36).padEnd(36);
const head = (names) => names.map((n) => n.padStart(9)).join('');

/** Bundled and loaded. */
async function loadPhases() {
  const bundle = join(folder, 'phases.cjs');
  await build({
    entryPoints: [join(here, 'phases.ts')],
    outfile: bundle,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'warning',
  });
  return createRequire(import.meta.url)(bundle);
}

/** The arguments of llc for a pressure report and for a schedule. */
const reportArgs = (target) => [...target, '-run-pass=amdgpu-print-rp', '-filetype=null', '-o', '/dev/null'];
const scheduleArgs = (target) => [...target, '-run-pass=machine-scheduler', '-o', '/dev/null'];

function runsFor({ text, isTypical }) {
  if (text.length > 1e6) return Math.min(3, RUNS);
  return isTypical ? 2 * RUNS + 1 : RUNS;
}

/** Whole processes alone, of the inputs with `word` in their name. */
async function benchCold(word) {
  const { llcTarget } = await loadPhases();
  const inputs = [...benchInputs(root, isQuick), ...GROWTH].filter(({ name }) => name.includes(word));
  if (inputs.length === 0) throw new Error(`no input has '${word}' in its name`);
  const rows = {};
  for (const { name, text, isTypical } of inputs) {
    const file = join(folder, `${name}.mir`);
    writeFileSync(file, text);
    const target = llcTarget(text);
    const of = (args) => {
      const commands = [[LLC], ...PROGRAMS.map(({ command }) => [...command, 'llc'])];
      const [llc, ...ours] = leastOf(
        commands.map((command) => [...command, ...args, file]),
        runsFor({ text, isTypical }),
      );
      return { llc, ours };
    };
    rows[name] = { runs: { report: of(reportArgs(target)), schedule: of(scheduleArgs(target)) } };
  }
  showCold(inputs, rows);
}

function showCold(inputs, rows) {
  showProcesses('file to pressure report', inputs, rows, (r) => r.runs.report, BUDGET.process);
  showProcesses('file to scheduled file, cold', inputs, rows, (r) => r.runs.schedule, BUDGET.schedulerProcess);
}

async function benchPhases() {
  const { measureMemory, measurePhases, measureGrowth, llcTarget, PHASES } = await loadPhases();
  const lastFile = join(results, 'last.json');
  const last = existsSync(lastFile) ? JSON.parse(readFileSync(lastFile, 'utf8')) : {};
  const empty = join(folder, 'empty.mir');
  writeFileSync(empty, '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n');

  const inputs = [...benchInputs(root, isQuick), ...GROWTH.map((g) => ({ ...g, isTypical: false }))];
  const rows = {};
  const memory = new Map(inputs.map(({ name, text }) => [name, measureMemory(text)]));
  console.log(
    'warm, milliseconds of processor time; "llc": parsing, verifying and amdgpu-print-rp of llc-22 beyond its start-up\n',
  );
  console.log(`${label('input')}${head(['instrs', ...PHASES, 'total', 'llc', 'ratio', 'MB', 'before'])}`);
  for (const { name, text, isTypical } of inputs) {
    const file = join(folder, `${name}.mir`);
    writeFileSync(file, text);
    const r = { ...measurePhases(text, isQuick ? 500 : 2000), ...memory.get(name) };
    const options = reportArgs(llcTarget(text));
    const schedule = scheduleArgs(llcTarget(text));
    const ourRuns = (args) => PROGRAMS.map(({ command }) => [...command, 'llc', ...args, file]);
    const [llc, start, llcSched, ...ours] = leastOf(
      [
        [LLC, ...options, file],
        [LLC, ...options, empty],
        [LLC, ...schedule, file],
        ...ourRuns(options),
        ...ourRuns(schedule),
      ],
      runsFor({ text, isTypical }),
    );
    const llcWork = llc === null || start === null ? -1 : Math.max(0.5, llc.cpu - start.cpu);
    const runs = {
      report: { ours: ours.slice(0, PROGRAMS.length), llc },
      schedule: { ours: ours.slice(PROGRAMS.length), llc: llcSched },
    };
    rows[name] = { ...r, runs, llcWork };
    const mb = ((r.modelBytes + r.analysisBytes) / 1e6).toFixed(1).padStart(9);
    const before = last[name]?.total;
    console.log(
      `${label(name)}${String(r.instructions).padStart(9)}${PHASES.map((p) => ms(r[p])).join('')}${ms(r.total)}${ms(llcWork)}` +
        `${ratio(r.total, llcWork)}${mb}${ratio(r.total, before ?? -1)}`,
    );
  }
  const large = inputs.filter((i) => !i.isTypical && rows[i.name].llcWork > 0).map((i) => rows[i.name]);
  const worst = Math.max(...large.map((r) => r.total / r.llcWork));
  if (large.length > 0) console.log(`\nlarge functions: at most ${worst.toFixed(2)} x llc; budget ${BUDGET.warm} x`);
  if (large.length > 0 && BUDGET.warm < worst) over = true;

  console.log('\nbeside the passes of llc (-time-passes, user and system)\n');
  console.log(
    `${label('input')}${head(['live', 'llc', 'ratio', 'print', 'llc', 'ratio', 'schedule', 'llc', 'ratio'])}`,
  );
  for (const { name, text } of inputs.filter((i) => rows[i.name].instructions >= 2000)) {
    const r = rows[name];
    const pass = passTimes(
      [...llcTarget(text), '-run-pass=machine-scheduler', join(folder, `${name}.mir`)],
      isQuick ? 1 : 3,
    );
    const live =
      pass('Live Interval Analysis') < 0
        ? -1
        : pass('Live Interval Analysis') + Math.max(0, pass('Slot index numbering'));
    const [print, schedule] = [pass('MIR Printing Pass'), pass('Machine Instruction Scheduler')];
    console.log(
      `${label(name)}${ms(r.live)}${ms(live)}${ratio(r.live, live)}${ms(r.print)}${ms(print)}${ratio(r.print, print)}` +
        `${ms(r.schedule)}${ms(schedule)}${ratio(r.schedule, schedule)}`,
    );
  }

  showCold(inputs, rows);

  showGrowth(rows, PHASES, measureGrowth(growthRuns, GROWTH_ROUNDS), llcGrowth(llcTarget, empty));
  mkdirSync(results, { recursive: true });
  writeFileSync(lastFile, JSON.stringify(rows, null, 1));
}

/** Milliseconds of llc beyond its start-up for each size of GROWTH: means over as many runs as ours has. null without llc. */
function llcGrowth(llcTarget, empty) {
  const sums = GROWTH.map(() => 0);
  let start = 0;
  for (let round = 0; round < GROWTH_ROUNDS; round++) {
    for (let k = 0; k < GROWTH.length; k++) {
      const options = reportArgs(llcTarget(GROWTH[k].text));
      const { runs } = growthRuns[k];
      for (let n = 0; n < runs; n++) {
        const [t, s] = [
          timed([LLC, ...options, join(folder, `${GROWTH[k].name}.mir`)]),
          timed([LLC, ...options, empty]),
        ];
        if (t === null || s === null) return null;
        sums[k] += t.cpu / runs;
        start += s.cpu / growthRuns.reduce((all, g) => all + g.runs, 0);
      }
    }
  }
  return sums.map((sum) => Math.max(0.5, sum - start) / GROWTH_ROUNDS);
}

/** `means`: our times by size, `llc`: llc's, or null. */
function showGrowth(rows, phases, means, llc) {
  console.log(
    `\ngrowth, time ~ instructions ^ x, from ${GROWTH[0].size} to ${GROWTH.at(-1).size}; each size computes as many instructions\n`,
  );
  const names = [...phases, 'total'];
  const of = (value) => exponent(GROWTH.map((g, k) => [g.size, value(k)]));
  const row = (k) => rows[GROWTH[k].name];
  const memory = of((k) => row(k).modelBytes + row(k).analysisBytes);
  const mean = names.map((name) => of((k) => means[k][name]));
  const least = names.map((name) => of((k) => row(k)[name]));
  const line = (name, values) =>
    console.log(`${name.padEnd(8)}${values.map((x) => x.toFixed(2).padStart(9)).join('')}`);
  console.log(`${''.padEnd(8)}${head([...names, ...(llc ? ['llc'] : []), 'memory'])}`);
  line('mean', [...mean, ...(llc ? [of((k) => llc[k])] : []), memory]);
  // The least shows the algorithms without most of the garbage collection.
  line('least', [...least, ...(llc ? [of((k) => row(k).llcWork)] : [])]);
  const total = mean.at(-1);
  console.log(`\ntotal ~ n^${total.toFixed(2)}, budget ${BUDGET.exponent}`);
  // The total; a single phase of some milliseconds is noise.
  if (BUDGET.exponent < total || BUDGET.exponent < memory) over = true;
}

/** Table of whole processes beside llc, by the clock and in processor time, and the medians of typical files. */
function showProcesses(what, inputs, rows, timesOf, budget) {
  console.log(`\nwhole processes, ${what}; wall and cpu in milliseconds and as multiples of llc's\n`);
  const names = PROGRAMS.map(({ name }) => name);
  console.log(`${label('')}${['llc', ...names].map((name, k) => `  ${name}`.padEnd(k === 0 ? 18 : 40)).join('')}`);
  console.log(`${label('input')}${head(['wall', 'cpu', ...names.flatMap(() => ['wall', 'cpu', 'wall', 'cpu'])])}`);
  const typical = names.map(() => []);
  for (const { name, isTypical } of inputs) {
    const { ours, llc } = timesOf(rows[name]);
    if (ours.includes(null)) throw new Error(`no result of ${name}: is the project built?`);
    const columns = ours.map((times, k) => {
      const ratios = llc === null ? [-1, -1] : ['wall', 'cpu'].map((key) => beside(times, llc, key));
      if (isTypical && llc !== null) typical[k].push(ratios);
      return `${ms(times.wall)}${ms(times.cpu)}${ratios.map((r) => ratio(r, 1)).join('')}`;
    });
    console.log(`${label(name)}${ms(llc?.wall)}${ms(llc?.cpu)}${columns.join('')}`);
  }
  console.log();
  typical.forEach((ratios, k) => {
    if (ratios.length === 0) return;
    const [wall, cpu] = [0, 1].map((key) => middle(ratios.map((r) => r[key])));
    const limit = k === 0 ? `; budget ${budget} x` : '';
    const values = `${wall.toFixed(2)} x llc by the clock, ${cpu.toFixed(2)} x in processor time`;
    console.log(`typical files, median, ${names[k]}: ${values}${limit}`);
    if (k === 0 && budget < wall) over = true;
  });
}

function runScript(name) {
  console.log();
  const run = spawnSync(process.execPath, [join(here, name), ...(has('--check') ? ['--check'] : [])], {
    stdio: 'inherit',
  });
  if (run.status !== 0) over = true;
}

if (part === '' || part === 'phases') await benchPhases();
if (part === 'cold' || part.startsWith('cold:')) await benchCold(part.slice('cold:'.length));
if (part === '' || part === 'keystrokes') runScript('keystroke.mjs');
if (part === '' || part === 'editor') runScript('editor.mjs');
if (part === 'scheduler' || (part === '' && !isQuick)) runScript('scheduler.mjs');
if (part === 'remat' || (part === '' && !isQuick)) runScript('remat.mjs');
if (part === 'allocation' || (part === '' && !isQuick)) runScript('allocation.mjs');
if (part === 'lens' || (part === '' && !isQuick)) runScript('lens.mjs');
if (over) console.log('\nover budget: see Done when in the issue (a busy machine is over budget too)');
process.exit(over && has('--check') ? 1 : 0);
