/** Edits of `!DIExpression(...)` as texts, in the form in which MIR prints them (DIExpression, LLVM 22). */

/** An operation with its arguments. */
type Operation = readonly [name: string, ...args: string[]];

const ARG = 'DW_OP_LLVM_arg';
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

/** Argument `from` is argument `to`, and those after it move up. */
export function mergeArgs(expression: string, from: number, to: number): string {
  const renamed = operationsOf(expression).map((op): Operation => {
    if (op[0] !== ARG || Number(op[1]) < from) return op;
    const arg = Number(op[1]) === from ? to : Number(op[1]);
    return [ARG, String(arg > from ? arg - 1 : arg)];
  });
  return textOf(renamed);
}

const offsetOperations = (bytes: number): Operation[] => (bytes > 0 ? [['DW_OP_plus_uconst', String(bytes)]] : []);

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
