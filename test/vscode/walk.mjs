// What a user sees: the page itself is looked at, not the extension's API. Each step is a check; each picture is kept.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './host.mjs';

export const SEEN_MS = 30_000;

/** Editor text as one reads it: the page has no-break spaces. */
const plain = (text) => text.replace(/\u00a0/g, ' ');

/** Middle of the first place on screen where the editor shows `text`, or null. A line is made of many spans. */
function locate(page, text) {
  return page.evaluate((wanted) => {
    for (const line of document.querySelectorAll('.monaco-editor .view-lines .view-line')) {
      const at = line.textContent.replace(/\u00a0/g, ' ').indexOf(wanted);
      if (at < 0) continue;
      // The character in the middle of the text: the node that holds it.
      let left = at + Math.floor(wanted.length / 2);
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.data.length <= left) {
          left -= node.data.length;
          continue;
        }
        const range = document.createRange();
        range.setStart(node, left);
        range.setEnd(node, left + 1);
        const box = range.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        // Under the lines that stay at the top nobody sees it.
        if (document.elementFromPoint(x, y)?.closest('.sticky-widget')) break;
        return { x, y };
      }
    }
    return null;
  }, text);
}

/** The same, once it is there: a file that was just opened may not be drawn yet. */
async function shownAt(page, text) {
  for (const end = Date.now() + SEEN_MS; Date.now() < end; await page.waitForTimeout(200)) {
    const place = await locate(page, text);
    if (place) return place;
  }
  throw new Error(`${text} is not on screen`);
}

/** Follows a link in the text of an editor. */
export async function followLink(page, text) {
  const { x, y } = await shownAt(page, text);
  await page.mouse.move(x - 3, y);
  await page.keyboard.down('Control');
  await page.mouse.move(x, y, { steps: 3 });
  await page.waitForTimeout(200);
  await page.mouse.click(x, y);
  await page.keyboard.up('Control');
}

export async function goToLine(page, line) {
  await page.keyboard.press('Control+g');
  await quickInput(page);
  await page.keyboard.type(String(line));
  // Before its list is there the box takes no Enter. A second one that comes when the box has gone goes into the text, and a busy machine is slow.
  const list = page.locator('.quick-input-widget', { hasText: `line ${line}` }).first();
  await list.waitFor({ timeout: SEEN_MS });
  for (let attempt = 0; attempt < 4 && (await list.isVisible()); attempt++) {
    await page.keyboard.press('Enter');
    const gone = list.waitFor({ state: 'hidden', timeout: 8000 });
    if (await gone.then(() => true).catch(() => false)) break;
  }
  await cursorAt(page, line);
}

/** The light bulb's entry with a text at a line, once it is there: what it needs may still be computed when the list is opened first. */
export async function lightBulbItem(page, line, hasText) {
  const item = page.locator('.action-widget .monaco-list-row', { hasText }).first();
  for (let attempt = 0; ; attempt++) {
    await goToLine(page, line);
    await page.keyboard.press('End');
    await page.keyboard.press('Control+.');
    try {
      await item.waitFor({ timeout: 6000 });
      return item;
    } catch (error) {
      if (attempt === 5) throw error;
      await page.keyboard.press('Escape');
    }
  }
}

/** The workbench remembers whether it was open, but not at once. */
async function closeSideBar(page) {
  if (await page.locator('.part.sidebar').isVisible()) await page.keyboard.press('Control+b');
}

/** Waits for the box of the palette to have the focus: what is typed before lands in the editor. */
export const quickInput = (page) =>
  page.locator('.quick-input-widget input:focus').first().waitFor({ timeout: SEEN_MS });

/** Runs a command of the palette by (a part of) its title. */
export async function runCommand(page, title, typed = title) {
  await page.keyboard.press('F1');
  await quickInput(page);
  await page.keyboard.type(typed);
  await page
    .locator('.quick-input-list .monaco-list-row .label-name', { hasText: title })
    .first()
    .click({ timeout: SEEN_MS });
}

/** Waits until text after a line (or before it), which is no part of the document, matches. */
const decorationText = (page, pattern, where = '::after') =>
  page.waitForFunction(
    ([source, pseudo]) =>
      [...document.querySelectorAll('.monaco-editor .view-line span')].some((span) =>
        new RegExp(source).test(getComputedStyle(span, pseudo).content.replace(/\u00a0/g, ' ')),
      ),
    [pattern.source, where],
    { timeout: SEEN_MS },
  );

