/** All diagnostics of small documents as an editor has them: range, severity, code, words, related places. */
import assert from 'node:assert/strict';
import { toLspDiagnostics } from '../../../../server/src/features/diagnostics/diagnostics.js';
import type { Settings } from '../../../../server/src/program/settings.js';
import { openText } from '../../../support/cursor.js';

const CASES: readonly { what: string; settings: Partial<Settings>; text: string; said: readonly string[] }[] = [
  {
    what: 'copies to scalar registers',
    settings: {},
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=si-fix-sgpr-copies -o - %s
---
name: copies
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr4

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr4
    %2:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    %3:sreg_32 = COPY %2
    %4:vgpr_32 = V_ADD_U32_e32 %1, %0, implicit $exec
    %5:sreg_32 = COPY %4
    %6:sreg_32 = S_ADD_I32 %5, %3, implicit-def dead $scc
    %7:sreg_32 = S_ADD_I32 %6, 1, implicit-def dead $scc
    %8:vgpr_32 = V_MOV_B32_e32 %7, implicit $exec
    %9:vgpr_32 = COPY %1
    %10:sreg_32 = COPY %9
    $sgpr5 = COPY %0
    S_ENDPGM 0, implicit %8, implicit %10, implicit $sgpr5
...
`,
    said: [
      '14:4-14:24 3 vector-to-scalar-copy: copy from a vector to a scalar register; si-fix-sgpr-copies: the constant is moved again',
      '16:4-16:24 2 divergent-scalar: %4 is divergent, and the scalar register is no lane mask; si-fix-sgpr-copies: 2 scalar instructions that it reaches may move to the VALU',
      '21:4-21:25 3 vector-to-scalar-copy: copy from a vector to a scalar register; si-fix-sgpr-copies: 1 scalar instruction that it reaches may move to the VALU',
      '22:4-22:20 2 divergent-scalar: %0 is divergent, and the scalar register is no lane mask; si-fix-sgpr-copies: the copy stays',
    ],
  },
  {
    what: 'pressure and rematerialization, with documentation',
    settings: { pressureDiagnostics: true, rematDiagnostics: true, documentation: 'https://docs.example/d' },
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s
--- |
  define amdgpu_kernel void @p() #0 { ret void }
  attributes #0 = { "amdgpu-num-vgpr"="24" }
...
---
name: p
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0

    %n:vgpr_32 = COPY $vgpr0
    SCHED_BARRIER 0
    %m0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %m1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    %m2:vgpr_32 = V_MOV_B32_e32 3, implicit $exec
    %a0:vgpr_32 = V_MOV_B32_e32 10, implicit $exec
    %a1:vgpr_32 = V_MOV_B32_e32 11, implicit $exec
    %a2:vgpr_32 = V_MOV_B32_e32 12, implicit $exec
    %a3:vgpr_32 = V_MOV_B32_e32 13, implicit $exec
    %a4:vgpr_32 = V_MOV_B32_e32 14, implicit $exec
    %a5:vgpr_32 = V_MOV_B32_e32 15, implicit $exec
    %a6:vgpr_32 = V_MOV_B32_e32 16, implicit $exec
    %a7:vgpr_32 = V_MOV_B32_e32 17, implicit $exec
    %a8:vgpr_32 = V_MOV_B32_e32 18, implicit $exec
    %a9:vgpr_32 = V_MOV_B32_e32 19, implicit $exec
    %a10:vgpr_32 = V_MOV_B32_e32 20, implicit $exec
    %a11:vgpr_32 = V_MOV_B32_e32 21, implicit $exec
    %a12:vgpr_32 = V_MOV_B32_e32 22, implicit $exec
    %a13:vgpr_32 = V_MOV_B32_e32 23, implicit $exec
    %a14:vgpr_32 = V_MOV_B32_e32 24, implicit $exec
    %a15:vgpr_32 = V_MOV_B32_e32 25, implicit $exec
    %a16:vgpr_32 = V_MOV_B32_e32 26, implicit $exec
    %a17:vgpr_32 = V_MOV_B32_e32 27, implicit $exec
    %a18:vgpr_32 = V_MOV_B32_e32 28, implicit $exec
    %a19:vgpr_32 = V_MOV_B32_e32 29, implicit $exec
    %a20:vgpr_32 = V_MOV_B32_e32 30, implicit $exec
    %a21:vgpr_32 = V_MOV_B32_e32 31, implicit $exec
    S_NOP 0, implicit %a0, implicit %a1, implicit %a2, implicit %a3, implicit %a4, implicit %a5, implicit %a6, implicit %a7, implicit %a8, implicit %a9, implicit %a10, implicit %a11, implicit %a12, implicit %a13, implicit %a14, implicit %a15, implicit %a16, implicit %a17, implicit %a18, implicit %a19, implicit %a20, implicit %a21

  bb.1:
    S_NOP 0, implicit %m2, implicit %m1
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    S_NOP 0, implicit %n, implicit %m0, implicit %m1
    S_ENDPGM 0
...
`,
    said: [
      "39:4-39:51 2 would-spill https://docs.example/d#would-spill: 'p' would spill: 26 VGPRs live at once at bb.0:26, the function may use 24: 2 too many",
      "39:4-39:51 3 limits-occupancy https://docs.example/d#limits-occupancy: VGPR pressure of region 0 (bb.0) limits the occupancy of 'p' to 9 of 10; next wave: -2 VGPR\n    15:4 the region begins here\n    40:4 and ends here",
      '15:4-15:15 4 rematerialize https://docs.example/d#rematerialize: %m0 can be rematerialized at bb.2: VGPR -1 in 2 regions, occupancy stays 9\n    47:4 a copy would stand before this',
      '16:4-16:15 4 rematerialize https://docs.example/d#rematerialize: %m1 can be rematerialized at bb.1, bb.2: VGPR -1 in 1 region, occupancy stays 9\n    43:4 a copy would stand before this\n    47:4 a copy would stand before this',
      '17:4-17:15 4 rematerialize https://docs.example/d#rematerialize: %m2 can be rematerialized at bb.1: VGPR -1 in 1 region, occupancy stays 9\n    43:4 a copy would stand before this',
    ],
  },
  {
    what: 'errors with the places that they are about',
    settings: {},
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pas=none %s
---
name: f
alignment: 3
registers:
  - { id: 7, class: vgpr_32 }
  - { id: 7, class: sgpr_32 }
body: |
  bb.0:
    %0:vgpr_32 = V_ADD_U32_e32 %1, undef %2:vgpr_32, implicit $exec
    %0:sgpr_32 = S_MOV_B32 0
    S_ENDPGM 0
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
`,
    said: [
      "1:40-1:53 2 unknown-option: Unknown command line argument '-run-pas=none'. Did you mean '--run-pass=none'? (LLVM 22.1.8)",
      '4:11-4:12 1 yaml: must be 0 or a power of two',
      "7:10-7:11 1 redefinition: redefinition of virtual register '%7'\n    6:10 first defined here",
      '11:7-11:14 1 class-conflict: conflicting register classes, previously: VGPR_32\n    10:4 class given here',
      "10:31-10:33 1 no-class: Cannot determine class/bank of virtual register 1 in function 'f'",
      "15:6-15:7 1 bad-function-name: redefinition of machine function 'f'\n    3:6 first defined here",
    ],
  },
  {
    what: 'complaints of the verifier',
    settings: {},
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s
---
name: v
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %1:vgpr_32 = V_ADD_U32_e64 %0, %0, 0, implicit $exec
    S_NOP 0, implicit %5:vgpr_32
    S_NOP 0, implicit $vgpr3
    S_ENDPGM 0
...
`,
    said: [
      '9:13-9:32 1 reading-virtual-register-without-a-def: Reading virtual register without a def\n(machine verifier)',
      '10:13-10:28 1 using-an-undefined-physical-register: Using an undefined physical register\n(machine verifier)',
    ],
  },
  {
    what: 'what is not needed',
    settings: { unnecessaryHints: true },
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s
---
name: idle
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %1:vgpr_32 = V_ADD_U32_e64 %0, %0, 0, implicit $exec
    %2:vgpr_32 = V_ADD_U32_e64 %1, %0, 0, implicit $exec
    S_ENDPGM 0, implicit %1

  bb.1:
    S_ENDPGM 0
...
`,
    said: [
      '12:2-12:7 4 unreachable-block 1: nothing reaches bb.1',
      '9:4-9:56 4 unused-register 1: nothing reads what this instruction writes',
      '8:17-8:30 4 shorter-encoding: V_ADD_U32_e32 does the same in 4 bytes instead of 8',
      '9:17-9:30 4 shorter-encoding: V_ADD_U32_e32 does the same in 4 bytes instead of 8',
    ],
  },
];

function diagnostics(text: string, settings: Partial<Settings> = {}): string[] {
  return toLspDiagnostics(openText(text, settings).snapshot).map((d) => {
    assert.equal(d.source, 'amdgpu-mir');
    const { start, end } = d.range;
    const place = `${start.line + 1}:${start.character}-${end.line + 1}:${end.character}`;
    const code = `${d.code!}${d.tags ? ` ${d.tags.join()}` : ''}${d.codeDescription ? ` ${d.codeDescription.href}` : ''}`;
    const related = (d.relatedInformation ?? []).map(
      ({ location, message }) => `\n    ${location.range.start.line + 1}:${location.range.start.character} ${message}`,
    );
    return `${place} ${d.severity!} ${code}: ${d.message}${related.join('')}`;
  });
}

describe('diagnostics of a document', () => {
  for (const { what, settings, text, said } of CASES) {
    it(what, () => assert.deepEqual(diagnostics(text, settings), said));

    it(`${what}: only what is asked for`, () => {
      const off = {
        pressureDiagnostics: false,
        rematDiagnostics: false,
        unnecessaryHints: false,
        copyDiagnostics: false,
      };
      const wanted = said.filter(
        (row) =>
          !/ (?:would-spill|limits-occupancy|rematerialize|divergent-scalar|vector-to-scalar-copy|unreachable-block|unused-register|shorter-encoding)\b/.test(
            row,
          ),
      );
      assert.deepEqual(diagnostics(text, { ...settings, ...off }), wanted);
    });
  }

  it('two hundred of a function, and how many more', () => {
    const text = (n: number): string =>
      `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: many\ntracksRegLiveness: true\nbody: |\n  bb.0:\n${Array.from({ length: n }, (_, k) => `    S_NOP 0, implicit $vgpr${k % 60}\n`).join('')}    S_ENDPGM 0\n...\n`;
    assert.equal(diagnostics(text(200)).length, 200);
    const more = diagnostics(text(203));
    assert.equal(more.length, 201);
    assert.equal(more.at(-1), "1:0-1:0 3 more-diagnostics: 3 more findings in function 'many' are not shown");
  });
});
