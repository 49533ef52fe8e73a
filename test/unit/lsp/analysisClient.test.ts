/** The two lanes of the analysis with workers made by hand: which of them is told what, and who makes way for whom. */
import assert from 'node:assert/strict';
import { CancellationToken, CancellationTokenSource } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { AnalysisClient } from '../../../server/src/lsp/common/analysisClient.js';
import { CancellationView, type FromWorker } from '../../../server/src/lsp/common/messages.js';
import type { Settings } from '../../../server/src/program/settings.js';
import { FakeWorker } from '../../support/fakeWorker.js';

const SETTINGS = {} as Settings;
const NOBODY = CancellationToken.None;
const silent = (): void => undefined;

describe('the lanes of the analysis', () => {
  let workers: FakeWorker[];
  let events: unknown[][];
  let client: AnalysisClient;

  const quick = (): FakeWorker => workers[0]!;
  const patient = (): FakeWorker => workers[1]!;
  /** Whether the newest request of a worker is cancelled, as the worker sees it. */
  function isCancelled(worker: FakeWorker): boolean {
    const [start] = worker.got;
    const view = new CancellationView();
    view.attach(start?.kind === 'start' ? start.shared : null);
    return view.isCancelled(worker.requests.at(-1)!.id);
  }
  /** A document as the worker has it from what it was told. */
  function textIn(worker: FakeWorker, uri: string): string | null {
    let text: TextDocument | null = null;
    for (const m of worker.got)
      if (m.kind === 'open' && m.uri === uri) text = TextDocument.create(uri, 'mir', m.version, m.text);
      else if (m.kind === 'change' && m.uri === uri) text = TextDocument.update(text!, [...m.changes], m.version);
    return text?.getText() ?? null;
  }
  const answer = (worker: FakeWorker, result: unknown): void =>
    worker.say({ kind: 'result', id: worker.requests.at(-1)!.id, version: 1, result });
  const give = (worker: FakeWorker, kind: 'cancelled'): void => worker.say({ kind, id: worker.requests.at(-1)!.id });

  beforeEach(() => {
    workers = [];
    events = [];
    const note =
      (name: string) =>
      (...args: unknown[]) =>
        void events.push([name, ...args]);
    client = new AnalysisClient(
      () => {
        const worker = new FakeWorker();
        workers.push(worker);
        return worker;
      },
      {
        diagnostics: note('diagnostics'),
        undiagnosed: note('undiagnosed'),
        document: note('document'),
        lenses: note('lenses'),
        log: note('log'),
        restarted: note('restarted'),
      },
      3_600_000,
    );
    client.open('a', 1, 'text');
    client.open('b', 1, 'other');
  });
  afterEach(() => client.dispose());

  it('has one worker until something may take long', async () => {
    assert.deepEqual(await client.requestPatiently('m', 'a', {}, NOBODY, silent), { kind: 'outdated' });
    assert.deepEqual(await client.updateChecks('t', NOBODY), { kind: 'outdated' });
    assert.deepEqual(await client.runTest('a', { text: 't', limitMs: null }, NOBODY, null), { kind: 'outdated' });
    assert.equal(client.isConfigured, false);
    client.configure(SETTINGS);
    assert.deepEqual([client.isConfigured, client.isRunning, client.restarts, client.lastError], [true, true, 0, null]);
    assert.deepEqual(client.openDocuments, ['a', 'b']);
    const asked = client.request('m', 'a', {});
    assert.deepEqual([workers.length, client.queueLength], [1, 1]);
    answer(quick(), 1);
    assert.deepEqual(await asked, { kind: 'result', result: 1 });
  });

  it('tells the patient one of the documents asked about alone, as long as they are open', async () => {
    client.configure(SETTINGS);
    assert.deepEqual(await client.requestPatiently('m', 'closed', {}, NOBODY, silent), { kind: 'outdated' });
    assert.equal(workers.length, 1);
    const reports: string[] = [];
    const asked = client.requestPatiently('m', 'a', { k: 1 }, NOBODY, (r) => reports.push(r));
    assert.equal(patient().kinds, 'start open request');
    patient().say({ kind: 'progress', id: patient().requests[0]!.id, message: 'half' });
    answer(patient(), 2);
    assert.deepEqual([await asked, reports], [{ kind: 'result', result: 2 }, ['half']]);

    for (const uri of ['a', 'b']) {
      client.change(uri, 2, [{ text: 'new' }]);
      client.selectTarget(uri, 1);
      client.open(uri, 3, 'newer');
    }
    client.configure(SETTINGS);
    assert.equal(patient().kinds, 'start open request change target open target settings');
    assert.deepEqual([client.versionOf('a'), client.textOf('a')], [3, 'newer']);
    const waiting = client.requestPatiently('m', 'a', {}, NOBODY, silent);
    assert.equal(patient().requests.length, 2);
    client.close('b');
    assert.equal(patient().isTerminated, false);
    client.close('a');
    assert.deepEqual(await waiting, { kind: 'outdated' });
    assert.ok(patient().isTerminated);
    client.close('a');
    client.change('a', 4, [{ text: 'closed' }]);
    client.selectTarget('a', 0);
    assert.equal(quick().kinds.split(' ').slice(-2).join(' '), 'close close');
    assert.deepEqual([client.versionOf('a'), client.textOf('a'), client.openDocuments], [undefined, undefined, []]);
  });

  it('keeps the patient one for documents whose RUN lines have run', async () => {
    client.configure(SETTINGS);
    const ran = client.runTest('a', { text: 't', limitMs: null }, NOBODY, null);
    assert.deepEqual(patient().requests[0]!.params, { text: 't', limitMs: null });
    answer(patient(), 'verdict');
    assert.deepEqual(await ran, { kind: 'result', result: 'verdict' });
    client.close('b');
    assert.equal(patient().isTerminated, false);
    client.close('a');
    assert.equal(patient().isTerminated, true);
  });

  it('is silent about what the patient one says of documents', () => {
    client.configure(SETTINGS);
    void client.requestPatiently('m', 'a', {}, NOBODY, silent);
    const messages: FromWorker[] = [
      { kind: 'diagnostics', uri: 'a', version: 1, diagnostics: [] },
      { kind: 'undiagnosed', uri: 'a', message: 'x' },
      { kind: 'document', status: { uri: 'a' } as never },
      { kind: 'lenses', hints: true },
      { kind: 'lateCopies', uri: 'a', version: 1, late: {} as never },
      { kind: 'log', level: 'info', message: 'heard' },
    ];
    for (const message of messages) patient().say(message);
    assert.deepEqual(events, [['log', 'info', 'heard']]);
    patient().end('killed');
    assert.deepEqual(events.slice(1), [['log', 'error', 'the analysis worker ended: killed']]);
  });

  for (const [name, ask] of [
    ['requests', () => client.requestPatiently('m', 'b', {}, NOBODY, silent)],
    ['runs that somebody asked for', () => client.runTest('b', { text: 't', limitMs: null }, NOBODY, null)],
    ['new CHECK lines', () => client.updateChecks('t', NOBODY)],
  ] as const)
    it(`has late work make way for ${name}`, async () => {
      client.configure(SETTINGS);
      quick().say({ kind: 'lateCopies', uri: 'a', version: 1, late: { target: '', functions: [] } });
      const { id } = patient().requests[0]!;
      assert.equal(isCancelled(patient()), false);
      const asked = ask();
      const view = new CancellationView();
      const [start] = patient().got;
      view.attach(start?.kind === 'start' ? start.shared : null);
      assert.ok(view.isCancelled(id));
      patient().say({ kind: 'cancelled', id });
      assert.equal(isCancelled(patient()), false);
      answer(patient(), 3);
      assert.deepEqual(await asked, { kind: 'result', result: 3 });
    });

  it('has nothing make way for background runs, and no run that somebody asked for', async () => {
    client.configure(SETTINGS);
    const wanted = client.runTest('a', { text: 't', limitMs: null }, NOBODY, null);
    const { id } = patient().requests[0]!;
    const background = client.runTest('a', { text: 't', limitMs: 5 }, NOBODY, null);
    const asked = client.requestPatiently('m', 'b', {}, NOBODY, silent);
    patient().say({ kind: 'result', id, version: 1, result: 4 });
    assert.deepEqual(await wanted, { kind: 'result', result: 4 });
    answer(patient(), 5);
    assert.deepEqual(await asked, { kind: 'result', result: 5 });
    patient().say({ kind: 'cancelled', id: patient().requests[1]!.id });
    assert.deepEqual(await background, { kind: 'cancelled' });
  });

  it('cancels a run by its token', async () => {
    client.configure(SETTINGS);
    const source = new CancellationTokenSource();
    const ran = client.runTest('a', { text: 't', limitMs: 5 }, source.token, null);
    source.cancel();
    assert.ok(isCancelled(patient()));
    give(patient(), 'cancelled');
    assert.deepEqual(await ran, { kind: 'cancelled' });
  });

  it('has copies judged by the patient one, and the quick one told', async () => {
    client.configure(SETTINGS);
    const late = { target: 'gfx900', functions: [] } as never;
    const say = (): void => quick().say({ kind: 'lateCopies', uri: 'a', version: 1, late });
    say();
    say();
    assert.equal(patient().kinds, 'start open request');
    assert.deepEqual(patient().requests[0]!.params, late);
    answer(patient(), 'judged');
    await new Promise((done) => setImmediate(done));
    assert.deepEqual(quick().got.at(-1), {
      kind: 'late',
      uri: 'a',
      version: 1,
      found: { kind: 'copies', target: 'gfx900', verdicts: 'judged' },
    });
    // That is over, so that the next word of it counts; this time a request goes first.
    say();
    assert.equal(patient().requests.length, 2);
    const { id } = patient().requests[1]!;
    void client.requestPatiently('m', 'b', {}, NOBODY, silent);
    patient().say({ kind: 'cancelled', id });
    while (patient().requests.length < 4) await new Promise((done) => setTimeout(done, 20));
    assert.deepEqual(patient().requests[3]!.params, late);
    // An edit ends it.
    client.change('a', 2, [{ text: 'new' }]);
    await new Promise((done) => setTimeout(done, 400));
    assert.equal(patient().requests.length, 4);
    assert.equal(quick().got.filter((m) => m.kind === 'late').length, 1);
  });

  it('has an edit in each worker once, where late work is ended with its worker', () => {
    const globals = globalThis as { crossOriginIsolated?: boolean };
    const usual = globals.crossOriginIsolated;
    // No shared memory, as in the browser: who is cancelled is replaced.
    globals.crossOriginIsolated = false;
    try {
      client.configure(SETTINGS);
      const late = { target: 'gfx900', functions: [] } as never;
      const start = { line: 0, character: 0 };
      for (let version = 1; version <= 3; version++) {
        quick().say({ kind: 'lateCopies', uri: 'a', version, late });
        client.change('a', version + 1, [{ range: { start, end: start }, text: `${version} ` }]);
      }
      assert.ok(workers.length > 2);
      assert.deepEqual([textIn(quick(), 'a'), textIn(workers.at(-1)!, 'a')], ['3 2 1 text', '3 2 1 text']);
    } finally {
      if (usual === undefined) delete globals.crossOriginIsolated;
      else globals.crossOriginIsolated = usual;
    }
  });

  it('asks nobody once it has ended', async () => {
    client.configure(SETTINGS);
    void client.requestPatiently('m', 'a', {}, NOBODY, silent);
    client.dispose();
    assert.ok(quick().isTerminated && patient().isTerminated);
    assert.deepEqual(await client.updateChecks('t', NOBODY), { kind: 'outdated' });
  });
});
