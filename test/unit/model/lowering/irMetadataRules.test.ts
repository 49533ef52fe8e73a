/** Metadata at instructions: tables of forms of each kind, right and wrong, in modules of a few instructions, as llc-22 complains of them. */
import assert from 'node:assert/strict';
import { answerOfLlc, answerOfOurs } from '../../../support/answers.js';
import { needsLlc } from '../../../support/llc.js';

const NODES = `  !0 = !{!"root"}
  !1 = !{!"int", !0}
  !2 = !{!"char", !0, i64 0}
  !3 = !{!"S", !1, i64 0, !2, i64 4}
  !4 = !{!"T", !3, i64 8, !1, i64 16}
  !5 = !{!0, i64 4, !"n"}
  !6 = !{!0, i64 8, !"nS", !5, i64 0, i64 4, !5, i64 4, i64 4}
  !7 = !{!"loop", !8}
  !8 = !{!"loop2", !7}
  !9 = distinct !{}
  !10 = !{!"X", !1, i64 8, !1, i64 4}
  !11 = !{!"X", !1, i32 0, !1, i64 4}
  !12 = !{!"X", !1, i64 0, !1}
  !13 = !{!"X", !"a", i64 0}
  !14 = !{!"X", !1, !"a", !1, i64 0}
  !15 = !{i32 1, !1, i64 0}
  !16 = !{!0, !"a", !"n", !5, i64 0, i64 4}
  !17 = !{!0, i64 4, !"n", !5, i64 0}
  !18 = !{!0, i64 4, !"n", !5, i64 0, !"a"}
  !19 = !{!"S32", !1, i32 0, !1, i32 4}
  !20 = !{!"R", !20, i64 0, !1, i64 8}
  !21 = !{!"X", !1, i64 4, !1, i64 8}
  !22 = !{!"int", !0}
  !23 = !{!"a", !"b"}
  !24 = !{i64 123}
`;

const INSTRUCTIONS: Readonly<Record<string, string>> = {
  add: '%N = add i32 1, 2',
  call: 'call void @g()',
  called: '%N = call i32 @h()',
  cmpxchg: '%N = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst',
  fence: 'fence seq_cst',
  inttoptr: '%N = inttoptr i64 0 to ptr',
  load: '%N = load i32, ptr %p',
  pointer: '%N = load ptr, ptr %p',
  rmw: '%N = atomicrmw add ptr %p, i32 1 seq_cst',
  select: '%N = select i1 true, i32 1, i32 2',
  store: 'store i32 0, ptr %p',
  stored: 'store ptr %p, ptr %p',
  vector: '%N = load <2 x i32>, ptr %p',
};

/** Each form at each instruction; forms are separated by `;`. */
const TABLES: readonly (readonly [kinds: string, instructions: string, forms: string])[] = [
  ['tbaa', 'load add fence select call rmw cmpxchg', '!1, !1, i64 0; ; !"old", !0'],
  [
    'tbaa',
    'load',
    '!1, !1, i64 0, i64 1; !1, !1, i64 0, i64 2; !1, !1, i64 0, !"a"; !1, !1, i64 0, i64 0, i64 0; !3, !1, i64 0; ' +
      '!3, !2, i64 4; !3, !2, i64 5; !3, !2, i64 0; !4, !1, i64 8; !4, !2, i64 12; !4, !1, i64 16; !4, !1, i64 4; !4, !1, i64 20',
  ],
  [
    'tbaa',
    'load store',
    '!3, !3, i64 0; !3, !"a", i64 0; !1, !1, i32 0; !1, !1, i32 1; !3, !1, i32 0; !3, !1, !"x"; !10, !1, i64 8; ' +
      '!11, !1, i64 4; !12, !1, i64 0; !13, !1, i64 0; !14, !1, i64 0; !15, !1, i64 0; !7, !7, i64 0; !19, !1, i32 4; ' +
      '!19, !1, i64 4; !20, !1, i64 0; !20, !1, i64 8; !21, !1, i64 0; !21, !1, i64 4; !0, !0, i64 0; !0, !1, i64 0; ' +
      '!1, !0, i64 0; !1, !22, i64 0; !22, !1, i64 0; !1, !1, i64 -1; !21, !1, i64 -1',
  ],
  [
    'tbaa',
    'load',
    '!5, !5, i64 0, i64 4; !5, !5, i64 0; !5, !5, i64 0, !"a"; !5, !5, i64 0, i64 4, i1 true; ' +
      '!5, !5, i64 0, i64 4, i32 3; !5, !5, i64 1, i64 4; !6, !5, i64 0, i64 4; !6, !5, i64 4, i64 4; ' +
      '!6, !5, i64 5, i64 4; !6, !6, i64 0, i64 8; !6, !6, i32 0, i64 8; !5, !5, i32 0, i64 4; !16, !5, i64 0, i64 4; ' +
      '!17, !5, i64 0, i64 4; !18, !5, i64 0, i64 4; !1, !5, i64 0, i64 4',
  ],
  [
    'prof',
    'load call called select',
    '; !"branch_weights"; i32 1, i32 2; !"branch_weights", i32 1; !"branch_weights", i32 1, i32 2; ' +
      '!"branch_weights", !"expected"; !"branch_weights", !"expected", i32 1; !"branch_weights", !1; !"unknown"; ' +
      '!"unknown", !"p"; !"unknown", !""; !"unknown", i32 1; !"unknown", !"p", !"q"; !"VP", i32 0; ' +
      '!"VP", i32 0, i64 1, i64 2, i64 3; !"VP", i32 2, i64 1, i64 2, i64 3; !"VP", i32 3, i64 1, i64 2, i64 3; ' +
      '!"VP", i32 0, i64 1, i64 2, i64 3, i64 4; !"VP", !"a", i64 1, i64 2, i64 3; !"foo", i32 1',
  ],
  [
    'range noalias.addrspace',
    'load called vector add pointer store rmw fence',
    '; i32 0; i32 0, i32 4; i32 0, i32 4, i32 5, i32 7; i32 0, i32 4, i32 4, i32 7; i32 5, i32 7, i32 0, i32 4; ' +
      'i32 5, i32 5; i64 0, i64 4; i32 0, i64 4; !"a", i32 4; i32 0, !1; i32 -1, i32 4; ' +
      'i32 0, i32 4, i32 6, i32 8, i32 10, i32 0',
  ],
  [
    'nonnull nofree invariant.group dereferenceable align captures alloc_token',
    'load pointer inttoptr called store stored',
    '; i64 8; i32 8; i64 3; !"address"; !"address", !"provenance"; !"none"; !"a", i64 1; i64 1, !"a"; !1; i64 8589934592',
  ],
  [
    'llvm.access.group mmra annotation memprof callsite callee_type',
    'load called add fence',
    '!9; !9, !9; !0; !9, !0; !"a", !"b"; !23; !23, !23; !23, !"a"; !24; !24, !24; i64 1, i64 2; i64 1, !"a"; ' +
      '!{!24, !"a"}; !{!24, i64 1}; !{!24, !"a", !"b"}; !{!24, !"a", !24}; !{!24, !"a", !23}; ' +
      '!{!24, !"a", !{i64 1, i64 2}}; !{i64 0, !"a.generalized"}; !{i64 1, !"a.generalized"}; !{i64 0, !"a"}; ' +
      '!{!0, !"a"}',
  ],
];

