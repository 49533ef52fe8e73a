/** Matches the directives of a check file against an input, as FileCheck of LLVM 22 does, and records every step. */
import type { CheckFile, CheckString, PrefixedPattern } from './checkFile.js';
import { closestMatch } from './closestMatch.js';
import { Severity, type Sink } from './message.js';
import type { FileCheckOptions } from './options.js';
import { DirectiveKind, lowerCase, SearchText, type DirectiveType, type Pattern } from './pattern.js';
import { SourceBuffer, type Location } from './sourceBuffer.js';
import { lazy } from '../util/lazy.js';

export const enum EventKind {
  FoundExpected,
  FoundExcluded,
  FoundOnWrongLine,
  /** overlaps an earlier DAG */
  FoundDiscarded,
  NoneExcluded,
  NoneExpected,
  /** the pattern could not be put together */
  NoneInvalid,
  /** what might have been meant */
  Closest,
}

/** A step of matching: a match, a search without one, or a note on the step before. */
export interface MatchEvent {
  readonly type: DirectiveType;
  /** of the pattern */
  readonly location: Location;
  kind: EventKind;
  /** in the input: what was found, or what was searched */
  readonly start: number;
  readonly end: number;
  readonly note: string;
}

export interface CheckRun {
  readonly isPassed: boolean;
  /** in the order of matching; empty when not recorded */
  readonly events: readonly MatchEvent[];
}

/**
 * Runs all checks. With `isRecording` what succeeds is recorded only, without it is told, too (as far as --v asks for it); errors are always
 * told.
 */
export function checkInput(
  file: CheckFile,
  input: SourceBuffer,
  options: FileCheckOptions,
  sink: Sink,
  isRecording: boolean,
): CheckRun {
  const checker = new Checker(file, input, options, sink, isRecording);
  return { isPassed: checker.run(), events: checker.events };
}

/** A directive could not be matched; it has been told. */
const FAILED = -1;

/** A part of the input in which a run of directives is matched. */
interface Region {
  readonly text: SearchText;
  /** where it begins in the input */
  readonly origin: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const enum Line {
  Same,
  Next,
  Later,
}

class Checker {
  readonly events: MatchEvent[] = [];
  private readonly lower = lazy(() => lowerCase(this.input.text));

  constructor(
    private readonly file: CheckFile,
    private readonly input: SourceBuffer,
    private readonly options: FileCheckOptions,
    private readonly sink: Sink,
    private readonly isRecording: boolean,
  ) {}

  /** Labels cut the input into regions; the directives between two labels see one region each. */
  run(): boolean {
    const { checks, variables } = this.file;
    let isPassed = true;
    let rest = 0;
    let next = 0;
    for (;;) {
      let stop = next;
      while (stop < checks.length && checks[stop]!.pattern.type.kind !== DirectiveKind.Label) stop++;
      const isLast = stop === checks.length;
      let end = this.input.text.length;
      if (!isLast) {
        const label = this.match(checks[stop]!, this.region(rest, end), 0, true);
        if (label === null) return false;
        end = rest + label.end;
        stop++;
      }
      if (next > 0 && this.options.enableVarScope) variables.clearLocal();
      if (!this.checkRegion(checks.slice(next, stop), this.region(rest, end))) isPassed = false;
      if (isLast) return isPassed;
      rest = end;
      next = stop;
    }
  }

  private region(origin: number, end: number): Region {
    return { text: new SearchText(this.input.text.slice(origin, end), () => this.lower().slice(origin, end)), origin };
  }

  private checkRegion(checks: readonly CheckString[], region: Region): boolean {
    let at = 0;
    for (const check of checks) {
      const match = this.match(check, region, at, false);
      if (match === null) return false;
      at = match.end;
    }
    return true;
  }

