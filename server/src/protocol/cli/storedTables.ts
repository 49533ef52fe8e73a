/**
 * The file of decoded target tables that lies beside the bundle (server/src/target/arrayStore.ts): made by the build. Without it, or with one of another build, the tables decode themselves.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installStoredArrays, packRecordedArrays, recordArrays } from '../../target/arrayStore.js';

/** Names the build; the bundler puts it in. */
declare const AMDGPU_MIR_BUILD: string | undefined;
const BUILD = typeof AMDGPU_MIR_BUILD === 'string' ? AMDGPU_MIR_BUILD : '';
const FILE_NAME = 'tables.bin';

export function useStoredTables(folder: string): void {
  if (BUILD === '') return;
  try {
    const file = readFileSync(join(folder, FILE_NAME));
    installStoredArrays(file, BUILD, (start, end) => file.toString('latin1', start, end));
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
