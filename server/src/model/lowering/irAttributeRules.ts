/**
 * What LLVM's IR verifier demands of the attributes of functions, results and parameters and of calling conventions (Verifier.cpp:
 * verifyFunctionAttrs, verifyParameterAttrs, visitFunction, LLVM 22). The words were taken from llc-22, case by case. Not checked: the uses
 * of swifterror arguments, types in names of scalable vector variants.
 */
import type { AttributeSet } from '../../ir/attributes.js';
import { memoryFromText } from '../../ir/attributeValues.js';
import { isSized } from '../../ir/valueParser.js';
import { callingConvName, IRFunction, type IRModule } from '../../ir/module.js';
import { printAttributeText, printTypedValue } from '../../ir/printer.js';
import { TypeKind, type IRType } from '../../ir/types.js';

/** Takes a complaint and the values that LLVM prints below it. */
export type Complain = (message: string, ...values: readonly string[]) => void;

const PRIVATE_ADDRESS = 5;
/** ArgMem is the first of the locations; 2 is the bit of a write. */
const ARGUMENTS_WRITTEN = 2;

const isInteger = (t: IRType): boolean => t.kind === TypeKind.Integer;
const isPointer = (t: IRType): boolean => t.kind === TypeKind.Pointer;

/** What a floating-point class can be said of: also arrays of it and structures of one such type. */
function hasFPClass(t: IRType): boolean {
  for (;;) {
    if (t.kind === TypeKind.Array || t.isVector) t = t.elements[0] as IRType;
    else if (t.kind === TypeKind.Struct && t.elements.length > 0 && t.elements.every((e) => e === t.elements[0]))
      t = t.elements[0] as IRType;
    else return t.isFloatingPoint;
  }
}

/** AttributeFuncs::typeIncompatible: attributes by the types that they go with. */
const TYPE_RULES: readonly (readonly [
  words: readonly string[],
  goesWith: (t: IRType, attributes: AttributeSet) => boolean,
])[] = [
  [['allocalign', 'signext', 'zeroext'], isInteger],
  [['range'], (t, a) => isInteger(t.scalar) && t.scalar.n === (a.get('range')?.type?.n ?? t.scalar.n)],
  [
    (
      'allocptr byref byval captures dead_on_return dead_on_unwind dereferenceable dereferenceable_or_null inalloca ' +
      'initializes nest noalias nonnull preallocated readnone readonly sret swifterror writable'
    ).split(' '),
    isPointer,
  ],
  [['align'], (t) => isPointer(t.scalar)],
  [['nofpclass'], hasFPClass],
  [['inreg', 'noundef'], (t) => t.kind !== TypeKind.Void],
];

/** The first attribute that does not go with the type, as LLVM prints it; null if all do. */
function incompatible(attributes: AttributeSet, type: IRType): string | null {
  for (const word of attributes.sortedWords()) {
    const rule = TYPE_RULES.find(([words]) => words.includes(word));
    if (rule !== undefined && !rule[1](type, attributes)) return printAttributeText(attributes, word);
  }
  return null;
}

/** String attributes that are true, false or empty. */
const BOOLEANS = new Set(
  (
    'less-precise-fpmad no-infs-fp-math no-inline-line-tables no-jump-tables no-nans-fp-math no-signed-zeros-fp-math ' +
    'profile-sample-accurate use-sample-profile loader-replaceable'
  ).split(' '),
);

function checkBooleans(attributes: AttributeSet, complain: Complain): void {
  for (const key of [...attributes.strings.keys()].sort()) {
    const value = attributes.strings.get(key) ?? '';
    if (BOOLEANS.has(key) && value !== '' && value !== 'true' && value !== 'false')
      complain(`invalid value for '${key}' attribute: ${value}`);
  }
}

