/**
 * The file of decoded target tables that lies beside the bundle (server/src/target/arrayStore.ts): made by the build. Without it, or with one of another build, the tables decode themselves.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { installStoredArrays, packRecordedArrays, recordArrays } from '../../target/arrayStore.js';

/** Names the build; the bundler puts it in. */
declare const AMDGPU_MIR_BUILD: string | undefined;
const BUILD = typeof AMDGPU_MIR_BUILD === 'string' ? AMDGPU_MIR_BUILD : '';
const FILE_NAME = 'tables.bin';
/** What launch.ts tells a bundle of its start. */
export interface BundleStart {
  /** where the bundle and its files lie */
  readonly folder: string;
  /** more than any of the files needs; the bundle's from now on */
  readonly room: Buffer;
}

export function useStoredTables({ folder, room }: BundleStart): void {
  if (BUILD === '') return;
  try {
    const file = readTables(`${folder}/${FILE_NAME}`, room);
    installStoredArrays(file, BUILD, (start, end) => file.toString('latin1', start, end));
  } catch {
    // No file: the tables decode themselves.
  }
}

/** In the way of launch.ts, whose functions of Node's library are compiled already, and into memory that it has touched already. */
function readTables(path: string, room: Buffer): Buffer {
  const file = openSync(path, 'r');
  const n = readSync(file, room, 0, room.length, 0);
  closeSync(file);
  return n === room.length ? readFileSync(path) : room.subarray(0, n);
}

/** For the build: the bytes of the file after `run`, with every array that it decoded. */
export function recordTables(run: () => void): Uint8Array {
  recordArrays();
  run();
  return packRecordedArrays(BUILD);
}
