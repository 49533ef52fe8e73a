/** Entry of the suites in the extension host: `run()` is what VS Code calls. The result also goes to a file, see host.mjs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';

export async function run(): Promise<void> {
  // `AMDGPU_MIR_TEST_GREP=passes`: those alone whose titles have the word.
  const grep = process.env.AMDGPU_MIR_TEST_GREP ?? '';
  const mocha = new Mocha({ timeout: 30_000, reporter: class {} as never, ...(grep === '' ? {} : { grep }) });
  mocha.addFile(join(__dirname, 'extension.test.js'));
  let passes = 0;
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => {
      passes++;
      console.log('[test]', `  ok      ${test.fullTitle()} (${test.duration} ms)`);
    });
    runner.on('fail', (test, error: Error) => {
      console.log('[test]', `  not ok  ${test.fullTitle()}\n${error.stack ?? error.message}`);
    });
  });
  const result = process.env.AMDGPU_MIR_TEST_RESULT;
  if (result) writeFileSync(result, JSON.stringify({ passes, failures }));
  if (failures > 0) throw new Error(`${failures} failed`);
}
