/** Colours of a terminal, or none. */
import { styleText } from 'node:util';

export interface Palette {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

const same = (text: string): string => text;

export const PLAIN: Palette = { bold: same, dim: same, red: same, yellow: same, green: same };

/** Whether there are colours is decided by `--color` and the stream that is written to, not by this process's standard output. */
const styled =
  (style: keyof Palette) =>
  (text: string): string =>
    styleText(style, text, { validateStream: false });

export const COLOURED: Palette = {
  bold: styled('bold'),
  dim: styled('dim'),
  red: styled('red'),
  yellow: styled('yellow'),
  green: styled('green'),
};
