/** Edits of `!DIExpression(...)` as texts, in the form in which MIR prints them (DIExpression, LLVM 22). */

/** An operation with its arguments. */
type Operation = readonly [name: string, ...args: string[]];

const ARG = 'DW_OP_LLVM_arg';
const ENTRY_VALUE = 'DW_OP_LLVM_entry_value';
const FRAGMENT = 'DW_OP_LLVM_fragment';
const DEREF: Operation = ['DW_OP_deref'];

function operationsOf(expression: string): Operation[] {
  const operations: [string, ...string[]][] = [];
  const inside = expression.slice(expression.indexOf('(') + 1, expression.lastIndexOf(')'));
  for (const raw of inside.split(',')) {
    const word = raw.trim();
    if (word === '') continue;
    if (word.startsWith('DW_OP_') || operations.length === 0) operations.push([word]);
    else operations[operations.length - 1].push(word);
  }
  return operations;
}

const textOf = (operations: readonly Operation[]): string => `!DIExpression(${operations.flat().join(', ')})`;

/** Offset and size of the part of the variable that the expression is about; '' for all of it. */
export function fragmentOf(expression: string): string {
  const found = operationsOf(expression).find(([name]) => name === FRAGMENT);
  return found === undefined ? '' : found.slice(1).join(' ');
}

/**
 * Whether two values of a variable are about the same bits.
 * @llvm DebugInfoMetadata.h DIExpression::fragmentsOverlap
 */
export function fragmentsOverlap(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => fragmentOf(text).split(' ').map(Number));
  if (x.length < 2 || y.length < 2) return true;
  return x[0] < y[0] + y[1] && y[0] < x[0] + x[1];
}

export const hasEntryValue = (expression: string): boolean =>
  operationsOf(expression).some(([name]) => name === ENTRY_VALUE);

/** What the register held when the function was entered, under the same operations. */
export const asEntryValue = (expression: string): string => textOf([[ENTRY_VALUE, '1'], ...operationsOf(expression)]);

/** Nothing but, at most, a load. */
export function isPlain(expression: string): boolean {
  const operations = operationsOf(expression);
  return operations.length === 0 || (operations.length === 1 && operations[0][0] === DEREF[0]);
}

export const isEmpty = (expression: string): boolean => operationsOf(expression).length === 0;

/** Argument `from` is argument `to`, and those after it move up. */
export function mergeArgs(expression: string, from: number, to: number): string {
  const renamed = operationsOf(expression).map((op): Operation => {
    if (op[0] !== ARG || Number(op[1]) < from) return op;
    const arg = Number(op[1]) === from ? to : Number(op[1]);
    return [ARG, String(arg > from ? arg - 1 : arg)];
  });
  return textOf(renamed);
}

/** @llvm DebugInfoMetadata.cpp DIExpression::appendOffset */
function offsetOperations(bytes: number): Operation[] {
  if (bytes > 0) return [['DW_OP_plus_uconst', String(bytes)]];
  return bytes < 0 ? [['DW_OP_constu', String(-bytes)], ['DW_OP_minus']] : [];
}

/** The location is in memory, `bytes` after an address, `isPointer`: and what lies there is an address, too. */
export function inMemory(expression: string, bytes: number, isPointer: boolean): string {
  return textOf([...offsetOperations(bytes), ...(isPointer ? [DEREF] : []), ...operationsOf(expression)]);
}

/** Argument `arg` is in memory, `bytes` after an address. */
export function argInMemory(expression: string, arg: number, bytes: number): string {
  const load = [...offsetOperations(bytes), DEREF];
  const operations = operationsOf(expression);
  if (!operations.some(([name]) => name === ARG)) return textOf([...load, ...operations]);
  return textOf(operations.flatMap((op) => (op[0] === ARG && Number(op[1]) === arg ? [op, ...load] : [op])));
}

/** What an expression is when its operations have these in front of them, `isValue`: and it is to be the value. */
function prepended(expression: string, before: readonly Operation[], isValue: boolean): string {
  const operations = operationsOf(expression);
  if (!isValue || before.length === 0 || operations.some(([name]) => name === STACK_VALUE))
    return textOf([...before, ...operations]);
  const fragment = operations.findIndex(([name]) => name === FRAGMENT);
  const end = fragment < 0 ? operations.length : fragment;
  return textOf([...before, ...operations.slice(0, end), [STACK_VALUE], ...operations.slice(end)]);
}

const STACK_VALUE = 'DW_OP_stack_value';
const NOT_COMPLEX: ReadonlySet<string> = new Set(['DW_OP_LLVM_tag_offset', FRAGMENT, ARG]);
const IMPLICIT: ReadonlySet<string> = new Set([STACK_VALUE, 'DW_OP_LLVM_tag_offset']);

/**
 * The expression of a value in a slot that is now `bytes` after a register. `isIndirect`: it lies in memory there.
 * @llvm PrologEpilogInserter.cpp PEIImpl::replaceFrameIndexDebugInstr
 */
export function atRegister(
  expression: string,
  bytes: number,
  size: number,
  isIndirect: boolean,
): { readonly expression: string; readonly isIndirect: boolean } {
  const names = operationsOf(expression).map(([name]) => name);
  const isValue = !isIndirect && names.every((name) => NOT_COMPLEX.has(name));
  const loads = isIndirect && names.some((name) => IMPLICIT.has(name));
  const loaded = loads ? prepended(expression, [['DW_OP_deref_size', String(size)]], true) : expression;
  return { expression: prepended(loaded, offsetOperations(bytes), isValue), isIndirect: isIndirect && !loads };
}

/** The same of argument `arg` of a list. */
export function argAtRegister(expression: string, arg: number, bytes: number): string {
  const add = offsetOperations(bytes);
  const operations = operationsOf(expression);
  if (!operations.some(([name]) => name === ARG)) return prepended(expression, add, false);
  return textOf(operations.flatMap((op) => (op[0] === ARG && Number(op[1]) === arg ? [op, ...add] : [op])));
}
