/** Rewrites of blocks: split one, and write the live-ins and successors that its code has. */
import { OperandKind, OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg } from '../../model/register.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import { McFlag, type PhysReg } from '../../target/index.js';
import type { TextEdit } from '../../text/sourceText.js';
import { blockAt, eol, insert, insertBlockLine } from '../fixes/fix.js';
import { instrOnLine } from '../snapshot/locate.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import type { Refactoring, RefactorPlace } from './refactoring.js';

/**
 * Physical registers that the code of a block from position `from` to `to` reads before it writes them, or (to its end) hands on to its successors by their live-ins;
 * reserved ones left out, a tuple in place of its parts. In the order of their numbers. O(block)
 */
export function physicalLiveIns(fn: MachineFunction, b: BlockId, from: number, to = fn.blockEnd[b]!): PhysReg[] {
  const { tables } = fn;
  const reserved = new ReservedRegs(fn);
  const units = new Set<number>();
  const named = new Set<PhysReg>();
  const eachUnit = (reg: PhysReg, visit: (unit: number) => void): void => {
    for (let k = tables.unitBegin[reg]!; k < tables.unitEnd[reg]!; k++) visit(tables.unitList[k]!);
  };
  const read = (reg: PhysReg): void => {
    if (reserved.isReserved(reg)) return;
    named.add(reg);
    eachUnit(reg, (u) => units.add(u));
  };
  if (to === fn.blockEnd[b])
    for (const s of fn.blocks[b]!.successors) for (const { reg } of fn.blocks[s]!.liveIns) read(reg);
  for (let p = to - 1; p >= from; p--) {
    const i = fn.order[p]!;
    const isWhat = (o: number, isDef: boolean): boolean =>
      fn.opKind[o] === OperandKind.Register &&
      isPhysicalReg(fn.opVal[o]!) &&
      ((fn.opFlags[o]! & OpFlag.Def) !== 0) === isDef;
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
      if (isWhat(o, true)) eachUnit(fn.opVal[o]!, (u) => units.delete(u));
      if (fn.opKind[o] !== OperandKind.RegisterMask) continue;
      const { mask, regs } = fn.payload(o, OperandKind.RegisterMask);
      const bits = mask >= 0 ? tables.regMaskBits(mask) : null;
      const isKept = (reg: PhysReg): boolean =>
        bits === null ? regs.includes(reg) : ((bits[reg >> 5]! >>> (reg & 31)) & 1) !== 0;
      // A mask may have a register and not its halves.
      const kept = new Set<number>();
      for (const reg of named)
        for (const part of [reg, ...tables.subRegs(reg)]) if (isKept(part)) eachUnit(part, (u) => kept.add(u));
      for (const u of units) if (!kept.has(u)) units.delete(u);
    }
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
      if (isWhat(o, false) && (fn.opFlags[o]! & (OpFlag.Undef | OpFlag.Internal)) === 0) read(fn.opVal[o]!);
  }
  // Those of which everything lives, the widest first; then what is left of the others.
  const width = (reg: PhysReg): number => tables.unitEnd[reg]! - tables.unitBegin[reg]!;
  const isWhole = (reg: PhysReg): boolean => {
    let is = true;
    eachUnit(reg, (u) => (is &&= units.has(u)));
    return is;
  };
  const parts = [...named].flatMap((reg) => [reg, ...tables.subRegs(reg)]);
  const found: PhysReg[] = [];
  for (const reg of [...new Set(parts)].sort((x, y) => width(y) - width(x) || x - y)) {
    if (!isWhole(reg)) continue;
    found.push(reg);
    eachUnit(reg, (u) => units.delete(u));
  }
  return found.sort((x, y) => x - y);
}

export const liveInsText = (fn: MachineFunction, regs: readonly PhysReg[]): string =>
  `liveins: ${regs.map((reg) => `$${fn.tables.regName(reg)}`).join(', ')}`;

/** A new block from the cursor's instruction on; PHIs after it speak of the new one. */
export function splitBlock({ snapshot, view, offset }: RefactorPlace): Refactoring | null {
  const { fn } = view;
  const { text } = snapshot;
  const i = fn?.source ? instrOnLine(snapshot, view, text.positionAt(offset)) : -1;
  if (!fn?.source || i < 0 || fn.bundle[i] !== 0) return null;
  const b = fn.instrBlock[i]!;
  const { source } = fn;
  const block = fn.blocks[b];
  // Instructions before all labels are in no block.
  if (!block || fn.order[fn.blockBegin[b]!] === i) return null;
  const number = Math.max(...fn.blocks.map((x) => x.sourceNumber)) + 1;
  const lineStart = text.lineStart(text.lineAt(view.start + source.instrRange(i).start));
  const label = view.start + source.blockLabelRange(b).start;
  const lead = ' '.repeat(label - text.lineStart(text.lineAt(label)));
  const end = eol(snapshot);
  const successors = source.successorsRange(b);
  const lines = [`${lead}bb.${number}:`];
  const edits: TextEdit[] = [];
  if (successors) {
    const { start, end: to } = successors;
    const own = text.slice(view.start + start, view.start + to);
    lines.push(`${lead}  ${own.trim()}`);
    edits.push({ start: view.start + start, end: view.start + to, text: `successors: %bb.${number}` });
  }
  if (!fn.tables.opcodeName(fn.opcode[i]!).endsWith('PHI') && fn.header.tracksRegLiveness) {
    const regs = physicalLiveIns(fn, b, fn.order.indexOf(i, fn.blockBegin[b]!));
    if (regs.length > 0) lines.push(`${lead}  ${liveInsText(fn, regs)}`);
  }
  edits.push(insert(lineStart, `${end}${lines.join(end)}${end}${lines.length > 1 ? end : ''}`));
  // Without a list of its own llc would guess the successors from the branches, which the first half has no more.
  for (const s of block.successors) edits.push(...renamedIncoming(view, fn, s, b, number));
  edits.sort((x, y) => x.start - y.start);
  return { title: `Split bb.${block.sourceNumber} here, into bb.${number}`, edits, keeps: 'errors' };
}

