/** The open documents that are logs of machine dumps rather than MIR. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isMachineLog, LogDocument } from '../features/machineLog/logDocument.js';
import type { Settings } from '../program/settings.js';
import type { DocumentChange } from './analysisHost.js';

export class MachineLogs {
  private readonly logs = new Map<string, LogDocument>();

  constructor(private settings: Settings) {}

  configure(settings: Settings): void {
    this.settings = settings;
    for (const { uri, version, text } of [...this.logs.values()]) this.take(uri, version, text);
  }

  get(uri: string): LogDocument | undefined {
    return this.logs.get(uri);
  }

  get all(): Iterable<LogDocument> {
    return this.logs.values();
  }

  /** False: the text is no log. */
  open(uri: string, version: number, text: string): boolean {
    if (!isMachineLog(text)) {
      this.logs.delete(uri);
      return false;
    }
    this.take(uri, version, text);
    return true;
  }

  /** The text after the changes. O(text) */
  textAfter(uri: string, version: number, changes: readonly DocumentChange[]): string {
    const document = TextDocument.create(uri, '', 0, this.logs.get(uri)?.text ?? '');
    return TextDocument.update(document, [...changes], version).getText();
  }

  close(uri: string): void {
    this.logs.delete(uri);
  }

  private take(uri: string, version: number, text: string): void {
    this.logs.set(uri, new LogDocument(uri, version, text, this.settings));
  }
}
