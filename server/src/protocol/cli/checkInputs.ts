/** The files that `amdgpu-mir check` is asked to look at: files as named, folders searched for `.mir`. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemMessage } from './io.js';

/** Folders that hold no tests of the user. */
const SKIPPED_FOLDERS = new Set(['node_modules', '.git']);

export interface CheckInputs {
  /** in the order of the arguments, folders sorted by name */
  readonly files: readonly string[];
  /** arguments that cannot be read, with the reason */
  readonly problems: readonly string[];
}

/** Symbolic links to folders are not followed, so that a cycle cannot hang the search. */
export function findInputs(args: readonly string[]): CheckInputs {
  const files: string[] = [];
  const problems: string[] = [];
  for (const arg of args) {
    if (arg === '-') {
      files.push(arg);
      continue;
    }
    try {
      if (statSync(arg).isDirectory()) searchFolder(arg, files, problems);
      else files.push(arg);
    } catch (error) {
      problems.push(`${arg}: ${systemMessage(error)}`);
    }
  }
  return { files, problems };
}

function searchFolder(folder: string, files: string[], problems: string[]): void {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    problems.push(`${folder}: ${systemMessage(error)}`);
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED_FOLDERS.has(entry.name)) searchFolder(path, files, problems);
    } else if (entry.name.endsWith('.mir')) files.push(path);
  }
}
