/** amdgpu-lower-vgpr-encoding at its edges, as llc-22: barriers, clauses, S_SETREG of MODE, inline assembly, ends of blocks. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { runLlcOnText } from '../../support/schedule.js';

const TEXT = `---
name: f1
body: |
  bb.0:
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    $vgpr1 = V_MOV_B32_e32 1, implicit $exec
    S_BARRIER
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0
...
---
name: f2
body: |
  bb.0:
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    $vgpr1 = V_MOV_B32_e32 1, implicit $exec
    S_WAIT_LOADCNT 0
    S_BARRIER
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0
...
---
name: f3
body: |
  bb.0:
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    $vgpr1 = V_MOV_B32_e32 1, implicit $exec
    S_BARRIER
    S_WAIT_LOADCNT 0
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0
...
---
name: f4
body: |
  bb.0:
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    $vgpr1 = V_MOV_B32_e32 1, implicit $exec
    S_WAIT_LOADCNT 0
    S_BARRIER_SIGNAL_IMM -1
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0
...
---
name: f5
body: |
  bb.0:
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    $vgpr1 = V_MOV_B32_e32 1, implicit $exec
    S_DELAY_ALU 1
    S_BARRIER
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0
...
---
name: f6
body: |
  bb.0:
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    $vgpr1 = V_MOV_B32_e32 1, implicit $exec
    S_SLEEP 1
    S_BARRIER
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0
...
---
name: f7
tracksRegLiveness: false
body: |
  bb.0:
    S_BARRIER
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    $vgpr1 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0
...
---
name: f8
tracksRegLiveness: false
body: |
  bb.0:
    successors: %bb.1
    S_NOP 0
    S_BARRIER
    S_BARRIER
    S_BARRIER
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    S_BARRIER
    S_BRANCH %bb.1
  bb.1:
    successors: %bb.2
    S_BARRIER
    S_BARRIER
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    S_BARRIER_INIT_IMM -1, implicit $m0
    S_BARRIER_JOIN_IMM -1
    S_BARRIER_LEAVE implicit-def $scc
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    DBG_VALUE $vgpr300, $noreg
    S_BARRIER
    DBG_VALUE $vgpr300, $noreg
    $vgpr1 = V_MOV_B32_e32 1, implicit $exec
  bb.2:
    $vgpr300 = V_MOV_B32_e32 1, implicit $exec
    S_SETREG_IMM32_B32 1, 1601, implicit-def $mode, implicit $mode
    $vgpr1 = V_MOV_B32_e32 $vgpr256, implicit $exec
    S_SETREG_IMM32_B32 255, 28673, implicit-def $mode, implicit $mode
    $vgpr1 = V_MOV_B32_e32 $vgpr256, implicit $exec
    S_SETREG_IMM32_B32 16384, 28673, implicit-def $mode, implicit $mode
    $vgpr301 = V_MOV_B32_e32 $vgpr256, implicit $exec
    BUNDLE {
      S_CLAUSE 2
      $vgpr1 = GLOBAL_LOAD_DWORD $vgpr258_vgpr259, 0, 0, implicit $exec
      $vgpr1 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 0, 0, implicit $exec
      $vgpr513 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 0, 0, implicit $exec
    }
    BUNDLE {
      S_CLAUSE 258
      $vgpr1 = GLOBAL_LOAD_DWORD $vgpr258_vgpr259, 0, 0, implicit $exec
      $vgpr1 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 0, 0, implicit $exec
      $vgpr513 = GLOBAL_LOAD_DWORD $vgpr2_vgpr3, 0, 0, implicit $exec
    }
    INLINEASM &"", 1
    INLINEASM &"", 1, 10, def $vgpr3
    S_ENDPGM 0
...
`;

describe('amdgpu-lower-vgpr-encoding', () => {
  for (const cpu of ['gfx1250', 'gfx1251', 'gfx1200'])
    it(`sets high bits on ${cpu}`, function () {
      needsLlc(this);
      const args = ['-mtriple=amdgcn', `-mcpu=${cpu}`, '-run-pass=amdgpu-lower-vgpr-encoding', '-simplify-mir'];
      const { differs, llc } = runLlcJob({ name: cpu, text: TEXT, args });
      assert.equal(differs, null);
      assert.equal(llc.stdout.includes('S_SET_VGPR_MSB'), cpu !== 'gfx1200');
    });

  it('is refused as LLVM 24 does it', () => {
    const args = [
      '--model=llvm-24',
      '-mtriple=amdgcn',
      '-mcpu=gfx1250',
      '-run-pass=amdgpu-lower-vgpr-encoding',
      '-o',
      '-',
    ];
    assert.match(runLlcOnText(args, TEXT).stderr, /does not model VGPRs beyond the first 256/);
  });
});
