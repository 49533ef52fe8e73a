/** Texts as strings of bytes, each a character below 256, which is how FileCheck sees them; and back. */
import { decodeBytes, encodeBytes } from './fileBytes.js';

const BEYOND_ASCII = /[^\x00-\x7f]/;

export const bytesOf = (text: string): string =>
  BEYOND_ASCII.test(text) ? encodeBytes(text).toString('latin1') : text;

export const textOf = (bytes: string): string =>
  BEYOND_ASCII.test(bytes) ? decodeBytes(Buffer.from(bytes, 'latin1')) : bytes;
