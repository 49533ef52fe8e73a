/**
 * Completion over files that the project did not write: an opcode or an operand is deleted and completed again, and what the author wrote
 * has to be near the top. Needs ../shared/corpus and says so when it is absent.
 *
 * AMDGPU_MIR_RUNS=5000 tries that many places, AMDGPU_MIR_RUNS=2000 accepts that many items and asks llc-22 about the result; AMDGPU_MIR_SEED=n replays; AMDGPU_MIR_SHOW=50 prints that many that were not found.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { InsertTextFormat, type TextEdit } from 'vscode-languageserver-types';
import { provideCompletion } from '../../server/src/features/completion/completion.js';
import { expanded, LEAVES, REJECTED } from '../../server/src/features/completion/trial.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import type { MachineFunction } from '../../server/src/model/machineFunction.js';
import { DEFAULT_SETTINGS, type Settings } from '../../server/src/program/settings.js';
import { random, type CorpusCase } from '../support/corpusCase.js';
import { essence } from '../support/completed.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { needsShared } from '../support/skip.js';
import { SHOW, runsOr, seedOr } from '../support/switches.js';

const CORPUS = join(__dirname, '..', '..', '..', 'shared', 'corpus');
const COUNT = runsOr(300);
const SEED = seedOr(1);
const ACCEPTED = runsOr(20);
const URI = 'file:///corpus.mir';
/** Larger files only take longer. */
const MAX_BYTES = 60_000;
/** Places tried in one file. */
const PER_FILE = 4;

const option = (args: readonly string[], name: string): string =>
  args.find((a) => a.startsWith(`-${name}=`))?.slice(name.length + 2) ?? '';

function openFile(text: string, args: readonly string[], settings: Partial<Settings> = {}): AnalysisHost {
  const host = new AnalysisHost(false, Infinity);
  host.configure({ ...DEFAULT_SETTINGS, ...settings });
  host.open(URI, 1, text);
  const target = {
    triple: option(args, 'mtriple') || 'amdgcn',
    cpu: option(args, 'mcpu'),
    features: option(args, 'mattr'),
  };
  host.selectTarget(URI, target);
  return host;
}

