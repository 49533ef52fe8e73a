/**
 * Random functions of physical registers for `livedebugvalues`: debug values in registers and their parts, of numbers, lists of them, and code that
 * writes, copies, spills and clobbers these registers, in blocks with branches and loops.
 */
import { randomSource } from './random.js';
import type { AllocationCase } from './randomAllocation.js';
import { DEBUG_LOCATIONS, DEBUG_METADATA, DEBUG_VARIABLES } from './randomDebugValues.js';

const EXPRESSIONS = [
  '',
  '',
  '',
  'DW_OP_deref',
  'DW_OP_plus_uconst, 8',
  'DW_OP_LLVM_fragment, 0, 16',
  'DW_OP_LLVM_fragment, 16, 16',
  'DW_OP_LLVM_fragment, 8, 16',
  'DW_OP_LLVM_entry_value, 1',
  'DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef',
];

const PARAMETERS = `
  !40 = !DILocalVariable(name: "p", arg: 1, scope: !4, file: !1, line: 1, type: !7)
  !41 = !DILocalVariable(name: "q", arg: 2, scope: !4, file: !1, line: 1, type: !7)
`;

export function randomDebugPlaces(seed: number): AllocationCase {
  const below = randomSource(seed);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const cpu = pick(['gfx700', 'gfx803', 'gfx900', 'gfx90a', 'gfx1030', 'gfx1100', 'gfx1200']);
  const isKernel = below(3) === 0;
  const nBlocks = 1 + below(7);
  const nVectors = 3 + below(6);

  const vector = (): string => (below(9) === 0 ? `$vgpr${40 + below(3)}` : `$vgpr${below(nVectors)}`);
  const register = (): string => {
    switch (below(8)) {
      case 0: {
        const k = below(nVectors);
        return `$vgpr${k}_vgpr${k + 1}`;
      }
      case 1:
        return pick(['$sgpr4', '$sgpr5', '$sgpr4_sgpr5', '$sgpr32', '$sgpr33']);
      case 2:
        return cpu === 'gfx1100' ? `$vgpr${below(nVectors)}_lo16` : vector();
      default:
        return vector();
    }
  };
  const variable = (): readonly [string, string] => {
    if (below(4) === 0) return [pick(['!40', '!41']), '!20'];
    const [name, ...places] = pick(DEBUG_VARIABLES);
    return [name, pick(places)];
  };
  const place = (): string => {
    const kind = below(12);
    if (kind === 0) return '$noreg';
    return kind === 1 ? String(below(3)) : kind === 2 ? 'float 1.000000e+00' : register();
  };
  const debugValue = (): string => {
    const [name, location] = variable();
    if (below(5) === 0) {
      const n = 1 + below(3);
      const places = Array.from({ length: n }, () => place());
      const sum = places.map((_, k) => `DW_OP_LLVM_arg, ${k}${k > 0 ? ', DW_OP_plus' : ''}`).join(', ');
      return `DBG_VALUE_LIST ${name}, !DIExpression(${sum}, DW_OP_stack_value), ${places.join(', ')}, debug-location ${location}`;
    }
    const second = below(6) === 0 ? '0' : '$noreg';
    return `DBG_VALUE ${place()}, ${second}, ${name}, !DIExpression(${pick(EXPRESSIONS)}), debug-location ${location}`;
  };

  const located = (line: string): string =>
    below(4) === 0 ? line : `${line}, debug-location ${pick(DEBUG_LOCATIONS)}`;
  const slot = (): string => pick(['%stack.0', '%stack.0', '%stack.1', '%fixed-stack.0']);
  const killed = (): string => (below(3) > 0 ? 'killed ' : '');
  const store = (): string[] => {
    const [v, flag, into] = [vector(), killed(), slot()];
    const stored = `BUFFER_STORE_DWORD_OFFSET ${flag}${v}, $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec`;
    const lines = [`${located(stored)} :: (store (s32) into ${into}, addrspace 5)`];
    if (flag === '' && below(3) === 0) lines.push(located(`S_NOP 0, implicit killed ${v}`));
    return lines;
  };
  const instr = (): string[] => {
    const v = vector();
    switch (below(11)) {
      case 0:
        return [located(`${v} = V_MOV_B32_e32 ${below(9)}, implicit $exec`)];
      case 1:
        return [located(`S_NOP 0, implicit-def ${register()}`)];
      case 2:
        return [located(`${v} = COPY ${killed()}${vector()}`)];
      case 3:
      case 4:
        return store();
      case 5: {
        const load = `${v} = BUFFER_LOAD_DWORD_OFFSET $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec`;
        return [`${located(load)} :: (load (s32) from ${slot()}, addrspace 5)`];
      }
      case 6: {
        const mask = pick(['csr_amdgpu', 'csr_amdgpu_si_gfx', 'CustomRegMask($vgpr0,$vgpr2,$sgpr4)']);
        return [located(`$sgpr30_sgpr31 = SI_CALL undef $sgpr6_sgpr7, 0, ${mask}`)];
      }
      case 7: {
        const w = vector();
        return [
          `${located(`BUNDLE implicit-def ${v}, implicit-def ${w}, implicit $exec`)} {`,
          `  ${located(`${v} = V_MOV_B32_e32 1, implicit $exec`)}`,
          ...(below(3) === 0 ? [`  ${debugValue()}`] : []),
          ...(below(3) === 0 ? store().map((line) => `  ${line}`) : []),
          `  ${located(`${w} = V_MOV_B32_e32 2, implicit $exec`)}`,
          '}',
        ];
      }
      case 8:
        return [`${register()} = IMPLICIT_DEF${below(2) === 0 ? ` debug-location ${pick(DEBUG_LOCATIONS)}` : ''}`];
      default:
        return [debugValue()];
    }
  };

  const lines: string[] = [];
  for (let b = 0; b < nBlocks; b++) {
    const isLast = b + 1 === nBlocks;
    const other = below(nBlocks);
    const kind = below(4);
    const next = isLast ? '' : kind > 1 ? `%bb.${other}` : '';
    const successors = isLast ? [] : kind === 3 ? [`%bb.${other}`] : next === '' ? [] : [next, `%bb.${b + 1}`];
    lines.push(`  bb.${b}:`);
    if (successors.length > 0) lines.push(`    successors: ${[...new Set(successors)].join(', ')}`);
    for (let n = below(3); n > 0 && b === 0; n--) lines.push(`    ${debugValue()}`);
    for (let n = below(9); n > 0; n--) for (const line of instr()) lines.push(`    ${line}`);
    if (isLast) lines.push(`    ${located(isKernel ? 'S_ENDPGM 0' : 'S_SETPC_B64_return undef $sgpr30_sgpr31')}`);
    else if (kind === 3) lines.push(`    ${located(`S_BRANCH ${next}`)}`);
    else if (next !== '') lines.push(`    ${located(`S_CBRANCH_SCC0 ${next}, implicit undef $scc`)}`);
  }

  const saved = (reg: string): string => (below(2) === 0 ? `, callee-saved-register: '${reg}'` : '');
  const header = `name: f
tracksRegLiveness: false
frameInfo:
  stackSize: ${pick([0, 16])}
  maxAlignment: 4
  hasCalls: ${below(2) === 0}
  isCalleeSavedInfoValid: ${below(4) > 0}
stack:
  - { id: 0, type: spill-slot, offset: ${4 * below(5) - 8}, size: 4, alignment: 4${saved('$vgpr40')} }
  - { id: 1, type: default, offset: 0, size: 4, alignment: 4 }
  - { id: 2, type: spill-slot, offset: 12, size: 4, alignment: 4${saved('$vgpr1')} }
fixedStack:
  - { id: 0, type: spill-slot, offset: 16, size: 4, alignment: 4 }
machineFunctionInfo:
  isEntryFunction: ${isKernel}
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'
  frameOffsetReg: '$sgpr33'
  stackPtrOffsetReg: '$sgpr32'
body: |
`;
  const options = [
    ...(below(2) === 0 ? ['-debug-entry-values'] : []),
    ...(below(12) === 0 ? ['-livedebugvalues-input-bb-limit=3', '-livedebugvalues-input-dbg-value-limit=4'] : []),
  ];
  const ir = `--- |\n  define ${isKernel ? 'amdgpu_kernel ' : ''}void @f() !dbg !4 { ret void }\n${DEBUG_METADATA.replace('!keep = !{', '!keep = !{!40, !41, ')}${PARAMETERS}...\n`;
  return {
    args: ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-run-pass=livedebugvalues', ...options],
    text: `${ir}---\n${header}${lines.join('\n')}\n...\n`,
  };
}
