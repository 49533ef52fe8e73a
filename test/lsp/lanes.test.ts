/**
 * The lane story over the protocol: generic registers by bank and type, lane masks by wave size, what selection would take; EXEC and whole
 * waves; the report; modifiers of semantic tokens; moves between SALU and VALU.
 */
import assert from 'node:assert/strict';
import { TextDocument, type TextEdit } from 'vscode-languageserver-textdocument';
import type { CodeAction, SemanticTokens } from 'vscode-languageserver-types';
import { needsLlc, runLlc } from '../support/llc.js';
import { TestClient } from '../support/lspClient.js';
import { pressureOfLlc } from '../support/printedPressure.js';

const URI = 'file:///folder/lanes.mir';

const fileOf = (cpu: string, liveins: string, ...lines: string[]): string =>
  [
    `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=none %s`,
    '---',
    'name: f',
    'tracksRegLiveness: true',
    'machineFunctionInfo:',
    '  isEntryFunction: true',
    'body: |',
    '  bb.0:',
    ...(liveins === '' ? [] : [`    liveins: ${liveins}`]),
    ...lines.map((l) => (l.startsWith('bb.') ? `  ${l}` : `    ${l}`)),
    '...',
    '',
  ].join('\n');

const genericOf = (cpu: string): string =>
  fileOf(
    cpu,
    '$vgpr0, $sgpr4, $sgpr6_sgpr7',
    '%id:_(s32) = COPY $vgpr0',
    '%n:_(s32) = COPY $sgpr4',
    '%p:_(p1) = COPY $sgpr6_sgpr7',
    '%two:_(s32) = G_ADD %n, %n',
    '%less:_(s1) = G_ICMP intpred(ult), %id(s32), %n',
    '%sum:_(s32) = G_SELECT %less(s1), %id, %n',
    'S_ENDPGM 0, implicit %sum(s32), implicit %two(s32), implicit %p(p1), implicit %less(s1)',
  );
const WAVE64 = genericOf('gfx900');
const WAVE32 = genericOf('gfx1100');

const BRANCH = fileOf(
  'gfx900',
  '$vgpr0, $sgpr0',
  '%0:vgpr_32 = COPY $vgpr0',
  '%1:sreg_32_xm0 = COPY $sgpr0',
  '%2:vgpr_32 = V_ADD_U32_e64 %0, %0, 0, implicit $exec',
  '%3:sreg_64 = V_CMP_EQ_U32_e64 %2, %1, implicit $exec',
  '%4:sreg_64 = SI_IF %3, %bb.2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec',
  'bb.1:',
  '%5:vgpr_32 = V_MOV_B32_e32 1, implicit $exec',
  '%6:sreg_64 = ENTER_STRICT_WWM -1, implicit-def $exec, implicit-def $scc, implicit $exec',
  '%7:vgpr_32 = V_MOV_B32_e32 2, implicit $exec',
  '$exec = EXIT_STRICT_WWM %6',
  'bb.2:',
  '%8:vgpr_32 = PHI undef %0, %bb.0, %5, %bb.1',
  'SI_END_CF %4, implicit-def dead $exec, implicit-def dead $scc, implicit $exec',
  'S_ENDPGM 0, implicit %8',
);

const SCALED = fileOf(
  'gfx900',
  '$vgpr0, $sgpr8',
  '%0:vgpr_32 = COPY $vgpr0',
  '%1:sreg_32 = COPY $sgpr8',
  '%2:vgpr_32 = V_LSHLREV_B32_e64 2, %1, implicit $exec',
  '%3:vgpr_32 = V_ADD_U32_e64 %2, 16, 0, implicit $exec',
  '%4:vgpr_32 = V_ADD_U32_e64 %0, 1, 0, implicit $exec',
  'DS_WRITE_B32_gfx9 %0, %4, 0, 0, implicit $exec',
  'DS_WRITE_B32_gfx9 %4, %3, 0, 0, implicit $exec',
  'S_ENDPGM 0',
);

