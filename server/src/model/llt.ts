/** Low-level types of generic virtual registers and memory operands (LLVM's LLT). Values are immutable. */

/** `s32`, `i32`, `f32`, `bf16` */
export const enum Format {
  Any = 0,
  Integer = 1,
  Float = 2,
  BFloat = 3,
}

const LETTERS = ['s', 'i', 'f', 'bf'] as const;

export interface LLT {
  readonly kind: 'scalar' | 'pointer' | 'vector';
  /** what a scalar or an element is said to be; up to LLVM 22 nothing is said */
  readonly format: Format;
  /** bits of a scalar, a pointer or a vector element; a pointer's size comes from the data layout */
  readonly bits: number;
  /** -1 unless a pointer or a vector of pointers */
  readonly addressSpace: number;
  /** 1 for non-vectors */
  readonly numElements: number;
  readonly scalable: boolean;
}

export function printLLT(t: LLT): string {
  const element = t.addressSpace >= 0 ? `p${t.addressSpace}` : `${LETTERS[t.format]}${t.bits}`;
  return t.kind === 'vector' ? `<${t.scalable ? 'vscale x ' : ''}${t.numElements} x ${element}>` : element;
}

/** Size in bits; of the minimum for scalable vectors. */
export function sizeInBits(t: LLT): number {
  return t.bits * t.numElements;
}

/** Bits of which nothing is said are the same as integers or IEEE numbers of their size; a bfloat is another thing. */
export function sameFormat(a: Format, b: Format): boolean {
  return a === b || (Math.min(a, b) === Format.Any && Math.max(a, b) !== Format.BFloat);
}

export function sameLLT(a: LLT, b: LLT): boolean {
  return (
    a.kind === b.kind &&
    sameFormat(a.format, b.format) &&
    a.bits === b.bits &&
    a.addressSpace === b.addressSpace &&
    a.numElements === b.numElements &&
    a.scalable === b.scalable
  );
}

export function scalarLLT(bits: number): LLT {
  return { kind: 'scalar', format: Format.Any, bits, addressSpace: -1, numElements: 1, scalable: false };
}

/** Pointer width in bits of an address space under the data layout of AMDGCN, or of R600 (docs/llvm/embedded-ir.md, A.2). */
export function pointerBits(addressSpace: number, isAMDGCN = true): number {
  if (!isAMDGCN) return 32;
  switch (addressSpace) {
    case 2:
    case 3:
    case 5:
    case 6:
      return 32;
    case 7:
      return 160;
    case 8:
      return 128;
    case 9:
      return 192;
    default:
      return 64;
  }
}
