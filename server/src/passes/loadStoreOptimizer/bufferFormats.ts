/** Formats of typed buffers: bits and number of their components (AMDGPU::GcnBufferFormatInfo, LLVM 22). */
import { Generation } from '../../target/api.js';

export interface BufferFormat {
  readonly bitsPerComponent: number;
  readonly components: number;
  /** whether an integer, a fraction, signed and so on: the same of formats that differ in their components alone */
  readonly numbers: number;
}

/** Formats of components of `bits` bits: by their number the first, in the unified numbers of gfx10 and of gfx11 or the data formats up to gfx9. */
interface Row {
  readonly bits: number;
  readonly components: number;
  readonly gfx10: number;
  readonly gfx11: number;
  readonly dataFormat: number;
}

const row = (bits: number, components: number, dataFormat: number, gfx10: number, gfx11: number): Row => ({
  bits,
  components,
  gfx10,
  gfx11,
  dataFormat,
});

const ROWS: readonly Row[] = [
  row(8, 1, 1, 1, 1),
  row(8, 2, 3, 14, 14),
  row(8, 4, 10, 56, 42),
  row(16, 1, 2, 7, 7),
  row(16, 2, 5, 23, 23),
  row(16, 4, 12, 65, 51),
  row(32, 1, 4, 20, 20),
  row(32, 2, 11, 62, 48),
  row(32, 3, 13, 72, 58),
  row(32, 4, 14, 75, 61),
];

/** Numbers of the kinds of numbers up to gfx9, by bits, in the order of the unified formats. */
const NUMBERS: Readonly<Record<number, readonly number[]>> = {
  8: [0, 1, 2, 3, 4, 5],
  16: [0, 1, 2, 3, 4, 5, 7],
  32: [4, 5, 7],
};
const DATA_FORMAT_BITS = 4;

/**
 * Null where the format's components differ in size, or nothing is known of it.
 * @llvm AMDGPUBaseInfo.cpp AMDGPU::getGcnBufferFormatInfo
 */
export function bufferFormat(format: number, generation: Generation): BufferFormat | null {
  for (const { bits, components, ...first } of ROWS) {
    const kinds = NUMBERS[bits];
    const k =
      generation < Generation.GFX10
        ? (format & 15) === first.dataFormat
          ? kinds.indexOf(format >>> DATA_FORMAT_BITS)
          : -1
        : format - (generation === Generation.GFX10 ? first.gfx10 : first.gfx11);
    if (k >= 0 && k < kinds.length) return { bitsPerComponent: bits, components, numbers: kinds[k] };
  }
  return null;
}

/**
 * The format with another number of components; -1 = there is none.
 * @llvm SILoadStoreOptimizer.cpp getBufferFormatWithCompCount
 */
export function formatWith(format: BufferFormat, components: number, generation: Generation): number {
  const { bitsPerComponent: bits, numbers } = format;
  const found = ROWS.find((r) => r.bits === bits && r.components === components);
  if (found === undefined) return -1;
  if (generation < Generation.GFX10) return found.dataFormat | (numbers << DATA_FORMAT_BITS);
  return (generation === Generation.GFX10 ? found.gfx10 : found.gfx11) + NUMBERS[bits].indexOf(numbers);
}
