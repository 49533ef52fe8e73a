/** CommandIO of a real process: synchronous reads and writes, pipes included. */
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { InputError, OutputError, systemMessage } from './io.js';
import type { CommandIO } from './io.js';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
/** A pipe whose reader is slow: wait that long before trying again. */
const RETRY_MS = 2;

export function processIO(): CommandIO {
  return {
    read: readInput,
    stdout: (text) => writeAll(STDOUT, text),
    stderr: (text) => writeAll(STDERR, text),
    writeFile: writeOutput,
  };
}

export function readInput(path: string): string {
  try {
    return readFileSync(path === '-' ? STDIN : path, 'utf8');
  } catch (error) {
    throw new InputError(systemMessage(error));
  }
}

export function writeOutput(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new OutputError(systemMessage(error));
  }
}

/** Writes all of `text`; gives up silently when the reader is gone (`| head`). */
function writeAll(fd: number, text: string): void {
  if (text === '') return;
  let written = 0;
  try {
    written = writeSync(fd, text);
    if (written === Buffer.byteLength(text)) return;
  } catch (error) {
    if ((error as { code?: string }).code !== 'EAGAIN') return;
  }
  // In pieces: the reader is slower than we are.
  let bytes = Buffer.from(text, 'utf8').subarray(written);
  while (bytes.length !== 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code !== 'EAGAIN') return;
      pause();
    }
  }
}

/** Waits a moment for the other end of a pipe. */
export function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
}
