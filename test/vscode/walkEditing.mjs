// Writing in the editor as a user sees it: the list of completions, the box of a rename, the picture of the control flow.
import { join } from 'node:path';
import { SEEN_MS, checklist, goToLine, quickInput, runCommand } from './walk.mjs';

/** @returns list of [what, seen] */
export async function walkEditing({ page, open }, images) {
  const { checks, check } = checklist(page, images, 'editing');
  const picture = async (name) => {
    await page.waitForTimeout(1200);
    await page.screenshot({ path: join(images, `${name}.png`) });
  };
  const editor = page.locator('.monaco-editor .view-lines').first();
  const text = (pattern) =>
    page.waitForFunction(
      (source) =>
        new RegExp(source).test(
          [...document.querySelectorAll('.monaco-editor .view-line')]
            .map((l) => l.textContent.replace(/\u00a0/g, ' '))
            .join('\n'),
        ),
      pattern.source,
      { timeout: SEEN_MS },
    );

  await open({ file: 'saxpy.mir' });
  await page.locator('.codelens-decoration', { hasText: 'occupancy' }).first().waitFor({ timeout: 60_000 });
  if (await page.locator('.part.sidebar').isVisible()) await page.keyboard.press('Control+b');
  await editor.click();
  await goToLine(page, 53);
  const row = (word) => page.locator('.suggest-widget.visible .monaco-list-row', { hasText: word }).first();
  await check('typing an opcode lists those that the target has, with their operands', async () => {
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('%m:vgpr_32 = V_MUL_F', { delay: 60 });
    await row('V_MUL_F32_e32').waitFor({ timeout: SEEN_MS });
  });
  await picture('completion');
  await check('accepting one writes its operands as stops', async () => {
    await row('V_MUL_F32_e32').click();
    await text(/%m:vgpr_32 = V_MUL_F32_e32 .*, implicit \$mode, implicit \$exec/);
  });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  const undo = async () => {
    for (let k = 0; k < 40 && (await editor.innerText()).replace(/\u00a0/g, ' ').includes('%m:vgpr_32'); k++) {
      await page.keyboard.press('Control+z');
      await page.waitForTimeout(150);
    }
  };
  await check('undo takes it back', undo);
  await check('a line that is typed at once has the list of its last word', async () => {
    await goToLine(page, 53);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('%m:vgpr_32 = V_MUL_F');
    await row('V_MUL_F32_e32').waitFor({ timeout: SEEN_MS });
    await page.keyboard.press('Escape');
    await undo();
  });
  await check('a rename asks for the name where the register stands', async () => {
    await goToLine(page, 53);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    await page.locator('.rename-box input').waitFor({ state: 'visible', timeout: SEEN_MS });
    await page.keyboard.type('renamed');
  });
  await picture('rename');
  await check('and renames all its places', async () => {
    await page.keyboard.press('Enter');
    await text(/%renamed\b/);
  });
  await page.keyboard.press('Control+z');

  await page.keyboard.press('Control+p');
  await quickInput(page);
  await page.keyboard.type('block_sum.mir');
  await page
    .locator('.quick-input-list .monaco-list-row', { hasText: 'block_sum.mir' })
    .first()
    .click({ timeout: SEEN_MS });
  await page.locator('.tab.active', { hasText: 'block_sum.mir' }).first().waitFor({ timeout: SEEN_MS });
  await goToLine(page, 60);
  const view = page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
  await check('the control flow is a picture beside the editor that marks the cursor', async () => {
    await runCommand(page, 'AMDGPU MIR: Show Control Flow', 'Show Control Flow');
    await view.locator('g.block.here', { hasText: 'bb.0.entry' }).waitFor({ timeout: SEEN_MS });
  });
  await picture('control-flow');
  await check('a click on a block leads to its lines', async () => {
    await view.locator('g.block', { hasText: 'bb.1.load' }).click({ timeout: SEEN_MS });
    await page
      .locator('.statusbar-item', { hasText: /Ln (?!60,)\d+,/ })
      .first()
      .waitFor({ timeout: SEEN_MS });
    await view.locator('g.block.here', { hasText: 'bb.1.load' }).waitFor({ timeout: SEEN_MS });
  });
  return checks;
}
