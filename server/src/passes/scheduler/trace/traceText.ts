/**
 * A decision trace as text, for the command line and the editor's view: the answer first, then stage by stage, then pick by pick.
 * Plain text with LLVM's words; nothing is computed here.
 */
import { printRematReport } from '../remat/reportText.js';
import type { MfmaRewriteReport } from '../stages/mfmaRewriteReport.js';
import type { InstrLabels } from './instrLabels.js';
import { registersText, vectorRegisters } from './pressureTrace.js';
import type {
  Contest,
  PickTrace,
  PressureTrace,
  RegionRunDetails,
  RegionTrace,
  ScheduleTrace,
  ZoneChoice,
} from './scheduleTrace.js';
import type { InstrId } from '../../../model/machineFunction.js';

export type { InstrLabels };

export interface TraceTextOptions {
  /** only this region; null = all */
  readonly region: number | null;
  readonly labels: InstrLabels;
}

const count = (n: number, word: string, words = `${word}s`): string => `${n} ${n === 1 ? word : words}`;

const change = (before: number, after: number): string => (before === after ? `${after}` : `${before} -> ${after}`);

/** `max pressure VGPR 6 -> 7, SGPR 3`, as the scheduler counts; AGPRs only where there are some. */
export function pressureChange(before: PressureTrace, after: PressureTrace): string {
  const registers = (of: (p: PressureTrace) => number): string => {
    const [from, to] = [of(before), of(after)].map(registersText);
    return from === to ? to : `${from} -> ${to}`;
  };
  const parts = [`max pressure VGPR ${registers(vectorRegisters)}`, `SGPR ${registers((p) => p.sgpr)}`];
  if (before.agpr !== 0 || after.agpr !== 0) parts.push(`AGPR ${registers((p) => p.agpr)}`);
  return parts.join(', ');
}

/** `region 4: max pressure VGPR 67 -> 62, SGPR 22, occupancy 7 -> 8, length 212 -> 205 cycles (model), settled by X, not reverted` */
export function regionLine(r: RegionTrace): string {
  const parts: string[] = [];
  if (r.pressureBefore !== null && r.pressureAfter !== null)
    parts.push(pressureChange(r.pressureBefore, r.pressureAfter));
  parts.push(`occupancy ${change(r.occupancyBefore, r.occupancyAfter)}`);
  if (r.lengthBefore !== 0) parts.push(`length ${change(r.lengthBefore, r.lengthAfter)} cycles (model)`);
  parts.push(r.settledBy === null ? 'order unchanged' : `settled by ${r.settledBy}`);
  const reverts = r.reverts.map((v) => `${v.stage} reverted: ${v.rule}`).join('; ');
  parts.push(reverts === '' ? 'not reverted' : reverts);
  return `region ${r.region}: ${parts.join(', ')}`;
}

/** `bb.2, lines 13-24, 12 instructions` */
function regionPlace(r: RegionTrace, labels: InstrLabels): string {
  const first = labels.line(r.first);
  const last = labels.line(r.last);
  const lines = first === 0 ? '' : first === last ? `, line ${first}` : `, lines ${first}-${last}`;
  return `bb.${r.block}${lines}, ${count(r.nInstrs, 'instruction')}`;
}

