/**
 * Renames in files that the project did not write: llc-22's output afterwards is the one before with the new name in it, and FileCheck-22 says
 * of the CHECK lines what it said. Needs ../shared/corpus, llc-22 and FileCheck-22, and says so when they are absent.
 *
 * AMDGPU_MIR_RUNS=1000 tries that many of each kind; AMDGPU_MIR_SEED=n replays; AMDGPU_MIR_ONLY=function tries one kind only.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { WorkspaceEdit } from 'vscode-languageserver-types';
import { checkPrefixes } from '../../server/src/program/testFile/checkPrefixes.js';
import { TestFile } from '../../server/src/program/testFile/testFile.js';
import { provideRename } from '../../server/src/features/rename/rename.js';
import { EntityKind } from '../../server/src/features/symbols/symbolIndex.js';
import type { Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { random } from '../support/corpusCase.js';
import { LIMIT_MS, needsLlc, runLlc, type LlcRun } from '../support/llc.js';
import { needsShared } from '../support/skip.js';
import { ONLY, runsOr, seedOr } from '../support/switches.js';

const CORPUS = join(__dirname, '..', '..', '..', 'shared', 'corpus', 'parse');
const COUNT = runsOr(3);
const SEED = seedOr(1);
const URI = 'file:///corpus.mir';
const MAX_BYTES = 12_000;

interface Case {
  readonly name: string;
  readonly input: string;
  readonly args: readonly string[];
}

function cases(): Case[] {
  const manifest = JSON.parse(readFileSync(join(CORPUS, 'manifest.json'), 'utf8')) as { accept: Case[] };
  const args = new Map(manifest.accept.map((c) => [c.name, c.args]));
  return ['accept-00.json.br', 'accept-01.json.br']
    .flatMap((shard) => {
      const json = brotliDecompressSync(readFileSync(join(CORPUS, shard))).toString();
      return (JSON.parse(json) as { cases: Case[] }).cases.map((c) => ({ ...c, args: args.get(c.name) ?? [] }));
    })
    .filter((c) => c.input.length < MAX_BYTES);
}

/** Constants are rare in tests of LLVM: functions with some of our own. */
function withConstants(rnd: () => number): Case {
  const ids = Array.from({ length: 2 + Math.floor(rnd() * 4) }, (_, k) => k);
  const entries = ids.map(
    (id) => `  - id:              ${id}\n    value:           'i32 ${id * 3}'\n    alignment:       4\n`,
  );
  const uses = Array.from(
    { length: 6 },
    (_, k) => `    %${k}:sreg_32 = S_MOV_B32 %const.${ids[Math.floor(rnd() * ids.length)]!}\n`,
  );
  const input = `---\nname:            f\nconstants:\n${entries.join('')}body:             |\n  bb.0:\n${uses.join('')}    S_ENDPGM 0\n...\n`;
  return { name: 'constants', input, args: ['-mtriple=amdgcn', '-mcpu=gfx900'] };
}

const option = (args: readonly string[], name: string): string =>
  args.find((a) => a.startsWith(`-${name}=`))?.slice(name.length + 2) ?? '';

function open({ input, args }: Case): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, input);
  const target = { triple: option(args, 'mtriple'), cpu: option(args, 'mcpu'), features: option(args, 'mattr') };
  host.selectTarget(URI, target);
  return host.snapshot(URI)!;
}

interface Place {
  readonly offset: number;
  readonly name: string;
}

const KINDS: Readonly<Record<string, readonly EntityKind[]>> = {
  'virtual register': [EntityKind.VReg],
  block: [EntityKind.Block],
  'stack object': [EntityKind.Stack, EntityKind.FixedStack],
  constant: [EntityKind.Constant],
  function: [EntityKind.Global],
  'IR name': [EntityKind.IRLocal],
  'physical register': [EntityKind.PhysReg],
};
/** Names that llc prints as they are. */
const PRINTED = ['function', 'IR name', 'physical register', 'constant'];

