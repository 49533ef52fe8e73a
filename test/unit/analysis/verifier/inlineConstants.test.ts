/** Inline constants by their definition: small integers and the eight floats of the operand's format, with 1/(2 pi) where the processor has it. */
import { strict as assert } from 'node:assert';
import { InlineConstants } from '../../../../server/src/analysis/verifier/inlineConstants.js';
import { emptyFunction } from '../../../support/emptyFunction.js';

const INTEGERS = Array.from({ length: 81 }, (_, k) => k - 16);
const FLOATS = [0.5, 1, 2, 4].flatMap((x) => [x, -x]);
/** nearest to 1/(2 pi) in binary32, binary64, binary16 and bfloat16 (cut off) */
const INVERSE = { f32: 0x3e22f983, f64: 0x3fc45f306dc9c882n, f16: 0x3118, bf16: 0x3e22 };

const view = new DataView(new ArrayBuffer(8));
function bits32(x: number): number {
  view.setFloat32(0, x);
  return view.getUint32(0);
}
function bits64(x: number): bigint {
  view.setFloat64(0, x);
  return view.getBigUint64(0);
}
/** of powers of two: sign, exponent rebiased, mantissa 0 */
const bits16 = (x: number): number => ((bits32(x) >>> 31) << 15) | ((Math.log2(Math.abs(x)) + 15) << 10);
const bitsBF16 = (x: number): number => bits32(x) >>> 16;

type Format = 'f32' | 'f64' | 'f16' | 'bf16';
const PATTERNS: Record<Format, readonly bigint[]> = {
  f32: FLOATS.map((x) => BigInt(bits32(x))),
  f64: FLOATS.map(bits64),
  f16: FLOATS.map((x) => BigInt(bits16(x))),
  bf16: FLOATS.map((x) => BigInt(bitsBF16(x))),
};
const FORMATS = ['f32', 'f64', 'f16', 'bf16'] as const;

/** Values next to everything that is inline in some format, as 64-bit numbers. */
const VALUES = (() => {
  const found = new Set<bigint>();
  const near = [
    ...INTEGERS.map(BigInt),
    ...FORMATS.flatMap((f) => [...PATTERNS[f], BigInt(INVERSE[f])]),
    ...[-17n, 65n, 1000n, -32768n, -32769n, 65535n, 65536n],
  ];
  for (const x of near)
    for (const d of [-1n, 0n, 1n])
      for (const y of [
        x + d,
        (x + d) | (1n << 15n),
        (x + d) | (1n << 31n),
        (x + d) | (1n << 63n),
        x + d + (1n << 32n),
        (x + d) | (0xffffffffn << 32n),
        (x + d) | (0xffffn << 16n),
        x + d + ((x & 0xffffn) << 16n),
        ((x + d) & 0xffffffffn) | (x << 32n),
      ])
        found.add(BigInt.asIntN(64, y));
  return [...found];
})();

const isSmall = (v: bigint): boolean => v >= -16n && v <= 64n;
const low = (v: bigint, n: number): bigint => BigInt.asUintN(n, v);
const isFloat = (v: bigint, format: Format, hasInverse: boolean): boolean =>
  PATTERNS[format].includes(v) || (hasInverse && v === BigInt(INVERSE[format]));

interface Processor {
  readonly cpu: string;
  readonly hasInverse: boolean;
  readonly has16: boolean;
  readonly replicates: boolean;
}
const PROCESSORS: readonly Processor[] = [
  { cpu: 'tahiti', hasInverse: false, has16: false, replicates: false },
  { cpu: 'gfx900', hasInverse: true, has16: true, replicates: false },
  { cpu: 'gfx1100', hasInverse: true, has16: true, replicates: true },
];

const is32 = (v: bigint, p: Processor): boolean =>
  isSmall(BigInt.asIntN(32, v)) || isFloat(low(v, 32), 'f32', p.hasInverse);
const is64 = (v: bigint, p: Processor): boolean => isSmall(v) || isFloat(low(v, 64), 'f64', p.hasInverse);
const is16 =
  (format: Format) =>
  (v: bigint, p: Processor): boolean =>
    p.has16 &&
    v >= -32768n &&
    v < 65536n &&
    (isSmall(BigInt.asIntN(16, v)) || isFloat(low(v, 16), format, p.hasInverse));
/** packed: an integer of 32 bits, or a float in the low half under zeros */
const isPacked =
  (format: Format) =>
  (v: bigint): boolean =>
    isSmall(BigInt.asIntN(32, v)) || (low(v, 32) < 65536n && isFloat(low(v, 16), format, true));
const isTwice = (v: bigint): boolean => low(v, 16) === low(v >> 16n, 16) && isFloat(low(v, 16), 'f16', true);

/** By operand type (AMDGPU::OperandType, llc 22). */
const TYPES: readonly (readonly [types: readonly number[], wanted: (v: bigint, p: Processor) => boolean])[] = [
  [[13, 16, 25, 26, 28, 32, 37, 41, 42], is32],
  [[14, 17, 29, 33, 43], is64],
  [[15, 27], isSmall],
  [[19, 31], is16('f16')],
  [[18, 30], is16('bf16')],
  [[23, 34], (v) => isSmall(BigInt.asIntN(32, v)) || isFloat(low(v, 32), 'f32', true)],
  [[21, 36], isPacked('f16')],
  [[20, 35], isPacked('bf16')],
  [[22], (v, p) => isPacked('f16')(v) || (p.replicates && isTwice(v))],
  [[24, 38, 39, 40], () => false],
  [[44], (v, p) => is32(low(v, 32), p) && is32(low(v >> 32n, 32), p)],
  [[0, 1, 2, 12, 45], () => true],
];

describe('inline constants', () => {
  for (const processor of PROCESSORS)
    it(`of each operand type are those of its format: ${processor.cpu}`, () => {
      const constants = new InlineConstants(emptyFunction({ triple: 'amdgcn', cpu: processor.cpu }).subtarget);
      for (const [types, wanted] of TYPES)
        for (const v of VALUES) {
          const lo = Number(BigInt.asIntN(32, v));
          const hi = Number(v >> 32n);
          for (const type of types)
            assert.equal(
              constants.isInline(lo, hi, type),
              wanted(v, processor),
              `0x${low(v, 64).toString(16)} as ${type}`,
            );
        }
    });
});
