#!/usr/bin/env node
// `npm test`: build, type-check, lint, then every test suite, two at once where they do not disturb each other; the last line sums
// up. A check such as the linter counts as one test. Arguments: names of the steps to run (default: all). On a machine of CI
// (CI=true) a test that is skipped for want of something that can be installed has failed.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** No step may take longer; the whole has to end within 40 minutes on two cores. */
const STEP_LIMIT_MS = 25 * 60_000;
/** For programs that are not ours: seconds, and kilobytes of memory. */
const FOREIGN = { programs: ['llc-22', 'opt-22', 'FileCheck-22', 'clang-22'], seconds: 60, memory: 8_000_000 };

const npm = (script) => ['npm', 'run', '--silent', script];
const mocha = ['node', join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'), '--config', '.mocharc.json'];
/** Those of the unit tests that go with the other lane, so that both take as long. */
const FEATURES = 'test/unit/features/**/*.test.ts';

/**
 * Stages follow one another, the lanes of a stage run at once (CI has two cores), and the steps of a lane follow one another. A page of VS Code
 * wants the machine for itself. `counts`: the step prints its own numbers, as mocha does or as `N passed, N failed`; `ci`: on a machine of CI only.
 */
const STAGES = [
  [[{ name: 'build', command: npm('build') }]],
  [
    [
      { name: 'lint', command: npm('lint') },
      { name: 'words', command: npm('words') },
      { name: 'unit', command: [...npm('test:unit'), '--', '--ignore', FEATURES], counts: true },
    ],
    [
      { name: 'typecheck', command: npm('typecheck') },
      { name: 'features', command: [...mocha, FEATURES], counts: true },
      { name: 'property', command: npm('test:property'), counts: true },
      { name: 'lsp', command: npm('test:lsp'), counts: true },
      { name: 'editors', command: npm('test:editors'), counts: true },
    ],
    // Waits for the network, most of its time.
    [{ name: 'host', command: ['bash', 'test/vscode/setup.sh'], ci: true }],
  ],
  [
    [
      // Of what `build` has made.
      { name: 'package', command: ['node', 'client/package.mjs'] },
      { name: 'vscode', command: [...npm('test:vscode'), '--', '--keep-vsix'], counts: true },
      { name: 'desktop', command: npm('test:electron'), counts: true },
    ],
  ],
];

/** What may be missing on a machine of CI, too: it cannot be installed from npm or by apt. */
const mayBeMissing = (why) =>
  why.startsWith('desktop VS Code') ||
  why.startsWith('Neovim 0.11') ||
  (why.startsWith('../shared') && !existsSync(join(root, '..', 'shared')));
const isCI = process.env.CI === 'true';

const limited = mkdtempSync(join(tmpdir(), 'amdgpu-mir-tools-'));
process.on('exit', () => rmSync(limited, { recursive: true, force: true }));

/** Puts programs of the same names before those that are not ours, which run them with limits. */
function limitForeignPrograms() {
  if (process.platform !== 'linux') return;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const limit = (file, program) => {
    // By its name: llc begins its messages with what it was called.
    const call = `PATH='${dirname(program)}':"$PATH" exec timeout -k 5 ${FOREIGN.seconds} '${basename(program)}' "$@"`;
    const text = `#!/bin/sh\nulimit -v ${FOREIGN.memory}\n${call}\n`;
    writeFileSync(join(limited, file), text, { mode: 0o755 });
  };
  for (const program of FOREIGN.programs) {
    const path = folders.map((folder) => join(folder, program)).find(isExecutable);
    if (path !== undefined) limit(program, path);
  }
  const oracle = process.env.AMDGPU_MIR_ORACLE;
  if (oracle) {
    limit('oracle', oracle);
    process.env.AMDGPU_MIR_ORACLE = join(limited, 'oracle');
  }
  process.env.PATH = [limited, ...folders].join(delimiter);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The steps that run, each a group of processes of its own: what it has started ends with it. */
const running = new Set();
function end(child) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
/** What steps that run beside the one on the screen have printed until now. */
const kept = new Map();
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => {
    for (const child of running) end(child);
    for (const [name, output] of kept) console.log(`\n== ${name}, until here\n${output}`);
    tellTimes();
    process.exit(1);
  });

/** What each step took, in seconds, and those that have not ended; the last lines are what one sees of a run that was cut. */
const started = new Map();
const took = new Map();
function tellTimes() {
  const seconds = (ms) => `${(ms / 1000).toFixed(0)} s`;
  const steps = [...started].map(([name, at]) =>
    took.has(name) ? `${name} ${seconds(took.get(name))}` : `${name} not ended after ${seconds(Date.now() - at)}`,
  );
  console.log(`\ntimes: ${steps.join(', ')}; in all ${seconds(performance.now())}`);
}

/** `shown`: its output is printed as it comes; otherwise at its end. */
function run({ name, command }, shown) {
  return new Promise((done) => {
    const child = spawn(command[0], command.slice(1), { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    running.add(child);
    let output = '';
    const take = (chunk) => {
      output += chunk;
      if (shown) process.stdout.write(chunk);
      else kept.set(name, output);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const timer = setTimeout(() => {
      take('\n(out of time)\n');
      end(child);
    }, STEP_LIMIT_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      if (kept.delete(name)) console.log(`\n== ${name}\n${output}`);
      done({ code: code ?? 1, output });
    });
  });
}

/** What a step printed of its failures, cut: mocha's list of them, or the lines `not ok`; of others the last lines. */
function failuresIn(output) {
  const list =
    /^ +\d+ failing\n([^]*)/m.exec(output)?.[1] ?? output.match(/^ *not ok.*$/gm)?.join('\n') ?? output.slice(-2000);
  const lines = list
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(0, 300));
  return [...lines.slice(0, 60), ...(lines.length > 60 ? ['  ...'] : [])].join('\n');
}

const sum = (output, pattern) => [...output.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);

limitForeignPrograms();
const wanted = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;
const troubles = [];
async function runStep(step, shown) {
  const { name, counts } = step;
  if (shown) console.log(`\n== ${name}`);
  started.set(name, Date.now());
  const { code, output } = await run(step, shown);
  took.set(name, Date.now() - started.get(name));
  let good = sum(output, /^\s*(\d+) passing\b/gm) + sum(output, /^(\d+) passed, \d+ failed$/gm);
  let bad = sum(output, /^\s*(\d+) failing\b/gm) + sum(output, /^\d+ passed, (\d+) failed$/gm);
  const reasons = [...output.matchAll(/^\s*skipped: (.*)$/gm)].map((match) => match[1]);
  const pending = sum(output, /^\s*(\d+) pending\b/gm);
  skipped += Math.max(pending, reasons.length);
  if (!counts) [good, bad] = code === 0 ? [1, 0] : [0, 1];
  // A suite that ends badly without naming a failure crashed.
  if (code !== 0 && bad === 0) bad = 1;
  if (isCI) {
    const missing = [...new Set(reasons.filter((why) => !mayBeMissing(why)))];
    if (pending > 0 && reasons.length === 0) missing.push(`${pending} tests, without a reason`);
    for (const why of missing) console.log(`  not ok  skipped, and this is CI: ${why}`);
    bad += missing.length;
  }
  passed += good;
  failed += bad;
  if (bad > 0) troubles.push({ name, failures: failuresIn(output) });
  console.log(`-- ${name}: ${good} passed, ${bad} failed, ${(took.get(name) / 1000).toFixed(1)} s`);
}

for (const stage of STAGES) {
  const lanes = stage
    .map((steps) => steps.filter(({ name, ci }) => (wanted.length === 0 ? isCI || !ci : wanted.includes(name))))
    .filter((steps) => steps.length > 0);
  await Promise.all(
    lanes.map(async (steps, lane) => {
      for (const step of steps) await runStep(step, lane === 0);
    }),
  );
}
tellTimes();
// Once more at the end: who sees a cut output sees its last lines.
for (const { name, failures } of troubles) console.log(`\n== ${name}, what failed\n${failures}`);
if (troubles.length > 0) console.log(`\nfailed: ${troubles.map(({ name }) => name).join(', ')}`);
if (skipped > 0) console.log(`\n${skipped} skipped (each says why above)`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);
