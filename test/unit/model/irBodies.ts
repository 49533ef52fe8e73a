/**
 * Functions over an IR module: header keys, body, and what llc-22 22.1.8 makes of it at -mtriple=amdgcn -mcpu=gfx900 -run-pass=none: the
 * printed body (without its indentation of two), `LINE:COLUMN: message` of the first error, or `OK` where the machine verifier stops it.
 */
export const IR_DOCUMENT = `--- |
  @g = addrspace(1) global i32 0
  @lds = internal addrspace(3) global [4 x i32] undef, align 16
  @"q r" = global i32 0
  @0 = global i32 1
  declare void @ext()
  define amdgpu_kernel void @f(ptr addrspace(1) %p, i32 %i, ptr addrspace(3) %0) {
  entry:
    %a = alloca i32, align 4, addrspace(5)
    %1 = load i32, ptr addrspace(1) %p
    br label %next
  next:
    br label %2
  2:
    br label %"e f"
  "e f":
    ret void
  }
  define void @h() {
    ret void
  }
  !0 = !{!"x"}
  !1 = distinct !{!1}
  !2 = !DILocation(line: 1, scope: !3)
  !3 = distinct !DISubprogram(name: "f")
  !4 = !{i32 0, i32 5}
  !named = !{!0, !1, !4}
...
`;

