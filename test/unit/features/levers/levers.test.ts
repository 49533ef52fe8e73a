/** Why a function ends with so few waves, in the editor; each lever as an edit, whose result llc-22 confirms; rows of a sweep. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideAppliedLever, type AppliedLever } from '../../../../server/src/features/levers/applyLever.js';
import { otherOrders } from '../../../../server/src/features/levers/otherOrders.js';
import {
  provideEndedText,
  provideSweepRow,
  provideSweepSettings,
  type EndedText,
} from '../../../../server/src/features/levers/sweepRows.js';
import { provideWhyOccupancy, type WhyOccupancy } from '../../../../server/src/features/levers/whyOccupancy.js';
import { ELSEWHERE, type Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../../../server/src/host/analysisHost.js';
import type { Settings } from '../../../../server/src/program/settings.js';
import type { SweepRow, SweepSetting } from '../../../../server/src/program/sweep.js';
import type { LeverChange } from '../../../../server/src/program/why.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { SourceText } from '../../../../server/src/text/sourceText.js';
import { assemblyNumbers } from '../../../support/assemblyNumbers.js';
import { openText, URI } from '../../../support/cursor.js';
import { needsLlc, runLlc } from '../../../support/llc.js';
import { highPressure } from '../../../support/randomSchedule.js';
import { SETTINGS_OF_22 } from '../../../support/settings.js';

const example = (name: string): string =>
  readFileSync(join(__dirname, '..', '..', '..', '..', 'examples', `${name}.mir`), 'utf8');

const position = { line: 1e6, character: 0 };

/** As the patient worker has it. */
function patient(text: string, settings: Partial<Settings> = {}): Snapshot {
  const host = new AnalysisHost(true);
  host.configure({ ...SETTINGS_OF_22, ...settings });
  host.open(URI, 1, text);
  return host.snapshot(URI)!;
}

const whyIn = (snapshot: Snapshot): WhyOccupancy =>
  provideWhyOccupancy(snapshot, { position }, NEVER_CANCELLED) as WhyOccupancy;
const applyIn = (snapshot: Snapshot, change: LeverChange): AppliedLever =>
  provideAppliedLever(snapshot, { position, change }, NEVER_CANCELLED) as AppliedLever;
const rowIn = (snapshot: Snapshot, setting: SweepSetting): SweepRow =>
  provideSweepRow(snapshot, { position, setting }, NEVER_CANCELLED) as SweepRow;

const option = (...options: readonly string[]): LeverChange & { readonly kind: 'setting' } => ({
  kind: 'setting',
  setting: { options, attributes: {} },
});
const attribute = (name: string, value: string): LeverChange & { readonly kind: 'setting' } => ({
  kind: 'setting',
  setting: { options: [], attributes: { [name]: value } },
});

function editedText(text: string, { edits }: AppliedLever): string {
  assert.ok(edits !== null);
  const source = new SourceText(text);
  let result = '';
  let done = 0;
  for (const { range, newText } of edits) {
    result += text.slice(done, source.offsetAt(range.start)) + newText;
    done = source.offsetAt(range.end);
  }
  return result + text.slice(done);
}

/** What llc-22 ends with, as the RUN line of the text says, from where that begins, else from the scheduler on; or its words. */
function llcEnds(text: string, name: string): unknown {
  const run = /RUN: *llc (.*)/.exec(text)![1];
  const words = run
    .replaceAll(/-(?:run-pass|stop-after|filetype)[= ]\S+/g, '')
    .replaceAll(/\s-o -|%s|\|.*|<.*/g, '')
    .split(' ')
    .filter((word) => word !== '');
  const begin = run.includes('-start-') ? [] : ['-start-before=machine-scheduler'];
  const args = [...words, '-x', 'mir', ...begin, '-o', '-'];
  const { stdout, stderr } = runLlc(args, text);
  return assemblyNumbers(stdout).get(name) ?? stderr;
}

