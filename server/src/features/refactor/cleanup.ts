/**
 * What a function could do without: blocks that nothing reaches, registers that nothing reads, encodings that are longer than they need to be. As
 * places for hints (`amdgpu-mir.diagnostics.unnecessary`) and as rewrites for the light bulb, which llc's verifier has the last word on.
 */
import { OperandKind, OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtRegIndex } from '../../model/register.js';
import { MemFlag } from '../../model/memOperand.js';
import { McFlag, type Opcode } from '../../target/index.js';
import type { TextEdit } from '../../text/sourceText.js';
import { blockAt } from '../fixes/fix.js';
import { instrOnLine } from '../snapshot/locate.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import type { Refactoring, RefactorPlace } from './refactoring.js';

/** Blocks that no path from the entry leads to and whose address nobody has. O(blocks and edges) */
export function unreachableBlocks(fn: MachineFunction): BlockId[] {
  const { blocks } = fn;
  const isReached = new Uint8Array(blocks.length);
  const stack: BlockId[] = [];
  const reach = (b: BlockId): void => {
    if (isReached[b] === 0) stack.push(b);
    isReached[b] = 1;
  };
  blocks.forEach((block, b) => {
    const isEntered =
      block.isMachineBlockAddressTaken ||
      block.irBlockAddressTaken !== null ||
      block.isLandingPad ||
      block.isEHFuncletEntry ||
      block.isInlineAsmBrIndirectTarget;
    if (b === 0 || isEntered) reach(b);
  });
  for (let b = stack.pop(); b !== undefined; b = stack.pop()) blocks[b]!.successors.forEach(reach);
  return blocks.flatMap((_, b) => (isReached[b] === 1 ? [] : [b]));
}

/** All blocks that nothing reaches, with what PHIs have of them; on the label of one of them. */
export function removeUnreachable({ snapshot, view, offset }: RefactorPlace): Refactoring | null {
  const { fn } = view;
  if (!fn?.source) return null;
  const dead = new Set(unreachableBlocks(fn));
  const here = blockAt(fn, view, offset);
  if (!dead.has(here) || !isOnLabel(snapshot, view, here, offset)) return null;
  const { text } = snapshot;
  const edits: TextEdit[] = [];
  for (let b = 0; b < fn.blocks.length; b++) {
    if (dead.has(b)) {
      const { start, end } = fn.source.blockRange(b);
      const from = text.lineStart(text.lineAt(view.start + start));
      const isLast = b + 1 === fn.blocks.length;
      const to = isLast ? view.start + end : text.lineStart(text.lineAt(view.start + end));
      edits.push({ start: from, end: Math.max(from, to), text: '' });
    } else edits.push(...withoutIncoming(snapshot, view, fn, b, dead));
  }
  const names = [...dead].map((b) => `bb.${fn.blocks[b]!.sourceNumber}`);
  const title =
    dead.size === 1 ? `Remove ${names[0]!}, which nothing reaches` : `Remove ${dead.size} blocks that nothing reaches`;
  return { title, edits, keeps: 'errors' };
}

function isOnLabel({ text }: Snapshot, view: FunctionView, b: BlockId, offset: number): boolean {
  return text.lineAt(view.start + view.fn!.source!.blockLabelRange(b).start) === text.lineAt(offset);
}

/** PHIs without the pairs of blocks that go. */
function withoutIncoming(
  { text }: Snapshot,
  view: FunctionView,
  fn: MachineFunction,
  b: BlockId,
  dead: ReadonlySet<BlockId>,
): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let p = fn.blockBegin[b]!; p < fn.blockEnd[b]!; p++) {
    const i = fn.order[p]!;
    if (!/^(?:G_)?PHI$/.test(fn.tables.opcodeName(fn.opcode[i]!))) break;
    const begin = (k: number): number => view.start + fn.source!.operandRange(i, k).start;
    const end = (k: number): number => view.start + fn.source!.operandRange(i, k).end;
    const n = fn.numOperands(i);
    const kept: string[] = [];
    for (let k = 2; k < n; k += 2) {
      const o = fn.opBegin[i]! + k;
      if (fn.opKind[o] !== OperandKind.MBB || !dead.has(fn.opVal[o]!)) kept.push(text.slice(begin(k - 1), end(k)));
    }
    if (kept.length < (n - 1) >> 1) edits.push({ start: begin(1), end: end(n - 1), text: kept.join(', ') });
  }
  return edits;
}

