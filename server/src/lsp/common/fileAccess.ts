/** How the server gets at files that are not open: from the editor, which may be in a browser, or from the disk (node/diskFiles.ts). */
import type { Connection } from 'vscode-languageserver';
import { LIST_FILES_REQUEST, READ_FILE_REQUEST } from './customRequests.js';

export interface FileAccess {
  /** addresses of all MIR files of the workspace, whose folders are given; in any order */
  list(folders: readonly string[]): Promise<readonly string[]>;
  /** null when it cannot be read, or is larger than is sensible */
  read(uri: string): Promise<string | null>;
}

/** Larger files are generated ones; nobody looks for their functions by name. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** The files that the editor lists and reads, through custom requests. */
export const editorFiles = (connection: Connection): FileAccess => ({
  list: async () => {
    const uris: unknown = await connection.sendRequest(LIST_FILES_REQUEST, {});
    return Array.isArray(uris) ? uris.filter((uri): uri is string => typeof uri === 'string') : [];
  },
  read: async (uri) => {
    const text: unknown = await connection.sendRequest(READ_FILE_REQUEST, { uri });
    return typeof text === 'string' ? text : null;
  },
});
