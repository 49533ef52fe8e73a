// A tuner's way: see what llc ends with, ask why, compare what would help, sweep, apply the best, see that it holds.
import { SEEN_MS, checklist, followLink, lightBulbItem, runCommand, seenInEditors } from './walk.mjs';

/** The page inside of the panel. */
const inside = (page) => page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');

/** @returns list of [what, seen] */
export async function walkTuner({ page, open }, images) {
  const { checks, check, picture } = checklist(page, images, 'tuner');
  const lens = (pattern) => page.locator('.editor-instance .codelens-decoration', { hasText: pattern }).first();
  const link = (text) => page.locator('.editor-instance .detected-link', { hasText: text });
  const view = inside(page);

  await open({ file: 'gemm_tile.mir' });
  await check('the line above the function begins with what llc ends with, and asks why', async () => {
    await lens(/^llc ends with 5 of 8 waves.*why 5 waves\?/).waitFor({ timeout: 60_000 });
  });
  if (await page.locator('.part.sidebar').isVisible()) await page.keyboard.press('Control+b');
  await check('a sweep fills its table row by row, the present setting first', async () => {
    await runCommand(page, 'Show Sweep');
    const rows = view.locator('tbody tr');
    await view.locator('tbody tr.present', { hasText: '(as in the file)' }).waitFor({ timeout: SEEN_MS });
    await view.locator('#progress').waitFor({ state: 'hidden', timeout: SEEN_MS });
    if ((await rows.count()) < 12) throw new Error(`${await rows.count()} rows`);
    if (await view.locator('td.failed', { hasText: '…' }).count()) throw new Error('rows are not computed');
    await view.locator('td.best', { hasText: /^8$/ }).first().waitFor({ timeout: SEEN_MS });
  });
  await check('a column sorts, by mouse and by key', async () => {
    const head = view.locator('thead th', { hasText: 'waves' });
    await head.locator('button').click({ timeout: SEEN_MS });
    await view
      .locator('tbody tr')
      .first()
      .locator('td')
      .first()
      .filter({ hasText: /^8$/ })
      .waitFor({ timeout: SEEN_MS });
    if ((await head.getAttribute('aria-sort')) !== 'descending') throw new Error('aria-sort');
    await page.keyboard.press('Enter');
    await view.locator('thead th[aria-sort="ascending"]', { hasText: 'waves' }).waitFor({ timeout: SEEN_MS });
    await page.keyboard.press('Enter');
  });
  await picture('sweep', 560);
  await check('other settings are typed', async () => {
    await view.locator('#vary').fill('-amdgpu-sched-strategy=max-ilp,no-such attr:amdgpu-waves-per-eu=4,4');
    await page.keyboard.press('Enter');
    await view.locator('tbody tr', { hasText: 'amdgpu-sched-strategy=no-such' }).waitFor({ timeout: SEEN_MS });
    await view.locator('#progress').waitFor({ state: 'hidden', timeout: SEEN_MS });
    if ((await view.locator('tbody tr').count()) !== 4) throw new Error('not 4 rows');
    await view.locator('#vary').fill('-no-such-option');
    await page.keyboard.press('Enter');
    await page
      .frameLocator('iframe.webview.ready')
      .last()
      .frameLocator('iframe')
      .locator('#problem', { hasText: "Unknown command line argument '-no-such-option'" })
      .waitFor({ timeout: SEEN_MS });
  });

  await check('the answer stands beside the source: what binds, who holds the registers, what would help', async () => {
    const answer = link('compare').first();
    // A lens that is just being drawn anew swallows the click.
    for (let attempt = 0; attempt < 3 && !(await answer.isVisible()); attempt++) {
      await page.locator('.codelens-decoration a', { hasText: 'why 5 waves?' }).first().click({ timeout: SEEN_MS });
      await answer.waitFor({ timeout: SEEN_MS }).catch(() => undefined);
    }
    await seenInEditors(
      page,
      /^gemm_tile, gfx90a, LLVM [\d.git]+: 5 waves of 8[\s\S]*< binds[\s\S]*what would help[\s\S]*held at the peak/,
    );
  });
  await picture('why-occupancy', 560);
  await check('a lever is compared with what llc ends with now', async () => {
    await link('compare').first().waitFor({ timeout: SEEN_MS });
    await followLink(page, 'compare');
    await page.locator('.tab', { hasText: 'gemm_tile: as llc ends' }).first().waitFor({ timeout: SEEN_MS });
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor({ state: 'attached', timeout: SEEN_MS });
  });

  await open({ file: 'spill.mir' });
  await check('the light bulb on the name leads to the answer, whose best lever is applied', async () => {
    await lens(/2 VGPRs spilled|1 VGPR spilled/).waitFor({ timeout: 60_000 });
    const item = await lightBulbItem(page, 10, 'and what would help?');
    await item.click({ timeout: SEEN_MS });
    await link('apply').first().waitFor({ timeout: SEEN_MS });
    await followLink(page, 'apply');
    await lens(/^llc ends with 10 of 10 waves.*no spills/).waitFor({ timeout: SEEN_MS });
  });
  await picture('why-applied', 560);
  return checks;
}
