/**
 * What the engine makes of a file, as text, for those who change it: `npm run inspect FILE [PART...]`. Each stage of the way of a file
 * (ARCHITECTURE.md) in turn; the target is that of the first RUN line, as in the editor.
 */
import { readFileSync } from 'node:fs';
import { printRange } from '../../src/analysis/liveIntervals.js';
import { printSlot } from '../../src/analysis/slotIndexes.js';
import { targetText, type FunctionView, type Snapshot } from '../../src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../src/host/analysisHost.js';
import { InstrPrinter } from '../../src/model/printer/index.js';
import { NO_NODE, SyntaxKind, type Node, type Tree } from '../../src/syntax/tree.js';
import { NEVER_CANCELLED } from '../../src/util/cancellation.js';

/** The bundler keeps the names of both (inspect.mjs). */
declare const SYNTAX_KINDS: readonly string[];
declare const DEP_KINDS: readonly string[];

const PARTS = {
  tree: 'syntax tree of each function: kind, range, value, text',
  columns: 'instructions and operands as the columns hold them',
  intervals: 'slot indexes and live intervals, as LLVM prints them',
  pressure: 'live registers before, at and after each instruction',
  dag: 'scheduling graph of each region, as the scheduler starts from it',
};
type Part = keyof typeof PARTS;

const KINDS = ['SGPR', 'VGPR', 'AGPR', 'AV'];
const LONGEST = 60;

const oneLine = (text: string): string => {
  const escaped = JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text);
  return escaped.slice(1, -1);
};

function treeText(tree: Tree, text: string, offset: number): string[] {
  const lines: string[] = [];
  const walk = (n: Node, depth: number): void => {
    const [start, end] = [offset + tree.start(n), offset + tree.end(n)];
    const name = SYNTAX_KINDS[tree.kind(n)] ?? String(tree.kind(n));
    const isError = tree.kind(n) === SyntaxKind.Error || tree.kind(n) === SyntaxKind.YamlError;
    const what = isError ? `: ${tree.message(n)}` : ` value ${tree.value(n)} aux ${tree.aux(n)} flags ${tree.flags(n)}`;
    const own = tree.hasChildren(n) ? '' : `  "${oneLine(text.slice(start, end))}"`;
    lines.push(`${'  '.repeat(depth)}${name} ${start}-${end}${what}${own}`);
    for (let c = tree.firstChild(n); c !== NO_NODE; c = tree.nextSibling(c, n)) walk(c, depth + 1);
  };
  for (let n = 0; n < tree.size; n = tree.next(n)) walk(n, 0);
  return lines;
}

