/**
 * What the server does, in lines for the editor's log: files and their targets, how many findings they have, RUN lines, answers that took long. A key that
 * is typed makes no line of its own.
 */
import type { DocumentStatus, VerdictStatus } from './customRequests.js';

/** Answers that took as long are told. */
const SLOW_MS = 300;

const ORIGINS: Readonly<Record<DocumentStatus['origin'], string>> = {
  override: 'chosen by hand',
  run: 'from the RUN line',
  module: 'from the triple of the module',
  function: "from the functions' attributes",
  setting: 'from the settings',
};

export class ActivityLog {
  /** what was said of each document last */
  private readonly targets = new Map<string, string>();
  private readonly findings = new Map<string, number>();
  private readonly verdicts = new Map<string, string>();

  constructor(private readonly say: (line: string) => void) {}

  document({ uri, target, origin, foreign, functions }: DocumentStatus): void {
    const text =
      foreign === '' ? `${plural(functions, 'function')}, ${target} (${ORIGINS[origin]})` : `${foreign}: no numbers`;
    this.once(this.targets, uri, text);
  }

  diagnosed(uri: string, n: number): void {
    const before = this.findings.get(uri);
    if (before === n) return;
    this.findings.set(uri, n);
    this.say(
      `${nameOf(uri)}: ${n === 0 ? 'no findings' : plural(n, 'finding')}${before === undefined ? '' : ` (before: ${before})`}`,
    );
  }

  ran({ uri, runs }: VerdictStatus): void {
    const of = (verdict: string): number => runs.filter((r) => r.verdict === verdict).length;
    const parts = [
      [of('passed'), 'passed'],
      [of('failed'), 'failed'],
      [of('unsupported'), 'not run here'],
    ].flatMap(([n, what]) => (n === 0 ? [] : [`${n} ${what}`]));
    if (parts.length > 0) this.once(this.verdicts, uri, `RUN lines: ${parts.join(', ')}`);
  }

  answered(method: string, uri: string, ms: number): void {
    if (ms >= SLOW_MS) this.say(`${nameOf(uri)}: ${method} took ${(ms / 1000).toFixed(1)} s`);
  }

  closed(uri: string): void {
    if (!this.targets.delete(uri)) return;
    this.findings.delete(uri);
    this.verdicts.delete(uri);
    this.say(`${nameOf(uri)}: closed`);
  }

  /** The same of the same document is said once. */
  private once(said: Map<string, string>, uri: string, text: string): void {
    if (said.get(uri) === text) return;
    said.set(uri, text);
    this.say(`${nameOf(uri)}: ${text}`);
  }
}

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** The last part of an address, as it is written. */
function nameOf(uri: string): string {
  // A view has its source after its own name.
  const [path = ''] = uri.split('?');
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
