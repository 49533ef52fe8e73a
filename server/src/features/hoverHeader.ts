/** Hover on a key of a function's header: what it means. */
import { SyntaxKind } from '../syntax/tree.js';
import { HEADER_KEYS } from './headerKeys.js';
import { nodesAt } from './locate.js';
import type { FunctionView, Snapshot } from './snapshot.js';

export interface HeaderHover {
  readonly lines: string[];
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
  const meaning = HEADER_KEYS[name] ?? argumentMeaning(path);
  return meaning === undefined ? null : { lines: [`**${name}**`, meaning], start, end };
}

/** Entries of `argumentInfo` have the same few keys, and shared ones of stack objects stand once in the table. */
function argumentMeaning(path: readonly string[]): string | undefined {
  if (path[1] === 'argumentInfo') {
    if (path.length === 3) return `Where the function finds its input \`${path[2]!.replaceAll('`', "'")}\`.`;
    if (path[3] === 'reg') return 'The register.';
    if (path[3] === 'offset') return 'The offset on the stack in bytes.';
    if (path[3] === 'mask') return 'The bits of the register that belong to it.';
  }
  return path[0] === 'fixedStack' ? HEADER_KEYS[`stack.${path.slice(1).join('.')}`] : undefined;
}
