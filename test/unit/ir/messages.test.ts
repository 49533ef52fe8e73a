/** Instructions in the messages of LLVM's IR verifier: numbers of attribute sets as llc-22 gives them. */
import assert from 'node:assert/strict';
import { llcVersion, MODELLED_LLC, needsLlc, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';

const TEXT = `--- |
  define void @a() nounwind { ret void }
  define void @f0() "x"="1" {
    call void @a() willreturn
    call void @a() cold
    call void @a() speculatable
    ret void
  }
  define void @good() {
    call void @a() nomerge
    ret void
  }
  define void @f1() {
    call void @a() #0
    call void @a() noreturn speculatable
    ret void
  }
  attributes #0 = { speculatable nounwind }
...
---
name: a
...
`;
const ARGS = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-o', '-'];

describe('messages about instructions of the IR', () => {
  // Functions first, then the calls of each function that a message has shown so far: not those of @good.
  it('number attribute sets over the whole module', () => {
    const message = 'speculatable attribute may not apply to call sites\n  call void @a() #';
    const want = [4, 5, 6].map((n) => `${message}${n}`).join('\n');
    assert.ok(runLlcOnText(ARGS, TEXT).stderr.startsWith(`${want}\n`));
    if (llcVersion() === MODELLED_LLC) assert.ok(runLlc(['-x', 'mir', ...ARGS], TEXT).stderr.startsWith(`${want}\n`));
  });
});

describe('calls of intrinsics that nothing declares', () => {
  const calls: readonly (readonly [string, string])[] = [
    ['call float @llvm.fma.f32(float %v, float %v)', 'invalid intrinsic signature'],
    ['call i32 @llvm.amdgcn.readfirstlane(i32 %i, i32 4)', 'invalid intrinsic signature'],
    ['call float @llvm.fabs.f16(float %v)', '@llvm.fabs.f32(float %v)'],
    ['call i32 @llvm.ctlz.i32(i32 %i)', '@llvm.ctlz.i32(i32 %i, i1 false)'],
    [
      'call i32 @llvm.amdgcn.atomic.inc.x(ptr %p, i32 %i, i32 0, i32 0, i1 false)',
      'atomicrmw uinc_wrap ptr %p, i32 %i',
    ],
    ['call i32 @llvm.amdgcn.atomic.incx(ptr %p, i32 %i, i32 0, i32 0, i1 false)', 'atomicrmw xchg ptr %p, i32 %i'],
    ['call float @llvm.amdgcn.flat.atomic.fadd.f32(ptr %p, float %v)', 'atomicrmw fadd ptr %p, float %v'],
    ['call i32 @llvm.amdgcn.alignbit(i32 %i, i32 %i, i32 %i)', '@llvm.fshr.i32(i32 %i, i32 %i, i32 %i)'],
    ['call i32 @llvm.amdgcn.alignbitx(i32 %i, i32 %i, i32 %i)', "unknown intrinsic 'llvm.amdgcn.alignbitx'"],
  ];
  for (const [call, expected] of calls)
    it(call, () => {
      const body = `{\n    %r = ${call}\n    ret void\n  }`;
      const text = `--- |\n  define void @f(ptr %p, float %v, i32 %i) ${body}\n...\n---\nname: f\n...\n`;
      const own = runLlcOnText(ARGS, text);
      assert.ok((own.stdout + own.stderr).includes(expected), own.stderr);
      if (llcVersion() !== MODELLED_LLC) return;
      const llc = runLlc(['-x', 'mir', ...ARGS], text);
      assert.equal(own.stdout, llc.stdout);
      assert.equal(own.stderr.split('\n', 1)[0], llc.stderr.split('\n', 1)[0]);
    });
});

describe('numbers of arguments', () => {
  const cases: readonly (readonly [line: string, expected: string])[] = [
    ['call void (i64 %856)\n    %3 = add i32 1, 2', "6:8: expected '(' in call"],
    ['call void (i64, i32 %a)', '5:21: argument name invalid in function type'],
    ['call void (i64 %5, i32 %3)', "5:24: argument expected to be numbered '%6' or greater"],
    ['call void (i64 inreg %5, ptr nonnull)', '5:16: argument attributes invalid in function type'],
    ['ret void\n  }\n  define void @g(i64 %5, i32 %3) {', "7:26: argument expected to be numbered '%6' or greater"],
  ];
  for (const [line, expected] of cases)
    it(line, () => {
      const text = `--- |\n  define void @f() {\n    br label %1\n  1:\n    ${line}\n  }\n...\n---\nname: f\n...\n`;
      const own = runLlcOnText(ARGS, text).stderr.split('\n', 1)[0];
      assert.ok(own.endsWith(`<stdin>:${expected}`), own);
      if (llcVersion() === MODELLED_LLC)
        assert.equal(own, runLlc(['-x', 'mir', ...ARGS], text).stderr.split('\n', 1)[0]);
    });
});

describe('attributes, alignments and depths at their limits', () => {
  const nested = (levels: number): string =>
    'ptrtoint (ptr inttoptr (i64 '.repeat(levels) + '0' + ' to ptr) to i64)'.repeat(levels);
  const texts: readonly (readonly [string, string])[] = [
    [
      'a kernel argument aligned to 2^64 - 1',
      '---\nname: f\nmachineFunctionInfo:\n  maxKernArgAlign: 18446744073709551615\n...\n',
    ],
    ['alignstack on a result', '--- |\n  define alignstack(8) ptr @f() { ret ptr null }\n...\n---\nname: f\n...\n'],
    ['alignstack of 3', '--- |\n  define void @f() alignstack( 3 ) { ret void }\n...\n---\nname: f\n...\n'],
    ...[
      'align(8)',
      'align(3)',
      'align(8',
      'builtin',
      'allockind("zeroed,alloc") "alloc-family"="a"',
      'allockind("alloc,foo")',
      'allockind(alloc)',
    ].map((words): readonly [string, string] => [
      `${words} at a function`,
      `--- |\n  define ptr @f() ${words} { ret ptr null }\n...\n---\nname: f\n...\n`,
    ]),
    [
      'align at a call',
      '--- |\n  define ptr @f() {\n  call ptr @f() align(8)\n  ret ptr null }\n...\n---\nname: f\n...\n',
    ],
    ['nofpclass of nothing', '--- |\n  define void @f(float nofpclass(0 %a) { ret void }\n...\n---\nname: f\n...\n'],
    ['1,100 constants within each other', `--- |\n  @a = global i64 ${nested(550)}\n...\n---\nname: f\n...\n`],
  ];
  for (const [what, text] of texts)
    it(what, function () {
      needsLlc(this);
      const llc = runLlc(['-x', 'mir', ...ARGS], text);
      const own = runLlcOnText(ARGS, text);
      assert.equal(own.stdout, llc.stdout);
      assert.equal(own.stderr.split('\n', 1)[0], llc.stderr.split('\n', 1)[0]);
    });
});
