/**
 * Machine functions in the output of a compiler (`-print-after-all`, `-debug`, complaints of the machine verifier), among whatever else stands there: LLVM IR,
 * lines of other programs, colours, prefixes. The text comes in pieces, and one dump is kept at a time.
 * What a dump looks like: docs/llvm/machine-dumps.md, 1.
 */
import { ownString } from '../../util/ownString.js';
import { contentOf, type LogContent } from './logContent.js';
import { LinePrefix, plainLine } from './logLine.js';

export type DumpMoment = 'before' | 'after' | '';

/** A machine function as a log has it. */
export interface MachineDump {
  /** from 0, of all functions together */
  readonly index: number;
  readonly functionName: string;
  /** the pass that the banner above names; '' = there is no banner */
  readonly when: DumpMoment;
  /** as `-stop-before` takes it (`machine-scheduler`), or a class (`FinalizeISelPass`) */
  readonly pass: string;
  /** as the banner says it: `Machine Instruction Scheduler` */
  readonly title: string;
  /** dumps of this function at this moment of this pass that came before */
  readonly instance: number;
  /** from 1: the line with `# Machine code for function` */
  readonly line: number;
  /** of its last line, or the last before something else begins */
  readonly lastLine: number;
  /** what stands behind the name: `NoPHIs, TracksLiveness` */
  readonly properties: string;
  /** between the first line and the last, without those of other programs */
  readonly lines: readonly string[];
  /** its last line never came */
  readonly isCut: boolean;
}

/** What a log says of itself. */
export interface LogFacts {
  readonly lines: number;
  readonly dumps: number;
  /** banners above LLVM IR */
  readonly irDumps: number;
  readonly content: LogContent;
  readonly target: LogTarget;
}

/** Empty: nothing says so. */
export interface LogTarget {
  readonly triple: string;
  readonly cpu: string;
}

