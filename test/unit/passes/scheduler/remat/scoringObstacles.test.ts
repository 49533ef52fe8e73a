/**
 * Which registers the stages of LLVM main take as candidates, and why not the others (docs/llvm/remat.md, B.1 and C). The function needs one VGPR less for ten
 * waves of gfx908.
 */
import assert from 'node:assert/strict';
import type { SchedulerModel } from '../../../../../server/src/passes/scheduler/schedulerModel.js';
import { entryFunctionFile } from '../../../../support/mir.js';
import { traceText } from '../../../../support/schedule.js';

const N_FIXED = 25;
const FIXED = Array.from({ length: N_FIXED }, (_, k) => k);
const [MAIN, JULY] = ['llvm-main', 'llvm-main-2026-07'] as const;

/** What a stage makes of %30. `here`: the lines of the first block; `there`: those of the second, in front of the users of what fills it. */
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

/** Lines of the first and of the second block, and the verdict of both models. */
const CASES: readonly (readonly [what: string, here: readonly string[], there: readonly string[], main: string, july: string])[] = [
  ['one user elsewhere', [DEF], [USE], 'candidate', 'candidate'],
  ['two users elsewhere', [DEF], [USE, USE], 'several users', 'candidate'],
  ['a user in its own region, too', [DEF, USE], [USE], 'several users', 'candidate'],
  ['users in its own region only', [DEF, USE], [], 'not mentioned', 'not mentioned'],
  ['two users in its own region', [DEF, USE, USE], [], 'not mentioned', 'not mentioned'],
  ['two definitions', ['undef %30.sub0:vreg_64 = V_MOV_B32_e32 7, implicit $exec', '%30.sub1:vreg_64 = V_MOV_B32_e32 8, implicit $exec'], [USE], 'several definitions', 'several definitions'],
  ['a user in a bundle', [DEF], ['BUNDLE implicit %30 {', '  S_NOP 0, implicit %30', '  S_NOP 1', '}'], 'several users', 'user outside of all regions'],
  ['a user that is a boundary behind another', [DEF], ['S_SETPRIO 1', 'S_SETPRIO 2, implicit %30'], 'user outside of all regions', 'user outside of all regions'],
  ['a user that ends a region', [DEF], ['S_NOP 1', 'S_SETPRIO 2, implicit %30'], 'candidate', 'candidate'],
  ['a user in another region of its block', [DEF, 'S_SETPRIO 1', USE, 'S_NOP 1'], [], 'candidate', 'candidate'],
  ['an operand that lives on', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec'], [USE, 'S_NOP 0, implicit %51'], 'candidate', 'candidate'],
  ['an operand that ends at it', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec'], [USE], 'operand not available at the use: %51', 'operand not available at the use: %51'],
  ['an operand that ends in front of the user', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec'], ['S_NOP 0, implicit %51', 'S_NOP 1', USE], 'operand not available at the use: %51', 'operand not available at the use: %51'],
  ['an operand that has another value by then', ['%30:vgpr_32 = V_ADD_U32_e32 1, %51, implicit $exec', '%51:vgpr_32 = V_MOV_B32_e32 0, implicit $exec, implicit-def $m0'], [USE, 'S_NOP 0, implicit %51'], 'operand not available at the use: %51', 'operand not available at the use: %51'],
  ['a user whose first register is a candidate', ['%31:sreg_32 = S_MOV_B32 3', '%30:sreg_32 = S_MOV_B32 4'], ['S_CMP_LG_U32 %31, %30, implicit-def $scc'], 'user is rematerialized itself', 'user is rematerialized itself'],
  ['a user whose second register is a candidate', ['%31:sreg_32 = S_MOV_B32 3', '%30:sreg_32 = S_MOV_B32 4'], ['S_CMP_LG_U32 %30, %31, implicit-def $scc'], 'candidate', 'candidate'],
  ['an operand that is a candidate', ['%31:sreg_32 = S_MOV_B32 3', '%30:sreg_32 = S_ADD_I32 %31, 4, implicit-def dead $scc'], [USE, 'S_NOP 0, implicit %31'], 'not rematerializable', 'not rematerializable'],
  ['a convergent user in another block', [DEF], ['%31:sgpr_32 = V_READFIRSTLANE_B32 %30, implicit $exec', 'S_NOP 0, implicit %31'], 'candidate', 'convergent in another block'],
  ['a convergent user in another region of its block', [DEF, 'S_SETPRIO 1', '%31:sgpr_32 = V_READFIRSTLANE_B32 %30, implicit $exec', 'S_NOP 0, implicit %31'], [], 'candidate', 'candidate'],
  ['a convergent user of an SGPR', ['%30:sreg_32 = S_MOV_B32 4'], ['%31:vgpr_32 = V_WRITELANE_B32 %30, 0, undef %31', 'S_NOP 0, implicit %31'], 'candidate', 'candidate'],
  ['more than a register', ['%30:vgpr_32 = V_MOV_B32_e32 7, implicit $exec, implicit-def $m0'], [USE], 'extra implicit operands', 'extra implicit operands'],
]; // prettier-ignore

describe('registers for the scoring rematerialization stages', () => {
  for (const [what, here, there, main, july] of CASES) {
    it(`${what}: ${main}`, () => assert.equal(verdict(MAIN, here, there), main));
    it(`${what}, in July: ${july}`, () => assert.equal(verdict(JULY, here, there), july));
  }
});
