/** Moves to the VALU where SGPRs spill: at which lines, with which titles, and the text behind them. */
import assert from 'node:assert/strict';
import { CodeActionTriggerKind } from 'vscode-languageserver-types';
import { vectorizeActions } from '../../../../server/src/features/scalarize/vectorizeActions.js';
import { applied } from '../../../support/editing.js';
import { atBar } from '../../../support/cursor.js';

const text = (most: number): string => `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 %s
--- |
  define amdgpu_kernel void @f() #0 { ret void }
  attributes #0 = { "amdgpu-num-sgpr"="${most}" }
...
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $sgpr4, $sgpr5, $vgpr0

    %0:sreg_32 = COPY $sgpr4
    %1:sreg_32 = COPY $sgpr5
    S_BARRIER
    %2:sreg_32 = S_ADD_I32 %0, 1, implicit-def dead $scc
    %3:sreg_32 = S_ADD_I32 %0, 2, implicit-def dead $scc
    %4:vgpr_32 = COPY $vgpr0
    S_NOP 0, implicit %4
    %5:vgpr_32 = V_ADD_U32_e64 %2, %4, 0, implicit $exec
    %6:vgpr_32 = V_ADD_U32_e64 %3, %5, 0, implicit $exec
    %7:vgpr_32 = V_ADD_U32_e64 %1, %6, 0, implicit $exec
    S_ENDPGM 0, implicit %7, implicit %0
...
`;
