/**
 * The scheduler over the protocol, asked of the command as it ships (stdio): the scheduled text, the edits that bring the document
 * there, and the explanation. Orders are llc-22's.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TextDocument, type TextEdit } from 'vscode-languageserver-textdocument';
import { BUILT_COMMANDS } from '../support/builtCommand.js';
import { needsLlc, runLlc } from '../support/llc.js';
import { TestClient } from '../support/lspClient.js';

interface Scheduled {
  readonly function: string;
  readonly target: string;
  readonly text: string | null;
  readonly edits: TextEdit[];
  readonly summary: string;
}

const root = join(__dirname, '..', '..');
const URI = 'file:///folder/a.mir';
const SUBTARGET = ['-mtriple=amdgcn', '-mcpu=gfx900'];

/** The second load goes up, above the first sum, and the flag goes (`llc-22 -run-pass=machine-scheduler`). */
const MOVES = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=machine-scheduler %s
---
name:            moves
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0

    ; CHECK: first
    %at:vgpr_32 = COPY $vgpr0
    %a:vgpr_32 = DS_READ_B32_gfx9 %at, 0, 0, implicit $exec :: (load (s32), addrspace 3)
    %b:vgpr_32 = V_ADD_U32_e32 %a, %a, implicit $exec
    ; CHECK: second
    %c:vgpr_32 = DS_READ_B32_gfx9 %at, 64, 0, implicit $exec :: (load (s32), addrspace 3)
    ; the sum
    %d:vgpr_32 = V_ADD_U32_e32 %b, killed %c, implicit $exec
    DS_WRITE_B32_gfx9 %at, %d, 0, 0, implicit $exec :: (store (s32), addrspace 3)
    S_ENDPGM 0
...
`;
const BROKEN = `---
name:            broken
tracksRegLiveness: true
body:             |
  bb.0:
    %x:vgpr_32 = V_MOVE_B32_e32 0, implicit $exec
    S_ENDPGM 0
...
`;

/** From the first block on: the header names the occupancy, which another pass leaves alone. */
const bodyOf = (printed: string): string => printed.slice(printed.indexOf('\nbody:'));

/** The text, printed by llc, has the order and the flags that llc's scheduler gives to the source. */
function assertLikeLlc(source: string, scheduled: string, subtarget: readonly string[]): void {
  const own = runLlc([...subtarget, '-run-pass=none', '-x=mir', '-o', '-'], scheduled);
  const llc = runLlc([...subtarget, '-run-pass=machine-scheduler', '-x=mir', '-o', '-'], source);
  assert.equal(own.stderr, '');
  assert.equal(bodyOf(own.stdout), bodyOf(llc.stdout));
}

for (const { name: how, command, skipUnlessBuilt } of BUILT_COMMANDS)
  describe(`the schedule over stdio, ${how}`, () => {
    let client!: TestClient;
    before(skipUnlessBuilt);
    before(async () => {
      client = await TestClient.spawn([...command, 'lsp', '--stdio']);
    });
    after(async () => {
      if (client as TestClient | undefined) assert.equal(await client.shutdown(), 0);
    });
    afterEach(() => client.close(URI));

    const at = (line: number): object => ({ textDocument: { uri: URI }, position: { line, character: 0 } });
    const scheduledText = (line: number): Promise<Scheduled> => client.ask('amdgpuMir/scheduledText', at(line));
    const explain = (line: number): Promise<string> => client.ask('amdgpuMir/explainSchedule', at(line));

    it('moves instructions, and leaves comments and CHECK lines where they are', async () => {
      client.open(URI, MOVES);
      const found = await scheduledText(9);
      assert.equal(found.function, 'moves');
      assert.equal(found.target, 'gfx900 wave64, LLVM 24.0.0git');
      assert.equal(
        found.text,
        MOVES.replace(/ {4}%b:[\s\S]*(?=\n {4}DS_WRITE)/, () =>
          [
            '    %c:vgpr_32 = DS_READ_B32_gfx9 %at, 64, 0, implicit $exec :: (load (s32), addrspace 3)',
            '    ; CHECK: second',
            '    %b:vgpr_32 = V_ADD_U32_e32 %a, %a, implicit $exec',
            '    ; the sum',
            '    %d:vgpr_32 = V_ADD_U32_e32 %b, %c, implicit $exec',
          ].join('\n'),
        ),
      );
      assert.match(found.summary, /^region 0: .*length 14 -> 9 cycles/);
    });

    it('gives edits that lead to the same text', async () => {
      client.open(URI, MOVES);
      const found = await scheduledText(9);
      const document = TextDocument.create(URI, 'mir', 1, MOVES);
      assert.equal(found.edits.length, 3);
      assert.equal(TextDocument.applyEdits(document, found.edits), found.text);
    });

    it('has nothing to edit once it is applied', async () => {
      client.open(URI, MOVES);
      const { text } = await scheduledText(9);
      client.edit(URI, 0, MOVES.length, text ?? '');
      assert.deepEqual((await scheduledText(9)).edits, []);
    });

    it('gives the order and the flags of llc', async function () {
      needsLlc(this);
      client.open(URI, MOVES);
      assertLikeLlc(MOVES, (await scheduledText(9)).text ?? '', SUBTARGET);
    });

    for (const [name, cpu] of [
      ['saxpy', 'gfx90a'],
      ['gemm_tile', 'gfx90a'],
      ['targets', 'gfx900'],
    ] as const)
      it(`gives the order of llc for ${name}.mir`, async function () {
        needsLlc(this);
        const source = readFileSync(join(root, 'examples', `${name}.mir`), 'utf8');
        client.open(URI, source);
        const { text } = await scheduledText(source.split('\n').findIndex((line) => line.startsWith('body:')));
        assert.notEqual(text, source);
        assertLikeLlc(source, text ?? '', ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`]);
      });

    it('explains with stages, picks and lines of the document', async () => {
      client.open(URI, MOVES);
      const text = await explain(9);
      assert.match(text, /^@\w+ {2}gfx900 wave64, LLVM 24\.0\.0git\n/);
      assert.match(text, /stage OccInitialSchedule/);
      const lines = [...text.matchAll(/^ +(\d+) +(?:top|bottom) .*\(line (\d+)\)$/gm)];
      assert.deepEqual(
        lines.map((m) => Number(m[1])),
        [1, 2, 3, 4, 5, 6],
      );
      assert.deepEqual(
        lines.map((m) => Number(m[2])).sort((a, b) => a - b),
        [10, 11, 12, 14, 16, 17],
      );
    });

    it('says why a broken function has no schedule, and schedules its neighbour', async () => {
      client.open(URI, MOVES + BROKEN);
      const line = MOVES.split('\n').length + 3;
      const found = await scheduledText(line);
      const why = "not scheduled: unknown machine instruction name 'V_MOVE_B32_e32'";
      assert.equal(found.function, 'broken');
      assert.equal(found.text, null);
      assert.deepEqual(found.edits, []);
      assert.ok(found.summary.startsWith(why), found.summary);
      assert.ok((await explain(line)).startsWith(why));
      const neighbour = await scheduledText(9);
      assert.equal(neighbour.edits.length, 3);
      assert.ok(neighbour.text?.endsWith(BROKEN));
    });

    it('says so when there is no function', async () => {
      client.open(URI, '# nothing\n');
      assert.equal((await scheduledText(0)).summary, 'no function here');
      assert.equal(await explain(0), 'no function here\n');
    });
  });