/** Virtual registers that stand nowhere but where they are written. `true` for each, by number in the table. O(operands) */
function unreadRegisters(fn: MachineFunction): Uint8Array {
  const isUnread = new Uint8Array(fn.vregs.n);
  for (let o = 0; o < fn.nOperands; o++) if (isWritten(fn, o)) isUnread[virtRegIndex(fn.opVal[o]!)] = 1;
  for (let o = 0; o < fn.nOperands; o++)
    if (fn.opKind[o] === OperandKind.Register && isVirtualReg(fn.opVal[o]!) && !isWritten(fn, o))
      isUnread[virtRegIndex(fn.opVal[o]!)] = 0;
  return isUnread;
}

const isWritten = (fn: MachineFunction, o: number): boolean =>
  fn.opKind[o] === OperandKind.Register && isVirtualReg(fn.opVal[o]!) && (fn.opFlags[o]! & OpFlag.Def) !== 0;

/** Instructions that do nothing but write registers that nothing reads. O(operands) */
export function idleInstrs(fn: MachineFunction, only: InstrId = -1): InstrId[] {
  const isUnread = unreadRegisters(fn);
  const found: InstrId[] = [];
  const [from, to] = only < 0 ? [0, fn.nInstrs] : [only, only + 1];
  for (let i = from; i < to; i++) {
    let nUnread = 0;
    let isIdle = !hasEffects(fn, i) && fn.bundle[i] === 0;
    for (let o = fn.opBegin[i]!; isIdle && o < fn.opBegin[i + 1]!; o++) {
      if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o]! & OpFlag.Def) === 0) continue;
      const reg = fn.opVal[o]!;
      if (isVirtualReg(reg) && isUnread[virtRegIndex(reg)] === 1) nUnread++;
      else isIdle = isPhysicalReg(reg) && (fn.opFlags[o]! & OpFlag.Dead) !== 0;
    }
    if (isIdle && nUnread > 0) found.push(i);
  }
  return found;
}

const EFFECTS = [
  McFlag.MayStore,
  McFlag.Call,
  McFlag.Return,
  McFlag.Terminator,
  McFlag.Barrier,
  McFlag.UnmodeledSideEffects,
  McFlag.Trap,
];

/** More than its definitions would go with it. */
function hasEffects({ tables, opcode, memOperands }: MachineFunction, i: InstrId): boolean {
  const lo = tables.opcodeFlagsLo(opcode[i]!);
  const hi = tables.opcodeFlagsHi(opcode[i]!);
  const has = (flag: McFlag): boolean => ((flag < 32 ? lo >>> flag : hi >>> (flag - 32)) & 1) !== 0;
  if (EFFECTS.some(has) || tables.opcodeName(opcode[i]!).startsWith('INLINEASM')) return true;
  if (!has(McFlag.MayLoad)) return false;
  const memory = memOperands[i] ?? [];
  return memory.length === 0 || memory.some((m) => (m.flags & MemFlag.Volatile) !== 0 || m.ordering !== '');
}

/** The line whose registers nothing reads. */
export function removeIdle({ snapshot, view, offset }: RefactorPlace): Refactoring | null {
  const { fn } = view;
  const { text } = snapshot;
  const i = fn?.source ? instrOnLine(snapshot, view, text.positionAt(offset)) : -1;
  if (i < 0 || idleInstrs(fn!, i).length === 0) return null;
  const { start, end } = fn!.source!.instrRange(i);
  const first = text.lineAt(view.start + start);
  const last = text.lineAt(view.start + end);
  const edit = { start: text.lineStart(first), end: text.lineStart(last + 1), text: '' };
  return { title: 'Remove this instruction: nothing reads what it writes', edits: [edit], keeps: 'errors' };
}

/** Another way to write an instruction, and what it saves. */
export interface Shorter {
  readonly opcode: Opcode;
  /** operands of the present text that stay, in their order */
  readonly operands: readonly number[];
  /** bytes */
  readonly from: number;
  readonly to: number;
}

/** The same instruction in fewer bytes, as far as its own operands tell; null where there is none. */
export function shorterEncoding(fn: MachineFunction, i: InstrId): Shorter | null {
  const { tables, subtarget: st } = fn;
  const opc = fn.opcode[i]!;
  const e32 = tables.mapOpcode('VOPe32', opc);
  if (e32 >= 0) return asVOPe32(fn, i, e32);
  const hasSrc = tables.getNamedOperandIdx(opc, 'src0');
  if (tables.opcodeName(opc) === 'S_MOV_B32') return asSOPK(fn, i, tables.opcodeByName('S_MOVK_I32'), hasSrc, true);
  const sopk = tables.mapOpcode('SOPK', opc);
  const isUnsigned = tables.opcodeName(opc).endsWith('_U32');
  return sopk < 0 || st.mcOpcode(sopk) < 0
    ? null
    : asSOPK(fn, i, sopk, tables.getNamedOperandIdx(opc, 'src1'), !isUnsigned);
}

