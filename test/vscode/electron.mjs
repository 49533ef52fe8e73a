#!/usr/bin/env node
// The same suite in the desktop VS Code, through @vscode/test-electron, for machines that may download VS Code (and have a
// display or xvfb-run). Exit 0 with a message where it cannot be had.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { ROOT } from './host.mjs';
import { buildSuite } from './suite.mjs';

const folder = join(ROOT, '.vscode-test', 'electron');
const DOWNLOAD_LIMIT_MS = 60_000;
const skip = (why) => {
  console.log(`skipped: desktop VS Code (${why})`);
  console.log('0 passed, 0 failed');
  process.exit(0);
};

let executable;
try {
  executable = await downloadAndUnzipVSCode({ version: 'stable', cachePath: folder, timeout: DOWNLOAD_LIMIT_MS });
} catch (error) {
  skip(`it cannot be downloaded: ${String(error.message ?? error).split('\n')[0]}`);
}
if (process.platform === 'linux' && !process.env.DISPLAY) skip('no display; try xvfb-run');
execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
const code = await runTests({
  vscodeExecutablePath: executable,
  extensionDevelopmentPath: ROOT,
  extensionTestsPath: await buildSuite(),
  launchArgs: [join(ROOT, 'examples'), '--disable-extensions', '--disable-workspace-trust', '--no-sandbox'],
});
process.exit(code);
