/** regallocfast at its edges, as llc-22 and LLVM 24; what it does is in docs/llvm/fast-allocation.md. */
import assert from 'node:assert/strict';
import { itRunsAsLlcOnRandomInstrs } from '../../support/randomRuns.js';
import { needsLlc } from '../../support/llc.js';
import { needsLlc24, runLlc24 } from '../../support/llc24.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { runLlcOnText } from '../../support/schedule.js';

const f = (body: string, head = ''): string => `---\nname: f\ntracksRegLiveness: true\n${head}body: |\n${body}...\n`;

const TEXTS = {
  'values of other blocks': f(`  bb.0:
    liveins: $vgpr0, $sgpr4
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr4
    %2:vgpr_32 = V_ADD_U32_e32 %1, %0, implicit $exec
    %7:vgpr_32 = IMPLICIT_DEF
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.1, %bb.2
    %3:sreg_64 = S_MOV_B64 7
    $exec = S_OR_B64 $exec, %3, implicit-def dead $scc
    %4:vgpr_32 = V_ADD_U32_e32 %1, %2, implicit $exec
    %2:vgpr_32 = V_ADD_U32_e32 %4, %4, implicit $exec
    %8:vgpr_32 = V_ADD_U32_e32 %7, %4, implicit $exec
    S_NOP 0, implicit %8
    S_CMP_EQ_U32 %1, 1, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit killed $scc
  bb.2:
    $vgpr0 = COPY %4
    SI_RETURN implicit $vgpr0
`),
  'hints and copies': f(`  bb.0:
    liveins: $vgpr0, $vgpr1, $vgpr2_vgpr3, $sgpr4
    %0:vgpr_32 = COPY $vgpr1
    %1:vgpr_32 = COPY %0
    %2:vgpr_32 = COPY %1
    %3:vreg_64 = COPY $vgpr2_vgpr3
    %4:vgpr_32 = COPY %3.sub1
    %5:vgpr_32 = COPY %4
    %6:vgpr_32 = COPY $vgpr0
    V_CMP_NE_U32_e32 0, %6, implicit-def $vcc, implicit $exec
    %7:sreg_64_xexec = COPY $vcc
    %8:sreg_64_xexec = COPY $vcc
    %9:vgpr_32 = V_CNDMASK_B32_e64 0, -1, 0, %2, %8, implicit $exec
    $vgpr0 = COPY %9
    $vgpr2 = COPY %5
    S_ENDPGM 0, implicit $vgpr0, implicit $vgpr2, implicit %7
`),
  'parts, tied operands and early clobbers': f(`  bb.0:
    liveins: $vgpr0, $vgpr1, $vgpr2, $vgpr3, $vgpr4
    %0:vgpr_32 = COPY $vgpr0
    undef %1.sub0:vreg_64 = COPY %0
    %1.sub1:vreg_64 = COPY $vgpr1
    %2:vreg_64 = IMPLICIT_DEF
    %2.sub1:vreg_64 = V_MAC_F32_e32 %1.sub0, %1.sub1, %2.sub1, implicit $mode, implicit $exec
    undef %3.sub1:vreg_64 = V_MAC_F32_e32 undef %3.sub1, undef %0, undef %3.sub1, implicit $mode, implicit $exec
    INLINEASM &"", 1 /* sideeffect attdialect */, 1245195 /* regdef-ec:VGPR_32 */, def early-clobber %4:vgpr_32, 1245195, def early-clobber %5:vgpr_32, 1245193, $vgpr2, 1245193, %1.sub0, 12, implicit-def $vgpr4
    %6:vgpr_32 = V_MAC_F32_e32 %4, %5, %0, implicit $mode, implicit $exec
    S_NOP 0, implicit %2, implicit %3.sub1, implicit %6, implicit $vgpr3, implicit $vgpr4
    S_ENDPGM 0
`),
  'more values than registers': f(
    `  bb.0:
    liveins: $sgpr0
${Array.from({ length: 14 }, (_, k) => `    %${k}:sgpr_32 = S_ADD_U32 $sgpr0, ${k}, implicit-def dead $scc\n`).join('')}    S_NOP 0, ${Array.from({ length: 7 }, (_, k) => `implicit %${k}`).join(', ')}
    S_NOP 0, ${Array.from({ length: 7 }, (_, k) => `implicit %${13 - k}`).join(', ')}
    S_NOP 0, ${Array.from({ length: 14 }, (_, k) => `implicit %${k}`).join(', ')}
    S_ENDPGM 0
`,
    'machineFunctionInfo:\n  stackPtrOffsetReg: $sgpr32\n',
  ),
  'bundles, whole waves and calls': f(
    `  bb.0:
    liveins: $vgpr0, $vgpr1, $sgpr4_sgpr5
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %6:vgpr_32 = V_MOV_B32_e32 3, implicit $exec
    %2:vgpr_32 = BUNDLE implicit %0, implicit %1, implicit $exec {
      %2:vgpr_32 = V_ADD_U32_e32 %0, %1, implicit $exec
    }
    %3:sreg_64 = COPY $sgpr4_sgpr5
    dead $sgpr30_sgpr31 = SI_CALL %3, 0, csr_amdgpu, implicit-def $vgpr0
    %4:vgpr_32 = COPY $vgpr0
    S_NOP 0, implicit %4, implicit %2, implicit %6, implicit undef %5:vreg_128
    SI_RETURN
`,
    'registers:\n  - { id: 6, class: vgpr_32, flags: [ WWM_REG ] }\nmachineFunctionInfo:\n  stackPtrOffsetReg: $sgpr32\n',
  ),
};