/** Waits until the status bar says that the cursor is on the line. */
const cursorAt = (page, line) =>
  page
    .locator('.statusbar-item', { hasText: `Ln ${line},` })
    .first()
    .waitFor({ timeout: SEEN_MS });

/**
 * Moves the mouse onto `text` until a hover with `wanted` is there, and uses it. One that came too early is sent away first; one that
 * goes while it is used (lenses and hints that arrive move the lines and close it) is asked for again, as a user would.
 */
export async function hoverOver(page, text, wanted, use = async () => {}) {
  const hover = page.locator('.monaco-hover:not(.hidden)', { hasText: wanted }).first();
  for (let attempt = 0; ; attempt++) {
    const place = await shownAt(page, text);
    await page.mouse.move(place.x - 4, place.y);
    await page.mouse.move(place.x, place.y, { steps: 4 });
    try {
      await hover.waitFor({ timeout: 4000 });
      await page.waitForTimeout(600);
      await hover.waitFor({ timeout: 100 });
      await use(hover);
      return;
    } catch (error) {
      if (attempt === 6) throw error;
      await page.keyboard.press('Escape');
      await page.mouse.move(10, 700);
    }
  }
}

/** Waits until the editor shows text that matches. */
const seen = (page, pattern) =>
  page.waitForFunction(
    (source) => {
      const text = document.querySelector('.monaco-editor .view-lines')?.innerText ?? '';
      return new RegExp(source).test(text.replace(/\u00a0/g, ' '));
    },
    pattern.source,
    { timeout: SEEN_MS },
  );

/** @returns list of [what, seen, why not] that grows, and what adds to it */
export function checklist(page, images, name) {
  const checks = [];
  const check = async (what, step) => {
    try {
      await step();
      checks.push([what, true]);
    } catch (error) {
      checks.push([what, false, String(error.message).split('\n')[0]]);
      await page.screenshot({ path: join(images, `failed-${name}-${checks.length}.png`) });
    }
  };
  const picture = async (shot, height) => {
    // The title bar: nothing pops up there.
    await page.mouse.move(300, 14);
    // Colours and animations settle.
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(images, `${shot}.png`), clip: { x: 0, y: 0, width: 1320, height } });
  };
  return { checks, check, picture };
}

/** Waits until one of the editors inside `where` shows text that matches, its lines from top to bottom. */
export const seenInEditors = (page, pattern, where = '.monaco-editor') =>
  page.waitForFunction(
    ([selector, source]) =>
      [...document.querySelectorAll(`${selector} .view-lines`)].some((editor) => {
        const lines = [...editor.querySelectorAll('.view-line')];
        lines.sort((x, y) => x.getBoundingClientRect().y - y.getBoundingClientRect().y);
        const text = lines.map((l) => l.textContent.replace(/\u00a0/g, ' ')).join('\n');
        return new RegExp(source).test(text);
      }),
    [where, pattern.source],
    { timeout: SEEN_MS },
  );

