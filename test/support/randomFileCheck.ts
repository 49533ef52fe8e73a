/** Random runs of FileCheck: an input, a check file made from it with damage, and options. */
import type { Random } from './damageInputs.js';

export interface FileCheckCase {
  readonly args: readonly string[];
  readonly check: string;
  readonly input: string;
  /** FILECHECK_OPTS */
  readonly opts: string;
}

const WORDS = [
  '%0',
  '%1',
  '%12',
  'vgpr_32',
  '=',
  'COPY',
  'V_ADD_U32',
  'killed',
  '$sgpr4',
  'bb.0',
  'a',
  'ab',
  'abc',
  'ba',
];
const NUMBERS = ['0', '1', '7', '10', '11', '42', '-3', '0x1f', '0xFF', 'ff', '007', '18446744073709551616'];
const MARKS = [
  ':',
  ', ',
  '(',
  ')',
  '[',
  ']',
  '|',
  '.',
  '*',
  '+',
  '\\',
  '^',
  '$',
  '"',
  "'",
  '{',
  '}',
  '\t',
  '  ',
  '\xe4',
];
const REGEXES = [
  '[0-9]+',
  '.*',
  '.+',
  '[a-z]+',
  '%[0-9]+',
  'a|b',
  '(a|ab)(c|bcd)?',
  '[[:alpha:]]*',
  '[^ ]+',
  '(a*)(b*)',
  '$',
  '^',
  'x?',
  '[A-Z_]+',
  '[0-9]{1,2}',
  '-?[0-9]+',
  '(%|\\$)[a-z0-9]+',
  '.*:',
  '[a-c]|[x-z]',
  '(ab|a)(b?)',
  ' +',
  '(a)\\1',
  'a.c',
  '(a|b)*',
  '(.|.a)*',
  '(%[0-9]+|[a-z]*)+',
  '[a-z0-9]*(b|c)',
  '(a?b?)*c?',
  '[^%]*',
  '(x|y|ab?c?)(c*)',
  '.?.?',
];
const WRONG_REGEXES = ['(', '[', '\\', '*', '', '\\1', 'a{2,1}', 'a{', '[z-a]', '[[:foo:]]', '(a))', 'a**', '^*'];
const NAMES = ['A', 'B', 'V', 'REG', '$G', 'A1', '_x'];
const FORMATS = ['', '', '%u,', '%d,', '%x,', '%X,', '%#x,', '%.3u,', '%.2x, ', '%#.4X,', '%d ,', '%.2d,'];
const WRONG_FORMATS = ['%', '%z,', '%.,', '%#u,', '%u x,', ',', '%#,', '%.5,', 'u,'];
const KINDS = [
  '',
  '',
  '',
  '',
  '-NEXT',
  '-NEXT',
  '-NEXT',
  '-SAME',
  '-SAME',
  '-NOT',
  '-NOT',
  '-DAG',
  '-DAG',
  '-DAG',
  '-LABEL',
  '-EMPTY',
  '-COUNT-2',
  '-COUNT-1',
  '-COUNT-3',
];
const ODD_KINDS = [
  '-NOT-DAG',
  '_NEXT',
  '-COUNT-0',
  '-COUNT-x',
  '-COUNT',
  '-NEX',
  '-DAG-NOT',
  '{LITERAL}',
  '-NEXT{LITERAL}',
  '-COUNT-2{LITERAL}',
  '{ LITERAL , LITERAL }',
  '{X}',
  '-NOT{LITERAL}',
  '_COUNT-2',
];
const OPERANDS = [
  '1',
  'A',
  'B',
  'V',
  '@LINE',
  '0x10',
  '-2',
  '(A+1)',
  'add(A,1)',
  'mul(B, 2)',
  'div(A,0)',
  'div(A,2)',
  'max(A,B)',
  'min(3, A)',
  '$G',
  '010',
  '0b1',
  '(1+2)',
];
const WRONG_OPERANDS = [
  'sub(1,A',
  'min(A)',
  'foo(1,2)',
  '1 2',
  '',
  '(1',
  '0x',
  '%',
  '@X',
  'A(1)',
  'add(,1)',
  'add(1,)',
  '1*2',
  '09',
  '0xg',
];
const FRAGMENTS = [
  '[[',
  ']]',
  '{{',
  '}}',
  '#',
  '[[#',
  ':',
  '[[A]]',
  '{{.*}}',
  ' ',
  '\t',
  '[[A:',
  ',',
  '@LINE',
  '[[@LINE]]',
  '[[@LINE+1]]',
  '[[@LINE-1 ]]',
  '\xc3\xa4',
  '|',
  '\\',
  '[[[',
  ']',
  '"',
];

