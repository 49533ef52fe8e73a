/** The debug location of what a pass makes of two instructions (server/src/model/printer/metadataNames.ts), as llc-22 prints it. */
import assert from 'node:assert/strict';
import { needsLlc, runLlc } from '../../support/llc.js';
import { needsLlc24, runLlc24 } from '../../support/llc24.js';
import { runLlcOnText } from '../../support/schedule.js';

/** Locations of a function, of calls that were inlined into it, and of calls within these. */
const LOCATIONS = ['!20', '!21', '!22', '!23', '!24', '!25', '!26', '!27', '!28', '!29'];
const METADATA = `
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!3}
  !keep = !{${LOCATIONS.join(', ')}}
  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.c", directory: "/")
  !3 = !{i32 2, !"Debug Info Version", i32 3}
  !4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, isLocal: false, isDefinition: true, unit: !0)
  !5 = !DISubroutineType(types: !6)
  !6 = !{null}
  !8 = distinct !DILexicalBlock(scope: !4, file: !1, line: 2)
  !9 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 10, type: !5, isLocal: true, isDefinition: true, unit: !0)
  !10 = distinct !DILexicalBlock(scope: !9, file: !1, line: 11)
  !11 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 20, type: !5, isLocal: true, isDefinition: true, unit: !0)
  !16 = distinct !DILocation(line: 4, scope: !8)
  !17 = distinct !DILocation(line: 5, scope: !4)
  !18 = distinct !DILocation(line: 14, column: 3, scope: !10, inlinedAt: !16)
  !19 = distinct !DILocation(line: 14, column: 3, scope: !10, inlinedAt: !17)
  !20 = !DILocation(line: 6, column: 2, scope: !4)
  !21 = !DILocation(line: 6, column: 5, scope: !8)
  !22 = !DILocation(line: 11, scope: !9, inlinedAt: !16)
  !23 = !DILocation(line: 11, scope: !9, inlinedAt: !17)
  !24 = !DILocation(line: 12, scope: !10, inlinedAt: !17)
  !25 = !DILocation(line: 21, scope: !11, inlinedAt: !18)
  !26 = !DILocation(line: 21, column: 7, scope: !11, inlinedAt: !19)
  !27 = !DILocation(line: 22, scope: !11, inlinedAt: !17)
  !28 = !DILocation(line: 0, scope: !4)
  !29 = !DILocation(line: 11, scope: !9, inlinedAt: !28)
`;

/** Two loads for each pair of locations, of which si-load-store-opt makes one. */
const PAIRS = LOCATIONS.flatMap((a) => LOCATIONS.map((b) => [a, b] as const));
const nameOf = (a: string, b: string): string => `f${a.slice(1)}_${b.slice(1)}`;
const load = (to: string, offset: number, at: string): string =>
  `    ${to}:vgpr_32 = DS_READ_B32_gfx9 %0, ${offset}, 0, implicit $exec, debug-location ${at} :: (load (s32), addrspace 3)\n`;
const MODULE = `--- |
${PAIRS.map(([a, b], k) => `  define amdgpu_kernel void @${nameOf(a, b)}() ${k === 0 ? '!dbg !4 ' : ''}{ ret void }\n`).join('')}${METADATA}...
`;
const functions = (bodyOf: (a: string, b: string) => string): string =>
  PAIRS.map(([a, b]) => `---\nname: ${nameOf(a, b)}\nbody: |\n${bodyOf(a, b)}...\n`).join('');
const TEXT =
  MODULE +
  functions(
    (a, b) => `  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
${load('%1', 8, a)}${load('%2', 32, b)}    S_ENDPGM 0, implicit %1, implicit %2
`,
  );

/** Two ends that are one, and branches of a block on two lines. */
const end = (at: string): string =>
  ['$vgpr1', '$vgpr2', '$vgpr3', '$vgpr4']
    .map((v) => `    ${v} = V_MOV_B32_e32 7, implicit $exec, debug-location ${at}\n`)
    .join('');
const ENDS =
  MODULE +
  functions(
    (a, b) => `  bb.0:
    successors: %bb.2, %bb.1
    S_CBRANCH_SCC0 %bb.2, implicit undef $scc, debug-location ${a}
    S_BRANCH %bb.1, debug-location ${b}
  bb.1:
    $vgpr0 = V_MOV_B32_e32 1, implicit $exec
${end(a)}    S_BRANCH %bb.3, debug-location ${b}
  bb.2:
    $vgpr0 = V_MOV_B32_e32 2, implicit $exec
${end(b)}  bb.3:
    S_ENDPGM 0, implicit $vgpr0
`,
  );
const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=si-load-store-opt', '-o', '-'];
const merged = (text: string): string[] => [...text.matchAll(/DS_READ2.*debug-location (.*) ::/g)].map((m) => m[1]!);

describe('locations that become one', () => {
  it('are one as llc-22 prints it, for each pair', function () {
    needsLlc(this);
    const expected = merged(runLlc([...ARGS, '-x', 'mir'], TEXT).stdout);
    assert.equal(expected.length, PAIRS.length);
    assert.ok(expected.some((location) => location.includes('inlinedAt: !DILocation(')));
    assert.deepEqual(merged(runLlcOnText(ARGS, TEXT).stdout), expected);
  });

  it('are one where branch-folder merges ends of blocks', function () {
    needsLlc(this);
    const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=branch-folder', '-o', '-'];
    const lines = (text: string): string => text.slice(text.indexOf('\nname:'));
    const expected = lines(runLlc([...args, '-x', 'mir'], ENDS).stdout);
    assert.ok((expected.match(/\$vgpr4 = V_MOV_B32_e32 7/g)?.length ?? 0) === PAIRS.length, 'all ends are merged');
    assert.equal(lines(runLlcOnText(args, ENDS).stdout), expected);
  });

  it('are one as LLVM 24 prints it', function () {
    needsLlc24(this);
    const [run] = runLlc24([{ text: TEXT, args: ARGS.slice(0, 3) }]);
    const expected = merged(run?.stdout ?? '');
    assert.equal(expected.length, PAIRS.length);
    assert.deepEqual(merged(runLlcOnText(['--model=llvm-24', ...ARGS], TEXT).stdout), expected);
  });
});
