/** When RUN lines run, by whose programs, and what becomes of their verdicts: with an analysis and programs made by hand. */
import assert from 'node:assert/strict';
import { CancellationToken, CancellationTokenSource } from 'vscode-languageserver/node';
import type { RunVerdict, TestVerdict } from '../../../server/src/features/snapshot/verdict.js';
import type { AnalysisClient } from '../../../server/src/lsp/common/analysisClient.js';
import { LateWork } from '../../../server/src/lsp/common/lateWork.js';
import type { RunTestParams } from '../../../server/src/lsp/common/messages.js';
import type { ToolAccess } from '../../../server/src/lsp/common/toolAccess.js';
import { VerdictBoard, verdictStatus } from '../../../server/src/lsp/common/verdictBoard.js';
import type { Answer } from '../../../server/src/lsp/common/workerSession.js';

const RUN = '; RUN: llc -mtriple=amdgcn %s\n';
const LLC = { llc: '/bin/llc', fileCheck: '' };

const runOf = (line: number, more: Partial<RunVerdict> = {}): RunVerdict => ({
  line,
  verdict: 'passed',
  detail: '',
  findings: [],
  checks: [],
  output: null,
  ...more,
});
const verdictOf = (runs: readonly RunVerdict[], problem = ''): TestVerdict => ({
  runs,
  problem,
  isExpectedToFail: false,
  outdated: [],
});
const PASSED = verdictOf([runOf(0)]);

interface Call {
  readonly params: RunTestParams;
  readonly token: CancellationToken;
  settle(answer: Answer<TestVerdict>): void;
}

