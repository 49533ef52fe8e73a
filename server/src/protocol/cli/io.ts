/** What a command reads and writes, so that the same code runs as a process, in `batch` and in tests. */
export interface CommandIO {
  /** Contents of a file as text; `-` is standard input. Throws InputError. */
  read(path: string): string;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Throws OutputError when the file cannot be written. */
  writeFile(path: string, text: string): void;
  /** Called between pieces of work. */
  readonly checkpoint?: () => void;
}

export class InputError extends Error {}
export class OutputError extends Error {}

/** The text of a system error without its code, as llc words it: `No such file or directory`. */
export function systemMessage(error: unknown): string {
  const code = (error as { code?: string } | null)?.code ?? '';
  return SYSTEM_MESSAGES[code] ?? (error instanceof Error ? error.message : String(error));
}

const SYSTEM_MESSAGES: Record<string, string> = {
  ENOENT: 'No such file or directory',
  EISDIR: 'Is a directory',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  ENOTDIR: 'Not a directory',
  EROFS: 'Read-only file system',
  ENOSPC: 'No space left on device',
  EMFILE: 'Too many open files',
};
