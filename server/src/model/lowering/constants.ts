/**
 * IR constants quoted in MIR: values of the constant pool and back-quoted pointers of memory operands. The IR reader parses
 * and prints them; here is what the MIR side wants to know: printed text, preferred alignment, address space.
 */
import { abiAlign } from '../../ir/dataLayout.js';
import { IRError } from '../../ir/lexer.js';
import { GlobalValue, IRModule, pointerAddressSpace, type Value } from '../../ir/module.js';
import { printTypedValue } from '../../ir/printer.js';
import { Tok } from '../../ir/tokens.js';
import { TypeContext, TypeKind, type IRType } from '../../ir/types.js';
import { ValueParser } from '../../ir/valueParser.js';
import type { MiError } from './miStrings.js';

export interface ConstantText {
  /** as LLVM prints it, with its type */
  readonly text: string;
  /** preferred alignment in bytes */
  readonly alignment: number;
}

class ConstantParser extends ValueParser {
  /** The module is complete: a global that it does not have is an error. */
  protected override globalsKnown = true;

  /** Makes the module's identified types known by name and number. */
  adoptTypes(module: IRModule): void {
    for (const type of module.namedTypes) {
      if (type.name !== null) this.typesByName.set(type.name, { type, forwardOffset: -1 });
      else this.typesByNumber.set(type.number, { type, forwardOffset: -1 });
    }
  }
}

/** Parses one constant with its type out of a string that holds nothing else. */
function parseWhole(text: string, module: IRModule | null): { value: Value; module: IRModule } | { error: MiError } {
  const owner = module ?? new IRModule(new TypeContext());
  const parser = new ConstantParser(owner, text, 0, text.length);
  if (text.includes('%')) parser.adoptTypes(owner);
  try {
    parser.lx.next();
    const type = parser.parseType();
    // A global by itself is no constant to this entry of LLVM's parser; within an expression it is.
    if (parser.lx.is(Tok.GlobalVar) || parser.lx.is(Tok.GlobalID)) {
      return { error: { message: 'expected a constant value', at: parser.lx.start } };
    }
    if (type.kind === TypeKind.Label || type.kind === TypeKind.Token)
      return { error: { message: 'expected a constant value', at: parser.lx.start } };
    const value = parser.parseConstant(type);
    if (!parser.lx.is(Tok.Eof)) return { error: { message: 'expected end of string', at: parser.lx.start } };
    for (const [name, use] of parser.undefinedGlobals) {
      return { error: { message: `use of undefined value '@${name}'`, at: use.offset } };
    }
    return { value, module: owner };
  } catch (e) {
    // The IR parser leaves a construct by throwing its error; anything else is a bug of ours.
    if (!(e instanceof IRError)) throw e;
    return { error: { message: e.message, at: e.offset } };
  }
}

/** Structures like to stand at multiples of 8. */
function preferredAlign(type: IRType): number {
  let t = type;
  while (t.kind === TypeKind.Array) t = t.elements[0] as IRType;
  return t.kind === TypeKind.Struct ? Math.max(8, abiAlign(t)) : abiAlign(t);
}

/** A whole constant with its type. */
export function parseConstantText(
  text: string,
  module: IRModule | null,
): { readonly value: ConstantText } | { readonly error: MiError } {
  const r = parseWhole(text, module);
  if ('error' in r) return r;
  return { value: { text: printTypedValue(r.value, null, r.module), alignment: preferredAlign(r.value.type) } };
}

export interface PointerConstant {
  readonly addressSpace: number;
  /** as LLVM prints it, with its type */
  readonly text: string;
  /** name or number when the expression comes to a global, otherwise null */
  readonly global: string | null;
}

/** A back-quoted constant; null when it is no pointer. */
export function parsePointerConstant(
  text: string,
  module: IRModule | null,
): { readonly value: PointerConstant | null } | { readonly error: MiError } {
  const r = parseWhole(text, module);
  if ('error' in r) return r;
  const addressSpace = pointerAddressSpace(r.value);
  if (addressSpace < 0) return { value: null };
  const global = r.value instanceof GlobalValue ? (r.value.name ?? String(r.value.number)) : null;
  return { value: { addressSpace, text: printTypedValue(r.value, null, r.module), global } };
}

/** The IR value of a back-quoted pointer as it is printed; null if it is no constant of the module. */
export function parsePointerValue(text: string, module: IRModule): Value | null {
  const r = parseWhole(text, module);
  return 'error' in r ? null : r.value;
}
