/**
 * Texts for tests of features. A cursor is `$0`, wherever one stands: in the text itself, or in a piece of a text that several tests share,
 * put there by `cursorIn`.
 */
import type { Position, Range } from 'vscode-languageserver-types';
import type { Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import type { Settings } from '../../server/src/program/settings.js';
import { SETTINGS_OF_22 } from './settings.js';
import { AnalysisHost } from '../../server/src/host/analysisHost.js';

export const URI = 'file:///test.mir';
const CURSOR = '$0';

export interface Opened {
  readonly host: AnalysisHost;
  readonly snapshot: Snapshot;
  readonly text: string;
  /** `line:column text` of a range, both counted from 1 */
  show(range: Range): string;
}

export interface AtCursor extends Opened {
  readonly position: Position;
}

/** Opens a text in which nothing is pointed at; the answers are those of LLVM 22, unless a test asks for another. */
export function openText(text: string, settings: Partial<Settings> = {}): Opened {
  const host = new AnalysisHost(false, Infinity);
  host.configure({ ...SETTINGS_OF_22, ...settings });
  host.open(URI, 1, text);
  const snapshot = host.snapshot(URI)!;
  return {
    host,
    snapshot,
    text,
    show: ({ start, end }) =>
      `${start.line + 1}:${start.character + 1} ${text.slice(snapshot.text.offsetAt(start), snapshot.text.offsetAt(end))}`,
  };
}

/** Opens a text with the cursor where `$0` stands in it. */
export function atCursor(marked: string, settings: Partial<Settings> = {}): AtCursor {
  const { text, offset } = splitCursor(marked);
  const opened = openText(text, settings);
  return { ...opened, position: opened.snapshot.text.positionAt(offset) };
}

/** A text with `$0`, without it, and where it was. */
export function splitCursor(marked: string): { readonly text: string; readonly offset: number } {
  const offset = marked.indexOf(CURSOR);
  if (offset < 0) throw new Error('no cursor');
  return { text: marked.slice(0, offset) + marked.slice(offset + CURSOR.length), offset };
}

/** `text` with the cursor of the first piece like `marked`: `cursorIn(TEXT, 'S_ENDPGM 0, implicit %$00')`. */
export function cursorIn(text: string, marked: string): string {
  const { text: piece, offset } = splitCursor(marked);
  const at = text.indexOf(piece);
  if (at < 0) throw new Error(`no '${piece}' in the text`);
  return text.slice(0, at + offset) + CURSOR + text.slice(at + offset);
}
