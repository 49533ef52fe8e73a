/** Edits in offsets as the protocol has them. */
import type { TextEdit as LspTextEdit } from 'vscode-languageserver-types';
import type { TextEdit } from '../../text/sourceText.js';
import type { Snapshot } from './snapshot.js';

export const toLspEdits = (snapshot: Snapshot, edits: readonly TextEdit[]): LspTextEdit[] =>
  edits.map(({ start, end, text }) => ({ range: snapshot.rangeOf(start, end), newText: text }));
