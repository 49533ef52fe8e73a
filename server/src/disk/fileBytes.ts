/**
 * Texts of files that are not UTF-8 throughout: llc reads bytes, and where it refuses them depends on the place. A byte that belongs to no
 * character becomes the lone surrogate U+DC00 + byte, which no valid text contains, and goes back to the byte on the way out.
 */
import { isUtf8 } from 'node:buffer';
import { isStrayByte, STRAY_BYTE } from '../text/sourceText.js';

const STRAY = /(?<![\ud800-\udbff])[\udc80-\udcff]/;

/** Length of the character that begins at `p`; 0 when the bytes there are none (overlong, surrogate, cut off, out of range). */
function sequenceLength(bytes: Buffer, p: number): number {
  const at = (i: number): number => bytes[p + i] ?? 0;
  const first = at(0);
  const second = at(1);
  const isTail = (i: number): boolean => (at(i) & 0xc0) === 0x80;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4 || !isTail(1)) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) {
    if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second >= 0xa0)) return 0;
    return isTail(2) ? 3 : 0;
  }
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second >= 0x90)) return 0;
  return isTail(2) && isTail(3) ? 4 : 0;
}

/** The text of a file. Keeps a byte order mark. O(bytes) */
export function decodeBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  let from = 0;
  for (let p = 0; p < bytes.length;) {
    const n = sequenceLength(bytes, p);
    if (n > 0) {
      p += n;
      continue;
    }
    text += bytes.toString('utf8', from, p) + String.fromCharCode(STRAY_BYTE + bytes.readUInt8(p));
    from = ++p;
  }
  return text + bytes.toString('utf8', from);
}

/** UTF-8, with such bytes as they were. */
export function encodeBytes(text: string): Buffer {
  if (!STRAY.test(text)) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  let from = 0;
  for (let p = 0; p < text.length; p++) {
    if (!isStrayByte(text, p)) continue;
    parts.push(Buffer.from(text.slice(from, p), 'utf8'), Buffer.of(text.charCodeAt(p) - STRAY_BYTE));
    from = p + 1;
  }
  parts.push(Buffer.from(text.slice(from), 'utf8'));
  return Buffer.concat(parts);
}
