/**
 * What a session of the language server keeps of closed files and of old versions, for host/memory.test.ts: a process of its own, so that
 * nothing else is in its heap. Arguments: how many steps, and names of runs; prints a line of JSON for each. Needs `--expose-gc`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import { documentStatus } from '../../server/src/lsp/common/documentStatus.js';
import { answerOf } from '../../server/src/lsp/common/featureTable.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';

const EXAMPLE = readFileSync(join(__dirname, '..', '..', 'examples', 'gemm_tile.mir'), 'utf8');
/** Makes a version that is kept show: each has a text of so many characters of its own. */
export const LARGE = 400_000;

export interface MemoryResult {
  readonly run: string;
  /** bytes in use after a collection, in the heap and outside of it */
  readonly before: number;
  readonly after: number;
}

let host = new AnalysisHost(false, Infinity);

const collect = async (): Promise<number> => {
  // Weak references and finalizers go in turns of their own.
  for (let k = 0; k < 4; k++) {
    (globalThis as unknown as { gc(): void }).gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const LIGHT = [
  'textDocument/hover',
  'textDocument/codeLens',
  'textDocument/documentSymbol',
  'textDocument/semanticTokens/full',
  'textDocument/inlayHint',
  'textDocument/completion',
  'textDocument/references',
] as const;
const HEAVY = [
  'amdgpuMir/explainSchedule',
  'amdgpuMir/allocatedText',
  'amdgpuMir/whyDivergent',
  'amdgpuMir/rematReport',
  'amdgpuMir/runLines',
];

/** What an editor asks after an edit. */
function ask(uri: string, at: number, isHeavy: boolean): void {
  host.diagnostics(uri, NEVER_CANCELLED);
  while (isHeavy && host.allocateNext(uri, NEVER_CANCELLED, Infinity) !== null);
  const snapshot = host.snapshot(uri)!;
  documentStatus(snapshot);
  const textDocument = { uri };
  const position = snapshot.text.positionAt(at);
  const range = { start: { line: 0, character: 0 }, end: { line: 1e6, character: 0 } };
  const params = { textDocument, position, range, context: { diagnostics: [] } };
  for (const method of LIGHT) answerOf(method, snapshot, params, NEVER_CANCELLED);
  if (isHeavy) for (const method of HEAVY) answerOf(method, snapshot, params, NEVER_CANCELLED);
}

/** `n` files, one after the other. */
function openAndClose(first: number, n: number, textOf: (k: number) => string): void {
  for (let k = first; k < first + n; k++) {
    const uri = `file:///folder/${k}.mir`;
    const text = textOf(k);
    host.open(uri, 1, text);
    ask(uri, text.indexOf('%kernarg'), k % 25 === 3);
    host.close(uri);
  }
}

/** Types `n` characters after the first `word`, which becomes longer and after some keystrokes short again. */
function type(uri: string, word: string, first: number, n: number): void {
  const { text } = host.snapshot(uri)!;
  const at = text.text.indexOf(word) + word.length;
  if (at < word.length) throw new Error(`no ${word}`);
  let length = 0;
  for (let k = first; k < first + n; k++) {
    const position = (o: number): { line: number; character: number } => host.snapshot(uri)!.text.positionAt(o);
    if (length === 20) {
      host.change(uri, k, [{ range: { start: position(at), end: position(at + length) }, text: '' }]);
      length = 0;
    }
    const letter = 'abcdefghijklmnopqrstuvwxyz'[(k * 7 + Math.floor(k / 20)) % 26]!;
    const end = position(at + length++);
    host.change(uri, k, [{ range: { start: end, end }, text: letter }]);
    ask(uri, at, k % 25 === 3);
  }
  host.change(uri, first + n, [
    { range: { start: text.positionAt(at), end: host.snapshot(uri)!.text.positionAt(at + length) }, text: '' },
  ]);
}

const filler = (from: number): string => {
  const lines: string[] = [];
  for (let k = 0, n = 0; n < LARGE; k++) {
    const line = `# ${from + k} a line of a comment that makes the file large, so that a version that is kept is seen`;
    lines.push(line);
    n += line.length;
  }
  return lines.join('\n');
};

const RUN_LINE =
  '# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -mattr=+xnack,-sramecc -run-pass=none %s -o - | FileCheck %s\n';
const EVERYWHERE = 'typed everywhere';
const CLOSED: Readonly<Record<string, (k: number) => string>> = {
  'closed files, same names': () => EXAMPLE,
  'closed files, functions': (k) => EXAMPLE.replaceAll('gemm_tile', `function_${k}_of_file`),
  'closed files, blocks': (k) => EXAMPLE.replaceAll(/\b(entry|loop|exit)\b/g, `$1_of_the_file_${k}`),
  'closed files, registers': (k) => EXAMPLE.replaceAll(/%(?!bb)([a-z][a-z0-9]*)/g, `%$1_of_file_${k}`),
  'closed files, attributes': (k) =>
    EXAMPLE.replaceAll('"64,256"', `"64,256" "attribute_of_file"="${k}" "target-features"="+feature_of_file_${k}"`),
  'closed files, RUN lines': (k) => EXAMPLE.replaceAll('-run-pass', `-mattr=+feature_of_file_${k} -run-pass`),
};
const TYPED: Readonly<Record<string, string>> = {
  'typed comment': 'operands of four',
  'typed function': 'name:            gemm_tile',
  'typed block': 'bb.0.entry',
  'typed register': '%kernarg',
  'typed opcode': 'S_LOAD_DWORDX8_IMM',
  'typed IR function': '@gemm_tile',
  'typed IR block': '\n  loop',
  'typed IR intrinsic': '@llvm.amdgcn.workitem.id',
  'typed IR attribute': '"amdgpu-flat-work-group-size',
  'typed IR features': '"+xnack',
  'typed triple': 'amdgcn-amd-amdhsa',
  'typed processor': '-mcpu=gfx90',
  'typed key': 'isEntryFunction',
  'typed pass': '-run-pass=amdgpu-print-r',
  'typed long name': '\nname:            gemm_tile',
};

/** A character in each of many functions, which stay as they are then: each is lowered from a version of its own. */
function typeEverywhere(uri: string, first: number, n: number): void {
  for (let k = first; k < first + n; k++) {
    const { text } = host.snapshot(uri)!;
    const at = text.text.indexOf(`name:            function_${k}\n`);
    const end = text.text.indexOf('%kernarg', at) + '%kernarg'.length;
    host.change(uri, k, [{ range: { start: text.positionAt(end), end: text.positionAt(end) }, text: 'a' }]);
    ask(uri, end, false);
  }
}

export const RUNS = [...Object.keys(CLOSED), ...Object.keys(TYPED), EVERYWHERE];

function prepare(run: string, nFunctions: number): (first: number, n: number) => void {
  const textOf = CLOSED[run];
  if (textOf) return (first, n) => openAndClose(first, n, textOf);
  const uri = 'file:///folder/typed.mir';
  if (run === EVERYWHERE) {
    const body = EXAMPLE.slice(EXAMPLE.lastIndexOf('---\n'));
    const functions = Array.from({ length: nFunctions }, (_, k) => body.replace('gemm_tile', `function_${k}`));
    host.open(uri, 1, `${RUN_LINE}${filler(0)}\n${functions.join('')}`);
    return (first, n) => typeEverywhere(uri, first, n);
  }
  const name = run === 'typed long name' ? `gemm_tile${'x'.repeat(100_000)}` : 'gemm_tile';
  const features = ' "target-features"="+xnack" }';
  const example = EXAMPLE.replaceAll('gemm_tile', name)
    .replace('"64,256" }', `"64,256"${features}`)
    .replace('--- |\n', '--- |\n  declare i32 @llvm.amdgcn.workitem.id.x()\n');
  host.open(uri, 1, `${example}\n${filler(0)}\n`);
  return (first, n) => type(uri, TYPED[run]!, first, n);
}

async function main(steps: number, wanted: readonly string[]): Promise<void> {
  for (const run of wanted) {
    host = new AnalysisHost(false, Infinity);
    const nWarm = 12;
    const take = prepare(run, 2 + nWarm + 1 + steps);
    take(2, nWarm);
    const before = await collect();
    take(2 + nWarm + 1, steps);
    const result: MemoryResult = { run, before, after: await collect() };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
}

if (require.main === module) {
  const [steps, ...runs] = process.argv.slice(2);
  void main(Number(steps), runs.length > 0 ? runs : RUNS);
}
