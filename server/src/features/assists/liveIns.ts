/** Registers in a `liveins:` line that do not live in. */
import { isPhysicalReg } from '../../model/register.js';
import type { TextEdit } from '../../text/sourceText.js';
import { blockAt, type Assist } from '../fixes/fix.js';

/** `Live in register not found to be live out from predecessor.`, `MBB has allocatable live-in, ...`: takes the register from the list. */
export const removeLiveIn: Assist = ({ snapshot, view, diagnostic }) => {
  const { fn } = view;
  const b = fn?.source ? blockAt(fn, view, diagnostic.start) : -1;
  if (!fn?.source || b < 0) return [];
  const { liveIns, sourceNumber } = fn.blocks[b]!;
  const ranges = liveIns.map((_, k) => fn.source!.liveInRange(b, k));
  const k = ranges.findIndex((r) => view.start + r.start === diagnostic.start);
  if (k < 0 || !isPhysicalReg(liveIns[k]!.reg)) return [];
  const { text } = snapshot;
  const own = ranges[k]!;
  const name = text.slice(view.start + own.start, view.start + own.end);
  const title = `Remove ${name} from the live-ins of bb.${sourceNumber}`;
  let edit: TextEdit;
  if (0 < k) edit = { start: view.start + ranges[k - 1]!.end, end: view.start + own.end, text: '' };
  else if (k + 1 < ranges.length)
    edit = { start: view.start + own.start, end: view.start + ranges[k + 1]!.start, text: '' };
  else {
    const line = text.lineAt(view.start + own.start);
    edit = { start: text.lineStart(line), end: text.lineStart(line + 1), text: '' };
  }
  return [{ title, edits: [edit] }];
};
