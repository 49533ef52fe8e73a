/**
 * Quick fixes over files that the project did not write: a mistake is put into a file of the corpus that llc accepts, the preferred
 * fix is applied, and llc-22 has to accept the result. Needs ../shared/corpus and llc-22, and says so when they are absent.
 *
 * AMDGPU_MIR_RUNS=300 applies that many fixes; AMDGPU_MIR_SEED=n replays.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../server/src/features/assists/codeAction.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { random, type CorpusCase } from '../support/corpusCase.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { needsShared } from '../support/skip.js';
import { runsOr, seedOr } from '../support/switches.js';

const CORPUS = join(__dirname, '..', '..', '..', 'shared', 'corpus', 'parse');
const COUNT = runsOr(12);
const SEED = seedOr(1);
const URI = 'file:///corpus.mir';
/** Larger files make llc slow and add nothing. */
const MAX_BYTES = 20_000;

/** A way to break a file: what it looks for, and what it makes of it. */
interface Mistake {
  readonly name: string;
  readonly find: RegExp;
  change(match: RegExpExecArray, rnd: () => number): string;
}

const swap = (word: string, rnd: () => number): string => {
  const k = 1 + Math.floor(rnd() * (word.length - 2));
  return rnd() < 0.5 ? word.slice(0, k) + word.slice(k + 1) : word.slice(0, k) + word[k] + word.slice(k);
};

