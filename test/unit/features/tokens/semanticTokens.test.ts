/** Tokens of names of every kind, whole, of ranges, and as changes. */
import assert from 'node:assert/strict';
import type { SemanticTokensDelta } from 'vscode-languageserver-types';
import { SEMANTIC_TOKENS_LEGEND } from '../../../../server/src/features/tokens/semanticLegend.js';
import {
  provideSemanticTokens,
  provideSemanticTokensDelta,
  provideSemanticTokensRange,
} from '../../../../server/src/features/tokens/semanticTokens.js';
import { AnalysisHost } from '../../../../server/src/host/analysisHost.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/program/settings.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText, URI } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none %s
--- |
  define void @f(ptr addrspace(1) %p) #0 {
  entry:
    %x = load i32, ptr addrspace(1) %p, !tbaa !0
    ret void
  }
  declare void @g()
  attributes #0 = { nounwind }
  !0 = !{}
...
---
name:            f
tracksRegLiveness: true
registers:
  - { id: 7, class: vgpr_32 }
  - { id: 8, class: _, preferred-register: '' }
liveins:
  - { reg: '$vgpr0', virtual-reg: '%7' }
fixedStack:
  - { id: 0, size: 4 }
stack:
  - { id: 1, size: 4 }
constants:
  - { id: 0, value: 'i32 1', alignment: 4 }
machineFunctionInfo:
  isEntryFunction: true
  scratchRSrcReg:  '$sgpr0_sgpr1_sgpr2_sgpr3'
body:             |
  bb.0.entry:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4_sgpr5

    %7:vgpr_32 = COPY killed $vgpr0
    undef %a.sub0:areg_64_align2 = V_ACCVGPR_WRITE_B32_e64 %7, implicit $exec
    %b:av_32 = COPY %7
    %c:sreg_64 = V_CMP_EQ_U32_e64 %7, 1, implicit $exec
    %d:vreg_64_align2 = REG_SEQUENCE %7, %subreg.sub0, %7, %subreg.sub1
    $ttmp0 = S_MOV_B32 0
    $agpr1 = IMPLICIT_DEF
    dead $vcc = S_MOV_B64 0, implicit-def $scc, implicit undef $m0
    S_NOP 0, @g, &ext, <mcsymbol sym>, %stack.1, %fixed-stack.0, %const.0
    %8:_(s32) = G_CONSTANT i32 1
    %e:vgpr_32 = GLOBAL_LOAD_DWORD %d, 0, 0, implicit $exec :: (load (s32) from %ir.p, !tbaa !0, addrspace 1)
    S_BRANCH %bb.1

  bb.1:
    successors: %bb.1, %bb.2

    %i:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    SI_LOOP %c, %bb.1, implicit-def dead $exec, implicit-def dead $scc, implicit $exec, implicit %i
    S_BRANCH %bb.2

  bb.2:
    %j:vgpr_32 = V_ADD_U32_e32 %i, killed %i, implicit $exec
    S_ENDPGM 0, implicit %e, implicit %a.sub0
...
---
name: g
body: |
  bb.0:
    S_ENDPGM 0