/** One case; what it is made of depends on the random numbers alone. */
export function randomFileCheck(random: Random): FileCheckCase {
  const chance = (n: number): boolean => random.below(n) === 0;
  const word = (): string => {
    const kind = random.below(10);
    return kind < 6 ? random.pick(WORDS) : kind < 9 ? random.pick(NUMBERS) : random.pick(MARKS);
  };
  const line = (): string => {
    if (chance(6)) return chance(4) ? ' ' : '';
    const words = Array.from({ length: 1 + random.below(6) }, word);
    return (chance(5) ? '  ' : '') + words.join(chance(4) ? '' : ' ') + (chance(10) ? ' ' : '');
  };
  const lines = Array.from({ length: random.below(14) + (chance(20) ? 0 : 1) }, line);
  // Lines that come again make matches at wrong places.
  for (let k = random.below(3); k > 0; k--) lines.splice(random.below(lines.length + 1), 0, random.pick(lines) ?? '');
  const eol = chance(20) ? '\r\n' : '\n';
  const input = lines.join(eol) + (chance(6) ? '' : eol);

  const operand = (): string => random.pick(chance(20) ? WRONG_OPERANDS : OPERANDS);
  const regex = (): string => random.pick(chance(25) ? WRONG_REGEXES : REGEXES);
  const format = (): string => random.pick(chance(20) ? WRONG_FORMATS : FORMATS);
  const block = (text: string): string => {
    const name = random.pick(NAMES);
    switch (random.below(9)) {
      case 0:
        return `{{${regex()}}}`;
      case 1:
      case 2:
        return `[[${name}:${regex()}]]`;
      case 3:
        return `[[${name}]]`;
      case 4:
        return `[[#${format()}${name}:${chance(3) ? operand() : ''}]]`;
      case 5:
        return `[[#${chance(3) ? format() : ''}${chance(4) ? '==' : ''}${operand()}${chance(2) ? `+${operand()}` : ''}]]`;
      case 6:
        return `[[#${name}${chance(2) ? ' - 1' : '+1'}]]`;
      case 7:
        return `{{.*}}`;
      default:
        return text;
    }
  };
  const pattern = (text: string): string => {
    const begin = random.below(text.length + 1);
    let part = chance(3) ? text : text.slice(begin, begin + 1 + random.below(text.length + 1));
    for (let k = random.below(4); k > 0; k--) {
      const at = random.below(part.length + 1);
      const end = Math.min(part.length, at + random.below(5));
      part = part.slice(0, at) + block(part.slice(at, end)) + part.slice(end);
    }
    if (chance(20)) {
      const at = random.below(part.length + 1);
      part = part.slice(0, at) + random.pick(FRAGMENTS) + part.slice(at + random.below(2));
    }
    return part;
  };
  const prefixes = chance(3) ? [random.pick(['P', 'CHECK', 'FOO', 'A-B']), ...(chance(3) ? ['Q'] : [])] : ['CHECK'];
  const checks: string[] = [];
  let at = 0;
  for (let k = 1 + random.below(9); k > 0; k--) {
    const step = random.below(8);
    at = step < 5 ? at + 1 : step < 6 ? at : random.below(lines.length + 1);
    const text = (lines[at] ?? '').trim();
    const kind = chance(40) ? random.pick(ODD_KINDS) : text === '' ? (chance(4) ? '' : '-EMPTY') : random.pick(KINDS);
    const isFirst = checks.length === 0 && !chance(15);
    const prefix = chance(30) ? random.pick(['CHECK', 'COM', 'RUN', 'XCHECK', 'Q']) : random.pick(prefixes);
    const suffix = isFirst && /-(NEXT|SAME|EMPTY)/.test(kind) ? '' : kind;
    const body =
      suffix === '-EMPTY' && !chance(20) ? '' : chance(60) ? '' : pattern(text === '' ? random.pick(WORDS) : text);
    checks.push(`${chance(3) ? '; ' : ''}${prefix}${suffix}:${chance(10) ? '' : ' '}${body}${chance(10) ? ' ' : ''}`);
    if (chance(10)) checks.push(chance(2) ? '' : 'some text');
  }
  const check = checks.join(eol) + (chance(6) ? '' : eol);

  const args: string[] = [];
  const add = (n: number, ...given: readonly string[]): void => {
    if (chance(n)) args.push(random.pick(given));
  };
  if (prefixes[0] !== 'CHECK' || prefixes.length > 1) args.push(`--check-prefixes=${prefixes.join(',')}`);
  add(3, '-v', '-vv', '-vv');
  add(8, '--match-full-lines');
  add(8, '--strict-whitespace');
  add(10, '--ignore-case');
  add(10, '--enable-var-scope');
  if (prefixes.length > 1 ? !chance(6) : chance(8)) args.push('--allow-unused-prefixes');
  add(10, '--allow-empty');
  add(15, '--allow-deprecated-dag-overlap');
  add(6, '--dump-input=never', '--dump-input=always', '--dump-input=fail', '-dump-input=always');
  add(
    6,
    '--dump-input-filter=all',
    '--dump-input-filter=annotation',
    '--dump-input-filter=annotation-full',
    '--dump-input-filter=error',
  );
  add(
    6,
    '--dump-input-context=0',
    '--dump-input-context=1',
    '--dump-input-context=2',
    '--dump-input-context=4294967295',
  );
  add(3, '-DA=a', '-DA=1', '-D#A=7', '-D#%x,A=0x1f', '-D$G=ab', '-D#B=3+4', '-DV=%0');
  add(40, '-DA', '-D#A=B', '-DA+1=2', '-D#A=1+', '-D=1');
  add(12, '-D#A=1', '-DA=b', '-DB=.*', '-D#V=add(1,2)');
  add(
    8,
    `--implicit-check-not=${pattern(random.pick(lines) ?? 'x')}`,
    '--implicit-check-not=COPY',
    '--implicit-check-not={{x}}',
  );
  add(20, '--comment-prefixes=Q', '--comment-prefixes=COM', '--check-prefix=P', '--color');
  return { args, check, input, opts: chance(30) ? '-v' : '' };
}
