/** Texts with a place for the line where something is completed, by the kind of place: what stands around decides what is proposed first. */

const run = (cpu: string, more = ''): string =>
  `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=none${more} -o - %s | FileCheck %s\n`;
const RUN = run('gfx900');

const BODY = `---
name:            f
tracksRegLiveness: true
stack:
  - { id: 0, size: 16, alignment: 4 }
body:             |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr4_sgpr5

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = COPY $sgpr4_sgpr5
    %2:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
HERE
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
    %9:vgpr_32 = V_MOV_B32_e32 0, implicit $exec

  bb.2:
    S_ENDPGM 0
...
`;
const SMALL = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
const MODULE = `--- |
  declare void @ext()
  define void @g() { ret void }
  define void @f(ptr %p) {
  entry:
    %x = load i32, ptr %p
    ret void
  }
...
`;

/**
 * Registers in each state: killed (%5), read last (%6), of another bank (%7), half written (%8, %17), without the paths (%9), just written (%10),
 * never written (%11, %16), written below (%12), with a type in the list (%20).
 */
const RICH = `--- |
  @lds = internal addrspace(3) global [64 x i32] poison
  define void @r(ptr addrspace(1) %p, i32 %n) {
    br label %out
  out:
    ret void
  }
...
---
name:            r
tracksRegLiveness: true
registers:
  - { id: 20, class: _ }
fixedStack:
  - { id: 0, size: 4, alignment: 4, offset: 0 }
stack:
  - { id: 0, size: 16, alignment: 4 }
constants:
  - id: 0
    value: 'i32 5'
    alignment: 4
body:             |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $vgpr1, $sgpr4_sgpr5, $sgpr6, $vgpr2_vgpr3

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:sreg_64 = COPY $sgpr4_sgpr5
    %3:sreg_32 = S_MOV_B32 7
    %4:vreg_128_align2 = REG_SEQUENCE %0, %subreg.sub0, %1, %subreg.sub1, %0, %subreg.sub2, %1, %subreg.sub3
    %5:vgpr_32 = V_ADD_U32_e32 %4.sub0, %0, implicit $exec
    %6:vgpr_32 = V_ADD_U32_e32 killed %5, %1, implicit $exec
    %7:agpr_32 = V_ACCVGPR_WRITE_B32_e64 %6, implicit $exec
    undef %8.sub1:vreg_64_align2 = V_MOV_B32_e32 9, implicit $exec
    undef %17.sub1:vreg_128_align2 = V_MOV_B32_e32 11, implicit $exec
    $m0 = S_MOV_B32 -1
    $vgpr4 = COPY %6
    S_CMP_EQ_U32 %3, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc

  bb.1:
    liveins: $vgpr1
    %9:vgpr_32 = V_MOV_B32_e32 1, implicit $exec

  bb.2.out:
    successors: %bb.3
    liveins: $vgpr1
    %10:vgpr_32 = V_SUB_U32_e32 %6, undef %11:vgpr_32, implicit $exec
HERE
    %12:vgpr_32 = V_ADD_U32_e32 %0, %8.sub0, implicit $exec
    GLOBAL_STORE_DWORD undef %16:vreg_64_align2, %12, 4, 0, implicit $exec :: (store (s32) into %ir.p, addrspace 1)
    $vgpr7 = COPY $vgpr1

  bb.3:
    liveins: $vgpr7
    S_ENDPGM 0, implicit %10, implicit $vgpr7
...
`;

const BANKS = `---
name:            g
legalized:       true
regBankSelected: true
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4_sgpr5

    %0:vgpr(s32) = COPY $vgpr0
    %1:sgpr(p4) = COPY $sgpr4_sgpr5
    %2:sgpr(s32) = G_CONSTANT i32 5
    %3:vgpr(s64) = G_ZEXT %0
    %4:vgpr(<2 x s16>) = G_IMPLICIT_DEF
    %5:vcc(s1) = G_ICMP intpred(ult), %0, %2
    %6:vgpr(p1) = G_IMPLICIT_DEF
HERE
    G_BR %bb.1

  bb.1:
    S_ENDPGM 0
...
`;

const FOREIGN = `# RUN: llc -mtriple=x86_64-- -run-pass=none -o - %s | FileCheck %s
--- |
  define void @f(ptr %p) {
    ret void
  }
...
---
name:            f
KEYS
stack:
  - { id: 0, size: 16, alignment: 4 }
body:             |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $edi

    %0:gr32 = COPY $edi
    %1:gr32 = MOV32ri 7
HERE
    JCC_1 %bb.2, 4, implicit $eflags

  bb.1:
    %3:gr32 = ADD32rr %0, %2, implicit-def $eflags

  bb.2:
    RET64
...
`;

const inBody = (line: string): string => RUN + BODY.replace('HERE', () => line);
const inRich =
  (cpu: string): ((line: string) => string) =>
  (line) =>
    run(cpu) + RICH.replace('HERE', () => line);

/** The text around the lines of each file of `test/fixtures/completion`. */
export const AROUND: Readonly<Record<string, (line: string) => string>> = {
  memory: inBody,
  words: inBody,
  generic: inBody,
  loose: inBody,
  operands: inBody,
  definitions: inBody,
  registers: inRich('gfx90a'),
  wave32: inRich('gfx1030'),
  opcodes: inRich('gfx90a'),
  banks: (line) => RUN + BANKS.replace('HERE', () => line),
  foreign: (line) => FOREIGN.replace('KEYS', 'tracksRegLiveness: true').replace('HERE', () => line),
  foreignHeader: (line) => FOREIGN.replace('HERE\n', '').replace('KEYS', () => line),
  header: (line) =>
    `${RUN}${MODULE}---\nname:            f\n${line}\nbody:             |\n  bb.0:\n    %1:vgpr_32 = COPY $vgpr0\n    S_ENDPGM 0\n...\n`,
  names: (line) => `${RUN}${MODULE}${SMALL}${SMALL.replace('name: f', `name: ${line}`)}`,
  run: (line) => `# RUN: ${line}\n${SMALL}`,
  check: (line) =>
    `# RUN: llc %s | FileCheck -check-prefixes=GCN,GFX9 %s\n# RUN: llc %s | FileCheck %s --check-prefix=TWO\n` +
    `# GCN-LABEL: name: f\n# GCN: [[X:%[0-9]+]]:vgpr_32 [[#N:]]\n${line}\n${SMALL}`,
  file: (line) => line.replace('FN\n', SMALL),
  ir: (line) =>
    `${RUN}--- |\n  define void @f(ptr addrspace(1) %p) #0 {\n  entry:\n    %x = load i32, ptr addrspace(1) %p\n    %y = add i32 %x, 1\n${line}\n` +
    `    br label %out\n  out:\n    ret void\n  }\n  declare i32 @h(i32)\n  attributes #0 = { nounwind }\n  attributes #1 = { cold }\n...\n${SMALL}`,
  attributes: (line) => `${RUN}--- |\n  define void @f() { ret void }\n  attributes #0 = { ${line} }\n...\n${SMALL}`,
};
