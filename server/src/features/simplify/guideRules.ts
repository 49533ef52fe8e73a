/**
 * Parts of a test that LLVM's guide to MIR tests and -simplify-mir leave out: successors and probabilities that the reader finds by itself, live-ins of the
 * function, what memory operands and blocks say of the IR, and an IR of nothing but dummies.
 */
import { hasUniformProbabilities, isGuessable } from '../../model/printer/functionPrinter.js';
import { NO_NODE, SyntaxKind } from '../../syntax/tree.js';
import type { TextEdit } from '../../text/sourceText.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** `successors:` lines that say what the reader guesses from the instructions; as -simplify-mir, only with equal probabilities. */
export function dropGuessableSuccessors({ text }: Snapshot, { fn, start }: FunctionView): TextEdit[] {
  if (!fn?.source) return [];
  const { source } = fn;
  return fn.blocks.flatMap((block, b) => {
    const list = source.successorsRange(b);
    if (list === null || !hasUniformProbabilities(block.probabilities) || !isGuessable(fn, b)) return [];
    const line = text.lineAt(start + list.start);
    const from = text.lineStart(line);
    const rest = text.slice(from, start + list.start) + text.slice(start + list.end, text.lineEnd(line));
    // A comment after it is somebody's; so is a second instruction or list.
    if (rest.trim() !== '') return [];
    const isBehindLabel = text.lineAt(start + source.blockLabelRange(b).start) === line - 1;
    const next = line + 1;
    const hasGap = next < text.lineCount && text.slice(text.lineStart(next), text.lineEnd(next)).trim() === '';
    return [{ start: from, end: text.lineStart(isBehindLabel && hasGap ? next + 1 : next), text: '' }];
  });
}

/** `(0x40000000)` after successors: of all blocks, or only where all are as likely, which says nothing. */
export function dropProbabilities({ text }: Snapshot, { fn, start }: FunctionView, onlyEqual: boolean): TextEdit[] {
  if (!fn?.source) return [];
  const { source } = fn;
  return fn.blocks.flatMap((block, b) => {
    const list = source.successorsRange(b);
    if (list === null || (onlyEqual && !hasUniformProbabilities(block.probabilities))) return [];
    return gaps(text.slice(start + list.start, start + list.end), /\((?:0x)?[0-9a-fA-F]+\)/g, start + list.start);
  });
}

/** The header's list of live-ins, which passes after the selection do not look at. */
export function dropFunctionLiveIns({ text }: Snapshot, { document, start }: FunctionView): TextEdit[] {
  const { yaml } = document;
  if (yaml.size === 0 || yaml.kind(0) !== SyntaxKind.YamlMapping) return [];
  for (let p = yaml.firstChild(0); p !== NO_NODE; p = yaml.nextSibling(p, 0)) {
    const key = yaml.firstChild(p);
    const value = key === NO_NODE ? NO_NODE : yaml.nextSibling(key, p);
    if (key === NO_NODE || text.slice(start + yaml.start(key), start + yaml.end(key)) !== 'liveins') continue;
    const end = start + Math.max(yaml.end(key), value === NO_NODE ? 0 : yaml.end(value));
    return [
      {
        start: text.lineStart(text.lineAt(start + yaml.start(key))),
        end: text.lineStart(text.lineAt(end - 1) + 1),
        text: '',
      },
    ];
  }
  return [];
}

const NAME = String.raw`(?:[-\w$.]+|"[^"\n]*")`;

/** What memory operands say of the IR's values and metadata, which only alias analysis reads. */
export function dropMemoryValues({ text }: Snapshot, { fn, start }: FunctionView): TextEdit[] {
  if (!fn?.source) return [];
  const said = new RegExp(
    String.raw` (?:from|into|on) %ir\.${NAME}(?: [+-] \d+)?|, !(?:alias\.scope|noalias|tbaa|range) !\d+`,
    'g',
  );
  const edits: TextEdit[] = [];
  for (let i = 0; i < fn.nInstrs; i++)
    for (let k = 0; k < (fn.memOperands[i]?.length ?? 0); k++) {
      const range = fn.source.memOperandRange(i, k);
      edits.push(...gaps(text.slice(start + range.start, start + range.end), said, start + range.start));
    }
  return edits;
}

/** `bb.1.loop` is `bb.1`, at its label and wherever else the body calls it so. */
export function dropBlockNames({ text }: Snapshot, { fn, start, body }: FunctionView): TextEdit[] {
  if (!fn?.source || body === null) return [];
  const { source } = fn;
  const edits: TextEdit[] = [];
  let hasNames = false;
  fn.blocks.forEach((block, b) => {
    if (block.irName === null && block.irBlockRef === null) return;
    hasNames = true;
    const label = source.blockLabelRange(b);
    const line = text.lineAt(start + label.start);
    const own = text.slice(start + label.start, text.lineEnd(line));
    edits.push(
      ...gaps(
        own,
        new RegExp(String.raw`(?<=^bb\.\d+)\.${NAME}|(?<=^bb\.\d+) \(%ir-block\.${NAME}\)`, 'g'),
        start + label.start,
      ),
    );
  });
  if (!hasNames) return [];
  const from = start + body.start;
  // References in comments and CHECK lines are no business of the reader.
  const lines = text.slice(from, from + body.length);
  for (const { index, 0: line } of lines.matchAll(/^[^;\n]*/gm))
    edits.push(...gaps(line, new RegExp(String.raw`(?<=%bb\.\d+)\.${NAME}`, 'g'), from + index));
  return edits.sort((x, y) => x.start - y.start);
}

const DUMMY =
  /^define (?:(?:dso_local|internal|weak) )?\w+ @(?:[-\w$.]+|"[^"\n]*")\([^()]*\) *\{\s*(?:[-\w$.]+:\s*)?(?:unreachable|ret void)\s*\}\s*/;

/** The IR where it has nothing but functions of no body and no attributes; the reader makes such by itself. */
export function dropDummyIR({ text, irSymbols, file }: Snapshot): TextEdit[] {
  if (irSymbols === null) return [];
  const d = file.docStarts.findIndex((at) => at === irSymbols.start);
  const { irStart, irEnd } = file.documents[d]!;
  let rest = text
    .slice(irSymbols.start + irStart, irSymbols.start + irEnd)
    .replace(/^\s*;.*$/gm, '')
    .trimStart();
  for (let dummy = DUMMY.exec(rest); dummy !== null; dummy = DUMMY.exec(rest)) rest = rest.slice(dummy[0].length);
  if (rest.trim() !== '') return [];
  const marker = /^--- \|[^\n]*\n/m.exec(text.slice(irSymbols.start, irSymbols.start + irStart));
  if (!marker) return [];
  const start = irSymbols.start + marker.index;
  // A comment within belongs to somebody.
  if (/^\s*;/m.test(text.slice(start, irSymbols.start + irEnd))) return [];
  const behind = /^\s*?(?:\.\.\.[^\n]*\n|(?=---))/.exec(text.slice(irSymbols.start + irEnd, text.length));
  return behind ? [{ start, end: irSymbols.start + irEnd + behind[0].length, text: '' }] : [];
}

/** Edits that take out what a pattern finds in a text that begins at `base`. */
const gaps = (within: string, pattern: RegExp, base: number): TextEdit[] =>
  [...within.matchAll(pattern)].map(({ index, 0: found }) => ({
    start: base + index,
    end: base + index + found.length,
    text: '',
  }));