const TWENTY = Array.from({ length: 20 }, (_, k) => k);
/** More scalars than the attribute allows. */
const SPILLING = `--- |
  define amdgpu_kernel void @f() "amdgpu-num-sgpr"="16" { ret void }
...
${fileOf(
  'gfx900',
  '$vgpr0, $sgpr8',
  '%0:vgpr_32 = COPY $vgpr0',
  '%1:sreg_32 = COPY $sgpr8',
  ...TWENTY.map((k) => `%${k + 2}:sreg_32 = S_ADD_I32 %1, ${k}, implicit-def dead $scc`),
  ...TWENTY.flatMap((k) => [
    `%${k + 30}:vgpr_32 = V_XOR_B32_e64 %${k + 2}, %0, implicit $exec`,
    `DS_WRITE_B32_gfx9 %0, %${k + 30}, 0, 0, implicit $exec`,
  ]),
  'S_ENDPGM 0',
)}`;

/** [what, text, where the cursor is, words of the hover] */
const HOVERS: readonly (readonly [string, string, string, ...string[]])[] = [
  [
    'generic registers by bank and type, a lane mask of 64 bits',
    WAVE64,
    'G_SELECT',
    'generic registers: banks vgpr 1 x 32 bit, sgpr 4 x 32 bit, vcc 2 x 32 bit (estimate, banks by divergence)',
    'vgpr 1 x 32 bit: 1 s32',
    'sgpr 4 x 32 bit: 2 s32, 1 p1',
    'vcc 2 x 32 bit: 1 s1',
  ],
  ['a lane mask of 32 bits', WAVE32, 'G_SELECT', 'vcc 1 x 32 bit (estimate', 'vcc 1 x 32 bit: 1 s1'],
  [
    'the bank and class of a mask',
    WAVE64,
    '%less:',
    'selection would take bank vcc, class sreg_64_xexec, SelectionDAG class vreg_1',
  ],
  [
    'the bank and class of a mask in wave32',
    WAVE32,
    '%less:',
    'selection would take bank vcc, class sreg_32_xm0_xexec',
  ],
  [
    'the bank and class of a uniform value',
    WAVE64,
    '%two:',
    'selection would take bank sgpr, class sreg_32 (estimate)',
  ],
  [
    'the bank and class of a divergent value',
    WAVE64,
    '%sum:',
    'selection would take bank vgpr, class vgpr_32 (estimate)',
  ],
  ['the reason', BRANCH, '%2:', 'divergent', 'the work-item'],
  ['where EXEC is narrowed', BRANCH, 'SI_IF', 'EXEC: 5 instructions with fewer lanes, from line 14 to line 22'],
  ['a block with fewer lanes', BRANCH, 'bb.1:', 'all of it with fewer lanes, from line 14 to line 22'],
  [
    'where a whole wave begins',
    BRANCH,
    'ENTER_STRICT_WWM',
    'EXEC: 1 instruction with the whole wave, from line 17 to line 19',
  ],
  ['a block with a whole wave', BRANCH, 'bb.1:', 'EXEC: whole wave from line 17, whole wave until line 19'],
  [
    'a divergent branch',
    BRANCH,
    'bb.0:',
    'divergent branch: lanes part at the end of bb.0 by SI_IF (line 14); they meet in bb.2',
  ],
];

