/** DIExpression: whether it is valid, and what it says (DebugInfoMetadata.cpp, LLVM 22). */
import type { MDNode } from './module.js';

type Element = string | bigint;

interface Operation {
  readonly op: string;
  readonly args: readonly Element[];
}

/** Operators that take arguments, and how many. */
const ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ['DW_OP_LLVM_convert', 2],
  ['DW_OP_LLVM_fragment', 2],
  ['DW_OP_LLVM_extract_bits_sext', 2],
  ['DW_OP_LLVM_extract_bits_zext', 2],
  ['DW_OP_bregx', 2],
  ['DW_OP_constu', 1],
  ['DW_OP_consts', 1],
  ['DW_OP_deref_size', 1],
  ['DW_OP_plus_uconst', 1],
  ['DW_OP_LLVM_tag_offset', 1],
  ['DW_OP_LLVM_entry_value', 1],
  ['DW_OP_LLVM_arg', 1],
  ['DW_OP_regx', 1],
]);

/** Operators without arguments that may stand anywhere. */
const PLAIN: ReadonlySet<string> = new Set(
  (
    'LLVM_implicit_pointer plus minus mul div mod or and xor shl shr shra deref lit0 not dup push_object_address over rot eq ne gt ge lt le ' +
    'xderef neg abs'
  )
    .split(' ')
    .map((word) => `DW_OP_${word}`),
);

const nArguments = (op: string): number => ARGUMENTS.get(op) ?? (/^DW_OP_breg\d+$/.test(op) ? 1 : 0);

/** The operations of an expression; one whose arguments are missing has fewer. */
function operationsOf(node: MDNode): Operation[] {
  const elements = (node.elements ?? []) as readonly Element[];
  const found: Operation[] = [];
  for (let k = 0; k < elements.length;) {
    const op = String(elements[k]);
    const n = nArguments(op);
    found.push({ op, args: elements.slice(k + 1, k + 1 + n) });
    k += 1 + n;
  }
  return found;
}

/** @llvm DebugInfoMetadata.cpp DIExpression::isValid */
export function isValidExpression(node: MDNode): boolean {
  const all = operationsOf(node);
  return all.every(({ op, args }, k) => {
    if (args.length < nArguments(op)) return false;
    const isLast = k + 1 === all.length;
    if (op === 'DW_OP_LLVM_fragment') return isLast;
    if (op === 'DW_OP_stack_value') return isLast || (k + 2 === all.length && all[k + 1]!.op === 'DW_OP_LLVM_fragment');
    if (op === 'DW_OP_swap') return all.length > 1;
    if (op === 'DW_OP_LLVM_entry_value') {
      const isFirst = k === 0 || (k === 1 && all[0]!.op === 'DW_OP_LLVM_arg' && all[0]!.args[0] === 0n);
      return isFirst && args[0] === 1n;
    }
    return ARGUMENTS.has(op) || PLAIN.has(op) || /^DW_OP_b?reg\d+$/.test(op);
  });
}

/** DWARF's numbers of operators, by word after `DW_OP_`; those of one row follow each other. */
const NUMBERED: readonly (readonly [first: number, words: string])[] = [
  [0x03, 'addr'],
  [0x06, 'deref'],
  [
    0x08,
    'const1u const1s const2u const2s const4u const4s const8u const8s constu consts dup drop over pick swap rot xderef abs and div minus',
  ],
  [0x1d, 'mod mul neg not or plus plus_uconst shl shr shra xor bra eq ge gt le lt ne skip'],
  [
    0x90,
    'regx fbreg bregx piece deref_size xderef_size nop push_object_address call2 call4 call_ref form_tls_address call_frame_cfa',
  ],
  [
    0x9d,
    'bit_piece implicit_value stack_value implicit_pointer addrx constx entry_value const_type regval_type deref_type',
  ],
  [0xa7, 'xderef_type convert reinterpret'],
  [0x1000, 'LLVM_fragment LLVM_convert LLVM_tag_offset LLVM_entry_value LLVM_implicit_pointer LLVM_arg'],
  [0x1006, 'LLVM_extract_bits_sext LLVM_extract_bits_zext'],
];

/** DWARF's encodings of base types from number 1 on, by word after `DW_ATE_` */
const ENCODINGS = (
  'address boolean complex_float float signed signed_char unsigned unsigned_char imaginary_float packed_decimal numeric_string edited ' +
  'signed_fixed unsigned_fixed decimal_float UTF UCS ASCII'
).split(' ');

/** lit0, reg0 and breg0 */
const FAMILIES: Readonly<Record<string, number>> = { lit: 0x30, reg: 0x50, breg: 0x70 };

let numbers: ReadonlyMap<string, number> | null = null;

function numberOf(element: Element): string {
  if (typeof element === 'bigint') return element.toString();
  const family = /^DW_OP_(lit|b?reg)(\d+)$/.exec(element);
  if (family !== null) return String(FAMILIES[family[1]]! + Number(family[2]));
  numbers ??= new Map([
    ...ENCODINGS.map((word, k) => [`DW_ATE_${word}`, k + 1] as const),
    ...NUMBERED.flatMap(([first, words]) => words.split(' ').map((word, k) => [`DW_OP_${word}`, first + k] as const)),
  ]);
  return String(numbers.get(element) ?? element);
}

/** An expression as LLVM prints it: in numbers when it is not valid. */
export function expressionText(node: MDNode): string {
  const elements = (node.elements ?? []) as readonly Element[];
  const texts = isValidExpression(node) ? elements.map(String) : elements.map(numberOf);
  return `!DIExpression(${texts.join(', ')})`;
}

export interface Fragment {
  readonly offset: bigint;
  readonly size: bigint;
}

/** The part of its variable that a valid expression speaks of; null = all of it. */
export function expressionFragment(node: MDNode): Fragment | null {
  const last = operationsOf(node).at(-1);
  if (last?.op !== 'DW_OP_LLVM_fragment') return null;
  return { offset: BigInt(last.args[0]!), size: BigInt(last.args[1]!) };
}

export function isEntryValue(node: MDNode): boolean {
  const [first, second] = operationsOf(node);
  return (first?.op === 'DW_OP_LLVM_arg' ? second : first)?.op === 'DW_OP_LLVM_entry_value';
}
