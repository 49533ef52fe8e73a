/**
 * Which registers the rematerialization stages take as candidates, and why not the others (docs/llvm/remat.md, A.2, B.1 and C). The function needs one VGPR
 * less for ten waves of gfx908.
 */
import assert from 'node:assert/strict';
import type { SchedulerModel } from '../../../../../server/src/passes/scheduler/schedulerModel.js';
import { entryFunctionFile } from '../../../../support/mir.js';
import { traceText } from '../../../../support/schedule.js';

const N_FIXED = 25;
const FIXED = Array.from({ length: N_FIXED }, (_, k) => k);
const [OLD, MAIN, JULY] = ['llvm-22', 'llvm-main-2026-01', 'llvm-main-2026-07'] as const;

/** What a stage makes of %30. `here`: the lines of the first block; `there`: those of the second, before the users of what fills it. */
function verdict(model: SchedulerModel, here: readonly string[], there: readonly string[]): string {
  const text = entryFunctionFile('-mtriple=amdgcn -mcpu=gfx908', [
    '    liveins: $sgpr4, $vgpr0',
    '    %50:sgpr_32 = COPY $sgpr4',
    '    %51:vgpr_32 = COPY $vgpr0',
    ...FIXED.map((k) => `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec, implicit-def $m0`),
    ...here.map((l) => `    ${l}`),
    '    S_BRANCH %bb.1',
    '  bb.1:',
    ...there.map((l) => `    ${l}`),
    ...FIXED.map((k) => `    S_NOP 0, implicit %${k}`),
    '    S_ENDPGM 0, implicit %50',
  ]);
  const { remat } = traceText(text, { model })[0]!.trace;
  assert.ok(remat !== null);
  if (remat.candidates.some((c) => c.name === '%30')) return 'candidate';
  const rejected = remat.rejected.find((r) => r.name === '%30');
  // the report is about what lives from region to region
  if (rejected === undefined) return 'not mentioned';
  return [rejected.why, rejected.operandName].filter((word) => word !== '').join(': ');
}

const DEF = '%30:vgpr_32 = V_MOV_B32_e32 7, implicit $exec';
const USE = 'S_NOP 0, implicit %30';

const OUTSIDE = 'user outside of all regions';
const MISSING = 'operand not available at the use: %';

type Case = readonly [
  what: string,
  here: readonly string[],
  there: readonly string[],
  main: string,
  july: string,
  old?: string,
];

/** %30 reads one half of a register, or both; `there` is what follows. Halves are below and above the 16th register of 32. */
function lanesOf(type: string, first: string, second: string): Case[] {
  const move = (to: string): string => `%52.${to} = V_MOV_B32_e32 1, implicit $exec, implicit-def $m0`;
  const both = [`undef %52.${first}:${type} = V_MOV_B32_e32 1, implicit $exec, implicit-def $m0`, move(second)];
  const end = (...subs: string[]): string[] => subs.map((x) => `S_NOP 0, implicit %52.${x}`);
  const rows: readonly (readonly [what: string, there: readonly string[], hasFirst: boolean, hasSecond: boolean])[] = [
    ['the first is read after it', [USE, ...end(first)], true, false],
    ['the second is read after it', [USE, ...end(second)], false, true],
    ['both are, one by one', [USE, ...end(first, second)], true, true],
    ['both are, the other way round', [USE, ...end(second, first)], true, true],
    ['both are at once', [USE, 'S_NOP 0, implicit %52'], true, true],
    ['the first ends before', [...end(first), USE, ...end(second)], false, true],
    ['the second ends before', [...end(second), USE, ...end(first)], true, false],
    ['the first is read with it', [`S_NOP 0, implicit %30, implicit %52.${first}`], true, false],
    ['the second is read with it', [`S_NOP 0, implicit %52.${second}, implicit %30`], false, true],
    ['the first is written after it', [USE, move(first), 'S_NOP 0, implicit %52'], false, true],
    ['the second is written after it', [USE, move(second), 'S_NOP 0, implicit %52'], true, false],
    ['the second is written after a reader', [USE, ...end(second), move(second), 'S_NOP 0, implicit %52'], true, true],
    ['the first is written before', [move(first), 'S_SETPRIO 1', USE, 'S_NOP 0, implicit %52'], false, false],
    ['the first is written for it', [move(first), 'S_NOP 0, implicit %30, implicit %52'], false, false],
    ['the second is written before', [move(second), 'S_SETPRIO 1', USE, 'S_NOP 0, implicit %52'], false, false],
    ['the second is written for it', [move(second), 'S_NOP 0, implicit %30, implicit %52'], false, false],
    ['the first is read in another region', [USE, 'S_SETPRIO 1', ...end(first)], true, false],
    ['the second is read in another region', [USE, 'S_SETPRIO 1', ...end(second)], false, true],
    ['both are, one of them in another region', [USE, ...end(first), 'S_SETPRIO 1', ...end(second)], true, true],
    ['both are written in another region', [USE, 'S_SETPRIO 1', move(first), move(second), 'S_NOP 0, implicit %52'], false, false],
    ['none is read', [USE], false, false],
  ]; // prettier-ignore
  const verdictOf = (has: boolean): string => (has ? 'candidate' : `${MISSING}52`);
  return rows.flatMap(([what, there, hasFirst, hasSecond]) => {
    const reads = (operand: string): string => `%30:vgpr_32 = V_ADD_U32_e32 1, ${operand}, implicit $exec`;
    const [a, b] = [verdictOf(hasFirst), verdictOf(hasSecond)];
    const part = (sub: string, v: string): Case => [
      `${type}, %30 of ${sub}, ${what}`,
      [...both, reads(`%52.${sub}`)],
      there,
      v,
      v,
    ];
    const undef: Case = [
      `${type}, an undefined read, ${what}`,
      [...both, reads(`undef %52.${first}`)],
      there,
      'candidate',
      'candidate',
    ];
    return [part(first, a), part(second, b), undef];
  });
}

