/**
 * Text edits that make of a function's text what an analysis made of the function: lines that say the same stay as they are, with their comments; lines of
 * instructions that are gone go; new ones are printed in between, new registers with the next numbers.
 */
import type { InstrId, MachineFunction, BlockId } from '../../model/machineFunction.js';
import { InstrPrinter, sourceNames } from '../../model/printer/index.js';
import type { TextEdit } from '../../text/sourceText.js';
import { entryClassEdits } from './classEdits.js';
import { eol } from './fix.js';
import { EntityKind } from '../symbols/symbolIndex.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** Instructions of `after` that keep their line: ids that both have, in the order of the text. */
function keptInstrs(before: MachineFunction, after: MachineFunction, b: BlockId): Set<InstrId> {
  const place = new Map<InstrId, number>();
  for (let p = before.blockBegin[b]!; p < before.blockEnd[b]!; p++) place.set(before.order[p]!, p);
  const kept = new Set<InstrId>();
  let last = -1;
  for (let p = after.blockBegin[b]!; p < after.blockEnd[b]!; p++) {
    const at = place.get(after.order[p]!) ?? -1;
    if (at <= last) continue;
    kept.add(after.order[p]!);
    last = at;
  }
  return kept;
}

/**
 * Edits with absolute offsets, ascending. `after` is a changed clone of the function of `view`: an instruction with the id of one of the source is that one. Null
 * where the text cannot follow: other blocks, bundles, several instructions on a line.
 */
export function functionEdits(snapshot: Snapshot, view: FunctionView, after: MachineFunction): TextEdit[] | null {
  const { fn: before, start: base } = view;
  const source = before?.source;
  if (!before || !source || after.blocks.length !== before.blocks.length) return null;
  const { text } = snapshot;
  const newline = eol(snapshot);
  const vregName = sourceNames(before);
  const oldPrinter = new InstrPrinter(before, { vregName });
  const newPrinter = new InstrPrinter(after, { vregName });
  const edits: TextEdit[] = [];
  const lineOf = (i: InstrId): { start: number; end: number } => {
    const range = source.instrRange(i);
    const start = text.lineStart(text.lineAt(base + range.start));
    return { start, end: text.lineEnd(text.lineAt(base + range.end - 1)) };
  };
  for (let b = 0; b < before.blocks.length; b++) {
    const kept = keptInstrs(before, after, b);
    /** old instructions without a line, and new lines, that stand before the next kept one */
    const gone: InstrId[][] = [[]];
    const fresh: string[][] = [[]];
    const order: InstrId[] = [];
    for (let p: number = before.blockBegin[b]!; p < before.blockEnd[b]!; p++) {
      const i = before.order[p]!;
      if (before.bundle[i] !== 0) return null;
      if (kept.has(i)) {
        order.push(i);
        gone.push([]);
      } else gone[gone.length - 1]!.push(i);
    }
    for (let p = after.blockBegin[b]!; p < after.blockEnd[b]!; p++) {
      const i = after.order[p]!;
      if (kept.has(i)) fresh.push([]);
      else fresh[fresh.length - 1]!.push(newPrinter.printInstr(i));
    }
    const label = base + source.blockLabelRange(b).start;
    const indent = ' '.repeat(label - text.lineStart(text.lineAt(label)) + 2);
    const spell = (lines: readonly string[]): string => lines.map((l) => indent + l).join(newline);
    for (let gap = 0; gap <= order.length; gap++) {
      const [old, made] = [gone[gap]!, fresh[gap]!];
      if (old.length > 0) {
        old.forEach((i, k) => {
          const { start, end } = lineOf(i);
          if (k === 0 && made.length > 0) edits.push({ start, end, text: spell(made) });
          else edits.push({ start, end: Math.min(end + newline.length, text.length), text: '' });
        });
      } else if (made.length > 0 && gap < order.length) {
        const { start } = lineOf(order[gap]!);
        edits.push({ start, end: start, text: spell(made) + newline });
      } else if (made.length > 0) {
        const end = order.length > 0 ? lineOf(order[order.length - 1]!).end : text.lineEnd(text.lineAt(label));
        edits.push({ start: end, end, text: newline + spell(made) });
      }
      if (gap === order.length) break;
      const i = order[gap]!;
      const printed = newPrinter.printInstr(i);
      if (printed === oldPrinter.printInstr(i)) continue;
      const range = source.instrRange(i);
      edits.push({ start: base + range.start, end: base + range.end, text: printed });
    }
  }
  const spelled = vregsBySpelling(before);
  for (let e = 0; e < view.symbols.kinds.length; e++) {
    if (view.symbols.kinds[e] !== EntityKind.VReg) continue;
    const v = spelled.get(view.symbols.nameOf(e)) ?? -1;
    if (v < 0 || after.vregs.regClass[v] === before.vregs.regClass[v] || after.vregs.regClass[v]! < 0) continue;
    const rc = after.tables.regClassMirName(after.vregs.regClass[v]!);
    edits.push(...entryClassEdits(snapshot, view, e, rc));
  }
  edits.sort((x, y) => x.start - y.start || x.end - y.end);
  for (let k = 1; k < edits.length; k++) if (edits[k]!.start < edits[k - 1]!.end) return null;
  return edits;
}

function vregsBySpelling({ vregs }: MachineFunction): Map<string, number> {
  const found = new Map<string, number>();
  for (let v = 0; v < vregs.n; v++) found.set(vregs.name[v] ?? String(vregs.sourceNumber[v]! >>> 0), v);
  return found;
}

/** The instructions of a function with its registers numbered by their first mention. */
export function canonicalBody(fn: MachineFunction): string {
  const printer = new InstrPrinter(fn);
  const numbers = new Map<string, number>();
  const lines: string[] = [];
  for (let b = 0; b < fn.blocks.length; b++) {
    lines.push(`bb.${b}`);
    for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++)
      lines.push(
        printer.printInstr(fn.order[p]!).replace(/%(\d+)(?![\w-])/g, (_, digits: string) => {
          const known = numbers.get(digits) ?? numbers.size;
          numbers.set(digits, known);
          return `%${known}`;
        }),
      );
  }
  return lines.join('\n');
}
