/** What each circumstance counts for an opcode that is proposed, and what is written for it. */
import assert from 'node:assert/strict';
import type { Candidate } from '../../../../../server/src/features/completion/candidate.js';
import { readInstrLine } from '../../../../../server/src/features/completion/instrLine.js';
import {
  isBehindBarrier,
  opcodeCandidates,
  takesImmediate,
  usualType,
} from '../../../../../server/src/features/completion/opcodeItems.js';
import { usualScore } from '../../../../../server/src/features/completion/usualOpcodes.js';
import { createSubtarget, OperandType, OpInfoFlag, LLVM22 } from '../../../../../server/src/target/index.js';
import { pointScope, points } from '../../../../support/completionPoints.js';

interface At {
  /** lines between the label and the cursor's line */
  readonly above?: readonly string[];
  readonly below?: readonly string[];
  readonly cpu?: string;
  readonly others?: readonly string[];
}

/** The item of an opcode that is typed whole at `¦`, in the middle of a block unless it is said otherwise. */
function itemAt(
  line: string,
  opcode: string,
  { above = ['S_SLEEP 1'], below = ['S_SLEEP 2'], cpu, others = [] }: At = {},
): Candidate | undefined {
  const { scope, cursor } = pointScope(
    `---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n${[...above, line, ...below].map((l) => `    ${l}\n`).join('')}...\n`,
    cpu,
  );
  const { snapshot, lineStart, lineEnd } = scope;
  const read = readInstrLine(snapshot.text.text, lineStart, lineEnd, cursor);
  const st = scope.fn?.subtarget ?? snapshot.subtarget;
  return opcodeCandidates(
    read,
    scope,
    st,
    opcode,
    others.map((name) => ({ name, st: createSubtarget('amdgcn-amd-amdhsa', name, '') })),
  ).find((c) => c.label === opcode);
}

/** Its points without those of its name: a twentieth less for each letter, and what the usual ones have. */
function pointsAt(line: string, opcode: string, at?: At): string {
  const { score } = itemAt(line, opcode, at)!;
  return points(score + opcode.length / 20 - usualScore(opcode));
}

const DEFS = [
  '%0:vgpr_32 = IMPLICIT_DEF',
  '%2:vreg_64 = IMPLICIT_DEF',
  '%3:sgpr_32 = IMPLICIT_DEF',
  '%4:sreg_64 = IMPLICIT_DEF',
  'S_SLEEP 1',
];
const GENERIC = ['%0:_(s32) = G_IMPLICIT_DEF', '%2:_(s64) = G_IMPLICIT_DEF', '%3:_(p1) = G_IMPLICIT_DEF', 'S_SLEEP 1'];