const EXCLUSIVE_ON_PARAMETERS: readonly (readonly [string, string, string])[] = [
  ['inalloca', 'readonly', "Attributes 'inalloca and readonly' are incompatible!"],
  ['sret', 'returned', "Attributes 'sret and returned' are incompatible!"],
  ['zeroext', 'signext', "Attributes 'zeroext and signext' are incompatible!"],
  ['readnone', 'readonly', "Attributes 'readnone and readonly' are incompatible!"],
  ['readnone', 'writeonly', "Attributes 'readnone and writeonly' are incompatible!"],
  ['readonly', 'writeonly', "Attributes 'readonly and writeonly' are incompatible!"],
  ['noinline', 'alwaysinline', "Attributes 'noinline and alwaysinline' are incompatible!"],
  ['writable', 'readnone', 'Attributes writable and readnone are incompatible!'],
  ['writable', 'readonly', 'Attributes writable and readonly are incompatible!'],
];

const SIZED = ['byval', 'byref', 'inalloca', 'preallocated'];
const WAYS_TO_PASS = ['byval', 'inalloca', 'preallocated', 'nest', 'byref'];

/** One parameter, or the result. */
function checkParameter(attributes: AttributeSet | null, type: IRType, value: string, complain: Complain): void {
  if (attributes === null || attributes.isEmpty) return;
  checkBooleans(attributes, complain);
  const has = (word: string): boolean => attributes.get(word) !== null;
  if (has('immarg') && attributes.values.size + attributes.strings.size - (has('range') ? 1 : 0) !== 1) {
    complain("Attribute 'immarg' is incompatible with other attributes except the 'range' attribute", value);
    return;
  }
  const ways = WAYS_TO_PASS.filter(has).length + (has('sret') || has('inreg') ? 1 : 0);
  if (ways > 1) {
    const all = "'byval', 'inalloca', 'preallocated', 'inreg', 'nest', 'byref', and 'sret'";
    complain(`Attributes ${all} are incompatible!`, value);
    return;
  }
  for (const [a, b, message] of EXCLUSIVE_ON_PARAMETERS) {
    if (!has(a) || !has(b)) continue;
    complain(message, value);
    return;
  }
  const text = incompatible(attributes, type);
  if (text !== null) {
    complain(`Attribute '${text}' applied to incompatible type!`, value);
    return;
  }
  if (!isPointer(type)) return;
  for (const word of SIZED) {
    const of = attributes.get(word)?.type ?? null;
    if (of === null || isSized(of)) continue;
    complain(`Attribute '${word}' does not support unsized types!`, value);
    return;
  }
}

const EXCLUSIVE_ON_FUNCTIONS: readonly (readonly [string, string])[] = [
  ['optsize', 'optnone'],
  ['minsize', 'optnone'],
  ['optdebug', 'optnone'],
  ['sanitize_realtime', 'sanitize_realtime_blocking'],
  ['optsize', 'optdebug'],
  ['minsize', 'optdebug'],
];

const ONLY_ONE: readonly (readonly [prefix: string, words: string])[] = [
  ['aarch64_', 'new_za in_za out_za inout_za preserves_za za_state_agnostic'],
  ['aarch64_', 'new_zt0 in_zt0 out_zt0 inout_zt0 preserves_zt0 za_state_agnostic'],
];

const isPowerOf2 = (n: bigint): boolean => n > 0n && (n & (n - 1n)) === 0n;

/** LLVM's StringRef::getAsInteger with base 10 into 32 bits. */
const isUnsigned = (text: string): boolean => /^\d+$/.test(text) && BigInt(text) < 1n << 32n;

const DENORMAL_MODE = /^(?:|ieee|preserve-sign|positive-zero|dynamic)$/;

function isDenormalMode(text: string): boolean {
  const comma = text.indexOf(',');
  const [output, input] = comma < 0 ? [text, ''] : [text.slice(0, comma), text.slice(comma + 1)];
  return DENORMAL_MODE.test(output) && DENORMAL_MODE.test(input);
}

