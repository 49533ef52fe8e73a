/** One lane of the analysis with a worker made by hand: what it is told, who gets which answer, and when it is replaced. */
import assert from 'node:assert/strict';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import { DocumentMirror } from '../../../server/src/lsp/common/documentMirror.js';
import { CancellationView, type FromWorker } from '../../../server/src/lsp/common/messages.js';
import { WorkerSession, type Answer } from '../../../server/src/lsp/common/workerSession.js';
import type { Settings } from '../../../server/src/program/settings.js';
import { FakeWorker } from '../../support/fakeWorker.js';

const SETTINGS = { name: 'first' } as unknown as Settings;
const OTHER = { name: 'second' } as unknown as Settings;

describe('a lane of the analysis', () => {
  let workers: FakeWorker[];
  let events: unknown[][];
  let mirror: DocumentMirror;
  let session: WorkerSession;
  let refusesToStart: boolean;
  /** called with each event */
  let heard: () => void;

  function make(isPatient = false, hangMs = 3_600_000): void {
    const note =
      (name: string) =>
      (...args: unknown[]): void => {
        events.push([name, ...args]);
        heard();
      };
    session = new WorkerSession(
      mirror,
      {
        diagnostics: note('diagnostics'),
        undiagnosed: note('undiagnosed'),
        document: note('document'),
        lenses: note('lenses'),
        log: note('log'),
        restarted: note('restarted'),
        lateCopies: note('lateCopies'),
      },
      {
        createWorker: () => {
          if (refusesToStart) throw new Error('no threads');
          const worker = new FakeWorker();
          workers.push(worker);
          return worker;
        },
        hangMs,
        isPatient,
      },
    );
  }
  const open = (uri: string, text = 'text'): void => {
    mirror.open(uri, 1, text);
    session.open(uri);
  };
  const change = (uri: string, version: number): void => {
    const changes = [{ text: `text ${version}` }];
    mirror.change(uri, version, changes);
    session.change(uri, version, changes);
  };
  const last = (): FakeWorker => workers.at(-1)!;

  beforeEach(() => {
    workers = [];
    events = [];
    mirror = new DocumentMirror();
    refusesToStart = false;
    heard = () => undefined;
  });
  afterEach(() => session.dispose());

  it('tells a worker nothing before the settings are known, then everything', () => {
    make();
    assert.equal(workers.length, 1);
    open('a', 'one');
    mirror.selectTarget('a', 2);
    session.selectTarget('a', 2);
    open('b', 'two');
    assert.deepEqual([last().got, session.isConfigured], [[], false]);
    session.configure(SETTINGS);
    assert.equal(session.isConfigured, true);
    const [start, ...rest] = last().got;
    assert.ok(start?.kind === 'start' && start.settings === SETTINGS && !start.isPatient);
    assert.deepEqual(rest, [
      { kind: 'open', uri: 'a', version: 1, text: 'one' },
      { kind: 'target', uri: 'a', target: 2 },
      { kind: 'open', uri: 'b', version: 1, text: 'two' },
    ]);
    session.configure(OTHER);
    assert.deepEqual(last().got.at(-1), { kind: 'settings', settings: OTHER });
    session.selectTarget('b', 0);
    assert.deepEqual(last().got.at(-1), { kind: 'target', uri: 'b', target: 0 });
    assert.deepEqual([session.nDocuments, session.has('a'), session.has('c')], [2, true, false]);
  });

  it('hands on changes, what came late and the end of a document', () => {
    make();
    session.configure(SETTINGS);
    open('a');
    change('a', 2);
    session.tellLate('a', 2, { kind: 'verdict', verdict: {} as never });
    session.close('a');
    session.close('a');
    assert.equal(last().kinds, 'start open change late close');
    assert.equal(session.has('a'), false);
  });

  it('settles a request by its answer', async () => {
    make();
    session.configure(SETTINGS);
    open('a');
    const reports: string[] = [];
    const asked = [0, 1, 2, 3].map((k) =>
      session.request('m', 'a', { k }, undefined, (r) => reports.push(`${k} ${r}`)),
    );
    assert.equal(session.queueLength, 4);
    const ids = last().requests.map((m) => m.id);
    assert.deepEqual(last().requests[1], { kind: 'request', id: ids[1], method: 'm', uri: 'a', params: { k: 1 } });
    last().say({ kind: 'progress', id: ids[1]!, message: 'half' });
    last().say({ kind: 'result', id: ids[1]!, version: 1, result: 'second' });
    last().say({ kind: 'result', id: 4711, version: 1, result: 'nobody' });
    last().say({ kind: 'progress', id: ids[1]!, message: 'too late' });
    last().say({ kind: 'cancelled', id: ids[0]! });
    last().say({ kind: 'failed', id: ids[2]!, message: 'a bug', stack: 'at x' });
    change('a', 2);
    last().say({ kind: 'result', id: ids[3]!, version: 1, result: 'old' });
    assert.deepEqual(await Promise.all(asked), [
      { kind: 'cancelled' },
      { kind: 'result', result: 'second' },
      { kind: 'failed', message: 'a bug' },
      { kind: 'outdated', result: 'old' },
    ]);
    assert.deepEqual(reports, ['1 half']);
    assert.equal(session.queueLength, 0);
    assert.equal(session.lastError, 'a bug');
    assert.deepEqual(events, [['log', 'error', 'a bug\nat x']]);
  });

  it('answers at once what needs no worker', async () => {
    make();
    session.configure(SETTINGS);
    const source = new CancellationTokenSource();
    source.cancel();
    assert.deepEqual(await session.request('m', 'closed', {}), { kind: 'outdated' });
    assert.deepEqual(await session.request('m', '', {}, source.token), { kind: 'cancelled' });
    assert.equal(last().kinds, 'start');
    const about = session.request('m', '', {});
    last().say({ kind: 'result', id: last().requests[0]!.id, version: 9, result: 1 });
    assert.deepEqual(await about, { kind: 'result', result: 1 });
  });

  it('tells what the worker says of documents as they are now', () => {
    make();
    session.configure(SETTINGS);
    open('a');
    change('a', 2);
    const say = (message: FromWorker): void => last().say(message);
    for (const version of [1, 2]) say({ kind: 'diagnostics', uri: 'a', version, diagnostics: [] });
    for (const version of [1, 2]) say({ kind: 'lateCopies', uri: 'a', version, late: {} as never });
    for (const uri of ['a', 'b']) say({ kind: 'document', status: { uri } as never });
    say({ kind: 'lenses', hints: true });
    say({ kind: 'undiagnosed', uri: 'a', message: 'no' });
    say({ kind: 'log', level: 'info', message: 'i' });
    assert.equal(session.lastError, null);
    say({ kind: 'log', level: 'error', message: 'e' });
    say({ kind: 'alive' });
    assert.equal(session.lastError, 'e');
    assert.deepEqual(events, [
      ['diagnostics', 'a', 2, []],
      ['lateCopies', 'a', 2, {}],
      ['document', { uri: 'a' }],
      ['lenses', true],
      ['undiagnosed', 'a', 'no'],
      ['log', 'info', 'i'],
      ['log', 'error', 'e'],
    ]);
    const before = last().got.length;
    say({ kind: 'unsynchronized', uri: 'a' });
    assert.deepEqual(last().got.slice(before), [{ kind: 'open', uri: 'a', version: 2, text: 'text 2' }]);
  });

  it('has another worker when one ends, and fails what waited', async () => {
    make();
    session.configure(SETTINGS);
    open('a');
    const waiting = session.request('m', 'a', {});
    const [first] = workers;
    first!.end('killed');
    const message = 'the analysis worker ended: killed';
    assert.deepEqual(await waiting, { kind: 'failed', message });
    assert.deepEqual(events, [['log', 'error', message], ['restarted']]);
    assert.ok(first!.isTerminated && session.isRunning && session.restarts === 1);
    assert.equal(last().kinds, 'start open');
    // What the old one still says is of no interest.
    first!.say({ kind: 'diagnostics', uri: 'a', version: 1, diagnostics: [] });
    first!.end('again');
    assert.deepEqual([events.length, workers.length], [2, 2]);
  });

  for (const by of ['change', 'open'] as const)
    it(`gives up after five in a row, until a document is new (${by})`, async () => {
      make();
      session.configure(SETTINGS);
      open('a');
      // An answer or diagnostics begin the count anew.
      last().end('1');
      last().say({ kind: 'diagnostics', uri: 'a', version: 1, diagnostics: [] });
      last().end('2');
      void session.request('m', 'a', {});
      last().say({ kind: 'result', id: last().requests[0]!.id, version: 1, result: 1 });
      for (let k = 0; k < 4; k++) {
        last().end(`again ${k}`);
        assert.equal(session.isRunning, true, String(k));
      }
      events = [];
      last().end('at last');
      const reason = 'the analysis worker ended: at last';
      assert.equal(session.isRunning, false);
      assert.deepEqual(events, [
        ['log', 'error', reason],
        ['log', 'error', 'the analysis failed repeatedly and stays off until the text changes'],
        ['undiagnosed', null, reason],
      ]);
      assert.equal(session.restarts, 7);
      assert.deepEqual(await session.request('m', 'a', {}), { kind: 'failed', message: reason });
      const before = workers.length;
      if (by === 'change') change('a', 2);
      else open('b');
      assert.deepEqual([workers.length, session.isRunning], [before + 1, true]);
      assert.equal(last().kinds, by === 'change' ? 'start open' : 'start open open');
      for (let k = 0; k < 4; k++) last().end('once more');
      assert.equal(session.isRunning, true);
    });

  it('says so when no worker starts', async () => {
    refusesToStart = true;
    make();
    session.configure(SETTINGS);
    const message = 'the analysis worker does not start: Error: no threads';
    assert.deepEqual(events, [['log', 'error', message]]);
    assert.deepEqual(await session.request('m', '', {}), { kind: 'failed', message });
  });

  it('cancels through shared memory', async () => {
    make();
    session.configure(SETTINGS);
    open('a');
    const [start] = last().got;
    const view = new CancellationView();
    view.attach(start?.kind === 'start' ? start.shared : null);
    assert.ok(view.seesWaiting);
    const source = new CancellationTokenSource();
    const waiting = session.request('m', 'a', {}, source.token);
    const { id } = last().requests[0]!;
    assert.equal(view.isCancelled(id), false);
    for (const _ of last().got) {
      assert.equal(view.hasWaitingMessages(), true);
      view.messageReceived();
    }
    assert.equal(view.hasWaitingMessages(), false);
    source.cancel();
    assert.equal(view.isCancelled(id), true);
    last().say({ kind: 'cancelled', id });
    assert.deepEqual(await waiting, { kind: 'cancelled' });
    assert.deepEqual([workers.length, last().isTerminated], [1, false]);
  });

  it('ends work on a document that changes or closes, where work may take long', async () => {
    make(true);
    session.configure(SETTINGS);
    open('a');
    open('b');
    const [a, b] = [session.request('m', 'a', {}), session.request('m', 'b', {})];
    change('a', 2);
    assert.deepEqual(await a, { kind: 'outdated' });
    assert.equal(session.queueLength, 1);
    session.close('b');
    assert.deepEqual(await b, { kind: 'outdated' });
    assert.equal(workers.length, 1);
    const [start] = last().got;
    assert.ok(start?.kind === 'start' && start.isPatient);
  });

  describe('without shared memory', () => {
    const globals = globalThis as { crossOriginIsolated?: boolean };
    const usual = globals.crossOriginIsolated;
    before(() => (globals.crossOriginIsolated = false));
    after(() => {
      if (usual === undefined) delete globals.crossOriginIsolated;
      else globals.crossOriginIsolated = usual;
    });

    for (const isPatient of [false, true])
      it(`${isPatient ? 'begins anew' : 'waits'} when one of two requests is cancelled`, async () => {
        make(isPatient);
        session.configure(SETTINGS);
        open('a');
        assert.deepEqual(last().got[0], { kind: 'start', shared: null, settings: SETTINGS, isPatient });
        const source = new CancellationTokenSource();
        const answers: Answer<unknown>[] = [];
        void session.request('first', 'a', {}, source.token).then((answer) => answers.push(answer));
        const second = session.request('second', 'a', {});
        source.cancel();
        await Promise.resolve();
        if (!isPatient) {
          assert.deepEqual([answers, workers.length, session.queueLength], [[], 1, 2]);
          return;
        }
        assert.deepEqual(answers, [{ kind: 'cancelled' }]);
        assert.ok(workers.length === 2 && workers[0]!.isTerminated);
        assert.equal(last().kinds, 'start open request');
        const { id, method } = last().requests[0]!;
        assert.equal(method, 'second');
        last().say({ kind: 'result', id, version: 1, result: 2 });
        assert.deepEqual(await second, { kind: 'result', result: 2 });
        assert.deepEqual([events, session.restarts], [[], 0]);
      });
  });

  it('replaces a worker that is silent while something waits', async () => {
    make(false, 20);
    const restarted = new Promise<void>((done) => (heard = () => events.at(-1)![0] === 'restarted' && done()));
    session.configure(SETTINGS);
    await restarted;
    assert.deepEqual(events[0], ['log', 'error', 'the analysis worker did not answer for 20 ms']);
    assert.ok(workers[0]!.isTerminated);
  });

  it('leaves a worker alone that has nothing to do, and a lane that has ended', async () => {
    make(false, 20);
    session.configure(SETTINGS);
    last().say({ kind: 'idle', received: 1 });
    await new Promise((done) => setTimeout(done, 100));
    assert.deepEqual([events, workers.length], [[], 1]);
    const waiting = session.request('m', '', {});
    session.dispose();
    assert.deepEqual(await waiting, { kind: 'cancelled' });
    assert.ok(last().isTerminated);
    await new Promise((done) => setTimeout(done, 100));
    change('a', 2);
    last().end('ended');
    assert.deepEqual([events, workers.length], [[], 1]);
  });

  it('does not take a worker for idle that has not read everything', async () => {
    make(false, 20);
    const restarted = new Promise<void>((done) => (heard = () => events.at(-1)![0] === 'restarted' && done()));
    session.configure(SETTINGS);
    open('a');
    last().say({ kind: 'idle', received: 1 });
    await restarted;
    assert.equal(session.restarts, 1);
  });
});