/** The whole trace, ending in a line break. */
export function printScheduleTrace(trace: ScheduleTrace, options: TraceTextOptions): string {
  const { labels } = options;
  if (trace.notScheduled !== null) return `not scheduled: ${trace.notScheduled}\n`;
  const shown = trace.regions.filter((r) => options.region === null || r.region === options.region);
  const reverts = trace.regions.reduce((n, r) => n + r.reverts.length, 0);
  let out =
    `occupancy ${change(trace.occupancyBefore, trace.occupancyAfter)} after scheduling; ` +
    `${count(trace.regions.length, 'region')}, ${count(reverts, 'revert')}; scheduler ${trace.scheduler} (${trace.chosenBy})\n`;
  for (const r of shown) out += `  ${regionLine(r)}\n      ${regionPlace(r, labels)}\n`;
  if (trace.rematerialized.length !== 0) {
    out += `\nrematerialized${trace.rematUndone ? ', undone again as the target occupancy was missed' : ''}:\n`;
    for (const m of trace.rematerialized)
      out += `  ${labels.text(m.clone)}${place(labels.line(m.def))} before ${name(labels, m.use)}\n`;
  }
  if (trace.mfmaRewrite !== null) out += `\n${printMfmaRewrite(trace.mfmaRewrite)}`;
  if (trace.remat !== null) out += `\n${printRematReport(trace.remat, labels)}`;
  for (const stage of trace.stages) {
    out += `\nstage ${stage.stage}: `;
    if (!stage.ran) {
      out += `did not run (${stage.why ?? 'no reason noted'})\n`;
      continue;
    }
    const min = change(stage.minOccupancyBefore, stage.minOccupancyAfter);
    out += `minimum occupancy ${min}, function ${change(stage.occupancyBefore, stage.occupancyAfter)}\n`;
    const runs = stage.runs.filter((run) => options.region === null || run.region === options.region);
    for (const run of runs) if (run.details !== null) out += printRun(run.region, run.details, labels);
    const skipped = new Map<string, number[]>();
    for (const run of runs) {
      if (run.details !== null) continue;
      const why = run.skipped ?? 'no reason noted';
      skipped.set(why, [...(skipped.get(why) ?? []), run.region]);
    }
    for (const [why, list] of skipped)
      out += `  ${list.length === 1 ? 'region' : 'regions'} ${ranges(list)}: skipped (${why})\n`;
  }
  return out;
}

/** `0-4, 7, 9`; ascending numbers */
function ranges(list: readonly number[]): string {
  const parts: string[] = [];
  for (let k = 0; k < list.length;) {
    let end = k;
    while (list[end + 1] === list[end] + 1) end++;
    parts.push(end === k ? String(list[k]) : `${list[k]}${end === k + 1 ? ', ' : '-'}${list[end]}`);
    k = end + 1;
  }
  return parts.join(', ');
}

/** What it costs to give matrix instructions AGPR destinations. */
function printMfmaRewrite(r: MfmaRewriteReport): string {
  const rounded = (x: number): string => String(Math.round(x * 100) / 100);
  const verdict = r.rewritten ? 'rewritten to AGPRs' : 'left in VGPRs';
  let out = `matrix instructions: ${r.candidates.length} in VGPR form, ${verdict}; `;
  out += `spills ${rounded(r.spillCost)}, ${count(r.copies, 'copy', 'copies')} ${rounded(r.copyCost)} (weighted by block frequency)\n`;
  for (const x of r.regions) out += `  region ${x.region}: spills ${change(x.spillsBefore, x.spillsAfter)}\n`;
  return out;
}

function printRun(region: number, d: RegionRunDetails, labels: InstrLabels): string {
  let out = `  region ${region}: `;
  if (d.reverted !== null) out += `reverted (${d.reverted})`;
  else out += d.checked ? 'kept' : 'kept, below the critical limits';
  out += `: ${pressureChange(d.before, d.after)}, occupancy ${change(d.occupancyBefore, d.occupancyAfter)}`;
  out += `, length ${change(d.lengthBefore, d.lengthAfter)} cycles (model)\n`;
  if (d.limits !== null) {
    const l = d.limits;
    out += `    limits for ${count(d.targetOccupancy, 'wave')}: critical VGPR ${l.vgprCritical}, SGPR ${l.sgprCritical}; `;
    out += `excess VGPR ${l.vgprExcess}, SGPR ${l.sgprExcess}\n`;
  } else out += `    target occupancy ${d.targetOccupancy}\n`;
  const marks = [
    d.highPressureSeen ? 'high pressure seen' : '',
    d.highRP ? 'marked high' : '',
    d.excessRP ? 'marked excess' : '',
  ].filter((m) => m !== '');
  if (marks.length !== 0) out += `    ${marks.join(', ')}\n`;
  if (d.profit !== null) {
    const p = d.profit;
    out += `    profit ${p.profit} % (kept from 100 on): waves ${change(p.wavesBefore, p.wavesAfter)}, `;
    out += `metric ${change(p.oldMetric, p.newMetric)} with bias ${p.bias}\n`;
  }
  if (d.criticalPath !== 0) {
    const cyclic = d.cyclicCriticalPath === 0 ? '' : `, cyclic ${d.cyclicCriticalPath}`;
    const limited = d.acyclicLatencyLimited ? ', acyclic latency limited' : '';
    out += `    critical path ${d.criticalPath} cycles${cyclic}${limited}; stalls ${change(d.stallsBefore, d.stallsAfter)}\n`;
  }
  if (d.picks.length === 0) return out;
  out += '    picks, in the order made:\n';
  const width = String(d.picks.length).length;
  d.picks.forEach((p, n) => {
    out += printPick(p, n + 1, width, labels);
  });
  return out;
}

