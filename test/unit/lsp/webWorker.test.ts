/** Workers of a browser: one that does not load is told of, and never ends the scripts that made it. */
import assert from 'node:assert/strict';
import { createWebWorker } from '../../../server/src/lsp/web/webWorker.js';

interface FakeWorker {
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null;
}

describe('a worker of a browser', () => {
  const globals = globalThis as { Worker?: unknown };
  const usual = globals.Worker;
  let made: FakeWorker | null = null;

  before(() => {
    globals.Worker = class implements FakeWorker {
      onerror: FakeWorker['onerror'] = null;
      constructor() {
        // eslint-disable-next-line @typescript-eslint/no-this-alias
        made = this;
      }
      terminate(): void {}
    };
  });
  after(() => (globals.Worker = usual));

  for (const isEnded of [false, true])
    it(`keeps an error to itself ${isEnded ? 'that comes when it was ended' : 'and tells its end'}`, () => {
      const worker = createWebWorker('https://example.org/worker.js');
      const ends: string[] = [];
      worker.onEnd((reason) => ends.push(reason));
      if (isEnded) worker.terminate();
      let isPrevented = false;
      made?.onerror?.({ message: 'does not load', preventDefault: () => (isPrevented = true) });
      assert.ok(isPrevented);
      assert.deepEqual(ends, isEnded ? [] : ['does not load']);
    });
});