/** String attributes of functions with the values that they take, in the order in which LLVM looks at them. */
const VALUES: readonly (readonly [key: string, isValid: (value: string) => boolean])[] = [
  ['sign-return-address', (v) => /^(?:none|all|non-leaf)$/.test(v)],
  ['sign-return-address-key', (v) => v === 'a_key' || v === 'b_key'],
  ['branch-target-enforcement', (v) => /^(?:|true|false)$/.test(v)],
  ['branch-protection-pauth-lr', (v) => /^(?:|true|false)$/.test(v)],
  ['guarded-control-stack', (v) => /^(?:|true|false)$/.test(v)],
  ['denormal-fp-math', isDenormalMode],
  ['denormal-fp-math-f32', isDenormalMode],
];

/** A list of attributes with what it stands at. */
interface AttributeList {
  readonly retAttrs: AttributeSet | null;
  readonly paramAttrs: readonly (AttributeSet | null)[];
  readonly fnAttrs: AttributeSet | null;
}

interface ListPlace {
  readonly fnType: IRType;
  /** what LLVM prints below a complaint */
  readonly value: string;
  readonly isIntrinsic: boolean;
  readonly isInlineAsm: boolean;
  readonly hasGlobalUnnamedAddr: boolean;
  /** where other functions are */
  readonly module: IRModule;
}

/** verifyFunctionAttrs, of a function or a call; the first complaint ends a list where LLVM ends it. */
export function checkAttributeList(list: AttributeList, place: ListPlace, complain: Complain): void {
  const { fnType, value } = place;
  // The parser takes the old word `nocapture` at a result.
  if (list.retAttrs?.has('captures') === true) {
    const text = printAttributeText(list.retAttrs, 'captures');
    return complain(`Attribute '${text}' does not apply to function return values`, value);
  }
  checkParameter(list.retAttrs, fnType.elements[0] as IRType, value, complain);
  const seen = new Set<string>();
  const parameters = fnType.elements.slice(1);
  for (const [i, type] of parameters.entries()) {
    const attributes = list.paramAttrs[i] ?? null;
    const has = (word: string): boolean => attributes?.has(word) === true;
    /** Whether another parameter has it, too. */
    const isAgain = (word: string): boolean => {
      if (!has(word)) return false;
      if (seen.has(word)) return true;
      seen.add(word);
      return false;
    };
    if (!place.isIntrinsic && has('immarg')) return complain('immarg attribute only applies to intrinsics', value);
    if (!place.isIntrinsic && !place.isInlineAsm && has('elementtype'))
      return complain("Attribute 'elementtype' can only be applied to intrinsics and inline asm.", value);
    checkParameter(attributes, type, value, complain);
    if (isAgain('nest')) return complain('More than one parameter has attribute nest!', value);
    if (isAgain('returned')) return complain('More than one parameter has attribute returned!', value);
    if (has('returned') && type !== fnType.elements[0])
      return complain("Incompatible argument and return types for 'returned' attribute", value);
    if (isAgain('sret')) return complain("Cannot have multiple 'sret' parameters!", value);
    if (has('sret') && i > 1) return complain("Attribute 'sret' is not on first or second parameter!", value);
    for (const word of ['swiftself', 'swiftasync', 'swifterror'])
      if (isAgain(word)) return complain(`Cannot have multiple '${word}' parameters!`, value);
    if (has('inalloca') && i !== parameters.length - 1) return complain("inalloca isn't on the last parameter!", value);
  }
  if (list.fnAttrs !== null && !list.fnAttrs.isEmpty) checkFunctionAttributes(list.fnAttrs, list, place, complain);
}

