/**
 * The IR module that goes with MIR out of a log: it has what the machine code names, so that LLVM reads it back, and nothing of what the program was. Blocks
 * are empty, values are poison, accesses may alias, types have the fields that are asked for.
 */
import type { SourcePlace } from '../sourcePlace.js';
import { numberVariables, type DumpFunction } from './dumpFunction.js';
import type { DebugNeeds, FunctionNeeds, ModuleNeeds } from './irNeeds.js';

/** MIR of functions that were read with one `module`: an IR document and one for each. O(text) */
export function moduleOfDumps(functions: readonly DumpFunction[], module: ModuleNeeds, triple: string): string {
  const names = new Set(functions.map(({ name }) => name));
  const metadata = new Metadata(module);
  const variables = metadata.addDebug(module.debug);
  const ir: string[] = [];
  if (triple !== '') ir.push(`target triple = "${triple}"`, '');
  for (const [name, fields] of module.types)
    ir.push(`%${name} = type { ${Array.from({ length: fields }, () => FIELD).join(', ')} }`);
  for (const [name, { isFunction, addressSpace }] of module.globals) {
    if (names.has(unquoted(name))) continue;
    const space = addressSpace === 0 ? '' : `addrspace(${addressSpace}) `;
    ir.push(isFunction ? `declare void @${name}()` : `@${name} = external ${space}global i8`);
  }
  if (ir.length > 0 && ir.at(-1) !== '') ir.push('');
  for (const { name, needs, convention } of functions) {
    const cc = convention === null || convention === '' ? '' : `${convention} `;
    ir.push(...functionLines(`define ${cc}void @${quoted(name)}`, needs), '');
  }
  ir.push(...metadata.lines());
  while (ir.at(-1) === '') ir.pop();
  const documents = functions.map(({ document }) => numberVariables(document, (key) => variables.get(key) ?? 0));
  return `--- |\n${ir.map((line) => (line === '' ? '\n' : `  ${line}\n`)).join('')}...\n${documents.join('')}`;
}

/** LLVM takes no file without a name. */
const NO_FILE = 'unknown';

/** Of a type of which only the order of the fields is known: large, so that none lies in another. */
const FIELD = '[4096 x i8]';

const unquoted = (name: string): string => (name.startsWith('"') ? name.slice(1, -1) : name);
const quoted = (name: string): string => (/^[\w.$-]+$/.test(name) && !/^\d/.test(name) ? name : `"${name}"`);
const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** Unnamed values and blocks count together: what stands before the first block are arguments, others instructions of the block before. */
function functionLines(head: string, { values, blocks, allocas }: FunctionNeeds): string[] {
  const unnamedBlocks = new Set([...blocks].filter(isNumber).map(Number));
  const unnamedValues = new Map(
    [...values].filter(([name]) => isNumber(name)).map(([name, space]) => [Number(name), space]),
  );
  const namedBlocks = [...blocks].filter((name) => !isNumber(name));
  const lines: string[] = [];
  const slots = new Set([...allocas.values()].filter((name) => !isNumber(name)));
  const named = [...slots].map((name) => `  %${name} = alloca i8, align 4, addrspace(5)`);
  for (const [name, space] of values)
    if (!isNumber(name) && !slots.has(name)) named.push(`  %${name} = freeze ${pointer(space)} poison`);
  const last = Math.max(-1, ...unnamedBlocks, ...unnamedValues.keys());
  const firstBlock = unnamedBlocks.size === 0 ? 0 : Math.min(...unnamedBlocks);
  const typeOf = (slot: number): string => (unnamedValues.has(slot) ? pointer(unnamedValues.get(slot)!) : 'i32');
  const args = Array.from(
    { length: unnamedBlocks.size === 0 ? 0 : firstBlock },
    (_, slot) => `${typeOf(slot)} %${slot}`,
  );
  lines.push(`${head}(${args.join(', ')}) {`);
  const open = unnamedBlocks.size === 0 ? [`${namedBlocks.shift() ?? 'entry'}:`] : [];
  lines.push(...open);
  if (unnamedBlocks.size === 0) lines.push(...named);
  for (let slot = firstBlock; slot <= last; slot++) {
    if (!unnamedBlocks.has(slot)) {
      lines.push(`  %${slot} = freeze ${typeOf(slot)} poison`);
      continue;
    }
    if (slot !== firstBlock) lines.push('  unreachable', '');
    lines.push(`${slot}:`);
    if (slot === firstBlock) lines.push(...named);
  }
  lines.push('  unreachable');
  for (const name of namedBlocks) lines.push('', `${name}:`, '  unreachable');
  lines.push('}');
  return lines;
}

