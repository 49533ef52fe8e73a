/** The light bulb's single fixes and rewrites over the protocol: a text, the title of the action, the text that comes of it, which llc-22 takes. */
import assert from 'node:assert/strict';
import type { CodeAction, Diagnostic } from 'vscode-languageserver-types';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { TestClient } from '../support/lspClient.js';
import { needsLlc, runLlc } from '../support/llc.js';

const TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.3
    liveins: $vgpr0, $sgpr4

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_LSHLREV_B32_e64 3, %0, implicit $exec
    %5:vgpr_32 = V_NOT_B32_e32 %1, implicit $exec
    S_BRANCH %bb.3

  bb.2:
    successors: %bb.3

    S_BRANCH %bb.3

  bb.3:
    S_ENDPGM 0, implicit %5
...
---
name:            g
tracksRegLiveness: true
noVRegs:         true
body:             |
  bb.0:
    liveins: $sgpr4

    $sgpr5 = COPY $sgpr4
    S_ENDPGM 0, implicit $sgpr5
...
`;

const G = TEST.slice(TEST.indexOf('---\nname:            g'));

interface Row {
  readonly what: string;
  /** changes to the test before the action */
  readonly from?: readonly (readonly [string, string])[];
  /** the cursor stands after the first line of it */
  readonly at: string;
  readonly title: string;
  /** what the action changes */
  readonly to: readonly (readonly [string, string])[];
  /** llc rejects the text before it */
  readonly isRepair?: true;
}

const UNUSED = '    %7:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n';
const BLOCK = '  bb.2:\n    successors: %bb.3\n\n    S_BRANCH %bb.3\n\n';

const ROWS: readonly Row[] = [
  {
    what: 'a block that nothing reaches',
    at: '  bb.2:',
    title: 'Remove bb.2, which nothing reaches',
    to: [[BLOCK, '']],
  },
  {
    what: 'a register that nothing reads',
    from: [['    S_BRANCH %bb.3\n', `${UNUSED}    S_BRANCH %bb.3\n`]],
    at: '%7',
    title: 'Remove this instruction: nothing reads what it writes',
    to: [[UNUSED, '']],
  },
  {
    what: 'a shorter encoding',
    at: '%1:vgpr_32',
    title: 'Use V_LSHLREV_B32_e32: 4 bytes instead of 8',
    to: [['V_LSHLREV_B32_e64', 'V_LSHLREV_B32_e32']],
  },
  {
    what: 'missing live-ins of a block',
    from: [['    liveins: $sgpr4\n\n    $sgpr5', '\n    $sgpr5']],
    at: '  bb.0:\n\n    $sgpr5',
    title: 'Add $sgpr4 to the live-ins of bb.0',
    to: [['\n    $sgpr5 =', '    liveins: $sgpr4\n\n    $sgpr5 =']],
    isRepair: true,
  },
  {
    what: 'successors as the branches have them',
    from: [['    successors: %bb.3\n    liveins', '    liveins']],
    at: '  bb.0:',
    title: 'Write the successors of bb.0: %bb.3',
    to: [['    liveins: $vgpr0', '    successors: %bb.3\n    liveins: $vgpr0']],
  },
  {
    what: 'tracksRegLiveness',
    from: [['name:            g\ntracksRegLiveness: true\n', 'name:            g\n']],
    at: 'name:            g',
    title: 'Add tracksRegLiveness: true',
    to: [['name:            g\n', 'name:            g\ntracksRegLiveness: true\n']],
  },
  {
    what: 'an entry of registers:',
    from: [
      ['name:            f\n', 'name:            f\nregisters:\n  - { id: 0, class: vgpr_32 }\n'],
      ['%5:vgpr_32', '%5'],
    ],
    at: '%5',
    title: 'Add %5 to registers: as vgpr_32',
    to: [['  - { id: 0, class: vgpr_32 }\n', '  - { id: 0, class: vgpr_32 }\n  - { id: 5, class: vgpr_32 }\n']],
    isRepair: true,
  },
  {
    what: 'a list of all registers',
    at: 'name:            f',
    title: 'Write the classes into registers:',
    to: [
      [
        'name:            f\n',
        'name:            f\nregisters:\n  - { id: 0, class: vgpr_32 }\n  - { id: 1, class: vgpr_32 }\n  - { id: 5, class: vgpr_32 }\n',
      ],
    ],
  },
  {
    what: 'a split',
    at: '%5:vgpr_32',
    title: 'Split bb.0 here, into bb.4',
    to: [
      ['    successors: %bb.3\n    liveins', '    successors: %bb.4\n    liveins'],
      ['    %5:vgpr_32', '\n  bb.4:\n    successors: %bb.3\n\n    %5:vgpr_32'],
    ],
  },
  {
    what: 'a swap',
    from: [['    S_BRANCH %bb.3\n', `${UNUSED}    S_BRANCH %bb.3\n`]],
    at: '%7',
    title: 'Swap with the line above',
    to: [
      [UNUSED, ''],
      ['    %5:vgpr_32', `${UNUSED}    %5:vgpr_32`],
    ],
  },
  { what: 'compact registers', at: '%5', title: 'Renumber registers', to: [['%5', '%2']] },
  {
    what: 'compact blocks',
    at: '  bb.3',
    title: 'Renumber blocks',
    to: [
      ['bb.2', 'bb.1'],
      ['bb.3', 'bb.2'],
    ],
  },
  { what: 'a name', at: '%5', title: 'Name %5 %not', to: [['%5', '%not']] },
  {
    what: 'a copy of a function',
    at: 'name:            g',
    title: 'Duplicate function as g_2',
    to: [[G, G + G.replace('name:            g', 'name:            g_2')]],
  },
];

const URI = 'file:///folder/rewrites.mir';
const all = (text: string, changes: Row['to']): string =>
  changes.reduce((result, [from, to]) => {
    assert.ok(result.includes(from), `no ${from}`);
    return /^(?:%\d|bb\.\d)$/.test(from) ? result.replaceAll(from, to) : result.replace(from, () => to);
  }, text);

describe('the light bulb over the protocol', () => {
  let client: TestClient;
  before(async () => {
    client = await TestClient.inMemory({
      capabilities: {
        workspace: {
          configuration: true,
          workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'] },
        },
        textDocument: { publishDiagnostics: { tagSupport: { valueSet: [1, 2] } } },
      },
      settings: { diagnostics: { unnecessary: true } },
    });
  });
  after(() => client.shutdown());

  const actionsAt = (text: string, word: string): Promise<CodeAction[]> => {
    client.open(URI, text);
    const position = TextDocument.create(URI, 'mir', 1, text).positionAt(
      text.indexOf(word) + word.split('\n')[0]!.length,
    );
    return client.ask('textDocument/codeAction', {
      textDocument: { uri: URI },
      range: { start: position, end: position },
      context: { diagnostics: [], triggerKind: 1 },
    });
  };
  const status = (text: string): number | null =>
    runLlc(['-x', 'mir', '-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-o', '-'], text).status;

  for (const { what, from = [], at, title, to, isRepair } of ROWS)
    it(`${what}: ${title}`, async function () {
      const text = all(TEST, from);
      const actions = await actionsAt(text, at);
      const action = actions.find((a) => a.title === title);
      assert.ok(action, actions.map((a) => a.title).join('\n'));
      const { edit } = (action.edit ? action : await client.ask('codeAction/resolve', action)) as CodeAction;
      const document = TextDocument.create(URI, 'mir', 1, text);
      const result = TextDocument.applyEdits(document, edit!.changes![URI]!);
      const own = TEST.slice(TEST.indexOf('---\nname:            g'));
      const copy = own + own.replace('name:            g', 'name:            g_2');
      assert.equal(
        result,
        all(text, to).replace('§', () => copy),
      );
      client.close(URI);
      needsLlc(this);
      assert.equal(status(result), 0);
      if (isRepair) assert.notEqual(status(text), 0, 'nothing was to be repaired');
    });

  it('a function in a file of its own', async () => {
    const actions = await actionsAt(TEST, 'name:            g');
    const action = actions.find((a) => a.title === 'Extract function to g.mir');
    const changes = action?.edit?.documentChanges as { kind?: string; uri?: string; edits?: { newText: string }[] }[];
    assert.deepEqual([changes[0]!.kind, changes[0]!.uri], ['create', 'file:///folder/g.mir']);
    const g = TEST.length - G.length;
    assert.equal(changes[1]!.edits![0]!.newText, TEST.slice(0, TEST.indexOf('---\n')) + G);
    assert.equal(
      TextDocument.applyEdits(TextDocument.create(URI, 'mir', 1, TEST), changes[2]!.edits as never),
      TEST.slice(0, g),
    );
    client.close(URI);
  });

  it('hints fade what could go, and say what could be shorter', async () => {
    const uri = 'file:///folder/hints.mir';
    client.open(uri, all(TEST, [['    S_BRANCH %bb.3\n', `${UNUSED}    S_BRANCH %bb.3\n`]]));
    const found: Diagnostic[] = await client.diagnostics(uri);
    assert.deepEqual(
      found.map((d) => [d.code, d.severity, d.tags ?? []]),
      [
        ['unreachable-block', 4, [1]],
        ['unused-register', 4, [1]],
        ['shorter-encoding', 4, []],
      ],
    );
    client.close(uri);
  });
});
