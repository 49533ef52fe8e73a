/** Each pair of a VALU and a SALU opcode: the function moves, and an interpreter that knows both by the ISA's description sees the same values. llc-22 takes what is made. */
import assert from 'node:assert/strict';
import { LaneValues } from '../../../server/src/analysis/uniformity/laneValues.js';
import type { MachineFunction } from '../../../server/src/model/machineFunction.js';
import { printFunctionDocument } from '../../../server/src/model/printer/index.js';
import { analyzeScalarization, scalarize } from '../../../server/src/passes/scalarize/scalarize.js';
import { LANES, runLanes } from '../../support/laneInterpreter.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';

const [OLD, USUAL, NEW, NEWEST] = ['gfx700', 'gfx900', 'gfx1200', 'gfx1250'];

/** Instruction with %a, %b, %c (32 bits) and %x, %y (64 bits) in vector registers; what it becomes; a processor that has both. */
const PAIRS: readonly (readonly [text: string, scalar: string, cpu: string])[] = [
  ['V_MOV_B32_e32 %a', 'S_MOV_B32', USUAL],
  ['V_NOT_B32_e32 %a', 'S_NOT_B32', USUAL],
  ['V_BFREV_B32_e32 %a', 'S_BREV_B32', USUAL],
  ['V_FFBL_B32_e32 %a', 'S_FF1_I32_B32', USUAL],
  ['V_FFBH_U32_e32 %a', 'S_FLBIT_I32_B32', USUAL],
  ['V_FFBH_I32_e32 %a', 'S_FLBIT_I32', USUAL],
  ['V_BCNT_U32_B32_e64 %a, 0', 'S_BCNT1_I32_B32', USUAL],
  ['V_ADD_U32_e64 %a, %b, 0', 'S_ADD_I32', USUAL],
  ['V_SUB_U32_e64 %a, %b, 0', 'S_SUB_I32', USUAL],
  ['V_SUBREV_U32_e64 %a, %b, 0', 'S_SUB_I32', USUAL],
  ['V_MUL_LO_U32_e64 %a, %b', 'S_MUL_I32', USUAL],
  ['V_MUL_HI_U32_e64 %a, %b', 'S_MUL_HI_U32', USUAL],
  ['V_MUL_HI_I32_e64 %a, %b', 'S_MUL_HI_I32', USUAL],
  ['V_AND_B32_e64 %a, %b', 'S_AND_B32', USUAL],
  ['V_OR_B32_e64 %a, %b', 'S_OR_B32', USUAL],
  ['V_XOR_B32_e64 %a, %b', 'S_XOR_B32', USUAL],
  ['V_XNOR_B32_e64 %a, %b', 'S_XNOR_B32', 'gfx906'],
  ['V_LSHLREV_B32_e64 %a, %b', 'S_LSHL_B32', USUAL],
  ['V_LSHRREV_B32_e64 %a, %b', 'S_LSHR_B32', USUAL],
  ['V_ASHRREV_I32_e64 %a, %b', 'S_ASHR_I32', USUAL],
  ['V_LSHL_B32_e64 %a, %b', 'S_LSHL_B32', OLD],
  ['V_LSHR_B32_e64 %a, %b', 'S_LSHR_B32', OLD],
  ['V_ASHR_I32_e64 %a, %b', 'S_ASHR_I32', OLD],
  ['V_BFM_B32_e64 %a, %b', 'S_BFM_B32', USUAL],
  ['V_BFE_U32_e64 %a, 5, 9', 'S_BFE_U32', USUAL],
  ['V_BFE_U32_e64 %a, 20, 31', 'S_BFE_U32', USUAL],
  ['V_BFE_U32_e64 %a, 3, 0', 'S_BFE_U32', USUAL],
  ['V_BFE_I32_e64 %a, 5, 9', 'S_BFE_I32', USUAL],
  ['V_BFE_I32_e64 %a, 28, 10', 'S_BFE_I32', USUAL],
  ['V_LSHL_ADD_U32_e64 %a, 1, %b', 'S_LSHL1_ADD_U32', USUAL],
  ['V_LSHL_ADD_U32_e64 %a, 2, %b', 'S_LSHL2_ADD_U32', USUAL],
  ['V_LSHL_ADD_U32_e64 %a, 3, %b', 'S_LSHL3_ADD_U32', USUAL],
  ['V_LSHL_ADD_U32_e64 %a, 4, %b', 'S_LSHL4_ADD_U32', USUAL],
  ['V_MIN_I32_e64 %a, %b', 'S_MIN_I32', USUAL],
  ['V_MIN_U32_e64 %a, %b', 'S_MIN_U32', USUAL],
  ['V_MAX_I32_e64 %a, %b', 'S_MAX_I32', USUAL],
  ['V_MAX_U32_e64 %a, %b', 'S_MAX_U32', USUAL],
  ['V_ADD_F32_e64 0, %a, 0, %b, 0, 0', 'S_ADD_F32', NEW],
  ['V_SUB_F32_e64 0, %a, 0, %b, 0, 0', 'S_SUB_F32', NEW],
  ['V_SUBREV_F32_e64 0, %a, 0, %b, 0, 0', 'S_SUB_F32', NEW],
  ['V_MUL_F32_e64 0, %a, 0, %b, 0, 0', 'S_MUL_F32', NEW],
  ['V_TRUNC_F32_e32 %a', 'S_TRUNC_F32', NEW],
  ['V_CEIL_F32_e32 %a', 'S_CEIL_F32', NEW],
  ['V_FLOOR_F32_e32 %a', 'S_FLOOR_F32', NEW],
  ['V_CVT_F32_I32_e32 %a', 'S_CVT_F32_I32', NEW],
  ['V_CVT_F32_U32_e32 %a', 'S_CVT_F32_U32', NEW],
  ['wide V_LSHLREV_B64_e64 %a, %x', 'S_LSHL_B64', USUAL],
  ['wide V_LSHLREV_B64_pseudo_e64 %a, %x', 'S_LSHL_B64', NEW],
  ['wide V_LSHRREV_B64_e64 %a, %x', 'S_LSHR_B64', USUAL],
  ['wide V_ASHRREV_I64_e64 %a, %x', 'S_ASHR_I64', USUAL],
  ['wide V_LSHL_B64_e64 %x, %a', 'S_LSHL_B64', OLD],
  ['wide V_LSHR_B64_e64 %x, %a', 'S_LSHR_B64', OLD],
  ['wide V_ASHR_I64_e64 %x, %a', 'S_ASHR_I64', OLD],
  ['wide V_MOV_B64_PSEUDO -3', 'S_MOV_B64', USUAL],
  ['wide V_MOV_B64_PSEUDO 81985529216486895', 'S_MOV_B64_IMM_PSEUDO', USUAL],
  ['wide V_ADD_U64_e64 %x, %y, 0', 'S_ADD_U64', NEWEST],
  ['wide V_SUB_U64_e64 %x, %y, 0', 'S_SUB_U64', NEWEST],
  ['wide V_MUL_U64_e64 %x, %y', 'S_MUL_U64', NEWEST],
  ['wide V_LSHL_ADD_U64_e64 %x, 0, %y', 'S_ADD_U64', NEWEST],
];

