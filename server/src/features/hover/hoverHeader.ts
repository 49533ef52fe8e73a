/** Hover on a key of a function's header: what it means. */
import { SyntaxKind } from '../../syntax/tree.js';
import { HEADER_KEYS } from '../words/headerKeys.js';
import { nodesAt } from '../snapshot/locate.js';
import { code, rich, prose, type Markdown } from '../words/markdown.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

export interface HeaderHover {
  readonly lines: readonly Markdown[];
  /** the key, absolute offsets */
  readonly start: number;
  readonly end: number;
}

/** Null where no key that we know stands. */
export function headerHover(snapshot: Snapshot, view: FunctionView, offset: number): HeaderHover | null {
  const nodes = nodesAt(view, offset);
  const path: string[] = [];
  let start = 0;
  let end = 0;
  for (const { kind, node, tree, start: at } of nodes) {
    if (kind !== SyntaxKind.YamlPair) continue;
    const key = tree.firstChild(node);
    start = at;
    end = at + tree.end(key) - tree.start(key);
    path.push(snapshot.text.slice(start, end).replace(/^['"]|['"]$/g, ''));
  }
  if (path.length === 0 || end < offset) return null;
  const name = path.join('.');
  if (!/^[\w.-]+$/.test(name)) return null;
  const meaning = meaningOf(name) ?? argumentMeaning(path);
  return meaning && { lines: [rich`**${name}**`, meaning], start, end };
}

const meaningOf = (key: string): Markdown | null => (Object.hasOwn(HEADER_KEYS, key) ? prose(HEADER_KEYS[key]!) : null);

/** Entries of `argumentInfo` have the same few keys, and shared ones of stack objects stand once in the table. */
function argumentMeaning(path: readonly string[]): Markdown | null {
  if (path[1] === 'argumentInfo') {
    if (path.length === 3) return rich`Where the function finds its input ${code(path[2]!)}.`;
    if (path[3] === 'reg') return rich`The register.`;
    if (path[3] === 'offset') return rich`The offset on the stack in bytes.`;
    if (path[3] === 'mask') return rich`The bits of the register that belong to it.`;
  }
  return path[0] === 'fixedStack' ? meaningOf(`stack.${path.slice(1).join('.')}`) : null;
}
