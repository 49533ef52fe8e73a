/** Hover on a register: what it is, where it is written and read, over which blocks it lives, which of its lanes live here. */
import type { LiveIntervals } from '../../analysis/liveIntervals.js';
import { registerRole } from '../../analysis/registerRole.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import type { PressureSummary } from '../../analysis/summary.js';
import { OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { RegKind, type PhysReg, type RegClassId, type TargetTables } from '../../target/index.js';
import {
  chosenBank,
  chosenClass,
  requiresUniformRegister,
  selectionDAGClass,
} from '../../analysis/uniformity/chosenBank.js';
import type { LaneValues } from '../../analysis/uniformity/laneValues.js';
import { allocatedPlaceLine } from '../allocation/registerPlaces.js';
import { instrFrom } from '../snapshot/locate.js';
import { code, commandLink, joined, lineLink, rich, type Markdown } from '../words/markdown.js';
import { laneLine, laneRows, laneWord } from '../uniformity/laneText.js';
import { rematLine } from '../remat/rematHints.js';
import { occurrencesOf, type SymbolHere } from '../snapshot/symbolAt.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { WHY_DIVERGENT_COMMAND } from '../words/viewCommands.js';
import { nameOf } from '../words/registerNames.js';
import { plural } from '../words/numbers.js';

/** Definitions, and uses, that are named. */
const MAX_LINES = 6;
/** Blocks of the strip, and cells of each. */
const MAX_BLOCKS = 8;
const CELLS = 4;

const BANK_NAMES: Readonly<Record<number, string>> = {
  [RegKind.SGPR]: 'SGPR',
  [RegKind.VGPR]: 'VGPR',
  [RegKind.AGPR]: 'AGPR',
  [RegKind.AVGPR]: 'VGPR/AGPR',
};

/** Null where the symbol is no register. */
export function registerLines(snapshot: Snapshot, symbol: SymbolHere): Markdown[] | null {
  if (symbol.kind === EntityKind.PhysReg) return physicalLines(snapshot, symbol);
  return symbol.kind === EntityKind.VReg ? virtualLines(snapshot, symbol) : null;
}

function physicalLines(snapshot: Snapshot, symbol: SymbolHere): Markdown[] {
  const { tables } = symbol.view?.subtarget ?? snapshot.subtarget;
  const reg = tables.regByName(symbol.name);
  if (reg <= 0) return [rich`**${code(`$${symbol.name}`)}**: no register of this target`];
  // The smallest class of a register says little (`vgpr_32_lo128`); its bank and width do.
  const rc = tables.getMinimalPhysRegClass(reg);
  const what = rc < 0 ? 'register' : widthText(tables, rc);
  const lines = [rich`**${code(`$${symbol.name}`)}**: ${what}, ${code(tables.regAsmName(reg))} in assembly`];
  const fn = symbol.view?.fn;
  if (fn?.tables.isAMDGCN === true) lines.push(roleLine(fn, reg));
  else if (fn) lines.push(tables.reserved.includes(reg) ? rich`reserved: never allocated` : rich`may be allocated`);
  lines.push(...placeLines(snapshot, symbol));
  return lines;
}

/** `callee-saved here: its first use costs a save and a reload · 41st of 64 in the order of vgpr_32`, `reserved here: stackPtrOffsetReg` */
function roleLine(fn: MachineFunction, reg: PhysReg): Markdown {
  const reserved = new ReservedRegs(fn);
  const role = registerRole(fn, reserved, reg);
  if (role.kind === 'none') return rich`not allocated by llc`;
  if (role.kind === 'reserved') return rich`reserved here: ${role.why}`;
  const what =
    role.kind === 'callee-saved' ? 'callee-saved here: llc takes it last, and saves it' : 'caller-saved here';
  const { tables } = fn;
  const name = ['vgpr_32', 'sgpr_32', 'agpr_32'].find((c) => tables.classContains(tables.regClassByName(c), reg));
  if (name === undefined) return rich`${what}`;
  const order = reserved.allocationOrder(tables.regClassByName(name));
  return rich`${what} · place ${order.indexOf(reg) + 1} of ${order.length} in the order of ${name}`;
}

const classText = (tables: TargetTables, rc: RegClassId): string =>
  `${tables.regClassMirName(rc)}, ${widthText(tables, rc)}`;

/** `2 VGPRs (64 bits)` */
function widthText(tables: TargetTables, rc: RegClassId): string {
  const bits = tables.regClassBits[rc]!;
  const bank = (tables.isAMDGCN ? BANK_NAMES[tables.regClassKind[rc]!] : undefined) ?? 'register';
  return `${plural(Math.max(1, Math.ceil(bits / 32)), bank)} (${bits} bits)`;
}

function virtualLines(snapshot: Snapshot, symbol: SymbolHere): Markdown[] {
  const { view, name } = symbol;
  const fn = view?.fn ?? null;
  const v = fn ? vregIndex(fn, symbol) : -1;
  const what = fn && 0 <= v ? vregText(fn, v) : 'class not known';
  const reader = fn && view && 0 <= v ? readerAt(fn, v, symbol.start - view.start) : -1;
  const lanes = fn && 0 <= v ? (view?.lanes ?? null) : null;
  const word = !lanes ? '' : laneWord(reader < 0 ? lanes.atDef(v) : lanes.atUse(v, fn!.instrBlock[reader]!));
  const lines = [rich`**${code(`%${name}`)}**: ${what}${word && `, ${word}`}`, ...placeLines(snapshot, symbol)];
  const why = view && lanes ? laneLine(snapshot, view, v, reader) : null;
  if (why && !(word.startsWith('divergent') && snapshot.settings.commandLinks)) lines.push(why);
  else if (why) {
    const { line, character } = snapshot.text.positionAt(symbol.start);
    lines.push(rich`${why} · ${commandLink('why', WHY_DIVERGENT_COMMAND, [snapshot.uri, line, character])}`);
  }
  const selection = lanes ? selectionText(lanes, v) : '';
  if (selection !== '') lines.push(rich`${selection}`);
  const summary = view?.summary;
  if (!summary || v < 0) return lines;
  const strip = liveStrip(summary, v);
  if (strip) lines.push(strip);
  const liveLanes = lanesHere(summary, v, symbol.start - view.start);
  const remat = summary.usedRegisters.kind === 'virtual' ? rematLine(view, v) : '';
  const more = [liveLanes, remat].filter((part) => part !== '').join(' · ');
  if (more !== '') lines.push(rich`${more}`);
  const places = view ? allocatedPlaceLine(snapshot, view, v) : null;
  if (places) lines.push(places);
  return lines;
}

/** The instruction at `offset` of the document if it reads the register there, -1 at a definition and outside of instructions. */
function readerAt(fn: MachineFunction, v: number, offset: number): InstrId {
  const i = instrFrom(fn, offset);
  const source = fn.source;
  if (i < 0 || !source) return -1;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if (fn.opVal[o] !== ~v || (fn.opFlags[o]! & OpFlag.Def) !== 0) continue;
    const { start, end } = source.operandRange(i, o - fn.opBegin[i]!);
    if (start <= offset && offset <= end) return i;
  }
  return -1;
}

