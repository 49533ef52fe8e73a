/**
 * IR constants quoted in MIR: values of the constant pool and back-quoted pointers of memory operands. The IR reader parses
 * and prints them; here is what the MIR side wants to know: printed text, preferred alignment, address space.
 */
import type { IRModule } from '../ir/module.js';
import { FP_TYPE_BITS, MAX_INT_BITS, parseFPLiteral, printFP, printInt, type FPType } from '../numbers.js';
import type { MiError } from './miStrings.js';

export interface ConstantText {
  /** as LLVM prints it, with its type */
  readonly text: string;
  /** preferred alignment in bytes */
  readonly alignment: number;
}

/** A whole constant with its type. */
export function parseConstantText(
  text: string,
  _module: IRModule | null,
): { readonly value: ConstantText } | { readonly error: MiError } {
  const fail = (message: string, at: number): { error: MiError } => ({ error: { message, at } });
  const integer = /^\s*i([0-9]+)(\s+)(-?[0-9]+|true|false)(?![A-Za-z0-9_.$-])\s*/.exec(text);
  if (integer !== null) {
    const bits = Number(integer[1]);
    if (bits < 1 || bits > MAX_INT_BITS) return fail('bitwidth for integer type out of range', 0);
    if (integer[0].length < text.length) return fail('expected end of string', integer[0].length);
    const word = integer[3];
    const value = word === 'true' ? 1n : word === 'false' ? 0n : BigInt(word);
    return { value: { text: `i${bits} ${printInt(bits, value)}`, alignment: integerAlignment(bits) } };
  }
  const float = /^\s*(half|bfloat|float|double|fp128|x86_fp80|ppc_fp128)\s+([-+]?[0-9][0-9A-Za-z.+-]*)\s*/.exec(text);
  if (float !== null) {
    const type = float[1] as FPType;
    const r = parseFPLiteral(type, float[2]);
    if ('error' in r) return fail(r.error, text.indexOf(float[2], float[1].length));
    if (float[0].length < text.length) return fail('expected end of string', float[0].length);
    const alignment = Math.max(1, 2 ** Math.ceil(Math.log2(FP_TYPE_BITS[type] / 8)));
    return { value: { text: `${type} ${printFP(type, r.bits)}`, alignment } };
  }
  if (text.trim() === '') return fail('expected type', 0);
  const type = /^\s*i[0-9]+\s+/.exec(text);
  if (type !== null) return fail('expected value token', type[0].length);
  return { value: { text: text.trim(), alignment: vectorAlignment(text) } };
}

function integerAlignment(bits: number): number {
  return Math.min(8, Math.max(1, 2 ** Math.ceil(Math.log2(bits / 8))));
}

/** Vectors are aligned to their size rounded up to a power of two. */
function vectorAlignment(text: string): number {
  const m = /^\s*<([0-9]+) x (i[0-9]+|half|bfloat|float|double)>/.exec(text);
  if (m === null) return 8;
  const bits = m[2][0] === 'i' ? Number(m[2].slice(1)) : FP_TYPE_BITS[m[2] as FPType];
  return Math.max(1, 2 ** Math.ceil(Math.log2((Number(m[1]) * bits) / 8)));
}

/** Address space of a pointer constant and the constant as printed; -1 with a message, or with '' when it is no pointer. */
export function constantAddressSpace(
  text: string,
  _module: IRModule | null,
): { readonly addressSpace: number; readonly text: string; readonly message: string } {
  const opaque = /^\s*ptr(?:\s+addrspace\(([0-9]+)\))?(?![A-Za-z0-9_])/.exec(text);
  if (opaque !== null) {
    const value = text.slice(opaque[0].length).trim();
    if (value === '') return { addressSpace: -1, text: '', message: 'expected value token' };
    const space = Number(opaque[1] ?? 0);
    return { addressSpace: space, text: `${space === 0 ? 'ptr' : `ptr addrspace(${space})`} ${value}`, message: '' };
  }
  // Typed pointers of old files: every `T*` is a `ptr`.
  const typed = /^\s*[^*]*?(?:addrspace\(([0-9]+)\))?\s*\*+\s*(.*)$/.exec(text);
  if (typed !== null) {
    const space = Number(typed[1] ?? 0);
    return {
      addressSpace: space,
      text: `${space === 0 ? 'ptr' : `ptr addrspace(${space})`} ${typed[2].trim()}`,
      message: '',
    };
  }
  return { addressSpace: -1, text, message: '' };
}
