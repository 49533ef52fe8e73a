/** Semantic tokens: what each word is, ranges, and that a delta turns the old tokens into the new ones. */
import assert from 'node:assert/strict';
import type { SemanticTokensDelta } from 'vscode-languageserver-types';
import { SEMANTIC_TOKENS_LEGEND } from '../../../server/src/features/tokens/semanticLegend.js';
import {
  provideSemanticTokens,
  provideSemanticTokensDelta,
  provideSemanticTokensRange,
} from '../../../server/src/features/tokens/semanticTokens.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { openText, URI } from '../../support/cursor.js';

const MIR = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s
---
name:            f
tracksRegLiveness: true
registers:
  - { id: 0, class: vgpr_32 }
body:             |
  bb.0:
    liveins: $vgpr0, $sgpr4_sgpr5

    %0 = COPY $vgpr0
    %a:agpr_32 = V_ACCVGPR_WRITE_B32_e64 killed %0, implicit $exec
    undef %1.sub0:sreg_64 = S_MOV_B32 0
    %2:av_32 = COPY %a
    dead %3:vgpr_32 = V_MOV_B32_e32 undef %0, implicit $exec
    S_BRANCH %bb.1

  bb.1:
    S_ENDPGM 0
...
`;

const BEHIND = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr0

    %0:vgpr_32 = COPY $vgpr0
    %2:sreg_64 = V_CMP_EQ_U32_e64 %0, 1, implicit $exec
    S_BRANCH %bb.1

  bb.1:
    successors: %bb.1, %bb.2
    %4:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    SI_LOOP %2, %bb.1, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.2

  bb.2:
    %5:vgpr_32 = V_ADD_U32_e32 %4, %4, implicit $exec
    S_ENDPGM 0
...
`;

/** `line:column text type+modifier...` */
function decode(text: string, data: readonly number[]): string[] {
  const lines = text.split('\n');
  const { tokenTypes, tokenModifiers } = SEMANTIC_TOKENS_LEGEND;
  const result: string[] = [];
  let line = 0;
  let column = 0;
  for (let i = 0; i < data.length; i += 5) {
    const [deltaLine, deltaColumn, length, type, modifiers] = data.slice(i, i + 5) as [
      number,
      number,
      number,
      number,
      number,
    ];
    line += deltaLine;
    column = deltaLine === 0 ? column + deltaColumn : deltaColumn;
    const words = tokenModifiers.filter((_, bit) => (modifiers & (1 << bit)) !== 0);
    const word = lines[line]!.slice(column, column + length);
    result.push([`${line + 1}:${column + 1} ${word} ${tokenTypes[type]}`, ...words].join(' +'));
  }
  return result;
}

const ALL = [
  '3:18 f global +declaration +definition',
  '6:11 0 vgpr +declaration',
  '8:3 bb.0 block +declaration',
  '9:14 $vgpr0 vgpr +definition',
  '9:22 $sgpr4_sgpr5 sgpr +definition',
  '11:5 %0 vgpr +definition +divergent',
  '11:10 COPY opcode',
  '11:15 $vgpr0 vgpr',
  '12:5 %a agpr +definition +divergent',
  '12:8 agpr_32 registerClass',
  '12:18 V_ACCVGPR_WRITE_B32_e64 opcode',
  '12:49 %0 vgpr +kill +divergent',
  '12:62 $exec register +implicit',
  '13:11 %1 sgpr +definition +undef +uniform',
  '13:14 sub0 subRegister',
  '13:19 sreg_64 registerClass',
  '13:29 S_MOV_B32 opcode',
  '14:5 %2 avRegister +definition +divergent',
  '14:8 av_32 registerClass',
  '14:16 COPY opcode',
  '14:21 %a agpr +divergent',
  '15:10 %3 vgpr +definition +dead +divergent',
  '15:13 vgpr_32 registerClass',
  '15:23 V_MOV_B32_e32 opcode',
  '15:43 %0 vgpr +undef +divergent',
  '15:56 $exec register +implicit',
  '16:5 S_BRANCH opcode',
  '16:14 %bb.1 block',
  '18:3 bb.1 block +declaration',
  '19:5 S_ENDPGM opcode',
];

