/** Work that comes late, told by hand: what ends it, what it makes way for, what becomes of what it has found. */
import assert from 'node:assert/strict';
import { CancellationToken, CancellationTokenSource } from 'vscode-languageserver/node';
import { LateWork, type LateKind } from '../../../server/src/lsp/common/lateWork.js';
import type { Answer } from '../../../server/src/lsp/common/workerSession.js';

interface Call {
  readonly token: CancellationToken;
  settle(answer: Answer<string>): void;
}

describe('late work', () => {
  let versions: Map<string, number>;
  let calls: Call[];
  let told: string[];
  let late: LateWork;
  const find = (token: CancellationToken): Promise<Answer<string>> =>
    new Promise((settle) => calls.push({ token, settle }));
  const kind = (name: string, pauseMs = 0): LateKind<string> => ({
    name,
    pauseMs,
    find: (_, token) => find(token),
    found: (uri, version, result) => told.push(`${name} ${uri} ${version} ${result}`),
  });
  const [A, B] = [kind('a'), kind('b')];
  const settled = (): Promise<void> => new Promise((done) => setImmediate(done));
  const isEnded = (k: number): boolean => calls[k]!.token.isCancellationRequested;
  const settle = async (k: number, answer: Answer<string>): Promise<void> => {
    calls[k]!.settle(answer);
    await settled();
  };
  const result = (text: string): Answer<string> => ({ kind: 'result', result: text });

  beforeEach(() => {
    versions = new Map([
      ['x', 1],
      ['y', 1],
    ]);
    calls = [];
    told = [];
    late = new LateWork((uri) => versions.get(uri));
  });
  afterEach(() => late.dispose());

  it('is one for each kind and document, the last one', async () => {
    for (const [one, uri] of [
      [A, 'x'],
      [B, 'x'],
      [A, 'y'],
      [A, 'x'],
      [A, 'closed'],
    ] as const)
      late.later(one, uri);
    assert.deepEqual([0, 1, 2, 3].map(isEnded), [true, false, false, false]);
    assert.equal(calls.length, 4);
    for (const k of [0, 1, 2, 3]) await settle(k, result(String(k)));
    assert.deepEqual(told, ['b x 1 1', 'a y 1 2', 'a x 1 3']);
  });

  it('is told of the version that is still there', async () => {
    late.later(A, 'x');
    assert.ok(late.isAt(A, 'x') && !late.isAt(B, 'x') && !late.isAt(A, 'y'));
    versions.set('x', 2);
    assert.ok(!late.isAt(A, 'x'));
    await settle(0, result('old'));
    assert.deepEqual(told, []);
  });

  it('ends with the text, in the pause, too', async () => {
    late.later(A, 'x');
    late.later(kind('c', 20), 'x');
    late.later(A, 'y');
    assert.ok(late.isAt(kind('c'), 'x'));
    late.outdated('x');
    assert.deepEqual([isEnded(0), isEnded(1)], [true, false]);
    await settle(0, { kind: 'cancelled' });
    await new Promise((done) => setTimeout(done, 60));
    assert.equal(calls.length, 2);
    late.dispose();
    assert.ok(isEnded(1));
  });

  it('makes way and comes back, unless somebody asked for it', async () => {
    late.later(A, 'x');
    const source = new CancellationTokenSource();
    const asked = late.now(A, 'y', source.token, find);
    late.makeWay();
    assert.deepEqual([isEnded(0), isEnded(1)], [true, false]);
    await settle(0, { kind: 'cancelled' });
    assert.ok(late.isAt(A, 'x'));
    source.cancel();
    assert.ok(isEnded(1));
    await settle(1, { kind: 'cancelled' });
    assert.deepEqual(await asked, { kind: 'cancelled' });
    assert.ok(!late.isAt(A, 'y'));
    while (calls.length < 3) await new Promise((done) => setTimeout(done, 20));
    await settle(2, { kind: 'cancelled' });
    assert.ok(!late.isAt(A, 'x'), 'it made way for nobody');
  });

  it('answers who asks as the others are told, and says when that is old', async () => {
    const asked = late.now(A, 'x', CancellationToken.None, find);
    await settle(0, result('1'));
    assert.deepEqual(await asked, result('1'));
    assert.deepEqual(told, ['a x 1 1']);
    const old = late.now(A, 'x', CancellationToken.None, find);
    late.later(A, 'x');
    await settle(1, result('2'));
    assert.deepEqual(await old, { kind: 'outdated' });
    assert.deepEqual(await late.now(A, 'closed', CancellationToken.None, find), { kind: 'outdated' });
    const failed = late.now(A, 'x', CancellationToken.None, find);
    await settle(3, { kind: 'failed', message: 'why' });
    assert.deepEqual(await failed, { kind: 'failed', message: 'why' });
    assert.equal(told.length, 1);
  });
});