interface Place {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** A random opcode or operand of the function. */
function placeIn(fn: MachineFunction, base: number, text: string, rnd: () => number): Place | null {
  const i = Math.floor(rnd() * fn.nInstrs);
  const n = fn.numOperands(i);
  const k = Math.floor(rnd() * (n + 1)) - 1;
  const range = k < 0 ? fn.source!.opcodeRange(i) : fn.source!.operandRange(i, k);
  const { start, end } = { start: base + range.start, end: base + range.end };
  const word = text.slice(start, end);
  if (word === '' || word.includes('\n')) return null;
  if (k < 0) return { kind: 'opcode', start, end };
  const isDef =
    text.slice(text.lastIndexOf('\n', start), start).indexOf('=') < 0 &&
    / = /.test(text.slice(end, text.indexOf('\n', end)));
  const kind = /^implicit/.test(word)
    ? 'implicit'
    : isDef
      ? 'definition'
      : /^(?:[a-z-]+ )*[%$](?!bb|stack|const|subreg|fixed|jump)/.test(word)
        ? 'register'
        : /^-?\d/.test(word)
          ? 'immediate'
          : 'other operand';
  return { kind, start, end };
}

type Listed = Pick<CorpusCase, 'name' | 'args'>;

function corpusFiles(maxBytes: number): CorpusCase[] {
  const files: CorpusCase[] = [];
  for (const folder of ['parse', 'sched', 'uniformity']) {
    const manifest = JSON.parse(readFileSync(join(CORPUS, folder, 'manifest.json'), 'utf8')) as
      Listed[] | { accept: Listed[] };
    const listed = new Map((Array.isArray(manifest) ? manifest : manifest.accept).map((c) => [c.name, c.args]));
    for (const shard of readdirSync(join(CORPUS, folder)))
      if (/^(?:accept|cases)-\d+\.json\.br$/.test(shard)) {
        const json = brotliDecompressSync(readFileSync(join(CORPUS, folder, shard))).toString();
        for (const c of (JSON.parse(json) as { cases: CorpusCase[] }).cases)
          if (c.input.length < maxBytes)
            files.push({ ...c, args: listed.get(c.name) ?? c.args ?? ['-mtriple=amdgcn'] });
      }
  }
  return files;
}

describe('completion over the corpus', () => {
  it(`${COUNT} opcodes and operands are found again`, function () {
    needsShared(this, CORPUS);
    this.timeout(0);
    const files = corpusFiles(MAX_BYTES);
    const rnd = random(SEED);
    const found = new Map<string, { n: number; first3: number; first10: number; listed: number }>();
    const times: number[] = [];
    let tried = 0;
    let missed = 0;
    while (tried < COUNT) {
      const file = files[Math.floor(rnd() * files.length)]!;
      const args = file.args;
      const whole = openFile(file.input, args).snapshot(URI)!;
      for (let p = 0; p < PER_FILE && tried < COUNT; p++) {
        const view = whole.functions[Math.floor(rnd() * whole.functions.length)];
        if (!view?.fn?.source || view.fn.nInstrs === 0) break;
        const place = placeIn(view.fn, view.start, file.input, rnd);
        if (place === null) continue;
        tried++;
        const word = file.input.slice(place.start, place.end);
        const text = file.input.slice(0, place.start) + file.input.slice(place.end);
        const snapshot = openFile(text, args).snapshot(URI)!;
        const position = snapshot.text.positionAt(place.start);
        const t0 = performance.now();
        const { items } = provideCompletion(snapshot, { textDocument: { uri: URI }, position });
        times.push(performance.now() - t0);
        const wanted = essence(word);
        const at = items.findIndex((item) => item.label === wanted || essence(item.label) === wanted);
        for (const kind of [place.kind, 'all']) {
          const count = found.get(kind) ?? { n: 0, first3: 0, first10: 0, listed: 0 };
          count.n++;
          if (at >= 0) count.listed++;
          if (0 <= at && at < 3) count.first3++;
          if (0 <= at && at < 10) count.first10++;
          found.set(kind, count);
        }
        if ((at < 0 || at >= 10) && missed++ < SHOW) {
          const line = file.input
            .slice(file.input.lastIndexOf('\n', place.start) + 1, file.input.indexOf('\n', place.end))
            .trim();
          console.log(
            `      ${place.kind} ${at} ${wanted} in ${line}\n         ${items
              .slice(0, 6)
              .map((i) => i.label)
              .join(' | ')}`,
          );
        }
      }
    }
    const percent = (a: number, n: number): string => `${((100 * a) / n).toFixed(1)} %`.padStart(8);
    for (const [kind, { n, first3, first10, listed }] of found)
      console.log(
        `      ${kind.padEnd(14)} ${String(n).padStart(6)}  first 3 ${percent(first3, n)}  first 10 ${percent(first10, n)}  listed ${percent(listed, n)}`,
      );
    times.sort((a, b) => a - b);
    console.log(
      `      median ${times[times.length >> 1]!.toFixed(1)} ms, p95 ${times[Math.floor(times.length * 0.95)]!.toFixed(1)} ms`,
    );
    const { n, first3, first10 } = found.get('all')!;
    assert.ok(first3 >= 0.6 * n, `first 3: ${percent(first3, n)}`);
    assert.ok(first10 >= 0.9 * n, `first 10: ${percent(first10, n)}`);
  });

  it(`${ACCEPTED} accepted items are what llc-22 takes, or leave an operand to fill`, function () {
    needsLlc(this);
    needsShared(this, CORPUS);
    this.timeout(0);
    const files = corpusFiles(20_000).filter((f) => !f.args.some((a) => /^-(?!mtriple|mcpu|mattr)/.test(a)));
    const rnd = random(SEED + 1);
    const outcomes = new Map<string, number>();
    const problems: string[] = [];
    const objections: string[] = [];
    for (let tried = 0; tried < ACCEPTED;) {
      const file = files[Math.floor(rnd() * files.length)]!;
      const args = file.args;
      const whole = openFile(file.input, args).snapshot(URI)!;
      const view = whole.functions[Math.floor(rnd() * whole.functions.length)];
      if (!view?.fn?.source || view.fn.nInstrs === 0) continue;
      const place = placeIn(view.fn, view.start, file.input, rnd);
      if (place === null) continue;
      // An opcode is completed with what stands behind it, or as the line's last word.
      const lineEnd = file.input.indexOf('\n', place.end);
      const opensBundle = file.input.slice(place.end, lineEnd).trimEnd().endsWith('{');
      const end = place.kind === 'opcode' && rnd() < 0.5 && !opensBundle ? lineEnd : place.end;
      const text = file.input.slice(0, place.start) + file.input.slice(end);
      const snapshot = openFile(text, args, { snippets: true }).snapshot(URI)!;
      const position = snapshot.text.positionAt(place.start);
      const { items } = provideCompletion(snapshot, { textDocument: { uri: URI }, position });
      // The first item, or one that is not meant.
      const item = items[rnd() < 0.5 ? 0 : Math.floor(rnd() * Math.min(10, items.length))];
      if (!item) continue;
      tried++;
      // The list itself says what is wrong with it.
      const isMarked = [REJECTED, LEAVES].some((word) => item.labelDetails?.detail?.includes(word));
      const edit = item.textEdit as TextEdit;
      const isSnippet = item.insertTextFormat === InsertTextFormat.Snippet;
      const { text: written, stops } = isSnippet ? expanded(edit.newText) : { text: edit.newText, stops: [] };
      const start = snapshot.text.offsetAt(edit.range.start);
      const result = text.slice(0, start) + written + text.slice(snapshot.text.offsetAt(edit.range.end));
      const { status, stderr } = runLlc([...args, '-x', 'mir', '-run-pass=none', '-o', '-'], result);
      const outcome =
        status === 0
          ? 'accepted'
          : isMarked
            ? 'the list says why not'
            : outcomeOf(stderr, result, start, stops, file.input.slice(place.start, end));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      const isObjection = outcome === 'the machine verifier objects';
      if (outcome === 'other' || isObjection) {
        const [first = ''] = stderr.split('\n').filter((l) => /error|Bad machine/.test(l));
        const line = result.slice(result.lastIndexOf('\n', start) + 1, result.indexOf('\n', start));
        (isObjection ? objections : problems).push(
          `${file.name} ${args.join(' ')} ${place.kind} '${item.label}' in ${line.trim()}\n         ${first}`,
        );
      }
    }
    for (const [outcome, n] of outcomes) console.log(`      ${outcome}: ${n}`);
    for (const problem of [...problems, ...objections].slice(0, SHOW)) console.log(`      ${problem}`);
    assert.ok(problems.length <= 0.02 * ACCEPTED, problems.slice(0, 20).join('\n'));
  });
});

/** What llc's first error speaks of: an operand that the snippet leaves open, one that the opcode needs, or something else. */
function outcomeOf(
  stderr: string,
  text: string,
  start: number,
  stops: readonly { start: number; end: number }[],
  deleted: string,
): string {
  const all = findings(stderr);
  if (all.length > 0 && all.every((f) => /^(?:Too few operands|Expected PHI operand to be a basic block)/.test(f)))
    return 'says which operand is missing';
  if (all.length > 0 && all.every((f) => namesDeleted(f, deleted))) return 'names a register that nothing defines';
  // The text is read; what the machine verifier says of it speaks of the choice.
  if (/Bad machine code|machine code errors/.test(stderr)) return 'the machine verifier objects';
  // Such as its verifier at a copy of a register that has no class and no type.
  if (/^PLEASE submit a bug report/.test(stderr)) return 'llc-22 crashes without a word';
  if (/Cannot determine class\/bank of virtual register/.test(stderr)) return 'names a register that nothing defines';
  const match = /:(\d+):(\d+): (.*)/.exec(stderr);
  if (!match) return 'other';
  const [, line, column, message = ''] = match;
  const lines = text.split('\n');
  const at = lines.slice(0, Number(line) - 1).reduce((n, l) => n + l.length + 1, 0) + Number(column) - 1;
  if (
    /expected a machine instruction/.test(message) &&
    /^\s*(?:[^=\n]*= )?[a-z-]+ /.test(lines[Number(line) - 1] ?? '')
  )
    return 'names the opcode behind a flag';
  if (/missing implicit register operand|implicit/.test(message)) return 'names an implicit operand';
  if (stops.some((s) => start + s.start <= at && at <= start + s.end)) return 'names a stop';
  return 'other';
}

/** What the machine verifier prints, finding by finding. */
const findings = (stderr: string): string[] => stderr.split('*** Bad machine code: ').slice(1);

/** Nothing defines a register, and what was deleted did. */
function namesDeleted(finding: string, deleted: string): boolean {
  if (
    !/^(?:Reading virtual register without a def|Using an undefined physical register|Generic virtual register must have a valid type|Generic instruction is missing a virtual register type|Virtual register defs don't dominate all uses)/.test(
      finding,
    )
  )
    return false;
  const register = /- (?:operand \d+|v\. register): .*?([%$]\w+)/.exec(finding)?.[1] ?? '?';
  // A part of `$vgpr0_vgpr1` is enough.
  const parts = register.startsWith('$') ? register.slice(1).split('_') : [];
  return [register, ...parts.map((part) => `$${part}`)].some((name) => new RegExp(`\\${name}(?!\\w)`).test(deleted));
}
