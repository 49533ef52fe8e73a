/** Collects the report of a rematerialization stage while it runs. Made only when somebody asks for the report. */
import {
  coveredRegs,
  numAGPRs,
  numArchVGPRs,
  numSGPRs,
  numVGPRs,
  type Pressure,
} from '../../../analysis/gcnPressure.js';
import type { InstrId } from '../../../model/machineFunction.js';
import { InstrPrinter, sourceNames } from '../../../model/printer/index.js';
import { RegKind } from '../../../target/api.js';
import type { SchedContext } from '../context.js';
import type { SchedulerModel } from '../schedulerModel.js';
import type { GCNScheduleDAGMILive } from '../stages/gcnScheduleDAGMILive.js';
import { pressureTrace, type PressureTrace } from '../trace/pressureTrace.js';
import type {
  RematBank,
  RematCandidate,
  RematChoice,
  RematDecision,
  RematExcess,
  RematObjective,
  RematRegion,
  RematRejected,
  RematRejection,
  RematReport,
  RematResult,
  RematRound,
  RematUse,
} from './report.js';
import type { LiveRegion } from './remats.js';
import type { RPBudget } from './rpTarget.js';
import type { VRegId } from '../../../model/register.js';

/** A definition that may be rematerialized, as a stage found it. */
export interface FoundCandidate {
  readonly def: InstrId;
  readonly defRegion: number;
  readonly vreg: VRegId;
  readonly uses: readonly RematUse[];
}

/** A candidate with the regions of its users; `regionOf` by instruction, -1 = none. */
export function candidateOf(
  regionOf: Int32Array,
  def: InstrId,
  vreg: VRegId,
  defRegion: number,
  users: readonly InstrId[],
): FoundCandidate {
  return { def, vreg, defRegion, uses: users.map((instr) => ({ instr, region: regionOf[instr] })) };
}

const FULL_ROUNDS = 20;
const WAITING: ReadonlySet<RematDecision> = new Set<RematDecision>(['no gain', 'next round', 'not needed']);

interface Start {
  readonly objective: RematObjective;
  readonly budget: RPBudget;
  readonly isTarget: (region: number) => boolean;
  /** relative to the entry; null = the model does not ask */
  readonly frequency: ((region: number) => number) | null;
}

type RegionStart = Omit<RematRegion, 'rematerialized' | 'after' | 'occupancyAfter' | 'excessAfter'>;

export class RematRecorder {
  private readonly ctx: SchedContext;
  private readonly printer: InstrPrinter;
  private readonly occupancyBefore: number;
  private start: Start | null = null;
  private regions: RegionStart[] = [];
  private rematerialized: PressureTrace[] | null = null;
  private achieved: number | null = null;
  private readonly candidates: RematCandidate[] = [];
  private readonly rejected: RematRejected[] = [];
  private readonly rounds: RematRound[] = [];
  private readonly chosen: RematChoice[] = [];

  constructor(
    private readonly dag: GCNScheduleDAGMILive,
    private readonly model: SchedulerModel,
  ) {
    this.ctx = dag.ctx;
    this.printer = new InstrPrinter(dag.ctx.fn, { vregName: sourceNames(dag.ctx.fn) });
    this.occupancyBefore = dag.minOccupancy;
  }

  /** The objective is known; nothing has changed yet. */
  begin(start: Start): void {
    const { dag, ctx } = this;
    this.start = start;
    this.regions = dag.regions.map((r, k) => {
      const instrs = ctx.instrsOf(r).filter((i) => !ctx.roles.isDebug(i));
      return {
        region: k,
        block: r.block,
        first: instrs[0],
        last: instrs[instrs.length - 1],
        boundary: Math.max(r.end, -1),
        frequency: start.frequency === null ? null : start.frequency(k),
        isTarget: start.isTarget(k),
        before: pressureTrace(dag.regions[k].pressure),
        occupancyBefore: dag.occupancyOf(dag.regions[k].pressure),
        excessBefore: this.excess(dag.regions[k].pressure),
      };
    });
  }

