/**
 * Random LLVM IR with matrix instructions between inline assembly that wants AGPRs or VGPRs, loads, sums and stores, with few registers: what makes llc's
 * amdgpu-rewrite-agpr-copy-mfma move chains of them.
 */
import { Random } from './damageInputs.js';

/** intrinsic, elements of the sum, type of a factor */
const SHAPES: readonly (readonly [name: string, n: number, factor: string])[] = [
  ['f32.32x32x2f32', 16, 'float'],
  ['f32.16x16x4f32', 4, 'float'],
  ['f32.4x4x4f16', 4, '<4 x half>'],
  ['f32.32x32x1f32', 32, 'float'],
  ['f32.16x16x1f32', 16, 'float'],
];
const PROCESSORS = ['gfx90a', 'gfx942', 'gfx950'];

/** Values that live across a chain of matrix instructions and have no room beside it: what is saved may stay in registers once the chain has moved. */
function crowded(random: Random): RandomAgprCopies {
  const vector = '<16 x float>';
  const callee = '@llvm.amdgcn.mfma.f32.32x32x2f32';
  const body = [`%m0 = call ${vector} asm sideeffect "; def $0", "=a"()`];
  let last = 0;
  const chain = (): void => {
    body.push(`%m${last + 1} = call ${vector} ${callee}(float %f, float %g, ${vector} %m${last}, i32 0, i32 0, i32 0)`);
    last++;
  };
  const n = 2 + random.below(4);
  for (let k = 0; k < n; k++) {
    body.push(`%p${k} = getelementptr ${vector}, ptr addrspace(1) %p, i32 ${k}`);
    body.push(`%b${k} = load volatile ${vector}, ptr addrspace(1) %p${k}, align 128`);
    if (random.chance(60)) chain();
  }
  chain();
  body.push(`call void asm sideeffect "; use $0", "${random.pick(['a', 'a', 'v'])}"(${vector} %m${last})`);
  for (let k = 0; k < n; k++) body.push(`store volatile ${vector} %b${k}, ptr addrspace(1) %p${k}, align 128`);
  return {
    args: ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${random.pick(PROCESSORS)}`],
    ir: `define amdgpu_kernel void @f(ptr addrspace(1) %p, float %f, float %g) #0 {
${body.map((line) => `  ${line}\n`).join('')}  ret void
}
declare ${vector} ${callee}(float, float, ${vector}, i32 immarg, i32 immarg, i32 immarg)
attributes #0 = { "amdgpu-waves-per-eu"="${random.pick(['8,8', '7,7', '6,8'])}" nounwind }
`,
  };
}

export interface RandomAgprCopies {
  readonly args: readonly string[];
  readonly ir: string;
}

export function randomAgprCopies(seed: number): RandomAgprCopies {
  const random = new Random(seed);
  if (random.chance(30)) return crowded(random);
  const body: string[] = [];
  const declarations = new Set<string>();
  const values: (readonly [name: string, n: number])[] = [];
  let named = 0;
  const name = (): string => `%t${named++}`;
  const place = (n: number): string => {
    const p = name();
    body.push(`${p} = getelementptr <${n} x float>, ptr addrspace(1) %p, i32 ${random.below(20)}`);
    return p;
  };
  const use = ([v, n]: readonly [string, number]): void => {
    if (random.chance(50))
      body.push(`call void asm sideeffect "; use $0", "${random.pick(['a', 'a', 'v'])}"(<${n} x float> ${v})`);
    else body.push(`store volatile <${n} x float> ${v}, ptr addrspace(1) ${place(n)}, align 128`);
  };
  const define = (n: number, text: (v: string) => string): void => {
    const v = name();
    body.push(`${v} = ${text(v)}`);
    values.push([v, n]);
  };
  for (let k = 2 + random.below(7); k > 0; k--) {
    const n = random.pick(SHAPES)[1];
    if (random.chance(60)) {
      const bank = random.pick(['a', 'a', 'a', 'v']);
      define(n, () => `call <${n} x float> asm sideeffect "; def $0", "=${bank}"()`);
    } else {
      const p = place(n);
      define(n, () => `load volatile <${n} x float>, ptr addrspace(1) ${p}, align 128`);
    }
  }
  for (let k = 2 + random.below(13); k > 0; k--) {
    const [v, n] = random.pick(values);
    const what = random.below(100);
    if (what < 62) {
      const [intrinsic, , factor] = random.pick(SHAPES.filter((shape) => shape[1] === n));
      const one = (): string => (factor === 'float' ? random.pick(['1.0', '%f', '%g']) : '%h');
      const callee = `@llvm.amdgcn.mfma.${intrinsic}`;
      declarations.add(
        `declare <${n} x float> ${callee}(${factor}, ${factor}, <${n} x float>, i32 immarg, i32 immarg, i32 immarg)`,
      );
      define(
        n,
        () =>
          `call <${n} x float> ${callee}(${factor} ${one()}, ${factor} ${one()}, <${n} x float> ${v}, i32 0, i32 0, i32 0)`,
      );
    } else if (what < 80) use([v, n]);
    else if (what < 88)
      body.push(`call void asm sideeffect "; clob", "~{a${random.below(20)}},~{v${random.below(30)}}"()`);
    else define(n, () => `fadd <${n} x float> ${v}, ${random.pick(values.filter((w) => w[1] === n))[0]}`);
  }
  for (const value of [...values]) if (random.chance(50)) use(value);
  const waves = 1 + random.below(8);
  const limits = [
    `"amdgpu-waves-per-eu"="${waves},${waves}"`,
    '"amdgpu-flat-work-group-size"="1,1024"',
    `"amdgpu-num-vgpr"="${random.pick([24, 40, 64, 100])}"`,
    `"amdgpu-agpr-alloc"="${random.pick([8, 32, 64])}"`,
  ];
  const limit = random.pick(limits);
  return {
    args: ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${random.pick(PROCESSORS)}`],
    ir: `define ${random.pick(['amdgpu_kernel void', 'void'])} @f(ptr addrspace(1) %p, float %f, float %g, <4 x half> %h) #0 {
${body.map((line) => `  ${line}\n`).join('')}  ret void
}
${[...declarations].join('\n')}
attributes #0 = { ${limit} nounwind }
`,
  };
}
