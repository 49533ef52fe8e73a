/** Hover on S_NOP after allocation: the hazard that it keeps apart, between which instructions; on S_DELAY_ALU: what it lets finish. */
import { OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { explainNoop, type NoopCause } from '../../passes/hazards/explainNoop.js';
import { isSALU, isTRANS, isVALU } from '../../target/index.js';
import { oneLine } from '../../text/visible.js';
import { rich, type Markdown } from '../words/markdown.js';
import { plural } from '../words/numbers.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** A line or two, none for other instructions. O(function) for a no-op */
export function noopLines(snapshot: Snapshot, view: FunctionView, i: InstrId): Markdown[] {
  const { fn } = view;
  const source = fn?.source;
  if (!fn || !source || !fn.tables.isAMDGCN) return [];
  if (fn.tables.opcodeName(fn.opcode[i]!) === 'S_DELAY_ALU') return delayLines(snapshot, view, fn, i);
  const reason = explainNoop(fn, i);
  if (reason === null) return [];
  const { states, needed, reader, causes } = reason;
  const to = instrText(snapshot, view, reader);
  if (needed === 0)
    return [rich`**no hazard** that LLVM knows on ${fn.subtarget.cpu || 'generic'} needs it before ${to}`];
  const enough = states < needed ? `, ${needed - states} too few here` : states > needed ? ` (here ${states})` : '';
  const need = `${plural(needed, 'wait state')}${enough}`;
  if (causes.length === 0) return [rich`**stands for** ${need} before ${to}`];
  return causes.slice(0, 2).map((cause) => {
    const from = instrText(snapshot, view, cause.instr);
    return rich`**stands for** ${need} between ${from} and ${to}${whatText(fn, cause)}`;
  });
}

function whatText({ tables }: MachineFunction, { reg, isRead, isWritten }: NoopCause): string {
  if (reg === 0) return '';
  const does = isRead && isWritten ? 'reads and writes' : isRead ? 'reads' : 'writes';
  return `, which ${does} $${tables.regName(reg)}`;
}

function instrText(snapshot: Snapshot, view: FunctionView, i: InstrId): string {
  const fn = view.fn!;
  const line = snapshot.text.lineAt(view.start + fn.source!.instrRange(i).start) + 1;
  return `${oneLine(fn.tables.opcodeName(fn.opcode[i]!))} of line ${line}`;
}

/** Numbers of what is awaited: VALU instructions back from 1, transcendental ones from 5, cycles of the SALU from 9. */
const TRANS_BASE = 4;
const TRANS_END = 8;
const SALU_BASE = 8;

function delayLines(snapshot: Snapshot, view: FunctionView, fn: MachineFunction, i: InstrId): Markdown[] {
  const o = fn.opBegin[i]!;
  if (fn.opKind[o] !== OperandKind.Immediate) return [];
  const imm = fn.imm(o);
  const block = fn.order.subarray(fn.blockBegin[fn.instrBlock[i]!], fn.blockEnd[fn.instrBlock[i]!]);
  const at = block.indexOf(i);
  const parts: readonly (readonly [id: number, skip: number])[] = [
    [imm & 15, 0],
    [(imm >> 7) & 15, (imm >> 4) & 7],
  ];
  return parts.flatMap(([id, skip]) => {
    if (id === 0) return [];
    const to = block[at + 1 + skip];
    const whose = to === undefined ? 'what comes next' : instrText(snapshot, view, to);
    return [rich`**delays** ${whose} until ${awaitedText(snapshot, view, fn, block, at + 1 + skip, id)}`];
  });
}

function awaitedText(
  snapshot: Snapshot,
  view: FunctionView,
  fn: MachineFunction,
  block: ArrayLike<InstrId>,
  before: number,
  id: number,
): string {
  if (id > SALU_BASE) return `${plural(id - SALU_BASE, 'cycle')} of the SALU are over`;
  if (id === TRANS_END) return 'the multiply-accumulate before it can be added to';
  const { tables, opcode } = fn;
  const isTrans = id > TRANS_BASE;
  let left = isTrans ? id - TRANS_BASE : id;
  for (let p = Math.min(before, block.length) - 1; p >= 0; p--) {
    const k = block[p]!;
    const isOfKind = isTRANS(tables, opcode[k]!) ? isTrans : !isTrans && isVALU(tables, opcode[k]!);
    if (isOfKind && !isSALU(tables, opcode[k]!) && --left === 0)
      return `${instrText(snapshot, view, k)} has its result`;
  }
  const kind = isTrans ? 'transcendental instruction' : 'VALU instruction';
  return `the result of ${plural(isTrans ? id - TRANS_BASE : id, kind)} back, before the block`;
}
