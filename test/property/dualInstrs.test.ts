/** gcn-create-vopd on random instructions of the VALU in a few registers: llc-22, LLVM 24 and amdgpu-mir print the same. */
import { itRunsAsLlc24OnRandomInstrs, itRunsAsLlcOnRandomInstrs } from '../support/randomRuns.js';

const SOURCES = ['V1', 'V1', 'V1', 'S1', '$vcc_lo', '1', '1234', '77'];
const each = (text: (source: string) => string): string[] => SOURCES.map(text);
const PAIRED = [
  ...each((s) => `V1 = V_MOV_B32_e32 ${s}, implicit $exec`),
  ...['ADD_U32', 'LSHLREV_B32', 'AND_B32'].flatMap((op) => each((s) => `V1 = V_${op}_e32 ${s}, V1, implicit $exec`)),
  ...['ADD_F32', 'SUB_F32', 'SUBREV_F32', 'MUL_F32', 'MUL_LEGACY_F32', 'MAX_F32', 'MIN_F32'].flatMap((op) =>
    each((s) => `V1 = nofpexcept V_${op}_e32 ${s}, V1, implicit $mode, implicit $exec`),
  ),
  ...each((s) => `V1 = V_CNDMASK_B32_e32 ${s}, V1, implicit $vcc_lo, implicit $exec`),
  ...['77', '1234', '1'].flatMap((k) => [
    ...each(
      (s) => `V1 = V_FMAAK_F32 ${/^[17]/.test(s) && s !== k ? 'V1' : s}, V1, ${k}, implicit $mode, implicit $exec`,
    ),
    ...each(
      (s) => `V1 = V_FMAMK_F32 ${/^[17]/.test(s) && s !== k ? 'V1' : s}, ${k}, V1, implicit $mode, implicit $exec`,
    ),
  ]),
  ...[0, 1, 2, 3, 4, 5].flatMap((n) =>
    each((s) => `$vgpr${n} = V_FMAC_F32_e32 ${s}, V1, $vgpr${n}, implicit $mode, implicit $exec`),
  ),
  ...[0, 3].map(
    (n) => `$vgpr${n} = V_DOT2_F32_F16 8, V1, 8, V1, 8, $vgpr${n}, 0, 0, 0, 0, 0, implicit $mode, implicit $exec`,
  ),
  'DBG_VALUE V1, $noreg',
];
const TEMPLATES = `\n${[...PAIRED, ...PAIRED].join('\n')}\n`;

describe('instructions with two halves, as llc-22', () => itRunsAsLlcOnRandomInstrs('gcn-create-vopd', 40, TEMPLATES));

/** What gfx1250 pairs besides, in the encoding with three sources. */
const LONG = [
  ...['ADD_F32', 'SUB_F32', 'MUL_F32', 'MUL_LEGACY_F32', 'MAX_F32'].flatMap((op) =>
    ['0, V1, 0, V1', '1, S1, 0, V1', '0, 1, 1, V1', '2, V1, 0, V1'].map(
      (sources) => `V1 = nofpexcept V_${op}_e64 ${sources}, 0, 0, implicit $mode, implicit $exec`,
    ),
  ),
  ...['ADD_U32', 'SUB_U32'].map((op) => `V1 = V_${op}_e64 S1, V1, 0, implicit $exec`),
  ...['AND_B32', 'ASHRREV_I32', 'LSHLREV_B32', 'MAX_I32', 'MIN_I32'].flatMap((op) =>
    ['S1', 'V1', '1'].map((source) => `V1 = V_${op}_e64 ${source}, V1, implicit $exec`),
  ),
  ...['AND', 'OR', 'XOR', 'XNOR'].map((op) => `V1 = V_${op}_B32_e32 V1, V1, implicit $exec`),
  ...['0', 'V1'].map((last) => `V1 = V_BITOP3_B32_e64 V1, V1, ${last}, 84, implicit $exec`),
  ...['$vcc_lo', 'S1'].map((mask) => `V1 = V_CNDMASK_B32_e64 0, V1, 0, V1, ${mask}, implicit $exec`),
  ...[0, 1].map(
    (sign) => `V1 = nofpexcept V_FMA_F32_e64 ${sign}, V1, 0, V1, 0, V1, 0, 0, implicit $mode, implicit $exec`,
  ),
];

describe('instructions with two halves and three sources, as llc-22', () =>
  itRunsAsLlcOnRandomInstrs('gcn-create-vopd', 60, `\n${[...PAIRED, ...LONG, ...LONG].join('\n')}\n`, /^(?!gfx1250)/));

describe('instructions with two halves', () => itRunsAsLlc24OnRandomInstrs('gcn-create-vopd', 6, TEMPLATES));
