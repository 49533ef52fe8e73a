/** How IR types are written, in printed modules and in messages. */
import { TypeKind, type IRType } from './types.js';

/** A type; `print` writes the types inside it, `identified` the name of an identified struct. */
export function typeText(t: IRType, print: (t: IRType) => string, identified: (t: IRType) => string): string {
  switch (t.kind) {
    case TypeKind.Void:
      return 'void';
    case TypeKind.Half:
      return 'half';
    case TypeKind.BFloat:
      return 'bfloat';
    case TypeKind.Float:
      return 'float';
    case TypeKind.Double:
      return 'double';
    case TypeKind.X86FP80:
      return 'x86_fp80';
    case TypeKind.FP128:
      return 'fp128';
    case TypeKind.PPCFP128:
      return 'ppc_fp128';
    case TypeKind.Label:
      return 'label';
    case TypeKind.Metadata:
      return 'metadata';
    case TypeKind.Token:
      return 'token';
    case TypeKind.X86AMX:
      return 'x86_amx';
    case TypeKind.Integer:
      return 'i' + t.n;
    case TypeKind.Pointer:
      return t.n === 0 ? 'ptr' : `ptr addrspace(${t.n})`;
    case TypeKind.Array:
      return `[${t.n} x ${print(t.elements[0])}]`;
    case TypeKind.FixedVector:
      return `<${t.n} x ${print(t.elements[0])}>`;
    case TypeKind.ScalableVector:
      return `<vscale x ${t.n} x ${print(t.elements[0])}>`;
    case TypeKind.Struct:
      return t.isIdentified ? identified(t) : structBody(t, print);
    case TypeKind.Function:
      return functionTypeText(t, print);
    case TypeKind.TargetExt:
      return targetExtText(t, print);
  }
}

/** A type as LLVM's messages spell it; unnamed identified types by their number in the text. */
export function printTypeForMessage(t: IRType): string {
  return typeText(t, printTypeForMessage, (struct) => '%' + (struct.name ?? String(struct.number)));
}

export function structBody(t: IRType, print: (t: IRType) => string): string {
  const inner = t.elements.length === 0 ? '{}' : `{ ${t.elements.map(print).join(', ')} }`;
  return t.flag ? `<${inner}>` : inner;
}

function functionTypeText(t: IRType, print: (t: IRType) => string): string {
  const params = t.elements.slice(1).map(print);
  if (t.flag) params.push('...');
  return `${print(t.elements[0])} (${params.join(', ')})`;
}

function targetExtText(t: IRType, print: (t: IRType) => string): string {
  const parts = [`"${t.name ?? ''}"`, ...t.elements.map(print), ...t.ints.map(String)];
  return `target(${parts.join(', ')})`;
}
