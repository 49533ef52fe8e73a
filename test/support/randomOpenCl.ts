/**
 * Random OpenCL programs, and what clang-22 and llc-22 make of them for a processor up to some pass: MIR of the kind that engineers have, which
 * no generator of MIR comes near. A program has a kernel or two, device functions that are called, local memory, loops, vectors of all widths,
 * atomics, scratch arrays, builtins of the processor and inline assembly.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from './damageInputs.js';
import { EXTRA_TYPES, EXTRA_VARIABLES, extraStatements, intrinsicsOf } from './kernelStatements.js';
import { LIMIT_MS, LLC } from './llc.js';
import { placeOr } from './switches.js';

const CLANG = placeOr('CLANG', 'clang-22');

let hasClangHere: boolean | undefined;
export function hasClang(): boolean {
  hasClangHere ??= spawnSync(CLANG, ['--version'], { encoding: 'utf8', timeout: LIMIT_MS }).status === 0;
  return hasClangHere;
}

interface Generation {
  readonly cpus: readonly string[];
  /** builtins of the processor that a statement may call: `T` stands for a variable of the type in front */
  readonly builtins: readonly string[];
}

const COMMON = [
  'u ^= (uint)__builtin_amdgcn_ds_bpermute((int)(u << 2), (int)v);',
  'u += (uint)__builtin_amdgcn_readfirstlane((int)v);',
  'u = __builtin_amdgcn_ubfe(u, v & 31u, 5u);',
  'u += __builtin_amdgcn_mbcnt_lo(v, 3u);',
  '__builtin_amdgcn_sched_barrier(0);',
  '__builtin_amdgcn_sched_barrier(6);',
  '__builtin_amdgcn_sched_group_barrier(2, 3, 0);',
  '__builtin_amdgcn_s_setprio(1);',
  'f = __builtin_amdgcn_rcpf(g) + __builtin_amdgcn_rsqf(f);',
  'f = __builtin_amdgcn_fmed3f(f, g, 1.0f);',

  '__asm__ volatile("; use %0" : "+v"(u) : "s"(w));',
  '__asm__ volatile("v_mov_b32 %0, %1" : "=v"(u) : "v"(v));',
  '__asm__ volatile("; clobbers" ::: "v20", "s30", "vcc");',
  'if (__builtin_amdgcn_ballot_w64(u > v) != 0) f += 1.0f;',
];
const DPP = ['u += (uint)__builtin_amdgcn_update_dpp(0, (int)v, 0x111, 0xf, 0xf, false);'];
const DOT = ['u = (uint)__builtin_amdgcn_sdot4((int)u, (int)v, 7, false);'];
const MFMA = [
  'x16 = __builtin_amdgcn_mfma_f32_32x32x1f32(f, g, x32, 0, 0, 0).lo;',
  'x16 = __builtin_amdgcn_mfma_f32_16x16x1f32(f, g, x16, 0, 0, 0);',
  'x4 = __builtin_amdgcn_mfma_f32_4x4x1f32(f, g, x4, 0, 0, 0);',
];

const GENERATIONS: readonly Generation[] = [
  { cpus: ['tahiti', 'gfx601', 'gfx602'], builtins: [] },
  { cpus: ['gfx700', 'gfx701', 'gfx703', 'gfx705'], builtins: [] },
  { cpus: ['gfx801', 'gfx802', 'gfx803', 'gfx810'], builtins: DPP },
  { cpus: ['gfx900', 'gfx902', 'gfx909', 'gfx90c', 'gfx9-generic'], builtins: DPP },
  { cpus: ['gfx906'], builtins: [...DPP, ...DOT] },
  {
    cpus: ['gfx908'],
    builtins: [
      ...DPP,
      ...DOT,
      ...MFMA.map((m) => (m.includes('x32') ? 'x32 = __builtin_amdgcn_mfma_f32_32x32x1f32(f, g, x32, 0, 0, 0);' : m)),
    ],
  },
  { cpus: ['gfx90a'], builtins: [...DPP, ...DOT, MFMA[1], MFMA[2], 'd = __builtin_amdgcn_fmed3f(f, g, (float)d);'] },
  { cpus: ['gfx942', 'gfx950', 'gfx9-4-generic'], builtins: [...DPP, MFMA[1], MFMA[2]] },
  { cpus: ['gfx1010', 'gfx1011', 'gfx1012', 'gfx1013', 'gfx10-1-generic'], builtins: DPP },
  { cpus: ['gfx1030', 'gfx1031', 'gfx1036', 'gfx10-3-generic'], builtins: DPP },
  { cpus: ['gfx1100', 'gfx1103', 'gfx1150', 'gfx1152', 'gfx11-generic'], builtins: DPP },
  { cpus: ['gfx1200', 'gfx1201', 'gfx12-generic'], builtins: DPP },
  { cpus: ['gfx1250', 'gfx1251'], builtins: DPP },
];

