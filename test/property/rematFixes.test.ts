/**
 * Rematerializations offered in files that the project did not write: one is applied at random, llc-22 has to accept the result,
 * and what the title promises has to be what `amdgpu-print-rp` prints afterwards. Needs ../shared/corpus and llc-22, and says so
 * when they are absent.
 *
 * AMDGPU_MIR_RUNS=1000 applies that many; AMDGPU_MIR_SEED=n replays.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions, resolveCodeAction } from '../../server/src/features/assists/codeAction.js';
import type { FunctionView, Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { random, type CorpusCase } from '../support/corpusCase.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { pressureOfLlc, type LlcPressure } from '../support/printedPressure.js';
import { needsShared } from '../support/skip.js';
import { runsOr, seedOr } from '../support/switches.js';

const CORPUS = join(__dirname, '..', '..', '..', 'shared', 'corpus');
const COUNT = runsOr(10);
const SEED = seedOr(1);
const URI = 'file:///corpus.mir';
/** Larger files make llc slow and add nothing. */
const MAX_BYTES = 300_000;
/** Options that run something else, or name the target in a way that a host is not told. */
const OTHER_WAYS = /^-(?:run-pass|march|verify)|^machine-scheduler$|^-\?/;
/** Options without which the scheduler has its defaults. */
const PLAIN = /^-(?:mtriple|mcpu|mattr)=/;
/** The scheduler is asked for one in so many. */
const SCHEDULED_EVERY = 5;
/** Lines that any rematerializable definition is on, where the way back may be offered. */
const UNDO_SHARE = 0.2;

const option = (args: readonly string[], name: string): string =>
  args.find((a) => a.startsWith(`-${name}=`))?.slice(name.length + 2) ?? '';

function openFile(text: string, args: readonly string[]): AnalysisHost {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  const target = { triple: option(args, 'mtriple'), cpu: option(args, 'mcpu'), features: option(args, 'mattr') };
  host.selectTarget(URI, target);
  return host;
}

interface Offer {
  readonly view: FunctionView;
  readonly action: CodeAction;
}

/** An offer at the definition or at a user of some candidate. */
function offerIn(snapshot: Snapshot, rnd: () => number): Offer | null {
  const views = snapshot.functions.filter((v) => (v.remat?.candidates.candidates.length ?? 0) > 0);
  const view = views[Math.floor(rnd() * views.length)];
  if (!view) return null;
  const { candidates, defOf, isRematerializable } = bound(view);
  const candidate = candidates[Math.floor(rnd() * candidates.length)]!;
  const group = candidate.groups[Math.floor(rnd() * candidate.groups.length)]!;
  let i = rnd() < 0.5 ? candidate.def : group.users[0]!;
  if (rnd() < UNDO_SHARE) {
    const defs = Array.from({ length: view.fn!.vregs.n }, (_, v) => v)
      .filter(isRematerializable)
      .map(defOf);
    i = defs[Math.floor(rnd() * defs.length)]!;
  }
  const at = snapshot.text.positionAt(view.start + view.fn!.source!.instrRange(i).start + 1);
  const actions = provideCodeActions(
    snapshot,
    { range: { start: at, end: at }, context: { diagnostics: [] } },
    NEVER_CANCELLED,
  ).filter((a) => /^(?:Rematerialize|Reach occupancy|Undo remat)/.test(a.title));
  const action = actions[Math.floor(rnd() * actions.length)];
  return action ? { view, action } : null;
}

const bound = ({ remat }: FunctionView) => ({
  candidates: remat!.candidates.candidates,
  defOf: (v: number) => remat!.candidates.defOf(v),
  isRematerializable: (v: number) => remat!.candidates.isRematerializable(v),
});

function apply(host: AnalysisHost, action: CodeAction): void {
  const { edit } = resolveCodeAction(host.snapshot(URI)!, action) as CodeAction;
  assert.ok(edit, `${action.title}: refused`);
  const edits = edit.changes![URI]!;
  host.change(
    URI,
    2,
    [...edits].reverse().map(({ range, newText }) => ({ range, text: newText })),
  );
}

/** Waves per EU that a printed pressure allows in the function. */
function occupancyOf(view: FunctionView, { sgprs, vgprs }: LlcPressure): number {
  const { limits } = view.summary!;
  const st = limits.subtarget;
  return Math.min(
    limits.occupancyCeiling,
    st.occupancyWithNumSGPRs(sgprs),
    st.occupancyWithNumVGPRs(vgprs, limits.dynamicVGPRBlockSize),
  );
}

