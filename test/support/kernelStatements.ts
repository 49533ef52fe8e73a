/**
 * Statements of OpenCL kernels that need more than the language: builtins of the processor, intrinsics of LLVM called by their names, inline assembly,
 * by generation. The variables are those of randomOpenCl.ts.
 */

/** LLVM's intrinsics that clang has no builtin for: functions with an assembly label. Only those that a program calls are declared. */
const INTRINSICS: Readonly<Record<string, string>> = {
  wwm: 'uint wwm(uint x) __asm("llvm.amdgcn.strict.wwm.i32");',
  wqm: 'uint wqm(uint x) __asm("llvm.amdgcn.wqm.i32");',
  setInactive: 'uint setInactive(uint x, uint y) __asm("llvm.amdgcn.set.inactive.i32");',
  softwqm: 'uint softwqm(uint x) __asm("llvm.amdgcn.softwqm.i32");',
  sBufferLoad: 'uint4 sBufferLoad(uint4 r, uint o, int c) __asm("llvm.amdgcn.s.buffer.load.v4i32");',
  sBufferLoad1: 'uint sBufferLoad1(uint4 r, uint o, int c) __asm("llvm.amdgcn.s.buffer.load.i32");',
  structLoad:
    'float4 structLoad(uint4 r, uint i, uint o, uint s, int c) __asm("llvm.amdgcn.struct.buffer.load.v4f32");',
  formatLoad: 'float4 formatLoad(uint4 r, uint o, uint s, int c) __asm("llvm.amdgcn.raw.buffer.load.format.v4f32");',
  tbufferLoad: 'float4 tbufferLoad(uint4 r, uint o, uint s, int f, int c) __asm("llvm.amdgcn.raw.tbuffer.load.v4f32");',
  bufferAtomic:
    'uint bufferAtomic(uint v, uint4 r, uint o, uint s, int c) __asm("llvm.amdgcn.raw.buffer.atomic.add.i32");',
  imageLoad:
    'float4 imageLoad(int m, uint s, uint t, uint8 r, int f, int c) __asm("llvm.amdgcn.image.load.2d.v4f32.i32");',
  imageStore:
    'void imageStore(float4 d, int m, uint s, uint t, uint8 r, int f, int c) __asm("llvm.amdgcn.image.store.2d.v4f32.i32");',
  imageSample:
    'float4 imageSample(int m, float s, float t, uint8 r, uint4 q, bool u, int f, int c) __asm("llvm.amdgcn.image.sample.2d.v4f32.f32");',
  imageSampleD:
    'float4 imageSampleD(int m, float a, float b, float c, float d, float s, float t, uint8 r, uint4 q, bool u, int f, int c2) __asm("llvm.amdgcn.image.sample.d.2d.v4f32.f32.f32");',
  imageAtomic:
    'uint imageAtomic(uint v, uint s, uint8 r, int f, int c) __asm("llvm.amdgcn.image.atomic.add.1d.i32.i32");',
  writelane: 'uint writelane(uint v, uint l, uint o) __asm("llvm.amdgcn.writelane.i32");',
  permlane16: 'uint permlane16(uint o, uint v, uint a, uint b, bool f, bool c) __asm("llvm.amdgcn.permlane16.i32");',
  interp: 'float interp(float c, int a, int b, uint m) __asm("llvm.amdgcn.interp.p1");',
  kill: 'void kill(bool c) __asm("llvm.amdgcn.wqm.demote");',
  uaddSat: 'uint uaddSat(uint a, uint b) __asm("llvm.uadd.sat.i32");',
  fshr: 'uint fshr(uint a, uint b, uint c) __asm("llvm.fshr.i32");',
  bitreverse: 'ulong bitreverse(ulong a) __asm("llvm.bitreverse.i64");',
  powi: 'float powi(float a, int b) __asm("llvm.powi.f32.i32");',
  readcycle: 'ulong readcycle(void) __asm("llvm.readcyclecounter");',
};

