/**
 * The machine verifier that llc runs on every function it reads (LLVM 22.1.8, spec verifier.md).
 *
 * `verifyFunction` gives the reports as data, in LLVM's order; `verifierDiagnostics` puts them into the text;
 * `printVerifierReports` writes what llc writes to stderr.
 */
import type { MachineFunction } from '../../model/machineFunction.js';
import { checkCallFrames, checkEdgeLists, checkStackProtector } from './controlFlow.js';
import { CrossBlockChecks } from './crossBlock.js';
import { InstructionWalk } from './instructions.js';
import type { VerifierReport } from './reports.js';
import { VerifierContext } from './verifierContext.js';
import type { VerifierOptions } from './verifierContext.js';

export { VerifierScope, verifierCode } from './reports.js';
export type { VerifierReport } from './reports.js';
export type { VerifierOptions } from './verifierContext.js';
export { irVerifierOptions } from './irOptions.js';
export { verifierDiagnostics } from './diagnostics.js';
export { printVerifierReports, printVerifierReport } from './printReports.js';
export type { PrintReportsOptions } from './printReports.js';

/**
 * All reports that llc makes on this function right after parsing it, in order; empty = the function is accepted. The
 * function is not changed. Cost: linear in operands, plus the live range in blocks of each value that crosses blocks.
 */
export function verifyFunction(fn: MachineFunction, options: VerifierOptions = {}): readonly VerifierReport[] {
  if (fn.header.failedISel) return [];
  const ctx = new VerifierContext(fn, options);
  checkEdgeLists(ctx);
  checkCallFrames(ctx);
  checkStackProtector(ctx);
  const walk = new InstructionWalk(ctx);
  walk.run();
  new CrossBlockChecks(ctx, walk).run();
  return ctx.out.reports;
}
