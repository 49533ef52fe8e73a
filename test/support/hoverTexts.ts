/** Hovers of places in a text, word by word. */
import type { MarkupContent } from 'vscode-languageserver-types';
import { provideHover } from '../../server/src/features/hover/hover.js';
import type { Settings } from '../../server/src/program/settings.js';
import { openText } from './cursor.js';
import { describeParts, type Expectation } from './expect.js';

/** `== 12 %0 4-6`: line, the first such word on it, columns that the answer is about; below it the answer, with `'` for backticks, links by their labels, those that run a command with it. `isFirstPart`: without what stands below a line. */
export function describeHovers(
  what: string,
  text: string,
  hovers: Expectation,
  { isFirstPart = false, ...settings }: Partial<Settings> & { readonly isFirstPart?: boolean } = {},
): void {
  describeParts(what, hovers, (head) => {
    const [, at, word = ''] = /^== (\d+) (\S+)/.exec(head)!;
    const line = Number(at) - 1;
    const { snapshot } = openText(text, settings);
    const character = text.split('\n')[line]!.indexOf(word) + 1;
    const hover = provideHover(snapshot, { position: { line, character } });
    const columns = hover?.range ? ` ${hover.range.start.character}-${hover.range.end.character}` : '';
    const found = hoverText(hover?.contents as MarkupContent | undefined);
    const shown = isFirstPart ? found.replace(/\n*\n---\n[^]*|\n$/, '') : found;
    return `== ${at} ${word}${columns}${shown && `\n${shown}`}`;
  });
}

export const hoverText = (contents: MarkupContent | undefined): string =>
  (contents?.value ?? '')
    .replaceAll(/\]\((?:command:amdgpu-mir\.([^?]*)\?)?([^)]*)\)/g, (_, command: string | undefined, args: string) =>
      command === undefined ? ']' : `](${command} ${decodeURIComponent(decodeURIComponent(args))})`,
    )
    .replaceAll('`', "'")
    .replaceAll(/ {2}\n/g, '\n')
    .replaceAll('\n\n---\n\n', '\n---\n');
