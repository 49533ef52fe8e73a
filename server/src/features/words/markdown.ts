/**
 * Markdown of hovers. This is the only door: a `Markdown` is made by the functions below and by nothing else, and a hover takes nothing
 * else. What stands in a template of ours is markup; what is put into it is text, whoever wrote it. Names, attributes, words of RUN
 * lines and messages come from files that may be hostile: a link or an image among them would be ours in the eyes of the editor.
 */
import { MarkupKind, type MarkupContent } from 'vscode-languageserver-types';
import { cut, visible } from '../../text/visible.js';

/** Markup that is safe to show. Outside of this file it can be put together, but not made. */
class SafeMarkup {
  constructor(readonly source: string) {}

  get isEmpty(): boolean {
    return this.source === '';
  }
}

export type Markdown = SafeMarkup;

/** What a template takes: text is escaped, Markdown stays. */
export type Part = Markdown | string | number;

/** `` rich`**${name}**: ${n} uses` ``: the template is markup, its values are text unless they are Markdown. */
export function rich(template: TemplateStringsArray, ...parts: readonly Part[]): Markdown {
  let out = template[0]!;
  parts.forEach((part, k) => {
    out += sourceOf(part, out.trim() === '') + template[k + 1]!;
  });
  return new SafeMarkup(out);
}

/** `separator` is text, too. */
export function joined(parts: readonly Part[], separator: string): Markdown {
  const between = inline(separator);
  return new SafeMarkup(parts.map((part, k) => sourceOf(part, k === 0)).join(between));
}

/** Text as code: nothing in it is markup, and its backticks stay. */
export function code(text: string): Markdown {
  const shown = cut(visible(text));
  if (shown === '') return new SafeMarkup('(empty)');
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$|^ .*[^ ].* $/.test(shown) ? ' ' : '';
  return new SafeMarkup(fence + pad + shown + pad + fence);
}

/** Our own sentences with `` `code` `` in them; anything else is text. */
export function prose(text: string): Markdown {
  const pieces = text.split('`');
  const isPaired = pieces.length % 2 === 1;
  return isPaired
    ? joined(
        pieces.map((piece, k) => (k % 2 === 1 ? code(piece) : piece)),
        '',
      )
    : rich`${text}`;
}

/** A place of a document by its 0-based line. */
export function lineLink(label: string | number, uri: string, line: number): Markdown {
  return new SafeMarkup(`[${labelText(label)}](${destination(uri)}#L${line + 1})`);
}

/** Runs a command of our client, which checks the arguments again. Only for clients that have said that they know it. */
export function commandLink(label: string, command: string, args: readonly (string | number)[]): Markdown {
  const query = destination(encodeURIComponent(visible(JSON.stringify(args))));
  return new SafeMarkup(`[${labelText(label)}](command:${command}?${query})`);
}

/** Sections of lines, with a rule between sections. */
export function markup(sections: readonly (readonly Markdown[])[]): MarkupContent {
  const value = sections.map((lines) => lines.map(({ source }) => source).join('  \n')).join('\n\n---\n\n');
  return { kind: MarkupKind.Markdown, value };
}

/** Code, a link, an escaped character, an entity, a rule, the end of a line, what makes words bold or slanted. */
const MARKS =
  /(?<!`)(?<fence>`+)(?!`)(?<code>[^]*?[^`])\k<fence>(?!`)|\[(?<label>(?:\\.|[^\\\]])*)\]\([^)]*\)|\\(?<escaped>[^A-Za-z\d\s])|&#(?<entity>\d+);|\n\n---(?=\n\n)|(?<end> {2}(?=\n))|\*+/g;

/** The text of what `markup` made, for those who do not show Markdown. */
export function withoutMarkup(value: string): string {
  return value.replace(MARKS, (...match: unknown[]) => {
    const { code, label, escaped, entity } = match.at(-1) as Readonly<Record<string, string | undefined>>;
    if (code !== undefined) return /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code;
    if (label !== undefined) return withoutMarkup(label);
    return escaped ?? (entity === undefined ? '' : String.fromCodePoint(Number(entity)));
  });
}

function sourceOf(part: Part, isAtStart: boolean): string {
  if (part instanceof SafeMarkup) return part.source;
  const text = inline(String(part));
  return isAtStart ? text.replace(BLOCK_START, '$1$2\\$3') : text;
}

/** Brackets as entities: a backslash does not hold in a label of marked, which VS Code shows hovers with. */
const labelText = (label: string | number): string =>
  inline(String(label)).replace(/\\([[\]])/g, (_, bracket: string) => `&#${bracket.charCodeAt(0)};`);

/** What would begin a heading, a list, a quote, a rule, a table or underline the line above: only at the start of a line. */
const BLOCK_START = /^(\s*)(\d*)([-+=:#>]|(?<=\d)[.)])/;

/**
 * Characters that are markup wherever they stand; `_` only where it is not inside of a word, so that `vgpr_32` stays readable. The rest
 * are addresses, which some readers link by themselves, and VS Code's icons.
 */
const INLINE =
  /[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=[#a-z])|:(?=\/\/)|(?<=\bwww)\.|(?<=[\w.+-])@|(?<=\b(?:mailto|xmpp)):|\$(?=\()/giu;

const inline = (text: string): string => cut(visible(text)).replace(INLINE, '\\$&');

/** An address between `(` and `)`: nothing in it may end it. Letters, digits and what addresses are made of stay as they are. */
const destination = (uri: string): string =>
  visible(uri).replace(/[^\w\-.~:/?#@$&+,;=%]/gu, (c) =>
    encodeURIComponent(c).replace(/[!'()*]/g, (p) => `%${p.charCodeAt(0).toString(16).toUpperCase()}`),
  );
