/** Random functions with edits of their instructions, and what LLVM's library makes of the live intervals (server/tools/intervalEdits). */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { LIMIT_MS, llcVersion, MODELLED_LLC } from './llc.js';
import { mirFunction } from './mir.js';
import { randomSource } from './random.js';
import { UPDATE } from './switches.js';

export const CPU = 'gfx90a';

export interface EditedFunction {
  readonly text: string;
  /** `m 0 2 5`: see intervalEdits.cpp */
  readonly edits: readonly string[];
}

/** A mention of some lanes of a register. */
interface Mention {
  readonly reg: string;
  readonly lanes: number;
  readonly isDef: boolean;
  readonly isUndef: boolean;
  /** number of the operand; -1: stays as it is */
  readonly operand: number;
}

interface Line {
  readonly text: string;
  mentions: Mention[];
}

const WIDTHS: Readonly<Record<string, number>> = { vgpr_32: 1, vreg_64: 2, vreg_96: 3, vreg_128: 4 };
const PHYSICAL = ['$sgpr4', '$sgpr5', '$sgpr4_sgpr5', '$vgpr1'] as const;

class Writer {
  private readonly below: (n: number) => number;
  private readonly classes: string[];
  private readonly blocks: Line[][] = [];

  constructor(
    seed: number,
    private readonly nBlocks: number,
  ) {
    this.below = randomSource(seed);
    for (let b = 0; b < nBlocks; b++) this.blocks.push([]);
    this.classes = Array.from({ length: 2 + this.below(2) }, () => Object.keys(WIDTHS)[1 + this.below(3)]!);
    this.classes.push('vgpr_32');
  }

  private part(r: number, whole: number): { lanes: number; suffix: string } {
    const width = WIDTHS[this.classes[r]!]!;
    if (width === 1 || this.below(whole) === 0) return { lanes: (1 << width) - 1, suffix: '' };
    const first = this.below(width);
    const n = width > 2 && first + 1 < width && this.below(3) === 0 ? 2 : 1;
    const suffix = Array.from({ length: n }, (_, k) => `sub${first + k}`).join('_');
    return { lanes: ((1 << n) - 1) << first, suffix: `.${suffix}` };
  }

  private def(r: number, isUndef = false): [string, Mention] {
    const { lanes, suffix } = this.part(r, isUndef ? 99 : 5);
    const undef = isUndef && suffix !== '';
    return [
      `${undef ? 'undef ' : ''}%${r}${suffix}:${this.classes[r]}`,
      { reg: `%${r}`, lanes, isDef: true, isUndef: undef, operand: -1 },
    ];
  }

  private use(operand: number): [string, Mention] {
    const r = this.below(this.classes.length);
    const { lanes, suffix } = this.part(r, 4);
    return [`%${r}${suffix}`, { reg: `%${r}`, lanes, isDef: false, isUndef: false, operand }];
  }

  private physical(isDef: boolean): [string, Mention] {
    const k = this.below(PHYSICAL.length);
    const lanes = [1, 2, 3, 1][k]!;
    return [PHYSICAL[k]!, { reg: k < 3 ? 's' : 'v', lanes, isDef, isUndef: false, operand: -1 }];
  }

  private line(): Line {
    const r = this.below(this.classes.length);
    switch (this.below(9)) {
      case 0:
      case 1:
      case 2: {
        const [text, def] = this.def(r, this.below(4) === 0);
        return { text: `${text} = IMPLICIT_DEF`, mentions: [def] };
      }
      case 3: {
        const [text, def] = this.def(r);
        return { text: `early-clobber ${text} = IMPLICIT_DEF`, mentions: [def] };
      }
      case 4: {
        const [text, def] = this.physical(true);
        return { text: `S_NOP 0, implicit-def ${text}`, mentions: [def] };
      }
      case 5: {
        const [to, def] = this.physical(true);
        const [from, use] = this.use(1);
        return { text: `S_NOP 0, implicit ${from}, implicit-def ${to}`, mentions: [use, def] };
      }
      case 6: {
        const [from, use] = this.use(1);
        const [to, def] = this.def(r);
        return { text: `S_NOP 0, implicit ${from}, implicit-def ${to}`, mentions: [use, def] };
      }
      default: {
        const [a, first] = this.use(1);
        const [b, second] = this.below(3) === 0 ? this.physical(false) : this.use(2);
        return { text: `S_NOP 0, implicit ${a}, implicit ${b}`, mentions: [first, second] };
      }
    }
  }

  /** Everything is defined before it is read. */
  private begin(): Line[] {
    const lines: Line[] = [];
    const add = (text: string, reg: string, lanes: number): void => {
      lines.push({ text, mentions: [{ reg, lanes, isDef: true, isUndef: text.includes('undef'), operand: -1 }] });
    };
    this.classes.forEach((c, r) => {
      const width = WIDTHS[c]!;
      if (width === 1 || this.below(3) === 0) add(`%${r}:${c} = IMPLICIT_DEF`, `%${r}`, (1 << width) - 1);
      else
        for (let k = 0; k < width; k++)
          add(`${k === 0 ? 'undef ' : ''}%${r}.sub${k}:${c} = IMPLICIT_DEF`, `%${r}`, 1 << k);
    });
    add('S_NOP 0, implicit-def $sgpr4_sgpr5', 's', 3);
    add('S_NOP 0, implicit-def $vgpr1', 'v', 1);
    return lines;
  }