export interface KernelSource {
  readonly text: string;
  readonly cpu: string;
  readonly triple: string;
  /** of clang */
  readonly args: readonly string[];
}

/** A generator of the statements of one function. */
class Body {
  private depth = 0;
  readonly lines: string[] = [];

  constructor(
    private readonly random: Random,
    private readonly generation: Generation,
    private readonly isKernel: boolean,
    private readonly callees: readonly string[],
    private readonly hasHalf: boolean,
    private readonly extra: readonly (readonly string[])[],
  ) {}

  private line(text: string): void {
    this.lines.push('  '.repeat(this.depth + 1) + text);
  }

  private int(): string {
    const { random } = this;
    return random.pick(['u', 'v', 'w', `${1 + random.below(40)}u`, 'u', 'v', '(uint)i', 'x.y', '(uint)l']);
  }

  private float(): string {
    const { random } = this;
    return random.pick(['f', 'g', `${random.below(9)}.5f`, 'f4.x', 'f4.w', 'f8.s5', '(float)u', '(float)d', 'f16.sb']);
  }

  private address(): string {
    const { random } = this;
    return random.pick([
      'u',
      'v',
      'i',
      'tid',
      `tid + ${random.below(64)}`,
      `i * ${1 + random.below(9)} + tid`,
      '(u & 63u)',
      '(v >> 3) & 255u',
      'min(u, 511u)',
      'w',
    ]);
  }

