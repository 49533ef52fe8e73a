/** What each circumstance counts for an operand that is proposed, apart from its registers: constants, blocks, objects, what the opcode takes. */
import assert from 'node:assert/strict';
import type { Candidate } from '../../../../../server/src/features/completion/candidate.js';
import type { FunctionScope } from '../../../../../server/src/features/completion/functionScope.js';
import { readInstrLine } from '../../../../../server/src/features/completion/instrLine.js';
import {
  blocks,
  classes,
  defCandidates,
  globals,
  operandCandidates,
  stackObjects,
} from '../../../../../server/src/features/completion/operandItems.js';
import { cost, distances, pointScope, points } from '../../../../support/completionPoints.js';

const HEAD = `--- |
  @lds = internal addrspace(3) global i32 poison
  @"a b" = external global i32
  declare i32 @llvm.amdgcn.workitem.id.x()
  declare i32 @llvm.smax.i32(i32, i32)
  define void @f(ptr %p) {
    ret void
  }
  !0 = !{}
  !7 = !{}
...
`;
const FUNCTION = `---
name: f
tracksRegLiveness: true
fixedStack:
  - { id: 0, size: 4, alignment: 4, offset: 0 }
stack:
  - { id: 0, size: 16, alignment: 4 }
  - { id: 3, size: 16, alignment: 4 }
constants:
  - { id: 2, value: 'i32 5', alignment: 4 }
jumpTable:
  kind: inline
  entries:
    - { id: 1, blocks: [] }
body: |
`;

/** Items at `¦` in a list of lines of the first block. */
function itemsAt(
  lines: readonly string[],
  of: 'operands' | 'defs' | 'classes',
  header = '',
): { scope: FunctionScope; items: readonly Candidate[] } {
  const { scope, cursor } = pointScope(
    `${HEAD}${FUNCTION.replace('body:', `${header}body:`)}  bb.0:\n${lines.map((l) => `    ${l}\n`).join('')}    S_ENDPGM 0\n...\n`,
  );
  const { snapshot, lineStart, lineEnd } = scope;
  const line = readInstrLine(snapshot.text.text, lineStart, lineEnd, cursor);
  const st = scope.fn?.subtarget ?? snapshot.subtarget;
  const typed = line.text.slice(line.wordStart, cursor);
  if (of === 'operands') return { scope, items: operandCandidates(line, scope, st, typed) };
  return { scope, items: of === 'defs' ? defCandidates(line, scope, st, typed) : classes(st, scope, line) };
}

const best = (items: readonly Candidate[]): Candidate[] =>
  [...items].sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1));

const REGISTER = /[$]|^(?:undef )?%(?!(?:bb|stack|fixed-stack|const|jump-table|subreg)\.)[\w-]+(?:\.\w+)?$/;

/** `label points` of those that are no registers, best first. */
const others = (lines: readonly string[]): string =>
  best(itemsAt(lines, 'operands').items.filter((c) => !REGISTER.test(c.label)))
    .map((c) => `${c.label} ${points(c.score)}`)
    .join(', ');

const STACK = '%stack.0 26, %stack.3 26, %fixed-stack.0 25.9, %const.2 25.8, %jump-table.1 25.7';
const WORDS =
  'dead -60, early-clobber -60, implicit -60, implicit-def -60, internal -60, killed -60, renamable -60, target-flags -60, undef -60';
const INTS = 'i32 0 30, i32 1 29, i32 -1 28, i32 2 27, i32 4 26, i32 8 25, i32 16 24, i32 32 23';
const INT_PREDICATES = 'eq 20, ne 19, sgt 18, sge 17, slt 16, sle 15, ugt 14, uge 13, ult 12, ule 11'.replaceAll(
  /(\w+) /g,
  (word, name) => (/^\d/.test(name) ? word : `intpred(${name}) `),
);

