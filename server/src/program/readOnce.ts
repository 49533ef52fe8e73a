/** A run's input, which is read to choose a model, and again by the run: standard input is there once only. */
import { InputError } from './commandIO.js';
import { ForwardingIO } from './forwardingIO.js';

export class ReadOnce extends ForwardingIO {
  private known: { readonly path: string; readonly text: string } | null = null;
  /** In one piece: it may be known. */
  override readonly readPieces = (path: string, take: (piece: string) => boolean): void => void take(this.read(path));

  override read(path: string, maxBytes?: number): string {
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
}