describe('rematerializations over the corpus', () => {
  it(`${COUNT} are accepted by llc-22 and keep their promise`, function () {
    needsLlc(this);
    needsShared(this, CORPUS);
    this.timeout(0);
    const rnd = random(SEED);
    // functions before the scheduler, and the files that parser tests accept: SSA, bundles, debug values, names
    const shards = ['sched', 'parse'].flatMap((folder) =>
      readdirSync(join(CORPUS, folder))
        .filter((f) => /^(?:cases|accept)-.*\.json\.br$/.test(f))
        .map((f) => join(CORPUS, folder, f)),
    );
    const manifest = new Map(
      (JSON.parse(readFileSync(join(CORPUS, 'sched', 'manifest.json'), 'utf8')) as CorpusCase[]).map((c) => [
        c.name,
        c.args,
      ]),
    );
    let files: CorpusCase[] = [];
    let applied = 0;
    let moreWaves = 0;
    let scheduled = 0;
    let undone = 0;
    for (let tries = 0; applied < COUNT && tries < COUNT * 100; tries++) {
      if (tries % Math.ceil((COUNT * 4) / shards.length) === 0) {
        const shard = shards[Math.floor(rnd() * shards.length)]!;
        const { cases } = JSON.parse(brotliDecompressSync(readFileSync(shard)).toString()) as {
          cases: { name: string; input: string; args?: string[] }[];
        };
        files = cases
          .map(({ name, input, args }) => ({ name, input, args: args ?? manifest.get(name) ?? ['-?'] }))
          .filter(({ input, args }) => input.length < MAX_BYTES && !args.some((o) => OTHER_WAYS.test(o)));
      }
      const file = files[Math.floor(rnd() * files.length)];
      if (!file) continue;
      const host = openFile(file.input, file.args);
      const offer = offerIn(host.snapshot(URI)!, rnd);
      if (!offer) continue;
      const { view, action } = offer;
      apply(host, action);
      applied++;
      const after = host.snapshot(URI)!.functions.find((v) => v.name === view.name)!;
      const text = host.snapshot(URI)!.text.text;
      const what = `${file.name}: ${view.name}: ${action.title} (AMDGPU_MIR_SEED=${SEED}, try ${tries})`;
      const args = [...file.args, '-x', 'mir'];
      const none = runLlc([...args, '-run-pass=none', '-o', '/dev/null'], text);
      assert.equal(none.status, 0, `${what}\n${none.stderr.slice(0, 600)}`);

      const print = runLlc([...args, '-run-pass=amdgpu-print-rp', '-filetype=null'], text);
      const printed = pressureOfLlc(print.stderr, view.name);
      assert.ok(printed, `${what}: no report of llc`);
      const [, was, is, stays] = /occupancy (?:(\d+) to (\d+)|stays (\d+))/.exec(action.title) ?? [];
      const promised = Number(is ?? stays);
      // AGPRs and AV registers are printed within the vector registers; LLVM takes the maximum of each kind apart
      if (
        after.summary!.peaks[2]!.value === 0 &&
        after.summary!.max[1]! + after.summary!.max[3]! === after.summary!.peaks[1]!.value
      )
        assert.equal(occupancyOf(after, printed), promised, `${what}: occupancy of the printed pressure`);
      assert.equal(after.summary!.occupancy.occupancy, promised, what);
      assert.equal(view.summary!.occupancy.occupancy, Number(was ?? stays), what);
      assert.deepEqual(ownRows(after), printed.rows, `${what}: rows of amdgpu-print-rp`);
      if (is !== undefined) moreWaves++;
      if (action.title.startsWith('Undo')) undone++;
      const isPlain = file.args.every((o) => PLAIN.test(o));
      if (applied % SCHEDULED_EVERY !== 0 || !isPlain || after.quickSchedule === null) continue;
      const run = runLlc([...args, '-run-pass=machine-scheduler', '-o', '-'], text);
      const body = run.stdout.slice(run.stdout.search(new RegExp(`^name: +${escaped(view.name)}$`, 'm')));
      const llcOccupancy = Number(/^ {2}occupancy: +(\d+)/m.exec(body)?.[1] ?? NaN);
      assert.equal(after.quickSchedule.trace.occupancyAfter, llcOccupancy, `${what}: occupancy after the scheduler`);
      scheduled++;
    }
    console.log(
      `      ${applied} applied, ${moreWaves} with a wave more, ${undone} of them ways back, ${scheduled} compared after the scheduler`,
    );
    assert.equal(applied, COUNT);
  });
});

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Pressure at each instruction as the summary has it: what the titles come from. */
function ownRows({ fn, summary }: FunctionView): readonly (readonly [number, number])[] {
  const [sgpr, vgpr, agpr, av] = summary!.up.at;
  const rows: [number, number][] = [];
  for (let b = 0; b < fn!.blocks.length; b++) {
    for (let p = fn!.blockBegin[b]!; p < fn!.blockEnd[b]!; p++) {
      const i = fn!.order[p]!;
      if (summary!.lis.indexes.instrIndex[i]! < 0 || (fn!.bundle[i]! & 1) !== 0) continue;
      const arch = vgpr![i]! + av![i]!;
      const acc = agpr![i]!;
      // the printer takes the larger file also where both are one
      rows.push([sgpr![i]!, Math.max(arch, acc)]);
    }
  }
  return rows;
}