describe('what counts for an operand that is no register', () => {
  const CASES: readonly (readonly [lines: readonly string[], list: string])[] = [
    // Numbers: nought, minus one, one; what the operand is elsewhere 30, and up to 40 by its share; above by name 38, the next of a series 52.
    [['S_NOP ¦'], '0 40, -1 32, 1 24'],
    [['S_NOP 5', 'S_NOP ¦'], '5 70, 0 40, 5 38, -1 32, 1 24'],
    [['S_NOP ¦', 'S_NOP 5'], '5 70, 0 40, -1 32, 1 24'],
    [['S_NOP 5', 'S_NOP 7', 'S_NOP ¦'], '9 52, 5 50, 7 50, 0 40, 7 38, 5 37, -1 32, 1 24'],
    [['S_NOP 7', 'S_NOP 5', 'S_NOP ¦'], '3 52, 5 50, 7 50, 0 40, 5 38, 7 37, -1 32, 1 24'],
    [['S_NOP 5', 'S_NOP 5', 'S_NOP ¦'], '5 70, 0 40, 5 38, 5 37, -1 32, 1 24'],
    [
      ['S_NOP 5', 'S_NOP 5', 'S_NOP 5', 'S_NOP 6', 'S_NOP ¦'],
      '5 60, 7 52, 0 40, 6 40, 6 38, 5 37, 5 36, 5 35, -1 32, 1 24',
    ],
    // Those of other opcodes under the same name are no series.
    [['S_SLEEP 4', 'S_NOP ¦'], '0 40, 4 38, -1 32, 1 24'],
    [['S_SLEEP 4', 'S_NOP 6', 'S_NOP ¦'], '6 70, 0 40, 6 38, 4 37, -1 32, 1 24'],
    [['S_BARRIER', 'S_NOP ¦'], '0 40, -1 32, 1 24'],
    // In place of a register they count by how seldom one stands there.
    [['%3:vgpr_32 = V_ADD_U32_e32 ¦'], `0 45, -1 37, 1 29, ${STACK}`],
    [
      ['%1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec', '%3:vgpr_32 = V_ADD_U32_e32 ¦'],
      `0 37.5, -1 29.5, ${STACK}, 1 21.5`,
    ],
    [
      ['%1:vgpr_32 = V_ADD_U32_e32 3, %0, implicit $exec', '%3:vgpr_32 = V_ADD_U32_e32 ¦'],
      `3 70, 0 52.5, -1 44.5, 1 36.5, ${STACK}`,
    ],
    [
      [
        '%1:vgpr_32 = V_ADD_U32_e32 3, %0, implicit $exec',
        '%2:vgpr_32 = V_ADD_U32_e32 %1, %0, implicit $exec',
        '%3:vgpr_32 = V_ADD_U32_e32 ¦',
      ],
      // One of two is this number.
      `3 50, 0 45, -1 37, 1 29, ${STACK}`,
    ],
    [['%3:vgpr_32 = V_ADD_U32_e32 %0, ¦'], STACK],
    [['%3:vgpr_32 = V_ADD_U32_e32 %0, k¦'], `${STACK}, ${WORDS}`],
    [['%3:vgpr_32 = V_ADD_U32_e32 %0, killed ¦'], STACK],
    [['%3:vgpr_32 = V_ADD_U32_e32 %0, killed k¦'], STACK],
    [['%3:vgpr_32 = V_ADD_U32_e32 %0, undef ¦'], ''],
    [['S_NOP 0, implicit ¦'], ''],
    [['S_NOP 0, implicit-def ¦'], ''],
    [['S_NOP k¦'], `0 40, -1 32, 1 24, ${WORDS}`],
    [['S_NOP 7¦'], '0 40, -1 32, 1 24'],
    [['S_NOP -¦'], '0 40, -1 32, 1 24'],
    [['S_NOP %¦'], '0 40, -1 32, 1 24'],
    // Moves of constants go on with those above.
    [['%3:vgpr_32 = V_MOV_B32_e32 ¦'], `0 96, -1 88, 1 80, ${STACK}`],
    [
      ['%1:vgpr_32 = V_MOV_B32_e32 7, implicit $exec', '%3:vgpr_32 = V_MOV_B32_e32 ¦'],
      `0 96, 7 91, -1 88, 1 80, 7 70, ${STACK}`,
    ],
    [
      ['%1:sreg_32 = S_MOV_B32 7', '%2:sreg_32 = S_MOV_B32 10', '%3:vgpr_32 = V_MOV_B32_e32 ¦'],
      `0 96, 13 93.5, 10 91, 7 90, -1 88, 1 80, ${STACK}`,
    ],
    [
      ['%1:sreg_32 = S_MOV_B32 7', '%2:sreg_32 = COPY %1', '%4:sreg_32 = S_MOV_B32 %2', '%3:sreg_32 = S_MOV_B32 ¦'],
      `0 96, 7 91, -1 88, 1 80, 7 50, ${STACK}`,
    ],
    // Spills have a slot, though the tables take it for a number.
    [
      ['SI_SPILL_V32_SAVE %0, ¦'],
      '%stack.0 80, %stack.3 80, %fixed-stack.0 79.9, %const.2 79.8, %jump-table.1 79.7, 0 40, -1 32, 1 24',
    ],
    // Blocks and symbols.
    [['SI_PC_ADD_REL_OFFSET ¦'], '@"a b" 20, @f 20, @lds 20'],
    [['%1:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) ¦'], '@"a b" -12, @f -12, @lds -12'],
    [['%1:sreg_64 = SI_PC_ADD_REL_OFFSET @lds + ¦'], ''],
    // Generic constants say their size; those of another size stay away.
    [['%1:_(s32) = G_CONSTANT ¦'], INTS],
    [['%1:_(s64) = G_CONSTANT ¦'], INTS.replaceAll('i32', 'i64')],
    [['%1:_(s16) = G_CONSTANT ¦'], INTS.replaceAll('i32', 'i16')],
    [['%1:_(s1) = G_CONSTANT ¦'], 'i1 true 30, i1 false 29'],
    [['%1 = G_CONSTANT ¦'], INTS],
    [['%0:_(s32) = G_CONSTANT i32 9', '%2:_(s64) = G_CONSTANT i64 6', '%1:_(s32) = G_CONSTANT ¦'], `i32 9 50, ${INTS}`],
    [
      ['%0:_(s32) = G_CONSTANT i32 9', '%2:_(s1) = G_CONSTANT i1 true', '%1:_(s1) = G_CONSTANT ¦'],
      'i1 true 50, i1 true 30, i1 false 29',
    ],
    [['%0:_(s1) = G_CONSTANT i1 false', '%1:_(s1) = G_CONSTANT ¦'], 'i1 false 70, i1 true 30, i1 false 29'],
    [
      ['%1:_(s32) = G_FCONSTANT ¦'],
      'float 0.000000e+00 30, float 1.000000e+00 29, float -1.000000e+00 28, float 2.000000e+00 27',
    ],
    [
      ['%1:_(s64) = G_FCONSTANT ¦'],
      'double 0.000000e+00 30, double 1.000000e+00 29, double -1.000000e+00 28, double 2.000000e+00 27',
    ],
    [
      ['%1:_(s16) = G_FCONSTANT ¦'],
      'half 0.000000e+00 30, half 1.000000e+00 29, half -1.000000e+00 28, half 2.000000e+00 27',
    ],
    // Predicates, with those that the file has.
    [['%1:_(s1) = G_ICMP ¦'], INT_PREDICATES],
    [['%0:_(s1) = G_ICMP intpred(slt), %2, %2', '%1:_(s1) = G_ICMP ¦'], `intpred(slt) 70, ${INT_PREDICATES}`],
    [
      ['%0:_(s1) = G_FCMP floatpred(oeq), %2, %2', '%1:_(s1) = G_FCMP ¦'],
      'floatpred(oeq) 70, oeq 20, ogt 19, oge 18, olt 17, ole 16, one 15, ord 14, uno 13, ueq 12, ugt 11, uge 10, ult 9, ule 8, une 7, true 6, false 5'.replaceAll(
        /, (\w+)/g,
        ', floatpred($1)',
      ),
    ],
    [['%1:_(s1) = G_ICMP intpred(eq), ¦'], ''],
    [['%1:_(p3) = G_GLOBAL_VALUE ¦'], '@"a b" 20, @f 20, @lds 20'],
    [
      ['%1:_(p5) = G_FRAME_INDEX ¦'],
      '%stack.0 -10, %stack.3 -10, %fixed-stack.0 -10.1, %const.2 -10.2, %jump-table.1 -10.3',
    ],
    // Inline assembly: flags, then a number in front of each register, and none behind a number.
    [['INLINEASM ¦'], ''],
    [['INLINEASM &x, ¦'], '0 60, -1 52, 1 44'],
    [['INLINEASM &x, 3, ¦'], '3 60'],
    [['INLINEASM &x, 3, 9, ¦'], ''],
    [['INLINEASM &x, 3, 9, %0, ¦'], '3 60, 9 59'],
    // A register 8; read 1, written 2, clobbered 4; its class and one from bit 16 on.
    [['INLINEASM &x, 3, ¦, $sgpr0'], '9 60, 3 59'],
    [['INLINEASM &x, 3, ¦, def $sgpr0'], '10 60, 3 59'],
    [['INLINEASM &x, 3, ¦, implicit-def $sgpr0'], '12 60, 3 59'],
    // Debug values: nodes of the IR, and last an expression.
    [['DBG_VALUE %0, ¦'], '0 80'],
    [['DBG_VALUE %0, $noreg, ¦'], '!0 0, !7 -0.01'],
    // What was said above comes first: how often, and how late.
    [['DBG_VALUE %0, $noreg, !7, !DIExpression(DW_OP_deref)', 'DBG_VALUE %0, $noreg, ¦'], '!7 4, !0 0'],
    [
      ['DBG_VALUE %0, $noreg, !7, !DIExpression(DW_OP_deref)', 'DBG_VALUE %0, $noreg, !0, ¦'],
      '!DIExpression() 5, !DIExpression(DW_OP_deref) 4, !0 0, !7 -0.01',
    ],
    // Targets of branches that the tables do not tell from other things; objects of the stack that begin or end.
    [['%1:sreg_64 = SI_IF %1, ¦, implicit $exec'], '%bb.0 -0.213'],
    [['LIFETIME_END ¦'], '%stack.0 -10, %stack.3 -10, %fixed-stack.0 -10.1, %const.2 -10.2, %jump-table.1 -10.3'],
    // The mask of a call, once.
    [['$sgpr30_sgpr31 = SI_CALL %1, 0, ¦'], 'csr_amdgpu 400, csr_amdgpu_si_gfx 399'],
    [['$sgpr30_sgpr31 = SI_CALL %1, 0, csr_amdgpu, ¦'], ''],
    [['DBG_VALUE %0, $noreg, !0, ¦'], '!DIExpression() 5, !0 0, !7 -0.01'],
    // Parts: those that the sequence has not yet, and whatever the class has.
    [
      ['%1:vreg_64 = IMPLICIT_DEF', '%1:vreg_64 = INSERT_SUBREG %1, %0, ¦'],
      '%subreg.sub0 0, %subreg.sub1 -32, %subreg.lo16 -64, %subreg.hi16 -80, %subreg.sub1_lo16 -96, %subreg.sub1_hi16 -112',
    ],
    [
      ['%1:sreg_64 = REG_SEQUENCE %0, %subreg.sub0, %0, ¦'],
      '%subreg.sub1 -32, %subreg.lo16 -64, %subreg.hi16 -80, %subreg.sub1_lo16 -96, %subreg.sub1_hi16 -112, %subreg.sub0 -10000',
    ],
  ];
  for (const [lines, list] of CASES) it(lines.join('; '), () => assert.equal(others(lines), list));
});

