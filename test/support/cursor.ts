/** Feature tests over a snapshot: a cursor put on a word of a MIR text, and places as `line:column text`. */
import type { Position, Range } from 'vscode-languageserver-types';
import type { Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import { DEFAULT_SETTINGS, type Settings } from '../../server/src/program/settings.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';

export const URI = 'file:///test.mir';

export interface AtCursor {
  readonly host: AnalysisHost;
  readonly snapshot: Snapshot;
  readonly position: Position;
  readonly text: string;
  /** `line:column text` of a range, both counted from 1 */
  show(range: Range): string;
}

/** Opens a text; the cursor stands after the first character of the first `word` after the first `after`. */
export function atCursor(text: string, word = '', after = ''): AtCursor {
  const from = text.indexOf(after);
  const at = from < 0 ? -1 : text.indexOf(word, from + after.length);
  if (at < 0) throw new Error(`no '${word}' after '${after}'`);
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  const snapshot = host.snapshot(URI)!;
  return {
    host,
    snapshot,
    position: snapshot.text.positionAt(at + 1),
    text,
    show: ({ start, end }) =>
      `${start.line + 1}:${start.character + 1} ${text.slice(snapshot.text.offsetAt(start), snapshot.text.offsetAt(end))}`,
  };
}

export interface AtBar {
  readonly snapshot: Snapshot;
  readonly position: Position;
  /** the text without the bar */
  readonly text: string;
}

/** Opens a text with the cursor where `¦` stands in it. */
export function atBar(marked: string, settings: Partial<Settings> = {}): AtBar {
  const at = marked.indexOf('¦');
  if (at < 0) throw new Error('no cursor');
  const text = marked.slice(0, at) + marked.slice(at + 1);
  const host = new AnalysisHost(false, Infinity);
  host.configure({ ...DEFAULT_SETTINGS, ...settings });
  host.open(URI, 1, text);
  const snapshot = host.snapshot(URI)!;
  return { snapshot, position: snapshot.text.positionAt(at), text };
}
