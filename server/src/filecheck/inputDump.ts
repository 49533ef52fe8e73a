/** The input with what happened in it, as `FileCheck --dump-input` prints it (LLVM 22). */
import { EventKind, type MatchEvent } from './checker.js';
import { Color, type Painter } from './message.js';
import { DirectiveKind, type DirectiveType } from './pattern.js';
import type { Location, SourceBuffer } from './sourceBuffer.js';

/** Which lines are printed; the others are left out beyond the context. */
export const enum DumpFilter {
  Error,
  Annotation,
  AnnotationFull,
  All,
}

export interface DumpOptions {
  readonly filter: DumpFilter;
  /** lines around those of the filter */
  readonly context: number;
  /** -v: what no match covers is highlighted where colours are on */
  readonly isVerbose: boolean;
}

interface Marker {
  readonly lead: string;
  readonly color: Color;
  readonly note: string;
  readonly isError: boolean;
}

const marker = (lead: string, color: Color, note = '', isError = false): Marker => ({ lead, color, note, isError });

const MARKERS: Readonly<Record<EventKind, Marker>> = {
  [EventKind.FoundExpected]: marker('^', Color.Green),
  [EventKind.FoundExcluded]: marker('!', Color.Red, 'error: no match expected', true),
  [EventKind.FoundOnWrongLine]: marker('!', Color.Red, 'error: match on wrong line', true),
  [EventKind.FoundDiscarded]: marker('!', Color.Cyan, 'discard: overlaps earlier match'),
  [EventKind.NoneExcluded]: marker('X', Color.Green),
  [EventKind.NoneExpected]: marker('X', Color.Red, 'error: no match found', true),
  [EventKind.NoneInvalid]: marker('X', Color.Red, 'error: match failed for invalid pattern', true),
  [EventKind.Closest]: marker('?', Color.Magenta, 'possible intended match', true),
};

/** A mark below a line of the input. */
interface Annotation {
  readonly label: string;
  /** a match of several lines has a mark on each */
  readonly isFirstLine: boolean;
  readonly line: number;
  /** columns from 1, the end left out; Infinity = to the end of the line */
  readonly startColumn: number;
  readonly endColumn: number;
  readonly marker: Marker;
  readonly isGood: boolean;
}

const ABBREVIATIONS: Readonly<Record<DirectiveKind, string>> = {
  [DirectiveKind.Plain]: 'check',
  [DirectiveKind.Next]: 'next',
  [DirectiveKind.Same]: 'same',
  [DirectiveKind.Not]: 'not',
  [DirectiveKind.Dag]: 'dag',
  [DirectiveKind.Label]: 'label',
  [DirectiveKind.Empty]: 'empty',
  [DirectiveKind.EndOfFile]: 'eof',
};

const abbreviate = ({ kind, count }: DirectiveType): string => (count > 1 ? 'count' : ABBREVIATIONS[kind]);

/** Blanks between labels or line numbers and what they label. */
const LABEL_MARGIN = 3;
/** Lines that stand for those left out. */
const ELLIPSIS_LINES = 3;
const NEVER = Infinity;
const UINT = 2 ** 32;

/** The dump with its frame; `implicit` are the buffers of the implicit patterns, in order. */
export function dumpInput(
  input: SourceBuffer,
  events: readonly MatchEvent[],
  implicit: readonly SourceBuffer[],
  options: DumpOptions,
  painter: Painter,
): string {
  const annotations = annotate(input, events, implicit);
  return `Input was:\n<<<<<<\n${new Dump(input.text, annotations, options, painter).print()}>>>>>>\n`;
}

/** Marks in the order of the lines, those of a line in the order of matching. */
function annotate(
  input: SourceBuffer,
  events: readonly MatchEvent[],
  implicit: readonly SourceBuffer[],
): readonly Annotation[] {
  const keys = new Map<SourceBuffer, Map<number, { count: number; seen: number }>>();
  const counterOf = ({ buffer, offset }: Location): { count: number; seen: number } => {
    let inBuffer = keys.get(buffer);
    if (inBuffer === undefined) keys.set(buffer, (inBuffer = new Map()));
    let counter = inBuffer.get(offset);
    if (counter === undefined) inBuffer.set(offset, (counter = { count: 0, seen: 0 }));
    return counter;
  };
  for (const { location } of events) counterOf(location).count++;
  const annotations = events.flatMap((event): Annotation[] => {
    const { buffer, offset } = event.location;
    const counter = counterOf(event.location);
    const nth = implicit.indexOf(buffer);
    const place = nth < 0 ? `${buffer.lineAt(offset)}` : `imp${nth + 1}`;
    const label = `${abbreviate(event.type)}:${place}${counter.count > 1 ? `'${counter.seen++}` : ''}`;
    return marksOf(event, label, input);
  });
  // A stable sort keeps the order of matching on each line.
  return annotations.sort((a, b) => a.line - b.line);
}

