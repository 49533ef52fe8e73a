// Lanes as a user sees them: why a register is divergent, where EXEC is narrowed, the divergent branch in the picture of the control flow, a wave gained by a move to the SALU, copies to scalar registers, values that leave SGPRs, whole waves, banks.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** @returns list of [what, seen] */
export async function walkLanes({ page, open, workspace }, images) {
  const { checks, check, picture } = checklist(page, images, 'lanes');
  const lens = (pattern) => page.locator('.editor-instance .codelens-decoration', { hasText: pattern }).first();
  for (const file of ['blend.mir', 'copies.mir', 'spilling.mir', 'wholeWave.mir', 'banks.mir'])
    copyFileSync(join(ROOT, 'test', 'fixtures', 'lanes', file), join(workspace, file));

  /** Without loading the page again. */
  const openFile = async (file) => {
    for (let k = 0; k < 3; k++) await page.keyboard.press('Escape');
    await page.mouse.move(10, 700);
    await page.keyboard.press('Control+p');
    await quickInput(page);
    await page.keyboard.type(file);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: file }).first().click({ timeout: SEEN_MS });
    await page.locator('.tab.active', { hasText: file }).first().waitFor({ timeout: SEEN_MS });
  };

  await open({ file: 'blend.mir' });
  await lens(/occupancy 9/).waitFor({ timeout: 60_000 });
  if (await page.locator('.part.sidebar').isVisible()) await page.keyboard.press('Control+b');
  await goToLine(page, 9);
  await check('lines that run with fewer lanes have an edge', async () => {
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll('.view-overlays .cdr')].filter(
          (e) => getComputedStyle(e).borderLeftWidth === '2px',
        ).length > 5,
      undefined,
      { timeout: SEEN_MS },
    );
  });
  await check('the hover says why a register is divergent', async () => {
    await hoverOver(page, '%r2', /divergent: it comes from DS_READ_B32_gfx9/, async (hover) => {
      await hover.getByText('work-item').waitFor({ timeout: 1000 });
      await page.screenshot({ path: join(images, 'lanes-hover.png'), clip: { x: 0, y: 0, width: 1320, height: 700 } });
    });
  });
  await check('its link opens the whole report, with what could be broken', async () => {
    await hoverOver(page, '%r2', /divergent: it comes from/, async (hover) => {
      await hover.getByText('why', { exact: true }).first().click({ timeout: 2000 });
    });
    await seenInEditors(page, /where it could be broken/);
  });
  await picture('lanes-why', 640);
  await page.keyboard.press('Control+w');
  /** The keyboard goes to the source again. */
  const focus = async () => {
    await page.locator('.tab', { hasText: 'blend.mir' }).first().click({ timeout: SEEN_MS });
    await page.locator('.view-line', { hasText: 'tracksRegLiveness' }).first().click({ timeout: SEEN_MS });
  };

  await check('the preview of a move to the SALU shows its lines', async () => {
    await focus();
    const item = await lightBulbItem(page, 3, 'to the SALU');
    await page.screenshot({
      path: join(images, 'lanes-scalarize.png'),
      clip: { x: 0, y: 0, width: 1320, height: 640 },
    });
    // The entry under the mouse is the one that the keys mean.
    await item.hover({ timeout: SEEN_MS });
    await page.keyboard.press('Control+Enter');
    const row = page.locator('.bulk-edit-panel .monaco-list-row', { hasText: 'S_ADD_I32' }).first();
    await row.waitFor({ timeout: SEEN_MS });
  });
  await picture('lanes-preview', 800);
  await check('the move gains a wave', async () => {
    await page.getByRole('button', { name: 'Apply' }).first().click({ timeout: SEEN_MS });
    await lens(/occupancy 10/).waitFor({ timeout: SEEN_MS });
    await seenInEditors(page, /%scale:sreg_32 = S_ADD_I32 %step, 16/);
  });
  await picture('lanes-scalarized', 640);

  await check('the picture of the control flow marks the divergent branch', async () => {
    await focus();
    await goToLine(page, 12);
    await runCommand(page, 'AMDGPU MIR: Show Control Flow', 'Show Control Flow');
    const view = page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
    await view.locator('g.block.divergent', { hasText: 'bb.0' }).waitFor({ timeout: SEEN_MS });
  });
  await picture('lanes-control-flow', 700);

  await open({ file: 'copies.mir' });
  await check('a copy of a divergent value to a scalar register is marked, and its fix says what it does', async () => {
    await page.locator('.squiggly-warning').first().waitFor({ timeout: SEEN_MS });
    const item = await lightBulbItem(page, 15, /Move what reads this copy.*SGPR -1, occupancy stays/);
    await page.screenshot({ path: join(images, 'lanes-copies.png'), clip: { x: 0, y: 0, width: 1320, height: 640 } });
    await item.click({ timeout: SEEN_MS });
    await seenInEditors(page, /vgpr_32 = V_ADD_U32_e64 %id, %n/);
  });

  await openFile('spilling.mir');
  await check('where SGPRs spill values move to the VALU', async () => {
    const item = await lightBulbItem(page, 6, /to the VALU: SGPRs too many \d+ to \d+, VGPR \+\d+, occupancy stays/);
    await page.screenshot({ path: join(images, 'lanes-spilling.png'), clip: { x: 0, y: 0, width: 1320, height: 640 } });
    await item.click({ timeout: SEEN_MS });
    await seenInEditors(page, /:vgpr_32 = V_ADD_U32_e64 %n, \d+, 0, implicit \$exec/);
  });
  await picture('lanes-vectorized', 640);

  await openFile('wholeWave.mir');
  await check('a region with the whole wave has an edge of its own inside the one with fewer lanes', async () => {
    await page.waitForFunction(
      () => {
        const edges = [...document.querySelectorAll('.view-overlays .cdr')]
          .map((e) => getComputedStyle(e))
          .filter((style) => style.borderLeftWidth === '2px')
          .map((style) => style.borderLeftColor);
        return edges.length > 4 && new Set(edges).size === 2;
      },
      undefined,
      { timeout: SEEN_MS },
    );
    await hoverOver(
      page,
      'ENTER_STRICT_WWM',
      /2 instructions with the whole wave, from line 18 to line 21/,
      async () => {
        await page.screenshot({ path: join(images, 'lanes-wave.png'), clip: { x: 0, y: 0, width: 1320, height: 640 } });
      },
    );
  });

  await openFile('banks.mir');
  await check('the hover of a generic register has bank and class that selection would take', () =>
    hoverOver(page, '%less:_', /selection would take bank vcc, class sreg_64_xexec/, async () => {
      await page.screenshot({ path: join(images, 'lanes-bank.png'), clip: { x: 0, y: 0, width: 1320, height: 480 } });
    }),
  );
  return checks;
}
