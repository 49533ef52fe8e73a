/** Work of a host that serves twice, or that another host does for it: schedules that allocations begin with, copies that take long to judge. */
import assert from 'node:assert/strict';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import type { DocumentSnapshot } from '../../../server/src/host/documentSnapshot.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import { NEVER_CANCELLED, type ProgressToken } from '../../../server/src/util/cancellation.js';
import { NEWEST_RELEASE } from '../../../server/src/target/index.js';
import { mirFunction } from '../../support/mir.js';

const URI = 'file:///a.mir';
const ALWAYS_CANCELLED: ProgressToken = { isCancelled: () => true };
const runOf = (options: string): string => `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a ${options} %s\n`;
const F = mirFunction(
  'f',
  `
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    %2:vgpr_32 = V_MUL_LO_U32_e64 %1, %0, implicit $exec
    %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec
    S_ENDPGM 0, implicit %3`,
);
/** A copy to an SGPR, with a scalar instruction after it. */
const COPIES = (name: string): string =>
  mirFunction(
    name,
    `
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY %0
    %2:sreg_32 = S_ADD_I32 %1, 1, implicit-def dead $scc
    S_ENDPGM 0, implicit %2`,
  );

function hostOf(text: string, ...limits: ConstructorParameters<typeof AnalysisHost>): AnalysisHost {
  const host = new AnalysisHost(...limits);
  host.open(URI, 1, text);
  return host;
}
const of = (host: AnalysisHost): DocumentSnapshot => host.snapshot(URI) as DocumentSnapshot;
const viewOf = (host: AnalysisHost, k = 0): DocumentSnapshot['functions'][number] => of(host).functions[k]!;

describe('allocations after the scheduler', () => {
  const made = (host: AnalysisHost): string =>
    `${of(host).results.schedules.computed} ${of(host).results.allocations.computed}`;

  it('make the schedule known, or take the one that is', () => {
    for (const option of [
      '-start-before=machine-scheduler',
      '-run-pass=machine-scheduler',
      '-stop-before=machine-scheduler,0',
    ]) {
      const first = hostOf(runOf(option) + F, false, Infinity);
      const places: string[] = [];
      const token: ProgressToken = { isCancelled: () => false, report: (place) => void places.push(place) };
      assert.equal(viewOf(first).allocate(token).kind, 'ready');
      assert.equal(made(first), '1 1', option);
      assert.ok(
        places.some((place) => place.endsWith('region 1 of 1')),
        places.join('; '),
      );
      const { quickSchedule } = viewOf(first);
      const asked = viewOf(first).schedule(NEVER_CANCELLED);
      assert.ok(asked.kind === 'ready' && asked.schedule === quickSchedule);
      assert.equal(made(first), '1 1', option);
      const second = hostOf(runOf(option) + F, false, Infinity);
      assert.equal(viewOf(second).schedule(NEVER_CANCELLED).kind, 'ready');
      assert.equal(viewOf(second).allocate(NEVER_CANCELLED).kind, 'ready');
      assert.equal(made(second), '1 1', option);
    }
    const alone = hostOf(runOf('-run-pass=greedy') + F, false, Infinity);
    assert.equal(viewOf(alone).allocate(NEVER_CANCELLED).kind, 'ready');
    assert.equal(made(alone), '0 1');
  });

  it('are none where the scheduler is none, and that is kept', () => {
    const host = hostOf(runOf('-start-before=machine-scheduler -misched=si') + F, false, Infinity);
    const refused = viewOf(host).schedule(NEVER_CANCELLED);
    assert.ok(refused.kind === 'none' && refused.why !== '');
    assert.deepEqual(viewOf(host).allocate(NEVER_CANCELLED), refused);
    assert.deepEqual(viewOf(host).allocate(NEVER_CANCELLED), refused);
    assert.equal(made(host), '0 1');
    assert.equal(viewOf(host).knownAllocation, refused.why);
    assert.equal(viewOf(host).dependencesOf(1, NEVER_CANCELLED).kind, 'none');
  });

  it('and schedules are those of the present options', () => {
    const host = hostOf(runOf('-start-before=machine-scheduler') + F, false, Infinity);
    assert.equal(viewOf(host).allocate(NEVER_CANCELLED).kind, 'ready');
    host.change(URI, 2, [{ text: runOf('-start-before=machine-scheduler -misched-topdown') + F }]);
    assert.equal(viewOf(host).knownAllocation, null);
    assert.equal(viewOf(host).allocate(NEVER_CANCELLED).kind, 'ready');
    assert.equal(made(host), '2 2');
  });

  it('with decisions are not made before those without, nor kept for less', () => {
    const host = hostOf(runOf('-run-pass=greedy') + F, false, Infinity);
    const { allocations } = of(host).results;
    const plain = viewOf(host).allocate(NEVER_CANCELLED);
    assert.equal(viewOf(host).allocate(NEVER_CANCELLED, true).kind, 'ready');
    const explained = viewOf(host).allocate(NEVER_CANCELLED, true);
    assert.notDeepEqual(plain, explained);
    assert.equal(allocations.computed, 2);
    assert.equal(viewOf(host).allocate(ALWAYS_CANCELLED, true).kind, 'ready', 'what is known is cancelled by nobody');
  });
});