  /** Matches a directive from `from` on. `isScan`: looks for a label only, whatever stands before it. */
  private match(check: CheckString, region: Region, from: number, isScan: boolean): Span | null {
    const { pattern } = check;
    const end = region.text.text.length;
    const nots: PrefixedPattern[] = [];
    const start = isScan ? from : this.matchDags(check, region, from, nots);
    if (start === FAILED) return null;
    let at = start;
    let first = start;
    for (let turn = 1; turn <= pattern.type.count; turn++) {
      const found = pattern.match(region.text, at, end, region.origin);
      const searched = { start: at, end };
      if (found === null || found.kind === 'invalid') {
        this.reportNone(check, region, searched, turn, true, found?.problems ?? []);
        return null;
      }
      this.reportFound(check, region, found, turn, true);
      if (turn === 1) first = found.start;
      at = found.end;
    }
    const span = { start: first, end: at };
    if (isScan) return span;
    const skipped = { start, end: first };
    if (!this.isOnRightLine(check, region, skipped)) {
      this.recordWrongLine(pattern, region, span);
      return null;
    }
    return this.hasNone(nots, region, skipped) ? span : null;
  }

  /**
   * The DAGs before a directive, each group in any order but without overlaps; NOTs between groups. Where to go on; `nots` are left
   * those after the last group.
   */
  private matchDags(check: CheckString, region: Region, from: number, nots: PrefixedPattern[]): number {
    let start = from;
    /** matches of the group, in order and apart from each other */
    let taken: Span[] = [];
    for (const [k, before] of check.before.entries()) {
      if (before.pattern.type.kind === DirectiveKind.Not) {
        nots.push(before);
        continue;
      }
      const match = this.matchDag(before, region, start, taken);
      if (match === null) return FAILED;
      const next = check.before[k + 1];
      if (next !== undefined && next.pattern.type.kind !== DirectiveKind.Not) continue;
      if (nots.length > 0) {
        if (!this.hasNone(nots, region, { start, end: taken[0]!.start })) return FAILED;
        nots.length = 0;
      }
      start = taken[taken.length - 1]!.end;
      taken = [];
    }
    return start;
  }

  /** Finds a DAG where no other of its group lies and adds it to `taken`. */
  private matchDag(dag: PrefixedPattern, region: Region, from: number, taken: Span[]): Span | null {
    const { pattern } = dag;
    const { verboseVerbose, allowDeprecatedDagOverlap } = this.options;
    const end = region.text.text.length;
    let at = from;
    for (let k = 0; ;) {
      const found = pattern.match(region.text, at, end, region.origin);
      if (found === null || found.kind === 'invalid') {
        this.reportNone(dag, region, { start: at, end }, 1, true, found?.problems ?? []);
        return null;
      }
      const match = { start: found.start, end: found.end };
      if (verboseVerbose) this.reportFound(dag, region, match, 1, true);
      if (allowDeprecatedDagOverlap) {
        const all = taken[0];
        if (all === undefined) taken.push(match);
        else taken[0] = { start: Math.min(all.start, match.start), end: Math.max(all.end, match.end) };
        if (!verboseVerbose) this.reportFound(dag, region, match, 1, true);
        return match;
      }
      while (k < taken.length && match.start >= taken[k]!.end) k++;
      const other = taken[k];
      if (other === undefined || other.start >= match.end) {
        taken.splice(k, 0, match);
        if (!verboseVerbose) this.reportFound(dag, region, match, 1, true);
        return match;
      }
      if (verboseVerbose) this.discard(region, other);
      at = other.end;
      k++;
    }
  }

  private discard(region: Region, other: Span): void {
    if (this.isRecording) {
      this.changeLast(EventKind.FoundDiscarded);
      return;
    }
    const message = 'match discarded, overlaps earlier DAG match here';
    this.tellAt(Severity.Note, region, other.start, message, other);
  }

  /** Whether none of the patterns is in the span; each that is gets told. */
  private hasNone(nots: readonly PrefixedPattern[], region: Region, { start, end }: Span): boolean {
    let isClean = true;
    for (const not of nots) {
      const found = not.pattern.match(region.text, start, end, region.origin);
      if (found?.kind === 'found') {
        this.reportFound(not, region, found, 1, false);
        isClean = false;
      } else {
        const problems = found?.problems ?? [];
        this.reportNone(not, region, { start, end }, 1, false, problems);
        if (problems.length > 0) isClean = false;
      }
    }
    return isClean;
  }

