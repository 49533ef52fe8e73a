/**
 * Damage that aims at one reader each: bytes and characters that are none of MIR's, the structure of the YAML, the embedded IR, bodies. The
 * kinds of `damage.ts` hit whatever stands there, which is mostly the longest part of a file.
 */
import { damage, DAMAGE_KINDS, type DamageKind } from './damage.js';
import type { Random } from './damageInputs.js';

export const SYNTAX_DAMAGE_KINDS = [
  'strange character',
  'indent line',
  'join lines',
  'quote value',
  'replace value',
  'break scalar',
  'block header',
  'node property',
  'flow collection',
  'comment',
  'document marker',
  'directive',
  'duplicate key',
  'unknown key',
  'rename key',
  'colon',
  'tokens of IR',
  'word into IR',
  'nested IR',
  'tokens of a body',
  'word into a body',
  'letter',
] as const;
export type SyntaxDamageKind = (typeof SYNTAX_DAMAGE_KINDS)[number];

const STRANGE = [
  '\0',
  '\x01',
  '\x04',
  '\t',
  '\v',
  '\f',
  '\r',
  '\r\n',
  '\n\r',
  '\x1b',
  '\x7f',
  '\x80',
  '\x85',
  '\xa0',
  '\xe9',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ufffd',
  '\ufffe',
  '\uffff',
  '\u{1f600}',
  '\u{10ffff}',
];

/** Bytes that are no UTF-8: strays, cut sequences, overlong ones, surrogates, beyond the last character. */
const INVALID_BYTES: readonly (readonly number[])[] = [
  [0xe9],
  [0x80],
  [0xff],
  [0xfe],
  [0xc3],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x98],
  [0xc0, 0x80],
  [0xe0, 0x80, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
];

const SCALARS = [
  '',
  '~',
  'null',
  'true',
  'false',
  'yes',
  'n',
  '0',
  '-1',
  '1',
  '007',
  '08',
  '0x10',
  '0xZ',
  '0b11',
  '0o17',
  '1.5',
  '4294967296',
  '18446744073709551616',
  "''",
  '""',
  "'a b'",
  '"a\\n"',
  '"\\q"',
  '"\\x41"',
  "'it''s'",
  'a b',
  'a #b',
  'a: b',
  '[]',
  '[ ]',
  '{}',
  '{ a: b }',
  '[ a, b ]',
  '- a',
  '*a',
  '&a b',
  '!t b',
  '|',
  '>',
  "'$vgpr0'",
  "'%0'",
  "''''",
  'vgpr_32',
  "'!0'",
  '@f',
  '`x`',
  '%x',
  '? a',
  ', ',
  'variable-sized',
  'default',
];

const IR_WORDS = [
  'align 4',
  'align 3',
  'nonnull',
  'noalias',
  'nocapture',
  'byval(i32)',
  'sret(ptr)',
  'nounwind',
  'readnone',
  'memory(none)',
  'memory(read, argmem: write)',
  'inreg',
  'zeroext',
  'dereferenceable(8)',
  'range(i32 0, 10)',
  'nofpclass(nan)',
  'captures(none)',
  'alignstack(8)',
  'vscale_range(1,2)',
  'allocsize(0)',
  'section "x"',
  'gc "x"',
  'prefix i32 0',
  'comdat',
  'dso_local',
  'hidden',
  'weak',
  'external',
  'private',
  'internal',
  'thread_local',
  'unnamed_addr',
  'addrspace(1)',
  'addrspace(5)',
  'amdgpu_kernel',
  'fastcc',
  'cc 7',
  'volatile',
  'nuw',
  'nsw',
  'exact',
  'inbounds',
  'fast',
  'nnan',
  'disjoint',
  'samesign',
  'tail',
  'musttail',
  'notail',
  'atomic',
  'syncscope("agent")',
  'syncscope("x")',
  'monotonic',
  'seq_cst',
  'undef',
  'poison',
  'null',
  'zeroinitializer',
  'none',
  'true',
  'void',
  'label',
  'metadata',
  'token',
  'ptr',
  'i32',
  'i1',
  'i0',
  'i8388608',
  'float',
  'half',
  'x86_fp80',
  '<4 x i32>',
  '<0 x i32>',
  '[4 x i32]',
  '{ i32, i32 }',
  '{}',
  '%t',
  '@f',
  '@0',
  '%0',
  '!0',
  '!{}',
  '#0',
  '!dbg !0',
  '!tbaa !0',
  '1.0',
  '0x7FC0',
  '0xH3C00',
  '1e400',
  '-1',
  '99999999999',
  '"\\00"',
  'c"a\\00"',
  '...',
  '=',
  ',',
  'x',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  '*',
  ';',
  '/*',
  'ret void',
  'unreachable',
  'br label %0',
  'define void @zz() { ret void }',
  'declare void @zz()',
  '@zz = global i32 0',
  'target triple = "amdgcn"',
  'source_filename = "x"',
  'module asm "x"',
  '!zz = !{}',
  'attributes #0 = { "a"="b" nounwind }',
];

