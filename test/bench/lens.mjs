#!/usr/bin/env node
// From the last key in a function to the lens with its allocated registers: the built server as a process over stdio, an editor that asks again when it is told
// to. A generated function of 1,000 instructions, and those functions of the corpus (when ../shared is there) that have about as many, each before the
// scheduler, whose run counts, and at the allocator. Milliseconds by the clock, the pause of 150 ms after the last key included, and of processor time, with
// the first answer of the process apart; the p95 is that of all the others together. `--check` exits 1 over budget.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { loopFunction } from './generate.mjs';
import { quantile as at, root, Session } from './session.mjs';

/** p95 in milliseconds from the last key on */
const BUDGET = 300;
/** instructions of the functions of the corpus */
const [LEAST, MOST] = [950, 1120];
const PATIENCE_MS = 30_000;
const WARM = 6;
const ROUNDS = 14;
/** functions of the corpus, of which `--quick` takes some */
const MOST_FUNCTIONS = process.argv.includes('--quick') ? 2 : Infinity;

const corpus = process.env.AMDGPU_MIR_CORPUS ?? join(root, '..', 'shared', 'corpus');
const STOP = '-stop-after=virtregrewriter,2';
const AT = { scheduler: `-start-before=machine-scheduler ${STOP}`, allocator: `-start-before=greedy,0 ${STOP}` };
const withRun = (text, args, place) => `# RUN: llc ${args.join(' ')} ${AT[place]} %s\n${text}`;

function inputs() {
  const generated = loopFunction(840, 124).replace(/^# RUN.*\n/, '');
  const found = [{ name: 'generated', text: generated, args: ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a'] }];
  if (!existsSync(corpus)) {
    console.log('skipped: the corpus is not here');
    return found;
  }
  for (const { name, args, functions, shard } of JSON.parse(
    readFileSync(join(corpus, 'sched', 'manifest.json'), 'utf8'),
  )) {
    if (functions.length !== 1 || functions[0].instrs < LEAST || MOST < functions[0].instrs) continue;
    if (found.length > MOST_FUNCTIONS) break;
    const { cases } = JSON.parse(brotliDecompressSync(readFileSync(join(corpus, 'sched', shard))).toString());
    found.push({ name, args, text: cases.find((c) => c.name === name).input });
  }
  return found;
}

/** Times of the answers to edits in the middle of the function; null where no lens comes: the machine is too busy, or there is none. */
async function lensTimes(text) {
  const session = await Session.start({}, { workspace: { codeLens: { refreshSupport: true } } });
  let refreshed = () => undefined;
  session.connection.onRequest('workspace/codeLens/refresh', () => refreshed());
  /** Resolves with the lens of the present text, asked for when the server says that there is more to see; with nothing when it does not come. */
  const lens = () =>
    new Promise((done) => {
      setTimeout(() => done(''), PATIENCE_MS).unref();
      refreshed = () => {
        const seen = (lenses) => {
          const title = lenses.map(({ command }) => command.title).find((text) => text.includes('allocated:'));
          if (title !== undefined && !title.includes('before the edit')) done(title);
        };
        // A question of a text that has changed meanwhile has no answer.
        session.ask('textDocument/codeLens', {}).then(seen, () => undefined);
      };
    });
  const lines = text.split('\n');
  const body = lines.findIndex((line) => line.startsWith('body:'));
  const editable = lines.flatMap((line, k) => (body < k && /^ {4}%\d+.* = /.test(line) ? [k] : []));
  const start = session.cpuMs();
  const begun = performance.now();
  const first = lens();
  await session.open(text);
  const title = await first;
  const opened = { time: performance.now() - begun, computed: session.cpuMs() - start };
  if (!title.startsWith('allocated') || editable.length === 0) {
    await session.end();
    return null;
  }
  const [times, computed] = [[], []];
  for (let k = 0; k < WARM + ROUNDS; k++) {
    // Some functions have few lines with a register in front.
    const line = editable[((editable.length >> 1) + k) % editable.length];
    const cpu = session.cpuMs();
    const from = performance.now();
    const next = lens();
    // A space at the end of another line each time: the function is another one, its registers are not.
    session.edit(line, lines[line].length, lines[line].length, ' ');
    if ((await next) === '') throw new Error('no lens after an edit');
    if (k < WARM) continue;
    times.push(performance.now() - from);
    computed.push(session.cpuMs() - cpu);
  }
  await session.end();
  return { title, opened, times, computed };
}

const ms = (value) => value.toFixed(0).padStart(8);
console.log(
  'from the last key to the lens with allocated registers, milliseconds by the clock (and of processor time)\n',
);
console.log(`${''.padEnd(52)}    first  median     p95     median of the processor`);
const all = { scheduler: [], allocator: [] };
for (const { name, text, args } of inputs()) {
  for (const place of Object.keys(AT)) {
    const found = await lensTimes(withRun(text, args, place));
    const label = `${name}, before the ${place}`.slice(0, 52).padEnd(52);
    if (found === null) {
      console.log(`${label}  no lens in ${PATIENCE_MS / 1000} s`);
      continue;
    }
    const { opened, times, computed } = found;
    all[place].push(...times);
    console.log(
      `${label}${ms(opened.time)}${ms(at(times, 0.5))}${ms(at(times, 0.95))}${ms(at(computed, 0.5)).padStart(12)}`,
    );
  }
}
let over = false;
for (const [place, times] of Object.entries(all)) {
  if (times.length === 0) continue;
  const p95 = at(times, 0.95);
  if (BUDGET < p95) over = true;
  console.log(`\nbefore the ${place}: p95 ${p95.toFixed(0)} ms, budget ${BUDGET}${BUDGET < p95 ? '   OVER' : ''}`);
}
process.exit(over && process.argv.includes('--check') ? 1 : 0);