...
`;

/** By line: each word with its type and modifiers. */
const TOKENS = `
3: @f<global declaration definition> %p<irValue definition>
4: entry<irValue declaration definition>
5: %x<irValue definition> %p<irValue> !0<metadata>
8: @g<global declaration definition>
10: !0<metadata definition>
13: f<global declaration definition>
16: 7<vgpr declaration>
17: 8<register declaration>
19: $vgpr0<vgpr> %7<vgpr>
21: 0<frameObject declaration>
23: 1<frameObject declaration>
25: 0<frameObject declaration>
28: $sgpr0_sgpr1_sgpr2_sgpr3<sgpr>
30: bb.0.entry<block declaration>
31: %bb.1<block>
32: $vgpr0<vgpr definition> $sgpr4_sgpr5<sgpr definition>
34: %7<vgpr definition divergent> vgpr_32<registerClass> COPY<opcode> $vgpr0<vgpr kill>
35: %a<agpr definition undef divergent> sub0<subRegister> areg_64_align2<registerClass> V_ACCVGPR_WRITE_B32_e64<opcode> %7<vgpr divergent> $exec<register implicit>
36: %b<avRegister definition divergent> av_32<registerClass> COPY<opcode> %7<vgpr divergent>
37: %c<sgpr definition laneMask> sreg_64<registerClass> V_CMP_EQ_U32_e64<opcode> %7<vgpr divergent> $exec<register implicit>
38: %d<vgpr definition divergent> vreg_64_align2<registerClass> REG_SEQUENCE<opcode> %7<vgpr divergent> %subreg.sub0<subRegister> %7<vgpr divergent> %subreg.sub1<subRegister>
39: $ttmp0<sgpr definition> S_MOV_B32<opcode>
40: $agpr1<agpr definition> IMPLICIT_DEF<opcode>
41: $vcc<register definition dead> S_MOV_B64<opcode> $scc<register definition implicit> $m0<register undef implicit>
42: S_NOP<opcode> @g<global> &ext<global> <mcsymbol sym><global> %stack.1<frameObject> %fixed-stack.0<frameObject> %const.0<frameObject>
43: %8<register definition uniform> _<registerClass> G_CONSTANT<opcode>
44: %e<vgpr definition divergent> vgpr_32<registerClass> GLOBAL_LOAD_DWORD<opcode> %d<vgpr divergent> $exec<register implicit> %ir.p<irValue> !0<metadata>
45: S_BRANCH<opcode> %bb.1<block>
47: bb.1<block declaration>
48: %bb.1<block> %bb.2<block>
50: %i<vgpr definition uniform> vgpr_32<registerClass> V_MOV_B32_e32<opcode> $exec<register implicit>
51: SI_LOOP<opcode> %c<sgpr laneMask> %bb.1<block> $exec<register definition dead implicit> $scc<register definition dead implicit> $exec<register implicit> %i<vgpr implicit uniform>
52: S_BRANCH<opcode> %bb.2<block>
54: bb.2<block declaration>
55: %j<vgpr definition divergent> vgpr_32<registerClass> V_ADD_U32_e32<opcode> %i<vgpr divergent> %i<vgpr kill divergent> $exec<register implicit>
56: S_ENDPGM<opcode> %e<vgpr implicit divergent> %a<agpr implicit divergent> sub0<subRegister>
59: g<global declaration definition>
61: bb.0<block declaration>
62: S_ENDPGM<opcode>
`;

function decode(text: string, data: readonly number[]): string[] {
  const lines = text.split('\n');
  const { tokenTypes, tokenModifiers } = SEMANTIC_TOKENS_LEGEND;
  const rows: string[] = [];
  let [line, column, last] = [0, 0, -1];
  for (let i = 0; i < data.length; i += 5) {
    line += data[i]!;
    column = data[i] === 0 ? column + data[i + 1]! : data[i + 1]!;
    const words = [tokenTypes[data[i + 3]!], ...tokenModifiers.filter((_, bit) => (data[i + 4]! & (1 << bit)) !== 0)];
    const token = `${lines[line]!.slice(column, column + data[i + 2]!)}<${words.join(' ')}>`;
    if (line === last) rows[rows.length - 1] += ` ${token}`;
    else rows.push(`${line + 1}: ${token}`);
    last = line;
  }
  return rows;
}

const ALL = TOKENS.trim().split('\n');
const CANCELLED = { isCancelled: () => true };

describe('tokens', () => {
  it('of a document', () => {
    const { snapshot } = openText(TEXT);
    assert.deepEqual(decode(TEXT, provideSemanticTokens(snapshot, null, NEVER_CANCELLED)!.data), ALL);
    assert.equal(provideSemanticTokens(snapshot, null, CANCELLED), null);
  });

  it('of any range: those of its lines', () => {
    const { snapshot } = openText(TEXT);
    const lines = TEXT.split('\n').length;
    const of = (from: number, to: number, character: number): string[] => {
      const range = { start: { line: from, character: 5 }, end: { line: to, character } };
      return decode(TEXT, provideSemanticTokensRange(snapshot, { range }, NEVER_CANCELLED)!.data);
    };
    const wanted = (from: number, to: number): string[] =>
      ALL.filter((row) => from < parseInt(row, 10) && parseInt(row, 10) <= to);
    for (let from = 0; from < lines; from++)
      for (const n of [0, 1, 2, 7, 30]) {
        assert.deepEqual(of(from, from + n, 0), wanted(from, from + n), `${from} and ${n}`);
        assert.deepEqual(of(from, from + n, 1), wanted(from, from + n + 1), `${from} and ${n} with its line`);
      }
    assert.deepEqual(of(-3, 40, 0), wanted(0, 40));
    assert.deepEqual(of(0, lines + 50, 3), ALL);
    const range = { start: { line: 30, character: 0 }, end: { line: 40, character: 0 } };
    assert.equal(provideSemanticTokensRange(snapshot, { range }, CANCELLED), null);
  });

  it('as changes, edit after edit', () => {
    const host = new AnalysisHost(false, Infinity);
    host.configure(DEFAULT_SETTINGS);
    host.open(URI, 1, TEXT);
    const first = provideSemanticTokens(host.snapshot(URI)!, null, NEVER_CANCELLED)!;
    assert.equal(first.resultId, '1');
    const data = [...first.data];
    let version = 1;
    let id = first.resultId!;
    /** Replaces the first `from`; numbers that were sent, those that were taken away. */
    const edit = (from: string, to: string): [sent: number, gone: number] => {
      const { text } = host.snapshot(URI)!;
      const at = text.text.indexOf(from);
      assert.ok(at >= 0, from);
      const range = { start: text.positionAt(at), end: text.positionAt(at + from.length) };
      host.change(URI, ++version, [{ range, text: to }]);
      const after = host.snapshot(URI)!;
      const delta = provideSemanticTokensDelta(after, { previousResultId: id }, NEVER_CANCELLED) as SemanticTokensDelta;
      assert.ok(delta.edits.length <= 1);
      for (const e of delta.edits) data.splice(e.start, e.deleteCount, ...(e.data ?? []));
      id = delta.resultId!;
      const whole = { range: { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } } };
      assert.deepEqual(data, provideSemanticTokensRange(after, whole, NEVER_CANCELLED)!.data, `${from} to ${to}`);
      const fresh = openText(after.text.text).snapshot;
      assert.deepEqual(data, provideSemanticTokens(fresh, null, NEVER_CANCELLED)!.data, 'as of a new document');
      const [one] = delta.edits;
      return one === undefined ? [0, 0] : [one.data?.length ?? 0, one.deleteCount];
    };
    assert.deepEqual(edit('S_ENDPGM 0, implicit %e', 'S_ENDPGM 1, implicit %e'), [0, 0]);
    assert.deepEqual(edit('    S_BRANCH %bb.2\n', ''), [0, 10]);
    assert.deepEqual(edit('    %i:vgpr_32', '    S_NOP 0\n    %i:vgpr_32'), [10, 5]);
    assert.deepEqual(edit('    S_NOP 0\n    %i', '    %i'), [5, 10]);
    // What is divergent now is so elsewhere, too.
    assert.ok(edit('V_MOV_B32_e32 1', 'V_MOV_B32_e32 %7')[0] >= 15);
    assert.deepEqual(edit('# RUN', '\n# RUN'), [5, 5]);
    assert.deepEqual(edit('%x = load', '%yy = load')[1], 10);
    edit('registers:\n', 'registers:\n  - { id: 9, class: sreg_32 }\n');
    edit('---\nname: g', '---\nname: h\n...\n---\nname: g');
    edit('killed $vgpr0', '$vgpr0');
    edit('    S_ENDPGM 1, implicit %e, implicit %a.sub0\n', '');
    const again = provideSemanticTokensDelta(host.snapshot(URI)!, { previousResultId: 'x' }, NEVER_CANCELLED)!;
    assert.deepEqual('data' in again ? again.data : [], data);
    assert.equal(provideSemanticTokensDelta(host.snapshot(URI)!, { previousResultId: id }, CANCELLED), null);
  });
});
