/**
 * The symbols of all MIR files of the workspace. Files are read and scanned one after the other in the background, with progress; a file
 * that changes is scanned again. Open documents are not taken from here: their text may differ from the file.
 */
import type { FileSymbol } from '../../features/navigation/workspaceSymbols.js';
import type { FileAccess } from './fileAccess.js';

/** The display of the editor while files are read. */
export interface IndexProgress {
  report(done: number, all: number): void;
  done(): void;
}

export class WorkspaceIndex {
  private readonly files = new Map<string, readonly FileSymbol[]>();
  private readonly waiting = new Set<string>();
  private running: Promise<void> | null = null;
  /** the file that is being read, unless it is gone meanwhile */
  private reading: string | null = null;
  /** lists of folders that were asked for: only the last one counts, whichever comes first */
  private nLists = 0;
  private isDisposed = false;

  /**
   * @param scan symbols of a text, made where it does not disturb (the analysis worker); null when there is no answer
   * @param begin shows that work begins; called for several files only
   */
  constructor(
    private readonly access: FileAccess,
    private readonly scan: (text: string) => Promise<readonly FileSymbol[] | null>,
    private readonly begin: () => Promise<IndexProgress>,
  ) {}

  /** Symbols by the address of their file. */
  get symbols(): ReadonlyMap<string, readonly FileSymbol[]> {
    return this.files;
  }

  /** Reads all files of the folders; those that are gone are forgotten. Resolves when all is read. */
  async readFolders(folders: readonly string[]): Promise<void> {
    const list = ++this.nLists;
    const uris = await this.access.list(folders);
    if (list !== this.nLists) return;
    const present = new Set(uris);
    for (const uri of [...this.files.keys(), ...this.waiting, this.reading ?? ''])
      if (!present.has(uri)) this.deleted(uri);
    for (const uri of uris) this.waiting.add(uri);
    await this.work();
  }

  /** A file was made or changed. */
  changed(uri: string): Promise<void> {
    this.waiting.add(uri);
    return this.work();
  }

  deleted(uri: string): void {
    this.waiting.delete(uri);
    this.files.delete(uri);
    if (this.reading === uri) this.reading = null;
  }

  dispose(): void {
    this.isDisposed = true;
    this.waiting.clear();
  }

  private work(): Promise<void> {
    this.running ??= this.readAll().finally(() => (this.running = null));
    return this.running;
  }

  private async readAll(): Promise<void> {
    const progress = this.waiting.size > 1 ? await this.begin() : null;
    let done = 0;
    try {
      for (const uri of this.waiting) {
        if (this.isDisposed) break;
        this.waiting.delete(uri);
        await this.readOne(uri);
        done++;
        progress?.report(done, done + this.waiting.size);
      }
    } finally {
      progress?.done();
    }
  }

  private async readOne(uri: string): Promise<void> {
    this.reading = uri;
    const text = await this.access.read(uri);
    const symbols = text === null ? null : await this.scan(text);
    if (this.reading !== uri) return;
    this.reading = null;
    if (symbols) this.files.set(uri, symbols);
    else this.files.delete(uri);
  }
}
