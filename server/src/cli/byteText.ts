/** The text of a string of bytes (`byteText` in text/sourceText.ts) on its way out: bytes that are no UTF-8 stay what they are. */
import { decodeBytes } from '../disk/fileBytes.js';

const BEYOND_ASCII = /[^\x00-\x7f]/;

export const textOf = (bytes: string): string =>
  BEYOND_ASCII.test(bytes) ? decodeBytes(Buffer.from(bytes, 'latin1')) : bytes;
