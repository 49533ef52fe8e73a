/**
 * The open documents as the protocol thread knows them: enough to give a new worker their present texts. Edits are kept as they came and
 * put into the text only when somebody wants it.
 */
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { TargetOptions } from '../../program/targetOfFile.js';
import type { ContentChange } from './messages.js';

/** Edits kept one by one before they are put into the text. */
const MAX_PENDING_EDITS = 512;

/** A RUN line's index, a target, or null for the file's own choice. */
export type ChosenTarget = TargetOptions | number | null;

class MirroredDocument {
  target: ChosenTarget = null;
  private edits: ContentChange[] = [];

  constructor(
    private base: TextDocument,
    public version: number,
  ) {}

  change(version: number, changes: readonly ContentChange[]): void {
    this.version = version;
    for (const change of changes) this.edits.push(change);
    if (this.edits.length > MAX_PENDING_EDITS) this.text();
  }

  text(): string {
    if (this.edits.length > 0) this.base = TextDocument.update(this.base, this.edits, this.version);
    this.edits = [];
    return this.base.getText();
  }
}

export class DocumentMirror {
  private readonly documents = new Map<string, MirroredDocument>();

  get uris(): readonly string[] {
    return [...this.documents.keys()];
  }

  get(uri: string): { readonly version: number; readonly target: ChosenTarget; text(): string } | undefined {
    return this.documents.get(uri);
  }

  /** Opening a document that is open already replaces its text; the chosen target stays. */
  open(uri: string, version: number, text: string): void {
    const document = new MirroredDocument(TextDocument.create(uri, 'mir', version, text), version);
    document.target = this.documents.get(uri)?.target ?? null;
    this.documents.set(uri, document);
  }

  /** False for a document that is not open. */
  change(uri: string, version: number, changes: readonly ContentChange[]): boolean {
    const document = this.documents.get(uri);
    document?.change(version, changes);
    return document !== undefined;
  }

  selectTarget(uri: string, target: ChosenTarget): boolean {
    const document = this.documents.get(uri);
    if (document) document.target = target;
    return document !== undefined;
  }

  close(uri: string): boolean {
    return this.documents.delete(uri);
  }
}
