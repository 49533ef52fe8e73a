/**
 * How often completion has near the top what an author wrote: a word of a text is deleted and completed again. Texts come in families (a test of LLVM
 * with all its variants, the kernels of one program, of one seed of the generator), and a family is either fitted or held out, never both:
 * `server/src/features/completion/points.ts` is fitted on the former and judged on the latter.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { provideCompletion } from '../../server/src/features/completion/completion.js';
import type { Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';
import type { Settings } from '../../server/src/program/settings.js';
import { SETTINGS_OF_22 } from './settings.js';
import { essence } from './completed.js';
import { Random } from './damageInputs.js';
import { compileOpenCl, mirOf, randomOpenCl } from './randomOpenCl.js';

export const CORPUS = join(__dirname, '..', '..', '..', 'shared', 'corpus');
export const URI = 'file:///corpus.mir';

/** Where texts come from. */
export type Source = 'tests' | 'kernels' | 'random kernels';

export interface RateText {
  readonly source: Source;
  readonly family: string;
  readonly name: string;
  readonly args: readonly string[];
  readonly input: string;
}

const option = (args: readonly string[], name: string): string => {
  for (const [k, arg] of args.entries()) {
    if (arg.startsWith(`-${name}=`)) return arg.slice(name.length + 2);
    if (arg === `-${name}`) return args[k + 1] ?? '';
  }
  return '';
};

export function openText(input: string, args: readonly string[], settings: Partial<Settings> = {}): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.configure({ ...SETTINGS_OF_22, ...settings });
  host.open(URI, 1, input);
  host.selectTarget(URI, {
    triple: option(args, 'mtriple') || 'amdgcn',
    cpu: option(args, 'mcpu'),
    features: option(args, 'mattr'),
  });
  return host.snapshot(URI)!;
}

// -- texts ---------------------------------------------------------------------------------------------------------

/** A third of the families is held out, by a sum of the name. */
export function isHeldOut(family: string): boolean {
  let sum = 2166136261;
  for (const c of family) sum = Math.imul(sum ^ c.codePointAt(0)!, 16777619) >>> 0;
  return (sum >>> 8) % 3 === 0;
}

interface Listed {
  readonly name: string;
  readonly args?: readonly string[];
  readonly source?: string;
  readonly origin?: string;
  readonly runs?: readonly { readonly args: readonly string[] }[];
}

interface Case extends Listed {
  readonly input: string;
  readonly texts?: { readonly greedy?: string };
}

/** The file of LLVM that a case is of, else the programs that a kernel is of. */
function familyOf({ name, source = '', origin = '' }: Listed): [source: Source, family: string] {
  const from = source || origin;
  if (from !== '' && !/AMDGPU|\.(?:ll|mir)$/.test(from)) return ['kernels', from.split(':')[0]!];
  const file = (from || name).split('/').at(-1)!;
  const words = file.replace(/\.(?:ll|mir)$/, '').replace(/^(?:isel|irt|gsel|ssa|rbs|mir|lit)\./, '');
  return ['tests', words.split('.')[0]!];
}

/** Larger texts only take longer. */
const MAX_BYTES = 100_000;

function ofFolder(folder: string): RateText[] {
  const at = join(CORPUS, folder);
  const manifest = JSON.parse(readFileSync(join(at, 'manifest.json'), 'utf8')) as Listed[] | { accept: Listed[] };
  const listed = new Map((Array.isArray(manifest) ? manifest : manifest.accept).map((c) => [c.name, c]));
  const texts: RateText[] = [];
  for (const shard of readdirSync(at).filter((f) => /^(?:accept|cases)-\d+\.json\.br$/.test(f))) {
    const { cases } = JSON.parse(brotliDecompressSync(readFileSync(join(at, shard))).toString()) as { cases: Case[] };
    for (const own of cases) {
      const c = { ...own, ...listed.get(own.name) };
      const [source, family] = familyOf(c);
      const args = c.args ?? c.runs?.[0]?.args ?? ['-mtriple=amdgcn'];
      // Of the allocator's cases its output: their inputs are those of the scheduler's.
      const input = folder === 'alloc' ? (own.texts?.greedy ?? '') : own.input;
      if (0 < input.length && input.length < MAX_BYTES)
        texts.push({ source, family, name: `${folder}/${c.name}`, args, input });
    }
  }
  return texts;
}

