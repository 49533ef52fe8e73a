/**
 * Rules of LLVM's IR verifier that files break which llc's parser takes: attributes on types that they do not go with, features without a sign,
 * allocas in the wrong address space. llc runs the verifier between reading the IR and reading the functions, prints all that it finds and
 * gives up. Its other rules (dominance, intrinsics, metadata) are not checked here.
 */
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import type { AttributeSet } from '../../ir/attributes.js';
import { Opcode, type IRFunction, type IRModule } from '../../ir/module.js';
import { printAttributeText, printInstruction, printTypedValue } from '../../ir/printer.js';
import { TypeKind, type IRType } from '../../ir/types.js';

/** LLVMContext's address space of allocas in AMDGPU's data layout. */
const PRIVATE_ADDRESS = 5;

/** `code` of what stops llc here. */
export const IR_VERIFIER = 'ir-verifier';

const isInteger = (t: IRType): boolean => t.kind === TypeKind.Integer;
const isPointer = (t: IRType): boolean => t.kind === TypeKind.Pointer;
const isFloat = (t: IRType): boolean => t.kind >= TypeKind.Half && t.kind <= TypeKind.PPCFP128;
const isVector = (t: IRType): boolean => t.kind === TypeKind.FixedVector || t.kind === TypeKind.ScalableVector;
const elementOf = (t: IRType): IRType => (isVector(t) ? (t.elements[0] as IRType) : t);

/** What a floating-point class can be said of: also arrays of it and structures of one such type. */
function hasFPClass(t: IRType): boolean {
  for (;;) {
    if (t.kind === TypeKind.Array || isVector(t)) t = t.elements[0] as IRType;
    else if (t.kind === TypeKind.Struct && t.elements.length > 0 && t.elements.every((e) => e === t.elements[0]))
      t = t.elements[0] as IRType;
    else return isFloat(t);
  }
}

/** AttributeFuncs::typeIncompatible: attributes by the types that they go with. */
const RULES: readonly (readonly [words: readonly string[], goesWith: (t: IRType) => boolean])[] = [
  [['allocalign', 'signext', 'zeroext'], isInteger],
  [['range'], (t) => isInteger(elementOf(t))],
  [
    (
      'allocptr byref byval captures dead_on_return dead_on_unwind dereferenceable dereferenceable_or_null inalloca ' +
      'initializes nest noalias nonnull preallocated readnone readonly sret swifterror writable'
    ).split(' '),
    isPointer,
  ],
  [['align'], (t) => isPointer(elementOf(t))],
  [['nofpclass'], hasFPClass],
  [['inreg', 'noundef'], (t) => t.kind !== TypeKind.Void],
];

/** The first attribute that does not go with the type, as LLVM prints it; null if all do. */
function incompatible(attributes: AttributeSet | null, type: IRType): string | null {
  if (attributes === null) return null;
  for (const word of attributes.sortedWords()) {
    const rule = RULES.find(([words]) => words.includes(word));
    if (rule === undefined || rule[1](type)) continue;
    return printAttributeText(attributes, word);
  }
  return null;
}

/** Offsets are those of the module. Reads all bodies. */
export function verifyIR(module: IRModule): Diagnostic[] {
  const res: Diagnostic[] = [];
  const report = (message: string, offset: number, value: string): void => {
    const at = Math.max(0, offset);
    const severity = Severity.Error;
    const origin = DiagnosticOrigin.Function;
    res.push({ start: at, end: at, severity, origin, code: 'ir-verifier', message, llcValue: value });
  };
  for (const fn of module.functions) {
    verifyAttributes(fn, (message, isOfFunction) =>
      report(message, fn.bodyStart, isOfFunction ? `${printTypedValue(fn)}\n` : ''),
    );
    for (const block of fn.blocks) {
      for (const i of block.instructions) {
        if (i.opcode !== Opcode.Alloca || i.type.n === PRIVATE_ADDRESS) continue;
        report('alloca on amdgpu must be in addrspace(5)', i.offset, `${printInstruction(i, fn, module)}\n`);
      }
    }
  }
  return res;
}

function verifyAttributes(fn: IRFunction, report: (message: string, isOfFunction: boolean) => void): void {
  const check = (attributes: AttributeSet | null, type: IRType): void => {
    const text = incompatible(attributes, type);
    if (text !== null) report(`Attribute '${text}' applied to incompatible type!`, true);
  };
  check(fn.retAttrs, fn.returnType);
  for (const arg of fn.args) check(arg.attributes, arg.type);
  const features = fn.fnAttrs?.string('target-features') ?? '';
  if (features === '') return;
  for (const feature of features.split(',')) {
    if (feature === '') report('target-features attribute should not contain an empty string', false);
    else if (!/^[-+]/.test(feature)) report(`target feature '${feature}' must start with a '+' or '-'`, true);
  }
}