describe('semantic tokens', () => {
  it('name the bank of each register and what happens to it', () => {
    const { snapshot, text } = openText(MIR);
    assert.deepEqual(decode(text, provideSemanticTokens(snapshot, null, NEVER_CANCELLED)!.data), ALL);
  });

  it('of a range are those of the whole that touch it', () => {
    const { snapshot, text } = openText(MIR);
    for (let from = 0; from < 20; from += 3) {
      const range = { start: { line: from, character: 0 }, end: { line: from + 4, character: 0 } };
      const { data } = provideSemanticTokensRange(snapshot, { range }, NEVER_CANCELLED)!;
      const inRange = ALL.filter((t) => from < parseInt(t) && parseInt(t) <= from + 4);
      assert.deepEqual(decode(text, data), inRange);
    }
  });

  it('a delta gives the tokens of the new text', () => {
    const { host, snapshot } = openText(MIR);
    const first = provideSemanticTokens(snapshot, null, NEVER_CANCELLED)!;
    let { data } = first;
    let previousResultId = first.resultId!;
    const edits: [number, number, string][] = [
      [11, 0, '    S_NOP 0\n'],
      [15, 4, '%9:sreg_32 = S_MOV_B32 1\n    '],
      [10, 0, ''],
      [16, 2, ';'],
    ];
    edits.forEach(([line, character, text], k) => {
      const start = { line, character };
      host.change(URI, k + 2, [{ range: { start, end: start }, text }]);
      const after = host.snapshot(URI)!;
      const delta = provideSemanticTokensDelta(after, { previousResultId }, NEVER_CANCELLED) as SemanticTokensDelta;
      data = [...data];
      for (const e of delta.edits) data.splice(e.start, e.deleteCount, ...(e.data ?? []));
      previousResultId = delta.resultId!;
      assert.deepEqual(data, provideSemanticTokensRange(after, WHOLE, NEVER_CANCELLED)!.data, `edit ${k}`);
      assert.ok(
        delta.edits.every((e) => (e.data?.length ?? 0) < 50),
        'only what changed is sent',
      );
    });
  });

  it('all tokens come again when the earlier result is not known', () => {
    const { snapshot, text } = openText(MIR);
    const answer = provideSemanticTokensDelta(snapshot, { previousResultId: '77' }, NEVER_CANCELLED);
    assert.deepEqual(decode(text, (answer as { data: number[] }).data), ALL);
  });

  it('tell a value after the cycle that lanes leave at different times from the same value inside it', () => {
    const { snapshot, text } = openText(BEHIND);
    const tokens = decode(text, provideSemanticTokens(snapshot, null, NEVER_CANCELLED)!.data);
    const of = (name: string): string[] =>
      tokens.filter((t) => t.includes(` ${name} `)).map((t) => t.replace(/:\d+/, ''));
    assert.deepEqual(of('%4'), ['16 %4 vgpr +definition +uniform', '21 %4 vgpr +divergent', '21 %4 vgpr +divergent']);
    assert.deepEqual(of('%2'), ['11 %2 sgpr +definition +laneMask', '17 %2 sgpr +laneMask']);
  });

  it('say so of the new text after an edit far away', () => {
    const { host, snapshot } = openText(BEHIND);
    const first = provideSemanticTokens(snapshot, null, NEVER_CANCELLED)!;
    // The branch is uniform now; the chunk that reads %4 has not changed.
    const start = { line: 16, character: 4 };
    const end = { line: 16, character: BEHIND.split('\n')[16]!.length };
    host.change(URI, 2, [{ range: { start, end }, text: 'S_CBRANCH_SCC1 %bb.1, implicit undef $scc' }]);
    const after = host.snapshot(URI)!;
    const params = { previousResultId: first.resultId! };
    const delta = provideSemanticTokensDelta(after, params, NEVER_CANCELLED) as SemanticTokensDelta;
    const data = [...first.data];
    for (const e of delta.edits) data.splice(e.start, e.deleteCount, ...(e.data ?? []));
    assert.deepEqual(data, provideSemanticTokensRange(after, WHOLE, NEVER_CANCELLED)!.data);
    const tokens = decode(after.text.text, data);
    assert.ok(tokens.includes('21:32 %4 vgpr +uniform'), tokens.join('\n'));
  });
});

const WHOLE = { range: { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } } };
