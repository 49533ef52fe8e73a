// A test as it is put right: names that change everywhere at once, lines that go on by themselves, what the light bulb takes away, copies and moves.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEEN_MS, checklist, goToLine, lightBulbItem, quickInput, runCommand, seenInEditors } from './walk.mjs';

const TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx906 -run-pass=none -o - %S/repair0.mir \\
# RUN:   | FileCheck -check-prefix=GCN %s
--- |
  define void @sum() {
    unreachable
  }
  define void @other() {
    ret void
  }
...
---
# GCN-LABEL: name: sum
# GCN: V_LSHLREV_B32_e64
name:            sum
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.4
    liveins: $vgpr0

    %in:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_LSHLREV_B32_e64 3, %in, implicit $exec
    %2:vgpr_32 = V_ADD_U32_e32 %in, %1, implicit $exec
    %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_BRANCH %bb.4

  bb.2:
    successors: %bb.4

    S_BRANCH %bb.4

  bb.4:
    S_ENDPGM 0, implicit %2
...
---
name:            other
body:             |
  bb.0:
    SI_RETURN
...
`;
/** Names that are no registers. */
const NAMES = `# RUN: llc -mtriple=amdgcn -mcpu=gfx906 -run-pass=none -o - %s | FileCheck %s
--- |
  define void @names(i32 %a) {
    %sum = add i32 %a, 1
    %twice = add i32 %sum, %sum
    ret void
  }
...
---
# CHECK-LABEL: name: names
# CHECK: [[VALUE:%[0-9]+]]:vgpr_32 = V_MOV_B32_e32
# CHECK: implicit [[VALUE]]
name:            names
stack:
  - { id: 0, size: 4, alignment: 4 }
body:             |
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 %stack.0, implicit $exec
    S_ENDPGM 0, implicit %0