const BUFFERS = [
  'x ^= sBufferLoad(pr[w & 3u], w << 4, 0);',
  'w += sBufferLoad1(pr[n & 3u], 16u, 0);',
  'u += sBufferLoad1(pr[0], u, 0);',
  'f4 += structLoad(pr[w & 3u], tid, 16u, w, 0);',
  'f4 += structLoad(pr[1], u, v, 0u, 1);',
  'u = bufferAtomic(v, pr[2], tid << 2, 0u, 0);',
  'f4.x += __builtin_bit_cast(float, __builtin_amdgcn_raw_buffer_load_b32(__builtin_amdgcn_make_buffer_rsrc(pu, 0, n, 0x27000), (int)u, 0, 0));',
  '__builtin_amdgcn_raw_buffer_store_b32(u, __builtin_amdgcn_make_buffer_rsrc(pu, 16, n, 0x27000), (int)tid, (int)w, 0);',
];

const IMAGES = [
  'f4 = tbufferLoad(pr[0], v, 0u, 77, 0);',
  'f4 += formatLoad(pr[0], tid << 2, w, 0);',
  'f4 += imageLoad(15, u, v, pi[w & 1u], 0, 0);',
  'f4.xy += imageLoad(3, tid, w, pi[0], 0, 0).xy;',
  'f4.x += imageLoad(8, tid, u, pi[n & 1u], 0, 0).x;',
  'imageStore(f4, 15, tid, v, pi[1], 0, 0);',
  'f4 *= imageSample(15, f, g, pi[0], pr[3], 0, 0, 0);',
  'f4 += imageSampleD(7, f, g, f4.x, f4.y, g, f, pi[1], pr[w & 3u], 0, 0, 0);',
  'u ^= imageAtomic(v, u, pi[0], 0, 0);',
];

const FLAT = [
  'generic float *qf = (generic float *)(pf + u); *qf = f; g = qf[1];',
  'generic uint *q = (u > v) ? (generic uint *)(pu + tid) : (generic uint *)&stack[u & 15u]; u += *q;',
];

const WAVES = [
  'u = wwm(setInactive(u, 7u) + 1u);',
  'v += wwm(u * v);',
  'u = writelane(w, 3u, u);',
  'u += (uint)__builtin_amdgcn_readlane((int)v, (int)(w & 31u));',
  'u += (uint)__builtin_amdgcn_readlane((int)u, 5);',
  'u = (uint)__builtin_amdgcn_ds_swizzle((int)v, 0x401f);',
  'w = (uint)__builtin_amdgcn_readfirstlane((int)u);',
  'w ^= __builtin_amdgcn_wave_reduce_add_u32(u, 0);',
  'u = __builtin_amdgcn_wave_reduce_max_u32(v, 1);',
  'l += __builtin_amdgcn_ballot_w64(f < g);',
  'while (__builtin_amdgcn_ballot_w64(u > 9u) != 0) { u = u / 3u; i++; }',
  'l ^= __builtin_amdgcn_uicmp(u, v, 33);',
];

