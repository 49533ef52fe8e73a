/**
 * References written as YAML strings in header keys: registers, blocks, stack objects (`MIParser::parseStandalone...`,
 * LLVM 22). Each function answers the reference, or the message and the offset within the string that llc reports.
 */

export interface MiError {
  readonly message: string;
  /** offset within the string */
  readonly at: number;
}

export type MiResult<T> = { readonly value: T } | { readonly error: MiError };

const NAME = /[A-Za-z0-9_$-]+/y;
const fail = (message: string, at: number): { error: MiError } => ({ error: { message, at } });

const BLANKS = /[ \t]*(?:\/\*[^]*?\*\/[ \t]*)?/y;

/** After blanks and an operand comment. */
function skipBlanks(text: string, from: number): number {
  BLANKS.lastIndex = from;
  BLANKS.test(text);
  return BLANKS.lastIndex;
}

function nameAt(text: string, at: number): string {
  NAME.lastIndex = at;
  const m = NAME.exec(text);
  return m === null ? '' : m[0];
}

/** End of the string, after blanks and comments. */
function checkEnd(text: string, from: number, what: string): { error: MiError } | null {
  const p = skipBlanks(text, from);
  // After an operand comment LLVM misses the end.
  const isEnd = p === text.length && !text.slice(from, p).includes('*/');
  return isEnd || text[p] === ';' ? null : fail(`expected end of string after the ${what}`, p);
}

/** `$name`: the register number by `regByName` (-1 = unknown). */
export function parseNamedRegister(text: string, regByName: (name: string) => number): MiResult<number> {
  const p = skipBlanks(text, 0);
  if (text[p] !== '$' && !/^_(?![A-Za-z0-9_.$-])/.test(text.slice(p))) return fail('expected a named register', p);
  if (text[p] === '_') return fail('expected a named register', p);
  const name = nameAt(text, p + 1);
  const reg = name === 'noreg' || name === '' ? 0 : regByName(name);
  if (reg < 0) return fail(`unknown register name '${name}'`, p);
  return checkEnd(text, p + 1 + name.length, 'register reference') ?? { value: reg };
}

/** `%5` at `p`; named registers are not allowed in headers. */
function virtualAt(text: string, p: number): { number: number; end: number } | null {
  const m = /^%([0-9]+)(?![A-Za-z_$-])/.exec(text.slice(p, p + 32));
  return m === null ? null : { number: Number(m[1]), end: p + m[0].length };
}

/** `%5`: its number. */
export function parseVirtualRegister(text: string): MiResult<number> {
  const p = skipBlanks(text, 0);
  const v = virtualAt(text, p);
  if (v === null) return fail('expected a virtual register', p);
  return checkEnd(text, v.end, 'register reference') ?? { value: v.number };
}

/** `$name` or `%5`. */
export function parseRegister(
  text: string,
  regByName: (name: string) => number,
): MiResult<{ readonly physical: number } | { readonly virtual: number }> {
  const p = skipBlanks(text, 0);
  if (text[p] === '$') {
    const r = parseNamedRegister(text, regByName);
    return 'value' in r ? { value: { physical: r.value } } : r;
  }
  const v = virtualAt(text, p);
  if (v === null) return fail('expected either a named or virtual register', p);
  return checkEnd(text, v.end, 'register reference') ?? { value: { virtual: v.number } };
}

export interface NumberedRef {
  readonly number: number;
  /** what stands after `.`, null if nothing does */
  readonly name: string | null;
}

/** `%bb.N[.name]` */
export function parseBlockRef(text: string): MiResult<NumberedRef> {
  const p = skipBlanks(text, 0);
  const m = /^%bb\.([0-9]+)(?:\.([A-Za-z0-9_.$-]+))?/.exec(text.slice(p));
  if (m === null) return fail('expected a machine basic block reference', p);
  const value = { number: Number(m[1]), name: m[2] ?? null };
  return checkEnd(text, p + m[0].length, 'machine basic block reference') ?? { value };
}

/** `%stack.N[.name]` */
export function parseStackObjectRef(text: string): MiResult<NumberedRef> {
  const p = skipBlanks(text, 0);
  const m = /^%stack\.([0-9]+)(?:\.([A-Za-z0-9_.$-]+))?/.exec(text.slice(p));
  if (m === null) return fail('expected a stack object', p);
  const value = { number: Number(m[1]), name: m[2] ?? null };
  return checkEnd(text, p + m[0].length, 'stack object reference') ?? { value };
}

/** A metadata node: `!5`, or the text of an inline `!DIExpression(...)` or `!DILocation(...)`. */
export type MetadataRef = { readonly number: number } | { readonly text: string };

export function parseMetadataRef(text: string): MiResult<MetadataRef> {
  const p = skipBlanks(text, 0);
  const m = /^!\s*([0-9]+)/.exec(text.slice(p));
  if (m !== null) return checkEnd(text, p + m[0].length, 'metadata node') ?? { value: { number: Number(m[1]) } };
  if (/^!DI(?:Expression|Location)\(/.test(text.slice(p))) return { value: { text: text.slice(p) } };
  return fail('expected a metadata node', p);
}