const BODY_WORDS = [
  'killed',
  'dead',
  'undef',
  'renamable',
  'implicit',
  'implicit-def',
  'implicit $exec',
  'def',
  'early-clobber',
  'internal',
  'debug-use',
  'tied-def 0',
  '(tied-def 0)',
  '$vgpr0',
  '$sgpr0_sgpr1',
  '$noreg',
  '$',
  '$x',
  '$%',
  '%',
  '%0',
  '%99',
  '%x',
  '%0.sub0',
  '%0:vgpr_32',
  '%0:_(s32)',
  '%0(s32)',
  '%bb.0',
  '%bb.9',
  '%stack.0',
  '%fixed-stack.0',
  '%const.0',
  '%jump-table.0',
  '%ir.x',
  '%ir-block.0',
  '%subreg.sub0',
  '@f',
  '@0',
  '&x',
  '&"x y"',
  '0',
  '-1',
  '0x10',
  'i32 5',
  'i1 true',
  'float 1.0',
  'half 0xH3C00',
  '1.0',
  '!0',
  '!{}',
  '!"x"',
  '!DIExpression()',
  '!DILocation(line: 1, scope: !0)',
  'debug-location !0',
  'pre-instr-symbol <mcsymbol x>',
  'heap-alloc-marker !0',
  'intrinsic(@llvm.trap)',
  'intpred(eq)',
  'shufflemask(0, undef)',
  'lanemask(0x1)',
  'target-flags(amdgpu-gotprel)',
  'target-index(amdgpu-constdata-start)',
  'liveout($vgpr0)',
  'CustomRegMask($vgpr0)',
  'csr_amdgpu',
  'blockaddress(@f, %ir-block.0)',
  ':: (load (s32))',
  ':: (store (s32) into %ir.x, align 4)',
  ':: (load (s32) from `ptr poison`)',
  ':: (volatile load (<2 x s16>) from unknown-address + 4, addrspace 1)',
  'bb.9:',
  'bb.0 (align 4):',
  'successors: %bb.0',
  'liveins: $vgpr0',
  'liveins:',
  '{',
  '}',
  '=',
  ',',
  '::',
  ':',
  '(',
  ')',
  '<',
  '>',
  '"',
  "'",
  '`',
  ';',
  '//',
  '/*',
  '*/',
  '|',
  '.',
  '_',
  'nuw',
  'frame-setup',
  'S_ENDPGM 0',
  'COPY',
  'PHI',
];