describe('what counts for an opcode', () => {
  const CASES: readonly (readonly [line: string, opcode: string, points: number, at?: At])[] = [
    // Alone in a line whatever defines something; generic ones 12 less in a function that is not.
    ['V¦', 'V_MOV_B32_e32', 0],
    ['S¦', 'S_NOP', 0],
    ['G¦', 'G_ADD', -12],
    ['G¦', 'G_ADD', 0, { above: GENERIC }],
    ['V¦', 'V_MOV_B32_e32', -12, { above: GENERIC }],
    ['C¦', 'COPY', 0, { above: GENERIC }],
    // Nothing is typed: what defines something needs a definition.
    ['¦', 'V_MOV_B32_e32', -25],
    ['¦', 'S_NOP', 0],
    // Those of a value of no matter 8.
    ['I¦', 'IMPLICIT_DEF', 8],
    ['¦', 'IMPLICIT_DEF', -17],
    // Definitions count twice: the class itself 9, one in it 6, with a common one 1, of another bank -50, of another size -70.
    ['%1:vgpr_32 = ¦', 'V_MOV_B32_e32', 18],
    ['%1:av_32 = ¦', 'V_MOV_B32_e32', 2],
    ['%1:vgpr_32_lo128 = ¦', 'V_MOV_B32_e32', 12],
    ['%1:vgpr_32 = ¦', 'S_MOV_B32', -100],
    ['%1:sgpr_32 = ¦', 'S_MOV_B32', 12],
    ['%1:sreg_32 = ¦', 'S_MOV_B32', 18],
    ['%1:sreg_64 = ¦', 'S_MOV_B32', -140],
    ['%1:sreg_64 = ¦', 'S_MOV_B64', 18],
    ['%1 = ¦', 'S_MOV_B64', 0],
    ['%1:_(s32) = ¦', 'S_MOV_B64', -50],
    ['$sgpr0 = ¦', 'S_MOV_B32', 8],
    ['$vgpr0 = ¦', 'S_MOV_B32', -120],
    ['$sgpr0_sgpr1 = ¦', 'S_MOV_B32', -120],
    ['$nothing = ¦', 'S_MOV_B32', 0],
    ['%1:_(s32) = ¦', 'G_ADD', -4],
    ['%1:vgpr_32 = ¦', 'G_ADD', -62],
    ['$vgpr0 = ¦', 'G_ADD', -132],
    ['%1 = ¦', 'G_ADD', -12],
    ['%1:vgpr_32 = ¦', 'COPY', 12],
    ['%1:vgpr_32 = ¦', 'REG_SEQUENCE', 12],
    ['%1:vgpr_32 = ¦', 'IMPLICIT_DEF', 20],
    ['%1:vgpr_32 = ¦', 'INSERT_SUBREG', 0],
    ['%1:vgpr_32 = ¦', 'S_NOP', -150],
    ['%1:vgpr_32, %5:sreg_64 = ¦', 'V_MOV_B32_e32', -102],
    ['%1:vgpr_32, %5:sreg_64 = ¦', 'V_ADD_CO_U32_e64', 36],
    ['%1:vgpr_32 = ¦', 'V_ADD_CO_U32_e64', -102],
    // A part has the class of the part.
    ['undef %1.sub0:vreg_64 = ¦', 'V_MOV_B32_e32', 18],
    ['undef %1.sub0:vreg_64 = ¦', 'V_ADD_F64_e64', -140],
    ['undef %1.sub0_sub1:vreg_128 = ¦', 'V_ADD_F64_e64', 18],
    // Operands once.
    ['%1:vgpr_32 = ¦ %0, %0, implicit $exec', 'V_ADD_U32_e32', 41, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %0', 'V_ADD_U32_e32', 8, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %0, implicit $exec, implicit $mode', 'V_ADD_U32_e32', 35, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %0, implicit $exec, implicit-def $scc', 'V_ADD_U32_e32', 35, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %3, %0, implicit $exec', 'V_ADD_U32_e32', 41, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %3, implicit $exec', 'V_ADD_U32_e32', -18, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %2, implicit $exec', 'V_ADD_U32_e32', -38, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %2.sub1, implicit $exec', 'V_ADD_U32_e32', 41, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %4.sub1, implicit $exec', 'V_ADD_U32_e32', -18, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, killed %0, implicit $exec', 'V_ADD_U32_e32', 41, { above: DEFS }],
    ['%1:vgpr_32 = ¦ 5, %0, implicit $exec', 'V_ADD_U32_e32', 37, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, 5, implicit $exec', 'V_ADD_U32_e32', 2, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, implicit $exec', 'V_ADD_U32_e32', -38, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %0, %0, implicit $exec', 'V_ADD_U32_e32', -29, { above: DEFS }],
    ['%1:vgpr_32 = ¦ $vgpr0, $vgpr1, implicit $exec', 'V_ADD_U32_e32', 34, { above: DEFS }],
    ['%1:vgpr_32 = ¦ $sgpr0, $sgpr1, implicit $exec', 'V_ADD_U32_e32', -30, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %9, %9, implicit $exec', 'V_ADD_U32_e32', 26, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %bb.0, implicit $exec', 'V_ADD_U32_e32', -28, { above: DEFS }],
    ['¦ %0, %0, implicit $exec', 'V_ADD_U32_e32', -2, { above: DEFS }],
    ['¦ 7', 'S_NOP', 3],
    ['¦ %3', 'S_NOP', -60, { above: DEFS }],
    ['¦ 7, implicit-def $scc', 'S_NOP', -3],
    ['¦ 7, 8, implicit-def $scc', 'S_CMP_EQ_U32', 12],
    ['¦ 7, 8', 'S_CMP_EQ_U32', -21],
    ['%1:vgpr_32 = ¦ %0', 'COPY', 13, { above: DEFS }],
    ['%1:vgpr_32 = ¦ 7', 'COPY', -48, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %0', 'COPY', -57, { above: DEFS }],
    // Blocks and intrinsics.
    ['¦ %bb.0', 'S_BRANCH', -12],
    ['¦ 7', 'S_BRANCH', -19],
    // Generic types that have to be one.
    ['%1:_(s32) = ¦ %0, %0', 'G_ADD', 16, { above: GENERIC }],
    ['%1:_(s32) = ¦ %0, %2', 'G_ADD', -64, { above: GENERIC }],
    ['%1:_(s64) = ¦ %0, %0', 'G_ADD', -64, { above: GENERIC }],
    ['%1:_(s64) = ¦ %0(s64), %0(s64)', 'G_ADD', 16, { above: GENERIC }],
    ['%1:_(s64) = ¦ %2, %0', 'G_SHL', 16, { above: GENERIC }],
    ['%1:_(s64) = ¦ 7, %0', 'G_SHL', -48, { above: GENERIC }],
    // What raises no exception.
    ['%1:vgpr_32 = nofpexcept ¦', 'V_ADD_F32_e32', 48],
    ['%1:vgpr_32 = nofpexcept ¦', 'V_ADD_U32_e32', -12],
    ['nofpexcept ¦', 'V_ADD_F32_e32', 30],
    ['nofpexcept ¦', 'V_ADD_U32_e32', -30],
    ['nofpexcept ¦', 'S_NOP', -30],
    ['nnan ¦', 'V_ADD_F32_e32', -25],
    // Memory.
    ['%1:vgpr_32 = ¦ %2, 0, 0, implicit $exec :: (load (s32))', 'GLOBAL_LOAD_DWORD', 41, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %2, 0, 0, implicit $exec', 'GLOBAL_LOAD_DWORD', 29, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %2, 0, 0, implicit $exec :: (store (s32))', 'GLOBAL_LOAD_DWORD', -259, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %2, 0, 0, implicit $exec :: (load store (s32))', 'GLOBAL_LOAD_DWORD', -259, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %2, 0, 0, implicit $exec :: ((s32))', 'GLOBAL_LOAD_DWORD', 31, { above: DEFS }],
    ['¦ %2, %0, 0, 0, implicit $exec :: (store (s32))', 'GLOBAL_STORE_DWORD', 32, { above: DEFS }],
    ['¦ %2, %0, 0, 0, implicit $exec :: (load (s32))', 'GLOBAL_STORE_DWORD', -268, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %0, implicit $exec :: (load (s32))', 'V_ADD_U32_e32', -259, { above: DEFS }],
    ['%1:vgpr_32 = ¦ %0, %0, implicit $exec :: ((s32))', 'V_ADD_U32_e32', -19, { above: DEFS }],
    ['¦ %2, %0, 0, 0, implicit $exec :: (load store (s32))', 'GLOBAL_ATOMIC_ADD', 32, { above: DEFS }],
    ['¦ %2, %0, 0, 0, implicit $exec :: (store (s32))', 'GLOBAL_ATOMIC_ADD', 22, { above: DEFS }],
    // Bundles.
    ['¦ {', 'BUNDLE', 200],
    ['¦ {', 'S_NOP', 0],
    ['¦ implicit $exec {', 'BUNDLE', 194],
    ['¦ implicit $exec :: (load (s32)) {', 'BUNDLE', 194],
    ['¦ %2, %0, 0, 0, implicit $exec :: (store (s32)) {', 'GLOBAL_STORE_DWORD', -968, { above: DEFS }],
    // Ends of blocks.
    ['S¦', 'S_NOP', -6, { below: [] }],
    ['%1:vgpr_32 = ¦', 'V_MOV_B32_e32', 18, { below: [] }],
    ['S¦', 'S_ENDPGM', -22],
    ['S¦', 'S_ENDPGM', 22, { below: [] }],
    ['S¦', 'S_BRANCH', -22],
    ['S¦', 'S_BRANCH', 4, { below: [] }],
    ['S¦', 'S_BRANCH', 22, { above: ['successors: %bb.0'], below: [] }],
    ['S¦', 'S_CBRANCH_SCC1', 22, { above: ['successors: %bb.0'], below: [] }],
    ['S¦', 'S_ENDPGM', -15, { above: ['successors: %bb.0'], below: [] }],
    ['S¦', 'S_BRANCH', 46, { above: ['successors: %bb.0', 'S_CBRANCH_SCC0 %bb.0, implicit $scc'], below: [] }],
    ['S¦', 'S_CBRANCH_SCC1', -2, { above: ['successors: %bb.0', 'S_CBRANCH_SCC0 %bb.0, implicit $scc'], below: [] }],
    [
      'S¦',
      'S_CBRANCH_SCC1',
      22,
      { above: ['successors: %bb.0', 'S_CBRANCH_SCC0 %bb.0, implicit $scc', 'S_SLEEP 0'], below: [] },
    ],
    ['S¦', 'S_ENDPGM', 9, { above: ['S_CBRANCH_SCC0 %bb.0, implicit $scc'], below: [], cpu: 'gfx90a' }],
    // Beginnings of blocks.
    ['P¦', 'PHI', -60],
    ['P¦', 'PHI', 0, { above: [] }],
    ['%1:vgpr_32 = ¦', 'PHI', 12, { above: [] }],
    ['%1:vgpr_32 = ¦ %0, %bb.0', 'PHI', 12, { above: [] }],
    ['%1:vgpr_32 = ¦ %0, %bb.0, %0', 'PHI', -108, { above: [] }],
    ['G¦', 'G_PHI', -60],
    // Use in the file 14, 5 more each time it doubles; behind the one above and in front of the one below 6.
    ['V¦', 'V_NOP_e32', 20, { above: ['V_NOP_e32 implicit $exec', 'S_SLEEP 1'] }],
    ['V¦', 'V_NOP_e32', 25, { above: ['V_NOP_e32 implicit $exec', 'V_NOP_e32 implicit $exec', 'S_SLEEP 1'] }],
    [
      'V¦',
      'V_NOP_e32',
      20,
      { above: ['S_SLEEP 0', 'V_NOP_e32 implicit $exec', 'S_BARRIER', 'S_SLEEP 0'], below: ['S_SETPRIO 0'] },
    ],
    ['V¦', 'V_NOP_e32', 20, { above: ['S_SETPRIO 0'], below: ['S_SLEEP 0', 'V_NOP_e32 implicit $exec', 'S_SLEEP 0'] }],
    [
      'V¦',
      'V_NOP_e32',
      26,
      { above: ['S_SETPRIO 0'], below: ['S_SLEEP 0', 'S_SETPRIO 0', 'V_NOP_e32 implicit $exec', 'S_SLEEP 0'] },
    ],
    // Rare forms 5, those of parts of lanes 12, those of other targets and of the compiler 120, 30 where the file has one.
    ['S¦', 'S_MOVK_I32', -5],
    ['V¦', 'V_CMPX_F_U32_e32', -5],
    ['V¦', 'V_CMPX_EQ_U32_e32', 0],
    ['V¦', 'V_CMP_T_U32_e32', -5],
    ['V¦', 'V_CMP_F_U32_e32', -5],
    ['V¦', 'V_CMP_EQ_U32_e32', 0],
    ['V¦', 'V_MOV_B32_dpp', -12],
    ['V¦', 'V_MOV_B32_sdwa', -12],
    ['S¦', 'STACKMAP', -120],
    ['F¦', 'FENTRY_CALL', -120],
    ['C¦', 'CFI_INSTRUCTION', -120],
  ];
  for (const [line, opcode, own, at] of CASES)
    it(`${[...(at?.above ?? []), line].join('; ')}: ${opcode} ${own}`, () =>
      assert.equal(pointsAt(line, opcode, at), String(own)));
});

describe('what is written for an opcode', () => {
  /** `what is written | as a snippet | signature | notes`, and whether more is to be asked for */
  const CASES: readonly (readonly [line: string, opcode: string, shown: string, at?: At])[] = [
    ['S¦', 'S_NOP', 'S_NOP | S_NOP ${1:0}$0 |  simm16 |  | true'],
    ['¦', 'S_NOP', 'S_NOP | S_NOP ${1:0}$0 |  simm16 |  | true'],
    ['S¦', 'S_BARRIER', 'S_BARRIER | S_BARRIER$0 |   |  | false'],
    [
      'V¦',
      'V_ADD_U32_e32',
      '%0:vgpr_32 = V_ADD_U32_e32 | ${1:%0:vgpr_32} = V_ADD_U32_e32 ${2:src0}, ${3:src1}, implicit \\$exec$0 |  vgpr_32 = src0, src1 |  | true',
    ],
    [
      '%1:vgpr_32 = ¦',
      'V_ADD_U32_e32',
      'V_ADD_U32_e32 | V_ADD_U32_e32 ${1:src0}, ${2:src1}, implicit \\$exec$0 |  vgpr_32 = src0, src1 |  | true',
    ],
    ['%1:vgpr_32 = ¦ %0, %0', 'V_ADD_U32_e32', 'V_ADD_U32_e32 |  |  vgpr_32 = src0, src1 |  | '],
    [
      'V¦',
      'V_ADD_CO_U32_e64',
      '%0:vgpr_32, %1:sreg_64 = V_ADD_CO_U32_e64 | ${1:%0:vgpr_32}, ${2:%1:sreg_64} = V_ADD_CO_U32_e64 ${3:src0}, ${4:src1}, ${5:0}, implicit \\$exec$0 |  vgpr_32, sreg_64 = src0, src1, clamp |  | true',
    ],
    ['C¦', 'COPY', 'COPY | %0:${1:class} = COPY ${2:src}$0 |  def = src |  | true'],
    ['%1 = ¦', 'COPY', 'COPY | COPY ${1:src}$0 |  def = src |  | true'],
    ['P¦', 'PHI', 'PHI | %0:${1:class} = PHI ${2:value}, ${3:block}$0 |  def =  |  | true'],
    ['G¦', 'G_PHI', '%0:_(s32) = G_PHI | ${1:%0:_(s32)} = G_PHI ${2:value}, ${3:block}$0 |  def =  |  | true'],
    [
      'R¦',
      'REG_SEQUENCE',
      'REG_SEQUENCE | %0:${1:class} = REG_SEQUENCE ${2:part}, ${3:%subreg.sub0}$0 |  def = part |  | true',
    ],
    [
      'I¦',
      'INSERT_SUBREG',
      'INSERT_SUBREG | %0:${1:class} = INSERT_SUBREG ${2:base}, ${3:part}, ${4:%subreg.sub0}$0 |  def = base, part, subreg |  | true',
    ],
    [
      'E¦',
      'EXTRACT_SUBREG',
      'EXTRACT_SUBREG | %0:${1:class} = EXTRACT_SUBREG ${2:src}, ${3:%subreg.sub0}$0 |  def = src, subreg |  | true',
    ],
    ['I¦', 'IMPLICIT_DEF', 'IMPLICIT_DEF | %0:${1:class} = IMPLICIT_DEF$0 |  def =  |  | false'],
    ['G¦', 'G_CONSTANT', '%0:_(s32) = G_CONSTANT | ${1:%0:_(s32)} = G_CONSTANT ${2:i32 0}$0 |  def = op1 |  | true'],
    ['%1:_(s64) = ¦', 'G_CONSTANT', 'G_CONSTANT | G_CONSTANT ${1:i64 0}$0 |  def = op1 |  | true'],
    ['%1:_(s1) = ¦', 'G_CONSTANT', 'G_CONSTANT | G_CONSTANT ${1:i1 0}$0 |  def = op1 |  | true'],
    ['%1:_(s16) = ¦', 'G_FCONSTANT', 'G_FCONSTANT | G_FCONSTANT ${1:half 0xH0000}$0 |  def = op1 |  | true'],
    ['%1:_(s64) = ¦', 'G_FCONSTANT', 'G_FCONSTANT | G_FCONSTANT ${1:double 0.000000e+00}$0 |  def = op1 |  | true'],
    ['%1:_(s8) = ¦', 'G_FCONSTANT', 'G_FCONSTANT | G_FCONSTANT ${1:float 0.000000e+00}$0 |  def = op1 |  | true'],
    [
      'G¦',
      'G_FCONSTANT',
      '%0:_(s32) = G_FCONSTANT | ${1:%0:_(s32)} = G_FCONSTANT ${2:float 0.000000e+00}$0 |  def = op1 |  | true',
    ],
    [
      'G¦',
      'G_ICMP',
      '%0:_(s1) = G_ICMP | ${1:%0:_(s1)} = G_ICMP ${2:intpred(eq)}, ${3:op2}, ${4:op3}$0 |  def = op1, op2, op3 |  | true',
    ],
    [
      'G¦',
      'G_FCMP',
      '%0:_(s1) = G_FCMP | ${1:%0:_(s1)} = G_FCMP ${2:floatpred(oeq)}, ${3:op2}, ${4:op3}$0 |  def = op1, op2, op3 |  | true',
    ],
    ['G¦', 'G_BRCOND', 'G_BRCOND | G_BRCOND ${1:op0}, ${2:block}$0 |  op0, op1 |  | true'],
    ['G¦', 'G_BR', 'G_BR | G_BR ${1:block}$0 |  op0 |  | true'],
    [
      'G¦',
      'G_FRAME_INDEX',
      '%0:_(p5) = G_FRAME_INDEX | ${1:%0:_(p5)} = G_FRAME_INDEX ${2:%stack.0}$0 |  def = op1 |  | true',
    ],
    [
      'G¦',
      'G_GLOBAL_VALUE',
      '%0:_(p1) = G_GLOBAL_VALUE | ${1:%0:_(p1)} = G_GLOBAL_VALUE ${2:@global}$0 |  def = op1 |  | true',
    ],
    [
      'G¦',
      'G_UADDO',
      '%0:_(s32), %1:_(s1) = G_UADDO | ${1:%0:_(s32)}, ${2:%1:_(s1)} = G_UADDO ${3:op2}, ${4:op3}$0 |  def, def = op2, op3 |  | true',
    ],
    [
      'G¦',
      'G_SHUFFLE_VECTOR',
      '%0:_(<2 x s32>) = G_SHUFFLE_VECTOR | ${1:%0:_(<2 x s32>)} = G_SHUFFLE_VECTOR ${2:op1}, ${3:op2}, ${4:shufflemask(0, 1)}$0 |  def = op1, op2, op3 |  | true',
    ],
    [
      'G¦',
      'G_JUMP_TABLE',
      '%0:_(s32) = G_JUMP_TABLE | ${1:%0:_(s32)} = G_JUMP_TABLE ${2:%jump-table.0}$0 |  def = op1 |  | true',
    ],
    ['G¦', 'G_INTRINSIC', 'G_INTRINSIC | G_INTRINSIC ${1:intrinsic(@llvm)}$0 |  op0 |  | true'],
    [
      'G¦',
      'G_BUILD_VECTOR',
      '%0:_(<2 x s32>) = G_BUILD_VECTOR | ${1:%0:_(<2 x s32>)} = G_BUILD_VECTOR ${2:op1}$0 |  def = op1 |  | true',
    ],
    [
      'G¦',
      'G_MERGE_VALUES',
      '%0:_(s64) = G_MERGE_VALUES | ${1:%0:_(s64)} = G_MERGE_VALUES ${2:op1}$0 |  def = op1 |  | true',
    ],
    ['S¦', 'S_BRANCH', 'S_BRANCH | S_BRANCH ${1:simm16}$0 |  simm16 |  | true'],
    ['S¦', 'S_CBRANCH_SCC1', 'S_CBRANCH_SCC1 | S_CBRANCH_SCC1 ${1:simm16}, implicit \\$scc$0 |  simm16 |  | true'],
    [
      'S¦',
      'S_ADDC_U32',
      '%0:sreg_32 = S_ADDC_U32 | ${1:%0:sreg_32} = S_ADDC_U32 ${2:src0}, ${3:src1}, implicit-def \\$scc, implicit \\$scc$0 |  sreg_32 = src0, src1 |  | true',
    ],
    [
      'V¦',
      'V_CMP_EQ_U32_e32',
      'V_CMP_EQ_U32_e32 | V_CMP_EQ_U32_e32 ${1:src0}, ${2:src1}, implicit-def \\$vcc, implicit \\$exec$0 |  src0, src1 |  | true',
    ],
    [
      'S¦',
      'S_LOAD_DWORD_IMM',
      '%0:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM | ${1:%0:sreg_32_xm0_xexec} = S_LOAD_DWORD_IMM ${2:sbase}, ${3:0}, ${4:0}$0 |  sreg_32_xm0_xexec = sbase, offset, cpol |  | true',
    ],
    ['D¦', 'DBG_VALUE', 'DBG_VALUE | DBG_VALUE$0 |   |  | false'],
    [
      'G¦',
      'GLOBAL_LOAD_DWORD',
      '%0:vgpr_32 = GLOBAL_LOAD_DWORD | ${1:%0:vgpr_32} = GLOBAL_LOAD_DWORD ${2:vaddr}, ${3:0}, ${4:0}, implicit \\$exec$0 |  vgpr_32 = vaddr, offset, cpol |  | true',
    ],
    ['S¦', 'S_ENDPGM', 'S_ENDPGM | S_ENDPGM ${1:0}$0 |  simm16 |  | true'],
    [
      'V¦',
      'V_ADD_U32_e32',
      '%6:vgpr_32 = V_ADD_U32_e32 | ${1:%6:vgpr_32} = V_ADD_U32_e32 ${2:src0}, ${3:src1}, implicit \\$exec$0 |  vgpr_32 = src0, src1 |  | true',
      { above: ['%5:vgpr_32 = IMPLICIT_DEF'] },
    ],
    [
      'V¦',
      'V_ADD_U32_e32',
      '%0:vgpr_32 = V_ADD_U32_e32 | ${1:%0:vgpr_32} = V_ADD_U32_e32 ${2:src0}, ${3:src1}, implicit \\$exec$0 |  vgpr_32 = src0, src1 | not on gfx803, gfx600 | true',
      { others: ['gfx803', 'gfx90a', 'gfx600'] },
    ],
    [
      'V¦',
      'V_ADD_U32_e32',
      '%0:vgpr_32 = V_ADD_U32_e32 | ${1:%0:vgpr_32} = V_ADD_U32_e32 ${2:src0}, ${3:src1}, implicit \\$exec$0 |  vgpr_32 = src0, src1 |  | true',
      { others: ['gfx90a'] },
    ],
    [
      'V¦',
      'V_NOP_e32',
      'V_NOP_e32 | V_NOP_e32 implicit \\$exec$0 |   | used 1 x here | true',
      { above: ['V_NOP_e32 implicit $exec'], others: ['gfx900'] },
    ],
    [
      'V¦',
      'V_ADD_U32_e32_gfx9',
      '%6:vgpr_32 = V_ADD_U32_e32_gfx9 | ${1:%6:vgpr_32} = V_ADD_U32_e32_gfx9 ${2:src0}, ${3:src1}, implicit \\$exec$0 |  vgpr_32 = src0, src1 | used 1 x here | true',
      { above: ['%5:vgpr_32 = V_ADD_U32_e32_gfx9 0, $vgpr0, implicit $exec'] },
    ],
    [
      'V¦',
      'V_PERMLANEX16_B32_e64',
      '%6:vgpr_32 = V_PERMLANEX16_B32_e64 | ${1:%6:vgpr_32} = V_PERMLANEX16_B32_e64 ${2:0}, ${3:src0}, ${4:0}, ${5:src1}, ${6:0}, ${7:src2}, ${8:vdst_in}, ${9:0}, implicit \\$exec$0 |  vgpr_32 = src0_modifiers, src0, src1_modifiers, src1, src2_modifiers, src2, vdst_in, op_sel | not on gfx900, used 1 x here | true',
      { above: ['%5:vgpr_32 = V_PERMLANEX16_B32_e64 0, $vgpr0, 0, 0, 0, 0, $vgpr0, 0, implicit $exec'] },
    ],
  ];
  const shownAt = (line: string, opcode: string, at?: At): string => {
    const { insert, snippet, detail, description, goesOn } = itemAt(line, opcode, at)!;
    return [insert, snippet, detail, description, goesOn].join(' | ');
  };
  for (const [line, opcode, shown, at] of CASES)
    it(`${line}: ${opcode}`, () => assert.equal(shownAt(line, opcode, at), shown));
});

describe('operands of opcodes', () => {
  it('a block is told by its type: no operand is said to be a target otherwise', () => {
    for (const tables of [LLVM22.tables, createSubtarget('r600--', 'cypress', '').tables])
      for (let opc = 0; opc < tables.nOpcodes; opc++)
        for (let k = 0; k < tables.opcodeNumOperands(opc); k++)
          assert.equal(
            tables.opInfoFlags[tables.opInfoBegin(opc) + k]! & OpInfoFlag.BranchTarget,
            0,
            tables.opcodeName(opc),
          );
  });

  it('constants in place of registers', () => {
    const taken: string[] = [];
    for (const [name, type] of Object.entries({
      Unknown: OperandType.Unknown,
      Immediate: OperandType.Immediate,
      Register: OperandType.Register,
      PCRel: OperandType.PCRel,
      FirstGeneric: OperandType.FirstGeneric,
      LastGeneric: OperandType.LastGeneric,
      RegImmInt32: OperandType.RegImmInt32,
      RegImmV2FP32: OperandType.RegImmV2FP32,
      InlineSplitBarrierInt32: OperandType.InlineSplitBarrierInt32,
      InlineACInt32: OperandType.InlineACInt32,
      InlineACFP64: OperandType.InlineACFP64,
      KImm32: OperandType.KImm32,
      InputMods: OperandType.InputMods,
    }))
      if (takesImmediate(type)) taken.push(name);
    assert.deepEqual(taken, [
      'RegImmInt32',
      'RegImmV2FP32',
      'InlineSplitBarrierInt32',
      'InlineACInt32',
      'InlineACFP64',
    ]);
  });

  const TYPES: readonly (readonly [name: string, k: number, type: string])[] = [
    ['G_ADD', 0, 's32'],
    ['G_UADDO', 1, 's1'],
    ['G_ICMP', 0, 's1'],
    ['G_FCMP', 0, 's1'],
    ['G_FRAME_INDEX', 0, 'p5'],
    ['G_GLOBAL_VALUE', 0, 'p1'],
    ['G_PTR_ADD', 0, 'p1'],
    ['G_PTRMASK', 0, 'p1'],
    ['G_INTTOPTR', 0, 'p1'],
    ['G_ADDRSPACE_CAST', 0, 'p0'],
    ['G_BUILD_VECTOR', 0, '<2 x s32>'],
    ['G_BUILD_VECTOR_TRUNC', 0, '<2 x s16>'],
    ['G_CONCAT_VECTORS', 0, '<4 x s16>'],
    ['G_SHUFFLE_VECTOR', 0, '<2 x s32>'],
    ['G_ANYEXT', 0, 's64'],
    ['G_ZEXT', 0, 's64'],
    ['G_SEXT', 0, 's64'],
    ['G_MERGE_VALUES', 0, 's64'],
    ['G_MERGE_VALUES', 1, 's1'],
  ];
  for (const [name, k, type] of TYPES) it(`${name} defines ${type}`, () => assert.equal(usualType(name, k), type));

  const BARRIERS: readonly (readonly [lines: readonly string[], is: boolean])[] = [
    [['¦'], false],
    [['S_ENDPGM 0', '¦'], true],
    [['S_BRANCH %bb.0', '¦'], true],
    [['S_CBRANCH_SCC0 %bb.0, implicit $scc', '¦'], false],
    [['S_NOP 0', '¦'], false],
    [['S_ENDPGM 0', 'S_NOP 0', '¦'], false],
    [['¦', 'S_ENDPGM 0'], false],
  ];
  for (const [lines, is] of BARRIERS)
    it(`${lines.join('; ')}: ${is ? 'nothing falls through' : 'goes on'}`, () => {
      const { scope } = pointScope(`---\nname: f\nbody: |\n  bb.0:\n${lines.map((l) => `    ${l}\n`).join('')}...\n`);
      assert.equal(isBehindBarrier(scope, scope.fn!.tables), is);
    });
  it('the end of another block is not above', () => {
    const { scope } = pointScope('---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n  bb.1:\n    ¦\n    S_NOP 0\n...\n');
    assert.equal(isBehindBarrier(scope, scope.fn!.tables), false);
  });
});