describe('copies that take long to judge', () => {
  const TEXT = runOf('-run-pass=si-fix-sgpr-copies') + F + COPIES('c') + COPIES('d');
  const settings = { ...DEFAULT_SETTINGS, copyDiagnostics: true };
  const told = (host: AnalysisHost): string[] =>
    (host.diagnostics(URI, NEVER_CANCELLED) ?? []).map((d) => `${d.range.start.line} ${String(d.code)}`);

  it('are told by another host that has the time, for the same version and target', () => {
    const patient = hostOf(TEXT, true);
    patient.configure(settings);
    const wanted = told(patient);
    const line = (name: string): number =>
      TEXT.slice(0, TEXT.indexOf('%1:sreg_32', TEXT.indexOf(`name: ${name}`))).split('\n').length - 1;
    assert.equal(wanted.length, 2);
    assert.deepEqual(
      wanted.map((w) => Number(w.split(' ')[0])),
      [line('c'), line('d')],
    );
    assert.deepEqual(patient.lateCopies(URI).functions, []);

    const hurried = hostOf(TEXT, false, -1, -1);
    hurried.configure(settings);
    assert.deepEqual(told(hurried), []);
    const late = hurried.lateCopies(URI);
    assert.deepEqual(late.functions, [1, 2]);
    assert.equal(late.target, `amdgcn gfx90a  ${NEWEST_RELEASE}`);
    assert.equal(patient.judgeCopies('file:///other.mir', late, NEVER_CANCELLED), null);
    assert.equal(patient.judgeCopies(URI, { ...late, target: 'amdgcn gfx900 ' }, NEVER_CANCELLED), null);
    const fresh = hostOf(TEXT, true);
    assert.equal(fresh.judgeCopies(URI, late, ALWAYS_CANCELLED), null);
    const verdicts = fresh.judgeCopies(URI, { ...late, functions: [1, 2, 9] }, NEVER_CANCELLED);
    assert.deepEqual(
      verdicts?.map(([k, found]) => [k, found.length]),
      [
        [1, 1],
        [2, 1],
      ],
    );
    hurried.setCopies(URI, 2, late.target, verdicts!);
    hurried.setCopies(URI, 1, 'amdgcn gfx900 ', verdicts!);
    hurried.setCopies('file:///other.mir', 1, late.target, verdicts!);
    assert.deepEqual(told(hurried), [], 'of another version, target or document');
    hurried.setCopies(URI, 1, late.target, [...verdicts!, [9, []]]);
    assert.deepEqual(told(hurried), wanted);
    assert.deepEqual(hurried.lateCopies(URI).functions, []);
  });

  it('are nobody’s where nobody wants them', () => {
    const hurried = hostOf(TEXT, false, -1, -1);
    hurried.configure({ ...settings, copyDiagnostics: false });
    assert.deepEqual(told(hurried), []);
    assert.deepEqual(hurried.lateCopies(URI), { target: '', functions: [] });
    hurried.configure(settings);
    assert.deepEqual(hurried.lateCopies('file:///other.mir'), { target: '', functions: [] });
  });
});

describe('what is related to a diagnostic', () => {
  it('stands where its words are, in the second function, too', () => {
    const twice = (name: string): string =>
      mirFunction(
        name,
        '\n  bb.0:\n    successors: %bb.1\n    liveins: $vgpr0\n    %0:sreg_64 = S_MOV_B64 0\n\n  bb.1:\n    %1:vgpr_32 = V_MOV_B32_e32 %0, implicit $exec\n    S_ENDPGM 0, implicit %1',
      );
    const text = runOf('-run-pass=none') + twice('f') + twice('g');
    const host = hostOf(text);
    for (const [k, view] of of(host).functions.entries())
      for (const d of view.diagnostics) {
        assert.ok(view.start <= d.start && d.end <= view.end, `${k}: ${d.message}`);
        assert.ok((d.related ?? []).length > 0);
        for (const r of d.related ?? []) assert.match(text.slice(r.start, r.end), /%[01]/, d.message);
      }
    const words = of(host).functions.map((view) =>
      view.diagnostics.map((d) => [
        d.message,
        text.slice(d.start, d.end),
        d.related?.map((r) => text.slice(r.start, r.end)),
      ]),
    );
    assert.deepEqual(words[1], words[0]);
    assert.ok(words[0]!.length > 0);
  });
});