/** Virtual registers at `¦` with their points, distance left out; what is written where it is not the label. */
function registersAt(lines: readonly string[], of: 'operands' | 'defs', header = ''): string {
  const { scope, items } = itemsAt(lines, of, header);
  return items
    .filter((c) =>
      /^(?:(?:implicit|implicit-def|undef) )*%(?!(?:bb|stack|fixed-stack|const|jump-table|subreg)\.)/.test(c.label),
    )
    .map((c) => {
      const [above, below] = distances(scope, /%[\w-]+/.exec(c.label)![0]);
      const near = cost(above, 5, 40);
      const isDef = of === 'defs' || c.label.startsWith('implicit-def');
      const own =
        c.detail === ' new register' || c.detail === ' tied to the definition'
          ? 0
          : isDef
            ? Math.min(near, cost(below, 5, 40))
            : near;
      return { c, own: Number(points(c.score + own)) };
    })
    .sort((a, b) => b.own - a.own || (a.c.label < b.c.label ? -1 : 1))
    .map(({ c, own }) => `${c.insert ?? c.label} ${points(own)}`)
    .join(', ');
}

/** Both numbers that a new register may have, where they are the same one. */
const twice = (word: string): string => `${word} 58, ${word} 40`;
const V = '%0:vgpr_32 = COPY $vgpr9';
const G = '%0:_(s64) = G_IMPLICIT_DEF';