  statement(): void {
    const { random } = this;
    if (this.extra.length > 0 && random.chance(30)) {
      const line = random.pick(random.pick(this.extra));
      if (this.isKernel || !line.includes('lds')) this.line(`{ ${line} }`);
      return;
    }
    const kind = random.below(100);
    if (kind < 9)
      this.line(`u = ${this.int()} ${random.pick(['+', '*', '^', '|', '&', '-', '<<', '>>'])} (${this.int()} & 15u);`);
    else if (kind < 14)
      this.line(
        `v ${random.pick(['+=', '^=', '-=', '*='])} ${this.int()} ${random.pick(['+', '*', '^'])} ${this.int()};`,
      );
    else if (kind < 17)
      this.line(`w = ${random.pick(['w * 3u + n', 'n ^ w', 'w >> 1', 'pw[w & 7u]', '(uint)get_n() + w'])};`);
    else if (kind < 23) this.line(`f = __builtin_fmaf(${this.float()}, ${this.float()}, ${this.float()});`);
    else if (kind < 27) this.line(`g = ${this.float()} ${random.pick(['+', '*', '-', '/'])} ${this.float()};`);
    else if (kind < 30)
      this.line(
        `f4 = f4 * (float4)(${this.float()}) + ${random.pick(['f8.lo', 'f16.hi.lo', 'pf4[' + this.address() + ']', 'f4.wzyx'])};`,
      );
    else if (kind < 33)
      this.line(`f8 = f8 + ${random.pick(['f16.lo', 'f16.hi', 'f8.odd.s01230123', '(float8)(g)'])} * ${this.float()};`);
    else if (kind < 36)
      this.line(
        `f16 = ${random.pick(['f16 * 2.0f + f', '(float16)(f8, f8)', 'f16 + (float16)(f4, f4, f8)', 'pf16[tid & 15u]'])};`,
      );
    else if (kind < 39)
      this.line(
        `d = d * ${random.pick(['(double)f', 'd', '1.5'])} + ${random.pick(['(double)u', 'pd[' + this.address() + ']'])};`,
      );
    else if (kind < 42)
      this.line(
        `l = l ${random.pick(['+', '*', '^', '>>'])} ${random.pick(['(ulong)u', '3ul', 'pl[' + this.address() + ']', '(ulong)(u & 31u)'])};`,
      );
    else if (kind < 50) this.line(`${random.pick(['u = pu', 'v = pu', 'f = pf', 'g = pf'])}[${this.address()}];`);
    else if (kind < 57)
      this.line(
        `${random.pick(['pu[A] = u', 'pu[A] = v + u', 'pf[A] = f', 'pf4[A] = f4', 'pd[A] = d', 'pl[A] = l', 'pb[A] = (uchar)u', 'ps[A] = (ushort)v', 'pf16[A] = f16']).replace('A', this.address())};`,
      );
    else if (kind < 60) this.line(`u += ${random.pick(['pb', 'ps'])}[${this.address()}];`);
    else if (kind < 63 && this.isKernel)
      this.line(
        random.pick([
          'lds[tid & 255u] = u;',
          'u ^= lds[(tid + 1u) & 255u];',
          'ldsf[v & 63u] = f4;',
          'f4 += ldsf[u & 63u];',
        ]),
      );
    else if (kind < 65 && this.isKernel) this.line('barrier(CLK_LOCAL_MEM_FENCE);');
    else if (kind < 67) this.line(random.pick(['stack[u & 15u] = v;', 'u += stack[v & 15u];', 'stack[i & 15] ^= w;']));
    else if (kind < 69)
      this.line(
        random.pick([
          '__opencl_atomic_fetch_add((global atomic_uint *)(pu + (u & 7u)), v, memory_order_relaxed, memory_scope_device);',
          'u = __opencl_atomic_exchange((global atomic_uint *)pu, v, memory_order_seq_cst, memory_scope_device);',
          '__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");',
        ]),
      );
    else if (kind < 71 && this.hasHalf)
      this.line(
        random.pick([
          'h2 = h2 * h2 + (half2)((half)f, (half)g);',
          'h2.x = (half)f;',
          'f += (float)h2.y;',
          'ph2[' + this.address() + '] = h2;',
          'h2 = ph2[tid];',
          's2 = s2 * (short2)3 + (short2)((short)u);',
        ]),
      );
    else if (kind < 73)
      this.line(
        random.pick([
          'x = (uint4)(u, v, w, n) + x.yzwx;',
          'x ^= pu4[' + this.address() + '];',
          'pu4[' + this.address() + '] = x;',
          'x.z = x.x > x.y ? u : v;',
        ]),
      );
    else if (kind < 76)
      this.line(
        `f = ${random.pick(['__builtin_fabsf(g)', '__builtin_fminf(f, g)', '__builtin_sqrtf(f)', '__builtin_floorf(g)', '(u > v ? f : g)', '__builtin_amdgcn_ldexpf(f, 3)', '__builtin_amdgcn_fractf(g)'])};`,
      );
    else if (kind < 78)
      this.line(
        `u = ${random.pick(['__builtin_popcount(u)', '__builtin_clz(v | 1u)', 'max(u, v)', 'min(u, 77u)', 'abs_diff(u, v)', '(u < v) ? u : w', 'mulhi(u, v)', 'u / (v | 1u)', 'u % 7u', 'rot(u, v)'])};`,
      );
    else if (kind < 82 && this.callees.length > 0)
      this.line(`f += ${random.pick(this.callees)}(${this.float()}, ${this.int()}, pf, pu);`);
    else if (kind < 88) {
      const { builtins } = this.generation;
      this.line(random.pick(builtins.length > 0 && random.chance(50) ? builtins : COMMON));
    } else if (kind < 94 && this.depth < 4) this.branch();
    else if (this.depth < 3) this.loop();
    else this.line('i++;');
  }

  private many(n: number): void {
    this.depth++;
    for (let k = 0; k < n; k++) this.statement();
    this.depth--;
  }

  private branch(): void {
    const { random } = this;
    this.line(`if (${random.pick(['u > v', 'w > 5u', 'f < g', 'n == 3u', '(tid & 1u) != 0u', 'i > 4', 'd > 1.0'])}) {`);
    this.many(1 + random.below(5));
    if (random.chance(40)) {
      this.line('} else {');
      this.many(1 + random.below(4));
    }
    this.line('}');
  }