  /** NEXT, EMPTY and SAME say how many line breaks may lie in `skipped`. */
  private isOnRightLine(check: CheckString, region: Region, skipped: Span): boolean {
    const { kind } = check.pattern.type;
    if (kind !== DirectiveKind.Next && kind !== DirectiveKind.Empty && kind !== DirectiveKind.Same) return true;
    const { line, firstLineEnd } = linesApart(region.text.text, skipped);
    const isSame = kind === DirectiveKind.Same;
    if (line === (isSame ? Line.Same : Line.Next)) return true;
    const name = `${check.prefix}-${isSame ? 'SAME' : kind === DirectiveKind.Empty ? 'EMPTY' : 'NEXT'}`;
    const why = isSame
      ? 'is not on the same line as the previous match'
      : line === Line.Same
        ? 'is on the same line as previous match'
        : 'is not on the line after the previous match';
    this.sink({ severity: Severity.Error, location: check.location, message: `${name}: ${why}` });
    this.tellAt(Severity.Note, region, skipped.end, "'next' match was here");
    this.tellAt(Severity.Note, region, skipped.start, 'previous match ended here');
    if (!isSame && line === Line.Later)
      this.tellAt(Severity.Note, region, firstLineEnd, 'non-matching line after previous match is here');
    return false;
  }

  private recordWrongLine(pattern: Pattern, region: Region, span: Span): void {
    if (!this.isRecording) return;
    if (this.options.verbose) this.changeLast(EventKind.FoundOnWrongLine);
    else this.record(pattern, EventKind.FoundOnWrongLine, region, span, '');
  }

  private reportFound(
    { pattern, prefix }: PrefixedPattern,
    region: Region,
    span: Span,
    turn: number,
    isExpected: boolean,
  ): void {
    const { verbose, verboseVerbose } = this.options;
    const isQuiet = pattern.type.kind === DirectiveKind.EndOfFile ? !verboseVerbose : !verbose;
    if (isExpected && isQuiet) return;
    const notes = pattern.substitutionNotes();
    const captured = pattern.captured();
    if (this.isRecording) {
      const kind = isExpected ? EventKind.FoundExpected : EventKind.FoundExcluded;
      this.record(pattern, kind, region, span, '');
      for (const note of notes) this.record(pattern, kind, region, { start: span.start, end: span.start }, note);
      for (const { name, range } of captured)
        this.recordAt(pattern, kind, range?.start ?? 0, range?.end ?? 0, `captured var "${name}"`);
      if (isExpected) return;
    }
    const what = `${isExpected ? 'expected' : 'excluded'} string found in input`;
    this.sink({
      severity: isExpected ? Severity.Remark : Severity.Error,
      location: pattern.location,
      message: `${describe(pattern.type, prefix)}: ${what}${turnOf(pattern, turn)}`,
    });
    this.tellAt(Severity.Note, region, span.start, 'found here', span);
    for (const note of notes) this.tellAt(Severity.Note, region, span.start, note);
    for (const { name, range } of captured) {
      const message = `captured var "${name}"`;
      const location = range === null ? null : { buffer: this.input, offset: range.start };
      this.sink({ severity: Severity.Note, location, message, ...(range === null ? {} : { range }) });
    }
  }