const pointer = (space: number): string => (space === 0 ? 'ptr' : `ptr addrspace(${space})`);

/** Nodes with the numbers that the machine code names, and others above. */
class Metadata {
  private readonly own = new Map<number, string>();
  private readonly named: string[] = [];
  private readonly ids = new Map<string, number>();
  private next: number;

  constructor(module: ModuleNeeds) {
    let last = -1;
    for (const id of module.nodes.keys()) last = Math.max(last, id);
    for (const id of module.debug.locations.keys()) last = Math.max(last, id);
    this.next = last + 1;
    for (const [id, node] of module.nodes) {
      const text = node.includes('TBAA') ? node.replaceAll('TBAA', `!${this.tbaa()}`) : node;
      this.own.set(id, text);
    }
  }

  /** The numbers of debug variables, by their keys. */
  addDebug({ locations, variables }: DebugNeeds): ReadonlyMap<string, number> {
    const numbers = new Map<string, number>();
    if (locations.size + variables.size === 0) return numbers;
    for (const [id, places] of locations) this.own.set(id, this.location(places));
    for (const [key, { name, line, file, isLabel }] of variables) {
      const own = `scope: !${this.scope(file || NO_FILE)}, file: !${this.file(file || NO_FILE)}, line: ${line}`;
      numbers.set(
        key,
        this.node(
          `${key}`,
          isLabel ? `distinct !DILabel(name: "${name}", ${own})` : `!DILocalVariable(name: "${name}", ${own})`,
        ),
      );
    }
    const version = this.node('version', '!{i32 2, !"Debug Info Version", i32 3}');
    this.named.push(`!llvm.dbg.cu = !{!${this.unit()}}`, `!llvm.module.flags = !{!${version}}`);
    return numbers;
  }

  lines(): string[] {
    const nodes = [...this.own].sort(([a], [b]) => a - b).map(([id, text]) => `!${id} = ${text}`);
    return this.named.length === 0 ? nodes : [...this.named, '', ...nodes];
  }

  private node(key: string, text: string): number {
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.next++;
      this.ids.set(key, id);
      this.own.set(id, text);
    }
    return id;
  }

  private tbaa(): number {
    const root = this.node('root', '!{!"types of a dump"}');
    return this.node('any', `!{!"any access", !${root}, i64 0}`);
  }

  private file(name: string): number {
    return this.node(`file ${name}`, `!DIFile(filename: "${escaped(name)}", directory: "")`);
  }

  private unit(): number {
    const file = this.file(NO_FILE);
    return this.node(
      'unit',
      `distinct !DICompileUnit(language: DW_LANG_C99, file: !${file}, emissionKind: LineTablesOnly)`,
    );
  }

  /** A dump names no functions of the source: one for each file. */
  private scope(name: string): number {
    const file = this.file(name);
    const unit = this.unit();
    const key = escaped(name);
    return this.node(
      `scope ${name}`,
      `distinct !DISubprogram(name: "${key}", scope: !${file}, file: !${file}, unit: !${unit}, spFlags: DISPFlagDefinition)`,
    );
  }

  private location([place, ...calls]: readonly SourcePlace[]): string {
    if (place === undefined) return `!DILocation(line: 0, scope: !${this.scope(NO_FILE)})`;
    const { file, line, column } = place;
    const at = `line: ${line}${column === 0 ? '' : `, column: ${column}`}, scope: !${this.scope(file)}`;
    if (calls.length === 0) return `!DILocation(${at})`;
    const key = calls.map((call) => `${call.file}:${call.line}:${call.column}`).join(' @ ');
    let call = this.ids.get(key);
    call ??= this.node(key, `distinct ${this.location(calls)}`);
    return `!DILocation(${at}, inlinedAt: !${call})`;
  }
}

const escaped = (text: string): string =>
  text.replace(/["\\\u0000-\u001f]/g, (c) => `\\${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