const LITERAL_BYTES = 4;

/** Constants that need no word of their own. */
const isInlineInt = (value: bigint): boolean => -16n <= value && value <= 64n;

function asSOPK(fn: MachineFunction, i: InstrId, opcode: Opcode, k: number, isSigned: boolean): Shorter | null {
  const { tables, subtarget: st } = fn;
  const o = fn.opBegin[i]! + k;
  if (fn.opKind[o] !== OperandKind.Immediate) return null;
  const value = fn.immBigInt(o);
  const fits = isSigned ? -0x8000n <= value && value <= 0x7fffn : 0n <= value && value <= 0xffffn;
  if (!fits || isInlineInt(value)) return null;
  const operands = Array.from({ length: tables.opcodeNumOperands(opcode) }, (_, n) => n);
  const to = tables.opcodeSize(st.mcOpcode(opcode));
  return { opcode, operands, from: to + LITERAL_BYTES, to };
}

function asVOPe32(fn: MachineFunction, i: InstrId, e32: Opcode): Shorter | null {
  const { tables, subtarget: st } = fn;
  const opc = fn.opcode[i]!;
  const mc = st.mcOpcode(e32);
  if (mc < 0 || st.mcOpcode(opc) < 0) return null;
  const [from, to] = [tables.opcodeSize(st.mcOpcode(opc)), tables.opcodeSize(mc)];
  const sameRegs = (a: readonly number[], b: readonly number[]): boolean =>
    a.length === b.length && a.every((reg) => b.includes(reg));
  if (
    from <= to ||
    !sameRegs(tables.implicitDefs(opc), tables.implicitDefs(e32)) ||
    !sameRegs(tables.implicitUses(opc), tables.implicitUses(e32))
  )
    return null;
  const n = tables.opcodeNumOperands(opc);
  if (fn.numOperands(i) < n) return null;
  const operands: number[] = [];
  for (let k = 0; k < tables.opcodeNumOperands(e32); k++) {
    const at = tables.getNamedOperandIdx(opc, tables.operandName(e32, k));
    if (at < 0) return null;
    operands.push(at);
  }
  for (let k = 0; k < n; k++) {
    const o = fn.opBegin[i]! + k;
    if (!operands.includes(k) && (fn.opKind[o] !== OperandKind.Immediate || fn.immBigInt(o) !== 0n)) return null;
  }
  // Only the first source of the short form may be scalar or constant.
  for (const [k, at] of operands.entries()) {
    const o = fn.opBegin[i]! + at;
    const rc = st.opInfoRegClass(e32, k);
    if (rc < 0) continue;
    if (fn.opKind[o] === OperandKind.Register) {
      const reg = fn.opVal[o]!;
      const own = isVirtualReg(reg) ? fn.vregs.regClass[virtRegIndex(reg)]! : -1;
      const whole = fn.opSub[o] === 0 || own < 0 ? own : tables.getSubRegisterClass(own, fn.opSub[o]!);
      if (isVirtualReg(reg) ? whole < 0 || !tables.hasSubClassEq(rc, whole) : !tables.classContains(rc, reg))
        return null;
    } else if (tables.getNamedOperandIdx(e32, 'src0') !== k) return null;
  }
  return { opcode: e32, operands, from, to };
}

export function shorten({ snapshot, view, offset }: RefactorPlace): Refactoring | null {
  const { fn } = view;
  const { text } = snapshot;
  const i = fn?.source ? instrOnLine(snapshot, view, text.positionAt(offset)) : -1;
  const shorter = i < 0 ? null : shorterEncoding(fn!, i);
  if (shorter === null) return null;
  const { tables, opcode, source } = fn!;
  const nDefs = tables.opcodeNumDefs(opcode[i]!);
  const wordOf = (k: number): string => {
    const { start, end } = source!.operandRange(i, k);
    return text.slice(view.start + start, view.start + end);
  };
  const uses = shorter.operands.filter((k) => k >= nDefs).map(wordOf);
  const last = tables.opcodeNumOperands(opcode[i]!) - 1;
  const name = tables.opcodeName(shorter.opcode);
  const edit = {
    start: view.start + source!.opcodeRange(i).start,
    end: view.start + source!.operandRange(i, last).end,
    text: `${name} ${uses.join(', ')}`,
  };
  return { title: `Use ${name}: ${shorter.to} bytes instead of ${shorter.from}`, edits: [edit], keeps: 'errors' };
}