const halves = (low: string, high: string): string => `${low}
    ${high}
    %r:VREG_64 = REG_SEQUENCE %l, %subreg.sub0, %h, %subreg.sub1`;

const sum = (low: string, high: string): string =>
  halves(
    `%l:vgpr_32, %m:MASK = V_${low}_e64 %x.sub0, %y.sub0, 0, implicit $exec`,
    `%h:vgpr_32, dead %n:MASK = V_${high}_e64 %x.sub1, %y.sub1, killed %m, 0, implicit $exec`,
  );

const logic = (op: string): string =>
  halves(
    `%l:vgpr_32 = V_${op}_B32_e64 %x.sub0, %y.sub0, implicit $exec`,
    `%h:vgpr_32 = V_${op}_B32_e64 %x.sub1, %y.sub1, implicit $exec`,
  );

/** Halves of a register that two instructions make. */
const HALVES: readonly (readonly [text: string, scalar: string, cpu: string])[] = [
  [sum('ADD_CO_U32', 'ADDC_U32'), 'S_ADDC_U32', USUAL],
  [sum('ADD_CO_U32', 'ADDC_U32'), 'S_ADD_U64', NEW],
  [sum('SUB_CO_U32', 'SUBB_U32'), 'S_SUBB_U32', USUAL],
  [sum('SUB_CO_U32', 'SUBB_U32'), 'S_SUB_U64', NEW],
  [sum('SUBREV_CO_U32', 'SUBBREV_U32'), 'S_SUBB_U32', USUAL],
  [sum('SUBREV_CO_U32', 'SUBBREV_U32'), 'S_SUB_U64', NEW],
  ...['AND', 'OR', 'XOR'].map((op) => [logic(op), `S_${op}_B64`, USUAL] as const),
  [
    halves('%l:vgpr_32 = V_NOT_B32_e32 %x.sub0, implicit $exec', '%h:vgpr_32 = V_NOT_B32_e32 %x.sub1, implicit $exec'),
    'S_NOT_B64',
    USUAL,
  ],
  // The low half is read elsewhere: it stays one.
  [`${logic('AND')}\n    DS_WRITE %v, %l, 0, 0, implicit $exec`, 'S_AND_B32', USUAL],
  // Of the carry nothing is wanted.
  ['%r:vgpr_32, dead %m:MASK = V_ADD_CO_U32_e64 %a, %b, 0, implicit $exec', 'S_ADD_U32', USUAL],
];

