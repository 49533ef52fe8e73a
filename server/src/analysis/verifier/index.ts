/**
 * The machine verifier that llc runs on every function it reads (LLVM 22.1.8, docs/llvm/verifier.md).
 *
 * `verifyFunction` gives the reports as data, in LLVM's order; `verifierDiagnostics` puts them into the text;
 * `printVerifierReports` writes what llc writes to stderr.
 */
import type { MachineFunction } from '../../model/machineFunction.js';
import { checkConvergence } from './convergence.js';
import { checkCallFrames, checkEdgeLists, checkStackProtector } from './controlFlow.js';
import { CrossBlockChecks } from './crossBlock.js';
import { InstructionWalk } from './instructions.js';
import { IntervalChecks } from './liveIntervals.js';
import type { VerifierReport } from './reports.js';
import { VerifierContext } from './verifierContext.js';
import type { VerifierOptions } from './verifierContext.js';

export { verifierCode } from './reports.js';
export type { VerifierReport } from './reports.js';
export type { VerifierOptions } from './verifierContext.js';
export type { KnownIntervals } from './knownIntervals.js';
export { irVerifierOptions } from './irOptions.js';
export { verifierDiagnostics } from './diagnostics.js';
export { printVerifierReports } from './printReports.js';
/**
 * All reports that llc makes on this function right after parsing it, in order; empty = the function is accepted. The
 * function is not changed. Cost: linear in operands, plus the live range in blocks of each value that crosses blocks.
 * @llvm MachineVerifier.cpp MachineFunction::verify
 */
export function verifyFunction(fn: MachineFunction, options: VerifierOptions = {}): readonly VerifierReport[] {
  return verifyVersion(fn, options, null).reports;
}

/** A version of a function in which the verifier found nothing, for verifying the next version. */
export interface CleanVersion {
  readonly fn: MachineFunction;
  readonly walk: InstructionWalk;
}

/** The same for a version of a function that had no reports before: `unchanged` as of `unchangedBlocks(before.fn, fn)`. */
export function verifyVersion(
  fn: MachineFunction,
  options: VerifierOptions,
  earlier: { readonly before: CleanVersion; readonly unchanged: Uint8Array } | null,
): { readonly reports: readonly VerifierReport[]; readonly clean: CleanVersion | null } {
  if (fn.header.failedISel) return { reports: [], clean: null };
  const ctx = new VerifierContext(fn, options);
  checkEdgeLists(ctx);
  checkCallFrames(ctx);
  checkStackProtector(ctx);
  const intervals = options.known === undefined ? null : new IntervalChecks(ctx, options.known);
  const walk = new InstructionWalk(ctx, intervals);
  walk.run(earlier === null ? null : { walk: earlier.before.walk, unchanged: earlier.unchanged });
  checkConvergence(ctx);
  new CrossBlockChecks(ctx, walk, intervals).run();
  const { reports } = ctx.out;
  return { reports, clean: reports.length === 0 ? { fn, walk } : null };
}
