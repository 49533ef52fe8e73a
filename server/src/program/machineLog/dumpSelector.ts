/** Which dumps of a log are asked for: `#12`, `machine-scheduler`, `greedy,2`, `before:greedy`. */
import { unifiedDiff } from '../../text/unifiedDiff.js';
import { lineOfCode } from './dumpFunction.js';
import type { DumpMoment, MachineDump } from './logReader.js';

export interface DumpSelector {
  /** as it was given */
  readonly text: string;
  /** number in the log, -1 = by name */
  readonly index: number;
  readonly pass: string;
  /** which of several of one function; null = the first */
  readonly instance: number | null;
  /** '' = after the pass, or, where that is nowhere, before it */
  readonly when: DumpMoment;
}

/** A message when it says nothing. */
export function readSelector(text: string): DumpSelector | string {
  const byNumber = /^#(\d+)$/.exec(text);
  if (byNumber !== null) return { text, index: Number(byNumber[1]), pass: '', instance: null, when: '' };
  const found = /^(?:(before|after):)?([^#,][^,]*)(?:,(\d+))?$/.exec(text);
  if (found === null) return '--pass is #N, the number of a dump, or NAME[,K] of a pass';
  const [, when = '', pass = '', instance] = found;
  return {
    text,
    index: -1,
    pass,
    instance: instance === undefined ? null : Number(instance),
    when: when as DumpMoment,
  };
}

/** `#12 after machine-scheduler of f` */
export function dumpName({ index, when, pass, title, functionName }: MachineDump): string {
  const name = pass === '' ? title : pass;
  return `#${index}${when === '' ? '' : ` ${when}`}${name === '' ? '' : ` ${name}`} of ${functionName}`;
}

interface ChosenDump {
  readonly dump: MachineDump;
  /** the one of the same function before it in the log */
  readonly before: MachineDump | null;
}

class ChosenDumps {
  private readonly last = new Map<string, MachineDump>();
  private readonly after: ChosenDump[] = [];
  private readonly before: ChosenDump[] = [];

  constructor(
    private readonly selector: DumpSelector,
    private readonly functionName: string | null,
  ) {}

  /** One of each function. */
  get dumps(): readonly ChosenDump[] {
    return this.after.length > 0 ? this.after : this.before;
  }

  /** True: there is nothing more to look for. */
  take(dump: MachineDump): boolean {
    const { functionName, selector } = this;
    const isOwn = functionName === null || dump.functionName === functionName;
    const chosen = { dump, before: this.last.get(dump.functionName) ?? null };
    if (isOwn) this.last.set(dump.functionName, dump);
    if (selector.index >= 0) {
      if (isOwn && dump.index === selector.index) this.after.push(chosen);
      return dump.index >= selector.index;
    }
    if (!isOwn || !this.isNamed(dump)) return false;
    const into = dump.when === 'before' && selector.when === '' ? this.before : this.after;
    if (into.every((other) => other.dump.functionName !== dump.functionName)) into.push(chosen);
    return functionName !== null && into === this.after;
  }

  private isNamed({ when, pass, title, instance }: MachineDump): boolean {
    const { selector } = this;
    if (selector.pass !== pass && selector.pass !== title) return false;
    if (selector.when !== '' && selector.when !== when) return false;
    return selector.instance === null || selector.instance === instance;
  }

  /** What the passes changed, for `patch` and people. */
  diff(): string {
    return this.dumps.map(({ dump, before }) => diffOfDumps(before, dump)).join('');
  }
}

export const chosenDumps = (selector: DumpSelector, functionName: string | null): ChosenDumps =>
  new ChosenDumps(selector, functionName);

/** Lines of code of both, as `diff -u` has them. `before` null: the function was not there before. */
export function diffOfDumps(before: MachineDump | null, dump: MachineDump): string {
  if (before === null) return `${dumpName(dump)}: the log has no dump of the function before it\n`;
  const [old, now] = [codeOf(before), codeOf(dump)];
  const heads = headsOf(now);
  const hunks = unifiedDiff(old, now, (line) => heads[Math.min(line, heads.length - 1)] ?? '');
  if (hunks === '') return `${dumpName(dump)}: nothing changed since ${dumpName(before)}\n`;
  return `--- ${dumpName(before)}\n+++ ${dumpName(dump)}\n${hunks}`;
}

/** Lines that count, those of blocks indented as in MIR. */
const codeOf = ({ lines }: MachineDump): string[] =>
  lines.flatMap((line) => {
    const own = lineOfCode(line);
    if (own === '') return [];
    return [/^(?:bb\.\d|[A-Z][\w ]+:)/.test(own) ? own : `  ${own}`];
  });

/** The block that each line is in. */
function headsOf(lines: readonly string[]): string[] {
  let head = '';
  return lines.map((line) => {
    if (line.startsWith('bb.')) head = line.replace(/:$/, '');
    return head;
  });
}