const OTHER = [
  'u = uaddSat(u, v);',
  'u = fshr(u, v, w);',
  'l = bitreverse(l);',
  'f = powi(f, 5);',
  'l += readcycle();',
  'u += (uint)__builtin_amdgcn_s_getreg(0x1801);',
  '__builtin_amdgcn_s_sleep(2);',
  '__builtin_amdgcn_s_sendmsg(1, w);',
  '__builtin_amdgcn_wave_barrier();',
  '__builtin_amdgcn_iglp_opt(0);',
  '__builtin_amdgcn_iglp_opt(1);',
  '__builtin_amdgcn_sched_group_barrier(8, 1, 0); __builtin_amdgcn_sched_group_barrier(32, 2, 0); __builtin_amdgcn_sched_group_barrier(2, 4, 0);',
  '__builtin_amdgcn_sched_group_barrier(0x100, 2, 1); __builtin_amdgcn_sched_group_barrier(0x200, 1, 1);',
  'bool is; f = __builtin_amdgcn_div_scalef(f, g, true, &is); f = __builtin_amdgcn_div_fmasf(f, g, f, is);',
  'f = __builtin_amdgcn_div_fixupf(f, g, f4.x);',
  'if (__builtin_amdgcn_classf(f, 3)) u++;',
  'f = __builtin_amdgcn_cubema(f, g, f4.y);',
  'u = __builtin_amdgcn_sad_u8(u, v, w);',
  'u = __builtin_amdgcn_lerp(u, v, 1u);',
  'u = __builtin_amdgcn_alignbit(u, v, w);',
  'u = __builtin_amdgcn_cvt_pk_u8_f32(f, 1u, u);',
  'l = __builtin_amdgcn_mqsad_pk_u16_u8(l, v, l);',
  'd = __builtin_fma(d, (double)f, 2.0) / d;',
  'd = __builtin_sqrt(d);',
  'f = __builtin_expf(f) + __builtin_logf(g);',
  'f = __builtin_sinf(f);',
  'l = l / (ulong)(u | 1u);',
  'l = l % 1000ul;',
  'l = (ulong)((long)l * (long)(int)v);',
  'f2 = f2 * f2 + (float2)(f, g);',
  'f2 = __builtin_elementwise_fma(f2, f2.yx, f4.xy);',
  'f4 = __builtin_elementwise_max(f4, f4.wzyx);',
  'x = __builtin_elementwise_min(x, x.wzyx);',
  'x = (x << 3) | (x >> 29);',
  's2 = __builtin_elementwise_add_sat(s2, (short2)((short)u));',
  'c4 += __builtin_convertvector(x, uchar4);',
  'x += __builtin_convertvector(c4, uint4);',
  'u += c4.x * c4.w;',
  'l4 = l4 * 3ul + (ulong4)(l);',
  'd2 = d2 * d2 + (double2)((double)f);',
  'x16[u & 15u] = f;',
  'f += f16[v & 15u];',
  'f8[w & 7u] += g;',
  'f = f8[n & 7u];',
  'c[u & 31u] = (char)v; u += (uint)c[v & 31u];',
  'big = *(global struct Big *)(pu + (u & 255u)); f += big.f[w & 7u];',
  'big.u[u & 7u] = v;',
  '*(global struct Big *)(pu + tid * 20u) = big;',
  'uint unaligned; __builtin_memcpy(&unaligned, pb + u, 4); u += unaligned;',
  '__builtin_memcpy(pu + tid * 8u, stack, 32);',
  '__builtin_memset(stack, 0, 64);',
  'f = __builtin_nontemporal_load(pf + u);',
  '__builtin_nontemporal_store(u, pu + tid);',
  'u += *(volatile global uint *)(pu + v);',
  '*(volatile global uint *)(pu + 3) = w;',
  'u = __opencl_atomic_fetch_max((global atomic_uint *)(pu + (u & 7u)), v, memory_order_acq_rel, memory_scope_work_group);',
  '__opencl_atomic_store((global atomic_uint *)pu, u, memory_order_release, memory_scope_all_svm_devices);',
  'u ^= __opencl_atomic_load((global atomic_uint *)pu, memory_order_acquire, memory_scope_device);',
  '{ uint e = 5u; __opencl_atomic_compare_exchange_strong((global atomic_uint *)(pu + v), &e, u, memory_order_seq_cst, memory_order_relaxed, memory_scope_device); u += e; }',
  'l += __opencl_atomic_fetch_add((global atomic_ulong *)(pl + (u & 7u)), l, memory_order_relaxed, memory_scope_device);',
  '__opencl_atomic_fetch_add((global atomic_float *)(pf + (u & 7u)), f, memory_order_relaxed, memory_scope_device);',
  'f += __opencl_atomic_fetch_max((global atomic_float *)(pf + tid), g, memory_order_relaxed, memory_scope_work_group);',
  'switch (u & 7u) { case 0: u += 3u; break; case 1: f += 1.0f; break; case 2: pu[tid] = u; case 3: v ^= 5u; break; case 5: u = v * w; break; default: g = f; }',
  'switch (w) { case 1: f4 += 1.0f; break; case 7: i = 4; break; case 8: i = 9; }',
  'if (u == 12345u && v < 3u || f > g) { if (w > 3u) pu[tid + 5u] = u; else v = 2u; }',
  'do { u = u * 5u + v; if (u & 64u) continue; f += 0.5f; if (f > 1e6f) break; } while ((u & 3u) != 0u);',
  'for (uint a = 0; a < (u & 15u); a++) for (uint b = a; b < w; b++) { f += pf[a * 16u + b]; if (f > 1e9f) goto OUT; }',
  'if (u == 77u) goto OUT;',
  'if (w == 3u) goto OUT;',
  'if (u > 4000000000u) __builtin_trap();',
  'if (w > 4000000000u) __builtin_unreachable();',
  'u = (uint)__builtin_ctz(v | 256u) + (uint)__builtin_bswap32(u);',
  'bool t0 = u > v, t1 = f < g, t2 = t0 ^ t1; if (t2) u++; if (t0 & t1) f = g;',
  'b0 = (f > 2.0f) != b0; if (b0) v++;',
  'b0 |= u < 4u;',
];