const place = (line: number): string => (line === 0 ? '' : ` (line ${line})`);

const name = (labels: InstrLabels, instr: InstrId): string => `${labels.text(instr)}${place(labels.line(instr))}`;

/** The result of an instruction, or its opcode: enough to find it. */
function shortName(labels: InstrLabels, instr: InstrId): string {
  const text = labels.text(instr);
  const short = text.includes(' = ') ? text.split(' = ', 1)[0].replace(/:[\w.]+/g, '') : text.split(' ', 1)[0];
  const line = labels.line(instr);
  return line === 0 ? short : `${line}: ${short}`;
}

/** A pick, with whom it beat. */
export function printPick(p: PickTrace, n: number, width: number, labels: InstrLabels): string {
  const indent = ' '.repeat(width + 6);
  const side = p.side.padEnd(6);
  const pressure = `VGPR ${change(p.vgpr, p.vgprAfter)}, SGPR ${change(p.sgpr, p.sgprAfter)}`;
  let out = `    ${String(n).padStart(width)}  ${side} cycle ${p.cycle}  ${p.reason}  ${pressure}  ${name(labels, p.instr)}\n`;
  const waits = p.readyCycle > p.cycle ? `ready at cycle ${p.readyCycle}` : '';
  if (waits !== '') out += `${indent}${waits}\n`;
  const own = p.side === 'top' ? p.top : p.bottom;
  const other = p.side === 'top' ? p.bottom : p.top;
  if (own?.runnerUp) out += `${indent}beat ${contestText(own.runnerUp, labels)}${choiceSize(own)}\n`;
  if (p.between !== null) out += `${indent}${p.side} before ${otherSide(p, p.between, other, labels)}\n`;
  return out;
}

const choiceSize = (c: ZoneChoice): string =>
  ` [${c.available} available${c.pending === 0 ? '' : `, ${c.pending} pending`}]`;

function otherSide(p: PickTrace, c: Contest, other: ZoneChoice | null, labels: InstrLabels): string {
  const side = p.side === 'top' ? 'bottom' : 'top';
  const instr = other?.best ?? (c.winner === p.instr ? c.loser : c.winner);
  const rule = c.rule === 'NoCand' || c.rule === 'NodeOrder' ? 'no rule decides: the bottom goes first' : numbers(c);
  return `${side}'s ${shortName(labels, instr)}: ${rule}`;
}

function contestText(c: Contest, labels: InstrLabels): string {
  return `${shortName(labels, c.loser)} by ${numbers(c)}`;
}

/** The rule and its numbers: `Stall, 0 against 78`, `Stall, latency 80 against 1`. */
function numbers(c: Contest): string {
  if (c.rule === 'NodeOrder') return `NodeOrder, ${c.winnerValue} against ${c.loserValue}`;
  if (c.rule === 'NoCand') return 'order in the queue, a tie';
  const value = (set: string | null, v: number): string => {
    if (c.rule !== 'RegExcess' && c.rule !== 'RegCritical' && c.rule !== 'RegMax') return String(v);
    return set === null ? 'no excess' : `${set} ${v < 0 ? v : `+${v}`}`;
  };
  const quantity = c.quantity === undefined ? '' : `${c.quantity} `;
  return `${c.rule}, ${quantity}${value(c.winnerSet, c.winnerValue)} against ${value(c.loserSet, c.loserValue)}`;
}
