/**
 * Base, offset and width of memory instructions of every encoding; expectations are those of the real LLVM 22.1.8 (`oracle instrs`, address).
 */
import assert from 'node:assert/strict';
import { decomposeMemAccess } from '../../../../../server/src/passes/scheduler/dag/memAccess.js';
import { lowerWithRunLine } from '../../../../support/schedule.js';

const REGISTERS = [
  'vgpr_32', 'vgpr_32', 'vreg_64', 'vreg_64', 'sgpr_128', 'sreg_64_xexec_xnull', 'sgpr_32', 'vreg_128', 'sgpr_256', 'vreg_384',
]; // prettier-ignore

/** By processor: an instruction, and its base operands, offset and width in bytes; nothing where it does not decompose. EXEC: `implicit $exec`. */
const EXPECTED: Readonly<Record<string, string>> = {
  gfx900: `
    %20:vgpr_32 = DS_READ_B32_gfx9 %0, 4, 0, EXEC => %0, 4, 4
    %20:vreg_64 = DS_READ_B64_gfx9 %0, 65535, 0, EXEC => %0, 65535, 8
    %20:vreg_128 = DS_READ_B128_gfx9 %1, 16, 1, EXEC => %1, 16, 16
    %20:vgpr_32 = DS_READ_U8_gfx9 %0, 1, 0, EXEC => %0, 1, 4
    DS_WRITE_B32_gfx9 %0, %1, 8, 0, EXEC => %0, 8, 4
    DS_WRITE_B64_gfx9 %0, %2, 8, 0, EXEC => %0, 8, 8
    DS_WRITE_B32_gfx9 %0, %2.sub1, 8, 0, EXEC => %0, 8, 4
    DS_WRITE_B8_gfx9 %2.sub0, %1, 3, 0, EXEC => %2.sub0, 3, 4
    %20:vreg_64 = DS_READ2_B32_gfx9 %0, 2, 3, 0, EXEC => %0, 8, 8
    %20:vreg_64 = DS_READ2_B32_gfx9 %0, 0, 1, 0, EXEC => %0, 0, 8
    %20:vreg_64 = DS_READ2_B32_gfx9 %0, 1, 3, 0, EXEC => 
    %20:vreg_64 = DS_READ2_B32_gfx9 %0, 3, 2, 0, EXEC => 
    %20:vreg_64 = DS_READ2_B32_gfx9 %0, 255, 256, 0, EXEC => 
    %20:vreg_64 = DS_READ2_B32_gfx9 %0, 257, 258, 0, EXEC => %0, 4, 8
    %20:vreg_128 = DS_READ2_B64_gfx9 %0, 5, 6, 0, EXEC => %0, 40, 16
    %20:vreg_64 = DS_READ2ST64_B32_gfx9 %0, 2, 3, 0, EXEC => %0, 8, 8
    %20:vreg_128 = DS_READ2ST64_B64_gfx9 %0, 2, 3, 0, EXEC => %0, 16, 16
    %20:vreg_64 = DS_READ2ST64_B32 %0, 2, 3, 0, implicit $m0, EXEC => %0, 512, 8
    %20:vreg_128 = DS_READ2ST64_B64 %0, 1, 2, 0, implicit $m0, EXEC => %0, 512, 16
    %20:vreg_64 = DS_READ2_B32 %0, 1, 2, 0, implicit $m0, EXEC => %0, 4, 8
    DS_WRITE2_B32_gfx9 %0, %0, %1, 4, 5, 0, EXEC => %0, 16, 8
    DS_WRITE2_B32_gfx9 %0, %0, %1, 4, 6, 0, EXEC => 
    DS_WRITE2_B64_gfx9 %0, %2, %3, 4, 5, 0, EXEC => %0, 32, 16
    DS_WRITE2ST64_B32_gfx9 %0, %0, %1, 4, 5, 0, EXEC => %0, 16, 8
    DS_WRITE2ST64_B64_gfx9 %0, %2, %3, 4, 5, 0, EXEC => %0, 32, 16
    DS_WRITE2ST64_B32 %0, %0, %1, 4, 5, 0, implicit $m0, EXEC => %0, 1024, 8
    DS_WRITE2ST64_B64 %0, %2, %3, 1, 2, 0, implicit $m0, EXEC => %0, 512, 16
    DS_WRITE2_B32_gfx9 %0, %2.sub0, %2.sub1, 4, 5, 0, EXEC => %0, 16, 8
    %20:vgpr_32 = DS_ADD_RTN_U32_gfx9 %0, %1, 12, 0, EXEC => %0, 12, 4
    DS_ADD_U32_gfx9 %0, %1, 12, 0, EXEC => %0, 12, 4
    %20:vgpr_32 = DS_CMPST_RTN_B32_gfx9 %0, %1, %1, 4, 0, EXEC => %0, 4, 4
    %20:vgpr_32 = DS_SWIZZLE_B32 %0, 4, 0, EXEC => 
    %20:vgpr_32 = DS_CONSUME 4, 0, implicit $m0, EXEC => 
    %20:vgpr_32 = DS_BPERMUTE_B32 %0, %1, 0, EXEC => 
    DS_NOP implicit $m0, EXEC => 
    DS_GWS_BARRIER %0, 0, implicit $m0, EXEC => 
    %20:vgpr_32 = BUFFER_LOAD_DWORD_OFFSET %4, 0, 16, 0, 0, EXEC => %4, 16, 4
    %20:vreg_64 = BUFFER_LOAD_DWORDX2_OFFEN %0, %4, 0, 16, 0, 0, EXEC => %4 %0, 16, 8
    %20:vreg_64 = BUFFER_LOAD_DWORDX2_OFFEN %0, %4, %6, 16, 0, 0, EXEC => %4 %0 %6, 16, 8
    %20:vgpr_32 = BUFFER_LOAD_DWORD_OFFEN %0, %4, 7, 16, 0, 0, EXEC => %4 %0, 23, 4
    %20:vgpr_32 = BUFFER_LOAD_DWORD_BOTHEN %2, %4, %6, 4, 0, 0, EXEC => %4 %2 %6, 4, 4
    %20:vgpr_32 = BUFFER_LOAD_DWORD_IDXEN %0, %4, 1, 4, 0, 0, EXEC => %4 %0, 5, 4
    %20:vgpr_32 = BUFFER_LOAD_DWORD_OFFEN %stack.0, %4, 0, 4, 0, 0, EXEC => %4, 4, 4
    %20:vgpr_32 = BUFFER_LOAD_UBYTE_OFFSET %4, %6, 5, 0, 0, EXEC => %4 %6, 5, 4
    BUFFER_STORE_DWORD_OFFSET %0, %4, 0, 24, 0, 0, EXEC => %4, 24, 4
    BUFFER_STORE_DWORDX4_OFFEN %7, %0, %4, %6, 24, 0, 0, EXEC => %4 %0 %6, 24, 16
    BUFFER_ATOMIC_ADD_OFFEN %0, %1, %4, 0, 8, 0, EXEC => %4 %1, 8, 4
    %20:vgpr_32 = BUFFER_ATOMIC_ADD_OFFEN_RTN %0, %1, %4, 0, 8, 1, EXEC => %4 %1, 8, 4
    BUFFER_LOAD_DWORD_LDS_OFFEN %0, %4, 0, 8, 0, 0, EXEC, implicit $m0 => 
    BUFFER_WBINVL1 EXEC => 
    %20:vgpr_32 = TBUFFER_LOAD_FORMAT_X_OFFSET %4, 0, 16, 78, 0, 0, EXEC => %4, 16, 4
    TBUFFER_STORE_FORMAT_X_OFFEN %1, %0, %4, 0, 16, 78, 0, 0, EXEC => %4 %0, 16, 4
    %20:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %5, 20, 0 => %5, 20, 4
    %20:sreg_64_xexec = S_LOAD_DWORDX2_IMM %5, 8, 0 => %5, 8, 8
    %20:sreg_32_xm0_xexec = S_LOAD_DWORD_SGPR %5, %6, 0 => %5, 0, 4
    %20:sreg_32_xm0_xexec = S_BUFFER_LOAD_DWORD_IMM %4, 12, 0 => %4, 12, 4
    %20:sgpr_128 = S_BUFFER_LOAD_DWORDX4_SGPR %4, %6, 0 => %4, 0, 16
    S_STORE_DWORD_IMM %6, %5, 4, 0 => 
    S_DCACHE_WB => 
    %20:sreg_64_xexec = S_MEMTIME => 
    %20:vgpr_32 = GLOBAL_LOAD_DWORD %2, -16, 0, EXEC => %2, -16, 4
    %20:vreg_128 = GLOBAL_LOAD_DWORDX4 %2, 16, 0, EXEC => %2, 16, 16
    %20:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %5, %0, 8, 0, EXEC => %0 %5, 8, 4
    GLOBAL_STORE_DWORD %2, %0, 4, 0, EXEC => %2, 4, 4
    GLOBAL_STORE_DWORDX2_SADDR %0, %2, %5, 4, 0, EXEC => %0 %5, 4, 8
    GLOBAL_STORE_DWORD %2, %3.sub1, 4, 0, EXEC => %2, 4, 4
    %20:vgpr_32 = FLAT_LOAD_DWORD %2, 4, 0, EXEC, implicit $flat_scr => %2, 4, 4
    FLAT_STORE_SHORT %2, %0, 6, 0, EXEC, implicit $flat_scr => %2, 6, 4
    %20:vgpr_32 = GLOBAL_ATOMIC_ADD_RTN %2, %0, 12, 1, EXEC => %2, 12, 4
    GLOBAL_ATOMIC_ADD %2, %0, 12, 0, EXEC => %2, 12, 4
    %20:vreg_64 = FLAT_ATOMIC_CMPSWAP_X2_RTN %2, %7, 0, 1, EXEC, implicit $flat_scr => %2, 0, 8
    %20:vgpr_32 = SCRATCH_LOAD_DWORD %0, 4, 0, EXEC, implicit $flat_scr => %0, 4, 4
    %20:vgpr_32 = SCRATCH_LOAD_DWORD_SADDR %6, 4, 0, EXEC, implicit $flat_scr => %6, 4, 4
    SCRATCH_STORE_DWORD_SADDR %0, %6, 8, 0, EXEC, implicit $flat_scr => %6, 8, 4
    %20:vreg_128 = IMAGE_LOAD_V4_V2 %2, %8, 15, 0, 0, 0, 0, 0, 0, 0, EXEC :: (load (s128), addrspace 8) => %8 %2, 0, 16
    IMAGE_STORE_V4_V2 %7, %2, %8, 15, 0, 0, 0, 0, 0, 0, 0, EXEC :: (store (s128), addrspace 8) => %8 %2, 0, 16
    %20:vreg_128 = IMAGE_SAMPLE_V4_V2 %2, %8, %4, 15, 0, 0, 0, 0, 0, 0, 0, EXEC :: (load (s128), addrspace 8) => %8 %2, 0, 16
    %20:vgpr_32 = V_MOV_B32_e32 1, EXEC => 
    S_BARRIER => 
    %20:vgpr_32 = COPY %0 => 
    ATOMIC_FENCE 4, 1 => 
  `,
  gfx1030: `
    %20:vreg_128 = IMAGE_SAMPLE_V4_V2_nsa_gfx10 %0, %1, %8, %4, 15, 1, 0, 0, 0, 0, 0, 0, 0, EXEC :: (load (s128), addrspace 8) => %8 %0 %1, 0, 16
    %20:vreg_128 = IMAGE_SAMPLE_V4_V2_gfx10 %2, %8, %4, 15, 1, 0, 0, 0, 0, 0, 0, 0, EXEC :: (load (s128), addrspace 8) => %8 %2, 0, 16
    %20:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %5, %0, 8, 0, EXEC => %0 %5, 8, 4
    BUFFER_GL0_INV EXEC => 
  `,
  gfx1201: `
    %20:sreg_32_xm0_xexec = S_LOAD_DWORD_SGPR_IMM %5, %6, 4, 0 => %5, 4, 4
    %20:vgpr_32 = BUFFER_LOAD_DWORD_VBUFFER_OFFEN %0, %4, %6, 8, 0, 0, EXEC => %4 %0 %6, 8, 4
    %20:vreg_128 = IMAGE_LOAD_V4_V2_gfx12 %0, %1, %8, 15, 1, 0, 0, 0, 0, 0, EXEC :: (load (s128), addrspace 8) => %8 %0 %1, 0, 16
    %20:vgpr_32 = DS_READ_B32_gfx9 %0, 4, 0, EXEC => %0, 4, 4
  `,
};