const RUNS = [
  ['-run-pass=regallocfast'],
  ['-run-pass=regallocfast', '-verify-machineinstrs'],
  ['-run-pass=regallocfast', '-stress-regalloc=3'],
  ['-run-pass=regallocfast', '-amdgpu-spill-sgpr-to-vgpr=0'],
  ['-passes=regallocfast'],
  ['-passes=regallocfast<filter=sgpr;no-clear-vregs>'],
  ['-passes=regallocfast<filter=wwm;no-clear-vregs>'],
  ['-passes=regallocfast<no-clear-vregs;filter=vgpr>'],
  [
    '-passes=regallocfast<filter=sgpr;no-clear-vregs>,regallocfast<filter=wwm;no-clear-vregs>,regallocfast<filter=vgpr>',
  ],
];

describe('regallocfast, as llc-22', () => {
  for (const [name, text] of Object.entries(TEXTS))
    for (const args of RUNS)
      it(`${args.join(' ')} on ${name}`, function () {
        needsLlc(this);
        for (const cpu of ['gfx900', 'gfx90a', 'gfx1100']) {
          const { differs, llc } = runLlcJob({ name, text, args: ['-mtriple=amdgcn', `-mcpu=${cpu}`, ...args] });
          assert.equal(differs, null, cpu);
          assert.ok(llc.stdout !== '' || llc.stderr !== '');
        }
      });
  for (const parameters of ['filter=x', 'x', ';filter=sgpr', 'filter=', 'filter=sgpr;', ''])
    it(`regallocfast<${parameters}>`, function () {
      needsLlc(this);
      const text = TEXTS['hints and copies'];
      const args = ['-mtriple=amdgcn', '-mcpu=gfx900', `-passes=regallocfast<${parameters}>`];
      const { differs } = runLlcJob({ name: parameters, text, args });
      assert.equal(differs, null);
    });
  it('refuses by name what it does not know', () => {
    const text = f(`  bb.0:
    %0:vreg_64 = IMPLICIT_DEF
    BUNDLE implicit %0.sub0 {
      S_NOP 0, implicit %0.sub0
    }
    S_ENDPGM 0
`);
    const { stderr } = runLlcOnText(['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=regallocfast', '-o', '-'], text);
    assert.match(stderr, /amdgpu-mir does not model parts of registers in a bundle in function 'f'/);
  });
});

describe('regallocfast on random instructions, as llc-22', () => {
  itRunsAsLlcOnRandomInstrs('regallocfast', 3);
});

describe('regallocfast, as LLVM 24', () => {
  it('on the same texts, of which it drops copies that nobody reads', function () {
    needsLlc24(this);
    const jobs = Object.values(TEXTS)
      // operands of asm are written otherwise
      .filter((text) => !text.includes('INLINEASM'))
      .map((text) => ({ text, args: ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=regallocfast'] }));
    const bodyOf = (text: string): string => text.slice(text.indexOf('body:'));
    runLlc24(jobs).forEach(({ status, stdout, stderr }, k) => {
      const { text, args } = jobs[k]!;
      assert.equal(status, 0, stderr);
      assert.equal(bodyOf(runLlcOnText(['--model=llvm-24', ...args, '-o', '-'], text).stdout), bodyOf(stdout));
    });
  });
});
