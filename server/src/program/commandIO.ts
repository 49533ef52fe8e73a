/** What a command reads and writes, so that the same code runs as a process, in `batch` and in tests. */
export interface CommandIO {
  /** Contents of a file as text; `-` is standard input. Throws InputError, also for more than `maxBytes`. */
  read(path: string, maxBytes?: number): string;
  /** The same in pieces, cut anywhere, until `take` returns false: a file may be larger than memory. Absent: `read` does. Throws InputError. */
  readPieces?(path: string, take: (piece: string) => boolean): void;
  /** Throws StreamError when it cannot be written. */
  stdout(text: string): void;
  /** What cannot be written is lost; `isStderrLost` tells. */
  stderr(text: string): void;
  readonly isStderrLost: boolean;
  /** Makes the file, or empties it. Throws OutputError when it cannot be opened. */
  openFile(path: string): OutputFile;
  /** Width of the terminal that is written to; absent where it is none. */
  readonly columns?: number;
  /** Called between pieces of work. */
  readonly checkpoint?: () => void;
}

export interface OutputFile {
  /** The whole contents, once. Throws StreamError. */
  write(text: string): void;
  /** Closes it without contents and, if it is a regular file, removes it, as llc does when it fails. */
  discard(): void;
}

export class InputError extends Error {}
export class OutputError extends Error {}

/** An open file or stream that takes no more: the disk is full, or nobody reads the pipe. */
export class StreamError extends Error {
  constructor(cause: unknown) {
    super(systemMessage(cause));
    this.isReaderGone = (cause as { code?: string } | null)?.code === 'EPIPE';
  }

  readonly isReaderGone: boolean;
}

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
  E2BIG: 'Argument list too long',
  EROFS: 'Read-only file system',
  ENOSPC: 'No space left on device',
  EPIPE: 'Broken pipe',
  EBADF: 'Bad file descriptor',
  EFBIG: 'File too large',
  EIO: 'Input/output error',
  ELOOP: 'Too many levels of symbolic links',
  ENAMETOOLONG: 'File name too long',
  ENXIO: 'No such device or address',
  ETXTBSY: 'Text file busy',
  EMFILE: 'Too many open files',
};
