/** The report of "Why is the pressure N here?" as text. */
import { PressureSummary } from '../../analysis/summary.js';
import type { InstrId } from '../../model/machineFunction.js';
import { Severity } from '../../text/diagnostic.js';
import { oneLine } from '../../text/visible.js';
import {
  bankTypeRows,
  excessText,
  limiterText,
  nextWaveText,
  usedRegistersText,
  vgprUse,
} from '../words/pressureText.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { whyUncounted } from '../../program/targetOfFile.js';
import type { WhyBank, WhyGroupKind, WhyRegister, WhyResult } from './whyResult.js';
import { plural } from '../words/numbers.js';

const GROUP_TITLES: Readonly<Record<WhyGroupKind, string>> = {
  soon: 'used soon, in this region',
  later: 'used later, after this region',
  through: 'only passing through this region',
};

/** Longer lists of one group are cut; the request has them all. */
const MAX_ROWS = 400;

/** Ends in a line break. Lines are named `line N`, so that a client can make links of them. */
export function whyText(
  snapshot: Snapshot,
  view: FunctionView,
  summary: PressureSummary,
  i: InstrId,
  { banks, place, range, target }: Omit<WhyResult, 'report'>,
): string {
  const line = range ? range.start.line : 0;
  const source = range
    ? snapshot.text.slice(snapshot.text.offsetAt(range.start), snapshot.text.lineEnd(line)).trim()
    : '';
  const numbers = banks.map((b) => `${b.bank} ${b.pressure}`).join(', ') || 'nothing';
  let out = `${numbers} at line ${line + 1} (${place} of @${oneLine(view.name)})\n${target}\n\n  ${oneLine(source)}\n\n`;
  if (summary.usedRegisters.kind !== 'virtual')
    return [
      `${out}${usedRegistersText(summary.usedRegisters)}: no pressure to explain`,
      ...bankTypeRows(summary.usedRegisters).map((row) => `  ${row}`),
      '',
    ].join('\n');
  const use = vgprUse(summary, i);
  if (use.count > 0) {
    const next = use.next
      ? `; ${use.next.limit} for ${plural(use.next.waves, 'wave')}: ${use.count - use.next.limit} too many`
      : '';
    out += `vector registers: ${use.count} of ${use.limit} for ${plural(use.waves, 'wave')}${next}\n`;
  }
  const limiter = limiterText(summary.occupancy);
  const steps = nextWaveText(summary.occupancy);
  const spills = excessText(summary.excess);
  if (spills !== '') out += `${spills}\n`;
  out += `occupancy here ${summary.occupancyAt(i).occupancy}, function ${summary.occupancy.occupancy}`;
  out += `${limiter && `, limited by ${limiter}`}${steps && `; next wave: ${steps}`}\n`;
  for (const bank of banks) out += bankText(bank);
  if (banks.length === 0) out += '\nno virtual register is live here\n';
  return out;
}

function bankText({ bank, pressure, groups }: WhyBank): string {
  let out = `\n${bank} ${pressure}\n`;
  for (const { kind, weight, registers } of groups) {
    out += `  ${GROUP_TITLES[kind]}: ${weight} in ${plural(registers.length, 'register')}\n`;
    const shown = registers.slice(0, MAX_ROWS);
    const width = Math.max(...shown.map((r) => r.register.length));
    const row = (r: WhyRegister): string =>
      `${r.register.padEnd(width)}  ${String(r.weight).padStart(2)}  ${rowText(r)}`;
    // A reason that several registers share stands once, above them.
    const byReason = new Map<string, WhyRegister[]>();
    for (const r of shown) byReason.set(rematText(r), [...(byReason.get(rematText(r)) ?? []), r]);
    for (const [reason, rows] of byReason) {
      if (rows.length === 1) out += `    ${row(rows[0]!)}; ${reason}\n`;
      else out += `    ${reason}:\n${rows.map((r) => `      ${row(r)}\n`).join('')}`;
    }
    if (shown.length < registers.length) out += `    and ${registers.length - shown.length} more\n`;
  }
  return out;
}

function rowText(r: WhyRegister): string {
  const parts: string[] = [];
  const line = (range: WhyRegister['nextUse']): string => (range ? `line ${range.start.line + 1}` : 'nowhere');
  const more = r.nDefinitions > 1 ? ` and ${plural(r.nDefinitions - 1, 'other')}` : '';
  parts.push(r.isDefinedHere ? `defined here${more}` : `from ${line(r.definition)}${more}`);
  if (r.nextUse === null) parts.push('never read');
  else if (r.distance === 0) parts.push('read here');
  else if (r.distance > 0) parts.push(`read at ${line(r.nextUse)}, ${r.distance} on`);
  else parts.push(`read at ${line(r.nextUse)} (${r.nextUsePlace})`);
  parts.push(`lives ${r.lives}`);
  return parts.join('; ');
}

const rematText = ({ isRematerializable, rematerialization }: WhyRegister): string =>
  isRematerializable
    ? `rematerializable in ${rematerialization}`
    : `not rematerializable${rematerialization && `: ${rematerialization}`}`;

/** Why there is nothing to explain. */
export function noPressure({ target }: Snapshot, view: FunctionView | null, i: InstrId): string {
  if (whyUncounted(target) !== '') return `no pressure: ${whyUncounted(target)}\n`;
  if (view === null) return 'no function here\n';
  const first = view.diagnostics.find((d) => d.severity === Severity.Error);
  if (first) return `no pressure: llc rejects @${oneLine(view.name)}: ${oneLine(first.message)}\n`;
  return i < 0 ? 'no instruction here\n' : 'no pressure: the function has no instructions that count\n';
}
