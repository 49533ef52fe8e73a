/**
 * All that rematerialization could do for one function, as plain data: what the scheduler's stage would do, the smallest sets for more
 * waves, every register that is legal and helps, and the near misses at the peak. Numbers are those of the function as it stands and of
 * the edited function; lines count from 1.
 */
import { Bank, type PressureSummary } from '../../analysis/summary.js';
import { Slot } from '../../analysis/slotIndexes.js';
import type { InstrId, MachineFunction, BlockId } from '../../model/machineFunction.js';
import type { RematAnalysis, RematChoice } from '../../passes/scheduler/remat/advice/analysis.js';
import type { RematCandidate } from '../../passes/scheduler/remat/advice/candidates.js';
import { isGain, type RematEffect } from '../../passes/scheduler/remat/advice/effect.js';
import type { RematReport, RematScore } from '../../passes/scheduler/remat/report.js';
import { DEFAULT_MODEL, modelText } from '../../passes/scheduler/schedulerModel.js';
import { RegKind } from '../../target/api.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { placeOf } from '../words/pressureText.js';
import { schedulerPlan, wavePlans, type RematPlan, type RematSubject } from './rematPlans.js';
import { effectText } from './rematEffect.js';
import { groupReason, obstacleReason, reasonWhy, type LineOf } from '../words/rematWords.js';
import { nameOf } from '../words/registerNames.js';

/** More would not be read. */
const MAX_SUGGESTIONS = 200;
const MAX_NEAR_MISSES = 30;

/** Pressure by bank, 32-bit registers. */
export interface BankCounts {
  readonly sgpr: number;
  readonly vgpr: number;
  readonly agpr: number;
}

export interface EffectData {
  /** waves per EU */
  readonly occupancyBefore: number;
  readonly occupancyAfter: number;
  readonly peakBefore: BankCounts;
  readonly peakAfter: BankCounts;
  /** regions whose greatest pressure changes, numbered as the scheduler does */
  readonly regions: readonly { readonly region: number; readonly before: BankCounts; readonly after: BankCounts }[];
  /** the same in words */
  readonly text: string;
}

export interface RematSet {
  readonly registers: readonly string[];
  readonly effect: EffectData;
}

export interface RematSuggestion {
  readonly register: string;
  readonly bank: 'SGPR' | 'VGPR' | 'AGPR';
  /** 32-bit registers of a copy */
  readonly width: number;
  /** of the definition */
  readonly line: number;
  readonly region: number;
  /** where copies would stand: before these lines */
  readonly places: readonly { readonly block: BlockId; readonly region: number; readonly line: number }[];
  /** the definition stays where it is, for users that cannot have a copy */
  readonly kept: readonly string[];
  /** why it is legal */
  readonly why: string;
  /** loops around the copies less those around the definition; above 0 it runs oftener */
  readonly loopDepthChange: number;
  /** of a model that scores, before anything is rematerialized; null also when the stage does not consider the register */
  readonly score: RematScore | null;
  readonly effect: EffectData;
}

export interface RematNearMiss {
  readonly register: string;
  readonly bank: 'SGPR' | 'VGPR' | 'AGPR';
  readonly width: number;
  readonly line: number;
  readonly reason: string;
}

export interface RematSuggestions {
  readonly function: string;
  readonly occupancy: number;
  readonly maxOccupancy: number;
  /** of the function after the machine scheduler, its rematerialization included; null when the schedule is not known */
  readonly scheduledOccupancy: number | null;
  /** what the scheduler's stage does, if this order shows it as a gain; null also when the schedule is not known */
  readonly scheduler: (RematSet & { readonly model: string }) | null;
  /** smallest sets for more waves, ascending */
  readonly sets: readonly (RematSet & { readonly isSmallest: boolean })[];
  /** why no set brings the next wave; empty if one does or no register is in the way */
  readonly noSet: string;
  /** most helpful first */
  readonly suggestions: readonly RematSuggestion[];
  /** suggestions that are left out */
  readonly more: number;
  /** registers that pass the peak and cannot be rematerialized, widest first */
  readonly nearMisses: readonly RematNearMiss[];
}