describe('registers before the equal sign', () => {
  const CASES: readonly (readonly [lines: readonly string[], list: string])[] = [
    // A new one: the number behind the last definition 58, the next of all 40.
    [[V, '¦ = V_MOV_B32_e32 0'], twice('%1:vgpr_32')],
    [[V, '¦'], twice('%1')],
    [[V, '¦ = '], twice('%1')],
    [[V, '¦ = NOTHING 0'], twice('%1')],
    [[V, '%¦ = V_MOV_B32_e32 0'], twice('%1:vgpr_32')],
    [[V, '$¦ = V_MOV_B32_e32 0'], ''],
    [[V, '¦ = V_MOV_B32_e32 0', '%2:vgpr_32 = COPY %0'], '%1:vgpr_32 58, %3:vgpr_32 40'],
    [[V, '¦ = V_MOV_B32_e32 0', '%1:vgpr_32 = COPY %0'], '%2:vgpr_32 40'],
    [[V, '%1:vgpr_32, ¦ = V_MOV_B32_e32 0'], '%2 40'],
    [[V, '%4:vgpr_32, ¦ = V_MOV_B32_e32 0'], twice('%1')],
    // Where a class is behind the cursor, none is written.
    [[V, '¦:vgpr_32 = COPY %0'], twice('%1')],
    [[V, '¦:vgpr_32 = V_MOV_B32_e32 0', 'S_NOP 0, implicit %7'], '%7 120, %1 58, %8 40'],
    // One that waits 100, and 20 as its class fits.
    [[V, '¦ = S_MOV_B64 0', 'S_NOP 0, implicit %7'], '%7:sreg_64 120, %1:sreg_64 58, %8:sreg_64 40'],
    [
      [V, '¦ = V_MOV_B32_e32 0', '%9:vgpr_32 = V_ADD_U32_e32 %7, %7, implicit $exec'],
      '%7:vgpr_32 120, %1:vgpr_32 58, %10:vgpr_32 40',
    ],
    // Its class is what definition and reader have in common.
    [[V, '¦ = S_MOV_B32 0', '$m0 = S_MOV_B32 %7'], '%7:sreg_32 120, %1:sreg_32 58, %8:sreg_32 40'],
    [
      [V, '¦ = COPY $vgpr0', '%9:vgpr_32 = V_ADD_U32_e32 %7, %7, implicit $exec'],
      '%7:vgpr_32 100, %1:vgpr_32 58, %10:vgpr_32 40',
    ],
    // Copies have the class of what is copied, parts that of the part.
    [[V, '¦ = COPY %0'], twice('%1:vgpr_32')],
    [['%0:vreg_64 = COPY $vgpr0_vgpr1', '¦ = COPY %0.sub1'], twice('%1:vgpr_32')],
    [['%0:sreg_64 = COPY $sgpr0_sgpr1', '¦ = COPY %0.sub1'], twice('%1:sreg_32')],
    [['%0:vreg_128 = IMPLICIT_DEF', '¦ = COPY %0.sub1_sub2'], twice('%1:vreg_64')],
    [['%0:areg_128 = IMPLICIT_DEF', '¦ = COPY %0.sub1_sub2'], twice('%1:areg_64')],
    [['%0:vreg_64 = IMPLICIT_DEF', '¦ = COPY %0.nothing'], twice('%1')],
    [['%0:vreg_64 = IMPLICIT_DEF', '¦ = COPY %0.sub7'], twice('%1')],
    [[V, '¦ = COPY %5:sreg_64'], twice('%1:sreg_64')],
    [[V, '¦ = COPY'], twice('%1')],
    [[V, '¦ = COPY 7'], twice('%1')],
    // Those of physical registers: what the function has for registers like it, else the usual one.
    [[V, '¦ = COPY $vgpr0'], twice('%1:vgpr_32')],
    [[V, '¦ = COPY $vgpr0_vgpr1'], twice('%1:vreg_64')],
    [[V, '¦ = COPY $sgpr0'], twice('%1:sreg_32')],
    [[V, '¦ = COPY $sgpr0_sgpr1'], twice('%1:sreg_64')],
    [[V, '¦ = COPY $sgpr0_sgpr1_sgpr2_sgpr3'], twice('%1:sreg_128')],
    [[V, '¦ = COPY $agpr0'], twice('%1:agpr_32')],
    [[V, '¦ = COPY $agpr0_agpr1'], twice('%1:areg_64')],
    [[V, '¦ = COPY $scc'], twice('%1:sreg_32')],
    [[V, '¦ = COPY $vcc'], twice('%1:sreg_64')],
    [[V, '¦ = COPY $nothing'], twice('%1')],
    [['%0:sgpr_32 = COPY $sgpr9', '¦ = COPY $sgpr0'], twice('%1:sgpr_32')],
    [
      ['%0:sgpr_32 = COPY $sgpr9', '%1:sreg_32 = COPY $sgpr9', '%2:sreg_32 = COPY $sgpr9', '¦ = COPY $sgpr0'],
      twice('%3:sreg_32'),
    ],
    [
      ['%0:sreg_32 = COPY $sgpr9', '%1:sgpr_32 = COPY $sgpr9', '%2:sgpr_32 = COPY $sgpr9', '¦ = COPY $sgpr0'],
      twice('%3:sgpr_32'),
    ],
    // Generic ones: the type of the other operands, else what the opcode usually has.
    [[G, '¦ = G_ADD %0, %0'], twice('%1:_(s64)')],
    [[G, '¦ = G_ADD %5, %0'], twice('%1:_(s64)')],
    [[G, '¦ = G_ADD %5, %6'], twice('%1:_(s32)')],
    [[G, '¦ = G_ADD %5(s16), %6'], twice('%1:_(s16)')],
    [[G, '¦ = G_ADD %5, %6(p3)'], twice('%1:_(p3)')],
    [[G, '¦ = G_TRUNC %0'], twice('%1:_(s32)')],
    [[G, '¦ = G_TRUNC %5'], twice('%1:_(s32)')],
    [[G, '¦ = G_ZEXT %0'], twice('%1:_(s128)')],
    [[G, '¦ = G_SEXT %0'], twice('%1:_(s128)')],
    [[G, '¦ = G_ANYEXT %0'], twice('%1:_(s128)')],
    [[G, '¦ = G_ZEXT %5'], twice('%1:_(s64)')],
    [['%0:_(s1) = G_IMPLICIT_DEF', '¦ = G_ZEXT %0'], twice('%1:_(s64)')],
    [['%0:_(<2 x s16>) = G_IMPLICIT_DEF', '¦ = G_ZEXT %0'], twice('%1:_(<2 x s32>)')],
    [['%0:_(p1) = G_IMPLICIT_DEF', '¦ = G_PTRTOINT %0'], twice('%1:_(s64)')],
    [['%0:_(p3) = G_IMPLICIT_DEF', '¦ = G_PTRTOINT %0'], twice('%1:_(s32)')],
    [['%0:_(p3) = G_IMPLICIT_DEF', '¦ = G_PTR_ADD %0, %5'], twice('%1:_(p3)')],
    [[G, '¦ = G_CONSTANT i64 3'], twice('%1:_(s64)')],
    [[G, '¦ = G_CONSTANT i1 true'], twice('%1:_(s1)')],
    [[G, '¦ = G_CONSTANT'], twice('%1:_(s32)')],
    [[G, '¦ = G_FCONSTANT double 1.0'], twice('%1:_(s64)')],
    [[G, '¦ = G_FCONSTANT float 1.0'], twice('%1:_(s32)')],
    [[G, '¦ = G_FCONSTANT half 1.0'], twice('%1:_(s16)')],
    [[G, '¦ = G_FCONSTANT bfloat 1.0'], twice('%1:_(s16)')],
    [[G, '¦ = G_ICMP intpred(eq), %0, %0'], twice('%1:_(s1)')],
    [[G, '¦ = G_FCMP floatpred(oeq), %0, %0'], twice('%1:_(s1)')],
    [[G, '%5:_(s64), ¦ = G_UADDO %0, %0'], twice('%1:_(s1)')],
    [[G, '%5:_(s32), ¦ = G_UNMERGE_VALUES %0'], twice('%1:_(s32)')],
    [[G, '%5:_(<2 x s16>), ¦ = G_UNMERGE_VALUES %0'], twice('%1:_(<2 x s16>)')],
    [[G, '¦ = G_FRAME_INDEX %stack.0'], twice('%1:_(p5)')],
    [[G, '¦ = G_GLOBAL_VALUE @lds'], twice('%1:_(p1)')],
    [[G, '¦ = G_BUILD_VECTOR %5, %5'], twice('%1:_(<2 x s32>)')],
    [[G, '¦ = COPY %0'], twice('%1:_(s64)')],
    [[G, '¦ = COPY $vgpr0'], twice('%1:_(s32)')],
    [[G, '¦ = COPY $vgpr0_vgpr1'], twice('%1:_(s64)')],
    [[G, '¦ = G_ADD %0, %0', 'G_STORE %7, %0 :: (store (s64))'], '%7:_(s64) 100, %1:_(s64) 58, %8:_(s64) 40'],
    // A register that has its type says it at each definition.
    [
      ['%0:_(s64) = G_IMPLICIT_DEF', '¦ = G_ADD %0, %0', '%3:_(s64) = G_ADD %0, %0', '%0:_(s64) = COPY %3'],
      '%1:_(s64) 58, %4:_(s64) 40, %0:_(s64) 0, %3:_(s64) 0',
    ],
  ];
  for (const [lines, list] of CASES) it(lines.join('; '), () => assert.equal(registersAt(lines, 'defs'), list));
});

describe('registers before the equal sign, with banks selected', () => {
  const BANKS = 'legalized: true\nregBankSelected: true\n';
  const B = '%0:sgpr(s64) = G_IMPLICIT_DEF';
  const CASES: readonly (readonly [lines: readonly string[], list: string])[] = [
    [[B, '¦ = G_ADD %0, %0'], twice('%1:vgpr(s64)')],
    [[B, '¦ = G_ICMP intpred(eq), %0, %0'], twice('%1:vcc(s1)')],
    [[B, '¦ = COPY %0'], twice('%1:sgpr(s64)')],
    [[B, '¦ = COPY $vgpr0'], twice('%1:vgpr(s32)')],
    [[B, '¦ = COPY $sgpr0_sgpr1'], twice('%1:sgpr(s64)')],
    [[B, '¦ = COPY $agpr0'], twice('%1:agpr(s32)')],
    [[B, '¦ = G_ADD %0, %0', 'G_STORE %7, %0 :: (store (s64))'], '%7:vgpr(s64) 100, %1:vgpr(s64) 58, %8:vgpr(s64) 40'],
    // Its reader says the type and that it is generic, the definition the bank.
    [[B, '¦ = COPY $vgpr0', '%9:sgpr(s64) = G_ADD %7, %0'], '%7:sgpr(s64) 100, %1:vgpr(s32) 58, %10:vgpr(s32) 40'],
  ];
  for (const [lines, list] of CASES) it(lines.join('; '), () => assert.equal(registersAt(lines, 'defs', BANKS), list));

  it('none that is new in allocated code', () => {
    assert.equal(
      registersAt(['$vgpr0 = V_MOV_B32_e32 0, implicit $exec', '¦ = V_MOV_B32_e32 0'], 'defs', 'noVRegs: true\n'),
      '',
    );
    assert.ok(
      itemsAt(
        ['$vgpr0 = V_MOV_B32_e32 0, implicit $exec', '¦ = V_MOV_B32_e32 0'],
        'defs',
        'noVRegs: true\n',
      ).items.some((c) => c.label === '$vgpr1'),
    );
  });
});