describe('lanes over the protocol', () => {
  let client!: TestClient;
  before(async () => {
    client = await TestClient.inMemory();
  });
  after(() => client.shutdown());
  afterEach(() => client.close(URI));

  const at = (text: string, word: string): { line: number; character: number } =>
    TextDocument.create(URI, 'mir', 1, text).positionAt(text.indexOf(word) + 1);

  for (const [what, text, word, ...words] of HOVERS)
    it(`the hover tells ${what}`, async () => {
      client.open(URI, text);
      const shown = (await client.hover(URI, word))
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[\\`*]/g, '');
      for (const expected of words) assert.ok(shown.includes(expected), `${expected}\n\n${shown}`);
    });

  it('lines that run with fewer lanes or the whole wave, before and after an edit', async () => {
    client.open(URI, BRANCH);
    const lines = async (): Promise<string[]> => {
      const range = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };
      const params = { textDocument: { uri: URI }, range };
      const found = await client.ask<{ line: number[]; narrowed: number[]; whole: number[] }>(
        'amdgpuMir/execLines',
        params,
      );
      return found.line.map((l, k) => `${l + 1}:${found.narrowed[k]}${found.whole[k] === 1 ? ' whole' : ''}`);
    };
    assert.deepEqual(await lines(), ['16:1', '17:1', '18:1 whole', '19:1', '21:1']);
    client.replace(URI, '    %5:', '    ; one line more\n    %5:');
    assert.deepEqual(await lines(), ['17:1', '18:1', '19:1 whole', '20:1', '22:1']);
  });

  it('the report goes from a branch to its source, and says what would break the chain', async () => {
    client.open(URI, BRANCH);
    const params = { textDocument: { uri: URI }, position: at(BRANCH, 'SI_IF') };
    const report = await client.ask<string>('amdgpuMir/whyDivergent', params);
    assert.match(report, /^@f, gfx900 wave64, LLVM 24\.0\.0git\n/);
    assert.match(report, /it reads the lane mask %3\n +%3 comes from V_CMP_EQ_U32_e64 \(line 13\), which reads %2\n/);
    assert.match(report, /the work-item \(line 10\)/);
    assert.match(
      report,
      /V_READFIRSTLANE_B32 of %2 \(line 12\), which its readers take: %3 is computed from uniform values/,
    );
  });

  it('semantic tokens tell uniform, divergent and mask', async () => {
    client.open(URI, BRANCH);
    const { data } = await client.ask<SemanticTokens>('textDocument/semanticTokens/full', {
      textDocument: { uri: URI },
    });
    const { tokenModifiers } = client.initializeResult.capabilities.semanticTokensProvider!.legend;
    const lines = BRANCH.split('\n');
    const seen = new Map<string, string>();
    for (let k = 0, line = 0, character = 0; k < data.length; k += 5) {
      const [down, right, length, , modifiers] = data.slice(k, k + 5) as [number, number, number, number, number];
      character = down === 0 ? character + right : right;
      line += down;
      const lanes = tokenModifiers.filter(
        (m, bit) => /^(uniform|divergent|laneMask)$/.test(m) && (modifiers >> bit) & 1,
      );
      if (lanes.length > 0) seen.set(lines[line]!.slice(character, character + length), lanes.join(' '));
    }
    assert.deepEqual(
      ['%0', '%1', '%2', '%3', '%5', '%8'].map((v) => `${v} ${seen.get(v)}`),
      ['%0 divergent', '%1 uniform', '%2 divergent', '%3 laneMask', '%5 uniform', '%8 divergent'],
    );
  });

  const MOVES: readonly (readonly [string, string, string, RegExp, RegExp])[] = [
    [
      'SALU',
      SCALED,
      '%3:',
      /^Move %2, %3 to the SALU: VGPR -1 in bb\.0, occupancy stays 10$/,
      /%3:sreg_32 = S_ADD_I32 %2, 16, implicit-def dead \$scc/,
    ],
    [
      'VALU',
      SPILLING,
      'f\ntracks',
      /to the VALU: SGPRs too many \d+ to \d+, VGPR \+\d+, occupancy stays \d+$/,
      /:vgpr_32 = V_ADD_U32_e64 %1, \d+, 0, implicit \$exec/,
    ],
  ];
  for (const [unit, text, word, title, line] of MOVES)
    it(`a move to the ${unit} keeps its promise, which llc-22 counts, too`, async function () {
      client.open(URI, text);
      const start = at(text, word);
      const params = { textDocument: { uri: URI }, range: { start, end: start }, context: { diagnostics: [] } };
      const actions = await client.ask<CodeAction[]>('textDocument/codeAction', params);
      const action = actions.find((a) => a.title.includes(` to the ${unit}: `));
      assert.match(action?.title ?? '', title);
      const edits = action!.edit!.changes![URI] as TextEdit[];
      const edited = TextDocument.applyEdits(TextDocument.create(URI, 'mir', 1, text), edits);
      assert.match(edited, line);
      needsLlc(this);
      const vgprs = (t: string): number => {
        const args = ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-verify-machineinstrs'];
        const { status, stderr } = runLlc([...args, '-run-pass=amdgpu-print-rp', '-o', '/dev/null'], t);
        assert.equal(status, 0, stderr);
        return pressureOfLlc(stderr, 'f')!.vgprs;
      };
      const [, promised] = /VGPR ([-+]\d+)/.exec(action!.title)!;
      assert.equal(vgprs(edited) - vgprs(text), Number(promised));
    });
});
