// A test as it is written and repaired: help with operands, layout while typing, what several targets say, the light bulb, hierarchies, the
// command that makes it smaller, and the scheduled diff with a pin.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  SEEN_MS,
  checklist,
  goToLine,
  hoverOver,
  lightBulbItem,
  quickInput,
  runCommand,
  seenInEditors,
} from './walk.mjs';

const TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx906 -run-pass=machine-scheduler -o - %s
# RUN: llc -mtriple=amdgcn -mcpu=gfx1100 -run-pass=machine-scheduler -o - %s
--- |
  define amdgpu_kernel void @sum() {
    unreachable
  }

  define void @callee() {
    ret void
  }

  define void @nobody() {
    ret void
  }
...
---
name:            sum
alignment:       1
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.1(0x80000000)
    liveins: $sgpr0, $sgpr1, $vgpr0

    %0:sgpr_32 = COPY $sgpr0
    %1:sgpr_32 = COPY $sgpr1
    %2:vgpr_32 = COPY $vgpr0
    %3:vgpr_32 = V_ADD_F32_e64 0, %0, 0, %2, 0, 0, implicit $mode, implicit $exec
    %4:vgpr_32 = V_ADD_U32_e64 %2, %3, 0, implicit $exec
    %5:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) @callee, 0, implicit-def dead $scc

  bb.1:
    S_ENDPGM 0, implicit %4, implicit %5, implicit %1
...
---
name:            callee
body:             |
  bb.0:
    SI_RETURN
