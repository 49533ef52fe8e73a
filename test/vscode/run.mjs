#!/usr/bin/env node
// Runs the extension as it ships (the .vsix) in a real VS Code: the mocha suite in the extension host, then a walk with the
// mouse that looks at the page and takes screenshots. `--update-images` puts those into docs/images, with `--light` those of a light
// theme into docs/images/light, which the site shows in its light mode.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, isInstalled, runInExtensionHost, withVSCode } from './host.mjs';
import { buildSuite } from './suite.mjs';
import { isWebInstalled, runInWebHost } from './webHost.mjs';
import { walk, walkLong, walkPlaces, walkSchedule } from './walk.mjs';
import { walkEditing } from './walkEditing.mjs';
import { REPAIRING, walkRepairing } from './walkRepairing.mjs';
import { walkWriting } from './walkWriting.mjs';
import { walkAllocation } from './walkAllocation.mjs';
import { ANSWERING, ANSWER_THEMES, walkAnswers } from './walkAnswers.mjs';
import { walkChecks } from './walkChecks.mjs';
import { walkDoors } from './walkDoors.mjs';
import { walkLanes } from './walkLanes.mjs';
import { walkExtension } from './walkExtension.mjs';
import { walkRemat } from './walkRemat.mjs';
import { walkPressure } from './walkPressure.mjs';
import { THEMES, walkThemes } from './walkThemes.mjs';
import { walkTuner } from './walkTuner.mjs';

const vsix = join(ROOT, 'amdgpu-mir.vsix');
const workspace = join(ROOT, 'examples');
const isLight = process.argv.includes('--light');
const images = process.argv.includes('--update-images')
  ? join(ROOT, 'docs', 'images', ...(isLight ? ['light'] : []))
  : join(ROOT, '.vscode-test', 'screenshots');

if (!isInstalled()) {
  console.log('skipped: no VS Code host here (test/vscode/setup.sh installs one)');
  console.log('0 passed, 0 failed');
  process.exit(0);
}

