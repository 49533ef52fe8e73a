/** Keys of a header that say what llc assumes anyway, as -simplify-mir leaves them out. */
import { NO_NODE, SyntaxKind } from '../../syntax/tree.js';
import type { TextEdit } from '../../text/sourceText.js';
import type { Refactoring, RefactorPlace } from './refactoring.js';

/** Never taken out, whatever they say. */
const KEPT = new Set([
  'name',
  'body',
  'registers',
  'machineFunctionInfo',
  'tracksRegLiveness',
  'jumpTable',
  'machineMetadataNodes',
]);

/** Proposals from the boldest on: what a default is, the one who tries them finds out. */
export function removeDefaultKeys({ snapshot, view }: RefactorPlace): Refactoring[] {
  const { document, start: base } = view;
  const { text } = snapshot;
  const tree = document.yaml;
  if (tree.size === 0 || tree.kind(0) !== SyntaxKind.YamlMapping) return [];
  const found: { key: string; isPlain: boolean; edit: TextEdit }[] = [];
  for (let p = tree.firstChild(0); p !== NO_NODE; p = tree.nextSibling(p, 0)) {
    const k = tree.firstChild(p);
    const v = k === NO_NODE ? NO_NODE : tree.nextSibling(k, p);
    if (v === NO_NODE) continue;
    const key = text.slice(base + tree.start(k), base + tree.end(k));
    if (KEPT.has(key)) continue;
    const value = text.slice(base + tree.start(v), base + tree.end(v)).trim();
    const isPlain = /^(?:false|\[\s*\]|\{\s*\}|''|0|1|4294967295)?$/.test(value);
    if (!isPlain && key !== 'frameInfo') continue;
    // Whole lines, so that nothing is left of them.
    const first = text.lineAt(base + tree.start(k));
    const last = text.lineAt(base + Math.max(tree.end(k), tree.end(v)) - 1);
    found.push({ key, isPlain, edit: { start: text.lineStart(first), end: text.lineStart(last + 1), text: '' } });
  }
  const attempt = (wanted: typeof found): Refactoring[] =>
    wanted.length === 0
      ? []
      : [
          {
            title: `Remove ${wanted.length === 1 ? `the default key ${wanted[0]!.key}` : `${wanted.length} default keys`}`,
            edits: wanted.map((f) => f.edit),
            keeps: 'output',
          },
        ];
  const computed = new Set(['noPhis', 'isSSA', 'noVRegs', 'hasFakeUses']);
  return [
    ...attempt(found),
    ...attempt(found.filter((f) => f.isPlain)),
    ...attempt(found.filter((f) => f.isPlain && !computed.has(f.key))),
  ];
}