const MISTAKES: readonly Mistake[] = [
  { name: 'implicit operand dropped', find: /, implicit(?:-def)?(?: dead| killed)? \$\w+/g, change: () => '' },
  {
    name: 'opcode misspelt',
    find: /(?<=^    .*)\b[A-Z]+_[A-Z0-9_]{4,}(?:_e32|_e64)?\b/gm,
    change: ([w], rnd) => swap(w, rnd),
  },
  { name: 'register misspelt', find: /(?<=\$)(?:exec|flat_scr|mode|vcc)\b/g, change: ([w], rnd) => swap(w, rnd) },
  {
    name: 'class misspelt',
    find: /(?<=:)(?:vgpr_32|sreg_32|sreg_64|vreg_64|sgpr_64)\b/g,
    change: ([w], rnd) => swap(w, rnd),
  },
  { name: 'live-in dropped', find: /(?<=^ +liveins: .*)\$\w+, /gm, change: () => '' },
  { name: 'successor dropped', find: /(?<=^ +successors: .*)%bb\.\d+(?:\(\w+\))?, /gm, change: () => '' },
  { name: 'successor added', find: /(?<=^ +successors: )(?=%bb\.1\b)/gm, change: () => '%bb.0, ' },
  { name: 'kill added', find: /(?<=, )(?=%\d+(?:,| *$))/gm, change: () => 'killed ' },
  { name: 'kill on a definition', find: /(?<=^ {4})(?=%\d+:\w+ = )/gm, change: () => 'killed ' },
  { name: 'dead on a definition', find: /(?<=, implicit-def )(?=\$)/g, change: () => 'dead ' },
  {
    name: 'class dropped',
    find: /(?<=^ {4}%\d+):(?:vgpr_32|sreg_32|sreg_64|vreg_64|sgpr_\w+)(?= = )/gm,
    change: () => '',
  },
  { name: 'undef dropped', find: /\bundef (?=[%$])/g, change: () => '' },
  { name: 'undef on a definition', find: /(?<=^ {4})(?=%\d+:\w+ = )/gm, change: () => 'undef ' },
  { name: 'dead on a register that is read', find: /(?<=^ {4})(?=%\d+:\w+ = )/gm, change: () => 'dead ' },
  { name: 'register entry dropped', find: /^ +- \{ id: \d+, class: (?!_).*\n/gm, change: () => '' },
  { name: 'class of a use changed', find: /(?<=, %\d+)(?=, implicit)/gm, change: () => ':sreg_512' },
  { name: 'key misspelt', find: /^tracksRegLiveness(?=:)/gm, change: ([w], rnd) => swap(w, rnd) },
];

function damaged(text: string, { find, change }: Mistake, rnd: () => number): string | null {
  const places = [...text.matchAll(find)].filter((m) => {
    const line = text.slice(text.lastIndexOf('\n', m.index) + 1, m.index);
    return !/[;#]/.test(line);
  });
  const place = places[Math.floor(rnd() * places.length)];
  if (!place) return null;
  return text.slice(0, place.index) + change(place, rnd) + text.slice(place.index + place[0].length);
}

const option = (args: readonly string[], name: string): string =>
  args.find((a) => a.startsWith(`-${name}=`))?.slice(name.length + 2) ?? '';

function openFile(text: string, args: readonly string[]): AnalysisHost {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  const target = { triple: option(args, 'mtriple'), cpu: option(args, 'mcpu'), features: option(args, 'mattr') };
  host.selectTarget(URI, target);
  return host;
}

/** The preferred fix of the first diagnostic, or null when none is offered; undefined when there is no diagnostic. */
function firstFix(host: AnalysisHost): CodeAction | null | undefined {
  const [first] = host.diagnostics(URI, NEVER_CANCELLED)!;
  if (!first) return undefined;
  const context = { diagnostics: [first] };
  const actions = provideCodeActions(host.snapshot(URI)!, { range: first.range, context }, NEVER_CANCELLED);
  return actions.find((a) => a.isPreferred && a.diagnostics?.includes(first)) ?? null;
}

function apply(host: AnalysisHost, action: CodeAction): string {
  const edits = action.edit!.changes![URI]!;
  host.change(
    URI,
    2,
    [...edits].reverse().map(({ range, newText }) => ({ range, text: newText })),
  );
  return host.snapshot(URI)!.text.text;
}

describe('quick fixes over the corpus', () => {
  it(`${COUNT} fixes are accepted by llc-22`, function () {
    needsLlc(this);
    needsShared(this, CORPUS);
    this.timeout(0);
    const cases = ['accept-00.json.br', 'accept-01.json.br'].flatMap((shard) => {
      const text = brotliDecompressSync(readFileSync(join(CORPUS, shard))).toString();
      return (JSON.parse(text) as { cases: CorpusCase[] }).cases;
    });
    const files = cases.filter(
      (c) => c.input.length < MAX_BYTES && !c.args.some((a) => /^-(?!mtriple|mcpu|mattr)/.test(a)),
    );
    const rnd = random(SEED);
    const tally = new Map<string, { made: number; offered: number }>();
    const attempts = new Map<Mistake, number>();
    let applied = 0;
    for (let tries = 0; applied < COUNT && tries < COUNT * 40; tries++) {
      // All kinds alike: the one that was repaired least often is next, unless files with a place for it are rare.
      const behind = [...MISTAKES].sort((a, b) => (attempts.get(a) ?? 0) - (attempts.get(b) ?? 0));
      const mistake = behind[0]!;
      attempts.set(mistake, (attempts.get(mistake) ?? 0) + 0.05);
      const file = files[Math.floor(rnd() * files.length)]!;
      const broken = damaged(file.input, mistake, rnd);
      if (broken === null || openFile(file.input, file.args).diagnostics(URI, NEVER_CANCELLED)!.length > 0) continue;
      const host = openFile(broken, file.args);
      const fix = firstFix(host);
      if (fix === undefined) continue;
      const counts = tally.get(mistake.name) ?? { made: 0, offered: 0 };
      tally.set(mistake.name, counts);
      counts.made++;
      attempts.set(mistake, attempts.get(mistake)! + 1);
      if (fix === null) continue;
      counts.offered++;
      applied++;
      const repaired = apply(host, fix);
      const what = `${file.name}: ${mistake.name}: ${fix.title} (AMDGPU_MIR_SEED=${SEED}, try ${tries})`;
      assert.equal(host.diagnostics(URI, NEVER_CANCELLED)!.length, 0, `${what}: a diagnostic is left`);
      const args = [...file.args, '-x', 'mir', '-run-pass=none', '-o', '/dev/null'];
      const { status, stderr } = runLlc(args, repaired);
      assert.equal(status, 0, `${what}\n${stderr.slice(0, 600)}`);
    }
    for (const [name, { made, offered }] of tally) console.log(`      ${name}: ${offered} of ${made} repaired`);
    assert.equal(applied, COUNT);
  });
});