// What is tested is what ships; a package that is there already may be stale.
if (!process.argv.includes('--keep-vsix') || !existsSync(vsix))
  execFileSync('npm', ['run', '--silent', 'package'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
mkdirSync(images, { recursive: true });

// `--only=host`, `--only=web`, `--only=walk`, `--only=walkPressure`...: just these, for one who looks for something.
const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);

let passed = 0;
let failed = 0;

const LOGS = join(ROOT, '.vscode-test', 'logs');

/** Lines of a request in what the last host's extension wrote down. */
const tracedMessages = () =>
  readdirSync(LOGS, { recursive: true })
    .filter((name) => name.endsWith('AMDGPU MIR.log'))
    .reduce(
      (sum, name) => sum + readFileSync(join(LOGS, name), 'utf8').split("Sending request 'textDocument/").length - 1,
      0,
    );

/**
 * Walks over a page in a new host. A page is driven from outside, and now and then it swallows a click or a key; where a step has failed the
 * whole walk is done once more in another host, and said so: only what fails twice is a failure.
 */
async function onPage(settings, look, name) {
  const size = { width: 1320, height: 800 };
  const run = async () => {
    try {
      const checks = await withVSCode({ workspace, vsix, settings, size }, look);
      if (name !== 'walkEditing') return checks;
      return [...checks, ['amdgpu-mir.trace.server writes the messages down', tracedMessages() > 0]];
    } catch (error) {
      return [['the walk ended', false, error.stack]];
    }
  };
  let checks = await run();
  const tell = (verdict, [what, , why]) => console.log(`  ${verdict} page: ${what}${why ? `: ${why}` : ''}`);
  if (checks.some(([, ok]) => !ok)) {
    for (const check of checks) if (!check[1]) tell('again: ', check);
    // The next host writes over them.
    if (existsSync(LOGS)) cpSync(LOGS, `${LOGS}-${name}`, { recursive: true });
    const passedBefore = new Set(checks.filter(([, ok]) => ok).map(([what]) => what));
    checks = (await run()).map((check) =>
      check[1] || !passedBefore.has(check[0]) ? check : [check[0], true, check[2]],
    );
  }
  for (const check of checks) tell(check[1] ? 'ok     ' : 'not ok ', check);
  const good = checks.filter(([, ok]) => ok).length;
  passed += good;
  failed += checks.length - good;
}

/** A suite of the extension's API. As with the pages, one that fails is run once more, and said so. */
async function inHost(name, run) {
  const result = async () => {
    try {
      const { passes, failures } = await run();
      return { passes, failures: failures + (passes === 0 ? 1 : 0) };
    } catch (error) {
      console.log(`  ${name}: ${error.stack}`);
      return { passes: 0, failures: 1 };
    }
  };
  let found = await result();
  if (found.failures > 0) {
    console.log(`  again:  ${name}: ${found.failures} failed`);
    found = await result();
  }
  passed += found.passes;
  failed += found.failures;
}

if (!only || only === 'host')
  await inHost('extension host', async () => runInExtensionHost({ tests: await buildSuite(), vsix, workspace }));
// In a browser, without Node: the same suite.
if (!only || only === 'web') {
  if (!isWebInstalled()) console.log('  skipped: VS Code for the Web (test/vscode/setup.sh installs it)');
  else {
    const screenshot = join(ROOT, '.vscode-test', 'screenshots', 'web.png');
    await inHost('web', () => runInWebHost({ extension: join(ROOT, 'dist', 'vsix'), workspace, screenshot }));
  }
}
try {
  const settings = {
    'workbench.colorTheme': isLight ? 'Default Light Modern' : 'Default Dark Modern',
    'breadcrumbs.enabled': false,
    'editor.fontSize': 13,
    'diffEditor.hideUnchangedRegions.enabled': true,
    // Kept with VS Code's logs where a step fails.
    'amdgpu-mir.trace.server': 'messages',
  };
  const looks = [
    [walk, settings],
    [walkPressure, { ...settings, 'amdgpu-mir.diagnostics.pressure': true }],
    [walkPlaces, { ...settings, 'amdgpu-mir.codeLens.blocks': true, 'amdgpu-mir.gutter.heat': 'vgpr' }],
    [walkSchedule, { ...settings, 'amdgpu-mir.codeLens.regions': true }],
    [walkLong, settings],
    [walkRemat, settings],
    [walkEditing, settings],
    [walkWriting, settings],
    [walkRepairing, { ...settings, ...REPAIRING }],
    [walkAllocation, settings],
    [walkTuner, settings],
    [walkLanes, settings],
    [walkDoors, { ...settings, 'amdgpu-mir.target.cpu': 'gfx942', 'amdgpu-mir.tools.arguments': ['-g'] }],
    // VS Code in a browser saves by itself.
    [walkChecks, { ...settings, 'files.autoSave': 'off', 'testing.automaticallyOpenTestResults': 'neverOpen' }],
    [walkExtension, settings],
  ];
  // For people to look at; README shows the dark theme only.
  const ofThemes = join(ROOT, '.vscode-test', 'screenshots');
  mkdirSync(ofThemes, { recursive: true });
  for (const [look, chosen] of looks.filter(([look]) => !only || look.name === only))
    await onPage(chosen, (host) => look(host, images), look.name);
  // The other walks have the dark one; all of them with `--only=walkThemes`, or AMDGPU_MIR_ALL=1.
  const themes = only === 'walkThemes' || process.env.AMDGPU_MIR_ALL === '1' ? THEMES : ['Default Light Modern'];
  for (const theme of only && only !== 'walkThemes' ? [] : themes)
    await onPage(
      { ...settings, 'workbench.colorTheme': theme },
      (host) => walkThemes(host, ofThemes, theme),
      'walkThemes',
    );
  // `--step=5`: this one alone.
  const chosen = process.argv.find((arg) => arg.startsWith('--step='))?.slice('--step='.length);
  // For a look at every answer in both themes; it takes too long to go with the rest.
  for (const theme of only === 'walkAnswers' ? ANSWER_THEMES : [])
    await onPage(
      { ...settings, ...ANSWERING, 'workbench.colorTheme': theme },
      (host) => walkAnswers(host, theme, chosen && Number(chosen)),
      'walkAnswers',
    );
} catch (error) {
  console.log(`  not ok  page: ${error.stack}`);
  failed++;
}
if (process.argv.includes('--update-images')) {
  const pictures = readdirSync(images).filter((name) => name.endsWith('.png') && !name.startsWith('failed'));
  execFileSync('node', [join(ROOT, 'test/vscode/palette.mjs'), ...pictures.map((name) => join(images, name))]);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
