/**
 * Completion over files that the project did not write: an opcode, an operand or another word is deleted and completed again, and what the author wrote
 * has to be near the top. Judged are families of files that the points of the facts were not fitted to. Needs ../shared/corpus and says so when it is
 * absent; random kernels need clang-22, too.
 *
 * AMDGPU_MIR_RUNS=5000 tries that many places, AMDGPU_MIR_RUNS=2000 accepts that many items and asks llc-22 about the result; AMDGPU_MIR_SEED=n replays; AMDGPU_MIR_SHOW=50 prints that many that were not found.
 */
import assert from 'node:assert/strict';
import { InsertTextFormat, type TextEdit } from 'vscode-languageserver-types';
import { provideCompletion } from '../../server/src/features/completion/completion.js';
import { expanded, LEAVES, REJECTED } from '../../server/src/features/completion/trial.js';
import {
  asked,
  CORPUS,
  instructionPlace,
  isHeldOut,
  openText,
  rateTexts,
  URI,
  wordPlace,
  type Place,
  type RateText,
} from '../support/completionRate.js';
import { random } from '../support/corpusCase.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { hasClang } from '../support/randomOpenCl.js';
import { needsShared } from '../support/skip.js';
import { SHOW, runsOr, seedOr } from '../support/switches.js';

const COUNT = runsOr(120);
const SEED = seedOr(1);
const ACCEPTED = runsOr(10);
/** Random kernels are made with long runs only: that takes minutes. */
const KERNELS = COUNT >= 1000 && hasClang() ? 90 : 0;
/** Places tried in one file. */
const PER_FILE = 4;

/** How often the right one was among so many. */
interface Rate {
  n: number;
  first3: number;
  first10: number;
  listed: number;
}

const percent = (a: number, n: number): string => `${((100 * a) / n).toFixed(1)} %`.padStart(8);

/** Rates by source and kind, and the milliseconds of each answer. */
function rates(
  texts: readonly RateText[],
  count: number,
  placeIn: typeof instructionPlace,
): { readonly of: ReadonlyMap<string, Rate>; readonly times: readonly number[] } {
  const rnd = random(SEED);
  const sources = [...new Set(texts.map((t) => t.source))].map((s) => texts.filter((t) => t.source === s));
  const of = new Map<string, Rate>();
  const times: number[] = [];
  let missed = 0;
  for (let tried = 0, turn = 0; tried < count; turn++) {
    const list = sources[turn % sources.length]!;
    const file = list[Math.floor(rnd() * list.length)]!;
    const whole = openText(file.input, file.args);
    for (let p = 0; p < PER_FILE && tried < count; p++) {
      const place = placeIn(whole, rnd);
      if (place === null) continue;
      tried++;
      const { at, wanted, labels, ms } = asked(file, place);
      times.push(ms);
      for (const kind of ['all', file.source, place.kind]) {
        const rate = of.get(kind) ?? { n: 0, first3: 0, first10: 0, listed: 0 };
        of.set(kind, rate);
        rate.n++;
        if (at >= 0) rate.listed++;
        if (0 <= at && at < 3) rate.first3++;
        if (0 <= at && at < 10) rate.first10++;
      }
      if ((at < 0 || at >= 10) && missed++ < SHOW)
        console.log(
          `      ${place.kind} ${at} ${wanted} in ${lineOf(file.input, place)}\n         ${labels.slice(0, 6).join(' | ')}`,
        );
    }
  }
  return { of, times: times.sort((a, b) => a - b) };
}

const lineOf = (text: string, { start, end }: Place): string =>
  text.slice(text.lastIndexOf('\n', start) + 1, text.indexOf('\n', end)).trim();

function show(of: ReadonlyMap<string, Rate>): void {
  for (const [kind, { n, first3, first10, listed }] of [...of].sort((a, b) => b[1].n - a[1].n))
    console.log(
      `      ${kind.padEnd(26)} ${String(n).padStart(6)}  first 3 ${percent(first3, n)}  first 10 ${percent(first10, n)}  listed ${percent(listed, n)}`,
    );
}

describe('completion over the corpus', () => {
  let heldOut: readonly RateText[] = [];
  before(function () {
    this.timeout(0);
    needsShared(this, CORPUS);
    heldOut = rateTexts(KERNELS).filter((t) => isHeldOut(t.family));
  });

  it(`${COUNT} opcodes and operands are found again`, function () {
    this.timeout(0);
    const { of, times } = rates(heldOut, COUNT, instructionPlace);
    show(of);
    console.log(
      `      median ${times[times.length >> 1]!.toFixed(1)} ms, p95 ${times[Math.floor(times.length * 0.95)]!.toFixed(1)} ms`,
    );
    const { n, first3, first10 } = of.get('all')!;
    assert.ok(first3 >= 0.75 * n, `first 3: ${percent(first3, n)}`);
    assert.ok(first10 >= 0.87 * n, `first 10: ${percent(first10, n)}`);
  });

  it(`${COUNT >> 1} other words are found again`, function () {
    this.timeout(0);
    const { of } = rates(heldOut, COUNT >> 1, wordPlace);
    show(of);
    const { n, first10 } = of.get('all')!;
    assert.ok(first10 >= 0.7 * n, `first 10: ${percent(first10, n)}`);
  });

  it(`${ACCEPTED} accepted items are what llc-22 takes, or leave an operand to fill`, function () {
    needsLlc(this);
    needsShared(this, CORPUS);
    this.timeout(0);
    const files = rateTexts(0).filter(
      (f) => f.input.length < 20_000 && !f.args.some((a) => /^-(?!mtriple|mcpu|mattr)/.test(a)),
    );
    const rnd = random(SEED + 1);
    const outcomes = new Map<string, number>();
    const problems: string[] = [];
    const objections: string[] = [];
    for (let tried = 0; tried < ACCEPTED;) {
      const file = files[Math.floor(rnd() * files.length)]!;
      const args = file.args;
      const place = instructionPlace(openText(file.input, args), rnd);
      if (place === null) continue;
      // An opcode is completed with what stands after it, or as the line's last word.
      const lineEnd = file.input.indexOf('\n', place.end);
      const opensBundle = file.input.slice(place.end, lineEnd).trimEnd().endsWith('{');
      const end = place.kind === 'opcode' && rnd() < 0.5 && !opensBundle ? lineEnd : place.end;
      const text = file.input.slice(0, place.start) + file.input.slice(end);
      const snapshot = openText(text, args, { snippets: true });
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
      const llc = (input: string): { status: number | null; stderr: string } =>
        runLlc([...args, '-x', 'mir', '-run-pass=none', '-o', '-'], input);
      const { status, stderr } = llc(result);
      // Texts whose IR names blocks that it has without names are none that llc reads back.
      if (status !== 0 && llc(file.input).status !== 0) {
        tried--;
        continue;
      }
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
