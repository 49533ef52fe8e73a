/**
 * What the MIR of a dump names of the IR that a dump does not have: values, blocks, globals, types, metadata. A module with things of these names is what lets
 * LLVM read it back.
 */
import type { SourcePlace } from '../sourcePlace.js';
import { indexOutside } from './dumpText.js';

/** Of one function. Names as IR writes them behind `%`: `x`, `"a b"`, `5`. */
export interface FunctionNeeds {
  /** address spaces of the pointers */
  readonly values: Map<string, number>;
  readonly blocks: Set<string>;
  /** names of `%stack.N.NAME`, which are those of allocas, by N */
  readonly allocas: Map<number, string>;
}

export interface GlobalNeed {
  readonly isFunction: boolean;
  readonly addressSpace: number;
}

export class ModuleNeeds {
  /** names as behind `@` */
  readonly globals = new Map<string, GlobalNeed>();
  /** fields that are asked for, by the name as behind `%` */
  readonly types = new Map<string, number>();
  /** text of each node by its number */
  readonly nodes = new Map<number, string>();
  readonly debug = new DebugNeeds();

  addGlobal(name: string, need: GlobalNeed): void {
    const known = this.globals.get(name);
    const isBetter = need.isFunction || (known !== undefined && !known.isFunction && need.addressSpace !== 1);
    if (known === undefined || isBetter) this.globals.set(name, need);
  }
}

export const newFunctionNeeds = (): FunctionNeeds => ({ values: new Map(), blocks: new Set(), allocas: new Map() });

/** Debug locations and variables, by what the dump tells of them. */
export class DebugNeeds {
  readonly locations = new Map<number, readonly SourcePlace[]>();
  /** by name, line and scope */
  readonly variables = new Map<
    string,
    { readonly name: string; readonly line: number; readonly file: string; readonly isLabel: boolean }
  >();

  /** A key that stands for the number that the variable gets. */
  variable(name: string, line: number, file: string, isLabel: boolean): string {
    const key = JSON.stringify([name, line, file, isLabel]);
    if (!this.variables.has(key)) this.variables.set(key, { name, line, file, isLabel });
    return key;
  }
}

const NAME = String.raw`(?:"[^"]*"|[\w.$-]+)`;
const VALUE = new RegExp(String.raw`%ir\.(${NAME})`, 'g');
const BLOCK = new RegExp(String.raw`%ir-block\.(${NAME})`, 'g');
const GLOBAL = new RegExp(String.raw`@(${NAME})`, 'g');
const STACK = new RegExp(String.raw`%stack\.(\d+)\.(${NAME})`, 'g');
const TYPED_GLOBAL = new RegExp(String.raw`\bptr(?: addrspace\((\d+)\))? @(${NAME})`, 'g');
const TYPE = new RegExp(String.raw`%(${NAME}), ptr(?: addrspace\(\d+\))? @${NAME}((?:, i\d+ \d+)*)`, 'g');
const NODE = /(?:([\w.-]+) )?!(\d+)/g;
const CALL = /^(?:SI_(?:CALL|TCRETURN|CS_CHAIN)|G_SI_CALL)/;

/** Notes what an instruction names. `operands` with its debug location, `memory` from ` :: ` on. */
export function noteInstr(
  opcode: string,
  operands: string,
  memory: string,
  own: FunctionNeeds,
  module: ModuleNeeds,
): void {
  if (operands.includes('@')) {
    const text = operands.replace(/"(?:[^"\\]|\\.)*"/g, (q, at: number) =>
      /[@&.]$/.test(operands.slice(0, at)) ? q : '""',
    );
    for (const [, name] of text.replace(/intrinsic\(@[^)]*\)/g, '').matchAll(GLOBAL))
      module.addGlobal(name!, { isFunction: CALL.test(opcode), addressSpace: 1 });
  }
  if (operands.includes('%ir-block.')) for (const [, name] of operands.matchAll(BLOCK)) own.blocks.add(name!);
  if (operands.includes('%stack.')) noteAllocas(operands, own);
  if (memory.includes('%stack.')) noteAllocas(memory, own);
  if (operands.includes('!')) noteNodes(operands, module);
  if (memory !== '') for (const part of memoryOperands(memory)) noteMemory(part, own, module);
}

function noteAllocas(text: string, own: FunctionNeeds): void {
  for (const [, id, name] of text.matchAll(STACK)) own.allocas.set(Number(id), name!);
}

/** The texts between the parentheses of ` :: (…), (…)`. */
function memoryOperands(memory: string): string[] {
  const parts: string[] = [];
  let from = memory.indexOf('(');
  while (from >= 0) {
    const end = indexOutside(memory, ')', from + 1);
    parts.push(memory.slice(from + 1, end < 0 ? undefined : end));
    from = end < 0 ? -1 : memory.indexOf('(', end);
  }
  return parts;
}

function noteMemory(text: string, own: FunctionNeeds, module: ModuleNeeds): void {
  const space = Number(/, addrspace (\d+)/.exec(text)?.[1] ?? 0);
  for (const [, name] of text.matchAll(VALUE)) own.values.set(name!, space);
  if (text.includes('@')) {
    const rest = text.replace(TYPED_GLOBAL, (_, as: string | undefined, name: string) => {
      const addressSpace = Number(as ?? 0);
      module.addGlobal(name, { isFunction: false, addressSpace });
      return '';
    });
    for (const [, name] of rest.replace(/custom "[^"]*"/g, '').matchAll(GLOBAL))
      module.addGlobal(name!, { isFunction: text.includes('call-entry '), addressSpace: space });
    for (const [, name, indexes] of text.matchAll(TYPE)) {
      const field = Number(/, i\d+ \d+, i\d+ (\d+)/.exec(indexes!)?.[1] ?? 0);
      module.types.set(name!, Math.max(module.types.get(name!) ?? 0, field + 1));
    }
  }
  noteNodes(text, module);
}

/** All accesses may alias: the tree of types is not in a dump. */
const ANY_ACCESS = 'distinct !{TBAA, TBAA, i64 0}';

function noteNodes(text: string, module: ModuleNeeds): void {
  for (const [, word = '', number] of text.matchAll(NODE)) {
    const id = Number(number);
    if (module.nodes.has(id) || word === 'debug-location') continue;
    const bits = /\(s(\d+)\)/.exec(text)?.[1] ?? '32';
    let node = 'distinct !{}';
    if (word === '!tbaa' || word === 'tbaa') node = ANY_ACCESS;
    else if (word === 'range') node = `!{i${bits} 0, i${bits} -1}`;
    module.nodes.set(id, node);
  }
}
