/**
 * Uniformity under random edits: what the server says of an edited document (which registers are divergent and why, masks, temporal uses, regions of EXEC, lines and titles of blocks) is
 * what it says of the same text opened anew. AMDGPU_MIR_RUNS=50000 makes that many edits; AMDGPU_MIR_SEED=n replays.
 */
import assert from 'node:assert/strict';
import { execRegions } from '../../server/src/analysis/uniformity/execRegions.js';
import { laneTitle } from '../../server/src/features/uniformity/laneText.js';
import type { FunctionView, Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { InstrPrinter } from '../../server/src/model/printer/index.js';
import { printUniformity } from '../../server/src/passes/printUniformity/printUniformity.js';
import { SourceText, type TextEdit } from '../../server/src/text/sourceText.js';
import { Random } from '../support/damageInputs.js';
import { EDIT_KINDS, differenceEdit, randomEdit } from '../support/edits.js';
import { randomUniformityFunction } from '../support/randomUniformity.js';
import { runsOr, seedOr, SHOW } from '../support/switches.js';

const EDITS = runsOr(400);
const SEED = seedOr(1);
const PER_FILE = 40;
const URI = 'file:///edited.mir';

function fileText(random: Random): string {
  const selected = random.chance(60);
  const functions = (random.chance(25) ? [0, 1] : [0]).map((k) =>
    randomUniformityFunction(`f${k}`, {
      seed: random.below(1 << 22),
      blocks: 2 + random.below(5),
      selected,
      wave32: false,
    }),
  );
  return `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n${functions.join('')}`;
}

/** Everything that is said of a function, as text. */
function answers(view: FunctionView): string {
  const { fn, lanes } = view;
  if (!fn || !lanes) return 'none';
  const report = printUniformity(lanes.uniformity, fn, new InstrPrinter(fn, { standalone: true }));
  const values = Array.from({ length: fn.vregs.n }, (_, v) => {
    const why = lanes.whyDivergent(v, 50).map((s) => `${s.kind},${s.vreg},${s.block},${s.instr},${s.data},${s.cycle}`);
    return `${v}: ${lanes.atDef(v)} ${why.join(' ')}`;
  });
  return JSON.stringify([
    report,
    values,
    lanes.temporalUses(),
    execRegions(lanes),
    fn.blocks.map((_, b) => laneTitle(view, b)),
  ]);
}

/** A host that never sees an edit. */
const freshHost = new AnalysisHost(false, Infinity);

function opened(text: string): Snapshot {
  freshHost.close(URI);
  freshHost.open(URI, 1, text);
  return freshHost.snapshot(URI)!;
}

describe('uniformity under edits', function () {
  this.timeout(0);

  it(`equals a fresh analysis after ${EDITS} edits, seed ${SEED}`, () => {
    const random = new Random(SEED);
    let [edits, known, divergent] = [0, 0, 0];
    while (edits < EDITS) {
      const host = new AnalysisHost(false, Infinity);
      const donor = fileText(random);
      const first = fileText(random);
      host.open(URI, 1, first);
      let last = first;
      for (let k = 0; k < PER_FILE && edits < EDITS; k++, edits++) {
        const before = host.snapshot(URI)!.text.text;
        const isUndone = random.chance(40);
        const changes: readonly TextEdit[] = isUndone
          ? differenceEdit(before, last)
          : randomEdit(before, random.pick(EDIT_KINDS), donor, random);
        last = before;
        let text = new SourceText(before);
        const sent = changes.map((change) => {
          const range = { start: text.positionAt(change.start), end: text.positionAt(change.end) };
          text = text.apply(change);
          return { range, text: change.text };
        });
        host.change(URI, k + 2, sent);
        const now = host.snapshot(URI)!;
        const fresh = opened(now.text.text);
        const where = `seed ${SEED}, edit ${edits}`;
        assert.equal(now.functions.length, fresh.functions.length, where);
        now.functions.forEach((view, f) => {
          // What was found of a function without errors may be taken over by the next version.
          if (k % 3 !== 0) void view.summary;
          const [own, anew] = [answers(view), answers(fresh.functions[f]!)];
          assert.equal(own, anew, `${where}\n${now.text.text}`);
          if (own !== 'none') known++;
          if (view.lanes?.uniformity.hasDivergence === true) divergent++;
        });
      }
    }
    if (SHOW) console.log(`${edits} edits, ${known} functions compared, ${divergent} of them with divergence`);
    assert.ok(known > EDITS / 2, `${known} functions compared`);
  });
});
