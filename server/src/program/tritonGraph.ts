/**
 * The graph that Triton appends to a dump (`region BLOCK INDEX`, `node PLACE REGISTER OPCODE`, `edge FROM TO KIND LATENCY REGISTER`) beside ours of the
 * same function: LLVM's ScheduleDAGInstrs before any mutation. Within a region nodes and edges have no order that means something.
 * Registers of the graph may have other numbers than those of the text, which LLVM's printer counts anew: nodes say which are which.
 */
import type { CodegenFlags } from '../ir/printer.js';
import { AUTO_MODEL } from '../passes/scheduler/schedulerModel.js';
import { scheduleOptions } from '../passes/scheduler/llcOptions.js';
import { moduleFactsOf } from '../passes/scheduler/moduleFacts.js';
import { parseMirFile } from '../syntax/index.js';
import { SourceText } from '../text/sourceText.js';
import { visible } from '../text/visible.js';
import { Interner } from '../util/interner.js';
import { loadProgram } from './mirProgram.js';
import { modelWithTarget } from './modelOfFile.js';
import { DEFAULT_SETTINGS } from './settings.js';
import { targetOfFile } from './targetOfFile.js';
import { TestFile } from './testFile/testFile.js';
import { fileForSwap, graphStart } from './tritonDump.js';
import { OpFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../model/register.js';
import { DepKind } from '../passes/scheduler/dag/graph.js';
import { plainGraphs, type PlainEdge } from '../passes/scheduler/plainGraphs.js';
import type { ModuleFacts, ScheduleOptions } from '../passes/scheduler/scheduleFunction.js';

export interface DumpComparison extends GraphComparison {
  readonly function: string;
}

const NO_FLAGS: CodegenFlags = { attributes: [], trapFunction: null };

/** Our graph of the file's function beside that in the file; a text says why there is none. */
export function compareDump(source: string, path: string): DumpComparison | string {
  const file = parseMirFile(new SourceText(source), new Interner());
  const start = graphStart(file);
  if (start < 0) return 'there is no graph in it: it is no dump of TRITON_DUMP_MIR';
  const graph = source.slice(start);
  if (!/^region /m.test(graph)) return 'its graph is empty: Triton has written none for this kernel';
  const { text } = fileForSwap(source);
  const test = new TestFile(text);
  const found = modelWithTarget(
    file,
    (name) => targetOfFile(test, DEFAULT_SETTINGS.target, undefined, name),
    AUTO_MODEL,
  );
  const { model, release } = found.model;
  const { triple, cpu, features } = found.target;
  const program = loadProgram(text, path, { triple, march: '', cpu, features, release, flags: NO_FLAGS });
  if (program.fatal !== null) return program.fatal.stderr.trim();
  for (const { name, fn, diagnostics } of program.functions) {
    if (fn === null) return program.print(diagnostics).trim() || `${name} has errors`;
    // Triton asks no alias scopes.
    const options = { ...scheduleOptions(new Map()), model, usesScopes: false };
    return { function: name, ...compareGraph(graph, fn, options, moduleFactsOf(text, program.ir)) };
  }
  return 'there is no function in it';
}

/** `equal: 24 regions, 70 nodes and 45 edges`, or where the first difference is. */
export function comparisonText({ regions, nodes, edges, different, first }: GraphComparison): string {
  if (first === null) return `the graphs are equal: ${regions} regions, ${nodes} nodes, ${edges} edges\n`;
  const [block, index] = first.region.split(' ');
  return (
    `${different} of ${regions} regions differ, the first is region ${index} of bb.${block}\n` +
    `  amdgpu-mir  ${first.here || '(nothing)'}\n  file        ${visible(first.there) || '(nothing)'}\n`
  );
}

/** The lines of one region, sorted, each once. */
interface RegionLines {
  readonly region: string;
  readonly lines: readonly string[];
}

export interface GraphComparison {
  readonly regions: number;
  readonly nodes: number;
  readonly edges: number;
  /** regions that differ */
  readonly different: number;
  /** null = the graphs are equal */
  readonly first: { readonly region: string; readonly here: string; readonly there: string } | null;
  /** our graph as Triton writes one */
  readonly text: string;
  /** that of the file, with the text's registers, in the order of ours; what ours lacks comes last in its region */
  readonly theirs: string;
}

/** Triton's names: dependences on memory are one kind, and so are those that order for other reasons. */
const KINDS: Readonly<Partial<Record<DepKind, string>>> = {
  [DepKind.Data]: 'Data',
  [DepKind.Anti]: 'Anti',
  [DepKind.Output]: 'Output',
  [DepKind.Barrier]: 'Barrier',
  [DepKind.MayAliasMem]: 'Memory',
  [DepKind.MustAliasMem]: 'Memory',
};

/** `graph`: from its `---` on. */
function compareGraph(
  graph: string,
  fn: MachineFunction,
  options: ScheduleOptions,
  module: ModuleFacts,
): GraphComparison {
  const theirs = new Map(regionsOf(graph).map(({ region, lines }) => [region, lines]));
  const ours = [...plainGraphs(fn, options, module)].map((region) => ({
    region: `${fn.numberOf(region.block)} ${region.index}`,
    nodes: region.nodes.map(({ instr, place }) => nodeText(fn, instr, place)),
    edges: region.edges.map((edge) => edgeText(fn, edge)),
  }));
  const names = new Map<string, string>();
  for (const { region, nodes } of ours) addNames(names, nodes, theirs.get(region) ?? []);
  const head = '========== SCHEDULING DAG ==========\n';
  let text = head;
  let others = head;
  let first: GraphComparison['first'] = null;
  const counts = { regions: 0, nodes: 0, edges: 0, different: 0 };
  const check = (region: string, here: readonly string[], there: readonly string[]): void => {
    const difference = firstOf(here, there);
    if (difference === null) return;
    counts.different++;
    first ??= { region, ...difference };
  };
  for (const { region, nodes, edges } of ours) {
    const lines = [...nodes, ...edges];
    text += [`region ${region}`, ...lines].join('\n') + '\n';
    counts.regions++;
    counts.nodes += nodes.length;
    counts.edges += edges.length;
    const there = renamed(theirs.get(region) ?? [], names);
    others += [`region ${region}`, ...inOrderOf(lines, there)].join('\n') + '\n';
    check(region, sorted(lines), there);
    theirs.delete(region);
  }
  for (const [region, lines] of theirs) {
    others += [`region ${region}`, ...lines].join('\n') + '\n';
    check(region, [], renamed(lines, names));
  }
  return { ...counts, first, text, theirs: others };
}

/** Of nodes at the same place with the same opcode: what their registers are called in the text. */
function addNames(names: Map<string, string>, here: readonly string[], there: readonly string[]): void {
  const keyOf = ([, place = '', , opcode = '']: readonly string[]): string => `${place} ${opcode}`;
  const own = new Map(here.map((line) => line.split(' ')).map((words) => [keyOf(words), words[2] ?? '']));
  for (const line of there) {
    const words = line.split(' ');
    const name = words[0] === 'node' ? own.get(keyOf(words)) : undefined;
    const other = words[2] ?? '';
    if (name?.startsWith('%') === true && other.startsWith('%') && !names.has(other)) names.set(other, name);
  }
}

/** Lines that `order` has, as it has them, then the others. */
function inOrderOf(order: readonly string[], lines: readonly string[]): string[] {
  const there = new Set(lines);
  const here = new Set(order);
  return [...order.filter((line) => there.has(line)), ...lines.filter((line) => !here.has(line))];
}

const renamed = (lines: readonly string[], names: ReadonlyMap<string, string>): string[] =>
  sorted(lines.map((line) => line.replace(/%[\w.$-]+/, (name) => names.get(name) ?? name)));

const nodeText = (fn: MachineFunction, instr: InstrId, place: number): string =>
  `node ${place} ${definedBy(fn, instr)} ${fn.tables.opcodeName(fn.opcode[instr]!)}`;

const sorted = (lines: readonly string[]): string[] => [...new Set(lines)].sort();

function regionsOf(graph: string): RegionLines[] {
  const regions: { region: string; lines: string[] }[] = [];
  for (const line of graph.split(/\r?\n/)) {
    const region = /^region (\d+ \d+)\s*$/.exec(line)?.[1];
    if (region !== undefined) regions.push({ region, lines: [] });
    else if (/^(?:node|edge) /.test(line)) regions.at(-1)?.lines.push(line.trimEnd());
  }
  return regions.map(({ region, lines }) => ({ region, lines: sorted(lines) }));
}

/** The first line that one of two sorted lists alone has. */
function firstOf(here: readonly string[], there: readonly string[]): { here: string; there: string } | null {
  const isHere = new Set(here);
  const isThere = new Set(there);
  const own = here.find((line) => !isThere.has(line)) ?? '';
  const other = there.find((line) => !isHere.has(line)) ?? '';
  return own === '' && other === '' ? null : { here: own, there: other };
}

const edgeText = (fn: MachineFunction, { from, to, kind, latencyCycles, reg }: PlainEdge): string =>
  `edge ${from} ${to} ${KINDS[kind] ?? 'Other'} ${latencyCycles}${reg === 0 ? '' : ` ${nameOf(fn, reg)}`}`;

function nameOf(fn: MachineFunction, reg: Reg): string {
  if (!isVirtualReg(reg)) return `$${fn.tables.regName(reg)}`;
  const v = virtRegIndex(reg);
  return `%${fn.vregs.name[v] ?? String(fn.vregs.sourceNumber[v]! >>> 0)}`;
}

/** The first register that an instruction defines for others; `-` = none. */
function definedBy(fn: MachineFunction, i: InstrId): string {
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
    if ((fn.opFlags[o]! & (OpFlag.Def | OpFlag.Dead)) === OpFlag.Def) return nameOf(fn, fn.opVal[o]!);
  return '-';
}
