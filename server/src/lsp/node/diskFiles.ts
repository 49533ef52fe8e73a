/** MIR files on the disk, for editors that do not list them for us. */
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MAX_FILE_BYTES, type FileAccess } from '../common/fileAccess.js';

/** A workspace with more is not one that somebody edits. */
const MAX_FILES = 50_000;

export const diskFiles: FileAccess = {
  list: async (folders) => {
    const found: string[] = [];
    const waiting = folders.flatMap((uri) => (uri.startsWith('file:') ? [fileURLToPath(uri)] : []));
    for (let folder = waiting.pop(); folder !== undefined && found.length < MAX_FILES; folder = waiting.pop()) {
      // A folder that may not be read is skipped; links are not followed, so that there are no circles.
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (entry.isFile() && entry.name.endsWith('.mir')) found.push(pathToFileURL(join(folder, entry.name)).href);
        else if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
          waiting.push(join(folder, entry.name));
      }
    }
    return found;
  },
  read: async (uri) => {
    try {
      const path = fileURLToPath(uri);
      return (await stat(path)).size <= MAX_FILE_BYTES ? await readFile(path, 'utf8') : null;
    } catch {
      return null;
    }
  },
};
