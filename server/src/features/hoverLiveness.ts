/** What an instruction does to the live registers: which it brings to life, which it ends, which it reads and leaves alive. */
import { newPressure, incPressure, type Pressure } from '../analysis/gcnPressure.js';
import { Slot } from '../analysis/slotIndexes.js';
import { Bank, PressureSummary } from '../analysis/summary.js';
import { OperandKind, OpFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { RegKind } from '../target/index.js';
import { code, joined, rich, type Markdown } from './markdown.js';
import { BANKS } from './pressureText.js';

/** Longer lists say less. */
const MAX_NAMED = 6;

/** Up to two lines; none for an instruction that touches no virtual register and lets none pass. Bundles: what the header says. */
export function livenessLines(summary: PressureSummary, i: InstrId): Markdown[] {
  const { fn, lis } = summary;
  const slot = lis.indexes.instrIndex[i]!;
  if (slot < 0) return [];
  const defines: Markdown[] = [];
  const kills: Markdown[] = [];
  const keeps: Markdown[] = [];
  /** registers of the operands that are alive before, by kind */
  const own = newPressure();
  for (const v of virtualOperands(fn, i)) {
    const name = nameText(fn, v);
    const before = lanesAt(summary, v, slot);
    const after = lanesAt(summary, v, slot + Slot.Dead);
    const change = total(after) - total(before);
    if (change > 0) defines.push(rich`${name} (+${change})`);
    else if (change < 0) kills.push(rich`${name} (-${-change})`);
    else if (total(after) > 0) keeps.push(name);
    else if (isDefined(fn, i, v)) defines.push(rich`${name} (never read)`);
    for (let k = 0; k < own.length; k++) own[k]! += before[k]!;
  }
  const lines: Markdown[] = [];
  const parts = [listed('defines', defines), listed('kills', kills), listed('keeps alive', keeps)].filter(
    (p) => p !== null,
  );
  if (parts.length > 0) lines.push(joined(parts, ' · '));
  const through = throughText(summary, i, own);
  if (through !== '') lines.push(rich`live through: ${through}`);
  return lines;
}

/** Each virtual register of the operands once, in the order of the text. */
function virtualOperands(fn: MachineFunction, i: InstrId): number[] {
  const seen: number[] = [];
  for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
    if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o]! >= 0) continue;
    const v = ~fn.opVal[o]!;
    if (!seen.includes(v)) seen.push(v);
  }
  return seen;
}

function isDefined(fn: MachineFunction, i: InstrId, v: number): boolean {
  for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
    if (fn.opKind[o] === OperandKind.Register && ~fn.opVal[o]! === v && (fn.opFlags[o]! & OpFlag.Def) !== 0)
      return true;
  return false;
}

/** Registers that the live lanes of `v` take at a slot, by kind. */
function lanesAt({ lis, facts }: PressureSummary, v: number, slot: number): Pressure {
  const p = newPressure();
  const lo = lis.liveLanes(v, slot);
  incPressure(p, facts, v, 0, 0, lo, lis.lanesHi);
  return p;
}

const total = (p: Pressure): number => p[RegKind.SGPR]! + p[RegKind.VGPR]! + p[RegKind.AGPR]! + p[RegKind.AVGPR]!;

/** `41 VGPR, 12 SGPR`: alive before the instruction and no operand of it, so that they are alive behind it, too. */
function throughText({ up }: PressureSummary, i: InstrId, own: Pressure): string {
  return BANKS.flatMap(([bank, name]) => {
    const n = PressureSummary.count(up.before, bank, i) - ofBank(own, bank);
    return n > 0 ? [`${n} ${name}`] : [];
  }).join(', ');
}

function ofBank(p: Pressure, bank: Bank): number {
  if (bank === Bank.SGPR) return p[RegKind.SGPR]!;
  return bank === Bank.AGPR ? p[RegKind.AGPR]! : p[RegKind.VGPR]! + p[RegKind.AVGPR]!;
}

function nameText({ vregs, tables }: MachineFunction, v: number): Markdown {
  const rc = vregs.regClass[v]!;
  const name = vregs.name[v] ?? String(vregs.sourceNumber[v]! >>> 0);
  return rich`${code(`%${name}`)}${rc < 0 ? '' : ` ${tables.regClassMirName(rc)}`}`;
}

function listed(word: string, names: readonly Markdown[]): Markdown | null {
  if (names.length === 0) return null;
  const more = names.length - MAX_NAMED;
  return rich`${word} ${joined(names.slice(0, MAX_NAMED), ', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