/** Null when the function cannot be analysed, or the work was cancelled. */
export function suggestRemat(subject: RematSubject, lineOf: LineOf, token: CancellationToken): RematSuggestions | null {
  const { fn, summary, remat } = subject;
  if (!fn || !summary || !remat) return null;
  const found: { readonly candidate: RematCandidate; readonly effect: RematEffect; readonly rank: number }[] = [];
  for (const candidate of remat.candidates.candidates) {
    if (token.isCancelled()) return null;
    const effect = remat.effectOf(candidate);
    if (isGain(effect)) found.push({ candidate, effect, rank: rankOf(remat, candidate, effect) });
  }
  // equal ones stay in the order of their definitions
  found.sort((a, b) => b.rank - a.rank);
  const report = subject.quickSchedule?.trace.remat ?? null;
  const waves = wavePlans(subject, token);
  if (token.isCancelled()) return null;
  const stage = schedulerPlan(subject);
  return {
    function: fn.header.name,
    occupancy: summary.occupancy.occupancy,
    maxOccupancy: summary.limits.subtarget.maxWavesPerEU,
    scheduledOccupancy: subject.quickSchedule?.trace.occupancyAfter ?? null,
    scheduler: stage && {
      ...setOf(fn, stage),
      model: modelText(report?.model ?? DEFAULT_MODEL),
    },
    sets: waves.map((plan) => ({ ...setOf(fn, plan), isSmallest: plan.isSmallest })),
    noSet: waves.length > 0 ? '' : whyNoSet(subject, lineOf, token),
    suggestions: found
      .slice(0, MAX_SUGGESTIONS)
      .map((f) => suggestionOf(fn, remat, report, f.candidate, f.effect, lineOf)),
    more: Math.max(0, found.length - MAX_SUGGESTIONS),
    nearMisses: nearMisses(fn, summary, remat, lineOf),
  };
}

/** Waves first, then registers freed over all regions, copies in deeper loops last. */
function rankOf(remat: RematAnalysis, candidate: RematCandidate, effect: RematEffect): number {
  let freed = 0;
  for (const r of effect.regions) for (let k = 0; k < 3; k++) freed += r.before[k]! - r.after[k]!;
  const cost = Math.max(0, remat.depthChange(remat.choiceOf(candidate)));
  return (effect.occupancyAfter - effect.occupancyBefore) * 1e6 + freed / (1 + cost);
}

const counts = ([sgpr = 0, vgpr = 0, agpr = 0]: readonly number[]): BankCounts => ({ sgpr, vgpr, agpr });

const effectData = (effect: RematEffect): EffectData => ({
  occupancyBefore: effect.occupancyBefore,
  occupancyAfter: effect.occupancyAfter,
  peakBefore: counts(effect.before),
  peakAfter: counts(effect.after),
  regions: effect.regions.map((r) => ({ region: r.region, before: counts(r.before), after: counts(r.after) })),
  text: effectText(effect),
});

const registersOf = (fn: MachineFunction, choices: readonly RematChoice[]): string[] =>
  choices.map((c) => nameOf(fn, c.candidate.vreg));

const setOf = (fn: MachineFunction, { choices, effect }: RematPlan): RematSet => ({
  registers: registersOf(fn, choices),
  effect: effectData(effect),
});

function whyNoSet({ fn, summary, remat }: RematSubject, lineOf: LineOf, token: CancellationToken): string {
  if (!fn || !summary || !remat) return '';
  const { occupancy, vgprStepUp, sgprStepUp } = summary.occupancy;
  if (!vgprStepUp && !sgprStepUp) return '';
  const result = remat.reach(occupancy + 1, token);
  if (result.kind === 'none') return `no set of legal rematerializations reaches occupancy ${occupancy + 1}`;
  if (result.kind === 'gave up')
    return `no set was found that reaches occupancy ${occupancy + 1}; the search was cut off`;
  if (result.kind === 'found') return '';
  if (remat.candidates.candidates.length === 0) return 'no register can be rematerialized';
  const i = result.place < 0 ? -1 : summary.lis.indexes.instrAt[result.place]!;
  const where = i < 0 ? '' : ` at ${placeOf(fn, i)} (line ${lineOf(i)})`;
  return (
    `no set reaches occupancy ${occupancy + 1}: with all that is legal rematerialized, ${bankName(result.registerKind)} ` +
    `pressure${where} is still too high`
  );
}

