/** Names and numbers of a body that refer to the header or to the IR: looked up, or llc's message (MIParser, LLVM 22). */
import { NameFlag, type Node, type Tree } from '../../syntax/tree.js';
import type { FunctionContext } from './context.js';

/** Frame index, or llc's message. */
export function resolveStackObject(context: FunctionContext, id: number, name: string | null): number | string {
  const index = context.stackIds.get(id);
  if (index === undefined) return `use of undefined stack object '%stack.${id}'`;
  if (name !== null && name !== context.stackNames[index]) {
    return `the name of the stack object '%stack.${id}' isn't '${name}'`;
  }
  return index;
}

export function resolveFixedStackObject(context: FunctionContext, id: number): number | string {
  const index = context.fixedStackIds.get(id);
  return index === undefined ? `use of undefined fixed stack object '%fixed-stack.${id}'` : ~index;
}

/** Name (or number as text) of a Global node that exists, else null. */
export function resolveGlobal(context: FunctionContext, tree: Tree, n: Node): string | null {
  const isNumber = (tree.flags(n) & NameFlag.Numbered) !== 0;
  const { module } = context;
  if (isNumber) {
    const number = tree.value(n) >>> 0;
    return (module?.globalByNumber(number) ?? null) === null ? null : String(number);
  }
  const name = context.names.text(tree.value(n));
  if (module === null) return context.isDummyFunction(name) ? name : null;
  return module.globalByName(name) === null ? null : name;
}

/** `spelled`: the text of the node, with an offset after the name or without. */
export function undefinedGlobal(tree: Tree, n: Node, spelled: string): string {
  const isNumber = (tree.flags(n) & NameFlag.Numbered) !== 0;
  const name = isNumber ? `@${tree.value(n) >>> 0}` : /^@(?:"[^"]*"|[\w$.-]*)/.exec(spelled)?.[0];
  return `use of undefined global value '${name}'`;
}

export function isMetadataDefined(context: FunctionContext, number: number): boolean {
  return context.machineMetadata.has(number) || (context.module?.metadataByNumber(number) ?? null) !== null;
}
