/** Values of a header in llc's columns: a key and its colon take 17, blanks included. */
import { NO_NODE, SyntaxKind, YamlFlag, type Node, type Tree } from '../../syntax/tree.js';
import type { SourceText, TextEdit } from '../../text/sourceText.js';
import type { FunctionView } from '../snapshot/snapshot.js';

const KEY_COLUMNS = 16;

export function formatHeader(text: SourceText, view: FunctionView): TextEdit[] {
  const tree = view.document.yaml;
  const edits: TextEdit[] = [];
  if (tree.size > 0) pairs(tree, 0, view.start, text, edits);
  return edits.sort((a, b) => a.start - b.start);
}

function pairs(tree: Tree, node: Node, base: number, text: SourceText, edits: TextEdit[]): void {
  const kind = tree.kind(node);
  if ((tree.flags(node) & YamlFlag.Flow) !== 0) return;
  if (kind !== SyntaxKind.YamlMapping && kind !== SyntaxKind.YamlSequence) return;
  for (let c = tree.firstChild(node); c !== NO_NODE; c = tree.nextSibling(c, node)) {
    if (tree.kind(c) !== SyntaxKind.YamlPair) {
      pairs(tree, c, base, text, edits);
      continue;
    }
    const key = tree.firstChild(c);
    const value = key === NO_NODE ? NO_NODE : tree.nextSibling(key, c);
    if (value === NO_NODE) continue;
    align(tree, key, value, base, text, edits);
    pairs(tree, value, base, text, edits);
  }
}

function align(tree: Tree, key: Node, value: Node, base: number, text: SourceText, edits: TextEdit[]): void {
  const keyEnd = base + tree.end(key);
  const valueStart = base + tree.start(value);
  const gap = text.slice(keyEnd, valueStart);
  // An absent value, one on another line, an anchor in between: nothing to align.
  if (!/^[ \t]*:[ \t]+$/.test(gap) || tree.end(value) === tree.start(value)) return;
  const length = tree.end(key) - tree.start(key);
  const isBlock = tree.kind(value) === SyntaxKind.YamlBlockScalar;
  const wanted = `:${' '.repeat(Math.max(1, KEY_COLUMNS - length) + (isBlock && length < KEY_COLUMNS ? 1 : 0))}`;
  if (gap !== wanted) edits.push({ start: keyEnd, end: valueStart, text: wanted });
}