function marksOf({ kind, start, end, note }: MatchEvent, label: string, input: SourceBuffer): Annotation[] {
  const [startLine, endLine] = [input.lineAt(start), input.lineAt(end)];
  const [startColumn, endColumn] = [input.columnAt(start), input.columnAt(end)];
  let marker = MARKERS[kind];
  const isOneLine = startLine === endLine;
  // A note without extent says something about its place, it marks nothing.
  if (note !== '') marker = { ...marker, note, lead: isOneLine && startColumn === endColumn ? ' ' : marker.lead };
  const isGood = kind === EventKind.FoundExpected;
  const first = { label, isFirstLine: true, line: startLine, startColumn, marker, isGood };
  if (isOneLine) return [{ ...first, endColumn: Math.max(startColumn + 1, endColumn) }];
  const marks: Annotation[] = [{ ...first, endColumn: Infinity }];
  const rest: Marker = { ...marker, lead: '~', note: '' };
  for (let line = startLine + 1; line <= endLine; line++) {
    const isLast = line === endLine;
    if (isLast && endColumn === 1) break;
    const columns = { startColumn: 1, endColumn: isLast ? endColumn : Infinity };
    marks.push({ label, isFirstLine: false, line, ...columns, marker: rest, isGood });
  }
  return marks;
}

class Dump {
  private readonly width: number;
  private out = '';
  private elided = '';
  private nElided = 0;
  /** the next annotation to be printed */
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly annotations: readonly Annotation[],
    private readonly options: DumpOptions,
    private readonly painter: Painter,
  ) {
    let nLines = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) nLines++;
    if (!text.endsWith('\n')) nLines++;
    const labels = annotations.reduce((most, { label }) => Math.max(most, label.length), 0);
    this.width = Math.max(labels, String(nLines).length) + LABEL_MARGIN;
  }

  print(): string {
    const { text, annotations, painter } = this;
    // The question whether colours are on leaves its codes.
    this.out = painter.paint(null, '');
    let previous = 0;
    let next = 0;
    for (let line = 1, at = 0; at < text.length || this.at < annotations.length; line++) {
      if (next < line) next = this.nextShown(line);
      if (next === line) previous = line;
      const eol = text.indexOf('\n', at);
      const end = eol < 0 ? text.length : eol + 1;
      const printed = this.printLine(line, text.slice(at, end));
      at = end;
      if (this.isElided(line, previous, next)) {
        this.elided += printed.text;
        this.nElided += printed.nLines;
      } else {
        this.flush();
        this.out += printed.text;
      }
    }
    this.flush();
    return this.out;
  }

  /** The first line from `line` on that the filter asks for. */
  private nextShown(line: number): number {
    const { filter } = this.options;
    if (filter === DumpFilter.All) return line;
    for (let k = this.at; k < this.annotations.length; k++) {
      const { isFirstLine, marker, line: shown } = this.annotations[k]!;
      if (filter === DumpFilter.AnnotationFull) return shown;
      if (isFirstLine && (filter === DumpFilter.Annotation || marker.isError)) return shown;
    }
    return NEVER;
  }

  private isElided(line: number, previous: number, next: number): boolean {
    // Sums of lines are 32 bits wide in FileCheck.
    const { context } = this.options;
    const isBehind = previous === 0 || (previous + context) % UINT < line;
    return isBehind && (next === NEVER || (line + context) % UINT < next);
  }

  /** What was left out since the last line: an ellipsis, if that is shorter. */
  private flush(): void {
    if (this.nElided > ELLIPSIS_LINES) {
      const dots = `${this.painter.paint(Color.Black, '.'.padStart(this.width))}\n`;
      this.out += dots.repeat(ELLIPSIS_LINES);
    } else this.out += this.elided;
    this.elided = '';
    this.nElided = 0;
  }

  private printLine(line: number, content: string): { text: string; nLines: number } {
    const { painter, annotations } = this;
    const first = this.at;
    while (this.at < annotations.length && annotations[this.at]!.line === line) this.at++;
    const marks = annotations.slice(first, this.at);
    const number = painter.paint(Color.Black, `${String(line).padStart(this.width)}: `);
    let text = `${number}${this.printContent(content, marks)}\n`;
    for (const mark of marks) text += painter.paint(mark.marker.color, this.printMark(mark, content.length));
    return { text, nLines: 1 + marks.length };
  }

  private printContent(content: string, marks: readonly Annotation[]): string {
    const { painter, options } = this;
    const shown = content.endsWith('\n') ? `${content.slice(0, -1)} ` : content;
    if (!painter.isColored || !options.isVerbose) return painter.paint(null, shown);
    const highlight = painter.begin(Color.Cyan, true);
    const good = marks.filter((m) => m.isGood);
    let text = painter.begin(null) + highlight;
    let wasInMatch = false;
    for (let k = 0; k < shown.length; k++) {
      const isInMatch = good.some((m) => m.startColumn <= k + 1 && k + 1 < m.endColumn);
      if (isInMatch !== wasInMatch) text += isInMatch ? painter.end() : highlight;
      wasInMatch = isInMatch;
      text += shown[k];
    }
    return text + painter.end();
  }

  private printMark({ label, startColumn, endColumn, marker }: Annotation, width: number): string {
    const end = Math.min(endColumn - 1, width);
    const tail = '~'.repeat(Math.max(0, end - startColumn));
    let text = `${' '.repeat(startColumn - 1)}${marker.lead}${tail}`;
    if (marker.note !== '') text = `${text.padEnd(width)} ${marker.note}`;
    return `${label.padEnd(this.width)}  ${text}\n`;
  }
}