function checkFunctionAttributes(
  attributes: AttributeSet,
  list: AttributeList,
  { fnType, value, hasGlobalUnnamedAddr, module }: ListPlace,
  complain: Complain,
): void {
  const has = (key: string): boolean => attributes.has(key);
  checkBooleans(attributes, complain);
  // At a function it is the function's own alignment.
  if (has('align')) {
    const text = printAttributeText(attributes, 'align');
    return complain(`Attribute '${text}' does not apply to functions!`, value);
  }
  if (has('noinline') && has('alwaysinline'))
    return complain("Attributes 'noinline and alwaysinline' are incompatible!", value);
  if (has('optnone') && !has('noinline')) return complain("Attribute 'optnone' requires 'noinline'!", value);
  for (const [a, b] of EXCLUSIVE_ON_FUNCTIONS)
    if (has(a) && has(b)) return complain(`Attributes '${a} and ${b}' are incompatible!`, value);
  const memory = attributes.get('memory');
  const isArgumentWritten = memory === null || (memoryFromText(memory.text) & ARGUMENTS_WRITTEN) !== 0;
  if (!isArgumentWritten && list.paramAttrs.some((a) => a?.has('writable') === true))
    return complain('Attribute writable and memory without argmem: write are incompatible!', value);
  if (has('aarch64_pstate_sm_enabled') && has('aarch64_pstate_sm_compatible'))
    return complain("Attributes 'aarch64_pstate_sm_enabled and aarch64_pstate_sm_compatible' are incompatible!", value);
  for (const [prefix, words] of ONLY_ONE) {
    const keys = words.split(' ').map((word) => prefix + word);
    if (keys.filter(has).length <= 1) continue;
    const names = keys.map((key) => `'${key}'`);
    return complain(
      `Attributes ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''} are mutually exclusive`,
      value,
    );
  }
  if (has('jumptable') && !hasGlobalUnnamedAddr)
    return complain("Attribute 'jumptable' requires 'unnamed_addr'", value);
  const problem = allocSizeProblem(attributes.get('allocsize')?.text ?? '', fnType);
  if (problem !== '') return complain(`'allocsize' ${problem}`, value);
  checkAllocKind(attributes.get('allockind')?.text ?? null, complain);
  const zeroedProblem = zeroedVariantProblem(attributes, fnType, module);
  if (zeroedProblem !== '') return complain(`'alloc-variant-zeroed' must ${zeroedProblem}`);
  checkVScaleRange(attributes.get('vscale_range')?.text ?? null, value, complain);
  const invalid = (key: string): void => {
    complain(`invalid value for '${key}' attribute: ${attributes.string(key) ?? ''}`, value);
  };
  const framePointer = attributes.string('frame-pointer');
  if (framePointer !== null && !/^(?:all|non-leaf|non-leaf-no-reserve|none|reserved)$/.test(framePointer))
    invalid('frame-pointer');
  for (const key of ['patchable-function-prefix', 'patchable-function-entry', 'warn-stack-size']) {
    const text = attributes.string(key);
    if (text !== null && !isUnsigned(text)) complain(`"${key}" takes an unsigned integer: ${text}`, value);
  }
  for (const [key, isValid] of VALUES) {
    const text = attributes.string(key);
    if (text === null) continue;
    if (!isValid(text)) invalid(key);
    if (key === 'sign-return-address-key' && !has('sign-return-address'))
      complain("'sign-return-address-key' present without `sign-return-address`");
  }
  const variant = attributes.string('vector-function-abi-variant');
  if (variant !== null && !isVectorVariant(variant, fnType.elements.length - 1))
    complain(`invalid name for a VFABI variant: ${variant}`, value);
  const format = attributes.string('modular-format');
  const wrong = format === null ? '' : modularFormatProblem(format.split(','), fnType);
  if (wrong !== '') complain(`modular-format attribute ${wrong}`, value);
  const features = attributes.string('target-features') ?? '';
  if (features === '') return;
  for (const feature of features.split(',')) {
    if (feature === '') complain('target-features attribute should not contain an empty string');
    else if (!/^[-+]/.test(feature)) complain(`target feature '${feature}' must start with a '+' or '-'`, value);
  }
}

/** What is wrong with the function that allocates the same, but zeroed; '' = nothing. */
function zeroedVariantProblem(attributes: AttributeSet, fnType: IRType, module: IRModule): string {
  const name = attributes.string('alloc-variant-zeroed');
  if (name === '') return 'not be empty';
  const other = name === null ? null : module.symbols.get(name);
  if (!(other instanceof IRFunction)) return '';
  const family = attributes.string('alloc-family');
  if (family !== null && other.fnAttrs?.string('alloc-family') !== family)
    return "name a function belonging to the same 'alloc-family'";
  if (other.fnAttrs?.get('allockind')?.text.includes('zeroed') !== true)
    return 'name a function with \'allockind("zeroed")\'';
  return other.fnType === fnType ? '' : 'name a function with the same signature';
}

