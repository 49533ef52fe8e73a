/**
 * Debug values, lists of them, labels and debug locations sprinkled over random functions for the register allocator: of values and their parts,
 * of constants and physical registers, direct and indirect, of variables of the function, of its blocks and of inlined functions.
 */
import { randomSource } from './random.js';
import { randomAllocation, type AllocationCase } from './randomAllocation.js';

export const DEBUG_METADATA = `
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2, !3}
  !keep = !{!12, !13, !14, !15, !16, !17, !20, !21, !22, !23, !24, !25, !26, !27, !30, !31}

  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.c", directory: "/")
  !2 = !{i32 2, !"Dwarf Version", i32 4}
  !3 = !{i32 2, !"Debug Info Version", i32 3}
  !4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, isLocal: false, isDefinition: true, unit: !0)
  !5 = !DISubroutineType(types: !6)
  !6 = !{null}
  !7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
  !8 = distinct !DILexicalBlock(scope: !4, file: !1, line: 2)
  !9 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 10, type: !5, isLocal: true, isDefinition: true, unit: !0)
  !10 = distinct !DILexicalBlock(scope: !9, file: !1, line: 11)
  !11 = !DILexicalBlockFile(scope: !10, file: !1, discriminator: 1)
  !12 = !DILocalVariable(name: "a", scope: !4, file: !1, line: 2, type: !7)
  !13 = !DILocalVariable(name: "b", scope: !8, file: !1, line: 3, type: !7)
  !14 = !DILocalVariable(name: "c", scope: !9, file: !1, line: 11, type: !7)
  !15 = !DILocalVariable(name: "d", scope: !10, file: !1, line: 12, type: !7)
  !16 = distinct !DILocation(line: 4, scope: !8)
  !17 = distinct !DILocation(line: 14, scope: !10, inlinedAt: !16)
  !20 = !DILocation(line: 5, scope: !4)
  !21 = !DILocation(line: 6, scope: !8)
  !22 = !DILocation(line: 11, scope: !9, inlinedAt: !16)
  !23 = !DILocation(line: 12, scope: !10, inlinedAt: !16)
  !24 = !DILocation(line: 11, scope: !9, inlinedAt: !17)
  !25 = !DILocation(line: 13, scope: !11, inlinedAt: !17)
  !26 = !DILocation(line: 13, scope: !11, inlinedAt: !16)
  !27 = !DILocation(line: 0, scope: !4)
  !30 = !DILabel(scope: !4, name: "l", file: !1, line: 7)
  !31 = !DILabel(scope: !9, name: "m", file: !1, line: 13)
`;

/** Variables with the locations that their values may have. */
export const DEBUG_VARIABLES = [
  ['!12', '!20'],
  ['!12', '!20'],
  ['!13', '!21'],
  ['!14', '!22', '!24'],
  ['!15', '!23', '!25'],
] as const;
export const DEBUG_LOCATIONS = ['!20', '!21', '!22', '!23', '!24', '!25', '!26', '!27'];
const EXPRESSIONS = ['', '', 'DW_OP_plus_uconst, 8', 'DW_OP_LLVM_fragment, 0, 16', 'DW_OP_deref, DW_OP_stack_value'];

/** A case of the allocator's generator with debug instructions; those of one seed are the same function. */
export function randomDebugValues(seed: number): AllocationCase {
  const { args, text } = randomAllocation(seed);
  const below = randomSource(seed + 5000);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const values = [...text.matchAll(/\{ id: (\d+), class: \w*?(?:_(\d+))?(?:_align2|_xm0_xexec)* \}/g)].map((m) => ({
    name: `%${m[1]}`,
    dwords: Math.max(1, Number(m[2] ?? 32) / 32),
  }));
  // With instruction references only lists name registers.
  const isByReference = below(8) === 0;

  const value = (): string => {
    const v = pick(values);
    return v.dwords === 1 || below(3) > 0 ? v.name : `${v.name}.sub${below(v.dwords)}`;
  };
  const location = (): string => {
    switch (below(9)) {
      case 0:
        return String(below(100));
      case 1:
        return '$noreg';
      case 2:
        return pick(['$vgpr4', '$vgpr6', '$sgpr5']);
      default:
        return isByReference ? String(below(100)) : value();
    }
  };
  const debugInstr = (): string => {
    const [variable, ...places] = pick(DEBUG_VARIABLES);
    const place = `debug-location ${pick(places)}`;
    switch (below(12)) {
      case 0:
        return pick(['DBG_LABEL !30, debug-location !20', 'DBG_LABEL !31, debug-location !22']);
      case 1:
      case 2: {
        const n = 1 + below(3);
        const locations = Array.from({ length: n }, () => (below(6) === 0 ? String(below(9)) : value()));
        const sum = locations.map((_, k) => `DW_OP_LLVM_arg, ${k}${k > 0 ? ', DW_OP_plus' : ''}`).join(', ');
        return `DBG_VALUE_LIST ${variable}, !DIExpression(${sum}, DW_OP_stack_value), ${locations.join(', ')}, ${place}`;
      }
      default: {
        if (isByReference && below(3) === 0)
          return `DBG_INSTR_REF ${variable}, !DIExpression(DW_OP_LLVM_arg, 0), dbg-instr-ref(1, 0), ${place}`;
        const second = below(5) === 0 ? '0' : '$noreg';
        return `DBG_VALUE ${location()}, ${second}, ${variable}, !DIExpression(${pick(EXPRESSIONS)}), ${place}`;
      }
    }
  };

  const lines: string[] = [];
  let isTerminated = false;
  for (const line of text.split('\n')) {
    if (/^ {2}bb\./.test(line)) isTerminated = false;
    const isInstr = /^ {4}[$%A-Z]/.test(line);
    isTerminated ||= /^ {4}(?:S_CBRANCH|S_BRANCH|S_ENDPGM|SI_RETURN)/.test(line);
    if (isInstr && !isTerminated)
      for (let n = below(4) === 0 ? 1 + below(2) : 0; n > 0; n--) lines.push(`    ${debugInstr()}`);
    lines.push(
      isInstr && !line.endsWith('SI_RETURN') && below(3) > 0
        ? `${line}, debug-location ${pick(DEBUG_LOCATIONS)}`
        : line,
    );
  }
  const convention = text.includes('isEntryFunction') ? 'amdgpu_kernel ' : '';
  const ir = `--- |\n  define ${convention}void @f() !dbg !4 { ret void }\n${DEBUG_METADATA}...\n`;
  const body = lines.join('\n');
  return {
    args,
    text:
      ir +
      (isByReference ? body.replace('tracksRegLiveness: true', 'tracksRegLiveness: true\ndebugInstrRef: true') : body),
  };
}
