/** A log of machine dumps that is open in an editor: its dumps with their lines, and what is known of them. Not a snapshot: there is no MIR in it. */
import { likelyTarget, mirOfDumps, NO_TARGET, type LikelyTarget } from '../../program/machineLog/dumpMir.js';
import { codeKey } from '../../program/machineLog/dumpFunction.js';
import { LogReader, type LogFacts, type MachineDump } from '../../program/machineLog/logReader.js';
import { LogTable, type LogRow } from '../../program/machineLog/logTable.js';
import type { Settings } from '../../program/settings.js';
import { isReleaseName } from '../../target/index.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { lazy } from '../../util/lazy.js';

const HEADER = '# Machine code for function ';
/** CHECK lines of a test may name one. */
const OF_TEST = /[A-Z][\w-]*:[ \t]*(?:[#;] )?$/;

/** Whether a text is a log: a machine function comes before any document of MIR. O(text) */
export function isMachineLog(text: string): boolean {
  for (let at = text.indexOf(HEADER); at >= 0; at = text.indexOf(HEADER, at + 1)) {
    const start = text.lastIndexOf('\n', at) + 1;
    if (OF_TEST.test(text.slice(start, at))) continue;
    return !/^(?:---|name:)(?:\s|$)/m.test(text.slice(0, start));
  }
  return false;
}

/** A dump, the first of its lines that a reader sees, and the last one. */
export interface LogEntry {
  readonly dump: MachineDump;
  /** 0-based: of the banner, or the header where there is none */
  readonly firstLine: number;
  readonly lastLine: number;
  /** the one of the same function before it */
  readonly before: MachineDump | null;
  /** null of the first of a function */
  readonly isChanged: boolean | null;
}

/** Characters of dumps whose numbers a quick answer may wait for. */
const QUICK_CHARS = 200_000;

export class LogDocument {
  private readonly read = lazy(() => readLog(this.text));
  private known: readonly LogRow[] | null = null;
  private table: LogTable | null = null;

  constructor(
    readonly uri: string,
    readonly version: number,
    readonly text: string,
    readonly settings: Settings,
  ) {}

  get entries(): readonly LogEntry[] {
    return this.read().entries;
  }
  get facts(): LogFacts {
    return this.read().facts;
  }

  /** Numbers take long to compute, and nobody has yet. */
  get isLong(): boolean {
    return this.known === null && this.text.length > QUICK_CHARS;
  }

  /** A row for each dump; null when cancelled. */
  rows(token: CancellationToken): readonly LogRow[] | null {
    if (this.known !== null) return this.known;
    const { target, model } = this.settings;
    const asked = { ...target, triple: '', isChosen: target.cpu !== '' };
    this.table = new LogTable({ target: asked, model, withOutcome: false }, () => this.facts.target);
    const rows: LogRow[] = [];
    for (const { dump } of this.entries) {
      if (token.isCancelled()) return null;
      rows.push(this.table.row(dump));
    }
    return (this.known = rows);
  }

  /** What the numbers are for, once there are rows. */
  get target(): LikelyTarget {
    return this.table?.target ?? { ...NO_TARGET, isGuess: false };
  }

  /** The dump around a line, or the last one before it; null above all. O(log dumps) */
  entryAt(line: number): LogEntry | null {
    let [from, to] = [0, this.entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.entries[middle]!.firstLine <= line) from = middle + 1;
      else to = middle;
    }
    return this.entries[from - 1] ?? null;
  }

  mirOf(dump: MachineDump): string {
    const { target, model } = this.settings;
    const question = { target: { ...target, triple: '', isChosen: target.cpu !== '' }, model, withOutcome: false };
    const { triple, cpu } = likelyTarget(dump, this.facts.target, question);
    return mirOfDumps([dump], { triple, cpu }, isReleaseName(model) ? model : undefined).text;
  }
}

function readLog(text: string): { readonly entries: readonly LogEntry[]; readonly facts: LogFacts } {
  const entries: LogEntry[] = [];
  const last = new Map<string, { readonly dump: MachineDump; readonly code: string }>();
  const lines = text.split('\n');
  const reader = new LogReader((dump) => {
    const header = dump.line - 1;
    const hasBanner = header > 0 && lines[header - 1]!.includes('*** IR Dump ');
    const before = last.get(dump.functionName) ?? null;
    const code = codeKey(dump);
    last.set(dump.functionName, { dump, code });
    entries.push({
      dump,
      firstLine: hasBanner ? header - 1 : header,
      lastLine: dump.lastLine - 1,
      before: before?.dump ?? null,
      isChanged: before === null ? null : before.code !== code,
    });
    return false;
  });
  reader.feed(text);
  return { entries, facts: reader.end() };
}
