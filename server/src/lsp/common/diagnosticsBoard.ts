/**
 * The last diagnostics of each open document, for clients that ask for them (`textDocument/diagnostic`). The worker computes them in
 * the background, one function at a time; a request takes what is there for the present version, or waits for it. Nothing is computed
 * because somebody asks, so a question costs nothing and delays nobody.
 */
import type { Diagnostic } from 'vscode-languageserver-types';

export type DiagnosticReport =
  | { readonly kind: 'full'; readonly resultId: string; readonly items: readonly Diagnostic[] }
  | { readonly kind: 'unchanged'; readonly resultId: string };

export type PullAnswer =
  | { readonly kind: 'report'; readonly report: DiagnosticReport }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

interface Entry {
  /** version of `items` */
  version: number;
  items: readonly Diagnostic[];
  resultId: string;
  /** the id that was given out last for `version`, null if nobody asked */
  told: string | null;
}

interface Waiting {
  readonly uri: string;
  readonly previous: string | undefined;
  settle(answer: PullAnswer): void;
}

export class DiagnosticsBoard {
  private readonly entries = new Map<string, Entry>();
  private readonly waiting = new Set<Waiting>();
  private nextId = 1;

  /** @param outdated called when what was told of a version holds no longer: settings or target changed, not the text */
  constructor(private readonly outdated: () => void) {}

  /** New findings of the present version of a document. The same findings keep their result id, whatever the version. */
  publish(uri: string, version: number, items: readonly Diagnostic[]): void {
    const old = this.entries.get(uri);
    const isSame = old !== undefined && isEqual(old.items, items);
    const resultId = isSame ? old.resultId : String(this.nextId++);
    const told = old?.version === version ? old.told : null;
    const entry = { version, items, resultId, told };
    this.entries.set(uri, entry);
    for (const w of [...this.waiting])
      if (w.uri === uri) w.settle({ kind: 'report', report: report(entry, w.previous) });
    if (told !== null && told !== resultId) this.outdated();
  }

  /** The report of the present `version`, at once or as soon as it is known; of a later one when the text changes meanwhile. */
  pull(
    uri: string,
    version: number,
    previous: string | undefined,
    onCancelled: (listener: () => void) => { dispose(): void },
  ): Promise<PullAnswer> {
    const entry = this.entries.get(uri);
    if (entry?.version === version) return Promise.resolve({ kind: 'report', report: report(entry, previous) });
    return new Promise((resolve) => {
      const listener = onCancelled(() => w.settle({ kind: 'cancelled' }));
      const w: Waiting = {
        uri,
        previous,
        settle: (answer) => {
          listener.dispose();
          this.waiting.delete(w);
          resolve(answer);
        },
      };
      this.waiting.add(w);
    });
  }

  /** Forgets a closed document; who waits for it gets an empty report. */
  close(uri: string): void {
    this.entries.delete(uri);
    const report = { kind: 'full', resultId: '0', items: [] } as const;
    for (const w of [...this.waiting]) if (w.uri === uri) w.settle({ kind: 'report', report });
  }

  /** No diagnostics will come of a document, or of any. */
  fail(uri: string | null, message: string): void {
    for (const w of [...this.waiting]) if (uri === null || w.uri === uri) w.settle({ kind: 'failed', message });
  }
}

function report(entry: Entry, previous: string | undefined): DiagnosticReport {
  const { resultId, items } = entry;
  entry.told = resultId;
  return previous === resultId ? { kind: 'unchanged', resultId } : { kind: 'full', resultId, items };
}

/** Plain data of the same shape; stops at the first difference. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((k) => isEqual((a as Record<string, unknown>)[k], (b as Record<string, unknown>)[k]));
}
