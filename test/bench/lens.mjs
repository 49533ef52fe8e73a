#!/usr/bin/env node
// From the last key in a function to the lens with what llc ends with: the built server as a process over stdio, an editor that asks again when it is told
// to. A generated function of 1,000 instructions, and those functions of the corpus (when ../shared is there) that have about as many, each before the
// scheduler, whose run counts, and at the allocator. Milliseconds by the clock, the pause of 150 ms after the last key included, and of processor time; the p95 is
// that of all answers but the first of the process. That one twice: of a file that is opened with the start, and of one that is opened after a pause, in which
// the server warms up. `--check` exits 1 over budget.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { loopFunction } from './generate.mjs';
import { quantile as at, root, Session } from './session.mjs';

/** p95 in milliseconds from the last key on */
const BUDGET = 300;
/** instructions of the functions of the corpus */
const [LEAST, MOST] = [950, 1120];
/** milliseconds from opening a file to its first lens, in a process that had its pause */
const FIRST_BUDGET = 800;
/** A user who has started the editor looks for a file so long. */
const PAUSE_MS = 3000;
const PATIENCE_MS = 30_000;
/** of a kernel, and of a function that others start or whose outcome needs others */
const OUTCOME = /^(?:llc ends with|allocated:)/;
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

/** A server, and the next lens that it has. */
async function lensSession() {
  const session = await Session.start({}, { workspace: { codeLens: { refreshSupport: true } } });
  let refreshed = () => undefined;
  session.connection.onRequest('workspace/codeLens/refresh', () => refreshed());
  /** Resolves with the lens of the present text, asked for when the server says that there is more to see; with nothing when it does not come. */
  const lens = () =>
    new Promise((done) => {
      setTimeout(() => done(''), PATIENCE_MS).unref();
      refreshed = () => {
        const seen = (lenses) => {
          const title = lenses.map(({ command }) => command.title).find((text) => OUTCOME.test(text));
          if (title !== undefined && !title.includes('before the edit')) done(title);
        };
        // A question of a text that has changed meanwhile has no answer.
        session.ask('textDocument/codeLens', {}).then(seen, () => undefined);
      };
    });
  return { session, lens };
}

/** Time until the first lens of a process whose file is opened so long after its start; null where none comes. */
async function firstLens({ session, lens }, text, pauseMs) {
  await new Promise((done) => setTimeout(done, pauseMs));
  const start = session.cpuMs();
  const begun = performance.now();
  const first = lens();
  await session.open(text);
  const title = await first;
  if (title === '') return null;
  return { time: performance.now() - begun, computed: session.cpuMs() - start };
}

/** Times of the answers to edits in the middle of the function; null where no lens comes: the machine is too busy, or there is none. */
async function lensTimes(text) {
  const cold = await lensSession();
  const atStart = await firstLens(cold, text, 0);
  await cold.session.end();
  const { session, lens } = await lensSession();
  const lines = text.split('\n');
  const body = lines.findIndex((line) => line.startsWith('body:'));
  const editable = lines.flatMap((line, k) => (body < k && /^ {4}%\d+.* = /.test(line) ? [k] : []));
  const afterPause = await firstLens({ session, lens }, text, PAUSE_MS);
  if (atStart === null || afterPause === null || editable.length === 0) {
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
  return { atStart, afterPause, times, computed };
}

const ms = (value) => value.toFixed(0).padStart(8);
console.log(
  'from the last key to the lens with what llc ends with, milliseconds by the clock (and of processor time)\n',
);
const shown = ({ time, computed }) => `${ms(time)} (${computed.toFixed(0).padStart(5)})`;
console.log(`${''.padEnd(52)}  first: at start   after ${PAUSE_MS / 1000} s  median (of CPU)     p95`);
const all = { scheduler: [], allocator: [] };
const firsts = [];
for (const { name, text, args } of inputs()) {
  for (const place of Object.keys(AT)) {
    const found = await lensTimes(withRun(text, args, place));
    const label = `${name}, before the ${place}`.slice(0, 52).padEnd(52);
    if (found === null) {
      console.log(`${label}  no lens in ${PATIENCE_MS / 1000} s`);
      continue;
    }
    const { atStart, afterPause, times, computed } = found;
    all[place].push(...times);
    firsts.push(afterPause.time);
    const median = { time: at(times, 0.5), computed: at(computed, 0.5) };
    console.log(`${label} ${shown(atStart)}${shown(afterPause)}${shown(median)}${ms(at(times, 0.95))}`);
  }
}
let over = false;
const judge = (what, value, budget) => {
  over ||= budget < value;
  console.log(`${what} ${value.toFixed(0)} ms, budget ${budget}${budget < value ? '   OVER' : ''}`);
};
console.log('');
for (const [place, times] of Object.entries(all))
  if (times.length > 0) judge(`before the ${place}: p95`, at(times, 0.95), BUDGET);
if (firsts.length > 0) judge(`first lens after ${PAUSE_MS / 1000} s: median`, at(firsts, 0.5), FIRST_BUDGET);
process.exit(over && process.argv.includes('--check') ? 1 : 0);