  private loop(): void {
    const { random } = this;
    const name = `k${this.lines.length}`;
    const end = random.pick(['n', 'u & 31u', '4u', '16u', 'w']);
    if (random.chance(30)) this.line(`#pragma unroll ${random.pick([1, 2, 4])}`);
    this.line(`for (uint ${name} = 0; ${name} < ${end}; ${name}++) {`);
    this.depth++;
    this.line(`i += (int)${name};`);
    this.depth--;
    this.many(1 + random.below(6));
    if (random.chance(25)) this.line(`  if (${random.pick(['u == 99u', 'f > 1000.0f', 'w == 7u'])}) break;`);
    this.line('}');
  }
}

const PARAMETERS =
  'global uint *restrict pu, global float *pf, global float4 *restrict pf4, global float16 *pf16, global double *pd, global ulong *pl, global uchar *pb, global ushort *ps, global uint4 *pu4, constant uint *pw, constant uint4 *pr, constant uint8 *pi, uint n, float g0';

const HELPERS = `
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef uint uint4 __attribute__((ext_vector_type(4)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef float float16 __attribute__((ext_vector_type(16)));
typedef float float32 __attribute__((ext_vector_type(32)));
typedef short short2 __attribute__((ext_vector_type(2)));
static inline uint rot(uint a, uint b) { return __builtin_rotateleft32(a, b & 31u); }
static inline uint mulhi(uint a, uint b) { return (uint)(((ulong)a * b) >> 32); }
static inline uint abs_diff(uint a, uint b) { return a > b ? a - b : b - a; }
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define barrier(x) do { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); } while (0)
#define get_n() __builtin_amdgcn_workgroup_id_x()
`;

/** In a callee, pointers that a kernel has as parameters. */
const CALLEE_POINTERS =
  '  global float4 *pf4 = (global float4 *)pf; global float16 *pf16 = (global float16 *)pf; global double *pd = (global double *)pf; global ulong *pl = (global ulong *)pu; global uchar *pb = (global uchar *)pu; global ushort *ps = (global ushort *)pu; global uint4 *pu4 = (global uint4 *)pu; global uint *pw = pu; constant uint4 *pr = (constant uint4 *)(ulong)pu; constant uint8 *pi = (constant uint8 *)(ulong)pu;';

const variables = (hasHalf: boolean, isKernel: boolean): string[] => [
  '  uint tid = __builtin_amdgcn_workitem_id_x(); uint u = tid * 3u + 1u, v = tid ^ n, w = n; int i = (int)n; float f = g0, g = g0 + 1.0f;',
  '  float4 f4 = (float4)(f, g, f, 1.0f), x4 = f4; float8 f8 = (float8)(g); float16 f16 = (float16)(f), x16 = f16; float32 x32 = (float32)(1.0f); uint4 x = (uint4)(u, v, w, n);',
  `  double d = (double)g0; ulong l = (ulong)n * 77ul; uint stack[16]; stack[tid & 15u] = u; short2 s2 = (short2)((short)u);`,
  ...(hasHalf ? ['  half2 h2 = (half2)((half)f, (half)g);'] : []),
  ...EXTRA_VARIABLES(hasHalf),
  ...(isKernel ? ['  local uint lds[256]; local float4 ldsf[64]; local void *ldsOf = (local void *)lds;'] : []),
];