function readsIn(fn: MachineFunction, i: InstrId, v: number): boolean {
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
    if (fn.opVal[o] === ~v && (fn.opFlags[o]! & OpFlag.Def) === 0) return true;
  return false;
}

/** Index of the virtual register under the cursor in the function's table, -1 if it is not there. O(registers) */
function vregIndex(fn: MachineFunction, { view, occurrence, name }: SymbolHere): number {
  const isNamed = view !== null && 0 <= occurrence && view.symbols.isNamed(view.symbols.entity[occurrence]!);
  const { vregs } = fn;
  for (let v = 0; v < vregs.n; v++)
    if (
      isNamed
        ? vregs.name[v] === name
        : (vregs.name[v] ?? null) === null && vregs.sourceNumber[v]! >>> 0 === Number(name)
    )
      return v;
  return -1;
}

/** The first line of its hover, for a register that is only proposed; nothing where the function does not have it. */
export function virtualText({ fn }: FunctionView, name: string): Markdown[] {
  const bare = name.slice(1);
  for (let v = 0; fn !== null && v < fn.vregs.n; v++) {
    const own = fn.vregs.name[v] ?? null;
    if ((own ?? String(fn.vregs.sourceNumber[v]! >>> 0)) !== bare) continue;
    return [rich`**${code(name)}**: ${vregText(fn, v)}`];
  }
  return [];
}