describe('registers of operands', () => {
  const C = '%0:vgpr_32 = COPY $vgpr9';
  const CASES: readonly (readonly [lines: readonly string[], list: string])[] = [
    // Defined above and not read yet 42, of the class 60.
    [[C, '%3:vgpr_32 = V_ADD_U32_e32 ¦'], '%0 102'],
    [[C, '%3:vgpr_32 = V_ADD_U32_e32 $¦'], ''],
    [[C, '%3:sreg_32 = S_ADD_U32 ¦'], ''],
    [['%0:sreg_64 = IMPLICIT_DEF', '%3:sreg_32 = S_ADD_U32 ¦'], '%0.sub0 76, %0.sub1 74'],
    // A copy goes from scalar to vector registers, not back; of parts those of the size come first.
    [[C, '%3:vgpr_32 = COPY ¦'], '%0 102'],
    [[C, '%3:sgpr_32 = COPY ¦'], '%0 22'],
    [['%3:sgpr_32 = IMPLICIT_DEF', C, '%3:sgpr_32 = COPY ¦'], '%3 102, %0 22'],
    [['%3:vgpr_32 = IMPLICIT_DEF', '%1:sgpr_32 = IMPLICIT_DEF', '%3:vgpr_32 = COPY ¦'], '%1 102, %3 102'],
    [
      ['%3:vgpr_32 = IMPLICIT_DEF', '%1:vreg_64 = IMPLICIT_DEF', '%3:vgpr_32 = COPY ¦'],
      '%3 102, %1.sub0 72, %1.sub1 70, %1 2',
    ],
    [
      ['%3:sgpr_32 = IMPLICIT_DEF', '%1:vreg_64 = IMPLICIT_DEF', '%3:sgpr_32 = COPY ¦'],
      '%3 102, %1.sub0 -8, %1.sub1 -10, %1 -78',
    ],
    [
      ['%3:vreg_64 = IMPLICIT_DEF', '%1:vreg_128 = IMPLICIT_DEF', '%3:vreg_64 = COPY ¦'],
      '%3 102, %1.sub0_sub1 72, %1.sub2_sub3 70, %1.sub1_sub2 68, %1 2',
    ],
    [['%3:vreg_96 = IMPLICIT_DEF', '%1:vreg_128 = IMPLICIT_DEF', '%3:vreg_96 = COPY ¦'], '%3 102, %1 2'],
    [['%3:vgpr_32 = IMPLICIT_DEF', '%1:vreg_64 = IMPLICIT_DEF', '%3:vgpr_32 = COPY $¦'], ''],
    [[C, '%3:vgpr_32 = COPY %0, ¦'], 'implicit %0 97'],
    // Written part by part: of the size of the part.
    [
      ['%3:vreg_64 = IMPLICIT_DEF', '%1:vgpr_32 = IMPLICIT_DEF', '%3.sub1:vreg_64 = COPY ¦'],
      '%1 102, %3.sub0 72, %3.sub1 70, %3 2',
    ],
    [['%5:vgpr_32 = IMPLICIT_DEF', '$sgpr0 = COPY ¦'], '%5 22'],
    [['%5:vgpr_32 = IMPLICIT_DEF', '$vgpr0 = COPY ¦'], '%5 102'],
    [['%5:agpr_32 = IMPLICIT_DEF', '$vgpr0_vgpr1 = COPY ¦'], '%5 2'],
    // PHIs take registers and blocks by turns.
    [[C, '%3:vgpr_32 = PHI ¦'], '%0 102'],
    [[C, '%3:vgpr_32 = PHI %0, ¦'], ''],
    [[C, '%3:vgpr_32 = PHI %0, %bb.0, ¦'], '%0 102'],
    [[G, '%3:_(s64) = G_PHI ¦'], '%0 102'],
    // Sequences registers and parts.
    [[C, '%3:vreg_64 = REG_SEQUENCE ¦'], '%0 102'],
    [[C, '%3:vreg_64 = REG_SEQUENCE %0, ¦'], ''],
    [[C, '%3:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, ¦'], '%0 102'],
    [[C, '%3:vreg_64 = INSERT_SUBREG ¦'], ''],
    [['%3:vreg_64 = IMPLICIT_DEF', C, '%3:vreg_64 = INSERT_SUBREG ¦'], '%3 102'],
    [['%3:vreg_64 = IMPLICIT_DEF', C, '%3:vreg_64 = INSERT_SUBREG %3, ¦'], '%0 102, %3 102'],
    [[C, '%3:vgpr_32 = EXTRACT_SUBREG ¦'], '%0 102'],
    [[C, '%3:vgpr_32 = EXTRACT_SUBREG %0, ¦'], ''],
    // Generic ones: of the type of the others.
    [[G, '%3:_(s64) = G_ADD ¦'], '%0 102'],
    [[G, '%3:_(s32) = G_ADD ¦'], ''],
    [[G, '%3:_(s32) = G_ADD %0, ¦'], ''],
    [[G, '%3 = G_ADD %0, ¦'], '%0 102'],
    [[G, '%3 = G_ADD %5, ¦'], '%0 102'],
    [[G, C.replace('%0', '%1'), '%3 = G_ADD %5, ¦'], '%0 102, %1 72'],
    [['%1:_(s1) = G_IMPLICIT_DEF', G, '%3:_(s64) = G_SELECT ¦'], '%1 102, %0 72'],
    [['%1:_(s1) = G_IMPLICIT_DEF', G, '%3:_(s64) = G_SELECT %1, ¦'], '%0 102'],
    [['%1:_(s1) = G_IMPLICIT_DEF', G, 'G_BRCOND ¦'], '%1 102, %0 72'],
    [['%1:_(s1) = G_IMPLICIT_DEF', G, 'G_BRCOND %1, ¦'], ''],
    [[G, '%5:_(s32), %6:_(s32) = G_UNMERGE_VALUES ¦'], '%0 102, implicit %0 -203, %0 -208'],
    [[G, '%5:_(s128) = G_MERGE_VALUES ¦'], '%0 102'],
    [[G, '%5:_(<2 x s64>) = G_BUILD_VECTOR %0, ¦'], '%0 102, implicit %0 -203, %0 -208'],
    [[G, '%5:_(s64) = G_INTRINSIC intrinsic(@llvm.smax.i32), ¦'], '%0 102, implicit %0 -203, %0 -208'],
    // In allocated code a tied operand repeats the definition.
    [[C, '%0:vgpr_32 = V_MAC_F32_e32 %0, %0, ¦'], '%0 200, %0 102'],
    [[C, '%7:vgpr_32 = V_MAC_F32_e32 %0, %0, ¦'], '%0 102'],
    [[C, '%0:vgpr_32 = V_MAC_F32_e32 %0, ¦'], '%0 102'],
    // Implicit ones: whole operands, or behind the word.
    [[C, 'S_NOP 0, implicit ¦'], '%0 102'],
    // Where nothing is defined twice, no second definition.
    [[C, 'S_NOP 0, implicit-def ¦'], ''],
    [[C, C, 'S_NOP 0, implicit-def ¦'], '%0 -20'],
    [[C, 'S_NOP 0, ¦'], 'implicit %0 97'],
    [[C, C, 'S_NOP 0, ¦'], 'implicit %0 97, implicit-def %0 -80'],
    [[C, 'S_NOP 0, implicit-def $vgpr0, ¦'], 'implicit %0 22'],
    [[C, C, 'S_NOP 0, implicit-def $vgpr0, ¦'], 'implicit %0 22, implicit-def %0 -20'],
    [[C, C, 'S_NOP 0, implicit $vgpr0, ¦'], 'implicit %0 97, implicit-def %0 -80'],
    // One that waits is written, and a name is needed for its class.
    [
      [C, 'S_NOP 0, ¦', '%9:vgpr_32 = V_ADD_U32_e32 %7, %7, implicit $exec'],
      'implicit-def %7:vgpr_32 100, implicit %0 97, implicit %9 52, implicit %7 24',
    ],
    [[C, 'S_NOP 0, %¦'], '%0 102'],
  ];
  for (const [lines, list] of CASES) it(lines.join('; '), () => assert.equal(registersAt(lines, 'operands'), list));
});

