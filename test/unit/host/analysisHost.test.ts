/** Open documents of a host: versions, targets, what is kept and what is computed anew, work that ends early. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import type { DocumentSnapshot } from '../../../server/src/host/documentSnapshot.js';
import { DEFAULT_SETTINGS } from '../../../server/src/program/settings.js';
import { NEWEST_RELEASE } from '../../../server/src/target/index.js';
import { NEVER_CANCELLED, type ProgressToken } from '../../../server/src/util/cancellation.js';
import { mirFunction } from '../../support/mir.js';

const URI = 'file:///a.mir';
const ALWAYS_CANCELLED: ProgressToken = { isCancelled: () => true };

const RUN = '# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s\n';
const values = (n: number): string => `
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
${Array.from({ length: n }, (_, k) => `    %${k + 1}:vgpr_32 = V_ADD_U32_e32 %${k}, %0, implicit $exec\n`).join('')}    S_ENDPGM 0, implicit %${n}`;
const F = mirFunction('f', values(2));
const G = mirFunction('g', values(3));
const BROKEN = mirFunction('b', values(1)).replace('implicit %1', 'implicit %9:vgpr_32');

function hostOf(text: string, ...limits: ConstructorParameters<typeof AnalysisHost>): AnalysisHost {
  const host = new AnalysisHost(...limits);
  host.open(URI, 1, text);
  return host;
}
const of = (host: AnalysisHost): DocumentSnapshot => host.snapshot(URI) as DocumentSnapshot;
const viewOf = (host: AnalysisHost, k = 0): DocumentSnapshot['functions'][number] => of(host).functions[k]!;
const computed = (host: AnalysisHost): number => host.statistics().computedFunctions;
const rangeOf = (text: string, part: string) => {
  const before = text.slice(0, text.indexOf(part)).split('\n');
  const start = { line: before.length - 1, character: before.at(-1)!.length };
  return { start, end: { ...start, character: start.character + part.length } };
};

describe('a host of documents', () => {
  it('has a snapshot of what is open, the same until something changes', () => {
    const host = hostOf(RUN + F);
    const first = of(host);
    assert.equal(of(host), first);
    assert.deepEqual([first.uri, first.version, first.target.cpu], [URI, 1, 'gfx90a']);
    assert.deepEqual([...host.uris()], [URI]);
    assert.equal(host.snapshot('file:///other.mir'), null);
    host.change(URI, 2, []);
    assert.equal(of(host).version, 2);
    host.change('file:///other.mir', 2, [{ text: '' }]);
    host.selectTarget('file:///other.mir', 1);
    assert.deepEqual(host.statistics().documents, [{ uri: URI, version: 2, functions: 1 }]);
    host.close(URI);
    assert.deepEqual([host.snapshot(URI), [...host.uris()]], [null, []]);
    assert.deepEqual([host.diagnostics(URI, NEVER_CANCELLED), host.statistics().documents], [[], []]);
  });

  it('applies changes one after the other, within the text whatever they say', () => {
    const text = 'one\ntwo\n';
    const host = hostOf(text);
    const at = (line: number, character: number) => ({ line, character });
    const change = (...changes: Parameters<AnalysisHost['change']>[2]): string => {
      host.change(URI, 2, changes);
      return of(host).text.text;
    };
    assert.equal(change({ range: { start: at(0, 0), end: at(0, 3) }, text: 'a' }, { range: { start: at(0, 1), end: at(1, 0) }, text: 'b' }), 'abtwo\n'); // prettier-ignore
    assert.equal(change({ text }), text);
    assert.equal(change({ range: { start: at(1, 1), end: at(0, 1) }, text: '-' }), 'o-wo\n');
    assert.equal(change({ range: { start: at(-3, -1), end: at(0, 1.9) }, text: '' }), '-wo\n');
    assert.equal(change({ range: { start: at(0, 1), end: at(1e12, 0) }, text: '.' }), '-.');
    assert.equal(change({ range: { start: at(NaN, NaN), end: at(0, 1e12) }, text: 'x' }), 'x');
  });

  it('looks at each function once, and after an edit at the one that it is in', () => {
    const host = hostOf(RUN + F + G);
    assert.deepEqual(host.diagnostics(URI, NEVER_CANCELLED), []);
    assert.equal(computed(host), 2);
    host.diagnostics(URI, NEVER_CANCELLED);
    assert.equal(computed(host), 2);
    host.change(URI, 2, [{ range: rangeOf(RUN + F + G, 'S_ENDPGM 0'), text: 'S_ENDPGM 1' }]);
    host.diagnostics(URI, NEVER_CANCELLED);
    assert.equal(computed(host), 3);
    // The same where the client sends whole texts.
    const edited = (RUN + F + G).replace('S_ENDPGM 0', 'S_ENDPGM 2');
    host.change(URI, 3, [{ text: edited }]);
    host.diagnostics(URI, NEVER_CANCELLED);
    assert.equal(computed(host), 4);
    host.change(URI, 4, [{ text: edited }]);
    assert.equal(of(host).version, 4);
    host.diagnostics(URI, NEVER_CANCELLED);
    assert.equal(computed(host), 4);
    for (const text of [
      edited + edited,
      edited,
      RUN + G,
      RUN + F + F + G,
      '',
      edited.replaceAll('\n', '\r\n'),
      edited,
    ]) {
      host.change(URI, 5, [{ text }]);
      const fresh = hostOf(text);
      assert.equal(of(host).text.text, text);
      assert.deepEqual(host.diagnostics(URI, NEVER_CANCELLED), fresh.diagnostics(URI, NEVER_CANCELLED));
    }
  });

  it('does one function before it gives way, so that the last call has all', () => {
    const host = hostOf(RUN + F + G + BROKEN);
    const calls = [1, 2, 3].map(() => host.diagnostics(URI, ALWAYS_CANCELLED));
    assert.deepEqual(calls, [null, null, null]);
    assert.equal(computed(host), 3);
    const found = host.diagnostics(URI, ALWAYS_CANCELLED);
    assert.deepEqual(
      found?.map((d) => d.message),
      ['Reading virtual register without a def\n(machine verifier)'],
    );
  });

  it('takes the target of the file, of the setting or of a choice', () => {
    const host = hostOf(`${RUN}${RUN.replace('gfx90a', 'gfx1030')}${F}`);
    const cpu = (): string => of(host).target.cpu;
    assert.equal(cpu(), 'gfx90a');
    host.selectTarget(URI, 1);
    assert.equal(cpu(), 'gfx1030');
    host.selectTarget(URI, { triple: 'amdgcn', cpu: 'gfx803', features: '' });
    assert.equal(cpu(), 'gfx803');
    // A choice is of the document, whatever its text.
    host.open(URI, 2, F);
    assert.equal(cpu(), 'gfx803');
    host.selectTarget(URI, null);
    host.configure({ ...DEFAULT_SETTINGS, target: { triple: 'amdgcn', cpu: 'gfx906', features: '' } });
    assert.equal(cpu(), 'gfx906');
    host.change(URI, 3, [{ text: RUN + F }]);
    assert.equal(cpu(), 'gfx90a');
    host.configure({ ...DEFAULT_SETTINGS, target: { triple: 'amdgcn', cpu: 'gfx906', features: '' }, targetOverridesRunLines: true }); // prettier-ignore
    assert.deepEqual([cpu(), of(host).target.origin], ['gfx906', 'setting']);
    host.selectTarget(URI, 0);
    assert.equal(cpu(), 'gfx90a');
    host.selectTarget(URI, null);
    host.change(URI, 4, [{ text: RUN.replace('amdgcn', 'x86_64') + F }]);
    assert.equal(of(host).target.foreign, 'x86_64');
    assert.deepEqual(host.diagnostics(URI, NEVER_CANCELLED), []);
    assert.equal(host.allocateNext(URI, NEVER_CANCELLED, Infinity), null);
  });

  it('takes verdicts of the present version alone', () => {
    const host = hostOf(RUN + F);
    const verdict = { runs: [], problem: '', isExpectedToFail: false, outdated: [] };
    const isKnown = (): boolean => of(host).verdict !== null;
    host.setVerdict('file:///other.mir', 1, verdict);
    host.setVerdict(URI, 2, verdict);
    assert.equal(isKnown(), false);
    const before = of(host);
    host.setVerdict(URI, 1, verdict);
    assert.deepEqual([isKnown(), before.verdict], [true, null]);
    host.change(URI, 2, [{ range: rangeOf(RUN + F, 'S_ENDPGM 0'), text: 'S_ENDPGM 1' }]);
    assert.equal(isKnown(), true, 'as far as its lines go');
    host.change(URI, 3, [{ text: RUN + F }]);
    assert.equal(isKnown(), true, 'the same of whole texts');
    host.change(URI, 3, [{ text: RUN + F }]);
    assert.equal(isKnown(), true);
    host.setVerdict(URI, 3, verdict);
    host.setVerdict(URI, 3, null);
    assert.equal(isKnown(), false);
  });

  it('shows the last good numbers of a function that an edit breaks', () => {
    const text = RUN + F;
    const host = hostOf(text);
    const breakIt = (version: number): void =>
      host.change(URI, version, [{ range: rangeOf(of(host).text.text, 'S_ENDPGM 0'), text: 'S_END 0' }]);
    breakIt(2);
    assert.equal(viewOf(host).stale, null, 'nobody knew that it was good');
    host.change(URI, 3, [{ text }]);
    host.diagnostics(URI, NEVER_CANCELLED);
    const { summary } = viewOf(host);
    breakIt(4);
    assert.equal(viewOf(host).summary, null);
    assert.equal(viewOf(host).stale?.summary, summary);
    host.selectTarget(URI, { triple: 'amdgcn', cpu: 'gfx1030', features: '' });
    assert.equal(viewOf(host).stale, null, 'those of another target');
    host.selectTarget(URI, null);
    host.change(URI, 5, [{ text }]);
    host.diagnostics(URI, NEVER_CANCELLED);
    breakIt(6);
    assert.notEqual(viewOf(host).stale, null);
    host.configure(DEFAULT_SETTINGS);
    assert.equal(viewOf(host).stale, null);
  });
});

describe('what an edit keeps', () => {
  const NAMES = ['a', 'b', 'c', 'd', 'e'];
  const text = RUN + NAMES.map((name) => mirFunction(name, values(2))).join('');

  it('is the numbers of the four functions that were good last', () => {
    const host = hostOf(text);
    host.diagnostics(URI, NEVER_CANCELLED);
    const before = of(host).functions.map((f) => f.summary!.up);
    let now = text;
    // From after, so that the places in front stay.
    const kept = [...NAMES].reverse().map((name, k) => {
      const at = now.indexOf(`name: ${name}`);
      const line = now.slice(0, now.indexOf('    S_ENDPGM', at)).split('\n').length - 1;
      const start = { line, character: 0 };
      host.change(URI, 2 + k, [{ range: { start, end: start }, text: '    ; a comment\n' }]);
      now = of(host).text.text;
      const index = NAMES.indexOf(name);
      return of(host).functions[index]!.summary!.up === before[index] ? name : '-';
    });
    assert.equal(kept.join(''), 'edcb-');
  });

  it('is nothing of a document that is no function', () => {
    for (const broken of ['---\n- a list\n...\n', '---\n...\n']) {
      const host = hostOf(RUN + broken);
      host.diagnostics(URI, NEVER_CANCELLED);
      for (const view of of(host).functions) {
        assert.deepEqual([view.fn, view.summary, view.lanes, view.remat, view.stale], [null, null, null, null, null]);
        assert.deepEqual(view.schedule(NEVER_CANCELLED), { kind: 'none', why: '' });
        assert.deepEqual(view.allocate(NEVER_CANCELLED), { kind: 'none', why: '' });
        assert.deepEqual([view.quickSchedule, view.isLarge, view.knownAllocation], [null, false, null]);
      }
      assert.equal(host.allocateNext(URI, NEVER_CANCELLED, Infinity), null);
    }
    const rejected = hostOf(RUN + F.replace('S_ENDPGM', 'S_NOTHING'));
    assert.deepEqual([viewOf(rejected).summary, viewOf(rejected).remat], [null, null]);
    assert.notEqual(viewOf(rejected).lanes, null, 'what it can of one that llc rejects');
  });

  it('is what was computed for a function that it leaves alone', () => {
    const host = hostOf(RUN + F + G);
    const { summary, lanes, remat, symbols } = viewOf(host, 1);
    host.change(URI, 2, [{ range: rangeOf(RUN + F + G, 'S_ENDPGM 0'), text: 'S_ENDPGM 1' }]);
    const again = viewOf(host, 1);
    assert.ok(again.summary === summary && again.lanes === lanes && again.remat === remat && again.symbols === symbols);
    assert.ok(summary !== null && lanes !== null && remat !== null);
  });
});

describe('a snapshot', () => {
  it('knows the function of a place', () => {
    const ir = '--- |\n  define void @f() { ret void }\n  define void @g() { ret void }\n...\n';
    const text = ir + F + G;
    const snapshot = of(hostOf(text));
    const g = ir.length + F.length;
    const names = [0, ir.length - 1, ir.length, g - 1, g, text.length - 1, text.length, 1e9].map(
      (offset) => snapshot.functionAt(offset)?.name ?? '',
    );
    assert.deepEqual(names, ['', '', 'f', 'f', 'g', 'g', '', '']);
    assert.equal(of(hostOf('')).functionAt(0), null);
    assert.deepEqual(
      snapshot.functions.map((f) => [f.start, f.end]),
      [
        [ir.length, g],
        [g, text.length],
      ],
    );
    const { start, end } = snapshot.functions[1]!.nameRange!;
    assert.equal(start, text.indexOf('name: g') + 'name: '.length);
    const { line } = rangeOf(text, 'name: g').start;
    assert.deepEqual(snapshot.rangeOf(start, end), { start: { line, character: 6 }, end: { line, character: 7 } });
  });

  it('of an edited text leaves the document as it is', () => {
    const host = hostOf(RUN + F + G);
    const snapshot = of(host);
    const { text } = snapshot.text;
    const at = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });
    const after = snapshot.after([
      { ...at('name: f'), text: 'name: longer' },
      { ...at('name: g'), text: 'name: h' },
    ]);
    assert.deepEqual([after.functions.map((f) => f.name), after.version], [['longer', 'h'], 1]);
    assert.deepEqual(
      of(host).functions.map((f) => f.name),
      ['f', 'g'],
    );
    assert.equal(after.target, snapshot.target);
  });

  it('for another target has results of its own, and is itself for its own', () => {
    const host = hostOf(RUN + F);
    const snapshot = of(host);
    assert.equal(snapshot.withTarget(snapshot.target), snapshot);
    const { triple, cpu, features } = snapshot.target;
    for (const other of [
      { triple: 'amdgcn-amd-amdhsa', cpu, features },
      { triple, cpu: 'gfx1030', features },
      { triple, cpu, features: '+xnack' },
    ]) {
      const there = snapshot.withTarget(other) as DocumentSnapshot;
      assert.deepEqual(
        { ...there.target, commands: [] },
        {
          ...other,
          origin: 'override',
          commandIdx: -1,
          commands: [],
          foreign: '',
          namesProcessors: false,
          release: NEWEST_RELEASE,
        },
      );
      assert.notEqual(there.results, snapshot.results);
      assert.equal((snapshot.withTarget(other) as DocumentSnapshot).results, there.results);
    }
  });
});

describe('schedules of a document', () => {
  const kinds = (host: AnalysisHost, token: ProgressToken = NEVER_CANCELLED): string =>
    viewOf(host).schedule(token).kind;
  const made = (host: AnalysisHost): number => of(host).results.schedules.computed;

  it('are kept with their function and setting', () => {
    const host = hostOf(RUN + F);
    const first = viewOf(host).schedule(NEVER_CANCELLED);
    const again = viewOf(host).schedule(NEVER_CANCELLED);
    assert.ok(first.kind === 'ready' && again.kind === 'ready' && first.schedule === again.schedule);
    assert.equal(viewOf(host).quickSchedule, first.schedule);
    assert.equal(made(host), 1);
    host.change(URI, 2, [{ text: RUN.replace('llc', 'llc -misched-topdown') + F }]);
    assert.equal(kinds(host), 'ready');
    assert.equal(made(host), 2);
    const pinned = viewOf(host).schedule(NEVER_CANCELLED, [{ before: 1, after: 2 } as never]);
    assert.equal(pinned.kind, 'ready');
    assert.equal(kinds(host), 'ready');
    assert.equal(made(host), 3);
    // What is pinned is nobody else's schedule.
    const kept = viewOf(host).schedule(NEVER_CANCELLED);
    assert.ok(kept.kind === 'ready' && pinned.kind === 'ready' && kept.schedule !== pinned.schedule);
  });

  it('are none with the reason, of what is not scheduled', () => {
    assert.deepEqual(viewOf(hostOf(RUN + BROKEN)).schedule(NEVER_CANCELLED), { kind: 'none', why: '' });
    assert.deepEqual(viewOf(hostOf(RUN + F.replace('S_ENDPGM', 'S_NOTHING'))).schedule(NEVER_CANCELLED), { kind: 'none', why: '' }); // prettier-ignore
    const refused = viewOf(hostOf(RUN.replace('llc', 'llc -misched=si') + F)).schedule(NEVER_CANCELLED);
    assert.ok(refused.kind === 'none' && refused.why !== '', refused.kind);
  });

  it('end early when they are cancelled, and can be made then', () => {
    const host = hostOf(RUN + F);
    assert.equal(kinds(host, ALWAYS_CANCELLED), 'cancelled');
    assert.equal(viewOf(host).isLarge, false);
    assert.equal(kinds(host), 'ready');
  });

  it('are left to a patient host where they take long or the function is large', () => {
    const large = mirFunction('l', values(2000));
    for (const [text, quickMs, nMade] of [
      [RUN + large, Infinity, 0],
      [RUN + F, -1, 1],
    ] as const) {
      const quick = hostOf(text, false, quickMs);
      assert.deepEqual([kinds(quick), kinds(quick), made(quick)], ['large', 'large', nMade]);
      assert.equal(viewOf(quick).isLarge, true);
      assert.equal(viewOf(quick).quickSchedule, null);
      assert.equal(viewOf(quick).dependencesOf(0, NEVER_CANCELLED).kind, 'large');
    }
    const patient = hostOf(RUN + F, true, -1);
    assert.equal(kinds(patient), 'ready');
    assert.equal(viewOf(patient).isLarge, false);
    // The largest that is none: two instructions besides the sums.
    assert.equal(kinds(hostOf(RUN + mirFunction('l', values(1998)), false, Infinity)), 'ready');
  });

  it('tell where they are, and so does what asks for the dependences', () => {
    const places: string[] = [];
    const token: ProgressToken = { isCancelled: () => false, report: (place) => void places.push(place) };
    const host = hostOf(RUN + F, true);
    assert.equal(kinds(host, token), 'ready');
    assert.ok(
      places.some((place) => /^\w+, region 1 of 1$/.test(place)),
      places.join('; '),
    );
    assert.equal(viewOf(host).dependencesOf(1, NEVER_CANCELLED).kind, 'ready');
    assert.equal(viewOf(hostOf(RUN + BROKEN)).dependencesOf(0, NEVER_CANCELLED).kind, 'none');
    assert.equal(viewOf(hostOf(RUN + F)).dependencesOf(1, ALWAYS_CANCELLED).kind, 'cancelled');
  });
});

describe('allocations of a document', () => {
  const next = (host: AnalysisHost, token: ProgressToken = NEVER_CANCELLED, most = Infinity) =>
    host.allocateNext(URI, token, most);
  const made = (host: AnalysisHost): number => of(host).results.allocations.computed;

  it('are made one function at a time, small ones first', () => {
    const host = hostOf(RUN + mirFunction('l', values(2000)) + F + G, false, Infinity);
    const known = (): string => of(host).functions.filter((f) => f.knownAllocation !== null).map((f) => f.name).join(''); // prettier-ignore
    const states = [1, 2, 3].map(() => [next(host), known()]);
    assert.deepEqual(states, [['lens', 'f'], ['lens', 'fg'], ['lens', 'lfg']]); // prettier-ignore
    assert.equal(next(host), null);
    assert.equal(made(host), 3);
    assert.equal(viewOf(host).allocate(NEVER_CANCELLED).kind, 'ready');
    assert.equal(made(host), 3);
    // With its decisions it is another, which is as good for those who ask for none.
    const explained = viewOf(host).allocate(NEVER_CANCELLED, true);
    assert.equal(made(host), 4);
    assert.deepEqual([viewOf(host).allocate(NEVER_CANCELLED, true), viewOf(host).allocate(NEVER_CANCELLED)], [explained, explained]); // prettier-ignore
    assert.equal(made(host), 4);
  });

  it('give way to who is waiting, and leave out what is long or not wanted', () => {
    const host = hostOf(RUN + F);
    assert.equal(next(host, ALWAYS_CANCELLED), 'gave way');
    // Two instructions besides the sums, and the end.
    assert.equal(next(host, NEVER_CANCELLED, 3), null);
    for (const off of ['allocationLens', 'codeLens'] as const) {
      host.configure({ ...DEFAULT_SETTINGS, [off]: false });
      assert.equal(next(host), null);
    }
    host.configure(DEFAULT_SETTINGS);
    assert.equal(next(host, NEVER_CANCELLED, 4), 'lens');
    assert.equal(host.allocateNext('file:///other.mir', NEVER_CANCELLED, Infinity), null);
    const physical = mirFunction('p', '\n  bb.0:\n    liveins: $vgpr0\n    S_ENDPGM 0, implicit $vgpr0');
    assert.equal(next(hostOf(RUN + physical)), null);
    assert.equal(next(hostOf(RUN + BROKEN)), null);
    assert.deepEqual(viewOf(hostOf(RUN + BROKEN)).allocate(NEVER_CANCELLED), { kind: 'none', why: '' });
  });

  it('that take too long are left to a patient host at once, and to later', () => {
    const hurried = hostOf(RUN + F, false, -1, -1);
    assert.deepEqual([viewOf(hurried).allocate(NEVER_CANCELLED).kind, next(hurried)], ['large', null]);
    assert.equal(viewOf(hurried).isLargeToAllocate, true);
    const patient = hostOf(RUN + F, true, -1, -1);
    assert.deepEqual(
      [viewOf(patient).isLargeToAllocate, viewOf(patient).allocate(NEVER_CANCELLED).kind],
      [false, 'ready'],
    );
    assert.equal(viewOf(hostOf(RUN + F)).allocate(ALWAYS_CANCELLED).kind, 'cancelled');
  });

  it('keep the words of what was shown last, of the functions that were shown last', () => {
    const host = hostOf(RUN + F);
    assert.equal(viewOf(host).lastAllocation, '');
    viewOf(host).lastAllocation = 'VGPR 3';
    assert.equal(viewOf(host).lastAllocation, 'VGPR 3');
    const { allocations } = of(host).results;
    for (let k = 0; k < 7; k++) allocations.keepText(`other ${k}`, 'x');
    viewOf(host).lastAllocation = 'VGPR 4';
    allocations.keepText('other 7', 'x');
    assert.deepEqual([allocations.lastText('other 0'), allocations.lastText('other 1')], ['', 'x']);
    assert.equal(viewOf(host).lastAllocation, 'VGPR 4');
  });
});

describe('the time that allocations take', () => {
  // By a clock made by hand: a function of n instructions that nobody has allocated is expected to take n / 4 ms.
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_000_000 }));
  afterEach(() => mock.timers.reset());

  /** takes so long, by the time that it looks whether it is cancelled for the first time */
  const taking = (ms: number): ProgressToken => {
    let left = ms;
    return {
      isCancelled: () => {
        mock.timers.tick(left);
        left = 0;
        return false;
      },
    };
  };
  const named = (k: number, n = 6): string => mirFunction(`f${k}`, values(n));
  const kind = (host: AnalysisHost, k = 0, token: ProgressToken = NEVER_CANCELLED): string =>
    viewOf(host, k).allocate(token).kind;
  const nInstrs = (host: AnalysisHost): number => viewOf(host).fn!.nInstrs;
  const edit = (host: AnalysisHost, text: string): void => host.change(URI, of(host).version + 1, [{ text }]);

  it('is expected by the number of instructions', () => {
    const n = nInstrs(hostOf(RUN + named(0)));
    const expected = n / 4;
    assert.equal(kind(hostOf(RUN + named(0), false, expected - 0.1)), 'large');
    assert.equal(kind(hostOf(RUN + named(0), false, expected)), 'ready');
    // The background may take longer, never less than who waits.
    for (const [quickMs, backgroundMs, isLarge] of [
      [0, expected - 0.1, true],
      [0, expected, false],
      [expected, 0, false],
    ] as const) {
      const host = hostOf(RUN + named(0), false, quickMs, backgroundMs);
      assert.equal(viewOf(host).isLargeToAllocate, isLarge, `${quickMs} ${backgroundMs}`);
      assert.equal(host.allocateNext(URI, NEVER_CANCELLED, n), isLarge ? null : 'lens');
      assert.equal(viewOf(host).knownAllocation !== null, !isLarge);
    }
  });

  it('is expected to be as before, of the functions that were allocated last', () => {
    const files = (first: number): string =>
      RUN + Array.from({ length: 66 }, (_, k) => named(k, k === 0 ? first : 6)).join('');
    const host = hostOf(files(6), false, 1);
    assert.equal(kind(host, 0), 'large');
    for (let k = 0; k < 64; k++) assert.equal(host.allocateNext(URI, NEVER_CANCELLED, Infinity), 'lens');
    // They took no time, so others of their names are expected to take none.
    edit(host, files(7));
    assert.equal(kind(host, 0), 'ready');
    assert.equal(kind(host, 64), 'large');
    // `f1` is the oldest now.
    assert.equal(host.allocateNext(URI, NEVER_CANCELLED, Infinity), 'lens');
    const again = files(8).replaceAll('S_ENDPGM 0', 'S_ENDPGM 1');
    edit(host, again);
    assert.deepEqual([0, 1, 2, 63, 64, 65].map((k) => kind(host, k)), ['ready', 'large', 'ready', 'ready', 'ready', 'large']); // prettier-ignore
  });

  it('that is more than a reader waits is not waited for again; the background does it', () => {
    assert.equal(kind(hostOf(RUN + named(0), false, 100), 0, taking(100)), 'ready');
    const host = hostOf(RUN + named(0, 7), false, 100);
    assert.equal(kind(host, 0, taking(101)), 'large');
    const made = (): number => of(host).results.allocations.computed;
    const before = made();
    assert.deepEqual([kind(host), viewOf(host).isLargeToAllocate, made()], ['large', false, before]);
    // Another setting is another allocation.
    edit(host, RUN.replace('llc', 'llc -stress-regalloc=6') + named(0, 7));
    assert.equal(kind(host), 'ready');
    edit(host, RUN + named(0, 7));
    assert.equal(host.allocateNext(URI, taking(4000), Infinity), 'lens');
    assert.deepEqual([kind(host), viewOf(host).allocate(NEVER_CANCELLED, true).kind], ['ready', 'large']);
    // It took 4 s: so may the next version.
    edit(host, RUN + named(0, 6));
    assert.deepEqual([kind(host), host.allocateNext(URI, NEVER_CANCELLED, Infinity), kind(host)], ['large', 'lens', 'ready']); // prettier-ignore
  });

  it('that is more than the background may take ends it, until the function is shorter or a minute is over', () => {
    const host = hostOf(RUN + named(0, 20), false, 100, 1000);
    assert.equal(host.allocateNext(URI, taking(1001), Infinity), 'lens');
    assert.equal(viewOf(host).knownAllocation, null);
    assert.deepEqual([viewOf(host).isLargeToAllocate, host.allocateNext(URI, NEVER_CANCELLED, Infinity)], [true, null]);
    // 25 hundredths more than it may take are expected of it.
    edit(host, RUN + named(0, 19));
    assert.equal(viewOf(host).isLargeToAllocate, true);
    edit(host, RUN + named(0, 12));
    assert.equal(viewOf(host).isLargeToAllocate, false);
    edit(host, RUN + named(0, 19));
    mock.timers.tick(59_999);
    assert.equal(viewOf(host).isLargeToAllocate, true);
    mock.timers.tick(1);
    assert.equal(viewOf(host).isLargeToAllocate, false);
    assert.equal(host.allocateNext(URI, NEVER_CANCELLED, Infinity), 'lens');
    assert.notEqual(viewOf(host).knownAllocation, null);
  });
});
