/** Rules of LLVM's guide to MIR tests, each with what it takes away and what it leaves. */
import assert from 'node:assert/strict';
import { dropDebugInfo } from '../../../../server/src/features/simplify/debugInfo.js';
import {
  dropBlockNames,
  dropDummyIR,
  dropFunctionLiveIns,
  dropGuessableSuccessors,
  dropMemoryValues,
  dropProbabilities,
} from '../../../../server/src/features/simplify/guideRules.js';
import { emptyBodies, unusedIR } from '../../../../server/src/features/simplify/unusedIR.js';
import type { FunctionView, Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import type { TextEdit } from '../../../../server/src/text/sourceText.js';
import { atCursor } from '../../../support/cursor.js';

type Rule = (snapshot: Snapshot, view: FunctionView) => readonly TextEdit[];

/** What the rule leaves of the text; it finds nothing there a second time. */
function left(rule: Rule, text: string): string {
  const { snapshot } = atCursor(`$0# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n${text}`);
  const after = snapshot.after(rule(snapshot, snapshot.functions[0]!));
  assert.deepEqual(rule(after, after.functions[0]!), []);
  return after.text.text.slice(snapshot.text.lineStart(1));
}

const fn = (body: string, header = ''): string => `---\nname:            f\n${header}body:             |\n${body}...\n`;

/** A table of bodies before and after; one entry alone stays. */
function bodies(rule: Rule, cases: readonly (readonly [before: string, after?: string])[], ir = ''): void {
  cases.forEach(([before, after], k) =>
    it(`${k}: ${before.split('\n')[1]!.trim()}`, () =>
      assert.equal(left(rule, ir + fn(before)), ir + fn(after ?? before))),
  );
}

const BRANCH = '    S_CBRANCH_SCC1 %bb.1, implicit undef $scc\n\n  bb.1:\n    S_ENDPGM 0\n';

describe('successors that llc finds', () =>
  bodies(dropGuessableSuccessors, [
    [
      `  bb.0:\n    successors: %bb.1\n\n    S_NOP 0\n\n  bb.1:\n    S_ENDPGM 0\n`,
      `  bb.0:\n    S_NOP 0\n\n  bb.1:\n    S_ENDPGM 0\n`,
    ],
    [
      `  bb.0:\n    successors: %bb.1(0x80000000)\n    S_NOP 0\n\n  bb.1:\n    S_ENDPGM 0\n`,
      `  bb.0:\n    S_NOP 0\n\n  bb.1:\n    S_ENDPGM 0\n`,
    ],
    // The gap belongs to the live-ins.
    [
      `  bb.0:\n    successors: %bb.1\n    liveins: $vgpr0\n\n    S_NOP 0\n\n  bb.1:\n    S_ENDPGM 0\n`,
      `  bb.0:\n    liveins: $vgpr0\n\n    S_NOP 0\n\n  bb.1:\n    S_ENDPGM 0\n`,
    ],
    [
      `  bb.0:\n    liveins: $vgpr0\n    successors: %bb.1\n\n    S_NOP 0\n\n  bb.1:\n    S_ENDPGM 0\n`,
      `  bb.0:\n    liveins: $vgpr0\n\n    S_NOP 0\n\n  bb.1:\n    S_ENDPGM 0\n`,
    ],
    [`  bb.0:\n    successors: %bb.1 ; mine\n\n    S_NOP 0\n\n  bb.1:\n    S_ENDPGM 0\n`],
    // Not equally likely, not what the reader would guess.
    [
      `  bb.0:\n    successors: %bb.1(0x60000000), %bb.2(0x20000000)\n\n    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n\n  bb.1:\n    S_ENDPGM 0\n\n  bb.2:\n    S_ENDPGM 0\n`,
    ],
    [
      `  bb.0:\n    successors: %bb.2(0x40000000), %bb.1(0x40000000)\n\n    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n\n  bb.1:\n    S_ENDPGM 0\n\n  bb.2:\n    S_ENDPGM 0\n`,
      `  bb.0:\n    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n\n  bb.1:\n    S_ENDPGM 0\n\n  bb.2:\n    S_ENDPGM 0\n`,
    ],
    [`  bb.0:\n    successors: %bb.2\n\n    S_NOP 0\n\n  bb.1:\n    S_ENDPGM 0\n\n  bb.2:\n    S_ENDPGM 0\n`],
    [`  bb.0:\n${BRANCH}`],
  ]));

describe('probabilities', () => {
  const two = (a: string, b: string): string =>
    `  bb.0:\n    successors: %bb.1${a}, %bb.2${b}\n\n    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n\n  bb.1:\n    S_ENDPGM 0\n\n  bb.2:\n    S_ENDPGM 0\n`;
  describe('all', () =>
    bodies(
      (s, v) => dropProbabilities(s, v, false),
      [
        [two('(0x60000000)', '(0x20000000)'), two('', '')],
        [two('(0x40000000)', '(0x40000000)'), two('', '')],
        [two('(1)', '(12)'), two('', '')],
        [two('', '')],
      ],
    ));
  describe('equal ones', () =>
    bodies(
      (s, v) => dropProbabilities(s, v, true),
      [[two('(0x60000000)', '(0x20000000)')], [two('(0x40000000)', '(0x40000000)'), two('', '')]],
    ));
});

describe('live-ins of the function', () => {
  const cases: readonly (readonly [string, string])[] = [
    ["liveins:\n  - { reg: '$vgpr0' }\n  - { reg: '$vgpr1' }\n", ''],
    ['liveins:         []\n', ''],
    ['liveins:\n', ''],
    [
      "alignment:       1\nliveins:\n  - { reg: '$vgpr0' }\nlegalized:       true\n",
      'alignment:       1\nlegalized:       true\n',
    ],
    ['alignment:       1\n', 'alignment:       1\n'],
  ];
  cases.forEach(([before, after], k) =>
    it(`${k}`, () => {
      const body = '  bb.0:\n    liveins: $vgpr0\n';
      assert.equal(left(dropFunctionLiveIns, fn(body, before)), fn(body, after));
    }),
  );
});

const IR = `--- |
  define void @f(ptr addrspace(1) %p, ptr addrspace(1) %"a b") {
  entry:
    br label %next
  next:
    ret void
  }

  !0 = distinct !{!0}
  !1 = !{!0}
...
`;

describe('values of the IR in memory operands', () => {
  const load = (operand: string): string =>
    `  bb.0:\n    %0:vgpr_32 = GLOBAL_LOAD_DWORD undef %1:vreg_64, 0, 0, implicit $exec :: (${operand})\n    S_ENDPGM 0\n`;
  bodies(
    dropMemoryValues,
    [
      [load('load (s32) from %ir.p, addrspace 1'), load('load (s32), addrspace 1')],
      [load('load (s32) from %ir.p + 4, addrspace 1'), load('load (s32), addrspace 1')],
      [load('load (s32) from %ir.p - 12, align 2, addrspace 1'), load('load (s32), align 2, addrspace 1')],
      [load('load (s32) from %ir."a b", addrspace 1'), load('load (s32), addrspace 1')],
      [load('load (s32) from %ir.p, !alias.scope !1, !noalias !1, addrspace 1'), load('load (s32), addrspace 1')],
      [load('load (s32), addrspace 1')],
      [load('load (s32) from unknown-address, addrspace 1')],
    ],
    IR,
  );
});

describe('names of IR blocks', () =>
  bodies(
    dropBlockNames,
    [
      [
        '  bb.0.entry:\n    successors: %bb.1.next\n\n    S_BRANCH %bb.1.next\n\n  bb.1.next:\n    S_ENDPGM 0\n',
        '  bb.0:\n    successors: %bb.1\n\n    S_BRANCH %bb.1\n\n  bb.1:\n    S_ENDPGM 0\n',
      ],
      [
        '  bb.0.entry (align 4):\n    S_BRANCH %bb.1 ; to %bb.1.next\n\n  ; CHECK: bb.1.next\n  bb.1.next:\n    S_ENDPGM 0\n',
        '  bb.0 (align 4):\n    S_BRANCH %bb.1 ; to %bb.1.next\n\n  ; CHECK: bb.1.next\n  bb.1:\n    S_ENDPGM 0\n',
      ],
      ['  bb.0 (%ir-block.entry):\n    S_ENDPGM 0\n', '  bb.0:\n    S_ENDPGM 0\n'],
      ['  bb.0:\n    S_ENDPGM 0\n'],
    ],
    IR,
  ));

describe('IR of dummies', () => {
  const of = (ir: string, end = '...\n'): string => `--- |\n${ir}${end}`;
  const gone = [
    of('  define void @f() { ret void }\n'),
    of('  define void @f() {\n  entry:\n    unreachable\n  }\n\n  define dso_local void @"a b"(i32 %x) { ret void }\n'),
    of('  define internal i32 @f() { unreachable }\n\n', '...  \n'),
    of('  define weak void @f() { ret void }\n', ''),
  ];
  gone.forEach((ir, k) =>
    it(`goes, ${k}`, () => assert.equal(left(dropDummyIR, ir + fn('  bb.0:\n')), fn('  bb.0:\n'))),
  );
  const stays = [
    of('  define amdgpu_kernel void @f() { ret void }\n'),
    of('  define void @f() #0 { ret void }\n'),
    of('  define void @f() { ret void }\n  ; mine\n'),
    of('  define void @f() { ret void }\n  @x = global i32 0\n'),
    of('  define i32 @f() { ret i32 0 }\n'),
    of('  define void @f() { ret void }\n\n  declare void @g()\n'),
  ];
  stays.forEach((ir, k) =>
    it(`stays, ${k}`, () => assert.equal(left(dropDummyIR, ir + fn('  bb.0:\n')), ir + fn('  bb.0:\n'))),
  );
});

describe('IR that nothing mentions', () => {
  const cases: readonly (readonly [before: string, after: string])[] = [
    ['  define void @f() {\n    ret void\n  }\n\n  declare void @g()\n', '  define void @f() {\n    ret void\n  }\n\n'],
    [
      '  define void @f() {\n    call void @g()\n    ret void\n  }\n\n  declare void @g()\n\n  declare void @h()\n',
      '  define void @f() {\n    call void @g()\n    ret void\n  }\n\n  declare void @g()\n\n',
    ],
    // A chain goes as a whole, a ring too.
    [
      '  define void @f() {\n    ret void\n  }\n\n  define void @g() {\n    call void @h()\n    ret void\n  }\n\n  define void @h() {\n    call void @g()\n    ret void\n  }\n',
      '  define void @f() {\n    ret void\n  }\n\n',
    ],
    [
      '  @a = global i32 0\n  @b = global ptr @a\n  define void @f() { ret void }\n',
      '  define void @f() { ret void }\n',
    ],
    [
      '  @a = global i32 0\n  @llvm.used = appending global [1 x ptr] [ptr @a]\n  define void @f() { ret void }\n',
      '  @a = global i32 0\n  @llvm.used = appending global [1 x ptr] [ptr @a]\n  define void @f() { ret void }\n',
    ],
    [
      '  define void @f() #1 {\n    ret void\n  }\n\n  attributes #0 = { nounwind }\n  attributes #1 = { nounwind }\n\n  !0 = !{}\n',
      '  define void @f() #1 {\n    ret void\n  }\n\n  attributes #1 = { nounwind }\n\n',
    ],
  ];
  cases.forEach(([before, after], k) =>
    it(`${k}`, () => {
      const body = fn('  bb.0:\n    S_ENDPGM 0\n');
      assert.equal(left(unusedIR, `--- |\n${before}...\n${body}`), `--- |\n${after}...\n${body}`);
    }),
  );

  it('what the machine code mentions stays', () => {
    const text = `--- |\n  @a = global i32 0\n  @"b c" = global i32 0\n  define void @f() { ret void }\n\n  !3 = !{}\n...\n${fn('  bb.0:\n    S_NOP 0, @a, @"b c", !3\n')}`;
    assert.equal(left(unusedIR, text), text);
    const without = text.replace(', @a', '').replace(', !3', '');
    assert.equal(left(unusedIR, without), without.replace('  @a = global i32 0\n', '').replace('  !3 = !{}\n', ''));
  });
});

describe('bodies of the IR', () => {
  const cases: readonly (readonly [before: string, after: string])[] = [
    [
      '  define void @f() {\n    store i32 0, ptr poison\n    ret void\n  }\n',
      '  define void @f() {\n    unreachable\n  }\n',
    ],
    [
      '  define void @f() { ; x\n  entry:\n    br label %a\n  a:\n    ret void\n  }\n',
      '  define void @f() { ; x\n    unreachable\n  }\n',
    ],
    // Nothing is gained.
    ['  define void @f() {\n    ret void\n  }\n', '  define void @f() {\n    ret void\n  }\n'],
    ['  define void @f() {\n    ; x\n\n    ret void\n  }\n', '  define void @f() {\n    ; x\n\n    ret void\n  }\n'],
    ['  define void @f() { ret void }\n', '  define void @f() { ret void }\n'],
    [
      '  define void @g() {\n    store i32 0, ptr poison\n    ret void\n  }\n',
      '  define void @g() {\n    store i32 0, ptr poison\n    ret void\n  }\n',
    ],
  ];
  cases.forEach(([before, after], k) =>
    it(`${k}`, () => {
      const body = fn('  bb.0:\n    S_ENDPGM 0\n');
      assert.equal(left(emptyBodies, `--- |\n${before}...\n${body}`), `--- |\n${after}...\n${body}`);
    }),
  );
});

/** The metadata that locations name; nothing in it is of the rule's business. */
const DEBUG_IR = `--- |
  define void @f() {
    ret void
  }

  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.cl", directory: "/")
  !4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0)
  !5 = !DISubroutineType(types: !6)
  !6 = !{}
  !7 = !DILocation(line: 2, scope: !4)
...
`;

describe('debug information', () => {
  bodies(
    dropDebugInfo,
    [
      ['  bb.0:\n    S_NOP 0, debug-location !7\n', '  bb.0:\n    S_NOP 0\n'],
      ['  bb.0:\n    S_NOP 0, debug-instr-number 3, debug-location !7\n', '  bb.0:\n    S_NOP 0\n'],
      ['  bb.0:\n    S_NOP 0, debug-location !DILocation(line: 1, scope: !4)\n', '  bb.0:\n    S_NOP 0\n'],
      ['  bb.0:\n    S_BARRIER debug-location !7\n', '  bb.0:\n    S_BARRIER\n'],
      [
        '  bb.0:\n    DBG_VALUE 0, $noreg, !1, !DIExpression(), debug-location !7\n    S_NOP 0\n',
        '  bb.0:\n    S_NOP 0\n',
      ],
      ['  bb.0:\n    S_NOP 0 ; debug-location !7\n'],
    ],
    DEBUG_IR,
  );

  it('in headers and in the IR', () => {
    const ir = (own: string, call: string, more: string): string =>
      `--- |\n  define void @f()${own} {\n${call}    ret void${own === '' ? '' : ', !dbg !7'}\n  }\n\n${more}  !0 = !{}\n...\n`;
    const header = (keys: string, more: string): string => `${keys}stack:\n  - { id: 0, size: 4${more} }\n`;
    const body = '  bb.0:\n    S_ENDPGM 0\n';
    assert.equal(
      left(
        dropDebugInfo,
        ir(
          ' !dbg !4',
          '    call void @llvm.dbg.value(metadata i32 0, metadata !1, metadata !2)\n      #dbg_value(i32 0, !1, !2, !3)\n',
          '  !llvm.dbg.cu = !{!0}\n',
        ) +
          fn(
            body,
            header(
              'debugInstrRef:   true\ndebugValueSubstitutions:\n  - { srcinst: 1, srcop: 0, dstinst: 2, dstop: 0, subreg: 0 }\nalignment:       1\n',
              ", debug-info-variable: '!1', debug-info-expression: '!DIExpression()', debug-info-location: '!7'",
            ),
          ),
      ),
      ir('', '', '') + fn(body, header('alignment:       1\n', '')),
    );
  });
});