/** Some of the variables leave the kernel; what only the others need the compiler drops. */
function results(random: Random, hasHalf: boolean): string[] {
  const all: readonly (readonly [percent: number, line: string])[] = [
    [90, 'pu[tid] = u ^ v;'],
    [40, 'pu[tid + 64u] = w ^ (uint)i;'],
    [30, 'pu[tid + 128u] = stack[u & 15u];'],
    [30, 'pu4[tid] = x;'],
    [70, 'pf[tid] = f + g;'],
    [40, 'pf4[tid] = f4;'],
    [25, 'pf4[tid + n] = f8.lo + f8.hi;'],
    [15, 'pf16[tid] = f16;'],
    [15, 'pf16[tid + 9u] = x16;'],
    [8, 'pf16[tid + 7u] = x32.lo * x32.hi;'],
    [20, 'pf4[tid + 3u] = x4;'],
    [30, 'pd[tid] = d;'],
    [30, 'pl[tid] = l;'],
    [hasHalf ? 30 : 0, 'ph2[tid] = h2;'],
    [hasHalf ? 15 : 0, 'ps[tid] = (ushort)s2.y;'],
    [hasHalf ? 10 : 0, 'ph2[tid + 5u] = h4.xy + h4.zw + (half2)(hh); ps[tid + 7u] = us + (ushort)ss;'],
    [15, 'pd[tid + 3u] = d2.x + d4.w + d4.x;'],
    [15, 'pl[tid + 3u] = l4.x ^ l4.w;'],
    [10, 'pf[tid + 99u] = f2.x * f2.y + big.f[w & 7u] + (float)big.u[u & 7u];'],
    [10, 'pu[tid + 98u] = c4.x + (uint)c[v & 31u] + (uint)b0;'],
  ];
  return all.filter(([percent]) => random.chance(percent)).map(([, line]) => `  ${line}`);
}

/** Program n of a seed. */
export function randomOpenCl(random: Random): KernelSource {
  const generation = random.pick(GENERATIONS);
  const cpu = random.pick(generation.cpus);
  const hasHalf = !/tahiti|gfx[67]/.test(cpu);
  const args = [random.pick(['-O1', '-O2', '-O2', '-O3', '-Os'])];
  if (random.chance(6)) args.push('-Xclang', '-disable-llvm-passes');
  if (random.chance(6)) args.push('-ffp-model=strict');
  if (random.chance(10)) args.push('-munsafe-fp-atomics');
  if (random.chance(25)) args.push('-g');
  if (random.chance(25)) args.push('-ffast-math');
  if (/gfx1[012]\d\d|gfx1\d-/.test(cpu) && !cpu.startsWith('gfx125') && random.chance(35))
    args.push('-mwavefrontsize64');
  if (random.chance(10)) args.push('-mcumode');
  const isWave64 = !/^gfx1/.test(cpu) || args.includes('-mwavefrontsize64');
  const extra = random.chance(75) ? extraStatements(cpu, isWave64) : [];
  const lines: string[] = [];
  if (hasHalf)
    lines.push(
      '#pragma OPENCL EXTENSION cl_khr_fp16 : enable',
      'typedef half half2 __attribute__((ext_vector_type(2)));',
    );
  const callees: string[] = [];
  for (let k = random.chance(45) ? 1 + random.below(2) : 0; k > 0; k--) {
    const name = `callee${k}`;
    const body = new Body(random, generation, false, [...callees], hasHalf, extra);
    for (let s = 2 + random.below(12); s > 0; s--) body.statement();
    lines.push(
      `__attribute__((noinline${random.chance(15) ? ', optnone' : ''})) float ${name}(float g0, uint n, global float *pf, global uint *pu) {`,
      CALLEE_POINTERS,
      ...(hasHalf ? ['  global half2 *ph2 = (global half2 *)pf;'] : []),
      ...variables(hasHalf, false),
      ...body.lines,
      '  OUT:;',
      '  pf[u & 3u] = f16.s3 + f8.s1 + x16.s4 + x4.x + x32.s3; pl[0] = l + (ulong)d + x.x; pu[2] = stack[3] + (uint)s2.x;',
      '  return f + g + f4.x + (float)u;',
      '}',
    );
    callees.push(name);
  }
  for (let k = 0; k < 1 + Number(random.chance(30)); k++) {
    const body = new Body(random, generation, true, callees, hasHalf, extra);
    for (let s = 4 + random.below(random.chance(15) ? 70 : 22); s > 0; s--) body.statement();
    const attributes = [
      random.chance(25)
        ? `__attribute__((amdgpu_flat_work_group_size(${random.pick(['64, 64', '1, 256', '128, 512', '1, 1024'])})))`
        : '',
      random.chance(20)
        ? `__attribute__((amdgpu_waves_per_eu(${random.pick(['1, 1', '2, 4', '4', '8, 8', '3, 6'])})))`
        : '',
      random.chance(10) ? `__attribute__((amdgpu_num_vgpr(${random.pick([24, 32, 64, 96])})))` : '',
    ];
    lines.push(
      `${attributes.join(' ')} kernel void kernel${k}(${PARAMETERS}) {`,
      ...(hasHalf ? ['  global half2 *ph2 = (global half2 *)pf;'] : []),
      ...variables(hasHalf, true),
      ...body.lines,
      '  OUT:;',
      ...results(random, hasHalf),
      '}',
    );
  }
  const triple = random.pick([
    'amdgcn-amd-amdhsa',
    'amdgcn-amd-amdhsa',
    'amdgcn-amd-amdhsa',
    'amdgcn-mesa-mesa3d',
    'amdgcn-amd-amdpal',
    'amdgcn--',
  ]);
  const text = lines.join('\n');
  const head = [HELPERS, ...EXTRA_TYPES(hasHalf), ...intrinsicsOf(text)];
  return { text: `${head.join('\n')}\n${text}\n`, cpu, triple, args };
}

