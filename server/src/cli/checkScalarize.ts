/** `check --scalarize`: what the SALU could compute. */
import { PressureSummary } from '../analysis/summary.js';
import { LaneValues } from '../analysis/uniformity/laneValues.js';
import { scalarizeEffectText } from '../features/scalarize/scalarizeText.js';
import { analyzeScalarization, effectBetween, scalarize, searchScalarization } from '../passes/scalarize/scalarize.js';
import type { CheckScalarization } from './checkTypes.js';
import { nameOf } from '../features/words/registerNames.js';

export function checkScalarize(summary: PressureSummary, lineOf: (instr: number) => number): CheckScalarization {
  const { fn } = summary;
  const analysis = analyzeScalarization(fn, new LaneValues(fn));
  const set = searchScalarization(summary, analysis);
  const effect = set === null ? null : effectBetween(summary, new PressureSummary(scalarize(fn, set)));
  return {
    candidates: analysis.candidates.map(({ vreg, def, closure }) => ({
      register: nameOf(fn, vreg),
      line: lineOf(def),
      with: closure.filter((v) => v !== vreg).map((v) => nameOf(fn, v)),
    })),
    best:
      set === null || effect === null
        ? null
        : {
            registers: set.map((v) => nameOf(fn, v)),
            effect: scalarizeEffectText(fn, effect),
            occupancy: effect.occupancyAfter,
          },
  };
}

/** Lines of the report. */
export function scalarizationLines({ candidates, best }: CheckScalarization): string[] {
  if (candidates.length === 0) return ['nothing in vector registers that the SALU could compute'];
  return [
    best === null
      ? 'no set of them lowers the live peak of the VGPRs'
      : `${best.registers.join(', ')} to the SALU: ${best.effect}`,
    ...candidates.map(
      (c) => `${c.register} (line ${c.line})${c.with.length === 0 ? '' : `, with ${c.with.join(', ')}`}`,
    ),
  ];
}
