/** A run's input, which is read to choose a model, and again by the run: standard input is there once only. */
import { InputError, type CommandIO, type OutputFile } from './commandIO.js';

export class ReadOnce implements CommandIO {
  private known: { readonly path: string; readonly text: string } | null = null;

  constructor(private readonly io: CommandIO) {}

  read(path: string, maxBytes?: number): string {
    const { known } = this;
    if (known?.path === path) return known.text;
    return this.io.read(path, maxBytes);
  }

  /** Empty where it cannot be read, which the run then says. */
  readIfThere(path: string): string {
    try {
      const text = this.io.read(path);
      this.known = { path, text };
      return text;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return '';
    }
  }

  stdout(text: string): void {
    this.io.stdout(text);
  }

  stderr(text: string): void {
    this.io.stderr(text);
  }

  get isStderrLost(): boolean {
    return this.io.isStderrLost;
  }

  openFile(path: string): OutputFile {
    return this.io.openFile(path);
  }

  readonly checkpoint = (): void => this.io.checkpoint?.();
}
