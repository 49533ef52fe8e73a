/** What the views beside a source ask for, over the protocol: control flow, the hierarchy of blocks, and the schedule as a conversation. */
import assert from 'node:assert/strict';
import { TextDocument, type TextEdit } from 'vscode-languageserver-textdocument';
import type { TypeHierarchyItem } from 'vscode-languageserver-types';
import { needsLlc, runLlc } from '../support/llc.js';
import { TestClient } from '../support/lspClient.js';

const URI = 'file:///folder/a.mir';
const LLC = ['-x', 'mir', '-mtriple=amdgcn', '-mcpu=gfx90a', '-o', '-'];
const LOOP = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=machine-scheduler -o - %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64_align2 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = COPY $vgpr2

  bb.1:
    successors: %bb.1, %bb.2

    %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec
    %4:vgpr_32 = V_XOR_B32_e32 7, %1, implicit $exec
    %5:vgpr_32 = V_MUL_LO_U32_e64 %4, %4, implicit $exec
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    S_ENDPGM 0, implicit %3, implicit %5
...
`;
/** The load of the second block goes before the PHI, in llc, too. */
const PHIS = LOOP.replace('name:            f', 'name:            phis')
  .replace('    %2:vgpr_32 =', '    %6:vgpr_32 = PHI %1, %bb.0, %5, %bb.1\n    %2:vgpr_32 =')
  .replace('V_XOR_B32_e32 7, %1', 'V_XOR_B32_e32 %6, %2');

interface ControlFlow {
  readonly function: string;
  readonly target: string;
  readonly blocks: readonly { readonly name: string; readonly line: number; readonly frequency: string }[];
  readonly edges: readonly { readonly from: number; readonly to: number; readonly isBack: boolean }[];
  readonly problem: string;
}

interface Scheduled {
  readonly text: string | null;
  readonly edits: TextEdit[];
  readonly rejected: string;
}

interface Pick {
  readonly text: string;
  readonly line: number;
  readonly others: readonly { readonly line: number; readonly isRival: boolean }[];
}

describe('views over the protocol', () => {
  let client!: TestClient;
  before(async () => {
    client = await TestClient.inMemory();
  });
  after(() => client.shutdown());
  afterEach(() => client.close(URI));

  const lineOf = (word: string): number =>
    client
      .text(URI)
      .split('\n')
      .findIndex((l) => l.includes(word));
  const at = (word: string, character = 6): object => ({
    textDocument: { uri: URI },
    position: { line: lineOf(word), character },
  });

  it('control flow follows edits, and says what is missing in a function with an error', async () => {
    client.open(URI, LOOP);
    const flow = await client.ask<ControlFlow>('amdgpuMir/controlFlow', at('name:'));
    assert.deepEqual([flow.function, flow.target, flow.problem], ['f', 'gfx90a wave64', '']);
    assert.deepEqual(
      flow.blocks.map((b) => [b.name, b.line, b.frequency]),
      [
        ['bb.0', 5, '1x'],
        ['bb.1', 11, '2x'],
        ['bb.2', 20, '1x'],
      ],
    );
    assert.deepEqual(
      flow.edges.map(({ from, to, isBack }) => [from, to, isBack]),
      [
        [0, 1, false],
        [1, 1, true],
        [1, 2, false],
      ],
    );
    client.replace(URI, 'successors: %bb.1, %bb.2', 'successors: %bb.1(1), %bb.2(3)');
    const rarer = await client.ask<ControlFlow>('amdgpuMir/controlFlow', at('name:'));
    assert.equal(rarer.blocks[1]!.frequency, '1.33x');
    client.replace(URI, 'V_ADD_U32_e32 %2, %1', 'V_ADD_U32_e32 %2, $scc');
    const broken = await client.ask<ControlFlow>('amdgpuMir/controlFlow', at('name:'));
    assert.deepEqual([broken.blocks.length, broken.problem !== ''], [3, true]);
  });

  it('hierarchy of blocks', async () => {
    assert.equal(client.initializeResult.capabilities.typeHierarchyProvider, true);
    client.open(URI, LOOP);
    const prepare = 'textDocument/prepareTypeHierarchy';
    const [loop] = await client.ask<TypeHierarchyItem[]>(prepare, at('%3:vgpr_32'));
    assert.deepEqual([loop!.name, loop!.detail, loop!.selectionRange.start.line], ['bb.1', 'f', 11]);
    const names = async (side: string): Promise<string[]> =>
      (await client.ask<TypeHierarchyItem[]>(`typeHierarchy/${side}`, { item: loop })).map((i) => i.name);
    assert.deepEqual(await names('supertypes'), ['bb.0', 'bb.1']);
    assert.deepEqual(await names('subtypes'), ['bb.1', 'bb.2']);
    // The item is one of an older text.
    client.replace(URI, '  bb.1:', '  bb.9:');
    assert.deepEqual(await names('subtypes'), []);
    assert.equal(await client.ask(prepare, at('name:')), null);
    await assert.rejects(client.ask('typeHierarchy/subtypes', { item: { name: 7 } }), /typeHierarchy\/subtypes/);
  });

  it('the pick of a line, and a pin that the schedule and its edits have', async function () {
    client.open(URI, LOOP);
    const text = async (pins: object[]): Promise<string> => {
      const answer = await client.ask<Scheduled>('amdgpuMir/scheduledText', { ...at('name:'), pins });
      assert.equal(answer.rejected, '');
      assert.equal(TextDocument.applyEdits(TextDocument.create(URI, 'mir', 1, LOOP), answer.edits), answer.text);
      return answer.text!;
    };
    const place = (word: string, of: string): number => of.split('\n').findIndex((l) => l.includes(word));
    const free = await text([]);
    // Two that do not depend on each other, the other way round.
    const [first, second] = ['%3:vgpr_32', '%4:vgpr_32'].sort((a, b) => place(b, free) - place(a, free));
    const pick = await client.ask<Pick>('amdgpuMir/schedulePick', at(first!));
    assert.equal(pick.line, lineOf(first!));
    assert.ok(pick.others.some((o) => o.line === lineOf(second!)));
    const pins = [{ before: pick.line, after: lineOf(second!) }];
    const pinned = await text(pins);
    assert.ok(place(second!, free) < place(first!, free) && place(first!, pinned) < place(second!, pinned));
    const { text: report } = await client.ask<Pick>('amdgpuMir/schedulePick', { ...at(first!), pins });
    assert.match(report, /\npinned:\n.*: so it is\n/);
    for (const wrong of [[{ before: -1, after: 2 }], [{ before: 1 }], 'all'])
      await assert.rejects(
        client.ask('amdgpuMir/scheduledText', { ...at('name:'), pins: wrong }),
        /scheduledText: .*pins/,
      );
    needsLlc(this);
    assert.equal(runLlc([...LLC, '-run-pass=none'], pinned).status, 0);
  });

  it('a schedule that no reader takes is shown, and says why it is not applied', async function () {
    client.open(URI, PHIS);
    const answer = await client.ask<Scheduled>('amdgpuMir/scheduledText', at('name:'));
    assert.ok(answer.text !== null && answer.text !== PHIS);
    assert.equal(
      answer.rejected,
      'the function has PHIs, and llc would reject the result: Found PHI instruction after non-PHI',
    );
    // The light bulb and the lens do not offer it.
    assert.ok(!(await client.lenses(URI)).some((l) => l.endsWith(': apply')));
    needsLlc(this);
    const { stdout } = runLlc([...LLC, '-run-pass=machine-scheduler'], PHIS);
    assert.match(runLlc([...LLC, '-run-pass=none'], stdout).stderr, /Found PHI instruction after non-PHI/);
  });
});
