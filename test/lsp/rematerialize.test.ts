/**
 * Rematerialization over the protocol: actions with their edits at once or when they are chosen, as the client can; an action that
 * no longer fits; the report; "what if"; hints on request. The text after the quick fix is what llc-22 says it is.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeAction, TextEdit } from 'vscode-languageserver-protocol';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { needsLlc, runLlc } from '../support/llc.js';
import { TestClient } from '../support/lspClient.js';
import { pressureOfLlc } from '../support/printedPressure.js';

const TEXT = readFileSync(join(__dirname, '..', '..', 'examples', 'seven_rows.mir'), 'utf8');
const URI = 'file:///folder/seven_rows.mir';
/** Once the background has allocated the function, titles say what becomes of that. */
const SETTINGS = { codeLens: { allocation: false } };
const RESOLVES = { textDocument: { codeAction: { resolveSupport: { properties: ['edit'] } } } };
const TITLE = 'Rematerialize %half at bb.2 (VGPR -1 in 2 regions, occupancy 7 to 8)';

const at = (word: string, text = TEXT): { line: number; character: number } =>
  TextDocument.create(URI, 'mir', 1, text).positionAt(text.indexOf(word) + 1);

const applied = (edits: readonly TextEdit[]): string =>
  TextDocument.applyEdits(TextDocument.create(URI, 'mir', 1, TEXT), [...edits]);

interface WhatIf {
  readonly effect: string;
  readonly registers: readonly { readonly register: string; readonly alone: string; readonly conflict: string }[];
  readonly edits: TextEdit[] | null;
}

describe('rematerialization over the protocol', () => {
  let client!: TestClient;
  afterEach(async () => {
    await client.shutdown();
  });

  const open = async (options: object = {}): Promise<void> => {
    client = await TestClient.inMemory({ initializationOptions: SETTINGS, ...options });
    client.open(URI, TEXT);
  };
  const actions = async (word = '%half:'): Promise<CodeAction[]> => {
    const start = at(word);
    const params = { textDocument: { uri: URI }, range: { start, end: start }, context: { diagnostics: [] } };
    const all = await client.ask<CodeAction[]>('textDocument/codeAction', params);
    return all.filter((a) => /remat/i.test(a.title));
  };

  it('a client that resolves gets the edit when it asks for it', async () => {
    await open({ capabilities: RESOLVES });
    const [first, ...others] = await actions();
    assert.equal(first!.title, TITLE);
    assert.equal(first!.edit, undefined);
    // One entry per edit: to reach 8 waves is the same here, and so is what the scheduler would do.
    assert.deepEqual(others, []);
    const resolved = await client.ask<CodeAction>('codeAction/resolve', first!);
    assert.equal(resolved.title, TITLE);
    const text = applied(resolved.edit!.changes![URI]!);
    assert.equal(text.indexOf('%half:vgpr_32') > text.indexOf('bb.2.store:'), true);
  });

  it('any other client gets it at once, and llc-22 counts the same', async function () {
    await open();
    const [first] = await actions('%half, implicit $mode');
    assert.equal(first!.title, TITLE);
    const text = applied(first!.edit!.changes![URI]!);
    needsLlc(this);
    const args = ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx906'];
    assert.equal(runLlc([...args, '-run-pass=none', '-o', '/dev/null'], text).status, 0);
    const peak = (t: string): number =>
      pressureOfLlc(runLlc([...args, '-run-pass=amdgpu-print-rp', '-filetype=null'], t).stderr, 'seven_rows')!.vgprs;
    assert.deepEqual([peak(TEXT), peak(text)], [33, 32]);
  });

  it('an action that no longer fits the text is refused', async () => {
    await open({ capabilities: RESOLVES });
    const [first] = await actions();
    client.replace(URI, '%half:vgpr_32 = V_MOV_B32_e32 1056964608, implicit $exec', '%half:vgpr_32 = COPY %lane');
    await assert.rejects(client.ask<CodeAction>('codeAction/resolve', first!), /has changed/);
  });

  it('the report: sets, each register, near misses, the stage of the scheduler', async () => {
    await open();
    const report = await client.ask<string>('amdgpuMir/rematReport', {
      textDocument: { uri: URI },
      position: at('%half:'),
    });
    assert.match(
      report,
      /^seven_rows: occupancy 7 of 10 \(VGPR\), next wave: -1 VGPR\ngfx906 wave64, LLVM 24\.0\.0git\n/,
    );
    assert.match(report, /occupancy 8 with 1 register, the smallest set: .*\n +%half\n/);
    assert.match(report, /%half, line 34: VGPR -1 in 2 regions, occupancy 7 to 8\n +before line 76 \(bb\.2\)/);
    assert.match(report, /not %lane, line 31, 1 VGPR: COPY cannot be rematerialized/);
    assert.match(report, /\nrematerialization \(LLVM 24\): /);
  });

  it('what if: the effect of what is ticked, and the edit', async () => {
    await open();
    const ask = (registers: string[], withEdits = false): Promise<WhatIf> =>
      client.ask<WhatIf>('amdgpuMir/rematWhatIf', {
        textDocument: { uri: URI },
        position: at('%half:'),
        registers,
        withEdits,
      });
    const none = await ask([]);
    assert.equal(none.effect, 'no region changes its live peak, occupancy stays 7');
    assert.deepEqual(
      none.registers.map((r) => `${r.register} ${r.alone}`),
      ['%column VGPR -1 in 3 regions, occupancy 7 to 8', '%half VGPR -1 in 2 regions, occupancy 7 to 8'],
    );
    const both = await ask(['%column', '%half'], true);
    assert.equal(both.effect, 'VGPR -1 to -2 in 3 regions, occupancy 7 to 8');
    assert.equal(applied(both.edits!).match(/%column:vgpr_32|%column_1:vgpr_32/g)?.length, 2);
  });

  it('hints only when they are asked for', async () => {
    const settings = { ...SETTINGS, diagnostics: { rematerialization: true } };
    await open({ initializationOptions: settings, settings });
    const found = await client.diagnostics(URI);
    assert.deepEqual(
      found.map((d) => [d.code, d.severity, d.message]),
      [
        ['rematerialize', 4, '%column can be rematerialized at bb.1, bb.2: VGPR -1 in 3 regions, occupancy 7 to 8'],
        ['rematerialize', 4, '%half can be rematerialized at bb.2: VGPR -1 in 2 regions, occupancy 7 to 8'],
      ],
    );
    const params = { textDocument: { uri: URI }, range: found[1]!.range, context: { diagnostics: [found[1]!] } };
    const [fix] = await client.ask<CodeAction[]>('textDocument/codeAction', params);
    assert.equal(fix!.title, TITLE);
    assert.deepEqual(fix!.diagnostics, [found[1]]);
  });
});
