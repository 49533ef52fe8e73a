/** Diagnostics that clients pull: who waits for what, when it is the same again, and who is told that it is not. */
import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode-languageserver-types';
import { DiagnosticsBoard, type PullAnswer } from '../../../server/src/lsp/common/diagnosticsBoard.js';

const A = 'file:///a.mir';
const B = 'file:///b.mir';

const diagnostic = (message: string, line = 0): Diagnostic => ({
  message,
  range: { start: { line, character: 0 }, end: { line, character: 1 } },
});

/** A request, what it was answered so far, and its cancellation. */
function pull(board: DiagnosticsBoard, uri: string, version: number, previous?: string) {
  let cancel = (): void => assert.fail('nobody listens');
  const asked = { answer: null as PullAnswer | null, isListening: false, cancel: () => cancel() };
  const wait = board.pull(uri, version, previous, (listener) => {
    cancel = listener;
    asked.isListening = true;
    return { dispose: () => (asked.isListening = false) };
  });
  void wait.then((answer) => (asked.answer = answer));
  return asked;
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

function fresh(): { board: DiagnosticsBoard; outdated: () => number } {
  let count = 0;
  const board = new DiagnosticsBoard(() => count++);
  return { board, outdated: () => count };
}

const idOf = (answer: PullAnswer | null): string => {
  assert.equal(answer?.kind, 'report');
  return answer.kind === 'report' ? answer.report.resultId : '';
};

describe('diagnostics that are asked for', () => {
  it('are there at once for the present version, and waited for otherwise', async () => {
    const { board } = fresh();
    const items = [diagnostic('x')];
    const early = pull(board, A, 1);
    const other = pull(board, B, 1);
    await settled();
    assert.equal(early.answer, null);
    assert.equal(early.isListening, true);
    board.publish(A, 1, items);
    await settled();
    assert.deepEqual(early.answer, { kind: 'report', report: { kind: 'full', resultId: idOf(early.answer), items } });
    assert.equal(early.isListening, false);
    assert.equal(other.answer, null);
    const late = pull(board, A, 1);
    await settled();
    assert.deepEqual(late.answer, early.answer);
    assert.equal(late.isListening, false);
    const next = pull(board, A, 2);
    await settled();
    assert.equal(next.answer, null);
  });

  it('are unchanged when they are equal, whatever the version', async () => {
    const { board } = fresh();
    board.publish(A, 1, [diagnostic('x', 1), diagnostic('y')]);
    const first = pull(board, A, 1);
    await settled();
    const id = idOf(first.answer);
    const same = pull(board, A, 2, id);
    board.publish(A, 2, [diagnostic('x', 1), diagnostic('y')]);
    await settled();
    assert.deepEqual(same.answer, { kind: 'report', report: { kind: 'unchanged', resultId: id } });
    for (const items of [
      [diagnostic('x', 1)],
      [diagnostic('x', 2), diagnostic('y')],
      [diagnostic('x', 1), diagnostic('z')],
      [diagnostic('x', 1), { ...diagnostic('y'), code: 'c' }],
      [diagnostic('x', 1), diagnostic('y'), diagnostic('y')],
      [],
    ]) {
      const before = idOf(same.answer);
      board.publish(A, 3, items);
      const changed = pull(board, A, 3, before);
      await settled();
      assert.notEqual(idOf(changed.answer), before);
      assert.deepEqual(changed.answer?.kind === 'report' && changed.answer.report, {
        kind: 'full',
        resultId: idOf(changed.answer),
        items,
      });
    }
  });

  it('tell who has them that they are outdated, when the text is the same', async () => {
    const { board, outdated } = fresh();
    board.publish(A, 1, [diagnostic('x')]);
    board.publish(A, 1, [diagnostic('y')]);
    assert.equal(outdated(), 0, 'nobody has asked');
    pull(board, A, 1);
    await settled();
    board.publish(A, 1, [diagnostic('y')]);
    assert.equal(outdated(), 0, 'the same');
    board.publish(A, 2, [diagnostic('z')]);
    assert.equal(outdated(), 0, 'another text');
    pull(board, A, 2);
    await settled();
    board.publish(A, 2, [diagnostic('w')]);
    assert.equal(outdated(), 1);
  });

  it('are cancelled, empty when the document is closed, and failed for one document or all', async () => {
    const { board } = fresh();
    const cancelled = pull(board, A, 1);
    cancelled.cancel();
    const closed = pull(board, A, 1);
    const other = pull(board, B, 1);
    board.close(A);
    await settled();
    assert.deepEqual(cancelled.answer, { kind: 'cancelled' });
    assert.deepEqual(closed.answer, { kind: 'report', report: { kind: 'full', resultId: '0', items: [] } });
    assert.equal(other.answer, null);
    const again = pull(board, A, 1);
    board.fail(A, 'broken');
    await settled();
    assert.deepEqual(again.answer, { kind: 'failed', message: 'broken' });
    assert.equal(other.answer, null);
    const last = pull(board, A, 2);
    board.fail(null, 'all');
    await settled();
    assert.deepEqual(
      [last.answer, other.answer],
      [
        { kind: 'failed', message: 'all' },
        { kind: 'failed', message: 'all' },
      ],
    );
    // What was closed is asked for anew.
    board.publish(A, 1, []);
    board.close(A);
    const reopened = pull(board, A, 1);
    await settled();
    assert.equal(reopened.answer, null);
  });
});