export const IR_BODIES: readonly (readonly [header: string, body: string, expected: string])[] = [
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, addrspace 1)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.i)\n    S_ENDPGM 0\n',
    '33:93: expected a pointer IR value',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.0)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.0, addrspace 3)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.1)\n    S_ENDPGM 0\n',
    '33:93: expected a pointer IR value',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.2)\n    S_ENDPGM 0\n',
    '33:93: expected a pointer IR value',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.9)\n    S_ENDPGM 0\n',
    "33:93: use of undefined IR value '%ir.9'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.entry)\n    S_ENDPGM 0\n',
    '33:93: expected a pointer IR value',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.a)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.a, addrspace 5)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir."p")\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from @g)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from @g, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from @lds + 4)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from @lds + 4, addrspace 3)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from @"q r")\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from @"q r")\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from @0)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from @0)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from @1)\n    S_ENDPGM 0\n',
    "33:93: use of undefined global value '@1'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from @ext)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from @ext)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p + 4, align 4)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p + 4, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p - 4)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p - 4, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p + 3)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p + 3, align 1, basealign 4, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from unknown-address)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32))\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from unknown-address + 4)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from unknown-address + 4)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from unknown-address, addrspace 3)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), addrspace 3)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), align 2)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), align 2)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), align 8)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), align 8)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), align 4, basealign 8)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), align 8)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p + 8, basealign 32)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p + 8, align 8, basealign 32, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s0) from %ir.p + 8)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s0) from %ir.p + 8, basealign 9223372036854775808, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s0) from %ir.p, align 4)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s0) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s96) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s96) from %ir.p, align 16, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s24) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s24) from %ir.p, align 4, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load unknown-size from %ir.p, align 4)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load unknown-size from %ir.p, align 4, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load unknown-size)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load unknown-size, align 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (<3 x s32>) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (<3 x s32>) from %ir.p, align 16, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (p1) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (p1) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load 3 from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s24) from %ir.p, align 4, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s1) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s1) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (volatile load (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (volatile load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (non-temporal load (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (non-temporal load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (dereferenceable invariant load (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (dereferenceable invariant load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (invariant dereferenceable volatile non-temporal load (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (volatile non-temporal dereferenceable invariant load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: ("amdgpu-noclobber" load (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: ("amdgpu-noclobber" load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: ("amdgpu-last-use" volatile load (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (volatile "amdgpu-last-use" load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (volatile "amdgpu-noclobber" load (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (volatile "amdgpu-noclobber" load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load monotonic (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load monotonic (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load syncscope("agent") seq_cst (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load syncscope("agent") seq_cst (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load syncscope("") seq_cst (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load seq_cst (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load syncscope("singlethread") acquire (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load syncscope("singlethread") acquire (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load seq_cst seq_cst (s32) from %ir.p)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load seq_cst seq_cst (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, !tbaa !0)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, !tbaa !0, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, !alias.scope !1, !noalias !1)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, !alias.scope !1, !noalias !1, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, !range !4)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, !range !2, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, !range !0)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, !range !0, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, !noalias.addrspace !4)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, !noalias.addrspace !2, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, !tbaa !9)\n    S_ENDPGM 0\n',
    "33:106: use of undefined metadata '!9'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from `ptr addrspace(3) @lds`)\n    S_ENDPGM 0\n',
    '33:110: expected a constant value',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from `ptr addrspace(1) @g`)\n    S_ENDPGM 0\n',
    '33:110: expected a constant value',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from `ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 4)`)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from `ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 4)`, addrspace 3)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from `ptr addrspace(4) undef`)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from `ptr addrspace(4) undef`, addrspace 4)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from `i32 addrspace(1)* undef`)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from `ptr addrspace(1) undef`, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from `ptr null`)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from `ptr null`)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from `ptr addrspace(1) @nope`)\n    S_ENDPGM 0\n',
    '33:110: expected a constant value',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from got)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from got, addrspace 4)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from jump-table)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from jump-table, addrspace 4)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from constant-pool)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from constant-pool, addrspace 4)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from stack)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from stack, addrspace 5)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from stack, addrspace 3)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from stack, addrspace 3)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from call-entry @ext)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from call-entry @ext, addrspace 4)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from call-entry &foo)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from call-entry &foo, addrspace 4)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from custom "x")\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from custom "GWSResource")\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %stack.0)\n    S_ENDPGM 0\n',
    "33:93: use of undefined stack object '%stack.0'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %fixed-stack.0)\n    S_ENDPGM 0\n',
    "33:93: use of undefined fixed stack object '%fixed-stack.0'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p), (load (s32) from @g)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, addrspace 1), (load (s32) from @g, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p)  ; comment\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p,)\n    S_ENDPGM 0\n',
    "33:99: expected 'align' or '!tbaa' or '!alias.scope' or '!noalias' or '!range' or '!noalias.addrspace'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p\n    S_ENDPGM 0\n',
    "33:98: expected ')'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) %ir.p)\n    S_ENDPGM 0\n',
    "33:88: expected ')'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: ( load ( s32 ) from %ir.p , align 4 )\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), align 4294967296)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), align 4294967296)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p + 99999999999999999999)\n    S_ENDPGM 0\n',
    '33:101: expected 64-bit integer (too large)',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p + x)\n    S_ENDPGM 0\n',
    "33:101: expected an integer literal after '+'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p align 4)\n    S_ENDPGM 0\n',
    "33:99: expected ')'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), addrspace 16777216)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), addrspace 16777216)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), addrspace -1)\n    S_ENDPGM 0\n',
    "33:99: expected an integer literal after 'addrspace'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), align 0)\n    S_ENDPGM 0\n',
    "33:96: expected a power-of-2 literal after 'align'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), basealign 0)\n    S_ENDPGM 0\n',
    "33:100: expected a power-of-2 literal after 'align'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), basealign 3)\n    S_ENDPGM 0\n',
    "33:100: expected a power-of-2 literal after 'align'",
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), align 4, align 8)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32), align 8)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load store (s32) on %ir.p)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (store load (s32))\n    S_ENDPGM 0\n',
    '33:83: expected an atomic scope, ordering or a size specification',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p + 0)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %ir.p, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s64) from %ir.p + 12)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s64) from %ir.p + 12, align 4, basealign 8, addrspace 1)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s128), align 4, basealign 16)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s128))\n  S_ENDPGM 0',
  ],
  [
    'fixedStack:\n  - { id: 0, size: 4, alignment: 4 }\nstack:\n  - { id: 0, size: 4, name: a, alignment: 4 }\n',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %stack.0)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %stack.0.a, addrspace 5)\n  S_ENDPGM 0',
  ],
  [
    'fixedStack:\n  - { id: 0, size: 4, alignment: 4 }\nstack:\n  - { id: 0, size: 4, name: a, alignment: 4 }\n',
    '  bb.0.entry:\n    $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %fixed-stack.0)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = GLOBAL_LOAD_DWORD undef $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from %fixed-stack.0, addrspace 5)\n  S_ENDPGM 0',
  ],
  [
    'fixedStack:\n  - { id: 2, size: 4, alignment: 4 }\n  - { id: 5, size: 8, alignment: 8 }\nstack:\n  - { id: 3, size: 4, name: a, alignment: 4 }\n  - { id: 1, size: 8 }\n',
    '  bb.0.entry:\n    $vgpr0 = V_MOV_B32_e32 %stack.3, implicit $exec\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = V_MOV_B32_e32 %stack.0.a, implicit $exec\n  S_ENDPGM 0',
  ],
  [
    'fixedStack:\n  - { id: 2, size: 4, alignment: 4 }\n  - { id: 5, size: 8, alignment: 8 }\nstack:\n  - { id: 3, size: 4, name: a, alignment: 4 }\n  - { id: 1, size: 8 }\n',
    '  bb.0.entry:\n    $vgpr0 = V_MOV_B32_e32 %stack.3.a, implicit $exec\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = V_MOV_B32_e32 %stack.0.a, implicit $exec\n  S_ENDPGM 0',
  ],
  [
    'fixedStack:\n  - { id: 2, size: 4, alignment: 4 }\n  - { id: 5, size: 8, alignment: 8 }\nstack:\n  - { id: 3, size: 4, name: a, alignment: 4 }\n  - { id: 1, size: 8 }\n',
    '  bb.0.entry:\n    $vgpr0 = V_MOV_B32_e32 %stack.3.b, implicit $exec\n    S_ENDPGM 0\n',
    "39:28: the name of the stack object '%stack.3' isn't 'b'",
  ],
  [
    'fixedStack:\n  - { id: 2, size: 4, alignment: 4 }\n  - { id: 5, size: 8, alignment: 8 }\nstack:\n  - { id: 3, size: 4, name: a, alignment: 4 }\n  - { id: 1, size: 8 }\n',
    '  bb.0.entry:\n    $vgpr0 = V_MOV_B32_e32 %stack.1.a, implicit $exec\n    S_ENDPGM 0\n',
    "39:28: the name of the stack object '%stack.1' isn't 'a'",
  ],
  [
    'fixedStack:\n  - { id: 2, size: 4, alignment: 4 }\n  - { id: 5, size: 8, alignment: 8 }\nstack:\n  - { id: 3, size: 4, name: a, alignment: 4 }\n  - { id: 1, size: 8 }\n',
    '  bb.0.entry:\n    $vgpr0 = V_MOV_B32_e32 %stack.1, implicit $exec\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = V_MOV_B32_e32 %stack.1, implicit $exec\n  S_ENDPGM 0',
  ],
  [
    'fixedStack:\n  - { id: 2, size: 4, alignment: 4 }\n  - { id: 5, size: 8, alignment: 8 }\nstack:\n  - { id: 3, size: 4, name: a, alignment: 4 }\n  - { id: 1, size: 8 }\n',
    '  bb.0.entry:\n    $vgpr0 = V_MOV_B32_e32 %stack.0, implicit $exec\n    S_ENDPGM 0\n',
    "39:28: use of undefined stack object '%stack.0'",
  ],
  [
    'fixedStack:\n  - { id: 2, size: 4, alignment: 4 }\n  - { id: 5, size: 8, alignment: 8 }\nstack:\n  - { id: 3, size: 4, name: a, alignment: 4 }\n  - { id: 1, size: 8 }\n',
    '  bb.0.entry:\n    $vgpr0 = V_MOV_B32_e32 %fixed-stack.2, implicit $exec\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = V_MOV_B32_e32 %fixed-stack.1, implicit $exec\n  S_ENDPGM 0',
  ],
  [
    'fixedStack:\n  - { id: 2, size: 4, alignment: 4 }\n  - { id: 5, size: 8, alignment: 8 }\nstack:\n  - { id: 3, size: 4, name: a, alignment: 4 }\n  - { id: 1, size: 8 }\n',
    '  bb.0.entry:\n    $vgpr0 = V_MOV_B32_e32 %fixed-stack.5, implicit $exec\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = V_MOV_B32_e32 %fixed-stack.0, implicit $exec\n  S_ENDPGM 0',
  ],
  [
    'fixedStack:\n  - { id: 2, size: 4, alignment: 4 }\n  - { id: 5, size: 8, alignment: 8 }\nstack:\n  - { id: 3, size: 4, name: a, alignment: 4 }\n  - { id: 1, size: 8 }\n',
    '  bb.0.entry:\n    $vgpr0 = V_MOV_B32_e32 %fixed-stack.0, implicit $exec\n    S_ENDPGM 0\n',
    "39:28: use of undefined fixed stack object '%fixed-stack.0'",
  ],
  [
    'fixedStack:\n  - { id: 2, size: 4, alignment: 4 }\n  - { id: 5, size: 8, alignment: 8 }\nstack:\n  - { id: 3, size: 4, name: a, alignment: 4 }\n  - { id: 1, size: 8 }\n',
    '  bb.0.entry:\n    $vgpr0 = V_MOV_B32_e32 %stack.3 + 4, implicit $exec\n    S_ENDPGM 0\n',
    "39:37: expected ',' before the next machine operand",
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, @g\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, @g + 4\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, @g - 4\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, @g + -4\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, @"q r"\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, @0\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, @9\n    S_ENDPGM 0\n',
    "41:23: use of undefined global value '@9'",
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, @ext\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, @nope\n    S_ENDPGM 0\n',
    "41:23: use of undefined global value '@nope'",
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, target-flags(amdgpu-rel32-lo) @g + 4\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, target-flags(amdgpu-gotprel) @ext\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, &foo\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, &"foo bar"\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, &foo + 8\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, &"a\\41"\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, %ir-block.next\n    S_ENDPGM 0\n',
    '41:23: expected a machine operand',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, !0\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  INLINEASM &"", 0 /* attdialect */, !0\n  S_ENDPGM 0',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, !1\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  INLINEASM &"", 0 /* attdialect */, !1\n  S_ENDPGM 0',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, !2\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  INLINEASM &"", 0 /* attdialect */, !DILocation(line: 1, scope: <0x>)\n  S_ENDPGM 0',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, !3\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  INLINEASM &"", 0 /* attdialect */, <0x>\n  S_ENDPGM 0',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, !9\n    S_ENDPGM 0\n',
    "41:23: use of undefined metadata '!9'",
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, !DIExpression(DW_OP_plus_uconst, 4)\n    S_ENDPGM 0\n',
    "42:5: expected ',' before the next machine operand",
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, !DIExpression(DW_OP_foo)\n    S_ENDPGM 0\n',
    "41:37: invalid DWARF op 'DW_OP_foo'",
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, blockaddress(@f, %ir-block.next)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, blockaddress(@f, %ir-block.2) + 4\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, blockaddress(@f, %ir-block."e f")\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, blockaddress(@h, %ir-block.0)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, blockaddress(@h, %ir-block.1)\n    S_ENDPGM 0\n',
    "41:40: use of undefined IR block '%ir-block.1'",
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, blockaddress(@ext, %ir-block.0)\n    S_ENDPGM 0\n',
    "41:42: use of undefined IR block '%ir-block.0'",
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, blockaddress(@g, %ir-block.0)\n    S_ENDPGM 0\n',
    '41:36: expected an IR function reference',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, <mcsymbol foo>\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, <mcsymbol "foo bar">\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, target-index(amdgpu-constdata-start)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, target-index(amdgpu-scratch-rsrc-dword3) - 8\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, %subreg.sub1\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, intpred(slt)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, floatpred(une)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, shufflemask(0, undef, 3)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, lanemask(0x0000000000000003)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, lanemask(12)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, dbg-instr-ref(1, 0)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, csr_amdgpu\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, csr_amdgpu_noregs\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, CustomRegMask($vgpr1,$sgpr3,$vgpr0)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, liveout($vgpr1, $sgpr3)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, i64 -1\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, i1 true\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, i1 false\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, i1 0\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, i8 200\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, i128 99999999999999999999999\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, half 0xH3C00\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, double 1.5\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, float 0x3FB99999A0000000\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, -1\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, 9223372036854775807\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, 18446744073709551615\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, -9223372036854775809\n    S_ENDPGM 0\n',
    '41:23: integer literal is too large to be an immediate operand',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, intrinsic(@llvm.amdgcn.workitem.id.x)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, intrinsic(@llvm.amdgcn.raw.buffer.load.f32)\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, intrinsic(@llvm.foo)\n    S_ENDPGM 0\n',
    '41:43: unknown intrinsic name',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, intrinsic(@foo)\n    S_ENDPGM 0\n',
    '41:38: unknown intrinsic name',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, %bb.0\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, %bb.0.entry\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, %bb.0.foo\n    S_ENDPGM 0\n',
    "41:23: the name of machine basic block #0 isn't 'foo'",
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, %const.0\n    S_ENDPGM 0\n',
    "41:23: use of undefined constant '%const.0'",
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, %jump-table.0\n    S_ENDPGM 0\n',
    "41:23: use of undefined jump table '%jump-table.0'",
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, %const.7 + 4\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    'constants:\n  - id: 7\n    value: i32 5\njumpTable:\n  kind: block-address\n  entries:\n    - id: 8\n      blocks: [ "%bb.0" ]\n',
    '  bb.0.entry:\n    INLINEASM &"", 0, %jump-table.8\n    S_ENDPGM 0\n',
    'OK',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, debug-location !2\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_NOP 0, debug-location !DILocation(line: 1, scope: <0x>)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, debug-location !0\n    S_ENDPGM 0\n',
    '33:31: referenced metadata is not a DILocation',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, debug-location !DILocation(line: 5, column: 3, scope: !3)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_NOP 0, debug-location !DILocation(line: 5, column: 3, scope: <0x>)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, debug-location !DILocation(line: 005, column: 03, scope: !3)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_NOP 0, debug-location !DILocation(line: 5, column: 3, scope: <0x>)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, debug-location !DILocation(line: 1, scope: !3)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_NOP 0, debug-location !DILocation(line: 1, scope: <0x>)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, debug-location !DILocation(line: 5, scope: !0)\n    S_ENDPGM 0\n',
    '33:59: expected DIScope node',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, debug-location !DILocation(line: 5, scope: !3, inlinedAt: !2, isImplicitCode: true)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_NOP 0, debug-location !DILocation(line: 5, scope: <0x>, inlinedAt: !DILocation(line: 1, scope: <0x>), isImplicitCode: true)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, debug-location !DILocation(line: 5, scope: !3, inlinedAt: !DILocation(line: 1, scope: !3))\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_NOP 0, debug-location !DILocation(line: 5, scope: <0x>, inlinedAt: !DILocation(line: 1, scope: <0x>))\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, pcsections !0\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_NOP 0, pcsections !0\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, heap-alloc-marker !0\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_NOP 0, heap-alloc-marker !0\n  S_ENDPGM 0',
  ],
  ['', '  bb.0.entry:\n    S_NOP 0, cfi-type 5\n    S_ENDPGM 0\n', 'bb.0.entry:\n  S_NOP 0, cfi-type 5\n  S_ENDPGM 0'],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, deactivation-symbol @ext\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_NOP 0, deactivation-symbol @ext\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, deactivation-symbol @nope\n    S_ENDPGM 0\n',
    "33:34: use of undefined global value '@nope'",
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, pre-instr-symbol <mcsymbol a>, post-instr-symbol <mcsymbol b>, debug-instr-number 3\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_NOP 0, pre-instr-symbol <mcsymbol a>, post-instr-symbol <mcsymbol b>, debug-instr-number 3\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, post-instr-symbol <mcsymbol b>, pre-instr-symbol <mcsymbol a>\n    S_ENDPGM 0\n',
    '33:63: expected a machine instruction',
  ],
  [
    '',
    '  bb.0.entry:\n    DBG_VALUE $vgpr0, $noreg, !0, !DIExpression(), debug-location !2\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  DBG_VALUE $vgpr0, $noreg, !0, !DIExpression(), debug-location !DILocation(line: 1, scope: <0x>)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    DBG_VALUE $vgpr0, 0, !0, !DIExpression()\n    S_ENDPGM 0\n',
    "34:5: expected ',' before the next machine operand",
  ],
  ['', '  bb.0.entry:\n    DBG_LABEL !0\n    S_ENDPGM 0\n', 'bb.0.entry:\n  DBG_LABEL !0\n  S_ENDPGM 0'],
  ['', '  bb.0.entry:\n    DBG_PHI $vgpr0, 1\n    S_ENDPGM 0\n', 'bb.0.entry:\n  DBG_PHI $vgpr0, 1\n  S_ENDPGM 0'],
  [
    '',
    '  bb.0.entry:\n    DBG_INSTR_REF !0, !DIExpression(), dbg-instr-ref(1, 0)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  DBG_INSTR_REF !0, !DIExpression(), dbg-instr-ref(1, 0)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    frame-setup nuw nsw exact S_NOP 0\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  frame-setup nuw nsw exact S_NOP 0\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    exact nuw frame-destroy S_NOP 0\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  frame-destroy nuw exact S_NOP 0\n  S_ENDPGM 0',
  ],
  ['', '  bb.0.entry:\n    S_NOP 0 /* c */\n    S_ENDPGM 0\n', 'bb.0.entry:\n  S_NOP 0\n  S_ENDPGM 0'],
  ['', '  bb.0.entry:\n    /* c */ S_NOP /* d */ 0\n    S_ENDPGM 0\n', 'bb.0.entry:\n  S_NOP 0\n  S_ENDPGM 0'],
  ['', '  bb.0.entry:\n    S_NOP 0;x\n    S_ENDPGM 0\n', 'bb.0.entry:\n  S_NOP 0\n  S_ENDPGM 0'],
  [
    '',
    '  bb.0.entry:\n    nofpexcept contract reassoc S_NOP 0\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  contract reassoc nofpexcept S_NOP 0\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    unpredictable nneg disjoint nusw samesign inbounds S_NOP 0\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  unpredictable nneg disjoint nusw samesign inbounds S_NOP 0\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = COPY renamable $vgpr1\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = COPY renamable $vgpr1\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    renamable $vgpr0 = COPY killed renamable $vgpr1\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  renamable $vgpr0 = COPY killed renamable $vgpr1\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = COPY internal $vgpr1\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = COPY internal $vgpr1\n  S_ENDPGM 0',
  ],
  ['', '  bb.0.entry:\n    $vgpr0 = COPY debug-use $vgpr1\n    S_ENDPGM 0\n', 'OK'],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0, implicit-def dead early-clobber renamable $vgpr0\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_NOP 0, implicit-def dead early-clobber renamable $vgpr0\n  S_ENDPGM 0',
  ],
  ['', '  bb.0.entry:\n    S_NOP 0, def $vgpr0\n    S_ENDPGM 0\n', 'OK'],
  [
    '',
    '  bb.0.entry:\n    INLINEASM &"", 1, 10, def $vgpr0, 2147483657, $vgpr0(tied-def 3)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  INLINEASM &"", 1 /* sideeffect attdialect */, 10 /* regdef */, def $vgpr0, 2147483657 /* reguse tiedto:$0 */, $vgpr0(tied-def 3)\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    INLINEASM &"", 1, 10, def $vgpr0, 2147483657, $vgpr0(tied-def 4)\n    S_ENDPGM 0\n',
    "33:51: use of invalid tied-def operand index '4'; the operand #4 isn't a defined register",
  ],
  [
    '',
    '  bb.0.entry:\n    INLINEASM &"", 1, 12, implicit-def early-clobber $vgpr0, 13, 5\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  INLINEASM &"", 1 /* sideeffect attdialect */, 12 /* clobber */, implicit-def early-clobber $vgpr0, 13 /* imm */, 5\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    %0:vgpr_32 = COPY $vgpr0\n    %1:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %0, %subreg.sub1\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  %0:vgpr_32 = COPY $vgpr0\n  %1:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %0, %subreg.sub1\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    %0:vgpr_32 = COPY $vgpr0\n    %1:vreg_64 = REG_SEQUENCE %0, 3, %0, 11\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  %0:vgpr_32 = COPY $vgpr0\n  %1:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %0, %subreg.sub1\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    undef %0.sub0:vreg_64 = COPY $vgpr0\n    $vgpr1 = COPY %0.sub0\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  undef %0.sub0:vreg_64 = COPY $vgpr0\n  $vgpr1 = COPY %0.sub0\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    %0:vgpr_32 = COPY $vgpr0\n    %1:vgpr_32 = COPY %0:vgpr_32\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  %0:vgpr_32 = COPY $vgpr0\n  %1:vgpr_32 = COPY %0\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    %a-b:vgpr_32 = COPY $vgpr0\n    %1:vgpr_32 = COPY %a-b\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  %a-b:vgpr_32 = COPY $vgpr0\n  %1:vgpr_32 = COPY %a-b\n  S_ENDPGM 0',
  ],
  ['', '  bb.0.entry:\n    %a$b:vgpr_32 = COPY $vgpr0\n    S_NOP 0, implicit %a$b.sub0\n    S_ENDPGM 0\n', 'OK'],
  [
    '',
    '  bb.0.entry:\n    %0:vgpr_32(s32) = COPY $vgpr0\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  %0:vgpr_32(s32) = COPY $vgpr0\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    %0:sgpr(s32) = COPY $sgpr0\n    %1:_(s32) = G_ADD %0, %0\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  %0:sgpr(s32) = COPY $sgpr0\n  %1:_(s32) = G_ADD %0, %0\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    %0:_(p1) = COPY $sgpr0_sgpr1\n    %1:_(s32) = G_LOAD %0(p1) :: (load (s32))\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  %0:_(p1) = COPY $sgpr0_sgpr1\n  %1:_(s32) = G_LOAD %0(p1) :: (load (s32))\n  S_ENDPGM 0',
  ],
  ['', '  bb.0.entry:\n    $vgpr0, $vgpr1 = S_NOP 0\n    S_ENDPGM 0\n', 'OK'],
  ['', '  bb.0.entry:\n    %4294967295:vgpr_32 = COPY $vgpr0\n    S_ENDPGM 0\n', 'OK'],
  [
    '',
    '  bb.0.entry:\n    %4294967296:vgpr_32 = COPY $vgpr0\n    S_ENDPGM 0\n',
    '33:5: expected 32-bit integer (too large)',
  ],
  [
    '',
    '  bb.0.entry:\n    %2147483648:vgpr_32 = COPY $vgpr0\n    $vgpr1 = COPY %2147483648\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  %0:vgpr_32 = COPY $vgpr0\n  $vgpr1 = COPY %0\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_SETREG_B32 killed $sgpr0, 5, implicit-def $mode, implicit $mode\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  S_SETREG_B32 killed $sgpr0, 5, implicit-def $mode, implicit $mode\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    BUNDLE implicit-def $vgpr0 {\n    $vgpr0 = V_MOV_B32_e32 0, implicit $exec\n    }\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  BUNDLE implicit-def $vgpr0 {\n    $vgpr0 = V_MOV_B32_e32 0, implicit $exec\n  }\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    $vgpr0 = V_MOV_B32_e32 0, implicit $exec {\n    $vgpr1 = V_MOV_B32_e32 0, implicit $exec\n    }\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  $vgpr0 = V_MOV_B32_e32 0, implicit $exec {\n    $vgpr1 = V_MOV_B32_e32 0, implicit $exec\n  }\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    BUNDLE { S_NOP 0\n    }\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  BUNDLE {\n    S_NOP 0\n  }\n  S_ENDPGM 0',
  ],
  ['', '  bb.0.entry:\n    BUNDLE {\n    }\n    S_ENDPGM 0\n', 'OK'],
  [
    '',
    '  bb.0.entry:\n    BUNDLE {\n    S_NOP 0 }\n    S_ENDPGM 0\n',
    "34:13: expected ',' before the next machine operand",
  ],
  [
    '',
    '  bb.0.entry:\n    BUNDLE {\n    BUNDLE {\n    }\n    }\n    S_ENDPGM 0\n',
    '34:12: nested instruction bundles are not allowed',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1.next:\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1.next:\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1.nope:\n    S_ENDPGM 0\n',
    "34:3: basic block 'nope' is not defined in the function 'f'",
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1 (%ir-block.next):\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1.next:\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1 (%ir-block.2):\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1 (%ir-block.2):\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1 (%ir-block.9):\n    S_ENDPGM 0\n',
    "34:9: use of undefined IR block '%ir-block.9'",
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1 (%ir-block."e f"):\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1.e f:\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1.next (%ir-block.2):\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1.next:\n  S_ENDPGM 0',
  ],
  ['', '  bb.0.entry:\n    S_NOP 0\n  bb.1 (ir-block-address-taken %ir-block.next):\n    S_ENDPGM 0\n', 'OK'],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1 (machine-block-address-taken, landing-pad, align 16):\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1 (machine-block-address-taken, landing-pad, align 16):\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1 (bbsections Cold):\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1 (bbsections Cold):\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1 (bbsections 3):\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1 (bbsections 3):\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1 (bbsections Exception):\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1 (bbsections Exception):\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1 (bb_id 5):\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1:\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1 (bb_id 5 2):\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1:\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1 (inlineasm-br-indirect-target, ehfunclet-entry, ehscope-entry):\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1 (inlineasm-br-indirect-target, ehfunclet-entry, ehscope-entry):\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.7:\n    successors: %bb.7\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1:\n  successors: %bb.1(0x80000000)\n\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1:\n    successors: %bb.0(5), %bb.1(0xffffffff)\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1:\n  successors: %bb.0(0x00000005), %bb.1(0x7ffffffb)\n\n  S_ENDPGM 0',
  ],
  ['', '  bb.0.entry:\n    S_NOP 0\n  bb.1:\n    successors: %bb.0, %bb.0\n    S_ENDPGM 0\n', 'OK'],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1:\n    liveins: $vgpr0:0x1, $sgpr0_sgpr1:15\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1:\n  liveins: $vgpr0:0x0000000000000001, $sgpr0_sgpr1:0x000000000000000F\n\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1:\n    liveins:\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1:\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1:\n    successors:\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1:\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1: S_NOP 1\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1:\n  S_NOP 1\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1:\n    liveins: $vgpr0\n    successors: %bb.1\n    liveins: $vgpr1\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1:\n  successors: %bb.1(0x80000000)\n  liveins: $vgpr0, $vgpr1\n\n  S_ENDPGM 0',
  ],
  ['', '  bb.0.entry:\n    S_NOP 0\n  bb.4294967296:\n    S_ENDPGM 0\n', '34:3: expected 32-bit integer (too large)'],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.1.:\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1:\n  S_ENDPGM 0',
  ],
  [
    '',
    '  bb.0.entry:\n    S_NOP 0\n  bb.01:\n    S_ENDPGM 0\n',
    'bb.0.entry:\n  successors: %bb.1(0x80000000)\n\n  S_NOP 0\n\nbb.1:\n  S_ENDPGM 0',
  ],
];
