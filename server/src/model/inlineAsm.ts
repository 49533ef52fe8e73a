/** The numbers among the operands of INLINEASM in words (InlineAsm::ExtraInfo and InlineAsm::Flag): what it does besides, and what a group of operands is. */
import type { TargetTables } from '../target/index.js';

/** Bits of the second operand, in printing order. */
const EXTRA_WORDS: readonly (readonly [number, string])[] = [
  [1, 'sideeffect'],
  [8, 'mayload'],
  [16, 'maystore'],
  [32, 'isconvergent'],
  [2, 'alignstack'],
  [64, 'unwind'],
];
const INTEL_DIALECT = 4;
const enum AsmKind {
  RegUse = 1,
  RegDefEarlyClobber = 3,
  Clobber = 4,
  Imm = 5,
  Mem = 6,
}
const KINDS = ['', 'reguse', 'regdef', 'regdef-ec', 'clobber', 'imm', 'mem', 'mem'];
/** in a group's number */
const ONE_OPERAND = 1 << 3;
/** InlineAsm::ConstraintCode */
const MEM_CONSTRAINTS = 'unknown es i k m o v A Q R S T Um Un Uq Us Ut Uv Uy X Z ZB ZC Zy p ZQ ZR ZS ZT'.split(' ');

/** The words of the second operand. `namesIntel`: the dialect is named when it is Intel's, too. */
export function extraWords(extra: number, namesIntel: boolean): string[] {
  const words = EXTRA_WORDS.filter(([bit]) => extra & bit).map(([, word]) => word);
  if (!(extra & INTEL_DIALECT)) words.push('attdialect');
  else if (namesIntel) words.push('inteldialect');
  return words;
}

/** `regdef:VGPR_32`, `reguse tiedto:$0`, `mem:m`, `imm`, `clobber` */
export function groupWords(flag: number, t: TargetTables): string {
  const kind = flag & 7;
  const isTied = flag >>> 31 === 1;
  const isReg = kind >= AsmKind.RegUse && kind <= AsmKind.RegDefEarlyClobber;
  let out = KINDS[kind];
  if (!isTied) {
    if (kind === AsmKind.Mem) out += `:${MEM_CONSTRAINTS[(flag >>> 16) & 0x7fff] ?? ''}`;
    else if (kind < AsmKind.Imm) {
      const rc = ((flag >>> 16) & 0x3fff) - 1;
      if (rc >= 0) out += `:${rc < t.nRegClasses ? t.regClassName(rc) : `RC${rc}`}`;
    }
  } else if (kind !== AsmKind.Clobber) out += ` tiedto:$${(flag >>> 16) & 0x7fff}`;
  if (isReg && !isTied && flag & (1 << 30)) out += ' foldable';
  return out;
}

/** The register class that a group of registers is constrained to, -1 if there is none. */
export function classOfGroup(flag: number): number {
  const kind = flag & 7;
  const isReg = kind >= AsmKind.RegUse && kind <= AsmKind.RegDefEarlyClobber;
  return isReg && flag >>> 31 === 0 ? ((flag >>> 16) & 0x3fff) - 1 : -1;
}

/** Operands that a group has, from its number. */
export const operandsOfGroup = (flag: number): number => (flag >>> 3) & 0x1fff;

/** A complaint of LLVM 24's about a word, and where in the text it stands. */
interface WordError {
  readonly message: string;
  readonly at: number;
}

/** `isExtra`: in the second operand. */
export const unknownAsmWord = (word: string, isExtra: boolean): string =>
  `unknown inline asm ${isExtra ? 'extra info flag' : 'operand kind'} '${word}'`;

/** The number that words mean: of the second operand, or of a group, which has one operand then, whatever follows. */
export function readAsmWords(text: string, t: TargetTables): number | WordError {
  const [first] = /^[\w-]+/.exec(text) ?? [''];
  return KINDS.includes(first) ? readGroup(text, t) : readExtra(text);
}

function readExtra(text: string): number | WordError {
  let bits = 0;
  for (const found of text.matchAll(/\S+/g)) {
    const [word] = found;
    const bit = EXTRA_WORDS.find(([, known]) => known === word)?.[0];
    if (bit !== undefined) bits |= bit;
    else if (word === 'inteldialect') bits |= INTEL_DIALECT;
    else if (word !== 'attdialect') return { message: unknownAsmWord(word, true), at: found.index };
  }
  return bits;
}

function readGroup(text: string, t: TargetTables): number | WordError {
  const found = /^([\w-]+)(\s*:\s*)?([\w.$-]*)/.exec(text)!;
  const kind = KINDS.indexOf(found[1]!);
  let flag = kind | ONE_OPERAND;
  let end = found[1]!.length;
  if (found[2] !== undefined) {
    const name = found[3]!;
    const at = end + found[2].length;
    if (name === '' || name.startsWith('$'))
      return { message: "expected register class or memory constraint name after ':'", at };
    if (kind === AsmKind.Mem) {
      const constraint = MEM_CONSTRAINTS.indexOf(name);
      if (constraint < 0) return { message: `unknown memory constraint '${name}'`, at };
      flag |= constraint << 16;
    } else {
      const rc = t.regClassByName(name.toLowerCase());
      if (rc < 0) return { message: `unknown register class '${name}'`, at };
      flag |= (rc + 1) << 16;
    }
    end = at + name.length;
  }
  const tied = /^\s+tiedto\s*:\s*\$(\d+)/.exec(text.slice(end));
  if (tied !== null) {
    flag = (kind | ONE_OPERAND | (Number(tied[1]) << 16) | (1 << 31)) >>> 0;
    end += tied[0].length;
  }
  const rest = text.slice(end).trim();
  if (rest !== '') return { message: "expected ',' before the next machine operand", at: text.indexOf(rest, end) };
  return flag | 0;
}
