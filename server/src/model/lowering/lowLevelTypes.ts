/** What each release says of low-level types: `i32`, `f32` and `bf16` are of LLVM 24, which has its own words for those that neither reads. */
import { LLTFlag, type Node, type Tree } from '../../syntax/tree.js';

const ANY = 'expected sN, pA, <M x sN>, <M x pA>, <vscale x M x sN>, or <vscale x M x pA> for GlobalISel type';
const VECTOR = 'expected <M x sN> or <M x pA> for vector type';
const SCALABLE = 'expected <vscale x M x sN> or <vscale M x pA> for vector type';
const ON_USE = "expected tied-def or low-level type after '('";
const DIGITS = "expected integers after 's'/'i'/'f'/'bf'/'p' type identifier";
const LETTERS = "where t = {'s', 'i', 'f', 'bf', 'p'}";

/** LLVM 24's words for LLVM 22's. */
const WORDS_OF_24: ReadonlyMap<string, string> = new Map([
  ["expected integers after 's'/'p' type character", DIGITS],
  [
    ANY,
    "expected tN, pA, <M x tN>, <M x pA>, <vscale x M x tN>, or <vscale x M x pA> for GlobalISel type, where t = {'s', 'i', 'f', 'bf'}",
  ],
  ['expected <vscale x M x sN> or <vscale x M x pA>', `expected <vscale x M x tN>, ${LETTERS}`],
  [SCALABLE, `expected <vscale x M x tN> for vector type, ${LETTERS}`],
  [VECTOR, `expected <M x tN> for vector type, ${LETTERS}`],
]);

const NEWER = LLTFlag.Integer | LLTFlag.Float | LLTFlag.BFloat;
const SCALAR_WORD = /^(i|f|bf)([^\s(),:<>]*)/;
const ELEMENT_WORD = /^(<(?:vscale *x *)? *[0-9]+ *x *)(i|f|bf)([^\s(),:<>]*)/;

export interface ErrorOf24 {
  readonly message: string;
  /** where llc says it, from where LLVM 22 does */
  readonly offset: number;
}

/** A syntax error in LLVM 24's words; `text` begins where LLVM 22 complains. */
export function errorOf24(message: string, text: string): ErrorOf24 {
  if (message === ANY) {
    if (text.startsWith('tied-def')) return { message: 'tied-def not supported for defs', offset: 0 };
    const word = SCALAR_WORD.exec(text);
    if (word !== null) return { message: scalarProblem(word[1], word[2]), offset: 0 };
  } else if (message === VECTOR || message === SCALABLE) {
    const word = ELEMENT_WORD.exec(text);
    const problem = word === null ? null : elementProblem(word[2], word[3]);
    if (problem !== null) return { message: problem, offset: word![1].length };
  }
  return { message: WORDS_OF_24.get(message) ?? message, offset: 0 };
}

const isNumber = (digits: string): boolean => /^[0-9]+$/.test(digits);
const isSize = (digits: string): boolean => Number(digits) > 0 && Number(digits) <= 65535;

function scalarProblem(letter: string, digits: string): string {
  if (!isNumber(digits)) return DIGITS;
  return letter === 'bf' && isSize(digits) ? 'invalid size for bfloat' : 'invalid size for scalar type';
}

/** Null: what is wrong stands behind the element. */
function elementProblem(letter: string, digits: string): string | null {
  if (!isNumber(digits)) return DIGITS;
  if (isSize(digits)) return null;
  const what = letter === 'i' ? 'scalar' : letter === 'f' ? 'float' : 'bfloat';
  return `invalid size for ${what} element in vector`;
}

/**
 * What LLVM 22 says of a type of LLVM 24, and where; null: it reads it. `text`: of the node; `isUse`: of an operand that is read, where LLVM has one
 * complaint for all.
 */
export function complaintOf22(
  tree: Tree,
  n: Node,
  text: string,
  isUse: boolean,
): { readonly message: string; readonly llcOffset: number } | null {
  const flags = tree.flags(n);
  if ((flags & NEWER) === 0) return null;
  const start = tree.start(n);
  if (isUse) return { message: ON_USE, llcOffset: start + text.search(/[^\s<>]+\s*>?$/) };
  const ofVector = (flags & LLTFlag.Scalable) !== 0 ? SCALABLE : VECTOR;
  return { message: (flags & LLTFlag.Vector) !== 0 ? ofVector : ANY, llcOffset: start };
}
