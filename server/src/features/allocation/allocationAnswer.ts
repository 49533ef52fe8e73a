/** What a report on allocation begins with: how many waves, which registers keep it from more, what was spilled where. */
import { computeFunctionLimits, type FunctionLimits } from '../../model/functionLimits.js';
import type { AllocatedUse } from '../../analysis/allocatedUse.js';
import type { AllocationLabels } from '../../passes/regalloc/trace/traceText.js';
import type { InsertedKind } from '../../passes/regalloc/trace/allocationTrace.js';
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import { plural } from '../words/numbers.js';

/** Registers that are listed, and places of each. */
const MAX_SPILLED = 16;
const MAX_PLACES = 6;

/** Lines without ends; none where llc finds no allocation. */
export function answerLines(allocated: AllocatedFunction, labels: AllocationLabels): string[] {
  if (allocated.errors.length > 0) return [];
  return [wavesText(computeFunctionLimits(allocated.fn), allocated.use), ...spilledLines(allocated, labels)];
}

/** `4 waves of 8: allocated VGPR 122 binds; 5 waves need VGPR 96, 26 fewer`. O(1) */
function wavesText(limits: FunctionLimits, use: AllocatedUse): string {
  const { subtarget, dynamicVGPRBlockSize } = limits;
  const most = subtarget.maxWavesPerEU;
  const { occupancy } = use;
  const head = `${plural(occupancy, 'wave')} of ${most}`;
  if (occupancy >= most) return `${head}: nothing binds`;
  const next = occupancy + 1;
  const binds: string[] = [];
  const needs: string[] = [];
  const put = (file: string, now: number, wavesWith: (n: number) => number): void => {
    let limit = now;
    while (limit > 0 && wavesWith(limit) < next) limit--;
    binds.push(`allocated ${file} ${now}`);
    if (limit > 0 && now > limit)
      needs.push(`${plural(next, 'wave')} ${next === 1 ? 'needs' : 'need'} ${file} ${limit}, ${now - limit} fewer`);
  };
  if (use.byVGPRs === occupancy)
    put('VGPR', use.totalVGPR, (n) => subtarget.occupancyWithNumVGPRs(n, dynamicVGPRBlockSize));
  if (use.bySGPRs === occupancy) put('SGPR', use.totalSGPR, (n) => subtarget.occupancyWithNumSGPRs(n));
  if (limits.occupancyRange[1] === occupancy) binds.push('LDS and work-group size');
  const verb = binds.length > 1 || binds[0]?.startsWith('LDS') === true ? 'bind' : 'binds';
  return `${head}: ${binds.join(', ')} ${verb}${needs.length > 0 ? `; ${needs.join('; ')}` : ''}`;
}

/** `spilled: nothing`, or a line for each register with its slot, saves and reloads. O(parts + inserted instructions) */
function spilledLines({ parts, inserted }: AllocatedFunction, labels: AllocationLabels): string[] {
  const slots = new Map<number, Set<number>>();
  for (const { vreg, reg, slot } of parts) {
    if (reg !== 0) continue;
    const own = slots.get(vreg) ?? new Set<number>();
    slots.set(vreg, own.add(slot));
  }
  if (slots.size === 0) return ['spilled: nothing'];
  const places = new Map<string, number[]>();
  for (const { kind, vreg, after, before } of inserted) {
    const key = `${kind} ${vreg}`;
    const line =
      kind === 'save' ? labels.line(after) || labels.line(before) : labels.line(before) || labels.line(after);
    const own = places.get(key);
    if (own === undefined) places.set(key, [line]);
    else own.push(line);
  }
  const at = (vreg: number, kind: InsertedKind, words: string): string[] => {
    const lines = [...new Set(places.get(`${kind} ${vreg}`) ?? [])].filter((line) => line > 0).sort((a, b) => a - b);
    if (lines.length === 0) return [];
    const more = lines.length > MAX_PLACES ? ` and ${lines.length - MAX_PLACES} more` : '';
    return [`${words} ${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MAX_PLACES).join(', ')}${more}`];
  };
  const rows = [...slots]
    .sort((a, b) => a[0] - b[0])
    .map(([vreg, own]) => {
      const name = vreg < 0 ? 'lanes of SGPRs' : labels.vreg(vreg);
      const stack = [...own].filter((s) => s >= 0).sort((a, b) => a - b).map((s) => `%stack.${s}`); // prettier-ignore
      const moves = [...at(vreg, 'save', 'saved after'), ...at(vreg, 'reload', 'reloaded before')];
      return `  ${name} to ${stack.join(', ') || 'memory'}${moves.length > 0 ? `: ${moves.join(', ')}` : ''}`;
    });
  const more = rows.length > MAX_SPILLED ? [`  and ${rows.length - MAX_SPILLED} more`] : [];
  return [`spilled: ${plural(rows.length, 'register')}`, ...rows.slice(0, MAX_SPILLED), ...more];
}