/** Physical registers and implicit ones of the opcode at `¦` that have at least so many points, best first. */
const physicalAt = (lines: readonly string[], least: number): string =>
  best(itemsAt(lines, 'operands').items.filter((c) => c.label.includes('$') && c.score >= least))
    .map((c) => `${c.label} ${points(c.score)}`)
    .join('; ');

describe('physical registers of operands', () => {
  /** Those of a list of names with their points; these are the best of each name. */
  function pointsOf(lines: readonly string[], names: string): string {
    const { scope, items } = itemsAt(lines, 'operands');
    return names
      .split(' ')
      .flatMap((name) => {
        const own = best(items).find((c) => c.label === name);
        if (own === undefined) return [];
        const [above] = distances(scope, name);
        const isFlat = own.detail === ' tied to the definition';
        return [`${name} ${points(own.score + (isFlat ? 0 : cost(above, 4, 0)))}`];
      })
      .join(', ');
  }
  const CASES: readonly (readonly [lines: readonly string[], names: string, list: string])[] = [
    // In allocated code a tied operand repeats the definition.
    [['$vgpr5 = V_MAC_F32_e32 $vgpr1, $vgpr2, ¦'], '$vgpr5 $vgpr2', '$vgpr5 200, $vgpr2 4'],
    [['$vgpr5 = V_MAC_F32_e32 $vgpr1, ¦'], '$vgpr5', ''],
    [['$vgpr5 = V_ADD_F32_e32 $vgpr1, ¦'], '$vgpr0', '$vgpr0 6'],
    // Copies of vector registers into scalar ones cost 80.
    [
      ['$vgpr3 = IMPLICIT_DEF', '$sgpr3 = IMPLICIT_DEF', '$sgpr4 = COPY ¦'],
      '$vgpr3 $sgpr3 $exec',
      '$vgpr3 -5, $sgpr3 75',
    ],
    [['$vgpr3 = IMPLICIT_DEF', '$sgpr3 = IMPLICIT_DEF', '$vgpr4 = COPY ¦'], '$vgpr3 $sgpr3', '$vgpr3 75, $sgpr3 75'],
    [['$vgpr3 = IMPLICIT_DEF', '%3:sgpr_32 = COPY ¦'], '$vgpr3', '$vgpr3 -5'],
    [['$vgpr3 = IMPLICIT_DEF', '%3:sreg_64 = COPY ¦'], '$vgpr3 $exec $vcc', '$vgpr3 -65, $exec 60, $vcc 44'],
    [['$agpr3 = IMPLICIT_DEF', '%3:sgpr_32 = COPY ¦'], '$agpr3', '$agpr3 -5'],
    [['$scc = IMPLICIT_DEF', '$vgpr3 = IMPLICIT_DEF', '%3:vgpr_32 = COPY ¦'], '$vgpr3', '$vgpr3 75'],
    // None in generic instructions.
    [['$vgpr3 = IMPLICIT_DEF', '%3:_(s32) = G_ADD ¦'], '$vgpr3', ''],
    [['$vgpr3 = IMPLICIT_DEF', '%3:_(s32) = G_ADD $¦'], '$vgpr3', ''],
    [['$vgpr3 = IMPLICIT_DEF', '%3:vreg_64 = REG_SEQUENCE ¦'], '$vgpr3', '$vgpr3 75'],
  ];
  for (const [lines, names, list] of CASES)
    it(`${lines.join('; ')}: ${list}`, () => assert.equal(pointsOf(lines, names), list));

  it('say that they are tied', () => {
    const { items } = itemsAt(['$vgpr5 = V_MAC_F32_e32 $vgpr1, $vgpr2, ¦'], 'operands');
    assert.equal(best(items)[0]!.detail, ' tied to the definition');
  });
});

describe('what an opcode reads and writes', () => {
  const CASES: readonly (readonly [lines: readonly string[], list: string])[] = [
    // What is missing in its order, one by one and all of it.
    [['%1:vgpr_32 = V_MOV_B32_e32 0, ¦'], 'implicit $exec 150'],
    [['%1:vgpr_32 = V_MOV_B32_e32 0, implicit $exec, ¦'], ''],
    [['S_CMP_EQ_U32 0, 0, ¦'], 'implicit-def $scc 150'],
    [['S_CMP_EQ_U32 0, 0, implicit-def $scc, ¦'], ''],
    [
      ['V_CMP_EQ_U32_e32 0, %0, ¦'],
      'implicit-def $vcc 150; implicit-def $vcc, implicit $exec 149.5; implicit $exec 149',
    ],
    [['V_CMP_EQ_U32_e32 0, %0, implicit-def $vcc, ¦'], 'implicit $exec 150'],
    [['V_CMP_EQ_U32_e32 0, %0, implicit $exec, ¦'], 'implicit-def $vcc 150'],
    // What is read may be of no matter, unless it is always there.
    [['S_CBRANCH_SCC1 %bb.0, ¦'], 'implicit $scc 150; implicit undef $scc 100'],
    [['S_CBRANCH_EXECZ %bb.0, ¦'], 'implicit $exec 150'],
    [
      ['%1:sreg_32 = S_ADDC_U32 0, 0, ¦'],
      'implicit-def $scc 150; implicit-def $scc, implicit $scc 149.5; implicit $scc 149; implicit undef $scc 100',
    ],
    // Behind the word the register alone.
    [['%1:vgpr_32 = V_MOV_B32_e32 0, implicit ¦'], '$exec 150'],
    [['%1:vgpr_32 = V_MOV_B32_e32 0, implicit-def ¦'], ''],
    [['S_CMP_EQ_U32 0, 0, implicit-def ¦'], '$scc 150'],
    [['S_CMP_EQ_U32 0, 0, implicit ¦'], ''],
    [['V_CMP_EQ_U32_e32 0, %0, implicit ¦'], '$exec 150'],
    [['V_CMP_EQ_U32_e32 0, %0, implicit-def ¦'], '$vcc 150'],
    [['%1:vgpr_32 = V_ADD_F32_e32 0, %0, implicit ¦'], '$mode 150; $exec 149'],
    [['NOTHING 0, implicit ¦'], ''],
  ];
  for (const [lines, list] of CASES) it(lines.join('; '), () => assert.equal(physicalAt(lines, 99), list));

  it('says so', () => {
    const details = (lines: readonly string[]): string =>
      best(itemsAt(lines, 'operands').items)
        .filter((c) => c.score >= 99)
        .map((c) => (c.detail ?? '').trim())
        .join(', ');
    assert.equal(
      details(['%1:sreg_32 = S_ADDC_U32 0, 0, ¦']),
      'the opcode writes it, all that are missing, the opcode reads it, whatever it holds',
    );
    assert.equal(details(['S_CMP_EQ_U32 0, 0, implicit-def ¦']), 'the opcode writes it');
    assert.equal(details(['V_CMP_EQ_U32_e32 0, %0, implicit ¦']), 'the opcode reads it');
  });

  it('the mask of lanes and the mode 30, 20 where the line has them', () => {
    const two = (line: string): string =>
      best(itemsAt([line], 'operands').items.filter((c) => /^implicit \$(?:exec|mode)$/.test(c.label)))
        .map((c) => `${c.label} ${points(c.score)}`)
        .filter((c) => / [23]0$/.test(c))
        .join(', ');
    assert.equal(two('S_NOP 0, ¦'), 'implicit $exec 30, implicit $mode 30');
    assert.equal(two('S_NOP 0, implicit $exec, ¦'), 'implicit $mode 30, implicit $exec 20');
    assert.equal(two('S_NOP 0, implicit $mode, implicit $exec, ¦'), 'implicit $exec 20, implicit $mode 20');
    assert.equal(two('S_NOP 0, implicit-def $mode, ¦'), 'implicit $exec 30, implicit $mode 30');
  });

  it('scalar operations on masks of lanes have the mask 30 more', () => {
    const masks = (line: string): string =>
      best(itemsAt([line], 'operands').items.filter((c) => c.label === '$exec'))
        .map((c) => points(c.score))
        .join(' ');
    assert.equal(masks('%1:sreg_64 = S_AND_B64 ¦'), '90 60');
    assert.equal(masks('%1:sreg_64 = S_OR_B64 ¦'), '90 60');
    assert.equal(masks('%1:sreg_64 = S_XOR_B64 ¦'), '90 60');
    assert.equal(masks('%1:sreg_64 = S_ANDN2_B64 ¦'), '90 60');
    assert.equal(masks('%1:sreg_64 = S_ORN2_B64 ¦'), '90 60');
    assert.equal(masks('%1:sreg_64 = S_NOT_B64 ¦'), '60');
    assert.equal(masks('%1:sreg_64 = S_MOV_B64 ¦'), '60');
    assert.equal(masks('%1:sreg_64 = S_LSHL_B64 ¦'), '60');
  });
});

