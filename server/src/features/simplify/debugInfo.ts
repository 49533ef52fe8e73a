/** A test without its debug information: locations, debug instructions, and what the IR has of it. */
import type { TextEdit } from '../../text/sourceText.js';
import { NO_NODE, SyntaxKind } from '../../syntax/tree.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { merged } from './onlyFunction.js';

const HEADER_KEYS = new Set(['debugValueSubstitutions', 'debugInstrRef']);

/** Empty where there is none. What only the debug information had, the rule for unused IR finds. */
export function dropDebugInfo(snapshot: Snapshot): TextEdit[] {
  const { text, irSymbols } = snapshot;
  const gone: { start: number; end: number }[] = [];
  const inside = (from: number, to: number, pattern: RegExp): void => {
    for (const { index, 0: found } of text.slice(from, to).matchAll(pattern))
      gone.push({ start: from + index, end: from + index + found.length });
  };
  const line = (start: number, end: number): void => {
    gone.push({ start: text.lineStart(text.lineAt(start)), end: text.lineStart(text.lineAt(end) + 1) });
  };
  for (const view of snapshot.functions) {
    const { fn, start, document } = view;
    const source = fn?.source;
    if (!fn || !source) continue;
    for (let i = 0; i < fn.nInstrs; i++) {
      const range = source.instrRange(i);
      const name = fn.tables.opcodeName(fn.opcode[i]!);
      if (/^DBG_/.test(name)) line(start + range.start, start + range.end);
      else
        inside(
          start + source.opcodeRange(i).end,
          start + range.end,
          /,? *\bdebug-(?:location (?:![0-9]+|!DILocation\([^)]*\))|instr-number [0-9]+)/g,
        );
    }
    const { yaml, body } = document;
    if (yaml.size === 0 || yaml.kind(0) !== SyntaxKind.YamlMapping) continue;
    for (let p = yaml.firstChild(0); p !== NO_NODE; p = yaml.nextSibling(p, 0)) {
      const key = yaml.firstChild(p);
      const value = key === NO_NODE ? NO_NODE : yaml.nextSibling(key, p);
      if (value !== NO_NODE && HEADER_KEYS.has(text.slice(start + yaml.start(key), start + yaml.end(key))))
        line(start + yaml.start(key), start + Math.max(yaml.end(value), yaml.end(key)) - 1);
    }
    const headerEnd = start + (body?.start ?? document.length);
    inside(start, headerEnd, /,\s*debug-info-(?:variable|expression|location): '[^'\n]*'/g);
  }
  if (irSymbols !== null) {
    const d = snapshot.file.docStarts.findIndex((at) => at === irSymbols.start);
    const { irStart, irEnd } = snapshot.file.documents[d]!;
    const [from, to] = [irSymbols.start + irStart, irSymbols.start + irEnd];
    inside(from, to, /,? !dbg ![0-9]+/g);
    inside(from, to, /^[ \t]*(?:(?:tail )?call void @llvm\.dbg\.|#dbg_|!llvm\.dbg\.cu\b).*(?:\r?\n|$)/gm);
  }
  return merged(gone).map(({ start, end }) => ({ start, end, text: '' }));
}