/** In the PHIs of a block: the predecessor `from` under its new number. */
function renamedIncoming(
  view: FunctionView,
  fn: MachineFunction,
  b: BlockId,
  from: BlockId,
  number: number,
): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
    const i: InstrId = fn.order[p]!;
    if (!/^(?:G_)?PHI$/.test(fn.tables.opcodeName(fn.opcode[i]!))) break;
    for (let k = 2; k < fn.numOperands(i); k += 2) {
      const o = fn.opBegin[i]! + k;
      if (fn.opKind[o] !== OperandKind.MBB || fn.opVal[o] !== from) continue;
      const { start, end } = fn.source!.operandRange(i, k);
      edits.push({ start: view.start + start, end: view.start + end, text: `%bb.${number}` });
    }
  }
  return edits;
}

/** On the label of a block: the live-ins that its code needs. */
export function fillLiveIns({ snapshot, view, offset }: RefactorPlace): Refactoring | null {
  const b = labelledBlock(snapshot, view, offset);
  const { fn } = view;
  if (b < 0 || !fn?.source || !fn.header.tracksRegLiveness) return null;
  const needed = physicalLiveIns(fn, b, fn.blockBegin[b]!);
  const { liveIns, sourceNumber } = fn.blocks[b]!;
  const covers = (reg: PhysReg): boolean =>
    liveIns.some(({ reg: own }) => own === reg || fn.tables.subRegs(own).includes(reg));
  const missing = needed.filter((reg) => !covers(reg));
  if (missing.length === 0) return null;
  const names = missing.map((reg) => `$${fn.tables.regName(reg)}`);
  const title = `Add ${names.length > 3 ? `${names.length} registers` : names.join(', ')} to the live-ins of bb.${sourceNumber}`;
  if (liveIns.length === 0)
    return { title, edits: [insertBlockLine(snapshot, view, b, liveInsText(fn, missing))], keeps: 'errors' };
  const last = fn.source.liveInRange(b, liveIns.length - 1);
  return { title, edits: [insert(view.start + last.end, `, ${names.join(', ')}`)], keeps: 'errors' };
}

/** On the label of a block without a list: the successors that its branches and the end of its code give it. */
export function writeSuccessors({ snapshot, view, offset }: RefactorPlace): Refactoring | null {
  const b = labelledBlock(snapshot, view, offset);
  const { fn } = view;
  if (b < 0 || !fn?.source) return null;
  const { tables } = fn;
  const targets = new Set<BlockId>();
  let fallsThrough = true;
  for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
    const i = fn.order[p]!;
    const flags = tables.opcodeFlagsLo(fn.opcode[i]!);
    if (((flags >>> McFlag.Terminator) & 1) === 0) continue;
    for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++)
      if (fn.opKind[o] === OperandKind.MBB) targets.add(fn.opVal[o]!);
    if (((flags >>> McFlag.Barrier) & 1) !== 0) fallsThrough = false;
  }
  if (fallsThrough && b + 1 < fn.blocks.length) targets.add(b + 1);
  const now = fn.blocks[b]!.successors;
  const list = source(fn, b);
  if (targets.size === 0 || (list !== null && [...targets].every((t) => now.includes(t)))) return null;
  const names = [...targets].map((t) => `%bb.${fn.blocks[t]!.sourceNumber}`);
  const block = `the successors of bb.${fn.blocks[b]!.sourceNumber}`;
  const title = `Write ${block}: ${names.join(', ')}`;
  if (list === null)
    return { title, edits: [insertBlockLine(snapshot, view, b, `successors: ${names.join(', ')}`)], keeps: 'errors' };
  const own = snapshot.text.slice(view.start + list.start, view.start + list.end);
  const more = names.filter((n) => !new RegExp(`${n}(?![0-9])`).test(own));
  const at = view.start + list.start + own.trimEnd().length;
  const edits = [insert(at, `${/:\s*$/.test(own) ? ' ' : ', '}${more.join(', ')}`)];
  return { title: `Add ${more.join(', ')} to ${block}`, edits, keeps: 'errors' };
}

const source = (fn: MachineFunction, b: BlockId): { start: number; end: number } | null =>
  fn.source!.successorsRange(b);

/** The block whose label stands on the cursor's line, -1 without one. */
function labelledBlock({ text }: Snapshot, view: FunctionView, offset: number): BlockId {
  const { fn } = view;
  const b = fn?.source ? blockAt(fn, view, offset) : -1;
  if (b < 0) return -1;
  const label = view.start + fn!.source!.blockLabelRange(b).start;
  return text.lineAt(label) === text.lineAt(offset) ? b : -1;
}