const TOKEN = /[%$@!#&]?[\w.-]+|"[^"\n]*"|[^\s\w]/g;

interface Range {
  readonly start: number;
  readonly end: number;
}

const splice = (text: string, start: number, end: number, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

function lineAround(text: string, p: number): Range {
  const start = text.lastIndexOf('\n', p - 1) + 1;
  const end = text.indexOf('\n', p);
  return { start, end: end < 0 ? text.length : end };
}

/** Ranges of the file's parts: embedded IR, headers (the YAML of functions), bodies. */
function parts(text: string): { readonly ir: Range[]; readonly header: Range[]; readonly body: Range[] } {
  const ir: Range[] = [];
  const header: Range[] = [];
  const body: Range[] = [];
  const marker = /^---(.*)$/gm;
  for (let m = marker.exec(text); m !== null; m = marker.exec(text)) {
    const start = m.index + m[0].length;
    const close = text.slice(start).search(/^(?:\.\.\.|---)/m);
    const end = close < 0 ? text.length : start + close;
    if (m[1].includes('|')) {
      ir.push({ start, end });
      continue;
    }
    const at = text.slice(start, end).search(/^body:/m);
    header.push({ start, end: at < 0 ? end : start + at });
    if (at >= 0) body.push({ start: start + at, end });
  }
  return { ir, header, body };
}

function tokensIn(text: string, { start, end }: Range): Range[] {
  const res: Range[] = [];
  TOKEN.lastIndex = start;
  for (let m = TOKEN.exec(text); m !== null && m.index < end; m = TOKEN.exec(text))
    res.push({ start: m.index, end: m.index + m[0].length });
  return res;
}

/** One token deleted, doubled, swapped with a near one, replaced by another, or put somewhere else. */
function damageTokens(text: string, range: Range, random: Random): string {
  const tokens = tokensIn(text, range);
  if (tokens.length < 2) return text;
  const i = random.below(tokens.length);
  const near = Math.min(tokens.length - 1, i + 1 + random.below(4));
  const [a, b] = [tokens[i], tokens[near]];
  const [first, second] = [text.slice(a.start, a.end), text.slice(b.start, b.end)];
  switch (random.below(6)) {
    case 0:
      return splice(text, a.start, a.end, '');
    case 1:
      return splice(text, a.end, a.end, random.pick(['', ' ', ', ']) + first);
    case 2:
      return i === near ? text : splice(splice(text, b.start, b.end, first), a.start, a.end, second);
    case 3:
    case 4: {
      const other = random.pick(tokens);
      return splice(text, a.start, a.end, text.slice(other.start, other.end));
    }
    default:
      return splice(text, b.end, b.end, ` ${first}`);
  }
}

/** A line `key: value` of a header. */
function someEntry(text: string, random: Random): { key: Range; value: Range; line: Range } | null {
  const { header, body } = parts(text);
  const ranges = [...header, ...body.map((b) => ({ start: b.start, end: b.start + 6 }))].filter((r) => r.end > r.start);
  if (ranges.length === 0) return null;
  const range = random.pick(ranges);
  const entry = /^([ -]*(?:\{ )?)([\w.-]+):([ \t]*)(.*)$/gm;
  const found: { key: Range; value: Range; line: Range }[] = [];
  entry.lastIndex = lineAround(text, range.start).start;
  for (let m = entry.exec(text); m !== null && m.index < range.end; m = entry.exec(text)) {
    const key = m.index + m[1].length;
    const value = key + m[2].length + 1 + m[3].length;
    const line = { start: m.index, end: m.index + m[0].length };
    found.push({ key: { start: key, end: key + m[2].length }, value: { start: value, end: line.end }, line });
    // Entries of a flow mapping in the line.
    const flow = /([\w-]+): ('[^']*'|[\w-]+)/g;
    flow.lastIndex = value;
    for (let f = flow.exec(text); f !== null && f.index < line.end; f = flow.exec(text)) {
      const end = f.index + f[0].length;
      const at = { start: f.index, end: f.index + f[1].length };
      found.push({ key: at, value: { start: end - f[2].length, end }, line });
    }
  }
  return found.length === 0 ? null : random.pick(found);
}

function nestedIR(random: Random): string {
  const n = random.chance(80) ? 1 + random.below(20) : 300;
  const wrap = (open: string, inner: string, close: string): string => open.repeat(n) + inner + close.repeat(n);
  switch (random.below(8)) {
    case 0:
      return `\n  !77 = ${wrap('!{', '', '}')}\n`;
    case 1:
      return `\n  @nest = global ${wrap('[1 x ', 'i32', ']')} zeroinitializer\n`;
    case 2:
      return `\n  @nest = global ${wrap('{ ', 'i32', ' }')} ${random.chance(50) ? 'undef' : '{ i32 0 }'}\n`;
    case 3:
      return `\n  declare void @nest(${wrap('<{ ', 'i8', ' }>')})\n`;
    case 4:
      return `\n  %nest = type ${wrap('[2 x ', '{ i8, float }', ']')}\n`;
    case 5:
      return `\n  @nest = global ptr ${wrap('getelementptr (i8, ptr ', '@nest', ', i32 0)')}\n`;
    case 6:
      return `\n  !78 = !DILocation(line: 1, scope: ${wrap('!DILocation(line: 1, scope: ', '!0', ')')})\n`;
    default:
      return `\n  @nest = global i64 ${wrap('ptrtoint (ptr inttoptr (i64 ', '0', ' to ptr) to i64)')}\n`;
  }
}

/** The text with damage of a kind; the same text where there is nothing to damage. */
function damageSyntax(text: string, kind: SyntaxDamageKind, random: Random): string {
  const at = random.below(text.length + 1);
  switch (kind) {
    case 'strange character':
      return splice(text, at, at + random.below(2), random.pick(STRANGE).repeat(random.chance(90) ? 1 : 3));
    case 'indent line': {
      const { start } = lineAround(text, at);
      if (random.chance(40)) return splice(text, start, start + 1 + random.below(4), '');
      return splice(text, start, start, random.pick([' ', '  ', '    ', '\t', '- ', '      ']));
    }
    case 'join lines': {
      const { end } = lineAround(text, at);
      return splice(text, end, Math.min(text.length, end + 1), random.pick(['', ' ', '  ', '\n\n']));
    }
    case 'quote value': {
      const e = someEntry(text, random);
      if (e === null) return text;
      const quote = random.pick(["'", '"']);
      const from = random.chance(20) ? e.key : e.value;
      const value = text.slice(from.start, from.end);
      if (random.chance(25)) return splice(text, from.start, from.end, quote + value);
      if (random.chance(20)) return splice(text, from.start, from.end, value + quote);
      if (/^['"]/.test(value))
        return splice(text, from.start, from.end, value.slice(1, random.chance(50) ? -1 : undefined));
      return splice(text, from.start, from.end, quote + value + quote);
    }
    case 'replace value': {
      const e = someEntry(text, random);
      return e === null ? text : splice(text, e.value.start, e.value.end, random.pick(SCALARS));
    }
    case 'break scalar': {
      const e = someEntry(text, random);
      if (e === null) return text;
      const p = e.value.start + random.below(e.value.end - e.value.start + 1);
      return splice(text, p, p, random.pick(['\n', '\n  ', '\n    ', '\n\n  ', '\n\t', ' \n   # c\n  ', '\r', '\\\n']));
    }
    case 'block header': {
      const headers = [...text.matchAll(/[|>][-+\d]*(?=[ \t]*(?:#.*)?$)/gm)];
      const by = random.pick([
        '|',
        '>',
        '|+',
        '|-',
        '>-',
        '>+',
        '|2',
        '|1',
        '|9',
        '|+2',
        '|2-',
        '|0',
        '| #c',
        '|x',
        '||',
        '',
      ]);
      if (headers.length === 0) return splice(text, at, at, by);
      const h = random.pick(headers);
      return splice(
        text,
        h.index,
        h.index + h[0].length,
        by + random.pick(['', '', ' ', ' x', '\n', '\n\n', '\n      \n']),
      );
    }
    case 'node property': {
      const e = someEntry(text, random);
      const property = random.pick([
        '&a ',
        '*a ',
        '!t ',
        '!!str ',
        '!<x> ',
        '!<x',
        '& ',
        '* ',
        '&a &b ',
        '!a !b ',
        '*a',
        '? ',
        '- ',
        '&a\n  ',
      ]);
      const p = e === null ? at : random.chance(30) ? e.key.start : e.value.start;
      return splice(text, p, p, property);
    }
    case 'flow collection': {
      const e = someEntry(text, random);
      const piece = random.pick([
        '{',
        '}',
        '[',
        ']',
        ',',
        '{ ',
        ' }',
        '[ ',
        ' ]',
        ', ',
        '{ a: 1 }',
        '[ 1 ]',
        '{ a }',
        '{ : }',
        '[ a: b ]',
        '{,}',
        '[,]',
      ]);
      if (e === null) return splice(text, at, at, piece);
      const p = e.value.start + random.below(e.value.end - e.value.start + 1);
      return splice(text, p, Math.min(e.value.end, p + random.below(2)), piece);
    }
    case 'comment': {
      const piece = random.pick(['#', ' #', '# c\n', ' # c: d', '#\n', '\n# c\n', '\n  # c\n', ';', ' ; c']);
      return splice(text, at, at, piece);
    }
    case 'document marker': {
      const { start } = lineAround(text, at);
      const by = random.pick([
        '---\n',
        '...\n',
        '--- |\n',
        '--- x\n',
        '---',
        '...',
        '....\n',
        '----\n',
        '--- {}\n',
        '--- # c\n',
        ' ---\n',
        '---\t\n',
        '--- >\n',
        '---\n---\n',
        '...\n...\n',
      ]);
      if (random.chance(70)) return splice(text, start, start, by);
      const markers = [...text.matchAll(/^(?:---|\.\.\.).*\n?/gm)];
      if (markers.length === 0) return text;
      const m = random.pick(markers);
      return splice(text, m.index, m.index + m[0].length, random.chance(50) ? '' : by);
    }
    case 'directive': {
      const { start } = lineAround(text, random.chance(50) ? 0 : at);
      return splice(
        text,
        start,
        start,
        random.pick(['%YAML 1.2\n', '%TAG ! x\n', '%x\n', '%\n', '%YAML\n', '%YAML 1.2\n---\n', '%YAML 1.2 y\n']),
      );
    }
    case 'duplicate key': {
      const e = someEntry(text, random);
      if (e === null) return text;
      const other = random.chance(50) ? e : someEntry(text, random);
      return splice(
        text,
        e.line.start,
        e.line.start,
        `${text.slice((other ?? e).line.start, (other ?? e).line.end)}\n`,
      );
    }
    case 'unknown key': {
      const e = someEntry(text, random);
      if (e === null) return text;
      if (random.chance(30)) {
        const once = damageSyntax(text, 'rename key', random);
        return damageSyntax(once, 'rename key', random);
      }
      const before = text.slice(e.line.start, e.key.start).replace(/-/g, ' ');
      const flow = text.slice(e.line.start, e.key.start).includes('{');
      const added = `${random.pick(['frob', 'x y', "'q'", '"q"', 'names', ''])}: ${random.pick(SCALARS)}`;
      return flow
        ? splice(text, e.key.start, e.key.start, `${added}, `)
        : splice(text, e.line.start, e.line.start, `${before}${added}\n`);
    }
    case 'rename key': {
      const e = someEntry(text, random);
      const f = someEntry(text, random);
      if (e === null || f === null) return text;
      return splice(
        text,
        e.key.start,
        e.key.end,
        random.chance(60) ? text.slice(f.key.start, f.key.end) : random.pick(SCALARS),
      );
    }
    case 'colon': {
      const e = someEntry(text, random);
      if (e === null) return text;
      return splice(
        text,
        e.key.end,
        e.value.start,
        random.pick(['', ':', ' : ', ': : ', '::', ' ', ':\n', ':\n  ', ':\t', ': \n\n      ']),
      );
    }
    case 'tokens of IR':
    case 'word into IR':
    case 'nested IR': {
      const { ir } = parts(text);
      if (ir.length === 0) return damageSyntax(text, 'tokens of a body', random);
      const range = random.pick(ir);
      if (kind === 'tokens of IR') return damageTokens(text, range, random);
      const token = random.pick(tokensIn(text, range).concat({ start: range.end, end: range.end }));
      if (kind === 'word into IR') {
        const p = random.chance(60) ? token.end : token.start;
        const word = random.pick(IR_WORDS);
        return random.chance(30) ? splice(text, token.start, token.end, word) : splice(text, p, p, ` ${word} `);
      }
      const line = lineAround(text, token.start).start;
      return splice(text, line, line, nestedIR(random));
    }
    case 'tokens of a body':
    case 'word into a body': {
      const { body } = parts(text);
      if (body.length === 0) return text;
      const range = random.pick(body);
      if (kind === 'tokens of a body') return damageTokens(text, range, random);
      const tokens = tokensIn(text, range);
      if (tokens.length === 0) return text;
      const token = random.pick(tokens);
      const p = random.chance(60) ? token.end : token.start;
      const word = random.pick(BODY_WORDS);
      return random.chance(40)
        ? splice(text, token.start, token.end, word)
        : splice(text, p, p, random.pick([` ${word}`, `${word} `, `, ${word}`]));
    }
    case 'letter': {
      const c = String.fromCharCode(32 + random.below(95));
      return splice(text, at, at + random.below(2), random.chance(30) ? '' : c);
    }
  }
}

/** A damaged file, and what was done to it. */
export interface DamagedFile {
  readonly bytes: Buffer;
  readonly kinds: readonly string[];
}

/** Damages a text a few times; in one file of `1 / invalidOneIn` bytes that are no UTF-8 come on top. */
export function damageFile(text: string, donor: string, random: Random, invalidOneIn = 25): DamagedFile {
  const kinds: string[] = [];
  const all: readonly (SyntaxDamageKind | DamageKind)[] = [
    ...SYNTAX_DAMAGE_KINDS,
    ...SYNTAX_DAMAGE_KINDS,
    ...DAMAGE_KINDS,
  ];
  for (let n = random.chance(75) ? 1 : 2 + random.below(2); n > 0; n--) {
    const kind = random.pick(all);
    kinds.push(kind);
    const isSyntax = (SYNTAX_DAMAGE_KINDS as readonly string[]).includes(kind);
    text = isSyntax
      ? damageSyntax(text, kind as SyntaxDamageKind, random)
      : damage(text, kind as DamageKind, donor, random);
  }
  let bytes = Buffer.from(text, 'utf8');
  if (random.below(invalidOneIn) === 0) {
    const at = random.below(bytes.length + 1);
    kinds.push('invalid UTF-8');
    bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(INVALID_BYTES)), bytes.subarray(at)]);
  }
  return { bytes, kinds };
}
