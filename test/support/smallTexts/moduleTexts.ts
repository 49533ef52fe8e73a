/** Small IR modules before a function: what LLVM's verifier demands of attributes, globals, flags and metadata, kept and broken. */

const around = (ir: string): string =>
  `--- |\n${ir.replace(/^(?=.)/gm, '  ')}...\n---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;
const F = 'define void @f() {\n  ret void\n}\n';

const FUNCTION_ATTRIBUTES: readonly string[] = [
  ...[
    'noinline',
    'alwaysinline',
    'noinline alwaysinline',
    'optnone',
    'optnone noinline',
    'optnone noinline optsize',
    'optnone noinline minsize',
    'optdebug',
    'optdebug optsize',
    'optdebug minsize',
    'optdebug optnone noinline',
    'optsize minsize',
  ],
  ...[
    'sanitize_realtime sanitize_realtime_blocking',
    'sanitize_realtime',
    'jumptable',
    'builtin',
    'nobuiltin',
    'nounwind',
    'speculatable',
    'alignstack(8)',
    'align 16',
    'memory(none)',
    'memory(argmem: read)',
    'memory(write)',
    'cold',
    'convergent',
  ],
  ...[
    'allocsize(0)',
    'allocsize(1)',
    'allocsize(0,1)',
    'allocsize(1,0)',
    'allocsize(0,2)',
    'allockind("alloc")',
    'allockind("free")',
    'allockind("alloc,free")',
    'allockind("alloc,zeroed")',
    'allockind("alloc,zeroed,uninitialized")',
    'allockind("free,zeroed")',
  ],
  ...[
    'allockind("free,aligned")',
    'allockind("zeroed")',
    'allockind("realloc,uninitialized")',
    '"alloc-variant-zeroed"=""',
    '"alloc-variant-zeroed"="x"',
    'vscale_range(1)',
    'vscale_range(0)',
    'vscale_range(3)',
    'vscale_range(2,4)',
    'vscale_range(4,2)',
  ],
  ...[
    'vscale_range(2,3)',
    'vscale_range(1,0)',
    'vscale_range(4,4)',
    '"frame-pointer"="all"',
    '"frame-pointer"="non-leaf"',
    '"frame-pointer"="non-leaf-no-reserve"',
    '"frame-pointer"="none"',
    '"frame-pointer"="reserved"',
    '"frame-pointer"="x"',
    '"frame-pointer"=""',
  ],
  ...['patchable-function-prefix', 'patchable-function-entry', 'warn-stack-size'].flatMap((k) =>
    ['0', '4294967295', '4294967296', 'x', '', '-1', '08'].map((v) => `"${k}"="${v}"`),
  ),
  ...['none', 'all', 'non-leaf', 'x', ''].map((v) => `"sign-return-address"="${v}"`),
  ...['a_key', 'b_key', 'x', ''].flatMap((v) => [
    `"sign-return-address-key"="${v}"`,
    `"sign-return-address"="all" "sign-return-address-key"="${v}"`,
  ]),
  ...['branch-target-enforcement', 'branch-protection-pauth-lr', 'guarded-control-stack'].flatMap((k) =>
    ['true', 'false', '', 'x', 'True'].map((v) => `"${k}"="${v}"`),
  ),
  ...['denormal-fp-math', 'denormal-fp-math-f32'].flatMap((k) =>
    [
      'ieee',
      'preserve-sign',
      'positive-zero',
      'dynamic',
      'ieee,ieee',
      'ieee,preserve-sign',
      'ieee,',
      ',ieee',
      'x',
      'ieee,x',
      'x,ieee',
      '',
      'ieee,ieee,ieee',
    ].map((v) => `"${k}"="${v}"`),
  ),
  ...['+a', '-a', '+a,-b', 'a', '+a,b', '+a,,-b', ',', ''].map((v) => `"target-features"="${v}"`),
  ...[
    'no-signed-zeros-fp-math',
    'less-precise-fpmad',
    'no-infs-fp-math',
    'use-soft-float',
    'no-inline-line-tables',
    'profile-sample-accurate',
    'unsafe-fp-math',
  ].flatMap((k) => ['true', 'false', '', 'x'].map((v) => `"${k}"="${v}"`)),
  ...['aarch64_pstate_sm_enabled', 'aarch64_pstate_sm_compatible', 'aarch64_new_za', 'aarch64_in_za'].map(
    (k) => `"${k}"`,
  ),
  ...[
    '"aarch64_pstate_sm_enabled" "aarch64_pstate_sm_compatible"',
    '"aarch64_new_za" "aarch64_in_za"',
    '"aarch64_out_zt0" "aarch64_inout_zt0"',
    '"aarch64_za_state_agnostic" "aarch64_in_zt0"',
    '"aarch64_zt0_undef"',
  ],
];
const PARAMETERS: readonly string[] = [
  ...[
    'i32 zeroext',
    'i32 signext',
    'i32 zeroext signext',
    'float zeroext',
    'ptr zeroext',
    'i32 noalias',
    'ptr noalias',
    'ptr nonnull',
    'i32 nonnull',
    'ptr dereferenceable(4)',
    'i32 dereferenceable(4)',
    'ptr dereferenceable_or_null(4)',
    'ptr align 8',
    'i32 align 8',
  ],
  ...[
    'ptr byval(i32)',
    'i32 byval(i32)',
    'ptr byval(i32) inreg',
    'ptr sret(i32)',
    'i32 sret(i32)',
    'ptr sret(i32) byval(i32)',
    'ptr byref(i32)',
    'ptr byref(i32) byval(i32)',
    'ptr inalloca(i32)',
    'ptr preallocated(i32)',
    'ptr nest',
    'ptr nest inreg',
    'i32 inreg',
  ],
  ...[
    'ptr readnone',
    'ptr readonly',
    'ptr writeonly',
    'ptr readnone readonly',
    'ptr readonly writeonly',
    'i32 readonly',
    'ptr captures(none)',
    'i32 captures(none)',
    'ptr returned',
    'i32 returned',
    'ptr swiftself',
    'ptr swifterror',
    'ptr swiftasync',
    'i32 immarg',
  ],
  ...[
    'ptr elementtype(i32)',
    'ptr writable',
    'ptr writable dereferenceable(4)',
    'ptr writable readonly',
    'ptr byval(opaque)',
    'i32 noundef',
    'i32 range(i32 0, 5)',
    'i64 range(i32 0, 5)',
    'float nofpclass(nan)',
    'i32 nofpclass(nan)',
    'ptr noalias byval(i32)',
    'ptr nofree',
    'i32 nofree',
  ],
  ...[
    'ptr dead_on_unwind',
    'ptr initializes((0, 4))',
    'i32 initializes((0, 4))',
    'metadata',
    'token',
    'x86_amx',
    'i1',
    'ptr addrspace(5) byref(i32)',
    'ptr addrspace(4) byref(i32)',
    'ptr sret(i32) returned',
    'ptr sret(i32) writeonly',
  ],
];
const CONVENTIONS: readonly string[] = [
  ...[
    'amdgpu_kernel',
    'amdgpu_cs',
    'amdgpu_es',
    'amdgpu_gs',
    'amdgpu_hs',
    'amdgpu_ls',
    'amdgpu_ps',
    'amdgpu_vs',
    'amdgpu_gfx',
    'amdgpu_cs_chain',
    'amdgpu_cs_chain_preserve',
    'amdgpu_gfx_whole_wave',
    'spir_kernel',
    'spir_func',
    'fastcc',
    'coldcc',
  ],
  ...['ccc', 'x86_intrcc', 'intel_ocl_bicc', 'ptx_kernel', 'ptx_device', 'cc 10', 'swiftcc'],
];
const SIGNATURES: readonly (readonly [result: string, parameters: string])[] = [
  ['void', ''],
  ['i32', ''],
  ['void', '...'],
  ['void', 'ptr sret(i32) %x'],
  ['void', 'i32 %y, ptr sret(i32) %x'],
  ['void', 'ptr byval(i32) %x'],
  ['void', 'ptr inalloca(i32) %x'],
  ['void', 'ptr preallocated(i32) %x'],
  ['void', 'ptr addrspace(5) byref(i32) %x'],
  ['void', 'ptr addrspace(4) byref(i32) %x'],
  ['void', 'i1 %a'],
  ['void', 'i1 inreg %a'],
  ['void', 'i2 %a'],
  ['i32', 'i1 %a, i32 %b'],
  ['void', 'i1 %a, ...'],
];
const PAIRS: readonly string[] = [
  ...[
    'ptr nest %a, ptr nest %b',
    'i32 returned %a, i32 returned %b',
    'ptr sret(i32) %a, ptr sret(i32) %b',
    'ptr swiftself %a, ptr swiftself %b',
    'ptr swifterror %a, ptr swifterror %b',
    'ptr swiftasync %a, ptr swiftasync %b',
    'ptr inalloca(i32) %a, i32 %b',
  ],
  ...[
    'i32 %a, i32 %b, ptr sret(i32) %c',
    'i32 %a, ptr inalloca(i32) %b',
    'i32 %a, i32 returned %b',
    'ptr nest %a, ptr sret(i32) %b',
    'i64 returned %a',
  ],
];
const GLOBALS: readonly string[] = [
  ...[
    '@a = common global i32 0',
    '@a = common global i32 1',
    '@a = common constant i32 0',
    '@a = appending global i32 0',
    '@a = appending global [1 x i32] [i32 0]',
    '@a = common addrspace(3) global i32 zeroinitializer',
    '@a = external global i32',
  ],
  ...['llvm.used', 'llvm.compiler.used'].flatMap((n) => [
    ...[
      `@${n} = appending global [1 x ptr] [ptr @f]`,
      `@${n} = global [1 x ptr] [ptr @f]`,
      `@${n} = appending global [1 x i32] [i32 0]`,
      `@${n} = appending global i32 0`,
      `@${n} = external global [1 x ptr]`,
      `@${n} = appending global [1 x ptr] zeroinitializer`,
    ],
    ...[
      `@${n} = appending global [1 x ptr] [ptr null]`,
      `@${n} = appending global [2 x ptr] [ptr @f, ptr inttoptr (i64 1 to ptr)]`,
      `@${n} = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @b to ptr)]`,
    ],
  ]),
  ...['llvm.global_ctors', 'llvm.global_dtors'].flatMap((n) => [
    ...[
      `@${n} = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }]`,
      `@${n} = global [0 x { i32, ptr, ptr }] zeroinitializer`,
      `@${n} = appending global [0 x { i32, ptr }] zeroinitializer`,
    ],
    ...[
      `@${n} = appending global [0 x { i64, ptr, ptr }] zeroinitializer`,
      `@${n} = appending global [0 x { i32, i32, ptr }] zeroinitializer`,
      `@${n} = appending global [0 x { i32, ptr, i32 }] zeroinitializer`,
      `@${n} = appending global [0 x ptr] zeroinitializer`,
      `@${n} = external global i32`,
    ],
  ]),
];
const FLAGS: readonly string[] = [
  ...[
    'i32 1, !"a", i32 1',
    'i32 0, !"a", i32 1',
    'i32 9, !"a", i32 1',
    '!"x", !"a", i32 1',
    'i32 1, i32 2, i32 1',
    'i32 1, !"a"',
    'i32 1, !"a", i32 1, i32 2',
    'i32 2, !"a", !"b"',
    'i32 3, !"a", !{!"b", i32 1}',
    'i32 3, !"a", i32 1',
    'i32 3, !"a", !{!"b"}',
  ],
  ...[
    'i32 3, !"a", !{i32 1, i32 1}',
    'i32 4, !"a", i32 1',
    'i32 5, !"a", !{!"b"}',
    'i32 5, !"a", i32 1',
    'i32 6, !"a", !{}',
    'i32 6, !"a", i32 1',
    'i32 7, !"a", i32 1',
    'i32 7, !"a", i32 -1',
    'i32 7, !"a", !"b"',
    'i32 8, !"a", i32 1',
    'i32 8, !"a", i32 0',
  ],
  ...[
    'i32 8, !"a", i32 -1',
    'i32 8, !"a", !"b"',
    'i64 1, !"a", i32 1',
    'null, !"a", i32 1',
    'i32 1, !"wchar_size", i32 4',
    'i32 1, !"wchar_size", !"x"',
    'i32 1, null, i32 4',
  ],
];
const FLAG_PAIRS: readonly string[] = [
  'i32 1, !"a", i32 1}|i32 1, !"a", i32 1',
  'i32 1, !"a", i32 1}|i32 3, !"a", !{!"a", i32 1}',
  'i32 1, !"a", i32 1}|i32 3, !"b", !{!"a", i32 2}',
  'i32 1, !"a", i64 1}|i32 3, !"b", !{!"a", i32 1}',
  'i32 1, !"a", !"x"}|i32 3, !"b", !{!"a", !"x"}',
  'i32 1, !"a", !"x"}|i32 3, !"b", !{!"a", !"y"}',
  'i32 1, !"a", i32 1}|i32 3, !"b", !{!"c", i32 1}',
];
const INSTRUCTIONS: readonly string[] = [
  ...[
    '%r = load i32, ptr %p, !range !{i32 0, i32 5}',
    '%r = load i32, ptr %p, !range !{i32 0}',
    '%r = load i32, ptr %p, !range !{}',
    '%r = load i32, ptr %p, !range !{i32 0, i64 5}',
    '%r = load i32, ptr %p, !range !{i64 0, i64 5}',
    '%r = load i32, ptr %p, !range !{i32 5, i32 5}',
  ],
  ...[
    '%r = load i32, ptr %p, !range !{i32 0, i32 5, i32 4, i32 9}',
    '%r = load i32, ptr %p, !range !{i32 6, i32 9, i32 0, i32 5}',
    '%r = load i32, ptr %p, !range !{i32 0, i32 5, i32 5, i32 9}',
    '%r = load i32, ptr %p, !range !{i32 0, i32 5, i32 7, i32 9, i32 12, i32 0}',
  ],
  ...[
    '%r = load i32, ptr %p, !range !{i32 0, i32 5, i32 7, i32 9, i32 12, i32 3}',
    '%r = load i32, ptr %p, !range !{i32 0, i32 5, i32 7, i32 9, i32 12, i32 15}',
    '%r = load i32, ptr %p, !range !{i32 0, i32 5, i32 9, i32 0}',
    '%r = load i32, ptr %p, !range !{!"a", i32 5}',
    '%r = load i32, ptr %p, !range !{i32 0, !"a"}',
  ],
  ...[
    'store i32 0, ptr %p, !range !{i32 0, i32 5}',
    '%r = load ptr, ptr %p, !nonnull !{}',
    '%r = load ptr, ptr %p, !nonnull !{i32 0}',
    '%r = load i32, ptr %p, !nonnull !{}',
    '%r = load ptr, ptr %p, !align !{i64 8}',
    '%r = load ptr, ptr %p, !align !{i64 3}',
    '%r = load ptr, ptr %p, !align !{i32 8}',
  ],
  ...[
    '%r = load ptr, ptr %p, !align !{i64 4294967296}',
    '%r = load ptr, ptr %p, !align !{i64 8589934592}',
    '%r = load ptr, ptr %p, !align !{i64 0}',
    '%r = load i32, ptr %p, !align !{i64 8}',
    '%r = load ptr, ptr %p, !align !{}',
    '%r = load ptr, ptr %p, !dereferenceable !{i64 8}',
  ],
  ...[
    '%r = load ptr, ptr %p, !dereferenceable !{i32 8}',
    '%r = load ptr, ptr %p, !dereferenceable_or_null !{}',
    '%r = load i32, ptr %p, !dereferenceable !{i64 8}',
    '%r = inttoptr i64 %n to ptr, !dereferenceable !{i64 8}',
    '%r = getelementptr i8, ptr %p, i32 1, !dereferenceable !{i64 8}',
  ],
  ...[
    '%r = fadd float %x, %x, !fpmath !{float 2.5}',
    '%r = fadd float %x, %x, !fpmath !{double 2.5}',
    '%r = fadd float %x, %x, !fpmath !{}',
    '%r = fadd float %x, %x, !fpmath !{i32 1}',
    '%r = add i64 %n, %n, !fpmath !{float 2.5}',
    '%r = fadd float %x, %x, !fpmath !{float 0.0}',
  ],
  ...[
    '%r = load i32, ptr %p, !noalias !{!{!"s", !{!"d"}}}',
    '%r = load i32, ptr %p, !noalias !{!{!"s"}}',
    '%r = load i32, ptr %p, !noalias !{!"s"}',
    '%r = load i32, ptr %p, !noalias !{!{!"s", !{!"d"}, !"n"}}',
    '%r = load i32, ptr %p, !noalias !{!{!"s", !{!"d"}, i32 0}}',
  ],
  ...[
    '%r = load i32, ptr %p, !noalias !{!{i32 0, !{!"d"}}}',
    '%r = load i32, ptr %p, !alias.scope !{!{!"s", !"d"}}',
    '%r = load i32, ptr %p, !alias.scope !{!{!"s", !{}}}',
    '%r = load i32, ptr %p, !alias.scope !{!{!"s", !{i32 1}}}',
    '%r = load i32, ptr %p, !alias.scope !{!{!"s", !{!"d", i32 1}}}',
  ],
  ...[
    '%r = load i32, ptr %p, !alias.scope !{!{!"s", !{!"d", !"e", !"f"}}}',
    '%r = load i32, ptr %p, !noalias !{!{!"s", !{!"d"}, !"n", !"m"}}',
    '%r = add i64 %r, 1',
    '%r = load atomic i24, ptr %p monotonic, align 4',
    '%r = load atomic i4, ptr %p monotonic, align 4',
    '%r = load atomic <2 x i32>, ptr %p monotonic, align 8',
  ],
  ...[
    'store atomic { i32 } zeroinitializer, ptr %p monotonic, align 4',
    'store atomic float %x, ptr %p release, align 4',
    '%r = alloca i32',
    '%r = alloca i32, addrspace(5)',
    'call void @f(ptr %p, i64 %n, float %x)',
    'call amdgpu_kernel void @f(ptr %p, i64 %n, float %x)',
    'call void @e() speculatable',
  ],
  ...[
    'call void @e() speculatable willreturn',
    'call void @llvm.amdgcn.s.sleep(i32 1)',
    'call void @llvm.amdgcn.s.sleep(i32 %m)',
    'call i32 @llvm.amdgcn.readfirstlane.i32(i32 immarg 5)',
    'store ptr @llvm.amdgcn.s.sleep, ptr %p',
    'call void @e() builtin',
    '%r = phi i32 [ 0, %top ]',
    'br label %top',
  ],
];

const inModule = (i: string): string => {
  const declared = `declare void @llvm.amdgcn.s.sleep(i32 immarg)\ndeclare i32 @llvm.amdgcn.readfirstlane.i32(i32)\ndeclare void @e()\n`;
  return `${declared}define void @f(ptr %p, i64 %n, float %x, i32 %m) {\ntop:\n  ${i}\n  ret void\n}\n`
    .replace('  br label %top\n  ret void\n', '  br label %top\n')
    .replaceAll(/!(?=\{)/g, '!');
};

/** Metadata in braces stands in a node of its own. */
function withNodes(text: string): string {
  const nodes: string[] = [];
  let res = text;
  for (let m = /!\{[^{}]*\}/.exec(res); m !== null; m = /!\{[^{}]*\}/.exec(res)) {
    res = `${res.slice(0, m.index)}!${nodes.length}${res.slice(m.index + m[0].length)}`;
    nodes.push(m[0]);
  }
  return `${res}${nodes.map((n, i) => `!${i} = ${n}\n`).join('')}`;
}

const flagsText = (flags: readonly string[]): string =>
  `${withNodes(`${F}${flags.map((f, i) => `; ${i} !{${f}}\n`).join('')}`)}`.replaceAll(/^; \d+ (!\d+)$/gm, '; flag $1');

function moduleTexts(): string[] {
  const res: string[] = [];
  for (const a of FUNCTION_ATTRIBUTES)
    res.push(
      `define void @f(i32 %a, ptr %b) ${a} {\n  ret void\n}\n`,
      ...(a.includes('"') ? [] : [`${F}declare i32 @d(i64, i32) ${a}\n`]),
    );
  for (const p of PARAMETERS)
    res.push(
      `define void @f(${p} %a) {\n  ret void\n}\n`,
      `${F}declare ${p.replace(/^(\S+(?: addrspace\(\d\))?)(.*)$/, '$2 $1')} @d(i32)\n`,
      `${F}declare i32 @d(i32, ${p})\n`,
    );
  for (const p of PAIRS) res.push(`define i32 @f(${p}) {\n  ret i32 0\n}\n`);
  for (const c of CONVENTIONS)
    for (const [r, p] of SIGNATURES)
      res.push(`define ${c} ${r} @f(${p}) {\n  ret ${r}${r === 'void' ? '' : ' 0'}\n}\n`);
  for (const g of GLOBALS) res.push(`${g}\n@b = addrspace(1) global i32 0\n${F}`);
  for (const f of [...FLAGS.map((x) => [x]), ...FLAG_PAIRS.map((x) => x.split('}|'))]) {
    const text = flagsText(f);
    const refs = [...text.matchAll(/^; flag (!\d+)$/gm)].map((m) => m[1]);
    res.push(`${text.replaceAll(/^; flag.*\n/gm, '')}!llvm.module.flags = !{${refs.join(', ')}}\n`);
  }
  for (const i of INSTRUCTIONS) res.push(withNodes(inModule(i)));
  return res.map(around);
}

export const MODULE_TEXTS: Readonly<Record<string, () => string[]>> = { modules: moduleTexts };