/** @returns list of [what, seen] */
export async function walk({ page, open }, images) {
  const { checks, check } = checklist(page, images, 'walk');
  const editor = page.locator('.editor-instance .monaco-editor').first();
  const lensLine = (pattern) => editor.locator('.codelens-decoration', { hasText: pattern }).first();
  /** the part that can be clicked */
  const lens = (pattern) => editor.locator('.codelens-decoration a', { hasText: pattern }).first();

  await open({ file: 'targets.mir' });
  await editor.waitFor({ timeout: 60_000 });
  await check('status bar names target and LLVM', () =>
    page.locator('.statusbar-item', { hasText: 'gfx900 wave64, LLVM 24' }).first().waitFor({ timeout: 60_000 }),
  );
  await page.keyboard.press('Control+b');
  await check('code lens with occupancy, limiter and the way to the next wave', async () => {
    await lensLine(/occupancy 9 of 10 \(VGPR\).*live peak VGPR 28.*next wave: -4 VGPR/).waitFor({ timeout: SEEN_MS });
  });
  await check('pressure at line ends', () => seen(page, /VGPR 28/));
  await check('hover with the pressure and its limits', async () => {
    await editor.click({ position: { x: 500, y: 620 } });
    await hoverOver(page, '%c12:vreg_64', '24 for 10: 4 too many');
  });
  await page.screenshot({ path: join(images, 'hover.png') });
  await page.keyboard.press('Escape');
  await page.mouse.move(10, 700);

  await check('a misspelt opcode gets a squiggle and the message of llc', async () => {
    await goToLine(page, 20);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await cursorAt(page, 21);
    await page.keyboard.type('V_MOVE_B32_e32 0');
    await editor.locator('.squiggly-error').first().waitFor({ state: 'attached', timeout: SEEN_MS });
    await lens('as it was before line 21 broke').waitFor({ timeout: SEEN_MS });
    await seen(page, /VGPR 28/);
    await hoverOver(page, 'V_MOVE_B32_e32', "unknown machine instruction name 'V_MOVE_B32_e32'");
  });
  await page.screenshot({ path: join(images, 'diagnostic.png') });
  await page.keyboard.press('Escape');
  await page.mouse.move(10, 700);
  await check('the squiggle goes when the line goes', async () => {
    const shown = async () => plain(await editor.locator('.view-lines').innerText());
    await editor.click({ position: { x: 500, y: 620 } });
    for (let i = 0; i < 20 && /V_MOVE_B32/.test(await shown()); i++) await page.keyboard.press('Control+z');
    await editor.locator('.squiggly-error').first().waitFor({ state: 'detached', timeout: SEEN_MS });
  });

  await check('the status bar chooses another RUN line', async () => {
    await page.locator('.statusbar-item', { hasText: 'gfx900 wave64' }).first().click();
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'gfx1030' })
      .first()
      .click({ timeout: SEEN_MS });
    await page.locator('.statusbar-item', { hasText: 'gfx1030 wave32' }).first().waitFor({ timeout: SEEN_MS });
    await lensLine('occupancy 16 of 16').waitFor({ timeout: SEEN_MS });
  });

  await open({ file: 'gemm_tile.mir' });
  await check('the lens leads to the peak', async () => {
    await lens(/live peak VGPR 67/).click({ timeout: 60_000 });
    await seen(page, /%b13:vreg_128_align2/);
  });
  return checks;
}

/**
 * What makes the pressure, beside the text.
 * @returns list of [what, seen]
 */
export async function walkPlaces({ page, open }, images) {
  const { checks, check } = checklist(page, images, 'places');
  const picture = async (name, height) => {
    await page.mouse.move(300, 14);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(images, `${name}.png`), clip: { x: 0, y: 0, width: 1320, height } });
  };
  await open({ file: 'targets.mir' });
  await check('heat in the gutter, lens above the block', async () => {
    await page
      .locator('.codelens-decoration', { hasText: 'before live-ins: nothing' })
      .first()
      .waitFor({ timeout: 60_000 });
    await closeSideBar(page);
    await goToLine(page, 30);
    await page.locator('.glyph-margin-widgets .cgmr').first().waitFor({ state: 'attached', timeout: SEEN_MS });
  });
  await picture('pressure-places', 760);
  await check('the lens opens the reasons beside the source', async () => {
    await goToLine(page, 12);
    const link = page.locator('.detected-link', { hasText: 'line 21' }).first();
    // A lens that is just being drawn anew swallows the click.
    for (let attempt = 0; attempt < 5 && !(await link.isVisible()); attempt++) {
      await page.locator('.codelens-decoration a', { hasText: 'why...' }).first().click({ timeout: SEEN_MS });
      await link.waitFor({ timeout: 6000 }).catch(() => undefined);
    }
    await link.waitFor({ timeout: 1000 });
  });
  await picture('why', 620);
  return checks;
}

/**
 * The views of the machine scheduler on an example whose loop it turns over.
 * @returns list of [what, seen]
 */