const bankName = (kind: RegKind): 'SGPR' | 'VGPR' | 'AGPR' =>
  kind === RegKind.SGPR ? 'SGPR' : kind === RegKind.AGPR ? 'AGPR' : 'VGPR';

/** What the scheduler's stage gave the register of a definition in its first round. */
function scoreOf(report: RematReport | null, def: InstrId): RematScore | null {
  const verdict = report?.rounds[0]?.verdicts.find((v) => report.candidates[v.candidate]?.def === def);
  return verdict?.score ?? null;
}

function suggestionOf(
  fn: MachineFunction,
  remat: RematAnalysis,
  report: RematReport | null,
  candidate: RematCandidate,
  effect: RematEffect,
  lineOf: LineOf,
): RematSuggestion {
  const { vreg, def, defRegion, kept } = candidate;
  const choice = remat.choiceOf(candidate);
  const { kind, registers } = remat.model.deltaOf(candidate, choice.groups);
  return {
    register: nameOf(fn, vreg),
    bank: bankName(kind),
    width: registers,
    line: lineOf(def),
    region: defRegion,
    places: choice.groups.map((g) => ({
      block: fn.blocks[g.block]!.sourceNumber,
      region: g.region,
      line: lineOf(g.before),
    })),
    kept: kept.map((g) => groupReason(fn, g, lineOf)),
    why: reasonWhy(fn, remat.readBy(candidate)),
    loopDepthChange: remat.depthChange(choice),
    score: scoreOf(report, def),
    effect: effectData(effect),
  };
}

/** Registers of the limiting banks that live into the region of the peak from another one and are no candidates. */
function nearMisses(
  fn: MachineFunction,
  summary: PressureSummary,
  { candidates }: RematAnalysis,
  lineOf: LineOf,
): RematNearMiss[] {
  const { occupancy, peaks, lis, facts } = summary;
  const banks: { bank: Bank; kinds: readonly RegKind[] }[] = [];
  if (occupancy.vgprStepUp) {
    banks.push({ bank: Bank.VGPR, kinds: [RegKind.VGPR, RegKind.AVGPR] });
    if (peaks[Bank.AGPR]!.value > 0) banks.push({ bank: Bank.AGPR, kinds: [RegKind.AGPR] });
  }
  if (occupancy.sgprStepUp) banks.push({ bank: Bank.SGPR, kinds: [RegKind.SGPR] });
  const result: RematNearMiss[] = [];
  for (const { bank, kinds } of banks) {
    const { instr } = peaks[bank]!;
    const slot = instr < 0 ? -1 : lis.indexes.instrIndex[instr]!;
    if (slot < 0) continue;
    const region = candidates.regionOf[instr]!;
    for (let v = 0; v < lis.nVRegs && v < fn.vregs.n; v++) {
      if (!kinds.includes(facts.kind[v]!)) continue;
      const main = lis.mainRange[v]!;
      if (main < 0 || !lis.isLiveAt(main, slot + Slot.EarlyClobber)) continue;
      const verdict = candidates.of(v);
      const def = candidates.defOf(v);
      if (verdict.candidate !== null || def < 0 || candidates.regionOf[def] === region) continue;
      result.push({
        register: nameOf(fn, v),
        bank: bankName(kinds[0]!),
        width: facts.weight[v]!,
        line: lineOf(def),
        reason: obstacleReason(fn, verdict, def, lineOf),
      });
    }
  }
  return result.sort((a, b) => b.width - a.width || a.line - b.line).slice(0, MAX_NEAR_MISSES);
}
