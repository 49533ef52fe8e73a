/** Rematerialization quick fixes: when they are offered, the text that they make, and that llc-22 accepts it and counts the same. */
import assert from 'node:assert/strict';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions, resolveCodeAction } from '../../../server/src/features/assists/codeAction.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { atCursor, cursorIn, openText, URI } from '../../support/cursor.js';
import { llcVersion, runLlc } from '../../support/llc.js';
import { pressureOfLlc } from '../../support/printedPressure.js';

const SUBTARGET = ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx908'];

const fn = (body: string, header = 'tracksRegLiveness: true\n'): string =>
  `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s\n---\nname: f\n${header}body: |\n${body}...\n`;

/** Light bulb at a place. */
function offers(text: string, at: string): CodeAction[] {
  const { snapshot, position } = atCursor(cursorIn(text, at));
  const range = { start: position, end: position };
  return provideCodeActions(snapshot, { range, context: { diagnostics: [] } }, NEVER_CANCELLED).filter((a) =>
    a.title.startsWith('Rematerialize'),
  );
}

function undos(text: string, at: string): CodeAction[] {
  const { snapshot, position } = atCursor(cursorIn(text, at));
  const range = { start: position, end: position };
  return provideCodeActions(snapshot, { range, context: { diagnostics: [] } }, NEVER_CANCELLED).filter((a) =>
    a.title.startsWith('Undo'),
  );
}

function apply(text: string, action: CodeAction): string {
  const { snapshot } = openText(text);
  let result = text;
  const { edit } = resolveCodeAction(snapshot, action) as CodeAction;
  for (const { range, newText } of [...edit!.changes![URI]!].reverse())
    result =
      result.slice(0, snapshot.text.offsetAt(range.start)) + newText + result.slice(snapshot.text.offsetAt(range.end));
  return result;
}

/** Whole lines that only one of the texts has, `-` before and `+` after. */
function changedLines(before: string, after: string): string[] {
  const a = before.split('\n');
  const b = after.split('\n');
  const result: string[] = [];
  let k = 0;
  for (const line of b) {
    const at = a.indexOf(line, k);
    if (at < 0) result.push(`+${line.trim()}`);
    else {
      for (; k < at; k++) result.push(`-${a[k]!.trim()}`);
      k = at + 1;
    }
  }
  for (; k < a.length; k++) result.push(`-${a[k]!.trim()}`);
  return result.sort();
}

/** llc accepts the text, and its peaks are those given. */
function assertLlc(text: string, sgprs: number, vgprs: number): void {
  if (llcVersion() === null) return;
  const none = runLlc([...SUBTARGET, '-run-pass=none', '-o', '/dev/null'], text);
  assert.equal(none.status, 0, none.stderr);
  const print = runLlc([...SUBTARGET, '-run-pass=amdgpu-print-rp', '-filetype=null'], text);
  const printed = pressureOfLlc(print.stderr, 'f')!;
  assert.deepEqual([printed.sgprs, printed.vgprs], [sgprs, vgprs]);
}

interface Case {
  readonly name: string;
  readonly text: string;
  /** where the cursor stands */
  readonly at: string;
  readonly title: string;
  readonly changes: readonly string[];
  /** peaks of llc afterwards */
  readonly peaks: readonly [number, number];
}

/** Two blocks; `%9` keeps the first one's peak where it is. */
const ONE_USE = fn(`  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    ; CHECK: V_MOV_B32_e32 1
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec ; one
    S_NOP 0, implicit %0
    S_BRANCH %bb.1

  bb.1:
    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    ; the sum
    S_NOP 0, implicit %2, implicit %1
    S_ENDPGM 0
`);

