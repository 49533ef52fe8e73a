// Register allocation as a user sees it: the lens, a spill at the line that causes it, the diff, the reasons; the spill goes with a quick fix.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEEN_MS, checklist, goToLine, lightBulbItem, runCommand, seenInEditors } from './walk.mjs';

/** A register that holds lanes of SGPRs, without the flag that keeps per-lane values out of it. */
const LANES = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none -o - %s
---
name:            lanes
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body:             |
  bb.0:
    liveins: $sgpr4
    %0:vgpr_32 = IMPLICIT_DEF
    %0:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4, 3, %0
    $sgpr5 = SI_RESTORE_S32_FROM_VGPR %0, 3
    S_ENDPGM 0, implicit $sgpr5
...
`;

/** @returns list of [what, seen] */
export async function walkAllocation({ page, open, workspace }, images) {
  const { checks, check, picture } = checklist(page, images, 'allocation');
  const lens = (pattern) => page.locator('.editor-instance .codelens-decoration a', { hasText: pattern }).first();

  // Before the workbench: a setting that is written later is taken up some time later.
  mkdirSync(join(workspace, '.vscode'), { recursive: true });
  const settings = { 'amdgpu-mir.registerCosts': 'v0-9:2, *:1' };
  writeFileSync(join(workspace, '.vscode', 'settings.json'), JSON.stringify(settings));
  await open({ file: 'spill.mir' });
  await check('the lens says what is spilled', async () => {
    await lens(/llc ends with 10 of 10 waves: VGPR 24, SGPR 10, 1 VGPR spilled/).waitFor({ timeout: 60_000 });
  });
  await page.keyboard.press('Control+b');
  await check('save and reload stand at the lines that cause them', async () => {
    await goToLine(page, 42);
    await seenInEditors(page, /%x19:vgpr_32 = GLOBAL_LOAD_DWORD.*save %x19/);
  });
  await picture('allocation-spill', 620);

  await check('the lens opens source and allocated function side by side', async () => {
    await goToLine(page, 9);
    const diff = page.locator('.editor.modified').first();
    // A lens that is just being drawn anew swallows the click.
    for (let attempt = 0; attempt < 5 && !(await diff.isVisible()); attempt++) {
      await lens(/llc ends with/).click({ timeout: SEEN_MS });
      await diff.waitFor({ timeout: 10_000 }).catch(() => undefined);
    }
    await seenInEditors(page, /renamable \$vgpr\d+ = V_MOV_B32_e32 1056964608/, '.editor.modified');
  });
  await picture('allocation-diff', 760);

  await open({ file: 'spill.mir' });
  await check('rematerializing the constant removes the spill', async () => {
    // It opens where it was left, and only what is in sight is there.
    await page.locator('.view-line', { hasText: 'GLOBAL_LOAD_DWORD' }).nth(3).click({ timeout: 60_000 });
    await goToLine(page, 10);
    await lens(/1 VGPR spilled/).waitFor({ timeout: 60_000 });
    const item = await lightBulbItem(page, 22, 'Rematerialize %half');
    await picture('allocation-promise', 620);
    const promise = (await item.textContent()).replace(/\u00a0/g, ' ');
    if (!promise.includes('allocated: 1 spilled to none, occupancy stays 10')) throw new Error(promise);
    await item.click({ timeout: SEEN_MS });
    await lens(/llc ends with 10 of 10 waves: VGPR 24, SGPR \d+, no spills/).waitFor({ timeout: SEEN_MS });
  });
  await picture('allocation-mended', 620);

  await check('costs of registers are compared, those of the setting, too', async () => {
    await runCommand(page, 'AMDGPU MIR: Compare Register Costs');
    await seenInEditors(page, /callee-saved +\d+/);
    await seenInEditors(page, /own +\d+/);
  });
  await picture('allocation-costs', 480);

  writeFileSync(join(workspace, 'lanes.mir'), LANES);
  await open({ file: 'lanes.mir' });
  const warnings = page.locator('.editor-instance .squiggly-warning');
  await check('a whole-wave register without its flag is a warning', async () => {
    await warnings.first().waitFor({ timeout: 60_000 });
  });
  await check('a WWM warning fixed', async () => {
    const item = await lightBulbItem(page, 11, 'Flag %0 WWM_REG');
    await item.click({ timeout: SEEN_MS });
    await seenInEditors(page, /flags: \[ WWM_REG \]/);
    await warnings.first().waitFor({ state: 'detached', timeout: SEEN_MS });
  });
  await picture('allocation-wwm', 480);

  await open({ file: 'seven_rows.mir' });
  await check('reports share the group beside the source after Reload Window', async () => {
    const tab = (text) => page.locator('.tab', { hasText: text }).first();
    const REPORTS = ['Rematerialization Report', 'Explain Allocation'];
    const TITLES = ['rematerialization report', 'allocation explained'];
    await lens(/llc ends with 10 of 10 waves: VGPR 21/).waitFor({ timeout: 60_000 });
    for (const [k, report] of REPORTS.entries()) {
      await tab('seven_rows.mir').click({ timeout: SEEN_MS });
      await runCommand(page, `AMDGPU MIR: ${report}`);
      // Two clicks keep it where the next one opens.
      await tab(TITLES[k]).dblclick({ timeout: SEEN_MS });
    }
    await tab('seven_rows.mir').click({ timeout: SEEN_MS });
    await Promise.all([page.waitForEvent('load', { timeout: SEEN_MS }), runCommand(page, 'Developer: Reload Window')]);
    for (const title of TITLES) await tab(title).waitFor({ timeout: 60_000 });
    const groups = await page.locator('.editor-group-container:not(.empty)').count();
    if (groups !== 2) throw new Error(`${groups} groups of editors`);
  });
  return checks;
}