export interface CompiledKernels {
  /** LLVM IR; null where clang refuses the program, with the reason in `problem` */
  readonly ir: string | null;
  readonly problem: string;
}

/** The program as LLVM IR. */
export function compileOpenCl(source: KernelSource): CompiledKernels {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-cl-'));
  try {
    const file = join(folder, 'k.cl');
    writeFileSync(file, source.text);
    const args = [
      '-x',
      'cl',
      '-cl-std=CL2.0',
      '-Xclang',
      '-finclude-default-header',
      '-nogpulib',
      '-target',
      source.triple,
    ];
    const run = spawnSync(
      CLANG,
      [
        ...args.filter((a) => !a.includes('header') && a !== '-Xclang'),
        `-mcpu=${source.cpu}`,
        ...source.args,
        '-w',
        '-emit-llvm',
        '-S',
        '-o',
        '-',
        file,
      ],
      { encoding: 'utf8', timeout: LIMIT_MS, maxBuffer: 1 << 28 },
    );
    return run.status === 0 ? { ir: run.stdout, problem: '' } : { ir: null, problem: run.stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const FUNCTION_ATTRIBUTES = [
  '"amdgpu-sched-strategy"="max-ilp"',
  '"amdgpu-sched-strategy"="max-memory-clause"',
  '"amdgpu-sched-strategy"="iterative-ilp"',
  '"amdgpu-agpr-alloc"="0"',
  '"amdgpu-agpr-alloc"="16"',
  '"amdgpu-agpr-alloc"="0,8"',
  '"amdgpu-num-sgpr"="40"',
  '"amdgpu-num-vgpr"="40"',
  '"amdgpu-dynamic-vgpr-block-size"="16"',
  '"amdgpu-dynamic-vgpr-block-size"="32"',
  '"amdgpu-memory-bound"="true"',
  '"amdgpu-wave-limiter"="true"',
  '"amdgpu-ieee"="false"',
  '"amdgpu-dx10-clamp"="false"',
  '"frame-pointer"="all"',
  '"amdgpu-max-num-workgroups"="4,1,1"',
  '"no-realign-stack"',
  '"stackrealign"',
  'alignstack=64',
  'optnone noinline',
  'minsize optsize',
  '"amdgpu-cluster-dims"="2,1,1"',
  '"amdgpu-max-memory-cluster-dwords"="4"',
];

/** The IR with attributes that clang has no words for, in some of its groups. */
export function withAttributes(ir: string, random: Random): string {
  return ir.replaceAll(/^attributes #\d+ = \{ (?=.*"target-cpu")/gm, (head) =>
    random.chance(30) ? `${head}${random.pick(FUNCTION_ATTRIBUTES)} ` : head,
  );
}

/** MIR of the IR with `stop` (such as `-stop-before=machine-scheduler`); null where llc-22 fails. */
export function mirOf(
  ir: string,
  source: Pick<KernelSource, 'triple' | 'cpu'>,
  stop: readonly string[],
): string | null {
  const run = spawnSync(LLC, [`-mtriple=${source.triple}`, `-mcpu=${source.cpu}`, ...stop, '-o', '-', '-'], {
    input: ir,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: 1 << 28,
    env: { ...process.env, LLVM_DISABLE_SYMBOLIZATION: '1' },
  });
  return run.status === 0 ? run.stdout : null;
}
