/**
 * The one door by which commands write files: the new contents go into a file beside, which takes the place of the old one when it is complete. Whenever the
 * process ends, the file has its old contents or the new ones. A link stays and its target is written; mode and owner stay.
 */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { OutputError, StreamError, systemMessage, type OutputFile } from '../program/commandIO.js';
import { encodeBytes } from './fileBytes.js';

/** Somebody else has written the file since it was read; it stays as that left it. */
export class FileChanged extends Error {}

const NEW_FILE_MODE = 0o666;
const MODE_BITS = 0o7777;
/** A pipe whose reader is slow: wait that long before trying again. */
const RETRY_MS = 2;

/** A file that `-o` and its like name: made, or replaced when all of it is there. Throws OutputError when it cannot be opened. */
export function openFile(path: string): OutputFile {
  try {
    const place = realPlace(path);
    const old = statSync(place, { throwIfNoEntry: false });
    if (old !== undefined && !old.isFile()) return openStream(path);
    if (old !== undefined) accessSync(place, constants.W_OK);
    return openBeside(path, place, old);
  } catch (error) {
    throw new OutputError(systemMessage(error));
  }
}

/**
 * Puts `after` in the place of `before`, the text that was read from the file, and has the system write it to the disk. Throws FileChanged where the file
 * has another text now, OutputError and StreamError where it cannot be written; it is as it was then.
 */
export function replaceFile(path: string, before: string, after: string): void {
  let beside: Beside | null = null;
  try {
    const place = realPlace(path);
    const old = statSync(place);
    if (!old.isFile()) throw new OutputError('Not a regular file');
    // Either the links would part or a process that ends could leave half of the text.
    if (old.nlink > 1) throw new OutputError(`it has ${old.nlink} hard links, which writing it would part`);
    accessSync(place, constants.W_OK);
    beside = new Beside(place, old);
    beside.write(after);
    beside.flush();
    if (!readFileSync(place).equals(encodeBytes(before))) throw new FileChanged('it was changed meanwhile');
    beside.take();
  } catch (error) {
    beside?.remove();
    if (error instanceof FileChanged || error instanceof OutputError || error instanceof StreamError) throw error;
    throw new OutputError(systemMessage(error));
  }
}

/** The place that a path leads to, with its links followed as far as it exists. Throws errors of the system. */
export function realPlace(path: string): string {
  const missing: string[] = [];
  let nLinks = 0;
  for (let at = resolve(path); ;) {
    try {
      return join(realpathSync(at), ...missing);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOENT' || dirname(at) === at) throw error;
      if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true && nLinks++ < MAX_LINKS)
        at = resolve(dirname(at), readlinkSync(at));
      else {
        missing.unshift(basename(at));
        at = dirname(at);
      }
    }
  }
}

/** Whether a place lies in a folder, or is it; both with their links followed. */
export function isBelow(folder: string, place: string): boolean {
  const way = relative(folder, place);
  return !isAbsolute(way) && way.split(sep, 1)[0] !== '..';
}

/** as Linux */
const MAX_LINKS = 40;

const HOST = hostname().replace(/[^\w.]/g, '_');
const BESIDE = /^\.amdgpu-mir-([\w.]+)-(\d+)-\d+\.tmp$/;
let nBeside = 0;

/** The file beside the one at `place`, which `old` tells of. */
class Beside {
  private readonly path: string;
  private fd: number;
  private isThere = true;

  /** Throws errors of the system. */
  constructor(
    private readonly place: string,
    old: Stats | undefined,
  ) {
    const folder = dirname(place);
    removeLeftOvers(folder);
    this.path = join(folder, `.amdgpu-mir-${HOST}-${process.pid}-${nBeside++}.tmp`);
    this.fd = openSync(this.path, 'wx', old === undefined ? NEW_FILE_MODE : old.mode & MODE_BITS);
    try {
      if (old !== undefined) keepRights(this.fd, old);
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** Throws StreamError. */
  write(text: string): void {
    writeAll(this.fd, text);
  }

  flush(): void {
    fsyncSync(this.fd);
  }

  /** Takes the file's place. Throws errors of the system. */
  take(): void {
    this.close();
    renameSync(this.path, this.place);
    this.isThere = false;
  }

  remove(): void {
    try {
      this.close();
      if (this.isThere) unlinkSync(this.path);
    } catch {
      // What went wrong before is told.
    }
    this.isThere = false;
  }

  private close(): void {
    const { fd } = this;
    this.fd = -1;
    if (fd >= 0) closeSync(fd);
  }
}

/** The umask has taken some of the mode; an owner that may not be given stays who writes. */
function keepRights(fd: number, old: Stats): void {
  const now = fstatSync(fd);
  if (now.uid !== old.uid || now.gid !== old.gid)
    try {
      fchownSync(fd, old.uid, old.gid);
    } catch (error) {
      if ((error as { code?: string }).code !== 'EPERM') throw error;
    }
  if ((fstatSync(fd).mode & MODE_BITS) !== (old.mode & MODE_BITS)) fchmodSync(fd, old.mode & MODE_BITS);
}

const tidied = new Set<string>();

/** What a process that was killed while it wrote has left in a folder; looked for once. */
function removeLeftOvers(folder: string): void {
  if (tidied.has(folder)) return;
  tidied.add(folder);
  try {
    for (const name of readdirSync(folder)) {
      const [, host, pid] = BESIDE.exec(name) ?? [];
      if (host === HOST && !isAlive(Number(pid))) unlinkSync(join(folder, name));
    }
  } catch {
    // They are in nobody's way.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH';
  }
}

/** Throws errors of the system. */
function openBeside(path: string, place: string, old: Stats | undefined): OutputFile {
  let beside: Beside;
  try {
    beside = new Beside(place, old);
  } catch (error) {
    // A folder in which nothing can be made, with a file that can be written.
    if (old === undefined) throw error;
    return openStream(path);
  }
  return {
    write(text) {
      try {
        beside.write(text);
        beside.take();
      } catch (error) {
        beside.remove();
        throw error instanceof StreamError ? error : new StreamError(error);
      }
    },
    discard() {
      beside.remove();
      try {
        unlinkSync(path);
      } catch {
        // The run has failed already, and says why.
      }
    },
  };
}

/** A device, a pipe, or what has to be written where it is. Throws errors of the system. */
function openStream(path: string): OutputFile {
  const fd = openSync(path, 'w');
  return {
    write(text) {
      try {
        writeAll(fd, text);
        closeSync(fd);
      } catch (error) {
        throw error instanceof StreamError ? error : new StreamError(error);
      }
    },
    discard() {
      try {
        const isRegular = fstatSync(fd).isFile();
        closeSync(fd);
        if (isRegular) unlinkSync(path);
      } catch {
        // The run has failed already, and says why.
      }
    },
  };
}

/** Writes all of `text`, in pieces where the reader is slower than we are. Throws StreamError. */
export function writeAll(fd: number, text: string): void {
  if (text === '') return;
  let bytes = encodeBytes(text);
  while (bytes.length !== 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      if ((error as { code?: string }).code !== 'EAGAIN') throw new StreamError(error);
      pause();
    }
  }
}

/** Waits a moment for the other end of a pipe. */
export function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
}
