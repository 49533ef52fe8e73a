/** The files that `amdgpu-mir check` is asked to look at: files as named, folders searched for `.mir`. */
import { readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { systemMessage } from '../program/commandIO.js';

/** Folders that hold no tests of the user. */
const SKIPPED_FOLDERS = new Set(['node_modules', '.git']);

export interface CheckInput {
  readonly file: string;
  /** why it cannot be checked, which is a failure; empty when it can */
  readonly problem: string;
  /** why it is left out, which is none */
  readonly skipped: string;
}

/**
 * In the order of the arguments, folders sorted by name; each file once. A file that is named may be anything, a pipe too; in folders
 * only regular files of at most `maxBytes` are read. Symbolic links to folders are not followed, so that a cycle cannot hang the search.
 */
export function findInputs(args: readonly string[], maxBytes: number): CheckInput[] {
  const inputs = new Map<string, CheckInput>();
  const add = (file: string, problem = '', skipped = ''): void => {
    if (!inputs.has(file)) inputs.set(file, { file, problem, skipped });
  };
  for (const arg of args) {
    if (arg === '-') {
      add(arg);
      continue;
    }
    try {
      const stat = statSync(arg);
      if (stat.isDirectory()) searchFolder(arg, maxBytes, add);
      else if (stat.isFile()) add(arg, '', sizeText(stat, maxBytes));
      else add(arg);
    } catch (error) {
      add(arg, systemMessage(error));
    }
  }
  return [...inputs.values()];
}

type Add = (file: string, problem?: string, skipped?: string) => void;

function searchFolder(folder: string, maxBytes: number, add: Add): void {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    add(folder, systemMessage(error));
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED_FOLDERS.has(entry.name)) searchFolder(path, maxBytes, add);
    } else if (entry.name.endsWith('.mir')) add(path, '', whySkipped(path, maxBytes));
  }
}

/** Why a file of a folder is left out; empty when it is not. */
function whySkipped(path: string, maxBytes: number): string {
  let stat: Stats;
  try {
    stat = statSync(path);
  } catch (error) {
    return path.includes('\ufffd') ? 'its name is not UTF-8' : systemMessage(error);
  }
  return stat.isFile() ? sizeText(stat, maxBytes) : `not a regular file but ${kindOf(stat)}`;
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a link to a folder';
  if (stat.isFIFO()) return 'a pipe';
  if (stat.isSocket()) return 'a socket';
  return 'a device';
}

const sizeText = ({ size }: Stats, maxBytes: number): string =>
  size > maxBytes ? `${size} bytes are more than --max-size=${maxBytes}` : '';