export async function walkSchedule({ page, open }, images) {
  const { checks, check, picture } = checklist(page, images, 'schedule');
  const seenIn = (where, pattern) => seenInEditors(page, pattern, where);
  const lens = (title) =>
    page.locator('.editor-instance .monaco-editor .codelens-decoration a', { hasText: title }).first();

  await open({ file: 'gemm_tile.mir' });
  await lens('schedule...')
    .waitFor({ timeout: 60_000 })
    .catch(() => undefined);
  await closeSideBar(page);
  await check('the lens opens source and schedule side by side', async () => {
    await lens('schedule...').click({ timeout: 60_000 });
    await seenIn('.editor.original', /%a00:vreg_128_align2 = GLOBAL_LOAD.*\n.*%a10:vreg_128_align2/);
    await seenIn('.editor.modified', /%a00:vreg_128_align2 = GLOBAL_LOAD.*\n.*%b00:vreg_128_align2/);
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor({ state: 'attached', timeout: SEEN_MS });
  });
  await picture('schedule-diff', 700);

  await open({ file: 'gemm_tile.mir' });
  await check('the lens opens the explanation beside the source', async () => {
    await closeSideBar(page);
    await lens('explain...').click({ timeout: 60_000 });
    await seenIn('.monaco-editor', /occupancy 8 -> 5 after scheduling; 3 regions/);
    // Lines of the source are links.
    await page.locator('.detected-link', { hasText: '106' }).first().waitFor({ timeout: SEEN_MS });
  });
  await picture('schedule-explained', 560);

  await open({ file: 'targets.mir' });
  await check('what an instruction waits for is marked, with kind and latency', async () => {
    await lens('schedule...').waitFor({ timeout: 60_000 });
    await closeSideBar(page);
    await goToLine(page, 37);
    await runCommand(page, 'Highlight Dependences');
    await decorationText(page, /↑5/, '::before');
    await decorationText(page, /Data %c12: 5 cycles/);
    await decorationText(page, /↓1/, '::before');
  });
  await picture('dependences', 700);

  await open({ file: 'gemm_tile.mir' });
  await check('"Apply Schedule" changes the source, and the numbers follow', async () => {
    await lens('schedule...').waitFor({ timeout: 60_000 });
    await goToLine(page, 106);
    await runCommand(page, /AMDGPU MIR: Apply Schedule$/, 'AMDGPU MIR: Apply Schedule');
    await seenIn('.monaco-editor', /%acc01:areg_512_align2 = V_MFMA[\s\S]*%a01:vreg_128_align2 = GLOBAL_LOAD/);
    await goToLine(page, 22);
    await page
      .locator('.codelens-decoration', { hasText: /occupancy 5 of 8/ })
      .first()
      .waitFor({ timeout: SEEN_MS });
    // Above the loop: what is left for the scheduler to do.
    await goToLine(page, 112);
    await page
      .locator('.codelens-decoration', { hasText: /region 1: max pressure VGPR 19, .*occupancy 5/ })
      .first()
      .waitFor({ timeout: SEEN_MS });
  });
  await picture('schedule-applied', 800);
  return checks;
}

/**
 * A schedule that takes long: its progress, a hover meanwhile, its end by the button.
 * @returns list of [what, seen]
 */
export async function walkLong({ page, open, workspace }, images) {
  const { checks, check } = checklist(page, images, 'long');
  copyFileSync(join(ROOT, 'test', 'fixtures', 'schedule', 'endless.mir'), join(workspace, 'long.mir'));
  await open({ file: 'long.mir' });
  const progress = page.locator('.notification-toast', { hasText: 'Scheduling' });
  await check('progress with a way to cancel, while hovers are answered', async () => {
    await page.locator('.codelens-decoration', { hasText: 'occupancy' }).first().waitFor({ timeout: 90_000 });
    await closeSideBar(page);
    await goToLine(page, 12);
    await runCommand(page, 'Show Scheduled Function');
    await progress.first().waitFor({ timeout: SEEN_MS });
    await hoverOver(page, '%3:vgpr_32', 'occupancy');
    await progress.first().waitFor({ timeout: 1000 });
  });
  await page.screenshot({
    path: join(images, 'schedule-progress.png'),
    clip: { x: 0, y: 300, width: 1320, height: 500 },
  });
  await check('the button ends it, and nothing opens', async () => {
    await progress.first().getByText('Cancel').click({ timeout: SEEN_MS });
    await progress.first().waitFor({ state: 'detached', timeout: SEEN_MS });
    await page.waitForTimeout(1000);
    if (await page.locator('.monaco-diff-editor').count()) throw new Error('a diff opened');
    if (await page.locator('.notification-toast').count()) throw new Error('a message is there');
  });
  return checks;
}