const CASES: readonly Case[] = [
  {
    name: 'users in two regions: one copy each, shared within a region; registers: and kill flags follow',
    text: fn(
      `  bb.0:
    liveins: $vgpr0

    %0 = COPY $vgpr0
    %1 = V_MOV_B32_e32 1, implicit $exec
    S_NOP 0, implicit %0
    S_BRANCH %bb.1

  bb.1:
    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec
    S_NOP 0, implicit %3, implicit %1
    S_BRANCH %bb.2

  bb.2:
    %4:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    %5:vgpr_32 = V_ADD_U32_e32 %4, %1, implicit $exec
    %6:vgpr_32 = V_ADD_U32_e32 killed %5, killed %1, implicit $exec
    S_NOP 0, implicit %6
    S_ENDPGM 0
`,
      "tracksRegLiveness: true\nregisters:\n  - { id: 0, class: vgpr_32 }\n  - { id: 1, class: vgpr_32, preferred-register: '' }\n",
    ),
    at: '$0V_MOV',
    title: 'Rematerialize %1 at bb.1, bb.2 (VGPR -1 in 1 region, occupancy stays 10)',
    changes: [
      '+%1 = V_MOV_B32_e32 1, implicit $exec',
      '+%5:vgpr_32 = V_ADD_U32_e32 %4, %7, implicit $exec',
      '+%6:vgpr_32 = V_ADD_U32_e32 killed %5, killed %7, implicit $exec',
      '+%7 = V_MOV_B32_e32 1, implicit $exec',
      "+- { id: 7, class: vgpr_32, preferred-register: '' }",
      '-%1 = V_MOV_B32_e32 1, implicit $exec',
      '-%5:vgpr_32 = V_ADD_U32_e32 %4, %1, implicit $exec',
      '-%6:vgpr_32 = V_ADD_U32_e32 killed %5, killed %1, implicit $exec',
    ],
    peaks: [0, 3],
  },
  {
    name: 'debug values follow the copy; those before it name no register',
    text: `--- |
  define void @f() !dbg !3 {
    ret void, !dbg !8
  }
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2}
  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "f.c", directory: "/")
  !2 = !{i32 2, !"Debug Info Version", i32 3}
  !3 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !4, unit: !0, retainedNodes: !6)
  !4 = !DISubroutineType(types: !5)
  !5 = !{null}
  !6 = !{!7}
  !7 = !DILocalVariable(name: "k", scope: !3, file: !1, line: 2, type: !9)
  !8 = !DILocation(line: 3, scope: !3)
  !9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
...
${ONE_USE.replace(/# RUN.*\n/, '')
  .replace('; one\n', '; one\n    DBG_VALUE %1, $noreg, !7, !DIExpression(), debug-location !8\n')
  .replace(
    'implicit %1\n',
    'implicit %1\n    DBG_VALUE %1, $noreg, !7, !DIExpression(), debug-location !8\n',
  )}`.replace('--- |', '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s\n--- |'),
    at: '%1:vgpr_32 = $0V_MOV',
    title: 'Rematerialize %1 at bb.1 (VGPR -1 in 1 region, occupancy stays 10)',
    changes: [
      '+%1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec',
      '+; one',
      '+DBG_VALUE $noreg, $noreg, !7, !DIExpression(), debug-location !8',
      '-%1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec ; one',
      '-DBG_VALUE %1, $noreg, !7, !DIExpression(), debug-location !8',
    ],
    peaks: [0, 2],
  },
];

describe('rematerialization quick fixes', () => {
  for (const { name, text, at, title, changes, peaks } of CASES) {
    it(name, () => {
      const found = offers(text, at);
      assert.deepEqual(
        found.map((a) => a.title),
        [title],
      );
      const result = apply(text, found[0]!);
      assert.deepEqual(changedLines(text, result), changes);
      assertLlc(result, ...peaks);
    });
  }

  it('the way back: one register moves, copies become one again', () => {
    const there = apply(ONE_USE, offers(ONE_USE, '= $0V_MOV')[0]!);
    const [back] = undos(there, '$0%1:');
    assert.equal(
      back!.title,
      'Undo rematerialization: hoist %1 back to bb.0 (VGPR +1 in 1 region, occupancy stays 10)',
    );
    const again = apply(there, back!);
    assert.match(again, /%1:vgpr_32 = V_MOV_B32_e32 1, implicit \$exec\n {4}S_BRANCH %bb\.1\n/);
    assert.deepEqual(again.split('\n').sort(), there.split('\n').sort());
    assertLlc(again, 0, 2);

    const two = CASES[0]!.text;
    const copies = apply(two, offers(two, '$0V_MOV')[0]!);
    const [merge] = undos(copies, '$0V_MOV');
    assert.match(merge!.title, /^Undo rematerialization: hoist %1, %7 into its first place in bb\.1 \(/);
    assertLlc(apply(copies, merge!), 0, 3);
  });

  for (const [style, registers, expected] of [
    ['blocks', '  - id: 0\n    class: vgpr_32\n  - id: 1\n    class: vgpr_32\n', ['+- id: 7', '+class: vgpr_32']],
    [
      'one line',
      ' [ { id: 0, class: vgpr_32 }, { id: 1, class: vgpr_32 } ]\n',
      ['+%7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec'],
    ],
  ] as const) {
    it(`registers: written as ${style}`, () => {
      const head = style === 'blocks' ? 'registers:\n' : 'registers:';
      const text = CASES[0]!.text.replace(/registers:\n(?: {2}- .*\n)+/, head + registers);
      assert.notEqual(text, CASES[0]!.text);
      const result = apply(text, offers(text, '$0V_MOV')[0]!);
      const lines = result.split('\n').map((l) => `+${l.trim()}`);
      for (const line of expected) assert.ok(lines.includes(line), result);
      assertLlc(result, 0, 3);
    });
  }

  it('no way back to where exec is narrower', () => {
    const text = (change: string): string =>
      fn(`  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr0_sgpr1

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = COPY $sgpr0_sgpr1
    %2:sreg_64 = S_AND_SAVEEXEC_B64 %1, implicit-def $exec, implicit-def $scc, implicit $exec
    S_CBRANCH_EXECZ %bb.2, implicit $exec
    S_BRANCH %bb.1

  bb.1:
    S_NOP 0, implicit %0
    S_BRANCH %bb.2

  bb.2:
    ${change}
    %3:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    S_NOP 0, implicit %3, implicit %0
    S_ENDPGM 0
`);
    assert.equal(undos(text('S_NOP 0, implicit %2'), '$0V_MOV').length, 1);
    assert.deepEqual(undos(text('$exec = S_OR_B64 $exec, %2, implicit-def $scc'), '$0V_MOV'), []);
  });
});