...
`;
const lineOf = (word) => TEST.split('\n').findIndex((l) => l.includes(word)) + 1;

/** With a finding that one target has; with one that all have and a fix repairs. */
const WRONG = [
  TEST.replace('%0, 0, %2, 0, 0', '%0, 0, %1, 0, 0'),
  TEST.replace('%2, %3, 0, implicit $exec', '%2, %3, 0'),
];
const N_STEPS = 14;

/** @returns list of [what, seen] */
export async function walkWriting({ page, open, workspace }, images) {
  const { checks, check } = checklist(page, images, 'writing');
  const picture = async (name) => {
    await page.waitForTimeout(1000);
    await page.screenshot({ path: join(images, `writing-${name}.png`) });
  };
  const closeSideBar = async () => {
    if (await page.locator('.part.sidebar').isVisible()) await page.keyboard.press('Control+b');
  };
  // All are there before the host looks, which finds new files late.
  for (let k = 0; k < N_STEPS; k++) writeFileSync(join(workspace, `sum${k}.mir`), WRONG[k] ?? TEST);
  let n = 0;
  /** A step has a file of its own, so that what one leaves is no other's matter. */
  const step = (what, use) =>
    check(what, async () => {
      for (let k = 0; k < 3; k++) await page.keyboard.press('Escape');
      const file = `sum${n++}.mir`;
      if (n === 1) {
        await open({ file });
        await page.locator('.codelens-decoration').first().waitFor({ timeout: 60_000 });
        await closeSideBar();
      } else {
        await page.keyboard.press('Control+p');
        await quickInput(page);
        await page.keyboard.type(file);
        await page.locator('.quick-input-list .monaco-list-row', { hasText: file }).first().click({ timeout: SEEN_MS });
      }
      await page.locator('.tab.active', { hasText: file }).first().waitFor({ timeout: SEEN_MS });
      await use();
    });
  const menu = page.locator('.action-widget .monaco-list-row');
  const newLineBehind = async (word) => {
    await goToLine(page, lineOf(word));
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
  };

  await step('findings say on which targets they are', async () => {
    await page.locator('.squiggly-error').first().waitFor({ state: 'attached', timeout: 60_000 });
    await goToLine(page, lineOf('bb.1:'));
    await hoverOver(page, 'V_ADD_F32_e64', 'only on gfx906: VOP* instruction violates constant bus restriction');
    await picture('targets');
    await page.keyboard.press('Escape');
    await page.mouse.move(10, 700);
  });
  await step('fixes say for which targets they hold', async () => {
    const item = await lightBulbItem(page, lineOf('V_ADD_U32_e64'), /all 2 targets/);
    await picture('fixes');
    await item.click();
    await seenInEditors(page, /V_ADD_U32_e64 %2, %3, 0, implicit \$exec/);
  });
  await step('Enter makes the line of an instruction, and help follows its operands', async () => {
    await newLineBehind('COPY $vgpr0');
    await page.keyboard.type('%m:vgpr_32 = V_MAD_U32_U24_e64 %2, ', { delay: 30 });
    await seenInEditors(page, /\n {4}%m:vgpr_32 = V_MAD/);
    await page.keyboard.press('Escape');
    await runCommand(page, 'Trigger Parameter Hints');
    const help = page.locator('.parameter-hints-widget.visible');
    await help.locator('.parameter.active', { hasText: 'src1' }).waitFor({ timeout: SEEN_MS });
    await help.getByText('inline constants').first().waitFor({ timeout: SEEN_MS });
    await picture('signature');
  });
  await step(
    'an accepted opcode: what fits its operand is offered and named, and nothing is wrong until the line is left',
    async () => {
      await newLineBehind('COPY $vgpr0');
      await page.keyboard.type('%m:vgpr_32 = V_MUL_F32_e3', { delay: 30 });
      const list = page.locator('.suggest-widget.visible .monaco-list-row');
      await list.filter({ hasText: 'V_MUL_F32_e32' }).first().click({ timeout: SEEN_MS });
      await page
        .locator('.parameter-hints-widget.visible .parameter.active', { hasText: 'src0' })
        .waitFor({ timeout: SEEN_MS });
      await list.filter({ hasText: '%2' }).first().waitFor({ timeout: SEEN_MS });
      await page.waitForTimeout(1500);
      await picture('placeholder');
      if (await page.locator('.squiggly-error').count()) throw new Error('something is wrong already');
      await list.filter({ hasText: '%2' }).first().click({ timeout: SEEN_MS });
      await page.keyboard.press('Tab');
      await page
        .locator('.parameter-hints-widget.visible .parameter.active', { hasText: 'src1' })
        .waitFor({ timeout: SEEN_MS });
      await list.filter({ hasText: '%2' }).first().waitFor({ timeout: SEEN_MS });
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await goToLine(page, 5);
      await page.locator('.squiggly-error').first().waitFor({ state: 'attached', timeout: SEEN_MS });
    },
  );
  await step('a label that is finished moves out, live-ins to their block', async () => {
    await newLineBehind('S_ENDPGM');
    await page.keyboard.type('bb.7:', { delay: 60 });
    await seenInEditors(page, /\n {2}bb\.7:/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.keyboard.type('liveins:', { delay: 60 });
    await seenInEditors(page, /\n {4}liveins:/);
    await picture('typed');
  });
  await step('Format Document makes the layout of llc', async () => {
    await goToLine(page, lineOf('COPY $sgpr1'));
    await page.keyboard.press('Home');
    await page.keyboard.press('Home');
    await page.keyboard.type('         ');
    await seenInEditors(page, /\n {9,}%1:sgpr_32 =/);
    await page.keyboard.press('Escape');
    await runCommand(page, 'Format Document');
    await seenInEditors(page, /\n {4}%1:sgpr_32 = COPY/);
  });
  await step('a snippet writes a loop', async () => {
    await newLineBehind('S_ENDPGM');
    await page.keyboard.type('loop', { delay: 60 });
    const item = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'a counted loop' }).first();
    await item.waitFor({ timeout: SEEN_MS });
    await picture('snippet');
    await item.click();
    await seenInEditors(page, /bb\.2:\n {4}successors: %bb\.2, %bb\.3/);
    await picture('loop');
  });
  await step('the light bulb has what a function can be made', async () => {
    await lightBulbItem(page, lineOf('name:            sum'), 'Simplify: no successors that llc finds');
    for (const title of ['Duplicate function as sum_2', 'Simplify: no unused IR', 'Extract function'])
      await menu.filter({ hasText: title }).first().waitFor({ timeout: 5000 });
    await picture('function-actions');
  });
  await step('says which dependence forbids a swap', async () => {
    await goToLine(page, lineOf('V_ADD_U32_e64'));
    await page.keyboard.press('End');
    await runCommand(page, 'Refactor...');
    await page.locator('.action-widget').getByText('Show Disabled').first().click({ timeout: SEEN_MS });
    const item = menu.filter({ hasText: 'Swap with the line above' }).first();
    await item.waitFor({ timeout: SEEN_MS });
    await item.hover();
    await picture('swap');
  });
  await step('splits a block', async () => {
    const item = await lightBulbItem(page, lineOf('SI_PC_ADD'), 'Split bb.0 here');
    await item.click();
    await seenInEditors(page, /\n {2}bb\.2:/);
    await picture('split');
  });
  await step('the call hierarchy has the function that is called', async () => {
    await goToLine(page, lineOf('@callee, 0'));
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    for (let k = 0; k < '%5:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) @ca'.length; k++)
      await page.keyboard.press('ArrowRight');
    await runCommand(page, 'Peek Call Hierarchy');
    await page.locator('.call-hierarchy .monaco-list-row', { hasText: 'sum' }).first().waitFor({ timeout: SEEN_MS });
    await picture('calls');
  });
  await step('the type hierarchy of a block has its successors', async () => {
    await goToLine(page, lineOf('bb.0:'));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await runCommand(page, 'Peek Type Hierarchy');
    await page.locator('.type-hierarchy .monaco-list-row', { hasText: 'bb.1' }).first().waitFor({ timeout: SEEN_MS });
    await picture('blocks');
  });
  await step('one command leaves out what the RUN lines do not need', async () => {
    await goToLine(page, lineOf('bb.1:'));
    await runCommand(page, 'AMDGPU MIR: Simplify Test', 'Simplify Test');
    await seenInEditors(page, /\nname: +sum\ntracksRegLiveness/);
    await picture('simplified');
  });

  await open({ file: 'gemm_tile.mir' });
  await check('a click on a line of the schedule opens its pick', async () => {
    const lens = page.locator('.codelens-decoration a', { hasText: 'schedule...' }).first();
    await lens.waitFor({ timeout: 60_000 });
    await closeSideBar();
    await lens.click({ timeout: SEEN_MS });
    await seenInEditors(page, /%a00:vreg_128_align2 = GLOBAL_LOAD/, '.editor.modified');
    await page
      .locator('.editor.modified .view-line', { hasText: /%b00:vreg_128_align2/ })
      .first()
      .click({ position: { x: 60, y: 8 }, timeout: SEEN_MS });
    await seenInEditors(page, /place \d+ of \d+[\s\S]*cycle \d+/);
  });
  await picture('pick');
  await check('an instruction that is pinned stands before the other', async () => {
    await page
      .locator('.editor.modified .view-line', { hasText: /%b00:vreg_128_align2/ })
      .first()
      .click({ position: { x: 60, y: 8 }, timeout: SEEN_MS });
    await runCommand(page, 'Pin This Instruction Before Another');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: /before line/ })
      .first()
      .click({ timeout: SEEN_MS });
    await seenInEditors(page, /pinned:[\s\S]*with: +region[\s\S]*without: +region/);
  });
  await picture('pinned');
  return checks;
}
