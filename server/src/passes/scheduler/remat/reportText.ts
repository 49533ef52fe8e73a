/**
 * The report of a rematerialization stage as text, for the command line and the editor's view: the answer first, then regions,
 * rounds, and what could not be done. Plain text with LLVM's words; nothing is computed here.
 */
import { modelText } from '../schedulerModel.js';
import type { InstrLabels } from '../trace/instrLabels.js';
import { isBelowNone, registersText, vectorRegisters, type PressureTrace } from '../trace/pressureTrace.js';
import type {
  RematCandidate,
  RematChoice,
  RematExcess,
  RematRegion,
  RematRejected,
  RematReport,
  RematScore,
  RematVerdict,
} from './report.js';

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
const change = (before: number, after: number): string => (before === after ? `${after}` : `${before} -> ${after}`);
const place = (line: number): string => (line === 0 ? '' : ` (line ${line})`);
const numbers = (list: readonly number[]): string =>
  `region${list.length === 1 ? '' : 's'} ${list.map(String).join(', ')}`;

/** The whole report, ending in a line break. */
export function printRematReport(report: RematReport, labels: InstrLabels): string {
  let out = `rematerialization (${modelText(report.model)}): ${headline(report)}\n`;
  const { budget } = report;
  const unified = budget.unified === null ? '' : `, VGPR and AGPR together ${budget.unified}`;
  out += `  a region may use VGPR ${budget.vgpr}, SGPR ${budget.sgpr}${unified}\n`;
  for (const r of report.regions) if (isShown(r)) out += `  ${regionText(r, report, labels)}\n`;
  for (const c of report.chosen) out += choiceText(c, report, labels);
  report.rounds.forEach((round, n) => {
    if (round.verdicts.length === 0) return;
    out += report.rounds.length === 1 ? '  candidates:\n' : `  round ${n + 1}:\n`;
    for (const v of round.verdicts) out += `    ${verdictText(v, report.candidates[v.candidate], labels)}\n`;
    if (round.reopened.length > 0) out += `    too optimistic: ${numbers(round.reopened)} still above the target\n`;
    if (round.open.length > 0) out += `    above the target after this round: ${numbers(round.open)}\n`;
  });
  if (report.rejected.length > 0) out += '  cannot be rematerialized:\n';
  for (const line of rejectedLines(report.rejected, labels)) out += `    ${line}\n`;
  return out;
}

/** What the stage was after and what came of it: `occupancy 9 -> 10: 1 register rematerialized, kept` */
function headline(report: RematReport): string {
  const { objective, chosen, result } = report;
  const missing = report.regions.filter((r) => r.isTarget).length;
  const moved = `${count(chosen.length, 'register')} rematerialized`;
  const goal = objective.kind === 'occupancy' ? `for occupancy ${objective.occupancy}` : 'to spill less';
  switch (result) {
    case 'targets already met':
      return objective.kind === 'occupancy' ? `${goal}, ${result}` : 'nothing to do, no region spills';
    case 'no useful candidate':
    case 'target out of reach':
      return `${goal} in ${count(missing, 'region')}: ${result}`;
    case 'kept':
    case 'kept, orders reverted':
    case 'rolled back': {
      const before = report.occupancyBefore;
      const waves = before === report.occupancyAfter ? '' : `, occupancy ${change(before, report.occupancyAfter)}`;
      return `${goal} in ${count(missing, 'region')}: ${moved}, ${result}${waves}`;
    }
  }
}

const isShown = (r: RematRegion): boolean =>
  r.isTarget || (r.rematerialized !== null && !samePressure(r.before, r.rematerialized));

const samePressure = (a: PressureTrace, b: PressureTrace): boolean =>
  vectorRegisters(a) === vectorRegisters(b) && a.sgpr === b.sgpr && a.agpr === b.agpr;