  name(vreg: VRegId): string {
    return this.printer.printReg(~vreg);
  }

  /** Its number. */
  candidate(c: FoundCandidate, where: readonly LiveRegion[]): number {
    const { ctx } = this;
    const live = where.map((x) => x.region).sort((a, b) => a - b);
    const liveThrough = where.flatMap((x) => (x.isThrough ? [x.region] : [])).sort((a, b) => a - b);
    const first = ctx.fn.opBegin[c.def];
    const sub = ctx.fn.opSub[first];
    const { subRegLaneLo, subRegLaneHi } = ctx.fn.tables;
    const registers =
      sub === 0
        ? coveredRegs(ctx.facts.fullLo[c.vreg], ctx.facts.fullHi[c.vreg])
        : coveredRegs(subRegLaneLo[sub], subRegLaneHi[sub]);
    const bank = bankOf(ctx.facts.kind[c.vreg]);
    return this.candidates.push({ ...c, name: this.name(c.vreg), bank, registers, live, liveThrough }) - 1;
  }

  /** A register that nobody uses in another region is no near miss, and is left out. */
  reject(all: FoundCandidate, why: RematRejection, operand = -1): void {
    const c = { ...all, uses: all.uses.filter((u) => u.region !== all.defRegion) };
    if (c.uses.length === 0) return;
    const operandName = operand < 0 ? '' : this.name(operand);
    this.rejected.push({ ...c, name: this.name(c.vreg), why, operand, operandName });
  }

  /** Of a long search the later rounds are told without the candidates that just waited. */
  round(round: RematRound): void {
    const isLate = this.rounds.length >= FULL_ROUNDS;
    const verdicts = isLate ? round.verdicts.filter((v) => !WAITING.has(v.verdict)) : round.verdicts;
    this.rounds.push({ ...round, verdicts });
  }

  choose(choice: RematChoice): void {
    this.chosen.push(choice);
  }

  /** All that was chosen stands in its new place; pressures are up to date, nothing is scheduled yet. */
  done(achievedOccupancy: number): void {
    this.rematerialized = this.dag.regions.map((r) => pressureTrace(r.pressure));
    this.achieved = achievedOccupancy;
  }

  finish(result: RematResult): RematReport {
    const { dag } = this;
    const start = this.start as Start;
    return {
      model: this.model,
      objective: start.objective,
      occupancyBefore: this.occupancyBefore,
      occupancyAfter: dag.minOccupancy,
      maxWaves: dag.maxWaves,
      budget: {
        sgpr: start.budget.maxSGPRs,
        vgpr: start.budget.maxVGPRs,
        unified: start.budget.maxUnified === 0 ? null : start.budget.maxUnified,
      },
      regions: this.regions.map((r, k) => ({
        ...r,
        rematerialized: this.rematerialized?.[k] ?? null,
        after: pressureTrace(dag.regions[k].pressure),
        occupancyAfter: dag.occupancyOf(dag.regions[k].pressure),
        excessAfter: this.excess(dag.regions[k].pressure),
      })),
      candidates: this.candidates,
      rejected: this.rejected,
      rounds: this.rounds,
      chosen: this.chosen,
      achievedOccupancy: this.achieved,
      result,
    };
  }

  private excess(p: Pressure): RematExcess {
    const { maxSGPRs, maxVGPRs, maxUnified } = (this.start as Start).budget;
    return {
      sgpr: Math.max(0, numSGPRs(p) - maxSGPRs),
      vgpr: Math.max(0, numArchVGPRs(p) - maxVGPRs),
      agpr: Math.max(0, numAGPRs(p) - maxVGPRs),
      unified: maxUnified === 0 ? 0 : Math.max(0, numVGPRs(p, true) - maxUnified),
    };
  }
}

function bankOf(kind: number): RematBank {
  if (kind === RegKind.SGPR) return 'SGPR';
  return kind === RegKind.AGPR ? 'AGPR' : 'VGPR';
}
