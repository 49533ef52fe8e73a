/** Texts for random edits and damage: the corpus when it lies beside the project, else the project's own examples and fixtures. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { placeOr } from './switches.js';

export interface InputText {
  readonly name: string;
  readonly text: string;
  /** options that llc is run with: triple, processor, features */
  readonly args: readonly string[];
}

/** A generator of random numbers that a seed replays. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A whole number of 0 .. n - 1 (mulberry32). */
  below(n: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }
}

interface CorpusCase {
  readonly name: string;
  readonly input?: string;
  readonly args?: string | readonly string[];
}

/** The folder of the corpus: beside the project, or what AMDGPU_MIR_CORPUS names. */
function corpusRoot(root: string): string | null {
  const path = placeOr('CORPUS', join(root, '..', 'shared', 'corpus'));
  return existsSync(path) ? path : null;
}

const readBr = (path: string): unknown => JSON.parse(brotliDecompressSync(readFileSync(path)).toString('utf8'));

const argList = (args: string | readonly string[] | undefined): string[] =>
  (typeof args === 'string' ? args.split(/\s+/) : [...(args ?? [])]).filter((a) => /^--?(mtriple|mcpu|mattr)=/.test(a));

/** All files of the corpus of at most `maxLength` characters, in a fixed order; empty without a corpus. */
export function corpusInputs(root: string, maxLength = Infinity): InputText[] {
  const corpus = corpusRoot(root);
  if (corpus === null) return [];
  const inputs: InputText[] = [];
  const add = (name: string, text: string | undefined, args: string[]): void => {
    if (text !== undefined && text.length > 0 && text.length <= maxLength) inputs.push({ name, text, args });
  };
  const manifest = JSON.parse(readFileSync(join(corpus, 'sched', 'manifest.json'), 'utf8')) as CorpusCase[];
  const argsOf = new Map(manifest.map((m) => [m.name, argList(m.args)]));
  for (const folder of ['parse', 'sched']) {
    for (const file of readdirSync(join(corpus, folder)).sort()) {
      if (!file.endsWith('.br')) continue;
      const { cases } = readBr(join(corpus, folder, file)) as { cases: CorpusCase[] };
      for (const c of cases) {
        const args = folder === 'sched' ? (argsOf.get(c.name) ?? []) : argList(c.args);
        add(`${folder}/${c.name}`, c.input, args);
      }
    }
  }
  for (const folder of ['upstream', join('lit', 'tests')]) {
    for (const file of readdirSync(join(corpus, folder)).sort()) {
      if (!file.endsWith('.mir')) continue;
      const text = readFileSync(join(corpus, folder, file), 'utf8');
      add(`${folder}/${file}`, text, argList(/RUN:.*?llc (.*?)(?:%s|<|\|)/.exec(text)?.[1]));
    }
  }
  return inputs;
}

/** Tests of the corpus: each text that has RUN lines with llc, once; empty without a corpus. */
export function corpusTests(root: string): InputText[] {
  const corpus = corpusRoot(root);
  if (corpus === null) return [];
  const found = new Map(corpusInputs(root).map((input) => [input.text, input.name]));
  for (const folder of ['update', 'filecheck'])
    for (const file of readdirSync(join(corpus, folder)).sort()) {
      if (!file.endsWith('.br')) continue;
      const { cases } = readBr(join(corpus, folder, file)) as { cases: (CorpusCase & { readonly check?: string })[] };
      for (const { name, input, check } of cases) {
        const text = folder === 'update' ? input : check;
        if (text !== undefined && !found.has(text)) found.set(text, `${folder}/${name}`);
      }
    }
  return [...found].filter(([text]) => /\bRUN:.*\bllc\b/.test(text)).map(([text, name]) => ({ name, text, args: [] }));
}

/** The project's own MIR files. */
export function ownInputs(root: string): InputText[] {
  const inputs: InputText[] = [];
  for (const folder of ['examples', join('test', 'fixtures')]) {
    const files = readdirSync(join(root, folder), { recursive: true }) as string[];
    for (const file of files.filter((f) => f.endsWith('.mir')).sort()) {
      const text = readFileSync(join(root, folder, file), 'utf8');
      inputs.push({ name: `${folder}/${file}`, text, args: ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a'] });
    }
  }
  return inputs;
}

/** Own files, and those of the corpus when it is there. */
export function allInputs(root: string, maxLength = Infinity): InputText[] {
  return [...ownInputs(root).filter((i) => i.text.length <= maxLength), ...corpusInputs(root, maxLength)];
}