function regionText(r: RematRegion, report: RematReport, labels: InstrLabels): string {
  const steps = [r.before, ...(r.rematerialized === null ? [] : [r.rematerialized, r.after])];
  const list = (of: (p: PressureTrace) => number): string =>
    steps
      .map(of)
      .filter((n, k, all) => k === 0 || n !== all[k - 1])
      .map(registersText)
      .join(' -> ');
  const parts = [`max pressure VGPR ${list(vectorRegisters)}`, `SGPR ${list((p) => p.sgpr)}`];
  if (steps.some((p) => p.agpr !== 0)) parts.push(`AGPR ${list((p) => p.agpr)}`);
  parts.push(`occupancy ${change(r.occupancyBefore, r.occupancyAfter)}`);
  if (r.frequency !== null) parts.push(`frequency ${frequency(r.frequency)}`);
  const excess = excessText(r.excessBefore);
  const goal = r.isTarget ? `; target: ${excess === '' ? 'above it' : `${excess} too many`}` : '';
  const left = report.chosen.length === 0 ? '' : excessText(r.excessAfter);
  const line = labels.line(r.first);
  return `region ${r.region} (bb.${r.block}${line === 0 ? '' : `, line ${line}`}): ${parts.join(', ')}${goal}${left === '' ? '' : `, ${left} left`}`;
}

function excessText(e: RematExcess): string {
  const parts: string[] = [];
  // What is counted below none exceeds every budget by nearly 2^32.
  const add = (n: number, what: string): void => {
    if (n > 0) parts.push(isBelowNone(n) ? `${what} (below 0)` : `${n} ${what}`);
  };
  add(e.vgpr, 'VGPR');
  add(e.sgpr, 'SGPR');
  add(e.agpr, 'AGPR');
  if (e.vgpr + e.agpr === 0) add(e.unified, 'VGPR and AGPR together');
  return parts.join(', ');
}

/** Relative to the entry block, in at most three digits after the point. */
const frequency = (f: number): string => String(Math.round(f * 1000) / 1000);

function choiceText(c: RematChoice, report: RematReport, labels: InstrLabels): string {
  const candidate = report.candidates[c.candidate];
  let out = '';
  for (const copy of c.copies) {
    const renamed = copy.name === candidate.name ? '' : `, as ${copy.name}`;
    out += `  moved ${candidate.name}${place(labels.line(candidate.def))} before `;
    out += `${labels.text(copy.use)}${place(labels.line(copy.use))}${renamed}\n`;
  }
  return out;
}

function verdictText(v: RematVerdict, c: RematCandidate, labels: InstrLabels): string {
  const score = v.score === null ? '' : `  [${scoreText(v.score)}]`;
  const from = `${c.name}${place(labels.line(c.def))}, ${c.registers} ${c.bank}`;
  const regions = [...new Set(c.uses.map((u) => u.region))];
  const to = regions.map((r) => (r < 0 ? 'after the regions' : `region ${r}`)).join(', ');
  const passes = c.liveThrough.length === 0 ? '' : `, only passes ${numbers(c.liveThrough)}`;
  return `${v.verdict}: ${from}, region ${c.defRegion} to ${to}${passes}${score}`;
}

/** `helps at frequency 16, frequency 4 lower at the use, impact 2` */
export function scoreText(s: RematScore): string {
  if (s.regionImpact === 0) return 'no target region gains';
  const parts: string[] = [];
  if (s.maxFreq !== 0) parts.push(`helps at frequency ${frequency(s.maxFreq)}`);
  if (s.freqDiff === 0) parts.push('runs as often');
  else parts.push(`frequency ${frequency(Math.abs(s.freqDiff))} ${s.freqDiff > 0 ? 'lower' : 'higher'} at the use`);
  parts.push(`impact ${s.regionImpact}`);
  return parts.join(', ');
}

/** One line per reason, in the order of the first register that it keeps: `several definitions: %a (line 3 and 2 others), %b (line 9)`. */
function rejectedLines(rejected: readonly RematRejected[], labels: InstrLabels): string[] {
  const byReason = new Map<string, Map<string, number[]>>();
  for (const r of rejected) {
    const reason = r.operandName === '' ? r.why : `${r.why} (${r.operandName})`;
    const registers = byReason.get(reason) ?? new Map<string, number[]>();
    byReason.set(reason, registers);
    registers.set(r.name, [...(registers.get(r.name) ?? []), labels.line(r.def)]);
  }
  const registerText = ([register, [first, ...others]]: [string, number[]]): string => {
    if (first === undefined || first === 0) return register;
    return others.length === 0
      ? `${register}${place(first)}`
      : `${register} (line ${first} and ${count(others.length, 'other')})`;
  };
  return [...byReason].map(([reason, registers]) => `${reason}: ${[...registers].map(registerText).join(', ')}`);
}
