#!/usr/bin/env node
// The same suite in the desktop VS Code, through @vscode/test-electron, for machines that may download VS Code (and have a
// display or xvfb-run). Not a dependency of the project: it is installed into .vscode-test/electron when this is run.
// Exit 0 with a message where it cannot be had.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './host.mjs';
import { buildSuite } from './suite.mjs';

const folder = join(ROOT, '.vscode-test', 'electron');
const skip = (why) => {
  console.log(`skipped: desktop VS Code (${why})`);
  console.log('0 passed, 0 failed');
  process.exit(0);
};

if (process.platform === 'linux' && !process.env.DISPLAY) skip('no display; try xvfb-run');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), '{ "name": "amdgpu-mir-electron-host", "private": true }\n');
const require = createRequire(join(folder, 'package.json'));
let electron;
try {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '@vscode/test-electron@2'], {
    cwd: folder,
  });
  electron = require('@vscode/test-electron');
} catch {
  skip('@vscode/test-electron cannot be installed');
}
let executable;
try {
  executable = await electron.downloadAndUnzipVSCode({ version: 'stable', cachePath: folder, timeout: 60_000 });
} catch (error) {
  skip(`it cannot be downloaded: ${String(error.message ?? error).split('\n')[0]}`);
}
execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
const code = await electron.runTests({
  vscodeExecutablePath: executable,
  extensionDevelopmentPath: ROOT,
  extensionTestsPath: await buildSuite(),
  launchArgs: [join(ROOT, 'examples'), '--disable-extensions', '--disable-workspace-trust', '--no-sandbox'],
});
process.exit(code);
