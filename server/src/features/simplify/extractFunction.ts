/** A function with its IR and RUN lines in a file of its own, beside this one. */
import { CodeActionKind, type CodeAction } from 'vscode-languageserver-types';
import type { Range } from 'vscode-languageserver-types';
import { toLspEdits } from '../snapshot/lspEdit.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { documentRange, onlyFunction } from './onlyFunction.js';
import { inSteps } from './rules.js';
import { unusedIR } from './unusedIR.js';

export const EXTRACT_KIND = `${CodeActionKind.RefactorExtract}.function`;

/** On the name of a function, for clients that make files. The IR that only it had leaves this file with it. */
export function extractFunction(snapshot: Snapshot, range: Range): CodeAction[] {
  const { settings, text, uri } = snapshot;
  const view = snapshot.functionAt(text.offsetAt(range.start));
  if (!settings.createsFiles || !view?.nameRange || text.lineAt(view.nameRange.start) !== range.start.line) return [];
  const folder = /^[a-z][\w+.-]*:\/\/[^?#]*\//i.exec(uri)?.[0];
  if (folder === undefined || !/^[A-Za-z_][\w.$-]*$/.test(view.name) || snapshot.functions.length < 2) return [];
  const alone = inSteps(snapshot, [() => onlyFunction(snapshot, view), unusedIR]);
  const there = snapshot.after(alone);
  const own = documentRange(snapshot, view);
  const here = inSteps(snapshot, [() => [{ ...own, text: '' }], unusedIR]);
  const rest = snapshot.after(here);
  const isRead = there.functions.length === 1 && rest.functions.length === snapshot.functions.length - 1;
  if (!isRead || there.fileDiagnostics.length + rest.fileDiagnostics.length > snapshot.fileDiagnostics.length)
    return [];
  const target = `${folder}${encodeURIComponent(view.name)}.mir`;
  if (target === uri) return [];
  const start = { line: 0, character: 0 };
  return [
    {
      title: `Extract function to ${view.name}.mir`,
      kind: EXTRACT_KIND,
      edit: {
        documentChanges: [
          { kind: 'create', uri: target, options: { overwrite: false, ignoreIfExists: false } },
          {
            textDocument: { uri: target, version: null },
            edits: [{ range: { start, end: start }, newText: there.text.text }],
          },
          { textDocument: { uri, version: snapshot.version }, edits: toLspEdits(snapshot, here) },
        ],
      },
    },
  ];
}