/** Places of llc's pipeline where random kernels are cut. */
const CUTS: readonly (readonly string[])[] = [
  ['-stop-after=finalize-isel'],
  ['-global-isel', '-global-isel-abort=2', '-stop-after=legalizer'],
  ['-stop-before=machine-scheduler'],
  ['-stop-after=virtregrewriter,2'],
  ['-stop-after=prologepilog'],
];

function randomKernel(seed: number): RateText[] {
  const program = randomOpenCl(new Random(seed));
  const { ir } = compileOpenCl(program);
  if (ir === null) return [];
  return CUTS.flatMap((cut, k) => {
    const input = mirOf(ir, program, cut);
    const args = [`-mtriple=${program.triple}`, `-mcpu=${program.cpu}`];
    const family = `random kernel ${seed}`;
    return input === null || input.length > 3 * MAX_BYTES
      ? []
      : [{ source: 'random kernels' as const, family, name: `${family} ${cut.at(-1)!.slice(1)}`, args, input, k }];
  });
}

/** Random kernels of so many seeds; made once, since that takes longer than to complete in them. */
function randomKernels(n: number): RateText[] {
  const folder = join(tmpdir(), 'amdgpu-mir-completion');
  const file = join(folder, `kernels-${n}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as RateText[];
  const texts = Array.from({ length: n }, (_, k) => randomKernel(7_000_000 + k)).flat();
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(texts));
  return texts;
}

export function rateTexts(nKernels: number): RateText[] {
  return [
    ...['parse', 'sched', 'uniformity', 'alloc', 'passes', 'outcome'].flatMap(ofFolder),
    ...(nKernels > 0 ? randomKernels(nKernels) : []),
  ];
}

// -- places --------------------------------------------------------------------------------------------------------

export interface Place {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** letters that are there when completion is asked, 0 without */
  readonly typed?: number;
}

/** Kinds of operands, the first that fits. */
const OPERANDS: readonly (readonly [kind: string, form: RegExp])[] = [
  ['implicit', /^implicit/],
  ['block', /^%bb\./],
  ['stack object', /^%(?:stack|fixed-stack|const|jump-table)\./],
  ['sub-register index', /^%subreg\./],
  ['virtual register', /^(?:[a-z-]+ )*%/],
  ['physical register', /^(?:[a-z-]+ )*\$/],
  ['immediate', /^-?\d/],
  ['typed constant', /^(?:i\d+|half|bfloat|float|double) /],
  ['global', /^(?:target-flags\(.*\) )?[@&]/],
];

/** A random opcode or operand of a function. */
export function instructionPlace(snapshot: Snapshot, random: () => number): Place | null {
  const view = snapshot.functions[Math.floor(random() * snapshot.functions.length)];
  const fn = view?.fn ?? null;
  if (!view || !fn?.source || fn.nInstrs === 0) return null;
  const i = Math.floor(random() * fn.nInstrs);
  const k = Math.floor(random() * (fn.numOperands(i) + 1)) - 1;
  const range = k < 0 ? fn.source.opcodeRange(i) : fn.source.operandRange(i, k);
  const [start, end] = [view.start + range.start, view.start + range.end];
  const { text } = snapshot.text;
  const word = text.slice(start, end);
  if (word === '' || word.includes('\n')) return null;
  if (k < 0) return { kind: 'opcode', start, end };
  const before = text.slice(text.lastIndexOf('\n', start), start);
  const isDef = !before.includes('=') && / = /.test(text.slice(end, text.indexOf('\n', end)));
  const kind = OPERANDS.find(([, form]) => form.test(word))?.[0] ?? 'other operand';
  return { kind: isDef ? `${kind}, defined` : kind, start, end };
}

/** Words of a line that are no operands: kind, what they look like, and how many letters of them are typed when completion is asked. */
const WORDS: readonly (readonly [kind: string, form: RegExp, typed: number])[] = [
  ['register flag', /(?<=[ (])(?:killed|undef|dead|renamable|early-clobber)(?= [%$])/g, 1],
  [
    'instruction flag',
    /(?<=^ +(?:[^=]*= )?)(?:nsw|nuw|exact|nofpexcept|contract|nnan|ninf|nsz|arcp|afn|reassoc|frame-setup|frame-destroy)(?= )/g,
    1,
  ],
  ['class or type', /(?<=%[\w.]+:)\w+/g, 0],
  ['register part', /(?<=%\d+\.)sub\w+/g, 0],
  ['successor', /(?<=successors: .*)%bb\.\d+/g, 0],
  ['live-in', /(?<=liveins: .*)\$\w+/g, 0],
  ['memory access', /(?<=:: .*\()(?:load|store)(?= )/g, 0],
  ['memory size', /(?<=(?:load|store) )\([^()]*\)/g, 0],
  ['memory pointer', /(?<=(?:from|into|on) )[%@][\w.-]+/g, 0],
  ['memory alignment', /(?<=align )\d+/g, 0],
  ['address space', /(?<=addrspace )\d+/g, 0],
  ['key of the header', /(?<=^ *(?:- \{ (?:.*, )?)?)[a-zA-Z]+(?=:(?: |$))/g, 0],
  ['value of the header', /(?<=^ *(?:- \{ (?:.*, )?)?[a-zA-Z]+: +)(?:true|false|'\$\w+'|default|[a-z][\w-]+)/g, 0],
  ['word of IR', /(?<=^ {2}.*[ (])(?:%[\w.]+|@[\w.]+|[a-z]{3,})/g, 1],
  ['word of RUN', /(?<=RUN:.*[ =])-[a-z]\w{3}[\w-]*/g, 3],
  ['word of CHECK', /(?<=^ *[;#] ?)[A-Z][A-Z0-9-]+(?=:)/g, 1],
];

/** A random word of a random line that is no operand, every kind about as often where the text has it. */
export function wordPlace(snapshot: Snapshot, random: () => number): Place | null {
  const { text } = snapshot.text;
  const [kind, form, typed] = WORDS[Math.floor(random() * WORDS.length)]!;
  const inIR = (at: number): boolean => {
    const end = text.indexOf('\n...');
    return text.startsWith('--- |') && at < end;
  };
  const found: Place[] = [];
  // A piece of the text is enough: lookbehinds over all of it are slow.
  const from = text.lastIndexOf('\n', Math.floor(random() * text.length)) + 1;
  for (let line = from, n = 0; line < text.length && n < 300; n++) {
    let next = text.indexOf('\n', line);
    if (next < 0) next = text.length;
    const own = text.slice(line, next);
    const isComment = /^\s*[;#]/.test(own);
    const isBody = / = |^ {4,}[A-Z]|^ +bb\.|successors|liveins/.test(own);
    const fits = kind.startsWith('word of')
      ? kind === 'word of IR'
        ? inIR(line) && !isComment && own.startsWith('  ')
        : isComment
      : !isComment && !inIR(line) && isBody !== kind.includes('header');
    if (fits && own.length < 400)
      for (const m of own.matchAll(form))
        found.push({ kind, start: line + m.index, end: line + m.index + m[0].length, typed });
    line = next + 1;
  }
  return found[Math.floor(random() * found.length)] ?? null;
}

// -- completing ----------------------------------------------------------------------------------------------------

export interface Asked {
  readonly place: Place;
  readonly wanted: string;
  /** -1 = not in the list */
  readonly at: number;
  readonly labels: readonly string[];
  readonly ms: number;
}

/** What completion makes of the text without the word. */
export function asked({ input, args }: RateText, place: Place): Asked {
  const cursor = place.start + (place.typed ?? 0);
  const text = input.slice(0, cursor) + input.slice(place.end);
  const snapshot = openText(text, args);
  const position = snapshot.text.positionAt(cursor);
  // What is lowered anyway while one types is no part of the answer.
  for (const { fn } of snapshot.functions) void fn;
  const from = performance.now();
  const { items } = provideCompletion(snapshot, { textDocument: { uri: URI }, position });
  const ms = performance.now() - from;
  const wanted = essence(input.slice(place.start, place.end));
  const at = items.findIndex(({ label }) => label === wanted || essence(label) === wanted);
  return { place, wanted, at, labels: items.map((c) => c.label), ms };
}
