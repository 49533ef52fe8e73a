/** CommandIO that keeps what a command writes to standard output and error. */
import type { CommandIO } from './io.js';
import { readInput, writeOutput } from './processIO.js';

export class BufferedIO implements CommandIO {
  private readonly outText: string[] = [];
  private readonly errText: string[] = [];

  read(path: string): string {
    return readInput(path);
  }

  stdout(text: string): void {
    this.outText.push(text);
  }

  stderr(text: string): void {
    this.errText.push(text);
  }

  writeFile(path: string, text: string): void {
    writeOutput(path, text);
  }

  out(): string {
    return this.outText.join('');
  }

  err(): string {
    return this.errText.join('');
  }
}