function addressOf(cpu: string, line: string): string {
  const text = [
    `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=none %s`,
    '---',
    'name: f',
    'tracksRegLiveness: true',
    'stack:',
    '  - { id: 0, size: 16, alignment: 4 }',
    'body: |',
    '  bb.0:',
    ...REGISTERS.map((c, k) => `    %${k}:${c} = IMPLICIT_DEF`),
    `    ${line}`,
    '    S_ENDPGM 0',
    '...',
    '',
  ].join('\n');
  const [fn] = lowerWithRunLine(text).fns;
  const access = decomposeMemAccess(fn!, REGISTERS.length);
  if (access === null) return '';
  const base = access.base.map((o) => {
    const sub = fn!.opSub[o]!;
    return `%${~fn!.opVal[o]!}${sub === 0 ? '' : `.${fn!.tables.subRegIndexName(sub)}`}`;
  });
  return `${base.join(' ')}, ${access.offset}, ${access.widthBytes}`;
}

describe('addresses of memory instructions', () => {
  for (const [cpu, table] of Object.entries(EXPECTED))
    for (const row of table.trim().split('\n')) {
      const [line, expected] = row.trim().split(/ =>(?: |$)/);
      it(`${cpu}: ${line}: ${expected}`, () =>
        assert.equal(addressOf(cpu, line!.replace('EXEC', 'implicit $exec')), expected));
    }
});
