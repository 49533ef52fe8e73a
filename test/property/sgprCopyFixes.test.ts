/**
 * Quick fixes of copies from vector to scalar registers on the functions of test/golden/sgprCopies: "all copies" makes what llc-22 made of the function, a single one is
 * a text that llc-22 takes with its verifier, and whose pressure is what the title says. AMDGPU_MIR_RUNS=500 tries that many single ones, after those of the files in what llc-22 selects for random IR; AMDGPU_MIR_SEED=n replays.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../server/src/features/assists/codeAction.js';
import { canonicalBody } from '../../server/src/features/fixes/functionEdits.js';
import { copyVerdicts } from '../../server/src/features/diagnostics/copyFindings.js';
import type { FunctionView, Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { random } from '../support/corpusCase.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { pressureOfLlc, type LlcPressure } from '../support/printedPressure.js';
import { randomIr } from '../support/randomIr.js';
import { SETTINGS_OF_22 } from '../support/settings.js';
import { runsOr, seedOr, SHOW } from '../support/switches.js';

const FOLDER = join(__dirname, '..', 'golden', 'sgprCopies');
const COUNT = runsOr(8);
const SEED = seedOr(1);
const URI = 'file:///copies.mir';

function open(text: string): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.configure(SETTINGS_OF_22);
  host.open(URI, 1, text);
  return host.snapshot(URI)!;
}

/** Actions on one copy of a function: the one for it alone, and the one for all. */
function actionsAt(snapshot: Snapshot, view: FunctionView, k: number): CodeAction[] {
  const { copy } = copyVerdicts(view, snapshot)![k]!;
  const at = snapshot.text.positionAt(view.start + view.fn!.source!.instrRange(copy).start);
  return provideCodeActions(snapshot, { range: { start: at, end: at }, context: { diagnostics: [] } }, NEVER_CANCELLED);
}

interface Copy {
  readonly name: string;
  readonly snapshot: Snapshot;
  readonly view: FunctionView;
  readonly k: number;
}

/** What llc-22 selects for random IR, with the RUN line of its target; null where it does not compile, or is not what llc's own verifier takes. */
function selected(seed: number): string | null {
  const { text, args } = randomIr(seed);
  const target = args.filter((a) => a.startsWith('-m'));
  const { status, stdout } = runLlc([...args, '-stop-before=si-fix-sgpr-copies', '-o', '-'], text);
  if (status !== 0 || runLlc([...target, ...VERIFIED], stdout).status !== 0) return null;
  return `# RUN: llc ${target.join(' ')} -run-pass=none %s\n${stdout}`;
}

const hasAGPRs = (text: string): boolean => /:a(?:reg|gpr)_/.test(text);

/** What a title says of VGPRs and SGPRs; null where it says nothing. */
function promised(title: string): readonly [vgprs: number, sgprs: number] | null {
  const [, effect] = /: (.*occupancy .*)$/.exec(title) ?? [];
  const of = (file: string): number => Number(new RegExp(`${file} ([+-]\\d+)`).exec(effect!)?.[1] ?? 0);
  return effect === undefined ? null : [of('VGPR'), of('SGPR')];
}

/** The change of the most at any instruction, as llc-22 counts it; VGPRs and AGPRs are one number there, so 0 where there are both. */
function changeOf(before: string, after: string, args: readonly string[], name: string): readonly [number, number] {
  const [old, now] = [before, after].map((text) => {
    const { status, stderr } = runLlc([...args, '-x', 'mir', '-run-pass=amdgpu-print-rp', '-o', '/dev/null'], text);
    assert.equal(status, 0, stderr.slice(0, 800));
    return pressureOfLlc(stderr, name)!;
  });
  const most = (of: LlcPressure, k: 0 | 1): number => Math.max(0, ...of.rows.map((row) => row[k]));
  return [hasAGPRs(after) ? 0 : most(now!, 1) - most(old!, 1), most(now!, 0) - most(old!, 0)];
}

const VERIFIED = ['-x', 'mir', '-verify-machineinstrs', '-run-pass=none', '-o', '/dev/null'];

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
      // Their first line has llc's options; the processor decides what becomes of 16-bit copies.
      const input = readFileSync(join(FOLDER, file), 'utf8').replace(/^# llc/, '# RUN: llc');
      const [run] = input.split('\n', 1);
      const answer = open(
        `${run}\n${readFileSync(join(FOLDER, file.replace(/mir$/, 'txt')), 'utf8').replaceAll('(0x)', '')}`,
      );
      const wanted = new Map(answer.functions.map((v) => [v.name, v.fn!]));
      const snapshot = open(input);
      snapshot.functions.forEach((view, k) => {
        if (!view.fn || copyVerdicts(view, snapshot)!.length === 0 || k % 3 !== 0) return;
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
    this.timeout(0);
    needsLlc(this);
    const rnd = random(SEED);
    const copiesOf = (name: string, snapshot: Snapshot): Copy[] =>
      snapshot.functions
        .filter((view) => view.fn !== null)
        .flatMap((view) => copyVerdicts(view, snapshot)!.map((_, k) => ({ name, snapshot, view, k })));
    let all = files.flatMap((file) => copiesOf(file, open(readFileSync(join(FOLDER, file), 'utf8'))));
    let [n, promises, made, seed] = [0, 0, 0, SEED * 100_000];
    while (n < COUNT && made < COUNT) {
      if (all.length === 0) {
        const text = selected(seed++);
        made++;
        if (text !== null) all = copiesOf(`module ${seed - 1}`, open(text));
        continue;
      }
      const { name, snapshot, view, k } = all.splice(Math.floor(rnd() * all.length), 1)[0]!;
      const one = actionsAt(snapshot, view, k).find((a) => !a.title.startsWith('Fix all') && a.edit);
      if (!one || !/^(?:Read the first|Move )/.test(one.title)) continue;
      const text = edited(snapshot, one);
      const args = [...text.split('\n', 1)[0]!.matchAll(/ (-m\S+)/g)].map((m) => m[1]!);
      const promise = promised(one.title);
      if (promise !== null) {
        const [vgprs, sgprs] = promise;
        assert.deepEqual(
          [hasAGPRs(text) ? 0 : vgprs, sgprs],
          changeOf(snapshot.text.text, text, args, view.name),
          `${name} ${view.name}: ${one.title}`,
        );
        promises++;
      }
      const { status, stderr } = runLlc([...args, ...VERIFIED], text);
      assert.equal(
        status,
        0,
        `${name} ${view.name}, ${one.title}: ${stderr.replace(/^# Machine code[^]*?(?=\*\*\* Bad)/gm, '').slice(0, 900)}`,
      );
      n++;
    }
    if (SHOW) console.log(`${n} single copies, ${promises} with a promise, ${made} modules made`);
    assert.ok(n >= Math.min(COUNT, 8) && promises > n / 2);
  });
});
