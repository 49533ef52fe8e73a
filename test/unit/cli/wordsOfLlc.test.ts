/** Single messages of llc whose words or places are unusual; where llc-22 is installed, it says the same. */
import assert from 'node:assert/strict';
import { llcVersion, MODELLED_LLC, runLlc } from '../../support/llc.js';
import { runLlcOnText } from '../../support/schedule.js';
import { withoutAddresses } from '../../support/verify.js';

const TARGET = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900'];
const NONE = [...TARGET, '-run-pass=none', '-o', '/dev/null'];
const body = (line: string): string => `---\nname: f\nbody: |\n  bb.0:\n    ${line}\n...\n`;

/** The first lines with `words` in them; llc-22, where it is there, writes all of the rest alike, too. */
function firstLine(args: readonly string[], text: string): string {
  const own = runLlcOnText(args, text);
  if (llcVersion() === MODELLED_LLC) {
    const theirs = runLlc(['-x', 'mir', ...args], text);
    const [said] = theirs.stderr.replaceAll('llc-22', 'llc').split(/^PLEASE submit/m);
    assert.equal(withoutAddresses(own.stderr), withoutAddresses(said ?? ''));
  }
  return own.stderr;
}

const DEBUG = `--- |
  define void @f() !dbg !3 { unreachable }
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2}
  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, isOptimized: true, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.c", directory: "/")
  !2 = !{i32 2, !"Debug Info Version", i32 3}
  !3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !4, spFlags: DISPFlagDefinition, unit: !0)
  !4 = !DISubroutineType(types: !5)
  !5 = !{}
  !6 = !DILabel(scope: !3, name: "end", file: !1, line: 2)
  !7 = !DILocation(line: 2, scope: !3)
  !8 = !DILocalVariable(name: "v", scope: !3, file: !1, line: 2)
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
`;

describe('words of llc', () => {
  for (const flags of ['  !llvm.module.flags = !{!2}\n', ''])
    for (const named of ['  !named = !{!8}\n', ''])
      it(`an expression that is not valid, ${named ? 'which stays' : 'which goes'}, ${flags ? 'of this version' : 'of none'}`, () => {
        const expression = '!DIExpression(DW_OP_LLVM_convert, 64, DW_ATE_unsigned, DW_OP_LLVM_convert)';
        const debug = DEBUG.replace(/ {2}!llvm\.module\.flags.*\n/, flags).replace(
          / {2}!8 = .*\n/,
          `${named}  !8 = !{${expression}}\n`,
        );
        const said = firstLine(NONE, `${debug}    S_ENDPGM 0\n...\n`);
        const invalid = 'invalid expression\n!DIExpression(4097, 64, 7, 4097)\n';
        assert.equal(said.split(invalid).length - 1, (named && flags ? 1 : 0) + (named ? 1 : 0));
        assert.equal(said.includes("llc: error: '<stdin>': input module cannot be verified\n"), named !== '');
      });

  for (const line of ['S_WAITCNT .Vmcnt_0', 'S_NOP .x', '$sgpr0 = S_MOV_B32 .1x', 'S_WAITCNT_DEPCTR .AllOff'])
    it(`an immediate that the instruction has no words for: ${line}`, () => {
      assert.equal(firstLine(NONE, body(line)), 'error: <stdin>:3:1: \nbody: |\n^\n\n');
    });

  it('an unknown instruction is told before its immediate', () => {
    assert.match(firstLine(NONE, body('S_FOO .x')), /^error: <stdin>:5:5: unknown machine instruction name 'S_FOO'\n/);
  });

  for (const after of [', x', '} x', '&a &b x', '!a !b x'])
    it(`the IR is read before the parser comes to '${after}'`, () => {
      const text = `--- |\n  define void @f() { x\n${after}\n...\n${body('S_NOP 0')}`;
      assert.match(firstLine(NONE, text), /^error: <stdin>:2:22: expected instruction opcode\n/);
    });

  for (const after of ['@ x', '` x', '"x'])
    it(`what is no token is told before the IR: '${after}'`, () => {
      const text = `--- |\n  define void @f() { x\n${after}\n...\n${body('S_NOP 0')}`;
      assert.match(firstLine(NONE, text), /^error: YAML:\d+:\d+: /);
    });

  it('the first terminator is quoted with its place', () => {
    const text = `${DEBUG}    S_ENDPGM 0, debug-location !7\n    S_NOP 0\n...\n`;
    const said = firstLine(NONE, text);
    assert.ok(
      said.includes('First terminator was:\tS_ENDPGM 0, debug-location !DILocation(line: 2, scope: !3); a.c:2\n'),
    );
  });

  it('tokens of convergence are quoted with the place of their instruction', () => {
    const text = `${DEBUG}    %0:sreg_64 = CONVERGENCECTRL_ENTRY debug-location !7\n    %1:sreg_64 = CONVERGENCECTRL_ENTRY debug-location !7\n    S_ENDPGM 0\n...\n`;
    assert.ok(
      firstLine(NONE, text).includes('CONVERGENCECTRL_ENTRY debug-location !DILocation(line: 2, scope: !3); a.c:2'),
    );
  });

  it('labels are shown by name, variables with a mark', () => {
    const lines =
      '    DBG_LABEL !6, debug-location !7\n    DBG_VALUE 0, $noreg, !8, !DIExpression(), debug-location !7\n';
    const text = `${DEBUG}${lines}    S_ENDPGM 0\n...\n`;
    const said = firstLine([...TARGET, '-run-pass=amdgpu-print-rp', '-o', '/dev/null'], text);
    assert.ok(said.includes('DBG_LABEL "end", debug-location'), said);
    assert.ok(said.includes('DBG_VALUE 0, $noreg, !"v", '), said);
  });
});
