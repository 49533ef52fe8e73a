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

describe('instructions with two halves, as llc-22', () =>
  itRunsAsLlcOnRandomInstrs('gcn-create-vopd', 40, TEMPLATES, /gfx1250/));

describe('instructions with two halves', () => itRunsAsLlc24OnRandomInstrs('gcn-create-vopd', 6, TEMPLATES));
