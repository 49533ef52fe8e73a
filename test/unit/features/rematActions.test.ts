/** Rematerialization quick fixes: when they are offered, the text that they make, and that llc-22 accepts it and counts the same. */
import assert from 'node:assert/strict';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions, resolveCodeAction } from '../../../server/src/features/assists/codeAction.js';
import { suggestRemat } from '../../../server/src/features/remat/suggestions.js';
import { provideWhatIf, type WhatIf } from '../../../server/src/features/remat/whatIf.js';
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
    name: 'one user: the line moves, comments and CHECK lines stay',
    text: ONE_USE,
    at: '%1:vgpr_32 = $0V_MOV',
    title: 'Rematerialize %1 at bb.1 (VGPR -1 in 1 region, occupancy stays 10)',
    changes: [
      '+%1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec',
      '+; one',
      '-%1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec ; one',
    ],
    peaks: [0, 2],
  },
  {
    name: 'the same from the user',
    text: ONE_USE,
    at: 'the sum\n    $0S_NOP',
    title: 'Rematerialize %1 at bb.1 (VGPR -1 in 1 region, occupancy stays 10)',
    changes: [
      '+%1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec',
      '+; one',
      '-%1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec ; one',
    ],
    peaks: [0, 2],
  },
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
    name: 'a user in the region of the definition keeps it there; the copy has a name of its own',
    text: fn(`  bb.0:
    liveins: $vgpr0

    %x:vgpr_32 = COPY $vgpr0
    %k:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_NOP 0, implicit %k
    S_BRANCH %bb.1

  bb.1:
    %y:vgpr_32 = V_ADD_U32_e32 %x, %x, implicit $exec
    %z:vgpr_32 = V_ADD_U32_e32 %x, %y, implicit $exec
    S_BRANCH %bb.2

  bb.2:
    S_NOP 0, implicit %y, implicit %z
    %w:vgpr_32 = V_ADD_U32_e32 %k, %k, implicit $exec
    S_NOP 0, implicit %w
    S_ENDPGM 0
`),
    at: '$0V_MOV',
    title: 'Rematerialize %k at bb.2 (VGPR -1 in 2 regions, occupancy stays 10)',
    changes: [
      '+%k_1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec',
      '+%w:vgpr_32 = V_ADD_U32_e32 %k_1, %k_1, implicit $exec',
      '-%w:vgpr_32 = V_ADD_U32_e32 %k, %k, implicit $exec',
    ],
    peaks: [0, 2],
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
  {
    name: 'a sub-register definition, moved with its undef and its class',
    text: fn(`  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    undef %1.sub1:vreg_64 = V_MOV_B32_e32 1, implicit $exec
    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    S_NOP 0, implicit %2
    S_BRANCH %bb.1

  bb.1:
    S_NOP 0, implicit %0
    S_NOP 0, implicit %1.sub1
    S_ENDPGM 0
`),
    at: '$0V_MOV',
    title: 'Rematerialize %1 at bb.1 (VGPR -1 in 2 regions, occupancy stays 10)',
    changes: [
      '+undef %1.sub1:vreg_64 = V_MOV_B32_e32 1, implicit $exec',
      '-undef %1.sub1:vreg_64 = V_MOV_B32_e32 1, implicit $exec',
    ],
    peaks: [0, 2],
  },
];

/** Nothing is offered; the name says why. */
const NOT_OFFERED: readonly { readonly name: string; readonly text: string; readonly at: string }[] = [
  {
    name: 'an operand that is not live at the use',
    text: fn(`  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_NOT_B32_e32 %0, implicit $exec
    S_BRANCH %bb.1

  bb.1:
    %2:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 0, implicit %2, implicit %1
    S_ENDPGM 0
`),
    at: '$0V_NOT',
  },
  {
    name: 'no gain: the use comes first, where everything is live anyway',
    text: fn(`  bb.0:
    %2:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 0, implicit %2
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_BRANCH %bb.1

  bb.1:
    S_NOP 0, implicit %1
    S_ENDPGM 0
`),
    at: '$0V_MOV_B32_e32 1',
  },
  {
    name: 'an instruction that may raise FP exceptions',
    text: fn(`  bb.0:
    %1:vgpr_32 = V_CVT_I32_F64_e32 0, implicit $mode, implicit $exec
    %2:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 0, implicit %2
    S_BRANCH %bb.1

  bb.1:
    S_NOP 0, implicit %1
    S_ENDPGM 0
`),
    at: '$0V_CVT',
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

    const two = CASES[2]!.text;
    const copies = apply(two, offers(two, '$0V_MOV')[0]!);
    const [merge] = undos(copies, '$0V_MOV');
    assert.match(merge!.title, /^Undo rematerialization: hoist %1, %7 into its first place in bb\.1 \(/);
    assertLlc(apply(copies, merge!), 0, 3);
  });

  it('what if: of two registers that read each other one counts', () => {
    const text = fn(`  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %2:vgpr_32 = V_NOT_B32_e32 %1, implicit $exec
    S_BRANCH %bb.1

  bb.1:
    %3:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    S_NOP 0, implicit %3, implicit %2, implicit %1
    S_ENDPGM 0
`);
    const { snapshot, position } = atCursor(cursorIn(text, '$0V_MOV'));
    const ask = (registers: string[]): WhatIf =>
      provideWhatIf(snapshot, { textDocument: { uri: URI }, position, registers, withEdits: true })!;
    assert.deepEqual(
      ask([]).registers.map((r) => r.register),
      ['%1', '%2'],
    );
    const both = ask(['%1', '%2']);
    assert.deepEqual(both.leftOut, ['%2']);
    assert.equal(both.effect, ask(['%1']).effect);
    assert.deepEqual(both.edits, ask(['%1']).edits);
    assert.equal(both.registers[1]!.conflict, '%1 is rematerialized');
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
      const text = CASES[2]!.text.replace(/registers:\n(?: {2}- .*\n)+/, head + registers);
      assert.notEqual(text, CASES[2]!.text);
      const result = apply(text, offers(text, '$0V_MOV')[0]!);
      const lines = result.split('\n').map((l) => `+${l.trim()}`);
      for (const line of expected) assert.ok(lines.includes(line), result);
      assertLlc(result, 0, 3);
    });
  }

  it('a search or a list that is cancelled gives nothing', () => {
    const { snapshot } = openText(CASES[2]!.text);
    const view = snapshot.functions[0]!;
    let left = 1;
    const token = { isCancelled: () => left-- <= 0 };
    assert.equal(
      suggestRemat(view, () => 1, token),
      null,
    );
    assert.notEqual(
      suggestRemat(view, () => 1, NEVER_CANCELLED),
      null,
    );
  });

  it('line ends stay what they are', () => {
    const text = ONE_USE.replaceAll('\n', '\r\n');
    const result = apply(text, offers(text, '= $0V_MOV')[0]!);
    assert.equal(result.replaceAll('\r\n', '').includes('\n'), false);
    assert.equal(result.replaceAll('\r\n', '\n'), apply(ONE_USE, offers(ONE_USE, '= $0V_MOV')[0]!));
  });

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

  for (const { name, text, at } of NOT_OFFERED) {
    it(`nothing for ${name}`, () => {
      assert.deepEqual(offers(text, at), []);
    });
  }
});
