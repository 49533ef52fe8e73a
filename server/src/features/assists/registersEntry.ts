/** A register without a class in a function that has a `registers:` list: gives it an entry there. */
import { NO_NODE, SyntaxKind, type Node } from '../../syntax/tree.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import { eol, insert, occurrenceIn, type Assist } from '../fixes/fix.js';
import { classOfName } from '../fixes/askedClass.js';

/** `Cannot determine class/bank of virtual register` */
export const addRegistersEntry: Assist = ({ snapshot, view, diagnostic }) => {
  const { fn, symbols, document } = view;
  const i = occurrenceIn(view, diagnostic);
  if (!fn || i < 0) return [];
  const entity = symbols.entity[i]!;
  if (symbols.kinds[entity] !== EntityKind.VReg || symbols.isNamed(entity)) return [];
  // One that it has is where the mistake is.
  if ([...symbols.occurrences(entity)].some((o) => (symbols.role[o]! & Role.Declaration) !== 0)) return [];
  const list = valueOfKey(snapshot, view, 'registers');
  const name = symbols.nameOf(entity);
  const className = classOfName(fn, name, false);
  if (list === NO_NODE || className === null) return [];
  const { yaml } = document;
  let last: Node = NO_NODE;
  for (let c = yaml.firstChild(list); c !== NO_NODE; c = yaml.nextSibling(c, list)) last = c;
  const entry = `- { id: ${name}, class: ${className} }`;
  const title = `Add %${name} to registers: as ${className}`;
  const start = view.start + yaml.start(list);
  if (last === NO_NODE) {
    const edit = { start, end: view.start + yaml.end(list), text: `${eol(snapshot)}  ${entry}` };
    return [{ title, edits: [edit] }];
  }
  // `[ {...}, {...} ]` on one line is nothing that LLVM or people write.
  const { text } = snapshot;
  const line = text.lineAt(view.start + yaml.start(last));
  const lineStart = text.lineStart(line);
  const dash = /^ *(?=- )/.exec(text.slice(lineStart, text.lineEnd(line)))?.[0];
  if (dash === undefined) return [];
  const at = text.lineEnd(text.lineAt(view.start + Math.max(yaml.start(last), yaml.end(last) - 1)));
  return [{ title, edits: [insert(at, `${eol(snapshot)}${dash}${entry}`)] }];
};

/** The value of a key of the function's header, NO_NODE if there is none. */
export function valueOfKey({ file }: Snapshot, { document }: FunctionView, wanted: string): Node {
  const { yaml } = document;
  for (let p = yaml.firstChild(0); p !== NO_NODE; p = yaml.nextSibling(p, 0)) {
    const key = yaml.firstChild(p);
    if (key === NO_NODE || yaml.kind(key) !== SyntaxKind.YamlScalar) continue;
    if (file.interner.text(Math.max(0, yaml.value(key))) === wanted) return yaml.nextSibling(key, p);
  }
  return NO_NODE;
}
