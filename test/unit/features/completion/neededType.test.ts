/** Completion of definitions, with the class or type that their readers need. */
import assert from 'node:assert/strict';
import { neededType } from '../../../../server/src/features/completion/neededType.js';
import { describeLists } from '../../../support/completionLists.js';
import { atCursor } from '../../../support/cursor.js';

describeLists('definitions');

const DEFS = ['s32', 's64', 'p1', 'p3', '<2 x s16>', 's1'];

interface Asked {
  readonly name?: string;
  readonly bits?: number;
  /** name of the usual bank */
  readonly bank?: string;
  /** of the registers around */
  readonly around?: string;
}

function needed(readers: readonly string[], { name = '9', bits = 0, bank = '', around = '_' }: Asked = {}): string {
  const defs = DEFS.map((type, k) => `    %${k}:${around}(${type}) = G_IMPLICIT_DEF\n`).join('');
  const { snapshot } = atCursor(
    `$0# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n${defs}${readers.map((r) => `    ${r}\n`).join('')}...\n`,
  );
  const { fn } = snapshot.functions[0]!;
  assert.ok(fn !== null);
  return neededType(fn, name, !/^\d/.test(name), { bank: bank === '' ? -1 : fn.tables.regBankByName(bank), bits });
}

const CASES: readonly (readonly [reader: string, needed: string, asked?: Asked])[] = [
  ['%10:_(s32) = G_ADD %0, %9', '_(s32)'],
  ['%10:_(s64) = G_ADD %9, %1', '_(s64)'],
  ['%10:_(s64) = G_ADD %9, %9', '_(s64)'],
  ['%10:_(<2 x s16>) = G_ADD %4, %9', '_(<2 x s16>)'],
  ['%10:_(s32) = G_ADD %0, %x', '_(s32)', { name: 'x' }],
  ['%10:_(s32) = G_ADD %0, %8', ''],
  // Amounts have a type of their own.
  ['%10:_(s64) = G_SHL %9, %0', '_(s64)'],
  ['%10:_(s64) = G_SHL %1, %9', ''],
  ['%10:_(s64) = G_SHL %1, %9', '_(s16)', { bits: 16 }],
  // Conditions.
  ['%10:_(s1) = G_ICMP intpred(eq), %9, %0', '_(s32)'],
  ['%10:_(s1) = G_ICMP intpred(eq), %1, %9', '_(s64)'],
  ['%10:_(s32) = G_SELECT %9, %0, %0', '_(s1)'],
  ['%10:_(s32) = G_SELECT %5, %9, %0', '_(s32)'],
  ['%10:_(s32) = G_SELECT %5, %0, %9', '_(s32)'],
  ['G_BRCOND %9, %bb.0', '_(s1)'],
  // What is widened and narrowed.
  ['%10:_(s64) = G_ZEXT %9', '_(s32)'],
  ['%10:_(s64) = G_SEXT %9', '_(s32)'],
  ['%10:_(s32) = G_ANYEXT %9', '_(s16)'],
  ['%10:_(s64) = G_FPEXT %9', '_(s32)'],
  ['%10:_(s32) = G_TRUNC %9', '_(s64)'],
  ['%10:_(s16) = G_FPTRUNC %9', '_(s32)'],
  ['%10:_(<2 x s32>) = G_ZEXT %9', '_(<2 x s16>)'],
  ['%10:_(s1) = G_TRUNC %9', ''],
  ['%10:_(s1) = G_TRUNC %9', '_(s32)', { bits: 32 }],
  // Of a definition of a part the type of the whole says nothing.
  ['undef %10.sub0:_(s64) = COPY %9', ''],
  ['%10:_(s64) = COPY %9', '_(s64)'],
  ['%10:_(s32) = G_ADD %9, undef %8', '_(s32)'],
  ['%10:_(s32) = COPY %9, implicit %1', '_(s32)'],
  ['S_NOP 0, implicit %9', ''],
  // Memory.
  ['%10:_(s32) = G_LOAD %9 :: (load (s32), addrspace 3)', '_(p3)'],
  ['%10:_(s32) = G_LOAD %9 :: (load (s32), addrspace 1)', '_(p1)'],
  ['%10:_(s32) = G_LOAD %9 :: (load (s32))', '_(p0)'],
  ['%10:_(s32) = G_LOAD %9', '_(p0)'],
  ['%10:_(s32) = G_SEXTLOAD %9 :: (load (s16), addrspace 4)', '_(p4)'],
  ['%10:_(s32) = G_ZEXTLOAD %9 :: (load (s16), addrspace 5)', '_(p5)'],
  ['G_STORE %0, %9 :: (store (s32), addrspace 5)', '_(p5)'],
  ['G_STORE %9, %2 :: (store (s32), addrspace 1)', ''],
  ['G_STORE %9, %2 :: (store (s32), addrspace 1)', '_(s32)', { bits: 32 }],
  ['%10:_(s32) = G_ATOMICRMW_ADD %9, %0 :: (load store (s32), addrspace 1)', '_(p1)'],
  ['%10:_(s32) = G_ATOMICRMW_ADD %2, %9 :: (load store (s32), addrspace 1)', '_(s32)'],
  // Pointers.
  ['%10:_(p1) = G_PTR_ADD %9, %1', '_(p1)'],
  ['%10:_(p1) = G_PTR_ADD %2, %9', '_(s64)'],
  ['%10:_(p3) = G_PTR_ADD %3, %9', '_(s32)'],
  ['%10:_(s64) = G_PTRTOINT %9', ''],
  ['%10:_(s64) = G_PTRTOINT %9', '_(p0)', { bits: 64 }],
  ['%10:_(s32) = G_PTRTOINT %9', '_(p3)', { bits: 32 }],
  ['%10:_(p0) = G_ADDRSPACE_CAST %9', '_(p3)', { bits: 32 }],
  // Copies, and what is no generic reader.
  ['%10:_(s32) = COPY %9', '_(s32)'],
  ['%10:_(s32) = G_PHI %0, %bb.0, %9, %bb.0', '_(s32)'],
  ['$vgpr0 = COPY %9', 'vgpr_32'],
  ['%10:vgpr_32 = COPY %9', 'vgpr_32'],
  ['S_NOP 0, implicit %9', ''],
  ['%10:vgpr_32 = V_MOV_B32_e32 %9, implicit $exec', 'vgpr_32'],
  ['%10:sreg_32 = S_MOV_B32 %9', 'sreg_32'],
  ['%10:_(s32) = G_ADD %0, %0, implicit %9', ''],
  // Banks.
  ['%10:sgpr(s32) = G_ADD %0, %9', 'sgpr(s32)', { bank: 'vgpr', around: 'vgpr' }],
  ['%10:vgpr(s64) = G_ZEXT %9', 'vgpr(s32)', { bank: 'vgpr', around: 'sgpr' }],
  ['%10:vgpr(s32) = G_SELECT %9, %0, %0', 'vcc(s1)', { bank: 'vgpr', around: 'vgpr' }],
  ['%10:vgpr(s32) = G_LOAD %9 :: (load (s32), addrspace 1)', 'vgpr(p1)', { bank: 'vgpr', around: 'vgpr' }],
  ['%10:vgpr(s64) = G_SHL %1, %9', 'vgpr(s32)', { bank: 'vgpr', around: 'vgpr', bits: 32 }],
];

describe('what the readers of a register need', () => {
  for (const [reader, wanted, asked] of CASES)
    it(`${reader}${asked?.bits === undefined ? '' : `, of ${asked.bits} bits`}`, () =>
      assert.equal(needed([reader], asked), wanted));

  it('goes by the first that says something', () => {
    assert.equal(needed(['S_NOP 0, implicit %9', '%10:_(s64) = G_SHL %1, %9', '%11:_(s32) = G_ADD %9, %0']), '_(s32)');
    assert.equal(needed(['%10:_(s64) = G_ADD %1, %9', '%11:_(s32) = G_ADD %9, %0']), '_(s64)');
  });
});
