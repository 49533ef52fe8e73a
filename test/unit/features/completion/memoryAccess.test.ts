/** What completion proposes after `::`: the memory operand that the opcode and the registers of the line ask for. */
import assert from 'node:assert/strict';
import { provideCompletion } from '../../../../server/src/features/completion/completion.js';
import { AROUND } from '../../../support/completionTexts.js';
import { atCursor, URI } from '../../../support/cursor.js';

function proposed(line: string): string {
  const { snapshot, position } = atCursor(AROUND['memory']!(`${line} :: $0`), { snippets: true });
  return provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items[0]?.label ?? '';
}

/** Words before the instruction, as far as its memory operand is concerned; `%7:_(p3)` and `%8:_(s64)` are known by their types. */
const GENERIC = '%7:_(p3) = G_IMPLICIT_DEF\n    %8:_(s64) = G_IMPLICIT_DEF\n    ';

const ACCESSES: readonly (readonly [string, string])[] = [
  // bytes and halves of a register
  ['%3:vgpr_32 = GLOBAL_LOAD_UBYTE undef %4:vreg_64, 0, 0, implicit $exec', '(load (s8), addrspace 1)'],
  ['%3:vgpr_32 = GLOBAL_LOAD_SBYTE_D16_HI undef %4:vreg_64, 0, 0, %3, implicit $exec', '(load (s8), addrspace 1)'],
  ['%3:vgpr_32 = GLOBAL_LOAD_SSHORT undef %4:vreg_64, 0, 0, implicit $exec', '(load (s16), addrspace 1)'],
  ['%3:vgpr_32 = GLOBAL_LOAD_SHORT_D16 undef %4:vreg_64, 0, 0, %3, implicit $exec', '(load (s16), addrspace 1)'],
  ['GLOBAL_STORE_BYTE undef %4:vreg_64, %0, 0, 0, implicit $exec', '(store (s8), addrspace 1)'],
  ['FLAT_STORE_SHORT undef %4:vreg_64, %0, 0, 0, implicit $exec, implicit $flat_scr', '(store (s16))'],
  ['%3:vgpr_32 = DS_READ_U8_gfx9 %0, 0, 0, implicit $exec', '(load (s8), addrspace 3)'],
  ['%3:vgpr_32 = DS_READ_I16_gfx9 %0, 0, 0, implicit $exec', '(load (s16), addrspace 3)'],
  ['DS_WRITE_B8_gfx9 %0, %0, 0, 0, implicit $exec', '(store (s8), addrspace 3)'],
  ['DS_WRITE_B16_D16_HI %0, %0, 0, 0, implicit $exec', '(store (s16), addrspace 3)'],
  ['%3:vgpr_32 = BUFFER_LOAD_UBYTE_OFFSET undef %4:sgpr_128, 0, 0, 0, 0, implicit $exec', '(load (s8), addrspace 1)'],
  // whole ones
  ['%3:vreg_96 = GLOBAL_LOAD_DWORDX3 undef %4:vreg_64, 0, 0, implicit $exec', '(load (<3 x s32>), addrspace 1)'],
  ['%3:vreg_64 = DS_READ_B64_gfx9 %0, 0, 0, implicit $exec', '(load (s64), addrspace 3)'],
  // what is spilled lies in the frame
  ['SI_SPILL_V128_SAVE undef %4:vreg_128, %stack.0, $sgpr32, 0, implicit $exec', '(store (<4 x s32>), addrspace 5)'],
  ['%3:vgpr_32 = SI_SPILL_V32_RESTORE %stack.0, $sgpr32, 0, implicit $exec', '(load (s32), addrspace 5)'],
  ['%3:sgpr_64 = SI_SPILL_S64_RESTORE %stack.0, implicit $exec, implicit $sgpr32', '(load (s64), addrspace 5)'],
  // generic ones: types that are written, types that registers have elsewhere, and none
  ['%3:_(<2 x s16>) = G_LOAD %4(p1)', '(load (<2 x s16>), addrspace 1)'],
  ['%3:_(p0) = G_LOAD %4(p4)', '(load (p0), addrspace 4)'],
  ['G_STORE %4(s96), %5(p5)', '(store (s96), addrspace 5)'],
  [`${GENERIC}G_STORE %8, %7`, '(store (s64), addrspace 3)'],
  [`${GENERIC}%3:_(s32) = G_LOAD %7`, '(load (s32), addrspace 3)'],
  ['%3:_(s64) = G_SEXTLOAD %4(p1)', '(load (s32), addrspace 1)'],
  ['%3:_(s32) = G_ZEXTLOAD %4(p0)', '(load (s16))'],
  ['%3:_(s32) = G_ATOMICRMW_ADD %4(p3), %5', '(load store (s32), addrspace 3)'],
  ['%3:_(s64) = G_LOAD %4', '(load (s64))'],
];

describe('memory operands that are proposed', () => {
  for (const [line, expected] of ACCESSES)
    it(`${line.slice(line.lastIndexOf('\n') + 1).trim()}: ${expected}`, () =>
      assert.equal(proposed(`    ${line}`), expected));
});
