/**
 * The file of decoded target tables that lies beside the bundle (server/src/target/arrayStore.ts): made by the build. Without it, or with one of another build, the tables decode themselves.
 */
import { installStoredArrays, packRecordedArrays, recordArrays } from '../target/arrayStore.js';
import type { BundleStart } from './bundleStart.js';

/** Names the build; the bundler puts it in. */
declare const AMDGPU_MIR_BUILD: string | undefined;
const BUILD = typeof AMDGPU_MIR_BUILD === 'string' ? AMDGPU_MIR_BUILD : '';
const FILE_NAME = 'tables.bin';

export function useStoredTables(start: BundleStart): void {
  if (BUILD === '') return;
  try {
    const file = start.read(FILE_NAME);
    installStoredArrays(file, BUILD, (from, to) => file.toString('latin1', from, to));
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
