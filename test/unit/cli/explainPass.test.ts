/** `amdgpu-mir explain --pass`: each thing that a pass did, with its reason, in the words of the command. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { expect } from '../../support/expect.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const folder = mkdtempSync(join(tmpdir(), 'explain-pass-'));
after(() => rmSync(folder, { recursive: true }));

function explainText(text: string, ...args: string[]): { exit: number; out: string; err: string } {
  const file = join(folder, 'f.mir');
  writeFileSync(file, text);
  const io = new BufferedIO();
  const exit = runExplain([...args, '--model=llvm-22', file], io);
  return { exit, out: io.out(), err: io.err().replaceAll(file, 'f.mir') };
}

const fn = (cpu: string, body: string, run = ''): string =>
  `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} ${run} -o - %s | FileCheck %s
---
name: f
tracksRegLiveness: false
machineFunctionInfo:
  isEntryFunction: true
body: |
${body}...
`;

const LOADS = `  bb.0:
    $vgpr0 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 0, 0, implicit $exec
    $vgpr1 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 4, 0, implicit $exec
    $vgpr4 = V_ADD_U32_e32 $vgpr0, $vgpr5, implicit $exec
    $sgpr0 = S_LOAD_DWORD_IMM $sgpr2_sgpr3, 0, 0
  bb.1:
    S_STORE_DWORD_IMM $sgpr0, $sgpr2_sgpr3, 0, 0
    GLOBAL_STORE_DWORD $vgpr2_vgpr3, $vgpr1, 0, 0, implicit $exec
    S_WAITCNT_soft 0
    S_WAITCNT_soft 0
    S_ENDPGM 0
`;

describe('amdgpu-mir explain --pass', () => {
  it('says which access a wait is for, and what went', () => {
    const { exit, out } = explainText(fn('gfx900', LOADS, '-run-pass=si-insert-waitcnts'), '--pass=si-insert-waitcnts');
    assert.equal(exit, 0);
    expect`
      @f  gfx900 wave64, LLVM 22.1.8
      si-insert-waitcnts, first pass (-run-pass=si-insert-waitcnts): 4 instructions inserted, 1 instruction changed, 1 instruction erased

      bb.0
        + S_WAITCNT 3953
            vmcnt 1, for line 11 (V_ADD_U32_e32), which reads $vgpr0: line 9 (GLOBAL_LOAD_DWORD) has still to write it; vmcnt counts 2, 1 of them after it

      bb.1
        + S_WAITCNT 49279
            lgkmcnt 0, for line 14 (S_STORE_DWORD_IMM), which reads $sgpr0: line 12 (S_LOAD_DWORD_IMM) has still to write it; lgkmcnt counts 1, in any order, so none may be left
        + S_WAITCNT 3952
            vmcnt 0, for line 15 (GLOBAL_STORE_DWORD), which reads $vgpr1: line 10 (GLOBAL_LOAD_DWORD) has still to write it; vmcnt counts 1, none of them after it
        ~ line 16: S_WAITCNT 112
            was S_WAITCNT_soft 0
            vmcnt 0: a wait that was there before the pass asks for it
            lgkmcnt 0: a wait that was there before the pass asks for it
        + S_DCACHE_WB
            scalar stores stay in their cache unless it is written back before the program ends
        - line 17: S_WAITCNT_soft 0
            gone: another wait here waits for it, too

    `.equals(out);
  });

  it('says which hazard no-ops are for', () => {
    const body = `  bb.0:
    $vgpr0 = V_MOV_B32_e32 0, implicit $exec
    $vgpr1 = V_MOV_B32_dpp $vgpr1, $vgpr0, 0, 15, 15, 0, implicit $exec
    $sgpr4 = V_READFIRSTLANE_B32 $vgpr1, implicit $exec
    S_NOP 0
    $sgpr6 = V_READLANE_B32 $vgpr3, $sgpr4
    $m0 = S_MOV_B32 $sgpr5
    S_SENDMSG 3, implicit $exec, implicit $m0
    S_ENDPGM 0
`;
    expect`
      @f  gfx900 wave64, LLVM 22.1.8
      post-RA-hazard-rec, on the function as it stands: 3 instructions inserted

      bb.0
        + S_NOP 1
            for line 10 (V_MOV_B32_dpp): a DPP instruction reads a VGPR that was just written; it comes after line 9 (V_MOV_B32_e32) and needs 2 wait states between, of which 0 are there
        + S_NOP 2
            for line 13 (V_READLANE_B32): the lane is chosen by an SGPR that the VALU wrote; it comes after line 11 (V_READFIRSTLANE_B32) and needs 4 wait states between, of which 1 is there
        + S_NOP 0
            for line 15 (S_SENDMSG): it reads M0, which the SALU wrote; it comes after line 14 (S_MOV_B32) and needs 1 wait state between, of which 0 are there

    `.equals(explainText(fn('gfx900', body), '--pass=post-RA-hazard-rec').out);
  });

  it('says which write of an SGPR is waited for', () => {
    const body = `  bb.0:
    $vgpr0 = V_XOR_B32_e32 $sgpr0, $vgpr0, implicit $exec
    $sgpr0 = S_ADD_I32 $sgpr2, $sgpr3, implicit-def $scc
    $vgpr1 = V_XOR_B32_e32 $sgpr0, $vgpr0, implicit $exec
    S_ENDPGM 0
`;
    expect`
      @f  gfx1200 wave32, LLVM 22.1.8
      amdgpu-wait-sgpr-hazards, on the function as it stands: 1 instruction inserted

      bb.0
        + S_WAITCNT_DEPCTR 65438
            for line 11 (V_XOR_B32_e32), which reads $sgpr0: line 10 (S_ADD_I32), of the SALU, wrote it after the VALU had read it, and what the VALU read may be taken again

    `.equals(explainText(fn('gfx1200', body), '--pass=amdgpu-wait-sgpr-hazards').out);
  });

  it('says which result S_DELAY_ALU is for', () => {
    const body = `  bb.0:
    $vgpr0 = V_EXP_F32_e32 $vgpr1, implicit $exec, implicit $mode
    $vgpr2 = V_MOV_B32_e32 0, implicit $exec
    $vgpr3 = V_XOR_B32_e32 $vgpr0, $vgpr2, implicit $exec
    $sgpr0 = S_ADD_I32 $sgpr2, $sgpr3, implicit-def $scc
    $vgpr4 = V_XOR_B32_e32 $sgpr0, $vgpr3, implicit $exec
    S_ENDPGM 0
`;
    expect`
      @f  gfx1100 wave32, LLVM 22.1.8
      amdgpu-insert-delay-alu, on the function as it stands: 2 instructions inserted

      bb.0
        + S_DELAY_ALU .id0_TRANS32_DEP_1_skip_SAME_id1_VALU_DEP_1
            for line 11 (V_XOR_B32_e32), which reads $vgpr0: line 9 (V_EXP_F32_e32) has not written it yet, it is 1 transcendental instruction back
            for line 11 (V_XOR_B32_e32), which reads $vgpr2: line 10 (V_MOV_B32_e32) has not written it yet, it is 1 VALU instruction back
        + S_DELAY_ALU .id0_VALU_DEP_1_skip_SAME_id1_SALU_CYCLE_1
            for line 13 (V_XOR_B32_e32), which reads $vgpr3: line 11 (V_XOR_B32_e32) has not written it yet, it is 1 VALU instruction back
            for line 13 (V_XOR_B32_e32), which reads $sgpr0: line 12 (S_ADD_I32) has not written it yet, the SALU needs 1 cycle more

    `.equals(explainText(fn('gfx1100', body), '--pass=amdgpu-insert-delay-alu').out);
  });

  it('says why neighbours are no pair, accesses no clause, an instruction stays long, a copy stays', () => {
    const report = (cpu: string, pass: string, body: string): string =>
      explainText(fn(cpu, `  bb.0:\n${body}    S_ENDPGM 0\n`), `--pass=${pass}`).out;
    expect`
      @f  gfx1100 wave32, LLVM 22.1.8
      gcn-create-vopd, on the function as it stands: 1 instruction inserted, 2 instructions erased

      bb.0
        + $vgpr0, $vgpr1 = V_DUAL_MOV_B32_e32_X_ADD_F32_e32_gfx11 1, $vgpr2, $vgpr3, implicit $exec, implicit $mode, implicit $exec, implicit $mode, implicit $exec
            one half of it was line 9 (V_MOV_B32_e32)
            one half of it was line 10 (V_ADD_F32_e32)
        - line 9: $vgpr0 = V_MOV_B32_e32 1, implicit $exec
        - line 10: $vgpr1 = V_ADD_F32_e32 $vgpr2, $vgpr3, implicit $mode, implicit $exec
          line 12: $vgpr6 = V_MUL_F32_e32 $vgpr9, $vgpr7, implicit $mode, implicit $exec
            not paired with line 11 (V_MOV_B32_e32): VGPRs at the same place of both lie in one bank
          line 13: $vgpr8 = V_MOV_B32_e32 $vgpr6, implicit $exec
            not paired with line 12 (V_MUL_F32_e32): it needs what that one writes

    `.equals(
      report(
        'gfx1100',
        'gcn-create-vopd',
        `    $vgpr0 = V_MOV_B32_e32 1, implicit $exec
    $vgpr1 = V_ADD_F32_e32 $vgpr2, $vgpr3, implicit $mode, implicit $exec
    $vgpr4 = V_MOV_B32_e32 $vgpr5, implicit $exec
    $vgpr6 = V_MUL_F32_e32 $vgpr9, $vgpr7, implicit $mode, implicit $exec
    $vgpr8 = V_MOV_B32_e32 $vgpr6, implicit $exec
`,
      ),
    );
    expect`
      @f  gfx1100 wave32, LLVM 22.1.8
      si-insert-hard-clauses, on the function as it stands: 2 instructions inserted

      bb.0
        + BUNDLE implicit-def $vgpr0, implicit-def $vgpr1, implicit $vgpr2_vgpr3, implicit $exec :: (load (s32), addrspace 1)
            these accesses, from line 9 (GLOBAL_LOAD_DWORD) on, are of one kind and near each other: a clause is not interrupted
        + S_CLAUSE 1
            these accesses, from line 9 (GLOBAL_LOAD_DWORD) on, are of one kind and near each other: a clause is not interrupted
          line 11: $vgpr6 = GLOBAL_LOAD_DWORD $vgpr4_vgpr5, 4, 0, implicit $exec :: (load (s32), addrspace 1)
            not in the clause of line 10 (GLOBAL_LOAD_DWORD): nothing says that the two lie near each other
          line 12: GLOBAL_STORE_DWORD $vgpr4_vgpr5, $vgpr1, 0, 0, implicit $exec :: (store (s32), addrspace 1)
            not in the clause of line 11 (GLOBAL_LOAD_DWORD): it is an access of another kind

    `.equals(
      report(
        'gfx1100',
        'si-insert-hard-clauses',
        `    $vgpr0 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    $vgpr1 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 4, 0, implicit $exec :: (load (s32), addrspace 1)
    $vgpr6 = GLOBAL_LOAD_DWORD $vgpr4_vgpr5, 4, 0, implicit $exec :: (load (s32), addrspace 1)
    GLOBAL_STORE_DWORD $vgpr4_vgpr5, $vgpr1, 0, 0, implicit $exec :: (store (s32), addrspace 1)
`,
      ),
    );
    expect`
      @f  gfx900 wave64, LLVM 22.1.8
      si-shrink-instructions, on the function as it stands: 1 instruction inserted, 1 instruction changed, 1 instruction erased

      bb.0
        + $vgpr0 = V_ADD_F32_e32 $vgpr1, $vgpr2, implicit $mode, implicit $exec
            the short form of line 9 (V_ADD_F32_e64)
        - line 9: $vgpr0 = V_ADD_F32_e64 0, $vgpr1, 0, $vgpr2, 0, 0, implicit $mode, implicit $exec
        ~ line 10: $vgpr3 = V_ADD_F32_e64 0, $vgpr2, 1, $vgpr1, 0, 0, implicit $mode, implicit $exec
            was $vgpr3 = V_ADD_F32_e64 1, $vgpr1, 0, $vgpr2, 0, 0, implicit $mode, implicit $exec
            not shrunk: the short form has no place for its operands or modifiers, in either order
          line 11: $vgpr4 = V_CNDMASK_B32_e64 0, $vgpr1, 0, $vgpr2, $sgpr0_sgpr1, implicit $exec
            not shrunk: the short form has its mask, or its carry, in VCC, and here it is elsewhere

    `.equals(
      report(
        'gfx900',
        'si-shrink-instructions',
        `    $vgpr0 = V_ADD_F32_e64 0, $vgpr1, 0, $vgpr2, 0, 0, implicit $mode, implicit $exec
    $vgpr3 = V_ADD_F32_e64 1, $vgpr1, 0, $vgpr2, 0, 0, implicit $mode, implicit $exec
    $vgpr4 = V_CNDMASK_B32_e64 0, $vgpr1, 0, $vgpr2, $sgpr0_sgpr1, implicit $exec
`,
      ),
    );
    expect`
      @f  gfx900 wave64, LLVM 22.1.8
      register-coalescer, on the function as it stands: 2 instructions inserted, 3 instructions changed, 3 instructions erased

      bb.0
        ~ line 9: %2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
            was %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
        + %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
        - line 10: %1:vgpr_32 = COPY %0
            gone: the value is computed again where it was copied to
        ~ line 11: %1:vgpr_32 = V_ADD_U32_e32 %1, %2, implicit $exec
            was %1:vgpr_32 = V_ADD_U32_e32 %1, %0, implicit $exec
        + $vgpr7 = V_MOV_B32_e32 1, implicit $exec
        - line 12: %2:vgpr_32 = COPY %0
            joined: both registers are one now
        - line 13: $vgpr7 = COPY %2
            gone: the value is computed again where it was copied to
        ~ line 14: S_NOP 0, implicit %1, implicit %2
            was S_NOP 0, implicit %1, implicit %0

    `.equals(
      report(
        'gfx900',
        'register-coalescer',
        `    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %1:vgpr_32 = COPY %0
    %1:vgpr_32 = V_ADD_U32_e32 %1, %0, implicit $exec
    %2:vgpr_32 = COPY %0
    $vgpr7 = COPY %2
    S_NOP 0, implicit %1, implicit %0
`,
      ),
    );
  });

  it('runs the passes before it where the RUN line has them', () => {
    const run = '-run-pass=si-insert-waitcnts,post-RA-hazard-rec';
    expect`post-RA-hazard-rec, after 1 pass (-run-pass=si-insert-waitcnts,post-RA-hazard-rec): nothing changed`.equals(
      explainText(fn('gfx900', LOADS, run), '--pass=post-RA-hazard-rec').out.split('\n')[1]!,
    );
  });

  describe('of a function that is optnone, in a -passes pipeline', () => {
    const PIPELINE = ['dead-mi-elimination', 'phi-node-elimination', 'detect-dead-lanes'];
    const text = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -passes=${PIPELINE.join(',')} -o - %s
--- |
  define void @f() #0 { ret void }
  attributes #0 = { noinline optnone }
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    S_BRANCH %bb.1
  bb.1:
    %1:vgpr_32 = PHI %0, %bb.0
    S_ENDPGM 0, implicit %1
...
`;
    const explained = (pass: string): string => {
      const { out, err } = explainText(text, `--pass=${pass}`);
      return err === '' ? out.split('\n')[1]! : err;
    };

    it('says of passes that are not required that llc leaves them out, and what the others do', () => {
      expect`
        @f: dead-mi-elimination does not run: llc leaves it out: the function is optnone

        phi-node-elimination, after 1 pass (-passes=dead-mi-elimination,phi-node-elimination,detect-dead-lanes): 2 instructions inserted, 1 instruction erased
        detect-dead-lanes, after 2 passes (-passes=dead-mi-elimination,phi-node-elimination,detect-dead-lanes): nothing changed
      `.equals(PIPELINE.map(explained).join('\n'));
    });

    it('llc-22 runs the same ones', function () {
      needsLlc(this);
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a', `-passes=${PIPELINE.join(',')}`, '-print-after-all'];
      const { stderr } = runLlc([...args, '-x=mir', '-o', '-'], text);
      const ran = [...stderr.matchAll(/IR Dump After (\w+) on f /g)].map(([, name]) => name);
      assert.deepEqual(ran, ['PHIEliminationPass', 'DetectDeadLanesPass']);
    });
  });

  it('runs those of the pipeline from the stage on', () => {
    const { out } = explainText(fn('gfx900', LOADS), '--pass=si-insert-waitcnts', '--stage=allocated');
    expect`si-insert-waitcnts, after 24 passes (the pipeline after virtregrewriter,2): 2 instructions inserted, 4 instructions changed, 3 instructions erased`.equals(
      out.split('\n')[1]!,
    );
  });

  it('shows what changed where a pass writes no reasons', () => {
    const body = `  bb.0:
    $vgpr0 = IMPLICIT_DEF
    KILL $vgpr0
    $vgpr1 = COPY $vgpr0
    S_ENDPGM 0
`;
    expect`
      @f  gfx900 wave64, LLVM 22.1.8
      postrapseudos, on the function as it stands: 1 instruction inserted, 1 instruction erased
      this pass writes no reasons down yet: what follows is what it changed

      bb.0
        + $vgpr1 = V_MOV_B32_e32 $vgpr0, implicit $exec
        - line 11: $vgpr1 = COPY $vgpr0

    `.equals(explainText(fn('gfx900', body), '--pass=postrapseudos').out);
  });

  it('has it as JSON', () => {
    const { out } = explainText(fn('gfx900', LOADS), '--pass=si-insert-waitcnts', '--json');
    const { functions } = JSON.parse(out) as { functions: { pass: string; inserted: number; instrs: object[] }[] };
    assert.deepEqual(
      [functions[0]!.pass, functions[0]!.inserted, functions[0]!.instrs.length],
      ['si-insert-waitcnts', 4, 6],
    );
  });

  it('refuses a pass that there is not, and what does not go together', () => {
    const text = fn('gfx900', LOADS);
    expect`
      amdgpu-mir explain: --pass: there is no pass 'nonsense'
      amdgpu-mir explain: --pass cannot be used with --allocation or --divergence
      amdgpu-mir explain: --region cannot be used with --pass
      amdgpu-mir explain: no function @g; there is f
    `.equals(
      [
        ['--pass=nonsense'],
        ['--pass=none', '--allocation'],
        ['--pass=none', '--region=1'],
        ['--pass=none', '--function=g'],
      ]
        .map((args) => explainText(text, ...args).err.split('\n')[0]!)
        .join('\n'),
    );
  });
});
