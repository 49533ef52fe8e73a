// Answers that misled once: twelve steps, each with a picture in a dark and in a light theme, for a person to look at; what can be asked is asked.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALLER, CHECKED, COLOURS, DUMP, MISTAKES, OLDER, WRITING } from './answerFiles.mjs';
import { ROOT } from './host.mjs';
import {
  SEEN_MS,
  checklist,
  goToLine,
  hoverOver,
  lightBulbItem,
  quickInput,
  runCommand,
  seenInEditors,
} from './walk.mjs';

export const ANSWER_THEMES = ['Default Dark Modern', 'Default Light Modern'];

/** What the walk is to be looked at with. */
export const ANSWERING = {
  'files.autoSave': 'off',
  'testing.automaticallyOpenTestResults': 'neverOpen',
  'terminal.integrated.gpuAcceleration': 'off',
};

/** Themes that VS Code ships, by the words of the list, and Monokai. */
const THEMES = [
  ['Monokai', 'monokai'],
  ['Abyss', 'abyss'],
  ['Dark 2026', 'dark-2026'],
  ['Dark Modern', 'dark-modern'],
  ['Dark+', 'dark-plus'],
  ['Kimbie Dark', 'kimbie'],
  ['Monokai Dimmed', 'monokai-dimmed'],
  ['Red', 'red'],
  ['Solarized Dark', 'solarized-dark'],
  ['Tomorrow Night Blue', 'tomorrow'],
  ['Dark High Contrast', 'hc-dark'],
  ['Light 2026', 'light-2026'],
  ['Light Modern', 'light-modern'],
  ['Light+', 'light-plus'],
  ['Quiet Light', 'quiet'],
  ['Solarized Light', 'solarized-light'],
  ['Light High Contrast', 'hc-light'],
];

const TRITON = `vadd_kernel_${'0123456789abcdef'.repeat(4)}.txt`;

/** The first answer of a host on a machine that does other things, too. */
const LOAD_MS = 90_000;

const SHARED = join(ROOT, '..', 'shared');

const FILES = { dump: DUMP, caller: CALLER, checked: CHECKED, mistakes: MISTAKES, colours: COLOURS, writing: WRITING };

const lineOf = (text, word) => text.split('\n').findIndex((l) => l.includes(word)) + 1;

/** Colours of words: those of the banks differ, those of names are not that of plain text. */
const differ = async (page, theme, banks, names) => {
  const coloursOf = (words) =>
    page.evaluate((wanted) => {
      const spans = [...document.querySelectorAll('.editor-instance .view-line span span')];
      return wanted.map((text) => {
        const is = (span) => span.children.length === 0 && span.textContent.replace(/[\u00a0:]/g, '') === text;
        const found = spans.findLast(is);
        return found ? getComputedStyle(found).color : text;
      });
    }, words);
  let [registers, others, plain] = [[], [], []];
  for (const end = Date.now() + SEEN_MS; Date.now() < end; await page.waitForTimeout(300)) {
    [registers, others, plain] = [await coloursOf(banks), await coloursOf(names), await coloursOf(['---'])];
    const isSeen = [...registers, ...others].every((c) => c.startsWith('rgb'));
    if (isSeen && new Set(registers).size === banks.length && !others.includes(plain[0])) return;
  }
  throw new Error(`${theme}: registers ${registers}, names ${others}, plain ${plain}`);
};
const refuse = (text, pattern) => {
  const found = pattern.exec(text);
  if (found) throw new Error(`${found[0]} is there`);
};

const noErrors = async (page) => {
  for (const kind of ['error', 'warning'])
    if (await page.locator(`.squiggly-${kind}`).count()) throw new Error(`there is a squiggle: ${kind}`);
};