/** llc-22 casts what is no node here, and dies. */
const isFatal = (kind: string, at: string, form: string): boolean =>
  kind === 'memprof' && at === 'called' && /^(i64|!")/.test(form);

const FUNCTION_FORMS =
  '!prof !{!"function_entry_count", i64 1}; !prof !{!"function_entry_count"}; !prof !{i32 1, i32 2}; !prof !{!"x", i64 1}; ' +
  '!prof !{!"function_entry_count", !"a"}; !prof !{!"unknown", !"p"}; !prof !{!"unknown", !""}; !prof !{!"unknown", i32 1}; ' +
  '!prof !{!"unknown", !"a", !"b"}; !prof !{!"function_entry_count", i64 1} !prof !{!"function_entry_count", i64 2}; ' +
  '!kcfi_type !{}; !kcfi_type !{i32 1}; !kcfi_type !{i64 1}; !kcfi_type !{!"a"}; !kcfi_type !{float 1.0}; ' +
  '!kcfi_type !{i32 1} !kcfi_type !{i32 2}';

const mirOf = (functions: string): string =>
  `--- |\n  declare void @g()\n  declare i32 @h()\n${functions}${NODES}...\n---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;

async function compare(input: string, name: string): Promise<void> {
  const question = { args: ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-run-pass=none'], input };
  assert.deepEqual(await answerOfOurs(question), answerOfLlc(question), name);
}

const split = (list: string): string[] => list.split(';').map((s) => s.trim());

describe('metadata in the IR of a file, as llc-22 verifies it', function () {
  this.timeout(0);

  for (const [kinds, instructions, forms] of TABLES)
    for (const kind of kinds.split(' '))
      it(`!${kind} at ${instructions}: ${split(forms).length} forms`, async function () {
        needsLlc(this);
        for (const at of instructions.split(' ')) {
          const lines = split(forms)
            .filter((form) => !isFatal(kind, at, form))
            .map((form, n) => `    ${(INSTRUCTIONS[at] as string).replace('%N', `%v${n}`)}, !${kind} !{${form}}\n`);
          await compare(mirOf(`  define void @f(ptr %p) {\n${lines.join('')}    ret void\n  }\n`), `${kind} at ${at}`);
        }
      });

  it('!prof and !kcfi_type of functions', async function () {
    needsLlc(this);
    const defined = split(FUNCTION_FORMS).map((form, n) => `  define void @f${n}() ${form} { ret void }\n`);
    const declared = split(FUNCTION_FORMS).map((form, n) => `  declare ${form} void @d${n}()\n`);
    await compare(mirOf(`  define void @f() { ret void }\n${defined.join('')}${declared.join('')}`), 'functions');
  });
});
