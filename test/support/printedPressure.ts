/** The report of `llc -run-pass=amdgpu-print-rp` as numbers. */

export interface LlcPressure {
  /** the most of any line, 32-bit registers */
  readonly sgprs: number;
  readonly vgprs: number;
  /** SGPRs and VGPRs at each instruction, in the order of the text */
  readonly rows: readonly (readonly [number, number])[];
}

/** Null when there is no report of the function. Debug instructions are left out. */
export function pressureOfLlc(stderr: string, name: string): LlcPressure | null {
  const lines = stderr.split('\n');
  const at = lines.findIndex((l) => /^name: +/.test(l) && l.replace(/^name: +/, '') === name);
  if (at < 0) return null;
  let sgprs = 0;
  let vgprs = 0;
  const rows: [number, number][] = [];
  for (let l = at + 1; l < lines.length && lines[l] !== '...'; l++) {
    const row = /^ {4}(\d+) +(\d+) *( {2}\S.*)?$/.exec(lines[l]!);
    if (!row) continue;
    // the line after `Live-thr:` is no place of the function
    if (row[3] === undefined && /Live-thr:/.test(lines[l - 1]!)) continue;
    sgprs = Math.max(sgprs, Number(row[1]));
    vgprs = Math.max(vgprs, Number(row[2]));
    if (row[3] !== undefined && !/^ +DBG_/.test(row[3])) rows.push([Number(row[1]), Number(row[2])]);
  }
  return { sgprs, vgprs, rows };
}
