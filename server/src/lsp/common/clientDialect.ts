/**
 * Answers in the words of the client: what it has not said that it takes is put otherwise. Features answer in the newest words of the protocol; Neovim, Emacs
 * and Helix each leave out others of them.
 */
import type {
  ClientCapabilities,
  CompletionItem,
  CompletionList,
  DocumentSymbol,
  Hover,
  MarkupContent,
  SignatureHelp,
  SymbolInformation,
} from 'vscode-languageserver';
import { MarkupKind } from 'vscode-languageserver-types';
import { withoutMarkup } from '../../features/words/markdown.js';

type Translation = (result: never, client: ClientCapabilities, uri: string) => unknown;

/** By method; results of other methods are the same for everybody. */
const TRANSLATIONS: Readonly<Record<string, Translation | undefined>> = {
  'textDocument/completion': completion,
  'completionItem/resolve': resolved,
  'textDocument/signatureHelp': signatures,
  'textDocument/documentSymbol': symbols,
  'textDocument/hover': hover,
} satisfies Record<string, Translation>;

/** What a client with these capabilities is sent for a `result` of ours about the document `uri`. */
export function inDialectOf(client: ClientCapabilities, method: string, uri: string, result: unknown): unknown {
  const translate = TRANSLATIONS[method];
  return translate === undefined || result === null ? result : translate(result as never, client, uri);
}

/** Kinds of text that the client names; one that names none has always got Markdown. */
function takesMarkdown(formats: unknown): boolean {
  return !Array.isArray(formats) || formats.includes(MarkupKind.Markdown);
}

const plain = ({ value }: MarkupContent): MarkupContent => ({
  kind: MarkupKind.PlainText,
  value: withoutMarkup(value),
});

/** Class, liveness and the reason against an item stand after its label, or else where the client shows a type. */
function completion(list: CompletionList, client: ClientCapabilities): CompletionList {
  if (client.textDocument?.completion?.completionItem?.labelDetailsSupport === true) return list;
  const items = list.items.map(({ labelDetails, ...item }): CompletionItem => {
    const words = [labelDetails?.detail?.trim(), labelDetails?.description].filter((w) => w !== undefined && w !== '');
    return words.length === 0 ? item : { ...item, detail: words.join(' · ') };
  });
  return { ...list, items };
}

function resolved(item: CompletionItem, client: ClientCapabilities): CompletionItem {
  const { documentation } = item;
  if (typeof documentation !== 'object') return item;
  return takesMarkdown(client.textDocument?.completion?.completionItem?.documentationFormat)
    ? item
    : { ...item, documentation: plain(documentation) };
}

function hover(answer: Hover, client: ClientCapabilities): Hover {
  return takesMarkdown(client.textDocument?.hover?.contentFormat)
    ? answer
    : { ...answer, contents: plain(answer.contents as MarkupContent) };
}

/** A parameter is a part of the label: by its place, or by its text. After the last one none is active, for those who know that there may be none. */
function signatures(given: SignatureHelp, client: ClientCapabilities): SignatureHelp {
  const { parameterInformation, noActiveParameterSupport } =
    client.textDocument?.signatureHelp?.signatureInformation ?? {};
  const isBehind = (given.activeParameter ?? 0) >= (given.signatures[0]?.parameters?.length ?? 0);
  const help = isBehind && noActiveParameterSupport === true ? { ...given, activeParameter: null } : given;
  if (parameterInformation?.labelOffsetSupport === true) return help;
  return {
    ...help,
    signatures: help.signatures.map((s) => ({
      ...s,
      parameters: (s.parameters ?? []).map((p) =>
        typeof p.label === 'string' ? p : { ...p, label: s.label.slice(p.label[0], p.label[1]) },
      ),
    })),
  };
}

/** A tree, or a list that says what each symbol is in. */
function symbols(tree: readonly DocumentSymbol[], client: ClientCapabilities, uri: string): unknown {
  if (client.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true) return tree;
  const flat = (list: readonly DocumentSymbol[], containerName?: string): SymbolInformation[] =>
    list.flatMap(({ name, kind, range, children }) => [
      { name, kind, location: { uri, range }, ...(containerName === undefined ? {} : { containerName }) },
      ...flat(children ?? [], name),
    ]);
  return flat(tree);
}
