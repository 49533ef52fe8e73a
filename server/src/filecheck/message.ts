/** What FileCheck tells, as data and in the words and colours in which llvm::SourceMgr prints it. */
import type { Location } from './sourceBuffer.js';

export const enum Severity {
  Error = 'error',
  Remark = 'remark',
  Note = 'note',
}

export interface Diagnostic {
  readonly severity: Severity;
  /** null where FileCheck has no place to show */
  readonly location: Location | null;
  readonly message: string;
  /** in the location's buffer, underlined as far as it lies on the line */
  readonly range?: { readonly start: number; readonly end: number };
  /** an empty line follows: LLVM ends what it logs as an error once more */
  readonly isLogged?: boolean;
}

/** A diagnostic, or lines that have no place; these end in a line break. */
export type Message = Diagnostic | string;

/** Takes what is to be told, in order. */
export type Sink = (message: Message) => void;

const TAB_STOP = 8;

const enum Code {
  Reset = '\x1b[0m',
  Bold = '\x1b[1m',
}

/** Names of colours as raw_ostream numbers them. */
export const enum Color {
  Black = 0,
  Red = 1,
  Green = 2,
  Blue = 4,
  Magenta = 5,
  Cyan = 6,
}

/** Puts text into colours, or leaves it as it is. */
export class Painter {
  constructor(readonly isColored: boolean) {}

  /** What changes the colour of what follows; all colours are bold. */
  begin(color: Color | null, isBackground = false): string {
    if (!this.isColored) return '';
    return color === null ? Code.Bold : `\x1b[0;1;${isBackground ? 4 : 3}${color}m`;
  }

  end(): string {
    return this.isColored ? Code.Reset : '';
  }

  paint(color: Color | null, text: string, isBackground = false): string {
    return this.begin(color, isBackground) + text + this.end();
  }
}

const SEVERITY_COLORS: Readonly<Record<Severity, Color>> = {
  [Severity.Error]: Color.Red,
  [Severity.Remark]: Color.Blue,
  [Severity.Note]: Color.Black,
};

export function printMessage(message: Message, painter: Painter): string {
  if (typeof message === 'string') return message;
  const { location, severity } = message;
  const kind = painter.paint(SEVERITY_COLORS[severity], `${severity}: `);
  const said = painter.paint(null, `${message.message}\n`);
  const rest = message.isLogged === true ? '\n' : '';
  if (location === null) return painter.paint(null, '<unknown>:0: ') + kind + said + rest;
  const { buffer, offset } = location;
  const place = painter.paint(null, `${buffer.name}:${buffer.lineAt(offset)}:${buffer.columnAt(offset)}: `);
  return place + kind + said + printLine(message, location, painter) + rest;
}

/** The line of the place and the marks below it. */
function printLine({ range }: Diagnostic, { buffer, offset }: Location, painter: Painter): string {
  const start = buffer.startOfLine(offset);
  const end = buffer.endOfLine(offset);
  const line = buffer.text.slice(start, end);
  const shown = `${line.includes('\t') ? expandTabs(line, line) : line}\n`;
  // Columns of bytes mark nothing in a line that has longer characters.
  if (/[\x80-\xff]/.test(line)) return shown;
  const caret = ' '.repeat(offset - start);
  let marks = `${caret}^`;
  if (range !== undefined && range.start <= end && range.end >= start) {
    const from = Math.max(range.start, start) - start;
    const to = Math.min(range.end, end) - start;
    const all = ' '.repeat(from) + '~'.repeat(Math.max(0, to - from));
    marks = `${all.slice(0, offset - start).padEnd(offset - start)}^${all.slice(offset - start + 1)}`;
  }
  return shown + painter.paint(Color.Green, `${line.includes('\t') ? expandTabs(marks, line) : marks}\n`);
}

/** Each character of `text` that stands where `line` has a tab, up to the next stop; a tab itself becomes blanks. */
function expandTabs(text: string, line: string): string {
  let result = '';
  for (let k = 0; k < text.length; k++) {
    const c = text[k] === '\t' ? ' ' : text[k]!;
    result += c;
    if (line[k] === '\t') while (result.length % TAB_STOP !== 0) result += c;
  }
  return result;
}
