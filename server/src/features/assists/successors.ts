/** Successor lists that disagree with the branches at the end of the block. */
import { insert, insertBlockLine, blockAt, type Assist } from '../fixes/fix.js';

/** `... its target isn't a CFG successor!`: the other block of the report is missing in the list. */
export const addSuccessor: Assist = ({ snapshot, view, diagnostic }) => {
  const { fn } = view;
  const { block: number } = diagnostic.facts ?? {};
  if (!fn?.source || number === undefined) return [];
  const b = blockAt(fn, view, diagnostic.start);
  if (b < 0) return [];
  const title = `Add %bb.${number} to the successors of bb.${fn.blocks[b]!.sourceNumber}`;
  const list = fn.source.successorsRange(b);
  if (!list) return [{ title, edits: [insertBlockLine(snapshot, view, b, `successors: %bb.${number}`)] }];
  const text = snapshot.text.slice(view.start + list.start, view.start + list.end);
  const separator = /:\s*$/.test(text) ? ' ' : ', ';
  const at = view.start + list.start + text.trimEnd().length;
  return [{ title, edits: [insert(at, `${separator}%bb.${number}`)] }];
};

/** `MBB has unexpected successors ...`, `MBB has duplicate entries in its successor list.`: takes the other block out of the list. */
export const removeSuccessor: Assist = ({ snapshot, view, diagnostic }) => {
  const { fn } = view;
  const { block: number } = diagnostic.facts ?? {};
  if (!fn?.source || number === undefined) return [];
  const b = blockAt(fn, view, diagnostic.start);
  const list = b < 0 ? null : fn.source.successorsRange(b);
  if (!list) return [];
  const start = view.start + list.start;
  const text = snapshot.text.slice(start, view.start + list.end);
  // The last mention: the first one stays where a list names a block twice.
  const mentions = [...text.matchAll(new RegExp(`%bb\\.${number}(?![0-9])[\\w.-]*(?:\\([^)]*\\))?`, 'g'))];
  const mention = mentions[mentions.length - 1];
  if (!mention) return [];
  let from = mention.index;
  let to = from + mention[0].length;
  const before = /,\s*$/.exec(text.slice(0, from));
  const after = /^\s*,\s*/.exec(text.slice(to));
  if (before) from = before.index;
  else if (after) to += after[0].length;
  const title = `Remove %bb.${number} from the successors of bb.${fn.blocks[b]!.sourceNumber}`;
  return [{ title, edits: [{ start: start + from, end: start + to, text: '' }] }];
};