function vregText({ vregs, tables }: MachineFunction, v: number): string {
  const rc = vregs.regClass[v]!;
  if (0 <= rc) return classText(tables, rc);
  const bank = vregs.bank[v]!;
  return bank < 0 ? 'generic register' : `generic register, bank ${tables.regBankName(bank).toLowerCase()}`;
}

/** What GlobalISel would take for a generic register; empty for one with a class. */
function selectionText(lanes: LaneValues, v: number): string {
  const { fn } = lanes;
  const { vregs, tables } = fn;
  if (vregs.regClass[v]! >= 0) return '';
  const given = vregs.bank[v]!;
  const bank = given >= 0 ? tables.regBankName(given).toLowerCase() : chosenBank(lanes, v);
  const rc = bank === null ? -1 : chosenClass(lanes, v, bank);
  if (bank === null || rc < 0) return '';
  const ofDAG = selectionDAGClass(lanes, v);
  const taken = `${given >= 0 ? '' : `bank ${bank}, `}class ${tables.regClassMirName(rc)}`;
  if (ofDAG < 0 || ofDAG === rc) return `selection would take ${taken} (estimate)`;
  const isMask = lanes.uniformity.isDivergent[v] === 1 && requiresUniformRegister(lanes, v);
  return `selection would take ${taken}, SelectionDAG class ${tables.regClassMirName(ofDAG)}${isMask ? ', since control flow reads it' : ''} (estimate)`;
}

/** All that is known of a virtual register at an operand of instruction `i`, as rows of plain text; lines are named `line N`. */
export function vregRows(snapshot: Snapshot, view: FunctionView, v: number, i: InstrId): string[] {
  const { fn, summary } = view;
  if (!fn) return [];
  const { defs, uses } = linesOf(snapshot, view, v);
  const named = (lines: readonly number[]): string => lines.map((line) => `line ${line + 1}`).join(', ');
  const word = view.lanes ? laneWord(view.lanes.atDef(v)) : '';
  const rows = [`${nameOf(fn, v)}: ${vregText(fn, v)}${word && `, ${word}`}`];
  if (defs.length > 0) rows.push(`  defined at ${named(defs)}`);
  rows.push(uses.length > 0 ? `  read at ${named(uses)}` : '  never read');
  rows.push(...laneRows(snapshot, view, v, readsIn(fn, i, v) ? i : -1).map((row) => `  ${row}`));
  const selection = view.lanes ? selectionText(view.lanes, v) : '';
  if (selection !== '') rows.push(`  ${selection}`);
  if (!summary) return rows;
  const strip = liveBlocks(summary, v);
  if (strip.length > 0)
    rows.push(`  live in ${strip.length} of ${plural(fn.blocks.length, 'block')}: ${strip.join('  ')}`);
  const remat = summary.usedRegisters.kind === 'virtual' ? rematLine(view, v) : '';
  if (remat !== '') rows.push(`  ${remat}`);
  return rows;
}

/** 0-based lines of the instructions that write and read a register, each once, ascending. */
function linesOf({ text }: Snapshot, { fn, start }: FunctionView, v: number): { defs: number[]; uses: number[] } {
  const defs = new Set<number>();
  const uses = new Set<number>();
  const source = fn?.source;
  if (!fn || !source) return { defs: [], uses: [] };
  for (let i = 0; i < fn.nInstrs; i++)
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== ~v) continue;
      const line = text.lineAt(start + source.instrRange(i).start);
      ((fn.opFlags[o]! & OpFlag.Def) !== 0 ? defs : uses).add(line);
    }
  return { defs: [...defs], uses: [...uses] };
}

/** `defined at 231, 240 · 3 uses: 250, 251, 260`, line numbers as links. */
function placeLines(snapshot: Snapshot, symbol: SymbolHere): Markdown[] {
  const defs: number[] = [];
  const uses: number[] = [];
  for (const o of occurrencesOf(snapshot, symbol)) {
    if ((o.role & Role.Header) !== 0) continue;
    const line = snapshot.text.lineAt(o.start);
    const list = (o.role & Role.Def) !== 0 ? defs : uses;
    if (list[list.length - 1] !== line) list.push(line);
  }
  const parts: Markdown[] = [];
  if (defs.length > 0) parts.push(rich`defined at ${lineLinks(snapshot, defs)}`);
  parts.push(uses.length === 0 ? rich`never used` : rich`${plural(uses.length, 'use')}: ${lineLinks(snapshot, uses)}`);
  return [joined(parts, ' · ')];
}