describe('the board of verdicts', () => {
  let documents: Map<string, { version: number; text: string }>;
  let calls: Call[];
  let told: unknown[][];
  let board: VerdictBoard;
  let late: LateWork;
  let toolRuns: string[];
  let byTools: () => Promise<TestVerdict | null>;
  let asked: () => void;

  const analysis = {
    get openDocuments() {
      return [...documents.keys()];
    },
    versionOf: (uri: string) => documents.get(uri)?.version,
    textOf: (uri: string) => documents.get(uri)?.text,
    tell: (uri: string, version: number, { verdict }: { verdict: TestVerdict }) =>
      told.push(['worker', uri, version, verdict]),
    get late() {
      return late;
    },
    runTest: (_uri: string, params: RunTestParams, token: CancellationToken) =>
      new Promise<Answer<TestVerdict>>((settle) => {
        calls.push({ params, token, settle });
        asked();
      }),
    updateChecks: (text: string) => Promise.resolve({ kind: 'result', result: `ours ${text}` }),
  } as unknown as AnalysisClient;
  const tools: ToolAccess = {
    runTest: (uri, text, { llc }) => {
      toolRuns.push(`${uri} ${text.trim()} ${llc}`);
      return byTools();
    },
    updateChecks: (text) => Promise.resolve(text === 'cancel' ? null : (`theirs ${text}` as never)),
    mirOfSource: () => Promise.resolve(null),
    doubt: (path) => Promise.resolve(path === '/bin/old' ? 'old' : ''),
  };
  const nobody = (): void => undefined;
  const nextCall = (): Promise<void> => new Promise((done) => (asked = done));
  const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

  beforeEach(() => {
    documents = new Map([['a', { version: 1, text: RUN }]]);
    calls = [];
    told = [];
    toolRuns = [];
    byTools = () => Promise.resolve(PASSED);
    asked = nobody;
    late = new LateWork((uri) => documents.get(uri)?.version);
    board = new VerdictBoard(analysis, (...args) => told.push(['client', ...args]), tools);
  });
  afterEach(() => late.dispose());

  it('runs a document after a pause, once for several edits, and tells worker and client', async () => {
    documents.set('b', { version: 1, text: 'no line to run: llc' });
    const ran = nextCall();
    board.enable(true);
    board.touched('a');
    board.touched('a');
    await ran;
    assert.equal(calls.length, 1);
    assert.deepEqual(calls[0]!.params, { text: RUN, limitMs: 10_000 });
    calls[0]!.settle({ kind: 'result', result: PASSED });
    await settled();
    const expected = [
      ['worker', 'a', 1, PASSED],
      ['client', 'a', 1, PASSED],
    ];
    assert.deepEqual(told, expected);
    board.tellAgain();
    assert.deepEqual(told, [...expected, expected[0]]);
    board.closed('a');
    board.tellAgain();
    assert.equal(told.length, 3);
  });

  it('drops the verdict of a text that has changed, and ends its run', async () => {
    const ran = nextCall();
    board.enable(true);
    await ran;
    documents.set('a', { version: 2, text: RUN });
    board.touched('a');
    assert.ok(calls[0]!.token.isCancellationRequested);
    const again = nextCall();
    calls[0]!.settle({ kind: 'result', result: PASSED });
    await again;
    assert.deepEqual(told, []);
    // The version alone makes it old, too.
    documents.set('a', { version: 3, text: RUN });
    calls[1]!.settle({ kind: 'result', result: PASSED });
    await settled();
    assert.deepEqual(told, []);
  });

  it('comes back to a run that made way, not to one that an edit ended', async () => {
    const ran = nextCall();
    board.enable(true);
    await ran;
    const again = nextCall();
    late.makeWay();
    assert.ok(calls[0]!.token.isCancellationRequested);
    calls[0]!.settle({ kind: 'cancelled' });
    await again;
    board.closed('a');
    calls[1]!.settle({ kind: 'cancelled' });
    const { token } = calls[1]!;
    assert.ok(token.isCancellationRequested);
    await new Promise((done) => setTimeout(done, 400));
    assert.equal(calls.length, 2);
  });

  it('runs nothing by itself while it is off, ends what runs, and begins with what is open', async () => {
    board.touched('a');
    const ran = nextCall();
    board.enable(true);
    await ran;
    board.enable(true);
    board.enable(false);
    assert.ok(calls[0]!.token.isCancellationRequested);
    board.touched('a');
    await new Promise((done) => setTimeout(done, 400));
    assert.equal(calls.length, 1);
  });

  it('answers who asks, whom an edit or his own token ends', async () => {
    assert.deepEqual(await board.run('closed', CancellationToken.None, nobody), { kind: 'outdated' });
    const source = new CancellationTokenSource();
    const answer = board.run('a', source.token, nobody);
    assert.deepEqual(calls[0]!.params, { text: RUN, limitMs: null });
    calls[0]!.settle({ kind: 'result', result: PASSED });
    assert.deepEqual(await answer, { kind: 'result', result: PASSED });
    assert.equal(told.length, 2);

    const edited = board.run('a', source.token, nobody);
    board.touched('a');
    assert.ok(calls[1]!.token.isCancellationRequested);
    calls[1]!.settle({ kind: 'result', result: PASSED });
    assert.deepEqual(await edited, { kind: 'outdated' });

    const cancelled = board.run('a', source.token, nobody);
    source.cancel();
    assert.ok(calls[2]!.token.isCancellationRequested);
    calls[2]!.settle({ kind: 'cancelled' });
    assert.deepEqual(await cancelled, { kind: 'cancelled' });
    assert.equal(told.length, 2);
  });

  it("runs the user's own programs where there are any", async () => {
    const warnings: string[] = [];
    const warn = (message: string): void => void warnings.push(message);
    board.saved('a');
    await settled();
    assert.deepEqual([toolRuns, calls.length], [[], 0]);
    board.use(LLC, warn);
    board.saved('a');
    await settled();
    assert.deepEqual(toolRuns, [`a ${RUN.trim()} /bin/llc`]);
    assert.equal(told.length, 2);
    assert.deepEqual(await board.updateChecks('x', CancellationToken.None), { kind: 'result', result: 'theirs x' });
    assert.deepEqual(await board.updateChecks('cancel', CancellationToken.None), { kind: 'cancelled' });
    byTools = () => Promise.resolve(null);
    assert.deepEqual(await board.runText('b', 't', CancellationToken.None, null), { kind: 'cancelled' });
    byTools = () => Promise.reject(new Error('no disk'));
    assert.deepEqual(await board.runText('b', 't', CancellationToken.None, null), {
      kind: 'failed',
      message: 'no disk',
    });

    // Doubts are told once for each program.
    const old = { llc: '/bin/old', fileCheck: '' };
    for (const paths of [old, { ...old }, { ...old, fileCheck: 'f' }, LLC]) board.use(paths, warn);
    await settled();
    assert.deepEqual(warnings, ['old', 'old']);
    for (const none of [null, { llc: '', fileCheck: '' }]) {
      board.use(old, warn);
      board.use(none, warn);
      assert.deepEqual(await board.updateChecks('x', CancellationToken.None), { kind: 'result', result: 'ours x' });
    }
    const without = new VerdictBoard(analysis, nobody);
    without.use(old, warn);
    assert.deepEqual(await without.updateChecks('x', CancellationToken.None), { kind: 'result', result: 'ours x' });
  });

  it('compares what a line gives here and there', async () => {
    const compare = async (own: Answer<TestVerdict>, line = 3): Promise<unknown> => {
      const answer = board.compare('a', line, CancellationToken.None, nobody);
      calls.at(-1)?.settle(own);
      return answer;
    };
    const result = (verdict: TestVerdict): Answer<TestVerdict> => ({ kind: 'result', result: verdict });
    assert.deepEqual(await compare(result(PASSED)), {
      kind: 'result',
      result: { ours: null, theirs: null, why: 'amdgpu-mir.llc.path names no llc' },
    });
    assert.deepEqual(await board.compare('closed', 0, CancellationToken.None, nobody), { kind: 'outdated' });
    board.use(LLC, nobody);
    const own = [runOf(1), runOf(3, { output: 'ours' })];
    byTools = () => Promise.resolve(verdictOf([runOf(1), runOf(3, { output: 'theirs' })]));
    const both = { ours: 'ours', theirs: 'theirs', why: '' };
    assert.deepEqual(await compare(result(verdictOf(own))), { kind: 'result', result: both });
    assert.deepEqual(await compare(result(verdictOf(own)), 7), {
      kind: 'result',
      result: { ours: null, theirs: null, why: 'there is no RUN line in line 8' },
    });
    assert.deepEqual(await compare(result(verdictOf(own, 'UNSUPPORTED'))), {
      kind: 'result',
      result: { ...both, why: 'UNSUPPORTED' },
    });
    byTools = () =>
      Promise.resolve(verdictOf([runOf(1), runOf(3, { verdict: 'unsupported', detail: 'cannot be run' })]));
    assert.deepEqual(await compare(result(verdictOf(own))), {
      kind: 'result',
      result: { ours: 'ours', theirs: null, why: 'cannot be run' },
    });
    byTools = () => Promise.resolve(null);
    assert.deepEqual(await compare(result(verdictOf(own))), { kind: 'cancelled' });
    assert.deepEqual(await compare({ kind: 'outdated' }), { kind: 'outdated' });
  });

  it('shows of each line the worst that some run says, in their order, and nothing of a test that is to fail', () => {
    const check = (line: number, state: 'matched' | 'failed' | 'not reached') => ({
      line,
      state,
      at: -1,
      variables: [],
    });
    const runs = [
      runOf(0, { checks: [check(9, 'not reached'), check(4, 'matched'), check(5, 'matched')] }),
      runOf(1, { verdict: 'unsupported', checks: [check(9, 'matched'), check(4, 'failed'), check(5, 'not reached')] }),
    ];
    const titles = [
      { line: 0, verdict: 'passed', title: '3 CHECK lines match' },
      { line: 1, verdict: 'unsupported', title: 'not run here' },
    ];
    assert.deepEqual(verdictStatus('a', 3, verdictOf(runs)), {
      uri: 'a',
      version: 3,
      runs: titles,
      checks: [
        { line: 4, state: 'failed' },
        { line: 5, state: 'matched' },
        { line: 9, state: 'matched' },
      ],
    });
    const failing = { ...verdictOf(runs), isExpectedToFail: true };
    assert.deepEqual(verdictStatus('a', 3, failing), { uri: 'a', version: 3, runs: titles, checks: [] });
  });
});
