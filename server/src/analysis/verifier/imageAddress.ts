/**
 * How many dwords of address an image instruction takes, from its name (docs/llvm/verifier.md, 7.7).
 *
 * LLVM keeps this in the MIMG base opcode table (AMDGPU::getMIMGBaseOpcodeInfo, getAddrSizeMIMGOp); here the opcode's name
 * tells it: the words between `IMAGE_` and the sizes.
 */

/** dimensions, by the encoding of the `dim` operand: 1D, 2D, 3D, cube, 1D array, 2D array, 2D MSAA, 2D MSAA array */
export const IMAGE_DIMS = 8;
const COORDS = [1, 2, 3, 3, 2, 3, 3, 4];
const GRADIENTS = [2, 4, 6, 4, 2, 4, 4, 4];
const GRADIENTS_16 = [2, 2, 4, 2, 2, 2, 2, 2];

/** -1 when the name is not that of an image instruction with such an address */
export function imageAddressDwords(opcodeName: string, dim: number, isA16: boolean, hasG16: boolean): number {
  const m = /^IMAGE_([A-Z0-9_]+?)(?:_nortn)?_V\d/.exec(opcodeName);
  if (!m) return -1;
  const words = m[1].split('_');
  const has = (w: string): boolean => words.includes(w);
  const isSampled = words[0] === 'SAMPLE' || words[0] === 'GATHER4';
  let extra = 0;
  let lod = 0;
  let gradients = 0;
  let coords = COORDS[dim];
  if (isSampled) {
    for (const w of words.slice(1)) if (w === 'C' || w === 'O' || w === 'B') extra++;
    if (has('CL') || has('L')) lod = 1;
    if (has('D') || has('CD')) {
      const isG16 = has('G16') || (isA16 && !hasG16);
      gradients = (isG16 ? GRADIENTS_16 : GRADIENTS)[dim];
    }
  } else if ((words[0] === 'LOAD' || words[0] === 'STORE') && has('MIP')) lod = 1;
  else if (m[1] === 'GET_RESINFO') {
    coords = 0;
    lod = 1;
  }
  const position = coords + lod;
  return extra + (isA16 ? (position + 1) >> 1 : position) + gradients;
}
