// Rematerialization as a user sees it: the light bulb, its preview, the result; the report; ticking registers in "What If".
import { SEEN_MS, checklist, goToLine, lightBulbItem, quickInput, seenInEditors } from './walk.mjs';

/** @returns list of [what, seen] */
export async function walkRemat({ page, open }, images) {
  const { checks, check, picture } = checklist(page, images, 'remat');
  const lens = (pattern) => page.locator('.editor-instance .codelens-decoration', { hasText: pattern }).first();

  await open({ file: 'seven_rows.mir' });
  await lens(/occupancy 7 of 10/)
    .waitFor({ timeout: 60_000 })
    .catch(() => undefined);
  await page.keyboard.press('Control+b');
  await check('the light bulb on a definition tells what rematerialization does', async () => {
    await lightBulbItem(page, 34, 'Rematerialize %half at bb.2 (VGPR -1 in 2 regions, occupancy 7 to 8)');
  });
  await picture('remat-lightbulb', 560);

  await check('the preview shows both places', async () => {
    await page.keyboard.press('Control+Enter');
    const pane = page.locator('.refactor-preview, .bulk-edit-panel').first();
    await pane.waitFor({ timeout: SEEN_MS });
    await pane.locator('.monaco-list-row', { hasText: '%half' }).first().waitFor({ timeout: SEEN_MS });
  });
  await picture('remat-preview', 800);

  await check('the quick fix takes the function from occupancy 7 to 8', async () => {
    await page.getByRole('button', { name: 'Apply' }).first().click({ timeout: SEEN_MS });
    await lens(/occupancy 8 of 10/).waitFor({ timeout: SEEN_MS });
    await goToLine(page, 76);
    await seenInEditors(page, /bb\.2\.store:\n +%half:vgpr_32 = V_MOV_B32_e32 1056964608/);
    await goToLine(page, 34);
  });
  await picture('remat-result', 720);
  await check('one undo takes it back', async () => {
    await page.keyboard.press('Control+z');
    await goToLine(page, 24);
    await lens(/occupancy 7 of 10/).waitFor({ timeout: SEEN_MS });
  });

  await check('the lens opens the report beside the source', async () => {
    await page
      .locator('.editor-instance .codelens-decoration a', { hasText: 'rematerialize...' })
      .first()
      .click({ timeout: SEEN_MS });
    await seenInEditors(page, /occupancy 8 with 1 register, the smallest set/);
  });
  await picture('remat-report', 560);

  await check('"What If" shows pressure and occupancy while registers are ticked', async () => {
    await open({ file: 'seven_rows.mir' });
    await lens(/occupancy 7 of 10/).waitFor({ timeout: 60_000 });
    await goToLine(page, 34);
    await page.keyboard.press('F1');
    await quickInput(page);
    await page.keyboard.type('What If These');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'AMDGPU MIR: What If' })
      .first()
      .click({ timeout: SEEN_MS });
    const list = page.locator('.quick-input-widget').first();
    await list.getByText('occupancy stays 7').first().waitFor({ timeout: SEEN_MS });
    await list.locator('.monaco-list-row', { hasText: '%half' }).first().click();
    await list.locator('.quick-input-title', { hasText: 'VGPR -1 in 2 regions, occupancy 7 to 8' }).waitFor({
      timeout: SEEN_MS,
    });
  });
  await picture('remat-what-if', 400);
  return checks;
}
