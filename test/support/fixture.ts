/**
 * The fixture language of the editor tests: a MIR file that llc reads, with expectations in comments below the line that they
 * speak of (style T2).
 *
 *     %2:vgpr_32 = V_ADD_U32_e32 %0, %1, implicit $exec
 *   ; @ pressure vgpr=3 sgpr=0 occupancy=10
 *   ; ^^^^^^^^^^ error: message       (carets under the range; `#` instead of `;` outside of bodies)
 *   ; <--- error: message             (the first characters of the line)
 *
 * A message may be a beginning, ending in `...`. The target comes from the file's RUN line.
 */

export interface ExpectedDiagnostic {
  /** 0-based, in the file as it stands */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export interface ExpectedPressure {
  readonly line: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface Fixture {
  readonly text: string;
  readonly diagnostics: readonly ExpectedDiagnostic[];
  readonly pressures: readonly ExpectedPressure[];
}

const DIAGNOSTIC = /^(\s*[;#]\s*)(?:(\^+)|<(-+))\s*(error|warning): (.*)$/;
const PRESSURE = /^\s*;\s*@ pressure (.*)$/;

/** Reads the annotations; an annotation speaks of the nearest line above that is none. */
export function readFixture(text: string): Fixture {
  const diagnostics: ExpectedDiagnostic[] = [];
  const pressures: ExpectedPressure[] = [];
  let line = -1;
  text.split('\n').forEach((content, i) => {
    const pressure = PRESSURE.exec(content);
    const diagnostic = DIAGNOSTIC.exec(content);
    if (pressure) {
      const counts = pressure[1].split(/\s+/).map((pair): [string, number] => {
        const [key, value] = pair.split('=');
        return [key, Number(value)];
      });
      pressures.push({ line, counts: Object.fromEntries(counts) });
    } else if (diagnostic) {
      const [, lead, carets, dashes, severity, message] = diagnostic;
      const start = carets ? lead.length : 0;
      const end = start + (carets ?? dashes).length;
      diagnostics.push({ line, start, end, severity: severity as 'error', message });
    } else {
      line = i;
    }
  });
  return { text, diagnostics, pressures };
}

export const messageMatches = (actual: string, expected: string): boolean =>
  expected.endsWith('...') ? actual.startsWith(expected.slice(0, -3)) : actual === expected;
