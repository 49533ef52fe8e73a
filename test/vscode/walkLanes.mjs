// Lanes as a user sees them: why a register is divergent, where EXEC is narrowed, the divergent branch in the picture of the control flow, a wave gained by a move to the SALU, and copies to scalar registers.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './host.mjs';
import { SEEN_MS, checklist, goToLine, hoverOver, lightBulbItem, runCommand, seenInEditors } from './walk.mjs';

/** @returns list of [what, seen] */
export async function walkLanes({ page, open, workspace }, images) {
  const { checks, check, picture } = checklist(page, images, 'lanes');
  const lens = (pattern) => page.locator('.editor-instance .codelens-decoration', { hasText: pattern }).first();
  for (const file of ['blend.mir', 'copies.mir'])
    copyFileSync(join(ROOT, 'test', 'fixtures', 'lanes', file), join(workspace, file));

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

  await check('a move to the SALU gains a wave', async () => {
    await focus();
    const item = await lightBulbItem(page, 3, 'to the SALU');
    await page.screenshot({
      path: join(images, 'lanes-scalarize.png'),
      clip: { x: 0, y: 0, width: 1320, height: 640 },
    });
    await item.click({ timeout: SEEN_MS });
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
  return checks;
}
