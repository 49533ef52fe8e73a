// The same file in VS Code's dark, light and high-contrast themes: colours, hints, hover, help, a file of another target. The pictures
// are for people to look at; what is checked is that all of it is there.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEEN_MS, checklist, goToLine, hoverOver, runCommand, seenInEditors } from './walk.mjs';

export const THEMES = [
  'Default Dark Modern',
  'Default Light Modern',
  'Default High Contrast',
  'Default High Contrast Light',
];

const OTHER_TARGET = `# RUN: llc -mtriple=aarch64-linux-gnu -run-pass=none -o - %s | FileCheck %s
---
name: add_one
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $w0
    %0:gpr32sp = COPY $w0
    %1:gpr32sp = ADDWri %0, 1, 0
    $w0 = COPY %1
    RET_ReallyLR implicit $w0
...
`;

/** @returns list of [what, seen] */
export async function walkThemes({ page, open, workspace }, images, theme) {
  const name = theme.toLowerCase().replaceAll(' ', '-');
  const { checks, check, picture } = checklist(page, images, name);
  const editor = page.locator('.editor-instance .monaco-editor').first();
  await open({ file: 'gemm_tile.mir' });
  await check(`${theme}: lenses, hints after the instruction, colours by bank`, async () => {
    await page
      .locator('.codelens-decoration', { hasText: /live peak VGPR 67/ })
      .first()
      .waitFor({ timeout: 60_000 });
    if (await page.locator('.part.sidebar').isVisible()) await page.keyboard.press('Control+b');
    await goToLine(page, 121);
    await seenInEditors(page, /%b13:vreg_128_align2 = GLOBAL_LOAD.*VGPR 67/);
    // The server's colours come after those of the grammar, which has one for all registers.
    const coloursOfBanks = () =>
      editor.evaluate((root) => {
        const of = (text) => {
          const spans = [...root.querySelectorAll('.view-line span span')];
          const found = spans.find((span) => span.children.length === 0 && span.textContent === text);
          return found ? getComputedStyle(found).color : text;
        };
        return [of('%rowa'), of('%pointers'), of('%acc00')];
      });
    const areDistinct = (colours) => colours.every((c) => c.startsWith('rgb')) && new Set(colours).size === 3;
    let colours = await coloursOfBanks();
    for (const end = Date.now() + SEEN_MS; !areDistinct(colours) && Date.now() < end;) {
      await page.waitForTimeout(200);
      colours = await coloursOfBanks();
    }
    if (!areDistinct(colours)) throw new Error(`VGPR, SGPR and AGPR have the colours ${colours.join(', ')}`);
  });
  await check(`${theme}: hover on an opcode`, async () => {
    await editor.click({ position: { x: 600, y: 500 } });
    await hoverOver(page, 'GLOBAL_LOAD_DWORDX4_SADDR', 'flat memory, may load');
  });
  await page.screenshot({ path: `${images}/theme-${name}-hover.png` });
  await page.keyboard.press('Escape');
  await page.mouse.move(10, 700);
  await check(`${theme}: details of the instruction`, async () => {
    await goToLine(page, 121);
    await runCommand(page, 'Show Instruction Details');
    await seenInEditors(page, /latency 80 cycles \(model of gfx90a\); takes HWVMEM/);
  });
  await picture(`theme-${name}-details`, 800);
  await check(`${theme}: the walkthrough`, async () => {
    await runCommand(page, 'Welcome: Open Walkthrough...', 'Open Walkthrough');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'AMDGPU MIR' })
      .first()
      .click({ timeout: SEEN_MS });
    await page
      .locator('.gettingStartedContainer', { hasText: 'See the register pressure' })
      .first()
      .waitFor({ timeout: SEEN_MS });
  });
  await picture(`theme-${name}-help`, 800);
  writeFileSync(join(workspace, 'other_target.mir'), OTHER_TARGET);
  await open({ file: 'other_target.mir' });
  await check(`${theme}: a file of another target says so once, in the status bar`, async () => {
    await page.locator('.statusbar-item', { hasText: 'not an AMDGPU file' }).first().waitFor({ timeout: 60_000 });
    await seenInEditors(page, /ADDWri/);
    await page.waitForTimeout(1500);
    for (const unwanted of ['.squiggly-error', '.squiggly-warning', '.codelens-decoration'])
      if (await page.locator(unwanted).count()) throw new Error(`${unwanted} is there`);
  });
  await picture(`theme-${name}-other-target`, 800);
  return checks;
}
