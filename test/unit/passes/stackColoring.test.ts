/** stack-coloring, as llc-22: stack objects with markers of their lifetimes, in instructions and in the embedded module. */
import assert from 'node:assert/strict';
import { Random } from '../../support/damageInputs.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { runLlcOnText } from '../../support/schedule.js';
import { runsOr, seedOr } from '../../support/switches.js';

const ARGS = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=stack-coloring'];

/** A function whose blocks open and close lifetimes of objects and name them in between, or not. */
function randomFunction(random: Random): string {
  const n = 2 + random.below(5);
  const isNamed = random.chance(90);
  const sizes = Array.from({ length: n }, () => random.pick([4, 8, 16, 32, 32, 64]));
  const aligns = sizes.map(() => random.pick([4, 8, 16]));
  const order = [...sizes.keys()].sort(() => random.below(3) - 1);
  const slot = (): number => random.below(n);
  const pointer = (): string =>
    random.pick([`%ir.a${slot()}`, `%ir.g${slot()}`, `%ir.s`, '%ir.p', '%ir.q', '@x', `%stack.${slot()}`, 'stack']);
  const info = (): string =>
    random.pick(['', '', ', !tbaa !0', ', !alias.scope !3', ', !noalias !3, !tbaa !0', ', !noalias.addrspace !6']);
  const access = (): string => `(store (s32) into ${pointer()}${info()}, addrspace 5)`;
  const instr = (s = slot()): string => {
    return random.pick([
      ...Array.from({ length: 3 }, () => `LIFETIME_START %stack.${s}`),
      ...Array.from({ length: 3 }, () => `LIFETIME_END %stack.${s}`),
      `$vgpr1 = V_MOV_B32_e32 %stack.${s}, implicit $exec`,
      `BUFFER_STORE_DWORD_OFFEN undef $vgpr2, %stack.${s}, undef $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec :: ${[access(), ...(random.chance(30) ? [access()] : [])].join(', ')}`,
      `BUFFER_STORE_DWORD_OFFSET undef $vgpr2, undef $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec :: ${access()}`,
      `DBG_VALUE %stack.${s}, $noreg`,
      `DBG_VALUE $vgpr1, $noreg`,
    ]);
  };
  /** The use of one object, within its lifetime as a rule. */
  const lifetime = (): string[] => {
    const s = slot();
    const uses = Array.from({ length: random.below(3) }, () => instr(s)).filter((line) => !line.startsWith('LIFETIME'));
    return [`LIFETIME_START %stack.${s}`, ...uses, ...(random.chance(90) ? [`LIFETIME_END %stack.${s}`] : [])];
  };
  const isTidy = random.chance(70);
  const nBlocks = 1 + random.below(5);
  const blocks = Array.from({ length: nBlocks }, (_, b) => {
    const other = nBlocks > 1 && random.chance(60) ? 1 + random.below(nBlocks - 1) : -1;
    const next = b + 1 < nBlocks ? [b + 1] : [];
    const targets = [...new Set([...next, ...(other >= 0 ? [other] : [])])];
    const successors = targets.length > 0 ? [`    successors: ${targets.map((t) => `%bb.${t}`).join(', ')}`] : [];
    const lines = Array.from({ length: random.below(isTidy ? 6 : 9) }, () => (isTidy ? lifetime() : [instr()]));
    const code = lines.flat().map((line) => `    ${line}`);
    const branch = other >= 0 ? [`    S_CBRANCH_SCC1 %bb.${other}, implicit undef $scc`] : [];
    return [`  bb.${b}:`, ...successors, ...code, ...branch, ...(next.length > 0 ? [] : ['    S_ENDPGM 0'])].join('\n');
  });
  const allocas = order.map((k) => `    %a${k} = alloca [${sizes[k]!} x i8], align ${aligns[k]!}, addrspace(5)`);
  const geps = order.map((k) => `    %g${k} = getelementptr i8, ptr addrspace(5) %a${order[0]!}, i32 ${k}`);
  return `--- |
  @x = internal addrspace(5) global i32 poison
  define void @f(ptr addrspace(5) %p, ptr addrspace(5) noalias %q, i1 %c) ${random.chance(5) ? 'noinline optnone ' : ''}{
${allocas.join('\n')}
${geps.join('\n')}
    %s = select i1 %c, ptr addrspace(5) %a0, ptr addrspace(5) %q
    store i32 0, ptr addrspace(5) %a${slot()}, !tbaa !0, !alias.scope !3, !noalias.addrspace !6
    ret void
  }
  !0 = !{!1, !1, i64 0}
  !1 = !{!"int", !2}
  !2 = !{!"root"}
  !3 = !{!4}
  !4 = distinct !{!4, !5}
  !5 = distinct !{!5}
  !6 = !{i32 5, i32 6}
...
---
name: f
stack:
${sizes.map((size, k) => `  - { id: ${k}, ${isNamed ? `name: a${k}, ` : ''}size: ${size}, alignment: ${aligns[k]!}${random.chance(5) ? ', stack-id: sgpr-spill' : ''} }`).join('\n')}
body: |
${blocks.join('\n')}
...
`;
}

