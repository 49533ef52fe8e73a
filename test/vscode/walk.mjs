// What a user sees: the page itself is looked at, not the extension's API. Each step is a check; each picture is kept.
import { join } from 'node:path';

const SEEN_MS = 30_000;

/** Editor text as one reads it: the page has no-break spaces. */
const plain = (text) => text.replace(/\u00a0/g, ' ');

/** Middle of the first place on screen where the editor shows `text`, or null. */
function locate(page, text) {
  return page.evaluate((wanted) => {
    const lines = document.querySelector('.monaco-editor .view-lines');
    for (const line of lines?.querySelectorAll('.view-line') ?? []) {
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.replace(/\u00a0/g, ' ').indexOf(wanted);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        const box = range.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }
    }
    return null;
  }, text);
}

async function goToLine(page, line) {
  await page.keyboard.press('Control+g');
  await page.locator('.quick-input-widget input').first().waitFor({ timeout: SEEN_MS });
  await page.keyboard.type(String(line));
  await page.keyboard.press('Enter');
}

/** @returns list of [what, seen] */
export async function walk({ page, open }, images) {
  const checks = [];
  const check = async (what, step) => {
    try {
      await step();
      checks.push([what, true]);
    } catch (error) {
      checks.push([`${what}: ${String(error.message).split('\n')[0]}`, false]);
      await page.screenshot({ path: join(images, `failed-${checks.length}.png`) });
    }
  };
  await open({ file: 'gemm_tile.mir' });
  const editor = page.locator('.editor-instance .monaco-editor').first();
  await editor.waitFor({ timeout: 60_000 });
  const shown = async () => plain(await editor.locator('.view-lines').innerText());

  await check('code lens with occupancy above the function', () =>
    editor
      .locator('.codelens-decoration', { hasText: /occupancy \d+ of 8/ })
      .first()
      .waitFor({ timeout: 60_000 }),
  );
  await check('status bar names target and LLVM', () =>
    page.locator('.statusbar-item', { hasText: 'gfx90a wave64, LLVM 22.1.8' }).first().waitFor({ timeout: SEEN_MS }),
  );
  await check('the lens leads to the peak, where a hint names the pressure', async () => {
    await editor
      .locator('.codelens-decoration a', { hasText: /peak VGPR/ })
      .first()
      .click();
    await page.waitForFunction(
      () =>
        /VGPR 67/.test((document.querySelector('.monaco-editor .view-lines')?.innerText ?? '').replace(/\u00a0/g, ' ')),
      null,
      { timeout: SEEN_MS },
    );
  });
  await check('hover with the pressure and its limits', async () => {
    const place = await locate(page, 'V_MFMA_F32_32X32X8F16_mac_e64');
    if (!place) throw new Error('no MFMA on screen');
    await page.mouse.move(place.x - 4, place.y);
    await page.mouse.move(place.x, place.y, { steps: 4 });
    await page.locator('.monaco-hover:not(.hidden)', { hasText: 'occupancy' }).first().waitFor({ timeout: SEEN_MS });
  });
  await page.screenshot({ path: join(images, 'hover.png') });
  await page.mouse.move(10, 700);

  await check('a misspelt opcode gets a squiggle and llc’s message', async () => {
    await editor.click();
    const lines = (await shown()).split('\n');
    if (lines.length === 0) throw new Error('no text');
    await page.keyboard.press('Control+Home');
    await goToLine(page, 35);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('V_MOVE_B32_e32 0');
    await editor.locator('.squiggly-error').first().waitFor({ state: 'attached', timeout: SEEN_MS });
    const place = await locate(page, 'V_MOVE_B32_e32');
    if (!place) throw new Error('the typed line is not on screen');
    await page.mouse.move(place.x - 4, place.y);
    await page.mouse.move(place.x, place.y, { steps: 4 });
    await page
      .locator('.monaco-hover:not(.hidden)', { hasText: "unknown machine instruction name 'V_MOVE_B32_e32'" })
      .first()
      .waitFor({ timeout: SEEN_MS });
  });
  await page.screenshot({ path: join(images, 'diagnostic.png') });
  await page.mouse.move(10, 700);
  await check('the squiggle goes when the line goes', async () => {
    await page.keyboard.press('Control+z');
    for (let i = 0; i < 12 && /V_MOVE_B32/.test(await shown()); i++) await page.keyboard.press('Control+z');
    await editor.locator('.squiggly-error').first().waitFor({ state: 'detached', timeout: SEEN_MS });
  });
  return checks;
}
