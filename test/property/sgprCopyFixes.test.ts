/**
 * Quick fixes of copies from vector to scalar registers on the functions of test/golden/sgprCopies: "all copies" makes what llc-22 made of the function, a single one is
 * a text that llc-22 takes. AMDGPU_MIR_RUNS=500 tries that many single ones; AMDGPU_MIR_SEED=n replays.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../server/src/features/assists/codeAction.js';
import { canonicalBody } from '../../server/src/features/assists/sgprCopies.js';
import { copyVerdicts } from '../../server/src/features/diagnostics/copyFindings.js';
import type { FunctionView, Snapshot } from '../../server/src/features/snapshot.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { random } from '../support/corpusCase.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { runsOr, seedOr } from '../support/switches.js';

const FOLDER = join(__dirname, '..', 'golden', 'sgprCopies');
const COUNT = runsOr(8);
const SEED = seedOr(1);
const URI = 'file:///copies.mir';

function open(text: string): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  return host.snapshot(URI)!;
}

/** Actions on one copy of a function: the one for it alone, and the one for all. */
function actionsAt(snapshot: Snapshot, view: FunctionView, k: number): CodeAction[] {
  const { copy } = copyVerdicts(view.fn!)[k]!;
  const at = snapshot.text.positionAt(view.start + view.fn!.source!.instrRange(copy).start);
  return provideCodeActions(snapshot, { range: { start: at, end: at }, context: { diagnostics: [] } }, NEVER_CANCELLED);
}

function edited(snapshot: Snapshot, { edit }: CodeAction): string {
  let text = snapshot.text.text;
  for (const { range, newText } of [...edit!.changes![URI]!].reverse())
    text = text.slice(0, snapshot.text.offsetAt(range.start)) + newText + text.slice(snapshot.text.offsetAt(range.end));
  return text;
}

describe('quick fixes of copies to scalar registers', () => {
  const files = readdirSync(FOLDER).filter((f) => f.endsWith('.mir'));

  it('all copies of a function: what llc-22 makes', () => {
    let compared = 0;
    for (const file of files) {
      const input = readFileSync(join(FOLDER, file), 'utf8');
      const [run] = input.split('\n', 1);
      const answer = open(
        `${run}\n${readFileSync(join(FOLDER, file.replace(/mir$/, 'txt')), 'utf8').replaceAll('(0x)', '')}`,
      );
      const wanted = new Map(answer.functions.map((v) => [v.name, v.fn!]));
      const snapshot = open(input);
      snapshot.functions.forEach((view, k) => {
        if (!view.fn || copyVerdicts(view.fn).length === 0 || k % 3 !== 0) return;
        const all = actionsAt(snapshot, view, 0).find((a) => a.title.startsWith('Fix all copies'));
        if (!all) return;
        const after = open(edited(snapshot, all)).functions[k]!;
        assert.equal(canonicalBody(after.fn!), canonicalBody(wanted.get(view.name)!), `${file}: ${view.name}`);
        compared++;
      });
    }
    assert.ok(compared >= 12, `${compared} functions compared`);
  });

  it(`${COUNT} single copies: llc-22 takes the edited text`, function () {
    needsLlc(this);
    const rnd = random(SEED);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(rnd() * list.length)]!;
    for (let n = 0, tries = 0; n < COUNT && tries < COUNT * 20; tries++) {
      const file = pick(files);
      const snapshot = open(readFileSync(join(FOLDER, file), 'utf8'));
      const view = pick(snapshot.functions.filter((v) => v.fn && copyVerdicts(v.fn).length > 0));
      const k = Math.floor(rnd() * copyVerdicts(view.fn!).length);
      const one = actionsAt(snapshot, view, k).find((a) => !a.title.startsWith('Fix all') && a.edit);
      if (!one || !/^(?:Read the first|Move )/.test(one.title)) continue;
      const text = edited(snapshot, one);
      const args = [...text.matchAll(/ (-m\S+)/g)].map((m) => m[1]!).slice(0, 2);
      const { status, stderr } = runLlc([...args, '-x', 'mir', '-run-pass=none', '-o', '/dev/null'], text);
      assert.equal(status, 0, `${file} ${view.name}, ${one.title}: ${stderr.slice(0, 600)}`);
      n++;
    }
  });
});
