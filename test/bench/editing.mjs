#!/usr/bin/env node
// What an editor waits for while a function of 10,000 instructions is written: completion of an opcode and of an operand after each letter,
// signature help, rename, formatting while typing, diagnostics of four targets; the built server as a process over stdio. Median and p95 in milliseconds, and the
// processor time of the server for each; `--check` exits 1 over the budget of the project.
import { bigFunction } from './generate.mjs';
import { quantile as at, Session } from './session.mjs';

const N_INSTRS = Number(process.argv.find((a) => /^\d+$/.test(a)) ?? 10_000);
const ROUNDS = 40;
const BUDGET = { completion: 50, 'signature help': 20, rename: 100, 'on type': 20, diagnostics: 250 };

const session = await Session.start();
const text = bigFunction(N_INSTRS);
await session.open(text);
const lines = text.split('\n');
const target = Math.floor(lines.length / 2);
const column = lines[target].indexOf('V_ADD');
const times = Object.fromEntries(Object.keys(BUDGET).map((name) => [name, []]));
const computed = Object.fromEntries(Object.keys(BUDGET).map((name) => [name, []]));

async function measure(name, method, params) {
  const cpu = session.cpuMs();
  const start = performance.now();
  const answer = await session.ask(method, params);
  times[name].push(performance.now() - start);
  computed[name].push(session.cpuMs() - cpu);
  return answer;
}

/** Answers are only of use when there is something in them. */
function expect(isGood, what) {
  if (!isGood) throw new Error(`no answer: ${what}`);
}

const pause = () => new Promise((done) => setTimeout(done, 30));
const word = 'V_ADD_U32_e32 %';
let length = lines[target].length;
for (let k = 0; k < ROUNDS; k++) {
  session.edit(target, column, length, '');
  length = column;
  for (const letter of word) {
    session.edit(target, length, length, letter);
    length++;
    const position = { line: target, character: length };
    if (letter === ' ') continue;
    const list = await measure('completion', 'textDocument/completion', { position });
    expect(list.items.length > 0, 'completion');
    if (letter === '%')
      expect(await measure('signature help', 'textDocument/signatureHelp', { position }), 'signature');
    if (k % 4 === 0) await pause();
  }
  const rest = `${k}, %${k}, implicit $exec`;
  session.edit(target, length, length, rest);
  length += rest.length;
  const position = { line: target - 3 - k, character: 5 };
  const edit = await measure('rename', 'textDocument/rename', { position, newName: `${90000 + k}` });
  expect(edit.changes, 'rename');
  session.edit(target, length, length, '\n');
  const options = { tabSize: 2, insertSpaces: true };
  const next = { position: { line: target + 1, character: 0 }, ch: '\n', options };
  expect((await measure('on type', 'textDocument/onTypeFormatting', next)).length === 1, 'on type');
  await session.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: 'file:///bench/big.mir', version: ++session.version },
    contentChanges: [
      { range: { start: { line: target, character: length }, end: { line: target + 1, character: 0 } }, text: '' },
    ],
  });
  await pause();
}
await session.end();

// From a keystroke to the findings of four targets, with the pause after it that the server makes.
const [firstRun] = lines;
const runs = ['gfx906', 'gfx942', 'gfx1100', 'gfx1200'].map((cpu) => firstRun.replace('gfx90a', cpu));
const four = await Session.start();
await four.open([...runs, ...lines.slice(1)].join('\n'));
const at4 = target + runs.length - 1;
for (let k = 0, end = lines[target].length; k < ROUNDS; k++) {
  const before = four.cpuMs();
  const start = performance.now();
  const found = four.diagnosticsOf(four.version + 1);
  // Every other time the line is broken.
  four.edit(at4, column, end, k % 2 === 0 ? 'V_ADD_U32' : lines[target].slice(column));
  end = k % 2 === 0 ? column + 'V_ADD_U32'.length : lines[target].length;
  const { length: n } = await found;
  expect(k % 2 === 0 ? n > 0 : n === 0, 'diagnostics');
  times.diagnostics.push(performance.now() - start);
  computed.diagnostics.push(four.cpuMs() - before);
}
await four.end();

let isOver = false;
console.log(`one function of ${N_INSTRS} instructions`);
for (const [name, values] of Object.entries(times)) {
  const p95 = at(values, 0.95);
  const cpu = computed[name];
  isOver ||= p95 > BUDGET[name];
  console.log(
    `${name.padEnd(16)} median ${at(values, 0.5).toFixed(1).padStart(7)} ms   p95 ${p95.toFixed(1).padStart(7)} ms (${BUDGET[name]})   processor ${at(cpu, 0.5).toFixed(1).padStart(6)} / ${at(cpu, 0.95).toFixed(1).padStart(6)} ms`,
  );
}
if (process.argv.includes('--check') && isOver) process.exit(1);
