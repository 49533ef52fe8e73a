/** Machine memory operands (MachineMemOperand). Immutable, shared between instructions. */
import type { MDNode } from '../ir/module.js';
import type { LLT } from './llt.js';

export const enum MemFlag {
  Load = 1,
  Store = 2,
  Volatile = 4,
  NonTemporal = 8,
  Dereferenceable = 16,
  Invariant = 32,
  /** "amdgpu-noclobber" */
  NoClobber = 64,
  /** "amdgpu-last-use" */
  LastUse = 128,
  /** "amdgpu-cooperative" */
  Cooperative = 256,
  /** "amdgpu-thread-private" */
  ThreadPrivate = 512,
}

/** What the address is based on. */
export type MemPointer =
  | { readonly kind: 'none' }
  /** `%ir.x`; name or number as spelled, without `%ir.` and quotes */
  | { readonly kind: 'irValue'; readonly name: string }
  | { readonly kind: 'global'; readonly name: string }
  /** back-quoted IR constant, as printed */
  | { readonly kind: 'irConstant'; readonly text: string }
  | { readonly kind: 'stack' | 'got' | 'jumpTable' | 'constantPool' }
  /** frame index as in OperandKind.FrameIndex */
  | { readonly kind: 'frameIndex'; readonly index: number }
  | { readonly kind: 'callEntry'; readonly name: string; readonly isExternal: boolean }
  /** custom "GWSResource" and the like */
  | { readonly kind: 'custom'; readonly name: string };

/** Base alignment of an access of no bits to which none is given: LLVM's logarithm of 0 is -1 in eight bits. */
export const NO_BITS_ALIGN = 2 ** 255;

/** Scopes that an access is in, and those that it does not touch. */
export interface AliasScopes {
  readonly inside: MDNode | null;
  readonly outside: MDNode | null;
}

export interface MemOperand {
  /** MemFlag */
  readonly flags: number;
  /** null = unknown size */
  readonly type: LLT | null;
  readonly pointer: MemPointer;
  /** bytes */
  readonly offset: number;
  /** the same, where a number does not hold it exactly */
  readonly wideOffset?: bigint;
  /** bytes; base alignment B of docs/llvm/mir-format.md, 6.6 */
  readonly baseAlign: number;
  readonly addressSpace: number;
  readonly syncScope: string;
  readonly ordering: string;
  readonly failureOrdering: string;
  /** metadata texts as printed, e.g. `!5`; null if absent */
  readonly tbaa: string | null;
  readonly aliasScope: string | null;
  readonly noAlias: string | null;
  /** the nodes of `aliasScope` and `noAlias`, absent without either */
  readonly scopes?: AliasScopes;
  readonly range: string | null;
  /** bit width of the bounds in `range`, 0 if there is none */
  readonly rangeBits?: number;
  readonly noAliasAddrSpace: string | null;
}

/** What a plain access of memory says nothing of. */
export const PLAIN_ACCESS = {
  syncScope: '',
  ordering: '',
  failureOrdering: '',
  tbaa: null,
  aliasScope: null,
  noAlias: null,
  range: null,
  noAliasAddrSpace: null,
} as const satisfies Partial<MemOperand>;

/** Whether two accesses are the same in all that they say (`operator==` of MachineMemOperand). */
export function isSameAccess(a: MemOperand, b: MemOperand): boolean {
  if (a === b) return true;
  const [x, y] = [a, b].map((m) => [
    ...[m.flags, m.offset, m.baseAlign, m.addressSpace, m.syncScope, m.ordering, m.failureOrdering],
    ...[m.tbaa, m.aliasScope, m.noAlias, m.range, m.noAliasAddrSpace, m.wideOffset, m.rangeBits],
    ...Object.values(m.pointer),
    ...(m.type === null ? [null] : Object.values(m.type)),
  ]);
  return x.length === y.length && x.every((part, k) => part === y[k]);
}
