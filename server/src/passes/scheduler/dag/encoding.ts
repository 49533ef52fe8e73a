/** Memory encodings of AMDGPU opcodes, from TSFlags (SIInstrFlags). */
import type { Opcode, TargetTables } from '../../../target/api.js';

export const enum Encoding {
  Other = 0,
  DS,
  /** MUBUF and MTBUF */
  MUBUF,
  SMEM,
  FLAT,
  /** MIMG, VIMAGE, VSAMPLE */
  Image,
}

// bit numbers in TSFlags, low half
const MUBUF_BITS = (1 << 17) | (1 << 18);
const SMRD_BIT = 1 << 19;
const IMAGE_BITS = (1 << 20) | (1 << 21) | (1 << 22);
const FLAT_BIT = 1 << 24;
const DS_BIT = 1 << 25;

export function encodingOf(t: TargetTables, opc: Opcode): Encoding {
  const ts = t.opcodeTSLo(opc);
  if ((ts & DS_BIT) !== 0) return Encoding.DS;
  if ((ts & MUBUF_BITS) !== 0) return Encoding.MUBUF;
  if ((ts & SMRD_BIT) !== 0) return Encoding.SMEM;
  if ((ts & FLAT_BIT) !== 0) return Encoding.FLAT;
  if ((ts & IMAGE_BITS) !== 0) return Encoding.Image;
  return Encoding.Other;
}