describe('classes behind a colon', () => {
  /** Those of the names given, as `name points snippet | used`. */
  function classesAt(lines: readonly string[], names: string, header = ''): string {
    const wanted = names.split(' ');
    const { scope, items } = itemsAt(lines, 'classes', header);
    const { tables } = scope.fn!;
    return items
      .filter((c) => wanted.includes(c.label))
      .map((c) => {
        // A name costs a twentieth for each letter.
        const rc = tables.regClassByName(c.label);
        const own = c.score + (rc < 0 ? 0 : tables.regClassName(rc).length / 20);
        return [
          `${c.label} ${points(own)}`,
          ...(c.description ? [c.description] : []),
          ...(c.snippet ? [c.snippet] : []),
        ].join(' | ');
      })
      .join(', ');
  }
  const C = '%0:vgpr_32 = COPY $vgpr9';
  const CASES: readonly (readonly [lines: readonly string[], names: string, list: string, header?: string])[] = [
    // What the opcode defines 100, classes in it 50, others -50; what nothing is allocated of 30 less; used once 6.
    [['%1:¦ = V_MOV_B32_e32 0'], 'vgpr_32 sreg_32 vs_32', 'vgpr_32 100, sreg_32 -50, vs_32 -80'],
    [
      ['%1:¦ = S_MOV_B32 0'],
      'sgpr_32 sreg_32 vgpr_32 sreg_32_xm0',
      'sgpr_32 50, sreg_32 100, vgpr_32 -50, sreg_32_xm0 50',
    ],
    [[C, '%1:¦ = V_MOV_B32_e32 0'], 'vgpr_32 sreg_32', 'sreg_32 -50, vgpr_32 106 | used 1 x here'],
    [
      [C, C.replace('%0', '%5'), C.replace('%0', '%6'), '%1:¦ = V_MOV_B32_e32 0'],
      'vgpr_32',
      'vgpr_32 112 | used 3 x here',
    ],
    // Without an opcode the usual ones 8.
    [['%1:¦'], 'vgpr_32 sreg_32 sgpr_96', 'vgpr_32 8, sreg_32 8, sgpr_96 0'],
    [['%1:¦ = NOTHING'], 'vgpr_32 sreg_32 sgpr_96', 'vgpr_32 8, sreg_32 8, sgpr_96 0'],
    // Copies have one of the size of what is copied 40.
    [['%1:¦ = COPY $vgpr0'], 'vgpr_32 sreg_32 vreg_64 agpr_32', 'vgpr_32 48, sreg_32 48, agpr_32 40, vreg_64 8'],
    [[C, '%1:¦ = COPY %0'], 'vreg_64 agpr_32', 'agpr_32 40, vreg_64 8'],
    [['%0:vreg_64 = IMPLICIT_DEF', '%1:¦ = COPY %0.sub0'], 'sreg_64 agpr_32', 'agpr_32 40, sreg_64 8'],
    // Operands have that of the operand.
    [
      ['%1:vgpr_32 = V_ADD_U32_e32 %5:¦'],
      'vs_32 vgpr_32 sreg_32 vreg_64',
      'vs_32 70, sreg_32 50, vgpr_32 50, vreg_64 -50',
    ],
    [['%1:vgpr_32 = V_ADD_U32_e32 %5, %6:¦'], 'vgpr_32 sreg_32', 'sreg_32 -50, vgpr_32 100'],
    [['S_NOP 0, implicit %6:¦'], 'vgpr_32 sgpr_96', 'vgpr_32 8, sgpr_96 0'],
    // Banks and types: with a type where none stands.
    [[C, '%1:¦ = V_MOV_B32_e32 0'], 'vgpr _', 'vgpr -20 | vgpr(${1:s32})$0, _ -10 | _(${1:s32})$0'],
    [
      [G, '%1:¦ = G_ADD %0, %0'],
      'vgpr vcc _',
      'vgpr -20 | vgpr(${1:s64})$0, vcc -20 | vcc(${1:s1})$0, _ 90 | _(${1:s64})$0',
    ],
    [[G, '%1:¦(s32) = G_ADD %0, %0'], 'vgpr vcc _', 'vgpr -20, vcc -20, _ 90'],
    [[G, '%3:_(s64) = G_ADD %7:¦'], '_', '_ 90 | _(${1:s32})$0'],
    [[G, '%3:_(s64) = G_ADD %0:¦'], '_', '_ 90 | _(${1:s64})$0'],
    [[G, C.replace('%0', '%5'), '%1:¦ = G_ADD %0, %0'], '_', '_ -10 | _(${1:s64})$0'],
    [
      ['%0:sgpr(s64) = G_IMPLICIT_DEF', '%5:sgpr(s64) = G_IMPLICIT_DEF', '%1:¦ = G_ADD %0, %0'],
      'sgpr vgpr',
      'sgpr 97 | sgpr(${1:s64})$0, vgpr 95 | vgpr(${1:s64})$0',
      'legalized: true\nregBankSelected: true\n',
    ],
  ];
  for (const [lines, names, list, header] of CASES)
    it(`${lines.join('; ')}: ${list}`, () => {
      const sort = (text: string): string[] => text.split(/, (?=[a-z_])/).sort();
      assert.deepEqual(sort(classesAt(lines, names, header)), sort(list));
    });
  it('say how wide they are', () => {
    const { items } = itemsAt(['%1:¦ = V_MOV_B32_e32 0'], 'classes');
    const detail = (label: string): string => items.find((c) => c.label === label)!.detail!;
    assert.deepEqual(['vgpr_32', 'sreg_64', 'vreg_96', 'sgpr', '_'].map(detail), [
      ' 32 bits',
      ' 64 bits',
      ' 96 bits',
      ' register bank',
      ' generic register',
    ]);
  });
});

