/** Lines of a machine dump cut into parts: outside of quotes and parentheses. */

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '<': '>', '{': '}' };
const QUOTED = /"(?:[^"\\]|\\.)*"?|`[^`]*`?/g;

/** Where `wanted` first stands outside of quotes and brackets; -1 if nowhere. O(text) */
export function indexOutside(text: string, wanted: string, from = 0): number {
  const open: string[] = [];
  for (let p = from; p < text.length; p++) {
    if (open.length === 0 && text.startsWith(wanted, p)) return p;
    const c = text[p]!;
    if (c === '"' || c === '`') {
      QUOTED.lastIndex = p;
      p = p + (QUOTED.exec(text)?.[0].length ?? 1) - 1;
    } else if (c in CLOSING && !(c === '<' && text[p - 1] === ' ' && text[p + 1] === ' ')) open.push(CLOSING[c]!);
    else if (c === open.at(-1)) open.pop();
  }
  return -1;
}

/** Parts between commas outside of quotes and brackets, trimmed. */
export function splitOutside(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from <= text.length;) {
    const comma = indexOutside(text, ',', from);
    const end = comma < 0 ? text.length : comma;
    const part = text.slice(from, end).trim();
    if (part !== '' || comma >= 0) parts.push(part);
    from = end + 1;
  }
  return parts;
}

/** `text` with `change` made to what stands outside of quotes. */
export function mapOutsideQuotes(text: string, change: (part: string) => string): string {
  if (!text.includes('"') && !text.includes('`')) return change(text);
  let out = '';
  let from = 0;
  for (const found of text.matchAll(QUOTED)) {
    out += change(text.slice(from, found.index)) + found[0];
    from = found.index + found[0].length;
  }
  return out + change(text.slice(from));
}

/** The parts of an instruction's line. */
export interface InstrText {
  /** registers and their flags on the left of `=`, empty if there are none */
  readonly defs: string;
  readonly opcode: string;
  /** flags and opcode as they stand */
  readonly head: string;
  /** operands, with what the instruction has besides (`debug-location !5`) */
  readonly operands: string;
  /** memory operands, from ` :: ` on */
  readonly memory: string;
  /** the place in the source, ` line no:` of a debug variable with it */
  readonly comment: string;
  /** what follows it: ` {` of a bundle */
  readonly tail: string;
}

const HEAD = /^((?:[a-z][\w-]*(?:\([^)]*\))? )*)([A-Z]\w*)(?= |$|,)/;

/** Null: no instruction. `line`: trimmed. */
export function instrText(line: string): InstrText | null {
  const tail = line.endsWith(' {') ? ' {' : '';
  const text = line.slice(0, line.length - tail.length);
  const semicolon = text.includes(';') ? indexOutside(text, ';') : -1;
  const comment = semicolon < 0 ? '' : text.slice(semicolon + 1).trim();
  const rest = (semicolon < 0 ? text : text.slice(0, semicolon)).trimEnd();
  const equals = rest.indexOf(' = ');
  const left = equals < 0 ? '' : rest.slice(0, equals);
  const defs = /^(?:[a-z-]+ )*[%$]/.test(left) && !/["`]|::/.test(left) ? left : '';
  const right = defs === '' ? rest : rest.slice(equals + 3);
  const found = HEAD.exec(right);
  if (found === null) return null;
  const head = found[0];
  const colons = right.includes(' :: ') ? indexOutside(right, ' :: ') : -1;
  const operands = right.slice(head.length, colons < 0 ? undefined : colons);
  return { defs, opcode: found[2]!, head, operands, memory: colons < 0 ? '' : right.slice(colons), comment, tail };
}
