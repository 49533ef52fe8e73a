// The pressure view and the table of targets, as a user sees and operates them: mouse, keys, another target.
import { join } from 'node:path';
import { SEEN_MS, checklist, goToLine, hoverOver } from './walk.mjs';

/** The page inside of the panel. */
const inside = (page) => page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');

/** @returns list of [what, seen] */
export async function walkPressure({ page, open }, images) {
  const { checks, check } = checklist(page, images, 'pressure');
  const view = inside(page);
  const status = view.locator('#status');
  const says = (pattern) => status.filter({ hasText: pattern }).waitFor({ timeout: SEEN_MS });
  const cursorIn = (line) =>
    page
      .locator('.statusbar-item', { hasText: `Ln ${line},` })
      .first()
      .waitFor({ timeout: SEEN_MS });
  const picture = async (name) => {
    await page.mouse.move(300, 14);
    await page.waitForTimeout(1200);
    await page.screenshot({ path: join(images, `${name}.png`) });
  };

  await open({ file: 'gemm_tile.mir' });
  await page.locator('.codelens-decoration', { hasText: 'live peak VGPR 67' }).first().waitFor({ timeout: 60_000 });
  await page.keyboard.press('Control+b');
  await goToLine(page, 121);
  await check('the button of the editor opens the pressure view beside it', async () => {
    await page
      .locator('.editor-actions .action-label[aria-label*="Pressure View"]')
      .first()
      .click({ timeout: SEEN_MS });
    await view.locator('#headline', { hasText: 'occupancy 3 of 8, limited by VGPR' }).waitFor({ timeout: SEEN_MS });
    await view.locator('.name', { hasText: 'VGPR + AGPR, live peak 132' }).waitFor({ timeout: SEEN_MS });
  });
  await check('its mark stands at the cursor', () =>
    says(/^line 121, bb\.1, region 1: VGPR \+ AGPR 132, VGPR 67\b.*, SGPR 7\b.*, AGPR 64\b/),
  );
  await check('the allocated registers stand beside the live values', async () => {
    await says(/VGPR 67 \(allocated \d+ up to 2\d\b.*AGPR 64 \(allocated \d+ up to 64\b/);
    await view.locator('.bank.vgpr .reach').waitFor({ timeout: SEEN_MS });
    await view
      .locator('.name', { hasText: /^VGPR, live peak 67; allocated: 24 reached/ })
      .waitFor({ timeout: SEEN_MS });
  });
  await check('before and after stand one above the other, with who holds the most', async () => {
    const row = (text) => view.locator('figcaption', { hasText: text }).waitFor({ timeout: SEEN_MS });
    await row(/^as written: 132 at line 121, bb\.1:15, in a loop +.*accumulators 64/);
    await row(/^scheduled: 84 at line 107, bb\.1:\d+, in a loop/);
    await row(/^as llc ends: 84 at line 107, bb\.1:\d+, in a loop/);
    if ((await view.locator('.moment .loop').count()) !== 3) throw new Error('no loops');
  });
  await picture('pressure-view');
  await check('it follows the cursor', async () => {
    await goToLine(page, 40);
    await says(/^line 40, bb\.0/);
  });
  await check('the place with the most is a link', async () => {
    await view.locator('figcaption button', { hasText: '84 at line 107' }).first().click({ timeout: SEEN_MS });
    await cursorIn(107);
  });
  await check('a click leads to the line', async () => {
    const chart = view.locator('#chart');
    const box = await chart.boundingBox();
    await page.mouse.click(box.x + (box.width - 92) * 0.9, box.y + 100);
    await says(/^line 1[67]\d, bb\.2/);
    await page
      .locator('.statusbar-item', { hasText: /Ln 1[67]\d,/ })
      .first()
      .waitFor({ timeout: SEEN_MS });
  });
  await check('keys move by instruction and block, p goes to the peak, Enter to its line', async () => {
    await view.locator('#chart').focus();
    await page.keyboard.press('Home');
    await says(/^line 31, bb\.0/);
    await page.keyboard.press('ArrowRight');
    await says(/^line 32, bb\.0/);
    await page.keyboard.press('PageDown');
    await says(/^line 106, bb\.1/);
    await page.keyboard.press('p');
    await says(/^line 121, bb\.1/);
    await page.keyboard.press('Enter');
    await cursorIn(121);
  });
  await check('the same as a table', async () => {
    await view.locator('summary').click();
    await view.locator('#table tbody tr', { hasText: /bb\.1/ }).getByText('132').waitFor({ timeout: SEEN_MS });
    await view.locator('summary').click();
  });
  await check('another target is chosen in the view', async () => {
    await view.locator('#target').selectOption({ label: 'gfx942' });
    await view.locator('#headline', { hasText: 'gfx942 wave64' }).waitFor({ timeout: SEEN_MS });
    await view.locator('#target').selectOption({ label: 'gfx90a' });
    await view.locator('#headline', { hasText: 'gfx90a wave64' }).waitFor({ timeout: SEEN_MS });
  });
  await check('nothing in the page comes from outside, nothing runs that is not signed', async () => {
    const csp = await view.locator('meta[http-equiv="Content-Security-Policy"]').last().getAttribute('content');
    if (!/^default-src 'none'; style-src 'nonce-[^']+'; script-src 'nonce-[^']+'$/.test(csp)) throw new Error(csp);
  });

  await open({ file: 'gemm_tile.mir' });
  await check('a region that limits the occupancy is reported, and its code opens the page about it', async () => {
    await page.locator('.editor-instance .monaco-editor').first().waitFor({ timeout: 60_000 });
    await goToLine(page, 121);
    await page.locator('.squiggly-info').first().waitFor({ state: 'attached', timeout: 60_000 });
    await hoverOver(page, '%b13:vreg_128_align2', 'limits the occupancy of', async (hover) => {
      await page.screenshot({ path: join(images, 'finding.png') });
      // The hover stays while the mouse goes through it.
      const code = await hover
        .locator('a.code-link:visible', { hasText: 'limits-occupancy' })
        .first()
        .boundingBox({ timeout: 3000 });
      await page.mouse.move(code.x + code.width / 2, code.y + code.height / 2, { steps: 20 });
      await page.mouse.down();
      await page.mouse.up();
      await page.locator('.tab', { hasText: 'limits-occupancy' }).first().waitFor({ timeout: 10_000 });
    });
    await inside(page).locator('h1', { hasText: 'limits-occupancy' }).waitFor({ timeout: SEEN_MS });
  });

  await open({ file: 'targets.mir' });
  await check('the lens opens all targets in one table', async () => {
    const lens = page.locator('.codelens-decoration a', { hasText: 'compare targets...' }).first();
    await lens.click({ timeout: 60_000 });
    await page.locator('.tab', { hasText: 'targets of targets.mir' }).first().waitFor({ timeout: SEEN_MS });
    await page
      .locator('.view-line', { hasText: /gfx900.wave64.+9.of.10.+28.at.line.33/ })
      .first()
      .waitFor({ timeout: SEEN_MS });
  });
  await picture('compare-targets');
  return checks;
}