function lineLinks({ uri }: Snapshot, lines: readonly number[]): Markdown {
  const shown: (Markdown | string)[] = lines.slice(0, MAX_LINES).map((line) => lineLink(line + 1, uri, line));
  if (MAX_LINES < lines.length) shown.push(`${lines.length - MAX_LINES} more`);
  return joined(shown, ', ');
}

/** The first blocks of the live range: `` live in 2 of 9 blocks: `bb.0 ░░██  bb.1 ████` ``. */
function liveStrip(summary: PressureSummary, v: number): Markdown | null {
  const blocks = liveBlocks(summary, v);
  if (blocks.length === 0) return null;
  const shown = blocks.slice(0, MAX_BLOCKS).join('  ');
  const more = MAX_BLOCKS < blocks.length ? `  and ${plural(blocks.length - MAX_BLOCKS, 'block')} more` : '';
  return rich`live in ${blocks.length} of ${plural(summary.fn.blocks.length, 'block')}: ${code(`${shown}${more}`)}`;
}

/** Live range over the blocks, `bb.1 ████`: each cell a part of the block. Blocks where it is not live are left out. */
function liveBlocks({ fn, lis }: PressureSummary, v: number): string[] {
  const range = lis.mainRange[v]!;
  if (range < 0) return [];
  const blocks: string[] = [];
  for (let b = 0; b < fn.blocks.length; b++) {
    const cells = blockCells(lis, range, b);
    if (cells.includes('█')) blocks.push(`bb.${fn.blocks[b]!.sourceNumber} ${cells}`);
  }
  return blocks;
}

/** A cell is full when the range touches that quarter of the block. */
function blockCells(lis: LiveIntervals, range: number, b: BlockId): string {
  const { indexes, segStart, segEnd } = lis;
  const start = indexes.startOf(b);
  const length = indexes.endOf(b) - start;
  let cells = '';
  const last = lis.segBegin[range]! + lis.segCount[range]!;
  for (let k = 0; k < CELLS; k++) {
    const from = start + (length * k) / CELLS;
    const to = start + (length * (k + 1)) / CELLS;
    let s = lis.findSegment(range, Math.floor(from));
    while (s < last && segEnd[s]! <= from) s++;
    cells += s < last && segStart[s]! < to ? '█' : '░';
  }
  return cells;
}

/** `lanes live here: sub0, sub1 (of sub0 to sub3)`; empty for one-lane registers and outside of instructions. */
function lanesHere({ fn, lis }: PressureSummary, v: number, offset: number): string {
  const { tables } = fn;
  const rc = fn.vregs.regClass[v]!;
  if (rc < 0 || tables.regClassBits[rc]! <= 32) return '';
  const i = instrFrom(fn, offset);
  const slot = i < 0 ? -1 : lis.indexes.instrIndex[i]!;
  if (slot < 0) return '';
  const before = laneNames(tables, rc, lis.liveLanes(v, slot), lis.lanesHi);
  const after = laneNames(tables, rc, lis.liveLanes(v, slot + 3), lis.lanesHi);
  const text = (names: string[]): string => (names.length === 0 ? 'none' : names.join(', '));
  return before.join() === after.join()
    ? `lanes live here: ${text(before)}`
    : `lanes live before: ${text(before)} · after: ${text(after)}`;
}

/** The 32-bit parts of which some bit is set. */
function laneNames(tables: TargetTables, rc: RegClassId, lo: number, hi: number): string[] {
  const names: string[] = [];
  for (let k = 0; k * 32 < tables.regClassBits[rc]!; k++) {
    const idx = tables.subRegIndexByName(`sub${k}`);
    if (idx <= 0) continue;
    if ((lo & tables.subRegLaneLo[idx]!) !== 0 || (hi & tables.subRegLaneHi[idx]!) !== 0) names.push(`sub${k}`);
  }
  return names;
}