function functionText(instr: string, cpu: string): string {
  const isNarrow = /%r:vgpr_32/.test(instr);
  const vreg64 = cpu === NEWEST ? 'vreg_64_align2' : 'vreg_64';
  const suffix = cpu === OLD ? '' : '_gfx9';
  const text = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr8_sgpr9, $sgpr10_sgpr11

    %v:vgpr_32 = COPY $vgpr0
    %s:sreg_64 = COPY $sgpr8_sgpr9
    %t:sreg_64 = COPY $sgpr10_sgpr11
    %x:VREG_64 = COPY %s
    %y:VREG_64 = COPY %t
    %a:vgpr_32 = COPY %s.sub0
    %b:vgpr_32 = COPY %t.sub0
    ${instr}
    DS_WRITE_B${isNarrow ? 32 : 64} %v, %r, 0, 0, implicit $exec
    S_ENDPGM 0
...
`;
  return text
    .replaceAll('VREG_64', vreg64)
    .replaceAll('MASK', cpu === NEW || cpu === NEWEST ? 'sreg_32_xm0_xexec' : 'sreg_64_xexec')
    .replace(/DS_WRITE(?= )/g, 'DS_WRITE_B32')
    .replace(/(DS_WRITE_B\d+)(?= )/g, `$1${suffix}`)
    .replace(suffix === '' ? /(?<=DS_WRITE[^\n]*), implicit \$exec/g : /^$/, ', implicit $m0, implicit $exec');
}

const WORDS = [
  0, 1, -1, 5, 31, 32, 63, 64, 0x7fffffff, -0x80000000, 123456789, -987654321, 0x3fc00000, 0x40a00000, -0x3f600000,
];

/** Both functions with each pair of values; vgpr0 differs between lanes. */
function compare(before: MachineFunction, after: MachineFunction): void {
  for (const [k, low] of WORDS.entries())
    for (const other of WORDS.filter((_, j) => (j + k) % 3 === 0)) {
      const high = WORDS[(k * 7 + 3) % WORDS.length]!;
      const values: Readonly<Record<string, number>> = { sgpr8: low, sgpr9: high, sgpr10: other, sgpr11: low ^ other };
      const input = (name: string): number[] =>
        name === 'vgpr0' ? [0, 4, 8, 12] : new Array<number>(LANES).fill(values[name]!);
      assert.deepEqual(runLanes(after, input), runLanes(before, input), `${low}, ${high}, ${other}`);
    }
}

describe('opcode pairs of scalarization', () => {
  const cases = [
    ...PAIRS.map(([text, scalar, cpu]) => {
      const isWide = text.startsWith('wide ');
      const instr = `%r:${isWide ? 'VREG_64' : 'vgpr_32'} = ${text.replace('wide ', '')}, implicit $exec`;
      return [
        instr.replace(/, 0, 0, implicit/, (m) => (text.includes('_F32_e64') ? ', 0, 0, implicit $mode, implicit' : m)),
        scalar,
        cpu,
      ] as const;
    }),
    ...HALVES,
  ];
  /** functions before and after, by processor */
  const forLlc = new Map<string, string[]>();
  for (const [instr, scalar, cpu] of cases)
    it(`${/V_\w+/.exec(instr)![0]} to ${scalar} on ${cpu}`, () => {
      const text = functionText(instr.replace(/(V_(?:TRUNC|CEIL|FLOOR|CVT)\w+ %a), /, '$1, implicit $mode, '), cpu);
      const fn = lowerMir(text, { triple: 'amdgcn-amd-amdhsa', cpu })[0]!;
      const { candidates, reasons } = analyzeScalarization(fn, new LaneValues(fn));
      const result = [...candidates].find(({ vreg }) => fn.vregs.name[vreg] === 'r');
      assert.ok(result, `${text}${[...reasons].map(([v, why]) => `${fn.vregs.name[v]}: ${why}`).join('\n')}`);
      const made = scalarize(
        fn,
        candidates.map((c) => c.vreg),
      );
      const names = Array.from(made.order.subarray(0, made.blockEnd[0])).map((i) =>
        made.tables.opcodeName(made.opcode[i]!),
      );
      assert.ok(names.includes(scalar), names.join());
      assert.ok(!names.some((n) => n.startsWith('V_')), names.join());
      compare(fn, made);
      const texts = forLlc.get(cpu) ?? [];
      for (const body of [text, printFunctionDocument(made)])
        texts.push(body.replace(/^name: +f$/m, `name: f${texts.length}`));
      forLlc.set(cpu, texts);
    });

  it('llc-22 takes all of them', function () {
    needsLlc(this);
    for (const [cpu, texts] of forLlc) {
      const args = ['-x', 'mir', '-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpu}`, '-verify-machineinstrs'];
      const run = runLlc([...args, '-run-pass=none', '-o', '/dev/null'], texts.join(''));
      assert.equal(run.status, 0, run.stderr.slice(0, 1500));
    }
  });
});