describe('blocks, objects and symbols', () => {
  const BLOCKS = (line: string): string =>
    `---\nname: f\nbody: |\n  bb.0.entry:\n    successors: %bb.2, %bb.3\n    S_NOP 0\n    S_NOP 0\n    ${line}\n  bb.1:\n  bb.2.out:\n  bb.3:\n    S_BRANCH %bb.1\n    S_BRANCH %bb.99\n...\n`;
  const IR = '--- |\n  define void @f() {\n  entry:\n    br label %out\n  out:\n    ret void\n  }\n...\n';

  /** Points of the blocks, distance left out. */
  function blocksAt(line: string): string {
    const { scope, cursor } = pointScope(IR + BLOCKS(line));
    const { text } = scope.snapshot.text;
    const own = readInstrLine(text, scope.lineStart, scope.lineEnd, cursor);
    return blocks(scope, own)
      .map((c) => {
        // Where it is mentioned first.
        const name = c.label.slice(1);
        const at = Math.min(
          ...[`%${name}`, `\n  ${name}`].map((t) => text.indexOf(t)).map((k, n) => (k < 0 ? Infinity : k + 3 * n)),
        );
        const distance = Math.abs(at - scope.lineStart);
        return [
          `${c.label} ${points(c.score + 5 * Math.log2(1 + distance / 200))}`,
          ...(c.description ? [c.description] : []),
        ].join(' ');
      })
      .join(', ');
  }
  const CASES: readonly (readonly [line: string, list: string])[] = [
    // First mentioned behind the cursor 6, a successor 60, one that the line has -80.
    ['S_BRANCH ¦', '%bb.0 0 entry, %bb.1 6, %bb.2 60 out, %bb.3 60'],
    ['S_BRANCH %bb.2, ¦', '%bb.0 0 entry, %bb.1 6, %bb.2 -20 out, %bb.3 60'],
    ['S_BRANCH ¦, %bb.2, %bb.0', '%bb.0 -80 entry, %bb.1 6, %bb.2 -20 out, %bb.3 60'],
  ];
  for (const [line, list] of CASES)
    it(line, () => {
      const sort = (t: string): string[] =>
        t
          .split(', ')
          .filter((w) => !w.includes('bb.99'))
          .sort();
      assert.deepEqual(sort(blocksAt(line)), sort(list));
    });
  it('those that are only mentioned are blocks, too', () => assert.ok(blocksAt('S_BRANCH ¦').includes('%bb.99 ')));

  it('objects of the header, those of the stack first', () => {
    const { scope } = pointScope(`${HEAD}${FUNCTION}  bb.0:\n    ¦\n...\n`);
    const list = (score?: number): string =>
      best(stackObjects(scope, score))
        .map((c) => `${c.label} ${points(c.score)}`)
        .join(', ');
    assert.equal(list(26), STACK);
    assert.equal(list(), '%stack.0 -10, %stack.3 -10, %fixed-stack.0 -10.1, %const.2 -10.2, %jump-table.1 -10.3');
    assert.equal(list(80), '%stack.0 80, %stack.3 80, %fixed-stack.0 79.9, %const.2 79.8, %jump-table.1 79.7');
  });

  it('globals of the IR and functions of the file, in quotes where they need them, and no intrinsics', () => {
    const { scope } = pointScope(
      `${HEAD}---\nname: "odd one"\nbody: |\n  bb.0:\n...\n---\nbody: |\n  bb.0:\n...\n${FUNCTION}  bb.0:\n    ¦\n...\n`,
    );
    assert.deepEqual(
      globals(scope.snapshot)
        .map((c) => `${c.label} ${c.score}`)
        .sort(),
      ['@"a b" -12', '@"odd one" -12', '@f -12', '@lds -12'],
    );
  });

  it('intrinsics: those of the file first, then those of the target, and of each opcode its own', () => {
    const at = (line: string, ...before: string[]): Candidate[] => best(itemsAt([...before, line], 'operands').items);
    const first = at('%1:_(s32) = G_INTRINSIC ¦');
    assert.deepEqual(
      first.slice(0, 1).map((c) => `${c.label} ${c.score} ${c.description}`),
      ['intrinsic(@llvm.amdgcn.workitem.id.x) 1 used 1 x here'],
    );
    assert.equal(first.find((c) => c.label === 'intrinsic(@llvm.smax.i32)')?.score, -9);
    assert.equal(first.find((c) => c.label === 'intrinsic(@llvm.amdgcn.workitem.id.y)')?.score, 0);
    assert.equal(first.find((c) => c.label === 'intrinsic(@llvm.amdgcn.workitem.id.y)')?.description, '');
    assert.equal(
      first.find((c) => c.label === 'intrinsic(@llvm.amdgcn.s.barrier)'),
      undefined,
    );
    const used = at(
      '%1:_(s32) = G_INTRINSIC ¦',
      '%0:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.workitem.id.x)',
      '%2:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.workitem.id.z)',
      '%3:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.workitem.id.z)',
    );
    assert.deepEqual(
      used.slice(0, 2).map((c) => `${c.label} ${c.score} ${c.description}`),
      [
        'intrinsic(@llvm.amdgcn.workitem.id.x) 2 used 2 x here',
        'intrinsic(@llvm.amdgcn.workitem.id.z) 2 used 2 x here',
      ],
    );
    const names = (line: string): Set<string> => new Set(at(line).map((c) => c.label));
    const barrier = 'intrinsic(@llvm.amdgcn.s.barrier)';
    const lane = 'intrinsic(@llvm.amdgcn.readfirstlane)';
    const time = 'intrinsic(@llvm.amdgcn.s.memtime)';
    const id = 'intrinsic(@llvm.amdgcn.workitem.id.y)';
    const taken = (line: string): boolean[] => [id, lane, time, barrier].map((name) => names(line).has(name));
    assert.deepEqual(taken('%1:_(s32) = G_INTRINSIC ¦'), [true, false, false, false]);
    assert.deepEqual(taken('%1:_(s32) = G_INTRINSIC_CONVERGENT ¦'), [false, true, false, false]);
    assert.deepEqual(taken('%1:_(s64) = G_INTRINSIC_W_SIDE_EFFECTS ¦'), [false, false, true, false]);
    assert.deepEqual(taken('G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS ¦'), [false, false, false, true]);
  });
});
