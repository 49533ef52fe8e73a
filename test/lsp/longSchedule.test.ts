/**
 * A region whose scheduling takes seconds, or has no end: the editor goes on working meanwhile, sees where the work is, and can end
 * it. Asked of the server as it ships, with its worker threads.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_COMMANDS, UNSHARED } from '../support/builtCommand.js';
import { TestClient } from '../support/lspClient.js';

const BIG = 'file:///folder/big.mir';
const ENDLESS = 'file:///folder/endless.mir';
const SMALL = 'file:///folder/small.mir';
const N_INSTRS = 50_000;

const SMALL_TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            small
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0
    %a:vgpr_32 = COPY $vgpr0
    %b:vgpr_32 = V_ADD_U32_e32 %a, %a, implicit $exec
    S_ENDPGM 0, implicit %b
...
`;

/** One region: groups of eight loads, each with the sum that waits for it, and a store that no load passes. */
function bigText(): string {
  const lines = [
    '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s',
    '---',
    'name:            big',
    'tracksRegLiveness: true',
    'body:             |',
    '  bb.0:',
    '    liveins: $vgpr0',
    '',
    '    %0:vgpr_32 = COPY $vgpr0',
    '    %1:vgpr_32 = COPY $vgpr0',
  ];
  let sum = 1;
  while (lines.length < N_INSTRS) {
    for (let k = 0; k < 8; k++) {
      const load = sum + 1;
      lines.push(
        `    %${load}:vgpr_32 = DS_READ_B32_gfx9 %0, ${k * 8}, 0, implicit $exec :: (load (s32), addrspace 3)`,
        `    %${load + 1}:vgpr_32 = V_ADD_U32_e32 %${load}, %${sum}, implicit $exec`,
      );
      sum = load + 1;
    }
    lines.push(`    DS_WRITE_B32_gfx9 %0, %${sum}, 0, 0, implicit $exec :: (store (s32), addrspace 3)`);
  }
  lines.push('    S_ENDPGM 0', '...', '');
  return lines.join('\n');
}

interface Progress {
  readonly token: string | number;
  readonly value: { readonly kind: string; readonly message?: string; readonly cancellable?: boolean };
}

for (const { name: how, command, skipUnlessBuilt } of [...BUILT_COMMANDS, UNSHARED])
  describe(`a schedule that takes long, ${how}`, function () {
    let client!: TestClient;
    const created: (string | number)[] = [];
    const reported: Progress[] = [];
    const params = (uri: string, more = {}): object => ({
      textDocument: { uri },
      position: { line: 20, character: 0 },
      ...more,
    });

    before(skipUnlessBuilt);
    before(async () => {
      client = await TestClient.spawn([...command, 'lsp', '--stdio'], {
        capabilities: { window: { workDoneProgress: true } },
      });
      client.connection.onRequest('window/workDoneProgress/create', ({ token }: { token: string | number }) => {
        created.push(token);
        return null;
      });
      client.onProgress((p) => reported.push(p as Progress));
      client.open(SMALL, SMALL_TEXT);
      client.open(BIG, bigText());
      assert.deepEqual(await client.diagnostics(BIG), []);
      client.open(ENDLESS, readFileSync(join(__dirname, '..', 'fixtures', 'schedule', 'endless.mir'), 'utf8'));
      assert.deepEqual(await client.diagnostics(ENDLESS), []);
    });
    after(async () => {
      if (client as TestClient | undefined) assert.equal(await client.shutdown(), 0);
    });

    /** Asks, and tells how it ended: an answer or the code of an error. */
    function ask(method: string, uri: string, more = {}): { ended: Promise<unknown>; isOver: () => boolean } {
      let isOver = false;
      const ended = client
        .ask<unknown>(method, params(uri, more))
        .catch((error: { code: number }) => error.code)
        .finally(() => (isOver = true));
      return { ended, isOver: () => isOver };
    }

    it('shows its progress, leaves the editor free, and ends when cancelled', async () => {
      const { ended, isOver } = ask('amdgpuMir/scheduledText', ENDLESS);
      const message = await client.until('a message of the progress', () => {
        const found = reported.find((p) => p.value.message?.includes('region 1 of 1') === true);
        return found;
      });
      assert.deepEqual(created, [message.token]);
      assert.equal(reported.find((p) => p.value.kind === 'begin')?.value.cancellable, true);
      // other documents and the same one are served meanwhile
      assert.match(await client.hover(SMALL, 'V_ADD_U32_e32'), /VGPR/);
      assert.ok(Array.isArray(await client.ask('textDocument/documentLink', { textDocument: { uri: ENDLESS } })));
      assert.equal(isOver(), false, 'still scheduling');
      void client.connection.sendNotification('window/workDoneProgress/cancel', { token: message.token });
      // LSPErrorCodes.RequestCancelled
      assert.equal(await ended, -32800);
      await client.until('the end of the progress', () => reported.find((p) => p.value.kind === 'end'));
    });

    it('is left out of the hovers of its instructions', async () => {
      const hover = await client.hover(ENDLESS, 'V_ADD_U32_e32 %2');
      assert.match(hover, /VGPR/);
      assert.doesNotMatch(hover, /region 0, |waits for/);
      assert.match(await client.hover(SMALL, 'V_ADD_U32_e32'), /region 0, .*\n.*waits for/);
    });

    it('reports to the token of the request where it has one, and ends when the text changes', async () => {
      const before = reported.length;
      const { ended } = ask('amdgpuMir/explainSchedule', ENDLESS, { workDoneToken: 'own' });
      await client.until('progress', () => (reported.length > before + 1 ? true : undefined));
      client.replace(ENDLESS, 'name:            endless', 'name:            other');
      // LSPErrorCodes.ContentModified
      assert.equal(await ended, -32801);
      assert.deepEqual(
        reported.slice(before).map((p) => p.token === 'own'),
        reported.slice(before).map(() => true),
      );
      assert.equal(created.length, 1);
    });

    it('gives the whole schedule to those who wait', async () => {
      const found = (await ask('amdgpuMir/scheduledText', BIG).ended) as {
        text: string;
        edits: unknown[];
        summary: string;
      };
      assert.match(found.summary, /^region 0: .*settled by /);
      assert.notEqual(found.text, null);
      const lines = (text: string): string[] => text.replaceAll('killed ', '').split('\n').sort();
      assert.ok(found.edits.length > N_INSTRS / 2, 'the lines move');
      assert.deepEqual(lines(found.text), lines(client.text(BIG)));
      // kept: the explanation needs no second run, of which there would be progress
      const before = reported.length;
      await ask('amdgpuMir/explainSchedule', BIG, { workDoneToken: 'kept' }).ended;
      assert.ok(!reported.slice(before).some((p) => p.value.message?.includes('region') === true));
    });
  });
