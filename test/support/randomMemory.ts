/**
 * Random functions for the memory edges of the scheduler: loads and stores through pointers of an IR module of all sorts (arguments with
 * and without `noalias`, allocas, globals, offsets, choices, casts, metadata) and through stack slots and the other sources that are no IR
 * values. Accepted by llc-22 on gfx900. The same seed gives the same text.
 */

import { randomSource } from './random.js';

export const MEMORY_ARGS: readonly string[] = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx900'];

interface Pointer {
  /** without `%` or `@` */
  readonly name: string;
  readonly isGlobal: boolean;
  readonly space: number;
}

const GLOBAL = 1;
const LDS = 3;
const CONSTANT = 4;
const PRIVATE = 5;
const FLAT = 0;

const OTHER_SOURCES = [
  'stack',
  'got',
  'constant-pool',
  'jump-table',
  '%stack.0',
  '%stack.1',
  '%stack.2',
  '%fixed-stack.0',
  '%fixed-stack.1',
  '%fixed-stack.2',
  'call-entry &"foo"',
  'call-entry &"bar"',
  'custom "GWSResource"',
];

const STACK = `stack:
  - { id: 0, type: default, size: 16, alignment: 4 }
  - { id: 1, type: spill-slot, size: 4, alignment: 4 }
  - { id: 2, type: default, size: 4, alignment: 4 }
fixedStack:
  - { id: 0, type: default, offset: 0, size: 4, alignment: 4, isImmutable: true, isAliased: false }
  - { id: 1, type: default, offset: 8, size: 4, alignment: 4, isImmutable: false, isAliased: true }
  - { id: 2, type: spill-slot, offset: 16, size: 4, alignment: 4 }`;

const METADATA = `  !0 = !{!"root"}
  !1 = !{!"char", !0}
  !2 = !{!"int", !1}
  !3 = !{!"float", !1}
  !4 = !{!"pair", !2, i64 0, !3, i64 4}
  !5 = !{!2, !2, i64 0}
  !6 = !{!3, !3, i64 0}
  !7 = !{!1, !1, i64 0}
  !8 = !{!4, !2, i64 0}
  !9 = !{!4, !3, i64 4}
  !10 = distinct !{!10, !"domain"}
  !11 = distinct !{!11, !10, !"first"}
  !12 = distinct !{!12, !10, !"second"}
  !13 = !{!11}
  !14 = !{!12}
  !15 = !{!11, !12}`;

const TAGS = ['!tbaa !5', '!tbaa !6', '!tbaa !7', '!tbaa !8', '!tbaa !9'];
const SCOPES = ['!13', '!14', '!15'];