const ASM = [
  '__asm__("v_add_f32 %0, %1, %2" : "=v"(f) : "v"(f), "v"(g));',
  '__asm__ volatile("; %0 %1" : "=&v"(u), "=v"(v) : "0"(u), "v"(w));',
  '__asm__ volatile("; %0" : "+s"(w));',
  '__asm__ volatile("; %0" :: "s"(l));',
  '__asm__ volatile("; %0" : "+v"(f4));',
  '__asm__ volatile("; %0" : "={v7}"(u));',
  '__asm__ volatile("; %0" :: "{s[8:9]}"(pu));',
  '__asm__ volatile("; %0" : "={s5}"(w));',
  '__asm__ volatile("; %0 %1" : "=v"(f8) : "{v[10:13]}"(f4));',
  '__asm__ volatile("; def" ::: "s10", "s11", "v40", "memory");',
  '__asm__ volatile("; scc" ::: "scc", "vcc", "exec");',
  '__asm__ volatile("; imm %0" :: "i"(17));',
  '__asm__ volatile("; many" ::: "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "s0", "s1", "s4", "s5");',
  '__asm__ volatile("; 2x %0 %1" : "+v"(d), "+v"(l));',
  '__asm__ goto("; jump" :::: OUT);',
];

const DPP = [
  'bufferAtomic(1u, pr[u & 3u], 0u, w, 0);',
  'u = __builtin_amdgcn_perm(u, v, 0x07060504u);',
  'u += (uint)__builtin_amdgcn_update_dpp(0, (int)v, 0x111, 0xf, 0xf, false);',
  'u = (uint)__builtin_amdgcn_mov_dpp((int)v, 0xb1, 0xf, 0xf, true);',
  'f = __builtin_bit_cast(float, __builtin_amdgcn_update_dpp((int)u, __builtin_bit_cast(int, g), 0x101, 0xf, 0xc, false));',
  'u = wwm((uint)__builtin_amdgcn_update_dpp(0, (int)setInactive(u, 0u), 0x112, 0xf, 0xf, false) + 3u);',
];
const HALF = [
  'h2 = __builtin_elementwise_fma(h2, h2.yx, h2);',
  'h2 = __builtin_elementwise_max(h2, (half2)((half)f, (half)g));',
  'h4 = h4 * h4 + (half4)((half)f);',
  'h2 += h4.xz;',
  'hh = hh * (half)f + h2.x;',
  'h2.y = hh;',
  'f += (float)(hh / h2.x);',
  'hh = __builtin_amdgcn_rcph(hh);',
  'ss = (short)(ss * (short)u + s2.x); s2.y = ss;',
  'h2 = (half2)__builtin_amdgcn_cvt_pkrtz(f, g);',
  'if (hh > h2.y) u++;',
  'hh = __builtin_elementwise_min(hh, (half)g);',
  'hh = __builtin_fabsf16(hh);',
  'us = (ushort)(us + (ushort)v); ps[tid & 63u] = us; us >>= 3;',
  'hh = (u > v) ? hh : h2.x;',
  '*(global half *)(pf + u) = hh;',
  'hh = *(global half *)(ps + v);',
];
const DOT = [
  'u = (uint)__builtin_amdgcn_sdot4((int)u, (int)v, 7, false);',
  'u = __builtin_amdgcn_udot4(u, v, w, true);',
  'f = __builtin_amdgcn_fdot2(h2, h2.yx, f, false);',
  'u = (uint)__builtin_amdgcn_sdot2(s2, s2, (int)u, false);',
];
const UDOT = ['u = __builtin_amdgcn_udot4(u, v, w, true);', 'f = __builtin_amdgcn_fdot2(h2, h2.yx, f, false);'];

