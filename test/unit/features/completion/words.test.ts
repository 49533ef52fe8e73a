/** Words that completion proposes: none is empty, none stands twice, and of each there is something to say. */
import assert from 'node:assert/strict';
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver-types';
import { provideCompletion } from '../../../../server/src/features/completion/completion.js';
import { AROUND } from '../../../support/completionTexts.js';
import { atCursor, URI } from '../../../support/cursor.js';

function itemsAt(around: string, place: string): CompletionItem[] {
  const { snapshot, position } = atCursor(AROUND[around]!(place.replaceAll('\\n', '\n')), { snippets: true });
  return provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items;
}

/** Places where words can stand, those that need no explanation left out. */
const PLACES: readonly (readonly [around: string, place: string, plain: string])[] = [
  ['operands', '    S_NOP 0, d$0', ''],
  ['operands', '    S_NOP 0, i$0', ''],
  ['operands', '    S_NOP 0, k$0', ''],
  ['operands', '    S_NOP 0, u$0', ''],
  ['operands', '    S_NOP 0, r$0', ''],
  ['operands', '    S_NOP 0, e$0', ''],
  ['operands', '    S_NOP 0, t$0', ''],
  ['operands', '    $0', ''],
  ['operands', '    s$0', ''],
  ['operands', '    l$0', ''],
  ['operands', '    %3:vgpr_32 = $0', ''],
  ['operands', '    %3:vgpr_32 = n$0', ''],
  ['operands', '    S_NOP 0 d$0', ''],
  ['operands', '    S_NOP 0 p$0', ''],
  ['operands', '    S_NOP 0 h$0', ''],
  ['operands', '    S_NOP 0 m$0', ''],
  ['operands', '    %3:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags($0', ''],
  ['memory', '    %3:vgpr_32 = GLOBAL_LOAD_DWORD %1, 0, 0, implicit $exec :: ($0', ''],
  ['check', '# $0', ''],
  ['check', '# GCN: x\\n# $0', ''],
  ['run', '$0', 'llc FileCheck opt'],
  ['run', 'llc %s | FileCheck $0', ''],
  ['generic', '    %3:_(s1) = G_ICMP $0', ''],
  ['generic', '    %3:_(s1) = G_FCMP $0', ''],
  ['file', '$0', ''],
];

const EXPLAINED: ReadonlySet<number | undefined> = new Set([CompletionItemKind.Keyword, CompletionItemKind.Snippet]);

describe('words of completion', () => {
  for (const [around, place, plain] of PLACES)
    it(`${around}: ${place}`, () => {
      const items = itemsAt(around, place);
      assert.ok(items.length > 0);
      const labels = items.map((i) => i.label);
      assert.equal(new Set(labels).size, labels.length);
      for (const { label, kind, labelDetails } of items) {
        assert.match(label, /\S/);
        if (EXPLAINED.has(kind) && !plain.includes(label))
          assert.match(labelDetails?.detail ?? '', /^ \S.{3,}$/, `${label} says nothing`);
      }
    });
});
