/** Memory that the members of a bundle write: what reads before it stays there, whatever its encoding, since a header says nothing of addresses. */
import assert from 'node:assert/strict';
import { llcVersion } from '../../../../support/llc.js';
import { scheduleWithLlc, scheduleWithOurs } from '../../../../support/schedule.js';

const READS = [
  ['$vgpr4 = DS_READ_B32_gfx9 $vgpr0, 0, 0, implicit $exec :: (load (s32), addrspace 3)', 'GLOBAL'],
  [
    '$vgpr4 = BUFFER_LOAD_DWORD_OFFSET $sgpr4_sgpr5_sgpr6_sgpr7, 0, 0, 0, 0, implicit $exec :: (load (s32), addrspace 1)',
    'DS',
  ],
  ['$sgpr9 = S_LOAD_DWORD_IMM $sgpr0_sgpr1, 0, 0 :: (load (s32), addrspace 4)', 'DS'],
] as const;

const STORES = {
  GLOBAL: ['GLOBAL_STORE_BYTE_SADDR $vgpr1, $vgpr2, $sgpr0_sgpr1, 5, 0, implicit $exec', '(store (s8), addrspace 1)'],
  DS: ['DS_WRITE_B32_gfx9 $vgpr1, $vgpr2, 508, 0, implicit $exec', '(store (s32), addrspace 3)'],
};

const text = (read: string, kind: keyof typeof STORES): string => `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1, $vgpr2, $sgpr0_sgpr1, $sgpr4_sgpr5_sgpr6_sgpr7
    $vgpr3 = V_MOV_B32_e32 1, implicit $exec
    ${read}
    $sgpr10 = S_MOV_B32 3
    BUNDLE implicit $vgpr1, implicit $vgpr2, implicit $sgpr0_sgpr1, implicit $exec, implicit killed $sgpr10 :: ${STORES[kind][1]} {
      ${STORES[kind][0]} :: ${STORES[kind][1]}
      ${STORES[kind][0]} :: ${STORES[kind][1]}
    }
    $vgpr6 = V_MOV_B32_e32 $vgpr3, implicit $exec
    S_NOP 0
    S_ENDPGM 0
...
`;

describe('memory in bundles', () => {
  it('keeps its place after reads of other encodings', () => {
    for (const [read, kind] of READS) {
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-misched=gcn-iterative-minreg'];
      const input = text(read, kind);
      const ours = scheduleWithOurs(input, args);
      assert.ok(ours.stdout.indexOf(read.slice(0, 20)) < ours.stdout.indexOf('BUNDLE'), `${read}\n${ours.stdout}`);
      if (llcVersion() !== null) assert.equal(ours.stdout, scheduleWithLlc(input, args).stdout);
    }
  });
});