const MFMA_908 = [
  'x32 = __builtin_amdgcn_mfma_f32_32x32x1f32(f, g, x32, 0, 0, 0);',
  'x16 = __builtin_amdgcn_mfma_f32_16x16x1f32(f, g, x16, 0, 0, 0);',
  'x4 = __builtin_amdgcn_mfma_f32_4x4x1f32(f, g, x4, 0, 0, 0);',
  'x16 = __builtin_amdgcn_mfma_f32_32x32x2f32(f, f4.x, x16, 1, 2, 3);',
  'x4 = __builtin_amdgcn_mfma_f32_16x16x16f16(h4, h4, x4, 0, 0, 0);',
  'x16 = __builtin_amdgcn_mfma_f32_32x32x8f16(h4, h4.wzyx, x16, 0, 0, 0);',
  'for (uint k = 0; k < w; k++) { x4 = __builtin_amdgcn_mfma_f32_16x16x4f32(pf[k * 64u + tid], f, x4, 0, 0, 0); }',
  '__asm__ volatile("; a %0" : "+a"(x4));',
  '__asm__ volatile("; a %0" : "=a"(f) : "a"(g));',
  '__asm__ volatile("; %0" :: "{a[0:3]}"(f4));',
  '__asm__ volatile("; clobber" ::: "a0", "a1", "a31");',
];
const MFMA_90A = [
  ...MFMA_908.slice(1),
  'd4 = __builtin_amdgcn_mfma_f64_16x16x4f64(d, d, d4, 0, 0, 0);',
  'd = __builtin_amdgcn_mfma_f64_4x4x4f64(d, d, d, 0, 0, 0);',
  '__builtin_amdgcn_global_atomic_fadd_f64(pd + (u & 3u), d);',
];
const MFMA_942 = [
  ...MFMA_908.slice(1),
  'd4 = __builtin_amdgcn_mfma_f64_16x16x4f64(d, d, d4, 0, 0, 0);',
  'x4 = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8((long)l, (long)l, x4, 0, 0, 0);',
  'x4 = __builtin_amdgcn_smfmac_f32_16x16x32_f16(h4, (half8)(h4, h4), x4, (int)u, 0, 0);',
  '__builtin_amdgcn_global_load_lds(pu + tid, ldsOf, 4, 0, 0);',
  'u += (uint)__builtin_amdgcn_cvt_pk_fp8_f32(f, g, (int)u, false);',
];
const MFMA_950 = [
  ...MFMA_942,
  'x4 = __builtin_amdgcn_mfma_f32_16x16x32_f16((half8)(h4, h4), (half8)(h4, h4), x4, 0, 0, 0);',
  'x4 = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(i8v, i8v, x4, 0, 0, 0, (int)u, 0, (int)v);',
  'u = __builtin_amdgcn_bitop3_b32(u, v, w, 0x6a);',
  'x.xy = __builtin_bit_cast(uint2, __builtin_amdgcn_permlane16_swap(u, v, false, false));',
];
const GFX10 = ['u = permlane16(u, v, 0x1234u, w, 0, 0);', 'u += __builtin_amdgcn_mov_dpp8(v, 0x53977);'];
const GFX11 = ['u ^= __builtin_amdgcn_permlane64(v);', 'l ^= __builtin_amdgcn_s_sendmsg_rtnl(0x83);'];
const GFX12 = [
  '__builtin_amdgcn_s_barrier_signal(-1); __builtin_amdgcn_s_barrier_wait(-1);',
  '__builtin_amdgcn_s_prefetch_data((constant void *)pw, w);',
  '__builtin_amdgcn_s_sleep_var(w);',
  'f = __builtin_elementwise_minimum(f, g);',
  'f += __builtin_amdgcn_dot4_f32_fp8_bf8(u, v, f);',
];
const GFX125 = [
  'f = __builtin_amdgcn_tanhf(f);',
  'u = __builtin_amdgcn_bitop3_b32(u, v, w, 0x6a);',
  '__builtin_amdgcn_s_wait_asynccnt(0);',
  '__builtin_amdgcn_global_prefetch(pu + u, 8);',
  '__builtin_amdgcn_s_setprio_inc_wg(3);',
  'f8 = __builtin_amdgcn_wmma_f32_16x16x4_f32(0, f2, 0, f2, 0, f8, 0, 0);',
  'f8 = __builtin_amdgcn_wmma_f32_16x16x32_f16(0, (half16)(h4, h4, h4, h4), 0, (half16)(hh), 0, f8, 0, 0);',
  'u = __builtin_amdgcn_add_max_u32(u, v, w, 0);',
];

