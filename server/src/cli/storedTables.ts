/**
 * The files of decoded target tables that lie beside the bundle (server/src/target/arrayStore.ts), one for each release whose start was thought worth
 * it: made by the build. Without them, or with those of another build, the tables decode themselves.
 */
import { offerStoredArrays, packRecordedArrays, recordArrays } from '../target/arrayStore.js';
import type { BundleStart } from './bundleStart.js';

/** Names the build; the bundler puts it in. */
declare const AMDGPU_MIR_BUILD: string | undefined;
const BUILD = typeof AMDGPU_MIR_BUILD === 'string' ? AMDGPU_MIR_BUILD : '';
const fileOf = (release: string): string => `tables-${release}.bin`;

export function useStoredTables(start: BundleStart): void {
  if (BUILD === '') return;
  offerStoredArrays((release) => {
    try {
      const bytes = start.read(fileOf(release));
      return { bytes, stamp: BUILD, toText: (from, to) => bytes.toString('latin1', from, to) };
    } catch {
      // No file: the tables decode themselves.
      return null;
    }
  });
}

/** For the build: the file of a release by its name, with every array that it decoded in `run`. */
export function recordTables(release: string, run: () => void): readonly [name: string, bytes: Uint8Array] {
  recordArrays();
  run();
  return [fileOf(release), packRecordedArrays(release, BUILD)];
}