/** What the steps use. */
function toolsOf({ page, open, workspace }, images, shade) {
  const picture = async (name) => {
    await page.waitForTimeout(900);
    await page.screenshot({ path: join(images, `${name}-${shade}.png`) });
  };
  const lenses = () => page.locator('.editor-instance .codelens-decoration').allTextContents();
  const lens = (pattern) => page.locator('.editor-instance .codelens-decoration', { hasText: pattern }).first();
  const status = (pattern) => page.locator('.statusbar-item', { hasText: pattern }).first();
  const load = async (file) => {
    await open({ file });
    await page.locator('.tab.active', { hasText: file }).first().waitFor({ timeout: LOAD_MS });
    await status(/wave(?:32|64).*LLVM/).waitFor({ timeout: LOAD_MS });
    await goToLine(page, 1);
    if (await page.locator('.part.sidebar').isVisible()) await page.keyboard.press('Control+b');
  };
  const chooseProcessor = async (name) => {
    await runCommand(page, 'AMDGPU MIR: Select Target');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'Another processor' })
      .first()
      .click({ timeout: SEEN_MS });
    await page.locator('.quick-input-widget', { hasText: 'Processor, as for -mcpu' }).first().waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
  };
  const own = shade === 'light' ? 'Light Modern' : 'Dark Modern';
  return { own, page, open, workspace, picture, lenses, lens, status, load, chooseProcessor };
}