const WMMA = (size: 32 | 64): string[] => [
  `${size === 32 ? 'f8' : 'f4'} = __builtin_amdgcn_wmma_f32_16x16x16_f16_w${size}((half16)(h4, h4, h4, h4), (half16)(hh), ${size === 32 ? 'f8' : 'f4'});`,
];
const WMMA12 = (size: 32 | 64): string[] => [
  size === 32
    ? 'f8 = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12((half8)(h4, h4), (half8)(hh), f8);'
    : 'f4 = __builtin_amdgcn_wmma_f32_16x16x16_f16_w64_gfx12(h4, (half4)(hh), f4);',
];

/** Lists of statements of a processor, by its name; a list may be there more than once, to be chosen more often. */
export function extraStatements(cpu: string, isWave64: boolean): readonly (readonly string[])[] {
  const generation = cpu === 'tahiti' ? 6 : Number(/^gfx(1\d|\d)/.exec(cpu)![1]);
  const isMai = /^gfx9(?:0[8a]|4|5|-4)/.test(cpu);
  const lists: (readonly string[])[] = [OTHER, OTHER, OTHER, WAVES, BUFFERS, ASM];
  if (!/^gfx(?:9(?:0a|4|5|-4)|125)/.test(cpu)) lists.push(IMAGES);
  if (generation >= 7) lists.push(FLAT);
  if (generation >= 8) lists.push(DPP, HALF, HALF);
  if (/^gfx90[68a]/.test(cpu)) lists.push(DOT);
  if (/^gfx(?:1011|1012|103|10-3)/.test(cpu)) lists.push(UDOT);
  if (isMai) {
    const own = cpu === 'gfx908' ? MFMA_908 : cpu === 'gfx90a' ? MFMA_90A : cpu === 'gfx950' ? MFMA_950 : MFMA_942;
    lists.push(own, own);
  }
  if (generation >= 10) lists.push(GFX10);
  if (generation === 11) lists.push([...GFX11, ...WMMA(isWave64 ? 64 : 32)]);
  if (cpu.startsWith('gfx125')) lists.push(GFX125);
  else if (generation === 12) lists.push([...GFX12, ...WMMA12(isWave64 ? 64 : 32)]);
  return lists;
}

/** Declarations of the intrinsics that a text calls. */
export function intrinsicsOf(text: string): string[] {
  return Object.entries(INTRINSICS).flatMap(([name, line]) => (text.includes(`${name}(`) ? [line] : []));
}

/** Types and variables of these statements. */
export const EXTRA_TYPES = (hasHalf: boolean): string[] => [
  'typedef uint uint2 __attribute__((ext_vector_type(2)));',
  'typedef uint uint8 __attribute__((ext_vector_type(8)));',
  'typedef int int8 __attribute__((ext_vector_type(8)));',
  'typedef uchar uchar4 __attribute__((ext_vector_type(4)));',
  'typedef ulong ulong4 __attribute__((ext_vector_type(4)));',
  'typedef float float2 __attribute__((ext_vector_type(2)));',
  'typedef double double2 __attribute__((ext_vector_type(2)));',
  'typedef double double4 __attribute__((ext_vector_type(4)));',
  'struct Big { float f[8]; uint u[8]; ulong l; ushort s[4]; };',
  ...(hasHalf ? [4, 8, 16].map((n) => `typedef half half${n} __attribute__((ext_vector_type(${n})));`) : []),
];
export const EXTRA_VARIABLES = (hasHalf: boolean): string[] => [
  '  float2 f2 = (float2)(f, g); uchar4 c4 = (uchar4)((uchar)u); ulong4 l4 = (ulong4)(l); double2 d2 = (double2)(d); double4 d4 = (double4)(d); char c[32]; c[tid & 31u] = (char)u; bool b0 = u > 3u;',
  '  struct Big big; big.f[tid & 7u] = f; big.u[3] = v; int8 i8v = (int8)(i);',
  ...(hasHalf ? ['  half4 h4 = (half4)((half)f); half hh = (half)g; short ss = (short)u; ushort us = (ushort)v;'] : []),
];
