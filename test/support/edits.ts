/** Random edits as people and slips of the hand make them, for the test that an updated tree equals a fresh one. */
import type { TextEdit } from '../../server/src/text/sourceText.js';
import type { Random } from './damageInputs.js';

/** What is typed or pasted: pieces of MIR, of YAML and of nothing. */
const PIECES = [
  ...[
    ' ',
    '\n',
    '    ',
    '\t',
    '\r\n',
    '\r',
    ';',
    '#',
    ',',
    '=',
    '%',
    '$',
    '{',
    '}',
    ':',
    '"',
    "'",
    '`',
    '|',
    '-',
    '@',
    '!',
    '(',
  ],
  ...['\0', '\ufeff', '\u2028', 'é', '\ud83d\ude00', '\ud800'],
  ...[
    '---\n',
    '...\n',
    '--- |\n',
    'name: f\n',
    'name: f2\n',
    'body: |\n',
    'registers:\n',
    'liveins: [\n',
    '  - { id: 0, class: vgpr_32 }\n',
  ],
  ...[
    'machineFunctionInfo:\n  occupancy: 4\n',
    'tracksRegLiveness: true\n',
    '# RUN: llc -mtriple=amdgcn -mcpu=gfx908 %s\n',
  ],
  ...[
    '  bb.7:\n',
    'bb.0:',
    '    S_NOP 0\n',
    '    S_ENDPGM 0\n',
    '    ; a comment\n',
    '    successors: %bb.0\n',
    '    liveins: $vgpr0\n',
  ],
  ...[
    '    %0:vgpr_32 = COPY $vgpr0\n',
    '    %900:sgpr_32 = S_MOV_B32 1\n',
    '    BUNDLE {\n',
    '    }\n',
    '  define void @f() {\n  ret void\n  }\n',
  ],
  ...[
    'implicit $exec',
    'killed ',
    'dead ',
    'undef ',
    '.sub0',
    ':vgpr_32',
    ' :: (load (s32))',
    'V_MOV_B32_e32',
    '18446744073709551616',
    '-1',
    '0x',
  ],
];

export const EDIT_KINDS = [
  'type',
  'type character',
  'delete',
  'delete lines',
  'duplicate lines',
  'paste lines',
  'move line',
  'rename register',
  'rename register everywhere',
  'change number',
  'break yaml',
  'indent',
  'line ends',
  'duplicate document',
  'odd character',
  'anywhere',
] as const;
export type EditKind = (typeof EDIT_KINDS)[number];

const isBreak = (c: number): boolean => c === 10 || c === 13;

function lineStart(text: string, p: number): number {
  while (p > 0 && !isBreak(text.charCodeAt(p - 1))) p--;
  return p;
}

/** After the line break of the line with p. */
function nextLine(text: string, p: number): number {
  while (p < text.length && !isBreak(text.charCodeAt(p))) p++;
  if (text.charCodeAt(p) === 13 && text.charCodeAt(p + 1) === 10) p++;
  return Math.min(p + 1, text.length);
}

/** Start and end of 1 .. n whole lines at a random place. */
function someLines(text: string, random: Random, n: number): [number, number] {
  const start = lineStart(text, random.below(text.length + 1));
  let end = start;
  for (let i = random.below(n) + 1; i > 0; i--) end = nextLine(text, end);
  return [start, end];
}

/** All matches near a random place: searched from there, then from the start. */
function matchNear(text: string, pattern: RegExp, random: Random): RegExpExecArray | null {
  const find = (from: number): RegExpExecArray | null => {
    const r = new RegExp(pattern.source, 'g');
    r.lastIndex = from;
    return r.exec(text);
  };
  return find(random.below(text.length + 1)) ?? find(0);
}

/**
 * One edit of a kind: changes that apply one after the other, each to the text that the one before left. Empty when the text has no
 * place for it. `donor` is the text that pasted lines come from.
 */
