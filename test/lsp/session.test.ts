/** Sessions of an editor with the real server: opening, editing, asking, settings, targets. Numbers are llc-22's. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetComparison } from '../../server/src/lsp/common/customRequests.js';
import { TestClient } from '../support/lspClient.js';

const examples = join(__dirname, '..', '..', 'examples');
const SAXPY = readFileSync(join(examples, 'saxpy.mir'), 'utf8');
const TARGETS = readFileSync(join(examples, 'targets.mir'), 'utf8');
const URI = 'file:///folder/a.mir';

/** A function whose numbers are easy to see: `llc-22 -mtriple=amdgcn -mcpu=gfx900 -run-pass=amdgpu-print-rp` says 0/0, 0/1, 0/2, 0/3. */
const SMALL = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            small
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0, $vgpr1

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:vgpr_32 = V_ADD_U32_e32 %0, %1, implicit $exec
    S_ENDPGM 0, implicit %0, implicit %1, implicit %2
...
`;

describe('language server', () => {
  let client: TestClient;
  afterEach(() => client.shutdown());

  it('says what it can do', async () => {
    client = await TestClient.inMemory();
    const { capabilities, serverInfo } = client.initializeResult;
    assert.equal(capabilities.textDocumentSync !== undefined, true);
    assert.equal(capabilities.hoverProvider, true);
    assert.match(serverInfo!.name, /LLVM 22\.1\.8/);
  });

  it('has no complaint about a file that llc accepts', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SAXPY);
    assert.deepEqual(await client.diagnostics(URI), []);
  });

  it('hovers with pressure before and after', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SMALL);
    const text = await client.hover(URI, 'V_ADD_U32_e32');
    assert.match(text, /VGPR 2 → \*\*3\*\*/);
    assert.match(text, /of 24 for 10 waves/);
    assert.match(text, /occupancy \*\*10\*\* of 10/);
    assert.match(text, /gfx900 wave64, LLVM 24\.0\.0git/);
  });

  it('hovers with the meaning of header keys', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SMALL);
    assert.match(await client.hover(URI, 'tracksRegLiveness'), /kill flags of physical registers/);
  });

  it('shows occupancy, limiter, peak and the way to the next wave in a lens', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SAXPY);
    const lenses = await client.lenses(URI);
    const line = SAXPY.split('\n').findIndex((l) => l.startsWith('name:'));
    assert.ok(
      lenses.every((l) => l.startsWith(`${line}: `)),
      lenses.join('\n'),
    );
    assert.match(lenses.join('\n'), /^\d+: occupancy 8 of 8/m);
    assert.match(lenses.join(' '), /live peak VGPR 10 at line \d+/);
  });

  it('puts hints at the ends of the lines asked for', async () => {
    client = await TestClient.inMemory({ settings: { inlayHints: { mode: 'all' } } });
    client.open(URI, SMALL);
    // What lives after each instruction, as amdgpu-print-rp prints it below the instruction.
    assert.deepEqual(await client.hints(URI), ['8: VGPR 1', '9: VGPR 2', '10: VGPR 3', '11: VGPR 0']);
    assert.deepEqual(await client.hints(URI, 9, 10), ['9: VGPR 2', '10: VGPR 3']);
  });

  it('hints only at changes or peaks when asked', async () => {
    client = await TestClient.inMemory({ settings: { inlayHints: { mode: 'changes' } } });
    client.open(URI, SMALL);
    assert.deepEqual(await client.hints(URI), ['8: VGPR 1', '9: VGPR 2', '10: VGPR 3', '11: VGPR 0']);
    await client.shutdown();
    client = await TestClient.inMemory({ settings: { inlayHints: { mode: 'peaks' } } });
    client.open(URI, SMALL);
    assert.deepEqual(await client.hints(URI), ['10: live peak VGPR 3']);
    await client.shutdown();
    client = await TestClient.inMemory({ settings: { inlayHints: { mode: 'off' } } });
    client.open(URI, SMALL);
    assert.deepEqual(await client.hints(URI), []);
  });

  it('lists functions and blocks', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SAXPY);
    const symbols = await client.symbols(URI);
    assert.deepEqual(
      symbols.map((s) => s.name),
      ['saxpy'],
    );
    assert.deepEqual(
      symbols[0]!.children!.map((s) => s.name),
      ['bb.0.entry', 'bb.1.body', 'bb.2.exit'],
    );
    assert.equal(
      symbols[0]!.selectionRange.start.line,
      SAXPY.split('\n').findIndex((l) => l.startsWith('name:')),
    );
  });

  it('reports an unknown opcode on its word with the words of llc, and takes it back', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SMALL);
    assert.deepEqual(await client.diagnostics(URI), []);
    client.replace(URI, 'V_ADD_U32_e32', 'V_ADD_U33_e32');
    const [found, ...more] = await client.diagnostics(URI);
    assert.equal(more.length, 0);
    assert.equal(found!.message, "unknown machine instruction name 'V_ADD_U33_e32'");
    assert.deepEqual(found!.range, { start: { line: 10, character: 17 }, end: { line: 10, character: 30 } });
    client.replace(URI, 'V_ADD_U33_e32', 'V_ADD_U32_e32');
    assert.deepEqual(await client.diagnostics(URI), []);
  });

  it('reports what the machine verifier rejects', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SMALL.replace(', implicit %2', ', implicit %2, implicit $vgpr7'));
    const [found] = await client.diagnostics(URI);
    assert.match(String(found!.message), /^Using an undefined physical register/);
    assert.equal(found!.range.start.line, 11);
  });

  it('an error in one function leaves the other whole', async () => {
    client = await TestClient.inMemory();
    const second = SMALL.slice(SMALL.indexOf('---')).replace('small', 'second');
    client.open(URI, SMALL.replace('V_ADD_U32_e32', 'V_ADD_') + second);
    assert.equal((await client.diagnostics(URI)).length, 1);
    const line = client
      .text(URI)
      .split('\n')
      .findIndex((l) => /^name: +second/.test(l));
    const lenses = await client.lenses(URI);
    assert.ok(
      lenses.some((l) => l.startsWith(`${line}: occupancy 10 of 10`)),
      lenses.join('\n'),
    );
    assert.ok(
      lenses.some((l) => l === '2: no pressure: llc rejects this function (line 11)'),
      lenses.join('\n'),
    );
  });

  it('answers a hover with the edits before it', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SMALL);
    client.replace(URI, 'S_ENDPGM 0, implicit %0, implicit %1, implicit %2', 'S_ENDPGM 0, implicit %2');
    assert.match(await client.hover(URI, 'V_ADD_U32_e32'), /VGPR \*\*2\*\* → 1/);
    client.replace(URI, 'implicit %2', 'implicit %0, implicit %2');
    assert.match(await client.hover(URI, 'V_ADD_U32_e32'), /VGPR \*\*2\*\* of/);
  });

  it('keeps the numbers of unchanged lines while a line is half typed, and says so', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SMALL);
    assert.deepEqual(await client.hints(URI), ['8: VGPR 1', '9: VGPR 2', '10: VGPR 3', '11: VGPR 0']);
    client.replace(URI, '    %1:vgpr_32 =', '    %9:vgpr_32 = V_MO\n    %1:vgpr_32 =');
    assert.deepEqual(await client.hints(URI), ['8: VGPR 1', '10: VGPR 2', '11: VGPR 3', '12: VGPR 0']);
    assert.match((await client.lenses(URI)).join(' '), /occupancy 10 of 10.*as it was before line 10 broke/);
    assert.match(await client.hover(URI, 'V_ADD_U32_e32'), /VGPR 2 → \*\*3\*\*[^]*as it was before: line 10/);
    client.replace(URI, '    %9:vgpr_32 = V_MO\n', '');
    assert.doesNotMatch((await client.lenses(URI)).join(' '), /as it was/);
  });

  it('never shows the numbers of another target for a broken function', async () => {
    const settings = { target: { cpu: 'gfx900' } };
    client = await TestClient.inMemory({ settings });
    client.open(URI, SMALL.slice(SMALL.indexOf('---')));
    await client.lenses(URI);
    client.replace(URI, 'V_ADD_U32_e32', 'V_ADD_');
    settings.target.cpu = 'gfx1030';
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await client.until('refresh', () => (client.refreshes.includes('workspace/inlayHint/refresh') ? true : undefined));
    assert.deepEqual(await client.lenses(URI), ['1: no pressure: llc rejects this function (line 10)']);
  });

  it('publishes diagnostics of the last version after a burst of edits, and no version twice', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SMALL);
    const at = SMALL.indexOf('S_ENDPGM');
    for (const c of 'S_NOP 0\n    ') client.edit(URI, at, at, c);
    await client.diagnostics(URI);
    const versions = client.published.filter((p) => p.uri === URI).map((p) => p.version!);
    assert.deepEqual(
      versions,
      [...new Set(versions)].sort((a, b) => a - b),
    );
  });

  it('takes the target from the setting without a RUN line, and follows a change of the setting', async () => {
    const settings = { target: { cpu: 'gfx1030' }, inlayHints: { mode: 'all' } };
    client = await TestClient.inMemory({ settings });
    client.open(URI, SMALL.slice(SMALL.indexOf('---')));
    assert.match(await client.hover(URI, 'V_ADD_U32_e32'), /gfx1030 wave32/);
    settings.target.cpu = 'gfx906';
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await client.until('refresh', () => (client.refreshes.includes('workspace/inlayHint/refresh') ? true : undefined));
    assert.match(await client.hover(URI, 'V_ADD_U32_e32'), /gfx906 wave64/);
  });

  it('reads settings that a client pushes or gives at the start', async () => {
    client = await TestClient.inMemory({ initializationOptions: { target: { cpu: 'gfx908' } } });
    client.open(URI, SMALL.slice(SMALL.indexOf('---')));
    assert.match(await client.hover(URI, 'V_ADD_U32_e32'), /gfx908 wave64/);
    const pushed = { settings: { 'amdgpu-mir': { target: { cpu: 'gfx1200' } } } };
    await client.connection.sendNotification('workspace/didChangeConfiguration', pushed);
    assert.match(await client.hover(URI, 'V_ADD_U32_e32'), /gfx1200 wave32/);
  });

  it('offers the targets of all RUN lines and shows the chosen one', async () => {
    client = await TestClient.inMemory();
    client.open(URI, TARGETS);
    const status = (): Record<string, unknown> | undefined =>
      client.notifications.filter((n) => n.method === 'amdgpuMir/document').map((n) => n.params as never)[
        client.notifications.filter((n) => n.method === 'amdgpuMir/document').length - 1
      ];
    const first = await client.until('status', status);
    assert.equal(first.target, 'gfx900 wave64');
    const labels = (first.targets as { label: string }[]).map((t) => t.label);
    assert.deepEqual(labels, ['gfx900', 'gfx90a', 'gfx1030', 'gfx1100 +wavefrontsize64', 'gfx1201']);
    // 28 VGPRs: 9 waves of 10 on gfx900, all 16 of gfx1030.
    assert.match((await client.lenses(URI))[0]!, /occupancy 9 of 10/);
    await client.connection.sendNotification('amdgpuMir/selectTarget', { uri: URI, index: 2 });
    assert.match((await client.lenses(URI))[0]!, /occupancy 16 of 16/);
    await client.until('status', () => (status()?.target === 'gfx1030 wave32' ? true : undefined));
    await client.connection.sendNotification('amdgpuMir/selectTarget', { uri: URI });
    assert.match((await client.lenses(URI))[0]!, /occupancy 9 of 10/);
  });

  it('compares the targets of a file', async () => {
    client = await TestClient.inMemory();
    client.open(URI, TARGETS);
    const params = { textDocument: { uri: URI }, targets: [{ triple: '', cpu: 'gfx942', features: '' }] };
    const { functions, text } = await client.ask<TargetComparison>('amdgpuMir/compareTargets', params);
    assert.deepEqual(
      functions[0]!.rows.map((r) => `${r.occupancy}/${r.most}`),
      ['9/10', '8/8', '16/16', '16/16', '16/16', '8/8'],
    );
    assert.match(text, /^polynomial\n {2}target/);
  });

  it('the setting of the scheduler model reaches the worker, and a change of it too', async () => {
    const settings = { model: 'llvm-main-2026-01' };
    client = await TestClient.inMemory({ settings });
    client.open(URI, SMALL);
    await client.lenses(URI);
    const explain = (): Promise<string> =>
      client.ask('amdgpuMir/explainSchedule', {
        textDocument: { uri: URI },
        position: { line: 8, character: 4 },
      });
    assert.match(
      await explain(),
      /^@small {2}gfx\d+ wave\d+, LLVM 22\.1\.8, rematerialization of LLVM main of early 2026\n/,
    );
    settings.model = 'llvm-22';
    const refreshed = (): number => client.refreshes.filter((r) => r === 'workspace/inlayHint/refresh').length;
    const before = refreshed();
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await client.until('refresh', () => (refreshed() > before ? true : undefined));
    assert.match(await explain(), /^@small {2}gfx\d+ wave\d+, LLVM 22\.1\.8\n/);
  });

  it('a file of LLVM 24 is read and scheduled with it, and the status says why', async () => {
    const settings = { model: 'auto' };
    client = await TestClient.inMemory({ settings });
    client.open(URI, SMALL.replace('S_ENDPGM 0', 'S_WAITCNT .Vmcnt_0\n    S_ENDPGM 0'));
    const position = { line: 8, character: 4 };
    const explain = (): Promise<string> =>
      client.ask('amdgpuMir/explainSchedule', { textDocument: { uri: URI }, position });
    assert.match(await explain(), /^@small {2}gfx\d+ wave\d+, LLVM 24\.0\.0git\n/);
    const { params } = await client.until('status', () =>
      client.notifications.find((n) => n.method === 'amdgpuMir/document'),
    );
    const { llvm, llvmReason } = params as { llvm: string; llvmReason: string };
    assert.deepEqual([llvm, /mnemonic of S_WAITCNT in line/.test(llvmReason)], ['24.0.0git', true]);
    // The other release refuses it.
    settings.model = 'llvm-22';
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await client.until('another status', () =>
      client.notifications.some((n) => (n.params as { llvm?: string } | null)?.llvm === '22.1.8') ? true : undefined,
    );
    assert.doesNotMatch(String(await explain()), /LLVM 24/);
  });

  it('attributes of a function go before the RUN line, and the status says so', async () => {
    client = await TestClient.inMemory();
    const ir = `--- |
  define void @small() #0 {
    ret void
  }
  attributes #0 = { "target-cpu"="gfx1100" }
