/**
 * Random functions for gfx950 with more live VGPRs than can be addressed, most of them accumulators of matrix instructions: initialised
 * whole or part by part, updated in a chain inside a loop or in several blocks, read whole, in part, or by another matrix instruction.
 * Accepted by the machine verifier; the same seed gives the same text.
 */
import { entryFunctionFile } from './mir.js';
import { randomSource } from './random.js';
export const MFMA_ARGS: readonly string[] = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx950'];

const MAC = 'V_MFMA_F32_32X32X8F16_mac_vgprcd_e64';
const FULL = 'V_MFMA_F32_32X32X8F16_vgprcd_e64';

export function randomMfma(seed: number): string {
  const below = randomSource(seed + 11);
  const n = 12 + below(8);
  let next = 10;
  const lines: string[] = [];
  const fresh = (): string => `%${next++}`;
  const others = Array.from({ length: below(90) }, fresh);
  const accumulators = Array.from({ length: n }, fresh);
  const emit = (text: string): number => lines.push(`    ${text}`);
  emit('%0:sgpr_32 = COPY $sgpr0');
  emit('%1:av_64_align2 = IMPLICIT_DEF');
  emit('%2:av_64_align2 = IMPLICIT_DEF');
  emit('%3:vreg_64_align2 = COPY $vgpr0_vgpr1');
  others.forEach((r, k) => emit(`${r}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec`));
  for (const r of accumulators) {
    if (below(3) === 0) {
      emit(`undef ${r}.sub0:vreg_512_align2 = V_MOV_B32_e32 ${below(60)}, implicit $exec`);
      for (let k = 1; k < 16; k++) emit(`${r}.sub${k}:vreg_512_align2 = V_MOV_B32_e32 ${below(60)}, implicit $exec`);
    } else emit(`${r}:vreg_512_align2 = IMPLICIT_DEF`);
  }
  lines.push('  bb.1:', '    successors: %bb.1(0x7c000000), %bb.2(0x04000000)');
  const results = [...accumulators];
  accumulators.forEach((r, k) => {
    const times = 1 + below(2);
    for (let t = 0; t < times; t++)
      emit(`${r}:vreg_512_align2 = ${MAC} %1, %2, ${r}, 0, 0, 0, implicit $mode, implicit $exec`);
    if (below(6) === 0) {
      const user = fresh();
      emit(`${user}:vgpr_32 = V_ADD_U32_e32 ${r}.sub${below(16)}, ${r}.sub${below(16)}, implicit $exec`);
      emit(`GLOBAL_STORE_DWORD %3, ${user}, ${k * 4}, 0, implicit $exec :: (store (s32), addrspace 1)`);
    }
  });
  emit('S_CMP_LG_U32 %0, 0, implicit-def $scc');
  emit('S_CBRANCH_SCC1 %bb.1, implicit $scc');
  lines.push('  bb.2:');
  accumulators.forEach((r, k) => {
    if (below(5) !== 0) return;
    const to = fresh();
    emit(`early-clobber ${to}:vreg_512_align2 = ${FULL} %1, %2, ${r}, 0, 0, 0, implicit $mode, implicit $exec`);
    results[k] = to;
  });
  results.forEach((r, k) => {
    const from = below(3) === 0 ? `${r}.sub${below(16)}` : `${r}.sub0`;
    emit(`GLOBAL_STORE_DWORD %3, ${from}, ${k * 4}, 0, implicit $exec :: (store (s32), addrspace 1)`);
    if (below(3) === 0) emit(`S_NOP 0, implicit ${r}`);
  });
  for (const r of others) emit(`S_NOP 0, implicit ${r}`);
  emit('S_ENDPGM 0');
  return entryFunctionFile(
    MFMA_ARGS.join(' '),
    ['    liveins: $sgpr0, $vgpr0_vgpr1', ...lines],
    '"amdgpu-waves-per-eu"="1,1" "amdgpu-flat-work-group-size"="64,64"',
  );
}
