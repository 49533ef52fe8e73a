/** A line of a log as the program wrote it: without what a terminal, a shell or a build farm put into it. */

/** CSI sequences (colours, cursor) and OSC sequences (titles, links). */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

/** Without colours and the carriage return of a Windows line. */
export function plainLine(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  const own = end === line.length ? line : line.slice(0, end);
  return own.includes('\u001b') ? own.replace(ESCAPES, '') : own;
}

/** What stands in front of each line of a part of a log: a time, the name of a process. */
export class LinePrefix {
  private readonly pattern: RegExp;
  private readonly bare: RegExp;

  /** `sample`: the prefix of one line. Its numbers differ from line to line. */
  constructor(private readonly sample: string) {
    const source = sample.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\d+/g, '\\d+');
    this.pattern = new RegExp(`^${source}`);
    // A log whose blanks at line ends were cut.
    this.bare = new RegExp(`^${source.trimEnd()}$`);
  }

  /** A line that has no such prefix stays as it is: another process wrote it. */
  strip(line: string): string {
    if (line.startsWith(this.sample)) return line.slice(this.sample.length);
    const found = this.pattern.exec(line) ?? this.bare.exec(line);
    return found === null ? line : line.slice(found[0].length);
  }
}