describe('why this occupancy, in the editor', () => {
  it('is the patient worker’s to say, once something is to be computed', () => {
    const { snapshot } = openText(example('spill'));
    assert.equal(provideWhyOccupancy(snapshot, { position }, NEVER_CANCELLED), ELSEWHERE);
    const none = openText('--- |\n  define void @f() { ret void }\n...\n').snapshot;
    assert.deepEqual(whyIn(none), { function: '', text: 'no function here\n', links: [] });
  });

  it('has a link to apply and one to compare at each lever, and the numbers below it', () => {
    const { text, links } = whyIn(patient(example('spill')));
    assert.ok(links.length >= 2);
    for (const { start, end, does } of links) assert.equal(text.slice(start, end), does);
    const first = text.slice(text.indexOf('what would help')).split('\n').slice(3, 5);
    assert.match(first[0], /^ {2}\[apply\] \[compare\] {2}rematerialize %half$/);
    assert.match(first[1], /^ {4,}10 waves +VGPR 24 +no spills/);
    assert.deepEqual(links[0].change, { kind: 'rematerialize', registers: ['%half'] });
  });

  it('says why there is no outcome', () => {
    const broken = example('spill').replace('S_ENDPGM', 'S_ENDPGMS');
    assert.match(whyIn(patient(broken)).text, /: no outcome: /);
  });

  it('ends when it is cancelled', () => {
    const token = { isCancelled: () => true };
    assert.equal(provideWhyOccupancy(patient(example('spill')), { position }, token), null);
  });
});

describe('a lever as an edit', () => {
  for (const [name, text] of [
    ['of a function that spills', example('spill')],
    ['of one with matrix instructions', example('gemm_tile')],
    ['of one with many registers', highPressure(5)],
  ] as const)
    it(`${name} ends as llc-22 says`, function () {
      needsLlc(this);
      const snapshot = patient(text);
      const { links, function: fn } = whyIn(snapshot);
      const changes: LeverChange[] = [
        ...links.filter(({ does }) => does === 'apply').map(({ change }) => change),
        option('-amdgpu-sched-strategy=max-ilp'),
        ...(snapshot.functions[0].module === null ? [] : [attribute('amdgpu-waves-per-eu', '4,4')]),
      ];
      let nCompared = 0;
      for (const change of changes) {
        const applied = applyIn(snapshot, change);
        const after = editedText(text, applied);
        const now = rowIn(patient(after), { options: [], attributes: {} });
        const ends = llcEnds(after, fn);
        // The files name no registers for scratch memory, without which its printer dies of what is spilled.
        const isRefused = typeof ends === 'string' && now.outcome !== null && now.outcome.scratchBytes > 0;
        if (!isRefused) assert.deepEqual(now.outcome, ends, applied.title);
        nCompared += Number(!isRefused);
        if (change.kind === 'setting') assert.deepEqual(now.outcome, rowIn(snapshot, change.setting).outcome);
      }
      assert.ok(nCompared > 1);
    });

  it('puts an option into the RUN line, in place of one of the same name', () => {
    const text = highPressure(1).replace('llc ', 'llc -amdgpu-sched-strategy=max-ilp ');
    const applied = applyIn(patient(text), option('--amdgpu-sched-strategy=max-memory-clause'));
    assert.equal(
      editedText(text, applied).split('\n')[0],
      '# RUN: llc --amdgpu-sched-strategy=max-memory-clause -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=machine-scheduler %s',
    );
  });

  it('writes a RUN line where there is none', () => {
    const text = highPressure(1).split('\n').slice(1).join('\n');
    const target = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx900', features: '' };
    const applied = applyIn(patient(text, { target }), option('-enable-misched=0'));
    assert.match(
      editedText(text, applied).split('\n')[0],
      /^# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -start-before=machine-scheduler -enable-misched=0 -o - %s$/,
    );
  });

  it('is refused where the file cannot say it', () => {
    const { edits, problem } = applyIn(patient(highPressure(1)), attribute('amdgpu-waves-per-eu', '4,4'));
    assert.deepEqual(
      [edits, problem],
      [null, 'the file has no embedded module, whose functions could have other attributes'],
    );
    const unknown = applyIn(patient(highPressure(1)), option('-no-such-option'));
    assert.match(unknown.problem, /^Unknown command line argument '-no-such-option'/);
    assert.equal(
      applyIn(patient(highPressure(1)), option('-amdgpu-sched-strategy=a\nb')).problem,
      'an option stands in one line',
    );
    const gone = applyIn(patient(highPressure(1)), { kind: 'rematerialize', registers: ['%nothing'] });
    assert.deepEqual([gone.edits, gone.problem], [null, 'the text has changed: ask again']);
  });
});