const SHOW: Readonly<Record<Part, (view: FunctionView, snapshot: Snapshot) => string[]>> = {
  tree(view, { text }) {
    const { yaml, body } = view.document;
    const lines = ['header', ...treeText(yaml, text.text, view.start)];
    body?.chunks.forEach((chunk, c) => {
      const start = view.start + body.start + (body.chunkStarts[c] ?? 0);
      lines.push(`chunk ${c}: ${chunk.lines} lines, ${chunk.nInstrs} instructions`);
      lines.push(...treeText(chunk.tree, text.text, start));
    });
    return lines;
  },

  columns({ fn }) {
    if (fn === null) return ['no function'];
    const printer = new InstrPrinter(fn);
    const lines = [`${fn.blocks.length} blocks, ${fn.nInstrs} instructions, ${fn.vregs.n} virtual registers`];
    for (let b = 0; b < fn.blocks.length; b++) {
      lines.push(`bb.${b}: places ${fn.blockBegin[b]} to ${fn.blockEnd[b]}`);
      for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
        const i = fn.order[p]!;
        lines.push(
          `  #${i} opcode ${fn.opcode[i]} flags ${fn.instrFlags[i]} bundle ${fn.bundle[i]}: ${printer.printInstr(i)}`,
        );
        for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
          lines.push(`      ${o}: kind ${fn.opKind[o]} value ${fn.opVal[o]} sub ${fn.opSub[o]} flags ${fn.opFlags[o]}`);
      }
    }
    return lines;
  },

  intervals({ fn, summary }) {
    if (fn === null || summary === null) return ['no live intervals: see the diagnostics'];
    const { lis } = summary;
    const printer = new InstrPrinter(fn);
    const lines: string[] = [];
    for (let p = 0; p < fn.nInstrs; p++) {
      const i = fn.order[p]!;
      lines.push(`${printSlot(lis.indexes.instrIndex[i]!).padStart(7)} ${printer.printInstr(i)}`);
    }
    for (let v = 0; v < fn.vregs.n; v++) {
      const main = lis.mainRange[v]!;
      if (main < 0) continue;
      let line = `%${v} ${printRange(lis, main)}`;
      for (let s = lis.subRange[v]!; s >= 0; s = lis.nextSubRange[s]!) {
        const lanes = (BigInt(lis.laneHi[s]!) << 32n) | BigInt(lis.laneLo[s]!);
        line += ` L${lanes.toString(16).toUpperCase().padStart(16, '0')} ${printRange(lis, s)}`;
      }
      lines.push(line);
    }
    return lines;
  },

  pressure({ fn, summary }) {
    if (fn === null || summary === null) return ['no pressure: see the diagnostics'];
    const printer = new InstrPrinter(fn);
    const { up } = summary;
    const row = (columns: readonly Int32Array[], i: number): string =>
      columns.map((c) => String(c[i]).padStart(5)).join('');
    const lines = [
      `${KINDS.map((k) => k.padStart(5)).join('')}  before, at, after; occupancy ${summary.occupancy.occupancy}`,
    ];
    for (let p = 0; p < fn.nInstrs; p++) {
      const i = fn.order[p]!;
      lines.push(`${row(up.before, i)} |${row(up.at, i)} |${row(up.after, i)}   ${printer.printInstr(i)}`);
    }
    return lines;
  },

  dag(view) {
    const { fn } = view;
    if (fn === null) return ['no function'];
    const printer = new InstrPrinter(fn);
    const lines: string[] = [];
    for (let p = 0; p < fn.nInstrs; p++) {
      const i = fn.order[p]!;
      const state = view.dependencesOf(i, NEVER_CANCELLED);
      if (state.kind !== 'ready') return [`no graph: ${state.kind}`];
      if (state.found === null) {
        lines.push(`      #${i} ${printer.printInstr(i)}`);
        continue;
      }
      const { region, latencyCycles, successors } = state.found;
      lines.push(`r${region} #${i} latency ${latencyCycles}: ${printer.printInstr(i)}`);
      for (const s of successors) lines.push(`      -> #${s.instr} ${DEP_KINDS[s.kind]} ${s.latencyCycles}`);
    }
    return lines;
  },
};

const isPart = (word: string): word is Part => Object.hasOwn(PARTS, word);

function main([path, ...words]: readonly string[]): number {
  const unknown = words.find((word) => !isPart(word));
  if (path === undefined || unknown !== undefined) {
    const parts = Object.entries(PARTS).map(([name, what]) => `  ${name.padEnd(10)} ${what}`);
    console.error(
      `${unknown === undefined ? '' : `unknown part '${unknown}'\n`}usage: npm run inspect FILE [PART...]\n${parts.join('\n')}`,
    );
    return 2;
  }
  const host = new AnalysisHost(true);
  host.open(path, 1, readFileSync(path, 'utf8'));
  const snapshot = host.snapshot(path);
  if (!snapshot) return 1;
  const chosen = words.filter(isPart);
  for (const view of snapshot.functions) {
    console.log(`==== ${view.name} (${targetText(snapshot, view)})`);
    for (const { message, start } of view.diagnostics) console.log(`${snapshot.text.lineAt(start) + 1}: ${message}`);
    for (const part of chosen.length > 0 ? chosen : (Object.keys(PARTS) as Part[]))
      console.log(`---- ${part}\n${SHOW[part](view, snapshot).join('\n')}`);
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
