/** Colours of a terminal, or none. */
export interface Palette {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

const same = (text: string): string => text;

export const PLAIN: Palette = { bold: same, dim: same, red: same, yellow: same, green: same };

const ansi =
  (code: number) =>
  (text: string): string =>
    `\u001b[${code}m${text}\u001b[0m`;

export const COLOURED: Palette = { bold: ansi(1), dim: ansi(2), red: ansi(31), yellow: ansi(33), green: ansi(32) };