export function randomEdit(text: string, kind: EditKind, donor: string, random: Random): TextEdit[] {
  const at = (): number => random.below(text.length + 1);
  switch (kind) {
    case 'type': {
      const p = at();
      return [{ start: p, end: p, text: random.pick(PIECES) }];
    }
    case 'type character': {
      const p = at();
      return [{ start: p, end: p, text: String.fromCharCode(32 + random.below(95)) }];
    }
    case 'delete': {
      const p = at();
      return [{ start: p, end: Math.min(text.length, p + 1 + random.below(random.chance(80) ? 6 : 300)), text: '' }];
    }
    case 'delete lines': {
      const [start, end] = someLines(text, random, random.chance(90) ? 3 : 40);
      return [{ start, end, text: '' }];
    }
    case 'duplicate lines': {
      const [start, end] = someLines(text, random, 4);
      return [{ start: end, end, text: text.slice(start, end) }];
    }
    case 'paste lines': {
      const from = random.chance(50) ? text : donor;
      const [start, end] = someLines(from, random, random.chance(80) ? 8 : 80);
      const p = lineStart(text, at());
      return [{ start: p, end: p, text: from.slice(start, end) }];
    }
    case 'move line': {
      const [start, end] = someLines(text, random, 2);
      const line = text.slice(start, end);
      const rest = text.slice(0, start) + text.slice(end);
      // Mostly not far: within the function.
      const target = random.chance(80) ? start + random.below(800) - 400 : random.below(rest.length + 1);
      const p = lineStart(rest, Math.max(0, Math.min(rest.length, target)));
      return [
        { start, end, text: '' },
        { start: p, end: p, text: line },
      ];
    }
    case 'rename register': {
      const m = matchNear(text, /[%$][a-z0-9_]+/, random);
      if (m === null) return [];
      const other = matchNear(text, /[%$][a-z0-9_]+/, random);
      const name = random.chance(50) ? `%${random.below(40)}` : (other?.[0] ?? '%x');
      return [{ start: m.index, end: m.index + m[0].length, text: name }];
    }
    case 'rename register everywhere': {
      const m = matchNear(text, /%[0-9]+\b/, random);
      if (m === null) return [];
      const start = Math.max(text.lastIndexOf('\n---', m.index), 0);
      const stop = text.indexOf('\n---', m.index);
      const part = text.slice(start, stop < 0 ? text.length : stop);
      const name = random.chance(50) ? `%${random.below(2000)}` : `%v${random.below(50)}`;
      const edits: TextEdit[] = [];
      let shift = start;
      for (const hit of part.matchAll(new RegExp(`${m[0]}\\b`, 'g'))) {
        edits.push({ start: hit.index + shift, end: hit.index + shift + m[0].length, text: name });
        shift += name.length - m[0].length;
      }
      return edits;
    }
    case 'change number': {
      const m = matchNear(text, /\b[0-9]+\b/, random);
      if (m === null) return [];
      const value = random.chance(80)
        ? String(random.below(70))
        : random.pick(['4294967296', '-1', '0xffffffffffffffff', '1e9', '']);
      return [{ start: m.index, end: m.index + m[0].length, text: value }];
    }
    case 'break yaml': {
      if (random.chance(50)) {
        const m = matchNear(
          text,
          random.pick([/\n---/, /\n\.\.\./, /\nbody:/, /: *\|/, /\nname:/, /\n[a-zA-Z]+:/, /[{}[\],]/, /'/]),
          random,
        );
        if (m !== null) return [{ start: m.index, end: m.index + m[0].length, text: random.chance(50) ? '' : '\n' }];
      }
      const p = lineStart(text, at());
      return [
        {
          start: p,
          end: p,
          text: random.pick([
            '---\n',
            '...\n',
            '- x\n',
            'x: [\n',
            'x: {\n',
            '"',
            "'",
            '| \n',
            '? \n',
            '&a ',
            '*a\n',
            '%YAML 1.2\n',
            '\t',
          ]),
        },
      ];
    }
    case 'indent': {
      const p = lineStart(text, at());
      if (random.chance(50)) return [{ start: p, end: p, text: ' '.repeat(1 + random.below(4)) }];
      let end = p;
      while (end < text.length && text.charCodeAt(end) === 32 && end - p < 4) end++;
      return [{ start: p, end, text: '' }];
    }
    case 'line ends': {
      const p = text.indexOf('\n', at());
      if (p < 0) return [{ start: text.length, end: text.length, text: random.pick(['\n', '\r', '\r\n']) }];
      return [{ start: p, end: p + 1, text: random.pick(['\r\n', '\r', '', '\n\r', '\r\r\n']) }];
    }
    case 'duplicate document': {
      const start = text.lastIndexOf('\n---', at()) + 1;
      const stop = text.indexOf('\n---', start);
      const end = stop < 0 ? text.length : stop + 1;
      if (end - start > 20_000) return [];
      return [{ start: end, end, text: text.slice(start, end) }];
    }
    case 'odd character': {
      const p = random.chance(20) ? 0 : at();
      return [
        {
          start: p,
          end: p,
          text: random.pick(['\0', '\ufeff', '\ud800', '\u0085', '\u2028', '\x7f', '\x1b', '\f', '\v']),
        },
      ];
    }
    case 'anywhere': {
      const a = at();
      const b = random.chance(50) ? at() : Math.min(text.length, a + random.below(40));
      if (Math.abs(a - b) > 4000) return [];
      const [start, end] = [Math.min(a, b), Math.max(a, b)];
      const c = random.below(Math.max(1, donor.length));
      return [{ start, end, text: donor.slice(c, c + random.below(60)) }];
    }
  }
}

/** One replacement that makes `to` of `from`: undo, and what some editors send. */
export function differenceEdit(from: string, to: string): TextEdit[] {
  let start = 0;
  const least = Math.min(from.length, to.length);
  while (start < least && from.charCodeAt(start) === to.charCodeAt(start)) start++;
  let tail = 0;
  while (tail < least - start && from.charCodeAt(from.length - 1 - tail) === to.charCodeAt(to.length - 1 - tail))
    tail++;
  if (start === from.length && start === to.length) return [];
  return [{ start, end: from.length - tail, text: to.slice(start, to.length - tail) }];
}
