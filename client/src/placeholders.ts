/**
 * What stands for the operands of an opcode that was accepted from the list (`src0`): while one is selected, what fits is offered; what llc would say
 * of it is shown when the line is left.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient, Middleware } from 'vscode-languageclient';
import { saysBroken } from './plainText';

/** The line that is being filled. */
interface Filling {
  readonly document: vscode.TextDocument;
  line: number;
  readonly words: ReadonlySet<string>;
  /** lenses were left out */
  lacksLenses: boolean;
}

/** Longer lists come from nobody. */
const MAX_WORDS = 100;

/** Until VS Code has moved on to a stop: the list that it closes meanwhile would be ours. */
const SETTLED_MS = 60;

export class Placeholders implements vscode.Disposable {
  private filling: Filling | undefined;
  /** the last whole answer of documents that are told */
  private readonly told = new Map<string, vscode.Diagnostic[]>();
  /** documents of which something was left out since they were asked for */
  private readonly incomplete = new Set<string>();
  private client: BaseLanguageClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor() {
    const { window, workspace, commands } = vscode;
    this.disposables = [
      commands.registerCommand('amdgpu-mir.fillOperands', (words: unknown) => this.begin(words)),
      window.onDidChangeTextEditorSelection((e) => this.moved(e)),
      window.onDidChangeActiveTextEditor((editor) => {
        if (editor?.document !== this.filling?.document) this.end();
      }),
      workspace.onDidChangeTextDocument((e) => this.edited(e)),
      workspace.onDidCloseTextDocument((document) => {
        this.told.delete(document.uri.toString());
        this.incomplete.delete(document.uri.toString());
        if (document === this.filling?.document) this.filling = undefined;
      }),
    ];
  }

  /** Tells it whose diagnostics these are. */
  attach(client: BaseLanguageClient): void {
    this.client = client;
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const d of this.disposables) d.dispose();
  }

  /** For clients that are told. */
  readonly handleDiagnostics: NonNullable<Middleware['handleDiagnostics']> = (uri, diagnostics, next) => {
    this.told.set(uri.toString(), diagnostics);
    next(uri, this.without(uri, diagnostics));
  };

  /** For those that ask: where something was left out, "as before" is no answer. */
  previousResult(document: vscode.TextDocument | vscode.Uri, id: string | undefined): string | undefined {
    const uri = document instanceof vscode.Uri ? document : document.uri;
    return this.incomplete.has(uri.toString()) || uri.toString() === this.filling?.document.uri.toString()
      ? undefined
      : id;
  }

  /** Those that are not about a placeholder of the line that is being filled. */
  without(uri: vscode.Uri, diagnostics: vscode.Diagnostic[]): vscode.Diagnostic[] {
    const { filling } = this;
    if (!filling || filling.document.uri.toString() !== uri.toString()) {
      this.incomplete.delete(uri.toString());
      return diagnostics;
    }
    const kept = diagnostics.filter(({ range }) => !this.isPlaceholder(filling, range));
    if (kept.length < diagnostics.length) this.incomplete.add(uri.toString());
    return kept;
  }

  private isPlaceholder({ document, line, words }: Filling, { start }: vscode.Range): boolean {
    if (start.line !== line || document.lineCount <= line) return false;
    return words.has(wordFrom(document.lineAt(line).text, start.character));
  }

  /** Those that do not say that the line that is being filled is wrong. */
  withoutLenses(document: vscode.TextDocument, lenses: vscode.CodeLens[]): vscode.CodeLens[] {
    const { filling } = this;
    if (filling?.document !== document) return lenses;
    const kept = lenses.filter(({ command }) => !saysBroken(command?.title ?? '', filling.line + 1));
    if (kept.length < lenses.length) filling.lacksLenses = true;
    return kept;
  }

  private begin(words: unknown): void {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== 'mir' || !Array.isArray(words)) return;
    const known = words.filter((w): w is string => typeof w === 'string').slice(0, MAX_WORDS);
    const { document, selection } = editor;
    this.filling = { document, line: selection.active.line, words: new Set(known), lacksLenses: false };
    this.offer();
  }

  /** What may stand there, and which operand it is. */
  private offer(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.filling) return;
      void vscode.commands.executeCommand('editor.action.triggerParameterHints');
      void vscode.commands.executeCommand('editor.action.triggerSuggest');
    }, SETTLED_MS);
  }

  private moved({ textEditor, selections, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const { filling } = this;
    if (!filling || textEditor.document !== filling.document) return;
    const [selection] = selections;
    if (!selection || selections.some((s) => s.active.line !== filling.line)) return this.end();
    const isMoved = kind !== vscode.TextEditorSelectionChangeKind.Mouse && !selection.isEmpty;
    if (isMoved && filling.words.has(filling.document.getText(selection))) this.offer();
  }

  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const { filling } = this;
    if (document !== filling?.document) return;
    for (const { range, text } of contentChanges)
      if (range.end.line < filling.line)
        filling.line += text.split('\n').length - 1 - (range.end.line - range.start.line);
  }

  /** The line is left: what was left out is shown. */
  private end(): void {
    const { filling } = this;
    this.filling = undefined;
    if (!filling) return;
    clearTimeout(this.timer);
    const { uri } = filling.document;
    if (filling.lacksLenses) {
      const lenses = this.client?.getFeature('textDocument/codeLens').getProvider(filling.document);
      lenses?.onDidChangeCodeLensEmitter.fire();
    }
    if (!this.incomplete.delete(uri.toString())) return;
    const told = this.told.get(uri.toString());
    if (told) {
      this.client?.diagnostics?.set(uri, told);
      return;
    }
    // Asked for again, and not "as before".
    this.incomplete.add(uri.toString());
    const provider = this.client?.getFeature('textDocument/diagnostic')?.getProvider(filling.document) as
      { onDidChangeDiagnosticsEmitter?: vscode.EventEmitter<void> } | undefined;
    provider?.onDidChangeDiagnosticsEmitter?.fire();
  }
}

/** The word that begins at a column. */
const wordFrom = (text: string, column: number): string => /^[%$@]?[\w.]*/.exec(text.slice(column))![0];
