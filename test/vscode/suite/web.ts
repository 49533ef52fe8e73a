/**
 * The suite of the extension host for one in a web worker: mocha's bundle for browsers. The console goes to the
 * driver (webHost.mjs).
 */
import type Mocha from 'mocha';

// The driver puts mocha's bundle before this one.
const { mocha } = globalThis as unknown as {
  mocha: { setup(options: object): void; run(done: (failures: number) => void): Mocha.Runner };
};
mocha.setup({ ui: 'bdd', reporter: class {}, timeout: 30_000 });
// eslint-disable-next-line @typescript-eslint/no-require-imports -- it looks for mocha's functions, which are there now
require('./extension.test.js');

export function run(): Promise<void> {
  let passes = 0;
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      console.log('[result]', JSON.stringify({ passes, failures }));
      if (failures > 0) reject(new Error(`${failures} failed`));
      else resolve();
    });
    runner.on('pass', (test) => {
      passes++;
      console.log('[test]', `  ok      web: ${test.fullTitle()} (${test.duration} ms)`);
    });
    runner.on('fail', (test, error: Error) => {
      console.log('[test]', `  not ok  web: ${test.fullTitle()}\n${error.stack ?? error.message}`);
    });
  });
}