const HEADER = '# Machine code for function ';
const BANNER = '*** IR Dump ';
const DUMP_HEADER = /^(.*?)# Machine code for function (.+): ?([\w, ]*)$/;
const DUMP_END = '# End machine code for function ';
const PASS_BANNER =
  /^(.*?)(?:[#;] )?\*\*\* IR Dump (Before|After) (.*?)(?: \(([\w.,<>-]+)\))?(?: on (?:\[.*?\]|\S+))?(?: \*\*\*.*)?$/;
/** Begins a line of a dump; all others are somebody else's. */
const OF_DUMP =
  /^(?:[ \t]|\d+B[ \t]|bb\.\d|; predecessors|Frame Objects:|Constant Pool:|Jump Tables:|%jump-table|%bb\.|Function Live Ins:|save\b|restore points|$)/;
/** A line that is longer is no text. */
const MAX_LINE = 1 << 24;
const LOOK_LINES = 20_000;

export class LogReader {
  private carry = '';
  private isSkipping = false;
  private nLines = 0;
  private nDumps = 0;
  private nIrDumps = 0;
  private content: LogContent = 'nothing';
  private triple = '';
  private cpu = '';
  private prefix: LinePrefix | null = null;
  private banner: Pick<MachineDump, 'when' | 'pass' | 'title'> | null = null;
  private comment = '';
  private open: Omit<MachineDump, 'isCut' | 'lines' | 'lastLine'> | null = null;
  private lines: string[] = [];
  private readonly met = new Map<string, number>();
  private isStopped = false;
  private isAtEnd = false;

  /** `onDump` returns true when it wants no more. */
  constructor(private readonly onDump: (dump: MachineDump) => boolean) {}

  /** The next piece of the text, cut anywhere. False: nothing more is wanted. */
  feed(text: string): boolean {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0 && !this.isStopped; end = text.indexOf('\n', start)) {
      const line = this.carry + text.slice(start, end);
      this.carry = '';
      if (this.isSkipping) this.isSkipping = false;
      else this.readLine(line);
      start = end + 1;
    }
    if (this.isStopped) return false;
    if (!this.isSkipping) this.carry += text.slice(start);
    if (this.carry.length > MAX_LINE) {
      this.look(this.carry);
      [this.carry, this.isSkipping] = ['', true];
    }
    return true;
  }

  end(): LogFacts {
    if (this.carry !== '' && !this.isStopped) this.readLine(this.carry);
    this.carry = '';
    this.isAtEnd = true;
    if (!this.isStopped) this.close(true);
    if (this.banner !== null) this.nIrDumps++;
    this.banner = null;
    return this.facts;
  }

  /** Of what was read so far. */
  get facts(): LogFacts {
    const { nLines: lines, nDumps: dumps, nIrDumps: irDumps, content, triple, cpu } = this;
    return { lines, dumps, irDumps, content, target: { triple, cpu } };
  }

  private readLine(raw: string): void {
    this.nLines++;
    const line = plainLine(raw);
    if (line.includes(HEADER) && this.readHeader(line)) return;
    if (line.includes(BANNER)) return this.readBanner(line);
    const own = this.prefix === null ? line : this.prefix.strip(line);
    if (this.open !== null) {
      if (own.startsWith(DUMP_END)) this.close(false);
      else if (OF_DUMP.test(own)) this.lines.push(own);
      else if (/^(?:define|declare|source_filename) /.test(own)) this.close(true);
      return;
    }
    // What stands under a banner is IR. Its next function has no banner of its own.
    if (this.banner !== null && /^(?:define |declare |; ModuleID)/.test(own)) {
      this.nIrDumps++;
      this.banner = null;
    }
    // The machine verifier names the pass in a comment above the function.
    if (own.startsWith('# ')) this.comment = own.slice(2);
    else if (own !== '') this.comment = '';
    this.look(own);
  }

  private readHeader(line: string): boolean {
    const found = DUMP_HEADER.exec(line);
    if (found === null) return false;
    this.close(true);
    const [, prefix = '', name = '', properties = ''] = found;
    const functionName = ownString(name);
    this.prefix = prefix === '' ? null : new LinePrefix(prefix);
    const named = /^(After|Before) (.*?):?$/.exec(this.comment);
    const banner =
      this.banner ??
      (named === null
        ? { when: '' as const, pass: '', title: this.comment }
        : { when: named[1]!.toLowerCase() as DumpMoment, pass: '', title: named[2]! });
    [this.banner, this.comment] = [null, ''];
    const key = `${functionName}\n${banner.when}\n${banner.pass || banner.title}`;
    const instance = this.met.get(key) ?? 0;
    this.met.set(key, instance + 1);
    this.open = {
      index: this.nDumps++,
      functionName,
      ...banner,
      instance,
      line: this.nLines,
      properties: ownString(properties),
    };
    return true;
  }

  private readBanner(line: string): void {
    const found = PASS_BANNER.exec(line);
    if (found === null) return;
    this.close(true);
    const [, prefix = '', when = '', banner = '', argument] = found;
    // A list of dumps outlives the pieces of the text.
    const [title, pass] = [ownString(banner), ownString(argument ?? banner)];
    // One that never got its machine function stood above LLVM IR.
    if (this.banner !== null) this.nIrDumps++;
    this.prefix = prefix === '' ? null : new LinePrefix(prefix);
    this.banner = { when: when.toLowerCase() as DumpMoment, title, pass };
  }

  private close(isCut: boolean): void {
    const { open, lines } = this;
    if (open === null) return;
    [this.open, this.lines] = [null, []];
    this.isStopped = this.onDump({ ...open, lines, isCut, lastLine: this.nLines - Number(isCut && !this.isAtEnd) });
  }

  /** What a line outside of machine functions says of the whole. */
  private look(line: string): void {
    this.lookForTarget(line);
    if (this.content === 'LLVM IR' || this.content === 'MIR' || this.nLines > LOOK_LINES) return;
    const found = contentOf(line, this.nLines === 1);
    if (found !== 'nothing' && (this.content === 'nothing' || this.content === 'text')) this.content = found;
    else if (found === 'MIR') this.content = found;
  }

  /** The last one that is named: a build for several processors has a part for each. */
  private lookForTarget(line: string): void {
    if (line.includes('triple')) this.triple = firstGroup(TRIPLE.exec(line)) ?? this.triple;
    if (line.includes('gfx')) this.cpu = firstGroup(PROCESSOR.exec(line)) ?? this.cpu;
  }
}

const TRIPLE = /^target triple = "([^"]+)"|-mtriple[= ]"?([\w.-]+)|"-triple" "([\w.-]+)"/;
const PROCESSOR =
  /"target-cpu"="(gfx[\w-]+)"|-mcpu[= ]"?(gfx[\w-]+)|--offload-arch=(gfx[\w-]+)|"-target-cpu" "(gfx[\w-]+)"/;

const firstGroup = (found: RegExpExecArray | null): string | undefined => {
  const group = found?.slice(1).find((text) => text !== undefined);
  return group === undefined ? undefined : ownString(group);
};
