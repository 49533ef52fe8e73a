/** CommandIO of a real process: synchronous reads and writes, pipes included. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { decodeBytes } from '../disk/fileBytes.js';
import { InputError, StreamError, systemMessage } from '../program/commandIO.js';
import type { CommandIO } from '../program/commandIO.js';
import { openFile, pause, writeAll } from '../disk/wholeFile.js';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const CHUNK_BYTES = 1 << 20;
/** Node keeps texts of a megabyte outside of the heap, whose collector then does not hurry. */
const PIECE_BYTES = 1 << 18;
/** A string of JavaScript holds no more, and a device may have no end. */
const MAX_BYTES = 0x1fff0000;

export function processIO(): CommandIO {
  let isStderrLost = false;
  return {
    read: readInput,
    readPieces: readInputPieces,
    stdout: (text) => {
      if (text !== '' && isClosed(STDOUT)) throw new StreamError(badDescriptor());
      writeAll(STDOUT, text);
    },
    stderr: (text) => {
      try {
        writeAll(STDERR, text);
      } catch {
        // There is nowhere to say it.
        isStderrLost = true;
      }
    },
    get isStderrLost() {
      return isStderrLost;
    },
    openFile,
    // A getter: to make the stream takes its time.
    get columns() {
      return process.stdout.isTTY ? process.stdout.columns : Infinity;
    },
  };
}

/** Text of a file. Throws InputError, also for one of more than `maxBytes`. */
export function readInput(path: string, maxBytes = MAX_BYTES): string {
  let fd = STDIN;
  try {
    if (path !== '-') fd = openSync(path, 'r');
    else if (isClosed(STDIN)) throw badDescriptor();
    const stat = fstatSync(fd);
    if (!stat.isFile()) return readStream(fd, maxBytes);
    if (stat.size > maxBytes) throw new InputError(tooLarge(maxBytes));
    return decodeBytes(readFileSync(fd));
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(systemMessage(error));
  } finally {
    if (fd !== STDIN) closeSync(fd);
  }
}

/** Text of a file in pieces, UTF-8 or, with its mark, the UTF-16 that PowerShell redirects to. Throws InputError. */
export function readInputPieces(path: string, take: (piece: string) => boolean): void {
  let fd = STDIN;
  try {
    if (path !== '-') fd = openSync(path, 'r');
    else if (isClosed(STDIN)) throw badDescriptor();
    const chunk = Buffer.allocUnsafe(PIECE_BYTES);
    let decoder: StringDecoder | null = null;
    for (let n = readSome(fd, chunk); n > 0; n = readSome(fd, chunk)) {
      const bytes = chunk.subarray(0, n);
      decoder ??= new StringDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8');
      if (!take(decoder.write(bytes))) return;
    }
    if (decoder !== null) take(decoder.end());
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(systemMessage(error));
  } finally {
    if (fd !== STDIN) closeSync(fd);
  }
}

const tooLarge = (maxBytes: number): string => `File too large (more than ${maxBytes} bytes)`;

/** A pipe or a device to its end. */
function readStream(fd: number, maxBytes: number): string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const n = readSome(fd, chunk);
    if (n === 0) return decodeBytes(Buffer.concat(chunks));
    size += n;
    if (size > maxBytes) throw new InputError(tooLarge(maxBytes));
    chunks.push(n < CHUNK_BYTES / 2 ? Buffer.from(chunk.subarray(0, n)) : chunk.subarray(0, n));
  }
}

/** Bytes read, 0 at the end. A terminal or pipe that is set to non-blocking is asked again. */
export function readSome(fd: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(fd, chunk, 0, chunk.length, null);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

/** Linux's number of /dev/null: major 1, minor 3. */
const NULL_DEVICE = 0x103;
const ACCESS_MODE = 3;
const READ_WRITE = 2;
/** They open /dev/null for reading or for writing. */
const SHELLS = new Set(['sh', 'ash', 'bash', 'busybox', 'csh', 'dash', 'fish', 'ksh', 'mksh', 'tcsh', 'zsh']);

const badDescriptor = (): Error => Object.assign(new Error('EBADF: bad file descriptor'), { code: 'EBADF', errno: -9 });

/**
 * Whether the process was started with this standard stream closed. Node and Bun then open /dev/null in its place, for reading and writing, and so do many
 * who start a program whose output they do not want (Python's `DEVNULL`, Node's `ignore`). What its parent has there, or is, tells the two apart: a shell
 * closed it, as did a parent without that stream.
 */
function isClosed(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    if (!stat.isCharacterDevice() || stat.rdev !== NULL_DEVICE || accessMode('self', fd) !== READ_WRITE) return false;
    const parent = `/proc/${process.ppid}`;
    if (!readdirSync(`${parent}/fd`).includes(String(fd))) return true;
    const isInherited =
      readlinkSync(`${parent}/fd/${fd}`) === '/dev/null' && accessMode(process.ppid, fd) === READ_WRITE;
    return !isInherited && SHELLS.has(readFileSync(`${parent}/comm`, 'utf8').trim());
  } catch (error) {
    return (error as { code?: string }).code === 'EBADF';
  }
}

/** How a process opened a descriptor. */
function accessMode(pid: number | 'self', fd: number): number {
  const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0';
  return Number.parseInt(flags, 8) & ACCESS_MODE;
}
