/**
 * Random functions with IGLP_OPT or sched_group_barriers among what these look for: values that go through FMA, exponential, conversion and
 * pack into chains of matrix instructions, and loads that go through V_PERM into LDS. Most have the counts that the interleaving of
 * exponentials asks for (docs/llvm/iglp.md, 11). The same seed gives the same text.
 */
import type { Question } from './answers.js';
import { entryFunctionFile } from './mir.js';
import { randomSource } from './random.js';

const MODE = 'implicit $mode, implicit $exec';

/** The exact solver only with a bound: it may take a minute. */
const EXTRA = [
  ['-amdgpu-igrouplp-exact-solver-cutoff=40', '-amdgpu-igrouplp-exact-solver-max-branches=500'],
  ['-amdgpu-disable-unclustered-high-rp-reschedule'],
  ['-amdgpu-schedule-metric-bias=100'],
];

export function randomIglp(seed: number): Question {
  const below = randomSource(seed * 7 + 3);
  const chance = (percent: number): boolean => below(100) < percent;
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  let next = 20;
  const fresh = (): string => `%${next++}`;
  const strategy = pick([2, 2, 2, 1, 1, 0, 3]);
  const parts = strategy === 2 ? [exponentials()] : strategy === 1 ? [gemm()] : [exponentials(), gemm()];
  const nGroups = chance(15) ? 1 + below(6) : 0;
  const barriers = Array.from(
    { length: nGroups },
    () => `SCHED_GROUP_BARRIER ${pick([1, 2, 4, 8, 32, 128, 256, 512, 1024, 2047])}, ${1 + below(4)}, ${below(3)}`,
  );
  const lines = [...parts.flat(), ...(nGroups > 0 ? barriers : [`IGLP_OPT ${strategy}`])];
  const header = [
    'liveins: $vgpr0, $sgpr0_sgpr1',
    '%0:vgpr_32 = COPY $vgpr0',
    '%1:sreg_64_xexec_xnull = COPY $sgpr0_sgpr1',
    '%2:vgpr_32 = V_MOV_B32_e32 1065353216, implicit $exec',
    '%3:vreg_64_align2 = IMPLICIT_DEF',
    '%4:vreg_128_align2 = IMPLICIT_DEF',
    'S_NOP 0',
  ];
  const cpu = pick(['gfx90a', 'gfx942']);
  const args = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-run-pass=machine-scheduler'];
  if (chance(40)) args.push(...pick(EXTRA));
  const body = [...header, ...lines, 'S_ENDPGM 0'].map((l) => `    ${l}`);
  return { args, input: entryFunctionFile(args.join(' '), body, chance(30) ? '"amdgpu-num-vgpr"="64"' : '') };

  /** Chains of matrix instructions, fed by packed exponentials. */
  function exponentials(): string[] {
    const isLarge = chance(40);
    const nChains = chance(90) ? (isLarge ? 4 : 2) : 1 + below(4);
    const nGroupsOfFour = strategy !== 2 ? 1 + below(3) : chance(90) ? (isLarge ? 16 : 8) : 1 + below(8);
    const [hasFma, hasConvert, hasGap, hasAdds, hasReads] = [90, 60, 20, 70, 60].map(chance) as boolean[];
    const isShared = chance(70);
    const first: string[] = [];
    const out: string[] = [];
    const chains = Array.from({ length: nChains }, () => '%4');
    const inputs = Array.from({ length: 4 }, () => {
      const r = fresh();
      first.push(
        `${r}:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %1, %0, ${4 * next}, 0, implicit $exec :: (load (s32), addrspace 1)`,
      );
      return r;
    });
    let sum = '%2';
    let scale = '%2';
    if (isShared) {
      scale = fresh();
      first.push(`${scale}:vgpr_32 = nofpexcept V_EXP_F32_e32 ${inputs[0]}, ${MODE}`);
    }
    for (let g = 0; g < nGroupsOfFour; g++) {
      const exps = Array.from({ length: 4 }, (_, k) => {
        let from = inputs[k]!;
        if (hasFma) {
          const f = fresh();
          out.push(
            `${f}:vgpr_32 = nofpexcept V_FMA_F32_e64 0, ${from}, 0, ${isShared ? scale : '%2'}, 0, %0, 0, 0, ${MODE}`,
          );
          from = f;
        }
        let e = fresh();
        out.push(`${e}:vgpr_32 = nofpexcept V_EXP_F32_e32 ${from}, ${MODE}`);
        if (hasAdds) {
          const a = fresh();
          out.push(`${a}:vgpr_32 = nofpexcept V_ADD_F32_e32 ${sum}, ${e}, ${MODE}`);
          sum = a;
        }
        if (hasGap) {
          const m = fresh();
          out.push(`${m}:vgpr_32 = nofpexcept V_MUL_F32_e32 ${e}, %2, ${MODE}`);
          e = m;
        }
        if (!hasConvert) return e;
        const c = fresh();
        out.push(
          `${c}:vgpr_32 = nofpexcept ${isLarge && chance(20) ? 'V_CVT_I32_F32_e32' : 'V_CVT_F16_F32_e32'} ${e}, ${MODE}`,
        );
        return c;
      });
      const packed = fresh();
      for (let h = 0; h < 2; h++) {
        const to = `${h === 0 ? 'undef ' : ''}${packed}.sub${h}:vreg_64_align2`;
        const [a, b] = [exps[2 * h], exps[2 * h + 1]];
        out.push(
          chance(80)
            ? `${to} = nofpexcept V_PACK_B32_F16_e64 0, ${a}, 0, ${b}, 0, 0, ${MODE}`
            : `${to} = V_PERM_B32_e64 ${a}, ${b}, %2, implicit $exec`,
        );
      }
      for (let c = 0; c < nChains; c++) {
        let b = '%3';
        if (hasReads) {
          b = fresh();
          out.push(
            `${b}:vreg_64_align2 = DS_READ_B64_gfx9 %0, ${8 * (g * nChains + c)}, 0, implicit $exec :: (load (s64), addrspace 3)`,
          );
        }
        const d = fresh();
        out.push(
          `${d}:vreg_128_align2 = V_MFMA_F32_4X4X4F16_vgprcd_e64 ${packed}, ${b}, ${chains[c]}, 0, 0, 0, ${MODE}`,
        );
        chains[c] = d;
      }
    }
    out.push(...[...chains, sum].map((r) => `S_NOP 0, implicit ${r}`).filter(() => chance(50)));
    return [...first, ...out];
  }

  /** Loads, permutations of their bytes, writes to LDS; reads from LDS for matrix instructions. */
  function gemm(): string[] {
    const out: string[] = [];
    const loads: string[] = [];
    const width = pick([1, 1, 2, 4]);
    for (let k = 2 + below(7); k > 0; k--) {
      const r = fresh();
      const [type, name] = width === 1 ? ['vgpr_32', 'DWORD'] : [`vreg_${32 * width}_align2`, `DWORDX${width}`];
      out.push(
        `${r}:${type} = GLOBAL_LOAD_${name}_SADDR %1, %0, ${16 * next}, 0, implicit $exec :: (load (s${32 * width}), addrspace 1)`,
      );
      loads.push(width === 1 ? r : `${r}.sub${below(width)}`);
    }
    const nWrites = below(7);
    for (let k = 0; k < nWrites; k++) {
      let value = pick(loads);
      if (chance(75)) {
        const p = fresh();
        out.push(`${p}:vgpr_32 = V_PERM_B32_e64 ${pick(loads)}, ${value}, %2, implicit $exec`);
        value = p;
        // what is loaded next comes from where the permutation says
        for (let n = below(3); n > 0; n--) {
          const r = fresh();
          out.push(
            `${r}:vgpr_32 = GLOBAL_LOAD_DWORD_SADDR %1, ${p}, ${16 * k}, 0, implicit $exec :: (load (s32), addrspace 1)`,
          );
          if (chance(50)) loads.push(r);
          else out.push(`DS_WRITE_B32_gfx9 %2, ${r}, ${64 + 4 * k}, 0, implicit $exec :: (store (s32), addrspace 3)`);
        }
      }
      out.push(`DS_WRITE_B32_gfx9 %0, ${value}, ${4 * k}, 0, implicit $exec :: (store (s32), addrspace 3)`);
    }
    let accumulator = '%4';
    for (let k = 1 + below(8); k > 0; k--) {
      const [a, d] = [fresh(), fresh()];
      out.push(
        `${a}:vreg_64_align2 = DS_READ_B64_gfx9 %0, ${512 + 8 * k}, 0, implicit $exec :: (load (s64), addrspace 3)`,
      );
      out.push(
        `${d}:vreg_128_align2 = V_MFMA_F32_4X4X4F16_vgprcd_e64 ${a}, %3, ${chance(70) ? accumulator : '%4'}, 0, 0, 0, ${MODE}`,
      );
      accumulator = d;
    }
    out.push(`S_NOP 0, implicit ${accumulator}`);
    return out;
  }
}
