/**
 * The document of a function with its registers allocated, for a diff against the source: llc's text of it, with the comments of the source where
 * they stood.
 */
import { BundleFlag, type InstrId, type MachineFunction, type BlockId } from '../../model/machineFunction.js';
import { printFunctionDocument } from '../../model/printer/index.js';
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import type { SourceText } from '../../text/sourceText.js';
import type { FunctionView } from '../snapshot/snapshot.js';

/** From the function's `---` to the end of its document. O(size of the function) */
export function allocatedDocument(view: FunctionView, allocated: AllocatedFunction, text: SourceText): string {
  const { body, start, end } = view;
  const source = text.slice(start, end);
  if (body === null) return source;
  const bodyStart = body.start;
  // Without llc's -simplify-mir every key is there.
  const printed = printFunctionDocument(allocated.fn, { simplify: !/^alignment:/m.test(source.slice(0, bodyStart)) });
  const behindKey = /^body: *\|\n/m.exec(printed);
  if (behindKey === null) return printed;
  const header = printed.slice(0, behindKey.index);
  const lines = printed.slice(behindKey.index + behindKey[0].length, printed.lastIndexOf('...\n')).split('\n');
  if (lines.at(-1) === '') lines.pop();
  // What stands before the first key: the marker of the document and comments.
  const firstKey = /^[\w']/m.exec(source)?.index ?? 0;
  const ownHeader = firstKey > 0 ? source.slice(0, firstKey) + header.replace(/^---\n/, '') : header;
  const key = /^body: *\|[^\n]*\n/m.exec(source)?.[0] ?? behindKey[0];
  const behindBody = source.slice(bodyStart + body.length);
  return `${ownHeader}${key}${new CommentedBody(view, allocated, text).lines(lines).join('\n')}\n${behindBody}`;
}

class CommentedBody {
  /** comment lines that stand above an instruction, by it, and above a block, by ~block */
  private readonly above = new Map<number, string[]>();
  /** comments after an instruction in its line */
  private readonly beside = new Map<InstrId, string>();
  private readonly atEnd: string[];
  private readonly source: MachineFunction | null;

  constructor(
    view: FunctionView,
    private readonly allocated: AllocatedFunction,
    text: SourceText,
  ) {
    const { fn, body, start } = view;
    this.source = fn;
    const waiting: string[] = [];
    this.atEnd = waiting;
    if (fn?.source === null || fn === null || body === null) return;
    const instrAtLine = new Map<number, InstrId>();
    for (let i = 0; i < fn.nInstrs; i++) {
      const range = fn.source.instrRange(i);
      const line = text.lineAt(start + range.start);
      if (!instrAtLine.has(line)) instrAtLine.set(line, i);
      const rest = text.slice(start + range.end, text.lineEnd(text.lineAt(start + range.end)));
      const comment = /^\s*;.*$/.exec(rest);
      if (comment) this.beside.set(i, comment[0].trimEnd());
    }
    let block = 0;
    const settle = (anchor: number): void => {
      if (waiting.length > 0) this.above.set(anchor, waiting.splice(0));
    };
    const last = text.lineAt(start + body.start + body.length);
    for (let line = text.lineAt(start + body.start); line <= last; line++) {
      const content = text.slice(text.lineStart(line), text.lineEnd(line));
      const instr = instrAtLine.get(line);
      if (instr !== undefined) settle(instr);
      else if (/^\s*bb\.\d+/.test(content)) settle(~block++);
      else if (/^\s*;/.test(content)) waiting.push(content.trimEnd());
    }
  }

  lines(printed: readonly string[]): string[] {
    const { fn } = this.allocated;
    const out: string[] = [];
    let block = -1;
    let at = 0;
    for (const line of printed) {
      if (/^ {2}bb\.\d/.test(line)) {
        if (block >= 0) out.push(...this.left(block));
        block++;
        at = fn.blockBegin[block] ?? 0;
        out.push(...this.take(~block), line);
        continue;
      }
      const isInstr = block >= 0 && /^ {4,}\S/.test(line) && !/^ {4}(?:successors:|liveins:|\})/.test(line);
      if (!isInstr) {
        out.push(line);
        continue;
      }
      const i = fn.order[at++] ?? -1;
      const hasOpenBrace = ((fn.bundle[i] ?? 0) & BundleFlag.BundledSucc) !== 0 && line.endsWith('{');
      out.push(
        ...this.take(i),
        hasOpenBrace ? line : line + (i < this.allocated.nInstrs ? (this.beside.get(i) ?? '') : ''),
      );
    }
    if (block >= 0) out.push(...this.left(block));
    return [...out, ...this.atEnd];
  }

  private take(anchor: number): string[] {
    const comments = this.above.get(anchor) ?? [];
    this.above.delete(anchor);
    return comments;
  }

  /** Comments above instructions of a block that are gone. */
  private left(block: BlockId): string[] {
    const found: string[] = [];
    for (const [anchor] of this.above)
      if (anchor >= 0 && this.source?.instrBlock[anchor] === block) found.push(...this.take(anchor));
    return found;
  }
}
