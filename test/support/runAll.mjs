#!/usr/bin/env node
// `npm test`: build, type-check, lint, then every test suite, one after the other; the last line sums up. A check such as the
// linter counts as one test. Arguments: names of the steps to run (default: all).
import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** No step may take longer; the whole has to end within 40 minutes on two cores. */
const STEP_LIMIT_MS = 12 * 60_000;

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
];

function run(command) {
  return new Promise((done) => {
    const child = spawn(command[0], command.slice(1), { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (stream) => (chunk) => {
      output += chunk;
      stream.write(chunk);
    };
    child.stdout.on('data', take(process.stdout));
    child.stderr.on('data', take(process.stderr));
    const timer = setTimeout(() => {
      output += '\n(out of time)\n';
      child.kill('SIGKILL');
    }, STEP_LIMIT_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ code: code ?? 1, output });
    });
  });
}

const sum = (output, pattern) => [...output.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);

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
  skipped += sum(output, /^\s*(\d+) pending\b/gm) + (output.match(/^skipped: /gm)?.length ?? 0);
  if (!counts) [good, bad] = code === 0 ? [1, 0] : [0, 1];
  // A suite that ends badly without naming a failure crashed.
  if (code !== 0 && bad === 0) bad = 1;
  passed += good;
  failed += bad;
  if (bad > 0) troubles.push(name);
  console.log(`-- ${name}: ${good} passed, ${bad} failed, ${((Date.now() - t0) / 1000).toFixed(1)} s`);
}
if (troubles.length > 0) console.log(`\nfailed: ${troubles.join(', ')}`);
if (skipped > 0) console.log(`\n${skipped} skipped (each says why above)`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
