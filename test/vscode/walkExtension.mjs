// The page of the installed extension: what a user reads first. Its pictures have to be there, and its links have to lead somewhere.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './host.mjs';
import { SEEN_MS, checklist } from './walk.mjs';

const TITLE = 'AMDGPU MIR';

/** @returns list of [what, seen] */
export async function walkExtension({ page, open }, images) {
  const { checks, check } = checklist(page, images, 'extension');
  const shots = join(ROOT, '.vscode-test', 'screenshots');
  mkdirSync(shots, { recursive: true });
  const shoot = async (name) => {
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(shots, `extension-${name}.png`) });
  };
  const readme = page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');

  await open();
  await check('the extension is among the installed ones', async () => {
    await page.locator('.part.statusbar').waitFor({ timeout: 60_000 });
    await page.keyboard.press('Control+Shift+x');
    await page.locator('.extension-list-item', { hasText: TITLE }).first().click({ timeout: SEEN_MS });
  });
  await check('its page is the README', () =>
    readme.locator('h1', { hasText: 'amdgpu-mir' }).waitFor({ timeout: SEEN_MS }),
  );
  await shoot('page');
  // The page has them from the repository, which is not reached here.
  await check('each picture of the page is a file of the repository, and has words', async () => {
    const pictures = await readme
      .locator('img')
      .evaluateAll((all) => all.map((img) => [img.getAttribute('src') ?? img.dataset.src ?? '', img.alt]));
    const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const raw = `${repository.url.replace(/^git\+|\.git$/g, '')}/raw/HEAD/`;
    const broken = pictures.filter(
      ([src, words]) => words === '' || !src.startsWith(raw) || !existsSync(join(ROOT, src.slice(raw.length))),
    );
    if (pictures.length === 0 || broken.length > 0) throw new Error(JSON.stringify(pictures));
  });
  await check('every link leads to the web', async () => {
    const targets = await readme
      .locator('a:not(#scroll-to-top)')
      .evaluateAll((links) => links.map((a) => a.getAttribute('href')));
    const dead = targets.filter((target) => !/^https:/.test(target ?? ''));
    if (dead.length > 0) throw new Error(`dead links: ${dead}`);
  });
  await readme.locator('h2', { hasText: 'On the command line' }).scrollIntoViewIfNeeded();
  await shoot('end');
  return checks;
}
