/**
 * The file of decoded target tables that lies beside the bundle (server/src/target/arrayStore.ts): made by the build. Without it, or with one of another build, the tables decode themselves.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { installStoredArrays, packRecordedArrays, recordArrays } from '../../target/arrayStore.js';

/** Names the build; the bundler puts it in. */
declare const AMDGPU_MIR_BUILD: string | undefined;
const BUILD = typeof AMDGPU_MIR_BUILD === 'string' ? AMDGPU_MIR_BUILD : '';
const FILE_NAME = 'tables.bin';
/** More than the file has; room that is not used costs nothing. */
const ROOM = 4 << 20;

export function useStoredTables(folder: string): void {
  if (BUILD === '') return;
  try {
    const file = readTables(`${folder}/${FILE_NAME}`);
    installStoredArrays(file, BUILD, (start, end) => file.toString('latin1', start, end));
  } catch {
    // No file: the tables decode themselves.
  }
}

/** In the way of launch.ts, whose functions of Node's library are compiled already. */
function readTables(path: string): Buffer {
  const buffer = Buffer.allocUnsafeSlow(ROOM);
  const file = openSync(path, 'r');
  const n = readSync(file, buffer, 0, ROOM, 0);
  closeSync(file);
  return n === ROOM ? readFileSync(path) : buffer.subarray(0, n);
}

/** For the build: the bytes of the file after `run`, with every array that it decoded. */
export function recordTables(run: () => void): Uint8Array {
  recordArrays();
  run();
  return packRecordedArrays(BUILD);
}