  private reportNone(
    { pattern, prefix }: PrefixedPattern,
    region: Region,
    searched: Span,
    turn: number,
    isExpected: boolean,
    problems: readonly { readonly location: Location; readonly message: string }[],
  ): void {
    const isInvalid = problems.length > 0;
    for (const { location, message } of problems) this.sink({ severity: Severity.Error, location, message });
    const isError = isExpected || isInvalid;
    if (!isError && !this.options.verboseVerbose) return;
    const notes = pattern.substitutionNotes();
    if (this.isRecording) {
      const kind = isInvalid ? EventKind.NoneInvalid : isExpected ? EventKind.NoneExpected : EventKind.NoneExcluded;
      this.record(pattern, kind, region, searched, '');
      const begin = { start: searched.start, end: searched.start };
      for (const { message } of problems) this.record(pattern, kind, region, begin, message);
      for (const note of notes) this.record(pattern, kind, region, begin, note);
      if (!isError) return;
    }
    if (!isInvalid) {
      const what = `${isExpected ? 'expected' : 'excluded'} string not found in input`;
      this.sink({
        severity: isExpected ? Severity.Error : Severity.Remark,
        location: pattern.location,
        message: `${describe(pattern.type, prefix)}: ${what}${turnOf(pattern, turn)}`,
      });
      this.tellAt(Severity.Note, region, searched.start, 'scanning from here');
    }
    for (const note of notes) this.tellAt(Severity.Note, region, searched.start, note);
    if (isExpected) this.reportClosest(pattern, region, searched);
  }

  private reportClosest(pattern: Pattern, region: Region, searched: Span): void {
    const at = closestMatch(region.text.text, searched.start, pattern.example);
    if (at < 0) return;
    if (this.isRecording) this.record(pattern, EventKind.Closest, region, { start: at, end: at }, '');
    this.tellAt(Severity.Note, region, at, 'possible intended match here');
  }

  private tellAt(severity: Severity, region: Region, at: number, message: string, range?: Span): void {
    const { origin } = region;
    const location = { buffer: this.input, offset: origin + at };
    if (range === undefined) this.sink({ severity, location, message });
    else this.sink({ severity, location, message, range: { start: origin + range.start, end: origin + range.end } });
  }

  private record(pattern: Pattern, kind: EventKind, { origin }: Region, span: Span, note: string): void {
    this.recordAt(pattern, kind, origin + span.start, origin + span.end, note);
  }

  private recordAt({ type, location }: Pattern, kind: EventKind, start: number, end: number, note: string): void {
    this.events.push({ type, location, kind, start, end, note });
  }

  /** Gives the last match with its notes another meaning. */
  private changeLast(kind: EventKind): void {
    const { events } = this;
    const last = events[events.length - 1];
    if (last === undefined) return;
    for (let k = events.length - 1; k >= 0 && isSamePlace(events[k]!.location, last.location); k--)
      events[k]!.kind = kind;
  }
}

const isSamePlace = (a: Location, b: Location): boolean => a.buffer === b.buffer && a.offset === b.offset;

/** How far apart the ends of a span lie in lines, and where the second line begins. */
function linesApart(text: string, { start, end }: Span): { line: Line; firstLineEnd: number } {
  let firstLineEnd = start;
  let breaks = 0;
  for (let at = start; at < end && breaks < 2; at++) {
    const c = text[at];
    if (c !== '\n' && c !== '\r') continue;
    const next = at + 1 < end ? text[at + 1] : undefined;
    if ((next === '\n' || next === '\r') && next !== c) at++;
    if (++breaks === 1) firstLineEnd = at + 1;
  }
  return { line: breaks === 0 ? Line.Same : breaks === 1 ? Line.Next : Line.Later, firstLineEnd };
}

const turnOf = ({ type }: Pattern, turn: number): string => (type.count > 1 ? ` (${turn} out of ${type.count})` : '');

const SUFFIXES: Readonly<Record<DirectiveKind, string>> = {
  [DirectiveKind.Plain]: '',
  [DirectiveKind.Next]: '-NEXT',
  [DirectiveKind.Same]: '-SAME',
  [DirectiveKind.Not]: '-NOT',
  [DirectiveKind.Dag]: '-DAG',
  [DirectiveKind.Label]: '-LABEL',
  [DirectiveKind.Empty]: '-EMPTY',
  [DirectiveKind.EndOfFile]: '',
};

/** A directive as messages name it. */
function describe({ kind, count, isLiteral }: DirectiveType, prefix: string): string {
  if (kind === DirectiveKind.EndOfFile) return 'implicit EOF';
  return `${prefix}${count > 1 ? '-COUNT' : SUFFIXES[kind]}${isLiteral ? '{LITERAL}' : ''}`;
}
