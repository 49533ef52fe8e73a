/** Threads of Node as workers: messages go both ways, and the end is told once, with its reason. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToWorker } from '../../../server/src/lsp/common/messages.js';
import { createNodeWorker, parentWorkerPort } from '../../../server/src/lsp/node/nodeWorker.js';

const CLOSE: ToWorker = { kind: 'close', uri: 'a' };

describe('a thread as worker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-thread-'));
  after(() => rmSync(folder, { recursive: true }));
  const workerOf = (script: string): ReturnType<typeof createNodeWorker> => {
    const path = join(folder, 'worker.js');
    writeFileSync(path, `const { parentPort } = require('node:worker_threads');\n${script}`);
    return createNodeWorker(path);
  };

  it('hears and answers', async () => {
    const worker = workerOf(
      "parentPort.on('message', (m) => parentPort.postMessage({ kind: 'undiagnosed', uri: m.uri, message: m.kind }));",
    );
    const answer = new Promise((done) => worker.onMessage(done));
    worker.post(CLOSE);
    assert.deepEqual(await answer, { kind: 'undiagnosed', uri: 'a', message: 'close' });
    worker.terminate();
  });

  for (const [script, reason] of [
    ["parentPort.once('message', () => process.exit(3));", /^exit code 3$/],
    ["parentPort.once('message', () => { throw new Error('a bug'); });", /^Error: a bug\n +at .*worker\.js/],
    ["parentPort.once('message', () => { throw 'no error'; });", /^no error$/],
  ] as const)
    it(`tells its end once: ${reason.source}`, async () => {
      const worker = workerOf(script);
      const ends: string[] = [];
      const ended = new Promise<void>((done) =>
        worker.onEnd((why) => {
          ends.push(why);
          done();
        }),
      );
      worker.post(CLOSE);
      await ended;
      // The error of a thread is followed by its exit.
      await new Promise((done) => setTimeout(done, 100));
      assert.equal(ends.length, 1);
      assert.match(ends[0]!, reason);
    });

  it('says nothing of an end that was asked for', async () => {
    const worker = workerOf("parentPort.on('message', () => parentPort.postMessage({ kind: 'alive' }));");
    const ends: string[] = [];
    worker.onEnd((why) => ends.push(why));
    const answer = new Promise((done) => worker.onMessage(done));
    worker.post(CLOSE);
    await answer;
    worker.terminate();
    await new Promise((done) => setTimeout(done, 100));
    assert.deepEqual(ends, []);
  });

  it('has no parent in the main thread', () => {
    assert.throws(() => parentWorkerPort(), /not in a worker thread/);
  });
});
