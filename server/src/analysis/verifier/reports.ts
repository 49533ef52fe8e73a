/**
 * Reports of the machine verifier as data, and the sink that collects them.
 *
 * Follows the report functions of MachineVerifier (LLVM 22): a report is about a function, a block, an instruction or an
 * operand, may carry further lines, and reports come in the order in which LLVM makes them.
 */
import { isVirtualReg, virtRegIndex } from '../../model/register.js';
import type { BlockId, InstrId, MachineFunction } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import type { Facts } from '../../text/diagnostic.js';

/** What the report is about; decides which `- ...:` lines llc prints. */
export const enum VerifierScope {
  Function = 0,
  Block = 1,
  Instr = 2,
  Operand = 3,
}

/** A line with an instruction at its end, which LLVM prints with its place in the source. */
export interface QuotedInstr {
  readonly before: string;
  readonly instr: InstrId;
}

/** `open`: a line without a line break */
export type ReportLine = string | QuotedInstr | { readonly open: string };

export interface VerifierReport {
  readonly scope: VerifierScope;
  /** LLVM's text between `*** Bad machine code: ` and ` ***`; one message of LLVM is empty */
  readonly message: string;
  /** -1 unless the scope is Block or narrower */
  readonly block: BlockId;
  /** -1 unless the scope is Instr or narrower */
  readonly instr: InstrId;
  /** operand within the instruction, implicit ones counted; -1 unless the scope is Operand */
  readonly operand: number;
  /** register that the report names apart from its operand (`- p. register:`), 0 if none */
  readonly reg: Reg;
  /** another block that the report is about (a predecessor or successor), -1 if none */
  readonly otherBlock: BlockId;
  /** lines that LLVM prints after the location */
  readonly extra: readonly ReportLine[];
  /** the instruction that a report about the function is about; LLVM does not print it as the place */
  readonly at?: InstrId;
  /** for who repairs it, beside those that follow from the report's place */
  readonly facts?: Facts;
}

const NO_LINES: readonly ReportLine[] = [];

export class ReportSink {
  readonly reports: VerifierReport[] = [];

  constructor(private readonly fn: MachineFunction) {}

  onFunction(message: string, extra: readonly ReportLine[] = NO_LINES, reg: Reg = 0): void {
    this.add(VerifierScope.Function, message, -1, -1, -1, extra, reg, -1);
  }

  onFunctionAt(at: InstrId, message: string, extra: readonly ReportLine[]): void {
    const none = { block: -1, instr: -1, operand: -1, reg: 0, otherBlock: -1 };
    this.reports.push({ scope: VerifierScope.Function, message, ...none, extra, at });
  }

  onBlock(
    block: BlockId,
    message: string,
    extra: readonly ReportLine[] = NO_LINES,
    reg: Reg = 0,
    otherBlock = -1,
  ): void {
    this.add(VerifierScope.Block, message, block, -1, -1, extra, reg, otherBlock);
  }

  onInstr(instr: InstrId, message: string, extra: readonly ReportLine[] = NO_LINES, otherBlock = -1): void {
    this.add(VerifierScope.Instr, message, this.fn.instrBlock[instr], instr, -1, extra, 0, otherBlock);
  }

  onOperand(
    instr: InstrId,
    operand: number,
    message: string,
    extra: readonly ReportLine[] = NO_LINES,
    facts?: Facts,
  ): void {
    this.add(VerifierScope.Operand, message, this.fn.instrBlock[instr], instr, operand, extra, 0, -1, facts);
  }

  private add(
    scope: VerifierScope,
    message: string,
    block: BlockId,
    instr: InstrId,
    operand: number,
    extra: readonly ReportLine[],
    reg: Reg,
    otherBlock: BlockId,
    facts?: Facts,
  ): void {
    const report = { scope, message, block, instr, operand, reg, otherBlock, extra };
    this.reports.push(facts === undefined ? report : { ...report, facts });
  }
}

/** `$vgpr0`, `%3`, `%name`, `$noreg`; the number of a virtual register is LLVM's. */
export function regText(fn: MachineFunction, reg: Reg): string {
  if (reg === 0) return '$noreg';
  if (!isVirtualReg(reg)) return `$${fn.tables.regName(reg)}`;
  const v = virtRegIndex(reg);
  return `%${fn.vregs.name[v] ?? v}`;
}

/** `%bb.2`: blocks are numbered in layout order. */
export const blockText = (block: BlockId): string => `%bb.${block}`;

/** Enough to tell all messages apart. */
const MAX_CODE_WORDS = 14;

/** Stable kebab-case identifier of a message; messages of LLVM are constant texts, so the words make the code. */
export function verifierCode(message: string): string {
  if (message === '') return 'packed-fp32-sgpr-modifiers';
  const words = message
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z0-9_]+/g, ' ')
    .trim()
    .split(' ');
  return words.slice(0, MAX_CODE_WORDS).join('-');
}
