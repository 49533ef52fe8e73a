/**
 * Formatting over files that the project did not write. What llc printed stays as it is; what was put out of shape reads the same to
 * llc-22 afterwards, and once formatted stays so. Needs ../shared/corpus, and llc-22 for the second part; says so when they are absent.
 *
 * AMDGPU_MIR_RUNS=500 asks llc-22 about that many files, AMDGPU_MIR_ALL about all of any size; AMDGPU_MIR_SEED=n replays.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { provideFormatting } from '../../server/src/features/format/formatting.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { random } from '../support/corpusCase.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { needsShared } from '../support/skip.js';
import { ALL, runsOr, seedOr } from '../support/switches.js';

const CORPUS = join(__dirname, '..', '..', '..', 'shared', 'corpus', 'parse');
const COUNT = runsOr(12);
const SEED = seedOr(1);
const URI = 'file:///corpus.mir';
const MAX_BYTES = 40_000;

interface Case {
  readonly name: string;
  readonly input: string;
  readonly args: readonly string[];
}

function cases(): Case[] {
  const manifest = JSON.parse(readFileSync(join(CORPUS, 'manifest.json'), 'utf8')) as { accept: Case[] };
  const args = new Map(manifest.accept.map((c) => [c.name, c.args]));
  return ['accept-00.json.br', 'accept-01.json.br'].flatMap((shard) => {
    const json = brotliDecompressSync(readFileSync(join(CORPUS, shard))).toString();
    return (JSON.parse(json) as { cases: Case[] }).cases.map((c) => ({ ...c, args: args.get(c.name) ?? [] }));
  });
}

function formatted(text: string): string {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  const snapshot = host.snapshot(URI)!;
  let result = text;
  for (const { range, newText } of provideFormatting(snapshot, { textDocument: { uri: URI } }).reverse()) {
    const [start, end] = [snapshot.text.offsetAt(range.start), snapshot.text.offsetAt(range.end)];
    assert.match(text.slice(start, end) + newText, /^[\s:]*$/, 'only blanks change');
    result = result.slice(0, start) + newText + result.slice(end);
  }
  return result;
}

/** Blanks put where they do not matter: within lines of bodies, around commas, after lines, another indentation. */
function untidy(text: string, rnd: () => number): string {
  let inBody = false;
  let shift = 0;
  return text
    .split('\n')
    .map((line) => {
      if (/^body:/.test(line)) {
        inBody = true;
        shift = Math.floor(rnd() * 3);
        return line;
      }
      if (/^(?:\.\.\.|---)/.test(line)) inBody = false;
      if (!inBody || line.trim() === '') return line;
      const indent = ' '.repeat(shift);
      if (/^\s*;/.test(line) || /["`{}]|\/\*|CustomRegMask/.test(line)) return indent + line;
      const [code, ...comment] = line.split(';');
      const messed = code!
        .replace(/, /g, () => (rnd() < 0.2 ? ',' : rnd() < 0.2 ? ' ,  ' : ', '))
        .replace(/ = /g, () => (rnd() < 0.3 ? '\t=  ' : ' = '));
      const more = /^ {4,}/.test(line) ? ' '.repeat(Math.floor(rnd() * 4)) : '';
      return indent + more + [messed, ...comment].join(';') + (rnd() < 0.1 ? '  ' : '');
    })
    .join('\n');
}

/** llc prints where objects without a name lie. */
const withoutAddresses = (output: string): string => output.replaceAll(/<0x[0-9a-f]+>/g, '<>');

describe('formatting over the corpus', () => {
  it('leaves what llc-22 printed as it is, and is settled after once', function () {
    needsLlc(this);
    needsShared(this, CORPUS);
    this.timeout(0);
    const rnd = random(SEED);
    const all = cases().filter((c) => ALL || c.input.length < MAX_BYTES);
    let compared = 0;
    for (let k = 0; k < (ALL ? all.length : COUNT); k++) {
      const { name, input, args } = all[ALL ? k : Math.floor(rnd() * all.length)]!;
      const llc = [...args, '-x', 'mir', '-run-pass=none', '-o', '-'];
      const printed = runLlc(llc, input);
      if (printed.status !== 0) continue;
      compared++;
      assert.equal(formatted(printed.stdout), printed.stdout, `${name}: what llc printed`);
      const messy = untidy(input, rnd);
      const tidy = formatted(messy);
      assert.equal(formatted(tidy), tidy, `${name}: twice`);
      const before = runLlc(llc, messy);
      if (before.status !== 0) continue;
      const after = runLlc(llc, tidy);
      assert.equal(withoutAddresses(after.stdout), withoutAddresses(before.stdout), `${name}: ${after.stderr}`);
      assert.equal(withoutAddresses(after.stdout), withoutAddresses(printed.stdout), `${name}: the author's own`);
    }
    if (ALL) console.log(`      ${compared} of ${all.length} files that llc-22 takes`);
  });
});
