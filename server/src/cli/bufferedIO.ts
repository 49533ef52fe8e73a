/** CommandIO that keeps what a command writes to standard output and error. */
import type { CommandIO, OutputFile } from '../program/commandIO.js';
import { readInput } from './processIO.js';
import { openFile } from './wholeFile.js';

export class BufferedIO implements CommandIO {
  private readonly outText: string[] = [];
  private readonly errText: string[] = [];

  /** `stdin`: what a command reads as `-`; null = standard input of the process. */
  constructor(private readonly stdin: (() => string) | null = null) {}

  read(path: string, maxBytes?: number): string {
    return path === '-' && this.stdin ? this.stdin() : readInput(path, maxBytes);
  }

  stdout(text: string): void {
    this.outText.push(text);
  }

  stderr(text: string): void {
    this.errText.push(text);
  }

  readonly isStderrLost = false;

  openFile(path: string): OutputFile {
    return openFile(path);
  }

  out(): string {
    return this.outText.join('');
  }

  err(): string {
    return this.errText.join('');
  }
}
