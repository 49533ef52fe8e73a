/**
 * The file of decoded target tables that lies beside the bundle (server/src/target/arrayStore.ts): made by the build, read in
 * pieces as they are needed. Without it, or with one of another build, the tables decode themselves.
 */
import { openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { installStoredArrays, packRecordedArrays, recordArrays } from '../../target/arrayStore.js';

/** Names the build; the bundler puts it in. */
declare const AMDGPU_MIR_BUILD: string | undefined;
const BUILD = typeof AMDGPU_MIR_BUILD === 'string' ? AMDGPU_MIR_BUILD : '';
const FILE_NAME = 'tables.bin';

export function useStoredTables(folder: string): void {
  if (BUILD === '') return;
  try {
    const file = openSync(join(folder, FILE_NAME), 'r');
    installStoredArrays((offset, length) => {
      const bytes = new Uint8Array(length);
      const n = readSync(file, bytes, 0, length, offset);
      return n === length ? bytes : bytes.subarray(0, n);
    }, BUILD);
  } catch {
    // No file: the tables decode themselves.
  }
}

/** For the build: the bytes of the file after `run`, with every array that it decoded. */
export function recordTables(run: () => void): Uint8Array {
  recordArrays();
  run();
  return packRecordedArrays(BUILD);
}
