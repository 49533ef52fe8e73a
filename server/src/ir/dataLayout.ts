/** The AMDGPU data layout (fixed; a module's own is replaced by it): sizes and alignments of IR types, in bytes. */
import { bitWidth, TypeKind, type IRType } from './types.js';

export const AMDGPU_DATA_LAYOUT =
  'e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-' +
  'p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-' +
  'n32:64-S32-A5-G1-ni:7:8:9';

export const R600_DATA_LAYOUT =
  'e-m:e-p:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-' +
  'n32:64-S32-A5-G1';

const VECTOR_ALIGN: Readonly<Record<number, number>> = {
  16: 2,
  24: 4,
  32: 4,
  48: 8,
  64: 8,
  96: 16,
  128: 16,
  192: 32,
  256: 32,
  512: 64,
  1024: 128,
  2048: 256,
};

/** Width of a pointer in bits. */
function pointerBits(space: number): number {
  switch (space) {
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

/** Width of GEP arithmetic in bits. */
export function indexBits(space: number): number {
  switch (space) {
    case 2:
    case 3:
    case 5:
    case 6:
    case 7:
    case 9:
      return 32;
    case 8:
      return 48;
    default:
      return 64;
  }
}

function pointerAlign(space: number): number {
  const bits = pointerBits(space);
  return bits === 160 || bits === 192 ? 32 : bits / 8;
}

/** DataLayout::getTypeSizeInBits; 0 for unsized types. Asked only once all types of the module are known. */
export function typeSizeBits(t: IRType): number {
  if (t.sizeBits < 0) t.sizeBits = computeSizeBits(t);
  return t.sizeBits;
}

function computeSizeBits(t: IRType): number {
  switch (t.kind) {
    case TypeKind.X86AMX:
      return 8192;
    case TypeKind.Pointer:
      return pointerBits(t.n);
    case TypeKind.Array:
      return t.n * allocSize(t.elements[0]) * 8;
    case TypeKind.FixedVector:
    case TypeKind.ScalableVector:
      return t.n * typeSizeBits(t.elements[0]);
    case TypeKind.Struct:
      return structSize(t) * 8;
    case TypeKind.TargetExt:
      // Named barriers are 16 bytes of LDS; other target types have no size.
      return t.name === 'amdgcn.named.barrier' ? 128 : 0;
    default:
      return bitWidth(t);
  }
}

/** Bytes that a store writes. */
export function storeBytes(t: IRType): number {
  return Math.ceil(typeSizeBits(t) / 8);
}

/** Distance between array elements. */
export function allocSize(t: IRType): number {
  const align = abiAlign(t);
  return Math.ceil(storeBytes(t) / align) * align;
}

/** @llvm DataLayout.cpp DataLayout::getABITypeAlign */
export function abiAlign(t: IRType): number {
  if (t.alignBytes === 0) t.alignBytes = computeAbiAlign(t);
  return t.alignBytes;
}

function computeAbiAlign(t: IRType): number {
  switch (t.kind) {
    case TypeKind.Integer:
      if (t.n <= 8) return 1;
      if (t.n <= 16) return 2;
      return t.n <= 32 ? 4 : 8;
    case TypeKind.Half:
    case TypeKind.BFloat:
      return 2;
    case TypeKind.Float:
      return 4;
    case TypeKind.Double:
      return 8;
    case TypeKind.X86FP80:
    case TypeKind.FP128:
    case TypeKind.PPCFP128:
      return 16;
    case TypeKind.X86AMX:
      return 64;
    case TypeKind.Pointer:
      return pointerAlign(t.n);
    case TypeKind.Array:
      return abiAlign(t.elements[0]);
    case TypeKind.FixedVector:
    case TypeKind.ScalableVector: {
      const bits = typeSizeBits(t);
      return VECTOR_ALIGN[bits] ?? nextPowerOf2(Math.ceil(bits / 8));
    }
    case TypeKind.Struct: {
      if (t.flag) return 1;
      let align = 1;
      for (const e of t.elements) align = Math.max(align, abiAlign(e));
      return align;
    }
    case TypeKind.TargetExt:
      return t.name === 'amdgcn.named.barrier' ? 4 : 1;
    default:
      return 1;
  }
}

function nextPowerOf2(n: number): number {
  let p = 1;
  while (p < n) p *= 2;
  return p;
}

function structSize(t: IRType): number {
  let offset = 0;
  for (const e of t.elements) {
    if (!t.flag) {
      const align = abiAlign(e);
      offset = Math.ceil(offset / align) * align;
    }
    offset += allocSize(e);
  }
  const align = abiAlign(t);
  return Math.ceil(offset / align) * align;
}

/** Byte offset of a struct's field. */
export function fieldOffset(t: IRType, field: number): number {
  let offset = 0;
  for (let i = 0; ; i++) {
    const e = t.elements[i];
    if (!t.flag) {
      const align = abiAlign(e);
      offset = Math.ceil(offset / align) * align;
    }
    if (i === field) return offset;
    offset += allocSize(e);
  }
}

/** Alignment that a load or store without `align` gets. */
export function defaultAlign(t: IRType): number {
  return abiAlign(t);
}

/** Alignment that an alloca without `align` gets: the preferred one, at least 8 for structs and arrays of them. */
export function allocaAlign(t: IRType): number {
  let element = t;
  while (element.kind === TypeKind.Array) element = element.elements[0];
  const align = abiAlign(t);
  return element.kind === TypeKind.Struct && !element.flag ? Math.max(align, 8) : align;
}

/** Alignment that an atomic read-modify-write without `align` gets: its size, or the power of two below. */
export function atomicAlign(t: IRType): number {
  return 2 ** Math.floor(Math.log2(storeBytes(t)));
}
