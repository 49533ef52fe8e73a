#!/usr/bin/env node
// Screenshots with a palette of 256 colours, a third of the size: `node test/vscode/palette.mjs FILE.png...` writes them anew.
// Median cut over the colours of the picture; no dithering, which text does not need and compression does not like.
import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const COLOURS = 256;

/** Pixels of an 8-bit RGB or RGBA picture without interlacing, as Chromium writes them. */
function decode(png) {
  const parts = [];
  let header;
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = data;
    if (type === 'IDAT') parts.push(data);
    at += 12 + length;
  }
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const channels = { 2: 3, 6: 4 }[header[9]];
  if (header[8] !== 8 || !channels || header[12] !== 0) return null;
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : rows[y * stride + x - channels];
      const up = y === 0 ? 0 : rows[(y - 1) * stride + x];
      const corner = y === 0 || x < channels ? 0 : rows[(y - 1) * stride + x - channels];
      const p = left + up - corner;
      const [dl, du, dc] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
      const paeth = dl <= du && dl <= dc ? left : du <= dc ? up : corner;
      const guess = [0, left, up, (left + up) >> 1, paeth][filter];
      rows[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  const pixels = new Uint32Array(width * height);
  for (let i = 0; i < pixels.length; i++)
    pixels[i] = (rows[i * channels] << 16) | (rows[i * channels + 1] << 8) | rows[i * channels + 2];
  return { width, height, pixels };
}

const channel = (colour, k) => (colour >> (16 - 8 * k)) & 255;

/** Boxes of colours, the one with the widest spread of the most pixels cut in two until there are enough. */
function palette(counts) {
  const boxOf = (colours) => {
    let spread = -1;
    let axis = 0;
    let weight = 0;
    for (const c of colours) weight += counts.get(c);
    for (let k = 0; k < 3; k++) {
      let low = 255;
      let high = 0;
      for (const c of colours) {
        low = Math.min(low, channel(c, k));
        high = Math.max(high, channel(c, k));
      }
      if (high - low > spread) [spread, axis] = [high - low, k];
    }
    return { colours, axis, score: spread * Math.sqrt(weight) };
  };
  const boxes = [boxOf([...counts.keys()])];
  while (boxes.length < COLOURS) {
    boxes.sort((a, b) => b.score - a.score);
    const { colours, axis, score } = boxes[0];
    if (score === 0 || colours.length < 2) break;
    colours.sort((a, b) => channel(a, axis) - channel(b, axis));
    const half = colours.length >> 1;
    boxes.splice(0, 1, boxOf(colours.slice(0, half)), boxOf(colours.slice(half)));
  }
  const indexOf = new Map();
  const table = boxes.map(({ colours }, index) => {
    // the most frequent colour of a box stands for it, so that backgrounds stay exact
    let best = colours[0];
    for (const c of colours) {
      indexOf.set(c, index);
      if (counts.get(c) > counts.get(best)) best = c;
    }
    return best;
  });
  return { table, indexOf };
}

const CRC = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  let crc = 0xffffffff;
  for (const byte of body) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4);
  return out;
}

function encode({ width, height, pixels }) {
  const counts = new Map();
  for (const p of pixels) counts.set(p, (counts.get(p) ?? 0) + 1);
  const { table, indexOf } = palette(counts);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf.get(pixels[y * width + x]);
  const colours = Buffer.from(table.flatMap((c) => [0, 1, 2].map((k) => channel(c, k))));
  const idat = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', idat),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

for (const file of process.argv.slice(2)) {
  const before = readFileSync(file);
  const picture = decode(before);
  if (!picture) continue;
  const after = encode(picture);
  if (after.length < before.length) writeFileSync(file, after);
  console.log(`${file}: ${before.length} -> ${Math.min(after.length, before.length)} bytes`);
}
