/**
 * Random functions of high register pressure for any processor, with what steers the stages of the scheduler: function attributes,
 * instruction groups, debug values between the instructions, calls with kill flags, inline assembly. The same seed gives the same text.
 */
import { Random } from './damageInputs.js';

export interface RandomPressureOptions {
  /** instructions, about */
  readonly size: number;
  /** attributes of the IR function, as written */
  readonly attributes?: string;
  /** percent of instructions that are inline assembly */
  readonly inlineAsm?: number;
  /** percent of instructions after which a debug value stands */
  readonly debugValues?: number;
  /** percent of instructions that are SCHED_GROUP_BARRIER */
  readonly groupBarriers?: number;
}

const DEBUG_INFO = `
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2}
  !reached = !{!3, !6}
  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.c", directory: "")
  !2 = !{i32 2, !"Debug Info Version", i32 3}
  !3 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 1, type: !5)
  !4 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
  !5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
  !6 = !DILocation(line: 2, scope: !4)
`;

/** Bits of an inline assembly: side effects, dialect, loads, stores. */
const ASM_BITS = [0, 1, 4, 8, 16, 9, 17, 25, 36];

/** A function f; every value is read, most of them late. */
export function randomPressure(seed: number, options: RandomPressureOptions): string {
  const random = new Random(seed);
  const lines: string[] = [];
  const values: string[] = [];
  let next = 10;
  const fresh = (): string => `%${next++}`;
  const recent = (): string => values[Math.max(0, values.length - 1 - random.below(random.chance(50) ? 4 : 60))];
  const target = options.size;
  lines.push('%0:vreg_64_align2 = COPY $vgpr0_vgpr1', '%1:vgpr_32 = COPY $vgpr2', '%2:sreg_32 = COPY $sgpr4');
  values.push('%1');
  while (lines.length < target) {
    const r = fresh();
    if (random.chance(options.groupBarriers ?? 0)) {
      const mask = random.pick([1, 2, 4, 16, 32, 64, 128, 256, 512]);
      lines.push(`SCHED_GROUP_BARRIER ${mask}, ${1 + random.below(4)}, ${random.below(2)}`);
      continue;
    }
    if (random.chance(options.inlineAsm ?? 0)) {
      const bits = random.pick(ASM_BITS);
      lines.push(`INLINEASM &"v_mov_b32 $0, $1", ${bits}, 1245194, def ${r}:vgpr_32, 1245193, ${recent()}`);
      values.push(r);
      continue;
    }
    switch (random.below(8)) {
      case 0:
      case 1:
      case 2:
        lines.push(
          `${r}:vgpr_32 = GLOBAL_LOAD_DWORD %0, ${4 * random.below(64)}, 0, implicit $exec :: (load (s32), addrspace 1)`,
        );
        values.push(r);
        break;
      case 3:
        lines.push(
          `GLOBAL_STORE_DWORD %0, ${recent()}, ${4 * random.below(64)}, 0, implicit $exec :: (store (s32), addrspace 1)`,
        );
        break;
      case 4:
        lines.push(`${r}:vgpr_32 = V_MUL_LO_U32_e64 ${recent()}, ${recent()}, implicit $exec`);
        values.push(r);
        break;
      case 5:
        lines.push(`${r}:vgpr_32 = V_AND_B32_e32 ${random.below(64)}, ${recent()}, implicit $exec`);
        values.push(r);
        break;
      default:
        lines.push(`${r}:vgpr_32 = V_XOR_B32_e32 ${recent()}, ${recent()}, implicit $exec`);
        values.push(r);
    }
    if (random.chance(options.debugValues ?? 0))
      lines.push(`DBG_VALUE ${recent()}, $noreg, !3, !DIExpression(), debug-location !6`);
  }
  // the end of a region, with a copy that only the boundary reads
  if (options.debugValues !== undefined)
    lines.push(`$vgpr31 = COPY ${recent()}`, `$vgpr30 = COPY ${recent()}`, 'SCHED_BARRIER 0, implicit killed $vgpr31');
  // all values at the end, a few at a time
  for (let k = 0; k < values.length; k += 3) {
    const parts = values.slice(k, k + 3);
    while (parts.length < 3) parts.push(values[random.below(values.length)]);
    const r = fresh();
    lines.push(`${r}:vgpr_32 = V_MAX3_I32_e64 ${parts.join(', ')}, implicit $exec`);
    lines.push(`GLOBAL_STORE_DWORD %0, ${r}, ${4 * (k % 500)}, 0, implicit $exec :: (store (s32), addrspace 1)`);
  }
  lines.push('S_ENDPGM 0');
  const subprogram = (options.debugValues ?? 0) > 0 ? ' !dbg !4' : '';
  return `--- |
  define amdgpu_kernel void @f() ${options.attributes ?? ''}${subprogram} { ret void }
${(options.debugValues ?? 0) > 0 ? DEBUG_INFO : ''}...
---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2, $sgpr4

${lines.map((l) => `    ${l}\n`).join('')}...
`;
}