  write(name: string): EditedFunction {
    this.blocks[0]!.push(...this.begin());
    for (const b of this.blocks) for (let k = 4 + this.below(8); k > 0; k--) b.push(this.line());
    const last = this.nBlocks - 1;
    const body = this.blocks.map((lines, b) => {
      const target = last === 2 ? 2 - b : 1 + this.below(last);
      const to = [...new Set([target, b + 1])].sort((x, y) => x - y).map((x) => `%bb.${x}`);
      const edges = b < last ? `    successors: ${to.join(', ')}\n` : '';
      const lives = b === 0 ? '' : '    liveins: $sgpr4_sgpr5, $vgpr1\n';
      const end = b === last ? 'S_ENDPGM 0' : `S_CBRANCH_SCC1 %bb.${target}, implicit undef $scc`;
      return `  bb.${b}:\n${edges}${lives}${lines.map((l) => `    ${l.text}\n`).join('')}    ${end}\n`;
    });
    const text = mirFunction(name, body.join('\n'));
    const edits: string[] = [];
    for (let k = 0; k < 14; k++) {
      const edit = this.edit();
      if (edit !== null) edits.push(edit);
    }
    if (last > 2) edits.push(...this.removals());
    return { text, edits };
  }

  /** Definitions that go, nearly all of them: what is read nowhere, then, is no part of a register any more. */
  private removals(): string[] {
    return this.blocks.flatMap((lines, b) =>
      lines.flatMap(({ text }, i) =>
        this.below(4) > 0 && /^(?:undef |early-clobber )?%\d/.test(text) ? [`d ${b} ${i} 0`] : [],
      ),
    );
  }

  private edit(): string | null {
    const b = this.below(this.nBlocks);
    const lines = this.blocks[b]!;
    const i = this.below(lines.length);
    const line = lines[i]!;
    switch (this.below(12)) {
      case 0: {
        const reads = line.mentions.filter((m) => m.operand >= 0);
        if (reads.length === 0) return null;
        const read = reads[this.below(reads.length)]!;
        line.mentions = line.mentions.filter((m) => m !== read);
        return `u ${b} ${i} ${read.operand}`;
      }
      case 1:
        return `s ${this.below(this.classes.length)}`;
      default: {
        const step = this.below(2) === 0 ? 1 : -1;
        let to = i;
        for (let left = 1 + this.below(10); left > 0; left--) {
          const next = lines[to + step];
          if (next === undefined || !mayPass(line, next)) break;
          to += step;
        }
        if (to === i) return null;
        lines.splice(i, 1);
        lines.splice(to, 0, line);
        return `m ${b} ${i} ${step > 0 ? to + 1 : to}`;
      }
    }
  }
}

/** Whether two neighbours may change places as a scheduler sees it, which tells lanes apart. */
const mayPass = (a: Line, b: Line): boolean =>
  a.mentions.every((x) =>
    b.mentions.every(
      (y) =>
        x.reg !== y.reg ||
        (!x.isDef && !y.isDef) ||
        ((x.lanes & y.lanes) === 0 && (x.isDef === y.isDef || !(x.isUndef || y.isUndef))),
    ),
  );

/** Of three blocks, or of more, whose values come from many; there definitions go at the end. */
export const editedFunction = (seed: number, nBlocks = 3): EditedFunction =>
  new Writer(seed, nBlocks).write(`f${seed}`);

/** What LLVM's library says of each function, kept in a file; made anew by `npm run test:update`. */
export function keptAnswers(name: string, functions: readonly EditedFunction[]): string[] {
  const file = join(__dirname, '..', 'golden', name);
  if (UPDATE && llcVersion() === MODELLED_LLC) {
    const answers = askLibrary(functions)
      .split(/^function \w+\n/m)
      .slice(1);
    writeFileSync(file, brotliCompressSync(JSON.stringify(answers)));
  }
  return JSON.parse(brotliDecompressSync(readFileSync(file)).toString('utf8')) as string[];
}

/** Needs llvm-22-dev and clang-22. */
function askLibrary(functions: readonly EditedFunction[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'intervals-'));
  const run = (program: string, args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      timeout: 4 * LIMIT_MS,
      maxBuffer: 1 << 29,
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const config = (what: string): string => run('llvm-config-22', [what]).trim();
  try {
    const source = join(__dirname, '..', '..', 'server', 'tools', 'intervalEdits', 'intervalEdits.cpp');
    const [program, text, script] = ['intervalEdits', 'f.mir', 'edits'].map((f) => join(folder, f)) as [
      string,
      string,
      string,
    ];
    const flags = ['-std=c++17', '-O0', '-fno-rtti', '-DNDEBUG', '-D_GNU_SOURCE', `-I${config('--includedir')}`];
    run('clang++-22', [...flags, source, '-o', program, `-L${config('--libdir')}`, '-lLLVM-22']);
    writeFileSync(text, functions.map((f) => f.text).join(''));
    writeFileSync(script, functions.map((f) => `${f.edits.join(';')}\n`).join(''));
    return run(program, ['amdgcn-amd-amdhsa', CPU, text, script]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
