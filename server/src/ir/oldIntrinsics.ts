/**
 * Names and numbers of operands that intrinsics had in earlier LLVMs, as far as llc 22 or 24 still reads them (AutoUpgrade.cpp). Those of other targets
 * than AMDGPU are not listed: a run with one is refused.
 */
import { TypeKind, type IRType } from './types.js';

export const COUNTER = /^atomic\.(inc|dec)(\.)?/;
/** The `.num` forms are still intrinsics. */
export const FLOAT_ATOMIC = /^(?:ds|global\.atomic|flat\.atomic)\.(fadd|fmin(?!\.num)|fmax(?!\.num))/;

/** Names without `llvm.` that became others and nothing else. */
const RENAMED: readonly (readonly [old: RegExp, now: string])[] = [
  [/^experimental\.vector\.((?:extract|insert|reverse|interleave2|deinterleave2|partial\.reduce\.add)\.)/, 'vector.$1'],
  [/^experimental\.vector\.(reduce\.(?:add|mul|and|or|xor|[su](?:max|min)|fmax|fmin)\.)/, 'vector.$1'],
  [/^experimental\.vector\.reduce\.v2\.(fadd\.|fmul\.)/, 'vector.reduce.$1'],
  [/^experimental\.(stepvector\.)/, '$1'],
  [/^invariant\.group\.barrier/, 'launder.invariant.group.'],
  [/^flt\.rounds/, 'get.rounding.'],
  [/^thread\.pointer$/, 'thread.pointer.'],
];

/** The name, with `llvm.` and without types, that an intrinsic has now; null if it has not changed. `rest` is without `llvm.`. */
export function newNameOf(rest: string): string | null {
  for (const [old, now] of RENAMED) {
    const match = old.exec(rest);
    // What ends in a point is followed by types.
    if (match !== null) return 'llvm.' + match[0].replace(old, now).slice(0, -1);
  }
  return null;
}

/** `vector.splice` names its direction now. */
export const SPLICE = /^(?:experimental\.)?vector\.splice\.(?!left|right)/;
export const MASKED = /^masked\.(load|store|gather|scatter)/;
const MATRIX_OF_BYTES = /^(?:wmma\.i32\.16x16x64|swmmac\.i32\.16x16x128)\.iu8\./;

/** Whether a name, or a name with operands like these, is one that LLVM no longer has, whose calls are made something else. */
export function isOldIntrinsic(name: string, { elements }: IRType): boolean {
  const rest = name.slice('llvm.'.length);
  if (rest.startsWith('dbg.') || rest === 'stackprotectorcheck') return true;
  if (!rest.startsWith('amdgcn.')) return isOldForm(rest, elements) || newNameOf(rest) !== null || SPLICE.test(rest);
  const own = rest.slice('amdgcn.'.length);
  return (
    /^(?:ldexp\.|alignbit$)/.test(own) || COUNTER.test(own) || FLOAT_ATOMIC.test(own) || isUnclamped(own, elements)
  );
}

/** Numbers of operands that intrinsics of LLVM had once; `elements` has the result in front. */
export function isOldForm(rest: string, elements: readonly IRType[]): boolean {
  const n = elements.length - 1;
  if (/^ct[lt]z\./.test(rest)) return n === 1;
  if (rest.startsWith('objectsize.')) return n === 2 || n === 3;
  if (/^mem(?:cpy|move|set)\./.test(rest)) return n === 5;
  if (MASKED.test(rest)) return n === 4;
  if (/^(?:ptr|var)\.annotation/.test(rest)) return n === 4;
  if (rest === 'coro.end') return n === 2;
  return /^lifetime\.(?:start|end)/.test(rest) && n === 2;
}

/** Matrix products of bytes had no operand for clamping; `own` is without `llvm.amdgcn.`. */
export function isUnclamped(own: string, elements: readonly IRType[]): boolean {
  return MATRIX_OF_BYTES.test(own) && elements.length - 1 === (own.startsWith('wmma') ? 7 : 8);
}

const MATRIX_WITH_MODIFIERS =
  /^wmma\.(?:f32\.16x16x4\.f32|f32\.16x16x32\.b?f16|f16\.16x16x32\.f16|bf16(?:f32)?\.16x16x32\.bf16)(?:\.|$)/;

/** Matrix products with modifiers of A and B, which LLVM 24 has no more; `own` is without `llvm.amdgcn.`. */
export function hasMatrixModifiers(own: string, elements: readonly IRType[]): boolean {
  return elements.length - 1 === 8 && MATRIX_WITH_MODIFIERS.test(own);
}

/** Conversions of bits of a half, which are casts in LLVM 24: to or from float or double. */
export function isHalfConversion(rest: string, elements: readonly IRType[]): boolean {
  const match = /^convert\.(from|to)\.fp16\.f(?:32|64)$/.exec(rest);
  if (match === null || elements.length !== 2) return false;
  const [wide, bits] = match[1] === 'from' ? elements : [elements[1], elements[0]];
  return (
    (wide.kind === TypeKind.Float || wide.kind === TypeKind.Double) && bits.kind === TypeKind.Integer && bits.n === 16
  );
}