/** The same of a whole register of which one half was written. */
const HALF: readonly Case[] = (
  [
    ['sub0', true],
    ['sub1', false],
    ['', true],
  ] as const
).map(([sub, has]): Case => {
  const read = sub === '' ? '%52' : `%52.${sub}`;
  const here = [
    'undef %52.sub0:vreg_64 = V_MOV_B32_e32 1, implicit $exec, implicit-def $m0',
    '%30:vgpr_32 = nofpexcept V_CVT_I32_F64_e32 %52, implicit $exec, implicit $mode',
  ];
  const v = has ? 'candidate' : `${MISSING}52`;
  return [
    `half a register, ${read} is read after`,
    here,
    [USE, `S_NOP 0, implicit ${sub === 'sub1' ? 'undef ' : ''}${read}`],
    v,
    v,
  ];
});

const LANES: readonly Case[] = [
  ...lanesOf('vreg_64', 'sub0', 'sub1'),
  ...lanesOf('vreg_1024', 'sub0', 'sub16'),
  ...lanesOf('vreg_1024', 'sub16', 'sub17'),
  ...lanesOf('vreg_1024', 'sub17', 'sub1'),
  ...HALF,
];

/** Lines of the first and of the second block, and the verdicts: of main, of July, and of 22 where it is not that of main. */
const CASES: readonly Case[] = [
  ['one user elsewhere', [DEF], [USE], 'candidate', 'candidate'],
  ['two users elsewhere', [DEF], [USE, USE], 'several users', 'candidate'],
  ['a user in its own region, too', [DEF, USE], [USE], 'several users', 'candidate'],
  ['users in its own region only', [DEF, USE], [], 'not mentioned', 'not mentioned'],
  ['two users in its own region', [DEF, USE, USE], [], 'not mentioned', 'not mentioned'],
  ['two definitions', ['undef %30.sub0:vreg_64 = V_MOV_B32_e32 7, implicit $exec', '%30.sub1:vreg_64 = V_MOV_B32_e32 8, implicit $exec'], [USE], 'several definitions', 'several definitions'],
  ['a user in a bundle', [DEF], ['BUNDLE implicit %30 {', '  S_NOP 0, implicit %30', '  S_NOP 1', '}'], 'several users', 'user outside of all regions'],
  ['a user that is a boundary after another', [DEF], ['S_SETPRIO 1', 'S_SETPRIO 2, implicit %30'], 'user outside of all regions', 'user outside of all regions', 'candidate'],
  ['a user that ends a region', [DEF], ['S_NOP 1', 'S_SETPRIO 2, implicit %30'], 'candidate', 'candidate'],
  ['a user in another region of its block', [DEF, 'S_SETPRIO 1', USE, 'S_NOP 1'], [], 'candidate', 'candidate'],
  ['an operand that lives on', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec'], [USE, 'S_NOP 0, implicit %51'], 'candidate', 'candidate'],
  ['an operand that ends at it', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec'], [USE], 'operand not available at the use: %51', 'operand not available at the use: %51'],
  ['an operand that ends before the user', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec'], ['S_NOP 0, implicit %51', 'S_NOP 1', USE], 'operand not available at the use: %51', 'operand not available at the use: %51'],
  ['an operand that has another value by then', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec', '%51:vgpr_32 = V_MOV_B32_e32 0, implicit $exec, implicit-def $m0'], [USE, 'S_NOP 0, implicit %51'], 'operand not available at the use: %51', 'operand not available at the use: %51'],
  ['a user whose first register is a candidate', ['%31:sreg_32 = S_MOV_B32 3', '%30:sreg_32 = S_MOV_B32 4'], ['S_CMP_LG_U32 %31, %30, implicit-def $scc'], 'user is rematerialized itself', 'user is rematerialized itself', 'candidate'],
  ['a user whose second register is a candidate', ['%31:sreg_32 = S_MOV_B32 3', '%30:sreg_32 = S_MOV_B32 4'], ['S_CMP_LG_U32 %30, %31, implicit-def $scc'], 'candidate', 'candidate'],
  ['an operand that is a candidate', ['%31:sreg_32 = S_MOV_B32 3', '%30:sreg_32 = S_ADD_I32 %31, 4, implicit-def dead $scc'], [USE, 'S_NOP 0, implicit %31'], 'not rematerializable', 'not rematerializable'],
  ['a convergent user in another block', [DEF], ['%31:sgpr_32 = V_READFIRSTLANE_B32 %30, implicit $exec', 'S_NOP 0, implicit %31'], 'candidate', 'convergent in another block'],
  ['a convergent user in another region of its block', [DEF, 'S_SETPRIO 1', '%31:sgpr_32 = V_READFIRSTLANE_B32 %30, implicit $exec', 'S_NOP 0, implicit %31'], [], 'candidate', 'candidate'],
  ['a convergent user of an SGPR', ['%30:sreg_32 = S_MOV_B32 4'], ['%31:vgpr_32 = V_WRITELANE_B32 %30, 0, undef %31', 'S_NOP 0, implicit %31'], 'candidate', 'candidate'],
  ['more than a register', ['%30:vgpr_32 = V_MOV_B32_e32 7, implicit $exec, implicit-def $m0'], [USE], 'extra implicit operands', 'extra implicit operands'],
  ['a user in a bundle whose header does not name it', [DEF], ['BUNDLE {', '  S_NOP 0, implicit %30', '  S_NOP 1', '}'], OUTSIDE, OUTSIDE],
  // July goes by register number
  ['a user that was chosen', [DEF, 'S_SETPRIO 1', '%31:vgpr_32 = V_ADD_U32_e32 1, undef %30, implicit $exec'], ['S_NOP 0, implicit %31'], 'user is rematerialized itself', 'candidate'],
  // an operand of a user outside of all regions: it is there, it ends before, it is another
  ['an operand that lives past the user', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec'], ['S_SETPRIO 1', 'S_SETPRIO 2, implicit %30', 'S_NOP 0, implicit %51'], OUTSIDE, OUTSIDE, 'candidate'],
  ['an operand that a boundary reads with the user', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec'], ['S_SETPRIO 1', 'S_SETPRIO 2, implicit %30, implicit %51'], OUTSIDE, OUTSIDE, 'candidate'],
  ['an operand that has ended there', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec'], ['S_NOP 0, implicit %51', 'S_SETPRIO 1', 'S_SETPRIO 2, implicit %30'], OUTSIDE, OUTSIDE, `${MISSING}51`],
  ['an operand that was written there', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec'], ['%51:vgpr_32 = V_MOV_B32_e32 0, implicit $exec, implicit-def $m0', 'S_SETPRIO 1', 'S_SETPRIO 2, implicit %30', 'S_NOP 0, implicit %51'], OUTSIDE, OUTSIDE, `${MISSING}51`],
  ...LANES,
]; // prettier-ignore

describe('registers for the rematerialization stages', () => {
  for (const [what, here, there, main, july, old] of CASES.filter((c) => !LANES.includes(c))) {
    it(`${what}, in 22: ${old ?? main}`, () => assert.equal(verdict(OLD, here, there), old ?? main));
    it(`${what}: ${main}`, () => assert.equal(verdict(MAIN, here, there), main));
    it(`${what}, in July: ${july}`, () => assert.equal(verdict(JULY, here, there), july));
  }

  for (let first = 0; first < LANES.length; first += 19)
    it(`by lanes of an operand, from the ${first + 1}. on`, () => {
      for (const [what, here, there, expected] of LANES.slice(first, first + 19))
        assert.equal(verdict(OLD, here, there), expected, what);
    });
});
