/**
 * Findings about pressure, for those who ask for them (`amdgpu-mir.diagnostics.pressure`): regions that hold the occupancy of the
 * function down, and places where more is live at once than the function may use.
 */
import { reportOccupancy, type OccupancyReport, type PressureSummary } from '../../analysis/summary.js';
import { newPressure, maxPressure, numSGPRs, numVGPRs, type Pressure } from '../../analysis/gcnPressure.js';
import type { BlockId, InstrId } from '../../model/machineFunction.js';
import { InstrList } from '../../model/edit/instrList.js';
import { InstrRoles, formRegions } from '../../passes/scheduler/regions.js';
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import { oneLine } from '../../text/visible.js';
import { nextWaveText, placeOf } from '../words/pressureText.js';
import type { FunctionView } from '../snapshot/snapshot.js';

/** Regions that are named; in a function where all are alike the first ones say it. */
const MAX_REGIONS = 8;
const N_KINDS = 4;

/** Offsets absolute. None when the pressure is not known. O(instructions) */
export function pressureFindings(view: FunctionView): Diagnostic[] {
  const { summary } = view;
  return summary?.fn.source ? [...spills(view, summary), ...limitingRegions(view, summary)] : [];
}

interface RegionPeak {
  /** number of the region, as the scheduler counts */
  readonly region: number;
  readonly block: BlockId;
  readonly first: InstrId;
  readonly last: InstrId;
  /** where the occupancy is lowest */
  readonly instr: InstrId;
  readonly report: OccupancyReport;
}

function limitingRegions(view: FunctionView, summary: PressureSummary): Diagnostic[] {
  const { fn, occupancy, limits } = summary;
  if (occupancy.vgprStepUp === null && occupancy.sgprStepUp === null) return [];
  const peaks = regionPeaks(summary).filter((p) => p.report.occupancy === occupancy.occupancy);
  return peaks.slice(0, MAX_REGIONS).map((p) => {
    const { vgprStepUp, sgprStepUp } = p.report;
    const banks = [...(vgprStepUp ? ['VGPR'] : []), ...(sgprStepUp ? ['SGPR'] : [])].join(' and ');
    const steps = nextWaveText(p.report);
    return finding(
      view,
      summary,
      p.instr,
      Severity.Information,
      'limits-occupancy',
      `${banks} pressure of region ${p.region} (bb.${fn.blocks[p.block]!.sourceNumber}) limits the occupancy of '${oneLine(view.name)}' to ` +
        `${occupancy.occupancy} of ${limits.subtarget.maxWavesPerEU}${steps && `; next wave: ${steps}`}`,
      [
        [p.first, 'the region begins here'],
        [p.last, 'and ends here'],
      ],
    );
  });
}

/** Of each region the first instruction at which its occupancy is lowest, in the order of the text. */
function regionPeaks(summary: PressureSummary): RegionPeak[] {
  const { fn, up, limits } = summary;
  const list = new InstrList(fn);
  const peaks = formRegions(fn, list, new InstrRoles(fn)).map(({ block, begin, end }, region): RegionPeak => {
    const most = newPressure();
    let key = -1;
    let instr = begin;
    const here = newPressure();
    for (let p = begin; p !== end; p = list.after(p)) {
      for (let k = 0; k < N_KINDS; k++) here[k] = up.at[k]![p]!;
      maxPressure(most, here);
      const weight = vectorCount(summary, here) * 1024 + numSGPRs(here);
      if (key < weight) {
        key = weight;
        instr = p;
      }
    }
    return { region, block, first: begin, last: list.before(end), instr, report: reportOccupancy(most, limits) };
  });
  return peaks.sort((a, b) => a.block - b.block || b.region - a.region);
}

const vectorCount = ({ limits }: PressureSummary, p: Pressure): number => numVGPRs(p, limits.subtarget.hasGFX90AInsts);

function spills(view: FunctionView, summary: PressureSummary): Diagnostic[] {
  return summary.excess.map(({ bank, count, most, mayUseAGPRs, instr }) =>
    finding(
      view,
      summary,
      instr,
      Severity.Warning,
      'would-spill',
      `'${oneLine(view.name)}' would spill${mayUseAGPRs ? ' or use AGPRs' : ''}: ${count} ${bank}s live at once at ${placeOf(summary.fn, instr)}, the function may use ${most}: ${count - most} too many`,
      [],
    ),
  );
}

function finding(
  view: FunctionView,
  { fn }: PressureSummary,
  i: InstrId,
  severity: Severity,
  code: string,
  message: string,
  related: readonly (readonly [InstrId, string])[],
): Diagnostic {
  const range = (at: InstrId): { start: number; end: number } => {
    const { start, end } = fn.source!.instrRange(at);
    return { start: view.start + start, end: view.start + end };
  };
  return {
    ...range(i),
    severity,
    origin: DiagnosticOrigin.Ours,
    code,
    message,
    ...(related.length > 0 ? { related: related.map(([at, text]) => ({ ...range(at), message: text })) } : {}),
  };
}