const STEPS = [
  {
    n: 1,
    what: 'the lens of a dump names nothing that did not run',
    run: async ({ picture, lenses, lens, load, page }) => {
      await load('dump.mir');
      await goToLine(page, lineOf(DUMP, 'name:            scale'));
      await lens(/llc ends with/).waitFor({ timeout: SEEN_MS });
      await picture('01-lens');
      refuse((await lenses()).join('\n'), /the scheduler expected/);
    },
  },
  {
    n: 2,
    what: 'a target that is chosen wins, and what the file says is said',
    run: async ({ picture, lens, status, load, chooseProcessor, page }) => {
      await load('dump.mir');
      await goToLine(page, lineOf(DUMP, 'name:            scale'));
      await lens(/llc ends with/).waitFor({ timeout: SEEN_MS });
      await chooseProcessor('gfx1100');
      await status(/gfx1100 wave32 \(file says gfx942/).waitFor({ timeout: SEEN_MS });
      await lens(/occupancy 16 of 16.*for gfx1100 wave32, file says gfx942/).waitFor({ timeout: SEEN_MS });
      await status(/gfx1100 wave32/).hover();
      await picture('02-chosen');
      await page.mouse.move(300, 14);
      await runCommand(page, 'AMDGPU MIR: Compare Targets');
      await page.locator('.quick-input-widget', { hasText: 'Processors to compare' }).first().waitFor();
      await picture('02-asked');
      await page.keyboard.press('Enter');
      await seenInEditors(page, /gfx942[\s\S]*gfx1201/);
      await picture('02-compared');
      await load('targets.mir');
      await status(/gfx900 wave64/).waitFor({ timeout: SEEN_MS });
      await chooseProcessor('gfx942');
      await status(/gfx942 wave64 \(file says gfx900/).waitFor({ timeout: SEEN_MS });
      await lens(/chosen target: gfx942/).waitFor({ timeout: SEEN_MS });
      await picture('02-run-line');
    },
  },
  {
    n: 3,
    what: 'a baseline that compares nothing is an error',
    run: async ({ picture, load, page, workspace }) => {
      const [terminal, cli] = [page.locator('.xterm-rows').first(), join(ROOT, 'dist', 'server', 'amdgpu-mir.js')];
      const check = `node ${cli} check --allocate`;
      writeFileSync(
        join(workspace, 'baseline.sh'),
        `${check} --json seven_rows.mir > before.json; set -x
${check} --baseline=before.json ./seven_rows.mir | tail -n 1; ${check} --baseline=before.json saxpy.mir | tail -n 1`,
      );
      await load('seven_rows.mir');
      await runCommand(page, 'Terminal: Create New Terminal', 'Create New Terminal');
      await terminal.waitFor({ timeout: SEEN_MS });
      await page.waitForTimeout(2000);
      await page.keyboard.type('bash baseline.sh 2>&1 | sed "s:[^ ]*/dist/server/::g"');
      await page.keyboard.press('Enter');
      await page
        .locator('.xterm-rows', { hasText: /nothing to compare/ })
        .first()
        .waitFor({ timeout: SEEN_MS });
      await picture('03-baseline');
      await runCommand(page, 'View: Toggle Panel Visibility', 'Toggle Panel Visibility');
    },
  },
  {
    n: 4,
    what: 'holes of a function that calls belong to the VGPRs',
    run: async ({ picture, lenses, lens, load, page }) => {
      await load('caller.mir');
      await goToLine(page, lineOf(CALLER, 'name:            caller'));
      await lens(/llc ends with/).waitFor({ timeout: SEEN_MS });
      await runCommand(page, 'AMDGPU MIR: Explain Allocation');
      await seenInEditors(page, /caller-saved not used/);
      await picture('04-holes');
      refuse((await lenses()).join('\n'), /-\d+ used|SGPR[^,|]*hole/);
    },
  },
  {
    n: 5,
    what: 'first fixes',
    run: async ({ picture, lens, load, page }) => {
      await load('mistakes.mir');
      const rows = page.locator('.action-widget .monaco-list-row');
      const shown = async (n, line, word) => {
        await lightBulbItem(page, line, word);
        await picture(`05-fix-${n}`);
        const [first] = (await rows.allTextContents()).filter((t) => t !== 'Quick Fix');
        if (!first.includes(word)) throw new Error(`the first fix is ${first}`);
        await page.keyboard.press('Escape');
      };
      await shown('32', lineOf(MISTAKES, '%1:vgpr_64'), 'vgpr_32');
      await shown('64', lineOf(MISTAKES, '%2:vgpr_64'), 'vreg_64');
      await shown('block', lineOf(MISTAKES, 'S_CBRANCH'), 'bb.4');
      await load('checked.mir');
      await lens(/1 of 3 CHECK lines fails/).waitFor({ timeout: SEEN_MS });
      await shown('check', lineOf(CHECKED, 'CHECK-NEXT'), 'Update this line: 1 for 2');
    },
  },
  {
    n: 6,
    what: 'a loop of one block has its arrow, and its trips are an estimate',
    run: async ({ picture, load, page }) => {
      const view = page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
      await load('dump.mir');
      await goToLine(page, lineOf(DUMP, 'bb.1.loop'));
      await runCommand(page, 'AMDGPU MIR: Show Control Flow', 'Show Control Flow');
      await view.locator('g.block.here', { hasText: 'bb.1.loop' }).waitFor({ timeout: SEEN_MS });
      await picture('06-loop');
      await load('gemm_tile.mir');
      await goToLine(page, 110);
      await runCommand(page, 'AMDGPU MIR: Show Control Flow', 'Show Control Flow');
      await view.locator('g.block.here').first().waitFor({ timeout: SEEN_MS });
      await picture('06-example');
    },
  },
  {
    n: 7,
    what: 'placeholders',
    run: async ({ picture, lenses, lens, load, page }) => {
      await load('writing.mir');
      await goToLine(page, lineOf(WRITING, 'V_ADD_U32_e32'));
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('%m:vgpr_32 = V_MUL_F32_e3', { delay: 30 });
      const list = page.locator('.suggest-widget.visible .monaco-list-row');
      await list.filter({ hasText: 'V_MUL_F32_e32' }).first().click({ timeout: SEEN_MS });
      await page
        .locator('.parameter-hints-widget.visible .parameter.active', { hasText: 'src0' })
        .waitFor({ timeout: SEEN_MS });
      await picture('07-placeholder');
      if (await page.locator('.squiggly-error').count()) throw new Error('something is wrong already');
      refuse((await lenses()).join('\n'), /error|llc rejects/);
      await page.keyboard.press('Tab');
      await picture('07-second');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await picture('07-line');
      await goToLine(page, 5);
      await page.locator('.squiggly-error').first().waitFor({ state: 'attached', timeout: SEEN_MS });
      await lens(/error: line 13/).waitFor({ timeout: SEEN_MS });
      await picture('07-left');
    },
  },
  {
    n: 8,
    what: 'colours in each theme',
    run: async ({ own, picture, load, page }) => {
      await load('colours.mir');
      await goToLine(page, 1);
      const show = async (name) => {
        await page.keyboard.press('Control+k');
        await page.keyboard.press('Control+t');
        const box = page.locator('.quick-input-widget input[placeholder*="Color Theme"]').first();
        await box.waitFor({ timeout: SEEN_MS });
        await page.keyboard.type(name);
        await page.waitForTimeout(600);
        await page.keyboard.press('Enter');
      };
      for (const [name, file] of THEMES) {
        await show(name);
        await differ(page, name, ['%lane', '%ptr', '%acc'], ['bb.1', 'colours', 'S_ENDPGM']);
        await picture(`08-${file}`);
      }
      await show(own);
    },
  },
  {
    n: 9,
    what: 'views and the target chosen survive a reload and a restart of the server',
    run: async ({ page, open, picture, status, chooseProcessor }) => {
      // Not by the address of the page, which would open this file alone again.
      await open();
      await page.locator('.part.statusbar').waitFor({ timeout: LOAD_MS });
      await page.keyboard.press('Control+p');
      await quickInput(page);
      await page.keyboard.type('dump.mir');
      const entry = page.locator('.quick-input-list .monaco-list-row', { hasText: 'dump.mir' });
      await entry.first().click({ timeout: SEEN_MS });
      await status(/wave(?:32|64).*LLVM/).waitFor({ timeout: LOAD_MS });
      const source = page.locator('.tab', { hasText: /^dump\.mir/ }).first();
      const views = ['allocation explained', 'Register Pressure'].map((t) =>
        page.locator('.tab', { hasText: t }).first(),
      );
      await source.dblclick();
      await chooseProcessor('gfx1100');
      await status(/gfx1100 wave32/).waitFor({ timeout: SEEN_MS });
      await goToLine(page, lineOf(DUMP, 'bb.1.loop'));
      await runCommand(page, 'AMDGPU MIR: Explain Allocation');
      await views[0].dblclick({ timeout: SEEN_MS });
      await source.click();
      await runCommand(page, 'AMDGPU MIR: Show Pressure View');
      await views[1].waitFor({ timeout: SEEN_MS });
      await source.click();
      await picture('09-before');
      await Promise.all([
        page.waitForEvent('load', { timeout: LOAD_MS }),
        runCommand(page, 'Developer: Reload Window'),
      ]);
      const areBack = async () => {
        await status(/gfx1100 wave32 \(file says gfx942/).waitFor({ timeout: LOAD_MS });
        for (const view of views) await view.waitFor({ timeout: LOAD_MS });
      };
      await areBack();
      await picture('09-reloaded');
      await runCommand(page, 'AMDGPU MIR: Restart Language Server');
      await page.waitForTimeout(3000);
      await areBack();
      await picture('09-restarted');
      await source.click();
      await runCommand(page, 'AMDGPU MIR: Show Output');
      await page.waitForTimeout(2000);
      await picture('09-output');
      await runCommand(page, 'View: Toggle Panel Visibility', 'Toggle Panel Visibility');
      await source.click();
      await runCommand(page, 'AMDGPU MIR: Show Status');
      await seenInEditors(page, /answers as LLVM/);
      await picture('09-status');
    },
  },
  {
    n: 10,
    what: 'reports',
    run: async ({ picture, lens, load, page }) => {
      await load('spill.mir');
      await lens(/1 spilled/).waitFor({ timeout: SEEN_MS });
      await runCommand(page, 'AMDGPU MIR: Explain Allocation');
      await seenInEditors(page, /where each register is/);
      await picture('10-explained');
      await load('targets.mir');
      await lens(/llc ends with/).waitFor({ timeout: SEEN_MS });
      await runCommand(page, 'AMDGPU MIR: Compare Targets');
      await page.waitForTimeout(3000);
      await picture('10-table');
      await load('spill.mir');
      await lens(/1 spilled/).waitFor({ timeout: SEEN_MS });
      await goToLine(page, 12);
      await runCommand(page, 'AMDGPU MIR: Show Allocated Function');
      await page.waitForTimeout(5000);
      await picture('10-allocated');
      await load('mistakes.mir');
      await page.waitForTimeout(1000);
      await runCommand(page, 'Test: Run All Tests');
      await page.waitForTimeout(3000);
      await runCommand(page, 'Testing: Focus on Test Explorer View');
      await page.waitForTimeout(2000);
      await picture('10-tests');
      await page
        .locator('.test-explorer .monaco-list-row', { hasText: /^mistakes/ })
        .first()
        .click();
      await page.waitForTimeout(2000);
      await picture('10-test-row');
      await runCommand(page, 'Test Results: Focus on Test Results View', 'Test Results: Focus');
      await page.waitForTimeout(2000);
      await picture('10-test-results');
    },
  },
  {
    n: 11,
    what: 'words',
    run: async ({ picture, lens, load, page }) => {
      await load('gemm_tile.mir');
      await lens(/llc ends with/).waitFor({ timeout: SEEN_MS });
      await goToLine(page, 121);
      await hoverOver(page, 'GLOBAL_LOAD_DWORDX4_SADDR', 'flat memory');
      await picture('11-opcode');
      await page.keyboard.press('Escape');
      await page.mouse.move(300, 14);
      await goToLine(page, 22);
      await picture('11-lens');
      await goToLine(page, 121);
      await hoverOver(page, '%b13:vreg', 'VGPR');
      await picture('11-register');
      await page.keyboard.press('Escape');
      await page.mouse.move(300, 14);
      await runCommand(page, 'Show Instruction Details');
      await page.waitForTimeout(2500);
      await picture('11-details');
      await load('gemm_tile.mir');
      await goToLine(page, 121);
      await runCommand(page, 'Why Is the Pressure What It Is Here');
      await page.waitForTimeout(2500);
      await picture('11-why');
      await load('gemm_tile.mir');
      await goToLine(page, 121);
      await runCommand(page, 'AMDGPU MIR: Show Pressure View');
      await page.waitForTimeout(3500);
      await picture('11-pressure');
    },
  },
  {
    n: 12,
    what: 'completion',
    run: async ({ page, picture, load }) => {
      await load('writing.mir');
      const add = lineOf(WRITING, 'V_ADD_U32_e32');
      const typed = async (name, line, text) => {
        await goToLine(page, line);
        await page.keyboard.press('End');
        if (!text.startsWith('<')) await page.keyboard.press('Enter');
        await page.keyboard.type(text.replace(/^</, ''), { delay: 40 });
        await page.waitForTimeout(1200);
        await picture(`12-${name}`);
        const rows = page.locator('.suggest-widget.visible .monaco-list-row .label-name');
        console.log(name, (await rows.allTextContents()).slice(0, 12).join(' | '));
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
      };
      await typed('memory', add, '%m:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %0, %1, 0, 0, implicit $exec ::');
      await goToLine(page, add + 1);
      await page.keyboard.press('End');
      await page.keyboard.press('Backspace');
      await page.keyboard.type(':', { delay: 40 });
      const accepted = page.locator('.suggest-widget.visible .monaco-list-row', {
        hasText: '(load (s32), addrspace 1)',
      });
      await accepted.first().click({ timeout: SEEN_MS });
      await seenInEditors(page, /implicit \$exec :: \(load \(s32\), addrspace 1\)/);
      await page.keyboard.press('Escape');
      await picture('12-operand');
      await typed('opcode', add, '%n:vgpr_32 = V_ADD_F');
      await typed('opcode2', add, 'BUFFER_LOAD_DW');
      await page.keyboard.press('Escape');
      await typed('mcpu', 1, '# RUN: llc -mtriple=amdgcn -mcpu=');
      await typed('mcpu11', 1, '# RUN: llc -mtriple=amdgcn -mcpu=gfx11');
      await load('gemm_tile.mir');
      await goToLine(page, 121);
      await hoverOver(page, 'VGPR 67', /./);
      await picture('12-inlay');
    },
  },
  {
    n: 13,
    what: 'a test of LLVM main is one of LLVM 24',
    isShared: true,
    run: async ({ page, picture, lens, status, load }) => {
      await load('main.mir');
      await status(/gfx906 wave64, LLVM 24/).waitFor({ timeout: SEEN_MS });
      await lens(/✓ \d+ CHECK lines match/).waitFor({ timeout: LOAD_MS });
      await picture('13-main');
      await status(/LLVM 24/).hover();
      await picture('13-main-status');
      await page.mouse.move(300, 14);
      await noErrors(page);
    },
  },
  {
    n: 14,
    what: 'a dump of Triton is MIR of LLVM 24, its graph, too',
    isShared: true,
    run: async ({ page, workspace, picture, lens, status, load }) => {
      const dump = readFileSync(join(workspace, TRITON), 'utf8');
      await load(TRITON);
      await status(/gfx942 wave64, LLVM 24/).waitFor({ timeout: SEEN_MS });
      await status(/LLVM 24/).hover();
      await picture('14-triton-status');
      await page.mouse.move(300, 14);
      await goToLine(page, lineOf(dump, 'name:'));
      await lens(/occupancy/).waitFor({ timeout: LOAD_MS });
      await picture('14-triton-lens');
      await goToLine(page, lineOf(dump, '  bb.0') + 20);
      await picture('14-triton-body');
      await goToLine(page, lineOf(dump, 'SCHEDULING DAG'));
      await hoverOver(page, 'SCHEDULING DAG', /./);
      await picture('14-triton-graph');
      await noErrors(page);
    },
  },
  {
    n: 15,
    what: 'an older file is one of LLVM 22',
    run: async ({ page, picture, lens, status, load }) => {
      await load('older.mir');
      await status(/gfx90a wave64, LLVM 22/).waitFor({ timeout: SEEN_MS });
      await lens(/✓ 4 CHECK lines match/).waitFor({ timeout: LOAD_MS });
      await status(/LLVM 22/).hover();
      await picture('15-older');
      await page.mouse.move(300, 14);
      await hoverOver(page, 'noSignedZerosFPMath', /./);
      await picture('15-older-hover');
      await noErrors(page);
    },
  },
];

/** The files of the steps; false: those of ../shared are not here. */
function writeFiles(workspace) {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(workspace, `${name}.mir`), text);
  writeFileSync(join(workspace, 'older.mir'), OLDER);
  const main = join(SHARED, 'corpus', 'upstream', 'schedule-ilp.mir');
  const dumped = join(SHARED, 'corpus24', 'triton-dumps', 'vadd1024.gfx942.txt.xz');
  const isShared = existsSync(main) && existsSync(dumped);
  if (isShared) {
    copyFileSync(main, join(workspace, 'main.mir'));
    writeFileSync(join(workspace, TRITON), execFileSync('xz', ['-dc', dumped]));
  }
  return isShared;
}

/** `only`: the number of one step. @returns list of [what, seen] */
export async function walkAnswers(host, theme, only) {
  const images = join(ROOT, 'out', 'answers');
  mkdirSync(images, { recursive: true });
  const shade = /light/i.test(theme) ? 'light' : 'dark';
  const { checks, check } = checklist(host.page, images, shade);
  const tools = toolsOf(host, images, shade);
  const hasShared = writeFiles(host.workspace);
  for (const { n, what, isShared, run } of STEPS)
    if ((!only || only === n) && (!isShared || hasShared)) await check(`${n}. ${what}`, () => run(tools));
  return checks;
}
