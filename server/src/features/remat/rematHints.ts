/**
 * Rematerialization in passing: hints on definitions for those who ask for them (`amdgpu-mir.diagnostics.rematerialization`), and the
 * line of a register's hover.
 */
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import { isGain } from '../../passes/scheduler/remat/advice/effect.js';
import type { FunctionView } from '../snapshot/snapshot.js';
import { effectText } from './rematEffect.js';
import { obstacleReason, placesText } from '../words/rematWords.js';
import type { VRegId } from '../../model/register.js';
import { nameOf } from '../words/registerNames.js';

/** Of one function; the report has them all. */
const MAX_HINTS = 12;
/** Larger functions are not analysed in passing. */
const MAX_INSTRS = 2000;

/** A hint of ours, as the client gives it back. */
export const isRematHint = ({ code }: { readonly code?: string | number }): boolean => code === 'rematerialize';

/** Definitions of which rematerialization frees registers, most waves and registers first. Offsets absolute. */
export function rematHints(view: FunctionView): Diagnostic[] {
  const { fn, summary } = view;
  if (!fn?.source || !summary || fn.nInstrs > MAX_INSTRS) return [];
  // without a wave to gain nobody asks
  if (!summary.occupancy.vgprStepUp && !summary.occupancy.sgprStepUp) return [];
  const { source } = fn;
  const remat = view.remat!;
  const found = remat.candidates.candidates
    .map((candidate) => ({ candidate, effect: remat.effectOf(candidate) }))
    .filter(({ effect }) => isGain(effect))
    .map((f) => ({ ...f, freed: f.effect.regions.reduce((n, r) => n + r.before[1]! - r.after[1]!, 0) }));
  // equal ones stay in the order of their definitions
  found.sort((a, b) => b.effect.occupancyAfter - a.effect.occupancyAfter || b.freed - a.freed);
  return found.slice(0, MAX_HINTS).map(({ candidate, effect }): Diagnostic => {
    const range = source.operandRange(candidate.def, 0);
    const related = remat
      .choiceOf(candidate)
      .groups.slice(0, 4)
      .map((g) => {
        const use = source.instrRange(g.before);
        return {
          start: view.start + use.start,
          end: view.start + use.end,
          message: 'a copy would stand before this',
        };
      });
    return {
      start: view.start + range.start,
      end: view.start + range.end,
      severity: Severity.Hint,
      origin: DiagnosticOrigin.Function,
      code: 'rematerialize',
      message: `${nameOf(fn, candidate.vreg)} can be rematerialized at ${placesText(fn, remat.choiceOf(candidate).groups)}: ${effectText(effect)}`,
      related,
    };
  });
}

/** `rematerializable: at bb.4 (VGPR -1 in 3 regions, occupancy stays 7)`; empty where it would take long to know. */
export function rematLine(view: FunctionView, vreg: VRegId): string {
  const { fn } = view;
  if (!fn || fn.nInstrs > MAX_INSTRS || !view.remat) return '';
  const verdict = view.remat.candidates.of(vreg);
  if (verdict.candidate === null) {
    return verdict.obstacle === 'no definition' || verdict.obstacle === 'never used'
      ? ''
      : `can be rematerialized: no, ${obstacleReason(fn, verdict, view.remat.candidates.defOf(vreg))}`;
  }
  const { groups } = view.remat.choiceOf(verdict.candidate);
  if (groups.length === 0) return 'can be rematerialized: yes, but it stays live for users that need its definition';
  return `can be rematerialized: at ${placesText(fn, groups)} (${effectText(view.remat.effectOf(verdict.candidate))})`;
}
