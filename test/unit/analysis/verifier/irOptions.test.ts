/** What of the module makes a block's address taken, and a function one with debug info. */
import assert from 'node:assert/strict';
import { irVerifierOptions } from '../../../../server/src/analysis/verifier/irOptions.js';
import { parseIR } from '../../../../server/src/ir/parser.js';
import { emptyFunction } from '../../../support/emptyFunction.js';

const FUNCTION = `define void @f() {
start:
  br label %next
next:
  br label %2
2:
  ret void
}
`;

/** Blocks of `@f` whose address the module takes. */
function taken(around: string, f = FUNCTION): string[] {
  const result = parseIR(`${around}\n${f}`);
  assert.deepEqual(result.diagnostics, []);
  const options = irVerifierOptions(result.module, emptyFunction());
  return ['start', 'next', '2', 'other', '7'].filter((name) => options.isBlockAddressTaken!(name));
}

const NEXT = 'ptr blockaddress(@f, %next)';

describe('what the verifier asks of the module', () => {
  for (const [place, text] of Object.entries({
    'the value of a global': `@g = global ${NEXT}`,
    'one of several values': `@a = global i32 0\n@g = global [2 x ptr] [ptr null, ${NEXT}]`,
    'a value inside another': `@g = global { i32, [1 x ptr] } { i32 1, [1 x ptr] [${NEXT}] }`,
    'a value that stands twice': `@g = global [2 x ptr] [${NEXT}, ${NEXT}]`,
    'an expression': '@g = global i64 ptrtoint (ptr blockaddress(@f, %next) to i64)',
    'an alias': '@g = alias i8, getelementptr (i8, ptr blockaddress(@f, %next), i64 1)',
    'the prefix of a function': `define void @h() prefix ${NEXT} {\n  ret void\n}`,
    'the prologue of a function': `define void @h() prologue ${NEXT} {\n  ret void\n}`,
    'the personality of a function': `define void @h() personality ${NEXT} {\n  ret void\n}`,
    'an operand': `define void @h(ptr %p) {\n  store ${NEXT}, ptr %p\n  ret void\n}`,
    'an operand after others': `define ptr @h(i1 %c) {\n  %v = add i32 1, 2\n  br label %a\na:\n  %s = select i1 %c, ptr null, ${NEXT}\n  ret ptr %s\n}`,
  }))
    it(`takes the address of a block: ${place}`, () => assert.deepEqual(taken(text), ['next']));

  it('knows blocks by name and by number', () => {
    const unnamed = 'define void @f() {\n  br label %1\n1:\n  br label %2\n2:\n  ret void\n}\n';
    assert.deepEqual(taken('@g = global ptr blockaddress(@f, %2)', unnamed), ['2']);
    assert.deepEqual(taken('@g = global ptr null'), []);
    assert.deepEqual(taken(`@g = global ptr blockaddress(@h, %next)\n${FUNCTION.replace('@f', '@h')}`), []);
  });

  it('asks whether the function has debug info', () => {
    const has = (text: string): unknown => irVerifierOptions(parseIR(text).module, emptyFunction()).hasSubprogram;
    const info = `
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !0)
!3 = !{i32 1}
!llvm.module.flags = !{!4}
!4 = !{i32 2, !"Debug Info Version", i32 3}
`;
    assert.equal(has(FUNCTION), false);
    assert.equal(has(FUNCTION.replace('@f()', '@f() !dbg !2') + info), true);
    assert.equal(has(FUNCTION.replace('@f()', '@f() !kernel !3') + info), false);
    assert.equal(has(FUNCTION.replace('@f()', '@f() !kernel !3 !dbg !2') + info), true);
    assert.deepEqual(irVerifierOptions(null, emptyFunction()), {});
    assert.deepEqual(irVerifierOptions(parseIR(FUNCTION.replace('@f', '@h')).module, emptyFunction()), {});
  });
});