describe('other orders of a region', () => {
  it('are those of LLVM’s strategies, and change that region alone', () => {
    const text = highPressure(3);
    const snapshot = patient(text);
    const orders = otherOrders(snapshot, snapshot.functions[0], NEVER_CANCELLED);
    assert.ok(orders.length > 0);
    for (const { change, edits } of orders) {
      assert.equal(change.kind, 'reorder');
      assert.ok(edits.length > 0);
      assert.equal(snapshot.after(edits).functions[0].diagnostics.length, 0);
    }
  });
});

describe('a sweep in the editor', () => {
  const ask = (text: string, vary?: readonly string[], isProduct?: boolean): ReturnType<typeof provideSweepSettings> =>
    provideSweepSettings(openText(text).snapshot, { position, vary, isProduct });

  it('has the usual settings, the present one first', () => {
    const { settings, problem, function: fn } = ask(example('gemm_tile'));
    assert.deepEqual([problem, fn, settings[0].label], ['', 'gemm_tile', '(as in the file)']);
    assert.ok(settings.length > 10 && settings.some(({ label }) => label === 'amdgpu-waves-per-eu=8,8'));
  });

  it('reads settings as --vary does', () => {
    const { settings } = ask(
      example('gemm_tile'),
      ['amdgpu-sched-strategy=max-ilp,max-memory-clause', 'attr:amdgpu-waves-per-eu=4,4|8,8'],
      true,
    );
    assert.equal(settings.length, 3 * 3);
    assert.match(
      ask(example('gemm_tile'), ['-no-such-option']).problem,
      /^Unknown command line argument '-no-such-option'/,
    );
    assert.match(ask(example('gemm_tile'), ['attr:amdgpu-waves-per-eu=x']).problem, /amdgpu-waves-per-eu|integer/);
    assert.match(ask(example('gemm_tile'), ['attr:amdgpu-nothing=1']).problem, /^llc asks for no attribute/);
    assert.match(ask(highPressure(1), ['attr:amdgpu-waves-per-eu=4,4']).problem, /^the file has no embedded module/);
  });

  it('has a row for what llc refuses, in its words', () => {
    const row = rowIn(patient(example('spill')), { options: ['-no-such-option'], attributes: {} });
    assert.match(row.failed, /^Unknown command line argument '-no-such-option'/);
    const attributes = { 'amdgpu-waves-per-eu': 'x' };
    assert.notEqual(rowIn(patient(example('spill')), { options: [], attributes }).failed, '');
  });

  it('shows the function as llc ends with it, with a lever and without', () => {
    const snapshot = patient(example('spill'));
    const ended = (change?: LeverChange): EndedText =>
      provideEndedText(snapshot, { position, change }, NEVER_CANCELLED) as EndedText;
    assert.match(ended().text!, /SI_SPILL_V32_SAVE/);
    assert.doesNotMatch(ended({ kind: 'rematerialize', registers: ['%half'] }).text!, /SI_SPILL/);
    assert.doesNotMatch(ended(attribute('amdgpu-waves-per-eu', '4,4')).text!, /SI_SPILL/);
    assert.equal(ended({ kind: 'scalarize', registers: ['%nothing'] }).problem, 'the text has changed: ask again');
  });
});
