/** Random damage to MIR files: what disks, merges, scripts and hostile hands do to them. */
import type { Random } from './damageInputs.js';

export const DAMAGE_KINDS = [
  'flip bytes',
  'truncate',
  'cut out',
  'duplicate lines',
  'delete lines',
  'swap lines',
  'swap tokens',
  'replace token',
  'delete token',
  'huge number',
  'deep nesting',
  'long line',
  'NULs',
  'line ends',
  'byte order mark',
  'join files',
  'repeat token',
  'break indentation',
] as const;
export type DamageKind = (typeof DAMAGE_KINDS)[number];

const TOKEN = /[%$@!]?[\w.]+|[^\s\w]/g;

const HUGE = [
  '4294967295',
  '4294967296',
  '2147483648',
  '-2147483649',
  '65536',
  '18446744073709551615',
  '18446744073709551616',
  '-9223372036854775809',
  '0xFFFFFFFFFFFFFFFFFFFFFFFF',
  '1e308',
  '99999999999999999999999999999999',
  '1000000',
];

/** A place of a token near a random one, [start, end); null in a text without any. */
function tokenNear(text: string, random: Random): [number, number] | null {
  const find = (from: number): [number, number] | null => {
    TOKEN.lastIndex = from;
    const m = TOKEN.exec(text);
    return m === null ? null : [m.index, m.index + m[0].length];
  };
  return find(random.below(text.length + 1)) ?? find(0);
}

function numberNear(text: string, random: Random): [number, number] | null {
  const r = /\d+/g;
  r.lastIndex = random.below(text.length + 1);
  const m = r.exec(text);
  return m === null ? null : [m.index, m.index + m[0].length];
}

const replaced = (text: string, [start, end]: readonly [number, number], by: string): string =>
  text.slice(0, start) + by + text.slice(end);

function someLine(text: string, random: Random): [number, number] {
  const start = text.lastIndexOf('\n', random.below(text.length + 1)) + 1;
  let end = start;
  for (let n = 1 + random.below(4); n > 0; n--) end = (text.indexOf('\n', end) + 1 || text.length) as number;
  return [start, Math.max(start, end)];
}

/** The text with damage of a kind. `donor` is another file. */
export function damage(text: string, kind: DamageKind, donor: string, random: Random): string {
  switch (kind) {
    case 'flip bytes': {
      const bytes = Buffer.from(text, 'utf8');
      if (bytes.length === 0) return text;
      for (let n = 1 + random.below(random.chance(80) ? 4 : 60); n > 0; n--) {
        const p = random.below(bytes.length);
        bytes[p] = random.chance(60) ? bytes[p] ^ (1 << random.below(8)) : random.below(256);
      }
      return bytes.toString('utf8');
    }
    case 'truncate': {
      const p = random.below(text.length + 1);
      return random.chance(70) ? text.slice(0, p) : text.slice(p);
    }
    case 'cut out': {
      const p = random.below(text.length + 1);
      return text.slice(0, p) + text.slice(p + random.below(random.chance(50) ? 100 : text.length));
    }
    case 'duplicate lines': {
      const [start, end] = someLine(text, random);
      return (
        text.slice(0, end) +
        text.slice(start, end).repeat(1 + random.below(random.chance(90) ? 2 : 200)) +
        text.slice(end)
      );
    }
    case 'delete lines':
      return replaced(text, someLine(text, random), '');
    case 'swap lines': {
      const a = someLine(text, random);
      const b = someLine(text, random);
      const [x, y] = a[0] <= b[0] ? [a, b] : [b, a];
      if (x[1] > y[0]) return text;
      return (
        text.slice(0, x[0]) +
        text.slice(y[0], y[1]) +
        text.slice(x[1], y[0]) +
        text.slice(x[0], x[1]) +
        text.slice(y[1])
      );
    }
    case 'swap tokens': {
      const a = tokenNear(text, random);
      if (a === null) return text;
      TOKEN.lastIndex = random.chance(70) ? a[1] + random.below(60) : random.below(text.length);
      const m = TOKEN.exec(text);
      if (m === null || m.index < a[1]) return text;
      const first = text.slice(a[0], a[1]);
      return replaced(replaced(text, [m.index, m.index + m[0].length], first), a, m[0]);
    }
    case 'replace token': {
      const a = tokenNear(text, random);
      const from = random.chance(60) ? text : donor;
      const b = tokenNear(from, random);
      return a === null || b === null ? text : replaced(text, a, from.slice(b[0], b[1]));
    }
    case 'delete token': {
      const a = tokenNear(text, random);
      return a === null ? text : replaced(text, a, '');
    }
    case 'repeat token': {
      const a = tokenNear(text, random);
      if (a === null) return text;
      const token = text.slice(a[0], a[1]);
      return replaced(
        text,
        a,
        `${token}${random.pick(['', ' ', ', '])}`.repeat(2 + random.below(random.chance(80) ? 3 : 2000)),
      );
    }
    case 'huge number': {
      const a = numberNear(text, random);
      return a === null ? text : replaced(text, a, random.pick(HUGE));
    }
    case 'deep nesting': {
      const p = random.below(text.length + 1);
      const open = random.pick(['(', '[', '{', '<', '- ', '!{', '[1 x ', '{ a: ', ' ::', 'bitcast (', '? ', '> ']);
      return text.slice(0, p) + open.repeat(10 ** (1 + random.below(4))) + text.slice(p);
    }
    case 'long line': {
      const p = random.below(text.length + 1);
      const piece = random.pick(['x', ' ', ', implicit $vgpr0', '"', '\\', ';', '0', '%0, ', '$noreg', 'é', '\t', "'"]);
      return text.slice(0, p) + piece.repeat(10 ** (2 + random.below(3))) + text.slice(p);
    }
    case 'NULs': {
      const p = random.below(text.length + 1);
      return text.slice(0, p) + '\0'.repeat(1 + random.below(random.chance(80) ? 3 : 5000)) + text.slice(p);
    }
    case 'line ends': {
      const [from, to] = [random.below(text.length + 1), random.below(text.length + 1)].sort((a, b) => a - b);
      const part = text.slice(from, to);
      const by = random.pick(['\r\n', '\r', '\n\n', '\n\r', '\u2028']);
      return (
        text.slice(0, from) + (random.chance(50) ? part.replaceAll('\n', by) : part.replace('\n', by)) + text.slice(to)
      );
    }
    case 'byte order mark': {
      if (random.chance(60)) return `\ufeff${text}`;
      const p = random.below(text.length + 1);
      return `${text.slice(0, p)}\ufeff${text.slice(p)}`;
    }
    case 'join files':
      return text.slice(0, random.below(text.length + 1)) + donor.slice(random.below(donor.length + 1));
    case 'break indentation': {
      const start = text.lastIndexOf('\n', random.below(text.length + 1)) + 1;
      const by = random.pick(['', ' ', '        ', '\t', '- ', '  - ', '# ', '| ', ': ', '  bb.1:\n']);
      return text.slice(0, start) + by + text.slice(start).replace(random.chance(50) ? /^ +/ : /^/, '');
    }
  }
}