...
`;
    client.open(URI, SMALL.replace('---\n', `${ir}---\n`));
    assert.match(await client.hover(URI, 'V_ADD_U32_e32'), /gfx1100 wave32/);
    const { params } = await client.until('status', () =>
      client.notifications.find((n) => n.method === 'amdgpuMir/document'),
    );
    const { target, origin } = params as { target: string; origin: string };
    assert.deepEqual([target, origin], ['gfx1100 wave32', 'function']);
  });

  it('text of the file is no formatting in a hover', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SMALL.replace('COPY $vgpr1', 'COPY $vgpr1 [x](command:evil) <b>'));
    const text = await client.hover(URI, 'V_ADD_U32_e32');
    assert.match(text, /\n\n---\n\n\*\*no pressure\*\*: llc rejects `small` {2}\nline 10: `[^`]*`(?:\n\n---|$)/);
  });

  it('tells its state', async () => {
    client = await TestClient.inMemory();
    client.open(URI, SMALL);
    await client.diagnostics(URI);
    const status = await client.ask<Record<string, unknown>>('amdgpuMir/status', {});
    assert.match(String(status.modelledLLVM), /^22\.1\.8, 24\..* and /);
    assert.deepEqual(status.documents, [{ uri: URI, version: 1, functions: 1 }]);
    assert.equal(status.computedFunctions, 1);
  });

  it('computes one function when one is edited', async () => {
    client = await TestClient.inMemory();
    const one = SMALL.slice(SMALL.indexOf('---'));
    client.open(URI, Array.from({ length: 300 }, (_, i) => one.replace('small', `f${i}`)).join(''));
    await client.diagnostics(URI);
    const computed = async () =>
      (await client.ask<{ computedFunctions: number }>('amdgpuMir/status', {})).computedFunctions;
    assert.equal(await computed(), 300);
    const at = client.text(URI).indexOf('V_ADD_U32_e32', client.text(URI).indexOf('f17'));
    client.edit(URI, at, at, 'nsw ');
    await client.diagnostics(URI);
    assert.equal(await computed(), 301);
  });
});
