/**
 * Rewrites in files that the project did not write: what the light bulb offers at a random line is applied, and llc-22 has to accept the result as it did the
 * file; a simplified test has to give the same functions. Needs ../shared/corpus and llc-22, and says so when they are absent.
 *
 * AMDGPU_MIR_RUNS=200 applies that many; AMDGPU_MIR_SEED=n replays.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { CodeActionTriggerKind, type CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../server/src/features/assists/codeAction.js';
import type { Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { random, type CorpusCase } from '../support/corpusCase.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { needsShared } from '../support/skip.js';
import { runsOr, seedOr } from '../support/switches.js';

const CORPUS = join(__dirname, '..', '..', '..', 'shared', 'corpus', 'parse');
const COUNT = runsOr(6);
const SEED = seedOr(1);
const URI = 'file:///corpus.mir';
const MAX_BYTES = 12_000;

function cases(): CorpusCase[] {
  const manifest = JSON.parse(readFileSync(join(CORPUS, 'manifest.json'), 'utf8')) as { accept: CorpusCase[] };
  const args = new Map(manifest.accept.map((c) => [c.name, c.args]));
  const json = brotliDecompressSync(readFileSync(join(CORPUS, 'accept-00.json.br'))).toString();
  return (JSON.parse(json) as { cases: CorpusCase[] }).cases
    .map((c) => ({ ...c, args: args.get(c.name) ?? [] }))
    .filter((c) => c.input.length < MAX_BYTES && !c.args.some((a) => /^-(?!mtriple|mcpu|mattr)/.test(a)));
}

function open({ input, args }: CorpusCase): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, input);
  const option = (name: string): string => args.find((a) => a.startsWith(`-${name}=`))?.slice(name.length + 2) ?? '';
  host.selectTarget(URI, { triple: option('mtriple') || 'amdgcn', cpu: option('mcpu'), features: option('mattr') });
  return host.snapshot(URI)!;
}

function applied(snapshot: Snapshot, action: CodeAction): string {
  let text = snapshot.text.text;
  for (const { range, newText } of [...(action.edit?.changes?.[URI] ?? [])].reverse())
    text = text.slice(0, snapshot.text.offsetAt(range.start)) + newText + text.slice(snapshot.text.offsetAt(range.end));
  return text;
}

const kindOf = ({ title }: CodeAction): string => title.replace(/ as .*|[%$@].*|\d.*/, '').trim();

const withoutIR = (output: string): string =>
  output.replace(/^--- \|[\s\S]*?^\.\.\.$/m, '').replaceAll(/<0x[0-9a-f]+>/g, '<>');

describe('rewrites over the corpus', () => {
  it(`${COUNT} of the light bulb's are what llc-22 accepts, simplified tests say the same`, function () {
    needsLlc(this);
    needsShared(this, CORPUS);
    this.timeout(0);
    const rnd = random(SEED);
    const all = cases();
    const counts = new Map<string, number>();
    for (let done = 0; done < COUNT;) {
      const file = all[Math.floor(rnd() * all.length)]!;
      const snapshot = open(file);
      const view = snapshot.functions[Math.floor(rnd() * snapshot.functions.length)];
      if (!view?.body || !view.nameRange || !view.fn) continue;
      const body = view.start + view.body.start;
      const offset = rnd() < 0.4 ? view.nameRange.start : body + Math.floor(rnd() * view.body.length);
      const line = snapshot.text.lineAt(offset);
      const position = snapshot.text.positionAt(Math.max(offset, snapshot.text.lineStart(line)));
      const isAll = rnd() < 0.2;
      const context = {
        diagnostics: [],
        only: [isAll ? 'source.simplify.amdgpu-mir' : 'refactor.rewrite'],
        triggerKind: CodeActionTriggerKind.Invoked,
      };
      const actions = provideCodeActions(
        snapshot,
        { range: { start: position, end: position }, context },
        NEVER_CANCELLED,
      );
      // The rarest kind so far; what CHECK lines become is the matter of other tests.
      const [action] = actions
        .filter((a) => !/CHECK|^Make it|^Loosen/.test(a.title))
        .sort((a, b) => (counts.get(kindOf(a)) ?? 0) - (counts.get(kindOf(b)) ?? 0));
      if (!action) continue;
      const llc = [...file.args, '-x', 'mir', '-run-pass=none', '-o', '-'];
      const before = runLlc(llc, file.input);
      if (before.status !== 0) continue;
      done++;
      const text = applied(snapshot, action);
      const after = runLlc(llc, text);
      const kind = kindOf(action);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const what = `${file.name}: ${action.title} at line ${line + 1}`;
      assert.equal(after.status, 0, `${what}\n${after.stderr}\n${text}`);
      if (isAll) assert.equal(withoutIR(after.stdout), withoutIR(before.stdout), what);
    }
    for (const [kind, n] of counts) console.log(`      ${kind}: ${n}`);
  });
});
