/** Markdown as marked reads it, with which VS Code shows hovers. */
import { createRequire } from 'node:module';

export interface MarkdownToken {
  readonly type: string;
  readonly raw: string;
  readonly text?: string;
  readonly href?: string;
  readonly tokens?: readonly MarkdownToken[];
}

const { marked } = createRequire(__filename)('marked') as {
  marked: { lexer(source: string, options: { gfm: boolean }): MarkdownToken[] };
};

/** All tokens, each before those inside of it. */
export function markdownTokens(source: string): MarkdownToken[] {
  const all: MarkdownToken[] = [];
  const walk = (token: MarkdownToken): void => {
    all.push(token);
    token.tokens?.forEach(walk);
  };
  marked.lexer(source, { gfm: true }).forEach(walk);
  return all;
}