/** A kernel named f with a RUN line and `size` memory instructions. */
export function randomMemory(seed: number, size: number): string {
  const below = randomSource(seed + 1);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const oneIn = (n: number): boolean => below(n) === 0;

  const pointers: Pointer[] = [
    { name: 'g', isGlobal: true, space: GLOBAL },
    { name: 'h', isGlobal: true, space: GLOBAL },
    { name: 'alias', isGlobal: true, space: GLOBAL },
    { name: 'ext', isGlobal: true, space: GLOBAL },
    { name: 'lds', isGlobal: true, space: LDS },
    { name: 'lds2', isGlobal: true, space: LDS },
    { name: 'table', isGlobal: true, space: CONSTANT },
  ];
  const local = (name: string, space: number): string => {
    pointers.push({ name, isGlobal: false, space });
    return `%${name}`;
  };
  const attribute = (): string => pick(['', '', ' noalias', ' noalias', ' nocapture', ' readonly']);
  const pointerType = (space: number): string => (space === FLAT ? 'ptr' : `ptr addrspace(${space})`);
  const parameters = [0, 1, 2, 3].map((k) => `ptr addrspace(1)${attribute()} ${local(`a${k}`, GLOBAL)}`);
  parameters.push(`ptr addrspace(3)${attribute()} ${local('l0', LDS)}`, `ptr addrspace(3) ${local('l1', LDS)}`);
  parameters.push(`ptr${attribute()} ${local('flat', FLAT)}`, `ptr addrspace(4)${attribute()} ${local('c', CONSTANT)}`);
  parameters.push('i64 %n', 'i32 %m', 'i1 %b', 'i64 %bits');

  const ir: string[] = [];
  for (let k = 0; k < 3; k++)
    ir.push(`${local(`s${k}`, PRIVATE)} = alloca ${pick(['i32', '[4 x i32]', '{ i32, float, i64 }'])}, addrspace(5)`);
  const text = (p: Pointer): string => `${p.isGlobal ? '@' : '%'}${p.name}`;
  const nValues = 4 + below(10);
  for (let k = 0; k < nValues; k++) {
    const from = pick(pointers);
    const { space } = from;
    const type = pointerType(space);
    const name = `v${k}`;
    const inbounds = pick(['', 'inbounds ', 'inbounds ']);
    switch (below(9)) {
      case 0:
      case 1:
        ir.push(
          `${local(name, space)} = getelementptr ${inbounds}${pick(['i8', 'i32', 'i64'])}, ${type} ${text(from)}, i64 ${below(5)}`,
        );
        break;
      case 2:
        ir.push(
          `${local(name, space)} = getelementptr ${inbounds}i32, ${type} ${text(from)}, ${pick(['i64 %n', 'i32 %m', 'i64 %bits'])}`,
        );
        break;
      case 3:
        ir.push(
          `${local(name, space)} = getelementptr ${inbounds}%pair, ${type} ${text(from)}, i64 ${below(2)}, i32 ${below(2)}`,
        );
        break;
      case 4:
        ir.push(
          `${local(name, space)} = getelementptr ${inbounds}[4 x i32], ${type} ${text(from)}, i64 0, i64 ${pick(['%n', '1', '3'])}`,
        );
        break;
      case 5: {
        const other = pick(pointers.filter((p) => p.space === space));
        ir.push(
          `${local(name, space)} = select i1 %b, ${pointerType(space)} ${text(from)}, ${pointerType(space)} ${text(other)}`,
        );
        break;
      }
      case 6:
        if (space === FLAT || space === CONSTANT)
          ir.push(`${local(name, GLOBAL)} = inttoptr i64 %bits to ptr addrspace(1)`);
        else ir.push(`${local(name, FLAT)} = addrspacecast ${type} ${text(from)} to ptr`);
        break;
      case 7:
        ir.push(`${local(name, GLOBAL)} = load ptr addrspace(1), ${type} ${text(from)}, align 8`);
        break;
      default:
        ir.push(`${local(name, GLOBAL)} = call ${pick(['noalias ', ''])}ptr addrspace(1) @make()`);
    }
  }
  const joins = [0, 1].filter(() => oneIn(2)).map((k) => [`p${k}`, pick([GLOBAL, LDS])] as const);
  const phis = joins.map(([name, space]) => {
    const of = (): string => text(pick(pointers.filter((p) => p.space === space)));
    return `%${name} = phi ${pointerType(space)} [ ${of()}, %entry ], [ ${of()}, %other ]`;
  });
  for (const [name, space] of joins) local(name, space);

  const body: string[] = [];
  let next = 6;
  const bits = (): number => pick([8, 16, 32, 32, 32, 64, 128]);
  const memory = (what: 'load' | 'store'): { text: string; space: number } => {
    const flags = oneIn(150) ? 'volatile ' : oneIn(8) ? 'non-temporal ' : '';
    const invariant = what === 'load' && oneIn(6) ? pick(['invariant ', 'dereferenceable invariant ']) : '';
    const word = what === 'load' ? 'from' : 'into';
    const size = oneIn(15) ? 'unknown-size' : `(s${bits()})`;
    if (oneIn(25)) return { text: ` :: (${flags}${invariant}${what} (s32))`, space: GLOBAL };
    if (oneIn(5)) {
      const offset = oneIn(4) ? ` + ${4 * below(4)}` : '';
      const space = PRIVATE;
      return {
        text: ` :: (${flags}${invariant}${what} ${size} ${word} ${pick(OTHER_SOURCES)}${offset}, addrspace ${space})`,
        space,
      };
    }
    const one = (p: Pointer): string => {
      const offset = oneIn(3) ? ` + ${pick([4, 8, 12, 16])}` : '';
      const align = oneIn(4) ? `, align ${pick([1, 2, 4])}` : '';
      const tag = oneIn(3) ? `, ${pick(TAGS)}` : '';
      const scope = oneIn(5) ? `, !alias.scope ${pick(SCOPES)}` : '';
      const no = oneIn(5) ? `, !noalias ${pick(SCOPES)}` : '';
      const space = p.space === FLAT ? '' : `, addrspace ${p.space}`;
      const from = p.isGlobal ? `@${p.name}` : `%ir.${p.name}`;
      return `(${flags}${invariant}${what} ${size} ${word} ${from}${offset}${align}${tag}${scope}${no}${space})`;
    };
    const p = pick(pointers);
    const more = oneIn(12) ? `, ${one(pick(pointers))}` : '';
    return { text: ` :: ${one(p)}${more}`, space: p.space };
  };
  const wide = (): string => pick(['%1', '%2', '%3']);
  const narrow = (): string => pick(['%0', '%4']);
  const offset = (): number => pick([0, 0, 4, 8, 64]);
  for (let k = 0; k < size; k++) {
    const isLoad = oneIn(2);
    const m = memory(isLoad ? 'load' : 'store');
    const result = `%${next}:vgpr_32 = `;
    const value = narrow();
    const rsrc = '$sgpr0_sgpr1_sgpr2_sgpr3';
    if (isLoad) next++;
    switch (oneIn(10) ? pick([GLOBAL, LDS, PRIVATE, FLAT]) : m.space) {
      case LDS:
        body.push(
          isLoad
            ? `${result}DS_READ_B32_gfx9 ${narrow()}, ${offset()}, 0, implicit $exec${m.text}`
            : `DS_WRITE_B32_gfx9 ${narrow()}, ${value}, ${offset()}, 0, implicit $exec${m.text}`,
        );
        break;
      case PRIVATE:
        body.push(
          isLoad
            ? `${result}BUFFER_LOAD_DWORD_OFFEN ${narrow()}, ${rsrc}, 0, ${offset()}, 0, 0, implicit $exec${m.text}`
            : `BUFFER_STORE_DWORD_OFFEN ${value}, ${narrow()}, ${rsrc}, 0, ${offset()}, 0, 0, implicit $exec${m.text}`,
        );
        break;
      case FLAT:
        body.push(
          isLoad
            ? `${result}FLAT_LOAD_DWORD ${wide()}, ${offset()}, 0, implicit $exec, implicit $flat_scr${m.text}`
            : `FLAT_STORE_DWORD ${wide()}, ${value}, ${offset()}, 0, implicit $exec, implicit $flat_scr${m.text}`,
        );
        break;
      default:
        body.push(
          isLoad
            ? `${result}GLOBAL_LOAD_DWORD ${wide()}, ${offset()}, 0, implicit $exec${m.text}`
            : `GLOBAL_STORE_DWORD ${wide()}, ${value}, ${offset()}, 0, implicit $exec${m.text}`,
        );
    }
  }
  // The module keeps the metadata that its own instructions have; llc lists the rest in an order that changes from run to run.
  const uses = [...TAGS, ...SCOPES.map((scope) => `!noalias ${scope}`)].map(
    (metadata, k) => `%use${k} = load i32, ptr addrspace(1) @g, align 4, ${metadata}`,
  );
  const indent = (lines: readonly string[]): string => lines.map((l) => `    ${l}\n`).join('');
  return `# RUN: llc ${MEMORY_ARGS.join(' ')} -run-pass=machine-scheduler %s
--- |
  %pair = type { i32, float }
  @g = internal addrspace(1) global [16 x i32] zeroinitializer
  @h = addrspace(1) global i32 0
  @ext = external addrspace(1) global [4 x i32]
  @alias = alias i32, ptr addrspace(1) @h
  @lds = internal addrspace(3) global [16 x i32] undef
  @lds2 = internal addrspace(3) global i32 undef
  @table = internal addrspace(4) constant [4 x i32] zeroinitializer
  declare ptr addrspace(1) @make()
  define amdgpu_kernel void @f(${parameters.join(', ')}) {
  entry:
${indent(ir)}    br i1 %b, label %join, label %other
  other:
${indent(uses)}    br label %join
  join:
${indent(phis)}    ret void
  }
${METADATA}
...
---
name: f
tracksRegLiveness: true
${STACK}
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1_vgpr2, $vgpr3_vgpr4, $vgpr5_vgpr6, $vgpr7, $sgpr0_sgpr1_sgpr2_sgpr3
    %0:vgpr_32 = COPY $vgpr0
    %1:vreg_64 = COPY $vgpr1_vgpr2
    %2:vreg_64 = COPY $vgpr3_vgpr4
    %3:vreg_64 = COPY $vgpr5_vgpr6
    %4:vgpr_32 = COPY $vgpr7
    %5:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
${indent(body)}    S_ENDPGM 0
...
`;
}
