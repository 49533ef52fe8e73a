/** A line of meaning per opcode: there is one for those that the corpora use most, and what some of them say. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { opcodeMeaning } from '../../../server/src/features/words/opcodeMeaning.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { createSubtarget, releaseOf, type TargetTables } from '../../../server/src/target/index.js';
import { atCursor } from '../../support/cursor.js';
import { expect } from '../../support/expect.js';

const RELEASES = (['llvm-22', 'llvm-24'] as const).map(
  (name) => createSubtarget('amdgcn-amd-amdhsa', 'gfx942', '', releaseOf(name)).tables,
);

/** Of the release that has it; undefined: none has. */
function meaningOf(name: string): string | undefined {
  const tables = RELEASES.find((t: TargetTables) => t.opcodeByName(name) >= 0);
  return tables === undefined ? undefined : opcodeMeaning(tables, tables.opcodeByName(name));
}

/** Most used first; from the corpora of this project's measurements. */
const USED = readFileSync(join(__dirname, '..', '..', 'fixtures', 'usedOpcodes.txt'), 'utf8')
  .trim()
  .split('\n');

describe('the meaning of an opcode', () => {
  it('is told of all that are used much', () => {
    const known = USED.filter((name) => meaningOf(name) !== undefined);
    assert.ok(known.length >= 450, `${known.length}`);
    assert.deepEqual(
      known.filter((name) => meaningOf(name) === ''),
      [],
    );
  });

  it('says what is computed, of which type, and what happens to SCC', () => {
    const names = [
      ...[
        'V_ADD_F32_e32',
        'V_SUBREV_U32_e64',
        'V_ADDC_U32_e64',
        'V_LSHLREV_B64_e64',
        'V_CMP_LT_I32_e64',
        'V_CMPX_EQ_U32_nosdst_e32',
      ],
      ...[
        'V_CVT_F32_UBYTE1_e32',
        'V_CVT_I32_F32_e32',
        'V_PK_FMA_F16',
        'V_MFMA_F32_32X32X8F16_mac_e64',
        'V_DUAL_MOV_B32_e32_X_MOV_B32_e32_gfx11',
      ],
      ...[
        'S_AND_B32',
        'S_ADD_U32',
        'S_ADD_U64',
        'S_AND_SAVEEXEC_B64',
        'S_CMP_LG_U32',
        'S_CSELECT_B32',
        'S_LOAD_DWORDX4_IMM',
      ],
      ...[
        'BUFFER_LOAD_DWORD_OFFEN',
        'GLOBAL_LOAD_SHORT_D16_HI',
        'DS_READ2ST64_B64_gfx9',
        'GLOBAL_ATOMIC_ADD_SADDR_RTN',
        'DS_BPERMUTE_B32',
      ],
      ...[
        'TBUFFER_LOAD_FORMAT_X_OFFSET',
        'SI_SPILL_AV64_SAVE',
        'S_WAIT_LOADCNT_DSCNT',
        'S_WAITCNT_DEPCTR',
        'G_SELECT',
        'PHI',
      ],
    ];
    expect`
      V_ADD_F32_e32: a + b, 32-bit float
      V_SUBREV_U32_e64: b - a, unsigned 32-bit
      V_ADDC_U32_e64: a + b + carry of the lane, and the mask of lanes that carry, unsigned 32-bit
      V_LSHLREV_B64_e64: b << a, 64 bits
      V_CMP_LT_I32_e64: mask of the lanes in which a < b, signed 32-bit
      V_CMPX_EQ_U32_nosdst_e32: EXEC = lanes in which a = b, unsigned 32-bit
      V_CVT_F32_UBYTE1_e32: byte 1 of a as 32-bit float
      V_CVT_I32_F32_e32: a, 32-bit float, as signed 32-bit
      V_PK_FMA_F16: two at once: a * b + c, rounded once, 16-bit float
      V_MFMA_F32_32X32X8F16_mac_e64: matrices of the whole wave: 32x32 of 32-bit float + 32x8 * 8x32 of f16
      V_DUAL_MOV_B32_e32_X_MOV_B32_e32_gfx11: two at once: copies a, 32 bits; and copies a, 32 bits
      S_AND_B32: a & b, 32 bits; SCC = it is not 0
      S_ADD_U32: a + b, unsigned 32-bit; SCC = carry or overflow
      S_ADD_U64: a + b, unsigned 64-bit
      S_AND_SAVEEXEC_B64: d = EXEC, then EXEC = a & EXEC; SCC = it is not 0
      S_CMP_LG_U32: SCC = a != b, unsigned 32-bit
      S_CSELECT_B32: a if SCC is 1, else b, 32 bits
      S_LOAD_DWORDX4_IMM: reads 128 bits from memory, once for the wave
      BUFFER_LOAD_DWORD_OFFEN: reads 32 bits from a buffer
      GLOBAL_LOAD_SHORT_D16_HI: reads 16 bits into the high half from global memory
      DS_READ2ST64_B64_gfx9: reads two elements far apart of 64 bits from LDS
      GLOBAL_ATOMIC_ADD_SADDR_RTN: global memory: adds, at once for all who look
      DS_BPERMUTE_B32: b of the lane that address a names, by the crossbar of LDS
      TBUFFER_LOAD_FORMAT_X_OFFSET: reads elements X by the format from a typed buffer
      SI_SPILL_AV64_SAVE: spills 64 bits of VGPRs or AGPRs
      S_WAIT_LOADCNT_DSCNT: waits until no more than so many loads and accesses to LDS are under way
      S_WAITCNT_DEPCTR: waits until writes of VALU, SALU and VMEM that its fields name have come so far
      G_SELECT: b if a, else c
      PHI: the value that belongs to the block that control came from

    `.equals(names.map((name) => `${name}: ${meaningOf(name)}\n`).join(''));
  });

  it('stands in the hover of an instruction', () => {
    const { snapshot, position } = atCursor(`# RUN: llc -mtriple=amdgcn -mcpu=gfx942 -run-pass=none %s
---
name: f
body: |
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %1:vgpr_32 = V_LSHL_$0ADD_U32_e64 %0, 2, %0, implicit $exec
    S_ENDPGM 0
...
`);
    const { value } = provideHover(snapshot, { position })!.contents as { value: string };
    assert.match(value, /^\*\*V_LSHL_ADD_U32_e64\*\* \(a \\<\\< b\) \+ c, unsigned 32-bit · VALU/);
  });
});
