/** Reports of the verifier as diagnostics with exact ranges in the text. */
import { OperandKind } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtRegIndex } from '../../model/register.js';
import type { FunctionSource, MachineFunction } from '../../model/machineFunction.js';
import type { Reg } from '../../model/register.js';
import { printInstr } from '../../model/printer/index.js';
import { DiagnosticOrigin, Severity } from '../../text/diagnostic.js';
import type { Diagnostic, Facts, TextRange } from '../../text/diagnostic.js';
import { Places } from './explain.js';
import { VerifierScope, verifierCode } from './reports.js';
import type { VerifierReport } from './reports.js';

interface Related extends TextRange {
  readonly message: string;
}

/**
 * One diagnostic per report, in the same order; none if the function has no source. Messages are LLVM's, with the lines
 * that say what was expected; blocks and registers in them are LLVM's numbers, the related places show them in the text.
 */
export function verifierDiagnostics(fn: MachineFunction, reports: readonly VerifierReport[]): Diagnostic[] {
  const source = fn.source;
  if (!source || reports.length === 0) return [];
  const places = new Places(fn);
  return reports.map((report) => {
    const range = rangeOf(fn, source, report, places);
    const related = relatedOf(fn, source, report, places);
    const diagnostic: Diagnostic = {
      start: range.start,
      end: range.end,
      severity: Severity.Error,
      origin: DiagnosticOrigin.Verifier,
      code: verifierCode(report.message),
      message: messageOf(fn, report),
      facts: factsOf(fn, report),
    };
    return related.length > 0 ? { ...diagnostic, related } : diagnostic;
  });
}

function factsOf(fn: MachineFunction, report: VerifierReport): Facts {
  const { instr, operand, otherBlock } = report;
  const reg = registerOf(fn, report);
  return {
    ...(instr < 0 ? {} : { opcode: fn.tables.opcodeName(fn.opcode[instr]) }),
    ...(operand < 0 ? {} : { operand }),
    ...(reg === 0 ? {} : { register: nameOf(fn, reg) }),
    ...(otherBlock < 0 ? {} : { block: fn.blocks[otherBlock].sourceNumber }),
    ...report.facts,
  };
}

/** As the text has it. */
function nameOf({ tables, vregs }: MachineFunction, reg: Reg): string {
  if (isPhysicalReg(reg)) return tables.regName(reg);
  const v = virtRegIndex(reg);
  return vregs.name[v] ?? String(vregs.sourceNumber[v] >>> 0);
}

function messageOf(fn: MachineFunction, report: VerifierReport): string {
  const message =
    report.message === '' ? 'Packed FP32 instruction reads an SGPR with op_sel modifiers' : report.message;
  const lines = report.extra
    .map((l) => {
      if (typeof l === 'string') return l;
      return 'open' in l ? l.open : `${l.before}${printInstr(fn, l.instr, { standalone: true })}`;
    })
    .filter((l) => l !== '' && !l.startsWith('- '));
  return lines.length > 0 ? `${message}\n${lines.join('\n')}` : message;
}

function rangeOf(fn: MachineFunction, source: FunctionSource, report: VerifierReport, places: Places): TextRange {
  switch (report.scope) {
    case VerifierScope.Operand:
      if (report.operand < fn.numOperands(report.instr)) return source.operandRange(report.instr, report.operand);
      return source.instrRange(report.instr);
    case VerifierScope.Instr:
      return report.message.startsWith('Missing may')
        ? source.memOperandRange(report.instr, 0)
        : source.instrRange(report.instr);
    case VerifierScope.Block:
      return blockRange(fn, source, report, places);
    default:
      return functionRange(source, report, places);
  }
}

/** The line of the block that the message is about: a live-in, the successor list, the last instruction, or the label. */
function blockRange(fn: MachineFunction, source: FunctionSource, report: VerifierReport, places: Places): TextRange {
  const b = report.block;
  const { message } = report;
  if (isPhysicalReg(report.reg)) {
    const k = fn.blocks[b].liveIns.findIndex((l) => l.reg === report.reg);
    if (k >= 0) return source.liveInRange(b, k);
  }
  if (isVirtualReg(report.reg)) {
    const kill = places.kill(b, virtRegIndex(report.reg));
    if (kill) return source.operandRange(kill.instr, kill.operand);
  }
  if (message.includes('predecessor list') && report.otherBlock >= 0)
    return source.successorsRange(report.otherBlock) ?? source.blockLabelRange(b);
  if (message.includes('successor list') || message.includes('unexpected successors')) {
    const range = source.successorsRange(b);
    if (range) return range;
  }
  if (
    message.startsWith('MBB exits') ||
    message.startsWith('MBB conditionally') ||
    message.startsWith('A return block')
  ) {
    const end = fn.blockEnd[b];
    if (end > fn.blockBegin[b]) return source.instrRange(fn.order[end - 1]);
  }
  return source.blockLabelRange(b);
}

function functionRange(source: FunctionSource, report: VerifierReport, places: Places): TextRange {
  if (report.at !== undefined) return source.instrRange(report.at);
  if (report.message.startsWith('Stack protector'))
    return source.headerRange('frameInfo.stackProtector') ?? source.name;
  if (isVirtualReg(report.reg)) {
    const use = places.undominatedUse(virtRegIndex(report.reg));
    if (use) return source.operandRange(use.instr, use.operand);
  }
  return source.name;
}

function relatedOf(fn: MachineFunction, source: FunctionSource, report: VerifierReport, places: Places): Related[] {
  const related: Related[] = [];
  const add = (range: TextRange | null, message: string): void => {
    if (range) related.push({ start: range.start, end: range.end, message });
  };
  if (report.otherBlock >= 0) add(source.blockLabelRange(report.otherBlock), 'the other block');
  const reg = registerOf(fn, report);
  if (!isVirtualReg(reg)) return related;
  const declaration = source.vregDeclRange(virtRegIndex(reg));
  if (declaration && report.message.startsWith('Illegal virtual register')) add(declaration, 'declared here');
  const def = places.firstDef(virtRegIndex(reg));
  if (def && (def.instr !== report.instr || def.operand !== report.operand))
    add(source.operandRange(def.instr, def.operand), 'defined here');
  if (report.message === 'Using a killed virtual register') {
    const kill = places.kill(report.block, virtRegIndex(reg));
    if (kill) add(source.operandRange(kill.instr, kill.operand), 'killed here');
  }
  return related;
}

function registerOf(fn: MachineFunction, report: VerifierReport): Reg {
  if (report.reg !== 0) return report.reg;
  if (report.scope !== VerifierScope.Operand || report.operand >= fn.numOperands(report.instr)) return 0;
  const o = fn.opBegin[report.instr] + report.operand;
  return fn.opKind[o] === OperandKind.Register ? fn.opVal[o] : 0;
}
