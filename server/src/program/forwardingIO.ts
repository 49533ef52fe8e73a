/** Another's IO, of which a subclass changes some. */
import type { CommandIO, OutputFile } from './commandIO.js';

export class ForwardingIO implements CommandIO {
  readonly readPieces: NonNullable<CommandIO['readPieces']>;

  constructor(protected readonly io: CommandIO) {
    this.readPieces = (path, take) => {
      if (io.readPieces === undefined) take(io.read(path));
      else io.readPieces(path, take);
    };
  }

  read(path: string, maxBytes?: number): string {
    return this.io.read(path, maxBytes);
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
