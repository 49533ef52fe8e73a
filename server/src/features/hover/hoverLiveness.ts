/** What an instruction does to the live registers: which it brings to life, which it ends, which it reads and leaves alive. */
import { newPressure, incPressure, type Pressure } from '../../analysis/gcnPressure.js';
import { Slot, type SlotIndex } from '../../analysis/slotIndexes.js';
import type { PressureSummary } from '../../analysis/summary.js';
import { OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { RegKind } from '../../target/index.js';
import { code, joined, rich, type Markdown } from '../words/markdown.js';
import type { VRegId } from '../../model/register.js';
import { nameOf } from '../words/registerNames.js';

/** Longer lists say less. */
const MAX_NAMED = 4;

interface Named {
  readonly name: string;
  /** register class, empty without one */
  readonly rc: string;
  /** `(+2)`, `(never read)` or nothing */
  readonly note: string;
}

/** `defines %41 (+2) · kills %17 (-1)`; null for an instruction that touches no virtual register. Bundles: what the header says. */
export function livenessLine(summary: PressureSummary, i: InstrId): Markdown | null {
  const { defines, kills, keeps } = livenessOf(summary, i);
  const parts = [listed('defines', defines), listed('kills', kills), listed('keeps alive', keeps)].filter(
    (p) => p !== null,
  );
  return parts.length > 0 ? joined(parts, ' · ') : null;
}

/** All of it as rows of plain text. */
export function livenessRows(summary: PressureSummary, i: InstrId): string[] {
  const { defines, kills, keeps } = livenessOf(summary, i);
  const row = (word: string, list: readonly Named[]): string[] =>
    list.length > 0
      ? [`${word} ${list.map((r) => [r.name, r.rc, r.note].filter((t) => t !== '').join(' ')).join(', ')}`]
      : [];
  return [...row('defines', defines), ...row('kills', kills), ...row('keeps alive', keeps)];
}

function livenessOf(summary: PressureSummary, i: InstrId): { defines: Named[]; kills: Named[]; keeps: Named[] } {
  const { fn, lis } = summary;
  const slot = lis.indexes.instrIndex[i]!;
  const defines: Named[] = [];
  const kills: Named[] = [];
  const keeps: Named[] = [];
  if (slot < 0) return { defines, kills, keeps };
  for (const v of virtualOperands(fn, i)) {
    const rc = fn.vregs.regClass[v]!;
    const register = { name: nameOf(fn, v), rc: rc < 0 ? '' : fn.tables.regClassMirName(rc) };
    const change = total(lanesAt(summary, v, slot + Slot.Dead)) - total(lanesAt(summary, v, slot));
    // Registers without class live, too, and weigh nothing.
    const wasLive = isLive(summary, v, slot);
    const staysLive = isLive(summary, v, slot + Slot.Dead);
    if (change > 0) defines.push({ ...register, note: `(+${change})` });
    else if (change < 0) kills.push({ ...register, note: `(-${-change})` });
    else if (staysLive) (wasLive ? keeps : defines).push({ ...register, note: '' });
    else if (wasLive) kills.push({ ...register, note: '' });
    else if (isDefined(fn, i, v)) defines.push({ ...register, note: '(never read)' });
  }
  return { defines, kills, keeps };
}

/** Each virtual register of the operands once, in the order of the text. */
export function virtualOperands(fn: MachineFunction, i: InstrId): number[] {
  const seen: number[] = [];
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if (fn.opVal[o]! >= 0) continue;
    const v = ~fn.opVal[o]!;
    if (!seen.includes(v)) seen.push(v);
  }
  return seen;
}

function isDefined(fn: MachineFunction, i: InstrId, v: VRegId): boolean {
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
    if (~fn.opVal[o]! === v && (fn.opFlags[o]! & OpFlag.Def) !== 0) return true;
  return false;
}

/** Registers that the live lanes of `v` take at a slot, by kind. */
function lanesAt({ lis, facts }: PressureSummary, v: VRegId, slot: SlotIndex): Pressure {
  const p = newPressure();
  const lo = lis.liveLanes(v, slot);
  incPressure(p, facts, v, 0, 0, lo, lis.lanesHi);
  return p;
}

const isLive = ({ lis }: PressureSummary, v: VRegId, slot: SlotIndex): boolean =>
  lis.mainRange[v]! >= 0 && lis.isLiveAt(lis.mainRange[v]!, slot);

const total = (p: Pressure): number => p[RegKind.SGPR]! + p[RegKind.VGPR]! + p[RegKind.AGPR]! + p[RegKind.AVGPR]!;

function listed(word: string, list: readonly Named[]): Markdown | null {
  if (list.length === 0) return null;
  const more = list.length - MAX_NAMED;
  const shown = list
    .slice(0, MAX_NAMED)
    .map(({ name, rc, note }) => joined([code(name), ...(rc ? [rc] : []), ...(note ? [note] : [])], ' '));
  return rich`${word} ${joined(shown, ', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