function placesOf(snapshot: Snapshot, kind: string): Place[] {
  const { text } = snapshot.text;
  if (kind === 'prefix')
    return [...text.matchAll(/^[ \t]*[;#]+[ \t]*([A-Za-z][\w-]*?)(?:-(?:NEXT|SAME|NOT|DAG|LABEL|EMPTY))?:/gm)]
      .filter((m) => checkPrefixes(new TestFile(text)).includes(m[1]!))
      .map((m) => ({ offset: m.index + m[0].indexOf(m[1]!), name: m[1]! }));
  if (kind === 'variable')
    return [...text.matchAll(/\[\[([A-Za-z_]\w*)(?=:|\]\])/g)].map((m) => ({ offset: m.index + 2, name: m[1]! }));
  const kinds = KINDS[kind]!;
  const places: Place[] = [];
  for (const { symbols, start } of snapshot.functions)
    for (let i = 0; i < symbols.n; i++)
      if (kinds.includes(symbols.kinds[symbols.entity[i]!]!))
        places.push({ offset: start + symbols.start[i]! + 1, name: symbols.nameOf(symbols.entity[i]!) });
  for (const o of snapshot.irSymbols?.symbols.occurrences ?? [])
    if (kinds.includes(o.kind)) places.push({ offset: snapshot.irSymbols!.start + o.start + 1, name: o.name });
  return places;
}

/** As long as the old one, so that nothing is laid out otherwise. */
function newName(kind: string, name: string, rnd: () => number): string {
  const letters = (n: number): string =>
    Array.from({ length: n }, () => String.fromCharCode(97 + Math.floor(rnd() * 26))).join('');
  if (['block', 'stack object', 'constant'].includes(kind)) return String(50 + Math.floor(rnd() * 900));
  if (kind === 'virtual register')
    return /^\d/.test(name) ? String(5000 + Math.floor(rnd() * 900)) : letters(name.length);
  if (kind === 'physical register') return name.replace(/\d+/, () => String(40 + Math.floor(rnd() * 20)));
  return kind === 'prefix' ? letters(5).toUpperCase() : letters(Math.max(1, name.length));
}

function apply(snapshot: Snapshot, { changes }: WorkspaceEdit): string {
  let { text: result } = snapshot.text;
  for (const { range, newText } of [...(changes?.[URI] ?? [])].reverse())
    result =
      result.slice(0, snapshot.text.offsetAt(range.start)) + newText + result.slice(snapshot.text.offsetAt(range.end));
  return result;
}

/** llc prints where objects without a name lie. */
const withoutAddresses = (output: string): string => output.replaceAll(/<0x[0-9a-f]+>/g, '<>');

/** Exit code of FileCheck; where a test that fails anyway fails first may hang on names that begin alike. */
function verdict(folder: string, test: string, output: string): string {
  const prefixes = checkPrefixes(new TestFile(test));
  if (prefixes.length === 0) return 'no FileCheck';
  writeFileSync(join(folder, 'test.mir'), test);
  const args = [
    `-check-prefixes=${prefixes.join(',')}`,
    '--allow-unused-prefixes',
    '-dump-input=never',
    join(folder, 'test.mir'),
  ];
  const run = spawnSync('FileCheck-22', args, { input: output, encoding: 'utf8', timeout: LIMIT_MS });
  return String(run.status);
}

interface Before {
  readonly before: LlcRun;
  readonly verdict: string;
}

function beforeOf(folder: string, { input }: Case, args: readonly string[]): Before {
  const before = runLlc(args, input);
  return { before, verdict: before.status === 0 ? verdict(folder, input, before.stdout) : '' };
}

describe('renames over the corpus', () => {
  for (const kind of [...Object.keys(KINDS), 'prefix', 'variable'].filter((k) => (ONLY ?? k) === k))
    it(`${COUNT} of a ${kind} change nothing but the name`, function () {
      needsLlc(this);
      needsShared(this, CORPUS);
      this.timeout(0);
      const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-renames-'));
      const rnd = random(SEED);
      const all = cases();
      const known = new Map<Case, Before>();
      let done = 0;
      let refused = 0;
      for (let k = 0; k < 60 * COUNT && done < COUNT; k++) {
        const file = kind === 'constant' ? withConstants(rnd) : all[Math.floor(rnd() * all.length)]!;
        const snapshot = open(file);
        const places = placesOf(snapshot, kind);
        const place = places[Math.floor(rnd() * places.length)];
        if (!place) continue;
        const name = newName(kind, place.name, rnd);
        // A name that is there already would be put back, too.
        if (name === place.name || new RegExp(`(?<![\\w])${name}(?![\\w])`).test(file.input)) continue;
        const position = snapshot.text.positionAt(place.offset);
        const answer = provideRename(snapshot, { position, newName: name });
        if (answer === null || 'refused' in answer) {
          refused++;
          continue;
        }
        const llc = [...file.args, '-x', 'mir', '-run-pass=none', '-o', '-'];
        const { before, verdict: said } = (known.get(file) ?? known.set(file, beforeOf(folder, file, llc)).get(file))!;
        const isPrinted = PRINTED.includes(kind) || (kind === 'virtual register' && !/^\d/.test(place.name));
        const word = new RegExp(`(?<![\\w])${name}(?![\\w])`, 'g');
        // Words that llc prints by itself, such as those of the data layout, would be put back as well.
        if (before.status !== 0 || (isPrinted && before.stdout.search(word) >= 0)) continue;
        done++;
        const text = apply(snapshot, answer);
        assert.notEqual(text, file.input);
        const after = runLlc(llc, text);
        const what = `${file.name}: ${place.name} to ${name} at ${position.line + 1}:${position.character + 1}`;
        assert.equal(after.status, 0, `${what}: ${after.stderr}`);
        const back = isPrinted ? after.stdout.replaceAll(word, () => place.name) : after.stdout;
        assert.equal(withoutAddresses(back), withoutAddresses(before.stdout), what);
        // Which CHECK line is that of the renamed range nobody can tell.
        if (kind === 'physical register') continue;
        // FileCheck looks for the beginning of a line's words: a label for one function may have found another, whose name only begins like it.
        const labels = [...file.input.matchAll(/-LABEL:.*name: *(\S+)$/gm)].map((m) => m[1]!);
        if (kind === 'function' && labels.some((l) => l !== place.name && place.name.startsWith(l))) continue;
        assert.equal(verdict(folder, text, after.stdout), said, what);
      }
      rmSync(folder, { recursive: true });
      assert.equal(done, COUNT, 'there are not enough places');
      console.log(`      ${kind}: ${done} done, ${refused} refused`);
    });
});
