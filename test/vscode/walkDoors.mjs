// What a user brings who has no test: a log of every pass, an OpenCL file with debug info, a dump of Triton's.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './host.mjs';
import { SEEN_MS, checklist, goToLine, quickInput, runCommand, seenInEditors } from './walk.mjs';

/** Lines with debug locations, a loop and a call that is inlined. */
const OPENCL = `float twice(float x) { return x + x; }

kernel void blend(global float *out, global const float *in, int n) {
  size_t id = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += twice(in[id + k]);
  out[id] = sum;
}
`;

/** As TRITON_DUMP_MIR writes it: MIR of its own triple without a RUN line, and after the last `---` the graph from which the scheduler starts. */
const TRITON = `--- |
  source_filename = "LLVMDialectModule"
  target triple = "amdgpu9.42-amd-amdhsa"
  define amdgpu_kernel void @k() { ret void }
...
---
name:            k
tracksRegLiveness: true
machineFunctionInfo:
  minNumAGPRs:     0
body:             |
  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e64 %0, %0, 0, implicit $exec
    S_ENDPGM 0, implicit %1
...
---
========== SCHEDULING DAG ==========
region 0 0
node 0 %0 COPY
`;

/** Its files are known by such names. */
const DUMP = `k_${'0'.repeat(64)}.txt`;

/** Of the programs that the walk needs those that are not here; a walk without them is said to be skipped. */
const missing = () => ['llc-22', 'clang-22'].filter((name) => spawnSync(name, ['--version']).error !== undefined);

/** The log that llc writes of a kernel when it prints after each pass. */
function printAfterAll(source) {
  const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx942', '-print-after-all', '-filetype=null', '-'];
  const { stderr } = spawnSync('llc-22', args, { input: source, encoding: 'utf8', timeout: 60_000 });
  return stderr;
}

/** @returns list of [what, seen] */
export async function walkDoors({ page, open, workspace }, images) {
  const { checks, check, picture } = checklist(page, images, 'doors');
  const absent = missing();
  if (absent.length > 0) {
    console.log(`  skipped: walkDoors needs ${absent.join(' and ')}`);
    return [['what is not here is said', true]];
  }
  const lensOf = (pattern) => page.locator('.editor-instance .codelens-decoration', { hasText: pattern }).first();
  const lens = (text) => page.locator('.editor-instance .codelens-decoration a', { hasText: text }).first();
  const status = (pattern) => page.locator('.statusbar-item', { hasText: pattern }).first();
  const hideSideBar = async () => {
    if (await page.locator('.part.sidebar').isVisible()) await page.keyboard.press('Control+b');
  };
  const log = printAfterAll(readFileSync(join(ROOT, 'test', 'fixtures', 'logs', 'kernel.ll'), 'utf8'));
  const passes = log.match(/^# \*\*\* IR Dump After .*:$/gm).length;
  writeFileSync(join(workspace, 'kernel.log'), log);
  writeFileSync(join(workspace, 'blend.cl'), OPENCL);
  writeFileSync(join(workspace, DUMP), TRITON);

  await open({ file: 'kernel.log' });
  await check(`a log of ${passes} passes is recognized, with links above each dump`, async () => {
    if (passes < 61) throw new Error(`${passes} passes`);
    await page.locator('.statusbar-item', { hasText: 'AMDGPU MIR Log' }).first().waitFor({ timeout: 60_000 });
    await hideSideBar();
    const first = log.slice(0, log.indexOf('# *** IR Dump After')).split('\n').length;
    await goToLine(page, first);
    await lens('open as MIR').waitFor({ timeout: 60_000 });
  });
  await picture('doors-log', 640);
  await check('the view draws registers over the passes', async () => {
    await runCommand(page, 'Show Passes of the Log');
    const view = page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
    await view.locator('svg').first().waitFor({ timeout: SEEN_MS });
  });
  await picture('doors-passes', 640);
  await check('a dump opens as MIR with what MIR has', async () => {
    await page.locator('.tab', { hasText: 'kernel.log' }).first().click({ timeout: SEEN_MS });
    await lens('open as MIR').click({ timeout: SEEN_MS });
    // Its function begins below the made-up module, where nobody looks yet.
    await status(/gfx942 wave64/).waitFor({ timeout: SEEN_MS });
  });
  await picture('doors-dump', 640);

  // Without loading the page again: where the extension runs its commands are offered.
  await page.mouse.move(10, 700);
  await page.keyboard.press('Control+p');
  await quickInput(page);
  await page.keyboard.type('blend.cl');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'blend.cl' }).first().click({ timeout: SEEN_MS });
  await check('an OpenCL file shows its MIR, made by the clang on PATH, and numbers stand at its lines', async () => {
    await page.locator('.tab.active', { hasText: 'blend.cl' }).first().waitFor({ timeout: 60_000 });
    await hideSideBar();
    await page.locator('.view-line', { hasText: 'sum += twice' }).first().click({ timeout: SEEN_MS });
    await runCommand(page, 'Show MIR of This File');
    await page.locator('.tab.active', { hasText: 'blend.cl.mir' }).first().waitFor({ timeout: 60_000 });
    await seenInEditors(page, /sum \+= twice\(in\[id \+ k\]\);\s*VGPR \d+, SGPR \d+, \d+ instructions/);
  });
  await picture('doors-opencl', 640);
  await check('Go to MIR leads from a line of the source to its instructions', async () => {
    await page
      .locator('.tab', { hasText: /^blend\.cl$/ })
      .first()
      .click({ timeout: SEEN_MS });
    await page.locator('.view-line', { hasText: 'sum += twice' }).first().click({ timeout: SEEN_MS });
    await runCommand(page, 'Go to MIR');
    await page.locator('.tab.active', { hasText: 'blend.cl.mir' }).first().waitFor({ timeout: SEEN_MS });
  });

  await open({ file: DUMP });
  await check("a dump of Triton's is MIR of LLVM 24 for the target of its triple", async () => {
    await lensOf(/occupancy|llc ends with/).waitFor({ timeout: 60_000 });
    await status(/gfx942 wave64, LLVM 24/).waitFor({ timeout: SEEN_MS });
  });
  await picture('doors-triton', 640);
  return checks;
}
