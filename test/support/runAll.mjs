#!/usr/bin/env node
// `npm test`: build, type-check, lint, then every test suite, one after the other; the last line sums up. A check such as the
// linter counts as one test. Arguments: names of the steps to run (default: all). On a machine of CI (CI=true) a test that is
// skipped for want of something that can be installed has failed.
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

/** `counts`: the step prints its own numbers, as mocha does or as `N passed, N failed`. */
const STEPS = [
  { name: 'build', command: ['npm', 'run', '--silent', 'build'] },
  { name: 'typecheck', command: ['npm', 'run', '--silent', 'typecheck'] },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'unit', command: ['npm', 'run', '--silent', 'test:unit'], counts: true },
  { name: 'property', command: ['npm', 'run', '--silent', 'test:property'], counts: true },
  { name: 'lsp', command: ['npm', 'run', '--silent', 'test:lsp'], counts: true },
  { name: 'editors', command: ['npm', 'run', '--silent', 'test:editors'], counts: true },
  { name: 'vscode', command: ['npm', 'run', '--silent', 'test:vscode'], counts: true },
  { name: 'desktop', command: ['npm', 'run', '--silent', 'test:electron'], counts: true },
];

/** What may be missing on a machine of CI, too: it cannot be installed from npm or by apt. */
const mayBeMissing = (why) =>
  why.startsWith('desktop VS Code') || (why.startsWith('../shared') && !existsSync(join(root, '..', 'shared')));
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

/** The step that runs, a group of processes of its own: what it has started ends with it. */
let running;
function endRunning() {
  try {
    if (running?.pid !== undefined) process.kill(-running.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => {
    endRunning();
    process.exit(1);
  });

function run(command) {
  return new Promise((done) => {
    const child = spawn(command[0], command.slice(1), { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    running = child;
    let output = '';
    const take = (stream) => (chunk) => {
      output += chunk;
      stream.write(chunk);
    };
    child.stdout.on('data', take(process.stdout));
    child.stderr.on('data', take(process.stderr));
    const timer = setTimeout(() => {
      output += '\n(out of time)\n';
      console.log('(out of time)');
      endRunning();
    }, STEP_LIMIT_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ code: code ?? 1, output });
    });
  });
}

const sum = (output, pattern) => [...output.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);

limitForeignPrograms();
const wanted = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;
const troubles = [];
for (const { name, command, counts } of STEPS) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n== ${name}`);
  const t0 = Date.now();
  const { code, output } = await run(command);
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
  if (bad > 0) troubles.push(name);
  console.log(`-- ${name}: ${good} passed, ${bad} failed, ${((Date.now() - t0) / 1000).toFixed(1)} s`);
}
if (troubles.length > 0) console.log(`\nfailed: ${troubles.join(', ')}`);
if (skipped > 0) console.log(`\n${skipped} skipped (each says why above)`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);