const OPTIONS = [
  [],
  [],
  ['-no-stack-coloring'],
  ['-protect-from-escaped-allocas'],
  ['-stackcoloring-lifetime-start-on-first-use=0'],
] as const;

const DEBUG_VARIABLES = `--- |
  define void @f() !dbg !4 {
    %a = alloca [32 x i8], align 4, addrspace(5)
    %b = alloca [64 x i8], align 8, addrspace(5)
    call void @llvm.lifetime.start.p5(ptr addrspace(5) %a)
      #dbg_declare(ptr addrspace(5) %a, !7, !DIExpression(), !8)
      #dbg_value(ptr addrspace(5) %b, !9, !DIExpression(), !8)
    ret void, !dbg !8
  }
  declare void @llvm.lifetime.start.p5(ptr addrspace(5))
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2}
  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.c", directory: "/")
  !2 = !{i32 2, !"Debug Info Version", i32 3}
  !3 = !DISubroutineType(types: !{})
  !4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
  !5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
  !7 = !DILocalVariable(name: "a", scope: !4, file: !1, line: 2, type: !5)
  !8 = !DILocation(line: 2, scope: !4)
  !9 = !DILocalVariable(name: "b", scope: !4, file: !1, line: 3, type: !5)
...
---
name: f
stack:
  - { id: 0, name: a, size: 32, alignment: 4, debug-info-variable: '!7', debug-info-expression: '!DIExpression()', debug-info-location: '!8' }
  - { id: 1, name: b, size: 64, alignment: 8 }
body: |
  bb.0:
    LIFETIME_START %stack.0
    $vgpr1 = V_MOV_B32_e32 %stack.0, implicit $exec
    LIFETIME_END %stack.0
    LIFETIME_START %stack.1
    $vgpr1 = V_MOV_B32_e32 %stack.1, implicit $exec
    DBG_VALUE %stack.0, 0, !9, !DIExpression(), debug-location !8
    LIFETIME_END %stack.1
    S_ENDPGM 0
...
`;

describe('stack-coloring', () => {
  it('moves variables of debug info, and takes them from allocas', function () {
    needsLlc(this);
    const variable =
      "name: b, debug-info-variable: '!9', debug-info-expression: '!DIExpression()', debug-info-location: '!8'";
    for (const text of [DEBUG_VARIABLES, DEBUG_VARIABLES.replace('name: b', variable)])
      assert.equal(runLlcJob({ name: 'debug', text, args: [...ARGS, '-simplify-mir'] }).differs, null);
  });

  it('merges as llc, in random functions', function () {
    needsLlc(this);
    const n = runsOr(40);
    this.timeout(n * 2000 + 60_000);
    const random = new Random(seedOr(1));
    let nMerged = 0;
    for (let k = 0; k < n; k++) {
      const text = randomFunction(random);
      const args = [...ARGS, ...random.pick(OPTIONS), '-simplify-mir'];
      const ours = runLlcOnText([...args, '-o', '-'], text);
      if (ours.stderr.includes('llc-22 crashes here')) {
        assert.notEqual(runLlc([...args, '-x', 'mir', '-o', '-'], text).status, 0);
        continue;
      }
      const { differs, llc } = runLlcJob({ name: String(k), text, args });
      assert.equal(differs, null, `${args.join(' ')}\n${text}`);
      if (/id: \d/.exec(llc.stdout) !== null && llc.stdout.split('{ id:').length < text.split('{ id:').length)
        nMerged++;
    }
    assert.ok(nMerged > n / 8, `slots are merged in ${nMerged} of ${n} functions`);
  });
});
