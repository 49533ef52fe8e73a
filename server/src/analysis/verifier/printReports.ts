/** The reports as llc writes them to stderr (ReportedErrors and MachineVerifier::report, LLVM 22; docs/llvm/verifier.md, 1.3). */
import type { LLT } from '../../model/llt.js';
import { BundleFlag, OperandKind, type BlockId, type InstrId } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex } from '../../model/register.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import { InstrPrinter, printMachineCode } from '../../model/printer/index.js';
import type { DebugNames } from '../../model/printer/index.js';
import { SlotList } from '../edit/slotList.js';
import { Slot } from '../slotIndexes.js';
import type { KnownIntervals } from './knownIntervals.js';
import { printInterval, unitName } from './liveIntervals.js';
import { blockText, VerifierScope } from './reports.js';
import type { VerifierReport } from './reports.js';

export interface PrintReportsOptions {
  readonly debugNames?: DebugNames;
  /** llc prints the address of a block; there is none here, so a number made from the block stands for it */
  readonly blockAddress?: (block: BlockId) => string;
  /** what the verifier knew of live intervals: it shows them and slot indexes then */
  readonly known?: KnownIntervals | undefined;
  /** after which pass; without it the first line stays away */
  readonly banner?: string | null;
}

const defaultAddress = (block: BlockId): string => `0x${(0x1000 + block * 0x100).toString(16).padStart(12, '0')}`;

/**
 * Each report repeats its instruction, so that one instruction of 10,000 wrong operands is half a gigabyte, which llc writes. Where that
 * begins, reports end.
 */
const MAX_LENGTH = 1 << 24;

/**
 * One report with the empty line before it.
 * @llvm MachineVerifier.cpp MachineVerifier::report
 */
function printVerifierReport(
  fn: MachineFunction,
  report: VerifierReport,
  printer: InstrPrinter,
  options: PrintReportsOptions = {},
): string {
  const { known } = options;
  let out = `*** Bad machine code: ${report.message} ***\n- function:    ${fn.header.name}\n`;
  if (report.block >= 0) {
    const address = (options.blockAddress ?? defaultAddress)(report.block);
    const slots = known === undefined ? '' : ` [${blockSlots(known, report.block).join(';')})`;
    out += `- basic block: ${blockText(report.block)} ${fn.blocks[report.block].irName ?? ''} (${address})${slots}\n`;
  }
  if (report.instr >= 0) {
    const slot = known === undefined ? '' : instrSlot(known, report.instr);
    out += `- instruction: ${slot === '' ? '' : `${slot}\t`}${printer.printInstr(report.instr)}\n`;
  }
  if (report.scope === VerifierScope.Operand) {
    const k = report.operand;
    const text = k < fn.numOperands(report.instr) ? operandText(fn, report, printer) : '';
    out += `- operand ${k}:   ${text}\n`;
  }
  for (const line of report.extra)
    if (typeof line !== 'string' && 'open' in line) out += line.open;
    else out += typeof line === 'string' ? `${line}\n` : `${line.before}${printer.printInstr(line.instr)}\n`;
  return out;
}

function blockSlots({ intervals: { slots } }: KnownIntervals, b: BlockId): string[] {
  return [slots.startOf(b), slots.endOf(b)].map((s) => slots.print(s));
}

/** '' = none */
function instrSlot({ intervals: { slots, editor } }: KnownIntervals, i: InstrId): string {
  if ((editor.fn.bundle[i] & BundleFlag.BundledPred) !== 0) return '';
  const slot = slots.ofInstr(i);
  return slot < 0 ? '' : slots.print(slot);
}

/**
 * LiveIntervals::print without the code.
 * @llvm LiveIntervals.cpp LiveIntervals::print
 */
function printIntervals(fn: MachineFunction, known: KnownIntervals): string {
  const { tables, vregs } = fn;
  let out = '********** INTERVALS **********\n';
  for (let unit = 0; unit < tables.nRegUnits; unit++) {
    const range = known.unitRange(unit);
    if (range !== null) out += `${unitName(tables, unit)} ${range.print()}\n`;
  }
  // The last rewriter has cleared them, though their numbers are taken here.
  const n = fn.header.noVRegs ? 0 : vregs.n;
  for (let v = 0; v < n; v++) {
    const interval = known.intervals.known(v);
    if (interval !== null) out += `${printInterval(interval)}\n`;
  }
  out += 'RegMasks:';
  for (let p = 0; p < fn.order.length; p++) {
    const i = fn.order[p];
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.RegisterMask)
        out += ` ${known.intervals.slots.print(SlotList.at(known.intervals.slots.ofInstr(i), Slot.Register))}`;
  }
  return `${out}\n********** MACHINEINSTRS **********\n`;
}

/** An operand on its own: immediates are plain numbers, whatever they mean in the instruction. */
function operandText(fn: MachineFunction, report: VerifierReport, printer: InstrPrinter): string {
  const o = fn.opBegin[report.instr] + report.operand;
  if (fn.opKind[o] === OperandKind.Immediate && fn.opTargetFlags[o] === 0) return fn.immBigInt(o).toString();
  return printer.printOperand(report.instr, report.operand, typeShown(fn, report));
}

/** llc shows the type of the operand only where types are what differs. */
function typeShown(fn: MachineFunction, report: VerifierReport): LLT | null {
  if (report.message !== 'Type mismatch in generic instruction') return null;
  const o = fn.opBegin[report.instr] + report.operand;
  const reg = fn.opKind[o] === OperandKind.Register ? fn.opVal[o] : 0;
  return isVirtualReg(reg) ? fn.vregs.type[virtRegIndex(reg)] : null;
}

/**
 * All that llc writes to stderr for a function with these reports, up to and with the line `LLVM ERROR: Found N machine
 * code errors.`; the crash text that llc adds is left out. Empty if there are no reports.
 */
export function printVerifierReports(
  fn: MachineFunction,
  reports: readonly VerifierReport[],
  options: PrintReportsOptions = {},
): string {
  if (reports.length === 0) return '';
  const printer = new InstrPrinter(
    fn,
    options.debugNames === undefined ? { standalone: true } : { standalone: true, debugNames: options.debugNames },
  );
  const { known, banner = null } = options;
  const parts = [banner === null ? '\n' : `\n# ${banner}\n`];
  if (known === undefined) parts.push(printMachineCode(fn, options.debugNames));
  else {
    const ofBlock = (b: BlockId): string => blockSlots(known, b)[0] ?? '';
    const ofInstr = (i: InstrId): string => instrSlot(known, i);
    parts.push(printIntervals(fn, known), printMachineCode(fn, options.debugNames, { ofBlock, ofInstr }));
  }
  let length = 0;
  for (let n = 0; n < reports.length; n++) {
    if (n > 0) parts.push('\n');
    const text = printVerifierReport(fn, reports[n], printer, options);
    parts.push(text);
    length += text.length;
    if (MAX_LENGTH < length && n + 1 < reports.length) {
      parts.push(`\n(${reports.length - n - 1} more are not printed: the text gets too long)\n`);
      break;
    }
  }
  parts.push(`LLVM ERROR: Found ${reports.length} machine code errors.\n`);
  return parts.join('');
}