/** Name of a vector variant: instruction set, mask, lanes, a letter with what goes with it for each parameter, name (VFABIDemangler.cpp). */
const VECTOR_VARIANT =
  /^_ZGV(?:(?<set>_LLVM_|[^_])[NM](?:[1-9]\d*|(?<scalable>x)))(?<params>(?:(?:[vu]|[lRLU](?:s\d+|n?\d*))(?:a\d+)?)+)_[^(]+(?<vector>\([^()]+\))?$/;

function isVectorVariant(name: string, nParams: number): boolean {
  const { set, scalable, params, vector } = VECTOR_VARIANT.exec(name)?.groups ?? {};
  if (params === undefined || (scalable !== undefined && set !== 's' && set !== 'r')) return false;
  if (set === '_LLVM_' && vector === undefined) return false;
  const alignments = [...params.matchAll(/a(\d+)/g)];
  return params.match(/[vulRLU]/g)?.length === nParams && alignments.every(([, n]) => isPowerOf2(BigInt(n!)));
}

/** What is wrong with the list that a formatting function has; '' = nothing. */
function modularFormatProblem(words: readonly string[], fnType: IRType): string {
  if (words.length < 5) return 'requires at least 5 arguments';
  const first = words[2]!;
  if (!isUnsigned(first)) return 'first arg index is not an integer';
  const last = fnType.elements.length - 1 + Number(fnType.flag);
  return Number(first) > 0 && Number(first) <= last ? '' : 'first arg index is out of bounds';
}

/** What is wrong with `allocsize(text)`; '' = nothing. */
function allocSizeProblem(text: string, fnType: IRType): string {
  const names = ['element size', 'number of elements'];
  for (const [i, part] of text === '' ? [] : text.split(',').entries()) {
    const type = fnType.elements[1 + Number(part)];
    if (type === undefined) return `${names[i] ?? ''} argument is out of bounds`;
    if (!isInteger(type)) return `${names[i] ?? ''} argument must refer to an integer parameter`;
  }
  return '';
}

function checkAllocKind(text: string | null, complain: Complain): void {
  if (text === null) return;
  const words = new Set(text.replaceAll('"', '').split(','));
  const has = (word: string): boolean => words.has(word);
  const kinds = ['alloc', 'realloc', 'free'].filter(has);
  if (kinds.length !== 1) complain("'allockind()' requires exactly one of alloc, realloc, and free");
  if (kinds.join() === 'free' && (has('uninitialized') || has('zeroed') || has('aligned')))
    complain("'allockind(\"free\")' doesn't allow uninitialized, zeroed, or aligned modifiers.");
  if (has('zeroed') && has('uninitialized')) complain("'allockind()' can't be both zeroed and uninitialized");
}

function checkVScaleRange(text: string | null, value: string, complain: Complain): void {
  if (text === null) return;
  const [min = 0n, max = min] = text.split(',').map((part) => BigInt(part.trim()));
  if (min === 0n) complain("'vscale_range' minimum must be greater than 0", value);
  else if (!isPowerOf2(min)) complain("'vscale_range' minimum must be power-of-two value", value);
  // 0 stands for no maximum.
  if (max === 0n) return;
  if (min > max) complain("'vscale_range' minimum cannot be greater than maximum", value);
  else if (!isPowerOf2(max)) complain("'vscale_range' maximum must be power-of-two value", value);
}

const KERNELS = new Set(['amdgpu_kernel', 'amdgpu_cs_chain', 'amdgpu_cs_chain_preserve', 'spir_kernel']);
const SHADERS = new Set(['amdgpu_vs', 'amdgpu_hs', 'amdgpu_gs', 'amdgpu_ps', 'amdgpu_cs']);
const NOT_VARIADIC = new Set(['fastcc', 'coldcc', 'intel_ocl_bicc', 'ptx_kernel', 'ptx_device']);

/** What the calling convention does not allow; null = all is well. */
function conventionProblem(fn: IRFunction): string | null {
  const name = callingConvName(fn.callingConv);
  const { args } = fn;
  const [first] = args;
  const has = (i: number, word: string): boolean => args[i]?.attributes?.has(word) === true;
  if (name === 'x86_intrcc')
    return args.length > 0 && !has(0, 'byval') ? 'Calling convention parameter requires byval' : null;
  const isKernel = KERNELS.has(name);
  const isShader = SHADERS.has(name);
  const isWholeWave = name === 'amdgpu_gfx_whole_wave';
  if (isKernel && fn.returnType.kind !== TypeKind.Void) return 'Calling convention requires void return type';
  if (isKernel || isShader) {
    if (has(0, 'sret') || has(1, 'sret')) return 'Calling convention does not allow sret';
    if (name !== 'spir_kernel')
      for (const [i, arg] of args.entries()) {
        for (const word of ['byval', 'preallocated', 'inalloca'])
          if (has(i, word)) return `Calling convention disallows ${word}`;
        if (has(i, 'byref') && arg.type.n === PRIVATE_ADDRESS) return 'Calling convention disallows stack byref';
      }
  }
  if (isWholeWave) {
    if (first === undefined || !isInteger(first.type) || first.type.n !== 1)
      return 'Calling convention requires first argument to be i1';
    if (has(0, 'inreg')) return 'Calling convention requires first argument to not be inreg';
  }
  if ((isKernel || isShader || isWholeWave || NOT_VARIADIC.has(name)) && fn.fnType.flag)
    return 'Calling convention does not support varargs or perfect forwarding!';
  return null;
}

const OF_INTRINSICS_ONLY = new Map([
  [TypeKind.Metadata, 'metadata'],
  [TypeKind.Token, 'token'],
  [TypeKind.X86AMX, 'x86_amx'],
]);

/** What LLVM says of a function before it looks at its body. */
export function verifySignature(fn: IRFunction, module: IRModule, complain: Complain): void {
  const value = printTypedValue(fn);
  const { retAttrs, fnAttrs, isIntrinsic } = fn;
  if (fn.returnType.kind !== TypeKind.Void && fn.args.slice(0, 2).some((arg) => arg.attributes?.has('sret') === true))
    return complain('Invalid struct return type!', value);
  const paramAttrs = fn.args.map((arg) => arg.attributes);
  const hasAny = [retAttrs, fnAttrs, ...paramAttrs].some((a) => a !== null && !a.isEmpty);
  if (hasAny)
    checkAttributeList(
      { retAttrs, paramAttrs, fnAttrs },
      {
        fnType: fn.fnType,
        value,
        isIntrinsic,
        isInlineAsm: false,
        hasGlobalUnnamedAddr: fn.unnamedAddr === 'unnamed_addr',
        module,
      },
      complain,
    );
  if (fnAttrs?.has('builtin') === true)
    return complain("Attribute 'builtin' can only be applied to a callsite.", value);
  if (paramAttrs.some((a) => a?.has('elementtype') === true))
    return complain("Attribute 'elementtype' can only be applied to a callsite.", value);
  if (fnAttrs?.has('aarch64_zt0_undef') === true)
    return complain("Attribute 'aarch64_zt0_undef' can only be applied to a callsite.");
  const problem = conventionProblem(fn);
  if (problem !== null) return complain(problem, value);
  if (isIntrinsic) {
    if (!fn.isDeclaration) complain('llvm intrinsics cannot be defined!', value);
    return;
  }
  for (const arg of fn.args) {
    const kind = OF_INTRINSICS_ONLY.get(arg.type.kind);
    if (kind !== undefined)
      return complain(`Function takes ${kind} but isn't an intrinsic`, printTypedValue(arg, fn), value);
  }
  const result = OF_INTRINSICS_ONLY.get(fn.returnType.kind);
  if (result !== undefined && result !== 'metadata')
    complain(`Function returns a ${result} but isn't an intrinsic`, value);
}
