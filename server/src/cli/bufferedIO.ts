/** CommandIO that keeps what a command writes to standard output and error. */
import {
  InputError,
  OutputError,
  StreamError,
  systemMessage,
  type CommandIO,
  type OutputFile,
} from '../program/commandIO.js';
import type { LitFiles } from '../program/litTools.js';
import { readInput, readInputPieces } from './processIO.js';
import { openFile } from '../disk/wholeFile.js';

/** Files of a test, and whether one may be written. */
type FilesOfTest = LitFiles & { writable(path: string): unknown };

export class BufferedIO implements CommandIO {
  private readonly outText: string[] = [];
  private readonly errText: string[] = [];

  /** `stdin`: what a command reads as `-`; null = standard input of the process. `files`: those of a test; null = all there are. */
  constructor(
    private readonly stdin: (() => string) | null = null,
    private readonly files: FilesOfTest | null = null,
  ) {}

  read(path: string, maxBytes?: number): string {
    if (this.files !== null && path !== '-') return this.readOfTest(this.files, path);
    return path === '-' && this.stdin ? this.stdin() : readInput(path, maxBytes);
  }

  readPieces(path: string, take: (piece: string) => boolean): void {
    if (this.files !== null || (path === '-' && this.stdin !== null)) take(this.read(path));
    else readInputPieces(path, take);
  }

  stdout(text: string): void {
    this.outText.push(text);
  }

  stderr(text: string): void {
    this.errText.push(text);
  }

  readonly isStderrLost = false;

  openFile(path: string): OutputFile {
    const { files } = this;
    if (files === null) return openFile(path);
    try {
      // llc opens its output before it knows what it will write.
      files.writable(path);
      files.write(path, '', false);
    } catch (error) {
      if ((error as { code?: unknown }).code === undefined) throw error;
      throw new OutputError(systemMessage(error));
    }
    return {
      write: (text) => {
        try {
          files.write(path, text, false);
        } catch (error) {
          if ((error as { code?: unknown }).code === undefined) throw error;
          throw new StreamError(error);
        }
      },
      discard: () => {
        if (path !== '/dev/null') files.remove(path);
      },
    };
  }

  private readOfTest(files: FilesOfTest, path: string): string {
    try {
      return files.read(path);
    } catch (error) {
      if ((error as { code?: unknown }).code === undefined) throw error;
      throw new InputError(systemMessage(error));
    }
  }

  out(): string {
    return this.outText.join('');
  }

  err(): string {
    return this.errText.join('');
  }
}
