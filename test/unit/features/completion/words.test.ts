/** Words that completion proposes: none is empty, none stands twice, and of each there is something to say. */
import assert from 'node:assert/strict';
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver-types';
import { provideCompletion } from '../../../../server/src/features/completion/completion.js';
import { AROUND } from '../../../support/completionTexts.js';
import { atBar, URI } from '../../../support/cursor.js';

function itemsAt(around: string, place: string): CompletionItem[] {
  const { snapshot, position } = atBar(AROUND[around]!(place.replaceAll('\\n', '\n')), { snippets: true });
  return provideCompletion(snapshot, { textDocument: { uri: URI }, position }).items;
}

/** Places where words can stand, those that need no explanation left out. */
const PLACES: readonly (readonly [around: string, place: string, plain: string])[] = [
  ['operands', '    S_NOP 0, d¦', ''],
  ['operands', '    S_NOP 0, i¦', ''],
  ['operands', '    S_NOP 0, k¦', ''],
  ['operands', '    S_NOP 0, u¦', ''],
  ['operands', '    S_NOP 0, r¦', ''],
  ['operands', '    S_NOP 0, e¦', ''],
  ['operands', '    S_NOP 0, t¦', ''],
  ['operands', '    ¦', ''],
  ['operands', '    s¦', ''],
  ['operands', '    l¦', ''],
  ['operands', '    %3:vgpr_32 = ¦', ''],
  ['operands', '    %3:vgpr_32 = n¦', ''],
  ['operands', '    S_NOP 0 d¦', ''],
  ['operands', '    S_NOP 0 p¦', ''],
  ['operands', '    S_NOP 0 h¦', ''],
  ['operands', '    S_NOP 0 m¦', ''],
  ['operands', '    %3:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(¦', ''],
  ['memory', '    %3:vgpr_32 = GLOBAL_LOAD_DWORD %1, 0, 0, implicit $exec :: (¦', ''],
  ['check', '# ¦', ''],
  ['check', '# GCN: x\\n# ¦', ''],
  ['run', '¦', 'llc FileCheck opt'],
  ['run', 'llc %s | FileCheck ¦', ''],
  ['generic', '    %3:_(s1) = G_ICMP ¦', ''],
  ['generic', '    %3:_(s1) = G_FCMP ¦', ''],
  ['file', '¦', ''],
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