...
`;
const lineOf = (word) => TEST.split('\n').findIndex((l) => l.includes(word)) + 1;
const N_FILES = 5;

/** What the walk is to be looked at with. */
export const REPAIRING = { 'editor.linkedEditing': true, 'amdgpu-mir.diagnostics.unnecessary': true };

/** @returns list of [what, seen] */
export async function walkRepairing({ page, open, workspace }, images) {
  const { checks, check } = checklist(page, images, 'repairing');
  const picture = async (name) => {
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(images, `repairing-${name}.png`) });
  };
  for (let k = 0; k < N_FILES; k++) writeFileSync(join(workspace, `repair${k}.mir`), TEST);
  writeFileSync(join(workspace, 'names.mir'), NAMES);
  const show = async (file) => {
    // Not block_sum.mir for sum.mir; and a file that has just come is not in every list.
    const entry = page.locator('.quick-input-list .monaco-list-row .label-name', { hasText: new RegExp(`^${file}$`) });
    for (let attempt = 0; ; attempt++) {
      for (let k = 0; k < 3; k++) await page.keyboard.press('Escape');
      await page.keyboard.press('Control+p');
      await quickInput(page);
      await page.keyboard.type(file);
      try {
        await entry.first().click({ timeout: 8000 });
        break;
      } catch (error) {
        if (attempt === 3) throw error;
      }
    }
    await page
      .locator('.tab.active', { hasText: new RegExp(`^${file}`) })
      .first()
      .waitFor({ timeout: SEEN_MS });
  };
  let n = 0;
  const step = (what, use) =>
    check(what, async () => {
      const file = `repair${n++}.mir`;
      if (n > 1) await show(file);
      else {
        await open({ file });
        await page.locator('.codelens-decoration').first().waitFor({ timeout: 60_000 });
        if (await page.locator('.part.sidebar').isVisible()) await page.keyboard.press('Control+b');
      }
      await use();
    });
  /** The cursor so many characters left of the line's end. */
  const goBehind = async (word, left) => {
    await goToLine(page, lineOf(word));
    await page.keyboard.press('End');
    for (let k = 0; k < left; k++) await page.keyboard.press('ArrowLeft');
  };
  const rename = async (name) => {
    // A box that comes up while the editor still scrolls or changes goes again.
    await page.waitForTimeout(1000);
    await page.keyboard.press('F2');
    await page.locator('.rename-box input').waitFor({ state: 'visible', timeout: SEEN_MS });
    await page.waitForTimeout(300);
    await page.keyboard.type(name);
    await page.screenshot({ path: join(images, `repairing-box-${name.replace(/\W/g, '')}.png`) });
    await page.keyboard.press('Enter');
    await page.locator('.rename-box input').waitFor({ state: 'hidden', timeout: SEEN_MS });
  };

  await step('a register is typed at all its places at once', async () => {
    await goToLine(page, lineOf('%in:vgpr_32'));
    await page.keyboard.press('Home');
    for (let k = 0; k < '%in'.length; k++) await page.keyboard.press('ArrowRight');
    await page.locator('.linked-editing-decoration').first().waitFor({ state: 'attached', timeout: SEEN_MS });
    await page.keyboard.type('put', { delay: 60 });
    await seenInEditors(page, /%input:vgpr_32 = COPY[\s\S]*3, %input, [\s\S]*_e32 %input, %1/);
    await picture('linked');
  });
  await step('RUN and CHECK lines go on, and a file beside the test is a link', async () => {
    await goBehind('# GCN: V_LSHL', 0);
    // Typed at once: the edit that goes on with the line comes later.
    await page.keyboard.press('Enter');
    await page.keyboard.type('V_ADD');
    await seenInEditors(page, /\n# GCN: V_LSHLREV_B32_e64\n# GCN-NEXT: V_ADD/);
    await page.keyboard.press('Escape');
    await goBehind('# RUN: llc', 0);
    await page.keyboard.press('Enter');
    await seenInEditors(page, /\n# RUN: {3}\n/);
    await page.keyboard.type('-x mir \\', { delay: 60 });
    await seenInEditors(page, /\n# RUN: {3}-x mir \\\n# RUN: {3}\| FileCheck/);
    await page.keyboard.press('Escape');
    await picture('continued');
    const link = page.locator('.detected-link').first();
    await link.waitFor({ timeout: SEEN_MS });
    // By the keys: under a mouse the link is drawn anew, and a hover comes up.
    await goBehind('# RUN: llc', 'repair0.mir \\'.length);
    await runCommand(page, 'Open Link');
    await page.locator('.tab.active', { hasText: 'repair0.mir' }).first().waitFor({ timeout: SEEN_MS });
  });
  await step('a function, a block and a prefix have other names, wherever they stand', async () => {
    await goBehind('name:            sum', 1);
    await rename('total');
    await seenInEditors(page, /define void @total\(\)[\s\S]*# GCN-LABEL: name: total\n[\s\S]*name: {12}total\n/);
    await goBehind('  bb.4:', 2);
    await rename('3');
    await seenInEditors(page, /successors: %bb\.3\n[\s\S]*S_BRANCH %bb\.3\n[\s\S]* {2}bb\.3:/);
    await goToLine(page, lineOf('# GCN: V_LSHL'));
    for (let k = 0; k < 3; k++) await page.keyboard.press('ArrowRight');
    await rename('CHECK');
    await seenInEditors(page, /-check-prefix=CHECK %s\n[\s\S]*# CHECK-LABEL: name: total\n# CHECK: V_LSHL/);
    await picture('renamed');
  });
  await check('a stack object, a value of the IR and a variable of FileCheck, too', async () => {
    await show('names.mir');
    /** The box, once it is there, asks for the name. */
    const renameAt = async (word, left, name) => {
      await goToLine(page, NAMES.split('\n').findIndex((l) => l.includes(word)) + 1);
      await page.keyboard.press('End');
      for (let k = 0; k < left; k++) await page.keyboard.press('ArrowLeft');
      await rename(name);
    };
    await renameAt('%stack.0, implicit', '0, implicit $exec'.length, '3');
    await seenInEditors(page, /- \{ id: 3, size: 4[\s\S]*V_MOV_B32_e32 %stack\.3, implicit/);
    await renameAt('%sum = add', 'um = add i32 %a, 1'.length, '%total');
    await seenInEditors(page, /%total = add i32 %a, 1\n +%twice = add i32 %total, %total/);
    await renameAt('# CHECK: implicit', 'LUE]]'.length, 'MOVED');
    await seenInEditors(page, /\[\[MOVED:%\[0-9\]\+\]\]:vgpr_32[^\n]*\n# CHECK: implicit \[\[MOVED\]\]\n/);
    await picture('names');
  });
  await step('what nothing needs is faded, and goes by the light bulb', async () => {
    await page
      .locator('.squiggly-inline-unnecessary', { hasText: 'V_MOV_B32_e32' })
      .or(page.locator('.squiggly-unnecessary'))
      .first()
      .waitFor({ state: 'attached', timeout: SEEN_MS });
    await picture('unnecessary');
    await (await lightBulbItem(page, lineOf('  bb.2:'), 'Remove bb.2, which nothing reaches')).click();
    await (await lightBulbItem(page, lineOf('%7:vgpr_32'), 'Remove this instruction: nothing reads')).click();
    await (await lightBulbItem(page, lineOf('%1:vgpr_32'), 'Use V_LSHLREV_B32_e32: 4 bytes')).click();
    await seenInEditors(
      page,
      /V_LSHLREV_B32_e32 3, %in, [^\n]*\n[^\n]*V_ADD_U32_e32[^\n]*\n {4}S_BRANCH %bb\.4\n\n {2}bb\.4:/,
    );
    await picture('without');
  });
  await step('a function is copied, and another goes into a file of its own', async () => {
    await (await lightBulbItem(page, lineOf('name:            other'), 'Duplicate function as other_2')).click();
    await seenInEditors(page, /name: {12}other_2\n/);
    // The copy's IR stands above.
    await (await lightBulbItem(page, lineOf('name:            sum') + 4, 'Extract function to sum.mir')).click();
    await page.waitForFunction(
      () => ![...document.querySelectorAll('.view-line')].some((l) => l.textContent.includes('LSHLREV')),
      undefined,
      { timeout: SEEN_MS },
    );
    await picture('extracted');
    await show('sum.mir');
    await seenInEditors(page, /^# RUN: llc [\s\S]*define void @sum\(\)[\s\S]*V_LSHLREV_B32_e64 3, %in/);
    await picture('extracted-file');
  });
  return checks;
}
